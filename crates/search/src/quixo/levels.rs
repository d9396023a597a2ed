//! The players below Strong. They take a line that they can complete, build lines, and overlook some of the opponent's.

use super::NARROW;
use super::board::{Board, BoardEnd, Geometry, Slide};
use super::mask::{BoardLine, Mask, Wide};
use crate::lookahead::{Lapses, Sight, Sighted, lookahead};
use crate::max_n::SearchState;
use crate::{Control, Level, Report, WIN_SCORE};
use quadrille_rules::quixo::{Push, Quixo};
use quadrille_rules::{Position, Seat, Symbol};
use std::cmp::Reverse;

/// How a player judges a board on which the game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// By its own longest line.
    OwnLongest,
    /// By the longest lines of both players.
    Longest,
    /// By all dice, and by dice that share a line.
    Dice,
    /// By all dice, wherever they are.
    DiceAnywhere,
}

/// Returns the lookahead limits of a level, and its judgment.
const fn sight(level: Level) -> (Sight, Judgement) {
    let (plies, overlooks, judgement) = match level {
        Level::Beginner => (2, 25, Judgement::OwnLongest),
        Level::Casual => (2, 5, Judgement::Longest),
        _ => (3, 5, Judgement::Dice),
    };
    (Sight { plies, width: 48, lapses: Lapses::Features(overlooks) }, judgement)
}

/// The maximum number of places examined for the moves of one position. On larger boards, fewer moves are considered.
const WORK: usize = 6_000;

/// The score of a die anywhere, as a share of the score of a complete line.
const DIE: f32 = 0.3;

/// The lines that pushes complete for the other side, as one feature beside the lines of the board.
const GIFTS: u64 = u64::MAX;

/// Chooses the move of a level below Strong. It does not return to one of the `earlier` positions of the match if it has
/// another move.
pub fn play_as(
    position: &Quixo,
    earlier: &[Quixo],
    level: Level,
    control: &Control<'_, Push>,
) -> Report<Push> {
    let (sight, judgement) = sight(level);
    play_with(position, earlier, sight, judgement, control)
}

/// Chooses the move of a player, as [`play_as`] does.
pub fn play_with(
    position: &Quixo,
    earlier: &[Quixo],
    sight: Sight,
    judgement: Judgement,
    control: &Control<'_, Push>,
) -> Report<Push> {
    let play = if position.size() > NARROW { play::<Wide> } else { play::<u64> };
    play(position, earlier, sight, judgement, control)
}

fn play<M: Mask>(
    position: &Quixo,
    earlier: &[Quixo],
    mut sight: Sight,
    judgement: Judgement,
    control: &Control<'_, Push>,
) -> Report<Push> {
    let Some(seat) = position.to_move() else { return Report::default() };
    let geometry = Geometry::<M>::new(position);
    let board_of = |position: &Quixo| {
        let mover = position.to_move()?;
        Some(Board::of(position, Symbol::from(mover)))
    };
    let earlier: Vec<Board<M>> = earlier.iter().filter_map(board_of).collect();
    let dice = Dice {
        geometry: &geometry,
        earlier: &earlier,
        player: seat,
        judgement,
        sees_gifts: !sight.overlooks(control.limits.seed, GIFTS, 1),
        board: Board::of(position, Symbol::from(seat)),
        seat,
    };
    sight.width = sight.width.min(WORK / usize::from(position.size()).pow(2));
    lookahead(&dice, &sight, control, |push| geometry.slides[push].push)
}

/// A board as evaluated by a player below Strong.
#[derive(Clone)]
struct Dice<'a, M> {
    geometry: &'a Geometry<M>,
    /// The earlier boards of the match.
    earlier: &'a [Board<M>],
    /// The player whose thoughts these are.
    player: Seat,
    judgement: Judgement,
    /// Whether the player sees the lines that a push completes for the other side.
    sees_gifts: bool,
    board: Board<M>,
    seat: Seat,
}

impl<M: Mask> Dice<'_, M> {
    /// Returns the end of the game as far as the player sees it.
    fn end(&self) -> Option<BoardEnd> {
        let is_gift = |end: &BoardEnd| *end == BoardEnd::Won;
        self.geometry.end(self.board).filter(|end| self.sees_gifts || !is_gift(end))
    }

    /// Returns whether the player would return to an earlier board.
    fn repeats(&self) -> bool {
        self.seat != self.player && self.earlier.contains(&self.board)
    }

    /// Returns the score of the board for the seat to move.
    fn score(&self) -> f32 {
        if self.repeats() {
            return 2.0 * WIN_SCORE as f32;
        }
        let Board { own, other } = self.board;
        match (self.end(), self.judgement) {
            (Some(BoardEnd::Won), _) => WIN_SCORE as f32,
            (Some(BoardEnd::Lost), _) => -WIN_SCORE as f32,
            (Some(BoardEnd::Drawn), _) => 0.0,
            (None, Judgement::OwnLongest) if self.seat == self.player => self.longest(own),
            (None, Judgement::OwnLongest) => -self.longest(other),
            (None, Judgement::Longest) => self.longest(own) - self.longest(other),
            (None, Judgement::Dice | Judgement::DiceAnywhere) => {
                self.count(own) - self.count(other)
            }
        }
    }

    /// Returns the largest number of these dice on one line.
    fn longest(&self, dice: M) -> f32 {
        let on_lines = self.geometry.lines.iter().map(|line| (dice & line.places).count());
        on_lines.max().unwrap_or_default() as f32
    }

    /// Scores each line that the player minds by the cube of the number of these dice on it, and each die.
    fn count(&self, dice: M) -> f32 {
        let cube = |count: u32| (count * count * count) as f32;
        let lines = self.geometry.lines.iter().filter(|_| self.judgement == Judgement::Dice);
        let on_lines: f32 = lines.map(|line| cube((dice & line.places).count())).sum();
        on_lines + DIE * cube(u32::from(self.geometry.size)) * dice.count() as f32
    }

    fn after(&self, push: usize) -> Self {
        let mut next = self.clone();
        next.play(push);
        next
    }
}

impl<M: Mask> SearchState for Dice<'_, M> {
    /// The index of a slide.
    type Move = usize;

    fn seats(&self) -> usize {
        2
    }

    fn to_move(&self) -> Option<Seat> {
        (self.end().is_none() && !self.repeats()).then_some(self.seat)
    }

    fn moves(&self, out: &mut Vec<usize>) {
        let from = out.len();
        let slides = self.geometry.slides.iter().zip(0..);
        let is_legal = |(slide, _): &(&Slide<M>, usize)| slide.is_legal(self.board);
        out.extend(slides.filter(is_legal).map(|(_, at)| at));
        out[from..].sort_by_cached_key(|&push| Reverse(-self.after(push).score() as i32));
    }

    fn play(&mut self, push: usize) {
        self.board = self.geometry.slides[push].play(self.board);
        self.seat = self.seat.next(2);
    }

    fn evaluate(&self, worth: &mut [f32]) {
        worth[self.seat.index()] = self.score();
        worth[self.seat.next(2).index()] = 0.0;
    }
}

impl<M: Mask> Sighted for Dice<'_, M> {
    /// The feature is the line that the push completes.
    fn feature(&self, push: usize) -> Option<(u64, u32)> {
        let own = self.geometry.slides[push].play(self.board).other;
        if !self.geometry.has_line(own) {
            return None;
        }
        let is_complete = |line: &BoardLine<M>| own & line.places == line.places;
        self.geometry.lines.iter().position(is_complete).map(|line| (line as u64, 1))
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
            is(&after(&position, play_as(&position, &[], level, &control).best[0]))
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
    fn every_level_completes_a_line() {
        let four = "size=5 grid=XXXX-O---OO---OO--------- first=X";
        let won = LEVELS.map(|level| often(four, level, |position| position.outcome().is_some()));
        assert_eq!(won, [100; 3]);
    }

    /// X has a move that changes nothing, and would like to go back and forth.
    #[test]
    fn levels_do_not_return_to_earlier_positions() {
        let position = Quixo::from_setup(&"size=4 grid=XOX-O-XO-XOXOXOX first=X".parse().unwrap());
        let position = position.unwrap();
        let stop = AtomicBool::new(false);
        for level in LEVELS {
            for seed in 0..50 {
                let limits = Limits { seed, ..Limits::default() };
                let control = Control::<Push>::new(&stop, limits, &NoTableCache, &|_| ());
                let choose = |earlier: &[Quixo]| {
                    let report = play_as(&position, earlier, level, &control);
                    after(&position, report.best[0])
                };
                let first = choose(&[]);
                if first.outcome().is_none() {
                    assert_ne!(choose(std::slice::from_ref(&first)), first, "{level}");
                }
            }
        }
    }

    #[test]
    fn beginner_overlooks_more_lines_than_higher_levels() {
        let four = "size=5 grid=OOOO-X---XX---XX--------- first=X";
        let lets = LEVELS
            .map(|level| often(four, level, |board| board.outcome().is_none() && can_win(board)));
        assert!((12..35).contains(&lets[0]) && lets[1] < 12 && lets[2] < 12, "{lets:?}");
    }
}
