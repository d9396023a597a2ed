//! The home screen: the games, the matches that can be gone on with, the rules, the way out.

use super::matches::MatchScreen;
use super::menu::Menu;
use super::reader::Reader;
use super::screen::{Act, Answer, Screen, View};
use super::setup::SetupScreen;
use super::{Desk, Left, Task, keys};
use crate::board::{Hint, Press};
use crate::catalogue::GAMES;
use crate::rules::Setup;
use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// The entry under the cursor.
#[derive(Default)]
pub(super) struct Home {
    at: Item,
    /// What is to be told, until the next key.
    said: Option<String>,
}

/// An entry of the home screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    /// The n-th of the matches that were left.
    GoOn(usize),
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

impl Home {
    /// Puts the cursor on the match that was left last, if there is one.
    pub fn offer_to_go_on(&mut self, any: bool) {
        match self.at {
            _ if any => self.at = Item::GoOn(0),
            Item::GoOn(_) => self.at = Item::default(),
            _ => {}
        }
    }

    fn items(desk: &Desk) -> Vec<Item> {
        let kept = (0..desk.left.len()).map(Item::GoOn);
        let games = (0..GAMES.len()).map(Item::Game);
        kept.chain(games).chain([Item::Records, Item::Rules, Item::Quit]).collect()
    }

    fn choose(&self, desk: &mut Desk) -> Vec<Act> {
        match self.at {
            Item::GoOn(index) if index < desk.left.len() => match desk.left.remove(index) {
                Left::InMemory(sitting) => {
                    vec![Act::Push(Screen::Match(Box::new(MatchScreen::new(*sitting))))]
                }
                Left::OnShelf(shelved) => vec![Act::Run(Task::Resume(shelved.id))],
            },
            Item::GoOn(_) => Vec::new(),
            Item::Game(index) => {
                let screen = SetupScreen::new(&GAMES[index], Setup::new(), Vec::new(), desk);
                vec![Act::Push(Screen::Setup(Box::new(screen)))]
            }
            Item::Records => {
                let library = Screen::Library(Box::default());
                vec![Act::Push(library), Act::Run(Task::ListRecords)]
            }
            Item::Rules => {
                let entries = GAMES.iter().enumerate();
                let entries =
                    entries.map(|(n, game)| (game.name.to_owned(), Answer::Rules(Some(n))));
                let menu = Menu::new("The rules of", entries.collect());
                vec![Act::Push(Screen::Menu(menu.with_about("Choose a game to read its rules.")))]
            }
            Item::Quit => vec![Act::Pop],
        }
    }

    fn draw_item(&self, item: Item, desk: &Desk, area: Rect, buffer: &mut Buffer) {
        let skin = desk.skin;
        let here = item == self.at;
        if here {
            buffer.set_string(area.x + 1, area.y, skin.glyphs().turn.to_string(), skin.strong());
        }
        let drawn = area.height >= 3;
        let indent = if drawn { 3 + PICTURE + 2 } else { 3 };
        let text = area.x + indent;
        let room = area.width.saturating_sub(indent + 1) as usize;
        let style = if here { skin.cursor() } else { skin.strong() };
        let mut name =
            |y, name: &str| buffer.set_stringn(text, y, format!(" {name} "), room, style);
        match item {
            Item::Game(index) => {
                let game = &GAMES[index];
                let (end, y) = name(area.y, game.name);
                for (y, row) in (area.y..area.bottom()).zip(game.picture).filter(|_| drawn) {
                    buffer.set_stringn(area.x + 3, y, row, PICTURE as usize, skin.plain());
                }
                let (x, y) = if drawn { (text + 1, y + 1) } else { (end.max(area.x + 26), y) };
                let room = area.right().saturating_sub(x) as usize;
                if game.tagline.len() <= room {
                    buffer.set_string(x, y, game.tagline, skin.dim());
                }
            }
            Item::GoOn(index) => {
                let (line, when) = match &desk.left[index] {
                    Left::InMemory(sitting) => (sitting.line(), ""),
                    Left::OnShelf(shelved) => (shelved.line.clone(), &*shelved.when),
                };
                name(area.y, &format!("Go on: {line}  {when}"));
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

impl View for Home {
    fn key(&mut self, key: &KeyEvent, desk: &mut Desk) -> Option<Vec<Act>> {
        let items = Self::items(desk);
        let said = self.said.take();
        let Some(press) = keys::press(key) else { return said.map(|_| Vec::new()) };
        match press {
            Press::Choose => Some(self.choose(desk)),
            press @ (Press::Arrow(_) | Press::Next | Press::Previous) => {
                let at = items.iter().position(|item| *item == self.at).unwrap_or(0);
                self.at = items[keys::step(at, items.len(), press)];
                Some(Vec::new())
            }
            _ => None,
        }
    }

    fn draw(&self, desk: &Desk, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let skin = desk.skin;
        buffer.set_stringn(area.x + 1, area.y, "Quadrille", area.width as usize, skin.strong());
        if area.width >= PICTURE + 40 {
            buffer.set_string(area.x + 12, area.y, "five games on squared paper", skin.dim());
        }
        let mut area = area;
        if let Some(said) = &self.said {
            area.height -= 1;
            let room = area.width as usize - 1;
            buffer.set_stringn(area.x + 1, area.bottom(), format!("! {said}"), room, skin.wrong());
        }
        let items = Self::items(desk);
        let room = area.height - 1;
        let rest = (items.len() - GAMES.len()) as u16;
        let games = GAMES.len() as u16;
        let total = |(game, gap): (u16, u16)| games * game + (games - 1) * gap + rest;
        let (game, gap) =
            [(3, 1), (3, 0)].into_iter().find(|&way| total(way) <= room).unwrap_or((1, 0));
        // An empty line before the first entry, and one behind the games, where there is room.
        let spare = room.saturating_sub(total((game, gap)));
        let mut y = area.y + 1 + u16::from(spare > 0);
        let at = items.iter().position(|item| *item == self.at).unwrap_or(0);
        let skip = if game == 1 { (at + 1).saturating_sub(room as usize) } else { 0 };
        for item in items.into_iter().skip(skip) {
            let (height, gap) = match item {
                Item::Game(index) if index + 1 < GAMES.len() => (game, gap),
                Item::Game(_) => (game, gap * u16::from(spare > 1)),
                _ => (1, 0),
            };
            if y + height > area.bottom() {
                break;
            }
            self.draw_item(item, desk, Rect { y, height, ..area }, buffer);
            y += height + gap;
        }
        None
    }

    fn hear(&mut self, line: &str) -> bool {
        self.said = Some(line.to_owned());
        true
    }

    fn hints(&self) -> Vec<Hint> {
        vec![("arrows", "move"), ("Enter", "choose")]
    }

    fn about(&self) -> (String, String) {
        let text = "Choose a game to set it up and play it, two or more people at one keyboard. \
                    A match you leave is kept here until the program ends.\n\n\
                    The arrow keys, or h j k l, move; Enter or Space chooses; Esc goes one step back. \
                    The last line of every screen names the keys that work there.";
        ("Home".to_owned(), text.to_owned())
    }

    fn answer(&mut self, answer: Answer, _: &mut Desk) -> Vec<Act> {
        match answer {
            Answer::Rules(Some(index)) => {
                vec![Act::Push(Screen::Reader(Reader::rules(&GAMES[index])))]
            }
            _ => Vec::new(),
        }
    }
}
