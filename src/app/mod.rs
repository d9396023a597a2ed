//! The app: a stack of screens. It takes events, and returns tasks to carry out.
//!
//! It is pure: no file, clock, thread or terminal. [`runtime`] gives it the terminal's events and carries out its
//! [`Task`]s; tests give it keys and read a buffer. Times are durations since any fixed start, the same for all calls.
//! What the app cannot see, such as whether a program exists, it is given a function for ([`App::with_program_check`]).
//!
//! # Screens
//!
//! Screens do not know each other. A `Destination` says as plain data what to open, and `navigation` alone makes
//! screens of it: a new screen is a file, a `Destination`, and a line there. [`App::update`] takes an event and returns
//! tasks, or `None` when nothing changed; [`App::draw`] draws into a buffer.
//!
//! A screen names its actions of the moment (`Screen::actions`), out of [`action::LIST`](crate::action::LIST), which
//! says once what can be done, by which keys, in which words, and on which kinds of screens. Keys, the last line of the
//! screen and help follow from that. No other file names a key, except sentences with one that cannot be changed, such
//! as Enter. Keys, the mouse, time, news and the findings of engines reach a screen as an `Input`. It answers with acts
//! (`Act`): open a `Destination` over itself or in its place, pop itself, change a setting, run a task. `News` is offered
//! to the screens from the top down until one answers `Some`, so a screen that should not keep it answers `None`. A `Menu` lies over a screen: pause, result and every question are menus. Each entry
//! carries the acts that follow when it is chosen; `Act::Command` has a command that only its own screen understands.
//!
//! A screen returns what it shows as a `View`, and `tui` draws it. A renderer notes what can be clicked (`Context::targets`) and how much is in sight (`Context::sight`).
//! A `ListState` alone knows how a cursor moves by keys, pages and the wheel, and a `Scroll` how a text does.
//! `App::mouse` looks up what was clicked and does what the key would do, so a click needs no code of its own. A message
//! that covers rows of the board is noted too: a click takes it away. Nothing beneath a menu can be clicked. A report of
//! the mouse that changes nothing draws nothing.
//!
//! The files import in one direction. Exceptions: `motion` and `mouse` are two parts of the state of [`App`], each with
//! its share of its `impl`; and a screen with much to do is spread over the files of its folder.
//!
//! # A match on the screen
//!
//! Match, puzzle, lesson and replay each have a `BoardInput`, which enters moves, and show a
//! `BoardView`, which `tui::board` draws in any room. Whose turn it is, the result, which keys
//! work: all of it is asked of the match each time, and nothing is copied. A step is proposed ([`Table::propose`]): a match
//! that is played here takes it at once, and a table elsewhere is asked for it and logs it for all. What comes from there
//! is [`App::follow_table`]'s; what needs an answer waits until no menu lies over the match. A message too long for the status line takes the free rows above it, and until the next key rows of
//! the board too. A menu stands in the place of the panel, or over the middle where there is none.
//!
//! # Time
//!
//! The runtime tells the time, and [`App::deadline`] says when the app wants a [`App::tick`], which is never while
//! nothing runs. A screen that waits says how long and for what (`Screen::timer`) each time it is asked; while it gives
//! the same answer the deadline stands. The time for which a match screen lies on top is its time of play, except while
//! people have to read something first, while an engine waits, and while a program is being started. While a clock
//! runs, `Screen::unchanged_for` says for how long the screen will look the same, so the program wakes exactly when a
//! digit changes. Where there is a clock no move of an engine is held back, neither for its pace nor for motion.
//!
//! After every event the app looks whether something on the board moves. While it does, the deadline is the next frame,
//! 25 ms apart; late frames are left out. A key or a click first puts everything in its place and then does what it
//! does; only in the first moment of an opponent's move, the keys that choose and clicks do nothing more. Motion changes
//! only what is drawn, with one exception: an engine's move that comes during a motion is taken when it ends, so that each
//! move is seen. Where writing a frame takes longer than a frame lasts ([`App::drawn`]),
//! motion is off for the rest of the run.
//!
//! # Engines
//!
//! A screen says what it wants an engine to think about (`Screen::question`), each time it is asked, and keeps no
//! account of what is under way; `pending` makes an [`EngineTask`] of what has changed. So undo, a menu, leaving and a
//! new match need no code to stop an engine. What comes under an old ticket is dropped.
//!
//! Where the locale is not UTF-8, everything is drawn in ASCII; in names and other texts of users [`App::draw`] shows
//! other letters as question marks.
//!
//! Where it falls short: a save waits for the disk on the main thread, some milliseconds a move.

pub mod runtime;

mod about;
mod acts;
mod assistance;
mod board_input;
mod context;
mod destination;
mod drawing;
mod evening;
mod home;
mod host;
mod lessons;
mod library;
mod lines;
mod list;
mod match_screen;
mod menu;
mod menu_screen;
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
mod results_screen;
mod resuming;
mod review;
mod screen;
mod scroll;
mod settings;
mod setup;
mod stack_entry;
mod tasks;
mod text_field;
mod tournament;
mod unfinished;
mod unfinished_screen;

pub use crate::play::{Ask, EngineEvent, Question, Respondent, Saved, Table};
pub use host::Host;
pub use news::CountedRecords;
pub use open_match::{OpenMatch, OpenRecord};
pub use record_summary::RecordSummary;
pub use tasks::{DiskTask, EngineTask, RecordTask, Task, TerminalTask};
pub use unfinished::SavedMatch;

use crate::action::{Action, KeyHint, KeySet, Keymap};
use crate::arena::tournament::LiveTournament;
use crate::board::Skin;
use crate::catalogue::GameEntry;
use crate::play::TableNews;
use crate::play::program::ProgramLimits;
use crate::puzzles::Course;
use crate::puzzles::lessons::Lesson;
use crate::rules::Seat;
use crate::scene::{Background, Theme};
use crate::session::ProgramSeat;
use crate::settings::Settings;
use crate::store::LastSetup;
use crate::store::progress::Progress;
use crate::tui::{targets, text};
use context::Context;
use crossterm::event::{Event, KeyEvent, KeyEventKind, MouseEventKind};
use destination::Destination;
use jiff::Zoned;
use match_screen::ask_to_start_programs;
use menu::Menu;
use motion::Motion;
use mouse::{Focus, Mouse};
use news::News;
use pending::PendingQuestion;
use screen::{Act, Input, Timer, all_actions, all_key_hints};
use stack_entry::StackEntry;
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;
use std::time::Duration;
use tournament::TournamentPoller;
use unfinished::Unfinished;

/// The whole state of the program.
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
    /// Never empty: leaving the first screen ends the program.
    stack: Vec<StackEntry>,
    /// The number of the next screen.
    next_id: usize,
    context: Context,
    pending: PendingQuestion,
    /// The time at the last call that gave it.
    now: Duration,
    /// The timer of the top screen, and when it ends.
    timer: Option<(Timer, Duration)>,
    /// Whether the last drawing had too little room. Then most keys do nothing, because nobody would see what
    /// they do.
    cramped: Cell<bool>,
    mouse: Mouse,
    focus: Focus,
    motion: Motion,
    /// Polls the running tournament, if there is one.
    poller: Option<TournamentPoller>,
    /// What to begin with once the progress is known.
    course: Option<Course>,
}

impl App {
    /// An app with the home screen. `seed` is the first seed that a setup screen offers for random layouts.
    pub fn new(skin: Skin, seed: u32) -> App {
        let mut app = App {
            stack: Vec::new(),
            next_id: 0,
            context: Context::new(skin, seed),
            pending: PendingQuestion::default(),
            now: Duration::ZERO,
            timer: None,
            cramped: Cell::new(false),
            mouse: Mouse::default(),
            focus: Focus::default(),
            motion: Motion::default(),
            poller: None,
            course: None,
        };
        app.push(Destination::Home);
        app
    }

    /// Adds the themes that [`Action::NextTheme`] goes through. They are read when first wanted.
    #[must_use]
    pub fn with_themes(mut self, themes: impl FnOnce() -> Vec<&'static Theme> + 'static) -> App {
        self.context.offer_themes(Box::new(themes));
        self
    }

    /// Sets how to find out before a match whether a program at a seat exists; what is returned is the name of
    /// the file that is missing. Without it no program is taken to be missing.
    #[must_use]
    pub fn with_program_check(
        mut self,
        missing: impl Fn(&ProgramSeat) -> Option<String> + 'static,
    ) -> App {
        self.context.missing_program = Box::new(missing);
        self
    }

    /// Sets how to find out the present moment where the user is. Without it, that is the start of 1970.
    #[must_use]
    pub fn with_calendar(mut self, now: impl Fn() -> Zoned + 'static) -> App {
        self.context.now = Box::new(now);
        self
    }

    /// Sets the settings; `note` says where they are saved, or why they are not. The theme stays that of
    /// the skin given to [`App::new`].
    #[must_use]
    pub fn with_settings(mut self, settings: Settings, note: String) -> App {
        self.context.begin_with(settings, note);
        self.adopt();
        self
    }

    /// Says which background the terminal has. Returns whether anything on the screen changes.
    pub fn set_terminal_background(&mut self, background: Background) -> bool {
        let before = self.context.skin;
        self.context.terminal_background = background;
        self.context.follow_settings();
        self.context.skin != before
    }

    /// Tells all screens the settings.
    fn adopt(&mut self) {
        for screen in &mut self.stack {
            screen.input(Input::Settings, &mut self.context);
        }
    }

    /// Gives an input to the screen on top.
    fn tell(&mut self, input: Input) -> Option<Vec<Act>> {
        self.stack.last_mut()?.input(input, &mut self.context)
    }

    /// Takes the home screen away, so that leaving what is shown next ends the program.
    #[must_use]
    pub fn without_home(mut self) -> App {
        self.stack.clear();
        self
    }

    /// Puts a match on the screen; see [`App::begin`].
    #[must_use]
    pub fn with_match(mut self, open_match: OpenMatch) -> App {
        self.begin(open_match);
        self
    }

    /// Puts a puzzle of this course on the screen, as soon as it is known what was done so far.
    #[must_use]
    pub fn with_puzzles(mut self, course: Course) -> App {
        self.course = Some(course);
        self
    }

    /// Puts the screen of a running tournament in place of the home screen. Its games a second are counted
    /// over the time between calls of [`App::tick`].
    #[must_use]
    pub fn with_tournament(mut self, live: LiveTournament) -> App {
        let (poller, seen) = TournamentPoller::new(live);
        self.stack.clear();
        self.push(Destination::Tournament(poller.live().clone(), Box::new(seen)));
        self.poller = Some(poller);
        self
    }

    /// Puts the replay viewer in place of the home screen, so that leaving it ends the program.
    #[must_use]
    pub fn with_replay(mut self, record: OpenRecord) -> App {
        self.stack.clear();
        self.open_replay(record);
        self
    }

    /// Puts the lessons of a game on top of the stack; with `None` the games that have lessons.
    #[must_use]
    pub fn with_lessons(mut self, entry: Option<&'static GameEntry>) -> App {
        self.push(entry.map_or(Destination::Games(0), Destination::Lessons));
        self
    }

    /// Puts a lesson in place of the home screen, so that leaving it ends the program.
    #[must_use]
    pub fn with_lesson(mut self, lesson: Arc<Lesson>) -> App {
        self.stack.clear();
        self.push(Destination::Lesson(lesson));
        self
    }

    /// The tournament on the screen. When it rings its bell, ask for [`App::deadline`] again.
    pub fn tournament(&self) -> Option<&LiveTournament> {
        self.poller.as_ref().map(TournamentPoller::live)
    }

    /// Puts a match on top of the stack.
    pub fn begin(&mut self, open_match: OpenMatch) {
        let asked = ask_to_start_programs(&open_match);
        self.push_screen(navigation::match_screen(open_match));
        let tasks = self.carry_out(asked.map(Act::open).into_iter().collect());
        debug_assert!(tasks.is_empty(), "a question is only pushed");
    }

    /// The limits for programs that are started from now on.
    pub fn program_limits(&self) -> ProgramLimits {
        ProgramLimits { memory: u64::from(self.context.settings.program_memory) << 20 }
    }

    /// The id of the session of the match on the screen; `None` once it is over. Programs of other matches
    /// can be stopped.
    pub fn session_in_play(&self) -> Option<u64> {
        let open_match =
            self.open_match().filter(|open_match| open_match.current_match().outcome().is_none());
        open_match.map(|open_match| open_match.session().id())
    }

    /// Sets the saved matches that can be resumed, the latest first, and the names of the last players.
    pub fn set_unfinished(&mut self, saved: Vec<SavedMatch>, names: Vec<String>) {
        unfinished::merge_saved(&mut self.context.unfinished, saved);
        self.context.names = names;
        self.send_news(News::Unfinished);
    }

    /// Sets the name of the user's account, for a user who has not given another name.
    pub fn set_login_name(&mut self, name: String) {
        self.context.login_name = name;
    }

    /// Sets the last setup of each game, the latest first, to be offered again.
    pub fn remember(&mut self, setups: Vec<LastSetup>) {
        self.context.setups = setups;
    }

    /// Sets what was done so far, as far as it is known. What a screen asks to be written down is added by the app.
    pub fn set_progress(&mut self, progress: Progress) {
        self.context.progress = progress;
        if let Some(course) = self.course.take() {
            self.push(course.into());
        }
    }

    /// The matches with moves that are not saved, which would be lost if the program ended now.
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

    /// All matches on the stack, the one on the screen last.
    pub fn tables_mut(&mut self) -> impl Iterator<Item = &mut Table> {
        let open = self.stack.iter_mut().filter_map(|screen| screen.open_match_mut());
        open.map(OpenMatch::owner_mut)
    }

    /// The match on the screen, even under a menu.
    pub fn open_match(&self) -> Option<&OpenMatch> {
        self.stack.iter().rev().find_map(|screen| screen.open_match())
    }

    /// The same, to note in it where it is saved.
    pub fn open_match_mut(&mut self) -> Option<&mut OpenMatch> {
        self.stack.iter_mut().rev().find_map(|screen| screen.open_match_mut())
    }

    /// Sets the records, and a line for each damaged file that says what is wrong with it. Answers
    /// [`RecordTask::List`].
    pub fn records(&mut self, records: &[RecordSummary], damaged: &[String]) {
        self.send_news(News::Records(records, damaged));
    }

    /// Says that a record has a new id. Answers [`RecordTask::Rename`].
    pub fn renamed(&mut self, id: &str, to: &str) {
        self.send_news(News::Renamed(id, to));
    }

    /// Shows the results counted so far. Answers [`RecordTask::Count`]; `false` if the screen that asked is
    /// gone, so that counting can stop.
    pub fn counted(&mut self, counted: &CountedRecords) -> bool {
        self.send_news(News::Counted(counted))
    }

    /// The line to share of the last daily puzzle, to be printed once the terminal is given back.
    pub fn line_to_share(&self) -> Option<String> {
        self.context.line_to_share.borrow().clone()
    }

    /// Gives news to the topmost screen that takes it; `false` if none does.
    fn send_news(&mut self, news: News) -> bool {
        let mut screens = self.stack.iter_mut().rev();
        screens.any(|screen| screen.input(Input::News(news), &mut self.context).is_some())
    }

    /// Shows a match from its start, to look at, with the moves that redo would play. Answers
    /// [`RecordTask::Read`].
    pub fn open_replay(&mut self, record: OpenRecord) {
        self.push(Destination::Replay(Box::new(record)));
    }

    /// Makes puzzles of the mistakes of people in a match. Answers [`RecordTask::Mistakes`].
    pub fn open_mistakes(&mut self, record: &OpenRecord) {
        self.push(record.mistakes().into());
    }

    /// Gives the record of a game of the tournament. Answers [`DiskTask::Game`]. A screen that follows the
    /// game takes it; if there is none, the game is shown from its start.
    pub fn game_record(&mut self, game: u64, record: OpenRecord) {
        if !self.send_news(News::Game(game, &record)) {
            self.open_replay(record);
        }
    }

    /// Shows a line about what a task has done, or why it failed, until the next key.
    pub fn show_message(&mut self, line: &str) {
        let mut screens = self.stack.iter_mut().rev();
        screens.any(|screen| screen.input(Input::Message(line), &mut self.context).is_some());
    }

    /// Shows something that must not be missed, until somebody closes it.
    pub fn warn(&mut self, title: &str, text: &str) {
        let menu = Menu::new(title).with_lines(vec![text.to_owned()]).entry("Go on", []);
        self.push(menu.with_about("Close this message.").into());
    }

    /// When to call [`App::tick`], on the same clock as `now`; `None` while nothing runs. Ask again
    /// whenever anything has happened.
    pub fn deadline(&mut self, now: Duration) -> Option<Duration> {
        self.start_animations();
        let timer = self.stack.last().and_then(|top| top.timer());
        if self.timer.map(|(running, _)| running) != timer {
            self.timer = timer.map(|timer| (timer, now + timer.length));
        }
        let timer =
            self.timer.map(|(_, deadline)| deadline).into_iter().chain(self.clock_deadline());
        let poller = self.poller.as_ref().and_then(TournamentPoller::deadline);
        timer.chain(self.motion.deadline(now)).chain(poller).min()
    }

    /// Does what is due at `now`; returns the same as [`App::update`]. Call it before [`App::update`],
    /// because the time that has passed counts for the screen that was on top.
    pub fn tick(&mut self, now: Duration) -> Option<Vec<Task>> {
        let passed = now.saturating_sub(self.now);
        let is_shown_anew = self.clock_deadline().is_some_and(|deadline| deadline <= now);
        self.now = now;
        for (above, screen) in self.stack.iter_mut().rev().enumerate() {
            screen.input(Input::Time { passed, is_below: above > 0 }, &mut self.context);
        }
        let shown = if is_shown_anew { self.tell(Input::Clock) } else { None };
        let shown = shown.map(|acts| self.carry_out(acts));
        let moved = merge_tasks(self.poll_tournament(now, passed), self.move_on(now));
        let is_due = self.timer.take_if(|(_, deadline)| *deadline <= now).is_some();
        let acts = if is_due { self.tell(Input::Tick) } else { None };
        merge_tasks(merge_tasks(shown, moved), acts.map(|acts| self.carry_out(acts)))
    }

    /// Polls the tournament if news is due. Returns the same as [`App::update`].
    fn poll_tournament(&mut self, now: Duration, passed: Duration) -> Option<Vec<Task>> {
        let poller = self.poller.as_mut()?;
        poller.pass(passed);
        let seen = poller.look_at(now)?;
        let news = || Input::News(News::Tournament(&seen));
        let screens = self.stack.iter_mut();
        let acts = screens.filter_map(|screen| screen.input(news(), &mut self.context));
        let acts = acts.flatten().collect();
        Some(self.carry_out(acts))
    }

    /// When a clock on the screen will show something else.
    fn clock_deadline(&self) -> Option<Duration> {
        Some(self.now + self.stack.last()?.unchanged_for()?)
    }

    /// Notes the time of play in the match on top, before the app ends or waits.
    pub fn pause(&mut self) {
        self.tell(Input::Pause);
    }

    /// For somebody who plays at a table of others: nothing but the match is there, and leaving it ends the program.
    #[must_use]
    pub fn with_table(mut self, open_match: OpenMatch, is_kiosk: bool) -> App {
        self.context.is_kiosk = is_kiosk;
        self.stack.clear();
        self.begin(open_match);
        self
    }

    /// Puts a match that has moved to a table in place of the screen on top, and says what guests type to come.
    pub fn move_to_table(&mut self, table: Table) {
        if self.stack.len() > 1 || self.open_match().is_some() {
            self.stack.pop();
        }
        self.begin(OpenMatch::resumed(table));
        let acts = self.tell(Input::News(News::TableOpened));
        let tasks = self.carry_out(acts.unwrap_or_default());
        debug_assert!(tasks.is_empty(), "a text is only pushed");
    }

    /// Lets somebody else change the match of a shared table on the stack, who returns what is new; returns the same as
    /// [`App::update`].
    pub fn follow_table(
        &mut self,
        follow: impl FnOnce(&mut Table) -> Vec<TableNews>,
    ) -> Option<Vec<Task>> {
        let is_far = |screen: &&mut StackEntry| {
            screen.open_match().is_some_and(|open_match| open_match.peers().is_some())
        };
        let screen = self.stack.iter_mut().rev().find(is_far)?;
        let news = follow(&mut screen.open_match_mut()?.change());
        if news.is_empty() {
            return None;
        }
        let has_joined = news.iter().any(|news| matches!(news, TableNews::Joined(_)));
        let acts = screen.input(Input::News(News::Table(&news)), &mut self.context)?;
        if has_joined {
            // A warning may lie over the invitation.
            let news = || Input::News(News::GuestJoined);
            self.stack.retain_mut(|screen| screen.input(news(), &mut self.context).is_none());
            self.context.targets.clear();
        }
        Some(self.carry_out(acts))
    }

    /// Says that the program was suspended until now; that time does not count as time of play.
    pub fn resumed(&mut self, now: Duration) {
        self.now = now;
    }

    /// What the engines should do from now on, if that has changed. Ask whenever anything has happened.
    pub fn engine_task(&mut self) -> Option<EngineTask> {
        let question = self.stack.last().and_then(|top| top.question(&self.context));
        self.pending.turn_to(question)
    }

    /// Takes an event of the engine that was asked with this ticket; returns the same as [`App::update`].
    pub fn engine_event(&mut self, ticket: u64, event: EngineEvent) -> Option<Vec<Task>> {
        if !self.pending.is_under_way(ticket) {
            return None;
        }
        let event = self.keep_back(ticket, event)?;
        let acts = self.tell(Input::Engine(event))?;
        Some(self.carry_out(acts))
    }

    /// Takes an event of the terminal. `None` if nothing has changed; else draw the screen and carry out
    /// the tasks. A key or a click first ends a running animation. Just after an opponent's move has begun to show, clicks
    /// and the keys that choose do nothing more.
    pub fn update(&mut self, event: &Event) -> Option<Vec<Task>> {
        let (ends, chooses) = match event {
            Event::Key(key) => {
                let chooses = self.keymap().find(key, &[Action::Choose]).is_some();
                (key.kind != KeyEventKind::Release, chooses)
            }
            Event::Mouse(mouse) => {
                let is_click = matches!(mouse.kind, MouseEventKind::Down(_));
                (is_click, is_click)
            }
            _ => (matches!(event, Event::Paste(_)), false),
        };
        let was_surprise = self.is_surprise();
        let ended = if ends { self.end_motion() } else { None };
        // The opponent's move may have waited for the end of the animation.
        let is_only_end = chooses && (was_surprise || self.is_surprise());
        let acts = if is_only_end { None } else { self.answer(event) };
        merge_tasks(ended, acts.map(|acts| self.carry_out(acts)))
    }

    /// What an event of the terminal leads to; `None` if it changes nothing.
    fn answer(&mut self, event: &Event) -> Option<Vec<Act>> {
        Some(match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key)?,
            Event::Paste(_) | Event::Mouse(_) if self.cramped.get() => return None,
            Event::Paste(text) => self.tell(Input::Paste(text))?,
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

    /// All actions that can be done now. No two of them share a key.
    pub fn actions(&self) -> Vec<Action> {
        match self.stack.last() {
            Some(top) if !self.cramped.get() => all_actions(&**top, &self.context),
            // Only actions that do no harm unseen.
            _ if self.context.is_kiosk => vec![Action::Leave, Action::Quit],
            _ => vec![Action::Leave, Action::Quit, Action::Suspend, Action::Redraw],
        }
    }

    /// What the footer names, as far as there is room.
    pub fn key_hints(&self) -> Vec<KeyHint> {
        self.stack.last().map_or_else(Vec::new, |top| all_key_hints(&**top, &self.context))
    }

    /// The keys of the moment. Two people who share the keyboard may each have keys of their own.
    fn keymap(&self) -> Cow<'_, Keymap> {
        let keys = &self.context.settings.keys;
        match self.mover_with_keys() {
            Some((set, ..)) => Cow::Owned(keys.with_set(set)),
            None => Cow::Borrowed(keys),
        }
    }

    /// The player to move, with this player's keys and name, where each of two players has keys.
    fn mover_with_keys(&self) -> Option<(KeySet, Seat, &str)> {
        let open_match = self.stack.last()?.open_match()?;
        let set = open_match.key_set().filter(|_| self.context.settings.two_key_sets)?;
        let seat = open_match.current_match().to_move()?;
        Some((set, seat, open_match.players().name(seat)))
    }

    fn key(&mut self, key: &KeyEvent) -> Option<Vec<Act>> {
        match self.keymap().find(key, &self.actions()) {
            Some(action) => self.perform(action),
            None if self.cramped.get() => None,
            None => self.tell(Input::Key(key)),
        }
    }

    fn perform(&mut self, action: Action) -> Option<Vec<Act>> {
        let top = self.stack.last_mut()?;
        Some(match action {
            Action::Quit => vec![Act::run(TerminalTask::Quit)],
            Action::Suspend => vec![Act::run(TerminalTask::Suspend)],
            Action::Redraw => vec![Act::run(TerminalTask::Redraw)],
            Action::Leave => {
                let can_ask = !self.cramped.get();
                self.tell(Input::Leave { can_ask }).unwrap_or(vec![Act::Pop])
            }
            Action::NextTheme => {
                let settings = self.context.with_theme(true)?;
                vec![Act::Set(Box::new(settings))]
            }
            Action::Help => {
                let (about, actions) = (top.about()?, all_actions(&**top, &self.context));
                let keys = self.keymap().into_owned();
                vec![Act::Open(Destination::Help(about, actions, Box::new(keys)))]
            }
            action => return self.tell(Input::Action(action)),
        })
    }
}

/// Merges the tasks of two results of [`App::update`]; `None` if neither changed anything.
fn merge_tasks(one: Option<Vec<Task>>, other: Option<Vec<Task>>) -> Option<Vec<Task>> {
    one.into_iter().chain(other).reduce(|tasks, more| tasks.into_iter().chain(more).collect())
}
