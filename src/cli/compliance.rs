//! `quadrille compliance`: whether a program speaks UGI well.

use super::game;
use crate::arena::check;
use crate::catalogue::Entry;
use crate::play::program::Launcher;
use crate::printable::printable;
use anyhow::{Context, bail};
use std::io::Write;

/// Check that a program speaks UGI well, as a player of matches
///
/// It is started several times, asked for moves in random positions, and played a game with; that takes some
/// seconds. Each check has a line, with what is wrong if it fails. What the program has written to its
/// standard error stands below that.
///
/// A program is checked in the games that its option Game names, and in all of them if it has no such option.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "quadrille compliance [OPTIONS] -- <PROGRAM> [ARG]...",
    after_help = "Example: quadrille compliance --game quixo -- python3 bot.py --depth 4"
)]
pub(super) struct Args {
    /// Check it in this game alone
    #[arg(long, value_parser = game::parser())]
    game: Option<&'static Entry>,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    command: Vec<String>,
}

pub(super) fn run(args: Args, out: &mut impl Write) -> anyhow::Result<()> {
    let folder = tempfile::tempdir().context("no folder for what it writes to stderr")?;
    let launcher = Launcher::new(Some(folder.path().to_owned()))?;
    let mut written = Ok(());
    let (checks, failed) = check(launcher, args.command, args.game, &mut |check| {
        let (word, tells) = match &check.outcome {
            Ok(tells) => ("pass", tells),
            Err(why) => ("FAIL", why),
        };
        let mut text = format!("{word}  {}", check.name);
        if !tells.is_empty() {
            text = format!("{text}: {}", printable(tells));
        }
        for line in &check.errors {
            text = format!("{text}\n      stderr: {line}");
        }
        // Each as soon as it is known. The first error is the one to tell.
        if written.is_ok() {
            written = writeln!(out, "{text}").and_then(|()| out.flush());
        }
    });
    written?;
    if failed > 0 {
        bail!("{failed} of {checks} checks have failed");
    }
    writeln!(out, "All {checks} checks passed.")?;
    Ok(())
}
