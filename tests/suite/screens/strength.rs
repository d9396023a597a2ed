//! The player's strength on the results screen and in the setup form.

use crate::common::player::{Player, draws_at};
use insta::assert_snapshot;
use jiff::Timestamp;
use quadrille_match::store::LastSetup;
use quadrille_match::store::progress::{Event, Progress, Score};
use quadrille_rules::Setup;
use quadrille_search::Level;
use quadrille_table::catalogue::GAMES;

/// A player who alternately wins and loses against these levels, one match a day.
fn player(games: &[(&str, Level)]) -> Player {
    player_with(quadrille::board::Skin::default(), games)
}

fn player_with(skin: quadrille::board::Skin, games: &[(&str, Level)]) -> Player {
    let mut progress = Progress::default();
    for (game, level) in games {
        for day in 0..40 {
            let is_won = day % 2 == 0;
            let at = Timestamp::from_second(1_796_000_000 + day * 86_400).unwrap();
            let (id, game, setup) = (format!("{game}-{day}"), (*game).to_owned(), Setup::new());
            let score = if is_won { Score::Win } else { Score::Loss };
            progress.add(Event::Match {
                at,
                id,
                game,
                setup,
                level: *level,
                levels: Level::VERSION,
                score,
            });
        }
    }
    let mut player = Player::with(skin);
    player.app.set_progress(progress);
    player
}

fn results(mut player: Player) -> Player {
    player.press("<end><left><left><left><enter>");
    player.app.records(&[], &[]);
    player.press("t");
    player.app.counted(&quadrille::app::CountedRecords::default());
    player
}

#[test]
fn results_show_rating_chart_and_suggested_level() {
    let player = results(player(&[("quixo", Level::Skilled), ("intersections", Level::Beginner)]));
    for (width, height) in [(80, 24), (40, 12)] {
        assert_snapshot!(format!("strength_{width}x{height}"), player.screen(width, height));
    }
    draws_at((30, 10), &player);
}

#[test]
fn rating_continues_on_the_next_page() {
    let games: Vec<_> = GAMES.iter().map(|entry| (entry.id, Level::Casual)).collect();
    let mut player = results(player(&games));
    let sees = |player: &Player, text: &str| player.screen(40, 12).contains(text);
    assert!(sees(&player, GAMES[0].name) && !sees(&player, "Head-to-head"));
    player.press("<end>");
    assert!(!sees(&player, GAMES[0].name), "{}", player.screen(40, 12));
    assert!(sees(&player, "Head-to-head"), "{}", player.screen(40, 12));
    // Without results nothing is shown.
    assert!(!sees(&results(Player::new()), "rating"));
}

/// With ratings in all games, the page scrolls, and is still drawn in the colours of the theme.
#[test]
fn statistics_have_the_colours_of_the_theme() {
    use quadrille_scene::Theme;
    use ratatui::buffer::Buffer;
    use ratatui::layout::Rect;
    use ratatui::style::Color;
    let games: Vec<_> = GAMES.iter().map(|entry| (entry.id, Level::Casual)).collect();
    let skin = quadrille::board::Skin::default().with_theme(Theme::night());
    let mut player = results(player_with(skin, &games));
    for keys in ["", "<pagedown>", "<end>"] {
        player.press(keys);
        let area = Rect::new(0, 0, 80, 24);
        let mut buffer = Buffer::empty(area);
        player.app.draw(area, &mut buffer);
        let bare = buffer.content.iter().filter(|cell| cell.bg == Color::Reset).count();
        assert_eq!(bare, 0, "{keys}");
    }
}

/// Long names and large numbers stay apart.
#[test]
fn names_do_not_run_into_numbers() {
    let mut player = results(Player::new());
    let names = vec!["Ann".to_owned(), "B".repeat(60)];
    let record = |n: usize| quadrille::app::RecordSummary {
        id: n.to_string(),
        game: "quixo".to_owned(),
        names: names.clone(),
        result: "1-0".to_owned(),
        termination: None,
        date: "2026-11-20".to_owned(),
        plies: 9,
    };
    let records = (0..100).map(record).collect();
    player.app.counted(&quadrille::app::CountedRecords { records, ..Default::default() });
    for (width, height) in [(40, 12), (80, 24)] {
        let screen = player.screen(width, height);
        let row = screen.lines().find(|line| line.contains("BBB")).unwrap();
        assert!(row.contains(" 100 "), "{screen}");
    }
}

fn seats(player: &mut Player) -> Vec<String> {
    player.press("<end><enter>");
    player.app.open_match().unwrap().players().names()
}

#[test]
fn setup_form_starts_with_the_suggested_level() {
    let place = GAMES.iter().position(|entry| entry.id == "quixo").unwrap();
    let form = |level| {
        let mut player = player(&[("quixo", level)]);
        player.press(&"<right>".repeat(place)).press("<enter>");
        player
    };
    let mut strong = form(Level::Strong);
    assert!(strong.sees("suggested"), "{}", strong.screen(80, 24));
    assert_eq!(seats(&mut strong), ["Player 1", "engine:strong"]);
    assert_eq!(seats(&mut form(Level::Beginner)), ["Player 1", "engine:beginner"]);
    // A previously used setup takes precedence.
    let mut last = player(&[("quixo", Level::Strong)]);
    let names = ["Ann", "engine:skilled"].map(str::to_owned).to_vec();
    let (game, given_setup) = ("quixo".to_owned(), Setup::new());
    last.app.remember(vec![LastSetup { game, given_setup, names, pair: Vec::new(), clock: None }]);
    last.press(&"<right>".repeat(place)).press("<enter>");
    assert_eq!(seats(&mut last), ["Ann", "engine:skilled"]);
}
