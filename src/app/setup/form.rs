//! What the setup screen shows: the form, the help on the row under the cursor, and a preview of the board.

use super::{FormRow, SetupScreen};
use crate::action::Action;
use crate::board::AnyBoard;
use crate::rules::{CountedOption, OptionSpec};
use crate::search::{Horizon, Level};
use crate::session::{EngineSeat, Player};
use crate::view::{FieldValue, FormField, FormView, Phrase, Preview, Tone, View};

/// The columns of the names, and the same where room is short.
const NAMES: [u16; 2] = [16, 13];

impl SetupScreen {
    pub(super) fn form(&self) -> View<'_> {
        let rows = self.rows();
        let at = self.list.at().min(rows.len() - 1);
        let help = match &self.error {
            Some(error) => Phrase::wrong(&error.text),
            None => Phrase::dim(self.help()),
        };
        let show = |(index, row): (usize, FormRow)| self.show_row(row, index == at);
        View::Form(FormView {
            title: self.entry.name,
            beside_title: "new match",
            rows: rows.into_iter().enumerate().map(show).collect(),
            at,
            names: NAMES,
            help: vec![help],
            help_rows: 2,
            preview: Some(self.preview()),
        })
    }

    /// The board, how large it is and how much there is to play.
    fn preview(&self) -> Preview<'_> {
        let board = self.preview.as_ref().map(|(_, viewer)| &*viewer.board);
        let caption = board.map(AnyBoard::caption);
        let words =
            caption.map(|caption| [Phrase::plain(caption.board), Phrase::dim(caption.progress)]);
        Preview {
            board,
            is_picture: true,
            words: words.into_iter().flatten().collect(),
            rows: [1; 2],
            has_inks: false,
        }
    }

    fn show_row(&self, row: FormRow, here: bool) -> FormField<'_> {
        let name = row.label();
        let text = self.value(row);
        let is_text = matches!(row, FormRow::Option(OptionSpec::Text(_)));
        let value = match row {
            FormRow::Start => FieldValue::Button(self.error.is_none()),
            _ if here && let Some(field) = &self.typing => FieldValue::Typed(field.typed()),
            FormRow::Seat(seat) if text.is_empty() => {
                FieldValue::Seat(seat, format!("Player {}", seat + 1))
            }
            FormRow::Seat(seat) => FieldValue::Seat(seat, text),
            _ if is_text && text.is_empty() => FieldValue::Text("none".to_owned(), Tone::Dim),
            FormRow::More => FieldValue::Text(text, Tone::Dim),
            _ => FieldValue::Text(text, Tone::Strong),
        };
        let is_wrong = self.error.as_ref().is_some_and(|error| error.row == name);
        // A second click does what the first one promised: it opens, edits or changes.
        let click = match row {
            FormRow::More | FormRow::Start => Action::Choose,
            row if self.is_typed(row) => Action::Choose,
            _ => Action::NextValue,
        };
        FormField {
            name,
            value,
            kind: if is_wrong {
                Phrase::new("!", Tone::Wrong)
            } else {
                Phrase::dim(self.kind(row))
            },
            turns: !is_text && !matches!(row, FormRow::More),
            click: Some(click),
            begins_group: matches!(row, FormRow::Start),
        }
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
