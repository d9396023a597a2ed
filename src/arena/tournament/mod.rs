//! Tournaments: many games between players without people, over many setups.

mod game_line;
mod results;
mod watch;

pub use game_line::{Ending, GameLine, Points};
pub use results::{Played, Results, Row, Table};
pub use watch::{Stage, UnderWay, View, Watch};
