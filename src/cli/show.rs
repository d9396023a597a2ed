//! `quadrille show`: the positions of a record.

use super::file;
use crate::session::{State, trmph};
use anyhow::Context;
use clap::ValueEnum;
use std::io::Write;
use std::path::PathBuf;

/// Print the last position of a record, or any other
///
/// The positions are those of the main line; variations are read, but not shown. The whole record is
/// checked before anything is printed.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The record, or a dots-and-boxes game as trmph text; - is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    plies: file::Plies,
    /// How each position is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// The board, for people
    Text,
    /// One line of JSON
    Json,
    /// The moves up to there as trmph text, for a square board of dots-and-boxes
    Trmph,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let name = file::name(&args.file);
    let mut game = file::open(&args.file)?.game;
    let plies = args.plies.of(game.ply(), &name)?;
    let first = *plies.start();
    for ply in plies {
        game.go_to_ply(ply);
        match args.format {
            Format::Json => writeln!(out, "{}", State::of(&*game))?,
            Format::Trmph => {
                let text = trmph::write(&*game).with_context(|| name.to_string())?;
                writeln!(out, "{text}")?;
            }
            Format::Text if ply == first => writeln!(out, "{}", game.board())?,
            Format::Text => writeln!(out, "\n{}", game.board())?,
        }
    }
    Ok(())
}
