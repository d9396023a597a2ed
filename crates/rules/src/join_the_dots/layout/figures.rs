//! Deterministic layouts.
//!
//! [`double_circle`], [`onion`] and [`zigzag`] have a known order type: the orientation of every three points is known,
//! so no three are collinear. The tests check the points against their order type.

use super::super::geometry::{Point, UNIT};
use super::off_every_line;

/// π times 2⁶⁰, and 1 times 2⁶⁰.
const PI_Q60: i128 = 3_622_009_729_038_561_421;
const ONE_Q60: i128 = 1 << 60;

const MIDDLE: i128 = UNIT as i128 / 2;
/// The radius of figures that fill the square, minus a margin.
const RADIUS: i128 = UNIT as i128 * 48 / 100;

/// Returns `count` points evenly spaced on a circle, clockwise from the top.
pub(in super::super) fn circle(count: u32) -> Vec<Point> {
    let step = 2 * PI_Q60 / i128::from(count.max(1));
    (0..count).map(|k| Direction::at(step * i128::from(k)).point(RADIUS)).collect()
}

/// Returns a double circle, clockwise from the top: half the points, rounded up, lie on a circle, and one point lies
/// just inside the circle between each two neighbors.
///
/// A double circle has the order type of a circle, except that each inner point lies on the other side of the line
/// through its two neighbors. See Aichholzer, Alvarez, Hackl, Pilz, Speckmann and Vogtenhuber, *An Improved Lower
/// Bound on the Minimum Number of Triangulations*, 2016.
pub(in super::super) fn double_circle(count: u32) -> Vec<Point> {
    let hull = count.div_ceil(2).max(3);
    let step = PI_Q60 / i128::from(hull);
    // Half as far inside an edge as the circle is outside the edge. At four times that depth, the order type would
    // change.
    let inner = RADIUS * (3 * Direction::at(step).cos - ONE_Q60) / (2 * ONE_Q60);
    (0..2 * hull)
        .filter(|k| k % 2 == 0 || k / 2 < count - hull)
        .map(|k| {
            let radius = if k % 2 == 0 { RADIUS } else { inner };
            Direction::at(step * i128::from(k)).point(radius)
        })
        .collect()
}

/// Returns nested triangles, clockwise from the top; the innermost may lack one or two points.
///
/// The points lie on three arms. A line through two points of one arm separates the other two arms, and all arms bend
/// to the same side. On such layers see Aichholzer, Orden and Ramos, *On the structure of sets attaining the
/// rectilinear crossing number*, 2006.
pub(in super::super) fn onion(count: u32) -> Vec<Point> {
    // The length of an arm, horizontally and vertically.
    const LENGTHS: [i128; 2] = [UNIT as i128 * 54 / 100, UNIT as i128 * 61 / 100];
    let last = i128::from(count.div_ceil(3).max(2)) - 1;
    (0..count)
        .map(|k| {
            let (layer, arm) = (i128::from(k / 3), i128::from(k % 3));
            let direction = Direction::at(2 * PI_Q60 / 3 * arm);
            // The inner end of an arm is a fifth of the arm's length from the center.
            let along = |length: i128| length * (5 * last - 4 * layer) / (5 * last);
            // A parabola; lines through two of its points pass so close to the center that they miss the other arms.
            let bend = (last - 2 * layer).pow(2) + last.pow(2);
            let across = |length: i128| 4 * length * bend / (125 * last.pow(2));
            let [(x, _), (_, y)] =
                LENGTHS.map(|length| direction.offset(along(length), across(length)));
            point(MIDDLE + LENGTHS[0] / 32 + x, MIDDLE - 2 * LENGTHS[1] / 9 + y)
        })
        .collect()
}

/// Returns `count` points on a spiral, clockwise from the top toward the center.
pub(in super::super) fn spiral(count: u32) -> Vec<Point> {
    const INNER: i128 = RADIUS / 4;
    let steps = i128::from(count.max(2)) - 1;
    // In hundredths of a turn. The number of turns grows with the number of points, to keep the gap between turns close
    // to the gap between points.
    let turns = 2 * (i128::from(count) * 10_000).isqrt().min(50 * steps) / 5;
    let mut points = Vec::new();
    for k in 0..i128::from(count) {
        // Equal area between consecutive points, and so about equal arc length.
        let radius = (RADIUS.pow(2) - (RADIUS.pow(2) - INNER.pow(2)) * k / steps).isqrt();
        let angle = 2 * PI_Q60 * turns * (RADIUS - radius) / (100 * (RADIUS - INNER));
        let point = Direction::at(angle).point(radius);
        points.push(off_every_line(&points, point));
    }
    points
}

/// Returns a double zig-zag chain: two rows of points that bend toward each other, the upper row first, both
/// clockwise. Every other point of a row is set back from its two neighbors.
///
/// A line through two points of one row has the whole other row on one side. A row has the order type of a convex
/// chain, except that each point set back lies on the other side of the line through its two neighbors. See
/// Aichholzer, Hackl, Huemer, Hurtado, Krasser and Vogtenhuber, *On the Number of Plane Geometric Graphs*, 2007.
pub(in super::super) fn zigzag(count: u32) -> Vec<Point> {
    const BEND: i128 = UNIT as i128 / 5;
    let row = |count: u32| {
        let last = i128::from(count.max(2)) - 1;
        (0..i128::from(count)).map(move |k| {
            // A parabola. The line through the two neighbors passes 4 above the point, and the next line 12 above.
            let x = 2 * k - (i128::from(count) - 1);
            let set_back = if k % 2 == 0 { 8 } else { 0 };
            (RADIUS * x / last, RADIUS - BEND + BEND * (x * x + set_back) / (last * last + 8))
        })
    };
    let upper = row(count.div_ceil(2)).map(|(x, y)| point(MIDDLE + x, MIDDLE + y));
    let lower = row(count / 2).map(|(x, y)| point(MIDDLE - x, MIDDLE - y));
    upper.chain(lower).collect()
}

const fn point(x: i128, y: i128) -> Point {
    Point { x: x as u32, y: y as u32 }
}

/// A direction from the center of a figure: cosine and sine of its angle from vertical, times 2⁶⁰.
struct Direction {
    cos: i128,
    sin: i128,
}

impl Direction {
    /// Returns the direction at an angle clockwise from the top, times 2⁶⁰.
    fn at(angle: i128) -> Direction {
        let angle = angle % (2 * PI_Q60);
        // The power series is accurate enough up to π.
        let (angle, sign) = if angle > PI_Q60 { (2 * PI_Q60 - angle, -1) } else { (angle, 1) };
        let mut sums = [0, 0];
        let mut term = ONE_Q60;
        for n in 0..40 {
            let sign = if n % 4 < 2 { 1 } else { -1 };
            sums[n as usize % 2] += sign * term;
            term = ((term * angle) >> 60) / (n + 1);
        }
        Direction { cos: sums[0], sin: sign * sums[1] }
    }

    /// Converts (along, across) to (x, y).
    const fn offset(&self, along: i128, across: i128) -> (i128, i128) {
        let x = along * self.sin + across * self.cos;
        let y = along * self.cos - across * self.sin;
        (rounded(x), rounded(y))
    }

    /// Returns the point at this distance from the center of the square.
    const fn point(&self, distance: i128) -> Point {
        let (x, y) = self.offset(distance, 0);
        point(MIDDLE + x, MIDDLE + y)
    }
}

const fn rounded(q60: i128) -> i128 {
    (q60 + ONE_Q60 / 2) >> 60
}

#[cfg(test)]
mod tests {
    use super::super::super::check_points;
    use super::super::super::geometry::orientation;
    use super::*;

    /// Returns the orientation of three points: 1 if clockwise.
    fn turn(points: &[Point], [a, b, c]: [usize; 3]) -> i64 {
        -orientation(points[a], points[b], points[c]).signum()
    }

    /// Asserts the expected orientation of every three points, given by index.
    fn hold(points: &[Point], expected: impl Fn([usize; 3]) -> i64) {
        assert!(points.iter().all(|point| point.is_inside()));
        for c in 0..points.len() {
            for (a, b) in (0..c).flat_map(|b| (0..b).map(move |a| (a, b))) {
                let count = points.len();
                assert_eq!(turn(points, [a, b, c]), expected([a, b, c]), "{a} {b} {c} of {count}");
            }
        }
    }

    #[test]
    fn circle_points_run_clockwise_at_one_radius() {
        for count in 3..=200 {
            let points = circle(count);
            assert_eq!(points.len(), count as usize);
            hold(&points, |_| 1);
            for point in points {
                let centre = Point { x: UNIT / 2, y: UNIT / 2 };
                let radius = (point.distance_squared(centre) as f64).sqrt();
                assert!((radius - 480_000.0).abs() < 1.0, "{point}: {radius}");
            }
        }
        let quarter: Vec<String> = circle(4).iter().map(Point::to_string).collect();
        assert_eq!(quarter, ["0.5,0.98", "0.98,0.5", "0.5,0.02", "0.02,0.5"]);
    }

    #[test]
    fn double_circle_puts_half_its_points_inside_the_edges() {
        for count in 3..=200 {
            let points = double_circle(count);
            let n = count as usize;
            assert_eq!(points.len(), n);
            let inner = n - n.div_ceil(2).max(3);
            hold(&points, |[a, b, c]| {
                let is_flipped = |before: usize, at: usize, after: usize| {
                    at % 2 == 1 && at < 2 * inner && before + 1 == at && after == (at + 1) % n
                };
                if is_flipped(a, b, c) || is_flipped(b, c, a) { -1 } else { 1 }
            });
        }
    }

    #[test]
    fn onion_nests_triangles() {
        for count in 3..=200 {
            let points = onion(count);
            assert_eq!(points.len(), count as usize);
            hold(&points, |abc| match abc.map(|k| k % 3) {
                // One point of each arm, in order round the center.
                [a, b, c] if a != b && b != c && a != c => {
                    if (a + 1) % 3 == b {
                        1
                    } else {
                        -1
                    }
                }
                // An arm runs inwards and bends to the same side.
                [a, b, c] if a == b && b == c => -1,
                // Two points of one arm separate the other two arms.
                [a, b, c] => {
                    let (arm, other, sign) = if a == b {
                        (a, c, -1)
                    } else if b == c {
                        (b, a, -1)
                    } else {
                        (a, b, 1)
                    };
                    if (arm + 1) % 3 == other { sign } else { -sign }
                }
            });
            for (layer, triangle) in points.chunks_exact(3).enumerate() {
                let next = &points[3 * layer + 3..];
                for (a, b) in [(0, 1), (1, 2), (2, 0)] {
                    let is_inside = |&p: &Point| orientation(triangle[a], triangle[b], p) < 0;
                    assert!(next.iter().all(is_inside), "layer {layer} of {count}");
                }
            }
        }
    }

    #[test]
    fn spiral_turns_one_way_towards_the_middle() {
        let middle = Point { x: UNIT / 2, y: UNIT / 2 };
        for count in 3..=200 {
            let points = spiral(count);
            assert_eq!(points.len(), count as usize);
            assert_eq!(check_points(&points), Ok(()));
            for (k, three) in points.windows(3).enumerate() {
                assert!(orientation(three[0], three[1], three[2]) < 0, "{k} of {count}");
                assert!(orientation(middle, three[0], three[1]) < 0, "{k} of {count}");
                let [before, after] = [0, 1].map(|i| three[i].distance_squared(middle));
                assert!(after < before, "{k} of {count}");
            }
        }
    }

    #[test]
    fn zigzag_consists_of_two_facing_chains() {
        for count in 3..=200 {
            let points = zigzag(count);
            let upper = count.div_ceil(2) as usize;
            assert_eq!(points.len(), count as usize);
            hold(&points, |[a, b, c]| {
                if (a < upper) != (c < upper) {
                    return 1;
                }
                let k = if b < upper { b } else { b - upper };
                // Both rows bend inwards, so they turn left, unlike a circle, which turns right.
                if a + 1 == b && b + 1 == c && k % 2 == 0 { 1 } else { -1 }
            });
        }
    }

    /// The minimum distance between points is as large as in the other layouts.
    #[test]
    fn layouts_keep_points_apart() {
        for layout in [double_circle, onion, spiral, zigzag] {
            for count in 3..=60 {
                let points = layout(count);
                let nearest = |a: &Point| {
                    let others = points.iter().filter(|b| *b != a);
                    others.map(|b| b.distance_squared(*a)).min().unwrap_or_default()
                };
                let least = points.iter().map(nearest).min().unwrap_or_default() as f64;
                let least = least.sqrt() / f64::from(UNIT) * f64::from(count).sqrt();
                assert!(least > 0.1, "{count}: {least}");
            }
        }
    }

    /// The points must never change, on any machine or in any version.
    #[test]
    fn figure_layouts_never_change() {
        let text = |points: Vec<Point>| points.iter().map(Point::to_string).collect::<Vec<_>>();
        assert_eq!(
            text(double_circle(7)),
            [
                "0.5,0.98",
                "0.690294,0.690294",
                "0.98,0.5",
                "0.690294,0.309706",
                "0.5,0.02",
                "0.309706,0.309706",
                "0.02,0.5"
            ]
        );
        assert_eq!(
            text(onion(5)),
            [
                "0.551435,0.974445",
                "0.967249,0.025635",
                "0.031941,0.093255",
                "0.551435,0.486445",
                "0.593126,0.269635"
            ]
        );
        assert_eq!(
            text(spiral(5)),
            [
                "0.5,0.98",
                "0.812121,0.781035",
                "0.839295,0.414684",
                "0.523823,0.239554",
                "0.385873,0.537082"
            ]
        );
        assert_eq!(
            text(zigzag(7)),
            [
                "0.02,0.98",
                "0.34,0.791764",
                "0.66,0.885882",
                "0.98,0.885882",
                "0.98,0.02",
                "0.5,0.22",
                "0.02,0.02"
            ]
        );
    }
}
