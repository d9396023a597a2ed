//! A terminal's connection to a table, which sends pings and reconnects automatically. It interprets only the greeting
//! and its own pings.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "connects")]

use super::folder;
use super::peer::wait;
use super::route::Route;
use super::transport::{Choice, Transport};
use crate::protocol::{ClientMessage, ServerMessage};
use crate::{PING_INTERVAL, SILENCE};
use quadrille_system::wait::Source;
use std::collections::VecDeque;
use std::fmt::Display;
use std::io;
use std::time::{Duration, Instant};

/// The maximum number of queued events. Reading pauses while the queue is full.
const MAX_EVENTS: usize = 256;
/// How long a table may take to send its greeting after a reconnect.
const GREETING_TIMEOUT: Duration = Duration::from_secs(30);
/// The first and the maximum delay before a reconnect. The delay doubles after each attempt.
const MIN_RETRY_DELAY: Duration = Duration::from_secs(1);
const MAX_RETRY_DELAY: Duration = Duration::from_secs(30);
/// The text of the pings.
const ALIVE: &str = "alive";

/// An event of the connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkEvent {
    /// Connected. The next line is the table's greeting; ours has already been sent.
    Up,
    /// A line from the table.
    Line(String),
    /// Disconnected, for this reason. The link keeps trying to reconnect until it is dropped.
    Down(String),
}

/// A connection to a table. Work is done only in [`run_once`](Link::run_once), which the terminal's loop calls.
/// Dropping the link ends its command.
#[derive(Debug)]
pub struct Link {
    route: Route,
    /// How the user chooses a table, if the route does not name one.
    choice: Option<Choice>,
    /// `None` while waiting to reconnect.
    line: Option<Transport>,
    events: VecDeque<LinkEvent>,
    /// When the last data arrived.
    heard: Instant,
    /// When to send the next ping, give up on the greeting, or reconnect; `None` if the user must decide.
    due: Option<Instant>,
    /// The delay before the next reconnect.
    pause: Duration,
    /// The last reported reason for a disconnect.
    down: Option<String>,
    /// Whether ssh could not connect without user input.
    needs_login: bool,
}

impl Link {
    /// Connects for the first time and waits for the greeting, so that a command may ask for a password on the terminal
    /// and Ctrl-C works. The command's stderr is passed on to our stderr. The error is a sentence that says what to do.
    pub fn first(route: Route) -> Result<Link, String> {
        Link::choosing(route, None)
    }

    /// Like [`first`](Link::first), and lets the user choose a table.
    pub(super) fn choosing(route: Route, choice: Option<Choice>) -> Result<Link, String> {
        let mut link = Link {
            route,
            choice,
            line: None,
            events: VecDeque::new(),
            heard: Instant::now(),
            due: None,
            pause: MIN_RETRY_DELAY,
            down: None,
            needs_login: false,
        };
        link.connect_patiently()?;
        Ok(link)
    }

    fn connect_patiently(&mut self) -> Result<(), String> {
        let mut line = Transport::open(&self.route, self.choice.as_ref(), true)?;
        let mut greeted = line.wait_for_greeting();
        if greeted.is_err() && line.may_have_fallen_asleep() {
            line = Transport::open(&self.route, self.choice.as_ref(), true)?;
            greeted = line.wait_for_greeting();
        }
        if let (Some(choice), Some(name)) = (&mut self.choice, line.chosen()) {
            choice.name = Some(name.to_owned());
        }
        self.needs_login = line.needs_login();
        let told = greeted?;
        self.line = Some(line);
        self.on_connected(told);
        Ok(())
    }

    /// Reconnects and waits. The password prompt of ssh may need the terminal, so nothing else may use it during the
    /// call. The error is a sentence.
    pub fn log_in(&mut self) -> Result<(), String> {
        if self.line.is_some() {
            return Ok(());
        }
        self.connect_patiently().inspect_err(|why| self.on_disconnected(why.clone()))
    }

    /// Returns the sources to poll before [`Link::run_once`].
    pub fn sources(&self) -> impl Iterator<Item = Source<'_>> {
        self.line.iter().flat_map(Transport::sources)
    }

    /// Returns when the next call of [`run_once`](Link::run_once) is due if no data arrives.
    pub fn deadline(&self) -> Option<Instant> {
        let silent = self.is_up().then(|| self.heard + SILENCE);
        self.due.into_iter().chain(silent).min()
    }

    /// Waits for data until this time at the latest, and calls [`run_once`](Link::run_once).
    pub fn wait(&mut self, until: Instant) -> io::Result<()> {
        let deadline = self.deadline().map_or(until, |deadline| deadline.min(until));
        wait(self.sources(), Some(deadline))?;
        self.run_once();
        Ok(())
    }

    /// Sends, reads, pings and reconnects without blocking.
    pub fn run_once(&mut self) {
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
        // While reading is paused, silence does not indicate a dead connection.
        let has_room = self.events.len() < MAX_EVENTS;
        match line.exchange(has_room) {
            Ok(told) if !was_up && line.is_greeted() => self.on_connected(told),
            Ok(_) if !was_up && is_due => {
                self.on_disconnected(format!("{} does not answer", self.route));
            }
            Ok(told) if !told.is_empty() || !has_room => {
                self.heard = now;
                let pong = ServerMessage::Pong(ALIVE.to_owned()).to_string();
                let told = told.into_iter().filter(|line| *line != pong);
                self.events.extend(told.map(LinkEvent::Line));
            }
            Ok(_) if was_up && now >= self.heard + SILENCE => {
                self.on_disconnected(format!("no answer for {} s", SILENCE.as_secs()));
            }
            Ok(_) => {}
            Err(why) => self.on_disconnected(why),
        }
    }

    fn try_again(&mut self) {
        match Transport::open(&self.route, self.choice.as_ref(), false) {
            Ok(line) => {
                (self.line, self.due) = (Some(line), Some(Instant::now() + GREETING_TIMEOUT));
            }
            Err(why) => self.on_disconnected(why),
        }
    }

    /// Handles the table's greeting and the lines after it.
    fn on_connected(&mut self, told: Vec<String>) {
        (self.pause, self.down, self.needs_login) = (MIN_RETRY_DELAY, None, false);
        self.heard = Instant::now();
        self.events.push_back(LinkEvent::Up);
        self.events.extend(told.into_iter().map(LinkEvent::Line));
        self.ping();
    }

    fn ping(&mut self) {
        self.send(ClientMessage::Ping(ALIVE.to_owned()));
        self.due = Some(Instant::now() + PING_INTERVAL);
    }

    fn on_disconnected(&mut self, why: String) {
        if let Some(line) = self.line.take() {
            self.needs_login = line.needs_login();
        }
        self.due = Some(Instant::now() + self.pause).filter(|_| !self.needs_login);
        self.pause = MAX_RETRY_DELAY.min(2 * self.pause);
        if self.down.as_ref() != Some(&why) {
            self.events.push_back(LinkEvent::Down(why.clone()));
            self.down = Some(why);
        }
    }

    pub fn next_event(&mut self) -> Option<LinkEvent> {
        self.events.pop_front()
    }

    pub fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// Returns whether the table's greeting has arrived.
    pub fn is_up(&self) -> bool {
        self.line.as_ref().is_some_and(Transport::is_greeted)
    }

    /// Sends a line. Discards it if the connection is down.
    pub fn send(&mut self, said: impl Display) {
        if let Some(line) = self.line.as_mut().filter(|line| line.is_greeted()) {
            line.send(said);
        }
    }

    /// Reconnects now if the connection is down.
    pub fn try_now(&mut self) {
        if self.line.is_none() {
            self.due = Some(Instant::now());
        }
    }

    /// Returns whether ssh could not connect without user input, in which case only [`log_in`](Link::log_in) helps.
    pub fn needs_login(&self) -> bool {
        self.needs_login
    }

    /// Closes the connection until the user reconnects.
    pub fn hang_up(&mut self) {
        self.line.take().iter_mut().for_each(Transport::close);
        self.events.clear();
        self.due = None;
    }

    /// Reconnects to the table with this name, whichever tables the far end has by then.
    pub fn name_table(&mut self, name: &str) {
        if let Route::Ssh(route) = &mut self.route
            && folder::is_table_name(name)
        {
            route.table.get_or_insert_with(|| name.to_owned());
        }
    }

    pub fn route(&self) -> &Route {
        &self.route
    }

    /// Sends as much pending data as fits, and closes the connection.
    pub fn close(mut self) {
        self.line.iter_mut().for_each(Transport::close);
    }
}
