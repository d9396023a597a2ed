//! `quadrille engine`: our engines for other programs.

use super::NO_THREAD;
use crate::arena::serve;
use crate::host::folders;
use crate::play::hush_caught_panics;
use anyhow::Context;
use std::io::{ErrorKind, Write, stdin};

/// Play as a program: speak UGI on stdin and stdout
///
/// UGI is the Universal Game Interface, which cutegames and other programs that run matches speak. Type ugi and Enter
/// to see the options. It ends at quit, or at the end of its input.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    // A panic of an engine is reported as an `info string`.
    hush_caught_panics();
    match serve(stdin(), out, folders::table_cache()) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Err(error).context(NO_THREAD),
        served => Ok(served?),
    }
}
