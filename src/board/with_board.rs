use super::{AnyBoard, BOARDS};
use quadrille_match::session::Match;
use quadrille_rules::{Setup, SetupError};
use quadrille_table::catalogue::GameEntry;
use std::fmt::{self, Debug, Formatter};
use std::ops::{Deref, DerefMut};

/// The owner of a match (a table, or the match itself) together with a board. The board follows every change made
/// through [`change`](WithBoard::change).
pub struct WithBoard<T> {
    pub board: Box<dyn AnyBoard>,
    owner: T,
    number: usize,
}

/// A match with its board, for viewing. Nothing is logged.
pub type Viewer = WithBoard<Match>;

/// The clone gets a new board without a half-made move.
impl<T: AsRef<Match> + Clone> Clone for WithBoard<T> {
    fn clone(&self) -> WithBoard<T> {
        WithBoard::new(self.owner.clone())
    }
}

impl<T: Debug> Debug for WithBoard<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WithBoard").field(&self.owner).finish()
    }
}

impl<T: AsRef<Match>> WithBoard<T> {
    pub fn new(owner: T) -> WithBoard<T> {
        let game = owner.as_ref();
        let Some(board) = BOARDS.iter().find_map(|board_of| board_of(game)) else {
            unreachable!("there is a board for every game in the catalog");
        };
        WithBoard { board, owner, number: 0 }
    }

    pub fn current_match(&self) -> &Match {
        self.owner.as_ref()
    }

    /// Borrows the owner for changes. The board follows when the guard is dropped.
    pub fn change(&mut self) -> MatchGuard<'_, T> {
        MatchGuard { with_board: self }
    }

    /// Creates a new board after the match was replaced.
    pub fn renew_board(&mut self) {
        if let Some(board) = BOARDS.iter().find_map(|board_of| board_of(self.owner.as_ref())) {
            self.board = board;
            self.number += 1;
        }
    }

    /// Returns the number of the board, which [`renew_board`](WithBoard::renew_board) changes.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Borrows the owner for changes that boards do not show, such as the save location.
    pub fn owner_mut(&mut self) -> &mut T {
        &mut self.owner
    }

    pub fn into_owner(self) -> T {
        self.owner
    }
}

impl Viewer {
    pub fn open(entry: &GameEntry, setup: &Setup) -> Result<Viewer, SetupError> {
        Ok(Viewer::new((entry.start)(setup)?))
    }

    /// Opens the sample match. Returns `None` if its moves are illegal; a test checks all games.
    pub fn sample(entry: &GameEntry) -> Option<Viewer> {
        let (setup, moves) = entry.sample;
        let mut game = (entry.start)(&setup.parse().ok()?).ok()?;
        moves.split_whitespace().try_for_each(|mv| game.play(mv)).ok()?;
        Some(Viewer::new(game))
    }

    /// Copies the moves from the start to the current position.
    #[must_use]
    pub fn copy_line(&self) -> Viewer {
        Viewer::new(self.current_match().copy_line())
    }
}

impl<T> Deref for WithBoard<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.owner
    }
}

/// A mutable borrow of the owner; dropping it updates the board.
pub struct MatchGuard<'a, T: AsRef<Match>> {
    with_board: &'a mut WithBoard<T>,
}

impl<T: AsRef<Match>> Deref for MatchGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.with_board.owner
    }
}

impl<T: AsRef<Match>> DerefMut for MatchGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.with_board.owner
    }
}

impl<T: AsRef<Match>> Drop for MatchGuard<'_, T> {
    fn drop(&mut self) {
        self.with_board.board.follow(self.with_board.owner.as_ref());
    }
}
