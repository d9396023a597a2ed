//! `quadrille show`: prints or draws the positions of a record.

use super::display_args::DisplayArgs;
use super::plies::Plies;
use super::progress::ProgressLine;
use super::usage;
use crate::picture::file::{self, PictureFormat, Sketch};
use anyhow::Context;
use clap::ValueEnum;
use quadrille_match::session::{Match, MatchState, trmph};
use quadrille_rules::Symbol;
use quadrille_rules::tic_tac_toe::TicTacToe;
use quadrille_system::disk;
use quadrille_system::read;
use quadrille_table::record_reader::{self, PlayedRecord};
use quadrille_text::wording::counted;
use std::io::{IsTerminal, Write, stdout};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};

/// Print or draw positions of a record
///
/// The default is the last position of the main line; variations are not shown. The whole record is checked first.
/// Pictures use the theme of --theme or of the settings, and need --out unless stdout is redirected.
#[derive(Debug, clap::Args)]
pub(super) struct ShowArgs {
    /// A record, or a dots-and-boxes game as trmph text; - is stdin
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    plies: Plies,
    /// Output format; the default follows the extension of --out, or is text
    #[arg(long, value_enum)]
    format: Option<ShowFormat>,
    /// Width of a picture in pixels; the default fits the board
    #[arg(long, value_name = "PIXELS", value_parser = width)]
    width: Option<u32>,
    /// Write to FILE and replace it if it exists; - is stdout. Without --format, the extension selects the format:
    /// text, txt, json, trmph, svg, png or gif
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ShowFormat {
    /// The board as text
    #[value(alias = "txt")]
    Text,
    /// One line of JSON
    Json,
    /// The moves so far as trmph text, for square boards of dots-and-boxes
    Trmph,
    /// A vector picture
    Svg,
    /// A pixel picture
    Png,
    /// An animation of the moves so far
    Gif,
}

impl ShowFormat {
    /// Returns the format for a file extension.
    fn of(path: &Path) -> Option<ShowFormat> {
        ShowFormat::from_str(path.extension()?.to_str()?, true).ok()
    }

    /// Lists the extensions of all formats for a message: `text, json, svg`.
    fn extensions() -> String {
        let names: Vec<String> =
            ShowFormat::value_variants().iter().map(|format| format.name()).collect();
        names.join(", ")
    }

    fn name(self) -> String {
        self.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
    }

    const fn picture(self) -> Option<PictureFormat> {
        match self {
            ShowFormat::Text | ShowFormat::Json | ShowFormat::Trmph => None,
            ShowFormat::Svg => Some(PictureFormat::Svg),
            ShowFormat::Png => Some(PictureFormat::Png),
            ShowFormat::Gif => Some(PictureFormat::Gif),
        }
    }
}

pub(super) fn run(
    args: &ShowArgs,
    display_args: &DisplayArgs,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let to = args.out.as_deref().filter(|path| *path != Path::new("-"));
    let format = args.format(to)?;
    let bytes = match format.picture() {
        None if args.width.is_some() => {
            return Err(usage("--width: needs a picture format; add --format svg, png or gif"));
        }
        None if to.is_none() => return text(args, format, display_args, out),
        None => {
            let mut bytes = Vec::new();
            text(args, format, display_args, &mut bytes)?;
            bytes
        }
        Some(_) if to.is_none() && stdout().is_terminal() => {
            let name = format.name();
            return Err(usage(format!(
                "cannot print a picture to a terminal; add --out FILE.{name} or > FILE.{name}"
            )));
        }
        Some(kind) => picture(args, kind, display_args)?,
    };
    match to {
        Some(path) => disk::put(path, &bytes).with_context(|| path.display().to_string()),
        None => Ok(out.write_all(&bytes)?),
    }
}

impl ShowArgs {
    /// Returns the output format; `to` is the path given by `--out`. Fails if the file's extension contradicts the
    /// format, if the extension is unknown and no format is given, or if the file is the record itself.
    fn format(&self, to: Option<&Path>) -> anyhow::Result<ShowFormat> {
        let Some(path) = to else { return Ok(self.format.unwrap_or(ShowFormat::Text)) };
        let shown = path.display();
        if is_same(path, &self.file) {
            return Err(usage(format!(
                "--out {shown}: this is the record itself; choose another file"
            )));
        }
        match (self.format, ShowFormat::of(path)) {
            (Some(format), Some(ending)) if ending != format => {
                let name = format.name();
                Err(usage(format!("--out {shown}: the extension does not match --format {name}")))
            }
            (None, None) => match path.extension() {
                None => Ok(ShowFormat::Text),
                Some(other) => Err(usage(format!(
                    "--out {shown}: unknown extension {}; use {}, or add --format for another",
                    other.display(),
                    ShowFormat::extensions()
                ))),
            },
            (format, ending) => Ok(format.or(ending).unwrap_or(ShowFormat::Text)),
        }
    }
}

/// Returns whether both paths refer to the same file.
fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// The valid widths of a picture in pixels.
const WIDTHS: RangeInclusive<u32> = 16..=8192;

pub fn width(text: &str) -> Result<u32, String> {
    let width = text.parse().ok().filter(|width| WIDTHS.contains(width));
    let (least, most) = (WIDTHS.start(), WIDTHS.end());
    width.ok_or_else(|| format!("must be a number of pixels from {least} to {most}"))
}

/// Draws the position, or for a GIF all positions up to it. Returns the bytes of the image file.
fn picture(
    args: &ShowArgs,
    format: PictureFormat,
    display_args: &DisplayArgs,
) -> anyhow::Result<Vec<u8>> {
    if args.plies.every && format != PictureFormat::Gif {
        return Err(usage("--every: a picture shows one position; use --format gif to show all"));
    }
    let theme = display_args.theme_of_pictures()?;
    let name = read::name(&args.file).to_string();
    let record = record_reader::open(&args.file)?;
    let ply = *args.plies.of(record.game.ply(), &name)?.end();
    let line = (format == PictureFormat::Gif).then(|| ProgressLine::new("(Ctrl-C stops it)"));
    let bytes = file::draw(format, record, ply, args.width, &theme, &mut |share| {
        if let Some(line) = &line {
            let moves = counted(ply, "move", "moves");
            line.report(|| format!("drawing {moves}, {:.0} %", 100.0 * share));
        }
        ControlFlow::Continue(())
    });
    if let Some(line) = &line {
        line.clear();
    }
    Ok(bytes?)
}

fn text(
    args: &ShowArgs,
    format: ShowFormat,
    display_args: &DisplayArgs,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let name = read::name(&args.file);
    let PlayedRecord { mut game, comments, clock, .. } = record_reader::open(&args.file)?;
    let clock = clock.map(|clock| clock.to_string());
    let is_text = format == ShowFormat::Text;
    let sketch = || Sketch::of(&game, display_args.is_ascii());
    let mut sketch = is_text.then(sketch).flatten();
    let plies = args.plies.of(game.ply(), &name)?;
    let first = *plies.start();
    for ply in plies {
        game.go_to_ply(ply);
        match format {
            ShowFormat::Json => {
                let last = ply.checked_sub(1).and_then(|last| comments.get(last));
                let comment = last.copied().flatten();
                let clock = clock.clone();
                writeln!(out, "{}", MatchState { clock, comment, ..MatchState::of(&game) })?;
            }
            ShowFormat::Trmph => {
                let text = trmph::write(&game).with_context(|| name.to_string())?;
                writeln!(out, "{text}")?;
            }
            _ if ply == first => writeln!(out, "{}", board(&game))?,
            _ => writeln!(out, "\n{}", board(&game))?,
        }
        if let Some(sketch) = &mut sketch {
            sketch.at(ply).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
    }
    Ok(())
}

/// Returns the board in a form for people. The board text of Tic-tac-toe uses the numbers of its source, which are
/// meant for programs.
fn board(game: &Match) -> String {
    let Some(position) = game.now().typed::<TicTacToe>() else { return game.board() };
    let letters = position.cells().map(|cell| cell.map_or('-', Symbol::letter));
    let rows = letters.chunks(3).map(|row| format!("{} {} {}", row[0], row[1], row[2]));
    rows.collect::<Vec<_>>().join("\n")
}
