//! Sockets in the file system: none, so no table is found or opened on this machine.

use super::handle::{Listener, Stream};
use std::fs::FileType;
use std::io;
use std::path::{Path, PathBuf};

pub const MAX_PATH_BYTES: usize = 107;

/// No folder, because no user may create folders for all.
pub const TEMPORARY: &str = "";

fn unsupported<T>() -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "there are no shared tables on Windows"))
}

pub fn connect(_path: &Path, _may_wait: bool) -> io::Result<Stream> {
    unsupported()
}

pub fn listen(_path: &Path, _is_shared: bool) -> io::Result<Listener> {
    unsupported()
}

pub fn is_socket(_kind: FileType) -> bool {
    false
}

/// Returns the user at the other end.
pub fn peer_user(_socket: &Stream) -> io::Result<u32> {
    unsupported()
}

pub fn limit_send_buffer(_socket: &Stream, _bytes: usize) -> io::Result<()> {
    unsupported()
}

pub fn runtime_folder() -> Option<PathBuf> {
    None
}

pub fn make_folder(_folder: &Path, _is_shared: bool) -> io::Result<()> {
    unsupported()
}

pub fn owned_by(_folder: &Path, _user: u32) -> io::Result<()> {
    unsupported()
}
