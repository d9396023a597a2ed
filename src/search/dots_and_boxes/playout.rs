//! Games played by chance to their end.

use super::field::{Field, Marks};
use crate::rules::dots_and_boxes::{Line, Pipopipette};

/// Plays games in which every legal move is as likely as every other, from one position.
pub struct Playouts {
    field: Field,
    start: Marks,
    marks: Marks,
    /// The lines undrawn at the start, in the order of the last game.
    order: Vec<u16>,
    rng: fastrand::Rng,
}

impl Playouts {
    /// Games from this position, by chance that begins at `seed`.
    pub fn new(position: &Pipopipette, seed: u64) -> Playouts {
        let field = Field::new(position);
        let start = field.marks(position);
        let order = field.open(&start).collect();
        Playouts { field, marks: start.clone(), start, order, rng: fastrand::Rng::with_seed(seed) }
    }

    /// Plays a game to its end: the boxes taken in it by the player to move at the start, and by the
    /// other.
    pub fn play(&mut self) -> [u32; 2] {
        self.marks.clone_from(&self.start);
        let mut score = [0; 2];
        let mut player = 0;
        for index in 0..self.order.len() {
            let other = self.rng.usize(index..self.order.len());
            self.order.swap(index, other);
            let closed = self.field.draw(&mut self.marks, self.order[index]);
            score[player] += closed as u32;
            player ^= usize::from(closed == 0);
        }
        score
    }

    /// The lines of the last game, in the order in which they were drawn.
    pub fn lines(&self) -> impl Iterator<Item = Line> {
        self.order.iter().map(|&line| self.field.lines[line as usize])
    }
}
