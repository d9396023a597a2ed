//! The measured strength of our levels, from the table in `docs/engines.md`.

use quadrille_rules::Setup;
use quadrille_search::Level;
use quadrille_table::catalogue;

/// The rating of Beginner on every board. All other ratings are relative to it.
const BEGINNER: f64 = 800.0;

/// The rating differences between levels on one board.
struct Row {
    game: &'static str,
    setup: &'static str,
    /// The Elo gains of Casual, Skilled and Strong, each relative to the level below.
    steps: [u16; 3],
}

/// The rows, in the order of the table.
const ROWS: [Row; 9] = [
    row("dots-and-boxes", "size=4", [449, 269, 263]),
    row("dots-and-boxes", "size=5", [350, 456, 413]),
    row("quixo", "size=4", [182, 235, 276]),
    row("quixo", "size=5", [235, 222, 346]),
    row("join-the-dots", "layout=random:10", [212, 164, 285]),
    row("join-the-dots", "layout=random:16", [330, 184, 338]),
    row("intersections", "size=4 rounds=6", [436, 137, 210]),
    row("intersections", "size=5 rounds=4", [177, 350, 377]),
    row("tic-tac-toe", "", [139, 125, 102]),
];

const fn row(game: &'static str, setup: &'static str, steps: [u16; 3]) -> Row {
    Row { game, setup, steps }
}

/// Returns the rating of a level in a game, in Elo. A board that was not measured uses the measured board with the
/// nearest number of first moves. `None` for Perfect, which cannot be beaten, and for an unknown game or setup.
pub fn level_rating(game: &str, setup: &Setup, level: Level) -> Option<f64> {
    let above = match level {
        Level::Beginner => 0,
        Level::Casual => 1,
        Level::Skilled => 2,
        Level::Strong => 3,
        Level::Perfect => return None,
    };
    let entry = catalogue::find(game)?;
    let moves = |setup: &Setup| Some((entry.start)(setup).ok()?.legal_moves().len());
    let here = moves(setup)?;
    let far = |row: &&Row| Some(moves(&row.setup.parse().ok()?)?.abs_diff(here));
    let row = ROWS.iter().filter(|row| row.game == game).min_by_key(far)?;
    let steps = row.steps[..above].iter().map(|step| f64::from(*step));
    Some(BEGINNER + steps.sum::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_ratings_match_the_docs_table() {
        let docs = include_str!("../../../../docs/engines.md");
        let (_, table) =
            docs.split_once("| | Casual | Skilled | Strong |\n|---|---|---|---|\n").unwrap();
        let table: Vec<&str> = table.lines().take_while(|line| line.starts_with('|')).collect();
        assert_eq!(table.len(), ROWS.len());
        for (line, Row { game, steps: [casual, skilled, strong], .. }) in table.iter().zip(&ROWS) {
            let name = catalogue::find(game).unwrap().name;
            assert!(line.starts_with(&format!("| {name}, ")), "{line}");
            assert!(line.ends_with(&format!(" | {casual} | {skilled} | {strong} |")), "{line}");
        }
    }

    /// The errors follow from the leads: half the width of the 95 % interval of the score, as Elo.
    #[test]
    fn documented_errors_follow_from_the_table() {
        const GAMES: f64 = 200.0;
        let steps = || ROWS.iter().flat_map(|row| row.steps).map(f64::from);
        let error = |lead: f64| {
            let share = 1.0 / (1.0 + 10_f64.powf(-lead / 400.0));
            let elo_per_share = 400.0 / 10_f64.ln() / (share * (1.0 - share));
            1.96 * (share * (1.0 - share) / GAMES).sqrt() * elo_per_share
        };
        let smallest = error(steps().fold(f64::INFINITY, f64::min));
        let largest = error(steps().fold(0.0, f64::max));
        let docs = include_str!("../../../../docs/engines.md").replace('\n', " ");
        let range = format!(
            "with {GAMES} games per pair, from random openings that are each played with both seatings. Without draws, \
             the 95 % errors range from ±{smallest:.0} Elo for the smallest lead to ±{largest:.0} for the largest;"
        );
        assert!(docs.contains(&range), "{range}");
    }

    /// Checks that each row matches the setup of its tournament.
    #[test]
    fn each_rating_row_has_a_tournament_file() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/tournaments");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let levels = |path: &std::path::PathBuf| path.to_str().unwrap().contains("/levels-");
        let texts: Vec<String> =
            files.filter(levels).map(|path| std::fs::read_to_string(path).unwrap()).collect();
        assert_eq!(texts.len(), ROWS.len());
        for Row { game, setup, .. } in &ROWS {
            let is_it = |text: &&String| {
                text.contains(&format!("game = \"{game}\"")) && text.contains(&format!("\"{setup}"))
            };
            assert!(texts.iter().any(|text| is_it(&text)), "{game} {setup}");
        }
    }

    #[test]
    fn unmeasured_board_uses_the_nearest_rating() {
        let rating =
            |game: &str, setup: &str, level| level_rating(game, &setup.parse().unwrap(), level);
        let casual = |game, setup| rating(game, setup, Level::Casual);
        assert_eq!(casual("dots-and-boxes", "size=4"), Some(1249.0));
        assert_eq!(casual("dots-and-boxes", "size=3"), Some(1249.0));
        assert_eq!(casual("dots-and-boxes", "rows=4 cols=5"), Some(1249.0));
        assert_eq!(casual("dots-and-boxes", "size=12"), Some(1150.0));
        assert_eq!(casual("join-the-dots", "layout=circle:12"), Some(1012.0));
        assert_eq!(casual("join-the-dots", "layout=circle:14"), Some(1130.0));
        assert_eq!(rating("quixo", "", Level::Strong), Some(1603.0));
        assert_eq!(rating("quixo", "", Level::Beginner), Some(800.0));
        assert_eq!(rating("quixo", "", Level::Perfect), None);
        assert_eq!(rating("quixo", "size=99", Level::Casual), None);
        assert_eq!(rating("chess", "", Level::Casual), None);
    }
}
