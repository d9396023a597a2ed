//! From the last move to the library.

use crate::common::store::{
    DATE, files, journals, open_for, open_for_guest, records, resumable, store,
};
use crate::common::untimed::Untimed;
use quadrille_match::session::{Conditions, Player, ProgramSeat, Record, Session, Termination};
use quadrille_match::store::{Journal, MatchElsewhere, MatchId, MatchStore};
use quadrille_rules::{Seat, Setup};
use quadrille_table::catalogue;
use std::fs;

/// A match at its end, and its journal without the last move.
fn almost_over(store: &MatchStore) -> (Session, Journal) {
    let mut game = open_for(("tic-tac-toe", ""), &["Ann / A", "Bob"]);
    let mut journal = store.begin(&game, DATE);
    for mv in ["a1", "b1", "a2", "b2"] {
        game.play(mv).unwrap();
        journal.record(&game).unwrap();
    }
    game.play("a3").unwrap();
    (game, journal)
}

#[test]
fn a_finished_match_becomes_a_record() {
    let (_folder, store) = store();
    let (game, journal) = almost_over(&store);
    let id = journal.id();
    assert!(id.starts_with("2026-11-20-tic-tac-toe-Ann-A-Bob-"), "{id}");
    let path = store.finish(journal, &game).unwrap();
    assert_eq!(path, store.folder().join("records").join(format!("{id}.game")));
    assert!(files(&journals(&store)).is_empty());
    let (entries, troubles) = records(&store);
    assert_eq!((entries.len(), troubles.len()), (1, 0));
    let entry = &entries[0];
    assert_eq!((&entry.id, &entry.path, &*entry.game), (&id, &path, "tic-tac-toe"));
    assert_eq!((&*entry.result, &*entry.date, entry.length), ("1-0", DATE, 5));
    assert_eq!(
        (&entry.names[..], &entry.termination),
        (&["Ann / A".into(), "Bob".into()][..], &None)
    );
}

/// The record recreated after a kill does too.
#[test]
fn guest_record_has_the_name_and_the_hints() {
    let (_folder, store) = store();
    let mut game = open_for_guest(("tic-tac-toe", ""));
    let mut journal = store.begin(&game, DATE);
    for mv in ["a1", "b1", "a2", "b2", "a3"] {
        game.play(mv).unwrap();
        journal.record(&game).unwrap();
    }
    game.name_person(Seat::new(1), "Bob");
    journal.record(&game).unwrap();
    let path = files(&journals(&store)).remove(0);
    let bytes = fs::read(&path).unwrap();
    let record = store.finish(journal, &game).unwrap();
    let text = fs::read_to_string(record).unwrap();
    for tag in ["[Seat1 \"Ann\"]\n", "[Seat2 \"Bob\"]\n", "[Hints \"on\"]\n"] {
        assert!(text.contains(tag), "{text}");
    }
    fs::write(&path, bytes).unwrap();
    assert_eq!(resumable(&store), (Vec::new(), Vec::new()));
    assert_eq!(records(&store).0.len(), 1);
}

#[test]
fn interrupted_finish_archives_a_match_once() {
    for has_record in [false, true] {
        let (_folder, store) = store();
        let (game, mut journal) = almost_over(&store);
        journal.record(&game).unwrap();
        let path = files(&journals(&store)).remove(0);
        let bytes = fs::read(&path).unwrap();
        if has_record {
            store.finish(journal, &game).unwrap();
            fs::write(&path, bytes).unwrap();
        } else {
            assert_eq!(resumable(&store), (Vec::new(), Vec::new()));
            assert!(path.exists() && records(&store).0.is_empty(), "it is being looked at");
            drop(journal);
        }
        assert_eq!(resumable(&store), (Vec::new(), Vec::new()));
        assert_eq!(records(&store).0.len(), 1);
        assert!(!path.exists());
    }
}

fn archive(store: &MatchStore, names: [&str; 2], date: &str, moves: &str) -> String {
    let mut game = open_for(("tic-tac-toe", ""), &names);
    let journal = store.begin(&game, date);
    moves.split(' ').for_each(|mv| game.play(mv).unwrap());
    let id = journal.id();
    store.finish(journal, &game).unwrap();
    id
}

fn ids(store: &MatchStore) -> Vec<String> {
    records(store).0.into_iter().map(|entry| entry.id).collect()
}

#[test]
fn agreed_draw_becomes_a_record() {
    let (_folder, store) = store();
    let mut game = open_for(("tic-tac-toe", ""), &[""; 2]);
    let mut journal = store.begin(&game, "");
    for mv in ["a1", "b1", "a2"] {
        game.play(mv).unwrap();
        journal.record(&game).unwrap();
    }
    game.undo();
    game.agree_draw();
    let path = store.finish(journal, &game).unwrap();
    let entry = records(&store).0.remove(0);
    assert_eq!((entry.path, entry.length, entry.termination), (path, 2, Some(Termination::Agreed)));
    assert_eq!(entry.names, ["Player 1", "Player 2"], "so they are called who gave no names");
    assert_eq!(&*entry.result, "1/2-1/2");
}

#[test]
fn library_is_sorted_by_day_and_names_invalid_files() {
    let (_folder, store) = store();
    let win = "a1 b1 a2 b2 a3";
    let days = ["2026-11-20", "2026-11-22", "2025-12-31"];
    let [b, a, c] = days.map(|day| archive(&store, ["Ann", "Bob"], day, win));
    let folder = store.folder().join("records");
    let cases: [(&str, &[u8], &str); 3] = [
        ("bad", b"[Game \"quixo\"", "line 1: a tag must look like [Name \"value\"]"),
        ("empty", b"", "not a Quadrille record"),
        ("rubbish", b"\xff\0", "line 1: not UTF-8 text"),
    ];
    for (id, bytes, _) in cases {
        fs::write(folder.join(format!("{id}.game")), bytes).unwrap();
    }
    fs::create_dir(folder.join("z.game")).unwrap();
    let (entries, troubles) = records(&store);
    assert_eq!(entries.into_iter().map(|entry| entry.id).collect::<Vec<_>>(), [a, b, c]);
    let mut expected = cases.map(|(id, _, why)| (id, why)).to_vec();
    expected.push(("z", "not a regular file"));
    let expected = expected.into_iter();
    let said = |(id, why)| format!("{}: {why}", folder.join(id).with_extension("game").display());
    let troubles: Vec<String> = troubles.iter().map(ToString::to_string).collect();
    assert_eq!(troubles, expected.map(said).collect::<Vec<_>>());
    for (id, bytes, _) in cases {
        assert_eq!(fs::read(folder.join(format!("{id}.game"))).unwrap(), bytes);
    }
}

#[test]
fn records_are_read_renamed_exported_and_deleted() {
    let (outside, store) = store();
    let id = archive(&store, ["Ann", "Bob"], DATE, "a1 b1 a2 b2 a3");
    let other = archive(&store, ["Eve", "Bob"], DATE, "a1 b1 a2 b2 a3");
    let record = store.read(&id).unwrap();
    assert_eq!(record.moves(), ["a1", "b1", "a2", "b2", "a3"]);

    let new = store.rename(&id, " Ann's /first/ win: \u{7}..").unwrap();
    assert_eq!(new, "Ann-s-first-win");
    assert_eq!(store.read(&new).unwrap(), record);
    assert!(store.read(&id).unwrap_err().is_gone());
    assert_eq!(store.rename(&new, &new).unwrap(), new, "to itself");
    let refused = store.rename(&new, &other).unwrap_err().to_string();
    // Each system words it differently.
    let (_, why) = refused.split_once(&format!("{other}.game: ")).unwrap();
    assert!(why.contains("exists"), "{refused}");
    let refused = store.rename(&new, "../..").unwrap_err().to_string();
    assert!(refused.ends_with("a name needs at least one letter or digit"), "{refused}");
    let long = store.rename(&new, &"é".repeat(400)).unwrap();
    assert_eq!(long, "é".repeat(80));
    store.rename(&long, &new).unwrap();
    assert_eq!(ids(&store).len(), 2);

    let to = outside.path().join("out.game");
    store.export(&new, &to).unwrap();
    let text = fs::read(&to).unwrap();
    assert_eq!(Record::from_bytes(&text).unwrap(), record);
    let refused = store.export(&other, &to).unwrap_err().to_string();
    let why = refused.strip_prefix(&format!("{}: ", to.display())).unwrap();
    assert!(why.contains("exists") && !why.ends_with('.'), "{refused}");
    assert_eq!(fs::read(&to).unwrap(), text);
    let refused = store.export(&other, &outside.path().join("no/out.game")).unwrap_err();
    assert!(refused.is_gone() && refused.to_string().contains("out.game: "), "{refused}");

    store.delete(&new).unwrap();
    assert_eq!(ids(&store), [other]);
    assert!(store.delete(&new).unwrap_err().is_gone());
}

#[test]
fn names_are_remembered_the_latest_first() {
    let (_folder, store) = store();
    let remember = |name: &str| {
        store.remember_name(name).unwrap();
        store.names()
    };
    assert_eq!(remember("Ann"), ["Ann"]);
    assert_eq!(remember("Bob"), ["Bob", "Ann"]);
    assert_eq!(remember(" Ann\n"), ["Ann", "Bob"]);
    assert_eq!(remember(""), ["Ann", "Bob"]);
    let many: Vec<String> = (0..80).map(|n| n.to_string()).collect();
    many.iter().rev().for_each(|name| drop(remember(name)));
    assert_eq!(store.names(), many[..50]);
    fs::write(store.folder().join("names"), b"\xff\0\n\nAnn\r\nAnn").unwrap();
    assert_eq!(store.names(), ["\u{fffd}", "Ann"]);
}

/// The table's process, a guest at the same home, and two guests at another home.
#[test]
fn processes_with_one_store_keep_one_record() {
    let (_folder, store) = store();
    let (game, journal) = almost_over(&store);
    let file = |id: Option<&MatchId>| {
        let (id, has_hints) = (id.cloned(), false);
        store.file_copy(&MatchElsewhere { session: &game, id, has_hints, date: DATE }).unwrap();
        records(&store).0.len()
    };
    let ours = MatchId::of_name(&journal.id());
    assert_eq!(file(ours.as_ref()), 0, "the journal becomes the record");
    store.finish(journal, &game).unwrap();
    assert_eq!(file(ours.as_ref()), 1);
    let theirs: MatchId = "k3v9mw".parse().unwrap();
    assert_eq!([file(Some(&theirs)), file(Some(&theirs))], [2, 2]);
    // A table that cannot save has no id.
    assert_eq!([file(None), file(None)], [3, 4]);
}

#[test]
fn names_of_a_copy_are_only_names() {
    let (_folder, store) = store();
    let players = [
        Player::person("engine:strong"),
        Player::Program(ProgramSeat::elsewhere("cmd:rm")),
        Player::Program(ProgramSeat::elsewhere("bot.py")),
    ];
    let words: Setup = "players=3".parse().unwrap();
    let start = (catalogue::find("intersections").unwrap().start)(&words).unwrap();
    let session = Session::new(start, words, Conditions::from(players.to_vec()));
    let id = "k3v9mw".parse().ok();
    let elsewhere = MatchElsewhere { session: &session, id, has_hints: true, date: DATE };
    store.file_copy(&elsewhere).unwrap();
    let entry = records(&store).0.pop().unwrap();
    assert_eq!(entry.id, "2026-11-20-intersections-Player-1-Player-2-bot-py-k3v9mw");
    assert_eq!(entry.names, ["Player 1", "Player 2", "bot.py"]);
    assert!(fs::read_to_string(entry.path).unwrap().contains("[Hints \"on\"]\n"));
}
