//! Files that are whole at any moment: they are written beside their place and then put there.

use super::read;
use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Puts a file in the place of the one that may be there. Without other permissions, only the user
/// may read it.
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

/// Writes a file that the user has named, in the place of the one that may be there and with its
/// permissions. What is no regular file, as a pipe, takes what is written to it.
pub(crate) fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if there.is_file() => {
            // A link stays one.
            replace(&fs::canonicalize(path)?, bytes, Some(there.permissions()))
        }
        Ok(_) => fs::write(path, bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            place(draft(path, bytes, ANY_NEW_FILE)?, path).map(drop)
        }
        Err(error) => Err(error),
    }
}

/// Takes a file away for good: its name too should not be there again after a loss of power.
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

/// Whether a file can be put in the place of this one.
pub(crate) fn can_write_beside(path: &Path) -> io::Result<()> {
    draft(path, &[], PRIVATE).map(drop)
}

/// Makes a file where there is none; else the error is `AlreadyExists`.
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

/// Makes a file where there is none, and holds its lock from before anyone can see it.
pub(crate) fn create_locked(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let draft = draft(path, bytes, ANY_NEW_FILE)?;
    draft.as_file().try_lock()?;
    place(draft, path)
}

/// Puts a file in the place of another, and holds its lock from before anyone can see it.
pub(crate) fn replace_locked(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let draft = draft(path, bytes, ANY_NEW_FILE)?;
    draft.as_file().try_lock()?;
    draft.as_file().sync_all()?;
    let file = draft.persist(path)?;
    sync_folder(path);
    Ok(file)
}

/// Puts a file in the place of another as `write` writes it, however long that takes, and holds its lock from before
/// anyone can see it. Its draft has a name that follows from the path, and nobody else may write there.
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

/// Whether a file can be written so. What a killed process has left of it is gone then.
pub(crate) fn can_replace_by(path: &Path) -> io::Result<()> {
    draft_of(path).map(drop)
}

/// The one draft of this path; one that is left goes.
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

/// Takes away what was written beside its place in this folder and never put there, as whoever is killed leaves it.
/// Nobody else may be writing there.
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
/// The permissions of which the user's mask takes away what it will.
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

/// What the system said: tempfile puts the name of the draft behind it, which says nothing to whoever has named
/// another file.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().rsplit_once(" at path ") {
        Some((said, _)) => io::Error::new(error.kind(), said),
        None => error,
    }
}

fn place(draft: NamedTempFile, path: &Path) -> io::Result<File> {
    draft.as_file().sync_all()?;
    let file = draft.persist_noclobber(path)?;
    sync_folder(path);
    Ok(file)
}

/// The new name too should outlive a loss of power, but not every system can sync a folder.
fn sync_folder(path: &Path) {
    let _ = read::folder(folder(path)).and_then(|folder| folder.sync_all());
}

/// The end of a path, for a message that has no room for all of it: the name and the folder it is
/// in, with a mark for what stands before.
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
        let said = replace(&path, b"x", None).unwrap_err();
        assert_eq!(said.kind(), io::ErrorKind::NotFound);
        assert_eq!(said.to_string(), "No such file or directory (os error 2)");
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
