//! The process of a table, which alone plays the match, saves it and runs engines. It sleeps until a line, an engine's
//! answer, a signal or a deadline arrives.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "serves sockets")]

use super::connection::Connection;
use super::folder::{self, HostFile};
use super::seating_file::SeatingFile;
use crate::protocol::ServerMessage;
use crate::{Hub, Opening, PersonId, Seating};
use anyhow::{Context, anyhow};
use quadrille_system::folders;
use quadrille_system::fresh_seed;
use quadrille_system::read::{self, Limit};
use quadrille_table::engine;
use quadrille_table::match_saver::MatchSaver;
use quadrille_table::play::program::{Launcher, ProgramLimits};
use quadrille_table::play::{Engines, Table, Wakers, hush_caught_panics};
use rustix::event::{PollFd, PollFlags};
use rustix::fs::inotify::{self, CreateFlags, WatchFlags};
use rustix::fs::{Mode, OFlags};
use rustix::io::read;
use rustix::process::setsid;
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The handled signals. SIGHUP is caught and ignored.
const SIGNALS: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];

/// The line that tells the opener that guests can join. Any other line is an error message.
pub(super) const READY: &str = "ready";

/// The time limit for sending the last messages.
const FAREWELL_TIMEOUT: Duration = Duration::from_secs(1);
/// How long to accept no connections after the system ran out of resources for one.
const FULL: Duration = Duration::from_secs(1);
/// The maximum number of connections accepted in one iteration of the loop.
const MAX_ACCEPTED: usize = 8;
/// The maximum number of times the socket is recreated in one iteration of the loop, if it keeps being removed.
const MAX_RESTORED: usize = 3;
/// The maximum number of lines processed per connection and iteration, before saving and serving the other connections.
const MAX_LINES_PER_ROUND: usize = 50;

/// Runs a table's process. Reads the opening from stdin, writes one line to stdout, and then closes both.
/// `program_limits` is asked only if a program plays.
pub fn run(program_limits: impl FnOnce() -> ProgramLimits) -> anyhow::Result<()> {
    let begun = begin(program_limits);
    let mut line = match &begun {
        Ok(_) => READY.to_owned(),
        Err(why) => format!("{why:#}").replace('\n', " "),
    };
    line.push('\n');
    let said = io::stdout().write_all(line.as_bytes()).and_then(|()| io::stdout().flush());
    let Ok(mut process) = begun else { return Ok(said?) };
    // The opener is gone, and no other process knows the host's token.
    if said.is_err() {
        process.hub.close("the process that opened the table is gone");
    }
    let nothing = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    drop(nothing);
    process.serve();
    Ok(())
}

struct TableServer {
    hub: Hub,
    saver: MatchSaver,
    engines: Engines,
    wakers: Wakers,
    socket: TableSocket,
    seating_file: SeatingFile,
    connections: BTreeMap<PersonId, Connection>,
    begun: Instant,
    /// The match time at the moment `since`.
    played: Duration,
    since: Instant,
    seed: u32,
    /// The number of the last request to an engine.
    ticket: u64,
    /// The session and the length of its log when the pending request was sent.
    asked: Option<(u64, usize)>,
    /// When to accept connections again.
    is_full_until: Option<Duration>,
}

/// The socket of the table, removed on drop.
struct TableSocket {
    listener: Option<UnixListener>,
    name: String,
    is_shared: bool,
    path: PathBuf,
    /// The device and inode of the socket file.
    file: Option<(u64, u64)>,
    /// An inotify instance that reports the removal of the file.
    watch: Option<OwnedFd>,
    host: HostFile,
}

/// Creates the socket of the table described on stdin. The error is a sentence for the opener.
fn begin(program_limits: impl FnOnce() -> ProgramLimits) -> anyhow::Result<TableServer> {
    let bytes = read::stdin(Limit::OPENING)?;
    let text = String::from_utf8(bytes).context("the opening of the table")?;
    let (opening, mut table) = Opening::read(&text).map_err(|why| anyhow!("{why}"))?;
    drop(text);
    // A new session has no controlling terminal, and outlives the opener's session.
    let _ = setsid();
    hush_caught_panics();
    let wakers = Wakers::watch(&SIGNALS)?;
    let mut saver = MatchSaver::new(None);
    go_on_in_journal(&mut saver, &mut table)?;
    let mut launcher = Launcher::new(folders::program_stderr())?;
    if table.players().programs().next().is_some() {
        launcher.limits = program_limits();
    }
    let engines = Engines::new(engine::table_cache(), launcher, wakers.waker()?);
    let host = HostFile {
        secret: opening.seating.secret.clone(),
        host: opening.host_name.clone(),
        game: table.entry.id.to_owned(),
        state: folder::state_folder(),
        ..HostFile::default()
    };
    let played = table.session().time();
    // This fallback token can never be used, because tokens in messages cannot contain spaces.
    let tokens = || folder::token().unwrap_or_else(|_| "there is none".to_owned());
    let hub = Hub::new(table, &opening, Box::new(tokens)).map_err(|why| anyhow!("{why}"))?;
    let socket = TableSocket::open(&opening, host.at(hub.table(), hub.host_token()))?;
    let now = Instant::now();
    Ok(TableServer {
        hub,
        saver,
        engines,
        wakers,
        socket,
        seating_file: SeatingFile::default(),
        connections: BTreeMap::new(),
        begun: now,
        played,
        since: now,
        seed: fresh_seed(),
        ticket: 0,
        asked: None,
        is_full_until: None,
    })
}

/// Takes over the match's journal, if there is one.
fn go_on_in_journal(saver: &mut MatchSaver, table: &mut Table) -> anyhow::Result<()> {
    let known = table.saved.journal.clone();
    saver.save_to_journal(table);
    match (&known, &table.saved.not_in_journal) {
        (Some(_), Some(why)) => Err(anyhow!("{why}")),
        (Some(known), None) if table.saved.journal.as_ref() != Some(known) => {
            Err(anyhow!("the match was continued elsewhere"))
        }
        _ => Ok(()),
    }
}

impl TableServer {
    fn serve(&mut self) {
        while self.run_once() {}
        self.end_match();
        self.say_farewell();
    }

    /// Waits for an event and handles it. Returns whether the table stays open.
    fn run_once(&mut self) -> bool {
        self.settle();
        if self.hub.is_over(self.now()) {
            return false;
        }
        self.send();
        // The connections just dropped may have been the last ones.
        if self.hub.is_over(self.now()) {
            return true;
        }
        let deadline = self.deadline();
        if !self.wait(deadline) {
            self.hub.close("the table cannot listen for connections; match saved");
        }
        if self.wakers.signals().into_iter().any(|signal| signal != SIGHUP) {
            self.hub.close("the table was told to stop; match saved");
        }
        self.take_new();
        self.hear_engines();
        self.receive();
        let (at, now) = (self.time(), self.now());
        self.hub.flag(at);
        if self.hub.deadline().is_some_and(|deadline| deadline <= now) {
            self.hub.tick(at, now);
        }
        true
    }

    /// Returns the time since the process began.
    fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Returns the match time so far.
    fn time(&mut self) -> Duration {
        let now = Instant::now();
        if self.hub.time_runs() {
            self.played += now - self.since;
        }
        self.since = now;
        self.played
    }

    /// Saves changes before telling any client, and asks engines about the new position.
    fn settle(&mut self) {
        if self.hub.take_changed() {
            self.saver.save(self.hub.table_mut());
            self.hub.note_saved();
            let troubles: Vec<String> = self.hub.table().saved.save_errors().cloned().collect();
            self.hub.set_trouble(Some(troubles.join("; ")).filter(|text| !text.is_empty()));
            let table = self.hub.table();
            self.seating_file.store(table.saved.journal.as_deref(), self.hub.seating());
            self.socket.record(table, self.hub.host_token());
        }
        self.ask_engine();
    }

    /// Files the previous match after a rematch. Match time restarts.
    fn file_finished(&mut self) {
        while let Some(mut finished) = self.hub.take_finished() {
            let lost = self.saver.close(&mut finished);
            if !lost.is_empty() {
                self.hub.set_trouble(Some(lost.join("; ")));
            }
            (self.played, self.since) = (Duration::ZERO, Instant::now());
        }
    }

    fn ask_engine(&mut self) {
        let session = self.hub.table().session();
        let (stands, present) =
            (session.current_match().outcome().is_none(), (session.id(), session.log().len()));
        self.engines.drop_all_but(stands.then_some(present.0));
        if self.asked.is_some_and(|asked| asked != present) {
            self.engines.rest();
            self.asked = None;
        }
        let (at, now) = (self.time(), self.now());
        if let Some(question) = self.hub.question(self.seed, at, now) {
            self.ticket += 1;
            self.asked = Some(present);
            self.engines.think(self.ticket, question);
        }
    }

    fn hear_engines(&mut self) {
        while let Some((ticket, event)) = self.engines.next_event() {
            let session = self.hub.table().session();
            let present = (session.id(), session.log().len());
            if ticket != self.ticket || self.asked != Some(present) {
                continue;
            }
            if event.is_answer() {
                self.asked = None;
            }
            let at = self.time();
            self.hub.engine_event(event, at);
        }
    }

    /// Returns the deadline of the next timer.
    fn deadline(&self) -> Option<Instant> {
        let due = self.connections_due().chain(self.hub.deadline()).chain(self.is_full_until);
        let due = due.min().map(|due| self.begun + due);
        let end = self.hub.table().session().runs_out().filter(|_| self.hub.time_runs());
        let flag_falls = end.map(|end| self.since + end.saturating_sub(self.played));
        due.into_iter().chain(flag_falls).min()
    }

    fn connections_due(&self) -> impl Iterator<Item = Duration> {
        self.connections.values().filter_map(Connection::deadline)
    }

    /// Sleeps until there is work, and reads input. Returns `false` if polling fails.
    fn wait(&mut self, deadline: Option<Instant>) -> bool {
        let now = self.now();
        self.is_full_until = self.is_full_until.filter(|until| *until > now);
        let is_full = self.is_full_until.is_some();
        let listener = self.socket.listener.as_ref().filter(|_| !is_full);
        let listener = listener.map(|listener| PollFd::new(listener, PollFlags::IN));
        let watch = self.socket.watch.as_ref().map(|watch| PollFd::new(watch, PollFlags::IN));
        let connections = self.connections.values().flat_map(Connection::sources);
        let mut sources: Vec<PollFd<'_>> = connections.chain(listener).chain(watch).collect();
        if self.wakers.wait_for(&mut sources, deadline).is_err() {
            return false;
        }
        drop(sources);
        self.socket.restore();
        self.connections.values_mut().for_each(Connection::read);
        true
    }

    /// Accepts a limited number of waiting connections.
    fn take_new(&mut self) {
        let now = self.now();
        for _ in 0..MAX_ACCEPTED {
            let Some(listener) = &self.socket.listener else { return };
            let stream = match listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) => {
                    let nobody = error.kind() == io::ErrorKind::WouldBlock;
                    let once_more = error.kind() == io::ErrorKind::Interrupted
                        || error.kind() == io::ErrorKind::ConnectionAborted;
                    if once_more {
                        continue;
                    }
                    // Otherwise the waiting connection would immediately wake the loop again.
                    self.is_full_until = (!nobody).then_some(now + FULL);
                    return;
                }
            };
            let Ok((mut connection, user)) = Connection::new(stream) else { continue };
            if let Some(who) = self.hub.arrive(user, now) {
                self.connections.insert(who, connection);
            } else {
                connection.push(&ServerMessage::Full.to_string());
                connection.send(now);
            }
        }
    }

    /// Processes lines and removes ended connections.
    fn receive(&mut self) {
        let people: Vec<PersonId> = self.connections.keys().copied().collect();
        for who in people {
            for _ in 0..MAX_LINES_PER_ROUND {
                let now = self.now();
                let Some(connection) = self.connections.get_mut(&who) else { break };
                let Some(line) = connection.next_line(now) else { break };
                let at = self.time();
                match line {
                    Ok(line) => self.hub.on_line(who, &line, at, now),
                    Err(too_long) => self.hub.cannot_hear(who, &too_long.to_string()),
                }
                self.file_finished();
            }
            self.drop_closed(who);
        }
    }

    /// Removes a connection if it has ended.
    fn drop_closed(&mut self, who: PersonId) {
        let now = self.now();
        let is_over = |connection: &Connection| {
            // Tell a dropped client the reason before closing.
            let has_words = self.hub.has_dropped(who) && self.hub.wants_to_speak(who);
            connection.is_over(now) && !(has_words && connection.has_room())
        };
        if let Some(connection) = self.connections.get(&who).filter(|&line| is_over(line)) {
            let is_stuck = connection.is_stuck(now);
            self.connections.remove(&who);
            let at = self.time();
            if is_stuck {
                self.hub.cut(who, at, now);
            } else {
                self.hub.leave(who, at, now);
            }
            if self.hub.is_empty() && !self.socket.is_there() {
                // Another table has taken the name, or the folder cannot be created.
                self.hub.close("the table's socket was removed; match saved");
            }
        }
    }

    /// Sends queued lines. All changes that they announce are saved by now.
    fn send(&mut self) {
        let now = self.now();
        for (who, connection) in &mut self.connections {
            if self.hub.has_dropped(*who) {
                connection.close(now);
            }
            loop {
                let mut has_spoken = false;
                while connection.has_room()
                    && let Some(line) = self.hub.next_line(*who)
                {
                    connection.push(&line);
                    has_spoken = true;
                }
                connection.send(now);
                if !has_spoken {
                    break;
                }
            }
        }
        let people: Vec<PersonId> = self.connections.keys().copied().collect();
        for who in people {
            self.drop_closed(who);
        }
    }

    /// Saves the match and releases its journal before any client is told that the table is closed, so that the match
    /// can be resumed immediately.
    fn end_match(&mut self) {
        self.hub.close("the table was empty too long; match saved");
        let at = self.time();
        self.hub.table_mut().pause(at);
        let lost = self.saver.close(self.hub.table_mut());
        if !lost.is_empty() {
            self.hub.closes_in_vain(&lost.join("; "));
        }
        if self.hub.table().current_match().outcome().is_some() {
            self.seating_file.forget();
        }
        self.engines.drop_all_but(None);
        self.socket.remove();
    }

    /// Sends the last messages as far as clients accept them.
    fn say_farewell(&mut self) {
        let end = self.now() + FAREWELL_TIMEOUT;
        loop {
            self.send();
            let due = self.connections_due().chain([end]).min().map(|due| self.begun + due);
            if self.connections.is_empty() || self.now() >= end || !self.wait(due) {
                return;
            }
        }
    }
}

impl TableSocket {
    fn open(opening: &Opening, host: HostFile) -> anyhow::Result<TableSocket> {
        let Seating { table, secret, .. } = &opening.seating;
        let (name, is_shared) = (table.clone(), secret.is_some());
        let path = folder::socket(&name, is_shared)?;
        let place = || path.display().to_string();
        let listener = folder::listen(&path, is_shared).with_context(place)?;
        let (listener, file, watch) = (Some(listener), None, None);
        let mut socket =
            TableSocket { listener, name, is_shared, path: path.clone(), file, watch, host };
        socket.publish().with_context(place)?;
        Ok(socket)
    }

    /// Writes the file beside the socket, and watches the socket.
    fn publish(&mut self) -> io::Result<()> {
        (self.watch, self.file) = (watch(&self.path).ok(), file_at(&self.path));
        self.host.write(&self.path)
    }

    /// Recreates a removed socket: runtime directories are removed at the user's last logout, and old files in `/tmp`
    /// are cleaned up.
    fn restore(&mut self) {
        let mut events = [0; 1 << 10];
        let mut has_read =
            || self.watch.as_ref().is_some_and(|watch| read(watch, &mut events).is_ok());
        if !has_read() {
            return;
        }
        while has_read() {}
        // The file may be removed again before the watch is set up.
        for _ in 0..MAX_RESTORED {
            if self.listener.is_none() || self.is_there() {
                return;
            }
            self.watch = None;
            let Ok(restored) = folder::listen_again(&self.name, self.is_shared) else { return };
            (self.listener, self.path) = (Some(restored.0), restored.1);
            let _ = self.publish();
        }
    }

    /// Returns whether our socket is still at its path. A different table may have taken the name.
    fn is_there(&self) -> bool {
        self.file.is_some() && file_at(&self.path) == self.file
    }

    /// Records the journal and the players, for the list of unfinished matches, and the host's token.
    fn record(&mut self, table: &Table, token: &str) {
        let host = self.host.clone().at(table, token);
        if self.host != host && self.is_there() {
            self.host = host;
            let _ = self.host.write(&self.path);
        }
    }

    fn remove(&mut self) {
        if self.listener.take().is_some() && self.is_there() {
            let _ = folder::remove(&self.path);
        }
    }
}

/// Creates an inotify instance that reports when the file at this path is removed or replaced.
fn watch(path: &Path) -> io::Result<OwnedFd> {
    let watch = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK)?;
    let removal = WatchFlags::ATTRIB | WatchFlags::DELETE_SELF | WatchFlags::MOVE_SELF;
    inotify::add_watch(&watch, path, removal)?;
    Ok(watch)
}

fn file_at(path: &Path) -> Option<(u64, u64)> {
    let there = fs::symlink_metadata(path).ok()?;
    Some((there.dev(), there.ino()))
}

impl Drop for TableSocket {
    fn drop(&mut self) {
        self.remove();
    }
}
