//! The opening book: positions near the start of a game, solved beforehand because solving them during a match takes
//! too long.

use super::graph::{Graph, LineSet};
use super::table::{DotsEntry, DotsTable};
use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};

/// The book for 4 × 4 boxes: one representative of each symmetry class of positions with at most three lines drawn in
/// which no box can be taken. `cargo test --release -- --ignored book` solves every position again; if the book has to
/// change, the test writes a new file and prints its path.
///
/// Each line of the file holds one position: its value for the seat to move, the best move, an answer to each reply,
/// and the drawn lines. The answers are letters, in the order of the undrawn lines: A to Z and a to n for the 40 lines,
/// or a point if the reply takes a box or gives one away.
const FOUR_BY_FOUR: &str = include_str!("../../assets/books/dots-and-boxes-4x4.txt");

/// The maximum number of drawn lines in a book position.
pub const LINES: u32 = 3;

/// Returns whether a book exists for the board of this position.
pub fn has_board(position: &DotsAndBoxes) -> bool {
    (position.rows(), position.cols()) == (5, 5)
}

/// A position in the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// The undrawn lines.
    pub undrawn: LineSet,
    /// The margin of the seat to move when both seats play perfectly.
    pub value: i32,
    /// A move that reaches the value.
    pub best: u32,
    /// The opponent's replies to the best move, each with an answer that still reaches the value. Replies that take a
    /// box or give one away are omitted.
    pub answers: Vec<(u32, u32)>,
}

/// Returns the book for a board; empty if none exists.
pub fn book(graph: &Graph) -> impl Iterator<Item = BookEntry> {
    let text = if graph.is_board(4, 4) { FOUR_BY_FOUR } else { "" };
    let names = names(graph);
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(move |line| read(graph, &names, line))
}

/// Returns the lines of a board in the order of their names.
fn names(graph: &Graph) -> Vec<u32> {
    let mut names: Vec<u32> = (0..graph.lines.len() as u32).collect();
    names.sort_by_key(|&line| graph.lines[line as usize]);
    names
}

/// Returns the letters of the lines, in the order of [`names`].
fn letters() -> impl Iterator<Item = char> + Clone {
    ('A'..='Z').chain('a'..='z')
}

/// Parses a line of a book.
fn read(graph: &Graph, names: &[u32], line: &str) -> Option<BookEntry> {
    let mut words = line.split_whitespace();
    let value = words.next()?.parse().ok()?;
    let bit = |word: &str| graph.bit(word.parse::<Line>().ok()?);
    let (best, answers) = (bit(words.next()?)?, words.next()?);
    let mut undrawn = graph.all();
    for word in words {
        undrawn &= !(1 << bit(word)?);
    }
    let replies = names.iter().filter(|&&line| undrawn & !(1 << best) & 1 << line != 0);
    let answer = |(&reply, letter)| {
        let place = letters().position(|known| known == letter)?;
        Some((reply, *names.get(place)?))
    };
    let answers = replies.zip(answers.chars()).filter_map(answer).collect();
    Some(BookEntry { undrawn, value, best, answers })
}

/// Stores the book for a board in a table: its positions, the positions after its moves, and everything its answers
/// prove.
pub fn put_into(table: &mut DotsTable<'_>, graph: &Graph) {
    let mut put = |undrawn: LineSet, lower: i32, upper: i32| {
        // The search handles positions after a move that gives a box away.
        let position = graph.settle(undrawn).rest;
        if position.undrawn == undrawn {
            let left = position.left;
            let entry = DotsEntry { lower: lower.max(-left), upper: upper.min(left) };
            table.store(graph.signature(undrawn), left, undrawn.count_ones(), entry);
        }
    };
    let entries: Vec<BookEntry> = book(graph).collect();
    // A full bucket may drop an entry, so the most important positions are stored last.
    for BookEntry { undrawn, value, best, answers } in &entries {
        for (reply, answer) in answers {
            let replied = undrawn & !(1 << best) & !(1 << reply);
            put(replied, *value, i32::MAX);
            put(replied & !(1 << answer), i32::MIN, -value);
        }
    }
    for BookEntry { undrawn, value, best, .. } in entries {
        put(undrawn & !(1 << best), -value, -value);
        put(undrawn, value, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dots_and_boxes::graph::each;
    use crate::dots_and_boxes::solver::{DotsSolver, SharedDotsSearch};
    use crate::dots_and_boxes::table;
    use std::collections::{HashMap, HashSet};

    fn graph() -> Graph {
        Graph::new(&DotsAndBoxes::new(5, 5).unwrap()).unwrap()
    }

    /// Returns one position for each signature, among positions with at most [`LINES`] lines drawn in which no box can
    /// be taken.
    fn classes(graph: &Graph) -> Vec<LineSet> {
        let mut seen = HashSet::from([graph.signature(graph.all())]);
        let mut classes = vec![graph.all()];
        let mut last = 0;
        for _ in 0..LINES {
            for at in std::mem::replace(&mut last, classes.len())..classes.len() {
                for line in each(classes[at]) {
                    let undrawn = classes[at] & !(1 << line);
                    if graph.settle(undrawn).rest.undrawn == undrawn
                        && seen.insert(graph.signature(undrawn))
                    {
                        classes.push(undrawn);
                    }
                }
            }
        }
        classes
    }

    fn values(graph: &Graph) -> HashMap<u128, i32> {
        book(graph).map(|entry| (graph.signature(entry.undrawn), entry.value)).collect()
    }

    #[test]
    fn book_lists_every_position_class_once() {
        let graph = graph();
        let (classes, values) = (classes(&graph), values(&graph));
        assert_eq!((classes.len(), book(&graph).count(), values.len()), (1027, 1027, 1027));
        assert!(classes.iter().all(|&undrawn| values.contains_key(&graph.signature(undrawn))));
        assert_eq!(FOUR_BY_FOUR.lines().filter(|line| !line.starts_with('#')).count(), 1027);
    }

    /// The starting position is a tie (David Wilson, *Dots-and-Boxes Analysis*, 2002), and the value of each position
    /// with fewer lines follows from the values of its successors. Only moves that give a box away leave the book.
    #[test]
    fn book_values_are_consistent() {
        let graph = graph();
        let values = values(&graph);
        assert_eq!(values[&graph.signature(graph.all())], 0);
        for BookEntry { undrawn, value, best, .. } in book(&graph) {
            let drawn = graph.lines.len() as u32 - undrawn.count_ones();
            let after = |line: u32| values.get(&graph.signature(undrawn & !(1 << line))).copied();
            if drawn < LINES {
                let known = each(undrawn).filter_map(after).map(|value| -value);
                assert!(known.max() <= Some(value), "{undrawn:x}");
                assert!(after(best).is_none_or(|next| next == -value), "{undrawn:x}");
                let next = undrawn & !(1 << best);
                let is_safe = graph.settle(next).rest.undrawn == next;
                assert_eq!(after(best).is_some(), is_safe, "{undrawn:x}");
            }
        }
    }

    /// The book has an answer to each reply that takes no box and gives none away.
    #[test]
    fn book_answers_every_quiet_reply() {
        let graph = graph();
        for BookEntry { undrawn, best, answers, .. } in book(&graph) {
            let next = undrawn & !(1 << best);
            let is_quiet = |line: &u32| {
                let undrawn = next & !(1 << line);
                graph.closes(next, *line) == 0 && graph.settle(undrawn).rest.undrawn == undrawn
            };
            let replies: HashSet<u32> = answers.iter().map(|&(reply, _)| reply).collect();
            assert_eq!(replies, each(next).filter(is_quiet).collect(), "{undrawn:x}");
            assert!(answers.iter().all(|&(reply, answer)| next & !(1 << reply) & 1 << answer != 0));
        }
    }

    /// Returns this line if it is worth at least `goal`, or else a different line that is, preferably one that gives no
    /// box away.
    fn find(
        graph: &Graph,
        solver: &mut DotsSolver<'_>,
        undrawn: LineSet,
        goal: i32,
        line: Option<u32>,
    ) -> u32 {
        let line = line.filter(|&line| solver.line_reaches(undrawn, line, goal));
        let (safe, risky): (Vec<u32>, Vec<u32>) = each(undrawn).partition(|line| {
            let next = undrawn & !(1 << line);
            graph.settle(next).rest.undrawn == next
        });
        line.or_else(|| {
            solver.best(undrawn, goal, safe).or_else(|| solver.best(undrawn, goal, risky))
        })
        .unwrap()
    }

    #[test]
    #[ignore = "long, and takes 12 GB: solves the positions of the book again"]
    fn solver_reproduces_the_book() {
        let graph = graph();
        let names = names(&graph);
        let name = |line: u32| graph.lines[line as usize].to_string();
        let known: HashMap<_, _> =
            book(&graph).map(|entry| (graph.signature(entry.undrawn), entry)).collect();
        let mut memory = table::memory(40, 12 << 30).unwrap();
        let shared = SharedDotsSearch::new(&graph, memory.table(), &|_| false);
        let mut solver = DotsSolver::new(&shared);
        let mut found = Vec::new();
        for class in classes(&graph) {
            let entry = known.get(&graph.signature(class));
            let undrawn = entry.map_or(class, |entry| entry.undrawn);
            let value = solver.any_value(undrawn, 0).unwrap();
            let best = find(&graph, &mut solver, undrawn, value, entry.map(|entry| entry.best));
            let next = undrawn & !(1 << best);
            let mut answers = String::new();
            for &reply in names.iter().filter(|&&line| next & 1 << line != 0) {
                let replied = next & !(1 << reply);
                let is_quiet =
                    graph.closes(next, reply) == 0 && graph.settle(replied).rest.undrawn == replied;
                answers.push(if is_quiet {
                    let mut known = entry.iter().flat_map(|entry| &entry.answers);
                    let known = known.find(|known| known.0 == reply).map(|known| known.1);
                    let answer = find(&graph, &mut solver, replied, value, known);
                    let place = names.iter().position(|&line| line == answer).unwrap();
                    letters().nth(place).unwrap()
                } else {
                    '.'
                });
            }
            let drawn = names.iter().filter(|&&line| undrawn & 1 << line == 0);
            let mut words = vec![format!("{value:+}"), name(best), answers];
            words.extend(drawn.map(|&line| name(line)));
            found.push(words.join(" "));
        }
        found.sort_unstable_by_key(|line| (line.split(' ').count(), line.clone()));
        let is_text = |line: &&str| !line.starts_with('#');
        if !FOUR_BY_FOUR.lines().filter(is_text).eq(&found) {
            let file = std::env::temp_dir().join("dots-and-boxes-4x4.txt");
            #[allow(clippy::disallowed_methods)]
            std::fs::write(&file, found.join("\n") + "\n").unwrap();
            panic!("the book should be as in {}", file.display());
        }
    }
}
