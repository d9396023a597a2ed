//! Asks the terminal about itself: outside the screens, and on the screens whether it shows images.

use super::keys::TerminalInput;
use super::protocol::{GraphicsEnvironment, Protocol};
use super::sequence::{
    ASK_ATTRIBUTES, ASK_BACKGROUND, ASK_CELL_SIZE, ASK_COLOURS, ASK_KEYBOARD_FLAGS,
    ASK_KITTY_GRAPHICS, ASK_MODE, ASK_VERSION,
};
use super::terminal_screen::{OUTPUT_TIMEOUT, read_to_attributes};
use crate::app::App;
use crate::settings::Graphics;
use quadrille_scene::colour::Rgb;
use quadrille_scene::pixels::CellSize;
use quadrille_scene::{Skin, TerminalColour};
use quadrille_table::play::{Output, Wakers};
use rustix::stdio::{stdin, stdout};
use rustix::termios::{
    OptionalActions, QueueSelector, tcflush, tcgetattr, tcgetwinsize, tcsetattr,
};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::low_level::emulate_default_handler;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::time::Duration;

/// What the terminal answers about itself; `None` where it gives no answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TerminalAnswers {
    /// The name and version (XTVERSION).
    pub version: Option<String>,
    pub background: Option<Rgb>,
    /// The flags of kitty's keyboard protocol.
    pub keyboard_flags: Option<u32>,
    /// The private modes that the terminal knows, out of those queried.
    pub known_modes: Option<Vec<u16>>,
    /// Whether the terminal has kitty's graphics protocol.
    pub has_kitty_graphics: bool,
    /// The attributes (DA1): a bit for each number below 64.
    pub attributes: Option<u64>,
    /// The size of a cell in pixels.
    pub cell: Option<CellSize>,
}

impl TerminalAnswers {
    const TIMEOUT: Duration = Duration::from_millis(500);
    const SIGNALS: [i32; 4] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];

    /// Asks the terminal on stdin and stdout, also whether it knows these private modes.
    pub fn ask(modes: &[u16], asks_about_images: bool) -> io::Result<TerminalAnswers> {
        // A signal must not end the process in raw mode.
        let signals = Wakers::watch(&TerminalAnswers::SIGNALS)?;
        let before = tcgetattr(stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(stdin(), OptionalActions::Now, &raw)?;
        let mut answers = TerminalAnswers::default();
        let sent = ask(modes, asks_about_images);
        if sent.as_ref().is_ok_and(|is_sent| *is_sent) {
            read_to_attributes(TerminalAnswers::TIMEOUT, |input| answers.on_input(input));
        }
        // Neither late answers nor typed keys must reach the shell.
        let _ = tcflush(stdin(), QueueSelector::IFlush);
        tcsetattr(stdin(), OptionalActions::Now, &before)?;
        if let Some(signal) = signals.signals().first() {
            emulate_default_handler(*signal)?;
        }
        sent.map(|_| answers)
    }

    fn on_input(&mut self, input: TerminalInput) {
        /// The state in a mode report if the terminal does not know the mode.
        const UNKNOWN: u16 = 0;
        match input {
            TerminalInput::Version(version) => self.version = Some(version),
            TerminalInput::Colour(TerminalColour::Background, colour) => {
                self.background = Some(colour);
            }
            TerminalInput::KeyboardFlags(flags) => self.keyboard_flags = Some(flags),
            TerminalInput::Mode(mode, state) => {
                let known = self.known_modes.get_or_insert_default();
                known.extend((state != UNKNOWN).then_some(mode));
            }
            TerminalInput::KittyGraphics => self.has_kitty_graphics = true,
            TerminalInput::Attributes(attributes) => self.attributes = Some(attributes),
            TerminalInput::CellPixels([width, height]) => self.cell = cell_size(width, height),
            TerminalInput::Event(_) | TerminalInput::Colour(..) => {}
        }
    }
}

/// Returns the size of a cell, unless it is implausible.
fn cell_size(width: u16, height: u16) -> Option<CellSize> {
    const PLAUSIBLE: RangeInclusive<u16> = 3..=200;
    let is_plausible = [width, height].iter().all(|length| PLAUSIBLE.contains(length));
    is_plausible.then_some(CellSize { width, height })
}

/// Returns the size of a cell that the system reports.
pub fn window_cell() -> Option<CellSize> {
    let size = tcgetwinsize(stdout()).ok()?;
    let width = size.ws_xpixel.checked_div(size.ws_col)?;
    cell_size(width, size.ws_ypixel.checked_div(size.ws_row)?)
}

/// Asks once for the terminal's colors and whether it shows images, and decides with the answers about images.
pub(super) struct ImageProbe {
    /// What the environment says; `None` if there are no images, whatever the terminal answers.
    environment: Option<GraphicsEnvironment>,
    stage: Stage,
    answers: TerminalAnswers,
    /// The answers go to the app.
    has_asked_colours: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Stage {
    NotAsked,
    Asked,
    /// The terminal has answered the last query. Later answers change nothing.
    Answered,
}

impl ImageProbe {
    /// The private mode in which the mouse is reported in pixels.
    pub const PIXEL_MOUSE: u16 = 1016;

    pub fn new(environment: Option<GraphicsEnvironment>) -> ImageProbe {
        let environment = environment.filter(|environment| environment.forbids().is_none());
        ImageProbe {
            environment,
            stage: Stage::NotAsked,
            answers: TerminalAnswers::default(),
            has_asked_colours: false,
        }
    }

    /// Sends the queries that are needed for the screens and were not sent before. Returns whether there are any.
    pub fn ask(
        &mut self,
        setting: Graphics,
        skin: Skin,
        output: &mut impl Write,
    ) -> io::Result<bool> {
        let asks_colours = !self.has_asked_colours && skin.uses_terminal_colours();
        if asks_colours {
            self.has_asked_colours = true;
            output.write_all(ASK_COLOURS)?;
        }
        let is_of_use = self.environment.is_some() && setting != Graphics::Off;
        let asks_about_images = self.stage == Stage::NotAsked && is_of_use;
        if asks_about_images {
            self.stage = Stage::Asked;
            for query in [ASK_VERSION, ASK_KITTY_GRAPHICS, ASK_CELL_SIZE] {
                output.write_all(query)?;
            }
            let [before, after] = ASK_MODE;
            write!(output, "{before}{}{after}", ImageProbe::PIXEL_MOUSE)?;
        }
        let is_asked = asks_colours || asks_about_images;
        if is_asked {
            output.write_all(ASK_ATTRIBUTES)?;
        }
        Ok(is_asked)
    }

    /// Asks again later, if the answers did not arrive before the terminal was lent.
    pub fn forget_unanswered(&mut self) {
        if self.stage == Stage::Asked {
            (self.stage, self.answers) = (Stage::NotAsked, TerminalAnswers::default());
        }
    }

    /// Takes an answer. Returns whether it is the last one.
    pub fn on_input(&mut self, input: TerminalInput) -> bool {
        if self.stage != Stage::Asked {
            return false;
        }
        if matches!(input, TerminalInput::Attributes(_)) {
            self.stage = Stage::Answered;
        }
        self.answers.on_input(input);
        self.stage == Stage::Answered
    }

    /// Returns the protocol for images and the size of a cell. `window` is the size that the system reports.
    pub fn protocol(&self, app: &App, window: Option<CellSize>) -> Option<(Protocol, CellSize)> {
        let answers = Some(&self.answers).filter(|_| self.stage == Stage::Answered);
        self.environment.as_ref()?.protocol(app.graphics(), app.skin(), answers, window).ok()
    }

    /// Returns the size of a cell: the one that the system reports, or else the one that the terminal reports.
    pub fn cell(&self, window: Option<CellSize>) -> Option<CellSize> {
        window.or(self.answers.cell)
    }

    /// Returns whether the terminal can report the mouse in pixels.
    pub fn has_pixel_mouse(&self) -> bool {
        let known = self.answers.known_modes.as_deref().unwrap_or_default();
        self.stage == Stage::Answered && known.contains(&ImageProbe::PIXEL_MOUSE)
    }
}

/// Sends the queries. Returns whether the terminal has accepted them.
fn ask(modes: &[u16], asks_about_images: bool) -> io::Result<bool> {
    let mut output = Output::open();
    for query in [ASK_VERSION, ASK_BACKGROUND, ASK_KEYBOARD_FLAGS, ASK_CELL_SIZE] {
        output.write_all(query)?;
    }
    if asks_about_images {
        output.write_all(ASK_KITTY_GRAPHICS)?;
    }
    let [before, after] = ASK_MODE;
    for mode in modes {
        write!(output, "{before}{mode}{after}")?;
    }
    output.write_all(ASK_ATTRIBUTES)?;
    output.drain(OUTPUT_TIMEOUT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_from_missing_ones() {
        let mut answers = TerminalAnswers::default();
        assert_eq!(answers.known_modes, None);
        for input in [
            TerminalInput::Mode(1006, 2),
            TerminalInput::Mode(2027, 0),
            TerminalInput::Mode(1003, 1),
            TerminalInput::KeyboardFlags(0),
            TerminalInput::Version("foot(1.16.2)".to_owned()),
            TerminalInput::KittyGraphics,
            TerminalInput::CellPixels([9, 18]),
            TerminalInput::Attributes(1 << 4),
        ] {
            answers.on_input(input);
        }
        let expected = TerminalAnswers {
            version: Some("foot(1.16.2)".to_owned()),
            background: None,
            keyboard_flags: Some(0),
            known_modes: Some(vec![1006, 1003]),
            has_kitty_graphics: true,
            attributes: Some(1 << 4),
            cell: Some(CellSize { width: 9, height: 18 }),
        };
        assert_eq!(answers, expected);
        answers.on_input(TerminalInput::CellPixels([0, 65535]));
        assert_eq!(answers.cell, None);
    }

    #[cfg(feature = "pictures")]
    #[test]
    fn only_answers_before_the_last_one_count() {
        let environment = || {
            Some(GraphicsEnvironment {
                term: "xterm-256color".to_owned(),
                program: String::new(),
                is_multiplexed: false,
                depth: quadrille_scene::Depth::TrueColour,
            })
        };
        let theme = quadrille_scene::Theme::night();
        let app = App::new(quadrille_scene::Skin::default().with_theme(theme), 1);
        let name = || TerminalInput::Version("kitty(0.36.4)".to_owned());
        let cell = || TerminalInput::CellPixels([9, 18]);
        let last = || TerminalInput::Attributes(1 << 62);
        let graphics = || TerminalInput::KittyGraphics;
        let mut sent = Vec::new();
        for (inputs, has_images) in [
            (vec![name(), graphics(), cell(), last()], true),
            (vec![name(), graphics(), cell()], false),
            (vec![last(), name(), graphics(), cell()], false),
            (vec![name(), cell(), last(), graphics(), last()], false),
            (vec![name(), graphics(), last(), cell()], false),
            (vec![name(), graphics(), cell(), last(), TerminalInput::CellPixels([0, 0])], true),
            (vec![name(), graphics(), cell(), last(), last()], true),
        ] {
            let mut probe = ImageProbe::new(environment());
            assert!(probe.ask(Graphics::Auto, app.skin(), &mut sent).unwrap());
            assert!(!probe.ask(Graphics::Auto, app.skin(), &mut sent).unwrap(), "once");
            let count = inputs.iter().filter(|input| **input == last()).count();
            let ends = inputs.into_iter().filter(|input| probe.on_input(input.clone())).count();
            assert_eq!(ends, count.min(1));
            assert_eq!(probe.protocol(&app, None).is_some(), has_images);
        }
        assert!(sent.len() / 7 < 76, "{}", sent.len() / 7);
        for (environment, setting) in [(None, Graphics::Auto), (environment(), Graphics::Off)] {
            assert!(!ImageProbe::new(environment).ask(setting, app.skin(), &mut sent).unwrap());
        }
    }
}
