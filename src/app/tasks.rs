//! What the app asks of others: the terminal, the disk, and the engines.

use super::Question;
use crate::rules::Seat;
use crate::scene::svg::Svg;
use crate::settings::Settings;
use crate::store::LastSetup;
use crate::store::progress::Event;

/// A task to carry out before the next key is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// A task for the loop itself.
    Terminal(TerminalTask),
    /// A task for the [`Host`](super::Host).
    Disk(DiskTask),
}

/// A task that concerns the terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TerminalTask {
    /// Restore it and suspend the process until the shell continues it.
    Suspend,
    /// Restore it and end the loop.
    Quit,
    /// Make it report the mouse, or keep it to itself.
    Mouse(bool),
    /// Draw the whole screen, whatever stands there.
    Redraw,
    /// Ring its bell.
    Bell,
    /// Give it back while ssh asks for a password there.
    LogIn,
    /// Put this text on the clipboard, where the terminal can (OSC 52).
    Copy(String),
}

/// A task that concerns the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskTask {
    /// Save what is new in the match on the screen.
    Save,
    /// The match on the screen was left.
    Close,
    /// Save the settings that differ: from the first to the second.
    Set(Box<[Settings; 2]>),
    /// Save how a game was set up, for [`App::remember`](super::App::remember).
    Remember(Box<LastSetup>),
    /// Write down what was done. The app knows it already.
    Append(Vec<Event>),
    /// Open a table for a match with guests, which is set up like this.
    OpenTable(Box<LastSetup>),
    /// Resume the unfinished match with this id.
    Resume(String),
    /// Delete the unfinished match with this id.
    Discard(String),
    /// A task with the records of finished matches.
    Records(RecordTask),
    /// Read the record of a game of the tournament, for [`App::game_record`](super::App::game_record): its
    /// number in the schedule, and the path of its file in the tournament's folder.
    Game(u64, String),
    /// Move the match on the screen to a table that guests can come to, and give this seat to a guest as well.
    Invite(Option<Seat>),
    /// Save a picture of a match as a file, and say where: the id of the game, and the picture.
    Picture(&'static str, Box<Svg>),
}

/// A task with the records of finished matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordTask {
    /// List the records, for [`App::records`](super::App::records).
    List,
    /// Read the record with this id, for [`App::open_replay`](super::App::open_replay).
    Read(String),
    /// Read it, for [`App::open_mistakes`](super::App::open_mistakes).
    Mistakes(String),
    /// Rename a record, for [`App::renamed`](super::App::renamed).
    Rename {
        /// The present id.
        id: String,
        /// The new id.
        to: String,
    },
    /// Delete the record with this id.
    Delete(String),
    /// Play the records with these ids again and count their results, for
    /// [`App::counted`](super::App::counted).
    Count(Vec<String>),
    /// Copy a record to a file.
    Export {
        /// The id of the record.
        id: String,
        /// The path of the file.
        to: String,
    },
}

/// A task for the engines. They work on one question at a time, so each task replaces the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineTask {
    /// Think about this, and tell of it by [`App::engine_event`](super::App::engine_event) under this ticket.
    Think(u64, Box<Question>),
    /// Stop thinking.
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
