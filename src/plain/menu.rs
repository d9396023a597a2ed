//! The menu of plain mode: a game to play, matches to resume, records to read, in lines.

use super::lesson::{AfterLine, LessonTalk};
use super::puzzle::{self, PuzzleTalk};
use super::setup::{self, NewMatch, SetupTalk};
use crate::catalogue::{self, GAMES, GameEntry};
use crate::play::Table;
use crate::printable::printable;
use crate::puzzles::lessons::{self, Lesson, LessonRun, Place};
use crate::puzzles::strength::Strength;
use crate::rules::Setup;
use crate::session::{Match, Players};
use crate::store::progress::{Event, Progress, moment};
use crate::wording::{counted, cut, either, list};
use crate::words::turn;
use jiff::Zoned;
use std::collections::HashMap;
use std::sync::Arc;

/// What the menu needs of the rest of the program: the matches and records that are kept, and new matches. An error is
/// a sentence without its full stop.
pub trait Shelf {
    /// The matches that can be resumed, the latest first.
    fn matches(&mut self) -> Result<Vec<Kept>, String>;
    /// Opens one of them. The text says what part of it is lost, if any.
    fn resume(&mut self, id: &str) -> Result<(Table, Option<String>), String>;
    /// The records of finished matches, the latest first.
    fn records(&mut self) -> Result<Vec<Kept>, String>;
    /// Opens one of them at its end.
    fn read(&mut self, id: &str) -> Result<(Match, Players), String>;
    /// Starts a match.
    fn start(&mut self, wanted: &NewMatch) -> Result<Table, String>;
    /// What was done so far.
    fn progress(&mut self) -> Result<Progress, String>;
    /// Writes down what was done.
    fn append(&mut self, events: Vec<Event>) -> Result<(), String>;
    /// The present moment where the user is.
    fn now(&self) -> Zoned;
}

/// A match or a record that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Its name in the store.
    pub id: String,
    /// What it is, in a line without a full stop.
    pub line: String,
}

/// The menu: lines in, lines out, and now and then a match to play.
pub struct Menu {
    said: Vec<String>,
    asked: Asked,
    has_quit: bool,
    /// How far lessons had come that were left, by their names.
    lessons_left: HashMap<String, Place>,
}

/// What the menu has asked last.
enum Asked {
    /// What to do.
    Nothing,
    /// Which game to play.
    Game,
    /// How to play a match.
    Setup(Box<SetupTalk>),
    /// A puzzle.
    Puzzle(Box<PuzzleTalk>),
    /// Which lesson of this game to go through; `None` which game to learn.
    Lessons(Option<&'static GameEntry>),
    /// What a lesson asks.
    Lesson(Box<LessonTalk>),
}

/// What can be done, each with its explanation, in the order of their numbers.
const WORDS: [(&str, &str); 11] = [
    ("play", "begin a match; add a game, such as play quixo"),
    ("resume", "list the unfinished matches; with a number, go on with that one"),
    ("records", "list the finished matches"),
    ("show", "with the number of a record: how it ended, and the board"),
    ("replay", "with the number of a record: all its moves in sentences"),
    ("rules", "the rules of a game; add the game"),
    ("help", "list these words"),
    ("quit", "leave the program"),
    ("level", "how strong you are in each game, and which level fits you"),
    ("learn", "lessons of a game; add the game, and the number of a lesson"),
    (
        "puzzle",
        "solve puzzles; add daily, rush, a game, the name of a puzzle, or mistakes and the number of a record",
    ),
];

/// The most entries of a list that are named.
const LISTED: usize = 20;

/// Lines that explain words, with their numbers.
pub(super) fn numbered(words: &[(&str, &str)]) -> Vec<String> {
    let lines = words.iter().zip(1..);
    let lines = lines.map(|((word, does), number)| format!("{number} {word}: {does}."));
    ["Type a word or its number:".to_owned()].into_iter().chain(lines).collect()
}

/// The word that a text is or begins. The error has the words that it may be.
pub(super) fn word(
    text: &str,
    words: &[(&'static str, &'static str)],
) -> Result<&'static str, Vec<&'static str>> {
    let text = text.to_lowercase();
    if let Ok(number) = text.parse::<usize>() {
        let word = number.checked_sub(1).and_then(|at| words.get(at));
        return word.map(|(word, _)| *word).ok_or_else(Vec::new);
    }
    let begun: Vec<&str> = words
        .iter()
        .map(|(word, _)| *word)
        .filter(|word| !text.is_empty() && word.starts_with(&text))
        .collect();
    match begun[..] {
        [word] => Ok(word),
        _ => begun.iter().find(|word| **word == text).copied().ok_or(begun),
    }
}

/// The name of a game at the beginning of a text, and the options behind it.
fn split_name(text: &str) -> (String, Vec<&str>) {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let options = words.iter().position(|word| word.contains('=')).unwrap_or(words.len());
    let options = words.split_off(options);
    (words.join(" "), options)
}

pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", printable(&cut(text)))
}

impl Menu {
    fn silent() -> Menu {
        let (said, lessons_left) = (Vec::new(), HashMap::new());
        Menu { said, asked: Asked::Nothing, has_quit: false, lessons_left }
    }

    /// Greets.
    pub fn new() -> Menu {
        let mut menu = Menu::silent();
        menu.say("Quadrille: pencil-and-paper and dice games, here in lines of text.");
        menu.tell_words();
        menu
    }

    /// Asks at once which lesson of a game to go through, or which game to learn.
    pub fn learning(entry: Option<&'static GameEntry>) -> Menu {
        let mut menu = Menu::silent();
        menu.ask_for_lesson(entry);
        menu
    }

    /// Begins this lesson at once.
    pub fn with_lesson(lesson: Arc<Lesson>) -> Menu {
        let mut menu = Menu::silent();
        menu.begin_lesson(lesson);
        menu
    }

    /// The lines said since the last call.
    pub fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// Says something.
    pub fn say(&mut self, line: impl Into<String>) {
        self.said.push(line.into());
    }

    /// Whether somebody wants to leave.
    pub const fn has_quit(&self) -> bool {
        self.has_quit
    }

    /// Says, after a match, that this is the menu again.
    pub fn come_back(&mut self) {
        self.asked = Asked::Nothing;
        self.say("This is the menu. Type help for its words.");
    }

    fn tell_words(&mut self) {
        self.said.extend(numbered(&WORDS));
    }

    fn tell_games(&mut self) {
        self.say("Which game? Type its name or its number:");
        let games = GAMES.iter().zip(1..);
        let line = |(entry, number): (&GameEntry, usize)| {
            format!("{number} {}: {}.", entry.name, entry.tagline.trim_end_matches('.'))
        };
        self.said.extend(games.map(line));
    }

    /// Answers a line. Returns a match to play, if one begins or goes on, with what else is to be said about it.
    pub fn hear(&mut self, line: &str, shelf: &mut dyn Shelf) -> Option<(Table, Vec<String>)> {
        let text = line.trim();
        match std::mem::replace(&mut self.asked, Asked::Nothing) {
            Asked::Setup(talk) => return self.hear_in_setup(text, talk, shelf),
            Asked::Puzzle(mut talk) => {
                talk.hear(text, shelf);
                self.go_on_with(talk);
                return None;
            }
            Asked::Lesson(talk) => {
                self.hear_in_lesson(text, *talk, shelf);
                return None;
            }
            Asked::Lessons(None) if text.parse::<usize>().is_ok() => {
                let chosen = self.chosen(text, &GAMES);
                self.ask_for_lesson(chosen);
                return None;
            }
            Asked::Lessons(None) if catalogue::named(text).is_ok() => {
                self.learn(text);
                return None;
            }
            Asked::Lessons(Some(entry)) if text.parse::<usize>().is_ok() => {
                self.choose_lesson(entry, text);
                return None;
            }
            Asked::Game if text.parse::<usize>().is_ok() => {
                match self.chosen(text, &GAMES) {
                    Some(entry) => self.set_up(entry, &[], shelf),
                    None => self.asked = Asked::Game,
                }
                return None;
            }
            // Here `q` is Quixo, and does not leave the program.
            Asked::Game if catalogue::named(&split_name(text).0).is_ok() => {
                self.play(text, shelf);
                return None;
            }
            Asked::Game | Asked::Lessons(_) | Asked::Nothing => {}
        }
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match word(first, &WORDS) {
            _ if text.is_empty() => self.tell_words(),
            Ok("play") if rest.is_empty() => {
                self.tell_games();
                self.asked = Asked::Game;
            }
            Ok("play") => self.play(rest, shelf),
            Ok("resume") => return self.resume(rest, shelf),
            Ok("puzzle") => self.begin_puzzle(rest, shelf),
            Ok("records") => self.list_records(shelf),
            Ok(how @ ("show" | "replay")) => self.tell_record(how, rest, shelf),
            Ok("rules") => self.tell_rules(rest),
            Ok("level") => self.tell_strength(shelf),
            Ok("learn") => self.learn(rest),
            Ok("quit") => self.has_quit = true,
            Ok(_) => self.tell_words(),
            Err(words) if words.len() > 1 => {
                self.say(format!(
                    "{} can be {}: type more of the word.",
                    quoted(first),
                    either(&words)
                ));
            }
            Err(_) => self.play(text, shelf),
        }
        None
    }

    fn begin_puzzle(&mut self, words: &str, shelf: &mut dyn Shelf) {
        let course = puzzle::course(words, shelf);
        match course.and_then(|course| PuzzleTalk::begin(course, shelf)) {
            Ok(talk) => self.go_on_with(Box::new(talk)),
            Err(why) => self.say(format!("{why}.")),
        }
    }

    /// Says what was said about a puzzle, and takes the next line for it, unless it has ended.
    fn go_on_with(&mut self, mut talk: Box<PuzzleTalk>) {
        self.said.extend(talk.take_said());
        if talk.goes_on() {
            self.asked = Asked::Puzzle(talk);
        } else {
            self.come_back();
        }
    }

    /// Sets up a match of the game whose name a text begins with; options may follow.
    fn play(&mut self, text: &str, shelf: &mut dyn Shelf) {
        let (name, options) = split_name(text);
        match self.find_game(&name) {
            Some(entry) => self.set_up(entry, &options, shelf),
            None => self.say("Type help for the words of the menu."),
        }
    }

    fn set_up(&mut self, entry: &'static GameEntry, words: &[&str], shelf: &mut dyn Shelf) {
        let (progress, today) = (shelf.progress(), shelf.now().date());
        let strength = progress.ok().and_then(|done| Strength::of(&done, entry.id, today));
        let mut talk = SetupTalk::new(entry, words, strength);
        self.said.append(&mut talk.take_said());
        self.asked = Asked::Setup(Box::new(talk));
    }

    fn hear_in_setup(
        &mut self,
        text: &str,
        mut talk: Box<SetupTalk>,
        shelf: &mut dyn Shelf,
    ) -> Option<(Table, Vec<String>)> {
        let after = talk.hear(text);
        self.said.append(&mut talk.take_said());
        match after {
            setup::AfterLine::Start => match shelf.start(talk.wanted()) {
                Ok(table) => return Some((table, Vec::new())),
                Err(why) => self.say(format!("{why}.")),
            },
            setup::AfterLine::Back => {
                self.come_back();
                return None;
            }
            setup::AfterLine::Quit => self.has_quit = true,
            setup::AfterLine::GoOn => {}
        }
        self.asked = Asked::Setup(talk);
        None
    }

    fn find_game(&mut self, name: &str) -> Option<&'static GameEntry> {
        let ids = |games: &[&'static GameEntry]| -> Vec<&'static str> {
            games.iter().map(|entry| entry.id).collect()
        };
        match catalogue::named(name) {
            Ok(entry) => return Some(entry),
            Err(meant) if meant.is_empty() => {
                let games = list(GAMES.iter().map(|entry| entry.id));
                self.say(format!("{} is no game; there are {games}.", quoted(name)));
            }
            Err(meant) => self.say(format!("{} can be {}.", quoted(name), either(&ids(&meant)))),
        }
        None
    }

    fn resume(&mut self, number: &str, shelf: &mut dyn Shelf) -> Option<(Table, Vec<String>)> {
        let kept = match shelf.matches() {
            Ok(kept) => kept,
            Err(why) => {
                self.say(format!("{why}."));
                return None;
            }
        };
        if kept.is_empty() {
            self.say("There is no match to resume.");
        } else if number.is_empty() {
            let count = counted(kept.len(), "unfinished match", "unfinished matches");
            self.say(format!("{count}. Type resume and a number:"));
            self.tell_list(&kept);
        } else if let Some(one) = self.chosen(number, &kept) {
            match shelf.resume(&one.id) {
                Ok((table, lost)) => {
                    let lost = lost.map(|lost| format!("Part of this match is lost: {lost}."));
                    return Some((table, lost.into_iter().collect()));
                }
                Err(why) => self.say(format!("{why}.")),
            }
        }
        None
    }

    fn list_records(&mut self, shelf: &mut dyn Shelf) {
        match shelf.records() {
            Ok(kept) if kept.is_empty() => self.say("There is no record yet."),
            Ok(kept) => {
                let count = counted(kept.len(), "record", "records");
                self.say(format!("{count}. Type show, replay or puzzle mistakes and a number:"));
                self.tell_list(&kept);
            }
            Err(why) => self.say(format!("{why}.")),
        }
    }

    fn tell_list(&mut self, kept: &[Kept]) {
        let lines = kept.iter().zip(1..).take(LISTED);
        self.said.extend(lines.map(|(one, number)| format!("{number} {}.", one.line)));
        if kept.len() > LISTED {
            self.say(format!(
                "And {} more, which have the numbers after these.",
                kept.len() - LISTED
            ));
        }
    }

    /// The entry of a list with this number.
    fn chosen<'l, T>(&mut self, number: &str, list: &'l [T]) -> Option<&'l T> {
        let at = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let one = at.and_then(|at| list.get(at));
        if one.is_none() {
            let range =
                if list.len() == 1 { "1".to_owned() } else { format!("1 to {}", list.len()) };
            self.say(format!("{} is not one of their numbers, {range}.", quoted(number)));
        }
        one
    }

    fn tell_record(&mut self, how: &str, number: &str, shelf: &mut dyn Shelf) {
        let kept = match shelf.records() {
            Ok(kept) => kept,
            Err(why) => return self.say(format!("{why}.")),
        };
        if kept.is_empty() || number.is_empty() {
            return self.list_records(shelf);
        }
        let Some(one) = self.chosen(number, &kept) else { return };
        match shelf.read(&one.id) {
            Err(why) => self.say(format!("{why}.")),
            Ok((mut game, players)) => {
                self.say(format!("{}.", one.line));
                let Some(entry) = catalogue::find(game.id()) else { return };
                if how == "show" {
                    self.said.extend(entry.in_words(&game).board(&players));
                    return;
                }
                for ply in 1..=game.ply() {
                    game.go_to_ply(ply);
                    let said = entry.in_words(&game).last_move(&players).unwrap_or_default();
                    self.say(format!("{ply}. {said}"));
                }
                self.say(turn(&game, &players));
            }
        }
    }

    fn tell_strength(&mut self, shelf: &mut dyn Shelf) {
        let progress = match shelf.progress() {
            Ok(progress) => progress,
            Err(why) => return self.say(format!("{why}.")),
        };
        let today = shelf.now().date();
        let before = self.said.len();
        for entry in GAMES {
            let Some(strength) = Strength::of(&progress, entry.id, today) else { continue };
            let results = counted(strength.results, "result", "results");
            let fits = strength.level(entry.id, &Setup::new());
            let fits = fits.map_or(String::new(), |level| format!("; {level} fits you"));
            self.say(format!("{}: {strength}, from {results}{fits}.", entry.name));
        }
        if self.said.len() == before {
            self.say("Nothing is known yet: play a match against a level to its end, without hints and undo.");
        }
    }

    /// Begins a lesson, or lists the lessons of a game, or the games.
    fn learn(&mut self, text: &str) {
        let (name, number) = match text.rsplit_once(char::is_whitespace) {
            Some((name, number)) if number.parse::<usize>().is_ok() => (name.trim(), number),
            _ => (text, ""),
        };
        if name.is_empty() {
            return self.ask_for_lesson(None);
        }
        match self.find_game(name) {
            Some(entry) if number.is_empty() => self.ask_for_lesson(Some(entry)),
            Some(entry) => self.choose_lesson(entry, number),
            None => {}
        }
    }

    fn choose_lesson(&mut self, entry: &'static GameEntry, number: &str) {
        let lessons = lessons::of_game(entry);
        match self.chosen(number, &lessons).cloned() {
            Some(lesson) => self.begin_lesson(lesson),
            None => self.asked = Asked::Lessons(Some(entry)),
        }
    }

    fn ask_for_lesson(&mut self, entry: Option<&'static GameEntry>) {
        self.asked = Asked::Lessons(entry);
        let Some(entry) = entry else {
            self.say("Learn which game? Type its name or its number:");
            let games = GAMES.iter().zip(1..);
            return self
                .said
                .extend(games.map(|(entry, number)| format!("{number} {}.", entry.name)));
        };
        self.say(format!("Lessons of {}. Type the number of one:", entry.name));
        let lessons = lessons::of_game(entry);
        let line =
            |(number, lesson): (usize, &Arc<Lesson>)| format!("{} {}.", number + 1, lesson.title);
        self.said.extend(lessons.iter().enumerate().map(line));
    }

    fn begin_lesson(&mut self, lesson: Arc<Lesson>) {
        let place = self.lessons_left.get(&lesson.name).cloned();
        let mut talk = LessonTalk::new(lesson, place);
        self.said.append(&mut talk.take_said());
        self.asked = Asked::Lesson(Box::new(talk));
    }

    fn hear_in_lesson(&mut self, text: &str, mut talk: LessonTalk, shelf: &mut dyn Shelf) {
        let after = talk.hear(text);
        self.said.append(&mut talk.take_said());
        if after == AfterLine::GoOn {
            self.asked = Asked::Lesson(Box::new(talk));
            return;
        }
        let name = talk.lesson().name.clone();
        match talk.run().place() {
            Some(place) => self.lessons_left.insert(name.clone(), place),
            None => self.lessons_left.remove(&name),
        };
        if after == AfterLine::Leave {
            return self.come_back();
        }
        if talk.run().is_done() {
            let at = moment(shelf.now().timestamp().into());
            if let Err(why) = shelf.append(vec![Event::Lesson { at, name }]) {
                self.say(format!("Not saved: {why}."));
            }
        }
        self.end_lesson(talk.run());
    }

    fn end_lesson(&mut self, run: &LessonRun) {
        let lesson = run.lesson();
        self.say(match run.skipped() {
            None => "The lesson is done.".to_owned(),
            Some(skipped) => format!("{skipped}, so the lesson is not done yet."),
        });
        let lessons = lessons::of_game(lesson.entry);
        let at = lessons.iter().position(|other| other.name == lesson.name);
        match at.and_then(|at| lessons.get(at + 1)) {
            Some(next) => {
                let number = at.map_or(0, |at| at + 2);
                self.say(format!(
                    "Next is {}: type {number}, or the number of another lesson.",
                    next.title
                ));
                self.asked = Asked::Lessons(Some(lesson.entry));
            }
            None => self.come_back(),
        }
    }

    fn tell_rules(&mut self, name: &str) {
        if name.is_empty() {
            let games = list(GAMES.iter().map(|entry| entry.id));
            return self.say(format!("Type rules and a game: {games}."));
        }
        if let Some(entry) = self.find_game(name) {
            self.said.extend(entry.rules.trim_end().lines().map(str::to_owned));
        }
    }
}

impl Default for Menu {
    fn default() -> Menu {
        Menu::new()
    }
}
