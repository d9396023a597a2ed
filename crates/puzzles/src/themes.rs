//! The themes of puzzles, in the terms used by each game's players.
//!
//! Most themes follow from an engine's reason for a move.

use super::greedy::greedy;
use quadrille_match::session::Match;
use quadrille_rules::Position;
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_rules::intersections::{Intersections, Segment};
use quadrille_search::dots_and_boxes::chains::{BoxRunKind, ChainCount};
use quadrille_search::{DotsAndBoxesReason, IntersectionsReason, JoinTheDotsReason, Reason};
use quadrille_table::engine::AnyEngine;
use quadrille_table::words;

/// The themes of all games and their hints.
pub(super) const THEMES: [(&str, &str); 17] = [
    ("double-cross", "Do you need all of these boxes? Who keeps control?"),
    ("loop", "Look for a loop. What is it worth, and who must open it?"),
    ("sacrifice", "A gift now can pay off later."),
    ("chain count", "Count the chains. Who must open the first one?"),
    ("opening order", "You must open a chain or a loop. Which one costs least in the end?"),
    ("last safe line", "Who will draw the last safe line?"),
    (ONLY_DEFENSE, "Only one move does not lose."),
    ("parity", "Count the safe lines. Who runs out first?"),
    ("poisoned cycle", "Do not close the largest cycle."),
    ("smallest gift", "You must give something away. What costs least in the end?"),
    ("only block", "The offense has a threat. One segment answers it best."),
    ("only score", "Only one scoring segment is best."),
    ("pass through", "A segment can pass through dots and change what is possible there."),
    ("threat", "Make an unstoppable threat."),
    ("win in 1", "You can win at once."),
    ("win in 3", "You can force a win on your second move."),
    ("win in", "There is a forced win in several moves."),
];

/// The id in puzzle files, which keeps its first spelling.
const ONLY_DEFENSE: &str = "only defence";

/// Returns the themes as shown to players.
pub(super) fn in_words(themes: &[String]) -> String {
    themes.iter().map(|theme| theme_in_words(theme)).collect::<Vec<_>>().join(", ")
}

/// Returns the hint for a puzzle, which is that of the first theme with a hint.
pub(super) fn hint(themes: &[String]) -> String {
    let about = |theme: &String| {
        let known = |(known, _): &&(&str, &str)| theme == known;
        let begins = |(known, _): &&(&str, &str)| theme.starts_with(known);
        let found = THEMES.iter().find(known).or_else(|| THEMES.iter().rev().find(begins));
        found.map(|(_, about)| (*about).to_owned())
    };
    themes.iter().find_map(about).unwrap_or_else(|| "The greedy move is wrong here.".to_owned())
}

/// Describes a theme in words that need no explanation. Wins count the solver's own moves.
fn theme_in_words(theme: &str) -> String {
    let plies = theme.strip_prefix("win in ").and_then(|plies| plies.parse().ok());
    if let Some(plies) = plies {
        return format!("a win in {}", words::own_moves(plies));
    }
    let plain = match theme {
        "chain count" => "counting the chains",
        "opening order" => "which chain or loop to open",
        "last safe line" => "who runs out of safe lines",
        ONLY_DEFENSE => "the only defense",
        "parity" => "counting the safe lines",
        "poisoned cycle" => "a cycle to leave open",
        "smallest gift" => "giving away the least",
        "only block" => "the best answer to a threat",
        "only score" => "the best scoring segment",
        "pass through" => "passing through dots",
        "threat" => "an unstoppable threat",
        plain => plain,
    };
    plain.to_owned()
}

/// Returns the themes of a puzzle. `steps` contains the solver's moves, each with the match before the move.
pub(super) fn of(
    steps: &[(Match, String)],
    plies: Option<u32>,
    value: i32,
    engine: &dyn AnyEngine,
) -> Vec<String> {
    let mut themes: Vec<String> = Vec::new();
    let mut add = |theme: &str| {
        if !themes.iter().any(|known| known == theme) {
            themes.push(theme.to_owned());
        }
    };
    match (plies, value) {
        // Counts both players' moves.
        (Some(plies), _) => add(&format!("win in {plies}")),
        (None, 0) if steps.first().is_some_and(|(game, _)| game.scores().is_none()) => {
            add(ONLY_DEFENSE);
        }
        _ => {}
    }
    for (game, mv) in steps {
        let declines = {
            let greedy = greedy(game);
            !greedy.is_empty() && !greedy.contains(mv)
        };
        match engine.why(game.now(), mv) {
            Some(Reason::DotsAndBoxes(reason)) => {
                if let Some(position) = game.now().typed() {
                    of_boxes(position, reason, mv, &mut add);
                }
            }
            Some(Reason::Intersections(reason)) => {
                if let Some(position) = game.now().typed() {
                    of_segments(position, reason, mv, &mut add);
                }
            }
            Some(Reason::JoinTheDots(reason)) => of_lines(reason, declines, &mut add),
            _ => {}
        }
    }
    themes
}

fn of_boxes(
    position: &DotsAndBoxes,
    reason: DotsAndBoxesReason,
    mv: &str,
    add: &mut impl FnMut(&str),
) {
    let count = ChainCount::of(position);
    match reason {
        DotsAndBoxesReason::Takes(_) => {}
        DotsAndBoxesReason::DoubleCross { .. } => add("double-cross"),
        DotsAndBoxesReason::Opens { .. } if count.safe.is_empty() => add("opening order"),
        DotsAndBoxesReason::LeavesBoxes | DotsAndBoxesReason::Opens { .. } => add("sacrifice"),
        DotsAndBoxesReason::LastSafe { .. } => add("last safe line"),
        DotsAndBoxesReason::Safe(_) => add("chain count"),
    }
    let in_loops = count.runs.iter().filter(|run| run.kind == BoxRunKind::Loop);
    let mut boxes = in_loops.flat_map(|run| run.boxes.iter());
    if let Ok(line) = mv.parse()
        && boxes.any(|&place| position.boxes_beside(line).contains(&Some(place)))
    {
        add("loop");
    }
}

fn of_lines(reason: JoinTheDotsReason, declines: bool, add: &mut impl FnMut(&str)) {
    if declines {
        add("poisoned cycle");
    }
    match reason {
        JoinTheDotsReason::Closes(_) => {}
        JoinTheDotsReason::Safe { left: Some(0), .. } => add("last safe line"),
        JoinTheDotsReason::Safe { .. } => add("parity"),
        JoinTheDotsReason::Gives { is_least: true, .. } => add("smallest gift"),
        JoinTheDotsReason::Gives { .. } | JoinTheDotsReason::Reduces { .. } => add("sacrifice"),
    }
}

fn of_segments(
    position: &Intersections,
    reason: IntersectionsReason,
    mv: &str,
    add: &mut impl FnMut(&str),
) {
    let is_offense = position.to_move() == Some(position.round().offense);
    add(match reason {
        IntersectionsReason::Makes(_) => "only score",
        _ if is_offense => "threat",
        _ => "only block",
    });
    // The segment has more dots than its two ends.
    if mv.parse().is_ok_and(|segment: Segment| segment.dots().len() > 2) {
        add("pass through");
    }
}
