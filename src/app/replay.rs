//! The replay viewer: a match that is looked at.

use super::matches::MatchScreen;
use super::menu::PANEL_FROM;
use super::open_match::OpenRecord;
use super::panel::{self, PanelContent};
use super::pending::{EngineEvent, Question};
use super::review::{LONGEST, Review};
use super::screen::{Act, Screen, Timer};
use super::targets::Target;
use super::tasks::DiskTask;
use super::{Context, text};
use crate::action::{Action, DIGITS, Hint};
use crate::board::{Gesture, Reply, Skin};
use crate::rules::Seat;
use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::time::Duration;

/// A match, the line of it that is looked at, and the pace at which it plays by itself.
pub(super) struct Replay {
    record: OpenRecord,
    /// The moves from the start to the end of the line.
    line: Vec<(Seat, String)>,
    /// The plies of the line after which the match went on in several ways, in order.
    forks: Vec<usize>,
    runs: bool,
    /// Which of the speeds.
    speed: usize,
    /// The ply being typed.
    digits: Option<usize>,
    /// What the moves were worth, if that was asked for.
    review: Option<Review>,
    /// A few words on what the last key did.
    note: Option<String>,
}

/// The speeds by name, and the time each gives a ply.
const SPEEDS: [(&str, Duration); 3] = [
    ("slow, 2 s a move", Duration::from_secs(2)),
    ("normal, 1 s a move", Duration::from_secs(1)),
    ("fast, 0.3 s a move", Duration::from_millis(300)),
];

/// The steps along the line.
const WALK: &[Action] = &[Action::StepBack, Action::LeapOn, Action::LeapBack, Action::StepOn];

/// How many plies the long steps take.
const LEAP: usize = 10;

/// The columns of the progress bar, at least and at most.
const BAR: (u16, u16) = (4, 40);

impl Replay {
    /// Begins at the start, with the line that redo follows from where the match stands.
    pub fn new(record: OpenRecord) -> Replay {
        let mut replay = Replay {
            record,
            line: Vec::new(),
            forks: Vec::new(),
            runs: false,
            speed: 1,
            digits: None,
            review: None,
            note: None,
        };
        replay.read_line();
        replay.go_to_ply(0);
        replay
    }

    fn ply(&self) -> usize {
        self.record.game().ply()
    }

    /// Looks along the present line to its end. The match then stands there.
    fn read_line(&mut self) {
        self.record.viewer.walk(&mut |game| game.go_to_ply(usize::MAX));
        let game = self.record.game();
        self.line = game.moves().to_vec();
        let line = game.line().into_iter().enumerate();
        let forks = line.filter(|&(_, node)| game.children(node).len() > 1);
        self.forks = forks.map(|(ply, _)| ply).collect();
    }

    fn go_to_ply(&mut self, ply: usize) {
        self.record.viewer.walk(&mut |game| game.go_to_ply(ply));
        self.record.viewer.point_at_last();
        self.mark();
    }

    /// Writes on the board what the moves are worth.
    fn mark(&mut self) {
        let labels = self.review.as_ref().map(|it| it.on_board(self.ply())).unwrap_or_default();
        self.record.viewer.label(labels);
    }

    /// The same with a review of its moves.
    pub fn reviewed(record: OpenRecord) -> Replay {
        let mut replay = Replay::new(record);
        replay.review();
        replay.go_to_ply(replay.line.len());
        replay
    }

    /// Begins a review, or puts it away.
    fn review(&mut self) {
        let ply = self.ply();
        self.review = match self.review.take() {
            Some(_) => None,
            None => Review::of(&mut self.record, &self.line),
        };
        if self.line.is_empty() {
            self.note = Some("there is no move to review".to_owned());
        } else if self.line.len() > LONGEST {
            self.note = Some(format!("more than {LONGEST} moves are not reviewed"));
        }
        self.go_to_ply(ply);
    }

    /// Goes to another ply, as somebody at the keys wants it.
    fn step_to(&mut self, ply: usize) {
        self.runs = false;
        let ply = ply.min(self.line.len());
        if ply == self.ply() {
            let end = if ply == 0 { "this is the start" } else { "this is the end" };
            self.note = (ply == 0 || ply == self.line.len()).then(|| end.to_owned());
        }
        self.go_to_ply(ply);
    }

    /// The ply some way ahead, or the next fork where that is nearer.
    fn leap_on(&self) -> usize {
        let ply = self.ply();
        let leap = ply + LEAP;
        self.forks.iter().copied().find(|&fork| fork > ply).map_or(leap, |fork| fork.min(leap))
    }

    /// The same the other way.
    fn leap_back(&self) -> usize {
        let ply = self.ply();
        let leap = ply.saturating_sub(LEAP);
        self.forks
            .iter()
            .rev()
            .copied()
            .find(|&fork| fork < ply)
            .map_or(leap, |fork| fork.max(leap))
    }

    fn run(&mut self) {
        self.runs = !self.runs && !self.line.is_empty();
        if self.runs && self.ply() == self.line.len() {
            self.go_to_ply(0);
        }
    }

    fn set_speed(&mut self, speed: usize) {
        self.speed = speed.min(SPEEDS.len() - 1);
        self.note = Some(SPEEDS[self.speed].0.to_owned());
    }

    /// From here on, the next of the lines that part here.
    fn turn_off(&mut self) {
        self.runs = false;
        let (moves, followed) = self.record.game().branches();
        if moves.len() < 2 {
            self.note = Some("no other line from here".to_owned());
            return;
        }
        let ply = self.ply();
        let next = followed.map_or(0, |line| (line + 1) % moves.len());
        let game = self.record.game();
        let node = game.children(game.node())[next];
        self.record.viewer.walk(&mut |game| game.select_variation(node));
        self.review = None;
        self.read_line();
        self.go_to_ply(ply);
    }

    /// Leaves the record and plays on from here.
    fn branch_off(&mut self) -> Vec<Act> {
        self.runs = false;
        let game = self.record.game();
        if game.outcome().is_some() && game.termination().is_none() {
            self.note = Some("the match is over here".to_owned());
            return Vec::new();
        }
        let screen = MatchScreen::waiting(self.record.branch_off());
        vec![Act::push(screen), Act::run(DiskTask::Save)]
    }

    fn digit(&mut self, digit: u8) {
        self.runs = false;
        let ply = self.digits.unwrap_or(0).saturating_mul(10).saturating_add(digit.into());
        self.digits = Some(ply.min(99_999));
    }

    /// What stands behind the ply and the progress bar.
    fn words(&self, area: Rect) -> String {
        let (moves, followed) = self.record.game().branches();
        // Without a panel the review has its place here.
        let review = self.review.as_ref().filter(|_| area.width < PANEL_FROM);
        let reviewed = review.map(|it| it.words(self.ply())).filter(|words| !words.is_empty());
        match (self.note.as_ref().or(reviewed.as_ref()), followed) {
            (Some(note), _) => note.clone(),
            (None, Some(line)) if moves.len() > 1 => {
                format!("line {}/{} {}", line + 1, moves.len(), moves[line])
            }
            (None, Some(_)) => String::new(),
            (None, None) => self.record.shown().result(),
        }
    }

    /// `move 7 of 12`, the bar as wide as there is room, the speed while it runs, and words.
    fn draw_status(&self, skin: Skin, area: Rect, buffer: &mut Buffer) {
        let room = |x: u16| area.right().saturating_sub(x + 1) as usize;
        let (ply, plies) = (self.ply(), self.line.len());
        let text = match self.digits {
            Some(digits) => format!("to move {digits}_ of {plies}"),
            None => format!("move {ply} of {plies}"),
        };
        let x = area.x + 1;
        let (x, y) = buffer.set_stringn(x, area.y, text, room(x), skin.strong());
        let runs = if self.runs { ">".repeat(self.speed + 1) } else { String::new() };
        let words = self.words(area);
        let texts = [runs, words];
        let texts = texts.iter().filter(|text| !text.is_empty());
        let taken: usize = texts.clone().map(|text| 2 + text::width(text)).sum();
        let spare = room(x).saturating_sub(taken + 2) as u16;
        let mut x = x;
        if plies > 0 && spare >= BAR.0 {
            let width = usize::from(spare.min(BAR.1));
            let done = width * ply / plies;
            let glyphs = skin.glyphs();
            let bar = glyphs.bar.to_string().repeat(done);
            let rest = glyphs.ghost[0].to_string().repeat(width - done);
            (x, _) = buffer.set_stringn(x + 2, y, bar, done, skin.plain());
            (x, _) = buffer.set_stringn(x, y, rest, width - done, skin.dim());
        }
        for text in texts {
            (x, _) = text::put((x + 2, y), text, room(x + 2), skin.plain(), skin, buffer);
        }
    }
}

impl Screen for Replay {
    fn actions(&self, _: &Context) -> Vec<Action> {
        let way_out: &[Action] = match self.digits {
            Some(_) => &[Action::Confirm, Action::Cancel, Action::Erase],
            None => &[Action::Back],
        };
        let rest = [
            Action::First,
            Action::Last,
            Action::Run,
            Action::Faster,
            Action::Slower,
            Action::OtherLine,
            Action::Review,
            Action::BranchOff,
        ];
        [WALK, &rest, DIGITS, way_out].concat()
    }

    fn perform(&mut self, action: Action, _: &mut Context) -> Option<Vec<Act>> {
        self.note = None;
        let digits = self.digits.take();
        let ply = self.ply();
        match action {
            Action::StepBack => self.step_to(ply.saturating_sub(1)),
            Action::StepOn => self.step_to(ply + 1),
            Action::LeapBack => self.step_to(self.leap_back()),
            Action::LeapOn => self.step_to(self.leap_on()),
            Action::First => self.step_to(0),
            Action::Last => self.step_to(self.line.len()),
            Action::Run => self.run(),
            Action::Faster => self.set_speed(self.speed + 1),
            Action::Slower => self.set_speed(self.speed.saturating_sub(1)),
            Action::OtherLine => self.turn_off(),
            Action::Review => self.review(),
            Action::BranchOff => return Some(self.branch_off()),
            Action::Confirm => self.step_to(digits.unwrap_or(ply)),
            Action::Cancel => {}
            Action::Erase => {
                self.digits = digits.map(|digits| digits / 10).filter(|&digits| digits > 0);
            }
            Action::Back => return Some(vec![Act::Pop]),
            action => {
                self.digits = digits;
                self.digit(action.digit()?);
            }
        }
        Some(Vec::new())
    }

    fn other_key(&mut self, _: &KeyEvent) -> Option<Vec<Act>> {
        let noted = self.note.take().is_some();
        (noted | self.digits.take().is_some()).then(Vec::new)
    }

    fn wheel(&mut self, back: bool, context: &mut Context) -> Option<Vec<Act>> {
        let step = if back { Action::StepBack } else { Action::StepOn };
        self.perform(step, context)
    }

    fn point(&mut self, gesture: Gesture, at: Position, area: Rect) -> Option<Vec<Act>> {
        // Nothing can be chosen on a board that is looked at.
        let scrolls = matches!(gesture, Gesture::Scroll(_) | Gesture::Leave);
        let reply = scrolls.then(|| self.record.viewer.point(gesture, at, area))?;
        (reply != Reply::Ignored).then(Vec::new)
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let review = self.review.as_ref();
        let facts = review.map(|it| it.facts(self.ply(), self.record.shown())).unwrap_or_default();
        let marks = review.map(Review::marks).unwrap_or_default();
        let line = Some(&*self.line);
        let content = PanelContent { line, marks: &marks, review, facts: &facts };
        let board = panel::draw(self.record.shown(), content, context.skin, area, buffer);
        context.targets.note(board, Target::Board);
        let status = Rect { y: area.bottom() - 1, height: 1, ..area };
        self.draw_status(context.skin, status, buffer);
        None
    }

    fn hints(&self) -> Vec<Hint> {
        if self.digits.is_some() {
            return vec![Action::Confirm.to("go there"), Action::Cancel.hint()];
        }
        let mut hints =
            vec![Hint::new(WALK, "step"), Action::Run.to(if self.runs { "stop" } else { "run" })];
        if self.record.game().branches().0.len() > 1 {
            hints.push(Action::OtherLine.hint());
        }
        hints.push(Action::Review.to(if self.review.is_some() { "no review" } else { "review" }));
        hints.push(Action::BranchOff.hint());
        hints.push(Hint::new(&[Action::First, Action::Last], "ends"));
        hints.push(Hint::new(DIGITS, "go"));
        hints.push(Hint::new(&[Action::Faster, Action::Slower], "pace"));
        hints
    }

    fn about(&self) -> (String, String) {
        let text = "A match to look at; the cursor stands on the last move. A number that is typed \
                    leads to that move. Played by itself, it makes a move every 2 seconds, every second, \
                    or about 3 a second.\n\n\
                    The review says what the position was worth before and after every move, ? behind \
                    a mistake, ?! behind a move that may be one, what was better, and shows a graph of \
                    the worth to the first seat.";
        (format!("{}, replay", self.record.entry.name), text.to_owned())
    }

    fn timer(&self) -> Option<Timer> {
        self.runs.then(|| Timer { step: self.ply(), length: SPEEDS[self.speed].1 })
    }

    fn tick(&mut self) -> Option<Vec<Act>> {
        if !self.runs {
            return None;
        }
        self.note = None;
        self.go_to_ply(self.ply() + 1);
        self.runs = self.ply() < self.line.len();
        Some(Vec::new())
    }

    fn wants(&self, _: &Context) -> Option<Question> {
        self.review.as_ref()?.wants()
    }

    fn heard(&mut self, heard: EngineEvent) -> Option<Vec<Act>> {
        let review = self.review.as_mut()?;
        match heard {
            EngineEvent::Ply(ply, report) => {
                review.learn(ply, report);
                if ply == self.ply() {
                    self.mark();
                }
            }
            EngineEvent::Reviewed => review.end(),
            EngineEvent::Failed(why) => {
                review.end();
                self.note = Some(why);
            }
            _ => return None,
        }
        Some(Vec::new())
    }

    fn hear(&mut self, line: &str) -> bool {
        self.note = Some(line.to_owned());
        true
    }
}
