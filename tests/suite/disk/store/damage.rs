//! Journals that were truncated, changed or filled with random bytes.

use super::{BOXES, act, begin, setups};
use crate::common::chance::Chance;
use crate::common::store::{
    Seen, files, journals, open, records, resumable, resumable_with, resume, seen, store,
};
use crate::common::untimed::Untimed;
use std::fs;

/// A journal, with the state of its match for each length of the file.
struct Made {
    bytes: Vec<u8>,
    seen: Vec<(usize, Seen)>,
}

fn make(setup: (&str, &str), seed: u64, acts: usize) -> Made {
    let (_folder, store) = store();
    let mut game = open(setup);
    let mut journal = begin(&store, &game);
    let mut chance = Chance(seed);
    let mut made = Made { bytes: Vec::new(), seen: Vec::new() };
    for _ in 0..acts {
        act(&mut game, &mut chance);
        journal.record(&game).unwrap();
        if let Some(path) = files(&journals(&store)).first() {
            made.bytes = fs::read(path).unwrap();
            made.seen.push((made.bytes.len(), seen(game.current_match())));
        }
    }
    made
}

/// Stores these bytes as a journal, damaged from the line of byte `at`, and checks what can be resumed. If `told`, the
/// damage must be reported.
fn check_whole_part(made: &Made, bytes: &[u8], at: usize, told: bool, case: &str) {
    let (_folder, store) = store();
    let path = journals(&store).join("x.journal");
    fs::write(&path, bytes).unwrap();
    let lines = made.bytes[..at].split(|byte| *byte == b'\n').count() - 1;
    let whole = made.bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let told_of = |text: &str| {
        assert!(text.starts_with(&format!("{}: ", path.display())), "{case}: {text}");
        assert!(!text.contains(char::is_control), "{case}: {text}");
        let number = format!("line {}", lines + 1);
        assert!(text.contains(&number) || lines == 0, "{case}: {text}");
    };

    if lines < 5 {
        let refused = store.resume("x").unwrap_err().to_string();
        told_of(&refused);
        assert_eq!(resumable(&store), (Vec::new(), vec![refused]), "{case}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "{case}");
        return;
    }
    let (journal, game, lost) = resume(&store, "x");
    drop(journal);
    assert_eq!(lost.is_some(), told, "{case}: {lost:?}");
    if let Some(lost) = &lost {
        told_of(lost);
    }
    let now = seen(game.current_match());
    let before = made.seen.iter().rfind(|(length, _)| *length <= whole);
    let after = made.seen.iter().find(|(length, _)| *length > whole);
    if let Some((length, before)) = before {
        assert!(*length < whole || now == *before, "{case}");
        assert!(now.tree.starts_with(&before.tree), "{case}");
    }
    assert!(after.is_none_or(|(_, after)| after.tree.starts_with(&now.tree)), "{case}");

    let (unfinished, troubles) = resumable(&store);
    assert_eq!(troubles, Vec::from_iter(lost), "{case}");
    assert_eq!(unfinished.len(), usize::from(game.current_match().outcome().is_none()), "{case}");
    if game.current_match().outcome().is_none() {
        assert_eq!(
            (&*unfinished[0].id, unfinished[0].ply),
            ("x", game.current_match().ply()),
            "{case}"
        );
        assert_eq!(unfinished[0].scores, game.current_match().scores(), "{case}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "{case}: looking changes nothing");
    } else {
        assert!(!path.exists() && records(&store).0.len() == 1, "{case}");
        let kept = fs::read(path.with_extension("damaged")).ok();
        assert_eq!(kept.as_deref(), told.then_some(bytes), "{case}");
    }
}

#[test]
fn truncated_journal_is_valid_up_to_the_cut() {
    for (setup, seed) in setups().zip(1..) {
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
fn corrupted_journal_is_valid_up_to_the_damage() {
    for (setup, seed) in setups().zip(1..) {
        let made = make(setup, seed, 24);
        for at in 0..made.bytes.len() {
            let mut bytes = made.bytes.clone();
            // The journals differ, so each part of a line meets each kind of damage.
            let kinds = [bytes[at] ^ 1, bytes[at] ^ 0xa0, b'\n'];
            bytes[at] = kinds[at % 3];
            if bytes != made.bytes {
                let case = format!("{setup:?} {} at {at}", bytes[at]);
                check_whole_part(&made, &bytes, at, true, &case);
            }
        }
    }
}

#[test]
fn a_damaged_journal_is_kept_and_resumed_before_the_damage() {
    for (setup, seed) in setups().zip(1..) {
        let made = make(setup, seed, 24);
        let head =
            made.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').nth(4).unwrap();
        for at in (head.0 + 1..made.bytes.len()).step_by(29) {
            let (_folder, store) = store();
            let path = journals(&store).join("x.journal");
            let mut bytes = made.bytes.clone();
            bytes[at] ^= 4;
            fs::write(&path, &bytes).unwrap();
            let (mut journal, mut game, lost) = resume(&store, "x");
            assert!(lost.unwrap().contains("; everything before "));
            journal.record(&game).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes, "nothing is to be written yet");
            if game.current_match().termination().is_some() {
                game.undo();
            } else if game.current_match().outcome().is_some() {
                game.go_to_ply(0);
            } else {
                let mv = game.current_match().legal_moves().remove(0);
                game.play(&mv).unwrap();
            }
            journal.record(&game).unwrap();
            drop(journal);
            let (_journal, copy, lost) = resume(&store, "x");
            assert_eq!((seen(copy.current_match()), lost), (seen(game.current_match()), None));
            assert_eq!(files(&journals(&store)), [path.with_extension("damaged"), path.clone()]);
            assert_eq!(fs::read(path.with_extension("damaged")).unwrap(), bytes);
        }
    }
}

#[test]
fn refused_move_ends_the_valid_part_of_a_journal() {
    let (_folder, store) = store();
    let mut other = open(("dots-and-boxes", "size=4"));
    let mut journal = begin(&store, &other);
    for mv in ["H0,0", "H2,2", "H0,1"] {
        other.play(mv).unwrap();
        journal.record(&other).unwrap();
    }
    let path = files(&journals(&store)).remove(0);
    let id = journal.id();
    drop(journal);
    // Simulates a version with smaller boards.
    let smaller = || open(("dots-and-boxes", "size=3"));
    let mut journal = store.resume(&id).unwrap();
    let mut game = smaller();
    let lost = journal.replay(&mut game).unwrap_err().to_string();
    let expected = "line 9: move 2 \"H2,2\": this board has no such line. This line and the next are lost; everything before is kept";
    assert_eq!(lost, format!("{}: {expected}", path.display()));
    assert_eq!((game.current_match().ply(), journal.replay(&mut game).is_ok()), (1, true));
    let refused = journal.record(&game).unwrap_err().to_string();
    assert!(refused.ends_with("another match"), "{refused}");
    drop(journal);
    assert_eq!(resumable_with(&store, &|_| Some(smaller())).1, [lost]);
    assert_eq!(resumable_with(&store, &|_| None).1.len(), 1);
}

#[test]
fn foreign_files_are_named_and_kept() {
    let (_folder, store) = store();
    let folder = journals(&store);
    let made = make(BOXES, 1, 24);
    let next = [b"quadrille-journal 6\n", &made.bytes[20..]].concat();
    let rubbish: Vec<u8> = (0..9999_u32).map(|n| ((n * n) >> 3) as u8).collect();
    let cases: [(&str, &[u8], &str); 5] = [
        ("a", b"", "the file is empty"),
        ("b", &rubbish, "not the journal of a match"),
        ("c", &next, "unsupported journal version \"6\""),
        ("d", &[0; 4096], "not the journal of a match"),
        (
            "e",
            b"quadrille-journal \x1b[2J\xff",
            "unsupported journal version \"\\u{1b}[2J\u{fffd}\"",
        ),
    ];
    for (id, bytes, _) in cases {
        fs::write(folder.join(format!("{id}.journal")), bytes).unwrap();
    }
    fs::create_dir(folder.join("f.journal")).unwrap();
    fs::write(folder.join("notes.txt"), "hands off").unwrap();
    fs::write(folder.join("z.journal"), &made.bytes).unwrap();
    let (unfinished, troubles) = resumable(&store);
    let said = |id: &str, why: &str| {
        format!("{}: {why}", folder.join(id).with_extension("journal").display())
    };
    let mut expected: Vec<String> = cases.iter().map(|(id, _, why)| said(id, why)).collect();
    expected.push(said("f", "not a regular file"));
    assert_eq!(troubles, expected);
    assert_eq!((unfinished.len(), &*unfinished[0].id), (1, "z"));
    for (id, bytes, why) in cases {
        assert_eq!(store.resume(id).unwrap_err().to_string(), said(id, why));
        assert_eq!(fs::read(folder.join(format!("{id}.journal"))).unwrap(), bytes);
    }
    assert!(store.resume("nobody").unwrap_err().is_gone());
    assert_eq!(files(&folder).len(), 8);
}

/// Pipes and devices are neither waited for nor read, and files that are too large are skipped: those here would take a
/// gigabyte of memory.
#[cfg(unix)]
#[test]
fn store_reads_only_regular_files_of_limited_size() {
    use std::path::Path;
    let (_folder, store) = store();
    let [matches, library] = ["matches", "records"].map(|name| store.folder().join(name));
    let pipe = |path: &Path| {
        use rustix::fs::{CWD, Mode, mkfifoat};
        mkfifoat(CWD, path, Mode::RWXU).unwrap();
    };
    let large = |path: &Path, bytes| fs::File::create(path).unwrap().set_len(bytes).unwrap();
    for (folder, extension, bytes) in
        [(&matches, "journal", 257 << 20), (&library, "game", 65 << 20)]
    {
        pipe(&folder.join(format!("a.{extension}")));
        std::os::unix::fs::symlink("/dev/zero", folder.join(format!("b.{extension}"))).unwrap();
        large(&folder.join(format!("c.{extension}")), bytes);
    }
    let said = |troubles: Vec<String>, what: &str| {
        let all = troubles.join("\n");
        assert_eq!((troubles.len(), all.matches("not a regular file").count()), (3, 2), "{all}");
        assert!(all.ends_with(what), "{all}");
    };
    said(resumable(&store).1, "c.journal: larger than 256 MiB, too large for a journal");
    let troubles = records(&store).1.iter().map(ToString::to_string).collect();
    said(troubles, "c.game: larger than 64 MiB, too large for a record");
    for id in ["a", "b", "c"] {
        assert!(store.resume(id).is_err() && store.read(id).is_err());
        assert!(store.export(id, &store.folder().join("copy")).is_err());
    }

    let names = store.folder().join("names");
    pipe(&names);
    assert_eq!(store.names(), [""; 0]);
    let refused = store.remember_name("Ann").unwrap_err().to_string();
    assert!(refused.ends_with("names: not a regular file"), "{refused}");
    fs::remove_file(&names).unwrap();
    large(&names, 17 << 20);
    assert!(store.remember_name("Ann").is_err());
    assert_eq!(fs::metadata(&names).unwrap().len(), 17 << 20, "not written over");
}

#[cfg(unix)]
#[test]
fn read_only_store_is_readable() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, store) = store();
    let made = make(BOXES, 1, 24);
    fs::write(journals(&store).join("x.journal"), &made.bytes).unwrap();
    let permit = |mode| {
        for path in [&journals(&store).join("x.journal"), &journals(&store)] {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    permit(0o555);
    let may_write = fs::File::create(journals(&store).join("probe")).is_ok();
    let (unfinished, troubles) = resumable(&store);
    assert_eq!((unfinished.len(), troubles.len()), (1, 0));
    // Root can write everywhere, so nothing fails.
    if !may_write {
        let refused = store.resume("x").unwrap_err().to_string();
        assert!(refused.ends_with("x.journal: permission denied"), "{refused}");
        let mut game = open(BOXES);
        game.play("H0,0").unwrap();
        let refused = begin(&store, &game).record(&game).unwrap_err().to_string();
        assert!(refused.ends_with("permission denied"), "{refused}");
    }
    permit(0o755);
}
