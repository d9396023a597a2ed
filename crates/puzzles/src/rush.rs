//! A rush: as many puzzles as possible in a few minutes.

use super::attempt::{Answer, Attempt};
use super::puzzle_set::nearest;
use super::{Puzzle, TryMark, games, offered};
use jiff::Timestamp;
use quadrille_match::session::ClockFace;
use quadrille_match::store::progress::{Event, Progress};
use quadrille_table::catalogue;
use quadrille_text::wording::counted;
use std::collections::{HashMap, HashSet};
use std::time::Duration;

/// The rating of the first puzzle, and the increase after each solved puzzle.
const RATINGS: [f64; 2] = [700.0, 60.0];

/// The number of simple puzzles at the start of a rush.
const SIMPLE: usize = 3;

/// The longest win at the start of a rush in a game without scores, in plies.
const MAX_PLIES: u32 = 3;

/// Returns whether a rush can begin with a puzzle: it has one decision, and the solver is to win.
pub(super) fn begins_rush(puzzle: &Puzzle) -> bool {
    let is_won = match puzzle.plies {
        Some(plies) => plies <= MAX_PLIES,
        None => puzzle.value > 0,
    };
    puzzle.decisions == 1 && is_won
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RushResult {
    pub says: String,
    /// How long a front end shows the result. Keys typed during this time were meant for the previous puzzle, and are
    /// ignored.
    pub length: Duration,
}

/// A rush. Front ends report the elapsed time and the solver's actions, and show the rush's state.
///
/// The clock runs while a puzzle is open and nothing covers it. A mistake or the last move of a puzzle has a
/// [result](Rush::result); until [`Rush::go_on`], the clock stands still and no move is accepted.
#[derive(Clone, Debug, PartialEq)]
pub struct Rush {
    /// The game; `None` for all games.
    pub game: Option<&'static str>,
    left: Duration,
    /// A mark for each puzzle.
    marks: Vec<TryMark>,
    /// The puzzles with a mistake and those skipped.
    missed: Vec<Puzzle>,
    result: Option<RushResult>,
    is_over: bool,
    seen: Vec<String>,
}

impl Rush {
    /// The rules in three short lines, shown before the clock starts.
    pub const BRIEF: [&str; 3] =
        ["Solve all you can in 3 min.", "3 mistakes or skips end it.", "First tries are rated."];

    pub const RULES: &str = "Solve as many puzzles as you can in three minutes. Three mistakes end the rush.\n\n\
        A wrong move or a skipped puzzle counts as a mistake; you see the solution and go on to the next puzzle. \
        Each solved puzzle makes the next one harder. There are no hints. Your first try at a puzzle changes your \
        rating, as outside a rush.\n\nMenus and help stop the clock and hide the board. Your best score is kept for \
        each game and for all games together. If you leave, the rush ends and your score counts.";

    pub const TIME: Duration = Duration::from_secs(180);
    pub const MISTAKES: u32 = 3;

    pub fn new(game: Option<&'static str>) -> Rush {
        Rush {
            game,
            left: Rush::TIME,
            marks: Vec::new(),
            missed: Vec::new(),
            result: None,
            is_over: false,
            seen: Vec::new(),
        }
    }

    /// Names the game, or says that all games take part.
    pub fn name(&self) -> &'static str {
        self.game.map_or("all games", |game| catalogue::find(game).map_or(game, |entry| entry.name))
    }

    /// Returns the next puzzle; `None` if all puzzles have been shown. The first ones are simple, and in a rush of all
    /// games each is of another game. Untried puzzles come first, then those that were tried longest ago.
    pub(super) fn next(&mut self, progress: &Progress, seed: u64) -> Option<Puzzle> {
        let wanted = RATINGS[0] + RATINGS[1] * f64::from(self.solved());
        let unseen = |puzzle: &Puzzle| !self.seen.contains(&puzzle.id);
        let distance = |puzzle: &Puzzle| f64::from(puzzle.rating) - wanted;
        let tries = progress.events().iter().zip(1..).filter_map(|(event, at)| match event {
            Event::Puzzle { id, .. } => Some((&**id, at)),
            _ => None,
        });
        let last_tries: HashMap<&str, usize> = tries.collect();
        let last_try = |puzzle: &Puzzle| last_tries.get(&*puzzle.id).copied().unwrap_or(0);
        let next = |game, wanted: &dyn Fn(&Puzzle) -> bool| {
            let untried = |puzzle: &Puzzle| wanted(puzzle) && last_try(puzzle) == 0;
            nearest(game, &untried, &|_| 0, &distance, seed)
                .or_else(|| nearest(game, wanted, &last_try, &distance, seed))
        };
        let simple = || {
            let game = self.game.or_else(|| self.unseen_game(seed));
            next(game, &|puzzle| unseen(puzzle) && begins_rush(puzzle))
        };
        let simple = (self.seen.len() < SIMPLE).then(simple).flatten();
        let puzzle = simple.or_else(|| next(self.game, &unseen))?;
        self.seen.push(puzzle.id.clone());
        Some(puzzle)
    }

    /// Returns a game of which no puzzle was shown yet.
    fn unseen_game(&self, seed: u64) -> Option<&'static str> {
        let seen = offered().filter(|puzzle| self.seen.contains(&puzzle.id));
        let seen: HashSet<&str> = seen.map(|puzzle| puzzle.game).collect();
        let unseen: Vec<&str> = games().filter(|game| !seen.contains(game)).collect();
        unseen.get((seed as usize).checked_rem(unseen.len())?).copied()
    }

    /// Advances the clock. The rush ends when time is up.
    pub fn pass(&mut self, time: Duration) {
        if self.runs() {
            self.left = self.left.saturating_sub(time);
            self.is_over = self.left.is_zero();
        }
    }

    pub fn runs(&self) -> bool {
        self.result.is_none() && !self.is_over
    }

    /// Records an answer. A wrong answer ends the puzzle.
    pub fn count(&mut self, answer: &Answer, attempt: &mut Attempt) {
        match answer {
            Answer::Right { .. } => {}
            Answer::Wrong { .. } => self.miss(TryMark::Wrong, "Wrong", attempt),
            Answer::Solved { .. } => {
                self.marks.push(TryMark::Right);
                let (says, length) = ("Solved.".to_owned(), Duration::from_millis(900));
                self.result = Some(RushResult { says, length });
            }
        }
    }

    /// Skips the puzzle, which counts as a mistake.
    pub fn skip(&mut self, attempt: &mut Attempt) {
        self.miss(TryMark::Skipped, "Skipped", attempt);
    }

    fn miss(&mut self, mark: TryMark, how: &str, attempt: &mut Attempt) {
        self.marks.push(mark);
        self.missed.push(attempt.puzzle().clone());
        let solution = attempt.give_up();
        attempt.show(&solution);
        let says = format!("{how}. {}", attempt.about_solution());
        self.result = Some(RushResult { says, length: Duration::from_secs(3) });
    }

    /// Returns the result of the last puzzle, until the next puzzle begins.
    pub const fn result(&self) -> Option<&RushResult> {
        self.result.as_ref()
    }

    /// Continues after a result, with the next puzzle or the end of the rush.
    pub fn go_on(&mut self) {
        self.result = None;
        self.is_over |= self.mistakes() >= Rush::MISTAKES;
    }

    pub fn end(&mut self) {
        (self.result, self.is_over) = (None, true);
    }

    /// Returns a mark for each puzzle so far.
    pub fn marks(&self) -> &[TryMark] {
        &self.marks
    }

    /// Returns the puzzles that were not solved.
    pub fn missed(&self) -> &[Puzzle] {
        &self.missed
    }

    pub fn solved(&self) -> u32 {
        self.marks.len() as u32 - self.mistakes()
    }

    fn mistakes(&self) -> u32 {
        self.missed.len() as u32
    }

    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    pub const fn left(&self) -> Duration {
        self.left
    }

    /// Describes the state of the rush: `2:31, 4 solved, 1 mistake`.
    pub fn standing(&self) -> String {
        let mistakes = counted(self.mistakes() as usize, "mistake", "mistakes");
        format!("{}, {} solved, {mistakes}", ClockFace::Seconds.shown(self.left), self.solved())
    }

    pub fn summary(&self, progress: &Progress) -> String {
        let why = match self.mistakes() {
            _ if self.left.is_zero() => "Time is up. ",
            Rush::MISTAKES.. => "Three mistakes. ",
            _ => "",
        };
        let best = match progress.best_rush(self.game) {
            Some(best) if best >= self.solved() => format!(" Your best is {best}."),
            Some(_) => " New best!".to_owned(),
            None => String::new(),
        };
        format!("{why}{} solved.{best}", self.solved())
    }

    pub fn event(&self, at: Timestamp) -> Event {
        Event::Rush { at, game: self.game.map(str::to_owned), score: self.solved() }
    }
}
