//! The program `quadrille`.

use quadrille::{cli, host};
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run().unwrap_or_else(|error| {
        host::say(&format!("{error:#}"));
        cli::status(&error)
    })
}
