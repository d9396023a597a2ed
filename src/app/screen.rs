//! What a screen is, and what it can ask for.

use super::home::Home;
use super::library::Library;
use super::matches::MatchScreen;
use super::menu::Menu;
use super::pending::{EngineEvent, Question};
use super::reader::Reader;
use super::replay::Replay;
use super::setup::SetupScreen;
use super::sitting::Sitting;
use super::tally::Tally;
use super::unfinished_screen::UnfinishedScreen;
use super::{Context, Task};
use crate::board::Hint;
use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::time::Duration;

/// The screens there are.
pub(super) enum Screen {
    Home(Home),
    Setup(Box<SetupScreen>),
    Match(Box<MatchScreen>),
    /// Lies over the screen below it, which gets the answer.
    Menu(Menu),
    Reader(Reader),
    Library(Box<Library>),
    Tally(Tally),
    Replay(Box<Replay>),
    UnfinishedScreen(UnfinishedScreen),
}

/// What a screen wants to happen. Those of one key are done in order.
pub(super) enum Act {
    Push(Screen),
    Replace(Screen),
    /// Leave this screen. Leaving the last one ends the program.
    Pop,
    /// Leave this screen with an answer for the one below.
    Answer(Answer),
    Run(Task),
}

/// The answers that menus give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// Nothing but to close the menu.
    Close,
    /// Delete what the menu asked about.
    Delete,
    /// End the program, whatever is lost.
    Quit,
    Undo,
    AgreeDraw,
    Rematch,
    SwapSeats,
    Review,
    NewGame,
    /// The rules of the game on the screen, or of the n-th of the catalogue.
    Rules(Option<usize>),
    Leave,
}

/// A time that a screen lets pass before it does something by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timer {
    /// What is waited at, as the ply: with another one the time begins anew.
    pub step: usize,
    pub length: Duration,
}

/// What every screen can do.
pub(super) trait View {
    /// Answers a key; `None` if it means nothing here.
    fn key(&mut self, key: &KeyEvent, context: &mut Context) -> Option<Vec<Act>>;

    /// Draws into an area that lies above the line with the keys. The position is where text is
    /// typed.
    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position>;

    /// Draws what is seen of it while a menu lies over it.
    fn draw_beneath(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        self.draw(context, area, buffer);
    }

    /// The keys of this moment, the most important first, without those that every screen has.
    fn hints(&self) -> Vec<Hint>;

    /// Its name, and what its help says besides the keys.
    fn about(&self) -> (String, String);

    /// Whether keys are text just now, so that `q` and `?` are letters.
    fn takes_text(&self) -> bool {
        false
    }

    /// Takes pasted text into a text field; `None` where there is none.
    fn paste(&mut self, text: &str) -> Option<Vec<Act>> {
        let _ = text;
        None
    }

    /// What the screen waits for until it goes on by itself, asked each time anything has happened. While
    /// the answer is the same, the time runs on, whatever else happens.
    fn timer(&self) -> Option<Timer> {
        None
    }

    /// The time of its timer has come; `None` if that changes nothing.
    fn tick(&mut self) -> Option<Vec<Act>> {
        None
    }

    /// What the screen wants thought about just now.
    fn wants(&self, context: &Context) -> Option<Question> {
        let _ = context;
        None
    }

    /// What is heard of that; `None` if it changes nothing.
    fn heard(&mut self, heard: EngineEvent) -> Option<Vec<Act>> {
        let _ = heard;
        None
    }

    /// Shows a line about a task that was done or failed; `false` where there is no place for it.
    fn hear(&mut self, line: &str) -> bool {
        let _ = line;
        false
    }

    /// The answer of a menu that lay over this screen.
    fn answer(&mut self, answer: Answer, context: &mut Context) -> Vec<Act> {
        let _ = (answer, context);
        Vec::new()
    }
}

impl Screen {
    pub fn view(&self) -> &dyn View {
        match self {
            Screen::Home(screen) => screen,
            Screen::Setup(screen) => &**screen,
            Screen::Match(screen) => &**screen,
            Screen::Menu(screen) => screen,
            Screen::Reader(screen) => screen,
            Screen::Library(screen) => &**screen,
            Screen::Tally(screen) => screen,
            Screen::Replay(screen) => &**screen,
            Screen::UnfinishedScreen(screen) => screen,
        }
    }

    pub fn view_mut(&mut self) -> &mut dyn View {
        match self {
            Screen::Home(screen) => screen,
            Screen::Setup(screen) => &mut **screen,
            Screen::Match(screen) => &mut **screen,
            Screen::Menu(screen) => screen,
            Screen::Reader(screen) => screen,
            Screen::Library(screen) => &mut **screen,
            Screen::Tally(screen) => screen,
            Screen::Replay(screen) => &mut **screen,
            Screen::UnfinishedScreen(screen) => screen,
        }
    }

    /// Whether the screen below shows beneath this one.
    pub const fn is_overlay(&self) -> bool {
        matches!(self, Screen::Menu(_))
    }

    /// The match this screen plays.
    pub fn sitting(&self) -> Option<&Sitting> {
        match self {
            Screen::Match(screen) => Some(&screen.sitting),
            _ => None,
        }
    }

    /// The same, to change it.
    pub fn sitting_mut(&mut self) -> Option<&mut Sitting> {
        match self {
            Screen::Match(screen) => Some(&mut screen.sitting),
            _ => None,
        }
    }

    /// All keys of this moment: its own, and those that work everywhere.
    pub fn all_hints(&self) -> Vec<Hint> {
        let mut hints = self.view().hints();
        if !self.view().takes_text() {
            if !matches!(self, Screen::Reader(_)) {
                hints.push(("?", "help"));
            }
            hints.push((
                "q",
                match self {
                    Screen::Home(_) => "quit",
                    Screen::Menu(_) | Screen::Reader(_) => "close",
                    _ => "leave",
                },
            ));
        }
        hints
    }
}
