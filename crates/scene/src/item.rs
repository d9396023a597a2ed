//! The contents of a board in board coordinates, independent of cells, pixels and colours.

use super::Role;
use quadrille_rules::Symbol;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// A board at one moment. `P` is the type of a selectable place: a line, a die, a point.
///
/// ```
/// use quadrille_scene::{At, BoardGeometry, Role, Scene, Shape, LineStyle};
///
/// // Two rows of two dots, with a line between the upper ones.
/// let mut scene = Scene::on(BoardGeometry::Lattice { rows: 2, cols: 2, numbered: false });
/// let upper = Shape::Line([At::new(0, 0), At::new(0, 1)], LineStyle::Solid);
/// scene.add_at("H0,0", upper, Role::Text);
/// assert_eq!(scene.items[0].place, Some("H0,0"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Scene<P> {
    /// The ground, which defines the meaning of [`At`].
    pub ground: BoardGeometry,
    /// The items, from bottom to top.
    pub items: Vec<Item<P>>,
    /// The place to keep visible: the cursor.
    pub focus: Option<P>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardGeometry {
    /// Dots in rows and columns. An [`At`] is a dot.
    Lattice {
        rows: u8,
        cols: u8,
        /// Whether rows and columns are numbered, starting at 0, and dots have space for badges.
        numbered: bool,
    },
    /// Tiles in rows and columns. An [`At`] is a tile.
    Grid {
        rows: u8,
        cols: u8,
        /// The letter of the first column. Row numbers start at 1.
        first: char,
        /// Whether lines are ruled between the tiles. Otherwise, tiles are separate, with space for pointers at the
        /// edge.
        ruled: bool,
    },
    /// Distinct scattered points. An [`At`] is a position in millionths of the longer side of the bounding box.
    Points(Vec<At>),
}

/// A point of the ground. Points are ordered in reading order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// The row, counted from the top.
    pub row: i32,
    /// The column, counted from the left.
    pub col: i32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Item<P> {
    pub shape: Shape,
    /// The meaning of the item, which a theme maps to a style.
    pub role: Role,
    /// The place selected by a click on the item, if any.
    pub place: Option<P>,
    /// Distinguishes items that look alike, such as dice, so that an animation can follow an item shifted by a move.
    pub piece: Option<u16>,
    pub phase: Phase,
}

/// The visible part of an item and its position. Numbers are fractions from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Phase {
    /// The item is complete and in place.
    #[default]
    Whole,
    /// Part of the item: a line from its first end, an area from its centre outwards, or the part of a tile's symbol
    /// written so far. A popping badge briefly exceeds 1.
    Part(f32),
    /// A whole tile moving here from a different place, with the fraction of the distance covered.
    Moving(At, f32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Dot(At),
    /// A line between two points, or between the centres of two tiles.
    Line([At; 2], LineStyle),
    /// The intersection of two lines.
    Cross([[At; 2]; 2]),
    /// The rectangle between two opposite corners, with a letter at its centre.
    Area([At; 2], Option<char>),
    /// The polygon with these corners, with a letter at its centre.
    Polygon(Vec<At>, char),
    Tile(At, Option<Symbol>),
    /// A pointer next to a tile or a dot: the side on which it stands, and the direction in which it points.
    Arrow(At, Direction, Direction),
    /// A short text on top of a dot.
    Badge(At, String),
    /// A short text next to a dot.
    Label(At, String),
    /// A short text at the centre of the rectangle between two opposite corners, replaced by `+` if the rectangle is
    /// too narrow.
    Note([At; 2], String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineStyle {
    /// A drawn line.
    Solid,
    /// A drawn line with emphasis.
    Heavy,
    /// A line that can legally be drawn.
    Faint,
    /// A preview of a line.
    Ghost,
    /// A line that cannot legally be drawn.
    Blocked,
}

impl Direction {
    pub const ALL: [Direction; 4] =
        [Direction::Left, Direction::Right, Direction::Up, Direction::Down];

    /// Returns the step on the screen as (columns, rows); rows are counted downwards.
    pub const fn step(self) -> (i8, i8) {
        match self {
            Direction::Left => (-1, 0),
            Direction::Right => (1, 0),
            Direction::Up => (0, -1),
            Direction::Down => (0, 1),
        }
    }

    pub const fn opposite(self) -> Direction {
        match self {
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
            Direction::Up => Direction::Down,
            Direction::Down => Direction::Up,
        }
    }
}

impl At {
    pub fn new(row: impl Into<i32>, col: impl Into<i32>) -> At {
        At { row: row.into(), col: col.into() }
    }
}

impl BoardGeometry {
    /// Creates scattered points from (right, up) coordinates. A very flat or narrow set is stretched to half a square,
    /// which keeps lines straight and preserves their crossings.
    pub fn scattered(points: impl Iterator<Item = (u32, u32)> + Clone) -> BoardGeometry {
        let across = from_least(points.clone().map(|(x, _)| i64::from(x)));
        let down = from_least(points.map(|(_, y)| -i64::from(y)));
        let extent = |axis: &[i64]| axis.iter().copied().max().unwrap_or(0);
        let (width, height) = (extent(&across), extent(&down));
        let stretched =
            |at: i64, length: i64, other: i64| (at * length.max(other / 2) / length.max(1)) as i32;
        let place =
            |(col, row)| At::new(stretched(row, height, width), stretched(col, width, height));
        BoardGeometry::Points(across.into_iter().zip(down).map(place).collect())
    }

    /// Returns the labels of columns and rows. Scattered points have no labels.
    pub fn coordinates(&self) -> [Vec<String>; 2] {
        match *self {
            BoardGeometry::Lattice { rows, cols, .. } => {
                [cols, rows].map(|count| (0..count).map(|number| number.to_string()).collect())
            }
            BoardGeometry::Grid { rows, cols, first, .. } => [
                (first..).take(cols.into()).map(String::from).collect(),
                (1..=rows).map(|row| row.to_string()).collect(),
            ],
            BoardGeometry::Points(_) => [Vec::new(), Vec::new()],
        }
    }
}

/// Shifts coordinates so that the smallest one is 0.
fn from_least(all: impl Iterator<Item = i64> + Clone) -> Vec<i64> {
    let least = all.clone().min().unwrap_or(0);
    all.map(|at| at - least).collect()
}

impl<P> Scene<P> {
    pub const fn on(ground: BoardGeometry) -> Scene<P> {
        Scene { ground, items: Vec::new(), focus: None }
    }

    /// Removes all places, so that nothing is selectable.
    pub fn without_places(self) -> Scene<()> {
        let bare = |Item { shape, role, phase, piece, .. }: Item<P>| Item {
            shape,
            role,
            place: None,
            phase,
            piece,
        };
        Scene {
            ground: self.ground,
            items: self.items.into_iter().map(bare).collect(),
            focus: None,
        }
    }

    /// Adds an item that is not selectable.
    pub fn add(&mut self, shape: Shape, role: Role) {
        self.items.push(Item::new(shape, role));
    }

    /// Adds an item; a click on it selects `place`.
    pub fn add_at(&mut self, place: P, shape: Shape, role: Role) {
        self.items.push(Item { place: Some(place), ..Item::new(shape, role) });
    }
}

impl<P> Item<P> {
    pub const fn new(shape: Shape, role: Role) -> Item<P> {
        Item { shape, role, place: None, piece: None, phase: Phase::Whole }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scattered_ground_stretches_points_and_flips_y() {
        let points = [(0, 0), (500_000, 3), (1_000_000, 1)];
        let places = [(500_000, 0), (0, 500_000), (333_333, 1_000_000)];
        let places = places.map(|(row, col)| At::new(row, col)).to_vec();
        assert_eq!(BoardGeometry::scattered(points.into_iter()), BoardGeometry::Points(places));
    }
}
