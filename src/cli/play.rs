//! `quadrille play`, and `quadrille` without a command: opens the screens.

use super::display_args::{self, DisplayArgs};
use super::{game, seating, usage};
use crate::app::OpenMatch;
use crate::catalogue::GameEntry;
use crate::front_end::shared_table;
use crate::platform::keeper::Keeper;
use crate::platform::seed::{draw_seed, fresh_seed};
use crate::platform::{calendar, plain, seats};
use crate::play::Table;
use crate::session::{Conditions, Player, ProgramSeat, Session, TimeControl};
use crate::store::{RecordFile, Terms};
use std::path::{Path, PathBuf};

/// Play a game, straight into the match
#[derive(Debug, clap::Args)]
#[command(after_help = game::setup_options())]
pub(super) struct PlayArgs {
    /// The game
    #[arg(value_parser = game::parser())]
    game: &'static GameEntry,
    /// Setup options; those of each game are listed below
    #[arg(value_name = "KEY=VALUE")]
    setup: Vec<String>,
    /// The names of the players, seat by seat: Ann,Bob
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    names: Option<Vec<String>>,
    /// The player of a seat: a name, guest for a player at another terminal, engine:LEVEL with LEVEL beginner, casual,
    /// skilled, strong or perfect, or cmd:COMMAND for a program of yours
    ///
    /// A guest, 2=guest, says who they are when they join.
    ///
    /// For an engine, such as 2=engine:strong or 2=engine:strong,time=5,seed=7: time is how many seconds it may think
    /// about a move, and with a seed its random choices repeat. nodes= and depth= end a search after so many positions or
    /// plies, whatever the time if time= is not there as well; hash= is memory in MiB, and threads= how many it thinks
    /// with. With nodes= and seed= the same moves get the same answers. For a program, such as '2=cmd:python3 bot.py --depth 4'
    /// or '2=cmd,time=5,nodes=1000,option.Hash=64:./bot': it must speak UGI, and its command line is split as a shell does it. A program that the
    /// settings name is program:NAME. May be given once for each seat.
    #[arg(long, value_name = "N=WHO")]
    seat: Vec<String>,
    /// Let other users of this machine come to the table
    ///
    /// The screen shows the line to pass on, which has a secret in it, and you are asked before another user sits down.
    /// Without this only what you start yourself comes to your table, through ssh too.
    #[arg(long)]
    shared: bool,
    /// Let the guests ask for hints and values
    ///
    /// Without this, no player may ask for them in a match with guests. The record of the match says that they could.
    #[arg(long)]
    hints: bool,
    /// Play with a clock: SECONDS+INCREMENT, such as 300+5
    ///
    /// Each seat has SECONDS for the whole match, and gets INCREMENT seconds more for each of its moves. A seat that
    /// runs out of time loses. Engines and programs make their time last by themselves.
    #[arg(long, value_name = "CLOCK")]
    clock: Option<TimeControl>,
    /// Keep a record of the match in FILE, complete after every move
    ///
    /// If FILE exists, it must be a record of the same game and the same setup. The match then goes on from its last
    /// move, with full clocks if it has a clock. Any other file is refused and not touched.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// Opens the home screen, or the menu in lines.
pub(super) fn home(display_args: &DisplayArgs) -> anyhow::Result<()> {
    display_args::open(&display_args.display("--plain")?, |app| app)
}

pub(super) fn run(args: PlayArgs, display_args: &DisplayArgs) -> anyhow::Result<()> {
    let entry = args.game;
    if args.record.as_deref() == Some(Path::new("-")) {
        return Err(usage(
            "--record -: a record is a file; name one, such as evening.game (./- is a file named -)",
        ));
    }
    let mut setup = game::setup(entry, &args.setup)?;
    (entry.start)(&setup).map_err(usage)?;
    let left_out = setup.left_out(&(entry.options)(&setup));
    let by_chance = draw_seed(entry, &mut setup, fresh_seed().into());
    let mut start = (entry.start)(&setup).map_err(usage)?;
    let seats = start.seats();
    let program = |name: &str| named_program(name, entry, display_args);
    let mut given = seating::players(args.names, &args.seat, seats, program).map_err(usage)?;
    if args.hints {
        give_hints(given.as_deref_mut().unwrap_or_default()).map_err(usage)?;
    }
    let players = given.clone().unwrap_or_default();
    for player in &players {
        let program = player.program();
        if let Some(missing) =
            program.and_then(|program| seats::missing_program(program, Path::new("")))
        {
            return Err(usage(format!("{player}: there is no program {missing}")));
        }
    }
    seats::check_levels(entry, &start, &players).map_err(usage)?;
    let has_guest = players.iter().any(Player::is_guest);
    if has_guest && args.record.is_some() {
        return Err(usage("--record: a match with a guest is kept by its table; leave it out"));
    }
    if args.shared && !has_guest {
        return Err(usage("--shared: there is no guest; seat one with --seat 2=guest"));
    }
    let display = display_args.display("play GAME --plain")?;
    let Some(path) = &args.record else {
        let conditions = Conditions::from(players).with_clock(args.clock);
        let table = Table::at(entry, Session::new(start, setup, conditions));
        let keeper = Keeper::new(None);
        if has_guest {
            return shared_table::host_table(table, keeper, args.shared, &display);
        }
        return display_args::play(&display, OpenMatch::new(table), keeper, Vec::new(), left_out);
    };
    let names = given.map(|given| given.iter().map(ToString::to_string).collect::<Vec<_>>());
    let date = calendar::today();
    let terms = Terms { names: names.as_deref(), clock: args.clock, date: &date, by_chance };
    let file = RecordFile::open(path, terms, &mut start)?;
    let clock = args.clock.or_else(|| file.clock());
    let (players, warning) = players_of(&file, seats, &players);
    let conditions = Conditions::from(players).with_clock(clock);
    let mut keeper = Keeper::new(Some(file));
    let mut table = keeper.continue_record(entry, Session::new(start, setup, conditions));
    table.saved.record = Some(Ok(()));
    let warning = warning.map(|text| ["A program is not started".to_owned(), text]);
    display_args::play(
        &display,
        OpenMatch::resumed(table),
        keeper,
        warning.into_iter().collect(),
        left_out,
    )
}

/// Lets the guests among these players ask for hints and values. It is an error if there is none.
fn give_hints(players: &mut [Player]) -> Result<(), &'static str> {
    let mut done = Err("--hints: there is no guest; seat one with --seat 2=guest");
    for player in players {
        if let Player::Guest(guest) = player {
            (guest.hints, done) = (true, Ok(()));
        }
    }
    done
}

/// The players of a record that is continued. A program of the record is only started if the command line names it too;
/// otherwise a person plays in its place, and the text says so.
fn players_of(file: &RecordFile, seats: u8, given: &[Player]) -> (Vec<Player>, Option<String>) {
    let (mut players, mut warning) = (Vec::new(), None);
    for (seat, name) in file.names(seats).into_iter().enumerate() {
        let name = name.unwrap_or_default();
        players.push(match given.get(seat) {
            Some(player) if player.to_string() == name => player.clone(),
            _ => match name.parse() {
                Ok(Player::Program(program)) => {
                    let (called, number) = (program.name(), seat + 1);
                    warning = Some(format!(
                        "{called} is a program, {name}. No program that a record names is started: \
                         --seat '{number}={name}' starts it"
                    ));
                    Player::Person(called.to_owned())
                }
                _ => Player::named(&name),
            },
        });
    }
    (players, warning)
}

/// Finds a program of the settings by its name.
fn named_program(
    name: &str,
    entry: &GameEntry,
    display_args: &DisplayArgs,
) -> Result<ProgramSeat, String> {
    let config = display_args.config_file().map_err(|error| plain(&error))?;
    let programs = &config.settings.programs;
    match programs.iter().find(|program| program.seat.name() == name) {
        Some(program) if program.plays(entry) => Ok(program.seat.clone()),
        Some(_) => Err(format!("program:{name}: does not play {}", entry.id)),
        None => {
            let about = format!("programs.{name}");
            let wrong = config.problems.iter().find(|problem| problem.contains(&about));
            let none = || format!("program:{name}: the settings have no [{about}]");
            Err(wrong.cloned().unwrap_or_else(none))
        }
    }
}
