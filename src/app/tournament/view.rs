//! The view of a tournament.

use super::TournamentScreen;
use super::rate::GameRate;
use super::slot::GameSlot;
use crate::view::{Phrase, TournamentPace, TournamentView};
use quadrille_arena::tournament::{PlayerRow, Stage};
use quadrille_scene::Role;

impl TournamentScreen {
    pub(super) fn tournament_view(&self) -> TournamentView<'_> {
        let status = &self.status;
        let warning = match (&self.message, &status.stage) {
            (Some(message), _) => Some(Phrase::wrong(message)),
            (None, Stage::Failed(why)) => Some(Phrase::wrong(format!(
                "Stopped: {why}. Finished games are kept; run the same command to resume."
            ))),
            (None, _) => None,
        };
        let is_over = status.stage == Stage::Over;
        let verdict = is_over.then(|| Phrase::strong(self.verdict()));
        TournamentView {
            title: self.title(),
            state: match status.stage {
                Stage::Running => ("", Role::Text),
                Stage::Over => ("finished", Role::Good),
                Stage::Failed(_) => ("stopped", Role::Wrong),
            },
            table: &self.table,
            parts: &self.parts,
            test: status.test.as_ref().map(|test| format!("sequential test: {test}")),
            running: self.slots.iter().map(GameSlot::view).collect(),
            longest_setup: &self.longest_setup,
            games: status.games,
            finished: &self.ended,
            list: self.pane(),
            running_at: self.running.at(),
            finished_at: self.finished.at(),
            page: self.page,
            notes: warning.into_iter().chain(verdict).collect(),
            pace: (!is_over).then(|| self.pace()),
        }
    }

    /// Returns the pace; a stopped tournament has none.
    fn pace(&self) -> TournamentPace {
        let runs = self.status.stage == Stage::Running;
        let rate = if runs { self.rate } else { GameRate::default() };
        let time = rate.time_for(self.status.games.saturating_sub(self.status.played));
        TournamentPace {
            speed: rate.in_words(),
            left: time.map(|time| format!("about {time} left")),
        }
    }

    /// Summarizes the outcome of the tournament in one or two sentences.
    fn verdict(&self) -> String {
        let (played, games) = (self.status.played, self.status.games);
        let all = if played >= games {
            format!("All {games} games finished.")
        } else {
            format!("Decided after {played} of {games} games.")
        };
        let Some(best) = self.table.rows.first().filter(|row| row.games > 0) else { return all };
        let standing = |row: &PlayerRow| (row.elo, row.tally.points(), row.games);
        let is_best = |row: &&PlayerRow| standing(row) == standing(best);
        let PlayerRow { name, games, .. } = best;
        let points = best.tally.points();
        match self.table.rows.iter().filter(is_best).count() {
            1 => format!("{all} {name} wins with {points} points of {games} games."),
            many => {
                format!(
                    "{all} {many} players share first place with {points} points of {games} games."
                )
            }
        }
    }
}
