//! The statistics: the user's results and ratings in each game, and head-to-head results.

use super::Context;
use super::command::{Command, Commands};
use super::menu::Menu;
use super::news::{CountedRecords, News};
use super::screen::{About, Effect, Input, Screen};
use super::scroll::Scroll;
use super::statistics::{GameStatistics, NO_RESULTS, Pair, Statistics, game_name};
use super::tasks::{DiskTask, RecordTask};
use super::text_field::TextField;
use crate::action::Action;
use crate::view::{Chart, ChartView, Phrase, View};
use quadrille_match::session::{EngineSeat, Player};
use quadrille_match::store::progress::Event;

pub(super) struct StatisticsScreen {
    /// The ids of the records to count; `None` for all.
    scope: Option<Vec<String>>,
    statistics: Statistics,
    /// A note about matches that are excluded or not yet counted; may be empty.
    footnote: String,
    /// Whether counting is complete and found no results.
    is_empty: bool,
    scroll: Scroll,
    typing: Option<(Renaming, TextField)>,
    /// Why a name was refused, until the next key.
    message: Option<String>,
}

/// The name that is being typed.
#[derive(Clone, Debug)]
enum Renaming {
    From,
    To(String),
}

#[derive(Clone, Debug)]
enum StatisticsCommand {
    /// Gives the first player the second name.
    Rename(String, String),
    StartOver,
}

impl StatisticsScreen {
    pub fn new(scope: Option<Vec<String>>, context: &Context) -> StatisticsScreen {
        StatisticsScreen {
            scope,
            statistics: compute(&CountedRecords::default(), context),
            footnote: String::new(),
            is_empty: false,
            scroll: Scroll::default(),
            typing: None,
            message: None,
        }
    }

    /// Shows the results of the records that have named players and a known result.
    fn show(&mut self, counted: &CountedRecords, context: &Context) {
        self.footnote = counted.note();
        self.statistics = compute(counted, context);
        self.is_empty = self.statistics.pairs.is_empty() && counted.remaining == 0;
    }

    fn count_again(&self) -> Effect {
        Effect::run(RecordTask::Count(self.scope.clone()))
    }

    /// Closes the text field and uses its text. A refused text stays for correction.
    fn finish_typing(&mut self, context: &Context) -> Vec<Effect> {
        let Some((renaming, field)) = self.typing.take() else { return Vec::new() };
        let name = field.text().trim().to_owned();
        if name.is_empty() {
            return Vec::new();
        }
        let refused = match (&renaming, Player::check_name(&name)) {
            (_, Err(why)) => Some(why),
            (Renaming::To(from), Ok(())) if *from == name => {
                Some(format!("{name} is the same player already"))
            }
            _ => None,
        };
        if refused.is_some() {
            (self.message, self.typing) = (refused, Some((renaming, field)));
            return Vec::new();
        }
        match renaming {
            Renaming::From => {
                let name = context.progress.current_name(&name).to_owned();
                self.typing = Some((Renaming::To(name), TextField::default()));
                Vec::new()
            }
            Renaming::To(from) => vec![self.ask_to_rename(from, name, context)],
        }
    }

    fn ask_to_rename(&self, from: String, to: String, context: &Context) -> Effect {
        let to_now = context.progress.current_name(&to);
        let mut players =
            self.statistics.pairs.iter().flat_map(|pair| [&*pair.first, &*pair.second]);
        let exists = to_now != to || to == self.statistics.name || players.any(|name| name == to);
        let merged = (exists && to_now != from)
            .then(|| format!("The results of {from} and {to} are merged."));
        let kept = "Records keep the old name.".to_owned();
        let title = format!("Rename {from} to {to}?");
        let rename = StatisticsCommand::Rename(from, to);
        let menu = Menu::new(title)
            .with_lines(merged.into_iter().chain([kept]).collect())
            .no("Cancel")
            .yes("Rename", [Effect::command(rename)]);
        Effect::open(menu.with_about("Counts all records of the first name for the second."))
    }

    fn perform(&mut self, action: Action, context: &Context) -> Option<Vec<Effect>> {
        self.message = None;
        match action {
            Action::RenamePlayer => {
                let field = TextField::new(&self.statistics.name);
                self.typing = Some((Renaming::From, field));
            }
            Action::StartOver => return Some(vec![ask_to_start_over()]),
            Action::Confirm => return Some(self.finish_typing(context)),
            Action::Cancel => self.typing = None,
            action => return self.scroll.input(&Input::Action(action), &context.feedback),
        }
        Some(Vec::new())
    }

    fn run_command(&self, command: &StatisticsCommand, context: &Context) -> Vec<Effect> {
        let change = match command {
            StatisticsCommand::Rename(from, to) => {
                let (from, to) = (from.clone(), to.clone());
                DiskTask::Append(vec![Event::Rename { at: context.moment(), from, to }])
            }
            StatisticsCommand::StartOver => DiskTask::StartOver,
        };
        vec![Effect::run(change), self.count_again()]
    }
}

fn compute(counted: &CountedRecords, context: &Context) -> Statistics {
    Statistics::of(counted, &context.progress, context.usual_name(), context.today())
}

fn ask_to_start_over() -> Effect {
    let lines = [
        "Your matches, wins, ratings, puzzles, rushes, streak and accuracy begin anew.",
        "Records and the results of other players stay.",
    ];
    let menu = Menu::new("Start over?")
        .with_lines(lines.map(str::to_owned).to_vec())
        .no("Cancel")
        .yes("Start over", [Effect::command(StatisticsCommand::StartOver)]);
    Effect::open(menu.with_about("This cannot be undone."))
}

fn chart(game: &GameStatistics, is_ascii: bool) -> Chart<'_> {
    let name = Phrase::strong(game.entry.name);
    let facts = game.facts(is_ascii).into_iter().map(Phrase::plain);
    let level =
        game.suggested_level().map(|level| format!("suggested: {}", EngineSeat::new(level).name()));
    let words = [name].into_iter().chain(facts).chain(level.map(Phrase::dim)).collect();
    let history = game.strength.as_ref().map_or(&[][..], |strength| &strength.history);
    Chart { words, history }
}

/// Returns the rows of a pair: all games, then each game.
fn rows(pair: &Pair, name: &str) -> Vec<(Phrase, [u32; 3])> {
    let games = pair
        .games
        .iter()
        .map(|(id, counts)| (Phrase::plain(format!("  {}", game_name(id))), *counts));
    [(Phrase::strong(pair.players(name)), pair.all())].into_iter().chain(games).collect()
}

impl Screen for StatisticsScreen {
    fn commands(&self, _: &Context) -> Commands {
        if self.typing.is_some() {
            return Commands::default().show(Action::Confirm.hint()).show(Action::Cancel.hint());
        }
        let change = [Action::RenamePlayer.hint(), Action::StartOver.to("start over")];
        Scroll::commands(Action::Back.to("back")).add(change.map(Command::from))
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
        match input {
            Input::News(News::Counted(counted)) => self.show(counted, context),
            Input::Action(action) => return self.perform(action, context),
            Input::Key(key) => return self.typing.as_mut()?.1.key(key).then(Vec::new),
            Input::Paste(text) => return self.typing.as_mut()?.1.paste(text).then(Vec::new),
            Input::Message(line) => self.message = Some(line.to_owned()),
            Input::Command(command) => {
                return Some(self.run_command(command.downcast_ref()?, context));
            }
            input => return self.scroll.input(&input, &context.feedback),
        }
        Some(Vec::new())
    }

    fn view<'a>(&'a self, _: bool, context: &'a Context) -> View<'a> {
        let Statistics { name, games, pairs, .. } = &self.statistics;
        View::Chart(ChartView {
            title: self.statistics.title(),
            summary: self.statistics.summary(context.is_ascii),
            charts: games.iter().map(|game| chart(game, context.is_ascii)).collect(),
            table_title: "Head-to-head",
            heads: ["won", "drawn", "lost"],
            rows: pairs.iter().flat_map(|pair| rows(pair, name)).collect(),
            empty: self.is_empty.then_some(match self.scope {
                None => NO_RESULTS,
                Some(_) => "No result among these records.",
            }),
            note: &self.footnote,
            message: self.message.as_deref(),
            typed: self.typing.as_ref().map(|(renaming, field)| match renaming {
                Renaming::From => ("player to rename: ", field.typed()),
                Renaming::To(_) => ("new name: ", field.typed()),
            }),
            top: self.scroll.top(),
        })
    }

    fn about(&self) -> Option<About> {
        let purpose =
            "Your results in each game, then wins, draws and losses against each opponent.";
        let text = "RATING. Your rating in each game comes from your matches against the levels and your first \
            attempts at puzzles. +/- is the 95 % interval. The chart shows your rating over time.\n\nACCURACY. The \
            share of best moves in the matches that you have reviewed. Only moves with a proven value \
            count, and only if a worse move was possible. How much a review proves depends on the speed of your \
            computer. Under ten such moves, no share is shown.\n\nRECORDS. Only listed records count. Results are \
            recomputed from the moves: records that contradict their moves are skipped, and duplicates with the same \
            names, date and moves count once.\n\nCHANGES. Renaming a player also applies to earlier records. Starting \
            over resets only your own numbers; solved daily puzzles stay marked as solved. Record files do not change.";
        Some(About::new("Statistics", purpose).with_details(text))
    }
}
