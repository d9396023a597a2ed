//! Why a push is played, in a few words.

use super::board::{Board, BoardEnd, Geometry, Slide};
use super::mask::Mask;
use crate::rules::Game;
use crate::rules::Symbol;
use crate::rules::quixo::{Push, Quixo};

/// What the push does, where that can be said. It is true whatever the opponent does.
pub fn why<M: Mask>(position: &Quixo, push: Push) -> Option<String> {
    let geometry = Geometry::<M>::new(position);
    let own = Symbol::of(position.to_move()?);
    let board = Board::of(position, own);
    let slide = geometry.legal(board).find(|slide| slide.push == push)?;
    let other = own.other();
    let after = slide.play(board);
    match geometry.end(after) {
        Some(BoardEnd::Lost) => return Some(format!("completes a line of {own}")),
        Some(BoardEnd::Won) => return Some(format!("completes a line of {other}")),
        Some(BoardEnd::Drawn) => return Some("completes lines of both, a draw".to_owned()),
        None => (),
    }
    let wins_at_once = |board| geometry.winning(board).is_some();
    if wins_at_once(after) {
        return None;
    }
    let goes_on = |answer: &&Slide<M>| geometry.end(answer.play(after)).is_none();
    let wins = geometry.legal(after).all(|answer| {
        let next = answer.play(after);
        geometry.end(next).map_or_else(|| wins_at_once(next), |end| end == BoardEnd::Won)
    });
    if wins {
        Some(format!(
            "wins in {}",
            if geometry.legal(after).any(|it| goes_on(&it)) { 3 } else { 2 }
        ))
    } else if wins_at_once(board.turned()) {
        Some(format!("stops a line of {other}"))
    } else if wins_at_once(after.turned()) {
        Some(format!("threatens a line of {own}"))
    } else {
        let most = |dice: M| geometry.lines.iter().map(|line| (line.places & dice).count()).max();
        let (before, now) = (most(board.own)?, most(after.other)?);
        (now > before && now > 1).then(|| format!("brings {now} of {} into a line", geometry.size))
    }
}
