//! The keys and the mouse of a terminal that sends no bytes, as a thread reads them with crossterm.

use crossterm::event::{Event, KeyEventKind, read};
use quadrille_system::handle::Stream;
use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;

/// The events of the terminal.
pub(super) struct EventThread {
    arriving: Receiver<Event>,
    has_ended: bool,
}

impl EventThread {
    /// Starts the thread, which writes a byte to `waker` for each event. It ends only with the process.
    pub fn start(mut waker: Stream) -> io::Result<EventThread> {
        let (sender, arriving) = mpsc::channel();
        let forward = move || {
            while let Ok(event) = read() {
                let is_release =
                    matches!(&event, Event::Key(key) if key.kind == KeyEventKind::Release);
                if !is_release && sender.send(event).is_err() {
                    return;
                }
                // A full waker wakes, too.
                let _ = waker.write(&[0]);
            }
            drop(sender);
            let _ = waker.write(&[0]);
        };
        thread::Builder::new().name("events".to_owned()).spawn(forward)?;
        Ok(EventThread { arriving, has_ended: false })
    }

    pub fn next(&mut self) -> Option<Event> {
        let event = self.arriving.try_recv();
        self.has_ended |= event == Err(TryRecvError::Disconnected);
        event.ok()
    }

    /// Returns whether the terminal is gone.
    pub const fn has_ended(&self) -> bool {
        self.has_ended
    }
}
