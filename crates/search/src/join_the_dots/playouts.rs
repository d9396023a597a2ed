//! Random games from each move, for positions that are too large for an exact search.

use super::unpacked::{Exchange, PointPair, UnpackedBoard};
use crate::random::index;
use fastrand::Rng;

#[derive(Clone, Copy, Debug)]
pub struct Trial {
    pub pair: PointPair,
    /// The sum of the margins still to come, for the side that plays the move.
    sum: f32,
    pub games: u32,
}

impl Trial {
    /// Returns the mean margin, including two fictitious games with margin 0, so that a single game carries less
    /// weight. `None` before the first game.
    pub fn mean(self) -> Option<f32> {
        (self.games > 0).then(|| self.sum / (self.games + 2) as f32)
    }
}

/// The maximum number of moves to try: the best moves of a two-ply search.
const CANDIDATES: usize = 48;

pub struct Bandit<'a> {
    board: UnpackedBoard<'a>,
    scratch: UnpackedBoard<'a>,
    tried: Vec<Trial>,
    games: u32,
    /// The sum of the squares of all margins.
    squares: f32,
    rng: Rng,
}

impl<'a> Bandit<'a> {
    /// Creates trials without games. `exchanges` lists all moves of the board, most promising first.
    pub fn new(board: UnpackedBoard<'a>, exchanges: &[Exchange], seed: u64) -> Bandit<'a> {
        let trial = |exchange: &Exchange| Trial { pair: exchange.pair, sum: 0.0, games: 0 };
        Bandit {
            scratch: board.clone(),
            board,
            tried: exchanges.iter().take(CANDIDATES).map(trial).collect(),
            games: 0,
            squares: 0.0,
            rng: Rng::with_seed(seed),
        }
    }

    /// Returns the moves tried, most visited first.
    pub fn best(&self) -> Vec<Trial> {
        let mut tried = self.tried.clone();
        tried.sort_by_key(|trial| std::cmp::Reverse(trial.games));
        tried
    }

    pub fn games(&self) -> u32 {
        self.games
    }

    /// Plays one more game, choosing the move with the highest upper confidence bound: Auer, Cesa-Bianchi and Fischer,
    /// *Finite-time analysis of the multiarmed bandit problem*, 2002 (UCB1). A game interrupted by `halt` does not
    /// count.
    pub fn play(&mut self, halt: &dyn Fn() -> bool) {
        let games = self.games.max(1) as f32;
        let (log, spread) = (libm::logf(games), (self.squares / games).sqrt());
        let worth = |trial: &Trial| match trial.mean() {
            None => f32::INFINITY,
            Some(mean) => mean + spread * (log / trial.games as f32).sqrt(),
        };
        let best = (0..self.tried.len())
            .max_by(|&a, &b| worth(&self.tried[a]).total_cmp(&worth(&self.tried[b])));
        let Some(best) = best else { return };
        self.scratch.copy(&self.board);
        let gain = self.scratch.join(self.tried[best].pair);
        let mut margin = gain;
        let mut sign = -1;
        let mut plies = 0;
        while self.scratch.left().len() > 2 {
            plies += 1;
            if plies % 4 == 0 && halt() {
                return;
            }
            let pair = reply(&self.scratch, &mut self.rng);
            margin += sign * self.scratch.join(pair);
            sign = -sign;
        }
        self.tried[best].sum += margin as f32;
        self.tried[best].games += 1;
        self.games += 1;
        self.squares += (margin * margin) as f32;
    }
}

/// Chooses a move in a random game: the move that closes the largest cycle; otherwise a move that offers no cycle, if
/// one is found; otherwise a move that joins small trees, which can only offer small cycles.
fn reply(board: &UnpackedBoard, rng: &mut Rng) -> PointPair {
    let largest = board.closings().max_by_key(|&pair| board.path(pair).len());
    if let Some(pair) = largest {
        return pair;
    }
    let points: Vec<usize> =
        board.left().iter().filter(|&a| !board.joinable(a).is_empty()).collect();
    for _ in 0..8 {
        let a = points[index(rng, points.len())];
        let joinable = board.joinable(a);
        let pair = joinable.iter().nth(index(rng, joinable.len())).map(|b| [a, b]);
        if let Some(pair) = pair.filter(|&pair| board.is_safe(pair)) {
            return pair;
        }
    }
    // Scan all moves, beginning at a random point.
    let from = index(rng, points.len());
    let mut least: Option<(usize, PointPair)> = None;
    for at in 0..points.len() {
        let a = points[(from + at) % points.len()];
        for b in board.joinable(a).iter() {
            if a < b && board.is_safe([a, b]) {
                return [a, b];
            }
            let size = board.tree_of(a).len() + board.tree_of(b).len();
            if least.is_none_or(|(other, _)| size < other) {
                least = Some((size, [a, b]));
            }
        }
    }
    // A move exists as long as three points are left.
    least.map_or([0, 0], |(_, pair)| pair)
}
