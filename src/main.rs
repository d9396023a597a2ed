//! The program `quadrille`.

use quadrille::cli;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run().unwrap_or_else(|error| {
        cli::say(&format!("{error:#}"));
        cli::status(&error)
    })
}
