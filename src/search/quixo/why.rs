//! Why a push is played, in a few words.

use super::board::{Board, End, Geometry, Mask, Slide};
use crate::rules::Game;
use crate::rules::Symbol;
use crate::rules::quixo::{Push, Quixo};

/// What the push does, where that can be said: only what is true whatever the opponent does.
pub fn why<M: Mask>(position: &Quixo, push: Push) -> Option<String> {
    let geometry = Geometry::<M>::new(position);
    let own = Symbol::of(position.to_move()?);
    let board = Board::of(position, own);
    let slide = geometry.legal(board).find(|slide| slide.push == push)?;
    let other = own.other();
    let after = slide.play(board);
    match geometry.end(after) {
        Some(End::Lost) => return Some(format!("completes a line of {own}")),
        Some(End::Won) => return Some(format!("completes a line of {other}")),
        Some(End::Drawn) => return Some("completes lines of both, a draw".to_owned()),
        None => (),
    }
    let turned = |board: Board<M>| Board { own: board.other, other: board.own };
    if wins_at_once(&geometry, after) {
        return None;
    }
    let goes_on = |answer: &&Slide<M>| geometry.end(answer.play(after)).is_none();
    let wins = geometry.legal(after).all(|answer| {
        let next = answer.play(after);
        geometry.end(next).map_or_else(|| wins_at_once(&geometry, next), |end| end == End::Won)
    });
    if wins {
        Some(format!(
            "wins in {}",
            if geometry.legal(after).any(|it| goes_on(&it)) { 3 } else { 2 }
        ))
    } else if wins_at_once(&geometry, turned(board)) {
        Some(format!("stops a line of {other}"))
    } else if wins_at_once(&geometry, turned(after)) {
        Some(format!("threatens a line of {own}"))
    } else {
        let most = |dice: M| geometry.lines.iter().map(|&line| (line & dice).count()).max();
        let (before, now) = (most(board.own)?, most(after.other)?);
        (now > before && now > 1).then(|| format!("brings {now} of {} into a line", geometry.size))
    }
}

/// Whether the seat to move can complete a line of its own, and not one of the other too.
fn wins_at_once<M: Mask>(geometry: &Geometry<M>, board: Board<M>) -> bool {
    geometry.legal(board).any(|slide| geometry.end(slide.play(board)) == Some(End::Lost))
}
