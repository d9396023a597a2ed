//! Every screen in every theme at every size: nothing is truncated unnecessarily, the margin is free, and a theme that
//! paints leaves no gap.

use crate::common::player::Player;
use crate::common::samples::samples;
use crate::common::test_tournament::TestTournament;
use quadrille::app::{CountedRecords, OpenMatch, RecordSummary, SavedMatch};
use quadrille::board::Skin;
use quadrille_arena::tournament::Stage;
use quadrille_match::session::Conditions;
use quadrille_scene::{Role, built_in, built_in_names};
use quadrille_table::catalogue::{GAMES, GameEntry};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;
use std::collections::BTreeSet;

const SIZES: [(u16, u16); 4] = [(40, 12), (80, 24), (120, 40), (200, 60)];

/// The name of a game is never next to the edge or the ring of its card, and not next to another name.
#[test]
fn names_on_home_cards_keep_off_the_edges() {
    let night = Skin::default().with_theme(built_in("night").unwrap());
    let sizes =
        (60..=200).step_by(7).flat_map(|width| [20, 24, 33, 45, 60].map(|high| (width, high)));
    let mut on_cards = 0;
    for (width, height) in sizes.chain(SIZES) {
        for skin in [night.with_full_glyphs(), night, night.in_ascii()] {
            let panels = [Role::Panel, Role::Chosen].map(|role| skin.style(role).bg);
            let mut player = Player::with(skin);
            for _ in GAMES {
                let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
                player.app.draw(buffer.area, &mut buffer);
                for at in buffer.area.positions().filter(|at| at.x > 0 && at.x + 1 < width) {
                    let cell = &buffer[at];
                    let is_text = |symbol: &str| symbol.chars().all(char::is_alphabetic);
                    if !is_text(cell.symbol()) || !panels.contains(&Some(cell.bg)) {
                        continue;
                    }
                    on_cards += 1;
                    for beside in [&buffer[(at.x - 1, at.y)], &buffer[(at.x + 1, at.y)]] {
                        let is_free =
                            is_text(beside.symbol()) || [" ", "-"].contains(&beside.symbol());
                        assert!(
                            beside.bg == cell.bg && is_free,
                            "{} at {at} of {width} x {height}",
                            cell.symbol()
                        );
                    }
                }
                player.press("<right>");
            }
        }
    }
    assert!(on_cards > 1000, "{on_cards}");
}

/// Opens screen after screen, and calls `visit` with each and its name.
fn visit_screens(skin: Skin, visit: &mut dyn FnMut(&str, &Player)) {
    let mut steps = |name: &str, player: &mut Player, keys: &[&str]| {
        for keys in keys {
            player.press(keys);
            visit(&format!("{name} {keys}"), player);
        }
    };
    for matches in [0, 1, 9] {
        let mut player = waiting(skin, matches);
        steps(&format!("home, {matches} left"), &mut player, &["", "<right>", "<down>", "?"]);
    }
    let mut player = waiting(skin, 30);
    steps("matches to continue", &mut player, &["<right><enter>", "<down>", "d", "<esc><end>"]);
    for (place, game) in GAMES.iter().enumerate() {
        let mut player = Player::with(skin);
        let cards = "<right>".repeat(place);
        let keys = [
            &*format!("{cards}<enter>"),
            "<right>",
            "<down><down><right><right>",
            "<end><up><enter>",
            "<end>",
            "<enter><end><enter>",
        ];
        steps(game.id, &mut player, &keys);
        steps("rules", &mut Player::with(skin), &["<end><left><enter>"]);
        let menu = "<down>".repeat(place);
        steps(game.id, &mut Player::with(skin), &[&format!("<end><left><enter>{menu}<enter>")]);
    }
    let down = "<down>".repeat(11);
    let settings = "<end><enter>";
    for row in 0..11 {
        let to = format!("{settings}{}", "<down>".repeat(row));
        steps("settings", &mut Player::with(skin), &[&to, "<right>", "<left><left>"]);
    }
    let keys =
        [&*format!("{settings}{down}"), "<enter>", "<pagedown>", "<enter>", "u", "<esc>", "?"];
    steps("keys", &mut Player::with(skin), &keys);
    steps(
        "a wrong setup",
        &mut Player::with(skin),
        &["<enter><down><down><down>1", "<end>", "<home><down><enter>Al"],
    );
    let mut player = Player::with(skin);
    player.press("<end><left><left><left><enter>");
    player.app.records(&records(), &["bad.game: line 3: no tag".to_owned()]);
    steps("records", &mut player, &["", "<end>", "/ann", "<esc>n", "<esc>d", "<esc>?", "<esc>t"]);
    player.app.counted(&CountedRecords {
        records: records(),
        unsound: 2,
        copies: 1,
        ..CountedRecords::default()
    });
    steps("results", &mut player, &[""]);
    for (entry, sample) in samples() {
        let mut player = at(skin, entry, "");
        let keys =
            ["", "<tab><enter>", "<tab>", "<enter>", "u", "a", "aH", ":1", "<enter>", "<esc><esc>"];
        steps(entry.id, &mut player, &keys);
        let mut player = at(skin, entry, sample.largest());
        steps(&format!("{}, large", entry.id), &mut player, &["", "<tab><enter>"]);
        let mut player = at(skin, entry, sample.small);
        play_to_the_end(&mut player);
        steps(
            &format!("{}, the end", entry.id),
            &mut player,
            &["", "<esc>", "<esc><end>", "<esc>"],
        );
        let mut player = at(skin, entry, sample.small);
        play_to_the_end(&mut player);
        let record = player.app.open_match().unwrap().viewing_copy();
        let mut player = Player::with(skin);
        player.app.open_replay(record);
        steps(
            &format!("{}, replay", entry.id),
            &mut player,
            &["", "<right>", "<end>", "?", "<esc>a", "n"],
        );
        let tournament = TestTournament::small(entry, 6);
        let mut player = tournament.app(skin);
        let keys = ["", "<tab>", "<down>", "<tab><right><enter>", "<esc>q", "<esc>?"];
        steps(&format!("{}, tournament", entry.id), &mut player, &keys);
        tournament.live.stops(Stage::Over);
        steps(&format!("{}, tournament over", entry.id), &mut tournament.app(skin), &[""]);
        tournament.live.stops(Stage::Failed("results/games.jsonl: no space left".to_owned()));
        steps(
            &format!("{}, tournament failed", entry.id),
            &mut tournament.app(skin),
            &["", "<down>"],
        );
    }
}

#[test]
fn every_screen_passes_the_look_checks_in_every_theme_and_size() {
    let mut faults = BTreeSet::new();
    for name in built_in_names() {
        let theme = built_in(name).unwrap();
        visit_screens(
            Skin::default().with_full_glyphs().with_theme(theme),
            &mut |screen, player| {
                for (width, height) in SIZES {
                    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
                    player.app.draw(buffer.area, &mut buffer);
                    let mut fault = |what: &str, line: &str| {
                        let size = format!("{width}x{height}");
                        faults.insert(format!("{what}: {screen}, {size}: {}", line.trim_end()));
                    };
                    for y in 0..height {
                        let line: String = (0..width).map(|x| buffer[(x, y)].symbol()).collect();
                        if !line.starts_with("  ") {
                            fault("in the margin", &line);
                        }
                        if width >= 80 && is_cut(&line) {
                            fault("cut", &line);
                        }
                    }
                    let is_hole =
                        |cell: &ratatui::buffer::Cell| [cell.fg, cell.bg].contains(&Color::Reset);
                    if theme.paints() && buffer.content.iter().any(is_hole) {
                        fault("a hole", name);
                    }
                }
            },
        );
    }
    assert!(faults.is_empty(), "{} faults: {faults:#?}", faults.len());
}

/// Returns whether a text in this line ends in the truncation mark. An arrow on its own or after the number of a row is
/// not that mark.
fn is_cut(line: &str) -> bool {
    let mut parts = line.split('▸');
    parts.next_back();
    parts.any(|part| {
        let word = part.rsplit(' ').next().unwrap_or_default();
        word.chars().any(char::is_alphabetic)
    })
}

fn waiting(skin: Skin, matches: usize) -> Player {
    let mut player = Player::with(skin);
    let saved = (0..matches).map(|n| SavedMatch {
        id: n.to_string(),
        game: GAMES[n % GAMES.len()].name.to_owned(),
        names: vec!["Annabella".to_owned(), "Bob".to_owned()],
        guests: Vec::new(),
        score: if n % 2 == 0 { "3-1".to_owned() } else { String::new() },
        ply: Some(n),
        waiting: Vec::new(),
        is_over: false,
        when: "2026-11-20".to_owned(),
    });
    player.app.set_unfinished(saved.collect());
    player
}

fn records() -> Vec<RecordSummary> {
    let kept = |n: usize| RecordSummary {
        id: format!("match-{n}"),
        game: GAMES[n % GAMES.len()].id.to_owned(),
        names: vec!["Annabella".to_owned(), "Bob".to_owned()],
        result: "10-6".to_owned(),
        termination: None,
        date: "2026-11-20".to_owned(),
        plies: 40,
    };
    (0..30).map(kept).collect()
}

fn open(entry: &'static GameEntry, setup: &str) -> OpenMatch {
    let names = ["Ann".to_owned(), "Bob".to_owned()];
    OpenMatch::opened(entry, &setup.parse().unwrap(), Conditions::named(&names)).unwrap()
}

fn at(skin: Skin, entry: &'static GameEntry, setup: &str) -> Player {
    let mut player = Player::with(skin);
    player.app.begin(open(entry, setup));
    player
}

fn play_to_the_end(player: &mut Player) {
    for turn in 0..200 {
        let legal = player.app.open_match().unwrap().current_match().legal_moves();
        let Some(mv) = legal.get(7 * turn % legal.len().max(1)) else { return };
        player.press(&format!(":{mv}<enter>"));
    }
    panic!("it goes on");
}

/// In ASCII, the same screens have the same question marks: every glyph has an ASCII version.
#[test]
fn every_glyph_has_an_ascii_form() {
    let question_marks = |skin: Skin| {
        let mut all = Vec::new();
        visit_screens(skin, &mut |screen, player| {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
            player.app.draw(buffer.area, &mut buffer);
            let marks = buffer.area.positions().filter(|at| buffer[*at].symbol() == "?");
            all.push((screen.to_owned(), marks.collect::<Vec<_>>()));
        });
        all
    };
    let ascii = question_marks(Skin::default().in_ascii());
    for (shown, expected) in ascii.into_iter().zip(question_marks(Skin::default())) {
        assert_eq!(shown, expected);
    }
}
