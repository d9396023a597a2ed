//! Killed processes, and processes that share a directory. A child is this test binary, run again to play.

use crate::common::chance::Chance;
use crate::common::program::alone;
use crate::common::samples::samples;
use crate::common::store::{
    DATE, files, journals, open, open_for_guest, records, resumable, resume, seen, store,
};
use crate::common::untimed::Untimed;
use quadrille_match::session::{Match, Session};
use quadrille_match::store::{Journal, MatchStore};
use quadrille_rules::Seat;
use quadrille_table::catalogue;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write, stdin, stdout};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

const FOLDER: &str = "QUADRILLE_TEST_STORE";
const SEED: &str = "QUADRILLE_TEST_SEED";
const MAX_MOVES: &str = "QUADRILLE_TEST_MOVES";

/// The child of the tests below. Without the environment variables it does nothing.
#[test]
fn child_process_plays_matches() {
    let variable = |name| std::env::var(name).ok();
    let Some(folder) = variable(FOLDER) else { return };
    let store = MatchStore::open(folder.as_ref()).unwrap();
    let number = |name| variable(name).and_then(|text| text.parse().ok());
    let seed = number(SEED).unwrap();
    let (mut chance, mut names) = (Chance(seed), Chance(seed + 1000));
    let (mut journal, mut game) = sit_down(&store, &mut chance);
    for _ in 0..number(MAX_MOVES).unwrap_or(u64::MAX) {
        if game.current_match().outcome().is_some() {
            store.finish(journal, &game).unwrap();
            (journal, game) = sit_down(&store, &mut chance);
        }
        // A new guest name replaces the file, without a new step.
        if names.below(4) == 0 {
            game.name_person(Seat::new(1), &format!("Bob {}", names.below(100)));
            let _ = journal.record(&game);
        }
        match chance.below(8) {
            0 => drop(game.undo()),
            1 => drop(game.redo()),
            2 => game.go_to_node(chance.below(game.current_match().nodes())),
            _ => {
                let mv = chance.pick(&game.current_match().legal_moves()).cloned();
                game.play(&mv.unwrap()).unwrap();
            }
        }
        let recorded = journal.record(&game);
        let tree = game.current_match().tree();
        let line = match recorded {
            Ok(()) => {
                format!(
                    "saved\t{}\t{tree:?}\t{}\n",
                    journal.id(),
                    ways(game.current_match()).join(";")
                )
            }
            Err(error) => format!("unsaved\t{error}\n"),
        };
        stdout().write_all(line.as_bytes()).unwrap();
    }
    // Until the parent closes the pipe.
    let _ = stdin().read(&mut [0]);
}

/// Returns the moves to each position of a match, sorted, since a record may have the positions in another order.
fn ways(game: &Match) -> Vec<String> {
    let mut ways = vec![String::new()];
    for (before, mv) in game.tree() {
        ways.push(format!("{} {mv}", ways[before]));
    }
    ways
}

/// Resumes an unfinished match, or starts a new one.
fn sit_down(store: &MatchStore, chance: &mut Chance) -> (Journal, Session) {
    let (unfinished, troubles) = resumable(store);
    assert!(troubles.is_empty(), "{troubles:?}");
    if let Some(one) = unfinished.first() {
        let (journal, game, lost) = resume(store, &one.id);
        assert_eq!(lost, None);
        return (journal, game);
    }
    let setups: Vec<_> = samples().map(|(entry, sample)| (entry.id, sample.small)).collect();
    let game = open_for_guest(setups[chance.below(setups.len())]);
    (store.begin(&game, DATE), game)
}

fn child(store: &MatchStore, mut command: Command, seed: u64, most: Option<u64>) -> Child {
    command.args(alone(module_path!(), "child_process_plays_matches"));
    command.env(FOLDER, store.folder()).env(SEED, seed.to_string());
    if let Some(most) = most {
        command.env(MAX_MOVES, most.to_string());
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn this_program() -> Command {
    Command::new(std::env::current_exe().unwrap())
}

/// Returns the words of each complete `saved` or `unsaved` line, skipping those of the test harness.
fn lines(output: &str) -> Vec<Vec<&str>> {
    let whole = output.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    let lines = whole.map(|line| line.split('\t').collect::<Vec<_>>());
    lines.filter(|words| words[0].ends_with("saved")).collect()
}

#[test]
fn hundred_kills_lose_no_moves() {
    let (_folder, store) = store();
    let mut chance = Chance(2026);
    // For each match the last output: its tree, and the moves to each position. A killed child may have taken one step
    // more than it has printed, so a match may be longer than this, but never shorter.
    let mut saved: BTreeMap<String, (String, String)> = BTreeMap::new();
    for seed in 0..100 {
        let mut child = child(&store, this_program(), seed, None);
        let mut out = child.stdout.take().unwrap();
        let (has_begun, begun) = channel();
        let output = thread::spawn(move || {
            let (mut text, mut bytes) = (Vec::new(), [0; 4096]);
            loop {
                let length = out.read(&mut bytes).unwrap();
                text.extend_from_slice(&bytes[..length]);
                let text = String::from_utf8_lossy(&text);
                if length == 0 {
                    return text.into_owned();
                }
                if !lines(&text).is_empty() {
                    let _ = has_begun.send(());
                }
            }
        });
        // Every other child is killed only after its first move, however long it takes to start.
        if seed % 2 == 0 {
            begun.recv().unwrap();
        }
        thread::sleep(Duration::from_micros(4_000 + chance.below(25_000) as u64));
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(9), "it did not end by itself");
        for words in lines(&output.join().unwrap()) {
            let [_, id, tree, ways] = words[..] else { panic!("{words:?}") };
            // A match without moves is not saved.
            if tree != "[]" {
                saved.insert(id.to_owned(), (tree.to_owned(), ways.to_owned()));
            }
        }

        let (unfinished, troubles) = resumable(&store);
        assert!(troubles.is_empty(), "{troubles:?} after {seed} kills");
        let (records, troubles) = records(&store);
        assert!(troubles.is_empty(), "{troubles:?} after {seed} kills");
        let mut ids = BTreeSet::new();
        for one in &unfinished {
            let (_journal, game, lost) = resume(&store, &one.id);
            assert_eq!((lost, game.players().guests().count()), (None, 1));
            if let Some((tree, _)) = saved.get(&one.id) {
                let now = format!("{:?}", game.current_match().tree());
                assert!(now.starts_with(tree.trim_end_matches(']')), "{tree} is not in {now}");
            }
            ids.insert(&one.id);
        }
        for one in &records {
            if let Some((_, saved)) = saved.get(&one.id) {
                let record = store.read(&one.id).unwrap();
                assert!(record.tag("Hints") == Some("on") && !one.names[1].contains("guest"));
                let entry = catalogue::find(record.game()).unwrap();
                let mut game = (entry.start)(&record.setup().unwrap()).unwrap();
                record.replay(&mut game).unwrap();
                let now: BTreeSet<String> = ways(&game).into_iter().collect();
                assert!(saved.split(';').all(|way| now.contains(way)), "{saved} is not in {now:?}");
            }
            ids.insert(&one.id);
        }
        assert_eq!(ids.len(), unfinished.len() + records.len(), "no match is there twice");
        assert!(saved.keys().all(|id| ids.contains(id)), "every match is there");
    }
    // The number depends on the disk.
    assert!(saved.len() > 5, "{} matches were played", saved.len());
}

#[test]
fn two_processes_never_share_a_match() {
    let (_folder, store) = store();
    let mut children: Vec<Child> =
        (0..4).map(|seed| child(&store, this_program(), seed, Some(3))).collect();
    let texts = children.iter_mut().map(|child| {
        let (out, mut text) = (child.stdout.as_mut().unwrap(), String::new());
        while lines(&text).len() < 3 {
            let mut bytes = [0; 4096];
            let n = out.read(&mut bytes).unwrap();
            assert!(n > 0, "{text}");
            text.push_str(str::from_utf8(&bytes[..n]).unwrap());
        }
        text
    });
    let texts: Vec<String> = texts.collect();
    let ids: BTreeSet<&str> = texts.iter().map(|text| lines(text)[2][1]).collect();
    assert_eq!(ids.len(), 4, "each plays a match of its own");
    assert!(resumable(&store).0.is_empty(), "all are being played");
    for id in &ids {
        assert!(store.resume(id).unwrap_err().is_in_use());
    }
    for child in &mut children {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(resumable(&store).0.len(), 4, "a lock dies with its process");
}

/// The shell limits file sizes, which acts like a full disk: the last line is partly written.
#[test]
fn full_disk_loses_no_saved_moves() {
    let (_folder, store) = store();
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""]);
    limited.arg(std::env::current_exe().unwrap());
    let mut game = open(("dots-and-boxes", "size=12"));
    game.play("H0,0").unwrap();
    let mut journal = store.begin(&game, DATE);
    journal.record(&game).unwrap();
    drop(journal);
    let output = child(&store, limited, 7, Some(90)).wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let (saved, unsaved): (Vec<_>, Vec<_>) =
        lines(&text).into_iter().partition(|words| words[0] == "saved");
    assert!(saved.len() > 5 && unsaved.len() > 20, "{text}");
    let path = files(&journals(&store)).remove(0);
    let why = "file too large";
    assert_eq!(unsaved[0][1], format!("{}: {why}", path.display()));

    let (mut journal, mut game, lost) = resume(&store, saved[0][1]);
    assert_eq!(lost, None, "no half line is left");
    assert_eq!(format!("{:?}", game.current_match().tree()), saved.last().unwrap()[2]);
    // Now there is space.
    let mv = game.current_match().legal_moves().remove(0);
    game.play(&mv).unwrap();
    journal.record(&game).unwrap();
    drop(journal);
    let (_journal, copy, lost) = resume(&store, saved[0][1]);
    assert_eq!((seen(copy.current_match()), lost), (seen(game.current_match()), None));
}
