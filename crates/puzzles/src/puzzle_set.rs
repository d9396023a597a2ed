//! Sets of puzzles: choose the next puzzle, and determine the results to record.

use super::share::{read_marks, write_marks};
use super::strength::Strength;
use super::{Attempt, Daily, Puzzle, Rush, ShareLine, comes_last, find, games, offered, rush};
use jiff::Timestamp;
use jiff::civil::Date;
use quadrille_match::store::progress::{Event, Progress};
use std::collections::{HashMap, VecDeque};

/// The assumed rating of a solver without results.
const UNKNOWN: f64 = 1000.0;

/// The number of suitable puzzles from which the next puzzle is chosen at random.
const CHOICE: usize = 8;

/// To avoid repeating a theme, a puzzle may be this much further from the solver's rating than the nearest puzzle.
const ALIKE: f64 = 150.0;

#[derive(Clone, Debug)]
pub enum PuzzleSet {
    /// The requested puzzle, followed by suitable puzzles of the same game.
    One(Puzzle),
    /// Puzzles suited to the solver's rating, of one game or of all games.
    AtMyLevel(Option<&'static str>),
    /// The easiest untried puzzles of the kind that begins a rush, until the solver has tried
    /// `PuzzleSet::EASIER` puzzles.
    Easier,
    /// A daily puzzle, followed by suitable puzzles.
    Daily(Daily),
    /// As many puzzles as possible in a limited time.
    Rush(Rush),
    /// The user's mistakes in a match, or the puzzles missed in a rush. These puzzles are unrated.
    Own(VecDeque<Puzzle>),
}

impl PuzzleSet {
    /// Easier puzzles are offered until the solver has tried this many puzzles.
    const EASIER: usize = 5;

    /// Returns whether easier puzzles are offered to this solver.
    pub fn offers_easier(progress: &Progress) -> bool {
        progress.puzzles_tried() < PuzzleSet::EASIER
    }

    /// Begins the next puzzle; `None` if no puzzle is left. `seed` chooses among equally suitable puzzles.
    pub fn begin(&mut self, progress: &Progress, today: Date, seed: u64) -> Option<Attempt> {
        if let PuzzleSet::Daily(daily) = self {
            daily.is_on_time |= daily.day == today;
        }
        // Skip a puzzle that cannot be begun. Tests ensure that all can be begun.
        (0..3).find_map(|more| {
            let puzzle = self.next(progress, today, seed.wrapping_add(more))?;
            let was_tried = progress.tried(&puzzle.id);
            let mut attempt = Attempt::new(puzzle).ok()?;
            attempt.set_again(was_tried);
            if let PuzzleSet::Daily(daily) = self {
                let (number, game) = (daily.number, daily.puzzle.game);
                attempt.set_marks(read_marks(progress.daily_tries(number, game)));
                if progress.daily_solved(number, game) {
                    attempt.set_solved();
                }
            }
            Some(attempt)
        })
    }

    pub(super) fn next(&mut self, progress: &Progress, today: Date, seed: u64) -> Option<Puzzle> {
        match self {
            PuzzleSet::One(puzzle) => {
                let puzzle = puzzle.clone();
                *self = PuzzleSet::AtMyLevel(Some(puzzle.game));
                Some(puzzle)
            }
            PuzzleSet::Daily(daily) => Some(daily.puzzle.clone()),
            PuzzleSet::Easier if PuzzleSet::offers_easier(progress) => {
                let untried = offered().filter(|puzzle| !progress.tried(&puzzle.id));
                untried
                    .filter(|puzzle| rush::begins_rush(puzzle))
                    .min_by_key(|puzzle| puzzle.rating)
                    .cloned()
            }
            PuzzleSet::Easier => {
                *self = PuzzleSet::AtMyLevel(None);
                self.next(progress, today, seed)
            }
            PuzzleSet::Own(mistakes) => mistakes.pop_front(),
            PuzzleSet::AtMyLevel(game) => {
                // Untried puzzles come first, then unsolved ones.
                let untried = |puzzle: &Puzzle| !progress.tried(&puzzle.id);
                let unsolved = |puzzle: &Puzzle| !progress.is_solved(&puzzle.id);
                let ratings: HashMap<&str, f64> =
                    games().map(|game| (game, rating(progress, game, today))).collect();
                let distance = |puzzle: &Puzzle| f64::from(puzzle.rating) - ratings[puzzle.game];
                let last = last_themes(progress, *game);
                // 2 if the puzzle has the theme of the last puzzle, 1 for the theme of the puzzle before that.
                let repeats = |puzzle: &Puzzle| {
                    let at = last.iter().position(|theme| *theme == puzzle.themes.first());
                    at.map_or(0, |at| last.len() - at)
                };
                let near = |wanted: &dyn Fn(&Puzzle) -> bool| {
                    nearest(*game, wanted, &repeats, &distance, seed)
                };
                near(&untried).or_else(|| near(&unsolved)).or_else(|| near(&|_| true))
            }
            PuzzleSet::Rush(rush) => rush.next(progress, seed),
        }
    }

    /// Updates the course after a puzzle: suitable puzzles follow a daily puzzle.
    pub fn go_on(&mut self) {
        if let PuzzleSet::Daily(_) = self {
            *self = PuzzleSet::AtMyLevel(None);
        }
    }

    /// Returns the results of a finished daily puzzle; `None` for other puzzles. `today` is the local date.
    pub fn after_daily(
        &self,
        attempt: &Attempt,
        progress: &Progress,
        at: Timestamp,
        today: Date,
    ) -> Option<AfterDaily> {
        let PuzzleSet::Daily(daily) = self else { return None };
        let (number, game) = (daily.number, daily.puzzle.game.to_owned());
        let day = daily.is_on_time.then_some(daily.day);
        let event = attempt.is_solved().then_some(Event::Daily { at, number, game, day });
        let mut progress = progress.clone();
        if let Some(event) = &event {
            progress.add(event.clone());
        }
        // A puzzle of an earlier day adds nothing to the streak.
        let streak = if daily.is_on_time { progress.streak(today) } else { 0 };
        let is_late = event.is_some() && daily.is_on_time && daily.day != today;
        Some(AfterDaily {
            event,
            note: is_late.then(|| {
                format!("It counts for {}, the day you opened it.", daily.day.strftime("%-d %B"))
            }),
            share: ShareLine::of_daily(daily, attempt.marks(), streak),
            streak,
        })
    }

    /// Returns the event that records the tries at a daily puzzle, if there are new ones.
    pub(super) fn note_tries(
        &self,
        attempt: &Attempt,
        progress: &Progress,
        at: Timestamp,
    ) -> Option<Event> {
        let PuzzleSet::Daily(daily) = self else { return None };
        let (number, game) = (daily.number, daily.puzzle.game);
        let marks = write_marks(attempt.marks(), true);
        let is_news = marks != progress.daily_tries(number, game);
        is_news.then(|| Event::Tries { at, number, game: game.to_owned(), marks })
    }

    /// Returns the part of the screen title that describes the course, without the game.
    pub fn name(&self) -> String {
        match self {
            PuzzleSet::One(_) | PuzzleSet::AtMyLevel(_) => "puzzle".to_owned(),
            PuzzleSet::Easier => "easier puzzle".to_owned(),
            PuzzleSet::Daily(daily) => format!("daily puzzle {}", daily.number),
            PuzzleSet::Rush(_) => "rush".to_owned(),
            PuzzleSet::Own(_) => "your mistakes".to_owned(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AfterDaily {
    /// The event to record, if the puzzle was solved.
    pub event: Option<Event>,
    /// The day for which the puzzle counts, if that day is not today.
    pub note: Option<String>,
    pub share: ShareLine,
    /// The number of consecutive days whose puzzle was solved; 0 for a puzzle of an earlier day.
    pub streak: u32,
}

fn rating(progress: &Progress, game: &str, today: Date) -> f64 {
    Strength::of(progress, game, today).map_or(UNKNOWN, |strength| strength.rating)
}

/// Returns the first theme of each of the last two puzzles tried, latest first.
fn last_themes(progress: &Progress, game: Option<&str>) -> Vec<Option<&'static String>> {
    let tried = progress.events().iter().rev().filter_map(|event| match event {
        Event::Puzzle { id, game: of, .. } if game.is_none_or(|game| game == of) => find(id),
        _ => None,
    });
    tried.take(2).map(|puzzle| puzzle.themes.first()).collect()
}

/// Chooses one of the nearest puzzles. If the distances are similar, puzzles with the fewest `repeats` are preferred.
pub(super) fn nearest(
    game: Option<&str>,
    wanted: &dyn Fn(&Puzzle) -> bool,
    repeats: &dyn Fn(&Puzzle) -> usize,
    distance: &dyn Fn(&Puzzle) -> f64,
    seed: u64,
) -> Option<Puzzle> {
    let of_game = |puzzle: &&Puzzle| game.is_none_or(|game| game == puzzle.game);
    let mut found: Vec<&Puzzle> =
        offered().filter(of_game).filter(|puzzle| wanted(puzzle)).collect();
    if found.iter().any(|puzzle| !comes_last(puzzle)) {
        found.retain(|puzzle| !comes_last(puzzle));
    }
    let far = |puzzle: &Puzzle| distance(puzzle).abs();
    found.sort_by(|a, b| far(a).total_cmp(&far(b)));
    let most = far(found.first()?) + ALIKE;
    found.retain(|puzzle| far(puzzle) <= most);
    let least = found.iter().map(|puzzle| repeats(puzzle)).min();
    found.retain(|puzzle| Some(repeats(puzzle)) == least);
    found.truncate(CHOICE);
    let at = (seed as usize).checked_rem(found.len())?;
    Some(found[at].clone())
}
