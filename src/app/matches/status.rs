//! The status line of a match.

use super::company::NO_TABLE;
use super::{ENGINE_GOES_ON, MatchScreen};
use crate::app::panel::{self, MatchLayout, OVER_BOARD};
use crate::app::{Context, text};
use crate::board::Rank;
use crate::play::EngineTurn;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

impl MatchScreen {
    /// What the board says about the place under the cursor, and what a move there is worth.
    fn status_with_worth(&self) -> Option<String> {
        match (self.open_match.board.status(), self.worth()) {
            (Some(here), Some(worth)) => Some(format!("{here}   {worth}")),
            (here, worth) => here.or(worth),
        }
    }

    /// What a move at the cursor is worth, if that is shown.
    fn worth(&self) -> Option<String> {
        let label = self.open_match.board.label_at_cursor()?;
        let known = match label.rank {
            Rank::Best => ", best",
            Rank::Open => " so far",
            _ => "",
        };
        Some(format!("worth {}{known}", label.text))
    }

    /// Shorter forms of the status: what the board does not show.
    fn shorter_status(&self) -> Vec<String> {
        let hints = self.assistance.shorter_hints();
        if hints.is_empty() { self.worth().into_iter().collect() } else { hints }
    }

    /// The status while nothing is wrong. No engine thinks while the match is not `live`, because a menu lies
    /// over it.
    fn status(&self, live: bool) -> Option<String> {
        let board = &*self.open_match.board;
        if self.open_match.needs_table() {
            return Some(NO_TABLE.to_owned());
        }
        if let Some(mv) = &self.unconfirmed {
            return Some(format!("{mv}? Enter plays it, Esc cancels"));
        }
        match self.open_match.engine_to_move() {
            _ if self.passes_by_itself() => board.status(),
            _ if board.shows_interlude() => {
                board.status().map(|passed| format!("{passed}; press a key"))
            }
            Some(_) if self.assistance.at_table == EngineTurn::Waits => {
                Some(ENGINE_GOES_ON.to_owned())
            }
            Some(engine) if self.open_match.program_to_permit().is_some() => {
                Some(format!("{} waits; Enter asks whether to start it", engine.name()))
            }
            Some(engine) if live && self.assistance.at_table == EngineTurn::Starts => {
                Some(format!("{} is starting", engine.name()))
            }
            Some(engine) if live => Some(format!("{} thinks", engine.name())),
            Some(engine) => Some(format!("{} waits", engine.name())),
            None if live && self.assistance.is_asked_for_hint() => {
                self.assistance.activity(&self.open_match, live)
            }
            None => {
                self.assistance.hint_line(&self.open_match).or_else(|| self.status_with_worth())
            }
        }
    }

    /// What stands in the status line unless a move is typed.
    fn message(&self, live: bool, context: &Context) -> Message {
        let skin = context.skin;
        let trouble = self.open_match.saved.troubles().next();
        let brief = |text, style| Message { text, shorter: Vec::new(), style, is_brief: true };
        let lasting = |text, style| Message { text, shorter: Vec::new(), style, is_brief: false };
        let over = self.open_match.shown().result();
        // A menu takes the keys that could answer it by mistake.
        if (self.shows_question() || !live)
            && let Some((asked, shorter)) = self.question_status(context)
        {
            return Message { shorter, ..lasting(asked, skin.strong()) };
        }
        let elsewhere = self.company_status();
        if self.refusal.is_none()
            && let Some((words, true)) = &elsewhere
        {
            return lasting(format!("! {words}"), skin.wrong());
        }
        if self.refusal.is_none()
            && self.unconfirmed.is_some()
            && let Some(asked) = self.status(live)
        {
            return brief(asked, skin.plain());
        }
        if let (None, None, Some(heard)) = (&self.refusal, &self.note, &self.heard) {
            return brief(heard.words.clone(), skin.plain());
        }
        match (&self.refusal, trouble, &self.note, self.status(live)) {
            (Some(reason), ..) => brief(format!("! {reason}"), skin.wrong()),
            (None, Some(trouble), ..) => {
                let is_record = self.open_match.saved.record.as_ref().is_some_and(Result::is_err);
                let what = if is_record { "record not written" } else { "not saved" };
                let shorter = vec![format!("! {what}; help says why")];
                Message { shorter, ..lasting(format!("! {trouble}"), skin.wrong()) }
            }
            (None, None, None, Some(passed)) if self.open_match.board.shows_interlude() => {
                brief(passed, skin.strong())
            }
            (None, None, Some(note), _) => {
                let hint = self.assistance.hint_line(&self.open_match);
                let is_hint = hint.as_ref() == Some(note);
                let shorter = if is_hint { self.shorter_status() } else { Vec::new() };
                Message { shorter, ..brief(note.clone(), skin.plain()) }
            }
            (None, None, None, _) if elsewhere.is_some() && over.is_empty() => {
                let (words, _) = elsewhere.unwrap_or_default();
                lasting(words, skin.plain())
            }
            (None, None, None, Some(status)) if over.is_empty() => {
                Message { shorter: self.shorter_status(), ..lasting(status, skin.plain()) }
            }
            (None, None, None, _) => lasting(over, skin.strong()),
        }
    }

    /// Lays the screen out. A hint may be about the rows that it would cover, so the board leaves them free.
    pub(super) fn layout(&self, area: Rect) -> MatchLayout {
        let board = &*self.open_match.board;
        let places = MatchLayout::of(board, 0, area);
        let free = places.message_rows(board, false);
        let fits = |text: &String| text::fits(text, places.status.width.into(), free);
        let hint = self.assistance.hint_line(&self.open_match);
        match hint.filter(|hint| self.note.as_ref() == Some(hint) && !fits(hint)) {
            Some(_) => MatchLayout::of(board, OVER_BOARD - 1, area),
            None => places,
        }
    }

    /// Draws the status line; returns the cursor's position if a move is typed. The match is not `live`
    /// while a menu lies over it.
    pub(super) fn draw_status(
        &self,
        live: bool,
        context: &Context,
        places: MatchLayout,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        if let Some(field) = &self.typing {
            let refused = self.refusal.as_deref();
            return Some(panel::draw_typing(field, refused, context, places.status, buffer));
        }
        let (area, skin) = (places.status, context.skin);
        let board = &*self.open_match.board;
        let Message { mut text, shorter, style, is_brief } = self.message(live, context);
        let rows = places.message_rows(board, is_brief);
        for shorter in shorter {
            if !text::fits(&text, area.width.into(), rows) {
                text = shorter;
            }
        }
        let (mut x, y) = panel::draw_message(&text, rows, style, area, context, buffer);
        if places.panel.is_none() {
            // Where there is no panel, what it would say stands here, as far as there is room. What a helper
            // does comes first, so that one sees at once that it has begun.
            let does = self.assistance.activity(&self.open_match, live);
            let does = does.filter(|_| self.person_is_to_move());
            let said = self.assistance.panel_lines(&self.open_match, live).unwrap_or_default();
            let notes = self.note_lines().unwrap_or_default();
            let rest = notes.into_iter().chain([board.caption().progress]).chain(said);
            let rest = rest.filter(|words| does.as_ref() != Some(words));
            for words in does.iter().cloned().chain(rest).filter(|words| *words != text) {
                let room = area.right().saturating_sub(x + 2) as usize;
                if text::width(&words) <= room {
                    (x, _) = text::put((x + 2, y), &words, room, skin.dim(), skin, buffer);
                }
            }
        }
        None
    }
}

/// What stands in the status line.
struct Message {
    text: String,
    /// What to say instead where that is too long, the longest first.
    shorter: Vec<String>,
    style: Style,
    /// Whether the next key takes it away. Until then it may cover a part of the board.
    is_brief: bool,
}
