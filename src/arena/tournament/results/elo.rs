//! Elo: what a difference of strength is as a score, and what is known of one from sets of games.
//!
//! The formulas are those of Fishtest (`stat_util.py`, `get_elo`) and fastchess (`elo_pentanomial.cpp`). Why a pair
//! of games is the unit and not a game: *Fishtest mathematics*, a page of the Fishtest wiki, and Michel Van den Bergh,
//! *Comments on Normalized Elo*. What an opening is worth to one seat enters both games of a pair and cancels, so
//! games by themselves would seem to scatter more than they do.
//!
//! The likelihood of superiority is read from the interval in Elo, so that the two agree: it is above 97.5 % where 0 is
//! below the interval. Fishtest counts it on the score, which is the same but near a score of 0 or 1.

use libm::erfc;
use std::fmt;

/// The quantile of the normal distribution beyond which 2.5 % lie.
const NORMAL_975: f64 = 1.959_963_984_540_054;
/// No score nearer to 0 or 1 than this is turned into Elo, as in Fishtest.
const EDGE: f64 = 1e-3;
/// From fewer sets nothing is said of how they scatter. Of so many, the interval that should hold 95 of 100 holds some 90.
pub(super) const LEAST_SETS: u64 = 8;

/// What the games say of a strength.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Elo {
    /// Nothing yet.
    #[default]
    Unknown,
    /// This much.
    Known {
        /// The estimate.
        elo: f64,
        /// Half of the interval that holds the true value in 95 of 100 tournaments; `None` where the sets of
        /// games are fewer than eight, or all alike.
        error: Option<f64>,
    },
    /// All was won, so no estimate is high enough. This would be it, had half a point been lost.
    Above(f64),
    /// All was lost, so no estimate is low enough. This would be it, had half a point been won.
    Below(f64),
}

impl Elo {
    /// What the estimate may be wrong by, where that is known.
    pub fn error(self) -> Option<f64> {
        match self {
            Elo::Known { error, .. } => error,
            _ => None,
        }
    }

    /// Something to sort by: who won all comes before all others, who lost all after them. Of whom nothing is known, the
    /// score has to tell.
    pub(super) fn height(self, score: f64) -> f64 {
        match self {
            Elo::Unknown => elo_of(score).clamp(-1e9, 1e9),
            Elo::Below(bound) => -2e9 + bound,
            Elo::Known { elo, .. } => elo,
            Elo::Above(bound) => 2e9 + bound,
        }
    }
}

/// `+55.6`, `> 183`, or `-` where nothing is known; without its error.
impl fmt::Display for Elo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&match *self {
            Elo::Known { elo, .. } => {
                // So that nothing is -0.0.
                let tenths = (elo * 10.0).round() + 0.0;
                format!("{:+.1}", tenths / 10.0)
            }
            Elo::Above(bound) => format!("> {bound:.0}"),
            Elo::Below(bound) => format!("< {bound:.0}"),
            Elo::Unknown => "-".to_owned(),
        })
    }
}

/// What to expect of a game against somebody this much weaker: 0 to 1.
///
/// Arpad Elo, *The Rating of Chessplayers* (1978), in the logistic form that all use today.
pub(super) fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The difference of strength at which this score is to be expected.
pub(super) fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// How much of the normal distribution lies below.
pub(super) fn normal_below(z: f64) -> f64 {
    0.5 * erfc(-z / std::f64::consts::SQRT_2)
}

/// Half of the interval of 95 % for a value with this variance.
pub(super) fn error_of(variance: f64) -> f64 {
    NORMAL_975 * variance.sqrt()
}

/// How likely it is that a difference is above 0, by half of its interval of 95 %.
pub(super) fn superiority_of(elo: f64, error: f64) -> f64 {
    normal_below(NORMAL_975 * elo / error)
}

/// What one player got against another in sets of games: how many sets gave 0 half points, 1, and so on to
/// twice the games of a set. With two seats a set is a pair of games and there are five numbers: the
/// *pentanomial* frequencies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sets(pub(super) Vec<u64>);

impl Sets {
    /// Adds a set of so many games.
    pub(super) fn add(&mut self, halves: u64, games: usize) {
        if self.0.is_empty() {
            self.0 = vec![0; 2 * games + 1];
        }
        if let Some(count) = self.0.get_mut(halves as usize) {
            *count += 1;
        }
    }

    /// The same from the other player's side.
    pub(super) fn reversed(&self) -> Sets {
        Sets(self.0.iter().rev().copied().collect())
    }

    pub(super) fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The mean score of a game, and the variance of the score of a set about it.
    pub(super) fn mean_and_variance(&self) -> (f64, f64) {
        let n = self.count() as f64;
        let most = self.0.len().saturating_sub(1) as f64;
        let each = || self.0.iter().enumerate().map(|(i, &count)| (i as f64 / most, count as f64));
        let mean = each().map(|(score, count)| score * count).sum::<f64>() / n;
        let variance = each().map(|(score, count)| (score - mean).powi(2) * count).sum::<f64>() / n;
        (mean, variance)
    }

    /// How much stronger the player is than the other.
    pub(super) fn elo(&self) -> Elo {
        let n = self.count() as f64;
        if n == 0.0 {
            return Elo::Unknown;
        }
        let games = n * (self.0.len() - 1) as f64 / 2.0;
        let bound = elo_of(1.0 - 0.5 / games);
        let (mean, variance) = self.mean_and_variance();
        if mean >= 1.0 {
            Elo::Above(bound)
        } else if mean <= 0.0 {
            Elo::Below(-bound)
        } else {
            let half = error_of(variance / n);
            let edge = EDGE.min(mean / 2.0).min((1.0 - mean) / 2.0);
            let at = |score: f64| elo_of(score.clamp(edge, 1.0 - edge));
            let error = self.scatter().then(|| (at(mean + half) - at(mean - half)) / 2.0);
            Elo::Known { elo: elo_of(mean), error }
        }
    }

    /// Whether they are enough, and different enough, to say how they scatter.
    fn scatter(&self) -> bool {
        let kinds = self.0.iter().filter(|count| **count > 0).count();
        kinds > 1 && self.count() >= LEAST_SETS
    }

    /// How likely it is that the player is the stronger one, as far as the interval tells. Where all was won, as in a
    /// test of signs: 1 less the chance of that, if each set could as well have gone the other way.
    pub(super) fn superiority(&self) -> Option<f64> {
        let alike = 0.5_f64.powf(self.count() as f64);
        match self.elo() {
            Elo::Known { elo, error } => error.map(|error| superiority_of(elo, error)),
            Elo::Above(_) => Some(1.0 - alike),
            Elo::Below(_) => Some(alike),
            Elo::Unknown => None,
        }
    }
}
