//! The board of Join the Dots.
//!
//! Each point is its number. An arrow goes to a point near that way, a number typed to that point;
//! the first point chosen is the pick, the second one makes the move.

use super::chart::{self, Chart};
use super::compass::Compass;
use super::mark::open_ends;
use super::stroke::{self, Stroke};
use super::{Direction, Format, Hint, Press, Reply, Sheet, Spot, View, Widget};
use crate::rules::join_the_dots::{Illegal, JoinTheDots as Board, Line};
use crate::rules::{Game, Seat};
use ratatui::layout::{Rect, Size};

/// The cursor and the pick.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JoinTheDots {
    /// The number of a point that is left, while one is.
    cursor: u8,
    /// The first point of a move, when it is chosen.
    pick: Option<u8>,
    /// The number typed so far, or 0.
    typed: u8,
}

impl Default for JoinTheDots {
    fn default() -> Self {
        JoinTheDots { cursor: 1, pick: None, typed: 0 }
    }
}

/// Whether any line can be drawn from a point.
fn can_be_joined(board: &Board, from: u8) -> bool {
    board.points_left().any(|to| board.check(Line::new(from, to)).is_ok())
}

impl JoinTheDots {
    /// The line from the pick to the cursor.
    fn half_made(&self) -> Option<Line> {
        self.pick.filter(|&pick| pick != self.cursor).map(|pick| Line::new(pick, self.cursor))
    }

    /// Faintly what went with a cycle, dotted the half-made line, then the lines on the board, thick
    /// the last one and the one that the half-made line would cross.
    fn paint_lines(&self, view: &View<Board>, chart: &Chart, sheet: &mut Sheet) {
        let (board, skin) = (view.now, sheet.skin());
        let along = |line: Line, every, thick, style| Stroke {
            ends: line.ends().map(|number| chart.end(number)),
            every,
            thick,
            style,
        };
        let is_drawn = |line: &Line| board.lines().binary_search(line).is_ok();
        let mut strokes = Vec::new();
        if let Some(last) = &view.last {
            let gone = last.before.lines().iter().filter(|line| !is_drawn(line));
            strokes.extend(gone.map(|&line| along(line, 4, false, skin.dim())));
        }
        let half_made = self.half_made().map(|line| (line, board.check(line)));
        if let Some((line, verdict)) = &half_made {
            let (every, style) = if verdict.is_ok() { (2, skin.plain()) } else { (3, skin.dim()) };
            strokes.push(along(*line, every, false, style));
        }
        strokes.extend(board.lines().iter().map(|&line| along(line, 1, false, skin.plain())));
        if let Some(last) = &view.last {
            let style = skin.last(skin.seat(last.before.to_move().unwrap_or(Seat::FIRST)));
            let there = is_drawn(&last.mv);
            strokes.push(along(last.mv, if there { 1 } else { 3 }, there, style));
        }
        let mut crossing = None;
        if let Some((line, Err(Illegal::Crosses(_, other)))) = half_made {
            let [line, other] = [line, other].map(|line| along(line, 1, true, skin.wrong()));
            crossing = line.meets(&other);
            strokes.push(other);
        }
        stroke::draw(sheet, &strokes);
        if let Some((x, y)) = crossing.map(stroke::cell) {
            sheet.glyph(x, y, skin.glyphs().cross, skin.wrong());
        }
    }

    /// The number of each point: faint where it cannot be joined with the pick.
    fn paint_points(&self, view: &View<Board>, chart: &Chart, sheet: &mut Sheet) {
        let (board, skin) = (view.now, sheet.skin());
        if let Some(last) = &view.last {
            for number in last.before.points_left().filter(|&number| !board.is_left(number)) {
                let (x, y) = stroke::cell(chart.end(number));
                sheet.glyph(x, y, skin.glyphs().gone, skin.afresh(skin.dim()));
            }
        }
        for number in board.points_left() {
            let able = |pick| board.check(Line::new(pick, number)).is_ok();
            let mut style = match self.pick {
                Some(pick) if pick == number => skin.pick(),
                Some(pick) if !able(pick) => skin.dim(),
                _ => skin.strong(),
            };
            if number == self.cursor && board.to_move().is_some() {
                style = style.patch(skin.cursor());
            }
            let label = chart.label(number);
            let seen = label.intersection(sheet.visible());
            if seen == label || number == self.cursor {
                sheet.text(label.x, label.y, &number.to_string(), skin.afresh(style));
            } else {
                // A part of a number would be another number.
                sheet.fill(seen, skin.glyphs().dot, skin.afresh(style));
            }
        }
    }
}

impl Widget for JoinTheDots {
    type Game = Board;
    type Place = u8;

    const SAMPLE: (&'static str, &'static str) =
        ("points=0.1,0;0.7,0;0.45,0.5;1,0.4;0.9,1;0,0.9", "1-2 4-5 2-3 5-6 1-3");
    const TAGLINE: &'static str = "Join dots, cross no line; close a cycle to take its dots.";

    fn format(&self, now: &Board, room: Size) -> Format {
        Format::plain(Chart::size(&chart::places(now.points()), room))
    }

    fn focus(&self, now: &Board, format: Format) -> Rect {
        Chart::new(&chart::places(now.points()), format.size()).label(self.cursor)
    }

    fn paint(&self, view: &View<Board>, sheet: &mut Sheet) {
        let chart = Chart::new(&chart::places(view.now.points()), sheet.format().size());
        self.paint_lines(view, &chart, sheet);
        self.paint_points(view, &chart, sheet);
    }

    fn cursor(&self) -> u8 {
        self.cursor
    }

    fn places(&self, mv: Line) -> impl IntoIterator<Item = u8> {
        open_ends(self.pick, mv.ends())
    }

    fn spots(&self, now: &Board, format: Format) -> impl Fn(u8) -> Spot {
        let chart = Chart::new(&chart::places(now.points()), format.size());
        move |number| Spot::Near(chart.label(number))
    }

    /// Any other key ends a number that is typed.
    fn before(&mut self, press: Press) -> bool {
        if !matches!(press, Press::Digit(_)) {
            self.typed = 0;
        }
        false
    }

    fn arrow(&mut self, view: &View<Board>, direction: Direction) -> Reply<Line> {
        let all = chart::places(view.now.points());
        let left = self.tour(view);
        let places: Vec<_> = left.iter().map(|&number| all[usize::from(number) - 1]).collect();
        let at = left.binary_search(&self.cursor).ok();
        if let Some(to) = at.and_then(|at| Compass::new(&places).from(at, direction)) {
            self.cursor = left[to];
        }
        Reply::Taken
    }

    fn tour(&self, view: &View<Board>) -> Vec<u8> {
        view.now.points_left().collect()
    }

    /// Where the point can be joined, with the pick if there is one.
    fn stops_at(&self, view: &View<Board>, number: u8) -> bool {
        match self.pick {
            Some(pick) => view.now.check(Line::new(pick, number)).is_ok(),
            None => can_be_joined(view.now, number),
        }
    }

    fn go_to(&mut self, number: u8) {
        self.cursor = number;
    }

    /// Picks the point under the cursor, drops it again, or joins the two.
    fn choose(&mut self, view: &View<Board>) -> Reply<Line> {
        if let Some(line) = self.half_made() {
            return Reply::Play(line);
        }
        if view.now.to_move().is_none() {
            return Reply::refused(&Illegal::Over);
        }
        self.pick = if self.pick.is_none() { Some(self.cursor) } else { None };
        Reply::Taken
    }

    fn back(&mut self) -> Reply<Line> {
        self.pick.take().map_or(Reply::Ignored, |_| Reply::Taken)
    }

    /// To the point with the number typed: the digits so far with this one behind them where there
    /// is such a point, or else this one alone.
    fn digit(&mut self, view: &View<Board>, digit: u8) -> Reply<Line> {
        let board = view.now;
        let longer = self.typed.checked_mul(10).and_then(|tens| tens.checked_add(digit));
        let number = longer.filter(|&number| board.point(number).is_some()).unwrap_or(digit);
        self.typed = number;
        if board.is_left(number) {
            self.cursor = number;
            return Reply::Taken;
        }
        // What the rules say of any line that ends there.
        let reason = board.check(Line::new(number, number)).err();
        reason.map_or(Reply::Ignored, |reason| Reply::refused(&reason))
    }

    /// Where the point under the cursor has gone, the cursor goes to the nearest one left.
    fn settle(&mut self, view: &View<Board>) {
        (self.pick, self.typed) = (None, 0);
        let board = view.now;
        if board.is_left(self.cursor) {
            return;
        }
        let from = board.point(self.cursor);
        let far =
            |&number: &u8| from.and_then(|from| Some(from.distance_squared(board.point(number)?)));
        self.cursor = board.points_left().min_by_key(far).unwrap_or(1);
    }

    fn point_at(&mut self, mv: Line) {
        [_, self.cursor] = mv.ends();
    }

    fn hints(&self, view: &View<Board>) -> Vec<Hint> {
        match self.pick {
            _ if view.now.to_move().is_none() => Vec::new(),
            None => vec![("arrows", "move"), ("Enter", "pick"), ("Tab", "next"), ("0-9", "go to")],
            Some(pick) => vec![
                ("arrows", "move"),
                ("Enter", if pick == self.cursor { "drop" } else { "join" }),
                ("Tab", "next"),
                ("Esc", "drop"),
            ],
        }
    }

    fn extent(&self, start: &Board) -> String {
        let points = start.points().len();
        format!("{points} point{}", if points == 1 { "" } else { "s" })
    }

    fn facts(&self, view: &View<Board>) -> Vec<(&'static str, String)> {
        let left = view.now.points_left().count();
        vec![("left", format!("{left} point{}", if left == 1 { "" } else { "s" }))]
    }

    fn status(&self, view: &View<Board>) -> Option<String> {
        let board = view.now;
        board.to_move()?;
        Some(match (self.pick, self.half_made()) {
            (None, _) if can_be_joined(board, self.cursor) => format!("point {}", self.cursor),
            (_, Some(line)) => match board.check(line) {
                Ok(()) => match board.cycle_closed_by(line) {
                    Some(cycle) => format!("{line} closes a cycle of {}", cycle.len()),
                    None => line.to_string(),
                },
                Err(reason) => reason.to_string(),
            },
            (Some(pick), None) if can_be_joined(board, pick) => {
                format!("{pick}, and then the point to join it to")
            }
            _ => format!("no line can be drawn from {}", self.cursor),
        })
    }
}
