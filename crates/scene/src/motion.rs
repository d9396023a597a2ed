//! Animations between two scenes of a board. New items grow, removed items shrink, and moved items slide.
//!
//! [`Animation::between`] compares the items of two scenes, regardless of the player and the direction, so undo and
//! replay are animated too. Lines, areas and polygons are matched by shape and points; dice are matched by
//! [`Item::piece`], a number that the board derives from the moves played. Lines appear before the items they claim,
//! and disappear after them. A change of role takes effect immediately. A badge pops when it appears. Dice slide with a
//! trail, unless a preview has already moved them. The cursor, ghosts, labels and faint lines are not animated, so
//! moving the cursor starts no animation, but previewing a push does. [`Item::phase`] is the visible part of an item.
//! At the end of a round, [`Animation::Reveal`] shows all claims in the order in which they were made. At the end of a
//! match, [`Animation::Win`] lights up what the winner owns.

use super::{At, BoardGeometry, Item, LineStyle, Phase, Role, Scene, SceneEnd, SeatRole, Shape};
use foldhash::{HashMap, HashSet};
use quadrille_rules::Symbol;
use std::rc::Rc;
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Animation {
    /// The change from one position to another.
    Change,
    /// The end of a round: all claims are filled in again, one after the other, in scene order.
    Reveal,
    /// The end of a match: after the last move, the winner's items light up one after the other, in scene order.
    Win,
}

/// Identifies a board: its screen, and its number on that screen.
pub type BoardKey = (usize, usize);

/// Shows one scene after the other. If two scenes in a row belong to the same board, the change is animated.
#[derive(Debug, Default)]
pub struct Animator {
    shown: Option<(BoardKey, Rc<Scene>)>,
    moving: Option<Moving>,
}

#[derive(Debug)]
struct Moving {
    from: Rc<Scene>,
    animation: Animation,
    /// The progress of the animation, 0 to 1.
    done: f32,
}

impl Animator {
    /// Shows a scene from now on. If the board was shown before and has changed, starts an animation and returns it with
    /// its duration.
    pub fn show(&mut self, board: BoardKey, scene: &Rc<Scene>) -> Option<(Animation, Duration)> {
        let before = self.shown.replace((board, Rc::clone(scene)));
        let Some((_, from)) = before.filter(|(before, _)| *before == board) else {
            self.moving = None;
            return None;
        };
        let animation = Animation::of(&from, scene);
        let length = animation.length(&from, scene)?;
        self.moving = Some(Moving { from, animation, done: 0.0 });
        Some((animation, length))
    }

    /// Forgets the board, so that showing it again starts no animation.
    pub fn hide(&mut self) {
        *self = Animator::default();
    }

    /// Sets the progress of the animation, 0 to 1. The animation ends at 1.
    pub fn set_progress(&mut self, done: f32) {
        self.moving = self.moving.take().filter(|_| done < 1.0);
        if let Some(moving) = &mut self.moving {
            moving.done = done;
        }
    }

    pub const fn is_animating(&self) -> bool {
        self.moving.is_some()
    }

    /// Returns the current frame of the animation that leads to `scene`.
    pub fn frame(&self, scene: &Rc<Scene>) -> Rc<Scene> {
        match &self.moving {
            Some(Moving { from, animation, done }) => {
                Rc::new(animation.between(from, scene, *done))
            }
            None => Rc::clone(scene),
        }
    }
}

/// The durations of animations with one stage and with several stages.
const LENGTHS: [Duration; 2] = [Duration::from_millis(180), Duration::from_millis(250)];

/// The duration of a slide after a push without a preview, such as the opponent's.
const SLIDE: Duration = Duration::from_millis(400);

/// The lag of a sliding die's trail, as a fraction of the duration.
const LAG: f32 = 0.25;

/// How far a popping badge grows beyond its final size.
const SWELL: f32 = 3.0;

/// The extra duration of [`Animation::Reveal`] per claim, and the maximum extra duration.
const REVEAL: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(600)];

/// The fraction of a claim's time during which it is filled in. For the rest of the time it is complete, but brighter
/// than at the end.
const FILLING: f32 = 0.7;

/// The fraction of a reveal during which the last move is drawn, before all claims.
const LEAD: f32 = 0.2;

/// The fraction of a reveal that each claim takes, regardless of the number of claims.
const CLAIM: f32 = 0.3;

/// The maximum duration of [`Animation::Win`].
const WIN: Duration = Duration::from_millis(800);

/// How long each of the winner's items takes to light up.
const LIGHT: Duration = Duration::from_millis(200);

/// The maximum time between the starts of two items of the winner.
const NEXT_LIGHT: Duration = Duration::from_millis(100);

impl Animation {
    /// Returns the animation that leads from one scene of a board to another. After a draw, or if the winner owns
    /// nothing on the board, only the last move is animated.
    fn of(from: &Scene, to: &Scene) -> Animation {
        match to.end {
            end if end == from.end => Animation::Change,
            SceneEnd::Round => Animation::Reveal,
            SceneEnd::Win if to.items.iter().any(is_won) => Animation::Win,
            _ => Animation::Change,
        }
    }

    /// Returns the duration of the animation; `None` if nothing is animated.
    pub fn length(self, old: &Scene, new: &Scene) -> Option<Duration> {
        // Moving only the cursor starts no animation.
        if self == Animation::Change && states(old).eq(states(new)) {
            return None;
        }
        let change = SceneDiff::new(self, old, new)?;
        let claims = change.claims as u32;
        match self {
            Animation::Reveal if claims > 0 => {
                Some((LENGTHS[1] + REVEAL[0] * claims).min(REVEAL[1]))
            }
            Animation::Win if claims > 0 => Some(change.win_length()),
            _ => change.move_length(),
        }
    }

    /// Returns the scene at time `t`, 0 to 1, between `old` and `new`. Returns `new` at 1 or if the boards differ.
    pub fn between(self, old: &Scene, new: &Scene, t: f32) -> Scene {
        match SceneDiff::new(self, old, new).filter(|_| t < 1.0) {
            Some(change) => change.at(t.max(0.0)),
            None => new.clone(),
        }
    }
}

/// Identifies an item across two scenes. Apart from overlays, a place has at most one shape of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum ItemId<'a> {
    Line([At; 2]),
    Area([At; 2]),
    Polygon(&'a [At]),
    Badge(At),
    Tile(At),
    Piece(u16),
}

/// The stages of an animation. Lines come before their claims; when a move is undone, the order is reversed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MotionStage {
    Draw,
    Claim,
    Unclaim,
    Erase,
}

/// The animated items of a scene with their indices, keyed by identity.
type Things<'a> = HashMap<ItemId<'a>, (usize, &'a Item)>;

struct SceneDiff<'a> {
    animation: Animation,
    new: &'a Scene,
    before: Things<'a>,
    after: Things<'a>,
    /// The stages of all items but those that a reveal fills in or a win lights up.
    stages: [bool; 4],
    /// The number of those items.
    claims: usize,
    /// Whether dice slide after a push without a preview.
    slides: bool,
    /// The picked dot: a line starting at this dot grows from here.
    pick: Option<At>,
}

/// Returns the identity of an item; `None` for marks and ghosts, which are not animated.
fn id(item: &Item) -> Option<ItemId<'_>> {
    let stands = match item.role {
        Role::Good | Role::Counted => true,
        Role::Of(role, _) => matches!(
            role,
            SeatRole::Line
                | SeatRole::LastLine
                | SeatRole::Fill
                | SeatRole::WonFill
                | SeatRole::LostFill
                | SeatRole::Area
                | SeatRole::WonArea
        ),
        _ => false,
    };
    match &item.shape {
        Shape::Tile(at, _) => Some(item.piece.map_or(ItemId::Tile(*at), ItemId::Piece)),
        Shape::Line([from, to], LineStyle::Solid | LineStyle::Heavy) if stands => {
            Some(ItemId::Line([*from.min(to), *from.max(to)]))
        }
        Shape::Area(corners, _) if stands => Some(ItemId::Area(*corners)),
        Shape::Polygon(corners, _) if stands => Some(ItemId::Polygon(corners)),
        Shape::Badge(at, _) if stands => Some(ItemId::Badge(*at)),
        _ => None,
    }
}

/// Returns the animated items of a scene. If a place has several tiles, only the first counts; the others are overlays.
fn things(scene: &Scene) -> Things<'_> {
    let mut things = Things::default();
    let mut tiles = HashSet::default();
    for (index, item) in scene.items.iter().enumerate() {
        let is_over = tile(item).is_some_and(|(at, _)| !tiles.insert(at));
        if let Some(id) = id(item).filter(|_| !is_over) {
            things.entry(id).or_insert((index, item));
        }
    }
    things
}

/// Returns the animated items with the positions and symbols of tiles.
fn states(scene: &Scene) -> impl Iterator<Item = (ItemId<'_>, Option<(At, Option<Symbol>)>)> {
    scene.items.iter().filter_map(|item| Some((id(item)?, tile(item))))
}

/// Returns the position and the symbol of a tile; `None` for other items.
const fn tile(item: &Item) -> Option<(At, Option<Symbol>)> {
    match item.shape {
        Shape::Tile(at, symbol) => Some((at, symbol)),
        _ => None,
    }
}

/// Returns whether an item shows a claim, such as the line through a winning row ([`Role::Good`]). Claims appear after
/// drawn lines.
fn is_claim(item: &Item) -> bool {
    matches!(item.shape, Shape::Area(..) | Shape::Polygon(..) | Shape::Badge(..))
        || matches!((&item.shape, item.role), (Shape::Line(..), Role::Good))
}

/// Returns whether a die has moved and neither item belongs to the preview of a push.
fn slides(was: &Item, is: &Item) -> bool {
    let [from, to] = [was, is].map(|item| tile(item).map(|(at, _)| at));
    from != to && was.role != Role::Moved && is.role != Role::Moved
}

/// Returns whether this item of a match that was won lights up: it is the winner's, or the line through a winning row.
const fn is_won(item: &Item) -> bool {
    matches!(
        (&item.shape, item.role),
        (Shape::Tile(..) | Shape::Area(..), Role::Of(SeatRole::WonFill, _))
            | (Shape::Polygon(..), Role::Of(SeatRole::WonArea, _))
            | (Shape::Line(_, LineStyle::Heavy), Role::Good | Role::Of(SeatRole::LastLine, _))
    )
}

/// Returns whether the animation fills in or lights up this item, in its turn.
fn has_turn(animation: Animation, item: &Item) -> bool {
    match animation {
        Animation::Change => false,
        Animation::Reveal => !matches!(item.shape, Shape::Line(..)) && is_claim(item),
        Animation::Win => is_won(item),
    }
}

/// Returns the elapsed fraction of a time window at `t`, with easing: fast at first, so that key presses feel
/// immediate.
fn passed([from, to]: [f32; 2], t: f32) -> f32 {
    let linear = ((t - from) / (to - from)).clamp(0.0, 1.0);
    1.0 - (1.0 - linear) * (1.0 - linear)
}

impl<'a> SceneDiff<'a> {
    /// Compares two scenes. Returns `None` if the boards differ.
    fn new(animation: Animation, old: &'a Scene, new: &'a Scene) -> Option<SceneDiff<'a>> {
        if old.ground != new.ground {
            return None;
        }
        let (before, after) = (things(old), things(new));
        let came = after.iter().map(|(id, is)| (before.get(id), Some(is)));
        let gone = before.iter().map(|(id, was)| (Some(was), after.get(id)));
        let mut stages = [false; 4];
        for (was, is) in came.chain(gone) {
            let (was, is) = (was.map(|was| was.1), is.map(|is| is.1));
            // A tile moves or gets its symbol before its turn.
            let comes_in_turn = is.is_some_and(|is| tile(is).is_none() && has_turn(animation, is));
            if let Some(stage) = stage(was, is).filter(|_| !comes_in_turn) {
                // What an area removes disappears when the area lights up.
                let is_late = animation == Animation::Win && stage == MotionStage::Erase;
                stages[stage as usize] |= !is_late;
            }
        }
        let claims = after.values().filter(|(_, item)| has_turn(animation, item)).count();
        let slides = after.iter().any(|(id, (_, is))| {
            let was = before.get(id).map(|(_, was)| *was);
            was.is_some_and(|was| slides(was, is))
        });
        let pick = old.items.iter().find(|item| item.role == Role::Pick);
        let pick = pick.and_then(|item| match item.shape {
            Shape::Dot(at) => Some(at),
            _ => None,
        });
        Some(SceneDiff { animation, new, before, after, stages, claims, slides, pick })
    }

    /// Returns the duration of the move alone; `None` if the move changes nothing.
    fn move_length(&self) -> Option<Duration> {
        match self.stages.iter().filter(|stage| **stage).count() {
            0 => None,
            _ if self.slides => Some(SLIDE),
            stages => Some(LENGTHS[stages.min(2) - 1]),
        }
    }

    /// Returns the time between the starts of two items of the winner.
    fn next_light(&self) -> Duration {
        let rest = WIN.saturating_sub(self.move_length().unwrap_or_default() + LIGHT);
        NEXT_LIGHT.min(rest / self.claims.saturating_sub(1).max(1) as u32)
    }

    fn win_length(&self) -> Duration {
        let others = self.claims.saturating_sub(1) as u32;
        self.move_length().unwrap_or_default() + LIGHT + self.next_light() * others
    }

    /// Returns the fraction of the total duration that shows the last move, before all claims.
    fn lead(&self) -> f32 {
        match self.animation {
            _ if self.claims == 0 => 1.0,
            Animation::Change => 1.0,
            Animation::Reveal => LEAD,
            Animation::Win => {
                self.move_length().unwrap_or_default().div_duration_f32(self.win_length())
            }
        }
    }

    /// Returns the start and end of a stage, as fractions of the total duration.
    fn window(&self, stage: MotionStage) -> [f32; 2] {
        match (self.animation, stage) {
            (Animation::Change, _) => {}
            _ if self.claims == 0 => {}
            (_, MotionStage::Erase) => return [1.0 - LEAD, 1.0],
            (Animation::Win, _) => {}
            (Animation::Reveal, MotionStage::Claim) => return [LEAD, 1.0],
            (Animation::Reveal, _) => return [0.0, LEAD],
        }
        let count = |stages: &[bool]| stages.iter().filter(|stage| **stage).count() as f32;
        let all = count(&self.stages).max(1.0) / self.lead();
        let first = count(&self.stages[..stage as usize]);
        [first / all, (first + 1.0) / all]
    }

    fn at(&self, t: f32) -> Scene {
        let mut items = Vec::with_capacity(self.new.items.len() + 1);
        // Moving tiles with their progress. They are drawn on top of resting tiles.
        let mut moving = Vec::new();
        // Overlays of a tile use the same symbol and phase as the tile.
        let mut tiles: HashMap<At, (Option<Symbol>, Phase)> = HashMap::default();
        let mut claim = 0;
        for (index, item) in self.new.items.iter().enumerate() {
            let thing = id(item);
            let thing = thing.filter(|id| self.after.get(id).is_some_and(|thing| thing.0 == index));
            let was = thing.and_then(|id| self.before.get(&id)).map(|(_, was)| *was);
            let has_turn = thing.is_some() && has_turn(self.animation, item);
            let mut item = item.clone();
            match tile(&item) {
                Some((at, _)) if thing.is_some() => {
                    self.change_tile(&mut item, was, t);
                    if let (true, Shape::Tile(_, symbol)) =
                        (item.phase != Phase::Whole, &item.shape)
                    {
                        tiles.insert(at, (*symbol, item.phase));
                    }
                    if has_turn {
                        self.switch(&mut item, claim, t);
                    }
                }
                Some((at, _)) => {
                    if let Some((symbol, shown)) = tiles.get(&at) {
                        (item.shape, item.phase) = (Shape::Tile(at, *symbol), *shown);
                    }
                }
                None if has_turn && self.animation == Animation::Win => {
                    let is_taken = matches!(item.shape, Shape::Polygon(..)) && was.is_some();
                    if is_taken {
                        self.switch(&mut item, claim, t);
                    } else {
                        // The light spreads over the item as it was.
                        let role = self.unlit(&item);
                        items.extend(was.map(|was| Item { role, ..was.clone() }));
                        item.phase = Phase::Part(passed(self.turn(claim), t));
                    }
                }
                None if has_turn => self.come(&mut item, self.turn(claim), t),
                None if thing.is_some() && was.is_none() => {
                    if let Some(stage) = stage(None, Some(&item)) {
                        self.come(&mut item, self.window(stage), t);
                    }
                }
                None => {}
            }
            claim += usize::from(has_turn);
            match (item.phase, tile(&item)) {
                (Phase::Moving(from, _), Some((to, _))) => {
                    let way = from.row.abs_diff(to.row) + from.col.abs_diff(to.col);
                    moving.extend(self.trail(&item, from, t).map(|trail| (way, trail)));
                    moving.push((way, item));
                }
                _ => items.push(item),
            }
        }
        // Disappearing items are drawn on top of the cursor, which has already moved to its new place.
        items.extend(self.going(t));
        moving.sort_by_key(|(way, _)| *way);
        items.extend(moving.into_iter().map(|(_, item)| item));
        let Scene { ground, strokes, stuck, labels, focus, keys, end, .. } = self.new;
        let (ground, labels) = (ground.clone(), labels.clone());
        let (strokes, stuck) = (Rc::clone(strokes), stuck.clone());
        Scene { ground, items, strokes, stuck, labels, focus: *focus, keys: *keys, end: *end }
    }

    fn trail(&self, item: &Item, from: At, t: f32) -> Option<Item> {
        let role = match item.role {
            Role::Of(_, seat) => Role::Of(SeatRole::LostFill, seat),
            _ => Role::Tile,
        };
        let phase =
            Phase::Moving(from, passed(self.window(MotionStage::Draw), t - LAG * self.lead()));
        self.slides.then(|| Item { role, phase, place: None, piece: None, ..item.clone() })
    }

    /// Returns the time window during which the claim with this index is filled in or lights up.
    fn turn(&self, claim: usize) -> [f32; 2] {
        if self.animation == Animation::Win {
            let length = self.win_length();
            let from = self.lead() + (self.next_light() * claim as u32).div_duration_f32(length);
            return [from, from + LIGHT.div_duration_f32(length)];
        }
        let rest = 1.0 - LEAD - CLAIM;
        let from = LEAD + rest * (claim + 1) as f32 / self.claims.max(1) as f32;
        [from, from + CLAIM]
    }

    /// Sets the phase of an appearing item other than a tile.
    fn come(&self, item: &mut Item, window: [f32; 2], t: f32) {
        let [from, to] = window;
        match (&mut item.shape, item.role) {
            (Shape::Line(ends, _), _) => {
                if self.pick == Some(ends[1]) {
                    ends.reverse();
                }
                item.phase = Phase::Part(passed(window, t));
            }
            (Shape::Badge(..), _) => {
                let part = passed(window, t);
                item.phase = Phase::Part(part + SWELL * part * (1.0 - part));
            }
            (_, Role::Of(_, seat)) if t < to => {
                let role = match item.shape {
                    Shape::Polygon(..) => SeatRole::WonArea,
                    _ => SeatRole::WonFill,
                };
                item.role = Role::Of(role, seat);
                item.phase = Phase::Part(passed([from, from + (to - from) * FILLING], t));
            }
            _ if t < from => item.phase = Phase::Part(0.0),
            _ => {}
        }
    }

    /// Sets the role of an item that lights up as a whole.
    fn switch(&self, item: &mut Item, claim: usize, t: f32) {
        if t < self.turn(claim)[0] {
            item.role = self.unlit(item);
        }
    }

    /// Returns the role of a winner's item before it lights up.
    fn unlit(&self, item: &Item) -> Role {
        let is_ruled = matches!(self.new.ground, BoardGeometry::Grid { ruled: true, .. });
        match (&item.shape, item.role) {
            (Shape::Tile(..), Role::Of(_, seat)) if is_ruled => Role::Of(SeatRole::Line, seat),
            (Shape::Line(..), Role::Of(_, seat)) => Role::Of(SeatRole::Line, seat),
            (Shape::Polygon(..), Role::Of(_, seat)) => Role::Of(SeatRole::Area, seat),
            (_, Role::Of(_, seat)) => Role::Of(SeatRole::Fill, seat),
            (_, role) => role,
        }
    }

    /// Sets the phase of a tile that moves or whose symbol appears or disappears.
    fn change_tile(&self, item: &mut Item, was: Option<&Item>, t: f32) {
        let Some(was) = was else { return };
        let Some(stage) = stage(Some(was), Some(item)) else { return };
        let passed = passed(self.window(stage), t);
        if passed >= 1.0 {
            return;
        }
        let [from, to] = [was, &*item].map(|item| tile(item).map(|(at, _)| at));
        item.phase = match from.filter(|_| from != to) {
            Some(from) => Phase::Moving(from, passed),
            None if stage == MotionStage::Draw => Phase::Part(passed),
            None => {
                (item.shape, item.role) = (was.shape.clone(), was.role);
                Phase::Part(1.0 - passed)
            }
        };
    }

    /// Returns the items that disappear from the old scene, shrunk.
    fn going(&self, t: f32) -> impl Iterator<Item = Item> {
        let gone = self.before.iter().filter(|(id, _)| !self.after.contains_key(id));
        let mut gone: Vec<(usize, &Item)> = gone.map(|(_, thing)| *thing).collect();
        gone.sort_unstable_by_key(|(index, _)| *index);
        gone.into_iter().map(move |(_, item)| {
            let stage = stage(Some(item), None).unwrap_or(MotionStage::Erase);
            let phase = Phase::Part(1.0 - passed(self.window(stage), t));
            Item { phase, place: None, ..item.clone() }
        })
    }
}

/// Returns the stage during which an item changes, if any.
fn stage(was: Option<&Item>, is: Option<&Item>) -> Option<MotionStage> {
    if let (Some(was), Some(is)) = (was, is) {
        return match (tile(was)?, tile(is)?) {
            ((from, _), (to, _)) if from != to => Some(MotionStage::Draw),
            ((_, None), (_, Some(_))) => Some(MotionStage::Draw),
            ((_, Some(_)), (_, None)) => Some(MotionStage::Erase),
            _ => None,
        };
    }
    let item = was.or(is).filter(|item| tile(item).is_none())?;
    Some(match (is_claim(item), is.is_some()) {
        (true, true) => MotionStage::Claim,
        (true, false) => MotionStage::Unclaim,
        (false, true) => MotionStage::Draw,
        (false, false) => MotionStage::Erase,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoardGeometry;
    use quadrille_rules::Seat;

    fn scene(shapes: &[(Shape, SeatRole)]) -> Scene {
        let mut scene = Scene::on(BoardGeometry::Lattice { rows: 3, cols: 3, numbered: false });
        for (shape, role) in shapes {
            scene.add(shape.clone(), Role::Of(*role, Seat::FIRST));
        }
        scene
    }

    fn line(col: u8) -> (Shape, SeatRole) {
        (Shape::Line([At::new(0, col), At::new(0, col + 1)], LineStyle::Solid), SeatRole::Line)
    }

    fn area() -> (Shape, SeatRole) {
        (Shape::Area([At::new(0, 0), At::new(1, 1)], Some('A')), SeatRole::Fill)
    }

    fn die(piece: u16, col: u8) -> Item {
        let shape = Shape::Tile(At::new(0, col), None);
        Item { piece: Some(piece), ..Item::new(shape, Role::Tile) }
    }

    fn part(scene: &Scene, shape: &Shape) -> f32 {
        match scene.items.iter().find(|item| item.shape == *shape).map(|item| item.phase) {
            Some(Phase::Whole) => 1.0,
            Some(Phase::Part(part)) => part,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn only_changes_of_the_same_board_are_animated() {
        let [one, two] = [scene(&[line(0)]), scene(&[line(0), line(1)])].map(Rc::new);
        let mut animator = Animator::default();
        assert_eq!(animator.show((7, 0), &one), None, "the board was not shown before");
        assert_eq!(animator.show((7, 0), &two), Some((Animation::Change, LENGTHS[0])));
        animator.set_progress(0.5);
        assert!(part(&animator.frame(&two), &line(1).0) < 1.0);
        assert_eq!(animator.show((7, 0), &two), None);
        assert!(animator.is_animating(), "the board has not changed since");
        for other in [(7, 1), (8, 0)] {
            assert_eq!(animator.show(other, &one), None);
            assert!(!animator.is_animating());
            assert_eq!(animator.show((7, 0), &two), None);
        }
        animator.show((7, 0), &one);
        animator.set_progress(1.0);
        assert!(Rc::ptr_eq(&animator.frame(&one), &one));
        animator.hide();
        assert_eq!(animator.show((7, 0), &two), None, "the board was hidden");
    }

    #[test]
    fn line_grows_before_its_claims_and_shrinks_after_them() {
        let (old, new) = (scene(&[line(0)]), scene(&[area(), line(0), line(1)]));
        let [drawn, claimed] = [line(1).0, area().0];
        for t in [0.0, 0.2, 0.49] {
            let on = Animation::Change.between(&old, &new, t);
            assert!(part(&on, &drawn) < 1.0 && part(&on, &claimed) == 0.0, "{t}");
            let back = Animation::Change.between(&new, &old, t);
            assert!(part(&back, &drawn) >= 1.0 && part(&back, &claimed) > 0.0, "{t}");
        }
        for t in [0.51, 0.7, 0.99] {
            let on = Animation::Change.between(&old, &new, t);
            assert!(part(&on, &drawn) >= 1.0 && part(&on, &claimed) > 0.0, "{t}");
            let back = Animation::Change.between(&new, &old, t);
            assert!(part(&back, &drawn) > 0.0 && part(&back, &claimed) == 0.0, "{t}");
        }
        for t in [1.0, 2.0, f32::NAN] {
            assert_eq!(Animation::Change.between(&old, &new, t), new);
            assert_eq!(Animation::Change.between(&new, &old, t), old);
        }
        assert_eq!(Animation::Change.length(&old, &new), Some(LENGTHS[1]));
    }

    #[test]
    fn marks_and_role_changes_are_not_animated() {
        let old = scene(&[line(0), line(1)]);
        let mut new = old.clone();
        new.items[0].role = Role::Of(SeatRole::LastLine, Seat::FIRST);
        new.add(Shape::Line([At::new(1, 0), At::new(1, 1)], LineStyle::Ghost), Role::Cursor);
        assert_eq!(Animation::Change.length(&old, &new), None);
        assert_eq!(Animation::Change.between(&old, &new, 0.0), new);
    }

    #[test]
    fn dice_slide_with_the_farthest_on_top() {
        let dice = |order: [u16; 3]| {
            let mut scene = scene(&[]);
            scene.items.extend(order.into_iter().zip(0..).map(|(piece, col)| die(piece, col)));
            scene
        };
        let (old, new) = (dice([7, 8, 9]), dice([8, 9, 7]));
        let half = Animation::Change.between(&old, &new, 0.5);
        let phases: Vec<_> = half.items.iter().map(|item| (item.piece, item.phase)).collect();
        let [way, trail] = [0.5, 0.5 - LAG].map(|t| passed([0.0, 1.0], t));
        let moving = |piece, from: u8| {
            let from = At::new(0, from);
            [(None, Phase::Moving(from, trail)), (Some(piece), Phase::Moving(from, way))]
        };
        assert_eq!(phases, [moving(8, 1), moving(9, 2), moving(7, 0)].concat());
        assert!(0.0 < trail && trail < 0.5 && 0.5 < way && way < 1.0);
        assert_eq!(Animation::Change.between(&old, &new, 1.0), new);
        assert_eq!(Animation::Change.length(&old, &new), Some(SLIDE));
    }

    #[test]
    fn push_preview_is_short_without_a_trail() {
        let dice = |order: [u16; 2], role| {
            let mut scene = scene(&[]);
            let dice = order.into_iter().zip(0..).map(|(piece, col)| die(piece, col));
            scene.items.extend(dice.map(|die| Item { role, ..die }));
            scene
        };
        let (old, preview) = (dice([7, 8], Role::Tile), dice([8, 7], Role::Moved));
        for (from, to) in [(&old, &preview), (&preview, &old)] {
            assert_eq!(Animation::Change.length(from, to), Some(LENGTHS[0]));
            assert_eq!(Animation::Change.between(from, to, 0.5).items.len(), 2);
        }
    }

    #[test]
    fn changed_badge_pops_once() {
        let badge = |text: &str, role| {
            let mut scene = scene(&[]);
            scene.add(Shape::Badge(At::new(1, 1), text.to_owned()), role);
            scene
        };
        let (before, scored) = (badge("3", Role::Key), badge("3", Role::Counted));
        let size =
            |t| part(&Animation::Change.between(&before, &scored, t), &scored.items[0].shape);
        assert!(size(0.1) < 1.0 && size(0.5) > 1.0 && size(0.9) > 1.0);
        assert_eq!(Animation::Change.between(&before, &scored, 1.0), scored);
        let later = badge("4", Role::Of(SeatRole::Fill, Seat::FIRST));
        assert_eq!(Animation::Change.length(&scored, &later), None);
    }

    /// Returns a scene in which the winner has these boxes.
    fn won(boxes: u8) -> Scene {
        let area = |at: u8| Shape::Area([At::new(at, 0), At::new(at + 1, 1)], Some('A'));
        let areas: Vec<_> = (0..boxes).map(|at| (area(at), SeatRole::WonFill)).collect();
        Scene { end: SceneEnd::Win, ..scene(&areas) }
    }

    fn as_before_the_end(won: &Scene) -> Scene {
        let mut scene = Scene { end: SceneEnd::Nothing, ..won.clone() };
        for item in &mut scene.items {
            item.role = Role::Of(SeatRole::Fill, Seat::FIRST);
        }
        scene
    }

    #[test]
    fn winners_items_light_up_one_by_one_within_the_time() {
        for boxes in [1, 2, 5, 30, 200] {
            let new = won(boxes);
            let old = as_before_the_end(&new);
            let length = Animation::Win.length(&old, &new).unwrap();
            assert!(LIGHT <= length && length <= WIN, "{boxes}: {length:?}");
            // The part of each box that is lit.
            let lit = |t: f32| -> Vec<f32> {
                let items = Animation::Win.between(&old, &new, t).items;
                let lit = items.iter().filter(|item| is_won(item));
                let part = |item: &Item| match item.phase {
                    Phase::Part(part) => part,
                    _ => 1.0,
                };
                let lit: Vec<f32> = lit.map(part).collect();
                // The box as it was stays below the light.
                assert_eq!(items.len(), 2 * usize::from(boxes));
                lit
            };
            assert!(lit(0.0).iter().all(|part| *part == 0.0));
            for t in [0.1, 0.3, 0.5, 0.7, 0.9, 0.99] {
                let parts = lit(t);
                assert!(parts.is_sorted_by(|a, b| a >= b), "{parts:?}");
                assert!(parts[0] > 0.0, "{boxes} at {t}");
            }
            let last = lit(0.999)[usize::from(boxes) - 1];
            assert!(0.5 < last && last < 1.0, "{last}");
            assert_eq!(Animation::Win.between(&old, &new, 1.0), new);
        }
    }

    #[test]
    fn win_shows_the_last_move_first() {
        let mut new = won(2);
        new.add(line(1).0, Role::Of(SeatRole::LastLine, Seat::FIRST));
        let mut old = as_before_the_end(&new);
        let whole = Animation::Win.length(&old, &new).unwrap();
        old.items.pop();
        let [drawn, first] = [line(1).0, new.items[0].shape.clone()];
        let with_move = Animation::Win.length(&old, &new).unwrap();
        assert_eq!(with_move, whole + LENGTHS[0]);
        let lead = LENGTHS[0].div_duration_f32(with_move);
        let before = Animation::Win.between(&old, &new, lead * 0.9);
        let lit = |scene: &Scene, shape: &Shape| {
            scene.items.iter().rev().find(|item| item.shape == *shape).unwrap().phase
        };
        assert!(part(&before, &drawn) < 1.0);
        assert_eq!(lit(&before, &first), Phase::Part(0.0));
        let after = Animation::Win.between(&old, &new, lead * 1.1);
        assert!(part(&after, &drawn) >= 1.0);
        assert_ne!(lit(&after, &first), Phase::Part(0.0));
    }

    #[test]
    fn only_a_win_with_something_to_light_up_is_shown_as_one() {
        let new = won(2);
        let old = as_before_the_end(&new);
        assert_eq!(Animation::of(&old, &new), Animation::Win);
        assert_eq!(Animation::of(&new, &new), Animation::Change);
        for (end, animation) in [
            (SceneEnd::Nothing, Animation::Change),
            (SceneEnd::Draw, Animation::Change),
            (SceneEnd::Round, Animation::Reveal),
        ] {
            assert_eq!(Animation::of(&old, &Scene { end, ..new.clone() }), animation);
        }
        assert_eq!(
            Animation::of(&old, &Scene { items: Vec::new(), ..new.clone() }),
            Animation::Change
        );
        let round = Scene { end: SceneEnd::Round, ..old };
        assert_eq!(Animation::of(&round, &new), Animation::Win, "the last round of a match");
    }

    #[test]
    fn winning_dice_light_up_after_their_slide() {
        let mut new = scene(&[]);
        new.items.extend([8, 7].into_iter().zip(0..).map(|(piece, col)| Item {
            role: Role::Of(SeatRole::WonFill, Seat::FIRST),
            ..die(piece, col)
        }));
        let mut old = scene(&[]);
        old.items.extend([7, 8].into_iter().zip(0..).map(|(piece, col)| die(piece, col)));
        assert_eq!(Animation::Win.length(&old, &new), Some(SLIDE + LIGHT + NEXT_LIGHT));
        let lit = |t| {
            Animation::Win.between(&old, &new, t).items.iter().filter(|item| is_won(item)).count()
        };
        assert_eq!([0.1, 0.5, 0.6, 0.8, 1.0].map(lit), [0, 0, 1, 2, 2]);
    }

    #[test]
    fn reveal_shows_claims_one_by_one() {
        let areas: Vec<_> = (0..4_u8)
            .map(|at| {
                (Shape::Area([At::new(at, 0), At::new(at + 1, 1)], Some('A')), SeatRole::WonFill)
            })
            .collect();
        let (old, new) = (scene(&[]), scene(&areas));
        assert_eq!(Animation::Reveal.length(&old, &new), Some(LENGTHS[1] + 4 * REVEAL[0]));
        for t in [0.0_f32, 0.3, 0.5, 0.8, 0.99] {
            let on = Animation::Reveal.between(&old, &new, t);
            let parts: Vec<f32> = areas.iter().map(|(shape, _)| part(&on, shape)).collect();
            assert!(parts.is_sorted_by(|a, b| a >= b), "{parts:?}");
            assert_eq!(parts[3] > 0.0, t > 0.7, "{parts:?} at {t}");
        }
        assert_eq!(Animation::Reveal.between(&old, &new, 1.0), new);
    }
}
