//! A person's strength: one rating per game, by Glicko-2 (Mark Glickman, *Example of the Glicko-2 system*, 2013).
//!
//! First tries at rated puzzles and finished matches against our levels count. Each result is against an opponent with
//! a known rating: the puzzle's rating, or the level's rating on that board ([`level_rating`]). Tries with a hint and
//! matches with a hint or values do not count; matches with take-backs have no result at all ([`Event::of_record`]).
//! Each result counts once, even if it is listed several times.
//!
//! A rating period is a day in UTC. Glicko-2 needs several results per period, and a day usually has several. The order
//! of lines within a day is irrelevant, so two terminals and slightly different clocks cause no problems. Today is an
//! unfinished period: its results count at once. On days without results, the deviation grows.

mod levels;

pub use levels::level_rating;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use quadrille_match::store::progress::{Event, Progress, Score};
use quadrille_rules::Setup;
use quadrille_search::Level;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

/// The initial rating: above Beginner, with maximum uncertainty.
const BEGIN: Glicko2Rating = Glicko2Rating { rating: 1000.0, deviation: 350.0, volatility: 0.06 };

/// The deviation of a puzzle's or level's rating.
const OPPONENT: f64 = 50.0;

/// The maximum number of days over which the deviation grows. The deviation reaches its maximum long before that.
const MAX_DAYS: i32 = 4000;

#[derive(Clone, Debug, PartialEq)]
pub struct Strength {
    pub rating: f64,
    /// With 95 % confidence, the true rating is within twice this distance of the rating.
    pub deviation: f64,
    pub results: usize,
    /// The rating at the end of each day with results.
    pub history: Vec<(Date, f64)>,
}

impl Strength {
    /// Computes the strength; `None` without results. The deviation grows from the last result until `today`.
    pub fn of(progress: &Progress, game: &str, today: Date) -> Option<Strength> {
        let days = results(progress, game);
        let mut rating = BEGIN;
        let mut history: Vec<(Date, f64)> = Vec::new();
        let mut count = 0;
        for (day, results) in &days {
            if let Some((last, _)) = history.last() {
                rating = after_rest(rating, days_between(*last, *day) - 1);
            }
            rating = glicko2_rating_period(&rating, results, &Glicko2Config::new());
            count += results.len();
            history.push((*day, rating.rating));
        }
        let (last, _) = history.last()?;
        let Glicko2Rating { rating, deviation, .. } =
            after_rest(rating, days_between(*last, today) - 1);
        Some(Strength { rating, deviation, results: count, history })
    }

    /// Returns the level whose rating on this board is nearest.
    pub fn level(&self, game: &str, setup: &Setup) -> Option<Level> {
        let rating = |level| level_rating(game, setup, level, Level::VERSION);
        let away = |level| Some((rating(level)? - self.rating).abs());
        let away = Level::ALL.into_iter().filter_map(|level| Some((level, away(level)?)));
        away.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(level, _)| level)
    }
}

/// Formats the rating with its margin of error.
impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} +/- {:.0}", self.rating, 2.0 * self.deviation)
    }
}

fn days_between(from: Date, to: Date) -> i32 {
    from.until(to).map_or(0, |span| span.get_days())
}

/// Returns the rating after this many days without results.
fn after_rest(rating: Glicko2Rating, days: i32) -> Glicko2Rating {
    let days = 0..days.min(MAX_DAYS);
    let rested =
        days.fold(rating, |rating, _| glicko2_rating_period(&rating, &[], &Glicko2Config::new()));
    Glicko2Rating { deviation: rested.deviation.min(BEGIN.deviation), ..rested }
}

/// Returns the results in a game, by day.
fn results(progress: &Progress, game: &str) -> BTreeMap<Date, Vec<(Glicko2Rating, Outcomes)>> {
    let helped = |event: &Event| match event {
        Event::Help { id, .. } => Some(id.clone()),
        _ => None,
    };
    let helped: HashSet<String> = progress.events().iter().filter_map(helped).collect();
    let mut known = HashSet::new();
    let mut ratings: HashMap<(String, Level, u32), Option<f64>> = HashMap::new();
    let mut days: BTreeMap<Date, Vec<_>> = BTreeMap::new();
    for event in progress.events() {
        let (opponent, outcome) = match event {
            // A try with a hint counts as the first try, too.
            Event::Puzzle { game: of, id, rating, solved, rated, .. } if of == game => {
                if !known.insert(("puzzle", id)) || !rated {
                    continue;
                }
                let outcome = if *solved { Outcomes::WIN } else { Outcomes::LOSS };
                (Some(f64::from(*rating)), outcome)
            }
            Event::Match { id, game: of, setup, level, levels, score, .. } if of == game => {
                if helped.contains(id) || !known.insert(("match", id)) {
                    continue;
                }
                let rating = ratings
                    .entry((setup.to_string(), *level, *levels))
                    .or_insert_with(|| level_rating(game, setup, *level, *levels));
                let outcome = match score {
                    Score::Win => Outcomes::WIN,
                    Score::Draw => Outcomes::DRAW,
                    Score::Loss => Outcomes::LOSS,
                };
                (*rating, outcome)
            }
            _ => continue,
        };
        if let Some(rating) = opponent {
            let opponent = Glicko2Rating { rating, deviation: OPPONENT, ..BEGIN };
            let day = event.at().to_zoned(TimeZone::UTC).date();
            days.entry(day).or_default().push((opponent, outcome));
        }
    }
    days
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    fn day(n: i64) -> Timestamp {
        Timestamp::from_second(1_796_000_000 + n * 86_400).unwrap()
    }

    fn date(n: i64) -> Date {
        day(n).to_zoned(TimeZone::UTC).date()
    }

    fn puzzle(n: i64, id: &str, rating: u32, solved: bool) -> Event {
        let (game, id) = ("quixo".to_owned(), id.to_owned());
        Event::Puzzle { at: day(n), game, id, rating, solved, rated: true }
    }

    fn played(n: i64, id: &str, level: Level, score: Score) -> Event {
        let (game, id) = ("quixo".to_owned(), id.to_owned());
        Event::Match { at: day(n), id, game, setup: Setup::new(), level, levels: 1, score }
    }

    fn of(events: &[Event], today: i64) -> Option<Strength> {
        let mut progress = Progress::default();
        for event in events {
            progress.add(event.clone());
        }
        Strength::of(&progress, "quixo", date(today))
    }

    fn rating(events: &[Event]) -> f64 {
        of(events, 0).unwrap().rating
    }

    /// The example from Glickman's paper: a player rated 1500 with a deviation of 200 and three results.
    #[test]
    fn glicko_2_matches_the_paper_example() {
        let player = Glicko2Rating { rating: 1500.0, deviation: 200.0, volatility: 0.06 };
        let other = |rating, deviation| Glicko2Rating { rating, deviation, volatility: 0.06 };
        let results = [
            (other(1400.0, 30.0), Outcomes::WIN),
            (other(1550.0, 100.0), Outcomes::LOSS),
            (other(1700.0, 300.0), Outcomes::LOSS),
        ];
        let after = glicko2_rating_period(&player, &results, &Glicko2Config::new());
        assert!((after.rating - 1464.06).abs() < 0.1, "{after:?}");
        assert!((after.deviation - 151.52).abs() < 0.1, "{after:?}");
    }

    /// Today is not over, so it is no day without results.
    #[test]
    fn deviation_grows_from_the_first_complete_day_without_results() {
        let deviation = |today| of(&[puzzle(0, "a", 700, true)], today).unwrap().deviation;
        assert_eq!(deviation(0).to_bits(), deviation(1).to_bits());
        assert!(deviation(1) < deviation(2) && deviation(2) < deviation(3));
    }

    #[test]
    fn rating_rises_with_wins_and_difficulty() {
        assert_eq!(of(&[], 0), None);
        let easy = rating(&[puzzle(0, "a", 700, true)]);
        let hard = rating(&[puzzle(0, "a", 1900, true)]);
        let failed = rating(&[puzzle(0, "a", 700, false)]);
        assert!(failed < 1000.0 && 1000.0 < easy && easy < hard);
        let won = rating(&[played(0, "m", Level::Skilled, Score::Win)]);
        let drawn = rating(&[played(0, "m", Level::Skilled, Score::Draw)]);
        let lost = rating(&[played(0, "m", Level::Skilled, Score::Loss)]);
        assert!(lost < drawn && drawn < won);
    }

    /// A player rated 1400 whose results match the expectation over some hundred games.
    #[test]
    fn rating_converges_to_the_true_strength() {
        let mut events = Vec::new();
        let mut owed = 0.0;
        for n in 0..200 {
            let level = 1000 + 100 * (n % 9);
            owed += 1.0 / (1.0 + 10f64.powf((f64::from(level) - 1400.0) / 400.0));
            let solved = owed >= 1.0;
            owed -= f64::from(u8::from(solved));
            events.push(puzzle(i64::from(n) / 10, &n.to_string(), level as u32, solved));
        }
        let strength = of(&events, 20).unwrap();
        assert!((strength.rating - 1400.0).abs() < 60.0, "{strength:?}");
        assert!(strength.deviation < 60.0, "{strength:?}");
        assert_eq!((strength.results, strength.history.len()), (200, 20));
    }

    #[test]
    fn rating_counts_each_first_try_once() {
        let first = puzzle(0, "a", 1200, false);
        let won = played(0, "m", Level::Casual, Score::Win);
        let once = of(&[first.clone(), won.clone()], 0);
        let again = puzzle(0, "a", 1200, true);
        assert_eq!(of(&[first.clone(), won.clone(), again, first, won], 0), once);
    }

    #[test]
    fn assisted_results_do_not_count() {
        let Event::Puzzle { at, game, id, rating, .. } = puzzle(0, "a", 1200, true) else {
            panic!()
        };
        let hinted = Event::Puzzle { at, game, id, rating, solved: true, rated: false };
        // The later try was not the first.
        assert_eq!(of(&[hinted, puzzle(0, "a", 1200, true)], 0), None);
        let help = Event::Help { at: day(0), id: "m".to_owned() };
        let won = played(0, "m", Level::Casual, Score::Win);
        assert_eq!(of(&[help.clone(), won.clone()], 0), None);
        assert_eq!(of(&[won, help], 0), None);
        assert_eq!(of(&[played(0, "m", Level::Perfect, Score::Win)], 0), None);
    }

    #[test]
    fn rating_ignores_order_within_a_day() {
        let events = [
            puzzle(0, "a", 1200, true),
            puzzle(0, "b", 1500, false),
            played(1, "m", Level::Strong, Score::Draw),
        ];
        let mut turned = events.clone();
        turned.reverse();
        let [one, other] = [of(&events, 2), of(&turned, 2)].map(Option::unwrap);
        assert!((one.rating - other.rating).abs() < 1e-6);
        assert_eq!(one.history.len(), 2);
    }

    #[test]
    fn rating_deviation_grows_without_results_up_to_its_start() {
        let events = [puzzle(0, "a", 1200, true), puzzle(0, "b", 1200, false)];
        let deviation = |today| of(&events, today).unwrap().deviation;
        assert!(deviation(0) < deviation(30) && deviation(30) < deviation(300));
        assert!(deviation(20_000) <= 350.0);
        // The clock was set back.
        assert_eq!(of(&events, -5), of(&events, 0));
    }

    /// The lines of earlier builds name no version; their ratings must not change.
    #[test]
    fn rating_of_an_old_progress_file_stays_the_same_to_the_digit() {
        let line = |at: i64, level: &str, score: &str| {
            format!(
                r#"{{"match":{{"at":"{}","id":"{at}","game":"quixo","setup":"size=5","level":"{level}","score":"{score}"}}}}"#,
                day(at)
            )
        };
        let of = |lines: &[String]| {
            let events: Vec<Event> =
                lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
            of(&events, 9).unwrap()
        };
        let old = [line(0, "beginner", "1"), line(1, "casual", "1/2"), line(2, "skilled", "0")];
        let strength = of(&old);
        assert_eq!(format!("{:.3} {:.3}", strength.rating, strength.deviation), "1021.935 190.348");
        let new = old.map(|line| line.replace(r#","score""#, r#","levels":2,"score""#));
        assert_ne!(of(&new).rating.to_bits(), strength.rating.to_bits());
    }

    #[test]
    fn level_picks_the_nearest_rating_on_the_board() {
        let strength =
            |rating| Strength { rating, deviation: 80.0, results: 9, history: Vec::new() };
        let level = |rating, setup: &str| strength(rating).level("quixo", &setup.parse().unwrap());
        assert_eq!(level(300.0, ""), Some(Level::Beginner));
        assert_eq!(level(1000.0, ""), Some(Level::Casual));
        assert_eq!(level(2500.0, ""), Some(Level::Strong));
        // The levels' ratings are 761, 944, 1205 and 1493 on the small board, and 741, 990, 1260 and 1603 on the large
        // board.
        assert_eq!(level(1115.0, "size=4"), Some(Level::Skilled));
        assert_eq!(level(1115.0, "size=5"), Some(Level::Casual));
    }
}
