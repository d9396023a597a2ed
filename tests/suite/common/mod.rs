//! Helpers shared by several test files.

#[cfg(target_os = "linux")]
pub mod bots;
pub mod chance;
pub mod colour_vision;
#[cfg(unix)]
pub mod cpu_time;
#[cfg(all(unix, feature = "pictures"))]
pub mod image_terminal;
#[cfg(unix)]
pub mod lines;
pub mod player;
#[cfg(target_os = "linux")]
pub mod processes;
pub mod program;
pub mod promises;
pub mod samples;
#[cfg(target_os = "linux")]
pub mod sshd;
pub mod store;
#[cfg(unix)]
pub mod terminal;
pub mod test_tournament;
#[cfg(target_os = "linux")]
pub mod two_terminals;
pub mod ugi_client;
pub mod untimed;
#[cfg(unix)]
pub mod wait;

use quadrille::app::OpenMatch;
use quadrille::board::{Details, MoveLabel, Skin};
use quadrille_scene::Lettering;
use quadrille_scene::cells::Placement;
use quadrille_table::catalogue;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;
use untimed::Untimed;

pub fn match_board(game: &str, setup: &str, moves: &str) -> OpenMatch {
    let entry = catalogue::find(game).expect("a game of the catalogue");
    let mut match_board = samples::open(entry, setup);
    for mv in moves.split_whitespace() {
        match_board.play(mv).unwrap_or_else(|refusal| panic!("{mv}: {refusal}"));
    }
    match_board
}

/// Draws only the board of a match.
pub fn draw_board(match_board: &OpenMatch, area: Rect, buffer: &mut Buffer, skin: Skin) {
    let scene = match_board.board.scene(Details::default());
    Placement::new(&scene, None, Lettering::All, area).draw(buffer, skin);
}

/// Draws only the board of a match, in the form of `picture`.
pub fn board(match_board: &OpenMatch, width: u16, height: u16) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    draw_board(match_board, buffer.area, &mut buffer, Skin::default());
    picture(&buffer)
}

/// Draws the board with these marks, which are removed again.
pub fn marked(match_board: &mut OpenMatch, marks: &[MoveLabel], width: u16, height: u16) -> String {
    match_board.board.label(marks.to_vec());
    let picture = board(match_board, width, height);
    match_board.board.label(Vec::new());
    picture
}

/// Returns the text of a buffer, followed by the styles of the same cells if any is styled: `r` reversed, `u`
/// underlined, `b` bold, `d` dim, `.` plain. Colours are omitted, since nothing may depend on them alone. Asserts that
/// every glyph has the same width in all terminals.
pub fn picture(buffer: &Buffer) -> String {
    for cell in buffer.content() {
        let symbol = cell.symbol();
        assert_eq!(symbol.width(), symbol.width_cjk(), "{symbol:?} is of ambiguous width");
    }
    picture_in_full_glyphs(buffer)
}

/// Like [`picture`], but allows glyphs that are two columns wide in terminals set to an East Asian language.
pub fn picture_in_full_glyphs(buffer: &Buffer) -> String {
    let (mut text, mut styles) = (String::new(), String::new());
    for y in buffer.area.rows() {
        let (mut row, mut marks) = (String::new(), String::new());
        for place in y.positions() {
            let cell = &buffer[place];
            row.push_str(cell.symbol());
            marks.push(match cell.modifier {
                m if m.contains(Modifier::REVERSED) => 'r',
                m if m.contains(Modifier::UNDERLINED) => 'u',
                m if m.contains(Modifier::BOLD) => 'b',
                m if m.contains(Modifier::DIM) => 'd',
                _ => '.',
            });
        }
        writeln!(text, "{}", row.trim_end()).unwrap();
        writeln!(styles, "{}", marks.trim_end_matches('.')).unwrap();
    }
    format!("{}\n---\n{}\n", text.trim_end_matches('\n'), styles.trim_end_matches('\n'))
}
