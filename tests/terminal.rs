//! The real program in a real pseudo-terminal: from the first key to the result and out.
#![cfg(unix)]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

mod common;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use quadrille::board::Table;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// A program on a terminal of 80 × 24.
struct Terminal {
    master: Box<dyn MasterPty + Send>,
    child: Box<dyn Child + Send + Sync>,
    keyboard: Box<dyn Write + Send>,
    screen: Arc<Mutex<vt100::Parser>>,
    reader: Option<thread::JoinHandle<()>>,
    /// The terminal's modes before the program started.
    modes: String,
}

impl Terminal {
    /// The program with these arguments.
    fn run(arguments: &[&str]) -> Terminal {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_quadrille"));
        command.args(arguments);
        Terminal::start(command)
    }

    fn start(mut command: CommandBuilder) -> Terminal {
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let modes = format!("{:?}", pair.master.get_termios());
        command.env("TERM", "xterm-256color");
        let child = pair.slave.spawn_command(command).unwrap();
        drop(pair.slave);
        let screen = Arc::new(Mutex::new(vt100::Parser::default()));
        let mut out = pair.master.try_clone_reader().unwrap();
        let reader = thread::spawn({
            let screen = Arc::clone(&screen);
            move || {
                let mut bytes = [0; 4096];
                while let Ok(n @ 1..) = out.read(&mut bytes) {
                    screen.lock().unwrap().process(&bytes[..n]);
                }
            }
        });
        let keyboard = pair.master.take_writer().unwrap();
        let master = pair.master;
        Terminal { master, child, keyboard, screen, reader: Some(reader), modes }
    }

    fn keys(&mut self, keys: &str) -> &mut Terminal {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
        self
    }

    fn contents(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Waits until the text is on the screen.
    fn wait_for(&mut self, text: &str) -> &mut Terminal {
        let patience = Instant::now() + Duration::from_secs(20);
        while !self.contents().contains(text) {
            assert!(Instant::now() < patience, "no {text:?} on\n{}", self.contents());
            thread::sleep(Duration::from_millis(5));
        }
        self
    }

    /// Waits for the end: the terminal must be as it was, and the exit status is given back.
    fn wait_for_the_end(mut self) -> u32 {
        let status = self.child.wait().unwrap().exit_code();
        assert_eq!(format!("{:?}", self.master.get_termios()), self.modes);
        drop(self.keyboard);
        drop(self.master);
        self.reader.take().unwrap().join().unwrap();
        let screen = self.screen.lock().unwrap();
        let screen = screen.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        status
    }
}

/// Some moves to the end of a match: always one from the middle of the list, or the last.
fn some_moves(game: &str, setup: &str) -> Vec<String> {
    let mut table: Box<dyn Table> = common::table(game, setup, "");
    let mut moves = Vec::new();
    while table.game().to_move().is_some() {
        let legal = table.game().legal();
        let mv = legal[(moves.len() * 7 + legal.len() / 2) % legal.len()].clone();
        table.play(&mv).unwrap();
        moves.push(mv);
        assert!(moves.len() < 200, "{game} does not end");
    }
    moves
}

/// Every game by its own small setup, typed to the end, and out by the menus.
fn play_to_the_end(game: &str, setup: &str) {
    let mut arguments = vec!["play", game, "--names", "Ann,Bob"];
    arguments.extend(setup.split_whitespace());
    let mut terminal = Terminal::run(&arguments);
    terminal.wait_for("Ann").wait_for("q leave");
    let moves = some_moves(game, setup);
    for mv in &moves {
        terminal.keys(&format!(":{mv}\r"));
    }
    terminal.wait_for(moves.last().unwrap());
    if game == "intersections" {
        terminal.wait_for("any key").keys(" ");
    }
    terminal.wait_for("Rematch").keys("\x1b[B\x1b[B\x1b[B\x1b[B\r");
    terminal.wait_for("q quit").keys("q");
    assert_eq!(terminal.wait_for_the_end(), 0);
}

#[test]
fn dots_and_boxes() {
    play_to_the_end("dots-and-boxes", "size=3");
}

#[test]
fn join_the_dots() {
    play_to_the_end("join-the-dots", "layout=eight");
}

#[test]
fn quixo() {
    play_to_the_end("quixo", "size=3");
}

#[test]
fn tic_tac_toe() {
    play_to_the_end("tic-tac-toe", "");
}

#[test]
fn intersections() {
    play_to_the_end("intersections", "size=3 segments=4");
}

#[test]
fn from_the_home_screen_with_arrows_and_enter_alone() {
    let mut terminal = Terminal::run(&[]);
    terminal.wait_for("Quadrille").keys("\r");
    terminal.wait_for("Start the match").keys("\x1b[A\x1b[A\x1b[A\x1b[A");
    terminal.wait_for("rows of dots").keys("\x1b[D\x1b[D\x1b[D\x1b[B\x1b[D\x1b[D\x1b[D\x1b[A");
    terminal.keys("\x1b[B\x1b[B\x1b[B\x1b[B\r").wait_for("4 lines");
    terminal.keys("\r").wait_for("3 lines").keys("\x1b[B\r").wait_for("2 lines");
    terminal.keys("\x1b[C\r").wait_for("1 line").keys("\x1b[B\r").wait_for("Player 2 wins 0-1");
    terminal.keys("\x1b[A\x1b[A\x1b[B\x1b[B\x1b[B\x1b[B\r").wait_for("Quit").keys("q");
    assert_eq!(terminal.wait_for_the_end(), 0);
}

#[test]
fn control_c_leaves_at_once_from_anywhere() {
    for keys in ["", "\r", "\r\r", "\r\r:H0", "?"] {
        let mut terminal = Terminal::run(&[]);
        terminal.wait_for("Quadrille").keys(keys).keys("\x03");
        assert_eq!(terminal.wait_for_the_end(), 0, "{keys:?}");
    }
}

const CHILD: &str = "QUADRILLE_TEST_PANICS";

/// The child of the next test: the same loop, in this very test program, with a save that panics.
#[test]
fn a_child_that_panics() {
    if std::env::var_os(CHILD).is_some() {
        let entry = quadrille::catalogue::find("tic-tac-toe").unwrap();
        let sitting = quadrille::app::Sitting::new(entry, &"".parse().unwrap(), &[]).unwrap();
        let mut app =
            quadrille::app::App::new(quadrille::board::Skin::default(), 1).with_match(sitting);
        quadrille::app::runtime::run(&mut app, &mut Panics).unwrap();
    }
}

struct Panics;

impl quadrille::app::runtime::Host for Panics {
    fn perform(&mut self, _: quadrille::app::Task, _: &mut quadrille::app::App) {
        panic!("on purpose")
    }
}

#[test]
fn a_panic_gives_the_terminal_back_and_says_what_happened() {
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(["--exact", "a_child_that_panics", "--nocapture"]);
    command.env(CHILD, "1");
    let mut terminal = Terminal::start(command);
    terminal.wait_for("q leave").keys("\r").wait_for("on purpose");
    assert!(
        !terminal.screen.lock().unwrap().screen().alternate_screen(),
        "said on the normal screen"
    );
    assert_eq!(terminal.wait_for_the_end(), 101);
}
