//! Boards of cells, with the symmetries of a rectangle or a square.

use super::Symmetry;
use std::collections::HashMap;
use std::ops::Sub;

/// The place of a cell. Rows and columns are counted in half steps, so that a line between two neighbors also has a
/// place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The row from the top.
    pub row: u16,
    /// The column from the left.
    pub col: u16,
    /// The direction of the cell, which changes when rows and columns are exchanged.
    pub runs: Runs,
}

/// The direction of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Runs {
    /// The cell has no direction.
    Neither,
    /// Along the row.
    Across,
    /// Along the column.
    Down,
}

impl Cell {
    /// Returns the dot, die or square at this row and column.
    pub const fn at(row: u8, col: u8) -> Cell {
        Cell { row: row as u16 * 2, col: col as u16 * 2, runs: Runs::Neither }
    }

    /// Returns the line between two neighbors, each given as `[row, column]`.
    pub const fn between(from: [u8; 2], to: [u8; 2]) -> Cell {
        let runs = Runs::Neither;
        Cell { row: from[0] as u16 + to[0] as u16, col: from[1] as u16 + to[1] as u16, runs }
    }
}

/// Distinguishes positions by the values of the cells of a board.
pub struct Cells<R> {
    read: R,
    /// The number of values of a cell, and the number of cells packed into a byte.
    values: u8,
    in_a_byte: usize,
    /// The number of cells that symmetries permute.
    places: u16,
    /// For each symmetry except the identity: the index of the cell from which each cell gets its value.
    symmetries: Vec<Vec<u16>>,
    /// Buffers for the values of the cells, and for the values of their least image.
    own: Vec<u8>,
    image: Vec<u8>,
}

impl<R> Cells<R> {
    /// Creates a board of `size` (rows, columns) with these cells. `read` appends the value of each cell in the same
    /// order, each less than `values`. It may then append values that symmetries leave in place.
    pub fn new(size: [u8; 2], places: &[Cell], values: u8, read: R) -> Cells<R> {
        let in_a_byte = (1..=8).take_while(|&n| u32::from(values).pow(n) <= 256).count();
        let symmetries = symmetries(size, places);
        let count = places.len() as u16;
        let (own, image) = (Vec::new(), Vec::new());
        Cells { read, values, in_a_byte, places: count, symmetries, own, image }
    }

    /// Returns, for each cell that symmetries permute, the first cell in its orbit under the position's stabilizer. A
    /// cell that stays fixed is its own orbit.
    pub fn orbits<G>(&mut self, position: &G) -> Vec<u16>
    where
        R: FnMut(&G, &mut Vec<u8>),
    {
        let mut first: Vec<u16> = (0..self.places).collect();
        for symmetry in self.symmetries_of(position) {
            for (cell, &from) in first.iter_mut().zip(symmetry) {
                *cell = from.min(*cell);
            }
        }
        first
    }

    /// Returns the symmetries, except the identity, that leave the position unchanged.
    pub fn symmetries_of<G>(&mut self, position: &G) -> impl Iterator<Item = &Vec<u16>>
    where
        R: FnMut(&G, &mut Vec<u8>),
    {
        self.own.clear();
        (self.read)(position, &mut self.own);
        let own = &self.own;
        let keeps = |symmetry: &&Vec<u16>| {
            own.iter().zip(*symmetry).all(|(value, &from)| *value == own[from as usize])
        };
        self.symmetries.iter().filter(keeps)
    }

    fn pack(&self, cells: &[u8], out: &mut Vec<u8>) {
        let byte = |cells: &[u8]| cells.iter().fold(0, |sum, cell| sum * self.values + cell);
        out.extend(cells.chunks(self.in_a_byte).map(byte));
    }
}

impl<G, R: FnMut(&G, &mut Vec<u8>)> Symmetry<G> for Cells<R> {
    fn form(&mut self, position: &G, out: &mut Vec<u8>) {
        self.own.clear();
        (self.read)(position, &mut self.own);
        self.pack(&self.own, out);
    }

    fn class(&mut self, position: &G, out: &mut Vec<u8>) {
        self.own.clear();
        (self.read)(position, &mut self.own);
        self.image.clone_from(&self.own);
        for symmetry in &self.symmetries {
            let image = || symmetry.iter().map(|&from| self.own[from as usize]);
            if image().lt(self.image[..symmetry.len()].iter().copied()) {
                for (cell, value) in self.image.iter_mut().zip(image()) {
                    *cell = value;
                }
            }
        }
        self.pack(&self.image, out);
    }
}

/// Returns the image of a place under a symmetry. The bits of `which` select mirroring left to right (1), then top to
/// bottom (2), then at the diagonal (4). `last` is the last row and column.
pub fn turned<T: Copy + Sub<Output = T>>([row, col]: [T; 2], last: [T; 2], which: usize) -> [T; 2] {
    let row = if which & 2 == 0 { row } else { last[0] - row };
    let col = if which & 1 == 0 { col } else { last[1] - col };
    if which & 4 == 0 { [row, col] } else { [col, row] }
}

/// Returns the symmetries of a rectangle or a square, except the identity and any symmetry under which some cell has no
/// image.
fn symmetries([rows, cols]: [u8; 2], places: &[Cell]) -> Vec<Vec<u16>> {
    let last = [rows, cols].map(|count| (u16::from(count) - 1) * 2);
    let index: HashMap<Cell, u16> = places.iter().copied().zip(0..).collect();
    let all = (1..if rows == cols { 8 } else { 4 }).filter_map(|which| {
        let image = |&place: &Cell| {
            let [row, col] = turned([place.row, place.col], last, which);
            let runs = match place.runs {
                Runs::Across if which & 4 != 0 => Runs::Down,
                Runs::Down if which & 4 != 0 => Runs::Across,
                runs => runs,
            };
            Cell { row, col, runs }
        };
        places.iter().map(|place| index.get(&image(place)).copied()).collect::<Option<Vec<u16>>>()
    });
    all.collect()
}
