//! `quadrille perft`: counts move sequences.

use super::{game, usage};
use quadrille_table::catalogue::GameEntry;
use std::io::Write;

/// Count the move sequences of length DEPTH from the start of a game
///
/// Sequences that end before DEPTH, because the game is over, do not count.
#[derive(Debug, clap::Args)]
#[command(override_usage = "quadrille perft <GAME> [KEY=VALUE]... <DEPTH>")]
pub(super) struct PerftArgs {
    /// The game
    #[arg(value_parser = game::parser())]
    game: &'static GameEntry,
    /// How many moves, 0 to 255. Setup options come before it; `quadrille play --help` lists them
    #[arg(value_name = "DEPTH", required = true, allow_negative_numbers = true)]
    words: Vec<String>,
}

pub(super) fn run(args: &PerftArgs, out: &mut impl Write) -> anyhow::Result<()> {
    let (depth, words) = args.words.split_last().map_or(("", &[][..]), |(d, words)| (d, words));
    let depth = depth
        .parse()
        .map_err(|_| usage(format!("DEPTH must be a whole number from 0 to 255, not {depth:?}")))?;
    let (_, game) = game::start(args.game, words)?;
    writeln!(out, "{}", game.now().perft(depth))?;
    Ok(())
}
