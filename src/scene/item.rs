//! What a board shows, in the board's own coordinates: neither cells nor pixels, and no colours.

use super::Role;

/// What a board shows at one moment. `P` is what can be chosen on it, as the widget of the game
/// names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene<P> {
    /// What the places of its items are places of.
    pub ground: Ground,
    /// What stands on it. Later items lie over earlier ones.
    pub items: Vec<Item<P>>,
    /// What is to be kept in sight: where the cursor is.
    pub focus: Option<P>,
}

/// The ground that a board is drawn on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Dots in rows and columns; an [`At`] is a dot.
    Lattice {
        /// Rows of dots.
        rows: u8,
        /// Columns of dots.
        cols: u8,
    },
}

/// A point of the ground, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct At {
    /// From the top.
    pub row: u8,
    /// From the left.
    pub col: u8,
}

/// A thing on a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item<P> {
    /// Its form.
    pub shape: Shape,
    /// What it means; a theme says what that looks like.
    pub role: Role,
    /// What is chosen where it lies, if anything is.
    pub place: Option<P>,
}

/// The form of a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A dot.
    Dot(At),
    /// A line from one point to another, in this manner.
    Line([At; 2], Stroke),
    /// The rectangle between two opposite corners, and a letter in its middle.
    Area([At; 2], Option<char>),
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// It is there.
    Solid,
    /// It could be there.
    Faint,
    /// It would be there.
    Ghost,
    /// It is there, and cannot be drawn again.
    Blocked,
}

impl<P> Scene<P> {
    /// Adds a thing on which nothing is chosen.
    pub fn add(&mut self, shape: Shape, role: Role) {
        self.items.push(Item { shape, role, place: None });
    }

    /// Adds a thing where this is chosen.
    pub fn add_at(&mut self, place: P, shape: Shape, role: Role) {
        self.items.push(Item { shape, role, place: Some(place) });
    }
}
