//! Provides the local date and time to all other modules.

use crate::read::{self, Limit};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// The time zone file to use if `TZ` is not set.
const LOCAL: &str = "/etc/localtime";

/// Returns the local date, such as `2026-11-20`.
pub fn today() -> String {
    now().date().to_string()
}

pub fn now() -> Zoned {
    at(SystemTime::now(), zone(env::var_os("TZ").as_deref()))
}

/// Returns the current time in whole seconds.
pub fn moment() -> Timestamp {
    whole_seconds(SystemTime::now())
}

/// Truncates a time to whole seconds, the resolution of stored times. A time outside the range of [`Timestamp`] is
/// clamped.
pub fn whole_seconds(time: SystemTime) -> Timestamp {
    let moment = clamped(time);
    Timestamp::from_second(moment.as_second()).unwrap_or(moment)
}

fn clamped(time: SystemTime) -> Timestamp {
    let end = if time < SystemTime::UNIX_EPOCH { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::try_from(time).unwrap_or(end)
}

/// Converts a time to a time zone. Times after the year 9999, where the calendar ends, become the end of that year.
pub fn at(moment: SystemTime, zone: TimeZone) -> Zoned {
    clamped(moment).to_zoned(zone)
}

/// Returns the system's time zone. `name` is the value of `TZ`, which may be a path. Irregular files and files too
/// large for a time zone are not read.
fn zone(name: Option<&OsStr>) -> TimeZone {
    let Some(name) = name else {
        // `TimeZone::system` would list all time zones to find the name of this one.
        return in_file(Path::new(LOCAL)).unwrap_or_else(TimeZone::system);
    };
    let path = name.to_str().and_then(|name| name.strip_prefix(':'));
    let path = path.map_or(Path::new(name), Path::new);
    let is_file = fs::metadata(path).is_ok_and(|there| !there.is_dir());
    let is_readable = !is_file || read::regular(path, Limit::TIME_ZONE).is_ok();
    if is_readable { TimeZone::system() } else { TimeZone::UTC }
}

fn in_file(path: &Path) -> Option<TimeZone> {
    TimeZone::tzif("local", &read::regular(path, Limit::TIME_ZONE).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    // Windows cannot represent such times.
    #[cfg(unix)]
    #[test]
    fn calendar_handles_every_moment() {
        let after = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        let before = |seconds| SystemTime::UNIX_EPOCH - Duration::from_secs(seconds);
        let west = TimeZone::fixed(jiff::tz::offset(-12));
        let east = TimeZone::fixed(jiff::tz::offset(14));
        for zone in [TimeZone::UTC, west, east] {
            // The last second of 9999 and later times, up to the largest number of seconds that a clock can hold.
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
    fn a_time_zone_is_read_from_its_file() {
        // The format of RFC 9636: a header and the only local time type, twice, followed by the rule for all years.
        let part = |ends: [u8; 6]| {
            let counts = ends.map(|count| u32::from(count).to_be_bytes()).concat();
            [b"TZif2", &[0; 15][..], &counts, &18_000_i32.to_be_bytes(), &[0, 0], b"+05\0"].concat()
        };
        let body = part([0, 0, 0, 0, 1, 4]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("zone");
        fs::write(&path, [&body[..], &body, b"\n<+05>-5\n"].concat()).unwrap();
        let noon = SystemTime::UNIX_EPOCH + Duration::from_secs(12 * 3600);
        assert_eq!(at(noon, in_file(&path).unwrap()).hour(), 17);
        fs::write(&path, "no time zone").unwrap();
        assert_eq!(in_file(&path), None);
        assert_eq!(in_file(folder.path()), None);
    }

    #[cfg(unix)]
    #[test]
    fn irregular_time_zone_file_falls_back_to_utc() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
        let large = folder.path().join("large");
        fs::File::create(&large).unwrap().set_len((1 << 20) + 1).unwrap();
        let colon = format!(":{}", pipe.display());
        for name in ["/dev/zero".as_ref(), pipe.as_os_str(), large.as_os_str(), colon.as_ref()] {
            assert_eq!(zone(Some(name)), TimeZone::UTC);
        }
    }
}
