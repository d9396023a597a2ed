//! Atomic file writes: each file is written as a temporary file in the same folder and then renamed.
//!
//! The temporary file, or draft, is named after its target and locked while it is written. An unlocked draft was left
//! behind by a killed process; the next process that writes the target reuses the name, so at most one draft per target
//! is left behind. If two processes write the same target at once, the second waits.

use crate::files::{self, FileId};
use crate::lock;
use crate::locked_file::{Lock, LockMode, LockedFile};
use crate::read::{self, Access};
use std::ffi::OsString;
use std::fs::{self, File, Permissions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
use tempfile::{NamedTempFile, PersistError};

/// Writes a file, replacing any existing file. Without `permissions`, only the user may read the file.
pub fn replace(path: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    let draft = draft(path, bytes, PRIVATE)?;
    if let Some(permissions) = permissions {
        draft.as_file().set_permissions(permissions)?;
    }
    publish(draft, path, Durability::Synced).map(drop)
}

/// Writes a file named by the user. An existing file keeps its permissions. If the path is not a regular file but, say,
/// a pipe, the bytes are written to it.
pub fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if there.is_file() => {
            // Replace the link's target, not the link.
            replace(&fs::canonicalize(path)?, bytes, Some(there.permissions()))
        }
        Ok(_) => fs::write(path, bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            leads_somewhere(path)?;
            place(draft(path, bytes, ANY_NEW_FILE)?, path).map(drop)
        }
        Err(error) => Err(error),
    }
}

/// Returns an error if the path is a dangling link: writing would either replace the link or create an unexpected file.
pub fn leads_somewhere(path: &Path) -> io::Result<()> {
    match (fs::read_link(path), fs::metadata(path)) {
        (Ok(target), Err(error)) if error.kind() == io::ErrorKind::NotFound => {
            let why = format!("is a broken link to {}", target.display());
            Err(io::Error::new(io::ErrorKind::NotFound, why))
        }
        _ => Ok(()),
    }
}

/// Writes a file in a folder that belongs to Quadrille. A symbolic link at the path is replaced without touching its
/// target; any other path that is not a regular file is refused.
pub fn put_own(path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
    let permissions = match fs::symlink_metadata(path) {
        Ok(there) if there.is_file() => Some(there.permissions()),
        Ok(there) if !there.is_symlink() => return Err(read::not_regular()),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => None,
    };
    let draft = draft(path, bytes, ANY_NEW_FILE)?;
    if let Some(permissions) = permissions {
        draft.as_file().set_permissions(permissions)?;
    }
    publish(draft, path, durability).map(drop)
}

/// Whether to wait until a file is synced to disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// The file survives a power loss.
    Synced,
    /// The file survives the process, but may be empty or missing after a power loss.
    Buffered,
}

/// Removes a file and syncs the folder, so that the name does not reappear after a power loss.
pub fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    sync_folder(path);
    Ok(())
}

/// Returns whether an open file is still the file at this path.
pub fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    Ok(FileId::of(file)? == FileId::at(path)?)
}

/// Locks an open file. Returns `None` if a different file has replaced it, since a lock on the old file protects
/// nothing.
pub fn lock_in_place(file: File, path: &Path) -> Result<Option<LockedFile>, TryLockError> {
    let file = LockedFile::lock(file, path, LockMode::Exclusive)?;
    Ok(is_at(&file, path).unwrap_or(false).then_some(file))
}

/// Checks that the file at this path can be replaced.
pub fn can_write_beside(path: &Path) -> io::Result<()> {
    draft(path, &[], PRIVATE).map(drop)
}

/// Creates a file. The error is `AlreadyExists` if the path exists.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    place(draft(path, bytes, ANY_NEW_FILE)?, path).map(drop)
}

/// Creates a file under the first of these names that is free or belongs to a file with exactly these bytes.
pub fn create_somewhere(
    folder: &Path,
    mut names: impl Iterator<Item = String>,
    bytes: &[u8],
) -> io::Result<PathBuf> {
    loop {
        let name = names.next().ok_or(io::ErrorKind::AlreadyExists)?;
        let path = folder.join(name);
        match create(&path, bytes) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if read::holds(&path, bytes).is_ok_and(|same| same) {
                    return Ok(path);
                }
            }
            made => return made.map(|()| path),
        }
    }
}

/// Creates a file and locks it before it becomes visible to other processes.
pub fn create_locked(path: &Path, bytes: &[u8]) -> io::Result<LockedFile> {
    locked(draft(path, bytes, ANY_NEW_FILE)?, path, place)
}

/// Replaces a locked file, which stays locked.
pub fn replace_locked(file: &mut LockedFile, path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_held(file, draft(path, bytes, ANY_NEW_FILE)?, path, Durability::Synced)
}

/// Creates a file that only the user may read, or replaces the one that is `held`, and locks the new one before it
/// becomes visible to other processes. The new file survives the process, but may be empty or missing after a power
/// loss.
pub fn put_locked(held: &mut Option<LockedFile>, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = draft(path, bytes, PRIVATE)?;
    if let Some(file) = held {
        return replace_held(file, draft, path, Durability::Buffered);
    }
    *held = Some(locked(draft, path, |draft, path| publish(draft, path, Durability::Buffered))?);
    Ok(())
}

fn replace_held(
    file: &mut LockedFile,
    draft: NamedTempFile,
    path: &Path,
    durability: Durability,
) -> io::Result<()> {
    if lock::CAN_REPLACE_OPEN_FILES {
        *file = locked(draft, path, |draft, path| publish(draft, path, durability))?;
        return Ok(());
    }
    // The lock is held apart from the file, which is closed here.
    **file = draft.as_file().try_clone()?;
    let published = publish(draft, path, durability).map(drop);
    **file = read::open(path, Access::Write)?;
    published
}

/// Locks a draft and gives it its name.
fn locked(
    draft: NamedTempFile,
    path: &Path,
    name: impl FnOnce(NamedTempFile, &Path) -> io::Result<File>,
) -> io::Result<LockedFile> {
    let lock = Lock::take(draft.as_file(), path, LockMode::Exclusive)?;
    let mut file = name(draft, path)?;
    if !lock::CAN_REPLACE_OPEN_FILES {
        // The draft was opened as a temporary file, and under another name.
        file = read::open(path, Access::Write)?;
    }
    Ok(LockedFile::new(file, lock))
}

/// Replaces everything after the first `end` bytes of a file with these bytes, and syncs the file. After an error, the
/// file is truncated to `end` bytes; if even that fails, the next call removes the incomplete bytes.
pub fn append(file: &mut File, end: u64, bytes: &[u8]) -> io::Result<()> {
    if file.metadata()?.len() > end {
        file.set_len(end)?;
    }
    file.seek(SeekFrom::Start(end))?;
    let written = file.write_all(bytes).and_then(|()| sync(file));
    if written.is_err() {
        let _ = file.set_len(end).and_then(|()| sync(file));
    }
    written
}

/// Waits until a file is on disk, so that it survives a power loss.
pub fn sync(file: &File) -> io::Result<()> {
    #[cfg(test)]
    tests::before_sync(file)?;
    file.sync_all()
}

/// Removes the drafts that killed processes left in this folder.
pub fn remove_drafts(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if is_draft(&path) {
            remove_if_left(&path);
        }
    }
    Ok(())
}

pub fn is_draft(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(DRAFT.as_bytes()))
}

/// Prefix of temporary file names; the file's name follows.
const DRAFT: &str = ".quadrille-";

const PRIVATE: u32 = 0o600;
/// The permissions of a new file, before the user's umask is applied.
const ANY_NEW_FILE: u32 = 0o666;

/// The number of retries while a different process writes the same file, and the delay between retries.
const TRIES: u32 = 200;
const RETRY_DELAY: Duration = Duration::from_millis(5);

/// Writes a draft with these bytes. The draft is named after the path, or randomly if that name is unavailable.
fn draft(path: &Path, bytes: &[u8], mode: u32) -> io::Result<NamedTempFile> {
    let mut draft = if let Some(draft) = own_draft(path, mode) {
        draft
    } else {
        let made = builder(mode).prefix(DRAFT).tempfile_in(folder(path));
        let draft = made.map_err(without_path)?;
        // Ignore errors, since some file systems do not support locks.
        let _ = draft.as_file().try_lock();
        draft
    };
    draft.as_file_mut().write_all(bytes)?;
    Ok(draft)
}

/// Creates and locks the draft named after the path, replacing an unlocked draft of a killed process. Returns `None` if
/// a different process holds the lock, or if the name is invalid.
fn own_draft(path: &Path, mode: u32) -> Option<NamedTempFile> {
    let mut name = OsString::from(DRAFT);
    name.push(path.file_name()?);
    let place = folder(path).join(&name);
    for _ in 0..TRIES {
        remove_if_left(&place);
        match builder(mode).prefix(&name).rand_bytes(0).tempfile_in(folder(path)) {
            Ok(mut draft) => match draft.as_file().try_lock() {
                Ok(()) if is_at(draft.as_file(), &place).unwrap_or(false) => return Some(draft),
                // A different process found the draft before it was locked and is removing it. Any file with this name
                // is no longer ours.
                Ok(()) | Err(TryLockError::WouldBlock) => draft.disable_cleanup(true),
                // Without lock support, other processes cannot tell that the draft is in use.
                Err(TryLockError::Error(_)) => return None,
            },
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && !place.is_dir() => {}
            Err(_) => return None,
        }
        thread::sleep(RETRY_DELAY);
    }
    None
}

/// Removes an unlocked draft. A link or a pipe with the draft's name is removed without being opened.
pub fn remove_if_left(draft: &Path) {
    let Ok(there) = fs::symlink_metadata(draft) else { return };
    // Hold the lock during removal, so that no other process's new draft is removed by mistake.
    let lock = there.is_file().then(|| read::open(draft, Access::OwnFile));
    let is_free = match &lock {
        Some(Ok(file)) => file.try_lock().is_ok() && is_at(file, draft).unwrap_or(false),
        Some(Err(_)) => false,
        None => true,
    };
    if is_free {
        let _ = fs::remove_file(draft);
    }
    drop(lock);
}

fn builder<'a>(mode: u32) -> tempfile::Builder<'a, 'a> {
    let mut builder = tempfile::Builder::new();
    if let Some(permissions) = files::permissions(mode) {
        builder.permissions(permissions);
    }
    builder
}

/// Returns the system's error without the path that `tempfile` adds: the user named a different file.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().rsplit_once(" at path ") {
        Some((message, _)) => io::Error::new(error.kind(), message),
        None => error,
    }
}

/// Renames a complete draft to its path, replacing any existing file.
fn publish(draft: NamedTempFile, path: &Path, durability: Durability) -> io::Result<File> {
    if durability == Durability::Buffered {
        return rename(draft, path);
    }
    sync(draft.as_file())?;
    let file = rename(draft, path)?;
    sync_folder(path);
    Ok(file)
}

/// Renames a draft to its path. Where an open file cannot be replaced, waits a moment for readers.
fn rename(mut draft: NamedTempFile, path: &Path) -> io::Result<File> {
    lock::before_rename(draft.as_file());
    for _ in 0..TRIES {
        match draft.persist(path) {
            Err(PersistError { error, file })
                if !lock::CAN_REPLACE_OPEN_FILES
                    && error.kind() == io::ErrorKind::PermissionDenied =>
            {
                draft = file;
                thread::sleep(RETRY_DELAY);
            }
            renamed => return Ok(renamed?),
        }
    }
    Ok(draft.persist(path)?)
}

/// Renames a complete draft to its path. The error is `AlreadyExists` if the path exists.
fn place(draft: NamedTempFile, path: &Path) -> io::Result<File> {
    sync(draft.as_file())?;
    lock::before_rename(draft.as_file());
    let file = draft.persist_noclobber(path)?;
    sync_folder(path);
    Ok(file)
}

/// Syncs the folder, so that the new name survives a power loss. Not all systems support this.
fn sync_folder(path: &Path) {
    let _ = read::folder(folder(path)).and_then(|folder| sync(&folder));
}

/// Shortens a path to `.../folder/name` for messages in narrow places.
pub fn brief(path: &Path) -> String {
    let whole = path.display().to_string();
    let parts: Vec<_> = path.iter().rev().take(2).collect();
    match parts.as_slice() {
        [name, folder] => {
            let end = Path::new(folder).join(name).display().to_string();
            if whole.len() <= end.len() + 4 { whole } else { format!(".../{end}") }
        }
        _ => whole,
    }
}

pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;
    use std::rc::Rc;

    /// Observes a sync before it happens, and may make it fail.
    type Observer = Box<dyn FnMut(&File) -> io::Result<()>>;

    #[cfg(unix)]
    type Write<'a> = &'a dyn Fn() -> io::Result<()>;

    thread_local! {
        /// The observer of this thread's syncs.
        static OBSERVER: RefCell<Option<Observer>> = const { RefCell::new(None) };
    }

    pub(super) fn before_sync(file: &File) -> io::Result<()> {
        OBSERVER.with_borrow_mut(|observer| observer.as_mut().map_or(Ok(()), |see| see(file)))
    }

    /// The contents of a file, or "folder". A missing file is empty.
    fn text(file: io::Result<File>) -> String {
        let Ok(mut file) = file else { return String::new() };
        let metadata = file.metadata().unwrap();
        if metadata.is_dir() {
            return "folder".to_owned();
        }
        // Clones of a handle share their position.
        let position = file.stream_position().unwrap();
        file.rewind().unwrap();
        let text = io::read_to_string(&mut file).unwrap();
        file.seek(SeekFrom::Start(position)).unwrap();
        text
    }

    /// Runs a change. Returns its result and, for each sync, the synced text and the text at the path at that moment.
    /// The sync of this number, from 0, fails.
    fn syncs<T>(
        path: &Path,
        failing: Option<usize>,
        change: impl FnOnce() -> T,
    ) -> (T, Vec<[String; 2]>) {
        let seen = Rc::new(RefCell::new(Vec::new()));
        let (path, syncs) = (path.to_owned(), seen.clone());
        OBSERVER.set(Some(Box::new(move |file| {
            let fails = failing == Some(syncs.borrow().len());
            syncs.borrow_mut().push([text(file.try_clone()), text(File::open(&path))]);
            if fails { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        })));
        let result = change();
        OBSERVER.set(None);
        (result, seen.take())
    }

    #[cfg(unix)]
    fn held(path: &Path) -> LockedFile {
        lock_in_place(read::open(path, Access::Write).unwrap(), path).unwrap().unwrap()
    }

    /// A file is synced before it gets its name, and the name is synced before the function returns.
    #[cfg(unix)]
    #[test]
    fn files_and_their_names_are_synced() {
        let folder = tempfile::tempdir().unwrap();
        let path = &folder.path().join("file");
        let replacing: [Write; 4] = [
            &|| replace(path, b"new", None),
            &|| put(path, b"new"),
            &|| put_own(path, b"new", Durability::Synced),
            &|| replace_locked(&mut held(path), path, b"new"),
        ];
        for write in replacing {
            fs::write(path, "old").unwrap();
            let (done, seen) = syncs(path, Some(0), write);
            assert_eq!(done.unwrap_err().kind(), io::ErrorKind::StorageFull);
            assert_eq!(seen, [["new", "old"]]);
            assert_eq!(text(File::open(path)), "old");
            // Not all systems can sync a folder.
            for failing in [None, Some(1)] {
                fs::write(path, "old").unwrap();
                let (done, seen) = syncs(path, failing, write);
                done.unwrap();
                assert_eq!(seen, [["new", "old"], ["folder", "new"]]);
            }
        }
        let creating: [Write; 4] = [
            &|| create(path, b"new"),
            &|| put(path, b"new"),
            &|| create_locked(path, b"new").map(drop),
            &|| create_somewhere(folder.path(), ["file".to_owned()].into_iter(), b"new").map(drop),
        ];
        for write in creating {
            fs::remove_file(path).unwrap();
            let (done, seen) = syncs(path, Some(0), write);
            assert_eq!(done.unwrap_err().kind(), io::ErrorKind::StorageFull);
            assert_eq!((seen, path.exists()), (vec![["new".to_owned(), String::new()]], false));
            let (done, seen) = syncs(path, None, write);
            done.unwrap();
            assert_eq!(seen, [["new", ""], ["folder", "new"]]);
        }
        let (done, seen) = syncs(path, None, || remove(path));
        done.unwrap();
        assert_eq!(seen, [["folder", ""]]);
        let buffered: [Write; 2] = [&|| put_own(path, b"new", Durability::Buffered), &|| {
            put_locked(&mut None, path, b"new")
        }];
        for write in buffered {
            let (done, seen) = syncs(path, None, write);
            done.unwrap();
            assert_eq!((seen, text(File::open(path))), (Vec::new(), "new".to_owned()));
        }
        assert_eq!(names(folder.path()), ["file"], "no draft is left");
    }

    #[test]
    fn append_is_synced_and_leaves_nothing_after_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = &folder.path().join("file");
        for access in [Access::Write, Access::Append] {
            fs::write(path, "one").unwrap();
            let mut file = read::open(path, access).unwrap();
            let mut append = |failing, end, bytes: &str| {
                syncs(path, failing, || append(&mut file, end, bytes.as_bytes()))
            };
            let (done, seen) = append(None, 3, " two");
            done.unwrap();
            assert_eq!(seen, [["one two", "one two"]]);
            let (done, seen) = append(Some(0), 7, " three");
            assert_eq!(done.unwrap_err().kind(), io::ErrorKind::StorageFull);
            assert_eq!(seen, [["one two three"; 2], ["one two"; 2]]);
            assert_eq!(text(File::open(path)), "one two");
            // The remains of an append that could not be undone.
            fs::write(path, "one two thr").unwrap();
            append(None, 7, " 3").0.unwrap();
            assert_eq!(text(File::open(path)), "one two 3");
        }
    }

    #[cfg(unix)]
    #[test]
    fn write_error_does_not_name_the_draft() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nowhere/file");
        let error = replace(&path, b"x", None).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert_eq!(error.to_string(), "No such file or directory (os error 2)");
    }

    fn names(folder: &Path) -> Vec<OsString> {
        let mut names: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    }

    #[cfg(unix)]
    #[test]
    fn broken_link_is_kept_and_named() {
        let folder = tempfile::tempdir().unwrap();
        let [link, target, file] = ["link", "target", "file"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let said = format!("is a broken link to {}", target.display());
        assert_eq!(put(&link, b"x").unwrap_err().to_string(), said);
        assert_eq!(fs::read_link(&link).unwrap(), target);
        assert!(leads_somewhere(&file).is_ok(), "it can be made");
        fs::write(&target, b"").unwrap();
        put(&link, b"x").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"x");
        assert!(link.is_symlink());
    }

    #[test]
    fn cleanup_removes_only_unused_drafts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        replace(&path, b"x", None).unwrap();
        fs::write(folder.path().join(".quadrille-abc"), b"").unwrap();
        let being_written = draft(&folder.path().join("other"), b"y", PRIVATE).unwrap();
        remove_drafts(folder.path()).unwrap();
        assert_eq!(names(folder.path()), [".quadrille-other", "file"]);
        drop(being_written);
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[cfg(unix)]
    #[test]
    fn next_writer_reuses_a_stale_draft() {
        let folder = tempfile::tempdir().unwrap();
        let (path, left) = (folder.path().join("file"), folder.path().join(".quadrille-file"));
        let precious = folder.path().join("precious");
        fs::write(&precious, b"p").unwrap();
        let leave: [&dyn Fn(); 4] = [
            &|| fs::write(&left, b"half a fi").unwrap(),
            // Traps with which a different user could redirect the write.
            &|| fs::hard_link(&precious, &left).unwrap(),
            &|| std::os::unix::fs::symlink(&precious, &left).unwrap(),
            &|| rustix::fs::mkfifoat(rustix::fs::CWD, &left, rustix::fs::Mode::RWXU).unwrap(),
        ];
        for leave in leave {
            leave();
            replace(&path, b"whole", None).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"whole");
            assert_eq!(fs::read(&precious).unwrap(), b"p");
            assert_eq!(names(folder.path()), ["file", "precious"]);
        }
        fs::create_dir(&left).unwrap();
        replace(&path, b"again", None).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"again");
        let long = folder.path().join("n".repeat(250));
        replace(&long, b"long", None).unwrap();
        assert_eq!(names(folder.path()).len(), 4);
    }

    /// A second draft name could leave a second draft behind.
    #[test]
    fn writer_waits_for_another_writer() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let first = draft(&path, b"first", PRIVATE).unwrap();
        thread::scope(|scope| {
            let second = scope.spawn(|| replace(&path, b"second", None).unwrap());
            thread::sleep(20 * RETRY_DELAY);
            assert_eq!(names(folder.path()), [".quadrille-file"]);
            drop(first.persist(&path).unwrap());
            second.join().unwrap();
        });
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(names(folder.path()), ["file"]);
    }

    /// Without this check, two processes would each lock a different file.
    #[cfg(unix)]
    #[test]
    fn lock_on_a_replaced_file_does_not_count() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        create(&path, b"one").unwrap();
        let open = || read::open(&path, Access::Write).unwrap();
        let mut new = held(&path);
        let before = open();
        replace_locked(&mut new, &path, b"two").unwrap();
        assert!(matches!(lock_in_place(before, &path), Ok(None)));
        assert!(matches!(lock_in_place(open(), &path), Err(TryLockError::WouldBlock)));
        drop(new);
        let before = open();
        remove(&path).unwrap();
        assert!(matches!(lock_in_place(before, &path), Ok(None)));
    }

    #[test]
    fn concurrent_writers_do_not_mix_contents() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::thread::scope(|scope| {
            for number in 0..4_u8 {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..25 {
                        replace(path, &[number; 1000], None).unwrap();
                        let there = fs::read(path).unwrap();
                        assert!(there.len() == 1000 && there.iter().all(|byte| *byte == there[0]));
                    }
                });
            }
        });
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[cfg(unix)]
    #[test]
    fn own_file_is_replaced_without_following_links() {
        let folder = tempfile::tempdir().unwrap();
        let (path, elsewhere) = (folder.path().join("own"), folder.path().join("elsewhere"));
        fs::write(&elsewhere, b"e").unwrap();
        std::os::unix::fs::symlink(&elsewhere, &path).unwrap();
        for durability in [Durability::Synced, Durability::Buffered] {
            put_own(&path, b"own", durability).unwrap();
            assert!(fs::symlink_metadata(&path).unwrap().is_file());
            assert_eq!(
                [fs::read(&path).unwrap(), fs::read(&elsewhere).unwrap()],
                [&b"own"[..], b"e"]
            );
        }
        let pipe = folder.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
        for odd in [&*pipe, folder.path()] {
            assert_eq!(
                put_own(odd, b"x", Durability::Buffered).unwrap_err().to_string(),
                "not a regular file"
            );
        }
    }
}
