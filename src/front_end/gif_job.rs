//! Draws the GIF of a match in a thread, so that the screens go on.
#![allow(clippy::disallowed_methods, reason = "starts the thread that draws")]

use crate::picture::file::{self, PictureFormat};
use quadrille_match::session::Record;
use quadrille_scene::Theme;
use quadrille_table::record_reader::PlayedRecord;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How long [`GifJob::wait`] waits at most. Keys wait as long.
const WAIT: Duration = Duration::from_millis(15);

/// A GIF that is being drawn. Dropping the job stops the drawing.
pub(super) struct GifJob {
    game: &'static str,
    drawn: Receiver<Result<Vec<u8>, String>>,
    is_stopped: Arc<AtomicBool>,
}

impl GifJob {
    /// Begins to draw the match of this record.
    pub fn begin(game: &'static str, record: String, theme: &'static Theme) -> GifJob {
        let (sender, drawn) = channel();
        let is_stopped = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&is_stopped);
        thread::spawn(move || {
            // Without a receiver, the job was stopped.
            let _ = sender.send(draw(&record, theme, &stop));
        });
        GifJob { game, drawn, is_stopped }
    }

    /// Waits a moment for the GIF. When it is drawn, saves it and returns a message with the path or the error.
    pub fn wait(&self) -> Option<String> {
        match self.drawn.recv_timeout(WAIT) {
            Ok(Ok(bytes)) => Some(file::save_bytes(self.game, "gif", &bytes)),
            Ok(Err(why)) => Some(why),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some("cannot draw the GIF".to_owned()),
        }
    }
}

impl Drop for GifJob {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

fn draw(record: &str, theme: &Theme, is_stopped: &AtomicBool) -> Result<Vec<u8>, String> {
    let record = Record::from_bytes(record.as_bytes()).map_err(|why| why.to_string())?;
    let played = PlayedRecord::of(&record).map_err(|why| why.to_string())?;
    let last = played.game.ply();
    let mut progress = |_| {
        if is_stopped.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let drawn = file::draw(PictureFormat::Gif, played, last, None, theme, &mut progress);
    drawn.map_err(|why| why.to_string())
}

#[cfg(all(test, feature = "pictures"))]
mod tests {
    use super::*;

    const RECORD: &str = "[Game \"tic-tac-toe\"]\n[Setup \"\"]\n\nb2 a1\n";

    #[test]
    fn drawing_makes_a_gif_unless_it_is_stopped() {
        let draw = |is_stopped| draw(RECORD, Theme::night(), &AtomicBool::new(is_stopped));
        assert!(draw(false).unwrap().starts_with(b"GIF89a"));
        assert_eq!(draw(true).unwrap_err(), "the drawing was stopped");
    }

    #[test]
    fn dropping_the_job_stops_the_drawing() {
        let job = GifJob::begin("tic-tac-toe", RECORD.to_owned(), Theme::night());
        let is_stopped = Arc::clone(&job.is_stopped);
        drop(job);
        assert!(is_stopped.load(Ordering::Relaxed));
    }
}
