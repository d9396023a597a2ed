//! Reviews in a replay: their beginning, their end, and the steps from mistake to mistake.

use super::ReplayScreen;
use crate::app::Context;
use crate::app::open_match::OpenRecord;
use crate::app::review::{MAX_PLIES, Review};
use crate::app::screen::Effect;
use crate::app::statistics::Accuracy;
use crate::app::tasks::DiskTask;
use quadrille_match::store::progress::Event;

impl ReplayScreen {
    /// Opens a match in its final position and begins a review. When the review is done, it goes to the first mistake.
    pub(in crate::app) fn reviewed(record: OpenRecord) -> ReplayScreen {
        let mut replay = ReplayScreen::new(record);
        replay.review();
        replay.is_review = true;
        replay.go_to_ply(replay.line.len());
        replay
    }

    pub(super) fn review(&mut self) {
        let ply = self.ply;
        self.review = match self.review.take() {
            Some(_) => None,
            None => Review::of(&self.record, &self.line),
        };
        self.goes_to_mistake = self.review.is_some();
        if self.line.is_empty() {
            self.input.announce_note("no moves to review");
        } else if self.line.len() > MAX_PLIES {
            self.input
                .announce_note(format!("only matches of up to {MAX_PLIES} moves can be reviewed"));
        }
        self.go_to_ply(ply);
    }

    pub(super) fn step_to_mistake(&mut self, forward: bool) {
        let Some(review) = &self.review else { return };
        let ply = self.ply;
        let found = if forward {
            review.mistakes().find(|&mistake| mistake > ply)
        } else {
            review.mistakes().rfind(|&mistake| mistake < ply)
        };
        self.runs = false;
        match found {
            Some(found) => self.go_to_ply(found),
            None if review.is_done() => {
                let words = if forward { "no later mistake" } else { "no earlier mistake" };
                self.input.announce_note(words);
            }
            None => self.input.announce_note("review unfinished: no other mistake so far"),
        }
    }

    /// Returns the event for the user's accuracy in a match whose review is complete.
    pub(super) fn note_review(&self, context: &Context) -> Option<Effect> {
        let (review, filed) = (self.review.as_ref()?, self.record.filed.as_ref()?);
        if context.progress.leaves_out(&filed.date, &filed.fingerprint) {
            return None;
        }
        let seat = self.record.own_seat(context)?;
        let Accuracy { moves, best, lost } = review.accuracy(seat);
        let event = Event::Review {
            at: context.moment(),
            record: filed.fingerprint.clone(),
            game: self.record.entry.id.to_owned(),
            seat: seat.index() + 1,
            moves,
            best,
            lost,
        };
        Some(Effect::run(DiskTask::Append(vec![event])))
    }

    /// Completes the review, and goes to the first mistake unless a key was pressed.
    pub(super) fn end_review(&mut self) {
        let Some(review) = &mut self.review else { return };
        review.end();
        let first = review.mistakes().next();
        match (self.goes_to_mistake, first) {
            (true, Some(first)) => self.go_to_ply(first),
            (true, None) => self.input.announce_note("no mistakes found"),
            (false, _) => self.show(),
        }
        self.goes_to_mistake = false;
    }
}
