//! Ready-made sets of points. Integers only, so that a layout is the same on every machine.

use super::geometry::{Point, UNIT, orientation};

/// The layouts that are lists of points in `assets/layouts`.
const LISTED: [(&str, &str); 1] = [("eight", include_str!("../../../assets/layouts/eight.txt"))];

/// The points of a listed layout, or none if there is no such list.
pub(super) fn listed(name: &str) -> Vec<Point> {
    let text = LISTED.iter().find(|(n, _)| *n == name).map_or("", |(_, text)| text);
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

/// π · 2⁶⁰.
const PI_Q60: i128 = 3_622_009_729_038_561_421;

/// `count` points evenly on a circle, clockwise from the top.
pub(super) fn circle(count: u32) -> Vec<Point> {
    const CENTRE: i128 = UNIT as i128 / 2;
    const RADIUS: i128 = UNIT as i128 * 48 / 100;
    let (cos, sin) = cos_sin_q60(2 * PI_Q60 / i128::from(count.max(1)));
    let (mut x, mut y) = (0, 1i128 << 60);
    let rounded = |q60: i128| (CENTRE + ((q60 * RADIUS + (1 << 59)) >> 60)) as u32;
    (0..count)
        .map(|_| {
            let point = Point { x: rounded(x), y: rounded(y) };
            (x, y) = ((x * cos + y * sin) >> 60, (y * cos - x * sin) >> 60);
            point
        })
        .collect()
}

/// Cosine and sine of an angle below π, all times 2⁶⁰, by their power series.
fn cos_sin_q60(angle: i128) -> (i128, i128) {
    let mut sums = [0, 0];
    let mut term = 1i128 << 60;
    for n in 0..40 {
        let sign = if n % 4 < 2 { 1 } else { -1 };
        sums[n as usize % 2] += sign * term;
        term = ((term * angle) >> 60) / (n + 1);
    }
    (sums[0], sums[1])
}

/// `count` points thrown at random, the same ones for the same seed. No three are on one line, and
/// no two nearer than 0.6/√count of the square's side, so that they can be told apart on a screen.
pub(super) fn random(count: u32, seed: u32) -> Vec<Point> {
    const MARGIN: u32 = UNIT / 50;
    let mut chance = SplitMix64(u64::from(seed));
    let mut points: Vec<Point> = Vec::new();
    let side = u64::from(UNIT);
    let mut apart_squared = side * side * 36 / 100 / u64::from(count.max(1));
    let mut misses = 0;
    while points.len() < count as usize {
        let point = Point {
            x: MARGIN + chance.below(UNIT - 2 * MARGIN),
            y: MARGIN + chance.below(UNIT - 2 * MARGIN),
        };
        let near = points.iter().any(|p| p.distance_squared(point) < apart_squared);
        if near || on_a_line(&points, point) {
            misses += 1;
            // Unheard of at this density; but a loop that only luck can end must not stand here.
            if misses % 10_000 == 0 {
                apart_squared /= 2;
            }
        } else {
            points.push(point);
        }
    }
    points
}

fn on_a_line(points: &[Point], new: Point) -> bool {
    points
        .iter()
        .enumerate()
        .any(|(i, &a)| points[..i].iter().any(|&b| orientation(a, b, new) == 0))
}

/// The generator of Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*, 2014.
/// It stands here and not in a crate because a seed must mean the same points for ever.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, by the high half of a product; its bias of n/2⁶⁴ is nothing here.
    fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::super::check_points;
    use super::*;

    #[test]
    fn every_layout_is_a_legal_set_of_points() {
        assert_eq!(listed("eight").len(), 8);
        for count in 3..=200 {
            let points = circle(count);
            assert_eq!(points.len(), count as usize);
            let around = (0..points.len()).all(|i| {
                let at = |j| points[(i + j) % points.len()];
                orientation(at(0), at(1), at(2)) < 0
            });
            assert!(around, "{count} points run clockwise round a convex figure");
        }
        for count in [3, 9, 64, 200] {
            assert_eq!(check_points(&circle(count)), Ok(()));
            assert_eq!(check_points(&random(count, 7)), Ok(()));
        }
    }

    #[test]
    fn a_circle_is_round() {
        for point in circle(200) {
            let centre = Point { x: UNIT / 2, y: UNIT / 2 };
            let radius = (point.distance_squared(centre) as f64).sqrt();
            assert!((radius - 480_000.0).abs() < 1.0, "{point}: {radius}");
        }
        let quarter: Vec<String> = circle(4).iter().map(Point::to_string).collect();
        assert_eq!(quarter, ["0.5,0.98", "0.98,0.5", "0.5,0.02", "0.02,0.5"]);
    }

    /// These very points must come out on every machine and in every version.
    #[test]
    fn a_seed_always_means_the_same_points() {
        let text: Vec<String> = random(4, 1).iter().map(Point::to_string).collect();
        assert_eq!(
            text,
            ["0.563899,0.73595", "0.952162,0.446584", "0.438526,0.180353", "0.083321,0.098158"]
        );
        assert_ne!(random(10, 1), random(10, 2));
    }

    #[test]
    fn random_points_keep_their_distance() {
        for (count, seed) in [(3, 0), (10, 1), (10, u32::MAX), (60, 3), (200, 4)] {
            let points = random(count, seed);
            let least = 0.6 * f64::from(UNIT) / f64::from(count).sqrt();
            for (i, a) in points.iter().enumerate() {
                for b in &points[..i] {
                    assert!((a.distance_squared(*b) as f64).sqrt() >= least * 0.999_999);
                }
            }
        }
    }
}
