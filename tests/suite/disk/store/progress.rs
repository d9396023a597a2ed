//! The progress file: whatever happens to it, at most one line is lost.

use crate::common::store::{DATE, open_for, store};
use crate::common::untimed::Untimed;
use jiff::Timestamp;
use quadrille_match::session::{Actor, Session, Step};
use quadrille_match::store::MatchStore;
use quadrille_match::store::progress::{Event, Progress, Score};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_796_000_000 + second).unwrap()
}

fn puzzle(id: &str, solved: bool) -> Event {
    let (game, id) = ("quixo".to_owned(), id.to_owned());
    Event::Puzzle { at: at(0), game, id, rating: 1240, solved, rated: true }
}

fn daily(number: u32, day: Option<&str>) -> Event {
    let day = day.map(|day| day.parse().unwrap());
    Event::Daily { at: at(1), number, game: "quixo".to_owned(), day }
}

fn rush(game: Option<&str>, score: u32) -> Event {
    Event::Rush { at: at(2), game: game.map(str::to_owned), score }
}

fn all_kinds() -> Vec<Event> {
    vec![
        puzzle("q17", true),
        daily(12, Some("2026-11-25")),
        rush(None, 9),
        Event::Match {
            at: at(3),
            id: "Ünal ☃".to_owned(),
            game: "quixo".to_owned(),
            setup: "size=5 first=X".parse().unwrap(),
            level: "skilled".parse().unwrap(),
            levels: 1,
            score: Score::Draw,
        },
        Event::Help { at: at(4), id: "Ünal ☃".to_owned() },
        Event::RecordsCounted { at: at(5) },
        Event::Lesson { at: at(6), name: "quixo/pushes".to_owned() },
    ]
}

fn path(store: &MatchStore) -> PathBuf {
    store.folder().join("progress")
}

fn events(store: &MatchStore) -> Vec<Event> {
    store.progress().unwrap().events().to_vec()
}

#[test]
fn progress_events_persist() {
    let (_folder, store) = store();
    assert_eq!(store.progress().unwrap(), Progress::default());
    for event in all_kinds() {
        store.append(&[event]).unwrap();
    }
    assert_eq!(events(&store), all_kinds());
    store.append(&all_kinds()).unwrap();
    assert_eq!(events(&store).len(), 14);
    let progress = store.progress().unwrap();
    assert!(progress.is_solved("q17") && !progress.tried("q18"));
    assert!(progress.daily_solved(12, "quixo") && !progress.daily_solved(11, "quixo"));
    assert!(!progress.daily_solved(12, "join-the-dots"), "each game has one of its own");
    assert!(progress.lesson_done("quixo/pushes") && !progress.lesson_done("quixo"));
    assert!(progress.lesson_done("quixo/2-pushes"), "a lesson may get another number");
    assert!(!progress.lesson_done("quixo/2-threats") && !progress.lesson_done("dots/2-pushes"));
    assert!(progress.has_old_records());
}

#[test]
fn progress_keeps_solved_puzzles_and_best_rushes() {
    let (_folder, store) = store();
    let tries = [puzzle("a", false), puzzle("b", true), puzzle("b", false)];
    let rushes = [rush(Some("quixo"), 4), rush(None, 7), rush(Some("quixo"), 3)];
    store.append(&tries).unwrap();
    store.append(&rushes).unwrap();
    let progress = store.progress().unwrap();
    assert!(progress.tried("a") && !progress.is_solved("a") && progress.is_solved("b"));
    let best = [Some("quixo"), None, Some("dots-and-boxes")].map(|game| progress.best_rush(game));
    assert_eq!(best, [Some(4), Some(7), None]);
}

#[test]
fn streak_counts_consecutive_days() {
    let mut progress = Progress::default();
    let days = ["2026-12-30", "2026-12-31", "2027-01-02", "2027-01-01", "2027-01-02"];
    for (number, day) in (0..).zip(days) {
        progress.add(daily(number, Some(day)));
    }
    // A puzzle of the archive.
    progress.add(daily(9, None));
    let streak = |day: &str| progress.streak(day.parse().unwrap());
    let streaks =
        ["2027-01-01", "2027-01-02", "2027-01-03", "2027-01-04", "2026-12-29"].map(streak);
    assert_eq!(streaks, [3, 4, 4, 0, 0]);
}

/// Returns all events except those of lines that contain some of these bytes.
fn without(lines: &[String], from: usize, to: usize) -> Vec<Event> {
    let mut end = 0;
    let kept = lines.iter().zip(all_kinds()).filter_map(|(line, event)| {
        let begin = end;
        end += line.len();
        // Excluding the newlines around it.
        (to <= begin + 1 || from >= end - 1).then_some(event)
    });
    kept.collect()
}

#[test]
fn truncation_loses_only_the_cut_progress_line() {
    let lines: Vec<String> = all_kinds().iter().map(|event| event.line().unwrap()).collect();
    let whole = lines.concat();
    for at in 0..=whole.len() {
        let (_folder, store) = store();
        fs::write(path(&store), &whole.as_bytes()[..at]).unwrap();
        let left = without(&lines, at, whole.len());
        assert_eq!(events(&store), left, "{at}");
        store.append(&[puzzle("new", true)]).unwrap();
        assert_eq!(events(&store), [left, vec![puzzle("new", true)]].concat(), "{at}");
    }
}

#[test]
fn damaged_byte_loses_only_its_progress_line() {
    let lines: Vec<String> = all_kinds().iter().map(|event| event.line().unwrap()).collect();
    let whole = lines.concat().into_bytes();
    for at in 0..whole.len() {
        let least = without(&lines, at, at + 1);
        for damage in [0, b'\n', b' ', b'{', 0xff, whole[at] ^ 1] {
            let mut bytes = whole.clone();
            bytes[at] = damage;
            let left = Progress::read(&bytes);
            let lost = all_kinds().len() - left.events().len();
            let is_end = whole[at] == b'\n';
            if damage == whole[at] {
                assert_eq!(lost, 0);
            } else if is_end {
                assert!(lost <= 1, "{at}: {lost} lost");
            } else {
                assert_eq!(left.events(), least, "{at}: {damage}");
            }
        }
        let mut bytes = whole.clone();
        bytes.remove(at);
        assert!(all_kinds().len() - Progress::read(&bytes).events().len() <= 1, "{at}");
    }
}

#[test]
fn progress_of_a_later_version_is_kept_and_ignored() {
    let (_folder, store) = store();
    let text = r#"{"chess":{"at":"2030-01-01T00:00:00Z"}}"#;
    let later = format!("\n{text} {:08x}\n", crc32(text));
    fs::write(path(&store), &later).unwrap();
    store.append(&[puzzle("a", true)]).unwrap();
    assert_eq!(events(&store), [puzzle("a", true)]);
    assert!(fs::read_to_string(path(&store)).unwrap().starts_with(&later));
}

/// Computes the checksum bit by bit.
fn crc32(text: &str) -> u32 {
    !text.bytes().fold(!0, |sum, byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum: u32, _| (sum >> 1) ^ (0xedb8_8320 * (sum & 1)))
    })
}

#[test]
fn concurrent_appends_lose_no_events() {
    const EACH: usize = 50;
    let (_folder, store) = store();
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let store = MatchStore::open(store.folder()).unwrap();
            scope.spawn(move || {
                for number in 0..EACH {
                    store.append(&[puzzle(&format!("{writer}-{number}"), true)]).unwrap();
                }
            });
        }
    });
    let progress = store.progress().unwrap();
    assert_eq!(progress.events().len(), 4 * EACH);
    let mut ids = (0..4).flat_map(|writer| (0..EACH).map(move |n| format!("{writer}-{n}")));
    assert!(ids.all(|id| progress.is_solved(&id)));
}

#[test]
fn unwritable_progress_error_is_one_sentence() {
    let (_folder, store) = store();
    let place = format!("(.../{})", Path::new("state").join("progress").display());
    // A directory in its place, which no user can write to.
    fs::create_dir(path(&store)).unwrap();
    for error in [store.append(&all_kinds()).unwrap_err(), store.progress().unwrap_err()] {
        let said = error.brief();
        assert!(said.ends_with(&place) && !said.contains('\n'), "{said}");
    }
    fs::remove_dir(path(&store)).unwrap();
    store.append(&all_kinds()).unwrap();
    // Only the user may read it, like the directory.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(store.folder()).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0);
    }
}

fn finish(store: &MatchStore, players: [&str; 2], play: impl FnOnce(&mut Session)) -> Vec<Event> {
    let mut session = open_for(("tic-tac-toe", ""), &players);
    let mut journal = store.begin(&session, DATE);
    play(&mut session);
    let before = events(store).len();
    journal.record(&session).unwrap();
    let id = journal.id();
    store.finish(journal, &session).unwrap();
    let new = events(store).split_off(before);
    for event in &new {
        assert!(matches!(event, Event::Match { id: of, .. } if *of == id), "{event:?}");
    }
    new
}

/// Takes a step a second after the start: steps at the start belong to the initial position.
fn step(session: &mut Session, step: Step) {
    let by = session.current_match().to_move().map_or(Actor::Table, Actor::Seat);
    let by = if matches!(step, Step::Play(_) | Step::Resign) { by } else { Actor::Table };
    session.apply(by, step, Duration::from_secs(1)).unwrap();
}

fn play(session: &mut Session, moves: &[&str]) {
    for mv in moves {
        step(session, Step::Play((*mv).to_owned()));
    }
}

fn win(session: &mut Session) {
    play(session, &["a1", "b1", "a2", "b2", "a3"]);
}

fn undo(session: &mut Session) {
    let back = session.undo_step().unwrap();
    step(session, back);
}

#[test]
fn match_against_a_level_counts_without_take_back() {
    let (_folder, store) = store();
    let score = |new: &[Event]| match new {
        [Event::Match { score, level, game, .. }] => {
            assert_eq!((&**game, level.to_string()), ("tic-tac-toe", "skilled".to_owned()));
            Some(*score)
        }
        [] => None,
        new => panic!("{new:?}"),
    };
    let (ann, skilled) = ("Ann", "engine:skilled");
    assert_eq!(score(&finish(&store, [ann, skilled], win)), Some(Score::Win));
    assert_eq!(score(&finish(&store, [skilled, ann], win)), Some(Score::Loss));
    let drawn = |session: &mut Session| {
        play(session, &["a1"]);
        session.agree_draw();
    };
    assert_eq!(score(&finish(&store, [ann, skilled], drawn)), Some(Score::Draw));
    let resigned = |session: &mut Session| {
        play(session, &["a1", "b1"]);
        step(session, Step::Resign);
    };
    assert_eq!(score(&finish(&store, [ann, skilled], resigned)), Some(Score::Loss));
    let undone = |session: &mut Session| {
        play(session, &["b3"]);
        undo(session);
        win(session);
    };
    assert_eq!(finish(&store, [ann, skilled], undone), []);
    // The same moves again: the line is equal, although a move was taken back.
    let again = |session: &mut Session| {
        play(session, &["a1"]);
        undo(session);
        win(session);
    };
    assert_eq!(finish(&store, [ann, skilled], again), []);
    // A match that started with the moves of a record does not count either.
    let began = |session: &mut Session| Untimed::play(session, "a1").unwrap();
    let began = finish(&store, [ann, skilled], |session| {
        began(session);
        play(session, &["b1", "a2", "b2", "a3"]);
    });
    assert_eq!(began, []);
    for players in [
        [ann, "Bob"],
        [skilled, skilled],
        [ann, "engine:perfect"],
        [ann, "engine:strong,nodes=1000"],
        [ann, "cmd:bot"],
    ] {
        assert_eq!(finish(&store, players, win), [], "{players:?}");
    }
}
