//! The folders for files that the user does not name: state, cache, settings and pictures.

use crate::read;
use etcetera::base_strategy::{BaseStrategy, Xdg};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the folder for matches and records: `$XDG_STATE_HOME/quadrille`, by default `~/.local/state/quadrille`. It
/// may not exist yet.
pub fn state() -> Result<PathBuf, NoHome> {
    let folder = Xdg::new().ok().and_then(|folders| folders.state_dir());
    let folder = folder.filter(|folder| folder.is_absolute()).ok_or(NoHome)?;
    Ok(folder.join("quadrille"))
}

/// Returns the folder for matches and records of a process without `XDG_STATE_HOME`.
pub fn usual_state() -> Option<PathBuf> {
    Some(etcetera::home_dir().ok()?.join(".local/state/quadrille"))
}

/// Makes a command use this folder for matches and records.
pub fn set_state(command: &mut Command, folder: Option<&Path>) {
    if let Some(above) = folder.and_then(Path::parent).filter(|_| state().ok().as_deref() != folder)
    {
        command.env("XDG_STATE_HOME", above);
    }
}

#[derive(Debug, thiserror::Error)]
#[error("no home directory to save matches in")]
pub struct NoHome;

/// Returns the folder for files that can be regenerated: `$XDG_CACHE_HOME/quadrille`, by default `~/.cache/quadrille`.
/// `None` without a home folder.
pub fn cache() -> Option<PathBuf> {
    let folder = Xdg::new().ok()?.cache_dir();
    folder.is_absolute().then(|| folder.join("quadrille"))
}

/// Returns the folder for the stderr logs of player programs.
pub fn program_stderr() -> Option<PathBuf> {
    Some(state().ok()?.join("programs"))
}

/// Returns the folder for the user's settings and themes: `$XDG_CONFIG_HOME/quadrille`, by default
/// `~/.config/quadrille`. `None` without a home folder.
pub fn config() -> Option<PathBuf> {
    let folder = Xdg::new().ok()?.config_dir();
    folder.is_absolute().then(|| folder.join("quadrille"))
}

/// Returns the folder for pictures: the first existing folder of `$XDG_PICTURES_DIR`, the desktop's pictures folder,
/// `~/Pictures` and the current folder.
pub fn pictures() -> PathBuf {
    let home = etcetera::home_dir().ok();
    let own = std::env::var_os("XDG_PICTURES_DIR").map(PathBuf::from);
    let desktop = || desktop_pictures_folder(home.as_deref()?);
    let usual = || Some(home.as_ref()?.join("Pictures"));
    let is_there = |folder: &PathBuf| folder.is_absolute() && folder.is_dir();
    let found = own.filter(is_there).or_else(|| desktop().filter(is_there));
    found.or_else(|| usual().filter(is_there)).unwrap_or_else(|| PathBuf::from("."))
}

/// Returns the desktop's pictures folder from the file `user-dirs.dirs` of xdg-user-dirs.
fn desktop_pictures_folder(home: &Path) -> Option<PathBuf> {
    let path = Xdg::new().ok()?.config_dir().join("user-dirs.dirs");
    let (_, text) = read::settings(&path).ok().flatten()?;
    pictures_in(&text, home)
}

/// Parses the pictures folder from the text of `user-dirs.dirs`. Paths in it are absolute or begin with `$HOME`.
fn pictures_in(settings: &str, home: &Path) -> Option<PathBuf> {
    let mut lines = settings.lines();
    let named = lines.find_map(|line| line.trim().strip_prefix("XDG_PICTURES_DIR="))?;
    let named = named.trim().trim_matches('"');
    Some(match named.strip_prefix("$HOME/") {
        Some(rest) => home.join(rest),
        None => PathBuf::from(named),
    })
}

/// Formats a path for a message, with `~` in place of the home folder.
pub fn with_tilde(path: &Path) -> String {
    let below = etcetera::home_dir().ok();
    let below = below.as_deref().and_then(|home| path.strip_prefix(home).ok());
    below.map_or(path.to_owned(), |below| Path::new("~").join(below)).display().to_string()
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    #[test]
    fn pictures_folder_follows_xdg_user_dirs() {
        let pictures = |text: &str| super::pictures_in(text, Path::new("/home/ann"));
        let text = "# comment\nXDG_MUSIC_DIR=\"$HOME/M\"\nXDG_PICTURES_DIR=\"$HOME/My Pictures\"\n";
        assert_eq!(pictures(text), Some(PathBuf::from("/home/ann/My Pictures")));
        assert_eq!(pictures("XDG_PICTURES_DIR=\"/srv/p\""), Some(PathBuf::from("/srv/p")));
        assert_eq!(pictures("XDG_MUSIC_DIR=\"/srv/m\""), None);
    }

    #[test]
    fn state_and_cache_are_absolute_folders_named_quadrille_or_missing() {
        for folder in [super::state().ok(), super::cache()].into_iter().flatten() {
            assert!(folder.is_absolute() && folder.ends_with("quadrille"));
        }
    }
}
