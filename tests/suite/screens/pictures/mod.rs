//! Pictures: an SVG shows its scene, and a PNG or a GIF has the requested size and kind.

mod compare;
mod files;
#[cfg(unix)]
mod on_a_terminal;
#[cfg(unix)]
mod recording;

use crate::common::samples::{open, samples};
use crate::common::untimed::Untimed;
use compare::{assert_shows_scene, elements, role_class};
use quadrille::app::OpenMatch;
use quadrille::picture::Subject;
use quadrille_match::session::Players;
use quadrille_rules::Seat;
use quadrille_scene::{
    At, BoardGeometry, Direction, LineStyle, Role, Scene, SeatRole, Shape, Theme, built_in,
    built_in_names, svg,
};
use quadrille_table::catalogue::{self, GAMES};
use ratatui::style::Color;
use roxmltree::Document;

fn players(match_board: &OpenMatch, names: &[&str]) -> Players {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    Players::named(match_board.current_match().seats(), &names)
}

fn picture(match_board: &OpenMatch, theme: &Theme, names: &[&str]) -> String {
    let entry = catalogue::find(match_board.current_match().id()).unwrap();
    let players = players(match_board, names);
    let subject = Subject {
        entry,
        game: match_board.current_match(),
        board: &*match_board.board,
        players: &players,
    };
    subject.svg(theme, None).text
}

/// Calls `each` with every seventh position of a random match of up to 60 plies, on every usual setup.
fn positions(mut each: impl FnMut(&OpenMatch)) {
    for (entry, sample) in samples() {
        let setups = sample.usual();
        for (seed, setup) in (1..).zip(setups) {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut match_board = open(entry, setup);
            for ply in 0..60 {
                if ply % 7 == 0 {
                    each(&match_board);
                }
                let Some(mv) = rng.choice(match_board.current_match().legal_moves()) else { break };
                match_board.play(&mv).unwrap();
            }
            each(&match_board);
        }
    }
}

#[test]
fn picture_shows_its_scene() {
    let mut seen = 0;
    positions(|match_board| {
        let text = picture(match_board, Theme::night(), &[]);
        let parsed = Document::parse(&text).unwrap();
        assert_shows_scene(&parsed, &match_board.board.still());
        seen += 1;
    });
    assert!(seen > 50, "{seen}");
}

/// Lines of every style and most other shapes, including those that no still picture has.
#[test]
fn lines_dots_and_areas_are_drawn_in_place() {
    let at = |row: i32, col: i32| At::new(row, col);
    let strokes = [LineStyle::Solid, LineStyle::Heavy, LineStyle::Faint, LineStyle::Ghost];
    let lattice = BoardGeometry::Lattice { rows: 4, cols: 5, numbered: true };
    let mut scene = Scene::on(lattice);
    for (row, stroke) in (0..).zip(strokes) {
        scene.add(Shape::Line([at(row, 0), at(row, 3)], stroke), Role::Key);
    }
    // Down the last column.
    scene.add(Shape::Line([at(0, 4), at(3, 4)], LineStyle::Blocked), Role::Dim);
    scene.add(Shape::Dot(at(0, 0)), Role::Pick);
    scene.add(Shape::Dot(at(3, 4)), Role::Faint);
    scene.add(Shape::Badge(at(2, 2), "4".to_owned()), Role::Counted);
    scene.add(Shape::Arrow(at(1, 1), Direction::Up, Direction::Up), Role::Strong);
    scene.add(
        Shape::Polygon(vec![at(0, 0), at(0, 2), at(2, 2)], 'B'),
        Role::Of(SeatRole::Fill, Seat::new(1)),
    );
    scene.add(Shape::Cross([[at(0, 0), at(2, 2)], [at(0, 2), at(2, 0)]]), Role::Wrong);
    let text = svg::write(&scene, &svg::Frame::default(), Theme::night(), None).text;
    let parsed = Document::parse(&text).unwrap();
    assert_shows_scene(&parsed, &scene);
    let crosses = elements(&parsed).iter().filter(|thing| thing.kind == "cross").count();
    assert_eq!(crosses, 2, "two strokes");
}

#[test]
fn every_theme_colours_lines_by_its_roles() {
    let match_board = crate::common::match_board("dots-and-boxes", "size=3", "H0,0 V0,0");
    for name in built_in_names() {
        let theme = svg::pictured(built_in(name).unwrap());
        let text = picture(&match_board, built_in(name).unwrap(), &[]);
        let colour = |role| match theme.style(role).fg {
            Some(Color::Rgb(red, green, blue)) => format!("#{red:02x}{green:02x}{blue:02x}"),
            other => panic!("{name}: {other:?}"),
        };
        for (seat, role) in [(0, SeatRole::Line), (1, SeatRole::LastLine)] {
            let role = Role::Of(role, Seat::new(seat));
            let rule = format!(".line.{}{{stroke:{}}}", role_class(role), colour(role));
            assert!(text.contains(&rule), "{name}: {rule}");
        }
        let Some(Color::Rgb(red, green, blue)) = theme.paper().bg else { panic!("{name}") };
        assert!(text.contains(&format!(".paper{{fill:#{red:02x}{green:02x}{blue:02x}}}")));
    }
}

#[test]
fn picture_title_and_description_escape_hostile_names() {
    let hostile = "</text>&<b a=\"1\">\u{202e}\u{0}\u{1b}[1m\u{ffff}\u{1f980}";
    let long = "W".repeat(500);
    for entry in &GAMES {
        let match_board = open(entry, "");
        let text = picture(&match_board, Theme::night(), &[hostile, &long]);
        let parsed = Document::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let root = parsed.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        assert_eq!(root.attribute("aria-labelledby"), Some("title desc"));
        let said = |id| {
            let node = root.children().find(|node| node.attribute("id") == Some(id)).unwrap();
            node.text().unwrap().to_owned()
        };
        assert!(said("title").starts_with(entry.name), "{}", said("title"));
        let description = said("desc");
        assert!(
            description.contains("</text>&<b a=\"1\">\\u{202e}\\u{0}\\u{1b}[1m"),
            "{description}"
        );
        assert!(description.contains(&long) && description.contains("No moves yet."));
        assert!(!text.contains(['\u{202e}', '\u{1b}', '\u{0}', '\u{ffff}']));
        // A long name is truncated on its card.
        assert!(
            root.descendants().any(|node| node.text().is_some_and(|text| text.ends_with("W…")))
        );
    }
}
