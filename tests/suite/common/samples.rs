//! Sample setups of every game, which the suites play, draw and solve.
//!
//! Every suite fails if a game of the catalogue has no sample, or a sample has no game.

use quadrille::app::{OpenMatch, Table};
use quadrille_match::session::Conditions;
use quadrille_rules::Setup;
use quadrille_table::catalogue::{GAMES, GameEntry};
use std::path::Path;

pub struct Sample {
    pub id: &'static str,
    /// A setup with few moves, which its engine solves at once.
    pub small: &'static str,
    /// More setups that its engine solves at once.
    pub solved: &'static [&'static str],
    /// Setups larger than a screen, ending with the maximum size.
    pub large: &'static [&'static str],
    /// More interesting setups: odd shapes, every turn order, starts that are over.
    pub more: &'static [&'static str],
    /// With the default setup.
    pub opening: &'static str,
    pub endless: bool,
    /// Setups for matches between levels, each with the number of random opening moves. SEED is replaced by a number.
    pub level_matches: &'static [(&'static str, usize)],
}

const SAMPLES: [Sample; GAMES.len()] = [
    Sample {
        id: "dots-and-boxes",
        small: "size=3",
        solved: &["rows=2 cols=9", "rows=4 cols=4"],
        large: &["rows=2 cols=30", "size=30", "size=64"],
        more: &["size=2", "rows=2 cols=7", "rows=6 cols=4", "size=6"],
        opening: "H0,0 V0,0 V0,1 H1,0",
        endless: false,
        level_matches: &[("size=4", 4), ("size=5", 4), ("size=6", 4), ("size=8", 4)],
    },
    Sample {
        id: "join-the-dots",
        small: "layout=circle:6",
        solved: &["layout=circle:7", "layout=random:8 seed=1", "layout=circle:12"],
        large: &["layout=random:60 seed=1", "layout=random:200 seed=1"],
        more: &[
            "layout=eight",
            "layout=circle:3",
            "layout=circle:12",
            "layout=random:18 seed=7",
            "points=",
            "points=0,0;1,1",
            "points=0,0;1,0;0.9,1;0.1,0.8;0.4,0.45",
        ],
        opening: "3-7 1-3 5-10",
        endless: false,
        level_matches: &[
            ("layout=random:8 seed=SEED", 2),
            ("layout=random:10 seed=SEED", 2),
            ("layout=random:14 seed=SEED", 2),
        ],
    },
    Sample {
        id: "quixo",
        small: "size=3",
        solved: &["size=2"],
        large: &["size=20", "size=26"],
        more: &[
            "size=1",
            "size=2",
            "size=3 first=O",
            "size=4",
            "size=7",
            "size=3 grid=XX--O-OO- first=O",
            "size=2 grid=XXOO",
            // X may take only a few dice, which are far apart.
            "size=3 grid=OXO-XOOO-",
            "size=3 grid=OOXO-XXO-",
            "size=4 grid=OOOXO--OO--OXOOO",
            "size=5 grid=OO-OOO---OO---XX---OOOXOO",
        ],
        opening: "B1-B5 C1-A1",
        endless: true,
        level_matches: &[("size=3", 3), ("size=4", 4), ("size=5", 4), ("size=6", 4)],
    },
    Sample {
        id: "tic-tac-toe",
        small: "grid=XO-------",
        solved: &[""],
        large: &[""],
        more: &["first=O", "grid=XOXXOOO-X", "grid=XXXOOO---", "grid=XOX-OX-X- first=O"],
        opening: "b2 a1",
        endless: false,
        level_matches: &[("", 1), ("", 2)],
    },
    Sample {
        id: "intersections",
        small: "size=2",
        solved: &["size=3 rounds=4 first=next", "size=3 segments=4"],
        large: &["size=20 players=3", "size=32"],
        more: &[
            "size=3",
            "size=3 first=next",
            "rows=3 cols=4",
            "rows=2 cols=9 rounds=4 first=seat1",
            "players=3 first=next",
            "size=5 players=8",
            "size=4 players=5",
            "size=3 players=4 segments=4 rounds=8",
        ],
        opening: "0,0-0,2 1,1-3,1",
        endless: false,
        level_matches: &[
            ("size=4 players=2", 2),
            ("size=5 players=2", 2),
            ("size=4 players=3", 2),
            ("size=4 players=2 rounds=4", 2),
        ],
    },
];

pub fn samples() -> impl Iterator<Item = (&'static GameEntry, Sample)> {
    complete(SAMPLES.map(|sample| sample.id));
    GAMES.iter().map(|entry| {
        let sample = SAMPLES.into_iter().find(|sample| sample.id == entry.id);
        (entry, sample.unwrap_or_else(|| panic!("{} has no sample", entry.id)))
    })
}

/// Asserts that a hand-written list of games equals the catalogue.
pub fn complete<'a>(ids: impl IntoIterator<Item = &'a str>) {
    let mut ids: Vec<&str> = ids.into_iter().collect();
    ids.sort_unstable();
    ids.dedup();
    let mut games = GAMES.map(|entry| entry.id);
    games.sort_unstable();
    assert_eq!(ids, games, "the games of a list, and those of the catalogue");
}

/// Asserts that the snapshots of a suite have one of each game under this name.
pub fn pictured(suite: &str, name: &str) {
    for entry in GAMES {
        let file = format!("suite__screens__{suite}__{}_{name}.snap", entry.id.replace('-', "_"));
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/screens/snapshots").join(&file);
        assert!(path.exists(), "{} has no picture {file}", entry.id);
    }
}

impl Sample {
    /// Returns the default, the small and the odd setups.
    pub fn usual(&self) -> impl Iterator<Item = &'static str> + use<> {
        ["", self.small].into_iter().chain(self.more.iter().copied())
    }

    /// Returns all setups, including the large ones.
    pub fn all(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.usual().chain(self.large.iter().copied())
    }

    pub fn largest(&self) -> &'static str {
        self.large.last().expect("a large setup")
    }
}

pub fn open(entry: &'static GameEntry, setup: &str) -> OpenMatch {
    let setup: Setup = setup.parse().expect("words of a setup");
    let table = Table::new(entry, &setup, Conditions::default());
    OpenMatch::new(table.unwrap_or_else(|error| panic!("{}: {error}", entry.id)))
}
