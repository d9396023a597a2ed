//! Tables whose process has ended: the next player who connects wakes them, and each match has one process.

use super::process::{OpenTable, TOKEN, table_of};
use super::test_player::TestPlayer;
use crate::common::chance::Chance;
use crate::common::processes::{Process, end, end_all_with};
use crate::common::program::{BINARY, command, finish};
use crate::common::samples::samples;
use crate::common::wait::wait_until;
use quadrille_net::route::Route;
use quadrille_table::play::{ClientRequest, LineState};
use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Barrier;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// The rounds of each race in the suite, and in the stress run.
const ROUNDS: usize = 20;
const STRESS_ROUNDS: usize = 200;

const GAME: [&str; 2] = ["dots-and-boxes", "size=20"];
const RESUME: [&str; 2] = ["resume", "--plain"];

/// A home in which Ann's table has ended after a move of hers. Dropping it kills everything that runs there.
pub(super) struct House {
    home: TempDir,
    bobs_token: String,
}

impl House {
    /// Opens a table for a match with days per move, whose process is killed before a guest has come.
    pub fn with_days(game: &str, setup: &str) -> House {
        let table = table_of(game, setup, Some("3d"));
        let home = tempfile::tempdir().unwrap();
        let open = OpenTable::open_with(home, &table, Duration::from_secs(600));
        House { home: open.crash(), bobs_token: String::new() }
    }

    /// Bob sits down and leaves. Then Ann comes and begins the match; she stays.
    pub fn begin(&mut self) -> TestPlayer {
        self.join("Bob").unwrap().client.leave();
        self.bobs_token = seating(self.home(), "unconfirmed 2 ");
        let mut ann = self.join("Ann").unwrap();
        let asked = |ann: &TestPlayer| {
            let mut open = ann.table.peers().unwrap().to_answer();
            open.find(|open| open.by == "Bob").map(|open| open.number)
        };
        wait_until("question", String::new, || {
            ann.receive();
            asked(&ann).is_some()
        });
        let number = asked(&ann).unwrap();
        ann.request(ClientRequest::Answer { number, yes: true });
        wait_until("beginning", String::new, || {
            ann.receive();
            ann.table.session().began().is_some()
        });
        ann
    }

    fn journal(&self) -> String {
        let matches = self.home().join("quadrille/matches");
        let mut files = fs::read_dir(matches).unwrap().flatten().map(|file| file.path());
        let journal = files.find(|path| path.extension().is_some_and(|end| end == "journal"));
        fs::read_to_string(journal.expect("a journal")).unwrap()
    }

    /// Ann and Bob sit down, Ann plays, and the table is killed.
    fn after_a_crash() -> House {
        let [game, setup] = GAME;
        let table = table_of(game, setup, None);
        let home = tempfile::tempdir().unwrap();
        let open = OpenTable::open_with(home, &table, Duration::from_secs(600));
        let home = open.home.path();
        let mut ann = join(route_at(home), "Ann", TOKEN, 0).unwrap();
        let mut bob = join(route_at(home), "Bob", "", 1).unwrap();
        let mut decided = Vec::new();
        ann.play(&mut decided, &mut Chance(1));
        wait_until("move", String::new, || {
            ann.receive();
            bob.receive();
            [&ann, &bob].iter().all(|one| one.log().len() == 1)
        });
        let bobs_token = seating(home, "guest 2 ");
        House { home: open.crash(), bobs_token }
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    pub fn join(&self, name: &str) -> anyhow::Result<TestPlayer> {
        let (token, seat) = if name == "Ann" { (TOKEN, 0) } else { (&*self.bobs_token, 1) };
        join(route_at(self.home()), name, token, seat)
    }

    /// Returns the processes of tables.
    pub fn tables(&self) -> Vec<u32> {
        let processes = Process::with_variable("HOME", self.home()).into_iter();
        let tables = processes.filter(|process| process.arguments().get(1..) == Some(&words()));
        tables.map(|process| process.id).collect()
    }

    pub fn crash(&self) {
        end(&self.tables());
    }

    /// Returns the moves in the journal.
    fn moves(&self) -> Vec<String> {
        let text = self.journal();
        let moves = text.lines().filter_map(|line| line.split_once(" play "));
        moves.map(|(_, mv)| mv.to_owned()).collect()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        end_all_with("HOME", self.home());
    }
}

fn words() -> [String; 2] {
    ["table", "open"].map(str::to_owned)
}

/// Returns the first word after this prefix in the only seats file.
fn seating(home: &Path, prefix: &str) -> String {
    let file = fs::read_dir(home.join("quadrille/seatings")).unwrap().next().unwrap().unwrap();
    let text = fs::read_to_string(file.path()).unwrap();
    let found = text.lines().find_map(|line| line.strip_prefix(prefix));
    found.unwrap_or_else(|| panic!("no {prefix} in {text}")).split(' ').next().unwrap().to_owned()
}

/// Returns the door that a guest's ssh opens.
fn route_at(home: &Path) -> Route {
    Route::Command(words_of(&command(home, &["table", "connect", "quixo"])))
}

/// Returns a command line that runs this command in its environment.
fn words_of(command: &Command) -> Vec<String> {
    let text = |text: &std::ffi::OsStr| text.to_str().unwrap().to_owned();
    let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let variables = variables.map(|(name, value)| format!("{}={}", text(name), text(value)));
    let program = [text(command.get_program())].into_iter();
    let arguments = command.get_args().map(text);
    ["env".to_owned()].into_iter().chain(variables).chain(program).chain(arguments).collect()
}

fn join(route: Route, name: &str, token: &str, seat: u8) -> anyhow::Result<TestPlayer> {
    TestPlayer::join(route, name, Some(token).filter(|token| !token.is_empty()), Some(seat))
}

/// Plays until the match has this many moves. The move depends only on the position.
pub(super) fn play_until(player: &mut TestPlayer, moves: usize) {
    wait_until("moves", String::new, || {
        player.receive();
        let game = player.table.current_match();
        let ply = game.ply();
        let mut decided: Vec<String> = game.moves().iter().map(|(_, mv)| mv.clone()).collect();
        if ply < moves {
            player.play(&mut decided, &mut Chance(ply as u64));
        }
        ply >= moves
    });
}

/// Has both wake the table at once, and each play a move.
fn race_two_wakes(seed: u64) {
    let house = House::after_a_crash();
    let mut chance = Chance(seed);
    for round in 0..ROUNDS {
        let target = 1 + 2 * (round + 1);
        let delays = [(); 2].map(|()| Duration::from_micros(chance.below(3000) as u64));
        let (met, counted) = (Barrier::new(3), Barrier::new(3));
        let play = |name: &str, delay| {
            thread::sleep(delay);
            let mut player = house.join(name).unwrap();
            play_until(&mut player, target);
            met.wait();
            counted.wait();
            player.log()
        };
        let logs = thread::scope(|scope| {
            let threads = [("Ann", delays[0]), ("Bob", delays[1])]
                .map(|(name, delay)| scope.spawn(move || play(name, delay)));
            met.wait();
            let tables = house.tables();
            counted.wait();
            assert_eq!(tables.len(), 1, "round {round}");
            threads.map(|thread| thread.join().unwrap())
        });
        assert_eq!(logs[0], logs[1], "round {round}");
        assert_eq!(logs[0].len(), target);
        house.crash();
        assert_eq!(house.moves().len(), target, "round {round}");
    }
}

/// Has the host resume the match while a guest wakes it.
fn race_resume_and_wake(seed: u64) {
    let house = House::after_a_crash();
    let mut chance = Chance(seed);
    for round in 0..ROUNDS {
        let delay = Duration::from_micros(chance.below(8000) as u64);
        let mut resume: Child = command(house.home(), &RESUME).spawn().unwrap();
        thread::sleep(delay);
        let mut bob = house.join("Bob").unwrap();
        wait_until("host", String::new, || {
            bob.receive();
            bob.table.peers().unwrap().is_ready()
        });
        assert_eq!(house.tables().len(), 1, "round {round}");
        // Bob's move, then Ann's, who types whatever is legal.
        let moves = house.moves().len();
        if moves % 2 == 1 {
            play_until(&mut bob, moves + 1);
        }
        let mv = bob.table.current_match().legal_moves().remove(0);
        let mut stdin = resume.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, format!("{mv}\n").as_bytes()).unwrap();
        play_until(&mut bob, moves + 2);
        drop(stdin);
        let status = resume.wait_with_output().unwrap();
        assert!(status.status.success(), "round {round}: {status:?}");
        house.crash();
        assert_eq!(house.moves().len(), moves + 2, "round {round}");
    }
}

/// Kills the table at random moments, also while it starts. Both players reconnect, which wakes it.
fn kill_at_random(seed: u64) {
    let house = House::after_a_crash();
    let mut people = ["Ann", "Bob"].map(|name| house.join(name).unwrap());
    let mut decided = house.moves();
    let mut chance = Chance(seed);
    let go_on = |people: &mut [TestPlayer; 2], decided: &mut Vec<String>| {
        for person in people {
            let before = person.log();
            person.receive();
            if matches!(person.line(), LineState::Down(_)) {
                person.request(ClientRequest::TryNow);
            }
            assert!(person.log().starts_with(&before), "{before:?}\n{:?}", person.log());
            person.play(decided, &mut Chance(decided.len() as u64));
        }
    };
    for round in 0..ROUNDS {
        // Every other round lets the players make some moves first.
        let until = people[0].log().len() + chance.below(4);
        let is_up = |people: &[TestPlayer; 2]| {
            people.iter().all(|one| one.log().len() >= until && *one.line() == LineState::Up)
        };
        wait_until(
            "moves",
            || format!("round {round}"),
            || {
                go_on(&mut people, &mut decided);
                round % 2 == 1 && !house.tables().is_empty() || is_up(&people)
            },
        );
        thread::sleep(Duration::from_micros(chance.below(3000) as u64));
        house.crash();
        let kept = house.moves();
        for person in &people {
            let shown = person.table.current_match().moves().iter().map(|(_, mv)| mv.clone());
            assert!(kept.starts_with(&shown.collect::<Vec<_>>()), "round {round}");
        }
    }
    let target = decided.len();
    wait_until("end", String::new, || {
        go_on(&mut people, &mut decided);
        people.iter().all(|one| one.table.current_match().ply() >= target)
    });
    house.crash();
    // The last move may have been decided too late.
    let kept = house.moves();
    assert!(kept.len() >= target && decided.starts_with(&kept), "{kept:?} instead of {decided:?}");
}

#[test]
fn two_wakes_at_once_start_one_process() {
    race_two_wakes(7);
}

#[test]
fn resume_and_a_guests_wake_lead_to_one_process() {
    race_resume_and_wake(8);
}

#[test]
fn kills_at_random_moments_lose_and_double_no_move() {
    kill_at_random(9);
}

#[test]
#[ignore = "takes minutes"]
fn two_hundred_races_and_kills() {
    // A match of Quixo ends before that many moves, so each part has its own.
    for seed in 1..=STRESS_ROUNDS / ROUNDS {
        race_two_wakes(seed as u64);
        race_resume_and_wake(seed as u64);
        kill_at_random(seed as u64);
    }
}

#[test]
fn table_closed_by_its_host_waits_for_resume() {
    let house = House::after_a_crash();
    let tables = finish(&mut command(house.home(), &["tables"]), b"").ok();
    assert!(tables.starts_with("No open tables"), "{tables}");
    drop(house.join("Bob").unwrap());
    finish(&mut command(house.home(), &["table", "close", "quixo"]), b"").ok();
    wait_until("end", String::new, || house.tables().is_empty());
    let connect = finish(&mut command(house.home(), &["table", "connect", "quixo"]), b"");
    assert_eq!(connect.fails(1), "no open table quixo here");
    assert!(house.tables().is_empty());
    let resumed = finish(&mut command(house.home(), &RESUME), b"quit\n").ok();
    assert!(resumed.contains("Bob"), "{resumed}");
    assert_eq!(house.tables().len(), 1);
    drop(house.join("Bob").unwrap());
}

/// A process that sshd starts has no `XDG_STATE_HOME`.
#[test]
fn match_is_found_from_another_environment() {
    let house = House::after_a_crash();
    let pointer = house.home().join(".local/state/quadrille/elsewhere");
    let state = format!("{}\n", house.home().join("quadrille").display());
    assert_eq!(fs::read_to_string(&pointer).unwrap(), state);
    let mut bare = Command::new(BINARY);
    bare.args(["table", "connect", "quixo"]).env("HOME", house.home());
    let unset = ["XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"];
    let mut words = words_of(&bare);
    words.splice(1..1, unset.iter().flat_map(|name| ["-u".to_owned(), (*name).to_owned()]));
    let mut bob = join(Route::Command(words), "Bob", &house.bobs_token, 1).unwrap();
    play_until(&mut bob, 2);
    // The other player finds the same process.
    let mut ann = house.join("Ann").unwrap();
    play_until(&mut ann, 3);
    assert_eq!(house.tables().len(), 1);
    assert_eq!(house.moves().len(), 3);
    assert!(!house.home().join(".local/state/quadrille/matches").exists());
}

/// Host and guest play a match with days per move, and are never connected together. Between their visits the table's
/// process is sometimes killed, sometimes closed, and sometimes still there.
fn is_played_in_turns(game: &str) {
    let setup = samples().find(|(entry, _)| entry.id == game).unwrap().1.small;
    let setup = if setup.contains("grid=") { "" } else { setup };
    let mut house = House::with_days(game, setup);
    let mut player = house.begin();
    let (mut decided, mut chance) = (Vec::new(), Chance(5));
    let mut names = ["Ann", "Bob"].iter().cycle().skip(1);
    loop {
        wait_until("own moves", String::new, || {
            player.receive();
            let game = player.table.current_match();
            let is_done = game.ply() == decided.len() && game.to_move() != player.seat;
            player.play(&mut decided, &mut chance);
            is_done
        });
        let is_over = player.table.current_match().outcome().is_some();
        player.client.leave();
        if is_over {
            break;
        }
        match chance.below(3) {
            0 => house.crash(),
            1 => drop(finish(&mut command(house.home(), &["table", "close", "quixo"]), b"")),
            _ => {}
        }
        player = house.join(names.next().unwrap()).unwrap();
        assert_eq!(player.table.current_match().ply(), decided.len());
    }
    // The match stays until the other player has left the finished board too.
    let _ = finish(&mut command(house.home(), &["table", "close", "quixo"]), b"");
    wait_until("sleep", String::new, || house.tables().is_empty());
    let records = || fs::read_dir(house.home().join("quadrille/records")).unwrap().count();
    assert_eq!(records(), 0);
    house.join(names.next().unwrap()).unwrap().client.leave();
    wait_until("record", String::new, || records() == 1);
    let record = fs::read_dir(house.home().join("quadrille/records")).unwrap().next().unwrap();
    let record = fs::read_to_string(record.unwrap().path()).unwrap();
    assert!(record.contains("[Clock \"3d\"]"), "{record}");
    assert!(decided.iter().all(|mv| record.contains(mv)), "{decided:?}\n{record}");
}

#[test]
fn tic_tac_toe_is_played_in_turns() {
    is_played_in_turns("tic-tac-toe");
}

#[test]
fn quixo_is_played_in_turns() {
    is_played_in_turns("quixo");
}

#[test]
fn dots_and_boxes_is_played_in_turns() {
    is_played_in_turns("dots-and-boxes");
}

#[test]
fn join_the_dots_is_played_in_turns() {
    is_played_in_turns("join-the-dots");
}

#[test]
fn intersections_is_played_in_turns() {
    is_played_in_turns("intersections");
}

#[test]
fn sleeping_table_has_no_process_and_visits_leave_no_trace() {
    let mut house = House::with_days("quixo", "");
    let mut ann = house.begin();
    play_until(&mut ann, 1);
    ann.client.leave();
    let (journal, bob) = (house.journal(), house.bobs_token.clone());
    wait_until("sleep", String::new, || house.tables().is_empty());
    for name in ["Bob", "Ann"] {
        house.join(name).unwrap().client.leave();
        assert_eq!(house.tables().len(), 1);
    }
    wait_until("sleep", String::new, || house.tables().is_empty());
    assert_eq!(house.journal(), journal);
    assert_eq!(seating(house.home(), "guest 2 "), bob);
    assert_eq!(seating(house.home(), "token "), TOKEN);
    // The list of unfinished matches and the records wake nothing.
    let tables = finish(&mut command(house.home(), &["tables"]), b"").ok();
    assert!(tables.ends_with(", asleep\n") && house.tables().is_empty(), "{tables}");
}

/// The table at the other end says that it is Bob's match, and would get his token.
#[test]
fn token_is_not_sent_to_a_host_with_another_tables_id() {
    let state = tempfile::tempdir().unwrap();
    let seats = state.path().join("quadrille/seats");
    fs::create_dir_all(&seats).unwrap();
    let seat = "table theidofthetable\nname Bob\ntoken bobstoken\nfrom ann@host\n";
    fs::write(seats.join("seat"), seat).unwrap();
    let heard = state.path().join("heard");
    let script = format!(
        "read -r line; echo \"$line\" > {0}; \
         echo 'quadrille-table 2 0.1.0 id theidofthetable host Ann'; cat >> {0}",
        heard.display()
    );
    let via = format!("sh -c {}", shlex::try_quote(&script).unwrap());
    let join = finish(&mut command(state.path(), &["join", "--plain", "--via", &via]), b"");
    let why = "this table says that it is your match from ann@host; add --move to send it your seat's token";
    assert_eq!(join.fails(1), why);
    let heard = fs::read_to_string(heard).unwrap();
    assert!(heard.starts_with("quadrille-table 2") && !heard.contains("bobstoken"), "{heard}");
}
