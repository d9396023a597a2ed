//! Asks the terminal about itself, outside the screens.

use super::keys::TerminalInput;
use super::sequence::{ASK_ATTRIBUTES, ASK_BACKGROUND, ASK_KEYBOARD_FLAGS, ASK_MODE, ASK_VERSION};
use super::terminal_screen::{OUTPUT_TIMEOUT, read_to_attributes};
use quadrille_scene::colour::Rgb;
use quadrille_table::play::{Output, Wakers};
use rustix::stdio::stdin;
use rustix::termios::{OptionalActions, QueueSelector, tcflush, tcgetattr, tcsetattr};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::low_level::emulate_default_handler;
use std::io::{self, Write};
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
}

impl TerminalAnswers {
    const TIMEOUT: Duration = Duration::from_millis(500);
    const SIGNALS: [i32; 4] = [SIGHUP, SIGINT, SIGQUIT, SIGTERM];

    /// Asks the terminal on stdin and stdout, also whether it knows these private modes.
    pub fn ask(modes: &[u16]) -> io::Result<TerminalAnswers> {
        // A signal must not end the process in raw mode.
        let signals = Wakers::watch(&TerminalAnswers::SIGNALS)?;
        let before = tcgetattr(stdin())?;
        let mut raw = before.clone();
        raw.make_raw();
        tcsetattr(stdin(), OptionalActions::Now, &raw)?;
        let mut answers = TerminalAnswers::default();
        let sent = ask(modes);
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
            TerminalInput::Background(colour) => self.background = Some(colour),
            TerminalInput::KeyboardFlags(flags) => self.keyboard_flags = Some(flags),
            TerminalInput::Mode(mode, state) => {
                let known = self.known_modes.get_or_insert_default();
                known.extend((state != UNKNOWN).then_some(mode));
            }
            TerminalInput::Event(_) | TerminalInput::Attributes => {}
        }
    }
}

/// Sends the queries. Returns whether the terminal has accepted them.
fn ask(modes: &[u16]) -> io::Result<bool> {
    let mut output = Output::open();
    for query in [ASK_VERSION, ASK_BACKGROUND, ASK_KEYBOARD_FLAGS] {
        output.write_all(query)?;
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
            TerminalInput::Attributes,
        ] {
            answers.on_input(input);
        }
        let expected = TerminalAnswers {
            version: Some("foot(1.16.2)".to_owned()),
            background: None,
            keyboard_flags: Some(0),
            known_modes: Some(vec![1006, 1003]),
        };
        assert_eq!(answers, expected);
    }
}
