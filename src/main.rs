//! The program `quadrille`.

use quadrille::cli;
use quadrille::printable::printable;
use std::io::{Write, stderr};
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run().unwrap_or_else(|error| {
        // If stderr is closed, the exit status has to say it.
        let _ = writeln!(stderr(), "{}", printable(&format!("{error:#}")));
        cli::status(&error)
    })
}
