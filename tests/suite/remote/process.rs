//! The process of a table, tested with raw lines through its real socket.

use crate::common::program::{command, finish};
use crate::common::wait::{EVENT_TIMEOUT, wait_until};
use quadrille_match::session::{Actor, Conditions, Player, Step};
use quadrille_match::store::MatchStore;
use quadrille_net::folder::HostFile;
use quadrille_net::{Opening, Seating};
use quadrille_table::catalogue;
use quadrille_table::play::Table;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const GREETING: &str = "quadrille-table 2 test";
pub(super) const TOKEN: &str = "thetokenofthehost";

/// A table whose process is a child of the test.
pub(super) struct OpenTable {
    pub home: TempDir,
    pub socket: PathBuf,
    process: Child,
}

fn table(game: &str, clock: Option<&str>) -> Table {
    table_of(game, "", clock)
}

pub(super) fn table_of(game: &str, setup: &str, clock: Option<&str>) -> Table {
    let entry = catalogue::find(game).unwrap();
    let players: Vec<Player> = vec![Player::person("Ann"), "guest".parse().unwrap()];
    let conditions =
        Conditions::from(players).with_clock(clock.map(|clock| clock.parse().unwrap()));
    Table::new(entry, &setup.parse().unwrap(), conditions).unwrap()
}

fn first_move(game: &str) -> String {
    table(game, None).current_match().legal_moves().swap_remove(0)
}

impl OpenTable {
    pub fn open(game: &str) -> OpenTable {
        OpenTable::open_with(
            tempfile::tempdir().unwrap(),
            &table(game, None),
            Duration::from_secs(600),
        )
    }

    pub fn open_with(home: TempDir, table: &Table, idle: Duration) -> OpenTable {
        let opening = Opening {
            seating: Seating {
                id: "theidofthetable".to_owned(),
                table: "quixo".to_owned(),
                host_token: TOKEN.to_owned(),
                ..Seating::default()
            },
            idle,
            pace: Duration::ZERO,
            journal: table.saved.journal.clone(),
            host_name: "Ann".to_owned(),
        };
        let folder = home.path().join("quadrille");
        fs::create_dir_all(&folder).unwrap();
        // Opening a table removes the leftovers of a killed one.
        let _ = fs::remove_file(folder.join("quixo"));
        let mut command = at(home.path(), &["table", "open"]);
        command.stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let mut stdin = process.stdin.take().unwrap();
        stdin.write_all(opening.write(table).as_bytes()).unwrap();
        drop(stdin);
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.starts_with("ready "), "{line}");
        OpenTable { socket: folder.join("quixo"), home, process }
    }

    /// Kills the process. Reads the match from the journal, as a resume does; `begun` is the same match at its start.
    pub fn kill(self, mut begun: Table) -> (TempDir, Table) {
        let journal = HostFile::read(&self.socket).unwrap().journal.unwrap();
        let home = self.crash();
        let store = MatchStore::open(&home.path().join("quadrille")).unwrap();
        store.resume(&journal).unwrap().replay(begun.session_mut()).unwrap();
        begun.saved.journal = Some(journal);
        (home, begun)
    }

    fn connect(&self) -> Client {
        Client::new(UnixStream::connect(&self.socket).unwrap())
    }

    /// Connects Ann and Bob at their seats.
    fn two_people(&self) -> [Client; 2] {
        let mut ann = self.connect();
        ann.greet(&format!("hello Ann token {TOKEN}"));
        let mut bob = self.connect();
        bob.greet("hello Bob");
        [ann, bob]
    }

    /// Kills the process, and leaves everything as it is.
    pub fn crash(mut self) -> TempDir {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        std::mem::replace(&mut self.home, tempfile::tempdir().unwrap())
    }

    fn journals(&self) -> String {
        files(&self.home.path().join("quadrille/matches"), "journal").join("\n")
    }

    fn proc(&self, file: &str) -> String {
        fs::read_to_string(format!("/proc/{}/{file}", self.process.id())).unwrap()
    }

    /// Returns the voluntary context switches of all its threads.
    fn waits(&self) -> u64 {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.process.id())).unwrap();
        let status =
            tasks.map(|task| fs::read_to_string(task.unwrap().path().join("status")).unwrap());
        let count = |status: String| number(&status, "voluntary_ctxt_switches:");
        status.map(count).sum()
    }

    /// In KiB.
    fn memory(&self) -> u64 {
        number(&self.proc("smaps_rollup"), "Private_Dirty:")
    }

    fn wait_for_end(&mut self) {
        let end = Instant::now() + EVENT_TIMEOUT;
        while self.process.try_wait().unwrap().is_none() {
            assert!(Instant::now() < end, "the table refers to a position unknown here");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for OpenTable {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Returns the program with its state and sockets in this directory.
fn at(home: &Path, args: &[&str]) -> Command {
    let mut command = command(home, args);
    command.env_remove("USER").env("LOGNAME", "eve");
    command
}

fn number(text: &str, key: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

fn files(folder: &Path, extension: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let of_kind = entries.filter(|path| path.extension().is_some_and(|ending| ending == extension));
    of_kind.map(|path| fs::read_to_string(path).unwrap()).collect()
}

struct Client {
    stream: UnixStream,
    lines: BufReader<UnixStream>,
    /// The token of its seat, after the welcome.
    token: String,
}

impl Client {
    fn new(stream: UnixStream) -> Client {
        stream.set_read_timeout(Some(EVENT_TIMEOUT)).unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap());
        Client { lines, stream, token: String::new() }
    }

    fn send(&mut self, line: &str) {
        self.stream.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// Returns the next line; `None` at the end.
    fn next_line(&mut self) -> Option<String> {
        let mut line = String::new();
        match self.lines.read_line(&mut line) {
            Ok(0) => None,
            Ok(_) => Some(line.trim_end_matches('\n').to_owned()),
            Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// Returns the next line with this prefix.
    fn wait_for(&mut self, word: &str) -> String {
        loop {
            let line = self.next_line().unwrap_or_else(|| panic!("the end, before {word}"));
            if line.starts_with(word) {
                return line;
            }
        }
    }

    fn greet(&mut self, hello: &str) {
        self.send(GREETING);
        self.wait_for("quadrille-table 2 ");
        self.send(hello);
        self.hear_welcome();
        self.send("have 0 0");
        self.wait_for("have ");
    }

    fn hear_welcome(&mut self) {
        let welcome = self.wait_for("welcome ");
        welcome.rsplit(' ').next().unwrap().clone_into(&mut self.token);
    }

    fn rest(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.next_line()).collect()
    }
}

/// Returns `play a1` from `log 3 1200 1 play a1`.
fn step(line: &str) -> &str {
    line.splitn(5, ' ').nth(4).unwrap()
}

#[test]
fn step_is_on_disk_before_it_is_announced() {
    let mut table = OpenTable::open("tic-tac-toe");
    let mut people = table.two_people();
    for (number, mv) in (1..).zip(["a1", "b1", "a2", "b2", "a3"]) {
        let mover = (number - 1) % 2;
        people[mover].send(&format!("propose {number} play {mv}"));
        let heard = people[1 - mover].wait_for("log ");
        assert_eq!(step(&heard), format!("play {mv}"));
        assert!(table.journals().contains(step(&heard)), "{heard}\n{}", table.journals());
        people[mover].wait_for("log ");
    }
    let host = HostFile::read(&table.socket).unwrap();
    assert!(host.token == TOKEN && host.journal.is_some(), "{host:?}");
    // A finished match becomes a record, and everything is cleaned up before the last line.
    let [mut ann, mut bob] = people;
    bob.send("close");
    bob.wait_for("refused 0 only the host");
    ann.send("close");
    assert!(bob.rest().last().unwrap().starts_with("closed "));
    assert!(!table.socket.exists() && HostFile::read(&table.socket).is_err());
    assert_eq!(table.journals(), "");
    assert_eq!(files(&table.home.path().join("quadrille/records"), "game").len(), 1);
    table.wait_for_end();
}

#[test]
fn floods_noise_and_silence_do_not_delay_or_grow_the_table() {
    let table = OpenTable::open("quixo");
    let mut people = table.two_people();
    // The first bytes of many kinds of noise.
    let mut noisy = table.connect();
    noisy.stream.write_all(&[0xff; 10_000]).unwrap();
    assert!(noisy.rest().last().unwrap().starts_with("no "));
    let mut long = table.connect();
    long.greet("hello Eve watch");
    long.send(&"x".repeat(5000));
    assert_eq!(long.rest().last().unwrap(), "no a line is longer than 4 KiB");
    // Of the silent clients, the oldest are dropped for new ones.
    let mut silent: Vec<Client> = (0..40).map(|_| table.connect()).collect();
    assert_eq!(silent[0].next_line().unwrap(), "full");
    // A client that sends all the time, and never reads.
    let before = table.memory();
    let mut flood = table.connect();
    flood.send(GREETING);
    flood.wait_for("quadrille-table 2 ");
    flood.send("hello Flo watch");
    flood.wait_for("welcome ");
    flood.stream.set_nonblocking(true).unwrap();
    let words = "ping 1234567890\nhave 0 0\nsay x\npropose 1 play x\nask rematch\n".repeat(1000);
    let begun = Instant::now();
    let mut taken = 0;
    for number in 1.. {
        while let Ok(length @ 1..) = flood.stream.write(words.as_bytes()) {
            taken += length;
        }
        people[0].send(&format!("ping {number}"));
        people[0].wait_for(&format!("pong {number}"));
        if number == 30 {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    assert!(begun.elapsed() < EVENT_TIMEOUT / 2);
    assert!(taken < 1 << 20, "{taken} bytes were taken");
    let more = table.memory().saturating_sub(before);
    assert!(more < 1024, "{more} KiB more");
    people[0].send(&format!("propose 1 play {}", first_move("quixo")));
    people[1].wait_for("log 1 ");
}

#[test]
fn stalled_guest_is_disconnected_and_informed_on_return() {
    let mut long = table("quixo", None);
    long.play(&first_move("quixo"), Duration::ZERO).unwrap();
    // More than the socket buffers hold.
    for number in 0..10_000 {
        long.apply(Actor::Table, &Step::GoTo(number % 2), Duration::ZERO).unwrap();
    }
    let idle = Duration::from_secs(600);
    let table = OpenTable::open_with(tempfile::tempdir().unwrap(), &long, idle);
    let mut ann = table.connect();
    ann.greet(&format!("hello Ann token {TOKEN}"));
    let mut deaf = table.connect();
    deaf.send(&format!("{GREETING}\nhello Bob"));
    deaf.hear_welcome();
    deaf.send("have 0 0");
    ann.wait_for("presence Bob here 2");
    ann.wait_for("presence Bob slow 2");
    let mut bob = table.connect();
    bob.greet(&format!("hello Bob token {}", deaf.token));
    bob.wait_for("refused 0 disconnected: your connection stalled for ten seconds");
}

#[test]
fn constant_reconnects_do_not_delay_others() {
    let table = OpenTable::open("quixo");
    let [mut ann, _bob] = table.two_people();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    drop(UnixStream::connect(&table.socket));
                }
            });
        }
        ann.stream.set_read_timeout(Some(EVENT_TIMEOUT / 2)).unwrap();
        let answered = (0..10).all(|number| {
            ann.send(&format!("ping {number}"));
            let lines = ann.lines.by_ref().lines();
            lines.map_while(Result::ok).any(|line| line == format!("pong {number}"))
        });
        is_over.store(true, Relaxed);
        assert!(answered);
    });
}

#[test]
fn idle_table_does_not_wake_up_and_has_no_port() {
    let table = OpenTable::open("quixo");
    let mut people = table.two_people();
    people[0].send("ping x");
    people[0].wait_for("pong");
    thread::sleep(Duration::from_millis(300));
    let before = table.waits();
    thread::sleep(Duration::from_secs(3));
    assert_eq!(table.waits(), before);
    // It has no internet sockets.
    let fds = fs::read_dir(format!("/proc/{}/fd", table.process.id())).unwrap();
    let targets = fds.map(|fd| fs::read_link(fd.unwrap().path()).unwrap());
    let targets: Vec<String> = targets.map(|to| to.to_string_lossy().into_owned()).collect();
    let inodes: Vec<&str> = targets
        .iter()
        .filter_map(|target| target.strip_prefix("socket:[")?.strip_suffix(']'))
        .collect();
    assert!(inodes.len() >= 3, "{targets:?}");
    for file in ["net/tcp", "net/tcp6", "net/udp"] {
        let Ok(open) = fs::read_to_string(format!("/proc/{}/{file}", table.process.id())) else {
            continue;
        };
        let is_ours = |line: &str| {
            line.split_whitespace().nth(9).is_some_and(|inode| inodes.contains(&inode))
        };
        assert!(!open.lines().any(is_ours), "{open}");
    }
    // It has detached from the terminal that opened it.
    for fd in ["fd/0", "fd/1", "fd/2"] {
        let target = fs::read_link(format!("/proc/{}/{fd}", table.process.id())).unwrap();
        assert_eq!(target, Path::new("/dev/null"));
    }
    let session =
        table.proc("stat").rsplit_once(") ").unwrap().1.split(' ').nth(3).unwrap().to_owned();
    assert_eq!(session, table.process.id().to_string(), "a session of its own");
}

#[test]
fn signal_or_long_absence_ends_the_table_and_keeps_the_match() {
    let mut table = OpenTable::open("quixo");
    let mut people = table.two_people();
    people[0].send(&format!("propose 1 play {}", first_move("quixo")));
    people[1].wait_for("log 1 ");
    let pid = rustix::process::Pid::from_child(&table.process);
    rustix::process::kill_process(pid, rustix::process::Signal::HUP).unwrap();
    people[0].send("ping x");
    people[0].wait_for("pong");
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    for person in &mut people {
        let last = person.rest().pop().unwrap();
        assert_eq!(last, "closed the table was told to stop; match saved; join again to return");
    }
    table.wait_for_end();
    assert!(table.journals().contains(&first_move("quixo")) && !table.socket.exists());

    let home = tempfile::tempdir().unwrap();
    let mut short =
        OpenTable::open_with(home, &self::table("quixo", Some("300+5")), Duration::from_secs(1));
    let mut people = short.two_people();
    people[0].send(&format!("propose 1 play {}", first_move("quixo")));
    people[1].wait_for("log 1 ");
    drop(people);
    short.wait_for_end();
    assert!(short.journals().contains(&first_move("quixo")) && !short.socket.exists());
}

#[test]
fn clock_runs_while_a_line_is_down() {
    let home = tempfile::tempdir().unwrap();
    let table = OpenTable::open_with(home, &table("quixo", Some("60+0")), Duration::from_secs(600));
    let [mut ann, mut bob] = table.two_people();
    for person in [&mut ann, &mut bob] {
        person.send("ready");
    }
    bob.wait_for("clock 0 runs");
    ann.send(&format!("propose 1 play {}", first_move("quixo")));
    let moved = bob.wait_for("log 1 ");
    let moved_at: u64 = moved.split(' ').nth(2).unwrap().parse().unwrap();
    let token = bob.token.clone();
    drop(bob);
    ann.wait_for("presence Bob away");
    let away = Duration::from_millis(700);
    thread::sleep(away);
    let mut bob = table.connect();
    bob.greet(&format!("hello Bob token {token}"));
    let told = bob.wait_for("clock ");
    let told: Vec<&str> = told.split(' ').collect();
    assert_eq!(told[2], "runs");
    let at: u64 = told[1].parse().unwrap();
    assert!(u128::from(at - moved_at) >= away.as_millis(), "{at} after {moved_at}");
}

#[test]
fn table_reports_a_lost_match() {
    let mut table = OpenTable::open("quixo");
    let mut people = table.two_people();
    people[0].send(&format!("propose 1 play {}", first_move("quixo")));
    people[1].wait_for("log 1 ");
    let matches = table.home.path().join("quadrille/matches");
    fs::remove_dir_all(&matches).unwrap();
    fs::write(&matches, "").unwrap();
    people[0].send("close");
    for person in &mut people {
        let last = person.rest().pop().unwrap();
        assert!(last.starts_with("closed the table has ended and the match is lost: "), "{last}");
    }
    table.wait_for_end();
}

#[test]
fn replaced_table_ends_without_touching_its_successor() {
    let mut table = OpenTable::open("quixo");
    let [mut ann, bob] = table.two_people();
    // Another table takes its name.
    let other = table.home.path().join("other");
    let next = UnixListener::bind(&other).unwrap();
    fs::rename(&other, &table.socket).unwrap();
    drop(bob);
    ann.wait_for("presence Bob away");
    ann.send(&format!("propose 1 play {}", first_move("quixo")));
    ann.wait_for("log 1 ");
    ann.send("bye");
    table.wait_for_end();
    assert!(table.journals().contains(&first_move("quixo")));
    UnixStream::connect(&table.socket).unwrap();
    drop(next);
}

#[test]
fn removed_socket_is_recreated() {
    let table = OpenTable::open("quixo");
    let [mut ann, bob] = table.two_people();
    for _ in 0..3 {
        fs::remove_dir_all(table.socket.parent().unwrap().join("matches")).unwrap_or_default();
        fs::remove_file(&table.socket).unwrap();
        wait_until("socket", String::new, || UnixStream::connect(&table.socket).is_ok());
    }
    assert_eq!(HostFile::read(&table.socket).unwrap().token, TOKEN);
    // Connected clients notice nothing, and new ones find it.
    ann.send("ping x");
    ann.wait_for("pong x");
    drop(bob);
    table.connect().greet("hello Eve watch");
}

#[test]
fn only_a_pinging_peer_becomes_away_on_silence() {
    let table = OpenTable::open("quixo");
    let [mut ann, mut bob] = table.two_people();
    bob.send("ping x");
    let pinged = Instant::now();
    let ends = "presence Bob away";
    let away = loop {
        // Ann's terminal sends nothing.
        let line = ann.next_line().unwrap();
        if line.starts_with(ends) {
            break pinged.elapsed();
        }
    };
    assert!((20..=25).contains(&away.as_secs()), "{away:?}");
    assert_eq!(bob.rest().last().unwrap(), "pong x");
    ann.send("ping x");
    ann.wait_for("pong x");
}

#[test]
fn the_bridge_vouches_for_a_name_and_ends_with_either_side() {
    let table = OpenTable::open("quixo");
    let bridge = || {
        let mut child =
            at(table.home.path(), &["table", "connect", "--as", "Bob"]).spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        (child, stdin, BufReader::new(stdout))
    };
    let (mut child, mut stdin, mut stdout) = bridge();
    writeln!(stdin, "{GREETING}\nhello Eve\nhave 0 0").unwrap();
    let mut line = String::new();
    while !line.starts_with("presence Bob here 2") {
        line.clear();
        assert!(stdout.read_line(&mut line).unwrap() > 0);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
    let (mut child, mut stdin, mut stdout) = bridge();
    writeln!(stdin, "{GREETING}").unwrap();
    stdout.read_line(&mut line).unwrap();
    drop(table);
    stdout.read_to_string(&mut line).unwrap();
    assert!(child.wait().unwrap().success());
    drop(stdin);
}

#[test]
fn guest_behind_a_bridge_cannot_choose_a_verified_name() {
    let table = OpenTable::open("quixo");
    let begin = "quadrille-table 2 x\n";
    // The bridge reads 4096 bytes at a time: in the last text the word is split.
    let filler = "x".repeat(4096 - begin.len() - "\na".len());
    for text in [
        "as Bob\n",
        "key AAAA\n",
        &format!("{begin}as Bob\n"),
        &format!("{begin}key AAAA\n"),
        &format!("{begin}{filler}\nas Bob\n"),
    ] {
        let run = finish(&mut at(table.home.path(), &["table", "connect"]), text.as_bytes());
        assert_eq!(
            (run.status, &*run.err),
            (1, "a guest cannot choose a verified name; use --as\n")
        );
    }
}

#[test]
fn tables_are_listed_and_join_reports_a_missing_table() {
    let home = tempfile::tempdir().unwrap();
    let run = |home: &Path, args: &[&str]| finish(&mut at(home, args), b"");
    let none = "no open tables here; open one with quadrille play GAME --seat 2=guest, or join one on another \
        machine with quadrille join ann@host";
    assert_eq!(run(home.path(), &["join"]).fails(1), none);
    assert_eq!(run(home.path(), &["tables", "--json"]).ok(), "[]\n");
    let nothing = "No open tables. Open one with quadrille play GAME --seat 2=guest.\n";
    assert_eq!(run(home.path(), &["tables"]).ok(), nothing);
    let table = OpenTable::open_with(home, &table("quixo", None), Duration::from_secs(600));
    let home = table.home.path();
    assert_eq!(run(home, &["tables"]).ok(), "quixo: Quixo, 1 Ann (away), 2 free, 0 moves\n");
    let mut people = table.two_people();
    people[0].send(&format!("propose 1 play {}", first_move("quixo")));
    people[1].wait_for("log 1 ");
    assert_eq!(run(home, &["tables"]).ok(), "quixo: Quixo, 1 Ann, 2 Bob, 1 move\n");
    let missing = "no open table nim; open tables: quixo";
    // A guest does not learn about other tables.
    let unknown = "no open table nim here";
    assert_eq!(run(home, &["table", "connect", "nim"]).fails(1), unknown);
    assert_eq!(run(home, &["table", "close", "nim"]).fails(1), missing);
    let advice = "; quadrille join nim: connects to the ssh host nim";
    assert_eq!(run(home, &["join", "nim"]).fails(1), format!("{missing}{advice}"));
    let other = UnixListener::bind(home.join("quadrille/quixo-2")).unwrap();
    let several = "several open tables: quixo and quixo-2; choose one by name";
    let unnamed = "several open tables; choose one by name";
    assert_eq!(run(home, &["table", "connect"]).fails(1), unnamed);
    assert_eq!(run(home, &["join"]).fails(1), format!("{several}, as in quadrille join NAME"));
    drop(other);
    let port = run(home, &["join", "ann@localhost:2222:quixo"]).fails(2);
    assert!(port.ends_with("set QUADRILLE_SSH='ssh -p PORT', or Port in ~/.ssh/config"), "{port}");
    let hyphen = run(home, &["join", "--", "-oProxyCommand=x:"]).fails(2);
    assert_eq!(hyphen, "-oProxyCommand=x:: a host name cannot begin with a hyphen");
    // The leftovers of a killed table are removed.
    let socket = table.socket.clone();
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("quadrille")).unwrap();
    fs::set_permissions(
        home.path().join("quadrille"),
        std::os::unix::fs::PermissionsExt::from_mode(0o700),
    )
    .unwrap();
    let left = home.path().join("quadrille/quixo");
    drop(UnixListener::bind(&left).unwrap());
    assert_eq!(run(home.path(), &["tables"]).ok(), nothing);
    assert!(!left.exists() && socket.exists());
}
