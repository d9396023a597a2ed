//! The board of Quixo.
//!
//! An arrow leads to the nearest die of the rim ahead, and the cursor stays where a die was inserted. Once a die is
//! taken, the cursor is the end where the die goes in, and the board previews the row or column. An arrow that points
//! outwards pulls the die out, to go in at the opposite end.

use super::{Direction, PressReply, Selection, Widget, arrow_map};
use crate::action::{ARROWS, Action, KeyHint};
use quadrille_rules::quixo::{self as rules, Place, Push};
use quadrille_rules::{Position, Seat, Symbol};
use quadrille_scene::{At, BoardGeometry, Item, PlaceId, Role, Scene, SeatRole, Shape};
use quadrille_table::words::PositionView;

/// The cursor is the die to take or, once a die is taken, the end where it goes in. While the cursor is on the taken
/// die, no end is chosen yet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct QuixoWidget;

/// Returns the side of the board where a push inserts the die.
const fn side(Push { from, to }: Push) -> Direction {
    if from.row == to.row {
        if to.col < from.col { Direction::Left } else { Direction::Right }
    } else if to.row < from.row {
        Direction::Up
    } else {
        Direction::Down
    }
}

/// Returns the end of a place's row or column on this side of the board.
const fn end(board: &rules::Quixo, from: Place, side: Direction) -> Place {
    let last = board.size() - 1;
    match side {
        Direction::Left => Place { col: 0, ..from },
        Direction::Right => Place { col: last, ..from },
        Direction::Up => Place { row: 0, ..from },
        Direction::Down => Place { row: last, ..from },
    }
}

/// Returns whether a push moves the die at a place or inserts a die there.
fn moves(Push { from, to }: Push, Place { row, col }: Place) -> bool {
    (from.row.min(to.row)..=from.row.max(to.row)).contains(&row)
        && (from.col.min(to.col)..=from.col.max(to.col)).contains(&col)
}

fn at(Place { row, col }: Place) -> At {
    At::new(row, col)
}

/// Returns a pointer outside the end where the die goes in, pointing in the direction of the push.
fn inwards(push: Push) -> Shape {
    Shape::Arrow(at(push.to), side(push), side(push).opposite())
}

/// Returns the die at each place after these pushes, row by row. A die's number is its original place.
fn pieces(size: u8, pushes: impl Iterator<Item = Push>) -> Vec<u16> {
    let size = usize::from(size);
    let mut pieces: Vec<u16> = (0..(size * size) as u16).collect();
    for push in pushes {
        let [mut from, to] =
            [push.from, push.to].map(|at| usize::from(at.row) * size + usize::from(at.col));
        // The index step along a row or down a column.
        let step = if push.from.row == push.to.row { 1 } else { size };
        while from != to {
            let next = if from < to { from + step } else { from - step };
            pieces.swap(from, next);
            from = next;
        }
    }
    pieces
}

/// Returns the role of a die that is neither taken nor moved by the chosen push.
fn die_role(die: Option<Symbol>, is_open: bool, mover: Option<Seat>) -> Role {
    match (die, is_open) {
        (None, true) => Role::OpenTile,
        (None, false) => Role::Tile,
        // The seat to move cannot take the opponent's dice.
        (Some(symbol), _) if mover.is_some_and(|seat| seat != symbol.seat()) => {
            Role::Of(SeatRole::LostFill, symbol.seat())
        }
        (Some(symbol), _) => Role::Of(SeatRole::Fill, symbol.seat()),
    }
}

impl Selection<QuixoWidget> {
    /// Adds the dice in their positions after the chosen push.
    fn add_dice(&self, view: &PositionView<rules::Quixo>, scene: &mut Scene) {
        let push = QuixoWidget::complete(self);
        let board = push.map_or_else(|| view.now.clone(), |push| view.now.preview(push));
        let lines: Vec<Place> = board.lines().into_iter().flat_map(|(_, line)| line).collect();
        // Without a line, as after a resignation, all dice of the winner count.
        let is_in_line = |place: &Place| lines.is_empty() || lines.contains(place);
        let last = view.last.as_ref().map(|last| last.mv.to);
        let size = board.size();
        let pieces = pieces(size, view.played.iter().map(|(_, push)| *push).chain(push));
        for (place, piece) in Place::all(size, size).zip(pieces) {
            let die = board.die(place);
            let is_open =
                self.pick.is_none() && view.seat_to_play().is_some() && board.can_take(place);
            let role = match die {
                _ if push.is_some_and(|push| moves(push, place)) => Role::Moved,
                Some(symbol) if view.is_won_by(symbol.seat()) && is_in_line(&place) => {
                    Role::Of(SeatRole::WonFill, symbol.seat())
                }
                Some(symbol) if view.is_won() => Role::Of(SeatRole::LostFill, symbol.seat()),
                // The last die is emphasized even if it cannot be taken.
                Some(symbol) if push.is_none() && last == Some(place) => {
                    Role::Of(SeatRole::WonFill, symbol.seat())
                }
                _ => die_role(die, is_open, view.seat_to_play()),
            };
            let tile = Item::new(Shape::Tile(at(place), die), role);
            scene.items.push(Item {
                place: Some(QuixoWidget::id(place)),
                piece: Some(piece),
                ..tile
            });
            if view.seat_to_play().is_some() && place == self.cursor {
                // Once a die is taken, the cursor moves the die.
                let role = if self.pick.is_some() { Role::Pick } else { Role::Cursor };
                scene.add_at(QuixoWidget::id(place), Shape::Tile(at(place), die), role);
            }
        }
    }

    /// Adds pointers outside the rim. At the ends where the taken die can be inserted, they point outwards, like the
    /// arrow keys that lead there. At the chosen end, and where the last die was inserted, they point in the direction
    /// of the push.
    fn add_pointers(&self, view: &PositionView<rules::Quixo>, scene: &mut Scene) {
        match (self.pick, &view.last) {
            (Some(from), _) => {
                for to in view.now.ends(from) {
                    let push = Push { from, to };
                    if to == self.cursor {
                        // Drawn in the footer's key color, to stand out.
                        scene.add(inwards(push), Role::Key);
                    } else {
                        let shape = Shape::Arrow(at(to), side(push), side(push));
                        scene.add_at(QuixoWidget::id(to), shape, Role::Strong);
                    }
                }
            }
            (None, Some(last)) => {
                let seat = last.before.to_move().unwrap_or(Seat::FIRST);
                scene.add(inwards(last.mv), Role::Of(SeatRole::LastLine, seat));
            }
            (None, None) => {}
        }
    }
}

impl Widget for QuixoWidget {
    type Game = rules::Quixo;
    type Place = Place;

    const START: Place = Place { row: 0, col: 0 };
    const TASK: &'static str = "take a die";

    const UNFINISHED: Option<&'static str> = Some("pick where it goes in");

    fn ground(now: &rules::Quixo) -> BoardGeometry {
        BoardGeometry::Grid { rows: now.size(), cols: now.size(), first: 'A', ruled: false }
    }

    fn draw(selection: &Selection<Self>, view: &PositionView<rules::Quixo>, scene: &mut Scene) {
        selection.add_dice(view, scene);
        selection.add_pointers(view, scene);
    }

    /// Draws the taken die and the end where it is inserted.
    fn add_ghost(view: &PositionView<rules::Quixo>, push: Push, role: Role, scene: &mut Scene) {
        let die = view.now.die(push.from);
        scene.add_at(Self::id(push.from), Shape::Tile(at(push.from), die), role);
        scene.add(inwards(push), role);
    }

    /// Returns the chosen push, once an end is chosen.
    fn complete(selection: &Selection<Self>) -> Option<Push> {
        selection.ends().map(|[from, to]| Push { from, to })
    }

    fn check_pick(
        selection: &Selection<Self>,
        view: &PositionView<rules::Quixo>,
    ) -> Result<(), String> {
        let from = selection.cursor;
        let to = view.now.ends(from).next().unwrap_or(from);
        view.now.check(Push { from, to }).map_err(|illegal| illegal.to_string())
    }

    fn next_places(selection: &Selection<Self>, mv: Push) -> impl Iterator<Item = Place> {
        let place = match selection.pick {
            None => Some(mv.from),
            Some(from) => Some(mv.to).filter(|_| mv.from == from),
        };
        place.into_iter()
    }

    fn arrow(
        selection: &mut Selection<Self>,
        view: &PositionView<rules::Quixo>,
        direction: Direction,
    ) -> PressReply<Push> {
        let board = view.now;
        if let Some(from) = selection.pick {
            let to = end(board, from, direction);
            if let Err(illegal) = board.check(Push { from, to }) {
                return PressReply::refused(&illegal);
            }
            if selection.cursor == to {
                return PressReply::Play(Push { from, to });
            }
            selection.cursor = to;
            return PressReply::Handled;
        }
        let from = selection.cursor;
        // No die of the rim is ahead of an arrow that points outwards.
        if let Some(next) = arrow_map::next(&board.rim(), from, at, direction) {
            selection.cursor = next;
            return PressReply::Handled;
        }
        // The die is pulled out, to be inserted at the opposite end.
        let to = end(board, from, direction.opposite());
        if let Err(illegal) = board.check(Push { from, to }) {
            return PressReply::refused(&illegal);
        }
        (selection.pick, selection.cursor) = (Some(from), to);
        PressReply::Handled
    }

    /// The places of the rim, clockwise.
    fn tab_order(_: &Selection<Self>, view: &PositionView<rules::Quixo>) -> Vec<Place> {
        view.now.rim()
    }

    fn is_tab_stop(
        selection: &Selection<Self>,
        view: &PositionView<rules::Quixo>,
        place: Place,
    ) -> bool {
        match selection.pick {
            None => view.now.can_take(place),
            Some(from) => view.now.ends(from).any(|end| end == place),
        }
    }

    fn place_of(mv: Push) -> Place {
        mv.to
    }

    fn id(Place { row, col }: Place) -> PlaceId {
        PlaceId(row, col)
    }

    fn place(PlaceId(row, col): PlaceId) -> Option<Place> {
        Some(Place { row, col })
    }

    fn key_hints(selection: &Selection<Self>, view: &PositionView<rules::Quixo>) -> Vec<KeyHint> {
        if view.now.to_move().is_none() {
            return Vec::new();
        }
        match (selection.pick, Self::complete(selection)) {
            (None, _) => {
                vec![KeyHint::new(ARROWS, "move"), Action::Choose.to("take"), Action::Next.hint()]
            }
            (Some(_), None) => {
                vec![KeyHint::new(ARROWS, "choose end"), Action::Back.to("put back")]
            }
            (Some(_), Some(_)) => {
                vec![
                    Action::Choose.to("push"),
                    KeyHint::new(ARROWS, "other side"),
                    Action::Back.to("put back"),
                ]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Press;
    use super::*;
    use quadrille_match::session::Match;
    use quadrille_table::words::TypedMatch;
    use std::collections::HashSet;

    fn seen(size: u8) -> TypedMatch<rules::Quixo> {
        TypedMatch::of(&Match::new(rules::Quixo::new(size).unwrap())).unwrap()
    }

    /// Returns the cursor after an arrow from this die, and whether the arrow pulled the die out.
    fn press(
        view: &PositionView<rules::Quixo>,
        from: Place,
        direction: Direction,
    ) -> (Place, bool) {
        let mut selection = Selection::<QuixoWidget>::default();
        selection.go_to(from);
        assert_eq!(selection.press(view, Press::Arrow(direction)), PressReply::Handled);
        (selection.cursor, selection.pick.is_some())
    }

    #[test]
    fn arrow_leads_ahead_along_the_rim_or_pulls_the_die_out() {
        for size in (2..=12).chain([26]) {
            let seen = seen(size);
            let (view, rim) = (seen.view(), seen.view().now.rim());
            let mut open = vec![Place { row: 0, col: 0 }];
            let mut reached: HashSet<Place> = open.iter().copied().collect();
            while let Some(from) = open.pop() {
                for direction in Direction::ALL {
                    let (to, is_taken) = press(&view, from, direction);
                    let (right, down) = direction.step();
                    let [rows, cols] = [(from.row, to.row), (from.col, to.col)]
                        .map(|(from, to)| i16::from(to) - i16::from(from));
                    let ahead = cols * i16::from(right) + rows * i16::from(down);
                    let is_outward = end(view.now, from, direction) == from;
                    assert_eq!(is_taken, is_outward, "{size}: {direction:?} from {from}");
                    assert_eq!(ahead > 0, !is_outward, "{size}: {direction:?} from {from}");
                    assert!(rim.contains(&to), "{size}: {direction:?} from {from}");
                    if !is_taken && reached.insert(to) {
                        open.push(to);
                    }
                }
            }
            assert_eq!(reached.len(), rim.len(), "{size}: every die can be reached");
        }
    }

    #[test]
    fn inward_arrow_leads_to_the_nearest_die() {
        let seen = seen(5);
        for (from, direction, to) in [
            ("B1", Direction::Down, "A2"),
            ("D1", Direction::Down, "E2"),
            ("B5", Direction::Up, "A4"),
            ("A2", Direction::Right, "B1"),
            ("E4", Direction::Left, "D5"),
            ("C1", Direction::Down, "C5"),
            ("A3", Direction::Right, "E3"),
            ("A1", Direction::Right, "B1"),
        ] {
            let view = seen.view();
            let place = |name: &str| view.now.rim().into_iter().find(|at| at.to_string() == name);
            let (reached, _) = press(&view, place(from).unwrap(), direction);
            assert_eq!(reached.to_string(), to, "{direction:?} from {from}");
        }
    }
}
