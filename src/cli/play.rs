//! `quadrille play` and `quadrille` alone: into the screens.

use super::looks::Looks;
use super::secretary::{self, Secretary};
use super::{game, usage};
use crate::app::{App, Sitting};
use crate::board::Skin;
use crate::catalogue::Entry;
use crate::play::{RecordFile, Terms};
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;

/// Play a game, straight into the match
#[derive(Debug, clap::Args)]
#[command(after_help = game::keys())]
pub(super) struct Args {
    /// The game
    #[arg(value_parser = game::parser())]
    game: &'static Entry,
    /// How it is set up; the keys of each game are listed below
    #[arg(value_name = "KEY=VALUE")]
    setup: Vec<String>,
    /// The names of the players, seat by seat: Ann,Bob
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    names: Option<Vec<String>>,
    /// Keep a record of the match in FILE, complete after every move
    ///
    /// If FILE is there already, it must be a record of the same game and the same setup, and the
    /// match goes on from its last move. Any other file is refused and not touched.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// Opens the home screen.
pub(super) fn home(looks: &Looks) -> anyhow::Result<()> {
    secretary::run(app(looks.on_the_terminal()?), &mut Secretary::new())
}

/// The screens, with a fresh seed for layouts by chance.
pub(super) fn app(skin: Skin) -> App {
    App::new(skin, fresh_seed())
}

/// A seed that is another one each time, short enough to be typed.
fn fresh_seed() -> u32 {
    (RandomState::new().hash_one(()) % 9999) as u32 + 1
}

pub(super) fn run(args: Args, looks: &Looks) -> anyhow::Result<()> {
    let entry = args.game;
    let mut setup = game::setup(entry, &args.setup)?;
    (entry.start)(&setup).map_err(usage)?;
    let by_chance = game::draw_seed(entry, &mut setup, fresh_seed().into());
    let mut table = (entry.open)(&setup).map_err(usage)?;
    let seats = table.game().seats();
    if let Some(names) = &args.names {
        check_names(names, seats).map_err(usage)?;
    }
    let skin = looks.on_the_terminal()?;

    let file = match &args.record {
        Some(path) => {
            let date = jiff::Zoned::now().date().to_string();
            let terms = Terms { names: args.names.as_deref(), date: &date, by_chance };
            Some(table.change(|game| RecordFile::open(path, terms, game))?)
        }
        None => None,
    };
    let names = match &file {
        Some(file) => file.names(seats).into_iter().map(Option::unwrap_or_default).collect(),
        None => args.names.unwrap_or_default(),
    };
    let mut sitting = Sitting::at(entry, table, setup, &names);
    sitting.recorded = file.is_some();
    let mut secretary = Secretary::new();
    secretary.file = file;
    secretary::run(app(skin).with_match(sitting), &mut secretary)
}

fn check_names(names: &[String], seats: u8) -> Result<(), String> {
    if names.len() != usize::from(seats) {
        return Err(format!("--names: {} given for {seats} seats", names.len()));
    }
    match names.iter().find(|name| name.trim().is_empty() || name.contains(char::is_control)) {
        Some(name) => Err(format!("--names: {name:?} is no name")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_name_for_each_seat() {
        let check = |names: &str, seats| {
            let names: Vec<String> = names.split(',').map(str::to_owned).collect();
            check_names(&names, seats)
        };
        assert_eq!(check("Ann,Bob", 2), Ok(()));
        assert_eq!(check("Ann,Bob", 3), Err("--names: 2 given for 3 seats".to_owned()));
        assert_eq!(check("Ann, ", 2), Err("--names: \" \" is no name".to_owned()));
        assert_eq!(check("Ann,B\u{1b}", 2), Err("--names: \"B\\u{1b}\" is no name".to_owned()));
    }
}
