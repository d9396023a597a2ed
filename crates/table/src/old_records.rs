//! Matches against levels that were played before the progress file existed. They are added to it once.

use crate::record_reader::PlayedRecord;
use jiff::Timestamp;
use jiff::civil::Date;
use quadrille_match::session::{Player, Players, Record};
use quadrille_match::store::progress::{Event, Progress};
use quadrille_match::store::{MatchStore, StoreError, StoredFile};
use quadrille_system::calendar;
use std::collections::{BTreeSet, HashSet};

const SEATS: u8 = 8;

/// The [`identity`] of an old match, and its result.
pub type OldResult = (String, Event);

/// Returns the records that may belong to matches against levels.
pub fn old_records(store: &MatchStore, progress: &Progress) -> Vec<StoredFile> {
    if progress.has_old_records() {
        return Vec::new();
    }
    // Records filed after the progress file began are already counted, possibly under a different name.
    let begin = progress.events().iter().map(Event::at).min();
    let mut files = store.records().unwrap_or_default();
    files.retain(|file| begin.is_none_or(|begin| calendar::whole_seconds(file.written) < begin));
    files
}

/// Returns the result of a record if it indicates a person's playing strength.
pub fn result(store: &MatchStore, file: &StoredFile) -> Option<OldResult> {
    let record = store.read(&file.id).ok()?;
    let played = PlayedRecord::of(&record).ok().filter(|played| played.contradiction.is_none())?;
    let PlayedRecord { game, names, .. } = played;
    let player = |name: String| name.parse().unwrap_or_else(|_| Player::person(&name));
    let players = Players::seated(game.seats(), names.into_iter().map(player).collect());
    let written = calendar::whole_seconds(file.written);
    let event = Event::of_record(&game, &players, record.levels()?, &file.id, written)?;
    Some((identity(&record), event))
}

/// Returns the identity of a match. Records with the same identity are copies.
pub fn identity(record: &Record) -> String {
    let seats = (1..=SEATS).map(|seat| format!("Seat{seat}"));
    let tags = ["Setup", "Date"].map(str::to_owned).into_iter().chain(seats);
    let tags: Vec<&str> = tags.map(|tag| record.tag(&tag).unwrap_or_default()).collect();
    format!("{} {tags:?} {}", record.game(), record.moves().join(" "))
}

/// Like [`identity`], but tells apart matches with equal moves and different endings.
pub fn identity_with_ending(record: &Record) -> String {
    let end = record.termination().map(|end| end.to_string());
    format!("{} {end:?}", identity(record))
}

/// Returns a short form of an [`identity_with_ending`], for the progress file.
pub fn fingerprint(identity: &str) -> String {
    format!("{:08x}-{}", crc32fast::hash(identity.as_bytes()), identity.len())
}

/// What identifies a record in the progress file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filed {
    pub fingerprint: String,
    /// The date, such as `2026-11-20`; empty if unknown.
    pub date: String,
}

impl From<&Record> for Filed {
    fn from(record: &Record) -> Filed {
        Filed {
            fingerprint: fingerprint(&identity_with_ending(record)),
            date: record.tag("Date").unwrap_or_default().to_owned(),
        }
    }
}

/// Returns the event with which the user starts over, with the fingerprints of the records that `day` does not leave
/// out. Copies of a record count as one.
pub fn start_over(store: &MatchStore, at: Timestamp, day: Date) -> Result<Event, StoreError> {
    let mut records = BTreeSet::new();
    for file in store.records()? {
        let Ok(record) = store.read(&file.id) else { continue };
        let filed = Filed::from(&record);
        if filed.date.parse::<Date>().is_ok_and(|date| date < day) {
            continue;
        }
        records.insert(filed.fingerprint);
    }
    Ok(Event::StartOver { at, day, records: records.into_iter().collect() })
}

/// Returns the events to add to the progress file: each new result once, and a note that the old records were counted.
/// None if another process has counted them, or the user has started over.
pub fn events(progress: &Progress, results: impl Iterator<Item = OldResult>) -> Vec<Event> {
    if progress.has_old_records() {
        return Vec::new();
    }
    let noted: HashSet<&str> = progress.events().iter().filter_map(Event::match_id).collect();
    let mut known = HashSet::new();
    let results = results.filter_map(|(identity, event)| {
        let is_new = event.match_id().is_none_or(|id| !noted.contains(id));
        (is_new && known.insert(identity)).then_some(event)
    });
    results.chain([Event::RecordsCounted { at: calendar::moment() }]).collect()
}
