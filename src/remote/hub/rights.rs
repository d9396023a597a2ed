//! What somebody at the table may do by themselves: play, offer and accept draws, and resign, at their own seats.

use super::{Hub, PersonId};
use crate::rules::Seat;
use crate::session::{Actor, SeatSet, Step};
use std::time::Duration;

impl Hub {
    /// Takes a step that somebody proposes as the one of this number, or says why not. The same step proposed twice is
    /// taken once.
    pub(super) fn propose(
        &mut self,
        who: PersonId,
        number: u64,
        seat: Option<Seat>,
        step: &Step,
        at: Duration,
    ) -> Result<(), String> {
        let chair = self.chair_of(who).ok_or("those who watch do not play")?;
        let turn = self.table.current_match().to_move();
        let own = || turn.filter(|&turn| chair.seats.contains(turn)).or(chair.seats.iter().next());
        let seat = seat.or_else(own).ok_or("you have no seat")?;
        if !chair.seats.contains(seat) {
            return Err(format!("seat {seat} is not yours"));
        }
        let log = self.table.session().log();
        let next = log.len() as u64 + 1;
        if number != next {
            let logged = number.checked_sub(1).and_then(|index| log.get(index as usize));
            let is_known =
                logged.is_some_and(|logged| logged.by == Actor::Seat(seat) && logged.step == *step);
            return if is_known {
                Ok(())
            } else {
                Err("the match has gone on meanwhile".to_owned())
            };
        }
        if self.is_long() {
            return Err("the match is as long as a match at a table can be".to_owned());
        }
        let by = Actor::Seat(seat);
        match step {
            Step::Play(_) | Step::Resign => {
                self.table.apply(by, step, at).map_err(|why| format!("{why:#}"))?;
                self.offered = SeatSet::default();
            }
            Step::OfferDraw if self.offered.contains(seat) => {
                return Err("you have offered a draw here before".to_owned());
            }
            Step::OfferDraw if self.table.engines_refuse_a_draw() => {
                return Err("engines do not accept draws".to_owned());
            }
            Step::OfferDraw | Step::AcceptDraw => {
                self.table.agree(seat, step, at).map_err(|why| format!("{why:#}"))?;
                self.offered = self.offered.iter().chain([seat]).collect();
            }
            Step::GoTo(_) => return Err("ask the others to go back".to_owned()),
            Step::SelectVariation(_) | Step::End(_) | Step::Pause => {
                return Err("that is not up to you".to_owned());
            }
        }
        Ok(())
    }
}
