//! The store, used like in the app: saved data can be read again, whatever happened to the process, the disk and the
//! files.

mod damage;
mod progress;
mod records;

use crate::common::chance::Chance;
use crate::common::samples::samples;
use crate::common::store::{DATE, files, journals, open, records, resumable, resume, seen, store};
use crate::common::untimed::Untimed;
use quadrille_match::session::{Session, Step};
use quadrille_match::store::{Journal, LastSetup, MatchStore};
use quadrille_rules::Setup;
use std::fs;
use std::time::{Duration, SystemTime};

/// For tests that need only one setup.
const BOXES: (&str, &str) = ("dots-and-boxes", "size=3");

/// A random setup, one for three seats, one with many moves, and one without options.
const MORE: [(&str, &str); 4] = [
    ("join-the-dots", "layout=random:7 seed=3"),
    ("intersections", "size=3 players=3 segments=3 rounds=3"),
    ("dots-and-boxes", "rows=2 cols=12"),
    ("tic-tac-toe", ""),
];

/// Returns a small setup of every game, where a random match often reaches its end, and some more.
fn setups() -> impl Iterator<Item = (&'static str, &'static str)> {
    samples().map(|(entry, sample)| (entry.id, sample.small)).chain(MORE)
}

fn begin(store: &MatchStore, session: &Session) -> Journal {
    store.begin(session, DATE)
}

/// Takes one random step, usually a move.
fn act(session: &mut Session, chance: &mut Chance) {
    match chance.below(12) {
        0 | 1 => drop(session.undo()),
        2 => drop(session.redo()),
        3 => session.go_to_node(chance.below(session.current_match().nodes())),
        4 => {
            let here = session.current_match().node();
            if let Some(&node) = chance.pick(&session.current_match().children(here)) {
                session.step(Step::SelectVariation(node)).unwrap();
            }
        }
        5 => session.go_to_ply(chance.below(8)),
        6 if session.current_match().to_move().is_some() && chance.below(3) == 0 => {
            session.agree_draw();
        }
        7 if session.current_match().to_move().is_some() && chance.below(3) == 0 => {
            session.step(Step::Resign).unwrap();
        }
        _ => {
            if let Some(mv) = chance.pick(&session.current_match().legal_moves()) {
                session.play(mv).unwrap();
            }
        }
    }
}

#[test]
fn resumed_match_equals_the_saved_match() {
    let (_folder, store) = store();
    for (setup, seed) in setups().zip(0..).flat_map(|(s, n)| [(s, n), (s, n + 10)]) {
        let mut chance = Chance(seed);
        let mut session = open(setup);
        let mut journal = begin(&store, &session);
        for _ in 0..4 {
            // Several steps between two writes.
            for _ in 0..chance.below(20) {
                act(&mut session, &mut chance);
            }
            journal.record(&session).unwrap();
            let id = journal.id();
            if session.log().is_empty() {
                continue;
            }
            drop(journal);
            let (again, copy, lost) = resume(&store, &id);
            assert_eq!(
                (seen(copy.current_match()), lost),
                (seen(session.current_match()), None),
                "{setup:?} {seed}"
            );
            let head = again.head();
            assert_eq!(
                (&*head.game, &head.setup, &*head.date),
                (session.current_match().id(), &session.current_match().setup(), DATE)
            );
            assert_eq!(head.given_setup, setup.1.parse().unwrap());
            assert_eq!(
                (head.names.len(), &*head.names[1]),
                (session.current_match().seats() as usize, "Ännchen 1")
            );
            (journal, session) = (again, copy);
        }
    }
}

#[test]
fn match_in_use_is_not_listed() {
    let (folder, store) = store();
    let other = MatchStore::open(&folder.path().join("state")).unwrap();
    let mut session = open(BOXES);
    let mut journal = begin(&store, &session);
    journal.record(&session).unwrap();
    assert!(files(&journals(&store)).is_empty(), "nothing was played");
    session.play("H0,0").unwrap();
    journal.record(&session).unwrap();
    assert_eq!(resumable(&other), (Vec::new(), Vec::new()));
    let refused = other.resume(&journal.id()).unwrap_err();
    assert!(refused.is_in_use());
    assert!(refused.to_string().ends_with(".journal: this match is open in another Quadrille"));
    let id = journal.id();
    drop(journal);
    let (unfinished, _) = resumable(&other);
    assert_eq!((&unfinished[0].id, unfinished[0].ply), (&id, 1));
    let (_journal, copy, _) = resume(&other, &id);
    assert_eq!(seen(copy.current_match()), seen(session.current_match()));
}

#[test]
fn matches_are_listed_by_last_use() {
    let (_folder, store) = store();
    let mut ids = Vec::new();
    for (setup, number) in setups().zip(0..) {
        // So that matches are not in order of creation.
        let age = number ^ 2;
        let mut session = open(setup);
        let mut journal = begin(&store, &session);
        let mv = session.current_match().legal_moves().remove(0);
        session.play(&mv).unwrap();
        journal.record(&session).unwrap();
        let path = journals(&store).join(format!("{}.journal", journal.id()));
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 - age);
        fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
        ids.push((age, time, journal.id()));
    }
    ids.sort();
    let (unfinished, troubles) = resumable(&store);
    let listed: Vec<_> = unfinished.into_iter().map(|one| (one.written, one.id)).collect();
    let expected: Vec<_> = ids.into_iter().map(|(_, time, id)| (time, id)).collect();
    assert_eq!((listed, troubles), (expected, Vec::new()));
}

#[cfg(unix)]
#[test]
fn store_folders_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, store) = store();
    for folder in [store.folder(), &journals(&store), &store.folder().join("records")] {
        assert_eq!(fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
    }
}

#[cfg(unix)]
#[test]
fn unwritable_store_error_is_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let refused = MatchStore::open(&file.join("state")).unwrap_err().to_string();
    assert_eq!(refused, format!("{}: not a directory", file.join("state/matches").display()));

    let store = MatchStore::open(&folder.path().join("state")).unwrap();
    fs::rename(store.folder(), folder.path().join("away")).unwrap();
    let mut session = open(BOXES);
    let mut journal = begin(&store, &session);
    for mv in ["H0,0", "H0,1"] {
        session.play(mv).unwrap();
        let refused = journal.record(&session).unwrap_err().to_string();
        let path = journals(&store).join(journal.id());
        let why = "no such file or directory";
        assert_eq!(refused, format!("{}.journal: {why}", path.display()));
    }
    assert_eq!(resumable(&store).1.len(), 1);
    assert_eq!(records(&store).1.len(), 1);
    assert!(store.names().is_empty() && store.remember_name("Ann").is_err());
    // The disk is back: everything is written, including the missed steps.
    fs::rename(folder.path().join("away"), store.folder()).unwrap();
    session.play("V0,0").unwrap();
    journal.record(&session).unwrap();
    let id = journal.id();
    drop(journal);
    assert_eq!(seen(resume(&store, &id).1.current_match()), seen(session.current_match()));
}

#[test]
fn store_remembers_the_last_setup_of_each_game() {
    let folder = tempfile::tempdir().unwrap();
    let store = MatchStore::open(folder.path()).unwrap();
    let last = |game: &str, given: &str, names: &[&str]| LastSetup {
        pair: Vec::new(),
        clock: None,
        game: game.to_owned(),
        given_setup: given.parse().unwrap(),
        names: names.iter().map(|&name| name.to_owned()).collect(),
    };
    assert_eq!(store.setups(), []);
    let quixo = last("quixo", "size=4", &["", "engine:strong,time=5"]);
    let dots = last("dots-and-boxes", "", &["Ann\n\u{202e}", "\"B\""]);
    for setup in [last("quixo", "size=3", &[]), dots.clone(), quixo.clone()] {
        store.remember_setup(setup).unwrap();
    }
    assert_eq!(store.setups(), [quixo.clone(), dots]);
    // A setup that does not parse is not saved, nor is the older one of that game; damaged and empty lines are skipped.
    let spaced =
        LastSetup { given_setup: Setup::new().with("points", "0,0; 1,1"), ..quixo.clone() };
    store.remember_setup(spaced).unwrap();
    assert_eq!(store.setups().len(), 1);
    fs::write(folder.path().join("setups"), "x\n{\"game\":1}\n\n").unwrap();
    store.remember_setup(quixo.clone()).unwrap();
    assert_eq!(store.setups(), std::slice::from_ref(&quixo));
    // A pair of names is saved beside the last players; earlier builds wrote none.
    let pair = ["Ann", "Bob"].map(str::to_owned).to_vec();
    let with_pair = LastSetup { pair: pair.clone(), ..quixo };
    store.remember_setup(with_pair.clone()).unwrap();
    assert_eq!(store.setups(), [with_pair]);
    let earlier = r#"{"game":"quixo","setup":"size=4","names":["Ann","Bob"]}"#;
    fs::write(folder.path().join("setups"), earlier).unwrap();
    assert_eq!(store.setups()[0].pair(), pair);
}
