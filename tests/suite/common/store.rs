//! A temporary store, and what is read from it.

use quadrille_match::session::{Conditions, Match, Player, Session, Termination};
use quadrille_match::store::{Head, Journal, MatchStore, RecordEntry, Resumable, StoreError};
use quadrille_rules::Setup;
use quadrille_table::catalogue;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The date of all matches.
pub const DATE: &str = "2026-11-20";

/// Starts the match of a journal.
type Start<'a> = dyn Fn(&Head) -> Option<Session> + 'a;

pub fn start(head: &Head) -> Option<Session> {
    let game = (catalogue::find(&head.game)?.start)(&head.setup).ok()?;
    Some(Session::new(game, head.given_setup.clone(), head.conditions()))
}

/// Creates a match with this setup, and a name for each seat.
pub fn open(setup: (&str, &str)) -> Session {
    let names: Vec<String> = (0..8).map(|seat| format!("Ännchen {seat}")).collect();
    open_for(setup, &names)
}

pub fn open_for((id, words): (&str, &str), names: &[impl ToString]) -> Session {
    let words: Setup = words.parse().unwrap();
    let game = (catalogue::find(id).unwrap().start)(&words).unwrap();
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    Session::new(game, words, Conditions::named(&names))
}

/// Creates a match between Ann and a guest who may ask for hints.
pub fn open_for_guest((id, words): (&str, &str)) -> Session {
    let words: Setup = words.parse().unwrap();
    let game = (catalogue::find(id).unwrap().start)(&words).unwrap();
    let players: Vec<Player> = ["Ann", "guest,hints"].map(|text| text.parse().unwrap()).into();
    Session::new(game, words, players.into())
}

pub fn store() -> (TempDir, MatchStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = MatchStore::open(&folder.path().join("state")).unwrap();
    (folder, store)
}

#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    pub tree: Vec<(usize, String)>,
    pub next_node: Vec<Option<usize>>,
    pub node: usize,
    pub ended: Option<Termination>,
    pub board: String,
    pub moves: Vec<String>,
}

pub fn seen(game: &Match) -> Seen {
    let tree = game.tree();
    Seen {
        next_node: (0..=tree.len()).map(|node| game.next_node(node)).collect(),
        tree,
        node: game.node(),
        ended: game.termination().cloned(),
        board: game.board(),
        moves: game.moves().iter().map(|(_, mv)| mv.clone()).collect(),
    }
}

pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    // Windows locks a file beside each journal.
    let is_lock = |path: &PathBuf| path.extension().is_some_and(|it| it == "lock");
    let mut paths: Vec<PathBuf> = entries.filter(|path| !is_lock(path)).collect();
    paths.sort();
    paths
}

pub fn journals(store: &MatchStore) -> PathBuf {
    store.folder().join("matches")
}

/// Returns the resumable matches, and the errors of the others.
pub fn resumable(store: &MatchStore) -> (Vec<Resumable>, Vec<String>) {
    resumable_with(store, &start)
}

/// Returns the resumable matches, with another function that starts the games.
pub fn resumable_with(store: &MatchStore, start: &Start) -> (Vec<Resumable>, Vec<String>) {
    let journals = match store.journals() {
        Ok(journals) => journals,
        Err(error) => return (Vec::new(), vec![error.to_string()]),
    };
    let listed = journals.iter().map(|journal| store.read_or_archive(journal, start));
    let (unfinished, troubles): (Vec<_>, Vec<_>) =
        listed.map(|entry| (entry.unfinished, entry.trouble)).unzip();
    let mut troubles: Vec<String> = troubles.iter().flatten().map(ToString::to_string).collect();
    troubles.sort();
    (unfinished.into_iter().flatten().collect(), troubles)
}

/// Returns all records, sorted, and the errors of damaged ones.
pub fn records(store: &MatchStore) -> (Vec<RecordEntry>, Vec<StoreError>) {
    let files = match store.records() {
        Ok(files) => files,
        Err(error) => return (Vec::new(), vec![error]),
    };
    let (mut entries, mut troubles) = (Vec::new(), Vec::new());
    for file in files {
        match store.entry(&file) {
            Ok(entry) => entries.push(entry),
            Err(error) => troubles.push(error),
        }
    }
    entries.sort_by(RecordEntry::latest_first);
    troubles.sort_by_key(ToString::to_string);
    (entries, troubles)
}

/// Resumes a match. The text describes any loss.
pub fn resume(store: &MatchStore, id: &str) -> (Journal, Session, Option<String>) {
    let mut journal = store.resume(id).unwrap();
    let mut game = start(journal.head()).unwrap();
    let lost = journal.replay(&mut game).err().map(|error| error.to_string());
    (journal, game, lost)
}
