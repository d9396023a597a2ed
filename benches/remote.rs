//! What a shared table costs, measured with the real process: how long a move takes from `propose` at one socket to its
//! `log` line at another, with the write to disk, beside a bare echo through a socket; and 200 tables with two guests
//! each, a move a second, with the memory of each that it shares with nobody.
//!
//! The ways of one move take turns, so that other load on the machine affects all of them.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

#[cfg(target_os = "linux")]
#[path = "remote/mod.rs"]
mod remote;

#[cfg(target_os = "linux")]
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == remote::ECHO) {
        remote::echo(&arguments[at + 1]);
    } else if arguments.iter().any(|argument| argument == "--bench") {
        remote::measure();
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("remote: the memory of a process is read from /proc, which only Linux has");
}
