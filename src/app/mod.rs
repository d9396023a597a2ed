//! The app: a stack of screens that handles events and returns tasks.
//!
//! The app is pure: it uses no files, clocks, threads or terminal. [`runtime`] passes the terminal's events to it and
//! carries out its [`Task`]s; tests send key events and read a buffer. Times are durations since a fixed start.
//! Callbacks, such as the one passed to [`App::with_program_check`], provide facts about the outside world.
//!
//! # Screens
//!
//! Screens are independent of each other. A `Destination` describes a screen as plain data, and only `navigation`
//! builds screens, so a new screen needs a file, a `Destination`, and a line in `navigation`. [`App::update`] takes an
//! event and returns tasks, or `None` if nothing has changed; [`App::draw`] draws into a buffer.
//!
//! A screen returns its [`Command`]s (`Screen::commands`): what works, with which word in the footer, and as which
//! entry of its menu. [`action::LIST`](crate::action::LIST) declares the keys, the wording, the words of plain mode and
//! the kinds of screens for each action. Key handling, the footer, help, menus and plain mode derive from these two.
//! Key names appear in no other file, except for fixed keys such as Enter in sentences. Keys, mouse events, elapsed
//! time, news and engine results reach a screen as an `Input`. The screen returns effects (`Effect`): open a
//! `Destination` on top or in place of the screen, pop the screen, change a setting, run a task. `News` is offered to
//! the screens from the top down until one returns `Some`; a screen that passes the news on returns `None`. The pause
//! menu, the result and every question are a `Menu` over a screen. Its entries are commands: an action of the screen
//! below, or effects; `Effect::Command` holds a command that only that screen understands.
//!
//! A screen returns a `View`, and `tui` draws it. A board in a view is a scene: the renderer places it, scrolls it,
//! animates it and finds the place under the mouse (`BoardOnScreen`). The renderer records the click targets
//! (`App::targets`) and the visible part (`Context::feedback`). Only `ListState` moves a cursor by keys, pages and
//! the wheel, and only `Scroll` scrolls a text. `App::mouse` looks up the click target and does what the corresponding
//! key would do, so clicks need no code of their own. A message that covers rows of the board is a target too: a click
//! dismisses it. Nothing below a menu can be clicked. A mouse report that changes nothing causes no redraw.
//!
//! Imports between the files form no cycles, with two exceptions: `motion`, `mouse` and `unprompted` contain parts of
//! the state and of the `impl` of [`App`], and the files in a large screen's folder import each other.
//!
//! # A match on the screen
//!
//! Matches, puzzles, lessons and replays each have a `BoardInput`, which enters moves, and a `BoardView`, which
//! `tui::board` draws at any size. The turn, the result and the available keys are always read from the match and never
//! copied. A step is proposed with [`Table::propose`]: a local match performs it immediately; a shared table receives
//! it as a request and logs it for all players. [`App::follow_table`] handles the messages of the table; a message that
//! needs an answer waits until no menu covers the match. A message too long for the status line also uses the free rows
//! above it and, until the next key press, rows of the board. A menu replaces the panel, or covers the middle of the
//! screen if there is no panel.
//!
//! A screen with a board logs what happened as `Announcement`s: events, refusals and
//! questions. A lasting state, such as a lost connection, is logged when it begins. Plain mode reads the log out.
//!
//! # Time
//!
//! The runtime provides the time, and [`App::deadline`] returns when the next [`App::tick`] is due; if nothing is
//! running, there is no deadline. `Screen::timer` returns how long the screen waits and for what; the deadline changes
//! only when this answer does. The time of play is the time during which a match screen is on top, except while people
//! must read a message first, while an engine waits, and while a program starts. While a clock runs,
//! `Screen::unchanged_for` returns how long the screen looks unchanged, so the program wakes up exactly when a digit
//! changes. In a match with clocks, neither the pace nor animations delay engine moves.
//!
//! After every event the app shows the board's scene to the renderer, which starts an animation if the same board has
//! changed. While the animation runs, the deadline is the next frame, 25 ms later;
//! late frames are skipped. A key or a click first ends the animation and then takes effect. Just after the animation
//! of an opponent's move has begun, clicks and the keys that choose only end the animation; so do all keys and clicks
//! while the winner is shown at the end of a match. Animations affect only the drawing, with two exceptions: an engine's
//! move that arrives during an animation is played when the animation ends, so that each move is seen; and the result
//! of a match is shown after the winner. If writing a frame takes longer than a frame lasts ([`App::drawn`]),
//! animations are off for the rest of the run, unless the setting is `always`.
//!
//! # Changes without a key
//!
//! A screen can change by itself while the user is about to press a key: the connection to a table returns, a page
//! closes, another player ends the match. `unprompted` is the only place that notices this, and `guard` decides which
//! keys and clicks are swallowed then. The runtime calls [`App::notice_changes`] before it draws and [`App::drawn`]
//! when the terminal shows the drawing, which starts the time of the guard. A question between players has a guard of
//! its own, for the keys that answer it.
//!
//! # Engines
//!
//! A screen returns its current question to the engines (`Screen::question`) and keeps no record of work in progress;
//! `pending` turns each change of the question into an [`EngineTask`]. So undo, opening a menu, leaving and starting a
//! new match need no code to stop an engine. Results with an outdated ticket are dropped.
//!
//! Unless the locale uses UTF-8, everything is drawn in ASCII; [`App::draw`] replaces non-ASCII letters in users' texts
//! with question marks.
//!
//! Known limitation: saving a move blocks the main thread for a few milliseconds.

pub mod runtime;

mod about;
mod assistance;
mod board_input;
mod command;
mod context;
mod destination;
mod drawing;
mod effects;
mod gif_screen;
mod guard;
mod home;
mod host;
mod lessons;
mod library;
mod lines;
mod list;
mod match_screen;
mod menu;
mod menu_screen;
mod mistakes;
mod motion;
mod mouse;
mod navigation;
mod news;
mod open_match;
mod pending;
mod puzzle;
mod reader;
mod record_summary;
mod replay;
mod resuming;
mod review;
mod screen;
mod scroll;
mod series_log;
mod settings;
mod setup;
mod shared_table;
mod stack_entry;
mod statistics;
mod statistics_screen;
mod tasks;
mod text_field;
mod tournament;
mod unfinished;
mod unfinished_screen;
mod unprompted;

pub use command::{Command, Commands};
pub use host::Host;
pub use news::CountedRecords;
pub use open_match::{OpenMatch, OpenRecord};
pub use quadrille_table::play::{Ask, EngineEvent, Question, Respondent, Saved, Table};
pub use record_summary::RecordSummary;
pub use statistics::{Accuracy, GameStatistics, NO_RESULTS, Pair, Statistics, game_name};
pub use tasks::{DiskTask, EngineTask, RecordTask, Task, TerminalTask};
pub use unfinished::SavedMatch;

use crate::action::{Action, KeyHint, KeySet, Keymap};
use crate::board::{Press, Skin};
use crate::settings::{Graphics, Setting, Settings};
use crate::tui::images::BoardImages;
pub use crate::tui::images::{BoardImage, RESERVED};
use crate::tui::{ScreenStyle, targets, text};
use context::Context;
use crossterm::event::{Event, KeyEvent, KeyEventKind, MouseEventKind};
use destination::Destination;
use guard::Pressed;
use jiff::Zoned;
use match_screen::ask_to_start_programs;
use menu::Menu;
use motion::Motion;
use mouse::{Focus, Mouse};
use news::News;
use pending::PendingQuestion;
use quadrille_arena::tournament::LiveTournament;
use quadrille_match::session::ProgramSeat;
use quadrille_match::store::LastSetup;
use quadrille_match::store::progress::Progress;
use quadrille_puzzles::PuzzleSet;
use quadrille_puzzles::lessons::Lesson;
use quadrille_rules::Seat;
use quadrille_scene::cells::BoardOnScreen;
use quadrille_scene::colour::Rgb;
use quadrille_scene::pixels::CellSize;
use quadrille_scene::{Glyphs, TerminalColour, Theme};
use quadrille_system::job_control::HAS_SUSPENSION;
use quadrille_table::catalogue::GameEntry;
use quadrille_table::play::program::ProgramLimits;
use screen::{Effect, Input, Timer, all_commands};
use series_log::KeyAssignment;
use stack_entry::StackEntry;
use std::borrow::Cow;
use std::cell::{Cell, Ref};
use std::sync::Arc;
use std::time::Duration;
use targets::Targets;
use tournament::TournamentPoller;
use unfinished::Unfinished;
use unprompted::Unprompted;

/// The complete state of the program.
///
/// ```
/// use crossterm::event::{Event, KeyCode};
/// use quadrille::app::{App, Task, TerminalTask};
/// use quadrille::board::Skin;
///
/// let mut app = App::new(Skin::default(), 1);
/// let tasks = app.update(&Event::Key(KeyCode::Char('q').into()));
/// assert_eq!(tasks, Some(vec![Task::Terminal(TerminalTask::Quit)]));
/// ```
pub struct App {
    /// The screens, bottom first. Never empty: leaving the first screen ends the program.
    stack: Vec<StackEntry>,
    next_id: usize,
    context: Context,
    style: ScreenStyle,
    pending: PendingQuestion,
    /// The most recent time passed to the app.
    now: Duration,
    /// The timer of the top screen, and the time at which it ends.
    timer: Option<(Timer, Duration)>,
    /// Whether the screen was too small at the last drawing. If so, most keys do nothing, because their effect would be
    /// invisible.
    cramped: Cell<bool>,
    /// The click targets in the last drawing.
    targets: Targets,
    mouse: Mouse,
    focus: Focus,
    board: BoardOnScreen,
    /// The images in the last drawing.
    images: BoardImages,
    motion: Motion,
    unprompted: Unprompted,
    /// News of the match under the page with this id, shown in the last line of that page.
    page_note: Option<(usize, String)>,
    poller: Option<TournamentPoller>,
    course: Option<PuzzleSet>,
    /// How many views of screens were made.
    #[cfg(test)]
    pub(crate) views_made: Cell<usize>,
}

impl App {
    /// Creates an app with the home screen. `seed` is the first seed that setup screens offer for random layouts.
    pub fn new(skin: Skin, seed: u32) -> App {
        let mut app = App {
            stack: Vec::new(),
            next_id: 0,
            context: Context::new(skin.theme(), seed),
            style: ScreenStyle::new(skin),
            pending: PendingQuestion::default(),
            now: Duration::ZERO,
            timer: None,
            cramped: Cell::new(false),
            targets: Targets::default(),
            mouse: Mouse::default(),
            focus: Focus::default(),
            board: BoardOnScreen::default(),
            images: BoardImages::default(),
            motion: Motion::default(),
            unprompted: Unprompted::default(),
            page_note: None,
            poller: None,
            course: None,
            #[cfg(test)]
            views_made: Cell::default(),
        };
        app.context.is_ascii = *skin.glyphs() != Glyphs::FULL;
        app.push(Destination::Home);
        app
    }

    /// Adds the themes that [`Action::NextTheme`] cycles through. They are read on first use.
    #[must_use]
    pub fn with_themes(mut self, themes: impl FnOnce() -> Vec<&'static Theme> + 'static) -> App {
        self.context.offer_themes(Box::new(themes));
        self
    }

    /// Sets the check that runs before a match for the program at each seat; it returns the name of the file if the
    /// program is missing. By default no program counts as missing.
    #[must_use]
    pub fn with_program_check(
        mut self,
        missing: impl Fn(&ProgramSeat) -> Option<String> + 'static,
    ) -> App {
        self.context.missing_program = Box::new(missing);
        self
    }

    /// Sets the source of the current local time. The default is the start of 1970.
    #[must_use]
    pub fn with_calendar(mut self, now: impl Fn() -> Zoned + 'static) -> App {
        self.context.now = Box::new(now);
        self
    }

    /// Sets the settings; `note` says where they are saved, or why they are not. The theme of the skin passed to
    /// [`App::new`] is kept.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings, note: String) -> App {
        (self.context.settings, self.context.settings_note) = (settings, note);
        self.apply_settings();
        self
    }

    /// Takes a color that the terminal has reported. Returns whether this changes the screen.
    pub fn set_terminal_colour(&mut self, which: TerminalColour, colour: Rgb) -> bool {
        let before = self.style.skin;
        self.style.reported.report(which, colour);
        self.style.follow(&self.context.settings, self.context.theme);
        self.style.skin != before
    }

    /// Sets the size of a terminal cell in pixels. From now on, boards are drawn as images ([`App::images`]) if they fit;
    /// with `None`, in cells.
    pub fn show_images(&self, cell: Option<CellSize>) {
        self.images.set_cell(cell);
    }

    /// Returns the boards in the last drawing that are shown as images. Their cells contain [`RESERVED`], except where
    /// something else covers them.
    pub fn images(&self) -> Ref<'_, [BoardImage]> {
        self.images.all()
    }

    pub const fn skin(&self) -> Skin {
        self.style.skin
    }

    pub const fn graphics(&self) -> Graphics {
        self.context.settings.graphics
    }

    fn apply_settings(&mut self) {
        self.style.follow(&self.context.settings, self.context.theme);
        self.context.is_ascii = *self.style.skin.glyphs() != Glyphs::FULL;
        for screen in &mut self.stack {
            screen.input(Input::Settings, &mut self.context);
        }
    }

    fn send_input(&mut self, input: Input) -> Option<Vec<Effect>> {
        self.stack.last_mut()?.input(input, &mut self.context)
    }

    /// Removes the home screen. Leaving the next screen then ends the program.
    #[must_use]
    pub fn without_home(mut self) -> App {
        self.stack.clear();
        self
    }

    /// Opens a match; see [`App::begin`].
    #[must_use]
    pub fn with_match(mut self, open_match: OpenMatch) -> App {
        self.begin(open_match);
        self
    }

    /// Opens a puzzle of this course once the progress is available.
    #[must_use]
    pub fn with_puzzles(mut self, course: PuzzleSet) -> App {
        self.course = Some(course);
        self
    }

    /// Replaces the home screen with the screen of a running tournament. The games per second are measured over the
    /// time between calls of [`App::tick`].
    #[must_use]
    pub fn with_tournament(mut self, live: LiveTournament) -> App {
        let (poller, seen) = TournamentPoller::new(live);
        self.stack.clear();
        self.push(Destination::Tournament(poller.live().clone(), Box::new(seen)));
        self.poller = Some(poller);
        self
    }

    /// Replaces the home screen with the replay viewer. Leaving the viewer ends the program.
    #[must_use]
    pub fn with_replay(mut self, record: OpenRecord) -> App {
        self.stack.clear();
        self.open_replay(record);
        self
    }

    /// Opens the lessons of a game; `None` opens the list of games with lessons.
    #[must_use]
    pub fn with_lessons(mut self, entry: Option<&'static GameEntry>) -> App {
        self.push(entry.map_or(Destination::Games(0), Destination::Lessons));
        self
    }

    /// Replaces the home screen with a lesson. Leaving the lesson ends the program.
    #[must_use]
    pub fn with_lesson(mut self, lesson: Arc<Lesson>) -> App {
        self.stack.clear();
        self.push(Destination::Lesson(lesson));
        self
    }

    /// Returns the tournament on the screen. When the tournament rings its bell, call [`App::deadline`] again.
    pub fn tournament(&self) -> Option<&LiveTournament> {
        self.poller.as_ref().map(TournamentPoller::live)
    }

    pub fn begin(&mut self, open_match: OpenMatch) {
        let asked = ask_to_start_programs(&open_match);
        self.push_screen(navigation::match_screen(open_match));
        if let Some(menu) = asked {
            self.push(menu.into());
        }
    }

    pub fn program_limits(&self) -> ProgramLimits {
        ProgramLimits { memory: u64::from(self.context.settings.program_memory) << 20 }
    }

    /// Returns the session id of the match on the screen; `None` once this match is over. The programs of all other
    /// matches can be stopped.
    pub fn session_in_play(&self) -> Option<u64> {
        let open_match =
            self.open_match().filter(|open_match| open_match.current_match().outcome().is_none());
        open_match.map(|open_match| open_match.session().id())
    }

    /// Sets the saved matches that can be resumed, latest first.
    pub fn set_unfinished(&mut self, saved: Vec<SavedMatch>) {
        unfinished::merge_saved(&mut self.context.unfinished, saved);
        self.send_news(News::Unfinished);
    }

    /// Sets the name of the user in the last setup, if there is one.
    pub fn set_last_name(&mut self, name: Option<String>) {
        self.context.last_name = name.unwrap_or_default();
    }

    /// Returns the user's name; may be empty.
    pub fn usual_name(&self) -> String {
        self.context.usual_name().to_owned()
    }

    pub fn local_time(&self) -> Zoned {
        self.context.now()
    }

    /// Sets the login name, which is the user's name until another one is used or set.
    pub fn set_login_name(&mut self, name: String) {
        self.context.login_name = name;
    }

    /// Sets the last setup of each game, latest first. Setup screens offer it again.
    pub fn remember(&mut self, setups: Vec<LastSetup>) {
        self.context.setups = setups;
        // A resumed match may have been opened without them.
        self.context.series_log.forget_pairs();
        self.apply_settings();
    }

    /// Sets the recorded progress. The app itself adds the events that screens record later.
    pub fn set_progress(&mut self, progress: Progress) {
        self.context.progress = progress;
        if let Some(course) = self.course.take() {
            self.push(course.into());
        }
    }

    pub fn progress(&self) -> &Progress {
        &self.context.progress
    }

    /// Returns the matches with unsaved moves, which would be lost if the program ended now.
    pub fn unsaved_mut(&mut self) -> impl Iterator<Item = &mut Table> {
        let on_screen = self.stack.iter_mut().filter_map(|screen| screen.open_match_mut());
        let in_memory =
            self.context.unfinished.iter_mut().filter_map(|unfinished| match unfinished {
                Unfinished::InMemory(_, open_match) => Some(&mut **open_match),
                Unfinished::Stored(_) => None,
            });
        let tables = on_screen.chain(in_memory).map(OpenMatch::owner_mut);
        tables.filter(|table| table.can_be_lost())
    }

    /// Returns all matches on the stack, the one on the screen last.
    pub fn tables_mut(&mut self) -> impl Iterator<Item = &mut Table> {
        let open = self.stack.iter_mut().filter_map(|screen| screen.open_match_mut());
        open.map(OpenMatch::owner_mut)
    }

    /// Returns the match on the screen, including a match under a menu.
    pub fn open_match(&self) -> Option<&OpenMatch> {
        self.stack.iter().rev().find_map(|screen| screen.open_match())
    }

    /// Returns the match on the screen, so that the caller can record where it is saved.
    pub fn open_match_mut(&mut self) -> Option<&mut OpenMatch> {
        self.stack.iter_mut().rev().find_map(|screen| screen.open_match_mut())
    }

    /// Sets the records, and a line about the fault of each damaged file. Called in response to [`RecordTask::List`].
    pub fn records(&mut self, records: &[RecordSummary], damaged: &[String]) {
        self.send_news(News::Records(records, damaged));
    }

    /// Changes the id of a record. Called in response to [`RecordTask::Rename`].
    pub fn renamed(&mut self, id: &str, to: &str) {
        self.send_news(News::Renamed(id, to));
    }

    /// Shows the results counted so far; `false` if the requesting screen is closed, so that counting can stop. Called
    /// in response to [`RecordTask::Count`].
    pub fn counted(&mut self, counted: &CountedRecords) -> bool {
        self.send_news(News::Counted(counted))
    }

    /// Returns the result of the last daily puzzle or rush as a line to share, printed after the terminal is restored.
    pub fn line_to_share(&self) -> Option<String> {
        self.context.line_to_share.borrow().clone()
    }

    /// Passes news to the topmost screen that handles it; `false` if no screen does.
    fn send_news(&mut self, news: News) -> bool {
        let mut screens = self.stack.iter_mut().rev();
        screens.any(|screen| screen.input(Input::News(news), &mut self.context).is_some())
    }

    /// Opens a match for viewing, in its first position and with the moves that redo would play. Called in response to
    /// [`RecordTask::Read`].
    pub fn open_replay(&mut self, record: OpenRecord) {
        self.push(Destination::Replay(Box::new(record)));
    }

    /// Opens puzzles made from the mistakes of people in a match. Called in response to [`RecordTask::Mistakes`].
    pub fn open_mistakes(&mut self, record: &OpenRecord) {
        self.push(record.mistakes());
    }

    /// Handles the record of a tournament game. If no screen follows this game, opens it in its first position. Called
    /// in response to [`DiskTask::Game`].
    pub fn game_record(&mut self, game: u64, record: OpenRecord) {
        if !self.send_news(News::Game(game, &record)) {
            self.open_replay(record);
        }
    }

    /// Closes the card over the match whose GIF was drawn, and shows the outcome. Called in response to
    /// [`DiskTask::Gif`].
    pub fn gif_done(&mut self, line: &str) {
        let news = || Input::News(News::GifDone);
        let is_closed =
            |top: &mut StackEntry, context: &mut Context| top.input(news(), context).is_some();
        if self.stack.last_mut().is_some_and(|top| is_closed(top, &mut self.context)) {
            self.stack.pop();
        }
        self.show_message(line);
    }

    /// Shows the outcome of a task as a line until the next key press.
    pub fn show_message(&mut self, line: &str) {
        let mut screens = self.stack.iter_mut().rev();
        screens.any(|screen| screen.input(Input::Message(line), &mut self.context).is_some());
    }

    /// Shows a warning until the user closes it.
    pub fn warn(&mut self, title: &str, text: &str) {
        let menu = Menu::new(title).with_lines(vec![text.to_owned()]).entry("Continue", []);
        self.push(menu.with_about("Close this message.").into());
    }

    /// Returns when to call [`App::tick`], in the time of `now`; `None` if nothing is running. Call it after every
    /// event.
    pub fn deadline(&mut self, now: Duration) -> Option<Duration> {
        self.start_animations();
        let timer = self.stack.last().and_then(|top| top.timer());
        let timer = timer.filter(|_| !self.motion.delays_result());
        if self.timer.map(|(running, _)| running) != timer {
            self.timer = timer.map(|timer| (timer, now + timer.length));
        }
        let timer =
            self.timer.map(|(_, deadline)| deadline).into_iter().chain(self.clock_deadline());
        let poller = self.poller.as_ref().and_then(TournamentPoller::deadline);
        let others = [poller, self.notice_deadline()].into_iter().flatten();
        timer.chain(self.motion.deadline(now)).chain(others).min()
    }

    /// Performs everything due at `now`. Returns tasks, like [`App::update`]. Call it before [`App::update`], because
    /// the elapsed time belongs to the screen that was on top.
    pub fn tick(&mut self, now: Duration) -> Option<Vec<Task>> {
        self.notice_own_changes();
        let passed = now.saturating_sub(self.now);
        let is_shown_anew = self.clock_deadline().is_some_and(|deadline| deadline <= now);
        self.now = now;
        let lowered = self.lower_guard(now).then(Vec::new);
        for (above, screen) in self.stack.iter_mut().rev().enumerate() {
            screen.input(Input::Time { passed, is_below: above > 0 }, &mut self.context);
            if let Some(board) = screen.board_mut() {
                board.pass(passed);
            }
        }
        let shown = if is_shown_anew { self.send_input(Input::Clock) } else { None };
        let shown = shown.map(|effects| self.carry_out(effects));
        let moved = merge_tasks(self.poll_tournament(now, passed), self.advance_animation(now));
        let is_due = self.timer.take_if(|(_, deadline)| *deadline <= now).is_some();
        let effects = if is_due { self.send_input(Input::Tick) } else { None };
        let ticked = effects.map(|effects| self.carry_out(effects));
        [lowered, shown, moved, ticked].into_iter().reduce(merge_tasks)?
    }

    /// Polls the tournament if it has news and the next poll is due. Returns tasks, like [`App::update`].
    fn poll_tournament(&mut self, now: Duration, passed: Duration) -> Option<Vec<Task>> {
        let poller = self.poller.as_mut()?;
        poller.pass(passed);
        let seen = poller.poll_if_due(now)?;
        let news = || Input::News(News::Tournament(&seen));
        let screens = self.stack.iter_mut();
        let effects = screens.filter_map(|screen| screen.input(news(), &mut self.context));
        let effects = effects.flatten().collect();
        Some(self.carry_out(effects))
    }

    /// Returns when the digits of a clock on the screen change.
    fn clock_deadline(&self) -> Option<Duration> {
        Some(self.now + self.stack.last()?.unchanged_for()?)
    }

    /// Records the time of play in the match on top. Call it before the app ends or is suspended.
    pub fn pause(&mut self) {
        self.send_input(Input::Pause);
    }

    /// Opens a match at a shared table as the only screen, so that leaving it ends the program. In a kiosk the user is
    /// restricted to this match.
    #[must_use]
    pub fn with_table(mut self, open_match: OpenMatch, is_kiosk: bool) -> App {
        self.context.is_kiosk = is_kiosk;
        self.stack.clear();
        self.begin(open_match);
        self
    }

    /// Replaces the top screen with a match that was moved to a table, and shows how guests can join.
    pub fn move_to_table(&mut self, table: Table) {
        if self.stack.len() > 1 || self.open_match().is_some() {
            self.stack.pop();
        }
        self.begin(OpenMatch::resumed(table));
        let effects = self.send_input(Input::News(News::TableOpened));
        let tasks = self.carry_out(effects.unwrap_or_default());
        debug_assert!(tasks.is_empty(), "a text is only pushed");
    }

    /// Resumes after a suspension, which does not count as time of play.
    pub fn resumed(&mut self, now: Duration) {
        self.now = now;
    }

    /// Returns a new task for the engines if the question has changed. Call it after every event.
    pub fn engine_task(&mut self) -> Option<EngineTask> {
        let question = self.stack.last().and_then(|top| top.question(&self.context));
        self.pending.turn_to(question)
    }

    /// Handles an event of the engine with this ticket. Returns tasks, like [`App::update`].
    pub fn engine_event(&mut self, ticket: u64, event: EngineEvent) -> Option<Vec<Task>> {
        self.notice_own_changes();
        if !self.pending.is_under_way(ticket) {
            return None;
        }
        let event = self.defer_move(ticket, event)?;
        let effects = self.send_input(Input::Engine(event))?;
        Some(self.carry_out(effects))
    }

    /// Handles a terminal event. `None` if nothing has changed; otherwise the caller must redraw the screen and carry
    /// out the tasks. A key or a click first ends a running animation. Just after the animation of an opponent's move
    /// has begun, clicks and the keys that choose have no other effect; while the winner is shown, nearly no key has
    /// one. A board takes an Enter that belongs to a typed
    /// number, even if the number has changed the position or opened a screen. Keys and clicks aimed at an earlier
    /// screen have no effect.
    pub fn update(&mut self, event: &Event) -> Option<Vec<Task>> {
        self.notice_own_changes();
        if self.only_ends_win(event) {
            return self.end_motion();
        }
        let mut is_enter = false;
        let (ends, chooses) = match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                let action = self.action_for(key, &self.actions());
                let chooses = matches!(action, Some(Action::Choose | Action::Confirm));
                is_enter = self.action_for(key, &[Action::Choose]).is_some();
                (true, chooses.then(|| Pressed::from(key)))
            }
            Event::Mouse(mouse) if matches!(mouse.kind, MouseEventKind::Down(_)) => {
                (true, Some(Pressed::Button))
            }
            _ => (matches!(event, Event::Paste(_)), None),
        };
        let was_surprise = self.is_surprise(chooses);
        let ended = if ends { self.end_motion() } else { None };
        // The opponent's move may have been held back until the end of the animation.
        let is_only_end = was_surprise || self.is_surprise(chooses);
        let is_of_number = ends && self.ends_number(is_enter);
        self.notice_changes();
        let effects = if is_only_end || is_of_number { None } else { self.answer(event) };
        self.begin_own_changes();
        merge_tasks(ended, effects.map(|effects| self.carry_out(effects)))
    }

    /// Passes an Enter that belongs to a typed number to the board, and returns whether it did. Any other key or click
    /// ends the time for that Enter.
    fn ends_number(&mut self, is_enter: bool) -> bool {
        let mut boards = self.stack.iter_mut().rev().filter_map(|screen| screen.board_mut());
        let Some(board) = boards.next() else { return false };
        let is_of_number = board.pass(if is_enter { Duration::ZERO } else { Duration::MAX });
        if is_of_number {
            board.press(Press::Choose);
        }
        is_of_number
    }

    /// Returns the effects in response to a terminal event; `None` if it changes nothing.
    fn answer(&mut self, event: &Event) -> Option<Vec<Effect>> {
        Some(match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key)?,
            Event::Paste(_) | Event::Mouse(_) if self.cramped.get() => return None,
            Event::Paste(text) => self.send_input(Input::Paste(text))?,
            Event::Mouse(mouse) => self.mouse(*mouse)?,
            Event::FocusLost => {
                self.focus.lose();
                return None;
            }
            Event::FocusGained => {
                self.focus.gain(self.now);
                return None;
            }
            Event::Resize(..) => Vec::new(),
            Event::Key(_) => return None,
        })
    }

    /// Returns all available actions. No two of these actions share a key.
    pub fn actions(&self) -> Vec<Action> {
        match self.stack.last() {
            Some(_) if !self.cramped.get() => self.commands().actions(),
            // A cramped screen offers only actions that are harmless without feedback.
            _ if self.context.is_kiosk => vec![Action::Leave, Action::Quit],
            _ if !HAS_SUSPENSION => vec![Action::Leave, Action::Quit, Action::Redraw],
            _ => vec![Action::Leave, Action::Quit, Action::Suspend, Action::Redraw],
        }
    }

    /// Returns what the user can do on the top screen.
    pub fn commands(&self) -> Commands {
        self.stack.last().map_or_else(Commands::default, |top| all_commands(&**top, &self.context))
    }

    /// Returns the key hints for the footer, which shows as many as fit.
    pub fn key_hints(&self) -> Vec<KeyHint> {
        self.commands().footer()
    }

    /// Returns the current keymap. Two people who share a keyboard may have separate key sets.
    fn keymap(&self) -> Cow<'_, Keymap> {
        let keys = &self.context.settings.keys;
        match self.key_sets() {
            [] => Cow::Borrowed(keys),
            sets => Cow::Owned(keys.with_sets(sets)),
        }
    }

    /// Returns the people with separate key sets whose match is on the screen, even if other screens cover it.
    fn key_assignment(&self) -> Option<KeyAssignment> {
        let is_on = self.context.settings.two_key_sets;
        let open_match = self.open_match().filter(|_| is_on)?;
        self.context.series_log.key_assignment(open_match)
    }

    /// Returns the key sets that work: on the board that of the player to move, and on every other screen over the
    /// match both, if the screen does not use their letters.
    fn key_sets(&self) -> &'static [KeySet] {
        match (self.key_assignment(), self.mover_with_keys()) {
            (None, _) => &[],
            (_, Some((set, ..))) => set.alone(),
            (Some(_), None) if KeySet::letters_are_free(&self.actions()) => KeySet::BOTH,
            (Some(_), None) => &[],
        }
    }

    /// Returns the player to move, with key set and name, if two players have separate key sets.
    fn mover_with_keys(&self) -> Option<(KeySet, Seat, &str)> {
        let open_match = self.stack.last()?.open_match()?;
        let seat = open_match.current_match().to_move()?;
        Some((self.key_assignment()?.key_set(seat), seat, open_match.players().name(seat)))
    }

    /// Returns the one of these actions that a key has now. In a menu, keys outside both sets keep their actions.
    fn action_for(&self, key: &KeyEvent, among: &[Action]) -> Option<Action> {
        let usual = || match self.key_sets() {
            KeySet::BOTH => self.context.settings.keys.find(key, among),
            _ => None,
        };
        self.keymap().find(key, among).or_else(usual)
    }

    fn key(&mut self, key: &KeyEvent) -> Option<Vec<Effect>> {
        let action = self.action_for(key, &self.actions());
        if self.is_stray(key.into(), action) {
            return None;
        }
        match action {
            Some(action) => self.perform(action),
            None if self.cramped.get() => None,
            None => self.send_input(Input::Key(key)),
        }
    }

    /// Returns the help of the top screen, with the keys of both people if they have separate sets.
    fn help(&self) -> Option<Destination> {
        let top = self.stack.last()?;
        let mut about = top.about()?;
        let mut keys = self.keymap().into_owned();
        if let Some(assignment) = self.key_assignment().filter(|_| !self.key_sets().is_empty()) {
            keys = self.context.settings.keys.with_sets(KeySet::BOTH);
            let names =
                self.open_match().map(|open_match| assignment.in_words(open_match.players()));
            about.purpose = [about.purpose, names.unwrap_or_default()].join("\n\n");
        }
        Some(Destination::Help(about, self.commands(), Box::new(keys)))
    }

    fn perform(&mut self, action: Action) -> Option<Vec<Effect>> {
        Some(match action {
            Action::Quit => vec![Effect::run(TerminalTask::Quit)],
            Action::Suspend => vec![Effect::run(TerminalTask::Suspend)],
            Action::Redraw => vec![Effect::run(TerminalTask::Redraw)],
            Action::Leave => {
                let can_ask = !self.cramped.get();
                self.send_input(Input::Leave { can_ask }).unwrap_or(vec![Effect::Pop])
            }
            Action::NextTheme => {
                let settings = self.context.stepped_settings(Setting::of("theme")?, true)?;
                vec![Effect::Set(Box::new(settings))]
            }
            Action::Help => vec![Effect::Open(self.help()?)],
            action => return self.send_input(Input::Action(action)),
        })
    }
}

/// Merges the tasks of two results of [`App::update`]; `None` if both are `None`.
fn merge_tasks(one: Option<Vec<Task>>, other: Option<Vec<Task>>) -> Option<Vec<Task>> {
    one.into_iter().chain(other).reduce(|tasks, more| tasks.into_iter().chain(more).collect())
}
