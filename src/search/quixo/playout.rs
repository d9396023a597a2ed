//! Games played by chance to their end.

use super::board::{Board, End, Geometry, Mask};
use fastrand::Rng;

/// How a game by chance went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// How it ended for the seat that moved first in it; `None` if it was broken off.
    pub end: Option<End>,
    /// How many pushes were played.
    pub plies: u32,
}

/// Plays legal pushes, each as likely as any other, until there is a line, or for at most so many
/// plies. The game must not be over.
pub fn playout<M: Mask>(
    geometry: &Geometry<M>,
    mut board: Board<M>,
    most: u32,
    rng: &mut Rng,
) -> Playout {
    let slides = geometry.slides.as_slice();
    for plies in 1..=most {
        let slide = loop {
            let slide = &slides[rng.u32(..slides.len() as u32) as usize];
            if slide.is_legal(board) {
                break slide;
            }
        };
        board = slide.play(board);
        if let Some(end) = geometry.end(board) {
            // It is told to the seat that would move next.
            let end = match end {
                End::Won if plies % 2 == 1 => End::Lost,
                End::Lost if plies % 2 == 1 => End::Won,
                end => end,
            };
            return Playout { end: Some(end), plies };
        }
    }
    Playout { end: None, plies: most }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::quixo::Quixo;

    #[test]
    fn games_by_chance_end_as_the_rules_have_it() {
        let mut rng = Rng::with_seed(1);
        let geometry = Geometry::<u64>::new(&Quixo::new(5).unwrap());
        let empty = Board { own: 0, other: 0 };
        let mut handed_over = 0;
        let mut games = 0;
        for _ in 0..2000 {
            let game = playout(&geometry, empty, 1000, &mut rng);
            // Whoever pushed last has lost where only the other has a line.
            let last_was_first = game.plies % 2 == 1;
            handed_over +=
                u32::from(game.end == Some(if last_was_first { End::Lost } else { End::Won }));
            games += u32::from(game.end.is_some());
            assert!(game.plies >= 9 || game.plies % 2 == 0);
        }
        assert_eq!(games, 2000);
        // As many as others have counted: 31 in 100.
        assert!((27..=35).contains(&(handed_over * 100 / games)), "{handed_over}");
        assert_eq!(playout(&geometry, empty, 3, &mut rng), Playout { end: None, plies: 3 });
    }
}
