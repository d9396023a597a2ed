mod process;
mod run;

use process::Usage;
use quadrille_table::catalogue::GAMES;
use run::{Program, Run};
use std::time::Duration;
use std::{env, fs, thread};

const ROUNDS: usize = 8;
/// The number of starts per round that only time the first screen. One more start then enters a match.
const STARTS: usize = 5;
/// The number of single cursor keys per round.
const KEYS: usize = 40;
/// The number of cursor keys then sent at once.
const STORM: usize = 200;
/// The duration of the idle measurement.
const IDLE: Duration = Duration::from_secs(10);

/// The cursor moves in a circle, so that no key is lost at the edge of a board.
const CURSOR: [&str; 4] = ["\x1b[C", "\x1b[B", "\x1b[D", "\x1b[A"];

#[derive(Default)]
struct Figures {
    /// From the start of the process to the last byte of its first screen.
    paint: Vec<Duration>,
    /// From a key to the last byte of its output.
    key: Vec<Duration>,
    bytes: Vec<usize>,
    /// From [`STORM`] keys at once to the last byte of their output.
    storm: Vec<Duration>,
    /// In KiB.
    resident: Vec<u64>,
    /// Resource usage and bytes written while idle.
    idle: (Usage, usize),
}

impl Figures {
    fn measure(&mut self, program: &Program) {
        for _ in 0..STARTS {
            self.paint.push(Run::start(program).1);
        }
        let (mut run, paint) = Run::start(program);
        self.paint.push(paint);
        run.enter_match(program);
        for key in CURSOR.iter().cycle().take(KEYS) {
            let answer = run.press(key);
            self.bytes.push(answer.bytes);
            self.key.extend(answer.last);
        }
        // The last key is changed so that the cursor does not end where it began: a program that draws only the final
        // screen must have something to draw.
        let storm = CURSOR.iter().cycle().take(STORM - 1).chain([&CURSOR[1]]);
        self.storm.extend(run.press_all(&storm.copied().collect::<String>()).last);
        self.resident.push(process::resident(run.process()));
    }

    fn idle(&mut self, program: &Program) {
        let (mut run, _) = Run::start(program);
        run.enter_match(program);
        run.take_written();
        let before = Usage::of(run.process());
        thread::sleep(IDLE);
        self.idle = (Usage::of(run.process()).since(before), run.take_written());
    }

    /// Returns the cells of this program's column, in the order of [`ROWS`]. A program may draw nothing on a key.
    fn cells(mut self, program: &Program) -> [String; 10] {
        let (usage, bytes) = self.idle;
        let size = fs::metadata(&program.path).unwrap().len();
        let milliseconds = |times: &mut [Duration], percent| {
            cell(quantile(times, percent), |time| format!("{:.2} ms", time.as_secs_f64() * 1e3))
        };
        [
            milliseconds(&mut self.paint, 50),
            milliseconds(&mut self.key, 50),
            milliseconds(&mut self.key, 95),
            cell(quantile(&mut self.bytes, 50), |bytes| bytes.to_string()),
            milliseconds(&mut self.storm, 50),
            format!("{:.3} %", 100.0 * usage.cpu.as_secs_f64() / IDLE.as_secs_f64()),
            format!("{:.1}/s", usage.switches as f64 / IDLE.as_secs_f64()),
            bytes.to_string(),
            cell(quantile(&mut self.resident, 50), |kib| format!("{:.1} MiB", kib as f64 / 1024.0)),
            format!("{:.1} MB", size as f64 / 1e6),
        ]
    }
}

const ROWS: [&str; 10] = [
    "start to full first screen, p50",
    "key to settled screen, p50",
    "key to settled screen, p95",
    "bytes written a cursor key, p50",
    "many keys at once, p50",
    "idle: CPU",
    "idle: context switches",
    "idle: bytes written",
    "RSS in a match",
    "binary",
];

/// Measures Quadrille in each game, and the other program, if any, and prints the table.
pub fn compare() {
    let ours = env!("CARGO_BIN_EXE_quadrille");
    let game = |id: &str| Program::new(id, &format!("{ours} play {id}"), "");
    let mut programs: Vec<Program> = GAMES.iter().map(|entry| game(entry.id)).collect();
    if let Ok(peer) = env::var("QUADRILLE_PEER") {
        let name = peer.split_whitespace().next().unwrap_or_default();
        let name = name.rsplit('/').next().unwrap_or_default();
        let keys = env::var("QUADRILLE_PEER_KEYS").unwrap_or_default();
        programs.push(Program::new(name, &peer, &keys));
    }
    let mut figures: Vec<Figures> = programs.iter().map(|_| Figures::default()).collect();
    for _ in 0..ROUNDS {
        for (figures, program) in figures.iter_mut().zip(&programs) {
            figures.measure(program);
        }
    }
    for (figures, program) in figures.iter_mut().zip(&programs) {
        figures.idle(program);
    }
    let columns: Vec<_> = figures.into_iter().zip(&programs).map(|(f, p)| f.cells(p)).collect();
    print_row("", programs.iter().map(|program| &*program.name));
    print_row(&"-".repeat(32), programs.iter().map(|_| "-------------:"));
    for (row, what) in ROWS.iter().enumerate() {
        print_row(what, columns.iter().map(|column| &*column[row]));
    }
}

fn print_row<'a>(what: &str, cells: impl Iterator<Item = &'a str>) {
    print!("| {what:<32} |");
    for cell in cells {
        print!(" {cell:>14} |");
    }
    println!();
}

/// `None` without values.
fn quantile<T: Copy + Ord>(values: &mut [T], percent: usize) -> Option<T> {
    values.sort_unstable();
    let last = values.len().checked_sub(1)?;
    values.get((values.len() * percent / 100).min(last)).copied()
}

fn cell<T>(value: Option<T>, text: impl Fn(T) -> String) -> String {
    value.map_or("-".to_owned(), text)
}
