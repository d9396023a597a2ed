//! For tests in wine, whose console prints escape sequences as glyphs: draws by calls of the console, in 16 colors, what
//! `Output` writes as escape sequences. `wine-play build` puts this file beside `output.rs`; no other build has it.

use crossterm::Command;
use crossterm::cursor::{Hide, MoveRight, MoveTo, Show};
use crossterm::style::{Color, SetBackgroundColor, SetForegroundColor};
use crossterm::terminal::{Clear, ClearType};
use std::io::{self, Write, stdout};
use std::sync::Mutex;

const NAMED: [(Color, [i32; 3]); 16] = [
    (Color::Black, [0, 0, 0]),
    (Color::DarkRed, [128, 0, 0]),
    (Color::DarkGreen, [0, 128, 0]),
    (Color::DarkYellow, [128, 128, 0]),
    (Color::DarkBlue, [0, 0, 128]),
    (Color::DarkMagenta, [128, 0, 128]),
    (Color::DarkCyan, [0, 128, 128]),
    (Color::Grey, [192, 192, 192]),
    (Color::DarkGrey, [128, 128, 128]),
    (Color::Red, [255, 0, 0]),
    (Color::Green, [0, 255, 0]),
    (Color::Yellow, [255, 255, 0]),
    (Color::Blue, [0, 0, 255]),
    (Color::Magenta, [255, 0, 255]),
    (Color::Cyan, [0, 255, 255]),
    (Color::White, [255, 255, 255]),
];

/// The colors of text and background, and whether they are exchanged.
static STYLE: Mutex<(usize, usize, bool)> = Mutex::new((7, 0, false));

pub(super) fn write(bytes: &[u8]) -> io::Result<()> {
    let text = String::from_utf8_lossy(bytes);
    let mut rest = &*text;
    while !rest.is_empty() {
        let plain = rest.find(['\x1b', '\x0f', '\x07']).unwrap_or(rest.len());
        let mut out = stdout().lock();
        out.write_all(&rest.as_bytes()[..plain])?;
        out.flush()?;
        drop(out);
        rest = &rest[plain..];
        if let Some(sequence) = rest.strip_prefix("\x1b[") {
            let end = sequence.find(|c: char| ('@'..='~').contains(&c)).unwrap_or(0);
            perform(&sequence[..end], sequence.as_bytes()[end])?;
            rest = &sequence[end + 1..];
        } else if let Some(sequence) = rest.strip_prefix("\x1b]") {
            let end = sequence.find(['\x07', '\x1b']).map_or(sequence.len(), |end| end + 1);
            rest = sequence[end..].trim_start_matches('\\');
        } else if rest.starts_with("\x1b(") {
            rest = &rest[3..];
        } else if !rest.is_empty() {
            rest = &rest[1..];
        }
    }
    Ok(())
}

fn perform(parameters: &str, end: u8) -> io::Result<()> {
    let numbers: Vec<u16> = parameters.split(';').map(|n| n.parse().unwrap_or(0)).collect();
    let number = |at: usize| numbers.get(at).copied().unwrap_or(0);
    match (parameters, end) {
        ("?25", b'h') => Show.execute_winapi(),
        ("?25", b'l') => Hide.execute_winapi(),
        (_, b'H') => {
            let (_, rows) = crossterm::terminal::size()?;
            MoveTo(number(1).saturating_sub(1), number(0).clamp(1, rows) - 1).execute_winapi()
        }
        (_, b'C') => MoveRight(number(0).max(1)).execute_winapi(),
        (_, b'J') => Clear(ClearType::All).execute_winapi(),
        (_, b'm') => paint(&numbers),
        _ => Ok(()),
    }
}

fn paint(numbers: &[u16]) -> io::Result<()> {
    let mut style = STYLE.lock().map_err(|_| io::ErrorKind::Other)?;
    let mut numbers = numbers.iter().copied();
    while let Some(number) = numbers.next() {
        match number {
            0 => *style = (7, 0, false),
            7 => style.2 = true,
            30..=37 => style.0 = usize::from(number - 30),
            90..=97 => style.0 = usize::from(number - 90 + 8),
            40..=47 => style.1 = usize::from(number - 40),
            100..=107 => style.1 = usize::from(number - 100 + 8),
            38 | 48 => {
                let mut next = || i32::from(numbers.next().unwrap_or(0));
                let colour = if next() == 2 { [next(), next(), next()] } else { indexed(next()) };
                *(if number == 38 { &mut style.0 } else { &mut style.1 }) = nearest(colour);
            }
            _ => {}
        }
    }
    let (mut text, mut paper, is_reversed) = *style;
    if is_reversed {
        (text, paper) = (paper, text);
    }
    SetForegroundColor(NAMED[text].0).execute_winapi()?;
    SetBackgroundColor(NAMED[paper].0).execute_winapi()
}

fn indexed(index: i32) -> [i32; 3] {
    match index {
        0..=15 => NAMED[index as usize].1,
        16..=231 => [36, 6, 1].map(|step| (index - 16) / step % 6 * 51),
        _ => [(index - 232) * 10 + 8; 3],
    }
}

fn nearest(colour: [i32; 3]) -> usize {
    let distance = |other: [i32; 3]| {
        colour.iter().zip(other).map(|(one, other)| (one - other).pow(2)).sum::<i32>()
    };
    (0..16).min_by_key(|at| distance(NAMED[*at].1)).unwrap_or(7)
}
