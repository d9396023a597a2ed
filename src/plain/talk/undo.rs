//! Undo, redo and the choice between lines.

use super::{ASKED_THE_OTHERS, TO_GO_ON, Talk};
use crate::play::{EngineTurn, Proposal};
use crate::rules::Seat;
use crate::wording::{list, sentence};
use crate::words::score;
use std::time::Duration;

impl Talk {
    pub(super) fn undo(&mut self, at: Duration) {
        let before = self.moves_and_scores();
        match self.table.undo(at) {
            Ok(Some(Proposal::Taken)) => {
                let players = self.players();
                let now = self.table.current_match();
                let taken = before.moves[now.ply()..].iter().rev();
                let taken = taken.map(|(seat, mv)| format!("{}'s {mv}", players.name(*seat)));
                let taken: Vec<String> = taken.collect();
                let what = match taken.len() {
                    0 => "The match goes on.".to_owned(),
                    1 => format!("{} is taken back.", taken[0]),
                    _ => format!("{} are taken back.", list(taken)),
                };
                let score = score(now, &players).filter(|_| now.scores() != before.scores);
                let score = score.map_or(String::new(), |score| format!(" {score}."));
                self.changed_by(&format!("{what}{score}"));
                self.let_engine_wait();
            }
            Ok(Some(Proposal::Asked)) => self.say(ASKED_THE_OTHERS),
            Ok(Some(Proposal::Withdrawn)) => {}
            Ok(None) => self.say("There is nothing to undo."),
            Err(refusal) => self.say(sentence(&format!("{refusal:#}"))),
        }
    }

    pub(super) fn redo(&mut self, at: Duration) {
        let before = self.moves_and_scores();
        match self.table.redo(at) {
            Ok(Some(Proposal::Taken)) => {
                // Each move is reported again, as when it was played.
                let plies = before.moves.len() + 1..=self.table.current_match().ply();
                let players = self.players();
                let mut copy = self.table.current_match().copy_line();
                for ply in plies {
                    copy.go_to_ply(ply);
                    self.said.extend(self.table.entry.in_words(&copy).last_move(&players));
                }
                let last = self.said.pop().unwrap_or_default();
                self.changed_by(&last);
                self.let_engine_wait();
            }
            Ok(Some(Proposal::Asked)) => self.say(ASKED_THE_OTHERS),
            Ok(Some(Proposal::Withdrawn)) => {}
            Ok(None) => self.say("There is nothing to redo."),
            Err(refusal) => self.say(sentence(&format!("{refusal:#}"))),
        }
    }

    /// After undo and redo an engine waits, so that people can look round first.
    fn let_engine_wait(&mut self) {
        if let Some(engine) = self.table.engine_to_move() {
            self.engine_turn = EngineTurn::Waits;
            self.say(format!("{} waits; {TO_GO_ON}.", engine.name()));
        }
    }

    /// The moves and scores before undo or redo.
    fn moves_and_scores(&self) -> MovesAndScores {
        let game = self.table.current_match();
        MovesAndScores { moves: game.moves().to_vec(), scores: game.scores() }
    }

    pub(super) fn select_next_variation(&mut self, at: Duration) {
        match self.table.select_next_variation(at) {
            Ok(Some((mv, number, lines))) => {
                self.has_changed = true;
                self.say(format!("Redo plays {mv}, variation {number} of {lines}."));
            }
            Ok(None) => self.say("There is no other variation from here."),
            Err(refusal) => self.say(sentence(&format!("{refusal:#}"))),
        }
    }
}

/// The moves and scores before undo or redo, to report the difference.
struct MovesAndScores {
    moves: Vec<(Seat, String)>,
    scores: Option<Vec<u32>>,
}
