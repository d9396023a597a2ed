//! Merges the shards of a tournament.

use super::folder::{FolderContents, is_unwritten, merge_into};
use super::run::results;
use super::{GameLine, Shard, TournamentTable, terms};
use quadrille_text::wording::counted;
use std::cmp::Ordering;
use std::path::{Path, PathBuf};

/// The shards of one tournament, read from their folders.
#[derive(Debug)]
pub struct Parts {
    /// The shards in ascending order, at least one.
    parts: Vec<(PathBuf, FolderContents)>,
}

impl Parts {
    /// Reads the folders of the shards. Returns an error if they belong to different tournaments or if a shard occurs
    /// twice. Missing games are not an error, and neither is a shard whose run was killed before it wrote anything.
    pub fn read(folders: &[PathBuf]) -> Result<Parts, String> {
        let mut parts: Vec<(PathBuf, FolderContents)> = Vec::new();
        for folder in folders {
            if is_unwritten(folder).unwrap_or(false) {
                continue;
            }
            let contents = FolderContents::read(folder)?;
            if let Some((first, other)) = parts.first() {
                let [there, here] = [other, &contents].map(|part| part.schedule.plan().terms());
                let [there_count, here_count] = [other, &contents].map(|part| part.shard.count);
                let differs = terms::difference(&there, &here);
                let differs = differs.or_else(|| {
                    (there_count != here_count).then(|| {
                        format!("the number of parts was {there_count} and is {here_count}")
                    })
                });
                if let Some(what) = differs {
                    let [first, folder] = [first, folder].map(|path| path.display());
                    return Err(format!(
                        "{folder}: not a part of the tournament in {first}: {what}"
                    ));
                }
            }
            if let Some((same, _)) = parts.iter().find(|(_, part)| part.shard == contents.shard) {
                let (folder, same, shard) = (folder.display(), same.display(), contents.shard);
                return Err(format!("{folder}: part {shard} is already in {same}"));
            }
            parts.push((folder.clone(), contents));
        }
        if parts.is_empty() {
            return Err("nothing merged: no part has been started".to_owned());
        }
        parts.sort_by_key(|(_, part)| part.shard);
        Ok(Parts { parts })
    }

    fn first(&self) -> &FolderContents {
        &self.parts[0].1
    }

    /// Returns the number of games in the shards and in the whole schedule.
    pub fn games(&self) -> (u64, u64) {
        let games = self.parts.iter().map(|(_, part)| part.lines.len() as u64).sum();
        (games, self.first().schedule.games())
    }

    /// Describes what is missing, one sentence for each range of consecutive shards or for the missing games of a
    /// shard.
    pub fn missing(&self) -> Vec<String> {
        let FolderContents { schedule, shard: Shard { count, .. }, .. } = self.first();
        let shard = |number| Shard { number, count: *count };
        let gap = |from: u32, to: u32| {
            let games: u64 = (from..=to).map(|number| shard(number).games(schedule)).sum();
            let games = counted(games as usize, "game", "games");
            let [first, last] = [from, to].map(shard);
            match from.cmp(&to) {
                Ordering::Greater => None,
                Ordering::Equal => Some(format!("part {first} is missing, with {games}")),
                Ordering::Less => {
                    Some(format!("parts {first} to {last} are missing, with {games}"))
                }
            }
        };
        let mut missing = Vec::new();
        let mut next = 1;
        for (folder, part) in &self.parts {
            missing.extend(gap(next, part.shard.number - 1));
            next = part.shard.number + 1;
            let all = part.shard.games(schedule);
            let left = all - part.lines.len() as u64;
            let are = if left == 1 { "is" } else { "are" };
            if left > 0 {
                let folder = folder.display();
                missing.push(format!("{folder}: {left} of {all} games {are} missing"));
            }
        }
        missing.extend(gap(next, *count));
        missing
    }

    /// Adds all games of the shards to the folder `out`. Returns its table and the number of its games.
    pub fn merge(&self, out: &Path) -> Result<(TournamentTable, u64), String> {
        let is_out = |folder: &Path| same_folder(folder, out);
        if let Some((folder, _)) = self.parts.iter().find(|(folder, _)| is_out(folder)) {
            return Err(format!("{}: cannot be merged into itself", folder.display()));
        }
        let schedule = &self.first().schedule;
        let mut lines: Vec<(GameLine, &Path)> = Vec::new();
        for (folder, part) in &self.parts {
            lines.extend(part.lines.iter().map(|line| (line.clone(), &**folder)));
        }
        let (mut folder, lines) = merge_into(out, schedule, &lines)?;
        let table = results(schedule, &lines).table();
        folder.save(&table)?;
        Ok((table, lines.len() as u64))
    }
}

fn same_folder(folder: &Path, other: &Path) -> bool {
    let [folder, other] = [folder, other].map(Path::canonicalize);
    folder.is_ok_and(|folder| other.is_ok_and(|other| folder == other))
}
