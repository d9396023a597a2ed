//! Text to read: the rules, and the help for any screen.

use super::screen::{About, Screen};
use super::scroll::{self, Scroll};
use super::{Context, table, text};
use crate::action::{Action, KeyHint, Keymap, LIST};
use crate::catalogue::GameEntry;
use crate::scene::{Role, Skin};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Widget, Wrap};
use std::iter;

/// The most columns of a text.
const WIDEST: u16 = 80;

/// Kinds of text.
const RULES: &str = "the rules";
const HELP: &str = "help";
const INVITATION: &str = "how a guest comes";

/// A text under a title, which can be scrolled.
pub(super) struct ReaderScreen {
    /// What the text is about, and what kind of text it is.
    title: (String, &'static str),
    parts: Vec<Part>,
    scroll: Scroll,
}

/// A part of a text.
enum Part {
    Text(String),
    /// Keys and what they do.
    Keys(Vec<(String, &'static str)>),
}

/// What can be done on most screens. Help names it last.
const GENERAL: &[Action] = &[
    Action::Left,
    Action::Down,
    Action::Choose,
    Action::NextPage,
    Action::Back,
    Action::Next,
    Action::First,
    Action::PageUp,
    Action::NextTheme,
    Action::Help,
    Action::Leave,
    Action::Quit,
    Action::Suspend,
    Action::Redraw,
];

impl ReaderScreen {
    fn new(name: String, what: &'static str, parts: Vec<Part>) -> ReaderScreen {
        ReaderScreen { title: (name, what), parts, scroll: Scroll::default() }
    }

    /// The rules of a game.
    pub fn rules(entry: &GameEntry) -> ReaderScreen {
        let rules = vec![Part::Text(entry.rules.to_owned())];
        ReaderScreen::new(entry.name.to_owned(), RULES, rules)
    }

    /// Any text, and what kind of text it is.
    pub fn text(name: String, what: &'static str, text: String) -> ReaderScreen {
        ReaderScreen::new(name, what, vec![Part::Text(text)])
    }

    /// What a guest types to come. It closes when one sits down.
    pub fn invitation(name: String, text: String) -> ReaderScreen {
        ReaderScreen::text(name, INVITATION, text)
    }

    /// The help for a screen: what it is for, what can be done only there, what else it says about itself, and
    /// the keys that work on most screens.
    pub fn help(about: About, actions: &[Action], keymap: &Keymap) -> ReaderScreen {
        let About { name, purpose, details } = about;
        let keys = |is_general: bool| {
            let listed = LIST.iter().filter(|listed| {
                listed.actions.iter().any(|action| GENERAL.contains(action)) == is_general
            });
            let keys = listed.filter_map(|listed| {
                let live = listed.actions.iter().copied().filter(|action| actions.contains(action));
                let live: Vec<Action> = live.collect();
                (!live.is_empty()).then(|| (keymap.all_keys(&live), listed.sentence))
            });
            Part::Keys(keys.collect())
        };
        let general = Part::Text("KEYS OF MOST SCREENS.".to_owned());
        let parts =
            vec![Part::Text(purpose), keys(false), Part::Text(details), general, keys(true)];
        ReaderScreen::new(name, HELP, parts)
    }

    /// The title; on a narrow screen without the kind of text.
    fn title(&self, room: usize) -> String {
        let (name, what) = &self.title;
        let title = format!("{name}: {what}");
        if text::width(&title) <= room { title } else { name.clone() }
    }

    /// The lines of all parts, with an empty one between two of them.
    fn lines(&self, context: &Context, width: u16) -> Text<'_> {
        let skin = context.skin;
        let rows = self.parts.iter().filter_map(|part| match part {
            Part::Keys(rows) => Some(rows),
            Part::Text(_) => None,
        });
        let widest = rows.flatten().map(|(keys, _)| keys.len()).max().unwrap_or(0);
        let parts = self.parts.iter().map(|part| match part {
            Part::Keys(rows) => key_lines(rows, widest, width.into(), skin),
            Part::Text(text) => text_lines(text, width.into(), skin),
        });
        let parts: Vec<Vec<Line>> = parts.filter(|lines| !lines.is_empty()).collect();
        parts.join(&Line::default()).into()
    }
}

/// Keys, and in the column beside them what they do.
fn key_lines<'a>(
    rows: &'a [(String, &'static str)],
    widest: usize,
    width: usize,
    skin: Skin,
) -> Vec<Line<'a>> {
    let room = width.saturating_sub(widest + 2);
    let lines = rows.iter().flat_map(|(keys, does)| {
        // A wrapped sentence stays in its column.
        let keys = iter::once(&**keys).chain(iter::repeat(""));
        keys.zip(text::wrap(does, room, usize::MAX, skin)).map(|(keys, does)| {
            let keys = Span::styled(format!("{keys:widest$}  "), skin.style(Role::Key));
            Line::from(vec![keys, Span::raw(does)])
        })
    });
    lines.collect()
}

/// Paragraphs, with their headings made strong.
fn text_lines(text: &str, width: usize, skin: Skin) -> Vec<Line<'static>> {
    let lines = text::reflow(text, width);
    let lines = lines.lines().map(|line| {
        let (heading, rest) = line.split_at(heading(line));
        let heading = Span::styled(heading.to_owned(), skin.strong());
        Line::from(vec![heading, Span::raw(rest.to_owned())])
    });
    lines.collect()
}

/// The length of the heading at the start of a line: words in capitals and a full stop. 0 if there is none.
fn heading(line: &str) -> usize {
    let end = line.find('.').map_or(0, |stop| stop + 1);
    let is_capital = |c: char| c.is_ascii_uppercase() || c == ' ' || c == '.';
    if end > 2 && !line.starts_with(' ') && line[..end].chars().all(is_capital) { end } else { 0 }
}

impl Screen for ReaderScreen {
    fn scroll_mut(&mut self) -> Option<&mut Scroll> {
        Some(&mut self.scroll)
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let skin = context.skin;
        let block = table::block(area, WIDEST);
        let body = Rect { y: area.y + 2, height: area.height - 2, ..block };
        let paragraph = Paragraph::new(self.lines(context, body.width)).wrap(Wrap { trim: false });
        // The rows are counted by drawing, which is exact for text wrapped between words.
        let rows = wrapped_rows(&paragraph, body.width);
        let seen = self.scroll.seen(rows.into(), body.height.into());
        paragraph.scroll((seen.start as u16, 0)).render(body, buffer);
        let taken = scroll::draw_seen(&seen, rows.into(), skin, block, buffer);
        let room = (block.width - taken).into();
        let title = self.title(room);
        text::put((block.x, block.y), &title, room, skin.strong(), skin, buffer);
        None
    }

    fn key_hints(&self) -> Vec<KeyHint> {
        let scroll = KeyHint::new(&[Action::Up, Action::Down], "scroll");
        vec![scroll, Action::NextPage.hint(), Action::Back.to("close")]
    }

    fn about(&self) -> About {
        let text = "The rules of the game. Close them to go back to where you were.";
        About::new(format!("{}, rules", self.title.0), text)
    }

    fn way_out(&self) -> &'static str {
        "close"
    }

    fn has_help(&self) -> bool {
        self.title.1 == RULES
    }

    fn closes_when_guest_joins(&self) -> bool {
        self.title.1 == INVITATION
    }
}

/// How many rows a paragraph takes at this width, 500 at most.
fn wrapped_rows(text: &Paragraph, width: u16) -> u16 {
    let tall = Rect::new(0, 0, width, 500);
    let mut buffer = Buffer::empty(tall);
    text.clone().render(tall, &mut buffer);
    let blank = |y: &u16| (0..width).all(|x| buffer[(x, *y)].symbol() == " ");
    (0..tall.height).rev().find(|y| !blank(y)).map_or(0, |y| y + 1)
}
