//! Files made from a match: pictures of a record on the command line, and of the board on the screen; its record.

use super::{Film, HAS_PIXELS, PictureError};
use crate::board::Viewer;
use quadrille_match::session::{Match, Players};
use quadrille_scene::svg::Svg;
use quadrille_scene::{BoardGeometry, Skin, Theme, cells};
use quadrille_system::calendar;
use quadrille_system::disk;
use quadrille_system::folders;
use quadrille_table::record_reader::PlayedRecord;
use ratatui::layout::Size;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf, absolute};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureFormat {
    Svg,
    Png,
    Gif,
}

/// Draws the position of a record after `ply` plies. A GIF shows all positions up to that one. Returns the file's
/// bytes. `progress` is called with the completed fraction of a GIF, from 0 to 1, and may stop the drawing.
pub fn draw(
    format: PictureFormat,
    record: PlayedRecord,
    ply: usize,
    width: Option<u32>,
    theme: &Theme,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<Vec<u8>, PictureError> {
    let PlayedRecord { entry, game, names, .. } = record;
    let players = Players::named(game.seats(), &names);
    let mut film = Film { entry, viewer: &mut Viewer::new(game), players: &players };
    Ok(match format {
        PictureFormat::Svg => film.svg(ply, theme, width).text.into_bytes(),
        PictureFormat::Png => super::png(&film.svg(ply, theme, None), width)?,
        PictureFormat::Gif => film.gif(ply, theme, width, progress)?,
    })
}

/// Draws a match played on scattered points in characters, because its board text is not a drawing.
pub struct Sketch {
    viewer: Viewer,
    skin: Skin,
}

/// The size of a sketch in characters, as columns and rows.
const SKETCH: Size = Size::new(60, 18);

impl Sketch {
    /// Returns `None` if the board text of this match is already a drawing.
    pub fn of(game: &Match, is_ascii: bool) -> Option<Sketch> {
        let viewer = Viewer::new(game.copy_line());
        if !matches!(viewer.board.still().ground, BoardGeometry::Points(_)) {
            return None;
        }
        let skin = Skin::default().without_colour();
        let skin = if is_ascii { skin.in_ascii() } else { skin.with_full_glyphs() };
        Some(Sketch { viewer, skin })
    }

    /// Draws the position after `ply` plies, one line per row.
    pub fn at(&mut self, ply: usize) -> Vec<String> {
        self.viewer.change().go_to_ply(ply);
        cells::written(&self.viewer.board.still(), SKETCH, self.skin)
    }
}

/// Saves a picture of a match in the pictures folder, as PNG, or as SVG if this program was built without PNG support.
/// Returns a message with the path or the error.
pub fn save(game: &str, svg: &Svg) -> String {
    let (bytes, extension) = match super::png(svg, None) {
        Ok(bytes) => (bytes, "png"),
        Err(_) if !HAS_PIXELS => (svg.text.clone().into_bytes(), "svg"),
        Err(why) => return why.to_string(),
    };
    save_bytes(game, extension, &bytes)
}

/// Saves a drawn picture of a match in the pictures folder. Returns a message with the path or the error.
pub fn save_bytes(game: &str, extension: &str, bytes: &[u8]) -> String {
    let folder = folders::pictures();
    let named = format!("quadrille-{game}-{}", calendar::today());
    match write(&folder, &named, extension, bytes) {
        Ok(path) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let folder = absolute(&folder).unwrap_or(folder);
            format!("saved as {name} in {}", folders::with_tilde(&folder))
        }
        Err(error) => {
            let folder = absolute(&folder).unwrap_or(folder);
            format!(
                "cannot save a picture in {}: {}; set XDG_PICTURES_DIR to another folder",
                folders::with_tilde(&folder),
                error.kind()
            )
        }
    }
}

/// Saves the record of a match in the current folder. Returns a message with the path or the error.
pub fn save_record(game: &str, text: &str) -> String {
    let folder = Path::new("");
    let named = format!("{game}-{}", calendar::today());
    match write(folder, &named, "game", text.as_bytes()) {
        Ok(path) => format!("written to {}", absolute(&path).unwrap_or(path).display()),
        Err(error) => format!("cannot write the record: {}", error.kind()),
    }
}

/// Writes a file under the first unused name: `NAME-1.png`, `NAME-2.png`, and so on.
fn write(folder: &Path, named: &str, extension: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    let paths = (1..=9999).map(|number| folder.join(format!("{named}-{number}.{extension}")));
    for path in paths {
        match disk::create(&path, bytes) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| path),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
