//! The remaining time of each seat. A player has a clock, a fixed time per move, or no time limit.

use super::{Fixture, Time, TournamentPlan};
use quadrille_rules::Seat;
use quadrille_table::engine::ugi::Clock;
use quadrille_table::play::MoveTime;
use std::time::Duration;

pub(super) struct SeatTimes {
    seats: Vec<SeatTime>,
    /// The grace period after a clock reaches zero.
    margin: Duration,
}

#[derive(Clone, Copy)]
struct SeatTime {
    time: Option<Time>,
    /// The remaining time; zero without a clock.
    left: Duration,
}

impl SeatTimes {
    /// Creates full clocks for the players of a game.
    pub fn new(plan: &TournamentPlan, fixture: &Fixture) -> SeatTimes {
        let times = fixture.players.iter().map(|&player| plan.time_of(&plan.players[player]));
        let left = |time: Option<Time>| {
            time.and_then(Time::clock).map_or(Duration::ZERO, |clock| clock.base)
        };
        let seats = times.map(|time| SeatTime { time, left: left(time) }).collect();
        SeatTimes { seats, margin: plan.margin.unwrap_or_default() }
    }

    /// Returns the move time to send to the seat's engine.
    pub fn move_time(&self, seat: Seat) -> MoveTime {
        match self.seats[seat.index()].time {
            None => MoveTime::Unlimited,
            Some(Time::Move(each)) => MoveTime::Each(each),
            Some(Time::Clock(_)) => {
                let clock = |seat: &SeatTime| {
                    let control = seat.time?.clock()?;
                    Some(Clock { left: seat.left, increment: control.increment })
                };
                MoveTime::Clock { seat, clocks: self.seats.iter().map(clock).collect() }
            }
        }
    }

    /// Returns the maximum duration of the seat's next move; `None` if unlimited.
    pub fn allowed(&self, seat: Seat) -> Option<Duration> {
        let SeatTime { time, left } = self.seats[seat.index()];
        time.map(|time| match time {
            Time::Move(each) => each,
            Time::Clock(_) => left,
        })
    }

    /// Returns whether a seat with a clock would exceed its time and margin with a move that takes `took`.
    pub fn has_run_out(&self, seat: Seat, took: Duration) -> bool {
        let SeatTime { time, left } = self.seats[seat.index()];
        time.is_some_and(|time| time.clock().is_some()) && took >= left + self.margin
    }

    /// Updates the seat's clock after a move.
    pub fn moved(&mut self, seat: Seat, took: Duration) {
        let seat = &mut self.seats[seat.index()];
        if let Some(clock) = seat.time.and_then(Time::clock) {
            seat.left = seat.left.saturating_sub(took) + clock.increment;
        }
    }

    /// Returns the remaining time of each seat; empty unless all seats have clocks.
    pub fn left(&self) -> Vec<Duration> {
        let left = |seat: &SeatTime| seat.time?.clock().map(|_| seat.left);
        self.seats.iter().map(left).collect::<Option<_>>().unwrap_or_default()
    }
}
