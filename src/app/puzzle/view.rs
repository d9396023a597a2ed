//! The view of a puzzle: the board, and beside it the task and the feedback.

use super::PuzzleScreen;
use crate::board::Viewer;
use crate::view::{BoardView, PanelBody, Paragraph, ResultView, StatusLine, StatusRoom};
use quadrille_match::session::{PlayerNames, Players};
use quadrille_scene::{Role, Scene};
use std::rc::Rc;

/// Announced with a wrong move.
pub(super) const NOT_THIS: &str = "Not that one";
/// Shown after the line to share was copied.
pub(super) const SENT: &str = "Sent to the clipboard.";

impl PuzzleScreen {
    /// Returns the view. While a menu stops the clock of a rush, it hides the position.
    pub(super) fn board_view(&self, is_live: bool) -> BoardView<'_> {
        let winner = self.run.attempt().is_solved().then(|| self.run.attempt().seat());
        let result = self.run.result().map(|result| ResultView {
            winner,
            headline: result.headline,
            how: result.says,
            number: result.number,
            answers: result.marks,
        });
        let view = self.match_view().view(&self.input, PanelBody::Texts(self.paragraphs()));
        let hidden = self.running_rush().filter(|_| !is_live).and_then(|_| self.empty_board());
        let (scene, board_number) = match hidden {
            Some(scene) => (Rc::new(scene), usize::MAX),
            None => (view.scene, view.board_number),
        };
        let names = if self.run.shows_line() { self.names_in_line() } else { view.names };
        BoardView {
            scene,
            board_number,
            names,
            result,
            share: self.share_line(),
            page: self.run.begun(),
            title: self.run.title(),
            status: self.status(true),
            bare_status: Some(self.status(false)),
            ..view
        }
    }

    /// Returns the board before the first move.
    fn empty_board(&self) -> Option<Scene> {
        let viewer = Viewer::open(self.run.entry(), &self.run.attempt().puzzle().setup).ok()?;
        Some(viewer.board.still())
    }

    /// Returns the names for moves that the solver has not played.
    fn names_in_line(&self) -> PlayerNames {
        let names = self.match_view().seats().map(|seat| {
            let is_own = seat == self.run.attempt().seat();
            if is_own { "Your side" } else { self.players.name(seat) }.to_owned()
        });
        let names: Vec<String> = names.collect();
        PlayerNames::of(&Players::named(names.len() as u8, &names))
    }

    fn paragraphs(&self) -> Vec<Paragraph> {
        let (attempt, texts) = (self.run.attempt(), self.run.texts());
        let sent = self.is_copied.then(|| Paragraph::new("", SENT));
        if self.run.has_ended() {
            // The card already says how the rush ended.
            return sent.into_iter().collect();
        }
        let mut paragraphs = vec![Paragraph::new(self.run.heading(), attempt.goal())];
        let hint = texts.hint.iter().map(|hint| Paragraph::new("hint", hint));
        let said = texts.said.iter().map(|said| Paragraph::new("", said));
        paragraphs.extend(sent);
        paragraphs.extend(said.chain(hint).take(1));
        // The first line of the explanation names the themes.
        for (at, line) in texts.explained.iter().skip(1).enumerate() {
            paragraphs.push(Paragraph::new(if at == 0 { "why" } else { "" }, line));
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
            let more = if self.is_copied { vec![vec![SENT.to_owned()]] } else { Vec::new() };
            let room = StatusRoom::Whole;
            return StatusLine { room, more, ..StatusLine::new(share, Role::Strong) };
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
        // The board keeps the move that the text is about visible.
        let shows_move = self.run.shows_line() || self.run.hinted().is_some();
        let room = if shows_move { StatusRoom::FromBoard } else { StatusRoom::OverBoard };
        StatusLine { room, ..StatusLine::new(text, role) }
    }
}
