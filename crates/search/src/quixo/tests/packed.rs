//! Tests of packed boards, their pushes and their evaluation.

use super::super::board::{BoardEnd, Slide};
use super::super::evaluation::LineEvaluation;
use super::*;
use crate::minimax::after;
use std::collections::HashSet;

/// Compares lookups with counting the dice and playing all pushes.
fn hold_to_plain<M: Mask>(geometry: &Geometry<M>, board: Board<M>) {
    let wins = |slide: &&Slide<M>| geometry.end(slide.play(board)) == Some(BoardEnd::Lost);
    let winning = geometry.winning(board).map(|at| &geometry.slides[at as usize]);
    assert_eq!(winning.is_some(), geometry.legal(board).any(|slide| wins(&slide)), "{board:?}");
    assert!(winning.is_none_or(|slide| slide.is_legal(board) && wins(&slide)));
    let all: HashSet<_> = geometry.legal(board).map(|slide| slide.play(board)).collect();
    let without_twins = geometry.legal(board).filter(|slide| !slide.has_twin(board));
    let different: HashSet<_> = without_twins.map(|slide| slide.play(board)).collect();
    assert_eq!(different, all, "{board:?}");
    let evaluation = LineEvaluation::new(geometry);
    let evaluated = evaluation.evaluate(board);
    let near = |dice: M| {
        let mut lines = geometry.lines.iter();
        lines.any(|line| (line.places & dice).count() + 1 >= u32::from(geometry.size))
    };
    assert_eq!(evaluated.near, [near(board.own), near(board.other)], "{board:?}");
    for line in &geometry.lines {
        for dice in [board.own, board.other] {
            assert_eq!(M::dice(dice.shown(line)), (dice & line.places).count());
        }
        assert_eq!(M::dice(line.places.shown(line)), u32::from(geometry.size));
    }
    for place in 0..usize::from(geometry.size).pow(2) {
        assert_eq!(M::place(place).sole(), Some(place));
    }
    assert_eq!((board.own | board.other).sole().is_some(), (board.own | board.other).count() == 1);
}

/// Returns the board with rows and columns exchanged, and the board turned upside down.
fn images(position: &Quixo) -> [Quixo; 2] {
    let size = position.size();
    let image = |place: fn(Place, u8) -> Place| {
        let die = |at| position.die(place(at, size - 1)).map_or('-', Symbol::letter);
        let grid: String = Place::all(size, size).map(die).collect();
        Quixo::from_setup(&position.setup().with("grid", grid)).unwrap()
    };
    [
        image(|at, _| Place { row: at.col, col: at.row }),
        image(|at, last| Place { row: last - at.row, col: at.col }),
    ]
}

#[test]
fn symmetric_boards_share_an_evaluation() {
    fn hold<M: Mask>(size: u8) {
        let mut rng = fastrand::Rng::with_seed(17);
        for round in 0..40 {
            let position = random(size, 1 + round % 4, &mut rng);
            let evaluation = LineEvaluation::new(&Geometry::<M>::new(&position));
            let evaluated = evaluation.evaluate(board_of(&position));
            for image in images(&position) {
                assert_eq!(evaluation.evaluate(board_of(&image)), evaluated, "{position}");
            }
            // Own dice score, and the other seat's dice count negatively.
            let full = random(size, 0, &mut rng);
            let board: Board<M> = board_of(&full);
            let none = Board { own: board.own, other: M::NONE };
            assert!(
                evaluation.evaluate(none).score > 0 && evaluation.evaluate(none.turned()).score < 0
            );
        }
    }
    hold::<u32>(5);
    hold::<u64>(6);
    hold::<u64>(8);
    hold::<Wide>(9);
}

/// Plays random games, and compares every push and its origins with the rules.
fn hold_to_the_rules<M: Mask>(size: u8, games: u64, plies: usize) {
    let mut rng = fastrand::Rng::with_seed(u64::from(size));
    for game in 0..games {
        let mut position = random(size, if game % 2 == 0 { 60 } else { 1 }, &mut rng);
        let geometry = Geometry::<M>::new(&position);
        for _ in 0..plies {
            if position.to_move().is_none() {
                break;
            }
            let symbol = mover(&position);
            let board = Board::<M>::of(&position, symbol);
            assert_eq!(geometry.end(board), None);
            hold_to_plain(&geometry, board);
            let pushes: Vec<Push> = geometry.legal(board).map(|slide| slide.push).collect();
            assert_eq!(pushes, position.legal_moves());
            for slide in geometry.legal(board) {
                let next = after(&position, slide.push);
                let played = slide.play(board);
                assert_eq!(
                    played,
                    Board::of(&next, symbol.opponent()),
                    "{position}\n{}",
                    slide.push
                );
                let end = next.outcome().map(|outcome| {
                    match [symbol.opponent(), symbol].map(|symbol| outcome.is_winner(symbol.seat()))
                    {
                        [true, false] => BoardEnd::Won,
                        [false, true] => BoardEnd::Lost,
                        _ => BoardEnd::Drawn,
                    }
                });
                assert_eq!(geometry.end(played), end);
                let [blank, own] = slide.origins(played).unwrap();
                let was_own = board.own & slide.from != M::NONE;
                assert_eq!(if was_own { own } else { blank }, board);
            }
            position.play(pushes[rng.usize(..pushes.len())]).unwrap();
        }
    }
}

#[test]
fn packed_pushes_follow_the_rules() {
    for size in 2..=SMALL {
        hold_to_the_rules::<u32>(size, 6, 40);
    }
    for size in 2..=NARROW {
        hold_to_the_rules::<u64>(size, 6, 40);
    }
    for size in [2, 5, 8, 9, 11, 12, 16, 23] {
        hold_to_the_rules::<Wide>(size, 2, 8);
    }
    hold_to_the_rules::<Wide>(26, 2, 2);
}
