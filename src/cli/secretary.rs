//! Does on disk what the screens ask for: matches are written down move by move.

use super::{folders, librarian, plain};
use crate::app::runtime::{self, Ending, Host};
use crate::app::{App, Shelved, Sitting, Task};
use crate::catalogue;
use crate::play::{
    AnyMatch, Cupboard, Journal, Player, RecordFile, Shelf, ShelfError, StoreError, Unfinished,
};
use crate::printable::printable;
use crate::rules::Setup;
use crate::search::{NoStock, Stock};
use anyhow::{Context, bail};
use jiff::Zoned;
use jiff::tz::TimeZone;
use std::io::{Write, stderr};
use std::sync::Arc;

/// Runs the screens to their end, with a record of the user's own for the match they begin with.
pub(super) fn run(mut app: App, secretary: &mut Secretary) -> anyhow::Result<()> {
    secretary.tell_what_is_left(&mut app);
    if let Ok(shelf) = &secretary.shelf {
        app.remember(shelf.setups());
    }
    let ending = runtime::run(&mut app, secretary).context("terminal");
    for lost in secretary.put_away(&mut app) {
        // A terminal that has gone cannot be told.
        let _ = writeln!(stderr(), "{}", printable(&lost));
    }
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
        Secretary { shelf: open_shelf(), journal: None, file: None }
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
        let lost = table.change(|game| journal.replay(game)).err().map(|lost| lost.brief());
        table.point_near_last();
        let mut sitting = Sitting::at(entry, table, head.words, &head.names);
        sitting.shelved = Some(journal.id());
        self.journal = Some(journal);
        Ok((sitting, lost))
    }

    /// Writes the match on the screen down, in its journal and in the user's own record.
    fn save(&mut self, app: &mut App) {
        let Some(sitting) = app.sitting_mut() else { return };
        self.write_down(sitting);
        sitting.trouble = self.write_to_file(sitting).and_then(Result::err).map(|why| why.brief());
    }

    /// Brings the journal of a match up to date, or says in the match why not.
    fn write_down(&mut self, sitting: &mut Sitting) {
        let done = self
            .journal(sitting)
            .and_then(|journal| journal.record(sitting.game()).map_err(|why| why.brief()));
        sitting.unsaved = done.err().map(|why| format!("not saved: {why}"));
    }

    /// Brings the user's own record up to date, if one is kept of this match.
    fn write_to_file(&mut self, sitting: &Sitting) -> Option<Result<(), StoreError>> {
        let file = self.file.as_mut().filter(|_| sitting.recorded)?;
        Some(file.save(sitting.game()))
    }

    /// Writes down what could not be before.
    fn catch_up(&mut self, app: &mut App) {
        for sitting in app.unsaved_mut() {
            self.write_down(sitting);
        }
        self.journal = None;
    }

    /// The journal of a match, a new one if it has none yet.
    fn journal(&mut self, sitting: &mut Sitting) -> Result<&mut Journal, String> {
        if self.shelf.is_err() {
            self.shelf = open_shelf();
        }
        let shelf = self.shelf.as_ref().map_err(Clone::clone)?;
        let open = self.journal.take();
        let same = open.filter(|journal| sitting.shelved.as_ref() == Some(&journal.id()));
        // While the match was away, somebody else may have gone on with it, and then it is theirs.
        let again = || shelf.resume(sitting.shelved.as_ref()?).ok();
        let known = same.or_else(again).filter(|journal| journal.is_of(sitting.game()));
        let journal = known.unwrap_or_else(|| {
            let named: Vec<String> = sitting.given_names();
            // Names not remembered are no loss worth a word.
            let _ = shelf.remember(&named);
            let date = Zoned::now().date().to_string();
            shelf.begin(sitting.game(), &sitting.words, &sitting.names(), &date)
        });
        sitting.shelved = Some(journal.id());
        Ok(self.journal.insert(journal))
    }

    /// Lets the journal go; the shelf makes a record of a match that is over in it. A line for each
    /// match that is lost.
    fn put_away(&mut self, app: &mut App) -> Vec<String> {
        self.catch_up(app);
        let mut lost = Vec::new();
        for sitting in app.unsaved_mut() {
            if !matches!(self.write_to_file(sitting), Some(Ok(()))) {
                lost.extend(
                    sitting.unsaved.as_ref().map(|why| format!("{}: {why}", in_a_line(sitting))),
                );
            }
        }
        if let Ok(shelf) = &self.shelf {
            shelf.unfinished(&start);
        }
        lost
    }

    fn tell_what_is_left(&mut self, app: &mut App) {
        let Ok(shelf) = &self.shelf else { return };
        let (unfinished, damaged) = shelf.unfinished(&start);
        app.left(shelved(&unfinished), shelf.names());
        if let Some(first) = damaged.first().map(ShelfError::brief) {
            let more = match damaged.len() - 1 {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            app.said(&format!("{first}{more}"));
        }
    }

    fn discard(&mut self, id: &str, app: &mut App) {
        let Ok(shelf) = &self.shelf else { return };
        let done = shelf.discard(id);
        self.tell_what_is_left(app);
        if let Err(why) = done {
            app.said(&why.brief());
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
                app.said(&plain(&why));
            }
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
                self.catch_up(app);
                self.tell_what_is_left(app);
            }
            Task::Remember(setup) => {
                // A setup not remembered is no loss worth a word.
                let _ = self.shelf.as_ref().map(|shelf| shelf.remember_setup(*setup));
            }
            Task::Resume(id) => self.resume(&id, app),
            Task::Discard(id) => self.discard(&id, app),
            task => {
                let shelf = self.shelf.as_ref().map_err(Clone::clone);
                match shelf.and_then(|shelf| librarian::perform(shelf, task, app)) {
                    Ok(said) if said.is_empty() => {}
                    Ok(said) | Err(said) => app.said(&said),
                }
            }
        }
    }
}

fn open_shelf() -> Result<Shelf, String> {
    Shelf::open(&folders::state()?).map_err(|why| why.brief())
}

/// Opens a match of any game, for the shelf.
fn start(game: &str, setup: &Setup) -> Option<Box<dyn AnyMatch>> {
    (catalogue::find(game)?.start)(setup).ok()
}

/// What people call whoever is written down by these names.
fn called(names: &[String]) -> Vec<String> {
    names.iter().map(|name| Player::named(name).name().to_owned()).collect()
}

/// A match as a message names it: the game, the names, the score, how far it is.
fn in_a_line(sitting: &Sitting) -> String {
    let names = called(&sitting.names()).join(" - ");
    let score = sitting.score().map_or(String::new(), |score| format!(", {score}"));
    let ply = sitting.game().ply();
    let moves = if ply == 1 { "1 move".to_owned() } else { format!("{ply} moves") };
    format!("{}, {names}{score}, {moves}", sitting.entry.name)
}

/// What the screens say of matches that go on.
fn shelved(unfinished: &[Unfinished]) -> Vec<Shelved> {
    // Those that look alike are told apart by the time, as finely as it takes.
    let looks = |one: &Shelved| Shelved { id: String::new(), ..one.clone() };
    let mut all: Vec<Shelved> = unfinished.iter().map(|it| in_brief(it, 0)).collect();
    for fine in 1..FORMATS.len() {
        let shown: Vec<Shelved> = all.iter().map(looks).collect();
        let alike = |one: &Shelved| shown.iter().filter(|it| *it == one).count() > 1;
        for ((one, it), looks) in all.iter_mut().zip(unfinished).zip(&shown) {
            if alike(looks) {
                *one = in_brief(it, fine);
            }
        }
    }
    all
}

fn in_brief(match_: &Unfinished, fine: usize) -> Shelved {
    let head = &match_.head;
    let scores = match_.scores.iter().flatten().map(u32::to_string).collect::<Vec<_>>();
    Shelved {
        id: match_.id.clone(),
        game: catalogue::find(&head.game).map_or(&*head.game, |entry| entry.name).to_owned(),
        names: called(&head.names),
        score: scores.join("-"),
        ply: match_.ply,
        when: when(match_.written, fine).unwrap_or_default(),
    }
}

/// How a moment of today and one of another day are written, ever finer.
const FORMATS: [[&str; 2]; 3] = [
    ["%H:%M", "%Y-%m-%d"],
    ["%H:%M:%S", "%Y-%m-%d %H:%M"],
    ["%H:%M:%S%.3f", "%Y-%m-%d %H:%M:%S%.3f"],
];

/// A moment, as one would say it today: the time, or the date.
fn when(moment: std::time::SystemTime, fine: usize) -> Option<String> {
    let moment = jiff::Timestamp::try_from(moment).ok()?.to_zoned(TimeZone::system());
    let another_day = usize::from(Zoned::now().date() != moment.date());
    Some(moment.strftime(FORMATS.get(fine)?[another_day]).to_string())
}
