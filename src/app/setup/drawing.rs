//! How the setup screen is drawn: the form, the help on the row under the cursor, and a preview of the
//! board.

use super::{FormRow, SetupScreen};
use crate::action::Action;
use crate::app::targets::Target;
use crate::app::{Context, form, list, scroll, text};
use crate::board::AnyBoard;
use crate::rules::{CountedOption, OptionSpec, Seat};
use crate::scene::{Role, SeatRole, Skin};
use crate::search::{Horizon, Level};
use crate::session::{EngineSeat, Player};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;

/// The column of a form where values begin, and the same where room is short.
const VALUE: [u16; 2] = [16, 13];
/// The width from which there is room.
const ROOMY: u16 = 42;
/// The columns that tell which rows are seen, such as `12-16 of 20`, with a gap.
const SEEN: u16 = 12;
/// The columns of the button that starts the match.
const BUTTON: u16 = 24;
impl SetupScreen {
    /// Draws the rows of the form, and below them the error or the help on the row under the cursor.
    pub(super) fn draw_form(
        &self,
        context: &Context,
        area: Rect,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let skin = context.skin;
        let rows = self.rows();
        let at = self.list.at().min(rows.len() - 1);
        let room = usize::from(rows_room(area));
        let options = rows.len() - 1;
        let (pitch, start, gap) = match room {
            room if room > 2 * options + 4 => (2, 3, 1),
            room if room > options + 4 => (1, 3, 1),
            room if room > options + 1 => (1, 1, 1),
            _ => (1, 1, 0),
        };
        let top = area.y + 1 + u16::from(room > rows.len());
        let seen = list::page_round(at, rows.len(), if gap > 0 { rows.len() } else { room });
        scroll::draw_seen(&seen, rows.len(), skin, area, buffer);
        let mut cursor = None;
        let mut y = top;
        for (index, row) in seen.clone().zip(&rows[seen]) {
            let line = Rect { y, height: 1, ..area };
            if let FormRow::Start = row {
                y += gap;
                let button = Rect { y, height: start, ..area };
                draw_start(button, index == at, self.error.is_none(), skin, buffer);
                context.targets.note(button, Target::Entry(index, Some(Action::Choose)));
                y += start;
            } else {
                // A second click does what the first one promised: it opens, edits or changes.
                let action = match row {
                    FormRow::More => Some(Action::Choose),
                    row if self.is_typed(*row) => Some(Action::Choose),
                    _ => Some(Action::NextValue),
                };
                let chosen = action.filter(|_| index == at);
                context.targets.note(line, Target::Entry(index, chosen));
                cursor = self.draw_row(*row, index == at, line, context, buffer).or(cursor);
                y += pitch;
            }
        }
        let (text, style) = match &self.error {
            Some(error) => (format!("! {}", error.text), skin.wrong()),
            None => (self.help(), skin.dim()),
        };
        let lines = usize::from(area.bottom().saturating_sub(y + 1)).clamp(2, 4);
        let text = text::wrap(&text, usize::from(area.width) - 2, lines, skin);
        let below = (y + 1).min(area.bottom().saturating_sub(text.len().max(2) as u16));
        for (y, line) in (below..).zip(text) {
            buffer.set_string(area.x + 2, y, line, style);
        }
        cursor
    }

    /// The room for the title: what tells how far the form is scrolled stands beside it.
    pub(super) fn title_area(&self, places: &form::FormLayout) -> Rect {
        let scrolls = self.rows().len() > usize::from(rows_room(places.form));
        let taken = if scrolls { SEEN } else { 0 };
        Rect { width: places.whole.width.saturating_sub(taken), ..places.whole }
    }

    /// Draws a row: its label, and its value with arrows that change it.
    fn draw_row(
        &self,
        row: FormRow,
        here: bool,
        line: Rect,
        context: &Context,
        buffer: &mut Buffer,
    ) -> Option<Position> {
        let skin = context.skin;
        let styles = form::Styles::of(here, skin);
        let label = row.label();
        let indent = VALUE[usize::from(line.width < ROOMY)];
        let value = form::draw_name(&label, here, indent, line, skin, buffer);
        if let (true, Some(field)) = (here, &self.typing) {
            return Some(field.draw(value, styles.strong, buffer));
        }
        let (text, style, turns) = match (row, self.value(row)) {
            (FormRow::Seat(seat), name) => {
                let role = if here { SeatRole::ChosenInk } else { SeatRole::Ink };
                let ink = skin.style(Role::Of(role, Seat::new(seat)));
                let name = if name.is_empty() { format!("Player {}", seat + 1) } else { name };
                (name, styles.strong.patch(ink), here)
            }
            (FormRow::Option(OptionSpec::Text(_)), text) if text.is_empty() => {
                ("none".to_owned(), styles.quiet, false)
            }
            (FormRow::Option(OptionSpec::Text(_)), text) => (text, styles.strong, false),
            (FormRow::More, text) => (text, styles.quiet, false),
            (_, text) => (text, styles.strong, here),
        };
        let end = form::draw_value(&text, style, turns, value, context, buffer);
        let is_wrong = self.error.as_ref().is_some_and(|error| error.row == label);
        let (beside, style) =
            if is_wrong { ("!", skin.wrong()) } else { (self.kind(row), styles.quiet) };
        if end + 3 + beside.len() as u16 <= value.right() {
            buffer.set_string(end + 3, line.y, beside, style);
        }
        None
    }
    /// A word behind the value that says what kind of value it is.
    fn kind(&self, row: FormRow) -> &'static str {
        match row {
            FormRow::Seat(seat) => match self.choice(seat).other {
                Some(Player::Guest(_)) => "another terminal",
                Some(Player::Program(_)) => "program",
                Some(Player::Engine(engine)) if Some(engine.level) == self.fitting_level() => {
                    "fits you"
                }
                Some(_) => "engine",
                None => "person",
            },
            FormRow::Clock if !self.clock.is_empty() => "seconds",
            FormRow::Time => "for a move",
            FormRow::Count(option) => option.counts,
            _ => "",
        }
    }
    /// The help on the row under the cursor.
    fn help(&self) -> String {
        match self.row() {
            FormRow::Option(OptionSpec::Counted(option)) => {
                let here = option.as_written(&self.setup).0;
                let choice = option.choices.iter().find(|choice| choice.word == here);
                let what = choice.map_or(String::new(), |choice| format!(": {}", choice.help));
                format!("{}: {}{what}", option.name, option.help)
            }
            FormRow::Option(option) => {
                format!("{}: {} ({})", option.name(), option.help(), option.values())
            }
            FormRow::Count(option) => {
                let CountedOption { name, counts, min, max, .. } = option;
                format!("how many {counts}: the N of {name} ({min} to {max})")
            }
            FormRow::Opponents => match self.opponents() {
                Some(opponents) => opponents.about(self.seats).to_owned(),
                None => "each player as chosen below".to_owned(),
            },
            FormRow::More => "Enter shows these options too".to_owned(),
            FormRow::Seat(seat) => match (self.choice(seat).other, &self.horizon) {
                (Some(Player::Guest(_)), _) => {
                    "somebody who joins from another terminal, and gives a name there".to_owned()
                }
                (Some(Player::Program(program)), _) => format!("runs {}", program.command()),
                (
                    Some(Player::Engine(EngineSeat { level: Level::Strong, .. })),
                    Some(Horizon::Sees(far)),
                ) if !self.can_be_played(Level::Perfect) => {
                    format!("sees {far}; the game is too long for Perfect")
                }
                (Some(Player::Engine(engine)), _) => engine.level.about().to_owned(),
                _ => "type a name with Enter, or choose an engine or a guest with left and right"
                    .to_owned(),
            },
            FormRow::Clock => match self.time_control() {
                Ok(Some(time_control)) => format!("each player has {}", time_control.in_words()),
                _ => "no clock; or type 300+5: 300 seconds for the match, and 5 more for each move"
                    .to_owned(),
            },
            FormRow::Time => "how long an engine may think about a move".to_owned(),
            FormRow::Start => "the first row says who plays, people or the computer".to_owned(),
        }
    }
}

/// How many rows a form has room for: the title stands above them, and two lines of help below.
const fn rows_room(area: Rect) -> u16 {
    area.height.saturating_sub(4)
}

/// Draws the button that starts the match.
fn draw_start(area: Rect, here: bool, can_start: bool, skin: Skin, buffer: &mut Buffer) {
    let Rect { x, y, height, .. } = area;
    let button = Rect { x: x + 2, y, width: area.width.min(BUTTON), height };
    let style = if here { skin.cursor() } else { skin.style(Role::Panel) };
    buffer.set_style(button, style);
    let text = "Start the match";
    let x = button.x + button.width.saturating_sub(text.len() as u16) / 2;
    let style = if can_start || here {
        style.add_modifier(Modifier::BOLD)
    } else {
        style.patch(skin.dim())
    };
    buffer.set_stringn(x, y + height / 2, text, button.width.into(), style);
}

/// Draws a preview of the board, and below it how large it is and how much there is to play.
pub(super) fn draw_preview(board: &dyn AnyBoard, area: Rect, skin: Skin, buffer: &mut Buffer) {
    let caption = board.caption();
    let width = usize::from(area.width);
    let mut lines: Vec<_> = text::wrap(&caption.board, width, 2, skin)
        .into_iter()
        .map(|line| (line, skin.plain()))
        .collect();
    lines.push((caption.progress, skin.dim()));
    let below = lines.len() as u16 + 4;
    let picture = Rect { y: area.y + 2, height: area.height.saturating_sub(below), ..area };
    board.draw_picture(picture, buffer, skin);
    for (y, (line, style)) in (picture.bottom() + 1..area.bottom()).zip(lines) {
        let x = area.x + area.width.saturating_sub(text::width(&line) as u16) / 2;
        text::put((x, y), &line, area.width.into(), style, skin, buffer);
    }
}
