//! The places of texts beside scattered points: the numbers of the points and the values of moves.
//!
//! A number stands beside its point where most room is, never on a line. It keeps its place until a new line needs it,
//! so the places depend only on the layout and on the lines in the order in which they were drawn.

use super::braille;
use super::layout::SheetLayout;
use crate::{At, LineStyle, Role, Scene, Shape, Stroke};
use ratatui::layout::{Position, Rect, Size};
use std::cmp::Reverse;
use std::rc::Rc;

/// What stands in the cells of a sheet.
#[derive(Clone, Debug, Default)]
pub(super) struct Occupied {
    size: Size,
    /// The number of drawn lines through each cell.
    lines: Vec<u16>,
    marks: Vec<Mark>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mark {
    #[default]
    None,
    Dot,
    Text,
}

impl Occupied {
    fn new(size: Size) -> Occupied {
        let cells = size.area() as usize;
        Occupied { size, lines: vec![0; cells], marks: vec![Mark::None; cells] }
    }

    fn index(&self, at: Position) -> Option<usize> {
        let Size { width, height } = self.size;
        let is_in = at.x < width && at.y < height;
        is_in.then(|| usize::from(at.y) * usize::from(width) + usize::from(at.x))
    }

    fn mark(&self, at: Position) -> Mark {
        self.index(at).map_or(Mark::None, |index| self.marks[index])
    }

    fn has_line(&self, at: Position) -> bool {
        self.index(at).is_some_and(|index| self.lines[index] > 0)
    }

    pub fn is_free(&self, at: Position) -> bool {
        !self.has_line(at) && self.mark(at) == Mark::None
    }

    fn set(&mut self, part: Rect, mark: Mark) {
        for at in part.positions() {
            if let Some(index) = self.index(at) {
                self.marks[index] = mark;
            }
        }
    }

    pub fn add_text(&mut self, part: Rect) {
        self.set(part, Mark::Text);
    }

    fn add_line(&mut self, line: &[Position]) {
        for at in line {
            if let Some(index) = self.index(*at) {
                self.lines[index] += 1;
            }
        }
    }

    fn remove_line(&mut self, line: &[Position]) {
        for at in line {
            if let Some(index) = self.index(*at) {
                self.lines[index] = self.lines[index].saturating_sub(1);
            }
        }
    }

    /// Returns whether a text may stand at this place beside an item, apart from other texts in the way. A text keeps a
    /// distance of one cell to all other dots, since it would seem to belong to them.
    fn admits(&self, place: Rect, beside: Rect) -> bool {
        place.right() <= self.size.width
            && place.bottom() <= self.size.height
            && place.positions().all(|at| !self.has_line(at))
            && around(place, 1).all(|at| beside.contains(at) || self.mark(at) != Mark::Dot)
    }

    /// Returns the room around a text at this place beside an item: the free cells nearby. Returns `None` if the text
    /// may not stand there. Different texts do not touch.
    fn room(&self, place: Rect, beside: Rect) -> Option<usize> {
        let touches = |at: Position| !beside.contains(at) && self.mark(at) == Mark::Text;
        if !self.admits(place, beside) || around(place, 1).any(touches) {
            return None;
        }
        let free = |columns| around(place, columns).filter(|at| self.is_free(*at)).count();
        // Cells that touch the text count twice.
        Some(free(1) + free(2))
    }

    /// Returns the roomiest place for a text of this width beside an item; the first one with nothing near it.
    pub fn roomiest(&self, beside: Rect, gap: u16, width: u16) -> Option<Rect> {
        let mut roomiest: Option<(usize, Rect)> = None;
        for place in places(beside, gap, width) {
            let Some(room) = self.room(place, beside) else { continue };
            if roomiest.is_none_or(|(most, _)| room > most) {
                roomiest = Some((room, place));
            }
            // Only the item itself is near.
            let own = |columns| around(place, columns).filter(|at| beside.contains(*at)).count();
            if room + own(1) + own(2) >= usize::from(6 * width + 18) {
                break;
            }
        }
        roomiest.map(|(_, place)| place)
    }
}

/// Returns the cells of a place and those up to this many columns and one row away, also beyond the sheet.
fn around(place: Rect, columns: u16) -> impl Iterator<Item = Position> {
    let Rect { x, y, width, height } = place;
    // A column or row before the first wraps to one that no sheet reaches.
    let xs = (0..width + 2 * columns).map(move |at| (x + at).wrapping_sub(columns));
    (0..height + 2)
        .flat_map(move |row| xs.clone().map(move |x| Position { x, y: (y + row).wrapping_sub(1) }))
}

/// Returns the places for a text of this width beside an item, the preferred first: right, left, below and above.
fn places(beside: Rect, gap: u16, width: u16) -> impl Iterator<Item = Rect> {
    let middle = beside.y + (beside.height.max(1) - 1) / 2;
    let level = [Some(beside.right() + gap), beside.left().checked_sub(gap + width)];
    let level = level.into_iter().flatten().map(move |x| (x, middle));
    // From the position below the middle outwards.
    let centred = (beside.x + beside.width / 2).saturating_sub(width / 2);
    let rows = [Some(beside.bottom()), beside.y.checked_sub(1)];
    let rows = rows.into_iter().flatten().flat_map(move |y| {
        let mut along: Vec<u16> = (beside.x.saturating_sub(width)..=beside.right()).collect();
        along.sort_by_key(|x| (x.abs_diff(centred), Reverse(*x)));
        along.into_iter().map(move |x| (x, y))
    });
    level.chain(rows).map(move |(x, y)| Rect { x, y, width, height: 1 })
}

/// The places of all numbers on a sheet of scattered points, after some strokes.
#[derive(Clone, Debug)]
pub(super) struct NumberPlaces {
    points: Vec<NumberedPoint>,
    pub occupied: Occupied,
    gap: u16,
    strokes: Rc<[Stroke]>,
}

#[derive(Clone, Debug)]
struct NumberedPoint {
    at: At,
    dot: Rect,
    width: u16,
    /// Whether the point is still in the game, or was taken by the last line.
    is_numbered: bool,
    place: Option<Rect>,
}

impl NumberPlaces {
    /// Places the numbers, if there are any, before the first stroke. `points` are all points in the order of their
    /// numbers.
    pub fn new(layout: &SheetLayout, points: &[At], is_lettered: bool) -> NumberPlaces {
        let mut occupied = Occupied::new(layout.format.size());
        let point = |(number, at): (usize, &At)| NumberedPoint {
            at: *at,
            dot: layout.cells(&Shape::Dot(*at)),
            width: number.ilog10() as u16 + 1,
            is_numbered: is_lettered,
            place: None,
        };
        let points: Vec<NumberedPoint> = (1..).zip(points).map(point).collect();
        for point in &points {
            occupied.set(point.dot, Mark::Dot);
        }
        let gap = layout.weight();
        let mut numbers = NumberPlaces { points, occupied, gap, strokes: Rc::default() };
        // The layout leaves room on the right of every point. From there, numbers move where more room is.
        for index in (0..numbers.points.len()).filter(|_| is_lettered) {
            let NumberedPoint { dot, width, .. } = numbers.points[index];
            let right = places(dot, gap, width).next();
            let free = right.filter(|place| numbers.occupied.room(*place, dot).is_some());
            numbers.put(index, free);
        }
        for index in (0..numbers.points.len()).filter(|_| is_lettered) {
            numbers.lift(index);
            numbers.settle(index);
        }
        numbers
    }

    /// Returns the cells of a point's number, or `None` if it has no place.
    pub fn place(&self, at: At) -> Option<Rect> {
        self.points.iter().find(|point| point.at == at)?.place
    }

    /// Follows these strokes, of which earlier ones may have been followed before. Returns `false` if others were, so
    /// that the places do not apply.
    pub fn extend(&mut self, strokes: &Rc<[Stroke]>, layout: &SheetLayout) -> bool {
        let before = Rc::clone(&self.strokes);
        let Some(new) = strokes.strip_prefix(&*before) else { return false };
        let mut taken = before.last().map_or(&[][..], |last| &last.taken);
        for stroke in new {
            self.follow(stroke, taken, layout);
            taken = &stroke.taken;
        }
        self.strokes = Rc::clone(strokes);
        true
    }

    /// Moves numbers out of the way of a line. `taken` are the points that the line before took.
    fn follow(&mut self, stroke: &Stroke, taken: &[At], layout: &SheetLayout) {
        let cells =
            |ends: &[At; 2]| braille::cells(ends.map(|at| layout.end(at)), LineStyle::Heavy);
        for index in 0..self.points.len() {
            if taken.contains(&self.points[index].at) {
                self.lift(index);
                self.points[index].is_numbered = false;
            }
        }
        self.occupied.add_line(&cells(&stroke.line));
        for line in &stroke.erased {
            self.occupied.remove_line(&cells(line));
        }
        let is_crossed = |point: &NumberedPoint| {
            point.place.is_some_and(|place| place.positions().any(|at| self.occupied.has_line(at)))
        };
        let crossed: Vec<usize> =
            (0..self.points.len()).filter(|index| is_crossed(&self.points[*index])).collect();
        for index in crossed {
            self.lift(index);
        }
        for index in 0..self.points.len() {
            if self.points[index].is_numbered && self.points[index].place.is_none() {
                self.settle(index);
            }
        }
    }

    /// Gives the place of less important numbers to those that must be seen: of the point under the cursor and of the
    /// one from which a line starts, then of points from which a line can be drawn.
    pub fn preferring(self: &Rc<NumberPlaces>, scene: &Scene) -> Rc<NumberPlaces> {
        let is_needed = |at: At| {
            scene.items.iter().any(|item| {
                item.shape == Shape::Dot(at) && matches!(item.role, Role::Cursor | Role::Pick)
            })
        };
        let rank = |point: &NumberedPoint| match point.at {
            _ if !point.is_numbered => 0,
            at if is_needed(at) => 2,
            at => u8::from(!scene.stuck.contains(&at)),
        };
        let mut numbers = Rc::clone(self);
        if self.points.iter().all(|point| point.place.is_some() || !point.is_numbered) {
            return numbers;
        }
        let ranks: Vec<u8> = self.points.iter().map(rank).collect();
        for least in [2, 1] {
            for index in 0..ranks.len() {
                if ranks[index] == least && numbers.points[index].place.is_none() {
                    Rc::make_mut(&mut numbers).displace(index, |other| ranks[other] < least);
                }
            }
        }
        numbers
    }

    fn put(&mut self, index: usize, place: Option<Rect>) {
        if let Some(place) = place {
            self.occupied.set(place, Mark::Text);
        }
        self.points[index].place = place;
    }

    fn lift(&mut self, index: usize) {
        if let Some(place) = self.points[index].place.take() {
            self.occupied.set(place, Mark::None);
        }
    }

    /// Places a number where most room is; if there is none, moves another number for it. Returns whether the number
    /// has a place.
    fn settle(&mut self, index: usize) -> bool {
        let NumberedPoint { dot, width, .. } = self.points[index];
        let place = self.occupied.roomiest(dot, self.gap, width);
        self.put(index, place);
        if place.is_some() {
            return true;
        }
        for place in places(dot, self.gap, width) {
            let [other] = self.in_the_way(place, index)[..] else { continue };
            let Some(before) =
                self.points[other].place.filter(|_| self.occupied.admits(place, dot))
            else {
                continue;
            };
            self.lift(other);
            self.put(index, Some(place));
            let NumberedPoint { dot, width, .. } = self.points[other];
            if let Some(place) = self.occupied.roomiest(dot, self.gap, width) {
                self.put(other, Some(place));
                return true;
            }
            self.lift(index);
            self.put(other, Some(before));
        }
        false
    }

    /// Returns the numbers that touch this place.
    fn in_the_way(&self, place: Rect, index: usize) -> Vec<usize> {
        let touches = |other: &usize| {
            let other = self.points[*other].place.filter(|_| *other != index);
            other.is_some_and(|other| around(place, 1).any(|at| other.contains(at)))
        };
        (0..self.points.len()).filter(touches).collect()
    }

    /// Places a number where only numbers are in the way that may go.
    fn displace(&mut self, index: usize, may_go: impl Fn(usize) -> bool) {
        let NumberedPoint { dot, width, .. } = self.points[index];
        let admitted =
            places(dot, self.gap, width).filter(|place| self.occupied.admits(*place, dot));
        let places = admitted.map(|place| (place, self.in_the_way(place, index)));
        let Some((place, others)) = places
            .filter(|(_, others)| others.iter().all(|other| may_go(*other)))
            .min_by_key(|(_, others)| others.len())
        else {
            return;
        };
        for other in &others {
            self.lift(*other);
        }
        self.put(index, Some(place));
        for other in others {
            self.settle(other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::{BoardOnScreen, Placement};
    use crate::{BoardGeometry, Lettering};
    use foldhash::HashSet;
    use quadrille_rules::Position as _;
    use quadrille_rules::join_the_dots::{Edge, JoinTheDots, cycle_closed_by};

    const ROOMS: [(u16, u16); 6] = [(36, 9), (44, 18), (42, 15), (78, 36), (118, 50), (76, 22)];

    /// A game on scattered points, with the lines and outlines on the board.
    struct Game {
        board: JoinTheDots,
        scene: Scene,
        strokes: Vec<Stroke>,
        points: Vec<At>,
        lines: Vec<Edge>,
        rims: Vec<Edge>,
    }

    impl Game {
        fn new(setup: &str) -> Game {
            let board = JoinTheDots::from_setup(&setup.parse().unwrap()).unwrap();
            let points = board.points().iter().map(|point| (point.x, point.y));
            let ground = BoardGeometry::scattered(points);
            let BoardGeometry::Points(points) = ground.clone() else { panic!("{ground:?}") };
            Game {
                board,
                scene: Scene::on(ground),
                strokes: Vec::new(),
                points,
                lines: Vec::new(),
                rims: Vec::new(),
            }
        }

        fn at(&self, number: u8) -> At {
            self.points[usize::from(number) - 1]
        }

        fn ends(&self, line: Edge) -> [At; 2] {
            line.ends().map(|number| self.at(number))
        }

        fn play(&mut self, line: Edge) {
            let taken = cycle_closed_by(&self.lines, line).unwrap_or_default();
            self.board.play(line).unwrap();
            let (gone, left): (Vec<Edge>, Vec<Edge>) = self
                .lines
                .iter()
                .chain([&line])
                .partition(|line| line.ends().iter().any(|end| taken.contains(end)));
            let is_rim = |line: &Edge| line.ends().iter().all(|end| taken.contains(end));
            let (rim, erased): (Vec<Edge>, Vec<Edge>) = gone.into_iter().partition(is_rim);
            self.lines = left;
            self.rims.extend(rim);
            let erased = erased.into_iter().map(|line| self.ends(line)).collect();
            let taken = taken.into_iter().map(|number| self.at(number)).collect();
            self.strokes.push(Stroke { line: self.ends(line), erased, taken });
            self.scene.strokes = self.strokes.as_slice().into();
            let is_stuck = |number: &u8| {
                !self
                    .board
                    .points_left()
                    .any(|other| self.board.check(Edge::new(*number, other)).is_ok())
            };
            let stuck: Vec<u8> = self.board.points_left().filter(is_stuck).collect();
            self.scene.stuck = stuck.into_iter().map(|number| self.at(number)).collect();
        }

        fn layout(&self, room: Size) -> SheetLayout {
            SheetLayout::new(&self.scene.ground, room, Lettering::All)
        }

        /// Derives the places from all lines.
        fn numbers(&self, layout: &SheetLayout) -> Rc<NumberPlaces> {
            let mut numbers = NumberPlaces::new(layout, &self.points, true);
            assert!(numbers.extend(&self.scene.strokes, layout));
            Rc::new(numbers).preferring(&self.scene)
        }

        /// Asserts that no number is on a line, a dot or beside another number. Returns how many numbers of points in
        /// the game are shown and how many are not.
        fn check(&self, layout: &SheetLayout) -> (usize, usize) {
            let numbers = self.numbers(layout);
            let lines = self.lines.iter().chain(&self.rims).flat_map(|line| {
                braille::cells(self.ends(*line).map(|at| layout.end(at)), LineStyle::Heavy)
            });
            let lines: HashSet<Position> = lines.collect();
            let sheet = Rect::from((Position::ORIGIN, layout.format.size()));
            let placed = self.points.iter().filter_map(|at| Some((at, numbers.place(*at)?)));
            let placed: Vec<(&At, Rect)> = placed.collect();
            for (at, place) in &placed {
                assert_eq!(place.intersection(sheet), *place, "{at:?} at {place:?}");
                assert!(place.positions().all(|at| !lines.contains(&at)), "{at:?} at {place:?}");
                let near: Vec<Position> = around(*place, 1).collect();
                for other in &self.points {
                    let dot = layout.cells(&Shape::Dot(*other));
                    let touches = near.iter().any(|near| dot.contains(*near));
                    assert!(!touches || other == *at, "{at:?} touches {other:?}");
                }
                for (other, text) in &placed {
                    assert!(other == at || !near.iter().any(|near| text.contains(*near)), "{at:?}");
                }
            }
            let left: Vec<At> = self.board.points_left().map(|number| self.at(number)).collect();
            let shown = left.iter().filter(|at| numbers.place(**at).is_some()).count();
            (shown, left.len() - shown)
        }
    }

    /// Plays a game of random lines, and calls `see` with the game after each.
    fn play(setup: &str, mut random: u64, mut see: impl FnMut(&Game)) {
        let mut game = Game::new(setup);
        see(&game);
        loop {
            let legal = game.board.legal_moves();
            if legal.is_empty() {
                return;
            }
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            game.play(legal[(random >> 33) as usize % legal.len()]);
            see(&game);
        }
    }

    #[test]
    fn numbers_stand_beside_their_points_and_never_on_a_line() {
        let built_in = [
            "spread",
            "random",
            "clustered",
            "grid",
            "circle",
            "double-circle",
            "spiral",
            "onion",
            "zigzag",
        ];
        let built_in = built_in.into_iter().map(|layout| format!("layout={layout}:10"));
        let random = (0..200).map(|seed| format!("layout=random:{} seed={seed}", 4 + seed % 17));
        let (mut shown, mut dropped, mut positions) = (0, 0, 0);
        for (seed, setup) in (0..).zip(built_in.chain(["layout=eight".to_owned()]).chain(random)) {
            let rooms = ROOMS.map(Size::from);
            let layouts = rooms.map(|room| (room, Game::new(&setup).layout(room)));
            play(&setup, seed, |game| {
                // Every position in one of the sizes, the last one in all.
                let turn = game.scene.strokes.len() + seed as usize;
                let is_over = game.board.to_move().is_none();
                let fitting = layouts.iter().filter(|(room, layout)| layout.format.fits(*room));
                for (_, layout) in fitting
                    .enumerate()
                    .filter(|(index, _)| is_over || (turn + index).is_multiple_of(ROOMS.len()))
                    .map(|(_, fitting)| fitting)
                {
                    let (here, missing) = game.check(layout);
                    (shown, dropped, positions) = (shown + here, dropped + missing, positions + 1);
                }
            });
        }
        assert!(positions > 2000, "{positions}");
        assert!(
            50 * dropped <= shown + dropped,
            "{dropped} of {} numbers have no place",
            shown + dropped
        );
    }

    #[test]
    fn places_extended_line_by_line_are_those_derived_from_all_lines() {
        let board = BoardOnScreen::default();
        let mut scenes = Vec::new();
        let check = |scene: &Scene, (width, height)| {
            let area = Rect::new(1, 1, width, height);
            let places = |placement: Placement<'_>| {
                let numbers = placement.numbers.unwrap();
                let points = numbers.points.iter();
                points.map(|point| (point.at, point.place)).collect::<Vec<_>>()
            };
            assert_eq!(
                places(board.placement(scene, Lettering::All, area)),
                places(Placement::new(scene, None, Lettering::All, area)),
                "after {} lines at {width} x {height}",
                scene.strokes.len()
            );
        };
        for (seed, setup) in (0..).zip(["layout=random:18 seed=4", "layout=spread:12"]) {
            play(setup, seed, |game| {
                let mut scene = game.scene.clone();
                let under_cursor = game.points[game.strokes.len() % game.points.len()];
                scene.add(Shape::Dot(under_cursor), Role::Cursor);
                check(&scene, ROOMS[1]);
                scenes.push(scene);
            });
        }
        assert!(scenes.len() > 20, "{}", scenes.len());
        // Undo, replay of several moves at once, another match, and other sizes.
        for step in [1, 3, 7] {
            for (index, room) in (0..3 * scenes.len()).zip(ROOMS.iter().cycle()) {
                let scene =
                    &scenes[(scenes.len() * 3 - index * step % scenes.len()) % scenes.len()];
                check(scene, ROOMS[1]);
                check(scene, *room);
                check(scene, *room);
            }
        }
    }
}
