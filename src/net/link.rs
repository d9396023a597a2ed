//! A terminal's line to a table, which pings, and reconnects by itself when it is down. It knows no words but the greeting
//! and its pings, which nobody else hears of.

use super::line::TableLine;
use super::peer::wait;
use super::route::Route;
use crate::net::protocol::{GuestWord, TableWord};
use crate::net::{PING_INTERVAL, SILENCE};
use rustix::event::PollFd;
use std::collections::VecDeque;
use std::fmt::Display;
use std::io;
use std::time::{Duration, Instant};

/// The most events that wait. Before there is room, nothing more is read.
const MOST_EVENTS: usize = 256;
/// How long a table may take to greet when the line is tried again.
const TO_GREET: Duration = Duration::from_secs(30);
/// The first and the longest wait before the line is tried again; each is twice the one before.
const SHORTEST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(30);
/// The text of the pings.
const ALIVE: &str = "alive";

/// What the line does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkEvent {
    /// The table is there. Its greeting is the first line that follows, and ours is said already.
    Up,
    /// The table says a line.
    Line(String),
    /// The line is down, for this reason. It is tried again until the link is dropped.
    Down(String),
}

/// A line to a table. It goes on in [`turn`](Link::turn), which nothing but the loop of the terminal calls. Dropping it
/// ends the command that was the line.
#[derive(Debug)]
pub struct Link {
    route: Route,
    /// `None` while it waits to be tried again.
    line: Option<TableLine>,
    events: VecDeque<LinkEvent>,
    /// When something was heard last.
    heard: Instant,
    /// When the next ping is sent, the greeting has not come in time, or the line is tried again; `None` if that is up to
    /// the user.
    due: Option<Instant>,
    /// How long it waits before the line is tried again.
    pause: Duration,
    /// Why the line is down, as it was told last.
    down: Option<String>,
    /// Whether ssh refused to connect without asking the user.
    needs_login: bool,
}

impl Link {
    /// Connects for the first time. This waits for the greeting, so that a command may ask for a password on the terminal
    /// and a key may end it all; what the command says on its standard error goes through to ours. The error is a
    /// sentence that says what to do.
    pub fn first(route: Route) -> Result<Link, String> {
        let mut link = Link {
            route,
            line: None,
            events: VecDeque::new(),
            heard: Instant::now(),
            due: None,
            pause: SHORTEST,
            down: None,
            needs_login: false,
        };
        link.connect_patiently()?;
        Ok(link)
    }

    fn connect_patiently(&mut self) -> Result<(), String> {
        let mut line = TableLine::open(&self.route, true)?;
        let greeted = line.wait_for_greeting();
        self.needs_login = line.needs_login();
        let told = greeted?;
        self.line = Some(line);
        self.come_up(told);
        Ok(())
    }

    /// Connects again, and waits for it. Meanwhile ssh may ask for a password on the terminal, so nothing else may use
    /// that. The error is a sentence.
    pub fn log_in(&mut self) -> Result<(), String> {
        if self.line.is_some() {
            return Ok(());
        }
        self.connect_patiently().inspect_err(|why| self.go_down(why.clone()))
    }

    /// What to wait for before [`Link::turn`].
    pub fn sources(&self) -> impl Iterator<Item = PollFd<'_>> {
        self.line.iter().flat_map(TableLine::sources)
    }

    /// When the next turn is due, if nothing comes before.
    pub fn deadline(&self) -> Option<Instant> {
        let silent = self.is_up().then(|| self.heard + SILENCE);
        self.due.into_iter().chain(silent).min()
    }

    /// Waits for the line, but no longer than this, and takes its turn.
    pub fn wait(&mut self, until: Instant) -> io::Result<()> {
        let deadline = self.deadline().map_or(until, |deadline| deadline.min(until));
        wait(self.sources(), Some(deadline))?;
        self.turn();
        Ok(())
    }

    /// Sends, reads, pings and reconnects, as far as nothing has to be waited for.
    pub fn turn(&mut self) {
        let now = Instant::now();
        let is_due = self.due.is_some_and(|due| due <= now);
        let was_up = self.is_up();
        if was_up && is_due {
            self.ping();
        }
        let Some(line) = &mut self.line else {
            if is_due {
                self.try_again();
            }
            return;
        };
        // While nothing is read, silence says nothing about the line.
        let has_room = self.events.len() < MOST_EVENTS;
        match line.exchange(has_room) {
            Ok(told) if !was_up && line.is_greeted() => self.come_up(told),
            Ok(_) if !was_up && is_due => self.go_down(format!("{} does not answer", self.route)),
            Ok(told) if !told.is_empty() || !has_room => {
                self.heard = now;
                let pong = TableWord::Pong(ALIVE.to_owned()).to_string();
                let told = told.into_iter().filter(|line| *line != pong);
                self.events.extend(told.map(LinkEvent::Line));
            }
            Ok(_) if was_up && now >= self.heard + SILENCE => {
                self.go_down(format!("no answer for {} s", SILENCE.as_secs()));
            }
            Ok(_) => {}
            Err(why) => self.go_down(why),
        }
    }

    fn try_again(&mut self) {
        match TableLine::open(&self.route, false) {
            Ok(line) => (self.line, self.due) = (Some(line), Some(Instant::now() + TO_GREET)),
            Err(why) => self.go_down(why),
        }
    }

    /// The table has greeted, and told these lines.
    fn come_up(&mut self, told: Vec<String>) {
        (self.pause, self.down, self.needs_login) = (SHORTEST, None, false);
        self.heard = Instant::now();
        self.events.push_back(LinkEvent::Up);
        self.events.extend(told.into_iter().map(LinkEvent::Line));
        self.ping();
    }

    fn ping(&mut self) {
        self.send(GuestWord::Ping(ALIVE.to_owned()));
        self.due = Some(Instant::now() + PING_INTERVAL);
    }

    fn go_down(&mut self, why: String) {
        if let Some(line) = self.line.take() {
            self.needs_login = line.needs_login();
        }
        self.due = Some(Instant::now() + self.pause).filter(|_| !self.needs_login);
        self.pause = LONGEST.min(2 * self.pause);
        if self.down.as_ref() != Some(&why) {
            self.events.push_back(LinkEvent::Down(why.clone()));
            self.down = Some(why);
        }
    }

    /// The next event, if there is one.
    pub fn next_event(&mut self) -> Option<LinkEvent> {
        self.events.pop_front()
    }

    /// Whether events wait.
    pub fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// Whether the table is there.
    pub fn is_up(&self) -> bool {
        self.line.as_ref().is_some_and(TableLine::is_greeted)
    }

    /// Says a line, if the line is up; otherwise it is lost.
    pub fn send(&mut self, said: impl Display) {
        if let Some(line) = self.line.as_mut().filter(|line| line.is_greeted()) {
            line.send(said);
        }
    }

    /// If the line is down, tries it again now.
    pub fn try_now(&mut self) {
        if self.line.is_none() {
            self.due = Some(Instant::now());
        }
    }

    /// Whether ssh refused to connect without asking the user: then only [`log_in`](Link::log_in) helps.
    pub fn needs_login(&self) -> bool {
        self.needs_login
    }

    /// Sends what there is still to send, as far as it is taken at once, and ends the line.
    pub fn close(mut self) {
        self.line.iter_mut().for_each(TableLine::close);
    }
}
