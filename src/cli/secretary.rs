//! Does on disk what the screens ask for: matches written down move by move, and the library.

use super::{file, folders};
use crate::app::runtime::{self, Ending, Host};
use crate::app::{App, Kept, Shelved, Sitting, Task};
use crate::catalogue;
use crate::play::{AnyMatch, Cupboard, Journal, Player, RecordFile, Shelf, ShelfError, Unfinished};
use crate::rules::Setup;
use crate::search::{NoStock, Stock};
use anyhow::{Context, bail};
use jiff::Zoned;
use jiff::tz::TimeZone;
use std::path::Path;
use std::sync::Arc;

/// Runs the screens to their end, with a record of the user's own for the match they begin with.
pub(super) fn run(mut app: App, secretary: &mut Secretary) -> anyhow::Result<()> {
    secretary.tell_what_is_left(&mut app);
    let ending = runtime::run(&mut app, secretary).context("terminal");
    secretary.put_away();
    match ending? {
        Ending::Gone => bail!("the terminal has gone"),
        ending => Ok(ending.pass_on()?),
    }
}

/// Who keeps the books.
pub(super) struct Secretary {
    /// Where matches are kept, or why nowhere.
    shelf: Result<Shelf, String>,
    /// The journal of the match on the screen.
    journal: Option<Journal>,
    /// The record that the user asked for.
    pub file: Option<RecordFile>,
}

impl Secretary {
    /// With the shelf in the user's state folder.
    pub fn new() -> Secretary {
        let shelf =
            folders::state().and_then(|folder| Shelf::open(&folder).map_err(|e| e.to_string()));
        Secretary { shelf, journal: None, file: None }
    }

    /// The match that was left last, to go on with.
    pub fn latest(&mut self) -> anyhow::Result<Sitting> {
        let shelf = self.shelf.as_ref().map_err(|why| anyhow::anyhow!("{why}"))?;
        let (unfinished, _) = shelf.unfinished(&start);
        let Some(latest) = unfinished.first() else { bail!("there is no match to go on with") };
        let (sitting, lost) = self.take_up(&latest.id.clone())?;
        match lost {
            // What is whole is gone on with, and the loss is told in the match.
            Some(lost) => Ok(Sitting { trouble: Some(lost), ..sitting }),
            None => Ok(sitting),
        }
    }

    /// Takes a match up again; the sentence says what of it is lost.
    fn take_up(&mut self, id: &str) -> anyhow::Result<(Sitting, Option<String>)> {
        let shelf = self.shelf.as_ref().map_err(|why| anyhow::anyhow!("{why}"))?;
        let mut journal = shelf.resume(id)?;
        let head = journal.head().clone();
        let entry = catalogue::find(&head.game)
            .with_context(|| format!("{id}: there is no game {}", head.game))?;
        let mut table = (entry.open)(&head.setup).with_context(|| id.to_owned())?;
        let lost = table.change(|game| journal.replay(game)).err().map(|lost| lost.to_string());
        let mut sitting = Sitting::at(entry, table, head.words, &head.names);
        sitting.shelved = Some(journal.id());
        self.journal = Some(journal);
        Ok((sitting, lost))
    }

    /// Writes the match on the screen down, in its journal and in the user's own record.
    fn save(&mut self, app: &mut App) {
        let Some(sitting) = app.sitting_mut() else { return };
        let journal = self.journal(sitting);
        let trouble = match journal.map(|journal| journal.record(sitting.game())) {
            Err(why) => Some(why),
            Ok(done) => done.err().map(|why| why.to_string()),
        };
        let trouble = trouble.map(|why| format!("this match is not being saved: {why}"));
        let in_file = match &mut self.file {
            Some(file) if sitting.recorded => file.save(sitting.game()).err(),
            _ => None,
        };
        // Of two, the user's own file comes first; neither hides that there is one.
        sitting.trouble = in_file.map(|why| why.to_string()).or(trouble);
    }

    /// The journal of a match, a new one if it has none yet.
    fn journal(&mut self, sitting: &mut Sitting) -> Result<&mut Journal, String> {
        let shelf = self.shelf.as_ref().map_err(Clone::clone)?;
        let open = self.journal.take();
        let same = open.filter(|journal| sitting.shelved.as_ref() == Some(&journal.id()));
        let journal = same.unwrap_or_else(|| {
            let named: Vec<String> = sitting.given_names();
            // Names not remembered are no loss worth a word.
            let _ = shelf.remember(&named);
            let date = Zoned::now().date().to_string();
            shelf.begin(sitting.game(), &sitting.words, &sitting.names(), &date)
        });
        sitting.shelved = Some(journal.id());
        Ok(self.journal.insert(journal))
    }

    /// Lets the journal go; the shelf makes a record of a match that is over in it.
    fn put_away(&mut self) {
        self.journal = None;
        if let Ok(shelf) = &self.shelf {
            shelf.unfinished(&start);
        }
    }

    fn tell_what_is_left(&mut self, app: &mut App) {
        let Ok(shelf) = &self.shelf else { return };
        let (unfinished, damaged) = shelf.unfinished(&start);
        app.left(unfinished.iter().map(shelved).collect(), shelf.names());
        if let Some(first) = damaged.first() {
            let more = match damaged.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            app.said(&format!("{first}{more}"));
        }
    }

    fn resume(&mut self, id: &str, app: &mut App) {
        match self.take_up(id) {
            Ok((sitting, lost)) => {
                app.begin(sitting);
                if let Some(lost) = lost {
                    app.said(&lost);
                }
            }
            Err(why) => {
                self.tell_what_is_left(app);
                app.said(&format!("{why:#}"));
            }
        }
    }

    /// What concerns the library.
    fn librarian(&mut self, task: Task, app: &mut App) -> Result<String, String> {
        let shelf = self.shelf.as_ref().map_err(Clone::clone)?;
        let said = |done: Result<String, ShelfError>| done.map_err(|why| why.to_string());
        match task {
            Task::ListRecords => {
                let (entries, damaged) = shelf.records();
                let kept = entries.into_iter().map(|entry| Kept {
                    result: entry.result + if entry.agreed { ", agreed" } else { "" },
                    id: entry.id,
                    game: entry.game,
                    names: entry.names.iter().map(|name| called(name)).collect(),
                    date: entry.date,
                    plies: entry.length,
                });
                app.records(kept.collect(), damaged);
                Ok(String::new())
            }
            Task::ReadRecord(id) => {
                let opened = shelf.read(&id).map_err(anyhow::Error::from).and_then(file::play);
                app.open_replay(opened.map_err(|why| format!("{id}: {why:#}"))?.sitting());
                Ok(String::new())
            }
            Task::Rename { id, to } => {
                said(shelf.rename(&id, &to).map(|new| format!("renamed to {new}")))
            }
            Task::Delete(id) => said(shelf.delete(&id).map(|()| format!("deleted {id}"))),
            Task::Export { id, to } => {
                said(shelf.export(&id, Path::new(&to)).map(|()| format!("written to {to}")))
            }
            _ => Ok(String::new()),
        }
    }
}

impl Host for Secretary {
    fn stock(&self) -> Arc<dyn Stock + Send> {
        match folders::cache() {
            Some(folder) => Arc::new(Cupboard::new(&folder)),
            None => Arc::new(NoStock),
        }
    }

    fn perform(&mut self, task: Task, app: &mut App) {
        match task {
            Task::Save => self.save(app),
            Task::Close => {
                self.journal = None;
                self.tell_what_is_left(app);
            }
            Task::Resume(id) => self.resume(&id, app),
            task => match self.librarian(task, app) {
                Ok(said) if said.is_empty() => {}
                Ok(said) | Err(said) => app.said(&said),
            },
        }
    }
}

/// Opens a match of any game, for the shelf.
fn start(game: &str, setup: &Setup) -> Option<Box<dyn AnyMatch>> {
    (catalogue::find(game)?.start)(setup).ok()
}

/// What people call whoever is written down by this name.
fn called(name: &str) -> String {
    Player::named(name).name().to_owned()
}

fn shelved(match_: &Unfinished) -> Shelved {
    let head = &match_.head;
    let name = catalogue::find(&head.game).map_or(&*head.game, |entry| entry.name);
    let scores = match_.scores.iter().flatten().map(u32::to_string).collect::<Vec<_>>().join("-");
    let score = if scores.is_empty() { scores } else { format!("  {scores}") };
    let names: Vec<String> = head.names.iter().map(|name| called(name)).collect();
    let names = names.join(" - ");
    Shelved {
        id: match_.id.clone(),
        line: format!("{name}  {names}{score}  move {}", match_.ply + 1),
        when: when(match_.written).unwrap_or_default(),
    }
}

/// A moment, as one would say it today: the time, or the date.
fn when(moment: std::time::SystemTime) -> Option<String> {
    let moment = jiff::Timestamp::try_from(moment).ok()?.to_zoned(TimeZone::system());
    let today = Zoned::now().date() == moment.date();
    Some(moment.strftime(if today { "%H:%M" } else { "%Y-%m-%d" }).to_string())
}
