//! Reads many files of a folder in pieces, so that key presses do not wait for all of them. A file is reread only if it
//! has changed.

use crate::store::StoredFile;
use std::collections::HashMap;

/// The files of a folder, with the result for each.
pub struct BatchLoader<T> {
    files: Vec<StoredFile>,
    /// The result for each file by its id, and the state of the file when it was read.
    known: HashMap<String, (StoredFile, T)>,
    /// The number of files processed so far, including unchanged ones.
    passed: usize,
    /// The value of `passed` when the app was last notified.
    shown: usize,
}

/// The maximum number of files to read between two key presses.
const PIECE: usize = 16;
/// The number of bytes to read before handling the next key press.
const BYTES: u64 = 1 << 18;

impl<T> Default for BatchLoader<T> {
    fn default() -> BatchLoader<T> {
        BatchLoader { files: Vec::new(), known: HashMap::new(), passed: 0, shown: 0 }
    }
}

impl<T> BatchLoader<T> {
    /// Sets the files, in reading order. Keeps the results of unchanged files.
    pub fn renew(&mut self, files: Vec<StoredFile>) {
        let mut before = std::mem::take(&mut self.known);
        let same = files.iter().filter_map(|file| {
            before.remove_entry(&file.id).filter(|(_, (state, _))| state == file)
        });
        self.known = same.collect();
        (self.files, self.passed, self.shown) = (files, 0, 0);
    }

    pub fn files(&self) -> &[StoredFile] {
        &self.files
    }

    /// Returns the number of unread files.
    pub fn remaining(&self) -> usize {
        self.files.len() - self.passed
    }

    pub fn has_more(&self) -> bool {
        self.remaining() > 0
    }

    /// Reads more files. Returns whether to notify the app. That is the case at the end, and whenever the number of
    /// files has doubled, because each notification passes the whole list.
    ///
    /// If `look` returns `None`, the file is read again next time.
    pub fn go_on(&mut self, mut look: impl FnMut(&StoredFile) -> Option<T>) -> bool {
        let (mut looks, mut bytes) = (0, 0);
        while looks < PIECE
            && bytes < BYTES
            && let Some(file) = self.files.get(self.passed)
        {
            self.passed += 1;
            if !self.known.contains_key(&file.id) {
                looks += 1;
                bytes += file.bytes;
                if let Some(found) = look(file) {
                    self.known.insert(file.id.clone(), (file.clone(), found));
                }
            }
        }
        let worth_showing = self.passed >= 2 * self.shown || !self.has_more();
        if worth_showing {
            self.shown = self.passed;
        }
        worth_showing
    }

    /// Reads the given files now, before all others.
    pub fn look_at(
        &mut self,
        wanted: impl Fn(&StoredFile) -> bool,
        mut look: impl FnMut(&StoredFile) -> Option<T>,
    ) {
        for file in self.files.iter().filter(|file| wanted(file)) {
            if !self.known.contains_key(&file.id)
                && let Some(found) = look(file)
            {
                self.known.insert(file.id.clone(), (file.clone(), found));
            }
        }
    }

    /// Returns the result for the file with this id, if the file was read.
    pub fn get(&self, id: &str) -> Option<&T> {
        self.known.get(id).map(|(_, found)| found)
    }

    pub fn forget(&mut self, id: &str) {
        self.known.remove(id);
    }

    /// Returns the results so far, in file order.
    pub fn found(&self) -> impl Iterator<Item = (&StoredFile, &T)> {
        let passed = self.files[..self.passed].iter();
        passed.filter_map(|file| self.known.get(&file.id).map(|(_, found)| (file, found)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    /// Creates files with ids counted from 0. The file `changed` has a later modification time.
    fn files(count: usize, changed: Option<usize>) -> Vec<StoredFile> {
        let file = |n: usize| StoredFile {
            id: n.to_string(),
            path: n.to_string().into(),
            written: SystemTime::UNIX_EPOCH + Duration::from_secs(u64::from(changed == Some(n))),
            bytes: 0,
        };
        (0..count).map(file).collect()
    }

    /// Reads all remaining files. Returns which files were read, and the total number of entries passed to the app.
    fn look(loader: &mut BatchLoader<usize>) -> (Vec<usize>, usize) {
        let (mut looked, mut told) = (Vec::new(), 0);
        while loader.has_more() {
            let before = looked.len();
            let worth_showing = loader.go_on(|file| {
                let number = file.id.parse().ok()?;
                looked.push(number);
                Some(number)
            });
            assert!(looked.len() - before <= PIECE, "no key waits long");
            if worth_showing {
                told += loader.found().count();
            }
        }
        (looked, told)
    }

    #[test]
    fn loader_reads_each_file_once() {
        let mut loader = BatchLoader::default();
        loader.renew(files(5000, None));
        let (looked, told) = look(&mut loader);
        assert!(looked.into_iter().eq(0..5000) && told < 4 * 5000, "{told} were told");
        assert!(loader.found().map(|(_, number)| *number).eq(0..5000));
    }

    #[test]
    fn loader_rereads_only_changed_files() {
        let mut loader = BatchLoader::default();
        loader.renew(files(5000, None));
        look(&mut loader);
        loader.renew(files(5001, Some(7)));
        let mut first = Vec::new();
        loader.look_at(
            |file| file.id == "5000" || file.id == "6",
            |file| {
                first.push(file.id.clone());
                Some(5000)
            },
        );
        assert_eq!(first, ["5000"]);
        assert_eq!(look(&mut loader), (vec![7], 5001));
        loader.forget("3");
        loader.renew(files(4999, Some(7)));
        assert_eq!(look(&mut loader), (vec![3], 4999));
    }

    #[test]
    fn loader_rereads_files_without_a_result() {
        let mut loader: BatchLoader<()> = BatchLoader::default();
        for _ in 0..2 {
            loader.renew(files(1, None));
            let mut looks = 0;
            assert!(loader.go_on(|_| {
                looks += 1;
                None
            }));
            assert_eq!((looks, loader.found().count()), (1, 0));
        }
    }
}
