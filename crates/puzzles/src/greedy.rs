//! Chooses moves by immediate gain alone.

use quadrille_match::session::Match;

/// Returns the legal moves with the highest immediate gain. In Making Intersections, for a seat other than the offense,
/// returns the moves that give away the least. Empty if all moves gain the same.
pub(super) fn greedy(game: &Match) -> Vec<String> {
    let Some(seat) = game.to_move() else { return Vec::new() };
    let gain = |mv: &String| -> i64 {
        let mut next = game.now().copy();
        if next.play(mv).is_err() {
            return i64::MIN;
        }
        match (next.scores(), next.outcome()) {
            (Some(scores), _) => {
                let own = i64::from(scores[seat.index()]);
                2 * own - scores.iter().map(|&score| i64::from(score)).sum::<i64>()
            }
            (None, Some(outcome)) => {
                let wins = outcome.winners().any(|winner| winner == seat);
                let loses = outcome.winners().any(|winner| winner != seat);
                i64::from(wins) - i64::from(loses)
            }
            (None, None) => 0,
        }
    };
    let gains: Vec<(i64, String)> =
        game.legal_moves().into_iter().map(|mv| (gain(&mv), mv)).collect();
    let most = gains.iter().map(|(gain, _)| *gain).max();
    let least = gains.iter().map(|(gain, _)| *gain).min();
    if most == least {
        return Vec::new();
    }
    gains.into_iter().filter(|(gain, _)| Some(*gain) == most).map(|(_, mv)| mv).collect()
}
