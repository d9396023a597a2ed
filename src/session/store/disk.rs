//! Files that are whole at any moment: each is written as a draft beside its place, and then moved there.

use super::read;
use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Writes a file, and replaces one that is there. If no permissions are given, only the user may read it.
pub(crate) fn replace(
    path: &Path,
    bytes: &[u8],
    permissions: Option<Permissions>,
) -> io::Result<()> {
    let draft = draft(path, bytes, PRIVATE)?;
    if let Some(permissions) = permissions {
        draft.as_file().set_permissions(permissions)?;
    }
    draft.as_file().sync_all()?;
    draft.persist(path)?;
    sync_folder(path);
    Ok(())
}

/// Writes a file that the user has named. One that is there is replaced and keeps its permissions; to what is
/// not a regular file, such as a pipe, the bytes are written.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if there.is_file() => {
            // A link stays a link.
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

/// An error if this path is a link to nothing: to put a file there would replace the link, and to follow it might make a
/// file that nobody expects.
pub(crate) fn leads_somewhere(path: &Path) -> io::Result<()> {
    match (fs::read_link(path), fs::metadata(path)) {
        (Ok(target), Err(error)) if error.kind() == io::ErrorKind::NotFound => {
            let why = format!("is a link that leads nowhere: there is no {}", target.display());
            Err(io::Error::new(io::ErrorKind::NotFound, why))
        }
        _ => Ok(()),
    }
}

/// Removes a file for good: its name will not be there again after a loss of power.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)?;
    sync_folder(path);
    Ok(())
}

/// Whether an open file is the one at this path.
pub(crate) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let (open, there) = (file.metadata()?, fs::metadata(path)?);
    Ok((open.dev(), open.ino()) == (there.dev(), there.ino()))
}

/// Whether this file can be replaced.
pub(crate) fn can_write_beside(path: &Path) -> io::Result<()> {
    draft(path, &[], PRIVATE).map(drop)
}

/// Makes a file where there is none. If there is one, the error is `AlreadyExists`.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    place(draft(path, bytes, ANY_NEW_FILE)?, path).map(drop)
}

/// Makes a file under the first of these names that is free, or that holds just these bytes already.
pub(crate) fn create_somewhere(
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

/// Makes a file where there is none, and locks it before anybody can see it.
pub(crate) fn create_locked(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let draft = draft(path, bytes, ANY_NEW_FILE)?;
    draft.as_file().try_lock()?;
    place(draft, path)
}

/// Replaces a file, and locks the new one before anybody can see it.
pub(crate) fn replace_locked(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let draft = draft(path, bytes, ANY_NEW_FILE)?;
    draft.as_file().try_lock()?;
    draft.as_file().sync_all()?;
    let file = draft.persist(path)?;
    sync_folder(path);
    Ok(file)
}

/// Replaces a file by what `write` writes, however long that takes, and locks the new one before anybody can see
/// it. The name of its draft follows from the path, so nobody else may replace this file at the same time.
pub(crate) fn replace_by(
    path: &Path,
    permissions: Permissions,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<File> {
    let mut draft = draft_of(path)?;
    draft.as_file().try_lock()?;
    draft.as_file().set_permissions(permissions)?;
    write(draft.as_file_mut())?;
    draft.as_file().sync_all()?;
    let file = draft.persist(path)?;
    sync_folder(path);
    Ok(file)
}

/// Whether [`replace_by`] can write this file. A draft that a killed process has left is removed.
pub(crate) fn can_replace_by(path: &Path) -> io::Result<()> {
    draft_of(path).map(drop)
}

/// The one draft of this path. An older one is removed.
fn draft_of(path: &Path) -> io::Result<NamedTempFile> {
    let mut name = OsString::from(DRAFT);
    name.push(path.file_name().unwrap_or_default());
    match fs::remove_file(folder(path).join(&name)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut builder = tempfile::Builder::new();
    let draft = builder.prefix(&name).rand_bytes(0).tempfile_in(folder(path));
    draft.map_err(without_path)
}

/// Removes the drafts that killed processes have left in this folder. Nobody else may be writing there.
pub(crate) fn remove_drafts(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(DRAFT.as_bytes())
            && entry.file_type()?.is_file()
        {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// How the names of drafts begin.
const DRAFT: &str = ".quadrille-";

const PRIVATE: u32 = 0o600;
/// The permissions before the umask of the user takes some away.
const ANY_NEW_FILE: u32 = 0o666;

#[cfg_attr(not(unix), allow(unused_variables))]
fn draft(path: &Path, bytes: &[u8], mode: u32) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    let draft = builder.prefix(DRAFT).tempfile_in(folder(path));
    let mut draft = draft.map_err(without_path)?;
    draft.as_file_mut().write_all(bytes)?;
    Ok(draft)
}

/// The system's own message. `tempfile` adds the path of the draft, which means nothing to somebody who has named
/// another file.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().rsplit_once(" at path ") {
        Some((message, _)) => io::Error::new(error.kind(), message),
        None => error,
    }
}

fn place(draft: NamedTempFile, path: &Path) -> io::Result<File> {
    draft.as_file().sync_all()?;
    let file = draft.persist_noclobber(path)?;
    sync_folder(path);
    Ok(file)
}

/// The new name should survive a loss of power too, but not every system can sync a folder.
fn sync_folder(path: &Path) {
    let _ = read::folder(folder(path)).and_then(|folder| folder.sync_all());
}

/// The end of a path, for a message that has no room for all of it: `.../folder/name`.
pub(crate) fn brief(path: &Path) -> String {
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

/// The folder a file is in.
pub(crate) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_does_not_name_the_draft() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nowhere/file");
        let error = replace(&path, b"x", None).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert_eq!(error.to_string(), "No such file or directory (os error 2)");
    }

    #[test]
    fn a_link_that_leads_nowhere_stays_and_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let [link, target, file] = ["link", "target", "file"].map(|it| folder.path().join(it));
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let said = format!("is a link that leads nowhere: there is no {}", target.display());
        assert_eq!(put(&link, b"x").unwrap_err().to_string(), said);
        assert_eq!(fs::read_link(&link).unwrap(), target);
        assert!(leads_somewhere(&file).is_ok(), "it can be made");
        fs::write(&target, b"").unwrap();
        put(&link, b"x").unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"x");
        assert!(link.is_symlink());
    }

    #[test]
    fn only_drafts_are_taken_away() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        replace(&path, b"x", None).unwrap();
        fs::write(folder.path().join(".quadrille-abc"), b"").unwrap();
        remove_drafts(folder.path()).unwrap();
        let names: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().path()).collect();
        assert_eq!(names, [path]);
    }
}
