//! Pictures as files: of a record on the command line, and of the board on the screen.

use super::display_args::DisplayArgs;
use super::on_board::OnBoard;
use super::{file, folders, usage};
use crate::picture::{self, Film, HAS_PIXELS};
use crate::scene::svg::Svg;
use crate::session::Players;
use crate::session::store::disk;
use anyhow::Context;
use jiff::Zoned;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf, absolute};

/// What kinds of pictures there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Svg,
    Png,
    Gif,
}

/// How many pixels a picture may be wide.
const WIDTHS: RangeInclusive<u32> = 16..=8192;

/// Reads a width as somebody types it.
pub(super) fn width(text: &str) -> Result<u32, String> {
    let width = text.parse().ok().filter(|width| WIDTHS.contains(width));
    let (least, most) = (WIDTHS.start(), WIDTHS.end());
    width.ok_or_else(|| format!("must be a number of pixels from {least} to {most}"))
}

/// Draws the position of the record at `path` that `plies` means, or the film up to it.
pub(super) fn draw(
    kind: Kind,
    path: &Path,
    plies: file::Plies,
    width: Option<u32>,
    display_args: &DisplayArgs,
) -> anyhow::Result<Vec<u8>> {
    if plies.every && kind != Kind::Gif {
        return Err(usage("--every: a picture shows one position; --format gif shows all of them"));
    }
    let theme = display_args.theme_of_pictures()?;
    let name = file::name(path).to_string();
    let on_board = file::read(path).and_then(|record| OnBoard::play(&record));
    let OnBoard { entry, mut viewer, names } = on_board.with_context(|| name.clone())?;
    let ply = *plies.of(viewer.game().ply(), &name)?.end();
    let players = Players::named(viewer.game().seats(), &names);
    let mut film = Film { entry, viewer: &mut *viewer, players: &players };
    Ok(match kind {
        Kind::Svg => film.svg(ply, &theme, width).text.into_bytes(),
        Kind::Png => picture::png(&film.svg(ply, &theme, None), width)?,
        Kind::Gif => film.gif(ply, &theme, width)?,
    })
}

/// Keeps a picture of a match of this game in the folder for pictures, as PNG if that can be drawn.
/// What is to be said of it: where it is, or why it is nowhere.
pub(super) fn keep(game: &str, svg: &Svg) -> String {
    let (bytes, extension) = match picture::png(svg, None) {
        Ok(bytes) => (bytes, "png"),
        Err(_) if !HAS_PIXELS => (svg.text.clone().into_bytes(), "svg"),
        Err(why) => return why.to_string(),
    };
    let folder = folders::pictures();
    let named = format!("quadrille-{game}-{}", Zoned::now().date());
    match write(&folder, &named, extension, &bytes) {
        Ok(path) => {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let folder = absolute(&folder).unwrap_or(folder);
            format!("{name} is in {}", folders::from_home(&folder))
        }
        Err(error) => {
            let folder = absolute(&folder).unwrap_or(folder);
            format!(
                "no picture in {}: {}; set XDG_PICTURES_DIR to another folder",
                folders::from_home(&folder),
                error.kind()
            )
        }
    }
}

/// Writes a file under the first name that is free: with the least number.
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
