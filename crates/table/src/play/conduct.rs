//! Actions of people and engines at a table: typed moves, undo against engines, draws.

use super::question::move_seed;
use super::{Ask, MoveTime, Proposal, Question, Table};
use crate::engine::ugi::Clock;
use quadrille_match::session::{
    Actor, DrawOffer, FischerClock, Forfeit, Player, Refusal, Session, Step, Termination,
    read_typed,
};
use quadrille_rules::Seat;
use quadrille_search::Level;
use quadrille_text::printable::printable;
use std::time::Duration;

/// `at` is always the elapsed match time, without pauses.
impl Table {
    /// Takes a step for a player at this terminal, or requests it from a remote table.
    pub fn propose(&mut self, by: Actor, step: &Step, at: Duration) -> Result<Proposal, Refusal> {
        match self.peers_mut() {
            None => self.apply(by, step, at).map(|()| Proposal::Taken),
            Some(peers) => peers.propose(by, step.clone()),
        }
    }

    /// Takes a step. Every change to a match with a local session goes through this function.
    pub fn apply(&mut self, by: Actor, step: &Step, at: Duration) -> Result<(), Refusal> {
        // Time 0 marks the steps that a match began with, such as the moves of a loaded record.
        self.session.apply(by, step.clone(), at.max(Duration::from_millis(1)))
    }

    /// Plays a typed move; see [`read_typed`].
    pub fn play(&mut self, text: &str, at: Duration) -> Result<Proposal, Refusal> {
        let mv = read_typed(self.current_match(), text)?;
        self.play_move(&mv, at)
    }

    /// Plays a move for the person to move, who must be at this terminal.
    pub fn play_move(&mut self, mv: &str, at: Duration) -> Result<Proposal, Refusal> {
        let by = self.mover();
        if let Actor::Seat(seat) = by
            && !self.local().contains(seat)
        {
            let name = self.players().name(seat);
            return Err(Refusal::new(format!("it is {name}'s turn, at another terminal")));
        }
        self.propose(by, &Step::Play(mv.to_owned()), at)
    }

    /// Returns the actor for the seat to move, or the table if the match is over.
    fn mover(&self) -> Actor {
        self.current_match().to_move().map_or(Actor::Table, Actor::Seat)
    }

    /// Returns whether the player to move is at a different terminal.
    pub fn turn_is_elsewhere(&self) -> bool {
        let turn = self.current_match().to_move().filter(|_| self.engine_to_move().is_none());
        turn.is_some_and(|seat| !self.local().contains(seat))
    }

    /// Ends the match by decision of its arbiter.
    pub fn end(&mut self, how: Termination, at: Duration) -> Result<(), Refusal> {
        self.apply(Actor::Arbiter, &Step::End(how), at)
    }

    pub fn only_engines_play(&self) -> bool {
        self.players().are_engines()
    }

    pub fn can_undo(&self) -> bool {
        let stands = |how: &Termination| !how.can_be_taken_back();
        let session = &self.session;
        session.undo_step().is_some() && !session.current_match().termination().is_some_and(stands)
    }

    /// Goes back one ply, or against engines to the last turn of a person. At a remote table, asks the other players to
    /// go back to the last turn of a local player, or withdraws that question if it is open. Returns `None` if there is
    /// nothing to take back. If a step on the way is refused, the match stays at the position reached so far.
    pub fn undo(&mut self, at: Duration) -> Result<Option<Proposal>, Refusal> {
        if let Some(peers) = self.peers_mut()
            && peers.has_asked_to_take_back()
        {
            peers.withdraw();
            return Ok(Some(Proposal::Withdrawn));
        }
        if self.peers().is_some() {
            return self.ask_to_go_to(self.turn_before(), at);
        }
        self.walk(Session::undo_step, at)
    }

    /// Goes forward one ply along the selected variation; otherwise like [`undo`](Table::undo).
    pub fn redo(&mut self, at: Duration) -> Result<Option<Proposal>, Refusal> {
        if self.peers().is_some() {
            return self.ask_to_go_to(self.session.redo_step(), at);
        }
        self.walk(Session::redo_step, at)
    }

    fn walk(
        &mut self,
        step: fn(&Session) -> Option<Step>,
        at: Duration,
    ) -> Result<Option<Proposal>, Refusal> {
        let mut has_gone = None;
        while let Some(step) = step(&self.session) {
            self.apply(Actor::Table, &step, at)?;
            has_gone = Some(Proposal::Taken);
            if self.engine_to_move().is_none() || self.only_engines_play() {
                break;
            }
        }
        Ok(has_gone)
    }

    fn ask_to_go_to(
        &mut self,
        step: Option<Step>,
        at: Duration,
    ) -> Result<Option<Proposal>, Refusal> {
        if self.local.is_empty() {
            return Err(Refusal::new("spectators cannot take moves back"));
        }
        step.map(|step| self.propose(Actor::Table, &step, at)).transpose()
    }

    /// Returns the step that goes back to the last turn of a player at this terminal, or to the start.
    fn turn_before(&self) -> Option<Step> {
        let game = self.current_match();
        if game.termination().is_some() {
            return self.session.undo_step();
        }
        let (mut node, mut is_here) = (game.node(), false);
        while let Some((before, _)) = game.edge(node).filter(|_| !is_here) {
            is_here = game.mover(node).is_some_and(|seat| self.local().contains(seat));
            node = before;
        }
        (node != game.node()).then_some(Step::GoTo(node))
    }

    /// Selects the next variation at this position for redo. Returns its move, its number (counted from 1) and the
    /// number of variations; `None` if there is only one.
    pub fn select_next_variation(
        &mut self,
        at: Duration,
    ) -> Result<Option<(String, usize, usize)>, Refusal> {
        if let Some(peers) = self.peers_mut() {
            peers.propose(Actor::Table, Step::Pause)?;
        }
        let game = self.current_match();
        let (mut moves, followed) = game.branches();
        if moves.len() < 2 {
            return Ok(None);
        }
        let line = followed.map_or(0, |line| (line + 1) % moves.len());
        let node = game.children(game.node())[line];
        self.apply(Actor::Table, &Step::SelectVariation(node), at)?;
        let lines = moves.len();
        Ok(Some((moves.swap_remove(line), line + 1, lines)))
    }

    /// Returns the request for the engine to move. Returns `None` if no engine is to move, or if the user must first
    /// allow the program to start. An engine without a seed of its own uses `seed`, which is different in each
    /// rematch, combined with the ply.
    pub fn engine_ask(&self, seed: u32, at: Duration) -> Option<Ask> {
        let is_on = !self.session.is_to_begin();
        let is_asked_here = is_on && self.peers().is_none() && self.program_to_permit().is_none();
        let player = self.engine_to_move().filter(|_| is_asked_here)?;
        let engine = player.engine();
        let seed = seed.wrapping_add(u32::from(self.rematches) << 16);
        let seed = engine.and_then(|engine| engine.seed).unwrap_or(seed);
        let seed = move_seed(seed, self.current_match().ply());
        let level = engine.map_or(Level::Strong, |engine| engine.level);
        let session = &self.session;
        let clock = session.fischer_clock().zip(session.time_left(at));
        let clock = clock.zip(self.current_match().to_move());
        let time = match clock {
            None => player.time().map_or(MoveTime::Unlimited, MoveTime::Each),
            Some(((FischerClock { increment, .. }, left), seat)) => {
                let clocks = left.into_iter().map(|left| Some(Clock { left, increment }));
                MoveTime::Clock { seat, clocks: clocks.collect() }
            }
        };
        Some(Ask::Move { level, seed, time, limits: player.limits() })
    }

    /// Returns the engine that moves next while a person is to move, if it benefits from pondering. Only built-in
    /// engines with a thinking time do.
    pub fn engine_to_answer(&self) -> Option<(Seat, &Player)> {
        let is_here = self.peers().is_none();
        let turn = self.current_match().to_move();
        let turn = turn.filter(|_| is_here && self.engine_to_move().is_none())?;
        let gains_by_pondering =
            |(_, player): &(Seat, &Player)| player.engine().is_some() && player.uses_time();
        let engines = || self.players().iter().filter(gains_by_pondering);
        engines().find(|(seat, _)| *seat > turn).or_else(|| engines().next())
    }

    /// Returns the request that makes an engine ponder while a person is to move.
    pub fn ponder_question(&self) -> Option<Question> {
        self.engine_to_answer().map(|_| self.question(Ask::Ponder))
    }

    /// Ends the match if the clock of the seat to move has run out. Returns whether it has. With days per move, the
    /// match ends at the moment when they ran out, which may be long ago.
    pub fn flag(&mut self, at: Duration) -> bool {
        let is_here = self.peers().is_none();
        let Some(seat) = self.session.out_of_time(at).filter(|_| is_here) else { return false };
        let at = self.session.runs_out().filter(|_| self.session.days().is_some()).unwrap_or(at);
        self.end(Termination::Time(seat), at).is_ok()
    }

    /// Returns the seat at this terminal that may claim the win from the overdue player to move, or give more time.
    pub fn claimant(&self, at: Duration) -> Option<Seat> {
        let overdue = self.session.overdue(at)?;
        self.local().iter().find(|seat| *seat != overdue)
    }

    /// Logs the match time if the match has a clock that stops now, so that it resumes with the correct remaining time.
    /// Days per move never stop.
    pub fn pause(&mut self, at: Duration) {
        let session = &self.session;
        let has_moved = session.current_match().nodes() > 1 && session.time() < at;
        let stops = session.fischer_clock().is_some() && session.runs_out().is_some();
        if stops && has_moved && self.peers().is_none() {
            let paused = self.apply(Actor::Table, &Step::Pause, at);
            debug_assert_eq!(paused, Ok(()));
            self.saved.pause_not_in_journal |= self.saved.journal.is_some();
        }
    }

    /// Plays the move of the engine to move. A program that sends an illegal move forfeits.
    pub fn play_for_engine(&mut self, mv: &str, at: Duration) -> Result<(), String> {
        if self.flag(at) {
            return Ok(());
        }
        let is_program = self.engine_to_move().is_some_and(|player| player.program().is_some());
        let by = self.mover();
        match self.apply(by, &Step::Play(mv.to_owned()), at) {
            Ok(()) => {}
            Err(_) if is_program => {
                self.forfeit(&Forfeit::illegal_move(mv), at);
                return Ok(());
            }
            Err(refusal) => return Err(format!("its move {mv} is illegal: {refusal}")),
        }
        // Without this, a match between engines could repeat positions forever.
        if self.only_engines_play() && self.current_match().repeats() >= 2 {
            let ended = self.end(Termination::Repetition, at);
            debug_assert!(ended.is_ok() || self.current_match().outcome().is_some());
        }
        Ok(())
    }

    /// Ends the match with a forfeit by the program to move. The reason may contain the program's output, so
    /// unprintable characters are removed.
    pub fn forfeit(&mut self, reason: &Forfeit, at: Duration) {
        if let Some(seat) = self.current_match().to_move() {
            let reason = Forfeit::parse(&printable(&reason.to_string()));
            let ended = self.end(Termination::Forfeit(seat, reason), at);
            debug_assert_eq!(ended, Ok(()));
        }
    }

    /// Returns whether an engine at the table would decline a draw. Engines accept once the position has repeated.
    pub fn engines_refuse_a_draw(&self) -> bool {
        let has_engine = self.players().iter().any(|(_, player)| !player.is_person());
        has_engine && self.current_match().repeats() == 0
    }

    /// Offers a draw for the seat to move if it is local, otherwise for the next local person; see
    /// [`agree`](Table::agree).
    pub fn offer_draw(&mut self, at: Duration) -> Result<Option<Seat>, Refusal> {
        let over = || Refusal::new("the game is over");
        let turn = self.current_match().to_move().ok_or_else(over)?;
        if self.engines_refuse_a_draw() {
            return Err(Refusal::new("engines do not accept draws"));
        }
        let here: Vec<Seat> = self.local().iter().collect();
        let next = here.iter().find(|&&seat| seat >= turn).or(here.first());
        let seat = next.copied().unwrap_or(turn);
        self.agree(seat, &Step::OfferDraw, at)
    }

    /// Offers or accepts a draw. Returns the person to ask next. When all people have agreed, the engines agree too,
    /// and the match ends.
    pub fn agree(
        &mut self,
        seat: Seat,
        step: &Step,
        at: Duration,
    ) -> Result<Option<Seat>, Refusal> {
        if self.propose(Actor::Seat(seat), step, at)? != Proposal::Taken {
            return Ok(None);
        }
        let asked = self.asked_about_draw();
        if asked.is_none() {
            let players = self.players().iter().map(|(seat, _)| seat);
            let engines: Vec<Seat> = players.filter(|&seat| !self.has_agreed(seat)).collect();
            for seat in engines {
                let agreed = self.apply(Actor::Seat(seat), &Step::AcceptDraw, at);
                debug_assert_eq!(agreed, Ok(()));
            }
        }
        Ok(asked)
    }

    /// Returns the next person who has to answer a draw offer, if any. At a remote table, the
    /// [questions](super::OpenQuestion) list the players to ask.
    pub fn asked_about_draw(&self) -> Option<Seat> {
        self.session.offer().filter(|_| self.peers().is_none())?;
        self.players().people().find(|&seat| !self.has_agreed(seat))
    }

    fn has_agreed(&self, seat: Seat) -> bool {
        self.session.offer().is_none_or(|offer| offer.has(seat))
    }

    pub fn draw_offered_by(&self) -> &str {
        let by = self.session.offer().map(DrawOffer::by);
        by.map_or("", |seat| self.players().name(seat))
    }
}
