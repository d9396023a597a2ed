//! `quadrille completions`: a script for a shell.

use clap::Command;
use clap_complete::Shell;
use std::io::Write;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell
    shell: Shell,
}

pub(super) fn run(args: &Args, mut command: Command, out: &mut impl Write) -> anyhow::Result<()> {
    // The generator panics if it cannot write, so it writes to a buffer.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "quadrille", &mut script);
    out.write_all(&script)?;
    Ok(())
}
