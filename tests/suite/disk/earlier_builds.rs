//! Files of version 0.1 must always be readable: journals, records and names.
//!
//! That version wrote the files under `tests/fixtures/0.1` in matches of people and engines; they must never be
//! replaced. The snapshots show the contents at that time.

use crate::common::program;
use crate::common::store::{files, resumable, resume, seen, store};
use crate::common::untimed::Untimed;
use insta::assert_snapshot;
use quadrille_match::session::{Match, Record, Termination};
use quadrille_table::catalogue;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

fn written(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/0.1").join(folder);
    let mut paths = files(&folder);
    paths.retain(|path| path.extension().is_some_and(|ending| ending == extension));
    assert!(!paths.is_empty(), "{extension} files in {}", folder.display());
    paths
}

fn name(path: &Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap()
}

/// Returns the visible state of a match as text for a snapshot.
fn in_words(game: &Match) -> String {
    let seen = seen(game);
    let mut text = format!("{} {}\n", game.id(), game.setup());
    for (number, (before, mv)) in (1..).zip(&seen.tree) {
        writeln!(text, "{number} from {before}: {mv}").unwrap();
    }
    let next_node: Vec<String> = seen
        .next_node
        .iter()
        .map(|next| next.map_or("-".into(), |next| next.to_string()))
        .collect();
    writeln!(text, "redo: {}", next_node.join(" ")).unwrap();
    writeln!(text, "at {}, after {}", seen.node, seen.moves.join(" ")).unwrap();
    let agreed = seen.ended == Some(Termination::Agreed);
    writeln!(text, "agreed: {agreed}, scores: {:?}", game.scores()).unwrap();
    writeln!(text, "{}", seen.board).unwrap();
    text
}

#[test]
fn earlier_journals_replay_to_the_same_matches() {
    let paths = written("journals", "journal");
    assert_eq!(paths.len(), 15);
    for path in paths {
        let (_folder, store) = store();
        let id = name(&path);
        fs::copy(&path, store.folder().join("matches").join(path.file_name().unwrap())).unwrap();
        let (journal, game, lost) = resume(&store, id);
        let head = journal.head();
        let mut text = format!("words: {}\ndate: {}\n", head.given_setup, head.date);
        writeln!(text, "names: {}", head.names.join(" | ")).unwrap();
        text += &in_words(game.current_match());
        if let Some(lost) = lost {
            let reason = lost.rsplit(".journal: ").next().unwrap();
            writeln!(text, "lost: {reason}").unwrap();
        }
        assert_snapshot!(format!("journal_{id}"), text);
    }
}

/// Until that step the file does not change.
#[test]
fn first_new_step_rewrites_an_earlier_journal() {
    for path in written("journals", "journal") {
        let (_folder, store) = store();
        let (id, bytes) = (name(&path), fs::read(&path).unwrap());
        let ours = store.folder().join("matches").join(path.file_name().unwrap());
        fs::copy(&path, &ours).unwrap();
        let (mut journal, mut game, lost) = resume(&store, id);
        journal.record(&game).unwrap();
        assert_eq!(fs::read(&ours).unwrap(), bytes, "{id}: nothing has happened yet");
        if game.current_match().outcome().is_some() {
            game.undo();
        }
        let mv = game.current_match().legal_moves().remove(0);
        game.play(&mv).unwrap();
        journal.record(&game).unwrap();
        let text = fs::read_to_string(&ours).unwrap();
        assert!(text.starts_with("quadrille-journal 3\n"), "{id}: {text}");
        let head = journal.head().clone();
        drop(journal);
        let (again, copy, nothing) = resume(&store, id);
        assert_eq!(
            (seen(copy.current_match()), nothing, again.head()),
            (seen(game.current_match()), None, &head)
        );
        let kept = fs::read(ours.with_extension("damaged")).ok();
        assert_eq!(kept, lost.map(|_| bytes), "{id}: what was damaged is kept");
    }
}

#[test]
fn earlier_journal_of_a_finished_match_becomes_a_record() {
    let (_folder, store) = store();
    for path in written("journals", "journal") {
        fs::copy(&path, store.folder().join("matches").join(path.file_name().unwrap())).unwrap();
    }
    let (unfinished, troubles) = resumable(&store);
    assert_eq!((unfinished.len(), troubles.len()), (13, 2), "{troubles:?}");
    for id in ["quixo-agreed", "tic-tac-toe-over"] {
        let record = fs::read_to_string(store.folder().join("records").join(format!("{id}.game")));
        assert_snapshot!(format!("record_of_{id}"), record.unwrap());
    }
}

#[test]
fn earlier_records_replay_and_round_trip() {
    let paths = written("records", "game");
    assert_eq!(paths.len(), 10);
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        let record: Record = text.parse().unwrap();
        let entry = catalogue::find(record.game()).unwrap();
        let mut game = (entry.start)(&record.setup().unwrap()).unwrap();
        record.replay(&mut game).unwrap();
        assert_snapshot!(format!("record_{}", name(&path)), in_words(&game));
        let mut again = record.clone();
        again.update(&game);
        // The only word of version 0.1 that has changed since.
        let text = text.replace("\"agreed draw\"", "\"agreed\"");
        assert_eq!(again.to_string(), text, "{}", path.display());
    }
}

#[test]
fn show_prints_earlier_records_unchanged() {
    for path in written("records", "game") {
        let shown = ["show", path.to_str().unwrap(), "--every", "--format", "json"];
        assert_snapshot!(format!("show_{}", name(&path)), program::run(&shown).ok());
    }
    let trmph = written("records", "trmph").remove(0);
    let shown = program::run(&["show", trmph.to_str().unwrap()]).ok();
    let game = program::run(&["show", trmph.with_extension("game").to_str().unwrap()]).ok();
    assert_eq!(shown, game);
}

#[test]
fn earlier_names_are_offered() {
    let (_folder, store) = store();
    let names = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/0.1/names");
    fs::copy(names, store.folder().join("names")).unwrap();
    assert_eq!(store.names(), ["A", "B", "C", "Ünal", "李", "Ann", "Bob"]);
}
