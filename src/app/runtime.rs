//! The loop that ties the app to a real terminal: the only place that waits, reads keys, draws on
//! the terminal and gives it back.

use super::{App, Task};
use crossterm::event::{self, DisableBracketedPaste, EnableBracketedPaste, Event, KeyCode};
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
use std::collections::VecDeque;
use std::io::{self, BufWriter, Stdout, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use std::{panic, thread};

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
/// has changed something; keys that came together are drawn once.
pub fn run(app: &mut App, host: &mut dyn Host) -> io::Result<Ending> {
    let mut sources = Sources::watch()?;
    let mut screen = Screen::take()?;
    sources.read_keys()?;
    let ended = match serve(app, host, &mut screen, &mut sources) {
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
    sources: &mut Sources,
) -> io::Result<Ending> {
    screen.draw(app)?;
    loop {
        let mut changed = false;
        let mut tasks = Vec::new();
        match sources.wait(app.tick_after())? {
            Woken::Gone => return Ok(Ending::Gone),
            Woken::Tick => tasks.extend(app.tick().inspect(|_| changed = true).unwrap_or_default()),
            Woken::Called => {}
        }
        for signal in sources.signals() {
            match signal {
                SIGTSTP => tasks.push(Task::Suspend),
                SIGCONT => screen.retake()?,
                SIGWINCH => {}
                signal => return Ok(Ending::Signal(signal)),
            }
            changed = true;
        }
        // Done in their order, and each before the next key is looked at.
        loop {
            for task in tasks.drain(..) {
                match task {
                    Task::Quit => return Ok(Ending::Quit),
                    Task::Suspend => {
                        screen.suspend()?;
                        sources.forget(SIGCONT);
                    }
                    task => host.perform(task, app),
                }
            }
            let Some(event) = sources.key()? else { break };
            tasks.extend(app.update(&event).inspect(|_| changed = true).unwrap_or_default());
        }
        if changed {
            screen.draw(app)?;
        }
    }
}

/// What ended a wait.
enum Woken {
    /// A key, or a signal, or both.
    Called,
    Tick,
    Gone,
}

/// What can wake us: keys, the signals that concern a program on a terminal, and the end of the
/// terminal.
///
/// Keys are read by a thread of their own. crossterm's reader never comes back from a terminal that
/// has gone, and waits for the rest of a half sent sequence; neither may keep us from a signal.
/// It and the signals write into one pipe, which is what we sleep on.
struct Sources {
    delivery: SignalDelivery<UnixStream, SignalOnly>,
    bell: UnixStream,
    keys: Receiver<io::Result<Event>>,
    reader: Option<Sender<io::Result<Event>>>,
    forgotten: Option<i32>,
}

impl Sources {
    fn watch() -> io::Result<Sources> {
        let (read, write) = UnixStream::pair()?;
        let bell = write.try_clone()?;
        bell.set_nonblocking(true)?;
        let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH];
        let delivery = SignalDelivery::with_pipe(read, write, SignalOnly, signals)?;
        let (reader, keys) = channel();
        Ok(Sources { delivery, bell, keys, reader: Some(reader), forgotten: None })
    }

    /// Begins to read keys, once the terminal is ours.
    fn read_keys(&mut self) -> io::Result<()> {
        let Some(reader) = self.reader.take() else { return Ok(()) };
        let mut bell = self.bell.try_clone()?;
        thread::Builder::new().name("keys".to_owned()).spawn(move || {
            let mut keys = Keys::default();
            loop {
                let event = keys.read();
                let failed = event.is_err();
                let heard = reader.send(event).is_ok();
                // A full pipe wakes as well as one byte more.
                let _ = bell.write(&[0]);
                if failed || !heard {
                    break;
                }
            }
        })?;
        Ok(())
    }

    /// Sleeps until something comes, or the time has passed.
    fn wait(&mut self, time: Option<Duration>) -> io::Result<Woken> {
        let time = time.map(|time| Timespec {
            tv_sec: time.as_secs() as i64,
            tv_nsec: time.subsec_nanos().into(),
        });
        let stdin = rustix::stdio::stdin();
        let mut sources = [
            PollFd::new(self.delivery.get_read(), PollFlags::IN),
            // Nothing is asked for: the end is reported all the same.
            PollFd::new(&stdin, PollFlags::empty()),
        ];
        match poll(&mut sources, time.as_ref()) {
            Ok(0) => return Ok(Woken::Tick),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let [called, terminal] = sources.map(|source| source.revents());
        // The terminal's end comes with SIGHUP for most, and that is the better word for it.
        let gone = called.is_empty() && !terminal.is_empty();
        Ok(if gone { Woken::Gone } else { Woken::Called })
    }

    /// The signals that have come. This also empties the pipe, so that what comes from here on, of
    /// keys too, wakes us again.
    fn signals(&mut self) -> Vec<i32> {
        let forgotten = self.forgotten.take();
        self.delivery.pending().filter(|signal| Some(*signal) != forgotten).collect()
    }

    /// Leaves signals of this kind out of those that come next.
    fn forget(&mut self, signal: i32) {
        self.forgotten = Some(signal);
    }

    /// The next key that has come.
    fn key(&mut self) -> io::Result<Option<Event>> {
        self.keys.try_recv().ok().transpose()
    }
}

/// Reads keys, and joins an arrow that came in two parts. When very many keys come at once, the
/// system may cut its sequence behind the Esc, and crossterm takes that for the key Esc and letters.
#[derive(Default)]
struct Keys {
    /// What was read ahead.
    ahead: VecDeque<Event>,
}

impl Keys {
    /// How long the rest of a sequence may take: no finger is that fast.
    const AT_ONCE: Duration = Duration::from_millis(5);

    fn read(&mut self) -> io::Result<Event> {
        let first = match self.ahead.pop_front() {
            Some(event) => event,
            None => event::read()?,
        };
        if code(&first) != Some(KeyCode::Esc) {
            return Ok(first);
        }
        while self.ahead.len() < 2 && event::poll(Keys::AT_ONCE)? {
            self.ahead.push_back(event::read()?);
        }
        let whole = match [0, 1].map(|at| self.ahead.get(at).and_then(code)) {
            [Some(KeyCode::Char('[' | 'O')), Some(KeyCode::Char(last))] => match last {
                'A' => KeyCode::Up,
                'B' => KeyCode::Down,
                'C' => KeyCode::Right,
                'D' => KeyCode::Left,
                'H' => KeyCode::Home,
                'F' => KeyCode::End,
                _ => return Ok(first),
            },
            _ => return Ok(first),
        };
        self.ahead.drain(..2);
        Ok(Event::Key(whole.into()))
    }
}

fn code(event: &Event) -> Option<KeyCode> {
    event.as_key_press_event().map(|key| key.code)
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
        let screen = taken.and_then(|terminal| {
            let mut screen = Screen { terminal };
            // A terminal without a second screen shows ours over what was there.
            screen.forget()?;
            Ok(screen)
        });
        screen.inspect_err(|_| give_back())
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
        self.forget()
    }

    /// Clears the terminal, and forgets what was drawn on it.
    fn forget(&mut self) -> io::Result<()> {
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
