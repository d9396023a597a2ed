//! The program `quadrille`.

use quadrille::{cli, platform};
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run().unwrap_or_else(|error| {
        platform::say(&format!("{error:#}"));
        cli::status(&error)
    })
}
