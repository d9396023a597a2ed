//! `quadrille tournament`: plays many games between engines and programs, and prints one table.

use super::display_args::DisplayArgs;
use super::progress::TournamentBar;
use super::{NO_THREAD, game, unless_closed, usage};
use crate::front_end::tournament;
use anyhow::{Context, anyhow, bail};
use quadrille_arena::tournament::{
    Contestant, Ending, GameLine, Parts, Resources, RunOutcome, Schedule, Shard, Stop, Tournament,
    TournamentPlan, TournamentTable, keep_orders, read,
};
use quadrille_system::calendar;
use quadrille_system::handle::is_closed_pipe;
use quadrille_system::read::{self, Limit};
use quadrille_table::engine;
use quadrille_table::play::hush_caught_panics;
use quadrille_table::play::program::missing_program;
use quadrille_table::play::program::{Launcher, ProgramLimits};
use quadrille_text::printable::print_stderr;
use quadrille_text::printable::printable;
use quadrille_text::toml_file::Source;
use quadrille_text::wording::cut;
use quadrille_text::wording::{counted, dashed};
use std::io::{IsTerminal, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// Run or resume a tournament of engines and programs
///
/// FILE lists the players, the game and the setups; see docs/tournaments.md. Results go to a folder beside it: one
/// line and one record per game, and the table. To resume a stopped tournament, run the same command: finished games
/// are kept, unfinished ones restart.
///
/// A terminal shows the tournament live. A pipe gets one line per game and the final table.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    override_usage = "quadrille tournament [OPTIONS] <FILE>\n       \
                      quadrille tournament merge [--partial] <FOLDER>... --out <FOLDER>"
)]
pub(super) struct TournamentArgs {
    #[command(subcommand)]
    command: Option<TournamentCommand>,
    /// The tournament file (TOML); - is stdin
    #[arg(required = true)]
    file: Option<PathBuf>,
    /// Play only part I of N, such as 1/8, to share a tournament between machines
    ///
    /// Results go to a subfolder such as 1-of-8. Combine the parts with `merge`.
    #[arg(long, value_name = "I/N", allow_hyphen_values = true)]
    shard: Option<Shard>,
    /// Allow more concurrent games than cores, although players may then lose on time
    #[arg(long)]
    force_concurrency: bool,
}

#[derive(Debug, clap::Subcommand)]
enum TournamentCommand {
    Merge(MergeArgs),
}

/// Merge parts played with --shard
///
/// Refuses parts of different tournaments. If parts or games are missing, lists them and merges nothing without
/// --partial.
#[derive(Debug, clap::Args)]
struct MergeArgs {
    /// Folders of the parts
    #[arg(required = true)]
    folders: Vec<PathBuf>,
    /// Folder for the merged tournament
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Merge even if parts or games are missing
    #[arg(long)]
    partial: bool,
}

pub(super) fn run(
    args: TournamentArgs,
    display_args: &DisplayArgs,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    match (args.command, args.file) {
        (Some(TournamentCommand::Merge(args)), _) => merge_parts(&args, out),
        (None, Some(file)) => {
            let shard = args.shard.unwrap_or(Shard::WHOLE);
            let is_seen =
                !display_args.is_plain() && stdin().is_terminal() && stdout().is_terminal();
            let force = args.force_concurrency;
            play(&file, (shard, force), is_seen, display_args, out)
        }
        (None, None) => Err(usage("missing tournament file")),
    }
}

fn merge_parts(args: &MergeArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let parts = Parts::read(&args.folders).map_err(|why| anyhow!(why))?;
    let missing = parts.missing();
    let (games, all) = parts.games();
    for what in &missing {
        print_stderr(what);
    }
    if !missing.is_empty() && !args.partial {
        let left = all - games;
        bail!("nothing merged: {left} of {all} games are missing; add --partial to merge the rest");
    }
    let (table, games) = parts.merge(&args.out).map_err(|why| anyhow!(why))?;
    unless_closed(print(&table, out))?;
    if !missing.is_empty() {
        print_stderr(&format!("{} has {games} of {all} games.", args.out.display()));
    }
    Ok(())
}

/// Reads the plan from a file. Paths in the plan are relative to the file's folder.
fn plan(path: &Path) -> anyhow::Result<TournamentPlan> {
    let name = read::name(path).to_string();
    let text = read::text(path, Limit::TOURNAMENT)?;
    let folder = folder_of(path);
    let complete = |entry, setup: &mut _| {
        game::read_points(entry, setup, folder).map_err(|why| format!("{why:#}"))
    };
    let plan = read(Source { file: &name, text: &text }, &complete)?;
    for player in &plan.players {
        let missing = player.player.program();
        if let Some(missing) = missing.and_then(|program| missing_program(program, folder)) {
            bail!("{name}: players: {}: program not found: {missing}", player.name);
        }
    }
    Ok(plan)
}

/// If a player's thinking time matters, checks that there are enough cores for the concurrent games. With too few
/// cores, players slow one another down and lose on time.
fn check_concurrency(plan: &TournamentPlan) -> Result<(), String> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let at_once = plan.concurrency;
    match plan.players.iter().find(|player| plan.goes_by_time(player)) {
        Some(Contestant { name, .. }) if at_once > cores => Err(format!(
            "{at_once} concurrent games on {} distort thinking times, and {name} plays by time; lower concurrency, \
             or add --force-concurrency",
            counted(cores, "core", "cores")
        )),
        _ => Ok(()),
    }
}

/// Returns the folder for the stderr of programs. The path is absolute, because a program may run in a different
/// folder.
fn logs(folder: &Path) -> PathBuf {
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()).join("logs")
}

fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

fn play(
    path: &Path,
    (shard, force): (Shard, bool),
    is_seen: bool,
    display_args: &DisplayArgs,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let name = read::name(path);
    let mut plan = plan(path)?;
    if !force {
        check_concurrency(&plan).map_err(|why| anyhow!("{name}: concurrency: {why}"))?;
    }
    let whole = folder_of(path).join(&plan.out);
    keep_orders(&mut plan, &whole, shard);
    let (folder, margin) = (shard.folder(&whole), plan.margin);
    let schedule = Schedule::new(Arc::new(plan)).map_err(|why| anyhow!("{name}: {why}"))?;
    let tournament = Tournament::open(schedule, shard, &folder).map_err(|why| anyhow!(why))?;
    let (games, played) = tournament.progress();
    if played > 0 && !is_seen {
        print_stderr(&format!("{}: {played} of {games} games found.", folder.display()));
    }
    let config = display_args.config_file()?;
    let mut launcher = Launcher::new(Some(logs(&folder)))?;
    let memory = u64::from(config.settings.program_memory) << 20;
    launcher.limits = ProgramLimits { memory };
    launcher.patience.margin = margin.unwrap_or(launcher.patience.margin);
    // Programs are searched for in the file's folder, regardless of the current folder.
    launcher.folder =
        Some(folder_of(path).join(".").canonicalize().with_context(|| name.to_string())?);
    let date = calendar::today();
    let resources = Resources { launcher, table_cache: engine::table_cache(), date };
    let stop = Stop::new()?;
    if is_seen {
        return show(tournament, &resources, &stop, &folder, display_args, out);
    }
    // An engine panic is printed as the tournament's error.
    hush_caught_panics();
    let signals = tournament::watch_signals(&stop).context(NO_THREAD)?;
    let bar = TournamentBar::new(games, played);
    let (mut ended, mut is_closed) = (played, false);
    let mut tell = |line: &GameLine| {
        ended += 1;
        let written = bar.count(|| writeln!(out, "{}", shown(line)).and_then(|()| out.flush()));
        match written {
            // The reader has closed the pipe, so start no more games.
            Err(error) if is_closed_pipe(&error) => {
                is_closed = true;
                stop.stop();
                Ok(())
            }
            written => written.map_err(|why| format!("stdout: {why}")),
        }
    };
    let outcome = tournament.play(&resources, &stop, &mut tell);
    bar.clear();
    let is_over = finish(outcome, &folder, out)?;
    signals.reraise()?;
    if is_closed && !is_over {
        bail!("stdout was closed after {ended} of {games} games");
    }
    Ok(())
}

/// Runs the tournament in the full-screen interface.
fn show(
    tournament: Tournament,
    resources: &Resources,
    stop: &Stop,
    folder: &Path,
    display_args: &DisplayArgs,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let appearance = display_args.on_the_terminal("tournament FILE --plain")?;
    let live = tournament.live().clone();
    let halt = {
        let stop = stop.clone();
        move |halts: bool| if halts { stop.suspend() } else { stop.resume() }
    };
    let (ending, played) = thread::scope(|scope| {
        let play = || tournament.play(resources, stop, &mut |_| Ok(()));
        let playing = thread::Builder::new().spawn_scoped(scope, play).context(NO_THREAD)?;
        let ending = tournament::show(live, folder.to_owned(), halt, &appearance);
        stop.stop();
        let played = playing.join().unwrap_or_else(|_| Err("a thread has failed".to_owned()));
        Ok::<_, anyhow::Error>((ending, played))
    })?;
    let ending = ending?;
    finish(played, folder, out)?;
    Ok(ending.reraise()?)
}

fn print(table: &TournamentTable, out: &mut impl Write) -> anyhow::Result<()> {
    write!(out, "{table}")?;
    Ok(out.flush()?)
}

/// Prints the table and the location of the other results. Returns whether the tournament is finished.
fn finish(
    played: Result<RunOutcome, String>,
    folder: &Path,
    out: &mut impl Write,
) -> anyhow::Result<bool> {
    let RunOutcome { is_over, table, fewer_at_once, discarded, messages } =
        played.map_err(|why| anyhow!(why))?;
    unless_closed(print(&table, out))?;
    if let Some(games) = fewer_at_once {
        let games = counted(games, "game", "games");
        print_stderr(&format!("Only {games} ran at once: the system allows no more threads."));
    }
    if discarded > 0 {
        print_stderr(&format!("{discarded} games still running when the test ended do not count."));
    }
    for (name, path) in messages {
        print_stderr(&format!("The stderr of {name} is in {}.", path.display()));
    }
    if !is_over {
        print_stderr("Stopped. Run the same command to resume.");
    }
    print_stderr(&format!("Games saved in {}.", folder.join("games").display()));
    Ok(is_over)
}

/// Formats a finished game as one line.
fn shown(line: &GameLine) -> String {
    let GameLine { game, players, points, termination, by, plies, setup, .. } = line;
    let who = by.and_then(|seat| players.get(usize::from(seat)));
    let how = match (termination, who) {
        (Ending::Rules, _) => String::new(),
        (how, Some(who)) => {
            let (how, why) = (how.to_string(), line.detail.as_deref().unwrap_or_default());
            // The detail may begin with the word that was just written.
            match why.strip_prefix(&how) {
                Some(more) => format!(", {how}{more} by {who}"),
                None if why.is_empty() => format!(", {how} by {who}"),
                None => format!(", {how} by {who}: {why}"),
            }
        }
        (how, None) => format!(", {how}"),
    };
    let setup = if setup.is_empty() { String::new() } else { format!("  {}", cut(setup)) };
    let (players, points) = (players.join(" - "), dashed(points));
    printable(&format!("{game:>5}  {players}  {points}  {plies} plies{how}{setup}")).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_is_printed_on_one_line() {
        let line = |points: &str, termination: &str, by: &str, setup: &str| {
            let text = format!(
                "{{\"game\":7,\"setup\":\"{setup}\",\"opening\":[],\"players\":[\"Ann\",\"Bob\"],\
                 \"points\":{points},\"scores\":null,\"termination\":\"{termination}\",\"by\":{by},\
                 \"plies\":9,\"record\":\"games/0007.game\"}}"
            );
            let mut line: GameLine = serde_json::from_str(&text).unwrap();
            line.detail = (by == "1").then(|| "exited with 3".to_owned());
            shown(&line)
        };
        assert_eq!(line("[1,0]", "rules", "null", ""), "    7  Ann - Bob  1-0  9 plies");
        assert_eq!(
            line("[0.5,0.5]", "limit", "null", "size=5"),
            "    7  Ann - Bob  0.5-0.5  9 plies, limit  size=5"
        );
        assert_eq!(
            line("[1,0]", "crash", "1", ""),
            "    7  Ann - Bob  1-0  9 plies, crash by Bob: exited with 3"
        );
    }
}
