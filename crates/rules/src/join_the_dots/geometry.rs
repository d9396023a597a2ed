//! Points in the unit square and exact integer geometry, in millionths.

use std::fmt;
use std::str::FromStr;

/// The side of the unit square, in millionths.
pub const UNIT: u32 = 1_000_000;

/// A point in the unit square, in millionths: x to the right, y upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// Distance from the left side, 0 to [`UNIT`].
    pub x: u32,
    /// Distance from the bottom, 0 to [`UNIT`].
    pub y: u32,
}

impl Point {
    /// Returns whether the point lies in the unit square.
    pub const fn is_inside(self) -> bool {
        self.x <= UNIT && self.y <= UNIT
    }

    /// Returns the squared distance to another point.
    pub const fn distance_squared(self, other: Point) -> u64 {
        let (dx, dy) = (self.x.abs_diff(other.x) as u64, self.y.abs_diff(other.y) as u64);
        dx * dx + dy * dy
    }
}

/// Returns twice the signed area of triangle a b c: positive if counter-clockwise, 0 if collinear. Exact: with 20-bit
/// coordinates the result stays below 2⁴².
pub const fn orientation(a: Point, b: Point, c: Point) -> i64 {
    let (ax, ay) = (a.x as i64, a.y as i64);
    (b.x as i64 - ax) * (c.y as i64 - ay) - (b.y as i64 - ay) * (c.x as i64 - ax)
}

/// Returns whether the open segments a–b and c–d cross. Segments that share an end do not cross. No three of the points
/// may be collinear.
pub const fn cross(a: Point, b: Point, c: Point, d: Point) -> bool {
    orientation(a, b, c).signum() * orientation(a, b, d).signum() < 0
        && orientation(c, d, a).signum() * orientation(c, d, b).signum() < 0
}

impl FromStr for Point {
    type Err = ();

    /// Parses `0.25,1`: two unsigned decimals with at most 6 decimal places.
    fn from_str(text: &str) -> Result<Point, ()> {
        let (x, y) = text.split_once(',').ok_or(())?;
        Ok(Point { x: read_decimal(x).ok_or(())?, y: read_decimal(y).ok_or(())? })
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_decimal(f, self.x)?;
        f.write_str(",")?;
        write_decimal(f, self.y)
    }
}

/// Parses a decimal into millionths. At most one digit before the decimal point, so no overflow.
fn read_decimal(text: &str) -> Option<u32> {
    let (whole, places) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str, most: usize| {
        (1..=most).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit())
    };
    if !digits(whole, 1) || !digits(places, 6) {
        return None;
    }
    let millionths: u32 = format!("{places:0<6}").parse().ok()?;
    Some(whole.parse::<u32>().ok()? * UNIT + millionths)
}

fn write_decimal(f: &mut fmt::Formatter<'_>, value: u32) -> fmt::Result {
    let (whole, places) = (value / UNIT, value % UNIT);
    if places == 0 {
        return write!(f, "{whole}");
    }
    let places = format!("{places:06}");
    write!(f, "{whole}.{}", places.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn point() -> impl Strategy<Value = Point> {
        (0..=UNIT, 0..=UNIT).prop_map(|(x, y)| Point { x, y })
    }

    #[test]
    fn point_parser_rejects_inexact_decimals() {
        let read = |text: &str| text.parse::<Point>().ok().map(|p| (p.x, p.y));
        assert_eq!(read("0.25,1"), Some((250_000, 1_000_000)));
        assert_eq!(read("0,0.000001"), Some((0, 1)));
        assert_eq!(read("1.5,9"), Some((1_500_000, 9_000_000)), "outside, for the setup to refuse");
        for bad in [
            "",
            "0.5",
            "0.5,",
            ".5,0",
            "0.,0",
            "0.1234567,0",
            "-0.1,0",
            "1e-3,0",
            "00,0",
            "0.5, 0",
            "0,1,2",
            "+1,0",
            "12,0",
        ] {
            assert_eq!(read(bad), None, "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn point_text_round_trips(p in point()) {
            prop_assert_eq!(p.to_string().parse::<Point>(), Ok(p));
        }

        #[test]
        fn orientation_follows_point_order(a in point(), b in point(), c in point()) {
            prop_assert_eq!(orientation(a, b, c), orientation(b, c, a));
            prop_assert_eq!(orientation(a, b, c), -orientation(b, a, c));
        }

        #[test]
        fn crossing_ignores_endpoint_and_segment_order(a in point(), b in point(), c in point(), d in point()) {
            let crossing = cross(a, b, c, d);
            prop_assert_eq!(crossing, cross(b, a, c, d));
            prop_assert_eq!(crossing, cross(c, d, a, b));
            prop_assert!(!cross(a, b, a, c) && !cross(a, b, c, b));
        }

        /// Checks against the definition: two segments cross if their lines intersect, by exact rational arithmetic,
        /// strictly inside both.
        #[test]
        fn crossing_is_a_common_inner_point(a in point(), b in point(), c in point(), d in point()) {
            let (rx, ry) = (b.x as i128 - a.x as i128, b.y as i128 - a.y as i128);
            let (sx, sy) = (d.x as i128 - c.x as i128, d.y as i128 - c.y as i128);
            let (qx, qy) = (c.x as i128 - a.x as i128, c.y as i128 - a.y as i128);
            let denominator = rx * sy - ry * sx;
            let inside = |numerator: i128| {
                let (n, d) = (numerator * denominator.signum(), denominator.abs());
                0 < n && n < d
            };
            let common = denominator != 0 && inside(qx * sy - qy * sx) && inside(qx * ry - qy * rx);
            prop_assert_eq!(cross(a, b, c, d), common);
        }

        /// Of the three ways to pair four points, one crosses if the points are in convex position, and none otherwise.
        #[test]
        fn four_points_cross_in_one_pairing_at_most(a in point(), b in point(), c in point(), d in point()) {
            let pairings = [cross(a, b, c, d), cross(a, c, b, d), cross(a, d, b, c)];
            prop_assert!(pairings.into_iter().filter(|&crossing| crossing).count() <= 1);
        }
    }
}
