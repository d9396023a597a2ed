//! A lesson in lines.

use crate::printable::printable;
use crate::puzzles::lessons::{Lesson, LessonPhase, LessonRun, LessonTask, Place};
use crate::session::{Match, Players, read_typed};
use crate::wording::{counted, cut, sentence};
use std::sync::Arc;

/// The words that can be typed in place of a move, and what they do.
const WORDS: [(&str, &str); 9] = [
    ("text", "what the step says"),
    ("board", "what is on the board"),
    ("moves", "all moves that can be played now"),
    ("hint", "a right move"),
    ("undo", "take back your last move"),
    ("skip", "go to the next step"),
    ("back", "go to the step before"),
    ("help", "list these words"),
    ("menu", "leave the lesson; it goes on at this step when you open it again"),
];

/// Somebody goes through a lesson: lines in, lines out.
pub(super) struct LessonTalk {
    run: LessonRun,
    players: Players,
    said: Vec<String>,
}

/// What comes after a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AfterLine {
    GoOn,
    /// The last step is over.
    End,
    Leave,
}

impl LessonTalk {
    /// Begins, or goes on at a place, and says the step.
    pub fn new(lesson: Arc<Lesson>, place: Option<Place>) -> LessonTalk {
        let run = LessonRun::from_place(lesson, place);
        let mut talk = LessonTalk { run, players: Players::named(2, &[]), said: Vec::new() };
        let lesson = talk.run.lesson().clone();
        let steps = counted(lesson.steps.len(), "step", "steps");
        let source = lesson.source.iter().map(|source| format!(" After {source}."));
        talk.say(format!(
            "{}, a lesson of {}: {steps}.{}",
            lesson.title,
            lesson.entry.name,
            source.collect::<String>()
        ));
        talk.say("Type a move where one is asked for; help lists other words.");
        talk.tell_step();
        talk
    }

    pub fn lesson(&self) -> &Arc<Lesson> {
        self.run.lesson()
    }

    pub fn run(&self) -> &LessonRun {
        &self.run
    }

    pub fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    fn say(&mut self, line: impl Into<String>) {
        self.said.push(line.into());
    }

    fn game(&self) -> &Match {
        self.run.as_ref()
    }

    /// Says what the present step is about, and what is on the board.
    fn tell_step(&mut self) {
        self.players = Players::named(self.game().seats(), &[]);
        let (at, steps) = (self.run.at() + 1, self.lesson().steps.len());
        let (text, marks) = (self.run.text().to_owned(), self.run.step().mark.join(", "));
        self.say(format!("Step {at} of {steps}. {text}"));
        if !marks.is_empty() {
            self.say(format!("Look at {marks}."));
        }
        self.tell_board();
        if self.run.step().notes {
            let notes = self.lesson().entry.in_words(self.game()).notes(&self.players);
            self.said.extend(notes.sentences);
        }
        self.tell_what_is_asked();
    }

    fn tell_board(&mut self) {
        let lines = self.lesson().entry.in_words(self.game()).board(&self.players);
        self.said.extend(lines);
    }

    fn tell_what_is_asked(&mut self) {
        let at_end = self.run.at() + 1 == self.lesson().steps.len();
        let you = self.run.learner().map(|seat| self.players.name(seat).to_owned());
        let line = match (&self.run.step().task, you) {
            (LessonTask::Read, _) | (_, None) if at_end => {
                "Press Enter to end the lesson.".to_owned()
            }
            (LessonTask::Read, _) | (_, None) => "Press Enter to go on.".to_owned(),
            (_, Some(you)) => format!("You are {you}. Your move?"),
        };
        self.say(line);
    }

    /// Answers a line.
    pub fn hear(&mut self, line: &str) -> AfterLine {
        let text = line.trim();
        let word = WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
        match word.map(|(word, _)| *word) {
            _ if text.is_empty() && !self.run.asks() => return self.step_after(LessonRun::go_on),
            _ if text.is_empty() => self.tell_what_is_asked(),
            Some("board") => self.tell_board(),
            Some("moves") => self.say(format!("{}.", self.game().legal().join(", "))),
            Some("hint") => match self.run.hint() {
                Some(mv) => self.say(format!("{mv} is right.")),
                None => self.say("No move is asked for here."),
            },
            Some("undo") if self.run.undo() => self.say("Taken back. Your move?"),
            Some("undo") => self.say("There is nothing to take back."),
            Some("skip") => return self.step_after(LessonRun::skip),
            Some("back") if !self.run.back() => self.say("This is the first step."),
            Some("text" | "back") => self.tell_step(),
            Some("help") => self.said.extend(WORDS.map(|(word, does)| format!("{word}: {does}."))),
            Some(_) => return AfterLine::Leave,
            None => self.try_move(text),
        }
        AfterLine::GoOn
    }

    /// Goes on, and says the step that begins.
    fn step_after(&mut self, step: impl FnOnce(&mut LessonRun) -> bool) -> AfterLine {
        step(&mut self.run);
        if *self.run.phase() == LessonPhase::Over {
            return AfterLine::End;
        }
        self.tell_step();
        AfterLine::GoOn
    }

    fn try_move(&mut self, text: &str) {
        if !self.run.asks() {
            return self.say("No move is asked for here; press Enter to go on.");
        }
        let ply = self.game().ply();
        let mv = match read_typed(self.game(), text) {
            Ok(mv) => mv,
            Err(refusal) if refusal.is_no_move() => {
                let text = printable(&cut(text)).into_owned();
                return self.say(format!(
                    "\"{text}\" is neither a word of lessons nor a move; help lists the words."
                ));
            }
            Err(refusal) => return self.say(sentence(&format!("{refusal:#}"))),
        };
        if let Err(refusal) = self.run.try_move(&mv) {
            return self.say(sentence(&format!("{refusal:#}")));
        }
        self.tell_moves_since(ply);
        match self.run.phase().clone() {
            LessonPhase::Right => {
                self.say(format!("Right. {}", self.run.text()));
                let at_end = self.run.at() + 1 == self.lesson().steps.len();
                self.say(if at_end {
                    "Press Enter to end the lesson."
                } else {
                    "Press Enter to go on."
                });
            }
            LessonPhase::Wrong { verdict, says, .. } => {
                let verdict =
                    verdict.map_or("Not that.".to_owned(), |verdict| format!("{verdict}."));
                self.say(format!("{verdict} {says}"));
                self.run.go_on();
                self.say("It is taken back. Your move?");
            }
            LessonPhase::Asked => self.say("Go on: your move?"),
            LessonPhase::Over => {}
        }
    }

    /// Says the moves that were played since this ply, each in a sentence.
    fn tell_moves_since(&mut self, ply: usize) {
        let mut game = self.game().copy_line();
        for played in ply..game.ply() {
            game.go_to_ply(played + 1);
            let last = self.lesson().entry.in_words(&game).last_move(&self.players);
            self.said.extend(last);
        }
    }
}
