//! The players since the program started: the results, which yield the score of a series between the same players in
//! one game, and the keys of two people who share the keyboard.

use super::open_match::OpenMatch;
use crate::action::KeySet;
use crate::view::Series;
use quadrille_match::session::{Player, PlayerNames, Players};
use quadrille_match::store::LastSetup;
use quadrille_rules::{Outcome, Seat};

#[derive(Debug, Default)]
pub(crate) struct SeriesLog {
    /// The matches that ended, without duplicates.
    ended: Vec<EndedMatch>,
    /// The pairs of people who have shared the keyboard, each with the one who has the letters first.
    pairs: Vec<[String; 2]>,
}

/// Which of two people who share the keyboard has which keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct KeyAssignment {
    /// The seat of the person with the letters.
    letters: Seat,
}

impl KeyAssignment {
    pub fn key_set(self, seat: Seat) -> KeySet {
        if seat == self.letters { KeySet::Letters } else { KeySet::Arrows }
    }

    pub fn in_words(self, players: &Players) -> String {
        let has = |seat| format!("{}: {}.", players.name(seat), self.key_set(seat));
        let seats = [0, 1].map(Seat::new).map(has);
        format!("{} On the board, a player's keys work only on their turn.", seats.join(" "))
    }
}

#[derive(Debug)]
struct EndedMatch {
    session: u64,
    game: &'static str,
    /// The sorted names.
    names: Vec<String>,
    /// The winners; empty after a draw.
    winners: Vec<String>,
}

impl SeriesLog {
    /// Records the result of a match. If the end of the match was undone, removes its result.
    pub fn record(&mut self, open_match: &OpenMatch) {
        let session = open_match.session().id();
        let outcome = open_match.current_match().outcome();
        if outcome.is_some() == self.ended.iter().any(|ended| ended.session == session) {
            return;
        }
        self.ended.retain(|ended| ended.session != session);
        let Some(outcome) = outcome else { return };
        let players = open_match.players();
        let names = names(players);
        let is_draw = outcome == Outcome::draw(open_match.current_match().seats());
        let winners = outcome.winners().filter(|_| !is_draw);
        let winners = winners.map(|seat| names[seat.index()].clone()).collect();
        let game = open_match.entry.id;
        self.ended.push(EndedMatch { session, game, names: sorted(names), winners });
    }

    /// Returns whether no match has ended since the program started.
    pub fn is_empty(&self) -> bool {
        self.ended.is_empty()
    }

    /// Returns the score of the series between the players of this match in its game; `None` if this match is their
    /// first.
    pub fn series(&self, open_match: &OpenMatch) -> Option<Series> {
        let (names, session) = (names(open_match.players()), open_match.session().id());
        let (all, game) = (sorted(names.clone()), open_match.entry.id);
        let played = || self.ended.iter().filter(|ended| ended.game == game && ended.names == all);
        if played().all(|ended| ended.session == session) {
            return None;
        }
        let wins = |name: &String| played().filter(|ended| ended.winners.contains(name)).count();
        let draws = played().filter(|ended| ended.winners.is_empty()).count();
        Some(Series {
            wins: names.iter().map(|name| wins(name) as u32).collect(),
            draws: draws as u32,
        })
    }

    /// Notes a match that opens. Two people keep their keys in every further match, so that a rematch swaps their
    /// seats but not their keys. If the match was begun in an earlier run, its setup shows who had which keys.
    pub fn add_pair(&mut self, open_match: &OpenMatch, setups: &[LastSetup]) {
        let Some(pair) = pair(open_match).filter(|pair| self.find(pair).is_none()) else { return };
        let is_resumed = !open_match.session().log().is_empty();
        let last = setups.iter().find(|last| last.game == open_match.entry.id && is_resumed);
        let last = last.map(|last| names(&Players::named(2, &last.pair())));
        let last = last.and_then(|names| <[String; 2]>::try_from(names).ok());
        let is_same = |last: &[String; 2]| is_same_pair(last, &pair);
        self.pairs.push(last.filter(is_same).unwrap_or(pair));
    }

    pub fn forget_pairs(&mut self) {
        self.pairs.clear();
    }

    /// Forgets the keys of these people, who take new seats.
    pub fn forget_pair(&mut self, players: &Players) {
        let names = names(players);
        self.pairs.retain(|[one, other]| !(names.contains(one) && names.contains(other)));
    }

    /// Returns who has which keys in this match; `None` unless two people share the keyboard.
    pub fn key_assignment(&self, open_match: &OpenMatch) -> Option<KeyAssignment> {
        let pair = pair(open_match)?;
        let [letters, _] = self.find(&pair).unwrap_or(&pair);
        Some(KeyAssignment { letters: Seat::new(u8::from(*letters != pair[0])) })
    }

    fn find(&self, pair: &[String; 2]) -> Option<&[String; 2]> {
        self.pairs.iter().find(|other| is_same_pair(other, pair))
    }
}

/// Returns the names of the two people who share the keyboard, in seat order; `None` if they do not.
fn pair(open_match: &OpenMatch) -> Option<[String; 2]> {
    if open_match.shares_keyboard() { names(open_match.players()).try_into().ok() } else { None }
}

fn is_same_pair([one, other]: &[String; 2], pair: &[String; 2]) -> bool {
    pair.contains(one) && pair.contains(other)
}

/// Returns the names that tell the players apart across matches: an unnamed person alone has no name, at any seat.
fn names(players: &Players) -> Vec<String> {
    let (distinct, alone) = (PlayerNames::of(players), players.only_person());
    let name = |(seat, player): (Seat, &Player)| match player.name() {
        None if Some(seat) == alone => String::new(),
        _ => distinct.in_third_person(seat).to_owned(),
    };
    players.iter().map(name).collect()
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}
