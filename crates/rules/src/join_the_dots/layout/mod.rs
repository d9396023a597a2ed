//! Ready-made sets of points, computed with integer arithmetic only, so that a layout is identical on every machine.

mod figures;

pub(super) use figures::{circle, double_circle, onion, spiral, zigzag};

use super::geometry::{Point, UNIT, orientation};

/// The layouts stored as lists of points in `assets/layouts`.
const LISTED: [(&str, &str); 1] = [("eight", include_str!("../../../assets/layouts/eight.txt"))];

/// Returns the points of a listed layout; empty if the name is unknown.
pub(super) fn listed(name: &str) -> Vec<Point> {
    let text = LISTED.iter().find(|(n, _)| *n == name).map_or("", |(_, text)| text);
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

/// Returns `count` random points for a seed. No three are collinear, and no two are closer than 0.6/√count of the
/// square's side, to stay distinguishable on a screen.
pub(super) fn random(count: u32, seed: u32) -> Vec<Point> {
    let mut rng = SplitMix64(u64::from(seed));
    let mut points: Vec<Point> = Vec::new();
    let side = u64::from(UNIT);
    let mut apart_squared = side * side * 36 / 100 / u64::from(count.max(1));
    let mut misses = 0;
    while points.len() < count as usize {
        let point = anywhere(&mut rng);
        let near = points.iter().any(|p| p.distance_squared(point) < apart_squared);
        if near || on_a_line(&points, point) {
            misses += 1;
            // Testing never reached this many misses; relaxing the distance guarantees termination.
            if misses % 10_000 == 0 {
                apart_squared /= 2;
            }
        } else {
            points.push(point);
        }
    }
    points
}

/// Returns `count` random points for a seed, as far apart as in [`random`]. Each is at least 3 % of the square's side
/// away from every line through two others, so that players can see which lines cross. If the points do not fit, that
/// distance shrinks by a tenth at a time.
pub(super) fn spread(count: u32, seed: u32) -> Vec<Point> {
    let mut rng = SplitMix64(u64::from(seed));
    let mut points: Vec<Point> = Vec::new();
    let side = u64::from(UNIT);
    let mut apart_squared = side * side * 36 / 100 / u64::from(count.max(1));
    let mut off_lines = UNIT / 100 * 3;
    // The number of misses before a point is removed, and the number of removals before the distance shrinks. Both fall
    // with the number of points, since checking more points takes longer.
    let patience = (2000 / count.max(1)).max(1);
    let removals = (1000 / count.max(1)).max(1);
    let (mut crowded, mut misses) = (0, 0);
    while points.len() < count as usize {
        let point = anywhere(&mut rng);
        if points.iter().any(|p| p.distance_squared(point) < apart_squared) {
            crowded += 1;
            // Testing never reached this many failures; relaxing the distance guarantees termination.
            if crowded % 10_000 == 0 {
                apart_squared /= 2;
            }
            continue;
        }
        if !is_near_a_line(&points, point, off_lines) {
            points.push(point);
            crowded = 0;
            continue;
        }
        misses += 1;
        if misses % patience == 0 {
            points.swap_remove(rng.below(points.len() as u32) as usize);
            crowded = 0;
        }
        if misses % (patience * removals) == 0 {
            off_lines = (off_lines * 9 / 10).max(1);
        }
    }
    points
}

/// Returns whether `new` would be closer than `least` to a line through two of the points, or one of the points closer
/// than `least` to a line through `new` and another point. Collinear points are too close for any `least` above 0.
fn is_near_a_line(points: &[Point], new: Point, least: u32) -> bool {
    let least_squared = u128::from(least).pow(2);
    points.iter().enumerate().any(|(i, &a)| {
        points[..i].iter().any(|&b| {
            let sides = [a.distance_squared(b), a.distance_squared(new), b.distance_squared(new)];
            // The point opposite the longest side is the closest to its line.
            let longest = sides.into_iter().max().unwrap_or_default();
            let height_by_side = u128::from(orientation(a, b, new).unsigned_abs());
            height_by_side.pow(2) < least_squared * u128::from(longest)
        })
    })
}

/// Returns a random point not quite on the border of the square.
fn anywhere(rng: &mut SplitMix64) -> Point {
    const MARGIN: u32 = UNIT / 50;
    Point { x: MARGIN + rng.below(UNIT - 2 * MARGIN), y: MARGIN + rng.below(UNIT - 2 * MARGIN) }
}

/// Returns `count` points in tight groups for a seed. No three are collinear.
///
/// The square is divided into enough cells for about √count groups, each in a random cell of its own. The points of a
/// group form a small jittered grid, to stay distinguishable on a screen.
pub(super) fn clustered(count: u32, seed: u32) -> Vec<Point> {
    let mut rng = SplitMix64(u64::from(seed));
    let groups = count.isqrt().clamp(2, 9);
    let plane = CellGrid::with_cells(groups, CORNER, ROOM);
    let mut places = plane.all();
    rng.shuffle(&mut places);
    let group_side = plane.cell_side * 55 / 100;
    let corners: Vec<Point> = places[..groups as usize]
        .iter()
        .map(|&place| plane.within(place, plane.cell_side - group_side, &mut rng))
        .collect();
    let mut points = Vec::new();
    for (group, corner) in (0..).zip(corners) {
        // Group sizes differ by at most one, as if the points were dealt to the groups in turn.
        let size = (count - group).div_ceil(groups);
        let cells = CellGrid::with_cells(size, corner, group_side);
        let mut places = cells.all();
        rng.shuffle(&mut places);
        for &place in &places[..size as usize] {
            let point = cells.jittered(place, cells.cell_side * 2 / 5, &mut rng);
            points.push(off_every_line(&points, point));
        }
    }
    points
}

/// Returns `count` points of a jittered square grid for a seed, row by row from the top. No three are collinear.
pub(super) fn grid(count: u32, seed: u32) -> Vec<Point> {
    let mut rng = SplitMix64(u64::from(seed));
    let cells = CellGrid::with_cells(count, CORNER, ROOM);
    let mut points = Vec::new();
    for place in cells.all().into_iter().take(count as usize) {
        let point = cells.jittered(place, cells.cell_side / 4, &mut rng);
        points.push(off_every_line(&points, point));
    }
    points
}

/// The lower left corner and the side of the square that [`clustered`] and [`grid`] fill. The margin leaves room for
/// points that [`off_every_line`] moves.
const CORNER: Point = Point { x: UNIT / 50, y: UNIT / 50 };
const ROOM: u32 = UNIT / 100 * 94;

struct CellGrid {
    corner: Point,
    columns: u32,
    cell_side: u32,
}

impl CellGrid {
    /// Creates at least `count` cells that fill a square of this side.
    fn with_cells(count: u32, corner: Point, side: u32) -> CellGrid {
        let root = count.isqrt();
        let columns = root + u32::from(root * root < count);
        CellGrid { corner, columns, cell_side: side / columns }
    }

    /// Returns the column and row of every cell, from the top.
    fn all(&self) -> Vec<(u32, u32)> {
        let n = self.columns;
        (0..n).rev().flat_map(|row| (0..n).map(move |col| (col, row))).collect()
    }

    /// Returns a random point in the cell, less than `room` from its left and lower side.
    fn within(&self, (col, row): (u32, u32), room: u32, rng: &mut SplitMix64) -> Point {
        Point {
            x: self.corner.x + col * self.cell_side + rng.below(room),
            y: self.corner.y + row * self.cell_side + rng.below(room),
        }
    }

    /// Returns a random point in the square of side `room` around the center of the cell.
    fn jittered(&self, place: (u32, u32), room: u32, rng: &mut SplitMix64) -> Point {
        let Point { x, y } = self.within(place, room, rng);
        let inset = (self.cell_side - room) / 2;
        Point { x: x + inset, y: y + inset }
    }
}

/// Returns the point, or a nearby point that is not collinear with two others.
///
/// Moves the point up until no other point has the same height, then moves it right. A line through two others crosses
/// that height at most once, so a free place always exists.
fn off_every_line(points: &[Point], mut point: Point) -> Point {
    while points.iter().any(|other| other.y == point.y) {
        point.y += 1;
    }
    while on_a_line(points, point) {
        point.x += 1;
    }
    point
}

fn on_a_line(points: &[Point], new: Point) -> bool {
    points
        .iter()
        .enumerate()
        .any(|(i, &a)| points[..i].iter().any(|&b| orientation(a, b, new) == 0))
}

/// The generator of Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*, 2014. Implemented here
/// because a seed must give the same points forever.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `n`, the high half of a product; its bias of n/2⁶⁴ is negligible.
    fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u32
    }

    fn shuffle<T>(&mut self, values: &mut [T]) {
        for index in (1..values.len()).rev() {
            values.swap(index, self.below(index as u32 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check_points;
    use super::*;

    #[test]
    fn random_points_are_a_legal_set_of_points() {
        for count in [3, 9, 64, 200] {
            assert_eq!(check_points(&random(count, 7)), Ok(()));
        }
    }

    /// Returns the minimum distance of a point from a line through two other points, in millionths.
    fn off_lines(points: &[Point]) -> u128 {
        let mut least = u128::MAX;
        for (c, &third) in points.iter().enumerate() {
            for (a, b) in (0..c).flat_map(|b| (0..b).map(move |a| (points[a], points[b]))) {
                let sides = [(a, b), (a, third), (b, third)]
                    .map(|(one, other)| one.distance_squared(other));
                let longest = sides.into_iter().max().unwrap_or_default();
                let height_by_side = u128::from(orientation(a, b, third).unsigned_abs());
                least = least.min(height_by_side.pow(2) / u128::from(longest));
            }
        }
        least.isqrt()
    }

    #[test]
    fn spread_points_avoid_lines_through_other_points() {
        for (count, seed) in (3..=12).flat_map(|count| (0..40).map(move |seed| (count, seed))) {
            let points = spread(count, seed);
            assert!(off_lines(&points) >= 30_000, "{count} points, seed {seed}");
        }
        for (count, least) in [(14, 24_000), (16, 17_000), (20, 11_000), (30, 4_000), (60, 700)] {
            for seed in 0..10 {
                let off = off_lines(&spread(count, seed));
                assert!(off >= least, "{count} points, seed {seed}: {off}");
            }
        }
        for count in (3..60).chain([100, 200]) {
            let points = spread(count, count);
            assert_eq!(points.len(), count as usize);
            assert_eq!(check_points(&points), Ok(()), "{count} points");
        }
    }

    /// Checks every count, with many seeds for the most common counts.
    #[test]
    fn clusters_and_grids_have_no_three_collinear_points() {
        let all = (3..=200).map(|count| (count, count));
        let small = (3..=30).flat_map(|count| (0..40).map(move |seed| (count, seed)));
        for (count, seed) in all.chain(small).chain([(200, u32::MAX)]) {
            for points in [clustered(count, seed), grid(count, seed)] {
                assert_eq!(points.len(), count as usize);
                assert_eq!(check_points(&points), Ok(()), "{count} points, seed {seed}");
            }
        }
    }

    /// The worst case has all points in the same place.
    #[test]
    fn off_every_line_separates_coincident_points() {
        let mut points: Vec<Point> = Vec::new();
        for _ in 0..200 {
            points.push(off_every_line(&points, Point { x: 500_000, y: 500_000 }));
        }
        assert_eq!(check_points(&points), Ok(()));
        assert!(points.iter().all(|point| point.x < 520_000 && point.y <= 500_200));
    }

    /// Each group is far smaller than the board, and its points keep their minimum distance.
    #[test]
    fn cluster_points_stay_close_but_distinct() {
        for (count, seed) in [(8, 1), (10, 2), (20, 3), (60, 4), (200, 5)] {
            let points = clustered(count, seed);
            let groups = count.isqrt().clamp(2, 9);
            let mut begin = 0;
            for group in 0..groups {
                let end = begin + (count - group).div_ceil(groups) as usize;
                let own = &points[begin..end];
                let distance =
                    |a: &Point, b: &Point| (a.distance_squared(*b) as f64).sqrt() / f64::from(UNIT);
                let across = own.iter().flat_map(|a| own.iter().map(move |b| distance(a, b)));
                let across = across.fold(0.0, f64::max);
                assert!(across < 0.4, "{count} {seed}: {across}");
                let apart = |a: &&Point| {
                    own.iter().filter(|b| b != a).map(|b| distance(a, b)).fold(1.0, f64::min)
                };
                let least = own.iter().map(|a| apart(&a)).fold(1.0, f64::min);
                assert!(least > 0.12 / f64::from(count).sqrt(), "{count} {seed}: {least}");
                begin = end;
            }
            assert_eq!(begin, points.len());
        }
    }

    /// The points must never change, on any machine or in any version.
    #[test]
    fn seed_determines_the_points() {
        let text: Vec<String> = random(4, 1).iter().map(Point::to_string).collect();
        assert_eq!(
            text,
            ["0.563899,0.73595", "0.952162,0.446584", "0.438526,0.180353", "0.083321,0.098158"]
        );
        assert_ne!(random(10, 1), random(10, 2));
        let text = |points: Vec<Point>| points.iter().map(Point::to_string).collect::<Vec<_>>();
        assert_eq!(text(spread(10, 1))[8..], ["0.463458,0.970689", "0.627343,0.022122"]);
        assert_eq!(
            text(spread(16, 7))[13..],
            ["0.950618,0.700005", "0.500213,0.404643", "0.106646,0.500432"]
        );
        assert_eq!(
            text(clustered(5, 1)),
            [
                "0.3029,0.654036",
                "0.305526,0.779391",
                "0.175295,0.760621",
                "0.735846,0.846994",
                "0.823586,0.86922"
            ]
        );
        assert_eq!(
            text(grid(5, 1)),
            [
                "0.18188,0.822585",
                "0.526894,0.798973",
                "0.798966,0.823925",
                "0.206225,0.491806",
                "0.473197,0.513029"
            ]
        );
        assert_ne!(clustered(10, 1), clustered(10, 2));
        assert_ne!(grid(10, 1), grid(10, 2));
    }

    #[test]
    fn random_and_spread_points_stay_apart() {
        let random_and_spread = |(count, seed)| [random(count, seed), spread(count, seed)];
        let cases = [(3, 0), (10, 1), (10, u32::MAX), (60, 3), (200, 4)];
        for points in cases.into_iter().flat_map(random_and_spread) {
            let count = points.len() as u32;
            let least = 0.6 * f64::from(UNIT) / f64::from(count).sqrt();
            for (i, a) in points.iter().enumerate() {
                for b in &points[..i] {
                    assert!((a.distance_squared(*b) as f64).sqrt() >= least * 0.999_999);
                }
            }
        }
    }
}
