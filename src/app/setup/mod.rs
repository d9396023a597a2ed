//! The setup screen: a form for a game's options, seats and clock.

mod form;
mod opponents;
mod options;
mod rows;
mod seats;

use super::Context;
use super::command::Commands;
use super::destination::{MatchStart, SetupChoices};
use super::list::ListState;
use super::screen::{About, Effect, Input, PointerInput, Screen};
use super::tasks::DiskTask;
use super::text::ITEM;
use super::text_field::TextField;
use crate::action::{Action, DIGITS, Key, KeyHint};
use crate::board::Viewer;
use crate::field::{Domain, Field};
use crate::settings::Settings;
use crate::view::View;
use opponents::Opponent;
use quadrille_match::session::{Conditions, EngineSeat, Player, Players, ProgramSeat, TimeControl};
use quadrille_match::store::LastSetup;
use quadrille_puzzles::strength::Strength;
use quadrille_rules::Setup;
use quadrille_search::{Horizon, Level};
use quadrille_table::catalogue::GameEntry;
use quadrille_table::play::Table;
use rows::FormRow;
use seats::{SeatChoice, player_of, seat_label};

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
    /// The label of the wrong row.
    row: Option<String>,
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
        let players = Players::seated(players.len() as u8, players);
        let choices: Vec<SeatChoice> =
            players.as_slice().iter().cloned().map(SeatChoice::of).collect();
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
                _ => context.usual_name().to_owned(),
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
        screen.apply_settings(&context.settings);
        // Even if the layout has no seed, since the user may choose one that has.
        if (entry.options)(&Setup::new()).iter().any(|option| option.name() == "seed") {
            screen.setup.set("seed", context.seed);
        }
        // Engines use the seed too, and play differently in the next match.
        context.seed = context.seed % 9999 + 1;
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
        // Use the usual name, regardless of the game.
        if screen.shows_own_name() && !context.usual_name().is_empty() {
            screen.set_own_name(context.usual_name());
            screen.check();
        }
        if let Some(other) = context.setups.first().filter(|_| is_new) {
            screen.reuse_seating(other);
        }
        screen
    }

    /// Returns whether exactly one person plays at this terminal, so that the form has a row for the person's name.
    const fn shows_own_name(&self) -> bool {
        matches!(self.opponent, Opponent::Computer | Opponent::FriendOverSsh)
    }

    fn can_share_keyboard(&self) -> bool {
        self.seats == 2 && (0..2).all(|seat| self.choice(seat).other.is_none())
    }

    /// Returns the row under the cursor.
    fn row(&self) -> FormRow {
        let mut rows = self.rows();
        rows.swap_remove(self.list.at().min(rows.len() - 1))
    }

    /// Validates the setup, and updates the preview, the error and the number of seats.
    fn check(&mut self) {
        if self.preview.as_ref().is_none_or(|(words, _)| *words != self.setup) {
            self.preview = match Viewer::open(self.entry, &self.setup) {
                Ok(viewer) => Some((self.setup.clone(), viewer)),
                Err(error) => {
                    let problem = self.problem(&error);
                    if let Some(row) = &problem.row {
                        self.reveal(row);
                    }
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
            let label = self.label_of_seat(seat);
            let text = match &player {
                Player::Person(name) => {
                    format!("{label}: {}", Player::check_name(name.as_ref()?).err()?)
                }
                _ => self.promise.and_then(|promise| player.check_level(promise).err())?,
            };
            Some(SetupProblem { row: Some(label), text })
        });
        if let (Err(why), None) = (self.time_control(), &self.error) {
            let text = format!("Clock: {why}");
            self.error = Some(SetupProblem { row: Some("Clock".to_owned()), text });
        }
        let seconds = self.wrong_seconds.as_ref().filter(|_| self.asks_for_seconds());
        if let (Some(_), None) = (seconds, &self.error) {
            let row = "Move time".to_owned();
            let text = format!("{row}: {}", EngineSeat::THINKING_TIME);
            self.error = Some(SetupProblem { row: Some(row), text });
        }
        if let Some(row) = self.error.as_ref().and_then(|error| error.row.clone()) {
            self.reveal(&row);
        }
    }

    /// Returns the label of the row that shows the player at a seat.
    fn label_of_seat(&self, seat: u8) -> String {
        match self.opponent {
            _ if !self.shows_own_name() => seat_label(seat),
            _ if seat == self.own_seat() => "Your name",
            Opponent::Computer => "Level",
            _ => "Opponent",
        }
        .to_owned()
    }

    /// Returns whether the form has a row for the thinking time of engines.
    fn asks_for_seconds(&self) -> bool {
        // With days per move, engines take their usual time.
        let has_days = matches!(self.time_control(), Ok(Some(TimeControl::Days(_))));
        (self.clock.is_empty() || has_days)
            && self.engine().is_some_and(|engine| engine.uses_time())
    }

    /// Returns the problem with a seat whose program is missing.
    fn missing_program(&self, context: &Context) -> Option<SetupProblem> {
        (0..).zip(self.players()).find_map(|(seat, player)| {
            let missing = (context.missing_program)(player.program()?)?;
            let row = self.label_of_seat(seat);
            let text = format!("{row}: program not found: {missing}");
            Some(SetupProblem { row: Some(row), text })
        })
    }

    fn start(&mut self, context: &mut Context) -> Vec<Effect> {
        // A program that was missing at the last attempt may exist now.
        self.check();
        self.error = self.error.take().or_else(|| self.missing_program(context));
        if self.error.is_some() {
            return Vec::new();
        }
        let players = Players::seated(self.seats, self.players());
        let players = players.with_usual_name(context.usual_name()).as_slice().to_vec();
        let names: Vec<String> = players.iter().map(ToString::to_string).collect();
        let Ok(clock) = self.time_control() else { return Vec::new() };
        let conditions = Conditions::from(players.clone()).with_clock(clock);
        let (game, given_setup) = (self.entry.id.to_owned(), self.setup.clone());
        let last = context.setups.iter().find(|last| last.game == game);
        let pair = last.map_or(Vec::new(), LastSetup::pair);
        let setup = Box::new(LastSetup { game, given_setup, names, pair, clock });
        let start = if self.has_guest() {
            Effect::run(DiskTask::OpenTable(setup.clone()))
        } else if let Ok(table) = Table::new(self.entry, &self.setup, conditions) {
            Effect::replace(MatchStart::of(&table))
        } else {
            return Vec::new();
        };
        context.setups.retain(|last| last.game != setup.game);
        context.setups.insert(0, LastSetup::clone(&setup));
        if self.can_share_keyboard() {
            context.series_log.forget_pair(&Players::seated(self.seats, players));
        }
        let two_key_sets = self.two_key_sets;
        let settings = (two_key_sets != context.settings.two_key_sets && self.can_share_keyboard())
            .then(|| Settings { two_key_sets, ..context.settings.clone() });
        let settings = settings.map(|settings| Effect::Set(Box::new(settings)));
        settings.into_iter().chain([Effect::run(DiskTask::Remember(setup)), start]).collect()
    }

    fn perform(&mut self, action: Action, context: &mut Context) -> Option<Vec<Effect>> {
        let FormRow { field, set } = self.row();
        let appending = std::mem::take(&mut self.digits);
        let length = self.rows().len();
        match action {
            Action::Confirm => {
                let text = self.typing.take()?.text().trim().to_owned();
                let opponent = self.opponent;
                set(self, &text);
                // The rows stay in place, even if the seat now has an engine.
                if self.opponent != opponent {
                    self.opponent = Opponent::Custom;
                    self.check();
                }
            }
            Action::Cancel => self.typing = None,
            Action::Erase => self.digit(None)?,
            Action::PreviousValue | Action::NextValue => {
                let stepped = field.stepped(action == Action::NextValue);
                let is_link = matches!(field.domain, Domain::Link);
                set(self, &stepped.or_else(|| is_link.then(String::new))?);
            }
            Action::Choose if self.list.at() == 0 => return Some(self.start(context)),
            Action::Choose => match field.domain {
                Domain::Button => return Some(self.start(context)),
                Domain::Link => set(self, ""),
                // An empty field is shown as a word.
                _ if field.is_edited() && field.value.is_empty() => {
                    self.typing = Some(TextField::default());
                }
                _ if field.is_edited() => self.typing = Some(TextField::new(&field.shown)),
                _ => self.list.go_to(length - 1),
            },
            Action::Start => return Some(self.start(context)),
            Action::Back => return Some(vec![Effect::Pop]),
            action => match action.digit() {
                Some(digit) => {
                    self.digits = appending;
                    self.digit(Some(digit))?;
                }
                None => return self.list.input(&Input::Action(action), length, &context.feedback),
            },
        }
        Some(Vec::new())
    }

    /// Types a digit in a row that holds a number; `None` erases the last digit.
    fn digit(&mut self, digit: Option<u8>) -> Option<()> {
        let FormRow { field, set } = self.row();
        if !field.is_number() {
            return None;
        }
        // Typed numbers count what the row shows.
        let more = u32::from(field.counts_boxes());
        let shown = |value: String| match value.parse::<u32>() {
            Ok(number) if more > 0 => number.saturating_sub(more).to_string(),
            _ => value,
        };
        let mut value = shown(field.value);
        match digit {
            None => {
                value.pop();
            }
            Some(digit) => {
                if !self.digits || value == "0" {
                    value.clear();
                }
                if value.len() < 9 {
                    value.push((b'0' + digit) as char);
                }
            }
        }
        match value.parse::<u32>() {
            Ok(boxes) if more > 0 => set(self, &(boxes + more).to_string()),
            _ => set(self, &value),
        }
        // When all digits are erased, the default returns, and the next digit starts a new number.
        self.digits = !value.is_empty();
        Some(())
    }

    /// Types the decimal point after digits in a row that holds a decimal.
    fn decimal_point(&mut self) -> Option<()> {
        let FormRow { field, set } = self.row();
        if !field.has_decimals() || !self.digits || field.value.contains('.') {
            return None;
        }
        set(self, &format!("{}.", field.value));
        Some(())
    }

    fn apply_settings(&mut self, settings: &Settings) {
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
    fn commands(&self, _: &Context) -> Commands {
        let start = Action::Start.hint();
        if self.typing.is_some() {
            return Commands::default().show(Action::Confirm.hint()).show(Action::Cancel.hint());
        }
        let turn = KeyHint::new(&[Action::PreviousValue, Action::NextValue], "change");
        let choose = |label| Action::Choose.to(label);
        let field = self.row().field;
        let opens = matches!(field.domain, Domain::Link);
        let is_button = matches!(field.domain, Domain::Button) && self.list.at() > 0;
        let commands = Commands::default();
        let commands = match field.domain {
            _ if self.list.at() == 0 => commands.show(choose("start")).show(turn),
            Domain::Button => commands.show(choose("start")).show(Action::Up.to("options")),
            Domain::Link => commands.show(choose("open")).show(start),
            Domain::Numbers(_) => commands
                .show(turn)
                .show(start)
                .show(KeyHint::new(DIGITS, "type"))
                .hide(&[Action::Erase]),
            _ => commands
                .show_if(field.turns(), turn)
                .show_if(field.is_edited(), choose("edit"))
                .show(start),
        };
        let moves = ListState::add_to(Commands::default());
        let moves = if is_button { moves.with_footer([]) } else { moves };
        commands
            .add(moves)
            .hide(if opens { &[Action::PreviousValue, Action::NextValue] } else { &[] })
            .hide(&[Action::Choose, Action::Start, Action::Back])
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
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
            Input::Set(index, value) => {
                let row = self.all_rows().into_iter().nth(index)?;
                (row.set)(self, value);
                self.reveal(&row.field.label);
            }
            Input::Pointer(PointerInput::Value(entry, choice)) => {
                self.list.go_to(entry);
                self.digits = false;
                let FormRow { field, set } = self.row();
                set(self, &field.domain.choices().get(choice)?.value);
            }
            Input::GoTo(entry) => {
                self.list.go_to(entry);
                self.digits = false;
            }
            Input::Settings => self.apply_settings(&context.settings),
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

    fn fields(&self, _: &Context) -> Vec<Field> {
        self.all_rows().into_iter().map(|row| row.field).collect()
    }

    fn about(&self) -> Option<About> {
        let item = |text: String| format!("{ITEM}{text}");
        let options = (self.entry.options)(&self.setup).into_iter();
        let options = options.map(|option| {
            item(format!(
                "{}: {} ({})",
                options::label(option.name()),
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
            "Clock: main time and increment per move, as 5 min + 3 s or 300+3 in seconds; with a friend over ssh \
             also days per move, as 3 days",
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

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_scene::Theme;
    use quadrille_table::catalogue::GAMES;

    /// For all games, opponents and rows: each value that the arrow keys reach can be typed as it is shown.
    #[test]
    fn every_shown_value_can_be_typed() {
        for entry in &GAMES {
            for opponent in 0.. {
                let mut context = Context::new(Theme::night(), 1);
                context.setups = vec![LastSetup {
                    game: String::new(),
                    given_setup: Setup::new(),
                    names: vec![String::new(), "engine:beginner".to_owned()],
                    pair: vec!["Ann".to_owned(), "Bob".to_owned()],
                    clock: None,
                }];
                let mut form = SetupScreen::with_last_setup(entry, &mut context);
                let first = form.rows().swap_remove(0);
                let Some(choice) = first.field.domain.choices().get(opponent) else { break };
                (first.set)(&mut form, &choice.value);
                form.shows_more = true;
                for index in 0..form.rows().len() {
                    for _ in 0..8 {
                        let rows = form.rows();
                        let Some(FormRow { field, set }) = rows.into_iter().nth(index) else {
                            break;
                        };
                        if matches!(field.domain, Domain::Link | Domain::Button) || index == 0 {
                            break;
                        }
                        let shown =
                            if field.shown.is_empty() { field.placeholder } else { &field.shown };
                        let value = field.read(shown);
                        assert_eq!(
                            value.as_ref(),
                            Ok(&field.value),
                            "{}: {}",
                            entry.id,
                            field.label
                        );
                        let Some(next) = field.stepped(true) else { break };
                        set(&mut form, &next);
                        let again = form.rows().into_iter().nth(index).map(|row| row.field);
                        let again = again.filter(|again| again.label == field.label);
                        let Some(again) = again else { break };
                        assert_eq!(again.value, next, "{}: {}", entry.id, field.label);
                        assert_eq!(
                            field.read(&again.shown),
                            Ok(next),
                            "{}: {}",
                            entry.id,
                            field.label
                        );
                    }
                }
            }
        }
    }
}
