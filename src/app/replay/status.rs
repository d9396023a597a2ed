//! The status line of a replay.

use super::ReplayScreen;
use crate::app::panel::{self, MatchLayout};
use crate::app::{Context, text};
use crate::scene::Role;
use ratatui::buffer::Buffer;

/// The least and the most columns of the progress bar.
const BAR: (u16, u16) = (4, 40);

impl ReplayScreen {
    /// The words behind the move number and the progress bar.
    fn words(&self, has_panel: bool) -> Vec<String> {
        if let Some(said) = self.input.status() {
            return vec![said.text];
        }
        let reviewed = self.review.as_ref().map(|review| {
            if has_panel {
                vec![review.place(self.ply)]
            } else {
                review.words(self.ply, self.record.shown())
            }
        });
        let followed = self.follow_in_words();
        reviewed
            .into_iter()
            .flatten()
            .chain(followed)
            .chain(self.line_in_words(has_panel))
            .collect()
    }

    /// Which of the variations that branch here is followed; at the end, the result.
    fn line_in_words(&self, has_panel: bool) -> Option<String> {
        let (moves, followed) = self.record.current_match().branches();
        match followed {
            Some(line) if moves.len() > 1 => {
                let word = if has_panel { "variation" } else { "var." };
                Some(format!("{word} {}/{} {}", line + 1, moves.len(), moves[line]))
            }
            Some(_) => None,
            None => Some(self.record.shown().result()).filter(|result| !result.is_empty()),
        }
    }

    /// What its player thought of the last move, the longest form first: `Strong: +1.5, 8 plies, 0.02 s`, and the same
    /// without the name.
    fn thought(&self) -> Vec<String> {
        let last = self.ply.checked_sub(1);
        let thought = last.and_then(|last| Some((*self.comments.get(last)?)?.in_words()));
        match (thought, last.and_then(|last| self.line.get(last))) {
            (Some(thought), Some((seat, _))) => {
                vec![format!("{}: {thought}", self.record.shown().name(*seat)), thought]
            }
            _ => Vec::new(),
        }
    }

    /// Draws `move 7 of 12`, a bar as wide as there is room, the speed while it runs, and words.
    pub(super) fn draw_status(&self, context: &Context, places: MatchLayout, buffer: &mut Buffer) {
        let (area, skin) = (places.status, context.skin);
        let room = |x: u16| area.right().saturating_sub(x) as usize;
        let (ply, plies) = (self.ply, self.line.len());
        let text = match self.digits {
            Some(digits) => format!("go to move {digits}_ of {plies}"),
            // Without a panel the words about the move need the room.
            None if places.panel.is_none()
                && (self.review.is_some() || !self.comments.is_empty()) =>
            {
                format!("{ply}/{plies}")
            }
            None => format!("move {ply} of {plies}"),
        };
        let (x, y) = buffer.set_stringn(area.x, area.y, &text, room(area.x), skin.strong());
        let runs = self.runs.then(|| ">".repeat(self.speed + 1));
        let mut texts: Vec<String> =
            runs.into_iter().chain(self.words(places.panel.is_some())).collect();
        if let (Some(words), None) = (texts.first(), places.panel)
            && 2 + text::width(words) > room(x)
        {
            // The next key takes a note away, so it may cover a part of the board.
            let rows =
                places.message_rows(&*self.record.viewer.board, self.input.status().is_some());
            let message = format!("{text}  {words}");
            panel::draw_message(&message, rows, skin.plain(), area, context, buffer);
            return;
        }
        let taken =
            |texts: &[String]| texts.iter().map(|text| 2 + text::width(text)).sum::<usize>();
        let left = room(x).saturating_sub(taken(&texts));
        texts.extend(self.thought().into_iter().find(|text| 2 + text::width(text) <= left));
        let taken = taken(&texts);
        let spare = room(x).saturating_sub(taken + 2) as u16;
        let mut x = x;
        if plies > 0 && spare >= BAR.0 {
            let width = usize::from(spare.min(BAR.1));
            let done = width * ply / plies;
            let glyphs = skin.glyphs();
            let bar = glyphs.bar.to_string().repeat(done);
            let rest = glyphs.ghost[0].to_string().repeat(width - done);
            (x, _) = buffer.set_stringn(x + 2, y, bar, done, skin.dim());
            (x, _) = buffer.set_stringn(x, y, rest, width - done, skin.style(Role::Faint));
        }
        for (index, text) in texts.into_iter().enumerate() {
            if index > 0 && text::width(&text) > room(x + 2) {
                break;
            }
            (x, _) = text::put((x + 2, y), &text, room(x + 2), skin.plain(), skin, buffer);
        }
    }
}
