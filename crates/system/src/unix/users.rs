//! The users of this machine.

use nix::unistd::{Uid, User};
use rustix::process::{geteuid, getuid};
use std::env;

/// Returns the id of the user whose rights this process has.
pub fn current() -> u32 {
    geteuid().as_raw()
}

/// Returns a user's name, as the system's directory of users has it.
pub fn name(user: u32) -> Option<String> {
    User::from_uid(Uid::from_raw(user)).ok().flatten().map(|user| user.name)
}

/// Returns the login name: from the environment, or else from the system's directory of users.
pub fn login_name() -> Option<String> {
    let set = |variable| env::var(variable).ok().filter(|name| !name.is_empty());
    set("USER").or_else(|| set("LOGNAME")).or_else(|| name(getuid().as_raw()))
}

/// Returns this machine's name in its network.
pub fn machine_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_have_names_unless_they_are_unknown() {
        assert_eq!(name(0).as_deref(), Some("root"));
        assert_eq!(name(u32::MAX - 9), None);
    }
}
