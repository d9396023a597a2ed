//! Equivalent positions of Join the Dots, for a census.
//!
//! Two sets of points have the same *order type* if their points can be labeled so that every three points with the
//! same labels turn the same way, or all turn the opposite way (a mirror image): Goodman and Pollack, *Multidimensional
//! Sorting*, 1983. Two positions are equivalent if such a labeling of the remaining points also maps lines to lines.
//! The same lines then cross, so all further play is identical.
//!
//! Equal crossings are sufficient for identical play: under [`Figures::by_crossings`], positions are equivalent if they
//! have labels under which the same lines are drawn and the same lines would cross.

use super::JoinTheDots;
use crate::census::Symmetry;
use quadrille_rules::join_the_dots::{Point, cross, orientation};
use std::collections::HashMap;

/// Distinguishes positions on any points, by default by their order types.
pub struct Figures {
    canonical: fn(&[Point]) -> CanonicalLabels,
    /// The order type of each known set of points.
    types: HashMap<Vec<Point>, OrderType>,
    /// The number of each order type, by the turns of its points under canonical labels.
    numbers: HashMap<Vec<u8>, u32>,
    bytes: usize,
}

/// The invariant of an equivalence class of point sets, and all ways to label the points that produce it.
type CanonicalLabels = (Vec<u8>, Vec<Vec<u8>>);

/// The order type of a set of points, or the crossings of its lines.
struct OrderType {
    number: u32,
    /// All canonical ways to label the points: for each, the labels from 0 in the order of the points.
    labels: Vec<Vec<u8>>,
}

impl Symmetry<JoinTheDots> for Figures {
    fn form(&mut self, position: &JoinTheDots, out: &mut Vec<u8>) {
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

    fn class(&mut self, position: &JoinTheDots, out: &mut Vec<u8>) {
        let left: Vec<u8> = position.points_left().collect();
        let points: Vec<Point> = left.iter().filter_map(|&label| position.point(label)).collect();
        let count = points.len();
        let lines: Vec<[usize; 2]> = position
            .lines()
            .iter()
            .filter_map(|line| {
                let [a, b] = line.ends().map(|end| left.binary_search(&end).ok());
                Some([a?, b?])
            })
            .collect();
        let order_type = self.order_type(&points);
        let images = order_type.labels.iter().map(|labels| {
            let mut bits = vec![0; pair(0, count).div_ceil(8)];
            for [a, b] in lines.iter().map(|ends| ends.map(|end| labels[end] as usize)) {
                set(&mut bits, pair(a, b));
            }
            bits
        });
        out.extend(order_type.number.to_le_bytes());
        out.extend(images.min().unwrap_or_default());
    }

    fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Default for Figures {
    fn default() -> Figures {
        Figures { canonical, types: HashMap::new(), numbers: HashMap::new(), bytes: 0 }
    }
}

impl Figures {
    /// Compares crossings only. Tries all ways to label the points, so there may only be a few points.
    pub fn by_crossings() -> Figures {
        Figures { canonical: canonical_crossings, ..Figures::default() }
    }

    fn order_type(&mut self, points: &[Point]) -> &OrderType {
        // Two lookups are needed: the borrow checker rejects a single one that returns the found entry or inserts a new
        // one.
        if !self.types.contains_key(points) {
            let (turns, labels) = (self.canonical)(points);
            let count = points.len();
            self.bytes += labels.len() * (count + ENTRY) + size_of_val(points) + ENTRY;
            let next = self.numbers.len() as u32;
            let number = *self.numbers.entry(turns).or_insert_with_key(|turns| {
                self.bytes += turns.len() + ENTRY;
                next
            });
            self.types.insert(points.to_vec(), OrderType { number, labels });
        }
        &self.types[points]
    }
}

/// Estimated bytes of a map entry besides its key and value.
const ENTRY: usize = 80;

/// Returns the index of a pair. The pairs of the first n points have the first indices.
fn pair(a: usize, b: usize) -> usize {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high * high.saturating_sub(1) / 2 + low
}

fn set(bits: &mut [u8], index: usize) {
    bits[index / 8] |= 1 << (index % 8);
}

/// Returns the list of the turns of all triples under canonical labels, and all canonical ways to label the points,
/// which are those that minimize this list.
///
/// Label 0 is a corner of the convex hull; the other points follow in angular order around it. A relabeling that keeps
/// the order type maps such labelings to each other, so no others need to be tried.
fn canonical(points: &[Point]) -> CanonicalLabels {
    let count = points.len();
    if count < 3 {
        let orders = if count == 2 { vec![vec![0, 1], vec![1, 0]] } else { vec![vec![0; count]] };
        return (vec![count as u8], orders);
    }
    let mut best: Option<(Vec<u8>, Vec<Vec<u8>>)> = None;
    for mirror in [1, -1] {
        let turn =
            |a: usize, b: usize, c: usize| mirror * orientation(points[a], points[b], points[c]);
        for corner in 0..count {
            let others = || (0..count).filter(|&other| other != corner);
            let is_first = |&a: &usize| others().all(|b| a == b || turn(corner, a, b) > 0);
            let Some(_) = others().find(is_first) else { continue };
            let mut order: Vec<usize> = others().collect();
            order.sort_by_key(|&a| others().filter(|&b| b != a && turn(corner, a, b) < 0).count());
            order.insert(0, corner);
            let mut turns = vec![count as u8];
            for c in 0..count {
                for b in 0..c {
                    for a in 0..b {
                        turns.push(u8::from(turn(order[a], order[b], order[c]) > 0));
                    }
                }
            }
            let mut labels = vec![0; count];
            for (label, &point) in (0..).zip(&order) {
                labels[point] = label;
            }
            match &mut best {
                Some((least, all)) if *least == turns => all.push(labels),
                Some((least, _)) if *least < turns => {}
                _ => best = Some((turns, vec![labels])),
            }
        }
    }
    best.unwrap_or_default()
}

/// Returns, for every four points under canonical labels, the two lines between them that cross, if any; and all
/// canonical ways to label the points, which are those that minimize this list.
fn canonical_crossings(points: &[Point]) -> CanonicalLabels {
    let count = points.len();
    let mut best: Option<CanonicalLabels> = None;
    for order in orders(count) {
        let mut crossings = vec![count as u8];
        let at = |label: usize| points[order[label] as usize];
        for d in 0..count {
            for c in 0..d {
                for b in 0..c {
                    for a in 0..b {
                        let [a, b, c, d] = [a, b, c, d].map(at);
                        let pairings = [cross(a, b, c, d), cross(a, c, b, d), cross(a, d, b, c)];
                        let number = pairings.iter().position(|&crosses| crosses);
                        crossings.push(number.map_or(0, |number| number as u8 + 1));
                    }
                }
            }
        }
        let mut labels = vec![0; count];
        for (label, &point) in (0..).zip(&order) {
            labels[point as usize] = label;
        }
        match &mut best {
            Some((least, all)) if *least == crossings => all.push(labels),
            Some((least, _)) if *least < crossings => {}
            _ => best = Some((crossings, vec![labels])),
        }
    }
    best.unwrap_or_default()
}

/// Returns all permutations of the numbers below `count`.
fn orders(count: usize) -> Vec<Vec<u8>> {
    (0..count as u8).fold(vec![Vec::new()], |orders, next| {
        let with_next = |order: &Vec<u8>| {
            (0..=order.len())
                .map(|place| [&order[..place], &[next], &order[place..]].concat())
                .collect::<Vec<_>>()
        };
        orders.iter().flat_map(with_next).collect()
    })
}
