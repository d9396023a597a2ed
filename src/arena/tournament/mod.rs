//! Tournaments: many games between players without people, over many setups.

mod chair;
mod file;
mod folder;
mod game;
mod game_line;
mod keys;
mod merge;
mod plan;
mod ranges;
mod results;
mod run;
mod schedule;
mod shard;
mod stop;
mod terms;
mod watch;

pub use chair::Host;
pub use file::{Problem, read};
pub use folder::FolderError;
pub use game::Forfeit;
pub use game_line::{Ending, GameLine, Points};
pub use merge::{Merged, merge};
pub use plan::{Contestant, Format, Openings, Plan, Time};
pub use results::{
    Against, Elo, Hypothesis, LostBy, Played, Results, Row, Sprt, SprtSettings, Table, Tally,
    Verdict,
};
pub use run::{Outcome, Tell, Tournament};
pub use schedule::{Fixture, Reason, Schedule};
pub use shard::{ParseShardError, Shard};
pub use stop::Stop;
pub use watch::{Stage, UnderWay, View, Watch};
