//! The results since the program started. They yield the score of a series between the same players across all games.

use super::open_match::OpenMatch;
use crate::rules::Outcome;
use crate::session::Players;
use crate::view::Series;

/// The matches that ended since the program started, without duplicates.
#[derive(Debug, Default)]
pub(crate) struct Evening(Vec<EndedMatch>);

#[derive(Debug)]
struct EndedMatch {
    session: u64,
    /// The sorted names.
    names: Vec<String>,
    /// The winners; empty after a draw.
    winners: Vec<String>,
}

impl Evening {
    /// Records the result of a match. If the end of the match was undone, removes its result.
    pub fn note(&mut self, open_match: &OpenMatch) {
        let session = open_match.session().id();
        let outcome = open_match.current_match().outcome();
        if outcome.is_some() == self.0.iter().any(|ended| ended.session == session) {
            return;
        }
        self.0.retain(|ended| ended.session != session);
        let Some(outcome) = outcome else { return };
        let players = open_match.players();
        let names = names(players);
        let is_draw = outcome == Outcome::shared(open_match.current_match().seats());
        let winners = outcome.winners().filter(|_| !is_draw);
        let winners = winners.map(|seat| names[seat.index()].clone()).collect();
        self.0.push(EndedMatch { session, names: sorted(names), winners });
    }

    /// Returns the score of the series between these players; `None` if this session is their first.
    pub fn series(&self, players: &Players, session: u64) -> Option<Series> {
        let names = names(players);
        let all = sorted(names.clone());
        let played = || self.0.iter().filter(|ended| ended.names == all);
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
}

fn names(players: &Players) -> Vec<String> {
    players.with_distinct_names().iter().map(|(_, player)| player.name().to_owned()).collect()
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names
}
