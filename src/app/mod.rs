//! The app: a stack of screens, told what happens and saying what should be done about it.
//!
//! It is pure: no file, no clock, no thread, no terminal. [`runtime`] feeds it the terminal's events
//! and carries out its [`Task`]s; tests feed it keys and read a buffer.

pub mod runtime;

mod assistance;
mod context;
mod field;
mod form;
mod home;
mod keys;
mod library;
mod matches;
mod menu;
mod motion;
mod mouse;
mod open_match;
mod panel;
mod paper;
mod pending;
mod reader;
mod replay;
mod review;
mod screen;
mod scroll;
mod series;
mod settings;
mod setup;
mod table;
mod tally;
mod targets;
mod tasks;
mod text;
mod tournament;
mod unfinished;
mod unfinished_screen;

pub use crate::play::{Ask, Asked, EngineEvent, OpenMatch, Question, Saved};
pub use library::Kept;
pub use open_match::OpenRecord;
pub use tally::Counted;
pub use tasks::{DiskTask, EngineTask, RecordTask, Task, TerminalTask};
pub use unfinished::SavedMatch;

use crate::action::{Action, Hint};
use crate::arena::tournament::LiveTournament;
use crate::board::Skin;
use crate::play::program::ProgramLimits;
use crate::scene::Theme;
use crate::session::LastSetup;
use crate::settings::Settings;
use context::Context;
use crossterm::event::{Event, KeyEvent, KeyEventKind, MouseEventKind};
use home::Home;
use matches::MatchScreen;
use menu::Menu;
use motion::Motion;
use mouse::Mouse;
use pending::Pending;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use reader::Reader;
use replay::Replay;
use screen::{Act, Answer, News, Screen, Timer, all_actions, all_hints};
use std::cell::Cell;
use std::time::Duration;
use tournament::{Lookout, TournamentScreen};
use unfinished::Unfinished;

/// The smallest screen that can be played on.
const LEAST: (u16, u16) = (30, 10);

/// The whole state of the program.
pub struct App {
    /// Never empty: whoever leaves the first leaves the program.
    stack: Vec<Box<dyn Screen>>,
    context: Context,
    pending: Pending,
    /// The time, as last told.
    now: Duration,
    /// What the top screen waits for, and until when.
    timer: Option<(Timer, Duration)>,
    /// Whether the last drawing found no room: then keys would act unseen.
    cramped: Cell<bool>,
    mouse: Mouse,
    motion: Motion,
    /// Who looks at the tournament that runs, if one does.
    lookout: Option<Lookout>,
}

impl App {
    /// The home screen. `seed` is the first seed that a setup screen offers for random layouts.
    pub fn new(skin: Skin, seed: u32) -> App {
        let stack: Vec<Box<dyn Screen>> = vec![Box::new(Home::default())];
        App {
            stack,
            context: Context::new(skin, seed),
            pending: Pending::default(),
            now: Duration::ZERO,
            timer: None,
            cramped: Cell::new(false),
            mouse: Mouse::default(),
            motion: Motion::default(),
            lookout: None,
        }
    }

    /// The same with the themes that [`Action::NextTheme`] goes through; they are asked for when it is
    /// first wanted.
    #[must_use]
    pub fn with_themes(mut self, themes: impl FnOnce() -> Vec<&'static Theme> + 'static) -> App {
        self.context.offer_themes(Box::new(themes));
        self
    }

    /// The same with these settings; `kept` says where they are kept, or why nowhere. The theme is that of
    /// the looks, whatever its name.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings, kept: String) -> App {
        self.context.begin_with(settings, kept);
        self.adopt();
        self
    }

    /// Tells all screens what is set.
    fn adopt(&mut self) {
        for screen in &mut self.stack {
            screen.adopt(&self.context.settings);
        }
    }

    /// The same with a match that is played at once.
    #[must_use]
    pub fn with_match(mut self, open_match: OpenMatch) -> App {
        self.begin(open_match);
        self
    }

    /// The same with the screen of a running tournament in the place of the home screen. The time that is
    /// told counts for how fast games are played.
    #[must_use]
    pub fn with_tournament(mut self, watch: LiveTournament) -> App {
        let (lookout, seen) = Lookout::new(watch);
        self.stack.clear();
        self.push(Box::new(TournamentScreen::new(lookout.watch().clone(), &seen)));
        self.lookout = Some(lookout);
        self
    }

    /// The tournament on the screen. Whoever has its bell rung asks for [`App::deadline`] then.
    pub fn tournament(&self) -> Option<&LiveTournament> {
        self.lookout.as_ref().map(Lookout::watch)
    }

    /// Puts a match on the screen.
    pub fn begin(&mut self, open_match: OpenMatch) {
        let screen = MatchScreen::new(open_match);
        let asked = screen.ask_to_start_programs();
        self.push(Box::new(screen));
        let tasks = self.carry_out(asked.into_iter().collect());
        debug_assert!(tasks.is_empty(), "a question is only pushed");
    }

    /// What a program may use that is started now.
    pub fn program_limits(&self) -> ProgramLimits {
        ProgramLimits { memory: u64::from(self.context.settings.program_memory) << 20 }
    }

    /// The session of the match on the screen, as long as it goes on: its programs run no longer.
    pub fn table_at_play(&self) -> Option<u64> {
        let open_match = self.open_match().filter(|it| it.game().outcome().is_none());
        open_match.map(|open_match| open_match.table.session().id())
    }

    /// Tells which matches can be resumed, the latest first, and who played last.
    pub fn left(&mut self, saved: Vec<SavedMatch>, names: Vec<String>) {
        unfinished::tell(&mut self.context.left, saved);
        self.context.names = names;
        self.tell(News::Unfinished);
    }

    /// Tells how each game was set up last, the latest first, to be offered again.
    pub fn remember(&mut self, setups: Vec<LastSetup>) {
        self.context.setups = setups;
    }

    fn push(&mut self, mut screen: Box<dyn Screen>) {
        screen.adopt(&self.context.settings);
        self.stack.push(screen);
    }

    /// The matches of which moves would be lost if the program ended now: they are not written
    /// down.
    pub fn unsaved_mut(&mut self) -> impl Iterator<Item = &mut OpenMatch> {
        let on_screen = self.stack.iter_mut().filter_map(|screen| screen.open_match_mut());
        let left = self.context.left.iter_mut().filter_map(|left| match left {
            Unfinished::InMemory(_, open_match) => Some(&mut **open_match),
            Unfinished::Stored(_) => None,
        });
        on_screen.chain(left).filter(|open_match| open_match.can_be_lost())
    }

    /// The match on the screen, also under a menu.
    pub fn open_match(&self) -> Option<&OpenMatch> {
        self.stack.iter().rev().find_map(|screen| screen.open_match())
    }

    /// The same, to note where it is written.
    pub fn open_match_mut(&mut self) -> Option<&mut OpenMatch> {
        self.stack.iter_mut().rev().find_map(|screen| screen.open_match_mut())
    }

    /// Tells which records are kept, and of each damaged file what is wrong with it in one line: the
    /// answer to [`RecordTask::List`].
    pub fn records(&mut self, kept: Vec<Kept>, damaged: Vec<String>) {
        self.tell(News::Records(kept, damaged));
    }

    /// Tells that a record has another id now: the answer to [`RecordTask::Rename`].
    pub fn renamed(&mut self, id: &str, to: &str) {
        self.tell(News::Renamed(id, to));
    }

    /// Shows the results of records, as far as they are counted: the answer to
    /// [`RecordTask::Count`]. Whether there is still a screen for it.
    pub fn counted(&mut self, counted: &Counted) -> bool {
        self.tell(News::Counted(counted))
    }

    /// Tells the topmost screen that has a use for it; whether there is one.
    fn tell(&mut self, news: News) -> bool {
        let mut screens = self.stack.iter_mut().rev();
        screens.try_fold(news, |news, screen| screen.news(news, &self.context)).is_none()
    }

    /// Shows a match from its start, to look at: also the answer to [`RecordTask::Read`]. What lies
    /// ahead by redo belongs to it.
    pub fn open_replay(&mut self, record: OpenRecord) {
        self.push(Box::new(Replay::new(record)));
    }

    /// Tells the record of a game of the tournament: the answer to [`DiskTask::Game`]. Whoever has followed
    /// the game goes on with that; else it is shown from its start.
    pub fn game_record(&mut self, game: u64, record: OpenRecord) {
        let news = News::Game(game, Box::new(record));
        let mut screens = self.stack.iter_mut().rev();
        let left = screens.try_fold(news, |news, screen| screen.news(news, &self.context));
        if let Some(News::Game(_, record)) = left {
            self.open_replay(*record);
        }
    }

    /// Says in one line what a task has done, or why it was not done, until the next key.
    pub fn said(&mut self, line: &str) {
        let _ = self.stack.iter_mut().rev().any(|screen| screen.hear(line));
    }

    /// Says something that must not be missed: it stays until somebody has read it.
    pub fn warn(&mut self, title: &str, text: &str) {
        let lines = text::wrap(text, 28, 10, self.context.skin);
        let menu = Menu::new(title, vec![("Go on".to_owned(), Answer::Close)]).with_lines(lines);
        self.stack.push(Box::new(menu.with_about("Close this once it is read.")));
    }

    /// When [`App::tick`] is to be called, on the same clock as `now`, whose start is of no matter.
    /// `None` while nothing runs, so that nothing wakes; to be asked whenever anything has happened.
    pub fn deadline(&mut self, now: Duration) -> Option<Duration> {
        self.see();
        let timer = self.stack.last().and_then(|top| top.timer());
        if self.timer.map(|(running, _)| running) != timer {
            self.timer = timer.map(|timer| (timer, now + timer.length));
        }
        let timer =
            self.timer.map(|(_, deadline)| deadline).into_iter().chain(self.clock_deadline());
        let lookout = self.lookout.as_ref().and_then(Lookout::deadline);
        timer.chain(self.motion.deadline(now)).chain(lookout).min()
    }

    /// Does what was to be done at the deadline, if that has come; the answer is as in
    /// [`App::update`]. To be called before keys are passed on, as the time that has passed counts for the
    /// screen that was on top.
    pub fn tick(&mut self, now: Duration) -> Option<Vec<Task>> {
        let passed = now.saturating_sub(self.now);
        let is_shown_anew = self.clock_deadline().is_some_and(|deadline| deadline <= now);
        self.now = now;
        if let Some(top) = self.stack.last_mut() {
            top.pass(passed);
        }
        let shown = self.stack.last_mut().filter(|_| is_shown_anew).map(|top| top.show_time());
        let shown = shown.map(|acts| self.carry_out(acts));
        let moved = both(self.look(now, passed), self.move_on(now));
        let is_due = self.timer.take_if(|(_, deadline)| *deadline <= now).is_some();
        let acts = self.stack.last_mut().filter(|_| is_due).and_then(|top| top.tick());
        both(both(shown, moved), acts.map(|acts| self.carry_out(acts)))
    }

    /// Looks at the tournament, if something has happened there and it is time for it; the answer is as in
    /// [`App::update`].
    fn look(&mut self, now: Duration, passed: Duration) -> Option<Vec<Task>> {
        let lookout = self.lookout.as_mut()?;
        lookout.pass(passed);
        let seen = lookout.look_at(now)?;
        let tasks = self.stack.iter_mut().flat_map(|screen| screen.look(&seen)).collect();
        self.see();
        Some(tasks)
    }

    /// When a clock on the screen shows something else.
    fn clock_deadline(&self) -> Option<Duration> {
        Some(self.now + self.stack.last()?.stands_for()?)
    }

    /// Nobody plays any more: notes in the match how long it was played.
    pub fn pause(&mut self) {
        if let Some(top) = self.stack.last_mut() {
            top.pause();
        }
    }

    /// Tells the time when the program has been suspended until now: that was no time of play.
    pub fn resumed(&mut self, now: Duration) {
        self.now = now;
    }

    /// What is to be thought about from now on, if that has changed. To be asked whenever anything
    /// has happened.
    pub fn attend(&mut self) -> Option<EngineTask> {
        let question = self.stack.last().and_then(|top| top.wants(&self.context));
        self.pending.turn_to(question)
    }

    /// Takes in what is heard of a question; the answer is as in [`App::update`].
    pub fn heard(&mut self, ticket: u64, heard: EngineEvent) -> Option<Vec<Task>> {
        if !self.pending.is_under_way(ticket) {
            return None;
        }
        let heard = self.keep_back(ticket, heard)?;
        let acts = self.stack.last_mut()?.heard(heard)?;
        Some(self.carry_out(acts))
    }

    /// Takes in an event of the terminal. `None` means that nothing has changed; else the screen
    /// wants to be drawn and the tasks to be done. A key and a click end what moves, and then do what they
    /// do.
    pub fn update(&mut self, event: &Event) -> Option<Vec<Task>> {
        let ends = match event {
            Event::Key(key) => key.kind != KeyEventKind::Release,
            Event::Mouse(mouse) => matches!(mouse.kind, MouseEventKind::Down(_)),
            _ => matches!(event, Event::Paste(_)),
        };
        let ended = if ends { self.end_motion() } else { None };
        let acts = self.answer(event);
        both(ended, acts.map(|acts| self.carry_out(acts)))
    }

    /// What an event of the terminal brings about; `None` if it changes nothing.
    fn answer(&mut self, event: &Event) -> Option<Vec<Act>> {
        Some(match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key)?,
            Event::Paste(_) | Event::Mouse(_) if self.cramped.get() => return None,
            Event::Paste(text) => self.stack.last_mut()?.paste(text)?,
            Event::Mouse(mouse) => self.mouse(*mouse)?,
            Event::Resize(..) => Vec::new(),
            _ => return None,
        })
    }

    /// All that can be done at this moment. No two of these actions have a key in common.
    pub fn actions(&self) -> Vec<Action> {
        match self.stack.last() {
            Some(top) if !self.cramped.get() => all_actions(&**top, &self.context),
            // Only what does no harm unseen.
            _ => vec![Action::Leave, Action::Quit, Action::Suspend],
        }
    }

    /// What the last line of the screen names, where there is room for it.
    pub fn hints(&self) -> Vec<Hint> {
        self.stack.last().map_or_else(Vec::new, |top| all_hints(&**top, &self.context))
    }

    /// Draws the screen. The position is where the terminal's cursor belongs, if a text is typed.
    pub fn draw(&self, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        buffer.set_style(area, self.context.skin.paper());
        let Rect { width, height, .. } = area;
        self.cramped.set(width < LEAST.0 || height < LEAST.1);
        self.context.targets.clear();
        if self.cramped.get() {
            let (needs, has) =
                (format!("needs {}x{}, ", LEAST.0, LEAST.1), format!("have {width}x{height}"));
            let x = if needs.len() + has.len() <= width as usize { needs.len() as u16 } else { 0 };
            let below = u16::from(x == 0);
            for (x, y, text) in [
                (0, 0, needs),
                (x, below, has),
                (
                    0,
                    below + 1,
                    format!("{} leaves", self.context.settings.keys.name(Action::Leave)),
                ),
            ] {
                if y < height {
                    let room = (width - x) as usize;
                    buffer.set_stringn(
                        area.x + x,
                        area.y + y,
                        text,
                        room,
                        self.context.skin.plain(),
                    );
                }
            }
            return None;
        }
        let (body, footer) = keys::split_footer(area);
        let over = self.stack.iter().rposition(|screen| !screen.is_overlay()).unwrap_or(0);
        let mut cursor = None;
        if let [beneath @ .., top] = &self.stack[over..] {
            let mut place = None;
            for screen in beneath {
                place = screen.draw_beneath(&self.context, body, buffer).or(place);
            }
            // What lies beneath cannot be clicked.
            self.context.targets.clear();
            cursor = match place {
                Some(place) => top.draw_beside(&self.context, place, buffer),
                None => top.draw(&self.context, body, buffer),
            };
            keys::draw_footer(&self.hints(), &self.context, footer, buffer);
        }
        if self.context.skin.is_ascii() {
            text::question_what_is_not_ascii(area, buffer);
        }
        cursor
    }

    fn key(&mut self, key: &KeyEvent) -> Option<Vec<Act>> {
        match self.context.settings.keys.find(key, &self.actions()) {
            Some(action) => self.perform(action),
            None if self.cramped.get() => None,
            None => self.stack.last_mut()?.other_key(key, &self.context),
        }
    }

    fn perform(&mut self, action: Action) -> Option<Vec<Act>> {
        let top = self.stack.last_mut()?;
        Some(match action {
            Action::Quit => vec![Act::run(TerminalTask::Quit)],
            Action::Suspend => vec![Act::run(TerminalTask::Suspend)],
            Action::Leave => vec![Act::Pop],
            Action::NextTheme => {
                let settings = self.context.with_theme(true)?;
                vec![Act::Set(Box::new(settings))]
            }
            Action::Help => vec![Act::push(Reader::help(&**top, &self.context))],
            action => return top.perform(action, &mut self.context),
        })
    }

    fn carry_out(&mut self, acts: Vec<Act>) -> Vec<Task> {
        let mut tasks = Vec::new();
        for act in acts {
            self.act(act, &mut tasks);
        }
        self.see();
        tasks
    }

    fn act(&mut self, act: Act, tasks: &mut Vec<Task>) {
        if !matches!(act, Act::Run(_) | Act::Set(_)) {
            // Nobody clicks what has not been drawn.
            self.context.targets.clear();
        }
        match act {
            Act::Push(screen) => {
                if self.stack.last_mut().is_some_and(|top| top.pause()) {
                    tasks.push(DiskTask::Save.into());
                }
                self.push(screen);
            }
            Act::Replace(screen) => {
                self.pop(tasks);
                self.push(screen);
            }
            Act::Pop if self.stack.len() == 1 => {
                let asked = unfinished::ask_to_quit(&self.context);
                match asked.or_else(|| self.stack[0].ask_to_quit(&self.context)) {
                    // Where there is no room for the question, nobody would see it.
                    Some(ask) if !self.cramped.get() => self.act(ask, tasks),
                    _ => tasks.push(TerminalTask::Quit.into()),
                }
            }
            Act::Pop => self.pop(tasks),
            Act::Answer(answer) => {
                self.pop(tasks);
                let Some(top) = self.stack.last_mut() else { return };
                for act in top.answer(answer, &mut self.context) {
                    self.act(act, tasks);
                }
            }
            Act::Set(settings) => {
                tasks.extend(self.context.change(*settings));
                self.adopt();
            }
            Act::Run(task) => tasks.push(task),
        }
    }

    /// Leaves the top screen. A match that is not written down, or not all of it, is kept in memory until it is.
    fn pop(&mut self, tasks: &mut Vec<Task>) {
        self.pause();
        let Some(open_match) = self.stack.pop().and_then(Screen::leave) else { return };
        if open_match.can_be_lost() {
            self.context.in_memory += 1;
            let left = Unfinished::InMemory(self.context.in_memory, Box::new(open_match));
            self.context.left.insert(0, left);
        }
        tasks.push(DiskTask::Close.into());
        self.tell(News::MatchLeft);
    }
}

/// The tasks of one thing that has happened and then another; `None` if neither changed anything.
fn both(one: Option<Vec<Task>>, other: Option<Vec<Task>>) -> Option<Vec<Task>> {
    one.into_iter().chain(other).reduce(|tasks, more| tasks.into_iter().chain(more).collect())
}
