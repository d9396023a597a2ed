//! An engine's evaluation of its move, as a comment in a record: `{+1.5/8 0.022s}`.

use quadrille_search::Value;
use quadrille_text::wording::counted;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// An engine's evaluation of its move; unknown parts are `None`. [`Display`](fmt::Display) gives the text inside the
/// comment in the form that chess programs use; empty if nothing is known.
///
/// ```
/// use quadrille_match::session::MoveComment;
///
/// let comment: MoveComment = "+1.5/8 0.022s".parse().unwrap();
/// assert_eq!((comment.score, comment.depth, comment.seconds), (Some(1.5), Some(8), Some(0.022)));
/// assert!("a fine move".parse::<MoveComment>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MoveComment {
    /// The value for the mover: the margin in points, or in a game without scores a number from -1, a loss, to 1, a
    /// win.
    pub score: Option<f64>,
    /// In a game without scores, the number of plies to a proven win or loss.
    pub plies: Option<u32>,
    /// The search depth in plies.
    pub depth: Option<u32>,
    /// The time taken, in seconds.
    pub seconds: Option<f64>,
}

impl MoveComment {
    /// Creates the comment for a search result. In a game without scores, a proven value means a win, a loss or a draw.
    pub fn new(value: Value, depth: u32, has_scores: bool, took: Option<Duration>) -> MoveComment {
        let plies = value.plies.filter(|_| !has_scores && value.proven().is_some());
        MoveComment {
            // Rounded to a tenth, as in the written text.
            score: value
                .point_estimate()
                .map(|score| (f64::from(score) * 10.0).round() / 10.0 + 0.0),
            plies,
            depth: Some(depth).filter(|depth| *depth > 0),
            seconds: took.map(|took| took.as_millis() as f64 / 1000.0),
        }
    }

    /// Formats the comment for people, as in `+1.5, 8 plies, 0.02 s` or `wins in 7 plies`.
    pub fn in_words(self) -> String {
        let plies = |plies: u32| counted(plies as usize, "ply", "plies");
        let depth = self.depth.map(plies);
        let (worth, depth) = match (self.score, self.plies) {
            // Omit the search depth, which is irrelevant to a proven result.
            (Some(score), Some(end)) if score > 0.0 => {
                (Some(format!("wins in {}", plies(end))), None)
            }
            (Some(score), Some(end)) if score < 0.0 => {
                (Some(format!("loses in {}", plies(end))), None)
            }
            (score, _) => (score.map(|score| format!("{score:+.1}")), depth),
        };
        let seconds = self.seconds.map(|seconds| format!("{seconds:.2} s"));
        [worth, depth, seconds].into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for MoveComment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.score, self.plies) {
            (Some(score), Some(plies)) if score > 0.0 => write!(f, "W{plies}")?,
            (Some(score), Some(plies)) if score < 0.0 => write!(f, "L{plies}")?,
            (Some(score), _) => write!(f, "{score:+.1}")?,
            (None, _) => {}
        }
        self.depth.map_or(Ok(()), |depth| write!(f, "/{depth}"))?;
        let Some(seconds) = self.seconds else { return Ok(()) };
        let space = if self.score.is_some() || self.depth.is_some() { " " } else { "" };
        write!(f, "{space}{seconds:.3}s")
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseMoveCommentError;

impl FromStr for MoveComment {
    type Err = ParseMoveCommentError;

    fn from_str(text: &str) -> Result<MoveComment, ParseMoveCommentError> {
        let mut comment = MoveComment::default();
        for word in text.split_whitespace() {
            if let Some(seconds) = word.strip_suffix('s') {
                let seconds = number(seconds).filter(|seconds| *seconds >= 0.0);
                comment.seconds = Some(seconds.ok_or(ParseMoveCommentError)?);
                continue;
            }
            let (score, depth) = word.split_once('/').unwrap_or((word, ""));
            let plies = |word: &str, score: f64| Some((score, word.parse().ok()?));
            let end = score.strip_prefix('W').and_then(|text| plies(text, 1.0));
            let end = end.or_else(|| score.strip_prefix('L').and_then(|text| plies(text, -1.0)));
            match end {
                Some((score, plies)) => {
                    (comment.score, comment.plies) = (Some(score), Some(plies));
                }
                None if score.is_empty() => {}
                None if score.starts_with(['+', '-']) => {
                    comment.score = Some(number(score).ok_or(ParseMoveCommentError)?);
                }
                None => return Err(ParseMoveCommentError),
            }
            if !depth.is_empty() {
                comment.depth = Some(depth.parse().map_err(|_| ParseMoveCommentError)?);
            }
        }
        let is_empty = comment == MoveComment::default();
        if is_empty { Err(ParseMoveCommentError) } else { Ok(comment) }
    }
}

/// Parses a decimal number; rejects `inf`, `NaN` and exponents.
fn number(text: &str) -> Option<f64> {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
    text.parse().ok().filter(|_| is_decimal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_comment_in_words_is_readable() {
        for (text, words) in [
            ("+1.5/8 0.022s", "+1.5, 8 plies, 0.02 s"),
            ("-2.0/1", "-2.0, 1 ply"),
            ("W7/7 2s", "wins in 7 plies, 2.00 s"),
            ("L1", "loses in 1 ply"),
            ("0.3s", "0.30 s"),
        ] {
            assert_eq!(text.parse::<MoveComment>().unwrap().in_words(), words);
        }
    }

    #[test]
    fn text_round_trips() {
        let took = Some(Duration::from_micros(22_600));
        let of = |value, depth, has_scores, took| {
            let comment = MoveComment::new(value, depth, has_scores, took);
            let text = comment.to_string();
            assert_eq!(text.parse(), Ok(comment), "{text}");
            text
        };
        assert_eq!(of(Value::estimate(1.46), 8, true, took), "+1.5/8 0.022s");
        assert_eq!(of(Value::exact(-2), 12, true, None), "-2.0/12");
        assert_eq!(of(Value::exact(-1).with_plies(6), 6, false, None), "L6/6");
        assert_eq!(of(Value::exact(1).with_plies(7), 0, false, took), "W7 0.022s");
        assert_eq!(of(Value::estimate(-0.01), 3, false, None), "+0.0/3");
        assert_eq!(of(Value::default(), 3, true, took), "/3 0.022s");
        assert_eq!(of(Value::default(), 0, true, took), "0.022s");
        assert_eq!(MoveComment::new(Value::default(), 0, true, None).to_string(), "");
        for text in ["", "good", "a/8", "+x/8", "+1.5/8 later", "-1s", "1e3s", "+inf"] {
            assert_eq!(text.parse::<MoveComment>(), Err(ParseMoveCommentError), "{text}");
        }
    }
}
