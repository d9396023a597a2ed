//! The levels below Strong of version 1, which rate puzzles: with the same players, the ratings of all puzzles are on
//! one scale. Matches are played with the [present version](Level::VERSION).
//!
//! The versions share boards and `lookahead`; these are the parameters and judgments that changed. Players of version
//! 1 overlook random moves instead of features (`Lapses::Moves`).

use crate::dots_and_boxes::levels::{self as dots_and_boxes, Habits};
use crate::intersections::unpacked::{COUNTS, POTENTIAL, UnpackedRound};
use crate::join_the_dots::levels as join_the_dots;
use crate::join_the_dots::unpacked::{Sides, UnpackedBoard};
use crate::lookahead::{ByRules, Lapses, Sight, Sighted, lookahead};
use crate::max_n::SearchState;
use crate::quixo::levels::{self as quixo, Judgement};
use crate::{Control, Level, Report};
use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};
use quadrille_rules::intersections::{Intersections, Segment};
use quadrille_rules::join_the_dots::{Edge, JoinTheDots};
use quadrille_rules::quixo::{Push, Quixo};
use quadrille_rules::tic_tac_toe::{Cell, TicTacToe};
use quadrille_rules::{Position, Seat};

/// A game with levels of version 1.
pub trait FirstLevels: Position {
    /// Returns the report of a level below [`Level::Strong`] of version 1. The control's seed determines the mistakes.
    fn play_as_first(&self, level: Level, control: &Control<'_, Self::Move>) -> Report<Self::Move>;
}

const fn sight(plies: u32, width: usize, rate: u32) -> Sight {
    Sight { plies, width, lapses: Lapses::Moves(rate) }
}

impl FirstLevels for DotsAndBoxes {
    fn play_as_first(&self, level: Level, control: &Control<'_, Line>) -> Report<Line> {
        let (blunder_rate, declines, counts_from, playouts) = match level {
            Level::Beginner => (8, 0, 0, 0),
            Level::Casual => (2, 85, 8, 80),
            _ => (0, 98, 12, 1500),
        };
        let compares = level != Level::Beginner;
        let habits = Habits { blunder_rate, compares, declines, counts_from, playouts };
        dots_and_boxes::play_with(self, habits, control.limits.seed)
    }
}

impl FirstLevels for JoinTheDots {
    fn play_as_first(&self, level: Level, control: &Control<'_, Edge>) -> Report<Edge> {
        let sight = match level {
            Level::Beginner => sight(1, join_the_dots::MAX_LINES, 5),
            Level::Casual => sight(2, 64, 8),
            _ => sight(4, 8, 1),
        };
        let sides = Sides::new(self.points());
        join_the_dots::play_with(UnpackedBoard::new(&sides, self), &sight, false, control)
    }
}

impl FirstLevels for Quixo {
    fn play_as_first(&self, level: Level, control: &Control<'_, Push>) -> Report<Push> {
        let (sight, judgement) = match level {
            Level::Beginner => (sight(2, 48, 20), Judgement::DiceAnywhere),
            Level::Casual => (sight(2, 48, 15), Judgement::Dice),
            _ => (sight(3, 48, 3), Judgement::Dice),
        };
        quixo::play_with(self, &[], sight, judgement, control)
    }
}

impl FirstLevels for TicTacToe {
    fn play_as_first(&self, level: Level, control: &Control<'_, Cell>) -> Report<Cell> {
        let sight = match level {
            Level::Beginner => sight(2, 9, 30),
            Level::Casual => sight(2, 9, 8),
            _ => sight(6, 9, 3),
        };
        lookahead(&ByRules(self.clone()), &sight, control, |mv| mv)
    }
}

impl FirstLevels for Intersections {
    fn play_as_first(&self, level: Level, control: &Control<'_, Segment>) -> Report<Segment> {
        let (sight, worths) = match level {
            Level::Beginner => (sight(2, 48, 8), COUNTS),
            Level::Casual => (sight(1, 48, 35), POTENTIAL),
            _ => (sight(3, 48, 6), POTENTIAL),
        };
        let (ordered, judged) = (UnpackedRound::new(self), UnpackedRound::judged(self, worths));
        lookahead(&FirstRound { ordered, judged }, &sight, control, |segment| segment)
    }
}

/// A round whose moves are in the order of their potential, also for a player who counts only dots that count.
#[derive(Clone)]
struct FirstRound {
    ordered: UnpackedRound,
    judged: UnpackedRound,
}

impl SearchState for FirstRound {
    type Move = Segment;

    fn seats(&self) -> usize {
        self.ordered.seats()
    }

    fn to_move(&self) -> Option<Seat> {
        self.ordered.to_move()
    }

    fn moves(&self, out: &mut Vec<Segment>) {
        self.ordered.moves(out);
    }

    fn play(&mut self, segment: Segment) {
        self.ordered.play(segment);
        self.judged.play(segment);
    }

    fn evaluate(&self, worth: &mut [f32]) {
        self.judged.evaluate(worth);
    }
}

impl Sighted for FirstRound {
    fn feature(&self, segment: Segment) -> Option<(u64, u32)> {
        self.ordered.feature(segment)
    }
}
