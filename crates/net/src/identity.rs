//! What ssh has verified about the person at the other end of a connection.

use super::protocol::ClientMessage;

/// A verified identity. Only a process of the table's own account may state one, before it sends anything that a guest
/// has written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// The name that the host has given to the guest's ssh key.
    pub name: Option<String>,
    /// The guest's public ssh key in base64.
    pub key: Option<String>,
}

impl Identity {
    pub fn is_verified(&self) -> bool {
        *self != Identity::default()
    }

    /// Returns whether both are known to be the same person. Verified names, which may cover several keys, take
    /// precedence over keys.
    pub fn is_same_person(&self, other: &Identity) -> bool {
        match (&self.name, &other.name) {
            (Some(one), Some(other)) => one == other,
            _ => self.key.is_some() && self.key == other.key,
        }
    }

    /// Returns the messages that tell a table this identity.
    pub fn words(&self) -> impl Iterator<Item = ClientMessage> {
        let name = self.name.clone().map(ClientMessage::As);
        name.into_iter().chain(self.key.clone().map(ClientMessage::Key))
    }
}
