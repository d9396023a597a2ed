//! Seats: assignment, return, and release.

use super::claims::SeatOffer;
use super::person::{Origin, Person, PersonRole};
use super::{BEFORE_THE_FIRST_MOVE, Hub, MAX_WATCHERS, PersonId, SeatRequest, TableWord};
use crate::net::names::look_alike;
use crate::net::protocol::{Hello, LogChecksum, Presence, fit_name};
use crate::session::SeatSet;
use constant_time_eq::constant_time_eq;
use std::time::Duration;

/// The id of the host's chair. No connection has this id.
pub(super) const HOST: PersonId = 0;

/// The seats of one terminal. They stay taken while the terminal's connection is down.
#[derive(Debug)]
pub(super) struct Chair {
    /// The id of the first connection in this chair. It never changes.
    pub id: PersonId,
    pub name: String,
    pub seats: SeatSet,
    pub token: String,
    /// The player's origin; `None` for the host.
    pub origin: Option<Origin>,
    /// The current connection; `None` while it is down.
    pub person: Option<PersonId>,
    pub is_host: bool,
    pub absence: Presence,
    /// When the connection ended; `None` while it is up.
    pub left_at: Option<Duration>,
    /// For a peer of version 1: its last unanswered question, open or not, and the length of the log at that time. The
    /// peer's next answer has no number and counts only for this question.
    pub asked_last: Option<(u64, usize)>,
    /// Whether this terminal has confirmed that all guests have joined.
    pub is_ready: bool,
}

impl Chair {
    /// Creates an unoccupied chair. The host's chair has no origin.
    pub fn new(
        id: PersonId,
        name: String,
        seats: SeatSet,
        token: String,
        origin: Option<Origin>,
    ) -> Chair {
        Chair {
            id,
            name,
            seats,
            token,
            is_host: origin.is_none(),
            origin,
            person: None,
            absence: Presence::Away,
            left_at: None,
            asked_last: None,
            is_ready: false,
        }
    }

    /// Returns whether the player has said `bye`, in which case nobody waits for them.
    pub fn has_gone(&self) -> bool {
        self.person.is_none() && self.absence == Presence::Gone
    }

    fn has_token(&self, token: Option<&str>) -> bool {
        token.is_some_and(|token| is_same_secret(token, &self.token))
    }

    /// Returns whether the clock may start without waiting for this chair.
    pub fn is_ready(&self) -> bool {
        self.seats.is_empty() || self.person.is_some() && self.is_ready
    }

    pub fn is_somebody(&self) -> bool {
        self.person.is_some() || !self.seats.is_empty()
    }

    pub fn presence(&self) -> TableWord {
        let presence = if self.person.is_some() { Presence::Here } else { self.absence };
        TableWord::Presence { name: self.name.clone(), presence, seats: self.seats }
    }
}

/// Compares two secrets in constant time.
fn is_same_secret(said: &str, secret: &str) -> bool {
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
        self.chairs.iter().any(|chair| chair.is_host && chair.has_token(Some(token)))
    }

    pub(super) fn chair_index(&self, who: PersonId) -> Option<usize> {
        self.chairs.iter().position(|chair| chair.person == Some(who))
    }

    pub(super) fn chair_of(&self, who: PersonId) -> Option<&Chair> {
        self.chairs.iter().find(|chair| chair.person == Some(who))
    }

    /// Seats or refuses a connection after its `hello`.
    pub(super) fn seat(&mut self, who: PersonId, hello: Hello, now: Duration) {
        let Hello { name, wanted, token, .. } = hello;
        let token = token.as_deref();
        let said = |removed: &String| token.is_some_and(|token| is_same_secret(token, removed));
        if let Some(removed_token) = self.removed.iter().position(said) {
            self.removed.remove(removed_token);
            return self.drop_with(who, &removed());
        }
        let Some(person) = self.person(who) else { return };
        let origin = person.origin();
        let name = person.named.clone().unwrap_or(name);
        let is_back = |chair: &Chair| {
            // A name vouched for by a key counts like the token.
            let is_vouched = origin.vouched.is_some() && chair.origin.as_ref() == Some(&origin);
            chair.has_token(token) || chair.person.is_none() && is_vouched
        };
        let known = self.chairs.iter().position(is_back);
        let is_to_watch = wanted == SeatRequest::Watch;
        match known {
            Some(chair) if !is_to_watch => self.sit_again(who, chair, now),
            _ if is_to_watch => self.watch(who, &name, now),
            _ => match self.find_place(&name, wanted) {
                Ok(SeatOffer::Full) => self.drop_with(who, &TableWord::Full),
                Ok(SeatOffer::Free(seats))
                    if origin.peer.other_user.is_none() && !self.is_guarded(seats) =>
                {
                    self.sit_down(who, &name, seats, origin, now);
                }
                Ok(SeatOffer::Free(seats)) => self.claim(who, &name, seats, None, now),
                Ok(SeatOffer::Reserved(chair)) => {
                    self.claim(who, &name, SeatSet::default(), Some(chair), now);
                }
                Err(why) => self.cannot_hear(who, &why),
            },
        }
    }

    pub(super) fn sit_down(
        &mut self,
        who: PersonId,
        name: &str,
        seats: SeatSet,
        origin: Origin,
        now: Duration,
    ) {
        let name = self.distinct_name(name);
        let token = (self.tokens)();
        for seat in seats.iter() {
            self.table.session_mut().name_person(seat, &name);
        }
        self.has_changed = true;
        self.chairs.push(Chair::new(who, name, seats, token, Some(origin)));
        self.sit_again(who, self.chairs.len() - 1, now);
        // The head contains the player's new name.
        let head = self.head();
        for other in 0..self.people.len() {
            let other = &mut self.people[other];
            if let Some(told) = other.steps_sent().filter(|_| other.id != who) {
                for word in &head {
                    other.tell(word);
                }
                other.tell(&TableWord::Have(LogChecksum::of(self.table.session(), told)));
                let id = other.id;
                self.tell_questions_again(id);
            }
        }
    }

    /// Gives a player their seats back, and drops the player's old connection.
    fn sit_again(&mut self, who: PersonId, chair: usize, now: Duration) {
        let old = self.chairs[chair].person.replace(who);
        self.chairs[chair].left_at = None;
        if let Some(old) = old.filter(|old| *old != who) {
            let why = "you joined from another terminal".to_owned();
            self.drop_with(old, &TableWord::Closed(why));
        }
        if let Some(index) = self.index(who) {
            self.people[index].role = PersonRole::Plays;
        }
        self.withdraw_claims(self.chairs[chair].id);
        let Chair { seats, token, .. } = &self.chairs[chair];
        let welcome = TableWord::Welcome { seats: *seats, token: token.clone() };
        self.tell(who, &welcome);
        let presence = self.chairs[chair].presence();
        self.tell_all(&presence);
        self.note_who_is_here(now);
    }

    fn watch(&mut self, who: PersonId, name: &str, now: Duration) {
        if self.people.iter().filter(|person| person.watches().is_some()).count() >= MAX_WATCHERS {
            return self.drop_with(who, &TableWord::Full);
        }
        let name = self.distinct_name(name);
        let token = (self.tokens)();
        if let Some(index) = self.index(who) {
            self.people[index].role = PersonRole::Watches(name.clone());
        }
        self.tell(who, &TableWord::Welcome { seats: SeatSet::default(), token });
        self.tell_all(&without_seats(name, Presence::Watch));
        self.note_who_is_here(now);
    }

    /// Appends a number to a name that is taken or looks like a taken name.
    pub(super) fn distinct_name(&self, name: &str) -> String {
        let watchers = || self.people.iter().filter_map(Person::watches);
        let is_taken = |name: &str| {
            let players = self.table.players();
            let at_a_seat = players.iter().filter(|(_, player)| !player.is_guest());
            at_a_seat.map(|(_, player)| player.name()).any(|other| look_alike(other, name))
                || self.chairs.iter().any(|chair| look_alike(&chair.name, name))
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
        let has_said_bye = absence == Presence::Gone;
        self.withdraw_claims(who);
        if let Some(chair) = self.chair_index(who) {
            self.chairs[chair].person = None;
            self.chairs[chair].absence = absence;
            self.chairs[chair].left_at = Some(now);
            if has_said_bye && !self.chairs[chair].is_host {
                self.remove_chair(chair, absence);
            } else {
                let presence = self.chairs[chair].presence();
                self.tell_all(&presence);
            }
        } else if let Some(PersonRole::Watches(name)) = self.person(who).map(|person| &person.role)
        {
            // Watchers have no reserved seat.
            let presence = if absence == Presence::Away { Presence::Gone } else { absence };
            let word = without_seats(name.clone(), presence);
            self.tell_all(&word);
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
        if !self.chair_of(who).is_some_and(|chair| chair.is_host) {
            return Err("only the host can remove players".to_owned());
        }
        let why = removed();
        let guest = |chair: &Chair| !chair.is_host && chair.name == name;
        if let Some(chair) = self.chairs.iter().position(guest) {
            let emptied = self.chairs[chair].seats;
            self.guarded = self.guarded.iter().chain(emptied.iter()).collect();
            if let Some(person) = self.chairs[chair].person {
                self.drop_with(person, &why);
                self.forget(person, Presence::Gone, now);
            } else {
                // Otherwise the terminal would take a free seat again after reconnecting.
                self.removed.push(self.chairs[chair].token.clone());
                self.remove_chair(chair, Presence::Gone);
            }
            return Ok(());
        }
        let watcher = self.people.iter().find(|person| person.watches() == Some(name));
        let watcher = watcher.ok_or_else(|| format!("{name} is not at the table"))?.id;
        self.drop_with(watcher, &why);
        self.forget(watcher, Presence::Gone, now);
        Ok(())
    }

    /// Returns whether the host has removed a player from one of these seats. The removed player may return under a
    /// different name, so the host must approve each new player there.
    fn is_guarded(&self, seats: SeatSet) -> bool {
        seats.iter().any(|seat| self.guarded.contains(seat))
    }

    pub(super) fn remove_chair(&mut self, chair: usize, absence: Presence) {
        let chair = self.chairs.remove(chair);
        self.leave_questions(&chair);
        self.tell_all(&without_seats(chair.name, absence));
    }

    /// Frees the seats of guests who were absent for too long before the first move.
    pub(super) fn release_abandoned(&mut self, now: Duration) {
        while let Some(chair) = self
            .chairs
            .iter()
            .position(|chair| self.released_at(chair).is_some_and(|due| due <= now))
        {
            self.remove_chair(chair, Presence::Gone);
        }
    }

    /// Returns when the seats of this chair are released.
    pub(super) fn released_at(&self, chair: &Chair) -> Option<Duration> {
        let can_be = !chair.is_host && !self.has_played;
        chair.left_at.filter(|_| can_be).map(|left| left + BEFORE_THE_FIRST_MOVE)
    }

    /// Returns whether a player hosts the table. Tables opened from a lobby have no host.
    pub(super) fn has_host(&self) -> bool {
        let has_come = |chair: &Chair| chair.is_somebody() || chair.left_at.is_some();
        self.chairs.iter().any(|chair| chair.is_host && has_come(chair))
    }

    fn note_who_is_here(&mut self, now: Duration) {
        let is_here = self.people.iter().any(|person| person.is_settled() && !person.is_dropped());
        self.empty_since = if is_here { None } else { self.empty_since.or(Some(now)) };
    }

    /// Rotates seats for a rematch.
    pub(super) fn move_on(&mut self) {
        let seats = self.table.current_match().seats();
        for chair in &mut self.chairs {
            chair.seats = chair.seats.iter().map(|seat| seat.next(seats)).collect();
        }
        self.guarded = self.guarded.iter().map(|seat| seat.next(seats)).collect();
    }
}

fn removed() -> TableWord {
    TableWord::No("the host removed you from the table".to_owned())
}

fn without_seats(name: String, presence: Presence) -> TableWord {
    TableWord::Presence { name, presence, seats: SeatSet::default() }
}

/// Shortens a name to leave room for a number.
fn shortened(name: &str) -> String {
    name.chars().take(30).collect()
}
