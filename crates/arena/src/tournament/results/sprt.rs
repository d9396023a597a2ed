//! The sequential probability ratio test (SPRT), which receives pairs of games one by one and reports when there are
//! enough to decide.
//!
//! Abraham Wald, *Sequential Tests of Statistical Hypotheses* (1945). The probabilities of the five results of a pair
//! are unknown, so the likelihood under a hypothesis is that of the best-fitting distribution with the mean score of
//! that hypothesis. This is the generalized test: Xiaoou Li, Jingchen Liu and Zhiliang Ying, *Generalized Sequential
//! Probability Ratio Test for Separate Families of Hypotheses* (2014); Michel Van den Bergh, *A Practical Introduction
//! to the GSPRT*. The best fit is Van den Bergh's Proposition 1.1 in `support_MLE_multinomial.pdf`
//! (cantate.be/Fishtest), and the whole computation is the one that Fishtest uses for logistic Elo (`LLRcalc.py`,
//! `LLR_logistic`).

use super::elo::{score_of, zero_of};
use super::json;
use serde::Serialize;
use std::fmt;

/// The hypotheses and the error rates of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtSettings {
    /// The hypothesis H0: the first player is stronger than the second by this many Elo points.
    pub elo0: f64,
    /// The hypothesis H1, also in Elo points. Must be greater than `elo0`.
    pub elo1: f64,
    /// The probability of accepting `elo1` when `elo0` is true.
    pub alpha: f64,
    /// The probability of accepting `elo0` when `elo1` is true.
    pub beta: f64,
}

/// A test with the pairs it has received.
#[derive(Clone, Debug, PartialEq)]
pub struct Sprt {
    settings: SprtSettings,
    /// The number of pairs in which the first player scored 0, ½, 1, 1½ and 2 points.
    counts: [u64; 5],
    verdict: SprtVerdict,
}

/// The current state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtVerdict {
    /// The log-likelihood ratio: the logarithm of the likelihood of the pairs under `elo1` divided by that under
    /// `elo0`.
    #[serde(serialize_with = "json::share")]
    pub llr: f64,
    /// If `llr` is at or below this bound, `elo0` is accepted.
    #[serde(serialize_with = "json::share")]
    pub lower: f64,
    /// If `llr` is at or above this bound, `elo1` is accepted.
    #[serde(serialize_with = "json::share")]
    pub upper: f64,
    /// The accepted hypothesis, if the test has decided.
    pub accepted: Option<Hypothesis>,
}

/// One of the two hypotheses of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Hypothesis {
    Elo0,
    Elo1,
}

impl Sprt {
    /// Creates a test without pairs. The error is a sentence that names the wrong key.
    pub fn new(settings: SprtSettings) -> Result<Sprt, String> {
        let SprtSettings { elo0, elo1, alpha, beta } = settings;
        let rate = (0.0001..=0.4999, "from 0.0001 to 0.4999, such as 0.05");
        let elo = (-1000.0..=1000.0, "-1000 to 1000");
        for (key, value, (range, what)) in [
            ("elo0", elo0, &elo),
            ("elo1", elo1, &elo),
            ("alpha", alpha, &rate),
            ("beta", beta, &rate),
        ] {
            if !range.contains(&value) {
                return Err(format!("{key} must be {what}, but is {value}"));
            }
        }
        if elo0 >= elo1 {
            return Err(format!("elo0 must be less than elo1, but they are {elo0} and {elo1}"));
        }
        let lower = (beta / (1.0 - alpha)).ln();
        let upper = ((1.0 - beta) / alpha).ln();
        let verdict = SprtVerdict { llr: 0.0, lower, upper, accepted: None };
        Ok(Sprt { settings, counts: [0; 5], verdict })
    }

    /// Adds a pair of games in which the first player scored this many half points. The order of the pairs must not
    /// depend on their results, so pairs are added in schedule order. After the test has decided, further pairs are
    /// ignored.
    pub fn add(&mut self, halves: u64) -> SprtVerdict {
        if self.verdict.accepted.is_none()
            && let Some(count) = self.counts.get_mut(halves as usize)
        {
            *count += 1;
            let verdict = &mut self.verdict;
            verdict.llr =
                log_likelihood_ratio(&self.counts, self.settings.elo0, self.settings.elo1);
            verdict.accepted = if verdict.llr <= verdict.lower {
                Some(Hypothesis::Elo0)
            } else if verdict.llr >= verdict.upper {
                Some(Hypothesis::Elo1)
            } else {
                None
            };
        }
        self.verdict
    }

    pub fn verdict(&self) -> SprtVerdict {
        self.verdict
    }
}

/// Formats the verdict as `LLR 1.23 of -2.94..2.94`, followed by the accepted hypothesis.
impl fmt::Display for SprtVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LLR {:.2} of {:.2}..{:.2}", self.llr, self.lower, self.upper)?;
        match self.accepted {
            None => Ok(()),
            Some(hypothesis) => {
                f.write_str(": ")?;
                hypothesis.serialize(&mut *f)?;
                f.write_str(" accepted")
            }
        }
    }
}

/// Returns the logarithm of the likelihood of the pairs if the difference is `elo1`, divided by their likelihood if it
/// is `elo0`.
fn log_likelihood_ratio(counts: &[u64; 5], elo0: f64, elo1: f64) -> f64 {
    // A result that has not occurred yet may still be possible. Fishtest uses the same small count.
    let counts = counts.map(|count| if count == 0 { 1e-3 } else { count as f64 });
    let total: f64 = counts.iter().sum();
    let pairs: [(f64, f64); 5] = std::array::from_fn(|i| (i as f64 / 4.0, counts[i] / total));
    let fit = |elo| best_fit(&pairs, score_of(elo));
    let (fit0, fit1) = (fit(elo0), fit(elo1));
    let each = counts.iter().zip(fit0.iter().zip(fit1));
    each.map(|(count, (p0, p1))| count * (p1 / p0).ln()).sum()
}

/// Returns the distribution with this mean that maximizes the likelihood of the observed results: p / (1 + x (a -
/// mean)), with x chosen to give the right mean.
fn best_fit(seen: &[(f64, f64); 5], mean: f64) -> [f64; 5] {
    let excess = |x: f64| {
        let each = seen.iter().map(|(a, p)| p * (a - mean) / (1.0 + x * (a - mean)));
        each.sum::<f64>()
    };
    // Between these two values of x, the function falls from plus to minus infinity.
    let x = zero_of(excess, -1.0 / (1.0 - mean), 1.0 / mean);
    seen.map(|(a, p)| p / (1.0 + x * (a - mean)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: SprtSettings = SprtSettings { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };

    #[test]
    fn log_likelihood_ratio_matches_other_programs() {
        for (counts, elo0, elo1, llr, within) in [
            // fastchess, app/tests/sprt_test.cpp, "logistic pentanomial" 1 and 2.
            ([223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5, -3.07, 0.005),
            ([871, 26175, 55003 + 980, 26678, 821], 0.0, 2.0, -4.98, 0.005),
            // Fishtest, montytest.muzhen.org/tests/stats/69d3c8dc7c5b3724e29d2712: "Logistic (exact)".
            ([13, 37, 50, 25, 3], 0.0, 2.716, -0.53772, 1e-4),
        ] {
            let found = log_likelihood_ratio(&counts, elo0, elo1);
            assert!((found - llr).abs() < within, "{counts:?}: {found}");
        }
    }

    #[test]
    fn sprt_uses_the_usual_bounds() {
        let mut sprt = Sprt::new(PLAIN).unwrap();
        assert_eq!(sprt.verdict().to_string(), "LLR 0.00 of -2.94..2.94");
        let lost =
            std::iter::repeat_with(|| sprt.add(0)).find(|verdict| verdict.accepted.is_some());
        assert!(lost.unwrap().to_string().ends_with(" of -2.94..2.94: elo0 accepted"));
        // A decision is final.
        for _ in 0..100 {
            assert_eq!(sprt.add(4), lost.unwrap());
        }
    }

    #[test]
    fn invalid_sprt_settings_are_refused() {
        for (settings, reason) in [
            (
                SprtSettings { elo1: 0.0, ..PLAIN },
                "elo0 must be less than elo1, but they are 0 and 0",
            ),
            (SprtSettings { elo1: 5000.0, ..PLAIN }, "elo1 must be -1000 to 1000, but is 5000"),
            (SprtSettings { elo0: f64::NAN, ..PLAIN }, "elo0 must be -1000 to 1000, but is NaN"),
            (
                SprtSettings { alpha: 0.5, ..PLAIN },
                "alpha must be from 0.0001 to 0.4999, such as 0.05, but is 0.5",
            ),
            (
                SprtSettings { beta: 0.0, ..PLAIN },
                "beta must be from 0.0001 to 0.4999, such as 0.05, but is 0",
            ),
        ] {
            assert_eq!(Sprt::new(settings).unwrap_err(), reason);
        }
    }

    /// Returns the probabilities of the five results of a pair. `elo` is the difference between the players, `favour`
    /// the advantage of one seat, and `draw` the closeness in strength that results in a draw, all in Elo.
    fn pair(elo: f64, favour: f64, draw: f64) -> [f64; 5] {
        let game = |elo: f64| {
            let (win, loss) = (score_of(elo - draw), score_of(-elo - draw));
            [loss, 1.0 - win - loss, win]
        };
        let (a, b) = (game(elo + favour), game(elo - favour));
        let mut pair = [0.0; 5];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                pair[i + j] += x * y;
            }
        }
        pair
    }

    /// Measures how often the wrong hypothesis is accepted if one of them is true, as in `vdbergh/simul`.
    #[test]
    fn sprt_error_rate_matches_alpha_and_beta() {
        let mut rng = fastrand::Rng::with_seed(13);
        let settings = SprtSettings { elo0: 0.0, elo1: 40.0, alpha: 0.05, beta: 0.10 };
        for (favour, draw) in [(0.0, 100.0), (150.0, 60.0)] {
            let score = |shift: f64| {
                let pair = pair(shift, favour, draw);
                pair.iter().enumerate().map(|(i, p)| i as f64 / 4.0 * p).sum::<f64>()
            };
            // The rating difference for which the model has the expected score of this Elo difference.
            let shift = |elo: f64| {
                let (mut low, mut high) = (-500.0, 500.0);
                for _ in 0..60 {
                    let middle = f64::midpoint(low, high);
                    if score(middle) < score_of(elo) { low = middle } else { high = middle }
                }
                low
            };
            for (elo, wrong, limit) in
                [(0.0, Hypothesis::Elo1, 0.05), (40.0, Hypothesis::Elo0, 0.10)]
            {
                let pair = pair(shift(elo), favour, draw);
                let runs = 1000;
                let mut errors = 0;
                for _ in 0..runs {
                    let mut sprt = Sprt::new(settings).unwrap();
                    let accepted = loop {
                        let mut left = rng.f64();
                        let halves = pair.iter().position(|p| {
                            left -= p;
                            left < 0.0
                        });
                        if let Some(accepted) = sprt.add(halves.unwrap_or(4) as u64).accepted {
                            break accepted;
                        }
                    };
                    errors += u32::from(accepted == wrong);
                }
                let share = f64::from(errors) / f64::from(runs);
                // The LLR overshoots its bounds slightly, so errors are rarer than requested. The standard deviation
                // over 1000 runs is 0.01.
                assert!((limit * 0.5..limit + 0.02).contains(&share), "{elo}: {share}");
            }
        }
    }
}
