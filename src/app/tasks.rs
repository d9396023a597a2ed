//! What the app has others do: the terminal, the disk, and the thread of engines.

use super::Question;
use crate::scene::svg::Svg;
use crate::session::LastSetup;
use crate::settings::Settings;

/// What is to be done before the next key is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Task {
    /// The loop does it itself.
    Terminal(TerminalTask),
    /// The [`Host`](super::runtime::Host) does it.
    Disk(DiskTask),
}

/// What is asked of the terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerminalTask {
    /// Give it back and stop until the shell continues us.
    Suspend,
    /// Give it back for good, and end the loop.
    Quit,
    /// Have it report what the mouse does, or keep that for itself.
    Mouse(bool),
    /// Ring its bell.
    Bell,
}

/// What is asked of the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskTask {
    /// Bring what is written of the match on the screen up to date.
    Save,
    /// The match that was on the screen has been left.
    Close,
    /// Keep what is set in the second of these and not in the first.
    Set(Box<[Settings; 2]>),
    /// Keep how a game has been set up, for [`App::remember`](super::App::remember).
    Remember(Box<LastSetup>),
    /// Go on with the match of this id, that was left.
    Resume(String),
    /// Delete the match of this id, that was left.
    Discard(String),
    /// Do this with the records of finished matches.
    Records(RecordTask),
    /// Read the record of a game of the tournament, for [`App::game_record`](super::App::game_record): its
    /// number in the schedule, and its file from the tournament's folder on.
    Game(u64, String),
    /// Keep this picture of a match of the game with this id as a file, and say where.
    Picture(&'static str, Box<Svg>),
}

/// What is asked of the disk about the records of finished matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordTask {
    /// Look which there are, for [`App::records`](super::App::records).
    List,
    /// Read the one of this id, for [`App::open_replay`](super::App::open_replay).
    Read(String),
    /// Give one another id, for [`App::renamed`](super::App::renamed).
    Rename {
        /// The present one.
        id: String,
        /// The new one.
        to: String,
    },
    /// Delete the one of this id.
    Delete(String),
    /// Play those of these ids again, for [`App::counted`](super::App::counted).
    Count(Vec<String>),
    /// Write one to a file.
    Export {
        /// Which.
        id: String,
        /// The path of the file.
        to: String,
    },
}

/// What is asked of the thread of engines. It does one thing at a time, so each takes the place of the
/// one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineTask {
    /// Think about this, and tell of it by [`App::heard`](super::App::heard) under this ticket.
    Think(u64, Box<Question>),
    /// Think no more.
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
