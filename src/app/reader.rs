//! Text to read: the rules, and the help for any screen.

use super::screen::{Screen, all_actions};
use super::scroll::{self, Scroll};
use super::{Context, table, text};
use crate::action::{Action, Hint, LIST};
use crate::catalogue::Entry;
use crate::scene::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Widget, Wrap};
use std::iter;

/// The most columns of a text.
const WIDEST: u16 = 80;

/// The two kinds of text: the rules of a game, and the help for a screen.
const RULES: &str = "the rules";
const HELP: &str = "help";

/// A text under a title, which can be scrolled.
pub(super) struct ReaderScreen {
    /// What the text is about, and what kind of text it is.
    title: (String, &'static str),
    /// Keys and what they do, listed before the text.
    keys: Vec<(String, &'static str)>,
    text: String,
    scroll: Scroll,
}

impl ReaderScreen {
    fn new(
        name: String,
        what: &'static str,
        keys: Vec<(String, &'static str)>,
        text: String,
    ) -> ReaderScreen {
        ReaderScreen { title: (name, what), keys, text, scroll: Scroll::default() }
    }

    /// The rules of a game.
    pub fn rules(entry: &Entry) -> ReaderScreen {
        ReaderScreen::new(entry.name.to_owned(), RULES, Vec::new(), entry.rules.to_owned())
    }

    /// The help for a screen: what can be done there now, and what the screen says about itself.
    pub fn help(screen: &dyn Screen, context: &Context) -> ReaderScreen {
        let (name, text) = screen.about();
        let actions = all_actions(screen, context);
        let keys = LIST.iter().filter_map(|listed| {
            let live = listed.actions.iter().copied().filter(|action| actions.contains(action));
            let live: Vec<Action> = live.collect();
            (!live.is_empty()).then(|| (context.settings.keys.all_keys(&live), listed.sentence))
        });
        ReaderScreen::new(name, HELP, keys.collect(), text)
    }

    /// The title; on a narrow screen without the kind of text.
    fn title(&self, room: usize) -> String {
        let (name, what) = &self.title;
        let title = format!("{name}: {what}");
        if text::width(&title) <= room { title } else { name.clone() }
    }

    fn lines(&self, context: &Context, width: u16) -> Text<'_> {
        let skin = context.skin;
        let widest = self.keys.iter().map(|(keys, _)| keys.len()).max().unwrap_or(0);
        let room = usize::from(width).saturating_sub(widest + 2);
        let keys = self.keys.iter().flat_map(|(keys, does)| {
            // A wrapped sentence stays in the column beside the keys.
            let keys = iter::once(&**keys).chain(iter::repeat(""));
            keys.zip(text::wrap(does, room, usize::MAX, skin)).map(|(keys, does)| {
                let keys = Span::styled(format!("{keys:widest$}  "), skin.style(Role::Key));
                Line::from(vec![keys, Span::raw(does)])
            })
        });
        let gap = (!self.keys.is_empty()).then(Line::default);
        let text = text::reflow(&self.text, width.into());
        let text = text.lines().map(|line| {
            let (heading, rest) = line.split_at(heading(line));
            let heading = Span::styled(heading.to_owned(), skin.strong());
            Line::from(vec![heading, Span::raw(rest.to_owned())])
        });
        keys.chain(gap).chain(text).collect()
    }
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

    fn hints(&self) -> Vec<Hint> {
        let scroll = Hint::new(&[Action::Up, Action::Down], "scroll");
        vec![scroll, Action::NextPage.hint(), Action::Back.to("close")]
    }

    fn about(&self) -> (String, String) {
        let text = "The rules of the game. Close them to go back to where you were.";
        (format!("{}, rules", self.title.0), text.to_owned())
    }

    fn way_out(&self) -> &'static str {
        "close"
    }

    fn has_help(&self) -> bool {
        self.title.1 == RULES
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
