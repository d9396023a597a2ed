//! Key scripts for the app.

use super::picture;
use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use quadrille::app::{App, Ask, EngineEvent, EngineTask, OpenMatch, Task};
use quadrille::board::Skin;
use quadrille::settings::{MotionChoice, Seconds, Settings};
use quadrille_match::session::{Conditions, Match};
use quadrille_search::{Control, Level, Limits, NoTableCache, Scope};
use quadrille_table::catalogue;
use quadrille_table::engine::AnyEngine;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::cell::Cell;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Asserts that the screen is not empty at this size, and is unchanged at another size afterwards.
pub fn draws_at((width, height): (u16, u16), player: &Player) {
    let before = player.screen(80, 24);
    let picture = player.screen(width, height);
    let is_blank = picture.chars().all(char::is_whitespace);
    assert!(!is_blank || width < 2 || height == 0, "{width} x {height}");
    assert_eq!(player.screen(80, 24), before, "after {width} x {height}");
}

pub struct Player {
    pub app: App,
    pub tasks: Vec<Task>,
    /// The app's current time.
    pub time: Duration,
    /// The size of the last drawing.
    pub size: Cell<(u16, u16)>,
}

impl Player {
    pub fn new() -> Player {
        Player::with(Skin::default())
    }

    pub fn with(skin: Skin) -> Player {
        let settings = Settings {
            pace: Seconds(Duration::ZERO),
            motion: MotionChoice::Never,
            ponder: false,
            ..Settings::default()
        };
        let app =
            App::new(skin, 7).with_settings(settings, "Saved in quadrille/config.toml".to_owned());
        Player { app, tasks: Vec::new(), time: Duration::ZERO, size: Cell::new((80, 24)) }
    }

    pub fn at(game: &str, setup: &str) -> Player {
        let entry = catalogue::find(game).unwrap();
        let names = ["Ann".to_owned(), "Bob".to_owned()];
        let open_match =
            OpenMatch::opened(entry, &setup.parse().unwrap(), Conditions::named(&names)).unwrap();
        let player = Player::new();
        Player { app: player.app.with_match(open_match), ..player }
    }

    /// Opens a match between Ann and an engine, or with these seats.
    pub fn against<const SEATS: usize>(game: &str, setup: &str, seats: [&str; SEATS]) -> Player {
        let entry = catalogue::find(game).unwrap();
        let players = seats.iter().map(|who| who.parse().unwrap()).collect::<Vec<_>>();
        let open_match = OpenMatch::opened(entry, &setup.parse().unwrap(), players.into());
        let player = Player::new();
        Player { app: player.app.with_match(open_match.unwrap()), ..player }
    }

    pub fn with_clock<const SEATS: usize>(
        (game, setup): (&str, &str),
        seats: [&str; SEATS],
        clock: &str,
    ) -> Player {
        let entry = catalogue::find(game).unwrap();
        let players = seats.iter().map(|who| who.parse().unwrap()).collect::<Vec<_>>();
        let conditions = Conditions::from(players).with_clock(Some(clock.parse().unwrap()));
        let open_match = OpenMatch::opened(entry, &setup.parse().unwrap(), conditions);
        let player = Player::new();
        Player { app: player.app.with_match(open_match.unwrap()), ..player }
    }

    /// Draws the screen, like the loop after each event.
    pub fn draw(&mut self) {
        self.app.notice_changes();
        let (width, height) = self.size.get();
        self.drawn(width, height);
        self.app.drawn(self.time, Duration::ZERO);
    }

    /// Lets this much time pass, and wakes the app whenever it asks for it. Returns the number of wakes.
    pub fn turn_clock(&mut self, time: Duration) -> usize {
        let (end, mut woken) = (self.time + time, 0);
        self.draw();
        while let Some(deadline) = self.app.deadline(self.time).filter(|deadline| *deadline <= end)
        {
            self.time = deadline;
            self.tasks.extend(self.app.tick(self.time).unwrap());
            self.draw();
            woken += 1;
        }
        self.time = end;
        self.tasks.extend(self.app.tick(self.time).unwrap_or_default());
        woken
    }

    /// Answers the app's pending question to an engine. Returns whether there was one.
    pub fn think(&mut self) -> bool {
        let Some(EngineTask::Think(ticket, question)) = self.app.engine_task() else {
            return false;
        };
        let mut engine = (question.entry.engine)();
        let (stop, on_report) = (AtomicBool::new(false), |_: &_| ());
        let control = Control::new(&stop, Limits::default(), &NoTableCache, &on_report);
        let choose = |engine: &mut dyn AnyEngine, level| {
            let choice = engine.choose(&question.game, level, &control).unwrap();
            let why = engine.why(question.game.now(), &choice.mv);
            EngineEvent::Chosen { mv: choice.mv, why, report: choice.report }
        };
        let mut game = Match::clone(&question.game);
        let event = match question.ask {
            Ask::Review => {
                for ply in (0..=game.ply()).rev() {
                    game.go_to_ply(ply);
                    if let Ok(report) = engine.analyse(game.now(), Scope::Moves, &control) {
                        self.app.engine_event(ticket, EngineEvent::Ply(ply, report)).unwrap();
                    }
                }
                EngineEvent::Reviewed
            }
            Ask::Proofs(ref plies, limits) => {
                for &ply in &**plies {
                    game.go_to_ply(ply);
                    let control = Control::new(&stop, limits.limits(), &NoTableCache, &on_report);
                    let report = engine.analyse(game.now(), Scope::Moves, &control).unwrap();
                    self.app.engine_event(ticket, EngineEvent::Ply(ply, report)).unwrap();
                }
                EngineEvent::Reviewed
            }
            Ask::Ponder => EngineEvent::Pondered,
            Ask::Move { level, .. } => choose(&mut *engine, level),
            Ask::Hint => choose(&mut *engine, Level::Strong),
            Ask::Analysis(scope) => {
                EngineEvent::Done(engine.analyse(game.now(), scope, &control).unwrap())
            }
        };
        self.tasks.extend(self.app.engine_event(ticket, event).unwrap_or_default());
        true
    }

    /// Presses keys: letters and digits as they are, others by name in angle brackets. `<wait>` waits until a question
    /// on the screen can be answered.
    pub fn press(&mut self, keys: &str) -> &mut Player {
        let mut rest = keys.chars();
        while let Some(c) = rest.next() {
            let (code, modifiers) = match c {
                '<' => match &*rest.by_ref().take_while(|&c| c != '>').collect::<String>() {
                    "wait" => {
                        self.turn_clock(Duration::from_secs(1));
                        continue;
                    }
                    name => named(name),
                },
                c => (KeyCode::Char(c), KeyModifiers::NONE),
            };
            let event = Event::Key(KeyEvent::new(code, modifiers));
            self.tasks.extend(self.app.update(&event).unwrap_or_default());
        }
        self
    }

    /// Sends a mouse event on a screen of 80 × 24. Returns whether anything changes.
    pub fn mouse(&mut self, kind: MouseEventKind, (column, row): (u16, u16)) -> bool {
        // A click is looked up in the last drawing.
        self.screen(80, 24);
        let modifiers = KeyModifiers::NONE;
        let tasks = self.app.update(&Event::Mouse(MouseEvent { kind, column, row, modifiers }));
        let changes = tasks.is_some();
        self.tasks.extend(tasks.unwrap_or_default());
        changes
    }

    /// Clicks the left button. Returns whether the press changes anything.
    pub fn click_at(&mut self, place: (u16, u16)) -> bool {
        let changes = self.mouse(MouseEventKind::Down(MouseButton::Left), place);
        self.mouse(MouseEventKind::Up(MouseButton::Left), place);
        changes
    }

    /// Returns the first position of this text on a screen of 80 × 24.
    pub fn place_of(&self, text: &str) -> (u16, u16) {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
        self.app.draw(buffer.area, &mut buffer);
        let starts = |x: u16, y: u16| {
            let row: String = (x..80).map(|x| buffer[(x, y)].symbol()).collect();
            row.starts_with(text)
        };
        let mut places = (0..24).flat_map(|y| (0..80).map(move |x| (x, y)));
        let found = places.find(|&(x, y)| starts(x, y));
        found.unwrap_or_else(|| panic!("no {text} on\n{}", self.screen(80, 24)))
    }

    pub fn click(&mut self, text: &str) -> &mut Player {
        let place = self.place_of(text);
        self.click_at(place);
        self
    }

    /// Returns the time until the app does something by itself, if ever.
    pub fn waits(&mut self) -> Option<Duration> {
        self.app.deadline(self.time).map(|deadline| deadline.saturating_sub(self.time))
    }

    /// Waits for that time; `false` if the app waits for nothing.
    pub fn wait(&mut self) -> bool {
        self.draw();
        let Some(deadline) = self.app.deadline(self.time) else { return false };
        self.time = deadline;
        self.tasks.extend(self.app.tick(self.time).unwrap());
        true
    }

    fn drawn(&self, width: u16, height: u16) -> Buffer {
        self.size.set((width, height));
        let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
        self.app.draw(buffer.area, &mut buffer);
        buffer
    }

    pub fn screen(&self, width: u16, height: u16) -> String {
        picture(&self.drawn(width, height))
    }

    /// Returns the screen without its footer, so that changes there affect no other snapshot. Screens too small to play
    /// on have no footer.
    pub fn body(&self, width: u16, height: u16) -> String {
        let mut buffer = self.drawn(width, height);
        let has_footer = width >= 30 && height >= 10;
        buffer.resize(Rect::new(0, 0, width, height - u16::from(has_footer)));
        picture(&buffer)
    }

    /// Returns a match or a replay at 80 × 24 without its footer and side panel.
    pub fn board_and_status(&self) -> String {
        let mut buffer = self.drawn(80, 24);
        for place in Rect::new(45, 1, 35, 21).positions() {
            buffer[place].reset();
        }
        buffer.resize(Rect::new(0, 0, 80, 23));
        picture(&buffer)
    }

    /// Returns the last row of the screen: its text, and below it the styles.
    pub fn footer(&self, width: u16, height: u16) -> String {
        let buffer = self.drawn(width, height);
        let mut row = Buffer::empty(Rect::new(0, 0, width, 1));
        for x in 0..width {
            row[(x, 0)] = buffer[(x, height - 1)].clone();
        }
        picture(&row).replace("\n---\n", "\n")
    }

    pub fn sees(&self, text: &str) -> bool {
        self.screen(80, 24).contains(text)
    }

    pub fn moves(&self) -> String {
        let moves = self.app.open_match().unwrap().current_match().moves();
        moves.iter().map(|(_, mv)| &**mv).collect::<Vec<_>>().join(" ")
    }
}

fn named(name: &str) -> (KeyCode, KeyModifiers) {
    let code = match name {
        "left" => KeyCode::Left,
        "right" => KeyCode::Right,
        "up" => KeyCode::Up,
        "down" => KeyCode::Down,
        "enter" => KeyCode::Enter,
        "esc" => KeyCode::Esc,
        "tab" => KeyCode::Tab,
        "backtab" => KeyCode::BackTab,
        "backspace" => KeyCode::Backspace,
        "end" => KeyCode::End,
        "home" => KeyCode::Home,
        "pageup" => KeyCode::PageUp,
        "pagedown" => KeyCode::PageDown,
        "C-c" => return (KeyCode::Char('c'), KeyModifiers::CONTROL),
        "C-z" => return (KeyCode::Char('z'), KeyModifiers::CONTROL),
        name => panic!("no key {name}"),
    };
    (code, KeyModifiers::NONE)
}
