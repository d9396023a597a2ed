//! How a lesson is drawn: the board, and beside it what the step says.

use super::LessonScreen;
use crate::action::Action;
use crate::app::board_input::StatusLine;
use crate::app::panel::{self, MARGIN, MatchLayout};
use crate::app::targets::Target;
use crate::app::{Context, text};
use crate::puzzles::lessons::Phase;
use crate::puzzles::who_plays;
use crate::scene::{Role, Skin};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::Style;

/// The rows that the words need beside the board: at least as many as the longest text has in 26 columns.
const WORDS: u16 = 14;
/// The least and the most columns of the board where there is little room: as many as the words leave.
const NARROW: u16 = 14;
const WIDE: u16 = 22;

impl LessonScreen {
    pub(super) fn draw_all(
        &self,
        context: &Context,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let (skin, shown) = (context.skin, self.shown());
        let places = MatchLayout::of(&*self.lesson.board, 0, area);
        self.draw_title(places.title, skin, buffer);
        let (board, words) = if let Some(panel) = places.panel {
            let board = places.board;
            (board, panel::draw_beside_words(shown, WORDS, board, panel, skin, buffer))
        } else {
            let room = places.board;
            let beside = |board: u16| area.right().saturating_sub(room.x + board + MARGIN + 1);
            let said = self.lesson.text();
            let fits = |board: &u16| text::fits(said, beside(*board).into(), room.height);
            let width = (NARROW..=WIDE).rev().find(fits).unwrap_or(NARROW).min(room.width);
            let most = Size { width, height: room.height };
            let width = self.lesson.board.size(most).width.min(most.width);
            let board = Rect { width, ..room };
            shown.board.draw(board, buffer, skin);
            let x = board.right() + MARGIN;
            (board, Rect { x, width: area.right().saturating_sub(x + 1), ..room })
        };
        context.status_line.set(Some(places.status));
        self.draw_words(words, context, buffer);
        let target = if self.waits() { Target::Action(Action::Choose) } else { Target::Board };
        context.targets.note(board, target);
        if self.waits() {
            context.targets.note(words, target);
        }
        panel::draw_status(&self.input, &self.status(), shown.board, places, context, buffer)
    }

    /// Draws the title of the lesson, and which step this is.
    fn draw_title(&self, area: Rect, skin: Skin, buffer: &mut Buffer) {
        let lesson = self.lesson.lesson();
        let (at, steps) = (self.lesson.at() + 1, lesson.steps.len());
        let room = |x: u16| area.right().saturating_sub(x) as usize;
        let (x, y) =
            text::put((area.x, area.y), &lesson.title, room(area.x), skin.strong(), skin, buffer);
        let game = format!("{}, step {at} of {steps}", lesson.entry.name);
        let step =
            if text::width(&game) + 2 <= room(x) { game } else { format!("{at} of {steps}") };
        text::put((x + 2, y), &step, room(x + 2), skin.dim(), skin, buffer);
    }

    /// Draws what the step says, or what is said to a try, with a heading.
    fn draw_words(&self, area: Rect, context: &Context, buffer: &mut Buffer) {
        let skin = context.skin;
        let mut words: Vec<(String, Style)> = Vec::new();
        match self.lesson.phase() {
            Phase::Right => words.push(("Right.".to_owned(), skin.style(Role::Good))),
            Phase::Wrong { verdict, .. } => {
                let said =
                    verdict.as_ref().map_or("Not that.".to_owned(), |said| format!("{said}."));
                words.push((said, skin.wrong()));
            }
            Phase::Over => words.push(match self.lesson.skipped() {
                None => ("The lesson is done.".to_owned(), skin.style(Role::Good)),
                Some(skipped) => {
                    let key = context.settings.keys.name(Action::PageUp);
                    let said =
                        format!("{skipped}, so the lesson is not done yet: {key} goes back.");
                    (said, skin.strong())
                }
            }),
            Phase::Asked => {}
        }
        match self.lesson.phase() {
            Phase::Over => {
                let source = &self.lesson.lesson().source;
                words
                    .extend(source.iter().map(|source| (format!("After {source}."), skin.plain())));
                let next = self.next_lesson();
                words.extend(next.map(|next| (format!("Next: {}.", next.title), skin.plain())));
            }
            _ => words.push((self.lesson.text().to_owned(), skin.plain())),
        }
        if let Some(answer) = self.answer() {
            words.push((answer, skin.dim()));
        }
        let mut y = area.y;
        let air = u16::from(area.height > 12);
        for (words, style) in words {
            let rows = area.bottom().saturating_sub(y);
            for row in text::wrap(&words, area.width.into(), rows.into(), skin) {
                buffer.set_stringn(area.x, y, row, area.width.into(), style);
                y += 1;
            }
            y += air;
        }
    }

    /// What was played after a wrong try.
    fn answer(&self) -> Option<String> {
        let Phase::Wrong { ply, .. } = self.lesson.phase() else { return None };
        let moves = self.lesson.current_match().moves().get(ply + 1..)?;
        let you = self.lesson.learner()?;
        (!moves.is_empty()).then(|| format!("Then {}.", who_plays(moves, you)))
    }

    fn status(&self) -> StatusLine {
        let status = self.input.status();
        status.unwrap_or_else(|| match self.lesson.asks() {
            true => StatusLine::new(self.lesson.board.status().unwrap_or_default(), Role::Text),
            false => StatusLine::new(self.what_enter_does(), Role::Dim),
        })
    }

    fn what_enter_does(&self) -> &'static str {
        match self.lesson.phase() {
            Phase::Wrong { .. } => "Enter takes it back",
            Phase::Over if self.next_lesson().is_some() => "Enter begins the next lesson",
            Phase::Over => "Enter closes the lesson",
            _ if self.lesson.at() + 1 == self.lesson.lesson().steps.len() => {
                "Enter ends the lesson"
            }
            _ => "Enter goes on",
        }
    }
}
