//! The program `quadrille`.

use quadrille::cli;
use quadrille_text::printable::print_stderr;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run().unwrap_or_else(|error| {
        print_stderr(&format!("{error:#}"));
        cli::status(&error)
    })
}
