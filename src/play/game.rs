//! A match: a tree of all positions that were ever reached in it, and the present one.

use crate::rules::{Game, Outcome, Seat, Setup, SetupError, perft};
use std::error::Error;
use std::fmt;

/// A match of one game. Every position that was reached is kept: taking a move back goes to the one
/// before, and a move played then begins a line of its own beside the old one. Nothing is ever
/// computed backwards, and nothing is lost.
#[derive(Clone, Debug)]
pub struct Match<G: Game> {
    /// The first is the start; the others stand behind the ones they were reached from.
    nodes: Vec<Node<G>>,
    at: usize,
    /// Whether the players have agreed that the game is drawn as it stands.
    agreed: bool,
}

/// A position of the tree.
#[derive(Clone, Debug)]
struct Node<G: Game> {
    position: G,
    /// The node before, and the move from there to here; none at the start.
    came: Option<(usize, G::Move)>,
    /// The nodes that were reached from here, in the order of their first visit.
    next: Vec<usize>,
    /// Which of those the present line goes on to: the one visited last.
    onward: Option<usize>,
}

/// The move that led to a position.
#[derive(Clone, Copy, Debug)]
pub struct Last<'a, G: Game> {
    /// The position it was played in.
    pub before: &'a G,
    /// The move.
    pub mv: G::Move,
}

/// Why a move was not played: it was no move of this game, or not a legal one.
///
/// `{}` writes it as the source of the rules does, and `{:#}` in plain English, for the screens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    reason: String,
    plain: String,
}

impl Refusal {
    pub(super) fn new(reason: impl fmt::Display) -> Refusal {
        Refusal { reason: reason.to_string(), plain: format!("{reason:#}") }
    }

    /// Whether the text names no move at all, so that an example helps.
    pub fn is_no_move(&self) -> bool {
        self.plain != self.reason
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if f.alternate() { &self.plain } else { &self.reason })
    }
}

impl Error for Refusal {}

impl<G: Game> Match<G> {
    /// A match that begins in this position.
    pub fn new(start: G) -> Match<G> {
        let start = Node { position: start, came: None, next: Vec::new(), onward: None };
        Match { nodes: vec![start], at: 0, agreed: false }
    }

    /// The present position.
    pub fn now(&self) -> &G {
        &self.nodes[self.at].position
    }

    /// The move that led to the present position, unless it is the first.
    pub fn last_move(&self) -> Option<Last<'_, G>> {
        let (before, mv) = self.nodes[self.at].came?;
        Some(Last { before: &self.nodes[before].position, mv })
    }

    /// Plays a move. If it was played from here before, its line is taken up again; else it begins a
    /// new one. A refused move changes nothing.
    pub fn play_move(&mut self, mv: G::Move) -> Result<(), Refusal> {
        if self.agreed {
            return Err(Refusal::new("the game is over, agreed drawn"));
        }
        let known = self.nodes[self.at].next.iter().copied();
        let known = known.into_iter().find(|&node| self.move_to(node) == Some(mv));
        let node = if let Some(node) = known {
            node
        } else {
            let mut position = self.now().clone();
            let played = position.play(mv);
            debug_assert_eq!(played, self.now().check(mv), "what is checked is what is played");
            debug_assert!(played.is_ok() || position == *self.now(), "a refusal changes nothing");
            played.map_err(Refusal::new)?;
            let came = Some((self.at, mv));
            self.nodes.push(Node { position, came, next: Vec::new(), onward: None });
            let node = self.nodes.len() - 1;
            self.nodes[self.at].next.push(node);
            node
        };
        self.nodes[self.at].onward = Some(node);
        self.at = node;
        Ok(())
    }

    fn move_to(&self, node: usize) -> Option<G::Move> {
        self.nodes[node].came.map(|(_, mv)| mv)
    }

    fn before(&self, node: usize) -> Option<usize> {
        self.nodes[node].came.map(|(before, _)| before)
    }
}

/// A match of any game, its moves as their texts.
pub trait AnyMatch: Send {
    /// The game's name in commands and records.
    fn id(&self) -> &'static str;
    /// The complete setup the match began with.
    fn setup(&self) -> Setup;
    /// How many seats are at the table.
    fn seats(&self) -> u8;
    /// The letter of a seat on the board.
    fn mark(&self, seat: Seat) -> char;
    /// How many plies are played; undone ones do not count.
    fn ply(&self) -> usize;
    /// How many plies can be redone.
    fn undone(&self) -> usize;
    /// The seat to move, or `None` when the match is over.
    fn to_move(&self) -> Option<Seat>;
    /// Who has won, or `None` while the match goes on.
    fn outcome(&self) -> Option<Outcome>;
    /// Whether the players have agreed on a draw.
    fn is_agreed(&self) -> bool;
    /// The points of each seat, or `None` in a game that keeps no score.
    fn scores(&self) -> Option<Vec<u32>>;
    /// What else belongs to the state of this game, as names and numbers.
    fn facts(&self) -> Vec<(&'static str, u64)>;
    /// The texts of all legal moves, sorted as text.
    fn legal(&self) -> Vec<String>;
    /// The moves played, each with the seat that played it.
    fn moves(&self) -> Vec<(Seat, String)>;
    /// How often the present position stood on the board before, on the way to it.
    fn repeats(&self) -> usize;
    /// The moves that were played from here before, and which of them redo plays.
    fn branches(&self) -> (Vec<String>, Option<usize>);
    /// Lets redo play another of the [`branches`](AnyMatch::branches); no such one changes nothing.
    fn follow(&mut self, branch: usize);
    /// Where redo goes on to from the position of this number, if it was ever left by a move.
    fn onward(&self, node: usize) -> Option<usize>;
    /// The present position's number. Positions count from 0, the start, in the order they were
    /// first reached, and keep their numbers for ever.
    fn node(&self) -> usize;
    /// Goes to the position of this number, which must be below the length of
    /// [`tree`](AnyMatch::tree); redo follows the way there from then on.
    fn seek(&mut self, node: usize);
    /// All positions but the start, in the order of their numbers from 1: the number of the one
    /// before, and the move that led on from there.
    fn tree(&self) -> Vec<(usize, String)>;
    /// The numbers of the positions from the start to the present one, and on along the line that
    /// redo follows.
    fn line(&self) -> Vec<usize>;
    /// The text that a match gives to the move that this text means, be it legal here or not; `None`
    /// if it is no move of this game.
    fn spell(&self, text: &str) -> Option<String>;
    /// The board text of the present position.
    fn board(&self) -> String;
    /// Plays the move with this text; see [`Match::play_move`]. A refusal changes nothing.
    fn play(&mut self, text: &str) -> Result<(), Refusal>;
    /// Takes back one ply; `false` at the start.
    fn undo(&mut self) -> bool;
    /// Plays again the ply taken back last; `false` when there is none.
    fn redo(&mut self) -> bool;
    /// Ends the match as a draw that all players agree on; undo or redo takes that back.
    fn agree_draw(&mut self);
    /// Begins anew with another setup of the same game. A refusal changes nothing.
    fn restart(&mut self, setup: &Setup) -> Result<(), SetupError>;
    /// Goes along the present line to the position after this many plies, or as near as there is
    /// one.
    fn go_to(&mut self, ply: usize);
    /// The number of move sequences of this many moves from here; see [`perft`].
    fn perft(&self, depth: u8) -> u64;
    /// The slow recount of the present position; see [`Game::validate`].
    fn validate(&self) -> Result<(), String>;
}

impl<G: Game> AnyMatch for Match<G> {
    fn id(&self) -> &'static str {
        G::ID
    }

    fn setup(&self) -> Setup {
        self.nodes[0].position.setup()
    }

    fn seats(&self) -> u8 {
        self.now().seats()
    }

    fn mark(&self, seat: Seat) -> char {
        G::mark(seat)
    }

    fn ply(&self) -> usize {
        std::iter::successors(self.before(self.at), |&node| self.before(node)).count()
    }

    fn undone(&self) -> usize {
        std::iter::successors(self.nodes[self.at].onward, |&n| self.nodes[n].onward).count()
    }

    fn to_move(&self) -> Option<Seat> {
        if self.agreed { None } else { self.now().to_move() }
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.agreed { Some(Outcome::shared(self.seats())) } else { self.now().outcome() }
    }

    fn is_agreed(&self) -> bool {
        self.agreed
    }

    fn scores(&self) -> Option<Vec<u32>> {
        self.now().scores()
    }

    fn facts(&self) -> Vec<(&'static str, u64)> {
        self.now().facts()
    }

    fn legal(&self) -> Vec<String> {
        if self.agreed {
            return Vec::new();
        }
        let mut moves = Vec::new();
        self.now().legal_moves(&mut moves);
        let mut texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
        texts.sort_unstable();
        texts
    }

    fn moves(&self) -> Vec<(Seat, String)> {
        let line = self.line().into_iter().take(self.ply() + 1);
        let moves = line.filter_map(|node| self.nodes[node].came);
        let seat = |before: usize| self.nodes[before].position.to_move().unwrap_or(Seat::FIRST);
        moves.map(|(before, mv)| (seat(before), mv.to_string())).collect()
    }

    fn repeats(&self) -> usize {
        let way = std::iter::successors(self.before(self.at), |&node| self.before(node));
        way.filter(|&node| self.nodes[node].position == *self.now()).count()
    }

    fn branches(&self) -> (Vec<String>, Option<usize>) {
        let Node { next, onward, .. } = &self.nodes[self.at];
        let moves = next.iter().filter_map(|&node| self.move_to(node));
        let followed = next.iter().position(|node| Some(*node) == *onward);
        (moves.map(|mv| mv.to_string()).collect(), followed)
    }

    fn follow(&mut self, branch: usize) {
        let node = &mut self.nodes[self.at];
        node.onward = node.next.get(branch).copied().or(node.onward);
    }

    fn onward(&self, node: usize) -> Option<usize> {
        self.nodes.get(node)?.onward
    }

    fn node(&self) -> usize {
        self.at
    }

    fn seek(&mut self, node: usize) {
        self.agreed = false;
        self.at = node.min(self.nodes.len() - 1);
        let mut node = self.at;
        while let Some(before) = self.before(node) {
            self.nodes[before].onward = Some(node);
            node = before;
        }
    }

    fn tree(&self) -> Vec<(usize, String)> {
        let moves = self.nodes.iter().filter_map(|node| node.came);
        moves.map(|(before, mv)| (before, mv.to_string())).collect()
    }

    fn line(&self) -> Vec<usize> {
        let mut line: Vec<usize> =
            std::iter::successors(Some(self.at), |&node| self.before(node)).collect();
        line.reverse();
        line.extend(std::iter::successors(self.nodes[self.at].onward, |&n| self.nodes[n].onward));
        line
    }

    fn spell(&self, text: &str) -> Option<String> {
        text.parse().ok().map(|mv: G::Move| mv.to_string())
    }

    fn board(&self) -> String {
        self.now().to_string()
    }

    fn play(&mut self, text: &str) -> Result<(), Refusal> {
        self.play_move(text.parse().map_err(Refusal::new)?)
    }

    fn undo(&mut self) -> bool {
        if std::mem::take(&mut self.agreed) {
            return true;
        }
        let before = self.before(self.at);
        self.at = before.unwrap_or(self.at);
        before.is_some()
    }

    fn redo(&mut self) -> bool {
        let Some(onward) = self.nodes[self.at].onward else { return false };
        self.agreed = false;
        self.at = onward;
        true
    }

    fn agree_draw(&mut self) {
        self.agreed = self.now().outcome().is_none();
    }

    fn restart(&mut self, setup: &Setup) -> Result<(), SetupError> {
        *self = Match::new(G::from_setup(setup)?);
        Ok(())
    }

    fn go_to(&mut self, ply: usize) {
        self.agreed = false;
        let line = self.line();
        self.at = line[ply.min(line.len() - 1)];
    }

    fn perft(&self, depth: u8) -> u64 {
        perft(self.now(), depth)
    }

    fn validate(&self) -> Result<(), String> {
        self.now().validate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::dots_and_boxes::Pipopipette;

    fn small() -> Match<Pipopipette> {
        Match::new(Pipopipette::square(2).unwrap())
    }

    #[test]
    fn undo_and_redo_go_through_the_whole_match() {
        let mut game = small();
        let start = game.board();
        for mv in ["H0,0", "V0,0", "V0,1", "H1,0"] {
            game.play(mv).unwrap();
        }
        let end = game.board();
        assert_eq!(game.moves()[3], (Seat::SECOND, "H1,0".to_owned()));
        while game.undo() {}
        assert_eq!((game.ply(), game.undone(), game.board()), (0, 4, start));
        while game.redo() {}
        assert_eq!((game.ply(), game.undone(), game.board()), (4, 0, end));
    }

    #[test]
    fn a_move_after_undo_begins_a_line_beside_the_old_one() {
        let mut game = small();
        for mv in ["H0,0", "V0,0", "V0,1"] {
            game.play(mv).unwrap();
        }
        game.go_to(1);
        game.play("H1,0").unwrap();
        assert_eq!((game.ply(), game.undone(), game.node()), (2, 0, 4));
        game.undo();
        assert_eq!(game.branches(), (vec!["V0,0".to_owned(), "H1,0".to_owned()], Some(1)));
        game.follow(0);
        game.follow(9);
        game.redo();
        game.redo();
        assert_eq!((game.ply(), game.node()), (3, 3), "the old line is reached again");
        game.go_to(1);
        game.play("H1,0").unwrap();
        assert_eq!(game.node(), 4, "a move played again takes its line up");
        game.seek(3);
        assert_eq!(game.moves()[2].1, "V0,1");
        game.go_to(0);
        assert_eq!(game.undone(), 3, "redo follows the way to where one was");
        let tree = game.tree();
        assert_eq!(tree[3], (1, "H1,0".to_owned()));
        let mut copy = small();
        for (before, mv) in tree {
            copy.seek(before);
            copy.play(&mv).unwrap();
        }
        assert_eq!(copy.tree(), game.tree(), "a tree is built again from its list");
    }

    #[test]
    fn a_refusal_keeps_what_was_undone() {
        let mut game = small();
        game.play("H0,0").unwrap();
        game.play("V0,0").unwrap();
        game.undo();
        assert_eq!(game.play("H0,0").unwrap_err().to_string(), "dots already connected");
        assert_eq!(game.play("x").unwrap_err().to_string(), "invalid position");
        assert_eq!((game.ply(), game.undone()), (1, 1));
    }

    #[test]
    fn a_draw_can_be_agreed_and_taken_back() {
        let mut game = small();
        game.play("H0,0").unwrap();
        game.agree_draw();
        assert_eq!((game.to_move(), game.outcome()), (None, Some(Outcome::shared(2))));
        assert!(game.legal().is_empty() && game.play("V0,0").is_err());
        assert!(game.undo());
        assert_eq!((game.ply(), game.to_move()), (1, Some(Seat::SECOND)));
    }
}
