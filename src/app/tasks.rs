//! The requests that the app makes to the terminal, the disk and the engines.

use super::Question;
use crate::settings::Settings;
use quadrille_match::store::LastSetup;
use quadrille_match::store::progress::Event;
use quadrille_rules::Seat;
use quadrille_scene::Theme;
use quadrille_scene::svg::Svg;

/// A task to carry out before the next key is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    Terminal(TerminalTask),
    /// A task for the [`Host`](super::Host) to perform.
    Disk(DiskTask),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TerminalTask {
    /// Restore the terminal, and suspend the process until the shell continues it.
    Suspend,
    Quit,
    Mouse(bool),
    Redraw,
    Bell,
    /// Restore the terminal while ssh prompts for a password.
    LogIn,
    /// Copy this text to the clipboard, if the terminal supports this (OSC 52).
    Copy(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskTask {
    /// Save the changes to the match on the screen.
    Save,
    /// The user left the match on the screen.
    Close,
    /// Save the settings that changed. The values are the old and the new settings.
    Set(Box<[Settings; 2]>),
    /// Store the setup of a game for [`App::remember`](super::App::remember).
    Remember(Box<LastSetup>),
    /// Append these events to the recorded progress. The app has already added them to its own copy.
    Append(Vec<Event>),
    /// Begin the user's own numbers anew.
    StartOver,
    /// Open a table for a match with guests and this setup.
    OpenTable(Box<LastSetup>),
    /// Resume the unfinished match with this id.
    Resume(String),
    /// Delete the unfinished match with this id.
    Discard(String),
    Records(RecordTask),
    /// Read the record of a tournament game for [`App::game_record`](super::App::game_record). The arguments are the
    /// number of the game in the schedule, and the path of the record in the tournament's folder.
    Game(u64, String),
    /// Move the match on the screen to a table that guests can join, and offer this seat to a guest too.
    Invite(Option<Seat>),
    /// Save the record of a match as a file in the current folder, and show its path. The arguments are the id of the
    /// game, and the text.
    SaveRecord(&'static str, String),
    /// Draw the GIF of a match and save it as a file. [`App::gif_done`](super::App::gif_done) ends the task. The
    /// arguments are the id of the game, the record, and the theme.
    Gif(&'static str, String, &'static Theme),
    /// Stop drawing the GIF.
    StopGif,
    /// Save a picture of a match to a file, and show the path of the file. The arguments are the id of the game, and
    /// the picture.
    Picture(&'static str, Box<Svg>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordTask {
    /// List the records for [`App::records`](super::App::records).
    List,
    /// Read the record with this id for [`App::open_replay`](super::App::open_replay).
    Read(String),
    /// Read the record with this id for [`App::open_mistakes`](super::App::open_mistakes).
    Mistakes(String),
    /// Rename a record. [`App::renamed`](super::App::renamed) handles the new id.
    Rename {
        id: String,
        to: String,
    },
    Delete(String),
    /// Replay the records with these ids, or all, and count their results for [`App::counted`](super::App::counted).
    Count(Option<Vec<String>>),
    Export {
        id: String,
        to: String,
    },
}

/// A task for the engines. The engines work on one question at a time, so each task replaces the previous one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineTask {
    /// Think about this question, and report to [`App::engine_event`](super::App::engine_event) with this ticket.
    Think(u64, Box<Question>),
    Rest,
}

impl From<TerminalTask> for Task {
    fn from(task: TerminalTask) -> Task {
        Task::Terminal(task)
    }
}

impl From<DiskTask> for Task {
    fn from(task: DiskTask) -> Task {
        Task::Disk(task)
    }
}

impl From<RecordTask> for Task {
    fn from(task: RecordTask) -> Task {
        Task::Disk(DiskTask::Records(task))
    }
}
