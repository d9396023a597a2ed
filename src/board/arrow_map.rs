//! Arrow-key navigation between scattered places. Each arrow leads where a player would expect, and every place is
//! reachable from every other.

use super::Direction;
use quadrille_scene::At;

/// The target of each of the four arrows from each place. An arrow leads to the place with the lowest
/// [cost](ArrowMap::cost): near, and not far to the side. If some places are unreachable, a few arrows are redirected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ArrowMap {
    places: Vec<(i32, i32)>,
    /// The target index of each place and direction.
    arrows: Vec<[Option<usize>; 4]>,
}

/// Returns the target of an arrow from one of these places, given their positions; `None` at the edge.
pub(super) fn next<P: Copy + PartialEq>(
    places: &[P],
    from: P,
    point: impl Fn(P) -> At,
    direction: Direction,
) -> Option<P> {
    let points: Vec<(i32, i32)> =
        places.iter().map(|place| point(*place)).map(|At { row, col }| (col, row)).collect();
    let index = places.iter().position(|place| *place == from)?;
    ArrowMap::new(&points).from(index, direction).map(|next| places[next])
}

/// The maximum number of redirected arrows before falling back to [`ArrowMap::walk_columns`], which cannot fail.
const MAX_TRIES: usize = 1000;

impl ArrowMap {
    /// Creates the map for these places, all distinct, given as (column, row) with rows counted downwards.
    pub fn new(places: &[(i32, i32)]) -> ArrowMap {
        let mut map = ArrowMap::natural(places);
        if !map.mend() {
            map.walk_columns();
        }
        map
    }

    /// Creates a map in which every arrow leads to the place with the lowest cost.
    fn natural(places: &[(i32, i32)]) -> ArrowMap {
        let mut map = ArrowMap { places: places.to_vec(), arrows: Vec::new() };
        map.arrows = (0..places.len())
            .map(|from| {
                Direction::ALL.map(|direction| {
                    let ahead = |to: &usize| map.cost(from, direction, *to).is_some();
                    (0..places.len())
                        .filter(ahead)
                        .min_by_key(|&to| (map.cost(from, direction, to), places[to]))
                })
            })
            .collect();
        map
    }

    /// Returns the target of an arrow from the place with this index; `None` at the edge.
    pub fn from(&self, index: usize, direction: Direction) -> Option<usize> {
        self.arrows.get(index)?[direction as usize]
    }

    /// Returns the distances to a place, along the arrow and across it; `None` if the place is not ahead.
    fn offset(&self, from: usize, direction: Direction, to: usize) -> Option<(u64, u64)> {
        let [(x, y), (to_x, to_y)] = [from, to].map(|index| self.places[index]);
        let (dx, dy) = (i64::from(to_x) - i64::from(x), i64::from(to_y) - i64::from(y));
        let (ahead, aside) = match direction {
            Direction::Left => (-dx, dy),
            Direction::Right => (dx, dy),
            Direction::Up => (-dy, dx),
            Direction::Down => (dy, dx),
        };
        (ahead > 0).then_some((ahead.unsigned_abs(), aside.unsigned_abs()))
    }

    /// Returns the cost of an arrow to a place: (ahead² + 2 aside²) / ahead, in 256ths, where `ahead` and `aside` are
    /// the distances along and across the arrow. This is the length of the ellipse that starts at the cursor, lies
    /// along the arrow, is √2 times as long as it is wide, and passes through the place. A place 45° off the arrow
    /// costs three times its distance ahead. Ties are broken by `aside`, then by `ahead`.
    fn cost(&self, from: usize, direction: Direction, to: usize) -> Option<(u64, u64, u64)> {
        let (ahead, aside) = self.offset(from, direction, to)?;
        Some((256 * ahead + (512 * aside).saturating_mul(aside) / ahead, aside, ahead))
    }

    /// Returns, for each place, whether it is reachable from the first place, and whether the first place is reachable
    /// from it.
    fn linked(&self) -> [Vec<bool>; 2] {
        let mut ways = [vec![Vec::new(); self.places.len()], vec![Vec::new(); self.places.len()]];
        for (from, arrows) in self.arrows.iter().enumerate() {
            for &to in arrows.iter().flatten() {
                ways[0][from].push(to);
                ways[1][to].push(from);
            }
        }
        ways.map(|ways| reachable(&ways))
    }

    /// Redirects arrows one by one until all places are connected. Among the redirections that connect more places,
    /// takes the one with the lowest added cost. Returns `false` on failure.
    fn mend(&mut self) -> bool {
        let count = |linked: &[Vec<bool>; 2]| linked.iter().flatten().filter(|&&yes| yes).count();
        let mut tries = MAX_TRIES;
        loop {
            let linked = self.linked();
            if count(&linked) == 2 * self.places.len() {
                return true;
            }
            let mut useful = self.useful(&linked);
            useful.sort_unstable();
            let changed = useful.into_iter().take(tries).any(|(_, from, direction, to)| {
                tries -= 1;
                let old = self.arrows[from][direction].replace(to);
                let better = count(&self.linked()) > count(&linked);
                if !better {
                    self.arrows[from][direction] = old;
                }
                better
            });
            if !changed {
                return false;
            }
        }
    }

    /// Returns the redirections that could help: those that lead to an unreachable place, or out of a place with no way
    /// back. Each is (added cost, from, direction, to).
    fn useful(&self, [reached, leads]: &[Vec<bool>; 2]) -> Vec<(u64, usize, usize, usize)> {
        let mut changes = Vec::new();
        for from in 0..self.places.len() {
            for to in 0..self.places.len() {
                let links = (reached[from] && !reached[to]) || (!leads[from] && leads[to]);
                if !links {
                    continue;
                }
                for direction in Direction::ALL {
                    if let Some((cost, ..)) = self.cost(from, direction, to) {
                        let now = self.from(from, direction);
                        let now = now.and_then(|now| self.cost(from, direction, now));
                        let more = cost.saturating_sub(now.map_or(0, |(cost, ..)| cost));
                        changes.push((more, from, direction as usize, to));
                    }
                }
            }
        }
        changes
    }

    /// Connects all places in a way that cannot fail: left and right lead to the nearest place in the next column, up
    /// and down to the next place in the same column, if any.
    fn walk_columns(&mut self) {
        for from in 0..self.places.len() {
            for direction in Direction::ALL {
                let sideways = matches!(direction, Direction::Left | Direction::Right);
                let next = (0..self.places.len())
                    .filter_map(|to| Some((self.offset(from, direction, to)?, to)))
                    .filter(|((_, aside), _)| sideways || *aside == 0)
                    .min_by_key(|&(offset, to)| (offset, self.places[to]));
                if let Some((_, to)) = next {
                    self.arrows[from][direction as usize] = Some(to);
                }
            }
        }
    }
}

fn reachable(ways: &[Vec<usize>]) -> Vec<bool> {
    let mut met = vec![false; ways.len()];
    let mut open: Vec<usize> = (0..ways.len().min(1)).collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut met[at], true) {
            open.extend(&ways[at]);
        }
    }
    met
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all_linked(map: &ArrowMap) -> bool {
        let count = map.places.len();
        (0..count).all(|start| {
            let mut seen = vec![false; count];
            let mut open = vec![start];
            while let Some(at) = open.pop() {
                if !std::mem::replace(&mut seen[at], true) {
                    open.extend(Direction::ALL.iter().filter_map(|&way| map.from(at, way)));
                }
            }
            !seen.contains(&false)
        })
    }

    /// Generates sets of places on grids of many sizes, with many or no places sharing a row or a column.
    fn places() -> impl Strategy<Value = Vec<(i32, i32)>> {
        let side = prop_oneof![Just(1), 2..8, 10..30, Just(1_000_000)];
        (side.clone(), side).prop_flat_map(|(width, height)| {
            let most = (width as usize).saturating_mul(height as usize).min(200);
            proptest::collection::btree_set((0..width, 0..height), 1..=most)
                .prop_map(|set| set.into_iter().collect::<Vec<_>>())
                .prop_shuffle()
        })
    }

    proptest! {
        #[test]
        fn arrows_reach_every_place_and_never_point_backwards(places in places()) {
            let map = ArrowMap::new(&places);
            prop_assert!(all_linked(&map));
            let mut plain = map.clone();
            plain.walk_columns();
            prop_assert!(all_linked(&plain));
            for map in [map, plain] {
                for from in 0..places.len() {
                    for direction in Direction::ALL {
                        let (step_x, step_y) = direction.step();
                        if let Some(to) = map.from(from, direction) {
                            let (dx, dy) = (places[to].0 - places[from].0, places[to].1 - places[from].1);
                            prop_assert!(dx * i32::from(step_x) + dy * i32::from(step_y) > 0);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn arrows_on_a_square_lead_to_the_neighbours() {
        let places: Vec<(i32, i32)> = (0..9).map(|i| (i % 3, i / 3)).collect();
        let map = ArrowMap::new(&places);
        for (index, &(x, y)) in places.iter().enumerate() {
            for direction in Direction::ALL {
                let (dx, dy) = direction.step();
                let next = (x + i32::from(dx), y + i32::from(dy));
                let next = places.iter().position(|&place| place == next);
                assert_eq!(map.from(index, direction), next);
            }
        }
    }

    /// Four corners and a center: the corners cost less than the center, so no arrow would lead there.
    #[test]
    fn unreachable_place_changes_one_arrow() {
        let places = [(0, 0), (2, 0), (1, 1), (0, 2), (2, 2)];
        let (natural, map) = (ArrowMap::natural(&places), ArrowMap::new(&places));
        assert!(!all_linked(&natural) && all_linked(&map));
        let arrows = |map: &ArrowMap| map.arrows.concat();
        let changed = arrows(&natural).into_iter().zip(arrows(&map)).filter(|(a, b)| a != b);
        assert_eq!(
            changed.collect::<Vec<_>>(),
            [(Some(1), Some(2))],
            "right from the first corner"
        );
    }

    #[test]
    fn arrow_target_weighs_distance_and_angle() {
        // From the first place, one place is near but far to the side, one nearly straight ahead, and one far away.
        // Of two places with the same cost and just as far to the side, the nearer one.
        let column = [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 4), (1, 0)];
        let map = ArrowMap::natural(&column);
        assert_eq!(map.from(6, Direction::Down), Some(1));
        assert_eq!(map.from(5, Direction::Up), Some(3));
        let map = ArrowMap::new(&[(0, 0), (1, 9), (10, 1), (30, 0)]);
        assert_eq!(map.from(0, Direction::Right), Some(2));
        assert_eq!(map.from(0, Direction::Down), Some(1));
        assert_eq!(map.from(0, Direction::Left), None);
        assert_eq!(map.from(0, Direction::Up), None);
    }

    #[test]
    fn arrow_map_of_zero_or_one_place_has_no_arrows() {
        assert_eq!(ArrowMap::new(&[]).from(0, Direction::Left), None);
        assert_eq!(ArrowMap::new(&[(5, 5)]).from(0, Direction::Up), None);
    }

    #[test]
    fn extreme_coordinates_do_not_overflow() {
        let ends = [i32::MIN, i32::MAX];
        let places: Vec<_> = ends.into_iter().flat_map(|x| ends.map(|y| (x, y))).collect();
        assert!(all_linked(&ArrowMap::new(&places)));
    }
}
