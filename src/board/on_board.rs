//! What owns a match, with the board that follows it.

use super::{AnyBoard, BOARDS};
use crate::catalogue::GameEntry;
use crate::rules::{Setup, SetupError};
use crate::session::Match;
use std::fmt::{self, Debug, Formatter};
use std::ops::{Deref, DerefMut};

/// What owns a match (a table, or the match itself) with a board that shows it. Whatever is changed through
/// [`change`](OnBoard::change), the board follows.
pub struct OnBoard<T> {
    pub board: Box<dyn AnyBoard>,
    owner: T,
}

/// A match with its board, to walk through and look at. Nothing is logged.
pub type Viewer = OnBoard<Match>;

/// The copy has a board of its own, where nothing is half made.
impl<T: AsRef<Match> + Clone> Clone for OnBoard<T> {
    fn clone(&self) -> OnBoard<T> {
        OnBoard::new(self.owner.clone())
    }
}

impl<T: Debug> Debug for OnBoard<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OnBoard").field(&self.owner).finish()
    }
}

impl<T: AsRef<Match>> OnBoard<T> {
    pub fn new(owner: T) -> OnBoard<T> {
        let game = owner.as_ref();
        let Some(board) = BOARDS.iter().find_map(|board_of| board_of(game)) else {
            unreachable!("there is a board for every game of the catalogue");
        };
        OnBoard { board, owner }
    }

    pub fn current_match(&self) -> &Match {
        self.owner.as_ref()
    }

    /// Lends the owner for changes. When they are done, the board follows.
    pub fn change(&mut self) -> MatchGuard<'_, T> {
        MatchGuard { on_board: self }
    }

    /// Begins with a board anew, where the match is another one now.
    pub fn renew_board(&mut self) {
        if let Some(board) = BOARDS.iter().find_map(|board_of| board_of(self.owner.as_ref())) {
            self.board = board;
        }
    }

    /// Lends the owner for what no board shows, such as where a match is saved.
    pub fn owner_mut(&mut self) -> &mut T {
        &mut self.owner
    }

    pub fn into_owner(self) -> T {
        self.owner
    }
}

impl Viewer {
    /// A new match with this setup.
    pub fn open(entry: &GameEntry, setup: &Setup) -> Result<Viewer, SetupError> {
        Ok(Viewer::new((entry.start)(setup)?))
    }

    /// The sample match. `None` if its moves are not legal; a test checks for every game that they are.
    pub fn sample(entry: &GameEntry) -> Option<Viewer> {
        let (setup, moves) = entry.sample;
        let mut game = (entry.start)(&setup.parse().ok()?).ok()?;
        moves.split_whitespace().try_for_each(|mv| game.play(mv)).ok()?;
        Some(Viewer::new(game))
    }

    /// A copy of the moves from the start to the present position, to look at.
    #[must_use]
    pub fn copy_line(&self) -> Viewer {
        Viewer::new(self.current_match().copy_line())
    }
}

impl<T> Deref for OnBoard<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.owner
    }
}

/// The owner of a match while it is changed.
pub struct MatchGuard<'a, T: AsRef<Match>> {
    on_board: &'a mut OnBoard<T>,
}

impl<T: AsRef<Match>> Deref for MatchGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.on_board.owner
    }
}

impl<T: AsRef<Match>> DerefMut for MatchGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.on_board.owner
    }
}

impl<T: AsRef<Match>> Drop for MatchGuard<'_, T> {
    fn drop(&mut self) {
        self.on_board.board.follow(self.on_board.owner.as_ref());
    }
}
