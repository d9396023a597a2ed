//! Writes changed cells to the terminal.
//!
//! ratatui's backend for crossterm is not used, because it writes even the sixteen named colors as `38;5;N`, which
//! terminals with few colors do not know, and relies on the width of every character.

use crate::app::RESERVED;
use crossterm::cursor::{MoveRight, MoveTo};
use crossterm::queue;
use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// The parameters of SGR (ECMA-48, 8.3.117).
const MODIFIERS: [(Modifier, &str); 9] = [
    (Modifier::BOLD, ";1"),
    (Modifier::DIM, ";2"),
    (Modifier::ITALIC, ";3"),
    (Modifier::UNDERLINED, ";4"),
    (Modifier::SLOW_BLINK, ";5"),
    (Modifier::RAPID_BLINK, ";6"),
    (Modifier::REVERSED, ";7"),
    (Modifier::HIDDEN, ";8"),
    (Modifier::CROSSED_OUT, ";9"),
];

/// Added to the parameter of a text color for the same background color.
const BACKGROUND: u8 = 10;

/// Writes cells with their columns and rows. Afterwards, the terminal's style is the default one.
pub(super) fn write_cells<'a>(
    cells: impl Iterator<Item = (u16, u16, &'a Cell)>,
    output: &mut impl Write,
) -> io::Result<()> {
    let mut shown = None;
    // The position of the cursor, if it is certain.
    let mut cursor: Option<(u16, u16)> = None;
    for (x, y, cell) in cells {
        match cursor {
            Some(at) if at == (x, y) => {}
            Some((from, row)) if row == y && from < x => queue!(output, MoveRight(x - from))?,
            _ => queue!(output, MoveTo(x, y))?,
        }
        let style = CellStyle::of(cell, shown);
        if shown != Some(style) {
            style.write(shown, output)?;
            shown = Some(style);
        }
        let symbol = cell.symbol();
        if symbol.width() > 1 {
            // If the terminal draws the symbol in one column, the second one must not keep its previous content.
            output.write_all(b"  ")?;
            queue!(output, MoveTo(x, y))?;
        }
        output.write_all(symbol.as_bytes())?;
        cursor = has_certain_width(symbol).then(|| (x + 1, y));
    }
    output.write_all(b"\x1b[m")
}

/// Returns whether every terminal draws this symbol in one column. Terminals know different versions of Unicode, which
/// differ in emoji, in East Asian characters, and in marks and joiners. Only terminals that know the cells of images are
/// sent these.
fn has_certain_width(symbol: &str) -> bool {
    const EAST_ASIAN_AND_LATER: char = '\u{2e80}';
    if symbol.starts_with(RESERVED) {
        return true;
    }
    let mut letters = symbol.chars();
    letters.next().is_some_and(|letter| letter < EAST_ASIAN_AND_LATER)
        && letters.next().is_none()
        && symbol.width() == 1
}

#[cfg(feature = "pictures")]
pub(super) fn write_style(cell: &Cell, output: &mut impl Write) -> io::Result<()> {
    CellStyle::of(cell, None).write(None, output)
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct CellStyle {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

impl CellStyle {
    /// Modifiers that show in a blank cell.
    const SHOWN_IN_BLANK: Modifier =
        Modifier::UNDERLINED.union(Modifier::REVERSED).union(Modifier::CROSSED_OUT);

    /// Returns the style of a cell after a cell with the style `shown`. A blank cell shows only its background, so it
    /// takes the rest from the style before.
    fn of(cell: &Cell, shown: Option<CellStyle>) -> CellStyle {
        let Cell { fg, bg, modifier, .. } = *cell;
        let is_bare = |modifier: Modifier| !modifier.intersects(CellStyle::SHOWN_IN_BLANK);
        match shown {
            Some(shown) if cell.symbol() == " " && is_bare(modifier) && is_bare(shown.modifier) => {
                CellStyle { bg, ..shown }
            }
            _ => CellStyle { fg, bg, modifier },
        }
    }

    /// Writes the style, or only the colors that differ from the style `shown`.
    fn write(self, shown: Option<CellStyle>, output: &mut impl Write) -> io::Result<()> {
        let CellStyle { fg, bg, modifier } = self;
        // Only a full reset restores the terminal's own colors on every terminal.
        let is_set = |new: Color, old: Color| new == old || new != Color::Reset;
        if let Some(shown) = shown.filter(|shown| {
            shown.modifier == modifier && is_set(fg, shown.fg) && is_set(bg, shown.bg)
        }) {
            let mut parameters = Vec::new();
            if fg != shown.fg {
                write_colour(fg, 0, &mut parameters)?;
            }
            if bg != shown.bg {
                write_colour(bg, BACKGROUND, &mut parameters)?;
            }
            output.write_all(b"\x1b[")?;
            output.write_all(parameters.strip_prefix(b";").unwrap_or_default())?;
            return output.write_all(b"m");
        }
        output.write_all(b"\x1b[0")?;
        for (_, parameter) in MODIFIERS.iter().filter(|(one, _)| modifier.contains(*one)) {
            output.write_all(parameter.as_bytes())?;
        }
        write_colour(fg, 0, output)?;
        write_colour(bg, BACKGROUND, output)?;
        output.write_all(b"m")
    }
}

fn write_colour(colour: Color, ground: u8, output: &mut impl Write) -> io::Result<()> {
    let parameter = match colour {
        Color::Reset => return Ok(()),
        Color::Rgb(red, green, blue) => {
            return write!(output, ";{};2;{red};{green};{blue}", 38 + ground);
        }
        Color::Indexed(index) => return write!(output, ";{};5;{index}", 38 + ground),
        Color::Black => 30,
        Color::Red => 31,
        Color::Green => 32,
        Color::Yellow => 33,
        Color::Blue => 34,
        Color::Magenta => 35,
        Color::Cyan => 36,
        Color::Gray => 37,
        Color::DarkGray => 90,
        Color::LightRed => 91,
        Color::LightGreen => 92,
        Color::LightYellow => 93,
        Color::LightBlue => 94,
        Color::LightMagenta => 95,
        Color::LightCyan => 96,
        Color::White => 97,
    };
    write!(output, ";{}", parameter + ground)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::buffer::Buffer;
    use ratatui::style::Style;

    fn written(buffer: &Buffer) -> String {
        let blank = Buffer::empty(buffer.area);
        let mut output = Vec::new();
        write_cells(blank.diff(buffer).into_iter(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    fn text(text: &str, style: Style) -> String {
        let mut buffer = Buffer::with_lines([" ".repeat(12)]);
        buffer.set_string(0, 0, text, style);
        written(&buffer)
    }

    #[test]
    fn named_colours_are_written_as_eight_or_sixteen_colours() {
        for (style, parameters) in [
            (Style::new(), "0"),
            (Style::new().red(), "0;31"),
            (Style::new().gray().on_black(), "0;37;40"),
            (Style::new().light_red().on_white(), "0;91;107"),
            (Style::new().bold().dim().reversed(), "0;1;2;7"),
            (Style::new().fg(Color::Indexed(9)), "0;38;5;9"),
            (Style::new().underlined().bg(Color::Rgb(1, 2, 3)), "0;4;48;2;1;2;3"),
        ] {
            assert_eq!(text("ab", style), format!("\x1b[1;1H\x1b[{parameters}mab\x1b[m"));
        }
    }

    #[test]
    fn style_is_written_only_when_it_changes() {
        let mut buffer = Buffer::with_lines(["abcd"]);
        buffer.set_style(ratatui::layout::Rect::new(1, 0, 2, 1), Style::new().red());
        assert_eq!(written(&buffer), "\x1b[1;1H\x1b[0ma\x1b[31mbc\x1b[0md\x1b[m");
    }

    #[test]
    fn only_changed_colours_are_written() {
        let styles = [
            Style::new().red().on_blue().bold(),
            Style::new().green().on_blue().bold(),
            Style::new().green().on_black().bold(),
            Style::new().red().on_white().bold(),
            Style::new().on_white().bold(),
            Style::new().on_white(),
        ];
        let mut buffer = Buffer::with_lines(["abcdef"]);
        for (x, style) in (0..).zip(styles) {
            buffer[(x, 0)].set_style(style);
        }
        let expected =
            "\x1b[1;1H\x1b[0;1;31;44ma\x1b[32mb\x1b[40mc\x1b[31;47md\x1b[0;1;47me\x1b[0;47mf\x1b[m";
        let expected = expected.replace("47", "107");
        assert_eq!(written(&buffer), expected);
    }

    #[test]
    fn blank_cell_needs_only_its_background() {
        let mut buffer = Buffer::with_lines(["a b c d"]);
        for (x, style) in [
            (0, Style::new().red().on_blue()),
            (1, Style::new().bold().on_blue()),
            (2, Style::new().red().on_blue()),
            (3, Style::new().green().on_black()),
            (4, Style::new().red().on_blue().reversed()),
            (5, Style::new().on_blue()),
            (6, Style::new().on_blue()),
        ] {
            buffer[(x, 0)].set_style(style);
        }
        let expected = "\x1b[1;1H\x1b[0;31;44ma b\x1b[40m \x1b[0;7;31;44mc\x1b[0;44m d\x1b[m";
        assert_eq!(written(&buffer), expected);
    }

    #[test]
    fn second_column_of_a_wide_symbol_is_cleared_first() {
        for wide in ["\u{3299}", "\u{1fae9}", "\u{1fabe}", "\u{7530}"] {
            let expected = format!("\x1b[1;1H\x1b[0ma  \x1b[1;2H{wide}\x1b[1;4Hb\x1b[m");
            assert_eq!(text(&format!("a{wide}b"), Style::new()), expected);
        }
    }

    #[test]
    fn cursor_is_moved_after_a_symbol_of_uncertain_width() {
        for uncertain in ["\u{1f3f3}", "e\u{301}", "\u{915}\u{94d}\u{937}"] {
            let written = text(&format!("{uncertain}b"), Style::new());
            let end = uncertain.width() + 1;
            assert!(written.contains(&format!("{uncertain}\x1b[1;{end}Hb")), "{written:?}");
        }
        for certain in ["é", "●", "⠿", "━"] {
            assert!(text(&format!("{certain}b"), Style::new()).contains(&format!("{certain}b")));
        }
    }

    /// Also over a slow connection, the cursor must be quick.
    #[test]
    fn arrow_on_a_default_board_sends_at_most_six_kilobytes() {
        use crate::app::{App, OpenMatch};
        use crossterm::event::{Event, KeyCode};
        use quadrille_match::session::Conditions;
        use quadrille_rules::Setup;
        use quadrille_scene::{Skin, Theme};
        use quadrille_table::catalogue::GAMES;

        const MAX_BYTES: usize = 6 * 1024;
        let skin = Skin::default().with_theme(Theme::night()).with_full_glyphs();
        let settings = crate::settings::Settings {
            motion: crate::settings::MotionChoice::Never,
            ..Default::default()
        };
        for entry in &GAMES {
            let played = OpenMatch::opened(entry, &Setup::new(), Conditions::default()).unwrap();
            let app = App::new(skin, 1).with_settings(settings.clone(), String::new());
            let mut app = app.with_match(played);
            let mut shown = Buffer::empty(ratatui::layout::Rect::new(0, 0, 120, 40));
            let mut most = (0, ' ');
            // The first drawing, then moves in all directions; each Enter picks a place, or plays.
            let keys = format!(" {}", "rrddeduelerederlueeddrrelle".repeat(2));
            for key in keys.chars() {
                let code = match key {
                    'u' => KeyCode::Up,
                    'd' => KeyCode::Down,
                    'l' => KeyCode::Left,
                    'r' => KeyCode::Right,
                    _ => KeyCode::Enter,
                };
                let is_first = key == ' ';
                if !is_first {
                    app.update(&Event::Key(code.into()));
                }
                app.notice_changes();
                let mut next = Buffer::empty(shown.area);
                app.draw(next.area, &mut next);
                super::super::seams::close(&mut next);
                let mut output = Vec::new();
                write_cells(shown.diff_iter(&next), &mut output).unwrap();
                shown = next;
                if !is_first && key != 'e' {
                    most = most.max((output.len(), key));
                }
            }
            assert!((100..=MAX_BYTES).contains(&most.0), "{}: {most:?}", entry.id);
        }
    }
}
