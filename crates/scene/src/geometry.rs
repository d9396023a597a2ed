use std::collections::VecDeque;

/// The x and y coordinates, measured from the top left.
pub(super) type PlanePoint = [f64; 2];

pub(super) fn meeting([one, other]: [[PlanePoint; 2]; 2]) -> Option<PlanePoint> {
    let way = |[from, to]: [PlanePoint; 2]| [to[0] - from[0], to[1] - from[1]];
    let turn = |a: PlanePoint, b: PlanePoint| a[0] * b[1] - a[1] * b[0];
    let across = turn(way(one), way(other));
    if across.abs() < 1e-9 {
        return None;
    }
    let between = [other[0][0] - one[0][0], other[0][1] - one[0][1]];
    let part = turn(between, way(other)) / across;
    Some([0, 1].map(|axis| one[0][axis] + part * way(one)[axis]))
}

/// Returns the point inside a polygon that is farthest from the polygon's boundary, from the polygons that cover it,
/// and from the given lines, together with that distance. Only the points of a fine grid are considered.
pub(super) fn roomiest(
    corners: &[PlanePoint],
    covers: &VecDeque<Vec<PlanePoint>>,
    lines: &[[PlanePoint; 2]],
) -> (PlanePoint, f64) {
    const STEPS: u8 = 24;
    let [least, most] = bounds(corners);
    let mut best = (least, 0.0);
    for row in 1..STEPS {
        for col in 1..STEPS {
            let part = [col, row].map(|step| f64::from(step) / f64::from(STEPS));
            let at = [0, 1].map(|axis| least[axis] + part[axis] * (most[axis] - least[axis]));
            if !is_inside(corners, at) || covers.iter().any(|cover| is_inside(cover, at)) {
                continue;
            }
            let rims = std::iter::once(corners).chain(covers.iter().map(Vec::as_slice));
            let sides = rims.flat_map(rim).chain(lines.iter().copied());
            let mut room = f64::INFINITY;
            for side in sides {
                room = room.min(distance(at, side));
                if room <= best.1 {
                    break;
                }
            }
            if room > best.1 {
                best = (at, room);
            }
        }
    }
    best
}

/// Returns the top left and bottom right corners of the bounding box.
pub(super) fn bounds(points: &[PlanePoint]) -> [PlanePoint; 2] {
    let bound = |axis: usize, pick: fn(f64, f64) -> f64| {
        points.iter().map(|point| point[axis]).reduce(pick).unwrap_or(0.0)
    };
    [[0, 1].map(|axis| bound(axis, f64::min)), [0, 1].map(|axis| bound(axis, f64::max))]
}

fn rim(corners: &[PlanePoint]) -> impl Iterator<Item = [PlanePoint; 2]> + '_ {
    corners.iter().zip(corners.iter().cycle().skip(1)).map(|(from, to)| [*from, *to])
}

/// Returns whether a point is inside a polygon, by testing whether a ray from the point crosses the boundary an odd
/// number of times.
fn is_inside(corners: &[PlanePoint], [x, y]: PlanePoint) -> bool {
    let crosses = |[from, to]: &[PlanePoint; 2]| {
        (from[1] > y) != (to[1] > y)
            && x < from[0] + (y - from[1]) / (to[1] - from[1]) * (to[0] - from[0])
    };
    rim(corners).filter(crosses).count() % 2 == 1
}

/// Returns the distance from a point to a line segment.
pub(super) fn distance(at: PlanePoint, [from, to]: [PlanePoint; 2]) -> f64 {
    let way = [to[0] - from[0], to[1] - from[1]];
    let length = way[0] * way[0] + way[1] * way[1];
    let along = (at[0] - from[0]) * way[0] + (at[1] - from[1]) * way[1];
    let part = if length > 0.0 { (along / length).clamp(0.0, 1.0) } else { 0.0 };
    let near = [0, 1].map(|axis| from[axis] + part * way[axis] - at[axis]);
    (near[0] * near[0] + near[1] * near[1]).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_meet_where_they_cross() {
        let [across, down] = [[[0.0, 10.0], [20.0, 10.0]], [[5.0, 0.0], [5.0, 40.0]]];
        assert_eq!(meeting([across, down]), Some([5.0, 10.0]));
        assert_eq!(meeting([down, across]), Some([5.0, 10.0]));
        assert_eq!(meeting([across, [[0.0, 12.0], [20.0, 12.0]]]), None, "side by side");
    }
}
