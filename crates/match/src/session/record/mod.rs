//! The record of a match as text: tags, moves and comments.
//!
//! A record is only text. It is made from a match and replayed into a match; only the match knows what a move means and
//! whether it is legal.
//!
//! The main line consists of the moves up to the current position. Every other line is a variation in `( … )`, as in
//! PGN: it replaces the move before it, and may contain variations. Undone moves after the current position are written
//! as a variation that repeats the last move of the main line and continues from there. If all moves were undone, the
//! variation has no move before it, and begins at the start.

mod body;
mod move_comment;
mod read;
mod tree;
mod write;

pub use move_comment::{MoveComment, ParseMoveCommentError};
pub use read::RecordError;

use super::result::{result, shares};
use super::{Match, Player, Players, Refusal, Termination, TimeControl};
use body::{Body, BodyItem};
use quadrille_rules::{Seat, Setup, SetupError};
use quadrille_search::Level;
use quadrille_text::printable::in_a_line;
use quadrille_text::wording::cut;
use std::error::Error;
use std::fmt;

const GAME: &str = "Game";
const SETUP: &str = "Setup";
const DATE: &str = "Date";
/// The clock, as [`TimeControl`] formats it. Records do not contain the time of each move.
const CLOCK: &str = "Clock";
const RESULT: &str = "Result";
/// How the match ended, if the rules did not end it; see [`Termination`].
const TERMINATION: &str = "Termination";
/// The winning seats, if `Result` has scores and a seat lost in a way that the scores do not show.
const WINNER: &str = "Winner";

/// The version of the levels, if a level played; see [`Level::VERSION`]. Earlier builds wrote none.
const LEVELS: &str = "Levels";

/// `on` if a guest could ask for hints and values.
const HINTS: &str = "Hints";

/// The record of one match.
///
/// Parsing keeps every tag, known or unknown, in order, and every comment; [`Display`](fmt::Display) writes them back.
/// A comment belongs to the move that it follows, or to the variation that it begins; comments among the tags are moved
/// after the tags.
///
/// ```
/// use quadrille_match::session::Record;
///
/// let text = "[Game \"tic-tac-toe\"]\n[Setup \"\"]\n\nb2 {the centre} a1 ( b1 )\n";
/// let record: Record = text.parse()?;
/// assert_eq!(record.moves(), ["b2", "a1"]);
/// assert_eq!(record.to_string(), text);
/// # Ok::<(), quadrille_match::session::RecordError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Names and values; names are unique, and `Game` and `Setup` are always present.
    tags: Vec<(String, String)>,
    body: Body,
}

/// A move of a record that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadMove {
    /// The move's number, counted from 1 along its own line.
    pub number: usize,
    pub text: String,
    /// The number of the move's variation, counted from 1 in text order; `None` on the main line.
    pub variation: Option<usize>,
    pub refusal: Refusal,
}

impl Record {
    /// Creates the record of a match in its current state. Unnamed seats and an empty date get no tag.
    pub fn of(game: &Match, names: &[String], date: &str) -> Record {
        let tags = vec![(GAME.to_owned(), game.id().to_owned())];
        let mut record = Record { tags, body: Body::default() };
        record.set(SETUP, &game.setup().to_string());
        if !date.is_empty() {
            record.set(DATE, date);
        }
        record.name_seats(names);
        let is_level = |name: &String| matches!(name.parse(), Ok(Player::Engine(_)));
        if names.iter().any(is_level) {
            record.set_levels(Level::VERSION);
        }
        record.update(game);
        record
    }

    /// Replaces the moves, the result and the complete setup with those of a match, and keeps everything else. A
    /// comment stays with its move, or moves to the previous move if the match lacks that move.
    pub fn update(&mut self, game: &Match) {
        self.set(SETUP, &game.setup().to_string());
        self.set(RESULT, &result(game));
        if let Some(how) = game.termination() {
            self.set(TERMINATION, &how.to_string());
            // The scores do not show the winner after a forfeit.
            if let Some(outcome) = game.outcome()
                && how.loser().is_some()
                && game.scores().is_some()
            {
                let seats: Vec<String> = outcome.winners().map(|seat| seat.to_string()).collect();
                self.set(WINNER, &seats.join(" "));
            }
        } else if let Some(how) = self.termination() {
            // Keep a `Winner` tag written by the user.
            let is_ours = how.loser().is_some() && game.scores().is_some();
            self.tags.retain(|(name, _)| name != TERMINATION && !(is_ours && name == WINNER));
        }
        self.body = tree::write(game, &self.body);
    }

    /// Plays all variations into a match at its start, and ends at the end of the main line. Redo then follows the main
    /// line's continuation, if there is one. If a move is bad, the match stays at the position before that move.
    pub fn replay(&self, game: &mut Match) -> Result<(), BadMove> {
        tree::replay(&self.body, game)?;
        let is_at_table = |seat: Seat| seat.index() < usize::from(game.seats());
        if let Some(how) = self.termination().filter(|how| how.loser().is_none_or(is_at_table)) {
            game.end(how);
        }
        Ok(())
    }

    /// Returns how the `Result` tag contradicts the match after [`Record::replay`], as a clause; `None` if there is no
    /// contradiction. In a game with scores, shares of the win are accepted too. `*` contradicts nothing.
    pub fn contradiction(&self, game: &Match) -> Option<String> {
        let told =
            self.tag(RESULT).map(str::trim).filter(|told| !told.is_empty() && *told != "*")?;
        let begin = format!("the Result tag says {:?}, but the ", cut(told));
        if game.outcome().is_some() {
            let is_right = told == result(game) || Some(told) == shares(game).as_deref();
            return (!is_right).then(|| format!("{begin}moves lead to {}", result(game)));
        }
        // The match may have ended in a way that only an unknown tag describes.
        let is_known = self.tag(TERMINATION).is_none() || self.termination().is_some();
        is_known.then(|| format!("{begin}match is not over after its moves"))
    }

    pub fn game(&self) -> &str {
        self.tag(GAME).unwrap_or_default()
    }

    /// Returns the setup as written, possibly incomplete.
    pub fn setup(&self) -> Result<Setup, SetupError> {
        self.tag(SETUP).unwrap_or_default().parse()
    }

    /// Returns the value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(n, _)| n == name).map(|(_, value)| &**value)
    }

    /// Returns the names of the first `seats` seats; `None` for each seat without a name.
    pub fn names(&self, seats: u8) -> Vec<Option<String>> {
        (0..seats).map(|seat| self.tag(&seat_tag(Seat::new(seat))).map(str::to_owned)).collect()
    }

    pub fn name_seats(&mut self, names: &[String]) {
        for (seat, name) in (0..).zip(names) {
            self.set(&seat_tag(Seat::new(seat)), name);
        }
    }

    /// Records the names of guests as people, and whether a guest had hints.
    pub fn name_persons(&mut self, players: &Players) {
        let guests = players.iter().filter_map(|(seat, player)| Some((seat, player.guest()?)));
        for (seat, guest) in guests {
            self.set(&seat_tag(seat), players.name(seat));
            if guest.hints {
                self.allow_hints();
            }
        }
    }

    /// Notes the version of the levels that the match began with. If it continued with other levels, the tag has both.
    pub fn set_levels(&mut self, began: u32) {
        let now = Level::VERSION;
        let text = if began == now { now.to_string() } else { format!("{began}, {now}") };
        self.set(LEVELS, &text);
    }

    /// Returns the version of the levels; `None` if several versions played.
    pub fn levels(&self) -> Option<u32> {
        self.tag(LEVELS).map_or(Some(1), |levels| levels.parse().ok())
    }

    /// Notes that the players were allowed hints.
    pub fn allow_hints(&mut self) {
        self.set(HINTS, "on");
    }

    /// Returns the moves of the main line as written.
    pub fn moves(&self) -> Vec<&str> {
        let (mut depth, mut moves) = (0, Vec::new());
        for item in self.body.items() {
            match item {
                BodyItem::Move(text) if depth == 0 => moves.push(text),
                BodyItem::Open => depth += 1,
                BodyItem::Close => depth -= 1,
                BodyItem::Move(_) | BodyItem::Comment(_) => {}
            }
        }
        moves
    }

    /// Returns the engines' comments on the moves of the main line; `None` for each move without such a comment.
    pub fn move_comments(&self) -> Vec<Option<MoveComment>> {
        let (mut depth, mut comments) = (0, Vec::new());
        for item in self.body.items() {
            match item {
                BodyItem::Move(_) if depth == 0 => comments.push(None),
                BodyItem::Comment(text) if depth == 0 => {
                    let text = text.trim_start_matches(['{', ';']).trim_end_matches('}');
                    if let (Some(last), Ok(comment)) = (comments.last_mut(), text.parse()) {
                        *last = Some(comment);
                    }
                }
                BodyItem::Open => depth += 1,
                BodyItem::Close => depth -= 1,
                BodyItem::Move(_) | BodyItem::Comment(_) => {}
            }
        }
        comments
    }

    /// Adds comments after the moves with these indices. The main line must have no variations.
    pub fn comment(&mut self, comments: &[(usize, MoveComment)]) {
        let mut body = Body::default();
        let (mut moves, mut comments) = (0, comments.iter().peekable());
        for item in self.body.items() {
            body.push(item);
            if let BodyItem::Move(_) = item {
                let comment = comments
                    .next_if(|(at, _)| *at == moves)
                    .map(|(_, comment)| comment.to_string());
                if let Some(text) = comment.filter(|text| !text.is_empty()) {
                    body.push_comments(&[&format!("{{{text}}}")]);
                }
                moves += 1;
            }
        }
        self.body = body;
    }

    /// Returns the clock from its tag, if present.
    pub fn clock(&self) -> Option<TimeControl> {
        self.tag(CLOCK)?.parse().ok()
    }

    /// Sets the clock. `None` keeps the existing tag.
    pub fn set_clock(&mut self, clock: Option<TimeControl>) {
        let Some(clock) = clock else { return };
        if self.tag(CLOCK).is_none() {
            // Put a new tag after the setup.
            let setup = self.tags.iter().position(|(name, _)| name == SETUP);
            let place = setup.map_or(self.tags.len(), |setup| setup + 1);
            self.tags.insert(place, (CLOCK.to_owned(), String::new()));
        }
        self.set(CLOCK, &clock.to_string());
    }

    /// Returns how the match ended, if the rules did not end it. Also `None` if the text is unknown.
    pub fn termination(&self) -> Option<Termination> {
        Termination::parse(self.tag(TERMINATION)?)
    }

    /// Sets a tag. Control characters in the value become spaces.
    fn set(&mut self, name: &str, value: &str) {
        let value = in_a_line(value);
        match self.tags.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }
}

fn seat_tag(seat: Seat) -> String {
    format!("Seat{seat}")
}

impl fmt::Display for BadMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {} {:?}", self.number, cut(&self.text))?;
        if let Some(variation) = self.variation {
            write!(f, " in variation {variation}")?;
        }
        f.write_str(": ")?;
        self.refusal.fmt(f)
    }
}

impl Error for BadMove {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Match;
    use quadrille_rules::Position;
    use quadrille_rules::dots_and_boxes::DotsAndBoxes;
    use quadrille_rules::intersections::Intersections;
    use quadrille_rules::quixo::Quixo;
    use quadrille_rules::tic_tac_toe::TicTacToe;

    /// A complete match with all of the usual tags.
    const EXAMPLE: &str = include_str!("../../../../../tests/fixtures/example.game");

    fn start<G: Position>(setup: &str) -> Match {
        Match::new(G::from_setup(&setup.parse().unwrap()).unwrap())
    }

    fn after<G: Position>(setup: &str, moves: &str) -> Match {
        let mut game = start::<G>(setup);
        for text in moves.split_whitespace() {
            game.play(text).unwrap();
        }
        game
    }

    fn result_of<G: Position>(setup: &str, moves: &str) -> String {
        let game = after::<G>(setup, moves);
        Record::of(&game, &[], "").tag(RESULT).unwrap().to_owned()
    }

    #[test]
    fn record_replays_to_the_same_match() {
        let record: Record = EXAMPLE.parse().unwrap();
        let mut game = start::<DotsAndBoxes>(&record.setup().unwrap().to_string());
        record.replay(&mut game).unwrap();
        assert_eq!(game.scores().as_deref(), Some(&[3, 1][..]));
        let names = ["Ann".to_owned(), "Bob".to_owned()];
        assert_eq!(Record::of(&game, &names, "2026-11-20").to_string(), EXAMPLE);
        assert_eq!(record.names(3), [Some("Ann".to_owned()), Some("Bob".to_owned()), None]);
    }

    #[test]
    fn replay_error_names_the_move_and_its_number() {
        let record: Record = EXAMPLE.replace("H1,0", "H0,0").parse().unwrap();
        let mut game = start::<DotsAndBoxes>("size=3");
        let error = record.replay(&mut game).unwrap_err();
        assert_eq!(error.to_string(), r#"move 7 "H0,0": already drawn"#);
        assert_eq!(game.ply(), 6);
        let long: Record = format!("[Game \"g\"][Setup \"\"] {}", "é".repeat(500)).parse().unwrap();
        let error = long.replay(&mut start::<DotsAndBoxes>("")).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("move 1 \"{}...\": a line is H or V with its row and column", "é".repeat(37))
        );
    }

    #[test]
    fn result_shows_scores_or_shares() {
        assert_eq!(result_of::<TicTacToe>("", "a1 b1"), "*");
        assert_eq!(result_of::<TicTacToe>("", "a1 b1 a2 b2 a3"), "1-0");
        assert_eq!(result_of::<TicTacToe>("first=O", "a1 b1 a2 b2 a3"), "0-1");
        assert_eq!(result_of::<TicTacToe>("grid=XOXXOO-XO", "a3"), "1-0");
        assert_eq!(result_of::<TicTacToe>("grid=XOXXOOOX-", "c3"), "1/2-1/2");
        assert_eq!(result_of::<Quixo>("size=1", ""), "0-0");
        let segments = "0,0-0,1 0,1-0,2 0,1-1,1";
        let three = format!("{segments} {segments} {segments}");
        assert_eq!(
            result_of::<Intersections>("size=3 players=3 segments=3 rounds=3", &three),
            "1-1-1"
        );
    }

    #[test]
    fn termination_round_trips_in_a_record() {
        for (text, result) in [
            ("agreed", "1/2-1/2"),
            ("resigned: 2", "1-0"),
            ("time: 1", "0-1"),
            ("forfeit: 2: illegal move \"H9,9\"", "1-0"),
            ("repetition", "1/2-1/2"),
            ("limit", "1/2-1/2"),
        ] {
            let mut game = after::<Quixo>("size=3", "A1-C1");
            game.end(Termination::parse(text).unwrap());
            let mut record = Record::of(&game, &[], "2026-11-20");
            assert_eq!((record.tag(RESULT), record.tag(TERMINATION)), (Some(result), Some(text)));
            let mut again = start::<Quixo>("size=3");
            record.to_string().parse::<Record>().unwrap().replay(&mut again).unwrap();
            assert_eq!((again.termination(), again.ply()), (game.termination(), 1));
            again.undo();
            record.update(&again);
            assert_eq!((record.tag(RESULT), record.tag(TERMINATION)), (Some("*"), None));
        }
    }

    #[test]
    fn winner_against_the_scores_is_written_as_a_tag() {
        for (text, winner) in [("forfeit: 2: no answer", Some("1")), ("agreed", None)] {
            let mut game = after::<DotsAndBoxes>("size=2", "H0,0");
            game.end(Termination::parse(text).unwrap());
            let mut record = Record::of(&game, &[], "");
            assert_eq!((record.tag(RESULT), record.tag(WINNER)), (Some("0-0"), winner), "{text}");
            game.undo();
            record.update(&game);
            assert_eq!((record.tag(RESULT), record.tag(WINNER)), (Some("*"), None), "{text}");
        }
        let game = after::<DotsAndBoxes>("size=2", "H0,0");
        let mut record = Record::of(&game, &[], "");
        record.set(WINNER, "whoever has more");
        record.update(&game);
        assert_eq!(record.tag(WINNER), Some("whoever has more"), "nobody else's tag is touched");
        let mut game = after::<Intersections>("size=3 players=3", "");
        game.end(Termination::parse("time: 2").unwrap());
        assert_eq!(Record::of(&game, &[], "").tag(WINNER), Some("1 3"));
    }

    #[test]
    fn result_tag_must_match_the_moves() {
        let told = |tags: &str, moves: &str| {
            let text = format!("[Game \"dots-and-boxes\"]\n[Setup \"size=2\"]\n{tags}\n{moves}");
            let (record, mut game) =
                (text.parse::<Record>().unwrap(), start::<DotsAndBoxes>("size=2"));
            record.replay(&mut game).unwrap();
            record.contradiction(&game).unwrap_or_default()
        };
        let (all, some) = ("H0,0 V0,0 V0,1 H1,0", "H0,0 V0,0");
        for (tags, moves) in [
            ("", all),
            ("[Result \"0-1\"]", all),
            ("[Result \"*\"]", all),
            ("[Result \"*\"]", some),
            ("[Result \"\"]", some),
            ("[Result \"0-0\"][Termination \"resigned: 2\"]", some),
            ("[Result \"1-0\"][Termination \"resigned: 2\"]", some),
            ("[Result \"1-0\"][Termination \"lights out\"]", some),
        ] {
            assert_eq!(told(tags, moves), "", "{tags}");
        }
        assert_eq!(
            told("[Result \"1-0\"]", all),
            "the Result tag says \"1-0\", but the moves lead to 0-1"
        );
        for tags in ["[Result \"1-0\"]", "[Result \"1-0\"][Termination \"resigned: 3\"]"] {
            assert_eq!(
                told(tags, some),
                "the Result tag says \"1-0\", but the match is not over after its moves"
            );
        }
    }

    #[test]
    fn version_1_draw_is_read_and_invalid_seat_is_ignored() {
        let replayed = |termination: &str| {
            let text =
                format!("[Game \"quixo\"]\n[Setup \"size=3\"]\n[Termination \"{termination}\"]");
            let mut game = start::<Quixo>("size=3");
            text.parse::<Record>().unwrap().replay(&mut game).unwrap();
            game.termination().cloned()
        };
        assert_eq!(replayed("agreed draw"), Some(Termination::Agreed));
        assert_eq!(replayed("resigned: 3"), None);
    }

    #[test]
    fn update_keeps_tags_comments_and_unknown_termination() {
        let text = "; top\n[Game \"dots-and-boxes\"]\n[Event \"Friday\"] [Setup \"size=2\"]\n\
                    [Termination \"lights out\"]\n{first} 1,1 H0,0 {second} V0,0 {end}";
        let mut record: Record = text.replace("1,1 ", "").parse().unwrap();
        let mut game = start::<DotsAndBoxes>("size=2");
        record.replay(&mut game).unwrap();
        game.play("V0,1").unwrap();
        record.update(&game);
        assert_eq!(
            record.to_string(),
            "[Game \"dots-and-boxes\"]\n[Event \"Friday\"]\n[Setup \"rows=2 cols=2\"]\n\
             [Termination \"lights out\"]\n[Result \"*\"]\n\n\
             ; top\n{first} H0,0 {second} V0,0 {end} V0,1\n"
        );
        while game.undo() {}
        record.update(&game);
        let undone = "; top\n{first} ( H0,0 {second} V0,0 {end} V0,1 )\n";
        assert!(record.to_string().ends_with(undone), "{record}");
    }

    #[test]
    fn newline_in_a_name_is_replaced() {
        let names = ["a\nb\"\\".to_owned()];
        let record = Record::of(&start::<DotsAndBoxes>(""), &names, "");
        let again: Record = record.to_string().parse().unwrap();
        assert_eq!(again.names(1), [Some("a b\"\\".to_owned())]);
    }
}
