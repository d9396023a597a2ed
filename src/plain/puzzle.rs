//! Puzzles in lines.

use super::Shelf;
use super::menu::quoted;
use crate::catalogue;
use crate::puzzles::{self, Course, OwnMistakes, PuzzleRun, Rush, SolverDay};
use crate::session::Players;
use crate::store::progress::moment;
use crate::wording::list;
use jiff::Zoned;

/// Somebody who solves puzzles.
pub(super) struct PuzzleTalk {
    run: PuzzleRun,
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
/// Said where a course has no other puzzle.
const NO_OTHER: &str = "There is no other puzzle here";
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
    pub fn begin(course: Course, shelf: &mut dyn Shelf) -> Result<PuzzleTalk, String> {
        let run = with_day(shelf, |day| PuzzleRun::begin(course, day)).ok_or(NO_OTHER)?;
        let (told, said) = (shelf.now(), Vec::new());
        let mut talk = PuzzleTalk { run, is_giving_up: false, told, said, goes_on: true };
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

    fn words(&self) -> &'static str {
        if self.run.rush().is_some() { WORDS_IN_A_RUSH } else { WORDS }
    }

    fn tell_puzzle(&mut self) {
        let attempt = self.run.attempt();
        let (task, id) = (attempt.task(), &attempt.puzzle().id);
        self.say(format!("{}.", format!("{} {id}", self.run.title()).trim_end()));
        self.tell_board();
        self.say(task);
    }

    fn tell_board(&mut self) {
        let attempt = self.run.attempt();
        let game = attempt.current_match();
        let players = Players::named(game.seats(), &[]);
        let you = format!("You are {}.", players.name(attempt.seat()));
        self.said.extend(self.run.entry().in_words(game).board(&players));
        self.say(you);
    }

    /// Tells what was said of the last move, and after the end of a puzzle why, with the line to share.
    fn tell_said(&mut self) {
        let texts = self.run.texts();
        let wrong = if self.run.shows_wrong() { "Wrong. " } else { "" };
        let said = texts.said.iter().map(|said| format!("{wrong}{said}"));
        let refutation = self.run.refutation().map(|line| format!("Then {line}."));
        let mut lines: Vec<String> = said.chain(refutation).collect();
        if self.run.rush().is_none() && self.run.is_over() {
            lines.extend(texts.explained.iter().chain(&texts.share).cloned());
            lines.push("Type next for another one, or back.".to_owned());
        }
        self.said.extend(lines);
        self.run.take_back();
    }

    /// Answers a line, and writes down what is new.
    pub fn hear(&mut self, line: &str, shelf: &mut dyn Shelf) {
        if self.run.rush().is_some() {
            self.hear_in_rush(line, shelf);
        } else {
            self.hear_alone(line, shelf);
        }
        let events = self.run.take_events();
        let written = if events.is_empty() { Ok(()) } else { shelf.append(events) };
        if let Err(why) = written {
            self.say(format!("Not saved: {why}."));
        }
    }

    /// Answers a line outside a rush.
    fn hear_alone(&mut self, line: &str, shelf: &mut dyn Shelf) {
        let was_giving_up = std::mem::take(&mut self.is_giving_up);
        match line.trim().to_lowercase().as_str() {
            "hint" => {
                with_day(shelf, |day| self.run.give_hint(day));
                self.said.extend(self.run.texts().hint.clone());
            }
            "again" => {
                self.run.try_again();
                self.tell_puzzle();
            }
            "next" if self.run.would_give_up() && !was_giving_up => {
                self.is_giving_up = true;
                self.say(
                    "This puzzle is not solved. Type next again to give up and see the solution.",
                );
            }
            "next" if self.run.would_give_up() => {
                with_day(shelf, |day| self.run.give_up(day));
                self.tell_said();
            }
            "next" if with_day(shelf, |day| self.run.next(day)) => self.tell_puzzle(),
            "next" => {
                self.say(format!("{NO_OTHER}."));
                self.goes_on = false;
            }
            "back" | "quit" | "leave" => self.goes_on = false,
            text if self.tells(text) => {}
            _ if self.run.is_over() => self.say("It is over. Type next, again or back."),
            _ => self.play(line.trim(), shelf),
        }
    }

    fn play(&mut self, mv: &str, shelf: &mut dyn Shelf) {
        match with_day(shelf, |day| self.run.answer(mv, day)) {
            Ok(()) => self.tell_said(),
            Err(why) => self.say(format!("{why:#}.")),
        }
    }

    /// Answers a line in a rush.
    fn hear_in_rush(&mut self, line: &str, shelf: &mut dyn Shelf) {
        let now = shelf.now();
        self.run.pass(now.duration_since(&self.told).try_into().unwrap_or_default());
        self.told = now;
        match line.trim().to_lowercase().as_str() {
            _ if self.run.rush().is_some_and(Rush::is_over) => {}
            "help" | "?" => {
                self.said.extend(Rush::RULES.split("\n\n").map(str::to_owned));
                self.say(self.words());
            }
            word if self.tells(word) => {}
            "hint" | "again" => self.say("Not in a rush."),
            "next" => {
                with_day(shelf, |day| self.run.next(day));
                self.tell_said();
            }
            "back" | "quit" | "leave" => with_day(shelf, |day| self.run.end_rush(day)),
            _ => self.play(line.trim(), shelf),
        }
        if self.run.rush_result().is_some() {
            with_day(shelf, |day| self.run.go_on_in_rush(day));
            if let Some(rush) = self.run.rush().filter(|rush| !rush.is_over()) {
                let standing = format!("{}.", rush.standing());
                self.say(standing);
                self.tell_puzzle();
            }
        }
        if self.run.rush().is_some_and(Rush::is_over) {
            with_day(shelf, |day| self.run.end_rush(day));
            self.said.extend(self.run.summary().cloned());
            self.goes_on = false;
        }
    }

    /// Answers a word that only asks; `false` for any other.
    fn tells(&mut self, word: &str) -> bool {
        match word {
            "" | "help" | "?" => {
                self.say(self.run.attempt().task());
                self.say(self.words());
            }
            "board" => self.tell_board(),
            "moves" => {
                let legal = self.run.attempt().current_match().legal();
                self.say(format!("You can play {}.", legal.join(" ")));
            }
            _ => return false,
        }
        true
    }
}

/// Lends what puzzles go by: the time, and what was done so far, or nothing if that cannot be read.
fn with_day<T>(shelf: &mut dyn Shelf, ask: impl FnOnce(SolverDay<'_>) -> T) -> T {
    let progress = shelf.progress().unwrap_or_default();
    let now = shelf.now();
    let at = moment(now.timestamp().into());
    ask(SolverDay { progress: &progress, at, today: now.date() })
}
