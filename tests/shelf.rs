//! The shelf, as the app uses it: what was recorded is there again, whatever happened to the
//! process, the disk and the files.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::chance::Chance;
use quadrille::catalogue;
use quadrille::play::{AnyMatch, Journal, Shelf};
use quadrille::rules::Setup;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

const DATE: &str = "2026-11-20";
/// Small setups of all games, so that a random match often comes to its end.
const SETUPS: [(&str, &str); 6] = [
    ("dots-and-boxes", "size=3"),
    ("join-the-dots", "layout=random:7 seed=3"),
    ("quixo", "size=3"),
    ("tic-tac-toe", ""),
    ("intersections", "size=3 players=3 segments=3 rounds=3"),
    ("dots-and-boxes", "rows=2 cols=12"),
];

fn start(id: &str, setup: &Setup) -> Option<Box<dyn AnyMatch>> {
    (catalogue::find(id)?.start)(setup).ok()
}

fn open((id, setup): (&str, &str)) -> Box<dyn AnyMatch> {
    start(id, &setup.parse().unwrap()).unwrap()
}

fn shelf() -> (TempDir, Shelf) {
    let folder = tempfile::tempdir().unwrap();
    let shelf = Shelf::open(&folder.path().join("state")).unwrap();
    (folder, shelf)
}

fn begin(shelf: &Shelf, game: &dyn AnyMatch, words: &str) -> Journal {
    let names: Vec<String> = (0..game.seats()).map(|seat| format!("Ännchen {seat}")).collect();
    shelf.begin(game, &words.parse().unwrap(), &names, DATE)
}

/// All there is to see of a match.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    tree: Vec<(usize, String)>,
    onward: Vec<Option<usize>>,
    node: usize,
    agreed: bool,
    board: String,
    moves: Vec<String>,
}

fn seen(game: &dyn AnyMatch) -> Seen {
    let tree = game.tree();
    Seen {
        onward: (0..=tree.len()).map(|node| game.onward(node)).collect(),
        tree,
        node: game.node(),
        agreed: game.is_agreed(),
        board: game.board(),
        moves: game.moves().into_iter().map(|(_, mv)| mv).collect(),
    }
}

/// One thing that people may do, a move most of all.
fn act(game: &mut dyn AnyMatch, chance: &mut Chance) {
    match chance.below(12) {
        0 | 1 => drop(game.undo()),
        2 => drop(game.redo()),
        3 => game.seek(chance.below(game.tree().len() + 1)),
        4 => game.follow(chance.below(3)),
        5 => game.go_to(chance.below(8)),
        6 if chance.below(3) == 0 => game.agree_draw(),
        _ => {
            if let Some(mv) = chance.pick(&game.legal()) {
                game.play(mv).unwrap();
            }
        }
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.collect::<BTreeSet<_>>().into_iter().collect()
}

fn journals(shelf: &Shelf) -> PathBuf {
    shelf.folder().join("matches")
}

/// Takes a match up again; what was lost comes with it.
fn resume(shelf: &Shelf, id: &str) -> (Journal, Box<dyn AnyMatch>, Option<String>) {
    let mut journal = shelf.resume(id).unwrap();
    let mut game = start(&journal.head().game, &journal.head().setup).unwrap();
    let lost = journal.replay(&mut *game).err().map(|error| error.to_string());
    (journal, game, lost)
}

/// A journal as it was made, with what was to be seen of the match when the file was this long.
struct Made {
    bytes: Vec<u8>,
    seen: Vec<(usize, Seen)>,
}

fn make(setup: (&str, &str), seed: u64, acts: usize) -> Made {
    let (_folder, shelf) = shelf();
    let mut game = open(setup);
    let mut journal = begin(&shelf, &*game, setup.1);
    let mut chance = Chance(seed);
    let mut made = Made { bytes: Vec::new(), seen: Vec::new() };
    for _ in 0..acts {
        act(&mut *game, &mut chance);
        journal.record(&*game).unwrap();
        if let Some(path) = files(&journals(&shelf)).first() {
            made.bytes = fs::read(path).unwrap();
            made.seen.push((made.bytes.len(), seen(&*game)));
        }
    }
    made
}

#[test]
fn a_match_comes_back_as_it_was() {
    let (_folder, shelf) = shelf();
    for (setup, seed) in SETUPS.into_iter().zip(0..).flat_map(|(s, n)| [(s, n), (s, n + 10)]) {
        let mut chance = Chance(seed);
        let mut game = open(setup);
        let mut journal = begin(&shelf, &*game, setup.1);
        for _ in 0..4 {
            // Some acts at once, between two times that anything is written.
            for _ in 0..chance.below(20) {
                act(&mut *game, &mut chance);
            }
            journal.record(&*game).unwrap();
            let id = journal.id();
            if game.tree().is_empty() && game.outcome().is_none() && !game.is_agreed() {
                continue;
            }
            drop(journal);
            let (again, copy, lost) = resume(&shelf, &id);
            assert_eq!((seen(&*copy), lost), (seen(&*game), None), "{setup:?} {seed}");
            let head = again.head();
            assert_eq!((&*head.game, &head.setup, &*head.date), (game.id(), &game.setup(), DATE));
            assert_eq!(head.words, setup.1.parse().unwrap());
            assert_eq!((head.names.len(), &*head.names[1]), (game.seats() as usize, "Ännchen 1"));
            journal = again;
        }
    }
}

/// Puts these bytes on a shelf as a journal that is of no use from the line on in which this byte
/// is, and looks at what comes back. Whoever reads it must hear of it if `told`.
fn check_whole_part(made: &Made, bytes: &[u8], at: usize, told: bool, case: &str) {
    let (_folder, shelf) = shelf();
    let path = journals(&shelf).join("x.journal");
    fs::write(&path, bytes).unwrap();
    let lines = made.bytes[..at].iter().filter(|byte| **byte == b'\n').count();
    let whole = made.bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let told_of = |text: &str| {
        assert!(text.starts_with(&format!("{}: ", path.display())), "{case}: {text}");
        assert!(!text.contains(char::is_control), "{case}: {text}");
        let number = format!("line {}", lines + 1);
        assert!(text.contains(&number) || lines == 0, "{case}: {text}");
    };

    if lines < 5 {
        let refused = shelf.resume("x").unwrap_err().to_string();
        told_of(&refused);
        assert_eq!(shelf.unfinished(&start), (Vec::new(), vec![refused]), "{case}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "{case}");
        return;
    }
    let (journal, game, lost) = resume(&shelf, "x");
    drop(journal);
    assert_eq!(lost.is_some(), told, "{case}: {lost:?}");
    lost.iter().for_each(|lost| told_of(lost));
    let now = seen(&*game);
    let before = made.seen.iter().rfind(|(length, _)| *length <= whole);
    let after = made.seen.iter().find(|(length, _)| *length > whole);
    if let Some((length, before)) = before {
        assert!(*length < whole || now == *before, "{case}");
        assert!(now.tree.starts_with(&before.tree), "{case}");
    }
    assert!(after.is_none_or(|(_, after)| after.tree.starts_with(&now.tree)), "{case}");

    let (unfinished, troubles) = shelf.unfinished(&start);
    assert_eq!(troubles, Vec::from_iter(lost), "{case}");
    assert_eq!(unfinished.len(), usize::from(game.outcome().is_none()), "{case}");
    if game.outcome().is_none() {
        assert_eq!((&*unfinished[0].id, unfinished[0].ply), ("x", game.ply()), "{case}");
        assert_eq!(unfinished[0].scores, game.scores(), "{case}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "{case}: looking changes nothing");
    } else {
        assert!(!path.exists() && shelf.records().0.len() == 1, "{case}");
        let kept = fs::read(path.with_extension("damaged")).ok();
        assert_eq!(kept.as_deref(), told.then_some(bytes), "{case}");
    }
}

#[test]
fn a_journal_cut_anywhere_is_whole_up_to_there() {
    for (setup, seed) in SETUPS.into_iter().zip(1..) {
        let made = make(setup, seed, 24);
        assert!(made.bytes.len() > 400, "{setup:?}");
        for cut in 0..=made.bytes.len() {
            let told = cut == 0 || made.bytes[cut - 1] != b'\n';
            let case = format!("{setup:?} cut at {cut}");
            check_whole_part(&made, &made.bytes[..cut], cut, told, &case);
        }
    }
}

#[test]
fn a_journal_changed_anywhere_is_whole_up_to_there() {
    for (setup, seed) in SETUPS.into_iter().zip(1..) {
        let made = make(setup, seed, 24);
        for at in 0..made.bytes.len() {
            let byte = made.bytes[at];
            for change in [byte ^ 1, byte ^ 0x20, byte ^ 0x80, b'\n', 0] {
                if change != byte {
                    let mut bytes = made.bytes.clone();
                    bytes[at] = change;
                    let case = format!("{setup:?} {change} at {at}");
                    check_whole_part(&made, &bytes, at, true, &case);
                }
            }
        }
    }
}

#[test]
fn a_damaged_journal_is_kept_and_its_whole_part_gone_on_with() {
    for (setup, seed) in SETUPS.into_iter().zip(1..) {
        let made = make(setup, seed, 24);
        let head =
            made.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(4).unwrap();
        for at in (head.0 + 1..made.bytes.len()).step_by(29) {
            let (_folder, shelf) = shelf();
            let path = journals(&shelf).join("x.journal");
            let mut bytes = made.bytes.clone();
            bytes[at] ^= 4;
            fs::write(&path, &bytes).unwrap();
            let (mut journal, mut game, lost) = resume(&shelf, "x");
            assert!(lost.unwrap().contains("all before it is kept"));
            journal.record(&*game).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes, "nothing is to be written yet");
            if game.is_agreed() {
                game.undo();
            } else if game.outcome().is_some() {
                game.go_to(0);
            } else {
                let mv = game.legal().remove(0);
                game.play(&mv).unwrap();
            }
            journal.record(&*game).unwrap();
            drop(journal);
            let (_journal, copy, lost) = resume(&shelf, "x");
            assert_eq!((seen(&*copy), lost), (seen(&*game), None));
            assert_eq!(files(&journals(&shelf)), [path.with_extension("damaged"), path.clone()]);
            assert_eq!(fs::read(path.with_extension("damaged")).unwrap(), bytes);
        }
    }
}

#[test]
fn a_move_that_the_game_refuses_ends_the_whole_part() {
    let (_folder, shelf) = shelf();
    let mut other = open(("dots-and-boxes", "size=4"));
    let mut journal = begin(&shelf, &*other, "");
    for mv in ["H0,0", "H2,2", "H0,1"] {
        other.play(mv).unwrap();
        journal.record(&*other).unwrap();
    }
    let path = files(&journals(&shelf)).remove(0);
    let id = journal.id();
    drop(journal);
    // Another program, of which the boards were smaller.
    let smaller = || open(("dots-and-boxes", "size=3"));
    let mut journal = shelf.resume(&id).unwrap();
    let mut game = smaller();
    let lost = journal.replay(&mut *game).unwrap_err().to_string();
    let expected = "line 9: move 2 \"H2,2\": invalid position; it and the line after it are lost, \
                    all before it is kept";
    assert_eq!(lost, format!("{}: {expected}", path.display()));
    assert_eq!((game.ply(), journal.replay(&mut *game).is_ok()), (1, true));
    let refused = journal.record(&*game).unwrap_err().to_string();
    assert!(refused.contains("another match; this match is not being saved"), "{refused}");
    drop(journal);
    let troubles = shelf.unfinished(&|_, _| Some(smaller())).1;
    assert_eq!(troubles, [lost]);
    assert_eq!(shelf.unfinished(&|_, _| None).1.len(), 1);
}

#[test]
fn files_that_are_no_journals_are_named_and_left_alone() {
    let (_folder, shelf) = shelf();
    let folder = journals(&shelf);
    let made = make(SETUPS[0], 1, 24);
    let next = [b"quadrille-journal 2\n", &made.bytes[20..]].concat();
    let rubbish: Vec<u8> = (0..9999_u32).map(|n| (n * n >> 3) as u8).collect();
    let cases: [(&str, &[u8], &str); 5] = [
        ("a", b"", "the file is empty"),
        ("b", &rubbish, "not the journal of a match"),
        ("c", &next, "a journal of version \"2\", which this program cannot read"),
        ("d", &[0; 4096], "not the journal of a match"),
        (
            "e",
            b"quadrille-journal \x1b[2J\xff",
            "a journal of version \"?[2J\u{fffd}\", which this program cannot read",
        ),
    ];
    for (id, bytes, _) in cases {
        fs::write(folder.join(format!("{id}.journal")), bytes).unwrap();
    }
    fs::create_dir(folder.join("f.journal")).unwrap();
    fs::write(folder.join("notes.txt"), "hands off").unwrap();
    fs::write(folder.join("z.journal"), &made.bytes).unwrap();
    let (unfinished, troubles) = shelf.unfinished(&start);
    let said = |id: &str, why: &str| format!("{}/{id}.journal: {why}", folder.display());
    let mut expected: Vec<String> = cases.iter().map(|(id, _, why)| said(id, why)).collect();
    expected.push(said("f", "not a regular file"));
    assert_eq!(troubles, expected);
    assert_eq!((unfinished.len(), &*unfinished[0].id), (1, "z"));
    for (id, bytes, why) in cases {
        assert_eq!(shelf.resume(id).unwrap_err().to_string(), said(id, why));
        assert_eq!(fs::read(folder.join(format!("{id}.journal"))).unwrap(), bytes);
    }
    assert!(shelf.resume("nobody").unwrap_err().is_gone());
    assert_eq!(files(&folder).len(), 8);
}

#[test]
fn a_match_being_played_is_not_offered() {
    let (folder, shelf) = shelf();
    let other = Shelf::open(&folder.path().join("state")).unwrap();
    let mut game = open(SETUPS[0]);
    let mut journal = begin(&shelf, &*game, "size=3");
    journal.record(&*game).unwrap();
    assert!(files(&journals(&shelf)).is_empty(), "nothing was played");
    game.play("H0,0").unwrap();
    journal.record(&*game).unwrap();
    assert_eq!(other.unfinished(&start), (Vec::new(), Vec::new()));
    let refused = other.resume(&journal.id()).unwrap_err();
    assert!(refused.is_in_use());
    assert!(refused.to_string().ends_with(".journal: this match is being played elsewhere"));
    let id = journal.id();
    drop(journal);
    let (unfinished, _) = other.unfinished(&start);
    assert_eq!((&unfinished[0].id, unfinished[0].ply), (&id, 1));
    let (_journal, copy, _) = resume(&other, &id);
    assert_eq!(seen(&*copy), seen(&*game));
}

#[test]
fn matches_are_listed_by_when_they_were_left() {
    let (_folder, shelf) = shelf();
    let mut ids = Vec::new();
    for (setup, age) in SETUPS.into_iter().zip([3, 1, 2, 5, 4, 0]) {
        let mut game = open(setup);
        let mut journal = begin(&shelf, &*game, setup.1);
        let mv = game.legal().remove(0);
        game.play(&mv).unwrap();
        journal.record(&*game).unwrap();
        let path = journals(&shelf).join(format!("{}.journal", journal.id()));
        let time = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 - age);
        fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
        ids.push((age, time, journal.id()));
    }
    ids.sort();
    let (unfinished, troubles) = shelf.unfinished(&start);
    let listed: Vec<_> = unfinished.into_iter().map(|one| (one.written, one.id)).collect();
    let expected: Vec<_> = ids.into_iter().map(|(_, time, id)| (time, id)).collect();
    assert_eq!((listed, troubles), (expected, Vec::new()));
}

#[cfg(unix)]
#[test]
fn only_the_user_may_look_in() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, shelf) = shelf();
    for folder in [shelf.folder(), &journals(&shelf), &shelf.folder().join("records")] {
        assert_eq!(fs::metadata(folder).unwrap().permissions().mode() & 0o777, 0o700);
    }
}

#[test]
fn where_nothing_can_be_written_one_sentence_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let refused = Shelf::open(&file.join("state")).unwrap_err().to_string();
    assert_eq!(refused, format!("{}: not a directory", file.join("state/matches").display()));

    let shelf = Shelf::open(&folder.path().join("state")).unwrap();
    fs::rename(shelf.folder(), folder.path().join("away")).unwrap();
    let mut game = open(SETUPS[0]);
    let mut journal = begin(&shelf, &*game, "");
    for mv in ["H0,0", "H0,1"] {
        game.play(mv).unwrap();
        let refused = journal.record(&*game).unwrap_err().to_string();
        let path = journals(&shelf).join(journal.id());
        let why = "no such file or directory; this match is not being saved";
        assert_eq!(refused, format!("{}.journal: {why}", path.display()));
    }
    assert_eq!(shelf.unfinished(&start).1.len(), 1);
    assert_eq!(shelf.records().1.len(), 1);
    assert!(shelf.names().is_empty() && shelf.remember(&["Ann".to_owned()]).is_err());
    // The disk is there again: all is written, what was missed too.
    fs::rename(folder.path().join("away"), shelf.folder()).unwrap();
    game.play("V0,0").unwrap();
    journal.record(&*game).unwrap();
    let id = journal.id();
    drop(journal);
    assert_eq!(seen(&*resume(&shelf, &id).1), seen(&*game));
}

#[cfg(unix)]
#[test]
fn a_shelf_that_may_only_be_read_is_read() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, shelf) = shelf();
    let made = make(SETUPS[0], 1, 24);
    fs::write(journals(&shelf).join("x.journal"), &made.bytes).unwrap();
    let permit = |mode| {
        for path in [&journals(&shelf).join("x.journal"), &journals(&shelf)] {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    permit(0o555);
    let may_write = fs::File::create(journals(&shelf).join("probe")).is_ok();
    let (unfinished, troubles) = shelf.unfinished(&start);
    assert_eq!((unfinished.len(), troubles.len()), (1, 0));
    // Whoever may write anything cannot be refused.
    if !may_write {
        let refused = shelf.resume("x").unwrap_err().to_string();
        assert!(refused.ends_with("x.journal: permission denied"), "{refused}");
        let mut game = open(SETUPS[0]);
        game.play("H0,0").unwrap();
        let refused = begin(&shelf, &*game, "").record(&*game).unwrap_err().to_string();
        assert!(refused.ends_with("permission denied; this match is not being saved"), "{refused}");
    }
    permit(0o755);
}

/// A match at its end, and its journal, to which all but the last move were written.
fn almost_over(shelf: &Shelf) -> (Box<dyn AnyMatch>, Journal) {
    let mut game = open(("tic-tac-toe", ""));
    let mut journal = shelf.begin(&*game, &Setup::new(), &["Ann / A".into(), "Bob".into()], DATE);
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
    let (entries, troubles) = shelf.records();
    assert_eq!((entries.len(), troubles.len()), (1, 0));
    let entry = &entries[0];
    assert_eq!((&entry.id, &entry.path, &*entry.game), (&id, &path, "tic-tac-toe"));
    assert_eq!((&*entry.result, &*entry.date, entry.length), ("1-0", DATE, 5));
    assert_eq!((&entry.names[..], entry.agreed), (&["Ann / A".into(), "Bob".into()][..], false));
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
            assert_eq!(shelf.unfinished(&start), (Vec::new(), Vec::new()));
            assert!(path.exists() && shelf.records().0.is_empty(), "it is being looked at");
            drop(journal);
        }
        assert_eq!(shelf.unfinished(&start), (Vec::new(), Vec::new()));
        assert_eq!(shelf.records().0.len(), 1);
        assert!(!path.exists());
    }
}
