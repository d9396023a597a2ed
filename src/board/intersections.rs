//! The board of Making Intersections.
//!
//! The cursor is a dot. Once one is picked, the cursor is the other end of the segment, and moves
//! along its line as far as the rules let it. A round that has ended stays on the board until a key
//! is pressed.

use super::grid::digits;
use super::lattice::Lattice;
use super::mark::open_ends;
use super::{Direction, Format, Hint, Press, Reply, Sheet, Spot, View, Widget};
use crate::rules::intersections::{self as rules, At, Segment};
use crate::rules::{Game, Seat};
use ratatui::layout::{Rect, Size};

/// The cursor, and the dot that is picked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Intersections {
    /// The dot to pick; and once one is picked, the other end: as long as that is the dot itself,
    /// there is no segment.
    cursor: At,
    picked: Option<At>,
    /// A round has just ended and is still to be seen.
    holds: bool,
}

impl Default for Intersections {
    fn default() -> Self {
        Intersections { cursor: At { row: 0, col: 0 }, picked: None, holds: false }
    }
}

/// A dot with its brackets.
const BRACKETED: Size = Size::new(3, 1);

/// Columns to the right of the array and rows below it for the marks of the last dots.
const MARGIN: (u16, u16) = (4, 1);

/// The next dot that way, unless the array ends there.
fn neighbour(board: &rules::Intersections, at: At, direction: Direction) -> Option<At> {
    let next = direction.neighbour((at.row, at.col), [board.rows(), board.cols()]);
    next.map(|(row, col)| At { row, col })
}

/// The dots on which a segment from this one may end that way, the nearest first.
fn ends_towards(board: &rules::Intersections, from: At, direction: Direction) -> Vec<At> {
    let (cols, rows) = direction.step();
    board.ends_towards(from, (rows, cols))
}

/// The same of all directions.
fn ends(board: &rules::Intersections, from: At) -> Vec<At> {
    Direction::ALL.into_iter().flat_map(|direction| ends_towards(board, from, direction)).collect()
}

/// The round that the last move ended, with that move's segment.
fn finished(view: &View<rules::Intersections>) -> Option<rules::Intersections> {
    let last = view.last.as_ref()?;
    let ended = last.before.round() != view.now.round();
    ended.then(|| last.before.with_segment(last.mv))
}

/// Which seat drew a segment of this round, by its number.
fn drawer(board: &rules::Intersections, index: usize) -> Seat {
    let players = usize::from(board.seats());
    let back = (board.drawn().len() - index) % players;
    let next = board.to_move().map_or(0, Seat::index);
    Seat::new(((next + players - back) % players) as u8)
}

fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

impl Intersections {
    /// The segment as it is stretched so far.
    fn segment(&self) -> Option<Segment> {
        let from = self.picked.filter(|&from| from != self.cursor)?;
        Some(Segment::new(from, self.cursor))
    }

    /// The round to look at: one that has just ended, or else the running one. After the last there
    /// is no other.
    fn round(&self, view: &View<rules::Intersections>) -> rules::Intersections {
        let ended = self.holds || view.now.to_move().is_none();
        finished(view).filter(|_| ended).unwrap_or_else(|| view.now.clone())
    }

    /// Moves the end of the segment from `from` one dot on, along its line or into a new one.
    fn stretch(
        &mut self,
        board: &rules::Intersections,
        from: At,
        direction: Direction,
    ) -> Reply<Segment> {
        let (_, rows) = direction.step();
        let on_line = match rows {
            0 => self.cursor.row == from.row,
            _ => self.cursor.col == from.col,
        };
        let end = if on_line { self.cursor } else { from };
        if let Some(to) = neighbour(board, end, direction) {
            if to != from
                && let Err(illegal) = board.check(Segment::new(from, to))
            {
                return Reply::refused(&illegal);
            }
            self.cursor = to;
        }
        Reply::Taken
    }
}

/// Draws the segments of a round, the last of them only hinted at if it is not played yet.
fn draw_segments(board: &rules::Intersections, lattice: Lattice, ghost: bool, sheet: &mut Sheet) {
    let skin = sheet.skin();
    let last = board.drawn().len().saturating_sub(1);
    for (index, segment) in board.drawn().iter().enumerate() {
        let axis = usize::from(!segment.is_horizontal());
        let mut style = skin.seat(drawer(board, index));
        let mut glyph = skin.glyphs().line[axis];
        if index == last {
            style = skin.last(style);
            if ghost {
                glyph = skin.glyphs().ghost[axis];
            }
        }
        let [(x, y), (right, bottom)] = segment.ends().map(|at| lattice.dot(at.row, at.col));
        sheet.fill(Rect { x, y, width: right - x + 1, height: bottom - y + 1 }, glyph, style);
    }
}

/// Draws the dots over the segments: how many segments meet at each, in brackets where it counts.
fn draw_dots(board: &rules::Intersections, lattice: Lattice, sheet: &mut Sheet) {
    let skin = sheet.skin();
    for at in board.all_dots() {
        let (x, y) = lattice.dot(at.row, at.col);
        match board.degree(at) {
            0 => sheet.glyph(x, y, skin.glyphs().dot, skin.strong()),
            // The line that passes has been drawn.
            2 if board.is_passed(at) => {}
            degree @ 0..3 => sheet.text(x, y, &degree.to_string(), skin.plain()),
            degree => sheet.text(x - 1, y, &format!("[{degree}]"), skin.counted()),
        }
    }
}

/// Draws a piece of a line wherever a segment from the dot that is picked may go.
fn draw_stubs(board: &rules::Intersections, lattice: Lattice, from: At, sheet: &mut Sheet) {
    let [along, down] = sheet.skin().glyphs().ghost;
    let (x, y) = lattice.dot(from.row, from.col);
    for direction in Direction::ALL {
        if ends_towards(board, from, direction).is_empty() {
            continue;
        }
        // Brackets may stand right beside the dot.
        let (x, y, glyph) = match direction {
            Direction::Left => (x - 2, y, along),
            Direction::Right => (x + 2, y, along),
            Direction::Up => (x, y - 1, down),
            Direction::Down => (x, y + 1, down),
        };
        sheet.glyph(x, y, glyph, sheet.skin().strong());
    }
}

/// Writes the numbers of columns above them, and of rows to their left.
fn draw_numbers(board: &rules::Intersections, lattice: Lattice, sheet: &mut Sheet) {
    let style = sheet.skin().dim();
    for col in 0..board.cols() {
        let (x, _) = lattice.dot(0, col);
        sheet.text(x + 1 - digits(col.into()) as u16, 0, &col.to_string(), style);
    }
    let digits = digits(board.rows().into());
    for row in 0..board.rows() {
        let (_, y) = lattice.dot(row, 0);
        sheet.text(0, y, &format!("{row:>digits$}"), style);
    }
}

impl Widget for Intersections {
    type Game = rules::Intersections;
    type Place = At;

    const SAMPLE: (&'static str, &'static str) =
        ("size=3", "0,0-0,2 0,1-2,1 1,0-1,1 1,1-1,2 2,1-2,2");
    const TAGLINE: &'static str = "Draw segments; the offense scores where three or four meet.";

    fn format(&self, now: &rules::Intersections, room: Size) -> Format {
        let labels = Size::new(digits(now.rows().into()) as u16, 1);
        let format = Lattice::fit(labels, BRACKETED, now.rows(), now.cols(), room);
        Format {
            across: format.across.padded([0, MARGIN.0], room.width),
            down: format.down.padded([0, MARGIN.1], room.height),
        }
    }

    fn focus(&self, _: &rules::Intersections, format: Format) -> Rect {
        format.cell(self.cursor.row, self.cursor.col)
    }

    fn paint(&self, view: &View<rules::Intersections>, sheet: &mut Sheet) {
        let skin = sheet.skin();
        let lattice = Lattice::on(sheet.format());
        let segment = self.segment();
        let mut board = self.round(view);
        if let Some(segment) = segment {
            board = board.with_segment(segment);
        }
        draw_segments(&board, lattice, segment.is_some(), sheet);
        draw_dots(&board, lattice, sheet);
        draw_numbers(&board, lattice, sheet);
        if let Some(from) = self.picked {
            if segment.is_none() {
                draw_stubs(&board, lattice, from, sheet);
            }
            let (x, y) = lattice.dot(from.row, from.col);
            sheet.restyle(Rect { x, y, width: 1, height: 1 }, skin.pick());
        }
        if !self.holds && view.now.to_move().is_some() {
            sheet.restyle(self.focus(view.now, sheet.format()), skin.cursor());
        }
    }

    fn cursor(&self) -> At {
        self.cursor
    }

    fn places(&self, mv: Segment) -> impl IntoIterator<Item = At> {
        open_ends(self.picked, mv.ends()).filter(|_| !self.holds)
    }

    /// To the right of the dot and below it, where no segment ever runs; below the last row there may
    /// be no room.
    fn spots(&self, _: &rules::Intersections, format: Format) -> impl Fn(At) -> Spot {
        let lattice = Lattice::on(format);
        move |at| {
            let (x, y) = lattice.dot(at.row, at.col);
            if y + 1 < format.down.length() {
                Spot::Left(Rect { x: x + 1, y: y + 1, width: lattice.dx - 1, height: 1 })
            } else {
                Spot::Flags(Rect { x, y, width: 1, height: 1 })
            }
        }
    }

    /// While a round that has ended is shown, a key only goes on from it.
    fn before(&mut self, _: Press) -> bool {
        std::mem::take(&mut self.holds)
    }

    fn arrow(&mut self, view: &View<rules::Intersections>, direction: Direction) -> Reply<Segment> {
        if let Some(from) = self.picked {
            return self.stretch(view.now, from, direction);
        }
        self.cursor = neighbour(view.now, self.cursor, direction).unwrap_or(self.cursor);
        Reply::Taken
    }

    fn tour(&self, view: &View<rules::Intersections>) -> Vec<At> {
        match self.picked {
            None => view.now.all_dots().collect(),
            Some(from) => ends(view.now, from),
        }
    }

    fn stops_at(&self, view: &View<rules::Intersections>, at: At) -> bool {
        self.picked.is_some() || !ends(view.now, at).is_empty()
    }

    fn go_to(&mut self, at: At) {
        self.cursor = at;
    }

    fn choose(&mut self, view: &View<rules::Intersections>) -> Reply<Segment> {
        if self.picked.is_some() {
            let reason = || Reply::Refused("stretch the segment with an arrow".to_owned());
            return self.segment().map_or_else(reason, Reply::Play);
        }
        if ends(view.now, self.cursor).is_empty() {
            return Reply::Refused(format!("no segment can start at {}", self.cursor));
        }
        self.picked = Some(self.cursor);
        Reply::Taken
    }

    fn back(&mut self) -> Reply<Segment> {
        let Some(from) = self.picked.take() else { return Reply::Ignored };
        self.cursor = from;
        Reply::Taken
    }

    fn settle(&mut self, view: &View<rules::Intersections>) {
        self.picked = None;
        self.holds = finished(view).is_some();
    }

    fn point_at(&mut self, mv: Segment) {
        [_, self.cursor] = mv.ends();
    }

    fn hints(&self, view: &View<rules::Intersections>) -> Vec<Hint> {
        if self.holds {
            return vec![("any key", "go on")];
        }
        if view.now.to_move().is_none() {
            return Vec::new();
        }
        match (self.picked, self.segment()) {
            (None, _) => vec![("arrows", "move"), ("Enter", "pick"), ("Tab", "next")],
            (Some(_), None) => vec![("arrows", "stretch"), ("Esc", "drop")],
            (Some(_), Some(_)) => vec![("Enter", "draw"), ("arrows", "stretch"), ("Esc", "drop")],
        }
    }

    fn extent(&self, start: &rules::Intersections) -> String {
        let dots = usize::from(start.rows()) * usize::from(start.cols());
        let segments = count(start.segments() as usize, "segment");
        format!("{dots} dots, {} rounds of {segments}", start.rounds())
    }

    fn facts(&self, view: &View<rules::Intersections>) -> Vec<(&'static str, String)> {
        let board = self.round(view);
        let round = (board.round() + 1).min(board.rounds());
        vec![
            ("round", format!("{round} of {}", board.rounds())),
            ("offense", board.offense().letter().to_string()),
            ("segments", format!("{} of {}", board.drawn().len(), board.segments())),
            ("so far", count(board.counted().count(), "point")),
        ]
    }

    fn status(&self, view: &View<rules::Intersections>) -> Option<String> {
        if self.holds {
            let ended = finished(view)?;
            let points = count(ended.counted().count(), "point");
            let (round, offense) = (ended.round() + 1, ended.offense().letter());
            return Some(format!("round {round} is over: {points} for seat {offense}"));
        }
        view.now.to_move()?;
        Some(match (self.picked, self.segment()) {
            (None, _) => self.cursor.to_string(),
            (Some(from), None) => format!("{from}-?"),
            (Some(_), Some(segment)) => segment.to_string(),
        })
    }

    fn shows_interlude(&self) -> bool {
        self.holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_segment_is_known_by_who_drew_it() {
        for first in ["offense", "next", "seat1"] {
            let setup = format!("size=4 players=3 first={first}");
            let mut board = rules::Intersections::from_setup(&setup.parse().unwrap()).unwrap();
            let mut seats = Vec::new();
            while let Some(seat) = board.to_move() {
                let mut moves = Vec::new();
                board.legal_moves(&mut moves);
                seats.push(seat);
                let shown = board.with_segment(moves[0]);
                let drawers = (0..shown.drawn().len()).map(|index| drawer(&shown, index));
                assert_eq!(drawers.collect::<Vec<_>>(), seats, "{first}");
                board.play(moves[0]).unwrap();
                if board.drawn().is_empty() {
                    seats.clear();
                }
            }
        }
    }
}
