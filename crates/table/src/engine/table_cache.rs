//! Engine tables stored on disk.

use quadrille_search::{NoTableCache, TableCache};
use quadrille_system::read::{self, Limit};
use quadrille_system::{disk, folders};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder of tables, one per file. The folder is a cache: a table that cannot be read or written counts as missing,
/// which is not an error. Files are written atomically, but their contents are untrusted.
#[derive(Clone, Debug)]
pub struct DiskTableCache {
    folder: PathBuf,
}

impl DiskTableCache {
    /// Creates a cache in this folder, which is created when the first table is stored.
    pub fn new(folder: &Path) -> DiskTableCache {
        DiskTableCache { folder: folder.to_owned() }
    }

    /// Returns the path of the file for a name; `None` if the name might lead out of the folder.
    fn path(&self, name: &str) -> Option<PathBuf> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let fits = !name.is_empty() && !name.starts_with('.') && name.chars().all(plain);
        fits.then(|| self.folder.join(name))
    }
}

impl TableCache for DiskTableCache {
    fn load(&self, name: &str) -> Option<Vec<u8>> {
        read::regular(&self.path(name)?, Limit::TABLE).ok()
    }

    fn store(&self, name: &str, bytes: &[u8]) {
        let Some(path) = self.path(name) else { return };
        if fs::create_dir_all(&self.folder).is_ok() {
            let _ = disk::replace(&path, bytes, None);
        }
    }
}

/// Returns the cache that keeps the engines' tables between runs. Without a cache folder, nothing is stored.
pub fn table_cache() -> Arc<dyn TableCache + Send> {
    match folders::cache() {
        Some(folder) => Arc::new(DiskTableCache::new(&folder)),
        None => Arc::new(NoTableCache),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cache_returns_the_last_stored_table() {
        let folder = tempfile::tempdir().unwrap();
        let table_cache = DiskTableCache::new(&folder.path().join("a/b"));
        assert_eq!(table_cache.load("quixo-4x4"), None);
        table_cache.store("quixo-4x4", b"one");
        table_cache.store("quixo-4x4", b"another");
        table_cache.store("quixo-3x3", b"");
        assert_eq!(table_cache.load("quixo-4x4").unwrap(), b"another");
        assert_eq!(DiskTableCache::new(&folder.path().join("a/b")).load("quixo-3x3").unwrap(), b"");
        let files = fs::read_dir(folder.path().join("a/b")).unwrap();
        assert_eq!(files.count(), 2, "no draft is left");
    }

    #[test]
    fn cache_rejects_names_outside_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let table_cache = DiskTableCache::new(&folder.path().join("a"));
        for name in ["", ".", "..", "../b", "/tmp/b", "b/c", ".b", "b\0"] {
            table_cache.store(name, b"one");
            assert_eq!(table_cache.load(name), None, "{name:?}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn cache_ignores_write_failures() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("a"), "a file").unwrap();
        let in_a_file = DiskTableCache::new(&folder.path().join("a"));
        in_a_file.store("b", b"one");
        assert_eq!(in_a_file.load("b"), None);
        fs::create_dir(folder.path().join("b")).unwrap();
        let with_a_folder = DiskTableCache::new(folder.path());
        with_a_folder.store("b", b"one");
        assert_eq!(with_a_folder.load("b"), None);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn oversized_cache_file_counts_as_missing() {
        let folder = tempfile::tempdir().unwrap();
        fs::File::create(folder.path().join("a")).unwrap().set_len(65 << 20).unwrap();
        assert_eq!(DiskTableCache::new(folder.path()).load("a"), None);
    }
}
