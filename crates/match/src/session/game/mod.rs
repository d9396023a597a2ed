//! A match: the tree of all positions reached, and the current position.

use super::tree::{Edge, Tree};
use super::{AnyPosition, Refusal, Termination};
use quadrille_rules::{Outcome, Position, Scores, Seat, Setup, SetupError};
use std::sync::OnceLock;

/// A match of any game, with moves as texts. Every position reached stays in the tree: undo goes to the previous
/// position, and a different move from there begins a variation beside the old one.
///
/// Positions are numbered from 0, the start, in the order in which they were first reached. A position's number never
/// changes.
#[derive(Clone, Debug)]
pub struct Match {
    tree: Tree,
    /// The numbers of the positions from the start to the current position. Redo follows them too.
    path: Vec<usize>,
    /// The moves between the positions of `path`.
    moves: Vec<(Seat, String)>,
    now: Box<dyn AnyPosition>,
    /// The previous position, computed on demand.
    before: OnceLock<Box<dyn AnyPosition>>,
    /// The setup of the first position, computed on demand.
    setup: OnceLock<Setup>,
    /// If the match was not ended by its rules: the position at which it ended, and how.
    end: Option<(usize, Termination)>,
}

impl Match {
    pub fn new(start: impl Position) -> Match {
        Match::from(Box::new(start) as Box<dyn AnyPosition>)
    }

    /// Returns the game's name in commands and records.
    pub fn id(&self) -> &'static str {
        self.now.id()
    }

    /// Returns the complete setup of the first position.
    pub fn setup(&self) -> Setup {
        self.setup.get_or_init(|| self.tree.start().setup()).clone()
    }

    pub fn seats(&self) -> u8 {
        self.now.seats()
    }

    pub fn now(&self) -> &dyn AnyPosition {
        &*self.now
    }

    /// Returns the position before the last move; `None` at the start.
    pub fn before(&self) -> Option<&dyn AnyPosition> {
        let parent = self.tree.edge(self.node())?.parent;
        Some(&**self.before.get_or_init(|| self.tree.position(parent, |_| None).0))
    }

    /// Returns the number of plies to the current position.
    pub fn ply(&self) -> usize {
        self.moves.len()
    }

    /// Returns the number of plies that can be redone.
    pub fn undone(&self) -> usize {
        self.ahead().count()
    }

    /// Returns the seat to move; `None` when the match is over.
    pub fn to_move(&self) -> Option<Seat> {
        if self.termination().is_some() { None } else { self.now.to_move() }
    }

    pub fn outcome(&self) -> Option<Outcome> {
        match self.termination() {
            Some(how) => Some(how.outcome(self.seats(), self.scores().as_deref())),
            None => self.now.outcome(),
        }
    }

    /// Returns how the match ended at the current position, if the rules did not end it.
    pub fn termination(&self) -> Option<&Termination> {
        self.end.as_ref().filter(|(node, _)| *node == self.node()).map(|(_, how)| how)
    }

    /// Returns the score of each seat; `None` in a game without scores.
    pub fn scores(&self) -> Option<Scores> {
        self.now.scores()
    }

    /// Returns the texts of all legal moves, sorted.
    pub fn legal_moves(&self) -> Vec<String> {
        if self.termination().is_some() { Vec::new() } else { self.now.legal_moves() }
    }

    /// Returns the moves on the path, each with its seat.
    pub fn moves(&self) -> &[(Seat, String)] {
        &self.moves
    }

    /// Yields the positions on the path before the current one, beginning with the start. Each position is computed on
    /// demand.
    pub fn earlier(&self) -> impl Iterator<Item = Box<dyn AnyPosition>> {
        let mut next = self.tree.start().copy();
        self.moves.iter().map(move |(_, mv)| {
            let here = next.copy();
            let played = next.play(mv);
            debug_assert!(played.is_ok(), "{mv} was legal before");
            here
        })
    }

    /// Returns how many times the current position occurred earlier on the path.
    pub fn repeats(&self) -> usize {
        let Some((&now, earlier)) = self.path.split_last() else { return 0 };
        let hash = self.tree.hash(now);
        let alike = earlier.iter().filter(|node| self.tree.hash(**node) == hash);
        alike.filter(|node| self.tree.position(**node, |_| None).0.is(&*self.now)).count()
    }

    /// Returns the moves played from the current position, and the index of the move that redo follows.
    pub fn branches(&self) -> (Vec<String>, Option<usize>) {
        let next = self.tree.children(self.node());
        let moves = next.iter().filter_map(|&node| self.tree.edge(node));
        let next_node = self.tree.next_node(self.node());
        let followed = next.iter().position(|node| Some(*node) == next_node);
        (moves.map(|edge| edge.mv.to_owned()).collect(), followed)
    }

    /// Returns the position that redo reaches from `node`, if a move was ever played there.
    pub fn next_node(&self, node: usize) -> Option<usize> {
        self.tree.next_node(node)
    }

    pub fn node(&self) -> usize {
        self.path.last().copied().unwrap_or(0)
    }

    /// Goes to position `node`, or to the last position if `node` does not exist, and makes redo lead there. Takes time
    /// proportional to the number of plies between the two positions.
    pub fn go_to_node(&mut self, node: usize) {
        self.stand_at(node.min(self.tree.len() - 1));
    }

    /// Returns the number of positions reached, including the start.
    pub fn nodes(&self) -> usize {
        self.tree.len()
    }

    /// Returns the parent of position `node` and the move between them; `None` for the start and for unknown numbers.
    pub fn edge(&self, node: usize) -> Option<(usize, String)> {
        self.tree.edge(node).map(|edge| (edge.parent, edge.mv.to_owned()))
    }

    /// Returns the seat whose move led to position `node`.
    pub fn mover(&self, node: usize) -> Option<Seat> {
        self.tree.edge(node).map(|edge| edge.seat)
    }

    /// Returns the [`edge`](Match::edge) of each position except the start, in order of position number.
    pub fn tree(&self) -> Vec<(usize, String)> {
        (1..self.nodes()).filter_map(|node| self.edge(node)).collect()
    }

    /// Returns the positions reached directly from `node`, in order of position number.
    pub fn children(&self, node: usize) -> Vec<usize> {
        self.tree.children(node)
    }

    /// Returns the position after this move from `node`, if the move was ever played there.
    pub fn child(&self, node: usize, text: &str) -> Option<usize> {
        self.tree.child(node, &self.now.normalize(text).ok()?)
    }

    /// Makes redo lead to `node` from its parent, unless the path takes a different move at that parent.
    pub fn select_variation(&mut self, node: usize) {
        let Some(Edge { parent, .. }) = self.tree.edge(node) else { return };
        // Only if the parent is the current position or is not on the path.
        let from_parent = self.path.get(self.tree.ply(parent)..).unwrap_or_default();
        if from_parent.first() != Some(&parent) || from_parent.len() == 1 {
            self.tree.lead_to(node);
        }
    }

    /// Returns the numbers of the positions from the start to the current position.
    pub fn path(&self) -> &[usize] {
        &self.path
    }

    /// Returns the path, extended by the positions that redo follows.
    pub fn line(&self) -> Vec<usize> {
        self.path.iter().copied().chain(self.ahead()).collect()
    }

    /// Returns the board text of the current position.
    pub fn board(&self) -> String {
        self.now.to_string()
    }

    /// Returns the move's text in record notation if the move is legal now, or else the refusal of
    /// [`play`](Match::play).
    pub fn check(&self, text: &str) -> Result<String, Refusal> {
        self.after(text).map(|(_, mv)| mv)
    }

    /// Plays a move. If the move was played from this position before, the match continues along that variation;
    /// otherwise the move begins a new variation. A refusal changes nothing.
    pub fn play(&mut self, text: &str) -> Result<(), Refusal> {
        let (position, mv) = self.after(text)?;
        let (at, seat) = (self.node(), self.now.to_move().unwrap_or(Seat::FIRST));
        let known = self.tree.child(at, &mv);
        let node = known.or_else(|| self.tree.add(at, seat, &mv, &*position));
        let node = node.ok_or_else(|| Refusal::new("the match has too many positions"))?;
        self.tree.lead_to(node);
        self.path.push(node);
        self.moves.push((seat, mv));
        self.before = OnceLock::from(std::mem::replace(&mut self.now, position));
        Ok(())
    }

    /// Returns the position after a move, and the move in record notation. Refuses all moves if the match was ended
    /// other than by its rules.
    fn after(&self, text: &str) -> Result<(Box<dyn AnyPosition>, String), Refusal> {
        if let Some(how) = self.termination() {
            self.now.normalize(text)?;
            return Err(Refusal::new(format!("the game is over, {}", how.in_words())));
        }
        let mut position = self.now.copy();
        let played = position.play(text);
        debug_assert!(played.is_ok() || position.is(&*self.now), "a refusal changes nothing");
        Ok((position, played?))
    }

    /// Takes back one ply; `false` at the start.
    pub fn undo(&mut self) -> bool {
        let Some(ply) = self.ply().checked_sub(1) else { return false };
        self.stand_at(self.path[ply]);
        true
    }

    /// Plays the ply that redo follows; `false` if there is nothing to redo.
    pub fn redo(&mut self) -> bool {
        let Some(next_node) = self.tree.next_node(self.node()) else { return false };
        self.stand_at(next_node);
        true
    }

    /// Ends the match at the current position, unless the rules have ended it there. The match stays open at all other
    /// positions.
    pub fn end(&mut self, how: Termination) {
        if self.now.outcome().is_none() {
            self.end = Some((self.node(), how));
        }
    }

    /// Cancels an end that did not come from the rules.
    pub fn reopen(&mut self) {
        self.end = None;
    }

    /// Restarts with a different setup of the same game. A refusal changes nothing.
    pub fn reset(&mut self, setup: &Setup) -> Result<(), SetupError> {
        *self = Match::from(self.now.start(setup)?);
        Ok(())
    }

    /// Goes to this ply of the current line, or to the end of a shorter line.
    pub fn go_to_ply(&mut self, ply: usize) {
        let node = match ply.checked_sub(self.ply()) {
            None => self.path[ply],
            Some(steps) => self.ahead().take(steps).last().unwrap_or(self.node()),
        };
        self.stand_at(node);
    }

    /// Returns whether these moves can be played in sequence from the current position and end the match. An end that
    /// did not come from the rules does not block the moves, and counts as the end.
    pub fn ends_after(&self, moves: &[String]) -> bool {
        let mut position = self.now.copy();
        moves.iter().all(|mv| position.play(mv).is_ok())
            && (self.termination().is_some() || position.to_move().is_none())
    }

    /// Copies the moves on the path into a separate match.
    #[must_use]
    pub fn copy_line(&self) -> Match {
        let mut branch = Match::from(self.tree.start().copy());
        for (_, mv) in &self.moves {
            let played = branch.play(mv);
            debug_assert_eq!(played, Ok(()), "it was legal before");
        }
        branch
    }

    /// Makes a position the current one, and makes redo lead to it from each of its ancestors.
    fn stand_at(&mut self, node: usize) {
        let at = self.node();
        if node == at {
            return;
        }
        let parent = self.tree.edge(at).map(|edge| edge.parent);
        let (now, before) = self.tree.position(node, |near| match near {
            near if near == at => Some(&*self.now),
            near if Some(near) == parent => self.before.get().map(|before| &**before),
            _ => None,
        });
        self.now = now;
        self.before = before.map(OnceLock::from).unwrap_or_default();
        let mut new = Vec::new();
        let mut node = node;
        while self.path.get(self.tree.ply(node)) != Some(&node) {
            let Some(edge) = self.tree.edge(node) else { break };
            new.push((node, (edge.seat, edge.mv.to_owned())));
            node = edge.parent;
        }
        let shared = self.tree.ply(node);
        self.path.truncate(shared + 1);
        self.moves.truncate(shared);
        for (node, mv) in new.into_iter().rev() {
            self.tree.lead_to(node);
            self.path.push(node);
            self.moves.push(mv);
        }
    }

    /// Returns the positions to which redo leads, in order.
    fn ahead(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(self.tree.next_node(self.node()), |&node| self.tree.next_node(node))
    }
}

impl From<Box<dyn AnyPosition>> for Match {
    fn from(start: Box<dyn AnyPosition>) -> Match {
        Match {
            tree: Tree::new(start.copy()),
            path: vec![0],
            moves: Vec::new(),
            now: start,
            before: OnceLock::new(),
            setup: OnceLock::new(),
            end: None,
        }
    }
}

impl AsRef<Match> for Match {
    fn as_ref(&self) -> &Match {
        self
    }
}

#[cfg(test)]
mod tests;
