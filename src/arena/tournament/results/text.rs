//! The table for people: `table.txt`.

use super::{KindRow, KindTable, PlayerRow, Tally, TournamentTable};
use crate::arena::tournament::Ending;
use crate::printable::printable;
use std::fmt;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The width of the longest name, in columns. Longer ones are cut.
const NAME: usize = 40;

/// A part of the table for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPart {
    /// Rows of cells.
    Table(TextTable),
    /// Sentences, a line each.
    Sentences(Vec<String>),
}

/// Rows of cells. The first column is aligned left, the others right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextTable {
    /// How many of the rows are headings.
    pub heads: usize,
    /// The rows. One that has a single cell is the heading of those below it.
    pub rows: Vec<Vec<String>>,
}

impl TextTable {
    fn new(head: &[&str]) -> TextTable {
        let mut cells = TextTable { heads: 0, rows: Vec::new() };
        cells.head(head);
        cells
    }

    fn head(&mut self, head: &[&str]) {
        self.heads += 1;
        self.rows.push(head.iter().map(ToString::to_string).collect());
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

/// The name of a player, cut to [`NAME`] columns.
fn name(row: &PlayerRow) -> String {
    short(&row.name)
}

/// A name, cut to [`NAME`] columns.
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

fn error(error: Option<f64>) -> String {
    error.map_or("-".to_owned(), |error| format!("{error:.1}"))
}

/// The heading of a seat: `1st`, `2nd`.
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
    /// The main part: a row for each player.
    fn standings(&self) -> TextTable {
        let mut cells = TextTable::new(&["", "Elo"]);
        cells.head(&["", "vs mean", "+/-", "LOS", "games", "points", "wins", "draws", "losses"]);
        for (place, row) in self.rows.iter().enumerate() {
            let Tally { wins, draws, losses } = row.tally;
            cells.rows.push(vec![
                self.numbered(place, row),
                row.elo.to_string(),
                error(row.elo.error()),
                percent(row.superiority),
                row.games.to_string(),
                row.tally.points().to_string(),
                wins.to_string(),
                draws.to_string(),
                losses.to_string(),
            ]);
        }
        cells
    }

    fn numbered(&self, place: usize, row: &PlayerRow) -> String {
        let digits = self.rows.len().to_string().len();
        format!("{:digits$} {}", place + 1, name(row))
    }

    fn numbered_player(&self, player: usize) -> String {
        let place = self.rows.iter().position(|row| row.player == player);
        place.map(|place| self.numbered(place, &self.rows[place])).unwrap_or_default()
    }

    /// The first player of a gauntlet: the only one whom all others have met. Between two players it is the better one.
    /// `None` if players met otherwise.
    fn challenger(&self) -> Option<&PlayerRow> {
        if let [best, _] = &self.rows[..] {
            return Some(best);
        }
        let others = self.rows.len() - 1;
        let mut many = self.rows.iter().filter(|row| row.against.len() > 1);
        many.next().filter(|row| row.against.len() == others && many.next().is_none())
    }

    /// The challenger's results against each other player.
    fn gauntlet(&self, challenger: &PlayerRow) -> TextTable {
        let title = format!("{} against", name(challenger));
        let mut cells =
            TextTable::new(&[&title, "Elo", "+/-", "LOS", "points", "wins", "draws", "losses"]);
        for met in &challenger.against {
            let Tally { wins, draws, losses } = met.tally;
            cells.rows.push(vec![
                self.numbered_player(met.player),
                met.elo.to_string(),
                error(met.elo.error()),
                percent(met.superiority),
                met.tally.points().to_string(),
                wins.to_string(),
                draws.to_string(),
                losses.to_string(),
            ]);
        }
        cells
    }

    /// How many pairs of games gave a player how many points, against each other player; `None` if sets are no pairs.
    fn pairs(&self, player: &PlayerRow) -> Option<TextTable> {
        let title = format!("pairs of {} by points", name(player));
        let mut cells = TextTable::new(&[&title, "0", "0.5", "1", "1.5", "2"]);
        for met in &player.against {
            let mut line = vec![self.numbered_player(met.player)];
            line.extend(met.sets.pentanomial()?.iter().map(u64::to_string));
            cells.rows.push(line);
        }
        (cells.rows.len() > 1).then_some(cells)
    }

    /// The cross table: each player's points against each other.
    fn cross(&self) -> TextTable {
        let met = || self.rows.iter().flat_map(|row| &row.against).map(|met| met.tally.total());
        let games = met().max().unwrap_or_default();
        let is_even = met().all(|total| total == games);
        let title = if is_even { format!("points of {games}") } else { "score".to_owned() };
        let mut head = vec![title];
        head.extend((1..=self.rows.len()).map(|number| number.to_string()));
        let mut cells = TextTable { heads: 1, rows: vec![head] };
        for (place, row) in self.rows.iter().enumerate() {
            let mut line = vec![self.numbered(place, row)];
            for other in &self.rows {
                let met = row.against.iter().find(|met| met.player == other.player);
                line.push(match met {
                    None => "-".to_owned(),
                    Some(met) if is_even => met.tally.points().to_string(),
                    Some(met) => percent(Some(met.tally.score())),
                });
            }
            cells.rows.push(line);
        }
        cells
    }

    /// Each player's wins from each seat.
    fn wins_by_seat(&self) -> TextTable {
        let mut head = vec!["wins by seat".to_owned()];
        head.extend((1..=self.seats.len()).map(ordinal));
        let mut cells = TextTable { heads: 1, rows: vec![head] };
        let line = |name: String, seats: &[Tally]| {
            let wins = |seat: usize| seats.get(seat).map_or(0, |tally| tally.wins).to_string();
            let mut line = vec![name];
            line.extend((0..self.seats.len()).map(wins));
            line
        };
        for (place, row) in self.rows.iter().enumerate() {
            cells.rows.push(line(self.numbered(place, row), &row.seats));
        }
        cells.rows.push(line("all".to_owned(), &self.seats));
        cells
    }

    /// The players by kind of setup.
    pub(super) fn by_kind(&self) -> TextTable {
        let mut cells = TextTable::new(&["", "Elo", "", "", "", "more than"]);
        cells.head(&["by kind of setup", "vs mean", "+/-", "games", "points", "on all", "+/-"]);
        for KindTable { kind, rows } in &self.kinds {
            cells.rows.push(vec![short(kind)]);
            for KindRow { row, difference } in rows {
                let share = |share: f64| format!("{:+.1}%", (1000.0 * share).round() / 10.0 + 0.0);
                let width = |error: f64| format!("{:.1}%", 100.0 * error);
                cells.rows.push(vec![
                    format!("  {}", name(row)),
                    row.elo.to_string(),
                    error(row.elo.error()),
                    row.games.to_string(),
                    row.tally.points().to_string(),
                    difference.map_or("-".to_owned(), |difference| share(difference.share)),
                    difference.map_or("-".to_owned(), |difference| width(difference.error)),
                ]);
            }
        }
        cells
    }

    /// The games lost otherwise than by the rules, if there are any.
    fn lost_by(&self) -> Option<TextTable> {
        let head = ["games lost by", "time", "illegal move", "crash", "no answer"];
        let mut cells = TextTable::new(&head);
        for (place, row) in self.rows.iter().enumerate().filter(|(_, row)| row.lost_by.total() > 0)
        {
            let mut line = vec![self.numbered(place, row)];
            line.extend(row.lost_by.each().map(|(_, count)| count.to_string()));
            cells.rows.push(line);
        }
        (cells.rows.len() > 1).then_some(cells)
    }
}

impl TournamentTable {
    /// The parts of the table in the order of `table.txt`, without the sequential test. The first has the players.
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

/// The text of `table.txt`.
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
