//! Checking that a program speaks UGI, the Universal Game Interface, well. A check that fails says what to change.

mod checks;
mod program;

use crate::catalogue::{GAMES, GameEntry};
use crate::play::program::Launcher;
use program::{CheckResult, TestedProgram};

/// The result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was checked.
    pub name: String,
    /// A remark, which may be empty; or what is wrong and what to change.
    pub outcome: Result<String, String>,
    /// If it failed, the last lines that the program wrote to its standard error.
    pub errors: Vec<String>,
}

/// What a check does.
type CheckFn<'a> = dyn FnMut(&mut TestedProgram) -> CheckResult + 'a;

/// Checks a program in `game`; without one, in the games that its option `Game` names, or in all games if it has no
/// such option. `tell` is called after each check. Returns how many checks there were, and how many failed.
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
            // The next check starts the program afresh, so one failure does not cause another.
            program.end();
        }
        let is_passed = outcome.is_ok();
        tell(&Check { name: name.to_owned(), outcome, errors });
        is_passed
    };
    let rng = &mut fastrand::Rng::with_seed(1);
    let mut games = Vec::new();
    // A program that fails one of these is not checked further.
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

/// The names of all games, for a message.
fn all_games() -> String {
    GAMES.map(|game| game.id).join(", ")
}
