//! Files of other machines: `tests/fixtures/other-machines` has a journal, a record and a progress file that were
//! written on a big-endian machine, on one of 32 bits and on Windows. `.ci/port/check` runs these tests on such machines,
//! so each reads the files of the others. `WRITE_FIXTURES=1` before the tests writes the files of the machine that runs them.
#![allow(clippy::disallowed_methods, reason = "finds the fixtures")]

use super::progress::Event;
use super::{Head, MatchStore};
use crate::session::{Conditions, Match, Player, Session, Step};
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_rules::tic_tac_toe::TicTacToe;
use quadrille_rules::{Position, Setup};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const UNFINISHED: [&str; 7] = ["H0,0", "V0,1", "H2,1", "V1,0", "H1,1", "V0,0", "H1,0"];
const FINISHED: [&str; 7] = ["b2", "a1", "c1", "a3", "a2", "b1", "c2"];
const SETUP: &str = "size=3";
const MACHINES: [&str; 3] = ["s390x", "windows", "x86"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/other-machines")
}

fn start(head: &Head) -> Option<Session> {
    let game = match &*head.game {
        DotsAndBoxes::ID => Match::new(DotsAndBoxes::from_setup(&head.setup).ok()?),
        TicTacToe::ID => Match::new(TicTacToe::from_setup(&head.setup).ok()?),
        _ => return None,
    };
    Some(Session::new(game, head.given_setup.clone(), head.conditions()))
}

fn play(session: &mut Session, mv: &str) {
    let step = Step::Play(mv.to_owned());
    let by = step.infer_actor(session.current_match().to_move());
    session.apply(by, step, Duration::from_millis(1234)).unwrap();
}

/// Plays an unfinished and a finished match, so that the store has a journal, a record and progress.
fn write(folder: &Path) {
    let store = MatchStore::open(folder).unwrap();
    let players: Vec<Player> = ["Ann", "engine:casual"].map(|text| text.parse().unwrap()).into();
    let dots: Setup = SETUP.parse().unwrap();
    let matches = [
        (Match::new(DotsAndBoxes::from_setup(&dots).unwrap()), dots, UNFINISHED),
        (Match::new(TicTacToe::from_setup(&Setup::new()).unwrap()), Setup::new(), FINISHED),
    ];
    for (game, setup, moves) in matches {
        let mut session = Session::new(game, setup, Conditions::from(players.clone()));
        let mut journal = store.begin(&session, "2026-11-28");
        for mv in moves {
            play(&mut session, mv);
            journal.record(&session).unwrap();
        }
        if session.current_match().outcome().is_some() {
            store.finish(journal, &session).unwrap();
        }
    }
}

/// Reads what [`write`] wrote.
fn check(store: &MatchStore) {
    let journals = store.journals().unwrap();
    assert_eq!(journals.len(), 1);
    let mut journal = store.resume(&journals[0].id).unwrap();
    let mut session = start(journal.head()).unwrap();
    journal.replay(&mut session).unwrap();
    assert_eq!(session.players().names(), ["Ann", "engine:casual"]);
    assert_eq!(moves(session.current_match()), UNFINISHED);
    // The match can be continued.
    play(&mut session, "V0,2");
    journal.record(&session).unwrap();

    let records = store.records().unwrap();
    assert_eq!(records.len(), 1);
    let record = store.read(&records[0].id).unwrap();
    let mut game = Match::new(TicTacToe::from_setup(&record.setup().unwrap()).unwrap());
    record.replay(&mut game).unwrap();
    assert_eq!(moves(&game), FINISHED);
    assert!(game.outcome().is_some());

    let progress = store.progress().unwrap();
    assert!(
        matches!(progress.events(), [Event::Match { game, id, .. }] if game == TicTacToe::ID && *id == records[0].id),
        "{:?}",
        progress.events()
    );
}

fn moves(game: &Match) -> Vec<String> {
    game.moves().iter().map(|(_, mv)| mv.clone()).collect()
}

#[test]
fn files_of_other_machines_are_read() {
    let own = match std::env::consts::OS {
        "windows" => "windows",
        _ => std::env::consts::ARCH,
    };
    let own = fixtures().join(own);
    if std::env::var_os("WRITE_FIXTURES").is_some() {
        assert!(!own.exists(), "remove {} first", own.display());
        write(&own);
    }
    for machine in MACHINES {
        let folder = tempfile::tempdir().unwrap();
        let store = MatchStore::open(folder.path()).unwrap();
        for name in ["matches", "records", "."] {
            for entry in fs::read_dir(fixtures().join(machine).join(name)).unwrap() {
                let path = entry.unwrap().path();
                if path.is_file() {
                    let to = folder.path().join(name).join(path.file_name().unwrap());
                    fs::copy(&path, to).unwrap();
                }
            }
        }
        check(&store);
    }
}

#[test]
fn own_files_are_read() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    check(&MatchStore::open(folder.path()).unwrap());
}
