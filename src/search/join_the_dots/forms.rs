//! What positions of Join the Dots have in common, as a census wants to know it.
//!
//! Two positions are equivalent if the points left of one can be relabelled as those of the other such that
//! lines are on lines, and every three points run the same way round in both, or every three the other way
//! round (a mirror image): so the points are of one *order type*, as of Goodman and Pollack,
//! *Multidimensional Sorting*, 1983. Then all that lines can cross is the same too, and so is the play to
//! come.

use super::Position;
use crate::rules::join_the_dots::{Point, orientation};
use crate::search::census::Forms;
use std::collections::HashMap;

/// Tells positions on any points apart.
#[derive(Default)]
pub struct Figures {
    /// The kind of each set of points that was left.
    kinds: HashMap<Vec<Point>, Kind>,
    /// The number of each order type, by what way round its points run three by three.
    numbers: HashMap<Vec<u8>, u32>,
    bytes: usize,
}

/// The order type of a set of points.
struct Kind {
    number: u32,
    /// All ways to label the points, from 0, such that they run as they do in every other set of this
    /// order type. The points are in the order of the set.
    labels: Vec<Vec<u8>>,
}

impl Forms<Position> for Figures {
    fn form(&mut self, position: &Position, out: &mut Vec<u8>) {
        let count = position.points().len();
        let mut bits = vec![0; (count + count * count.saturating_sub(1) / 2).div_ceil(8)];
        for number in position.points_left() {
            set(&mut bits, number as usize - 1);
        }
        for [a, b] in position.lines().iter().map(|line| line.ends().map(|end| end as usize - 1)) {
            set(&mut bits, count + pair(a, b));
        }
        out.extend(bits);
    }

    fn class(&mut self, position: &Position, out: &mut Vec<u8>) {
        let left: Vec<u8> = position.points_left().collect();
        let points: Vec<Point> = left.iter().filter_map(|&it| position.point(it)).collect();
        let count = points.len();
        let lines: Vec<[usize; 2]> = position
            .lines()
            .iter()
            .filter_map(|line| {
                let [a, b] = line.ends().map(|end| left.binary_search(&end).ok());
                Some([a?, b?])
            })
            .collect();
        let kind = self.kind(&points);
        let images = kind.labels.iter().map(|labels| {
            let mut bits = vec![0; pair(0, count).div_ceil(8)];
            for [a, b] in lines.iter().map(|ends| ends.map(|end| labels[end] as usize)) {
                set(&mut bits, pair(a, b));
            }
            bits
        });
        out.extend(kind.number.to_le_bytes());
        out.extend(images.min().unwrap_or_default());
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Figures {
    fn kind(&mut self, points: &[Point]) -> &Kind {
        // Looked up twice, as what is found cannot be given back where nothing may be found.
        if !self.kinds.contains_key(points) {
            let (runs, labels) = canonical(points);
            let count = points.len();
            self.bytes += labels.len() * (count + ENTRY) + size_of_val(points) + ENTRY;
            let next = self.numbers.len() as u32;
            let number = *self.numbers.entry(runs).or_insert_with_key(|runs| {
                self.bytes += runs.len() + ENTRY;
                next
            });
            self.kinds.insert(points.to_vec(), Kind { number, labels });
        }
        &self.kinds[points]
    }
}

/// About how many bytes an entry of a map takes beside what it holds.
const ENTRY: usize = 80;

/// A number for each pair: those of smaller numbers come first.
fn pair(a: usize, b: usize) -> usize {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high * high.saturating_sub(1) / 2 + low
}

fn set(bits: &mut [u8], index: usize) {
    bits[index / 8] |= 1 << (index % 8);
}

/// Which way round the points run three by three, under the labels by which this comes first of all, and
/// all ways to label them so.
///
/// Labels begin with a corner of the convex hull; the others follow as they are seen from it, from one side
/// to the other. Every relabelling that keeps the way round takes such labels to such labels.
fn canonical(points: &[Point]) -> (Vec<u8>, Vec<Vec<u8>>) {
    let count = points.len();
    if count < 3 {
        let orders = if count == 2 { vec![vec![0, 1], vec![1, 0]] } else { vec![vec![0; count]] };
        return (vec![count as u8], orders);
    }
    let mut best: Option<(Vec<u8>, Vec<Vec<u8>>)> = None;
    for mirror in [1, -1] {
        let runs =
            |a: usize, b: usize, c: usize| mirror * orientation(points[a], points[b], points[c]);
        for corner in 0..count {
            let others = || (0..count).filter(|&it| it != corner);
            let is_first = |&a: &usize| others().all(|b| a == b || runs(corner, a, b) > 0);
            let Some(_) = others().find(is_first) else { continue };
            let mut order: Vec<usize> = others().collect();
            order.sort_by_key(|&a| others().filter(|&b| b != a && runs(corner, a, b) < 0).count());
            order.insert(0, corner);
            let mut signs = vec![count as u8];
            for c in 0..count {
                for b in 0..c {
                    for a in 0..b {
                        signs.push(u8::from(runs(order[a], order[b], order[c]) > 0));
                    }
                }
            }
            let mut labels = vec![0; count];
            for (label, &at) in (0..).zip(&order) {
                labels[at] = label;
            }
            match &mut best {
                Some((least, all)) if *least == signs => all.push(labels),
                Some((least, _)) if *least < signs => {}
                _ => best = Some((signs, vec![labels])),
            }
        }
    }
    best.unwrap_or_default()
}
