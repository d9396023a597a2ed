//! `quadrille census`: counts positions.

use super::progress::ProgressLine;
use super::{NO_THREAD, game, in_columns, result, unless_closed, usage, wrong_setup};
use anyhow::{Context, bail};
use indicatif::HumanCount;
use quadrille_match::session::Match;
use quadrille_rules::{Scores, Seat};
use quadrille_search::census::{Census, Count, End, OrderTypeCount};
use quadrille_search::{Control, Limits, NoTableCache, Report, StopReason};
use quadrille_system::stop_signal::StopSignal;
use quadrille_table::catalogue::GameEntry;
use quadrille_text::wording::{counted, dashed};
use serde::Serialize;
use std::array;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Instant;

/// Count the distinct positions reachable from the start of a game
///
/// A position is the board and the seat to move, without scores. Positions are counted by the minimum number of plies
/// to reach them, and by result. Every count is given twice: for all positions, and up to symmetry, where rotations
/// and mirror images count once (seats are never exchanged). In join-the-dots, two positions are equal up to symmetry
/// if a renumbering of the points maps the lines onto each other and preserves the orientation of all triples, or
/// reverses all of them.
///
/// In a game with scores, the same final board may be reached with different scores. The results table counts it once
/// per score.
///
/// Counts are exact: positions are compared in full, not by hash. At the memory limit or after Ctrl-C, the completed
/// plies are printed and the exit status is 1 or that of the signal.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "quadrille census [OPTIONS] <GAME> [KEY=VALUE]...",
    after_help = AFTER_HELP
)]
pub(super) struct CensusArgs {
    /// The game
    #[arg(value_parser = game::parser())]
    game: &'static GameEntry,
    /// Setup options; see `quadrille play --help`
    #[arg(value_name = "KEY=VALUE")]
    setup: Vec<String>,
    /// Count for all order types of N points instead of one setup; join-the-dots only, N from 3 to 7 (7 takes a
    /// minute)
    #[arg(long, value_name = "N", conflicts_with = "setup")]
    order_types: Option<u32>,
    /// Memory limit in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2048,
          value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    memory: u64,
    /// Print a line of JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
JSON: {\"game\", \"setup\", \"complete\", \"positions\", \"classes\", \"plies\": [{\"ply\", \"positions\", \"classes\"}], \
\"unfinished\": {\"positions\", \"classes\"}, \"over\": {\"positions\", \"classes\"}, \
\"ends\": [{\"winners\", \"scores\", \"positions\", \"classes\"}], \"seconds\", \"memory_mib\"}. \
classes are positions up to symmetry. complete says whether all were counted. winners are seats from 0. With --order-types: \
{\"game\", \"points\", \"kinds\": [positions with all points present], \"with_all\", \"with_fewer\", \"classes\", \
\"by_crossings\": {\"kinds\", \"with_all\", \"with_fewer\", \"classes\"}}; by_crossings counts positions in which the same lines cross as one.";

pub(super) fn run(args: &CensusArgs, out: &mut impl Write) -> anyhow::Result<()> {
    match args.order_types {
        Some(points) => order_types(args, points, out),
        None => count(args, out),
    }
}

fn order_types(args: &CensusArgs, points: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let Some(found) = (args.game.order_types)(points) else {
        let reason = match (args.game.order_types)(3) {
            Some(_) => "must be a number of points from 3 to 7".to_owned(),
            None => format!("{} has no order types", args.game.id),
        };
        return Err(usage(format!("--order-types {points}: {reason}")));
    };
    if args.json {
        let line = OrderTypesJson {
            game: args.game.id,
            points,
            by_turns: OrderTypeJson::new(&found.by_turns),
            by_crossings: OrderTypeJson::new(&found.by_crossings),
        };
        writeln!(out, "{}", serde_json::to_string(&line)?)?;
        return Ok(());
    }
    let kinds = counted(found.by_turns.with_all.len(), "kind", "kinds");
    writeln!(out, "{}, {kinds} of {points} points, up to relabeling", args.game.name)?;
    write_kinds(&found.by_turns, out)?;
    writeln!(out, "if only the crossings count, and not which way round points run:")?;
    write_kinds(&found.by_crossings, out)
}

fn write_kinds(count: &OrderTypeCount, out: &mut impl Write) -> anyhow::Result<()> {
    /// The maximum number of counts in a line.
    const MAX_COUNTS: usize = 16;
    let OrderTypeJson { kinds, with_all, with_fewer, classes } = OrderTypeJson::new(count);
    let each: Vec<String> = kinds.iter().map(u64::to_string).collect();
    let each =
        if each.len() <= MAX_COUNTS { format!(" ({})", each.join(" + ")) } else { String::new() };
    writeln!(out, "{with_all:>6}  positions with all points present{each}")?;
    writeln!(out, "{with_fewer:>6}  with fewer points, after cycles were closed")?;
    writeln!(out, "{classes:>6}  in all")?;
    Ok(())
}

fn count(args: &CensusArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let (setup, start) = game::start(args.game, &args.setup)?;
    let stop_signal = StopSignal::listen().context(NO_THREAD)?;
    let progress = ProgressLine::new("(Ctrl-C ends it)");
    let begun = Instant::now();
    let limits = Limits { memory: (args.memory as usize) << 20, ..Limits::default() };
    let on_report = |report: &Report<String>| {
        progress.report(|| format!("ply {}  {} positions", report.depth, HumanCount(report.nodes)));
    };
    let control = Control::new(stop_signal.flag(), limits, &NoTableCache, &on_report);
    let census = (args.game.census)(&setup, &control).map_err(wrong_setup)?;
    progress.clear();
    let seconds = begun.elapsed().as_secs_f64();
    let mut print = || {
        if args.json {
            let line = CensusJson::new(&start, &census, seconds);
            writeln!(out, "{}", serde_json::to_string(&line)?)?;
        } else {
            table(args.game, &start, &census, out)?;
            writeln!(out, "{seconds:.2} s, {:.0} MiB", mib(&census))?;
        }
        Ok(out.flush()?)
    };
    // Print the counts before an error is returned or the signal ends this process.
    unless_closed(print())?;
    stop_signal.reraise()?;
    let (id, mib) = (args.game.id, args.memory);
    let ply = census.plies.len();
    let found = census.total().positions;
    let at = match ply {
        0 => "at the start".to_owned(),
        _ => format!("at ply {ply}: {} up to ply {}", amount(found), ply - 1),
    };
    match census.halt {
        None => Ok(()),
        Some(StopReason::MemoryLimit) => bail!("{id}: exceeds {mib} MiB {at}; raise --memory"),
        Some(StopReason::OutOfMemory) => bail!("{id}: out of memory {at}"),
        Some(StopReason::Stopped | StopReason::Time) => bail!("{id}: stopped {at}"),
    }
}

fn amount(positions: u64) -> String {
    let noun = if positions == 1 { "position" } else { "positions" };
    format!("{} {noun}", HumanCount(positions))
}

/// Formats the counts as a table.
fn table(
    entry: &GameEntry,
    start: &Match,
    census: &Census,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let head = |name: &str| [name, "positions", "up to symmetry"].map(str::to_owned);
    let row = |name: &str, count: Count| {
        [name.to_owned(), count.positions.to_string(), count.classes.to_string()]
    };
    let gap = || array::from_fn(|_| String::new());
    let mut rows = vec![head("ply")];
    rows.extend(
        census.plies.iter().zip(0..).map(|(count, ply): (_, u32)| row(&ply.to_string(), *count)),
    );
    let all = if census.halt.is_none() { "all" } else { "up to there" };
    rows.extend([row(all, census.total()), gap(), row("unfinished", census.unfinished)]);
    if census.ends.keys().any(|end| end.scores.is_some()) {
        rows.extend([row("over", census.over()), gap(), head("over, with scores")]);
    }
    let mut results: BTreeMap<&[Seat], Count> = BTreeMap::new();
    for (end, &count) in &census.ends {
        *results.entry(&end.winners).or_default() += count;
    }
    // Sort the wins by seat and put a draw last.
    let mut results: Vec<_> = results.into_iter().collect();
    results.sort_by_key(|(winners, _)| winners.len());
    for (winners, count) in results {
        let seats: Vec<usize> = winners.iter().map(|seat| seat.index()).collect();
        rows.push(row(&result(&seats, start.seats()), count));
        let ends = census.ends.iter().filter(|(end, _)| end.winners == winners);
        for (end, &count) in ends {
            rows.extend(
                end.scores.as_ref().map(|scores| row(&format!("  {}", dashed(scores)), count)),
            );
        }
    }
    writeln!(out, "{}", game::title(entry, &start.setup().to_string()))?;
    write!(out, "{}", in_columns(&rows, &[1, 2]))?;
    Ok(())
}

/// The counts as a line of JSON.
#[derive(Serialize)]
struct CensusJson<'a> {
    game: &'static str,
    setup: String,
    complete: bool,
    #[serde(flatten)]
    all: Count,
    plies: Vec<PlyJson>,
    unfinished: Count,
    over: Count,
    ends: Vec<EndJson<'a>>,
    seconds: f64,
    memory_mib: f64,
}

#[derive(Serialize)]
struct PlyJson {
    ply: usize,
    #[serde(flatten)]
    count: Count,
}

#[derive(Serialize)]
struct EndJson<'a> {
    winners: Vec<usize>,
    scores: &'a Option<Scores>,
    #[serde(flatten)]
    count: Count,
}

impl<'a> CensusJson<'a> {
    fn new(start: &Match, census: &'a Census, seconds: f64) -> CensusJson<'a> {
        let plies = census.plies.iter().enumerate().map(|(ply, &count)| PlyJson { ply, count });
        let ends = census.ends.iter().map(|(End { winners, scores }, &count)| {
            let winners = winners.iter().map(|seat| seat.index()).collect();
            EndJson { winners, scores, count }
        });
        CensusJson {
            game: start.id(),
            setup: start.setup().to_string(),
            complete: census.halt.is_none(),
            all: census.total(),
            plies: plies.collect(),
            unfinished: census.unfinished,
            over: census.over(),
            ends: ends.collect(),
            seconds: (seconds * 1000.0).round() / 1000.0,
            memory_mib: (mib(census) * 10.0).round() / 10.0,
        }
    }
}

fn mib(census: &Census) -> f64 {
    census.bytes as f64 / f64::from(1 << 20)
}

/// The counts of all order types as a line of JSON.
#[derive(Serialize)]
struct OrderTypesJson<'a> {
    game: &'static str,
    points: u32,
    #[serde(flatten)]
    by_turns: OrderTypeJson<'a>,
    by_crossings: OrderTypeJson<'a>,
}

#[derive(Serialize)]
struct OrderTypeJson<'a> {
    kinds: &'a [u64],
    with_all: u64,
    with_fewer: u64,
    classes: u64,
}

impl<'a> OrderTypeJson<'a> {
    fn new(OrderTypeCount { with_all: kinds, with_fewer }: &'a OrderTypeCount) -> Self {
        let (with_all, with_fewer) = (kinds.iter().sum(), *with_fewer);
        OrderTypeJson { kinds, with_all, with_fewer, classes: with_all + with_fewer }
    }
}
