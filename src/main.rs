//! The program `quadrille`.

use quadrille::cli;
use std::io::{Write, stderr};
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run().unwrap_or_else(|error| {
        let line: String = format!("{error:#}").chars().map(cli::printable).collect();
        // When even that cannot be written, the exit status must do.
        let _ = writeln!(stderr(), "{line}");
        cli::status(&error)
    })
}
