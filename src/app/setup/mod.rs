//! The setup screen: a form of the options of a game, its seats and the clock.

mod form;
mod opponents;
mod rows;
mod seats;
mod values;

use super::Context;
use super::destination::{MatchStart, SetupChoices};
use super::list::ListState;
use super::screen::{About, Act, Input, PointerInput, Screen};
use super::tasks::DiskTask;
use super::text::ITEM;
use super::text_field::TextField;
use crate::action::{Action, DIGITS, Key, KeyHint};
use crate::board::Viewer;
use crate::catalogue::GameEntry;
use crate::play::Table;
use crate::printable::is_name;
use crate::puzzles::strength::Strength;
use crate::rules::{OptionGroup, OptionSpec, Setup, SetupError};
use crate::search::{Horizon, Level};
use crate::session::{Conditions, EngineSeat, Player, PositionSpec, ProgramSeat};
use crate::settings::Settings;
use crate::store::LastSetup;
use crate::view::View;
use rows::{FormRow, counts};
use seats::SeatChoice;

/// A game being set up.
pub(super) struct SetupScreen {
    entry: &'static GameEntry,
    /// The options that differ from their defaults.
    setup: Setup,
    /// Who plays at each seat; there may be more of these than seats.
    choices: Vec<SeatChoice>,
    seats: u8,
    /// The clock as text; empty for none.
    clock: String,
    /// What was typed as the seconds for a move, if no engine can think that long.
    wrong_seconds: Option<String>,
    /// The match as it would start, and its setup.
    preview: Option<(Setup, Viewer)>,
    /// How far an engine would see in the given time.
    horizon: Option<Horizon>,
    /// The same in the time that somebody waits for Perfect.
    promise: Option<Horizon>,
    /// Why no match can start like this.
    error: Option<SetupProblem>,
    /// Whether the options that few people change are shown.
    shows_more: bool,
    list: ListState,
    /// The text of the row under the cursor while it is typed.
    typing: Option<TextField>,
    /// Whether the last key was a digit; then the next digit is appended to the number.
    digits: bool,
    /// The engine that is offered first.
    offered: EngineSeat,
    /// How strong the user is in this game, if that is known.
    strength: Option<Strength>,
    /// The programs from the settings that can play this game.
    programs: Vec<ProgramSeat>,
}

/// Why no match can start like this.
struct SetupProblem {
    /// The label of the row that it is about.
    row: String,
    text: String,
}

impl SetupScreen {
    /// A form with these options and players, and the cursor on the first row, where Enter starts the match. A random
    /// layout gets a new seed.
    pub fn new(choices: SetupChoices, context: &mut Context) -> SetupScreen {
        let SetupChoices { entry, setup, players, clock } = choices;
        let nobody = players.iter().all(|player| player.name().is_empty());
        let names = context.names.iter().cloned();
        let players = if nobody { names.map(Player::Person).collect() } else { players };
        let mut screen = SetupScreen {
            entry,
            setup,
            choices: players.into_iter().map(SeatChoice::of).collect(),
            seats: 0,
            clock: clock.map_or(String::new(), |clock| clock.to_string()),
            wrong_seconds: None,
            preview: None,
            horizon: None,
            promise: None,
            error: None,
            shows_more: false,
            list: ListState::default(),
            typing: None,
            digits: false,
            offered: EngineSeat::new(Level::Strong),
            strength: Strength::of(&context.progress, entry.id, context.today()),
            programs: Vec::new(),
        };
        if (entry.options)(&screen.setup).iter().any(|option| option.name() == "seed") {
            screen.setup.set("seed", context.seed);
            context.seed = context.seed % 9999 + 1;
        }
        screen.check();
        screen
    }

    /// A form with the last setup of the game. If there is none, people and engines sit as in the last match of any game.
    pub fn with_last_setup(entry: &'static GameEntry, context: &mut Context) -> SetupScreen {
        let last = context.setups.iter().find(|last| last.game == entry.id).cloned();
        let is_new = last.is_none();
        let choices = match last.filter(|last| (entry.start)(&last.given_setup).is_ok()) {
            Some(LastSetup { given_setup, names, clock, .. }) => {
                let player = |name: String| name.parse().unwrap_or(Player::Person(name));
                let players = names.into_iter().map(player).collect();
                SetupChoices { entry, setup: given_setup, players, clock }
            }
            None => SetupChoices { entry, setup: Setup::new(), players: Vec::new(), clock: None },
        };
        let mut screen = SetupScreen::new(choices, context);
        if let Some(other) = context.setups.first().filter(|_| is_new) {
            screen.sit_as_in(other);
        }
        screen
    }

    fn rows(&self) -> Vec<FormRow> {
        let mut rows = vec![FormRow::Opponents];
        rows.extend(self.options(OptionGroup::Players));
        rows.extend((0..self.seats).map(FormRow::Seat));
        rows.extend(self.asks_for_seconds().then_some(FormRow::Time));
        rows.extend(self.options(OptionGroup::Common));
        rows.push(FormRow::Clock);
        let more = self.options(OptionGroup::More);
        rows.extend(if self.shows_more || more.is_empty() { more } else { vec![FormRow::More] });
        rows.push(FormRow::Start);
        rows
    }

    /// The rows of the options of a group.
    fn options(&self, group: OptionGroup) -> Vec<FormRow> {
        let options = (self.entry.options)(&self.setup).into_iter();
        let rows = |option| {
            let count = match option {
                OptionSpec::Counted(option) => {
                    option.as_written(&self.setup).1.map(|_| FormRow::Count(option))
                }
                _ => None,
            };
            [Some(FormRow::Option(option)), count].into_iter().flatten()
        };
        options.filter(|option| option.group() == group).flat_map(rows).collect()
    }

    fn row(&self) -> FormRow {
        self.rows().get(self.list.at()).copied().unwrap_or(FormRow::Start)
    }

    /// Tries the setup: renews the preview, the error and the number of seats.
    fn check(&mut self) {
        if self.preview.as_ref().is_none_or(|(words, _)| *words != self.setup) {
            self.preview = match Viewer::open(self.entry, &self.setup) {
                Ok(viewer) => Some((self.setup.clone(), viewer)),
                Err(error) => {
                    let problem = self.problem(&error);
                    let more = self.options(OptionGroup::More);
                    self.shows_more |= more.into_iter().any(|row| row.label() == problem.row);
                    self.error = Some(problem);
                    None
                }
            };
        }
        let Some((_, viewer)) = &self.preview else { return };
        let seats = viewer.current_match().seats();
        let position = PositionSpec::to(viewer.current_match());
        if seats != self.seats {
            let opponents = self.opponents();
            self.seats = seats;
            if let Some(opponents) = opponents {
                self.seat(opponents);
            }
        }
        let time = self.engine().and_then(|engine| engine.time()).unwrap_or(EngineSeat::USUAL_TIME);
        let engine = (self.entry.engine)();
        self.horizon = engine.horizon(&position, time).ok();
        self.promise = engine.horizon(&position, Level::patience(time)).ok();
        self.error = (0..).zip(self.players()).find_map(|(seat, player)| {
            let row = FormRow::Seat(seat).label();
            let text = match &player {
                Player::Person(name) => match name.parse::<Player>() {
                    Err(why) => format!("{row}: {why}"),
                    Ok(_) if name.is_empty() || is_name(name) => return None,
                    Ok(_) => format!("{row}: {name:?} is not a name"),
                },
                _ => self.promise.as_ref().and_then(|promise| player.check_level(promise).err())?,
            };
            Some(SetupProblem { row, text })
        });
        if let (Err(error), None) = (self.time_control(), &self.error) {
            self.error =
                Some(SetupProblem { row: FormRow::Clock.label(), text: error.to_string() });
        }
        let seconds = self.wrong_seconds.as_ref().filter(|_| self.asks_for_seconds());
        if let (Some(seconds), None) = (seconds, &self.error) {
            let row = FormRow::Time.label();
            let text = format!("{row}={seconds}: {}", EngineSeat::THINKING_TIME);
            self.error = Some(SetupProblem { row, text });
        }
    }

    /// Whether the form asks how long engines may think about a move.
    fn asks_for_seconds(&self) -> bool {
        self.clock.is_empty() && self.engine().is_some_and(|engine| engine.uses_time())
    }

    /// The problem of a seat whose program does not exist.
    fn missing_program(&self, context: &Context) -> Option<SetupProblem> {
        (0..).zip(self.players()).find_map(|(seat, player)| {
            let missing = (context.missing_program)(player.program()?)?;
            let row = FormRow::Seat(seat).label();
            Some(SetupProblem { text: format!("{row}: there is no program {missing}"), row })
        })
    }

    /// The problem of a refused setup. For a wrong count it says only which counts are allowed.
    fn problem(&self, error: &SetupError) -> SetupProblem {
        let wrong_count = self.rows().into_iter().find_map(|row| match row {
            FormRow::Count(option) if option.name == error.option() => {
                let number = counts(&option);
                let count = self.value(row);
                let error = number.read(&Setup::new().with(number.name, &count)).err()?;
                let value = self.value(FormRow::Option(option.into()));
                let text = format!("{}={value}: N {}", option.name, error.reason());
                Some(SetupProblem { row: row.label(), text })
            }
            _ => None,
        });
        wrong_count.unwrap_or_else(|| SetupProblem {
            row: error.option().to_owned(),
            text: format!("{error:#}"),
        })
    }

    fn start(&mut self, context: &mut Context) -> Vec<Act> {
        // A program may have been missing only at the last try.
        self.check();
        self.error = self.error.take().or_else(|| self.missing_program(context));
        if self.error.is_some() {
            return Vec::new();
        }
        let names: Vec<String> = self.players().iter().map(ToString::to_string).collect();
        let Ok(clock) = self.time_control() else { return Vec::new() };
        let conditions = Conditions::from(self.players()).with_clock(clock);
        let (game, given_setup) = (self.entry.id.to_owned(), self.setup.clone());
        let setup = Box::new(LastSetup { game, given_setup, names, clock });
        let start = if self.has_guest() {
            Act::run(DiskTask::OpenTable(setup.clone()))
        } else if let Ok(table) = Table::new(self.entry, &self.setup, conditions) {
            Act::replace(MatchStart::of(&table))
        } else {
            return Vec::new();
        };
        context.setups.retain(|last| last.game != setup.game);
        context.setups.insert(0, LastSetup::clone(&setup));
        vec![Act::run(DiskTask::Remember(setup)), start]
    }

    fn perform(&mut self, action: Action, context: &mut Context) -> Option<Vec<Act>> {
        let row = self.row();
        let appending = std::mem::take(&mut self.digits);
        let length = self.rows().len();
        match action {
            Action::Confirm => {
                let text = self.typing.take()?.text().trim().to_owned();
                self.set(row, &text);
            }
            Action::Cancel => self.typing = None,
            Action::Erase => self.digit(row, None)?,
            Action::PreviousValue | Action::NextValue => {
                self.turn(row, action == Action::NextValue);
            }
            Action::Choose => match row {
                FormRow::Opponents | FormRow::Start => return Some(self.start(context)),
                FormRow::More => self.turn(row, true),
                // Without a clock the field starts empty.
                FormRow::Clock => self.typing = Some(TextField::new(&self.clock)),
                row if self.is_typed(row) => self.typing = Some(TextField::new(&self.value(row))),
                _ => self.list.go_to(length - 1),
            },
            Action::Back => return Some(vec![Act::Pop]),
            action => match action.digit() {
                Some(digit) => {
                    self.digits = appending;
                    self.digit(row, Some(digit))?;
                }
                None => return self.list.input(&Input::Action(action), length, &context.sight),
            },
        }
        Some(Vec::new())
    }

    fn adopt(&mut self, settings: &Settings) {
        let tenths = (settings.time.0.as_millis() / 100) as u32;
        let tenths = tenths.clamp(*EngineSeat::TENTHS.start(), *EngineSeat::TENTHS.end());
        self.offered = EngineSeat { tenths, ..EngineSeat::new(settings.level) };
        let programs = settings.programs.iter().filter(|program| program.plays(self.entry));
        self.programs = programs.map(|program| program.seat.clone()).collect();
    }
}

impl Screen for SetupScreen {
    fn actions(&self, _: &Context) -> Vec<Action> {
        if self.typing.is_some() {
            return vec![Action::Confirm, Action::Cancel];
        }
        let mut actions = [ListState::ACTIONS, &[Action::Choose, Action::Back]].concat();
        if self.row().can_turn() {
            actions.extend([Action::PreviousValue, Action::NextValue]);
        }
        if self.row().is_number() {
            actions.push(Action::Erase);
            actions.extend(DIGITS);
        }
        actions
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Act>> {
        match input {
            Input::Action(action) => return self.perform(action, context),
            Input::Key(key) => {
                return match &mut self.typing {
                    Some(field) => field.key(key).then(Vec::new),
                    None => match Key::of(key)?.character()? {
                        '.' => self.decimal_point().map(|()| Vec::new()),
                        _ => None,
                    },
                };
            }
            Input::Paste(text) => {
                self.typing.as_mut()?.paste(text);
            }
            Input::Assign(name, value) => {
                let is_named = |row: &FormRow| match row {
                    FormRow::Seat(seat) => (seat + 1).to_string() == name || row.label() == name,
                    row => row.label() == name,
                };
                let options = (self.entry.options)(&self.setup).into_iter();
                let short = options.filter(|option| option.shorthand() == Some(name));
                let hidden = self.options(OptionGroup::More);
                let rows = self.rows().into_iter().chain(hidden).filter(is_named).take(1);
                let rows: Vec<FormRow> = rows.chain(short.map(FormRow::Option)).collect();
                for row in &rows {
                    self.set(*row, value);
                }
                if rows.is_empty() {
                    let (row, text) = (name.to_owned(), format!("there is no row {name}"));
                    self.error = Some(SetupProblem { row, text });
                }
            }
            Input::Pointer(PointerInput::Entry(entry)) => {
                self.list.go_to(entry);
                self.digits = false;
            }
            Input::Settings => self.adopt(&context.settings),
            // It is about a match that could not start, so it stands where the errors stand.
            Input::Message(line) => {
                self.error = Some(SetupProblem { row: String::new(), text: line.to_owned() });
            }
            _ => return None,
        }
        Some(Vec::new())
    }

    fn view(&self, _: bool, _: &Context) -> View<'_> {
        self.form()
    }

    fn key_hints(&self, _: &Context) -> Vec<KeyHint> {
        if self.typing.is_some() {
            return vec![Action::Confirm.hint(), Action::Cancel.hint()];
        }
        let [walk, turn] = [
            KeyHint::new(&[Action::Up, Action::Down], "move"),
            KeyHint::new(&[Action::PreviousValue, Action::NextValue], "change"),
        ];
        let choose = |does| Action::Choose.to(does);
        match self.row() {
            FormRow::Opponents => vec![choose("start"), turn, walk],
            FormRow::More => vec![choose("open"), walk],
            FormRow::Start => vec![choose("start"), Action::Up.to("options")],
            FormRow::Seat(_) => {
                let does = if self.is_typed(self.row()) { "edit name" } else { "done" };
                vec![KeyHint { does: "player", ..turn }, choose(does), walk]
            }
            FormRow::Option(OptionSpec::Text(_)) => vec![choose("edit"), walk],
            row if row.is_number() => {
                vec![turn, KeyHint::new(DIGITS, "type"), walk, choose("done")]
            }
            FormRow::Clock => vec![turn, choose("edit"), walk],
            FormRow::Option(_) | FormRow::Count(_) | FormRow::Time => {
                vec![turn, walk, choose("done")]
            }
        }
    }

    fn about(&self) -> Option<About> {
        let levels = Level::ALL.map(|level| EngineSeat::new(level).name()).join(", ");
        let options = (self.entry.options)(&self.setup)
            .into_iter()
            .map(|option| format!("{}: {} ({})", option.name(), option.help(), option.values()));
        let players = [
            "match: who plays, people or the computer".to_owned(),
            format!("player 1, 2, ...: a person with a name, a guest at another terminal, or an engine: {levels}"),
            "seconds: how long Strong, Perfect or a program may think about a move, if there is no clock"
                .to_owned(),
        ];
        let clock =
            "clock: seconds for the whole match, and more for each move, such as 300+5; or none";
        let rows = players.into_iter().chain(options).chain([clock.to_owned()]);
        let rows = rows.map(|row| format!("{ITEM}{row}"));
        let text = format!(
            "{}\n\nAt a player, press left or right to choose an engine or a guest, or Enter to type a name. A program of yours \
             can play too: type cmd: and its command line, such as cmd:python3 bot.py. The next match of this \
             game begins with the same setup.\n\n{}\n\n{}",
            rows.collect::<Vec<_>>().join("\n"),
            Level::ALL
                .map(|level| format!("{ITEM}{}: {}", EngineSeat::new(level).name(), level.about()))
                .join("\n"),
            Level::DISTANCES,
        );
        let purpose =
            "Choose who plays and on what, and start the match in the first row or the last.";
        Some(About::new(format!("Setting up {}", self.entry.name), purpose).with_details(text))
    }
}
