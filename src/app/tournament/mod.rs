//! The tournament screen: the table, the running games, the finished games, and the remaining time.
//!
//! This screen replaces the home screen, and asks for confirmation before the user leaves it. A `TournamentPoller`
//! polls the [`LiveTournament`] when there is news, at most once per 100 ms, and all screens on the stack receive the
//! update. So the program sleeps while nothing happens, and a tournament with a thousand games per second is redrawn
//! ten times per second. The screen shares the finished games with the tournament, and only the visible ones are
//! formatted, so drawing is no slower after a million games.
//!
//! A `GameSlot` shows a sequence of games in one place, so that boards do not move around on the screen; its board
//! plays each new move. The table has the same contents as `table.txt`.

mod poller;
mod rate;
mod slot;
mod view;

pub(super) use poller::TournamentPoller;

use super::Context;
use super::command::{Command, Commands};
use super::destination::Destination;
use super::list::ListState;
use super::menu::Menu;
use super::news::{News, TournamentUpdate};
use super::open_match::OpenRecord;
use super::screen::{About, Effect, Input, PointerInput, Screen};
use super::tasks::{DiskTask, TerminalTask};
use crate::action::{ARROWS, Action, KeyHint};
use crate::tui::RenderFeedback;
use crate::view::{GameList, View};
use quadrille_arena::tournament::{
    GameLine, LiveTournament, Stage, TextPart, TournamentStatus, TournamentTable,
};
use quadrille_text::wording::short_setup;
use rate::GameRate;
use slot::GameSlot;
use std::sync::Arc;

pub(super) struct TournamentScreen {
    live: LiveTournament,
    status: TournamentStatus,
    table: TournamentTable,
    parts: Vec<TextPart>,
    /// The current page: page 0 has the games, and further pages have the rest of the table.
    page: usize,
    rate: GameRate,
    /// The slots for the running games. A game stays in the same slot.
    slots: Vec<GameSlot>,
    /// The longest setup so far.
    longest_setup: String,
    /// The finished games, in the order in which they ended.
    ended: Vec<Arc<GameLine>>,
    /// The list that has the cursor, if both lists have games.
    pane: GameList,
    /// The cursor in `slots`.
    running: ListState,
    /// The cursor in the finished games, latest first. On the first row, the cursor stays on the latest game; on any
    /// other row, it stays on the same game.
    finished: ListState,
    message: Option<String>,
}

impl TournamentScreen {
    pub fn new(live: LiveTournament, update: &TournamentUpdate) -> TournamentScreen {
        let status = update.status.clone();
        let table = update.table.clone().unwrap_or_else(|| live.table());
        let mut screen = TournamentScreen {
            live,
            status,
            parts: table.parts(),
            table,
            page: 0,
            rate: GameRate::default(),
            slots: Vec::new(),
            longest_setup: String::new(),
            ended: Vec::new(),
            pane: GameList::default(),
            running: ListState::default(),
            finished: ListState::default(),
            message: None,
        };
        screen.take_update(update);
        screen
    }

    fn take_update(&mut self, update: &TournamentUpdate) {
        let before = std::mem::replace(&mut self.status, update.status.clone());
        if self.finished.at() > 0 {
            let more = self.status.played.saturating_sub(before.played);
            self.finished.go_to(self.finished.at() + more as usize);
        }
        // At the end, the games are sorted, and some may be excluded.
        if self.status.stage != before.stage || self.count() < self.ended.len() {
            self.ended.clear();
        }
        self.ended.extend(self.live.lines(self.ended.len()..self.count()));
        if let Some(table) = &update.table {
            self.table = table.clone();
            self.parts = table.parts();
        }
        self.rate.set(update.status.played_now, update.time);
        slot::update(&mut self.slots, update);
        let setups = self.slots.iter().map(|slot| short_setup(&slot.game.setup));
        let setups = setups.chain([std::mem::take(&mut self.longest_setup)]);
        self.longest_setup = setups.max_by_key(String::len).unwrap_or_default();
        self.running.go_to(self.running.place(None, self.slots.len()));
    }

    fn title(&self) -> String {
        format!("{}, tournament", self.status.entry.name)
    }

    /// Returns the current page. A larger screen has fewer pages.
    fn page(&self, context: &Context) -> usize {
        self.page.min(context.feedback.pages.get())
    }

    /// Turns to the next or previous page; `None` if there is none.
    fn turn_page(&mut self, back: bool, context: &Context) -> Option<Vec<Effect>> {
        let page = self.page(context);
        let to = if back { page.checked_sub(1)? } else { page + 1 };
        self.page = Some(to).filter(|to| *to <= context.feedback.pages.get())?;
        Some(Vec::new())
    }

    fn count(&self) -> usize {
        self.status.played as usize
    }

    /// Returns the list that has the cursor. If this list is empty, returns the other list.
    fn pane(&self) -> GameList {
        match self.pane {
            GameList::Running if self.slots.is_empty() => GameList::Finished,
            GameList::Finished if self.count() == 0 => GameList::Running,
            pane => pane,
        }
    }

    fn has_games(&self) -> bool {
        self.count() > 0 || !self.slots.is_empty()
    }

    fn list(&mut self, pane: GameList) -> (&mut ListState, usize) {
        let count = self.count();
        match pane {
            GameList::Running => (&mut self.running, self.slots.len()),
            GameList::Finished => (&mut self.finished, count),
        }
    }

    fn has_both(&self) -> bool {
        self.count() > 0 && !self.slots.is_empty()
    }

    /// Moves the cursor; `None` for other actions. Past the end of one list, the cursor enters the other.
    fn move_cursor(&mut self, action: Action, feedback: &RenderFeedback) -> Option<()> {
        let pane = self.pane();
        let columns = if pane == GameList::Running { feedback.columns.get() } else { 1 };
        let has_both = self.has_both();
        let (list, length) = self.list(pane);
        let at = list.at();
        let is_in = |at: &usize| *at < length;
        let within = match action {
            Action::Next | Action::Previous => None,
            Action::Left if at.is_multiple_of(columns) => None,
            Action::Left => Some(at - 1),
            Action::Right => Some(at + 1).filter(is_in).filter(|at| !at.is_multiple_of(columns)),
            Action::Up => at.checked_sub(columns),
            Action::Down => Some(at + columns).filter(is_in),
            action => return list.move_cursor(action, length, feedback.page.get()),
        };
        match (within, action) {
            (Some(to), _) => list.go_to(to),
            (None, _) if has_both => {
                self.pane = match pane {
                    GameList::Running => GameList::Finished,
                    GameList::Finished => GameList::Running,
                };
            }
            (None, Action::Left | Action::Right) => {}
            (None, action) => list.move_cursor(action, length, feedback.page.get())?,
        }
        Some(())
    }

    /// Opens the game under the cursor: follows a running game, or replays a finished one.
    fn open(&mut self) -> Option<Vec<Effect>> {
        let line = match self.pane() {
            GameList::Running => {
                let slot = self.slots.get(self.running.at())?;
                match &slot.ended {
                    Some(line) => line,
                    None => return self.follow(),
                }
            }
            GameList::Finished => self.ended.iter().rev().nth(self.finished.at())?,
        };
        Some(vec![Effect::run(DiskTask::Game(line.game, line.record.clone()))])
    }

    fn perform_on_games(&mut self, action: Action, context: &Context) -> Option<Vec<Effect>> {
        match action {
            Action::Choose => self.open(),
            Action::Back => Some(self.leave()),
            action => self.move_cursor(action, &context.feedback).map(|()| Vec::new()),
        }
    }

    fn follow(&mut self) -> Option<Vec<Effect>> {
        let game = &self.slots.get(self.running.at())?.game;
        let Some(record) = OpenRecord::of_game(self.status.entry, game) else {
            self.message = Some(format!("game {} cannot be shown", game.game));
            return Some(Vec::new());
        };
        Some(vec![Effect::Open(Destination::Follow(Box::new(record), Box::new(game.clone())))])
    }

    fn perform(&mut self, action: Action, context: &Context) -> Option<Vec<Effect>> {
        let (page, pages) = (self.page(context), context.feedback.pages.get() + 1);
        match action {
            Action::NextTable => self.page = (page + 1) % pages,
            Action::PreviousTable => self.page = (page + pages - 1) % pages,
            Action::Up | Action::PageUp if page > 0 => {
                self.turn_page(true, context);
            }
            Action::Down | Action::PageDown if page > 0 => {
                self.turn_page(false, context);
            }
            Action::Back if page > 0 => self.page = 0,
            action => return self.perform_on_games(action, context),
        }
        Some(Vec::new())
    }

    fn go_to_entry(&mut self, entry: usize) {
        let (pane, at) = match entry.checked_sub(self.slots.len()) {
            None => (GameList::Running, entry),
            Some(row) => (GameList::Finished, row),
        };
        self.pane = pane;
        self.list(pane).0.go_to(at);
    }

    /// Leaves the screen. While the tournament is running, asks for confirmation first.
    fn leave(&self) -> Vec<Effect> {
        if self.status.stage != Stage::Running {
            return vec![Effect::Pop];
        }
        // This text remains correct if the tournament ends while the menu is open.
        let why = "Finished games are kept. The same command resumes the tournament and restarts the others.";
        let menu = Menu::new("Stop the tournament?")
            .with_lines(vec![why.to_owned()])
            .no("Stay")
            .yes("Stop and leave", [Effect::run(TerminalTask::Quit)])
            .with_about("Run the same command to resume the tournament.");
        vec![Effect::open(menu)]
    }
}

impl Screen for TournamentScreen {
    fn commands(&self, context: &Context) -> Commands {
        let pages = context.feedback.pages.get() > 0;
        let both: &[Action] = &[Action::NextTable, Action::PreviousTable];
        if self.page(context) > 0 {
            return Commands::default()
                .show(Action::NextTable.to("next table"))
                .show(Action::Back.to("games"))
                .hide(&[Action::Up, Action::Down, Action::PageUp, Action::PageDown])
                .hide(both);
        }
        let mut commands = Commands::default();
        if self.has_games() {
            let is_played = self.pane() == GameList::Running
                && self.slots.get(self.running.at()).is_some_and(|slot| slot.ended.is_none());
            let arrows = if self.has_both() { ARROWS } else { &[Action::Up, Action::Down] };
            let other = match self.pane() {
                GameList::Running => "finished games",
                GameList::Finished => "running games",
            };
            let turns = Command::from(Action::NextTable.to("tables"));
            commands = commands
                .show(KeyHint::new(arrows, "move"))
                .show(Action::Choose.to(if is_played { "follow" } else { "open" }))
                .show_if(self.has_both(), Command::from(Action::Next.to(other)).typed_as("other"))
                .show_if(pages, turns)
                .hide(&[Action::First, Action::Last, Action::PageUp, Action::PageDown]);
        }
        commands
            .hide(if self.has_both() { &[Action::Previous] } else { &[] })
            .hide(if self.slots.len() > 1 || self.has_both() {
                &[Action::Left, Action::Right]
            } else {
                &[]
            })
            .hide(if pages { both } else { &[] })
            .hide(&[Action::Back])
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
        let is_key = matches!(input, Input::Action(_) | Input::Key(_));
        let had_message = is_key && self.message.take().is_some();
        match input {
            Input::Action(action) => return self.perform(action, context),
            Input::Key(_) => return had_message.then(Vec::new),
            Input::GoTo(entry) => self.go_to_entry(entry),
            Input::Pointer(PointerInput::Wheel { back }) if self.page(context) > 0 => {
                return self.turn_page(back, context);
            }
            Input::Pointer(PointerInput::Wheel { .. }) => {
                let (list, length) = self.list(self.pane());
                return list.input(&input, length, &context.feedback);
            }
            Input::News(News::Tournament(update)) => self.take_update(update),
            Input::Leave { can_ask: true } => return Some(self.leave()),
            Input::Message(line) => self.message = Some(line.to_owned()),
            _ => return None,
        }
        Some(Vec::new())
    }

    fn view(&self, _: bool, _: &Context) -> View<'_> {
        View::Tournament(self.tournament_view())
    }

    fn about(&self) -> Option<About> {
        let purpose = "A win scores one point and a draw half a point. With more than two players, each player \
            scores a point for every player who did worse.";
        let text = "The small boards are running games. Press Enter to follow the game under the cursor or to \
            replay a finished one. If the table does not fit, it continues on further pages: crosstable, results by \
            setup, results by seat, and games lost by a crash or on time. The remaining time is estimated from this \
            run.\n\nIf you leave while games are running, the tournament stops. Run the same command to resume it: \
            only the running games restart.";
        Some(About::new(self.title(), purpose).with_details(text))
    }
}
