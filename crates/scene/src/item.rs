//! The contents of a board in board coordinates, independent of cells, pixels and colors.

use super::Role;
use quadrille_rules::Symbol;
use std::rc::Rc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    Left,
    Right,
    Up,
    Down,
}

/// Identifies a selectable place of a board: a line, a die, a point. Only the board that draws a scene knows the meaning
/// of the two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlaceId(pub u8, pub u8);

/// A board at one moment, as a renderer needs it.
///
/// ```
/// use quadrille_scene::{At, BoardGeometry, LineStyle, PlaceId, Role, Scene, Shape};
///
/// // Two rows of two dots, with a line between the upper ones.
/// let mut scene = Scene::on(BoardGeometry::Lattice { rows: 2, cols: 2, numbered: false });
/// let upper = Shape::Line([At::new(0, 0), At::new(0, 1)], LineStyle::Solid);
/// scene.add_at(PlaceId(0, 1), upper, Role::Text);
/// assert_eq!(scene.items[0].place, Some(PlaceId(0, 1)));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The ground, which defines the meaning of [`At`].
    pub ground: BoardGeometry,
    /// The items, from bottom to top.
    pub items: Vec<Item>,
    /// On scattered points, the lines of the match so far in the order in which they were drawn, because the places of
    /// the numbers depend on it.
    pub strokes: Rc<[Stroke]>,
    /// The scattered points from which no line can be drawn. If numbers lack room, theirs are omitted first.
    pub stuck: Vec<At>,
    /// The labels of moves, best first. If several share a place, only the first is shown.
    pub labels: Vec<Label>,
    /// The place to keep visible: the cursor.
    pub focus: Option<PlaceId>,
    /// The number of keys that the board has handled. A renderer that was scrolled away returns to the focus when this
    /// number changes.
    pub keys: usize,
    pub end: SceneEnd,
}

/// What ends with the position on a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SceneEnd {
    #[default]
    Nothing,
    /// A round, which stays on the board until a key is pressed.
    Round,
    /// The match, with winners: the items with `SeatRole::WonFill`, `SeatRole::WonArea` or heavy lines are theirs.
    Win,
    /// The match, without a winner.
    Draw,
}

/// A drawn line with what it removed from the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stroke {
    pub line: [At; 2],
    /// The earlier lines that it removed. The boundary of a taken area stays.
    pub erased: Vec<[At; 2]>,
    /// The points that it took. Their numbers stay until the next line.
    pub taken: Vec<At>,
}

/// The label of a move at the place where the move is selected: a short text and the rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub place: PlaceId,
    /// Such as `=` or `~+2`; possibly empty.
    pub text: String,
    pub rank: MoveQuality,
}

/// The quality of a move relative to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveQuality {
    /// No move is better.
    Best,
    /// Few moves are better, and only slightly.
    Near,
    /// Other moves are better.
    Rest,
    /// The move loses, and other moves do not.
    Losing,
    /// Unknown: the value may still change.
    Open,
}

/// What is written on and beside a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lettering {
    /// Coordinates at the edges, numbers next to dots, and space for move labels.
    #[default]
    All,
    /// Like `All`, but without coordinates.
    NoCoordinates,
    None,
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
pub struct Item {
    pub shape: Shape,
    /// The meaning of the item, which a theme maps to a style.
    pub role: Role,
    /// The place selected by a click on the item, if any.
    pub place: Option<PlaceId>,
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
    /// Part of the item: a line from its first end, an area from its center outwards, or the part of a tile's symbol
    /// written so far. A popping badge briefly exceeds 1.
    Part(f32),
    /// A whole tile moving here from a different place, with the fraction of the distance covered.
    Moving(At, f32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    Dot(At),
    /// A line between two points, or between the centers of two tiles.
    Line([At; 2], LineStyle),
    /// The intersection of two lines.
    Cross([[At; 2]; 2]),
    /// The rectangle between two opposite corners, with a letter at its center.
    Area([At; 2], Option<char>),
    /// The polygon with these corners, with a letter at its center.
    Polygon(Vec<At>, char),
    Tile(At, Option<Symbol>),
    /// A pointer next to a tile or a dot: the side on which it stands, and the direction in which it points.
    Arrow(At, Direction, Direction),
    /// A short text on top of a dot.
    Badge(At, String),
    /// A short text next to a dot.
    Label(At, String),
    /// A short text at the center of the rectangle between two opposite corners, replaced by `+` if the rectangle is
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

impl Scene {
    pub fn on(ground: BoardGeometry) -> Scene {
        Scene {
            ground,
            items: Vec::new(),
            strokes: Rc::default(),
            stuck: Vec::new(),
            labels: Vec::new(),
            focus: None,
            keys: 0,
            end: SceneEnd::Nothing,
        }
    }

    /// Returns the distance between two places: the number of rows and columns between them, in half steps.
    pub fn distance(&self, one: PlaceId, other: PlaceId) -> u32 {
        let middle = |place| {
            let item = self.items.iter().find(|item| item.place == Some(place))?;
            Some(match item.shape {
                Shape::Line([from, to], _) => At::new(from.row + to.row, from.col + to.col),
                Shape::Dot(at) | Shape::Tile(at, _) | Shape::Badge(at, _) => {
                    At::new(2 * at.row, 2 * at.col)
                }
                _ => return None,
            })
        };
        let between =
            |(one, other): (At, At)| one.row.abs_diff(other.row) + one.col.abs_diff(other.col);
        middle(one).zip(middle(other)).map_or(u32::MAX, between)
    }

    /// Adds an item that is not selectable.
    pub fn add(&mut self, shape: Shape, role: Role) {
        self.items.push(Item::new(shape, role));
    }

    /// Adds an item; a click on it selects `place`.
    pub fn add_at(&mut self, place: PlaceId, shape: Shape, role: Role) {
        self.items.push(Item { place: Some(place), ..Item::new(shape, role) });
    }
}

impl MoveQuality {
    /// Returns the role of the move drawn as a ghost.
    pub const fn ghost(self) -> Role {
        match self {
            MoveQuality::Losing => Role::Wrong,
            _ => Role::Best,
        }
    }
}

impl Item {
    pub const fn new(shape: Shape, role: Role) -> Item {
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
