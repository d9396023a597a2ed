//! The view of a tournament.

use super::rate::GameRate;
use super::slot::GameSlot;
use super::{TournamentScreen, text};
use crate::view::{Phrase, TournamentGame, TournamentPace, TournamentView};
use quadrille_arena::tournament::{Ending, GameLine, PlayerRow, Points, Stage};
use quadrille_scene::Role;
use quadrille_text::wording::dashed;

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
            longest_setup: self.longest_setup,
            played: self.count(),
            games: status.games,
            finished: Box::new(|row| self.line(row).map(finished_game)),
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

fn finished_game(line: GameLine) -> TournamentGame {
    let best = line.points.iter().max();
    let is_draw = line.points.iter().all(|points| Some(points) == best);
    TournamentGame {
        number: line.game,
        has_won: line.points.iter().map(|points| !is_draw && Some(points) == best).collect(),
        setup: text::short_setup(&line.setup),
        state: result(&line),
        players: line.players,
    }
}

/// Returns the result, with the ending if the game did not end by the rules: `5-4`, `1-0, crash`.
pub(super) fn result(line: &GameLine) -> String {
    let is_by_rules = line.termination == Ending::Rules;
    let scores = line.scores.as_ref().filter(|_| is_by_rules);
    let result = match scores {
        Some(scores) => dashed(scores),
        None => dashed(line.points.iter().map(|points| share(*points, line.points.len()))),
    };
    if is_by_rules { result } else { format!("{result}, {}", line.termination) }
}

/// Formats the points of a seat. In a game of two seats, half a point is `1/2`, as in records.
fn share(points: Points, seats: usize) -> String {
    if seats == 2 && points.halves == 1 { "1/2".to_owned() } else { points.to_string() }
}
