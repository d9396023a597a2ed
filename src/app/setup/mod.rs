//! The setup screen: a form for a game's options, seats and clock.

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
use crate::settings::Settings;
use crate::view::View;
use opponents::Opponent;
use quadrille_match::session::{Conditions, EngineSeat, Player, Players, ProgramSeat};
use quadrille_match::store::LastSetup;
use quadrille_puzzles::strength::Strength;
use quadrille_rules::{OptionSpec, Setup, SetupError};
use quadrille_search::{Horizon, Level};
use quadrille_table::catalogue::GameEntry;
use quadrille_table::play::Table;
use rows::{FormRow, OptionGroup, counts, is_size};
use seats::{SeatChoice, player_of};

pub(super) struct SetupScreen {
    entry: &'static GameEntry,
    /// The options that differ from their defaults.
    setup: Setup,
    /// The players by seat. There may be more entries than seats.
    choices: Vec<SeatChoice>,
    seats: u8,
    opponent: Opponent,
    /// The name of the only person at this terminal.
    own_name: String,
    /// The names of the friends who play at this terminal.
    pair: Vec<String>,
    /// The engine that was seated before the user changed the first row.
    last_engine: Option<Player>,
    /// The clock as text; empty without a clock.
    clock: String,
    /// The seconds per move as typed, if they are not a valid thinking time.
    wrong_seconds: Option<String>,
    /// The position in which the match would start, with its setup.
    preview: Option<(Setup, Viewer)>,
    horizon: Option<Horizon>,
    /// The search horizon within `Level::patience`. It decides whether Perfect is available.
    promise: Option<Horizon>,
    error: Option<SetupProblem>,
    shows_more: bool,
    list: ListState,
    /// The open text field for the row under the cursor.
    typing: Option<TextField>,
    /// Whether the last key was a digit. If so, the next digit is appended to the number.
    digits: bool,
    /// Whether two people at this terminal have separate key sets.
    two_key_sets: bool,
    /// The user's own keys that two key sets override, in words.
    lost_keys: Option<String>,
    offered: EngineSeat,
    strength: Option<Strength>,
    /// The configured programs that support this game.
    programs: Vec<ProgramSeat>,
}

/// The reason why no match can start with this setup.
struct SetupProblem {
    row: Option<FormRow>,
    text: String,
}

impl SetupScreen {
    /// Creates a form with these options and players. The cursor is on the first row, where Enter starts the match. A
    /// random layout gets a new seed. If no players are given, the user plays against the computer.
    pub fn new(choices: SetupChoices, context: &mut Context) -> SetupScreen {
        let SetupChoices { entry, mut setup, players, clock } = choices;
        for option in (entry.options)(&setup) {
            if let Some(value) = option.shorthand().and_then(|name| setup.get(name)) {
                setup.set(option.name(), value.to_owned());
            }
        }
        for option in (entry.options)(&setup) {
            option.shorthand().into_iter().for_each(|name| setup.remove(name));
        }
        let choice = |(seat, player)| match SeatChoice::of(player) {
            // A match uses this label as the name of an unnamed person.
            choice if choice.name == FormRow::Seat(seat).label() => {
                SeatChoice { name: String::new(), ..choice }
            }
            choice => choice,
        };
        let choices: Vec<SeatChoice> = (0..).zip(players).map(choice).collect();
        let opponent = if choices.is_empty() { Opponent::Computer } else { Opponent::of(&choices) };
        let names = choices.iter().filter(|choice| choice.other.is_none());
        let names: Vec<String> = names.map(|choice| choice.name.clone()).collect();
        let is_named = names.iter().any(|name| !name.is_empty());
        let mut screen = SetupScreen {
            entry,
            setup,
            choices,
            seats: 0,
            opponent,
            own_name: match &*names {
                [name] if is_named => name.clone(),
                _ => context.usual_name(),
            },
            pair: match opponent {
                Opponent::FriendHere if is_named => names,
                _ => context.last_pair(entry.id),
            },
            last_engine: None,
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
            two_key_sets: false,
            lost_keys: None,
            offered: EngineSeat::new(Level::Strong),
            strength: Strength::of(&context.progress, entry.id, context.today()),
            programs: Vec::new(),
        };
        screen.adopt(&context.settings);
        // Even if the layout has no seed, since the user may choose one that has.
        if (entry.options)(&Setup::new()).iter().any(|option| option.name() == "seed") {
            screen.setup.set("seed", context.seed);
            context.seed = context.seed % 9999 + 1;
        }
        screen.check();
        screen
    }

    /// Creates a form with the last setup of the game. If there is none, people and engines are seated as in the last
    /// match of any game.
    pub fn with_last_setup(entry: &'static GameEntry, context: &mut Context) -> SetupScreen {
        let last = context.setups.iter().find(|last| last.game == entry.id).cloned();
        let is_new = last.is_none();
        let choices = match last.filter(|last| (entry.start)(&last.given_setup).is_ok()) {
            Some(LastSetup { given_setup, names, clock, .. }) => {
                let players = names.iter().map(|name| player_of(name)).collect();
                SetupChoices { entry, setup: given_setup, players, clock }
            }
            None => SetupChoices { entry, setup: Setup::new(), players: Vec::new(), clock: None },
        };
        let mut screen = SetupScreen::new(choices, context);
        // Use the most recent name, regardless of the game.
        if let Some(name) = context.names.first().filter(|_| screen.shows_own_name()) {
            screen.set(FormRow::Name, name);
        }
        if let Some(other) = context.setups.first().filter(|_| is_new) {
            screen.sit_as_in(other);
        }
        screen
    }

    /// Returns whether exactly one person plays at this terminal, so that the form has a row for the person's name.
    const fn shows_own_name(&self) -> bool {
        matches!(self.opponent, Opponent::Computer | Opponent::FriendOverSsh)
    }

    fn rows(&self) -> Vec<FormRow> {
        let mut rows = vec![FormRow::Opponent];
        rows.extend(self.options(OptionGroup::Players));
        let seats = (0..self.seats).map(FormRow::Seat);
        match self.opponent {
            Opponent::Computer => rows.extend([FormRow::Level, FormRow::FirstMove]),
            Opponent::FriendHere if self.seats == 2 => {
                rows.extend(seats.chain([FormRow::FirstMove]));
            }
            Opponent::FriendOverSsh => rows.extend([FormRow::Name, FormRow::FirstMove]),
            Opponent::FriendHere | Opponent::Custom => rows.extend(seats),
        }
        rows.extend(self.asks_for_seconds().then_some(FormRow::Time));
        rows.extend(self.sizes().next().map(|_| FormRow::Board));
        rows.extend(self.options(OptionGroup::Common));
        rows.push(FormRow::Clock);
        let more = self.more();
        rows.extend(if self.shows_more || more.is_empty() { more } else { vec![FormRow::More] });
        rows.push(FormRow::Start);
        rows
    }

    fn more(&self) -> Vec<FormRow> {
        let name = (self.opponent == Opponent::Computer).then_some(FormRow::Name);
        let sizes: Vec<FormRow> = self.sizes().map(FormRow::Option).collect();
        let sizes = sizes.into_iter().filter(|_| self.sizes().nth(1).is_some());
        let keys = self.can_share_keyboard().then_some(FormRow::Keys);
        let rows = name.into_iter().chain(keys).chain(sizes);
        rows.chain(self.options(OptionGroup::More)).collect()
    }

    fn can_share_keyboard(&self) -> bool {
        self.seats == 2 && (0..2).all(|seat| self.choice(seat).other.is_none())
    }

    fn sizes(&self) -> impl Iterator<Item = OptionSpec> {
        (self.entry.options)(&self.setup).into_iter().filter(is_size)
    }

    /// Returns the rows for the options in a group, except the board size.
    fn options(&self, group: OptionGroup) -> Vec<FormRow> {
        let options = (self.entry.options)(&self.setup).into_iter();
        let rows = |option| {
            let count = match option {
                OptionSpec::Choice(option) => {
                    option.as_written(&self.setup).1.map(|_| FormRow::Count(option))
                }
                _ => None,
            };
            count.into_iter().chain([FormRow::Option(option)])
        };
        options
            .filter(|option| OptionGroup::of(option) == group && !is_size(option))
            .flat_map(rows)
            .collect()
    }

    fn row(&self) -> FormRow {
        self.rows().get(self.list.at()).copied().unwrap_or(FormRow::Start)
    }

    /// Validates the setup, and updates the preview, the error and the number of seats.
    fn check(&mut self) {
        if self.preview.as_ref().is_none_or(|(words, _)| *words != self.setup) {
            self.preview = match Viewer::open(self.entry, &self.setup) {
                Ok(viewer) => Some((self.setup.clone(), viewer)),
                Err(error) => {
                    let problem = self.problem(&error);
                    self.shows_more |= problem.row.is_some_and(|row| self.more().contains(&row));
                    self.error = Some(problem);
                    None
                }
            };
        }
        let Some((_, viewer)) = &self.preview else { return };
        let seats = viewer.current_match().seats();
        let position = viewer.current_match().now();
        let time = self.engine().and_then(|engine| engine.time()).unwrap_or(EngineSeat::USUAL_TIME);
        let engine = (self.entry.engine)();
        self.horizon = engine.horizon(position, time).ok();
        self.promise = engine.horizon(position, Level::patience(time)).ok();
        if seats != self.seats {
            self.seats = seats;
            self.seat_players();
        }
        self.error = (0..).zip(self.players()).find_map(|(seat, player)| {
            let row = self.row_of_seat(seat);
            let label = row.label();
            let text = match &player {
                Player::Person(name) if name.is_empty() => return None,
                Player::Person(name) => {
                    format!("{label}: {}", Player::check_name(name).err()?)
                }
                _ => self.promise.and_then(|promise| player.check_level(promise).err())?,
            };
            Some(SetupProblem { row: Some(row), text })
        });
        if let (Err(_), None) = (self.time_control(), &self.error) {
            let text = "Clock: type it as 5 min + 3 s, at most 24 h + 1 h".to_owned();
            self.error = Some(SetupProblem { row: Some(FormRow::Clock), text });
        }
        let seconds = self.wrong_seconds.as_ref().filter(|_| self.asks_for_seconds());
        if let (Some(_), None) = (seconds, &self.error) {
            let row = FormRow::Time;
            let text = format!("{}: {}", row.label(), EngineSeat::THINKING_TIME);
            self.error = Some(SetupProblem { row: Some(row), text });
        }
        let problem = self.error.as_ref().and_then(|error| error.row);
        self.shows_more |= problem == Some(FormRow::Name) && self.more().contains(&FormRow::Name);
    }

    fn row_of_seat(&self, seat: u8) -> FormRow {
        match self.opponent {
            _ if !self.shows_own_name() => FormRow::Seat(seat),
            _ if seat == self.own_seat() => FormRow::Name,
            Opponent::Computer => FormRow::Level,
            _ => FormRow::Opponent,
        }
    }

    /// Returns whether the form has a row for the thinking time of engines.
    fn asks_for_seconds(&self) -> bool {
        self.clock.is_empty() && self.engine().is_some_and(|engine| engine.uses_time())
    }

    /// Returns the problem with a seat whose program is missing.
    fn missing_program(&self, context: &Context) -> Option<SetupProblem> {
        (0..).zip(self.players()).find_map(|(seat, player)| {
            let missing = (context.missing_program)(player.program()?)?;
            let row = self.row_of_seat(seat);
            let text = format!("{}: program not found: {missing}", row.label());
            Some(SetupProblem { row: Some(row), text })
        })
    }

    /// Returns the problem with a rejected setup. For a wrong count, the text lists only the allowed counts.
    fn problem(&self, error: &SetupError) -> SetupProblem {
        let rows = self.rows().into_iter().chain(self.more());
        let mut wrong = rows.filter_map(|row| match row {
            FormRow::Count(option) if option.name == error.option() => {
                let count = Setup::new().with(option.counts, self.value(row));
                let error = counts(&option).read(&count).err()?;
                Some((row, error.reason().to_owned()))
            }
            FormRow::Option(option) if option.name() == error.option() => {
                Some((row, error.reason().to_owned()))
            }
            FormRow::Board if self.sizes().any(|size| size.name() == error.option()) => {
                Some((row, error.reason().to_owned()))
            }
            _ => None,
        });
        match wrong.next() {
            Some((row, why)) => {
                SetupProblem { row: Some(row), text: format!("{}: {why}", row.label()) }
            }
            None => SetupProblem { row: None, text: format!("{error:#}") },
        }
    }

    fn start(&mut self, context: &mut Context) -> Vec<Act> {
        // A program that was missing at the last attempt may exist now.
        self.check();
        self.error = self.error.take().or_else(|| self.missing_program(context));
        if self.error.is_some() {
            return Vec::new();
        }
        let names: Vec<String> = self.players().iter().map(ToString::to_string).collect();
        let Ok(clock) = self.time_control() else { return Vec::new() };
        let conditions = Conditions::from(self.players()).with_clock(clock);
        let (game, given_setup) = (self.entry.id.to_owned(), self.setup.clone());
        let last = context.setups.iter().find(|last| last.game == game);
        let pair = last.map_or(Vec::new(), LastSetup::pair);
        let setup = Box::new(LastSetup { game, given_setup, names, pair, clock });
        let start = if self.has_guest() {
            Act::run(DiskTask::OpenTable(setup.clone()))
        } else if let Ok(table) = Table::new(self.entry, &self.setup, conditions) {
            Act::replace(MatchStart::of(&table))
        } else {
            return Vec::new();
        };
        context.setups.retain(|last| last.game != setup.game);
        context.setups.insert(0, LastSetup::clone(&setup));
        if self.can_share_keyboard() {
            context.evening.part(&Players::seated(self.seats, self.players()));
        }
        let two_key_sets = self.two_key_sets;
        let settings = (two_key_sets != context.settings.two_key_sets && self.can_share_keyboard())
            .then(|| Settings { two_key_sets, ..context.settings.clone() });
        let settings = settings.map(|settings| Act::Set(Box::new(settings)));
        settings.into_iter().chain([Act::run(DiskTask::Remember(setup)), start]).collect()
    }

    fn perform(&mut self, action: Action, context: &mut Context) -> Option<Vec<Act>> {
        let row = self.row();
        let appending = std::mem::take(&mut self.digits);
        let length = self.rows().len();
        match action {
            Action::Confirm => {
                let text = self.typing.take()?.text().trim().to_owned();
                self.set(row, &text);
                // The rows stay in place, even if the seat now has an engine.
                if matches!(row, FormRow::Seat(_)) && self.opponent != Opponent::FriendHere {
                    self.opponent = Opponent::Custom;
                    self.check();
                }
            }
            Action::Cancel => self.typing = None,
            Action::Erase => self.digit(row, None)?,
            Action::PreviousValue | Action::NextValue => {
                self.turn(row, action == Action::NextValue);
            }
            Action::Choose => match row {
                FormRow::Opponent | FormRow::Start => return Some(self.start(context)),
                FormRow::More => self.shows_more = true,
                // Without a clock, the field is empty at first.
                FormRow::Clock if self.clock.is_empty() => {
                    self.typing = Some(TextField::default());
                }
                FormRow::Clock => self.typing = Some(TextField::new(&self.shown(row))),
                row if self.is_typed(row) => self.typing = Some(TextField::new(&self.value(row))),
                _ => self.list.go_to(length - 1),
            },
            Action::Start => return Some(self.start(context)),
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
        self.two_key_sets = settings.two_key_sets;
        self.lost_keys = settings.keys.lost_in_words();
        let programs = settings.programs.iter().filter(|program| program.plays(self.entry));
        self.programs = programs.map(|program| program.seat.clone()).collect();
    }
}

impl Screen for SetupScreen {
    fn actions(&self, _: &Context) -> Vec<Action> {
        if self.typing.is_some() {
            return vec![Action::Confirm, Action::Cancel];
        }
        let mut actions =
            [ListState::ACTIONS, &[Action::Choose, Action::Start, Action::Back]].concat();
        if self.can_turn(self.row()) {
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
                let seats = (0..self.seats).map(FormRow::Seat);
                let mut rows = self.rows().into_iter().chain(self.more()).chain(seats);
                if let Some(row) = rows.find(|row| row.is_called(name)) {
                    self.set(row, value);
                    let shown = match row {
                        FormRow::Seat(seat) => self.row_of_seat(seat),
                        row => row,
                    };
                    self.shows_more |= self.more().contains(&shown);
                } else {
                    let text = format!("unknown option {name}");
                    self.error = Some(SetupProblem { row: None, text });
                }
            }
            Input::Pointer(PointerInput::Value(entry, value)) => {
                self.list.go_to(entry);
                self.digits = false;
                self.choose_opponent(Opponent::ALL[value]);
            }
            Input::GoTo(entry) => {
                self.list.go_to(entry);
                self.digits = false;
            }
            Input::Settings => self.adopt(&context.settings),
            // This message explains why a match could not start, so it is shown as an error.
            Input::Message(line) => {
                self.error = Some(SetupProblem { row: None, text: line.to_owned() });
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
        let start = Action::Start.hint();
        match self.row() {
            FormRow::Opponent => vec![choose("start"), turn, walk],
            FormRow::Start => vec![choose("start"), Action::Up.to("options")],
            FormRow::More => vec![choose("open"), start, walk],
            row if row.is_number() => vec![turn, start, KeyHint::new(DIGITS, "type"), walk],
            row => {
                let edit = self.is_typed(row).then(|| choose("edit"));
                let turn = self.can_turn(row).then_some(turn);
                turn.into_iter().chain(edit).chain([start, walk]).collect()
            }
        }
    }

    fn about(&self) -> Option<About> {
        let item = |text: String| format!("{ITEM}{text}");
        let options = (self.entry.options)(&self.setup).into_iter();
        let options = options.map(|option| {
            item(format!(
                "{}: {} ({})",
                FormRow::Option(option).label(),
                option.help(),
                option.values()
            ))
        });
        let opponents = [
            "Computer: you against an engine or your own program",
            "Friend here: all players at this keyboard",
            "Friend over ssh: you get a command for your friend to run",
            "Custom: any player at any seat, such as a program listed in config.toml",
            "Move time: the limit per move for Strong, Perfect and programs without a clock",
            "Clock: main time and increment per move, as 5 min + 3 s or 300+3 in seconds",
        ];
        let rows = opponents.map(|text| item(text.to_owned())).into_iter().chain(options);
        let text = format!(
            "{}\n\nYour next match of this game starts with this setup.\n\n{}\n\n{}",
            rows.collect::<Vec<_>>().join("\n"),
            Level::ALL
                .map(|level| item(format!("{}: {}", EngineSeat::new(level).name(), level.about())))
                .join("\n"),
            Level::DISTANCES,
        );
        Some(
            About::new(
                format!("Setting up {}", self.entry.name),
                "Choose an opponent and a board.",
            )
            .with_details(text),
        )
    }
}
