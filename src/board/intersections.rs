//! The board of Making Intersections.
//!
//! The cursor is a dot. Once a dot is picked, the cursor is the other end of the segment, and moves as far
//! as the rules allow. A round that has ended stays on the board until a key is pressed.

use super::{Direction, Press, Reply, Widget, neighbour, open_ends};
use crate::action::{ARROWS, Action, KeyHint};
use crate::rules::Position;
use crate::rules::intersections::{self as rules, DotPlace, Segment};
use crate::scene::{self, Ground, LineStyle, Role, Scene, SeatRole, Shape};
use crate::words::intersections::{POINTS, finished, round};
use crate::words::{View, count};

/// The cursor, the pick, and whether a round that has ended is shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IntersectionsWidget {
    /// The dot under the cursor; once one is picked, the other end of the segment. While that is the picked
    /// dot itself, there is no segment yet.
    cursor: DotPlace,
    picked: Option<DotPlace>,
    /// Whether a round that has just ended is still shown.
    shows_ended_round: bool,
}

impl Default for IntersectionsWidget {
    fn default() -> Self {
        IntersectionsWidget {
            cursor: DotPlace { row: 0, col: 0 },
            picked: None,
            shows_ended_round: false,
        }
    }
}

/// The next dot that way, unless the array ends there.
fn next_dot(board: &rules::Intersections, at: DotPlace, direction: Direction) -> Option<DotPlace> {
    let next = neighbour((at.row, at.col), direction, [board.rows(), board.cols()]);
    next.map(|(row, col)| DotPlace { row, col })
}

/// A dot on the ground.
fn point(DotPlace { row, col }: DotPlace) -> scene::At {
    scene::At::new(row, col)
}

/// The dots in this direction on which a segment from this dot may end, the nearest first.
fn ends_towards(
    board: &rules::Intersections,
    from: DotPlace,
    direction: Direction,
) -> Vec<DotPlace> {
    let (cols, rows) = direction.step();
    board.ends_towards(from, (rows, cols))
}

/// The same for all directions.
fn ends(board: &rules::Intersections, from: DotPlace) -> Vec<DotPlace> {
    Direction::ALL.into_iter().flat_map(|direction| ends_towards(board, from, direction)).collect()
}

impl IntersectionsWidget {
    /// The segment stretched so far.
    fn segment(&self) -> Option<Segment> {
        let from = self.picked.filter(|&from| from != self.cursor)?;
        Some(Segment::new(from, self.cursor))
    }

    /// The round to show: the one that has just ended, or the running one. When the match is over, it is the
    /// last round.
    fn round(&self, view: &View<rules::Intersections>) -> rules::Intersections {
        round(view, self.shows_ended_round)
    }

    /// Moves the end of the segment that starts at `from` one dot that way, along its line or along a new
    /// one.
    fn stretch(
        &mut self,
        board: &rules::Intersections,
        from: DotPlace,
        direction: Direction,
    ) -> Reply<Segment> {
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
                return Reply::refused(&illegal);
            }
            self.cursor = to;
        }
        Reply::Handled
    }
}

fn line(segment: Segment, line_style: LineStyle) -> Shape {
    Shape::Line(segment.ends().map(point), line_style)
}

/// Adds the segments of a round, each in the colour of the seat that drew it.
fn add_segments(
    view: &View<rules::Intersections>,
    round: &rules::Intersections,
    scene: &mut Scene<DotPlace>,
) {
    let drawn = round.drawn().len();
    let first = view.played.len().saturating_sub(drawn);
    for (number, (seat, segment)) in (1..).zip(&view.played[first..]) {
        let role = if number == drawn { SeatRole::LastLine } else { SeatRole::Line };
        scene.add(line(*segment, LineStyle::Solid), Role::Of(role, *seat));
    }
}

/// Adds the dots over the segments, with a badge on each dot that counts. Where a segment only passes
/// through, no dot is drawn.
fn add_dots(round: &rules::Intersections, scene: &mut Scene<DotPlace>) {
    for at in round.all_dots() {
        match round.degree(at) {
            2 if round.is_passed(at) => {}
            0 => scene.add_at(at, Shape::Dot(point(at)), Role::Dim),
            1 | 2 => scene.add_at(at, Shape::Dot(point(at)), Role::Strong),
            degree => {
                scene.add_at(at, Shape::Badge(point(at), degree.to_string()), Role::Counted);
            }
        }
    }
}

/// The shapes of a dot under the cursor, or of its badge.
fn dot(round: &rules::Intersections, at: DotPlace) -> [Shape; 2] {
    let over = match round.degree(at) {
        degree @ 3.. => Shape::Badge(point(at), degree.to_string()),
        _ => Shape::Dot(point(at)),
    };
    [Shape::Badge(point(at), String::new()), over]
}

impl Widget for IntersectionsWidget {
    type Game = rules::Intersections;
    type Place = DotPlace;

    fn ground(&self, now: &rules::Intersections) -> Ground {
        Ground::Lattice { rows: now.rows(), cols: now.cols(), numbered: true }
    }

    fn scene(&self, view: &View<rules::Intersections>) -> Scene<DotPlace> {
        let mut scene = Scene::on(self.ground(view.now));
        scene.focus = Some(self.cursor);
        let mut round = self.round(view);
        // Every dot can be clicked, also one that a segment covers.
        for at in round.all_dots() {
            scene.add_at(at, Shape::Dot(point(at)), Role::Faint);
        }
        add_segments(view, &round, &mut scene);
        if let Some(segment) = self.segment() {
            round = round.with_segment(segment);
            scene.add(line(segment, LineStyle::Ghost), Role::Key);
        }
        add_dots(&round, &mut scene);
        if let Some(from) = self.picked {
            scene.add_at(from, Shape::Dot(point(from)), Role::Pick);
            for direction in Direction::ALL {
                let is_open = !ends_towards(view.now, from, direction).is_empty();
                if is_open && self.segment().is_none() {
                    scene.add(Shape::Arrow(point(from), direction, direction), Role::Strong);
                }
            }
        }
        if !self.shows_ended_round && view.seat_to_play().is_some() {
            for shape in dot(&round, self.cursor) {
                scene.add_at(self.cursor, shape, Role::Cursor);
            }
        }
        scene
    }

    fn add_ghost(
        &self,
        _: &View<rules::Intersections>,
        segment: Segment,
        role: Role,
        scene: &mut Scene<DotPlace>,
    ) {
        scene.add(line(segment, LineStyle::Ghost), role);
        for end in segment.ends() {
            scene.add_at(end, Shape::Dot(point(end)), role);
        }
    }

    fn cursor(&self) -> DotPlace {
        self.cursor
    }

    fn picked(&self) -> Option<DotPlace> {
        self.picked
    }

    fn next_places(&self, mv: Segment) -> impl IntoIterator<Item = DotPlace> {
        open_ends(self.picked, mv.ends()).filter(|_| !self.shows_ended_round)
    }

    /// While a round that has ended is shown, a key does nothing but end that.
    fn before(&mut self, _: Press) -> bool {
        std::mem::take(&mut self.shows_ended_round)
    }

    fn arrow(&mut self, view: &View<rules::Intersections>, direction: Direction) -> Reply<Segment> {
        if let Some(from) = self.picked {
            return self.stretch(view.now, from, direction);
        }
        self.cursor = next_dot(view.now, self.cursor, direction).unwrap_or(self.cursor);
        Reply::Handled
    }

    fn tab_order(&self, view: &View<rules::Intersections>) -> Vec<DotPlace> {
        match self.picked {
            None => view.now.all_dots().collect(),
            Some(from) => ends(view.now, from),
        }
    }

    fn is_tab_stop(&self, view: &View<rules::Intersections>, at: DotPlace) -> bool {
        self.picked.is_some() || !ends(view.now, at).is_empty()
    }

    fn go_to(&mut self, at: DotPlace) {
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
        Reply::Handled
    }

    fn back(&mut self) -> Reply<Segment> {
        let Some(from) = self.picked.take() else { return Reply::Ignored };
        self.cursor = from;
        Reply::Handled
    }

    fn position_changed(&mut self, view: &View<rules::Intersections>) {
        self.picked = None;
        self.shows_ended_round = finished(view).is_some();
    }

    fn show_move(&mut self, mv: Segment) {
        [_, self.cursor] = mv.ends();
    }

    fn key_hints(&self, view: &View<rules::Intersections>) -> Vec<KeyHint> {
        if self.shows_ended_round {
            return vec![Action::Choose.to("go on")];
        }
        if view.now.to_move().is_none() {
            return Vec::new();
        }
        match (self.picked, self.segment()) {
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

    fn status(&self, view: &View<rules::Intersections>) -> Option<String> {
        if self.shows_ended_round {
            let ended = finished(view)?;
            let points = count(ended.counted().count(), POINTS);
            let (round, offense) = (ended.round() + 1, ended.offense().letter());
            return Some(format!("round {round} is over: {points} for {offense}"));
        }
        view.now.to_move()?;
        Some(match (self.picked, self.segment()) {
            (None, _) => self.cursor.to_string(),
            (Some(from), None) => format!("{from}-?"),
            (Some(_), Some(segment)) => segment.to_string(),
        })
    }

    fn shows_interlude(&self) -> bool {
        self.shows_ended_round
    }
}
