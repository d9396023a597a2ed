//! When a program may run: on its turn, unless all of Quadrille is stopped.

use rustix::process::{Pid, Signal, kill_process_group};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Shared by the thread of a program and the code that suspends this whole process, as Ctrl-Z does. It also has the
/// program's time, which stands still while the process is suspended.
#[derive(Debug, Default)]
pub struct Suspension(Mutex<SuspensionState>);

#[derive(Debug, Default)]
struct SuspensionState {
    group: Option<Pid>,
    is_on_turn: bool,
    suspended: Option<Instant>,
    /// How long it was suspended before.
    lost: Duration,
}

impl SuspensionState {
    fn signal(&self, signal: Signal) {
        if let Some(group) = self.group {
            // One that has just gone needs no signal.
            let _ = kill_process_group(group, signal);
        }
    }
}

impl Suspension {
    fn state(&self) -> MutexGuard<'_, SuspensionState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The program's time.
    pub fn now(&self) -> Instant {
        let state = self.state();
        let now = state.suspended.unwrap_or_else(Instant::now);
        now.checked_sub(state.lost).unwrap_or(now)
    }

    /// The program's process group, which it has while it runs. It is on its turn at first.
    pub(super) fn set_group(&self, group: Option<Pid>) {
        let mut state = self.state();
        state.group = group;
        state.is_on_turn = true;
        if state.suspended.is_some() {
            state.signal(Signal::STOP);
        }
    }

    /// Sets whether it is the program's turn. While it is not, the program is stopped.
    pub(super) fn set_turn(&self, is_on_turn: bool) {
        let mut state = self.state();
        state.is_on_turn = is_on_turn;
        if !is_on_turn {
            state.signal(Signal::STOP);
        } else if state.suspended.is_none() {
            state.signal(Signal::CONT);
        }
    }

    /// Kills the program at once.
    pub(super) fn kill(&self) {
        let mut state = self.state();
        state.signal(Signal::KILL);
        state.group = None;
    }

    /// Stops the program, until [`resume`](Suspension::resume).
    pub fn suspend(&self) {
        let mut state = self.state();
        state.signal(Signal::STOP);
        state.suspended.get_or_insert_with(Instant::now);
    }

    /// Lets the program go on, if it is its turn.
    pub fn resume(&self) {
        let mut state = self.state();
        if let Some(since) = state.suspended.take() {
            state.lost += since.elapsed();
            if state.is_on_turn {
                state.signal(Signal::CONT);
            }
        }
    }
}
