//! Snapshots of boards with marks on legal moves.

use crate::common::samples::{open, pictured, samples};
use crate::common::untimed::Untimed;
use crate::common::{board, draw_board, marked, match_board};
use insta::assert_snapshot;
use quadrille::app::OpenMatch;
use quadrille::board::{Direction, MoveLabel, MoveQuality, Press, PressReply, Skin};
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;

/// Marks every legal move: the `best` moves with `value`, the others with the values of `others` in turn.
fn marks(table: &OpenMatch, best: &str, value: &str, others: &[&str]) -> Vec<MoveLabel> {
    let best: Vec<&str> = best.split_whitespace().collect();
    let mut others = others.iter().cycle();
    let mark = |mv: String| {
        let is_best = best.contains(&mv.as_str());
        let text = if is_best { value } else { others.next().unwrap() };
        let draws_move = text.is_empty();
        let rank = rank(is_best);
        MoveLabel { mv, text: text.to_owned(), is_proven: true, draws_move, rank }
    };
    let mut marks: Vec<MoveLabel> =
        table.current_match().legal_moves().into_iter().map(mark).collect();
    assert_eq!(marks.iter().filter(|mark| mark.rank == MoveQuality::Best).count(), best.len());
    marks.sort_by_key(|mark| mark.rank != MoveQuality::Best);
    marks
}

const fn rank(is_best: bool) -> MoveQuality {
    if is_best { MoveQuality::Best } else { MoveQuality::Rest }
}

/// The space for a board on screens of 80 × 24, 40 × 12 and 200 × 60.
const ROOMS: [(u16, u16); 3] = [(45, 21), (40, 10), (165, 57)];

fn assert_marks(name: &str, marks: &[MoveLabel], table: &mut OpenMatch) {
    for (width, height) in ROOMS {
        assert_snapshot!(format!("{name}_{width}x{height}"), marked(table, marks, width, height));
    }
}

const EXACT: [&str; 4] = ["-1", "=", "-3", "-12"];
const ESTIMATES: [&str; 4] = ["~-1", "~=", "~-12", "~-0.4"];
const PLIES: [&str; 4] = ["=", "L8", "L12", "L6"];

#[test]
fn every_game_has_snapshots() {
    for (width, height) in ROOMS {
        pictured("marks", &format!("{width}x{height}"));
    }
}

#[test]
fn dots_and_boxes() {
    let mut game = match_board("dots-and-boxes", "", "H0,0 V0,0 V0,1 H4,1 V2,4 H1,0 H1,2");
    assert_marks("dots_and_boxes", &marks(&game, "H0,1 V0,2", "+2", &EXACT), &mut game);
    assert_marks(
        "dots_and_boxes_estimates",
        &marks(&game, "H2,1 V1,4", "~+2", &ESTIMATES),
        &mut game,
    );
    let mut game = match_board("dots-and-boxes", "size=12", "");
    assert_marks("dots_and_boxes_large", &marks(&game, "H0,1 V3,5", "~+2", &ESTIMATES), &mut game);
}

#[test]
fn tic_tac_toe() {
    let mut game = match_board("tic-tac-toe", "", "b2 a1 c1");
    assert_marks("tic_tac_toe", &marks(&game, "a3", "=", &["L3", "L5"]), &mut game);
}

#[test]
fn quixo() {
    let mut game = match_board("quixo", "", "B1-B5 C1-A1");
    let all = marks(&game, "A2-E2 D5-D1 B1-E1", "W7", &PLIES);
    assert_marks("quixo", &all, &mut game);
    game.board.press(Press::Arrow(Direction::Right));
    game.board.press(Press::Choose);
    assert_marks("quixo_taken", &all, &mut game);
    game.board.press(Press::Arrow(Direction::Right));
    assert_marks("quixo_end_chosen", &all, &mut game);
}

#[test]
fn join_the_dots() {
    let mut game = match_board("join-the-dots", "", "3-7 1-3 5-10");
    let all = marks(&game, "2-8 1-7", "+3", &EXACT);
    assert_marks("join_the_dots", &all, &mut game);
    game.board.press(Press::Choose);
    game.board.press(Press::Digit(8));
    assert_marks("join_the_dots_picked", &all, &mut game);
    let mut game = match_board("join-the-dots", "layout=circle:24", "1-5 6-8");
    assert_marks("join_the_dots_circle", &marks(&game, "9-11", "~+3", &ESTIMATES), &mut game);
    let mut game = match_board("join-the-dots", "layout=random:100", "1-2");
    assert_marks(
        "join_the_dots_100",
        &marks(&game, &game.current_match().legal_moves()[900], "~+3", &ESTIMATES),
        &mut game,
    );
}

#[test]
fn intersections() {
    let mut game = match_board("intersections", "", "0,0-0,2 1,1-3,1 0,1-1,1");
    let all = marks(&game, "3,0-3,1 0,3-2,3", "+2", &EXACT);
    assert_marks("intersections", &all, &mut game);
    for key in [Direction::Down, Direction::Down, Direction::Down].map(Press::Arrow) {
        game.board.press(key);
    }
    game.board.press(Press::Choose);
    assert_marks("intersections_picked", &all, &mut game);
    game.board.press(Press::Arrow(Direction::Right));
    assert_marks("intersections_stretched", &all, &mut game);
    let mut game = match_board("intersections", "size=5", "0,0-0,2 1,1-3,1");
    let all = marks(&game, "4,0-4,2 4,3-4,4", "+2", &EXACT);
    assert_snapshot!("intersections_without_a_margin", marked(&mut game, &all, 40, 10));
    let mut game = match_board("intersections", "size=7", "0,0-0,2 1,1-3,1 0,1-1,1");
    assert_marks("intersections_large", &marks(&game, "6,0-6,1", "~+2", &ESTIMATES), &mut game);
}

fn mark(mv: &str, text: &str, best: bool) -> MoveLabel {
    let (mv, text) = (mv.to_owned(), text.to_owned());
    MoveLabel { mv, is_proven: true, draws_move: text.is_empty(), text, rank: rank(best) }
}

/// If two moves start at the cursor, the mark of the better one is shown there; after the pick each has its mark at its
/// own end.
#[test]
fn cursor_label_shows_the_best_reachable_move() {
    let told = |game: &mut OpenMatch, marks: &[MoveLabel]| {
        game.board.label(marks.to_vec());
        game.board.label_at_cursor().map_or(String::new(), |mark| mark.mv.clone())
    };
    let right = Press::Arrow(Direction::Right);
    let down = Press::Arrow(Direction::Down);

    let game = &mut match_board("quixo", "size=3", "");
    let marks = [mark("C3-A3", "W7", true), mark("A1-A3", "=", false), mark("A1-C1", "L2", false)];
    assert_eq!(told(game, &marks), "A1-A3");
    game.board.press(Press::Choose);
    assert_eq!(told(game, &marks), "", "no end is chosen");
    game.board.press(right);
    assert_eq!(told(game, &marks), "A1-C1");

    let game = &mut match_board("join-the-dots", "layout=circle:6", "");
    let marks = [mark("2-3", "=", true), mark("1-3", "=", true), mark("1-2", "-3", false)];
    assert_eq!(told(game, &marks), "1-3");
    game.board.press(Press::Next);
    game.board.press(Press::Next);
    assert_eq!(told(game, &marks), "2-3");
    game.board.press(Press::Choose);
    assert_eq!(told(game, &marks), "", "the pick is no end of its own line");
    game.board.press(Press::Digit(1));
    assert_eq!(told(game, &marks), "1-3");
    game.board.press(Press::Digit(5));
    assert_eq!(told(game, &marks), "", "nothing is known of 3-5");

    let game = &mut match_board("intersections", "size=3 segments=4", "");
    let marks =
        [mark("0,1-2,1", "+1", true), mark("0,0-0,2", "=", false), mark("0,0-0,1", "-1", false)];
    assert_eq!(told(game, &marks), "0,0-0,2");
    game.board.press(Press::Choose);
    game.board.press(right);
    assert_eq!(told(game, &marks), "0,0-0,1");
    game.board.press(Press::Back);
    game.board.press(right);
    assert_eq!(told(game, &marks), "0,1-2,1");

    let game = &mut match_board("dots-and-boxes", "size=3", "");
    let marks = [mark("V0,0", "=", true), mark("H0,0", "-1", false)];
    assert_eq!(told(game, &marks), "H0,0");
    game.board.press(down);
    assert_eq!(told(game, &marks), "V0,0");

    let game = &mut match_board("tic-tac-toe", "", "");
    assert_eq!(told(game, &[mark("a1", "L5", false), mark("b2", "=", true)]), "b2");
}

/// Moves already played, moves of a larger board, and moves of another game.
#[test]
fn marks_of_illegal_moves_are_omitted() {
    for (entry, sample) in samples() {
        let mut table = match_board(entry.id, "", sample.opening);
        let texts = [
            open(entry, "").current_match().legal_moves(),
            open(entry, sample.largest()).current_match().legal_moves(),
            samples()
                .flat_map(|(other, _)| open(other, "").current_match().legal_moves())
                .collect(),
            vec![String::new(), "no move".to_owned()],
        ];
        let legal = table.current_match().legal_moves();
        let texts = texts.into_iter().flatten().filter(|text| !legal.contains(text));
        let marks: Vec<MoveLabel> = texts.map(|text| mark(&text, "W7", true)).collect();
        assert_eq!(marked(&mut table, &marks, 45, 21), board(&table, 45, 21), "{}", entry.id);
        table.board.label(marks);
        assert_eq!(table.board.label_at_cursor(), None);
    }
}

/// The board still shows the finished round, and the marks are for the next one.
#[test]
fn finished_round_board_has_no_marks() {
    let mut game =
        match_board("intersections", "size=3 segments=4", "0,0-2,0 1,0-1,1 0,1-2,1 1,1-1,2");
    let all = marks(&game, "0,0-0,1", "+2", &EXACT);
    assert_eq!(marked(&mut game, &all, 45, 21), board(&game, 45, 21));
    game.board.press(Press::Choose);
    assert_ne!(marked(&mut game, &all, 45, 21), board(&game, 45, 21));
}

/// Marks cover only blanks, the line under the cursor, and the frames and brackets of dice; or they mark a number on
/// the line to it.
#[test]
fn marks_cover_no_other_glyph() {
    let games = samples().flat_map(|(entry, sample)| {
        let small = [("", sample.opening), (sample.small, "")];
        small.into_iter().chain([(sample.large[0], "")]).map(move |game| (entry.id, game))
    });
    let keys = ["", "+", ">", "v"];
    for (game, (setup, moves)) in games {
        let mut table = match_board(game, setup, moves);
        let legal = table.current_match().legal_moves();
        let best = &legal[legal.len() / 2];
        let all = marks(&table, best, "+2", &["=", "-12", "~+2", "~-0.4"]);
        for key in keys {
            for key in key.chars() {
                let reply = table.board.press(match key {
                    '>' => Press::Arrow(Direction::Right),
                    'v' => Press::Arrow(Direction::Down),
                    _ => Press::Choose,
                });
                if let PressReply::Play(mv) = reply {
                    table.play(&mv).unwrap();
                }
            }
            for (width, height) in (0..60).step_by(7).flat_map(|w| (0..30).map(move |h| (w, h))) {
                let mut draw = |marks: &[MoveLabel]| {
                    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
                    table.board.label(marks.to_vec());
                    draw_board(&table, buffer.area, &mut buffer, Skin::default());
                    buffer
                };
                let (plain, marked) = (draw(&[]), draw(&all));
                for (before, after) in plain.content.iter().zip(&marked.content) {
                    let glyph = before.symbol().chars().next().unwrap();
                    let may_go = " ╌╎∙[]".contains(glyph)
                        || ["quixo", "join-the-dots"].contains(&game)
                            && ('\u{2800}'..='\u{28ff}').contains(&glyph);
                    assert!(
                        before.symbol() == after.symbol() || may_go,
                        "{glyph} has gone from {game} {setup} in {width} x {height}"
                    );
                }
            }
        }
    }
}

#[test]
fn best_marks_stand_out_without_colour_and_in_ascii() {
    let mut game = match_board("dots-and-boxes", "size=3", "");
    let mut buffer = Buffer::empty(Rect::new(0, 0, 20, 10));
    let skin = Skin::default().without_colour().in_ascii();
    game.board.label(vec![mark("H0,1", "+2", true), mark("V0,0", "=", false)]);
    draw_board(&game, buffer.area, &mut buffer, skin);
    let text: String = buffer.content.iter().map(Cell::symbol).collect();
    assert!(text.contains("*+2") && text.contains(" = ") && text.is_ascii(), "{text}");
}
