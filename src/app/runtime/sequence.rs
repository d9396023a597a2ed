//! The terminal's byte sequences for keys and the mouse, according to ECMA-48, xterm's table of control sequences, and
//! kitty's keyboard protocol.

use Token::{
    Attributes, CellPixels, Colour, Focus, Key, KeyboardFlags, LongCommand, Mode, Mouse, Paste,
    Unknown,
};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use quadrille_scene::TerminalColour;
use quadrille_scene::colour::Rgb;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Key(KeyEvent),
    /// A mouse report in xterm's mode 1006.
    Mouse(MouseEvent),
    Paste,
    /// Whether the terminal's window has the focus.
    Focus(bool),
    Colour(TerminalColour, Rgb),
    /// The active flags of kitty's keyboard protocol.
    KeyboardFlags(u32),
    /// The capabilities of the terminal (DA1), in response to [`ASK_ATTRIBUTES`]: a bit for each number below 64.
    Attributes(u64),
    /// The width and height of a cell in pixels, in response to [`ASK_CELL_SIZE`].
    CellPixels([u16; 2]),
    /// A private mode and its state (DECRPM), in response to [`ASK_MODE`].
    Mode(u16, u16),
    /// The beginning of an operating system command that is longer than every known answer.
    LongCommand,
    Unknown,
}

const ESC: u8 = 0x1b;
/// The maximum length of an unfinished sequence in bytes, excluding `ESC [`.
const MAX_LENGTH: usize = 64;

/// Queries the background color. The answer is an operating system command (OSC) such as
/// `ESC ] 11 ; rgb:1414/1616/1d1d BEL`; some terminals terminate it with `ESC \`.
pub(super) const ASK_BACKGROUND: &[u8] = b"\x1b]11;?\x07";

/// Queries the text color and the sixteen colors. The answers are like those for the background.
pub(super) const ASK_COLOURS: &[u8] = b"\x1b]10;?\x07\x1b]4;0;?;1;?;2;?;3;?;4;?;5;?;6;?;7;?\x07\
    \x1b]4;8;?;9;?;10;?;11;?;12;?;13;?;14;?;15;?\x07";
const BEL: u8 = 7;

/// Queries the flags of kitty's keyboard protocol. Only terminals that support this protocol answer.
pub(super) const ASK_KEYBOARD_FLAGS: &[u8] = b"\x1b[?u";
/// The flag that makes Esc a sequence, so that an `ESC` byte always begins a sequence.
pub(super) const DISAMBIGUATE: u32 = 1;

/// Queries the terminal's name and version (XTVERSION). The answer is a device control string.
pub(super) const ASK_VERSION: &[u8] = b"\x1b[>q";

/// Queries the size of a cell in pixels.
pub(super) const ASK_CELL_SIZE: &[u8] = b"\x1b[16t";

/// Queries kitty's graphics protocol with an image of one pixel. The answer is an application program command (APC)
/// with the same id.
pub(super) const ASK_KITTY_GRAPHICS: &[u8] = b"\x1b_Gi=5117,a=q,s=1,v=1,f=24;AAAA\x1b\\";
pub(super) const KITTY_GRAPHICS_WORK: &[u8] = b"Gi=5117;OK";

/// Queries the state of a private mode (DECRQM), whose number goes between the two parts.
pub(super) const ASK_MODE: [&str; 2] = ["\x1b[?", "$p"];

/// Queries the primary device attributes, which every terminal reports. Terminals answer queries in order, so after
/// this answer no answer to an earlier query is outstanding.
pub(super) const ASK_ATTRIBUTES: &[u8] = b"\x1b[c";

/// Parses the first token, and returns it with its length in bytes. `None` if there are no bytes, or if the token is
/// unfinished and more bytes may arrive. If `given_up`, no more bytes will arrive, and an unfinished sequence is a
/// token too.
pub(super) fn first_token(bytes: &[u8], given_up: bool) -> Option<(Token, usize)> {
    let alone = |code| Some((Key(KeyEvent::from(code)), 1));
    let [ESC, rest @ ..] = bytes else { return character(bytes, given_up) };
    match rest {
        [] => alone(KeyCode::Esc).filter(|_| given_up),
        [ESC, ..] => alone(KeyCode::Esc),
        [b'[' | b'O' | b']'] | [b'O', b'2'..=b'8'] if !given_up => None,
        [b'[', body @ ..] if !body.is_empty() => {
            control_sequence(body, given_up).map(|(token, length)| (token, length + 2))
        }
        [b']', body @ ..] if !body.is_empty() => {
            answer(body, given_up).map(|(token, length)| (token, length + 2))
        }
        [b'O', letter @ 0x40..=0x7e, ..] => {
            Some((key(key_after_shift(*letter), KeyModifiers::NONE), 3))
        }
        [b'O', held @ b'2'..=b'8', letter @ 0x40..=0x7e, ..] => {
            Some((key(key_after_shift(*letter), modifiers((held - b'0').into())), 4))
        }
        // A key pressed with Alt is sent as `ESC` followed by the key.
        _ => character(rest, given_up).map(|(token, length)| match token {
            Key(KeyEvent { code, modifiers, .. }) => {
                (key(Some(code), modifiers | KeyModifiers::ALT), length + 1)
            }
            token => (token, length + 1),
        }),
    }
}

fn key(code: Option<KeyCode>, modifiers: KeyModifiers) -> Token {
    code.map_or(Unknown, |code| Key(KeyEvent::new(code, modifiers)))
}

/// Parses a character, or a key that is sent as a control character.
fn character(bytes: &[u8], given_up: bool) -> Option<(Token, usize)> {
    let control = |first: u8, letter: u8, byte: u8| {
        key(Some(KeyCode::Char((byte - first + letter).into())), KeyModifiers::CONTROL)
    };
    // Programs built on portable-pty, such as WezTerm, send this when they close the terminal.
    if bytes.starts_with(b"\n\x04") {
        return Some((Unknown, 2));
    }
    let token = match *bytes.first()? {
        // Some terminals send a line feed for Enter on the keypad.
        b'\r' | b'\n' => key(Some(KeyCode::Enter), KeyModifiers::NONE),
        b'\t' => key(Some(KeyCode::Tab), KeyModifiers::NONE),
        8 | 0x7f => key(Some(KeyCode::Backspace), KeyModifiers::NONE),
        0 => key(Some(KeyCode::Char(' ')), KeyModifiers::CONTROL),
        byte @ 1..=26 => control(1, b'a', byte),
        byte @ 28..=31 => control(28, b'4', byte),
        _ => return text(bytes, given_up),
    };
    Some((token, 1))
}

fn text(bytes: &[u8], given_up: bool) -> Option<(Token, usize)> {
    let bytes = &bytes[..bytes.len().min(4)];
    let valid = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.valid_up_to() > 0 => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(error) => {
            let invalid = error.error_len().or(given_up.then_some(bytes.len()))?;
            return Some((Unknown, invalid));
        }
    };
    let c = valid.chars().next()?;
    let shift = if c.is_uppercase() { KeyModifiers::SHIFT } else { KeyModifiers::NONE };
    Some((key(Some(KeyCode::Char(c)), shift), c.len_utf8()))
}

/// Parses a control sequence without its `ESC [`: parameters and a final character.
fn control_sequence(body: &[u8], given_up: bool) -> Option<(Token, usize)> {
    let unfinished = || (given_up || body.len() > MAX_LENGTH).then_some((Unknown, body.len()));
    let Some(at) = body.iter().position(|byte| !(0x20..=0x3f).contains(byte)) else {
        return unfinished();
    };
    let last = body[at];
    if !(0x40..=0x7e).contains(&last) {
        // A key such as Ctrl-C interrupted the sequence.
        return Some((Unknown, at));
    }
    if (at, last) == (0, b'M') {
        // A mouse report in a mode other than 1006: three bytes follow.
        return if body.len() > 3 { Some((Unknown, 4)) } else { unfinished() };
    }
    if (at, last) == (0, b'[') {
        // A function key of the Linux console: one letter follows.
        return if body.len() > 1 { Some((Unknown, 2)) } else { unfinished() };
    }
    if let (Some(b'<'), b'M' | b'm') = (body.first(), last) {
        let token = std::str::from_utf8(&body[1..at]).ok().and_then(|text| mouse(text, last));
        return Some((token.map_or(Unknown, Mouse), at + 1));
    }
    let text = std::str::from_utf8(&body[..at]).unwrap_or_default();
    let token = match (text.strip_prefix('?'), last) {
        (Some(numbers), b'c') => Attributes(attributes(numbers)),
        (None, b't') => cell_pixels(text).map_or(Unknown, CellPixels),
        (Some(flags), b'u') => flags.parse().map_or(Unknown, KeyboardFlags),
        (Some(report), b'y') => mode(report).unwrap_or(Unknown),
        (None, b'I') if text.is_empty() => Focus(true),
        (None, b'O') if text.is_empty() => Focus(false),
        _ => Parameters::read(text).map_or(Unknown, |parameters| parameters.token(last)),
    };
    Some((token, at + 1))
}

/// Parses the attributes in `62;4;22`. Numbers that no terminal uses are ignored.
fn attributes(numbers: &str) -> u64 {
    let numbers = numbers.split(';').filter_map(|number| number.parse::<u32>().ok());
    numbers.filter_map(|number| 1_u64.checked_shl(number)).fold(0, |all, bit| all | bit)
}

/// Parses the height and the width in `6;18;9`.
fn cell_pixels(report: &str) -> Option<[u16; 2]> {
    let (height, width) = report.strip_prefix("6;")?.split_once(';')?;
    Some([width.parse().ok()?, height.parse().ok()?])
}

/// Parses the number and the state in `1006;2$`.
fn mode(report: &str) -> Option<Token> {
    let (number, state) = report.strip_suffix('$')?.split_once(';')?;
    Some(Mode(number.parse().ok()?, state.parse().ok()?))
}

/// Parses an operating system command without its `ESC ]`. A control character other than the terminator belongs to a
/// key that interrupted the command.
fn answer(body: &[u8], given_up: bool) -> Option<(Token, usize)> {
    let Some(at) = body.iter().position(|byte| *byte < 0x20) else {
        return match body.len() {
            length if given_up => Some((Unknown, length)),
            length => (length > MAX_LENGTH).then_some((LongCommand, length)),
        };
    };
    let length = match body[at..] {
        [BEL, ..] => at + 1,
        [ESC, b'\\', ..] => at + 2,
        [ESC] if !given_up => return None,
        _ => return Some((Unknown, at)),
    };
    let colour = std::str::from_utf8(&body[..at]).ok().and_then(colour);
    Some((colour.unwrap_or(Unknown), length))
}

/// Parses a color such as `11;rgb:1414/1616/1d1d` or `4;12;rgb:5c5c/5c5c/ffff`. Each component has one to four
/// hexadecimal digits.
fn colour(text: &str) -> Option<Token> {
    let (number, colour) = text.split_once(';')?;
    let (which, colour) = match number {
        "10" => (TerminalColour::Text, colour),
        "11" => (TerminalColour::Background, colour),
        "4" => {
            let (index, colour) = colour.split_once(';')?;
            (TerminalColour::Ansi(index.parse().ok()?), colour)
        }
        _ => return None,
    };
    let colour = colour.strip_prefix("rgb:").or_else(|| colour.strip_prefix("rgba:"))?;
    let mut parts = colour.split('/').map(|part| {
        let is_hex =
            (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        let value = u32::from_str_radix(part, 16).ok().filter(|_| is_hex)?;
        u8::try_from(value * 255 / ((1 << (4 * part.len())) - 1)).ok()
    });
    Some(Colour(which, Rgb(parts.next()??, parts.next()??, parts.next()??)))
}

/// Parses a mouse report: a number for the event and the modifiers, then the column and the row, which are one-based.
/// The final letter is `M` for a press or a motion, `m` for a release. `None` for an unsupported report, such as for a
/// fourth button.
fn mouse(text: &str, letter: u8) -> Option<MouseEvent> {
    let mut numbers = text.split(';').map(|number| number.parse::<u16>().ok());
    let (code, column, row) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let button = match code & 3 {
        0 => Some(MouseButton::Left),
        1 => Some(MouseButton::Middle),
        2 => Some(MouseButton::Right),
        _ => None,
    };
    let kind = match (code & 0b1110_0000, button) {
        (64, Some(MouseButton::Left)) => MouseEventKind::ScrollUp,
        (64, Some(MouseButton::Middle)) => MouseEventKind::ScrollDown,
        (64, Some(MouseButton::Right)) => MouseEventKind::ScrollLeft,
        (64, _) => MouseEventKind::ScrollRight,
        (32, Some(button)) => MouseEventKind::Drag(button),
        (32, None) => MouseEventKind::Moved,
        (0, Some(button)) if letter == b'M' => MouseEventKind::Down(button),
        (0, Some(button)) => MouseEventKind::Up(button),
        _ => return None,
    };
    let held = [(4, KeyModifiers::SHIFT), (8, KeyModifiers::ALT), (16, KeyModifiers::CONTROL)];
    let held = held.into_iter().filter(|(bit, _)| code & bit != 0).map(|(_, key)| key);
    let (column, row) = (column.checked_sub(1)?, row.checked_sub(1)?);
    Some(MouseEvent { kind, column, row, modifiers: held.collect() })
}

/// The parameters of a key. All protocols send its code and the modifiers. kitty's protocol adds the shifted code, the
/// code on a US keyboard, and whether the key was released. xterm's `modifyOtherKeys` sends the code in `other_key`.
struct Parameters {
    code: u32,
    shifted: Option<u32>,
    on_us_keyboard: Option<u32>,
    held: KeyModifiers,
    is_release: bool,
    other_key: Option<u32>,
}

impl Parameters {
    const RELEASED: u32 = 3;

    /// Parses parameters and their subparameters, such as `97:65:97;5:1`. A missing value that has a default is 1.
    fn read(text: &str) -> Option<Parameters> {
        let number = |text: &str| match text {
            "" => Some(None),
            text => text.parse().ok().map(Some),
        };
        let parameters =
            text.split(';').map(|parameter| parameter.split(':').map(number).collect());
        let parameters = parameters.collect::<Option<Vec<Vec<Option<u32>>>>>()?;
        let part = |at: usize, part: usize| *parameters.get(at)?.get(part)?;
        Some(Parameters {
            code: part(0, 0).unwrap_or(1),
            shifted: part(0, 1),
            on_us_keyboard: part(0, 2),
            held: modifiers(part(1, 0).unwrap_or(1)),
            is_release: part(1, 1) == Some(Parameters::RELEASED),
            other_key: part(2, 0),
        })
    }

    fn token(&self, last: u8) -> Token {
        let code = match (self.code, last) {
            _ if self.is_release => None,
            (200, b'~') => return Paste,
            (27, b'~') => self.other_key.and_then(|code| self.typed(code)),
            (number, b'~') => key_of_number(number),
            (code, b'u') => self.typed(code),
            (_, letter) => key_of_letter(letter),
        };
        // Without kitty's protocol, a terminal sends the same code for different keys.
        let same = match code {
            Some(KeyCode::Char('[')) => KeyCode::Esc,
            Some(KeyCode::Char('i')) => KeyCode::Tab,
            Some(KeyCode::Char('j' | 'm')) => KeyCode::Enter,
            _ => return key(code, self.held),
        };
        if self.held.contains(KeyModifiers::CONTROL) {
            key(Some(same), self.held - KeyModifiers::CONTROL)
        } else {
            key(code, self.held)
        }
    }

    /// Returns the key for a code point. With Control, the result is the key on a US keyboard; with Shift, the shifted
    /// character.
    fn typed(&self, code: u32) -> Option<KeyCode> {
        let on_us_keyboard = self.on_us_keyboard.filter(|_| code > 0x7f);
        let code = match self.held {
            held if held.contains(KeyModifiers::CONTROL) => on_us_keyboard.unwrap_or(code),
            held if held.contains(KeyModifiers::SHIFT) => self.shifted.unwrap_or(code),
            _ => code,
        };
        let upper = |c: char| c.to_uppercase().next().unwrap_or(c);
        match key_of_code_point(code)? {
            KeyCode::Char(c) if self.held.contains(KeyModifiers::SHIFT) => {
                Some(KeyCode::Char(upper(c)))
            }
            code => Some(code),
        }
    }
}

/// Returns the modifiers in a parameter, which is one plus their bits.
fn modifiers(parameter: u32) -> KeyModifiers {
    let held = parameter.saturating_sub(1);
    let modifiers = [
        (1, KeyModifiers::SHIFT),
        (2, KeyModifiers::ALT),
        (4, KeyModifiers::CONTROL),
        (8, KeyModifiers::SUPER),
        (16, KeyModifiers::HYPER),
        (32, KeyModifiers::META),
    ];
    modifiers.into_iter().filter(|(bit, _)| held & bit != 0).map(|(_, modifier)| modifier).collect()
}

/// Returns the key for a letter after `ESC O`: an arrow or a function key, or a key of the keypad in application mode,
/// which may have been left on.
fn key_after_shift(letter: u8) -> Option<KeyCode> {
    match letter {
        b'M' => Some(KeyCode::Enter),
        b'I' => Some(KeyCode::Tab),
        b'X' => Some(KeyCode::Char('=')),
        // `*` to `9`, shifted by 0x40.
        b'j'..=b'y' => Some(KeyCode::Char((letter - 0x40).into())),
        _ => key_of_letter(letter),
    }
}

fn key_of_letter(letter: u8) -> Option<KeyCode> {
    Some(match letter {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        b'P'..=b'S' => KeyCode::F(letter - b'P' + 1),
        b'Z' => KeyCode::BackTab,
        _ => return None,
    })
}

fn key_of_number(number: u32) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11..=15 => KeyCode::F(number as u8 - 10),
        17..=21 => KeyCode::F(number as u8 - 11),
        23..=24 => KeyCode::F(number as u8 - 12),
        _ => return None,
    })
}

/// Returns the key for a code point as sent by terminals that distinguish all keys (`CSI u`). Private-use code points
/// are keys without a character: the keypad, and keys that have no function here.
fn key_of_code_point(code: u32) -> Option<KeyCode> {
    Some(match char::from_u32(code)? {
        '\r' | '\u{e046}' => KeyCode::Enter,
        '\t' => KeyCode::Tab,
        '\u{1b}' => KeyCode::Esc,
        '\u{8}' | '\u{7f}' => KeyCode::Backspace,
        '\u{e037}'..='\u{e040}' => KeyCode::Char(char::from_digit(code - 0xe037, 10)?),
        '\u{e041}'..='\u{e045}' => KeyCode::Char(['.', '/', '*', '-', '+'][code as usize - 0xe041]),
        '\u{e047}' => KeyCode::Char('='),
        '\u{e048}' => KeyCode::Char(','),
        '\u{e049}' => KeyCode::Left,
        '\u{e04a}' => KeyCode::Right,
        '\u{e04b}' => KeyCode::Up,
        '\u{e04c}' => KeyCode::Down,
        '\u{e04d}' => KeyCode::PageUp,
        '\u{e04e}' => KeyCode::PageDown,
        '\u{e04f}' => KeyCode::Home,
        '\u{e050}' => KeyCode::End,
        '\u{e051}' => KeyCode::Insert,
        '\u{e052}' => KeyCode::Delete,
        '\u{e000}'..='\u{f8ff}' => return None,
        c if c.is_control() => return None,
        c => KeyCode::Char(c),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use KeyCode::{Backspace, Char, Down, End, Enter, Esc, F, Left, PageUp, Right, Tab, Up};
    use KeyModifiers as With;

    /// Returns the keys in these bytes, assuming that no more bytes arrive.
    fn keys(mut bytes: &[u8]) -> Vec<(KeyCode, With)> {
        let mut keys = Vec::new();
        while let Some((token, length)) = first_token(bytes, true) {
            if let Key(KeyEvent { code, modifiers, .. }) = token {
                keys.push((code, modifiers));
            }
            assert!((1..=bytes.len()).contains(&length), "{bytes:?}: {length}");
            bytes = &bytes[length..];
        }
        assert!(bytes.is_empty(), "{bytes:?} is never taken");
        keys
    }

    #[test]
    fn parser_reads_every_key() {
        for (bytes, code, modifiers) in [
            ("a", Char('a'), With::NONE),
            ("Ä", Char('Ä'), With::SHIFT),
            ("林", Char('林'), With::NONE),
            ("\r", Enter, With::NONE),
            ("\n", Enter, With::NONE),
            ("\x08", Backspace, With::NONE),
            ("\x1b\n", Enter, With::ALT),
            ("\x1b[106;5u", Enter, With::NONE),
            ("\x1bOM", Enter, With::NONE),
            ("\x1bO2M", Enter, With::SHIFT),
            ("\x1bO5C", Right, With::CONTROL),
            ("\x1bOI", Tab, With::NONE),
            ("\t", Tab, With::NONE),
            ("\x7f", Backspace, With::NONE),
            ("\x03", Char('c'), With::CONTROL),
            ("\x1a", Char('z'), With::CONTROL),
            ("\x1d", Char('5'), With::CONTROL),
            ("\0", Char(' '), With::CONTROL),
            ("\x1b", Esc, With::NONE),
            ("\x1bf", Char('f'), With::ALT),
            ("\x1bé", Char('é'), With::ALT),
            ("\x1b[", Char('['), With::ALT),
            ("\x1bO", Char('O'), With::ALT | With::SHIFT),
            ("\x1b\x7f", Backspace, With::ALT),
            ("\x1b[A", Up, With::NONE),
            ("\x1bOB", Down, With::NONE),
            ("\x1b[1;5C", Right, With::CONTROL),
            ("\x1b[1;4D", Left, With::SHIFT | With::ALT),
            ("\x1b[Z", KeyCode::BackTab, With::NONE),
            ("\x1b[4~", End, With::NONE),
            ("\x1bOH", KeyCode::Home, With::NONE),
            ("\x1b[3;5~", KeyCode::Delete, With::CONTROL),
            ("\x1b[5~", PageUp, With::NONE),
            ("\x1bOP", F(1), With::NONE),
            ("\x1b[24~", F(12), With::NONE),
            ("\x1b[99;5u", Char('c'), With::CONTROL),
            ("\x1b[27u", Esc, With::NONE),
            ("\x1b[9;2:1u", Tab, With::SHIFT),
            ("\x1b[27;5;99~", Char('c'), With::CONTROL),
            ("\x1b[27;2;72~", Char('H'), With::SHIFT),
            ("\x1b[104:72;2u", Char('H'), With::SHIFT),
            ("\x1b[59:58;2u", Char(':'), With::SHIFT),
            ("\x1b[1089::99;5u", Char('c'), With::CONTROL),
            ("\x1b[97::113;5u", Char('a'), With::CONTROL),
            ("\x1b[91;5u", Esc, With::NONE),
            ("\x1b[27;5;109~", Enter, With::NONE),
            ("\x1b[57399u", Char('0'), With::NONE),
            ("\x1b[57414u", Enter, With::NONE),
            ("\x1b[57419;129u", Up, With::NONE),
        ] {
            assert_eq!(keys(bytes.as_bytes()), [(code, modifiers)], "{bytes:?}");
        }
        assert_eq!(first_token(b"\x1b[200~A", false), Some((Paste, 6)));
    }

    /// The keypad in application mode (DECKPAM), as in xterm's table of control sequences.
    #[test]
    fn keypad_keys_are_what_they_show() {
        for (letter, shown) in ('j'..='y').zip("*+,-./0123456789".chars()).chain([('X', '=')]) {
            assert_eq!(keys(format!("\x1bO{letter}").as_bytes()), [(Char(shown), With::NONE)]);
        }
        assert_eq!(keys(b"\x1bOE"), [], "5 without Num Lock");
        let alt_o = (Char('O'), With::ALT | With::SHIFT);
        assert_eq!(keys(b"\x1bO5"), [alt_o, (Char('5'), With::NONE)]);
    }

    #[test]
    fn parser_reads_attributes_and_the_size_of_a_cell() {
        for (bytes, token) in [
            ("\x1b[?62;4;22c", Attributes(1 << 62 | 1 << 4 | 1 << 22)),
            ("\x1b[?c", Attributes(0)),
            ("\x1b[?1;99;-4;99999999999;:;6c", Attributes(1 << 1 | 1 << 6)),
            ("\x1b[6;18;9t", CellPixels([9, 18])),
            ("\x1b[6;18t", Unknown),
            ("\x1b[6;99999;9t", Unknown),
            ("\x1b[4;600;800t", Unknown),
            ("\x1b[t", Unknown),
        ] {
            let length = bytes.len();
            assert_eq!(first_token(bytes.as_bytes(), false), Some((token, length)), "{bytes:?}");
        }
    }

    #[test]
    fn parser_reads_mode_reports() {
        for (bytes, token) in [
            ("\x1b[?1006;2$y", Mode(1006, 2)),
            ("\x1b[?1006;$y", Unknown),
            ("\x1b[?1006;2y", Unknown),
        ] {
            let length = bytes.len();
            assert_eq!(first_token(bytes.as_bytes(), false), Some((token, length)), "{bytes:?}");
        }
    }

    #[test]
    fn unknown_sequences_are_skipped_without_losing_keys() {
        for bytes in [
            &b"\x1b[?1;2c"[..],
            b"\x1b[12;40y\x1b[201~",
            b"\x1b[[A",
            b"\x1b[I",
            b"\x1b[97;1:3u",
            b"\x1b[1;1:3A",
            b"\x1b[57441;2u",
            b"\x1b[99999999999A",
            b"\n\x04",
            b"\x1b[M !!",
            b"\x1b[Mq\x03\x1b",
            b"\x1b[32;10;20M",
            b"\x1b[<0;3;4M",
            b"\x1b[<M",
            b"\x1b[<0;3M",
            b"\x1b[<0;;4M",
            b"\x1b[<0;-3;4M",
            b"\x1b[<0;0;4M",
            b"\x1b[<0;99999999999999999999;4M",
            b"\x1b[<128;3;4M",
            b"\x1b[<99999;3;4M",
            b"\xff\xc3",
        ] {
            let followed: Vec<u8> = bytes.iter().chain(b"q").copied().collect();
            let expected: &[_] = &[(Char('q'), With::NONE)];
            assert_eq!(keys(&followed), expected, "{bytes:?}");
        }
        for begun in
            [&b"\x1b["[..], b"\x1b[1;", b"\x1b[<", &[b"\x1b[".as_slice(), &[b'1'; 99]].concat()]
        {
            let followed: Vec<u8> = begun.iter().chain(b"\x03").copied().collect();
            let last = keys(&followed).pop();
            assert_eq!(last, Some((Char('c'), With::CONTROL)), "{begun:?}");
        }
        assert_eq!(keys(b"\x1b\x1b[A"), [(Esc, With::NONE), (Up, With::NONE)]);
    }

    #[test]
    fn parser_reads_mouse_reports() {
        use MouseEventKind as Does;
        let report =
            |kind, column, row, modifiers| Mouse(MouseEvent { kind, column, row, modifiers });
        for (bytes, token) in [
            ("\x1b[<0;3;4M", report(Does::Down(MouseButton::Left), 2, 3, With::NONE)),
            ("\x1b[<0;3;4m", report(Does::Up(MouseButton::Left), 2, 3, With::NONE)),
            ("\x1b[<1;1;1M", report(Does::Down(MouseButton::Middle), 0, 0, With::NONE)),
            ("\x1b[<2;80;24M", report(Does::Down(MouseButton::Right), 79, 23, With::NONE)),
            ("\x1b[<18;80;24m", report(Does::Up(MouseButton::Right), 79, 23, With::CONTROL)),
            ("\x1b[<32;3;4M", report(Does::Drag(MouseButton::Left), 2, 3, With::NONE)),
            ("\x1b[<35;65535;65535M", report(Does::Moved, 65534, 65534, With::NONE)),
            ("\x1b[<64;3;4M", report(Does::ScrollUp, 2, 3, With::NONE)),
            ("\x1b[<77;3;4M", report(Does::ScrollDown, 2, 3, With::SHIFT | With::ALT)),
            ("\x1b[<66;3;4M", report(Does::ScrollLeft, 2, 3, With::NONE)),
            ("\x1b[<67;3;4M", report(Does::ScrollRight, 2, 3, With::NONE)),
        ] {
            assert_eq!(
                first_token(bytes.as_bytes(), false),
                Some((token, bytes.len())),
                "{bytes:?}"
            );
        }
    }

    #[test]
    fn parser_reads_reported_colours() {
        let background = |colour| Colour(TerminalColour::Background, colour);
        for (bytes, token) in [
            ("\x1b]11;rgb:1414/1616/1d1d\x07", Some(background(Rgb(0x14, 0x16, 0x1d)))),
            ("\x1b]11;rgb:ffff/ffff/ffff\x1b\\", Some(background(Rgb(255, 255, 255)))),
            ("\x1b]11;rgb:fd/fa/f2\x07", Some(background(Rgb(0xfd, 0xfa, 0xf2)))),
            ("\x1b]11;rgb:f/0/8\x07", Some(background(Rgb(255, 0, 0x88)))),
            ("\x1b]11;rgba:0000/0000/0000/ffff\x07", Some(background(Rgb(0, 0, 0)))),
            ("\x1b]11;?\x07", None),
            ("\x1b]11;rgb:12345/0/0\x07", None),
            ("\x1b]11;rgb:+f/0/0\x07", None),
            ("\x1b]11;rgb:0/0\x07", None),
            ("\x1b]10;rgb:0/0/f\x07", Some(Colour(TerminalColour::Text, Rgb(0, 0, 255)))),
            (
                "\x1b]4;12;rgb:5c5c/5c5c/ffff\x07",
                Some(Colour(TerminalColour::Ansi(12), Rgb(0x5c, 0x5c, 255))),
            ),
            ("\x1b]4;256;rgb:0/0/0\x07", None),
            ("\x1b]4;rgb:0/0/0\x07", None),
            ("\x1b]12;rgb:0/0/0\x07", None),
            ("\x1b]52;c;\x1b\\", None),
        ] {
            let token = token.unwrap_or(Unknown);
            assert_eq!(
                first_token(bytes.as_bytes(), false),
                Some((token, bytes.len())),
                "{bytes:?}"
            );
        }
        // A key interrupts an answer, and an endless answer is abandoned.
        assert_eq!(keys(b"\x1b]11;rgb:\x03"), [(Char('c'), With::CONTROL)]);
        assert_eq!(keys(b"\x1b]11;rgb:\x1b[A"), [(Up, With::NONE)]);
        let long = [b"\x1b]11;".as_slice(), &[b'1'; 99]].concat();
        assert_eq!(first_token(&long, false), Some((LongCommand, long.len())));
        assert_eq!(keys(b"\x1b]"), [(Char(']'), With::ALT)]);
    }

    #[test]
    fn parser_waits_for_the_rest_of_a_sequence() {
        for whole in [
            "\x1b]11;rgb:1414/1616/1d1d\x07",
            "\x1b]11;rgb:1414/1616/1d1d\x1b\\",
            "\x1b[<0;3;4M",
            "\x1b[M !!",
            "\x1b[1;5C",
            "\x1bOA",
            "\x1bO2M",
            "\x1b[[A",
            "林",
            "\x1bé",
            "\x1b[200~",
        ] {
            for cut in 1..whole.len() {
                assert_eq!(
                    first_token(&whole.as_bytes()[..cut], false),
                    None,
                    "{whole:?} to {cut}"
                );
            }
            assert!(first_token(whole.as_bytes(), false).is_some(), "{whole:?}");
        }
        let (token, _) = first_token(&[b"\x1b[".as_slice(), &[b'1'; 99]].concat(), false).unwrap();
        assert_eq!(token, Unknown, "a sequence that never ends is not waited for");
    }
}
