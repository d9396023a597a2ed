//! The match screen: the board, the panel beside it, and the actions of a match.

mod commands;
mod engines;
mod menus;
mod peers;
mod questions;
mod states;
mod status;
mod steps;
mod time;

use menus::NOT_OVERDUE;
pub(super) use menus::ask_to_start_programs;

use super::Context;
use super::OpenMatch;
use super::assistance::Assistance;
use super::board_input::{BoardInput, Message, TypedText};
use super::command::Commands;
use super::destination::MatchStart;
use super::news::News;
use super::screen::{About, Effect, Input, PointerInput, QuestionId, Screen, Timer, WaitFor};
use super::tasks::DiskTask;
use crate::action::Action;
use crate::board::{Gesture, Pointer, Press};
use quadrille_table::engine::ValueFormat;
use quadrille_table::play::{EngineTurn, MovePace, NO_HINTS_HERE, Question};

use crate::settings::{NO_HINTS, Settings};
use crate::view::{AskedQuestion, BoardView, MoveList, PanelBody, View};
use crossterm::event::KeyEvent;
use quadrille_scene::Role;
use states::AnnouncedStates;
use std::time::Duration;

/// How long a finished round stays on the board if only engines play.
const INTERLUDE: Duration = Duration::from_secs(2);

const ENGINE_GOES_ON: &str = "press Enter to let the engine move";

/// Shown after a request that needs the consent of the other players.
const ASKED_THE_OTHERS: &str = "waiting for the others' answer";

#[allow(clippy::struct_excessive_bools, reason = "independent flags")]
pub(super) struct MatchScreen {
    pub open_match: OpenMatch,
    /// The time of play. It stops while a different screen covers this one.
    played: Duration,
    assistance: Assistance,
    input: BoardInput,
    result_shown: bool,
    settings: Settings,
    pace: MovePace,
    /// The draw offer made at this terminal that a local player refused last.
    draw_refused: Option<usize>,
    announced: AnnouncedStates,
    /// The number of the position at the last key or click.
    acted_at: Option<usize>,
}

/// Whose turn it is, or what must happen before the next turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MatchPhase {
    /// The match has guests, but its table is not open.
    NoTable,
    /// The board still shows a finished round.
    Interlude,
    Over,
    /// It is the turn of a program that needs permission to start.
    ProgramToPermit,
    Engine,
    /// It is the turn of a player at another terminal.
    Elsewhere,
    /// It is the turn of a player at this terminal.
    Here,
}

impl MatchScreen {
    pub fn begin(start: MatchStart) -> MatchScreen {
        let mut screen = MatchScreen::new(start.open());
        if start.goes_on && screen.open_match.engine_to_move().is_some() {
            screen.assistance.at_table = EngineTurn::Waits;
        }
        if let Some(note) = start.note {
            screen.input.announce_note(note);
        }
        screen
    }

    pub fn new(open_match: OpenMatch) -> MatchScreen {
        MatchScreen {
            played: open_match.session().time(),
            // A finished match without a table is opened to look at its board.
            result_shown: open_match.peers().is_none()
                && open_match.current_match().outcome().is_some(),
            open_match,
            assistance: Assistance::default(),
            input: BoardInput::default(),
            draw_refused: None,
            settings: Settings::default(),
            pace: MovePace::default(),
            announced: AnnouncedStates::default(),
            acted_at: None,
        }
    }

    /// Ends the interlude, during which the board still shows a finished round; `false` if there is none. Any key ends
    /// an interlude.
    fn end_interlude(&mut self) -> bool {
        let is_interlude = self.open_match.board.shows_interlude();
        if is_interlude {
            self.open_match.board.press(Press::Back);
        }
        is_interlude
    }

    /// Handles every change of the match, and saves it.
    fn changed(&mut self) -> Vec<Effect> {
        self.input.dismiss_if(|message| matches!(message, Message::Refusal(_)));
        self.input.drop_question();
        self.pace.restart();
        self.assistance.changed();
        self.put_labels();
        if self.open_match.current_match().outcome().is_none() {
            self.result_shown = false;
        } else {
            self.input.stop_typing_move();
            // The result replaces earlier messages in the status line.
            self.input.dismiss();
        }
        vec![Effect::run(DiskTask::Save)]
    }

    /// Puts the labels for hints and values on the board. The first use of help is recorded immediately, because a
    /// match with help does not count toward the user's strength.
    fn put_labels(&mut self) -> Option<Effect> {
        let labels = self.assistance.labels(&self.open_match, self.played);
        let is_help = !labels.is_empty() || self.assistance.hinted().is_some();
        let is_news = is_help && self.open_match.owner_mut().note_help();
        self.open_match.board.label(labels);
        is_news.then(|| Effect::run(DiskTask::Save))
    }

    /// Returns whether the match has ended, and its result must be shown as soon as no menu covers the match.
    fn has_result_to_show(&self) -> bool {
        let over = self.open_match.current_match().outcome().is_some();
        let is_seen = !self.open_match.board.shows_interlude() && !self.input.is_typing();
        over && !self.result_shown && is_seen
    }

    /// Returns whether the user is restricted to this match at another user's table.
    fn is_kiosk(&self) -> bool {
        self.open_match.peers().is_some_and(|peers| peers.is_kiosk)
    }

    fn can_undo(&self) -> bool {
        let is_watching = self.is_remote() && self.open_match.local().is_empty();
        self.open_match.can_undo() && !is_watching
    }

    /// Returns the notes shown over the board, split into short lines; `None` while the notes are hidden.
    fn note_lines(&self) -> Option<Vec<String>> {
        let table = &self.open_match;
        let notes = || table.entry.in_words(table.current_match()).notes(&table.names());
        self.input.details.notes.then(|| notes().brief)
    }

    fn only_engines_play(&self) -> bool {
        self.open_match.only_engines_play()
    }

    /// Returns whether the interlude ends after a timeout, because only engines play.
    fn passes_by_itself(&self) -> bool {
        self.open_match.board.shows_interlude() && self.only_engines_play()
    }

    fn phase(&self) -> MatchPhase {
        let table = &self.open_match;
        if table.needs_table() {
            MatchPhase::NoTable
        } else if table.board.shows_interlude() {
            MatchPhase::Interlude
        } else if table.current_match().outcome().is_some() {
            MatchPhase::Over
        } else if table.program_to_permit().is_some() {
            MatchPhase::ProgramToPermit
        } else if table.engine_to_move().is_some() {
            MatchPhase::Engine
        } else if table.turn_is_elsewhere() {
            MatchPhase::Elsewhere
        } else {
            MatchPhase::Here
        }
    }

    fn person_is_to_move(&self) -> bool {
        self.open_match.current_match().to_move().is_some()
            && !self.open_match.needs_table()
            && self.open_match.engine_to_move().is_none()
            && !self.open_match.turn_is_elsewhere()
    }
}

impl MatchScreen {
    fn perform(&mut self, action: Action, context: &Context) -> Vec<Effect> {
        let is_shown = self.shows_question(context);
        let was_news = self.input.news().is_some();
        let was_noted = self.input.dismiss() && !was_news;
        if matches!(action, Action::Agree | Action::Refuse) {
            // A key that dismisses a message, or is meant for a move, must not answer the question below the message.
            let is_covered = was_noted || !self.local_questions().is_empty();
            if is_covered && !is_shown {
                return Vec::new();
            }
            return self.answer(action == Action::Agree, context);
        }
        if action == Action::Confirm && self.input.is_typing_move() {
            if self.end_interlude() {
                return Vec::new();
            }
            if !self.person_is_to_move() {
                self.input.refuse(&self.not_to_move());
                return Vec::new();
            }
        }
        if let Some(effects) = self.board_key(action) {
            return effects;
        }
        if action == Action::Picture {
            return vec![Effect::Run(self.open_match.match_view().take_picture(context.theme))];
        }
        self.end_interlude();
        let mut effects = Vec::new();
        match action {
            Action::NextMatch => {
                let next = self.next_match(context).map(Effect::Resume);
                return next.into_iter().collect();
            }
            Action::Undo => effects = self.undo(),
            Action::Redo => effects = self.redo(),
            Action::Rematch => return self.rematch(true),
            Action::Overdue if self.open_match.claimant(self.played).is_some() => {
                return vec![self.overdue_menu()];
            }
            Action::Overdue => self.input.announce_note(NOT_OVERDUE),
            Action::NextVariation => effects = self.select_next_variation(),
            Action::Say => self.input.begin_to_type(TypedText::Chat),
            Action::Hint | Action::Values | Action::Chains if !self.settings.hints => {
                self.input.announce_note(NO_HINTS);
            }
            Action::Hint | Action::Values | Action::Chains if !self.may_help() => {
                self.input.announce_note(NO_HINTS_HERE);
            }
            Action::Chains => {
                self.input.details.notes = !self.input.details.notes;
                let said = self.note_lines().map(|lines| lines.join("; "));
                self.input.announce_note(said.unwrap_or("chains hidden".to_owned()));
            }
            Action::Values => {
                self.assistance.analyses = !self.assistance.analyses;
                effects.extend(self.put_labels());
            }
            Action::Type => self.input.begin_to_type(TypedText::Move),
            Action::Hint if self.person_is_to_move() => {
                match self.assistance.hint_line(&self.open_match) {
                    Some(hint) => self.input.announce_note(hint),
                    None => self.assistance.ask_for_hint(),
                }
            }
            Action::Hint => self.input.announce_note(self.not_to_move()),
            _ => {}
        }
        effects
    }

    fn other_key(&mut self, key: &KeyEvent) -> Option<Vec<Effect>> {
        let was_noted_or_typed = self.input.other_key(key);
        if !self.input.is_typing() && self.end_interlude() {
            return Some(Vec::new());
        }
        was_noted_or_typed.then(Vec::new)
    }

    fn point(&mut self, pointer: Pointer) -> Option<Vec<Effect>> {
        let phase = self.phase();
        if matches!(phase, MatchPhase::Interlude | MatchPhase::Over)
            && pointer.gesture == Gesture::Press
        {
            // A click has the effect of Enter.
            return self.board_key(Action::Choose);
        }
        let may_play = phase == MatchPhase::Here;
        let entered = self.input.point(pointer, may_play, &mut self.open_match);
        self.follow(entered)
    }

    fn time_passed(&mut self, time: Duration) {
        if self.time_runs() {
            self.played += time;
        }
    }

    fn tick(&mut self) -> Option<Vec<Effect>> {
        if self.has_result_to_show() {
            self.result_shown = true;
            return Some(vec![self.result()]);
        }
        if self.peers_timer().is_some() {
            return Some(self.peers_tick());
        }
        if self.passes_by_itself() {
            return self.board_key(Action::Back);
        }
        if self.person_is_to_move() {
            return Some(self.put_labels().into_iter().collect());
        }
        let found = self.pace.end()?;
        Some(self.play_for_engine(&found))
    }

    fn apply_settings(&mut self, settings: &Settings) {
        self.settings = settings.clone();
        self.pace.set(settings.pace.0, self.open_match.session());
        self.assistance.analyses &= settings.hints;
        self.input.details.notes &= settings.hints;
        self.input.apply_settings(settings);
        self.put_labels();
    }

    fn take(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
        match input {
            Input::Action(action) => Some(self.perform(action, context)),
            Input::Continue if !self.input.asks_to_confirm() => {
                self.input.dismiss();
                self.choose_beside_board()
            }
            Input::Key(key) => self.other_key(key),
            Input::Pointer(PointerInput::Board(pointer)) => self.point(pointer),
            // A shared table continues while a menu is open here.
            Input::Time { passed, is_below } if !is_below || self.is_remote() => {
                self.time_passed(passed);
                None
            }
            Input::Clock => Some(self.flag()),
            Input::Tick => self.tick(),
            Input::Pause => self.note_time().then(|| vec![Effect::run(DiskTask::Save)]),
            Input::Settings => {
                self.apply_settings(&context.settings);
                context.series_log.add_pair(&self.open_match, &context.setups);
                None
            }
            Input::Engine(event) => self.take_engine_event(event),
            Input::News(News::Table(news)) => Some(self.on_table_news(news, context)),
            Input::News(News::TableOpened) => self.should_invite().then(|| vec![self.invitation()]),
            Input::Command(command) => Some(self.run_command(command.downcast_ref()?, context)),
            Input::Answer(number, yes) => Some(self.answer_elsewhere(number, yes)),
            input => self.input.input(&input),
        }
    }
}

impl Screen for MatchScreen {
    fn commands(&self, context: &Context) -> Commands {
        self.commands_in(context)
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
        let mut is_first_key = false;
        if input.is_by_hand() {
            let node = self.open_match.current_match().node();
            is_first_key = self.acted_at.replace(node) != Some(node);
        }
        let effects = self.take(input, context);
        self.announce_states();
        // The first key hides what the opponent's move did.
        effects.or_else(|| is_first_key.then(Vec::new))
    }

    fn view<'a>(&'a self, is_live: bool, context: &'a Context) -> View<'a> {
        let helped = self.assistance.panel_lines(&self.open_match, is_live);
        let mut messages: Vec<String> = self.news_behind_question(context).into_iter().collect();
        messages.extend(self.participant_lines(context));
        let has_messages = helped.is_some() || !messages.is_empty();
        messages.extend(helped.unwrap_or_default());
        let heading = if self.is_remote() { "table" } else { "engine" };
        let moves = self.open_match.current_match().moves();
        let body = PanelBody::Moves {
            messages: has_messages.then_some((heading, messages)),
            notes: self.note_lines().unwrap_or_default(),
            list: MoveList { moves, marks: Vec::new(), ply: None },
        };
        let mut view = self.match_view().view(&self.input, body);
        let session = self.open_match.session().id();
        view.series = context.series_log.series(&self.open_match);
        view.page = session;
        view.questions = self.local_questions().iter().map(AskedQuestion::from).collect();
        view.waits_for = self.states().first().map(|state| self.describe_state(state));
        if let (Some(typing), Some(notice)) = (&mut view.typing, &context.notice) {
            typing.remark = Some((notice, Role::Strong));
        }
        if self.assistance.analyses {
            view.values = Some(self.assistance.rated(&self.open_match));
        }
        let status = self.status_line(is_live, context);
        let event = if status.is_idle { self.event(&status) } else { None };
        View::Board(BoardView { event, status, ..view })
    }

    fn about(&self) -> Option<About> {
        let entry = self.open_match.entry;
        let troubles = self.open_match.saved.save_errors();
        let troubles = troubles.map(|trouble| format!("! {trouble}"));
        let purpose = [entry.aim, entry.how_to_move].map(str::to_owned);
        let purpose: Vec<String> = troubles.chain(purpose).collect();
        let values = ValueFormat::help(self.open_match.current_match());
        let notes = self.open_match.entry.words.about_notes;
        let notes = notes.map_or(String::new(), |about| format!("{about}\n\n"));
        let details = format!(
            "UNDO. Undo steps back through the whole match, redo steps forward. A move played after an undo starts \
             a new variation; the old one is kept.\n\nVALUES. A hint is one good move. With values shown, * marks \
             the best moves and x the mistakes. Proven values have a number; the status line shows the value under \
             the cursor:\n\n{values}\n\n\
             Gray marks are not final yet.\n\n{notes}{}\
             THE RULES. {}",
            self.about_days(),
            entry.rules
        );
        Some(About::new(entry.name, purpose.join("\n\n")).with_details(details))
    }

    fn readable_question(&self, context: &Context) -> Option<QuestionId> {
        let first = self.local_questions().into_iter().next();
        first.map(|question| question.id).filter(|_| self.shows_question(context))
    }

    fn unchanged_for(&self) -> Option<Duration> {
        self.clock_unchanged_for()
    }

    fn timer(&self) -> Option<Timer> {
        if self.has_result_to_show() {
            return Some(Timer { wait: WaitFor::Result, length: Duration::ZERO });
        }
        let wait = WaitFor::Step(self.open_match.current_match().node());
        if let Some(timer) = self.peers_timer() {
            return Some(timer);
        }
        if self.passes_by_itself() {
            return Some(Timer { wait, length: INTERLUDE });
        }
        if let Some(timer) = self.assistance.timer(self.played) {
            return Some(timer);
        }
        let thinks = self.open_match.engine_to_move().is_some()
            && self.assistance.needs_engine(&self.open_match);
        self.pace.least().filter(|_| thinks).map(|length| Timer { wait, length })
    }

    fn question(&self, context: &Context) -> Option<Question> {
        if self.open_match.needs_table() {
            return None;
        }
        let ponders = self.settings.ponder && !self.open_match.board.shows_interlude();
        let question = self.assistance.question(&self.open_match, context.seed, self.played);
        question.or_else(|| self.open_match.ponder_question().filter(|_| ponders))
    }

    fn open_match(&self) -> Option<&OpenMatch> {
        Some(&self.open_match)
    }

    fn open_match_mut(&mut self) -> Option<&mut OpenMatch> {
        Some(&mut self.open_match)
    }

    fn leave(self: Box<Self>) -> Option<OpenMatch> {
        Some(self.open_match)
    }
}
