//! Does on disk what the library asks for.

use super::{file, plain};
use crate::app::{App, Counted, Kept, Task};
use crate::play::{Entry, Player, Record, Shelf, ShelfError};
use std::collections::HashSet;
use std::path::{Path, absolute};

/// Does a task of the library; in one line what was done, if that is worth a word, or why not.
pub(super) fn perform(shelf: &Shelf, task: Task, app: &mut App) -> Result<String, String> {
    let brief = |why: ShelfError| why.brief();
    match task {
        Task::ListRecords => {
            let (entries, damaged) = shelf.records();
            let damaged = damaged.iter().map(ShelfError::brief).collect();
            app.records(entries.into_iter().map(kept).collect(), damaged);
        }
        Task::ReadRecord(id) => {
            let opened = shelf.read(&id).map_err(brief).and_then(|record| {
                file::play(record).map_err(|why| format!("{} ({id})", plain(&why)))
            });
            app.open_replay(opened?.sitting());
        }
        Task::Count(ids) => app.counted(&count(shelf, &ids)),
        Task::Rename { id, to } => {
            let new = shelf.rename(&id, &to).map_err(brief)?;
            app.renamed(&id, &new);
            return Ok(format!("renamed to {new}"));
        }
        Task::Delete(id) => {
            shelf.delete(&id).map_err(brief)?;
            return Ok(format!("deleted {id}"));
        }
        Task::Export { id, to } => {
            shelf.export(&id, Path::new(&to)).map_err(brief)?;
            let path = absolute(&to).unwrap_or_else(|_| to.into());
            return Ok(format!("written to {}", path.display()));
        }
        _ => {}
    }
    Ok(String::new())
}

fn kept(entry: Entry) -> Kept {
    Kept {
        result: entry.result + if entry.agreed { ", agreed" } else { "" },
        id: entry.id,
        game: entry.game,
        names: entry.names.iter().map(|name| Player::named(name).name().to_owned()).collect(),
        date: entry.date,
        plies: entry.length,
    }
}

/// Plays records again, to count those of which the moves show the result, each match once.
fn count(shelf: &Shelf, ids: &[String]) -> Counted {
    let (entries, _) = shelf.records();
    let mut counted = Counted::default();
    let mut known = HashSet::new();
    for entry in entries.into_iter().filter(|entry| ids.contains(&entry.id)) {
        let Ok(record) = shelf.read(&entry.id) else { continue };
        let moves = record.moves().join(" ");
        match result_of(record) {
            Some(result) if entry.result.is_empty() || entry.result == result => {
                let copy = (entry.game.clone(), entry.names.clone(), entry.date.clone(), moves);
                if known.insert(copy) {
                    counted.kept.push(kept(Entry { result, ..entry }));
                } else {
                    counted.copies += 1;
                }
            }
            _ => counted.unsound += 1,
        }
    }
    counted
}

/// The result that the moves of a record lead to, if they can be played.
fn result_of(record: Record) -> Option<String> {
    let mut opened = file::play(record).ok()?;
    let game = opened.table.game_mut();
    opened.record.update(game);
    opened.record.tag("Result").map(str::to_owned)
}
