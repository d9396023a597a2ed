//! Puzzles in lines.

use super::Shelf;
use super::menu::quoted;
use crate::catalogue::{self, GameEntry};
use crate::puzzles::{self, Answer, Attempt, Course, Hint, OwnMistakes, Rush, who_plays};
use crate::session::Players;
use crate::store::progress::{Event, Progress, moment};
use crate::wording::list;
use jiff::{Timestamp, Zoned};

/// Somebody who solves puzzles.
pub(super) struct PuzzleTalk {
    course: Course,
    attempt: Attempt,
    entry: &'static GameEntry,
    /// Whether the last line has asked to give up.
    is_giving_up: bool,
    /// Up to when the clock of a rush was told the time.
    told: Zoned,
    said: Vec<String>,
    /// Whether the talk goes on.
    goes_on: bool,
}

/// What can be typed besides a move.
const WORDS: &str = "Type a move; or board, hint, next, again, moves, back.";
const WORDS_IN_A_RUSH: &str = "Type a move; or board, moves, next to skip, back to end the rush.";

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
            is_giving_up: false,
            told: shelf.now(),
            said: Vec::new(),
            goes_on: true,
        };
        talk.tell_puzzle();
        talk.say(talk.words());
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

    const fn rush(&mut self) -> Option<&mut Rush> {
        match &mut self.course {
            Course::Rush(rush) => Some(rush),
            _ => None,
        }
    }

    const fn words(&self) -> &'static str {
        match self.course {
            Course::Rush(_) => WORDS_IN_A_RUSH,
            _ => WORDS,
        }
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
        if self.rush().is_some() {
            return self.hear_in_rush(line, shelf);
        }
        let was_giving_up = std::mem::take(&mut self.is_giving_up);
        match line.trim().to_lowercase().as_str() {
            "hint" => self.tell_hint(shelf),
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
            "back" | "quit" | "leave" => self.goes_on = false,
            text if self.tells(text) => {}
            _ if self.attempt.is_over() => self.say("It is over. Type next, again or back."),
            _ => self.play(line.trim(), shelf),
        }
    }

    /// Answers a line in a rush.
    fn hear_in_rush(&mut self, line: &str, shelf: &mut dyn Shelf) {
        let now = shelf.now();
        let passed = now.duration_since(&self.told).try_into().unwrap_or_default();
        self.told = now;
        let word = line.trim().to_lowercase();
        if let Some(rush) = self.rush() {
            rush.pass(passed);
        }
        if self.rush().is_some_and(|rush| rush.is_over()) {
            self.rush_on(shelf);
        } else if matches!(&*word, "help" | "?") {
            self.said.extend(Rush::RULES.split("\n\n").map(str::to_owned));
            self.say(self.words());
        } else if !self.tells(&word) {
            self.act_in_rush(&word, line.trim());
            self.rush_on(shelf);
        }
    }

    fn act_in_rush(&mut self, word: &str, mv: &str) {
        let Course::Rush(rush) = &mut self.course else { return };
        match word {
            "hint" | "again" => self.say("Not in a rush."),
            "next" => rush.skip(&mut self.attempt),
            "back" | "quit" | "leave" => rush.end(),
            _ => match self.attempt.answer(mv) {
                Err(why) => self.say(format!("{why:#}.")),
                Ok(answer) => {
                    rush.count(&answer, &mut self.attempt);
                    self.tell_replies(&answer);
                }
            },
        }
    }

    /// Tells what came of a puzzle in a rush, and what follows.
    fn rush_on(&mut self, shelf: &mut dyn Shelf) {
        self.note_result(shelf);
        let Course::Rush(rush) = &mut self.course else { return };
        if let Some(result) = rush.result() {
            self.said.push(result.says.clone());
            rush.go_on();
            if !rush.is_over() {
                self.said.push(format!("{}.", rush.standing()));
                self.go_on(shelf);
            }
        }
        let Course::Rush(rush) = &self.course else { return };
        if rush.is_over() {
            self.said.push(rush.summary(&progress(shelf)));
            self.write_down(Some(rush.event(at(shelf))), shelf);
            self.goes_on = false;
        }
    }

    /// Answers a word that only asks; `false` for any other.
    fn tells(&mut self, word: &str) -> bool {
        match word {
            "" | "help" | "?" => {
                self.say(self.attempt.task());
                self.say(self.words());
            }
            "board" => self.tell_board(),
            "moves" => {
                let legal = self.attempt.current_match().legal();
                self.say(format!("You can play {}.", legal.join(" ")));
            }
            _ => return false,
        }
        true
    }

    fn tell_hint(&mut self, shelf: &mut dyn Shelf) {
        let hint = self.attempt.hint();
        self.note_result(shelf);
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
            }
            Ok(Answer::Solved { says }) => {
                self.say(says);
                self.note_result(shelf);
                self.end(shelf);
            }
            Ok(answer) => self.tell_replies(&answer),
        }
    }

    /// Tells of a right move that is not the last one.
    fn tell_replies(&mut self, answer: &Answer) {
        match answer {
            Answer::Right { replies } if replies.is_empty() => {
                self.say("Right. It is still your turn.");
            }
            Answer::Right { replies } => {
                self.say(format!("Right. The opponent answers {}.", replies.join(" ")));
            }
            _ => {}
        }
    }

    /// After the end of a puzzle: why, and the line to share.
    fn end(&mut self, shelf: &mut dyn Shelf) {
        let explained = self.attempt.explain();
        self.said.extend(explained);
        let (at, today) = (at(shelf), shelf.now().date());
        let after = self.course.after_daily(&self.attempt, &progress(shelf), at, today);
        if let Some(after) = after {
            self.write_down(after.event, shelf);
            self.said.extend(after.note);
            self.say(after.share);
        }
        self.say("Type next for another one, or back.");
    }

    /// Whether to go on now would be to give up.
    fn is_touched(&self) -> bool {
        self.attempt.is_touched() && !self.attempt.is_over()
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
                self.attempt = attempt;
                self.tell_puzzle();
            }
            Err(why) => {
                self.say(format!("{why}."));
                match self.rush() {
                    Some(rush) => rush.end(),
                    None => self.goes_on = false,
                }
            }
        }
    }

    fn note_result(&mut self, shelf: &mut dyn Shelf) {
        let news = self.attempt.note(at(shelf));
        self.write_down(news, shelf);
    }

    fn write_down(&mut self, event: Option<Event>, shelf: &mut dyn Shelf) {
        let written = event.map_or(Ok(()), |event| shelf.append(vec![event]));
        if let Err(why) = written {
            self.say(format!("Not saved: {why}."));
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
    let attempt = course.begin(&progress, shelf.now().date(), seed);
    attempt.ok_or_else(|| "There is no other puzzle here".to_owned())
}
