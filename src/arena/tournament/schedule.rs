//! The schedule: which games a tournament has, in which order, and their openings.

use super::plan::mix;
use super::{PlannedSetup, SetupOrder, TournamentFormat, TournamentPlan};
use crate::rules::Setup;
use crate::session::AnyMatch;
use crate::wording::cut;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// All games of a tournament, by their numbers. It keeps no list: the game of a number is computed.
///
/// The order is by round, then by setup, then by group of players. All rounds have the setups in the same order. A group plays a set of games, one after another:
/// from each to the next, everybody moves one seat towards the first, and the player at the first seat moves to the
/// last. With two seats a set is a pair of games with seats exchanged.
#[derive(Debug)]
pub struct Schedule {
    plan: Arc<TournamentPlan>,
    /// The groups of players that meet, for each number of seats.
    sets: HashMap<u8, Vec<Vec<usize>>>,
    /// The setups, by their index in the plan, in the order in which a round plays them.
    order: Vec<usize>,
    /// For each of these, how many games and how many sets a round has before it. The last entry is the whole round.
    before: Vec<(u64, u64)>,
    /// What the kinds of setups are called, in the order of the plan, and the kind of each setup.
    kinds: Vec<String>,
    kind_of: Vec<usize>,
}

/// A game of the schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 1.
    pub game: u64,
    /// The set of games it belongs to, from 0, in which everybody sits at each seat once.
    pub set: u64,
    /// The round, from 0.
    pub round: u64,
    /// The index of its setup in the plan.
    pub setup: usize,
    /// The index of the kind of its setup in [`Schedule::kinds`].
    pub kind: usize,
    /// The players by their index, the one at the first seat first.
    pub players: Vec<usize>,
}

/// Why there is no schedule, or no opening: a sentence that says what to change.
pub type ScheduleError = String;

/// After this many random openings that end the game, there is no opening.
const TRIES: u64 = 1000;
/// The most groups of players that meet on a setup.
const MOST_SETS: usize = 1_000_000;

impl Schedule {
    /// The schedule of a plan. It is an error if it has too many games, if a setup has no opening, or if the very same
    /// game would be played twice.
    pub fn new(plan: Arc<TournamentPlan>) -> Result<Schedule, ScheduleError> {
        let mut sets = HashMap::new();
        let mut before = vec![(0, 0)];
        let (mut games, mut all_sets) = (0_u64, 0_u64);
        let order = order(&plan);
        for &setup in &order {
            let seats = plan.setups[setup].seats;
            if let Entry::Vacant(free) = sets.entry(seats) {
                free.insert(sets_of(plan.players.len(), seats, plan.format)?);
            }
            let count = sets[&seats].len() as u64;
            all_sets += count;
            games += count * u64::from(seats);
            before.push((games, all_sets));
        }
        let most = super::file::MOST_GAMES;
        if games.checked_mul(plan.rounds).is_none_or(|all| all > most) {
            return Err(format!("that makes more than {most} games; take fewer setups or rounds"));
        }
        let mut kinds: Vec<String> = Vec::new();
        let mut indices = HashMap::new();
        let kind_of = (plan.setups.iter())
            .map(|it| {
                *indices.entry(Arc::clone(&it.kind)).or_insert_with(|| {
                    kinds.push(it.kind.to_string());
                    kinds.len() - 1
                })
            })
            .collect();
        let schedule = Schedule { plan, sets, order, before, kinds, kind_of };
        schedule.check_openings()?;
        Ok(schedule)
    }

    /// The plan.
    pub fn plan(&self) -> &Arc<TournamentPlan> {
        &self.plan
    }

    /// What the kinds of setups are called.
    pub fn kinds(&self) -> &[String] {
        &self.kinds
    }

    /// How many games there are.
    pub fn games(&self) -> u64 {
        self.a_round().0 * self.plan.rounds
    }

    /// How many sets of games there are.
    pub fn sets(&self) -> u64 {
        self.a_round().1 * self.plan.rounds
    }

    /// How many games and sets a round has.
    fn a_round(&self) -> (u64, u64) {
        self.before.last().copied().unwrap_or_default()
    }

    /// The game of this number; `None` where there is none.
    pub fn fixture(&self, game: u64) -> Option<Fixture> {
        let index = game.checked_sub(1).filter(|_| game <= self.games())?;
        let (games, sets) = self.a_round();
        let (round, index) = (index / games, index % games);
        let place = self.before.partition_point(|(games, _)| *games <= index) - 1;
        let (first, first_set) = self.before[place];
        let setup = self.order[place];
        let seats = self.plan.setups[setup].seats;
        let index = index - first;
        let (set, rotation) = (index / u64::from(seats), (index % u64::from(seats)) as usize);
        let mut players = self.sets[&seats][set as usize].clone();
        players.rotate_left(rotation);
        let set = round * sets + first_set + set;
        let kind = self.kind_of[setup];
        Some(Fixture { game, set, round, setup, kind, players })
    }

    /// The number of the first game of a set, and how many games the set has.
    pub fn games_of_set(&self, set: u64) -> Option<(u64, u8)> {
        let (games, sets) = self.a_round();
        let (round, index) = (set.checked_div(sets)?, set % sets);
        let place = self.before.partition_point(|(_, sets)| *sets <= index) - 1;
        let (first, first_set) = self.before[place];
        let seats = self.plan.setups[self.order[place]].seats;
        let game = round * games + first + (index - first_set) * u64::from(seats) + 1;
        (round < self.plan.rounds).then_some((game, seats))
    }

    /// The match of a round on a setup, after its opening.
    pub fn opened(&self, round: u64, setup: usize) -> Result<Box<dyn AnyMatch>, ScheduleError> {
        let words = &self.plan.setups[setup].setup;
        let start = || (self.plan.entry.start)(words).map_err(|why| why.to_string());
        let Some(openings) = self.plan.openings else { return start() };
        let place = mix(round) ^ mix(mix(setup as u64));
        for attempt in 0..TRIES {
            let mut chance = fastrand::Rng::with_seed(mix(openings.seed ^ place) ^ mix(attempt));
            let mut game = start()?;
            let open = (0..openings.plies).all(|_| {
                let legal = game.legal();
                chance.choice(&legal).is_some_and(|mv| game.play(mv).is_ok())
            });
            if open && game.to_move().is_some() {
                return Ok(game);
            }
        }
        let plies = openings.plies;
        Err(format!("openings: a game of {} is over after {plies} plies; take fewer", shown(words)))
    }

    /// Checks that every setup has an opening. Players who all have fixed seeds must not meet twice with the same
    /// opening: the games would be the same.
    fn check_openings(&self) -> Result<(), ScheduleError> {
        let plan = &self.plan;
        let fixed = |players: &Vec<usize>| {
            players.iter().all(|&player| plan.players[player].has_fixed_seed())
        };
        let mut seen = HashSet::new();
        for (setup, planned) in plan.setups.iter().enumerate() {
            let PlannedSetup { setup: words, seats, .. } = planned;
            let opened = self.opened(0, setup)?;
            let Some(players) = self.sets[seats].iter().find(|players| fixed(players)) else {
                continue;
            };
            let names: Vec<&str> = players.iter().map(|&it| &*plan.players[it].name).collect();
            let complete = opened.setup().to_string();
            for round in 0..plan.rounds {
                let opened = self.opened(round, setup)?;
                let moves: Vec<&str> = opened.moves().iter().map(|(_, mv)| &**mv).collect();
                let key = (complete.clone(), moves.join(" "));
                if !seen.insert(key) {
                    let what = match plan.openings {
                        None => "add openings = { plies = 2, seed = 1 }",
                        Some(_) => "take more plies in openings",
                    };
                    return Err(format!(
                        "{} and {} have fixed seeds and would play the same game on {} twice; \
                         {what}, leave seed= out, or play fewer rounds",
                        names[..names.len() - 1].join(", "),
                        names[names.len() - 1],
                        shown(words),
                    ));
                }
            }
        }
        Ok(())
    }
}

/// The setups in the order in which a round plays them. Each has a number that looks random, made of the seed and its
/// index, so the order stays the same in every later build, and setups that are added to a plan leave the others in
/// their order.
fn order(plan: &TournamentPlan) -> Vec<usize> {
    let mut order: Vec<usize> = (0..plan.setups.len()).collect();
    if plan.order.unwrap_or_default() == SetupOrder::Shuffled {
        order.sort_by_key(|&setup| mix(mix(plan.seed) ^ setup as u64));
    }
    order
}

/// A setup for a message.
fn shown(words: &Setup) -> String {
    let text = words.to_string();
    if text.is_empty() { "the default setup".to_owned() } else { cut(&text) }
}

/// All sets of `seats` players that meet, as indices.
fn sets_of(
    players: usize,
    seats: u8,
    format: TournamentFormat,
) -> Result<Vec<Vec<usize>>, ScheduleError> {
    let mut sets = Vec::new();
    let mut set: Vec<usize> = (0..seats.into()).collect();
    let last = players - set.len();
    loop {
        if sets.len() == MOST_SETS {
            return Err(format!(
                "too many players: more than {MOST_SETS} groups of them would meet"
            ));
        }
        sets.push(set.clone());
        if format == TournamentFormat::Ladder {
            if set[0] == last {
                return Ok(sets);
            }
            for player in &mut set {
                *player += 1;
            }
            continue;
        }
        // The next combination in lexicographic order. In a gauntlet the first player is in all of them.
        let from = usize::from(format == TournamentFormat::Gauntlet);
        let Some(at) = (from..set.len()).rev().find(|&at| set[at] < last + at) else {
            return Ok(sets);
        };
        set[at] += 1;
        for next in at + 1..set.len() {
            set[next] = set[next - 1] + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Contestant, Openings, Time};
    use super::*;
    use crate::catalogue::find;

    fn plan(game: &str, setups: &[&str], players: usize, seed: &str) -> TournamentPlan {
        let entry = find(game).unwrap();
        let setups = setups.iter().map(|words| {
            let setup = words.parse().unwrap();
            let seats = (entry.start)(&setup).unwrap().seats();
            PlannedSetup { setup, seats, kind: words.split(':').next().unwrap().into() }
        });
        let contestant = |number| Contestant {
            name: format!("P{number}"),
            player: format!("engine:casual{seed}").parse().unwrap(),
            time: None,
            restart: false,
        };
        TournamentPlan {
            entry,
            setups: setups.collect(),
            order: Some(SetupOrder::Given),
            format: TournamentFormat::RoundRobin,
            rounds: 1,
            time: Time::Move(std::time::Duration::from_secs(1)),
            margin: None,
            comments: true,
            seed: 1,
            openings: None,
            concurrency: 1,
            max_plies: 100,
            out: "results".to_owned(),
            sprt: None,
            players: (0..players).map(contestant).collect(),
        }
    }

    #[test]
    fn every_set_meets_on_every_setup_at_every_seat() {
        let mut plan = plan("intersections", &["players=2", "players=3", "size=3"], 4, "");
        plan.rounds = 2;
        let schedule = Schedule::new(Arc::new(plan.clone())).unwrap();
        // Six pairs twice, and four sets of three.
        assert_eq!((schedule.games(), schedule.sets()), (2 * (12 + 12 + 12), 2 * (6 + 4 + 6)));
        let mut seen = HashSet::new();
        for game in 1..=schedule.games() {
            let it = schedule.fixture(game).unwrap();
            assert_eq!(it.players.len(), usize::from(plan.setups[it.setup].seats));
            let (first, games) = schedule.games_of_set(it.set).unwrap();
            assert!((first..first + u64::from(games)).contains(&game));
            assert!(seen.insert((it.round, it.setup, it.players)), "{game}");
        }
        assert_eq!(schedule.fixture(0), None);
        assert_eq!(schedule.fixture(schedule.games() + 1), None);
        assert_eq!(schedule.games_of_set(schedule.sets()), None);
        assert_eq!(schedule.fixture(1).unwrap().players, [0, 1]);
        assert_eq!(schedule.fixture(2).unwrap().players, [1, 0]);

        plan.format = TournamentFormat::Gauntlet;
        let schedule = Schedule::new(Arc::new(plan)).unwrap();
        let mut games = (1..=schedule.games()).map(|game| schedule.fixture(game).unwrap());
        assert!(games.all(|it| it.players.contains(&0)));
        assert_eq!(schedule.games(), 2 * (6 + 9 + 6));
        assert_eq!(sets_of(4, 2, TournamentFormat::Ladder).unwrap(), [[0, 1], [1, 2], [2, 3]]);
        assert_eq!(sets_of(4, 3, TournamentFormat::Ladder).unwrap(), [[0, 1, 2], [1, 2, 3]]);
        assert_eq!(sets_of(2, 2, TournamentFormat::Ladder).unwrap(), [[0, 1]]);
    }

    #[test]
    fn a_shuffled_order_has_all_kinds_soon_and_depends_on_the_seed_alone() {
        let setups: Vec<String> = (0..100)
            .map(|index| format!("layout={}:8 seed={index}", ["random", "grid"][index / 50]))
            .collect();
        let setups: Vec<&str> = setups.iter().map(|it| &**it).collect();
        let mut plan = plan("join-the-dots", &setups, 3, "");
        let order = |plan: &TournamentPlan| -> Vec<usize> {
            let schedule = Schedule::new(Arc::new(plan.clone())).unwrap();
            let setups = 0..plan.setups.len() as u64;
            let sets = setups.map(|at| schedule.games_of_set(3 * at).unwrap().0);
            sets.map(|game| schedule.fixture(game).unwrap().setup).collect()
        };
        assert!(order(&plan).into_iter().eq(0..100));
        plan.order = None;
        let shuffled = order(&plan);
        assert_eq!(shuffled.iter().collect::<HashSet<_>>().len(), 100);
        // Of the first twenty setups about ten are of each kind.
        assert!((5..=15).contains(&shuffled[..20].iter().filter(|it| **it < 50).count()));
        // Folders that exist have this order.
        assert_eq!(shuffled[..5], [51, 92, 31, 28, 90]);
        plan.seed = 2;
        assert_ne!(order(&plan), shuffled);
        plan.seed = 1;
        plan.setups.truncate(60);
        assert!(order(&plan).into_iter().eq(shuffled.into_iter().filter(|it| *it < 60)));
    }

    #[test]
    fn an_opening_is_the_same_for_all_and_leaves_the_game_open() {
        let mut plan = plan("tic-tac-toe", &["", ""], 3, "");
        plan.openings = Some(Openings { plies: 6, seed: 7 });
        plan.rounds = 20;
        let schedule = Schedule::new(Arc::new(plan.clone())).unwrap();
        let moves = |round, setup| {
            let game = schedule.opened(round, setup).unwrap();
            assert!(game.to_move().is_some());
            assert_eq!(game.ply(), 6);
            game.moves().to_vec()
        };
        for round in 0..20 {
            assert_eq!(moves(round, 0), moves(round, 0));
            assert_ne!(moves(round, 0), moves(round, 1));
        }
        plan.openings = Some(Openings { plies: 9, seed: 7 });
        let why = Schedule::new(Arc::new(plan)).unwrap_err();
        assert_eq!(why, "openings: a game of the default setup is over after 9 plies; take fewer");
    }

    #[test]
    fn a_game_that_would_be_played_twice_is_refused_with_what_to_change() {
        let refused = |plan: &TournamentPlan| Schedule::new(Arc::new(plan.clone())).unwrap_err();
        let mut plan = plan("tic-tac-toe", &[""], 2, ",seed=3");
        assert!(Schedule::new(Arc::new(plan.clone())).is_ok());
        plan.rounds = 2;
        assert_eq!(
            refused(&plan),
            "P0 and P1 have fixed seeds and would play the same game on the default setup twice; \
             add openings = { plies = 2, seed = 1 }, leave seed= out, or play fewer rounds"
        );
        plan.openings = Some(Openings { plies: 1, seed: 7 });
        plan.rounds = 10;
        assert!(refused(&plan).contains("take more plies in openings"), "there are only nine");
        plan.openings = Some(Openings { plies: 4, seed: 7 });
        plan.rounds = 3;
        assert!(Schedule::new(Arc::new(plan.clone())).is_ok());
        plan.openings = None;
        plan.players[1].player = "engine:casual".parse().unwrap();
        assert!(Schedule::new(Arc::new(plan)).is_ok(), "one of them differs each time");
    }

    #[test]
    fn the_same_setup_in_other_words_is_the_same() {
        let plan = plan("dots-and-boxes", &["size=3", "rows=3 cols=3"], 2, ",seed=3");
        assert!(Schedule::new(Arc::new(plan)).is_err());
    }
}
