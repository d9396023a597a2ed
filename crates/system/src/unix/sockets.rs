//! Sockets in the file system, and the folders that hold them.

use super::files;
use super::handle::{Listener, Stream};
use etcetera::base_strategy::{BaseStrategy, Xdg};
use rustix::net::sockopt;
use rustix::process::geteuid;
use std::fs::{self, DirBuilder, FileType, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

/// The longest path of a socket, in bytes: the room for it in the address, less a final NUL.
pub const MAX_PATH_BYTES: usize = if cfg!(target_os = "linux") { 107 } else { 103 };

/// The folder in which every user can create folders.
pub const TEMPORARY: &str = "/tmp";

/// How long a connection may wait for room in the socket's queue.
#[cfg(target_os = "linux")]
const QUEUE_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(2);

/// Connects to a socket. If its queue is full, the error is `WouldBlock`, on Linux after up to two seconds with
/// `may_wait`. Other systems report a full queue as `ConnectionRefused`, as if no process listened.
#[cfg(target_os = "linux")]
pub fn connect(path: &Path, may_wait: bool) -> io::Result<Stream> {
    use rustix::net::{self, AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
    let waiting = if may_wait { SocketFlags::empty() } else { SocketFlags::NONBLOCK };
    let flags = waiting | SocketFlags::CLOEXEC;
    let socket = net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    let socket = Stream::from(socket);
    socket.set_write_timeout(Some(QUEUE_TIMEOUT))?;
    net::connect(&socket, &SocketAddrUnix::new(path)?)?;
    Ok(socket)
}

#[cfg(not(target_os = "linux"))]
pub fn connect(path: &Path, _may_wait: bool) -> io::Result<Stream> {
    Stream::connect(path)
}

/// Creates a socket for this user, or for all users, and accepts connections without blocking.
pub fn listen(path: &Path, is_shared: bool) -> io::Result<Listener> {
    let listener = Listener::bind(path)?;
    let mode = if is_shared { 0o666 } else { 0o600 };
    fs::set_permissions(path, Permissions::from_mode(mode))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

pub fn is_socket(kind: FileType) -> bool {
    kind.is_socket()
}

/// Returns the user at the other end, as the system reports it.
pub fn peer_user(socket: &Stream) -> io::Result<u32> {
    #[cfg(target_os = "linux")]
    let user = sockopt::socket_peercred(socket)?.uid.as_raw();
    #[cfg(not(target_os = "linux"))]
    let user = nix::unistd::getpeereid(socket)?.0.as_raw();
    Ok(user)
}

/// Limits how many bytes the system keeps for a reader that does not read.
pub fn limit_send_buffer(socket: &Stream, bytes: usize) -> io::Result<()> {
    Ok(sockopt::set_socket_send_buffer_size(socket, bytes)?)
}

/// Returns this user's folder for sockets, which the system empties at the last logout; `None` if there is none.
pub fn runtime_folder() -> Option<PathBuf> {
    let user = geteuid().as_raw();
    let given = Xdg::new().ok().and_then(|folders| folders.runtime_dir());
    let usual = || PathBuf::from(format!("/run/user/{user}"));
    let folder = given.filter(|folder| folder.is_absolute()).unwrap_or_else(usual);
    owned_by(&folder, user).is_ok().then_some(folder)
}

/// Creates a folder for sockets, which other users may pass through if it `is_shared`. Rejects an existing folder that
/// another user owns or can write to.
pub fn make_folder(folder: &Path, is_shared: bool) -> io::Result<()> {
    let mode = if is_shared { 0o711 } else { 0o700 };
    let is_new = fs::symlink_metadata(folder).is_err();
    if let Some(above) = folder.parent().filter(|_| is_new) {
        files::create_private_folder(above)?;
    }
    match DirBuilder::new().mode(mode).create(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        made => made?,
    }
    owned_by(folder, geteuid().as_raw())?;
    fs::set_permissions(folder, Permissions::from_mode(mode))
}

/// Checks that the path is a folder, not a link, that belongs to this user and is not writable by others.
pub fn owned_by(folder: &Path, user: u32) -> io::Result<()> {
    let other = |why| Err(io::Error::other(why));
    let there = fs::symlink_metadata(folder)?;
    match there {
        _ if !there.is_dir() => other("it is not a folder"),
        _ if there.uid() != user => other("it belongs to another user"),
        _ if there.mode() & 0o022 != 0 => other("others can write to it; run chmod go-w"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn folder_writable_by_others_is_refused() {
        let temporary = tempfile::tempdir().unwrap();
        let folder = |name: &str| temporary.path().join(name);
        for (is_shared, mode) in [(false, 0o700), (true, 0o711)] {
            let path = folder(&format!("new/{mode:o}"));
            for other in [0o700, 0o755] {
                make_folder(&path, is_shared).unwrap();
                assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, mode);
                fs::set_permissions(&path, Permissions::from_mode(other)).unwrap();
            }
            fs::set_permissions(&path, Permissions::from_mode(0o770)).unwrap();
            let why = make_folder(&path, is_shared).unwrap_err().to_string();
            assert_eq!(why, "others can write to it; run chmod go-w");
        }
        symlink(folder("new"), folder("link")).unwrap();
        fs::write(folder("file"), "").unwrap();
        for odd in ["link", "file"] {
            let why = make_folder(&folder(odd), false).unwrap_err().to_string();
            assert_eq!(why, "it is not a folder");
        }
        assert!(owned_by(&folder("new"), geteuid().as_raw() + 1).is_err());
    }

    #[test]
    fn both_ends_of_a_socket_belong_to_this_user() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let listener = listen(&path, false).unwrap();
        let ours = connect(&path, false).unwrap();
        let (theirs, _) = listener.accept().unwrap();
        for end in [ours, theirs] {
            assert_eq!(peer_user(&end).unwrap(), geteuid().as_raw());
        }
    }

    #[test]
    fn path_of_the_maximum_length_is_accepted_and_a_longer_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let room = MAX_PATH_BYTES - folder.path().as_os_str().len() - 1;
        let path = |length| folder.path().join("x".repeat(length));
        let _listener = listen(&path(room), false).unwrap();
        connect(&path(room), false).unwrap();
        assert!(listen(&path(room + 1), false).is_err());
    }
}
