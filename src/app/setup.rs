//! The setup screen: a form made from the options that a game describes, and the names.

mod drawing;
mod rows;
mod seats;

use super::OpenMatch;
use super::field::Field;
use super::matches::MatchScreen;
use super::screen::{Act, Screen};
use super::tasks::DiskTask;
use super::text::ITEM;
use super::{Context, form, keys};
use crate::action::{Action, DIGITS, Hint};
use crate::board::Viewer;
use crate::catalogue::Entry;
use crate::printable::is_name;
use crate::rules::{NumberOption, OptionSpec, Setup, SetupError};
use crate::search::{Horizon, Level};
use crate::session::{
    Conditions, EngineSeat, LastSetup, ParseTimeControlError, Player, PositionSpec, ProgramSeat,
    TimeControl,
};
use crate::settings::Settings;
use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use rows::{Row, counts, cycle, step_number};
use seats::Chair;

/// What is shown where there is no clock.
const NO_CLOCK: &str = "none";

/// The clocks that left and right go through; any other can be typed.
const CLOCKS: [&str; 6] = [NO_CLOCK, "60+0", "180+2", "300+3", "600+5", "1800+0"];

/// A game being set up.
pub(super) struct SetupScreen {
    entry: &'static Entry,
    /// The words as far as they differ from the defaults.
    setup: Setup,
    /// Who is to sit where; there may be more chairs than seats.
    chairs: Vec<Chair>,
    seats: u8,
    /// The clock as it is written; empty for none.
    clock: String,
    /// The match as it would start, and the words of its setup.
    preview: Option<(Setup, Box<dyn Viewer>)>,
    /// How far an engine would see.
    horizon: Option<Horizon>,
    /// Why no match can start like this.
    error: Option<Problem>,
    at: usize,
    /// The text of the row under the cursor, while it is typed.
    typing: Option<Field>,
    /// Whether the last key was a digit, so that the next one is appended.
    digits: bool,
    /// The engine that is offered first.
    offered: EngineSeat,
    /// The programs of the settings that play this game.
    programs: Vec<ProgramSeat>,
}

/// Why no match can start.
struct Problem {
    /// What the row is called that it is about.
    row: String,
    text: String,
}

impl SetupScreen {
    /// A form that begins with these words and players, the cursor on the start. A random layout gets
    /// a fresh seed.
    pub fn new(
        entry: &'static Entry,
        setup: Setup,
        players: Vec<Player>,
        context: &mut Context,
    ) -> SetupScreen {
        let nobody = players.iter().all(|player| player.name().is_empty());
        let names = context.names.iter().cloned();
        let players = if nobody { names.map(Player::Person).collect() } else { players };
        let mut screen = SetupScreen {
            entry,
            setup,
            chairs: players.into_iter().map(Chair::of).collect(),
            seats: 2,
            clock: String::new(),
            preview: None,
            horizon: None,
            error: None,
            at: 0,
            typing: None,
            digits: false,
            offered: EngineSeat::new(Level::Strong),
            programs: Vec::new(),
        };
        if (entry.options)(&screen.setup).iter().any(|option| option.name() == "seed") {
            screen.setup.set("seed", context.seed);
            context.seed = context.seed % 9999 + 1;
        }
        screen.check();
        screen.at = screen.rows().len() - 1;
        screen
    }

    /// A form that begins with how the game was set up last.
    pub fn again(entry: &'static Entry, context: &mut Context) -> SetupScreen {
        let last = context.setups.iter().find(|it| it.game == entry.id).cloned();
        match last.filter(|last| (entry.start)(&last.words).is_ok()) {
            Some(LastSetup { words, names, clock, .. }) => {
                let player = |name: String| name.parse().unwrap_or(Player::Person(name));
                let players = names.into_iter().map(player).collect();
                SetupScreen::new(entry, words, players, context).with_clock(clock)
            }
            None => SetupScreen::new(entry, Setup::new(), Vec::new(), context),
        }
    }

    /// The same with this clock.
    pub fn with_clock(mut self, clock: Option<TimeControl>) -> SetupScreen {
        self.clock = clock.map_or(String::new(), |clock| clock.to_string());
        self.at = self.rows().len() - 1;
        self
    }

    /// The clock, if there is to be one.
    fn control(&self) -> Result<Option<TimeControl>, ParseTimeControlError> {
        if self.clock.is_empty() { Ok(None) } else { self.clock.parse().map(Some) }
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for option in (self.entry.options)(&self.setup) {
            rows.push(Row::Option(option));
            if let OptionSpec::Counted(counted) = option
                && counted.as_written(&self.setup).1.is_some()
            {
                rows.push(Row::Count(counted));
            }
        }
        rows.extend((0..self.seats).map(Row::Seat));
        rows.push(Row::Clock);
        rows.extend(self.engine().filter(|_| self.clock.is_empty()).map(|_| Row::Time));
        rows.push(Row::Start);
        rows
    }

    fn row(&self) -> Row {
        self.rows().get(self.at).copied().unwrap_or(Row::Start)
    }

    fn value(&self, row: Row) -> String {
        match row {
            Row::Option(OptionSpec::Counted(option)) => option.as_written(&self.setup).0.to_owned(),
            Row::Option(option) => {
                self.setup.get(option.name()).map_or_else(|| option.default(), str::to_owned)
            }
            Row::Count(option) => option.as_written(&self.setup).1.unwrap_or_default(),
            Row::Seat(seat) => match self.chair(seat) {
                Chair { engine: Some(engine), .. } => engine.name().to_owned(),
                Chair { name, .. } => name,
            },
            Row::Time => self.engine().map_or_else(String::new, |engine| engine.seconds()),
            Row::Clock if self.clock.is_empty() => NO_CLOCK.to_owned(),
            Row::Clock => self.clock.clone(),
            Row::Start => String::new(),
        }
    }

    fn set(&mut self, row: Row, value: &str) {
        match row {
            Row::Option(option) if value.is_empty() || value == option.default() => {
                self.setup.remove(option.name());
            }
            Row::Option(option) => self.setup.set(option.name(), value),
            Row::Count(option) => {
                let word = option.as_written(&self.setup).0;
                let default = option.default.to_string();
                let count = if value.is_empty() { &default } else { value };
                return self.set(Row::Option(option.into()), &format!("{word}:{count}"));
            }
            // What is typed may also be an engine or a program.
            Row::Seat(seat) => {
                let player = value.parse().unwrap_or_else(|_| Player::Person(value.to_owned()));
                *self.chair_mut(seat) = Chair::of(player);
            }
            Row::Time => {
                let tenths = value.parse().unwrap_or(0_u32).saturating_mul(10);
                let tenths = tenths.clamp(*EngineSeat::TENTHS.start(), *EngineSeat::TENTHS.end());
                for engine in self.chairs.iter_mut().filter_map(|chair| chair.engine.as_mut()) {
                    engine.set_tenths(tenths);
                }
            }
            Row::Clock => {
                let is_none = value.eq_ignore_ascii_case(NO_CLOCK);
                self.clock = if is_none { String::new() } else { value.to_owned() };
                // What can be read is written as it is everywhere.
                if let Ok(Some(clock)) = self.control() {
                    self.clock = clock.to_string();
                }
            }
            Row::Start => {}
        }
        self.check();
    }

    /// Tries the setup out, for the preview, the error and the number of seats.
    fn check(&mut self) {
        if self.preview.as_ref().is_none_or(|(words, _)| *words != self.setup) {
            self.preview = match (self.entry.open)(&self.setup) {
                Ok(viewer) => Some((self.setup.clone(), viewer)),
                Err(error) => {
                    self.error = Some(self.problem(&error));
                    None
                }
            };
        }
        let Some((_, viewer)) = &self.preview else { return };
        self.seats = viewer.game().seats();
        let time = self.engine().map_or(self.offered.time(), |engine| engine.time());
        let position = PositionSpec::to(viewer.game());
        self.horizon = (self.entry.engine)().horizon(&position, time).ok();
        self.error = (0..).zip(self.players()).find_map(|(seat, player)| {
            let row = Row::Seat(seat).label();
            let text = match &player {
                Player::Person(name) => match name.parse::<Player>() {
                    Err(why) => format!("{row}: {why}"),
                    Ok(_) if name.is_empty() || is_name(name) => return None,
                    Ok(_) => format!("{row}: {name:?} is no name"),
                },
                _ => self.horizon.as_ref().and_then(|horizon| player.promise(horizon).err())?,
            };
            Some(Problem { row, text })
        });
        if let (Err(error), None) = (self.control(), &self.error) {
            self.error = Some(Problem { row: Row::Clock.label(), text: error.to_string() });
        }
    }

    /// What a setup is refused for: of a count that is wrong, only what it has to be.
    fn problem(&self, error: &SetupError) -> Problem {
        let wrong_count = self.rows().into_iter().find_map(|row| match row {
            Row::Count(option)
                if option.name == error.option() && option.read(&self.setup).is_err() =>
            {
                let number = counts(&option);
                number.read(&Setup::new().with(number.name, self.value(row))).err()
            }
            _ => None,
        });
        let error = wrong_count.as_ref().unwrap_or(error);
        Problem { row: error.option().to_owned(), text: format!("{error:#}") }
    }

    fn start(&mut self, context: &mut Context) -> Vec<Act> {
        if self.error.is_some() {
            return Vec::new();
        }
        let names: Vec<String> = self.players().iter().map(ToString::to_string).collect();
        let Ok(clock) = self.control() else { return Vec::new() };
        let conditions = Conditions::from(self.players()).with_clock(clock);
        let Ok(open_match) = OpenMatch::new(self.entry, &self.setup, conditions) else {
            return Vec::new();
        };
        let (game, words) = (self.entry.id.to_owned(), self.setup.clone());
        let setup = LastSetup { game, words, names, clock };
        context.setups.retain(|it| it.game != setup.game);
        context.setups.insert(0, setup.clone());
        vec![
            Act::run(DiskTask::Remember(Box::new(setup))),
            Act::replace(MatchScreen::new(open_match)),
        ]
    }

    /// Left and right: the next value of the row, up or down.
    fn turn(&mut self, row: Row, up: bool) {
        let value = match row {
            Row::Option(OptionSpec::Number(option)) => step_number(&option, &self.value(row), up),
            Row::Option(OptionSpec::Choice(option)) => {
                let at = option.read(&self.setup).unwrap_or(0);
                option.choices[cycle(at, option.choices.len(), up)].to_owned()
            }
            Row::Option(OptionSpec::Counted(option)) => {
                let here = option.as_written(&self.setup).0;
                let at = option.choices.iter().position(|(word, _)| *word == here);
                match option.choices[cycle(at.unwrap_or(0), option.choices.len(), up)] {
                    (word, true) => format!("{word}:{}", option.default),
                    (word, false) => word.to_owned(),
                }
            }
            Row::Count(option) => step_number(&counts(&option), &self.value(row), up),
            Row::Time => {
                let tenths = self.engine().map_or(0, |engine| engine.tenths());
                (if up { tenths / 10 + 1 } else { tenths.saturating_sub(1) / 10 }).to_string()
            }
            Row::Clock => {
                let at = CLOCKS.iter().position(|clock| *clock == self.value(row)).unwrap_or(0);
                CLOCKS[cycle(at, CLOCKS.len(), up)].to_owned()
            }
            Row::Seat(seat) => return self.turn_seat(seat, up),
            Row::Option(OptionSpec::Text(_)) | Row::Start => return,
        };
        self.set(row, &value);
    }

    /// Digits and the erasing of them, in rows that hold a number.
    fn digit(&mut self, row: Row, digit: Option<u8>) -> Option<()> {
        if !row.is_number() {
            return None;
        }
        let mut value = self.value(row);
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
        self.set(row, &value);
        // With the last digit gone the default is back, and the next digit begins anew.
        self.digits = !value.is_empty();
        Some(())
    }

    /// Whether what the row holds is a text that is typed: a clock, or a name, unless an engine sits there.
    fn is_typed(&self, row: Row) -> bool {
        match row {
            Row::Seat(seat) => self.chair(seat).engine.is_none(),
            row => matches!(row, Row::Option(OptionSpec::Text(_)) | Row::Clock),
        }
    }
}

impl Screen for SetupScreen {
    fn actions(&self, _: &Context) -> Vec<Action> {
        if self.typing.is_some() {
            return vec![Action::Confirm, Action::Cancel];
        }
        let mut actions = [keys::WALK, &[Action::Choose, Action::Back]].concat();
        if self.row().can_turn() {
            actions.extend([Action::PreviousValue, Action::NextValue]);
        }
        if self.row().is_number() {
            actions.push(Action::Erase);
            actions.extend(DIGITS);
        }
        actions
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
                Row::Start => return Some(self.start(context)),
                // What stands there where there is no clock is not to be erased first.
                Row::Clock => self.typing = Some(Field::new(&self.clock)),
                row if self.is_typed(row) => self.typing = Some(Field::new(&self.value(row))),
                _ => self.at = length - 1,
            },
            Action::Back => return Some(vec![Act::Pop]),
            action => match action.digit() {
                Some(digit) => {
                    self.digits = appending;
                    self.digit(row, Some(digit))?;
                }
                None => self.at = keys::walk(self.at, length, length, action)?,
            },
        }
        Some(Vec::new())
    }

    fn adopt(&mut self, settings: &Settings) {
        let tenths = (settings.time.as_millis() / 100) as u32;
        let tenths = tenths.clamp(*EngineSeat::TENTHS.start(), *EngineSeat::TENTHS.end());
        self.offered = EngineSeat { level: settings.level, tenths, seed: None };
        let programs = settings.programs.iter().filter(|program| program.plays(self.entry));
        self.programs = programs.map(|program| program.seat.clone()).collect();
    }

    fn other_key(&mut self, key: &KeyEvent, _: &Context) -> Option<Vec<Act>> {
        self.typing.as_mut()?.key(key).then(Vec::new)
    }

    fn go_to_entry(&mut self, entry: usize, _: &Context) {
        self.at = entry;
        self.digits = false;
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let skin = context.skin;
        let places = form::Places::of(area);
        form::draw_title(self.entry.name, "new match", places.whole, skin, buffer);
        if let (Some(beside), Some((_, viewer))) = (places.beside, &self.preview) {
            drawing::draw_preview(&**viewer, beside, skin, buffer);
        }
        self.draw_form(context, places.form, buffer)
    }

    fn hints(&self) -> Vec<Hint> {
        if self.typing.is_some() {
            return vec![Action::Confirm.hint(), Action::Cancel.hint()];
        }
        let [walk, turn] = [
            Hint::new(&[Action::Up, Action::Down], "move"),
            Hint::new(&[Action::PreviousValue, Action::NextValue], "change"),
        ];
        let choose = |does| Action::Choose.to(does);
        match self.row() {
            Row::Start => vec![choose("start"), Action::Up.to("options")],
            Row::Seat(_) => {
                let does = if self.is_typed(self.row()) { "name" } else { "done" };
                vec![Hint { does: "who", ..turn }, choose(does), walk]
            }
            Row::Option(OptionSpec::Text(_)) => vec![choose("type"), walk],
            row if row.is_number() => {
                vec![turn, Hint::new(DIGITS, "type"), walk, choose("done")]
            }
            Row::Clock => vec![turn, choose("type"), walk],
            Row::Option(_) | Row::Count(_) | Row::Time => vec![turn, walk, choose("done")],
        }
    }

    fn about(&self) -> (String, String) {
        let levels = Level::ALL.map(|level| EngineSeat::new(level).name()).join(", ");
        let options = self.rows().into_iter().filter_map(|row| match row {
            Row::Option(option) => {
                Some(format!("{}: {}, {}", option.name(), option.help(), option.values()))
            }
            Row::Count(option) => {
                let NumberOption { name, help, min, max, .. } = counts(&option);
                Some(format!("{name}: {help}, {min} to {max}"))
            }
            _ => None,
        });
        let rest = [
            format!("seat 1 to {}: a name, or an engine: {levels}, or a program", self.seats),
            "clock: seconds for the whole match and for each move, such as 300+5, or none"
                .to_owned(),
            "seconds: how long an engine may think about a move, where one plays without a clock"
                .to_owned(),
        ];
        let rows = options.chain(rest).map(|row| format!("{ITEM}{row}"));
        let text = format!(
            "Set the match up, and start it from the last row.\n\n{}\n\nOn a seat, left and right choose who plays, \
             and Enter types a name, or cmd: and the command line of a program. The next match of this game is set up as the last one was.",
            rows.collect::<Vec<_>>().join("\n"),
        );
        (format!("Setting up {}", self.entry.name), text)
    }

    fn takes_text(&self) -> bool {
        self.typing.is_some()
    }

    fn paste(&mut self, text: &str) -> Option<Vec<Act>> {
        self.typing.as_mut()?.paste(text);
        Some(Vec::new())
    }
}
