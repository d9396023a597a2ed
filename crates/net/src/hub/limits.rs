//! Limits on connections. A new connection replaces an old one without a seat, so idle connections cannot keep the host
//! or the players out.

use super::person::Origin;
use super::{Hub, Person, PersonId, ServerMessage, refused};

/// The maximum number of connections without a `hello`.
pub(super) const MAX_NEW: usize = 32;
/// The maximum number of connections per vouched name or other user, including seated ones.
pub(super) const MAX_PER_ORIGIN: usize = 4;

impl Hub {
    /// Makes room for this connection by dropping the oldest connection without a `hello`: from the same name or user
    /// if that is over its limit, otherwise from the origin with the most connections.
    pub(super) fn limit_connections(&mut self, who: PersonId) {
        let Some(origin) = self.person(who).map(Person::origin) else { return };
        let open: Vec<&Person> = self.people.iter().filter(|person| !person.is_dropped()).collect();
        let new: Vec<&Person> = open.iter().copied().filter(|person| person.is_new()).collect();
        let count = |people: &[&Person], origin: &Origin| {
            people.iter().filter(|person| person.origin().is_same(origin)).count()
        };
        let crowd = if origin.is_limited() && count(&open, &origin) > MAX_PER_ORIGIN {
            Some(origin)
        } else if new.len() > MAX_NEW {
            // If several origins tie, choose the one with the oldest connection.
            let origins = new.iter().rev().map(|person| person.origin());
            origins.max_by_key(|origin| count(&new, origin))
        } else {
            None
        };
        let is_of_crowd =
            |person: &&&Person| crowd.as_ref().is_some_and(|crowd| person.origin().is_same(crowd));
        let oldest = new.iter().find(is_of_crowd);
        let oldest = oldest.map(|person| (person.id, person.has_greeted));
        // Each of these messages makes a reconnecting terminal give up.
        match oldest {
            Some((oldest, true)) => {
                let why = "too many connections without a greeting";
                self.drop_with(oldest, &refused(0, why));
            }
            Some((oldest, false)) => self.drop_with(oldest, &ServerMessage::Full),
            None => {}
        }
    }
}
