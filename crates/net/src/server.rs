//! The process of a table, which alone plays the match, saves it and runs engines. It sleeps until a line, an engine's
//! answer, a signal or a deadline arrives.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "serves sockets")]

use super::connection::Connection;
use super::folder::{self, HostFile, TableListener};
use super::open;
use super::seating_file::{self, SeatingFile};
use super::wake::WAKE;
use crate::opening;
use crate::protocol::ServerMessage;
use crate::{Hub, Opening, PersonId, Seating};
use anyhow::{Context, anyhow, bail};
use quadrille_system::file_watch::FileWatch;
use quadrille_system::files::FileId;
use quadrille_system::read::{self, Limit};
use quadrille_system::signals::{SIGHUP, SIGINT, SIGTERM};
use quadrille_system::wait::Source;
use quadrille_system::wakers::Wakers;
use quadrille_system::{calendar, folders, fresh_seed, processes};
use quadrille_table::engine;
use quadrille_table::match_saver::MatchSaver;
use quadrille_table::play::program::{Launcher, ProgramLimits};
use quadrille_table::play::{Engines, Table, hush_caught_panics};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The handled signals. SIGHUP is caught and ignored.
const SIGNALS: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];

/// The first word of the line that tells the opener that guests can join. Any other line is an error message.
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

/// Runs a table's process. Reads the opening from stdin, or which match to wake, writes one line to stdout, and then
/// closes both. `program_limits` is asked only if a program plays.
pub fn run(program_limits: impl FnOnce() -> ProgramLimits) -> anyhow::Result<()> {
    let begun = read_start().and_then(|start| begin(start, program_limits));
    let mut line = match &begun {
        Ok((process, lost)) => open::ready(&process.socket.path, lost.as_deref()),
        Err(why) => format!("{why:#}"),
    };
    line = line.replace('\n', " ");
    line.push('\n');
    let said = io::stdout().write_all(line.as_bytes()).and_then(|()| io::stdout().flush());
    let Ok((mut process, _)) = begun else { return Ok(said?) };
    // The opener is gone, and no other process knows the host's token.
    if said.is_err() && process.hub.table().saved.journal.is_none() {
        process.hub.close("the process that opened the table is gone");
    }
    processes::close_standard_handles()?;
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
    listener: Option<TableListener>,
    name: String,
    is_shared: bool,
    path: PathBuf,
    /// The socket file.
    file: Option<FileId>,
    /// Reports the removal of the file.
    watch: Option<FileWatch>,
    host: HostFile,
}

/// What a table's process begins with.
struct Start {
    opening: Opening,
    table: Table,
    saver: MatchSaver,
    /// Which part of a woken match is lost, if any.
    lost: Option<String>,
}

/// Reads the opening from stdin, or the name of the journal of the match to wake.
fn read_start() -> anyhow::Result<Start> {
    let bytes = read::stdin(Limit::OPENING)?;
    let text = String::from_utf8(bytes).context("the opening of the table")?;
    let Some(journal) = opening::read_key(&text, WAKE) else {
        let (opening, table) = Opening::read(&text).map_err(|why| anyhow!("{why}"))?;
        return Ok(Start { opening, table, saver: MatchSaver::new(None), lost: None });
    };
    let mut saver = MatchSaver::new(None);
    let (table, lost) = saver.resume(journal)?;
    let saved = seating_file::find(journal).context("its seats are not known")?;
    let is_over = table.current_match().outcome().is_some();
    if is_over && table.session().days().is_none() {
        bail!("the match is over");
    }
    if !table.may_start_programs {
        bail!("its host must resume it, because it starts a program");
    }
    let Seating { table: name, secret, .. } = &saved.seating;
    let place = folder::place_for_child(table.entry.id, secret.is_some(), name)?;
    let (idle, pace) = opening::read_times(&text).map_err(|why| anyhow!("{why}"))?;
    let opening = Opening {
        host_name: open::host_name(&table),
        seating: Seating { table: place.name, ..saved.seating },
        idle,
        pace,
        journal: Some(journal.to_owned()),
    };
    Ok(Start { opening, table, saver, lost })
}

/// Creates the socket of the table. The error is a sentence for the opener.
fn begin(
    start: Start,
    program_limits: impl FnOnce() -> ProgramLimits,
) -> anyhow::Result<(TableServer, Option<String>)> {
    let Start { opening, mut table, mut saver, lost } = start;
    processes::begin_session();
    hush_caught_panics();
    let wakers = Wakers::watch(&SIGNALS)?;
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
    let mut server = TableServer {
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
    };
    // From now on, other processes find the socket in the seating.
    server.store_seating();
    Ok((server, lost))
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
        // The time of a match with days per move may have run out while its table slept.
        let at = self.time();
        self.hub.flag(at);
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
        if self.hub.take_told() {
            self.store_seating();
        }
        // The connections just dropped may have been the last ones.
        if self.hub.is_over(self.now()) {
            return true;
        }
        let deadline = self.deadline();
        if !self.wait(deadline) {
            self.hub.close("the table cannot listen for connections");
        }
        if self.wakers.signals().into_iter().any(|signal| signal != SIGHUP) {
            self.hub.close("the table was told to stop");
        }
        self.take_new();
        self.hear_engines();
        self.hub.set_moment(calendar::moment());
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
        // With days per move, match time passes although no process runs.
        if let Some(time) = self.hub.table().session().time_at(calendar::moment()) {
            self.played = time;
        } else if self.hub.time_runs() {
            self.played += now - self.since;
        }
        self.since = now;
        self.played
    }

    /// Saves changes before telling any client, and asks engines about the new position.
    fn settle(&mut self) {
        if self.hub.may_begin() {
            self.hub.begin(calendar::moment());
        }
        if self.hub.take_changed() {
            self.saver.save(self.hub.table_mut());
            self.hub.note_saved();
            let mut troubles: Vec<String> = self.hub.table().saved.save_errors().cloned().collect();
            troubles.extend(self.store_seating());
            self.hub.set_trouble(Some(troubles.join("; ")).filter(|text| !text.is_empty()));
            self.socket.record(self.hub.table(), self.hub.host_token());
        }
        self.ask_engine();
    }

    /// Saves who owns the seats and what waits. Returns why not, if this loses what waits.
    fn store_seating(&mut self) -> Option<String> {
        let socket = Some(self.socket.path.clone());
        let seating = Seating { socket, ..self.hub.seating() };
        let table = self.hub.table();
        let stored = self.seating_file.store(table.saved.journal.as_deref(), seating);
        let why = stored.err().filter(|_| table.session().days().is_some())?;
        Some(format!("seats and messages are not saved: {why}"))
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
        let listener = listener.map(|listener| Source::readable(&listener.socket));
        let watch = self.socket.watch.as_ref();
        let deadline = deadline.into_iter().chain(watch.and_then(FileWatch::deadline)).min();
        let connections = self.connections.values().flat_map(Connection::sources);
        let watch = watch.and_then(FileWatch::source);
        let mut sources: Vec<Source<'_>> = connections.chain(listener).chain(watch).collect();
        if self.wakers.wait_for(&mut sources, deadline).is_err() {
            return false;
        }
        drop(sources);
        if self.socket.restore() {
            self.store_seating();
        }
        self.connections.values_mut().for_each(Connection::read);
        true
    }

    /// Accepts a limited number of waiting connections.
    fn take_new(&mut self) {
        let now = self.now();
        for _ in 0..MAX_ACCEPTED {
            let Some(listener) = &self.socket.listener else { return };
            let stream = match listener.socket.accept() {
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
                self.hub.close("the table's socket was removed");
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
        self.hub.close(self.hub.why_it_closes());
        let at = self.time();
        self.hub.table_mut().pause(at);
        // A closed table can no longer be woken by a guest.
        self.store_seating();
        let keeps_end = self.hub.keeps_end(calendar::moment());
        let table = self.hub.table_mut();
        let lost = if keeps_end { self.saver.put_away(table) } else { self.saver.close(table) };
        if !lost.is_empty() {
            self.hub.closes_in_vain(&lost.join("; "));
        }
        let journal = self.hub.table().saved.journal.as_deref();
        if journal.is_none_or(|journal| seating_file::find(journal).is_none()) {
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
        (self.watch, self.file) = (FileWatch::new(&self.path).ok(), FileId::at(&self.path).ok());
        self.host.write(&self.path)
    }

    /// Recreates a removed socket: runtime directories are removed at the user's last logout, and old files in `/tmp`
    /// are cleaned up. Returns whether the socket may have moved.
    fn restore(&mut self) -> bool {
        if !self.watch.as_mut().is_some_and(FileWatch::may_have_changed) {
            return false;
        }
        // The file may be removed again before the watch is set up.
        for _ in 0..MAX_RESTORED {
            if self.listener.is_none() || self.is_there() {
                break;
            }
            self.watch = None;
            let Ok(restored) = folder::listen_again(&self.name, self.is_shared) else { break };
            (self.listener, self.path) = (Some(restored.0), restored.1);
            let _ = self.publish();
        }
        true
    }

    /// Returns whether our socket is still at its path. A different table may have taken the name.
    fn is_there(&self) -> bool {
        self.file.is_some() && FileId::at(&self.path).ok() == self.file
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

impl Drop for TableSocket {
    fn drop(&mut self) {
        self.remove();
    }
}
