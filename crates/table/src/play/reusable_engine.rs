//! An engine that is reused between requests.

use super::catch;
use crate::catalogue::GameEntry;
use crate::engine::AnyEngine;

/// The last engine, with its tables. A different game or a failure replaces the engine.
#[derive(Default)]
pub struct ReusableEngine(Option<(&'static str, Box<dyn AnyEngine>)>);

impl ReusableEngine {
    /// Runs work with the engine of a game. A panic of the engine becomes the error, and the next call creates a new
    /// engine.
    pub fn work<T>(
        &mut self,
        entry: &GameEntry,
        work: impl FnOnce(&mut dyn AnyEngine) -> T,
    ) -> Result<T, String> {
        let same = self.0.take().filter(|(id, _)| *id == entry.id);
        let (id, mut engine) = same.unwrap_or_else(|| (entry.id, (entry.engine)()));
        let done = catch(|| work(&mut *engine))?;
        self.0 = Some((id, engine));
        Ok(done)
    }

    /// Drops the engine and its tables.
    pub fn forget(&mut self) {
        self.0 = None;
    }
}
