//! The server's logic: participants, their rights, and the lines sent to each participant.

mod claims;
mod correspondence;
mod limits;
mod news;
mod person;
mod questions;
mod rights;
mod seat_holders;

use super::protocol::{
    ClientMessage, LogChecksum, MAX_LINE_BYTES, MAX_STEPS, NOTHING_SAID, Presence, SeatRequest,
    ServerMessage, TableGreeting, VERSION,
};
use super::{Opening, SILENCE, SeatOwner, Seating, VoidReason, VoidToken, Waiting};
use correspondence::SLEEP_DELAY;
use jiff::Timestamp;
pub use person::{Origin, PeerUser, PersonId};
use person::{Person, PersonRole};
use quadrille_match::session::{Player, SeatSet};
use quadrille_match::store::MatchId;
use quadrille_table::play::{EngineEvent, EngineOutcome, EngineTurn, MovePace, Question, Table};
use questions::Pending;
use seat_holders::{HOST, SeatHolder};
use std::collections::VecDeque;
use std::iter;
use std::time::Duration;

pub(super) const MAX_WATCHERS: usize = 8;
/// How long a connection may take to send a `hello`.
const HELLO_TIMEOUT: Duration = Duration::from_secs(30);
/// How long the clock waits for terminals to confirm that all guests have joined.
const START_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a table with a finished match waits for disconnected players.
const AFTER_THE_END: Duration = Duration::from_secs(60);
/// How long an absent guest's seat stays reserved, and how long an empty lobby table stays open, before the first move.
const BEFORE_THE_FIRST_MOVE: Duration = Duration::from_secs(60);

/// A shared table. A hub has no clock, socket or file: lines, times and events go in, lines come out.
///
/// `at` is the elapsed match time, and `now` the time since the table was opened.
#[allow(clippy::struct_excessive_bools, reason = "independent flags")]
pub struct Hub {
    table: Table,
    /// The table's id.
    id: String,
    name: String,
    secret: Option<String>,
    idle: Duration,
    /// The minimum time per engine move in a match without a clock.
    pace: Duration,
    tokens: Box<dyn FnMut() -> String>,
    people: Vec<Person>,
    next_id: PersonId,
    /// The seated players, connected or not.
    holders: Vec<SeatHolder>,
    /// Tokens that are no longer valid. Their terminals are told why.
    void: Vec<VoidToken>,
    pending: Vec<Pending>,
    /// The seats from which the host has removed a player.
    guarded: SeatSet,
    /// The people who cannot request a seat yet, and until when.
    paused_askers: Vec<(Origin, Duration)>,
    last_question: u64,
    /// The messages and settled requests of a match with days per move.
    waiting: Waiting,
    /// The time in UTC at the last lines, for kept messages.
    moment: Option<Timestamp>,
    /// Whether news were sent to a player since the seating was saved.
    has_told: bool,
    /// The length of the log at the last check.
    logged: usize,
    engine_turn: EngineTurn,
    /// The length of the log when the engine to move was asked.
    asked_at: Option<usize>,
    /// The minimum time for its move.
    move_pace: MovePace,
    /// When that time is over.
    move_due: Option<Duration>,
    /// The last announced id of the match.
    told_id: Option<MatchId>,
    trouble: Option<String>,
    has_changed: bool,
    /// Whether the clock has started. Once started, it runs even if guests leave.
    has_begun: bool,
    /// Whether any move was made at this table, including before a rematch.
    has_played: bool,
    /// The latest time at which the clock starts; set when all guests have joined.
    start_by: Option<Duration>,
    /// The last announced clock state.
    clock_was_running: bool,
    finished: VecDeque<Table>,
    empty_since: Option<Duration>,
    is_closed: bool,
    /// Whether the host has closed the table, so that its match waits for the host.
    is_put_away: bool,
}

impl Hub {
    /// Opens a table. `tokens` generates unguessable tokens.
    pub fn new(
        table: Table,
        opening: &Opening,
        tokens: Box<dyn FnMut() -> String>,
    ) -> Result<Hub, String> {
        let Seating { id, table: name, secret, host_token, guests, void, .. } =
            opening.seating.clone();
        let host_name = opening.host_name.clone();
        let host = SeatHolder::new(HOST, host_name, table.local(), host_token, None);
        let guests = (HOST + 1..).zip(guests).map(|(id, guest)| {
            let SeatOwner { seats, name, token, origin, is_confirmed } = guest;
            SeatHolder { is_confirmed, ..SeatHolder::new(id, name, seats, token, origin) }
        });
        let holders: Vec<SeatHolder> = iter::once(host).chain(guests).collect();
        let mut hub = Hub {
            table,
            id,
            name,
            secret,
            idle: opening.idle,
            pace: opening.pace,
            tokens,
            people: Vec::new(),
            next_id: holders.last().map_or(HOST, |holder| holder.id),
            holders,
            void,
            pending: Vec::new(),
            guarded: SeatSet::default(),
            paused_askers: Vec::new(),
            last_question: 0,
            waiting: opening.seating.waiting.clone(),
            moment: None,
            has_told: false,
            logged: 0,
            engine_turn: EngineTurn::default(),
            asked_at: None,
            move_pace: MovePace::default(),
            move_due: None,
            told_id: None,
            trouble: None,
            // A resumed match has a new token for the host.
            has_changed: opening.journal.is_some(),
            has_begun: false,
            has_played: false,
            start_by: None,
            clock_was_running: false,
            finished: VecDeque::new(),
            empty_since: Some(Duration::ZERO),
            is_closed: false,
            is_put_away: false,
        };
        hub.logged = hub.table.session().log().len();
        hub.has_played = hub.logged > 0;
        hub.clock_was_running = hub.time_runs();
        hub.note_saved();
        hub.reopen_requests(&opening.seating.waiting);
        hub.ask_again(opening.seating.asks.clone());
        if hub.head().iter().any(|word| word.to_string().len() > MAX_LINE_BYTES) {
            return Err("the setup is too long for a shared table".to_owned());
        }
        Ok(hub)
    }

    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the table, so that the caller can set where the match is saved.
    pub fn table_mut(&mut self) -> &mut Table {
        &mut self.table
    }

    /// Returns who owns the seats, to be saved for a resume.
    pub fn seating(&self) -> Seating {
        let guests = self.holders.iter().filter(|holder| !holder.is_host);
        Seating {
            id: self.id.clone(),
            table: self.name.clone(),
            secret: self.secret.clone(),
            host_token: self.host_token().to_owned(),
            socket: None,
            can_wake: self.can_wake(),
            has_programs: self.has_programs(),
            guests: guests.map(SeatHolder::owner).collect(),
            asks: self.askers(),
            void: self.void.clone(),
            waiting: self.waiting(),
        }
    }

    fn has_programs(&self) -> bool {
        self.table.players().programs().next().is_some()
    }

    /// Returns whether a guest may wake the table once it sleeps.
    fn can_wake(&self) -> bool {
        let is_hosted = !self.table.local().is_empty();
        is_hosted && !self.has_programs() && self.secret.is_none() && !self.is_put_away
    }

    /// Returns the token with which a terminal of the host may return.
    pub fn host_token(&self) -> &str {
        self.holders.iter().find(|holder| holder.is_host).map_or("", |holder| &holder.token)
    }

    /// Adds a connection, and drops an older one if necessary. Returns `None` if the table is closed.
    pub fn arrive(&mut self, peer: PeerUser, now: Duration) -> Option<PersonId> {
        if self.is_closed {
            return None;
        }
        self.next_id += 1;
        self.people.push(Person::new(self.next_id, peer, now));
        self.note_who_is_here(now);
        self.limit_connections(self.next_id);
        Some(self.next_id)
    }

    /// Sets the time in UTC of the lines that follow.
    pub fn set_moment(&mut self, moment: Timestamp) {
        self.moment = Some(moment);
    }

    /// Processes a line from a connection.
    pub fn on_line(&mut self, who: PersonId, line: &str, at: Duration, now: Duration) {
        let known = self.people.iter_mut().find(|person| person.id == who);
        let Some(person) = known.filter(|person| !person.is_dropped()) else { return };
        let word = ClientMessage::parse(line);
        if person.heard.is_some() || matches!(word, Some(ClientMessage::Ping(_))) {
            person.heard = Some(now);
        }
        if !person.has_greeted {
            self.greet(who, word);
        } else if !person.is_settled() {
            self.welcome(who, word, now);
        } else if let Some(word) = word {
            self.answer(who, word, at, now);
        }
        self.prepare_start(now);
        self.settle(at);
    }

    /// Sends the reason and drops a connection whose input is invalid.
    pub fn cannot_hear(&mut self, who: PersonId, why: &str) {
        self.drop_with(who, &ServerMessage::No(why.to_owned()));
    }

    /// Handles the end of a connection.
    pub fn leave(&mut self, who: PersonId, at: Duration, now: Duration) {
        let is_slow = self.person(who).is_some_and(|person| person.is_slow);
        self.forget(who, if is_slow { Presence::Slow } else { Presence::Away }, now);
        self.settle(at);
    }

    /// Drops a connection that has accepted no data for too long.
    pub fn cut(&mut self, who: PersonId, at: Duration, now: Duration) {
        self.forget(who, Presence::Slow, now);
        self.settle(at);
    }

    /// Returns the next line for this connection: queued messages first, then missing steps of the log.
    pub fn next_line(&mut self, who: PersonId) -> Option<String> {
        let index = self.index(who)?;
        if self.people[index].has_missed() {
            self.tell_again(index);
        }
        let person = &mut self.people[index];
        if let Some((line, news)) = person.next_word() {
            if let Some(news) = news {
                self.note_told(who, news);
            }
            return Some(line);
        }
        let log = self.table.session().log();
        person.next_step(log).or_else(|| person.last_word())
    }

    pub fn wants_to_speak(&self, who: PersonId) -> bool {
        let steps = self.table.session().log().len();
        self.person(who).is_some_and(|person| person.has_words(steps))
    }

    /// Returns whether this connection is to be closed after its lines are sent.
    pub fn has_dropped(&self, who: PersonId) -> bool {
        self.person(who).is_none_or(Person::is_dropped)
    }

    /// Returns whether the match has changed since the last call. Save the match before sending any line.
    pub fn take_changed(&mut self) -> bool {
        std::mem::take(&mut self.has_changed)
    }

    /// Tells all terminals the id of the match once it is saved.
    pub fn note_saved(&mut self) {
        let id = self.table.saved.journal.as_deref().and_then(MatchId::of_name);
        if self.told_id != id {
            self.told_id.clone_from(&id);
            if let Some(id) = id {
                self.broadcast(&ServerMessage::Id(id));
            }
        }
    }

    /// Sets why the match could not be saved; `None` if the match is saved.
    pub fn set_trouble(&mut self, trouble: Option<String>) {
        if self.trouble != trouble {
            self.broadcast(&ServerMessage::Trouble(trouble.clone().unwrap_or_default()));
            self.trouble = trouble;
        }
    }

    /// Returns whether match time passes. The clock starts after all guests have joined and every terminal has
    /// confirmed this.
    pub fn time_runs(&self) -> bool {
        let session = self.table.session();
        let has_begun = match session.fischer_clock() {
            Some(_) => self.has_begun,
            None => !session.is_to_begin(),
        };
        let is_on = self.table.current_match().to_move().is_some();
        is_on && has_begun && self.engine_turn.time_runs(&self.table)
    }

    /// Ends the match if the seat to move has run out of time. Returns whether this happened.
    pub fn flag(&mut self, at: Duration) -> bool {
        let flagged = self.table.flag(at);
        self.settle(at);
        flagged
    }

    /// Returns the request for the engine or program to move, unless already sent.
    pub fn question(&mut self, seed: u32, at: Duration, now: Duration) -> Option<Question> {
        let steps = self.table.session().log().len();
        if self.asked_at == Some(steps) {
            return None;
        }
        let ask = self.engine_turn.ask(&self.table, seed, at)?;
        self.asked_at = Some(steps);
        self.move_pace.set(self.pace, self.table.session());
        self.move_pace.restart();
        self.move_due = self.move_pace.least().map(|least| now + least);
        Some(self.table.question(ask))
    }

    /// Processes an event from the last engine or program that was asked.
    pub fn engine_event(&mut self, event: EngineEvent, at: Duration) {
        match self.engine_turn.on_event(event, &self.table) {
            EngineOutcome::Move(mv) => {
                if let Some(mv) = self.move_pace.found(mv) {
                    self.play_for_engine(&mv, at);
                }
            }
            EngineOutcome::Forfeit { reason, .. } => self.table.forfeit(&reason, at),
            EngineOutcome::Failed(why) => self.engine_failed(&why),
            EngineOutcome::Nothing | EngineOutcome::Starting | EngineOutcome::Help(_) => {}
        }
        self.settle(at);
    }

    /// Drops the move that the engine may have found: the match has changed.
    fn forget_engine_turn(&mut self) {
        self.engine_turn = EngineTurn::default();
        self.move_pace.restart();
        self.move_due = None;
    }

    fn play_for_engine(&mut self, mv: &str, at: Duration) {
        if let Err(why) = self.table.play_for_engine(mv, at) {
            self.engine_failed(&why);
        }
    }

    fn engine_failed(&mut self, why: &str) {
        self.engine_turn = EngineTurn::Waits;
        self.broadcast(&refused(0, format!("{why}; a ping retries")));
    }

    /// Returns the finished match after a rematch has replaced it, to be filed. Match time restarts at 0.
    pub fn take_finished(&mut self) -> Option<Table> {
        self.finished.pop_front()
    }

    /// Returns when [`tick`](Hub::tick) is due.
    pub fn deadline(&self) -> Option<Duration> {
        let new = self.people.iter().filter(|person| person.is_new());
        let new = new.map(|person| person.since + HELLO_TIMEOUT);
        let abandoned = self.holders.iter().filter_map(|holder| self.released_at(holder));
        let silent = self.people.iter().filter_map(|person| Some(person.heard? + SILENCE));
        let due = new.chain(abandoned).chain(silent).chain(self.closes_at()).chain(self.start_by);
        due.chain(self.questions_expire()).chain(self.move_due).min()
    }

    /// Drops dead connections and those without a `hello`, releases abandoned seats, expires questions, and plays an
    /// engine's move whose minimum time is over.
    pub fn tick(&mut self, at: Duration, now: Duration) {
        let late = |person: &&Person| person.is_new() && person.since + HELLO_TIMEOUT <= now;
        let late: Vec<PersonId> = self.people.iter().filter(late).map(|person| person.id).collect();
        for who in late {
            self.cannot_hear(who, NOTHING_SAID);
        }
        // If a terminal that used to ping is silent, its connection is dead.
        for who in self.silent(now) {
            self.leave(who, at, now);
        }
        if self.start_by.take_if(|start| *start <= now).is_some() {
            self.has_begun = true;
        }
        self.release_abandoned(now);
        self.expire_questions(now);
        if self.move_due.take_if(|due| *due <= now).is_some()
            && let Some(mv) = self.move_pace.end()
        {
            self.play_for_engine(&mv, at);
        }
        self.settle(at);
    }

    fn silent(&self, now: Duration) -> Vec<PersonId> {
        let is_silent = |person: &&Person| person.heard.is_some_and(|heard| heard + SILENCE <= now);
        self.people.iter().filter(is_silent).map(|person| person.id).collect()
    }

    /// Returns when the table closes if nobody joins.
    fn closes_at(&self) -> Option<Duration> {
        // An engine moves before the table sleeps.
        if self.has_days() && self.table.engine_to_move().is_some() && self.time_runs() {
            return None;
        }
        let is_over = self.table.current_match().outcome().is_some();
        let patience = match is_over {
            true if self.has_end_been_seen() => Duration::ZERO,
            _ if self.has_days() => SLEEP_DELAY,
            true if self.holders.iter().all(SeatHolder::has_gone) => Duration::ZERO,
            true => self.idle.min(AFTER_THE_END),
            false if self.has_host() || self.has_played => self.idle,
            false => self.idle.min(BEFORE_THE_FIRST_MOVE),
        };
        Some(self.empty_since? + patience)
    }

    /// Returns whether the host has closed the table or it has been empty for too long.
    pub fn is_over(&self, now: Duration) -> bool {
        self.is_closed || self.closes_at().is_some_and(|end| end <= now)
    }

    /// Records the match time, so that the match resumes with the correct remaining time.
    pub fn pause(&mut self, at: Duration) {
        self.table.pause(at);
        self.settle(at);
    }

    /// Closes the table, and tells why and how the match goes on. A connection that was not greeted ends without a word,
    /// so that its client repeats it to the next process.
    pub fn close(&mut self, why: &str) {
        self.is_closed = true;
        let goes_on = self.table.current_match().outcome().is_none();
        let rest = match self.can_wake() {
            true if goes_on => "match saved; join again to return",
            false if goes_on && self.has_host() => "match saved; the host can resume it",
            _ => "match saved",
        };
        let word = ServerMessage::Closed(format!("{why}; {rest}"));
        for person in &mut self.people {
            if person.has_greeted {
                person.end_with(&word);
            } else {
                person.end_silently();
            }
        }
    }

    /// Replaces the final message to everyone with the reason why the match could not be saved.
    pub fn closes_in_vain(&mut self, lost: &str) {
        let word =
            ServerMessage::Closed(format!("the table has ended and the match is lost: {lost}"));
        self.people.iter_mut().for_each(|person| person.ends_instead_with(&word));
    }

    /// Returns why an empty table closes.
    pub fn why_it_closes(&self) -> &'static str {
        if self.has_days() {
            "the table sleeps because the players have left"
        } else {
            "the table was empty too long"
        }
    }

    pub fn is_empty(&self) -> bool {
        self.empty_since.is_some()
    }

    /// Processes the lines of a connection up to its greeting.
    fn greet(&mut self, who: PersonId, word: Option<ClientMessage>) {
        let Some(index) = self.index(who) else { return };
        match word {
            Some(ClientMessage::As(_) | ClientMessage::Key(_))
                if self.people[index].peer.other_user.is_some() =>
            {
                self.cannot_hear(who, "only the host's account can verify names");
            }
            Some(ClientMessage::As(name)) if self.people[index].identity.name.is_none() => {
                self.people[index].identity.name = Some(name);
                self.limit_connections(who);
            }
            Some(ClientMessage::Key(key)) if self.people[index].identity.key.is_none() => {
                self.people[index].identity.key = Some(key);
                self.limit_connections(who);
            }
            Some(ClientMessage::As(_) | ClientMessage::Key(_)) => {
                self.cannot_hear(who, "duplicate identity");
            }
            Some(ClientMessage::Greeting(version)) if version >= VERSION => {
                self.people[index].has_greeted = true;
                let host =
                    self.holders.iter().find(|holder| holder.is_host && holder.is_somebody());
                let host = host.filter(|_| self.people[index].peer.other_user.is_none());
                let greeting = TableGreeting {
                    version: VERSION,
                    id: Some(self.id.clone()),
                    host: host.map(|host| host.name.clone()),
                };
                self.send(who, &ServerMessage::Greeting(greeting));
            }
            Some(ClientMessage::Greeting(_)) => {
                let why = format!(
                    "this table needs protocol version {VERSION} or later; update Quadrille"
                );
                self.drop_with(who, &ServerMessage::No(why));
            }
            _ => self.cannot_hear(who, "this is a Quadrille table; send a greeting"),
        }
    }

    /// Processes a line from a connection that is neither seated nor watching.
    fn welcome(&mut self, who: PersonId, word: Option<ClientMessage>, now: Duration) {
        let waits = self.person(who).is_some_and(|person| person.role == PersonRole::Waits);
        match word {
            Some(ClientMessage::Hello(_) | ClientMessage::Look) if waits => {
                self.cannot_hear(who, "duplicate greeting");
            }
            Some(ClientMessage::Hello(hello)) if !self.admits(who, hello.secret.as_deref()) => {
                self.cannot_hear(who, "wrong secret; ask the host for the complete command");
            }
            Some(ClientMessage::Look) if !self.admits(who, None) => {
                self.cannot_hear(who, "this table belongs to another user");
            }
            Some(ClientMessage::Hello(hello)) => self.seat(who, hello, now),
            Some(ClientMessage::Look) => {
                let moves = self.table.current_match().ply().to_string();
                self.send(who, &ServerMessage::Match("moves".to_owned(), moves));
                self.tell_head(who, 0);
                self.drop_with(who, &ServerMessage::Closed("no more to show".to_owned()));
            }
            Some(ClientMessage::Ping(text)) => self.send(who, &ServerMessage::Pong(text)),
            Some(ClientMessage::Close(Some(token))) if self.is_host_token(&token) => {
                self.put_away("the table was closed with quadrille table close");
            }
            Some(ClientMessage::Bye) => {
                self.drop_with(who, &ServerMessage::Closed("bye".to_owned()));
            }
            // For `quadrille table connect`.
            None | Some(ClientMessage::Mine(_) | ClientMessage::List | ClientMessage::Open(_)) => {}
            Some(_) => self.cannot_hear(who, "say hello first"),
        }
    }

    /// Processes a line from a player or watcher.
    fn answer(&mut self, who: PersonId, word: ClientMessage, at: Duration, now: Duration) {
        // Any message makes a failed engine retry.
        if self.engine_turn.go_on() {
            self.asked_at = None;
        }
        let (mut proposed, mut done) = (0, Ok(()));
        match word {
            ClientMessage::Have(have) => {
                self.confirm_token(who);
                self.tell_match(who, have, at);
            }
            ClientMessage::Propose { number, seat, step } => {
                proposed = number;
                done = self.propose(who, number, seat, &step, at);
            }
            ClientMessage::Ask(request) => done = self.ask(who, request, at, now),
            ClientMessage::Answer { number, yes } => {
                done = self.hear_answer(who, number, yes, at, now);
            }
            ClientMessage::Withdraw(number) => done = self.withdraw(who, number),
            ClientMessage::Remove(name) => done = self.remove(who, &name, now),
            ClientMessage::Say(text) => done = self.say(who, text),
            ClientMessage::Ping(text) => self.send(who, &ServerMessage::Pong(text)),
            ClientMessage::Ready => {
                if let Some(holder) = self.holder_index(who) {
                    self.holders[holder].is_ready = true;
                }
            }
            ClientMessage::Close(_) => done = self.close_for(who),
            ClientMessage::Bye => {
                self.drop_with(who, &ServerMessage::Closed("bye".to_owned()));
                self.forget(who, Presence::Gone, now);
            }
            ClientMessage::Greeting(_)
            | ClientMessage::As(_)
            | ClientMessage::Key(_)
            | ClientMessage::Hello(_)
            | ClientMessage::Mine(_)
            | ClientMessage::List
            | ClientMessage::Open(_)
            | ClientMessage::Look => {
                done = Err("duplicate greeting".to_owned());
            }
        }
        if let Err(reason) = done {
            self.send(who, &refused(proposed, reason));
        }
    }

    fn say(&mut self, who: PersonId, text: String) -> Result<(), String> {
        let name = self.holder_of(who).ok_or("spectators cannot send messages")?.name.clone();
        if text.is_empty() {
            return Ok(());
        }
        if self.has_days() {
            self.keep_message(name, text);
        } else {
            self.broadcast(&ServerMessage::Said { name, text });
        }
        Ok(())
    }

    fn close_for(&mut self, who: PersonId) -> Result<(), String> {
        if !self.holder_of(who).is_some_and(|holder| holder.is_host) {
            return Err("only the host can close the table".to_owned());
        }
        if self.has_days() {
            return Err("a match with days per move stays open; leave it instead".to_owned());
        }
        self.put_away("the host closed the table");
        Ok(())
    }

    /// Closes the table until the host resumes the match. With days per move, the next player wakes it again.
    fn put_away(&mut self, why: &str) {
        self.is_put_away = !self.has_days();
        self.close(why);
    }

    /// Handles a changed match: marks it as unsaved, and ends questions about the old position.
    fn settle(&mut self, at: Duration) {
        let logged = self.table.session().log().len();
        if std::mem::replace(&mut self.logged, logged) < logged {
            self.has_changed = true;
            self.forget_engine_turn();
        }
        self.has_played |= logged > 0;
        self.lapse_questions(&self.why_position_changed());
        if self.table.current_match().outcome().is_none() {
            self.holders.iter_mut().for_each(|holder| holder.has_left_end = false);
        }
        if self.start_by.is_some() && self.holders.iter().all(SeatHolder::is_ready) {
            (self.has_begun, self.start_by) = (true, None);
        }
        let runs = self.time_runs();
        if runs != self.clock_was_running && self.table.session().clocks().is_some() {
            self.broadcast(&ServerMessage::Clock { at, runs });
        }
        self.clock_was_running = runs;
    }

    /// After all guests have joined, waits for all terminals to confirm before the clock starts. A guest may have woken
    /// the table, so the host must be there.
    fn prepare_start(&mut self, now: Duration) {
        let is_ready = |holder: &SeatHolder| {
            if holder.is_host { holder.person.is_some() } else { holder.has_come() }
        };
        let has_come = |seat| {
            self.holders.iter().any(|holder| is_ready(holder) && holder.seats.contains(seat))
        };
        let waits = !self.has_begun && self.table.session().fischer_clock().is_some();
        if !waits || !self.table.players().people().all(has_come) {
            self.start_by = None;
        } else if self.start_by.is_none() {
            self.start_by = Some(now + START_TIMEOUT);
            self.holders.iter_mut().for_each(|holder| holder.is_ready = false);
        }
    }

    /// Returns whether the match has reached the maximum number of steps.
    fn is_long(&self) -> bool {
        self.table.session().log().len() >= MAX_STEPS
    }

    fn head(&self) -> Vec<ServerMessage> {
        let session = self.table.session();
        let word = |key: &str, value: String| ServerMessage::Match(key.to_owned(), value);
        let mut words = vec![
            word("table", self.name.clone()),
            word("game", self.table.entry.id.to_owned()),
            word("setup", session.current_match().setup().to_string()),
            word("words", session.given_setup().to_string()),
        ];
        let clock = session.conditions().clock;
        words.extend(clock.map(|clock| word("clock", clock.to_string())));
        // A terminal shows nothing until it has received this many steps.
        words.push(word("steps", session.log().len().to_string()));
        if self.has_hints() {
            words.push(word("hints", "on".to_owned()));
        }
        // A program's command line is kept private.
        let players = session.players();
        words.extend(players.iter().map(|(seat, player)| match player {
            Player::Engine(_) => word("engine", player.to_string()),
            Player::Program(_) => word("program", players.name(seat).to_owned()),
            _ => word("person", players.name(seat).to_owned()),
        }));
        words
    }

    /// Returns whether hints are enabled.
    fn has_hints(&self) -> bool {
        let guests = self.table.players().as_slice().iter().filter_map(Player::guest);
        guests.into_iter().all(|guest| guest.hints)
    }

    /// Sends the head of the match, the step at which the log continues, and the presences.
    fn tell_head(&mut self, who: PersonId, from: usize) {
        let mut words = self.head();
        let watches = self.person(who).and_then(Person::watches);
        let name = self.holder_of(who).map(|holder| &*holder.name).or(watches);
        words.extend(name.map(|name| ServerMessage::Match("you".to_owned(), name.to_owned())));
        words.push(ServerMessage::Have(LogChecksum::of(self.table.session(), from)));
        words.extend(self.presences());
        words.extend(self.told_id.clone().map(ServerMessage::Id));
        words.extend(self.trouble.clone().map(ServerMessage::Trouble));
        for word in words {
            self.send(who, &word);
        }
    }

    /// Sends the match to a terminal that already has these steps.
    fn tell_match(&mut self, who: PersonId, have: LogChecksum, at: Duration) {
        let session = self.table.session();
        let is_known =
            have.count <= session.log().len() && LogChecksum::of(session, have.count) == have;
        let from = if is_known { have.count } else { 0 };
        self.tell_head(who, from);
        if self.table.session().clocks().is_some() {
            let runs = self.time_runs();
            self.send(who, &ServerMessage::Clock { at, runs });
        }
        self.tell_news(who, true);
        self.send_questions_to(who);
        if let Some(index) = self.index(who) {
            self.people[index].begin_log(from);
        }
        if let Some(holder) = self.holder_index(who)
            && self.holders[holder].absence == Presence::Slow
        {
            self.holders[holder].absence = Presence::Away;
            self.send(who, &refused(0, "disconnected: your connection stalled for ten seconds"));
        }
    }

    /// Resends presences, news and open questions to a terminal that missed messages.
    fn tell_again(&mut self, index: usize) {
        let who = self.people[index].id;
        self.people[index].catch_up();
        for word in self.presences() {
            self.send(who, &word);
        }
        self.tell_news(who, false);
        self.send_questions_to(who);
        self.send(who, &refused(0, "slow connection: some messages were skipped"));
    }

    fn presences(&self) -> Vec<ServerMessage> {
        // A host without a seat is hidden until their terminal joins.
        let holders =
            self.holders.iter().filter(|holder| holder.is_somebody()).map(SeatHolder::presence);
        let watchers = self.people.iter().filter_map(Person::watches);
        let watchers = watchers.map(|name| ServerMessage::Presence {
            name: name.to_owned(),
            presence: Presence::Watch,
            seats: SeatSet::default(),
        });
        holders.chain(watchers).collect()
    }

    fn index(&self, who: PersonId) -> Option<usize> {
        self.people.iter().position(|person| person.id == who)
    }

    fn person(&self, who: PersonId) -> Option<&Person> {
        self.people.iter().find(|person| person.id == who)
    }

    fn person_mut(&mut self, who: PersonId) -> Option<&mut Person> {
        self.people.iter_mut().find(|person| person.id == who)
    }

    fn send(&mut self, who: PersonId, word: &ServerMessage) {
        if let Some(person) = self.person_mut(who) {
            person.send(word);
        }
    }

    /// Sends a message to all players and watchers.
    fn broadcast(&mut self, word: &ServerMessage) {
        self.people.iter_mut().filter(|person| person.is_settled()).for_each(|it| it.send(word));
    }

    /// Sends a connection this message, then drops it.
    fn drop_with(&mut self, who: PersonId, word: &ServerMessage) {
        if let Some(person) = self.person_mut(who) {
            person.end_with(word);
        }
    }
}

/// Builds a refusal. The number 0 means that the refusal does not refer to a proposal.
fn refused(number: u64, reason: impl Into<String>) -> ServerMessage {
    ServerMessage::Refused { number, reason: reason.into() }
}

#[cfg(test)]
mod correspondence_tests;
#[cfg(test)]
mod news_tests;
#[cfg(test)]
mod tests;
