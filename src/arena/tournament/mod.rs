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
//!
//! # Which games there are
//!
//! A [`Schedule`] is no list: which players meet in a game, on which setup and with which opening, is computed from the
//! number of the game. The games of a set (with two seats, a pair with seats exchanged) are neighbours; a [`Shard`] has
//! every n-th set. The setups of a round are shuffled by the seed alone. So numbers mean the same in every shard, and
//! games that were played can be checked against the schedule. It is made of blocks, rounds that have the same games;
//! there is one unless something was added to a tournament that had begun (`growth`).
//!
//! # How they are played
//!
//! [`Tournament::open`] opens the folder, and [`Tournament::play`] runs a thread for each game at a time. A thread
//! takes the next game from the shared `RunState` and plays it; nothing else is shared but the `PlayerPool`. The thread
//! that called `play` writes the finished games, tells of them and enters them in the `RunState`. A game is an
//! [`Table`](crate::play::Table), as at a table. A player is kept between games, so programs need not start
//! again and engines keep their tables. A thread sleeps in one `poll` on the engine's bell or the program's output, and
//! on the [`Stop`], which wakes all of them by being closed. After a question to a program it first looks for the
//! answer for a tenth of a millisecond without sleeping, as a quick program answers sooner than a sleeping thread
//! wakes.
//!
//! A game has its time from a `Stopwatch`, which stands still while a program is started and while the process is
//! suspended. Players may have different clocks (`SeatTimes`), so the session has none. Each game has its own seeds. An
//! engine that counts positions instead of time ([`Contestant::is_repeatable`]) begins each game afresh and without the
//! table cache, so it repeats its games to the letter. How many threads there can be is found out by starting them,
//! each with the memory that it may need; fewer games are played at once where there are fewer.
//!
//! # What is written, and counted
//!
//! The files are whole whenever the program is killed (`folder`). Lines stand in the order in which games ended, and
//! are put in the order of the schedule once all is played. `schedule.json` has all that decides which games there are.
//! The sequential test ([`Sprt`]) sees sets only in the order of the schedule, and no game begins far ahead of the one
//! it waits for; what was played beyond its end is taken away. So the games do not depend on how many are played at
//! once.
//!
//! [`Results`] counts games in any order and makes a [`TournamentTable`] of them at any time. Points are counted game
//! by game, strength by whole sets: what two players got from each other is a list of how many sets gave how many half
//! points, which gives Elo, its error and the likelihood of superiority for two. `rating` puts more players on one
//! scale, by maximum likelihood; its errors follow from how the sets of each group of players scatter. Superiority is
//! read from the interval in Elo, so the two never contradict each other. Both leave out what cannot be known: an
//! [`Elo`] is unknown, known, or on one side of a bound; fewer than eight sets, or sets that are all alike, give no
//! error; and no infinite number comes into a table. `kinds` compares the counts of each kind of setup with those of
//! all games by a permutation test.
//!
//! Threads report to a [`LiveTournament`], which rings a bell once until somebody looks, so tests feed one without any
//! thread. A look takes what is new.

mod file;
mod folder;
mod game;
mod game_line;
mod growth;
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
pub use folder::{FolderContents, order_in};
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
