//! Steps at a table without a clock, all at time 0.

use quadrille::app::OpenMatch;
use quadrille_match::session::{Actor, Match, Refusal, Session, Step};
use quadrille_rules::Seat;

pub trait Untimed {
    fn owner(&self) -> &Session;

    fn take(&mut self, by: Actor, step: Step) -> Result<(), Refusal>;

    fn current_match(&self) -> &Match {
        self.owner().current_match()
    }

    fn step(&mut self, step: Step) -> Result<(), Refusal> {
        let by = step.infer_actor(self.owner().current_match().to_move());
        self.take(by, step)
    }

    fn play(&mut self, text: &str) -> Result<(), Refusal> {
        self.step(Step::Play(text.to_owned()))
    }

    /// Takes back the last move, or an end other than by the rules; `false` if there is nothing to take back.
    fn undo(&mut self) -> bool {
        let step = self.owner().undo_step();
        step.is_some_and(|step| self.step(step).is_ok())
    }

    /// Redoes the last move taken back; `false` if there is none.
    fn redo(&mut self) -> bool {
        let step = self.owner().redo_step();
        step.is_some_and(|step| self.step(step).is_ok())
    }

    fn go_to_node(&mut self, node: usize) {
        self.step(Step::GoTo(node)).unwrap();
    }

    /// Goes along the redo line to the position after this many plies, or to its end.
    fn go_to_ply(&mut self, ply: usize) {
        let line = self.current_match().line();
        self.go_to_node(line[ply.min(line.len() - 1)]);
    }

    /// All players agree on a draw, in seat order.
    fn agree_draw(&mut self) {
        let mut step = Step::OfferDraw;
        for seat in 0..self.current_match().seats() {
            self.take(Actor::Seat(Seat::new(seat)), step).unwrap();
            step = Step::AcceptDraw;
        }
    }
}

impl Untimed for Session {
    fn owner(&self) -> &Session {
        self
    }

    fn take(&mut self, by: Actor, step: Step) -> Result<(), Refusal> {
        let at = self.time();
        self.apply(by, step, at)
    }
}

impl Untimed for OpenMatch {
    fn owner(&self) -> &Session {
        self.session()
    }

    fn take(&mut self, by: Actor, step: Step) -> Result<(), Refusal> {
        let at = self.session().time();
        self.change().apply(by, &step, at)
    }
}
