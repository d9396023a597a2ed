//! The contrast guarantees of every theme that paints, measured.

use super::colour_vision::Vision;
use quadrille_rules::Seat;
use quadrille_scene::colour::Rgb;
use quadrille_scene::{Role, SEATS, SeatRole, Theme};
use ratatui::style::{Color, Modifier, Style};

/// A guarantee: its name, the measured value, and the minimum.
#[derive(Clone, Debug)]
pub struct Promise {
    pub kind: &'static str,
    pub what: String,
    pub measured: f64,
    pub least: f64,
}

/// Returns the colour, if it is identical in every terminal.
pub fn rgb(colour: Option<Color>) -> Rgb {
    match colour {
        Some(Color::Rgb(red, green, blue)) => Rgb(red, green, blue),
        Some(Color::Indexed(index)) => Rgb::indexed(index).expect("no colour of the user's"),
        other => panic!("{other:?} is left to the terminal"),
    }
}

/// Returns the colours of text and background where one style is drawn over another.
pub fn seen(theme: &Theme, below: Style, role: Role) -> (Rgb, Rgb) {
    let style = theme.paper().patch(below).patch(theme.style(role));
    let (ink, ground) = (rgb(style.fg), rgb(style.bg));
    if style.add_modifier.contains(Modifier::REVERSED) { (ground, ink) } else { (ink, ground) }
}

fn seats() -> impl Iterator<Item = Seat> {
    (0..SEATS as u8).map(Seat::new)
}

/// Areas inside outlines are pale; with 256 colours, as pale as the palette allows.
fn add_areas(theme: &Theme, seat: Seat, add: &mut impl FnMut(&'static str, String, f64, f64)) {
    let paper = Style::new();
    let ground = rgb(theme.paper().bg);
    let is_indexed = matches!(theme.paper().bg, Some(Color::Indexed(_)));
    let [(text, pale), (won, strong)] = [SeatRole::Area, SeatRole::WonArea].map(|role| {
        let (ink, area) = seen(theme, paper, Role::Of(role, seat));
        (ink.contrast(area), area)
    });
    let most = if is_indexed { [2.2, 3.0] } else { [1.35, 2.0] };
    for ((role, area), most) in [("Area", pale), ("WonArea", strong)].into_iter().zip(most) {
        let measured = area.contrast(ground);
        add("area", format!("{role} {seat} from the paper"), measured, 1.15);
        add("pale", format!("{role} {seat} from the paper"), most / measured, 1.0);
    }
    if !is_indexed || strong != pale {
        add("areas", format!("WonArea {seat} from Area"), strong.contrast(pale), 1.1);
    }
    for (role, measured) in [("Area", text), ("WonArea", won)] {
        add("letter", format!("{role} {seat}"), measured, 4.5);
    }
}

pub fn promises(theme: &Theme) -> Vec<Promise> {
    let mut all = Vec::new();
    let paper = Style::new();
    let panel = theme.style(Role::Panel);
    let mut add = |kind, what: String, measured, least| {
        all.push(Promise { kind, what, measured, least });
    };
    let contrast = |below, role| {
        let (ink, ground) = seen(theme, below, role);
        ink.contrast(ground)
    };
    for (name, below) in [("paper", paper), ("panel", panel)] {
        for role in [Role::Text, Role::Strong, Role::Moved] {
            add("text", format!("{role:?} on {name}"), contrast(below, role), 7.0);
        }
        add("dim", format!("Dim on {name}"), contrast(below, Role::Dim), 4.5);
        let inks = [Role::Key, Role::Pick, Role::Good, Role::Wrong, Role::Best];
        let seats = seats().map(|seat| Role::Of(SeatRole::Ink, seat));
        for role in inks.into_iter().chain(seats) {
            add("ink", format!("{role:?} on {name}"), contrast(below, role), 4.5);
        }
    }
    for role in [Role::Tile, Role::OpenTile, Role::Cursor, Role::Counted] {
        add("letter", format!("{role:?}"), contrast(paper, role), 4.5);
    }
    let ground = rgb(theme.paper().bg);
    let [tile, open] = [Role::Tile, Role::OpenTile].map(|role| seen(theme, paper, role).1);
    for (what, tile) in [("Tile", tile), ("OpenTile", open)] {
        add("tile", format!("{what} from the paper"), tile.contrast(ground), 1.6);
    }
    add("tiles", "OpenTile from Tile".to_owned(), tile.contrast(open), 1.2);
    add("tiles", "OpenTile is lighter".to_owned(), open.luminance() / tile.luminance(), 1.0);
    add("shape", "Board".to_owned(), contrast(paper, Role::Board), 3.0);
    add("text", "Chosen".to_owned(), contrast(paper, Role::Chosen), 7.0);
    add("dim", "ChosenDim".to_owned(), contrast(paper, Role::ChosenDim), 4.5);
    add("shape", "Marker".to_owned(), contrast(paper, Role::Marker), 3.0);
    let cursor = seen(theme, paper, Role::Cursor).1;
    add("shape", "Cursor".to_owned(), cursor.contrast(rgb(theme.paper().bg)), 3.0);
    for seat in seats() {
        let of = |role| Role::Of(role, seat);
        for role in [SeatRole::Line, SeatRole::LastLine] {
            add("shape", format!("{role:?} {seat}"), contrast(paper, of(role)), 3.0);
        }
        for role in [SeatRole::Fill, SeatRole::WonFill, SeatRole::LostFill] {
            add("letter", format!("{role:?} {seat}"), contrast(paper, of(role)), 4.5);
        }
        add_areas(theme, seat, &mut add);
        add("text", format!("Card {seat}"), contrast(paper, of(SeatRole::Card)), 7.0);
        for role in [SeatRole::CardDim, SeatRole::CardInk, SeatRole::ChosenInk] {
            add("dim", format!("{role:?} {seat}"), contrast(paper, of(role)), 4.5);
        }
        let below = Style::new().fg(theme.style(of(SeatRole::Ink)).fg.expect("an ink"));
        add("letter", format!("Won {seat}"), contrast(below, Role::Won), 4.5);
        let ink = seen(theme, paper, of(SeatRole::Ink)).0;
        for role in [Role::Good, Role::Wrong] {
            let other = seen(theme, paper, role).0;
            let measured = Vision::Normal.difference(ink, other);
            add("apart", format!("{role:?} from seat {seat}"), measured, 15.0);
        }
        let measured = Vision::Normal.difference(ink, cursor);
        add("apart", format!("Cursor from seat {seat}"), measured, 15.0);
        let fill = seen(theme, paper, of(SeatRole::Fill)).1;
        let measured = Vision::Normal.difference(fill, rgb(theme.paper().bg));
        add("fill", format!("fill {seat} from the paper"), measured, 5.0);
        for other in seats().take(seat.index()) {
            let pair = format!("seats {other} and {seat}");
            let second = seen(theme, paper, Role::Of(SeatRole::Ink, other)).0;
            let first = seat.index() < 3;
            for vision in Vision::ALL {
                let measured = vision.difference(ink, second);
                match vision {
                    _ if first => add("seats", format!("{pair}, {vision:?}"), measured, 15.0),
                    Vision::Normal => add("all seats", pair.clone(), measured, 7.0),
                    _ => {}
                }
            }
            if first {
                let second = seen(theme, paper, Role::Of(SeatRole::Fill, other)).1;
                let measured = Vision::Normal.difference(fill, second);
                add("fill", format!("fills of {pair}"), measured, 5.0);
            }
        }
    }
    let roles = [Role::Good, Role::Wrong].map(|role| seen(theme, paper, role).0);
    let pairs = [("good, wrong", roles), ("good, cursor", [roles[0], cursor])];
    for (what, [one, two]) in pairs.into_iter().chain([("wrong, cursor", [roles[1], cursor])]) {
        add("apart", what.to_owned(), Vision::Normal.difference(one, two), 15.0);
    }
    all
}
