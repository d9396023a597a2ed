//! State shared by all screens.

use super::series_log::SeriesLog;
use super::tasks::{DiskTask, Task, TerminalTask};
use super::unfinished::Unfinished;
use crate::field::{Domain, Field};
use crate::settings::{Setting, Settings};
use crate::tui::RenderFeedback;
use crate::view::Announcements;
use jiff::civil::Date;
use jiff::{Timestamp, Zoned};
use quadrille_match::session::ProgramSeat;
use quadrille_match::store::LastSetup;
use quadrille_match::store::progress::Progress;
use quadrille_puzzles::lessons::Place;
use quadrille_puzzles::{Daily, SolverDay, daily};
use quadrille_scene::Theme;
use quadrille_system::calendar;
use std::cell::{LazyCell, RefCell};
use std::collections::HashMap;

/// Returns the executable of the program at a seat, if that executable does not exist.
pub(super) type MissingProgram = Box<dyn Fn(&ProgramSeat) -> Option<String>>;

type ReadThemes = Box<dyn FnOnce() -> Vec<&'static Theme>>;

pub(crate) struct Context {
    /// The theme in use, which may differ from the one in the settings.
    pub theme: &'static Theme,
    /// Modified only by [`Effect::Set`](super::screen::Effect).
    pub settings: Settings,
    /// A sentence that says where settings are saved, or why they are not saved.
    pub settings_note: String,
    /// The themes that [`Action::NextTheme`](crate::action::Action) cycles through, read on first use; `None` if there
    /// is only one theme.
    themes: Option<LazyCell<Vec<&'static Theme>, ReadThemes>>,
    /// The unfinished matches, latest first.
    pub unfinished: Vec<Unfinished>,
    /// The name of the user in the last setup; empty if unknown.
    pub last_name: String,
    /// The user's login name; empty if unknown.
    pub login_name: String,
    /// The number of matches kept in memory so far. It is the id of the next match.
    pub in_memory: u64,
    /// The last setup of each game, latest first.
    pub setups: Vec<LastSetup>,
    pub series_log: SeriesLog,
    pub progress: Progress,
    /// The user's place in each unfinished lesson, by lesson name.
    pub lessons_left: HashMap<String, Place>,
    pub now: Box<dyn Fn() -> Zoned>,
    /// The last daily puzzle read.
    daily: RefCell<Option<Daily>>,
    /// Whether texts use only ASCII signs, because others are missing or two columns wide in some terminals.
    pub is_ascii: bool,
    /// The result of the last daily puzzle or rush, as a line to share.
    pub line_to_share: RefCell<Option<String>>,
    pub seed: u32,
    /// Checks each program before a match starts.
    pub missing_program: MissingProgram,
    /// Whether the user is restricted to a match at another user's table.
    pub is_kiosk: bool,
    /// What happened without a key pressed here. The status line of a match shows it while keys aimed at the old screen
    /// are ignored.
    pub notice: Option<String>,
    /// What happened to matches that are no longer on the screen.
    pub announcements: Announcements,
    /// The visible part of the list or text when it was last drawn.
    pub feedback: RenderFeedback,
}

impl Context {
    pub fn new(theme: &'static Theme, seed: u32) -> Context {
        Context {
            theme,
            settings: Settings { theme: theme.name().to_owned(), ..Settings::default() },
            settings_note: String::new(),
            themes: None,
            unfinished: Vec::new(),
            last_name: String::new(),
            login_name: String::new(),
            in_memory: 0,
            setups: Vec::new(),
            series_log: SeriesLog::default(),
            progress: Progress::default(),
            lessons_left: HashMap::new(),
            now: Box::new(Zoned::default),
            daily: RefCell::default(),
            is_ascii: false,
            line_to_share: RefCell::default(),
            seed,
            missing_program: Box::new(|_| None),
            is_kiosk: false,
            notice: None,
            announcements: Announcements::default(),
            feedback: RenderFeedback::default(),
        }
    }

    /// Returns the current time, truncated to whole seconds like the events in [`Context::progress`].
    pub fn moment(&self) -> Timestamp {
        calendar::whole_seconds((self.now)().timestamp().into())
    }

    /// Returns the user's name: the one in the settings, else the one in the last setup, else the login name; may be
    /// empty.
    pub fn usual_name(&self) -> &str {
        let names = [&self.settings.name, &self.last_name, &self.login_name];
        names.into_iter().find(|name| !name.is_empty()).map_or("", |name| name)
    }

    /// Returns the names of the last people to play this game at one terminal; if there are none, of the last people to
    /// play any game.
    pub fn last_pair(&self, game: &str) -> Vec<String> {
        let of_game = self.setups.iter().filter(|last| last.game == game);
        let mut pairs = of_game.chain(&self.setups).map(LastSetup::pair);
        pairs.find(|pair| !pair.is_empty()).unwrap_or_else(|| vec![self.usual_name().to_owned()])
    }

    pub fn today(&self) -> Date {
        self.now().date()
    }

    pub fn now(&self) -> Zoned {
        (self.now)()
    }

    /// Returns the daily puzzle. Finding it reads all puzzles of its game, so it is cached until the day ends.
    pub fn daily(&self) -> Option<Daily> {
        let today = self.today();
        let mut cache = self.daily.borrow_mut();
        if cache.as_ref().is_none_or(|cache| cache.day != today) {
            *cache = daily(today, None);
        }
        cache.clone()
    }

    /// Returns the user's progress and the current time, which determine the puzzle courses.
    pub fn solver_day(&self) -> SolverDay<'_> {
        SolverDay { progress: &self.progress, at: self.moment(), today: self.today() }
    }

    /// Returns whether the user has not started a match, a lesson or a puzzle yet.
    pub fn is_first_visit(&self) -> bool {
        self.setups.is_empty()
            && self.unfinished.is_empty()
            && self.last_name.is_empty()
            && self.progress.events().is_empty()
            && self.lessons_left.is_empty()
            && self.series_log.is_empty()
    }

    pub fn has_themes(&self) -> bool {
        self.themes.is_some()
    }

    pub fn offer_themes(&mut self, read: ReadThemes) {
        self.themes = Some(LazyCell::new(read));
    }

    /// Returns the field of a setting. The theme can be any of those on offer.
    pub fn field(&self, setting: Setting) -> Field {
        let field = setting.field(&self.settings);
        if setting.key() != "theme" {
            return field;
        }
        let themes = || self.themes.iter().flat_map(|themes| themes.iter());
        let is_offered = themes().any(|theme| theme.name() == field.value);
        // With few colors, several themes look the same, and only one of them is offered.
        let same = themes().find(|theme| !is_offered && theme.looks_like(self.theme));
        let value = same.map_or_else(|| field.value.clone(), |theme| theme.name().to_owned());
        let names: Vec<&str> = themes().map(|theme| theme.name()).collect();
        let names = if names.is_empty() { vec![&*value] } else { names };
        let domain = Domain::words(&names);
        Field { value, domain, ..field }
    }

    /// Returns the settings with the next or previous value of a setting; `None` if there is no other.
    pub fn stepped_settings(&self, setting: Setting, next: bool) -> Option<Settings> {
        let value = self.field(setting).stepped(next)?;
        Some(self.settings.with(setting, &value))
    }

    pub fn change(&mut self, after: Settings) -> Vec<Task> {
        let before = std::mem::replace(&mut self.settings, after);
        if before.theme != self.settings.theme {
            let mut themes = self.themes.iter().flat_map(|themes| themes.iter());
            let theme = themes.find(|theme| theme.name() == self.settings.theme);
            self.theme = theme.copied().unwrap_or(self.theme);
        }
        let mouse = self.settings.mouse;
        let mouse = (before.mouse != mouse).then(|| TerminalTask::Mouse(mouse).into());
        let save = DiskTask::Set(Box::new([before, self.settings.clone()]));
        mouse.into_iter().chain([save.into()]).collect()
    }
}
