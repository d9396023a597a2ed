//! The census over all order types of a small number of points.

use super::JoinTheDots;
use super::symmetry::Figures;
use crate::census::{OrderTypeCount, OrderTypes, Symmetry};
use quadrille_rules::Position;
use std::collections::HashSet;

pub fn census(points: u32) -> Option<OrderTypes> {
    let starts = starts(points)?;
    Some(OrderTypes {
        by_turns: count(&starts, Figures::default()),
        by_crossings: count(&starts, Figures::by_crossings()),
    })
}

/// Equivalent positions lead to equivalent positions, so the walk continues from only one position in each class.
fn count(starts: &[JoinTheDots], mut figures: Figures) -> OrderTypeCount {
    let mut classes = HashSet::new();
    let mut found = OrderTypeCount::default();
    for start in starts {
        let points = start.points().len();
        let mut whole = 0;
        let mut to_visit = vec![start.clone()];
        while let Some(position) = to_visit.pop() {
            let mut class = Vec::new();
            figures.class(&position, &mut class);
            if !classes.insert((position.to_move(), class)) {
                continue;
            }
            if position.points_left().count() == points {
                whole += 1;
            } else {
                found.with_fewer += 1;
            }
            for mv in position.legal_moves() {
                let mut next = position.clone();
                if next.play(mv).is_ok() {
                    to_visit.push(next);
                }
            }
        }
        found.with_all.push(whole);
    }
    found
}

/// Points of every order type of three to seven points, one order type per line: 1, 2, 3, 16 and 135 lines. Aichholzer,
/// Aurenhammer and Krasser, *Enumerating Order Types for Small Point Sets with Applications*, 2002.
const ORDER_TYPES: [&str; 5] = [
    include_str!("../../assets/order-types/3.txt"),
    include_str!("../../assets/order-types/4.txt"),
    include_str!("../../assets/order-types/5.txt"),
    include_str!("../../assets/order-types/6.txt"),
    include_str!("../../assets/order-types/7.txt"),
];

fn starts(points: u32) -> Option<Vec<JoinTheDots>> {
    let types = ORDER_TYPES.get(points.checked_sub(3)? as usize)?;
    types.lines().map(start).collect()
}

fn start(points: &str) -> Option<JoinTheDots> {
    JoinTheDots::from_setup(&format!("points={points}").parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_rules::join_the_dots::{Point, orientation};

    /// The sets of points on a small grid with no three collinear have exactly the listed order types.
    #[test]
    fn small_grid_has_exactly_the_listed_order_types() {
        let grid: Vec<Point> = (0..25).map(|n| Point { x: n % 5 * 2, y: n / 5 * 2 }).collect();
        for count in 3..=5u32 {
            let mut figures = Figures::default();
            let mut class = |points: &str| {
                let setup = format!("points={points}").parse().unwrap();
                let mut class = Vec::new();
                figures.class(&JoinTheDots::from_setup(&setup).unwrap(), &mut class);
                class
            };
            let text = |points: &[Point]| {
                points.iter().map(Point::to_string).collect::<Vec<_>>().join(";")
            };
            let known: HashSet<Vec<u8>> =
                starts(count).unwrap().iter().map(|start| class(&text(start.points()))).collect();
            assert_eq!(known.len(), starts(count).unwrap().len());
            let mut found = HashSet::new();
            let mut chosen: Vec<Vec<Point>> = vec![Vec::new()];
            for &point in &grid {
                let fits = |points: &&Vec<Point>| {
                    points.len() < count as usize
                        && (0..points.len())
                            .all(|b| (0..b).all(|a| orientation(points[a], points[b], point) != 0))
                };
                let more: Vec<Vec<Point>> = chosen
                    .iter()
                    .filter(fits)
                    .map(|points| [&points[..], &[point]].concat())
                    .collect();
                let (whole, part): (Vec<_>, Vec<_>) =
                    more.into_iter().partition(|points| points.len() == count as usize);
                found.extend(whole.iter().map(|points| class(&text(points))));
                chosen.extend(part);
            }
            assert_eq!(found, known, "{count} points");
        }
    }

    #[test]
    fn order_types_are_listed_once() {
        for ((points, count), types) in
            [(3, 1), (4, 2), (5, 3), (6, 16), (7, 135)].iter().zip(ORDER_TYPES)
        {
            let mut figures = Figures::default();
            let mut classes = HashSet::new();
            for line in types.lines() {
                let start = start(line).unwrap();
                assert_eq!(start.points().len(), *points, "{line}");
                let mut class = Vec::new();
                figures.class(&start, &mut class);
                assert!(classes.insert(class), "{line}");
            }
            assert_eq!(classes.len(), *count);
        }
    }

    #[test]
    fn census_matches_known_position_counts() {
        let counts = |points| {
            let OrderTypes { by_turns, by_crossings } = census(points).unwrap();
            [by_turns, by_crossings].map(|counts| (counts.with_all, counts.with_fewer))
        };
        assert_eq!(counts(3), [(vec![3], 1), (vec![3], 1)]);
        assert_eq!(counts(4), [(vec![9, 11], 2), (vec![9, 6], 2)]);
        assert_eq!(counts(5), [(vec![25, 116, 138], 4), (vec![25, 116, 47], 4)]);
        // Only one pair of order types of six points has the same crossings.
        let [(all, 10), (by_crossings, 10)] = &counts(6)[..] else { panic!() };
        assert_eq!(all.iter().sum::<u64>(), 15_216);
        assert_eq!(by_crossings.iter().filter(|count| **count == 0).count(), 1);
        assert_eq!(census(2), None);
        assert_eq!(census(8), None);
    }
}
