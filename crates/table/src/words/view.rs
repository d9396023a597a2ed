//! A typed, read-only view of a match for code that draws or describes the match.

use quadrille_match::session::{AnyPosition, Match};
use quadrille_rules::{Outcome, Position, Seat};

/// The visible part of a match.
#[derive(Clone, Copy, Debug)]
pub struct PositionView<'a, G: Position> {
    pub now: &'a G,
    pub last: Option<LastMove<'a, G>>,
    /// All moves so far, each with its seat, which positions do not store.
    pub played: &'a [(Seat, G::Move)],
    /// The outcome, whether by the rules or not.
    pub outcome: Option<Outcome>,
    /// Whether a local player can play on the board. If not, no cursor is drawn.
    pub is_live: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct LastMove<'a, G: Position> {
    /// The position before the move.
    pub before: &'a G,
    pub mv: G::Move,
}

impl<G: Position> PositionView<'_, G> {
    /// Returns the seat to move if a local player can play on the board.
    pub fn seat_to_play(&self) -> Option<Seat> {
        self.now.to_move().filter(|_| self.is_live && self.outcome.is_none())
    }

    /// Returns whether the match is over and has a winner.
    pub fn is_won(&self) -> bool {
        self.outcome.is_some_and(|outcome| outcome != Outcome::draw(self.now.seats()))
    }

    /// Returns whether this seat has won the match, alone or shared; `false` after a draw.
    pub fn is_won_by(&self, seat: Seat) -> bool {
        self.is_won() && self.outcome.is_some_and(|outcome| outcome.is_winner(seat))
    }
}

/// A typed copy of the visible part of a match, updated by [`follow`](TypedMatch::follow).
#[derive(Clone, Debug)]
pub struct TypedMatch<G: Position> {
    /// The numbers of the positions from the start to the current position.
    path: Vec<usize>,
    played: Vec<(Seat, G::Move)>,
    before: Option<G>,
    now: G,
    outcome: Option<Outcome>,
}

impl<G: Position> TypedMatch<G> {
    /// Creates a typed copy; `None` for a match of a different game.
    pub fn of(game: &Match) -> Option<TypedMatch<G>> {
        let now = game.now().typed::<G>()?.clone();
        let (path, played) = (Vec::new(), Vec::new());
        let mut follower = TypedMatch { path, played, before: None, now, outcome: None };
        follower.follow(game);
        Some(follower)
    }

    /// Updates the copy to the match's current position, and returns whether the position or the outcome has changed.
    /// Takes time proportional to the number of moves between the two positions.
    pub fn follow(&mut self, game: &Match) -> bool {
        if self.path.last() == game.path().last() && self.outcome == game.outcome() {
            return false;
        }
        let typed = |position: &dyn AnyPosition| position.typed::<G>().cloned();
        let Some(now) = typed(game.now()) else { return false };
        self.now = now;
        self.before = game.before().and_then(typed);
        self.outcome = game.outcome();
        let path = game.path();
        // Each position can be reached by only one path, so two paths diverge at most once.
        let (mut shared, mut end) = (0, self.path.len().min(path.len()));
        while shared < end {
            let middle = shared.midpoint(end);
            if self.path[middle] == path[middle] { shared = middle + 1 } else { end = middle }
        }
        self.path.truncate(shared);
        self.path.extend(&path[shared..]);
        let moves = game.moves();
        self.played.truncate(shared.saturating_sub(1));
        let new = moves[self.played.len()..].iter();
        self.played.extend(new.filter_map(|(seat, mv)| Some((*seat, mv.parse().ok()?))));
        debug_assert_eq!(self.played.len(), moves.len(), "every move played is one of the game");
        true
    }

    pub fn view(&self) -> PositionView<'_, G> {
        let last = self.before.as_ref().zip(self.played.last());
        let last = last.map(|(before, &(_, mv))| LastMove { before, mv });
        let TypedMatch { now, played, outcome, .. } = self;
        PositionView { now, last, played, outcome: *outcome, is_live: true }
    }

    pub fn node(&self) -> usize {
        self.path.last().copied().unwrap_or(0)
    }
}
