//! Describes a match in words: its position in short form for a panel, its last move and its board in sentences for
//! screen readers, notes that help to read the position, and the findings of engines: the values of moves and the
//! reasons for them.
//!
//! [`Words`] provides the texts of one game. This module provides the texts shared by all games: names, the score, and
//! whose turn it is. Equal names are made distinct first. Nothing here depends on a screen: a [`Note`] only has its
//! place between dots, and the board draws it.
//!
//! This module works with typed games again: a [`TypedMatch`] is a typed copy of the visible part of a match, and is
//! updated from the match. Boards use a copy too.

mod caption;
mod chains;
pub mod dots_and_boxes;
pub mod intersections;
pub mod join_the_dots;
mod notes;
mod quixo;
mod reason;
mod tic_tac_toe;
mod value;
mod view;

pub use caption::{Caption, count, word};
pub use notes::{Note, Notes};
pub use reason::{Explanation, explain, hints, horizon};
pub use view::{LastMove, PositionView, TypedMatch};

use quadrille_match::session::{Match, Players, how, who_won};
use quadrille_rules::{Position, Seat};
use quadrille_text::wording::capital;

/// The texts for a game and its matches.
pub trait Words: Position {
    /// A setup and moves that make an attractive picture, small enough for a card on the home screen.
    const SAMPLE: (&'static str, &'static str);
    /// The rules as text: paragraphs separated by empty lines.
    const RULES: &'static str;
    /// A description of the game in one line of at most 60 columns.
    const TAGLINE: &'static str;
    /// How to enter a move with the fixed keys, in a sentence or two.
    const HOW_TO_MOVE: &'static str;
    /// The meaning of the notes, for the help; `None` if the game has no notes.
    const ABOUT_NOTES: Option<&'static str> = None;

    /// Returns the texts for the panel beside the board. In a game with rounds, the panel may still show the round that
    /// the last move ended.
    fn caption(view: &PositionView<Self>, shows_ended_round: bool) -> Caption;

    /// Describes a move for screen readers: the sentence without the player's name and the full stop, such as
    /// `draws V1,1 and takes a box`. The players' names are distinct. Shared code adds the score and the turn.
    fn describe(before: &Self, mv: Self::Move, after: &Self, players: &Players) -> String;

    /// Describes the board for screen readers: place by place, one sentence per line, beginning with what matters for
    /// the next move. The players' names are distinct.
    fn read_out(view: &PositionView<Self>, players: &Players) -> Vec<String>;

    /// Returns optional notes to show on the board. The players' names are distinct.
    fn notes(view: &PositionView<Self>, players: &Players) -> Notes {
        let _ = (view, players);
        Notes::default()
    }
}

/// A game's texts for its matches. Empty for a match of a different game.
#[derive(Clone, Copy, Debug)]
pub struct GameWords {
    caption: fn(&Match) -> Caption,
    event: fn(&Match, &Players) -> Option<[String; 4]>,
    read_out: fn(&Match, &Players) -> Vec<String>,
    notes: fn(&Match, &Players) -> Notes,
    /// The explanation of the game's notes; `None` if the game has no notes.
    pub about_notes: Option<&'static str>,
}

impl GameWords {
    pub const fn of<G: Words>() -> GameWords {
        GameWords {
            caption: |game| seen::<G, _>(game, |view| G::caption(view, false)),
            event: |game, players| seen::<G, _>(game, |view| event(view, players)),
            read_out: |game, players| seen::<G, _>(game, |view| G::read_out(view, players)),
            notes: |game, players| seen::<G, _>(game, |view| G::notes(view, players)),
            about_notes: G::ABOUT_NOTES,
        }
    }
}

/// A match together with the texts of its game.
#[derive(Clone, Copy)]
pub struct InWords<'a> {
    /// The game's display name.
    pub name: &'static str,
    pub words: &'a GameWords,
    pub game: &'a Match,
}

impl InWords<'_> {
    /// Describes the last move, with the score if the score has changed or the game is over:
    /// `Ann draws V1,1 and takes a box. 2 to 1.`
    pub fn last_move(self, players: &Players) -> Option<String> {
        self.event(players).map(|[_, with_score, ..]| with_score)
    }

    /// Describes the last move in four forms: with the score (if it has changed or the game is over) and any extra
    /// turn; without the extra turn; the main clause and the score; the main clause alone.
    pub fn event(self, players: &Players) -> Option<[String; 4]> {
        (self.words.event)(self.game, &players.with_distinct_names())
    }

    /// Describes the last move, followed by the turn or the end of the match: `… 2 to 1. Ann to move.` With two seats,
    /// the score is in seat order.
    pub fn last_and_turn(self, players: &Players) -> String {
        let turn = turn(self.game, players);
        match self.last_move(players) {
            Some(last) => format!("{last} {turn}"),
            None => turn,
        }
    }

    /// Returns the game and its board, as in `Dots and Boxes, 5 x 5 dots`.
    pub fn title(self) -> String {
        format!("{}, {}", self.name, (self.words.caption)(self.game).board)
    }

    /// Describes the state of the match in one line:
    /// `Ann has 2 boxes; Bob has 1 box. 13 boxes, 24 lines left. Ann to move.`
    pub fn standing(self, players: &Players) -> String {
        let names = players.with_distinct_names();
        let caption = (self.words.caption)(self.game);
        let scores = self.game.scores();
        let notes = |(seat, _)| Some((caption.seat_notes(seat).into_iter().next()?, seat));
        let seats = names.iter().filter_map(notes).map(|(has, seat)| {
            let name = names.name(seat);
            let score = scores.as_ref().and_then(|scores| scores.get(seat.index()));
            match score {
                // Words other than the unit describe the seat's role.
                Some(score) => {
                    let unit = caption.unit.map(|[one, many]| if *score == 1 { one } else { many });
                    let is_unit = unit.is_some_and(|unit| unit == has.as_str());
                    let role = if is_unit { String::new() } else { format!(" ({has})") };
                    format!("{name} has {score} {}{role}", unit.unwrap_or_default())
                }
                None => format!("{name} has {has}"),
            }
        });
        let seats: Vec<String> = seats.collect();
        let seats =
            if seats.is_empty() { String::new() } else { format!("{}. ", seats.join("; ")) };
        let progress = capital(&caption.progress);
        format!("{seats}{progress}. {}", turn(self.game, players))
    }

    /// Describes the whole board, place by place, one sentence per line. The first lines are the title and the
    /// standing.
    pub fn board(self, players: &Players) -> Vec<String> {
        let mut lines = vec![format!("{}.", self.title()), self.standing(players)];
        lines.extend((self.words.read_out)(self.game, &players.with_distinct_names()));
        lines
    }

    /// Returns notes that help to read the position; empty in a game without notes.
    pub fn notes(self, players: &Players) -> Notes {
        (self.words.notes)(self.game, &players.with_distinct_names())
    }
}

fn seen<G: Position, T: Default>(game: &Match, look: impl Fn(&PositionView<G>) -> T) -> T {
    TypedMatch::of(game).map(|follower| look(&follower.view())).unwrap_or_default()
}

/// Describes the last move of a view, as [`InWords::event`] does.
pub fn event<G: Words>(view: &PositionView<G>, players: &Players) -> Option<[String; 4]> {
    let last = view.last.as_ref()?;
    let (seat, _) = view.played.last()?;
    let name = players.name(*seat);
    let described = G::describe(last.before, last.mv, view.now, players);
    let clause = described.split([':', '.']).next().unwrap_or_default();
    let [done, brief] = [&*described, clause].map(|done| format!("{name} {done}."));
    let scores = view.now.scores().filter(|scores| {
        view.now.outcome().is_some() || last.before.scores().as_ref() != Some(scores)
    });
    let score = scores.map_or(String::new(), |scores| format!(" {}.", score_of(&scores, players)));
    let goes_again = view.now.to_move() == Some(*seat);
    let again = if goes_again { format!(" {name} goes again.") } else { String::new() };
    let full = format!("{done}{score}");
    Some([format!("{full}{again}"), full, format!("{brief}{score}"), brief])
}

/// Formats the score: `2 to 1` in seat order for two seats, or with names for more seats. `None` in a game without
/// scores.
pub fn score(game: &Match, players: &Players) -> Option<String> {
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

/// Describes the turn or the end of the match, as in `Ann to move.` or `Bob wins, Ann resigned.`
pub fn turn(game: &Match, players: &Players) -> String {
    let players = &players.with_distinct_names();
    match (game.to_move(), how(game, players)) {
        (Some(seat), _) => format!("{} to move.", players.name(seat)),
        (None, Some(how)) => format!("{}, {how}.", who_won(game, players)),
        (None, None) => format!("{}.", who_won(game, players)),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use quadrille_match::session::Termination;
    use quadrille_rules::dots_and_boxes::DotsAndBoxes;
    use quadrille_rules::intersections::Intersections;
    use quadrille_rules::quixo::Quixo;
    use quadrille_rules::tic_tac_toe::TicTacToe;

    pub fn players(names: &str) -> Vec<String> {
        names.split(' ').map(str::to_owned).collect()
    }

    pub fn played<G: Words>(setup: &str, moves: &str) -> Match {
        let mut game = Match::new(G::from_setup(&setup.parse().unwrap()).unwrap());
        for mv in moves.split_whitespace() {
            game.play(mv).unwrap_or_else(|why| panic!("{mv}: {why}"));
        }
        game
    }

    pub fn in_words<G: Words>(game: &Match) -> InWords<'_> {
        InWords { name: G::NAME, words: const { &GameWords::of::<G>() }, game }
    }

    fn named(game: &Match, names: &str) -> Players {
        Players::named(game.seats(), &players(names))
    }

    /// Describes the last of these moves in a match between Ann and Bob.
    pub fn told<G: Words>(setup: &str, moves: &str) -> String {
        let game = played::<G>(setup, moves);
        in_words::<G>(&game).last_and_turn(&named(&game, "Ann Bob"))
    }

    /// Describes the board in a match between Ann and Bob, without the lines shared by all games.
    pub fn read<G: Words>(setup: &str, moves: &str) -> Vec<String> {
        let game = played::<G>(setup, moves);
        in_words::<G>(&game).board(&named(&game, "Ann Bob")).split_off(2)
    }

    #[test]
    fn the_standing_is_one_line() {
        fn stands<G: Words>(setup: &str, names: &str, moves: &str) -> String {
            let game = played::<G>(setup, moves);
            in_words::<G>(&game).standing(&named(&game, names))
        }
        assert_eq!(
            stands::<DotsAndBoxes>("size=3", "Ann Bob", "H0,0 H1,0 V0,0 V0,1"),
            "Ann has 0 boxes; Bob has 1 box. 3 boxes, 8 lines left. Bob to move."
        );
        assert_eq!(
            stands::<Quixo>("size=3", "Ann engine:strong", "A1-C1"),
            "Ann has 1 die; Strong has 0 dice. 8 dice blank. Strong to move."
        );
        assert_eq!(
            stands::<TicTacToe>("", "engine:casual engine:casual", "b2"),
            "8 cells left. Casual 2 to move."
        );
        assert_eq!(
            stands::<Intersections>("size=3 players=3 segments=6", "Ann Bob Cy", "0,0-0,2"),
            "Ann has 0 points (offense, +0 so far); Bob has 0 points (defense); Cy has 0 points (defense). \
             Round 1 of 3, segment 1 of 6. Bob to move."
        );
    }

    #[test]
    fn termination_is_described() {
        let mut game = played::<Quixo>("size=3", "A1-C1");
        let say = |game: &Match| in_words::<Quixo>(game).last_and_turn(&named(game, "Ann Bob"));
        game.end(Termination::Resigned(Seat::SECOND));
        assert_eq!(
            say(&game),
            "Ann takes the blank die at A1 and pushes it in at C1. Ann wins, Bob resigned."
        );
        game.reopen();
        game.end(Termination::Repetition);
        assert!(say(&game).ends_with("A draw, by repetition."), "{}", say(&game));
    }
}
