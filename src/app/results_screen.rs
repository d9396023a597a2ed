//! The screen of head-to-head results in each game.

use super::Context;
use super::command::Commands;
use super::news::{CountedRecords, News};
use super::record_summary::RecordSummary;
use super::screen::{About, Effect, Input, Screen};
use super::scroll::Scroll;
use crate::action::Action;
use crate::view::{Chart, ChartView, Phrase, Tone, View};
use quadrille_match::session::EngineSeat;
use quadrille_puzzles::strength::Strength;
use quadrille_rules::Setup;
use quadrille_table::catalogue::{self, GAMES, GameEntry};
use quadrille_text::wording;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The user's strength in each game, and a table: a row with all matches of each pair of names, and below it a row for
/// each game.
pub(super) struct ResultsScreen {
    strengths: Vec<(&'static GameEntry, Strength)>,
    rows: Vec<ResultRow>,
    /// A note about matches that are excluded or not yet counted; may be empty.
    footnote: String,
    /// Whether counting is complete and found no results.
    is_empty: bool,
    scroll: Scroll,
}

#[derive(Debug, PartialEq, Eq)]
struct ResultRow {
    text: String,
    all: bool,
    counts: WinsDrawsLosses,
}

/// The wins, draws and losses of the first of two players.
type WinsDrawsLosses = [u32; 3];

fn strengths(context: &Context) -> Vec<(&'static GameEntry, Strength)> {
    let today = context.today();
    let of = |entry: &'static GameEntry| {
        Some((entry, Strength::of(&context.progress, entry.id, today)?))
    };
    GAMES.iter().filter_map(of).collect()
}

impl ResultsScreen {
    pub fn new(context: &Context) -> ResultsScreen {
        ResultsScreen {
            strengths: strengths(context),
            rows: Vec::new(),
            footnote: String::new(),
            is_empty: false,
            scroll: Scroll::default(),
        }
    }

    /// Shows the results of the records that have two named players and a known result.
    fn show(&mut self, counted: &CountedRecords) {
        let left_out = [
            (
                counted.unsound,
                [
                    "record whose result contradicts its moves",
                    "records whose results contradict their moves",
                ],
            ),
            (counted.copies, ["copy", "copies"]),
        ];
        let left_out = left_out.iter().filter(|(n, _)| *n > 0);
        let left_out = left_out.map(|&(n, [one, many])| wording::counted(n, one, many));
        let left_out = left_out.collect::<Vec<_>>().join(", ");
        self.footnote = match (counted.remaining, &*left_out) {
            (0, "") => left_out,
            (0, _) => format!("not counted: {left_out}"),
            (remaining, _) => format!("{remaining} still to count"),
        };
        self.rows = rows(&counted.records);
        self.is_empty = self.rows.is_empty() && counted.remaining == 0;
    }
}

fn rows<'a>(records: impl IntoIterator<Item = &'a RecordSummary>) -> Vec<ResultRow> {
    let mut pairs: BTreeMap<[&str; 2], BTreeMap<(usize, &str), WinsDrawsLosses>> = BTreeMap::new();
    for record in records {
        let ([first, second], Some(better)) = (&*record.names, record.comparison()) else {
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
        let place = GAMES.iter().position(|game| game.id == record.game).unwrap_or(GAMES.len());
        let counts = pairs.entry(pair).or_default().entry((place, &record.game)).or_default();
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

fn chart<'a>((entry, strength): &'a (&'static GameEntry, Strength)) -> Chart<'a> {
    let level = strength.level(entry.id, &Setup::new());
    let fits = |level| format!("suggested level: {}", EngineSeat::new(level).name());
    let words = [
        Phrase::strong(entry.name),
        Phrase::plain(strength.to_string()),
        Phrase::dim(level.map_or(String::new(), fits)),
    ];
    Chart { words, history: &strength.history }
}

impl Screen for ResultsScreen {
    fn commands(&self, _: &Context) -> Commands {
        Scroll::commands(Action::Back.to("list"))
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
        match input {
            Input::News(News::Counted(counted)) => self.show(counted),
            input => return self.scroll.input(&input, &context.feedback),
        }
        Some(Vec::new())
    }

    fn view(&self, _: bool, _: &Context) -> View<'_> {
        let row = |row: &ResultRow| {
            let tone = if row.all { Tone::Strong } else { Tone::Plain };
            (Phrase::new(&*row.text, tone), row.counts)
        };
        View::Chart(ChartView {
            title: "Your rating",
            charts: self.strengths.iter().map(chart).collect(),
            table_title: "Head-to-head",
            heads: ["won", "drawn", "lost"],
            rows: self.rows.iter().map(row).collect(),
            empty: self.is_empty.then_some("No matches between two named players."),
            note: &self.footnote,
            top: self.scroll.top(),
        })
    }

    fn about(&self) -> Option<About> {
        let purpose = "Wins, draws and losses of the first player against the second, in all games and then in each \
            game.";
        let text = "Your rating in each game comes from your matches against the levels and your first attempts at \
            puzzles. +/- is the 95 % interval. The chart shows your rating over time.\n\nOnly listed records \
            count. Results are recomputed from the moves: records that contradict their moves are skipped, and \
            duplicates with the same names, date and moves count once.";
        Some(About::new("Results", purpose).with_details(text))
    }
}
