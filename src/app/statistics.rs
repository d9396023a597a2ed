//! The user's statistics, computed from the records and the recorded progress.

use super::news::CountedRecords;
use super::record_summary::RecordSummary;
use jiff::civil::Date;
use quadrille_match::store::progress::{Event, Progress};
use quadrille_puzzles::strength::Strength;
use quadrille_rules::Setup;
use quadrille_search::Level;
use quadrille_table::catalogue::{self, GAMES, GameEntry};
use quadrille_text::wording::counted;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Shown without any results.
pub const NO_RESULTS: &str = "Finish a match to see results here.";

#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// The user's current name; may be empty.
    pub name: String,
    /// The number of consecutive days whose daily puzzle was solved.
    pub streak: u32,
    pub best_rush_of_all: Option<u32>,
    /// The games in which the user has results.
    pub games: Vec<GameStatistics>,
    /// The pairs of named players, those with the user first.
    pub pairs: Vec<Pair>,
}

/// The user's results in one game.
#[derive(Clone, Debug)]
pub struct GameStatistics {
    pub entry: &'static GameEntry,
    pub matches: u32,
    pub wins: u32,
    /// The largest number of consecutive wins.
    pub winning_streak: u32,
    pub best_rush: Option<u32>,
    pub puzzles_solved: usize,
    pub strength: Option<Strength>,
    pub accuracy: Accuracy,
}

/// How often the user has played a best move, by the reviews of matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Accuracy {
    pub moves: u32,
    pub best: u32,
    /// The minimum number of points that the other moves lost.
    pub lost: u32,
}

/// The matches of two players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pair {
    pub first: String,
    pub second: String,
    /// For each game: its id, and the wins, draws and losses of the first player.
    pub games: Vec<(String, [u32; 3])>,
}

impl Accuracy {
    /// With fewer moves, a share means little.
    const MIN_MOVES: u32 = 10;

    /// Returns the share of best moves in percent.
    pub fn percent(self) -> Option<f64> {
        let is_enough = self.moves >= Accuracy::MIN_MOVES;
        is_enough.then(|| 100.0 * f64::from(self.best) / f64::from(self.moves))
    }

    /// Describes the share of best moves and, in a game with points, the points lost.
    fn facts(self, has_points: bool, is_ascii: bool) -> Vec<String> {
        match self.percent() {
            _ if self.moves == 0 => Vec::new(),
            Some(percent) => {
                let lost =
                    has_points.then(|| counted(self.lost as usize, "point lost", "points lost"));
                [format!("accuracy {percent:.0} % of {} moves", self.moves)]
                    .into_iter()
                    .chain(lost)
                    .collect()
            }
            None => {
                let none = if is_ascii { "-" } else { "\u{2013}" };
                let least = Accuracy::MIN_MOVES;
                vec![format!("accuracy {none} ({} of {least} moves)", self.moves)]
            }
        }
    }

    pub(super) fn add(&mut self, moves: u32, best: u32, lost: u32) {
        *self = Accuracy {
            moves: self.moves.saturating_add(moves),
            best: self.best.saturating_add(best),
            lost: self.lost.saturating_add(lost),
        };
    }
}

impl Pair {
    /// Names the players, or only the opponent of the user with this name.
    pub fn players(&self, user: &str) -> String {
        if self.first == user {
            self.second.clone()
        } else {
            format!("{} - {}", self.first, self.second)
        }
    }

    /// Returns the wins, draws and losses of the first player in all games.
    pub fn all(&self) -> [u32; 3] {
        [0, 1, 2].map(|n| self.games.iter().map(|(_, counts)| counts[n]).sum())
    }
}

impl Statistics {
    /// Computes the statistics of the user with this name.
    pub fn of(
        counted: &CountedRecords,
        progress: &Progress,
        name: &str,
        today: Date,
    ) -> Statistics {
        let name = progress.current_name(name);
        let mut records: Vec<&RecordSummary> = counted.records.iter().rev().collect();
        // The records of one day are in the order in which they were filed.
        records.sort_by(|a, b| a.date.cmp(&b.date));
        let games = GAMES.iter().map(|entry| {
            let own = records.iter().filter(|record| record.game == entry.id);
            let own = own.filter_map(|record| own_standing(record, progress, name));
            let accuracy = accuracy_in(entry, counted, progress);
            GameStatistics::of(entry, own, accuracy, progress, today)
        });
        Statistics {
            name: name.to_owned(),
            streak: progress.streak(today),
            best_rush_of_all: progress.best_rush(None),
            games: games.filter(GameStatistics::has_results).collect(),
            pairs: pairs(counted, progress, name),
        }
    }

    pub fn title(&self) -> String {
        match &*self.name {
            "" => "Statistics".to_owned(),
            name => format!("Statistics of {name}"),
        }
    }

    /// Describes the results that are not of one game; may be empty.
    pub fn summary(&self, is_ascii: bool) -> String {
        let streak = (self.streak > 0).then(|| format!("{}-day streak", self.streak));
        let rush = self.best_rush_of_all.map(|best| format!("best rush {best}"));
        // Points of different games are not comparable.
        let accuracy = self.accuracy().facts(false, is_ascii);
        let facts: Vec<String> = streak.into_iter().chain(rush).chain(accuracy).collect();
        facts.join(", ")
    }

    /// Returns the accuracy in all games.
    pub fn accuracy(&self) -> Accuracy {
        let mut all = Accuracy::default();
        for GameStatistics { accuracy, .. } in &self.games {
            all.add(accuracy.moves, accuracy.best, accuracy.lost);
        }
        all
    }
}

impl GameStatistics {
    fn of(
        entry: &'static GameEntry,
        standings: impl Iterator<Item = Ordering>,
        accuracy: Accuracy,
        progress: &Progress,
        today: Date,
    ) -> GameStatistics {
        let mut game = GameStatistics {
            entry,
            matches: 0,
            wins: 0,
            winning_streak: 0,
            best_rush: progress.best_rush(Some(entry.id)),
            puzzles_solved: quadrille_puzzles::puzzles_solved(progress, entry.id),
            strength: Strength::of(progress, entry.id, today),
            accuracy,
        };
        let mut streak = 0;
        for standing in standings {
            let is_won = standing == Ordering::Greater;
            game.matches += 1;
            game.wins += u32::from(is_won);
            streak = if is_won { streak + 1 } else { 0 };
            game.winning_streak = game.winning_streak.max(streak);
        }
        game
    }

    /// Describes the results, one fact per line.
    pub fn facts(&self, is_ascii: bool) -> Vec<String> {
        let rating = self.strength.as_ref().map(|strength| format!("rating {strength}"));
        let matches = (self.matches > 0).then(|| {
            format!("{}, {} won", counted(self.matches as usize, "match", "matches"), self.wins)
        });
        let streak =
            (self.winning_streak > 1).then(|| format!("{} wins in a row", self.winning_streak));
        let puzzles = (self.puzzles_solved > 0)
            .then(|| counted(self.puzzles_solved, "puzzle solved", "puzzles solved"));
        let rush = self.best_rush.map(|best| format!("best rush {best}"));
        let has_points =
            (self.entry.start)(&Setup::new()).is_ok_and(|game| game.scores().is_some());
        let accuracy = self.accuracy.facts(has_points, is_ascii);
        [rating, matches, streak, puzzles, rush].into_iter().flatten().chain(accuracy).collect()
    }

    /// Returns the level that suits the user's rating.
    pub fn suggested_level(&self) -> Option<Level> {
        self.strength.as_ref()?.level(self.entry.id, &Setup::new())
    }

    fn has_results(&self) -> bool {
        self.matches > 0
            || self.best_rush.is_some()
            || self.puzzles_solved > 0
            || self.strength.is_some()
            || self.accuracy.moves > 0
    }
}

/// Adds up the accuracy in the reviewed matches of a game whose records are listed.
fn accuracy_in(entry: &GameEntry, counted: &CountedRecords, progress: &Progress) -> Accuracy {
    let mut accuracy = Accuracy::default();
    for review in progress.reviews() {
        if let Event::Review { record, game, moves, best, lost, .. } = review
            && game == entry.id
            && counted.fingerprints.contains(record)
        {
            accuracy.add(*moves, *best, *lost);
        }
    }
    accuracy
}

/// Returns the user's standing in a match; `None` if the user did not play, or the result is unknown.
fn own_standing(record: &RecordSummary, progress: &Progress, name: &str) -> Option<Ordering> {
    let seat = seat_of(record.names.iter().map(|name| &**name), progress, name)?;
    record.standing(seat)
}

/// Returns the index of the only player who has this current name.
pub(super) fn seat_of<'n>(
    names: impl IntoIterator<Item = &'n str>,
    progress: &Progress,
    name: &str,
) -> Option<usize> {
    let mut seats = names
        .into_iter()
        .enumerate()
        .filter(|(_, of)| !name.is_empty() && progress.current_name(of) == name);
    let (seat, _) = seats.next()?;
    seats.next().is_none().then_some(seat)
}

/// Returns the pairs of differently named players in the records of two players with a known result.
fn pairs(counted: &CountedRecords, progress: &Progress, name: &str) -> Vec<Pair> {
    type Games<'a> = BTreeMap<(usize, &'a str), [u32; 3]>;
    // The pairs of the user come first.
    let mut pairs: BTreeMap<(bool, [&str; 2]), Games<'_>> = BTreeMap::new();
    let records = counted.records.iter().map(|record| (record, true));
    for (record, is_counted) in records.chain(counted.earlier.iter().map(|record| (record, false)))
    {
        let ([first, second], Some(better)) = (&*record.names, record.comparison()) else {
            continue;
        };
        let [first, second] = [first, second].map(|name| progress.current_name(name));
        if first.is_empty() || second.is_empty() || first == second {
            continue;
        }
        let is_own = first == name || second == name;
        if is_own && !is_counted {
            continue;
        }
        let is_swapped = if is_own { second == name } else { first > second };
        let (pair, better) = if is_swapped {
            ([second, first], better.reverse())
        } else {
            ([first, second], better)
        };
        let place = GAMES.iter().position(|game| game.id == record.game).unwrap_or(GAMES.len());
        let games = pairs.entry((!is_own, pair)).or_default();
        let counts = games.entry((place, &record.game)).or_default();
        counts[match better {
            Ordering::Greater => 0,
            Ordering::Equal => 1,
            Ordering::Less => 2,
        }] += 1;
    }
    let pair = |((_, [first, second]), games): ((bool, [&str; 2]), Games<'_>)| Pair {
        first: first.to_owned(),
        second: second.to_owned(),
        games: games.into_iter().map(|((_, id), counts)| (id.to_owned(), counts)).collect(),
    };
    pairs.into_iter().map(pair).collect()
}

/// Returns the name of a game, or its id if this version does not have it.
pub fn game_name(id: &str) -> &str {
    catalogue::find(id).map_or(id, |game| game.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use jiff::civil::date;

    fn record(names: &[&str], result: &str, day: &str) -> RecordSummary {
        RecordSummary {
            id: String::new(),
            game: "quixo".to_owned(),
            names: names.iter().map(ToString::to_string).collect(),
            result: result.to_owned(),
            termination: None,
            date: day.to_owned(),
            plies: 9,
        }
    }

    fn statistics(counted: &CountedRecords, events: impl IntoIterator<Item = Event>) -> Statistics {
        let mut progress = Progress::default();
        events.into_iter().for_each(|event| progress.add(event));
        Statistics::of(counted, &progress, "Ann", date(2026, 11, 28))
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_796_000_000 + second).unwrap()
    }

    fn rename(from: &str, to: &str) -> Event {
        Event::Rename { at: at(0), from: from.to_owned(), to: to.to_owned() }
    }

    #[test]
    fn wins_and_streaks_are_those_of_the_user() {
        // Latest first, as the library lists them.
        let records = vec![
            record(&["Ann", "Casual"], "1-0", "2026-11-27"),
            record(&["Casual", "Ann"], "0-1", "2026-11-26"),
            record(&["Casual", "Ann"], "1-0", "2026-11-25"),
            record(&["Ann", "Casual"], "1-0", "2026-11-24"),
            record(&["Bob", "Casual"], "1-0", "2026-11-27"),
            record(&["Bob", "Ann", "Eve"], "1-3-2", "2026-11-28"),
        ];
        let counted = CountedRecords { records, ..CountedRecords::default() };
        let all = statistics(&counted, []);
        let [quixo] = &*all.games else { panic!("{:?}", all.games) };
        assert_eq!((quixo.matches, quixo.wins, quixo.winning_streak), (5, 4, 3));
        let pairs: Vec<_> = all.pairs.iter().map(|pair| (&*pair.first, &*pair.second)).collect();
        assert_eq!(pairs, [("Ann", "Casual"), ("Bob", "Casual")]);
        assert_eq!(all.pairs[0].all(), [3, 0, 1]);
    }

    #[test]
    fn renames_merge_players_and_form_no_cycle() {
        let records = vec![
            record(&["Anny", "Casual"], "1-0", "2026-11-27"),
            record(&["Annie", "Casual"], "0-1", "2026-11-27"),
            record(&["Anny", "Annie"], "1-0", "2026-11-27"),
        ];
        let counted = CountedRecords { records, ..CountedRecords::default() };
        assert!(statistics(&counted, []).games.is_empty());
        let renames = [rename("Anny", "Annie"), rename("Annie", "Ann"), rename("Ann", "Anny")];
        let all = statistics(&counted, renames);
        assert_eq!((&*all.name, all.games[0].matches, all.games[0].wins), ("Anny", 2, 1));
        assert_eq!(all.pairs.len(), 1);
    }

    #[test]
    fn earlier_records_count_only_for_others() {
        let records = || {
            vec![
                record(&["Ann", "Casual"], "1-0", "2026-11-27"),
                record(&["Bob", "Casual"], "1-0", "2026-11-27"),
            ]
        };
        let counted = CountedRecords { earlier: records(), ..CountedRecords::default() };
        let all = statistics(&counted, []);
        assert_eq!((all.games.len(), all.pairs.len()), (0, 1));
        assert_eq!(all.pairs[0].first, "Bob");
    }

    #[test]
    fn last_review_of_each_match_counts_for_accuracy() {
        let review = |second, record: &str, moves, best| Event::Review {
            at: at(second),
            record: record.to_owned(),
            game: "quixo".to_owned(),
            seat: 1,
            moves,
            best,
            lost: moves - best,
        };
        let fingerprints = ["a", "b"].map(str::to_owned).into();
        let listed = CountedRecords { fingerprints, ..CountedRecords::default() };
        let few = statistics(&listed, [review(0, "a", 6, 3), review(1, "b", 3, 3)]);
        assert_eq!((few.accuracy().moves, few.accuracy().percent()), (9, None));
        let newer =
            statistics(&listed, [review(0, "a", 6, 3), review(1, "b", 3, 3), review(2, "a", 7, 6)]);
        assert_eq!(newer.games[0].accuracy, Accuracy { moves: 10, best: 9, lost: 1 });
        assert_eq!(newer.accuracy().percent(), Some(90.0));
        let unlisted = statistics(&listed, [review(0, "deleted", 20, 20)]);
        assert_eq!(unlisted.accuracy().moves, 0);
        let facts = few.games[0].facts(true);
        assert_eq!(facts.last().unwrap(), "accuracy - (9 of 10 moves)");
    }
}
