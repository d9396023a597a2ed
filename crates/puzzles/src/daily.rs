//! The daily puzzle, which is the same for everyone with the same puzzle files.

use super::{FILES, LAST, Puzzle, REPEATS, lines, listed_in};
use jiff::civil::Date;
use quadrille_match::store::progress::{Event, Progress};
use std::collections::HashSet;

#[derive(Clone, Debug, PartialEq)]
pub struct Daily {
    /// The puzzle's number; 1 on the first day.
    pub number: u32,
    pub day: Date,
    pub puzzle: Puzzle,
    /// Whether the puzzle was opened on its day. If so, it counts for that day even if it is solved after midnight.
    pub is_on_time: bool,
}

/// Prefix of the comment in a game's file that gives the first day.
const FIRST_DAY: &str = "# first day: ";

/// Returns the daily puzzle of a game. Without a game, the game changes from day to day. `None` before the first day,
/// and for a game without puzzles. After the end of the file, its puzzles repeat from the start. Puzzles listed in the
/// file are hidden or moved to the end, but only from the listed day onwards, so earlier days keep their puzzles.
pub fn daily(day: Date, game: Option<&str>) -> Option<Daily> {
    let file_of = |game: &str| FILES.iter().position(|(known, ..)| *known == game);
    let first_file = FILES.first()?.2;
    let file = match game {
        Some(game) => file_of(game)?,
        None => number(first_file, day)? as usize % FILES.len(),
    };
    let (.., file) = FILES[file];
    let (number, puzzle) = (number(file, day)?, Puzzle::read(line_of(file, day)?).ok()?);
    Some(Daily { number: number + 1, day, puzzle, is_on_time: false })
}

/// Returns the daily puzzle of a game with this number.
fn numbered(number: u32, game: &str) -> Option<Daily> {
    let (.., file) = FILES.iter().find(|(known, ..)| *known == game)?;
    let days = jiff::Span::new().try_days(i64::from(number) - 1).ok()?;
    daily(first_day(file)?.checked_add(days).ok()?, Some(game))
}

/// Returns the number of puzzles of a game that the solver has solved by moves of their own, also with hints or after
/// mistakes.
pub fn puzzles_solved(progress: &Progress, game: &str) -> usize {
    // Earlier versions recorded a daily puzzle that was solved after a mistake as a day, but not as solved.
    let days = progress.events().iter().filter_map(|event| match event {
        Event::Daily { number, game: of, .. } if of == game => numbered(*number, game),
        _ => None,
    });
    let ids: HashSet<String> = days.map(|daily| daily.puzzle.id).collect();
    let unlisted = ids.iter().filter(|id| !progress.is_solved(id));
    progress.puzzles_solved(game) + unlisted.count()
}

/// Returns the line of a day's puzzle.
fn line_of(file: &str, day: Date) -> Option<&str> {
    let listed = |list| -> HashSet<&str> {
        listed_in(file, list).filter(|(from, _)| *from <= day).map(|(_, id)| id).collect()
    };
    let (hidden, late) = (listed(REPEATS), listed(LAST));
    let is_in =
        |ids: &HashSet<&str>, line: &str| line.split(' ').next().is_some_and(|id| ids.contains(id));
    let mut shown: Vec<&str> = lines(file).filter(|line| !is_in(&hidden, line)).collect();
    shown.sort_by_key(|line| is_in(&late, line));
    shown.get((number(file, day)? as usize).checked_rem(shown.len())?).copied()
}

/// Returns the number of a day, counted from 0 on the day of the file's first puzzle; `None` before that day.
fn number(file: &str, day: Date) -> Option<u32> {
    u32::try_from((day - first_day(file)?).get_days()).ok()
}

fn first_day(file: &str) -> Option<Date> {
    file.lines().find_map(|line| line.strip_prefix(FIRST_DAY)?.trim().parse().ok())
}

/// Returns the puzzles of all days before this day, latest first.
pub fn archive(today: Date) -> Vec<Daily> {
    let days = std::iter::successors(today.yesterday().ok(), |day| day.yesterday().ok());
    days.map_while(|day| daily(day, None)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::ToSpan;

    #[test]
    fn lists_apply_from_their_day() {
        let file = "# first day: 2026-11-25\n# repeats from 2026-11-27: b\n\
                    # last from 2026-11-28: a d\na 1\nb 2\nc 3\nd 4\n";
        let first = jiff::civil::date(2026, 11, 25);
        let days = (-1..8).map(|days| line_of(file, first.checked_add(days.days()).unwrap()));
        // All four, then a, c and d, then c, a and d.
        let expected = ["a 1", "b 2", "d 4", "c 3", "a 1", "d 4", "c 3", "a 1"];
        assert!(days.eq([None].into_iter().chain(expected.map(Some))));
    }
}
