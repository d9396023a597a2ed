//! Dropped connections, killed tables and killed terminals: all ends keep the same match, and nothing is lost.

use super::process::{OpenTable, TOKEN, table_of};
use super::test_player::{TestPlayer, log};
use crate::common::chance::Chance;
use crate::common::two_terminals::{Desk, TypedMatch, all_see, past_the_guard, to_its_board};
use crate::common::wait::wait_until;
use quadrille_net::Identity;
use quadrille_net::route::{Route, SocketRoute};
use quadrille_table::play::{ClientRequest, LineState};
use std::io::{Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

const IDLE: Duration = Duration::from_secs(600);

/// Joins through this socket, as Ann with her token.
fn join(socket: &Path, name: &str, seat: Option<u8>) -> TestPlayer {
    let (path, identity) = (socket.to_owned(), Identity::default());
    let route = Route::Socket(SocketRoute { path, identity, door: None });
    TestPlayer::join(route, name, (name == "Ann").then_some(TOKEN), seat).unwrap()
}

/// A proxy socket for a table. Each connection is cut after some bytes, inside or between lines, as long as cuts are
/// left.
struct BadLine {
    socket: PathBuf,
    _folder: TempDir,
}

impl BadLine {
    fn new(to: &Path, seed: u64, cuts: &Arc<AtomicUsize>) -> BadLine {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        let listener = UnixListener::bind(&socket).unwrap();
        let (to, cuts) = (to.to_owned(), Arc::clone(cuts));
        thread::spawn(move || {
            let mut chance = Chance(seed);
            for (number, near) in listener.incoming().enumerate() {
                let (near, far) = (near.unwrap(), UnixStream::connect(&to).unwrap());
                // The first connection must last until the match has arrived.
                let most = chance.below(1000) + if number == 0 { 1000 } else { 0 };
                let left = Arc::new(AtomicUsize::new(most));
                let ends = [near.try_clone().unwrap(), far.try_clone().unwrap()];
                for (from, to) in
                    [(ends[0].try_clone().unwrap(), far), (ends[1].try_clone().unwrap(), near)]
                {
                    let (left, cuts) = (Arc::clone(&left), Arc::clone(&cuts));
                    thread::spawn(move || carry(from, to, &left, &cuts));
                }
            }
        });
        BadLine { socket, _folder: folder }
    }
}

/// Forwards bytes in one direction until an end closes or the connection is cut.
fn carry(mut from: UnixStream, mut to: UnixStream, left: &AtomicUsize, cuts: &AtomicUsize) {
    let mut bytes = [0; 100];
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        let subtract = |left: usize| Some(left.saturating_sub(length));
        let before = left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, subtract).unwrap();
        let is_cut = before <= length && cuts.load(Ordering::SeqCst) > 0;
        let carried = if is_cut { before } else { length };
        if to.write_all(&bytes[..carried]).is_err() {
            break;
        }
        if is_cut {
            if before > 0 {
                let _ = cuts
                    .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |cuts| cuts.checked_sub(1));
            }
            break;
        }
    }
    for end in [from, to] {
        let _ = end.shutdown(Shutdown::Both);
    }
}

#[test]
fn two_hundred_dropped_lines_keep_the_match_identical() {
    let setup = "size=30";
    let table = table_of("dots-and-boxes", setup, None);
    let open = OpenTable::open_with(tempfile::tempdir().unwrap(), &table, IDLE);
    let cuts = Arc::new(AtomicUsize::new(200));
    let lines = [1, 2, 3].map(|seed| BadLine::new(&open.socket, seed, &cuts));
    let mut people = [("Ann", Some(0)), ("Bob", Some(1)), ("Eve", None)];
    let mut people: Vec<TestPlayer> = people
        .iter_mut()
        .zip(&lines)
        .map(|((name, seat), line)| join(&line.socket, name, *seat))
        .collect();
    let (mut decided, mut chance) = (Vec::new(), Chance(4));
    let seen = |people: &[TestPlayer]| people.iter().map(TestPlayer::log).collect::<Vec<_>>();
    wait_until(
        "200 drops",
        || cuts.load(Ordering::SeqCst).to_string(),
        || {
            for person in &mut people {
                person.receive();
                person.play(&mut decided, &mut chance);
            }
            cuts.load(Ordering::SeqCst) == 0
        },
    );
    // The last decision may have been lost in transit.
    wait_until("same match", String::new, || {
        for person in &mut people {
            person.receive();
            if person.log().len() < decided.len() {
                person.play(&mut decided, &mut chance);
            }
        }
        seen(&people).iter().all(|log| log.len() == decided.len())
    });
    let (_home, stored) = open.kill(table_of("dots-and-boxes", setup, None));
    for log in seen(&people) {
        assert_eq!(log, super::test_player::log(&stored));
    }
    let played = stored.current_match().moves().iter().map(|(_, mv)| mv);
    assert!(played.eq(&decided), "each move once, as it was decided");
    assert!(decided.len() > 100, "{} moves", decided.len());
}

#[test]
fn fifty_table_kills_lose_no_shown_move() {
    let begun = || table_of("dots-and-boxes", "size=20", None);
    let (mut home, mut table) = (tempfile::tempdir().unwrap(), begun());
    let mut people: Vec<TestPlayer> = Vec::new();
    let (mut decided, mut chance) = (Vec::new(), Chance(5));
    for kill in 0..50 {
        let open = OpenTable::open_with(home, &table, IDLE);
        if people.is_empty() {
            let join = |(name, seat)| join(&open.socket, name, Some(seat));
            people = [("Ann", 0), ("Bob", 1)].map(join).into();
        }
        for person in &mut people {
            person.request(ClientRequest::TryNow);
        }
        // Moves that not all have received are forwarded now, or must be played again.
        let until = table.session().log().len() + chance.below(5);
        wait_until(
            "few moves",
            || format!("kill {kill}"),
            || {
                for person in &mut people {
                    person.receive();
                    person.play(&mut decided, &mut chance);
                }
                people.iter().any(|person| person.table.session().log().len() >= until)
                    && people.iter().all(|person| *person.line() == LineState::Up)
            },
        );
        thread::sleep(Duration::from_micros(chance.below(2000) as u64));
        (home, table) = open.kill(begun());
        for person in &mut people {
            let is_down = |person: &TestPlayer| matches!(person.line(), LineState::Down(_));
            wait_until("end of the line", String::new, || {
                person.client.receive(&mut person.table);
                is_down(person)
            });
            let (shown, kept) = (person.log(), log(&table));
            assert!(kept.starts_with(&shown), "kill {kill}: {shown:?}\n{kept:?}");
        }
    }
    assert!(table.session().log().len() > 50);
}

#[test]
fn host_resumes_after_terminal_or_table_kill() {
    let desk = Desk::new();
    let mut ann = desk.host("quixo", "size=3", &["2"]);
    let mut bob = desk.run(&["join", "quixo", "--name", "Bob"]);
    all_see(&[&ann, &bob], "Bob");
    let mut typed = TypedMatch::new("quixo", "size=3", &["Ann", "Bob"]);
    for _ in 0..2 {
        typed.play(&mut [&mut ann, &mut bob], &[0, 1]);
    }
    ann.kill();
    bob.wait_for("Ann is away; match paused");
    let mut ann = desk.run(&["resume"]);
    ann.wait_for(&typed.last());
    bob.wait_for("Ann is back");
    typed.play(&mut [&mut ann, &mut bob], &[0, 1]);

    desk.kill("table open");
    all_see(&[&ann, &bob], "reconnecting");
    ann.leave();
    let mut ann = desk.run(&["resume"]);
    to_its_board(&mut ann);
    ann.wait_for(&typed.last());
    // Bob's terminal has been retrying meanwhile.
    bob.keys("\r");
    ann.wait_until("Bob", |ann| !ann.sees("waiting") && !ann.sees("away"));
    bob.wait_until("line", |bob| !bob.sees("reconnecting"));
    past_the_guard();
    typed.play_to_the_end(&mut [&mut ann, &mut bob], &[0, 1]);
}
