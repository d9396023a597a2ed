//! Seats: assignment, return, and release.

use super::claims::SeatOffer;
use super::person::{Origin, Person, PersonRole};
use super::{BEFORE_THE_FIRST_MOVE, Hub, MAX_WATCHERS, PersonId, SeatRequest, TableWord};
use crate::names::look_alike;
use crate::protocol::{Hello, LogChecksum, Presence, SeatClaimant, fit_name};
use crate::seating::push_void;
use crate::{SeatOwner, VoidReason, VoidToken};
use constant_time_eq::constant_time_eq;
use quadrille_match::session::SeatSet;
use quadrille_rules::Seat;
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
    /// The token of the terminal that has these seats.
    pub token: String,
    /// The tokens of the terminal that had these seats before, until the new terminal shows that it has its own.
    pub former_tokens: Vec<String>,
    /// The player's origin; `None` for the host, and for a guest whose name alone is known.
    pub origin: Option<Origin>,
    /// The current connection; `None` while it is down.
    pub person: Option<PersonId>,
    pub is_host: bool,
    pub absence: Presence,
    /// When the connection ended; `None` while it is up.
    pub left_at: Option<Duration>,
    /// Whether this terminal has confirmed that all guests have joined.
    pub is_ready: bool,
}

impl Chair {
    /// Creates an unoccupied chair.
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
            former_tokens: Vec::new(),
            is_host: id == HOST,
            origin,
            person: None,
            absence: Presence::Away,
            left_at: None,
            is_ready: false,
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
        let Chair { seats, name, token, origin, .. } = self;
        let (name, token, origin) = (name.clone(), token.clone(), origin.clone());
        SeatOwner { seats: *seats, name, token, origin }
    }

    fn has_token(&self, token: Option<&str>) -> bool {
        let is_said = |known: &String| token.is_some_and(|token| is_same_secret(token, known));
        is_said(&self.token) || self.former_tokens.iter().any(is_said)
    }

    /// Returns whether the clock may start without waiting for this chair.
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
        let Hello { name, wanted, token, claimant, .. } = hello;
        let token = token.as_deref();
        let is_second = claimant == SeatClaimant::SecondTerminal;
        let is_said =
            |void: &&VoidToken| token.is_some_and(|said| is_same_secret(said, &void.token));
        if let Some(void) = self.void.iter().find(is_said).filter(|_| !is_second) {
            let word = lost_seat(void.why);
            return self.drop_with(who, &word);
        }
        let Some(person) = self.person(who) else { return };
        let origin = person.origin();
        let name = origin.identity.name.clone().unwrap_or(name);
        if wanted == SeatRequest::Watch {
            return self.watch(who, &name, now);
        }
        match self.own_chair(&origin, &name, token) {
            Some(chair)
                if claimant == SeatClaimant::NewTerminal
                    || !is_second
                        && (self.chairs[chair].has_token(token)
                            || self.chairs[chair].person.is_none()) =>
            {
                self.sit_again(who, chair, claimant, now);
            }
            Some(chair) => match self.place_beside(chair, wanted) {
                Some(seats) => self.take_free_seats(who, &name, seats, now),
                None => self.drop_with(who, &TableWord::Elsewhere),
            },
            None => match self.find_place(&name, wanted) {
                Ok(SeatOffer::Full) => self.drop_with(who, &TableWord::Full),
                Ok(SeatOffer::Free(seats)) => self.take_free_seats(who, &name, seats, now),
                Ok(SeatOffer::Reserved(chair)) => {
                    self.claim(who, &name, SeatSet::default(), Some(chair), now);
                }
                Err(why) => self.cannot_hear(who, &why),
            },
        }
    }

    /// Finds the chair of a player: by its token, or by a verified identity. If one person has several, an empty one and
    /// the name decide.
    fn own_chair(&self, origin: &Origin, name: &str, token: Option<&str>) -> Option<usize> {
        let is_own = |chair: &Chair| {
            let known = chair.origin.as_ref();
            known.is_some_and(|known| known.identity.is_same_person(&origin.identity))
        };
        let is_empty = |chair: &Chair| chair.person.is_none() && is_own(chair);
        let find = |is_meant: &dyn Fn(&Chair) -> bool| self.chairs.iter().position(is_meant);
        find(&|chair| chair.has_token(token))
            .or_else(|| find(&|chair| is_empty(chair) && chair.name == name))
            .or_else(|| find(&is_empty))
            .or_else(|| find(&is_own))
    }

    /// Returns the seats for a second terminal of the player in this chair; `None` if no other seats are free.
    fn place_beside(&self, chair: usize, wanted: SeatRequest) -> Option<SeatSet> {
        let is_free = |seat: &Seat| !self.chairs.iter().any(|chair| chair.seats.contains(*seat));
        let mut free = self.table.players().guests().filter(is_free);
        match wanted {
            SeatRequest::Seats(seats) if seats != self.chairs[chair].seats => {
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
            self.sit_down(who, name, seats, origin, now);
        } else {
            self.claim(who, name, seats, None, now);
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
        self.sit_again(who, self.chairs.len() - 1, SeatClaimant::SameTerminal, now);
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
                self.tell_questions_to(id);
            }
        }
    }

    /// Gives a player their seats back, and drops the player's old connection. A new terminal gets a new token, so that
    /// the terminal before it cannot take the seats back.
    fn sit_again(&mut self, who: PersonId, chair: usize, claimant: SeatClaimant, now: Duration) {
        if claimant == SeatClaimant::NewTerminal {
            let new = (self.tokens)();
            let chair = &mut self.chairs[chair];
            chair.former_tokens.push(std::mem::replace(&mut chair.token, new));
            self.has_changed = true;
        }
        let old = self.chairs[chair].person.replace(who);
        self.chairs[chair].left_at = None;
        if let Some(old) = old.filter(|old| *old != who) {
            self.drop_with(old, &lost_seat(self.chairs[chair].why_moved()));
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

    /// Makes the former tokens of a seat void: this terminal has received its own.
    pub(super) fn confirm_token(&mut self, who: PersonId) {
        let Some(chair) = self.chairs.iter_mut().find(|chair| chair.person == Some(who)) else {
            return;
        };
        let why = chair.why_moved();
        for token in std::mem::take(&mut chair.former_tokens) {
            push_void(&mut self.void, token, why);
            self.has_changed = true;
        }
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
        self.abandon_claims(who, now);
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
        let host = self.chair_of(who).filter(|chair| chair.is_host);
        let by = host.ok_or("only the host can remove players")?.name.clone();
        let why = lost_seat(VoidReason::Removed);
        let news = TableWord::Removed { name: name.to_owned(), by };
        let guest = |chair: &Chair| !chair.is_host && chair.name == name;
        if let Some(chair) = self.chairs.iter().position(guest) {
            let emptied = self.chairs[chair].seats;
            self.guarded = self.guarded.iter().chain(emptied.iter()).collect();
            self.tell_all(&news);
            // Otherwise an absent terminal would take a free seat again after reconnecting.
            let token = self.chairs[chair].token.clone();
            push_void(&mut self.void, token, VoidReason::Removed);
            if let Some(person) = self.chairs[chair].person {
                self.drop_with(person, &why);
                self.forget(person, Presence::Gone, now);
            } else {
                self.remove_chair(chair, Presence::Gone);
            }
            return Ok(());
        }
        let watcher = self.people.iter().find(|person| person.watches() == Some(name));
        let watcher = watcher.ok_or_else(|| format!("{name} is not at the table"))?.id;
        self.tell_all(&news);
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
        self.has_changed = true;
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
        self.chairs.iter().any(|chair| chair.is_host && (chair.is_somebody() || chair.has_come()))
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

/// Tells a terminal why it has lost its seat.
fn lost_seat(why: VoidReason) -> TableWord {
    match why {
        VoidReason::Removed => TableWord::No("the host removed you from the table".to_owned()),
        VoidReason::Moved => TableWord::Moved("You joined from another terminal".to_owned()),
        VoidReason::Resumed => {
            TableWord::Moved("You resumed this match in another terminal".to_owned())
        }
    }
}

fn without_seats(name: String, presence: Presence) -> TableWord {
    TableWord::Presence { name, presence, seats: SeatSet::default() }
}

/// Shortens a name to leave room for a number.
fn shortened(name: &str) -> String {
    name.chars().take(30).collect()
}
