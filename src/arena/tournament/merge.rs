//! Merging the parts of a tournament that was played in shards.

use super::folder::{FolderContents, write_merged};
use super::run::results;
use super::{GameLine, Shard, TournamentTable, terms};
use std::path::{Path, PathBuf};

/// The result of a merge.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The table of all parts.
    pub table: TournamentTable,
    /// How many games were found.
    pub games: u64,
    /// How many games the whole schedule has.
    pub all_games: u64,
    /// What is missing, a sentence each.
    pub missing: Vec<String>,
}

/// Merges the folders of parts into the folder `out`. It is an error if the parts are of different tournaments, or if a
/// part is given twice. Missing games are no error.
pub fn merge(folders: &[PathBuf], out: &Path) -> Result<Merged, String> {
    let mut parts: Vec<(&Path, FolderContents)> = Vec::new();
    for folder in folders {
        let contents = FolderContents::read(folder).map_err(|why| why.to_string())?;
        if let Some((first, other)) = parts.first() {
            let [there, here] = [other, &contents].map(|it| it.schedule.plan().terms());
            let [there_count, here_count] = [other, &contents].map(|it| it.shard.count);
            let differs = terms::difference(&there, &here);
            let differs = differs.or_else(|| {
                (there_count != here_count)
                    .then(|| format!("parts was {there_count} and is {here_count}"))
            });
            if let Some(what) = differs {
                let [first, folder] = [first, &&**folder].map(|it| it.display());
                return Err(format!(
                    "{folder}: it is not a part of the tournament in {first}: {what}"
                ));
            }
        }
        if let Some((same, _)) = parts.iter().find(|(_, it)| it.shard == contents.shard) {
            let (folder, same, shard) = (folder.display(), same.display(), contents.shard);
            return Err(format!("{folder}: part {shard} is in {same} already"));
        }
        parts.push((folder, contents));
    }
    parts.sort_by_key(|(_, it)| it.shard);
    let Some((_, FolderContents { schedule, shard: Shard { count, .. }, .. })) = parts.first()
    else {
        return Err("there are no folders to merge".to_owned());
    };
    let is_out = |folder: &&Path| same_folder(folder, out);
    if let Some((folder, _)) = parts.iter().find(|(folder, _)| is_out(folder)) {
        return Err(format!("{}: it cannot be merged into itself", folder.display()));
    }
    let mut missing = Vec::new();
    for number in 1..=*count {
        let shard = Shard { number, count: *count };
        let all = shard.games(schedule);
        match parts.iter().find(|(_, it)| it.shard == shard) {
            None => missing.push(format!("part {shard} is missing, with {all} games")),
            Some((folder, it)) if (it.lines.len() as u64) < all => {
                let left = all - it.lines.len() as u64;
                let are = if left == 1 { "is" } else { "are" };
                missing.push(format!("{}: {left} of {all} games {are} missing", folder.display()));
            }
            Some(_) => {}
        }
    }
    let mut lines: Vec<(GameLine, &Path)> = Vec::new();
    for (folder, it) in &parts {
        lines.extend(it.lines.iter().map(|line| (line.clone(), *folder)));
    }
    lines.sort_by_key(|(line, _)| line.game);
    let table = results(schedule, lines.iter().map(|(line, _)| line)).table();
    write_merged(out, schedule, &lines, &table).map_err(|why| why.to_string())?;
    Ok(Merged { table, games: lines.len() as u64, all_games: schedule.games(), missing })
}

fn same_folder(folder: &Path, other: &Path) -> bool {
    let [folder, other] = [folder, other].map(Path::canonicalize);
    folder.is_ok_and(|folder| other.is_ok_and(|other| folder == other))
}
