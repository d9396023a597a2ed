//! Terminals elsewhere.

#[cfg(target_os = "linux")]
mod link;
#[cfg(target_os = "linux")]
mod lobby;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod sshd;
#[cfg(target_os = "linux")]
mod two_terminals;
