//! Lines to share: the result of a daily puzzle or a rush, without the solution.

use super::Daily;

/// How a try at a puzzle went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TryMark {
    Right,
    Wrong,
    /// The puzzle was skipped in a rush.
    Skipped,
    /// The try had a hint. The mark of its result follows.
    Hint,
}

impl TryMark {
    const ALL: [TryMark; 4] = [TryMark::Right, TryMark::Wrong, TryMark::Skipped, TryMark::Hint];

    pub const fn letter(self, is_ascii: bool) -> char {
        match (self, is_ascii) {
            (TryMark::Right, true) => '+',
            (TryMark::Right, false) => '\u{2713}',
            (TryMark::Wrong, true) => 'x',
            (TryMark::Wrong, false) => '\u{2717}',
            (TryMark::Skipped, true) => '-',
            (TryMark::Skipped, false) => '\u{2013}',
            (TryMark::Hint, _) => '?',
        }
    }
}

/// Formats marks in the order of the tries.
pub(super) fn write_marks(marks: &[TryMark], is_ascii: bool) -> String {
    marks.iter().map(|mark| mark.letter(is_ascii)).collect()
}

/// Parses the ASCII form of marks. Skips unknown letters.
pub(super) fn read_marks(text: &str) -> Vec<TryMark> {
    let mark = |letter| TryMark::ALL.into_iter().find(|mark| mark.letter(true) == letter);
    text.chars().filter_map(mark).collect()
}

/// A result as a line to share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareLine {
    /// What was played: the program and the kind of puzzles, then the game.
    played: Vec<String>,
    results: Vec<ShareResult>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ShareResult {
    Text(String),
    Marks(Vec<TryMark>),
}

impl ShareLine {
    /// Returns the line for a daily puzzle. `streak` is the number of consecutive days whose puzzle was solved.
    pub(super) fn of_daily(daily: &Daily, marks: &[TryMark], streak: u32) -> ShareLine {
        let name = daily.puzzle.entry().map_or("", |entry| entry.name);
        let streak = (streak > 1).then(|| ShareResult::Text(format!("{streak}-day streak")));
        let marks = ShareResult::Marks(marks.to_vec());
        ShareLine {
            played: vec![format!("Quadrille daily {}", daily.number), name.to_owned()],
            results: [marks].into_iter().chain(streak).collect(),
        }
    }

    /// Returns the line for a rush of one game or of all games, with a mark for each puzzle.
    pub(super) fn of_rush(game: Option<&str>, marks: &[TryMark]) -> ShareLine {
        let solved = marks.iter().filter(|mark| **mark == TryMark::Right).count();
        let solved = ShareResult::Text(format!("{solved} solved"));
        ShareLine {
            played: ["Quadrille rush"].into_iter().chain(game).map(str::to_owned).collect(),
            results: vec![solved, ShareResult::Marks(marks.to_vec())],
        }
    }

    pub fn text(&self, is_ascii: bool) -> String {
        let results = self.results.iter().map(|result| match result {
            ShareResult::Text(text) => text.clone(),
            ShareResult::Marks(marks) => write_marks(marks, is_ascii),
        });
        let results = results.filter(|text| !text.is_empty());
        if is_ascii {
            let results = results.collect::<Vec<_>>().join(", ");
            format!("{}: {results}", self.played.join(", "))
        } else {
            self.played.iter().cloned().chain(results).collect::<Vec<_>>().join(" \u{b7} ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::daily;
    use jiff::civil::date;

    #[test]
    fn share_lines_have_a_form_for_each_glyph_set() {
        let daily = daily(date(2026, 11, 28), Some("quixo")).unwrap();
        let marks = [TryMark::Wrong, TryMark::Hint, TryMark::Right];
        let line = ShareLine::of_daily(&daily, &marks, 3);
        assert_eq!(line.text(false), "Quadrille daily 4 · Quixo · ✗?✓ · 3-day streak");
        assert_eq!(line.text(true), "Quadrille daily 4, Quixo: x?+, 3-day streak");
        let line = ShareLine::of_daily(&daily, &[TryMark::Right], 1);
        assert_eq!(line.text(false), "Quadrille daily 4 · Quixo · ✓", "one day is no streak");
        let marks = read_marks("++x+x++-");
        let line = ShareLine::of_rush(None, &marks);
        assert_eq!(line.text(false), "Quadrille rush · 5 solved · ✓✓✗✓✗✓✓–");
        assert_eq!(line.text(true), "Quadrille rush: 5 solved, ++x+x++-");
        let line = ShareLine::of_rush(Some("Quixo"), &marks);
        assert_eq!(line.text(false), "Quadrille rush · Quixo · 5 solved · ✓✓✗✓✗✓✓–");
        assert_eq!(line.text(true), "Quadrille rush, Quixo: 5 solved, ++x+x++-");
        assert_eq!(ShareLine::of_rush(None, &[]).text(true), "Quadrille rush: 0 solved");
    }

    #[test]
    fn marks_are_read_as_written() {
        let marks = [TryMark::Wrong, TryMark::Hint, TryMark::Right];
        assert_eq!(read_marks(&write_marks(&marks, true)), marks);
        assert_eq!(read_marks("x!+"), [TryMark::Wrong, TryMark::Right]);
    }
}
