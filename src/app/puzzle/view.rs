//! The view of a puzzle: the board, and beside it the task and the feedback.

use super::PuzzleScreen;
use crate::view::{BoardView, PanelBody, Paragraph, ResultView, StatusLine, StatusRoom};
use quadrille_scene::Role;

/// Announced with a wrong move.
pub(super) const NOT_THIS: &str = "Not that one";

impl PuzzleScreen {
    pub(super) fn board_view(&self) -> BoardView<'_> {
        let winner = self.run.attempt().is_solved().then(|| self.run.attempt().seat());
        let result = self.run.result().map(|result| ResultView {
            winner,
            headline: result.headline,
            how: result.says,
            number: result.number,
            answers: result.answers,
        });
        BoardView {
            result,
            share: self.share_line(),
            page: self.run.begun(),
            title: self.run.title(),
            status: self.status(true),
            bare_status: Some(self.status(false)),
            ..self.match_view().view(&self.input, PanelBody::Texts(self.paragraphs()))
        }
    }

    fn paragraphs(&self) -> Vec<Paragraph> {
        let (attempt, texts) = (self.run.attempt(), self.run.texts());
        if self.run.has_ended() {
            // The card already says how the rush ended.
            return Vec::new();
        }
        let mut paragraphs = vec![Paragraph::new(self.run.heading(), attempt.goal())];
        let hint = texts.hint.iter().map(|hint| Paragraph::new("hint", hint));
        let said = texts.said.iter().map(|said| Paragraph::new("", said));
        paragraphs.extend(said.chain(hint).take(1));
        // The first line of the explanation names the themes, which the heading shows here.
        for (at, line) in texts.explained.iter().skip(1).enumerate() {
            let themes = || format!("why: {}", attempt.puzzle().themes_in_words());
            let heading = if at == 0 { themes() } else { String::new() };
            paragraphs.push(Paragraph::new(heading, line));
        }
        paragraphs
    }

    /// Returns the status line. Without a panel, it includes the text of the panel.
    fn status(&self, has_panel: bool) -> StatusLine {
        if let Some(status) = self.input.status() {
            return status;
        }
        let (texts, goal) = (self.run.texts(), self.run.attempt().goal());
        if let Some(share) = self.share_line() {
            let room = StatusRoom::Whole;
            return StatusLine { room, ..StatusLine::new(share, Role::Strong) };
        }
        let said = texts.said.as_ref().filter(|_| !has_panel);
        let (text, role) = match (self.run.shows_wrong(), said) {
            (true, Some(said)) => (format!("! {said}"), Role::Wrong),
            (true, None) => {
                let has_reply = self.run.refutation().is_some();
                let next = if has_reply { "Watch the reply." } else { "Try again." };
                (format!("! {NOT_THIS}. {next}"), Role::Wrong)
            }
            (false, Some(said)) => (said.clone(), Role::Strong),
            (false, None) if has_panel && self.run.result().is_some() => {
                (String::new(), Role::Text)
            }
            (false, None) if has_panel => {
                return StatusLine::idle(self.run.board.status(true).unwrap_or_default());
            }
            (false, None) => match (&texts.hint, self.run.rush()) {
                (Some(hint), _) => (hint.clone(), Role::Text),
                (None, Some(rush)) => (format!("{}. {goal}", rush.standing()), Role::Text),
                (None, None) => (goal, Role::Text),
            },
        };
        StatusLine::brief(text, role)
    }
}
