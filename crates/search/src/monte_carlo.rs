//! Monte Carlo tree search, for positions that are too large to search in full.

use super::StopReason;
use super::max_n::SearchState;
use super::memory;
use std::cmp::Reverse;
use std::mem;

/// A tree of positions with the results of random games: Kocsis and Szepesvári, *Bandit based Monte-Carlo planning*,
/// 2006 (UCT). Each seat plays for itself, as in Sturtevant, *An analysis of UCT in multi-player games*, 2008. Less
/// promising moves are tried only once a position has been visited often: Coulom, *Computing Elo ratings of move
/// patterns in the game of Go*, 2007 (progressive widening).
pub struct MonteCarlo<C: SearchState> {
    root: C,
    nodes: Vec<TreeNode<C::Move>>,
    rng: fastrand::Rng,
    memory: usize,
    /// The memory for the lists of untried moves, in bytes.
    untried: usize,
    /// The least and the greatest result of any seat so far, which set the scale of results.
    range: (f32, f32),
    playouts: u64,
    buffer: Vec<C::Move>,
}

struct TreeNode<M> {
    /// The move that leads to this node; meaningless at the root.
    mv: M,
    visits: u32,
    /// The sum of the results of all visits, for the seat that made the move.
    sum: f64,
    /// The node of the most recently tried move; 0 if no move was tried.
    child: u32,
    /// The node that the parent tried before this node; 0 if this was the first.
    sibling: u32,
    children: u32,
    /// The untried moves, most promising last; `None` until they are listed.
    untried: Option<Vec<M>>,
}

impl<M> TreeNode<M> {
    const fn new(mv: M, sibling: u32) -> TreeNode<M> {
        TreeNode { mv, visits: 0, sum: 0.0, child: 0, sibling, children: 0, untried: None }
    }

    fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits.max(1))
    }
}

/// A move that has been tried.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tried<M> {
    /// The move.
    pub mv: M,
    /// The number of games with this move.
    pub visits: u32,
    /// The mean result for the seat that makes the move, on the scale of [`SearchState::evaluate`].
    pub mean: f32,
}

/// The factor of the second term of UCB1, for results between 0 and 1.
const EXPLORATION: f64 = 0.7;

impl<C: SearchState> MonteCarlo<C> {
    /// Creates a tree with only the root. The tree never takes more than about `memory` bytes. Equal seeds lead to
    /// equal games.
    pub fn new(root: C, seed: u64, memory: usize) -> MonteCarlo<C> {
        MonteCarlo {
            root,
            nodes: Vec::new(),
            rng: fastrand::Rng::with_seed(seed),
            memory,
            untried: 0,
            range: (f32::INFINITY, f32::NEG_INFINITY),
            playouts: 0,
            buffer: Vec::new(),
        }
    }

    /// Returns the number of random games so far.
    pub const fn playouts(&self) -> u64 {
        self.playouts
    }

    /// Returns the memory of the tree, in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<TreeNode<C::Move>>() + self.untried
    }

    /// Plays this many more games, unless `halt` stops it. Plays none if the game is over at the root.
    pub fn play(
        &mut self,
        games: u64,
        halt: &dyn Fn() -> Option<StopReason>,
    ) -> Option<StopReason> {
        self.root.to_move()?;
        let mut path = Vec::new();
        let mut worth = vec![0.0; self.root.seats()];
        for _ in 0..games {
            let halted = halt();
            if halted.is_some() {
                return halted;
            }
            self.play_one(&mut path, &mut worth);
        }
        None
    }

    /// Returns the moves tried at the root, most visited first.
    pub fn tried(&self) -> Vec<Tried<C::Move>> {
        let mut tried: Vec<_> = self
            .children(0)
            .map(|node| {
                let TreeNode { mv, visits, .. } = self.nodes[node];
                Tried { mv, visits, mean: self.nodes[node].mean() as f32 }
            })
            .collect();
        // The sort is stable: of equal moves, the newest comes first, as in `pv`.
        tried.sort_by_key(|tried| Reverse(tried.visits));
        tried
    }

    /// Returns the most visited line.
    pub fn pv(&self) -> Vec<C::Move> {
        let most = |node: &usize| {
            self.children(*node).min_by_key(|&node| Reverse(self.nodes[node].visits))
        };
        let nodes = std::iter::successors(most(&0), most);
        nodes.map(|node| self.nodes[node].mv).collect()
    }

    fn children(&self, node: usize) -> impl Iterator<Item = usize> {
        let first = self.nodes.get(node).map_or(0, |node| node.child) as usize;
        let next = |&node: &usize| Some(self.nodes[node].sibling as usize).filter(|&node| node > 0);
        std::iter::successors(Some(first).filter(|&node| node > 0), next)
    }

    fn play_one(&mut self, path: &mut Vec<(usize, usize)>, worth: &mut [f32]) {
        let mut position = self.root.clone();
        path.clear();
        let mut node = 0;
        // Descend the tree to an untried move.
        while let Some(seat) = position.to_move() {
            let (next, is_new) = match self.expand(node, &position) {
                Some(next) => (next, true),
                None => match self.best_child(node) {
                    Some(next) => (next, false),
                    None => break,
                },
            };
            position.play(self.nodes[next].mv);
            path.push((next, seat.index()));
            node = next;
            if is_new {
                break;
            }
        }
        let mut buffer = mem::take(&mut self.buffer);
        while let Some(mv) = position.playout_move(&mut self.rng, &mut buffer) {
            position.play(mv);
            buffer.clear();
        }
        buffer.clear();
        self.buffer = buffer;
        position.evaluate(worth);
        for &value in &*worth {
            self.range = (self.range.0.min(value), self.range.1.max(value));
        }
        self.playouts += 1;
        if let Some(root) = self.nodes.first_mut() {
            root.visits += 1;
        }
        for &(node, seat) in &*path {
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.sum += f64::from(worth[seat]);
        }
    }

    /// Adds a node for an untried move, if the position has been visited often enough and memory is left.
    fn expand(&mut self, node: usize, position: &C) -> Option<usize> {
        if self.nodes.is_empty() {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            self.nodes.push(TreeNode::new(*moves.first()?, 0));
        }
        if self.nodes[node].untried.is_none() {
            let mut moves = mem::take(&mut self.buffer);
            position.moves(&mut moves);
            let mut untried = Vec::new();
            let bytes = moves.len() * size_of::<C::Move>();
            if self.bytes() + bytes <= self.memory && self.may_take(bytes) {
                untried.extend(moves.iter().rev().copied());
                self.untried += bytes;
            }
            moves.clear();
            self.buffer = moves;
            self.nodes[node].untried = Some(untried);
        }
        let TreeNode { visits, children, .. } = self.nodes[node];
        // Twice the square root of the visits: 2, 3, 4, 4, 5 children.
        if f64::from(children) >= (f64::from(visits) + 1.0).sqrt() * 2.0 {
            return None;
        }
        if self.nodes.len() == self.nodes.capacity() {
            let more = self.nodes.len().max(64);
            let bytes = more * size_of::<TreeNode<C::Move>>();
            // While the vector is being moved, its old and its new memory are both in use.
            if self.bytes() + self.bytes() + bytes > self.memory.max(1 << 16)
                || memory::reserve(&mut self.nodes, more).is_err()
            {
                return None;
            }
        }
        let mv = self.nodes[node].untried.as_mut()?.pop()?;
        let next = self.nodes.len();
        self.nodes.push(TreeNode::new(mv, self.nodes[node].child));
        self.nodes[node].child = next as u32;
        self.nodes[node].children += 1;
        Some(next)
    }

    /// Returns whether a list of this many bytes fits in memory. Checks with the system only once per mebibyte.
    fn may_take(&self, bytes: usize) -> bool {
        let mebibytes = |bytes: usize| bytes.div_ceil(1 << 20);
        mebibytes(self.untried) == mebibytes(self.untried + bytes)
            || memory::check_available(1 << 20).is_ok()
    }

    /// Returns the child with the highest upper confidence bound (UCB1).
    fn best_child(&self, node: usize) -> Option<usize> {
        let scale = f64::from(self.range.1 - self.range.0).max(1e-6);
        let all = libm::log(f64::from(self.nodes[node].visits.max(1)));
        let upper = |node: usize| {
            let child = &self.nodes[node];
            let often = f64::from(child.visits.max(1));
            child.mean() / scale + EXPLORATION * (all / often).sqrt()
        };
        self.children(node).max_by(|&a, &b| upper(a).total_cmp(&upper(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::max_n::max_n;
    use crate::minimax::{after, margin};
    use quadrille_rules::tic_tac_toe::{Cell, TicTacToe};
    use quadrille_rules::{Position, Seat};
    use std::cell::Cell as Count;
    use std::collections::HashMap;

    #[derive(Clone)]
    struct Grid(TicTacToe);

    impl SearchState for Grid {
        type Move = Cell;

        fn seats(&self) -> usize {
            2
        }

        fn to_move(&self) -> Option<Seat> {
            self.0.to_move()
        }

        fn moves(&self, out: &mut Vec<Cell>) {
            self.0.append_legal_moves(out);
        }

        fn play(&mut self, mv: Cell) {
            self.0.play(mv).unwrap();
        }

        fn evaluate(&self, worth: &mut [f32]) {
            let winners = self.0.outcome().map_or(0, |outcome| outcome.winners().count());
            for (seat, worth) in worth.iter_mut().enumerate() {
                let won = self.0.outcome().is_some_and(|won| won.is_winner(Seat::new(seat as u8)));
                *worth = if won { 1.0 / winners as f32 } else { 0.0 };
            }
        }
    }

    fn start() -> Grid {
        Grid(TicTacToe::from_setup(&"".parse().unwrap()).unwrap())
    }

    /// In positions from random games, the most visited move keeps the value of the position.
    #[test]
    fn many_playouts_find_the_best_moves() {
        let mut known = HashMap::new();
        let mut rng = fastrand::Rng::with_seed(7);
        let mut narrow = 0;
        for seed in 0..60 {
            let mut position = start().0;
            for _ in 0..rng.u32(0..6) {
                let moves = position.legal_moves();
                let Some(&mv) = rng.choice(&moves) else { break };
                position = after(&position, mv);
            }
            if position.to_move().is_none() {
                continue;
            }
            let mut tree = MonteCarlo::new(Grid(position.clone()), seed, 8 << 20);
            assert_eq!(tree.play(3000, &|| None), None);
            let value = margin(&position, &mut known);
            let mv = tree.tried()[0].mv;
            assert_eq!(margin(&after(&position, mv), &mut known), value, "{position}\n{mv}");
            let mut loses = |mv: Cell| margin(&after(&position, mv), &mut known) != value;
            narrow += usize::from(position.legal_moves().into_iter().any(&mut loses));
            assert_eq!(tree.pv()[0], mv);

            let look = max_n(&Grid(position.clone()), 9, &|| None, |_| ());
            let (mv, worth) = &look.moves[0];
            assert_eq!(margin(&after(&position, *mv), &mut known), value, "{position}\n{mv}");
            assert_eq!(((worth[0] - worth[1]) * 1.5) as i32, value, "{worth:?}");
        }
        assert!(narrow > 10, "positions in which a move can be wrong");
    }

    #[test]
    fn seed_determines_the_tree_and_memory_bounds_it() {
        let tree = |seed, memory| {
            let mut tree = MonteCarlo::new(start(), seed, memory);
            tree.play(5000, &|| None);
            tree
        };
        assert_eq!(tree(1, 8 << 20).tried(), tree(1, 8 << 20).tried());
        assert_ne!(tree(1, 8 << 20).tried(), tree(2, 8 << 20).tried());
        let small = tree(1, 64 << 10);
        assert!(small.bytes() <= 64 << 10, "{}", small.bytes());
        assert_eq!(small.playouts(), 5000);
        assert!(tree(1, 8 << 20).bytes() > 64 << 10);
        assert_eq!(small.tried().iter().map(|tried| tried.visits).sum::<u32>(), 5000);
    }

    /// A game of three plies with a thousand moves each.
    #[derive(Clone)]
    struct Wide(u8);

    impl SearchState for Wide {
        type Move = u64;

        fn seats(&self) -> usize {
            2
        }

        fn to_move(&self) -> Option<Seat> {
            (self.0 < 3).then(|| Seat::new(self.0 % 2))
        }

        fn moves(&self, out: &mut Vec<u64>) {
            out.extend((0..1000).filter(|_| self.0 < 3));
        }

        fn play(&mut self, _: u64) {
            self.0 += 1;
        }

        fn evaluate(&self, worth: &mut [f32]) {
            worth.fill(0.5);
        }
    }

    #[test]
    fn memory_limit_includes_the_lists_of_untried_moves() {
        for (memory, holds_a_list) in
            [(0, false), (64 << 10, true), (256 << 10, true), (8 << 20, true)]
        {
            let mut tree = MonteCarlo::new(Wide(0), 1, memory);
            tree.play(2000, &|| None);
            let lists = tree.nodes.iter().flat_map(|node| &node.untried);
            let lists: usize = lists.map(|moves| moves.capacity() * size_of::<u64>()).sum();
            let nodes = tree.nodes.capacity() * size_of::<TreeNode<u64>>();
            assert_eq!(tree.bytes(), nodes + lists);
            assert!(tree.bytes() <= memory.max(1 << 16), "{nodes} + {lists} > {memory}");
            assert_eq!(lists > 0, holds_a_list);
        }
    }

    #[test]
    fn tree_search_stops_on_halt() {
        let asked = Count::new(0);
        let halt = || {
            asked.set(asked.get() + 1);
            (asked.get() > 10).then_some(StopReason::Stopped)
        };
        let mut tree = MonteCarlo::new(start(), 1, 8 << 20);
        assert_eq!(tree.play(5000, &halt), Some(StopReason::Stopped));
        assert_eq!(tree.playouts(), 10);
        let look = max_n(&start(), 9, &|| Some(StopReason::Time), |_| ());
        assert_eq!((look.halt, look.moves.len()), (Some(StopReason::Time), 0));
    }
}
