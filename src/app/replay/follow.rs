//! A game of a tournament that is followed while it is played: the line grows with it, and when it ends its
//! record says how.

use super::Replay;
use crate::app::open_match::{OpenRecord, Shown};
use crate::app::tasks::{DiskTask, Task};
use crate::app::tournament::Seen;
use crate::arena::tournament::{Stage, UnderWay};
use crate::catalogue::Entry;
use std::time::Duration;

/// The game that is followed.
pub(super) struct Follow {
    /// Its number in the schedule.
    game: u64,
    /// What each seat had left when the last move was played, where there is a clock.
    left: Vec<Duration>,
    /// Whether it has ended, and its record is being read.
    has_ended: bool,
}

impl Replay {
    /// Follows a game; `None` where it cannot be shown.
    pub fn following(entry: &'static Entry, game: &UnderWay) -> Option<Replay> {
        let viewer = (entry.open)(&game.setup.parse().ok()?).ok()?;
        let record = OpenRecord::new(entry, viewer, &game.players).with_clock(game.clock);
        let mut replay = Replay::new(record);
        let left = game.left.clone();
        replay.follow = Some(Follow { game: game.game, left, has_ended: false });
        replay.extend(game.moves.iter().map(String::as_str));
        Some(replay)
    }

    /// Whether this game is followed, and its record waited for.
    pub(super) fn follows(&self, game: u64) -> bool {
        self.follow.as_ref().is_some_and(|follow| follow.game == game && follow.has_ended)
    }

    /// What is to be seen of the match, with the clocks of the last move.
    pub(super) fn shown(&self) -> Shown<'_> {
        let shown = self.record.shown();
        match &self.follow {
            Some(follow) if self.is_at_end() => shown.with_times(&follow.left),
            _ => shown,
        }
    }

    /// What there is to say of the game that is followed.
    pub(super) fn follow_in_words(&self) -> Option<String> {
        let follow = self.follow.as_ref().filter(|follow| !follow.has_ended)?;
        let behind = self.line.len() - self.ply;
        Some(match behind {
            0 => format!("game {}, being played", follow.game),
            1 => "a move behind".to_owned(),
            behind => format!("{behind} moves behind"),
        })
    }

    /// Takes in what is seen of the game. Once it has ended its record is read.
    pub(super) fn look_at_game(&mut self, seen: &Seen) -> Vec<Task> {
        let Some(follow) = self.follow.as_mut().filter(|follow| !follow.has_ended) else {
            return Vec::new();
        };
        let number = follow.game;
        if let Some(game) = seen.under_way.iter().find(|it| it.game == number) {
            follow.left.clone_from(&game.left);
            self.extend(game.moves.iter().map(String::as_str));
        } else if let Some(line) = seen.ended.iter().find(|it| it.game == number) {
            follow.has_ended = true;
            return vec![DiskTask::Game(number, line.record.clone()).into()];
        } else if seen.view.stage != Stage::Running {
            self.follow = None;
            self.note = Some("this game was not played to its end".to_owned());
        }
        Vec::new()
    }

    /// The game has ended, and this is its record.
    pub(super) fn end_with(&mut self, record: &OpenRecord) {
        let game = record.game();
        self.extend(game.moves().iter().map(|(_, mv)| &**mv));
        if let Some(how) = game.termination() {
            self.record.viewer.walk(&mut |game| {
                game.go_to_ply(usize::MAX);
                game.end(how.clone());
            });
        }
        self.follow = None;
        self.go_to_ply(self.ply);
    }

    /// The line has these moves now. Whoever looked at the last one looks at the new last one.
    fn extend<'a>(&mut self, moves: impl Iterator<Item = &'a str>) {
        let was_at_end = self.is_at_end() && !self.runs;
        let mut new = moves.skip(self.line.len()).peekable();
        if new.peek().is_none() {
            return;
        }
        self.record.viewer.walk(&mut |game| {
            game.go_to_ply(usize::MAX);
            // What cannot be played is not shown, and neither is what comes after it.
            while new.next_if(|mv| game.play(mv).is_ok()).is_some() {}
        });
        self.read_line();
        self.go_to_ply(if was_at_end { usize::MAX } else { self.ply });
    }

    fn is_at_end(&self) -> bool {
        self.ply == self.line.len()
    }
}
