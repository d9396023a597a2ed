//! Time, output and memory of the release binary, measured from outside: on a pseudo-terminal of 80 × 24, from the
//! start until it is idle in a match. Another program can be measured for comparison, given the keys that lead into a
//! match:
//!
//! ```text
//! QUADRILLE_PEER="chess-tui" QUADRILLE_PEER_KEYS="enter enter enter" cargo bench --bench terminal
//! ```
//!
//! The programs alternate, so that background load affects all equally. They get an empty home directory, which is
//! removed afterwards.
#![allow(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "measures the machine"
)]
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

#[cfg(target_os = "linux")]
#[path = "terminal/mod.rs"]
mod terminal;

#[cfg(target_os = "linux")]
fn main() {
    // `cargo test --benches` only checks that this starts.
    if std::env::args().any(|argument| argument == "--bench") {
        terminal::compare();
    }
}

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("terminal: what a process uses is read from /proc, which only Linux has");
}
