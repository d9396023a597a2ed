//! The view of the setup screen: the form, the help for the row under the cursor, and a preview of the board.

use super::opponents::Opponent;
use super::values::is_text;
use super::{FormRow, SetupScreen};
use crate::action::{Action, KeySet};
use crate::board::AnyBoard;
use crate::view::{FieldValue, FormField, FormView, Phrase, Preview, Tone, View};
use quadrille_match::session::{EngineSeat, Player};
use quadrille_rules::{ChoiceOption, OptionSpec};
use quadrille_search::Level;
use quadrille_table::words;
use quadrille_text::wording::{capital, list};

/// The width of the names in columns: usually, and if space is short.
const NAMES: [u16; 2] = [16, 14];

impl SetupScreen {
    pub(super) fn form(&self) -> View<'_> {
        let rows = self.rows();
        let at = self.list.at().min(rows.len() - 1);
        let help = match &self.error {
            Some(error) => Phrase::wrong(&*error.text),
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

    /// Returns the board, with its size and the expected length of the match.
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
        let text = self.shown(row);
        let value = match row {
            FormRow::Start => FieldValue::Button(self.error.is_none()),
            _ if here && let Some(field) = &self.typing => FieldValue::Typed(field.typed()),
            FormRow::Opponent => FieldValue::Choices(
                Opponent::ALL.map(|opponent| opponent.label(self.seats)).to_vec(),
                self.opponent as usize,
            ),
            FormRow::Level => {
                match (0..self.seats).find(|seat| self.choice(*seat).engine().is_some()) {
                    Some(seat) => FieldValue::Seat(seat, text),
                    None => FieldValue::Text(text, Tone::Strong),
                }
            }
            FormRow::Seat(seat) if text.is_empty() => FieldValue::Seat(seat, row.label()),
            FormRow::Seat(seat) => FieldValue::Seat(seat, text),
            FormRow::Name if text.is_empty() => FieldValue::Text("You".to_owned(), Tone::Dim),
            FormRow::Name => FieldValue::Seat(self.own_seat(), text),
            _ if is_text(row) && text.is_empty() => FieldValue::Text("none".to_owned(), Tone::Dim),
            _ => FieldValue::Text(text, Tone::Strong),
        };
        let is_wrong = self.error.as_ref().is_some_and(|error| error.row == Some(row));
        // A second click performs the action that the first click announced: it opens, edits or changes the row.
        let click = match row {
            FormRow::More | FormRow::Start => Action::Choose,
            row if self.is_typed(row) => Action::Choose,
            _ => Action::NextValue,
        };
        FormField {
            name: row.label(),
            value,
            kind: if is_wrong { Phrase::wrong("") } else { Phrase::dim(self.kind(row)) },
            turns: self.can_turn(row) && row != FormRow::More,
            click: Some(click),
            begins_group: false,
        }
    }

    /// Returns the word after the value, which names the kind of player or value.
    fn kind(&self, row: FormRow) -> &'static str {
        let of_player = |player: Option<Player>| match player {
            Some(Player::Guest(_)) => "over ssh",
            Some(Player::Program(_)) => "program",
            Some(Player::Engine(engine)) if Some(engine.level) == self.fitting_level() => {
                "suggested"
            }
            Some(_) => "computer",
            None => "person",
        };
        match row {
            FormRow::Seat(seat) if self.opponent == Opponent::Custom => {
                of_player(self.choice(seat).other)
            }
            FormRow::Level => match of_player(self.engine()) {
                "computer" => "",
                kind => kind,
            },
            _ => "",
        }
    }

    fn help(&self) -> String {
        match self.row() {
            FormRow::Option(OptionSpec::Choice(option)) => {
                let here = option.as_written(&self.setup).0;
                let choice = option.choices.iter().find(|choice| choice.word == here);
                let what = choice.filter(|choice| option.is_counted() && !choice.help.is_empty());
                let what = what.map_or(String::new(), |choice| format!(": {}", choice.help));
                capital(&format!("{}{what}", option.help))
            }
            FormRow::Option(option) => capital(&format!("{} ({})", option.help(), option.values())),
            FormRow::Count(ChoiceOption { counts, min, max, .. }) => {
                format!("{} on the board, {min} to {max}", capital(counts))
            }
            FormRow::Board => {
                let board = self.preview.as_ref().map(|(_, viewer)| viewer.board.caption().board);
                board.unwrap_or_default()
            }
            FormRow::Opponent => self.opponent.about(self.seats).to_owned(),
            FormRow::Name => "The name on your records".to_owned(),
            FormRow::Level => match self.engine() {
                Some(engine) => self.help_on(&engine),
                None => String::new(),
            },
            FormRow::Seat(seat) => match self.choice(seat).other {
                Some(player) => self.help_on(&player),
                None if self.opponent == Opponent::Custom => {
                    "Enter to type a name, left and right to choose another player".to_owned()
                }
                None => "Enter to change the name".to_owned(),
            },
            FormRow::FirstMove | FormRow::More => String::new(),
            FormRow::Keys if self.two_key_sets => {
                let [letters, arrows] = [KeySet::Letters, KeySet::Arrows];
                let keys = || format!("Player 1: {letters}. Player 2: {arrows}");
                self.lost_keys.clone().unwrap_or_else(keys)
            }
            FormRow::Keys => "Both players share all keys".to_owned(),
            FormRow::Clock => match self.time_control() {
                Ok(Some(clock)) if !clock.increment.is_zero() => {
                    "Time per player, plus an increment per move".to_owned()
                }
                Ok(Some(_)) => "Time per player for all moves".to_owned(),
                _ => "Enter to type one, such as 5 min + 3 s".to_owned(),
            },
            FormRow::Time => "Time limit per computer move".to_owned(),
            FormRow::Start => self.players_in_words(),
        }
    }

    /// Describes a player other than a person at this terminal.
    fn help_on(&self, player: &Player) -> String {
        match (player, self.horizon) {
            (Player::Guest(_), _) => "Joins over ssh under a name of their choice".to_owned(),
            (Player::Program(program), _) => format!("Runs {}", program.command()),
            (Player::Engine(EngineSeat { level: Level::Strong, .. }), Some(horizon))
                if !self.can_be_played(Level::Perfect) =>
            {
                let far = words::horizon(horizon);
                far.map_or(String::new(), |far| {
                    format!("{far}; Perfect cannot solve this board from the start")
                })
            }
            (Player::Engine(engine), _) => engine.level.about().to_owned(),
            (Player::Person(_), _) => String::new(),
        }
    }

    /// Describes the players as text, such as `Ann against Beginner`.
    fn players_in_words(&self) -> String {
        let name = |seat| match (self.value(FormRow::Seat(seat)), self.shows_own_name()) {
            (name, true) if name.is_empty() => "You".to_owned(),
            (name, _) if name.is_empty() => FormRow::Seat(seat).label(),
            (name, _) => name,
        };
        let names: Vec<String> = (0..self.seats).map(name).collect();
        if let [one, other] = &*names { format!("{one} against {other}") } else { list(names) }
    }
}
