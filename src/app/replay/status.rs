//! The status line of a replay.

use super::ReplayScreen;
use crate::app::review::Review;
use crate::view::{Announcement, StatusLine, Track};
use quadrille_scene::Role;

impl ReplayScreen {
    /// Returns the text after the move number and the progress bar.
    fn words(&self, has_panel: bool) -> Vec<String> {
        if let Some(said) = self.input.status() {
            return vec![said.text];
        }
        let reviewed = self.review.as_ref().map(|review| {
            if has_panel {
                vec![review.place(self.ply)]
            } else {
                review.words(self.ply, self.record.match_view())
            }
        });
        let followed = self.follow_status();
        reviewed
            .into_iter()
            .flatten()
            .chain(followed)
            .chain(self.line_in_words(has_panel))
            .collect()
    }

    /// Returns the texts about the position: how the review ended, and the variation or the result.
    pub(super) fn place(&self) -> Vec<String> {
        let review = self.review.as_ref().filter(|review| review.is_done());
        let reviewed = review.map(|review| review.place(self.ply));
        reviewed.into_iter().chain(self.line_in_words(true)).collect()
    }

    /// Announces the texts about the position once.
    pub(super) fn announce_place(&mut self) {
        let game = self.record.current_match();
        let is_reviewed = self.review.as_ref().is_some_and(Review::is_done);
        let place = (self.ply, self.line.len(), game.next_node(game.node()), is_reviewed);
        if self.announced.replace(place) != Some(place) {
            for words in self.place() {
                self.input.announce(Announcement::Event(words));
            }
        }
    }

    /// Names the variation in view; at the end of the line, gives the result, and the moves taken back from there.
    fn line_in_words(&self, has_panel: bool) -> Option<String> {
        let game = self.record.current_match();
        let (moves, followed) = game.branches();
        let has_ended = self.ended == Some(game.node());
        match followed {
            Some(_) if has_ended && self.record.end.is_some() => {
                let result = self.record.match_view().result();
                let taken_back = format!("taken back: {}", moves.join(", "));
                let both = [result, taken_back].into_iter().filter(|words| !words.is_empty());
                Some(both.collect::<Vec<_>>().join("; "))
            }
            Some(line) if moves.len() > 1 => {
                let word = if has_panel { "variation" } else { "var." };
                Some(format!("{word} {}/{} {}", line + 1, moves.len(), moves[line]))
            }
            Some(line) if has_ended => Some(format!("{} was taken back", moves[line])),
            Some(_) => None,
            None => Some(self.record.match_view().result()).filter(|result| !result.is_empty()),
        }
    }

    /// Returns the player's evaluation of the last move, longest form first: `Strong: +1.5, 8 plies, 0.02 s`, then the
    /// forms without the name.
    fn thought(&self) -> Vec<String> {
        let last = self.ply.checked_sub(1);
        let thought = last.and_then(|last| Some((*self.comments.get(last)?)?.in_words()));
        match (thought, last.and_then(|last| self.line.get(last))) {
            (Some(thought), Some((seat, _))) => {
                vec![format!("{}: {thought}", self.record.match_view().name(*seat)), thought]
            }
            _ => Vec::new(),
        }
    }

    /// Returns `move 7 of 12`, the speed of a running replay, and the text about the position.
    pub(super) fn status(&self, has_panel: bool) -> StatusLine {
        let (ply, plies) = (self.ply, self.line.len());
        let text = match self.digits {
            Some(digits) => format!("go to move {digits}_ of {plies}"),
            // Without a panel, the text about the move needs the space.
            None if !has_panel && (self.review.is_some() || !self.comments.is_empty()) => {
                format!("{ply}/{plies}")
            }
            None => format!("move {ply} of {plies}"),
        };
        let runs = self.runs.then(|| ">".repeat(self.speed + 1));
        let mut words = runs.into_iter().chain(self.words(has_panel));
        let track = Some(Track { text, ply, plies });
        let text = words.next().unwrap_or_default();
        let more = words.map(|words| vec![words]).chain([self.thought()]).collect();
        // A note may cover part of the board, because the next key dismisses it.
        let line = match self.input.status() {
            Some(_) => StatusLine::brief(text, Role::Text),
            None => StatusLine::new(text, Role::Text),
        };
        StatusLine { track, more, ..line }
    }
}
