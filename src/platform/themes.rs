//! The built-in themes, and the user's own, which are files in the config folder.

use super::{file, folders};
use crate::printable::printable;
use crate::scene::{self, Theme};
use crate::wording::cut;
use std::path::Path;
use std::{fs, io};

/// Returns the theme of this name, if there is one. The user's own themes come before the built-in ones.
pub fn find(name: &str) -> anyhow::Result<Option<Theme>> {
    let own = folders::config().filter(|_| is_file_name(name));
    let own = own.and_then(|folder| own_theme(&folder.join("themes"), name).transpose());
    match (own, scene::built_in(name)) {
        (Some(Err(why)), Some(built_in)) if is_out_of_reach(&why) => Ok(Some(built_in.clone())),
        (Some(own), _) => own.map(Some),
        (None, built_in) => Ok(built_in.cloned()),
    }
}

/// Returns whether this user cannot open the config folder, or it is no folder. The settings file then reports that.
fn is_out_of_reach(why: &anyhow::Error) -> bool {
    let error = why.root_cause().downcast_ref::<io::Error>();
    error.is_some_and(|error| {
        matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::NotADirectory)
    })
}

/// Returns the error for a name that [`find`] does not know.
pub fn unknown(name: &str) -> String {
    let names: Vec<String> = names().iter().map(|name| printable(name).into_owned()).collect();
    format!("unknown theme {}; known themes: {}", printable(&cut(name)), names.join(", "))
}

/// Returns all themes, built-in ones first. The user's own themes with errors are left out; the error shows when such a
/// theme is chosen by name.
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

/// Returns whether a name can be a file name, and does not lead out of the folder.
fn is_file_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains('/') && !name.contains('\0')
}

/// Reads the theme in the user's file of this name, if there is one.
fn own_theme(folder: &Path, name: &str) -> anyhow::Result<Option<Theme>> {
    let path = folder.join(format!("{name}.toml"));
    let Some((shown, text)) = file::settings(&path)? else { return Ok(None) };
    Ok(Some(scene::read(name, &shown, &text)?))
}
