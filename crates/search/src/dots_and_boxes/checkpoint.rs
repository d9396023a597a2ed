//! The state of a search as bytes: the proven bounds of the position, and all entries of the table.
//!
//! It is written while the search goes on. A table that grows meanwhile moves entries to its end, which is
//! written last, so the worst is that some entries are written twice.
//!
//! Format, in words of 8 bytes, little-endian: a fingerprint, the undrawn lines, the window (three words), and
//! then blocks. A block is its number of buckets, one byte for each bucket with its number of entries, and the
//! entries of two words each. A block with 0 buckets is the end.

use super::graph::{Graph, LineSet};
use super::table::{DotsEntry, DotsTable, DotsTableMemory};
use super::window::Window;
use crate::bits::GOLDEN;
use crate::memory::Refused;
use std::io::{self, ErrorKind, Read, Write};

/// The most buckets of a block.
const BLOCK: usize = 1 << 10;

/// A number that changes whenever the code for keys, buckets or entries of the table changes, so that a search only
/// reads a table that its own version of the program has written. It is a hash of a small table into which
/// some positions of this board were put.
fn fingerprint(graph: &Graph) -> Result<u64, Refused> {
    const SPECIMENS: u32 = 200;
    let lines = graph.lines.len() as u32;
    let mut memory = DotsTableMemory::new(lines, 1 << 16)?;
    let mut table = memory.table();
    let mut print = 0xcbf2_9ce4_8422_2325_u64;
    // The hash of Fowler, Noll and Vo (FNV), by words.
    let mut add = |word: u64| print = (print ^ word).wrapping_mul(0x100_0000_01b3).rotate_left(29);
    add(u64::from(lines));
    for specimen in 0..SPECIMENS {
        let drawn = u64::from(specimen).wrapping_mul(GOLDEN);
        let open = !0 >> (64 - lines.clamp(1, 64)) & !(drawn & drawn >> 7);
        let left = graph.position(open).left;
        let entry = DotsEntry { lower: -left, upper: left };
        table.put(graph.signature(open), left, open.count_ones().max(1), entry);
    }
    for bucket in 0..table.buckets() {
        for [first, second] in table.entries(bucket) {
            add(bucket);
            add(first);
            add(second);
        }
    }
    Ok(print)
}

/// Writes the state of a search: the undrawn lines `open` of its position, the window and the table. It gives up with
/// [`ErrorKind::Interrupted`] once `is_over` is true.
pub fn write(
    out: &mut dyn Write,
    graph: &Graph,
    open: LineSet,
    window: Window,
    table: &DotsTable<'_>,
    is_over: &dyn Fn() -> bool,
) -> io::Result<()> {
    let print = fingerprint(graph).map_err(|Refused| ErrorKind::OutOfMemory)?;
    let Window { lower, upper, goal } = window;
    for word in [print, open, lower as u64, upper as u64, goal as u64] {
        out.write_all(&word.to_le_bytes())?;
    }
    let mut first = 0;
    let (mut counts, mut entries) = (Vec::new(), Vec::new());
    loop {
        if is_over() {
            return Err(given_up());
        }
        counts.clear();
        entries.clear();
        let last = (first + BLOCK as u64).min(table.buckets());
        for bucket in first..last {
            let before = entries.len();
            for word in table.entries(bucket).flatten() {
                entries.extend_from_slice(&word.to_le_bytes());
            }
            counts.push(((entries.len() - before) / 16) as u8);
        }
        out.write_all(&(counts.len() as u64).to_le_bytes())?;
        if counts.is_empty() {
            return Ok(());
        }
        out.write_all(&counts)?;
        out.write_all(&entries)?;
        first = last;
    }
}

/// Fills an empty table from what was written for the position with the undrawn lines `open` and `left` boxes not
/// taken, and returns the window. A table that is smaller than the written one keeps the entries with more lines. A
/// larger one takes all, and can still grow.
pub fn read(
    input: &mut dyn Read,
    graph: &Graph,
    open: LineSet,
    left: i32,
    table: &mut DotsTable<'_>,
    is_over: &dyn Fn() -> bool,
) -> io::Result<Window> {
    let print = fingerprint(graph).map_err(|Refused| ErrorKind::OutOfMemory)?;
    if word(input)? != print || word(input)? != open {
        return Err(wrong("it was written by another version of this program"));
    }
    let [lower, upper, goal] = [word(input)?, word(input)?, word(input)?].map(|bits| bits as i64);
    let bounds = -i64::from(left)..=i64::from(left);
    if !(bounds.contains(&lower) && bounds.contains(&upper) && lower <= upper) {
        return Err(wrong("its bounds are not possible"));
    }
    let window = Window { lower: lower as i32, upper: upper as i32, goal: goal as i32 };
    let mut bucket = 0;
    let (mut counts, mut entries) = (Vec::new(), Vec::new());
    loop {
        if is_over() {
            return Err(given_up());
        }
        let buckets = word(input)?;
        if buckets == 0 {
            return Ok(window);
        }
        if buckets > BLOCK as u64 {
            return Err(wrong("its table is not one of this program"));
        }
        counts.resize(buckets as usize, 0);
        input.read_exact(&mut counts)?;
        entries.resize(counts.iter().map(|&count| usize::from(count)).sum::<usize>() * 16, 0);
        input.read_exact(&mut entries)?;
        let words = entries.as_chunks().0.iter().map(|&bytes| u64::from_le_bytes(bytes));
        let words: Vec<u64> = words.collect();
        let mut entries = words.as_chunks().0.iter();
        for &count in &counts {
            for &entry in entries.by_ref().take(usize::from(count)) {
                table.put_back(bucket, entry);
            }
            bucket += 1;
        }
    }
}

fn word(input: &mut dyn Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// The error when the search must end before all is written or read.
fn given_up() -> io::Error {
    ErrorKind::Interrupted.into()
}

fn wrong(what: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Checkpoint, Control, DotsAndBoxesEngine, Engine, Halt, Limits, NoTableCache, Report, Scope,
        Value,
    };
    use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

    const MIB: usize = 1 << 20;

    fn board(rows: u8, cols: u8) -> DotsAndBoxes {
        DotsAndBoxes::new(rows + 1, cols + 1).unwrap()
    }

    fn graph() -> Graph {
        Graph::new(&board(4, 5)).unwrap()
    }

    const WINDOW: Window = Window { lower: -4, upper: 6, goal: 2 };
    const LEFT: i32 = 20;

    /// Random keys, each with its entry and its number of lines.
    fn known(seed: u64, count: usize) -> impl Iterator<Item = (u128, DotsEntry, u32)> {
        let mut rng = fastrand::Rng::with_seed(seed);
        (0..count).map(move |_| {
            let key = rng.u128(..);
            let lower = (key % 5) as i32 * 2 - 10;
            let entry = DotsEntry { lower, upper: lower + 2 };
            (key, entry, 1 + (key >> 70) as u32 % 40)
        })
    }

    fn written(table: &DotsTable<'_>) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(&mut bytes, &graph(), 7, WINDOW, table, &|| false).unwrap();
        bytes
    }

    fn refill(bytes: &[u8], memory: &mut DotsTableMemory) -> io::Result<Window> {
        let mut rest = bytes;
        let window = read(&mut rest, &graph(), 7, LEFT, &mut memory.table(), &|| false)?;
        assert_eq!(rest, b"");
        Ok(window)
    }

    /// How many of these entries a table has. None may have changed.
    fn found(memory: &mut DotsTableMemory, seed: u64, count: usize, least_lines: u32) -> usize {
        let table = memory.table();
        let known = known(seed, count).filter(|(_, _, lines)| *lines >= least_lines);
        let there = known.filter_map(|(key, entry, _)| Some((table.get(key, LEFT)?, entry)));
        there.inspect(|(there, entry)| assert_eq!(there, entry)).count()
    }

    fn filled(bytes: usize, count: usize) -> DotsTableMemory {
        let mut memory = DotsTableMemory::new(49, bytes).unwrap();
        let mut table = memory.table();
        known(1, count).for_each(|(key, entry, lines)| table.put(key, LEFT, lines, entry));
        memory
    }

    #[test]
    fn a_table_of_the_same_size_or_a_larger_one_takes_all() {
        // One that still grows, and one that is full.
        for (budget, count) in [(64 * MIB, 100_000), (3 * MIB, 400_000)] {
            let mut memory = filled(budget, count);
            let bytes = written(&memory.table());
            let all = found(&mut memory, 1, count, 0);
            assert!(bytes.len() < all * 16 + memory.bytes() / 40 + 100, "{} {all}", bytes.len());
            for larger in [1, 2, 7] {
                let mut other = DotsTableMemory::new(49, budget * larger).unwrap();
                assert_eq!(refill(&bytes, &mut other).unwrap(), WINDOW);
                let kept = found(&mut other, 1, count, 0);
                assert!(kept >= all - all / 100, "{kept} of {all}");
                // Where there is room, the table still grows.
                let mut table = other.table();
                let before = table.buckets();
                known(2, 40_000).for_each(|(key, entry, lines)| table.put(key, LEFT, lines, entry));
                assert!(larger < 7 || table.buckets() >= before + 20_000);
            }
        }
    }

    #[test]
    fn a_smaller_table_keeps_what_has_more_lines() {
        let count = 400_000;
        let mut memory = filled(4 * MIB, count);
        let bytes = written(&memory.table());
        let mut smaller = DotsTableMemory::new(49, MIB).unwrap();
        refill(&bytes, &mut smaller).unwrap();
        let all = found(&mut memory, 1, count, 0);
        assert!(found(&mut smaller, 1, count, 0) > all / 5, "it is full");
        let most = found(&mut memory, 1, count, 38);
        let kept = found(&mut smaller, 1, count, 38);
        assert!(kept > most * 9 / 10, "{kept} of {most}");
    }

    /// Whatever other threads do to the table meanwhile, only entries that were stored are read back.
    #[test]
    fn it_is_written_while_others_fill_the_table() {
        let mut memory = DotsTableMemory::new(49, 16 * MIB).unwrap();
        let table = memory.table();
        let over = AtomicBool::new(false);
        let mut files = Vec::new();
        std::thread::scope(|threads| {
            for seed in [1, 2] {
                let mut table = table.clone();
                let over = &over;
                threads.spawn(move || {
                    while !over.load(Relaxed) {
                        let known = known(seed, 200_000);
                        known.for_each(|(key, entry, lines)| table.put(key, LEFT, lines, entry));
                    }
                });
            }
            while table.buckets() < 200_000 || files.len() < 12 {
                files.push(written(&table));
            }
            files.push(written(&table));
            over.store(true, Relaxed);
        });
        let mut most = 0;
        for bytes in files {
            let mut other = DotsTableMemory::new(49, 16 * MIB).unwrap();
            refill(&bytes, &mut other).unwrap();
            most = most.max([1, 2].map(|seed| found(&mut other, seed, 200_000, 0)).iter().sum());
        }
        assert!(most > 150_000, "{most}");
    }

    #[test]
    fn what_is_not_of_this_position_and_program_is_refused() {
        let mut memory = filled(MIB, 1000);
        let bytes = written(&memory.table());
        let refill = |bytes: &[u8], graph: &Graph, open| {
            let mut memory = DotsTableMemory::new(49, MIB).unwrap();
            let table = &mut memory.table();
            let window = read(&mut &bytes[..], graph, open, LEFT, table, &|| false);
            window.map_err(|error| error.to_string())
        };
        assert_eq!(refill(&bytes, &graph(), 7), Ok(WINDOW));
        let other = "it was written by another version of this program";
        assert_eq!(refill(&bytes, &graph(), 5).unwrap_err(), other);
        let turned = Graph::new(&board(5, 4)).unwrap();
        assert_eq!(refill(&bytes, &turned, 7).unwrap_err(), other);
        let with = |at: usize, word: i64| {
            let mut bytes = bytes.clone();
            bytes[at * 8..][..8].copy_from_slice(&word.to_le_bytes());
            refill(&bytes, &graph(), 7)
        };
        assert_eq!(with(0, 1).unwrap_err(), other);
        for (at, word) in [(2, -21), (2, 8), (3, 21), (3, i64::MIN)] {
            assert_eq!(with(at, word).unwrap_err(), "its bounds are not possible", "{at} {word}");
        }
        assert_eq!(with(5, 1025).unwrap_err(), "its table is not one of this program");
        assert!(refill(&bytes[..bytes.len() - 1], &graph(), 7).is_err());
        let stopped = read(&mut &bytes[..], &graph(), 7, LEFT, &mut memory.table(), &|| true);
        assert_eq!(stopped.unwrap_err().kind(), ErrorKind::Interrupted);
    }

    /// A checkpoint in memory.
    #[derive(Default)]
    struct InMemory {
        bytes: Mutex<Vec<u8>>,
        /// How often it was asked to save if it is due. Every 32nd time it is.
        asked: AtomicU32,
        /// How often it has saved.
        saved: AtomicU32,
        /// Whether loading fails.
        refuses: bool,
    }

    impl Checkpoint for InMemory {
        fn load(&self, read: &mut dyn FnMut(&mut dyn Read) -> io::Result<()>) -> bool {
            let bytes = self.bytes.lock().unwrap();
            !self.refuses && (bytes.is_empty() || read(&mut &bytes[..]).is_ok())
        }

        fn save_if_due(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
            if self.asked.fetch_add(1, Relaxed) % 32 == 31 {
                self.save(write);
            }
        }

        fn save(&self, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>) {
            let mut bytes = Vec::new();
            if write(&mut bytes).is_ok() {
                *self.bytes.lock().unwrap() = bytes;
            }
            self.saved.fetch_add(1, Relaxed);
        }
    }

    /// Solves a board from a checkpoint, with at most `nodes` positions. Returns the reports on the way, and the
    /// last one.
    fn solve(kept: &InMemory, nodes: Option<u64>) -> (Vec<Report<Line>>, Report<Line>) {
        let limits = Limits { nodes, memory: 32 * MIB, ..Limits::default() };
        let reports = Mutex::new(Vec::new());
        let on_report = |report: &Report<Line>| reports.lock().unwrap().push(report.clone());
        let stop = AtomicBool::new(false);
        let control =
            Control::new(&stop, limits, &NoTableCache, &on_report).with_checkpoint(Some(kept));
        let report = DotsAndBoxesEngine::default().analyse(&board(3, 4), Scope::Best, &control);
        (reports.into_inner().unwrap(), report)
    }

    #[test]
    fn a_solve_resumes_and_reports_at_once_what_is_proven() {
        let whole = solve(&InMemory::default(), None).1;
        assert_eq!(whole.value, Value::exact(0));
        let kept = InMemory::default();
        let (mut bounds, mut nodes) = (Value::default(), 0);
        for part in 0.. {
            let (reports, report) = solve(&kept, Some(whole.nodes / 24 + 5000));
            nodes += report.nodes;
            let mut reports = reports.iter().map(|report| (report.value.lower, report.value.upper));
            let first = reports.find(|(lower, _)| lower.is_some());
            if bounds.lower.is_some() {
                assert_eq!(first, Some((bounds.lower, bounds.upper)), "part {part}");
            }
            if report.halt.is_none() {
                assert_eq!((part > 12, report.value), (true, Value::exact(0)));
                break;
            }
            assert_eq!(report.halt, Some(Halt::Stopped));
            bounds = report.value;
        }
        assert!(bounds.lower.is_some(), "proven before the last part");
        assert!(nodes < whole.nodes * 2, "{nodes} {}", whole.nodes);
        assert!(kept.saved.load(Relaxed) > 30);
        // A solved position takes hardly any work again.
        let again = solve(&kept, None).1;
        assert_eq!(again.value, Value::exact(0));
        assert!(again.nodes < whole.nodes / 20, "{}", again.nodes);
    }

    #[test]
    fn a_checkpoint_that_cannot_be_read_stops_the_search_and_is_not_overwritten() {
        let kept = InMemory { refuses: true, ..InMemory::default() };
        let (reports, report) = solve(&kept, None);
        assert_eq!((reports.len(), report.nodes, report.halt), (0, 0, Some(Halt::Stopped)));
        assert_eq!(kept.saved.load(Relaxed), 0);
    }
}
