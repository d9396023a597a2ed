//! What happened in a match, told in steps, and where the steps lead.

use crate::session::{AnyMatch, Refusal};
use std::fmt;

/// One step of a match; its text is what stands in a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A move that was never played from here before; it makes the next position.
    Play(String),
    /// The way to the position of this number, as [`AnyMatch::go_to_node`] takes it. It takes back a draw
    /// that was agreed on.
    Go(usize),
    /// Redo leads to the position of this number from the one before it.
    Redo(usize),
    /// The players agree on a draw.
    Agree,
}

impl Step {
    /// The step with this text, if there is one.
    pub fn parse(text: &str) -> Option<Step> {
        match text.split_once(' ') {
            Some(("play", mv)) => Some(Step::Play(mv.to_owned())),
            Some(("go", node)) => Some(Step::Go(node.parse().ok()?)),
            Some(("redo", node)) => Some(Step::Redo(node.parse().ok()?)),
            None if text == "agree" => Some(Step::Agree),
            _ => None,
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Play(mv) => write!(f, "play {mv}"),
            Step::Go(node) => write!(f, "go {node}"),
            Step::Redo(node) => write!(f, "redo {node}"),
            Step::Agree => f.write_str("agree"),
        }
    }
}

/// All that a match is besides its rules: where its steps lead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trace {
    /// As [`AnyMatch::tree`] has it.
    tree: Vec<(usize, String)>,
    /// One a position: see [`AnyMatch::next_node`].
    next_node: Vec<Option<usize>>,
    at: usize,
    agreed: bool,
    /// The match that was caught up with last.
    followed: Option<Followed>,
}

/// How far a match was followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Followed {
    /// See [`AnyMatch::serial`].
    serial: u64,
    /// How much was seen of [`AnyMatch::redirected`].
    redirected: usize,
}

impl Default for Trace {
    /// The start of a match.
    fn default() -> Trace {
        Trace { tree: Vec::new(), next_node: vec![None], at: 0, agreed: false, followed: None }
    }
}

impl Trace {
    /// Takes a step; one that names no position leads nowhere, and is not taken.
    #[must_use]
    pub fn step(&mut self, step: &Step) -> bool {
        match *step {
            Step::Play(ref mv) => {
                self.tree.push((self.at, mv.clone()));
                self.next_node.push(None);
                self.at = self.tree.len();
                self.redo(self.at);
                self.agreed = false;
            }
            Step::Go(node) if node <= self.tree.len() => {
                self.at = node;
                self.agreed = false;
                let mut node = node;
                while node > 0 {
                    node = self.redo(node);
                }
            }
            Step::Redo(node) if (1..=self.tree.len()).contains(&node) => {
                self.redo(node);
            }
            Step::Agree => self.agreed = true,
            Step::Go(_) | Step::Redo(_) => return false,
        }
        true
    }

    /// Lets redo lead to a position other than the start, from the one before, which is given back.
    fn redo(&mut self, node: usize) -> usize {
        let before = self.tree[node - 1].0;
        self.next_node[before] = Some(node);
        before
    }

    /// Takes the steps from here to where the match is now, and gives them back; none if the match does
    /// not hold all that was here, and so is another one.
    ///
    /// Of a match that this was done with before, only what is new is looked at.
    pub fn catch_up(&mut self, game: &dyn AnyMatch) -> Option<Vec<Step>> {
        let followed = self.followed.filter(|_| self.follows(game));
        if followed.is_none() && !self.is_start_of(game) {
            return None;
        }
        let mut taken = Vec::new();
        for node in self.tree.len() + 1..game.nodes() {
            let Some((before, mv)) = game.edge(node) else { break };
            if self.at != before {
                self.take(Step::Go(before), &mut taken);
            }
            self.take(Step::Play(mv), &mut taken);
        }
        if self.at != game.node() || (self.agreed && !game.is_agreed()) {
            self.take(Step::Go(game.node()), &mut taken);
        }
        let redirected = game.redirected();
        let mut nodes: Vec<usize> = match followed {
            Some(Followed { redirected: known, .. }) => {
                redirected[known..].iter().map(|&node| node as usize).collect()
            }
            None => (0..game.nodes()).collect(),
        };
        nodes.sort_unstable();
        nodes.dedup();
        for node in nodes {
            if let Some(next_node) = game.next_node(node)
                && self.next_node[node] != Some(next_node)
            {
                self.take(Step::Redo(next_node), &mut taken);
            }
        }
        if game.is_agreed() && !self.agreed {
            self.take(Step::Agree, &mut taken);
        }
        self.followed = Some(Followed { serial: game.serial(), redirected: redirected.len() });
        Some(taken)
    }

    /// Whether this match was caught up with before.
    pub fn follows(&self, game: &dyn AnyMatch) -> bool {
        self.followed.is_some_and(|followed| followed.serial == game.serial())
    }

    /// Whether the match holds all positions that are here, with the same numbers.
    pub fn is_start_of(&self, game: &dyn AnyMatch) -> bool {
        let mut tree = (1..).zip(&self.tree);
        tree.all(|(node, (before, mv))| {
            game.edge(node).is_some_and(|(other, text)| (other, &text) == (*before, mv))
        })
    }

    fn take(&mut self, step: Step, taken: &mut Vec<Step>) {
        let leads_on = self.step(&step);
        debug_assert!(leads_on, "{step}");
        taken.push(step);
    }

    /// Brings a match from its start to here. At a move that is refused it stops, and says which of
    /// the moves played it is, from 0.
    pub fn replay(&self, game: &mut dyn AnyMatch) -> Result<(), (usize, Refusal)> {
        for (index, (before, mv)) in self.tree.iter().enumerate() {
            if game.node() != *before {
                game.go_to_node(*before);
            }
            game.play(mv).map_err(|refusal| (index, refusal))?;
            if game.node() != index + 1 {
                return Err((index, Refusal::new("played before")));
            }
        }
        game.go_to_node(self.at);
        for next_node in self.next_node.iter().flatten() {
            game.lead_to(*next_node);
        }
        if self.agreed {
            game.agree_draw();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Game;
    use crate::rules::quixo::Quixo;
    use crate::session::Match;
    use std::time::{Duration, Instant};

    /// What is done for a move does not grow with the match: the figure is a tenth of a second, and
    /// where all is looked at for each move it is minutes.
    #[test]
    fn a_long_match_is_followed_move_by_move() {
        let mut game = Match::new(Quixo::from_setup(&"size=5".parse().unwrap()).unwrap());
        let mut trace = Trace::default();
        let mut steps = 0;
        let begun = Instant::now();
        for mv in ["A1-E1", "A5-E5", "E1-A1", "E5-A5"].iter().cycle().take(30_000) {
            game.play(mv).unwrap();
            steps += trace.catch_up(&game).unwrap().len();
        }
        for _ in 0..100 {
            game.undo();
            steps += trace.catch_up(&game).unwrap().len();
        }
        assert_eq!(steps, 30_100);
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    }
}
