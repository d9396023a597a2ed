//! Tests of every stage, class and quantity, each with a position in which a check holds and one in which it does not.

use super::language::{Moment, Solver};
use quadrille_match::session::Match;
use quadrille_table::catalogue;

/// Each line has a word, a check, a position in which the check holds, and one in which it does not. A position is a
/// game, its setup and the moves, separated by slashes.
const CASES: &str = "\
start; a1 | start | count move = 9; tic-tac-toe//; tic-tac-toe//b1
game; game | count move = 9; tic-tac-toe//a1; dots-and-boxes/size=3/
pass; pass | list mates = c2; tic-tac-toe//a1 a2 b1 b2; tic-tac-toe//
pass; pass | count move = 20; quixo/size=3/; quixo/size=4/
greedy; greedy | score = 2-0; dots-and-boxes/rows=2 cols=3/V0,0 H0,0 H1,0 H0,1 H1,1; dots-and-boxes/rows=2 cols=3/
best; best | winner = you; tic-tac-toe//a1 a2 b1 b2; tic-tac-toe//
settled; settled | chains = 2; dots-and-boxes/rows=2 cols=3/H0,0 H1,0 H0,1; dots-and-boxes/rows=2 cols=3/V0,0 H0,0 H1,0
end; end | winner = nobody; tic-tac-toe//; tic-tac-toe//a1 a2 b1 b2
move; count move = 9; tic-tac-toe//; tic-tac-toe//a1
*; count a* = 3; tic-tac-toe//; tic-tac-toe//a1
!; count !a* = 6; tic-tac-toe//; tic-tac-toe//b1
wins; count wins & c1 = 1; tic-tac-toe//a1 a2 b1 b2; tic-tac-toe//
draws; count draws & c1 = 1; tic-tac-toe//; tic-tac-toe//a1 a2 b1 b2
loses; count loses & c1 = 1; tic-tac-toe//a1; tic-tac-toe//b2
keeps; count keeps & c1 = 1; tic-tac-toe//b2; tic-tac-toe//a1
worth; list worth=2 = V0,1; dots-and-boxes/rows=2 cols=3/V0,0 H0,0 H1,0 H0,1 H1,1; dots-and-boxes/rows=2 cols=3/
takes; list takes=2 = V0,1; dots-and-boxes/rows=2 cols=3/V0,0 H0,0 H1,0 H0,1 H1,1 V0,2; dots-and-boxes/rows=2 cols=3/
takes; list takes = V0,1; dots-and-boxes/rows=2 cols=3/V0,0 H0,0 H1,0; dots-and-boxes/rows=2 cols=3/V0,0 H0,0
takes; list takes=4 = 1-4; join-the-dots/layout=circle:5/1-2 2-3 3-4; join-the-dots/layout=circle:5/1-2 2-3
most; list most = 1-4; join-the-dots/layout=circle:5/1-2 2-3 3-4; join-the-dots/layout=circle:5/1-2 2-3
safe; count safe = 7; dots-and-boxes/rows=2 cols=3/; dots-and-boxes/rows=2 cols=3/H0,0 H1,0
safe; list safe = 4-5; join-the-dots/layout=circle:5/1-3; join-the-dots/layout=circle:5/1-2
opens; list opens=1 = V0,0 V0,1; dots-and-boxes/rows=2 cols=3/H0,0 H1,0; dots-and-boxes/rows=2 cols=3/
mates; list mates = c1; tic-tac-toe//a1 a2 b1 b2; tic-tac-toe//
stops; list stops = c1; tic-tac-toe//a1 b2 b1; tic-tac-toe//a1 b2
stops; list stops=c1-a1 = c1; tic-tac-toe//a1 b2 b1; tic-tac-toe//a1 b2
threats; count threats & b1 = 1; tic-tac-toe//a1 b2; tic-tac-toe//a1 c1
threats; list threats=2 = c1; tic-tac-toe//a1 c3 a3 a2; tic-tac-toe//a1 c3
blocks; count blocks & 0,0-0,1 = 1; intersections/size=3 segments=4 rounds=2/; intersections/size=3 segments=4 rounds=2/0,1-0,2
blocks; list blocks=2-4 = 1-3 3-5; join-the-dots/layout=circle:5/; join-the-dots/layout=circle:5/1-3
blocks; count blocks & 1-3 = 1; join-the-dots/layout=circle:5/; join-the-dots/layout=circle:5/1-2 2-3
adds; list adds=1 & 1,1-1,* = 1,1-1,2; intersections/size=3 segments=4 rounds=2/0,1-2,1; intersections/size=3 segments=4 rounds=2/
round; count round=0 & 0,0-1,0 = 1; intersections/size=3 segments=2 rounds=2 first=offense/; intersections/size=3 segments=4 rounds=2 first=next/0,1-2,1 1,1-1,2 0,0-0,1
long; count long=3 & 0,0-* = 2; intersections/size=3 segments=4 rounds=2/; intersections/size=3 segments=4 rounds=2/0,0-0,1
turn; H0,0 | turn = opponent; dots-and-boxes/rows=2 cols=3/; dots-and-boxes/rows=2 cols=3/H1,0 V0,0 V0,1
you; you = A; dots-and-boxes/rows=2 cols=3/; dots-and-boxes/rows=2 cols=3/H0,0
value; value = 2; dots-and-boxes/rows=2 cols=3/V0,0 H0,0 H1,0 H0,1 H1,1; dots-and-boxes/rows=2 cols=3/H0,0 H1,0 H0,1 H1,1
gives; gives = yes; dots-and-boxes/rows=2 cols=3/V0,0 H0,0 H1,0; dots-and-boxes/rows=2 cols=3/V0,0 H0,0
worse; V0,2 | worse = yes; dots-and-boxes/rows=2 cols=3/V0,0 H0,0 H1,0 H0,1 H1,1; dots-and-boxes/rows=2 cols=3/H0,0 H1,0 H0,1 H1,1
wins; wins = yes; tic-tac-toe//a1 a2 b1 b2; tic-tac-toe//
loses; loses = yes; dots-and-boxes/rows=2 cols=3/H0,0 H1,0 H0,1 H1,1; tic-tac-toe//
win; win = 1; tic-tac-toe//a1 a2 b1 b2; tic-tac-toe//
winner; c1 | winner = you; tic-tac-toe//a1 a2 b1 b2; tic-tac-toe//
score; V0,1 | score = 1-0; dots-and-boxes/rows=2 cols=3/V0,0 H0,0 H1,0; dots-and-boxes/rows=2 cols=3/V0,0 H0,0
count; count takes = 1; dots-and-boxes/rows=2 cols=3/V0,0 H0,0 H1,0; dots-and-boxes/rows=2 cols=3/V0,0 H0,0
list; list a1/a2 = a1 a2; tic-tac-toe//; tic-tac-toe//a1
some; some takes = yes; dots-and-boxes/rows=2 cols=3/V0,0 H0,0 H1,0; dots-and-boxes/rows=2 cols=3/V0,0 H0,0
some; some mates = no; tic-tac-toe//; tic-tac-toe//a1 a2 b1 b2
/; count move = 8/7; tic-tac-toe//a1; tic-tac-toe//
legal; legal a1 = yes; tic-tac-toe//; tic-tac-toe//a1
last; last = a1; tic-tac-toe//a1; tic-tac-toe//b1
through; through b2 = 4; tic-tac-toe//; quixo/size=4/
cells; cells a1 b1 = X-; tic-tac-toe//a1; tic-tac-toe//b1
cells; cells A1 B1 = X-; quixo/size=3 grid=X-------- first=X/; quixo/size=3/
open; open X 2 = 1; tic-tac-toe//a1 a2 b1; tic-tac-toe//a1 a2 b1 c1
offense; offense = you; intersections/size=3 segments=4 rounds=2 first=offense/; intersections/size=3 segments=4 rounds=2 first=next/
left; left = 3; intersections/size=3 segments=4 rounds=2/0,0-0,1; intersections/size=3 segments=4 rounds=2/
left; left = 2; join-the-dots/layout=circle:5/1-2 2-3 1-3; join-the-dots/layout=circle:5/1-2 2-3
ends; ends 0,0 = 1; intersections/size=3 segments=4 rounds=2/0,0-0,1; intersections/size=3 segments=4 rounds=2/
passed; passed 0,1 = yes; intersections/size=3 segments=4 rounds=2/0,0-0,2; intersections/size=3 segments=4 rounds=2/0,0-0,1
counting; counting = 1; intersections/size=3 segments=4 rounds=2/0,1-2,1 1,1-1,2; intersections/size=3 segments=4 rounds=2/0,1-2,1
offers; offers = 2; intersections/size=3 segments=4 rounds=2 first=next/0,1-2,1 1,1-1,2 0,0-1,0; intersections/size=3 segments=2 rounds=2/
dots; dots = 6; dots-and-boxes/rows=2 cols=3/; dots-and-boxes/size=3/
boxes; boxes 3 = 1; dots-and-boxes/rows=2 cols=3/V0,0 H0,0 H1,0; dots-and-boxes/rows=2 cols=3/V0,0 H0,0
boxes; boxes = 2; dots-and-boxes/rows=2 cols=3/; dots-and-boxes/size=3/
sides; sides 0,0 = 3; dots-and-boxes/rows=2 cols=3/V0,0 H0,0 H1,0; dots-and-boxes/rows=2 cols=3/V0,0 H0,0
borders; borders V0,1 = 2; dots-and-boxes/rows=2 cols=3/; dots-and-boxes/rows=3 cols=2/
owner; V0,1 | owner 0,0 = you; dots-and-boxes/rows=2 cols=3/V0,0 H0,0 H1,0; dots-and-boxes/rows=2 cols=3/V0,0 H0,0
half-turn; half-turn = yes; dots-and-boxes/rows=2 cols=3/H0,0 H1,1; dots-and-boxes/rows=2 cols=3/H0,0
chains; chains = 2; dots-and-boxes/rows=2 cols=3/H0,0 H1,0 H0,1 H1,1; dots-and-boxes/rows=2 cols=3/H0,0 H1,0 H0,1
loops; loops = 4; dots-and-boxes/size=3/H0,0 H0,1 H2,0 H2,1 V0,0 V1,0 V0,2 V1,2; dots-and-boxes/size=3/H0,0 H0,1 H2,0 H2,1 V0,0 V1,0 V0,2
runs; runs = 2; dots-and-boxes/rows=2 cols=3/V0,0 H0,0 H1,0 H0,1 H1,1; dots-and-boxes/rows=2 cols=3/H0,0 H1,0 H0,1 H1,1
has; has chain = yes; dots-and-boxes/rows=2 cols=3/H0,0 H1,0; dots-and-boxes/rows=2 cols=3/V0,0 H0,0 H1,0
has; has loop = yes; dots-and-boxes/size=3/H0,0 H0,1 H2,0 H2,1 V0,0 V1,0 V0,2 V1,2; dots-and-boxes/size=3/H0,0 H0,1 H2,0 H2,1 V0,0 V1,0 V0,2
chain; has chain = yes; dots-and-boxes/rows=2 cols=3/H0,0 H1,0; dots-and-boxes/rows=2 cols=3/H0,0
loop; has loop = no; dots-and-boxes/rows=2 cols=3/H0,0 H1,0; dots-and-boxes/size=3/H0,0 H0,1 H2,0 H2,1 V0,0 V1,0 V0,2 V1,2
long; long = 1; dots-and-boxes/rows=2 cols=4/H0,0 H0,1 H0,2 H1,0 H1,1 H1,2; dots-and-boxes/rows=2 cols=4/H0,0 H0,1 H1,0 H1,1 H1,2
lines; lines = 1; join-the-dots/layout=circle:5/1-2; join-the-dots/layout=circle:5/
free; free = 3 4 5; join-the-dots/layout=circle:5/1-2; join-the-dots/layout=circle:5/
crosses; crosses 2-4 = 1-3; join-the-dots/layout=circle:5/1-3; join-the-dots/layout=circle:5/
paths; paths = 2 2; join-the-dots/layout=circle:5/1-2 3-4; join-the-dots/layout=circle:5/1-2 2-3";

fn game(position: &str) -> Match {
    let [game, setup, moves] = position.split('/').collect::<Vec<_>>()[..] else {
        panic!("{position}")
    };
    let mut game = (catalogue::find(game).unwrap().start)(&setup.parse().unwrap()).unwrap();
    for mv in moves.split_whitespace() {
        game.play(mv).unwrap();
    }
    game
}

fn solver(game: &Match) -> Solver {
    Solver::new(catalogue::find(game.id()).unwrap())
}

fn check(position: &str, check: &str) -> Result<(), String> {
    let game = game(position);
    solver(&game).check(check, &[Moment::new(&game)])
}

#[test]
fn every_check_holds_in_one_position_and_fails_in_another() {
    let mut wrong = Vec::new();
    let mut tested = vec!["any", "before", "tried", "answered"];
    for case in CASES.lines() {
        let [word, fact, holds, fails] = case.split("; ").collect::<Vec<_>>()[..] else {
            panic!("{case}")
        };
        tested.push(word);
        let (held, failed) = (check(holds, fact), check(fails, fact));
        let is_false = failed.as_ref().is_err_and(|why| why.starts_with("is "));
        if held.is_err() || !is_false {
            wrong.push(format!("{case}\n  {held:?}\n  {failed:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The words of the language are the arms of its matches.
    let arms = [include_str!("language.rs"), include_str!("board.rs")]
        .iter()
        .flat_map(|text| text.lines())
        .filter_map(|line| {
            let (word, arm) = line.trim().strip_prefix('"')?.split_once('"')?;
            (arm.starts_with(" =>")
                && word.chars().all(|letter| "-".contains(letter) || letter.is_ascii_lowercase()))
            .then_some(word)
        });
    let untested: Vec<&str> =
        arms.filter(|word| !tested.contains(word) && catalogue::find(word).is_none()).collect();
    assert_eq!(untested, [] as [&str; 0]);
}

#[test]
fn stages_of_a_try_are_the_positions_before_and_after_it() {
    let before = game("tic-tac-toe//a1");
    let answered = game("tic-tac-toe//a1 b1 b2");
    let moment = Moment::of_a_try(&game("tic-tac-toe//"), &before, "b1", &answered);
    let mut solver = solver(&before);
    let mut check = |check: &str| solver.check(check, std::slice::from_ref(&moment));
    for (stage, moves) in [("start", 9), ("before", 8), ("tried", 7), ("answered", 6)] {
        assert_eq!(check(&format!("{stage} | count move = {moves}")), Ok(()));
        assert!(check(&format!("{stage} | count move = {}", moves + 1)).is_err());
    }
    assert_eq!(check("count move = 7"), Ok(()));
}

#[test]
fn stage_without_a_position_is_an_error_for_any_moment() {
    let [with, without] = ["V0,0 H0,0 H1,0", "V0,0 H0,0"]
        .map(|moves| game(&format!("dots-and-boxes/rows=2 cols=3/{moves}")));
    let (mut solver, check) = (solver(&with), "any takes | score = 1-0");
    let [with, without] = [with, without].map(|game| Moment::new(&game));
    assert_eq!(solver.check(check, std::slice::from_ref(&with)), Ok(()));
    assert!(solver.check("any takes | score = 0-1", std::slice::from_ref(&with)).is_err());
    for moments in [[with.clone(), without.clone()], [without, with]] {
        let why = solver.check(check, &moments).unwrap_err();
        assert!(why.starts_with("any takes leads to no position"), "{why}");
    }
    assert!(solver.check("score", &[]).is_err());
}
