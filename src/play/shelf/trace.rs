//! What happened in a match, told in steps, and where the steps lead.

use crate::play::{AnyMatch, Refusal};
use std::fmt;

/// One step of a match; its text is what stands in a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A move that was never played from here before; it makes the next position.
    Play(String),
    /// The way to the position of this number, as [`AnyMatch::seek`] takes it. It takes back a draw
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
    /// One a position: see [`AnyMatch::onward`].
    onward: Vec<Option<usize>>,
    at: usize,
    agreed: bool,
}

impl Default for Trace {
    /// The start of a match.
    fn default() -> Trace {
        Trace { tree: Vec::new(), onward: vec![None], at: 0, agreed: false }
    }
}

impl Trace {
    /// Takes a step; one that names no position leads nowhere, and is not taken.
    #[must_use]
    pub fn step(&mut self, step: &Step) -> bool {
        match *step {
            Step::Play(ref mv) => {
                self.tree.push((self.at, mv.clone()));
                self.onward.push(None);
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
        self.onward[before] = Some(node);
        before
    }

    /// The steps from here to where the match is now, and where they lead; none if the match does
    /// not hold all that was here, and so is another one.
    pub fn steps_to(&self, game: &dyn AnyMatch) -> Option<(Vec<Step>, Trace)> {
        let mut to = Steps { taken: Vec::new(), trace: self.clone() };
        let tree = game.tree();
        let known = self.tree.len();
        if tree.len() < known || tree[..known] != self.tree {
            return None;
        }
        for (before, mv) in &tree[known..] {
            if to.trace.at != *before {
                to.take(Step::Go(*before));
            }
            to.take(Step::Play(mv.clone()));
        }
        if to.trace.at != game.node() || (to.trace.agreed && !game.is_agreed()) {
            to.take(Step::Go(game.node()));
        }
        for node in 0..=tree.len() {
            if let Some(onward) = game.onward(node)
                && to.trace.onward[node] != Some(onward)
            {
                to.take(Step::Redo(onward));
            }
        }
        if game.is_agreed() && !to.trace.agreed {
            to.take(Step::Agree);
        }
        Some((to.taken, to.trace))
    }

    /// Brings a match from its start to here. At a move that is refused it stops, and says which of
    /// the moves played it is, from 0.
    pub fn replay(&self, game: &mut dyn AnyMatch) -> Result<(), (usize, Refusal)> {
        for (index, (before, mv)) in self.tree.iter().enumerate() {
            if game.node() != *before {
                game.seek(*before);
            }
            game.play(mv).map_err(|refusal| (index, refusal))?;
            if game.node() != index + 1 {
                return Err((index, Refusal::new("played before")));
            }
        }
        game.seek(0);
        for onward in self.onward.iter().flatten() {
            game.lead_to(*onward);
        }
        game.seek(self.at);
        if self.agreed {
            game.agree_draw();
        }
        Ok(())
    }
}

/// Steps, and where they lead.
struct Steps {
    taken: Vec<Step>,
    trace: Trace,
}

impl Steps {
    fn take(&mut self, step: Step) {
        let leads_on = self.trace.step(&step);
        debug_assert!(leads_on, "{step}");
        self.taken.push(step);
    }
}
