//! `quadrille statistics`: prints the user's statistics.

use super::display_args::DisplayArgs;
use super::in_columns;
use crate::app::{
    Accuracy, CountedRecords, GameStatistics, NO_RESULTS, Pair, Statistics, game_name,
};
use crate::front_end::record_tasks::count_all;
use crate::settings::GlyphSet;
use anyhow::Context;
use jiff::civil::Date;
use quadrille_match::session::EngineSeat;
use quadrille_match::store::MatchStore;
use quadrille_net::client::usual_name;
use quadrille_system::calendar;
use quadrille_system::folders;
use quadrille_text::printable::printable;
use serde::Serialize;
use std::io::Write;

/// Print your statistics
///
/// For each game your matches, wins, rating, puzzles, best rush and accuracy, then your results against each opponent.
/// All records in your library count. docs/puzzles.md explains the numbers.
#[derive(Debug, clap::Args)]
pub(super) struct StatisticsArgs {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(
    args: &StatisticsArgs,
    display_args: &DisplayArgs,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let folder = folders::state().context("your records")?;
    let store = MatchStore::open(&folder)?;
    let progress = store.progress()?;
    let settings = display_args.config_file()?.settings;
    let name = usual_name(&settings.name).unwrap_or_default();
    let counted = count_all(&store, &progress, &name)?;
    let statistics = Statistics::of(&counted, &progress, &name, calendar::now().date());
    if args.json {
        let json = Json::of(&statistics, &counted);
        writeln!(out, "{}", serde_json::to_string_pretty(&json)?)?;
        return Ok(());
    }
    let is_ascii = display_args.is_ascii() || settings.glyphs == GlyphSet::Ascii;
    print(&statistics, is_ascii, out)?;
    let note = counted.note();
    if !note.is_empty() {
        writeln!(out, "\n{note}")?;
    }
    Ok(())
}

fn print(statistics: &Statistics, is_ascii: bool, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "{}", printable(&statistics.title()))?;
    let summary = statistics.summary(is_ascii);
    if !summary.is_empty() {
        writeln!(out, "{summary}")?;
    }
    for game in &statistics.games {
        writeln!(out, "\n{}", game.entry.name)?;
        for fact in game.facts(is_ascii) {
            writeln!(out, "  {fact}")?;
        }
        if let Some(level) = game.suggested_level() {
            writeln!(out, "  suggested: {}", EngineSeat::new(level).name())?;
        }
    }
    if statistics.pairs.is_empty() {
        if statistics.games.is_empty() {
            writeln!(out, "{NO_RESULTS}")?;
        }
        return Ok(());
    }
    let row = |text: String, counts: [u32; 3]| {
        let [won, drawn, lost] = counts.map(|count| count.to_string());
        [text, won, drawn, lost]
    };
    let mut rows = vec![["Head-to-head", "won", "drawn", "lost"].map(str::to_owned)];
    for pair in &statistics.pairs {
        rows.push(row(printable(&pair.players(&statistics.name)).into_owned(), pair.all()));
        let games = pair.games.iter();
        rows.extend(games.map(|(id, counts)| row(format!("  {}", game_name(id)), *counts)));
    }
    write!(out, "\n{}", in_columns(&rows, &[1, 2, 3]))?;
    Ok(())
}

/// The JSON fields, in order.
#[derive(Serialize)]
struct Json<'a> {
    name: &'a str,
    daily_streak: u32,
    best_rush: Option<u32>,
    accuracy: JsonAccuracy,
    games: Vec<JsonGame<'a>>,
    against: Vec<JsonOpponent<'a>>,
    others: Vec<JsonPair<'a>>,
    not_counted: JsonNotCounted,
}

/// The numbers of records that do not count.
#[derive(Serialize)]
struct JsonNotCounted {
    contradictory: usize,
    copies: usize,
}

/// The matches of two other players.
#[derive(Serialize)]
struct JsonPair<'a> {
    names: [&'a str; 2],
    /// The results of the first player.
    games: Vec<JsonResults<'a>>,
}

#[derive(Serialize)]
struct JsonAccuracy {
    /// The share of best moves; `null` if too few moves count.
    percent: Option<f64>,
    moves: u32,
    best: u32,
}

#[derive(Serialize)]
struct JsonGame<'a> {
    game: &'a str,
    matches: u32,
    wins: u32,
    winning_streak: u32,
    best_rush: Option<u32>,
    puzzles_solved: usize,
    rating: Option<JsonRating>,
    suggested_level: Option<String>,
    accuracy: JsonAccuracy,
    points_lost: u32,
}

#[derive(Serialize)]
struct JsonRating {
    rating: f64,
    /// With 95 % confidence, the rating is off by at most this much.
    error: f64,
    history: Vec<(Date, f64)>,
}

#[derive(Serialize)]
struct JsonOpponent<'a> {
    name: &'a str,
    games: Vec<JsonResults<'a>>,
}

#[derive(Serialize)]
struct JsonResults<'a> {
    game: &'a str,
    wins: u32,
    draws: u32,
    losses: u32,
}

impl From<Accuracy> for JsonAccuracy {
    fn from(accuracy: Accuracy) -> JsonAccuracy {
        let Accuracy { moves, best, .. } = accuracy;
        JsonAccuracy { percent: accuracy.percent(), moves, best }
    }
}

impl<'a> Json<'a> {
    fn of(statistics: &'a Statistics, counted: &CountedRecords) -> Json<'a> {
        let is_own = |pair: &&Pair| pair.first == statistics.name;
        let (own, others): (Vec<&Pair>, Vec<&Pair>) = statistics.pairs.iter().partition(is_own);
        Json {
            name: &statistics.name,
            daily_streak: statistics.streak,
            best_rush: statistics.best_rush_of_all,
            accuracy: statistics.accuracy().into(),
            games: statistics.games.iter().map(JsonGame::of).collect(),
            against: own.into_iter().map(JsonOpponent::of).collect(),
            others: others.into_iter().map(JsonPair::of).collect(),
            not_counted: JsonNotCounted { contradictory: counted.unsound, copies: counted.copies },
        }
    }
}

impl JsonGame<'_> {
    fn of(game: &GameStatistics) -> JsonGame<'_> {
        let rating = game.strength.as_ref().map(|strength| JsonRating {
            rating: strength.rating,
            error: 2.0 * strength.deviation,
            history: strength.history.clone(),
        });
        JsonGame {
            game: game.entry.id,
            matches: game.matches,
            wins: game.wins,
            winning_streak: game.winning_streak,
            best_rush: game.best_rush,
            puzzles_solved: game.puzzles_solved,
            rating,
            suggested_level: game.suggested_level().map(|level| level.to_string()),
            accuracy: game.accuracy.into(),
            points_lost: game.accuracy.lost,
        }
    }
}

impl JsonOpponent<'_> {
    fn of(pair: &Pair) -> JsonOpponent<'_> {
        JsonOpponent { name: &pair.second, games: results(pair) }
    }
}

impl JsonPair<'_> {
    fn of(pair: &Pair) -> JsonPair<'_> {
        JsonPair { names: [&pair.first, &pair.second], games: results(pair) }
    }
}

fn results(pair: &Pair) -> Vec<JsonResults<'_>> {
    let games = pair.games.iter().map(|(game, [wins, draws, losses])| JsonResults {
        game,
        wins: *wins,
        draws: *draws,
        losses: *losses,
    });
    games.collect()
}
