//! The time of what moves on the board. Motion changes nothing but what is drawn, and when the move of an
//! engine is heard.

use super::{App, EngineEvent, Task};
use crate::board::AnyBoard;
use std::time::Duration;

/// How long a picture stands while something moves.
const FRAME: Duration = Duration::from_millis(25);

/// What moves, as the clock has it.
#[derive(Debug, Default)]
pub(super) struct Motion {
    running: Option<Running>,
    /// What an engine has chosen, which waits for what moves, and under which ticket.
    chosen: Option<(u64, EngineEvent)>,
    /// Whether the terminal takes longer for a picture than it would stand.
    is_too_slow: bool,
}

#[derive(Clone, Copy, Debug)]
struct Running {
    length: Duration,
    /// When the first picture was drawn, and when the next one is due; not known before the time is told.
    times: Option<(Duration, Duration)>,
}

impl Running {
    /// When the next picture is due.
    fn deadline(&mut self, now: Duration) -> Duration {
        self.times.get_or_insert((now, now + FRAME)).1
    }

    /// How much of the motion has passed, if a picture is due. What is late is left out.
    fn due(&mut self, now: Duration) -> Option<f32> {
        let (began, next) = self.times.as_mut().filter(|(_, next)| *next <= now)?;
        // The first picture has shown something already.
        let passed = now.saturating_sub(*began) + FRAME;
        let pictures = passed.as_millis() / FRAME.as_millis();
        *next = *began + (FRAME * pictures as u32).min(self.length.saturating_sub(FRAME));
        Some(if passed < self.length { passed.div_duration_f32(self.length) } else { 1.0 })
    }
}

impl Motion {
    /// When the next picture is due; `None` while nothing moves.
    pub fn deadline(&mut self, now: Duration) -> Option<Duration> {
        self.running.as_mut().map(|running| running.deadline(now))
    }
}

impl App {
    /// Tells how long the terminal has taken for a picture. Where that is longer than one stands while
    /// something moves, nothing moves any more.
    pub fn drawn(&mut self, took: Duration) {
        if let Some(running) = self.motion.running.as_mut().filter(|_| took > FRAME) {
            // The last picture is due.
            *running =
                Running { length: Duration::ZERO, times: Some((Duration::ZERO, Duration::ZERO)) };
            self.motion.is_too_slow = true;
        }
    }

    /// Whoever is at the screen sees the board that is on it, and no other one. To be called whenever
    /// anything has happened.
    pub(super) fn see(&mut self) {
        let moves = self.context.settings.motion && !self.motion.is_too_slow && !self.cramped.get();
        let over = self.stack.iter().rposition(|screen| !screen.is_overlay()).unwrap_or(0);
        let mut seen = None;
        for (index, screen) in self.stack.iter_mut().enumerate() {
            let Some(board) = screen.board_mut() else { continue };
            if index == over {
                seen = Some(board);
            } else {
                board.hide();
            }
        }
        match seen {
            None => self.motion.running = None,
            Some(board) if !moves => board.hide(),
            Some(board) => match board.start_animation() {
                Some(length) => {
                    board.set_progress(FRAME.div_duration_f32(length));
                    self.motion.running = Some(Running { length, times: None });
                }
                None if board.is_animating() => {}
                None => self.motion.running = None,
            },
        }
    }

    /// The board on which something moves.
    fn moving_board(&mut self) -> Option<&mut dyn AnyBoard> {
        let mut boards = self.stack.iter_mut().rev().filter_map(|screen| screen.board_mut());
        boards.find(|board| board.is_animating())
    }

    /// Shows what moves where it is now; the answer is as in [`App::update`].
    pub(super) fn move_on(&mut self, now: Duration) -> Option<Vec<Task>> {
        let done = self.motion.running.as_mut()?.due(now)?;
        if done >= 1.0 {
            return self.end_motion();
        }
        if let Some(board) = self.moving_board() {
            board.set_progress(done);
        }
        Some(Vec::new())
    }

    /// Puts all that moves in its place; the answer is as in [`App::update`].
    pub(super) fn end_motion(&mut self) -> Option<Vec<Task>> {
        self.motion.running.take()?;
        if let Some(board) = self.moving_board() {
            board.set_progress(1.0);
        }
        let chosen = self.motion.chosen.take();
        let tasks = chosen.and_then(|(ticket, chosen)| self.heard(ticket, chosen));
        Some(tasks.unwrap_or_default())
    }

    /// Keeps back what an engine has chosen until all is in its place, so that each move is seen. Gives
    /// back anything else.
    pub(super) fn keep_back(&mut self, ticket: u64, heard: EngineEvent) -> Option<EngineEvent> {
        // Where a clock runs, nobody pays for what moves.
        let has_clock = self.open_match().is_some_and(|it| it.table.session().clocks().is_some());
        let waits = self.motion.running.is_some() && !has_clock;
        if waits && matches!(heard, EngineEvent::Chosen { .. }) {
            self.motion.chosen = Some((ticket, heard));
            return None;
        }
        Some(heard)
    }
}
