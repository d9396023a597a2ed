//! Two players without a plan. `benches/levels.rs` plays them against the levels, to measure how strong a level feels to
//! a person who knows little more than the rules.

use fastrand::Rng;
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_rules::intersections::Intersections;
use quadrille_rules::join_the_dots::JoinTheDots;
use quadrille_rules::quixo::Quixo;
use quadrille_rules::tic_tac_toe::TicTacToe;
use quadrille_rules::{Position, Seat};

/// How far a player without a plan looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naive {
    /// Takes the largest gain of one move, and otherwise moves at random.
    Zero,
    /// Without a gain, also avoids gifts, and moves after which the opponent's best move gains.
    One,
}

/// A game and what one move gains.
pub trait Gains: Position {
    /// Returns what a legal move gains for the player to move: points, or 1 for a win. What it gives to the opponent at
    /// once, a dot made in defense or a line of the other symbol, is negative.
    fn gain(&self, mv: Self::Move) -> i32;
}

impl Gains for DotsAndBoxes {
    fn gain(&self, mv: Self::Move) -> i32 {
        let seat = seat_of(self).index();
        (after(self, mv).score()[seat] - self.score()[seat]) as i32
    }
}

impl Gains for JoinTheDots {
    fn gain(&self, mv: Self::Move) -> i32 {
        self.cycle_closed_by(mv).map_or(0, |cycle| cycle.len() as i32)
    }
}

impl Gains for Intersections {
    fn gain(&self, mv: Self::Move) -> i32 {
        let made = self.with_segment(mv).scoring_dots().count() - self.scoring_dots().count();
        if self.round().offense == seat_of(self) { made as i32 } else { -(made as i32) }
    }
}

impl Gains for Quixo {
    fn gain(&self, mv: Self::Move) -> i32 {
        win_or_loss(self, mv)
    }
}

impl Gains for TicTacToe {
    fn gain(&self, mv: Self::Move) -> i32 {
        win_or_loss(self, mv)
    }
}

fn win_or_loss<G: Position>(position: &G, mv: G::Move) -> i32 {
    let seat = seat_of(position);
    let Some(outcome) = after(position, mv).outcome() else { return 0 };
    i32::from(outcome.is_winner(seat)) - i32::from(outcome.is_winner(seat.next(2)))
}

/// Returns the seat to move; the game is not over.
fn seat_of<G: Position>(position: &G) -> Seat {
    position.to_move().unwrap_or(Seat::FIRST)
}

fn after<G: Position>(position: &G, mv: G::Move) -> G {
    let mut next = position.clone();
    let played = next.play(mv);
    debug_assert_eq!(played, Ok(()), "a legal move");
    next
}

impl Naive {
    /// Chooses a move for the player to move. `None` if the game is over.
    pub fn choose<G: Gains>(self, position: &G, rng: &mut Rng) -> Option<G::Move> {
        let gains: Vec<(G::Move, i32)> =
            position.legal_moves().into_iter().map(|mv| (mv, position.gain(mv))).collect();
        let most = gains.iter().map(|&(_, gain)| gain).max()?;
        let with = |is: &dyn Fn(i32) -> bool| -> Vec<G::Move> {
            gains.iter().filter(|&&(_, gain)| is(gain)).map(|&(mv, _)| mv).collect()
        };
        if most > 0 {
            return rng.choice(with(&|gain| gain == most));
        }
        if self == Naive::Zero {
            return rng.choice(with(&|_| true));
        }
        let moves = with(&|gain| gain == most);
        let is_quiet = |mv: &&G::Move| !offers(position, **mv);
        let quiet: Vec<G::Move> = moves.iter().filter(is_quiet).copied().collect();
        rng.choice(if quiet.is_empty() { moves } else { quiet })
    }
}

/// Returns whether the opponent can gain by one move after this move.
fn offers<G: Gains>(position: &G, mv: G::Move) -> bool {
    let next = after(position, mv);
    next.to_move() != position.to_move()
        && next.legal_moves().into_iter().any(|reply| next.gain(reply) > 0)
}
