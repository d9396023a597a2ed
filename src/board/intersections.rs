//! The board of Making Intersections.
//!
//! The cursor is a dot. Once a dot is picked, the cursor is the other end of the segment and moves as far as the rules
//! allow. A finished round stays on the board until the next key.

use super::{Direction, Press, PressReply, Selection, Widget, neighbour, open_ends};
use crate::action::{ARROWS, Action, KeyHint};
use quadrille_rules::Position;
use quadrille_rules::intersections::{self as rules, Dot, Segment};
use quadrille_scene::{BoardGeometry, LineStyle, PlaceId, Role, Scene, SeatRole, Shape};
use quadrille_table::words::intersections::{POINTS, finished, round};
use quadrille_table::words::{PositionView, count};

/// The cursor is a dot or, once a dot is picked, the other end of the segment. While the cursor is on the picked dot,
/// there is no segment yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct IntersectionsWidget {
    shows_ended_round: bool,
}

/// Returns the next dot in a direction; `None` at the edge.
fn next_dot(board: &rules::Intersections, at: Dot, direction: Direction) -> Option<Dot> {
    let next = neighbour((at.row, at.col), direction, [board.rows(), board.cols()]);
    next.map(|(row, col)| Dot { row, col })
}

fn point(Dot { row, col }: Dot) -> quadrille_scene::At {
    quadrille_scene::At::new(row, col)
}

/// Returns the dots in this direction where a segment from `at` may end, nearest first.
fn ends_towards(board: &rules::Intersections, from: Dot, direction: Direction) -> Vec<Dot> {
    let (cols, rows) = direction.step();
    board.ends_towards(from, (rows, cols))
}

fn ends(board: &rules::Intersections, from: Dot) -> Vec<Dot> {
    Direction::ALL.into_iter().flat_map(|direction| ends_towards(board, from, direction)).collect()
}

impl Selection<IntersectionsWidget> {
    /// Moves the end of the segment that starts at `from` by one dot in a direction, keeping the segment's line or
    /// starting along a new one.
    fn stretch(
        &mut self,
        board: &rules::Intersections,
        from: Dot,
        direction: Direction,
    ) -> PressReply<Segment> {
        let (_, rows) = direction.step();
        let on_line = match rows {
            0 => self.cursor.row == from.row,
            _ => self.cursor.col == from.col,
        };
        let end = if on_line { self.cursor } else { from };
        if let Some(to) = next_dot(board, end, direction) {
            if to != from
                && let Err(illegal) = board.check(Segment::new(from, to))
            {
                return PressReply::refused(&illegal);
            }
            self.cursor = to;
        }
        PressReply::Handled
    }
}

fn line(segment: Segment, line_style: LineStyle) -> Shape {
    Shape::Line(segment.ends().map(point), line_style)
}

/// Adds the segments of a round, each in its owner's color. After the match, the winner's are heavy.
fn add_segments(
    view: &PositionView<rules::Intersections>,
    round: &rules::Intersections,
    is_over: bool,
    scene: &mut Scene,
) {
    let drawn = round.drawn().len();
    let first = view.played.len().saturating_sub(drawn);
    for (number, (seat, segment)) in (1..).zip(&view.played[first..]) {
        let (role, line_style) = match is_over && view.is_won_by(*seat) {
            true => (SeatRole::LastLine, LineStyle::Heavy),
            false if number == drawn => (SeatRole::LastLine, LineStyle::Solid),
            false => (SeatRole::Line, LineStyle::Solid),
        };
        scene.add(line(*segment, line_style), Role::Of(role, *seat));
    }
}

/// Returns the role of a counted dot's badge: bright if the last segment made the dot count or the round is over;
/// otherwise the offense's color.
fn badge_role(
    view: &PositionView<rules::Intersections>,
    round: &rules::Intersections,
    at: Dot,
) -> Role {
    let is_open = view.now.to_move().is_some() && round.round() == view.now.round();
    match &view.last {
        // The dot would count only with the half-made segment.
        _ if round.degree(at) < 3 => Role::Key,
        Some(last) if is_open && last.before.degree(at) >= 3 => {
            Role::Of(SeatRole::WonFill, round.round().offense)
        }
        _ => Role::Counted,
    }
}

/// Adds the dots on top of the segments, with a badge on each dot that counts, taking the half-made segment into
/// account. A dot that a segment merely passes through is dim.
fn add_dots(
    view: &PositionView<rules::Intersections>,
    round: &rules::Intersections,
    shown: &rules::Intersections,
    scene: &mut Scene,
) {
    for at in shown.all_dots() {
        match shown.degree(at) {
            2 if shown.is_passed(at) => scene.add(Shape::Dot(point(at)), Role::Dim),
            0 => scene.add_at(IntersectionsWidget::id(at), Shape::Dot(point(at)), Role::Dim),
            1 | 2 => scene.add_at(IntersectionsWidget::id(at), Shape::Dot(point(at)), Role::Strong),
            _ => {
                let role = badge_role(view, round, at);
                scene.add_at(IntersectionsWidget::id(at), dot(shown, at), role);
            }
        }
    }
}

/// Returns the shape of a dot, which has a badge if it counts.
fn dot(round: &rules::Intersections, at: Dot) -> Shape {
    match round.degree(at) {
        degree @ 3.. => Shape::Badge(point(at), degree.to_string()),
        _ => Shape::Dot(point(at)),
    }
}

impl Widget for IntersectionsWidget {
    type Game = rules::Intersections;
    type Place = Dot;

    const START: Dot = Dot { row: 0, col: 0 };
    const TASK: &'static str = "draw a segment";

    const UNFINISHED: Option<&'static str> = Some("stretch it with an arrow key");

    fn ground(now: &rules::Intersections) -> BoardGeometry {
        BoardGeometry::Lattice { rows: now.rows(), cols: now.cols(), numbered: true }
    }

    fn draw(
        selection: &Selection<Self>,
        view: &PositionView<rules::Intersections>,
        scene: &mut Scene,
    ) {
        let round = round(view, selection.own.shows_ended_round);
        let segment = Self::complete(selection);
        // Every dot is clickable, even under a segment.
        for at in round.all_dots() {
            scene.add_at(IntersectionsWidget::id(at), Shape::Dot(point(at)), Role::Faint);
        }
        add_segments(view, &round, !selection.own.shows_ended_round, scene);
        let mut shown = round.clone();
        if let Some(segment) = segment {
            shown = round.with_segment(segment);
            scene.add(line(segment, LineStyle::Ghost), Role::Key);
        }
        add_dots(view, &round, &shown, scene);
        if let Some(from) = selection.pick {
            scene.add_at(IntersectionsWidget::id(from), Shape::Dot(point(from)), Role::Pick);
            for direction in Direction::ALL {
                let is_open = !ends_towards(view.now, from, direction).is_empty();
                if is_open && segment.is_none() {
                    scene.add(Shape::Arrow(point(from), direction, direction), Role::Strong);
                }
            }
        }
        if !selection.own.shows_ended_round && view.seat_to_play().is_some() {
            let shape = dot(&shown, selection.cursor);
            scene.add_at(IntersectionsWidget::id(selection.cursor), shape, Role::Cursor);
        }
    }

    fn add_ghost(
        _: &PositionView<rules::Intersections>,
        segment: Segment,
        role: Role,
        scene: &mut Scene,
    ) {
        scene.add(line(segment, LineStyle::Ghost), role);
        for end in segment.ends() {
            scene.add_at(IntersectionsWidget::id(end), Shape::Dot(point(end)), role);
        }
    }

    fn complete(selection: &Selection<Self>) -> Option<Segment> {
        selection.ends().map(|[from, to]| Segment::new(from, to))
    }

    fn check_pick(
        selection: &Selection<Self>,
        view: &PositionView<rules::Intersections>,
    ) -> Result<(), String> {
        let is_dead = ends(view.now, selection.cursor).is_empty();
        if is_dead { Err(format!("no segment can start at {}", selection.cursor)) } else { Ok(()) }
    }

    fn next_places(selection: &Selection<Self>, mv: Segment) -> impl Iterator<Item = Dot> {
        open_ends(selection.pick, mv.ends()).filter(|_| !selection.own.shows_ended_round)
    }

    /// While a finished round is shown, any key only dismisses it.
    fn before(
        selection: &mut Selection<Self>,
        _: &PositionView<rules::Intersections>,
        _: Press,
    ) -> Option<PressReply<Segment>> {
        std::mem::take(&mut selection.own.shows_ended_round).then_some(PressReply::Handled)
    }

    fn arrow(
        selection: &mut Selection<Self>,
        view: &PositionView<rules::Intersections>,
        direction: Direction,
    ) -> PressReply<Segment> {
        if let Some(from) = selection.pick {
            return selection.stretch(view.now, from, direction);
        }
        selection.cursor =
            next_dot(view.now, selection.cursor, direction).unwrap_or(selection.cursor);
        PressReply::Handled
    }

    fn tab_order(
        selection: &Selection<Self>,
        view: &PositionView<rules::Intersections>,
    ) -> Vec<Dot> {
        match selection.pick {
            None => view.now.all_dots().collect(),
            Some(from) => ends(view.now, from),
        }
    }

    fn is_tab_stop(
        selection: &Selection<Self>,
        view: &PositionView<rules::Intersections>,
        at: Dot,
    ) -> bool {
        selection.pick.is_some() || !ends(view.now, at).is_empty()
    }

    fn position_changed(
        selection: &mut Selection<Self>,
        view: &PositionView<rules::Intersections>,
    ) {
        selection.own.shows_ended_round = finished(view).is_some();
    }

    fn place_of(mv: Segment) -> Dot {
        mv.ends()[1]
    }

    fn id(Dot { row, col }: Dot) -> PlaceId {
        PlaceId(row, col)
    }

    fn place(PlaceId(row, col): PlaceId) -> Option<Dot> {
        Some(Dot { row, col })
    }

    fn key_hints(
        selection: &Selection<Self>,
        view: &PositionView<rules::Intersections>,
    ) -> Vec<KeyHint> {
        if selection.own.shows_ended_round {
            return vec![Action::Choose.to("continue")];
        }
        if view.now.to_move().is_none() {
            return Vec::new();
        }
        match (selection.pick, Self::complete(selection)) {
            (None, _) => {
                vec![KeyHint::new(ARROWS, "move"), Action::Choose.to("pick"), Action::Next.hint()]
            }
            (Some(_), None) => vec![KeyHint::new(ARROWS, "stretch"), Action::Back.to("cancel")],
            (Some(_), Some(_)) => vec![
                Action::Choose.to("draw"),
                KeyHint::new(ARROWS, "stretch"),
                Action::Back.to("cancel"),
            ],
        }
    }

    fn status(
        selection: &Selection<Self>,
        view: &PositionView<rules::Intersections>,
        _: bool,
    ) -> Option<String> {
        if selection.own.shows_ended_round {
            let ended = finished(view)?;
            let points = count(ended.scoring_dots().count(), POINTS);
            let (round, offense) = (ended.round().number + 1, ended.round().offense.letter());
            return Some(format!("round {round} is over: {points} for {offense}"));
        }
        selection.status(view)
    }

    fn shows_interlude(&self) -> bool {
        self.shows_ended_round
    }
}
