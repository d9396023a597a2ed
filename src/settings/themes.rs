//! The built-in themes, and custom themes, which are files in the config folder.
#![allow(clippy::disallowed_methods, reason = "lists the files of custom themes")]

use quadrille_scene::Theme;
use quadrille_system::folders;
use quadrille_system::read::{self, NamedFileError};
use quadrille_text::printable::printable;
use quadrille_text::toml_file::FileError;
use quadrille_text::wording::cut;
use std::path::{Path, PathBuf};
use std::{fs, io};

#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    #[error(transparent)]
    Unreadable(#[from] NamedFileError),
    #[error(transparent)]
    Invalid(#[from] FileError),
}

/// Returns the theme of this name, if there is one. Custom themes take precedence over built-in ones, unless the config
/// folder itself is out of reach.
pub fn find(name: &str) -> Result<Option<Theme>, ThemeError> {
    let folder = own_folder().filter(|folder| is_file_name(name) && !is_out_of_reach(folder));
    let own = folder.map_or(Ok(None), |folder| own_theme(&folder, name))?;
    Ok(own.or_else(|| quadrille_scene::built_in(name).cloned()))
}

fn own_folder() -> Option<PathBuf> {
    Some(folders::config()?.join("themes"))
}

/// Returns whether the user may not look into the config folder, or it is not a folder.
fn is_out_of_reach(themes: &Path) -> bool {
    let found = fs::metadata(themes).map_err(|error| error.kind());
    matches!(found, Err(io::ErrorKind::PermissionDenied | io::ErrorKind::NotADirectory))
}

/// Returns the error for a name that [`find`] does not find.
pub fn unknown(name: &str) -> String {
    let names: Vec<String> = names().iter().map(|name| printable(name).into_owned()).collect();
    format!("unknown theme {}; known themes: {}", printable(&cut(name)), names.join(", "))
}

/// Returns all themes, built-in ones first. Unreadable custom themes are omitted, or replaced by the built-in themes of
/// their names; their errors are shown when they are chosen by name.
pub fn all() -> Vec<Theme> {
    let readable =
        |name: &String| find(name).unwrap_or_else(|_| quadrille_scene::built_in(name).cloned());
    names().iter().filter_map(readable).collect()
}

fn names() -> Vec<String> {
    let mut names: Vec<String> = quadrille_scene::built_in_names().map(str::to_owned).collect();
    let entries = own_folder().and_then(|folder| fs::read_dir(folder).ok());
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

/// Returns whether a name is a valid file name that stays inside the folder.
fn is_file_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains('/') && !name.contains('\0')
}

/// Reads the custom theme of this name, if there is one.
fn own_theme(folder: &Path, name: &str) -> Result<Option<Theme>, ThemeError> {
    let path = folder.join(format!("{name}.toml"));
    let Some((shown, text)) = read::settings(&path)? else { return Ok(None) };
    Ok(Some(quadrille_scene::read(name, &shown, &text)?))
}
