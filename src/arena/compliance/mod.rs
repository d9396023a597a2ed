//! Checking that a program speaks UGI, the Universal Game Interface, well. A check that fails says what to change.

mod checks;
mod program;

use crate::catalogue::{GAMES, GameEntry};
use crate::play::program::Launcher;
use program::TestedProgram;

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

/// Checks a program in `game`; without one, in the games that its option `Game` names, or in all games if it has no
/// such option. `tell` is called after each check. Returns how many checks there were, and how many failed.
pub fn check(
    launcher: Launcher,
    command: Vec<String>,
    game: Option<&'static GameEntry>,
    tell: &mut dyn FnMut(&Check),
) -> (usize, usize) {
    let mut checker =
        Checker { program: TestedProgram::new(launcher, command), tell, checks: 0, failed: 0 };
    let rng = &mut fastrand::Rng::with_seed(1);
    checker.run("hand-shake".to_owned(), TestedProgram::introduce);
    if checker.failed == 0 {
        checker.run("options".to_owned(), |program| checks::options(program, game));
    }
    // A program that fails the hand-shake, the options or "ready in time" is not checked further.
    if checker.failed == 0 {
        let games = game.map_or_else(|| checker.program.games(), |game| vec![game]);
        checker.run("ready in time".to_owned(), |program| checks::ready(program, games[0]));
        if checker.failed > 0 {
            return (checker.checks, checker.failed);
        }
        for game in &games {
            let name = format!("legal moves in {}", game.id);
            checker.run(name, |program| checks::legal_moves(program, game, rng));
            let name = format!("a whole game of {}", game.id);
            checker.run(name, |program| checks::whole_game(program, game, rng));
        }
        for (name, check) in checks::ALL {
            checker.run(name.to_owned(), |program| check(program, games[0]));
        }
    }
    (checker.checks, checker.failed)
}

struct Checker<'a> {
    program: TestedProgram,
    tell: &'a mut dyn FnMut(&Check),
    checks: usize,
    failed: usize,
}

impl Checker<'_> {
    fn run(
        &mut self,
        name: String,
        check: impl FnOnce(&mut TestedProgram) -> Result<String, String>,
    ) {
        let outcome = check(&mut self.program);
        let mut errors = Vec::new();
        self.checks += 1;
        if outcome.is_err() {
            self.failed += 1;
            errors = self.program.errors();
            // The next check starts the program afresh, so one failure does not cause another.
            self.program.end();
        }
        (self.tell)(&Check { name, outcome, errors });
    }
}

/// The names of all games, for a message.
fn all_games() -> String {
    GAMES.map(|game| game.id).join(", ")
}
