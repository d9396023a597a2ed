//! The status line of a match.

use super::states::LastingState;
use super::{MatchPhase, MatchScreen};
use crate::app::board_input::Message;
use crate::app::{Context, text};
use crate::board::MoveQuality;
use crate::view::{MoveEvent, StatusLine, StatusRoom};
use quadrille_rules::Seat;
use quadrille_scene::Role;
use quadrille_table::play::{Attendance, Peers};
use quadrille_text::wording::capital;

/// The width of a name in the shorter forms of the status line.
const SHORT_NAME: usize = 12;

impl MatchScreen {
    fn board_status(&self) -> Option<String> {
        self.open_match.board.status(self.settings.hints && self.may_help())
    }

    /// Says whose turn it is at this terminal and what to do, then describes the place under the cursor and gives the
    /// value of the move there: `Your turn: draw a line · H0,0`. Shorter forms follow.
    fn turn_forms(&self) -> Vec<String> {
        let Some(seat) = self.open_match.current_match().to_move() else { return Vec::new() };
        let turn = format!("{} turn", self.owner_of_turn(seat, usize::MAX));
        let short = format!("{} turn", self.owner_of_turn(seat, SHORT_NAME));
        let asked = self.turn_and_task(&turn);
        let place = self.board_status();
        // The beginning of a half-made move.
        let brief = place.as_ref().and_then(|place| place.split(':').next()).map(str::to_owned);
        let value = || self.move_value().into_iter();
        let with = |first: &str, place: &Option<String>| {
            let parts = std::iter::once(first.to_owned()).chain(place.clone()).chain(value());
            parts.collect::<Vec<_>>().join(text::SEPARATOR)
        };
        let mut forms = vec![
            with(&asked, &place),
            with(&turn, &place),
            with(&turn, &brief),
            with(&short, &brief),
            with(&short, &None),
            short,
        ];
        forms.dedup();
        forms
    }

    fn turn_and_task(&self, turn: &str) -> String {
        let task = self.open_match.board.task();
        task.map_or_else(|| turn.to_owned(), |task| format!("{turn}: {task}"))
    }

    /// Returns `Your`, or the name of the player to move in the possessive, cut to this width.
    fn owner_of_turn(&self, seat: Seat, room: usize) -> String {
        let names = self.open_match.names();
        let is_only_one_here = self.is_remote() && self.open_match.local().iter().eq([seat]);
        if names.is_you(seat) || is_only_one_here {
            "Your".to_owned()
        } else {
            format!("{}'s", text::shorten(names.in_third_person(seat), room))
        }
    }

    /// Describes the last move, and then says whose turn it is and what to do, for the status line, until the first key
    /// after the move. The description gets shorter before the task is left out.
    pub(super) fn event(&self, turn: &StatusLine) -> Option<MoveEvent> {
        let game = self.open_match.current_match();
        let (to_move, &(seat, ref mv)) = (game.to_move()?, game.moves().last()?);
        if self.acted_at == Some(game.node()) {
            return None;
        }
        let names = self.open_match.names();
        let short = text::shorten(names.subject(seat), SHORT_NAME);
        let plays = names.verb(seat, "plays");
        let played =
            [format!("{} {plays} {mv}.", names.subject(seat)), format!("{short} {plays} {mv}.")];
        // Too little beside the task.
        let bare = format!("{mv}.");
        let done = self.open_match.board.event(&names)?;
        let last = turn.shorter.last().unwrap_or(&turn.text);
        let whole = format!("{} {}", done[1], turn.text);
        let told = || done.iter().skip(1).chain(&played);
        let with_task = |turn: &str| {
            let asked = self.turn_and_task(turn);
            told().map(move |told| format!("{told} {asked}"))
        };
        let own = format!("{} turn", self.owner_of_turn(to_move, usize::MAX));
        let without_task = told().chain([&bare]).map(|told| format!("{told} {last}"));
        let forms = std::iter::once(whole).chain(with_task(&own)).chain(with_task(last));
        let forms = forms.chain(without_task).chain([last.clone()]).collect();
        Some(MoveEvent { seat, mark: game.now().mark(seat), forms })
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

    /// Returns the status line if there is no error to report. `live` is false under a menu, where no engine thinks.
    fn status(&self, live: bool) -> StatusLine {
        let passed = || capital(&self.board_status().unwrap_or_default());
        let activity = || self.assistance.activity(&self.open_match, live).unwrap_or_default();
        match self.phase() {
            MatchPhase::Interlude if self.only_engines_play() => {
                StatusLine::brief(passed(), Role::Strong)
            }
            MatchPhase::Interlude => {
                StatusLine::brief(format!("{}. Press Enter.", passed()), Role::Strong)
            }
            MatchPhase::Engine if live => StatusLine::idle(activity()),
            MatchPhase::Engine => StatusLine::new(activity(), Role::Text),
            _ if live && self.assistance.is_asked_for_hint() => {
                StatusLine::new(activity(), Role::Text)
            }
            _ => {
                if let Some(hint) = self.assistance.hint_line(&self.open_match) {
                    let shorter = self.assistance.hints(&self.open_match);
                    return StatusLine { shorter, ..StatusLine::new(hint, Role::Text) };
                }
                let mut forms = self.turn_forms().into_iter();
                let text = forms.next().unwrap_or_default();
                StatusLine { shorter: forms.collect(), ..StatusLine::idle(text) }
            }
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
            return StatusLine { shorter: self.assistance.hints(&self.open_match), room, ..said };
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
        self.status(live)
    }
}
