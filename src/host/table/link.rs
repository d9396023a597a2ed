//! A terminal's line to a table: a thread that connects, pings, and reconnects by itself when the line is down. It knows
//! no words but the greeting and its pings, which nobody else hears of.

use super::line::{self, Line};
use super::route::Route;
use crate::host::say;
use crate::remote::protocol::{GREETING, GuestWord, TableWord};
use crate::remote::{PING_INTERVAL, SILENCE};
use anyhow::anyhow;
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The most events that wait for whoever listens. Before there is room, nothing more is read.
const MOST_EVENTS: usize = 256;
/// How long a table on this machine may take to greet.
const TO_GREET: Duration = Duration::from_secs(10);
/// The same when the line is tried again, whatever it is.
const TO_GREET_AGAIN: Duration = Duration::from_secs(30);
/// The first and the longest wait before the line is tried again; each is twice the one before.
const SHORTEST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_secs(30);
/// The text of this thread's pings.
const ALIVE: &str = "alive";
/// The stack of the thread, in bytes.
const STACK: usize = 256 << 10;

/// What the line does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkEvent {
    /// The table is there. Its greeting is the first line that follows, and ours is said already.
    Up,
    /// The table says a line.
    Line(String),
    /// The line is down, for this reason. It is tried again until the link is closed.
    Down(String),
}

/// A line to a table. Dropping it ends the command that was the line.
#[derive(Debug)]
pub struct Link {
    shared: Arc<Shared>,
    /// Wakes the thread.
    bell: UnixStream,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    orders: VecDeque<Order>,
    events: VecDeque<LinkEvent>,
    /// Whether ssh refused to connect without asking the user.
    needs_login: bool,
    /// Whether the thread waits until there is room for events.
    waits_for_room: bool,
    /// Rung for each event.
    listener: Option<UnixStream>,
}

impl State {
    fn remind(&self) {
        if let Some(listener) = self.listener.as_ref().filter(|_| !self.events.is_empty()) {
            let _ = { listener }.write(&[0]);
        }
    }
}

#[derive(Debug)]
enum Order {
    Send(String),
    TryNow,
    /// Lets the command of the line ask on the terminal, and sends what became of it.
    LogIn(SyncSender<Result<(), String>>),
    Close,
}

impl Link {
    /// Connects for the first time. This waits for the greeting, so that a command may ask for a password on the terminal
    /// and a key may end it all; what the command says on its standard error goes through to ours. The error is a
    /// sentence that says what to do.
    pub fn first(route: Route) -> anyhow::Result<Link> {
        let mut line = Line::open(&route, true).map_err(|why| anyhow!("{why}"))?;
        let is_here = matches!(route, Route::Socket(_) | Route::Shared(_));
        let mut deadline = Some(Instant::now() + TO_GREET);
        let mut told = Vec::new();
        while !line.is_greeted() {
            line::wait(&mut line.sources(true).collect::<Vec<_>>(), deadline)?;
            told = line.look(&route, true).map_err(|why| anyhow!("{why}"))?;
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) && !line.is_greeted() {
                if is_here {
                    return Err(anyhow!("the table does not answer; its process may be stopped"));
                }
                // A password may take as long as it likes.
                say(&route.still_waiting(line.last_output()));
                deadline = None;
            }
        }
        let shared = Arc::new(Shared::default());
        shared.tell(LinkEvent::Up);
        shared.tell_lines(told);
        let (bell, rung) = UnixStream::pair()?;
        for end in [&bell, &rung] {
            end.set_nonblocking(true)?;
        }
        let thread = LinkThread { route, shared: Arc::clone(&shared), bell: rung };
        let run = move || thread.run(line);
        let builder = thread::Builder::new().name("line".to_owned()).stack_size(STACK);
        let thread =
            builder.spawn(run).map_err(|why| anyhow!("there is no thread for the line: {why}"))?;
        Ok(Link { shared, bell, thread: Some(thread) })
    }

    /// From now on a byte is written to `listener` for each event, and one for those that wait already.
    pub fn wake(&self, listener: UnixStream) {
        let mut state = self.shared.state();
        state.listener = Some(listener);
        state.remind();
    }

    /// Rings for events that were told before and are not taken yet.
    pub fn remind(&self) {
        self.shared.state().remind();
    }

    /// The next event, if there is one.
    pub fn next_event(&self) -> Option<LinkEvent> {
        let mut state = self.shared.state();
        let event = state.events.pop_front();
        let has_room = state.waits_for_room && state.events.len() < MOST_EVENTS / 2;
        state.waits_for_room &= !has_room;
        drop(state);
        if has_room {
            self.ring();
        }
        event
    }

    /// Says a line, if the line is up; otherwise it is lost. The greeting has been said, and is not said again.
    pub fn send(&self, line: String) {
        if !line.starts_with(GREETING) {
            self.order(Order::Send(line));
        }
    }

    /// If the line is down, tries it again now.
    pub fn try_now(&self) {
        self.order(Order::TryNow);
    }

    /// Whether ssh refused to connect without asking the user: then only [`log_in`](Link::log_in) helps.
    pub fn needs_login(&self) -> bool {
        self.shared.state().needs_login
    }

    /// Connects again, and waits for it. Meanwhile ssh may ask for a password on the terminal, so nothing else may use
    /// that. The error is a sentence.
    pub fn log_in(&self) -> Result<(), String> {
        let (sender, answer) = mpsc::sync_channel(1);
        self.order(Order::LogIn(sender));
        // Without an answer the line is up by now, or closed.
        answer.recv().unwrap_or(Ok(()))
    }

    /// Sends what there is still to send, as far as it is taken at once, and ends the line.
    pub fn close(mut self) {
        self.end();
    }

    fn order(&self, order: Order) {
        self.shared.state().orders.push_back(order);
        self.ring();
    }

    fn ring(&self) {
        // If the bell is full, the thread wakes anyway.
        let _ = (&self.bell).write(&[0]);
    }

    fn end(&mut self) {
        self.order(Order::Close);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.end();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, event: LinkEvent) {
        let mut state = self.state();
        state.events.push_back(event);
        state.remind();
    }

    fn tell_lines(&self, lines: Vec<String>) {
        for line in lines {
            self.tell(LinkEvent::Line(line));
        }
    }

    /// Whether an event can be told. If not, the bell rings as soon as it can.
    fn has_room(&self) -> bool {
        let mut state = self.state();
        state.waits_for_room = state.events.len() >= MOST_EVENTS;
        !state.waits_for_room
    }

    fn orders(&self) -> VecDeque<Order> {
        std::mem::take(&mut self.state().orders)
    }
}

struct LinkThread {
    route: Route,
    shared: Arc<Shared>,
    bell: UnixStream,
}

/// Why the thread looks up from a line or a wait.
enum Turn {
    /// The link is closed.
    Closed,
    /// The line is of no use any more, for this reason.
    Down(String),
    /// It is time to try again.
    TryAgain,
    /// The same, and the user is there to be asked.
    LogIn(SyncSender<Result<(), String>>),
}

impl LinkThread {
    fn run(self, mut line: Line) {
        let mut told = None;
        loop {
            let Turn::Down(mut why) = self.follow(line) else { return };
            let mut pause = SHORTEST;
            // Until the line is up again.
            line = loop {
                if told.as_ref() != Some(&why) {
                    self.shared.tell(LinkEvent::Down(why.clone()));
                    told = Some(why);
                }
                let until = Instant::now() + pause;
                let needs_login = self.shared.state().needs_login;
                let login = match self.rest(Some(until).filter(|_| !needs_login)) {
                    Turn::Closed => return,
                    Turn::LogIn(sender) => Some(sender),
                    _ => None,
                };
                pause = LONGEST.min(2 * pause);
                let tried = self.reconnect(login.is_some());
                if let Some(sender) = login {
                    let _ = sender.send(match &tried {
                        Err(Turn::Down(why)) => Err(why.clone()),
                        _ => Ok(()),
                    });
                }
                match tried {
                    Ok(line) => break line,
                    Err(Turn::Down(because)) => why = because,
                    Err(_) => return,
                }
            };
            told = None;
        }
    }

    /// Connects again. Only if the user `is_asked` may the line's command use the terminal.
    fn reconnect(&self, is_asked: bool) -> Result<Line, Turn> {
        let mut line = Line::open(&self.route, is_asked).map_err(Turn::Down)?;
        let greeted = self.greet(&mut line, !is_asked);
        self.shared.state().needs_login = line.needs_login(&self.route);
        greeted.map(|()| line)
    }

    /// Waits for the greeting.
    fn greet(&self, line: &mut Line, is_bounded: bool) -> Result<(), Turn> {
        let end = Instant::now() + TO_GREET_AGAIN;
        let deadline = Some(end).filter(|_| is_bounded);
        while !line.is_greeted() {
            if self.has_orders(&mut None) {
                return Err(Turn::Closed);
            }
            let mut sources: Vec<_> = line.sources(true).collect();
            sources.push(line::bell(self.bell.as_fd()));
            let waited = line::wait(&mut sources, deadline);
            waited.map_err(|why| Turn::Down(why.to_string()))?;
            self.silence();
            let told = line.look(&self.route, true).map_err(Turn::Down)?;
            if line.is_greeted() {
                self.shared.tell(LinkEvent::Up);
            }
            self.shared.tell_lines(told);
            if deadline.is_some_and(|end| Instant::now() >= end) && !line.is_greeted() {
                return Err(Turn::Down(format!("{} does not answer", self.route)));
            }
        }
        Ok(())
    }

    /// Carries lines until the line is down or the link is closed.
    fn follow(&self, mut line: Line) -> Turn {
        let (mut heard, mut next_ping) = (Instant::now(), Instant::now());
        let pong = TableWord::Pong(ALIVE.to_owned()).to_string();
        loop {
            if Instant::now() >= next_ping {
                line.send(&GuestWord::Ping(ALIVE.to_owned()).to_string());
                next_ping = Instant::now() + PING_INTERVAL;
            }
            if self.has_orders(&mut Some(&mut line)) {
                line.close(&self.route);
                return Turn::Closed;
            }
            let has_room = self.shared.has_room();
            match line.look(&self.route, has_room) {
                Ok(mut told) if !told.is_empty() => {
                    heard = Instant::now();
                    told.retain(|line| *line != pong);
                    self.shared.tell_lines(told);
                    continue;
                }
                Ok(_) => {}
                Err(why) => return Turn::Down(why),
            }
            if !has_room {
                // Nothing is read now, so silence says nothing about the line.
                heard = Instant::now();
            } else if heard.elapsed() >= SILENCE {
                return Turn::Down(format!("no answer for {} s", SILENCE.as_secs()));
            }
            let deadline = next_ping.min(heard + SILENCE);
            let mut sources: Vec<_> = line.sources(has_room).collect();
            sources.push(line::bell(self.bell.as_fd()));
            if let Err(why) = line::wait(&mut sources, Some(deadline)) {
                return Turn::Down(why.to_string());
            }
            self.silence();
        }
    }

    /// Waits until it is time to try again; without a time, until that is ordered.
    fn rest(&self, until: Option<Instant>) -> Turn {
        loop {
            for order in self.shared.orders() {
                match order {
                    Order::Close => return Turn::Closed,
                    Order::TryNow => return Turn::TryAgain,
                    Order::LogIn(sender) => return Turn::LogIn(sender),
                    Order::Send(_) => {}
                }
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                return Turn::TryAgain;
            }
            if line::wait(&mut [line::bell(self.bell.as_fd())], until).is_err() {
                // Nothing can be waited for, and nothing is to be tried all the time.
                thread::sleep(SHORTEST);
            }
            self.silence();
        }
    }

    /// Does what was ordered meanwhile. Returns whether the link is closed.
    fn has_orders(&self, line: &mut Option<&mut Line>) -> bool {
        for order in self.shared.orders() {
            match (order, &mut *line) {
                (Order::Close, _) => return true,
                (Order::Send(text), Some(line)) => line.send(&text),
                (Order::Send(_) | Order::TryNow | Order::LogIn(_), _) => {}
            }
        }
        false
    }

    /// Empties the bell.
    fn silence(&self) {
        let _ = (&self.bell).read(&mut [0; 64]);
    }
}
