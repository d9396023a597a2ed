//! The timing of board animations. Animations change only the drawing and delay engine moves.

use super::guard::{Guard, GuardRule, Pressed};
use super::screen::{Input, Timer, WaitFor};
use super::{App, EngineEvent, Task};
use crate::action::Action;
use crate::settings::MotionChoice;
use crate::view::View;
use crossterm::event::{Event, KeyEventKind, MouseEventKind};
use quadrille_scene::motion::Animation;
use std::mem;
use std::rc::Rc;
use std::time::Duration;

const FRAME: Duration = Duration::from_millis(25);

/// The state of animations: the running one, and an engine's move held back until its end.
#[derive(Debug, Default)]
pub(super) struct Motion {
    running: Option<Running>,
    /// An engine's move that is held back until the animation ends, with its ticket.
    chosen: Option<(u64, EngineEvent)>,
    /// Whether a frame was drawn. Plain mode draws none, so nothing waits for its animations.
    has_frames: bool,
    /// The number of steps of the match in the last frame.
    steps: usize,
    /// Whether the setting `auto` animates nothing: the terminal is connected over a network, or drawing takes longer
    /// than a frame lasts.
    is_auto_off: bool,
}

#[derive(Clone, Copy, Debug)]
struct Running {
    length: Duration,
    /// The times of the first frame and of the next frame; `None` before the first call of `deadline`.
    times: Option<(Duration, Duration)>,
    /// If the animation shows a move that was not made at this terminal: swallows the keys that choose, which may be
    /// meant for the previous position.
    guard: Option<Guard>,
    /// Whether the result of the match is shown when the animation ends.
    delays_result: bool,
}

impl Running {
    fn deadline(&mut self, now: Duration) -> Duration {
        self.guard.iter_mut().for_each(|guard| guard.show(now));
        self.times.get_or_insert((now, now + FRAME)).1
    }

    /// Returns the progress of the animation from 0 to 1 if a frame is due. Late frames are skipped.
    fn due(&mut self, now: Duration) -> Option<f32> {
        let (began, next) = self.times.as_mut().filter(|(_, next)| *next <= now)?;
        // The first frame must already differ from the old position.
        let passed = now.saturating_sub(*began) + FRAME;
        let pictures = passed.as_millis() / FRAME.as_millis();
        *next = *began + (FRAME * pictures as u32).min(self.length.saturating_sub(FRAME));
        Some(if passed < self.length { passed.div_duration_f32(self.length) } else { 1.0 })
    }
}

impl Motion {
    /// Returns when the next frame is due; `None` if no animation runs.
    pub fn deadline(&mut self, now: Duration) -> Option<Duration> {
        self.running.as_mut().map(|running| running.deadline(now))
    }

    /// Returns whether the winner is being shown, and the result after that.
    pub fn delays_result(&self) -> bool {
        self.running.is_some_and(|running| running.delays_result)
    }
}

impl App {
    /// Records that the terminal is connected over a network, so that the setting `auto` animates nothing.
    pub fn set_terminal_far(&mut self) {
        self.motion.is_auto_off = true;
    }

    /// Records that the terminal shows the latest drawing at `now`, and how long it took. If this is longer than a
    /// frame, the setting `auto` animates nothing from now on.
    pub fn drawn(&mut self, now: Duration, took: Duration) {
        self.record_frame(now);
        self.motion.has_frames = true;
        let is_too_slow = took > FRAME && self.context.settings.motion != MotionChoice::Always;
        if let Some(running) = self.motion.running.as_mut().filter(|_| is_too_slow) {
            // Draw the last frame immediately.
            running.length = Duration::ZERO;
            running.times = Some((now, now));
            self.motion.is_auto_off = true;
        }
    }

    fn has_motion(&self) -> bool {
        let is_on = match self.context.settings.motion {
            MotionChoice::Auto => !self.motion.is_auto_off,
            MotionChoice::Always => true,
            MotionChoice::Never => false,
        };
        is_on && self.motion.has_frames && !self.cramped.get()
    }

    /// Starts an animation if the board on the screen has changed, and marks all other boards as hidden. Call it after
    /// every event.
    pub(super) fn start_animations(&mut self) {
        let has_board = self.stack.iter_mut().any(|screen| screen.board_mut().is_some());
        let views = if has_board { self.views() } else { Vec::new() };
        let shown = match views.last() {
            Some(View::Board(view)) => {
                let screen = self.stack[self.stack.len() - views.len()].id;
                Some(((screen, view.board_number), Rc::clone(&view.scene)))
            }
            _ => None,
        };
        drop(views);
        let Some((board, scene)) = shown else {
            self.board.animator.hide();
            self.motion.running = None;
            return;
        };
        let started = self.board.show(board, &scene);
        let steps = self.open_match().map_or(0, |open| open.session().log().len());
        let is_new_step = mem::replace(&mut self.motion.steps, steps) != steps;
        if !self.has_motion() {
            self.board.animator.hide();
        } else if let Some((animation, length)) = started {
            self.board.animator.set_progress(FRAME.div_duration_f32(length));
            // Without a new step, the animation is that of a half-made move, such as a die pulled out.
            let is_of_opponent =
                is_new_step && self.open_match().is_some_and(|open| open.was_played_elsewhere());
            let guard = is_of_opponent.then(|| Guard::new(GuardRule::MOVE));
            let delays_result = animation == Animation::Win && self.is_result_due();
            self.motion.running = Some(Running { length, times: None, guard, delays_result });
        } else if !self.board.animator.is_animating() {
            self.motion.running = None;
        }
    }

    /// Returns whether the animation of an opponent's move has just begun, so that this key must not choose.
    pub(super) fn is_surprise(&mut self, chooses: Option<Pressed>) -> bool {
        let guard = self.motion.running.as_mut().and_then(|running| running.guard.as_mut());
        guard.zip(chooses).is_some_and(|(guard, pressed)| guard.swallows(pressed, self.now))
    }

    /// Returns whether the screen on top must show the result of its match.
    fn is_result_due(&self) -> bool {
        let timer = self.stack.last().and_then(|top| top.timer());
        timer == Some(Timer { wait: WaitFor::Result, length: Duration::ZERO })
    }

    /// Shows the result of the match on top unless the winner is being shown.
    pub(super) fn show_result(&mut self) -> Vec<Task> {
        if self.motion.delays_result() || !self.is_result_due() {
            return Vec::new();
        }
        let effects = self.send_input(Input::Tick);
        let tasks = self.carry_out(effects.unwrap_or_default());
        // The key that ended the match, or the animation, must not choose in the menu.
        self.attribute_changes_to_others();
        tasks
    }

    /// Returns whether this event only ends the animation that shows the winner: every key but those that end or
    /// suspend the program, and every click and paste.
    pub(super) fn only_ends_win(&self, event: &Event) -> bool {
        self.motion.delays_result()
            && match event {
                Event::Key(key) => {
                    let ends_program = [Action::Quit, Action::Suspend];
                    key.kind != KeyEventKind::Release
                        && self.action_for(key, &ends_program).is_none()
                }
                Event::Mouse(mouse) => matches!(mouse.kind, MouseEventKind::Down(_)),
                event => matches!(event, Event::Paste(_)),
            }
    }

    /// Advances the animation to `now`. Returns tasks, like [`App::update`].
    pub(super) fn advance_animation(&mut self, now: Duration) -> Option<Vec<Task>> {
        let done = self.motion.running.as_mut()?.due(now)?;
        if done >= 1.0 {
            return self.end_motion();
        }
        self.board.animator.set_progress(done);
        Some(Vec::new())
    }

    /// Ends the animation. Returns tasks, like [`App::update`].
    pub(super) fn end_motion(&mut self) -> Option<Vec<Task>> {
        self.motion.running.take()?;
        self.board.animator.set_progress(1.0);
        let chosen = self.motion.chosen.take();
        let tasks = chosen.and_then(|(ticket, chosen)| self.engine_event(ticket, chosen));
        let mut tasks = tasks.unwrap_or_default();
        tasks.extend(self.show_result());
        Some(tasks)
    }

    /// Holds back an engine's move until the animation ends, so that each move is seen. Returns any other event.
    pub(super) fn defer_move(&mut self, ticket: u64, event: EngineEvent) -> Option<EngineEvent> {
        // In a match with clocks, animations must not cost time.
        let has_clock = self
            .open_match()
            .is_some_and(|open_match| open_match.session().fischer_clock().is_some());
        let waits = self.motion.running.is_some() && !has_clock;
        if waits && matches!(event, EngineEvent::Chosen { .. }) {
            self.motion.chosen = Some((ticket, event));
            return None;
        }
        Some(event)
    }
}
