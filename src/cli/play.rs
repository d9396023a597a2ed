//! `quadrille play` and `quadrille` alone: into the screens.

use super::disk_host::{self, DiskHost};
use super::display_args::{DisplayArgs, Looks};
use super::keeper::Keeper;
use super::{game, plain_mode, usage};
use crate::app::{App, OpenMatch};
use crate::catalogue::Entry;
use crate::printable::is_name;
use crate::session::{
    Conditions, EngineSeat, Player, PositionSpec, RecordFile, Terms, TimeControl,
};
use std::collections::HashSet;
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
    /// Who sits at a seat: a name, or engine:LEVEL with LEVEL beginner, casual, strong or perfect
    ///
    /// As 2=engine:strong or 2=engine:strong,time=5,seed=7: time is the seconds to think about a
    /// move, seed makes an engine's chance repeatable. May be given once for each seat.
    #[arg(long, value_name = "N=WHO")]
    seat: Vec<String>,
    /// Play with a clock: SECONDS+INCREMENT, such as 300+5
    ///
    /// Each seat has so many seconds for the whole match, and so many more for each of its moves. Whoever
    /// runs out of time loses. Engines and programs make their time last by themselves.
    #[arg(long, value_name = "CLOCK")]
    clock: Option<TimeControl>,
    /// Keep a record of the match in FILE, complete after every move
    ///
    /// If FILE is there already, it must be a record of the same game and the same setup, and the
    /// match goes on from its last move, with its clock set anew, if it has one. Any other file is refused
    /// and not touched.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Play in lines instead of on a screen: for screen readers, plain terminals and pipes
    ///
    /// Each change is said in a sentence. Type a move, or a word such as board, undo, hint or help. Where
    /// TERM is dumb, matches are played so without this.
    #[arg(long)]
    plain: bool,
}

/// Opens the home screen.
pub(super) fn home(display_args: &DisplayArgs) -> anyhow::Result<()> {
    let looks = display_args.on_the_terminal()?;
    disk_host::run(app(&looks), &mut DiskHost::new(Keeper::new(None), &looks))
}

/// The screens, with a fresh seed for layouts by chance.
pub(super) fn app(looks: &Looks) -> App {
    let app = App::new(looks.skin, fresh_seed());
    let app = if looks.has_colours() { app.with_themes(looks.themes()) } else { app };
    app.with_settings(looks.settings.clone(), looks.config.kept())
}

/// A seed that is another one each time, short enough to be typed.
pub(super) fn fresh_seed() -> u32 {
    (RandomState::new().hash_one(()) % 9999) as u32 + 1
}

pub(super) fn run(args: Args, display_args: &DisplayArgs) -> anyhow::Result<()> {
    let entry = args.game;
    let mut setup = game::setup(entry, &args.setup)?;
    (entry.start)(&setup).map_err(usage)?;
    let by_chance = game::draw_seed(entry, &mut setup, fresh_seed().into());
    let mut viewer = (entry.open)(&setup).map_err(usage)?;
    let seats = viewer.game().seats();
    if let Some(names) = &args.names {
        check_names(names, seats).map_err(usage)?;
    }
    let names = seated(args.names, &args.seat, seats).map_err(usage)?;
    let given: Vec<Player> = names.iter().flatten().filter_map(|name| name.parse().ok()).collect();
    for player in &given {
        let Some(time) = player.engine().map(EngineSeat::time) else { continue };
        if let Ok(horizon) = (entry.engine)().horizon(&PositionSpec::to(viewer.game()), time) {
            player.promise(&horizon).map_err(usage)?;
        }
    }
    let looks = if DisplayArgs::is_plain(args.plain) {
        None
    } else {
        Some(display_args.on_the_terminal()?)
    };

    let file = match &args.record {
        Some(path) => {
            let date = jiff::Zoned::now().date().to_string();
            let terms =
                Terms { names: names.as_deref(), clock: args.clock, date: &date, by_chance };
            let mut opened = None;
            viewer.walk(&mut |game| opened = Some(RecordFile::open(path, terms, game)));
            opened.transpose()?
        }
        None => None,
    };
    let clock = args.clock.or_else(|| file.as_ref()?.clock());
    let players: Vec<Player> = match &file {
        Some(file) => {
            // A command that only the record has is shown and not run.
            let names = file.names(seats).into_iter().map(Option::unwrap_or_default);
            let player = |(seat, name): (usize, String)| match given.get(seat) {
                Some(player) if player.to_string() == name => player.clone(),
                _ => Player::named(&name),
            };
            names.enumerate().map(player).collect()
        }
        None => given,
    };
    let conditions = Conditions::from(players).with_clock(clock);
    let mut table = viewer.into_table(setup, conditions);
    if file.is_some() {
        table.point_near_last();
    }
    let mut open_match = OpenMatch::at(entry, table);
    open_match.saved.record = file.is_some().then_some(Ok(()));
    let keeper = Keeper::new(file);
    let Some(looks) = looks else {
        return plain_mode::run(open_match, None, keeper, fresh_seed(), display_args);
    };
    let mut disk_host = DiskHost::new(keeper, &looks);
    disk_host::run(app(&looks).with_match(open_match), &mut disk_host)
}

/// The names with those in place that were given for single seats, `2=engine:strong`.
fn seated(
    names: Option<Vec<String>>,
    single: &[String],
    seats: u8,
) -> Result<Option<Vec<String>>, String> {
    let mut seated = names.unwrap_or_default();
    let mut taken = HashSet::new();
    for text in single {
        let (seat, who) = text.split_once('=').unwrap_or((text, ""));
        let index = seat.parse().ok().filter(|seat| (1..=usize::from(seats)).contains(seat));
        let Some(index) = index else {
            return Err(format!("--seat {text}: there are seats 1 to {seats}, as 2=engine:strong"));
        };
        if !taken.insert(index) {
            return Err(format!("--seat {text}: seat {index} is given twice"));
        }
        seated.resize(usize::from(seats), String::new());
        who.trim().clone_into(&mut seated[index - 1]);
    }
    for name in &seated {
        let player: Result<Player, _> = name.parse();
        player.map_err(|why| format!("{name}: {why}"))?;
        if !name.is_empty() && !is_name(name) {
            return Err(format!("{name:?} is no name"));
        }
    }
    Ok(Some(seated).filter(|seated| !seated.is_empty()))
}

fn check_names(names: &[String], seats: u8) -> Result<(), String> {
    if names.len() != usize::from(seats) {
        return Err(format!("--names: {} given for {seats} seats", names.len()));
    }
    match names.iter().find(|name| !is_name(name)) {
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
        assert_eq!(check("Ann,\u{200d}", 2), Err("--names: \"\\u{200d}\" is no name".to_owned()));
        assert_eq!(check("Ann,B\u{1b}", 2), Err("--names: \"B\\u{1b}\" is no name".to_owned()));
    }
}
