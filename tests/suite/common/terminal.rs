//! A program in a real pseudo-terminal.

use super::program::LOGIN;
use super::wait::{EVENT_TIMEOUT, wait_until};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::fs::{self, DirBuilder};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Columns and rows.
pub const USUAL_SIZE: (u16, u16) = (80, 24);

type Keyboard = Arc<Mutex<Box<dyn Write + Send>>>;

/// The query that a program sends last, so that its reply follows all earlier input.
const ASK_ATTRIBUTES: &str = "\x1b[c";
/// Queries and their replies.
pub type Replies = Vec<(&'static str, &'static str)>;

/// The replies of a usual terminal. The last one is a mouse report in flight and the attributes.
const REPLIES: [(&str, &str); 3] = [
    ("\x1b[>q", "\x1bP>|Test(1)\x1b\\"),
    ("\x1b[?1006$p", "\x1b[?1006;2$y"),
    (ASK_ATTRIBUTES, "\x1b[<35;73;23M\x1b[?62;22c"),
];

pub struct Terminal {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keyboard: Keyboard,
    output: Arc<Mutex<Output>>,
    reader: Option<thread::JoinHandle<()>>,
    closing: Arc<AtomicBool>,
    paused: Arc<AtomicBool>,
    /// The program's state directory, instead of the home directory.
    _state: Rc<TempDir>,
    /// The terminal's modes before the program started.
    modes: String,
}

#[derive(Default)]
struct Output {
    screen: vt100::Parser,
    bytes: Vec<u8>,
}

impl Output {
    fn times_written(&self, bytes: &str) -> usize {
        self.bytes.windows(bytes.len()).filter(|part| *part == bytes.as_bytes()).count()
    }

    fn set_size(&mut self, cols: u16, rows: u16) {
        let [cols, rows] = [cols, rows].map(|n| NonZeroU16::new(n).unwrap());
        self.screen.screen_mut().set_size(rows, cols);
    }
}

/// Waits until terminals whose screen has changed by itself accept all keys and clicks again. Call it when they show
/// the new screen.
pub fn past_the_guard() {
    // The guard counts from the frame, which the terminal may show before the program has seen it leave.
    thread::sleep(Duration::from_millis(1300));
}

impl Terminal {
    pub fn run(arguments: &[&str]) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_quadrille"));
        command.args(arguments);
        Terminal::start(command)
    }

    pub fn start(command: CommandBuilder) -> Terminal {
        Terminal::start_with(command, Rc::new(tempfile::tempdir().unwrap()))
    }

    pub fn run_with(arguments: &[&str], state: &Rc<TempDir>) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_quadrille"));
        command.args(arguments);
        Terminal::start_with(command, Rc::clone(state))
    }

    pub fn start_with(command: CommandBuilder, state: Rc<TempDir>) -> Terminal {
        Terminal::start_at(USUAL_SIZE, command, state)
    }

    pub fn start_at(size: (u16, u16), command: CommandBuilder, state: Rc<TempDir>) -> Terminal {
        Terminal::start_replying(size, command, state, REPLIES.to_vec())
    }

    /// Starts a program in a terminal with these replies to queries, in order.
    pub fn start_replying(
        (cols, rows): (u16, u16),
        mut command: CommandBuilder,
        state: Rc<TempDir>,
        replies: Replies,
    ) -> Terminal {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let modes = format!("{:?}", pair.master.get_termios());
        let usual = [
            ("TERM", "xterm-256color".into()),
            ("LC_ALL", "C.UTF-8".into()),
            ("USER", LOGIN.into()),
        ];
        for (name, value) in usual.into_iter().chain(home(state.path())) {
            if !command.iter_extra_env_as_str().any(|(known, _)| known == name) {
                command.env(name, value);
            }
        }
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let mut output = Output::default();
        output.set_size(cols, rows);
        let output = Arc::new(Mutex::new(output));
        let mut out = pair.master.try_clone_reader().unwrap();
        let closing = Arc::new(AtomicBool::new(false));
        let paused = Arc::new(AtomicBool::new(false));
        let keyboard: Keyboard = Arc::new(Mutex::new(pair.master.take_writer().unwrap()));
        let reader = thread::spawn({
            let keyboard = Arc::clone(&keyboard);
            let mut answered = vec![0; replies.len()];
            let (output, closing) = (Arc::clone(&output), Arc::clone(&closing));
            let paused = Arc::clone(&paused);
            move || {
                let mut bytes = [0; 4096];
                while let Ok(n @ 1..) = out.read(&mut bytes) {
                    while paused.load(Ordering::Relaxed) {
                        thread::sleep(Duration::from_millis(2));
                    }
                    let mut output = output.lock().unwrap();
                    output.screen.process(&bytes[..n]);
                    output.bytes.extend(&bytes[..n]);
                    // The program may have ended, and then the reply is not read.
                    for ((query, reply), answered) in replies.iter().zip(&mut answered) {
                        while *answered < output.times_written(query) {
                            *answered += 1;
                            let _ = keyboard.lock().unwrap().write_all(reply.as_bytes());
                        }
                    }
                    if closing.load(Ordering::Relaxed) {
                        break;
                    }
                }
            }
        });
        let master = pair.master;
        Terminal {
            master,
            child,
            keyboard,
            output,
            reader: Some(reader),
            closing,
            paused,
            _state: state,
            modes,
        }
    }

    pub fn keys(&mut self, keys: &str) -> &mut Terminal {
        self.keyboard.lock().unwrap().write_all(keys.as_bytes()).unwrap();
        self
    }

    pub fn contents(&self) -> String {
        self.output.lock().unwrap().screen.screen().contents()
    }

    /// Returns whether this text is on the screen, regardless of the spacing of its words.
    pub fn sees(&self, text: &str) -> bool {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        self.contents().lines().any(|line| words(line).contains(&words(text)))
    }

    pub fn bytes_written(&self) -> usize {
        self.output.lock().unwrap().bytes.len()
    }

    /// Returns everything that was written.
    pub fn bytes(&self) -> String {
        String::from_utf8_lossy(&self.raw_bytes()).into_owned()
    }

    pub fn raw_bytes(&self) -> Vec<u8> {
        self.output.lock().unwrap().bytes.clone()
    }

    pub fn times_written(&self, bytes: &str) -> usize {
        self.output.lock().unwrap().times_written(bytes)
    }

    pub fn is_raw(&self) -> bool {
        !format!("{:?}", self.master.get_termios()).contains("ICANON")
    }

    pub fn shows_a_cursor(&self) -> bool {
        !self.output.lock().unwrap().screen.screen().hide_cursor()
    }

    pub fn wait_for(&mut self, text: &str) -> &mut Terminal {
        self.wait_until(text, |terminal| terminal.sees(text))
    }

    pub fn press_until(&mut self, keys: &str, text: &str) -> &mut Terminal {
        let deadline = Instant::now() + EVENT_TIMEOUT;
        while !self.sees(text) {
            assert!(Instant::now() < deadline, "no {text} on\n{}", self.contents());
            self.keys(keys);
            thread::sleep(Duration::from_millis(200));
        }
        self
    }

    /// Returns whether the terminal is as before the program: the main screen, a visible cursor, and no modes that a
    /// program can set.
    pub fn is_normal(&self) -> bool {
        let modes = format!("{:?}", self.master.get_termios());
        let output = self.output.lock().unwrap();
        let screen = output.screen.screen();
        modes == self.modes
            && output.times_written("\x1b[>5u") <= output.times_written("\x1b[<1u")
            && !screen.alternate_screen()
            && !screen.hide_cursor()
            && !screen.bracketed_paste()
            && !screen.application_cursor()
            && !screen.application_keypad()
            && screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None
    }

    /// Returns whether the program has enabled all mouse reports, in the SGR encoding, which has no column limit.
    pub fn reports_the_mouse(&self) -> bool {
        let output = self.output.lock().unwrap();
        let screen = output.screen.screen();
        screen.mouse_protocol_mode() == vt100::MouseProtocolMode::AnyMotion
            && screen.mouse_protocol_encoding() == vt100::MouseProtocolEncoding::Sgr
    }

    pub fn click(&mut self, text: &str) -> &mut Terminal {
        let contents = self.wait_for(text).contents();
        let rows = contents.lines().enumerate();
        let (row, line) = rows.into_iter().find(|(_, line)| line.contains(text)).unwrap();
        // Every preceding character is one column wide.
        let column = line[..line.find(text).unwrap()].chars().count();
        self.click_at(column as u16, row as u16)
    }

    /// Clicks on a cell, columns and rows counted from 0.
    pub fn click_at(&mut self, column: u16, row: u16) -> &mut Terminal {
        let at = format!("{};{}", column + 1, row + 1);
        self.keys(&format!("\x1b[<35;{at}M\x1b[<0;{at}M\x1b[<0;{at}m"))
    }

    pub fn resize(&mut self, cols: u16, rows: u16) {
        self.output.lock().unwrap().set_size(cols, rows);
        self.claim_size(cols, rows);
    }

    /// Reports another size to the program than the terminal has.
    pub fn claim_size(&mut self, cols: u16, rows: u16) {
        let size = PtySize { rows, cols, pixel_width: 0, pixel_height: 0 };
        self.master.resize(size).unwrap();
    }

    /// Waits for the end, after which the terminal must be normal. Returns the exit status.
    pub fn wait_for_the_end(mut self) -> u32 {
        let status = self.child.wait().unwrap().exit_code();
        // The last output may still be in flight.
        self.wait_until("a normal terminal", Terminal::is_normal);
        status
    }

    /// Quits with Ctrl-C. The program must exit with status 0 and restore the terminal.
    pub fn leave(self) {
        self.leave_by("\x03");
    }

    pub fn leave_by(mut self, keys: &str) {
        self.keys(keys);
        assert_eq!(self.wait_for_the_end(), 0);
    }

    /// Pauses or resumes reading, like Ctrl-S.
    pub fn pause(&self, paused: bool) {
        self.paused.store(paused, Ordering::Relaxed);
    }

    pub fn ends_after(&mut self) -> Duration {
        let begun = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < EVENT_TIMEOUT, "it does not end");
            thread::sleep(Duration::from_millis(1));
        }
        begun.elapsed()
    }

    pub fn wait_until(&mut self, what: &str, holds: impl Fn(&Terminal) -> bool) -> &mut Terminal {
        wait_until(what, || self.contents(), || holds(self));
        self
    }

    /// Hangs up the terminal, as when its window is closed. The program must still run.
    pub fn vanish(mut self) {
        self.closing.store(true, Ordering::Relaxed);
        // The drawing after a key wakes the reading thread, which then closes its end.
        self.keys("\x1b[C\x1b[B");
        self.reader.take().unwrap().join().unwrap();
    }

    pub fn is_coloured(&self) -> bool {
        let output = self.output.lock().unwrap();
        let screen = output.screen.screen();
        let (rows, cols) = screen.size();
        (0..rows.get()).any(|row| {
            (0..cols.get()).any(|col| {
                let cell = screen.cell(row, col).unwrap();
                cell.fgcolor() != vt100::Color::Default || cell.bgcolor() != vt100::Color::Default
            })
        })
    }

    /// Kills the program with SIGKILL, which it cannot catch.
    pub fn kill(mut self) {
        // The child's own `kill` begins with SIGHUP.
        let process = self.process().to_string();
        let killed = std::process::Command::new("kill").args(["-9", &process]).status();
        assert!(killed.unwrap().success());
        self.child.wait().unwrap();
    }

    pub fn process(&self) -> u32 {
        self.child.process_id().unwrap()
    }
}

/// Returns the environment variables that put all of a program's files in this directory.
pub fn home(folder: &Path) -> [(&'static str, PathBuf); 6] {
    let sockets = folder.join("run");
    DirBuilder::new().recursive(true).mode(0o700).create(&sockets).unwrap();
    [
        ("HOME", folder.to_owned()),
        ("XDG_STATE_HOME", folder.to_owned()),
        ("XDG_CACHE_HOME", folder.join("cache")),
        ("XDG_CONFIG_HOME", folder.join("config")),
        ("XDG_PICTURES_DIR", folder.to_owned()),
        ("XDG_RUNTIME_DIR", sockets),
    ]
}

/// Creates a home directory with this settings file, and returns the path of the file.
pub fn with_config(text: &str) -> (Rc<TempDir>, PathBuf) {
    let state = Rc::new(tempfile::tempdir().unwrap());
    let folder = state.path().join("config/quadrille");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("config.toml");
    fs::write(&path, text).unwrap();
    (state, path)
}
