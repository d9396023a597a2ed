//! The board of Join the Dots.
//!
//! A place is the number of a point. An arrow leads to a nearby point in its direction; the opposite arrow leads back.
//! A typed number selects its point as soon as the number is unambiguous. The first point selected is the pick; the
//! second completes the move.

use super::{Direction, Press, PressReply, Selection, Widget, arrow_map, open_ends};
use crate::action::{ARROWS, Action, DIGITS, KeyHint};
use quadrille_rules::Position;
use quadrille_rules::join_the_dots::{Edge, JoinError, JoinTheDots};
use quadrille_scene::{
    At, BoardGeometry, Item, LineStyle, PlaceId, Role, Scene, SeatRole, Shape, Stroke,
};
use quadrille_table::words::PositionView;
use quadrille_table::words::join_the_dots::{DrawnShapes, PlayedLine, can_be_joined};
use std::time::Duration;

/// How long after a number an Enter belongs to the number.
const ENTER_GUARD: Duration = Duration::from_secs(1);

/// The largest number of points of which it is known at every frame from which of them a line can be drawn. On larger
/// boards, all numbers are equally important.
const MAX_RANKED: usize = 60;

/// The cursor is the number of a point that is still in the game, as long as any point is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct JoinTheDotsWidget {
    /// The digits of an incomplete number.
    typed: String,
    /// How long an Enter still belongs to the number that the last key completed, even if the number played a move.
    /// Such an Enter is ignored, since players press it out of habit.
    enter_guard: Duration,
    /// The points that the cursor left by arrow keys, oldest first, each with the direction taken.
    way: Vec<(Direction, u8)>,
}

impl Selection<JoinTheDotsWidget> {
    /// Adds the half-made line, together with the cycle it would close or the line it would cross.
    fn add_half_made(
        &self,
        view: &PositionView<JoinTheDots>,
        places: &PointPlaces,
        scene: &mut Scene,
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

    /// Selects the point with this number, like Enter. If the point does not exist or is no longer in the game, the
    /// rules reject lines to it and give the reason.
    fn choose_number(&mut self, view: &PositionView<JoinTheDots>, typed: &str) -> PressReply<Edge> {
        if let Some(number) = left_with(view.now, typed) {
            self.cursor = number;
            return self.choose(view);
        }
        let number = typed.parse().unwrap_or(u8::MAX);
        let reason = view.now.check(Edge::new(number, number)).err();
        reason.map_or(PressReply::Ignored, |reason| PressReply::refused(&reason))
    }

    /// Adds each remaining point with its number, dimmed if it cannot be joined to the pick.
    fn add_points(
        &self,
        view: &PositionView<JoinTheDots>,
        places: &PointPlaces,
        scene: &mut Scene,
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
            let place = JoinTheDotsWidget::id(number);
            scene.add_at(place, Shape::Dot(places.at(number)), point);
            scene.add_at(place, Shape::Label(places.at(number), number.to_string()), label);
        }
    }
}

fn left_with(board: &JoinTheDots, typed: &str) -> Option<u8> {
    typed.parse().ok().filter(|&number| board.is_alive(number))
}

/// The position of each point on the board, point 1 first.
struct PointPlaces(Vec<At>);

impl PointPlaces {
    fn at(&self, number: u8) -> At {
        self.0[usize::from(number) - 1]
    }

    fn ends(&self, line: Edge) -> [At; 2] {
        line.ends().map(|number| self.at(number))
    }

    fn stroke(&self, PlayedLine { line, erased, taken }: &PlayedLine) -> Stroke {
        Stroke {
            line: self.ends(*line),
            erased: erased.iter().map(|line| self.ends(*line)).collect(),
            taken: taken.iter().map(|number| self.at(*number)).collect(),
        }
    }
}

fn places(board: &JoinTheDots) -> PointPlaces {
    match BoardGeometry::scattered(board.points().iter().map(|point| (point.x, point.y))) {
        BoardGeometry::Points(places) => PointPlaces(places),
        BoardGeometry::Lattice { .. } | BoardGeometry::Grid { .. } => PointPlaces(Vec::new()),
    }
}

impl Widget for JoinTheDotsWidget {
    type Game = JoinTheDots;
    type Place = u8;

    const START: u8 = 1;

    const TASK: &'static str = "join two dots";

    fn ground(now: &JoinTheDots) -> BoardGeometry {
        BoardGeometry::Points(places(now).0)
    }

    fn draw(selection: &Selection<Self>, view: &PositionView<JoinTheDots>, scene: &mut Scene) {
        let board = view.now;
        let places = places(board);
        let drawn = DrawnShapes::by(view.played);
        let last = view.last.as_ref();
        let taken = last.and_then(|last| last.before.cycle_closed_by(last.mv)).unwrap_or_default();
        let last = last.map(|last| last.mv);
        for (seat, cycle) in &drawn.cycles {
            let corners = cycle.iter().map(|number| places.at(*number)).collect();
            let role = SeatRole::area(*seat, *cycle == taken, view.outcome);
            scene.add(Shape::Polygon(corners, seat.letter()), role);
        }
        for line in drawn.played.iter().flat_map(|played| &played.erased) {
            scene.add(Shape::Line(places.ends(*line), LineStyle::Faint), Role::Faint);
        }
        scene.strokes = drawn.played.iter().map(|played| places.stroke(played)).collect();
        if board.points().len() <= MAX_RANKED && board.to_move().is_some() {
            let stuck = board.points_left().filter(|&number| !can_be_joined(board, number));
            scene.stuck = stuck.map(|number| places.at(number)).collect();
        }
        // The closing line has been taken off the board, so its role is not animated: otherwise the next move would
        // animate its removal.
        if let (Some(line), Some((seat, _))) = (last, drawn.cycles.last())
            && !taken.is_empty()
        {
            let role = Role::Of(SeatRole::Ink, *seat);
            scene.add(Shape::Line(places.ends(line), LineStyle::Solid), role);
        }
        for (seat, line) in drawn.lines {
            let role = if last == Some(line) { SeatRole::LastLine } else { SeatRole::Line };
            scene.add(Shape::Line(places.ends(line), LineStyle::Solid), Role::Of(role, seat));
        }
        selection.add_half_made(view, &places, scene);
        for number in (1..=board.points().len() as u8).filter(|number| !board.is_alive(*number)) {
            scene.add(Shape::Dot(places.at(number)), Role::Faint);
        }
        for number in taken {
            scene.add(Shape::Label(places.at(number), number.to_string()), Role::Text);
        }
        selection.add_points(view, &places, scene);
    }

    fn add_ghost(view: &PositionView<JoinTheDots>, line: Edge, role: Role, scene: &mut Scene) {
        let places = places(view.now);
        if let (Some(cycle), Some(seat)) = (view.now.cycle_closed_by(line), view.now.to_move()) {
            let corners = cycle.iter().map(|number| places.at(*number)).collect();
            // Everything else is drawn on top of the polygon.
            let shape = Shape::Polygon(corners, seat.letter());
            let role = Role::Of(SeatRole::Card, seat);
            scene.items.insert(0, Item::new(shape, role));
        }
        scene.add(Shape::Line(places.ends(line), LineStyle::Ghost), role);
    }

    fn complete(selection: &Selection<Self>) -> Option<Edge> {
        selection.ends().map(|[from, to]| Edge::new(from, to))
    }

    fn check_pick(_: &Selection<Self>, view: &PositionView<JoinTheDots>) -> Result<(), String> {
        view.now.to_move().map(|_| ()).ok_or_else(|| JoinError::Over.to_string())
    }

    fn next_places(selection: &Selection<Self>, mv: Edge) -> impl Iterator<Item = u8> {
        open_ends(selection.pick, mv.ends())
    }

    fn before(
        selection: &mut Selection<Self>,
        view: &PositionView<JoinTheDots>,
        press: Press,
    ) -> Option<PressReply<Edge>> {
        let picks = press == Press::Choose && selection.pick.is_none();
        if !picks && !matches!(press, Press::Arrow(_)) {
            selection.own.forget_way();
        }
        let enter_guard = std::mem::take(&mut selection.own.enter_guard);
        if selection.own.typed.is_empty() {
            // After the end, Enter does nothing anyway, and the reply says why.
            let is_habit = !enter_guard.is_zero() && view.now.to_move().is_some();
            return (is_habit && press == Press::Choose).then_some(PressReply::Handled);
        }
        let mut typed = std::mem::take(&mut selection.own.typed);
        match press {
            Press::Digit(_) => selection.own.typed = typed,
            Press::Erase => {
                typed.pop();
                selection.own.typed = typed;
                return Some(PressReply::Handled);
            }
            Press::Back => return Some(PressReply::Handled),
            Press::Choose => return Some(selection.choose_number(view, &typed)),
            Press::Arrow(_) | Press::Next | Press::Previous => {}
        }
        None
    }

    fn forget_way(&mut self) {
        self.way.clear();
    }

    fn goes_to(&mut self, _: u8) {
        *self = JoinTheDotsWidget::default();
    }

    fn arrow(
        selection: &mut Selection<Self>,
        view: &PositionView<JoinTheDots>,
        direction: Direction,
    ) -> PressReply<Edge> {
        if let Some((_, from)) = selection.own.way.pop_if(|(way, _)| *way == direction.opposite()) {
            selection.cursor = from;
            return PressReply::Handled;
        }
        let (left, places) = (Self::tab_order(selection, view), places(view.now));
        if let Some(next) =
            arrow_map::next(&left, selection.cursor, |number| places.at(number), direction)
        {
            selection.own.way.push((direction, selection.cursor));
            selection.cursor = next;
        }
        PressReply::Handled
    }

    fn tab_order(_: &Selection<Self>, view: &PositionView<JoinTheDots>) -> Vec<u8> {
        view.now.points_left().collect()
    }

    /// Returns whether the point can be joined, to the pick if there is one.
    fn is_tab_stop(
        selection: &Selection<Self>,
        view: &PositionView<JoinTheDots>,
        number: u8,
    ) -> bool {
        match selection.pick {
            Some(pick) => view.now.check(Edge::new(pick, number)).is_ok(),
            None => can_be_joined(view.now, number),
        }
    }

    /// Moves the cursor to the point with the typed number, and selects the point once no longer number is possible.
    /// Numbers may be zero-padded to the width of the largest. A digit that leads to no point is rejected, and the
    /// previous digits are kept.
    fn digit(
        selection: &mut Selection<Self>,
        view: &PositionView<JoinTheDots>,
        digit: u8,
    ) -> PressReply<Edge> {
        let board = view.now;
        let typed = format!("{}{digit}", selection.own.typed);
        let longest = board.points().len().to_string().len();
        let mut longer = typed.len() + 1..=longest;
        let may_go_on = longer.any(|length| {
            board.points_left().any(|number| format!("{number:0length$}").starts_with(&typed))
        });
        if may_go_on {
            selection.cursor = left_with(board, &typed).unwrap_or(selection.cursor);
            selection.own.typed = typed;
            return PressReply::Handled;
        }
        let before = std::mem::take(&mut selection.own.typed);
        let reply = selection.choose_number(view, &typed);
        match reply {
            PressReply::Refused(_) if left_with(board, &typed).is_none() => {
                selection.own.typed = before;
            }
            PressReply::Handled | PressReply::Play(_) => selection.own.enter_guard = ENTER_GUARD,
            _ => {}
        }
        reply
    }

    fn pass(&mut self, time: Duration) -> bool {
        self.enter_guard = self.enter_guard.saturating_sub(time);
        !self.enter_guard.is_zero()
    }

    /// If the point under the cursor was taken, moves the cursor to the nearest remaining point.
    fn position_changed(selection: &mut Selection<Self>, view: &PositionView<JoinTheDots>) {
        let enter_guard = selection.own.enter_guard;
        selection.own = JoinTheDotsWidget { enter_guard, ..JoinTheDotsWidget::default() };
        let board = view.now;
        if board.is_alive(selection.cursor) {
            return;
        }
        let from = board.point(selection.cursor);
        let distance =
            |&number: &u8| from.and_then(|from| Some(from.distance_squared(board.point(number)?)));
        selection.cursor = board.points_left().min_by_key(distance).unwrap_or(1);
    }

    fn place_of(mv: Edge) -> u8 {
        mv.ends()[1]
    }

    fn id(number: u8) -> PlaceId {
        PlaceId(number, 0)
    }

    fn place(PlaceId(number, _): PlaceId) -> Option<u8> {
        Some(number)
    }

    fn key_hints(selection: &Selection<Self>, view: &PositionView<JoinTheDots>) -> Vec<KeyHint> {
        match selection.pick {
            _ if view.now.to_move().is_none() => Vec::new(),
            _ if !selection.own.typed.is_empty() => vec![
                KeyHint::new(DIGITS, "continue"),
                Action::Choose.to("done"),
                Action::EraseNumber.hint(),
                Action::Back.to("cancel"),
            ],
            None => vec![
                KeyHint::new(ARROWS, "move"),
                Action::Choose.to("pick"),
                Action::Next.hint(),
                KeyHint::new(DIGITS, "by number"),
            ],
            Some(pick) => vec![
                KeyHint::new(ARROWS, "move"),
                Action::Choose.to(if pick == selection.cursor { "put back" } else { "join" }),
                Action::Next.hint(),
                Action::Back.to("cancel"),
                KeyHint::new(DIGITS, "by number"),
            ],
        }
    }

    fn is_half_made(selection: &Selection<Self>) -> bool {
        selection.pick.is_some() || !selection.own.typed.is_empty()
    }

    fn status(
        selection: &Selection<Self>,
        view: &PositionView<JoinTheDots>,
        _: bool,
    ) -> Option<String> {
        let board = view.now;
        board.to_move()?;
        if !selection.own.typed.is_empty() {
            let from = selection.pick.map_or("dot ".to_owned(), |pick| format!("{pick}-"));
            let enter = left_with(board, &selection.own.typed).map_or("", |_| ", or Enter");
            return Some(format!("{from}{}_: another digit{enter}", selection.own.typed));
        }
        Some(match (selection.pick, Self::complete(selection)) {
            (None, _) if can_be_joined(board, selection.cursor) => {
                format!("dot {}", selection.cursor)
            }
            (_, Some(line)) => match board.check(line) {
                Ok(()) => match board.cycle_closed_by(line) {
                    Some(cycle) => format!("{line} closes a cycle of {} dots", cycle.len()),
                    None => line.to_string(),
                },
                Err(reason) => reason.to_string(),
            },
            (Some(pick), None) if can_be_joined(board, pick) => {
                format!("{pick}: now choose the dot to join")
            }
            _ => format!("no line can be drawn from {}", selection.cursor),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use quadrille_match::session::Match;
    use quadrille_table::words::TypedMatch;

    const LAYOUTS: [&str; 8] =
        ["spread", "random", "clustered", "grid", "circle", "double-circle", "spiral", "onion"];

    fn seen(setup: &str) -> TypedMatch<JoinTheDots> {
        let start = JoinTheDots::from_setup(&setup.parse().unwrap()).unwrap();
        TypedMatch::of(&Match::new(start)).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Tested from every dot, in every direction, and all the way back after several arrows.
        #[test]
        fn opposite_arrow_returns_to_the_start(
            layout in 0..LAYOUTS.len(),
            count in 3..30,
            seed in any::<u32>(),
            steps in proptest::collection::vec(0..4_usize, 40),
        ) {
            let seen = seen(&format!("layout={}:{count} seed={seed}", LAYOUTS[layout]));
            let view = seen.view();
            let step = |selection: &mut Selection<JoinTheDotsWidget>, direction| {
                selection.press(&view, Press::Arrow(direction));
                selection.cursor
            };
            for number in view.now.points_left() {
                for direction in Direction::ALL {
                    let mut selection = Selection::default();
                    selection.go_to(number);
                    if step(&mut selection, direction) != number {
                        prop_assert_eq!(step(&mut selection, direction.opposite()), number);
                    }
                }
            }
            let mut selection = Selection::default();
            let mut way = Vec::new();
            for direction in steps.into_iter().map(|index| Direction::ALL[index]) {
                let from = selection.cursor;
                if step(&mut selection, direction) != from {
                    way.push((direction.opposite(), from));
                }
            }
            for (direction, from) in way.into_iter().rev() {
                prop_assert_eq!(step(&mut selection, direction), from);
            }
        }
    }
}
