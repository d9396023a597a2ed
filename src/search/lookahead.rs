//! A short look ahead, for players who are not to see everything.

use super::plain::after;
use super::{Control, Rated, Report, Value, WON};
use crate::rules::{Game, Seat};

/// Looks a few plies ahead, at every move and every answer, and rates the moves by what a glance
/// says at the end of each line. Every seat plays for itself: it takes what a glance then says is
/// best for it. Moves rated alike stand in a random order, by the control's seed.
///
/// The position must have a seat to move, and `plies` be at least 1. The first ply is looked ahead
/// whatever the control says; from then on, when it says that the search is over, moves keep what
/// was thought of them before, and the best of those were looked at first.
pub fn lookahead<G: Game>(
    position: &G,
    plies: u32,
    glance: fn(&G, Seat) -> i32,
    control: &Control<'_, G::Move>,
) -> Report<G::Move> {
    let mut look = Look { glance, control, nodes: 0, seats: position.seats() };
    let seat = position.to_move().map_or(0, Seat::index);
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    fastrand::Rng::with_seed(control.limits.seed).shuffle(&mut moves);
    let mut rated: Vec<(G::Move, i32)> = moves.into_iter().map(|mv| (mv, 0)).collect();
    let mut depth = 0;
    while depth < plies {
        depth += 1;
        for (mv, worth) in &mut rated {
            if depth > 1 && control.halt().is_some() {
                break;
            }
            *worth = look.ahead(&after(position, *mv), depth - 1)[seat];
        }
        // Stable, so that equals keep their random order.
        rated.sort_by_key(|&(_, worth)| std::cmp::Reverse(worth));
    }
    let scored = position.scores().is_some();
    let value = |worth| Value::estimate(estimate(worth, scored));
    let first = rated.first().map(|&(_, worth)| worth).unwrap_or_default();
    Report {
        value: value(first),
        depth,
        best: rated.iter().filter(|&&(_, worth)| worth == first).map(|&(mv, _)| mv).collect(),
        pv: rated.iter().take(1).map(|&(mv, _)| mv).collect(),
        moves: rated
            .iter()
            .map(|&(mv, worth)| Rated { mv, value: value(worth), round_value: None })
            .collect(),
        nodes: look.nodes,
        halt: control.halt(),
        ..Report::default()
    }
}

/// What a glance comes to as a value: points, or in a game without scores only whether it is won or
/// lost.
fn estimate(glance: i32, scored: bool) -> f32 {
    let won = i32::from(glance > WON / 2) - i32::from(glance < -WON / 2);
    (if scored { glance - won * WON } else { won }) as f32
}

struct Look<'a, G: Game> {
    glance: fn(&G, Seat) -> i32,
    control: &'a Control<'a, G::Move>,
    nodes: u64,
    seats: u8,
}

impl<G: Game> Look<'_, G> {
    /// What a glance says for each seat after this many more plies.
    fn ahead(&mut self, position: &G, plies: u32) -> Vec<i32> {
        self.nodes += 1;
        let at_once = || (0..self.seats).map(|seat| (self.glance)(position, Seat::new(seat)));
        let Some(seat) = position.to_move().filter(|_| plies > 0) else {
            return at_once().collect();
        };
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut best: Option<Vec<i32>> = None;
        for mv in moves {
            if best.is_some() && self.nodes.is_multiple_of(64) && self.control.halt().is_some() {
                break;
            }
            let end = self.ahead(&after(position, mv), plies - 1);
            if best.as_ref().is_none_or(|best| end[seat.index()] > best[seat.index()]) {
                best = Some(end);
            }
        }
        best.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::dots_and_boxes::Pipopipette;
    use crate::search::{Limits, NoTableCache};
    use std::sync::atomic::AtomicBool;

    fn lead(position: &Pipopipette, seat: Seat) -> i32 {
        let [first, second] = position.score().map(|score| score as i32);
        if seat == Seat::FIRST { first - second } else { second - first }
    }

    fn look(claims: &[&str], plies: u32, stop: bool) -> Report<<Pipopipette as Game>::Move> {
        let mut position = Pipopipette::new(3, 3).unwrap();
        for claim in claims {
            position.claim(claim).unwrap();
        }
        let stop = AtomicBool::new(stop);
        let control = Control::new(&stop, Limits::default(), &NoTableCache, &|_| ());
        lookahead(&position, plies, lead, &control)
    }

    fn texts(moves: &[<Pipopipette as Game>::Move]) -> Vec<String> {
        let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
        texts.sort();
        texts
    }

    #[test]
    fn one_ply_takes_what_is_offered() {
        let report = look(&["H0,0", "V0,0", "V0,1"], 1, false);
        assert_eq!(texts(&report.best), ["H1,0"]);
        assert_eq!(report.moves.len(), 9);
    }

    #[test]
    fn two_plies_do_not_offer_a_box() {
        let report = look(&["H0,0", "V0,0"], 2, false);
        // The two lines that make a third side of the first box offer it.
        assert_eq!(report.best.len(), 8);
        assert!(!texts(&report.best).contains(&"H1,0".to_owned()));
        assert!(!texts(&report.best).contains(&"V0,1".to_owned()));
    }

    #[test]
    fn it_answers_although_it_is_stopped() {
        let report = look(&["H0,0", "V0,0", "V0,1"], 5, true);
        assert_eq!(texts(&report.best), ["H1,0"]);
    }
}
