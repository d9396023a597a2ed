//! What a player may do without consent: play and resign, for their own seats.

use super::{Hub, PersonId};
use quadrille_match::session::{Actor, LoggedStep, Step};
use quadrille_rules::Seat;
use std::time::Duration;

impl Hub {
    /// Logs a proposed step under this number, or returns why not. A duplicate is logged only once.
    pub(super) fn propose(
        &mut self,
        who: PersonId,
        number: u64,
        seat: Option<Seat>,
        step: &Step,
        at: Duration,
    ) -> Result<(), String> {
        let holder = self.holder_of(who).ok_or("spectators cannot play")?;
        let turn = self.table.current_match().to_move();
        let own =
            || turn.filter(|&turn| holder.seats.contains(turn)).or(holder.seats.iter().next());
        let seat = seat.or_else(own).ok_or("you have no seat")?;
        if !holder.seats.contains(seat) {
            return Err(format!("seat {seat} is not yours"));
        }
        let log = self.table.session().log();
        let gone_on = || "the match has moved on".to_owned();
        let since = number.checked_sub(1).and_then(|index| log.get(index as usize..));
        let since = since.ok_or_else(gone_on)?;
        let is_known = |logged: &LoggedStep| logged.by == Actor::Seat(seat) && logged.step == *step;
        // A draw offer does not change the position, so a proposal made before the offer arrived is still valid.
        let changes = since.iter().find(|logged| !logged.step.is_about_draw());
        if since.first().is_some_and(is_known) || changes.is_some_and(is_known) {
            return Ok(());
        }
        if changes.is_some() {
            return Err(gone_on());
        }
        if self.is_long() {
            return Err("the match has reached the maximum length of a shared match".to_owned());
        }
        let by = Actor::Seat(seat);
        match step {
            Step::Play(_) | Step::Resign | Step::Claim | Step::MoreTime => {
                self.table.apply(by, step, at).map_err(|why| why.to_string())?;
            }
            Step::OfferDraw | Step::AcceptDraw => return Err("request a draw".to_owned()),
            Step::GoTo(_) => return Err("request a take-back".to_owned()),
            Step::SelectVariation(_) | Step::End(_) | Step::Pause | Step::Begin(_) => {
                return Err("you are not allowed to do that".to_owned());
            }
        }
        Ok(())
    }
}
