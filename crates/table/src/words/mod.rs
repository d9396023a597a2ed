//! Describes a match in words: its position in short form for a panel, its last move and its board in sentences for
//! screen readers, notes that help to read the position, and the findings of engines: the values of moves and the
//! reasons for them.
//!
//! [`Words`] provides the texts of one game. This module provides the texts shared by all games: the score, and whose
//! turn it is. [`PlayerNames`] conjugates: it writes `Ann draws` or `You draw`. Nothing here depends on a screen: a [`Note`] only has its
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
pub use value::own_moves;
pub use view::{LastMove, PositionView, TypedMatch};

use quadrille_match::session::{Match, PlayerNames, headline, how, who_won};
use quadrille_rules::{Position, Seat};
use quadrille_text::wording::capital;

/// The texts for a game and its matches.
pub trait Words: Position {
    /// A setup and moves that make an attractive picture, small enough for a card on the home screen.
    const SAMPLE: (&'static str, &'static str);
    /// The rules as text: paragraphs separated by empty lines.
    const RULES: &'static str;
    /// The aim of the game in one sentence.
    const AIM: &'static str;
    /// A description of the game in one line of at most 60 columns.
    const TAGLINE: &'static str;
    /// How to enter a move with the fixed keys, in a sentence or two.
    const HOW_TO_MOVE: &'static str;
    /// The meaning of the notes, for the help; `None` if the game has no notes.
    const ABOUT_NOTES: Option<&'static str> = None;

    /// Returns the texts for the panel beside the board. In a game with rounds, the panel may still show the round that
    /// the last move ended.
    fn caption(view: &PositionView<Self>, shows_ended_round: bool) -> Caption;

    /// Describes a move of the seat `by` for screen readers: the sentence without the player's name and the full stop,
    /// such as `draws V1,1 and takes a box`. Shared code adds the score and the turn.
    fn describe(
        before: &Self,
        mv: Self::Move,
        after: &Self,
        by: Seat,
        names: &PlayerNames,
    ) -> String;

    /// Describes the board for screen readers: place by place, one sentence per line, beginning with what matters for
    /// the next move.
    fn read_out(view: &PositionView<Self>, names: &PlayerNames) -> Vec<String>;

    /// Returns optional notes to show on the board.
    fn notes(view: &PositionView<Self>, names: &PlayerNames) -> Notes {
        let _ = (view, names);
        Notes::default()
    }
}

/// A game's texts for its matches. Empty for a match of a different game.
#[derive(Clone, Copy, Debug)]
pub struct GameWords {
    caption: fn(&Match) -> Caption,
    event: fn(&Match, &PlayerNames) -> Option<[String; 4]>,
    read_out: fn(&Match, &PlayerNames) -> Vec<String>,
    notes: fn(&Match, &PlayerNames) -> Notes,
    /// The explanation of the game's notes; `None` if the game has no notes.
    pub about_notes: Option<&'static str>,
}

impl GameWords {
    pub const fn of<G: Words>() -> GameWords {
        GameWords {
            caption: |game| seen::<G, _>(game, |view| G::caption(view, false)),
            event: |game, names| seen::<G, _>(game, |view| event(view, names)),
            read_out: |game, names| seen::<G, _>(game, |view| G::read_out(view, names)),
            notes: |game, names| seen::<G, _>(game, |view| G::notes(view, names)),
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
    pub fn last_move(self, names: &PlayerNames) -> Option<String> {
        self.event(names).map(|[_, with_score, ..]| with_score)
    }

    /// Describes the last move in four forms: with the score (if it has changed or the game is over) and any extra
    /// turn; without the extra turn; the main clause and the score; the main clause alone.
    pub fn event(self, names: &PlayerNames) -> Option<[String; 4]> {
        (self.words.event)(self.game, names)
    }

    /// Describes the last move, followed by the turn or the end of the match: `… 2 to 1. Ann to move.` With two seats,
    /// the score is in seat order.
    pub fn last_and_turn(self, names: &PlayerNames) -> String {
        let turn = turn(self.game, names);
        match self.last_move(names) {
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
    pub fn standing(self, names: &PlayerNames) -> String {
        let caption = (self.words.caption)(self.game);
        let scores = self.game.scores();
        let notes = |seat| Some((caption.seat_notes(seat).into_iter().next()?, seat));
        let seats = names.seats().filter_map(notes).map(|(has, seat)| {
            let score = scores.as_ref().and_then(|scores| scores.get(seat.index()));
            match score {
                // Words other than the unit describe the seat's role.
                Some(score) => {
                    let unit = caption.unit.map(|[one, many]| if *score == 1 { one } else { many });
                    let is_unit = unit.is_some_and(|unit| unit == has.as_str());
                    let role = if is_unit { String::new() } else { format!(" ({has})") };
                    names.clause(seat, &format!("has {score} {}{role}", unit.unwrap_or_default()))
                }
                None => names.clause(seat, &format!("has {has}")),
            }
        });
        let seats: Vec<String> = seats.collect();
        let seats =
            if seats.is_empty() { String::new() } else { format!("{}. ", seats.join("; ")) };
        let progress = capital(&caption.progress);
        format!("{seats}{progress}. {}", turn(self.game, names))
    }

    /// Describes the whole board, place by place, one sentence per line. The first lines are the title and the
    /// standing.
    pub fn board(self, names: &PlayerNames) -> Vec<String> {
        let mut lines = vec![format!("{}.", self.title()), self.standing(names)];
        lines.extend((self.words.read_out)(self.game, names));
        lines
    }

    /// Returns notes that help to read the position; empty in a game without notes.
    pub fn notes(self, names: &PlayerNames) -> Notes {
        (self.words.notes)(self.game, names)
    }
}

fn seen<G: Position, T: Default>(game: &Match, look: impl Fn(&PositionView<G>) -> T) -> T {
    TypedMatch::of(game).map(|follower| look(&follower.view())).unwrap_or_default()
}

/// Describes the last move of a view, as [`InWords::event`] does.
pub fn event<G: Words>(view: &PositionView<G>, names: &PlayerNames) -> Option<[String; 4]> {
    let last = view.last.as_ref()?;
    let &(seat, _) = view.played.last()?;
    let described = G::describe(last.before, last.mv, view.now, seat, names);
    let clause = described.split([':', '.']).next().unwrap_or_default();
    let [done, brief] =
        [&*described, clause].map(|done| format!("{} {done}.", names.subject(seat)));
    let scores = view.now.scores().filter(|scores| {
        view.now.outcome().is_some() || last.before.scores().as_ref() != Some(scores)
    });
    let score = scores.map_or(String::new(), |scores| format!(" {}.", score_of(&scores, names)));
    let goes_again = view.now.to_move() == Some(seat);
    let again =
        if goes_again { format!(" {}.", names.clause(seat, "goes again")) } else { String::new() };
    let full = format!("{done}{score}");
    Some([format!("{full}{again}"), full, format!("{brief}{score}"), brief])
}

/// Formats the score: `2 to 1` in seat order for two seats, or with names for more seats. `None` in a game without
/// scores.
pub fn score(game: &Match, names: &PlayerNames) -> Option<String> {
    Some(score_of(&game.scores()?, names))
}

fn score_of(scores: &[u32], names: &PlayerNames) -> String {
    if let [one, two] = scores {
        return format!("{one} to {two}");
    }
    let named = (0..).map(Seat::new).zip(scores);
    let named = named.enumerate().map(|(index, (seat, score))| {
        let has = format!("has {score}");
        if index == 0 { names.clause(seat, &has) } else { names.inner_clause(seat, &has) }
    });
    named.collect::<Vec<_>>().join(", ")
}

/// Describes the turn or the end of the match, as in `Ann to move.`, `Your turn.` or `Bob wins, Ann resigned.`
pub fn turn(game: &Match, names: &PlayerNames) -> String {
    match (game.to_move(), how(game, names)) {
        (Some(seat), _) => format!("{}.", whose_turn(seat, names)),
        (None, Some(how)) => format!("{}, {how}.", who_won(game, names)),
        (None, None) => {
            let headline = headline(game, names);
            if headline.ends_with('!') { headline } else { format!("{headline}.") }
        }
    }
}

/// Returns `Ann to move` or `Your turn`.
pub fn whose_turn(seat: Seat, names: &PlayerNames) -> String {
    if names.is_you(seat) {
        "Your turn".to_owned()
    } else {
        format!("{} to move", names.subject(seat))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use quadrille_match::session::{Players, Termination};
    use quadrille_rules::dots_and_boxes::DotsAndBoxes;
    use quadrille_rules::intersections::Intersections;
    use quadrille_rules::join_the_dots::JoinTheDots;
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

    fn named(game: &Match, names: &str) -> PlayerNames {
        PlayerNames::of(&Players::named(game.seats(), &players(names)))
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
            "Ann has 1 die; Strong has 0 dice. 8 blank dice. Strong to move."
        );
        assert_eq!(
            stands::<TicTacToe>("", "engine:casual engine:casual", "b2"),
            "8 cells left. Casual 2 to move."
        );
        assert_eq!(
            stands::<Intersections>("size=3 players=3 segments=6", "Ann Bob Cy", "0,0-0,2"),
            "Ann has 0 points (offense, +0 so far); Bob has 0 points (defense); Cy has 0 points (defense). \
             Round 1 of 3, 1 of 6 segments. Bob to move."
        );
    }

    /// Describes the last of these moves to Ann, who plays Bob.
    fn told_to_ann<G: Words>(setup: &str, moves: &str) -> String {
        let game = played::<G>(setup, moves);
        in_words::<G>(&game).last_and_turn(&named(&game, "Ann Bob").addressing(Some(Seat::FIRST)))
    }

    #[test]
    fn reader_is_addressed_in_every_game() {
        assert_eq!(told_to_ann::<DotsAndBoxes>("size=3", ""), "Your turn.");
        assert_eq!(told_to_ann::<DotsAndBoxes>("size=3", "H0,0"), "You draw H0,0. Bob to move.");
        assert_eq!(
            told_to_ann::<DotsAndBoxes>("size=3", "H0,0 H1,0"),
            "Bob draws H1,0. Your turn."
        );
        assert_eq!(
            told_to_ann::<DotsAndBoxes>("size=3", "H0,0 H0,1 V0,0 V0,2 H1,0 H1,1 V0,1"),
            "You draw V0,1 and take two boxes. 2 to 0. Your turn."
        );
        assert_eq!(
            told_to_ann::<JoinTheDots>("layout=eight", "3-4 2-3 7-8 1-5 1-7 1-8 2-4"),
            "You join 2 and 4 and take 3 dots: 2, 3 and 4; 2 dots left, too few for a loop. 3 to 3. Draw."
        );
        assert_eq!(
            told_to_ann::<Quixo>("size=3 grid=XX-------", "C1-A1"),
            "You take the blank die at C1 and push it in at A1, which fills row 1 with X. You win!"
        );
        assert_eq!(
            told_to_ann::<TicTacToe>("", "a1 a2 b1 b2 c1"),
            "You put X on c1 and have three in a row: a1, b1 and c1. You win!"
        );
        let round = "0,0-2,0 1,0-1,1 0,1-2,1 1,1-1,2";
        assert_eq!(
            told_to_ann::<Intersections>("size=3 segments=4", round),
            "Bob draws 1,1-1,2. Round 1 is over: you get 2 points, and Bob is the next offense. 2 to 0. Bob to move."
        );
        assert_eq!(
            told_to_ann::<Intersections>("size=3 segments=4", &format!("{round} 0,0-0,1 0,1-0,2")),
            "You draw 0,1-0,2. Bob to move."
        );
        let mut game = played::<Quixo>("size=3", "A1-C1");
        let you = named(&game, "Ann Bob").addressing(Some(Seat::FIRST));
        assert_eq!(
            in_words::<Quixo>(&game).standing(&you),
            "You have 1 die; Bob has 0 dice. 8 blank dice. Bob to move."
        );
        game.end(Termination::Resigned(Seat::FIRST));
        assert!(turn(&game, &you) == "Bob wins, you resigned.", "{}", turn(&game, &you));
        game.reopen();
        game.end(Termination::Resigned(Seat::SECOND));
        assert_eq!(turn(&game, &you), "You win, Bob resigned.");
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
        assert!(say(&game).ends_with("Draw, by repetition."), "{}", say(&game));
    }
}
