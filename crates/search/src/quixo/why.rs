//! Why a push is played, in a few words.

use super::board::{Board, BoardEnd, Geometry, Slide};
use super::mask::Mask;
use crate::OTHER;
use quadrille_rules::Position;
use quadrille_rules::Symbol;
use quadrille_rules::quixo::{Push, Quixo};

/// What the push does. It is true whatever the opponent does. `None` if it is not legal.
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
        let loses = |slide: &Slide<M>| {
            let after = slide.play(board);
            geometry.end(after).map_or_else(|| wins_at_once(after), |end| end == BoardEnd::Won)
        };
        return Some(if geometry.legal(board).all(loses) {
            format!("cannot stop a line of {other}, as no push can")
        } else {
            format!("lets {OTHER} complete a line of {other}")
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
    let size = geometry.size;
    Some(if wins && geometry.legal(after).any(goes_on) {
        format!("makes more threats than {OTHER} can stop")
    } else if wins {
        format!("leaves {OTHER} only pushes that complete a line of {own}")
    } else if wins_at_once(board.turned()) {
        format!("stops a line of {other}")
    } else if wins_at_once(after.turned()) {
        format!("threatens a line of {own}")
    } else if now > before && now > 1 {
        format!("brings {now} of {size} into a line")
    } else if left < met {
        format!("breaks up {met} of {size} in a line of {other}")
    } else {
        format!("leaves {OTHER} no line to complete")
    })
}
