//! Moves in the ways people type them, in every game.

use crate::common::samples::samples;
use quadrille_match::session::{Match, read_typed};
use quadrille_rules::Setup;
use quadrille_table::catalogue::{self, GameEntry};

fn start(entry: &'static GameEntry, setup: &str) -> Match {
    (entry.start)(&setup.parse().unwrap()).unwrap()
}

fn sloppy(mv: &str) -> Vec<String> {
    let bare: String = mv.chars().filter(char::is_ascii_alphanumeric).collect();
    let mut apart = String::new();
    let mut last = ' ';
    for letter in mv.chars() {
        if letter.is_ascii_alphabetic() || last.is_ascii_alphabetic() {
            apart.push(' ');
        }
        apart.push(if letter.is_ascii_alphanumeric() { letter } else { ' ' });
        last = letter;
    }
    vec![
        mv.to_lowercase(),
        mv.to_uppercase(),
        bare.to_lowercase(),
        bare,
        apart.to_lowercase(),
        mv.replace('-', " to "),
        mv.replace('-', "\u{2013}"),
        mv.replace([',', '-'], " "),
        mv.replace('-', ""),
        mv.replace(',', ", ").replace('-', "   "),
    ]
}

#[test]
fn typed_move_is_read_or_its_readings_are_listed() {
    let mut rng = fastrand::Rng::with_seed(11);
    let (mut read, mut unclear) = (0, 0);
    for (entry, sample) in samples() {
        for setup in sample.usual() {
            let mut game = start(entry, setup);
            for ply in 0.. {
                let legal = game.legal_moves();
                let Some(next) = rng.choice(&legal) else { break };
                // All moves of some positions.
                let looked_at = if ply % 9 == 0 { &*legal } else { std::slice::from_ref(next) };
                for mv in looked_at.iter().take(60) {
                    for text in sloppy(mv) {
                        match read_typed(&game, &text) {
                            Ok(found) => {
                                assert_eq!(found, *mv, "{} {setup}: {text}", entry.id);
                                read += 1;
                            }
                            Err(why) => {
                                let why = why.to_string();
                                let named = why.split([' ', ';']).filter(|word| {
                                    legal
                                        .iter()
                                        .any(|name| name == word || format!("{name},") == **word)
                                });
                                assert!(named.count() > 1 && why.contains(&**mv), "{text}: {why}");
                                unclear += 1;
                            }
                        }
                    }
                }
                game.play(next).unwrap();
                if ply > 40 {
                    break;
                }
            }
        }
    }
    assert!(read > 10_000 && unclear > 20 && unclear < read / 100, "{read} and {unclear}");
}

#[test]
fn typed_move_variants_are_read() {
    for (id, setup, text, mv) in [
        ("dots-and-boxes", "", "H 0 1", "H0,1"),
        ("dots-and-boxes", "", "h01", "H0,1"),
        ("dots-and-boxes", "", " v 3 / 4 ", "V3,4"),
        ("quixo", "", "A1E1", "A1-E1"),
        ("quixo", "", "a1 e1", "A1-E1"),
        ("quixo", "", "A1 to E1", "A1-E1"),
        ("quixo", "", "a1 \u{2192} e1", "A1-E1"),
        ("tic-tac-toe", "", "B 2", "b2"),
        ("join-the-dots", "layout=circle:12", "1 2", "1-2"),
        ("join-the-dots", "layout=circle:12", "12 3", "3-12"),
        ("join-the-dots", "layout=circle:12", "21", "1-2"),
        ("intersections", "", "0,0 0,3", "0,0-0,3"),
        ("intersections", "", "0003", "0,0-0,3"),
        ("intersections", "", "(0, 0) (0, 3)", "0,0-0,3"),
    ] {
        let game = start(catalogue::find(id).unwrap(), setup);
        assert_eq!(read_typed(&game, text).as_deref(), Ok(mv), "{text}");
    }
}

/// Letters of other scripts count as lookalikes, or as the key on a US keyboard.
#[test]
fn foreign_letters_are_read_when_unambiguous() {
    let read = |id: &str, setup: &str, text: &str| {
        let game = start(catalogue::find(id).unwrap(), setup);
        read_typed(&game, text).map_err(|why| why.to_string())
    };
    for (id, setup, text, mv) in [
        ("dots-and-boxes", "", "Р0,0", "H0,0"),
        ("dots-and-boxes", "", "Н0,0", "H0,0"),
        ("dots-and-boxes", "", "м 1 1", "V1,1"),
        ("dots-and-boxes", "", "η0,0", "H0,0"),
        ("dots-and-boxes", "", "Ｈ０，１", "H0,1"),
        ("quixo", "", "А1-Е1", "A1-E1"),
        ("quixo", "", "Ф1-У1", "A1-E1"),
        ("tic-tac-toe", "", "в2", "b2"),
        ("tic-tac-toe", "", "ש1", "a1"),
    ] {
        assert_eq!(read(id, setup, text).as_deref(), Ok(mv), "{text}");
    }
    let why = read("quixo", "", "в1 в5").unwrap_err();
    assert_eq!(why, "в1 в5 could be B1-B5 or D1-D5; type Latin letters");
    for text in ["Я0,0", "Т0,0"] {
        assert!(read("dots-and-boxes", "size=3", text).is_err(), "{text}");
    }
}

#[test]
fn unreadable_move_error_states_its_reason() {
    let says = |id: &str, setup: &str, played: &str, text: &str| {
        let mut game = start(catalogue::find(id).unwrap(), setup);
        played.split_whitespace().for_each(|mv| game.play(mv).unwrap());
        format!("{:#}", read_typed(&game, text).unwrap_err())
    };
    let boxes = "rows=12 cols=12";
    assert_eq!(
        says("dots-and-boxes", boxes, "", "h110"),
        "h110 could be H1,10 or H11,0; type more of it"
    );
    assert_eq!(
        says("join-the-dots", "layout=circle:12", "", "112"),
        "112 could be 1-12 or 2-11; type more of it"
    );
    // One of the two is drawn, so the move is unambiguous.
    let mut game =
        (catalogue::find("dots-and-boxes").unwrap().start)(&boxes.parse::<Setup>().unwrap())
            .unwrap();
    game.play("H1,10").unwrap();
    assert_eq!(read_typed(&game, "h110").as_deref(), Ok("H11,0"));
    assert_eq!(
        says("dots-and-boxes", boxes, "H1,10 H11,0", "h110"),
        "h110 could be H1,10 or H11,0, but none of them is legal"
    );
    let drawn = "already drawn";
    assert_eq!(says("dots-and-boxes", "size=3", "H0,0", "h 0 0"), drawn);
    assert_eq!(says("dots-and-boxes", "size=3", "", "h99"), "this board has no such line");
    assert_eq!(says("tic-tac-toe", "", "a1 b1 a2 b2 a3", "B 3"), "the game is over");
    for text in ["", "h", "h0", "h0,1,2", "q01", "h0,1x", "\u{e9}01", "-", &"h01".repeat(500)] {
        let why = "a line is H or V with its row and column";
        assert_eq!(says("dots-and-boxes", "size=3", "", text), why, "{text}");
    }
}
