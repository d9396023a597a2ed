//! `quadrille health`, for bug reports.

use crate::common::program::{command, finish, run};
#[cfg(unix)]
use crate::common::terminal::{Terminal, with_config};
#[cfg(unix)]
use portable_pty::CommandBuilder;
use quadrille_system::terminal::HAS_BYTES;
use std::fs;
#[cfg(unix)]
use std::rc::Rc;

const LABELS: [&str; 15] = [
    "version", "features", "TERM", "terminal", "colors", "locale", "glyphs", "size", "keyboard",
    "mouse", "boards", "state", "cache", "pictures", "config",
];

/// Returns the value on the line with this label.
fn value<'a>(lines: &'a str, label: &str) -> &'a str {
    let label = format!("{label}:");
    let found = lines.lines().find_map(|line| line.strip_prefix(&label));
    found.unwrap_or_else(|| panic!("no {label} in\n{lines}")).trim()
}

#[test]
fn health_in_a_pipe_asks_and_writes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let mut health = command(home.path(), &["health"]);
    health.env_remove("COLORTERM").env_remove("NO_COLOR");
    let lines = finish(health.env("TERM", "x\x1b[2J"), b"").ok();
    let labels: Vec<&str> =
        lines.lines().filter_map(|line| Some(line.split_once(':')?.0)).collect();
    assert_eq!(labels, LABELS);
    assert!(!lines.replace('\n', "").contains(char::is_control), "{lines:?}");
    let not_asked = if HAS_BYTES { "not a terminal" } else { "cannot be asked" };
    for (label, expected) in [
        ("version", env!("CARGO_PKG_VERSION")),
        ("TERM", "x\\u{1b}[2J"),
        ("terminal", not_asked),
        ("colors", "8, theme terminal"),
        ("locale", "C.UTF-8"),
        ("glyphs", "full"),
        ("size", "not a terminal"),
        ("keyboard", not_asked),
        ("mouse", not_asked),
        ("boards", not_asked),
    ] {
        assert_eq!(value(&lines, label), expected, "{lines}");
    }
    let config = value(&lines, "config").replace('\\', "/");
    assert!(config.ends_with("quadrille/config.toml (not created yet)"), "{lines}");
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0);
    assert!(run(&["health", "--plain"]).fails(2).starts_with("--plain"));
}

#[cfg(unix)]
fn health(state: &Rc<tempfile::TempDir>) -> Terminal {
    let mut command = CommandBuilder::new("sh");
    // The shell then reads what the program has not.
    command.args(["-c", "\"$0\" health; read line", env!("CARGO_BIN_EXE_quadrille")]);
    command.env("COLORTERM", "truecolor");
    command.env("NO_COLOR", "");
    Terminal::start_with(command, Rc::clone(state))
}

#[cfg(unix)]
#[test]
fn health_shows_what_the_terminal_answers() {
    let (state, _) = with_config("theme = \"paper\"\nglyphs = \"narrow\"\nbell = 3\n");
    let mut terminal = health(&state);
    let lines = terminal.wait_for("config:").contents();
    let no_images = if quadrille::picture::HAS_PIXELS {
        "the terminal reports no protocol"
    } else {
        "this build has no pictures"
    };
    let boards = format!("text: {no_images}");
    for (label, expected) in [
        ("terminal", "Test(1)"),
        ("colors", "true color, theme paper"),
        ("glyphs", "narrow"),
        ("size", "80 x 24 cells, pixels unknown"),
        ("keyboard", "no answer"),
        ("mouse", "SGR, no any motion, no pixels"),
        ("boards", &boards),
        ("state", "~/quadrille"),
        ("config", "~/config/quadrille/config.toml (has errors: quadrille config)"),
    ] {
        assert_eq!(value(&lines, label), expected, "{lines}");
    }
    assert_eq!(terminal.times_written("\x1b[?1049h"), 0);
    // No answer reaches the shell, which echoes its input.
    terminal.keys("next").wait_for("next");
    assert!(!terminal.sees("35;73") && !terminal.sees("62;22"), "{}", terminal.contents());
    terminal.keys("\n");
    assert_eq!(terminal.wait_for_the_end(), 0);
}

#[cfg(unix)]
#[test]
fn health_does_not_wait_for_a_silent_terminal() {
    let (state, _) = with_config("");
    let mut terminal = health(&state);
    terminal.pause(true);
    terminal.wait_until("the end", |terminal| !terminal.is_raw());
    std::thread::sleep(std::time::Duration::from_secs(1));
    terminal.pause(false);
    let lines = terminal.wait_for("config:").contents();
    for label in ["terminal", "keyboard", "mouse"] {
        assert_eq!(value(&lines, label), "no answer", "{lines}");
    }
    terminal.keys("\n");
    assert_eq!(terminal.wait_for_the_end(), 0);
}
