//! The result of a match, in record notation and in words.

use super::{Match, PlayerNames, Termination};
use quadrille_rules::{Outcome, Seat};
use quadrille_text::wording::{dashed, list};

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
pub fn in_words(game: &Match, names: &PlayerNames) -> String {
    let Some(outcome) = game.outcome() else { return String::new() };
    let who = who_won(game, names);
    // The score does not show the winner after a resignation, a forfeit or a loss on time.
    let score = score(game).filter(|_| game.termination().is_none() || is_draw(game));
    let score = match (score, game.scores().as_deref(), outcome.winners().count()) {
        (None, ..) | (_, _, 0) => String::new(),
        (_, Some([one, two]), 1) => format!(" {}-{}", one.max(two), one.min(two)),
        (_, Some(scores), 1) => format!(" with {}", scores.iter().max().unwrap_or(&0)),
        (Some(score), ..) => format!(" {score}"),
    };
    let how = how(game, names).map_or(String::new(), |how| format!(", {how}"));
    let more = format!("{score}{how}");
    if more.is_empty() { headline(game, names) } else { format!("{who}{more}") }
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
pub fn who_won(game: &Match, names: &PlayerNames) -> String {
    let Some(outcome) = game.outcome() else { return String::new() };
    let winners: Vec<Seat> = outcome.winners().collect();
    match winners.as_slice() {
        [] => "Nobody wins".to_owned(),
        [winner] => names.clause(*winner, "wins"),
        _ if is_draw(game) => "Draw".to_owned(),
        [first, others @ ..] => {
            let others = others.iter().map(|seat| names.name(*seat));
            format!("{} share the win", list([names.subject(*first)].into_iter().chain(others)))
        }
    }
}

/// Names the winners where nothing follows: `Ann wins`, `You win!`
pub fn headline(game: &Match, names: &PlayerNames) -> String {
    let winner = game.outcome().filter(|outcome| outcome.winners().count() == 1);
    let is_you = winner.and_then(|outcome| outcome.winners().next()) == names.you();
    let mark = if is_you && winner.is_some() { "!" } else { "" };
    format!("{}{mark}", who_won(game, names))
}

fn is_draw(game: &Match) -> bool {
    game.outcome() == Some(Outcome::draw(game.seats()))
}

/// Describes an end that did not come from the rules: `Ann resigned`.
pub fn how(game: &Match, names: &PlayerNames) -> Option<String> {
    Some(match game.termination()? {
        Termination::Agreed => "by agreement".to_owned(),
        Termination::Resigned(seat) => format!("{} resigned", names.name(*seat)),
        Termination::Time(seat) => format!("{} ran out of time", names.name(*seat)),
        Termination::Forfeit(seat, reason) => {
            format!("{} forfeited: {reason}", names.name(*seat))
        }
        Termination::Repetition => "by repetition".to_owned(),
        Termination::Limit => "by the limit of moves".to_owned(),
    })
}
