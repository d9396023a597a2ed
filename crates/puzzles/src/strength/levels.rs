//! The measured strength of our levels, from the tables in `docs/engines.md`.

use quadrille_rules::Setup;
use quadrille_search::Level;
use quadrille_table::catalogue;

/// The rating of Beginner of the first version on every board. All other ratings are relative to it.
const FIRST_BEGINNER: f64 = 800.0;

/// The strength of the levels on one board.
struct Row {
    game: &'static str,
    setup: &'static str,
    /// The Elo gains of Casual, Skilled and Strong of the first version, each relative to the level below.
    first_steps: [u16; 3],
    /// The ratings of Beginner, Casual, Skilled and Strong, from games against levels of the first version.
    ratings: [u16; 4],
}

/// The rows, in the order of the tables.
const ROWS: [Row; 9] = [
    row("dots-and-boxes", "size=4", [449, 269, 263], [798, 1000, 1350, 1781]),
    row("dots-and-boxes", "size=5", [350, 456, 413], [860, 979, 1415, 2019]),
    row("quixo", "size=4", [182, 235, 276], [761, 944, 1205, 1493]),
    row("quixo", "size=5", [235, 222, 346], [741, 990, 1260, 1603]),
    row("join-the-dots", "layout=random:10", [212, 164, 285], [1081, 1204, 1305, 1461]),
    row("join-the-dots", "layout=random:16", [330, 184, 338], [1261, 1298, 1514, 1652]),
    row("intersections", "size=4 rounds=6", [436, 137, 210], [492, 698, 1118, 1583]),
    row("intersections", "size=5 rounds=4", [177, 350, 377], [379, 649, 1135, 1704]),
    row("tic-tac-toe", "", [139, 125, 102], [971, 1103, 1153, 1166]),
];

const fn row(
    game: &'static str,
    setup: &'static str,
    first_steps: [u16; 3],
    ratings: [u16; 4],
) -> Row {
    Row { game, setup, first_steps, ratings }
}

/// Returns the rating of a level in a game, in Elo; `version` is the version of the level ([`Level::VERSION`]). A board
/// that was not measured uses the measured board with the nearest number of first moves. `None` for Perfect, which cannot
/// be beaten, and for an unknown game or setup.
pub fn level_rating(game: &str, setup: &Setup, level: Level, version: u32) -> Option<f64> {
    let at = match level {
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
    if version > 1 {
        return Some(f64::from(row.ratings[at]));
    }
    let steps = row.first_steps[..at].iter().map(|step| f64::from(*step));
    Some(FIRST_BEGINNER + steps.sum::<f64>())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rows of the table in the docs that begins with this line.
    fn table(head: &str) -> Vec<&'static str> {
        let docs = include_str!("../../../../docs/engines.md");
        let (_, table) = docs.split_once(head).unwrap();
        let rows: Vec<&str> =
            table.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
        assert_eq!(rows.len(), ROWS.len());
        for (line, Row { game, .. }) in rows.iter().zip(&ROWS) {
            let name = catalogue::find(game).unwrap().name;
            assert!(line.starts_with(&format!("| {name}, ")), "{line}");
        }
        rows
    }

    /// Returns the first number of each cell after the name of the row.
    fn numbers(line: &str) -> Vec<f64> {
        let cells = line.trim_matches('|').split('|').skip(1);
        cells.map(|cell| cell.split_whitespace().next().unwrap().parse().unwrap()).collect()
    }

    #[test]
    fn level_ratings_match_the_docs_table() {
        for (line, row) in table("| | Beginner | Casual | Skilled | Strong |").iter().zip(&ROWS) {
            assert_eq!(numbers(line), row.ratings.map(f64::from), "{line}");
        }
    }

    /// What the screens say about the strength of the levels holds for every row of the ladder.
    #[test]
    fn texts_about_strength_hold_for_every_row() {
        let ladder = table("| | Casual | Skilled | Strong |");
        let steps: Vec<Vec<f64>> = ladder.iter().map(|line| numbers(line)).collect();
        let (tic_tac_toe, others) = steps.split_last().unwrap();
        let share = |elo: &f64| 10.0 / (1.0 + 10_f64.powf(-elo / 400.0));
        let range = |values: &mut dyn Iterator<Item = f64>| {
            let values: Vec<f64> = values.map(f64::round).collect();
            let least = values.iter().copied().fold(f64::INFINITY, f64::min);
            let most = values.iter().copied().fold(0.0, f64::max);
            if least.to_bits() == most.to_bits() {
                format!("{most}")
            } else {
                format!("{least} to {most}")
            }
        };
        let all = range(&mut others.iter().flatten().map(share));
        let elo = range(&mut others.iter().flatten().map(|elo| (elo / 10.0).round() * 10.0));
        let drawn = range(&mut tic_tac_toe.iter().map(share));
        let expected = format!(
            "From Beginner to Strong, each level scores {all} points in 10 games against the level below, or {elo} Elo; \
             a draw counts half a point. In Tic-tac-toe, where good players draw, it scores {drawn}."
        );
        assert_eq!(Level::DISTANCES, expected);
        for (at, level) in [Level::Casual, Level::Skilled, Level::Strong].into_iter().enumerate() {
            let wins = range(&mut others.iter().map(|steps| share(&steps[at])));
            let with_draws = range(&mut others.iter().chain([tic_tac_toe]).map(|s| share(&s[at])));
            // Tic-tac-toe is named where it lies outside the range of the other games.
            let exception = if with_draws == wins {
                String::new()
            } else {
                format!(", {:.0} in Tic-tac-toe", share(&tic_tac_toe[at]))
            };
            let below = Level::ALL[at].to_string();
            let expected = format!("Scores {wins} of 10 against {below}{exception}");
            assert_eq!(level.about().to_lowercase(), expected.to_lowercase());
        }
    }

    /// Checks that each row matches the setup of its tournament.
    #[test]
    fn each_rating_row_has_a_tournament_file() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/tournaments");
        let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        let levels = |path: &std::path::PathBuf| {
            path.file_name().unwrap().to_str().unwrap().starts_with("levels-")
        };
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
        let rating = |game: &str, setup: &str, level, version| {
            level_rating(game, &setup.parse().unwrap(), level, version)
        };
        let casual = |game, setup| rating(game, setup, Level::Casual, 1);
        assert_eq!(casual("dots-and-boxes", "size=4"), Some(1249.0));
        assert_eq!(casual("dots-and-boxes", "size=3"), Some(1249.0));
        assert_eq!(casual("dots-and-boxes", "rows=4 cols=5"), Some(1249.0));
        assert_eq!(casual("dots-and-boxes", "size=12"), Some(1150.0));
        assert_eq!(casual("join-the-dots", "layout=circle:12"), Some(1012.0));
        assert_eq!(casual("join-the-dots", "layout=circle:14"), Some(1130.0));
        assert_eq!(rating("quixo", "", Level::Strong, 1), Some(1603.0));
        assert_eq!(rating("quixo", "", Level::Beginner, 1), Some(800.0));
        // Strong has not changed.
        assert_eq!(rating("quixo", "", Level::Strong, 2), Some(1603.0));
        assert_eq!(rating("quixo", "", Level::Perfect, 2), None);
        assert_eq!(rating("quixo", "size=99", Level::Casual, 2), None);
        assert_eq!(rating("chess", "", Level::Casual, 2), None);
    }

    #[test]
    fn strong_keeps_its_rating() {
        for Row { game, first_steps, ratings, .. } in &ROWS {
            assert_eq!(ratings[3], 800 + first_steps.iter().sum::<u16>(), "{game}");
            assert!(ratings.is_sorted(), "{game}");
        }
    }
}
