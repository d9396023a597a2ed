//! The reasons for pushes.

use super::board::{Board, BoardEnd, Geometry, Slide};
use super::mask::Mask;
use quadrille_rules::Position;
use quadrille_rules::Symbol;
use quadrille_rules::quixo::{Push, Quixo};

/// The effect of a push in Quixo, regardless of the opponent's reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuixoReason {
    /// Completes a line of this symbol.
    Completes(Symbol),
    /// Completes lines of both symbols: a draw.
    CompletesBoth,
    /// Does not stop the opponent, whose symbol this is, from completing a line; no push can.
    CannotStop(Symbol),
    /// Lets the opponent complete a line of this symbol.
    Allows(Symbol),
    /// Whatever the opponent pushes, a line of this symbol, the player's own, can be completed next.
    Unstoppable(Symbol),
    /// Leaves the opponent only pushes that complete a line of this symbol, which is the player's own.
    Forces(Symbol),
    /// Stops the opponent, whose symbol this is, from completing a line.
    Stops(Symbol),
    /// Threatens to complete a line of this symbol.
    Threatens(Symbol),
    /// Increases the dice in the player's fullest line to `dice` of `size`.
    Builds {
        /// The number of the player's dice in the fullest line now.
        dice: u32,
        /// The number of dice in a full line.
        size: u8,
    },
    /// Breaks up an opponent's line that had `dice` of `size` dice.
    BreaksUp {
        /// The number of the opponent's dice in the fullest line before.
        dice: u32,
        /// The number of dice in a full line.
        size: u8,
        /// The opponent's symbol.
        symbol: Symbol,
    },
    /// Leaves neither player a threat.
    Safe,
}

/// Returns the effect of a push. `None` if the push is illegal.
pub fn why<M: Mask>(position: &Quixo, push: Push) -> Option<QuixoReason> {
    let geometry = Geometry::<M>::new(position);
    let own = Symbol::from(position.to_move()?);
    let board = Board::of(position, own);
    let slide = geometry.legal(board).find(|slide| slide.push == push)?;
    let other = own.opponent();
    let after = slide.play(board);
    match geometry.end(after) {
        Some(BoardEnd::Lost) => return Some(QuixoReason::Completes(own)),
        Some(BoardEnd::Won) => return Some(QuixoReason::Completes(other)),
        Some(BoardEnd::Drawn) => return Some(QuixoReason::CompletesBoth),
        None => (),
    }
    let wins_at_once = |board| geometry.winning(board).is_some();
    if wins_at_once(after) {
        let loses = |slide: &Slide<M>| {
            let after = slide.play(board);
            geometry.end(after).map_or_else(|| wins_at_once(after), |end| end == BoardEnd::Won)
        };
        let is_lost = geometry.legal(board).all(loses);
        return Some(if is_lost {
            QuixoReason::CannotStop(other)
        } else {
            QuixoReason::Allows(other)
        });
    }
    let goes_on = |answer: &Slide<M>| geometry.end(answer.play(after)).is_none();
    let wins = geometry.legal(after).all(|answer| {
        let next = answer.play(after);
        geometry.end(next).map_or_else(|| wins_at_once(next), |end| end == BoardEnd::Won)
    });
    let most = |dice: M| geometry.lines.iter().map(|line| (line.places & dice).count()).max();
    let most = |dice: M| most(dice).unwrap_or_default();
    let [before, now] = [most(board.own), most(after.other)];
    let [met, left] = [most(board.other), most(after.own)];
    let size = position.size();
    Some(if wins && geometry.legal(after).any(goes_on) {
        QuixoReason::Unstoppable(own)
    } else if wins {
        QuixoReason::Forces(own)
    } else if wins_at_once(board.turned()) {
        QuixoReason::Stops(other)
    } else if wins_at_once(after.turned()) {
        QuixoReason::Threatens(own)
    } else if now > before && now > 1 {
        QuixoReason::Builds { dice: now, size }
    } else if left < met {
        QuixoReason::BreaksUp { dice: met, size, symbol: other }
    } else {
        QuixoReason::Safe
    })
}
