//! The display arguments, which all commands share.

use super::{OpenList, usage};
use crate::app::{App, OpenMatch};
use crate::front_end::appearance::{self, Appearance};
use crate::front_end::disk_host::{self, DiskHost};
use crate::settings::{ConfigFile, themes};
use crate::settings::{GlyphSet, Graphics, MotionChoice, Settings};
use crate::text_ui::TextOptions;
use anyhow::anyhow;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use quadrille_scene::{Theme, built_in_names};
use quadrille_system::disk;
use quadrille_table::match_saver::MatchSaver;
use quadrille_text::printable::print_stderr;
use std::io::{ErrorKind, IsTerminal, stdin, stdout};
use std::path::PathBuf;
use strum::VariantNames;

/// How the screens look.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Looks")]
pub(super) struct DisplayArgs {
    /// When to use color; auto respects `NO_COLOR`
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    color: When,
    /// Theme: night, paper, blueprint, blackboard, okabe-ito, contrast, mono, terminal, or one of your own
    ///
    /// Your theme NAME is the file ~/.config/quadrille/themes/NAME.toml. On terminals with 8 or 16 colors, every theme
    /// except mono is replaced by terminal. Press T to switch themes. The default comes from config.toml, or is
    /// night.
    #[arg(long, global = true, value_name = "NAME", value_parser = theme_name(), hide_possible_values = true)]
    theme: Option<String>,
    /// Mouse support; never lets the terminal select text
    ///
    /// The default comes from `mouse` in config.toml, or is auto.
    #[arg(long, global = true, value_enum, value_name = "WHEN")]
    mouse: Option<AutoOrNever>,
    /// Animation of moves and wins
    ///
    /// An animation takes at most 0.4 s, a win 0.8 s; any key skips it. With auto, there is none over ssh or on a slow
    /// terminal. The default comes from `motion` in config.toml, or is auto.
    #[arg(long, global = true, value_enum, value_name = "WHEN")]
    motion: Option<When>,
    /// Boards as images: auto, off, kitty, sixel or iterm2
    ///
    /// auto asks the terminal. off serves recorders such as asciinema. The others use this protocol whatever the
    /// terminal answers. The default comes from `graphics` in config.toml, or is auto.
    #[arg(long, global = true, value_name = "PROTOCOL", value_parser = graphics(), hide_possible_values = true)]
    graphics: Option<Graphics>,
    /// Let engines think during your turn
    ///
    /// Only strong and perfect ponder: with one thread of lowest priority, for at most five minutes. The default
    /// comes from `ponder` in config.toml, or is auto.
    #[arg(long, global = true, value_enum, value_name = "WHEN")]
    ponder: Option<AutoOrNever>,
    /// Print lines of text, for screen readers, simple terminals and pipes
    ///
    /// Every change is printed as a sentence. Type moves, or commands such as board, undo, hint and help; on the home
    /// screen also play quixo, resume, records and rules. This is the default if TERM is dumb. A tournament prints
    /// one line per game.
    #[arg(long, global = true)]
    pub(super) plain: bool,
    /// Draw with ASCII only; the default if the locale is not UTF-8
    #[arg(long, global = true)]
    ascii: bool,
    /// Settings file to use instead of ~/.config/quadrille/config.toml
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum AutoOrNever {
    Auto,
    Never,
}

/// Parses the name of a built-in or custom theme.
fn theme_name() -> impl TypedValueParser<Value = String> {
    let parse = |name: &str| Ok(name.to_owned());
    OpenList { values: built_in_names().map(PossibleValue::new).collect(), parse }
}

fn graphics() -> impl TypedValueParser<Value = Graphics> {
    PossibleValuesParser::new(Graphics::VARIANTS).try_map(|word| word.parse::<Graphics>())
}

impl DisplayArgs {
    /// Reads the settings from the file that the user named, which must exist, or else from the file in the config
    /// folder.
    pub(super) fn config_file(&self) -> anyhow::Result<ConfigFile> {
        if let Some(path) = &self.config
            && let Err(error) = path.metadata()
        {
            let why = match (disk::leads_somewhere(path), error.kind()) {
                (Err(why), _) => why.to_string(),
                (Ok(()), ErrorKind::NotFound) => "file not found".to_owned(),
                (Ok(()), _) => error.to_string(),
            };
            return Err(usage(format!("--config {}: {why}", path.display())));
        }
        Ok(ConfigFile::read(self.config.as_deref()))
    }

    /// Returns the theme for pictures. Pictures use all of its colors, since they do not depend on the terminal.
    ///
    /// Errors in the settings file and in the file of the theme are printed on stderr, because they may cause a
    /// built-in theme to replace the user's.
    pub(super) fn theme_of_pictures(&self) -> anyhow::Result<Theme> {
        let mut config = self.config_file()?;
        let theme = self.theme(&mut config)?;
        if let Some(wrong) = config.problems.first().filter(|_| self.theme.is_none()) {
            print_stderr(wrong);
        }
        Ok(theme)
    }

    /// Returns the theme given by `--theme`, or else by the settings.
    fn theme(&self, config: &mut ConfigFile) -> anyhow::Result<Theme> {
        let Some(name) = &self.theme else { return Ok(config.theme()) };
        let unknown = || usage(format!("--theme: {}", themes::unknown(name)));
        themes::find(name)?.ok_or_else(unknown)
    }

    /// Returns whether to print lines instead of screens, by choice or because the terminal cannot show the screens.
    pub(super) fn is_plain(&self) -> bool {
        self.plain || appearance::is_for_lines()
    }

    /// Overrides settings with those given on the command line.
    pub(super) fn override_settings(&self, settings: &mut Settings) {
        let flags = [(self.mouse, &mut settings.mouse), (self.ponder, &mut settings.ponder)];
        for (given, flag) in flags {
            *flag = given.map_or(*flag, |given| given == AutoOrNever::Auto);
        }
        settings.graphics = self.graphics.unwrap_or(settings.graphics);
        match self.motion {
            Some(When::Auto) => settings.motion = MotionChoice::Auto,
            Some(When::Always) => settings.motion = MotionChoice::Always,
            Some(When::Never) => settings.motion = MotionChoice::Never,
            None => {}
        }
    }

    /// Returns whether to show only ASCII.
    pub(super) fn is_ascii(&self) -> bool {
        self.ascii || appearance::is_ascii()
    }

    /// Returns the appearance for screens. If this terminal cannot show them, the error names `instead`, the command
    /// that works without screens.
    pub(super) fn on_the_terminal(&self, instead: &str) -> anyhow::Result<Appearance> {
        let appearance = self.appearance()?;
        appearance::can_show_screens().map_err(|why| anyhow!("{why}; use quadrille {instead}"))?;
        Ok(appearance)
    }

    pub(super) fn appearance(&self) -> anyhow::Result<Appearance> {
        let mut config = self.config_file()?;
        let theme = self.theme(&mut config)?;
        let mut settings = config.settings.clone();
        if let Some(name) = &self.theme {
            settings.theme.clone_from(name);
        }
        self.override_settings(&mut settings);
        if self.ascii {
            settings.glyphs = GlyphSet::Ascii;
        }
        let has_colour = match self.color {
            When::Always => Some(true),
            When::Never => Some(false),
            When::Auto => None,
        };
        Ok(Appearance::of_this_terminal(&theme, has_colour, settings, config))
    }

    /// Returns the appearance for this terminal: screens, or lines if requested or necessary. If neither is possible,
    /// the error names `instead`.
    pub(super) fn display(&self, instead: &str) -> anyhow::Result<Appearance> {
        if !self.is_plain() {
            return self.on_the_terminal(instead);
        }
        let appearance = self.appearance()?;
        let options = TextOptions {
            has_prompt: stdin().is_terminal() && stdout().is_terminal(),
            is_ascii: self.is_ascii() || appearance.settings.glyphs == GlyphSet::Ascii,
        };
        Ok(appearance.in_text(options))
    }
}

/// Runs the app with the screens that `open` adds.
pub(super) fn open(appearance: &Appearance, open: impl FnOnce(App) -> App) -> anyhow::Result<()> {
    let mut disk_host = DiskHost::new(MatchSaver::new(None), appearance);
    disk_host::run(open(appearance.app()), &mut disk_host)
}

/// Plays a match. Each warning consists of a title and a text, which the user must confirm. The note is about the
/// setup.
pub(super) fn play(
    appearance: &Appearance,
    open_match: OpenMatch,
    saver: MatchSaver,
    warnings: Vec<[String; 2]>,
    note: Option<String>,
) -> anyhow::Result<()> {
    let mut app = appearance.stay_or_leave_home(appearance.app()).with_match(open_match);
    if let Some(note) = note {
        app.show_message(&note);
    }
    // The last warning opened is on top, so reverse the order to show the first warning first.
    for [title, text] in warnings.into_iter().rev() {
        app.warn(&title, &text);
    }
    disk_host::run(app, &mut DiskHost::new(saver, appearance))
}
