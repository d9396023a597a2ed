//! `quadrille engine`: our engines for other programs.

use super::folders;
use crate::arena::serve;
use crate::play::hush;
use std::io::{Write, stdin};

/// Play as a program: speak UGI on stdin and stdout
///
/// UGI is the Universal Game Interface, as cutegames and other programs that run matches speak it; type
/// ugi and Enter to see what can be set. It ends with quit, or with its input.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    // An engine that fails says so in the protocol.
    hush();
    Ok(serve(stdin(), out, folders::table_cache())?)
}
