//! Builds all screens, which keeps screens independent of each other.

use super::destination::Destination;
use super::gif_screen::GifScreen;
use super::home::HomeScreen;
use super::lessons::{LearnScreen, LessonScreen};
use super::library::LibraryScreen;
use super::match_screen::MatchScreen;
use super::menu::Menu;
use super::menu_screen::MenuScreen;
use super::mistakes::{self, MistakesScreen};
use super::puzzle::PuzzleScreen;
use super::reader::ReaderScreen;
use super::replay::ReplayScreen;
use super::screen::Screen;
use super::settings::{KeysScreen, SettingsScreen};
use super::setup::SetupScreen;
use super::statistics_screen::StatisticsScreen;
use super::tournament::TournamentScreen;
use super::unfinished_screen::UnfinishedScreen;
use super::{Context, OpenMatch};

pub(super) fn screen(destination: Destination, context: &mut Context) -> Box<dyn Screen> {
    match destination {
        Destination::Home => Box::new(HomeScreen::default()),
        Destination::Unfinished => Box::new(UnfinishedScreen::default()),
        Destination::Setup(entry) => Box::new(SetupScreen::with_last_setup(entry, context)),
        Destination::SetupOf(choices) => Box::new(SetupScreen::new(*choices, context)),
        Destination::Match(start) => Box::new(MatchScreen::begin(*start)),
        Destination::Menu(menu) => Box::new(MenuScreen::new(menu)),
        Destination::Rules(entry) => Box::new(ReaderScreen::rules(entry)),
        Destination::Text(name, what, text) => Box::new(ReaderScreen::text(name, what, text)),
        Destination::Invitation(name, text) => Box::new(ReaderScreen::invitation(name, text)),
        Destination::Help(about, commands, keys) => {
            Box::new(ReaderScreen::help(about, &commands, &keys))
        }
        Destination::Gif => Box::new(GifScreen),
        Destination::Settings => Box::new(SettingsScreen::default()),
        Destination::Keys => Box::new(KeysScreen::default()),
        Destination::Library => Box::new(LibraryScreen::default()),
        Destination::Statistics(scope) => Box::new(StatisticsScreen::new(scope, context)),
        Destination::Replay(record) => Box::new(ReplayScreen::new(*record)),
        Destination::Review(record) => Box::new(ReplayScreen::reviewed(*record)),
        Destination::Follow(record, game) => Box::new(ReplayScreen::following(*record, &game)),
        Destination::Puzzle(course) => {
            let Some(screen) = PuzzleScreen::new(*course, context) else {
                return Box::new(MenuScreen::new(
                    Menu::new("No puzzle here").entry("Continue", []),
                ));
            };
            Box::new(screen)
        }
        Destination::Mistakes(None) => Box::new(MenuScreen::new(mistakes::none())),
        Destination::Mistakes(Some(search)) => Box::new(MistakesScreen::new(*search)),
        Destination::Games(at) => Box::new(LearnScreen::games(at)),
        Destination::Lessons(entry) => Box::new(LearnScreen::lessons(entry, context)),
        Destination::Lesson(lesson) => Box::new(LessonScreen::new(lesson, context)),
        Destination::Tournament(live, update) => Box::new(TournamentScreen::new(live, &update)),
    }
}

/// Opens a match that was started earlier or outside the app.
pub(super) fn match_screen(open_match: OpenMatch) -> Box<dyn Screen> {
    Box::new(MatchScreen::new(open_match))
}
