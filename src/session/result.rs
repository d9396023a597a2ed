//! How a match ended: as its record writes it, and in words.

use super::{AnyMatch, Players, Termination};
use crate::rules::{Outcome, Seat};

/// What a record says of the end: the scores, or where none are kept what each seat has of the win;
/// `*` while the match goes on.
pub fn result(game: &dyn AnyMatch) -> String {
    let Some(outcome) = game.outcome() else { return "*".to_owned() };
    let share = |seat| share(outcome, Seat::new(seat));
    score(game).unwrap_or_else(|| (0..game.seats()).map(share).collect::<Vec<_>>().join("-"))
}

fn share(outcome: Outcome, seat: Seat) -> String {
    match (outcome.has(seat), outcome.winners().count()) {
        (false, _) => "0".to_owned(),
        (true, 1) => "1".to_owned(),
        (true, sharers) => format!("1/{sharers}"),
    }
}

/// The score of all seats, `3-1`, where the game keeps one.
pub fn score(game: &dyn AnyMatch) -> Option<String> {
    let scores: Vec<String> = game.scores()?.iter().map(u32::to_string).collect();
    Some(scores.join("-"))
}

/// How a match ended, in a few words: `Ann wins 3-1`. Empty while it goes on.
pub fn in_words(game: &dyn AnyMatch, players: &Players) -> String {
    let Some(outcome) = game.outcome() else { return String::new() };
    let winners: Vec<&str> = outcome.winners().map(|seat| players.name(seat)).collect();
    let how = game.termination().map_or(String::new(), |how| ending(how, players));
    let score = score(game).map_or(String::new(), |score| format!(" {score}"));
    let is_drawn = outcome == Outcome::shared(game.seats());
    match winners.as_slice() {
        [] => "Nobody has won".to_owned(),
        [winner] if !how.is_empty() => format!("{winner} wins{how}"),
        [winner] => match game.scores().as_deref() {
            Some([one, two]) => format!("{winner} wins {}-{}", one.max(two), one.min(two)),
            Some(scores) => {
                let most = scores.iter().max().copied().unwrap_or_default();
                format!("{winner} wins with {most}")
            }
            None => format!("{winner} wins"),
        },
        _ if is_drawn => format!("A draw{score}{how}"),
        // Where one has lost at once, the score says nothing of that.
        [first @ .., last] if game.termination().is_some() => {
            format!("{} and {last} share the win{how}", first.join(", "))
        }
        [first @ .., last] => format!("{} and {last} share the win{score}", first.join(", ")),
    }
}

/// What is said behind a result that did not come by the rules: `, Ann resigned`.
fn ending(how: &Termination, players: &Players) -> String {
    match how {
        Termination::Agreed => ", agreed".to_owned(),
        Termination::Resigned(seat) => format!(", {} resigned", players.name(*seat)),
        Termination::Time(seat) => format!(", {} ran out of time", players.name(*seat)),
        Termination::Forfeit(seat, reason) => {
            format!(", {} forfeited: {reason}", players.name(*seat))
        }
        Termination::Repetition => ", by repetition".to_owned(),
        Termination::Limit => ", too many moves".to_owned(),
    }
}
