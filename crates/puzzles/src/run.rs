//! A solver's progress through a set of puzzles, for all front ends.

use super::strength::Strength;
use super::{Answer, Attempt, Hint, PuzzleSet, Rush, RushResult, ShareLine, TryMark, who_plays};
use jiff::Timestamp;
use jiff::civil::Date;
use quadrille_match::session::{Match, Refusal};
use quadrille_match::store::progress::{Event, Progress};
use quadrille_table::catalogue::{self, GameEntry};
use quadrille_text::wording::capital;
use std::time::Duration;

/// The solver's recorded progress, and the current time.
#[derive(Clone, Copy)]
pub struct SolverDay<'a> {
    pub progress: &'a Progress,
    pub at: Timestamp,
    pub today: Date,
}

/// A solver in a puzzle set: the current puzzle, its texts, and the events to record.
#[derive(Debug)]
pub struct PuzzleRun {
    set: PuzzleSet,
    attempt: Attempt,
    entry: &'static GameEntry,
    beginnings: usize,
    begun: u64,
    playback: Option<Playback>,
    texts: PuzzleTexts,
    /// The move of the last hint; `None` once another position is on the board.
    hinted: Option<String>,
    /// The sentence about the new rating, if the puzzle has changed it.
    rating: Option<String>,
    summary: Option<String>,
    events: Vec<Event>,
}

/// A line that is played out on the board: a wrong move and its refutation, or the rest of the match after the
/// solution.
#[derive(Debug)]
struct Playback {
    line: Vec<String>,
    /// The number of moves of `line` that are shown.
    shown: usize,
    is_refutation: bool,
}

#[derive(Debug, Default)]
pub struct PuzzleTexts {
    pub hint: Option<String>,
    /// The text about the last move.
    pub said: Option<String>,
    /// The explanation that is shown after the end.
    pub explained: Vec<String>,
    pub share: Option<ShareLine>,
    /// The number of consecutive days whose puzzle was solved.
    pub streak: Option<u32>,
}

impl PuzzleRun {
    /// Begins the first puzzle of a set; `None` if the set has none.
    pub fn begin(mut set: PuzzleSet, day: SolverDay<'_>) -> Option<PuzzleRun> {
        let attempt = next(&mut set, day)?;
        let entry = attempt.puzzle().entry()?;
        let mut run = PuzzleRun {
            set,
            attempt,
            entry,
            beginnings: 0,
            begun: 0,
            playback: None,
            texts: PuzzleTexts::default(),
            hinted: None,
            rating: None,
            summary: None,
            events: Vec::new(),
        };
        if run.attempt.is_over() {
            run.texts.explained = run.attempt.explain();
            run.share_day(day);
            let said = "You have solved this puzzle. Choose Try again to play it once more.";
            run.texts.said = Some(said.to_owned());
        }
        Some(run)
    }

    pub fn attempt(&self) -> &Attempt {
        &self.attempt
    }

    pub fn entry(&self) -> &'static GameEntry {
        self.entry
    }

    pub fn texts(&self) -> &PuzzleTexts {
        &self.texts
    }

    /// Returns the move that a hint has named, for a mark on the board.
    pub fn hinted(&self) -> Option<&str> {
        self.hinted.as_deref().filter(|_| !self.shows_wrong())
    }

    pub fn summary(&self) -> Option<&String> {
        self.summary.as_ref()
    }

    pub fn has_ended(&self) -> bool {
        self.summary.is_some()
    }

    /// Returns how many times the board was reset, by a new puzzle or after a wrong move.
    pub fn beginnings(&self) -> usize {
        self.beginnings
    }

    /// Returns how many times a puzzle was begun after the first.
    pub fn begun(&self) -> u64 {
        self.begun
    }

    pub fn take_events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// Returns the names of the game and the set.
    pub fn title(&self) -> String {
        format!("{}, {}", self.entry.name, self.set.name())
    }

    /// Returns the puzzle's id or the state of the rush.
    pub fn heading(&self) -> String {
        let puzzle = self.attempt.puzzle();
        match &self.set {
            PuzzleSet::Rush(rush) => rush.standing(),
            _ if puzzle.id.is_empty() => format!("move {}", puzzle.moves.len() + 1),
            // Before the puzzle is solved, its rating would reveal too much.
            _ if self.attempt.is_over() => format!("{}, rated {}", puzzle.id, puzzle.rating),
            _ => puzzle.id.clone(),
        }
    }

    pub fn is_daily(&self) -> bool {
        matches!(self.set, PuzzleSet::Daily(_))
    }

    pub fn rush(&self) -> Option<&Rush> {
        match &self.set {
            PuzzleSet::Rush(rush) => Some(rush),
            _ => None,
        }
    }

    /// Returns the result of the last puzzle in a rush, until [`PuzzleRun::go_on_in_rush`] is called.
    pub fn rush_result(&self) -> Option<&RushResult> {
        self.rush()?.result()
    }

    /// Returns the result of the puzzle or the rush.
    pub fn result(&self) -> Option<RunResult> {
        if let PuzzleSet::Rush(rush) = &self.set {
            let says = self.summary.clone()?;
            let (number, marks) = (Some(rush.solved()), rush.marks().to_vec());
            return Some(RunResult {
                headline: "Rush".to_owned(),
                says: Some(says),
                number,
                marks,
            });
        }
        let marks = self.attempt.is_over().then(|| self.attempt.marks().to_vec())?;
        let streak = self.texts.streak.filter(|days| *days > 1);
        Some(RunResult {
            headline: capital(self.attempt.how()),
            says: streak.map(|days| format!("{days}-day streak")),
            number: streak,
            marks,
        })
    }

    /// Returns whether the puzzle or the rush is over, so that no move can be played.
    pub fn is_over(&self) -> bool {
        self.attempt.is_over() || self.summary.is_some()
    }

    /// Returns whether going to the next puzzle now would give up the current puzzle.
    pub fn would_give_up(&self) -> bool {
        self.rush().is_none() && self.attempt.is_touched() && !self.attempt.is_over()
    }

    pub fn shows_wrong(&self) -> bool {
        self.playback.as_ref().is_some_and(|playback| playback.is_refutation)
    }

    /// Returns whether the board shows moves that the solver has not played.
    pub fn shows_line(&self) -> bool {
        self.attempt.shown_moves() > usize::from(self.shows_wrong())
    }

    /// Returns how many moves of an unfinished line are shown.
    pub fn line_shown(&self) -> Option<usize> {
        let playback = self.playback.as_ref()?;
        (playback.shown < playback.line.len()).then_some(playback.shown)
    }

    pub fn show_more(&mut self) {
        if let Some(playback) = &mut self.playback {
            playback.shown = (playback.shown + 1).min(playback.line.len());
            self.attempt.show(&playback.line[..playback.shown]);
        }
    }

    /// Describes the moves after a wrong move; `None` if there are none.
    pub fn refutation(&self) -> Option<String> {
        let wrong = self.playback.as_ref().filter(|playback| playback.is_refutation)?;
        let mut after = self.attempt.current_match().copy_line();
        let from = after.ply() + 1;
        wrong.line.iter().try_for_each(|mv| after.play(mv)).ok()?;
        let moves = after.moves().get(from..).filter(|moves| !moves.is_empty())?;
        Some(who_plays(moves, self.attempt.seat()))
    }

    pub fn take_back(&mut self) {
        if self.playback.take_if(|playback| playback.is_refutation).is_some() {
            self.attempt.show(&[]);
            self.beginnings += 1;
            // A hint says more.
            let is_hinted = self.texts.hint.is_some();
            self.texts.said = (!is_hinted).then(|| "Try another move.".to_owned());
        }
    }

    pub fn answer(&mut self, mv: &str, day: SolverDay<'_>) -> Result<(), Refusal> {
        let mv = self.attempt.current_match().check(mv)?;
        let answer = self.attempt.answer(&mv)?;
        match (answer, &mut self.set) {
            (Answer::Right { replies }, _) => {
                (self.texts.hint, self.hinted) = (None, None);
                self.texts.said = Some(match &*replies {
                    [] => format!("{mv} is correct. It is still your turn."),
                    replies => {
                        let replies = replies.join(" ");
                        format!("{mv} is correct. The opponent answers {replies}.")
                    }
                });
            }
            (answer, PuzzleSet::Rush(rush)) => {
                rush.count(&answer, &mut self.attempt);
                self.say_result(day);
            }
            (Answer::Wrong { refutation, says }, _) => {
                let line = [&[mv][..], &refutation].concat();
                self.texts.said = Some(says);
                self.playback = Some(Playback { line, shown: 0, is_refutation: true });
                self.show_more();
                self.note_result(day);
            }
            (Answer::Solved { says }, _) => {
                self.end(says, Vec::new(), day);
            }
        }
        Ok(())
    }

    pub fn give_hint(&mut self, day: SolverDay<'_>) {
        let hint = self.attempt.hint();
        self.hinted = match &hint {
            Ok(Hint::Move(mv)) => Some(mv.clone()),
            _ => None,
        };
        self.texts.hint = Some(match hint {
            Ok(Hint::Theme(words)) => words,
            Ok(Hint::Move(mv)) => format!("{mv} is the move."),
            Err(refusal) => format!("{refusal}."),
        });
        self.texts.said = None;
        self.note_result(day);
    }

    /// Goes to the next puzzle; `false` if no puzzle is left. Leaving a puzzle unsolved in a rush counts as a mistake.
    pub fn next(&mut self, day: SolverDay<'_>) -> bool {
        if let PuzzleSet::Rush(rush) = &mut self.set {
            rush.skip(&mut self.attempt);
            self.say_result(day);
            return true;
        }
        self.set.go_on();
        self.begin_next(day)
    }

    fn begin_next(&mut self, day: SolverDay<'_>) -> bool {
        let Some(attempt) = next(&mut self.set, day) else { return false };
        self.entry = attempt.puzzle().entry().unwrap_or(self.entry);
        self.attempt = attempt;
        self.begin_anew();
        true
    }

    /// Restarts the puzzle. Its first result remains valid.
    pub fn try_again(&mut self) {
        self.attempt.restart();
        self.begin_anew();
    }

    fn begin_anew(&mut self) {
        self.beginnings += 1;
        self.begun += 1;
        (self.playback, self.hinted, self.rating) = (None, None, None);
        self.texts = PuzzleTexts::default();
    }

    /// Gives up and shows the solution.
    pub fn give_up(&mut self, day: SolverDay<'_>) {
        let solution = self.attempt.give_up();
        let says = format!("The solution is {}.", solution.join(" "));
        self.end(says, solution, day);
    }

    /// Explains the moves after the puzzle is over, shows these moves, and plays out the rest of the match.
    fn end(&mut self, says: String, moves: Vec<String>, day: SolverDay<'_>) {
        (self.texts.hint, self.hinted) = (None, None);
        self.texts.explained = self.attempt.explain();
        self.note_result(day);
        let solved = self.share_day(day);
        self.events.extend(solved);
        let rest = self.attempt.rest();
        let watch = (!rest.is_empty()).then(|| "Watch the rest.".to_owned());
        let said = [says].into_iter().chain(watch).chain(self.rating.clone());
        self.texts.said = Some(said.collect::<Vec<_>>().join(" "));
        self.attempt.show(&moves);
        let shown = moves.len();
        let line = [moves, rest].concat();
        self.playback = Some(Playback { line, shown, is_refutation: false });
    }

    /// Prepares the line to share after a daily puzzle. Returns the event to record.
    fn share_day(&mut self, day: SolverDay<'_>) -> Option<Event> {
        let SolverDay { progress, at, today } = day;
        let after = self.set.after_daily(&self.attempt, progress, at, today)?;
        self.texts.explained.extend(after.note);
        (self.texts.share, self.texts.streak) = (Some(after.share), Some(after.streak));
        after.event
    }

    fn note_result(&mut self, day: SolverDay<'_>) {
        if let Some(event) = self.attempt.note(day.at) {
            self.rating = self.rating.take().or_else(|| rating_after(&event, day));
            self.events.push(event);
        }
        self.events.extend(self.set.note_tries(&self.attempt, day.progress, day.at));
    }

    fn say_result(&mut self, day: SolverDay<'_>) {
        self.texts.said = self.rush_result().map(|result| result.says.clone());
        self.note_result(day);
    }

    pub fn go_on_in_rush(&mut self, day: SolverDay<'_>) {
        let PuzzleSet::Rush(rush) = &mut self.set else { return };
        rush.go_on();
        if rush.is_over() || !self.begin_next(day) {
            self.end_rush(day);
        }
    }

    /// Advances the clock of a rush.
    pub fn pass(&mut self, time: Duration) {
        if let PuzzleSet::Rush(rush) = &mut self.set {
            rush.pass(time);
        }
    }

    pub fn end_rush(&mut self, day: SolverDay<'_>) {
        let PuzzleSet::Rush(rush) = &mut self.set else { return };
        if self.summary.is_none() {
            rush.end();
            self.events.push(rush.event(day.at));
            let name = rush.game.and_then(catalogue::find).map(|entry| entry.name);
            self.texts.share = Some(ShareLine::of_rush(name, rush.marks()));
            self.texts.said = Some(rush.summary(day.progress));
            self.summary.clone_from(&self.texts.said);
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunResult {
    pub headline: String,
    pub says: Option<String>,
    /// The number of solved puzzles in a rush, or the streak of daily puzzles.
    pub number: Option<u32>,
    /// The tries at the puzzle, or the results of the rush's puzzles.
    pub marks: Vec<TryMark>,
}

/// The match to show: the actual match, or a copy with a wrong move and its refutation.
impl AsRef<Match> for PuzzleRun {
    fn as_ref(&self) -> &Match {
        self.attempt.as_ref()
    }
}

/// Describes the rating after an event and its change; `None` if the event does not change it.
fn rating_after(event: &Event, day: SolverDay<'_>) -> Option<String> {
    let Event::Puzzle { game, .. } = event else { return None };
    let mut progress = day.progress.clone();
    let before = Strength::of(&progress, game, day.today);
    progress.add(event.clone());
    let after = Strength::of(&progress, game, day.today)?;
    let rating = after.rating.round();
    match before {
        Some(before) if before.results == after.results => None,
        Some(before) => {
            Some(format!("Your rating: {rating:.0} ({:+.0}).", rating - before.rating.round()))
        }
        None => Some(format!("Your rating: {rating:.0}.")),
    }
}

/// Begins the set's next puzzle, skipping any that cannot be begun.
fn next(set: &mut PuzzleSet, day: SolverDay<'_>) -> Option<Attempt> {
    set.begin(day.progress, day.today, day.at.as_second().unsigned_abs())
}
