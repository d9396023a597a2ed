//! What engines do in plain mode: they move, and help people.

use super::{TO_GO_ON, Talk, wrapped};
use crate::engine::ValueFormat;
use crate::play::{Ask, EngineEvent, EngineOutcome, EngineTurn, NO_HINTS_HERE};
use crate::search::Report;
use crate::session::Termination;
use crate::settings::NO_HINTS;
use crate::wording::{self, sentence};
use crate::words::turn;
use std::time::Duration;

impl Talk {
    /// Asks an engine to help the person to move.
    pub(super) fn ask(&mut self, ask: Ask) {
        if !self.may_help() {
            self.say(sentence(self.no_hints()));
        } else if self.table.current_match().to_move().is_none() {
            self.say(turn(self.table.current_match(), self.table.players()));
        } else if self.table.engine_to_move().is_some() {
            self.say(format!("It is an engine's turn; {TO_GO_ON}."));
        } else {
            self.asked = Some(ask);
        }
    }

    fn may_help(&self) -> bool {
        self.has_hints && self.table.peers().is_none_or(|company| company.has_hints)
    }

    /// Why nobody is helped: the table is without hints, or the settings are.
    fn no_hints(&self) -> &'static str {
        let here = self.table.peers().filter(|company| !company.has_hints);
        here.map_or(NO_HINTS, |_| NO_HINTS_HERE)
    }

    /// Says which chains there are, or whatever else the notes of the game tell.
    pub(super) fn tell_notes(&mut self) {
        if self.table.entry.words.about_notes.is_none() {
            let game = self.table.entry.name;
            self.say(format!("There are no chains in {game}."));
        } else if !self.may_help() {
            self.say(sentence(self.no_hints()));
        } else if self.table.current_match().to_move().is_none() {
            self.say(turn(self.table.current_match(), self.table.players()));
        } else {
            let notes = self.in_words().notes(self.table.players());
            self.said.extend(notes.sentences.iter().flat_map(|line| wrapped(line)));
        }
    }

    /// Takes an event of the engine that was asked.
    pub fn engine_event(&mut self, event: EngineEvent, at: Duration) {
        match self.engine_turn.hear(event, &self.table) {
            EngineOutcome::Nothing | EngineOutcome::Starting => {}
            EngineOutcome::Move(_)
            | EngineOutcome::Forfeit { .. }
            | EngineOutcome::Help(EngineEvent::Chosen { .. })
                if self.flag(at) => {}
            EngineOutcome::Move(mv) => match self.table.play_for_engine(&mv, at) {
                Ok(()) => self.changed_by_engine(),
                Err(why) => {
                    self.engine_turn = EngineTurn::Waits;
                    self.engine_failed(&why);
                }
            },
            EngineOutcome::Forfeit { reason, messages } => {
                self.table.forfeit(&reason, at);
                self.changed_by_engine();
                if let Some(path) = messages {
                    self.say(format!(
                        "What it wrote to its standard error is in {}.",
                        path.display()
                    ));
                }
            }
            EngineOutcome::Failed(why) => self.engine_failed(&why),
            EngineOutcome::Help(event) => self.hear_help(event),
        }
    }

    fn hear_help(&mut self, event: EngineEvent) {
        match event {
            EngineEvent::Chosen { mv, why, report } => {
                self.asked = None;
                self.has_changed |= self.table.note_help();
                let worth = ValueFormat::of(self.table.current_match()).hint_in_words(report.value);
                let why = why.map(|why| self.table.with_name(&why)).unwrap_or_default();
                let hint = wording::hint(&mv, &why, &worth);
                self.say(format!("Hint: {hint}."));
            }
            EngineEvent::Done(report) => {
                self.asked = None;
                self.has_changed |= self.table.note_help();
                self.tell_values(&report);
            }
            EngineEvent::Failed(why) => {
                self.asked = None;
                self.say(sentence(&why));
            }
            _ => {}
        }
    }

    /// Says the move of an engine, or that a program has forfeited the match.
    fn changed_by_engine(&mut self) {
        match self.table.current_match().termination() {
            Some(Termination::Forfeit(..)) => self.changed_by(""),
            _ => self.changed(),
        }
    }

    fn engine_failed(&mut self, why: &str) {
        self.asked = None;
        self.say(format!("{} Type an empty line to try again.", sentence(why)));
    }

    /// Says what the moves are worth, the best first; moves of the same worth share a line.
    fn tell_values(&mut self, report: &Report<String>) {
        let value_format = ValueFormat::of(self.table.current_match());
        let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
        for rated in &report.moves {
            // In a game of rounds, the score of this round tells more.
            let worth = match rated.round_value {
                Some(value) => ValueFormat::Round.in_words(value.into()),
                None => value_format.in_words(rated.value),
            };
            match groups.iter_mut().find(|(known, _)| *known == worth) {
                Some((_, moves)) => moves.push(&rated.mv),
                None => groups.push((worth, vec![&rated.mv])),
            }
        }
        let lines = groups.iter().flat_map(|(worth, moves)| {
            let worth = if worth.is_empty() { "not known" } else { worth };
            wrapped(&format!("{}: {}.", sentence(worth).trim_end_matches('.'), moves.join(", ")))
        });
        let lines: Vec<String> = lines.collect();
        if lines.is_empty() {
            self.say("Nothing is known of the moves.");
        }
        self.said.extend(lines);
    }
}
