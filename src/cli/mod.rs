//! The command line: one file per subcommand.
//!
//! An error is one line on stderr. The exit status is 2 for invalid arguments, and 1 for a bad file, an illegal move,
//! or an unproven value; `turns`, whose status 1 means that nothing waits, exits with 2 after any error. If the reader closes a pipe, a command that only prints exits with 0; any other command exits
//! with the status of its work.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "runs commands")]

mod census;
mod completions;
mod compliance;
mod config;
mod display_args;
mod engine;
mod game;
mod health;
mod join;
mod judge;
mod learn;
mod lobby;
mod man;
mod perft;
mod play;
mod plies;
mod progress;
mod puzzle;
mod replay;
mod resume;
mod rules;
mod seating;
mod show;
mod solve;
mod statistics;
mod supervise;
mod table;
mod tables;
mod tournament;
mod turns;

use display_args::DisplayArgs;
use supervise::SuperviseArgs;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory, Parser, Subcommand};
use quadrille_rules::SetupError;
use quadrille_system::signals::disregard_size_limit;
use quadrille_system::{CAN_HOST_TABLES, handle};
use quadrille_text::wording::list;
use std::array;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

/// Pencil-and-paper and dice games in a terminal
///
/// Without a command, the home screen opens.
#[derive(Debug, Parser)]
#[command(
    name = "quadrille",
    bin_name = "quadrille",
    version,
    long_version = LONG_VERSION,
    after_help = game::list(),
    max_term_width = MAX_HELP_WIDTH
)]
struct Cli {
    #[command(subcommand)]
    command: Option<CliCommand>,
    #[command(flatten)]
    display_args: DisplayArgs,
}

#[derive(Debug, Subcommand)]
enum CliCommand {
    Play(play::PlayArgs),
    Show(show::ShowArgs),
    Solve(solve::SolveArgs),
    /// Resume the latest match
    ///
    /// A match with a guest reopens its table, so that the guest can return. If the table is still open, you return
    /// to it as its host.
    Resume,
    Join(join::JoinArgs),
    Lobby(lobby::LobbyArgs),
    Tables(tables::TablesArgs),
    Turns(turns::TurnsArgs),
    Table(table::TableArgs),
    Replay(replay::ReplayArgs),
    Learn(learn::LearnArgs),
    /// Print the settings and the path of their file
    ///
    /// The output is a complete settings file. Default keys are commented out.
    Config,
    /// Print what is known about the terminal, for bug reports
    ///
    /// Asks the terminal for its version and its protocols, unless the output goes to a pipe. An answer that takes
    /// longer than half a second counts as none. Writes no files.
    Health,
    Rules(rules::RulesArgs),
    Puzzle(puzzle::PuzzleArgs),
    Statistics(statistics::StatisticsArgs),
    Judge(judge::JudgeArgs),
    Perft(perft::PerftArgs),
    Census(census::CensusArgs),
    /// Run as a UGI engine on stdin and stdout
    ///
    /// UGI is the Universal Game Interface, used by cutegames and other match runners. Type ugi to list the options.
    /// The engine exits on quit or at end of input.
    Engine,
    Compliance(compliance::ComplianceArgs),
    Tournament(tournament::TournamentArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// The maximum width of the help in columns. A narrower terminal wraps the help at its own width.
const MAX_HELP_WIDTH: usize = 100;

/// The output of `--version`; `-V` prints only the first word. The first line is meant for programs.
const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\nprofile: ",
    env!("QUADRILLE_PROFILE"),
    "\nfeatures: ",
    env!("QUADRILLE_FEATURES"),
);

/// Parses a value from a list, or a different value that `parse` accepts. Help and completion scripts show only the
/// list. The error suggests similar values.
#[derive(Clone)]
struct OpenList<T> {
    values: Vec<PossibleValue>,
    parse: fn(&str) -> Result<T, Vec<&'static str>>,
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for OpenList<T> {
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        let text = StringValueParser::new().parse_ref(command, arg, value)?;
        (self.parse)(&text).map_err(|meant| {
            let refused = PossibleValuesParser::new(meant).parse_ref(command, arg, value);
            refused.err().unwrap_or_else(|| clap::Error::new(ErrorKind::InvalidValue))
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.values.iter().cloned()))
    }
}

/// Formats rows as aligned columns. Columns whose index is in `right` are right-aligned.
fn in_columns<const N: usize>(rows: &[[String; N]], right: &[usize]) -> String {
    let width =
        |column: usize| rows.iter().map(|row: &[String; N]| row[column].chars().count()).max();
    let widths: [_; N] = array::from_fn(|column| width(column).unwrap_or_default());
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).enumerate().map(|(column, (cell, width))| {
            if right.contains(&column) {
                format!("{cell:>width$}")
            } else {
                format!("{cell:<width$}")
            }
        });
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

/// Formats the winners among this number of seats: `seat 1 wins`.
fn result(winners: &[usize], seats: u8) -> String {
    match winners {
        [] => "nobody wins".to_owned(),
        [seat] => format!("seat {} wins", seat + 1),
        all if all.len() == usize::from(seats) => "a draw".to_owned(),
        some => format!("seats {} share the win", list(some.iter().map(|seat| seat + 1))),
    }
}

const NO_THREAD: &str = "cannot start a thread";

/// Invalid arguments.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Usage(String);

/// An error of a command whose exit status 1 has a meaning of its own.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Failure(String);

fn usage(reason: impl fmt::Display) -> anyhow::Error {
    Usage(reason.to_string()).into()
}

fn wrong_setup(error: SetupError) -> anyhow::Error {
    let term = error.source_term();
    usage(with_source_term(error, term))
}

/// Adds the term of the rules' source in brackets, for players who know the game from there.
fn with_source_term(error: impl fmt::Display, term: Option<&str>) -> String {
    term.map_or_else(|| error.to_string(), |term| format!("{error} ({term})"))
}

pub fn run() -> anyhow::Result<ExitCode> {
    disregard_size_limit()?;
    // Do not lock stdout: while the screens run, a panic in any thread must be able to write to it.
    let mut out = BufWriter::new(io::stdout());
    let args = arguments();
    let parsed = match args.get(1) {
        // Not a command for users, so help, man pages and completions must not list it.
        Some(word) if word == supervise::NAME => {
            SuperviseArgs::try_parse_from(&args[1..]).map(|args| {
                supervise::run(args);
                Ok(ExitCode::SUCCESS)
            })
        }
        _ => Cli::try_parse_from(args).map(|cli| execute(cli, &mut out)),
    };
    let done = match parsed {
        Ok(done) => done,
        Err(error) if error.kind() == ErrorKind::InvalidUtf8 => Err(usage(not_utf8())),
        Err(error) if error.use_stderr() => Err(usage(one_line(&error))),
        Err(help) => help.print().map(|()| ExitCode::SUCCESS).map_err(Into::into),
    };
    let done = done.and_then(|code| Ok(out.flush().map(|()| code)?));
    // An error without context came from writing to stdout, because all other errors have a context.
    match done.map_err(|error| (error.chain().len(), error)) {
        Ok(code) => Ok(code),
        Err((1, error)) if is_closed_pipe(&error) => Ok(ExitCode::SUCCESS),
        Err((1, error)) if error.is::<io::Error>() => Err(error.context("stdout")),
        Err((_, error)) => Err(error),
    }
}

/// Returns the arguments, without `--help` after the subcommand `help`, where clap expects only commands.
fn arguments() -> Vec<OsString> {
    let mut args: Vec<OsString> = env::args_os().collect();
    let Some(at) = args.iter().position(|word| word == "help") else { return args };
    let inner = |command: Command, word| command.find_subcommand(word).cloned();
    let group = args[1..at].iter().try_fold(Cli::command(), inner);
    if group.is_some_and(|group| group.has_subcommands()) {
        args.retain(|word| word != "--help" && word != "-h");
    }
    args
}

fn execute(cli: Cli, out: &mut impl Write) -> anyhow::Result<ExitCode> {
    let Cli { command, display_args } = cli;
    let Some(command) = command else {
        return play::home(&display_args).map(|()| ExitCode::SUCCESS);
    };
    if display_args.plain && !command.shows_screens() {
        return Err(usage(
            "--plain: only the home screen, play, resume, join, lobby, learn, puzzle, replay and tournament have a text mode",
        ));
    }
    if let Some(name) = command.table_command() {
        need_tables(name)?;
    }
    let done = match command {
        CliCommand::Turns(args) => return turns::run(&args, out),
        CliCommand::Play(args) => play::run(args, &display_args),
        CliCommand::Resume => resume::run(&display_args),
        CliCommand::Join(args) => join::run(&args, &display_args),
        CliCommand::Puzzle(args) => puzzle::run(args, &display_args, out),
        CliCommand::Statistics(args) => statistics::run(&args, &display_args, out),
        CliCommand::Lobby(args) => lobby::run(args, &display_args),
        CliCommand::Learn(args) => learn::run(&args, &display_args, out),
        CliCommand::Tables(args) => tables::run(&args, out),
        CliCommand::Table(args) => table::run(args, &display_args),
        CliCommand::Show(args) => show::run(&args, &display_args, out),
        CliCommand::Solve(args) => solve::run(&args, out),
        CliCommand::Replay(args) => replay::run(&args, &display_args),
        CliCommand::Config => config::run(&display_args, out),
        CliCommand::Health => health::run(&display_args, out),
        CliCommand::Rules(args) => rules::run(&args, out),
        CliCommand::Judge(args) => judge::run(&args, out),
        CliCommand::Perft(args) => perft::run(&args, out),
        CliCommand::Census(args) => census::run(&args, out),
        CliCommand::Engine => engine::run(out),
        CliCommand::Compliance(args) => compliance::run(args, out),
        CliCommand::Tournament(args) => tournament::run(args, &display_args, out),
        CliCommand::Completions(args) => completions::run(&args, Cli::command(), out),
        CliCommand::Man(args) => man::run(&args, Cli::command(), out),
    };
    done.map(|()| ExitCode::SUCCESS)
}

impl CliCommand {
    fn shows_screens(&self) -> bool {
        use CliCommand::{Join, Learn, Lobby, Play, Puzzle, Replay, Resume, Tournament};
        matches!(
            self,
            Join(_)
                | Learn(_)
                | Lobby(_)
                | Play(_)
                | Puzzle(_)
                | Replay(_)
                | Resume
                | Tournament(_)
        )
    }

    /// Returns the name of a command that needs a table on this machine.
    fn table_command(&self) -> Option<&'static str> {
        match self {
            CliCommand::Lobby(_) => Some("lobby"),
            CliCommand::Table(_) => Some("table"),
            CliCommand::Tables(_) => Some("tables"),
            CliCommand::Turns(_) => Some("turns"),
            _ => None,
        }
    }
}

/// Fails on a system without tables. `what` needs one.
fn need_tables(what: impl fmt::Display) -> anyhow::Result<()> {
    if CAN_HOST_TABLES {
        return Ok(());
    }
    Err(usage(format!(
        "{what}: not on Windows; use WSL, or join a table on another machine with quadrille join ann@host"
    )))
}

/// Returns the exit status for an error returned by [`run`].
pub fn status(error: &anyhow::Error) -> ExitCode {
    ExitCode::from(if error.is::<Usage>() || error.is::<Failure>() { 2 } else { 1 })
}

/// Treats a closed pipe as success, so that the exit status is that of the work.
fn unless_closed(printed: anyhow::Result<()>) -> anyhow::Result<()> {
    printed.or_else(|error| if is_closed_pipe(&error) { Ok(()) } else { Err(error) })
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(handle::is_closed_pipe)
}

/// Names the arguments that are not UTF-8; clap's error does not name them.
fn not_utf8() -> String {
    let args = env::args_os().skip(1).filter(|arg| arg.to_str().is_none());
    let named: Vec<String> =
        args.map(|arg| format!("\"{}\"", arg.as_encoded_bytes().escape_ascii())).collect();
    format!("not UTF-8: {}", named.join(", "))
}

/// Returns the first paragraph of a clap error, without usage and hints.
fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let first = text.strip_prefix("error: ").unwrap_or(&text).split("\n\n").next();
    first.unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_definition_is_valid() {
        Cli::command().debug_assert();
    }
}
