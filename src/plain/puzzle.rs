//! Puzzles in lines.

use super::Shelf;
use super::menu::quoted;
use crate::catalogue::{self, GameEntry};
use crate::puzzles::{
    self, Answer, Attempt, Course, Hint, OwnMistakes, Rush, share_line, who_plays,
};
use crate::session::Players;
use crate::store::progress::{Event, Progress, moment};
use crate::wording::{counted, list};
use jiff::Timestamp;

/// Somebody who solves puzzles.
pub(super) struct PuzzleTalk {
    course: Course,
    attempt: Attempt,
    entry: &'static GameEntry,
    /// Whether the result of this attempt is written down.
    is_noted: bool,
    /// Whether the last line has asked to give up.
    is_giving_up: bool,
    /// When a rush has begun.
    since: Timestamp,
    said: Vec<String>,
    /// Whether the talk goes on.
    goes_on: bool,
}

/// What can be typed besides a move.
const WORDS: &str = "Type a move; or board, hint, next, again, moves, back.";

/// The course that the words after `puzzle` ask for. The error is a sentence without its full stop.
pub(super) fn course(words: &str, shelf: &mut dyn Shelf) -> Result<Course, String> {
    let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
    let game = |name: &str| match catalogue::named(name) {
        _ if name.is_empty() => Ok(None),
        Ok(entry) if puzzles::of(entry.id).next().is_some() => Ok(Some(entry.id)),
        _ => Err(format!(
            "{} is no game with puzzles; there are {}",
            quoted(name),
            list(puzzles::games())
        )),
    };
    match first {
        "daily" => {
            let daily = puzzles::daily(shelf.now().date(), game(rest.trim())?);
            daily.map(Course::Daily).ok_or_else(|| "There is no puzzle of the day".to_owned())
        }
        "mistakes" => {
            let records = shelf.records()?;
            let number = rest
                .trim()
                .parse::<usize>()
                .ok()
                .and_then(|number| records.get(number.checked_sub(1)?));
            let record = number
                .ok_or("Type puzzle mistakes and the number of a record; records lists them")?;
            let (game, players) = shelf.read(&record.id)?;
            Ok(Course::Own(OwnMistakes::new(&game, players.people().collect())))
        }
        "rush" => Ok(Course::Rush(Rush::new(game(rest.trim())?))),
        id => match puzzles::find(id) {
            Some(puzzle) => Ok(Course::One(puzzle.clone())),
            None => Ok(Course::Fitting(game(words)?)),
        },
    }
}

impl PuzzleTalk {
    /// Begins with the first puzzle of a course; the error is a sentence without its full stop.
    pub fn begin(mut course: Course, shelf: &mut dyn Shelf) -> Result<PuzzleTalk, String> {
        let attempt = next(&mut course, shelf)?;
        let entry = attempt.puzzle().entry().ok_or("There is no such game")?;
        let mut talk = PuzzleTalk {
            course,
            attempt,
            entry,
            is_noted: false,
            is_giving_up: false,
            since: at(shelf),
            said: Vec::new(),
            goes_on: true,
        };
        talk.tell_puzzle();
        talk.say(WORDS);
        Ok(talk)
    }

    /// The lines said since the last call.
    pub fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// Whether the next line is for it too.
    pub const fn goes_on(&self) -> bool {
        self.goes_on
    }

    fn say(&mut self, line: impl Into<String>) {
        self.said.push(line.into());
    }

    fn tell_puzzle(&mut self) {
        let (name, id) = (self.entry.name, self.attempt.puzzle().id.clone());
        self.say(format!("{}.", format!("{name}, {} {id}", self.course.name()).trim_end()));
        self.tell_board();
        self.say(self.attempt.task());
    }

    fn tell_board(&mut self) {
        let game = self.attempt.current_match();
        let players = Players::named(game.seats(), &[]);
        self.said.extend(self.entry.in_words(game).board(&players));
        self.say(format!("You are {}.", players.name(self.attempt.seat())));
    }

    /// Answers a line.
    pub fn hear(&mut self, line: &str, shelf: &mut dyn Shelf) {
        if self.is_late(shelf) {
            return;
        }
        let was_giving_up = std::mem::take(&mut self.is_giving_up);
        match line.trim().to_lowercase().as_str() {
            "" | "help" | "?" => {
                self.say(self.attempt.task());
                self.say(WORDS);
            }
            "board" => self.tell_board(),
            "moves" => {
                let legal = self.attempt.current_match().legal();
                self.say(format!("You can play {}.", legal.join(" ")));
            }
            "hint" if !matches!(self.course, Course::Rush(_)) => self.tell_hint(),
            "again" => {
                self.attempt.restart();
                self.tell_puzzle();
            }
            "next" if self.is_touched() && !was_giving_up => {
                self.is_giving_up = true;
                self.say(
                    "This puzzle is not solved. Type next again to give up and see the solution.",
                );
            }
            "next" if self.is_touched() => self.give_up(shelf),
            "next" => self.go_on(shelf),
            "back" | "quit" | "leave" => self.end_all(shelf),
            _ if self.attempt.is_over() => self.say("It is over. Type next, again or back."),
            _ => self.play(line.trim(), shelf),
        }
    }

    /// Whether the time of a rush is over. Then it is at its end.
    fn is_late(&mut self, shelf: &mut dyn Shelf) -> bool {
        let passed = at(shelf).duration_since(self.since).unsigned_abs();
        match &mut self.course {
            Course::Rush(rush) => {
                rush.left = Rush::TIME.saturating_sub(passed);
                let is_over = rush.is_over();
                if is_over {
                    self.say("The time is over.");
                    self.end_all(shelf);
                }
                is_over
            }
            _ => false,
        }
    }

    fn tell_hint(&mut self) {
        let hint = self.attempt.hint();
        self.say(match hint {
            Ok(Hint::Theme(words)) => words,
            Ok(Hint::Move(mv)) => format!("{mv} is the move."),
            Err(why) => format!("{why:#}."),
        });
    }

    fn play(&mut self, mv: &str, shelf: &mut dyn Shelf) {
        match self.attempt.answer(mv) {
            Err(why) => self.say(format!("{why:#}.")),
            Ok(Answer::Wrong { refutation, says }) => {
                self.say(format!("Wrong. {says}"));
                if !refutation.is_empty() {
                    let from = self.attempt.current_match().ply() + 1;
                    self.attempt.show(&[&[mv.to_owned()], &refutation[..]].concat());
                    let after = self.attempt.as_ref().moves().get(from..).unwrap_or_default();
                    let line = who_plays(after, self.attempt.seat());
                    self.say(format!("Then {line}."));
                }
                self.note_result(shelf);
                if let Course::Rush(rush) = &mut self.course {
                    rush.mistakes += 1;
                    self.rush_on(shelf);
                }
            }
            Ok(Answer::Right { replies }) if replies.is_empty() => {
                self.say("Right. It is still your turn.");
            }
            Ok(Answer::Right { replies }) => {
                self.say(format!("Right. The opponent answers {}.", replies.join(" ")));
            }
            Ok(Answer::Solved { says }) => {
                self.say(says);
                self.note_result(shelf);
                if let Course::Rush(rush) = &mut self.course {
                    rush.solved += 1;
                    self.rush_on(shelf);
                } else {
                    self.end(shelf);
                }
            }
        }
    }

    fn rush_on(&mut self, shelf: &mut dyn Shelf) {
        let Course::Rush(rush) = &self.course else { return };
        let (solved, mistakes) = (rush.solved, rush.mistakes);
        if rush.is_over() {
            return self.end_all(shelf);
        }
        self.say(format!(
            "{solved} solved, {}.",
            counted(mistakes as usize, "mistake", "mistakes")
        ));
        self.go_on(shelf);
    }

    /// After the end of a puzzle: why, and the line to share.
    fn end(&mut self, shelf: &mut dyn Shelf) {
        let explained = self.attempt.explain();
        self.said.extend(explained);
        if let Course::Daily(daily) = self.course.clone() {
            let (at, today) = (at(shelf), shelf.now().date());
            let solved = self.course.solved_daily(&self.attempt, at, today);
            self.write_down(solved, shelf);
            let streak = progress(shelf).streak(today);
            self.say(share_line(&daily, &self.attempt, streak));
        }
        self.say("Type next for another one, or back.");
    }

    /// Whether to go on now would be to give up.
    fn is_touched(&self) -> bool {
        self.attempt.is_touched()
            && !self.attempt.is_over()
            && !matches!(self.course, Course::Rush(_))
    }

    fn give_up(&mut self, shelf: &mut dyn Shelf) {
        let solution = self.attempt.give_up();
        self.say(format!("The solution is {}.", solution.join(" ")));
        self.note_result(shelf);
        self.end(shelf);
    }

    fn go_on(&mut self, shelf: &mut dyn Shelf) {
        self.course.go_on();
        match next(&mut self.course, shelf) {
            Ok(attempt) => {
                self.entry = attempt.puzzle().entry().unwrap_or(self.entry);
                (self.attempt, self.is_noted) = (attempt, false);
                self.tell_puzzle();
            }
            Err(why) => {
                self.say(format!("{why}."));
                self.goes_on = false;
            }
        }
    }

    /// Ends the talk, and writes down how a rush went.
    fn end_all(&mut self, shelf: &mut dyn Shelf) {
        self.goes_on = false;
        if let Course::Rush(rush) = &self.course {
            let (score, game) = (rush.solved, rush.game.map(str::to_owned));
            self.say(format!("You have solved {score}."));
            let rush = Event::Rush { at: at(shelf), game, score };
            self.write_down(Some(rush), shelf);
        }
    }

    fn note_result(&mut self, shelf: &mut dyn Shelf) {
        let tried = Course::tried(&self.attempt, at(shelf)).filter(|_| !self.is_noted);
        self.is_noted |= tried.is_some();
        self.write_down(tried, shelf);
    }

    fn write_down(&mut self, event: Option<Event>, shelf: &mut dyn Shelf) {
        let written = event.map_or(Ok(()), |event| shelf.append(vec![event]));
        if let Err(why) = written {
            self.say(format!("{why}."));
        }
    }
}

/// The present moment, as events have it.
fn at(shelf: &dyn Shelf) -> Timestamp {
    moment(shelf.now().timestamp().into())
}

/// What was done so far; nothing if that cannot be read.
fn progress(shelf: &mut dyn Shelf) -> Progress {
    shelf.progress().unwrap_or_default()
}

/// An attempt at the next puzzle.
fn next(course: &mut Course, shelf: &mut dyn Shelf) -> Result<Attempt, String> {
    let progress = progress(shelf);
    let seed = at(shelf).as_second().unsigned_abs();
    let puzzle =
        course.next(&progress, shelf.now().date(), seed).ok_or("There is no other puzzle here")?;
    Attempt::new(puzzle).map_err(|why| format!("{why}"))
}
