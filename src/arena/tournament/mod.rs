//! Tournaments: many games between players without people, over many setups.

mod file;
mod game_line;
mod plan;
mod ranges;
mod results;
mod schedule;
mod shard;
mod watch;

pub use file::{Problem, read};
pub use game_line::{Ending, GameLine, Points};
pub use plan::{Contestant, Format, Hypotheses, Openings, Plan, Time};
pub use results::{Played, Results, Row, Table};
pub use schedule::{Fixture, Reason, Schedule};
pub use shard::{ParseShardError, Shard};
pub use watch::{Stage, UnderWay, View, Watch};
