//! The schedule: the games of a tournament, their order and their openings.

use super::plan::mix;
use super::{Extent, PlannedSetup, SeatOrder, SetupOrder, TournamentFormat, TournamentPlan};
use quadrille_match::session::Match;
use quadrille_rules::Setup;
use quadrille_text::wording::cut;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// All games of a tournament by number. Games are not stored but computed from their number.
///
/// The order is by round, then by setup, then by group of players. All rounds use the same order of setups. A group
/// plays the games of a set consecutively: from game to game, every player moves one seat toward the first, and the
/// player at the first seat moves to the last. With two seats, a set is a pair of games with seats exchanged. With
/// more, the cyclic order of a set is drawn ([`SeatOrder`]).
///
/// If a tournament was extended, its original games come first. The added games follow in the same order: first those
/// of the original rounds, then those of the new rounds.
#[derive(Clone, Debug)]
pub struct Schedule {
    plan: Arc<TournamentPlan>,
    /// The blocks in order; more than one if the tournament was extended. No block is empty.
    blocks: Vec<RoundBlock>,
    /// The total numbers of games and sets.
    all: Count,
    /// The names of the kinds of setups, in plan order, and the kind of each setup.
    kinds: Vec<String>,
    kind_of: Vec<usize>,
}

/// A number of games and the number of sets they form.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    games: u64,
    sets: u64,
}

/// Rounds that all contain the same games.
#[derive(Clone, Debug)]
struct RoundBlock {
    rounds: Range<u64>,
    /// The games and sets before the block.
    before: Count,
    /// The games and sets of each round.
    a_round: Count,
    /// The setups in playing order.
    places: Vec<SetupSlot>,
}

/// The groups of players that meet, as player indices.
type PlayerGroups = Arc<[Vec<usize>]>;

/// A setup in a round.
#[derive(Clone, Debug)]
struct SetupSlot {
    /// The index in the plan.
    setup: usize,
    /// The games and sets of the round before this setup.
    before: Count,
    /// The groups of players that meet.
    groups: PlayerGroups,
}

/// A game of the schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The game's number, starting at 1.
    pub game: u64,
    /// The zero-based index of the game's set. In a set, each player sits at each seat once.
    pub set: u64,
    /// The zero-based round.
    pub round: u64,
    /// The index of the setup in the plan.
    pub setup: usize,
    /// The index of the setup's kind in [`Schedule::kinds`].
    pub kind: usize,
    /// The indices of the players, in seat order.
    pub players: Vec<usize>,
}

/// The reason why there is no schedule or no opening: a sentence that says what to change.
pub type ScheduleError = String;

/// The number of random openings tried. If all of them end the game, the setup has no opening.
const TRIES: u64 = 1000;
/// The maximum number of groups of players that meet on a setup.
const MAX_SETS: usize = 1_000_000;

impl Schedule {
    /// Creates the schedule of a plan. Returns an error if there are too many games, if a setup has no opening, or if
    /// an identical game would be played twice.
    pub fn new(plan: Arc<TournamentPlan>) -> Result<Schedule, ScheduleError> {
        let mut groups = Groups { plan: &plan, known: HashMap::new() };
        let order = order(&plan);
        let (mut blocks, mut all) = (Vec::new(), Count::default());
        let mut before = Extent::default();
        for now in plan.earlier.iter().copied().chain([plan.extent()]) {
            let added = (0..before.rounds, before);
            let new = (before.rounds..now.rounds, Extent::default());
            for (rounds, without) in
                [added, new].into_iter().filter(|(rounds, _)| !rounds.is_empty())
            {
                let block = groups.block(rounds, &order, all, (now, without))?;
                let count = block.rounds.end - block.rounds.start;
                all.games = all.games.saturating_add(block.a_round.games.saturating_mul(count));
                all.sets = all.sets.saturating_add(block.a_round.sets.saturating_mul(count));
                blocks.extend((!block.places.is_empty()).then_some(block));
            }
            before = now;
        }
        let most = super::file::MAX_GAMES;
        if all.games > most {
            return Err(format!("more than {most} games; use fewer setups or rounds"));
        }
        check_openings(&plan, &mut groups)?;
        let mut kinds: Vec<String> = Vec::new();
        let mut indices = HashMap::new();
        let kind_of = (plan.setups.iter())
            .map(|setup| {
                *indices.entry(Arc::clone(&setup.kind)).or_insert_with(|| {
                    kinds.push(setup.kind.to_string());
                    kinds.len() - 1
                })
            })
            .collect();
        Ok(Schedule { plan, blocks, all, kinds, kind_of })
    }

    pub fn plan(&self) -> &Arc<TournamentPlan> {
        &self.plan
    }

    /// Returns the names of the kinds of setups.
    pub fn kinds(&self) -> &[String] {
        &self.kinds
    }

    pub fn games(&self) -> u64 {
        self.all.games
    }

    pub fn sets(&self) -> u64 {
        self.all.sets
    }

    /// Returns the game with this number, if it exists.
    pub fn fixture(&self, game: u64) -> Option<Fixture> {
        let index = game.checked_sub(1).filter(|_| game <= self.all.games)?;
        let RoundBlock { rounds, before, a_round, places } =
            last_of(&self.blocks, |block| block.before.games <= index)?;
        let index = index - before.games;
        let (round, index) = (index / a_round.games, index % a_round.games);
        let place = last_of(places, |place| place.before.games <= index)?;
        let seats = u64::from(self.plan.setups[place.setup].seats);
        let index = index - place.before.games;
        let (group, rotation) = (index / seats, (index % seats) as usize);
        let mut players = place.groups[group as usize].clone();
        let set = before.sets + round * a_round.sets + place.before.sets + group;
        let (round, setup, kind) = (rounds.start + round, place.setup, self.kind_of[place.setup]);
        if self.plan.seating == SeatOrder::Drawn {
            seat(&mut players, mix(self.plan.seed) ^ setup as u64, round);
        }
        players.rotate_left(rotation);
        Some(Fixture { game, set, round, setup, kind, players })
    }

    /// Returns the number of the first game of a set and the number of games in the set.
    pub fn games_of_set(&self, set: u64) -> Option<(u64, u8)> {
        if set >= self.all.sets {
            return None;
        }
        let block = last_of(&self.blocks, |block| block.before.sets <= set)?;
        let index = set - block.before.sets;
        let (round, index) = (index / block.a_round.sets, index % block.a_round.sets);
        let place = last_of(&block.places, |place| place.before.sets <= index)?;
        let seats = self.plan.setups[place.setup].seats;
        let in_round = place.before.games + (index - place.before.sets) * u64::from(seats);
        Some((block.before.games + round * block.a_round.games + in_round + 1, seats))
    }

    /// Returns whether the schedule begins with all games of another schedule, under the same numbers.
    pub fn begins_with(&self, other: &Schedule) -> bool {
        let game =
            |of: &Schedule, game| of.fixture(game).map(|fixture| Fixture { kind: 0, ..fixture });
        (1..=other.games()).all(|number| game(self, number) == game(other, number))
    }

    /// Returns the match of a round on a setup, after its opening.
    pub fn opened(&self, round: u64, setup: usize) -> Result<Match, ScheduleError> {
        opened(&self.plan, round, setup)
    }
}

/// Computes the groups of players that meet.
struct Groups<'p> {
    plan: &'p TournamentPlan,
    /// Cached groups, keyed by the number of seats, the number of players, and an index: every group includes a player
    /// with at least that index.
    known: HashMap<(u8, usize, usize), PlayerGroups>,
}

impl Groups<'_> {
    fn of(
        &mut self,
        seats: u8,
        players: usize,
        from: usize,
    ) -> Result<PlayerGroups, ScheduleError> {
        if let Some(known) = self.known.get(&(seats, players, from)) {
            return Ok(Arc::clone(known));
        }
        let mut groups = sets_of(players, seats, self.plan.format)?;
        groups.retain(|group| group.iter().any(|player| *player >= from));
        let groups: PlayerGroups = groups.into();
        self.known.insert((seats, players, from), Arc::clone(&groups));
        Ok(groups)
    }

    /// Returns a block of these rounds with the games of the current extent, except those that were part of the
    /// previous extent.
    fn block(
        &mut self,
        rounds: Range<u64>,
        order: &[usize],
        before: Count,
        (now, without): (Extent, Extent),
    ) -> Result<RoundBlock, ScheduleError> {
        let (mut a_round, mut places) = (Count::default(), Vec::new());
        for &setup in order.iter().filter(|setup| **setup < now.setups) {
            let seats = self.plan.setups[setup].seats;
            let from = if setup < without.setups { without.players } else { 0 };
            let groups = self.of(seats, now.players, from)?;
            if groups.is_empty() {
                continue;
            }
            let sets = groups.len() as u64;
            places.push(SetupSlot { setup, before: a_round, groups });
            a_round.games += sets * u64::from(seats);
            a_round.sets += sets;
        }
        Ok(RoundBlock { rounds, before, a_round, places })
    }
}

/// Puts a group of players into the cyclic order of a round. The order of the first round is drawn from the group and
/// `seed`; later rounds take the other orders in turn. The first player stays first, since a set has all rotations.
fn seat(players: &mut [usize], seed: u64, round: u64) {
    let drawn = players.iter().fold(mix(seed), |drawn, player| mix(drawn ^ *player as u64));
    let mut number = (drawn >> 1) + round;
    let [_, others @ ..] = players else { return };
    // Digits of a factorial number give each permutation once.
    for place in 0..others.len() {
        let left = others.len() - place;
        others.swap(place, place + (number % left as u64) as usize);
        number /= left as u64;
    }
}

/// Returns the last item that satisfies `is_so`, which must hold for a prefix of the items.
fn last_of<T>(items: &[T], is_so: impl FnMut(&T) -> bool) -> Option<&T> {
    items.get(items.partition_point(is_so).checked_sub(1)?)
}

fn opened(plan: &TournamentPlan, round: u64, setup: usize) -> Result<Match, ScheduleError> {
    let words = &plan.setups[setup].setup;
    let start = || (plan.entry.start)(words).map_err(|why| why.to_string());
    let Some(openings) = plan.openings else { return start() };
    let place = mix(round) ^ mix(mix(setup as u64));
    for attempt in 0..TRIES {
        let mut chance = fastrand::Rng::with_seed(mix(openings.seed ^ place) ^ mix(attempt));
        let mut game = start()?;
        let open = (0..openings.plies).all(|_| {
            let legal = game.legal_moves();
            // An index of fixed width, so that every machine draws the same openings.
            let at = chance.u64(..legal.len().max(1) as u64);
            legal.get(at as usize).is_some_and(|mv| game.play(mv).is_ok())
        });
        if open && game.to_move().is_some() {
            return Ok(game);
        }
    }
    let plies = openings.plies;
    Err(format!("openings: a game of {} can end within {plies} plies; use fewer", shown(words)))
}

/// Checks that every setup has an opening. Players who all have fixed seeds must not meet twice with the same opening,
/// because the games would be identical.
fn check_openings(plan: &TournamentPlan, groups: &mut Groups<'_>) -> Result<(), ScheduleError> {
    let fixed =
        |players: &Vec<usize>| players.iter().all(|&player| plan.players[player].has_fixed_seed());
    let mut seen = HashSet::new();
    for (setup, planned) in plan.setups.iter().enumerate() {
        let PlannedSetup { setup: words, seats, .. } = planned;
        let complete = opened(plan, 0, setup)?.setup().to_string();
        let groups = groups.of(*seats, plan.players.len(), 0)?;
        let Some(players) = groups.iter().find(|players| fixed(players)) else {
            continue;
        };
        let names: Vec<&str> = players.iter().map(|&player| &*plan.players[player].name).collect();
        for round in 0..plan.rounds {
            let opened = opened(plan, round, setup)?;
            let moves: Vec<&str> = opened.moves().iter().map(|(_, mv)| &**mv).collect();
            let key = (complete.clone(), moves.join(" "));
            if !seen.insert(key) {
                let what = match plan.openings {
                    None => "add openings = { plies = 2, seed = 1 }",
                    Some(_) => "use more plies in openings",
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

/// Returns the setups in the order in which each round plays them. Each setup has a pseudorandom sort key computed from
/// the seed and its index, so the order is the same in every later build, and setups added to a plan do not change the
/// order of the others.
fn order(plan: &TournamentPlan) -> Vec<usize> {
    let mut order: Vec<usize> = (0..plan.setups.len()).collect();
    if plan.order.unwrap_or_default() == SetupOrder::Shuffled {
        order.sort_by_key(|&setup| mix(mix(plan.seed) ^ setup as u64));
    }
    order
}

/// Formats a setup for a message.
fn shown(words: &Setup) -> String {
    let text = words.to_string();
    if text.is_empty() { "the default setup".to_owned() } else { cut(&text) }
}

/// Returns all groups of `seats` players that meet, as indices.
fn sets_of(
    players: usize,
    seats: u8,
    format: TournamentFormat,
) -> Result<Vec<Vec<usize>>, ScheduleError> {
    let mut sets = Vec::new();
    let mut set: Vec<usize> = (0..seats.into()).collect();
    let Some(last) = players.checked_sub(set.len()) else { return Ok(sets) };
    loop {
        if sets.len() == MAX_SETS {
            return Err(format!("too many players: more than {MAX_SETS} groups would meet"));
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
        // The next combination in lexicographic order. In a gauntlet, every combination contains the first player.
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
    use super::super::{Openings, read};
    use super::*;
    use quadrille_text::toml_file::Source;

    fn plan(game: &str, setups: &[&str], players: usize, seed: &str) -> TournamentPlan {
        let player =
            |number| format!("[[players]]\nname = \"P{number}\"\nengine = \"casual{seed}\"\n");
        let players: String = (0..players).map(player).collect();
        let text = format!(
            "game = {game:?}\nsetups = {setups:?}\norder = \"given\"\nout = \"results\"\n{players}"
        );
        read(Source { file: "t.toml", text: &text }, &|_, _| Ok(())).unwrap()
    }

    #[test]
    fn schedule_pairs_every_set_on_every_setup_and_seat() {
        let mut plan = plan("intersections", &["players=2", "players=3", "size=3"], 4, "");
        plan.rounds = 2;
        let schedule = Schedule::new(Arc::new(plan.clone())).unwrap();
        // Six pairs, twice, and four sets of three.
        assert_eq!((schedule.games(), schedule.sets()), (2 * (12 + 12 + 12), 2 * (6 + 4 + 6)));
        let mut seen = HashSet::new();
        for game in 1..=schedule.games() {
            let fixture = schedule.fixture(game).unwrap();
            assert_eq!(fixture.players.len(), usize::from(plan.setups[fixture.setup].seats));
            let (first, games) = schedule.games_of_set(fixture.set).unwrap();
            assert!((first..first + u64::from(games)).contains(&game));
            assert!(seen.insert((fixture.round, fixture.setup, fixture.players)), "{game}");
        }
        assert_eq!(schedule.fixture(0), None);
        assert_eq!(schedule.fixture(schedule.games() + 1), None);
        assert_eq!(schedule.games_of_set(schedule.sets()), None);
        assert_eq!(schedule.fixture(1).unwrap().players, [0, 1]);
        assert_eq!(schedule.fixture(2).unwrap().players, [1, 0]);

        plan.format = TournamentFormat::Gauntlet;
        let schedule = Schedule::new(Arc::new(plan)).unwrap();
        let mut games = (1..=schedule.games()).map(|game| schedule.fixture(game).unwrap());
        assert!(games.all(|fixture| fixture.players.contains(&0)));
        assert_eq!(schedule.games(), 2 * (6 + 9 + 6));
        assert_eq!(sets_of(4, 2, TournamentFormat::Ladder).unwrap(), [[0, 1], [1, 2], [2, 3]]);
        assert_eq!(sets_of(4, 3, TournamentFormat::Ladder).unwrap(), [[0, 1, 2], [1, 2, 3]]);
        assert_eq!(sets_of(2, 2, TournamentFormat::Ladder).unwrap(), [[0, 1]]);
    }

    /// In as many rounds as there are cyclic orders, each group takes each of them once. Groups and setups differ.
    #[test]
    fn groups_take_all_cyclic_orders_in_turn() {
        for (seats, orders) in [(3, 2), (4, 6)] {
            let setups = [format!("players={seats}"), format!("players={seats} size=3")];
            let setups = [&*setups[0], &setups[1]];
            let mut plan = plan("intersections", &setups, 6, "");
            plan.rounds = 2 * orders;
            let schedule = Schedule::new(Arc::new(plan.clone())).unwrap();
            let mut taken: HashMap<_, Vec<Vec<usize>>> = HashMap::new();
            for set in 0..schedule.sets() {
                let (first, games) = schedule.games_of_set(set).unwrap();
                let fixture = schedule.fixture(first).unwrap();
                for game in first..first + u64::from(games) {
                    let mut players = fixture.players.clone();
                    players.rotate_left((game - first) as usize);
                    assert_eq!(schedule.fixture(game).unwrap().players, players);
                }
                let mut group = fixture.players.clone();
                group.sort_unstable();
                assert_eq!(group[0], fixture.players[0]);
                taken.entry((fixture.setup, group)).or_default().push(fixture.players);
            }
            for orders_taken in taken.values() {
                let (first, second) = orders_taken.split_at(orders as usize);
                assert_eq!(first.iter().collect::<HashSet<_>>().len(), orders as usize);
                assert_eq!(first, second);
            }
            let is_sorted = |(_, orders): &(_, &Vec<Vec<usize>>)| orders[0].is_sorted();
            let sorted = taken.iter().filter(is_sorted).count();
            assert!(sorted > 0 && sorted < taken.len(), "{sorted} of {}", taken.len());
            plan.seating = SeatOrder::Listed;
            let listed = Schedule::new(Arc::new(plan)).unwrap();
            let (first, _) = listed.games_of_set(listed.sets() - 1).unwrap();
            assert!(listed.fixture(first).unwrap().players.is_sorted());
        }
    }

    /// Extends a plan several times, in every format.
    #[test]
    fn schedule_appends_added_games() {
        use TournamentFormat::{Gauntlet, Ladder, RoundRobin};
        let setups = ["players=2", "players=3", "size=3", "players=3 size=3", "size=4"];
        let extent = |rounds, setups, players| Extent { rounds, setups, players };
        let steps = [
            extent(1, 1, 2),
            extent(2, 1, 3),
            extent(2, 3, 3),
            extent(2, 4, 5),
            extent(3, 4, 5),
            extent(4, 5, 6),
        ];
        for (format, order) in [
            (RoundRobin, SetupOrder::Shuffled),
            (RoundRobin, SetupOrder::Given),
            (Gauntlet, SetupOrder::Shuffled),
            (Ladder, SetupOrder::Shuffled),
        ] {
            let schedule = |steps: &[Extent]| {
                let (now, earlier) = steps.split_last().unwrap();
                let mut plan = plan("intersections", &setups[..now.setups], now.players, "");
                (plan.format, plan.order, plan.rounds) = (format, Some(order), now.rounds);
                plan.earlier = earlier.to_vec();
                Schedule::new(Arc::new(plan)).unwrap()
            };
            let at_once = |extent| {
                let schedule: Schedule = schedule(&[extent]);
                let games = (1..=schedule.games()).map(|game| schedule.fixture(game).unwrap());
                games
                    .map(|fixture| (fixture.round, fixture.setup, fixture.players))
                    .collect::<HashSet<_>>()
            };
            for end in 1..=steps.len() {
                let now = schedule(&steps[..end]);
                let mut seen = HashSet::new();
                for game in 1..=now.games() {
                    let fixture = now.fixture(game).unwrap();
                    let (first, games) = now.games_of_set(fixture.set).unwrap();
                    assert!((first..first + u64::from(games)).contains(&game));
                    assert!(seen.insert((fixture.round, fixture.setup, fixture.players)), "{game}");
                }
                assert_eq!(seen, at_once(steps[end - 1]), "{format:?} {end}");
                assert_eq!(now.games_of_set(now.sets()), None);
                assert!(now.begins_with(&schedule(&steps[..end.max(2) - 1])), "{format:?} {end}");
            }
            let rounds = extent(3, 1, 2);
            assert!(schedule(&[rounds]).begins_with(&schedule(&steps[..1])));
            assert!(!schedule(&[extent(2, 2, 3)]).begins_with(&schedule(&[extent(2, 1, 3)])));
        }
    }

    #[test]
    fn shuffled_order_mixes_kinds_and_follows_the_seed() {
        let setups: Vec<String> = (0..100)
            .map(|index| format!("layout={}:8 seed={index}", ["random", "grid"][index / 50]))
            .collect();
        let setups: Vec<&str> = setups.iter().map(String::as_str).collect();
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
        // About half of the first twenty setups are of each kind.
        assert!((5..=15).contains(&shuffled[..20].iter().filter(|index| **index < 50).count()));
        // Existing tournament folders use this order.
        assert_eq!(shuffled[..5], [51, 92, 31, 28, 90]);
        plan.seed = 2;
        assert_ne!(order(&plan), shuffled);
        plan.seed = 1;
        plan.setups.truncate(60);
        assert!(order(&plan).into_iter().eq(shuffled.into_iter().filter(|index| *index < 60)));
    }

    #[test]
    fn opening_is_shared_and_leaves_the_game_unfinished() {
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
        assert_eq!(why, "openings: a game of the default setup can end within 9 plies; use fewer");
    }

    #[test]
    fn duplicate_game_is_refused_with_a_fix() {
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
        assert!(refused(&plan).contains("use more plies in openings"), "there are only nine");
        plan.openings = Some(Openings { plies: 4, seed: 7 });
        plan.rounds = 3;
        assert!(Schedule::new(Arc::new(plan.clone())).is_ok());
        plan.openings = None;
        plan.players[1].player = "engine:casual".parse().unwrap();
        assert!(Schedule::new(Arc::new(plan)).is_ok(), "one of them differs each time");
    }

    #[test]
    fn equivalent_setups_count_as_duplicates() {
        let plan = plan("dots-and-boxes", &["size=3", "rows=3 cols=3"], 2, ",seed=3");
        assert!(Schedule::new(Arc::new(plan)).is_err());
    }
}
