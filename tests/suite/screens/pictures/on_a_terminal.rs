//! Pictures saved by a key, in a real terminal.

use super::files::RECORD;
use crate::common::program::{BINARY, file};
use crate::common::terminal::Terminal;
use portable_pty::CommandBuilder;
use std::fs;
use std::path::PathBuf;

/// Starts the program with these arguments, and a directory for its pictures.
fn with_pictures_in(folder: &str, arguments: &[&str]) -> Terminal {
    let mut command = CommandBuilder::new(BINARY);
    command.args(arguments);
    command.env("XDG_PICTURES_DIR", folder);
    Terminal::start(command)
}

fn pictures(folder: &std::path::Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

#[test]
fn key_saves_a_picture_each_time() {
    let folder = tempfile::Builder::new().prefix("q").tempdir_in("/tmp").unwrap();
    let name = folder.path().to_str().unwrap();
    let mut terminal = with_pictures_in(name, &["play", "dots-and-boxes", "size=3"]);
    terminal.wait_for("to move").keys("\rp").wait_for("-1.").wait_for("in /tmp/q");
    terminal.wait_for("-1.").keys("p").wait_for("-2.");
    let all = pictures(folder.path());
    assert_eq!(all.len(), 2, "{all:?}");
    let start: &[u8] = if cfg!(feature = "pictures") { b"\x89PNG\r\n" } else { b"<svg " };
    for path in &all {
        assert!(fs::read(path).unwrap().starts_with(start));
        let name = path.file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with("quadrille-dots-and-boxes-20"), "{name}");
    }
    terminal.keys("\x03");
    terminal.wait_for_the_end();
}

#[test]
fn key_saves_a_picture_in_a_replay() {
    let folder = tempfile::Builder::new().prefix("q").tempdir_in("/tmp").unwrap();
    let (_record, path) = file("a.game", RECORD);
    let name = folder.path().to_str().unwrap();
    let mut terminal = with_pictures_in(name, &["replay", path.to_str().unwrap()]);
    terminal.wait_for("move 0 of 7").keys("Gp").wait_for("-1.").wait_for("in /tmp/q");
    assert_eq!(pictures(folder.path()).len(), 1);
    terminal.keys("\x03");
    terminal.wait_for_the_end();
}

/// In `/proc` not even root can create a file.
#[test]
#[cfg(target_os = "linux")]
fn unwritable_pictures_folder_is_reported() {
    let mut terminal = with_pictures_in("/proc", &["play", "tic-tac-toe"]);
    terminal.wait_for("to move").keys("p").wait_for("cannot save a picture in /proc: ");
    assert!(terminal.sees("set XDG_PICTURES_DIR"), "{}", terminal.contents());
    terminal.keys("\x03");
    terminal.wait_for_the_end();
}

#[test]
fn binary_picture_on_a_terminal_is_refused_with_a_fix() {
    let (_folder, path) = file("a.game", RECORD);
    let path = path.to_str().unwrap();
    let mut terminal = Terminal::run(&["show", path, "--format", "png"]);
    terminal.wait_for("add --out FILE.png or > FILE.png");
    assert_eq!(terminal.wait_for_the_end(), 2);
}
