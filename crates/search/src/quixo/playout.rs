//! Random games, played to their end.

use super::board::{Board, BoardEnd, Geometry, Slide};
use super::mask::Mask;
use fastrand::Rng;

/// The result of a random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// How it ended for the seat that moved first; `None` if it was broken off.
    pub end: Option<BoardEnd>,
    /// How many pushes were played.
    pub plies: u32,
}

/// Plays random pushes, each legal one as likely as every other, until there is a line, or for at most `most` plies.
/// The game must not be over.
pub fn playout<M: Mask>(
    geometry: &Geometry<M>,
    mut board: Board<M>,
    most: u32,
    rng: &mut Rng,
) -> Playout {
    let slides = geometry.slides.as_slice();
    for plies in 1..=most {
        board = any_slide(slides, board, rng).play(board);
        if let Some(end) = geometry.end(board) {
            // `end` is for the seat that would move next.
            let end = match end {
                BoardEnd::Won if plies % 2 == 1 => BoardEnd::Lost,
                BoardEnd::Lost if plies % 2 == 1 => BoardEnd::Won,
                end => end,
            };
            return Playout { end: Some(end), plies };
        }
    }
    Playout { end: None, plies: most }
}

/// A random legal slide. The probabilities of any two differ by less than one in ten thousand.
fn any_slide<'a, M: Mask>(slides: &'a [Slide<M>], board: Board<M>, rng: &mut Rng) -> &'a Slide<M> {
    const BITS: u32 = 21;
    loop {
        // Three random slides from one random number. A processor cannot predict which of them is legal, so the choice
        // is made without branches.
        let number = rng.u64(..);
        let [first, second, third] = [0, 1, 2].map(|throw| {
            let part = number >> (throw * BITS) & ((1 << BITS) - 1);
            &slides[((part * slides.len() as u64) >> BITS) as usize]
        });
        let slide = std::hint::select_unpredictable(second.is_legal(board), second, third);
        let slide = std::hint::select_unpredictable(first.is_legal(board), first, slide);
        if slide.is_legal(board) {
            return slide;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_rules::quixo::Quixo;

    #[test]
    fn every_legal_slide_is_as_likely_as_any_other() {
        let geometry = Geometry::<u32>::new(&Quixo::new(5).unwrap());
        // A third of the rim shows the other symbol.
        let other = [0, 4, 9, 14, 20].map(u32::place).into_iter().fold(0, |all, die| all | die);
        let board = Board { own: u32::place(2), other };
        let mut rng = Rng::with_seed(3);
        let mut counts = vec![0_u32; geometry.slides.len()];
        let legal = geometry.legal(board).count() as u32;
        for _ in 0..legal * 1000 {
            let slide = any_slide(&geometry.slides, board, &mut rng);
            let at = geometry.slides.iter().position(|listed| listed.push == slide.push).unwrap();
            counts[at] += 1;
        }
        for (slide, count) in geometry.slides.iter().zip(counts) {
            if slide.is_legal(board) {
                // Five standard deviations.
                assert!((840..1160).contains(&count), "{count}");
            } else {
                assert_eq!(count, 0);
            }
        }
    }

    #[test]
    fn games_by_chance_end_as_the_rules_have_it() {
        let mut rng = Rng::with_seed(1);
        let geometry = Geometry::<u64>::new(&Quixo::new(5).unwrap());
        let empty = Board { own: 0, other: 0 };
        let mut handed_over = 0;
        let mut games = 0;
        for _ in 0..2000 {
            let game = playout(&geometry, empty, 1000, &mut rng);
            // The seat that pushed last has lost if only the other has a line.
            let last_was_first = game.plies % 2 == 1;
            handed_over += u32::from(
                game.end == Some(if last_was_first { BoardEnd::Lost } else { BoardEnd::Won }),
            );
            games += u32::from(game.end.is_some());
            assert!(game.plies >= 9 || game.plies % 2 == 0);
        }
        assert_eq!(games, 2000);
        // An earlier count of random games found 31 in 100.
        assert!((27..=35).contains(&(handed_over * 100 / games)), "{handed_over}");
        assert_eq!(playout(&geometry, empty, 3, &mut rng), Playout { end: None, plies: 3 });
    }
}
