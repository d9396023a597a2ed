//! A match: a tree of all positions that were ever reached in it, and the present one.

mod any_match;

pub use any_match::AnyMatch;

use super::tree::{Edge, Tree};
use super::{PositionSpec, Refusal, Termination};
use crate::rules::{Position, Seat, Setup};
use foldhash::fast::RandomState;
use std::cell::{OnceCell, RefCell};
use std::hash::BuildHasher;
use std::sync::Arc;

/// A match of one game. Every position that was reached stays in it: taking a move back goes to the
/// position before, and another move from there begins a line of its own beside the old one. Nothing is
/// lost.
#[derive(Clone, Debug)]
pub struct Match<G: Position> {
    tree: Tree<G>,
    /// The numbers of the positions from the start to the present one. From each of them redo leads
    /// to the next.
    path: Vec<usize>,
    /// The moves between them, and their texts.
    played: Vec<(Seat, G::Move)>,
    moves: Vec<(Seat, String)>,
    /// The present position.
    now: G,
    /// The position before it, once somebody has asked for it.
    before: OnceCell<G>,
    /// The present position as texts, for engines, once somebody has asked for it.
    spec: OnceCell<Arc<PositionSpec>>,
    /// The setup of the start, once somebody has asked for it.
    setup: OnceCell<Setup>,
    /// Hashes of the positions of the path, from the start on, as far as they were needed.
    hashes: RefCell<Vec<u64>>,
    hasher: RandomState,
    /// How the match ended before the end of its game, and at which position.
    end: Option<(usize, Termination)>,
}

/// The move that led to a position.
#[derive(Clone, Copy, Debug)]
pub struct LastMove<'a, G: Position> {
    /// The position it was played in.
    pub before: &'a G,
    /// The move.
    pub mv: G::Move,
}

impl<G: Position> Match<G> {
    /// A match that begins in this position.
    pub fn new(start: G) -> Match<G> {
        Match {
            tree: Tree::new(start.clone()),
            path: vec![0],
            played: Vec::new(),
            moves: Vec::new(),
            now: start,
            before: OnceCell::new(),
            spec: OnceCell::new(),
            setup: OnceCell::new(),
            hashes: RefCell::default(),
            hasher: RandomState::default(),
            end: None,
        }
    }

    /// The present position.
    pub fn now(&self) -> &G {
        &self.now
    }

    /// The moves played, each with the seat that played it.
    pub fn played(&self) -> &[(Seat, G::Move)] {
        &self.played
    }

    /// The move that led to the present position, unless it is the first.
    pub fn last_move(&self) -> Option<LastMove<'_, G>> {
        let Edge { parent, mv, .. } = self.tree.edge(self.node())?;
        let before = self.before.get_or_init(|| self.tree.position(parent, |_| None).0);
        Some(LastMove { before, mv })
    }

    /// Plays a move. If it was played from here before, the match goes on along that line; else it
    /// begins a new one. A refused move changes nothing.
    pub fn play_move(&mut self, mv: G::Move) -> Result<(), Refusal> {
        self.check_goes_on()?;
        let at = self.node();
        if let Some(known) = self.tree.child(at, mv) {
            self.stand_at(known);
            return Ok(());
        }
        let mut position = self.now.clone();
        let played = position.play(mv);
        debug_assert_eq!(played, self.now.check(mv), "what is checked is what is played");
        debug_assert!(played.is_ok() || position == self.now, "a refusal changes nothing");
        played.map_err(Refusal::new)?;
        let seat = self.now.to_move().unwrap_or(Seat::FIRST);
        let node = self.tree.add(at, seat, mv, &position);
        let node = node.ok_or_else(|| Refusal::new("the match has too many positions"))?;
        self.tree.lead_to(node);
        self.path.push(node);
        self.played.push((seat, mv));
        self.moves.push((seat, mv.to_string()));
        self.before = OnceCell::from(std::mem::replace(&mut self.now, position));
        self.spec = OnceCell::new();
        Ok(())
    }

    /// Refuses any move once the match was ended otherwise than by its rules.
    fn check_goes_on(&self) -> Result<(), Refusal> {
        let over =
            |how: &Termination| Refusal::new(format!("the game is over, {}", how.in_words()));
        self.termination().map_or(Ok(()), |how| Err(over(how)))
    }

    /// A separate match that begins with the moves played so far.
    #[must_use]
    pub fn copy_line(&self) -> Match<G> {
        let mut branch = Match::new(self.tree.start().clone());
        for &node in &self.path[1..] {
            let played = self.tree.edge(node).map(|edge| branch.play_move(edge.mv));
            debug_assert_eq!(played, Some(Ok(())), "it was legal before");
        }
        branch
    }

    /// Makes a position of the tree the present one. Redo leads there from every position before it.
    fn stand_at(&mut self, node: usize) {
        let at = self.node();
        if node == at {
            return;
        }
        let parent = self.tree.edge(at).map(|edge| edge.parent);
        let (now, before) = self.tree.position(node, |near| match near {
            near if near == at => Some(&self.now),
            near if Some(near) == parent => self.before.get(),
            _ => None,
        });
        self.now = now;
        self.before = before.map(OnceCell::from).unwrap_or_default();
        self.spec = OnceCell::new();
        let mut new = Vec::new();
        let mut node = node;
        while self.path.get(self.tree.ply(node)) != Some(&node) {
            let Some(edge) = self.tree.edge(node) else { break };
            new.push((node, edge));
            node = edge.parent;
        }
        let shared = self.tree.ply(node);
        self.path.truncate(shared + 1);
        self.played.truncate(shared);
        self.moves.truncate(shared);
        self.hashes.get_mut().truncate(shared + 1);
        for (node, Edge { seat, mv, .. }) in new.into_iter().rev() {
            self.tree.lead_to(node);
            self.path.push(node);
            self.played.push((seat, mv));
            self.moves.push((seat, mv.to_string()));
        }
    }

    /// The positions that redo leads to, one after the other.
    fn ahead(&self) -> impl Iterator<Item = usize> {
        std::iter::successors(self.tree.next_node(self.node()), |&node| self.tree.next_node(node))
    }

    /// Completes the hashes of all positions of the path.
    fn hash_path(&self, hashes: &mut Vec<u64>) {
        if hashes.len() + 1 == self.path.len() {
            hashes.push(self.hasher.hash_one(&self.now));
        }
        let Some(&first) = self.path.get(hashes.len()) else { return };
        let (mut position, _) = self.tree.position(first, |_| None);
        hashes.push(self.hasher.hash_one(&position));
        for &node in &self.path[hashes.len()..] {
            let played = self.tree.edge(node).map(|edge| position.play(edge.mv));
            debug_assert!(played.is_some_and(|played| played.is_ok()), "it was legal before");
            hashes.push(self.hasher.hash_one(&position));
        }
    }
}

#[cfg(test)]
mod tests;
