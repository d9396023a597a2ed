//! The tree of all positions reached in a match.
//!
//! A position may be thousands of times as large as its move, so only some positions are stored. The others are
//! computed by replaying moves from the nearest stored ancestor. The maximum replay distance depends on the size of a
//! position, so a tree takes about the same memory per move in every game.

use super::AnyPosition;
use foldhash::fast::RandomState;
use quadrille_rules::Seat;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};

/// A tree of positions, numbered from 0, the start, in the order in which they were first reached.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The texts of all moves, in position order.
    texts: String,
    /// The stored positions, including the start.
    kept: HashMap<u32, Box<dyn AnyPosition>, RandomState>,
    hasher: RandomState,
}

#[derive(Clone, Debug)]
struct Node {
    /// The seat whose move led here from the parent. Meaningless at the start.
    seat: Seat,
    /// The end of that move's text in `texts`. The text begins at the previous node's end.
    text_end: usize,
    parent: u32,
    /// A hash of the position, to find repetitions.
    hash: u64,
    /// The number of moves to this position.
    ply: u32,
    last_child: u32,
    previous_sibling: u32,
    /// The child that redo follows.
    next: u32,
    /// An upper bound on the number of moves from the nearest stored ancestor; 0 if this position is stored itself.
    distance: u16,
}

/// Means that there is no position.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<'a> {
    /// The number of the position before the move.
    pub parent: usize,
    pub seat: Seat,
    pub mv: &'a str,
}

impl Tree {
    pub fn new(start: Box<dyn AnyPosition>) -> Tree {
        let (kept, hasher) = (HashMap::default(), RandomState::default());
        let mut tree = Tree { nodes: Vec::new(), texts: String::new(), kept, hasher };
        tree.nodes.push(Node {
            seat: Seat::FIRST,
            text_end: 0,
            parent: NONE,
            hash: tree.hash_of(&*start),
            ply: 0,
            last_child: NONE,
            next: NONE,
            previous_sibling: NONE,
            distance: 0,
        });
        tree.kept.insert(0, start);
        tree
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns the edge to a position; `None` for the start and for unknown numbers.
    pub fn edge(&self, node: usize) -> Option<Edge<'_>> {
        let Node { seat, text_end, parent, .. } = *self.nodes.get(node)?;
        let text_start = self.nodes[node.checked_sub(1)?].text_end;
        let mv = &self.texts[text_start..text_end];
        Some(Edge { parent: parent as usize, seat, mv })
    }

    /// Returns the number of moves to a position.
    pub fn ply(&self, node: usize) -> usize {
        self.nodes[node].ply as usize
    }

    /// Returns a hash of a position, the same for equal positions of this tree.
    pub fn hash(&self, node: usize) -> u64 {
        self.nodes[node].hash
    }

    fn hash_of(&self, position: &dyn AnyPosition) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        position.hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the children of a position, in the order in which they were first reached.
    pub fn children(&self, node: usize) -> Vec<usize> {
        let mut children: Vec<usize> = self.children_backwards(node).collect();
        children.reverse();
        children
    }

    fn children_backwards(&self, node: usize) -> impl Iterator<Item = usize> {
        let last_child = self.nodes.get(node).and_then(|node| number(node.last_child));
        std::iter::successors(last_child, |node| number(self.nodes[*node].previous_sibling))
    }

    /// Returns the child after this move, if the move was ever played here.
    pub fn child(&self, node: usize, mv: &str) -> Option<usize> {
        self.children_backwards(node)
            .find(|&child| self.edge(child).is_some_and(|edge| edge.mv == mv))
    }

    pub fn next_node(&self, node: usize) -> Option<usize> {
        number(self.nodes.get(node)?.next)
    }

    /// Makes redo lead to this position from its parent.
    pub fn lead_to(&mut self, node: usize) {
        let parent = self.nodes[node].parent;
        let Some(parent) = self.nodes.get_mut(parent as usize) else { return };
        parent.next = node as u32;
    }

    /// Adds the position after a new move. `None` if no position numbers are left.
    pub fn add(
        &mut self,
        parent: usize,
        seat: Seat,
        mv: &str,
        position: &dyn AnyPosition,
    ) -> Option<usize> {
        let node = u32::try_from(self.nodes.len()).ok().filter(|&node| node != NONE)?;
        let before = &mut self.nodes[parent];
        let previous_sibling = std::mem::replace(&mut before.last_child, node);
        let (ply, distance) = (before.ply + 1, before.distance + 1);
        self.texts.push_str(mv);
        self.nodes.push(Node {
            seat,
            text_end: self.texts.len(),
            parent: parent as u32,
            hash: self.hash_of(position),
            ply,
            last_child: NONE,
            next: NONE,
            previous_sibling,
            distance,
        });
        let longest = longest(position);
        if usize::from(distance) >= longest {
            self.keep_one_before(node as usize, longest);
        }
        Some(node as usize)
    }

    /// Stores the position half way if the nearest stored ancestor is `longest` moves away. However the tree branches,
    /// this stores at most one position per `longest / 2` moves.
    fn keep_one_before(&mut self, node: usize, longest: usize) {
        let way: Vec<usize> = std::iter::successors(Some(node), |&node| self.parent(node))
            .take_while(|&node| self.nodes[node].distance > 0)
            .collect();
        let middle = if way.len() >= longest { way.len() / 2 } else { 0 };
        if middle > 0 {
            let node = way[way.len() - middle];
            let (position, _) = self.position(node, |_| None);
            self.kept.insert(node as u32, position);
        }
        for (distance, &node) in (1..).zip(way.iter().rev()) {
            self.nodes[node].distance =
                if distance < middle { distance } else { distance - middle } as u16;
        }
    }

    fn parent(&self, node: usize) -> Option<usize> {
        number(self.nodes[node].parent)
    }

    pub fn start(&self) -> &dyn AnyPosition {
        &*self.kept[&0]
    }

    /// Computes a position. Also returns its parent, if the parent was computed on the way. `near` returns positions
    /// that the caller has already computed.
    pub fn position<'a>(
        &'a self,
        node: usize,
        near: impl Fn(usize) -> Option<&'a dyn AnyPosition>,
    ) -> (Box<dyn AnyPosition>, Option<Box<dyn AnyPosition>>) {
        let mut way = Vec::new();
        let mut at = node;
        let from = loop {
            let kept = || self.kept.get(&(at as u32)).map(|kept| &**kept);
            let is_kept = self.nodes[at].distance == 0;
            if let Some(position) = near(at).or_else(|| is_kept.then(kept).flatten()) {
                break position;
            }
            let Some(Edge { parent, mv, .. }) = self.edge(at) else { break self.start() };
            way.push(mv);
            at = parent;
        };
        #[cfg(test)]
        tests::PLAYED.set(tests::PLAYED.get() + way.len());
        let (mut position, mut before) = (from.copy(), None);
        for (left, &mv) in way.iter().enumerate().rev() {
            if left == 0 {
                before = Some(position.copy());
            }
            let played = position.play(mv);
            debug_assert!(played.is_ok(), "{mv} was legal before");
        }
        (position, before)
    }
}

fn number(node: u32) -> Option<usize> {
    (node != NONE).then_some(node as usize)
}

/// Returns the maximum number of moves to replay from a stored position. At most two positions are stored per that many
/// moves, which takes about 64 bytes per move, except for very large positions. The size of a position in bytes is
/// estimated as the number of characters of its board text.
fn longest(position: &dyn AnyPosition) -> usize {
    (position.to_string().len() / 32).clamp(16, 512)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use proptest::prelude::*;
    use quadrille_rules::dots_and_boxes::DotsAndBoxes;
    use quadrille_rules::quixo::Quixo;
    use std::cell::Cell;

    thread_local! {
        /// The number of moves replayed to compute positions that were not stored.
        pub static PLAYED: Cell<usize> = const { Cell::new(0) };
    }

    /// Adds the position after a legal move, and returns its number and the position.
    fn grow(tree: &mut Tree, at: usize, choice: usize) -> Option<(usize, Box<dyn AnyPosition>)> {
        let (mut position, _) = tree.position(at, |_| None);
        let moves = position.legal_moves();
        let mv = moves.get(choice % moves.len().max(1))?;
        let seat = position.to_move().unwrap();
        position.play(mv).unwrap();
        let known = tree.child(at, mv);
        Some((known.or_else(|| tree.add(at, seat, mv, &*position)).unwrap(), position))
    }

    /// Checks that every position is near a stored one, and that few positions are stored.
    fn check(tree: &Tree) {
        let mut longest_of_all = 0;
        for node in 0..tree.len() {
            PLAYED.set(0);
            let (position, before) = tree.position(node, |_| None);
            let longest = longest(&*position).max(longest(tree.start()));
            assert!(PLAYED.get() < longest + 1, "{} moves", PLAYED.get());
            assert_eq!(before.is_some(), PLAYED.get() > 0);
            longest_of_all = longest_of_all.max(longest);
        }
        let most = 1 + 2 * tree.len() / longest(tree.start());
        assert!(tree.kept.len() <= most, "{} of {}", tree.kept.len(), tree.len());
    }

    #[test]
    fn tree_caches_few_positions() {
        let start = || Tree::new(Box::new(Quixo::new(5).unwrap()));
        // A single line, and a line with one sibling at each move.
        for beside in [0, 1] {
            let (mut tree, mut at) = (start(), 0);
            for ply in 0..5000 {
                for choice in (0..=beside).rev() {
                    let (node, position) = grow(&mut tree, at, 7 * ply + choice).unwrap();
                    at = if choice == 0 && position.outcome().is_none() { node } else { at };
                }
            }
            assert!(tree.ply(at) > 1000, "{}", tree.ply(at));
            check(&tree);
        }
        // The worst case: the maximum number of branches, each as far from a stored position as possible.
        for stem in [15, 16, 17, 24] {
            let (mut tree, mut at) = (start(), 0);
            while tree.ply(at) < stem {
                let choice = 5 * tree.len();
                let (node, position) = grow(&mut tree, at, choice).unwrap();
                at = if position.outcome().is_none() { node } else { at };
            }
            let mut ends = vec![at];
            while tree.len() < 5000 {
                let end = ends.remove(0);
                for choice in 0..3 {
                    ends.extend(grow(&mut tree, end, 11 * choice).map(|(node, _)| node));
                }
            }
            check(&tree);
        }
    }

    #[test]
    fn large_board_tree_uses_memory_linear_in_moves() {
        let mut tree = Tree::new(Box::new(DotsAndBoxes::square(32).unwrap()));
        let mut at = 0;
        while let Some((node, position)) = grow(&mut tree, at, 0) {
            let most = (position.to_string().len() + 64 * tree.len()) / position.to_string().len();
            assert!(tree.kept.len() <= most, "{} for {}", tree.kept.len(), tree.len());
            at = node;
        }
        assert_eq!(tree.len(), 1985);
    }

    proptest! {
        #[test]
        fn tree_returns_every_position(
            choices in prop::collection::vec((any::<bool>(), 0..1000_usize, 0..1000_usize), 0..300),
        ) {
            let mut tree = Tree::new(Box::new(Quixo::new(3).unwrap()));
            let mut positions = vec![tree.start().copy()];
            let mut at = 0;
            for (jump, node, choice) in choices {
                at = if jump { node % tree.len() } else { at };
                if let Some((node, position)) = grow(&mut tree, at, choice) {
                    positions.resize(tree.len(), position.copy());
                    prop_assert!(positions[node].is(&*position));
                    at = node;
                }
            }
            for (node, expected) in positions.iter().enumerate() {
                let (position, before) = tree.position(node, |_| None);
                prop_assert!(position.is(&**expected));
                let parent = tree.edge(node).map(|edge| edge.parent);
                if let Some(before) = before {
                    prop_assert!(before.is(&*positions[parent.unwrap()]));
                }
                let children = tree.children(node);
                prop_assert!(children.is_sorted());
                prop_assert!(children.iter().all(|&child| tree.parent(child) == Some(node)));
            }
        }
    }
}
