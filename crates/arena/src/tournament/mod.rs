//! Tournaments: many games between engines and programs, over many setups.
//!
//! [`read`] parses a file into a [`TournamentPlan`], and a [`Schedule`] computes its games. [`Tournament`] plays the
//! games and stores them in a folder, while [`LiveTournament`] exposes the current state to observers. [`Results`]
//! builds the [`TournamentTable`].
//!
//! ```
//! use quadrille_arena::tournament::{Schedule, read};
//! use quadrille_text::toml_file::Source;
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
//! # The schedule
//!
//! A [`Schedule`] is not a list: the players, the setup and the opening of a game are computed from the game's number.
//! The games of a set (with two seats, a pair with seats exchanged) have consecutive numbers; a [`Shard`] contains
//! every n-th set. With more seats, it matters who draws after whom, so each set has its own cyclic order, drawn using
//! only the seed. The setups of a round are shuffled in the same way. Therefore, a number means the same game in
//! every shard, and played games can be checked against the schedule. A schedule consists of blocks of rounds that
//! contain the same games. There is only one block unless the tournament was extended after it had started (`growth`).
//!
//! # Playing
//!
//! [`Tournament::open`] opens the folder, and [`Tournament::play`] runs a thread for each concurrent game. A thread
//! takes the next game from the shared `RunState` and plays it; the only other shared state is the `PlayerPool`. The
//! thread that called `play` writes the finished games, reports them and adds them to the `RunState`. A game is a
//! [`Table`](quadrille_table::play::Table), as in interactive play. Players are reused between games, so programs are
//! not restarted and engines keep their tables. A thread waits in a single `poll` for the engine's wake-ups or the
//! program's output, and for the [`Stop`], which wakes all threads when it is closed. After sending a command to a
//! program, a thread busy-waits for the reply for a tenth of a millisecond, because a fast program replies sooner than
//! a sleeping thread wakes up.
//!
//! A game is timed by a `Stopwatch`, which is paused while a program starts and while the process is suspended. Players
//! may have different clocks (`SeatTimes`), so the session itself has none. Each game has its own seeds. An engine
//! limited by positions instead of time ([`Contestant::is_repeatable`]) starts each game with a new instance and does
//! not use the table cache, so its games are reproducible. The number of possible threads is determined by starting
//! them, each with the memory it may need; if fewer can be started, fewer games run concurrently.
//!
//! # Files and statistics
//!
//! The files stay consistent even if the program is killed (`folder`). Lines are written in the order in which games
//! end, and sorted in schedule order once all games have been played. `schedule.json` contains everything that
//! determines the games. The sequential test ([`Sprt`]) receives sets only in schedule order, and no game starts far
//! ahead of the set that the test is waiting for; games after the end of the test are discarded. Therefore, the games
//! do not depend on the concurrency.
//!
//! [`Results`] counts games in any order and can build a [`TournamentTable`] at any time. Points are counted per game,
//! strength per set: the results between two players are histograms of sets by half points, from which Elo, its error
//! and the likelihood of superiority of two players are computed. `rating` places more than two players on one scale by
//! maximum likelihood; the errors are estimated from the variance of the sets of each group of players. Unknown values
//! are omitted: an [`Elo`] is unknown, known, or a lower or upper bound; fewer than eight sets, or identical sets, give
//! no error; and no table contains an infinite number. `kinds` compares the counts of each kind of setup with those of
//! all games by a permutation test.
//!
//! Threads report to a [`LiveTournament`], which wakes its reader once until the next read, so tests can use it without
//! any thread. A read returns everything that is new.

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
pub use folder::{FolderContents, keep_orders};
pub use game_line::{Ending, GameLine, Points};
pub use growth::Extent;
pub use live::{LiveTournament, Stage, TournamentStatus, UnderWay};
pub use merge::Parts;
pub use plan::{
    Contestant, Openings, PlannedSetup, SeatOrder, SetupOrder, Time, TournamentFormat,
    TournamentPlan,
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
