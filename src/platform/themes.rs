//! The built-in themes, and custom themes, which are files in the config folder.

use super::{file, folders};
use crate::printable::printable;
use crate::scene::{self, Theme};
use crate::wording::cut;
use std::path::Path;
use std::{fs, io};

/// Returns the theme of this name, if there is one. Custom themes take precedence over built-in ones.
pub fn find(name: &str) -> anyhow::Result<Option<Theme>> {
    let own = folders::config().filter(|_| is_file_name(name));
    let own = own.and_then(|folder| own_theme(&folder.join("themes"), name).transpose());
    match (own, scene::built_in(name)) {
        (Some(Err(why)), Some(built_in)) if is_out_of_reach(&why) => Ok(Some(built_in.clone())),
        (Some(own), _) => own.map(Some),
        (None, built_in) => Ok(built_in.cloned()),
    }
}

/// Returns whether the config folder cannot be opened or is not a folder. The settings file reports that problem.
fn is_out_of_reach(why: &anyhow::Error) -> bool {
    let error = why.root_cause().downcast_ref::<io::Error>();
    error.is_some_and(|error| {
        matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::NotADirectory)
    })
}

/// Returns the error for a name that [`find`] does not find.
pub fn unknown(name: &str) -> String {
    let names: Vec<String> = names().iter().map(|name| printable(name).into_owned()).collect();
    format!("unknown theme {}; known themes: {}", printable(&cut(name)), names.join(", "))
}

/// Returns all themes, built-in ones first. Invalid custom themes are omitted; their errors are shown when they are
/// chosen by name.
pub fn all() -> Vec<Theme> {
    names().iter().filter_map(|name| find(name).ok().flatten()).collect()
}

fn names() -> Vec<String> {
    let mut names: Vec<String> = scene::built_in_names().map(str::to_owned).collect();
    let entries = folders::config().and_then(|folder| fs::read_dir(folder.join("themes")).ok());
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
fn own_theme(folder: &Path, name: &str) -> anyhow::Result<Option<Theme>> {
    let path = folder.join(format!("{name}.toml"));
    let Some((shown, text)) = file::settings(&path)? else { return Ok(None) };
    Ok(Some(scene::read(name, &shown, &text)?))
}
