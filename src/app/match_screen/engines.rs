//! Engine events in the match on the screen: from the engine or program at the table, and from the helper.

use super::MatchScreen;
use crate::app::board_input::Message;
use crate::app::screen::Effect;
use crate::app::tasks::TerminalTask;
use quadrille_match::session::Forfeit;
use quadrille_table::play::{EngineEvent, EngineOutcome, EngineTurn};
use std::path::Path;

impl MatchScreen {
    /// Handles an event of an engine at the table or of the helper; `None` if it changes nothing.
    pub(super) fn take_engine_event(&mut self, event: EngineEvent) -> Option<Vec<Effect>> {
        Some(match self.assistance.at_table.on_event(event, &self.open_match) {
            EngineOutcome::Nothing => return None,
            EngineOutcome::Starting => Vec::new(),
            EngineOutcome::Move(mv) => {
                let mv = self.pace.found(mv)?;
                self.play_for_engine(&mv)
            }
            EngineOutcome::Forfeit { reason, messages } => {
                self.program_forfeits(&reason, messages.as_deref())
            }
            EngineOutcome::Failed(why) => self.engine_failed(&why),
            EngineOutcome::Help(event) => self.take_help(event).into_iter().collect(),
        })
    }

    fn take_help(&mut self, event: EngineEvent) -> Option<Effect> {
        if let EngineEvent::Failed(why) = &event {
            self.input.refuse(&why);
        }
        let is_hint = matches!(event, EngineEvent::Chosen { .. });
        let hint = self.assistance.hint_line(&self.open_match);
        let is_noted = hint.is_some_and(|hint| self.input.is_noted(&hint));
        self.assistance.take_event(event, &self.open_match, self.played);
        if let Some(mv) = self.assistance.hinted().filter(|_| is_hint) {
            self.open_match.board.focus_move(mv);
        }
        if let Some(hint) = self.assistance.hint_line(&self.open_match)
            && (is_hint || is_noted)
        {
            // Until the next key press the whole hint is visible; on a small screen it covers part of the board.
            self.input.announce_note(hint);
        }
        self.put_labels()
    }

    pub(super) fn play_for_engine(&mut self, mv: &str) -> Vec<Effect> {
        let done = self.open_match.change().play_for_engine(mv, self.played);
        if let Err(why) = done {
            return self.engine_failed(&why);
        }
        self.open_match.board.focus_move(mv);
        // The note was about the previous position.
        self.input.dismiss_if(|message| matches!(message, Message::Note(_)));
        let mut effects = self.changed();
        if self.settings.bell && self.person_is_to_move() {
            effects.push(Effect::run(TerminalTask::Bell));
        }
        effects
    }

    fn program_forfeits(&mut self, reason: &Forfeit, messages: Option<&Path>) -> Vec<Effect> {
        let program = self.open_match.name_to_move();
        let message = Self::forfeit_message(program, reason, messages);
        self.open_match.change().forfeit(reason, self.played);
        self.result_shown = true;
        self.changed().into_iter().chain([message]).collect()
    }

    fn engine_failed(&mut self, why: &str) -> Vec<Effect> {
        self.assistance.at_table = EngineTurn::Waits;
        self.input.refuse(&format!("{why}; Enter to retry"));
        Vec::new()
    }
}
