//! The user of this machine. Users have no numbers here, so all have the same one.

use std::env;

/// Returns the number of the user.
pub fn current() -> u32 {
    0
}

/// Returns a user's name.
pub fn name(_user: u32) -> Option<String> {
    login_name()
}

/// Returns the login name.
pub fn login_name() -> Option<String> {
    set("USERNAME")
}

/// Returns this machine's name.
pub fn machine_name() -> String {
    set("COMPUTERNAME").unwrap_or_else(|| "localhost".to_owned())
}

fn set(variable: &str) -> Option<String> {
    env::var(variable).ok().filter(|name| !name.is_empty())
}
