//! Chains and loops in Dots and Boxes, as notes on the board.

use super::dots_and_boxes::{box_name, boxes};
use super::{Note, Notes, PositionView, count};
use quadrille_match::session::PlayerNames;
use quadrille_rules::Position;
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_search::dots_and_boxes::chains::{BoxRun, BoxRunKind, ChainCount, LONG};
use quadrille_text::wording::{counted, list};

/// The explanation of these notes.
pub(super) const ABOUT: &str = "CHAINS. A chain is a row of boxes with two open sides each: a line anywhere in it \
    gives all of them away. The number in a box is the length of its chain; o4 is a loop of four, and 4! means four \
    boxes that can be taken now. Chains of three or more boxes are long. A safe line gives nothing away. Once no \
    safe line is left, the next player must open a chain or a loop, and the player who makes the other open the first \
    long chain usually wins. The long chain rule (Elwyn Berlekamp, The Dots and Boxes Game, 2000) predicts from the \
    number of long chains who that is. Each additional long chain reverses the prediction, and so does each line \
    that takes two boxes.";

/// The maximum number of safe lines to list.
const NAMED: usize = 40;

pub(super) const SAFE_LINES: [&str; 2] = ["safe line", "safe lines"];

pub(super) fn notes(view: &PositionView<DotsAndBoxes>, names: &PlayerNames) -> Notes {
    if view.outcome.is_some() || view.now.to_move().is_none() {
        return Notes::default();
    }
    let chains = ChainCount::of(view.now);
    Notes {
        on_board: chains.runs.iter().flat_map(on_board).collect(),
        brief: brief(&chains, names),
        sentences: sentences(&chains, names),
    }
}

/// Returns the length of a run as a note in each of its boxes.
fn on_board(run: &BoxRun) -> impl Iterator<Item = Note> {
    let text = match (run.kind, run.boxes.len()) {
        (BoxRunKind::Chain, length) => length.to_string(),
        (BoxRunKind::Loop, length) => format!("o{length}"),
        (BoxRunKind::Open, length) => format!("{length}!"),
    };
    run.boxes.iter().map(move |&(row, col)| Note {
        corners: [[row, col], [row + 1, col + 1]],
        text: text.clone(),
        counts: run.is_long(),
    })
}

/// Returns the lengths of the matching runs, longest first.
fn lengths(chains: &ChainCount, is: impl Fn(&BoxRun) -> bool) -> Vec<usize> {
    chains.runs.iter().filter(|run| is(run)).map(|run| run.boxes.len()).collect()
}

fn brief(chains: &ChainCount, names: &PlayerNames) -> Vec<String> {
    let long = lengths(chains, BoxRun::is_long);
    let short = lengths(chains, |run| run.kind == BoxRunKind::Chain && !run.is_long());
    let loops = lengths(chains, |run| run.kind == BoxRunKind::Loop);
    let open: usize = lengths(chains, |run| run.kind == BoxRunKind::Open).into_iter().sum();
    let mut lines = Vec::new();
    lines.push(match long.len() {
        0 => "no long chain".to_owned(),
        number => format!("{}: {}", count(number, ["long chain", "long chains"]), list(&long)),
    });
    if !short.is_empty() {
        let name = ["short chain", "short chains"];
        lines.push(format!("{}: {}", count(short.len(), name), list(&short)));
    }
    if !loops.is_empty() {
        lines.push(format!("{}: {}", count(loops.len(), ["loop", "loops"]), list(&loops)));
    }
    if open > 0 {
        lines.push(format!("{} can be taken", boxes(open)));
    }
    if let Some(seat) = chains.favours {
        lines.push(format!("the count favors {}", names.name(seat)));
    }
    lines.push(match chains.safe.len() {
        0 => "no safe line".to_owned(),
        number => count(number, SAFE_LINES),
    });
    lines
}

fn sentences(chains: &ChainCount, names: &PlayerNames) -> Vec<String> {
    let mut lines: Vec<String> = chains.runs.iter().map(sentence).collect();
    if lines.is_empty() {
        lines.push("No chains or loops yet.".to_owned());
    }
    let long = match chains.long() {
        0 => "No long chains".to_owned(),
        number => counted(number, "long chain", "long chains"),
    };
    lines.push(match chains.favours {
        Some(seat) => {
            let name = names.name(seat);
            format!("{long}. At this count, Berlekamp's long chain rule favors {name}.")
        }
        None => format!("{long}; a long chain has {LONG} boxes or more."),
    });
    lines.push(match chains.safe.len() {
        0 => "No safe lines left: every line takes a box or gives one away.".to_owned(),
        1 => format!("1 safe line left: {}.", chains.safe[0]),
        number if number <= NAMED => {
            format!("{number} safe lines left: {}.", list(&chains.safe))
        }
        number => format!("{number} safe lines left, too many to list."),
    });
    lines
}

fn sentence(run: &BoxRun) -> String {
    let names: Vec<String> = run.boxes.iter().copied().map(box_name).collect();
    let length = boxes(names.len());
    let places = list(names);
    match run.kind {
        BoxRunKind::Chain if run.is_long() => format!("Long chain of {length}: {places}."),
        BoxRunKind::Chain => format!("Short chain of {length}: {places}."),
        BoxRunKind::Loop => format!("Loop of {length}: {places}."),
        BoxRunKind::Open if run.boxes.len() == 1 => format!("1 box can be taken now: {places}."),
        BoxRunKind::Open => format!("{length} can be taken now, one after another: {places}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::tests::{in_words, played, players};
    use quadrille_match::session::Players;

    fn notes(setup: &str, moves: &str) -> [Vec<String>; 2] {
        let game = played::<DotsAndBoxes>(setup, moves);
        let names = PlayerNames::of(&Players::named(2, &players("Ann Bob")));
        let notes = in_words::<DotsAndBoxes>(&game).notes(&names);
        [notes.brief, notes.sentences]
    }

    #[test]
    fn chain_notes_describe_chains() {
        let [brief, sentences] = notes("size=3", "");
        assert_eq!(brief, ["no long chain", "12 safe lines"]);
        assert_eq!(sentences[0], "No chains or loops yet.");
        assert!(sentences[2].starts_with("12 safe lines left: H0,0, H0,1, "), "{sentences:?}");
        let row = "H0,0 H1,0 H0,1 H1,1 H0,2 H1,2";
        let [brief, sentences] = notes("rows=2 cols=4", row);
        assert_eq!(brief, ["1 long chain: 3", "the count favors Bob", "no safe line"]);
        assert_eq!(
            sentences,
            [
                "Long chain of 3 boxes: 0,0, 0,1 and 0,2.",
                "1 long chain. At this count, Berlekamp's long chain rule favors Bob.",
                "No safe lines left: every line takes a box or gives one away."
            ]
        );
        let [brief, sentences] = notes("rows=2 cols=4", &format!("{row} V0,0"));
        assert_eq!(brief, ["no long chain", "3 boxes can be taken", "no safe line"]);
        assert_eq!(sentences[0], "3 boxes can be taken now, one after another: 0,0, 0,1 and 0,2.");
        let all = format!("{row} V0,0 V0,1 V0,2 V0,3");
        assert_eq!(notes("rows=2 cols=4", &all), [Vec::<String>::new(), Vec::new()]);
    }
}
