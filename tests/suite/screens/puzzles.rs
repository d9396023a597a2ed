use crate::common::player::{Player, draws_at};
use insta::assert_snapshot;
use jiff::civil::date;
use quadrille::app::{DiskTask, Task, TerminalTask};
use quadrille_match::store::progress::{Event, Progress};
use quadrille_puzzles::{Puzzle, PuzzleSet, Rush};
use std::time::Duration;

/// Opens the first puzzle of this course, at noon on the second day of puzzles.
fn at(course: PuzzleSet) -> Player {
    let player = Player::new();
    let noon = date(2026, 11, 26).at(12, 0, 0, 0).to_zoned(jiff::tz::TimeZone::UTC).unwrap();
    let app = player.app.with_calendar(move || noon.clone()).with_puzzles(course);
    let mut player = Player { app, ..player };
    player.app.set_progress(Progress::default());
    player
}

fn play(player: &mut Player, mv: &str) {
    for _ in 0..100 {
        let screen = player.screen(80, 24);
        let status = screen.lines().find(|line| line.trim_start().starts_with(mv));
        if status.is_some() {
            player.press("<enter>");
            return;
        }
        player.press("<tab>");
    }
    panic!("no {mv} on\n{}", player.screen(80, 24));
}

/// Returns the events to be saved since the last call.
fn noted(player: &mut Player) -> Vec<Event> {
    let tasks = player.tasks.drain(..);
    tasks
        .filter_map(|task| match task {
            Task::Disk(DiskTask::Append(events)) => Some(events),
            _ => None,
        })
        .flatten()
        .collect()
}

/// Returns a puzzle of Dots and Boxes with one move, and a legal move that is wrong.
fn simple() -> (Puzzle, String) {
    let one = |puzzle: &&Puzzle| puzzle.solution.len() == 1;
    let puzzle = quadrille_puzzles::of("dots-and-boxes").find(one).unwrap().clone();
    let legal = puzzle.position().unwrap().legal_moves();
    let wrong = legal.into_iter().find(|mv| *mv != puzzle.solution[0]).unwrap();
    (puzzle, wrong)
}

#[test]
fn wrong_puzzle_move_shows_its_refutation_and_is_undone() {
    let (puzzle, wrong) = simple();
    let mut player = at(PuzzleSet::One(puzzle.clone()));
    assert!(player.sees(&puzzle.id) && player.sees("You"), "{}", player.screen(80, 24));
    play(&mut player, &wrong);
    assert!(player.sees("! Not that one. Watch the reply."), "{}", player.screen(80, 24));
    player.turn_clock(Duration::from_secs(30));
    assert!(player.sees("take back"), "{}", player.screen(80, 24));
    let tried = noted(&mut player);
    assert!(matches!(&tried[..], [Event::Puzzle { solved: false, rated: true, .. }]), "{tried:?}");
    player.press("<enter>");
    assert!(player.sees("Try another move."));
    play(&mut player, &puzzle.solution[0]);
    assert!(player.sees("Solved") && player.sees("why"), "{}", player.screen(80, 24));
    let solved = noted(&mut player);
    assert!(
        matches!(&solved[..], [Event::Puzzle { solved: true, rated: false, .. }]),
        "the first result alone is rated: {solved:?}"
    );
    assert_snapshot!("puzzle_solved_80x24", player.body(80, 24));
    draws_at((30, 10), &player);
}

#[test]
fn first_try_is_recorded_and_next_puzzle_follows() {
    let (puzzle, _) = simple();
    let mut player = at(PuzzleSet::One(puzzle.clone()));
    for (width, height) in [(40, 12), (80, 24), (120, 40)] {
        assert_snapshot!(format!("puzzle_{width}x{height}"), player.body(width, height));
    }
    play(&mut player, &puzzle.solution[0]);
    assert!(player.sees("Solved on the first try"), "{}", player.screen(80, 24));
    let tried = noted(&mut player);
    assert!(matches!(&tried[..], [Event::Puzzle { solved: true, rated: true, .. }]), "{tried:?}");
    player.press("n");
    assert!(!player.sees(&format!("{} ", puzzle.id)) && player.sees("Dots and Boxes, puzzle"));
}

#[test]
fn hint_prevents_rating_and_giving_up_shows_the_solution() {
    let (puzzle, wrong) = simple();
    let mut player = at(PuzzleSet::One(puzzle.clone()));
    player.press("H");
    assert!(player.sees("hint"));
    player.press("H");
    assert!(player.sees(&format!("{} is the move.", puzzle.solution[0])));
    play(&mut player, &wrong);
    let tried = noted(&mut player);
    assert!(matches!(&tried[..], [Event::Puzzle { rated: false, .. }]), "{tried:?}");
    player.press("<enter>n");
    assert!(player.sees("Give up this puzzle?"), "{}", player.screen(80, 24));
    player.press("<enter>");
    assert!(!player.sees("The solution is"), "who keeps trying has given nothing up");
    player.press("n<down><enter>");
    assert!(player.sees("The solution is"), "{}", player.screen(80, 24));
    player.press("n");
    assert!(!player.sees("The solution is") && !player.sees("Give up"), "after the end it goes on");
}

#[test]
fn skipping_an_untried_puzzle_records_nothing() {
    let (puzzle, _) = simple();
    let mut player = at(PuzzleSet::One(puzzle.clone()));
    player.press("n");
    assert!(!player.sees(&format!("{}\n", puzzle.id)) && !player.sees("Give up"));
    assert_eq!(noted(&mut player), []);
}

#[test]
fn puzzle_move_can_be_typed() {
    let (puzzle, wrong) = simple();
    let right = &puzzle.solution[0];
    let mut player = at(PuzzleSet::One(puzzle.clone()));
    player.press(":q7");
    assert!(player.sees(":q7") && player.sees("Esc cancel"), "{}", player.screen(80, 24));
    player.press("<enter>");
    assert!(player.sees("try H0,0: "), "{}", player.screen(80, 24));
    for (width, height) in [(40, 12), (80, 24)] {
        draws_at((width, height), &player);
    }
    player.press("<esc>");
    assert_eq!(noted(&mut player), [], "nothing was tried");
    player.press(&format!(":{}<enter>", wrong.to_lowercase()));
    assert!(player.sees("! Not that one. Watch the reply."), "{}", player.screen(80, 24));
    player.press(&format!("<enter>:{right}<enter>"));
    assert!(player.sees("Solved:"), "{}", player.screen(80, 24));
    player.press(":");
    assert!(!player.sees("Esc cancel"), "there is nothing to type after the end");
}

#[test]
fn right_move_message_names_the_reply() {
    let answered = |puzzle: &&Puzzle| {
        let game = puzzle.position().unwrap();
        let mut next = game.copy_line();
        next.play(&puzzle.solution[0]).unwrap();
        puzzle.solution.len() > 2 && next.to_move() != game.to_move()
    };
    let puzzle = quadrille_puzzles::of("quixo").find(answered).unwrap().clone();
    let mut player = at(PuzzleSet::One(puzzle.clone()));
    player.press(&format!(":{}<enter>", puzzle.solution[0]));
    let said =
        format!("{} is correct. The opponent answers {}.", puzzle.solution[0], puzzle.solution[1]);
    let screen = player.screen(59, 20);
    assert!(screen.contains(&said), "{screen}");
}

/// An Enter typed after the number that solves a puzzle does not open the menu.
#[test]
fn enter_after_a_number_leaves_the_solution_on_screen() {
    let is_one_move = |puzzle: &&Puzzle| {
        let ends = puzzle.solution[0].split('-').map(|number| number.parse::<u8>().unwrap());
        puzzle.solution.len() == 1 && ends.clone().all(|number| (2..=9).contains(&number))
    };
    let puzzle = quadrille_puzzles::of("join-the-dots").find(is_one_move).unwrap().clone();
    let (from, to) = puzzle.solution[0].split_once('-').unwrap();
    let mut player = at(PuzzleSet::One(puzzle.clone()));
    player.press(&format!("{from}<enter>{to}"));
    let solved = player.screen(80, 24);
    assert!(solved.contains("Solved on the first try"), "{solved}");
    player.press("<enter>");
    assert_eq!(player.screen(80, 24), solved);
    player.press("<enter>");
    assert_ne!(player.screen(80, 24), solved, "the menu");
}

#[test]
fn daily_puzzle_offers_a_share_line() {
    let daily = quadrille_puzzles::daily(date(2026, 11, 26), Some("dots-and-boxes")).unwrap();
    let mut player = at(PuzzleSet::Daily(daily.clone()));
    assert!(player.sees("daily puzzle 2"), "{}", player.screen(80, 24));
    let mut game = daily.puzzle.position().unwrap();
    let solver = game.to_move();
    for mv in &daily.puzzle.solution {
        if game.to_move() == solver {
            play(&mut player, mv);
        }
        game.play(mv).unwrap();
    }
    let days: Vec<Event> = noted(&mut player);
    let today = Some(date(2026, 11, 26));
    assert!(
        days.iter()
            .any(|event| matches!(event, Event::Daily { number: 2, day, .. } if *day == today))
    );
    let line = player.app.line_to_share().unwrap();
    assert_eq!(line, "Quadrille daily 2, Dots and Boxes: +");
    for (width, height) in [(40, 12), (80, 24)] {
        assert!(player.screen(width, height).contains(&line), "{}", player.screen(width, height));
    }
    player.press("y");
    assert!(player.sees("Sent to the clipboard"), "{}", player.screen(80, 24));
    for (width, height) in [(40, 12), (80, 24)] {
        let screen = player.screen(width, height);
        assert!(screen.contains(&line) && screen.contains("y sent"), "{screen}");
    }
    let copies = |task: &Task| *task == Task::Terminal(TerminalTask::Copy(line.clone()));
    assert!(player.tasks.iter().any(copies), "{:?}\n{}", player.tasks, player.screen(80, 24));
}

/// The clock starts after the rules, which fit on the smallest usable screen in three lines.
#[test]
fn rush_begins_with_its_rules() {
    let mut player = at(PuzzleSet::Rush(Rush::new(None)));
    seconds(&mut player, 100);
    player.press("?<esc>");
    for (width, height) in [(40, 12), (80, 24)] {
        let screen = player.screen(width, height);
        assert!(Rush::BRIEF.iter().all(|line| screen.contains(line)), "{screen}");
        assert!(screen.contains("Start") && screen.contains("Puzzle rush: all games"), "{screen}");
    }
    player.press("<enter>");
    assert!(player.sees("3:00, 0 solved"), "{}", player.screen(80, 24));
    let mut player = at(PuzzleSet::Rush(Rush::new(None)));
    player.press("<esc>");
    assert!(!player.sees("0 solved") && noted(&mut player).is_empty());
}

#[test]
fn rush_offers_a_share_line() {
    let mut player = in_a_rush();
    for _ in 0..3 {
        player.press("n");
        seconds(&mut player, 3);
    }
    let line = "Quadrille rush, Dots and Boxes: 0 solved, ---";
    assert_eq!(player.app.line_to_share().as_deref(), Some(line));
    assert!(player.sees(line), "{}", player.screen(80, 24));
    // On a small screen, it is wrapped between words.
    for (width, height) in [(40, 12), (30, 10)] {
        let screen = player.screen(width, height);
        let words = screen.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(line), "{screen}");
    }
    player.press("y");
    let copies = |task: &Task| *task == Task::Terminal(TerminalTask::Copy(line.to_owned()));
    assert!(player.tasks.iter().any(copies), "{:?}", player.tasks);
    assert!(
        player.sees(line) && player.sees("Sent to the clipboard."),
        "{}",
        player.screen(80, 24)
    );
}

/// After a hint, there is one message, also after a wrong move, and the second hint marks its move.
#[test]
fn hint_replaces_the_last_message_and_marks_its_move() {
    let (puzzle, wrong) = simple();
    let mut player = at(PuzzleSet::One(puzzle.clone()));
    player.press(&format!(":{wrong}<enter><enter>"));
    assert!(player.sees("Try another move."));
    player.press("H");
    assert!(!player.sees("Try another move."), "{}", player.screen(80, 24));
    let board = |screen: &str| -> Vec<String> {
        screen.lines().map(|line| line.chars().take(44).collect()).collect()
    };
    let before = player.screen(80, 24);
    player.press("H");
    let hint = format!("{} is the move.", puzzle.solution[0]);
    assert!(player.sees(&hint) && !player.sees("Try another move."), "{}", player.screen(80, 24));
    assert_ne!(board(&player.screen(80, 24))[..20], board(&before)[..20], "the move is marked");
    player.press(&format!(":{wrong}<enter><enter>"));
    assert!(player.sees(&hint) && !player.sees("Try another move."), "{}", player.screen(80, 24));
}

#[test]
fn explanation_scrolls() {
    let (puzzle, _) = simple();
    let mut player = at(PuzzleSet::One(puzzle.clone()));
    assert!(!player.sees("Explanation"));
    player.press(&format!(":{}<enter><enter>", puzzle.solution[0]));
    assert!(player.sees("Explanation"), "{}", player.screen(80, 24));
    player.click("Explanation");
    for (width, height) in [(40, 12), (80, 24)] {
        player.press("<home>");
        assert!(
            player.screen(width, height).contains("Theme: "),
            "{}",
            player.screen(width, height)
        );
        player.press("<end>");
        draws_at((width, height), &player);
    }
}

#[test]
fn easier_puzzle_is_offered_beside_the_daily_one() {
    let daily = quadrille_puzzles::daily(date(2026, 11, 26), None).unwrap();
    let mut player = at(PuzzleSet::Daily(daily.clone()));
    assert!(player.sees("e easier"), "{}", player.screen(80, 24));
    player.press("e");
    assert!(player.sees("easier puzzle") && !player.sees("e easier"), "{}", player.screen(80, 24));
    let mut player = at(PuzzleSet::Daily(daily));
    let mut progress = Progress::default();
    for puzzle in quadrille_puzzles::of("quixo").take(5) {
        let (at, game) = (jiff::Timestamp::UNIX_EPOCH, "quixo".to_owned());
        let (id, rating) = (puzzle.id.clone(), puzzle.rating);
        progress.add(Event::Puzzle { at, game, id, rating, solved: false, rated: true });
    }
    player.app.set_progress(progress);
    assert!(!player.sees("e easier"), "{}", player.screen(80, 24));
}

fn in_a_rush() -> Player {
    let mut player = at(PuzzleSet::Rush(Rush::new(Some("dots-and-boxes"))));
    assert!(player.sees("Solve all you can in 3 min."), "{}", player.screen(80, 24));
    player.press("<enter>");
    assert!(player.sees("3:00, 0 solved, 0 mistakes"), "{}", player.screen(80, 24));
    player
}

fn seconds(player: &mut Player, seconds: u64) {
    player.turn_clock(Duration::from_secs(seconds));
}

/// A menu, a question and help stop the clock. A menu hides the position, so that the pause gives no time to think.
#[test]
fn rush_pauses_behind_menus_and_help_and_hides_the_board() {
    let mut player = in_a_rush();
    seconds(&mut player, 60);
    let board = |player: &Player| -> Vec<String> {
        player
            .screen(80, 24)
            .lines()
            .skip(1)
            .take(20)
            .map(|line| line.chars().take(44).collect())
            .collect()
    };
    let open = board(&player);
    assert!(player.sees("2:00, ") && player.sees("Esc pause"), "{}", player.screen(80, 24));
    for (key, title) in [("<esc>", "Rush paused"), ("q", "End this rush?")] {
        player.press(key);
        assert!(player.sees(title) && player.sees("2:00, "), "{}", player.screen(80, 24));
        assert_ne!(board(&player), open);
        assert!(!player.sees("Save a picture"), "it would show the position");
        seconds(&mut player, 300);
        draws_at((40, 12), &player);
        player.press("<esc>");
        assert_eq!(board(&player), open);
    }
    player.press("?");
    seconds(&mut player, 300);
    player.press("<esc>");
    assert!(player.sees("2:00, "), "{}", player.screen(80, 24));
    seconds(&mut player, 120);
    assert!(player.sees("Time is up. 0 solved."), "{}", player.screen(80, 24));
    let rushes = noted(&mut player);
    assert!(matches!(&rushes[..], [Event::Rush { score: 0, .. }]), "{rushes:?}");
    for size in [(30, 10), (40, 12), (80, 24)] {
        draws_at(size, &player);
    }
}

/// After a rush, its missed puzzles can be solved without a clock.
#[test]
fn missed_puzzles_of_a_rush_open_as_puzzles() {
    let mut player = in_a_rush();
    for _ in 0..3 {
        player.press("n");
        seconds(&mut player, 3);
    }
    assert!(player.sees("Three mistakes. 0 solved."), "{}", player.screen(80, 24));
    assert!(player.sees("m missed") && player.sees("n another rush"), "{}", player.screen(80, 24));
    player.press("?");
    assert!(player.sees("begin another rush"), "{}", player.screen(80, 24));
    player.press("<esc>m");
    assert!(player.sees("your mistakes") && player.sees("dots-"), "{}", player.screen(80, 24));
    for _ in 0..2 {
        player.press("n");
        assert!(!player.sees("no other puzzle"), "{}", player.screen(80, 24));
    }
    player.press("n");
    assert!(player.sees("no other puzzle"), "three were missed: {}", player.screen(80, 24));
    player.press("q");
    assert!(player.sees("Three mistakes. 0 solved."), "{}", player.screen(80, 24));
}

/// The solution after a mistake, a refutation and the rest of the match are not moves of the player.
#[test]
fn shown_moves_are_not_yours() {
    let mut player = in_a_rush();
    player.press("n");
    let screen = player.screen(80, 24);
    let last = screen.lines().find(|line| line.contains("last  ")).unwrap();
    assert!(last.contains("Your side"), "{screen}");
    let puzzle = quadrille_puzzles::of("quixo").find(|puzzle| puzzle.plies == Some(5)).unwrap();
    let mut player = at(PuzzleSet::One(puzzle.clone()));
    let wrong = puzzle.position().unwrap().legal_moves();
    let wrong = wrong.iter().find(|mv| **mv != puzzle.solution[0]).unwrap();
    player.press(&format!(":{wrong}<enter>"));
    assert!(player.sees(&format!("last  {wrong}  You")), "{}", player.screen(80, 24));
    player.turn_clock(Duration::from_secs(30));
    let screen = player.screen(80, 24);
    let last = screen.lines().find(|line| line.contains("last  ")).unwrap();
    assert!(!last.trim_end().ends_with("You"), "{screen}");
}

/// A small screen scrolls to the move of a hint and to the last move of a solution.
#[test]
fn small_screens_show_the_move_of_a_hint_and_of_a_solution() {
    let is_low = |puzzle: &&Puzzle| {
        let ends = puzzle.solution[0].split('-').map(|dot| dot.split(',').next().unwrap());
        puzzle.solution.len() == 1 && ends.collect::<Vec<_>>() == ["4", "4"]
    };
    let low = |game| quadrille_puzzles::of(game).find(is_low);
    let puzzle = low("intersections").unwrap();
    let mut player = at(PuzzleSet::One(puzzle.clone()));
    player.size.set((40, 12));
    let row = |player: &Player| {
        player.screen(40, 12).lines().any(|line| line.trim_start().starts_with("4 "))
    };
    assert!(!row(&player), "{}", player.screen(40, 12));
    player.press("HH");
    assert!(row(&player), "{}", player.screen(40, 12));
    let mut player = at(PuzzleSet::One(puzzle.clone()));
    player.size.set((40, 12));
    player.press("Hn<down><enter>");
    assert!(player.sees("The solution is"), "{}", player.screen(40, 12));
    assert!(row(&player), "{}", player.screen(40, 12));
}

/// A result stays under its own puzzle, and typed-ahead keys neither skip it nor play the next puzzle.
#[test]
fn keys_typed_ahead_in_a_rush_are_ignored() {
    let mut player = in_a_rush();
    player.press("n");
    assert!(player.sees("Skipped. The solution is"), "{}", player.screen(80, 24));
    assert!(player.sees("3:00, 0 solved, 1 mistake"), "{}", player.screen(80, 24));
    player.press("<enter><enter>n<tab><enter>:H0,0<enter>");
    assert!(player.sees("Skipped. The solution is") && player.sees(" 1 mistake"));
    seconds(&mut player, 3);
    assert!(!player.sees("Skipped") && player.sees(" 1 mistake"), "{}", player.screen(80, 24));
    assert_eq!(noted(&mut player).len(), 1, "one puzzle is not solved");
    player.press("n");
    seconds(&mut player, 3);
    player.press("n");
    assert!(player.sees("Skipped."), "{}", player.screen(80, 24));
    seconds(&mut player, 3);
    // Any number of keys leaves the summary on the screen.
    for keys in 0..5 {
        let screen = player.screen(80, 24);
        assert!(screen.contains("Three mistakes. 0 solved."), "{keys}: {screen}");
        player.press("<enter>");
    }
    let events = noted(&mut player);
    assert!(matches!(&events[..], [_, _, Event::Rush { score: 0, .. }]), "{events:?}");
    while player.sees("View the board") {
        player.press("<esc>");
    }
    player.press("n<enter>");
    assert!(player.sees("0 solved, 0 mistakes"), "{}", player.screen(80, 24));
}

#[test]
fn leaving_a_rush_keeps_the_score() {
    let mut player = in_a_rush();
    player.press("q");
    assert!(player.sees("End the rush"), "{}", player.screen(80, 24));
    player.click("End the rush");
    let events = noted(&mut player);
    assert!(matches!(&events[..], [Event::Rush { score: 0, .. }]), "{events:?}");
    assert!(player.sees("0 solved."), "{}", player.screen(80, 24));
    player.press("q");
    assert!(!player.sees("rush"), "{}", player.screen(80, 24));
}

/// The screen is too small to show a question.
#[test]
fn leaving_a_rush_on_a_tiny_screen_keeps_the_score() {
    let mut player = in_a_rush();
    player.screen(20, 5);
    player.press("q");
    let events = noted(&mut player);
    assert!(matches!(&events[..], [Event::Rush { score: 0, .. }]), "{events:?}");
}

#[test]
fn puzzle_hint_is_recorded_and_ends_the_first_try() {
    let (puzzle, _) = simple();
    let mut player = at(PuzzleSet::One(puzzle.clone()));
    player.press("HH");
    let hinted = noted(&mut player);
    assert!(
        matches!(&hinted[..], [Event::Puzzle { solved: false, rated: false, .. }]),
        "{hinted:?}"
    );
    let mut progress = Progress::default();
    for event in hinted {
        progress.add(event);
    }
    let mut again =
        Player { app: Player::new().app.with_puzzles(PuzzleSet::One(puzzle.clone())), ..player };
    again.app.set_progress(progress);
    again.press(&format!(":{}<enter>", puzzle.solution[0]));
    assert!(again.sees("Solved:") && !again.sees("first try"), "{}", again.screen(80, 24));
}

#[test]
fn home_names_a_streak_from_the_second_day_on() {
    let home = |days: u8| {
        let mut player = at(PuzzleSet::AtMyLevel(None));
        let mut progress = Progress::default();
        for back in 0..days {
            let day = Some(date(2026, 11, 26 - back as i8));
            let (at, game) = (jiff::Timestamp::UNIX_EPOCH, "quixo".to_owned());
            progress.add(Event::Daily { at, number: 2, game, day });
        }
        player.app.set_progress(progress);
        player.press("q<end><left><left><left><left><left><left>");
        assert!(player.sees("Puzzle 2: "), "{}", player.screen(80, 24));
        player.screen(80, 24)
    };
    for days in 0..2 {
        let screen = home(days);
        assert!(!screen.contains("day streak") && !screen.contains("1 day"), "{screen}");
    }
    assert!(home(2).contains("2-day streak"), "{}", home(2));
}

#[test]
fn solved_daily_puzzle_reopens_with_its_line_and_can_be_played_again() {
    let daily = quadrille_puzzles::daily(date(2026, 11, 26), Some("dots-and-boxes")).unwrap();
    let mut player = at(PuzzleSet::Daily(daily.clone()));
    let mut game = daily.puzzle.position().unwrap();
    let solver = game.to_move();
    for mv in &daily.puzzle.solution {
        if game.to_move() == solver {
            player.press(&format!(":{mv}<enter>"));
        }
        game.play(mv).unwrap();
    }
    let progress = player.app.progress().clone();
    let mut again =
        Player { app: Player::new().app.with_puzzles(PuzzleSet::Daily(daily)), ..player };
    again.app.set_progress(progress);
    let line = "Quadrille daily 2, Dots and Boxes: +";
    for (width, height) in [(40, 12), (80, 24)] {
        assert!(again.screen(width, height).contains(line), "{}", again.screen(width, height));
    }
    assert!(again.sees("Solved") && again.sees("y copy"), "{}", again.screen(80, 24));
    again.press("<enter>");
    again.click("Try again");
    assert!(!again.sees(line) && again.sees("H hint"), "{}", again.screen(80, 24));
}

/// Moving down from a game's card selects that game.
#[test]
fn the_home_screen_opens_puzzles_and_lessons_at_the_chosen_game() {
    let screen = |keys: &str| {
        let mut player = at(PuzzleSet::AtMyLevel(None));
        player.press(&format!("q<home>{keys}"));
        player
    };
    let cursor = |player: &Player, on: &str| player.sees(&format!("\u{25ba} {on}"));
    // From Quixo down, and then to the entry.
    for (keys, game) in [("<right><right>", "Quixo"), ("<right>", "Join the Dots")] {
        let mut player = screen(&format!("{keys}<down>"));
        while !player.sees("All solutions are proven") {
            player.press("<left>");
        }
        player.press("<enter>");
        assert!(cursor(&player, game), "{}", player.screen(80, 24));
        player.press("<esc><right><enter>");
        assert!(player.sees("6 lessons"), "{}", player.screen(80, 24));
        player.press("<enter>");
        assert!(player.sees(&format!("Learn {game}")), "{}", player.screen(80, 24));
    }
    // A click leaves the card as well.
    let mut player = screen("<right><right>");
    player.click("Learn   Records");
    player.press("<enter>");
    assert!(player.sees("Learn Quixo"), "{}", player.screen(80, 24));
    // This game has no puzzles.
    let mut player = screen("<right><right><right><down>");
    while !player.sees("All solutions are proven") {
        player.press("<left>");
    }
    player.press("<enter>");
    assert!(cursor(&player, "A puzzle at your level"), "{}", player.screen(80, 24));
}

#[test]
fn home_screen_offers_the_daily_puzzle() {
    let mut player = at(PuzzleSet::AtMyLevel(None));
    player.press("q<end><left><left><left><left><left><left>");
    assert!(player.sees("Puzzle 2: "), "{}", player.screen(80, 24));
    player.press("<enter>");
    assert!(player.sees("daily puzzle 2"), "{}", player.screen(80, 24));
    player.press("q<right><enter>");
    assert!(
        player.sees("A puzzle at your level") && player.sees("Puzzle rush"),
        "{}",
        player.screen(80, 24)
    );
    assert_snapshot!("puzzles_menu_80x24", player.body(80, 24));
}
