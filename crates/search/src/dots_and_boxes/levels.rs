//! The players below Strong.
//!
//! Each level knows some of the ideas of the game, in the order in which people learn them: take boxes on offer, give
//! nothing away while you can, open the shortest chain, leave the last two boxes to keep control, count the chains
//! before the safe lines run out. Elwyn Berlekamp, *The Dots and Boxes Game*, 2000.

use super::layout::{BoardLayout, Marks, Turn};
use super::monte_carlo::ChainTree;
use crate::random::{choice, shuffle};
use crate::{Level, Report};
use fastrand::Rng;
use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};
use std::collections::HashMap;

/// The ideas that a player knows.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// Percentage of unsafe lines that the player believes to be safe.
    pub blunder_rate: u32,
    /// Whether the player opens the shortest chain when forced to open one.
    pub compares: bool,
    /// Percentage of double-crosses that the player considers when they pay.
    pub declines: u32,
    /// With at most this many safe lines, the player searches all orders of drawing them and counts the chains at the
    /// end of each order.
    pub counts_from: usize,
    /// Random games that the player runs if there are more safe lines than `counts_from`.
    pub playouts: u64,
}

const fn habits(level: Level) -> Habits {
    match level {
        Level::Beginner => {
            Habits { blunder_rate: 5, compares: false, declines: 0, counts_from: 0, playouts: 0 }
        }
        Level::Casual => {
            Habits { blunder_rate: 1, compares: true, declines: 30, counts_from: 0, playouts: 0 }
        }
        _ => {
            Habits { blunder_rate: 0, compares: true, declines: 78, counts_from: 8, playouts: 450 }
        }
    }
}

pub fn play_as(position: &DotsAndBoxes, level: Level, seed: u64) -> Report<Line> {
    play_with(position, habits(level), seed)
}

pub fn play_with(position: &DotsAndBoxes, mut habits: Habits, seed: u64) -> Report<Line> {
    let layout = BoardLayout::new(position);
    // On a larger board each position takes longer, so the search is limited to fewer positions.
    let most = WORK / layout.lines.len() as u64;
    habits.playouts = habits.playouts.min(most);
    habits.counts_from = habits.counts_from.min(most.max(1).ilog2() as usize);
    let mut player = LevelPlayer { layout: &layout, habits, rng: Rng::with_seed(seed), nodes: 1 };
    let line = player.line(&layout.marks(position)).map(|line| layout.lines[line as usize]);
    let best: Vec<Line> = line.into_iter().collect();
    Report { pv: best.clone(), best, nodes: player.nodes, ..Report::default() }
}

/// Lines examined per move, at about 50 ns each.
const WORK: u64 = 200_000;

/// Bytes for the tree of random games: an upper bound on its size.
const MEMORY: usize = 16 << 20;

struct LevelPlayer<'a> {
    layout: &'a BoardLayout,
    habits: Habits,
    rng: Rng,
    nodes: u64,
}

impl LevelPlayer<'_> {
    fn line(&mut self, marks: &Marks) -> Option<u16> {
        match self.layout.turn(marks) {
            Turn::Free => self.quiet_line(marks),
            _ if !self.habits.compares => {
                let takes =
                    self.layout.undrawn(marks).filter(|&line| self.layout.takes(marks, line));
                choice(&mut self.rng, &takes.collect::<Vec<_>>())
            }
            Turn::Take(line) => Some(line),
            Turn::Choose { take, leave, boxes } => {
                let pays = self.rng.u32(..100) < self.habits.declines && {
                    let mut rest = marks.clone();
                    self.layout.settle(&mut rest);
                    boxes as f32 + self.evaluate(&rest) < 0.0
                };
                Some(if pays { leave } else { take })
            }
        }
    }

    /// Chooses a line when no box can be taken.
    fn quiet_line(&mut self, marks: &Marks) -> Option<u16> {
        let safe = self.safe(marks);
        if !safe.is_empty() && safe.len() <= self.habits.counts_from {
            return self.best_in_order(marks, &safe);
        }
        if !safe.is_empty() && self.habits.playouts > 0 {
            return self.playout_tree(marks).ranked().first().map(|&(line, ..)| line);
        }
        let blunder_rate = self.habits.blunder_rate;
        let (layout, rng) = (self.layout, &mut self.rng);
        let mut seems_safe =
            |line: &u16| layout.is_safe(marks, *line) || rng.u32(..100) < blunder_rate;
        let mut lines: Vec<u16> = layout.undrawn(marks).filter(&mut seems_safe).collect();
        if lines.is_empty() && self.habits.compares {
            let chains_to_open = self.layout.chains_to_open(marks);
            let least = chains_to_open.first().map_or(0, |chain| chain.len);
            lines.extend(chains_to_open.iter().filter(|o| o.len == least).map(|chain| chain.line));
        }
        if lines.is_empty() {
            lines.extend(self.layout.undrawn(marks));
        }
        choice(&mut self.rng, &lines)
    }

    fn safe(&self, marks: &Marks) -> Vec<u16> {
        self.layout.undrawn(marks).filter(|&line| self.layout.is_safe(marks, line)).collect()
    }

    fn best_in_order(&mut self, marks: &Marks, safe: &[u16]) -> Option<u16> {
        let mut count = SafeLineSearch::new(self.layout, safe);
        let mut places: Vec<usize> = (0..safe.len()).collect();
        shuffle(&mut self.rng, &mut places);
        let best = places.into_iter().max_by_key(|&place| count.value_after(marks, 0, place));
        self.nodes += count.known.len() as u64;
        best.map(|place| safe[place])
    }

    /// Estimates the value, for the player to move, of a position without boxes to take. Returns 0 if there are too
    /// many safe lines to search and this player runs no random games.
    fn evaluate(&mut self, marks: &Marks) -> f32 {
        let safe = self.safe(marks);
        if safe.len() > self.habits.counts_from {
            return if self.habits.playouts > 0 { self.playout_tree(marks).value() } else { 0.0 };
        }
        let mut count = SafeLineSearch::new(self.layout, &safe);
        let worth = count.value(marks, 0);
        self.nodes += count.known.len() as u64;
        worth as f32
    }

    fn playout_tree(&mut self, marks: &Marks) -> ChainTree<'_> {
        let mut tree = ChainTree::new(self.layout, marks.clone(), MEMORY, self.rng.u64(..));
        (0..self.habits.playouts).for_each(|_| tree.grow());
        self.nodes += tree.games;
        tree
    }
}

/// A search of all orders of drawing a few safe lines. At the end of each order, the chains are opened.
struct SafeLineSearch<'a> {
    layout: &'a BoardLayout,
    safe: &'a [u16],
    /// The known values of positions, by the set of safe lines drawn.
    known: HashMap<u32, i32>,
}

impl<'a> SafeLineSearch<'a> {
    fn new(layout: &'a BoardLayout, safe: &'a [u16]) -> SafeLineSearch<'a> {
        SafeLineSearch { layout, safe, known: HashMap::new() }
    }

    /// Returns the value of a position for the player to move.
    fn value(&mut self, marks: &Marks, drawn: u32) -> i32 {
        if let Some(&worth) = self.known.get(&drawn) {
            return worth;
        }
        let is_safe = |place: &usize| {
            let line = self.safe[*place];
            marks.is_undrawn(line) && self.layout.is_safe(marks, line)
        };
        let places: Vec<usize> = (0..self.safe.len()).filter(is_safe).collect();
        let best = places.into_iter().map(|place| self.value_after(marks, drawn, place)).max();
        let worth = best.unwrap_or_else(|| self.layout.ending(&mut marks.clone()));
        self.known.insert(drawn, worth);
        worth
    }

    /// Returns the value of drawing one of the safe lines, for the player who draws it.
    fn value_after(&mut self, marks: &Marks, drawn: u32, place: usize) -> i32 {
        let mut next = marks.clone();
        self.layout.draw(&mut next, self.safe[place]);
        -self.value(&next, drawn | 1 << place)
    }
}

#[cfg(test)]
mod tests {
    use super::super::DotsAndBoxesEngine;
    use super::*;
    use crate::testing::control;
    use crate::{Engine, Limits, Scope};
    use quadrille_rules::Position;

    fn position(rows: u8, cols: u8, lines: &str) -> DotsAndBoxes {
        let mut position = DotsAndBoxes::new(rows + 1, cols + 1).unwrap();
        for line in lines.split_whitespace() {
            position.claim(line).unwrap();
        }
        position
    }

    /// Counts how often, in 200 tries, a level plays a line for which `is` is true.
    fn often(position: &DotsAndBoxes, level: Level, is: impl Fn(&str) -> bool) -> usize {
        let plays = |&seed: &u64| is(&play_as(position, level, seed).best[0].to_string());
        (0..200).filter(plays).count()
    }

    const LEVELS: [Level; 3] = [Level::Beginner, Level::Casual, Level::Skilled];

    /// Two rows of four boxes, each open at both ends.
    const ROWS: &str = "H0,0 H0,1 H0,2 H0,3 H1,0 H1,1 H1,2 H1,3 H2,0 H2,1 H2,2 H2,3";

    #[test]
    fn every_level_takes_an_offered_box() {
        let position = position(3, 3, "H0,0 V0,0 V0,1");
        for level in LEVELS {
            assert_eq!(often(&position, level, |line| line == "H1,0"), 200, "{level}");
        }
    }

    #[test]
    fn beginner_sometimes_offers_a_box_and_skilled_never_does() {
        let position = position(3, 3, "H0,0 V0,0 H1,1 V1,1 H2,2 V2,2");
        let layout = BoardLayout::new(&position);
        let marks = layout.marks(&position);
        let offers =
            |line: &str| !layout.is_safe(&marks, layout.index(line.parse().unwrap()).unwrap());
        let offered = LEVELS.map(|level| often(&position, level, offers));
        assert!((1..40).contains(&offered[0]), "{offered:?}");
        assert!(offered[1] < offered[0] && offered[2] == 0, "{offered:?}");
    }

    #[test]
    fn casual_opens_the_shortest_chain() {
        // A row of four boxes beside two chains of two.
        let lines = "H0,0 H0,1 H0,2 H0,3 H1,0 H1,1 H1,2 H1,3 H2,0 H2,3 V1,2";
        let position = position(2, 4, lines);
        let opens_short = |line: &str| !line.starts_with("V0");
        let casual = often(&position, Level::Casual, opens_short);
        assert!(casual > 150, "{casual}");
        assert_eq!(often(&position, Level::Skilled, opens_short), 200);
        assert!((20..180).contains(&often(&position, Level::Beginner, opens_short)));
    }

    #[test]
    fn skilled_double_crosses_where_it_wins() {
        let position = position(2, 4, &format!("{ROWS} V0,0 V0,1 V0,2"));
        let left = LEVELS.map(|level| often(&position, level, |line| line == "V0,4"));
        assert_eq!(left[0], 0);
        assert!((40..80).contains(&left[1]) && left[2] > 130, "{left:?}");
    }

    #[test]
    fn skilled_counts_chains_before_safe_lines_run_out() {
        let mut rng = Rng::with_seed(5);
        let mut right = [0; 3];
        let mut all = 0;
        while all < 60 {
            let mut position = DotsAndBoxes::new(4, 4).unwrap();
            while position.lines_left() > 13 {
                let mut moves = Vec::new();
                position.append_legal_moves(&mut moves);
                position.play(rng.choice(moves).unwrap()).unwrap();
            }
            let layout = BoardLayout::new(&position);
            let marks = layout.marks(&position);
            let safe = layout.undrawn(&marks).filter(|&line| layout.is_safe(&marks, line)).count();
            if position.to_move().is_none() || layout.turn(&marks) != Turn::Free || safe < 2 {
                continue;
            }
            all += 1;
            let limits = Limits { memory: 64 << 20, ..Limits::default() };
            let solved =
                DotsAndBoxesEngine::default().analyse(&position, Scope::Moves, &control(limits));
            let worth = |mv| {
                let rated = solved.moves.iter().find(|rated| rated.mv == mv).unwrap();
                rated.value.proven().unwrap()
            };
            let best = solved.moves.iter().map(|rated| worth(rated.mv)).max().unwrap();
            for (right, level) in right.iter_mut().zip(LEVELS) {
                *right += i32::from(worth(play_as(&position, level, all).best[0]) == best);
            }
        }
        assert!(right[0].max(right[1]) + 10 < right[2], "{right:?} of 60");
    }
}
