//! `quadrille show`: the positions of a record.

use super::{file, usage};
use crate::play::{State, trmph};
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
    /// The position after N moves, 0 for the start
    #[arg(long, value_name = "N", conflicts_with = "every", value_parser = ply)]
    ply: Option<usize>,
    /// All positions from the start on
    #[arg(long)]
    every: bool,
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

fn ply(text: &str) -> Result<usize, &'static str> {
    text.parse().map_err(|_| "must be a whole number, 0 for the start")
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let name = file::name(&args.file);
    let mut table = file::open(&args.file)?.table;
    let game = table.game_mut();
    let (last, agreed) = (game.ply(), game.is_agreed());
    let plies = match args.ply {
        Some(ply) if ply > last => {
            return Err(usage(format!("{name}: there is no ply {ply}, the last is {last}")));
        }
        Some(ply) => ply..=ply,
        None if args.every => 0..=last,
        None => last..=last,
    };
    let first = *plies.start();
    for ply in plies {
        game.go_to(ply);
        if ply == last && agreed {
            game.agree_draw();
        }
        match args.format {
            Format::Json => writeln!(out, "{}", State::of(game))?,
            Format::Trmph => {
                let text = trmph::write(game).with_context(|| name.to_string())?;
                writeln!(out, "{text}")?;
            }
            Format::Text if ply == first => writeln!(out, "{}", game.board())?,
            Format::Text => writeln!(out, "\n{}", game.board())?,
        }
    }
    Ok(())
}
