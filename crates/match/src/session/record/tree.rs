//! Converts the variations of a match to the body of a record and back. Neither direction recurses, so the nesting of
//! variations is limited only by the length of the match.

use super::BadMove;
use super::body::{Body, BodyItem};
use crate::session::{Match, Refusal};
use std::collections::HashMap;
use std::mem;

/// Plays a move. Ignores case, as for typed moves.
fn play(text: &str, game: &mut Match) -> Result<(), Refusal> {
    let refusal = match game.play(text) {
        Err(refusal) if refusal.is_no_move() => refusal,
        done => return done,
    };
    let cases = [text.to_ascii_uppercase(), text.to_ascii_lowercase()];
    let mut played = cases.iter().map(|text| game.play(text));
    let is_a_move = |played: &Result<(), Refusal>| {
        played.as_ref().err().is_none_or(|refusal| !refusal.is_no_move())
    };
    played.find(is_a_move).unwrap_or(Err(refusal))
}

/// Plays a body into a match at its start. Afterwards the match is at the end of the main line.
pub(super) fn replay(body: &Body, game: &mut Match) -> Result<(), BadMove> {
    let mut here = game.node();
    let mut before = here;
    let mut begun = 0;
    // For each open variation: its number, and the two positions from which the enclosing line continues.
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    for item in body.items() {
        match item {
            BodyItem::Move(text) => {
                play(text, game).map_err(|refusal| BadMove {
                    number: game.ply() + 1,
                    text: text.to_owned(),
                    variation: open.last().map(|&(number, ..)| number),
                    refusal,
                })?;
                (before, here) = (here, game.node());
            }
            BodyItem::Open => {
                begun += 1;
                open.push((begun, before, here));
                here = before;
                game.go_to_node(here);
            }
            BodyItem::Close => {
                (_, before, here) = open.pop().unwrap_or((0, before, here));
                game.go_to_node(here);
            }
            BodyItem::Comment(_) => {}
        }
    }
    Ok(())
}

/// Writes all variations of a match. Comments of an older body are kept after the same moves.
pub(super) fn write(game: &Match, old: &Body) -> Body {
    let mut notes = notes(old, game);
    let mut body = Body::default();
    let mut pending = Vec::new();
    let start = notes.remove(&0).unwrap_or_default();
    body.push_comments(&[start.first, start.after, start.late].concat());
    TreePosition { node: 0, on_line: true }.go_on(game, &mut pending);
    while let Some(next) = pending.pop() {
        match next {
            Unwritten::Open => body.push(BodyItem::Open),
            Unwritten::Close => body.push(BodyItem::Close),
            Unwritten::Again(place) => place.write(game, &mut body),
            Unwritten::Late(comments) => body.push_comments(&comments),
            Unwritten::Move { to, others } => {
                let note = notes.remove(&to.node).unwrap_or_default();
                body.push_comments(&note.first);
                to.write(game, &mut body);
                body.push_comments(&note.after);
                to.go_on(game, &mut pending);
                if !note.late.is_empty() {
                    pending.push(Unwritten::Late(note.late));
                }
                for node in others.into_iter().rev() {
                    let to = TreePosition { node, on_line: false };
                    pending.push(Unwritten::Close);
                    pending.push(Unwritten::Move { to, others: Vec::new() });
                    pending.push(Unwritten::Open);
                }
            }
        }
    }
    body
}

/// An item that has not been written yet.
enum Unwritten<'o> {
    /// The opening bracket of a variation.
    Open,
    Close,
    /// The move that leads to a position, without its continuation.
    Again(TreePosition),
    /// The move that leads to a position, its siblings as variations, and then the whole continuation.
    Move {
        to: TreePosition,
        others: Vec<usize>,
    },
    /// Comments that follow the variations of a move.
    Late(Vec<&'o str>),
}

#[derive(Clone, Copy)]
struct TreePosition {
    node: usize,
    /// Whether the position is on the current line.
    on_line: bool,
}

impl TreePosition {
    /// Writes the move that led to this position; nothing at the start.
    fn write(self, game: &Match, body: &mut Body) {
        if let Some((_, mv)) = game.edge(self.node) {
            body.push(BodyItem::Move(&mv));
        }
    }

    /// Queues the continuations of this position, the current line first. At the current position, the continuations
    /// become a variation that repeats the last move.
    fn go_on(self, game: &Match, pending: &mut Vec<Unwritten<'_>>) {
        let mut children = game.children(self.node);
        let next_node = game.next_node(self.node).filter(|_| self.on_line);
        if let Some(place) = children.iter().position(|&node| Some(node) == next_node) {
            children[..=place].rotate_right(1);
        }
        let mut children = children.into_iter();
        let Some(node) = children.next() else { return };
        let to = TreePosition { node, on_line: self.on_line };
        let next = Unwritten::Move { to, others: children.collect() };
        if self.node == game.node() {
            pending.extend([Unwritten::Close, next, Unwritten::Again(self), Unwritten::Open]);
        } else {
            pending.push(next);
        }
    }
}

/// The comments that belong to a move.
#[derive(Default)]
struct MoveComments<'o> {
    /// Comments before the move, if it begins a variation.
    first: Vec<&'o str>,
    /// Comments directly after the move.
    after: Vec<&'o str>,
    /// Comments after a variation that follows the move.
    late: Vec<&'o str>,
}

/// Collects a body's comments by the position after their move. Ignores moves that the match lacks.
fn notes<'o>(body: &'o Body, game: &Match) -> HashMap<usize, MoveComments<'o>> {
    let mut notes: HashMap<usize, MoveComments> = HashMap::new();
    if !body.items().any(|item| matches!(item, BodyItem::Comment(_))) {
        return notes;
    }
    let mut seen = vec![false; game.nodes()];
    let (mut before, mut here) = (0, 0);
    let mut open = Vec::new();
    // Comments in a variation that come before its first new move.
    let mut first = Vec::new();
    let (mut is_first, mut is_late) = (false, false);
    for item in body.items() {
        match item {
            BodyItem::Comment(text) if is_first => first.push(text),
            BodyItem::Comment(text) if is_late => notes.entry(here).or_default().late.push(text),
            BodyItem::Comment(text) => notes.entry(here).or_default().after.push(text),
            BodyItem::Move(text) => {
                is_late = false;
                let Some(node) = game.child(here, text) else { continue };
                (before, here) = (here, node);
                if !mem::replace(&mut seen[node], true) {
                    is_first = false;
                    if !first.is_empty() {
                        notes.entry(node).or_default().first.append(&mut first);
                    }
                }
            }
            BodyItem::Open | BodyItem::Close => {
                if !first.is_empty() {
                    notes.entry(here).or_default().after.append(&mut first);
                }
                if item == BodyItem::Open {
                    open.push((before, here));
                    here = before;
                    (is_first, is_late) = (true, false);
                } else {
                    (before, here) = open.pop().unwrap_or((before, here));
                    (is_first, is_late) = (false, true);
                }
            }
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use crate::session::tree::tests::PLAYED;
    use crate::session::{Match, Record};
    use proptest::prelude::*;
    use quadrille_rules::Position;
    use quadrille_rules::dots_and_boxes::DotsAndBoxes;
    use quadrille_rules::intersections::Intersections;
    use quadrille_rules::join_the_dots::JoinTheDots;
    use quadrille_rules::quixo::Quixo;
    use quadrille_rules::tic_tac_toe::TicTacToe;

    const HEAD: &str = "[Game \"dots-and-boxes\"]\n[Setup \"rows=3 cols=3\"]\n[Result \"*\"]\n\n";

    fn start<G: Position>(setup: &str) -> Match {
        Match::new(G::from_setup(&setup.parse().unwrap()).unwrap())
    }

    fn record(body: &str) -> Record {
        format!("{HEAD}{body}\n").parse().unwrap()
    }

    /// Replays a body on a board of 3 by 3 dots.
    fn replayed(body: &str) -> Match {
        let mut game = start::<DotsAndBoxes>("size=3");
        record(body).replay(&mut game).unwrap();
        game
    }

    /// Converts a body to a match and back.
    fn rewritten(body: &str) -> String {
        let mut record = record(body);
        record.update(&replayed(body));
        record.to_string().strip_prefix(HEAD.trim_end()).unwrap().trim().to_owned()
    }

    #[test]
    fn every_variation_of_a_match_round_trips() {
        let mut game = start::<DotsAndBoxes>("size=3");
        let mut written = |steps: &str| {
            for step in steps.split(' ') {
                match step.parse() {
                    Ok(ply) => game.go_to_ply(ply),
                    Err(_) => game.play(step).unwrap(),
                }
            }
            let text = Record::of(&game, &[], "").to_string();
            text.strip_prefix(HEAD).unwrap().trim_end().to_owned()
        };
        assert_eq!(written("H0,0 H1,0 H2,0"), "H0,0 H1,0 H2,0");
        assert_eq!(written("2"), "H0,0 H1,0 ( H1,0 H2,0 )");
        assert_eq!(written("H2,1 1 H1,1"), "H0,0 H1,1 ( H1,0 H2,0 ( H2,1 ) )");
        assert_eq!(written("1 H1,0"), "H0,0 H1,0 ( H1,1 ) ( H1,0 H2,1 ( H2,0 ) )", "redo is first");
        assert_eq!(written("0"), "( H0,0 H1,0 ( H1,1 ) H2,1 ( H2,0 ) )");
        assert_eq!(written("V0,0"), "V0,0 ( H0,0 H1,0 ( H1,1 ) H2,0 ( H2,1 ) )");
        assert_eq!(
            written("V0,1 0 V0,2"),
            "V0,2 ( H0,0 H1,0 ( H1,1 ) H2,0 ( H2,1 ) ) ( V0,0 V0,1 )"
        );
    }

    #[test]
    fn redo_follows_a_variation_that_extends_the_main_line() {
        let mut game = replayed("H0,0 ( V0,0 ) H1,0 ( H1,1 ) ( H1,0 H2,0 ( H2,1 ) V1,1 )");
        assert_eq!((game.ply(), game.undone()), (2, 2));
        assert_eq!(game.branches(), (vec!["H2,0".to_owned(), "H2,1".to_owned()], Some(0)));
        game.go_to_ply(4);
        assert_eq!(game.moves()[3].1, "V1,1");
        game.go_to_ply(0);
        assert_eq!(game.branches().0, ["H0,0", "V0,0"]);
    }

    #[test]
    fn rewritten_record_reads_the_same() {
        for body in [
            "",
            "{a}",
            "; a\n( H0,0 ( H0,1 ) H1,0 )",
            "{a} H0,0 {b} ( {c} V0,0 {d} V0,1 {e} ) {f} H1,0 {g}",
            "H0,0 ( V0,0 V1,1 ( {a} V0,1 {b} ) {c} V1,2 ) ( V1,0 ) {d} H1,0",
            "H0,0 {a} ( H0,0 {b} H1,0 {c} ( H1,1 ; d\n) )",
        ] {
            assert_eq!(rewritten(body), body);
        }
        // A body written in an unusual way is normalized.
        assert_eq!(rewritten("( H0,0 ) {a} V0,0 ( V0,1 )"), "{a} V0,0 ( H0,0 ) ( V0,1 )");
        assert_eq!(rewritten("H0,0(H0,0{a}){b}V0,0(V0,0(V0,1))"), "H0,0 {a} {b} V0,0 ( V0,1 )");
    }

    #[test]
    fn comments_stay_with_their_moves() {
        let mut record = record("{top} H0,0 {one} H1,0 {two}");
        let mut game = start::<DotsAndBoxes>("size=3");
        record.replay(&mut game).unwrap();
        let mut after = |ply: usize, mv: &str| {
            game.go_to_ply(ply);
            game.play(mv).unwrap();
            record.update(&game);
            record.to_string().strip_prefix(HEAD).unwrap().trim_end().to_owned()
        };
        assert_eq!(after(2, "H2,0"), "{top} H0,0 {one} H1,0 {two} H2,0");
        assert_eq!(after(1, "V0,0"), "{top} H0,0 {one} V0,0 ( H1,0 {two} H2,0 )");
        assert_eq!(after(0, "V0,0"), "{top} V0,0 ( H0,0 {one} H1,0 {two} ( V0,0 ) H2,0 )");
        // If the match contains none of these moves, all comments are kept.
        record.update(&start::<DotsAndBoxes>("size=3"));
        assert!(record.to_string().ends_with("\n\n{top} {one} {two}\n"), "{record}");
    }

    #[test]
    fn comment_stays_with_a_normalized_move() {
        let text =
            "[Game \"join-the-dots\"][Setup \"layout=circle:5\"] 3-1 {a} ( 2-1 {b} ) 5-4 {c}";
        let mut record: Record = text.parse().unwrap();
        let mut game = start::<JoinTheDots>("layout=circle:5");
        record.replay(&mut game).unwrap();
        record.update(&game);
        assert!(record.to_string().ends_with("\n\n1-3 {a} ( 1-2 {b} ) 4-5 {c}\n"), "{record}");
    }

    #[test]
    fn replay_error_names_ply_and_variation() {
        let error = |body: &str| {
            let mut game = start::<DotsAndBoxes>("size=3");
            record(body).replay(&mut game).unwrap_err().to_string()
        };
        assert_eq!(error("H0,0 ( V0,0 ) H0,0"), r#"move 2 "H0,0": dots already connected"#);
        assert_eq!(
            error("H0,0 V0,0 ( V0,1 ) ( V0,2 ( V1,0 H0,0 ) V1,1 )"),
            r#"move 3 "H0,0" in variation 3: dots already connected"#
        );
        assert_eq!(
            error("H0,0 V0,0 ( V0,1 ( V0,2 ) x )"),
            r#"move 3 "x" in variation 1: invalid position"#
        );
        assert_eq!(error("( H0,0 H9,9 )"), r#"move 2 "H9,9" in variation 1: invalid position"#);
    }

    /// The cost is linear in the length of a line that has a comment and a variation at each move.
    #[test]
    fn long_record_with_variations_takes_linear_time() {
        const PLIES: usize = 4000;
        let mut game = start::<Quixo>("size=5");
        let mut body = Vec::new();
        while game.ply() < PLIES {
            let legal = game.legal_moves();
            let choice = |n: usize| &legal[(5 * game.ply() + n) % legal.len()];
            let goes_on = |mv: &&String| {
                let mut next = game.now().copy();
                next.play(mv).is_ok() && next.outcome().is_none()
            };
            let mv = (0..legal.len()).map(choice).find(goes_on).unwrap();
            let beside = (1..legal.len()).map(choice).find(|beside| *beside != mv).unwrap();
            body.push(format!("{mv} {{a}} ( {beside} )"));
            game.play(mv).unwrap();
        }
        let text = format!("[Game \"quixo\"]\n[Setup \"size=5\"]\n{}", body.join(" "));
        let mut record: Record = text.parse().unwrap();
        PLAYED.set(0);
        let mut game = start::<Quixo>("size=5");
        record.replay(&mut game).unwrap();
        assert_eq!((game.ply(), game.nodes()), (PLIES, 1 + 2 * PLIES));
        // In addition to each move of the body, some moves are replayed to reach positions that are not stored.
        assert!(PLAYED.get() <= 4 * game.nodes(), "{} moves were played", PLAYED.get());
        PLAYED.set(0);
        record.update(&game);
        assert_eq!(PLAYED.get(), 0);
        assert_eq!(record.moves().len(), PLIES);
        assert_eq!(record.to_string().matches("{a}").count(), PLIES);
    }

    #[test]
    fn deeply_nested_variations_round_trip() {
        let deep = 20_000;
        let body = format!("A1-A3 {} {}", "( A1-A3 ( A1-C1 ".repeat(deep), ") ) ".repeat(deep));
        let record: Record = format!("[Game \"quixo\"][Setup \"\"]{body}").parse().unwrap();
        assert_eq!(record.to_string().parse::<Record>().as_ref(), Ok(&record));
        let mut game = start::<Quixo>("size=3");
        record.replay(&mut game).unwrap();
        assert_eq!((game.ply(), game.tree().len()), (1, 2));
        let open = format!("[Game \"quixo\"][Setup \"\"]{}", "( A1-A3 ".repeat(deep));
        assert!(open.parse::<Record>().is_err());
    }

    /// Returns all parts of a match that a record stores: each line as a sorted list of moves, the current line, and
    /// the line that redo follows.
    fn shape(game: &Match) -> (Vec<String>, String, String) {
        let mut paths = vec![String::new()];
        for (before, mv) in game.tree() {
            paths.push(format!("{} {mv}", paths[before]));
        }
        let (now, redo) = (paths[game.node()].clone(), paths[*game.line().last().unwrap()].clone());
        paths.sort_unstable();
        (paths, now, redo)
    }

    /// Grows a tree from these choices, each of a position and a move. The match ends in one of the positions.
    fn grow<G: Position>(setup: &str, choices: &[(usize, usize)], end: (usize, usize)) -> Match {
        let mut game = start::<G>(setup);
        for (node, mv) in choices {
            // Every other move continues from the current position.
            if node % 2 == 0 {
                game.go_to_node(node / 2 % (game.tree().len() + 1));
            }
            let legal = game.legal_moves();
            if let Some(mv) = legal.get(mv % legal.len().max(1)) {
                game.play(mv).unwrap();
            }
        }
        game.go_to_node(end.0 % (game.tree().len() + 1));
        game.select_variation(end.1 % game.branches().0.len().max(1));
        game
    }

    fn holds<G: Position>(
        setup: &str,
        choices: &[(usize, usize)],
        end: (usize, usize),
        noted: usize,
    ) {
        let game = grow::<G>(setup, choices, end);
        let text = Record::of(&game, &[], "").to_string();
        let again = |text: &str| {
            let mut again = start::<G>(setup);
            let mut record: Record = text.parse().unwrap();
            record.replay(&mut again).unwrap();
            record.update(&again);
            (again, record.to_string())
        };
        let (same, same_text) = again(&text);
        assert_eq!(shape(&same), shape(&game), "{text}");
        assert_eq!(same_text, text);

        // The same body with comments after a part of its words.
        let (head, body) = text.split_once("\n\n").unwrap_or((&text, ""));
        let words = body.split_whitespace().enumerate();
        let words: Vec<String> = words
            .map(
                |(i, word)| if i % 5 < noted { format!("{word} {{{i}}}") } else { word.to_owned() },
            )
            .collect();
        let commented = words.join(" ");
        let (same, once) = again(&format!("{head}\n\n{commented}\n"));
        assert_eq!(shape(&same), shape(&game), "{commented}");
        assert_eq!(once.matches('{').count(), commented.matches('{').count());
        let bare: Vec<&str> = once
            .split_once("\n\n")
            .map_or("", |(_, body)| body)
            .split_whitespace()
            .filter(|word| !word.starts_with('{'))
            .collect();
        assert_eq!(bare, body.split_whitespace().collect::<Vec<_>>());
        assert_eq!(again(&once).1, once);
    }

    proptest! {
        #[test]
        fn random_trees_round_trip(
            choices in prop::collection::vec((0..1000_usize, 0..1000_usize), 0..60),
            end in (0..1000_usize, 0..1000_usize),
            noted in 0..6_usize,
        ) {
            holds::<DotsAndBoxes>("size=3", &choices, end, noted);
            holds::<JoinTheDots>("layout=circle:6", &choices, end, noted);
            holds::<Quixo>("size=3", &choices, end, noted);
            holds::<TicTacToe>("", &choices, end, noted);
            holds::<Intersections>("size=3 players=3", &choices, end, noted);
        }
    }
}
