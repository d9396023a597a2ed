//! Ratings of many players on one scale.
//!
//! Players who met different opponents cannot be compared by score: in a gauntlet, the first player meets all others,
//! and the others meet only the first. Therefore, the ratings are the maximum likelihood estimates of the Elo model:
//! Ralph Bradley and Milton Terry, *Rank analysis of incomplete block designs* (1952), with a draw counted as half a
//! win. The estimates exist only if no group of players has won everything against the rest: Lester Ford, *Solution of
//! a ranking problem from binary comparisons* (1957).
//!
//! The errors are estimated from the residuals of complete sets of games, since the games within a set may depend on
//! each other: Halbert White, *Maximum likelihood estimation of misspecified models* (1982), with the small-sample
//! correction known as HC1.

use super::Elo;
use super::counts::{Group, Pairing};
use super::elo::{MIN_SETS, error_of, superiority_of};
use std::collections::BTreeMap;

/// The number of Elo points per natural unit of strength, as used in [`expected`].
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// The ratings of players and their covariance.
pub(super) struct Ratings {
    elo: Vec<Elo>,
    /// The row of each player in `covariance`; `None` if the player is not on the scale.
    place: Vec<Option<usize>>,
    covariance: Option<Matrix>,
}

impl Ratings {
    pub(super) fn elo(&self, player: usize) -> Elo {
        self.elo.get(player).copied().unwrap_or_default()
    }

    /// Returns the likelihood that `player` is stronger than `other`.
    pub(super) fn superiority(&self, player: usize, other: usize) -> Option<f64> {
        let (Elo::Known { elo: a, error: Some(_) }, Elo::Known { elo: b, error: Some(_) }) =
            (self.elo(player), self.elo(other))
        else {
            return None;
        };
        let (i, j) = (self.place[player]?, self.place[other]?);
        let covariance = self.covariance.as_ref()?;
        let variance = covariance.at(i, i) + covariance.at(j, j) - 2.0 * covariance.at(i, j);
        (variance > TINY).then(|| superiority_of(a - b, variance))
    }
}

/// Smaller variances are rounding errors, in Elo squared.
const TINY: f64 = 1e-6;

/// The maximum number of steps of Newton's method. About ten are typical.
const MAX_STEPS: u32 = 200;

/// A square matrix in row-major order.
#[derive(Clone, Debug)]
struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    fn new(size: usize) -> Matrix {
        Matrix { size, cells: vec![0.0; size * size] }
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    fn at_mut(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.cells[row * self.size + column]
    }

    /// Computes the Cholesky decomposition: L with L Lᵀ = self. Reads only the lower triangle, and only the lower
    /// triangle of L is valid.
    fn cholesky(mut self) -> Matrix {
        for column in 0..self.size {
            for row in column..self.size {
                let (a, b) = (row * self.size, column * self.size);
                let dot: f64 = (self.cells[a..a + column].iter())
                    .zip(&self.cells[b..b + column])
                    .map(|(x, y)| x * y)
                    .sum();
                let rest = self.at(row, column) - dot;
                *self.at_mut(row, column) =
                    if row == column { rest.sqrt() } else { rest / self.at(column, column) };
            }
        }
        self
    }

    /// Solves L Lᵀ x = b for x, where self is L.
    fn solve(&self, mut b: Vec<f64>) -> Vec<f64> {
        for row in 0..self.size {
            let known: f64 = (0..row).map(|column| self.at(row, column) * b[column]).sum();
            b[row] = (b[row] - known) / self.at(row, row);
        }
        for row in (0..self.size).rev() {
            let known: f64 = (row + 1..self.size).map(|below| self.at(below, row) * b[below]).sum();
            b[row] = (b[row] - known) / self.at(row, row);
        }
        b
    }
}

/// The points of each player against each opponent in complete sets, and the number of games.
struct PairScores {
    points: Matrix,
    games: Matrix,
}

/// Rates `count` players.
pub(super) fn rate(
    count: usize,
    pairings: &BTreeMap<(usize, usize), Pairing>,
    groups: &BTreeMap<Vec<usize>, Group>,
) -> Ratings {
    let mut scores = PairScores { points: Matrix::new(count), games: Matrix::new(count) };
    for (&(i, j), pairing) in pairings {
        *scores.games.at_mut(i, j) = pairing.sets.games() as f64;
        *scores.points.at_mut(i, j) = pairing.sets.halves() as f64 / 2.0;
    }
    let main = comparable(&scores);
    let mut place = vec![None; count];
    for (i, &player) in main.iter().enumerate() {
        place[player] = Some(i);
    }
    let (strengths, curvature) = maximize(&main, &scores);
    let covariance = covariance(&place, &strengths, &curvature, &scores, groups);
    let mut elo = vec![Elo::Unknown; count];
    for (i, &player) in main.iter().enumerate() {
        let variance = covariance.as_ref().map(|covariance| covariance.at(i, i));
        let is_enough = sets_of(player, &place, groups) >= MIN_SETS;
        let error = variance.filter(|variance| is_enough && *variance > TINY).map(error_of);
        elo[player] = Elo::Known { elo: strengths[i] * SCALE, error };
    }
    // The other players won or lost everything against the players on the scale, so they get a bound.
    for (&(player, other), pairing) in pairings {
        if let (None, Some(at)) = (place[player], place[other]) {
            let base = strengths[at] * SCALE;
            // A lower bound below the mean or an upper bound above it contains no information.
            let bound = match pairing.sets.elo() {
                Elo::Above(bound) if base + bound > 0.0 => Elo::Above(base + bound),
                Elo::Below(bound) if base + bound < 0.0 => Elo::Below(base + bound),
                _ => Elo::Unknown,
            };
            elo[player] = tighter(elo[player], bound);
        }
    }
    Ratings { elo, place, covariance }
}

/// Returns the number of sets that a player has played with at least one other player on the scale.
fn sets_of(player: usize, place: &[Option<usize>], groups: &BTreeMap<Vec<usize>, Group>) -> u64 {
    let tells = |players: &[usize]| {
        players.contains(&player)
            && players.iter().any(|other| *other != player && place[*other].is_some())
    };
    groups.iter().filter(|(players, _)| tells(players)).map(|(_, group)| group.sets).sum()
}

/// Returns the tighter of two bounds.
fn tighter(a: Elo, b: Elo) -> Elo {
    match (a, b) {
        (Elo::Above(x), Elo::Above(y)) => Elo::Above(x.max(y)),
        (Elo::Below(x), Elo::Below(y)) => Elo::Below(x.min(y)),
        (Elo::Unknown, b) => b,
        (a, _) => a,
    }
}

/// Returns the players that can be rated on one scale: the largest strongly connected component of the graph in which
/// an edge from A to B means that A scored against B. Among components of equal size, returns the one that contains the
/// first player. A single player does not form a scale.
fn comparable(scores: &PairScores) -> Vec<usize> {
    let count = scores.points.size;
    let reached: Vec<Vec<bool>> = (0..count)
        .map(|player| {
            let mut reached = vec![false; count];
            let mut open = vec![player];
            while let Some(at) = open.pop() {
                for (next, seen) in reached.iter_mut().enumerate() {
                    if scores.points.at(at, next) > 0.0 && !*seen {
                        *seen = true;
                        open.push(next);
                    }
                }
            }
            reached
        })
        .collect();
    let part = |i: usize| -> Vec<usize> {
        (0..count).filter(|&j| i == j || (reached[i][j] && reached[j][i])).collect()
    };
    // Reversed, because `max_by_key` returns the last of equal elements.
    let parts = (0..count).rev().map(part).filter(|part| part.len() > 1);
    parts.max_by_key(Vec::len).unwrap_or_default()
}

/// Returns the expected score against another player. Strengths are in natural units of [`SCALE`] Elo each.
fn expected(strength: f64, other: f64) -> f64 {
    1.0 / (1.0 + (other - strength).exp())
}

/// Computes the maximum likelihood strengths of these players, with mean 0, by Newton's method. Also returns the
/// Cholesky factor of the negative Hessian of the log-likelihood at the maximum.
fn maximize(players: &[usize], scores: &PairScores) -> (Vec<f64>, Matrix) {
    let size = players.len();
    let mut strengths = vec![0.0; size];
    let mut steps = 0;
    loop {
        let mut gradient = vec![0.0; size];
        let mut curvature = Matrix::new(size);
        for (i, &player) in players.iter().enumerate() {
            for (j, &other) in players.iter().enumerate().filter(|(j, _)| *j != i) {
                let games = scores.games.at(player, other);
                let p = expected(strengths[i], strengths[j]);
                gradient[i] += scores.points.at(player, other) - games * p;
                *curvature.at_mut(i, i) += games * p * (1.0 - p);
                *curvature.at_mut(i, j) = -games * p * (1.0 - p);
            }
        }
        // Adding a constant to all strengths changes nothing, so the matrix is singular. This term fixes the mean.
        let hold = (0..size).map(|i| curvature.at(i, i)).sum::<f64>().max(1e-9) / size as f64;
        curvature.cells.iter_mut().for_each(|cell| *cell += hold / size as f64);
        let curvature = curvature.cholesky();
        let step = curvature.solve(gradient);
        let longest = step.iter().fold(0.0_f64, |longest, part| longest.max(part.abs()));
        // Far from the maximum, a full Newton step may overshoot.
        let share = (2.0 / longest).min(1.0);
        for (strength, part) in strengths.iter_mut().zip(&step) {
            *strength += share * part;
        }
        steps += 1;
        if longest < 1e-9 || steps == MAX_STEPS {
            return (strengths, curvature);
        }
    }
}

/// Returns the covariance of the ratings, in Elo squared, by the sandwich estimator: the inverse curvature on both
/// sides of the scatter of the sets. Returns `None` if there are too few sets for the number of players.
fn covariance(
    place: &[Option<usize>],
    strengths: &[f64],
    curvature: &Matrix,
    scores: &PairScores,
    groups: &BTreeMap<Vec<usize>, Group>,
) -> Option<Matrix> {
    let size = strengths.len();
    let mut scatter = Matrix::new(size);
    let mut sets = 0;
    for (players, group) in groups {
        if players.iter().filter(|player| place[**player].is_some()).count() < 2 {
            continue;
        }
        sets += group.sets;
        let expect = |player: usize, other: usize| match (place[player], place[other]) {
            (Some(i), Some(j)) => expected(strengths[i], strengths[j]),
            // One of the two players is not on the scale and has won or lost everything.
            _ => scores.points.at(player, other) / scores.games.at(player, other),
        };
        let (count, games) = (group.sets as f64, players.len() as f64);
        let means: Vec<f64> = players
            .iter()
            .map(|&player| {
                let others = players.iter().filter(|other| **other != player);
                others.map(|&other| games * expect(player, other)).sum()
            })
            .collect();
        let sum = |a: usize| group.sums[a] as f64 / 2.0;
        for (a, i) in players.iter().enumerate().filter_map(|(a, p)| Some((a, place[*p]?))) {
            for (b, j) in players.iter().enumerate().filter_map(|(b, p)| Some((b, place[*p]?))) {
                let product = group.products[a * players.len() + b] as f64 / 4.0;
                *scatter.at_mut(i, j) +=
                    product - means[a] * sum(b) - sum(a) * means[b] + count * means[a] * means[b];
            }
        }
    }
    let free = (sets + 1).checked_sub(size as u64).filter(|free| *free > 0 && size > 1)?;
    let factor = sets as f64 / free as f64 * SCALE * SCALE;
    // Multiplies by the inverse of the curvature on both sides; the scatter matrix is symmetric.
    let one_side = |matrix: &Matrix| {
        let mut out = Matrix::new(size);
        for i in 0..size {
            let column = curvature.solve((0..size).map(|j| matrix.at(i, j)).collect());
            for (j, cell) in column.into_iter().enumerate() {
                *out.at_mut(j, i) = cell;
            }
        }
        out
    };
    let mut both = one_side(&one_side(&scatter));
    both.cells.iter_mut().for_each(|cell| *cell *= factor);
    Some(both)
}
