//! Which protocol for images the terminal gets, if any.
//!
//! A positive answer to kitty's query is not enough, because some terminals give one and cannot show images in cells of
//! text. So the name of the terminal decides too.

use super::probe::TerminalAnswers;
use crate::picture;
use crate::settings::Graphics;
use quadrille_scene::pixels::CellSize;
use quadrille_scene::{Depth, Skin};
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// kitty's protocol with Unicode placeholders.
    Kitty,
    /// kitty's protocol in a terminal around tmux.
    KittyInTmux,
    Sixel,
    /// Sixel in a terminal that may show unset pixels in its own background, not in that of their cells.
    SixelOnPaper,
    ITerm2,
}

/// What the environment says about a terminal that may show images.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphicsEnvironment {
    pub term: String,
    /// The name of the terminal (`TERM_PROGRAM`), which ssh does not forward.
    pub program: String,
    /// Whether the program runs inside a terminal multiplexer such as tmux.
    pub is_multiplexed: bool,
    pub depth: Depth,
}

/// Why the boards are drawn in cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoImages {
    NotInBuild,
    Off,
    FewColours,
    Term(String),
    Theme(String),
    Ascii,
    Multiplexer,
    NoAnswer,
    Terminal(String),
    NoProtocol,
    CellSize,
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Protocol::Kitty => "kitty",
            Protocol::KittyInTmux => "kitty through tmux",
            Protocol::Sixel | Protocol::SixelOnPaper => "sixel",
            Protocol::ITerm2 => "iTerm2",
        })
    }
}

impl fmt::Display for NoImages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoImages::NotInBuild => f.write_str("this build has no pictures"),
            NoImages::Off => f.write_str("the setting graphics is off"),
            NoImages::FewColours => f.write_str("images need 256 colors"),
            NoImages::Term(term) => write!(f, "TERM is {term}"),
            NoImages::Theme(theme) => write!(f, "the theme {theme} has no background of its own"),
            NoImages::Ascii => f.write_str("the glyphs are ASCII"),
            NoImages::Multiplexer => {
                f.write_str("a multiplexer such as tmux is between; see the setting graphics")
            }
            NoImages::NoAnswer => f.write_str("the terminal does not answer"),
            NoImages::Terminal(name) => write!(f, "{name} cannot show them below text"),
            NoImages::NoProtocol => f.write_str("the terminal reports no protocol"),
            NoImages::CellSize => f.write_str("the size of a cell in pixels is unknown"),
        }
    }
}

/// Terminals whose text and images do not mix, or that report a protocol that they lack, by the beginnings of their
/// names.
const UNFIT: [&str; 9] =
    ["konsole", "rio", "warp", "zellij", "xterm.js", "vscode", "tmux", "screen", "gnu screen"];

/// Terminals with kitty's placeholders.
const WITH_PLACEHOLDERS: [&str; 2] = ["kitty", "ghostty"];
const WITH_INLINE_IMAGES: [&str; 2] = ["iterm", "wezterm"];

/// The first version of kitty with placeholders.
const KITTY_WITH_PLACEHOLDERS: [u32; 2] = [0, 28];

/// The attributes (DA1) of xterm.js, which older versions do not name.
const XTERM_JS: u64 = 1 << 62 | 1 << 4 | 1 << 9 | 1 << 22;
const SIXEL: u64 = 1 << 4;

impl GraphicsEnvironment {
    /// Returns why the terminal need not be asked, whatever the settings and the theme are.
    pub fn forbids(&self) -> Option<NoImages> {
        let has_colours = matches!(self.depth, Depth::TrueColour | Depth::Indexed256);
        match &*self.term {
            _ if !picture::HAS_PIXELS => Some(NoImages::NotInBuild),
            term @ ("" | "dumb" | "linux") => Some(NoImages::Term(term.to_owned())),
            _ if !has_colours => Some(NoImages::FewColours),
            _ => None,
        }
    }

    /// Returns the protocol for images with this setting, and the size of a cell. `window` is the size of a cell that
    /// the system reports. `answers` is `None` until the terminal has answered the last query.
    pub fn protocol(
        &self,
        setting: Graphics,
        skin: Skin,
        answers: Option<&TerminalAnswers>,
        window: Option<CellSize>,
    ) -> Result<(Protocol, CellSize), NoImages> {
        if setting == Graphics::Off {
            return Err(NoImages::Off);
        }
        if let Some(reason) = self.forbids() {
            return Err(reason);
        }
        if !skin.theme().paints() {
            return Err(NoImages::Theme(skin.theme().name().to_owned()));
        }
        if skin.is_ascii() {
            return Err(NoImages::Ascii);
        }
        let protocol = match setting {
            Graphics::Kitty if self.is_multiplexed => Protocol::KittyInTmux,
            Graphics::Kitty => Protocol::Kitty,
            Graphics::Sixel => sixel(self.name(answers)),
            Graphics::ITerm2 => Protocol::ITerm2,
            Graphics::Auto | Graphics::Off if self.is_multiplexed => {
                return Err(NoImages::Multiplexer);
            }
            Graphics::Auto | Graphics::Off => {
                self.reported_protocol(answers.ok_or(NoImages::NoAnswer)?)?
            }
        };
        let cell = window.or(answers.and_then(|answers| answers.cell));
        Ok((protocol, cell.ok_or(NoImages::CellSize)?))
    }

    /// Returns the terminal's name; empty if it is unknown.
    fn name<'a>(&'a self, answers: Option<&'a TerminalAnswers>) -> &'a str {
        let version = answers.and_then(|answers| answers.version.as_deref());
        version.filter(|name| !name.is_empty()).unwrap_or(&self.program)
    }

    fn reported_protocol(&self, answers: &TerminalAnswers) -> Result<Protocol, NoImages> {
        let attributes = answers.attributes.ok_or(NoImages::NoAnswer)?;
        let name = self.name(Some(answers));
        let starts = |names: &[&str]| {
            let name = name.to_ascii_lowercase();
            names.iter().any(|start| name.starts_with(start))
        };
        if starts(&UNFIT) {
            return Err(NoImages::Terminal(name.to_owned()));
        }
        if starts(&WITH_INLINE_IMAGES) {
            return Ok(Protocol::ITerm2);
        }
        let is_kitty = starts(&WITH_PLACEHOLDERS) && !is_old_kitty(name);
        if answers.has_kitty_graphics && is_kitty {
            return Ok(Protocol::Kitty);
        }
        let is_xterm_js = name.is_empty() && attributes == XTERM_JS;
        if attributes & SIXEL != 0 && !is_xterm_js {
            return Ok(sixel(name));
        }
        Err(NoImages::NoProtocol)
    }
}

/// Returns the kind of sixel for a terminal. mlterm, which does not name itself, shows unset pixels in its own background.
const fn sixel(name: &str) -> Protocol {
    if name.is_empty() { Protocol::SixelOnPaper } else { Protocol::Sixel }
}

/// Returns whether a name such as `kitty(0.26.5)` is that of a kitty without placeholders.
fn is_old_kitty(name: &str) -> bool {
    let version = name.strip_prefix("kitty(").unwrap_or_default();
    let mut numbers = version.split(['.', ')']).map_while(|number| number.parse::<u32>().ok());
    let version = numbers.next().zip(numbers.next());
    version.is_some_and(|(major, minor)| [major, minor] < KITTY_WITH_PLACEHOLDERS)
}

#[cfg(all(test, feature = "pictures"))]
mod tests {
    use super::*;
    use quadrille_scene::Theme;

    const CELL: CellSize = CellSize { width: 9, height: 18 };

    fn skin() -> Skin {
        Skin::default().with_theme(Theme::night())
    }

    fn environment() -> GraphicsEnvironment {
        GraphicsEnvironment {
            term: "xterm-256color".to_owned(),
            program: String::new(),
            is_multiplexed: false,
            depth: Depth::Indexed256,
        }
    }

    fn answers(version: &str, has_kitty_graphics: bool, attributes: &[u32]) -> TerminalAnswers {
        TerminalAnswers {
            version: (!version.is_empty()).then(|| version.to_owned()),
            has_kitty_graphics,
            attributes: Some(attributes.iter().fold(0, |all, one| all | 1 << one)),
            ..TerminalAnswers::default()
        }
    }

    #[test]
    fn name_and_answers_decide_together() {
        let (kitty, sixel, iterm2) =
            (Ok(Protocol::Kitty), Ok(Protocol::Sixel), Ok(Protocol::ITerm2));
        let unfit = |name: &str| Err(NoImages::Terminal(name.to_owned()));
        for (version, program, has_kitty, attributes, expected) in [
            ("kitty(0.36.4)", "", true, &[62][..], kitty.clone()),
            ("kitty(0.28.0)", "", true, &[62], kitty.clone()),
            ("kitty(0.26.5)", "", true, &[62], Err(NoImages::NoProtocol)),
            ("kitty(1.0.0)", "", true, &[62], kitty.clone()),
            ("kitty(0.36.4)", "", false, &[62], Err(NoImages::NoProtocol)),
            ("ghostty 1.1.3", "", true, &[62, 22], kitty),
            ("foot(1.16.2)", "", false, &[62, 4, 22], sixel.clone()),
            ("XTerm(390)", "", false, &[63, 1, 2, 4, 6], sixel.clone()),
            ("XTerm(390)", "", false, &[63, 1, 2, 6], Err(NoImages::NoProtocol)),
            ("", "", false, &[63, 1, 2, 3, 4], Ok(Protocol::SixelOnPaper)),
            ("contour 0.4.3", "", false, &[61, 4], sixel.clone()),
            // Windows Terminal does not name itself.
            ("", "", false, &[61, 4, 6, 7, 14], Ok(Protocol::SixelOnPaper)),
            ("iTerm2 3.5.0", "", true, &[62, 4], iterm2.clone()),
            ("WezTerm 20240203-110809-5046fc22", "", true, &[62, 4], iterm2.clone()),
            ("", "WezTerm", true, &[62, 4], iterm2.clone()),
            ("", "iTerm.app", false, &[62, 4], iterm2),
            ("Konsole 23.08.5", "", true, &[62, 4], unfit("Konsole 23.08.5")),
            ("Rio 0.1.17", "", true, &[62, 4], unfit("Rio 0.1.17")),
            ("", "WarpTerminal", true, &[62], unfit("WarpTerminal")),
            ("xterm.js(5.6.0)", "", true, &[62, 4, 9, 22], unfit("xterm.js(5.6.0)")),
            ("", "vscode", false, &[62, 4, 9, 22], unfit("vscode")),
            ("", "", false, &[62, 4, 9, 22], Err(NoImages::NoProtocol)),
            ("Zellij(0.41.2)", "", true, &[62, 4], unfit("Zellij(0.41.2)")),
            ("tmux 3.4", "", false, &[1, 2, 4], unfit("tmux 3.4")),
            // A positive answer from an unknown terminal is not enough.
            ("Unknown 1", "", true, &[62], Err(NoImages::NoProtocol)),
            ("", "", false, &[1, 2], Err(NoImages::NoProtocol)),
        ] {
            let environment = GraphicsEnvironment { program: program.to_owned(), ..environment() };
            let answers = answers(version, has_kitty, attributes);
            let protocol = environment.protocol(Graphics::Auto, skin(), Some(&answers), Some(CELL));
            assert_eq!(protocol, expected.map(|is| (is, CELL)), "{version} {program}");
        }
    }

    #[test]
    fn images_are_off_where_they_cannot_be_seen_or_are_not_wanted() {
        let kitty = answers("kitty(0.36.4)", true, &[62]);
        let skin = skin();
        let of = |environment: &GraphicsEnvironment, setting, skin| {
            environment
                .protocol(setting, skin, Some(&kitty), Some(CELL))
                .map(|(protocol, _)| protocol)
        };
        let usual = environment();
        assert_eq!(of(&usual, Graphics::Auto, skin), Ok(Protocol::Kitty));
        assert_eq!(of(&usual, Graphics::Off, skin), Err(NoImages::Off));
        for (setting, protocol) in [
            (Graphics::Kitty, Protocol::Kitty),
            (Graphics::Sixel, Protocol::Sixel),
            (Graphics::ITerm2, Protocol::ITerm2),
        ] {
            assert_eq!(of(&usual, setting, skin), Ok(protocol));
            // The user's choice needs no answer but the size of a cell.
            let unanswered = |window| usual.protocol(setting, skin, None, window);
            let unnamed =
                if protocol == Protocol::Sixel { Protocol::SixelOnPaper } else { protocol };
            assert_eq!(unanswered(Some(CELL)), Ok((unnamed, CELL)));
            assert_eq!(unanswered(None), Err(NoImages::CellSize));
        }
        let unanswered = usual.protocol(Graphics::Auto, skin, None, Some(CELL));
        assert_eq!(unanswered, Err(NoImages::NoAnswer));
        let multiplexed = GraphicsEnvironment { is_multiplexed: true, ..usual.clone() };
        assert_eq!(of(&multiplexed, Graphics::Auto, skin), Err(NoImages::Multiplexer));
        assert_eq!(of(&multiplexed, Graphics::Kitty, skin), Ok(Protocol::KittyInTmux));
        let terminal = skin.with_theme(Theme::terminal());
        for setting in [Graphics::Auto, Graphics::Kitty] {
            for depth in [Depth::Ansi16, Depth::Ansi8, Depth::None] {
                let environment = GraphicsEnvironment { depth, ..usual.clone() };
                assert_eq!(of(&environment, setting, skin), Err(NoImages::FewColours));
            }
            for term in ["dumb", "linux", ""] {
                let environment = GraphicsEnvironment { term: term.to_owned(), ..usual.clone() };
                assert_eq!(of(&environment, setting, skin), Err(NoImages::Term(term.to_owned())));
            }
            let no_paper = NoImages::Theme("terminal".to_owned());
            assert_eq!(of(&usual, setting, terminal), Err(no_paper));
            assert_eq!(of(&usual, setting, skin.in_ascii()), Err(NoImages::Ascii));
        }
    }

    #[test]
    fn system_knows_the_size_of_a_cell_better_than_the_terminal() {
        let other = CellSize { width: 7, height: 14 };
        let kitty = TerminalAnswers { cell: Some(other), ..answers("kitty(0.36.4)", true, &[62]) };
        for (window, expected) in [(Some(CELL), CELL), (None, other)] {
            let protocol = environment().protocol(Graphics::Auto, skin(), Some(&kitty), window);
            assert_eq!(protocol, Ok((Protocol::Kitty, expected)));
        }
    }
}
