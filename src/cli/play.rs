//! `quadrille play`, and `quadrille` without a command: opens the screens.

use super::display_args::{self, DisplayArgs};
use super::{game, need_tables, seating, usage, wrong_setup};
use crate::app::OpenMatch;
use crate::front_end::shared_table;
use quadrille_match::session::{
    Conditions, DaysPerMove, FischerClock, Player, Players, ProgramSeat, Session, TimeControl,
};
use quadrille_match::store::{RecordFile, Terms};
use quadrille_net::client;
use quadrille_system::calendar;
use quadrille_system::fresh_seed;
use quadrille_table::catalogue::GameEntry;
use quadrille_table::match_saver::MatchSaver;
use quadrille_table::play::Table;
use quadrille_table::play::program::missing_program;
use quadrille_table::seed::draw_seed;
use std::path::{Path, PathBuf};

/// Start a match
#[derive(Debug, clap::Args)]
#[command(after_help = game::setup_options())]
pub(super) struct PlayArgs {
    /// The game
    #[arg(value_parser = game::parser())]
    game: &'static GameEntry,
    /// Setup options, listed below for each game
    #[arg(value_name = "KEY=VALUE")]
    setup: Vec<String>,
    /// Player names in seat order, such as Ann,Bob
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    names: Option<Vec<String>>,
    /// Player at a seat: a name, guest (from another terminal), engine:LEVEL (beginner, casual, skilled, strong or
    /// perfect) or cmd:COMMAND (your own program)
    ///
    /// A guest, as in 2=guest, chooses a name when joining.
    ///
    /// Engine options, as in 2=engine:strong,time=5,seed=7: time= is seconds per move; nodes= and depth= limit the
    /// search in positions and plies (without time=, they alone limit it); hash= is memory in MiB; threads= is the
    /// number of threads; seed= makes random choices repeatable. With nodes= and seed=, the same moves always get the
    /// same replies. A program must speak UGI, as in '2=cmd:python3 bot.py --depth 4' or
    /// '2=cmd,time=5,nodes=1000,option.Hash=64:./bot'; its command line is split like a shell command. program:NAME
    /// starts a program from the settings. Repeat --seat for each seat.
    #[arg(long, value_name = "N=WHO")]
    seat: Vec<String>,
    /// Let other users of this machine join the table
    ///
    /// The screen shows the command to pass on, which contains a secret, and asks you before another user takes a
    /// seat. Without this option, only your own account can connect, locally or over ssh.
    #[arg(long)]
    shared: bool,
    /// Allow hints and values in a match with guests
    ///
    /// They are off by default at shared tables. The record notes that they were allowed.
    #[arg(long)]
    hints: bool,
    /// Clock as SECONDS+INCREMENT, such as 300+5
    ///
    /// Each seat has SECONDS for the match plus INCREMENT seconds per move. A seat that runs out of time loses.
    /// Engines and programs manage their own time.
    #[arg(long, value_name = "CLOCK")]
    clock: Option<FischerClock>,
    /// Days for each move, 1 to 14, in a match with guests
    ///
    /// The players need not be there at the same time: the match sleeps until one of them connects. A player who takes
    /// longer is overdue; an opponent may then claim the win or give more time. After twice the days, the player loses.
    #[arg(long, value_name = "N", value_parser = days_per_move)]
    days: Option<DaysPerMove>,
    /// Write a record of the match to FILE after every move
    ///
    /// If FILE exists, it must be a record of the same game and setup. The match then continues from its last move,
    /// with full clocks. Any other file is refused and left untouched.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

/// Opens the home screen, or prints the menu as lines.
pub(super) fn home(display_args: &DisplayArgs) -> anyhow::Result<()> {
    display_args::open(&display_args.display("--plain")?, |app| app)
}

pub(super) fn run(args: PlayArgs, display_args: &DisplayArgs) -> anyhow::Result<()> {
    let entry = args.game;
    if args.record.as_deref() == Some(Path::new("-")) {
        return Err(usage(
            "--record -: needs a file name, such as evening.game (./- is a file named -)",
        ));
    }
    let mut setup = game::setup(entry, &args.setup)?;
    (entry.start)(&setup).map_err(wrong_setup)?;
    let left_out = setup.shorthand_hint(&(entry.options)(&setup));
    let by_chance = draw_seed(entry, &mut setup, fresh_seed().into());
    let mut start = (entry.start)(&setup).map_err(wrong_setup)?;
    let seats = start.seats();
    let program = |name: &str| named_program(name, entry, display_args);
    let mut given = seating::players(args.names, &args.seat, seats, program).map_err(usage)?;
    if args.hints {
        give_hints(given.as_deref_mut().unwrap_or_default()).map_err(usage)?;
    }
    let players = given.clone().unwrap_or_default();
    for player in &players {
        let program = player.program();
        if let Some(missing) = program.and_then(|program| missing_program(program, Path::new(""))) {
            let slip = missing.split_once(',').filter(|(_, words)| words.contains('='));
            let hint = slip.map(|(file, words)| format!("; write cmd,{words}:{file}"));
            let hint = hint.unwrap_or_default();
            return Err(usage(format!("{player}: program not found: {missing}{hint}")));
        }
    }
    entry.check_levels(&start, &players).map_err(usage)?;
    let has_guest = players.iter().any(Player::is_guest);
    if has_guest {
        need_tables("guests")?;
    }
    if has_guest && args.record.is_some() {
        return Err(usage(
            "--record: not available in a match with a guest, which the table records",
        ));
    }
    let clock = time_control(args.clock, args.days, args.shared, &players).map_err(usage)?;
    if args.shared && !has_guest {
        return Err(usage("--shared: needs a guest, as in --seat 2=guest"));
    }
    let display = display_args.display("play GAME --plain")?;
    let usual_name = client::usual_name(&display.settings.name).unwrap_or_default();
    let with_usual_name = |players: Vec<Player>| {
        Players::seated(seats, players).with_usual_name(&usual_name).as_slice().to_vec()
    };
    let Some(path) = &args.record else {
        let conditions = Conditions::from(with_usual_name(players)).with_clock(clock);
        let table = Table::at(entry, Session::new(start, setup, conditions));
        let saver = MatchSaver::new(None);
        if has_guest {
            return shared_table::host_table(table, saver, args.shared, &display);
        }
        return display_args::play(&display, OpenMatch::new(table), saver, Vec::new(), left_out);
    };
    // A record that exists keeps its names.
    let given = if path.exists() { given } else { Some(with_usual_name(players.clone())) };
    let names = given.map(|given| given.iter().map(ToString::to_string).collect::<Vec<_>>());
    let date = calendar::today();
    let terms = Terms { names: names.as_deref(), clock, date: &date, by_chance };
    let file = RecordFile::open(path, terms, &mut start)?;
    // A guest cannot join, and days per move need one.
    let clock = clock.or_else(|| file.clock().filter(|clock| clock.days().is_none()));
    let (players, warning) = players_of(&file, seats, &players);
    let conditions = Conditions::from(players).with_clock(clock);
    let mut saver = MatchSaver::new(Some(file));
    let mut table = saver.continue_record(entry, Session::new(start, setup, conditions));
    table.saved.record = Some(Ok(()));
    let warning = warning.map(|text| ["Program not started".to_owned(), text]);
    display_args::play(
        &display,
        OpenMatch::resumed(table),
        saver,
        warning.into_iter().collect(),
        left_out,
    )
}

/// Parses a number of days for each move.
fn days_per_move(text: &str) -> Result<DaysPerMove, String> {
    let days = text.parse().ok().and_then(DaysPerMove::new);
    days.ok_or_else(|| "must be a number from 1 to 14".to_owned())
}

/// Returns the time control for these players. The error says why they cannot have days per move.
fn time_control(
    clock: Option<FischerClock>,
    days: Option<DaysPerMove>,
    is_shared: bool,
    players: &[Player],
) -> Result<Option<TimeControl>, String> {
    let Some(days) = days else { return Ok(clock.map(TimeControl::Fischer)) };
    if clock.is_some() {
        return Err("--days: not available with --clock".to_owned());
    }
    if is_shared {
        return Err("--days: not available with --shared".to_owned());
    }
    Conditions::check_days(players).map_err(|why| format!("--days: {why}"))?;
    Ok(Some(TimeControl::Days(days)))
}

/// Allows the guests among these players to ask for hints and values. Fails if there is no guest.
fn give_hints(players: &mut [Player]) -> Result<(), &'static str> {
    let mut done = Err("--hints: needs a guest, as in --seat 2=guest");
    for player in players {
        if let Player::Guest(guest) = player {
            (guest.hints, done) = (true, Ok(()));
        }
    }
    done
}

/// Returns the players of a continued record. A program in the record is only started if the command line names the
/// program too; otherwise a person plays in its place, and the returned text says so.
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
                        "{called} is the program {name}. Programs named in a record are not started automatically. \
                         To start it, add --seat '{number}={name}'"
                    ));
                    Player::person(called)
                }
                _ => Player::named(&name),
            },
        });
    }
    (players, warning)
}

/// Finds a program in the settings by its name.
fn named_program(
    name: &str,
    entry: &GameEntry,
    display_args: &DisplayArgs,
) -> Result<ProgramSeat, String> {
    let config = display_args.config_file().map_err(|error| format!("{error:#}"))?;
    let programs = &config.settings.programs;
    match programs.iter().find(|program| program.seat.name() == name) {
        Some(program) if program.plays(entry) => Ok(program.seat.clone()),
        Some(_) => Err(format!("program:{name}: does not play {}", entry.id)),
        None => {
            let about = format!("programs.{name}");
            let wrong = config.problems.iter().find(|problem| problem.contains(&about));
            let none = || format!("program:{name}: no [{about}] in the settings");
            Err(wrong.cloned().unwrap_or_else(none))
        }
    }
}
