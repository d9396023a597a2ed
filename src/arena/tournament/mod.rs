//! Tournaments: many games between engines and programs, over many setups.
//!
//! [`read`] makes a [`TournamentPlan`] of a file, and a [`Schedule`] computes its games. [`Tournament`] plays them into
//! a folder, and [`LiveTournament`] is what others see of it meanwhile. [`Results`] makes the [`TournamentTable`].
//!
//! ```
//! use quadrille::arena::tournament::{Schedule, read};
//! use quadrille::toml_file::Source;
//! use std::sync::Arc;
//!
//! let text = r#"
//! game = "quixo"
//! setups = ["size=3", "size=4"]
//! rounds = 5
//! out = "results"
//! players = [{ engine = "casual" }, { engine = "strong" }]
//! "#;
//! let plan = read(Source { file: "first.toml", text }, &|_, _| Ok(())).unwrap();
//! let schedule = Schedule::new(Arc::new(plan)).unwrap();
//! // Two setups, five rounds, and seats exchanged.
//! assert_eq!(schedule.games(), 20);
//! assert_eq!(schedule.fixture(2).unwrap().players, [1, 0]);
//! ```

mod file;
mod folder;
mod game;
mod game_line;
mod growth;
mod keys;
mod live;
mod merge;
mod plan;
mod player_pool;
mod ranges;
mod results;
mod run;
mod schedule;
mod seat_times;
mod shard;
mod stop;
mod terms;

pub use file::read;
pub use folder::{FolderError, order_in};
pub use game_line::{Ending, GameLine, Points};
pub use growth::Extent;
pub use live::{LiveTournament, Stage, TournamentStatus, UnderWay};
pub use merge::Parts;
pub use plan::{
    Contestant, Openings, PlannedSetup, SetupOrder, Time, TournamentFormat, TournamentPlan,
};
pub use player_pool::Resources;
pub use results::{
    Against, Difference, Elo, Hypothesis, KindRow, KindTable, LostBy, PlayedGame, PlayerRow,
    Results, Sprt, SprtSettings, SprtVerdict, Tally, TextPart, TextTable, TournamentTable,
};
pub use run::{RunOutcome, Tell, Tournament};
pub use schedule::{Fixture, Schedule, ScheduleError};
pub use shard::{ParseShardError, Shard};
pub use stop::Stop;
