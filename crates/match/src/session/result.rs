//! The result of a match, in record notation and in words.

use super::{Match, Players, Termination};
use quadrille_rules::{Outcome, Seat};
use quadrille_text::wording::dashed;

/// Returns the result in record notation: the scores, `3-1`; or in a game without scores each seat's share of the win,
/// `1/2-1/2`. `*` while the match is in progress.
pub fn result(game: &Match) -> String {
    let Some(shares) = shares(game) else { return "*".to_owned() };
    score(game).unwrap_or(shares)
}

/// Returns each seat's share of the win, `1/2-1/2`; `None` while the match is in progress.
pub(super) fn shares(game: &Match) -> Option<String> {
    let outcome = game.outcome()?;
    Some(dashed((0..game.seats()).map(|seat| share(outcome, Seat::new(seat)))))
}

fn share(outcome: Outcome, seat: Seat) -> String {
    match (outcome.is_winner(seat), outcome.winners().count()) {
        (false, _) => "0".to_owned(),
        (true, 1) => "1".to_owned(),
        (true, sharers) => format!("1/{sharers}"),
    }
}

/// Formats the scores of all seats, as in `3-1`; `None` in a game without scores.
pub fn score(game: &Match) -> Option<String> {
    game.scores().map(dashed)
}

/// Describes how a match ended: `Ann wins 3-1`. Empty while the match is in progress.
pub fn in_words(game: &Match, players: &Players) -> String {
    let Some(outcome) = game.outcome() else { return String::new() };
    let who = who_won(game, players);
    // The score does not show the winner after a resignation, a forfeit or a loss on time.
    let score = score(game).filter(|_| game.termination().is_none() || is_draw(game));
    let score = match (score, game.scores().as_deref(), outcome.winners().count()) {
        (None, ..) | (_, _, 0) => String::new(),
        (_, Some([one, two]), 1) => format!(" {}-{}", one.max(two), one.min(two)),
        (_, Some(scores), 1) => format!(" with {}", scores.iter().max().unwrap_or(&0)),
        (Some(score), ..) => format!(" {score}"),
    };
    let how = how(game, players).map_or(String::new(), |how| format!(", {how}"));
    format!("{who}{score}{how}")
}

/// Returns the label for a seat: `to move`, `wins`, `shares the win`, or empty.
pub fn standing(game: &Match, seat: Seat) -> &'static str {
    match game.outcome() {
        None if game.to_move() == Some(seat) => "to move",
        Some(_) if is_draw(game) => "",
        Some(outcome) if outcome.is_winner(seat) && outcome.winners().count() > 1 => {
            "shares the win"
        }
        Some(outcome) if outcome.is_winner(seat) => "wins",
        _ => "",
    }
}

/// Names the winners: `Ann wins`. Empty while the match is in progress.
pub fn who_won(game: &Match, players: &Players) -> String {
    let Some(outcome) = game.outcome() else { return String::new() };
    let winners: Vec<&str> = outcome.winners().map(|seat| players.name(seat)).collect();
    match winners.as_slice() {
        [] => "Nobody wins".to_owned(),
        [winner] => format!("{winner} wins"),
        _ if is_draw(game) => "A draw".to_owned(),
        [first @ .., last] => format!("{} and {last} share the win", first.join(", ")),
    }
}

fn is_draw(game: &Match) -> bool {
    game.outcome() == Some(Outcome::draw(game.seats()))
}

/// Describes an end that did not come from the rules: `Ann resigned`.
pub fn how(game: &Match, players: &Players) -> Option<String> {
    Some(match game.termination()? {
        Termination::Agreed => "by agreement".to_owned(),
        Termination::Resigned(seat) => format!("{} resigned", players.name(*seat)),
        Termination::Time(seat) => format!("{} ran out of time", players.name(*seat)),
        Termination::Forfeit(seat, reason) => {
            format!("{} forfeited: {reason}", players.name(*seat))
        }
        Termination::Repetition => "by repetition".to_owned(),
        Termination::Limit => "by the limit of moves".to_owned(),
    })
}
