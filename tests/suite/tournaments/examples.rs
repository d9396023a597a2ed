//! The example tournaments can be read by the program, and have a schedule.

use quadrille::arena::tournament::{Schedule, read};
use quadrille::toml_file::Source;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// How many games an example has.
#[track_caller]
fn games(file: &str, text: &str) -> u64 {
    let plan = read(Source { file, text }, &|_, _| Ok(()));
    let plan = plan.unwrap_or_else(|why| panic!("{why}"));
    Schedule::new(Arc::new(plan)).unwrap_or_else(|why| panic!("{file}: {why}")).games()
}

fn text(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

#[test]
fn the_files_to_begin_with_are_in_order() {
    for (name, expected) in
        [("circle", 84), ("random", 60), ("clustered", 90), ("gauntlet", 78), ("sprt", 800)]
    {
        let path = format!("assets/tournaments/{name}.toml");
        assert_eq!(games(&path, &text(&path)), expected, "{path}");
    }
    let levels = [
        "dots-and-boxes-4",
        "dots-and-boxes-5",
        "intersections-4",
        "intersections-5",
        "join-the-dots-10",
        "join-the-dots-16",
        "quixo-4",
        "quixo-5",
        "tic-tac-toe",
    ];
    for name in levels {
        let path = format!("assets/tournaments/levels-{name}.toml");
        assert_eq!(games(&path, &text(&path)), 600, "{path}");
    }
    let files = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/tournaments");
    let files = fs::read_dir(files).unwrap().map(|file| file.unwrap().path());
    assert_eq!(files.filter(|it| it.extension().is_some_and(|it| it == "toml")).count(), 14);
}

#[test]
fn what_the_pages_show_is_in_order() {
    for (page, expected) in [("docs/tournaments.md", 1), ("assets/tournaments.md", 1)] {
        let text = text(page);
        let blocks = text.split("```toml\n").skip(1).filter_map(|block| block.split("```").next());
        let blocks: Vec<_> = blocks.filter(|block| block.contains("[[players]]")).collect();
        assert_eq!(blocks.len(), expected, "{page}");
        assert!(blocks.iter().all(|block| games(page, block) > 0));
    }
}

/// Every key can be looked up on the page.
#[test]
fn the_page_has_all_keys_and_fields() {
    let page = text("assets/tournaments.md");
    let nonsense = read(Source { file: "t", text: "nonsense = 1" }, &|_, _| Ok(())).unwrap_err();
    let nonsense = nonsense.to_string();
    let keys = nonsense.split("only ").last().unwrap().split(", ");
    for key in keys.chain(["termination", "illegal move", "no answer", "elo_above", "lost_by"]) {
        assert!(
            page.contains(&format!("`{key}")) || page.contains(&format!("`[[{key}]]`")),
            "{key}"
        );
    }
}
