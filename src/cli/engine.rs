//! `quadrille engine`: makes our engines available to other programs.

use super::NO_THREAD;
use anyhow::Context;
use quadrille_arena::serve;
use quadrille_table::engine;
use quadrille_table::play::hush_caught_panics;
use std::io::{ErrorKind, Write, stdin};

pub(super) fn run(out: &mut impl Write) -> anyhow::Result<()> {
    // Engine panics are reported as an `info string`.
    hush_caught_panics();
    match serve(stdin(), out, engine::table_cache()) {
        Err(error) if error.kind() == ErrorKind::WouldBlock => Err(error).context(NO_THREAD),
        served => Ok(served?),
    }
}
