//! Requests for seats: for the reserved seat of an absent player without proof of being that player, and for any seat
//! by another user of the machine. The host decides. At a lobby table, which has no host, the other players do.

use super::correspondence::Ticket;
use super::person::{Person, PersonRole};
use super::questions::{Consequence, Pending};
use super::seat_holders::SeatHolder;
use super::{Hub, PersonId, SeatRequest, ServerMessage};
use crate::protocol::Presence;
use quadrille_match::session::SeatSet;
use quadrille_rules::Seat;
use quadrille_table::play::{Lapse, QuestionKind, Settlement};
use quadrille_text::wording::list;
use std::time::Duration;

/// How long a person whose request was refused or abandoned cannot request a seat.
const RETRY_DELAY: Duration = Duration::from_secs(10);
/// How long a lobby table with no players present reserves a seat before the absent player's name is enough, so that
/// players without their tokens and keys can return.
const UNTIL_NAME_COUNTS: Duration = Duration::from_secs(60);

/// A pending request for a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Claim {
    pub who: PersonId,
    pub name: String,
    pub seats: SeatSet,
    /// The absent player whose seats are requested.
    pub holder: Option<PersonId>,
    /// `None` if the question ends when the person leaves.
    pub ticket: Option<Ticket>,
}

/// A seat for a player without a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeatOffer {
    Free(SeatSet),
    /// An absent player.
    Reserved(PersonId),
    Full,
}

impl Hub {
    /// Finds a seat for a player without a token: the seat reserved under the player's name, a free seat, or another
    /// absent player's seat.
    pub(super) fn find_place(&self, name: &str, wanted: SeatRequest) -> Result<SeatOffer, String> {
        let guests = || self.table.players().guests();
        let holder_at = |seat: Seat| self.holders.iter().find(|holder| holder.seats.contains(seat));
        let mut reserved = self.holders.iter().filter(|holder| holder.is_reserved());
        if let SeatRequest::Seats(seats) = wanted {
            if let Some(holder) = reserved.find(|holder| holder.seats == seats) {
                return Ok(SeatOffer::Reserved(holder.id));
            }
            for seat in seats.iter() {
                match holder_at(seat) {
                    Some(holder) if holder.is_reserved() => return Err(holder.reservation()),
                    Some(holder) => return Err(format!("seat {seat} is taken by {}", holder.name)),
                    None if !guests().any(|guest| guest == seat) => {
                        return Err(format!("seat {seat} is not a guest seat"));
                    }
                    None => {}
                }
            }
            return Ok(SeatOffer::Free(seats));
        }
        let named = reserved.clone().find(|holder| holder.name == name);
        let free = guests().find(|&seat| holder_at(seat).is_none());
        Ok(match (named, free) {
            (Some(holder), _) => SeatOffer::Reserved(holder.id),
            (None, Some(seat)) => SeatOffer::Free([seat].into_iter().collect()),
            (None, None) => {
                reserved.next().map_or(SeatOffer::Full, |holder| SeatOffer::Reserved(holder.id))
            }
        })
    }

    /// Asks for consent to give a player free seats or those of an absent player.
    pub(super) fn claim(
        &mut self,
        who: PersonId,
        name: &str,
        free: SeatSet,
        holder: Option<PersonId>,
        now: Duration,
    ) {
        let Some(origin) = self.person(who).map(Person::origin) else { return };
        let holder = self.holders.iter().find(|known| Some(known.id) == holder);
        let is_name_known = holder.is_some_and(|holder| holder.name == name);
        let reserved = holder.map_or_else(String::new, |holder| holder.reservation() + "; ");
        let name_counts_at = holder
            .filter(|holder| holder.name == name && !self.has_host())
            .map(|holder| holder.left_at.unwrap_or_default() + UNTIL_NAME_COUNTS);
        let seats = holder.map_or(free, |holder| holder.seats);
        let holder = holder.map(|holder| holder.id);
        if self.has_days() {
            let asker = if is_name_known { name.to_owned() } else { self.distinct_name(name) };
            return self.ask_for_seat(who, &asker, origin, seats, holder);
        }
        let claim = Claim { who, name: name.to_owned(), seats, holder, ticket: None };
        let deciders = self.deciders();
        if deciders.is_empty() {
            let why = match name_counts_at.map(|then| try_again_at(then, now)) {
                Some(None) => return self.grant_claim(&claim, now),
                Some(Some(wait)) => format!("without the player's ssh key, {wait}"),
                None if self.has_host() => {
                    "the host must agree but is away; try again later".to_owned()
                }
                None => "no player is here to agree; try again later".to_owned(),
            };
            return self.cannot_hear(who, &(reserved + &why));
        }
        let is_open = |open: &&Pending| {
            let open = open.claim();
            open.is_some_and(|open| seats.iter().any(|seat| open.seats.contains(seat)))
        };
        if let Some(open) = self.pending.iter().find(is_open) {
            let asker = open.asker();
            let why = format!("{reserved}{asker} is asking for this seat; try again later");
            return self.cannot_hear(who, &why);
        }
        let pause = self.paused_askers.iter().find(|(asker, _)| asker.is_same(&origin));
        if let Some(wait) = pause.and_then(|(_, end)| try_again_at(*end, now)) {
            let why =
                format!("{reserved}requests must be {} s apart; {wait}", RETRY_DELAY.as_secs());
            return self.cannot_hear(who, &why);
        }
        let names = self.holders.iter().filter(|holder| deciders.contains(&holder.id));
        let names = list(names.map(|holder| &*holder.name));
        let wait = ServerMessage::Wait(format!("{reserved}waiting for {names} to agree"));
        let asker = if is_name_known { name.to_owned() } else { self.distinct_name(name) };
        let asker = match origin.peer.other_user {
            Some(user) => format!("{asker:.20} (user {user:.12})"),
            None => asker,
        };
        if let Some(index) = self.index(who) {
            self.people[index].role = PersonRole::Waits;
        }
        self.send(who, &wait);
        let (subject, kind) = (Consequence::Seat(claim), QuestionKind::Seat(seats));
        self.open_question((who, asker), subject, kind, deciders, now);
    }

    /// Starts the pause of a person whose request was refused or abandoned.
    pub(super) fn pause_asker(&mut self, claim: &Claim, now: Duration) {
        let Some(asker) = self.person(claim.who).map(Person::origin) else { return };
        self.paused_askers.retain(|(other, end)| *end > now && !other.is_same(&asker));
        self.paused_askers.push((asker, now + RETRY_DELAY));
    }

    /// Returns the players who decide about seats if they are present and can be asked.
    fn deciders(&self) -> Vec<PersonId> {
        let has_host = self.has_host();
        let decides = |holder: &&SeatHolder| {
            holder.person.is_some() && holder.is_host == has_host && holder.is_somebody()
        };
        self.holders.iter().filter(decides).map(|holder| holder.id).collect()
    }

    pub(super) fn grant_claim(&mut self, claim: &Claim, now: Duration) {
        if let Some(ticket) = &claim.ticket {
            return self.seat_asker(claim, ticket, now);
        }
        let person = self.person(claim.who).filter(|person| !person.is_dropped());
        let Some(origin) = person.map(Person::origin) else { return };
        let is_meant =
            |holder: &SeatHolder| Some(holder.id) == claim.holder && holder.is_reserved();
        let mut seats = claim.seats;
        if let Some(holder) = self.holders.iter().position(is_meant) {
            // A rematch may have changed the seats.
            seats = self.holders[holder].seats;
            self.remove_holder(holder, Presence::Gone);
        }
        let is_taken = |seat| self.holders.iter().any(|holder| holder.seats.contains(seat));
        if seats.iter().any(is_taken) {
            return self.cannot_hear(claim.who, "the seat has been taken");
        }
        self.sit_down(claim.who, &claim.name, seats, origin, None, now);
    }

    /// Ends a settled request. A refused player is dropped.
    pub(super) fn end_claim(&mut self, claim: &Claim, settlement: &Settlement) {
        let why = match settlement {
            Settlement::Answered { yes: true, .. } => return,
            Settlement::Answered { by: Some(name), .. } => format!("{name} declined"),
            Settlement::Gone(Lapse::Expired) => "no answer within a minute".to_owned(),
            Settlement::Gone(Lapse::Left { by }) => {
                format!("{by} left without an answer; try again")
            }
            Settlement::Answered { .. } | Settlement::Gone(_) => "the seat is not free".to_owned(),
        };
        // An asker who is not here is told at the next visit.
        let is_here = self.person(claim.who).is_some_and(|person| !person.is_dropped());
        if let Some(ticket) = claim.ticket.as_ref().filter(|_| !is_here) {
            self.refuse_ticket(ticket);
        }
        self.cannot_hear(claim.who, &why);
    }

    /// Withdraws the request of a person who has left.
    pub(super) fn abandon_claims(&mut self, who: PersonId, now: Duration) {
        let claim = self.pending.iter().filter_map(Pending::claim);
        let claim = claim.filter(|claim| claim.ticket.is_none()).find(|claim| claim.who == who);
        if let Some(claim) = claim.cloned() {
            self.pause_asker(&claim, now);
        }
        self.withdraw_claims(who);
    }

    /// Withdraws requests because the asking player has left or the absent player has returned.
    pub(super) fn withdraw_claims(&mut self, who: PersonId) {
        let is_his = |open: &Pending| {
            let claim = open.claim().filter(|claim| claim.ticket.is_none() || claim.who != who);
            claim.is_some_and(|claim| claim.who == who || claim.holder == Some(who))
        };
        while let Some(index) = self.pending.iter().position(is_his) {
            self.settle_question(index, &Settlement::Gone(Lapse::Withdrawn));
        }
    }
}

/// Formats `try again in 7 s`, rounded up; `None` if the time has come.
fn try_again_at(then: Duration, now: Duration) -> Option<String> {
    let wait = then.saturating_sub(now).as_millis().div_ceil(1000);
    (wait > 0).then(|| format!("try again in {wait} s"))
}

impl SeatHolder {
    /// Returns whether an absent guest has these seats.
    fn is_reserved(&self) -> bool {
        self.person.is_none() && !self.is_host && !self.seats.is_empty()
    }

    /// Formats `seat 2 is reserved for Bob, who is away`.
    fn reservation(&self) -> String {
        let seats = list(self.seats.iter().map(|seat| seat.to_string()));
        let seats = match self.seats.iter().count() {
            1 => format!("seat {seats} is"),
            _ => format!("seats {seats} are"),
        };
        format!("{seats} reserved for {}, who is away", self.name)
    }
}
