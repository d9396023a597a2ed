//! Whether a program speaks UGI well: a list of checks, each of which says what to mend.

mod checks;
mod program;

use crate::catalogue::{Entry, GAMES};
use crate::play::program::Launcher;
use program::Program;

/// What a check has come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What was looked at.
    pub name: String,
    /// What there is to tell, or what is wrong.
    pub outcome: Result<String, String>,
    /// The last lines that the program has written to its standard error, if something is wrong.
    pub errors: Vec<String>,
}

/// Checks a program in these games; without any, in those that it names, and in all if it names none. Each
/// check is told as soon as it is done. How many there were, and how many have failed.
pub fn check(
    launcher: Launcher,
    command: Vec<String>,
    game: Option<&'static Entry>,
    tell: &mut dyn FnMut(&Check),
) -> (usize, usize) {
    let mut checker =
        Checker { program: Program::new(launcher, command), tell, checks: 0, failed: 0 };
    let rng = &mut fastrand::Rng::with_seed(1);
    checker.run("hand-shake".to_owned(), Program::introduce);
    if checker.failed == 0 {
        checker.run("options".to_owned(), |program| checks::options(program, game));
    }
    // Without them there is nothing that could be asked.
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
    program: Program,
    tell: &'a mut dyn FnMut(&Check),
    checks: usize,
    failed: usize,
}

impl Checker<'_> {
    fn run(&mut self, name: String, check: impl FnOnce(&mut Program) -> Result<String, String>) {
        let outcome = check(&mut self.program);
        let mut errors = Vec::new();
        self.checks += 1;
        if outcome.is_err() {
            self.failed += 1;
            errors = self.program.errors();
            // What is wrong here shall not be wrong with the next check too.
            self.program.end();
        }
        (self.tell)(&Check { name, outcome, errors });
    }
}

/// The names of all games, for a message.
fn all_games() -> String {
    GAMES.map(|game| game.id).join(", ")
}
