//! Follows a running tournament game: new moves extend the line. When the game ends, its record supplies the last moves
//! and the ending.

use super::ReplayScreen;
use crate::app::news::TournamentUpdate;
use crate::app::open_match::{MatchView, OpenRecord};
use crate::app::screen::Effect;
use crate::app::tasks::DiskTask;
use quadrille_arena::tournament::{Stage, UnderWay};
use quadrille_match::session::ClockFace;
use quadrille_text::wording::{counted, cut, short_setup};
use std::time::Duration;

pub(super) struct Follow {
    /// The number of the game in the schedule.
    game: u64,
    /// The setup as text.
    setup: String,
    /// The remaining time on each clock at the last move; empty without clocks.
    left: Vec<Duration>,
    has_ended: bool,
}

impl ReplayScreen {
    pub fn following(record: OpenRecord, game: &UnderWay) -> ReplayScreen {
        let mut replay = ReplayScreen::new(record);
        let left = game.left.clone();
        let setup = cut(&short_setup(&game.setup));
        replay.follow = Some(Follow { game: game.game, setup, left, has_ended: false });
        replay.extend(game.moves.iter().map(String::as_str));
        replay
    }

    /// Returns whether this replay is waiting for the record of this game.
    pub(super) fn follows(&self, game: u64) -> bool {
        self.follow.as_ref().is_some_and(|follow| follow.game == game && follow.has_ended)
    }

    /// Returns the view of the match. At the last move of a running game, the view shows the game in progress with its
    /// clocks.
    pub(super) fn match_view(&self) -> MatchView<'_> {
        let shown = self.record.match_view();
        match &self.follow {
            Some(follow) if self.is_at_end() => {
                let mut shown = shown.with_times(ClockFace::Seconds, &follow.left);
                shown.is_replay = follow.has_ended;
                shown
            }
            _ => shown,
        }
    }

    pub(super) fn follow_status(&self) -> Vec<String> {
        let Some(follow) = self.follow.as_ref().filter(|follow| !follow.has_ended) else {
            return Vec::new();
        };
        let behind = self.line.len() - self.ply;
        let state = match behind {
            0 => format!("game {}, running", follow.game),
            behind => format!("{} behind", counted(behind, "move", "moves")),
        };
        let setup = Some(follow.setup.clone()).filter(|setup| !setup.is_empty());
        [state].into_iter().chain(setup).collect()
    }

    /// Adds the new moves of the game. If the game has ended, requests its record.
    pub(super) fn look_at_game(&mut self, update: &TournamentUpdate) -> Vec<Effect> {
        let Some(follow) = self.follow.as_mut().filter(|follow| !follow.has_ended) else {
            return Vec::new();
        };
        let number = follow.game;
        if let Some(game) = update.under_way.iter().find(|game| game.game == number) {
            follow.left.clone_from(&game.left);
            self.extend(game.moves.iter().map(String::as_str));
        } else if let Some(line) = update.ended.iter().find(|line| line.game == number) {
            follow.has_ended = true;
            return vec![Effect::run(DiskTask::Game(number, line.record.clone()))];
        } else if update.status.stage != Stage::Running {
            self.follow = None;
            self.input.announce_note("unfinished game");
        }
        Vec::new()
    }

    /// Completes the line with the record of the finished game.
    pub(super) fn end_with(&mut self, record: &OpenRecord) {
        let game = record.current_match();
        self.extend(game.moves().iter().map(|(_, mv)| &**mv));
        if let Some(how) = game.termination() {
            let mut game = self.record.viewer.change();
            game.go_to_ply(usize::MAX);
            game.end(how.clone());
        }
        self.record.viewer.change().go_to_ply(usize::MAX);
        self.record.add_comments(&record.comments());
        self.follow = None;
        self.read_line();
        self.go_to_ply(self.ply);
    }

    /// Extends the line by these moves. If the replay showed the last move, it now shows the new last move.
    fn extend<'a>(&mut self, moves: impl Iterator<Item = &'a str>) {
        let was_at_end = self.is_at_end() && !self.runs;
        let mut new = moves.skip(self.line.len()).peekable();
        if new.peek().is_none() {
            return;
        }
        let mut game = self.record.viewer.change();
        game.go_to_ply(usize::MAX);
        // The line ends before the first illegal move.
        while new.next_if(|mv| game.play(mv).is_ok()).is_some() {}
        drop(game);
        self.read_line();
        self.go_to_ply(if was_at_end { usize::MAX } else { self.ply });
    }

    fn is_at_end(&self) -> bool {
        self.ply == self.line.len()
    }
}
