//! How a puzzle is drawn: the board, and beside it what is asked and what was said.

use super::PuzzleScreen;
use crate::app::Context;
use crate::app::open_match::MatchView;
use crate::app::panel::{self, MatchLayout, PanelContent, Paragraph};
use crate::puzzles::Course;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;

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

    pub(super) fn draw_puzzle(
        &self,
        context: &Context,
        places: MatchLayout,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        context.status_line.set(Some(places.status));
        let title = format!("{}, {}", self.entry.name, self.course.name());
        let paragraphs = self.paragraphs();
        let content = PanelContent {
            title: Some(&title),
            text: Some(&paragraphs),
            ..PanelContent::default()
        };
        panel::draw(self.shown(), content, places, context.skin, buffer);
        context.targets.note(places.board, crate::app::targets::Target::Board);
        if let Some(field) = &self.typing {
            let refused = self.refusal.as_deref();
            return Some(panel::draw_typing(field, refused, context, places.status, buffer));
        }
        let (message, style) = self.status(places.panel.is_some(), context);
        let rows = places.message_rows(&*self.attempt.board, true);
        panel::draw_message(&message, rows, style, places.status, context, buffer);
        None
    }

    /// The status line. Without a panel it says what stands there.
    fn status(&self, has_panel: bool, context: &Context) -> (String, ratatui::style::Style) {
        let skin = context.skin;
        if let Some(refusal) = &self.refusal {
            return (format!("! {refusal}"), skin.wrong());
        }
        if let Some(note) = &self.note {
            return (note.clone(), skin.plain());
        }
        if let Some(mv) = &self.unconfirmed {
            return (format!("{mv}? Enter plays it, Esc cancels"), skin.plain());
        }
        match (&self.wrong, &self.said) {
            (Some(_), Some(said)) if !has_panel => return (format!("! {said}"), skin.wrong()),
            (Some(wrong), _) if wrong.shown < wrong.line.len() => {
                return ("! This is wrong. Look what follows.".to_owned(), skin.wrong());
            }
            (Some(_), _) => {
                return ("! This is wrong. Any key takes it back.".to_owned(), skin.wrong());
            }
            (None, Some(said)) if !has_panel => return (said.clone(), skin.strong()),
            _ => {}
        }
        let board = self.attempt.board.status();
        let text = match (has_panel, &self.hint) {
            (true, _) => board.unwrap_or_default(),
            (false, Some(hint)) => hint.clone(),
            (false, None) => match self.rush() {
                Some(rush) => format!("{}. {}", rush.standing(), self.attempt.task()),
                None => self.attempt.task(),
            },
        };
        (text, skin.plain())
    }
}
