//! Random games, played to their end.

use super::layout::{BoardLayout, Marks};
use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};

/// Plays games in which every legal move is as likely as every other, from one position.
pub struct Playouts {
    layout: BoardLayout,
    start: Marks,
    marks: Marks,
    /// The lines that are undrawn at the start, in the order of the last game.
    order: Vec<u16>,
    rng: fastrand::Rng,
}

impl Playouts {
    /// Random games from this position, by the seed.
    pub fn new(position: &DotsAndBoxes, seed: u64) -> Playouts {
        let layout = BoardLayout::new(position);
        let start = layout.marks(position);
        let order = layout.undrawn(&start).collect();
        Playouts { layout, marks: start.clone(), start, order, rng: fastrand::Rng::with_seed(seed) }
    }

    /// Plays a game to its end. Returns how many boxes are taken by the player to move at the start, and how many by
    /// the other.
    pub fn play(&mut self) -> [u32; 2] {
        self.marks.clone_from(&self.start);
        let mut score = [0; 2];
        let mut player = 0;
        for index in 0..self.order.len() {
            let other = self.rng.usize(index..self.order.len());
            self.order.swap(index, other);
            let closed = self.layout.draw(&mut self.marks, self.order[index]);
            score[player] += closed as u32;
            player ^= usize::from(closed == 0);
        }
        score
    }

    /// The lines of the last game, in the order in which they were drawn.
    pub fn lines(&self) -> impl Iterator<Item = Line> {
        self.order.iter().map(|&line| self.layout.lines[line as usize])
    }
}
