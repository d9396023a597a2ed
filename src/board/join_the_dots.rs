//! The board of Join the Dots.
//!
//! A place is the number of a point. An arrow goes to a near point that way, a typed number to that point.
//! The first point chosen is the pick, the second one makes the move.

use super::{Direction, Hand, Press, PressReply, Widget, arrow_map, open_ends};
use crate::action::{ARROWS, Action, DIGITS, KeyHint};
use crate::rules::Position;
use crate::rules::join_the_dots::{Edge, JoinError, JoinTheDots};
use crate::scene::{At, Ground, Item, LineStyle, Role, Scene, SeatRole, Shape};
use crate::words::PositionView;
use crate::words::join_the_dots::{DrawnShapes, can_be_joined};

/// The cursor is the number of a point that is still there, as long as any is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct JoinTheDotsWidget {
    /// The number typed so far, or 0.
    typed: u8,
}

impl Hand<JoinTheDotsWidget> {
    /// Adds the half-made line, and the cycle that it would take or the line that it would cross.
    fn add_half_made(
        &self,
        view: &PositionView<JoinTheDots>,
        places: &PointPlaces,
        scene: &mut Scene<u8>,
    ) {
        let Some(line) = JoinTheDotsWidget::complete(self) else { return };
        match view.now.check(line) {
            Ok(()) => JoinTheDotsWidget::add_ghost(view, line, Role::Key, scene),
            Err(illegal) => {
                scene.add(Shape::Line(places.ends(line), LineStyle::Blocked), Role::Dim);
                if let JoinError::Crosses(_, other) = illegal {
                    let lines = [line, other].map(|line| places.ends(line));
                    scene.add(Shape::Line(lines[1], LineStyle::Heavy), Role::Wrong);
                    scene.add(Shape::Cross(lines), Role::Wrong);
                }
            }
        }
    }

    /// Adds each point that is still there, with its number; faint where it cannot be joined with the pick.
    fn add_points(
        &self,
        view: &PositionView<JoinTheDots>,
        places: &PointPlaces,
        scene: &mut Scene<u8>,
    ) {
        let board = view.now;
        for number in board.points_left() {
            let able = |pick| board.check(Edge::new(pick, number)).is_ok();
            let [point, label] = match self.pick {
                _ if view.seat_to_play().is_some() && number == self.cursor => [Role::Cursor; 2],
                Some(pick) if pick == number => [Role::Pick; 2],
                Some(pick) if !able(pick) => [Role::Faint; 2],
                _ => [Role::Strong, Role::Dim],
            };
            scene.add_at(number, Shape::Dot(places.at(number)), point);
            scene.add_at(number, Shape::Label(places.at(number), number.to_string()), label);
        }
    }
}

/// Where each point is drawn; point 1 comes first.
struct PointPlaces(Vec<At>);

impl PointPlaces {
    fn at(&self, number: u8) -> At {
        self.0[usize::from(number) - 1]
    }

    fn ends(&self, line: Edge) -> [At; 2] {
        line.ends().map(|number| self.at(number))
    }
}

fn places(board: &JoinTheDots) -> PointPlaces {
    match Ground::scattered(board.points().iter().map(|point| (point.x, point.y))) {
        Ground::Points(places) => PointPlaces(places),
        Ground::Lattice { .. } | Ground::Grid { .. } => PointPlaces(Vec::new()),
    }
}

impl Widget for JoinTheDotsWidget {
    type Game = JoinTheDots;
    type Place = u8;

    const START: u8 = 1;

    fn ground(now: &JoinTheDots) -> Ground {
        Ground::Points(places(now).0)
    }

    fn draw(hand: &Hand<Self>, view: &PositionView<JoinTheDots>, scene: &mut Scene<u8>) {
        let board = view.now;
        let places = places(board);
        let drawn = DrawnShapes::by(view.played);
        for (number, (seat, cycle)) in (1..).zip(&drawn.cycles) {
            let corners = cycle.iter().map(|number| places.at(*number)).collect();
            let role = match view.outcome {
                None if number < drawn.cycles.len() => Role::Of(SeatRole::OldFill, *seat),
                outcome => SeatRole::fill(*seat, outcome),
            };
            scene.add(Shape::Polygon(corners, seat.letter()), role);
        }
        for line in drawn.gone {
            scene.add(Shape::Line(places.ends(line), LineStyle::Faint), Role::Faint);
        }
        let last = view.last.as_ref().map(|last| last.mv);
        for (seat, line) in drawn.lines {
            let role = if last == Some(line) { SeatRole::LastLine } else { SeatRole::Line };
            scene.add(Shape::Line(places.ends(line), LineStyle::Solid), Role::Of(role, seat));
        }
        hand.add_half_made(view, &places, scene);
        for number in (1..=board.points().len() as u8).filter(|number| !board.is_left(*number)) {
            scene.add(Shape::Dot(places.at(number)), Role::Faint);
        }
        hand.add_points(view, &places, scene);
    }

    fn add_ghost(view: &PositionView<JoinTheDots>, line: Edge, role: Role, scene: &mut Scene<u8>) {
        let places = places(view.now);
        if let (Some(cycle), Some(seat)) = (view.now.cycle_closed_by(line), view.now.to_move()) {
            let corners = cycle.iter().map(|number| places.at(*number)).collect();
            // Everything else is drawn over it.
            let shape = Shape::Polygon(corners, seat.letter());
            let role = Role::Of(SeatRole::Card, seat);
            scene.items.insert(0, Item::new(shape, role));
        }
        scene.add(Shape::Line(places.ends(line), LineStyle::Ghost), role);
    }

    /// The line from the pick to the cursor.
    fn complete(hand: &Hand<Self>) -> Option<Edge> {
        hand.ends().map(|[from, to]| Edge::new(from, to))
    }

    fn check_pick(_: &Hand<Self>, view: &PositionView<JoinTheDots>) -> Result<(), String> {
        view.now.to_move().map(|_| ()).ok_or_else(|| format!("{:#}", JoinError::Over))
    }

    fn next_places(hand: &Hand<Self>, mv: Edge) -> impl Iterator<Item = u8> {
        open_ends(hand.pick, mv.ends())
    }

    /// Any key but a digit ends a typed number.
    fn before(&mut self, press: Press) -> bool {
        if !matches!(press, Press::Digit(_)) {
            self.typed = 0;
        }
        false
    }

    fn arrow(
        hand: &mut Hand<Self>,
        view: &PositionView<JoinTheDots>,
        direction: Direction,
    ) -> PressReply<Edge> {
        let (left, places) = (Self::tab_order(hand, view), places(view.now));
        let next = arrow_map::next(&left, hand.cursor, |number| places.at(number), direction);
        hand.cursor = next.unwrap_or(hand.cursor);
        PressReply::Handled
    }

    fn tab_order(_: &Hand<Self>, view: &PositionView<JoinTheDots>) -> Vec<u8> {
        view.now.points_left().collect()
    }

    /// Tab stops where a point can be joined, with the pick if there is one.
    fn is_tab_stop(hand: &Hand<Self>, view: &PositionView<JoinTheDots>, number: u8) -> bool {
        match hand.pick {
            Some(pick) => view.now.check(Edge::new(pick, number)).is_ok(),
            None => can_be_joined(view.now, number),
        }
    }

    /// Goes to the point with the typed number: the digits so far and this one if there is such a point,
    /// else this digit alone.
    fn digit(
        hand: &mut Hand<Self>,
        view: &PositionView<JoinTheDots>,
        digit: u8,
    ) -> PressReply<Edge> {
        let board = view.now;
        let longer = hand.own.typed.checked_mul(10).and_then(|tens| tens.checked_add(digit));
        let number = longer.filter(|&number| board.point(number).is_some()).unwrap_or(digit);
        hand.own.typed = number;
        if board.is_left(number) {
            hand.cursor = number;
            return PressReply::Handled;
        }
        // The point is gone, or there never was one: the rules refuse any line that ends there, and say why.
        let reason = board.check(Edge::new(number, number)).err();
        reason.map_or(PressReply::Ignored, |reason| PressReply::refused(&reason))
    }

    /// If the point under the cursor was taken, the cursor goes to the nearest one still there.
    fn position_changed(hand: &mut Hand<Self>, view: &PositionView<JoinTheDots>) {
        hand.own.typed = 0;
        let board = view.now;
        if board.is_left(hand.cursor) {
            return;
        }
        let from = board.point(hand.cursor);
        let far =
            |&number: &u8| from.and_then(|from| Some(from.distance_squared(board.point(number)?)));
        hand.cursor = board.points_left().min_by_key(far).unwrap_or(1);
    }

    fn place_of(mv: Edge) -> u8 {
        mv.ends()[1]
    }

    fn key_hints(hand: &Hand<Self>, view: &PositionView<JoinTheDots>) -> Vec<KeyHint> {
        match hand.pick {
            _ if view.now.to_move().is_none() => Vec::new(),
            None => vec![
                KeyHint::new(ARROWS, "move"),
                Action::Choose.to("pick"),
                Action::Next.hint(),
                KeyHint::new(DIGITS, "go to"),
            ],
            Some(pick) => vec![
                KeyHint::new(ARROWS, "move"),
                Action::Choose.to(if pick == hand.cursor { "drop" } else { "join" }),
                Action::Next.hint(),
                Action::Back.to("cancel"),
                KeyHint::new(DIGITS, "go to"),
            ],
        }
    }

    fn status(hand: &Hand<Self>, view: &PositionView<JoinTheDots>) -> Option<String> {
        let board = view.now;
        board.to_move()?;
        Some(match (hand.pick, Self::complete(hand)) {
            (None, _) if can_be_joined(board, hand.cursor) => format!("dot {}", hand.cursor),
            (_, Some(line)) => match board.check(line) {
                Ok(()) => match board.cycle_closed_by(line) {
                    Some(cycle) => format!("{line} closes a cycle of {} dots", cycle.len()),
                    None => line.to_string(),
                },
                Err(reason) => reason.to_string(),
            },
            (Some(pick), None) if can_be_joined(board, pick) => {
                format!("{pick}, and then the dot to join it to")
            }
            _ => format!("no line can be drawn from {}", hand.cursor),
        })
    }
}
