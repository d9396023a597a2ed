//! Tournaments: many games between players without people, over many setups.

mod game_line;
mod results;
mod watch;

pub use game_line::{Ending, GameLine, Points};
pub use results::{
    Against, Elo, Hypothesis, LostBy, Played, Results, Row, Sprt, SprtSettings, Table, Tally,
    Verdict,
};
pub use watch::{Stage, UnderWay, View, Watch};
