//! A match of any game, with moves as texts.

use super::Match;
use crate::rules::{Outcome, Position, Seat, Setup, SetupError, perft};
use crate::session::tree::Edge;
use crate::session::{AnySession, Conditions, PositionSpec, Refusal, Session, Termination};
use std::sync::Arc;

/// A match of any game. Its moves are texts.
pub trait AnyMatch: Send {
    /// The game's name in commands and records.
    fn id(&self) -> &'static str;
    /// The complete setup the match began with.
    fn setup(&self) -> Setup;
    /// How many seats are at the table.
    fn seats(&self) -> u8;
    /// The letter of a seat on the board.
    fn mark(&self, seat: Seat) -> char;
    /// How many plies are played; undone ones do not count.
    fn ply(&self) -> usize;
    /// How many plies can be redone.
    fn undone(&self) -> usize;
    /// The seat to move, or `None` when the match is over.
    fn to_move(&self) -> Option<Seat>;
    /// Who has won, or `None` while the match goes on.
    fn outcome(&self) -> Option<Outcome>;
    /// How the match was ended at the present position, if not by the rules.
    fn termination(&self) -> Option<&Termination>;
    /// The points of each seat, or `None` in a game that keeps no score.
    fn scores(&self) -> Option<Vec<u32>>;
    /// What else belongs to the state of this game, as names and numbers.
    fn facts(&self) -> Vec<(&'static str, u64)>;
    /// The texts of all legal moves, sorted as text.
    fn legal(&self) -> Vec<String>;
    /// The moves played, each with the seat that played it.
    fn moves(&self) -> &[(Seat, String)];
    /// The present position, for engines. It is made once for each position.
    fn position_spec(&self) -> Arc<PositionSpec>;
    /// How often the present position stood on the board before, on the way to it.
    fn repeats(&self) -> usize;
    /// The moves that were played from here before, and which of them redo plays.
    fn branches(&self) -> (Vec<String>, Option<usize>);
    /// Where redo leads from position `node`, if a move was ever played there.
    fn next_node(&self, node: usize) -> Option<usize>;
    /// The present position's number. Positions are numbered from 0, the start, in the order in
    /// which they were first reached, and keep their numbers.
    fn node(&self) -> usize;
    /// Goes to position `node`, or to the one with the highest number if there is no `node`; redo leads there from
    /// then on. It takes time in proportion to the plies from here to there.
    fn go_to_node(&mut self, node: usize);
    /// How many positions were reached, the start among them.
    fn nodes(&self) -> usize;
    /// The parent of position `node` and the move from there to it; `None` for the start and for unknown
    /// numbers.
    fn edge(&self, node: usize) -> Option<(usize, String)>;
    /// The seat that moved to position `node`.
    fn mover(&self, node: usize) -> Option<Seat>;
    /// Gives the match to a session; see [`Session::new`].
    fn into_session(
        self: Box<Self>,
        given_setup: Setup,
        conditions: Conditions,
    ) -> Box<dyn AnySession>;
    /// The [`edge`] to each position but the start, in the order of their numbers.
    ///
    /// [`edge`]: AnyMatch::edge
    fn tree(&self) -> Vec<(usize, String)> {
        (1..self.nodes()).filter_map(|node| self.edge(node)).collect()
    }
    /// The positions that were reached from position `node`, in the order of their numbers.
    fn children(&self, node: usize) -> Vec<usize>;
    /// Where the move with this text leads from position `node`, if it was ever played there.
    fn child(&self, node: usize, text: &str) -> Option<usize>;
    /// Makes redo lead from its parent to position `node`, unless the line to the present position takes another
    /// move at that parent.
    fn select_variation(&mut self, node: usize);
    /// The numbers of the positions from the start to the present one, and on along the line that
    /// redo follows.
    fn line(&self) -> Vec<usize>;
    /// The board text of the present position.
    fn board(&self) -> String;
    /// The text that the move with this text has in records, if it can be played now; else why [`play`] refuses it.
    ///
    /// [`play`]: AnyMatch::play
    fn check(&self, text: &str) -> Result<String, Refusal>;
    /// Plays the move with this text; see [`Match::play_move`]. A refusal changes nothing.
    fn play(&mut self, text: &str) -> Result<(), Refusal>;
    /// Takes back one ply; `false` at the start.
    fn undo(&mut self) -> bool;
    /// Plays the next ply of the line that redo follows; `false` at its end.
    fn redo(&mut self) -> bool;
    /// Ends the match at the present position, unless its rules have ended it there. Elsewhere the match goes
    /// on; back at this position it is ended again.
    fn end(&mut self, how: Termination);
    /// Takes back an end that was not by the rules.
    fn reopen(&mut self);
    /// Begins anew with another setup of the same game. A refusal changes nothing.
    fn reset(&mut self, setup: &Setup) -> Result<(), SetupError>;
    /// Goes along the present line to the position after this many plies, or to its end.
    fn go_to_ply(&mut self, ply: usize);
    /// Whether these moves can be played from here one after the other and the match is over then. An end that was
    /// not by the rules does not stop the moves, and counts as the end.
    fn ends_after(&self, moves: &[String]) -> bool;
    /// The number of move sequences of this many moves from here; see [`perft`].
    fn perft(&self, depth: u8) -> u64;
    /// Checks the present position by counting everything anew, and says what differs; see [`Position::validate`].
    fn validate(&self) -> Result<(), String>;
}

impl<G: Position> AnyMatch for Match<G> {
    fn id(&self) -> &'static str {
        G::ID
    }

    fn setup(&self) -> Setup {
        self.setup.get_or_init(|| self.tree.start().setup()).clone()
    }

    fn seats(&self) -> u8 {
        self.now().seats()
    }

    fn mark(&self, seat: Seat) -> char {
        G::mark(seat)
    }

    fn ply(&self) -> usize {
        self.moves.len()
    }

    fn undone(&self) -> usize {
        self.ahead().count()
    }

    fn to_move(&self) -> Option<Seat> {
        if self.termination().is_some() { None } else { self.now().to_move() }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.termination() {
            Some(how) => Some(how.outcome(self.seats(), self.scores().as_deref())),
            None => self.now().outcome(),
        }
    }

    fn termination(&self) -> Option<&Termination> {
        self.end.as_ref().filter(|(node, _)| *node == self.node()).map(|(_, how)| how)
    }

    fn scores(&self) -> Option<Vec<u32>> {
        self.now().scores()
    }

    fn facts(&self) -> Vec<(&'static str, u64)> {
        self.now().facts()
    }

    fn legal(&self) -> Vec<String> {
        if self.termination().is_some() {
            return Vec::new();
        }
        let mut texts: Vec<String> = self.now().legal().iter().map(ToString::to_string).collect();
        texts.sort_unstable();
        texts
    }

    fn moves(&self) -> &[(Seat, String)] {
        &self.moves
    }

    fn position_spec(&self) -> Arc<PositionSpec> {
        self.spec.get_or_init(|| Arc::new(PositionSpec::to(self))).clone()
    }

    fn repeats(&self) -> usize {
        let mut hashes = self.hashes.borrow_mut();
        self.hash_path(&mut hashes);
        let Some((now, earlier)) = hashes.split_last() else { return 0 };
        let alike = self.path.iter().zip(earlier).filter(|(_, hash)| *hash == now);
        alike.filter(|(node, _)| self.tree.position(**node, |_| None).0 == self.now).count()
    }

    fn branches(&self) -> (Vec<String>, Option<usize>) {
        let next = self.tree.children(self.node());
        let moves = next.iter().filter_map(|&node| self.tree.edge(node));
        let next_node = self.tree.next_node(self.node());
        let followed = next.iter().position(|node| Some(*node) == next_node);
        (moves.map(|edge| edge.mv.to_string()).collect(), followed)
    }

    fn next_node(&self, node: usize) -> Option<usize> {
        self.tree.next_node(node)
    }

    fn node(&self) -> usize {
        self.path.last().copied().unwrap_or(0)
    }

    fn go_to_node(&mut self, node: usize) {
        self.stand_at(node.min(self.tree.len() - 1));
    }

    fn nodes(&self) -> usize {
        self.tree.len()
    }

    fn edge(&self, node: usize) -> Option<(usize, String)> {
        self.tree.edge(node).map(|edge| (edge.parent, edge.mv.to_string()))
    }

    fn mover(&self, node: usize) -> Option<Seat> {
        self.tree.edge(node).map(|edge| edge.seat)
    }

    fn into_session(
        self: Box<Self>,
        given_setup: Setup,
        conditions: Conditions,
    ) -> Box<dyn AnySession> {
        Box::new(Session::new(*self, given_setup, conditions))
    }

    fn children(&self, node: usize) -> Vec<usize> {
        self.tree.children(node)
    }

    fn child(&self, node: usize, text: &str) -> Option<usize> {
        self.tree.child(node, text.parse().ok()?)
    }

    fn select_variation(&mut self, node: usize) {
        let Some(Edge { parent, .. }) = self.tree.edge(node) else { return };
        // Only if the present position is the parent, or is not reached through it.
        let from_parent = self.path.get(self.tree.ply(parent)..).unwrap_or_default();
        if from_parent.first() != Some(&parent) || from_parent.len() == 1 {
            self.tree.lead_to(node);
        }
    }

    fn line(&self) -> Vec<usize> {
        self.path.iter().copied().chain(self.ahead()).collect()
    }

    fn board(&self) -> String {
        self.now().to_string()
    }

    fn check(&self, text: &str) -> Result<String, Refusal> {
        let mv: G::Move = text.parse().map_err(Refusal::no_move)?;
        self.check_goes_on()?;
        self.now().check(mv).map_err(Refusal::new)?;
        Ok(mv.to_string())
    }

    fn play(&mut self, text: &str) -> Result<(), Refusal> {
        self.play_move(text.parse().map_err(Refusal::no_move)?)
    }

    fn undo(&mut self) -> bool {
        let Some(ply) = self.ply().checked_sub(1) else { return false };
        self.stand_at(self.path[ply]);
        true
    }

    fn redo(&mut self) -> bool {
        let Some(next_node) = self.tree.next_node(self.node()) else { return false };
        self.stand_at(next_node);
        true
    }

    fn end(&mut self, how: Termination) {
        if self.now().outcome().is_none() {
            self.end = Some((self.node(), how));
        }
    }

    fn reopen(&mut self) {
        self.end = None;
    }

    fn reset(&mut self, setup: &Setup) -> Result<(), SetupError> {
        *self = Match::new(G::from_setup(setup)?);
        Ok(())
    }

    fn go_to_ply(&mut self, ply: usize) {
        let node = match ply.checked_sub(self.ply()) {
            None => self.path[ply],
            Some(steps) => self.ahead().take(steps).last().unwrap_or(self.node()),
        };
        self.stand_at(node);
    }

    fn ends_after(&self, moves: &[String]) -> bool {
        let mut position = self.now().clone();
        let mut plays =
            |text: &String| text.parse().is_ok_and(|mv: G::Move| position.play(mv).is_ok());
        moves.iter().all(&mut plays)
            && (self.termination().is_some() || position.to_move().is_none())
    }

    fn perft(&self, depth: u8) -> u64 {
        perft(self.now(), depth)
    }

    fn validate(&self) -> Result<(), String> {
        self.now().validate()
    }
}
