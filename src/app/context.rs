//! What all screens share.

use super::evening::Evening;
use super::tasks::{DiskTask, Task, TerminalTask};
use super::unfinished::Unfinished;
use crate::puzzles::SolverDay;
use crate::puzzles::lessons::Place;
use crate::scene::{Background, Glyphs, Skin, Theme};
use crate::session::ProgramSeat;
use crate::settings::{GlyphSet, Settings};
use crate::store::LastSetup;
use crate::store::progress::{Progress, moment};
use crate::tui::Sight;
use crate::tui::targets::Targets;
use jiff::civil::Date;
use jiff::{Timestamp, Zoned};
use std::cell::{LazyCell, RefCell};
use std::collections::HashMap;

/// Returns what is missing of the program at a seat: the file to run.
pub(super) type MissingProgram = Box<dyn Fn(&ProgramSeat) -> Option<String>>;

type ReadThemes = Box<dyn FnOnce() -> Vec<&'static Theme>>;

/// What all screens share.
pub(crate) struct Context {
    /// The theme and the glyphs, as set.
    pub skin: Skin,
    /// The glyphs to use if the settings leave them to the terminal's locale.
    auto: &'static Glyphs,
    /// The background to go by if the settings leave it to the terminal.
    pub terminal_background: Background,
    /// The settings. Only [`Act::Set`](super::screen::Act) changes them.
    pub settings: Settings,
    /// Where settings are saved, or why they are not, in a sentence.
    pub settings_note: String,
    /// The themes that [`Action::NextTheme`](crate::action::Action) goes through, read when first wanted;
    /// `None` if there are no others.
    themes: Option<LazyCell<Vec<&'static Theme>, ReadThemes>>,
    /// Unfinished matches, which can be resumed, the latest first.
    pub unfinished: Vec<Unfinished>,
    /// The names of the last players, to be offered again.
    pub names: Vec<String>,
    /// The name of the user's account on this machine; empty if it has none.
    pub login_name: String,
    /// How many matches were kept in memory so far; it numbers the next one.
    pub in_memory: u64,
    /// The last setup of each game, the latest first.
    pub setups: Vec<LastSetup>,
    pub evening: Evening,
    /// What was done so far.
    pub progress: Progress,
    /// How far lessons had come that were left, by their names.
    pub lessons_left: HashMap<String, Place>,
    /// Returns the present moment where the user is.
    pub now: Box<dyn Fn() -> Zoned>,
    /// The line to share of the last daily puzzle.
    pub line_to_share: RefCell<Option<String>>,
    /// The seed for the next random layout.
    pub seed: u32,
    /// What is missing of a program, before a match with it begins.
    pub missing_program: MissingProgram,
    /// Whether somebody plays at a table of others, and can do nothing else here.
    pub is_kiosk: bool,
    /// The areas of the last drawing that can be clicked.
    pub targets: Targets,
    /// What the last drawing had in sight of a list or a text.
    pub sight: Sight,
}

impl Context {
    pub fn new(skin: Skin, seed: u32) -> Context {
        Context {
            skin,
            auto: skin.glyphs(),
            terminal_background: skin.background(),
            settings: Settings { theme: skin.theme().name().to_owned(), ..Settings::default() },
            settings_note: String::new(),
            themes: None,
            unfinished: Vec::new(),
            names: Vec::new(),
            login_name: String::new(),
            in_memory: 0,
            setups: Vec::new(),
            evening: Evening::default(),
            progress: Progress::default(),
            lessons_left: HashMap::new(),
            now: Box::new(Zoned::default),
            line_to_share: RefCell::default(),
            seed,
            missing_program: Box::new(|_| None),
            is_kiosk: false,
            targets: Targets::default(),
            sight: Sight::default(),
        }
    }

    /// The present moment, in whole seconds, as the events of [`Context::progress`] have it.
    pub fn moment(&self) -> Timestamp {
        moment((self.now)().timestamp().into())
    }

    /// Returns the last name used, or else the login name; empty if there is neither.
    pub fn usual_name(&self) -> String {
        self.names.first().unwrap_or(&self.login_name).clone()
    }

    /// The names of the people who last played this game at one terminal, or else any game.
    pub fn last_pair(&self, game: &str) -> Vec<String> {
        let of_game = self.setups.iter().filter(|last| last.game == game);
        let mut pairs = of_game.chain(&self.setups).map(LastSetup::pair);
        let pair = pairs.find(|pair| !pair.is_empty());
        pair.unwrap_or_else(|| match &*self.names {
            [_, _, ..] => self.names.clone(),
            _ => vec![self.usual_name()],
        })
    }

    /// The day where the user is.
    pub fn today(&self) -> Date {
        (self.now)().date()
    }

    /// What the puzzles of a course go by.
    pub fn solver_day(&self) -> SolverDay<'_> {
        SolverDay { progress: &self.progress, at: self.moment(), today: self.today() }
    }

    /// Whether there are other themes.
    pub fn has_themes(&self) -> bool {
        self.themes.is_some()
    }

    /// Offers themes.
    pub fn offer_themes(&mut self, read: ReadThemes) {
        self.themes = Some(LazyCell::new(read));
    }

    /// Takes over the settings at the start. The theme is already set.
    pub fn begin_with(&mut self, settings: Settings, note: String) {
        (self.settings, self.settings_note) = (settings, note);
        self.follow_settings();
    }

    /// Draws with the glyphs and for the background that the settings ask for.
    pub fn follow_settings(&mut self) {
        let background = self.settings.background().unwrap_or(self.terminal_background);
        self.skin = self.skin.with_glyphs(self.glyphs()).with_background(background);
    }

    /// The settings with the next theme, or the one before; `None` if there is no other.
    pub fn with_theme(&self, next: bool) -> Option<Settings> {
        let now = self.skin.theme();
        let themes = self.themes.as_ref()?;
        let at = themes.iter().position(|theme| theme.looks_like(now));
        let step = if next { 1 } else { themes.len() - 1 };
        let other = themes.get(at.map_or(0, |at| (at + step) % themes.len()))?;
        let theme = other.name().to_owned();
        (!other.looks_like(now)).then(|| Settings { theme, ..self.settings.clone() })
    }

    /// Changes the settings, and returns what must be done because of that.
    pub fn change(&mut self, after: Settings) -> Vec<Task> {
        let before = std::mem::replace(&mut self.settings, after);
        if before.theme != self.settings.theme {
            let mut themes = self.themes.iter().flat_map(|themes| themes.iter());
            let theme = themes.find(|theme| theme.name() == self.settings.theme);
            self.skin = theme.map_or(self.skin, |theme| self.skin.with_theme(theme));
        }
        self.follow_settings();
        let mouse = self.settings.mouse;
        let mouse = (before.mouse != mouse).then(|| TerminalTask::Mouse(mouse).into());
        let save = DiskTask::Set(Box::new([before, self.settings.clone()]));
        mouse.into_iter().chain([save.into()]).collect()
    }

    fn glyphs(&self) -> &'static Glyphs {
        match self.settings.glyphs {
            GlyphSet::Auto => self.auto,
            GlyphSet::Full => &Glyphs::FULL,
            GlyphSet::Narrow => &Glyphs::NARROW,
            GlyphSet::Ascii => &Glyphs::ASCII,
        }
    }
}
