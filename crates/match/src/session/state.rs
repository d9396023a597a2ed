//! The state of a match for programs, as one line of JSON.

use super::{Match, MoveComment};
use quadrille_rules::tic_tac_toe::TicTacToe;
use quadrille_rules::{Round, Scores, Seat};
use serde::Serialize;
use std::fmt;

/// The state of a match after its last move. [`Display`](fmt::Display) gives one line of JSON with the fields in this
/// order; seats are numbered from 0.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchState {
    pub game: &'static str,
    /// The complete setup, as words separated by blanks.
    pub setup: String,
    pub ply: usize,
    /// The seat to move; `None` when the match is over.
    pub turn: Option<usize>,
    /// The score of each seat; `None` in a game without scores.
    pub scores: Option<Scores>,
    pub over: bool,
    /// The seats that won or share the win; empty while the match is in progress.
    pub winners: Vec<usize>,
    /// The legal moves, sorted as text.
    pub legal: Vec<String>,
    pub board: String,
    /// The number and the offense of the current round, in a game with rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub offense: Option<usize>,
    /// The number of tic-tac-toe's [`Verdict`](quadrille_rules::tic_tac_toe::Verdict).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<u8>,
    /// The time control, as [`TimeControl`](super::TimeControl) formats it, if the record has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// The engine's comment on the last move, if the record contains one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<MoveComment>,
}

impl MatchState {
    pub fn of(game: &Match) -> MatchState {
        let MatchSummary { game: id, setup, ply, turn, scores, winners, round } =
            MatchSummary::of(game);
        let over = turn.is_none();
        let (legal, board) = (game.legal_moves(), game.board());
        let tic_tac_toe = game.now().typed::<TicTacToe>();
        MatchState {
            game: id,
            setup,
            ply,
            turn,
            scores,
            over,
            winners,
            legal,
            board,
            round: round.map(|round| round.number),
            offense: round.map(|round| round.offense.index()),
            verdict: tic_tac_toe.map(|position| position.verdict() as u8),
            clock: None,
            comment: None,
        }
    }
}

/// The state of a match without its legal moves and board text, which are long on a large board. The fields are those
/// of [`MatchState`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchSummary {
    pub game: &'static str,
    pub setup: String,
    pub ply: usize,
    pub turn: Option<usize>,
    pub scores: Option<Scores>,
    pub winners: Vec<usize>,
    pub round: Option<Round>,
}

impl MatchSummary {
    pub fn of(game: &Match) -> MatchSummary {
        MatchSummary {
            game: game.id(),
            setup: game.setup().to_string(),
            ply: game.ply(),
            turn: game.to_move().map(Seat::index),
            scores: game.scores(),
            winners: game.outcome().iter().flat_map(|won| won.winners()).map(Seat::index).collect(),
            round: game.now().round(),
        }
    }
}

impl fmt::Display for MatchState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(self).map_err(|_| fmt::Error)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Match;
    use quadrille_rules::Position;
    use quadrille_rules::dots_and_boxes::DotsAndBoxes;
    use quadrille_rules::intersections::Intersections;
    use quadrille_rules::quixo::Quixo;

    fn after<G: Position>(setup: &str, moves: &str) -> Match {
        let mut game = Match::new(G::from_setup(&setup.parse().unwrap()).unwrap());
        for text in moves.split_whitespace() {
            game.play(text).unwrap();
        }
        game
    }

    #[test]
    fn state_json_line_is_stable() {
        assert_eq!(
            MatchState::of(&after::<DotsAndBoxes>("size=2", "V0,1")).to_string(),
            r#"{"game":"dots-and-boxes","setup":"rows=2 cols=2","ply":1,"turn":1,"scores":[0,0],"over":false,"winners":[],"legal":["H0,0","H1,0","V0,0"],"board":"+.+\n.?|\n+.+"}"#
        );
        assert_eq!(
            MatchState::of(&after::<TicTacToe>("grid=XX-OO----", "c1")).to_string(),
            r#"{"game":"tic-tac-toe","setup":"first=X grid=XX-OO----","ply":1,"turn":null,"scores":null,"over":true,"winners":[0],"legal":[],"board":"0 0 0\n1 1 -1\n-1 -1 -1","verdict":0}"#
        );
        let line = MatchState::of(&after::<Intersections>("size=2", "0,0-0,1")).to_string();
        assert!(
            line.ends_with(r#""board":"round 0 offense 0: 0,0-0,1","round":0,"offense":0}"#),
            "{line}"
        );
    }

    #[test]
    fn winners_list_all_seats_on_a_draw_and_none_without_a_winner() {
        let mut game = after::<Quixo>("size=3", "A1-C1");
        game.end(crate::session::Termination::Agreed);
        let state = MatchState::of(&game);
        assert_eq!((state.over, state.turn, state.winners), (true, None, vec![0, 1]));
        assert!(state.legal.is_empty());
        let nobody = MatchState::of(&after::<Quixo>("size=1", ""));
        assert_eq!((nobody.over, nobody.winners), (true, vec![]));
    }
}
