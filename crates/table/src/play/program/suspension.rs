//! Decides when a program may run: on its turn, unless Quadrille itself is suspended.

use quadrille_system::processes::{Pid, ProcessSignal, kill_process_group};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Shared by a program's thread and the code that suspends this process (Ctrl-Z). A suspension also keeps the program's
/// clock, which is paused while the process is suspended.
#[derive(Debug, Default)]
pub struct Suspension(Mutex<SuspensionState>);

#[derive(Debug, Default)]
struct SuspensionState {
    group: Option<Pid>,
    is_on_turn: bool,
    suspended: Option<Instant>,
    /// Total duration of earlier suspensions.
    lost: Duration,
}

impl SuspensionState {
    fn signal(&self, signal: ProcessSignal) {
        if let Some(group) = self.group {
            // Fails if the process group has just exited.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Suspension {
    fn state(&self) -> MutexGuard<'_, SuspensionState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the program's time, which excludes suspensions.
    pub fn now(&self) -> Instant {
        let state = self.state();
        let now = state.suspended.unwrap_or_else(Instant::now);
        now.checked_sub(state.lost).unwrap_or(now)
    }

    /// Sets the process group of a running program, which starts on its turn; `None` after it has exited.
    pub(super) fn set_group(&self, group: Option<Pid>) {
        let mut state = self.state();
        state.group = group;
        state.is_on_turn = true;
        if state.suspended.is_some() {
            state.signal(ProcessSignal::Stop);
        }
    }

    /// Sets whether it is the program's turn. Otherwise the program is stopped.
    pub(super) fn set_turn(&self, is_on_turn: bool) {
        let mut state = self.state();
        state.is_on_turn = is_on_turn;
        if !is_on_turn {
            state.signal(ProcessSignal::Stop);
        } else if state.suspended.is_none() {
            state.signal(ProcessSignal::Continue);
        }
    }

    pub(super) fn kill(&self) {
        let mut state = self.state();
        state.signal(ProcessSignal::Kill);
        state.group = None;
    }

    /// Stops the program until [`resume`](Suspension::resume).
    pub fn suspend(&self) {
        let mut state = self.state();
        state.signal(ProcessSignal::Stop);
        state.suspended.get_or_insert_with(Instant::now);
    }

    /// Continues the program on its turn.
    pub fn resume(&self) {
        let mut state = self.state();
        if let Some(since) = state.suspended.take() {
            state.lost += since.elapsed();
            if state.is_on_turn {
                state.signal(ProcessSignal::Continue);
            }
        }
    }
}
