//! The list of all unfinished matches.

use super::list::{self, ListState};
use super::screen::{About, Act, Screen};
use super::scroll;
use super::table::{self, Column};
use super::unfinished::{self, Unfinished, UnfinishedId};
use super::{Context, resuming, text};
use crate::action::{Action, KeyHint};
use crossterm::event::KeyEvent;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

/// From each width on, the columns of game, score, state and time; names get the rest. A column without
/// width is shown below the list.
const COLUMNS: [(u16, [u16; 4]); 3] =
    [(72, [20, 11, 8, 10]), (52, [14, 7, 0, 10]), (0, [10, 5, 0, 0])];

/// The most columns of the whole list, and the gap between two.
const WIDEST: u16 = 96;
const GAP: u16 = 2;

/// The columns of the list at this width: game, names, score, state, time.
fn columns(width: u16) -> [Column; 5] {
    let way = COLUMNS.iter().find(|(from, _)| width >= *from).map_or(COLUMNS[2].1, |(_, way)| *way);
    let others = table::width(&way.map(Column::text), GAP);
    let [game, score, state, when] = way;
    [game, width.saturating_sub(others), score, state, when].map(Column::text)
}

/// The list, with a cursor that stays on its match when others come and go.
#[derive(Default)]
pub(super) struct UnfinishedScreen {
    /// The match under the cursor and its place in the list, both at the last key.
    at: Option<UnfinishedId>,
    list: ListState,
    message: Option<String>,
}

impl UnfinishedScreen {
    /// The index of the cursor: of its match, or where that was.
    fn row(&self, context: &Context) -> usize {
        let found = self.at.as_ref().and_then(|id| unfinished::index_of(&context.unfinished, id));
        self.list.place(found, context.unfinished.len())
    }
}

impl Screen for UnfinishedScreen {
    fn actions(&self, context: &Context) -> Vec<Action> {
        let has_match: &[Action] =
            if context.unfinished.is_empty() { &[] } else { &[Action::Choose, Action::Delete] };
        [ListState::ACTIONS, &[Action::Back], has_match].concat()
    }

    fn perform(&mut self, action: Action, context: &mut Context) -> Option<Vec<Act>> {
        self.message = None;
        self.go_to_entry(self.row(context), context);
        match (action, self.at.clone()) {
            (Action::Delete, Some(id)) => {
                resuming::ask_to_discard(context, &id).map(|act| vec![act])
            }
            (Action::Choose, Some(id)) => Some(vec![Act::Pop, Act::Resume(id)]),
            (Action::Back, _) => Some(vec![Act::Pop]),
            _ => {
                self.list.walk(action, context.unfinished.len())?;
                self.go_to_entry(self.list.at(), context);
                Some(Vec::new())
            }
        }
    }

    fn other_key(&mut self, _: &KeyEvent, _: &Context) -> Option<Vec<Act>> {
        self.message.take().map(|_| Vec::new())
    }

    fn go_to_entry(&mut self, entry: usize, context: &Context) {
        self.list.go_to(entry);
        self.at = context.unfinished.get(entry).map(Unfinished::id);
    }

    fn wheel(&mut self, back: bool, context: &mut Context) -> Option<Vec<Act>> {
        self.list.go_to(self.row(context));
        let moves = self.list.wheel(back, context.unfinished.len());
        self.go_to_entry(self.list.at(), context);
        moves.then(Vec::new)
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let skin = context.skin;
        let area = table::block(area, WIDEST);
        let row = |y| Rect { y, height: 1, ..area };
        let length = context.unfinished.len();
        let at = self.row(context);
        let room = usize::from(area.width);
        let head = table::head(area);
        let top = head + 1;
        let page = area.bottom().saturating_sub(top + 3) as usize;
        self.list.set_page(page);
        let seen = list::page_round(at, length, page);
        let taken = scroll::draw_seen(&seen, length, skin, area, buffer) as usize;
        let title = "Unfinished matches";
        text::put((area.x, area.y), title, room - taken, skin.strong(), skin, buffer);
        let columns = columns(area.width);
        let heads = ["game", "names", "score", "", "played"];
        let heads = heads.map(|head| Line::styled(head, skin.dim()));
        table::draw_row(&columns, GAP, &heads, row(head), skin, buffer);
        for (y, index) in (top..).zip(seen) {
            let summary = context.unfinished[index].summary();
            let cells = [
                Line::raw(&*summary.game),
                Line::raw(summary.names(usize::MAX, skin)),
                Line::raw(&*summary.score),
                Line::styled(&*summary.state, skin.dim()),
                Line::styled(&*summary.when, skin.dim()),
            ];
            table::draw_row(&columns, GAP, &cells, row(y), skin, buffer);
            list::mark_row(index, index == at, row(y), context, buffer);
        }
        let (note, style) = match (&self.message, context.unfinished.get(at)) {
            (Some(message), _) => (message.clone(), skin.strong()),
            (None, Some(left)) => (left.about(skin), skin.dim()),
            (None, None) => ("There are no unfinished matches.".to_owned(), skin.dim()),
        };
        for (y, line) in (area.bottom() - 2..).zip(text::wrap(&note, room, 2, skin)) {
            buffer.set_string(area.x, y, line, style);
        }
        None
    }

    fn key_hints(&self) -> Vec<KeyHint> {
        vec![
            KeyHint::new(&[Action::Up, Action::Down], "move"),
            Action::Choose.to("resume"),
            Action::Delete.hint(),
            Action::Back.to("home"),
        ]
    }

    fn about(&self) -> About {
        let text =
            "Every match that you left before its end, the latest first. Choose one to resume it.";
        About::new("Unfinished matches", text)
    }

    fn show_message(&mut self, line: &str) -> bool {
        self.message = Some(line.to_owned());
        true
    }
}
