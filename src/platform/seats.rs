//! Checks before a match: whether each engine can play it, and whether each program exists.

use crate::catalogue::GameEntry;
use crate::search::Level;
use crate::session::{Match, Player, PositionSpec, ProgramSeat};
use std::env;
use std::path::Path;

/// Checks that each engine can play this match at its level.
pub fn check_levels(entry: &GameEntry, game: &Match, players: &[Player]) -> Result<(), String> {
    for player in players {
        if player.engine().is_none() {
            continue;
        }
        let time = Level::patience(player.time().unwrap_or_default());
        if let Ok(horizon) = (entry.engine)().horizon(&PositionSpec::to(game), time) {
            player.check_level(horizon)?;
        }
    }
    Ok(())
}

/// Returns the program of a command if it does not exist. A path is relative to `folder`; a name without `/` is looked
/// up in `PATH`.
pub fn missing_program(program: &ProgramSeat, folder: &Path) -> Option<String> {
    let name = program.words().into_iter().next()?;
    let is_there = if name.contains('/') {
        folder.join(&name).is_file()
    } else {
        let folders = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&folders).any(|folder| folder.join(&name).is_file())
    };
    (!is_there).then_some(name)
}
