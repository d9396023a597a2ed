//! `quadrille rules`: prints the rules.

use super::game;
use quadrille_table::catalogue::GameEntry;
use std::io::Write;

/// Print the rules of a game
#[derive(Debug, clap::Args)]
pub(super) struct RulesArgs {
    /// The game
    #[arg(value_parser = game::parser())]
    game: &'static GameEntry,
}

pub(super) fn run(args: &RulesArgs, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "{}", args.game.rules.trim_end())?;
    Ok(())
}
