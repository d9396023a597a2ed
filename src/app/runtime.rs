//! The loop that ties the app to a real terminal: the only place that waits, reads keys, draws on
//! the terminal and gives it back.

use super::{App, Task};
use crossterm::event::{self, DisableBracketedPaste, EnableBracketedPaste};
use crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};
use ratatui::Terminal;
use ratatui::backend::{Backend, CrosstermBackend};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
use signal_hook::iterator::backend::SignalDelivery;
use signal_hook::iterator::exfiltrator::SignalOnly;
use signal_hook::low_level::emulate_default_handler;
use std::io::{self, BufWriter, Stdout};
use std::os::unix::net::UnixStream;
use std::panic;
use std::time::Duration;

/// Carries out what the app wants done outside itself, besides what the terminal is for.
pub trait Host {
    /// Does a task, and tells the app what came of it.
    fn perform(&mut self, task: Task, app: &mut App);
}

/// Why the loop has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The app has come to its end.
    Quit,
    /// This signal asks the process to end.
    Signal(i32),
    /// The terminal has gone.
    Gone,
}

impl Ending {
    /// Ends the process as the signal would have done, so that whoever started it sees that. For
    /// the other endings it does nothing.
    pub fn pass_on(self) -> io::Result<()> {
        match self {
            Ending::Signal(signal) => emulate_default_handler(signal),
            Ending::Quit | Ending::Gone => Ok(()),
        }
    }
}

/// Runs the app in the terminal of standard input and output until it ends.
///
/// The process sleeps until a key, a signal or the app's own tick comes, and draws only when that
/// has changed something; keys that came together are drawn once. There is no other thread.
pub fn run(app: &mut App, host: &mut dyn Host) -> io::Result<Ending> {
    let mut signals = Signals::watch()?;
    let mut screen = Screen::take()?;
    let ended = match serve(app, host, &mut screen, &mut signals) {
        // A terminal that cannot be read or written any more is gone, whatever it calls that.
        Err(error) if error.raw_os_error() == Some(EIO) => Ok(Ending::Gone),
        ended => ended,
    };
    drop(screen);
    ended
}

/// "Input/output error", the same number on every Unix.
const EIO: i32 = 5;

fn serve(
    app: &mut App,
    host: &mut dyn Host,
    screen: &mut Screen,
    signals: &mut Signals,
) -> io::Result<Ending> {
    screen.draw(app)?;
    loop {
        let woken = signals.wait(app.tick_after())?;
        let mut changed = false;
        let mut tasks = Vec::new();
        for signal in signals.pending() {
            match signal {
                SIGTSTP => tasks.push(Task::Suspend),
                SIGCONT => screen.retake()?,
                SIGWINCH => {}
                signal => return Ok(Ending::Signal(signal)),
            }
            changed = true;
        }
        match woken {
            Woken::Gone => return Ok(Ending::Gone),
            Woken::Tick => tasks.extend(app.tick().inspect(|_| changed = true).unwrap_or_default()),
            Woken::Signal => {}
            Woken::Key => {
                while event::poll(Duration::ZERO)? {
                    let done = app.update(&event::read()?).inspect(|_| changed = true);
                    for task in done.unwrap_or_default() {
                        if let Task::Quit = task {
                            return Ok(Ending::Quit);
                        }
                        perform(task, app, host, screen, signals)?;
                    }
                }
            }
        }
        for task in tasks {
            perform(task, app, host, screen, signals)?;
        }
        if changed {
            screen.draw(app)?;
        }
    }
}

fn perform(
    task: Task,
    app: &mut App,
    host: &mut dyn Host,
    screen: &mut Screen,
    signals: &mut Signals,
) -> io::Result<()> {
    match task {
        Task::Suspend => {
            screen.suspend()?;
            // The one that woke us is dealt with.
            signals.forget(SIGCONT);
        }
        task => host.perform(task, app),
    }
    Ok(())
}

/// What ended a wait.
enum Woken {
    Key,
    Signal,
    Tick,
    Gone,
}

/// The signals that concern a program on a terminal. Each writes into a pipe, so that one call
/// waits for them and for keys.
struct Signals {
    delivery: SignalDelivery<UnixStream, SignalOnly>,
    forgotten: Option<i32>,
}

impl Signals {
    fn watch() -> io::Result<Signals> {
        let (read, write) = UnixStream::pair()?;
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH];
        let delivery = SignalDelivery::with_pipe(read, write, SignalOnly, signals)?;
        Ok(Signals { delivery, forgotten: None })
    }

    /// Sleeps until there is a key or a signal, or the time has passed.
    fn wait(&mut self, time: Option<Duration>) -> io::Result<Woken> {
        let time = time.map(|time| Timespec {
            tv_sec: time.as_secs() as i64,
            tv_nsec: time.subsec_nanos().into(),
        });
        let stdin = rustix::stdio::stdin();
        let mut sources = [
            PollFd::new(&stdin, PollFlags::IN),
            PollFd::new(self.delivery.get_read(), PollFlags::IN),
        ];
        match poll(&mut sources, time.as_ref()) {
            Ok(0) => return Ok(Woken::Tick),
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(Woken::Signal),
            Err(error) => return Err(error.into()),
        }
        let [keys, signals] = sources.map(|source| source.revents());
        // A hang-up comes with SIGHUP, which is the better word for it.
        let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
        Ok(match () {
            () if !signals.is_empty() => Woken::Signal,
            () if keys.intersects(gone) => Woken::Gone,
            () => Woken::Key,
        })
    }

    fn pending(&mut self) -> Vec<i32> {
        let forgotten = self.forgotten.take();
        self.delivery.pending().filter(|signal| Some(*signal) != forgotten).collect()
    }

    /// Leaves one signal of this kind out of those pending next.
    fn forget(&mut self, signal: i32) {
        self.forgotten = Some(signal);
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

    /// Gives the terminal back, stops the process, and takes the terminal again when the process is
    /// continued. It is stopped by `SIGSTOP`, which stops an orphan too.
    fn suspend(&mut self) -> io::Result<()> {
        give_back();
        emulate_default_handler(SIGTSTP)?;
        self.retake()
    }

    /// Takes the terminal again after anybody else had it, and forgets what was drawn.
    fn retake(&mut self) -> io::Result<()> {
        take()?;
        // Not `Terminal::clear`, which asks the terminal where its cursor is and waits for an answer.
        let size = self.terminal.backend().size()?;
        self.terminal.resize(size.into())
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
