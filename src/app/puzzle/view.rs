//! What a puzzle shows: the board, and beside it what is asked and what was said.

use super::PuzzleScreen;
use crate::app::open_match::MatchView;
use crate::puzzles::Course;
use crate::scene::Role;
use crate::view::{BoardView, Body, Paragraph, StatusLine};

impl PuzzleScreen {
    /// What to show of the match.
    pub(super) fn shown(&self) -> MatchView<'_> {
        let puzzle = self.attempt.puzzle();
        let board = &*self.attempt.board;
        MatchView::new(self.entry, self.attempt.as_ref(), board, &self.players)
            .set_up_as(&puzzle.setup)
    }

    /// What stands over the task: which puzzle it is, or how the rush goes.
    fn heading(&self) -> String {
        let puzzle = self.attempt.puzzle();
        match &self.course {
            Course::Rush(rush) => rush.standing(),
            _ if puzzle.id.is_empty() => "your move".to_owned(),
            // How difficult it is would say too much before it is solved.
            _ if self.attempt.is_over() => format!("{}, rated {}", puzzle.id, puzzle.rating),
            _ => puzzle.id.clone(),
        }
    }

    fn paragraphs(&self) -> Vec<Paragraph> {
        let mut paragraphs = vec![Paragraph::new(self.heading(), self.attempt.task())];
        let hint = self.hint.iter().map(|hint| Paragraph::new("hint", hint.clone()));
        paragraphs.extend(hint);
        paragraphs.extend(self.said.iter().map(|said| Paragraph::new("", said.clone())));
        // The themes stand over the first reason.
        let themes = self.attempt.puzzle().themes.join(", ");
        for (at, line) in self.explained.iter().enumerate() {
            let heading = if at == 0 { format!("why: {themes}") } else { String::new() };
            paragraphs.push(Paragraph::new(heading, line.clone()));
        }
        paragraphs.extend(self.share.iter().map(|line| Paragraph::new("to share", line.clone())));
        paragraphs
    }

    pub(super) fn view(&self) -> BoardView<'_> {
        BoardView {
            title: format!("{}, {}", self.entry.name, self.course.name()),
            status: self.status(true),
            bare_status: Some(self.status(false)),
            ..self.shown().view(&self.input, Body::Texts(self.paragraphs()))
        }
    }

    /// The status line. Without a panel it says what stands there.
    fn status(&self, has_panel: bool) -> StatusLine {
        if let Some(status) = self.input.status() {
            return status;
        }
        let (text, role) = match (&self.wrong, &self.said, &self.hint) {
            (Some(_), Some(said), _) if !has_panel => (format!("! {said}"), Role::Wrong),
            (Some(wrong), ..) if wrong.shown < wrong.line.len() => {
                ("! This is wrong. Look what follows.".to_owned(), Role::Wrong)
            }
            (Some(_), ..) => ("! This is wrong. Any key takes it back.".to_owned(), Role::Wrong),
            (None, Some(said), _) if !has_panel => (said.clone(), Role::Strong),
            _ if has_panel => (self.attempt.board.status().unwrap_or_default(), Role::Text),
            (None, None, Some(hint)) => (hint.clone(), Role::Text),
            _ => match self.rush() {
                Some(rush) => (format!("{}. {}", rush.standing(), self.attempt.task()), Role::Text),
                None => (self.attempt.task(), Role::Text),
            },
        };
        StatusLine::brief(text, role)
    }
}
