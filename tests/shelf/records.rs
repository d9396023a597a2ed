//! From the last move to the library.

use super::common::hands::Hands;
use super::common::shelf::{DATE, files, journals, open_for, records, shelf, waiting};
use quadrille::session::{AnySession, Journal, MatchStore, Record, Termination};
use std::fs;

/// A match at its end, and its journal, to which all but the last move were written.
fn almost_over(shelf: &MatchStore) -> (Box<dyn AnySession>, Journal) {
    let mut game = open_for(("tic-tac-toe", ""), &["Ann / A", "Bob"]);
    let mut journal = shelf.begin(&*game, DATE);
    for mv in ["a1", "b1", "a2", "b2"] {
        game.play(mv).unwrap();
        journal.record(&*game).unwrap();
    }
    game.play("a3").unwrap();
    (game, journal)
}

#[test]
fn a_finished_match_becomes_a_record() {
    let (_folder, shelf) = shelf();
    let (game, journal) = almost_over(&shelf);
    let id = journal.id();
    assert!(id.starts_with("2026-11-20-tic-tac-toe-Ann-A-Bob-"), "{id}");
    let path = shelf.finish(journal, &*game).unwrap();
    assert_eq!(path, shelf.folder().join("records").join(format!("{id}.game")));
    assert!(files(&journals(&shelf)).is_empty());
    let (entries, troubles) = records(&shelf);
    assert_eq!((entries.len(), troubles.len()), (1, 0));
    let entry = &entries[0];
    assert_eq!((&entry.id, &entry.path, &*entry.game), (&id, &path, "tic-tac-toe"));
    assert_eq!((&*entry.result, &*entry.date, entry.length), ("1-0", DATE, 5));
    assert_eq!(
        (&entry.names[..], &entry.termination),
        (&["Ann / A".into(), "Bob".into()][..], &None)
    );
}

#[test]
fn killed_before_its_journal_is_away_a_match_is_put_away_once() {
    for has_record in [false, true] {
        let (_folder, shelf) = shelf();
        let (game, mut journal) = almost_over(&shelf);
        journal.record(&*game).unwrap();
        let path = files(&journals(&shelf)).remove(0);
        let bytes = fs::read(&path).unwrap();
        if has_record {
            shelf.finish(journal, &*game).unwrap();
            fs::write(&path, bytes).unwrap();
        } else {
            assert_eq!(waiting(&shelf), (Vec::new(), Vec::new()));
            assert!(path.exists() && records(&shelf).0.is_empty(), "it is being looked at");
            drop(journal);
        }
        assert_eq!(waiting(&shelf), (Vec::new(), Vec::new()));
        assert_eq!(records(&shelf).0.len(), 1);
        assert!(!path.exists());
    }
}

/// Plays a match of tic-tac-toe and puts it away.
fn put_away(shelf: &MatchStore, names: [&str; 2], date: &str, moves: &str) -> String {
    let mut game = open_for(("tic-tac-toe", ""), &names);
    let journal = shelf.begin(&*game, date);
    moves.split(' ').for_each(|mv| game.play(mv).unwrap());
    let id = journal.id();
    shelf.finish(journal, &*game).unwrap();
    id
}

fn ids(shelf: &MatchStore) -> Vec<String> {
    records(shelf).0.into_iter().map(|entry| entry.id).collect()
}

#[test]
fn a_draw_agreed_on_is_put_away_too() {
    let (_folder, shelf) = shelf();
    let mut game = open_for(("tic-tac-toe", ""), &[""; 2]);
    let mut journal = shelf.begin(&*game, "");
    for mv in ["a1", "b1", "a2"] {
        game.play(mv).unwrap();
        journal.record(&*game).unwrap();
    }
    game.undo();
    game.agree_draw();
    let path = shelf.finish(journal, &*game).unwrap();
    let entry = records(&shelf).0.remove(0);
    assert_eq!((entry.path, entry.length, entry.termination), (path, 2, Some(Termination::Agreed)));
    assert_eq!(entry.names, ["Player 1", "Player 2"], "so they are called who gave no names");
    assert_eq!(&*entry.result, "1/2-1/2");
}

#[test]
fn the_library_is_sorted_by_day_and_names_what_is_no_record() {
    let (_folder, shelf) = shelf();
    let win = "a1 b1 a2 b2 a3";
    let days = ["2026-11-20", "2026-11-22", "2025-12-31"];
    let [b, a, c] = days.map(|day| put_away(&shelf, ["Ann", "Bob"], day, win));
    let folder = shelf.folder().join("records");
    let cases: [(&str, &[u8], &str); 3] = [
        ("bad", b"[Game \"quixo\"", "line 1: a tag must look like [Name \"value\"]"),
        ("empty", b"", "not a Quadrille record"),
        ("rubbish", b"\xff\0", "line 1: not UTF-8 text"),
    ];
    for (id, bytes, _) in cases {
        fs::write(folder.join(format!("{id}.game")), bytes).unwrap();
    }
    fs::create_dir(folder.join("z.game")).unwrap();
    let (entries, troubles) = records(&shelf);
    assert_eq!(entries.into_iter().map(|entry| entry.id).collect::<Vec<_>>(), [a, b, c]);
    let mut expected = cases.map(|(id, _, why)| (id, why)).to_vec();
    expected.push(("z", "not a regular file"));
    let expected = expected.into_iter();
    let said = |(id, why)| format!("{}/{id}.game: {why}", folder.display());
    let troubles: Vec<String> = troubles.iter().map(ToString::to_string).collect();
    assert_eq!(troubles, expected.map(said).collect::<Vec<_>>());
    for (id, bytes, _) in cases {
        assert_eq!(fs::read(folder.join(format!("{id}.game"))).unwrap(), bytes);
    }
}

#[test]
fn records_are_read_renamed_exported_and_deleted() {
    let (outside, shelf) = shelf();
    let id = put_away(&shelf, ["Ann", "Bob"], DATE, "a1 b1 a2 b2 a3");
    let other = put_away(&shelf, ["Eve", "Bob"], DATE, "a1 b1 a2 b2 a3");
    let record = shelf.read(&id).unwrap();
    assert_eq!(record.moves(), ["a1", "b1", "a2", "b2", "a3"]);

    let new = shelf.rename(&id, " Ann's /first/ win: \u{7}..").unwrap();
    assert_eq!(new, "Ann-s-first-win");
    assert_eq!(shelf.read(&new).unwrap(), record);
    assert!(shelf.read(&id).unwrap_err().is_gone());
    assert_eq!(shelf.rename(&new, &new).unwrap(), new, "to itself");
    let refused = shelf.rename(&new, &other).unwrap_err().to_string();
    assert!(refused.ends_with(&format!("{other}.game: file exists")), "{refused}");
    let refused = shelf.rename(&new, "../..").unwrap_err().to_string();
    assert!(refused.ends_with("a name needs letters or digits"), "{refused}");
    let long = shelf.rename(&new, &"é".repeat(400)).unwrap();
    assert_eq!(long, "é".repeat(80));
    shelf.rename(&long, &new).unwrap();
    assert_eq!(ids(&shelf).len(), 2);

    let to = outside.path().join("out.game");
    shelf.export(&new, &to).unwrap();
    let text = fs::read(&to).unwrap();
    assert_eq!(Record::from_bytes(&text).unwrap(), record);
    let refused = shelf.export(&other, &to).unwrap_err().to_string();
    assert_eq!(refused, format!("{}: file exists", to.display()));
    assert_eq!(fs::read(&to).unwrap(), text);
    let refused = shelf.export(&other, &outside.path().join("no/out.game")).unwrap_err();
    assert!(refused.to_string().ends_with("no/out.game: no such file or directory"));

    shelf.delete(&new).unwrap();
    assert_eq!(ids(&shelf), [other]);
    assert!(shelf.delete(&new).unwrap_err().is_gone());
}

#[test]
fn names_are_remembered_the_latest_first() {
    let (_folder, shelf) = shelf();
    let remember = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        shelf.remember(&names).unwrap();
        shelf.names()
    };
    assert_eq!(remember(&["Ann", "Bob"]), ["Ann", "Bob"]);
    assert_eq!(remember(&["Eve", " Bob\n", "", "Eve"]), ["Eve", "Bob", "Ann"]);
    assert_eq!(remember(&[]), ["Eve", "Bob", "Ann"]);
    let many: Vec<String> = (0..80).map(|n| n.to_string()).collect();
    shelf.remember(&many).unwrap();
    assert_eq!(shelf.names(), many[..50]);
    fs::write(shelf.folder().join("names"), b"\xff\0\n\nAnn\r\nAnn").unwrap();
    assert_eq!(shelf.names(), ["\u{fffd}", "Ann"]);
}
