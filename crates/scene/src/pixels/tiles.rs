//! Tiles and the symbols on them.

use super::Ground;
use super::canvas::{Figure, Point, quarters};
use super::items::Painter;
use crate::colour::Rgb;
use crate::{At, Role, SeatRole};
use quadrille_rules::Symbol;
use std::f32::consts::TAU;

/// The thickness of a symbol's strokes, the side of an X and the diameter of an O, relative to a tile.
const STROKE: f32 = 0.12;
const CROSS: f32 = 0.56;
const RING: f32 = 0.6;

impl Painter<'_, '_> {
    /// Draws a tile and the fraction of its symbol written so far. A moving tile has covered a fraction of its way.
    pub fn tile(
        &mut self,
        at: At,
        from: Option<(At, f32)>,
        symbol: Option<(Symbol, f32)>,
        role: Role,
    ) {
        let to = self.layout.point(at);
        let middle = from.map_or(to, |(from, way)| {
            let from = self.layout.point(from);
            [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * way)
        });
        if self.layout.ground == Ground::Ruled {
            self.ruled_tile(middle, symbol, role);
        } else {
            self.die(middle, symbol, role);
        }
    }

    fn die(&mut self, middle: Point, symbol: Option<(Symbol, f32)>, role: Role) {
        let square = face_role(role);
        match self.inks.face(square).filter(|_| role != Role::Cursor) {
            Some(face) => {
                self.square(middle, face);
                self.symbol(middle, symbol, self.symbol_ink(symbol, role), 1.0);
            }
            // The taken die, in the hand of the player to move.
            None if role == Role::Pick => {
                if let Some(face) = self.inks.face(Role::OpenTile) {
                    self.square(middle, face);
                }
                let ink = symbol.map_or(self.inks.paper, |(symbol, _)| {
                    self.inks.ink(Role::Of(SeatRole::Ink, symbol.seat()))
                });
                self.symbol(middle, symbol, ink, 1.0);
                self.frame(middle, self.inks.ink(role));
            }
            // The cursor and hints are frames around the die beneath.
            None => self.frame(middle, self.inks.mark(role)),
        }
    }

    fn ruled_tile(&mut self, middle: Point, symbol: Option<(Symbol, f32)>, role: Role) {
        // The cursor changes shape on a taken cell.
        match symbol {
            Some(_) if role == Role::Cursor => return self.brackets(middle, self.inks.mark(role)),
            None if role == Role::Cursor => return self.frame(middle, self.inks.mark(role)),
            _ => {}
        }
        if let Some(face) = self.inks.face(face_role(role)) {
            self.square(middle, face);
        }
        // A move that is not made is written in thin strokes.
        let is_ghost = matches!(role, Role::Best | Role::Wrong | Role::Of(SeatRole::Ink, _));
        let weight = if is_ghost { 0.4 } else { 1.0 };
        self.symbol(middle, symbol, self.symbol_ink(symbol, role), weight);
    }

    fn symbol_ink(&self, symbol: Option<(Symbol, f32)>, role: Role) -> Rgb {
        let seat = symbol.map(|(symbol, _)| symbol.seat());
        self.inks.ink(match (role, seat) {
            (Role::Of(SeatRole::Fill, seat), _) => Role::Of(SeatRole::FillInk, seat),
            (Role::Of(SeatRole::LostFill, _) | Role::Moved, Some(seat)) => {
                Role::Of(SeatRole::Line, seat)
            }
            (role, _) => role,
        })
    }

    fn side(&self) -> (f32, f32) {
        let (side, round) = match self.layout.ground {
            Ground::Ruled => (self.layout.tile() - 2.0 * self.inset(), 0.08),
            _ => (self.layout.tile(), 0.14),
        };
        (side, side * round)
    }

    /// Returns the gap between a ruled line and what is in a cell.
    fn inset(&self) -> f32 {
        (self.layout.pitch / 24.0).round()
    }

    fn square(&mut self, middle: Point, colour: Rgb) {
        let (side, round) = self.side();
        let figure = Figure::Square { side: quarters(side), round: quarters(round) };
        self.canvas.put(figure, middle, colour);
    }

    fn stroke(&self) -> f32 {
        (self.layout.tile() / 18.0).round().clamp(2.0, 6.0)
    }

    fn frame(&mut self, middle: Point, colour: Rgb) {
        let (side, round) = self.side();
        let (side, round, stroke) = (quarters(side), quarters(round), quarters(self.stroke()));
        self.canvas.put(Figure::Frame { side, round, stroke }, middle, colour);
    }

    /// Draws the four corners of a frame.
    fn brackets(&mut self, middle: Point, colour: Rgb) {
        let stroke = self.stroke();
        let (side, round) = self.side();
        let (half, length) = ((side - stroke) / 2.0, (side * 0.16).max(round));
        for [right, down] in [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0_f32]] {
            let at = |x: f32, y: f32| [middle[0] + right * x, middle[1] + down * y];
            let corner = [at(half - length, half), at(half, half), at(half, half - length)];
            self.canvas.lines(&corner, stroke, colour);
        }
    }

    /// Writes the first part of a symbol, in pen order: an X is two strokes, an O starts at the top.
    fn symbol(&mut self, middle: Point, symbol: Option<(Symbol, f32)>, ink: Rgb, weight: f32) {
        let Some((symbol, written)) = symbol else { return };
        let tile = self.layout.tile();
        let stroke = (tile * STROKE * weight).max(1.5);
        let (side, diameter) = (tile * CROSS, tile * RING);
        if written >= 1.0 {
            let stroke = quarters(stroke);
            let figure = match symbol {
                Symbol::X => Figure::Cross { side: quarters(side), stroke },
                Symbol::O => Figure::Ring { diameter: quarters(diameter), stroke },
            };
            return self.canvas.put(figure, middle, ink);
        }
        match symbol {
            Symbol::X => {
                let half = (side - stroke) / 2.0;
                let at = |x: f32, y: f32| [middle[0] + x * half, middle[1] + y * half];
                for (index, right) in (0..).zip([1.0_f32, -1.0]) {
                    let part = (2.0 * written - index as f32).clamp(0.0, 1.0);
                    let (from, to) = (at(-right, -1.0), at(right, 1.0));
                    let end = [0, 1].map(|axis| from[axis] + (to[axis] - from[axis]) * part);
                    if part > 0.0 {
                        self.canvas.line([from, end], stroke, None, ink);
                    }
                }
            }
            Symbol::O => {
                let radius = (diameter - stroke) / 2.0;
                let steps = (written.max(0.0) * 48.0) as u8;
                let turned = |step: u8| {
                    let (sin, cos) = (f32::from(step) / 48.0 * TAU).sin_cos();
                    [middle[0] - sin * radius, middle[1] - cos * radius]
                };
                let points: Vec<Point> = (0..=steps).map(turned).collect();
                self.canvas.lines(&points, stroke, ink);
            }
        }
    }
}

/// The last move has the background of a taken tile.
const fn face_role(role: Role) -> Role {
    match role {
        Role::Of(SeatRole::LastLine, seat) => Role::Of(SeatRole::Fill, seat),
        role => role,
    }
}
