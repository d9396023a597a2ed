//! Identities of files. There are no owners and modes: a file in the user's profile belongs to the user.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::Path;
use winapi_util::{AsHandleRef, Handle, HandleRef, file};

/// Opens a link instead of its target (`FILE_FLAG_OPEN_REPARSE_POINT`).
const OPEN_LINK: u32 = 0x0020_0000;

/// Opens a folder as a file (`FILE_FLAG_BACKUP_SEMANTICS`), whose refusal would be about access.
const OPEN_FOLDER: u32 = 0x0200_0000;

/// The file at a path or in a handle, whatever its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId {
    volume: u64,
    index: u64,
}

impl FileId {
    pub fn of(file: &File) -> io::Result<FileId> {
        FileId::in_handle(HandleRef::from_file(file))
    }

    pub fn at(path: &Path) -> io::Result<FileId> {
        FileId::in_handle(Handle::from_path_any(path)?)
    }

    fn in_handle(handle: impl AsHandleRef) -> io::Result<FileId> {
        let there = file::information(handle)?;
        Ok(FileId { volume: there.volume_serial_number(), index: there.file_index() })
    }
}

/// Returns `None`: files have no modes.
pub fn permissions(_mode: u32) -> Option<Permissions> {
    None
}

/// Makes opening a folder fail later, because it is no regular file, and a symbolic link too, unless `follows_links`.
pub fn open_at_once(options: &mut OpenOptions, follows_links: bool) {
    options.custom_flags(if follows_links { OPEN_FOLDER } else { OPEN_FOLDER | OPEN_LINK });
}

/// Creates a folder and the folders above it. In the user's profile, only the user can enter it.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Returns `false`, because that cannot be told.
pub fn is_private(_file: &File) -> bool {
    false
}
