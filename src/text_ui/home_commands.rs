//! Commands of the home screen whose line says what to open.

use super::TextUi;
use super::names::{quoted, split};
use crate::action::Action;
use crate::app::{App, Command, Task};
use quadrille_puzzles::{PuzzleSet, Rush};
use quadrille_table::catalogue;
use quadrille_text::wording::{either, list};

impl TextUi {
    pub(super) fn refuse_at_home(&mut self, text: &str) -> Vec<Task> {
        let (first, _) = split(text);
        let mut words = Action::ALL.iter().flat_map(|action| action.words().split_whitespace());
        if words.any(|word| word == first) {
            self.print(format!("{} is not available here.", quoted(first)));
        } else {
            let games = either(&catalogue::GAMES.map(|entry| entry.id));
            self.print(format!("Unknown game {}. Choose {games}.", quoted(text)));
        }
        Vec::new()
    }

    /// Runs a command of the home screen, which has so many entries. The rest of the line says what to open.
    pub(super) fn run_at_home(
        &mut self,
        command: &Command,
        rest: &str,
        length: usize,
        app: &mut App,
    ) -> Vec<Task> {
        match command.words().first().map_or("", |word| word) {
            "play" if rest.is_empty() => {
                self.print_again(app);
                Vec::new()
            }
            "play" => self.on_list_line(rest, app),
            "puzzle" => match rest.strip_prefix("mistakes") {
                Some(number) => {
                    let commands = app.commands();
                    let records = commands.iter().find(|command| command.is_named("records"));
                    let line = format!("puzzles {}", number.trim());
                    records.map_or_else(Vec::new, |records| self.run(records, &line, app))
                }
                None => match course(rest, app) {
                    Ok(course) => app.open_course(course),
                    Err(why) => {
                        self.print(why);
                        Vec::new()
                    }
                },
            },
            _ if command.action().is_some() => self.run_on_list(command, rest, length, app),
            _ => self.run(command, rest, app),
        }
    }
}

/// Returns the puzzle course that the words ask for. The error is a sentence.
fn course(words: &str, app: &App) -> Result<PuzzleSet, String> {
    let (first, rest) = split(words);
    let game = |name: &str| match catalogue::named(name) {
        _ if name.is_empty() => Ok(None),
        Ok(entry) if quadrille_puzzles::of(entry.id).next().is_some() => Ok(Some(entry.id)),
        _ => Err(format!(
            "{} has no puzzles. Choose {}.",
            quoted(name),
            list(quadrille_puzzles::games())
        )),
    };
    match first {
        "daily" => {
            let daily = quadrille_puzzles::daily(app.today(), game(rest)?);
            daily.map(PuzzleSet::Daily).ok_or_else(|| "There is no daily puzzle today.".to_owned())
        }
        "rush" => Ok(PuzzleSet::Rush(Rush::new(game(rest)?))),
        id => match quadrille_puzzles::find(&id.to_lowercase()) {
            Some(puzzle) => Ok(PuzzleSet::One(puzzle.clone())),
            None => Ok(PuzzleSet::AtMyLevel(game(words)?)),
        },
    }
}
