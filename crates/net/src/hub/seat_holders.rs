//! Seats: assignment, return, and release.

use super::claims::SeatOffer;
use super::person::{Origin, Person, PersonRole};
use super::{BEFORE_THE_FIRST_MOVE, Hub, MAX_WATCHERS, PersonId, SeatRequest, ServerMessage};
use crate::names::look_alike;
use crate::protocol::{Hello, LogChecksum, Presence, SeatClaimant, fit_name};
use crate::seating::push_void;
use crate::{SeatOwner, VoidReason, VoidToken};
use constant_time_eq::constant_time_eq;
use quadrille_match::session::SeatSet;
use quadrille_rules::Seat;
use std::time::Duration;

/// The holder id of the host. No connection has this id.
pub(super) const HOST: PersonId = 0;

/// The seats of one terminal. They stay taken while the terminal's connection is down.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "independent flags")]
pub(super) struct SeatHolder {
    /// The id of this holder's first connection. It never changes.
    pub id: PersonId,
    pub name: String,
    pub seats: SeatSet,
    /// The token of the terminal that has these seats.
    pub token: String,
    /// The tokens of the terminal that had these seats before, until the new terminal shows that it has its own.
    pub former_tokens: Vec<String>,
    /// The player's origin; `None` for the host, and for a guest whose name alone is known.
    pub origin: Option<Origin>,
    /// The current connection; `None` while it is down.
    pub person: Option<PersonId>,
    pub is_host: bool,
    /// Whether the host knows that this player plays.
    pub is_confirmed: bool,
    pub absence: Presence,
    /// When the connection ended; `None` while it is up.
    pub left_at: Option<Duration>,
    /// Whether this terminal has confirmed that all guests have joined.
    pub is_ready: bool,
    /// The number of the last news that the player's terminal was told.
    pub seen: u64,
    /// Whether the player has left the finished board.
    pub has_left_end: bool,
}

impl SeatHolder {
    /// Creates a holder without a connection.
    pub fn new(
        id: PersonId,
        name: String,
        seats: SeatSet,
        token: String,
        origin: Option<Origin>,
    ) -> SeatHolder {
        SeatHolder {
            id,
            name,
            seats,
            token,
            former_tokens: Vec::new(),
            is_host: id == HOST,
            is_confirmed: true,
            origin,
            person: None,
            absence: Presence::Away,
            left_at: None,
            is_ready: false,
            seen: 0,
            has_left_end: false,
        }
    }

    /// Returns whether the player has said `bye`, in which case nobody waits for them.
    pub fn has_gone(&self) -> bool {
        self.person.is_none() && self.absence == Presence::Gone
    }

    /// Returns whether the player's terminal has been at this table since it was opened.
    pub fn has_come(&self) -> bool {
        self.person.is_some() || self.left_at.is_some()
    }

    pub fn owner(&self) -> SeatOwner {
        let SeatHolder { seats, name, token, origin, is_confirmed, .. } = self;
        let (name, token, origin) = (name.clone(), token.clone(), origin.clone());
        SeatOwner { seats: *seats, name, token, origin, is_confirmed: *is_confirmed }
    }

    fn has_token(&self, token: Option<&str>) -> bool {
        let is_said = |known: &String| token.is_some_and(|token| is_same_secret(token, known));
        is_said(&self.token) || self.former_tokens.iter().any(is_said)
    }

    /// Returns whether the clock may start without waiting for this holder.
    pub fn is_ready(&self) -> bool {
        self.seats.is_empty() || self.person.is_some() && self.is_ready
    }

    /// Returns why a terminal loses these seats to a newer terminal of the same player.
    fn why_moved(&self) -> VoidReason {
        if self.is_host { VoidReason::Resumed } else { VoidReason::Moved }
    }

    pub fn is_somebody(&self) -> bool {
        self.person.is_some() || !self.seats.is_empty()
    }

    pub fn presence(&self) -> ServerMessage {
        let presence = if self.person.is_some() { Presence::Here } else { self.absence };
        ServerMessage::Presence { name: self.name.clone(), presence, seats: self.seats }
    }
}

/// Compares two secrets in constant time.
pub(super) fn is_same_secret(said: &str, secret: &str) -> bool {
    constant_time_eq(said.as_bytes(), secret.as_bytes())
}

impl Hub {
    /// Returns whether this connection may join: it belongs to the table's user or has sent the secret.
    pub(super) fn admits(&self, who: PersonId, said: Option<&str>) -> bool {
        let is_own = self.person(who).is_some_and(|person| person.peer.other_user.is_none());
        let secret = said.zip(self.secret.as_deref());
        is_own || secret.is_some_and(|(said, secret)| is_same_secret(said, secret))
    }

    pub(super) fn is_host_token(&self, token: &str) -> bool {
        self.holders.iter().any(|holder| holder.is_host && holder.has_token(Some(token)))
    }

    pub(super) fn holder_index(&self, who: PersonId) -> Option<usize> {
        self.holders.iter().position(|holder| holder.person == Some(who))
    }

    pub(super) fn holder(&self, id: PersonId) -> Option<&SeatHolder> {
        self.holders.iter().find(|holder| holder.id == id)
    }

    pub(super) fn holder_of(&self, who: PersonId) -> Option<&SeatHolder> {
        self.holders.iter().find(|holder| holder.person == Some(who))
    }

    /// Seats or refuses a connection after its `hello`.
    pub(super) fn seat(&mut self, who: PersonId, hello: Hello, now: Duration) {
        if self.asks_already(who, &hello) {
            return;
        }
        let Hello { name, wanted, token, claimant, .. } = hello;
        let token = token.as_deref();
        let is_second = claimant == SeatClaimant::SecondTerminal;
        let is_said =
            |void: &&VoidToken| token.is_some_and(|said| is_same_secret(said, &void.token));
        if let Some(at) = self.void.iter().position(|void| is_said(&void)).filter(|_| !is_second) {
            let why = self.void[at].why;
            if why == VoidReason::Declined {
                // The player knows now, and may ask again.
                self.void.remove(at);
                self.has_changed = true;
            }
            return self.drop_with(who, &lost_seat(why));
        }
        let Some(person) = self.person(who) else { return };
        let origin = person.origin();
        let name = origin.identity.name.clone().unwrap_or(name);
        if wanted == SeatRequest::Watch {
            return self.watch(who, &name, now);
        }
        match self.own_holder(&origin, &name, token) {
            Some(holder)
                if claimant == SeatClaimant::NewTerminal
                    || !is_second
                        && (self.holders[holder].has_token(token)
                            || self.holders[holder].person.is_none()) =>
            {
                self.reconnect(who, holder, claimant, now);
            }
            Some(holder) => match self.place_beside(holder, wanted) {
                Some(seats) => self.take_free_seats(who, &name, seats, now),
                None => self.drop_with(who, &ServerMessage::Elsewhere),
            },
            None => match self.find_place(&name, wanted) {
                Ok(SeatOffer::Full) => self.drop_with(who, &ServerMessage::Full),
                Ok(SeatOffer::Free(seats)) => self.take_free_seats(who, &name, seats, now),
                Ok(SeatOffer::Reserved(holder)) => {
                    self.claim(who, &name, SeatSet::default(), Some(holder), now);
                }
                Err(why) => self.cannot_hear(who, &why),
            },
        }
    }

    /// Finds a player: by its token, or by a verified identity. If one person has several, an empty one and
    /// the name decide.
    fn own_holder(&self, origin: &Origin, name: &str, token: Option<&str>) -> Option<usize> {
        let is_own = |holder: &SeatHolder| {
            let known = holder.origin.as_ref();
            known.is_some_and(|known| known.identity.is_same_person(&origin.identity))
        };
        let is_empty = |holder: &SeatHolder| holder.person.is_none() && is_own(holder);
        let find = |is_meant: &dyn Fn(&SeatHolder) -> bool| self.holders.iter().position(is_meant);
        find(&|holder| holder.has_token(token))
            .or_else(|| find(&|holder| is_empty(holder) && holder.name == name))
            .or_else(|| find(&is_empty))
            .or_else(|| find(&is_own))
    }

    /// Returns the seats for a second terminal of this player; `None` if no other seats are free.
    fn place_beside(&self, holder: usize, wanted: SeatRequest) -> Option<SeatSet> {
        let is_free = |seat: &Seat| !self.holders.iter().any(|holder| holder.seats.contains(*seat));
        let mut free = self.table.players().guests().filter(is_free);
        match wanted {
            SeatRequest::Seats(seats) if seats != self.holders[holder].seats => {
                let free: Vec<Seat> = free.collect();
                seats.iter().all(|seat| free.contains(&seat)).then_some(seats)
            }
            SeatRequest::Any => free.next().map(|seat| [seat].into_iter().collect()),
            SeatRequest::Seats(_) | SeatRequest::Watch => None,
        }
    }

    /// Seats a player at free seats. Other users of the machine, and players at a seat from which the host has removed
    /// one, need consent.
    fn take_free_seats(&mut self, who: PersonId, name: &str, seats: SeatSet, now: Duration) {
        let Some(origin) = self.person(who).map(Person::origin) else { return };
        if origin.peer.other_user.is_none() && !self.is_guarded(seats) {
            // The line of a key with a name invites this player.
            let is_invited = origin.identity.name.is_some();
            self.sit_down(who, name, seats, origin, None, now);
            if let Some(holder) = self
                .holders
                .last_mut()
                .filter(|_| !is_invited && self.table.session().is_to_begin())
            {
                holder.is_confirmed = false;
                let holder = holder.id;
                self.ask_to_confirm(holder);
            }
        } else {
            self.claim(who, name, seats, None, now);
        }
    }

    /// Gives seats to a player, who may be away. Without a `token`, the player gets a new one.
    pub(super) fn sit_down(
        &mut self,
        who: PersonId,
        name: &str,
        seats: SeatSet,
        origin: Origin,
        token: Option<&str>,
        now: Duration,
    ) {
        let name = self.distinct_name(name);
        let token = token.map_or_else(|| (self.tokens)(), str::to_owned);
        for seat in seats.iter() {
            self.table.session_mut().name_person(seat, &name);
        }
        self.has_changed = true;
        self.holders.push(SeatHolder::new(who, name, seats, token, Some(origin)));
        self.reconnect(who, self.holders.len() - 1, SeatClaimant::SameTerminal, now);
        // The head contains the player's new name.
        let head = self.head();
        for other in 0..self.people.len() {
            let other = &mut self.people[other];
            if let Some(told) = other.steps_sent().filter(|_| other.id != who) {
                for word in &head {
                    other.send(word);
                }
                other.send(&ServerMessage::Have(LogChecksum::of(self.table.session(), told)));
                let id = other.id;
                self.send_questions_to(id);
            }
        }
    }

    /// Gives a player their seats back, and drops the player's old connection. A new terminal gets a new token, so that
    /// the terminal before it cannot take the seats back.
    fn reconnect(&mut self, who: PersonId, holder: usize, claimant: SeatClaimant, now: Duration) {
        if claimant == SeatClaimant::NewTerminal {
            let new = (self.tokens)();
            let holder = &mut self.holders[holder];
            holder.former_tokens.push(std::mem::replace(&mut holder.token, new));
            self.has_changed = true;
        }
        let old = self.holders[holder].person.replace(who);
        self.holders[holder].left_at = None;
        if let Some(old) = old.filter(|old| *old != who) {
            self.drop_with(old, &lost_seat(self.holders[holder].why_moved()));
        }
        if let Some(index) = self.index(who) {
            self.people[index].role = PersonRole::Plays;
        }
        self.withdraw_claims(self.holders[holder].id);
        let SeatHolder { seats, token, .. } = &self.holders[holder];
        let welcome = ServerMessage::Welcome { seats: *seats, token: token.clone() };
        self.send(who, &welcome);
        let presence = self.holders[holder].presence();
        self.broadcast(&presence);
        self.note_who_is_here(now);
    }

    /// Makes the former tokens of a seat void: this terminal has received its own.
    pub(super) fn confirm_token(&mut self, who: PersonId) {
        let Some(holder) = self.holders.iter_mut().find(|holder| holder.person == Some(who)) else {
            return;
        };
        let why = holder.why_moved();
        for token in std::mem::take(&mut holder.former_tokens) {
            push_void(&mut self.void, token, why);
            self.has_changed = true;
        }
    }

    fn watch(&mut self, who: PersonId, name: &str, now: Duration) {
        if self.people.iter().filter(|person| person.watches().is_some()).count() >= MAX_WATCHERS {
            return self.drop_with(who, &ServerMessage::Full);
        }
        let name = self.distinct_name(name);
        let token = (self.tokens)();
        if let Some(index) = self.index(who) {
            self.people[index].role = PersonRole::Watches(name.clone());
        }
        self.send(who, &ServerMessage::Welcome { seats: SeatSet::default(), token });
        self.broadcast(&without_seats(name, Presence::Watch));
        self.note_who_is_here(now);
    }

    /// Appends a number to a name that is taken or looks like a taken name.
    pub(super) fn distinct_name(&self, name: &str) -> String {
        let watchers = || self.people.iter().filter_map(Person::watches);
        let is_taken = |name: &str| {
            let players = self.table.players();
            let at_a_seat = players.iter().filter(|(_, player)| !player.is_guest());
            at_a_seat.map(|(seat, _)| players.name(seat)).any(|other| look_alike(other, name))
                || self.holders.iter().any(|holder| look_alike(&holder.name, name))
                || watchers().any(|other| look_alike(other, name))
        };
        let numbered = |number: u32| fit_name(&format!("{} {number}", shortened(name)));
        let mut names = (2..).filter_map(numbered);
        if is_taken(name) {
            names.find(|name| !is_taken(name)).unwrap_or_default()
        } else {
            name.to_owned()
        }
    }

    /// Removes a connection. A `bye` frees a guest's seats; otherwise they stay reserved.
    pub(super) fn forget(&mut self, who: PersonId, absence: Presence, now: Duration) {
        if self.person(who).is_none() {
            return;
        }
        self.note_end_left(who, absence);
        let has_said_bye = absence == Presence::Gone;
        let keeps_seat = |holder: &SeatHolder| holder.is_host || self.has_days();
        let keeps_seat = self.holder_of(who).is_some_and(keeps_seat);
        self.abandon_claims(who, now);
        if let Some(holder) = self.holder_index(who) {
            self.holders[holder].person = None;
            self.holders[holder].absence = absence;
            self.holders[holder].left_at = Some(now);
            if has_said_bye && !keeps_seat {
                self.remove_holder(holder, absence);
            } else {
                let presence = self.holders[holder].presence();
                self.broadcast(&presence);
            }
        } else if let Some(PersonRole::Watches(name)) = self.person(who).map(|person| &person.role)
        {
            // Watchers have no reserved seat.
            let presence = if absence == Presence::Away { Presence::Gone } else { absence };
            let word = without_seats(name.clone(), presence);
            self.broadcast(&word);
        }
        if has_said_bye {
            if let Some(index) = self.index(who) {
                self.people[index].role = PersonRole::New;
            }
        } else {
            self.people.retain(|person| person.id != who);
        }
        self.note_who_is_here(now);
    }

    /// Removes a guest or a watcher at the host's request.
    pub(super) fn remove(
        &mut self,
        who: PersonId,
        name: &str,
        now: Duration,
    ) -> Result<(), String> {
        let host = self.holder_of(who).filter(|holder| holder.is_host);
        let by = host.ok_or("only the host can remove players")?.name.clone();
        let why = lost_seat(VoidReason::Removed);
        let news = ServerMessage::Removed { name: name.to_owned(), by };
        let guest = |holder: &SeatHolder| !holder.is_host && holder.name == name;
        if let Some(holder) = self.holders.iter().position(guest) {
            let emptied = self.holders[holder].seats;
            self.guarded = self.guarded.iter().chain(emptied.iter()).collect();
            self.broadcast(&news);
            // Otherwise an absent terminal would take a free seat again after reconnecting.
            let token = self.holders[holder].token.clone();
            push_void(&mut self.void, token, VoidReason::Removed);
            if self.has_days() {
                if let Some(person) = self.holders[holder].person.take() {
                    self.drop_with(person, &why);
                }
                self.remove_holder(holder, Presence::Gone);
                self.note_who_is_here(now);
            } else if let Some(person) = self.holders[holder].person {
                self.drop_with(person, &why);
                self.forget(person, Presence::Gone, now);
            } else {
                self.remove_holder(holder, Presence::Gone);
            }
            return Ok(());
        }
        let watcher = self.people.iter().find(|person| person.watches() == Some(name));
        let watcher = watcher.ok_or_else(|| format!("{name} is not at the table"))?.id;
        self.broadcast(&news);
        self.drop_with(watcher, &why);
        self.forget(watcher, Presence::Gone, now);
        Ok(())
    }

    /// Returns whether the host has removed a player from one of these seats. The removed player may return under a
    /// different name, so the host must approve each new player there.
    fn is_guarded(&self, seats: SeatSet) -> bool {
        seats.iter().any(|seat| self.guarded.contains(seat))
    }

    pub(super) fn remove_holder(&mut self, holder: usize, absence: Presence) {
        let holder = self.holders.remove(holder);
        self.has_changed = true;
        self.leave_questions(&holder);
        // The next player at these seats is not told how requests to this one ended.
        self.waiting.settled.retain(|it| it.to != holder.seats);
        self.broadcast(&without_seats(holder.name, absence));
    }

    /// Frees the seats of guests who were absent for too long before the first move.
    pub(super) fn release_abandoned(&mut self, now: Duration) {
        while let Some(holder) = self
            .holders
            .iter()
            .position(|holder| self.released_at(holder).is_some_and(|due| due <= now))
        {
            self.remove_holder(holder, Presence::Gone);
        }
    }

    /// Returns when the seats of this holder are released.
    pub(super) fn released_at(&self, holder: &SeatHolder) -> Option<Duration> {
        let can_be = !holder.is_host && !self.has_played && !self.has_days();
        holder.left_at.filter(|_| can_be).map(|left| left + BEFORE_THE_FIRST_MOVE)
    }

    /// Returns whether a player hosts the table. Tables opened from a lobby have no host.
    pub(super) fn has_host(&self) -> bool {
        self.holders
            .iter()
            .any(|holder| holder.is_host && (holder.is_somebody() || holder.has_come()))
    }

    pub(super) fn note_who_is_here(&mut self, now: Duration) {
        let has_days = self.has_days();
        let keeps_open = |person: &Person| {
            if has_days { person.watches().is_none() } else { person.is_settled() }
        };
        let is_here = self.people.iter().any(|person| keeps_open(person) && !person.is_dropped());
        self.empty_since = if is_here { None } else { self.empty_since.or(Some(now)) };
    }

    /// Rotates seats for a rematch.
    pub(super) fn rotate_seats(&mut self) {
        let seats = self.table.current_match().seats();
        for holder in &mut self.holders {
            holder.seats = holder.seats.iter().map(|seat| seat.next(seats)).collect();
        }
        self.guarded = self.guarded.iter().map(|seat| seat.next(seats)).collect();
    }
}

/// Tells a terminal why it has lost its seat.
fn lost_seat(why: VoidReason) -> ServerMessage {
    match why {
        VoidReason::Removed => ServerMessage::No("the host removed you from the table".to_owned()),
        VoidReason::Declined => {
            ServerMessage::No("the host declined your request for a seat".to_owned())
        }
        VoidReason::Moved => ServerMessage::Moved("You joined from another terminal".to_owned()),
        VoidReason::Resumed => {
            ServerMessage::Moved("You resumed this match in another terminal".to_owned())
        }
    }
}

fn without_seats(name: String, presence: Presence) -> ServerMessage {
    ServerMessage::Presence { name, presence, seats: SeatSet::default() }
}

/// Shortens a name to leave room for a number.
fn shortened(name: &str) -> String {
    name.chars().take(30).collect()
}
