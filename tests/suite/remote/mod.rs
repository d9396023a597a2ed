//! Terminals elsewhere.

#[cfg(target_os = "linux")]
mod sshd;
