//! A match with days per move: its table sleeps while no player is connected, seats stay with their players, and the
//! match begins when the host has seen who plays.

use super::claims::Claim;
use super::person::{Origin, PersonRole};
use super::questions::{Consequence, Pending};
use super::seat_holders::{HOST, SeatHolder, is_same_secret};
use super::{Hub, PersonId, ServerMessage, VoidReason};
use crate::SeatOwner;
use crate::protocol::{Hello, Presence};
use crate::seating::push_void;
use jiff::Timestamp;
use quadrille_match::session::{Actor, SeatSet, Step};
use quadrille_table::play::{Lapse, QuestionKind, Settlement};
use std::time::Duration;

/// How long the table stays open after the last player has left.
pub(super) const SLEEP_DELAY: Duration = Duration::from_secs(10);
/// The maximum number of players who ask for seats at once.
const MAX_ASKERS: usize = 8;

impl Hub {
    pub(super) fn has_days(&self) -> bool {
        self.table.session().days().is_some()
    }

    /// Returns whether all seats are taken and the host knows by whom, so that the match can begin.
    pub fn may_begin(&self) -> bool {
        let is_taken = |seat| {
            let holder = self.holders.iter().find(|holder| holder.seats.contains(seat));
            holder.is_some_and(|holder| holder.is_confirmed)
        };
        let is_on = self.table.current_match().to_move().is_some();
        is_on && self.table.session().is_to_begin() && self.table.players().people().all(is_taken)
    }

    /// Begins the match at this moment.
    pub fn begin(&mut self, moment: Timestamp) {
        // Steps at time 0 are those that the match began with.
        let at = self.table.session().time().max(Duration::from_millis(1));
        // The table logs this step only once.
        let _ = self.table.apply(Actor::Table, &Step::Begin(moment), at);
        self.settle(at);
    }

    /// Asks the host to confirm the players of a woken table, and about those who have asked for a seat.
    pub(super) fn ask_again(&mut self, asks: Vec<SeatOwner>) {
        let unconfirmed = self.holders.iter().filter(|holder| !holder.is_confirmed);
        for holder in unconfirmed.map(|holder| holder.id).collect::<Vec<_>>() {
            self.ask_to_confirm(holder);
        }
        for SeatOwner { seats, name, token, origin, .. } in asks {
            self.next_id += 1;
            let (who, holder) = (self.next_id, self.holder_with(seats));
            let ticket = origin.map(|origin| Ticket { token, origin });
            self.ask_host(Claim { who, name, seats, holder, ticket });
        }
    }

    fn holder_with(&self, seats: SeatSet) -> Option<PersonId> {
        self.holders.iter().find(|holder| holder.seats == seats).map(|holder| holder.id)
    }

    /// Asks the host to confirm a guest, who has sat down at a free seat.
    pub(super) fn ask_to_confirm(&mut self, holder: PersonId) {
        let Some(holder) = self.holders.iter().find(|known| known.id == holder) else { return };
        let asker = (holder.id, holder.name.clone());
        let kind = QuestionKind::Sits(holder.seats);
        self.open_question(asker, Consequence::Confirm, kind, vec![HOST], Duration::ZERO);
    }

    /// Performs the host's answer about a guest.
    pub(super) fn confirm(
        &mut self,
        host: PersonId,
        holder: PersonId,
        yes: bool,
        now: Duration,
    ) -> Result<(), String> {
        let known = self.holders.iter_mut().find(|known| known.id == holder);
        let Some(holder) = known else { return Ok(()) };
        if !yes {
            let name = holder.name.clone();
            return self.remove(host, &name, now);
        }
        (holder.is_confirmed, self.has_changed) = (true, true);
        Ok(())
    }

    fn ask_host(&mut self, claim: Claim) {
        let (asker, kind) = ((claim.who, claim.name.clone()), QuestionKind::Seat(claim.seats));
        self.open_question(asker, Consequence::Seat(claim), kind, vec![HOST], Duration::ZERO);
        self.has_changed = true;
    }

    /// Asks the host for a seat. The question waits for the host, and the asker gets a token with which to return.
    pub(super) fn ask_for_seat(
        &mut self,
        who: PersonId,
        name: &str,
        origin: Origin,
        seats: SeatSet,
        holder: Option<PersonId>,
    ) {
        if self.pending.iter().filter(|open| open.claim().is_some()).count() >= MAX_ASKERS {
            let why = format!("{MAX_ASKERS} players are asking for a seat already");
            return self.cannot_hear(who, &why);
        }
        let token = (self.tokens)();
        self.send(who, &ServerMessage::Ticket(token.clone()));
        let ticket = Some(Ticket { token, origin });
        self.ask_host(Claim { who, name: name.to_owned(), seats, holder, ticket });
        self.wait_for_host(who);
    }

    /// Tells an asker who has returned with the token of the question that the host has not answered. Returns whether
    /// there is such a question.
    pub(super) fn asks_already(&mut self, who: PersonId, hello: &Hello) -> bool {
        let is_it = |open: &&mut Pending| {
            let ticket = open.claim().and_then(|claim| claim.ticket.as_ref());
            ticket.is_some_and(|ticket| ticket.is_said(hello.token.as_deref()))
        };
        let Some(open) = self.pending.iter_mut().find(is_it) else { return false };
        open.is_asked_by(who);
        self.wait_for_host(who);
        true
    }

    fn wait_for_host(&mut self, who: PersonId) {
        let host = self.holders.iter().find(|holder| holder.is_host);
        let Some(SeatHolder { name, person, .. }) = host else { return };
        let (is_here, name) = (person.is_some(), name.clone());
        if !is_here {
            let why = format!("{name} will read that you ask for a seat; join again later");
            return self.drop_with(who, &ServerMessage::No(why));
        }
        if let Some(index) = self.index(who) {
            self.people[index].role = PersonRole::Waits;
        }
        self.send(who, &ServerMessage::Wait(format!("waiting for {name} to agree")));
    }

    /// Returns the players who ask for seats, to be saved.
    pub(super) fn askers(&self) -> Vec<SeatOwner> {
        let claims = self.pending.iter().filter_map(Pending::claim);
        let asks = claims.filter_map(|claim| {
            let Ticket { token, origin } = claim.ticket.clone()?;
            let (seats, name, origin) = (claim.seats, claim.name.clone(), Some(origin));
            Some(SeatOwner { seats, name, token, origin, is_confirmed: false })
        });
        asks.collect()
    }

    /// Seats an asker whom the host has chosen, and withdraws the other questions about these seats.
    pub(super) fn seat_asker(&mut self, claim: &Claim, ticket: &Ticket, now: Duration) {
        let holder = self.holders.iter().position(|holder| {
            !holder.is_host && holder.person.is_none() && holder.seats == claim.seats
        });
        if let Some(holder) = holder {
            let token = self.holders[holder].token.clone();
            push_void(&mut self.void, token, VoidReason::Removed);
            self.remove_holder(holder, Presence::Gone);
        }
        let is_taken = |seat| self.holders.iter().any(|holder| holder.seats.contains(seat));
        if claim.seats.iter().any(is_taken) {
            return self.refuse_ticket(ticket);
        }
        let origin = ticket.origin.clone();
        self.sit_down(claim.who, &claim.name, claim.seats, origin, Some(&ticket.token), now);
        let is_rival = |open: &Pending| {
            open.claim()
                .is_some_and(|rival| rival.seats.iter().any(|seat| claim.seats.contains(seat)))
        };
        while let Some(index) = self.pending.iter().position(is_rival) {
            self.settle_question(index, &Settlement::Gone(Lapse::Withdrawn));
        }
    }

    /// Voids the token of an asker who does not get the seat.
    pub(super) fn refuse_ticket(&mut self, ticket: &Ticket) {
        push_void(&mut self.void, ticket.token.clone(), VoidReason::Declined);
        self.has_changed = true;
    }
}

/// What an asker needs to return, and the host to know who it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ticket {
    pub token: String,
    pub origin: Origin,
}

impl Ticket {
    fn is_said(&self, token: Option<&str>) -> bool {
        token.is_some_and(|token| is_same_secret(token, &self.token))
    }
}
