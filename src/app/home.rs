//! The home screen: a card for each game, and below the cards entries such as unfinished matches, records, rules
//! and settings. If the cards do not fit, all entries form a list.

use super::command::{Command, Commands};
use super::destination::Destination;
use super::list::ListState;
use super::menu::Menu;
use super::news::News;
use super::screen::{About, Effect, Input, PointerInput, Screen};
use super::tasks::RecordTask;
use super::unfinished::{self, Unfinished, UnfinishedId};
use super::{Context, board_input, resuming};
use crate::action::{ARROWS, Action, Key, KeyHint};
use crate::board::{Direction, Press, Viewer};
use crate::view::{CardEntry, CardView, CardsView, Phrase, View};
use quadrille_puzzles::{PuzzleSet, Rush, archive};
use quadrille_scene::Scene;
use quadrille_table::catalogue::{GAMES, GameEntry};
use quadrille_text::wording;
use std::cell::OnceCell;
use std::rc::Rc;

#[derive(Default)]
pub(super) struct HomeScreen {
    at: HomeItem,
    /// The entry from which the last up or down step started, so that the opposite step returns to it.
    came_from: Option<HomeItem>,
    /// The game whose card the cursor left when it moved to the entries below.
    game: Option<usize>,
    /// Whether the user has moved the cursor or opened an entry since the last match.
    moved: bool,
    /// A picture of each game, made when its card is first shown.
    samples: [OnceCell<Option<Rc<Scene>>>; GAMES.len()],
    /// The entries as a list, for keys and the wheel. Its cursor mirrors `at`.
    list: ListState,
    message: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum HomeItem {
    Game(usize),
    Unfinished(UnfinishedId),
    /// The list of all unfinished matches, shown if there are at least two, or something waits in one.
    All,
    Daily,
    Puzzles,
    Learn,
    Records,
    Statistics,
    Rules,
    Settings,
}

impl Default for HomeItem {
    fn default() -> HomeItem {
        HomeItem::Game(0)
    }
}

impl HomeScreen {
    /// Updates the cursor after the list of unfinished matches has changed. Until the user moves the cursor, it stays
    /// on the latest match. If the match under the cursor is gone, the cursor moves to the latest match, or to the
    /// first game if no match is left.
    fn follow_unfinished(&mut self, list: &[Unfinished]) {
        let is_gone = match &self.at {
            HomeItem::Unfinished(id) => unfinished::index_of(list, id).is_none(),
            HomeItem::All => !has_list(list),
            _ => false,
        };
        match list.first() {
            Some(first) if is_gone || !self.moved => self.at = HomeItem::Unfinished(first.id()),
            None if is_gone => self.at = HomeItem::default(),
            _ => {}
        }
    }

    /// Returns the unfinished match that the entries offer: the match under the cursor, or otherwise the latest.
    fn offered(&self, context: &Context) -> Option<UnfinishedId> {
        match &self.at {
            HomeItem::Unfinished(id) if unfinished::index_of(&context.unfinished, id).is_some() => {
                Some(id.clone())
            }
            _ => context.unfinished.first().map(Unfinished::id),
        }
    }

    /// Returns all entries in order, games first.
    fn items(&self, context: &Context) -> Vec<HomeItem> {
        let games = (0..GAMES.len()).map(HomeItem::Game);
        let unfinished = self.offered(context).map(HomeItem::Unfinished);
        let all = has_list(&context.unfinished).then_some(HomeItem::All);
        let daily = context.daily().map(|_| HomeItem::Daily);
        games
            .chain(unfinished)
            .chain(all)
            .chain(daily)
            .chain([HomeItem::Puzzles, HomeItem::Learn, HomeItem::Records, HomeItem::Statistics])
            .chain([HomeItem::Rules, HomeItem::Settings])
            .collect()
    }

    /// Returns all entries, and moves the list's cursor to the selected entry.
    fn listed(&mut self, context: &Context) -> Vec<HomeItem> {
        let items = self.items(context);
        self.list.go_to(items.iter().position(|item| *item == self.at).unwrap_or(0));
        items
    }

    /// Returns the next entry in this direction. The cards form one row, and the entries below form another. Left and
    /// right wrap around within a row; up and down switch between rows, or walk through all entries if they are drawn
    /// as a list.
    fn step(&mut self, direction: Direction, context: &Context) -> Option<HomeItem> {
        let items = self.items(context);
        let at = items.iter().position(|item| *item == self.at)?;
        let (cards, entries) = (0..GAMES.len(), GAMES.len()..items.len());
        let (here, there) = if cards.contains(&at) { (cards, entries) } else { (entries, cards) };
        let came_from = self.came_from.take().filter(|item| items[there.clone()].contains(item));
        let (column, columns) = (at - here.start, here.len());
        let to = match (direction, context.feedback.nearest(at, there)) {
            (Direction::Left, _) => here.start + (column + columns - 1) % columns,
            (Direction::Right, _) => here.start + (column + 1) % columns,
            (Direction::Up, None) => (at + items.len() - 1) % items.len(),
            (Direction::Down, None) => (at + 1) % items.len(),
            (Direction::Up | Direction::Down, Some(nearest)) => {
                self.keep_game();
                self.came_from = Some(self.at.clone());
                return came_from.or_else(|| items.get(nearest).cloned());
            }
        };
        items.get(to).cloned()
    }

    fn keep_game(&mut self) {
        if let HomeItem::Game(index) = self.at {
            self.game = Some(index);
        }
    }

    fn note(item: &HomeItem, context: &Context) -> String {
        match item {
            HomeItem::Unfinished(id) => match unfinished::index_of(&context.unfinished, id) {
                Some(index) => context.unfinished[index].about(context.usual_name()),
                None => String::new(),
            },
            HomeItem::All => "Resume an unfinished match.".to_owned(),
            HomeItem::Game(index) => GAMES[*index].tagline.to_owned(),
            HomeItem::Daily => about_daily(context),
            HomeItem::Puzzles => "Find the best move. All solutions are proven.".to_owned(),
            HomeItem::Learn => "Lessons, from the first rule to winning ideas.".to_owned(),
            HomeItem::Records => "Past matches, to replay and review.".to_owned(),
            HomeItem::Statistics => "Your wins, ratings and accuracy.".to_owned(),
            HomeItem::Rules => "The rules of each game.".to_owned(),
            HomeItem::Settings => "Colors, keys, motion, mouse and engines.".to_owned(),
        }
    }

    /// Returns the key of the lessons, for a user who has started nothing yet.
    fn offer(context: &Context) -> Option<String> {
        let keys = context.settings.keys.keys(Action::Learn);
        keys.first().filter(|_| context.is_first_visit()).map(Key::to_string)
    }

    fn perform(&mut self, action: Action, context: &Context) -> Option<Vec<Effect>> {
        let to = match (action, &self.at, board_input::press(action)) {
            (Action::Delete, HomeItem::Unfinished(id), _) => {
                let ask = resuming::ask_to_discard(context, id);
                self.moved = true;
                return ask.map(|effect| vec![effect]);
            }
            (Action::Learn, ..) => return Some(self.opens(&HomeItem::Learn, context)),
            (Action::Choose, ..) => {
                self.moved = true;
                return Some(self.choose(context));
            }
            (_, _, Some(Press::Arrow(direction))) => self.step(direction, context)?,
            _ => {
                let items = self.listed(context);
                self.list.move_cursor(action, items.len(), context.feedback.page.get())?;
                items[self.list.at()].clone()
            }
        };
        (self.at, self.moved) = (to, true);
        Some(Vec::new())
    }

    fn go_to_entry(&mut self, entry: usize, context: &Context) {
        if let Some(item) = self.items(context).into_iter().nth(entry) {
            self.keep_game();
            (self.at, self.came_from, self.moved) = (item, None, true);
        }
    }

    fn choose(&self, context: &Context) -> Vec<Effect> {
        self.opens(&self.at, context)
    }

    fn opens(&self, item: &HomeItem, context: &Context) -> Vec<Effect> {
        match item {
            HomeItem::Unfinished(id) => vec![Effect::Resume(id.clone())],
            HomeItem::All => vec![Effect::Open(Destination::Unfinished)],
            HomeItem::Game(index) => vec![Effect::Open(Destination::Setup(&GAMES[*index]))],
            HomeItem::Daily => match context.daily() {
                Some(daily) => vec![Effect::open(PuzzleSet::Daily(daily))],
                None => Vec::new(),
            },
            HomeItem::Puzzles => {
                let game = self.game.map_or("", |at| GAMES[at].name);
                vec![Effect::open(puzzles_menu(context).at(game))]
            }
            HomeItem::Learn => vec![Effect::Open(Destination::Games(self.game.unwrap_or(0)))],
            HomeItem::Records => {
                vec![Effect::Open(Destination::Library), Effect::run(RecordTask::List)]
            }
            HomeItem::Statistics => Destination::statistics(None),
            HomeItem::Rules => {
                let entry = |game: &'static GameEntry| {
                    (game.name.to_owned(), vec![Effect::Open(Destination::Rules(game))])
                };
                let menu = Menu::new("Rules").entries(GAMES.iter().map(entry));
                vec![Effect::open(menu.with_about("Choose a game to read its rules."))]
            }
            HomeItem::Settings => vec![Effect::Open(Destination::Settings)],
        }
    }

    /// Returns the words of plain mode. The rest of a line is for the screen that the word opens.
    fn words(&self, context: &Context) -> Vec<Command> {
        let opens = |words, about, item| Command::word(words, about, self.opens(&item, context));
        let open = |words, about, to| Command::word(words, about, [Effect::Open(to)]);
        let records = |words, about| opens(words, about, HomeItem::Records);
        let on_statistics = |words, action: Action| {
            let mut effects = self.opens(&HomeItem::Statistics, context);
            effects.push(Effect::Perform(action));
            Command::word(words, action.sentence(), effects)
        };
        vec![
            Command::word("play", "set up a match, as in play quixo size=3", []),
            open(
                "resume",
                "list unfinished matches; add a number to resume one",
                Destination::Unfinished,
            ),
            records("records", "list finished matches"),
            records("show", "show the final position of record N").passing_on("show"),
            records("replay", "tell all moves of record N").passing_on("replay"),
            opens("rules", "show the rules of a game", HomeItem::Rules),
            opens(
                "statistics level",
                "show your statistics and your rating in each game",
                HomeItem::Statistics,
            ),
            on_statistics("rename", Action::RenamePlayer),
            on_statistics("reset", Action::StartOver),
            opens(
                "learn",
                "list lessons; add a game and a lesson number to start one",
                HomeItem::Learn,
            ),
            Command::word(
                "puzzle",
                "solve puzzles; add daily, rush, a game, a puzzle id, or mistakes and a record number",
                [],
            ),
            opens("settings", "list the settings", HomeItem::Settings),
        ]
    }

    fn entry(item: &HomeItem, context: &Context) -> CardEntry {
        let (name, more) = match item {
            HomeItem::Game(index) => (GAMES[*index].name.to_owned(), Vec::new()),
            HomeItem::Unfinished(id) => match unfinished::index_of(&context.unfinished, id) {
                Some(index) => context.unfinished[index].label(),
                None => (String::new(), Vec::new()),
            },
            HomeItem::All => match unfinished::count_waiting(&context.unfinished) {
                0 => (format!("{} unfinished", context.unfinished.len()), Vec::new()),
                waiting => (format!("Your turn ({waiting})"), Vec::new()),
            },
            HomeItem::Daily => {
                let days = context.progress.streak(context.today());
                let streak = (days > 1).then(|| format!("{days}-day streak"));
                ("Daily puzzle".to_owned(), streak.into_iter().collect())
            }
            HomeItem::Puzzles => ("Puzzles".to_owned(), Vec::new()),
            HomeItem::Learn => ("Learn".to_owned(), Vec::new()),
            HomeItem::Records => ("Records".to_owned(), Vec::new()),
            HomeItem::Statistics => ("Statistics".to_owned(), Vec::new()),
            HomeItem::Rules => ("Rules".to_owned(), Vec::new()),
            HomeItem::Settings => ("Settings".to_owned(), Vec::new()),
        };
        let is_above = matches!(item, HomeItem::Unfinished(_) | HomeItem::All);
        CardEntry { name, more, is_above }
    }
}

fn has_list(unfinished: &[Unfinished]) -> bool {
    unfinished.len() > 1 || unfinished::count_waiting(unfinished) > 0
}

fn about_daily(context: &Context) -> String {
    let Some(daily) = context.daily() else { return String::new() };
    let name = daily.puzzle.entry().map_or("", |entry| entry.name);
    let is_solved = context.progress.daily_solved(daily.number, daily.puzzle.game);
    let state = match (is_solved, context.progress.streak(context.today())) {
        (true, 0..=1) => ", solved.".to_owned(),
        (true, days) => format!(", solved. {days}-day streak."),
        (false, 0..=1) => ". Solve one each day.".to_owned(),
        (false, days) => format!(". {days}-day streak."),
    };
    format!("Puzzle {}: {name}{state}", daily.number)
}

fn with_puzzles() -> impl Iterator<Item = &'static GameEntry> {
    GAMES.iter().filter(|entry| quadrille_puzzles::of(entry.id).next().is_some())
}

fn puzzles_menu(context: &Context) -> Menu {
    let fitting = |game| vec![Effect::open(PuzzleSet::AtMyLevel(game))];
    let is_first_day = archive(context.today()).is_empty();
    Menu::new("Puzzles")
        .entry("A puzzle at your level", fitting(None))
        .entries(with_puzzles().map(|entry| (entry.name.to_owned(), fitting(Some(entry.id)))))
        .entry("Puzzle rush", [Effect::open(rush_menu(context))])
        .entry_if(!is_first_day, "Earlier daily puzzles", [Effect::open(archive_menu(context))])
        // Last, so that the others keep their numbers.
        .entry_if(
            PuzzleSet::offers_easier(&context.progress),
            "An easier puzzle",
            [Effect::open(PuzzleSet::Easier)],
        )
        .with_about(
            "Puzzle solutions are proven, and any equally good move counts as correct. A rush lasts three minutes \
             and ends after three mistakes. Records can turn your own mistakes into puzzles.",
        )
}

fn rush_menu(context: &Context) -> Menu {
    let rush = |name: &str, game: Option<&'static str>| {
        let label = match context.progress.best_rush(game) {
            Some(best) => format!("{name}, best {best}"),
            None => name.to_owned(),
        };
        (label, vec![Effect::open(PuzzleSet::Rush(Rush::new(game)))])
    };
    Menu::new("Rush")
        .entries([rush("All games", None)])
        .entries(with_puzzles().map(|entry| rush(entry.name, Some(entry.id))))
        .with_about("Solve as many puzzles as you can in three minutes.")
}

fn archive_menu(context: &Context) -> Menu {
    let entries = archive(context.today()).into_iter().map(|daily| {
        let name = daily.puzzle.entry().map_or("", |entry| entry.name);
        let is_solved = context.progress.daily_solved(daily.number, daily.puzzle.game);
        let solved = if is_solved { ", solved" } else { "" };
        (format!("{}  {name}{solved}", daily.number), vec![Effect::open(PuzzleSet::Daily(daily))])
    });
    Menu::new("Earlier daily puzzles")
        .entries(entries)
        .with_about("Daily puzzles from earlier days.")
}

impl Screen for HomeScreen {
    fn commands(&self, context: &Context) -> Commands {
        let is_match = matches!(self.at, HomeItem::Unfinished(_));
        let moves = ListState::add_to(Commands::default()).with_footer([]);
        let delete = || Command::from(Action::Delete.hint()).only_if(is_match).of_entry();
        Commands::default()
            .show(KeyHint::new(ARROWS, "move"))
            .show(Action::Choose.hint())
            .add((!context.unfinished.is_empty()).then(delete))
            .show(Command::from(Action::Leave.to("quit")).about("quit"))
            .hide(&[Action::Left, Action::Right, Action::Learn])
            .add(moves)
            .add(self.words(context))
    }

    fn input(&mut self, input: Input, context: &mut Context) -> Option<Vec<Effect>> {
        let is_key = matches!(input, Input::Action(_) | Input::Key(_));
        let had_message = is_key && self.message.take().is_some();
        match input {
            Input::Action(action) => return self.perform(action, context),
            Input::Key(_) => return had_message.then(Vec::new),
            Input::GoTo(entry) => self.go_to_entry(entry, context),
            Input::Pointer(PointerInput::Wheel { .. }) => {
                let length = self.listed(context).len();
                let effects = self.list.input(&input, length, &context.feedback);
                self.go_to_entry(self.list.at(), context);
                // The wheel skips the cards without selecting one.
                self.game = None;
                return effects;
            }
            Input::News(news @ (News::MatchLeft | News::Unfinished)) => {
                self.moved &= !matches!(news, News::MatchLeft);
                self.follow_unfinished(&context.unfinished);
            }
            Input::Message(line) => self.message = Some(line.to_owned()),
            _ => return None,
        }
        Some(Vec::new())
    }

    fn view<'a>(&'a self, _: bool, context: &'a Context) -> View<'a> {
        let items = self.items(context);
        let at = items.iter().position(|item| *item == self.at).unwrap_or(0);
        let today = (self.at == HomeItem::Daily).then(|| context.daily()).flatten();
        let still = |viewer: Viewer| viewer.board.still();
        let card = |(game, sample): (&'static GameEntry, &OnceCell<Option<Rc<Scene>>>)| {
            let sample = sample.get_or_init(|| Viewer::sample(game).map(still).map(Rc::new));
            // While the daily puzzle is selected, the card of its game shows the puzzle.
            let daily = today.as_ref().filter(|daily| daily.puzzle.game == game.id);
            let position = daily.and_then(|daily| daily.puzzle.position().ok());
            CardView {
                name: game.name,
                board: sample.clone(),
                instead: position.map(Viewer::new).map(still).map(Rc::new),
            }
        };
        View::Cards(CardsView {
            about: format!("{} games on squared paper", wording::number(GAMES.len())),
            cards: GAMES.iter().zip(&self.samples).map(card).collect(),
            entries: items[GAMES.len()..].iter().map(|item| Self::entry(item, context)).collect(),
            at,
            notes: items.iter().map(|item| Self::note(item, context)).collect(),
            offer: Self::offer(context),
            message: self.message.as_deref().map(Phrase::wrong),
        })
    }

    fn about(&self) -> Option<About> {
        let message = self.message.iter().map(|message| format!("! {message}\n\n"));
        let purpose = "Choose a game with the arrow keys and Enter. Play with friends at this keyboard, over ssh, \
            or against the computer.";
        let details = "Unfinished matches are saved automatically and listed below the games.\n\nThe footer of \
            every screen lists the keys that work there. You can also click them.";
        Some(
            About::new("Home", message.chain([purpose.to_owned()]).collect::<String>())
                .with_details(details),
        )
    }
}
