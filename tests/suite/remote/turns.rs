//! What waits in sleeping matches: for the host in lists, and for a guest who names no table. No table runs here but
//! those that a guest wakes.

use crate::common::processes::{Process, end_all_with};
use crate::common::program::{Run, command, finish};
use crate::common::terminal::{Terminal, past_the_guard};
use jiff::{SignedDuration, Timestamp};
use quadrille_match::session::{Actor, Conditions, Player, Session, Step};
use quadrille_match::store::MatchStore;
use quadrille_rules::{Seat, Setup};
use quadrille_table::catalogue;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// Ann's account, with sleeping tables. Dropping it ends the tables that were woken.
struct Account(Rc<TempDir>);

impl Drop for Account {
    fn drop(&mut self) {
        end_all_with("HOME", self.0.path());
    }
}

impl Account {
    fn new() -> Account {
        Account(Rc::new(tempfile::tempdir().unwrap()))
    }

    fn state(&self) -> PathBuf {
        self.0.path().join("quadrille")
    }

    /// Adds a match of Ann's with three days per move that began this many hours ago.
    fn add(&self, table: &str, game: &str, guest: &str, moves: usize, hours: i64) {
        let began = Timestamp::now() - SignedDuration::from_secs(3600 * hours + 1);
        let players: Vec<Player> =
            ["Ann", &format!("guest:{guest}")].map(|player| player.parse().unwrap()).into();
        let conditions = Conditions::from(players).with_clock("3d".parse().ok());
        let start = (catalogue::find(game).unwrap().start)(&Setup::new()).unwrap();
        let mut session = Session::new(start, Setup::new(), conditions);
        session.name_person(Seat::SECOND, guest);
        let at = Duration::from_millis(1);
        session.apply(Actor::Table, Step::Begin(began), at).unwrap();
        for _ in 0..moves {
            let game = session.current_match();
            let Some(seat) = game.to_move() else { break };
            let mv = game.legal_moves().swap_remove(0);
            session.apply(Actor::Seat(seat), Step::Play(mv), at).unwrap();
        }
        let store = MatchStore::open(&self.state()).unwrap();
        let mut journal = store.begin(&session, "2026-11-20");
        journal.record(&session).unwrap();
        let seatings = self.state().join("seatings");
        fs::create_dir_all(&seatings).unwrap();
        let seating = format!(
            "id id-{table}\ntable {table}\ntoken host-{table}\nwakes for guests\n\
             guest 2 {guest}-{table} {guest} uid 1000\n"
        );
        fs::write(seatings.join(journal.id()), seating).unwrap();
    }

    fn run(&self, arguments: &[&str], input: &str) -> Run {
        finish(&mut command(self.0.path(), arguments), input.as_bytes())
    }

    /// Returns all files with their contents and times.
    fn files(&self) -> Vec<(PathBuf, SystemTime, Vec<u8>)> {
        fn add(folder: &Path, files: &mut Vec<(PathBuf, SystemTime, Vec<u8>)>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let written = fs::symlink_metadata(&path).unwrap().modified().unwrap();
                if path.is_dir() {
                    add(&path, files);
                }
                files.push((path.clone(), written, fs::read(&path).unwrap_or_default()));
            }
        }
        let mut files = Vec::new();
        add(self.0.path(), &mut files);
        files.sort();
        files
    }

    /// Returns the command that a guest's ssh runs here, for `--via`.
    fn door(&self, name: &str) -> String {
        let command = command(self.0.path(), &["table", "connect"]);
        let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
        let variables =
            variables.map(|(name, value)| format!("{}={}", name.display(), value.display()));
        let program = command.get_program().display().to_string();
        let words = ["env".to_owned()].into_iter().chain(variables).chain([program]);
        let words = words.chain(["table", "connect"].map(str::to_owned));
        let words = words.chain(Some(name.to_owned()).filter(|name| !name.is_empty()));
        words.collect::<Vec<_>>().join(" ")
    }
}

/// Bob's account, with his tokens for these tables of Ann's.
fn bob(door: &str, tables: &[&str]) -> TempDir {
    let home = tempfile::tempdir().unwrap();
    let seats = home.path().join("quadrille/seats");
    fs::create_dir_all(&seats).unwrap();
    for table in tables {
        let seat = format!("table id-{table}\nname Bob\ntoken Bob-{table}\nfrom {door}\n");
        fs::write(seats.join(table), seat).unwrap();
    }
    home
}

fn join(home: &TempDir, door: &str) -> Run {
    finish(&mut command(home.path(), &["join", "--plain", "--via", door]), b"quit\n")
}

#[test]
fn turns_lists_by_deadline_and_neither_writes_nor_wakes() {
    let ann = Account::new();
    ann.add("quixo", "quixo", "Bob", 0, 1);
    ann.add("xo", "tic-tac-toe", "Eve", 0, 20);
    ann.add("xo-2", "tic-tac-toe", "Bob", 1, 80);
    ann.add("xo-3", "tic-tac-toe", "Bob", 1, 1);
    ann.add("xo-4", "tic-tac-toe", "Bob", 9, 1);
    ann.add("xo-5", "tic-tac-toe", "Bob", 1, 200);
    let before = ann.files();
    let turns = ann.run(&["turns"], "");
    let lines: Vec<String> = turns.ok().lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 5, "{lines:?}");
    assert!(lines[0].starts_with("xo-4: Tic-tac-toe, "), "{lines:?}");
    assert_eq!(
        lines[1..],
        [
            "xo-5: Tic-tac-toe, Bob ran out of time",
            "xo: Tic-tac-toe, your turn against Eve, 2 d 4 h left",
            "xo-2: Tic-tac-toe, Bob is overdue; claim the win or give more time",
            "quixo: Quixo, your turn against Bob, 2 d 23 h left",
        ]
    );
    let json: serde_json::Value =
        serde_json::from_str(&ann.run(&["turns", "--json"], "").ok()).unwrap();
    let kinds: Vec<&str> =
        json.as_array().unwrap().iter().map(|item| item["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["result", "result", "turn", "claim", "turn"]);
    assert_eq!(json[2]["table"], "xo");
    assert_eq!(ann.files(), before);
    let running = Process::with_variable("HOME", ann.0.path());
    assert!(running.is_empty(), "no table is woken");
}

#[test]
fn turns_tells_by_its_status_whether_something_waits() {
    let ann = Account::new();
    let nothing = ann.run(&["turns"], "");
    assert_eq!((nothing.status, &*nothing.out, &*nothing.err), (1, "", ""));
    assert_eq!(ann.files(), [], "nothing is created");
    ann.add("xo", "tic-tac-toe", "Bob", 1, 1);
    let before = ann.files();
    let [text, json] = [&["turns"][..], &["turns", "--json"]].map(|words| ann.run(words, ""));
    assert_eq!((text.status, &*text.out, &*text.err), (1, "", ""));
    assert_eq!((json.status, &*json.out, &*json.err), (1, "[]\n", ""));
    assert_eq!(ann.files(), before);
    let odd = ann.state().join("seatings/odd");
    fs::write(ann.state().join("matches/odd.journal"), "odd").unwrap();
    fs::write(&odd, "id").unwrap();
    let why = format!("{}: invalid id", odd.display());
    assert_eq!(ann.run(&["turns"], "").fails(2), why);
    assert_eq!(ann.run(&["turns", "--yaml"], "").fails(2).lines().count(), 1);
}

#[test]
fn tables_shows_sleeping_tables_with_turn_and_time() {
    let ann = Account::new();
    ann.add("xo", "tic-tac-toe", "Bob", 1, 20);
    let line = "xo: Tic-tac-toe, 1 Ann, 2 Bob, 1 move, Bob's turn, 2 d 4 h left, asleep\n";
    assert_eq!(ann.run(&["tables"], "").ok(), line);
    let json = ann.run(&["tables", "--json"], "").ok();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json[0]["sleeping"], &json[0]["table"]), (&true.into(), &"xo".into()));
}

#[test]
fn lists_leave_a_finished_match_with_days_to_its_table() {
    let ann = Account::new();
    ann.add("xo", "tic-tac-toe", "Bob", 9, 1);
    let before = fs::read_dir(ann.state().join("matches")).unwrap().count();
    ann.run(&["--plain"], "resume\nquit\n").ok();
    let _ = ann.run(&["resume", "--plain"], "quit\n");
    assert_eq!(fs::read_dir(ann.state().join("matches")).unwrap().count(), before);
    assert_eq!(fs::read_dir(ann.state().join("records")).unwrap().count(), 0);
}

/// The visit leaves the journal as it was, and the table is still open.
#[test]
fn home_shows_a_match_once_after_a_visit() {
    let ann = Account::new();
    ann.add("xo", "tic-tac-toe", "Bob", 1, 1);
    let mut home = Terminal::run_with(&[], &ann.0);
    home.wait_for("Resume").keys("\r").wait_for("Bob is away");
    past_the_guard();
    home.keys("q").wait_for("open table");
    assert!(!home.sees("2 unfinished"), "{}", home.contents());
    home.leave();
}

/// Bob has not seen the end yet.
#[test]
fn statistics_count_a_finished_match_before_all_have_seen_its_end() {
    let ann = Account::new();
    ann.add("xo", "tic-tac-toe", "Bob", 9, 1);
    ann.add("xo-2", "tic-tac-toe", "Bob", 1, 1);
    fs::write(ann.state().join("names"), "Ann\n").unwrap();
    let before = ann.files();
    let text = ann.run(&["statistics"], "").ok();
    assert!(text.contains("Tic-tac-toe") && text.contains("Bob"), "{text}");
    let json = ann.run(&["statistics", "--json"], "").ok();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["games"][0]["matches"], 1, "{json}");
    assert_eq!(ann.files(), before, "nothing is filed");
}

#[test]
fn join_without_a_name_opens_the_match_that_waits() {
    let ann = Account::new();
    ann.add("quixo", "quixo", "Bob", 0, 1);
    ann.add("xo", "tic-tac-toe", "Bob", 1, 1);
    ann.add("xo-2", "tic-tac-toe", "Eve", 1, 1);
    let door = ann.door("");
    let joined = join(&bob(&door, &["quixo", "xo"]), &door);
    let text = joined.ok();
    assert!(text.contains("Tic-tac-toe") && !text.contains("Eve"), "{text}");
}

#[test]
fn join_without_a_name_lists_the_guests_matches_alone() {
    let ann = Account::new();
    for (table, guest) in [("xo", "Bob"), ("xo-2", "Bob"), ("xo-3", "Eve")] {
        ann.add(table, "tic-tac-toe", guest, 1, 1);
    }
    let door = ann.door("");
    let several = "several tables: xo and xo-2; choose one in the command, as in quadrille table connect NAME";
    assert_eq!(join(&bob(&door, &["xo", "xo-2"]), &door).fails(1), several);
    assert!(Process::with_variable("HOME", ann.0.path()).is_empty());
    // Tokens that came from elsewhere stay here.
    let stranger = join(&bob("eve@host", &["xo", "xo-2"]), &door);
    assert!(
        stranger.err.contains("several open tables; choose one by name")
            || stranger.err.contains("no open tables"),
        "{stranger:?}"
    );
    assert!(!stranger.err.contains("xo"), "{stranger:?}");
    // The lines themselves.
    let ask = "quadrille-table 2 test list\nmine Bob-xo\nlist\n";
    let said = ann.run(&["table", "connect"], ask).ok();
    let line = "xo: Tic-tac-toe, your turn against Ann, 2 d 23 h left";
    assert_eq!(said, format!("table xo waits {line}\nchoose\n"));
    let nothing = ann.run(&["table", "connect"], "quadrille-table 2 test list\nlist\n").ok();
    assert_eq!(nothing, "choose\n");
}

/// The command in the line of a key names the table, whatever the guest asks for.
#[test]
fn forced_command_leads_to_its_table_alone() {
    let ann = Account::new();
    ann.add("quixo", "quixo", "Bob", 1, 1);
    ann.add("xo", "tic-tac-toe", "Bob", 1, 1);
    let door = ann.door("xo");
    let text = join(&bob(&door, &["quixo", "xo"]), &door).ok();
    assert!(text.contains("Tic-tac-toe") && !text.contains("Quixo"), "{text}");
    let mut restricted = command(ann.0.path(), &["table", "connect", "--as", "Eve"]);
    let ask = b"quadrille-table 2 test list\nopen quixo\n";
    assert_eq!(finish(&mut restricted, ask).fails(1), "no open table quixo here");
}

#[test]
fn errors_tell_a_guest_no_path_and_no_other_table() {
    let ann = Account::new();
    ann.add("xo", "tic-tac-toe", "Bob", 1, 1);
    ann.add("xo-2", "tic-tac-toe", "Eve", 1, 1);
    let missing = ann.run(&["table", "connect", "nim"], "").fails(1);
    assert_eq!(missing, "no open table nim here");
    assert_eq!(
        ann.run(&["table", "connect"], "quadrille-table 2 old\n").fails(1),
        "several open tables; choose one by name"
    );
    let journals = fs::read_dir(ann.state().join("matches")).unwrap();
    for journal in journals.map(|journal| journal.unwrap().path()) {
        fs::write(journal, "quadrille-journal 9\n").unwrap();
    }
    let why = "the table xo cannot be opened; its host can read why with quadrille resume";
    assert_eq!(ann.run(&["table", "connect", "xo"], "").fails(1), why);
}

#[test]
fn account_has_at_most_200_matches_with_days() {
    let ann = Account::new();
    for number in 0..200 {
        ann.add(&format!("xo-{number}"), "tic-tac-toe", "Bob", 1, 1);
    }
    let play = ["play", "tic-tac-toe", "--plain", "--seat", "2=guest", "--days", "3"];
    let why = ann.run(&play, "quit\n").fails(1);
    assert!(why.contains("200 matches with days per move are unfinished"), "{why}");
}
