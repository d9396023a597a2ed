//! The players' names in sentences.

use super::Players;
use quadrille_rules::Seat;
use quadrille_text::printable::printable;
use quadrille_text::wording::second_person;

/// The names of the players as texts write them: printable and distinct. Of two players called `Strong`, the first
/// becomes `Strong 1`. A text for one of the players addresses that player as `you`, with verbs in the second person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerNames {
    names: Vec<String>,
    you: Option<Seat>,
}

impl PlayerNames {
    pub fn of(players: &Players) -> PlayerNames {
        let names = || players.iter().map(|(seat, _)| (seat, players.name(seat)));
        let distinct = names().map(|(seat, name)| {
            let is_shared = names().filter(|(_, other)| *other == name).count() > 1;
            let name = printable(name);
            if is_shared { format!("{name} {seat}") } else { name.into_owned() }
        });
        PlayerNames { names: distinct.collect(), you: None }
    }

    /// Addresses the player at this seat, if any, as `you`.
    #[must_use]
    pub fn addressing(self, you: Option<Seat>) -> PlayerNames {
        PlayerNames { you, ..self }
    }

    pub fn is_you(&self, seat: Seat) -> bool {
        self.you == Some(seat)
    }

    pub fn you(&self) -> Option<Seat> {
        self.you
    }

    /// Returns the name, even of the player who is addressed.
    pub fn in_third_person(&self, seat: Seat) -> &str {
        self.names.get(seat.index()).map_or("", String::as_str)
    }

    /// Returns the name within a sentence: `Ann` or `you`.
    pub fn name(&self, seat: Seat) -> &str {
        if self.is_you(seat) { "you" } else { self.in_third_person(seat) }
    }

    /// Returns the name at the start of a sentence or alone: `Ann` or `You`.
    pub fn subject(&self, seat: Seat) -> &str {
        if self.is_you(seat) { "You" } else { self.in_third_person(seat) }
    }

    /// Returns the owner of something within a sentence: `Ann's` or `your`.
    pub fn possessive(&self, seat: Seat) -> String {
        let is_you = self.is_you(seat);
        if is_you { "your".to_owned() } else { format!("{}'s", self.in_third_person(seat)) }
    }

    /// Returns the owner of something at the start of a sentence: `Ann's` or `Your`.
    pub fn leading_possessive(&self, seat: Seat) -> String {
        if self.is_you(seat) { "Your".to_owned() } else { self.possessive(seat) }
    }

    /// Returns a verb, given in the third person, in the person for this player: `draws` or `draw`.
    pub fn verb<'v>(&self, seat: Seat, verb: &'v str) -> &'v str {
        if self.is_you(seat) { second_person(verb) } else { verb }
    }

    /// Returns a clause that begins a sentence, whose first word after the subject is the verb: `Ann wins by 2`.
    pub fn clause(&self, seat: Seat, predicate: &str) -> String {
        format!("{} {}", self.subject(seat), self.predicate(seat, predicate))
    }

    /// Returns a clause within a sentence: `you resigned`.
    pub fn inner_clause(&self, seat: Seat, predicate: &str) -> String {
        format!("{} {}", self.name(seat), self.predicate(seat, predicate))
    }

    fn predicate(&self, seat: Seat, predicate: &str) -> String {
        let (verb, rest) = predicate.split_at(predicate.find(' ').unwrap_or(predicate.len()));
        format!("{}{rest}", self.verb(seat, verb))
    }

    /// Iterates over the seats, in order.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        (0..self.names.len() as u8).map(Seat::new)
    }
}

impl From<&Players> for PlayerNames {
    fn from(players: &Players) -> PlayerNames {
        PlayerNames::of(players)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_get_their_seats() {
        let named = |names: [&str; 3]| {
            let names = PlayerNames::of(&Players::named(3, &names.map(str::to_owned)));
            names.seats().map(|seat| names.subject(seat).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(named(["Ann", "engine:casual", ""]), ["Ann", "Casual", "Player 3"]);
        assert_eq!(named(["Casual", "engine:casual", "\u{1b}"])[..2], ["Casual 1", "Casual 2"]);
    }

    #[test]
    fn the_reader_is_you_with_verbs_in_the_second_person() {
        let players = Players::named(2, &["Ann".to_owned(), "Bob".to_owned()]);
        let names = PlayerNames::of(&players).addressing(Some(Seat::SECOND));
        let [ann, you] = [Seat::FIRST, Seat::SECOND];
        assert_eq!(names.clause(ann, "wins by 2"), "Ann wins by 2");
        assert_eq!(names.clause(you, "wins by 2"), "You win by 2");
        assert_eq!(names.clause(you, "should win"), "You should win");
        assert_eq!(names.inner_clause(you, "resigned"), "you resigned");
        assert_eq!([names.possessive(ann), names.possessive(you)], ["Ann's", "your"]);
        assert_eq!(names.leading_possessive(you), "Your");
        assert_eq!([names.verb(ann, "has"), names.verb(you, "has")], ["has", "have"]);
        assert_eq!(names.in_third_person(you), "Bob");
    }
}
