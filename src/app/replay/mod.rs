//! The replay viewer, for finished matches and running tournament games.

mod follow;
mod mistakes;
mod status;

use super::Context;
use super::board_input::{BoardInput, EntryResult};
use super::command::{Command, Commands};
use super::destination::MatchStart;
use super::news::News;
use super::open_match::OpenRecord;
use super::review::Review;
use super::screen::{About, Effect, Input, PointerInput, Screen, Timer, WaitFor};
use crate::action::{Action, DIGITS, KeyHint};
use crate::board::AnyBoard;
use crate::view::{BoardView, MoveList, PanelBody, View};
use follow::Follow;
use quadrille_match::session::{Match, MoveComment};
use quadrille_rules::Seat;
use quadrille_table::engine::ValueFormat;
use quadrille_table::play::{EngineEvent, Question};
use std::time::Duration;

pub(super) struct ReplayScreen {
    record: OpenRecord,
    line: Vec<(Seat, String)>,
    /// The players' evaluations of the moves in `line`; empty if there are none.
    comments: Vec<Option<MoveComment>>,
    /// The number of moves that lead to the current position. If the last of these moves was a mistake, the board shows
    /// the position before it and marks the better moves.
    ply: usize,
    /// The position at which the match ended, if moves were taken back from there.
    ended: Option<usize>,
    /// The plies at which variations branch off, in order.
    forks: Vec<usize>,
    runs: bool,
    /// An index into [`SPEEDS`].
    speed: usize,
    digits: Option<usize>,
    review: Option<Review>,
    is_review: bool,
    /// Whether to go to the first mistake when the review is done. Any key clears this flag.
    goes_to_mistake: bool,
    /// Used for scrolling the board and for messages. A replay accepts no moves.
    input: BoardInput,
    /// The tournament game that this replay follows, until the game's record is read.
    follow: Option<Follow>,
    /// The place whose texts were announced.
    announced: Option<ReplayPlace>,
}

/// A ply, the length of the line, the variation to follow, and whether the review is done.
type ReplayPlace = (usize, usize, Option<usize>, bool);

/// The speeds: their names, and the time per move.
const SPEEDS: [(&str, Duration); 3] = [
    ("slow, 2 s per move", Duration::from_secs(2)),
    ("normal, 1 s per move", Duration::from_secs(1)),
    ("fast, 0.3 s per move", Duration::from_millis(300)),
];

const STEP_KEYS: &[Action] = &[Action::StepBack, Action::LeapOn, Action::LeapBack, Action::StepOn];

/// The length of a long step, in plies.
const LEAP: usize = 10;

impl ReplayScreen {
    /// Opens a match in its first position, along its main line.
    pub fn new(record: OpenRecord) -> ReplayScreen {
        let mut replay = ReplayScreen {
            ended: record.end,
            record,
            line: Vec::new(),
            comments: Vec::new(),
            ply: 0,
            forks: Vec::new(),
            runs: false,
            speed: 1,
            digits: None,
            review: None,
            is_review: false,
            goes_to_mistake: false,
            input: BoardInput::default(),
            follow: None,
            announced: None,
        };
        replay.read_line();
        replay.go_to_ply(0);
        replay
    }

    /// Reads the line to follow, and leaves the match at the end of this line.
    fn read_line(&mut self) {
        let mut game = self.record.current_match().clone();
        self.record.go_to_end(&mut game);
        self.record.viewer.change().go_to_node(game.node());
        self.comments = self.record.comments();
        self.line = game.moves().to_vec();
        let line = game.path().iter().enumerate();
        let forks = line.filter(|&(_, node)| self.branches(&game, *node) > 1);
        self.forks = forks.map(|(ply, _)| ply).collect();
    }

    /// Returns the number of ways to go on from this position. One is to stop where the match ended.
    fn branches(&self, game: &Match, node: usize) -> usize {
        game.children(node).len() + usize::from(self.ended == Some(node))
    }

    fn go_to_ply(&mut self, ply: usize) {
        self.ply = ply.min(self.line.len());
        self.show();
    }

    /// Shows the position at the current ply, with the values of its moves.
    fn show(&mut self) {
        let ply = self.ply;
        let review = self.review.as_ref();
        let mistake = review.and_then(|review| review.mistake(ply));
        let labels = match (review, mistake) {
            (Some(review), Some(_)) => review.on_board_before(ply),
            (Some(review), None) => review.on_board(ply),
            (None, _) => Vec::new(),
        };
        // The cursor marks the last move, even if the board shows the position before this move.
        self.record.viewer.change().go_to_ply(ply);
        self.record.viewer.board.go_to_last_move();
        if mistake.is_some() {
            self.record.viewer.change().go_to_ply(ply - 1);
        }
        self.record.viewer.board.label(labels);
    }

    /// Goes to a different ply, and stops a running replay.
    fn step_to(&mut self, ply: usize) {
        self.runs = false;
        let ply = ply.min(self.line.len());
        if ply == self.ply && ply == 0 {
            self.input.announce_note("already at the start");
        } else if ply == self.ply && ply == self.line.len() {
            self.input.announce_note("already at the end");
        }
        self.go_to_ply(ply);
    }

    /// Returns the target ply of a long step: [`LEAP`] plies away, or the next fork if it is nearer.
    fn leap(&self, back: bool) -> usize {
        let ply = self.ply;
        let mut forks = self.forks.iter().copied();
        if back {
            let leap = ply.saturating_sub(LEAP);
            forks.rfind(|&fork| fork < ply).map_or(leap, |fork| fork.max(leap))
        } else {
            let leap = ply + LEAP;
            forks.find(|&fork| fork > ply).map_or(leap, |fork| fork.min(leap))
        }
    }

    fn run(&mut self) {
        self.runs = !self.runs && !self.line.is_empty();
        if self.runs && self.ply == self.line.len() {
            self.go_to_ply(0);
        }
    }

    fn set_speed(&mut self, speed: usize) {
        self.speed = speed.min(SPEEDS.len() - 1);
        self.input.announce_note(SPEEDS[self.speed].0);
    }

    fn follow_next_line(&mut self) {
        self.runs = false;
        let ply = self.ply;
        self.record.viewer.change().go_to_ply(ply);
        let game = self.record.current_match();
        let (node, children) = (game.node(), game.children(game.node()));
        if self.branches(game, node) < 2 {
            self.input.announce_note("no other variation here");
            self.show();
            return;
        }
        let (_, followed) = game.branches();
        let stops = self.record.end == Some(node);
        let next = followed.filter(|_| !stops).map_or(0, |line| line + 1);
        self.record.end.take_if(|_| stops);
        if self.ended == Some(node) && next == children.len() {
            self.record.end = self.ended;
        } else {
            let next = children[next % children.len()];
            self.record.viewer.change().select_variation(next);
        }
        // A review of another variation is not one of the record.
        (self.review, self.record.filed) = (None, None);
        self.read_line();
        self.go_to_ply(ply);
    }

    fn branch_off(&mut self) -> Vec<Effect> {
        self.runs = false;
        let game = self.record.current_match();
        if game.outcome().is_some() && game.termination().is_none() {
            self.input.announce_note("the match is over");
            return Vec::new();
        }
        let programs = self.record.programs();
        let has_programs = !programs.is_empty();
        let note = has_programs.then(|| format!("you play for {}", programs.join(" and ")));
        let mut start = MatchStart::of(&self.record.branch_off());
        (start.note, start.goes_on) = (note, true);
        vec![Effect::open(start)]
    }

    fn digit(&mut self, digit: u8) {
        self.runs = false;
        let ply = self.digits.unwrap_or(0).saturating_mul(10).saturating_add(digit.into());
        self.digits = Some(ply.min(99_999));
    }
}

impl ReplayScreen {
    fn perform(&mut self, action: Action, context: &Context) -> Option<Vec<Effect>> {
        self.input.dismiss();
        let digits = self.digits.take();
        self.goes_to_mistake = false;
        let ply = self.ply;
        match action {
            Action::StepBack => self.step_to(ply.saturating_sub(1)),
            Action::StepOn => self.step_to(ply + 1),
            Action::LeapBack => self.step_to(self.leap(true)),
            Action::LeapOn => self.step_to(self.leap(false)),
            Action::First => self.step_to(0),
            Action::Last => self.step_to(self.line.len()),
            Action::Run => self.run(),
            Action::Faster => self.set_speed(self.speed + 1),
            Action::Slower => self.set_speed(self.speed.saturating_sub(1)),
            Action::NextVariation => self.follow_next_line(),
            Action::Review => self.review(),
            Action::NextMistake => self.step_to_mistake(true),
            Action::PreviousMistake => self.step_to_mistake(false),
            Action::BranchOff => return Some(self.branch_off()),
            Action::OwnMistakes => {
                return Some(vec![Effect::Open(self.record.mistakes())]);
            }
            Action::Picture => {
                return Some(vec![Effect::Run(
                    self.record.match_view().take_picture(context.theme),
                )]);
            }
            Action::Confirm => self.step_to(digits.unwrap_or(ply)),
            Action::Cancel => {}
            Action::Erase => {
                self.digits = digits.map(|digits| digits / 10).filter(|&digits| digits > 0);
            }
            // If the review was started in this replay, the first Esc only ends the review.
            Action::Back if self.review.is_some() && !self.is_review => self.review(),
            Action::Back => return Some(vec![Effect::Pop]),
            action => {
                self.digits = digits;
                self.digit(action.digit()?);
            }
        }
        Some(Vec::new())
    }

    fn tick(&mut self) -> Option<Vec<Effect>> {
        if !self.runs {
            return None;
        }
        self.input.dismiss();
        self.go_to_ply(self.ply + 1);
        self.runs = self.ply < self.line.len();
        Some(Vec::new())
    }

    fn engine_event(&mut self, event: EngineEvent, context: &Context) -> Option<Vec<Effect>> {
        let review = self.review.as_mut()?;
        match event {
            EngineEvent::Ply(ply, report) => {
                review.add_report(ply, report);
                if ply == self.ply || ply + 1 == self.ply {
                    self.show();
                }
            }
            EngineEvent::Reviewed => {
                self.end_review();
                return Some(self.note_review(context).into_iter().collect());
            }
            EngineEvent::Failed(why) => {
                self.end_review();
                self.input.announce_note(why);
            }
            _ => return None,
        }
        Some(Vec::new())
    }
}

impl ReplayScreen {
    fn take(&mut self, input: Input, context: &Context) -> Option<Vec<Effect>> {
        match input {
            Input::Action(action) => return self.perform(action, context),
            Input::Continue => return self.perform(Action::StepOn, context),
            Input::Key(_) => {
                let had_message = self.input.dismiss();
                return (self.digits.take().is_some() || had_message).then(Vec::new);
            }
            Input::GoTo(entry) => {
                self.goes_to_mistake = false;
                self.step_to(entry + 1);
            }
            Input::Pointer(PointerInput::Wheel { back }) => {
                let step = if back { Action::StepBack } else { Action::StepOn };
                return self.perform(step, context);
            }
            Input::Pointer(PointerInput::Board(pointer)) => {
                let entered = self.input.point(pointer, false, &mut self.record.viewer);
                return (entered != EntryResult::Nothing).then(Vec::new);
            }
            Input::Tick => return self.tick(),
            Input::Settings => {
                self.input.apply_settings(&context.settings);
            }
            Input::Engine(event) => return self.engine_event(event, context),
            Input::News(News::Tournament(update)) => return Some(self.look_at_game(update)),
            Input::News(News::Game(game, record)) if self.follows(game) => self.end_with(record),
            input => return self.input.input(&input),
        }
        Some(Vec::new())
    }
}

impl Screen for ReplayScreen {
    fn commands(&self, _: &Context) -> Commands {
        let is_typing = self.digits.is_some();
        let is_reviewed = self.review.is_some();
        let game = self.record.current_match();
        let branches = self.branches(game, game.node()) > 1;
        let review = if is_reviewed { "close review" } else { "review" };
        let mistakes = KeyHint::new(&[Action::NextMistake, Action::PreviousMistake], "mistakes");
        let last = Command::from(Action::Last.to("latest")).typed_as("end").about("go to the end");
        let first = Command::from(Action::First.hint());
        let commands = Commands::default()
            .show(KeyHint::new(STEP_KEYS, "step"))
            .show(Action::Run.to(if self.runs { "stop" } else { "autoplay" }))
            .show_if(self.runs, KeyHint::new(&[Action::Faster, Action::Slower], "speed"))
            .add([Command::from(Action::NextVariation.hint()).shown_if(branches)])
            .show_if(is_reviewed, mistakes)
            // A game in progress cannot be reviewed.
            .show_if(self.follow.is_none(), Action::Review.to(review))
            .add([last.shown_if(self.follow.is_some() && self.ply < self.line.len())])
            .show(Action::BranchOff.hint())
            .add([Command::from(Action::OwnMistakes.hint()).shown_if(is_reviewed)])
            .show(KeyHint::new(&[Action::First, Action::Last], ""))
            .show(KeyHint::new(DIGITS, "go to"))
            .add([first.typed_as("start").about("go to the start").shown_if(false)])
            .hide(STEP_KEYS)
            .hide(if is_reviewed { &[Action::NextMistake, Action::PreviousMistake] } else { &[] })
            .hide(&[Action::Faster, Action::Slower, Action::Picture])
            .show(Action::Leave.to("back"));
        if is_typing {
            let shown = [Action::Confirm.to("go there"), Action::Cancel.hint()];
            return commands.hide(&[Action::Erase]).with_footer(shown.map(Command::from));
        }
        commands.hide(&[Action::Back])
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
        let effects = self.take(input, context);
        self.announce_place();
        effects
    }

    fn view(&self, _: bool, _: &Context) -> View<'_> {
        let (review, shown) = (self.review.as_ref(), self.match_view());
        let marks = review.map(Review::marks).unwrap_or_default();
        let list = MoveList { moves: &self.line, marks, ply: Some(self.ply) };
        let view =
            shown.view(&self.input, PanelBody::Moves { messages: None, notes: Vec::new(), list });
        let kind = match review {
            Some(_) => ", review",
            None if shown.is_replay => ", replay",
            None => "",
        };
        View::Board(BoardView {
            title: format!("{}{kind}", shown.entry.name),
            verdict: review.map(|review| review.sentences(self.ply, shown)).unwrap_or_default(),
            course: review.map(|review| review.course(self.ply)),
            waits_for: self.place().into_iter().next(),
            status: self.status(true),
            bare_status: Some(self.status(false)),
            ..view
        })
    }

    fn about(&self) -> Option<About> {
        let purpose = match &self.follow {
            Some(_) => {
                "This game is running. New moves appear as long as you are at the last move."
            }
            None => "Step through the match, or let an engine review every move.",
        };
        let shown = self.record.match_view();
        let [first, second] = [Seat::FIRST, Seat::SECOND].map(|seat| shown.name(seat));
        let wins = |name| match ValueFormat::of(shown.game) {
            ValueFormat::Outcome => format!("+1 is a proven win for {name}"),
            ValueFormat::Margin | ValueFormat::Round => format!("+1 means that {name} wins by 1"),
        };
        let details = format!(
            "STEPPING. The cursor is on the last move. Type a number to go to that move. Autoplay shows a move \
             every 2 s, 1 s or 0.3 s.\n\nTHE REVIEW. After the review, the screen shows the first mistake: the \
             position before it, the move played and a better one. In the list of moves, ? marks a mistake and ?! a \
             possible mistake. On the board, * marks the best moves and x the mistakes, with proven values:\n\n{}\n\n\
             THE GRAPH. The graph below the board runs from the first move to the last, with x at each mistake. \
             Bars above the line favor {first}, bars below it {second}. Scale: {}, and -1 the same for {second}.",
            ValueFormat::help(shown.game),
            wins(first),
        );
        Some(
            About::new(format!("{}, replay", self.record.entry.name), purpose)
                .with_details(details),
        )
    }

    fn timer(&self) -> Option<Timer> {
        self.runs.then(|| Timer { wait: WaitFor::Step(self.ply), length: SPEEDS[self.speed].1 })
    }

    fn question(&self, _: &Context) -> Option<Question> {
        self.review.as_ref()?.question()
    }

    fn board_mut(&mut self) -> Option<&mut dyn AnyBoard> {
        Some(&mut *self.record.viewer.board)
    }
}
