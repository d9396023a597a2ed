//! The text of a journal.
//!
//! The first line names the format and its version. Each later line begins with a CRC-32 checksum of all bytes before
//! the line and of the line's own text, so a truncated, changed, moved or missing line is detected. The first bad line
//! and all lines after it are ignored.
//!
//! ```text
//! quadrille-journal 3
//! e5d526a8 game dots-and-boxes
//! fa71551f setup rows=3 cols=3
//! dc398cae words size=3
//! cdc014b3 date 2026-11-20
//! 1564b8b1 name Ann
//! 34b9d5b7 name Bob
//! c7b3d37a 1 3250 1 play H0,0
//! ```
//!
//! `setup` is complete; `words` is the user's input. A step consists of its number, the match time in milliseconds, the
//! actor and the step's text; see [`LoggedStep`]. In a match with a clock, `clock 300+5` precedes the names. In
//! a match that begins with a level, the journal has version 4, and `levels 2`, the version of the levels, precedes the
//! names. With days per move, the journal has version 5 and says `clock 3d`; its steps tell when the match began. Version
//! 2 has no clock, and version 1 has only the step's text; all can still be read.

mod damage;
mod head;
mod line_reader;

pub use head::Head;

use super::error::StoreErrorKind;
use crate::session::{
    Actor, BadMove, LoggedStep, Refusal, Session, Step, Termination, TimeControl,
};
pub(super) use damage::Damage;
use damage::DamageKind;
use line_reader::LineReader;
use std::time::Duration;

pub(super) const FORMAT: &str = "quadrille-journal";
/// Incremented whenever an older program would misread a new journal. A journal has the first version that can express
/// it, which older programs read.
const VERSION: &str = "5";
/// Version 4: like version 5, but without days per move.
const FOURTH: &str = "4";
/// Version 3: like version 4, but without the version of the levels.
const THIRD: &str = "3";
/// Version 2: like version 3, but without a clock.
const SECOND: &str = "2";
const FIRST: &str = "1";

/// A position between two lines of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JournalMark {
    /// The number of bytes before the position.
    pub at: u64,
    /// The checksum of the bytes before the position.
    sum: u32,
}

impl JournalMark {
    const START: JournalMark = JournalMark { at: 0, sum: 0 };

    /// Appends a line to `out` and moves the mark to the line's end.
    fn write(&mut self, text: &str, out: &mut String) {
        let line = match self.at {
            0 => format!("{text}\n"),
            _ => format!("{:08x} {text}\n", crc(self.sum, text.as_bytes())),
        };
        *self =
            JournalMark { at: self.at + line.len() as u64, sum: crc(self.sum, line.as_bytes()) };
        out.push_str(&line);
    }

    /// Returns the text of the steps that follow this position, and the position after them.
    pub fn with_steps(mut self, steps: &[LoggedStep]) -> (String, JournalMark) {
        let mut text = String::new();
        for step in steps {
            self.write(&step.to_string(), &mut text);
        }
        (text, self)
    }
}

/// Continues a CRC-32 from `sum`, the checksum of the preceding bytes. Any change within four consecutive bytes is
/// detected.
fn crc(sum: u32, bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(sum);
    hasher.update(bytes);
    hasher.finalize()
}

#[derive(Clone, Debug)]
pub(super) struct JournalText {
    pub head: Head,
    /// The position after the head.
    pub start: JournalMark,
    /// The position after the last valid line.
    pub end: JournalMark,
    pub version: Version,
    /// The unusable part after `end`.
    pub damage: Option<Damage>,
    /// The steps, each with the position where its line ends.
    pub steps: Vec<(JournalMark, LoggedStep)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    First,
    Second,
    Present,
}

impl Version {
    const ALL: [(Version, &str); 5] = [
        (Version::Present, VERSION),
        (Version::Present, FOURTH),
        (Version::Present, THIRD),
        (Version::Second, SECOND),
        (Version::First, FIRST),
    ];
}

impl JournalText {
    /// Returns the head's lines and the position after them.
    pub fn begin(head: &Head) -> (String, JournalMark) {
        let (mut end, mut text) = (JournalMark::START, String::new());
        let Head { game, setup, given_setup, date, clock, levels, names } = head;
        let version = match clock {
            Some(TimeControl::Days(_)) => VERSION,
            _ if levels.is_some() => FOURTH,
            _ => THIRD,
        };
        end.write(&format!("{FORMAT} {version}"), &mut text);
        let lines =
            [("game", game), ("setup", &setup.to_string()), ("words", &given_setup.to_string())];
        let clock = clock.map(|clock| clock.to_string());
        let clock = clock.iter().map(|clock| ("clock", clock));
        let levels = levels.map(|levels| levels.to_string());
        let levels = levels.iter().map(|levels| ("levels", levels));
        let names = names.iter().map(|name| ("name", name));
        let head =
            lines.into_iter().chain([("date", date)]).chain(clock).chain(levels).chain(names);
        for (key, value) in head {
            end.write(&format!("{key} {value}"), &mut text);
        }
        (text, end)
    }

    /// Parses the valid part of a journal.
    pub fn read(bytes: &[u8]) -> Result<JournalText, StoreErrorKind> {
        let mut reader = LineReader::new(bytes);
        let (head, version) = reader.head()?;
        let start = reader.mark;
        let mut steps = Vec::new();
        loop {
            let number = steps.len() as u64 + 1;
            let read = |text: &str| {
                let is_next = |step: &LoggedStep| step.number == number;
                if version == Version::First {
                    old_step(text, number)
                } else {
                    LoggedStep::parse(text).filter(is_next)
                }
            };
            let Some(step) = reader.take(read) else { break };
            steps.push((reader.mark, step));
        }
        let damage = (!reader.rest().is_empty()).then(|| reader.damage());
        Ok(JournalText { head, start, end: reader.mark, version, damage, steps })
    }

    /// Replays all steps into a session at its start. A refused step and all steps after it become damage.
    pub fn replay(&mut self, session: &mut Session) {
        for index in 0..self.steps.len() {
            let LoggedStep { at, by, step, .. } = self.steps[index].1.clone();
            let has_actor = self.version != Version::First;
            let by =
                if has_actor { by } else { step.infer_actor(session.current_match().to_move()) };
            if let Err(refusal) = session.apply(by, step, at) {
                self.cut_at(index, refusal);
                return;
            }
        }
    }

    /// Marks the step at this index and all later steps as damaged.
    fn cut_at(&mut self, index: usize, refusal: Refusal) {
        let is_play = |step: &LoggedStep| matches!(step.step, Step::Play(_));
        let plays = self.steps[..index].iter().filter(|(_, step)| is_play(step)).count();
        let lost = self.steps.split_off(index);
        self.end = self.steps.last().map_or(self.start, |(behind, _)| *behind);
        let more = [self.head.clock.is_some(), self.head.levels.is_some()];
        let more: usize = more.into_iter().map(usize::from).sum();
        let line = 1 + 4 + more + self.head.names.len() + index + 1;
        let after = lost.len() - 1 + self.damage.as_ref().map_or(0, |damage| 1 + damage.after);
        let kind = match lost.into_iter().next() {
            Some((_, LoggedStep { step: Step::Play(text), .. })) => {
                let (number, variation) = (plays + 1, None);
                DamageKind::Refused(Box::new(BadMove { number, text, variation, refusal }))
            }
            _ => DamageKind::Rubbish,
        };
        self.damage = Some(Damage { line, after, kind });
    }

    /// Returns whether a match's log begins with the steps of this journal.
    pub fn is_start_of(&self, log: &[LoggedStep]) -> bool {
        let is_same = |(ours, theirs): (&LoggedStep, &LoggedStep)| {
            if self.version == Version::First { ours.step == theirs.step } else { ours == theirs }
        };
        self.steps.len() <= log.len()
            && self.steps.iter().map(|(_, step)| step).zip(log).all(is_same)
    }
}

/// Parses a step of version 1, which has no number, time or actor. The actor is determined when the step is taken.
fn old_step(text: &str, number: u64) -> Option<LoggedStep> {
    let step = match text.split_once(' ') {
        Some(("redo", node)) => Step::SelectVariation(node.parse().ok()?),
        None if text == "agree" => Step::End(Termination::Agreed),
        Some(("play" | "go", _)) => Step::parse(text)?,
        _ => return None,
    };
    Some(LoggedStep { number, at: Duration::ZERO, by: Actor::Table, step })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Conditions, Match, Session};
    use quadrille_rules::dots_and_boxes::DotsAndBoxes;
    use quadrille_rules::{Position, Seat, Setup};
    use quadrille_search::Level;

    fn session(words: &Setup) -> Session {
        let game = Match::new(DotsAndBoxes::from_setup(words).unwrap());
        Session::new(game, words.clone(), Conditions::named(&["Ann".to_owned(), "Bob".to_owned()]))
    }

    fn small() -> Session {
        session(&"size=3".parse().unwrap())
    }

    fn head() -> Head {
        Head::of(&small(), "2026-11-20")
    }

    /// Plays the steps and returns the match with its journal text.
    fn played(steps: &[&str]) -> (Session, String) {
        let mut session = small();
        for (second, step) in (1..).zip(steps) {
            let step = Step::parse(step).unwrap();
            let by = step.infer_actor(session.current_match().to_move());
            session.apply(by, step, Duration::from_millis(1000 * second)).unwrap();
        }
        let (text, start) = JournalText::begin(&head());
        let (steps, _) = start.with_steps(session.log());
        (session, text + &steps)
    }

    /// A journal that begins with a level tells its version; older builds wrote none.
    #[test]
    fn journal_tells_the_version_of_the_levels() {
        let game = Match::new(DotsAndBoxes::square(3).unwrap());
        let names = ["Ann".to_owned(), "engine:casual".to_owned()];
        let session = Session::new(game, Setup::new(), Conditions::named(&names));
        let head = Head::of(&session, "2026-11-20");
        assert_eq!(head.levels, Some(Level::VERSION));
        let (text, _) = JournalText::begin(&head);
        assert!(text.starts_with("quadrille-journal 4\n"), "{text}");
        assert!(text.contains(" levels 2\n"), "{text}");
        assert_eq!(read(&text).head, head);
        let (without, _) = JournalText::begin(&Head { levels: None, ..head });
        assert!(without.starts_with("quadrille-journal 3\n"), "{without}");
        assert_eq!(read(&without).head.levels, None);
    }

    /// The exact bytes of a journal with days per move, which builds before version 5 refuse as newer. Without moves
    /// and before its beginning, it is the head alone.
    #[test]
    fn journal_with_days_has_version_5() {
        let start = |names: &[&str]| {
            let game = Match::new(DotsAndBoxes::square(3).unwrap());
            let names: Vec<String> = names.iter().copied().map(str::to_owned).collect();
            let conditions = Conditions::named(&names).with_clock("3d".parse().ok());
            Session::new(game, "size=3".parse().unwrap(), conditions)
        };
        let mut session = start(&["Ann", "Bob"]);
        let head = Head::of(&session, "2026-11-20");
        let (text, end) = JournalText::begin(&head);
        assert_eq!((read(&text).head, read(&text).steps.len()), (head, 0));
        for (at, by, step) in [
            (1, "table", "begin 1795823432"),
            (3_600_000, "1", "play H0,0"),
            (262_800_000, "1", "more-time"),
            (522_000_000, "1", "claim"),
        ] {
            let (by, step) = (Actor::parse(by).unwrap(), Step::parse(step).unwrap());
            session.apply(by, step, Duration::from_millis(at)).unwrap();
        }
        let text = text + &end.with_steps(session.log()).0;
        assert_eq!(text, include_str!("../../../../../tests/fixtures/journal-5/claimed.journal"));
        let (mut again, mut copy) = (read(&text), start(&["Ann", "Bob"]));
        again.replay(&mut copy);
        assert_eq!((again.damage, copy.log()), (None, session.log()));
        assert_eq!(
            (copy.began(), copy.current_match().termination()),
            (session.began(), Some(&Termination::Time(Seat::SECOND)))
        );
        // With a level, it also tells the version of the levels.
        let levels = Head::of(&start(&["Ann", "engine:casual"]), "2026-11-20");
        let (text, _) = JournalText::begin(&levels);
        assert!(
            text.starts_with("quadrille-journal 5\n") && text.contains(" levels 2\n"),
            "{text}"
        );
        assert_eq!(read(&text).head, levels);
    }

    fn read(text: &str) -> JournalText {
        JournalText::read(text.as_bytes()).unwrap()
    }

    #[test]
    fn the_checksum_is_crc_32() {
        assert_eq!(crc(0, b"123456789"), 0xcbf4_3926);
        assert_eq!(crc(crc(0, b"1234"), b"56789"), 0xcbf4_3926);
    }

    #[test]
    fn journal_text_is_stable() {
        let (session, text) = played(&["play H0,0", "go 0", "line 1", "offer-draw", "end limit"]);
        let expected = "quadrille-journal 3\n\
                        7a0fa536 game dots-and-boxes\n\
                        a72ab504 setup rows=3 cols=3\n\
                        8a1b6b49 words size=3\n\
                        b6e030ab date 2026-11-20\n\
                        042893c1 name Ann\n\
                        e1411eec name Bob\n\
                        eda82553 1 1000 1 play H0,0\n\
                        7375037d 2 2000 table go 0\n\
                        f0276afb 3 3000 table line 1\n\
                        1979a036 4 4000 1 offer-draw\n\
                        39fbc60a 5 5000 arbiter end limit\n";
        assert_eq!(text, expected);
        let again = read(&text);
        assert_eq!((again.head.clone(), again.end.at), (head(), text.len() as u64));
        assert!(again.steps.iter().map(|(_, step)| step).eq(session.log()));
    }

    /// The line for the clock follows the day. Replaying the journal restores each seat's remaining time.
    #[test]
    fn journal_stores_the_clock_and_pauses() {
        let words: Setup = "size=3".parse().unwrap();
        let start = || {
            let game = Match::new(DotsAndBoxes::from_setup(&words).unwrap());
            let names = ["Ann".to_owned(), "Bob".to_owned()];
            let clock = Some("300+5".parse().unwrap());
            Session::new(game, words.clone(), Conditions::named(&names).with_clock(clock))
        };
        let mut session = start();
        for (at, step) in [(7000, "play H0,0"), (9500, "pause"), (9500, "pause")] {
            let step = Step::parse(step).unwrap();
            let by = step.infer_actor(session.current_match().to_move());
            session.apply(by, step, Duration::from_millis(at)).unwrap();
        }
        let (text, start_of_steps) = JournalText::begin(&Head::of(&session, "2026-11-20"));
        let text = text + &start_of_steps.with_steps(session.log()).0;
        let lines: Vec<&str> = text.lines().filter_map(|line| line.get(9..)).collect();
        assert_eq!(lines[5..8], ["clock 300+5", "name Ann", "name Bob"]);
        assert_eq!(lines[9..], ["2 9500 table pause", "3 9500 table pause"]);
        let (mut again, mut copy) = (read(&text), start());
        assert_eq!(again.head.conditions(), session.conditions());
        again.replay(&mut copy);
        let left = |session: &Session| session.time_left(session.time()).unwrap();
        let expected = [298_000, 297_500].map(Duration::from_millis);
        assert_eq!((left(&copy), left(&session)), (expected.to_vec(), expected.to_vec()));
        // A refused step is reported with its line number, which includes the clock's line.
        let mut text = text;
        let mut end = read(&text).end;
        end.write("4 400000 2 play H0,1", &mut text);
        let (mut again, mut copy) = (read(&text), start());
        again.replay(&mut copy);
        let damage = "line 12: move 2 \"H0,1\": seat 2 is out of time. This line is lost; everything before it is kept";
        assert_eq!(again.damage.unwrap().to_string(), damage);
    }

    /// The exact bytes written by version 1.
    #[test]
    fn version_1_journal_is_read() {
        let text = "quadrille-journal 1\n\
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
        let mut again = read(text);
        assert_eq!((again.head.clone(), again.end.at), (head(), text.len() as u64));
        let mut session = small();
        again.replay(&mut session);
        assert_eq!(again.damage, None);
        let lines: Vec<String> = session.log().iter().map(ToString::to_string).collect();
        let expected =
            ["1 0 1 play H0,0", "2 0 table go 0", "3 0 table line 1", "4 0 arbiter end agreed"];
        assert_eq!(lines, expected);
        assert!(again.is_start_of(session.log()));
    }

    #[test]
    fn senseless_journal_line_is_damage() {
        for bad in [
            "2 0 table go 2",
            "2 0 table line 0",
            "2 0 arbiter end ",
            "2 0 table go x",
            "3 0 table go 0",
            "2 0 arbiter end resigned: 3",
            "2 0 1 accept-draw",
            "name Eve",
        ] {
            let (session, mut text) = played(&["play H0,0"]);
            let whole = text.len() as u64;
            let mut end = read(&text).end;
            end.write(bad, &mut text);
            end.write("3 0 table go 0", &mut text);
            let (mut again, mut copy) = (read(&text), small());
            again.replay(&mut copy);
            let damage = Damage { line: 9, after: 1, kind: DamageKind::Rubbish };
            assert_eq!((again.damage, again.end.at), (Some(damage), whole), "{bad}");
            assert_eq!(copy.log(), session.log());
        }
    }

    #[test]
    fn refused_journal_move_is_named_with_its_number() {
        let (_, mut text) = played(&["play H0,0", "go 0"]);
        let mut end = read(&text).end;
        for line in ["3 0 1 play H9,9", "4 0 2 play H1,0"] {
            end.write(line, &mut text);
        }
        let (mut again, mut copy) = (read(&text), small());
        again.replay(&mut copy);
        let damage = again.damage.unwrap().to_string();
        let expected = "line 10: move 2 \"H9,9\": this board has no such line. This line and the next are lost; everything before is kept";
        assert_eq!((&*damage, copy.log().len(), again.steps.len()), (expected, 2, 2));
    }

    #[test]
    fn missing_or_reordered_journal_line_is_damage() {
        let (_, text) = played(&["play H0,0", "play H0,1", "play H1,0"]);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let (head, steps) = lines.split_at(7);
        for order in [[0, 2, 1], [0, 0, 1], [0, 2, 2]] {
            let again = read(&(head.concat() + &order.map(|line| steps[line]).concat()));
            assert_eq!((again.steps.len(), again.damage.map(|damage| damage.line)), (1, Some(9)));
        }
    }

    #[test]
    fn unreadable_setup_words_are_replaced_by_the_setup() {
        let words = Setup::new().with("size", "3 3");
        let game = Match::new(DotsAndBoxes::square(3).unwrap());
        let head = Head::of(&Session::new(game, words, Conditions::default()), "");
        assert_eq!(head.given_setup.to_string(), "rows=3 cols=3");
        assert_eq!(read(&JournalText::begin(&head).0).head, head);
    }
}
