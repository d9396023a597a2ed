//! The time of play and the clocks of the match on the screen.

use super::MatchScreen;
use crate::app::board_input::Message;
use crate::app::open_match::MatchView;
use crate::app::screen::Effect;
use quadrille_match::session::ClockFace;
use std::time::Duration;

impl MatchScreen {
    /// Explains a match with days per move; empty for other matches.
    pub(super) fn about_days(&self) -> String {
        let Some(days) = self.open_match.session().days() else { return String::new() };
        format!(
            "DAYS PER MOVE. Time: {}, by the clock of the host's machine, whether or not a terminal is open. An \
             overdue player can still move until an opponent claims the win, and has lost after twice the time. \
             Leave when you like: you keep your seat, and messages, offers, requests and the result wait for you. \
             The host returns with quadrille resume, and a guest with the command that joined the table.\n\n",
            days.in_words()
        )
    }

    /// Returns the view of the match, with the current clocks.
    pub(super) fn match_view(&self) -> MatchView<'_> {
        self.open_match.match_view_at(self.played)
    }

    /// Returns whether the time of play advances. It stops during an interlude, while an engine waits, and while a
    /// program starts.
    pub(super) fn time_runs(&self) -> bool {
        if let Some(peers) = self.peers() {
            return peers.time_runs;
        }
        !self.open_match.board.shows_interlude()
            && self.assistance.at_table.time_runs(&self.open_match)
    }

    /// Returns how long the displayed clocks stay unchanged; `None` if no clock is running.
    pub(super) fn clock_unchanged_for(&self) -> Option<Duration> {
        let session = self.open_match.session();
        let face = session.clocks()?.control().face();
        let end = session.due().filter(|_| self.time_runs())?;
        // A shared table runs its own clock and reports when the time is up.
        let is_over = self.is_remote() && end <= self.played;
        (!is_over).then(|| face.shown_for(end.saturating_sub(self.played)))
    }

    /// Returns how long the overdue player to move has until the match is lost, as text.
    pub(super) fn rest_of_overdue_time(&self) -> Option<String> {
        let end = self.open_match.session().runs_out()?;
        Some(ClockFace::Days.shown(end.saturating_sub(self.played)))
    }

    /// Ends the match if the player to move is out of time.
    pub(super) fn flag(&mut self) -> Vec<Effect> {
        let flagged = self.open_match.change().flag(self.played);
        if !flagged {
            return Vec::new();
        }
        self.input.dismiss_if(|message| matches!(message, Message::Note(_)));
        self.changed()
    }

    /// Records the time of play in the match. Returns whether the match must be saved.
    pub(super) fn note_time(&mut self) -> bool {
        let steps = self.open_match.session().log().len();
        self.open_match.change().pause(self.played);
        self.open_match.session().log().len() > steps
    }
}
