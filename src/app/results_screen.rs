//! The table of results: who has won how often against whom, in each game.

use super::news::{CountedRecords, News};
use super::record_summary::RecordSummary;
use super::screen::{About, Screen};
use super::scroll::{self, Scroll};
use super::strength_chart::{self, strengths};
use super::table::{self, Column};
use super::{Context, text};
use crate::action::{Action, KeyHint};
use crate::catalogue::{self, GAMES, GameEntry};
use crate::puzzles::strength::Strength;
use crate::scene::Skin;
use crate::wording;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::Range;

/// How strong somebody is, and the table: a row for two names with all their matches, and below it a row for each game.
pub(super) struct ResultsScreen {
    strengths: Vec<(&'static GameEntry, Strength)>,
    rows: Vec<ResultRow>,
    /// The note about matches that are not counted, or not yet; may be empty.
    but: String,
    /// Whether it is known that there is nothing to show.
    is_empty: bool,
    scroll: Scroll,
}

#[derive(Debug, PartialEq, Eq)]
struct ResultRow {
    text: String,
    /// Whether it sums up all games of two names.
    all: bool,
    counts: Counts,
}

/// How many matches the first of two names has won, drawn and lost.
type Counts = [u32; 3];

const HEADS: [&str; 3] = ["won", "drawn", "lost"];
/// The columns of one count.
const COUNT: u16 = 6;
/// The most columns of the names and games, and of the whole table.
const TEXT: u16 = 40;
const WIDEST: u16 = 80;

impl ResultsScreen {
    pub fn new(context: &Context) -> ResultsScreen {
        ResultsScreen {
            strengths: strengths(context),
            rows: Vec::new(),
            but: String::new(),
            is_empty: false,
            scroll: Scroll::default(),
        }
    }

    /// Draws the table; `seen` says which of its rows, where there is room for so many.
    fn draw_table(
        &self,
        skin: Skin,
        area: Rect,
        buffer: &mut Buffer,
        seen: impl FnOnce(usize) -> Range<usize>,
    ) {
        let is_narrow = area.width < 44;
        let count = Column::number(if is_narrow { COUNT - 2 } else { COUNT });
        let title = "Results between two names";
        text::put((area.x, area.y), title, area.width.into(), skin.strong(), skin, buffer);
        let but = text::wrap(&self.but, area.width.into(), 3, skin);
        let table = Rect { height: area.height - but.len() as u16, ..area };
        for (y, row) in (table.bottom()..).zip(&but) {
            buffer.set_string(area.x, y, row, skin.dim());
        }
        if self.is_empty {
            let none = "None of these matches is between two named players.";
            text::put((area.x, area.y + 2), none, area.width.into(), skin.dim(), skin, buffer);
            return;
        }
        let room = area.width - table::width(&[count; 3], 0);
        let names = Column::text(room.min(TEXT));
        let columns = [names, count, count, count];
        let line = |y| Rect { y, height: 1, ..area };
        let head = table::head(area);
        // On a narrow screen the headings are single letters.
        let heads = HEADS.map(|head| if is_narrow { &head[..1] } else { head });
        let heads = [""].into_iter().chain(heads).map(|head| Line::styled(head, skin.dim()));
        table::draw_row(&columns, 0, &heads.collect::<Vec<_>>(), line(head), skin, buffer);
        let room = usize::from(table.bottom().saturating_sub(head + 1));
        let seen = seen(room);
        scroll::draw_seen(&seen, self.rows.len(), skin, area, buffer);
        for (y, row) in (head + 1..).zip(&self.rows[seen]) {
            let style = if row.all { skin.strong() } else { skin.plain() };
            let counts = row.counts.map(|number| {
                let style = if number == 0 { skin.dim() } else { style };
                Line::styled(number.to_string(), style)
            });
            let name = Line::styled(&*row.text, style);
            let cells: Vec<Line> = [name].into_iter().chain(counts).collect();
            table::draw_row(&columns, 0, &cells, line(y), skin, buffer);
        }
    }

    /// Shows these records: those between two named players whose winner is known.
    fn show(&mut self, counted: &CountedRecords) {
        let left_out = [
            (
                counted.unsound,
                [
                    "record whose result does not fit its moves",
                    "records whose results do not fit their moves",
                ],
            ),
            (counted.copies, ["copy", "copies"]),
        ];
        let left_out = left_out.iter().filter(|(n, _)| *n > 0);
        let left_out = left_out.map(|&(n, [one, many])| wording::counted(n, one, many));
        let left_out = left_out.collect::<Vec<_>>().join(", ");
        self.but = match (counted.to_go, &*left_out) {
            (0, "") => left_out,
            (0, _) => format!("not counted: {left_out}"),
            (to_go, _) => format!("{to_go} more to count"),
        };
        self.rows = rows(&counted.kept);
        self.is_empty = self.rows.is_empty() && counted.to_go == 0;
    }
}

fn rows<'a>(kept: impl IntoIterator<Item = &'a RecordSummary>) -> Vec<ResultRow> {
    let mut pairs: BTreeMap<[&str; 2], BTreeMap<(usize, &str), Counts>> = BTreeMap::new();
    for kept in kept {
        let ([first, second], Some(better)) = (&*kept.names, kept.comparison()) else {
            continue;
        };
        if first.is_empty() || second.is_empty() {
            continue;
        }
        let (pair, better) = match first.cmp(second) {
            Ordering::Less => ([&**first, second], better),
            Ordering::Greater => ([&**second, first], better.reverse()),
            Ordering::Equal => continue,
        };
        let place = GAMES.iter().position(|game| game.id == kept.game).unwrap_or(GAMES.len());
        let counts = pairs.entry(pair).or_default().entry((place, &kept.game)).or_default();
        counts[match better {
            Ordering::Greater => 0,
            Ordering::Equal => 1,
            Ordering::Less => 2,
        }] += 1;
    }
    let mut rows = Vec::new();
    for ([first, second], games) in pairs {
        let counts = [0, 1, 2].map(|n| games.values().map(|counts| counts[n]).sum());
        rows.push(ResultRow { text: format!("{first} - {second}"), all: true, counts });
        rows.extend(games.into_iter().map(|((_, id), counts)| {
            let name = catalogue::find(id).map_or(id, |game| game.name);
            ResultRow { text: format!("  {name}"), all: false, counts }
        }));
    }
    rows
}

impl Screen for ResultsScreen {
    fn scroll_mut(&mut self) -> Option<&mut Scroll> {
        Some(&mut self.scroll)
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let skin = context.skin;
        let area = table::block(area, WIDEST);
        if self.strengths.is_empty() {
            self.draw_table(skin, area, buffer, |room| self.scroll.seen(self.rows.len(), room));
            return None;
        }
        // All of it is drawn, and then the rows that are seen are taken from that.
        let above = 1 + strength_chart::ROWS * self.strengths.len() as u16;
        let below = text::wrap(&self.but, area.width.into(), 3, skin).len() + self.rows.len();
        let height = above.saturating_add(below.min(usize::from(u16::MAX) / 2) as u16 + 4);
        let whole = Rect { x: 0, y: 0, width: area.width, height };
        let mut drawn = Buffer::empty(whole);
        drawn.set_style(whole, skin.plain());
        text::put((0, 0), "Your strength", area.width.into(), skin.strong(), skin, &mut drawn);
        for (y, (entry, strength)) in
            (1..).step_by(strength_chart::ROWS.into()).zip(&self.strengths)
        {
            strength_chart::draw(entry, strength, skin, Rect { y, ..whole }, &mut drawn);
        }
        let table = Rect { y: above, height: height - above, ..whole };
        self.draw_table(skin, table, &mut drawn, |_| 0..self.rows.len());
        let seen = self.scroll.seen(height.into(), area.height.into());
        for (y, row) in (area.y..area.bottom()).zip(seen.clone()) {
            for x in 0..area.width {
                buffer[(area.x + x, y)] = drawn[(x, row as u16)].clone();
            }
        }
        scroll::draw_seen(&seen, height.into(), skin, area, buffer);
        None
    }

    fn key_hints(&self) -> Vec<KeyHint> {
        let scroll = KeyHint::new(&[Action::Up, Action::Down], "scroll");
        vec![scroll, Action::NextPage.hint(), Action::Back.to("list")]
    }

    fn about(&self) -> About {
        let purpose = "How many matches the first of two names has won, drawn and lost against the second: first \
                       in all games together, then in each game.";
        let text = "Your strength is a number for each game, from your matches against the levels and your first tries \
                    at puzzles; the true one is most likely no further away than is said. The chart shows it over time.\n\nOnly the matches in the list of records \
                    are counted. The moves are played again to find the results. A record is not counted if \
                    its result does not fit its moves, and of records with the same names, date and moves \
                    only one is counted.";
        About::new("Results", purpose).with_details(text)
    }

    fn news<'a>(&mut self, news: News<'a>, _: &Context) -> Option<News<'a>> {
        match news {
            News::Counted(counted) => self.show(counted),
            other => return Some(other),
        }
        None
    }
}
