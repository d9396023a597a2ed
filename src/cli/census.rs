//! `quadrille census`: counting positions.

use super::progress::Progress;
use super::stop_signal::StopSignal;
use super::{game, usage};
use crate::catalogue::Entry;
use crate::rules::Seat;
use crate::search::census::{Census, Count, End, OrderTypes};
use crate::search::{Control, Halt, Limits, NoTableCache, Report};
use crate::session::AnyMatch;
use crate::wording::dashed;
use anyhow::{Context, bail};
use indicatif::HumanCount;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::Instant;

/// Count the different positions that can be reached from the start of a game
///
/// A position is what is on the board and whose turn it is; positions that differ only in their scores are
/// one. They are counted by the least ply at which each is reached, and by result: all of them, and up to
/// symmetry, which is to take those that are turned or mirrored as one (the seats are never exchanged). In
/// join-the-dots two positions are the same up to symmetry if the points left can be relabelled such that lines are on
/// lines and every three points run the same way round, or all of them the other way.
///
/// In a game with scores a board at which it is over can be reached with several of them. There the results
/// count a board once for each.
///
/// What tells positions apart is kept and compared in full, so the counts are exact. Ctrl-C ends it, and
/// so does the limit of memory: then the plies that were counted wholly are printed. The exit status is 1 at the
/// limit, and that of the signal after Ctrl-C.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "quadrille census [OPTIONS] <GAME> [KEY=VALUE]...",
    after_help = AFTER_HELP
)]
pub(super) struct Args {
    /// The game
    #[arg(value_parser = game::parser())]
    game: &'static Entry,
    /// How the game is set up; `quadrille play --help` lists the keys of each
    #[arg(value_name = "KEY=VALUE")]
    setup: Vec<String>,
    /// Instead of one setup all kinds (order types) of N points, for join-the-dots, 3 to 5
    #[arg(long, value_name = "N", conflicts_with = "setup")]
    order_types: Option<u32>,
    /// Mebibytes it may take
    #[arg(long, value_name = "MIB", default_value_t = 2048,
          value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    memory: u64,
    /// A line of JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
JSON: {\"game\",\"setup\",\"complete\",\"positions\",\"classes\",\"plies\":[{\"ply\",\"positions\",\"classes\"}],\
\"unfinished\":{\"positions\",\"classes\"},\"over\":{\"positions\",\"classes\"},\
\"ends\":[{\"winners\",\"scores\",\"positions\",\"classes\"}],\"seconds\",\"memory_mib\"}. \
classes are positions up to symmetry. complete says whether all were counted. winners are seats from 0. With --order-types: \
{\"game\",\"points\",\"kinds\":[positions with all points present],\"with_all\",\"with_fewer\",\"classes\"}.";

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    match args.order_types {
        Some(points) => order_types(args, points, out),
        None => count(args, out),
    }
}

fn order_types(args: &Args, points: u32, out: &mut impl Write) -> anyhow::Result<()> {
    let Some(found) = (args.game.order_types)(points) else {
        let reason = match (args.game.order_types)(3) {
            Some(_) => "must be 3, 4 or 5: the kinds of more points are not known here".to_owned(),
            None => format!("{} is not played on scattered points", args.game.id),
        };
        return Err(usage(format!("--order-types {points}: {reason}")));
    };
    let OrderTypes { with_all: kinds, with_fewer } = found;
    let with_all: u64 = kinds.iter().sum();
    let all = with_all + with_fewer;
    if args.json {
        let (game, classes) = (args.game.id, all);
        let kinds = &kinds;
        let line = OrderTypesLine { game, points, kinds, with_all, with_fewer, classes };
        let line = serde_json::to_string(&line)?;
        writeln!(out, "{line}")?;
        return Ok(());
    }
    let each: Vec<String> = kinds.iter().map(u64::to_string).collect();
    let kinds = match &each[..] {
        [_] => "1 kind".to_owned(),
        all => format!("{} kinds", all.len()),
    };
    writeln!(out, "{}, {kinds} of {points} points, up to relabelling", args.game.name)?;
    writeln!(out, "{with_all:>6}  positions with all points present ({})", each.join(" + "))?;
    writeln!(out, "{with_fewer:>6}  with fewer points, after cycles were closed")?;
    writeln!(out, "{all:>6}  in all")?;
    Ok(())
}

fn count(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let setup = game::setup(args.game, &args.setup)?;
    let start = (args.game.start)(&setup).map_err(usage)?;
    let stop_signal = StopSignal::take().context("signals")?;
    let progress = Progress::new("(Ctrl-C ends it)");
    let begun = Instant::now();
    let limits = Limits { memory: (args.memory as usize) << 20, ..Limits::default() };
    let hear = |report: &Report<String>| {
        progress.say(|| format!("ply {}  {} positions", report.depth, HumanCount(report.nodes)));
    };
    let control = Control::new(stop_signal.flag(), limits, &NoTableCache, &hear);
    let census = (args.game.census)(&setup, &control).map_err(usage)?;
    progress.clear();
    let seconds = begun.elapsed().as_secs_f64();
    if args.json {
        let line = Line::new(&*start, &census, seconds);
        writeln!(out, "{}", serde_json::to_string(&line)?)?;
    } else {
        table(args.game, &*start, &census, out)?;
        writeln!(out, "{seconds:.2} s, {:.0} MiB", mib(&census))?;
    }
    // What was counted must be out before anything else is said, or this process ends.
    out.flush()?;
    stop_signal.pass_on()?;
    let (id, mib) = (args.game.id, args.memory);
    let ply = census.plies.len();
    let found = census.total().positions;
    let at = match ply {
        0 => "at the start".to_owned(),
        _ => format!("at ply {ply}: {} up to ply {}", amount(found), ply - 1),
    };
    match census.halt {
        None => Ok(()),
        Some(Halt::Memory) => bail!("{id}: more than {mib} MiB {at}; --memory allows more"),
        Some(Halt::Refused) => bail!("{id}: the system gives no more memory {at}"),
        Some(Halt::Stopped | Halt::Time) => bail!("{id}: stopped {at}"),
    }
}

fn amount(positions: u64) -> String {
    let noun = if positions == 1 { "position" } else { "positions" };
    format!("{} {noun}", HumanCount(positions))
}

/// The counts, for people.
fn table(
    entry: &Entry,
    start: &dyn AnyMatch,
    census: &Census,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let seats = start.seats();
    let mut rows = vec![Row::head("ply")];
    let plies = census.plies.iter().zip(0..);
    rows.extend(plies.map(|(&count, ply): (_, u32)| Row::new(ply.to_string(), count)));
    let all = if census.halt.is_none() { "all" } else { "up to there" };
    rows.push(Row::new(all.to_owned(), census.total()));
    rows.push(Row::gap());
    let scored = census.ends.keys().any(|end| end.scores.is_some());
    rows.push(Row::new("unfinished".to_owned(), census.unfinished));
    if scored {
        rows.push(Row::new("over".to_owned(), census.over()));
        rows.push(Row::gap());
        rows.push(Row::head("over, with scores"));
    }
    let mut results: BTreeMap<&[Seat], Count> = BTreeMap::new();
    for (end, &count) in &census.ends {
        *results.entry(&end.winners).or_default() += count;
    }
    // Who wins alone comes first, and a draw last.
    let mut results: Vec<_> = results.into_iter().collect();
    results.sort_by_key(|(winners, _)| winners.len());
    for (winners, count) in results {
        rows.push(Row::new(result(winners, usize::from(seats)), count));
        let ends = census.ends.iter().filter(|(end, _)| end.winners == winners);
        for (End { scores, .. }, &count) in ends {
            let Some(scores) = scores else { continue };
            rows.push(Row::new(format!("  {}", dashed(scores)), count));
        }
    }
    writeln!(out, "{}", game::title(entry, &start.setup().to_string()))?;
    let widths = [0, 1, 2].map(|column| {
        rows.iter().map(|row| row.0[column].chars().count()).max().unwrap_or_default()
    });
    let [first, second, third] = widths;
    for Row([name, positions, classes]) in rows {
        let line = format!("{name:<first$}  {positions:>second$}  {classes:>third$}");
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

struct Row([String; 3]);

impl Row {
    fn new(name: String, Count { positions, classes }: Count) -> Row {
        Row([name, positions.to_string(), classes.to_string()])
    }

    fn head(name: &str) -> Row {
        Row([name, "positions", "up to symmetry"].map(str::to_owned))
    }

    fn gap() -> Row {
        Row([const { String::new() }; 3])
    }
}

fn result(winners: &[Seat], seats: usize) -> String {
    match winners {
        [] => "nobody wins".to_owned(),
        [seat] => format!("seat {seat} wins"),
        all if all.len() == seats => "a draw".to_owned(),
        some => {
            let seats: Vec<String> = some.iter().map(Seat::to_string).collect();
            format!("seats {} share", seats.join(" and "))
        }
    }
}

/// The counts as a line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    game: &'static str,
    setup: String,
    complete: bool,
    #[serde(flatten)]
    all: Count,
    plies: Vec<PlyLine>,
    unfinished: Count,
    over: Count,
    ends: Vec<EndLine<'a>>,
    seconds: f64,
    memory_mib: f64,
}

#[derive(Serialize)]
struct PlyLine {
    ply: usize,
    #[serde(flatten)]
    count: Count,
}

#[derive(Serialize)]
struct EndLine<'a> {
    winners: Vec<usize>,
    scores: &'a Option<Vec<u32>>,
    #[serde(flatten)]
    count: Count,
}

impl<'a> Line<'a> {
    fn new(start: &dyn AnyMatch, census: &'a Census, seconds: f64) -> Line<'a> {
        let plies = census.plies.iter().enumerate().map(|(ply, &count)| PlyLine { ply, count });
        let ends = census.ends.iter().map(|(End { winners, scores }, &count)| {
            let winners = winners.iter().map(|seat| seat.index()).collect();
            EndLine { winners, scores, count }
        });
        Line {
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

/// The counts of all kinds of points as a line of JSON.
#[derive(Serialize)]
struct OrderTypesLine<'a> {
    game: &'static str,
    points: u32,
    kinds: &'a [u64],
    with_all: u64,
    with_fewer: u64,
    classes: u64,
}
