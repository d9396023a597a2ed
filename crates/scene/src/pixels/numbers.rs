//! The places of texts beside scattered points: the numbers of the points and the values of moves.
//!
//! A number stands beside its point where most room is, never on a line. It keeps its place until a new line needs it,
//! so the places depend only on the layout and on the lines in the order in which they were drawn.

use super::canvas::Point;
use super::layout::{DIGIT, Layout};
use crate::{At, Role, Scene, Shape, geometry};

/// An upright rectangle: its center and half its size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Block {
    pub middle: Point,
    pub half: Point,
}

/// The ways from an item to a text beside it, the preferred first, as parts of the distance at which they touch.
const WAYS: [Point; 20] = [
    [1.0, 0.0],
    [0.85, -0.85],
    [0.85, 0.85],
    [1.0, -0.5],
    [1.0, 0.5],
    [-1.0, 0.0],
    [0.0, -1.0],
    [0.0, 1.0],
    [-0.85, -0.85],
    [-0.85, 0.85],
    [0.5, -1.0],
    [0.5, 1.0],
    [-0.5, -1.0],
    [-0.5, 1.0],
    [-1.0, -0.5],
    [-1.0, 0.5],
    [0.2, -1.0],
    [0.2, 1.0],
    [-0.2, -1.0],
    [-0.2, 1.0],
];

/// The distances to try, as multiples of the usual gap.
const FAR: [f32; 4] = [1.0, 0.4, 2.4, 4.0];

/// The least distances between a text and lines, other points and other texts.
const FROM_LINES: f32 = 1.5;
const FROM_DOTS: f32 = 3.0;
const FROM_TEXTS: f32 = 2.0;

impl Block {
    pub fn union(self, other: Block) -> Block {
        let side = |axis: usize, sign: f32, pick: fn(f32, f32) -> f32| {
            let at = |block: Block| block.middle[axis] + sign * block.half[axis];
            pick(at(self), at(other))
        };
        let least = [0, 1].map(|axis| side(axis, -1.0, f32::min));
        let most = [0, 1].map(|axis| side(axis, 1.0, f32::max));
        Block {
            middle: [0, 1].map(|axis| f32::midpoint(least[axis], most[axis])),
            half: [0, 1].map(|axis| (most[axis] - least[axis]) / 2.0),
        }
    }

    /// Returns the distance to a point; 0 inside.
    pub fn distance(self, at: Point) -> f32 {
        let [x, y] =
            [0, 1].map(|axis| ((at[axis] - self.middle[axis]).abs() - self.half[axis]).max(0.0));
        (x * x + y * y).sqrt()
    }

    fn gap(self, other: Block) -> f32 {
        let half = [0, 1].map(|axis| self.half[axis] + other.half[axis]);
        Block { middle: self.middle, half }.distance(other.middle)
    }

    /// Returns the distance to a line; 0 if they meet.
    fn distance_to_line(self, [from, to]: [Point; 2]) -> f32 {
        if self.meets([from, to]) {
            return 0.0;
        }
        let corners = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];
        let corners = corners.map(|signs: Point| {
            let corner = [0, 1].map(|axis| self.middle[axis] + signs[axis] * self.half[axis]);
            distance(corner, [from, to])
        });
        corners.into_iter().fold(self.distance(from).min(self.distance(to)), f32::min)
    }

    /// Returns whether a part of a line is inside.
    fn meets(self, [from, to]: [Point; 2]) -> bool {
        let (mut enters, mut leaves) = (0.0_f32, 1.0_f32);
        for axis in 0..2 {
            let way = to[axis] - from[axis];
            let [near, far] = [-1.0, 1.0]
                .map(|sign: f32| self.middle[axis] + sign * self.half[axis] - from[axis]);
            if way.abs() < f32::EPSILON {
                if near > 0.0 || far < 0.0 {
                    return false;
                }
                continue;
            }
            let (one, other) = (near / way, far / way);
            enters = enters.max(one.min(other));
            leaves = leaves.min(one.max(other));
        }
        enters <= leaves
    }
}

/// Returns the distance from a point to a line segment.
pub(super) fn distance(at: Point, line: [Point; 2]) -> f32 {
    geometry::distance(at.map(f64::from), line.map(|end| end.map(f64::from))) as f32
}

#[derive(Clone, Debug)]
struct NumberedPoint {
    at: At,
    /// The square around the dot, and half the size of its number.
    dot: Block,
    half: Point,
    /// Whether the point is still in the game, or was taken by the last line.
    is_numbered: bool,
    place: Option<Block>,
}

/// The places of all numbers of a board.
#[derive(Clone, Debug)]
pub(super) struct NumberPlaces {
    points: Vec<NumberedPoint>,
    /// The drawn lines, and the texts that are not numbers.
    lines: Vec<[Point; 2]>,
    texts: Vec<Block>,
    /// Half the thickness of a line, the usual gap between a dot and its number, and the size of the image.
    line: f32,
    gap: f32,
    size: Point,
    reach: f32,
}

impl NumberPlaces {
    /// Places the numbers of the points, in the order of their numbers, before the first line. Returns `None` if a
    /// number has no place.
    pub fn new(layout: &Layout, points: &[At]) -> Option<NumberPlaces> {
        let dot = [layout.dot; 2];
        let point = |(number, at): (usize, &At)| NumberedPoint {
            at: *at,
            dot: Block { middle: layout.point(*at), half: dot },
            half: [(number.ilog10() + 1) as f32 * DIGIT * layout.text / 2.0, layout.text / 2.0],
            is_numbered: true,
            place: None,
        };
        let points: Vec<NumberedPoint> = (1..).zip(points).map(point).collect();
        let mut numbers = NumberPlaces {
            points,
            lines: Vec::new(),
            texts: Vec::new(),
            line: layout.line / 2.0,
            gap: layout.ring() + 1.0,
            size: layout.size.map(|length| length as f32),
            reach: layout.text,
        };
        // Every number starts on the right of its point. From there, it moves where more room is.
        for index in 0..numbers.points.len() {
            let NumberedPoint { dot, half, .. } = numbers.points[index];
            let right = beside(dot, half, WAYS[0], numbers.gap);
            let lines = numbers.lines_near(dot, half);
            let room = numbers.room(right, dot, Some(index), &lines);
            numbers.points[index].place = room.map(|_| right);
        }
        for index in 0..numbers.points.len() {
            numbers.points[index].place = None;
            numbers.settle(index);
        }
        numbers.points.iter().all(|point| point.place.is_some()).then_some(numbers)
    }

    /// Moves numbers out of the way of the lines of a scene, line by line, and gives the places of less important
    /// numbers to those that must be seen.
    pub fn follow(&mut self, scene: &Scene, layout: &Layout) {
        let mut taken: &[At] = &[];
        for stroke in scene.strokes.iter() {
            for point in &mut self.points {
                if taken.contains(&point.at) {
                    (point.place, point.is_numbered) = (None, false);
                }
            }
            taken = &stroke.taken;
            let line = stroke.line.map(|at| layout.point(at));
            self.lines.push(line);
            let erased: Vec<[Point; 2]> =
                stroke.erased.iter().map(|line| line.map(|at| layout.point(at))).collect();
            self.lines.retain(|line| {
                !erased.iter().any(|gone| gone == line || *gone == [line[1], line[0]])
            });
            let clear = self.line + FROM_LINES;
            for index in 0..self.points.len() {
                let place = self.points[index].place;
                if place.is_some_and(|place| place.distance_to_line(line) < clear) {
                    self.points[index].place = None;
                }
            }
            for index in 0..self.points.len() {
                if self.points[index].is_numbered && self.points[index].place.is_none() {
                    self.settle(index);
                }
            }
        }
        self.prefer(scene);
    }

    /// Returns the place of a point's number, if it has one.
    pub fn place(&self, at: At) -> Option<Block> {
        self.points.iter().find(|point| point.at == at)?.place
    }

    /// Keeps other texts away from this one.
    pub fn keep_off(&mut self, text: Block) {
        self.texts.push(text);
    }

    /// Returns the lines and dots of the board; a dot is a line of length 0.
    pub fn obstacles(&self) -> impl Iterator<Item = [Point; 2]> + '_ {
        let dots = self.points.iter().map(|point| [point.dot.middle; 2]);
        self.lines.iter().copied().chain(dots)
    }

    /// Returns the numbers in place.
    pub fn places(&self) -> impl Iterator<Item = Block> + '_ {
        self.points.iter().filter_map(|point| point.place)
    }

    /// Returns the roomiest place for a text of this size beside the dot and the number of a point.
    pub fn near(&self, at: At, half: Point) -> Option<Block> {
        let point = self.points.iter().find(|point| point.at == at)?;
        let whole = point.place.map_or(point.dot, |place| place.union(point.dot));
        let index = self.points.iter().position(|point| point.at == at);
        self.roomiest(whole, half, index)
    }

    /// Makes room for important numbers at the cost of others: first for the point under the cursor and the first point
    /// of a line, then for points from which a line can be drawn.
    fn prefer(&mut self, scene: &Scene) {
        let is_needed = |at: At| {
            scene.items.iter().any(|item| {
                item.shape == Shape::Dot(at) && matches!(item.role, Role::Cursor | Role::Pick)
            })
        };
        if self.points.iter().all(|point| point.place.is_some() || !point.is_numbered) {
            return;
        }
        let rank = |point: &NumberedPoint| match point.at {
            at if is_needed(at) => 2,
            _ if !point.is_numbered => 0,
            at => u8::from(!scene.stuck.contains(&at)),
        };
        let ranks: Vec<u8> = self.points.iter().map(rank).collect();
        for least in [2, 1] {
            for index in 0..self.points.len() {
                if ranks[index] == least && self.points[index].place.is_none() {
                    self.displace(index, |other| ranks[other] < least);
                }
            }
        }
    }

    /// Places a number where most room is; if there is none, moves another number for it.
    fn settle(&mut self, index: usize) {
        let NumberedPoint { dot, half, .. } = self.points[index];
        self.points[index].place = self.roomiest(dot, half, Some(index));
        if self.points[index].place.is_some() {
            return;
        }
        for (place, others) in self.contested(index) {
            let [other] = others[..] else { continue };
            let before = self.points[other].place.take();
            self.points[index].place = Some(place);
            let NumberedPoint { dot, half, .. } = self.points[other];
            self.points[other].place = self.roomiest(dot, half, Some(other));
            if self.points[other].place.is_some() {
                return;
            }
            (self.points[index].place, self.points[other].place) = (None, before);
        }
    }

    /// Places a number where only numbers are in the way that may go.
    fn displace(&mut self, index: usize, may_go: impl Fn(usize) -> bool) {
        let contested = self.contested(index).into_iter();
        let Some((place, others)) = contested
            .filter(|(_, others)| others.iter().all(|other| may_go(*other)))
            .min_by_key(|(_, others)| others.len())
        else {
            return;
        };
        for other in &others {
            self.points[*other].place = None;
        }
        self.points[index].place = Some(place);
        for other in others {
            self.settle(other);
        }
    }

    /// Returns the places where a number may stand apart from other numbers, with the numbers in its way.
    fn contested(&self, index: usize) -> Vec<(Block, Vec<usize>)> {
        let NumberedPoint { dot, half, .. } = self.points[index];
        let lines = self.lines_near(dot, half);
        let places = FAR.iter().flat_map(|far| WAYS.map(|way| (way, *far)));
        let places = places.map(|(way, far)| beside(dot, half, way, self.gap * far));
        let admitted = places.filter(|place| self.clearance(*place, dot, &lines).is_some());
        let contested = admitted.map(|place| {
            let touches = |other: &usize| {
                let other = self.points[*other].place.filter(|_| *other != index);
                other.is_some_and(|other| other.gap(place) < FROM_TEXTS)
            };
            (place, (0..self.points.len()).filter(touches).collect())
        });
        contested.collect()
    }

    /// Returns the roomiest place for a text of this size beside an item; the first one with nothing near it.
    fn roomiest(&self, item: Block, half: Point, own: Option<usize>) -> Option<Block> {
        let lines = self.lines_near(item, half);
        for far in FAR {
            let mut best: Option<(f32, Block)> = None;
            for way in WAYS {
                let place = beside(item, half, way, self.gap * far);
                let Some(room) = self.room(place, item, own, &lines) else { continue };
                if best.is_none_or(|(most, _)| room > most + 0.5) {
                    best = Some((room, place));
                }
                if room >= self.reach {
                    break;
                }
            }
            if let Some((_, place)) = best {
                return Some(place);
            }
        }
        None
    }

    /// Returns the lines that may be in the way of a text of this size beside an item.
    fn lines_near(&self, item: Block, half: Point) -> Vec<[Point; 2]> {
        let far =
            2.0 * (half[0] + half[1]) + item.half[0] + item.half[1] + 4.0 * self.gap + self.reach;
        self.lines.iter().copied().filter(|line| distance(item.middle, *line) < far).collect()
    }

    /// Returns the distance from a text to the nearest line, other point or other text, at most [`Self::reach`].
    /// Returns `None` if the text may not stand there.
    fn room(
        &self,
        place: Block,
        item: Block,
        own: Option<usize>,
        lines: &[[Point; 2]],
    ) -> Option<f32> {
        let mut room = self.clearance(place, item, lines)?;
        let numbers = self.points.iter().enumerate().filter(|(index, _)| Some(*index) != own);
        let numbers = numbers.filter_map(|(_, point)| point.place);
        for other in numbers.chain(self.texts.iter().copied()) {
            let gap = place.gap(other);
            if gap < FROM_TEXTS {
                return None;
            }
            room = room.min(gap - FROM_TEXTS);
        }
        Some(room)
    }

    /// As [`NumberPlaces::room`], but apart from other texts.
    fn clearance(&self, place: Block, item: Block, lines: &[[Point; 2]]) -> Option<f32> {
        let is_inside = (0..2).all(|axis| {
            let (middle, half) = (place.middle[axis], place.half[axis]);
            middle - half >= 0.0 && middle + half <= self.size[axis]
        });
        if !is_inside {
            return None;
        }
        let mut room = self.reach;
        for line in lines {
            let far = place.distance_to_line(*line) - self.line;
            if far < FROM_LINES {
                return None;
            }
            room = room.min(far - FROM_LINES);
        }
        for NumberedPoint { dot, .. } in &self.points {
            // A text at the same distance from two dots would seem to belong to both.
            let far = place.distance(dot.middle) - dot.half[0];
            if far > self.reach || item.distance(dot.middle) <= 0.0 {
                continue;
            }
            if far < FROM_DOTS.max(self.gap) {
                return None;
            }
            room = room.min(far - FROM_DOTS);
        }
        Some(room)
    }
}

/// Returns the place of a text beside an item, in this direction and at this distance.
fn beside(item: Block, half: Point, way: Point, gap: f32) -> Block {
    let middle =
        [0, 1].map(|axis| item.middle[axis] + way[axis] * (item.half[axis] + gap + half[axis]));
    Block { middle, half }
}

#[cfg(test)]
mod tests {
    use super::super::CellSize;
    use super::*;
    use crate::{BoardGeometry, Lettering, Stroke};
    use ratatui::layout::Size;

    /// A generator of random numbers below a limit.
    struct Dice(u64);

    impl Dice {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) as usize % limit
        }
    }

    /// Numbers keep off lines, other dots, other numbers and the edges, and stay until a line needs their place.
    #[test]
    fn numbers_stand_beside_their_points_and_never_on_a_line() {
        let mut dice = Dice(5);
        let (mut boards, mut shown, mut dropped) = (0, 0, 0);
        for count in (4..=24).cycle().take(100) {
            let points = (0..count).map(|_| (dice.below(1000) as u32, dice.below(1000) as u32));
            let points: Vec<(u32, u32)> = points.collect();
            let ground = BoardGeometry::scattered(points.into_iter());
            let BoardGeometry::Points(points) = &ground else { panic!("{ground:?}") };
            let (room, cell) = (Size::new(40, 20), CellSize { width: 10, height: 20 });
            let Some(layout) = Layout::new(&ground, Lettering::All, room, cell, 0) else {
                continue;
            };
            let Some(start) = NumberPlaces::new(&layout, points) else { continue };
            boards += 1;
            let mut scene = Scene::on(ground.clone());
            let (mut before, mut strokes) = (start.clone(), Vec::new());
            for _ in 0..6 {
                let line = [0; 2].map(|_: u8| points[dice.below(points.len())]);
                strokes.push(Stroke { line, erased: Vec::new(), taken: Vec::new() });
                scene.strokes = strokes.clone().into();
                let mut numbers = start.clone();
                numbers.follow(&scene, &layout);
                let places: Vec<(At, Block)> =
                    points.iter().filter_map(|at| Some((*at, numbers.place(*at)?))).collect();
                for (index, (at, place)) in places.iter().enumerate() {
                    for line in &numbers.lines {
                        assert!(place.distance_to_line(*line) > layout.line / 2.0 + 1.0);
                    }
                    for other in points.iter().filter(|other| *other != at) {
                        assert!(place.distance(layout.point(*other)) > layout.dot + 2.0);
                    }
                    for (_, other) in &places[..index] {
                        assert!(place.gap(*other) >= FROM_TEXTS);
                    }
                    let near = place.distance(layout.point(*at));
                    assert!(near > layout.dot && near < layout.dot + 6.0 * layout.text);
                }
                let line = line.map(|at| layout.point(at));
                let is_needed = points.iter().any(|at| {
                    let place = before.place(*at);
                    place.is_none_or(|place| {
                        place.distance_to_line(line) < layout.line / 2.0 + FROM_LINES
                    })
                });
                let has_moved = points.iter().any(|at| before.place(*at) != numbers.place(*at));
                assert!(is_needed || !has_moved, "a number moved without need");
                (shown, dropped) = (shown + places.len(), dropped + points.len() - places.len());
                before = numbers;
            }
        }
        assert!(boards > 50 && 50 * dropped < shown, "{dropped} of {shown} on {boards} boards");
    }

    #[test]
    fn distance_between_a_block_and_a_line() {
        let block = Block { middle: [10.0, 10.0], half: [4.0, 2.0] };
        for (line, far) in [
            ([[0.0, 10.0], [20.0, 10.0]], 0.0),
            ([[0.0, 15.0], [20.0, 15.0]], 3.0),
            ([[17.0, 0.0], [17.0, 20.0]], 3.0),
            ([[17.0, 16.0], [30.0, 30.0]], 5.0),
            ([[9.0, 9.0], [9.0, 9.0]], 0.0),
        ] {
            assert!((block.distance_to_line(line) - far).abs() < 1e-3, "{line:?}");
        }
    }
}
