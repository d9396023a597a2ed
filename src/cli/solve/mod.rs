//! `quadrille solve`: finds exact values of positions.
//!
//! If several positions of a line are solved, the search begins at the line's end, where positions are easy and fill
//! the tables for earlier positions. A signal stops the search; proven results are printed before the signal takes
//! effect.

mod text;

use super::plies::Plies;
use super::{NO_THREAD, game, unless_closed, usage, with_source_term};
use crate::cli::progress::ProgressLine;
use anyhow::{Context, anyhow, bail};
use indicatif::HumanCount;
use quadrille_match::session::{BadMove, Match, read_typed};
use quadrille_search::{Control, Fill, Limits, Report, Scope, StopReason, TableCache};
use quadrille_system::read;
use quadrille_system::stop_signal::StopSignal;
use quadrille_table::catalogue::{self, GameEntry};
use quadrille_table::engine;
use quadrille_table::engine::{AnyEngine, Evaluation, ValueFormat, review};
use quadrille_table::record_reader::{self, NamedRecordError, RecordFileError};
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// Solve a position: its exact value and best line
///
/// The position comes from a game and moves, or from a record. Its value is for the seat to move. In a game with
/// scores, the value is the final margin: the seat's points minus those of the best other seat. In a game without
/// scores, it is a win, draw or loss, with the number of plies. Agreed draws are ignored.
///
/// The search runs until everything is proven, time is up or you press Ctrl-C, and prints what it has proven. Of
/// several positions, the last (the easiest) is solved first; all are printed at the end. The exit status is 0 if
/// everything requested is proven and 1 if not; after Ctrl-C it is that of the signal. In intersections with three or
/// more seats, proving the value of the round is enough.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "quadrille solve [OPTIONS] <GAME> [KEY=VALUE]...\n       \
                      quadrille solve [OPTIONS] <FILE>",
    after_help = AFTER_HELP
)]
pub(super) struct SolveArgs {
    /// A game, or a file with a record or a dots-and-boxes game as trmph text; - is stdin. For a file named like a
    /// game, write ./quixo
    #[arg(value_name = "GAME|FILE")]
    what: PathBuf,
    /// Setup options; see `quadrille play --help`
    #[arg(value_name = "KEY=VALUE")]
    setup: Vec<String>,
    /// Moves from the start, separated by spaces
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,
    #[command(flatten)]
    plies: Plies,
    /// Also solve every legal move, to find all best moves
    #[arg(long)]
    moves_values: bool,
    /// Time limit per position in seconds; the default is no limit
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// Memory for tables in MiB
    #[arg(long, value_name = "MIB", default_value_t = 1024,
          value_parser = clap::value_parser!(u64).range(1..=1 << 24))]
    memory: u64,
    /// Number of search threads; the default is one per core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
    /// Print one line of JSON per position
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Values as text: +2, = and -3 are exact margins; W7 is a win in 7 plies, L8 a loss in 8, and = \
a draw; -3..+1 are proven bounds, ~+1.5 is an estimate, and . is not known. They are for the seat to move. In intersections \
the values of moves are what this round brings: +4 if the offense moves and scores 4, -4 if another seat moves. A line that ends in … stops \
before the end of the game. --every prints the main line as a table, with values for the seat that moved: ? marks a proven mistake, and ?! a doubtful move.

JSON: {\"game\", \"setup\", \"ply\", \"turn\", \"kind\": \"exact\"|\"bounds\"|\"estimate\", \"value\", \
\"lower\", \"upper\", \"estimate\", \"outcome\": \"win\"|\"draw\"|\"loss\"|null, \"plies\", \"round_value\", \"best\", \"pv\", \
\"complete\", \"moves\": [{\"move\", \"value\", \"lower\", \"upper\", \"estimate\", \"outcome\", \"plies\", \
\"round_value\", \"round_estimate\", \"line\"}], \"nodes\", \"seconds\", \"table_mib\"}. \
turn is the seat to move, from 0; when the game is over it is null, and value and outcome are those for seat 0. \
value is the exact margin, or null; lower and upper are its proven bounds. In a game without scores they are the \
outcome: 1, 0 or -1. estimate is what is likely, and null where the value is proven or nothing is known. plies is the number of plies to the win or the loss, in games where it matters. \
round_value is the number of dots that the offense scores this round, in intersections, whoever is to move; round_estimate what is likely. complete says whether \
pv, a line of best moves, leads to the end of the game. moves has every \
legal move with --moves-values, and is empty without; line is a line of best moves that begins with the move, as far as it is known.";

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| "must be a number of seconds, such as 60 or 0.5".to_owned())
}

pub(super) fn run(args: &SolveArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let SolveTarget { entry, mut game, name } = args.open()?;
    // Agreed draws and resignations do not affect the position's value.
    game.reopen();
    let plies = args.plies.of(game.ply(), &name)?;
    let progress = ProgressLine::new(match args.time {
        Some(_) => "Ctrl-C ends it",
        None => "until proven (Ctrl-C ends it)",
    });
    let mut run = SolveRun {
        engine: (entry.engine)(),
        table_cache: engine::table_cache(),
        scope: if args.moves_values { Scope::Moves } else { Scope::Best },
        limits: args.limits(),
        time: args.time,
        stop_signal: StopSignal::listen().context(NO_THREAD)?,
        progress,
    };
    let mut evaluations = run.along(&mut game, plies).with_context(|| name.clone())?;
    run.progress.clear();

    let open = evaluations.iter().filter(|evaluation| !evaluation.is_proven(args.moves_values));
    let open: Vec<Option<StopReason>> = open.map(|evaluation| evaluation.report.halt).collect();
    let mut print = || {
        if args.json {
            for evaluation in &mut evaluations {
                if !args.moves_values {
                    evaluation.report.moves.clear();
                }
                writeln!(out, "{evaluation}")?;
            }
        } else if let [evaluation] = &evaluations[..] {
            write!(out, "{}", text::position(entry, evaluation, args.moves_values))?;
        } else {
            let reviewed = review(&evaluations, game.moves());
            write!(out, "{}", text::table(entry, &evaluations, &reviewed))?;
        }
        Ok(out.flush()?)
    };
    // Print the values before an error is returned or the signal ends this process.
    unless_closed(print())?;
    run.stop_signal.reraise()?;
    let of = match evaluations.len() {
        1 => String::new(),
        all => format!("{} of {all} positions ", open.len()),
    };
    match open.last() {
        None => Ok(()),
        Some(Some(StopReason::Time)) => bail!("{name}: {of}not proven: time is up"),
        Some(Some(StopReason::MemoryLimit)) => bail!("{name}: {of}not proven: needs more memory"),
        Some(Some(StopReason::OutOfMemory)) => {
            bail!("{name}: {of}not proven: out of memory; try a smaller --memory")
        }
        Some(Some(StopReason::Stopped)) => bail!("{name}: {of}not proven: stopped"),
        Some(None) => bail!("{name}: {of}not proven: the engine cannot search further"),
    }
}

/// The match to solve, which is at the end of its main line.
struct SolveTarget {
    entry: &'static GameEntry,
    game: Match,
    /// The name of the game or the file, for messages.
    name: String,
}

impl SolveArgs {
    fn open(&self) -> anyhow::Result<SolveTarget> {
        if let Some(entry) = self.game() {
            let (_, mut game) = game::start(entry, &self.setup)?;
            play(&mut game, self.moves.as_deref().unwrap_or_default())?;
            return Ok(SolveTarget { entry, game, name: entry.id.to_owned() });
        }
        let name = read::name(&self.what).to_string();
        if let Some(word) = self.setup.first() {
            return Err(usage(format!(
                "{word}: {name} is not a game, and a file contains its own setup"
            )));
        }
        if self.moves.is_some() {
            return Err(usage(format!(
                "--moves: {name} is not a game, and a file contains its own moves"
            )));
        }
        let opened =
            record_reader::open(&self.what).map_err(|error| nor_a_game(error, &self.what))?;
        Ok(SolveTarget { entry: opened.entry, game: opened.game, name })
    }

    /// Returns the game that the user named. An existing file takes precedence over the short form of a game's name.
    fn game(&self) -> Option<&'static GameEntry> {
        let name = self.what.to_str()?;
        let short = || catalogue::named(name).ok().filter(|_| !self.what.exists());
        catalogue::find(name).or_else(short)
    }

    fn limits(&self) -> Limits {
        let threads = self.threads.map(|threads| threads as usize);
        Limits {
            memory: (self.memory as usize) << 20,
            threads: threads.unwrap_or_else(|| available_parallelism().map_or(1, Into::into)),
            ..Limits::default()
        }
    }
}

/// If a file is missing and its name may be a misspelled game, adds the list of games to the error.
fn nor_a_game(error: NamedRecordError, path: &Path) -> anyhow::Error {
    let is_missing = matches!(
        &*error.cause,
        RecordFileError::Io(why) if why.kind() == io::ErrorKind::NotFound
    );
    let error = anyhow::Error::from(error);
    let word = path.to_str().filter(|word| word.chars().all(|c| c.is_alphanumeric() || c == '-'));
    match word {
        Some(_) if is_missing => {
            let games = catalogue::GAMES.map(|entry| entry.id).join(", ");
            anyhow!("{error:#}; the games are {games}")
        }
        _ => error,
    }
}

/// Plays moves that are separated by spaces.
fn play(game: &mut Match, moves: &str) -> anyhow::Result<()> {
    for (text, number) in moves.split_whitespace().zip(1..) {
        let played = read_typed(game, text).and_then(|mv| game.play(&mv));
        if let Err(refusal) = played {
            let term = refusal.source_term();
            let bad = BadMove { number, text: text.to_owned(), variation: None, refusal };
            bail!("--moves: {}", with_source_term(bad, term));
        }
    }
    Ok(())
}

/// An engine with the state of a `solve` run.
struct SolveRun {
    engine: Box<dyn AnyEngine>,
    table_cache: Arc<dyn TableCache + Send>,
    scope: Scope,
    limits: Limits,
    time: Option<Duration>,
    stop_signal: StopSignal,
    progress: ProgressLine,
}

impl SolveRun {
    /// Evaluates positions of the main line and returns the results in order. The last position is solved first, since
    /// it is the easiest and fills the tables for the previous positions.
    fn along(
        &mut self,
        game: &mut Match,
        plies: RangeInclusive<usize>,
    ) -> anyhow::Result<Vec<Evaluation>> {
        let last = *plies.end();
        let several = plies.start() < plies.end();
        let mut evaluations = Vec::new();
        for ply in plies.rev() {
            game.go_to_ply(ply);
            let place = || format!("ply {ply} of {last}");
            self.progress.set_place(several.then(place).unwrap_or_default());
            evaluations.push(self.evaluate(game)?);
        }
        game.go_to_ply(last);
        evaluations.reverse();
        Ok(evaluations)
    }

    fn evaluate(&mut self, game: &Match) -> anyhow::Result<Evaluation> {
        if game.to_move().is_none() {
            return Ok(Evaluation::of(game, Report::default(), Duration::ZERO));
        }
        let begun = Instant::now();
        let mut report = if self.stop_signal.has_come() {
            Report { halt: Some(StopReason::Stopped), ..Report::default() }
        } else {
            let deadline = self.time.and_then(|time| begun.checked_add(time));
            let limits = Limits { deadline, ..self.limits };
            let value_format = ValueFormat::of(game);
            let on_report =
                |report: &Report<String>| self.progress.report(|| known(report, value_format));
            let control =
                Control::new(self.stop_signal.flag(), limits, &*self.table_cache, &on_report);
            self.engine.analyse(game.now(), self.scope, &control)?
        };
        let time = begun.elapsed();
        if self.scope == Scope::Moves {
            report.complete(game.legal_moves());
        }
        Ok(Evaluation::of(game, report, time))
    }
}

/// Summarizes a report for the progress line.
fn known(report: &Report<String>, value_format: ValueFormat) -> String {
    let Report { depth, value, moves_decided, nodes, fill, .. } = report;
    let parts = [
        (*depth > 0).then(|| format!("depth {depth}")),
        Some(value_format.write(*value)),
        moves_decided.map(|(decided, all)| format!("{decided} of {all} moves decided")),
        Some(format!("{} nodes", HumanCount(*nodes))),
        fill.map(table),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join("  ")
}

/// Describes how full the engine's table is.
fn table(Fill { share, is_evicting: forgets }: Fill) -> String {
    let forgets = if forgets { ", forgets" } else { "" };
    format!("table {:.0} % full{forgets}", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_parser_rejects_negative_and_invalid_numbers() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(seconds("0"), Ok(Duration::ZERO));
        for bad in ["", "-1", "1s", "inf", "nan", "1e99"] {
            assert!(seconds(bad).is_err(), "{bad}");
        }
    }
}
