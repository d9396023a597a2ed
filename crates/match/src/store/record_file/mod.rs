//! The record of a running match on disk, which is complete after every move.

mod error;

pub use error::RecordFileError;

use crate::session::{Match, Players, Record, TimeControl};
use error::RecordFileErrorKind;
use quadrille_system::disk::{self, folder};
use quadrille_system::read::{self, Access, Limit};
use std::fs::{self, File, Permissions};
use std::io;
use std::path::{Path, PathBuf};

/// A file that holds the record of a running match.
///
/// Each [`save`](RecordFile::save) replaces the whole file, so the file is a complete record at any moment.
#[derive(Debug)]
pub struct RecordFile {
    /// The path as the user gave it.
    path: PathBuf,
    /// The path after resolving symbolic links.
    target: PathBuf,
    permissions: Permissions,
    record: Record,
    /// The file's contents when we last read or wrote it.
    seen: Vec<u8>,
    /// Whether a write is pending.
    is_behind: bool,
}

/// The data of a record that are not part of the match.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// The names that the user gave to the seats. They override the names in the file.
    pub names: Option<&'a [String]>,
    /// The clock that the user gave. It overrides the clock in the file.
    pub clock: Option<TimeControl>,
    /// The date, such as `2026-11-20`. An existing record keeps its own date.
    pub date: &'a str,
    /// Whether the setup is random. If so, a record with a different setup can be continued if the board text of its
    /// first position is the same; for example, if it has the same number of points.
    pub by_chance: bool,
}

impl RecordFile {
    /// Opens the file for a match at its start. A new file is written at once, to detect an unwritable path before the
    /// match begins.
    ///
    /// An existing record of the same game and setup is continued: its moves are played into the match, and the file
    /// stays unchanged until the next save. Any other file is refused and left alone; in that case the match must be
    /// discarded.
    pub fn open(
        path: &Path,
        terms: Terms,
        game: &mut Match,
    ) -> Result<RecordFile, RecordFileError> {
        Self::try_open(path, terms, game)
            .map_err(|reason| RecordFileError { path: path.to_owned(), reason })
    }

    fn try_open(
        path: &Path,
        terms: Terms,
        game: &mut Match,
    ) -> Result<RecordFile, RecordFileErrorKind> {
        let target = resolve(path)?;
        let names = terms.names.unwrap_or_default();
        let path = path.to_owned();
        match File::create_new(&target) {
            Ok(file) => {
                let permissions = file.metadata()?.permissions();
                // Some systems replace only closed files.
                drop(file);
                let mut record = Record::of(game, names, terms.date);
                record.set_clock(terms.clock);
                let mut file = RecordFile {
                    path,
                    target,
                    permissions,
                    record,
                    seen: Vec::new(),
                    is_behind: false,
                };
                file.write().inspect_err(|_| {
                    // The file was created just now and is still empty.
                    let _ = disk::remove(&file.target);
                })?;
                Ok(file)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let mut there = read::open(&target, Access::Write)?;
                let permissions = there.metadata()?.permissions();
                let seen = read::contents(&mut there, Limit::RECORD)?;
                let mut record = Record::from_bytes(&seen).map_err(RecordFileErrorKind::Record)?;
                continue_from(&record, terms.by_chance, game)?;
                record.name_seats(names);
                record.set_clock(terms.clock);
                disk::can_write_beside(&target)?;
                Ok(RecordFile { path, target, permissions, record, seen, is_behind: false })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound && !folder(&target).exists() => {
                Err(RecordFileErrorKind::NoFolder(folder(&target).to_owned()))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the current state of the match. If writing fails, or if a different program has changed the file, the
    /// file is left unchanged.
    pub fn save(&mut self, game: &Match) -> Result<(), RecordFileError> {
        self.record.update(game);
        self.is_behind = true;
        self.catch_up()
    }

    /// Takes over the names of guests, who join after the start. The next [`save`](RecordFile::save) writes the names.
    pub fn name_persons(&mut self, players: &Players) {
        self.record.name_persons(players);
    }

    /// Retries a failed write.
    pub fn catch_up(&mut self) -> Result<(), RecordFileError> {
        if !self.is_behind {
            return Ok(());
        }
        let saved = match read::holds(&self.target, &self.seen) {
            Ok(false) => Err(RecordFileErrorKind::Changed),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(RecordFileErrorKind::Io(error))
            }
            _ => self.write().map_err(RecordFileErrorKind::Io),
        };
        self.is_behind = saved.is_err();
        saved.map_err(|reason| RecordFileError { path: self.path.clone(), reason })
    }

    pub fn clock(&self) -> Option<TimeControl> {
        self.record.clock()
    }

    /// Returns the names of the first `seats` seats; `None` for each seat without a name.
    pub fn names(&self, seats: u8) -> Vec<Option<String>> {
        self.record.names(seats)
    }

    fn write(&mut self) -> io::Result<()> {
        let bytes = self.record.to_string().into_bytes();
        disk::replace(&self.target, &bytes, Some(self.permissions.clone()))?;
        self.seen = bytes;
        Ok(())
    }
}

/// Resolves symbolic links. The target need not exist.
fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    loop {
        match fs::canonicalize(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_link(&path) {
                // A cycle of links causes an error other than `NotFound`.
                Ok(next) => path = folder(&path).join(next),
                Err(_) => return Ok(path),
            },
            found => return found,
        }
    }
}

/// Plays a record into a match at its start. Refuses a different game or setup.
fn continue_from(
    record: &Record,
    by_chance: bool,
    game: &mut Match,
) -> Result<(), RecordFileErrorKind> {
    if record.game() != game.id() {
        return Err(RecordFileErrorKind::OtherGame {
            theirs: record.game().to_owned(),
            ours: game.id(),
        });
    }
    let (ours, start) = (game.setup(), game.board());
    let setup = record.setup().map_err(RecordFileErrorKind::Setup)?;
    game.reset(&setup).map_err(RecordFileErrorKind::Setup)?;
    let theirs = game.setup();
    if theirs != ours && !(by_chance && game.board() == start) {
        return Err(RecordFileErrorKind::other_setup(&theirs, &ours));
    }
    record.replay(game).map_err(|bad| RecordFileErrorKind::Move(Box::new(bad)))?;
    record.contradiction(game).map_or(Ok(()), |why| Err(RecordFileErrorKind::Contradiction(why)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Match;
    use quadrille_rules::Position;
    use quadrille_rules::dots_and_boxes::DotsAndBoxes;
    use quadrille_rules::join_the_dots::JoinTheDots;
    use tempfile::TempDir;

    const TERMS: Terms = Terms { names: None, clock: None, date: "2026-11-20", by_chance: false };

    fn start<G: Position>(setup: &str) -> Match {
        Match::new(G::from_setup(&setup.parse().unwrap()).unwrap())
    }

    fn refused(path: &Path, game: &mut Match) -> String {
        let before = fs::read(path).ok();
        let error = RecordFile::open(path, TERMS, game).unwrap_err().to_string();
        assert_eq!(fs::read(path).ok(), before, "a refused file is not touched");
        error.replace(&path.display().to_string(), "FILE")
    }

    /// Returns a folder and an unused path in it.
    fn fresh() -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.game");
        (folder, path)
    }

    #[test]
    fn record_file_is_complete_after_every_move() {
        let (folder, path) = fresh();
        let names = ["Ann".to_owned(), "Bob".to_owned()];
        let mut game = start::<DotsAndBoxes>("size=2");
        let mut file =
            RecordFile::open(&path, Terms { names: Some(&names), ..TERMS }, &mut game).unwrap();
        for mv in ["", "H0,0", "V0,0", "H1,0", "V0,1"] {
            if !mv.is_empty() {
                game.play(mv).unwrap();
                file.save(&game).unwrap();
            }
            let expected = Record::of(&game, &names, "2026-11-20").to_string();
            assert_eq!(fs::read_to_string(&path).unwrap(), expected);
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left there");
        }
        game.undo();
        file.save(&game).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("[Result \"*\"]\n\nH0,0 V0,0 H1,0 ( H1,0 V0,1 )\n"), "{text}");
    }

    #[test]
    fn a_record_of_the_same_match_is_continued() {
        let (_folder, path) = fresh();
        let text = "[Game \"dots-and-boxes\"]\n[Event \"Friday\"]\n[Setup \"size=2\"]\n\
                    [Date \"2001-01-01\"]\n[Seat2 \"Eve\"]\n\nH0,0 {good} V0,0\n";
        fs::write(&path, text).unwrap();
        let mut game = start::<DotsAndBoxes>("rows=2 cols=2");
        let mut file = RecordFile::open(&path, TERMS, &mut game).unwrap();
        assert_eq!((game.ply(), file.names(2)), (2, vec![None, Some("Eve".to_owned())]));
        game.play("V0,1").unwrap();
        file.save(&game).unwrap();
        let expected = text
            .replace("size=2", "rows=2 cols=2")
            .replace("\n\nH0,0 {good} V0,0", "\n[Result \"*\"]\n\nH0,0 {good} V0,0 V0,1");
        assert_eq!(fs::read_to_string(&path).unwrap(), expected);

        let names = ["Ann".to_owned(), "Bob".to_owned()];
        let mut game = start::<DotsAndBoxes>("size=2");
        let mut file =
            RecordFile::open(&path, Terms { names: Some(&names), ..TERMS }, &mut game).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), expected, "nothing was played yet");
        let mut other =
            RecordFile::open(&path, TERMS, &mut start::<DotsAndBoxes>("size=2")).unwrap();
        file.save(&game).unwrap();
        let refused = other.save(&game).unwrap_err().to_string();
        assert!(
            refused.ends_with("another program has changed it, so nothing was written"),
            "{refused}"
        );
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains("[Seat2 \"Bob\"]") && text.contains("[Seat1 \"Ann\"]"), "{text}");
        assert!(text.contains("2001-01-01"), "{text}");
    }

    #[test]
    fn failed_save_is_caught_up_later() {
        let (folder, path) = fresh();
        let mut game = start::<DotsAndBoxes>("size=3");
        let mut file = RecordFile::open(&path, TERMS, &mut game).unwrap();
        let away = folder.path().with_extension("away");
        fs::rename(folder.path(), &away).unwrap();
        game.play("H0,0").unwrap();
        assert!(file.save(&game).is_err() && file.catch_up().is_err());
        fs::rename(&away, folder.path()).unwrap();
        file.catch_up().unwrap();
        assert!(fs::read_to_string(&path).unwrap().ends_with("\n\nH0,0\n"));
        fs::remove_file(&path).unwrap();
        file.catch_up().unwrap();
        assert!(!path.exists(), "there is nothing to be written");
    }

    #[test]
    fn record_file_refuses_foreign_files() {
        let (folder, path) = fresh();
        let refuse = |text: &str| {
            fs::write(&path, text).unwrap();
            refused(&path, &mut start::<DotsAndBoxes>("size=3"))
        };
        assert_eq!(refuse("shopping list"), "FILE: not a Quadrille record");
        assert_eq!(refuse(""), "FILE: not a Quadrille record");
        assert_eq!(
            refuse("[Game \"quixo\"][Setup \"\"]"),
            "FILE: it is a record of quixo, not of dots-and-boxes"
        );
        let with = |setup: &str, moves: &str| {
            format!("[Game \"dots-and-boxes\"]\n[Setup \"{setup}\"] {moves}")
        };
        assert_eq!(refuse(&with("rows=3 cols=4", "")), "FILE: its setup is cols=4, not cols=3");
        assert_eq!(
            refuse(&with("size=1", "")),
            "FILE: setup: size=1: must be a whole number from 2 to 64"
        );
        assert_eq!(refuse(&with("size=", "}")), "FILE: line 2: unmatched }");
        assert_eq!(refuse(&with("size=3", "H0,0 H0,0")), "FILE: move 2 \"H0,0\": already drawn");
        let ended = "[Game \"dots-and-boxes\"]\n[Setup \"size=3\"]\n[Result \"3-1\"]\n\nH0,0\n";
        assert_eq!(
            refuse(ended),
            "FILE: the Result tag says \"3-1\", but the match is not over after its moves; correct or remove the tag"
        );
        let mut game = start::<DotsAndBoxes>("size=3");
        let why = if cfg!(windows) { "not a regular file" } else { "directory" };
        assert!(refused(folder.path(), &mut game).contains(why));
        let nowhere = folder.path().join("no/such/a.game");
        assert_eq!(
            refused(&nowhere, &mut game),
            format!(
                "FILE: no folder {}; create it, or choose another folder",
                folder.path().join("no/such").display()
            )
        );
    }

    #[test]
    fn oversized_record_file_is_refused() {
        let (_folder, path) = fresh();
        let mut game = start::<DotsAndBoxes>("size=2");
        File::create(&path).unwrap().set_len(65 << 20).unwrap();
        assert_eq!(refused(&path, &mut game), "FILE: larger than 64 MiB, too large for a record");
    }

    #[cfg(unix)]
    #[test]
    fn irregular_record_file_is_refused() {
        let (_folder, pipe) = fresh();
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
        for path in [&*pipe, Path::new("/dev/zero")] {
            let error = RecordFile::open(path, TERMS, &mut start::<DotsAndBoxes>("size=2"));
            let error = error.unwrap_err().to_string();
            assert_eq!(error, format!("{}: not a regular file", path.display()));
        }
    }

    #[test]
    fn random_points_are_replaced_by_those_of_the_file() {
        let (_folder, path) = fresh();
        let mut first = start::<JoinTheDots>("layout=random:6 seed=5");
        RecordFile::open(&path, TERMS, &mut first).unwrap();
        let open = |setup: &str, by_chance: bool| {
            let mut game = start::<JoinTheDots>(setup);
            RecordFile::open(&path, Terms { by_chance, ..TERMS }, &mut game).map(|_| game.setup())
        };
        assert_eq!(open("layout=random:6 seed=6", true).unwrap(), first.setup());
        assert_eq!(open("layout=random:6 seed=5", false).unwrap(), first.setup());
        let error = open("layout=random:6 seed=6", false).unwrap_err().to_string();
        assert!(error.contains("its setup is points=0."), "{error}");
        assert!(open("layout=random:7 seed=5", true).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn record_file_follows_and_keeps_links() {
        let (folder, path) = fresh();
        let link = folder.path().join("link.game");
        std::os::unix::fs::symlink("a.game", &link).unwrap();
        let mut game = start::<DotsAndBoxes>("size=2");
        let mut file = RecordFile::open(&link, TERMS, &mut game).unwrap();
        game.play("H0,0").unwrap();
        file.save(&game).unwrap();
        let mut again = start::<DotsAndBoxes>("size=2");
        RecordFile::open(&link, TERMS, &mut again).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(fs::symlink_metadata(&path).unwrap().is_file());
        assert_eq!(again.ply(), 1);

        let round = folder.path().join("round.game");
        std::os::unix::fs::symlink("round.game", &round).unwrap();
        RecordFile::open(&round, TERMS, &mut again).unwrap_err();
    }

    #[cfg(unix)]
    #[test]
    fn record_file_keeps_its_permissions() {
        use std::os::unix::fs::PermissionsExt;
        let (folder, path) = fresh();
        let plain = folder.path().join("plain");
        fs::write(&plain, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        let mut game = start::<DotsAndBoxes>("size=2");
        RecordFile::open(&path, TERMS, &mut game).unwrap();
        assert_eq!(mode(&path), mode(&plain));
        fs::set_permissions(&path, Permissions::from_mode(0o604)).unwrap();
        RecordFile::open(&path, TERMS, &mut game).unwrap().save(&game).unwrap();
        assert_eq!(mode(&path) & 0o777, 0o604);
    }

    #[cfg(unix)]
    #[test]
    fn unwritable_record_file_is_refused_before_the_match() {
        use std::os::unix::fs::PermissionsExt;
        let (folder, path) = fresh();
        let mut game = start::<DotsAndBoxes>("size=2");
        RecordFile::open(&path, TERMS, &mut game).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
        fs::set_permissions(folder.path(), Permissions::from_mode(0o555)).unwrap();
        if File::create(folder.path().join("probe")).is_ok() {
            return; // Root may write anywhere, so nothing is refused.
        }
        assert!(refused(&path, &mut game).starts_with("FILE: Permission denied"));
        let new = folder.path().join("b.game");
        assert!(refused(&new, &mut game).starts_with("FILE: Permission denied"));
        fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
        assert!(refused(&path, &mut game).starts_with("FILE: Permission denied"));
    }

    /// A file that replaces the record during the match must meet the same conditions as at the start.
    #[cfg(unix)]
    #[test]
    fn replaced_irregular_file_is_not_read_or_overwritten() {
        use rustix::fs::{CWD, Mode, mkfifoat};
        let (folder, path) = fresh();
        let mut game = start::<DotsAndBoxes>("size=2");
        let mut file = RecordFile::open(&path, TERMS, &mut game).unwrap();
        let pipe = || mkfifoat(CWD, &path, Mode::RWXU).unwrap();
        let link = |to: &str| std::os::unix::fs::symlink(to, &path).unwrap();
        let cases: [&dyn Fn(); 4] = [&pipe, &|| link("/dev/zero"), &|| link("/dev/full"), &|| {
            fs::create_dir(&path).unwrap();
        }];
        for replace in cases {
            fs::rename(&path, folder.path().join("away")).unwrap();
            replace();
            let kind = fs::symlink_metadata(&path).unwrap().file_type();
            let error = file.save(&game).unwrap_err().to_string();
            assert!(error.ends_with("a.game: not a regular file"), "{error}");
            assert_eq!(fs::symlink_metadata(&path).unwrap().file_type(), kind);
            if kind.is_dir() { fs::remove_dir(&path) } else { fs::remove_file(&path) }.unwrap();
            fs::rename(folder.path().join("away"), &path).unwrap();
            file.save(&game).unwrap();
        }
        // Nothing is read beyond the expected length.
        let large = File::options().write(true).open(&path).unwrap();
        large.set_len(1 << 40).unwrap();
        assert!(file.save(&game).unwrap_err().to_string().contains("another program"));
    }

    #[test]
    fn failed_save_reports_the_path() {
        let (folder, path) = fresh();
        let mut game = start::<DotsAndBoxes>("size=2");
        let mut file = RecordFile::open(&path, TERMS, &mut game).unwrap();
        drop(folder);
        let error = file.save(&game).unwrap_err().to_string();
        assert!(error.starts_with(&format!("{}: ", path.display())), "{error}");
    }
}
