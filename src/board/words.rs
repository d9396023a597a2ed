//! A match in words, for people who have the board read to them.
//!
//! A widget says what a move has done ([`Widget::describe`]) and what is on its board
//! ([`Widget::read_out`]). Here is what all games share: names, the score, and who is to move.

use super::{AnyBoard, View, Widget};
use crate::rules::{Position, Seat};
use crate::session::{AnyMatch, Players, how, who_won};
use std::fmt::Display;

/// Joins items as in a sentence: `1`, `1 and 2`, `1, 2 and 3`.
pub fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// What the last move has done, with the score if it has changed or the game is over.
pub(super) fn last_move<W: Widget>(view: &View<W::Game>, players: &Players) -> Option<String> {
    let last = view.last.as_ref()?;
    let (seat, _) = view.played.last()?;
    let done = W::describe(last.before, last.mv, view.now, players);
    let sentence = format!("{} {done}.", players.name(*seat));
    let scores = view.now.scores().filter(|scores| {
        view.now.outcome().is_some() || last.before.scores().as_ref() != Some(scores)
    });
    Some(match scores {
        Some(scores) => format!("{sentence} {}.", score_of(&scores, players)),
        None => sentence,
    })
}

/// The score in words. For two seats it is `2 to 1`, the first seat first; for more it names them. `None`
/// if the game keeps no score.
pub fn score(game: &dyn AnyMatch, players: &Players) -> Option<String> {
    Some(score_of(&game.scores()?, &players.with_distinct_names()))
}

fn score_of(scores: &[u32], players: &Players) -> String {
    if let [one, two] = scores {
        return format!("{one} to {two}");
    }
    let named = (0..).map(Seat::new).zip(scores);
    let named = named.map(|(seat, score)| format!("{} has {score}", players.name(seat)));
    named.collect::<Vec<_>>().join(", ")
}

/// The text with a capital first letter.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// Who is to move, or how the match has ended: `Ann to move.`, `Bob wins, Ann resigned.`
pub fn turn(game: &dyn AnyMatch, players: &Players) -> String {
    let players = &players.with_distinct_names();
    match (game.to_move(), how(game, players)) {
        (Some(seat), _) => format!("{} to move.", players.name(seat)),
        (None, Some(how)) => format!("{}, {how}.", who_won(game, players)),
        (None, None) => format!("{}.", who_won(game, players)),
    }
}

impl dyn AnyBoard + '_ {
    /// What the last move has done, and who is to move or how the match has ended: `Ann draws V1,1 and
    /// takes a box. 2 to 1. Ann to move.` The score of two seats has the first seat first.
    pub fn in_words(&self, players: &Players) -> String {
        let turn = turn(self.game(), players);
        match self.last_in_words(players) {
            Some(last) => format!("{last} {turn}"),
            None => turn,
        }
    }

    /// The standing of the match in one line: `Ann has 2 boxes; Bob has 1 box. 13 boxes, 24 lines left. Ann
    /// to move.`
    pub fn standing_in_words(&self, players: &Players) -> String {
        let names = players.with_distinct_names();
        let caption = self.caption();
        let scores = self.game().scores();
        let seats = caption.seats.iter().zip(names.iter()).map(|(has, (seat, player))| {
            let score = scores.as_ref().and_then(|scores| scores.get(seat.index()));
            match score {
                // Words other than the unit say what the seat does.
                Some(score) => {
                    let unit = caption.unit.map(|[one, many]| if *score == 1 { one } else { many });
                    let is_unit = unit.is_some_and(|unit| unit == has);
                    let role = if is_unit { String::new() } else { format!(" ({has})") };
                    format!("{} has {score} {}{role}", player.name(), unit.unwrap_or_default())
                }
                None => format!("{} has {has}", player.name()),
            }
        });
        let seats: Vec<String> = seats.collect();
        let progress = capital(&caption.progress);
        format!("{}. {progress}. {}", seats.join("; "), turn(self.game(), players))
    }

    /// All that is on the board, place by place, a sentence a line. It begins with the game and the
    /// standing.
    pub fn board_in_words(&self, players: &Players) -> Vec<String> {
        let title = format!("{}.", self.title());
        let mut lines = vec![title, self.standing_in_words(players)];
        lines.extend(self.read_out(players));
        lines
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::board::{MatchBoard, open};
    use crate::session::{Actor, Conditions, Step, Termination};
    use std::time::Duration;

    pub fn players(names: &str) -> Vec<String> {
        names.split(' ').map(str::to_owned).collect()
    }

    /// A match after some moves.
    pub fn board<W: Widget>(setup: &str, names: &str, moves: &str) -> Box<dyn MatchBoard> {
        let setup: crate::rules::Setup = setup.parse().unwrap();
        let mut board =
            open::<W>(&setup).unwrap().into_match_board(setup, Conditions::named(&players(names)));
        for mv in moves.split_whitespace() {
            let step = Step::Play(mv.to_owned());
            let by = board.session().actor_of(&step);
            board.apply(by, &step, Duration::ZERO).unwrap_or_else(|why| panic!("{mv}: {why}"));
        }
        board
    }

    /// What is said after the last of some moves of a match between Ann and Bob.
    pub fn told<W: Widget>(setup: &str, moves: &str) -> String {
        let board = board::<W>(setup, "Ann Bob", moves);
        (&*board as &dyn AnyBoard).in_words(board.session().players())
    }

    /// What is on the board after some moves of a match between Ann and Bob, without the lines that are
    /// the same in all games.
    pub fn read<W: Widget>(setup: &str, moves: &str) -> Vec<String> {
        let board = board::<W>(setup, "Ann Bob", moves);
        let mut lines = (&*board as &dyn AnyBoard).board_in_words(board.session().players());
        lines.split_off(2)
    }

    #[test]
    fn a_list_is_joined_as_in_a_sentence() {
        assert_eq!(list::<u8>([]), "");
        assert_eq!([list([1]), list([1, 2]), list([1, 2, 3])], ["1", "1 and 2", "1, 2 and 3"]);
    }

    #[test]
    fn the_standing_is_one_line() {
        use crate::board::{DotsAndBoxesWidget, IntersectionsWidget, QuixoWidget, TicTacToeWidget};
        fn stands<W: Widget>(setup: &str, names: &str, moves: &str) -> String {
            let board = board::<W>(setup, names, moves);
            (&*board as &dyn AnyBoard).standing_in_words(board.session().players())
        }
        assert_eq!(
            stands::<DotsAndBoxesWidget>("size=3", "Ann Bob", "H0,0 H1,0 V0,0 V0,1"),
            "Ann has 0 boxes; Bob has 1 box. 3 boxes, 8 lines left. Bob to move."
        );
        assert_eq!(
            stands::<QuixoWidget>("size=3", "Ann engine:strong", "A1-C1"),
            "Ann has 1 die; Strong has 0 dice. 8 dice blank. Strong to move."
        );
        assert_eq!(
            stands::<TicTacToeWidget>("", "engine:casual engine:casual", "b2"),
            "Casual 1 has 1 cell; Casual 2 has 0 cells. 8 cells left. Casual 2 to move."
        );
        assert_eq!(
            stands::<IntersectionsWidget>("size=3 players=3 segments=6", "Ann Bob Cy", "0,0-0,2"),
            "Ann has 0 points (offense, 0 dots); Bob has 0 points (defense); Cy has 0 points (defense). \
             Round 1 of 3, segment 1 of 6. Bob to move."
        );
    }

    #[test]
    fn an_end_not_by_the_rules_is_described() {
        use crate::board::QuixoWidget;
        let mut board = board::<QuixoWidget>("size=3", "Ann Bob", "A1-C1");
        let say = |board: &dyn AnyBoard| board.in_words(&Players::named(2, &players("Ann Bob")));
        board.apply(Actor::Seat(Seat::SECOND), &Step::Resign, Duration::ZERO).unwrap();
        assert_eq!(
            say(&*board),
            "Ann takes the blank die at A1 and pushes it in at C1. Ann wins, Bob resigned."
        );
        board.apply(Actor::Table, &Step::GoTo(1), Duration::ZERO).unwrap();
        board.apply(Actor::Arbiter, &Step::End(Termination::Repetition), Duration::ZERO).unwrap();
        assert!(say(&*board).ends_with("A draw, by repetition."), "{}", say(&*board));
    }
}
