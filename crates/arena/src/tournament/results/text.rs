//! The human-readable table: `table.txt`.

use super::{Difference, Elo, KindRow, KindTable, PlayerRow, Tally, TournamentTable};
use crate::tournament::Ending;
use quadrille_text::printable::printable;
use std::fmt;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The maximum width of a name, in columns. Longer names are truncated.
const NAME: usize = 40;

/// A part of the human-readable table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPart {
    /// Rows of cells.
    Table(TextTable),
    /// Sentences, one per line.
    Sentences(Vec<String>),
}

/// Rows of cells. The first column is left-aligned, the others right-aligned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextTable {
    /// The number of heading rows.
    pub heads: usize,
    /// All rows. A row with a single cell is the heading of the rows below it.
    pub rows: Vec<Vec<String>>,
}

impl TextTable {
    /// Creates a table with this title and heading row.
    fn new(title: &str, head: impl IntoIterator<Item: ToString>) -> TextTable {
        let mut table = TextTable { heads: 1, rows: Vec::new() };
        table.row(title.to_owned(), head);
        table
    }

    /// Adds a row with `name` in the first column.
    fn row(&mut self, name: String, cells: impl IntoIterator<Item: ToString>) {
        let cells = cells.into_iter().map(|cell| cell.to_string());
        self.rows.push([name].into_iter().chain(cells).collect());
    }
}

impl fmt::Display for TextPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TextPart::Table(table) => table.fmt(f),
            TextPart::Sentences(sentences) => {
                sentences.iter().try_for_each(|sentence| writeln!(f, "{}", printable(sentence)))
            }
        }
    }
}

impl fmt::Display for TextTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.width()).max().unwrap_or_default()
        };
        for row in &self.rows {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                let room = " ".repeat(width(column) - cell.width());
                match column {
                    0 => line = format!("{cell}{room}"),
                    _ => line = format!("{line}  {room}{cell}"),
                }
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Returns a name truncated to [`NAME`] columns.
fn short(name: &str) -> String {
    let name = printable(name);
    if name.width() <= NAME {
        return name.into_owned();
    }
    let mut short = String::new();
    for c in name.chars() {
        if short.width() + c.width().unwrap_or(0) > NAME - 1 {
            break;
        }
        short.push(c);
    }
    short + "…"
}

fn percent(likely: Option<f64>) -> String {
    likely.map_or("-".to_owned(), |likely| format!("{:.1}%", 100.0 * likely))
}

/// Formats Elo, its error, LOS, points, wins, draws and losses.
fn figures(elo: Elo, superiority: Option<f64>, tally: Tally) -> Vec<String> {
    let error = elo.error().map_or("-".to_owned(), |error| format!("{error:.1}"));
    let Tally { wins, draws, losses } = tally;
    let counts = [wins, draws, losses].map(|count| count.to_string());
    let first = [elo.to_string(), error, percent(superiority), tally.points().to_string()];
    [&first[..], &counts].concat()
}

/// Returns the heading of a seat: `1st`, `2nd`.
fn ordinal(number: usize) -> String {
    let end = match number {
        1 => "st",
        2 => "nd",
        3 => "rd",
        _ => "th",
    };
    format!("{number}{end}")
}

impl TournamentTable {
    /// Returns the main part: one row per player.
    fn standings(&self) -> TextTable {
        let mut table = TextTable::new("", ["Elo"]);
        table.heads = 2;
        let head = ["vs mean", "+/-", "LOS", "games", "points", "wins", "draws", "losses"];
        table.row(String::new(), head);
        for row in &self.rows {
            let mut cells = figures(row.elo, row.superiority, row.tally);
            cells.insert(3, row.games.to_string());
            table.row(self.numbered(row.player), cells);
        }
        table
    }

    /// Returns the name of a player with its rank.
    fn numbered(&self, player: usize) -> String {
        let digits = self.rows.len().to_string().len();
        let place = self.rows.iter().position(|row| row.player == player).unwrap_or_default();
        format!("{:digits$} {}", place + 1, short(&self.rows[place].name))
    }

    /// Returns the first player of a gauntlet, the only one that has met all others. Between two players, returns the
    /// better one. Returns `None` for other pairings.
    fn challenger(&self) -> Option<&PlayerRow> {
        if let [best, _] = &self.rows[..] {
            return Some(best);
        }
        let others = self.rows.len() - 1;
        let mut many = self.rows.iter().filter(|row| row.against.len() > 1);
        many.next().filter(|row| row.against.len() == others && many.next().is_none())
    }

    /// Returns the challenger's results against each opponent.
    fn gauntlet(&self, challenger: &PlayerRow) -> TextTable {
        let title = format!("{} against", short(&challenger.name));
        let head = ["Elo", "+/-", "LOS", "points", "wins", "draws", "losses"];
        let mut table = TextTable::new(&title, head);
        for met in &challenger.against {
            table.row(self.numbered(met.player), figures(met.elo, met.superiority, met.tally));
        }
        table
    }

    /// Returns the number of pairs of games for each number of points of a player, against each opponent; `None` if
    /// sets are not pairs.
    fn pairs(&self, player: &PlayerRow) -> Option<TextTable> {
        let title = format!("pairs of {} by points", short(&player.name));
        let mut table = TextTable::new(&title, ["0", "0.5", "1", "1.5", "2"]);
        for met in &player.against {
            table.row(self.numbered(met.player), met.sets.pentanomial()?);
        }
        (table.rows.len() > 1).then_some(table)
    }

    /// Returns the cross table: each player's points against each opponent.
    fn cross(&self) -> TextTable {
        let met = || self.rows.iter().flat_map(|row| &row.against).map(|met| met.tally.total());
        let games = met().max().unwrap_or_default();
        let is_even = met().all(|total| total == games);
        let title = if is_even { format!("points of {games}") } else { "score".to_owned() };
        let mut table = TextTable::new(&title, 1..=self.rows.len());
        for row in &self.rows {
            let cell = |other: &PlayerRow| {
                let met = row.against.iter().find(|met| met.player == other.player);
                match met {
                    None => "-".to_owned(),
                    Some(met) if is_even => met.tally.points().to_string(),
                    Some(met) => percent(Some(met.tally.score())),
                }
            };
            table.row(self.numbered(row.player), self.rows.iter().map(cell));
        }
        table
    }

    /// Returns each player's wins from each seat.
    fn wins_by_seat(&self) -> TextTable {
        let mut table = TextTable::new("wins by seat", (1..=self.seats.len()).map(ordinal));
        let rows = self.rows.iter().map(|row| (self.numbered(row.player), &row.seats));
        for (name, seats) in rows.chain([("all".to_owned(), &self.seats)]) {
            let wins = |seat: usize| seats.get(seat).map_or(0, |tally| tally.wins);
            table.row(name, (0..self.seats.len()).map(wins));
        }
        table
    }

    /// Returns the results by kind of setup.
    pub(super) fn by_kind(&self) -> TextTable {
        let mut table = TextTable::new("", ["Elo", "", "", "", "more than"]);
        table.heads = 2;
        let head = ["vs mean", "+/-", "games", "points", "on all", "+/-"];
        table.row("by kind of setup".to_owned(), head);
        for KindTable { kind, rows } in &self.kinds {
            table.row(short(kind), [""; 0]);
            for KindRow { row, difference } in rows {
                let mut cells = figures(row.elo, row.superiority, row.tally);
                cells[2] = row.games.to_string();
                cells.truncate(4);
                cells.extend(match difference {
                    None => ["-"; 2].map(str::to_owned),
                    Some(Difference { share, error }) => [
                        format!("{:+.1}%", (1000.0 * share).round() / 10.0 + 0.0),
                        percent(Some(*error)),
                    ],
                });
                table.row(format!("  {}", short(&row.name)), cells);
            }
        }
        table
    }

    /// Returns the games lost for reasons other than the rules, if there are any.
    fn lost_by(&self) -> Option<TextTable> {
        let mut table = TextTable::new("games lost by", Ending::LOSSES);
        for row in &self.rows {
            if row.lost_by.0.values().any(|count| *count > 0) {
                table.row(self.numbered(row.player), row.lost_by.0.values());
            }
        }
        (table.rows.len() > 1).then_some(table)
    }
}

impl TournamentTable {
    /// Returns the parts of the table in the order of `table.txt`, without the sequential test. The first part contains
    /// the players.
    pub fn parts(&self) -> Vec<TextPart> {
        let mut parts = vec![TextPart::Table(self.standings())];
        if self.rows.iter().any(|row| !row.against.is_empty()) {
            match self.challenger() {
                Some(challenger) => {
                    parts.push(TextPart::Table(self.gauntlet(challenger)));
                    parts.extend(self.pairs(challenger).map(TextPart::Table));
                }
                None => parts.push(TextPart::Table(self.cross())),
            }
        }
        if !self.kinds.is_empty() {
            parts.push(TextPart::Table(self.by_kind()));
            parts.push(TextPart::Sentences(self.kinds_in_words()));
        }
        if !self.seats.is_empty() {
            parts.push(TextPart::Table(self.wins_by_seat()));
        }
        parts.extend(self.lost_by().map(TextPart::Table));
        let drawn =
            [(Ending::Limit, "by the limit of plies"), (Ending::Repetition, "by repetition")];
        let drawn: Vec<String> = (drawn.iter())
            .filter_map(|(ending, how)| Some(format!("{} {how}", self.endings.get(ending)?)))
            .collect();
        if !drawn.is_empty() {
            parts.push(TextPart::Sentences(vec![format!("Drawn {}.", drawn.join(" and "))]));
        }
        parts
    }
}

/// Writes the contents of `table.txt`.
impl fmt::Display for TournamentTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.parts().iter().enumerate() {
            let gap = if index == 0 { "" } else { "\n" };
            write!(f, "{gap}{part}")?;
        }
        match self.sprt {
            Some(verdict) => writeln!(f, "\n{verdict}"),
            None => Ok(()),
        }
    }
}
