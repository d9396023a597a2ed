//! Move entry by keyboard, mouse or text, for every screen with a board.

use super::command::{Command, Commands};
use super::screen::{Effect, Input, PointerInput};
use super::text_field::TextField;
use crate::action::{ARROWS, Action, DIGITS, KeyHint};
use crate::board::{AnyBoard, Details, Direction, Gesture, Pointer, Press, PressReply, WithBoard};
use crate::settings::Settings;
use crate::view::{Announcement, Announcements, StatusLine, Typing};
use crossterm::event::KeyEvent;
use quadrille_match::session::{Match, explain_typed, read_typed};
use quadrille_scene::{Lettering, Role};
use std::fmt::Display;
use std::time::Duration;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EntryResult {
    Nothing,
    /// The board, the typed text or the status line has changed.
    Changed,
    Move(String),
    /// A chat message; may be empty.
    Chat(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypedText {
    Move,
    Chat,
}

/// A message shown in the status line until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Message {
    Note(String),
    Refusal(String),
    /// News of a shared table. It also disappears after a timeout.
    News(NewsItem),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NewsItem {
    /// A counter that increases when a news item replaces an earlier one.
    pub number: usize,
    pub words: String,
}

/// Move entry on the board of a screen. The screen decides what happens with an entered move.
#[derive(Debug, Default)]
pub(super) struct BoardInput {
    typing: Option<(TextField, TypedText)>,
    /// A move that awaits confirmation, if the settings require confirmation.
    unconfirmed: Option<String>,
    message: Option<Message>,
    announcements: Announcements,
    confirms: bool,
    pub details: Details,
    pub lettering: Lettering,
}

impl BoardInput {
    pub fn apply_settings(&mut self, settings: &Settings) {
        self.confirms = settings.confirm;
        self.lettering = lettering(settings);
        self.details.estimates = settings.estimates;
    }

    pub fn clear(&mut self) {
        (self.typing, self.unconfirmed, self.message) = (None, None, None);
    }

    /// Returns the commands of the text field; `None` if no text is being typed.
    pub fn text_commands(&self) -> Option<Commands> {
        let (_, what) = self.typing.as_ref()?;
        let label = match what {
            TypedText::Move => "play",
            TypedText::Chat => "say",
        };
        Some(Commands::default().show(Action::Confirm.to(label)).show(Action::Cancel.hint()))
    }

    /// Adds the keys of the board to the commands of its screen. A move that awaits confirmation has the footer to
    /// itself.
    pub fn commands(&self, board: &dyn AnyBoard, commands: Commands) -> Commands {
        const KEYS: KeyHint =
            KeyHint::new(&[Action::Choose, Action::Back, Action::Next, Action::Previous], "");
        let has_digits = board.key_hints().iter().any(|hint| hint.names(Action::Digit0));
        let digits = if has_digits { DIGITS } else { &[] };
        let erase: &[Action] = if has_digits { &[Action::EraseNumber] } else { &[] };
        let commands = commands.hide(ARROWS).hide(digits).hide(erase);
        let keys = [KEYS, Action::Picture.hint()].map(|hint| Command::from(hint).shown_if(false));
        let commands = commands.add(keys);
        if !self.asks_to_confirm() {
            return commands;
        }
        let play = Command::from(Action::Choose.to("play it")).typed_as("yes y");
        let cancel = Command::from(Action::Back.to("cancel")).typed_as("no n");
        commands.with_footer([play.about("play the move"), cancel.about("cancel the move")])
    }

    /// Performs an action of the board or of the text field. Any other action cancels the confirmation question.
    pub fn perform<T: AsRef<Match>>(
        &mut self,
        action: Action,
        on: &mut WithBoard<T>,
    ) -> EntryResult {
        match (action, self.unconfirmed.take()) {
            (Action::Choose, Some(mv)) => EntryResult::Move(mv),
            (Action::Back | Action::EraseNumber, Some(_)) => EntryResult::Changed,
            (Action::Confirm, _) => self.finish_typing(on.current_match()),
            (Action::Cancel, _) => {
                self.typing = None;
                EntryResult::Changed
            }
            _ => {
                let Some(press) = press(action) else { return EntryResult::Nothing };
                let entered = self.follow(on.board.press(press), None);
                if self.asks_to_confirm() {
                    // Enter answers the question, even right after a typed number.
                    on.board.pass(Duration::MAX);
                }
                entered
            }
        }
    }

    /// Handles a mouse gesture. Clicks work only if `may_play` is true.
    pub fn point<T: AsRef<Match>>(
        &mut self,
        Pointer { gesture, place }: Pointer,
        may_play: bool,
        on: &mut WithBoard<T>,
    ) -> EntryResult {
        if gesture != Gesture::Leave && (self.is_typing() || !may_play) {
            return EntryResult::Nothing;
        }
        // A click answers the question; releasing the button does not.
        let clicks = gesture.clicks();
        let was_said = clicks && self.dismiss();
        let confirmed = self.unconfirmed.take_if(|_| clicks);
        let was_confirming = confirmed.is_some();
        match self.follow(on.board.point(gesture, place), confirmed.as_deref()) {
            EntryResult::Nothing if was_said || was_confirming => EntryResult::Changed,
            entered => entered,
        }
    }

    /// Handles the input that all boards share: typed text, pasted text, and messages.
    pub fn input(&mut self, input: &Input) -> Option<Vec<Effect>> {
        let has_changed = match *input {
            Input::Key(key) => self.other_key(key),
            Input::Paste(text) => self.paste(text),
            Input::Continue if self.asks_to_confirm() => {
                return Some(vec![Effect::Perform(Action::Choose)]);
            }
            Input::Pointer(PointerInput::Message) => self.dismiss(),
            Input::Message(line) => {
                self.announce_note(line);
                true
            }
            _ => false,
        };
        has_changed.then(Vec::new)
    }

    /// Handles a key that has no action: edits the text and dismisses the message.
    pub fn other_key(&mut self, key: &KeyEvent) -> bool {
        let was_said = self.dismiss();
        self.typing.as_mut().is_some_and(|(field, _)| field.key(key)) || was_said
    }

    /// Inserts pasted text; `false` if no text field is open.
    fn paste(&mut self, text: &str) -> bool {
        self.typing.as_mut().map(|(field, _)| field.paste(text)).is_some()
    }

    pub fn begin_to_type(&mut self, what: TypedText) {
        self.typing = Some((TextField::default(), what));
    }

    pub fn stop_typing_move(&mut self) {
        self.typing.take_if(|(_, what)| *what == TypedText::Move);
    }

    pub fn is_typing_move(&self) -> bool {
        matches!(self.typing, Some((_, TypedText::Move)))
    }

    pub fn is_typing(&self) -> bool {
        self.typing.is_some()
    }

    /// Returns the text field, if one is open.
    pub fn typing(&self) -> Option<Typing<'_>> {
        let (field, _) = self.typing.as_ref()?;
        let remark = match &self.message {
            Some(Message::Refusal(why)) => Some((&**why, Role::Wrong)),
            _ => None,
        };
        Some(Typing { text: field.text(), cursor: field.cursor(), remark })
    }

    /// Parses the typed text. Text that is not a legal move stays in the field for correction.
    fn finish_typing(&mut self, game: &Match) -> EntryResult {
        let Some((field, what)) = self.typing.take() else { return EntryResult::Nothing };
        let text = field.text().trim();
        if what == TypedText::Chat {
            return EntryResult::Chat(text.to_owned());
        }
        match read_typed(game, text) {
            Ok(mv) => self.enter(mv, None),
            Err(refusal) => {
                self.refuse(&explain_typed(game, &refusal));
                self.typing = Some((field, what));
                EntryResult::Changed
            }
        }
    }

    fn follow(&mut self, reply: PressReply<String>, confirmed: Option<&str>) -> EntryResult {
        match reply {
            PressReply::Play(mv) => return self.enter(mv, confirmed),
            PressReply::Refused(reason) => self.refuse(&reason),
            PressReply::Handled => {}
            PressReply::Ignored => return EntryResult::Nothing,
        }
        EntryResult::Changed
    }

    /// Enters a legal move. If moves must be confirmed, any move except `confirmed` only opens the confirmation
    /// question.
    fn enter(&mut self, mv: String, confirmed: Option<&str>) -> EntryResult {
        if !self.confirms || confirmed == Some(&*mv) {
            return EntryResult::Move(mv);
        }
        self.announce(Announcement::Event(format!("play {mv}?")));
        self.unconfirmed = Some(mv);
        EntryResult::Changed
    }

    pub fn asks_to_confirm(&self) -> bool {
        self.unconfirmed.is_some()
    }

    pub fn drop_question(&mut self) {
        self.unconfirmed = None;
    }

    pub fn announce_note(&mut self, words: impl Into<String>) {
        let words = words.into();
        self.announce(Announcement::Event(words.clone()));
        self.show_note(words);
    }

    /// Shows a note that repeats other announcements.
    pub fn show_note(&mut self, words: impl Into<String>) {
        self.message = Some(Message::Note(words.into()));
    }

    pub fn refuse(&mut self, why: &impl Display) {
        let why = why.to_string();
        self.announce(Announcement::Refusal(why.clone()));
        self.message = Some(Message::Refusal(why));
    }

    /// Shows news of the table. A refusal stays until the next key press.
    pub fn announce_news(&mut self, words: String) {
        self.announce(Announcement::Event(words.clone()));
        self.show_news(words);
    }

    /// Shows news without announcing them, such as a chat message, which the table keeps.
    pub fn show_news(&mut self, words: String) {
        let number = self.news().map_or(0, |last| last.number + 1);
        if !self.is_refused() {
            self.message = Some(Message::News(NewsItem { number, words }));
        }
    }

    pub fn message(&self) -> Option<&Message> {
        self.message.as_ref()
    }

    pub fn news(&self) -> Option<&NewsItem> {
        match self.message()? {
            Message::News(news) => Some(news),
            _ => None,
        }
    }

    pub fn is_refused(&self) -> bool {
        matches!(self.message, Some(Message::Refusal(_)))
    }

    pub fn is_noted(&self, words: &str) -> bool {
        matches!(&self.message, Some(Message::Note(note)) if note == words)
    }

    pub fn announce(&mut self, announcement: Announcement) {
        self.announcements.add(announcement);
    }

    pub fn announcements(&self) -> &Announcements {
        &self.announcements
    }

    /// Dismisses the message; returns whether there was one.
    pub fn dismiss(&mut self) -> bool {
        self.message.take().is_some()
    }

    pub fn dismiss_if(&mut self, is_over: impl FnOnce(&Message) -> bool) {
        self.message.take_if(|message| is_over(message));
    }

    pub fn status(&self) -> Option<StatusLine> {
        Some(match (&self.message, &self.unconfirmed) {
            (Some(Message::Refusal(why)), _) => StatusLine::brief(format!("! {why}"), Role::Wrong),
            (_, Some(mv)) => StatusLine::brief(format!("Play {mv}?"), Role::Text),
            (Some(Message::Note(words) | Message::News(NewsItem { words, .. })), None) => {
                StatusLine::brief(words, Role::Text)
            }
            (None, None) => return None,
        })
    }
}

/// Returns what is written on boards with these settings.
pub(super) const fn lettering(settings: &Settings) -> Lettering {
    if settings.coordinates { Lettering::All } else { Lettering::NoCoordinates }
}

/// Converts an action to a board action; `None` if it does not concern the board.
pub(super) fn press(action: Action) -> Option<Press> {
    Some(match action {
        Action::Left => Press::Arrow(Direction::Left),
        Action::Down => Press::Arrow(Direction::Down),
        Action::Up => Press::Arrow(Direction::Up),
        Action::Right => Press::Arrow(Direction::Right),
        Action::Choose => Press::Choose,
        Action::Back => Press::Back,
        Action::Next => Press::Next,
        Action::Previous => Press::Previous,
        Action::EraseNumber => Press::Erase,
        digit => Press::Digit(digit.digit()?),
    })
}
