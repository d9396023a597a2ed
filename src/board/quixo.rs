//! The board of Quixo.
//!
//! The cursor walks over the dice of the rim that may be taken. Once one is taken, the cursor is the
//! end to push it in at, and the board shows the row or column as it would become.

use super::compass::Compass;
use super::grid::{Grid, centre, digits};
use super::symbol::{draw_cursor, draw_symbol};
use super::{Direction, Format, Hint, Reply, Sheet, Spot, View, Widget};
use crate::rules::quixo::{self as rules, Place, Push};
use crate::rules::{Game, Symbol};
use ratatui::layout::{Rect, Size};
use ratatui::style::Style;

/// The cursor, and the die that is taken.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Quixo {
    /// The die to take; and of a die taken, where it goes: as long as that is its own place, no end
    /// has been chosen.
    cursor: Place,
    taken: Option<Place>,
}

impl Default for Quixo {
    fn default() -> Self {
        Quixo { cursor: Place { row: 0, col: 0 }, taken: None }
    }
}

/// The dice in use, largest first, and the gaps between them.
const DICE: [(Size, Size); 4] = [
    (Size::new(13, 7), Size::new(1, 0)),
    (Size::new(9, 5), Size::new(1, 0)),
    (Size::new(5, 3), Size::new(1, 0)),
    (Size::new(3, 1), Size::ZERO),
];

/// The side of the board that a die goes to.
const fn side(Push { from, to }: Push) -> Direction {
    if from.row == to.row {
        if to.col < from.col { Direction::Left } else { Direction::Right }
    } else if to.row < from.row {
        Direction::Up
    } else {
        Direction::Down
    }
}

/// The end on that side of the row or the column of a place.
const fn end(board: &rules::Quixo, from: Place, side: Direction) -> Place {
    let last = board.size() - 1;
    match side {
        Direction::Left => Place { col: 0, ..from },
        Direction::Right => Place { col: last, ..from },
        Direction::Up => Place { row: 0, ..from },
        Direction::Down => Place { row: last, ..from },
    }
}

/// Whether a push moves the die at a place, or puts one there.
fn moves(Push { from, to }: Push, Place { row, col }: Place) -> bool {
    (from.row.min(to.row)..=from.row.max(to.row)).contains(&row)
        && (from.col.min(to.col)..=from.col.max(to.col)).contains(&col)
}

/// The dice that may be taken, clockwise.
fn takeable(board: &rules::Quixo) -> Vec<Place> {
    let mut places = board.rim();
    places.retain(|&place| board.can_take(place));
    places
}

/// The cell that touches the middle of a side from outside.
const fn beside(die: Rect, side: Direction) -> (u16, u16) {
    let (x, y) = centre(die);
    match side {
        Direction::Left => (die.x - 1, y),
        Direction::Right => (die.right(), y),
        Direction::Up => (x, die.y - 1),
        Direction::Down => (x, die.bottom()),
    }
}

/// Draws a die: framed where there is room, and in brackets if it may be taken or is.
fn draw_die(sheet: &mut Sheet, part: Rect, die: Option<Symbol>, bracketed: bool, style: Style) {
    let mut face = part;
    if part.height > 2 {
        let [top, middle, bottom] = sheet.skin().glyphs().frame;
        let frame = sheet.skin().plain();
        for y in part.top()..part.bottom() {
            let [left, inner, right] = match y {
                _ if y == part.top() => top,
                _ if y == part.bottom() - 1 => bottom,
                _ => middle,
            };
            sheet.fill(Rect { y, height: 1, ..part }, inner, frame);
            sheet.glyph(part.x, y, left, frame);
            sheet.glyph(part.right() - 1, y, right, frame);
        }
        face =
            Rect { x: part.x + 1, y: part.y + 1, width: part.width - 2, height: part.height - 2 };
    }
    let (x, y) = centre(face);
    match die {
        Some(symbol) => {
            let inner = Rect { x: face.x + 1, width: face.width - 2, ..face };
            draw_symbol(sheet, inner, symbol, style);
        }
        None => sheet.glyph(x, y, '-', style),
    }
    if bracketed {
        sheet.glyph(face.x, y, '[', sheet.skin().strong());
        sheet.glyph(face.right() - 1, y, ']', sheet.skin().strong());
    }
}

impl Quixo {
    /// The push as it is chosen so far.
    fn push(&self) -> Option<Push> {
        self.taken.filter(|&from| from != self.cursor).map(|from| Push { from, to: self.cursor })
    }

    /// Draws pointers outside the rim: outwards, as the arrow keys, at the ends a die taken can go to,
    /// and inwards, as the dice move, at the end chosen and where the last die came in.
    fn point(&self, view: &View<rules::Quixo>, grid: Grid, sheet: &mut Sheet) {
        let skin = sheet.skin();
        let mut pointer = |push: Push, inwards: bool, style| {
            let side = side(push);
            let (x, y) = beside(grid.format.cell(push.to.row, push.to.col), side);
            let direction = if inwards { side.opposite() } else { side };
            sheet.glyph(x, y, skin.glyphs().pointer(direction), style);
        };
        match (self.taken, &view.last) {
            (Some(from), _) => {
                for to in view.now.ends(from) {
                    let chosen = to == self.cursor;
                    pointer(
                        Push { from, to },
                        chosen,
                        if chosen { skin.pick() } else { skin.strong() },
                    );
                }
            }
            (None, Some(last)) => pointer(last.mv, true, skin.last(skin.plain())),
            (None, None) => {}
        }
    }
}

impl Widget for Quixo {
    type Game = rules::Quixo;
    type Place = Place;

    const SAMPLE: (&'static str, &'static str) = ("size=3 grid=XO--XO-X-", "");
    const TAGLINE: &'static str = "Take a die from the rim and push it in; a full line wins.";

    fn format(&self, now: &rules::Quixo, room: Size) -> Format {
        // Letters, numbers, and a pointer on each side.
        let labels = Size::new(digits(now.size().into()) as u16, 1);
        Grid::fit([now.size(); 2], labels, 1, &DICE, room)
    }

    fn focus(&self, _: &rules::Quixo, format: Format) -> Rect {
        format.cell(self.cursor.row, self.cursor.col)
    }

    fn paint(&self, view: &View<rules::Quixo>, sheet: &mut Sheet) {
        let skin = sheet.skin();
        let grid = Grid::on(sheet.format());
        let push = self.push();
        let board = push.map_or_else(|| view.now.clone(), |push| view.now.after(push));
        let came_in = view.last.as_ref().map(|last| last.mv.to).filter(|_| push.is_none());
        let going_on = view.now.to_move().is_some();
        let lines = if going_on { Vec::new() } else { board.lines() };
        let size = board.size();
        for place in Place::all(size, size) {
            let part = grid.format.cell(place.row, place.col);
            let die = board.die(place);
            let mut style = die.map_or(skin.plain(), |symbol| skin.seat(symbol.seat()));
            if came_in == Some(place) {
                style = skin.last(style);
            }
            let bracketed = match self.taken {
                None => board.can_take(place),
                Some(from) => place == from && push.is_none(),
            };
            draw_die(sheet, part, die, bracketed, style);
            if push.is_some_and(|push| moves(push, place)) {
                sheet.restyle(part, skin.moved());
            }
            if bracketed && self.taken.is_some() {
                sheet.restyle(part, skin.pick());
            }
            if lines.iter().any(|(_, line)| line.contains(&place)) {
                sheet.restyle(part, skin.won_by(die.map(Symbol::seat)));
            }
            if going_on && place == self.cursor {
                draw_cursor(sheet, part);
            }
        }
        grid.label(sheet, 'A');
        self.point(view, grid, sheet);
    }

    fn cursor(&self) -> Place {
        self.cursor
    }

    fn places(&self, mv: Push) -> impl IntoIterator<Item = Place> {
        match self.taken {
            None => Some(mv.from),
            Some(from) => Some(mv.to).filter(|_| mv.from == from),
        }
    }

    /// On the lower edge of the die; a die without a frame has no room but for stars in the place of
    /// its brackets.
    fn spots(&self, _: &rules::Quixo, format: Format) -> impl Fn(Place) -> Spot {
        move |Place { row, col }| {
            let die = format.cell(row, col);
            if die.height > 2 {
                Spot::Middle(Rect { y: die.bottom() - 1, height: 1, ..die })
            } else {
                let (x, y) = centre(die);
                Spot::Flags(Rect { x, y, width: 1, height: 1 })
            }
        }
    }

    fn arrow(&mut self, view: &View<rules::Quixo>, direction: Direction) -> Reply<Push> {
        let board = view.now;
        if let Some(from) = self.taken {
            let to = end(board, from, direction);
            if let Err(illegal) = board.check(Push { from, to }) {
                return Reply::refused(&illegal);
            }
            self.cursor = to;
            return Reply::Taken;
        }
        let dice = takeable(board);
        let places: Vec<(i32, i32)> =
            dice.iter().map(|&Place { row, col }| (col.into(), row.into())).collect();
        let index = dice.iter().position(|&place| place == self.cursor);
        if let Some(next) = index.and_then(|index| Compass::new(&places).from(index, direction)) {
            self.cursor = dice[next];
        }
        Reply::Taken
    }

    /// The rim, clockwise.
    fn tour(&self, view: &View<rules::Quixo>) -> Vec<Place> {
        view.now.rim()
    }

    fn stops_at(&self, view: &View<rules::Quixo>, place: Place) -> bool {
        match self.taken {
            None => view.now.can_take(place),
            Some(from) => view.now.ends(from).any(|end| end == place),
        }
    }

    fn go_to(&mut self, place: Place) {
        self.cursor = place;
    }

    fn choose(&mut self, view: &View<rules::Quixo>) -> Reply<Push> {
        if self.taken.is_some() {
            let reason = || Reply::Refused("choose an end with an arrow".to_owned());
            return self.push().map_or_else(reason, Reply::Play);
        }
        let from = self.cursor;
        let to = view.now.ends(from).next().unwrap_or(from);
        if let Err(illegal) = view.now.check(Push { from, to }) {
            return Reply::refused(&illegal);
        }
        self.taken = Some(from);
        Reply::Taken
    }

    fn back(&mut self) -> Reply<Push> {
        let Some(from) = self.taken.take() else { return Reply::Ignored };
        self.cursor = from;
        Reply::Taken
    }

    fn settle(&mut self, view: &View<rules::Quixo>) {
        let Place { row, col } = self.cursor;
        let far = |place: &Place| {
            let (rows, cols) = (place.row.abs_diff(row), place.col.abs_diff(col));
            u16::from(rows) * u16::from(rows) + u16::from(cols) * u16::from(cols)
        };
        self.taken = None;
        self.cursor = takeable(view.now).into_iter().min_by_key(far).unwrap_or(self.cursor);
    }

    fn point_at(&mut self, mv: Push) {
        self.cursor = mv.to;
    }

    fn hints(&self, view: &View<rules::Quixo>) -> Vec<Hint> {
        if view.now.to_move().is_none() {
            return Vec::new();
        }
        match (self.taken, self.push()) {
            (None, _) => vec![("arrows", "move"), ("Enter", "take"), ("Tab", "next")],
            (Some(_), None) => vec![("arrows", "choose an end"), ("Esc", "put back")],
            (Some(_), Some(_)) => {
                vec![("Enter", "push"), ("arrows", "another end"), ("Esc", "put back")]
            }
        }
    }

    fn extent(&self, start: &rules::Quixo) -> String {
        match u32::from(start.size()).pow(2) {
            1 => "1 die".to_owned(),
            dice => format!("{dice} dice"),
        }
    }

    fn facts(&self, view: &View<rules::Quixo>) -> Vec<(&'static str, String)> {
        let size = view.now.size();
        let dice: Vec<Option<Symbol>> =
            Place::all(size, size).map(|place| view.now.die(place)).collect();
        let [x, o] = Symbol::BOTH.map(|s| dice.iter().filter(|die| **die == Some(s)).count());
        vec![("dice", format!("{x} X, {o} O"))]
    }

    fn status(&self, view: &View<rules::Quixo>) -> Option<String> {
        view.now.to_move()?;
        Some(match (self.taken, self.push()) {
            (None, _) => self.cursor.to_string(),
            (Some(from), None) => format!("{from}-?"),
            (Some(_), Some(push)) => push.to_string(),
        })
    }
}
