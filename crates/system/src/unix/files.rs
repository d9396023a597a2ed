//! Owners, modes and identities of files.

use rustix::fs::OFlags;
use rustix::process::geteuid;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// The file at a path or in a handle, whatever its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    pub fn of(file: &File) -> io::Result<FileId> {
        file.metadata().map(|there| FileId { device: there.dev(), inode: there.ino() })
    }

    pub fn at(path: &Path) -> io::Result<FileId> {
        fs::metadata(path).map(|there| FileId { device: there.dev(), inode: there.ino() })
    }
}

/// Returns the permissions with this mode, for systems that have modes.
pub fn permissions(mode: u32) -> Option<Permissions> {
    Some(Permissions::from_mode(mode))
}

/// Makes opening return at once even if the path is a pipe or a terminal, and fail for a symbolic link unless
/// `follows_links`.
pub fn open_at_once(options: &mut OpenOptions, follows_links: bool) {
    let mut flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    flags.set(OFlags::NOFOLLOW, !follows_links);
    options.custom_flags(flags.bits().cast_signed());
}

/// Creates a folder that only this user can enter, and the folders above it. Existing folders stay as they are.
pub fn create_private_folder(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Returns whether a file belongs to this user, and only this user can read and write it.
pub fn is_private(file: &File) -> bool {
    let is_ours =
        |there: fs::Metadata| there.uid() == geteuid().as_raw() && there.mode() & 0o7777 == 0o600;
    file.metadata().is_ok_and(is_ours)
}
