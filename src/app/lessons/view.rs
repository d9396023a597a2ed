//! The view of a lesson: the board, and beside it the text of the current step.

use super::LessonScreen;
use crate::action::Action;
use crate::view::{BoardView, PanelBody, Paragraph, StatusLine};
use quadrille_puzzles::lessons::LessonPhase;
use quadrille_puzzles::who_plays;
use quadrille_scene::Role;

impl LessonScreen {
    pub(super) fn board_view(&self) -> BoardView<'_> {
        let lesson = self.lesson.lesson();
        let step = format!("{} of {}", self.lesson.at() + 1, lesson.steps.len());
        BoardView {
            page: self.lesson.at() as u64,
            title: lesson.title.clone(),
            subtitle: vec![format!("{}, step {step}", lesson.entry.name), step],
            click: self.waits().then_some(Action::Choose),
            waits_for: self.waits().then(|| self.what_enter_does().to_owned()),
            status: self.status(),
            ..self.match_view().view(&self.input, PanelBody::Lesson(self.paragraphs()))
        }
    }

    /// Returns the text of the step, or the feedback on the user's move, with a heading.
    fn paragraphs(&self) -> Vec<Paragraph> {
        let says = |text: String, role| Paragraph { role, ..Paragraph::new("", text) };
        let mut words = match self.lesson.phase() {
            LessonPhase::Asked => Vec::new(),
            LessonPhase::Right => vec![says("Right.".to_owned(), Role::Good)],
            LessonPhase::Wrong { verdict, .. } => {
                let verdict = verdict.as_deref().unwrap_or("Not that one. Try again");
                vec![says(format!("{verdict}."), Role::Wrong)]
            }
            LessonPhase::Over => vec![match self.lesson.skipped() {
                None => says("Lesson done.".to_owned(), Role::Good),
                Some(skipped) => {
                    says(format!("{skipped}, so this lesson is not done yet."), Role::Strong)
                }
            }],
        };
        if *self.lesson.phase() == LessonPhase::Over {
            let source = self.lesson.lesson().source.iter();
            words.extend(source.map(|source| Paragraph::new("", format!("After {source}."))));
            let next = self.next_lesson();
            words.extend(next.map(|next| Paragraph::new("", format!("Next: {}.", next.title))));
        } else {
            words.push(Paragraph::new("", self.lesson.text()));
        }
        words.extend(self.answer().map(|answer| says(answer, Role::Dim)));
        words
    }

    /// Describes the moves played in reply to a wrong move.
    fn answer(&self) -> Option<String> {
        let LessonPhase::Wrong { ply, .. } = self.lesson.phase() else { return None };
        let moves = self.lesson.current_match().moves().get(ply + 1..)?;
        let you = self.lesson.learner()?;
        (!moves.is_empty()).then(|| format!("Then {}.", who_plays(moves, you)))
    }

    fn status(&self) -> StatusLine {
        if let Some(status) = self.input.status() {
            status
        } else if self.lesson.asks() {
            StatusLine::idle(self.lesson.board.status(true).unwrap_or_default())
        } else {
            StatusLine::new(self.what_enter_does(), Role::Dim)
        }
    }

    pub(super) fn what_enter_does(&self) -> &'static str {
        match self.lesson.phase() {
            LessonPhase::Wrong { .. } => "Enter: take back",
            LessonPhase::Over if self.next_lesson().is_some() => "Enter: next lesson",
            LessonPhase::Over => "Enter: close the lesson",
            _ if self.lesson.at() + 1 == self.lesson.lesson().steps.len() => {
                "Enter: end the lesson"
            }
            _ => "Enter: continue",
        }
    }
}
