//! Reads the matches with days per move of this account from their journals and seatings.
//!
//! Reading writes and locks nothing, starts no process, and neither wakes nor asks a table: a table writes both files
//! before it tells any terminal what they say.

use super::agenda::{AgendaMatch, MAX_MATCHES, Viewer};
use super::seating::Seating;
use super::seating_file::{self, SavedSeating};
use jiff::Timestamp;
use quadrille_match::session::Session;
use quadrille_table::match_saver::view_with_days;

/// The matches of this account, and why some could not be read.
#[derive(Debug, Default)]
pub struct Agenda {
    pub matches: Vec<AgendaMatch>,
    pub errors: Vec<String>,
}

impl Agenda {
    /// Reads what this account's owner sees as the host at this moment.
    pub fn of_host(now: Timestamp) -> Agenda {
        Agenda::read(now, |session, _| Viewer::host(session))
    }

    /// Returns whether this account has as many unfinished matches as it may have.
    pub(super) fn has_no_room() -> bool {
        let is_unfinished = |one: &&AgendaMatch| !one.is_over;
        let matches = Agenda::of_host(Timestamp::UNIX_EPOCH).matches;
        matches.iter().filter(is_unfinished).count() >= MAX_MATCHES
    }

    pub(super) fn read(now: Timestamp, viewer: impl Fn(&Session, &Seating) -> Viewer) -> Agenda {
        let (all, mut errors) = seating_file::try_everywhere();
        let mut matches = Vec::new();
        for SavedSeating { state, journal, seating, .. } in all {
            match view_with_days(&state, &journal) {
                Ok(Some(session)) => {
                    let viewer = viewer(&session, &seating);
                    matches.push(AgendaMatch::of(&session, &seating, &journal, viewer, now));
                }
                Ok(None) => {}
                Err(why) => errors.push(why.to_string()),
            }
        }
        Agenda { matches, errors }
    }
}
