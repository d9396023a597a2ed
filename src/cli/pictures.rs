//! Pictures on the command line: a position of a record as SVG or PNG, a match as GIF.

use super::display_args::DisplayArgs;
use super::on_board::OnBoard;
use super::{file, usage};
use crate::picture::{self, Film};
use crate::session::Players;
use anyhow::Context;
use std::ops::RangeInclusive;
use std::path::Path;

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
