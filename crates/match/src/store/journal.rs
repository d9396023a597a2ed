//! The journal of a match, which is on disk before the next move is made.

use super::error::{StoreError, StoreErrorKind};
use super::file_names::{candidates, new_name};
use super::journal_text::{FORMAT, Head, JournalMark, JournalText, Version};
use super::lock::open_locked;
use crate::session::{LoggedStep, Record, Session};
use quadrille_system::disk;
use quadrille_system::files::create_private_folder;
use quadrille_system::locked_file::{LockMode, LockedFile};
use quadrille_system::read::{self, Limit};
use std::io::{self, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The journal of a running match. Its file stays locked until this value is dropped or the process ends.
///
/// A match without moves has no file, except with days per move, where players come before the first move.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: Option<LockedFile>,
    head: Head,
    /// The number of written steps, and the end of the last one in the file.
    written: usize,
    end: JournalMark,
    /// The id of the journal's session, once known; see [`Session::id`].
    session: Option<u64>,
    /// The parsed text, until it has been replayed.
    text: Option<JournalText>,
    /// Whether an older version wrote the file. If so, it is rewritten before anything is appended.
    is_old: bool,
    /// Whether the file contains damage after `end`, which is backed up before the next write.
    is_damaged: bool,
}

pub(super) const EXTENSION: &str = "journal";

impl Journal {
    pub(super) fn begin(folder: &Path, session: &Session, date: &str) -> Journal {
        let head = Head::of(session, date);
        let (_, end) = JournalText::begin(&head);
        Journal {
            path: folder.join(format!("{}.{EXTENSION}", new_name(&head))),
            file: None,
            head,
            written: 0,
            end,
            session: Some(session.id()),
            text: None,
            is_old: false,
            is_damaged: false,
        }
    }

    /// Opens an existing journal. The first write happens in [`record`](Journal::record).
    pub(super) fn open(path: &Path, mode: LockMode) -> Result<Journal, StoreError> {
        Self::try_open(path, mode).map_err(|reason| reason.at(path))
    }

    fn try_open(path: &Path, mode: LockMode) -> Result<Journal, StoreErrorKind> {
        let mut file = open_locked(path, mode)?;
        let bytes = read::contents(&mut file, Limit::JOURNAL)?;
        let text = JournalText::read(&bytes)?;
        Ok(Journal {
            path: path.to_owned(),
            file: Some(file),
            head: text.head.clone(),
            written: text.steps.len(),
            end: text.end,
            session: None,
            is_old: text.version != Version::Present,
            is_damaged: text.damage.is_some(),
            text: Some(text),
        })
    }

    /// Returns whether a file that begins with these bytes is a journal of any version.
    pub fn looks_like(bytes: &[u8]) -> bool {
        bytes.starts_with(FORMAT.as_bytes())
    }

    /// Returns the match's name in the store.
    pub fn id(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Returns the version of the levels with which the match began.
    pub(super) fn levels(&self) -> u32 {
        self.head.levels.unwrap_or(1)
    }

    /// Returns the record that the match of this session becomes.
    pub fn to_record(&self, session: &Session) -> Record {
        let Head { names, date, .. } = &self.head;
        let mut record = session.record(names, date);
        if record.levels() != Some(self.levels()) {
            record.set_levels(self.levels());
        }
        record
    }

    /// Replays all steps of the journal into a session at its start, and links the journal to that session.
    ///
    /// If the journal is damaged, the error describes the loss. All steps before the damage are replayed, and the match
    /// can continue from there.
    pub fn replay(&mut self, session: &mut Session) -> Result<(), StoreError> {
        let Some(mut text) = self.text.take() else { return Ok(()) };
        text.replay(session);
        (self.written, self.end) = (text.steps.len(), text.end);
        self.session = text.head.is_of(session.current_match()).then(|| session.id());
        match text.damage {
            None => Ok(()),
            Some(damage) => {
                self.is_damaged = true;
                Err(StoreErrorKind::Damage(damage).at(&self.path))
            }
        }
    }

    /// Writes the steps taken since the last call. On success, the steps survive the end of the process and a power
    /// loss.
    ///
    /// After an error, all steps written earlier are still on disk, and the next call retries the rest. The file is
    /// rewritten if it was removed, or if a player at a table with guests has a new name.
    pub fn record(&mut self, session: &Session) -> Result<(), StoreError> {
        self.try_record(session).map_err(|reason| reason.at(&self.path))
    }

    fn try_record(&mut self, session: &Session) -> Result<(), StoreErrorKind> {
        self.keep_in_place()?;
        if !self.is_of(session) {
            return Err(StoreErrorKind::OtherMatch);
        }
        let steps = &session.log()[self.written..];
        let head = self.head.with_names_of(session);
        let has_other_head = self.file.is_some() && head.is_some();
        let is_awaited = self.file.is_none() && session.days().is_some();
        if steps.is_empty() && !has_other_head && !is_awaited {
            return Ok(());
        }
        self.back_up_damage()?;
        if self.file.is_none() || self.is_old || has_other_head {
            self.write_anew(head.unwrap_or_else(|| self.head.clone()), session.log())?;
        } else {
            let (text, end) = self.end.with_steps(steps);
            if let Some(file) = &mut self.file {
                disk::append(file, self.end.at, text.as_bytes())?;
            }
            self.end = end;
        }
        self.written = session.log().len();
        Ok(())
    }

    /// Returns whether this is the journal of the given session, so that [`record`](Journal::record) can update it.
    pub fn is_of(&mut self, session: &Session) -> bool {
        if let Some(text) = &self.text
            && text.head.is_of(session.current_match())
            && text.is_start_of(session.log())
        {
            (self.session, self.text) = (Some(session.id()), None);
        }
        self.session == Some(session.id())
    }

    /// Restores the file at its path if the file was removed.
    pub fn put_back(&mut self) -> Result<(), StoreError> {
        self.keep_in_place().map_err(|reason| reason.at(&self.path))
    }

    /// Writes the file's bytes again if the file was removed while open.
    fn keep_in_place(&mut self) -> Result<(), StoreErrorKind> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let there = file.metadata()?;
        match disk::is_at(file, &self.path) {
            // Only a regular file has a length.
            Ok(true) if there.is_file() && there.len() < self.end.at => {
                Err(StoreErrorKind::Shortened)
            }
            Ok(true) => Ok(()),
            Ok(false) => Err(StoreErrorKind::Replaced),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                file.seek(SeekFrom::Start(0))?;
                let bytes = read::contents(file, Limit::JOURNAL)?;
                create_private_folder(disk::folder(&self.path))?;
                *file = disk::create_locked(&self.path, &bytes)?;
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the whole file, replacing a journal of an older version or with a different head. If the name of a new
    /// journal is taken, a different name is chosen.
    fn write_anew(&mut self, head: Head, log: &[LoggedStep]) -> io::Result<()> {
        let (mut text, start) = JournalText::begin(&head);
        let (steps, end) = start.with_steps(log);
        text.push_str(&steps);
        let bytes = text.as_bytes();
        match &mut self.file {
            Some(file) => disk::replace_locked(file, &self.path, bytes)?,
            None => loop {
                match disk::create_locked(&self.path, bytes) {
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                        let name = format!("{}.{EXTENSION}", new_name(&self.head));
                        self.path.set_file_name(name);
                    }
                    made => break self.file = Some(made?),
                }
            },
        }
        (self.head, self.end, self.is_old) = (head, end, false);
        Ok(())
    }

    /// Copies a damaged journal to a backup beside it.
    fn back_up_damage(&mut self) -> io::Result<()> {
        let Some(file) = self.file.as_mut().filter(|_| self.is_damaged) else {
            return Ok(());
        };
        file.seek(SeekFrom::Start(0))?;
        let bytes = read::contents(file, Limit::JOURNAL)?;
        let folder = disk::folder(&self.path);
        disk::create_somewhere(folder, candidates(&self.id(), "damaged"), &bytes)?;
        self.is_damaged = false;
        Ok(())
    }

    /// Removes the journal. A damaged journal is backed up first.
    pub(super) fn remove(mut self) -> Result<(), StoreError> {
        let removed = match self.file {
            None => Ok(()),
            Some(_) => self.back_up_damage().and_then(|()| disk::remove(&self.path)),
        };
        removed.map_err(|error| StoreErrorKind::from(error).at(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Actor, Conditions, Match, Session, Step};
    use quadrille_rules::Setup;
    use quadrille_rules::dots_and_boxes::DotsAndBoxes;
    use std::fs;
    use std::time::Duration;

    const DATE: &str = "2026-11-20";

    fn session(size: u8) -> Session {
        Session::new(
            Match::new(DotsAndBoxes::square(size).unwrap()),
            Setup::new(),
            Conditions::default(),
        )
    }

    fn take(session: &mut Session, step: Step) {
        let by = step.infer_actor(session.current_match().to_move());
        session.apply(by, step, Duration::ZERO).unwrap();
    }

    /// Plays any legal move.
    fn play(session: &mut Session) {
        let mv = session.current_match().legal_moves().remove(0);
        take(session, Step::Play(mv));
    }

    fn begin(folder: &Path, session: &Session) -> Journal {
        Journal::begin(folder, session, DATE)
    }

    /// Replays a journal that must not be damaged.
    fn again(path: &Path) -> Session {
        let mut text = JournalText::read(&fs::read(path).unwrap()).unwrap();
        let mut session = session(3);
        text.replay(&mut session);
        assert_eq!(text.damage, None);
        session
    }

    // Windows does not let others remove an open file.
    #[cfg(unix)]
    #[test]
    fn removed_journal_is_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let matches = folder.path().join("matches");
        let mut game = session(3);
        let mut journal = begin(&matches, &game);
        assert!(
            journal.record(&game).is_ok() && journal.put_back().is_ok(),
            "there is no file yet"
        );
        create_private_folder(&matches).unwrap();
        for remove in [0, 1, 2] {
            play(&mut game);
            journal.record(&game).unwrap();
            match remove {
                0 => fs::remove_file(&journal.path).unwrap(),
                _ => fs::remove_dir_all(&matches).unwrap(),
            }
            if remove < 2 {
                play(&mut game);
            }
            journal.record(&game).unwrap();
            assert_eq!(again(&journal.path).log(), game.log());
            let other = Journal::open(&journal.path, LockMode::Exclusive).unwrap_err();
            assert!(other.is_in_use(), "the new file is locked");
        }
        // A file created there by a different program stays untouched.
        fs::write(matches.join("new"), "theirs").unwrap();
        fs::rename(matches.join("new"), &journal.path).unwrap();
        let error = journal.record(&game).unwrap_err();
        assert!(error.is_replaced(), "{error}");
        assert_eq!(fs::read(&journal.path).unwrap(), b"theirs");
    }

    #[test]
    fn journal_avoids_an_existing_file() {
        let folder = tempfile::tempdir().unwrap();
        let mut game = session(2);
        let mut journal = begin(folder.path(), &game);
        let taken = journal.path.clone();
        fs::write(&taken, "taken").unwrap();
        play(&mut game);
        journal.record(&game).unwrap();
        assert_eq!(fs::read(&taken).unwrap(), b"taken");
        assert!(journal.path != taken && journal.path.exists());
    }

    /// Writes go to `/dev/full`, which acts like a full disk, or to `/dev/null`, which cannot be synced.
    #[cfg(target_os = "linux")]
    #[test]
    fn next_write_repairs_a_failed_write() {
        let folder = tempfile::tempdir().unwrap();
        let mut game = session(3);
        let mut journal = begin(folder.path(), &game);
        play(&mut game);
        journal.record(&game).unwrap();
        let path = journal.path.clone();
        let whole = fs::read(&path).unwrap();
        for (device, why, back) in [
            ("/dev/full", "no space left on device", false),
            ("/dev/full", "no space left on device", true),
            ("/dev/null", "invalid argument", false),
        ] {
            let full = fs::File::options().write(true).open(device).unwrap();
            let file = journal
                .file
                .replace(LockedFile::lock(full, &journal.path, LockMode::Shared).unwrap());
            journal.path = device.into();
            play(&mut game);
            let error = journal.record(&game).unwrap_err().to_string();
            assert_eq!(error, format!("{device}: {why}"));
            // Some bytes of the step were written before the error.
            fs::write(&path, [&fs::read(&path).unwrap()[..], b"0123abcd pl"].concat()).unwrap();
            (journal.file, journal.path) = (file, path.clone());
            if back {
                // Take back the move that was not written. Then both steps are written: the move and the undo.
                let node = game.current_match().node() - 1;
                take(&mut game, Step::GoTo(node));
            }
            journal.record(&game).unwrap();
            assert_eq!(again(&path).log(), game.log());
            assert!(fs::read(&path).unwrap().starts_with(&whole));
        }
    }

    /// Earlier steps are read, and the first new step rewrites the file in the current format.
    #[test]
    fn version_1_journal_continues_as_the_current_version() {
        let old = "quadrille-journal 1\n9ecba44b game dots-and-boxes\n017a78b6 setup rows=3 cols=3\n\
                   0c784b3a words size=3\n93f8f85c date 2026-11-20\n8a640fb1 name Ann\n\
                   42a8eb16 name Bob\nfb4d803c play H0,0\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("old.journal");
        for damage in ["", "0123abcd pl"] {
            fs::write(&path, format!("{old}{damage}")).unwrap();
            let mut game = session(3);
            let mut journal = Journal::open(&path, LockMode::Exclusive).unwrap();
            assert_eq!(journal.replay(&mut game).is_err(), !damage.is_empty());
            journal.record(&game).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), format!("{old}{damage}"), "nothing new");
            for _ in 0..2 {
                play(&mut game);
                journal.record(&game).unwrap();
                assert_eq!(again(&path).log(), game.log());
                let other = Journal::open(&path, LockMode::Exclusive).unwrap_err();
                assert!(other.is_in_use(), "the new file is locked");
            }
            assert!(fs::read_to_string(&path).unwrap().starts_with("quadrille-journal 3\n"));
            drop(journal);
            assert_eq!(again(&path).log()[0].by, Actor::Seat(quadrille_rules::Seat::FIRST));
        }
        let kept = fs::read_to_string(folder.path().join("old.damaged")).unwrap();
        assert_eq!(kept, format!("{old}0123abcd pl"));
    }

    /// The new file replaces the old one atomically, so a process killed at any moment leaves one of the two files.
    #[test]
    fn naming_a_guest_replaces_the_whole_journal() {
        let seat = quadrille_rules::Seat::new(1);
        let folder = tempfile::tempdir().unwrap();
        let players = ["Ann", "guest,hints"].map(|text| text.parse().unwrap()).to_vec();
        let new = || {
            let start = Match::new(DotsAndBoxes::square(3).unwrap());
            Session::new(start, Setup::new(), Conditions::from(players.clone()))
        };
        let mut game = new();
        let mut journal = begin(folder.path(), &game);
        game.name_person(seat, "Eve");
        journal.record(&game).unwrap();
        assert!(!journal.path.exists(), "nothing has happened yet");
        play(&mut game);
        journal.record(&game).unwrap();
        // A hard link keeps the old file accessible.
        let old = folder.path().join("old");
        fs::hard_link(&journal.path, &old).unwrap();
        let before = fs::read_to_string(&old).unwrap();
        assert!(before.contains(" name guest,hints:Eve\n"), "{before}");
        for (name, steps) in [("Bob", 0), ("Cy", 1), ("Cy", 1)] {
            game.name_person(seat, name);
            (0..steps).for_each(|_| play(&mut game));
            journal.record(&game).unwrap();
            assert_eq!(fs::read_to_string(&old).unwrap(), before, "nothing is written into it");
            assert_eq!(again(&journal.path).log(), game.log());
            let other = Journal::open(&journal.path, LockMode::Exclusive).unwrap_err();
            assert!(other.is_in_use(), "the new file is locked");
            let mut files = fs::read_dir(&folder).unwrap();
            assert!(!files.any(|file| disk::is_draft(&file.unwrap().path())), "a draft is left");
        }
        let path = journal.path.clone();
        drop(journal);
        let mut journal = Journal::open(&path, LockMode::Exclusive).unwrap();
        assert_eq!(journal.head().conditions(), game.conditions());
        assert!(journal.is_of(&game));
        game.name_person(quadrille_rules::Seat::FIRST, "Ada");
        journal.record(&game).unwrap();
        drop(journal);
        let journal = Journal::open(&path, LockMode::Exclusive).unwrap();
        assert_eq!(journal.head().names, ["Ada", "guest,hints:Cy"]);
    }

    #[test]
    fn journal_matches_only_a_session_with_its_steps() {
        let folder = tempfile::tempdir().unwrap();
        let mut game = session(3);
        play(&mut game);
        let mut journal = begin(folder.path(), &game);
        journal.record(&game).unwrap();
        let path = journal.path.clone();
        drop(journal);
        play(&mut game);
        let mut other = session(3);
        take(&mut other, Step::Play("V0,0".to_owned()));
        let mut journal = Journal::open(&path, LockMode::Exclusive).unwrap();
        let refused = journal.record(&other).unwrap_err().to_string();
        assert!(refused.ends_with(": the journal of another match"), "{refused}");
        journal.record(&game).unwrap();
        assert!(!journal.is_of(&other));
        assert_eq!(again(&path).log(), game.log());
    }
}
