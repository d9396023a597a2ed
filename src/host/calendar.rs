//! The day and the time of day where the user is. Everything else that needs them asks here.

use crate::store::progress;
use crate::store::read::{self, Limit};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::SystemTime;

/// More bytes than the file of any time zone has.
const LARGEST: u64 = 1 << 20;

/// The time zone where `TZ` names none.
const LOCAL: &str = "/etc/localtime";

/// Today, as `2026-11-20`.
pub fn today() -> String {
    now().date().to_string()
}

/// The present moment.
pub fn now() -> Zoned {
    at(SystemTime::now(), zone(env::var_os("TZ").as_deref()))
}

/// The present moment, as the list of progress has it.
pub fn moment() -> Timestamp {
    progress::moment(SystemTime::now())
}

/// A moment in a time zone. One beyond the calendar, which ends with the year 9999, becomes its end.
pub fn at(moment: SystemTime, zone: TimeZone) -> Zoned {
    let end = if moment < SystemTime::UNIX_EPOCH { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::try_from(moment).unwrap_or(end).to_zoned(zone)
}

/// The time zone of the system. `name` is what `TZ` has. It may be the path of a file, and what is no regular file, or
/// is too large to be a time zone, is not read.
fn zone(name: Option<&OsStr>) -> TimeZone {
    let Some(name) = name.map(OsStrExt::as_bytes) else {
        // `TimeZone::system` would list all time zones there are, to find the name of this one.
        let bytes = read::regular(Path::new(LOCAL), Limit::TIME_ZONE).unwrap_or_default();
        return TimeZone::tzif("local", &bytes).unwrap_or_else(|_| TimeZone::system());
    };
    let path = name.strip_prefix(b":").unwrap_or(name);
    let is_readable = fs::metadata(Path::new(OsStr::from_bytes(path)))
        .map_or(true, |there| there.is_dir() || there.is_file() && there.len() <= LARGEST);
    if is_readable { TimeZone::system() } else { TimeZone::UTC }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn every_moment_of_every_clock_has_a_day() {
        let after = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let before = |seconds| SystemTime::UNIX_EPOCH - Duration::from_secs(seconds);
        let west = TimeZone::fixed(jiff::tz::offset(-12));
        let east = TimeZone::fixed(jiff::tz::offset(14));
        for zone in [TimeZone::UTC, west, east] {
            // The last moment of 9999 and later, up to the largest number of seconds that a clock can have.
            for late in [253_402_300_799, 253_402_300_800, 1 << 40, i64::MAX as u64] {
                let day = at(after(late), zone.clone()).date();
                assert!(day.year() >= 9999 && day.month() == 12 && day.day() >= 30, "{day}");
            }
            for early in [1 << 40, i64::MAX as u64] {
                assert!(at(before(early), zone.clone()).date().year() <= -9998);
            }
        }
        let day = at(after(1_795_000_000), TimeZone::UTC).date();
        assert_eq!(day.to_string(), "2026-11-18");
    }

    #[test]
    fn without_a_name_it_is_the_time_zone_of_the_machine() {
        let moment = SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_000_000);
        if env::var_os("TZ").is_none() {
            let ours = at(moment, zone(None));
            assert_eq!(ours.datetime(), at(moment, TimeZone::system()).datetime());
        }
    }

    #[test]
    fn a_time_zone_that_is_no_regular_file_is_utc() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
        let large = folder.path().join("large");
        fs::File::create(&large).unwrap().set_len(LARGEST + 1).unwrap();
        let colon = format!(":{}", pipe.display());
        for name in ["/dev/zero".as_ref(), pipe.as_os_str(), large.as_os_str(), colon.as_ref()] {
            assert_eq!(zone(Some(name)), TimeZone::UTC);
        }
    }
}
