//! The players below Strong.

use super::board::{Board, BoardEnd, Geometry, Slide};
use super::mask::Mask;
use crate::lookahead::{Sight, lookahead};
use crate::max_n::SearchState;
use crate::{Control, Level, Report, WIN_SCORE};
use quadrille_rules::quixo::{Push, Quixo};
use quadrille_rules::{Position, Seat, Symbol};
use std::cmp::Reverse;

/// Returns the lookahead limits of a level.
const fn sight(level: Level) -> Sight {
    match level {
        Level::Beginner => Sight { plies: 2, width: 48, blunder_rate: 20 },
        Level::Casual => Sight { plies: 2, width: 48, blunder_rate: 15 },
        _ => Sight { plies: 3, width: 48, blunder_rate: 3 },
    }
}

/// The maximum number of places examined for the moves of one position. On larger boards, fewer moves are considered.
const WORK: usize = 6_000;

/// The score of a die anywhere, as a share of the score of a complete line.
const DIE: f32 = 0.3;

/// Chooses the move of a level below Strong.
pub fn play_as<M: Mask>(
    position: &Quixo,
    level: Level,
    control: &Control<'_, Push>,
) -> Report<Push> {
    let Some(seat) = position.to_move() else { return Report::default() };
    let geometry = Geometry::<M>::new(position);
    let board = Board::of(position, Symbol::from(seat));
    let minds_lines = level != Level::Beginner;
    let contest = Dice { geometry: &geometry, minds_lines, board, seat };
    let mut sight = sight(level);
    sight.width = sight.width.min(WORK / usize::from(position.size()).pow(2));
    lookahead(&contest, &sight, control, |push| geometry.slides[push].push)
}

/// A board as evaluated by a player below Strong.
#[derive(Clone)]
struct Dice<'a, M> {
    geometry: &'a Geometry<M>,
    /// Whether dice that share a line score more. Otherwise, only the number of dice counts.
    minds_lines: bool,
    board: Board<M>,
    seat: Seat,
}

impl<M: Mask> Dice<'_, M> {
    /// Returns the score of a board for the seat to move. The dice on a line score the cube of their number.
    fn score(&self, board: Board<M>) -> f32 {
        match self.geometry.end(board) {
            Some(BoardEnd::Won) => return WIN_SCORE as f32,
            Some(BoardEnd::Lost) => return -WIN_SCORE as f32,
            Some(BoardEnd::Drawn) => return 0.0,
            None => {}
        }
        let size = u32::from(self.geometry.size);
        let cube = |count: u32| (count * count * count) as f32;
        let count = |dice: M| {
            let lines = self.geometry.lines.iter().filter(|_| self.minds_lines);
            let on_lines: f32 = lines.map(|line| cube((dice & line.places).count())).sum();
            on_lines + DIE * cube(size) * dice.count() as f32
        };
        count(board.own) - count(board.other)
    }

    fn after(&self, slide: &Slide<M>) -> Board<M> {
        slide.play(self.board)
    }
}

impl<M: Mask> SearchState for Dice<'_, M> {
    /// The index of a slide.
    type Move = usize;

    fn seats(&self) -> usize {
        2
    }

    fn to_move(&self) -> Option<Seat> {
        self.geometry.end(self.board).is_none().then_some(self.seat)
    }

    fn moves(&self, out: &mut Vec<usize>) {
        let from = out.len();
        let slides = self.geometry.slides.iter().zip(0..);
        out.extend(slides.filter(|(slide, _)| slide.is_legal(self.board)).map(|(_, at)| at));
        out[from..].sort_by_cached_key(|&at| {
            Reverse(-self.score(self.after(&self.geometry.slides[at])) as i32)
        });
    }

    fn play(&mut self, push: usize) {
        self.board = self.after(&self.geometry.slides[push]);
        self.seat = self.seat.next(2);
    }

    fn evaluate(&self, worth: &mut [f32]) {
        let score = self.score(self.board);
        worth[self.seat.index()] = score;
        worth[self.seat.next(2).index()] = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minimax::after;
    use crate::{Limits, NoTableCache};
    use std::sync::atomic::AtomicBool;

    const LEVELS: [Level; 3] = [Level::Beginner, Level::Casual, Level::Skilled];

    /// Returns how many of 100 pushes of a level lead to a position that satisfies the predicate.
    fn often(setup: &str, level: Level, is: impl Fn(&Quixo) -> bool) -> usize {
        let position = Quixo::from_setup(&setup.parse().unwrap()).unwrap();
        let stop = AtomicBool::new(false);
        let leads = |&seed: &u64| {
            let limits = Limits { seed, ..Limits::default() };
            let control = Control::<Push>::new(&stop, limits, &NoTableCache, &|_| ());
            is(&after(&position, play_as::<u64>(&position, level, &control).best[0]))
        };
        (0..100).filter(leads).count()
    }

    fn can_win(position: &Quixo) -> bool {
        let seat = position.to_move().unwrap();
        let mut pushes = Vec::new();
        position.append_legal_moves(&mut pushes);
        pushes.into_iter().any(|push| {
            after(position, push)
                .outcome()
                .is_some_and(|outcome| outcome == quadrille_rules::Outcome::win(seat))
        })
    }

    #[test]
    fn levels_usually_complete_a_line() {
        let four = "size=5 grid=XXXX-O---OO---OO--------- first=X";
        let won = LEVELS.map(|level| often(four, level, |position| position.outcome().is_some()));
        assert!(won.iter().all(|&won| won > 80), "{won:?}");
    }

    #[test]
    fn higher_levels_block_lines_more_often() {
        let four = "size=5 grid=OOOO-X---XX---XX--------- first=X";
        let lets = LEVELS
            .map(|level| often(four, level, |board| board.outcome().is_none() && can_win(board)));
        assert!(lets[0] < 75 && lets[0] > lets[1] && lets[1] > lets[2], "{lets:?}");
    }
}
