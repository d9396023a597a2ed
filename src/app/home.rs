//! The home screen: the games, the matches that can be resumed, the rules, the way out.

use super::library::Library;
use super::menu::Menu;
use super::reader::Reader;
use super::screen::{Act, Answer, News, Screen};
use super::setup::SetupScreen;
use super::tasks::{RecordTask, TerminalTask};
use super::unfinished::{self, Unfinished, UnfinishedId};
use super::unfinished_screen::UnfinishedScreen;
use super::{Context, keys, scroll, text};
use crate::action::{Action, Hint};
use crate::catalogue::GAMES;
use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::cell::Cell;

/// The entry under the cursor.
#[derive(Default)]
pub(super) struct Home {
    at: Item,
    /// Which of the entries that is, from the top.
    row: usize,
    /// The match that is to be deleted, while a menu asks.
    doomed: Option<UnfinishedId>,
    /// Whether a key has moved the cursor since one came here.
    moved: bool,
    /// The rows of a page, as of the last drawing.
    page: Cell<usize>,
    /// What is to be told, until the next key.
    said: Option<String>,
}

/// An entry of the home screen.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    /// A match that was left.
    GoOn(UnfinishedId),
    /// The list of all of them, where they are too many.
    More,
    /// The n-th game of the catalogue.
    Game(usize),
    Records,
    Rules,
    Quit,
}

impl Default for Item {
    fn default() -> Item {
        Item::Game(0)
    }
}

/// The columns of a game's small drawing.
const PICTURE: u16 = 11;
/// How many matches are shown at most, before there is a list for them.
const SHOWN: usize = 3;
/// From so many rows on, one is left for what there is to say of the chosen entry.
const LEAST_FOR_NOTE: u16 = 10;

impl Home {
    /// These matches are left. Until a key moves it, the cursor is on the one left last; then it
    /// stays on its match, or near where that was.
    fn tell(&mut self, left: &[Unfinished]) {
        let shown = &left[..Self::shown(left.len())];
        let last = shown.len().saturating_sub(1);
        let row = match &self.at {
            _ if !self.moved && !left.is_empty() => 0,
            Item::GoOn(id) => unfinished::place(shown, id).unwrap_or(self.row.min(last)),
            Item::More if shown.len() == left.len() => last,
            _ => return,
        };
        self.at = shown.get(row).map_or_else(Item::default, |left| Item::GoOn(left.id()));
        self.row = row;
    }

    /// How many of the matches are shown here, rather than in a list of their own.
    fn shown(left: usize) -> usize {
        // The entry for the list takes no less room than one match more.
        if left <= SHOWN + 1 { left } else { SHOWN }
    }

    fn items(context: &Context) -> Vec<Item> {
        let shown = Self::shown(context.left.len());
        let kept = context.left[..shown].iter().map(|left| Item::GoOn(left.id()));
        let more = (shown < context.left.len()).then_some(Item::More);
        let games = (0..GAMES.len()).map(Item::Game);
        let rest = [Item::Records, Item::Rules, Item::Quit];
        kept.chain(more).chain(games).chain(rest).collect()
    }

    /// What there is to say of the chosen entry.
    fn note(&self, context: &Context) -> String {
        match &self.at {
            Item::GoOn(id) => match unfinished::place(&context.left, id) {
                Some(index) => context.left[index].about(context.skin),
                None => String::new(),
            },
            Item::More => "all matches that can be resumed".to_owned(),
            Item::Game(index) => GAMES[*index].tagline.to_owned(),
            Item::Records => "the matches that have ended, and who beat whom".to_owned(),
            Item::Rules => "how each game is played".to_owned(),
            Item::Quit => String::new(),
        }
    }

    fn choose(&self, context: &mut Context) -> Vec<Act> {
        match &self.at {
            Item::GoOn(id) => unfinished::take_up(context, id),
            Item::More => vec![Act::push(UnfinishedScreen::default())],
            Item::Game(index) => {
                vec![Act::push(SetupScreen::again(&GAMES[*index], context))]
            }
            Item::Records => {
                vec![Act::push(Library::default()), Act::run(RecordTask::List)]
            }
            Item::Rules => {
                let entries = GAMES.iter().enumerate();
                let entries =
                    entries.map(|(n, game)| (game.name.to_owned(), Answer::Rules(Some(n))));
                let menu = Menu::new("The rules of", entries.collect());
                vec![Act::push(menu.with_about("Choose a game to read its rules."))]
            }
            Item::Quit => vec![Act::Pop],
        }
    }

    fn draw_item(&self, item: &Item, context: &Context, area: Rect, buffer: &mut Buffer) {
        let skin = context.skin;
        let here = *item == self.at;
        if here {
            buffer.set_string(area.x + 1, area.y, skin.glyphs().turn.to_string(), skin.strong());
        }
        let drawn = area.height >= 3;
        let indent = if drawn { 3 + PICTURE + 2 } else { 3 };
        let text = area.x + indent;
        let room = area.width.saturating_sub(indent + 1) as usize;
        let style = if here { skin.cursor() } else { skin.strong() };
        let mut name =
            |y, name: &str| text::put((text, y), &format!(" {name} "), room, style, skin, buffer);
        match item {
            Item::Game(index) => {
                let game = &GAMES[*index];
                let (_, y) = name(area.y, game.name);
                for (y, row) in (area.y..area.bottom()).zip(game.picture).filter(|_| drawn) {
                    buffer.set_stringn(area.x + 3, y, row, PICTURE as usize, skin.plain());
                }
                if drawn {
                    let tagline = (text + 1, y + 1);
                    text::put(tagline, game.tagline, room - 1, skin.dim(), skin, buffer);
                }
            }
            Item::GoOn(id) => {
                let left = context.left.iter().find(|left| left.has(id));
                let line = left.map(|left| left.line(room.saturating_sub(2), skin));
                name(area.y, &line.unwrap_or_default());
            }
            Item::More => {
                let more = context.left.len() - Self::shown(context.left.len());
                name(area.y, &format!("{more} more matches..."));
            }
            Item::Records => {
                name(area.y, "Records");
            }
            Item::Rules => {
                name(area.y, "Rules");
            }
            Item::Quit => {
                name(area.y, "Quit");
            }
        }
    }
}

impl Screen for Home {
    fn actions(&self, _: &Context) -> Vec<Action> {
        let delete: &[Action] = match self.at {
            Item::GoOn(_) => &[Action::Delete],
            _ => &[],
        };
        [keys::WALK, &[Action::Choose], delete].concat()
    }

    fn perform(&mut self, action: Action, context: &mut Context) -> Option<Vec<Act>> {
        self.said = None;
        match (action, &self.at) {
            (Action::Delete, Item::GoOn(id)) => {
                self.doomed = Some(id.clone());
                unfinished::ask_to_discard(context, id).map(|act| vec![act])
            }
            (Action::Choose, _) => {
                self.moved = true;
                Some(self.choose(context))
            }
            _ => {
                let items = Self::items(context);
                let at = items.iter().position(|item| *item == self.at).unwrap_or(0);
                let to = keys::walk(at, items.len(), self.page.get(), action)?;
                (self.at, self.row, self.moved) = (items[to].clone(), to, true);
                Some(Vec::new())
            }
        }
    }

    fn other_key(&mut self, _: &KeyEvent) -> Option<Vec<Act>> {
        self.said.take().map(|_| Vec::new())
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let skin = context.skin;
        buffer.set_stringn(area.x + 1, area.y, "Quadrille", area.width as usize, skin.strong());
        if area.width >= PICTURE + 40 {
            buffer.set_string(area.x + 12, area.y, "games on squared paper", skin.dim());
        }
        let columns = area.width as usize - 2;
        let items = Self::items(context);
        let room = area.height - 1;
        let rest = (items.len() - GAMES.len()) as u16;
        let games = GAMES.len() as u16;
        let total = |(game, gap): (u16, u16)| games * game + (games - 1) * gap + rest;
        // Below the entries stands what was said; else what there is to say of the chosen one, where
        // that is not beside it.
        let at_risk = context.left.iter().any(|left| matches!(left, Unfinished::InMemory(..)));
        let said =
            self.said.as_ref().map(|said| text::wrap(&format!("! {said}"), columns, 2, skin));
        let below = match &said {
            Some(said) => said.len() as u16,
            None => 2 * u16::from(at_risk),
        };
        let (game, gap) =
            [(3, 1), (3, 0)].into_iter().find(|&way| total(way) + below <= room).unwrap_or((1, 0));
        let below = if game > 1 || said.is_some() {
            below
        } else {
            room.saturating_sub(total((game, gap))).clamp(u16::from(room >= LEAST_FOR_NOTE), 2)
        };
        let note = match said {
            None if below > 0 => text::wrap(&self.note(context), columns, below.into(), skin),
            said => said.unwrap_or_default(),
        };
        let style = if self.said.is_some() { skin.wrong() } else { skin.dim() };
        let area = Rect { height: area.height - below, ..area };
        for (y, row) in (area.bottom()..).zip(note) {
            buffer.set_string(area.x + 1, y, row, style);
        }
        let room = room - below;
        // An empty line before the first entry, and one behind the games, where there is room.
        let spare = room.saturating_sub(total((game, gap)));
        let mut y = area.y + 1 + u16::from(spare > 0);
        let at = items.iter().position(|item| *item == self.at).unwrap_or(0);
        self.page.set(room.into());
        let seen = if game == 1 {
            scroll::page_round(at, items.len(), room.into())
        } else {
            0..items.len()
        };
        scroll::draw_seen(&seen, items.len(), skin, area, buffer);
        for item in &items[seen] {
            let (height, gap) = match item {
                Item::Game(index) if *index + 1 < GAMES.len() => (game, gap),
                Item::Game(_) => (game, gap * u16::from(spare > 1)),
                _ => (1, 0),
            };
            self.draw_item(item, context, Rect { y, height, ..area }, buffer);
            y += height + gap;
        }
        None
    }

    fn news<'a>(&mut self, news: News<'a>, context: &Context) -> Option<News<'a>> {
        match news {
            News::MatchLeft => self.moved = false,
            News::Unfinished => {}
            other => return Some(other),
        }
        self.tell(&context.left);
        None
    }

    fn hear(&mut self, line: &str) -> bool {
        self.said = Some(line.to_owned());
        true
    }

    fn hints(&self) -> Vec<Hint> {
        let mut hints = vec![Hint::new(&[Action::Up, Action::Down], "move"), Action::Choose.hint()];
        hints.extend(matches!(self.at, Item::GoOn(_)).then_some(Action::Delete.hint()));
        hints
    }

    fn about(&self) -> (String, String) {
        let mut text = "Choose a game to set it up and play it, two or more people at one keyboard, or \
                        with the computer at some of the seats. A match you leave is kept, also when the \
                        program ends, and offered here to go on with. \
                        One that could not be saved is offered until the program ends, and saved as soon \
                        as there is a place for it.\n\n\
                        The last line of every screen names the keys that work there; each can be clicked."
            .to_owned();
        if let Some(said) = &self.said {
            text = format!("{said}\n\n{text}");
        }
        ("Home".to_owned(), text)
    }

    fn answer(&mut self, answer: Answer, context: &mut Context) -> Vec<Act> {
        match answer {
            Answer::Rules(Some(index)) => {
                vec![Act::push(Reader::rules(&GAMES[index]))]
            }
            Answer::Delete => {
                let Some(doomed) = self.doomed.take() else { return Vec::new() };
                let acts = unfinished::discard(context, &doomed);
                self.moved = true;
                self.tell(&context.left);
                acts
            }
            Answer::Quit => vec![Act::run(TerminalTask::Quit)],
            _ => Vec::new(),
        }
    }

    fn way_out(&self) -> &'static str {
        "quit"
    }
}
