//! The loop that ties the app to a real terminal: the only place that reads it, draws on it and
//! gives it back.

use super::{App, Task};
use crossterm::event::{self, DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level;
use std::io::{self, BufWriter, Stdout};
use std::panic;
use std::time::Duration;

/// Writes the match's record; an error is told on the screen, and the match goes on.
pub type Save<'a> = dyn FnMut(&App) -> Result<(), String> + 'a;

/// Runs the app in the terminal of standard output until it ends.
///
/// The process sleeps until an event comes, and draws only when one has changed something; events
/// that came together are drawn once.
pub fn run(app: &mut App, save: &mut Save) -> io::Result<()> {
    let mut screen = Screen::take()?;
    screen.draw(app)?;
    loop {
        let mut changed = false;
        let mut more = true;
        while more {
            let Some(tasks) = app.update(&event::read()?) else {
                more = event::poll(Duration::ZERO)?;
                continue;
            };
            changed = true;
            for task in tasks {
                match task {
                    Task::Quit => return Ok(()),
                    Task::Save => {
                        let trouble = save(app).err();
                        app.trouble(trouble);
                    }
                    Task::Suspend => screen.suspend()?,
                    // There is no library on disk yet.
                    Task::ListRecords => app.records(Vec::new(), Vec::new()),
                    _ => {}
                }
            }
            more = event::poll(Duration::ZERO)?;
        }
        if changed {
            screen.draw(app)?;
        }
    }
}

/// The terminal while it is ours; dropping it gives it back.
struct Screen {
    terminal: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
}

impl Screen {
    fn take() -> io::Result<Screen> {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            give_back();
            hook(info);
        }));
        // From here on the terminal may be ours in part, so that any failure gives it back.
        let taken = take().and_then(|()| {
            let out = BufWriter::with_capacity(1 << 16, io::stdout());
            Terminal::new(CrosstermBackend::new(out))
        });
        match taken {
            Ok(terminal) => Ok(Screen { terminal }),
            Err(error) => {
                give_back();
                Err(error)
            }
        }
    }

    fn draw(&mut self, app: &App) -> io::Result<()> {
        self.terminal.draw(|frame| {
            if let Some(position) = app.draw(frame.area(), frame.buffer_mut()) {
                frame.set_cursor_position(position);
            }
        })?;
        Ok(())
    }

    /// Stops the process as the terminal's suspend key does for any program, and takes the terminal
    /// again when it is continued.
    fn suspend(&mut self) -> io::Result<()> {
        give_back();
        low_level::emulate_default_handler(SIGTSTP)?;
        take()?;
        self.terminal.clear()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        give_back();
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, cursor::Hide)
}

/// Gives the terminal back as it was. What fails here cannot be mended any more.
fn give_back() {
    let _ = execute!(io::stdout(), DisableBracketedPaste, LeaveAlternateScreen, cursor::Show);
    let _ = disable_raw_mode();
}
