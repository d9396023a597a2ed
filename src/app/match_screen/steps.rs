//! The steps that people take in a match: moves entered on the board or as text, undo, redo, and the choice of a
//! variation.

use super::{ENGINE_GOES_ON, MatchPhase, MatchScreen, ask_to_start_programs};
use crate::action::Action;
use crate::app::board_input::EntryResult;
use crate::app::screen::Effect;
use crate::app::tasks::{DiskTask, TerminalTask};
use quadrille_match::session::Refusal;
use quadrille_table::play::{ClientRequest, EngineTurn, Proposal};

impl MatchScreen {
    pub(super) fn undo(&mut self) -> Vec<Effect> {
        let done = self.open_match.change().undo(self.played);
        self.report_step(done, ["taken back", "nothing to undo"])
    }

    pub(super) fn redo(&mut self) -> Vec<Effect> {
        let done = self.open_match.change().redo(self.played);
        self.report_step(done, ["redone", "nothing to redo"])
    }

    /// Handles a completed undo or redo: if an engine is to move, it waits, so that people can look at the position.
    fn report_step(
        &mut self,
        done: Result<Option<Proposal>, Refusal>,
        [taken, nothing]: [&str; 2],
    ) -> Vec<Effect> {
        match done {
            Ok(Some(Proposal::Taken)) => {}
            // The status line shows the question as long as it is open.
            Ok(Some(Proposal::Asked | Proposal::Withdrawn)) => return Vec::new(),
            Ok(None) => {
                self.input.announce_note(nothing);
                return Vec::new();
            }
            Err(refusal) => {
                self.input.refuse(&refusal);
                return Vec::new();
            }
        }
        let effects = self.changed();
        if self.open_match.engine_to_move().is_some() {
            self.assistance.at_table = EngineTurn::Waits;
            self.input.show_note(format!("{taken}; {ENGINE_GOES_ON}"));
        } else {
            self.input.show_note(taken);
        }
        effects
    }

    /// Selects the next variation of this position for redo.
    pub(super) fn select_next_variation(&mut self) -> Vec<Effect> {
        let selected = self.open_match.change().select_next_variation(self.played);
        let (mv, number, lines) = match selected {
            Ok(Some(selected)) => selected,
            Ok(None) => {
                self.input.announce_note("no other variation here");
                return Vec::new();
            }
            Err(refusal) => {
                self.input.refuse(&refusal);
                return Vec::new();
            }
        };
        self.input.announce_note(format!("redo plays {mv}, variation {number} of {lines}"));
        vec![Effect::run(DiskTask::Save)]
    }

    /// Performs an action of the board, or Enter or Esc if they concern the match; `None` for other actions.
    pub(super) fn board_key(&mut self, action: Action) -> Option<Vec<Effect>> {
        if action == Action::Choose
            && let Some(effects) = self.choose_beside_board()
        {
            return Some(effects);
        }
        let over = self.open_match.current_match().outcome().is_some();
        let entered = self.input.perform(action, &mut self.open_match);
        let effects = self.follow(entered);
        effects.or_else(|| match action {
            Action::Back if over => Some(vec![self.result()]),
            Action::Back => Some(vec![self.pause_menu()]),
            _ => None,
        })
    }

    /// Handles Enter when it does not apply to the board.
    pub(super) fn choose_beside_board(&mut self) -> Option<Vec<Effect>> {
        if let Some(peers) = self.peers().filter(|peers| !peers.is_up()) {
            if peers.needs_login && !peers.is_closed() {
                return Some(vec![Effect::run(TerminalTask::LogIn)]);
            }
            return Some(self.send_request(ClientRequest::TryNow));
        }
        let permit =
            || ask_to_start_programs(&self.open_match).map(|menu| vec![Effect::open(menu)]);
        match self.phase() {
            MatchPhase::Interlude | MatchPhase::Here => return None,
            MatchPhase::NoTable => return permit().or_else(|| Some(self.open_table_if_needed())),
            MatchPhase::ProgramToPermit => return permit(),
            MatchPhase::Over => return Some(vec![self.result()]),
            MatchPhase::Engine if self.assistance.at_table.go_on() => {}
            MatchPhase::Engine | MatchPhase::Elsewhere => {
                self.input.announce_note(self.not_to_move());
            }
        }
        Some(Vec::new())
    }

    /// Handles the result of board input; `None` if it changes nothing.
    pub(super) fn follow(&mut self, entered: EntryResult) -> Option<Vec<Effect>> {
        Some(match entered {
            EntryResult::Move(mv) => {
                let done = self.open_match.change().play_move(&mv, self.played);
                self.report_proposal(done)
            }
            EntryResult::Chat(line) if !line.is_empty() => self.say(line),
            EntryResult::Chat(_) | EntryResult::Changed => Vec::new(),
            EntryResult::Nothing => return None,
        })
    }

    pub(super) fn report_proposal(&mut self, done: Result<Proposal, Refusal>) -> Vec<Effect> {
        match done {
            Ok(Proposal::Taken) => return self.changed(),
            Ok(Proposal::Asked | Proposal::Withdrawn) => {}
            Err(refusal) => self.input.refuse(&refusal),
        }
        Vec::new()
    }
}
