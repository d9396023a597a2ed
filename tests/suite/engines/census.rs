//! The census, compared with known counts and with a plain enumeration of each game by the text of its boards.

use crate::common::program::run;
use crate::common::samples::complete;
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_rules::intersections::Intersections;
use quadrille_rules::join_the_dots::{JoinTheDots, Point, orientation};
use quadrille_rules::quixo::Quixo;
use quadrille_rules::tic_tac_toe::TicTacToe;
use quadrille_rules::{Position, Scores, Seat};
use quadrille_search::census::{Census, Count};
use quadrille_search::{Control, Limits, NoTableCache, StopReason};
use quadrille_table::catalogue;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::AtomicBool;

fn count_within(id: &str, setup: &str, memory: usize, stop: bool) -> Census {
    let stop = AtomicBool::new(stop);
    let limits = Limits { memory, ..Limits::default() };
    let control = Control::new(&stop, limits, &NoTableCache, &|_| ());
    (catalogue::find(id).unwrap().census)(&setup.parse().unwrap(), &control).unwrap()
}

fn count(id: &str, setup: &str) -> Census {
    let census = count_within(id, setup, 1 << 30, false);
    assert_eq!(census.halt, None);
    census
}

fn pair(positions: u64, classes: u64) -> Count {
    Count { positions, classes }
}

/// Counts by the simplest enumeration: sets of texts. `board` returns the text of a position and a canonical text of
/// its symmetry class.
fn plain<G: Position>(setup: &str, board: impl Fn(&G) -> (String, String)) -> Census {
    let mut census = Census::default();
    let mut layer = vec![G::from_setup(&setup.parse().unwrap()).unwrap()];
    let mut states: BTreeSet<(Option<Seat>, String, Option<Scores>)> = BTreeSet::new();
    let mut positions: BTreeSet<(Option<Seat>, String)> = BTreeSet::new();
    let mut classes: BTreeSet<(Option<Seat>, String)> = BTreeSet::new();
    let mut ends = BTreeMap::<_, (BTreeSet<String>, BTreeSet<String>)>::new();
    while !layer.is_empty() {
        let mut ply = Count::default();
        let mut next = Vec::new();
        for position in layer {
            let (text, class) = board(&position);
            let turn = position.to_move();
            if !states.insert((turn, text.clone(), position.scores())) {
                continue;
            }
            let is_new = positions.insert((turn, text.clone()));
            let is_new_class = classes.insert((turn, class.clone()));
            ply += pair(is_new.into(), is_new_class.into());
            match position.outcome() {
                None => census.unfinished += pair(is_new.into(), is_new_class.into()),
                Some(outcome) => {
                    let winners: Vec<Seat> = outcome.winners().collect();
                    let (texts, classes) = ends.entry((winners, position.scores())).or_default();
                    texts.insert(text);
                    classes.insert(class);
                }
            }
            for mv in position.legal_moves() {
                let mut after = position.clone();
                after.play(mv).unwrap();
                next.push(after);
            }
        }
        if ply != Count::default() {
            census.plies.push(ply);
        }
        layer = next;
    }
    for ((winners, scores), (texts, classes)) in ends {
        let end = quadrille_search::census::End { winners, scores };
        census.ends.insert(end, pair(texts.len() as u64, classes.len() as u64));
    }
    census
}

/// Returns the smallest of all images of a text under the rotations and reflections of its square or rectangle.
/// `turned` maps a character when rows and columns are exchanged.
fn least_image(text: &str, turned: fn(char) -> char) -> String {
    let mut grid: Vec<Vec<char>> = text.lines().map(|line| line.chars().collect()).collect();
    let shape = (grid.len(), grid[0].len());
    let mut images = Vec::new();
    for _ in 0..2 {
        for _ in 0..4 {
            if (grid.len(), grid[0].len()) == shape {
                images.push(
                    grid.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>(),
                );
            }
            // A quarter turn, with columns as rows.
            let rows = grid.len();
            grid = (0..grid[0].len())
                .map(|col| (0..rows).rev().map(|row| turned(grid[row][col])).collect())
                .collect();
        }
        grid.reverse();
    }
    images.into_iter().min().unwrap().join("\n")
}

fn boxes(game: &DotsAndBoxes) -> (String, String) {
    let text = game.to_string().replace(['A', 'B'], "?");
    let turned = |c| match c {
        '-' => '|',
        '|' => '-',
        c => c,
    };
    (text.clone(), least_image(&text, turned))
}

fn dice(game: &Quixo) -> (String, String) {
    (game.to_string(), least_image(&game.to_string(), |c| c))
}

fn cells(game: &TicTacToe) -> (String, String) {
    let text = game.to_string().replace("-1", "-").replace(' ', "");
    (text.clone(), least_image(&text, |c| c))
}

/// The text of the segments, and its smallest image.
fn segments(game: &Intersections) -> (String, String) {
    let (rows, cols) = (game.rows(), game.cols());
    let images = (0..8).filter(|which| which & 4 == 0 || rows == cols).map(|which| {
        let image = |at: quadrille_rules::intersections::Dot| {
            let row = if which & 1 == 0 { at.row } else { rows - 1 - at.row };
            let col = if which & 2 == 0 { at.col } else { cols - 1 - at.col };
            if which & 4 == 0 { (row, col) } else { (col, row) }
        };
        let segments = game.drawn().iter().map(|segment| {
            let [a, b] = segment.ends().map(image);
            (a.min(b), a.max(b))
        });
        format!("{} {:?}", game.round(), segments.collect::<BTreeSet<_>>())
    });
    (game.to_string(), images.min().unwrap())
}

/// Returns the text of the position, and the smallest text over all numberings of the points left and both
/// orientations. Such a text has the orientation of each three points, and the lines.
fn figures(known: &mut HashMap<String, String>, game: &JoinTheDots) -> (String, String) {
    let text = game.to_string();
    let left: Vec<u8> = game.points_left().collect();
    let class = known.entry(text.clone()).or_insert_with(|| {
        let mut orders = vec![Vec::new()];
        for _ in &left {
            orders = orders
                .into_iter()
                .flat_map(|order: Vec<u8>| {
                    let more =
                        left.iter().filter(|dot| !order.contains(dot)).copied().collect::<Vec<_>>();
                    more.into_iter().map(move |dot| [&order[..], &[dot]].concat())
                })
                .collect();
        }
        let images = orders.iter().flat_map(|order| {
            [1, -1].map(|mirror| {
                let points: Vec<Point> =
                    order.iter().map(|&dot| game.point(dot).unwrap()).collect();
                let mut image = String::new();
                for c in 0..points.len() {
                    for b in 0..c {
                        for a in 0..b {
                            let way =
                                orientation(points[a], points[b], points[c]).signum() * mirror;
                            image.push(if way > 0 { '+' } else { '-' });
                        }
                    }
                }
                let label = |dot| order.iter().position(|&other| other == dot).unwrap();
                let lines: BTreeSet<[usize; 2]> = game
                    .lines()
                    .iter()
                    .map(|line| {
                        let [a, b] = line.ends().map(label);
                        [a.min(b), a.max(b)]
                    })
                    .collect();
                format!("{} {image} {lines:?}", order.len())
            })
        });
        images.min().unwrap()
    });
    (text, class.clone())
}

#[test]
fn census_matches_plain_enumeration() {
    let known = std::cell::RefCell::new(HashMap::new());
    let samples: &[(&str, &[&str])] = &[
        ("dots-and-boxes", &["size=2", "rows=2 cols=4", "rows=4 cols=2", "size=3"]),
        (
            "join-the-dots",
            &[
                "points=",
                "layout=circle:3",
                "layout=circle:5",
                "layout=random:4 seed=1",
                "layout=random:5 seed=4",
                "layout=circle:6",
                "layout=clustered:6 seed=2",
            ],
        ),
        (
            "quixo",
            &["size=1", "size=2", "size=2 first=O", "size=3", "size=3 first=O grid=XX--O-OO-"],
        ),
        ("tic-tac-toe", &["", "first=O", "grid=XO------- first=X", "grid=XXXOOO---"]),
        (
            "intersections",
            &[
                "size=2",
                "size=2 rounds=6 first=next",
                "rows=2 cols=4 segments=4 rounds=2",
                "size=3 segments=4",
                "rows=3 cols=2 players=3 segments=3 first=seat1",
            ],
        ),
    ];
    complete(samples.iter().map(|(id, _)| *id));
    for (id, setups) in samples {
        for setup in *setups {
            let mut found = count(id, setup);
            assert!(found.bytes > 0);
            found.bytes = 0;
            let plain = match *id {
                "dots-and-boxes" => plain(setup, boxes),
                "join-the-dots" => {
                    known.borrow_mut().clear();
                    plain(setup, |game| figures(&mut known.borrow_mut(), game))
                }
                "quixo" => plain(setup, dice),
                "tic-tac-toe" => plain(setup, cells),
                _ => plain(setup, segments),
            };
            assert_eq!(found, plain, "{id} {setup}");
        }
    }
}

#[test]
fn census_matches_published_counts() {
    let grids = count("tic-tac-toe", "");
    assert_eq!(grids.total(), pair(5478, 765));
    assert_eq!(grids.unfinished.positions, 4520);
    let ends: Vec<u64> = grids.ends.values().map(|count| count.positions).collect();
    assert_eq!(ends, [626, 16, 316], "won by the first, drawn, won by the second");
    // The published counts ignore the side to move. Up to five points that makes no difference.
    for (points, all) in [(3, 8), (4, 38), (5, 202)] {
        let census = count("join-the-dots", &format!("layout=circle:{points}"));
        assert_eq!(census.total().positions, all, "{points} points");
    }
}

/// With 4 points there are 20 kinds of position with all points present and 22 in all, with 5 points 279 and 283. Here
/// they are counted over all numberings, on sets of points chosen for this test.
#[test]
fn census_counts_all_order_types_of_few_points() {
    let kinds: [&[&str]; 3] = [
        &["0,0;1,0;0.4,1"],
        &["0,0.1;0.9,0;1,1;0.1,0.9", "0,0;1,0.1;0.3,1;0.4,0.4"],
        &[
            "0.5,1;0.9,0.6;0.8,0;0.2,0.1;0,0.7",
            "0,0;1,0.1;0.9,1;0.1,0.8;0.3,0.4",
            "0,0;1,0.05;0.45,1;0.3,0.2;0.7,0.25",
        ],
    ];
    for (kinds, (points, with_all, all)) in
        kinds.iter().zip([(3, 3, 4), (4, 20, 22), (5, 279, 283)])
    {
        let mut classes = BTreeSet::new();
        for kind in *kinds {
            let mut known = HashMap::new();
            let start =
                JoinTheDots::from_setup(&format!("points={kind}").parse().unwrap()).unwrap();
            let mut open = vec![start];
            let mut seen = BTreeSet::new();
            while let Some(position) = open.pop() {
                let (text, class) = figures(&mut known, &position);
                if !seen.insert((text, position.to_move())) {
                    continue;
                }
                classes.insert((class, position.points_left().count(), position.to_move()));
                for mv in position.legal_moves() {
                    let mut next = position.clone();
                    next.play(mv).unwrap();
                    open.push(next);
                }
            }
        }
        let whole = classes.iter().filter(|(_, left, _)| *left == points).count();
        assert_eq!((whole, classes.len()), (with_all, all), "{points} points");
        let points = points.to_string();
        let told = run(&["census", "join-the-dots", "--order-types", &points, "--json"]).ok();
        let told: Value = serde_json::from_str(&told).unwrap();
        assert_eq!((&told["with_all"], &told["classes"]), (&with_all.into(), &all.into()));
    }
}

#[test]
fn census_reports_too_little_memory_in_one_line() {
    let all = count("quixo", "size=3");
    let whole = run(&["census", "quixo", "size=4", "--memory", "1"]);
    assert_eq!(whole.status, 1);
    let (at, _) = whole.err.split_once(" positions up to ply ").unwrap();
    let (begin, positions) = at.split_once(": ").unwrap().1.split_once(": ").unwrap();
    let ply: usize = begin.strip_prefix("exceeds 1 MiB at ply ").unwrap().parse().unwrap();
    let positions: u64 = positions.replace(',', "").parse().unwrap();
    assert!(whole.err.ends_with(&format!("up to ply {}; raise --memory\n", ply - 1)));
    assert!(whole.out.contains("\nup to there ") && whole.out.contains(&positions.to_string()));
    assert!(whole.out.contains(&format!("\n{} ", ply - 1)), "{}", whole.out);
    assert!(!whole.out.contains(&format!("\n{ply} ")), "{}", whole.out);

    // Counts up to the memory limit are right, and the limit was never exceeded.
    let mut plies = BTreeSet::new();
    for memory in (12..24).map(|power| 1 << power) {
        let part = count_within("quixo", "size=3", memory, false);
        assert!(part.bytes <= memory || part.plies.is_empty(), "{} of {memory}", part.bytes);
        assert_eq!(part.plies, all.plies[..part.plies.len()]);
        let whole = part.plies.len() == all.plies.len();
        assert_eq!(part.halt, (!whole).then_some(StopReason::MemoryLimit));
        plies.insert(part.plies.len());
    }
    assert!(plies.len() > 3 && plies.contains(&all.plies.len()), "{plies:?}");
}

#[test]
fn stopped_census_keeps_the_counted_plies() {
    let part = count_within("tic-tac-toe", "", 1 << 30, true);
    assert_eq!(part.halt, Some(StopReason::Stopped));
    assert_eq!(part.plies, count("tic-tac-toe", "").plies[..part.plies.len()]);
    assert!(part.plies.len() > 2);
}

#[test]
fn census_prints_a_table_and_json() {
    let text = run(&["census", "dots-and-boxes", "size=2"]).ok();
    let (table, last) = text.trim_end().rsplit_once('\n').unwrap();
    assert_eq!(
        table,
        "Dots and Boxes, rows=2 cols=2
ply                positions  up to symmetry
0                          1               1
1                          4               1
2                          6               2
3                          4               1
4                          1               1
all                       16               6

unfinished                15               5
over                       1               1

over, with scores  positions  up to symmetry
seat 2 wins                1               1
  0-1                      1               1"
    );
    assert!(last.ends_with(" MiB"), "{last}");
    let line = run(&["census", "tic-tac-toe", "--json"]).ok();
    let json: Value = serde_json::from_str(&line).unwrap();
    assert_eq!((&json["positions"], &json["classes"]), (&5478.into(), &765.into()));
    assert_eq!(json["over"]["positions"], 958);
    assert_eq!(json["plies"].as_array().unwrap().len(), 10);
    assert_eq!(json["ends"][0]["winners"], serde_json::json!([0]));
    assert_eq!(json["complete"], true);
    let part = run(&["census", "quixo", "--memory", "1", "--json"]);
    let json: Value = serde_json::from_str(&part.out).unwrap();
    assert_eq!((part.status, &json["complete"]), (1, &false.into()));
}

#[test]
fn census_refuses_wrong_arguments_in_one_line() {
    for (args, reason) in [
        (&["quixo", "size=27"][..], "must be a whole number from 1 to 26"),
        (&["quixo", "--order-types", "4"], "quixo has no order types"),
        (&["join-the-dots", "--order-types", "8"], "must be a number of points from 3 to 7"),
        (&["join-the-dots", "layout=eight", "--order-types", "4"], "cannot be used with"),
        (&["chess"], "invalid value"),
        (&["quixo", "--memory", "0"], "0 is not in"),
    ] {
        let line = run(&[&["census"], args].concat()).fails(2);
        assert!(line.contains(reason), "{line}");
    }
    let help = run(&["--help"]).ok();
    assert!(help.contains("\n  census "), "{help}");
}

/// Regression test: counts of larger boards by an earlier version.
#[test]
#[ignore = "takes minutes"]
fn census_counts_of_larger_boards_are_stable() {
    for (id, setup, total) in [
        ("dots-and-boxes", "rows=3 cols=4", pair(137_050, 34_969)),
        ("join-the-dots", "layout=circle:8", pair(70_852, 3_012)),
        ("join-the-dots", "layout=circle:9", pair(542_759, 17_481)),
    ] {
        assert_eq!(count_within(id, setup, 4 << 30, false).total(), total, "{id} {setup}");
    }
}
