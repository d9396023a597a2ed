//! The settings screen: a row for each setting, and beside the rows a board that shows the effect.

mod keys_screen;

pub(super) use keys_screen::KeysScreen;

use super::destination::Destination;
use super::list::{self, ListState};
use super::screen::{About, Act, Screen};
use super::targets::Target;
use super::{Context, form, scroll, text};
use crate::action::{Action, KeyHint};
use crate::board::Viewer;
use crate::catalogue::GAMES;
use crate::rules::Seat;
use crate::scene::{Role, SEATS, SeatRole, Skin};
use crate::settings::{Setting, SettingKind, Settings};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::cell::OnceCell;

/// The column of the form where values begin.
const VALUE: u16 = 20;

/// A form with all settings.
#[derive(Default)]
pub(super) struct SettingsScreen {
    list: ListState,
    /// Why the last change could not be saved.
    message: Option<String>,
    /// The board that shows the effect.
    sample: OnceCell<Option<Viewer>>,
}

/// The rows: the settings, and one that opens the screen where keys are changed.
const ROWS: usize = Setting::ALL.len() + 1;

/// The setting in a row; `None` for the row of the keys.
fn row(index: usize) -> Option<Setting> {
    Setting::ALL.get(index).copied()
}

impl SettingsScreen {
    /// The settings with the next value of the row under the cursor, or the one before; `None` if there is no
    /// other.
    fn turned(&self, up: bool, context: &Context) -> Option<Settings> {
        let setting = row(self.list.at())?;
        if setting.kind == SettingKind::Theme {
            return context.with_theme(up);
        }
        let now = context.settings.get(setting);
        let next = setting.turn(&now, up);
        let mut settings = context.settings.clone();
        settings.set(setting, &next);
        (next != now).then_some(settings)
    }

    fn draw_row(&self, index: usize, line: Rect, context: &Context, buffer: &mut Buffer) {
        let here = index == self.list.at();
        let skin = context.skin;
        let styles = form::Styles::of(here, skin);
        if let Some(setting) = row(index) {
            let value = form::draw_name(setting.label, here, VALUE, line, skin, buffer);
            let text = setting.in_words(&context.settings.get(setting));
            let turns = here && (setting.kind != SettingKind::Theme || context.has_themes());
            form::draw_value(&text, styles.strong, turns, value, context, buffer);
        } else {
            let value = form::draw_name("keys", here, VALUE, line, skin, buffer);
            let changed = context.settings.keys.changes().count();
            let text = match changed {
                0 => "default".to_owned(),
                number => format!("{number} changed"),
            };
            form::draw_value(&text, styles.strong, false, value, context, buffer);
        }
    }

    /// Draws the rows, and below them what the setting under the cursor does and where it is saved.
    fn draw_form(&self, context: &Context, area: Rect, buffer: &mut Buffer) {
        let skin = context.skin;
        let room = usize::from(area.height.saturating_sub(6));
        let group = |index| row(index).map(|setting| setting.group);
        let groups = (1..ROWS).filter(|index| group(index - 1) != group(*index)).count();
        let has_gaps = room >= ROWS + groups;
        let seen = list::page_round(self.list.at(), ROWS, if has_gaps { ROWS } else { room });
        scroll::draw_seen(&seen, ROWS, skin, area, buffer);
        let mut y = area.y + if has_gaps { 2 } else { 1 };
        for index in seen {
            let begins = index > 0 && group(index - 1) != group(index);
            y += u16::from(has_gaps && begins);
            let line = Rect { y, height: 1, ..area };
            let chosen = (index == self.list.at()).then_some(Action::Choose);
            context.targets.note(line, Target::Entry(index, chosen));
            self.draw_row(index, line, context, buffer);
            y += 1;
        }
        let about = row(self.list.at()).map_or("Which keys do what.", |setting| setting.help);
        let width = usize::from(area.width) - 2;
        let lines = usize::from(area.bottom().saturating_sub(y + 1));
        let (note, style) = match &self.message {
            Some(message) => (format!("! {message}"), skin.wrong()),
            None => (context.settings_note.clone(), skin.dim()),
        };
        let note = text::wrap(&note, width, lines, skin);
        let about = text::wrap(about, width, lines.saturating_sub(note.len()), skin);
        let about = about.iter().map(|line| (line, skin.dim()));
        for (y, (line, style)) in (y + 1..).zip(about.chain(note.iter().map(|line| (line, style))))
        {
            buffer.set_string(area.x + 2, y, line, style);
        }
    }

    /// Draws a board and the colours of all seats with the present settings.
    fn draw_preview(&self, area: Rect, context: &Context, buffer: &mut Buffer) {
        let skin = context.skin;
        let swatches = 3;
        let picture =
            Rect { y: area.y + 2, height: area.height.saturating_sub(swatches + 5), ..area };
        let sample = self.sample.get_or_init(|| {
            let mut sample = Viewer::sample(&GAMES[0])?;
            sample.board.show_coordinates(context.settings.coordinates);
            Some(sample)
        });
        if let Some(sample) = sample {
            sample.board.draw(picture, buffer, skin);
        }
        draw_seats(Rect { y: picture.bottom() + 1, height: swatches, ..area }, skin, buffer);
    }
}

/// Draws the ink of each seat above its number.
fn draw_seats(area: Rect, skin: Skin, buffer: &mut Buffer) {
    let pitch = area.width / SEATS as u16;
    let left = area.x + (area.width - pitch * SEATS as u16) / 2;
    for index in 0..SEATS as u16 {
        let seat = Seat::new(index as u8);
        let ink = skin.style(Role::Of(SeatRole::Ink, seat));
        let bar = skin.glyphs().bar.to_string().repeat(usize::from(pitch.saturating_sub(1)));
        let x = left + index * pitch;
        buffer.set_stringn(x, area.y, &bar, usize::from(pitch), ink);
        let number = (index + 1).to_string();
        buffer.set_stringn(x + pitch.saturating_sub(1) / 2, area.y + 1, &number, 1, skin.dim());
    }
}

impl Screen for SettingsScreen {
    fn actions(&self, _: &Context) -> Vec<Action> {
        let mut actions = [ListState::ACTIONS, &[Action::Choose, Action::Back]].concat();
        if row(self.list.at()).is_some() {
            actions.extend([Action::PreviousValue, Action::NextValue]);
        }
        actions
    }

    fn perform(&mut self, action: Action, context: &mut Context) -> Option<Vec<Act>> {
        self.message = None;
        Some(match action {
            Action::PreviousValue | Action::NextValue => {
                let settings = self.turned(action == Action::NextValue, context)?;
                vec![Act::Set(Box::new(settings))]
            }
            Action::Choose if row(self.list.at()).is_none() => {
                vec![Act::Open(Destination::Keys)]
            }
            Action::Choose => vec![Act::Set(Box::new(self.turned(true, context)?))],
            Action::Back => vec![Act::Pop],
            action => {
                self.list.walk(action, ROWS)?;
                Vec::new()
            }
        })
    }

    fn list_mut(&mut self) -> Option<(&mut ListState, usize)> {
        Some((&mut self.list, ROWS))
    }

    fn adopt(&mut self, settings: &Settings) {
        if let Some(Some(sample)) = self.sample.get_mut() {
            sample.board.show_coordinates(settings.coordinates);
        }
    }

    fn show_message(&mut self, line: &str) -> bool {
        self.message = Some(line.to_owned());
        true
    }

    fn draw(&self, context: &Context, area: Rect, buffer: &mut Buffer) -> Option<Position> {
        let places = form::FormLayout::of(area);
        form::draw_title("Settings", "", places.whole, context.skin, buffer);
        if let Some(beside) = places.beside {
            self.draw_preview(beside, context, buffer);
        }
        self.draw_form(context, places.form, buffer);
        None
    }

    fn key_hints(&self) -> Vec<KeyHint> {
        let walk = KeyHint::new(&[Action::Up, Action::Down], "move");
        let turn = KeyHint::new(&[Action::PreviousValue, Action::NextValue], "change");
        match row(self.list.at()) {
            Some(_) => vec![turn, walk, Action::Back.to("done")],
            None => vec![Action::Choose.to("open"), walk, Action::Back.to("done")],
        }
    }

    fn about(&self) -> About {
        let rows = Setting::ALL.iter();
        let rows = rows.map(|row| format!("{}{}: {}\n", text::ITEM, row.label, row.help));
        let text = rows.collect::<String>()
            + "\nThe command quadrille config prints all settings, and where they are saved.";
        About::new("Settings", "Changes take effect at once, and are saved.").with_details(text)
    }

    fn way_out(&self) -> &'static str {
        "done"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything that left and right lead to from the default of a setting.
    fn values(setting: Setting) -> Vec<String> {
        let mut value = Settings::default().get(setting);
        let mut values = Vec::new();
        for up in [true, false] {
            while !values.contains(&value) {
                values.push(value.clone());
                value = setting.turn(&value, up);
            }
            value = setting.turn(&values[0], !up);
        }
        values
    }

    #[test]
    fn no_name_and_no_value_is_cut_on_a_small_screen() {
        let form = form::FormLayout::of(Rect::new(0, 0, 40, 11)).form;
        // A row ends with an arrow and two empty columns.
        let room = usize::from(form.width - VALUE - 3);
        for setting in Setting::ALL.iter().copied() {
            assert!(text::width(setting.label) <= usize::from(VALUE) - 4, "{setting:?}");
            // At 80 x 24 there are two rows of forty columns for this.
            let about = text::wrap(setting.help, 40, usize::MAX, Skin::default());
            assert!(about.len() <= 2, "{about:?}");
            for value in values(setting) {
                let words = setting.in_words(&value);
                assert!(text::width(&words) <= room, "{setting:?}: {words}");
            }
        }
    }
}
