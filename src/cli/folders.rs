//! Where files are kept that nobody names.

use crate::engine::DiskTableCache;
use crate::search::{NoTableCache, TableCache};
use etcetera::base_strategy::{BaseStrategy, Xdg};
use std::path::PathBuf;
use std::sync::Arc;

/// The folder for what is kept between two runs, be it there or not: `$XDG_STATE_HOME/quadrille`,
/// which is `~/.local/state/quadrille` unless the user has said otherwise. The error is one
/// sentence.
pub(super) fn state() -> Result<PathBuf, String> {
    let none = "there is no home folder to keep matches in";
    let folder = Xdg::new().ok().and_then(|folders| folders.state_dir());
    folder
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join("quadrille"))
        .ok_or_else(|| none.to_owned())
}

/// The folder for what can be made again, if there is a place for one: `$XDG_CACHE_HOME/quadrille`,
/// which is `~/.cache/quadrille` unless the user has said otherwise.
pub(super) fn cache() -> Option<PathBuf> {
    let folder = Xdg::new().ok()?.cache_dir();
    folder.is_absolute().then(|| folder.join("quadrille"))
}

/// Where engines keep their tables: nowhere, if there is no folder for it.
pub(super) fn table_cache() -> Arc<dyn TableCache + Send> {
    match cache() {
        Some(folder) => Arc::new(DiskTableCache::new(&folder)),
        None => Arc::new(NoTableCache),
    }
}

/// The folder for the user's settings and own themes, if there is a place for one: `$XDG_CONFIG_HOME/quadrille`,
/// which is `~/.config/quadrille` unless the user has said otherwise.
pub(super) fn config() -> Option<PathBuf> {
    let folder = Xdg::new().ok()?.config_dir();
    folder.is_absolute().then(|| folder.join("quadrille"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_folder_is_a_place_of_its_own_or_there_is_none() {
        match super::state() {
            Ok(folder) => assert!(folder.is_absolute() && folder.ends_with("quadrille")),
            Err(reason) => assert_eq!(reason, "there is no home folder to keep matches in"),
        }
        assert!(
            super::cache().is_none_or(|cache| cache.is_absolute() && cache.ends_with("quadrille"))
        );
    }
}
