//! `quadrille puzzle`: solves, lists and makes puzzles.

use super::display_args::{self, DisplayArgs};
use super::{game, usage};
use anyhow::{Context, anyhow, bail};
use quadrille_arena::tournament::FolderContents;
use quadrille_puzzles::mine::{self, Miner, Rejection};
use quadrille_puzzles::{Classes, Puzzle, PuzzleSet, Rush};
use quadrille_system::calendar;
use quadrille_table::catalogue::{self, GameEntry};
use quadrille_table::record_reader::PlayedRecord;
use quadrille_text::printable::print_stderr;
use quadrille_text::wording::{counted, cut};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Solve puzzles
///
/// Every solution is proven. Without an argument, you get the next puzzle at your level.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct PuzzleArgs {
    #[command(subcommand)]
    command: Option<PuzzleSubcommand>,
    /// A game, or a puzzle id such as dots-17
    #[arg(value_name = "GAME|ID")]
    which: Option<String>,
}

#[derive(Debug, clap::Subcommand)]
enum PuzzleSubcommand {
    /// Today's puzzle, the same for everyone with this version
    ///
    /// With a game, the daily puzzle of that game. The home screen lists earlier ones. A puzzle opened on its day
    /// counts for that day even if solved after midnight.
    Daily(OfGame),
    /// Solve as many puzzles as you can in three minutes
    #[command(long_about = Rush::RULES)]
    Rush(OfGame),
    List(ListArgs),
    Make(MakeArgs),
}

#[derive(Debug, clap::Args)]
struct OfGame {
    /// Only of this game
    #[arg(value_parser = game::parser())]
    game: Option<&'static GameEntry>,
}

/// List the puzzles, one per line
///
/// Omits puzzles that repeat an earlier one up to symmetry. The format is that of assets/puzzles: ID RATING VALUE
/// DECISIONS THEMES | SETUP | MOVES | SOLUTION.
#[derive(Debug, clap::Args)]
struct ListArgs {
    /// Only those of this game
    #[arg(value_parser = game::parser())]
    game: Option<&'static GameEntry>,
    /// Print one line of JSON per puzzle
    #[arg(long)]
    json: bool,
}

/// Find puzzles in tournament games
///
/// Prints lines for assets/puzzles, numbered after the existing ones. Rejected positions are counted by reason on
/// stderr. The same tournaments give the same puzzles.
#[derive(Debug, clap::Args)]
struct MakeArgs {
    /// Result folders of tournaments of one game
    #[arg(required = true, value_name = "TOURNAMENT")]
    tournaments: Vec<PathBuf>,
    /// Print at most N puzzles, spread over all ratings
    #[arg(long, value_name = "N")]
    count: Option<usize>,
    /// Node limit per proof, where the proof needs the full table of a board
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    nodes: u64,
}

pub(super) fn run(
    args: PuzzleArgs,
    display_args: &DisplayArgs,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let course = match args.command {
        Some(PuzzleSubcommand::List(args)) => return list(&args, out),
        Some(PuzzleSubcommand::Make(args)) => return make(&args, out),
        Some(PuzzleSubcommand::Daily(of)) => {
            let daily =
                quadrille_puzzles::daily(calendar::now().date(), of.game.map(|entry| entry.id));
            let daily =
                daily.ok_or_else(|| anyhow!("there is no daily puzzle{}", named(of.game)))?;
            PuzzleSet::Daily(daily)
        }
        Some(PuzzleSubcommand::Rush(of)) => PuzzleSet::Rush(Rush::new(with_puzzles(of.game)?)),
        None => match args.which.as_deref() {
            None => PuzzleSet::AtMyLevel(None),
            Some(name) => match (quadrille_puzzles::find(name), catalogue::named(name)) {
                (Some(puzzle), _) => PuzzleSet::One(puzzle.clone()),
                (None, Ok(entry)) => PuzzleSet::AtMyLevel(with_puzzles(Some(entry))?),
                (None, Err(_)) => {
                    let games = quadrille_puzzles::games().collect::<Vec<_>>().join(", ");
                    let why = "is neither a puzzle id, such as dots-1, nor a game with puzzles";
                    return Err(usage(format!("{:?} {why}: {games}", cut(name))));
                }
            },
        },
    };
    let appearance = display_args.display("puzzle --plain")?;
    display_args::open(&appearance, |app| app.with_puzzles(course))
}

/// Returns the id of a game. Fails if the game has no puzzles.
fn with_puzzles(game: Option<&'static GameEntry>) -> anyhow::Result<Option<&'static str>> {
    match game {
        Some(entry) if quadrille_puzzles::of(entry.id).next().is_none() => {
            Err(usage(format!("{} has no puzzles", entry.name)))
        }
        game => Ok(game.map(|entry| entry.id)),
    }
}

fn named(game: Option<&GameEntry>) -> String {
    game.map_or(String::new(), |entry| format!(" of {}", entry.name))
}

fn list(args: &ListArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let of_game = |puzzle: &&Puzzle| args.game.is_none_or(|entry| entry.id == puzzle.game);
    for puzzle in quadrille_puzzles::offered().filter(of_game) {
        if args.json { writeln!(out, "{}", puzzle.to_json())? } else { writeln!(out, "{puzzle}")? }
    }
    Ok(())
}

fn make(args: &MakeArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let folders = args.tournaments.iter();
    let folders = folders.map(|folder| {
        anyhow::Ok((folder, FolderContents::read(folder).map_err(anyhow::Error::msg)?))
    });
    let folders: Vec<(&PathBuf, FolderContents)> = folders.collect::<Result<_, _>>()?;
    let game = |contents: &FolderContents| contents.schedule.plan().entry;
    let entry = game(&folders.first().context("no tournament given")?.1);
    if let Some((folder, other)) = folders.iter().find(|(_, other)| game(other).id != entry.id) {
        let (folder, other) = (folder.display(), game(other).name);
        bail!(
            "{folder}: {} and {other} are different games; run the command once per game",
            entry.name
        );
    }
    let records = folders
        .iter()
        .flat_map(|(folder, contents)| contents.lines.iter().map(|line| folder.join(&line.record)));
    let mut records: Vec<PathBuf> = records.collect();
    let prefix = quadrille_puzzles::prefix_of(entry.id)
        .with_context(|| format!("{} has lessons, but no puzzles", entry.name))?;
    records.sort();
    let (found, mut rejections) = mine_all(entry, &records, args.nodes)?;
    let mut classes = Classes::default();
    let mut known: HashSet<Vec<u8>> =
        quadrille_puzzles::of(entry.id).filter_map(|puzzle| classes.of(puzzle)).collect();
    let mut fresh = Vec::new();
    for puzzle in found {
        if known.insert(classes.of(&puzzle).context("a puzzle that cannot be played")?) {
            fresh.push(puzzle);
        } else {
            *rejections.entry(Rejection::TakenAlready).or_default() += 1;
        }
    }
    let all = fresh.len();
    let count = args.count.unwrap_or(all);
    let next = quadrille_puzzles::of(entry.id)
        .filter_map(|puzzle| puzzle.id.rsplit_once('-')?.1.parse::<u32>().ok())
        .max();
    let next = next.unwrap_or_default() + 1;
    let taken = mine::spread(rate_all(&fresh)?, count);
    let printed = taken.len();
    for (mut puzzle, number) in taken.into_iter().zip(next..) {
        puzzle.id = format!("{prefix}-{number}");
        writeln!(out, "{puzzle}")?;
    }
    print_stderr(&format!(
        "{} of {}: {} left, {} printed.",
        counted(records.len(), "game", "games"),
        entry.name,
        counted(all, "puzzle", "puzzles"),
        printed
    ));
    for rejection in Rejection::ALL {
        let count = rejections.get(&rejection).copied().unwrap_or_default();
        print_stderr(&format!("{count:8} positions rejected: {rejection}"));
    }
    Ok(())
}

/// Maps the items on all cores. The results are in the order of the items.
fn on_all_cores<T: Sync, W, R: Send>(
    items: &[T],
    worker: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, &T) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let mut worker = worker();
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    let result = work(&mut worker, item);
                    if let Ok(mut done) = done.lock() {
                        done.insert(at, result);
                    }
                }
            });
        }
    });
    let done = done.into_inner().map_err(|_| anyhow!("a thread crashed"))?;
    done.into_values().collect()
}

fn mine_all(
    entry: &'static GameEntry,
    records: &[PathBuf],
    nodes: u64,
) -> anyhow::Result<(Vec<Puzzle>, HashMap<Rejection, u32>)> {
    let miner = || Miner::new(entry, nodes);
    let results =
        on_all_cores(
            records,
            miner,
            |miner, path| Ok(miner.mine(&PlayedRecord::read(path)?.game)),
        )?;
    let (mut found, mut rejections) = (Vec::new(), HashMap::new());
    for (puzzles, rejected) in results {
        found.extend(puzzles);
        for (rejection, count) in rejected {
            *rejections.entry(rejection).or_default() += count;
        }
    }
    Ok((found, rejections))
}

fn rate_all(puzzles: &[Puzzle]) -> anyhow::Result<Vec<Puzzle>> {
    on_all_cores(
        puzzles,
        || (),
        |(), puzzle| {
            let rating = mine::rate(puzzle).map_err(|why| anyhow!(why))?;
            Ok(Puzzle { rating, ..puzzle.clone() })
        },
    )
}
