//! The status line of a match.

use super::states::LastingState;
use super::{MatchPhase, MatchScreen};
use crate::app::Context;
use crate::app::board_input::Message;
use crate::board::MoveQuality;
use crate::view::{StatusLine, StatusRoom};
use quadrille_scene::Role;
use quadrille_table::play::{Attendance, Peers};

impl MatchScreen {
    fn board_status(&self) -> Option<String> {
        self.open_match.board.status(self.settings.hints && self.may_help())
    }

    /// Describes the place under the cursor, and gives the value of the move there.
    fn status_with_value(&self) -> Option<String> {
        match (self.board_status(), self.move_value()) {
            (Some(here), Some(value)) => Some(format!("{here}   {value}")),
            (here, value) => here.or(value),
        }
    }

    /// Returns the value of the move under the cursor, if move values are shown.
    fn move_value(&self) -> Option<String> {
        let label = self.open_match.board.label_at_cursor()?;
        let known = match label.rank {
            MoveQuality::Best => ", best",
            MoveQuality::Open => " so far",
            _ => "",
        };
        Some(format!("worth {}{known}", label.text))
    }

    /// Returns shorter forms of the status line, which omit facts visible on the board.
    fn shorter_status(&self) -> Vec<String> {
        let hints = self.assistance.hints(&self.open_match);
        if hints.is_empty() { self.move_value().into_iter().collect() } else { hints }
    }

    /// Returns the status line if there is no error to report. `live` is false under a menu, where no engine thinks.
    fn status(&self, live: bool) -> StatusLine {
        let passed = || self.board_status().unwrap_or_default();
        let activity = || self.assistance.activity(&self.open_match, live).unwrap_or_default();
        match self.phase() {
            MatchPhase::Interlude if self.only_engines_play() => {
                StatusLine::brief(passed(), Role::Strong)
            }
            MatchPhase::Interlude => {
                StatusLine::brief(format!("{}; press Enter", passed()), Role::Strong)
            }
            MatchPhase::Engine if live => StatusLine::idle(activity()),
            MatchPhase::Engine => StatusLine::new(activity(), Role::Text),
            _ if live && self.assistance.is_asked_for_hint() => {
                StatusLine::new(activity(), Role::Text)
            }
            _ => match self.assistance.hint_line(&self.open_match) {
                Some(hint) => StatusLine::new(hint, Role::Text),
                None => StatusLine::idle(self.status_with_value().unwrap_or_default()),
            },
        }
    }

    /// Returns the status line. `live` is false under a menu.
    pub(super) fn status_line(&self, live: bool, context: &Context) -> StatusLine {
        // The helper's activity comes first, to confirm immediately that the helper has started.
        let activity = self.assistance.activity(&self.open_match, live);
        let activity = activity.filter(|_| self.person_is_to_move());
        let said = self.assistance.panel_lines(&self.open_match, live).unwrap_or_default();
        let said = said.into_iter().filter(|words| activity.as_ref() != Some(words));
        let notes = self.note_lines().unwrap_or_default();
        let progress = self.open_match.board.caption().progress;
        let news = self.news_behind_question(context);
        let more = news.into_iter().chain(activity.iter().cloned());
        let more = more.chain(notes).chain([progress]).chain(said);
        StatusLine {
            more: more.map(|words| vec![words]).collect(),
            ..self.main_status(live, context)
        }
    }

    fn main_status(&self, live: bool, context: &Context) -> StatusLine {
        if let Some(words) = &context.notice {
            return StatusLine::brief(words, Role::Strong);
        }
        // While a menu is open, no key can answer the question by mistake.
        if (self.shows_question(context) || !live)
            && let Some((asked, shorter)) = self.question_status(context)
        {
            return StatusLine { shorter, ..StatusLine::new(asked, Role::Strong) };
        }
        let states = self.states();
        let trouble = states.iter().find(|state| state.is_trouble());
        let trouble = trouble.map(|state| (state, self.describe_state(state)));
        if let Some((state, words)) = &trouble
            && !matches!(state, LastingState::NotSaved(_))
            && !self.input.is_refused()
        {
            return StatusLine::new(format!("! {words}"), Role::Wrong);
        }
        let said = self.input.status();
        let is_note = matches!(self.input.message(), Some(Message::Note(_)));
        if let Some(said) = &said
            && (!is_note || self.input.asks_to_confirm())
        {
            return said.clone();
        }
        if let Some((LastingState::NotSaved(_), words)) = &trouble {
            let is_record = self.open_match.saved.record.as_ref().is_some_and(Result::is_err);
            let what = if is_record { "record not written" } else { "not saved" };
            let shorter = vec![format!("! {what}; see help")];
            return StatusLine { shorter, ..StatusLine::new(format!("! {words}"), Role::Wrong) };
        }
        if let Some(said) = said {
            let is_hint = self.assistance.hint_line(&self.open_match).as_ref() == Some(&said.text);
            if !is_hint {
                return said;
            }
            // The message may refer to the rows that it would cover.
            let room = StatusRoom::FromBoard;
            return StatusLine { shorter: self.shorter_status(), room, ..said };
        }
        let over = self.open_match.match_view().result();
        if self.open_match.board.shows_interlude() {
            return self.status(live);
        }
        let has_asked = self.peers().is_some_and(Peers::has_asked);
        if !over.is_empty() && !has_asked {
            return StatusLine::new(over, Role::Strong);
        }
        if let Some(state) = states.iter().find(|state| !state.is_trouble()) {
            return StatusLine::new(self.describe_state(state), Role::Text);
        }
        if let Some(seat) = self.open_match.current_match().to_move()
            && self.phase() == MatchPhase::Elsewhere
        {
            return StatusLine::idle(self.describe_turn(seat, Some(Attendance::Here)));
        }
        StatusLine { shorter: self.shorter_status(), ..self.status(live) }
    }
}
