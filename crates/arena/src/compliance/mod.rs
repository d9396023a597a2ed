//! Checks how well a program conforms to UGI, the Universal Game Interface. Each failed check tells the author what to
//! change.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "measures programs")]

mod checks;
mod program;

use program::{CheckResult, TestedProgram};
use quadrille_table::catalogue::{GAMES, GameEntry};
use quadrille_table::play::program::Launcher;

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The name of the check.
    pub name: String,
    /// `Ok` with a remark, which may be empty, or `Err` with the fault and what to change.
    pub outcome: Result<String, String>,
    /// The last lines that the program wrote to standard error, if the check failed.
    pub errors: Vec<String>,
}

/// The function that performs a check.
type CheckFn<'a> = dyn FnMut(&mut TestedProgram) -> CheckResult + 'a;

/// Checks a program in `game`. Without a game, uses the games listed in the program's `Game` option, or all games if it
/// has no such option. Calls `tell` after each check. Returns the number of checks and the number of failures.
pub fn check(
    launcher: Launcher,
    command: Vec<String>,
    game: Option<&'static GameEntry>,
    tell: &mut dyn FnMut(&Check),
) -> (usize, usize) {
    let mut program = TestedProgram::new(launcher, command);
    let (mut checks, mut failed) = (0, 0);
    let mut run = |program: &mut TestedProgram, name: &str, check: &mut CheckFn<'_>| {
        let outcome = check(program);
        checks += 1;
        let mut errors = Vec::new();
        if outcome.is_err() {
            failed += 1;
            errors = program.errors();
            // The next check restarts the program, so one failure does not cause another.
            program.end();
        }
        let is_passed = outcome.is_ok();
        tell(&Check { name: name.to_owned(), outcome, errors });
        is_passed
    };
    let rng = &mut fastrand::Rng::with_seed(1);
    let mut games = Vec::new();
    // A program that fails one of these checks is not checked further.
    let is_ready = run(&mut program, "hand-shake", &mut TestedProgram::introduce)
        && run(&mut program, "options", &mut |program| {
            games = game.map_or_else(|| program.games(), |game| vec![game]);
            checks::options(program, game)
        })
        && run(&mut program, "ready in time", &mut |program| checks::ready(program, games[0]));
    if is_ready {
        for game in &games {
            let name = format!("legal moves in {}", game.id);
            run(&mut program, &name, &mut |program| checks::legal_moves(program, game, rng));
            let name = format!("a whole game of {}", game.id);
            run(&mut program, &name, &mut |program| checks::whole_game(program, game, rng));
        }
        for (name, check) in checks::ALL {
            run(&mut program, name, &mut |program| check(program, games[0]));
        }
    }
    (checks, failed)
}

/// Returns the names of all games, for a message.
fn all_games() -> String {
    GAMES.map(|game| game.id).join(", ")
}
