//! The text of a journal.
//!
//! A journal is lines: the first names the format and its version, and each one after it begins
//! with a checksum of all bytes before it and its own text. So a line that is cut off, changed,
//! moved or missing is told from a whole one, and so is every line after it.
//!
//! ```text
//! quadrille-journal 1
//! 9ecba44b game dots-and-boxes
//! 017a78b6 setup rows=3 cols=3
//! 0c784b3a words size=3
//! 93f8f85c date 2026-11-20
//! 8a640fb1 name Ann
//! 42a8eb16 name Bob
//! fb4d803c play H0,0
//! ```

use super::error::Reason;
use super::trace::{Step, Trace};
use crate::printable::in_a_line;
use crate::rules::{Setup, cut};
use crate::session::{AnyMatch, BadMove, Refusal};
use std::fmt;

pub(super) const FORMAT: &str = "quadrille-journal";
/// Goes up whenever an older program would misread a journal.
const VERSION: &str = "1";

/// What a journal tells of a match before its first move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// The name of the game in commands and records.
    pub game: String,
    /// The complete setup.
    pub setup: Setup,
    /// The words the match was set up with, as they were given.
    pub words: Setup,
    /// The day, as `2026-11-20`.
    pub date: String,
    /// The names of the seats, in their order.
    pub names: Vec<String>,
}

impl Head {
    /// The head of this match. Nothing in it can break a line: control characters become spaces.
    pub(super) fn of(game: &dyn AnyMatch, words: &Setup, names: &[String], date: &str) -> Head {
        let setup = game.setup();
        // Words that could not be read back tell nothing that the complete setup does not.
        let can_be_read = words.to_string().parse().as_ref() == Ok(words);
        Head {
            game: game.id().to_owned(),
            words: if can_be_read { words.clone() } else { setup.clone() },
            setup,
            date: in_a_line(date),
            names: names.iter().map(|name| in_a_line(name)).collect(),
        }
    }
}

/// A place between two lines of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    /// How many bytes are before it.
    pub at: u64,
    /// Their checksum.
    sum: u32,
}

impl Mark {
    const START: Mark = Mark { at: 0, sum: 0 };

    /// Writes a line here; the mark is then behind it.
    fn write(&mut self, text: &str, out: &mut String) {
        let line = match self.at {
            0 => format!("{text}\n"),
            _ => format!("{:08x} {text}\n", crc(self.sum, text.as_bytes())),
        };
        *self = Mark { at: self.at + line.len() as u64, sum: crc(self.sum, line.as_bytes()) };
        out.push_str(&line);
    }

    /// The text of the steps, written from here, and the place behind it.
    pub fn with_steps(mut self, steps: &[Step]) -> (String, Mark) {
        let mut text = String::new();
        for step in steps {
            self.write(&step.to_string(), &mut text);
        }
        (text, self)
    }
}

/// The checksum CRC-32 of some bytes after those of which `sum` is the checksum. Any change within
/// four bytes in a row changes it.
fn crc(sum: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(sum);
    hasher.update(bytes);
    hasher.finalize()
}

/// What a journal says.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub head: Head,
    /// The place behind all that is whole.
    pub end: Mark,
    /// Where it leads to up to there.
    pub trace: Trace,
    /// What comes after that.
    pub damage: Option<Damage>,
    /// The steps that were read, each with the place before it.
    steps: Vec<(Mark, Step)>,
}

/// What could not be used of a journal: this line, and all after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Damage {
    /// Lines count from 1.
    line: usize,
    /// How many lines come after it.
    after: usize,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// The file ends in the middle of it.
    CutOff,
    Rubbish,
    /// It was written like this, but the game refuses the move.
    Refused(Box<BadMove>),
}

impl Script {
    /// The script of a match of which nothing was told yet, and the text it begins with.
    pub fn begin(head: Head) -> (Script, String) {
        let (mut end, mut text) = (Mark::START, String::new());
        end.write(&format!("{FORMAT} {VERSION}"), &mut text);
        let Head { game, setup, words, date, names } = &head;
        let lines = [("game", game), ("setup", &setup.to_string()), ("words", &words.to_string())];
        let names = names.iter().map(|name| ("name", name));
        for (key, value) in lines.into_iter().chain([("date", date)]).chain(names) {
            end.write(&format!("{key} {value}"), &mut text);
        }
        let (trace, damage, steps) = (Trace::default(), None, Vec::new());
        (Script { head, end, trace, damage, steps }, text)
    }

    /// Reads as much of a journal as is whole.
    pub fn read(bytes: &[u8]) -> Result<Script, Reason> {
        let mut lines = Lines { bytes, mark: Mark::START, number: 1 };
        let head = lines.head()?;
        let (trace, damage, steps) = (Trace::default(), None, Vec::new());
        let mut script = Script { head, end: lines.mark, trace, damage, steps };
        while let Some(step) =
            lines.take(|text| Step::parse(text).filter(|step| script.trace.step(step)))
        {
            script.steps.push((script.end, step));
            script.end = lines.mark;
        }
        if !lines.rest().is_empty() {
            script.damage = Some(lines.damage());
        }
        Ok(script)
    }

    /// Brings a match from its start to where the script leads. The script ends before a move that
    /// is refused.
    pub fn replay(&mut self, game: &mut dyn AnyMatch) {
        while let Err((index, refusal)) = self.trace.replay(game) {
            self.cut_at_move(index, refusal);
        }
    }

    /// Ends the script before one of its moves, which count from 0.
    fn cut_at_move(&mut self, index: usize, refusal: Refusal) {
        let plays = self.steps.iter().enumerate();
        let mut plays = plays.filter(|(_, (_, step))| matches!(step, Step::Play(_)));
        let at = plays.nth(index).map_or(0, |(at, _)| at);
        let lost: Vec<_> = self.steps.drain(at..).collect();
        if let Some((mark, Step::Play(text))) = lost.first() {
            self.end = *mark;
            let text = text.clone();
            let line = 1 + 4 + self.head.names.len() + at + 1;
            let after = lost.len() - 1 + self.damage.as_ref().map_or(0, |damage| 1 + damage.after);
            let kind = Kind::Refused(Box::new(BadMove {
                number: index + 1,
                text,
                variation: None,
                refusal,
            }));
            self.damage = Some(Damage { line, after, kind });
        }
        self.trace = Trace::default();
        for (_, step) in &self.steps {
            let _leads_on_as_before = self.trace.step(step);
        }
    }
}

/// The lines of a journal, one after the other.
struct Lines<'b> {
    bytes: &'b [u8],
    /// The place before the next line, and its number from 1.
    mark: Mark,
    number: usize,
}

impl Lines<'_> {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.mark.at as usize..]
    }

    /// Passes the next line if it is whole and can be read like this.
    fn take<T>(&mut self, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let rest = self.rest();
        let line = &rest[..=rest.iter().position(|&byte| byte == b'\n')?];
        let (sum, text) = line[..line.len() - 1].split_at_checked(9)?;
        let whole = format!("{:08x} ", crc(self.mark.sum, text));
        let text = str::from_utf8(text).ok().filter(|_| sum == whole.as_bytes())?;
        let read = read(text)?;
        let (at, sum) = (self.mark.at + line.len() as u64, crc(self.mark.sum, line));
        self.mark = Mark { at, sum };
        self.number += 1;
        Some(read)
    }

    fn head(&mut self) -> Result<Head, Reason> {
        let first = format!("{FORMAT} {VERSION}\n");
        if self.bytes.is_empty() {
            return Err(Reason::Empty);
        }
        if self.bytes.len() < first.len() && first.as_bytes().starts_with(self.bytes) {
            return Err(Reason::Head(self.damage()));
        }
        if !self.bytes.starts_with(first.as_bytes()) {
            let line = self.bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
            let version = line.strip_prefix(FORMAT.as_bytes()).and_then(|v| v.strip_prefix(b" "));
            let text = |version| cut(&String::from_utf8_lossy(version));
            return Err(version.map_or(Reason::NotAJournal, |v| Reason::Version(text(v))));
        }
        self.mark.write(first.trim_end(), &mut String::new());
        self.number += 1;
        Ok(Head {
            game: self.field("game", |game| Some(game.to_owned()))?,
            setup: self.field("setup", |setup| setup.parse().ok())?,
            words: self.field("words", |words| words.parse().ok())?,
            date: self.field("date", |date| Some(date.to_owned()))?,
            names: std::iter::from_fn(|| self.field("name", |n| Some(n.to_owned())).ok()).collect(),
        })
    }

    fn field<T>(&mut self, key: &str, read: fn(&str) -> Option<T>) -> Result<T, Reason> {
        let value = self.take(|text| read(text.strip_prefix(key)?.strip_prefix(' ')?));
        value.ok_or_else(|| Reason::Head(self.damage()))
    }

    /// What is lost when the next line is not whole.
    fn damage(&self) -> Damage {
        let rest = self.rest();
        let after =
            rest.strip_suffix(b"\n").unwrap_or(rest).split(|&byte| byte == b'\n').count() - 1;
        let is_cut = after == 0 && !rest.ends_with(b"\n");
        let kind = if is_cut { Kind::CutOff } else { Kind::Rubbish };
        Damage { line: self.number, after, kind }
    }
}

impl Damage {
    /// Where it is, and what.
    pub fn place(&self, plain: bool) -> String {
        let line = self.line;
        match &self.kind {
            Kind::CutOff => format!("line {line} is cut off"),
            Kind::Rubbish => format!("line {line} is damaged"),
            Kind::Refused(bad) if plain => format!("line {line}: {bad:#}"),
            Kind::Refused(bad) => format!("line {line}: {bad}"),
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place(f.alternate());
        match self.after {
            0 => write!(f, "{place}; it is lost, all before it is kept"),
            1 => write!(f, "{place}; it and the line after it are lost, all before it is kept"),
            n => {
                write!(f, "{place}; it and the {n} lines after it are lost, all before it is kept")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Game;
    use crate::rules::dots_and_boxes::Pipopipette;
    use crate::session::Match;

    fn head() -> Head {
        let words: Setup = "size=3".parse().unwrap();
        let game = Match::new(Pipopipette::from_setup(&words).unwrap());
        Head::of(&game, &words, &["Ann".to_owned(), "Bob".to_owned()], "2026-11-20")
    }

    #[test]
    fn the_checksum_is_crc_32() {
        assert_eq!(crc(0, b"123456789"), 0xcbf4_3926);
        assert_eq!(crc(crc(0, b"1234"), b"56789"), 0xcbf4_3926);
    }

    #[test]
    fn the_text_is_fixed_to_the_letter() {
        let (script, mut text) = Script::begin(head());
        let steps = [Step::Play("H0,0".to_owned()), Step::Go(0), Step::Redo(1), Step::Agree];
        text += &script.end.with_steps(&steps).0;
        let expected = "quadrille-journal 1\n\
                        9ecba44b game dots-and-boxes\n\
                        017a78b6 setup rows=3 cols=3\n\
                        0c784b3a words size=3\n\
                        93f8f85c date 2026-11-20\n\
                        8a640fb1 name Ann\n\
                        42a8eb16 name Bob\n\
                        fb4d803c play H0,0\n\
                        33451db7 go 0\n\
                        c9cfefbd redo 1\n\
                        a3f04290 agree\n";
        assert_eq!(text, expected);
        let again = Script::read(text.as_bytes()).unwrap();
        assert_eq!((again.head, again.end.at), (script.head, text.len() as u64));
        assert_eq!(again.steps.into_iter().map(|(_, step)| step).collect::<Vec<_>>(), steps);
    }

    #[test]
    fn a_line_that_is_whole_but_leads_nowhere_is_damage() {
        for (bad, line) in [("go 2", 9), ("redo 0", 9), ("agree ", 9), ("go x", 9), ("name Eve", 9)]
        {
            let (script, mut text) = Script::begin(head());
            let (steps, mut end) = script.end.with_steps(&[Step::Play("H0,0".to_owned())]);
            text += &steps;
            let whole = text.len() as u64;
            end.write(bad, &mut text);
            end.write("agree", &mut text);
            let script = Script::read(text.as_bytes()).unwrap();
            let damage = Damage { line, after: 1, kind: Kind::Rubbish };
            assert_eq!((script.damage, script.end.at), (Some(damage), whole), "{bad}");
        }
    }

    #[test]
    fn a_line_that_is_missing_or_moved_is_damage() {
        let (script, head) = Script::begin(head());
        let steps = ["H0,0", "H0,1", "H1,0"].map(|mv| Step::Play(mv.to_owned()));
        let text = script.end.with_steps(&steps).0;
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for order in [[0, 2, 1], [0, 0, 1], [0, 2, 2]] {
            let text = head.clone() + &order.map(|line| lines[line]).concat();
            let script = Script::read(text.as_bytes()).unwrap();
            assert_eq!((script.steps.len(), script.damage.map(|it| it.line)), (1, Some(9)));
        }
    }

    #[test]
    fn words_that_cannot_be_read_back_give_way_to_the_setup() {
        let words = Setup::new().with("size", "3 3");
        let game = Match::new(Pipopipette::square(3).unwrap());
        let head = Head::of(&game, &words, &[], "");
        assert_eq!(head.words.to_string(), "rows=3 cols=3");
        assert_eq!(Script::read(Script::begin(head.clone()).1.as_bytes()).unwrap().head, head);
    }
}
