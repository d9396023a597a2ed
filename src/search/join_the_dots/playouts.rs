//! Monte Carlo trials, for positions that are too large to search: each move is tried by quick games to the end.

use super::wide::{Offer, Pair, WideBoard};
use fastrand::Rng;

/// A move, and the results of the games that began with it.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    pub pair: Pair,
    /// The sum of the margins still to come, for the side that plays the move.
    sum: f32,
    pub games: u32,
}

impl Trial {
    /// The mean margin, with two more games counted as 0, so that a single game says less. `None` before the
    /// first game.
    pub fn mean(self) -> Option<f32> {
        (self.games > 0).then(|| self.sum / (self.games + 2) as f32)
    }
}

/// The most moves that are tried: those that look best two plies ahead.
const CANDIDATES: usize = 48;

/// Trials of the moves of one position.
pub struct Trials<'a> {
    board: WideBoard<'a>,
    room: WideBoard<'a>,
    tried: Vec<Trial>,
    games: u32,
    /// The sum of the squares of all margins.
    squares: f32,
    rng: Rng,
}

impl<'a> Trials<'a> {
    /// Trials without any games yet. `offers` are all moves of the board, the most promising first.
    pub fn new(board: WideBoard<'a>, offers: &[Offer], seed: u64) -> Trials<'a> {
        let trial = |offer: &Offer| Trial { pair: offer.pair, sum: 0.0, games: 0 };
        Trials {
            room: board.clone(),
            board,
            tried: offers.iter().take(CANDIDATES).map(trial).collect(),
            games: 0,
            squares: 0.0,
            rng: Rng::with_seed(seed),
        }
    }

    /// The moves tried, those tried most often first.
    pub fn best(&self) -> Vec<Trial> {
        let mut tried = self.tried.clone();
        tried.sort_by_key(|trial| std::cmp::Reverse(trial.games));
        tried
    }

    /// How many games were played.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Plays one more game, with the move of the highest upper confidence bound: Auer, Cesa-Bianchi and
    /// Fischer, *Finite-time analysis of the multiarmed bandit problem*, 2002 (UCB1). A game that `halt`
    /// breaks off does not count.
    pub fn play(&mut self, halt: &dyn Fn() -> bool) {
        let games = self.games.max(1) as f32;
        let (log, spread) = (games.ln(), (self.squares / games).sqrt());
        let worth = |trial: &Trial| match trial.mean() {
            None => f32::INFINITY,
            Some(mean) => mean + spread * (log / trial.games as f32).sqrt(),
        };
        let best = (0..self.tried.len())
            .max_by(|&a, &b| worth(&self.tried[a]).total_cmp(&worth(&self.tried[b])));
        let Some(best) = best else { return };
        self.room.copy(&self.board);
        let gain = self.room.join(self.tried[best].pair);
        let mut margin = gain;
        let mut sign = -1;
        let mut plies = 0;
        while self.room.left().len() > 2 {
            plies += 1;
            if plies % 4 == 0 && halt() {
                return;
            }
            let pair = reply(&self.room, &mut self.rng);
            margin += sign * self.room.join(pair);
            sign = -sign;
        }
        self.tried[best].sum += margin as f32;
        self.tried[best].games += 1;
        self.games += 1;
        self.squares += (margin * margin) as f32;
    }
}

/// A quick move: close the largest cycle; otherwise a move that offers no cycle, if one is found; otherwise
/// one that joins small trees, which can only offer small cycles.
fn reply(board: &WideBoard, rng: &mut Rng) -> Pair {
    let largest = board.closings().max_by_key(|&pair| board.path(pair).len());
    if let Some(pair) = largest {
        return pair;
    }
    let points: Vec<usize> = board.left().iter().filter(|&a| !board.open(a).is_empty()).collect();
    for _ in 0..8 {
        let a = points[rng.usize(..points.len())];
        let open = board.open(a);
        let pair = open.iter().nth(rng.usize(..open.len())).map(|b| [a, b]);
        if let Some(pair) = pair.filter(|&pair| board.is_safe(pair)) {
            return pair;
        }
    }
    // Look at all moves, beginning at a random point.
    let from = rng.usize(..points.len());
    let mut least: Option<(usize, Pair)> = None;
    for at in 0..points.len() {
        let a = points[(from + at) % points.len()];
        for b in board.open(a).iter() {
            if a < b && board.is_safe([a, b]) {
                return [a, b];
            }
            let size = board.tree_of(a).len() + board.tree_of(b).len();
            if least.is_none_or(|(other, _)| size < other) {
                least = Some((size, [a, b]));
            }
        }
    }
    // As long as three points are left there is a move.
    least.map_or([0, 0], |(_, pair)| pair)
}
