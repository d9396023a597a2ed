//! `quadrille show`: the positions of a record.

use super::usage;
use crate::catalogue::{self, GAMES};
use crate::play::{AnyMatch, Record, State};
use anyhow::Context;
use clap::ValueEnum;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Print the last position of a record, or any other
///
/// The whole record is checked before anything is printed.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The record; - is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The position after N moves, 0 for the start
    #[arg(long, value_name = "N", conflicts_with = "every")]
    ply: Option<usize>,
    /// All positions from the start on
    #[arg(long)]
    every: bool,
    /// Boards for people, or one line of JSON for each position
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
}

pub(super) fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let name = if args.file == Path::new("-") { Path::new("stdin") } else { &args.file }.display();
    let mut game = read(&args.file).with_context(|| name.to_string())?;
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
            Format::Json => writeln!(out, "{}", State::of(&*game))?,
            Format::Text if ply == first => writeln!(out, "{}", game.board())?,
            Format::Text => writeln!(out, "\n{}", game.board())?,
        }
    }
    Ok(())
}

/// The match of a record, at its end.
fn read(file: &Path) -> anyhow::Result<Box<dyn AnyMatch>> {
    let bytes = if file == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        bytes
    } else {
        fs::read(file)?
    };
    let record = Record::from_bytes(&bytes)?;
    let entry = catalogue::find(record.game()).with_context(|| {
        let known = GAMES.map(|entry| entry.id).join(", ");
        format!("there is no game {:?}, only {known}", record.game())
    })?;
    let mut game = (entry.start)(&record.setup().context("setup")?).context("setup")?;
    record.replay(&mut *game)?;
    Ok(game)
}
