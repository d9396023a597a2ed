//! A match with the people at its table.

use super::pending::{Ask, Question};
use crate::board::Table;
use crate::catalogue::Entry;
use crate::rules::{Outcome, Seat, Setup, SetupError};
use crate::session::{AnyMatch, EngineSeat, Player};

/// A match, who sits where, and whether a record of it is kept.
pub struct Sitting {
    /// The game.
    pub entry: &'static Entry,
    /// The match and its board.
    pub table: Box<dyn Table>,
    /// The words it was set up with, as they were given.
    pub words: Setup,
    /// Who sits where, one a seat.
    pub players: Vec<Player>,
    /// Whether each move is to be written to a record of the user's own.
    pub recorded: bool,
    /// What the match is written down as, if it is.
    pub shelved: Option<String>,
    /// Why moves of it are not written down, if they are not.
    pub unsaved: Option<String>,
    /// Why the user's own record is not up to date, if it is not.
    pub trouble: Option<String>,
}

impl Sitting {
    /// A new match. Names that are missing or empty become `Player 1` and so on.
    pub fn new(
        entry: &'static Entry,
        setup: &Setup,
        names: &[String],
    ) -> Result<Sitting, SetupError> {
        Ok(Sitting::at(entry, (entry.open)(setup)?, setup.clone(), names))
    }

    /// Seats people at a match that is there already, set up with these words.
    pub fn at(
        entry: &'static Entry,
        table: Box<dyn Table>,
        words: Setup,
        names: &[String],
    ) -> Sitting {
        let seats = usize::from(table.game().seats());
        let players = (0..seats).map(|seat| match names.get(seat).map(|name| name.trim()) {
            None | Some("") => Player::Person(format!("Player {}", seat + 1)),
            Some(name) => Player::named(name),
        });
        Sitting {
            players: players.collect(),
            entry,
            table,
            words,
            recorded: false,
            shelved: None,
            unsaved: None,
            trouble: None,
        }
    }

    /// The match.
    pub fn game(&self) -> &dyn AnyMatch {
        self.table.game()
    }

    /// The name at a seat.
    pub fn name(&self, seat: Seat) -> &str {
        self.players.get(seat.index()).map_or("", Player::name)
    }

    /// Who sits where, as it is written down.
    pub fn names(&self) -> Vec<String> {
        self.players.iter().map(ToString::to_string).collect()
    }

    /// The names that people have given, without those that only count the seats.
    pub fn given_names(&self) -> Vec<String> {
        let seats = self.players.iter().enumerate();
        let given = seats.filter_map(|(seat, player)| match player {
            Player::Person(name) if *name != format!("Player {}", seat + 1) => Some(name.clone()),
            _ => None,
        });
        given.collect()
    }

    /// The engine whose turn it is.
    pub fn engine_to_move(&self) -> Option<EngineSeat> {
        self.players.get(self.game().to_move()?.index())?.engine()
    }

    /// Whether only engines play.
    pub fn is_unattended(&self) -> bool {
        self.players.iter().all(|player| player.engine().is_some())
    }

    /// The position as one thinks about it.
    pub fn question(&self, ask: Ask) -> Question {
        Question { entry: self.entry, way: self.game().position_spec(), ask }
    }

    /// All seats, in order.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.game().seats()).map(Seat::new)
    }

    /// Whether the match as it stands is written down.
    pub fn is_shelved(&self) -> bool {
        self.shelved.is_some() && self.unsaved.is_none()
    }

    /// Whether there are moves in it that are written down nowhere. One that is over counts only if
    /// it could not be written down.
    pub fn can_be_lost(&self) -> bool {
        let played = self.game().nodes() > 1;
        let over = self.game().outcome().is_some();
        played && !self.is_shelved() && (!over || self.unsaved.is_some())
    }

    /// The same game from the start with the same people, all one seat further round if `swap`.
    pub fn rematch(&self, swap: bool) -> Result<Sitting, SetupError> {
        let mut names = self.names();
        if swap {
            names.rotate_right(1);
        }
        let mut sitting = Sitting::new(self.entry, &self.game().setup(), &names)?;
        sitting.words = self.words.clone();
        Ok(sitting)
    }

    /// A new match of the same people that begins with the moves of this one so far.
    pub fn branch_off(&self) -> Result<Sitting, SetupError> {
        let mut sitting = self.rematch(false)?;
        for (_, mv) in self.game().moves() {
            let played = sitting.table.play(mv);
            debug_assert_eq!(played, Ok(()), "{mv} was legal before");
        }
        sitting.table.point_near_last();
        Ok(sitting)
    }

    /// What it was set up with, if that can be said in a few words.
    pub fn short_setup(&self) -> String {
        let complete = self.game().setup();
        let texts = [complete.to_string(), self.words.to_string()];
        texts.into_iter().find(|text| text.len() <= 60).unwrap_or_default()
    }

    /// How it ended, in a few words: `Ann wins 3-1`. Empty while it goes on.
    pub fn result(&self) -> String {
        let Some(outcome) = self.game().outcome() else { return String::new() };
        let agreed = if self.game().is_agreed() { ", agreed" } else { "" };
        let scores = self.game().scores();
        let score = self.score().map_or(String::new(), |score| format!(" {score}"));
        let winners: Vec<&str> = outcome.winners().map(|seat| self.name(seat)).collect();
        match winners.as_slice() {
            [] => "Nobody has won".to_owned(),
            [winner] => match scores.as_deref() {
                Some([one, two]) => format!("{winner} wins {}-{}", one.max(two), one.min(two)),
                Some(scores) => {
                    let most = scores.iter().max().copied().unwrap_or_default();
                    format!("{winner} wins with {most}")
                }
                None => format!("{winner} wins"),
            },
            _ if outcome == Outcome::shared(self.game().seats()) => {
                format!("A draw{score}{agreed}")
            }
            [first @ .., last] => format!("{} and {last} share the win{score}", first.join(", ")),
        }
    }

    /// The score of all seats, `3-1`, where the game keeps one.
    pub fn score(&self) -> Option<String> {
        let scores: Vec<String> = self.game().scores()?.iter().map(u32::to_string).collect();
        Some(scores.join("-"))
    }
}
