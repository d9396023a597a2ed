//! What holds of all puzzles that come with the program, and of attempts at them.

use super::judge::Judge;
use super::mine::Miner;
use super::*;
use crate::store::progress::{Event, Progress};
use jiff::civil::date;
use std::collections::HashSet;

/// The least number of puzzles of each game, in the order of the files.
const LEAST: [usize; 4] = [250, 120, 250, 120];

/// A puzzle, by its id.
fn puzzle(id: &str) -> Puzzle {
    find(id).unwrap().clone()
}

fn attempt(id: &str) -> Attempt {
    Attempt::new(puzzle(id)).unwrap()
}

/// A puzzle with more than one turn, and one of which a turn has more than one move.
fn long() -> Puzzle {
    of("dots-and-boxes").find(|puzzle| puzzle.decisions > 1).unwrap().clone()
}

#[test]
fn every_line_is_a_puzzle() {
    let mut ids = HashSet::new();
    for ((game, prefix, file), least) in FILES.iter().zip(LEAST) {
        let count = lines(file).count();
        assert!(count >= least, "{game}: {count} puzzles");
        for (line, number) in lines(file).zip(1..) {
            let puzzle = Puzzle::read(line).unwrap_or_else(|why| panic!("{line}: {why}"));
            assert_eq!(puzzle.to_string(), line);
            assert_eq!((&*puzzle.id, puzzle.game), (&*format!("{prefix}-{number}"), *game));
            assert!(ids.insert(puzzle.id.clone()), "{line}");
            assert!((400..=2400).contains(&puzzle.rating), "{line}");
            assert!((1..=5).contains(&puzzle.decisions), "{line}");
            assert!(!puzzle.themes.is_empty(), "{line}");
            let attempt = Attempt::new(puzzle).unwrap_or_else(|why| panic!("{line}: {why}"));
            assert!(!themes::hint(&attempt.puzzle().themes).contains("greedy"), "{line}");
        }
    }
    assert_eq!(all().len(), ids.len());
}

/// Makes a puzzle again from its position: the value, the only best way, and that a beginner goes another.
fn prove(puzzle: &Puzzle, miner: &mut Miner) {
    let made =
        miner.puzzle(&puzzle.position().unwrap()).unwrap_or_else(|why| panic!("{puzzle}: {why}"));
    let same = Puzzle { id: puzzle.id.clone(), rating: puzzle.rating, ..made };
    assert_eq!(same.to_string(), puzzle.to_string());
}

/// In Quixo only with the table of all boards, which takes a minute here; see the next test.
#[test]
fn a_sample_of_the_puzzles_is_proven_again() {
    for game in ["dots-and-boxes", "join-the-dots", "intersections"] {
        let miner = || Miner::new(crate::catalogue::find(game).unwrap(), 0);
        of(game).step_by(23).for_each(|puzzle| prove(puzzle, &mut miner()));
    }
}

#[test]
#[ignore = "takes some minutes"]
fn all_puzzles_are_proven_again() {
    for game in games() {
        let miner = || Miner::new(crate::catalogue::find(game).unwrap(), 1_000_000_000);
        // The table of all boards of Quixo is only built once.
        let mut one = miner();
        of(game).for_each(|puzzle| match game {
            "quixo" => prove(puzzle, &mut one),
            _ => prove(puzzle, &mut miner()),
        });
    }
}

/// The solution is right at each step, and nothing else is proven to be, except for moves of the same turn.
#[test]
fn a_sample_of_the_solutions_is_right_live() {
    for puzzle in games().flat_map(|game| of(game).step_by(11)) {
        let mut attempt = Attempt::new(puzzle.clone()).unwrap();
        let mut left = puzzle.solution.iter();
        while let Some(mv) = left.next() {
            assert!(!attempt.is_over(), "{puzzle}");
            let replies = match attempt.answer(mv).unwrap() {
                Answer::Right { replies } => replies,
                Answer::Solved { .. } => Vec::new(),
                Answer::Wrong { says, .. } => panic!("{puzzle}: {says}"),
            };
            let named: Vec<String> = left.by_ref().take(replies.len()).cloned().collect();
            assert_eq!(replies, named, "{puzzle}");
        }
        assert!(attempt.is_solved() && attempt.at_first_try() && attempt.is_rated(), "{puzzle}");
        assert!(!attempt.explain().is_empty(), "{puzzle}");
    }
}

/// Where a puzzle has one turn of one move, every other move is wrong, and is taken back.
#[test]
fn a_wrong_move_is_refuted_and_taken_back() {
    let simple = |puzzle: &&Puzzle| puzzle.solution.len() == 1;
    for puzzle in games().filter_map(|game| of(game).find(simple)) {
        let mut attempt = Attempt::new(puzzle.clone()).unwrap();
        let before = attempt.current_match().position_spec();
        for mv in attempt.current_match().legal() {
            if mv == puzzle.solution[0] {
                continue;
            }
            match attempt.answer(&mv).unwrap() {
                Answer::Wrong { refutation, says } => {
                    assert!(says.starts_with(&mv) && says.ends_with('.'), "{says}");
                    let line = [&[mv.clone()][..], &refutation].concat();
                    attempt.show(&line);
                    assert_eq!(attempt.as_ref().ply(), before.moves.len() + line.len(), "{puzzle}");
                }
                answer => panic!("{puzzle}: {mv}: {answer:?}"),
            }
            assert_eq!(attempt.current_match().position_spec(), before);
        }
        assert!(!attempt.at_first_try() && !attempt.is_over());
        assert!(matches!(attempt.answer(&puzzle.solution[0]), Ok(Answer::Solved { .. })));
        assert!(attempt.is_solved() && !attempt.at_first_try());
    }
}

#[test]
fn what_is_not_legal_is_refused_and_no_try() {
    let mut attempt = attempt("dots-1");
    assert!(attempt.answer("H9,9").is_err());
    assert!(attempt.answer("nonsense").is_err());
    assert!(!attempt.is_touched() && attempt.at_first_try());
}

#[test]
fn hints_say_first_the_idea_and_then_the_move() {
    let mut attempt = attempt("quixo-1");
    assert!(matches!(attempt.hint(), Ok(Hint::Theme(_))));
    let mv = attempt.puzzle().solution[0].clone();
    assert_eq!(attempt.hint(), Ok(Hint::Move(mv)));
    assert!(!attempt.is_rated());
    attempt.restart();
    assert!(attempt.is_rated() && !attempt.is_touched());
}

#[test]
fn who_gives_up_sees_the_solution() {
    let mut attempt = Attempt::new(long()).unwrap();
    let solution = attempt.give_up();
    assert_eq!(solution, attempt.puzzle().solution);
    attempt.show(&solution);
    assert_eq!(attempt.as_ref().ply(), attempt.current_match().ply() + solution.len());
    assert!(attempt.is_over() && !attempt.is_solved() && !attempt.at_first_try());
}

#[test]
fn a_line_that_is_no_puzzle_is_an_error() {
    let line = puzzle("dots-1").to_string();
    assert_eq!(Puzzle::read("dots-1 | "), Err(PuzzleError::Shape));
    assert_eq!(
        Puzzle::read(&line.replacen("dots-1", "chess-1", 1)),
        Err(PuzzleError::Id("chess-1".to_owned()))
    );
    assert_eq!(
        Puzzle::read(&line.replacen("dots-1", "dots-x", 1)),
        Err(PuzzleError::Id("dots-x".to_owned()))
    );
    let wrong = Puzzle { moves: vec!["H9,9".to_owned()], ..puzzle("dots-1") };
    assert!(matches!(Attempt::new(wrong), Err(PuzzleError::Move(_))));
}

#[test]
fn the_puzzle_of_a_day_is_the_same_for_all() {
    let first = date(2026, 11, 25);
    assert_eq!(daily(first.yesterday().unwrap(), None), None);
    assert_eq!(daily(first, Some("tic-tac-toe")), None);
    let days: Vec<Daily> = (0..8)
        .map(|days| daily(first.checked_add(jiff::Span::new().days(days)).unwrap(), None).unwrap())
        .collect();
    let names: Vec<&str> = days.iter().map(|daily| daily.puzzle.game).collect();
    assert_eq!(names[..4], games().collect::<Vec<_>>(), "a day each");
    assert_eq!(names[..4], names[4..]);
    assert_eq!(days.iter().map(|daily| daily.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(daily(first, Some("quixo")).unwrap().puzzle.id, "quixo-1");
    // After the last line the first one follows.
    let count = of("quixo").count() as i64;
    let later = first.checked_add(jiff::Span::new().days(count)).unwrap();
    assert_eq!(daily(later, Some("quixo")).unwrap().puzzle.id, "quixo-1");
    let earlier = archive(date(2026, 11, 28));
    assert_eq!(earlier.iter().map(|daily| daily.number).collect::<Vec<_>>(), [3, 2, 1]);
}

fn solved(id: &str) -> Event {
    let puzzle = puzzle(id);
    let at = jiff::Timestamp::UNIX_EPOCH;
    let (game, rating) = (puzzle.game.to_owned(), puzzle.rating);
    Event::Puzzle { at, game, id: id.to_owned(), rating, solved: true, rated: true }
}

#[test]
fn no_puzzle_comes_twice_while_there_are_others() {
    let mut progress = Progress::default();
    let mut course = Course::Fitting(Some("quixo"));
    let mut seen = HashSet::new();
    for seed in 0..of("quixo").count() as u64 {
        let puzzle = course.next(&progress, date(2026, 12, 1), seed).unwrap();
        assert_eq!(puzzle.game, "quixo");
        assert!(seen.insert(puzzle.id.clone()), "{}", puzzle.id);
        progress.add(solved(&puzzle.id));
    }
    assert!(course.next(&progress, date(2026, 12, 1), 0).is_some(), "then all come again");
}

#[test]
fn a_wrong_move_is_not_praised() {
    let mut attempt = Attempt::new(find("dots-1").unwrap().clone()).unwrap();
    // What the engine says of it is that it gives nothing away.
    let Ok(Answer::Wrong { refutation, says }) = attempt.answer("H0,0") else { panic!() };
    assert_eq!(says, format!("H0,0 loses by 3 after {}.", refutation[0]));
}

/// The main theme changes from each puzzle to the next, and in games with many themes does not come back at once.
#[test]
fn the_theme_changes_and_the_puzzle_still_fits() {
    for game in games() {
        let mut progress = Progress::default();
        let mut course = Course::Fitting(Some(game));
        let mut seen: Vec<Puzzle> = Vec::new();
        for seed in 0..10 {
            let puzzle = course.next(&progress, date(2026, 12, 1), 7 * seed).unwrap();
            let apart = if game == "intersections" { 1 } else { 2 };
            let mut last = seen.iter().rev().take(apart);
            assert!(last.all(|last| last.themes[0] != puzzle.themes[0]), "{game}: {puzzle}");
            // A try with a hint says nothing about strength, so the same rating fits all the time.
            let Event::Puzzle { at, game, id, rating, solved, .. } = solved(&puzzle.id) else {
                panic!()
            };
            progress.add(Event::Puzzle { at, game, id, rating, solved, rated: false });
            assert!(puzzle.rating.abs_diff(1000) <= 300, "{puzzle}");
            seen.push(puzzle);
        }
    }
}

#[test]
fn a_rush_gets_harder_and_ends_with_the_third_mistake() {
    let mut course = Course::Rush(Rush::new(None));
    let mut next = |solved: u32| {
        if let Course::Rush(rush) = &mut course {
            rush.solved = solved;
        }
        course.next(&Progress::default(), date(2026, 12, 1), 3).unwrap()
    };
    assert!(next(0).rating < next(20).rating);
    let mut rush = Rush::new(None);
    rush.mistakes = 2;
    assert!(!rush.is_over());
    rush.mistakes = 3;
    assert!(rush.is_over());
}

#[test]
fn the_line_to_share_does_not_spoil() {
    let daily = daily(date(2026, 11, 25), None).unwrap();
    let mut attempt = Attempt::new(daily.puzzle.clone()).unwrap();
    let rating = daily.puzzle.rating;
    assert_eq!(
        share_line(&daily, &attempt, 0),
        format!("Quadrille daily 1, Dots and Boxes {rating}: not solved")
    );
    for mv in daily.puzzle.solution.clone() {
        if attempt.current_match().to_move() == Some(attempt.seat()) && !attempt.is_over() {
            attempt.answer(&mv).unwrap();
        }
    }
    assert_eq!(
        share_line(&daily, &attempt, 5),
        format!(
            "Quadrille daily 1, Dots and Boxes {rating}: solved at the first try, 5 days in a row"
        )
    );
}

/// A live judge takes little, whatever it is asked.
#[test]
fn a_live_judge_knows_all_moves_of_a_puzzle() {
    for puzzle in games().filter_map(|game| of(game).next()) {
        let mut judge = Judge::live(puzzle.entry().unwrap());
        let game = puzzle.position().unwrap();
        let judged = judge.judge(&game).unwrap();
        let moves: HashSet<&String> = judged.moves.iter().map(|(mv, _)| mv).collect();
        let legal = game.legal();
        assert_eq!(moves, legal.iter().collect());
    }
}
