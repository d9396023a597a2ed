//! Elo: conversion between rating differences and scores, and estimation of a difference from sets of games.
//!
//! The formulas are those of Fishtest (`stat_util.py`, `get_elo`) and fastchess (`elo_pentanomial.cpp`). For the reason
//! why the unit is a pair of games instead of a single game, see *Fishtest mathematics*, a page of the Fishtest wiki,
//! and Michel Van den Bergh, *Comments on Normalized Elo*. An opening that favors one seat favors each player in one
//! game of the pair, so the bias cancels. Counting single games would overestimate the variance.
//!
//! The likelihood of superiority (LOS) between two players is Φ((μ − ½) / σ), where μ is their score in complete sets
//! and σ its standard error: `los` in `get_elo` and in `elo_pentanomial.cpp`. Unlike the Elo interval, the score is not
//! clamped, so the two may disagree if the interval ends at [`EDGE`].

use libm::erfc;
use std::collections::BTreeMap;
use std::fmt;

/// The 97.5 % quantile of the normal distribution.
const NORMAL_975: f64 = 1.959_963_984_540_054;
/// Scores are clamped to this distance from 0 and 1 before conversion to Elo, as in Fishtest.
const EDGE: f64 = 1e-3;
/// The minimum number of sets for which an error is given. With exactly eight sets, the 95 % interval contains the true
/// value in about 90 % of tournaments.
pub(super) const MIN_SETS: u64 = 8;

/// An estimate of a difference in strength.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Elo {
    #[default]
    Unknown,
    Known {
        elo: f64,
        /// Half the width of the 95 % confidence interval; `None` if there are fewer than eight sets or all sets are
        /// identical.
        error: Option<f64>,
    },
    /// A lower bound: every game was won, so there is no finite estimate. The number is the estimate for half a point
    /// less.
    Above(f64),
    /// An upper bound: every game was lost, so there is no finite estimate. The number is the estimate for half a point
    /// more.
    Below(f64),
}

impl Elo {
    /// Returns half the width of the 95 % confidence interval, if known.
    pub fn error(self) -> Option<f64> {
        match self {
            Elo::Known { error, .. } => error,
            _ => None,
        }
    }

    /// Halves the difference. With two players, this turns the difference between them into the difference from their
    /// mean.
    pub(super) fn halved(self) -> Elo {
        let half = |number: f64| number / 2.0;
        match self {
            Elo::Unknown => Elo::Unknown,
            Elo::Known { elo, error } => Elo::Known { elo: half(elo), error: error.map(half) },
            Elo::Above(bound) => Elo::Above(half(bound)),
            Elo::Below(bound) => Elo::Below(half(bound)),
        }
    }

    /// Returns a sort key: players who won everything come first, and players who lost everything last. A player
    /// without an estimate is sorted by its score.
    pub(super) fn sort_key(self, score: f64) -> f64 {
        match self {
            Elo::Unknown => elo_of(score).clamp(-1e9, 1e9),
            Elo::Below(bound) => -2e9 + bound,
            Elo::Known { elo, .. } => elo,
            Elo::Above(bound) => 2e9 + bound,
        }
    }
}

/// Formats the estimate as `+55.6`, `> 183`, or `-` if nothing is known. The error is not included.
impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match *self {
            Elo::Known { elo, .. } => {
                // Adding 0.0 converts -0.0 to 0.0.
                let tenths = (elo * 10.0).round() + 0.0;
                format!("{:+.1}", tenths / 10.0)
            }
            Elo::Above(bound) => format!("> {bound:.0}"),
            Elo::Below(bound) => format!("< {bound:.0}"),
            Elo::Unknown => "-".to_owned(),
        })
    }
}

/// Returns the expected score, 0 to 1, against an opponent who is weaker by this many Elo points.
///
/// Arpad Elo, *The Rating of Chessplayers* (1978), in the logistic form commonly used today.
pub(super) fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Returns the difference in Elo at which this score is expected; the inverse of [`score_of`].
pub(super) fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Returns the cumulative distribution function of the normal distribution at `z`.
pub(super) fn normal_below(z: f64) -> f64 {
    0.5 * erfc(-z / std::f64::consts::SQRT_2)
}

/// Returns the zero of a function that decreases from `low` to `high`, to floating-point precision.
pub(super) fn zero_of(falls: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if falls(middle) > 0.0 { low = middle } else { high = middle }
    }
}

/// Returns half the width of the 95 % interval of a value with this variance.
pub(super) fn error_of(variance: f64) -> f64 {
    NORMAL_975 * variance.sqrt()
}

/// Returns the likelihood that the true difference is above 0, from its estimate and the variance of the estimate.
pub(super) fn superiority_of(difference: f64, variance: f64) -> f64 {
    normal_below(difference / variance.sqrt())
}

/// The results of one player against another: for each number of games in a set, a histogram of the sets by half
/// points, from 0 to twice the number of games. With two seats, a set is a pair of games, and its histogram contains
/// the five *pentanomial* frequencies. Setups with different numbers of seats have sets of different lengths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sets(pub(super) BTreeMap<usize, Vec<u64>>);

impl Sets {
    /// Adds a set of `games` games in which the player scored `halves` half points.
    pub(super) fn add(&mut self, halves: u64, games: usize) {
        let counts = self.0.entry(games).or_insert_with(|| vec![0; 2 * games + 1]);
        if let Some(count) = counts.get_mut(halves as usize) {
            *count += 1;
        }
    }

    /// Returns the number of pairs worth 0, ½, 1, 1½ and 2 points; `None` if some sets are not pairs or no set is
    /// complete.
    pub fn pentanomial(&self) -> Option<&[u64]> {
        self.0.get(&2).filter(|_| self.0.len() == 1).map(Vec::as_slice)
    }

    /// Returns every result that has occurred: the half points, the number of games, and the number of such sets.
    fn each(&self) -> impl Iterator<Item = (u64, u64, u64)> {
        self.0.iter().flat_map(|(&games, counts)| {
            let seen = (0..).zip(counts).filter(|(_, count)| **count > 0);
            seen.map(move |(halves, &count)| (halves, games as u64, count))
        })
    }

    pub(super) fn count(&self) -> u64 {
        self.each().map(|(.., count)| count).sum()
    }

    /// Returns the number of games in all sets.
    pub(super) fn games(&self) -> u64 {
        self.each().map(|(_, games, count)| games * count).sum()
    }

    /// Returns the half points in all sets.
    pub(super) fn halves(&self) -> u64 {
        self.each().map(|(halves, _, count)| halves * count).sum()
    }

    /// Returns the mean score of a game, 0 to 1, and the variance of this mean, whose independent observations are the
    /// sets: William Cochran, *Sampling Techniques* (1977), chapter 6, on ratios.
    pub(super) fn mean_and_variance(&self) -> (f64, f64) {
        let most = 2.0 * self.games() as f64;
        let mean = self.halves() as f64 / most;
        let squares = self.each().map(|(halves, games, count)| {
            (halves as f64 - 2.0 * games as f64 * mean).powi(2) * count as f64
        });
        (mean, squares.sum::<f64>() / (most * most))
    }

    pub(super) fn elo(&self) -> Elo {
        if self.count() == 0 {
            return Elo::Unknown;
        }
        let bound = elo_of(1.0 - 0.5 / self.games() as f64);
        let (mean, variance) = self.mean_and_variance();
        if mean >= 1.0 {
            Elo::Above(bound)
        } else if mean <= 0.0 {
            Elo::Below(-bound)
        } else {
            let half = error_of(variance);
            let edge = EDGE.min(mean / 2.0).min((1.0 - mean) / 2.0);
            let at = |score: f64| elo_of(score.clamp(edge, 1.0 - edge));
            let error = self.scatter().then(|| (at(mean + half) - at(mean - half)) / 2.0);
            Elo::Known { elo: elo_of(mean), error }
        }
    }

    /// Returns whether there are enough sets, with different scores, to estimate the variance.
    fn scatter(&self) -> bool {
        let (all_halves, all_games) = (u128::from(self.halves()), u128::from(self.games()));
        let is_mean = |(halves, games, _): (u64, u64, u64)| {
            u128::from(halves) * all_games == all_halves * u128::from(games)
        };
        self.count() >= MIN_SETS && !self.each().all(is_mean)
    }

    /// Returns the likelihood that the player is stronger, computed from the points. If every set was won, it is from a
    /// sign test: 1 minus the probability of this result between equal players.
    pub(super) fn superiority(&self) -> Option<f64> {
        let alike = 0.5_f64.powf(self.count() as f64);
        match self.elo() {
            Elo::Known { .. } => {
                let (mean, variance) = self.mean_and_variance();
                self.scatter().then(|| superiority_of(mean - 0.5, variance))
            }
            Elo::Above(_) => Some(1.0 - alike),
            Elo::Below(_) => Some(alike),
            Elo::Unknown => None,
        }
    }
}
