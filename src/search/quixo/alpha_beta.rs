//! Alpha-beta search of one board, so many plies deep.

use super::board::{Board, End};
use super::iterative::{INFINITE, PROVEN, Search, down, up};
use super::mask::Mask;
use super::transposition::Bound;
use crate::search::{Halt, WON};

/// A board on which the game goes on, and what is asked about it.
#[derive(Clone, Copy)]
pub(super) struct Node<M> {
    /// The board.
    pub board: Board<M>,
    /// How many plies to look ahead.
    pub depth: u8,
    /// How many plies it is from the root.
    pub ply: usize,
    /// Up to here its score does not matter, as there is something better.
    pub alpha: i32,
    /// From here on it does not matter, as it is avoided.
    pub beta: i32,
}

impl<M: Mask> Node<M> {
    /// What is asked about the board after a push.
    const fn next(self, board: Board<M>, alpha: i32, beta: i32) -> Node<M> {
        let (alpha, beta) = (down(beta), down(alpha));
        Node { board, depth: self.depth - 1, ply: self.ply + 1, alpha, beta }
    }
}

impl<M: Mask> Search<'_, M> {
    /// The score of a board, or a bound of it outside the window.
    pub(super) fn value(&mut self, mut node: Node<M>) -> Result<i32, Halt> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(256)
            && let Some(halt) = self.control.halt_at(self.nodes)
        {
            return Err(halt);
        }
        if self.nodes >= self.most_nodes {
            // Whoever has set the bound only wants to know whether it was enough.
            return Err(Halt::Stopped);
        }
        let Node { board, ply, alpha, beta, .. } = node;
        let shape = self.evaluation.shape(board);
        let [own_near, other_near] = shape.near;
        if own_near && self.geometry.winning(board).is_some() {
            return Ok(WON - 1);
        }
        // Who has to parry a threat has little choice, so it costs little to see what comes of it.
        if other_near && ply < self.farthest && self.geometry.winning(board.turned()).is_some() {
            node.depth += 1;
        }
        if node.depth == 0 {
            return Ok(shape.score);
        }
        if self.earlier[ply % 2].contains(&board) {
            self.came_back = true;
            return Ok(if ply.is_multiple_of(2) { -CONTEMPT } else { CONTEMPT });
        }
        let mut hint = None;
        if let Some(slot) = self.transposition.get(board) {
            hint = Some(slot.best);
            let (score, deep) = (slot.score, slot.depth >= node.depth);
            let cut = match slot.bound {
                Bound::Exact => deep || score >= PROVEN.max(beta) || score <= alpha.min(-PROVEN),
                Bound::Lower => score >= beta && (deep || score >= PROVEN),
                Bound::Upper => score <= alpha && (deep || score <= -PROVEN),
            };
            if cut {
                return Ok(score);
            }
        }
        let from = self.order.lists.len();
        for (at, slide) in (0_u16..).zip(&self.geometry.slides) {
            if slide.is_legal(board) && !slide.has_twin(board) {
                let promise = if hint == Some(at) { u32::MAX } else { self.order.promise(at, ply) };
                self.order.lists.push((promise, at));
            }
        }
        let came_back = std::mem::take(&mut self.came_back);
        // Whoever can only go round and round should see it coming.
        let in_match = !self.earlier[0].is_empty();
        if in_match {
            self.earlier[ply % 2].push(board);
        }
        let found = self.best(node, own_near || other_near, from);
        if in_match {
            self.earlier[ply % 2].pop();
        }
        self.came_back |= came_back;
        self.order.lists.truncate(from);
        found
    }

    /// The best of the slides in the list from `from` on, as [`Search::value`] has it; `ends` says whether one
    /// can end the game.
    fn best(&mut self, node: Node<M>, ends: bool, from: usize) -> Result<i32, Halt> {
        let Node { board, depth, ply, alpha, beta } = node;
        let (mut best, mut score, mut low) = (0, -INFINITE, alpha);
        let mut tried = from;
        while let Some(at) = self.order.next(tried) {
            tried += 1;
            let before = std::mem::take(&mut self.came_back);
            let after = self.geometry.slides[at as usize].play(board);
            let end = if ends { self.geometry.end(after) } else { None };
            let found = match end {
                Some(End::Won) => 1 - WON,
                Some(End::Drawn) => 0,
                Some(End::Lost) => WON - 1,
                None if score == -INFINITE || beta - low <= 1 => {
                    up(self.value(node.next(after, low, beta))?)
                }
                None => {
                    let guess = up(self.value(node.next(after, low, low + 1))?);
                    if guess > low && guess < beta {
                        up(self.value(node.next(after, low, beta))?)
                    } else {
                        guess
                    }
                }
            };
            if found > score {
                (score, best) = (found, at);
                low = low.max(found);
                if score >= beta {
                    // Whatever the slides before came to.
                    self.order.learn(at, ply, depth);
                    break;
                }
            }
            self.came_back |= before;
        }
        let bound = if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // What rests on the way to the board is not true of every way.
        if !self.came_back {
            self.transposition.put(board, depth, score, bound, best)?;
        }
        Ok(score)
    }
}

/// What it costs the seat that the search is for to come back to a position of the match: about as much as being
/// a die and a half behind, so that it moves on unless it stands worse than that. In games on 5 × 5 against a
/// player that does not mind, a quarter was decided where it cost 600, and nearly all of those were won; almost half
/// was where it cost 1,500, but as many were lost as won.
const CONTEMPT: i32 = 1_000;
