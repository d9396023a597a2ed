//! The steps that people take in a match: moves made on the board or typed, undo and redo, and the choice of
//! another variation.

use super::{ENGINE_GOES_ON, ENGINE_MOVES, MatchScreen, ask_to_start_programs};
use crate::app::screen::Act;
use crate::app::tasks::{DiskTask, TerminalTask};
use crate::board::{Press, Reply};
use crate::play::{EngineTurn, Proposal, Wish};
use crate::session::{Refusal, explain_typed};

impl MatchScreen {
    pub(super) fn undo(&mut self) -> Vec<Act> {
        let done = self.open_match.change().undo(self.played);
        self.gone(done, ["taken back", "nothing to undo"])
    }

    pub(super) fn redo(&mut self) -> Vec<Act> {
        let done = self.open_match.change().redo(self.played);
        self.gone(done, ["played again", "nothing to redo"])
    }

    /// Notes what became of an undo or a redo.
    fn gone(
        &mut self,
        done: Result<Option<Proposal>, Refusal>,
        [taken, nothing]: [&str; 2],
    ) -> Vec<Act> {
        let done = match done {
            Ok(done) => done,
            Err(refusal) => {
                self.refusal = Some(format!("{refusal:#}"));
                None
            }
        };
        self.note = match done {
            Some(Proposal::Taken) => Some(taken.to_owned()),
            // The status line says what is asked as long as it is.
            Some(Proposal::Asked | Proposal::Withdrawn) => None,
            None => Some(nothing.to_owned()),
        };
        self.stepped(done == Some(Proposal::Taken))
    }

    /// After undo and redo: an engine to move waits, so that people can look round first.
    fn stepped(&mut self, done: bool) -> Vec<Act> {
        if !done {
            return Vec::new();
        }
        let acts = self.changed();
        if self.open_match.engine_to_move().is_some() {
            self.assistance.at_table = EngineTurn::Waits;
            let done = self.note.take().unwrap_or_default();
            self.note = Some(format!("{done}; {ENGINE_GOES_ON}"));
        }
        acts
    }

    /// Makes redo follow the next of the lines that branch here.
    pub(super) fn select_next_variation(&mut self) -> Vec<Act> {
        let selected = self.open_match.change().select_next_variation(self.played);
        let (mv, number, lines) = match selected {
            Ok(Some(selected)) => selected,
            Ok(None) => {
                self.note = Some("no other variation from here".to_owned());
                return Vec::new();
            }
            Err(refusal) => {
                self.refusal = Some(format!("{refusal:#}"));
                return Vec::new();
            }
        };
        self.note = Some(format!("redo plays {mv}, variation {number} of {lines}"));
        vec![Act::run(DiskTask::Save)]
    }

    /// Answers a key of the board, or Enter and Esc where they are about the match.
    pub(super) fn board_key(&mut self, press: Press) -> Vec<Act> {
        let asked = self.unconfirmed.take();
        if press == Press::Back && asked.is_some() {
            return Vec::new();
        }
        if press == Press::Choose
            && let Some(company) = self.company().filter(|company| !company.is_up())
        {
            if company.needs_login && !company.is_closed() {
                return vec![Act::run(TerminalTask::LogIn)];
            }
            return self.wish(Wish::TryNow);
        }
        if press == Press::Choose && self.open_match.needs_table() {
            return match ask_to_start_programs(&self.open_match) {
                Some(menu) => vec![Act::open(menu)],
                None => self.open_table_if_needed(),
            };
        }
        let over = self.open_match.current_match().outcome().is_some();
        let is_interlude = self.open_match.board.shows_interlude();
        if press == Press::Choose && self.open_match.engine_to_move().is_some() && !is_interlude {
            if self.open_match.program_to_permit().is_some() {
                return ask_to_start_programs(&self.open_match)
                    .map(Act::open)
                    .into_iter()
                    .collect();
            }
            if !self.assistance.at_table.go_on() {
                self.note = Some(ENGINE_MOVES.to_owned());
            }
            return Vec::new();
        }
        if press == Press::Choose && !is_interlude && self.open_match.turn_is_elsewhere() {
            self.note = Some(self.not_to_move());
            return Vec::new();
        }
        if over && press == Press::Choose && !is_interlude {
            return vec![self.result()];
        }
        let reply = self.open_match.board.press(press);
        match self.follow(reply, asked.as_deref()) {
            Some(acts) => acts,
            None if press == Press::Back && over => vec![self.result()],
            None if press == Press::Back => vec![self.pause_menu()],
            None => Vec::new(),
        }
    }

    /// Acts on a reply of the board; `None` if it ignored the key. If moves must be confirmed, a move other
    /// than `asked` is only asked about.
    pub(super) fn follow(&mut self, reply: Reply<String>, asked: Option<&str>) -> Option<Vec<Act>> {
        Some(match reply {
            Reply::Play(mv) if self.settings.confirm && asked != Some(&*mv) => {
                self.unconfirmed = Some(mv);
                Vec::new()
            }
            Reply::Play(mv) => {
                let done = self.open_match.change().play_move(&mv, self.played);
                match done {
                    Ok(Proposal::Taken) => self.changed(),
                    Ok(Proposal::Asked | Proposal::Withdrawn) => Vec::new(),
                    Err(refusal) => {
                        self.refusal = Some(format!("{refusal:#}"));
                        Vec::new()
                    }
                }
            }
            Reply::Refused(reason) => {
                self.refusal = Some(reason);
                Vec::new()
            }
            Reply::Handled => self.announce().into_iter().collect(),
            Reply::Ignored => return None,
        })
    }

    /// Plays the typed move. If it is refused, the text stays, to be corrected.
    pub(super) fn play_typed(&mut self) -> Option<Vec<Act>> {
        let text = self.typing.as_ref()?.text().trim().to_owned();
        let done = self.open_match.change().play(&text, self.played);
        match done {
            Ok(done) => {
                self.typing = None;
                Some(if done == Proposal::Taken { self.changed() } else { Vec::new() })
            }
            Err(refusal) => {
                self.refusal = Some(explain_typed(self.open_match.current_match(), &refusal));
                Some(Vec::new())
            }
        }
    }
}
