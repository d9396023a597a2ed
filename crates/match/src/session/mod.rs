//! A match and the session that owns it.
//!
//! This module treats a game only as an [`AnyPosition`] with moves as texts, because records and programs need texts
//! anyway. [`Match`] is the tree of all positions reached. A move after an undo begins a variation, so nothing is lost.
//! The tree stores only some positions and replays moves to reach the others. Navigating in a copy of a match logs
//! nothing.
//!
//! The match at a table belongs to a [`Session`], together with the players and the log. Every change is a [`Step`],
//! and only [`Session::apply`] applies steps: it checks turn and actor, changes the match and logs the step, or refuses
//! the step and changes nothing. All other state is derived from the log: the journal is the log on disk, and the tree,
//! the record and the result come from the match after the logged steps. Followers read the log from where they
//! stopped. If a match begins with moves, its log contains the steps for those moves at time 0.
//!
//! - **Clocks** are also derived from the log. A session has no clock of its own: callers pass the match time. A move
//!   costs the time since its turn began, and earns the increment. Every position stores the times when a move last
//!   reached it, and `GoTo` restores those times. Steps at time 0 cost and earn nothing. A `Play` after the seat's
//!   time has run out is refused: the caller must first ask [`Session::out_of_time`] and end the match. `Pause` only
//!   records the match time, so after a crash a player regains at most the time since the last step.
//! - **Days per move**: match time is UTC since [`Step::Begin`], whether or not Quadrille runs, and no move is legal
//!   before that step. A player whose days are over is [overdue](Session::overdue), and loses only by an opponent's
//!   `Claim` or after twice the days. So a deadline needs no process: being overdue is derived from the log and the
//!   time, and the process that opens the match next enters the loss.
//! - **An end that does not come from the rules** ([`Termination`]) belongs to the position at which it occurred. A
//!   copy of the match that leaves this position and returns finds the end there again. At the table, `GoTo` cancels
//!   the end, unless it is a loss on time or a forfeit. If one of more than two seats loses on time, by forfeit or by
//!   resignation, the best of the remaining seats win.

mod clock;
mod conditions;
mod forfeit;
mod game;
mod player;
mod player_names;
mod players;
mod position;
mod position_spec;
mod record;
mod refusal;
mod result;
mod seat_set;
mod state;
mod step;
mod termination;
mod tree;
pub mod trmph;
mod typed;

pub use clock::seconds;
pub use clock::{
    ClockFace, Clocks, DaysPerMove, FischerClock, ParseFischerClockError, ParseTimeControlError,
    TimeControl,
};
pub use conditions::Conditions;
pub use forfeit::Forfeit;
pub use forfeit::seconds_of;
pub use game::Match;
pub use player::{EngineSeat, GuestSeat, ParsePlayerError, Player, ProgramSeat, SearchLimits};
pub use player_names::PlayerNames;
pub use players::Players;
pub use position::AnyPosition;
pub use position_spec::PositionSpec;
pub use record::{BadMove, MoveComment, ParseMoveCommentError, Record, RecordError};
pub use refusal::Refusal;
pub use result::{headline, how, in_words, result, score, standing, who_won};
pub use seat_set::SeatSet;
pub use state::{MatchState, MatchSummary};
pub use step::{Actor, LoggedStep, Step};
pub use termination::Termination;
pub use typed::{explain_typed, read_typed};

use jiff::Timestamp;
use quadrille_rules::{Seat, Setup};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The owner of a match, its players and its log.
///
/// A session has no clock of its own: the caller passes the time of each step.
///
/// ```
/// use quadrille_rules::dots_and_boxes::DotsAndBoxes;
/// use quadrille_rules::{Seat, Setup};
/// use quadrille_match::session::{Actor, Conditions, Match, Session, Step};
/// use std::time::Duration;
///
/// let game = Match::new(DotsAndBoxes::square(3).unwrap());
/// let mut session = Session::new(game, Setup::new(), Conditions::default());
/// let ann = Actor::Seat(Seat::FIRST);
/// let play = |text: &str| Step::Play(text.to_owned());
/// session.apply(ann, play("H0,0"), Duration::from_millis(2500)).unwrap();
/// assert_eq!(session.log()[0].to_string(), "1 2500 1 play H0,0");
///
/// let refused = session.apply(ann, play("H0,1"), Duration::from_secs(4)).unwrap_err();
/// assert_eq!(refused.to_string(), "seat 2 is to move");
/// ```
#[derive(Debug)]
pub struct Session {
    id: u64,
    /// Engines may share the match while they think. A step then changes a copy.
    game: Arc<Match>,
    given_setup: Setup,
    players: Players,
    log: Vec<LoggedStep>,
    offer: Option<DrawOffer>,
    clocks: Option<Clocks>,
    /// When a match with days per move began.
    began: Option<Timestamp>,
}

/// A pending draw offer: the seats that have agreed to it, with the seat that made it first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawOffer {
    agreed: Vec<Seat>,
}

impl DrawOffer {
    pub fn by(&self) -> Seat {
        self.agreed[0]
    }

    /// Returns whether this seat has agreed.
    pub fn has(&self, seat: Seat) -> bool {
        self.agreed.contains(&seat)
    }
}

impl Session {
    /// Takes ownership of a match. `given_setup` is the setup as the user gave it. Moves already played become the
    /// beginning of the log, at time 0, and cost no time on the clock.
    pub fn new(game: Match, given_setup: Setup, conditions: Conditions) -> Session {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let players = Players::seated(game.seats(), conditions.players);
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let log = Vec::new();
        let (seats, nodes) = (game.seats(), game.nodes());
        let clocks = conditions.clock.map(|control| Clocks::new(control, seats, nodes));
        let game = Arc::new(game);
        let (offer, began) = (None, None);
        let mut session = Session { id, game, given_setup, players, log, offer, clocks, began };
        // Ignore an end at a different position.
        if session.game.termination().is_none() {
            session.game_mut().reopen();
        }
        for (by, step) in steps_to(&session.game) {
            session.add_to_log(by, step, Duration::ZERO);
        }
        session
    }

    pub fn current_match(&self) -> &Match {
        &self.game
    }

    /// Returns the match as it is now. Later steps do not change it.
    pub fn share_match(&self) -> Arc<Match> {
        Arc::clone(&self.game)
    }

    fn game_mut(&mut self) -> &mut Match {
        Arc::make_mut(&mut self.game)
    }

    /// Returns a number that is unique among the sessions of this process, to tie a journal to its session.
    pub fn id(&self) -> u64 {
        self.id
    }

    pub fn players(&self) -> &Players {
        &self.players
    }

    /// Sets the name of the person or guest at a seat. The log contains no names, so nothing else changes. Does nothing
    /// at an engine's seat.
    pub fn name_person(&mut self, seat: Seat, name: &str) {
        self.players.name_person(seat, name);
    }

    /// Gives a seat to a guest. The seat keeps its previous name until someone joins.
    pub fn seat_guest(&mut self, seat: Seat) {
        self.players.seat_guest(seat);
    }

    /// Replaces all players.
    pub fn replace_players(&mut self, players: Players) {
        self.players = players;
    }

    /// Returns the setup as the user gave it, possibly incomplete.
    pub fn given_setup(&self) -> &Setup {
        &self.given_setup
    }

    /// Returns all steps since the start.
    pub fn log(&self) -> &[LoggedStep] {
        &self.log
    }

    /// Returns the record of the match, as the store files it.
    pub fn record(&self, names: &[String], date: &str) -> Record {
        let mut record = Record::of(&self.game, names, date);
        record.set_clock(self.conditions().clock);
        record.name_persons(&self.players);
        record
    }

    pub fn conditions(&self) -> Conditions {
        let clock = self.clocks.as_ref().map(Clocks::control);
        Conditions { players: self.players.as_slice().to_vec(), clock }
    }

    /// Returns the clocks; `None` in a match without a time control.
    pub fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }

    pub fn offer(&self) -> Option<&DrawOffer> {
        self.offer.as_ref()
    }

    /// Applies a step at this match time. This is the only way to change a match. Checks turn and actor; a refusal
    /// changes nothing.
    pub fn apply(&mut self, by: Actor, step: Step, at: Duration) -> Result<(), Refusal> {
        let at = Duration::from_millis(at.as_millis() as u64).max(self.time());
        let step = self.take(by, step, at)?;
        self.add_to_log(by, step, at);
        Ok(())
    }

    /// Returns the match time of the last step.
    pub fn time(&self) -> Duration {
        self.log().last().map_or(Duration::ZERO, |last| last.at)
    }

    /// Returns whether anything happened after the steps at time 0. A pause does not count.
    pub fn has_news(&self) -> bool {
        let is_new = |logged: &LoggedStep| !logged.at.is_zero() && logged.step != Step::Pause;
        self.log().iter().rev().any(is_new)
    }

    /// Returns the days per move, if the match has no other time control.
    pub fn days(&self) -> Option<DaysPerMove> {
        self.clocks()?.control().days()
    }

    /// Returns the clock of the match, if it has one for all moves.
    pub fn fischer_clock(&self) -> Option<FischerClock> {
        self.clocks()?.control().fischer()
    }

    /// Returns when a match with days per move began.
    pub fn began(&self) -> Option<Timestamp> {
        self.began
    }

    /// Returns whether a match with days per move has yet to begin.
    pub fn is_to_begin(&self) -> bool {
        self.days().is_some() && self.began.is_none()
    }

    /// Returns the match time at this moment, which is never before the last step; `None` unless a match with days per
    /// move has begun.
    pub fn time_at(&self, now: Timestamp) -> Option<Duration> {
        let since = Duration::try_from(now.duration_since(self.began?)).unwrap_or_default();
        Some(since.max(self.time()))
    }

    /// Returns the clocks if they run, and the seat to move.
    fn running(&self) -> Option<(&Clocks, Seat)> {
        let clocks = self.clocks().filter(|_| !self.is_to_begin());
        clocks.zip(self.current_match().to_move())
    }

    /// Returns the remaining time of each seat at this match time, in seat order; `None` without a clock.
    pub fn time_left(&self, at: Duration) -> Option<Vec<Duration>> {
        let turn = self.current_match().to_move().filter(|_| !self.is_to_begin());
        Some(self.clocks()?.left(turn, at))
    }

    /// Returns the match time at which the seat to move runs out of time and loses; `None` if no clock is running.
    pub fn runs_out(&self) -> Option<Duration> {
        self.running().map(|(clocks, turn)| clocks.runs_out(turn))
    }

    /// Returns the match time at which the time of the seat to move is over; `None` if no clock is running. With days
    /// per move, the seat is then overdue.
    pub fn due(&self) -> Option<Duration> {
        self.running().map(|(clocks, turn)| clocks.due(turn))
    }

    /// Returns the seat to move if its days are over at this match time. It can still move.
    pub fn overdue(&self, at: Duration) -> Option<Seat> {
        let is_due = self.days().is_some() && self.due().is_some_and(|due| due <= at);
        self.current_match().to_move().filter(|_| is_due)
    }

    /// Returns the seat that is out of time at this match time, if any. The arbiter must then end the match.
    pub fn out_of_time(&self, at: Duration) -> Option<Seat> {
        self.current_match().to_move().filter(|_| self.runs_out().is_some_and(|end| end <= at))
    }

    pub fn engine_to_move(&self) -> Option<&Player> {
        self.players().engine(self.current_match().to_move()?)
    }

    /// Returns the step that undoes the last event: the last move, or an end that did not come from the rules. `None`
    /// at the start.
    pub fn undo_step(&self) -> Option<Step> {
        let game = self.current_match();
        let before = || game.edge(game.node()).map(|(before, _)| before);
        let node = if game.termination().is_some() { Some(game.node()) } else { before() };
        node.map(Step::GoTo)
    }

    /// Returns the step that redoes the last undo; `None` if there is nothing to redo.
    pub fn redo_step(&self) -> Option<Step> {
        let game = self.current_match();
        game.next_node(game.node()).map(Step::GoTo)
    }

    fn add_to_log(&mut self, by: Actor, step: Step, at: Duration) {
        let number = self.log.len() as u64 + 1;
        self.log.push(LoggedStep { number, at, by, step });
    }

    /// Executes a step, or refuses it and changes nothing. Returns the step as logged, with any move in record
    /// notation.
    fn take(&mut self, by: Actor, step: Step, at: Duration) -> Result<Step, Refusal> {
        match step {
            Step::Play(text) => self.play(by, text, at),
            Step::GoTo(node) => {
                Self::is_player(by)?;
                self.go_to(node, at)?;
                Ok(step)
            }
            Step::SelectVariation(node) => {
                Self::is_player(by)?;
                if self.game.edge(node).is_none() {
                    return Err(Refusal::new(format!("no move leads to position {node}")));
                }
                self.game_mut().select_variation(node);
                Ok(step)
            }
            Step::OfferDraw => {
                let seat = self.seat_in_play(by)?;
                self.offer = Some(DrawOffer { agreed: vec![seat] });
                Ok(step)
            }
            Step::AcceptDraw => {
                let seat = self.seat_in_play(by)?;
                let Some(offer) = self.offer.as_mut().filter(|offer| !offer.has(seat)) else {
                    return Err(Refusal::new("no draw was offered to this seat"));
                };
                offer.agreed.push(seat);
                if offer.agreed.len() == usize::from(self.game.seats()) {
                    self.end(Termination::Agreed, at);
                }
                Ok(step)
            }
            Step::Resign => {
                let seat = self.seat_in_play(by)?;
                self.end(Termination::Resigned(seat), at);
                Ok(step)
            }
            Step::End(how) => {
                self.is_in_play()?;
                if by != Actor::Arbiter || how.loser().is_some_and(|seat| !self.has(seat)) {
                    return Err(Refusal::new(
                        "only the arbiter ends a match, and only against a seat at the table",
                    ));
                }
                let how = how.in_a_line();
                self.end(how.clone(), at);
                Ok(Step::End(how))
            }
            Step::Pause => {
                Self::is_player(by)?;
                Ok(step)
            }
            Step::Begin(moment) => {
                if by != Actor::Table || !self.is_to_begin() {
                    return Err(Refusal::new(
                        "only a match with days per move begins, and only once",
                    ));
                }
                self.began = Some(moment);
                self.begin_turn(at);
                Ok(step)
            }
            Step::Claim => {
                let overdue = self.overdue_opponent(by, at)?;
                self.end(Termination::Time(overdue), at);
                Ok(step)
            }
            Step::MoreTime => {
                self.overdue_opponent(by, at)?;
                self.begin_turn(at);
                Ok(step)
            }
        }
    }

    fn is_in_time(&self, at: Duration) -> Result<(), Refusal> {
        match self.out_of_time(at) {
            Some(seat) => Err(Refusal::new(format!("seat {seat} is out of time"))),
            None => Ok(()),
        }
    }

    fn begin_turn(&mut self, at: Duration) {
        if let Some(clocks) = &mut self.clocks {
            clocks.begin_turn(at);
        }
    }

    /// Returns the overdue seat to move, about which its opponents may decide.
    fn overdue_opponent(&self, by: Actor, at: Duration) -> Result<Seat, Refusal> {
        let seat = self.seat_in_play(by)?;
        self.is_in_time(at)?;
        match self.overdue(at) {
            Some(overdue) if overdue != seat => Ok(overdue),
            Some(_) => Err(Refusal::new("only an opponent can do that")),
            None => Err(Refusal::new("your opponent is not overdue")),
        }
    }

    fn play(&mut self, by: Actor, text: String, at: Duration) -> Result<Step, Refusal> {
        if let Some(seat) = self.game.to_move().filter(|&seat| by != Actor::Seat(seat)) {
            return Err(Refusal::new(format!("seat {seat} is to move")));
        }
        // Moves at time 0 are those that the match began with.
        if self.is_to_begin() && !at.is_zero() {
            return Err(Refusal::new("the match begins when all seats are taken"));
        }
        self.is_in_time(at)?;
        self.game_mut().play(&text)?;
        let played = self.game.moves().last();
        // With days per move, an offer stands until a player moves who has not agreed.
        let stays = self.days().is_some() && self.game.to_move().is_some();
        self.offer.take_if(|offer| !(stays && played.is_some_and(|(seat, _)| offer.has(*seat))));
        if let (Some(clocks), Some((seat, _))) = (&mut self.clocks, played) {
            clocks.moved(*seat, self.game.node(), at);
            if self.game.to_move().is_none() {
                clocks.stop(None, at);
            }
        }
        Ok(Step::Play(played.map_or(text, |(_, mv)| mv.clone())))
    }

    fn go_to(&mut self, node: usize, at: Duration) -> Result<(), Refusal> {
        if node >= self.game.nodes() {
            return Err(Refusal::new(format!("there is no position {node}")));
        }
        if self.game.termination().is_some_and(|how| !how.can_be_taken_back()) {
            let how = how(&self.game, &PlayerNames::of(&self.players)).unwrap_or_default();
            return Err(Refusal::new(format!("the game is over, {how}")));
        }
        self.game_mut().reopen();
        self.game_mut().go_to_node(node);
        self.offer = None;
        if let Some(clocks) = &mut self.clocks {
            clocks.gone_to(node, at);
            if self.game.to_move().is_none() {
                clocks.stop(None, at);
            }
        }
        Ok(())
    }

    fn end(&mut self, how: Termination, at: Duration) {
        if let Some(clocks) = &mut self.clocks {
            clocks.stop(self.game.to_move(), at);
        }
        self.game_mut().end(how);
        self.offer = None;
    }

    fn has(&self, seat: Seat) -> bool {
        seat.index() < usize::from(self.game.seats())
    }

    fn is_in_play(&self) -> Result<(), Refusal> {
        match self.game.to_move() {
            Some(_) => Ok(()),
            None => Err(Refusal::new("the game is over")),
        }
    }

    fn is_player(by: Actor) -> Result<(), Refusal> {
        match by {
            Actor::Seat(_) | Actor::Table => Ok(()),
            Actor::Arbiter => Err(Refusal::new("only players can take back or redo moves")),
        }
    }

    /// Returns the actor's seat. Refuses if the match is over.
    fn seat_in_play(&self, by: Actor) -> Result<Seat, Refusal> {
        self.is_in_play()?;
        match by {
            Actor::Seat(seat) if self.has(seat) => Ok(seat),
            _ => Err(Refusal::new("only seated players can do that")),
        }
    }
}

/// Returns steps that rebuild this match: the same tree, position numbers, redo variations and current position.
fn steps_to(game: &Match) -> Vec<(Actor, Step)> {
    let mut steps = Vec::new();
    let mut at = 0;
    let mut children = vec![0_usize; game.nodes()];
    for node in 1..game.nodes() {
        let Some((before, mv)) = game.edge(node) else { break };
        if at != before {
            steps.push((Actor::Table, Step::GoTo(before)));
        }
        let seat = game.mover(node).unwrap_or(Seat::FIRST);
        steps.push((Actor::Seat(seat), Step::Play(mv)));
        children[before] += 1;
        at = node;
    }
    if at != game.node() {
        steps.push((Actor::Table, Step::GoTo(game.node())));
    }
    // If there is only one child, redo follows it without a step.
    let forks = (0..game.nodes()).filter(|&node| children[node] > 1);
    let lines = forks.filter_map(|node| game.next_node(node));
    steps.extend(lines.map(|node| (Actor::Table, Step::SelectVariation(node))));
    if let Some(how) = game.termination() {
        steps.push((Actor::Arbiter, Step::End(how.clone())));
    }
    steps
}

#[cfg(test)]
mod tests;
