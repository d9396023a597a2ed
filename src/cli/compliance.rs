//! `quadrille compliance`: checks a program's UGI support.

use super::{game, unless_closed, usage};
use anyhow::{Context, bail};
use clap::ValueHint;
use quadrille_arena::check;
use quadrille_table::catalogue::GameEntry;
use quadrille_table::play::program::Launcher;
use quadrille_text::printable::printable;
use std::io::Write;

/// Check a program's UGI support
///
/// Starts the program several times, asks for moves in random positions and plays a full game. This takes a few
/// seconds. Prints one line per check, with the reason of a failure and the program's stderr.
///
/// Checks the games listed in the program's option Game, or all games if it has no such option.
#[derive(Debug, clap::Args)]
#[command(
    override_usage = "quadrille compliance [OPTIONS] -- <PROGRAM> [ARG]...",
    after_help = "Example: quadrille compliance --game quixo -- python3 bot.py --depth 4"
)]
pub(super) struct ComplianceArgs {
    /// Check only this game
    #[arg(long, value_parser = game::parser())]
    game: Option<&'static GameEntry>,
    /// What stands before `--`, where no program belongs
    #[arg(hide = true, num_args = 0.., allow_hyphen_values = true)]
    before: Vec<String>,
    /// The program and its arguments
    #[arg(last = true, required_unless_present = "before", value_name = "PROGRAM", value_hint = ValueHint::AnyPath)]
    command: Vec<String>,
}

pub(super) fn run(args: ComplianceArgs, out: &mut impl Write) -> anyhow::Result<()> {
    match &args.before[..] {
        [] => {}
        [option, ..] if option.starts_with('-') => {
            return Err(usage(format!("unexpected argument '{option}' found")));
        }
        words => {
            let words = words.join(" ");
            return Err(usage(format!(
                "put the program and its arguments after --: quadrille compliance -- {words}"
            )));
        }
    }
    let folder = tempfile::tempdir().context("cannot create a folder for its stderr")?;
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
        // Flush each line, because a check may take seconds. Keep only the first error.
        if written.is_ok() {
            written = writeln!(out, "{text}").and_then(|()| out.flush());
        }
    });
    unless_closed(written.map_err(Into::into))?;
    if failed > 0 {
        bail!("{failed} of {checks} checks failed");
    }
    writeln!(out, "All {checks} checks passed.")?;
    Ok(())
}
