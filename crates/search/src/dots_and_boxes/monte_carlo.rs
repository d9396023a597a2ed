//! Estimates by Monte Carlo tree search.
//!
//! The tree uses the structure of the game: boxes on offer are always taken in the best way, opening a chain is a
//! single move, and a random game draws safe lines until none are left and estimates the rest by counting the chains.
//! Moves are selected as in Levente Kocsis and Csaba Szepesvári, *Bandit Based Monte-Carlo Planning*, 2006 (UCT).

use super::layout::{BoardLayout, Marks, Turn};
use crate::memory;
use crate::random::{self, shuffle};

pub struct ChainTree<'a> {
    layout: &'a BoardLayout,
    nodes: Vec<ChainNode>,
    /// The position at the root, in which no box can be taken.
    root: Marks,
    rng: fastrand::Rng,
    most_nodes: usize,
    /// The undrawn lines, shuffled again for each random game.
    lines: Vec<u16>,
    pub games: u64,
}

struct ChainNode {
    /// The line that leads to this node.
    line: u16,
    /// The number of boxes given to the opponent, who takes them without a choice.
    given: i16,
    /// The number of further boxes that the opponent may take or leave. The player who receives these boxes moves next.
    optional: i16,
    visits: u32,
    /// The sum of the results of all visits, for the player to move in the position.
    sum: f32,
    children: std::ops::Range<u32>,
}

impl ChainNode {
    const fn new(line: u16, given: i16, optional: i16) -> ChainNode {
        ChainNode { line, given, optional, visits: 0, sum: 0.0, children: 0..0 }
    }

    fn mean(&self) -> f32 {
        if self.visits == 0 { 0.0 } else { self.sum / self.visits as f32 }
    }

    /// Returns the value of the line that leads to this node, for the player who draws it. `rest` is the value of the
    /// rest for the next player to move there.
    fn value(&self, rest: f32) -> f32 {
        let (given, optional) = (f32::from(self.given), f32::from(self.optional));
        if self.optional == 0 { -given - rest } else { -given - (optional + rest).abs() }
    }
}

/// Visits of a position before its moves are added to the tree.
const EXPAND_AFTER: u32 = 4;

impl<'a> ChainTree<'a> {
    /// Creates a tree for a position in which no box can be taken, with as many nodes as fit into `bytes`.
    pub fn new(layout: &'a BoardLayout, root: Marks, bytes: usize, seed: u64) -> ChainTree<'a> {
        let mut tree = ChainTree {
            layout,
            nodes: vec![ChainNode::new(0, 0, 0)],
            lines: Vec::new(),
            root,
            rng: fastrand::Rng::with_seed(seed),
            most_nodes: (bytes / size_of::<ChainNode>()).min(u32::MAX as usize),
            games: 0,
        };
        let root = tree.root.clone();
        tree.lines.extend(tree.layout.undrawn(&root));
        tree.expand(0, &root);
        tree
    }

    /// Descends the tree to a leaf, plays a random game from there, and adds the result to every node on the path.
    /// Expands the leaf first if it has been visited often enough.
    pub fn grow(&mut self) {
        let mut marks = self.root.clone();
        let mut path = vec![0];
        let mut at = 0;
        loop {
            let node = &self.nodes[at];
            if node.children.is_empty() && node.visits >= EXPAND_AFTER {
                self.expand(at, &marks);
            }
            let Some(next) = self.select(at) else { break };
            self.apply(&mut marks, next);
            path.push(next);
            at = next;
        }
        let mut result = self.play_out(&mut marks) as f32;
        self.games += 1;
        for at in path.into_iter().rev() {
            let mean = self.nodes[at].mean();
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.sum += result;
            let (given, optional) = (f32::from(node.given), f32::from(node.optional));
            // The opponent decides whether to take the last boxes by the mean of all games, not by the result of this
            // game.
            let takes = node.optional == 0 || optional + mean >= 0.0;
            result = if takes { -given - optional - result } else { -given + optional + result };
        }
    }

    fn select(&self, at: usize) -> Option<usize> {
        let node = &self.nodes[at];
        let log = libm::logf(node.visits.max(1) as f32);
        let exploration = (self.layout.boxes() as f32).sqrt() * 0.7;
        let unvisited = node.mean() + exploration * 0.5;
        let upper_bound = |&child: &usize| {
            let child = &self.nodes[child];
            if child.visits == 0 {
                unvisited - f32::from(child.given + child.optional)
            } else {
                child.value(child.mean()) + exploration * (log / child.visits as f32).sqrt()
            }
        };
        let children = node.children.start as usize..node.children.end as usize;
        children
            .map(|child| (upper_bound(&child), child))
            .reduce(|a, b| if b.0 > a.0 { b } else { a })
            .map(|best| best.1)
    }

    fn expand(&mut self, at: usize, marks: &Marks) {
        let start = self.nodes.len();
        let mut children: Vec<ChainNode> = self
            .layout
            .undrawn(marks)
            .filter(|&line| self.layout.is_safe(marks, line))
            .map(|line| ChainNode::new(line, 0, 0))
            .collect();
        shuffle(&mut self.rng, &mut children);
        for chain in self.layout.chains_to_open(marks) {
            let mut after = marks.clone();
            let (given, optional) = self.layout.open_chain(&mut after, chain);
            children.push(ChainNode::new(chain.line, given as i16, optional as i16));
        }
        if at > 0 && start + children.len() <= self.most_nodes {
            // The tree stops growing if the system refuses to allocate memory.
            if memory::grow(&mut self.nodes, children.len()).is_err() {
                self.most_nodes = start;
            }
        }
        if start + children.len() <= self.most_nodes || at == 0 {
            self.nodes.extend(children);
            self.nodes[at].children = start as u32..self.nodes.len() as u32;
        }
    }

    fn apply(&self, marks: &mut Marks, child: usize) {
        let node = &self.nodes[child];
        self.layout.draw_and_take_all(marks, node.line, &mut Vec::new());
    }

    /// Draws random safe lines until none are left, then counts the chains. Returns the value for the player to move at
    /// the start of the random game.
    fn play_out(&mut self, marks: &mut Marks) -> i32 {
        let mut turn = 1;
        let count = self.lines.len();
        for index in 0..count {
            let other = index + random::index(&mut self.rng, count - index);
            self.lines.swap(index, other);
            let line = self.lines[index];
            // A line that is not safe now will never be safe again, so one pass is enough.
            if marks.is_undrawn(line) && self.layout.is_safe(marks, line) {
                self.layout.draw(marks, line);
                turn = -turn;
            }
        }
        turn * self.layout.ending(marks)
    }

    /// Returns the estimated value of the position for the player to move.
    pub fn value(&self) -> f32 {
        self.ranked().first().map_or(0.0, |&(_, value, _)| value)
    }

    /// Returns the moves with their values and visits, most visited first.
    pub fn ranked(&self) -> Vec<(u16, f32, u32)> {
        let children = &self.nodes[0].children;
        let mut ranked: Vec<(u16, f32, u32)> = self.nodes
            [children.start as usize..children.end as usize]
            .iter()
            .map(|child| (child.line, child.value(child.mean()), child.visits))
            .collect();
        ranked.sort_by(|a, b| b.2.cmp(&a.2).then(b.1.total_cmp(&a.1)));
        ranked
    }
}

impl BoardLayout {
    /// Takes all boxes on offer, including the last boxes, which could also be left to the opponent. Returns the number
    /// of boxes taken without a choice, and the number that could be left.
    pub fn settle(&self, marks: &mut Marks) -> (i32, i32) {
        let mut taken = 0;
        loop {
            match self.turn(marks) {
                Turn::Take(line) => taken += self.draw(marks, line),
                Turn::Choose { take, leave: _, boxes } => {
                    taken += i32::from(self.draw_and_take_all(marks, take, &mut Vec::new()));
                    return (taken - boxes, boxes);
                }
                Turn::Free => return (taken, 0),
            }
        }
    }
}
