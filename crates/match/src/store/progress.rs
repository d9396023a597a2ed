//! Attempted puzzles, completed lessons, matches against the levels, reviews and renames, one event per line.
//!
//! ```text
//! {"puzzle":{"at":"2026-11-25T18:02:11Z","game":"quixo","id":"quixo-17","rating":1240,"solved":true,"rated":true}} 0b3b8d1c
//! {"match":{"at":"2026-11-25T18:40:02Z","id":"2026-11-25-quixo-Ann-1a2b","game":"quixo","setup":"size=5 first=X","level":"skilled","levels":2,"score":"1"}} 9f1d20aa
//! ```
//!
//! A line is an event as JSON, followed by its CRC-32. Damaged lines and event kinds of later versions are skipped.
//! Each line has a line end before and after it, so damage at one place never merges two lines. A duplicate event
//! changes nothing.

use crate::session::{Actor, Match, Players, Session, Step, Termination};
use jiff::Timestamp;
use jiff::civil::Date;
use quadrille_rules::Setup;
use quadrille_search::Level;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// The result of an attempt at a puzzle, or the solution of an attempt that had a hint or a mistake before.
    Puzzle {
        at: Timestamp,
        game: String,
        id: String,
        rating: u32,
        /// Whether the puzzle was solved by then.
        solved: bool,
        /// Whether the result counts toward the rating, because no hint was used before.
        rated: bool,
    },
    /// A solved daily puzzle.
    Daily {
        at: Timestamp,
        number: u32,
        game: String,
        /// The puzzle's day, if the puzzle was solved on that day.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        day: Option<Date>,
    },
    /// The marks of all tries at a daily puzzle so far, one letter each. The last event of a puzzle counts.
    Tries { at: Timestamp, number: u32, game: String, marks: String },
    /// The number of puzzles solved in a rush, of one game or of all games.
    Rush {
        at: Timestamp,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        game: Option<String>,
        score: u32,
    },
    /// A match against a level, finished without take-backs.
    Match {
        at: Timestamp,
        /// The journal's name, which is also the record's name until the record is renamed.
        id: String,
        game: String,
        #[serde(with = "as_text")]
        setup: Setup,
        #[serde(with = "as_text")]
        level: Level,
        /// The version of the level. Earlier builds wrote none.
        #[serde(default = "first_version", skip_serializing_if = "is_first_version")]
        levels: u32,
        score: Score,
    },
    /// A hint or values were shown in the match with this id.
    Help { at: Timestamp, id: String },
    /// The matches that predate the event list have been imported.
    RecordsCounted { at: Timestamp },
    /// A lesson was completed.
    Lesson { at: Timestamp, name: String },
    /// A completed review of the user's moves in a match. The last review of a match counts.
    Review {
        at: Timestamp,
        /// The fingerprint of the record, which stays the same if the record is renamed.
        record: String,
        game: String,
        /// The number of the user's seat, from 1.
        seat: usize,
        /// The number of moves that count: the review proved them sound or mistakes, and a legal move was proven worse.
        moves: u32,
        /// The number of these moves that kept the best value.
        best: u32,
        /// The minimum number of points that the other moves lost.
        lost: u32,
    },
    /// A player has a new name, in earlier and later records.
    Rename { at: Timestamp, from: String, to: String },
    /// The user's own numbers begin anew.
    StartOver {
        at: Timestamp,
        /// Records of earlier days no longer count for the user.
        day: Date,
        /// The fingerprints of all other records that no longer count.
        records: Vec<String>,
    },
}

const fn first_version() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_first_version(version: &u32) -> bool {
    *version == first_version()
}

/// A person's score in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Score {
    #[serde(rename = "1")]
    Win,
    #[serde(rename = "1/2")]
    Draw,
    #[serde(rename = "0")]
    Loss,
}

/// Serializes values through their text form.
mod as_text {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;
    use std::fmt::Display;
    use std::str::FromStr;

    pub fn serialize<T: Display, S: Serializer>(value: &T, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(value)
    }

    pub fn deserialize<'a, T, D: Deserializer<'a>>(input: D) -> Result<T, D::Error>
    where
        T: FromStr<Err: Display>,
    {
        String::deserialize(input)?.parse().map_err(Error::custom)
    }
}

impl Event {
    /// Returns the result of a finished match, like [`of_record`](Event::of_record). `None` if the match had take-backs,
    /// began with moves, or began with another version of the levels.
    pub(super) fn of_session(
        session: &Session,
        levels: u32,
        id: &str,
        at: Timestamp,
    ) -> Option<Event> {
        let takes_back = |step: &Step| matches!(step, Step::GoTo(_) | Step::SelectVariation(_));
        let people: Vec<_> = session.players().people().collect();
        let began_with = |moved: &Step, by, at: Duration| {
            let is_persons = people.iter().any(|seat| by == Actor::Seat(*seat));
            moved.is_play() && at.is_zero() && is_persons
        };
        let says_nothing = session.log().iter().any(|logged| {
            takes_back(&logged.step) || began_with(&logged.step, logged.by, logged.at)
        });
        if says_nothing || levels != Level::VERSION {
            return None;
        }
        Event::of_record(session.current_match(), session.players(), levels, id, at)
    }

    /// Returns the result of a finished match between a local person and a level other than `perfect`, of this version.
    /// `None` for any other match, for a match with variations, and for a level with its own limits.
    pub fn of_record(
        game: &Match,
        players: &Players,
        levels: u32,
        id: &str,
        at: Timestamp,
    ) -> Option<Event> {
        let outcome = game.outcome()?;
        let [first, second] = players.as_slice() else { return None };
        let (seat, other) = if first.is_person() { (0, second) } else { (1, first) };
        let (seat, player) = players.iter().nth(seat)?;
        let engine = other.engine()?;
        let is_played_out = !matches!(game.termination(), Some(Termination::Forfeit(..)));
        let has_one_line = game.nodes() == game.ply() + 1;
        let is_alone = player.is_person() && !player.is_guest();
        let is_rated = engine.level != Level::Perfect && !engine.limits.are_set();
        if !(is_alone && is_rated && is_played_out && has_one_line) {
            return None;
        }
        let score = match (outcome.is_winner(seat), outcome.winners().count()) {
            (true, 1) => Score::Win,
            (true, _) => Score::Draw,
            (false, _) => Score::Loss,
        };
        let (id, game, setup) = (id.to_owned(), game.id().to_owned(), game.setup());
        Some(Event::Match { at, id, game, setup, level: engine.level, levels, score })
    }

    pub fn at(&self) -> Timestamp {
        match self {
            Event::Puzzle { at, .. }
            | Event::Daily { at, .. }
            | Event::Rush { at, .. }
            | Event::Match { at, .. }
            | Event::Help { at, .. }
            | Event::Tries { at, .. }
            | Event::RecordsCounted { at }
            | Event::Lesson { at, .. }
            | Event::Review { at, .. }
            | Event::Rename { at, .. }
            | Event::StartOver { at, .. } => *at,
        }
    }

    /// Returns the id of the match that the event is about.
    pub fn match_id(&self) -> Option<&str> {
        match self {
            Event::Match { id, .. } => Some(id),
            _ => None,
        }
    }

    /// Returns the event's line, with a newline before and after it.
    pub fn line(&self) -> Result<String, serde_json::Error> {
        let text = serde_json::to_string(self)?;
        Ok(format!("\n{text} {:08x}\n", crc32fast::hash(text.as_bytes())))
    }

    /// Parses a line; `None` if it is damaged or of an unknown kind.
    fn read(line: &[u8]) -> Option<Event> {
        let (text, sum) = std::str::from_utf8(line).ok()?.rsplit_once(' ')?;
        let is_whole = sum == format!("{:08x}", crc32fast::hash(text.as_bytes()));
        serde_json::from_str(text).ok().filter(|_| is_whole)
    }
}

/// Splits a lesson into its game and name: `quixo/1-pushes` gives `quixo` and `pushes`.
fn without_number(lesson: &str) -> (&str, &str) {
    let (game, file) = lesson.rsplit_once('/').unwrap_or((lesson, ""));
    (game, file.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '-'))
}

/// All readable events of the progress file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    events: Vec<Event>,
    /// Whether each attempted puzzle was solved, by puzzle id.
    puzzles: HashMap<String, bool>,
    /// The new name of each renamed player. It may be renamed in turn; renames form no cycle.
    renamed: HashMap<String, String>,
    /// When the user last started over.
    begin: Option<Begin>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Begin {
    at: Timestamp,
    day: Date,
    /// The fingerprints of records that do not count although they are not from an earlier day.
    left_out: HashSet<String>,
    /// The daily puzzles solved before, by number and game. They do not count for the streak.
    dailies: HashSet<(u32, String)>,
}

impl Progress {
    /// Parses lines. Skips damaged lines and unknown kinds of events.
    pub fn read(bytes: &[u8]) -> Progress {
        let mut progress = Progress::default();
        for event in bytes.split(|byte| *byte == b'\n').filter_map(Event::read) {
            progress.add(event);
        }
        progress
    }

    pub fn add(&mut self, event: Event) {
        match &event {
            Event::Puzzle { id, solved, .. } => {
                *self.puzzles.entry(id.clone()).or_default() |= solved;
            }
            Event::Rename { from, to, .. } => self.rename(from, to),
            Event::StartOver { at, day, records } => self.start_over(*at, *day, records),
            // A match from before may be noted again, for example by a process that files its record later.
            Event::Match { at, .. } if self.begin.as_ref().is_some_and(|begin| *at < begin.at) => {
                return;
            }
            _ => {}
        }
        self.events.push(event);
    }

    fn rename(&mut self, from: &str, to: &str) {
        let [from, now] = [from, to].map(|name| self.current_name(name).to_owned());
        if from != now {
            self.renamed.insert(from, now);
        } else if from != to {
            // An earlier name of the player becomes the current one again.
            self.renamed.remove(to);
            self.renamed.insert(from, to.to_owned());
        }
    }

    /// Forgets the user's own results. Keeps lessons, the matches with help, that old records were imported, and which
    /// daily puzzles were solved and how often they were tried.
    fn start_over(&mut self, at: Timestamp, day: Date, records: &[String]) {
        let before = self.begin.take().map(|begin| (begin.day, begin.left_out, begin.dailies));
        let (last, mut left_out, mut dailies) =
            before.unwrap_or((day, HashSet::new(), HashSet::new()));
        left_out.extend(records.iter().cloned());
        self.events.retain(|event| match event {
            Event::Daily { number, game, .. } => {
                dailies.insert((*number, game.clone()));
                false
            }
            Event::Tries { .. }
            | Event::Help { .. }
            | Event::RecordsCounted { .. }
            | Event::Lesson { .. }
            | Event::Rename { .. }
            | Event::StartOver { .. } => true,
            Event::Puzzle { .. }
            | Event::Rush { .. }
            | Event::Match { .. }
            | Event::Review { .. } => false,
        });
        self.puzzles.clear();
        self.begin = Some(Begin { at, day: last.max(day), left_out, dailies });
    }

    /// Returns a player's current name: the one in the records unless the player was renamed.
    pub fn current_name<'n>(&'n self, name: &'n str) -> &'n str {
        std::iter::successors(Some(name), |name| self.renamed.get(*name).map(|name| &**name))
            .last()
            .unwrap_or(name)
    }

    /// Returns whether a record no longer counts for the user, who has started over.
    pub fn leaves_out(&self, date: &str, fingerprint: &str) -> bool {
        self.begin.as_ref().is_some_and(|begin| {
            let is_earlier = date.parse().is_ok_and(|date: Date| date < begin.day);
            is_earlier || begin.left_out.contains(fingerprint)
        })
    }

    /// Returns the last review of each match.
    pub fn reviews(&self) -> impl Iterator<Item = &Event> {
        let reviews = self.events.iter().filter_map(|event| match event {
            Event::Review { record, .. } => Some((record, event)),
            _ => None,
        });
        reviews.collect::<HashMap<_, _>>().into_values()
    }

    /// Returns the events in file order, which may differ from chronological order.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    pub fn tried(&self, puzzle: &str) -> bool {
        self.puzzles.contains_key(puzzle)
    }

    /// Returns the number of puzzles that were tried.
    pub fn puzzles_tried(&self) -> usize {
        self.puzzles.len()
    }

    /// Returns the marks of all tries at the daily puzzle with this number and game, one letter each.
    pub fn daily_tries(&self, number: u32, game: &str) -> &str {
        let marks = self.events.iter().rev().find_map(|event| match event {
            Event::Tries { number: of_day, game: of, marks, .. } => {
                (*of_day == number && of == game).then_some(&**marks)
            }
            _ => None,
        });
        marks.unwrap_or_default()
    }

    /// Returns the number of puzzles of a game that were solved.
    pub fn puzzles_solved(&self, of: &str) -> usize {
        let solved = self.events.iter().filter_map(|event| match event {
            Event::Puzzle { game, id, solved: true, .. } if game == of => Some(&**id),
            _ => None,
        });
        solved.collect::<HashSet<&str>>().len()
    }

    /// Returns whether the puzzle was solved in any attempt.
    pub fn is_solved(&self, puzzle: &str) -> bool {
        self.puzzles.get(puzzle).is_some_and(|solved| *solved)
    }

    /// Returns whether the daily puzzle with this number and game was solved, on its day or later.
    pub fn daily_solved(&self, number: u32, game: &str) -> bool {
        self.was_solved_before(number, game)
            || self.events.iter().any(|event| match event {
                Event::Daily { number: of_day, game: of, .. } => *of_day == number && of == game,
                _ => false,
            })
    }

    /// Returns whether the daily puzzle was solved before the user started over.
    fn was_solved_before(&self, number: u32, game: &str) -> bool {
        let dailies = self.begin.iter().flat_map(|begin| &begin.dailies);
        dailies.into_iter().any(|(of_day, of)| *of_day == number && of == game)
    }

    /// Counts the consecutive days whose daily puzzle was solved on its day. If today's puzzle is unsolved, the streak
    /// ends yesterday.
    pub fn streak(&self, today: Date) -> u32 {
        let days = self.events.iter().filter_map(|event| match event {
            Event::Daily { number, game, day, .. } => {
                day.filter(|_| !self.was_solved_before(*number, game))
            }
            _ => None,
        });
        let days: HashSet<Date> = days.collect();
        let last = if days.contains(&today) { Some(today) } else { today.yesterday().ok() };
        let back = std::iter::successors(last, |day| day.yesterday().ok());
        back.take_while(|day| days.contains(day)).count() as u32
    }

    /// Returns the best rush of a game, or of all games combined.
    pub fn best_rush(&self, of: Option<&str>) -> Option<u32> {
        let score = |event: &Event| match event {
            Event::Rush { game, score, .. } if game.as_deref() == of => Some(*score),
            _ => None,
        };
        self.events.iter().filter_map(score).max()
    }

    /// Returns whether a lesson was completed. Ignores the lesson's number, which may have changed.
    pub fn lesson_done(&self, lesson: &str) -> bool {
        let lesson = without_number(lesson);
        let is_it = |event: &Event| matches!(event, Event::Lesson { name, .. } if without_number(name) == lesson);
        self.events.iter().any(is_it)
    }

    /// Returns whether the matches that predate the event list have been imported, or must not be.
    pub fn has_old_records(&self) -> bool {
        self.begin.is_some()
            || self.events.iter().any(|event| matches!(event, Event::RecordsCounted { .. }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_796_000_000 + second).unwrap()
    }

    fn rename(from: &str, to: &str) -> Event {
        Event::Rename { at: at(0), from: from.to_owned(), to: to.to_owned() }
    }

    fn review(second: i64, record: &str, moves: u32) -> Event {
        let (record, game) = (record.to_owned(), "quixo".to_owned());
        Event::Review { at: at(second), record, game, seat: 1, moves, best: 1, lost: moves - 1 }
    }

    fn start_over(second: i64, day: Date, records: &[&str]) -> Event {
        let records = records.iter().map(ToString::to_string).collect();
        Event::StartOver { at: at(second), day, records }
    }

    fn daily(number: u32, day: Date) -> Event {
        Event::Daily { at: at(0), number, game: "quixo".to_owned(), day: Some(day) }
    }

    fn progress(events: impl IntoIterator<Item = Event>) -> Progress {
        let mut progress = Progress::default();
        events.into_iter().for_each(|event| progress.add(event));
        progress
    }

    #[test]
    fn later_kinds_of_events_round_trip_as_lines() {
        let marks = "xh+".to_owned();
        let tries = Event::Tries { at: at(0), number: 4, game: "quixo".to_owned(), marks };
        let all = [
            tries,
            review(1, "0123abcd-99", 7),
            rename("Ann \u{2603}", "\"Zoe\""),
            start_over(2, date(2026, 11, 28), &["a", "b"]),
        ];
        for event in all {
            let line = event.line().unwrap();
            assert_eq!(Event::read(line.trim().as_bytes()), Some(event));
        }
    }

    #[test]
    fn last_review_of_each_match_counts() {
        let progress = progress([review(0, "a", 5), review(1, "b", 3), review(2, "a", 6)]);
        let mut moves: Vec<u32> = progress
            .reviews()
            .map(|review| match review {
                Event::Review { moves, .. } => *moves,
                other => panic!("{other:?}"),
            })
            .collect();
        moves.sort_unstable();
        assert_eq!(moves, [3, 6]);
    }

    #[test]
    fn renames_follow_each_other_and_merge() {
        let renames = [rename("Anny", "Annie"), rename("Annie", "Ann"), rename("Bob", "Anny")];
        let progress = progress(renames);
        let now = ["Anny", "Annie", "Ann", "Bob", "Eve"].map(|name| progress.current_name(name));
        assert_eq!(now, ["Ann", "Ann", "Ann", "Ann", "Eve"]);
    }

    #[test]
    fn player_can_be_renamed_back() {
        let there = [rename("Ann", "Anna")];
        let back = [rename("Ann", "Anna"), rename("Anna", "Ann")];
        let again = [&back[..], &[rename("Ann", "Anna")]].concat();
        let names = |events: &[Event]| {
            let progress = progress(events.iter().cloned());
            ["Ann", "Anna"].map(|name| progress.current_name(name).to_owned())
        };
        assert_eq!(names(&there), ["Anna", "Anna"]);
        assert_eq!(names(&back), ["Ann", "Ann"]);
        assert_eq!(names(&again), ["Anna", "Anna"]);
    }

    /// The last of the renames decides, from wherever the renames of two processes come.
    #[test]
    fn renames_in_a_circle_end() {
        let circle = [("a", "b"), ("b", "c"), ("c", "a"), ("a", "b"), ("c", "b"), ("b", "c")];
        for length in 1..=circle.len() {
            let progress = progress(circle[..length].iter().map(|(from, to)| rename(from, to)));
            let now = ["a", "b", "c"].map(|name| progress.current_name(name));
            let (_, last) = circle[length - 1];
            assert!(now.contains(&last) && progress.current_name(last) == last, "{now:?}");
        }
    }

    #[test]
    fn starting_over_forgets_the_users_results() {
        let [day, next] = [date(2026, 11, 28), date(2026, 11, 29)];
        let puzzle = |second| Event::Puzzle {
            at: at(second),
            game: "quixo".to_owned(),
            id: "quixo-17".to_owned(),
            rating: 1200,
            solved: true,
            rated: true,
        };
        let events = [
            puzzle(0),
            Event::Rush { at: at(0), game: None, score: 7 },
            review(0, "a", 5),
            Event::Lesson { at: at(0), name: "quixo/pushes".to_owned() },
            rename("Anny", "Ann"),
            start_over(5, day, &["today"]),
        ];
        let mut progress = progress(events);
        assert!(!progress.tried("quixo-17") && progress.puzzles_solved("quixo") == 0);
        assert_eq!((progress.best_rush(None), progress.reviews().count()), (None, 0));
        assert!(progress.lesson_done("quixo/pushes") && progress.current_name("Anny") == "Ann");
        assert!(
            progress.leaves_out("2026-11-27", "x") && progress.leaves_out("2026-11-28", "today")
        );
        assert!(!progress.leaves_out("2026-11-28", "x") && !progress.leaves_out("", "x"));
        progress.add(puzzle(6));
        assert_eq!(progress.puzzles_solved("quixo"), 1);
        // A second time leaves out both.
        progress.add(start_over(7, next, &["tomorrow"]));
        assert_eq!(progress.puzzles_solved("quixo"), 0);
        assert!(
            ["today", "tomorrow"].iter().all(|record| progress.leaves_out("2026-11-29", record))
        );
        assert!(progress.leaves_out("2026-11-28", "x"));
    }

    #[test]
    fn daily_puzzle_stays_solved_after_starting_over_but_does_not_count() {
        let [before, day, next] = [27, 28, 29].map(|day| date(2026, 11, day));
        let marks = "x+".to_owned();
        let tries = Event::Tries { at: at(0), number: 4, game: "quixo".to_owned(), marks };
        let mut progress = progress([daily(3, before), daily(4, day), tries]);
        assert_eq!(progress.streak(day), 2);
        progress.add(start_over(5, day, &[]));
        assert!(progress.daily_solved(4, "quixo") && !progress.daily_solved(5, "quixo"));
        assert_eq!((progress.streak(day), progress.daily_tries(4, "quixo")), (0, "x+"));
        // Solved once more on the same day.
        progress.add(daily(4, day));
        assert_eq!(progress.streak(day), 0);
        progress.add(start_over(6, day, &[]));
        progress.add(daily(5, next));
        assert_eq!(progress.streak(next), 1);
        assert!(progress.daily_solved(4, "quixo") && progress.daily_solved(5, "quixo"));
    }
}
