//! A round on an array of any size, for searches that cannot visit all positions.

use crate::max_n::SearchState;
use crate::random::index;
use quadrille_rules::intersections::{Dot, Intersections, Segment};
use quadrille_rules::{Position, Seat};

/// The bits of a dot. Each of the first four says that the unit on one side is covered.
const RIGHT: u8 = 1;
const DOWN: u8 = 2;
const LEFT: u8 = 4;
const UP: u8 = 8;
/// The bit for a segment that passes through the dot.
const PASSED: u8 = 16;

/// The worth of a dot to a player, by the number of units that meet there, in sixteenths of a dot that counts.
pub type Worths = [i32; 5];

/// An estimate of the probability that a dot counts at the end.
pub const POTENTIAL: Worths = [0, 2, 6, DOT, DOT];
/// Only dots that count are worth something.
pub const COUNTS: Worths = [0, 0, 0, DOT, DOT];
/// The worth of a dot that counts.
const DOT: i32 = 16;

/// The maximum number of moves considered in a position, most promising first.
const MAX_MOVES: usize = 48;

/// The number of random segments from which a random game takes the most promising one at each ply.
const GLANCES: u32 = 6;

/// The maximum length of a random game, in plies.
const LENGTH: u32 = 60;

/// The current round, with one byte for each dot.
#[derive(Clone, Debug)]
pub struct UnpackedRound {
    rows: u8,
    cols: u8,
    players: u8,
    seat: Seat,
    offense: Seat,
    /// The number of segments left.
    left: u32,
    /// The number of segments left at which a random game ends.
    last: u32,
    /// The worth of a dot.
    worths: Worths,
    /// The total worth of all dots.
    potential: i32,
    dots: Vec<u8>,
}

impl UnpackedRound {
    /// Creates the current round of a position with a seat to move.
    pub fn new(position: &Intersections) -> UnpackedRound {
        UnpackedRound::judged(position, POTENTIAL)
    }

    /// Creates the current round as judged by a player to whom a dot has these worths.
    pub fn judged(position: &Intersections, worths: Worths) -> UnpackedRound {
        let left = position.segments() - position.drawn().len() as u32;
        let mut round = UnpackedRound {
            rows: position.rows(),
            cols: position.cols(),
            players: position.seats(),
            seat: position.first_in(position.round().number),
            offense: position.round().offense,
            left: position.segments(),
            last: left.saturating_sub(LENGTH),
            worths,
            potential: 0,
            dots: vec![0; position.rows() as usize * position.cols() as usize],
        };
        for &segment in position.drawn() {
            round.play(segment);
        }
        round
    }

    /// Returns every legal move, with the likely number of dots that the offense has at the end of the round after that
    /// move.
    pub fn rated(&self) -> Vec<(Segment, f32)> {
        let mut rated = Vec::new();
        self.each(&self.worths, |segment, potential| {
            rated.push((segment, (self.potential + potential) as f32 / DOT as f32));
        });
        rated
    }

    /// Returns the number of dots that count now.
    pub fn counted(&self) -> u32 {
        let counts = |dot: &&u8| (**dot & (PASSED - 1)).count_ones() >= 3;
        self.dots.iter().filter(counts).count() as u32
    }

    /// Returns the index of the first dot that a segment makes count.
    pub fn made_by(&self, segment: Segment) -> Option<usize> {
        let [from, to] = segment.ends();
        let (out, back) = if segment.is_horizontal() { (RIGHT, LEFT) } else { (DOWN, UP) };
        let bits = |at: Dot| match at {
            at if at == from => out,
            at if at == to => back,
            _ => out | back,
        };
        let mut dots = segment.dots().into_iter();
        dots.find(|&at| self.change(&COUNTS, at, bits(at)) > 0).map(|at| self.index(at))
    }

    /// Returns the maximum number of intersections that one segment can make; 0 if no segment is legal.
    pub fn most_made(&self) -> u32 {
        let mut most = 0;
        self.each(&COUNTS, |_, made| most = most.max(made));
        (most / DOT) as u32
    }

    /// Returns whether the offense draws another segment in this round.
    pub fn offense_draws_again(&self) -> bool {
        let [offense, seat] = [self.offense, self.seat].map(|seat| seat.index() as u32);
        let players = u32::from(self.players);
        (offense + players - seat) % players < self.left
    }

    fn is_corner(&self, Dot { row, col }: Dot) -> bool {
        (row == 0 || row + 1 == self.rows) && (col == 0 || col + 1 == self.cols)
    }

    const fn index(&self, at: Dot) -> usize {
        at.row as usize * self.cols as usize + at.col as usize
    }

    /// Returns the change in the worth of a dot when these bits are added. `worths` has the worth by the number of units
    /// that meet at the dot. Corners never count.
    fn change(&self, worths: &Worths, at: Dot, bits: u8) -> i32 {
        if self.is_corner(at) {
            return 0;
        }
        let dot = self.dots[self.index(at)];
        let worth = |dot: u8| worths[(dot & (PASSED - 1)).count_ones() as usize];
        worth(dot | bits) - worth(dot)
    }

    /// Calls `visit` with every segment that begins at a dot and goes right or down, shortest first, and with the
    /// segment's [`change`](UnpackedRound::change) in worth.
    fn each_from(
        &self,
        worths: &Worths,
        from: Dot,
        down: bool,
        mut visit: impl FnMut(Segment, i32),
    ) {
        let (out, back) = if down { (DOWN, UP) } else { (RIGHT, LEFT) };
        if self.dots[self.index(from)] & out != 0 {
            return;
        }
        let mut before = self.change(worths, from, out);
        let mut at = from;
        loop {
            if down {
                at.row += 1;
            } else {
                at.col += 1;
            }
            if at.row == self.rows || at.col == self.cols {
                return;
            }
            visit(Segment::new(from, at), before + self.change(worths, at, back));
            let dot = self.dots[self.index(at)];
            if dot & (PASSED | out) != 0 {
                return;
            }
            before += self.change(worths, at, back | out);
        }
    }

    /// Calls `visit` with every legal segment and its change in worth.
    fn each(&self, worths: &Worths, mut visit: impl FnMut(Segment, i32)) {
        for row in 0..self.rows {
            for col in 0..self.cols {
                self.each_from(worths, Dot { row, col }, false, &mut visit);
                self.each_from(worths, Dot { row, col }, true, &mut visit);
            }
        }
    }

    /// Converts a potential to the view of the seat to move.
    fn for_mover(&self, potential: i32) -> i32 {
        if self.seat == self.offense { potential } else { -potential }
    }

    /// Returns a random legal segment and its change in potential. Segments are not equally likely.
    fn any(&self, rng: &mut fastrand::Rng) -> Option<(Segment, i32)> {
        let dots = self.dots.len();
        let start = index(rng, dots * 2);
        // Nearly always, one of the first dots has a segment; late in a round it takes a few more.
        for step in 0..dots * 2 {
            let place = (start + step * 7919) % (dots * 2);
            let (at, down) = (place / 2, place % 2 == 1);
            if self.dots[at] & if down { DOWN } else { RIGHT } != 0 {
                continue;
            }
            let cols = self.cols as usize;
            let from = Dot { row: (at / cols) as u8, col: (at % cols) as u8 };
            let mut picked = None;
            let mut count = 0;
            self.each_from(&self.worths, from, down, |segment, potential| {
                count += 1;
                if rng.u32(..count) == 0 {
                    picked = Some((segment, potential));
                }
            });
            if picked.is_some() {
                return picked;
            }
        }
        None
    }
}

impl SearchState for UnpackedRound {
    type Move = Segment;

    fn seats(&self) -> usize {
        self.players as usize
    }

    fn to_move(&self) -> Option<Seat> {
        (self.left > 0).then_some(self.seat)
    }

    fn moves(&self, out: &mut Vec<Segment>) {
        let mut rated: Vec<(i32, u32, Segment)> = Vec::new();
        self.each(&self.worths, |segment, potential| {
            // The order of equal moves favors no side of the array.
            let mixed = (rated.len() as u32).wrapping_mul(0x9e37_79b9).rotate_left(7);
            rated.push((-self.for_mover(potential), mixed, segment));
        });
        if rated.len() > MAX_MOVES {
            rated.select_nth_unstable(MAX_MOVES);
            rated.truncate(MAX_MOVES);
        }
        rated.sort_unstable();
        out.extend(rated.into_iter().map(|(_, _, segment)| segment));
    }

    fn play(&mut self, segment: Segment) {
        let [from, to] = segment.ends();
        let (out, back) = if segment.is_horizontal() { (RIGHT, LEFT) } else { (DOWN, UP) };
        let step = if segment.is_horizontal() { 1 } else { self.cols as usize };
        let mut at = from;
        for index in (self.index(from)..=self.index(to)).step_by(step) {
            let bits = match at {
                at if at == from => out,
                at if at == to => back,
                _ => out | back | PASSED,
            };
            self.potential += self.change(&self.worths, at, bits);
            self.dots[index] |= bits;
            if segment.is_horizontal() { at.col += 1 } else { at.row += 1 }
        }
        self.left -= 1;
        self.seat = self.seat.next(self.players);
    }

    /// Writes each seat's evaluation, in dots: the likely score of the offense in the round, and the negative of that
    /// score for the defenders.
    fn evaluate(&self, worth: &mut [f32]) {
        let likely = self.potential as f32 / DOT as f32;
        let dots = if self.left == 0 { self.counted() as f32 } else { likely };
        worth.fill(-dots);
        worth[self.offense.index()] = dots;
    }

    fn playout_move(&self, rng: &mut fastrand::Rng, _: &mut Vec<Segment>) -> Option<Segment> {
        if self.left <= self.last {
            return None;
        }
        let glances = (0..GLANCES).filter_map(|_| self.any(rng));
        let best = glances.max_by_key(|&(_, potential)| self.for_mover(potential));
        best.map(|(segment, _)| segment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the total potential of all dots, computed from scratch.
    fn potential(position: &Intersections) -> i32 {
        let dots = position.all_dots().filter(|at| {
            let corner = [0, position.rows() - 1].contains(&at.row)
                && [0, position.cols() - 1].contains(&at.col);
            !corner
        });
        dots.map(|at| POTENTIAL[position.degree(at) as usize]).sum()
    }

    #[test]
    fn wide_round_matches_the_rules() {
        let mut rng = fastrand::Rng::with_seed(3);
        for setup in ["size=2", "rows=2 cols=9", "size=6 players=3", "rows=9 cols=5 first=seat1"] {
            let start = Intersections::from_setup(&setup.parse().unwrap()).unwrap();
            for _ in 0..20 {
                let mut position = start.clone();
                while let Some(seat) = position.to_move() {
                    let round = UnpackedRound::new(&position);
                    assert_eq!(round.to_move(), Some(seat));
                    let mut moves = position.legal_moves();
                    let rated = round.rated();
                    let (mut named, mut worth) = (Vec::new(), Vec::new());
                    for &(segment, promised) in &rated {
                        named.push(segment);
                        worth.push((promised * DOT as f32) as i32);
                    }
                    let expected: Vec<i32> =
                        named.iter().map(|&mv| potential(&position.with_segment(mv))).collect();
                    assert_eq!(worth, expected);
                    named.sort_unstable();
                    moves.sort_unstable();
                    assert_eq!(named, moves);
                    let mv = round.any(&mut rng).unwrap().0;
                    assert_eq!(position.check(mv), Ok(()));
                    let mut next = round.clone();
                    next.play(mv);
                    assert_eq!(next.potential, potential(&position.with_segment(mv)));
                    let last = next.left == 0;
                    let counted = position.with_segment(mv).scoring_dots().count();
                    position.play(mv).unwrap();
                    if last {
                        let mut worth = vec![0.0; next.seats()];
                        next.evaluate(&mut worth);
                        assert_eq!(worth[next.offense.index()] as usize, counted);
                        assert_eq!(next.to_move(), None);
                    } else {
                        assert_eq!(UnpackedRound::new(&position).dots, next.dots);
                    }
                }
            }
        }
    }
}
