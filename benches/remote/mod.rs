//! Tables, their guests, and the echo for comparison.

use quadrille_match::session::{Actor, Conditions, Player, Session, Step};
use quadrille_match::store::MatchStore;
use quadrille_net::{Opening, Seating};
use quadrille_rules::Setup;
use quadrille_system::calendar;
use quadrille_table::catalogue;
use quadrille_table::play::Table;
use std::fs::{self, DirBuilder, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The argument with which this executable forwards lines instead of measuring.
pub const ECHO: &str = "--echo";

/// The number of measured moves at one table, after warm-up moves.
const MOVES: usize = 400;
const BEFORE: usize = 20;
/// The pause between moves. A table accepts twenty lines a second from each seat.
const PAUSE: Duration = Duration::from_millis(30);

const TABLES: usize = 200;
/// The number of moves at each table, one per second.
const SECONDS: u32 = 8;
/// The number of wakes.
const WAKES: usize = 100;

/// Forwards lines from the first client to the second, first writing them to a file if the line asks for it.
pub fn echo(folder: &str) {
    let listener = UnixListener::bind(Path::new(folder).join("echo")).unwrap();
    println!("ready");
    let from = listener.accept().unwrap().0;
    let mut to = listener.accept().unwrap().0;
    let mut file = File::create(Path::new(folder).join("echo.lines")).unwrap();
    for line in BufReader::new(from).lines() {
        let line = line.unwrap() + "\n";
        if line.starts_with("disk") {
            file.write_all(line.as_bytes()).unwrap();
            file.sync_data().unwrap();
        }
        to.write_all(line.as_bytes()).unwrap();
    }
}

pub fn measure() {
    turns();
    one_table();
    many_tables();
    wakes();
}

/// A line-based socket connection.
struct Line {
    stream: UnixStream,
    lines: BufReader<UnixStream>,
}

impl Line {
    fn to(socket: &Path) -> Line {
        let stream = UnixStream::connect(socket).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        Line { lines: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    fn guest(socket: &Path, name: &str) -> Line {
        let mut line = Line::to(socket);
        line.send("quadrille-table 2 bench");
        line.wait_for("quadrille-table ");
        line.send(&format!("hello {name}"));
        line.wait_for("welcome ");
        line.send("have 0 0");
        line.wait_for("have ");
        line
    }

    fn send(&mut self, line: &str) {
        self.stream.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    fn wait_for(&mut self, begin: &str) {
        let mut line = String::new();
        loop {
            line.clear();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "the end, before {begin}");
            assert!(!line.starts_with("refused"), "{line}");
            if line.starts_with(begin) {
                return;
            }
        }
    }
}

/// A table for two guests and their moves, in Dots and Boxes, which has enough of them.
struct BenchTable {
    process: Child,
    guests: [Line; 2],
    moves: Vec<(usize, String)>,
}

impl BenchTable {
    fn open(home: &TempDir, name: &str) -> BenchTable {
        let entry = catalogue::find("dots-and-boxes").unwrap();
        let players: Vec<Player> = ["guest", "guest"].map(|guest| guest.parse().unwrap()).into();
        let setup = "size=16".parse().unwrap();
        let mut table = Table::new(entry, &setup, Conditions::from(players)).unwrap();
        let process = start(home, name, &table);
        let socket = home.path().join("quadrille").join(name);
        let guests = ["Ann", "Bob"].map(|name| Line::guest(&socket, name));
        let mut moves = Vec::new();
        while moves.len() < BEFORE + MOVES {
            let game = table.current_match();
            let (mover, mv) = (game.to_move().unwrap(), game.legal_moves().swap_remove(0));
            let step = Step::Play(mv.clone());
            table.apply(Actor::Seat(mover), &step, Duration::from_secs(1)).unwrap();
            moves.push((mover.index(), mv));
        }
        BenchTable { process, guests, moves }
    }

    /// Plays a move, and returns the latency for the other guest.
    fn play(&mut self, ply: usize) -> Duration {
        let (mover, mv) = &self.moves[ply];
        let number = ply + 1;
        let begun = Instant::now();
        self.guests[*mover].send(&format!("propose {number} play {mv}"));
        self.guests[1 - mover].wait_for(&format!("log {number} "));
        let took = begun.elapsed();
        self.guests[*mover].wait_for(&format!("log {number} "));
        took
    }

    /// In KiB.
    fn private_memory(&self) -> u64 {
        let path = format!("/proc/{}/smaps_rollup", self.process.id());
        let text = fs::read_to_string(path).unwrap();
        let private = text.lines().filter(|line| line.starts_with("Private_"));
        private.map(|line| line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap()).sum()
    }
}

impl Drop for BenchTable {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts the process of a table, and waits until guests can join.
fn start(home: &TempDir, name: &str, table: &Table) -> Child {
    let opening = Opening {
        seating: Seating {
            id: name.to_owned(),
            table: name.to_owned(),
            host_token: "thetokenofthehost".to_owned(),
            ..Seating::default()
        },
        idle: Duration::from_secs(60),
        pace: Duration::ZERO,
        journal: None,
        host_name: "Host".to_owned(),
    };
    // The process that opens a table makes the folder.
    let folder = home.path().join("quadrille");
    DirBuilder::new().recursive(true).mode(0o700).create(folder).unwrap();
    let mut command = quadrille(home);
    // As in the normal start of a table process.
    command.env("MALLOC_ARENA_MAX", "1").env("MALLOC_TRIM_THRESHOLD_", "65536");
    command.env("MALLOC_TOP_PAD_", "16384").args(["table", "open"]);
    let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = process.stdin.take().unwrap();
    stdin.write_all(opening.write(table).as_bytes()).unwrap();
    drop(stdin);
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("ready "), "{line}");
    process
}

/// Returns the program with its state and sockets in this folder.
fn quadrille(home: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    for folder in ["HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"]
    {
        command.env(folder, home.path());
    }
    command
}

/// The number of measured lists.
const LISTS: usize = 100;

/// Measures `quadrille turns` and `tables` for sleeping matches of half-played Quixo, from start to exit.
pub fn turns() {
    let home = tempfile::tempdir().unwrap();
    let state = home.path().join("quadrille");
    let store = MatchStore::open(&state).unwrap();
    fs::create_dir_all(state.join("seatings")).unwrap();
    for number in 0..TABLES {
        let players: Vec<Player> =
            ["Ann", "guest:Bob"].map(|player| player.parse().unwrap()).into();
        let conditions = Conditions::from(players).with_clock("14d".parse().ok());
        let start = (catalogue::find("quixo").unwrap().start)(&Setup::new()).unwrap();
        let mut session = Session::new(start, Setup::new(), conditions);
        let at = Duration::from_secs(1);
        session.apply(Actor::Table, Step::Begin(calendar::moment()), at).unwrap();
        for _ in 0..20 {
            let game = session.current_match();
            let Some(seat) = game.to_move() else { break };
            let mv = game.legal_moves().swap_remove(0);
            session.apply(Actor::Seat(seat), Step::Play(mv), at).unwrap();
        }
        let mut journal = store.begin(&session, "2026-11-20");
        journal.record(&session).unwrap();
        let seating = format!(
            "id id-{number}\ntable quixo-{number}\ntoken t\nwakes for guests\n\
             guest 2 token-{number} Bob uid 1000\n"
        );
        fs::write(state.join("seatings").join(journal.id()), seating).unwrap();
    }
    println!("{TABLES} sleeping matches, ms             p50     p95     p99");
    for (name, word) in [
        ("quadrille turns", "turns"),
        ("quadrille tables", "tables"),
        ("quadrille --version", "--version"),
    ] {
        let run = || {
            let begun = Instant::now();
            let output = quadrille(&home).arg(word).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            begun.elapsed()
        };
        print_times(name, (0..LISTS).map(|_| run()).collect());
    }
}

/// Measures the time from the start of `table connect` to the welcome of a table that it wakes, compared with one that
/// is open.
pub fn wakes() {
    let home = tempfile::tempdir().unwrap();
    let entry = catalogue::find("quixo").unwrap();
    let players: Vec<Player> = ["Ann", "guest"].map(|player| player.parse().unwrap()).into();
    let conditions = Conditions::from(players).with_clock("3d".parse().ok());
    let table = Table::new(entry, &"".parse().unwrap(), conditions).unwrap();
    let mut process = start(&home, "quixo", &table);
    process.kill().unwrap();
    process.wait().unwrap();
    let mut took = [Vec::new(), Vec::new()];
    for _ in 0..WAKES {
        let (time, _first) = visit(&home);
        took[0].push(time);
        let (time, _second) = visit(&home);
        took[1].push(time);
        for id in table_processes(&home) {
            kill(id);
        }
        while !table_processes(&home).is_empty() {
            thread::sleep(Duration::from_millis(1));
        }
    }
    println!("\n{WAKES} first connections, ms           p50     p95     p99");
    for (name, times) in ["to a sleeping table", "to an open table"].into_iter().zip(took) {
        print_times(name, times);
    }
    let (_, mut visitor) = visit(&home);
    visitor.kill().unwrap();
    visitor.wait().unwrap();
    let begun = Instant::now();
    while !table_processes(&home).is_empty() {
        thread::sleep(Duration::from_millis(20));
    }
    println!("no process is left {:.1} s after the last player", begun.elapsed().as_secs_f64());
}

/// Connects as the host through the door, and returns how long that took.
fn visit(home: &TempDir) -> (Duration, Child) {
    let begun = Instant::now();
    let mut command = quadrille(home);
    command.args(["table", "connect", "quixo"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut bridge = command.spawn().unwrap();
    let stdin = bridge.stdin.as_mut().unwrap();
    stdin.write_all(b"quadrille-table 2 bench\nhello Ann token thetokenofthehost\n").unwrap();
    let stdout = bridge.stdout.take().unwrap();
    let mut lines = BufReader::new(stdout).lines().map(Result::unwrap);
    lines.find(|line| line.starts_with("welcome ")).expect("a welcome");
    (begun.elapsed(), bridge)
}

/// Returns the processes of tables with this home.
fn table_processes(home: &TempDir) -> Vec<u32> {
    let home = format!("HOME={}", home.path().display());
    let ids = fs::read_dir("/proc").unwrap().flatten();
    let ids = ids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_table = |id: &u32| {
        let read = |file: &str| fs::read(format!("/proc/{id}/{file}")).unwrap_or_default();
        let (words, variables) = (read("cmdline"), read("environ"));
        words.ends_with(b"\0table\0open\0")
            && variables.split(|byte| *byte == 0).any(|variable| variable == home.as_bytes())
    };
    ids.filter(is_table).collect()
}

fn kill(process: u32) {
    let process = rustix::process::Pid::from_raw(process as i32).unwrap();
    let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
}

/// A process that forwards lines.
struct Echo {
    process: Child,
    from: Line,
    to: Line,
}

impl Echo {
    fn start(home: &TempDir) -> Echo {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.arg(ECHO).arg(home.path()).stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let socket = home.path().join("echo");
        Echo { process, from: Line::to(&socket), to: Line::to(&socket) }
    }

    fn pass(&mut self, line: &str) -> Duration {
        let begun = Instant::now();
        self.from.send(line);
        self.to.wait_for(line);
        begun.elapsed()
    }
}

impl Drop for Echo {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn one_table() {
    let home = tempfile::tempdir().unwrap();
    let mut echo = Echo::start(&home);
    let mut table = BenchTable::open(&home, "one");
    let mut took = [Vec::new(), Vec::new(), Vec::new()];
    for ply in 0..BEFORE + MOVES {
        let times = [echo.pass("line"), echo.pass("disk"), table.play(ply)];
        if ply >= BEFORE {
            took.iter_mut().zip(times).for_each(|(all, time)| all.push(time));
        }
        thread::sleep(PAUSE);
    }
    println!("one table, {MOVES} moves, ms            p50     p95     p99");
    let names = ["a bare echo", "with a write to disk", "a move at a table"];
    for (name, times) in names.into_iter().zip(took) {
        print_times(name, times);
    }
}

fn many_tables() {
    let home = tempfile::tempdir().unwrap();
    let mut tables: Vec<BenchTable> =
        (0..TABLES).map(|number| BenchTable::open(&home, &format!("t{number}"))).collect();
    let took = once_a_second(tables.iter_mut(), |table, second| table.play(second));
    let mut memory: Vec<u64> = tables.iter().map(BenchTable::private_memory).collect();
    drop(tables);
    let file = |number| File::create(home.path().join(format!("f{number}"))).unwrap();
    let files: Vec<File> = (0..TABLES).map(file).collect();
    let written = once_a_second(files.iter(), |file, _| {
        let begun = Instant::now();
        file.write_all(b"log 1 1000 1 play H0,0\n").unwrap();
        file.sync_data().unwrap();
        begun.elapsed()
    });
    memory.sort_unstable();
    println!("\n{TABLES} at once, one a second each, ms   p50     p95     p99");
    print_times("a bare write to disk", written);
    print_times("a move at a table", took);
    let (half, most) = (memory[TABLES / 2], memory[TABLES - 1]);
    println!("\nprivate memory of a table, KiB: p50 {half}, most {most}");
}

/// Performs an action once a second with each item, staggered, and returns the durations.
fn once_a_second<T: Send>(
    all: impl ExactSizeIterator<Item = T>,
    act: impl Fn(&mut T, usize) -> Duration + Sync,
) -> Vec<Duration> {
    let (begun, count) = (Instant::now() + Duration::from_millis(200), all.len() as u32);
    let act_in_turn = |(number, mut one): (u32, T)| {
        let first = begun + Duration::from_secs(1) * number / count;
        let turn = |second: u32| {
            let due = first + Duration::from_secs(1) * second;
            thread::sleep(due.saturating_duration_since(Instant::now()));
            act(&mut one, second as usize)
        };
        (0..SECONDS).map(turn).collect::<Vec<_>>()
    };
    thread::scope(|scope| {
        let each: Vec<_> =
            (0..).zip(all).map(|one| scope.spawn(move || act_in_turn(one))).collect();
        each.into_iter().flat_map(|one| one.join().unwrap()).collect()
    })
}

fn print_times(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let millis = |part: usize| times[(times.len() - 1) * part / 100].as_secs_f64() * 1e3;
    println!("{name:32}{:8.2}{:8.2}{:8.2}", millis(50), millis(95), millis(99));
}
