//! The program `quadrille`.

use quadrille::cli;
use quadrille_text::printable::say;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run().unwrap_or_else(|error| {
        say(&format!("{error:#}"));
        cli::status(&error)
    })
}
