//! The cost of shared tables, measured with the real process: the latency of a move from `propose` on one socket to its
//! `log` line on another, including the write to disk, compared with a bare echo through a socket; and 200 tables with
//! two guests each, one move per second, with the private memory of each table; and the lists of 200 sleeping matches.
//!
//! The variants of one move alternate, so that background load affects all equally.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "measures the machine"
)]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

#[cfg(target_os = "linux")]
#[path = "remote/mod.rs"]
mod remote;

#[cfg(target_os = "linux")]
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == remote::ECHO) {
        remote::echo(&arguments[at + 1]);
    } else if arguments.iter().any(|argument| argument == "turns") {
        remote::turns();
    } else if arguments.iter().any(|argument| argument == "wakes") {
        remote::wakes();
    } else if arguments.iter().any(|argument| argument == "--bench") {
        remote::measure();
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("remote: the memory of a process is read from /proc, which only Linux has");
}
