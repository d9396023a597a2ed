//! The chains and loops of a position as players count them, on a board of any size.
//!
//! Elwyn Berlekamp, *The Dots and Boxes Game*, 2000. A chain is a run of boxes with two lines missing each: drawing a
//! line in a chain gives all of its boxes away. A chain is long if it has at least three boxes: its last two can then
//! be left to the opponent, who must open the next chain. The long chain rule predicts which player must open the first
//! long chain.

use super::layout::{BoardLayout, Marks};
use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};
use quadrille_rules::{Position, Seat};

/// The minimum number of boxes in a long chain.
pub const LONG: usize = 3;

/// The kind of a run of boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoxRunKind {
    /// Each box lacks two lines, and the run has two ends.
    Chain,
    /// Each box lacks two lines, and the run is closed.
    Loop,
    /// All boxes can be taken in one turn: the box at one end lacks only one line.
    Open,
}

/// Adjacent boxes, with no line between neighbors, each lacking one or two lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxRun {
    /// The kind of run.
    pub kind: BoxRunKind,
    /// The boxes from one end to the other, each as (row, column).
    pub boxes: Vec<(u8, u8)>,
}

impl BoxRun {
    /// Returns whether the run is a long chain.
    pub fn is_long(&self) -> bool {
        self.kind == BoxRunKind::Chain && self.boxes.len() >= LONG
    }
}

/// The chains, loops and safe lines that players count in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainCount {
    /// All chains, then all loops, then all open runs, each group sorted from longest to shortest.
    pub runs: Vec<BoxRun>,
    /// The lines that neither take a box nor give one away.
    pub safe: Vec<Line>,
    /// The seat that the long chain rule favors if the number of long chains stays the same. `None` if a box can be
    /// taken, or if there is neither a long chain nor a loop.
    pub favours: Option<Seat>,
}

impl ChainCount {
    /// Counts the chains of a position.
    pub fn of(position: &DotsAndBoxes) -> ChainCount {
        let layout = BoardLayout::new(position);
        let marks = layout.marks(position);
        let cols = u16::from(position.cols()) - 1;
        let place = |index: &u16| ((index / cols) as u8, (index % cols) as u8);
        let mut seen = vec![false; layout.boxes()];
        let mut runs = Vec::new();
        for start in 0..layout.boxes() as u16 {
            if !seen[start as usize] && is_in_run(&marks, start) {
                let (kind, mut boxes) = layout.run_of(&marks, start);
                // List the boxes in reading order.
                if boxes.last() < boxes.first() {
                    boxes.reverse();
                }
                for &index in &boxes {
                    seen[index as usize] = true;
                }
                runs.push(BoxRun { kind, boxes: boxes.iter().map(place).collect() });
            }
        }
        runs.sort_by_key(|run| (run.kind, std::cmp::Reverse(run.boxes.len())));
        let safe = layout.undrawn(&marks).filter(|&line| layout.is_safe(&marks, line));
        let safe = safe.map(|line| layout.lines[line as usize]).collect();
        let favours = favours(position, &runs);
        ChainCount { runs, safe, favours }
    }

    /// Returns the number of long chains.
    pub fn long(&self) -> usize {
        self.runs.iter().filter(|run| run.is_long()).count()
    }
}

/// Returns the seat that the long chain rule favors.
///
/// The number of turns in a game is the number of dots plus the number of double-crosses (lines that take two boxes).
/// Each long chain but the last brings one double-cross, since the player in control leaves its last two boxes; a loop
/// brings two. The numbers of undrawn lines, remaining boxes and long chains therefore determine who has the last turn,
/// and that player is in control.
fn favours(position: &DotsAndBoxes, runs: &[BoxRun]) -> Option<Seat> {
    let seat = position.to_move()?;
    let long = runs.iter().filter(|run| run.is_long()).count();
    let is_open = runs.iter().any(|run| run.kind == BoxRunKind::Open);
    let has_loop = runs.iter().any(|run| run.kind == BoxRunKind::Loop);
    if is_open || long == 0 && !has_loop {
        return None;
    }
    let all = (usize::from(position.rows()) - 1) * (usize::from(position.cols()) - 1);
    let left = all - position.score().iter().sum::<u32>() as usize;
    let odd = (position.lines_left() as usize + left + long) % 2 == 1;
    Some(if odd { seat } else { seat.next(2) })
}

fn is_in_run(marks: &Marks, index: u16) -> bool {
    matches!(marks.missing(index), 1 | 2)
}

impl BoardLayout {
    fn run_of(&self, marks: &Marks, start: u16) -> (BoxRunKind, Vec<u16>) {
        let mut boxes = vec![start];
        let ways: Vec<u16> = self.undrawn_round(marks, start).collect();
        for (way, &first) in ways.iter().enumerate() {
            let (mut at, mut line) = (start, first);
            loop {
                at = self.across(line, at);
                if at == start {
                    return (BoxRunKind::Loop, boxes);
                }
                if !is_in_run(marks, at) {
                    break;
                }
                if way == 0 {
                    boxes.push(at);
                } else {
                    boxes.insert(0, at);
                }
                let Some(next) = self.undrawn_round(marks, at).find(|&next| next != line) else {
                    break;
                };
                line = next;
            }
        }
        let is_open = boxes.iter().any(|&index| marks.missing(index) == 1);
        (if is_open { BoxRunKind::Open } else { BoxRunKind::Chain }, boxes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimax;
    use fastrand::Rng;
    use std::collections::{BTreeSet, HashMap};

    fn missing(board: &DotsAndBoxes, place: (u8, u8)) -> usize {
        DotsAndBoxes::sides(place).iter().filter(|side| !board.is_drawn(**side)).count()
    }

    /// Finds the runs by flood fill; the number of missing lines determines the kind of run.
    fn flooded(board: &DotsAndBoxes) -> BTreeSet<(BoxRunKind, BTreeSet<(u8, u8)>)> {
        let mut left: BTreeSet<(u8, u8)> =
            board.boxes().filter(|&place| matches!(missing(board, place), 1 | 2)).collect();
        let mut runs = BTreeSet::new();
        while let Some(start) = left.pop_first() {
            let (mut run, mut open, mut inner) = (BTreeSet::from([start]), vec![start], 0);
            while let Some(at) = open.pop() {
                for other in run.clone().into_iter().chain(left.clone()) {
                    let shared = DotsAndBoxes::sides(at)
                        .into_iter()
                        .find(|side| DotsAndBoxes::sides(other).contains(side));
                    if other != at && shared.is_some_and(|line| !board.is_drawn(line)) {
                        inner += 1;
                        if left.remove(&other) {
                            run.insert(other);
                            open.push(other);
                        }
                    }
                }
            }
            let all: usize = run.iter().map(|&place| missing(board, place)).sum();
            let kind = match () {
                () if all < 2 * run.len() => BoxRunKind::Open,
                // Every missing line lies between two boxes of the run, and was counted from both sides.
                () if inner == all => BoxRunKind::Loop,
                () => BoxRunKind::Chain,
            };
            runs.insert((kind, run));
        }
        runs
    }

    fn as_sets(count: &ChainCount) -> BTreeSet<(BoxRunKind, BTreeSet<(u8, u8)>)> {
        let set = |run: &BoxRun| (run.kind, run.boxes.iter().copied().collect());
        count.runs.iter().map(set).collect()
    }

    #[test]
    fn box_runs_match_a_flood_fill() {
        let mut rng = Rng::with_seed(4);
        let mut seen = [0; 3];
        for (rows, cols) in [(2, 2), (2, 9), (4, 4), (5, 5), (7, 6), (3, 3)] {
            for _ in 0..30 {
                let mut board = DotsAndBoxes::new(rows, cols).unwrap();
                loop {
                    let count = ChainCount::of(&board);
                    assert_eq!(as_sets(&count), flooded(&board), "{board}");
                    for run in &count.runs {
                        seen[run.kind as usize] += 1;
                        let next_to = |pair: &[(u8, u8)]| {
                            let line = DotsAndBoxes::sides(pair[0])
                                .into_iter()
                                .find(|side| DotsAndBoxes::sides(pair[1]).contains(side));
                            line.is_some_and(|line| !board.is_drawn(line))
                        };
                        assert!(run.boxes.windows(2).all(next_to), "{run:?} in order");
                    }
                    let gives = |line: &Line| {
                        let mut next = board.clone();
                        next.play(*line).unwrap();
                        let beside = |place: &(u8, u8)| DotsAndBoxes::sides(*place).contains(line);
                        board.boxes().filter(beside).any(|place| missing(&next, place) < 2)
                    };
                    let safe: Vec<Line> = board
                        .lines()
                        .filter(|line| !board.is_drawn(*line) && !gives(line))
                        .collect();
                    assert_eq!(count.safe, safe, "{board}");
                    let free: Vec<Line> =
                        board.lines().filter(|line| !board.is_drawn(*line)).collect();
                    // Mostly safe lines, as people play, so that chains grow.
                    let line = if rng.u8(..4) > 0 { rng.choice(safe) } else { None };
                    let Some(line) = line.or_else(|| rng.choice(free)) else { break };
                    board.play(line).unwrap();
                }
            }
        }
        assert!(seen.iter().all(|&seen| seen > 50), "{seen:?}");
    }

    /// If only long chains and loops are left, the player to move has to open one.
    #[test]
    fn chain_rule_favours_the_player_who_avoids_opening() {
        let mut rng = Rng::with_seed(9);
        let mut held = 0;
        let mut wins = [0; 2];
        for _ in 0..1000 {
            let mut board = DotsAndBoxes::new(4, 5).unwrap();
            loop {
                let count = ChainCount::of(&board);
                let Some(seat) = board.to_move() else { break };
                let is_over = count.safe.is_empty();
                let long = |run: &BoxRun| run.is_long() || run.kind == BoxRunKind::Loop;
                let covered: usize = count.runs.iter().map(|run| run.boxes.len()).sum();
                let left = 12 - board.score().iter().sum::<u32>() as usize;
                if is_over && covered == left && count.runs.iter().all(long) {
                    assert_eq!(count.favours, Some(seat.next(2)), "{board}");
                    held += 1;
                    if board.lines_left() < 10 {
                        let value = minimax::margin(&board, &mut HashMap::new());
                        let mover = if seat == Seat::FIRST { value } else { -value };
                        let so_far = i64::from(board.score()[seat.index()])
                            - i64::from(board.score()[seat.next(2).index()]);
                        wins[usize::from(i64::from(mover) <= so_far)] += 1;
                    }
                    break;
                }
                let free: Vec<Line> = board.lines().filter(|line| !board.is_drawn(*line)).collect();
                let line = rng.choice(count.safe).or_else(|| rng.choice(free));
                board.play(line.unwrap()).unwrap();
            }
        }
        assert!(held > 30 && wins[0] == 0, "{held}, {wins:?}");
    }

    fn counted(rows: u8, cols: u8, lines: &str) -> ChainCount {
        let mut board = DotsAndBoxes::new(rows + 1, cols + 1).unwrap();
        lines.split_whitespace().for_each(|line| _ = board.claim(line).unwrap());
        ChainCount::of(&board)
    }

    #[test]
    fn empty_board_has_no_chain_and_no_favourite() {
        let count = counted(3, 3, "");
        assert_eq!((count.runs.len(), count.safe.len(), count.favours), (0, 24, None));
    }

    #[test]
    fn chain_count_distinguishes_loops_from_chains() {
        // A loop of four boxes round a corner, next to a chain of two.
        let count = counted(2, 3, "H0,0 H0,1 H2,0 H2,1 V0,0 V1,0 V0,2 V1,2 H0,2 H2,2");
        let kinds: Vec<_> = count.runs.iter().map(|run| (run.kind, run.boxes.len())).collect();
        assert_eq!(kinds, [(BoxRunKind::Chain, 2), (BoxRunKind::Loop, 4)]);
        // Each box of the pair lacks two lines: the line between the boxes, and a line at the border.
        assert_eq!((count.long(), count.safe.len()), (0, 0));
        // The pair is opened first; then the other player opens the loop.
        assert_eq!(count.favours, Some(Seat::FIRST));
    }

    #[test]
    fn takeable_boxes_are_not_a_chain() {
        let row = "H0,0 H0,1 H0,2 H1,0 H1,1 H1,2";
        let count = counted(1, 3, row);
        assert_eq!((count.long(), count.favours), (1, Some(Seat::SECOND)));
        let opened = counted(1, 3, &format!("{row} V0,0"));
        assert_eq!(opened.runs[0].kind, BoxRunKind::Open);
        assert_eq!((opened.runs[0].boxes.len(), opened.long(), opened.favours), (3, 0, None));
        // With both ends closed, the row is still one run of three boxes.
        let both = counted(1, 3, &format!("{row} V0,0 V0,3"));
        assert_eq!((both.runs.len(), both.runs[0].boxes.len()), (1, 3));
    }
}
