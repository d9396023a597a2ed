//! What needs the yes of all other people: to take back moves, and to play again.

use super::{Chair, Hub, PersonId, TableWord};
use crate::play::{EngineTurn, Request, Table};
use crate::session::{Actor, SeatSet, Step};
use std::time::Duration;

/// A request that waits for answers.
#[derive(Debug)]
pub(super) struct Pending {
    /// The chair of whoever asks, and of those who have not answered yet.
    by: usize,
    waiting: Vec<usize>,
    request: Request,
}

impl Pending {
    pub fn waits_for(&self, chair: Option<usize>) -> bool {
        chair.is_some_and(|chair| self.waiting.contains(&chair))
    }

    pub fn word(&self, chairs: &[Chair]) -> TableWord {
        TableWord::Asked { name: chairs[self.by].name.clone(), request: self.request }
    }
}

impl Hub {
    pub(super) fn ask(
        &mut self,
        who: PersonId,
        request: Request,
        at: Duration,
    ) -> Result<(), String> {
        let by = self.chair_index(who).ok_or("those who watch ask for nothing")?;
        if let Some(pending) = &self.pending {
            // Whoever asks for the same agrees.
            if pending.request == request && pending.waits_for(Some(by)) {
                return self.hear_answer(who, true, at);
            }
            return Err("something else is asked already".to_owned());
        }
        let game = self.table.current_match();
        match request {
            Request::TakeBack(node) if node >= game.nodes() => {
                return Err(format!("there is no position {node}"));
            }
            Request::TakeBack(node) if node == game.node() && game.termination().is_none() => {
                return Err("the match stands there".to_owned());
            }
            Request::TakeBack(_) if self.is_long() => {
                return Err("the match is as long as a match at a table can be".to_owned());
            }
            Request::Rematch { .. } if game.outcome().is_none() => {
                return Err("the match is not over".to_owned());
            }
            Request::TakeBack(_) | Request::Rematch { .. } => {}
        }
        let waiting = (0..self.chairs.len())
            .filter(|&chair| chair != by && !self.chairs[chair].seats.is_empty());
        let pending = Pending { by, waiting: waiting.collect(), request };
        if pending.waiting.is_empty() {
            return self.grant(request, at);
        }
        let word = pending.word(&self.chairs);
        let asked: Vec<PersonId> =
            pending.waiting.iter().filter_map(|&chair| self.chairs[chair].person).collect();
        self.pending = Some(pending);
        for person in asked {
            self.tell(person, &word);
        }
        Ok(())
    }

    /// Takes the answer to what is pending, or to the draw that is offered: that is accepted by a step, and refused here.
    pub(super) fn hear_answer(
        &mut self,
        who: PersonId,
        yes: bool,
        at: Duration,
    ) -> Result<(), String> {
        let chair = self.chair_index(who).ok_or("those who watch are not asked")?;
        let name = self.chairs[chair].name.clone();
        let Some(mut pending) = self.pending.take() else {
            if self.table.session().offer().is_some() && !yes {
                self.tell_all(&TableWord::Answered { name, yes });
                return Ok(());
            }
            return Err("nothing is asked".to_owned());
        };
        if !pending.waits_for(Some(chair)) {
            self.pending = Some(pending);
            return Err("you are not asked".to_owned());
        }
        self.tell_all(&TableWord::Answered { name, yes });
        if !yes {
            return Ok(());
        }
        pending.waiting.retain(|&waiting| waiting != chair);
        if pending.waiting.is_empty() {
            return self.grant(pending.request, at);
        }
        self.pending = Some(pending);
        Ok(())
    }

    /// Does what all have agreed on.
    fn grant(&mut self, request: Request, at: Duration) -> Result<(), String> {
        match request {
            Request::TakeBack(node) => {
                let gone = self.table.apply(Actor::Table, &Step::GoTo(node), at);
                gone.map_err(|why| format!("{why:#}"))?;
            }
            Request::Rematch { swap } => {
                let next = self.table.rematch(swap).map_err(|why| format!("{why:#}"))?;
                self.play_again(next, swap);
            }
        }
        self.offered = SeatSet::default();
        Ok(())
    }

    fn play_again(&mut self, next: Table, swap: bool) {
        self.finished.push_back(std::mem::replace(&mut self.table, next));
        if swap {
            self.move_on();
        }
        (self.asked_at, self.pending, self.has_changed) = (None, None, true);
        self.engine_turn = EngineTurn::default();
        self.begin_sums();
        self.add_sums();
        self.ran = self.time_runs();
        let seated: Vec<(PersonId, TableWord)> =
            self.chairs.iter().filter_map(Chair::welcome).collect();
        for (person, word) in seated {
            self.tell(person, &word);
        }
        let followers = self.people.iter().filter(|person| person.told().is_some());
        let followers: Vec<PersonId> = followers.map(|person| person.id).collect();
        for person in followers {
            self.tell_head(person, 0);
            if self.table.session().clocks().is_some() {
                self.tell(person, &TableWord::Clock { at: Duration::ZERO, runs: self.ran });
            }
            if let Some(index) = self.index(person) {
                self.people[index].begin_log(0);
            }
        }
    }
}

impl Chair {
    /// The word that gives these seats to whoever has them, if their line is up.
    fn welcome(&self) -> Option<(PersonId, TableWord)> {
        let token = self.token.clone();
        Some((self.person?, TableWord::Welcome { seats: self.seats, token }))
    }
}
