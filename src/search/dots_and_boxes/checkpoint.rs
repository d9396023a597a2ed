//! What a solver has found out, as bytes: what is proven of the position, and all that is in the table.
//!
//! It is written while the solver goes on. A table that grows meanwhile moves entries to its end, which is
//! written last, so at most some are written twice.
//!
//! In words of 8 bytes, the lowest byte first: a fingerprint, the undrawn lines, the window; then block by
//! block how many buckets it has, how many entries each of them has, a byte each, and the entries. A block of no
//! bucket is the end.

use super::graph::{Graph, Lines};
use super::solver::Window;
use super::table::{Entry, Space, Table};
use crate::search::room::Refused;
use std::io::{self, ErrorKind, Read, Write};

/// Buckets of a block.
const BLOCK: usize = 1 << 10;

/// The number by which a solver knows that a table was filled by one of its own kind: it comes from what a
/// table holds after some positions of this board were put into it, so it changes whenever keys, places
/// or entries do.
fn fingerprint(graph: &Graph) -> Result<u64, Refused> {
    const SPECIMENS: u32 = 200;
    let lines = graph.lines.len() as u32;
    let mut space = Space::new(lines, 1 << 16)?;
    let mut table = space.table();
    let mut print = 0xcbf2_9ce4_8422_2325_u64;
    // The hash of Fowler, Noll and Vo, by words.
    let mut add = |word: u64| print = (print ^ word).wrapping_mul(0x100_0000_01b3).rotate_left(29);
    add(u64::from(lines));
    for specimen in 0..SPECIMENS {
        let drawn = u64::from(specimen).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let open = !0 >> (64 - lines.clamp(1, 64)) & !(drawn & drawn >> 7);
        let left = graph.position(open).left;
        let entry = Entry { lower: -left, upper: left, mv: specimen % 60 };
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

/// Writes what is known, unless it is told that there is no more use in it.
pub fn write(
    out: &mut dyn Write,
    graph: &Graph,
    open: Lines,
    window: Window,
    table: &Table<'_>,
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
            entries.extend(table.entries(bucket).flatten().flat_map(u64::to_le_bytes));
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

/// Fills an empty table with what was written of this position, and says what was proven of it. Where the
/// table is smaller than that which was written, it keeps what has more lines; a larger one takes
/// all, and grows on.
pub fn read(
    input: &mut dyn Read,
    graph: &Graph,
    open: Lines,
    left: i32,
    table: &mut Table<'_>,
    is_over: &dyn Fn() -> bool,
) -> io::Result<Window> {
    let print = fingerprint(graph).map_err(|Refused| ErrorKind::OutOfMemory)?;
    if word(input)? != print || word(input)? != open {
        return Err(wrong("it was written by another version of this program"));
    }
    let [lower, upper, goal] = [word(input)?, word(input)?, word(input)?].map(|it| it as i64);
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
        let mut entries = entries.chunks_exact(16).map(|entry| {
            let (first, second) = entry.split_at(8);
            [first, second]
                .map(|half| half.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
        });
        for &count in &counts {
            for entry in entries.by_ref().take(usize::from(count)) {
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

/// Whoever waits for it wants something else by now.
fn given_up() -> io::Error {
    ErrorKind::Interrupted.into()
}

fn wrong(what: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}
