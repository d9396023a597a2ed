//! The time of each seat of a game. Players may have different clocks, or a time for each move, or no limit of time.

use super::{Fixture, Time, TournamentPlan};
use crate::engine::ugi::Clock;
use crate::play::MoveTime;
use crate::rules::Seat;
use std::time::Duration;

/// The time of each seat, the first seat first.
pub(super) struct SeatTimes {
    seats: Vec<SeatTime>,
    /// How much longer than its time a seat may take for a move before its clock counts as run out.
    margin: Duration,
}

#[derive(Clone, Copy)]
struct SeatTime {
    time: Option<Time>,
    /// What is left, on a clock.
    left: Duration,
}

impl SeatTimes {
    /// Full clocks for the players of a game.
    pub fn new(plan: &TournamentPlan, fixture: &Fixture) -> SeatTimes {
        let times = fixture.players.iter().map(|&player| plan.time_of(&plan.players[player]));
        let left = |time: Option<Time>| {
            time.and_then(Time::clock).map_or(Duration::ZERO, |clock| clock.base)
        };
        let seats = times.map(|time| SeatTime { time, left: left(time) }).collect();
        SeatTimes { seats, margin: plan.margin.unwrap_or_default() }
    }

    /// How long a move of this seat may take, as it is told.
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

    /// How long a move of this seat may take; `None` for no limit.
    pub fn allowed(&self, seat: Seat) -> Option<Duration> {
        let SeatTime { time, left } = self.seats[seat.index()];
        time.map(|time| match time {
            Time::Move(each) => each,
            Time::Clock(_) => left,
        })
    }

    /// Whether the clock of a seat, if it has one, has run out when it has thought about a move for this long.
    pub fn has_run_out(&self, seat: Seat, took: Duration) -> bool {
        let SeatTime { time, left } = self.seats[seat.index()];
        time.is_some_and(|time| time.clock().is_some()) && took >= left + self.margin
    }

    /// A seat has moved after this time.
    pub fn moved(&mut self, seat: Seat, took: Duration) {
        let seat = &mut self.seats[seat.index()];
        if let Some(clock) = seat.time.and_then(Time::clock) {
            seat.left = seat.left.saturating_sub(took) + clock.increment;
        }
    }

    /// What each seat has left on its clock; empty if not all have one.
    pub fn left(&self) -> Vec<Duration> {
        let left = |seat: &SeatTime| seat.time?.clock().map(|_| seat.left);
        self.seats.iter().map(left).collect::<Option<_>>().unwrap_or_default()
    }
}
