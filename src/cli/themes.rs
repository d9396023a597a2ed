//! The themes there are: those of the game, and the user's own, which are files in the config folder.

use super::{file, folders, usage};
use crate::printable::printable;
use crate::scene::{self, Theme};
use crate::session::read::{self, Limit};
use anyhow::anyhow;
use std::fs;
use std::io;
use std::path::Path;

/// The theme of this name. A user's own one comes before one of the game.
pub(super) fn named(name: &str) -> anyhow::Result<Theme> {
    let own = folders::themes().filter(|_| is_file_name(name));
    if let Some(theme) = own.and_then(|folder| own_theme(&folder, name).transpose()) {
        return theme;
    }
    scene::built_in(name).cloned().ok_or_else(|| {
        let names: Vec<String> = names().iter().map(|name| printable(name).into_owned()).collect();
        usage(format!("--theme {}: no such theme; there are {}", printable(name), names.join(", ")))
    })
}

/// All themes: those of the game first. Of the user's own, only those in which nothing is wrong; what is
/// wrong is told when one is asked for by name.
pub(super) fn all() -> Vec<Theme> {
    names().iter().filter_map(|name| named(name).ok()).collect()
}

/// The names of all themes, those of the game first.
fn names() -> Vec<String> {
    let mut names: Vec<String> = scene::built_in_names().map(str::to_owned).collect();
    let entries = folders::themes().and_then(|folder| fs::read_dir(folder).ok());
    let files = entries
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut own: Vec<String> =
        files.filter_map(|file| Some(file.strip_suffix(".toml")?.to_owned())).collect();
    own.retain(|name| is_file_name(name) && !names.contains(name));
    own.sort_unstable();
    names.extend(own);
    names
}

/// Whether a name is that of a file in a folder, and no way out of it.
fn is_file_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains('/') && !name.contains('\0')
}

/// The theme in the user's file of this name, if there is one.
fn own_theme(folder: &Path, name: &str) -> anyhow::Result<Option<Theme>> {
    let path = folder.join(format!("{name}.toml"));
    let shown = file::name(&path).to_string();
    let bytes = match read::regular(&path, Limit::SETUPS) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            return Err(anyhow!("too large for a theme").context(shown));
        }
        Err(error) => return Err(anyhow::Error::from(error).context(shown)),
    };
    let text = String::from_utf8(bytes).map_err(|_| anyhow!("not UTF-8").context(shown.clone()))?;
    Ok(Some(scene::read(name, &shown, &text)?))
}
