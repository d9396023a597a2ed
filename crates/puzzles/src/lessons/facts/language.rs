//! The checks in the tables, which have the form `STAGE | STAGE | QUANTITY = RESULT`.
//!
//! Each stage maps a position to one or more positions. The quantity is computed for each final position, either from
//! the rules alone or from the solver's proofs, and must equal the result for all final positions.
//!
//! Stages: `start` of the step; `before`, `tried` and `answered` (the position before the try, after it, and after the
//! answer that the lesson shows); `game`, the game's first position; a sequence of moves; `best`, a best turn;
//! `greedy`, taking everything possible without the extra move; `any CLASS`, each move of a class; `pass`, the same
//! board with the other player to move, in Quixo and Tic-tac-toe.
//!
//! Classes: terms joined by `&`, each optionally negated by `!`. A term is a pattern such as `C2-*`, with alternatives
//! separated by `/`, or one of the words in [`Solver::is`]. Values are from the mover's perspective.
//!
//! Quantities: the words in [`Solver::quantity`]. `value`, `score` and `turn` are from the learner's perspective,
//! regardless of whose turn it is.

use crate::judge::Judge;
use quadrille_match::session::Match;
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_rules::intersections::{Dot, Intersections};
use quadrille_rules::join_the_dots::{Edge, JoinTheDots};
use quadrille_rules::quixo::{Place, Quixo};
use quadrille_rules::tic_tac_toe::TicTacToe;
use quadrille_rules::{Position, Seat, Symbol};
use quadrille_search::Value;
use quadrille_search::dots_and_boxes::chains::{BoxRunKind, ChainCount};
use quadrille_table::catalogue::GameEntry;

/// The positions to which a text refers.
#[derive(Clone)]
pub(super) struct Moment {
    you: Seat,
    start: Match,
    before: Match,
    tried: Match,
    answered: Match,
    now: Match,
}

impl Moment {
    pub(super) fn new(start: &Match) -> Moment {
        let copy = || start.copy_line();
        let you = start.to_move().unwrap_or(Seat::FIRST);
        let (start, before, tried, answered, now) = (copy(), copy(), copy(), copy(), copy());
        Moment { you, start, before, tried, answered, now }
    }

    pub(super) fn of_a_try(start: &Match, before: &Match, mv: &str, answered: &Match) -> Moment {
        let tried = after(before, mv);
        let (now, answered) = (tried.copy_line(), answered.copy_line());
        Moment { before: before.copy_line(), tried, answered, now, ..Moment::new(start) }
    }

    fn at(&self, now: Match) -> Moment {
        Moment { now, ..self.clone() }
    }
}

fn after(game: &Match, mv: &str) -> Match {
    let mut game = game.copy_line();
    game.play(mv).unwrap_or_else(|why| panic!("{mv}: {why}"));
    game
}

pub(super) struct Solver {
    live: Judge,
    patient: Judge,
}

impl Solver {
    pub(super) fn new(entry: &GameEntry) -> Solver {
        Solver { live: Judge::live(entry), patient: Judge::patient(entry, 4_000_000) }
    }

    /// Evaluates a check at each of these moments.
    pub(super) fn check(&mut self, check: &str, moments: &[Moment]) -> Result<(), String> {
        let (asked, result) = check.rsplit_once(" = ").ok_or("this is no check")?;
        let mut stages: Vec<&str> = asked.split(" | ").collect();
        let quantity = stages.pop().unwrap_or_default();
        let mut moments = moments.to_vec();
        for stage in stages {
            moments = moments
                .iter()
                .flat_map(|moment| match stage {
                    "start" => vec![moment.at(moment.start.copy_line())],
                    "before" => vec![moment.at(moment.before.copy_line())],
                    "tried" => vec![moment.at(moment.tried.copy_line())],
                    "answered" => vec![moment.at(moment.answered.copy_line())],
                    "game" => {
                        let mut game = moment.now.copy_line();
                        game.go_to_ply(0);
                        vec![moment.at(game.copy_line())]
                    }
                    "pass" => vec![moment.at(passed(&moment.now))],
                    "greedy" => vec![moment.at(take_all(&moment.now))],
                    "best" => vec![moment.at(self.best_turn(&moment.now))],
                    _ => self.moves(moment, stage),
                })
                .collect();
        }
        if moments.is_empty() {
            return Err("this leads to no position".to_owned());
        }
        for moment in moments {
            let computed = self.quantity(&moment, quantity);
            if computed != result {
                let moves = moment.now.moves().iter().skip(moment.start.ply());
                let moves: Vec<&str> = moves.map(|(_, mv)| &**mv).collect();
                return Err(format!("is {computed} after {moves:?}\n{}", moment.now.board()));
            }
        }
        Ok(())
    }

    /// Returns the moments that result from `any CLASS` or from a sequence of moves.
    fn moves(&mut self, moment: &Moment, stage: &str) -> Vec<Moment> {
        if let Some(class) = stage.strip_prefix("any ") {
            let moves = self.class(moment, class);
            return moves.iter().map(|mv| moment.at(after(&moment.now, mv))).collect();
        }
        let now = moment.now.copy_line();
        vec![moment.at(stage.split(' ').fold(now, |game, mv| after(&game, mv)))]
    }

    fn best_turn(&mut self, game: &Match) -> Match {
        let mover = game.to_move();
        let mut game = game.copy_line();
        while mover.is_some() && game.to_move() == mover {
            let line = self.patient.best_line(&game, 1).unwrap();
            game = after(&game, &line[0]);
        }
        game
    }

    /// Returns the value of a position from a seat's perspective.
    fn value(&mut self, game: &Match, to: Seat) -> Value {
        let Some(mover) = game.to_move() else {
            return Value::exact(match (game.scores(), game.outcome()) {
                (Some(scores), _) => scores[to.index()] as i32 - scores[to.next(2).index()] as i32,
                (None, Some(outcome)) => {
                    i32::from(outcome.is_winner(to)) - i32::from(outcome.is_winner(to.next(2)))
                }
                (None, None) => unreachable!("the game is over"),
            });
        };
        let live = self.live.judge(game).unwrap().value;
        let value = match live.proven() {
            Some(_) => live,
            None => self.patient.judge(game).unwrap().value,
        };
        if mover == to {
            return value;
        }
        let (lower, upper) = (value.upper.map(|most| -most), value.lower.map(|least| -least));
        Value { lower, upper, ..value }
    }

    /// Returns whether a position is worth at least `least` to a seat.
    fn reaches(&mut self, game: &Match, to: Seat, least: i32) -> bool {
        let value = self.value(game, to);
        let is_proven = value.lower >= Some(least);
        let is_refuted = value.upper.is_some_and(|most| most < least);
        assert!(is_proven || is_refuted, "{value:?} is not proven:\n{}", game.board());
        is_proven
    }

    fn exact(&mut self, game: &Match, to: Seat) -> i32 {
        let value = self.value(game, to).proven();
        value.unwrap_or_else(|| panic!("not proven:\n{}", game.board()))
    }

    fn class(&mut self, moment: &Moment, class: &str) -> Vec<String> {
        let legal = moment.now.legal_moves();
        legal.into_iter().filter(|mv| self.is_in(moment, mv, class)).collect()
    }

    fn is_in(&mut self, moment: &Moment, mv: &str, class: &str) -> bool {
        class.split(" & ").all(|term| match term.strip_prefix('!') {
            Some(term) => !self.is(moment, mv, term),
            None => self.is(moment, mv, term),
        })
    }

    /// Returns whether a term applies to a legal move of the current position.
    fn is(&mut self, moment: &Moment, mv: &str, term: &str) -> bool {
        let game = &moment.now;
        let mover = game.to_move().unwrap();
        let next = after(game, mv);
        let (word, number) = term
            .split_once('=')
            .map_or((term, None), |(word, number)| (word, Some(number.parse::<i32>().unwrap())));
        let is = |value: i32| number.is_none_or(|number| number == value);
        match word {
            "move" => true,
            "wins" => self.reaches(&next, mover, 1),
            "draws" => self.reaches(&next, mover, 0) && !self.reaches(&next, mover, 1),
            "loses" => !self.reaches(&next, mover, 0),
            "keeps" => {
                let value = self.exact(game, mover);
                self.reaches(&next, mover, value)
            }
            "worth" => is(self.exact(&next, mover)),
            // The move scores, in Dots and Boxes and Join the Dots.
            "takes" => {
                let gain = gain(game, &next, mover);
                if number.is_some() { is(gain) } else { gain > 0 }
            }
            // The move does not score, and no answer can score.
            "safe" => {
                gain(game, &next, mover) == 0
                    && next
                        .legal_moves()
                        .iter()
                        .all(|answer| gain(&next, &after(&next, answer), mover.next(2)) == 0)
            }
            // The move wins the game.
            "mates" => next.outcome().is_some_and(|outcome| {
                outcome.is_winner(mover) && !outcome.is_winner(mover.next(2))
            }),
            // The opponent has not won and cannot win with the answer.
            "stops" => {
                let has_lost = next.outcome().is_some_and(|outcome| !outcome.is_winner(mover));
                !has_lost && mates(&next) == 0
            }
            // The number of ways in which the mover could win next if the opponent passed.
            "threats" => {
                let threats = if next.to_move().is_some() { mates(&passed(&next)) } else { 0 };
                if number.is_some() { is(threats as i32) } else { threats > 0 }
            }
            // The number of dots that newly count.
            "adds" => is(counting(&segments(game), Some(mv)) - counting(&segments(game), None)),
            // The offense's dots in this round if both sides play for the round.
            "round" => is(round_value(&play(&segments(game), mv), segments(game).round())),
            // The length of the segment in dots.
            "long" => {
                is(mv.parse::<quadrille_rules::intersections::Segment>().unwrap().dots().len()
                    as i32)
            }
            _ => word.split('/').any(|pattern| matches(pattern, mv)),
        }
    }

    fn quantity(&mut self, moment: &Moment, quantity: &str) -> String {
        let (game, you) = (&moment.now, moment.you);
        let whose = |seat: Option<Seat>| match seat {
            None => "nobody",
            Some(seat) if seat == you => "you",
            Some(_) => "opponent",
        };
        let (word, rest) = quantity.split_once(' ').unwrap_or((quantity, ""));
        match word {
            "turn" => whose(game.to_move()).to_owned(),
            "you" => game.now().mark(you).to_string(),
            "value" => self.exact(game, you).to_string(),
            // The side to move can score immediately.
            "gives" => yes(!self.class(moment, "takes").is_empty()),
            // The position is worth less than before the try.
            "worse" => {
                let value = self.exact(&moment.before, you);
                yes(!self.reaches(game, you, value))
            }
            "wins" => yes(self.reaches(game, you, 1)),
            "loses" => yes(!self.reaches(game, you, 0)),
            // The number of the winner's moves to the end of the game if the loser delays it.
            "win" => self.value(game, you).plies.map_or(0, |plies| plies.div_ceil(2)).to_string(),
            "winner" => {
                let winners: Vec<Seat> =
                    game.outcome().map(|outcome| outcome.winners().collect()).unwrap_or_default();
                if winners.len() == 1 { whose(Some(winners[0])) } else { "nobody" }.to_owned()
            }
            "score" => {
                let scores = game.scores().unwrap();
                format!("{}-{}", scores[you.index()], scores[you.next(2).index()])
            }
            "count" => self.class(moment, rest).len().to_string(),
            "list" => match self.class(moment, rest).join(" ") {
                list if list.is_empty() => "none".to_owned(),
                list => list,
            },
            "legal" => yes(game.check(rest).is_ok()),
            "last" => game.moves().last().map_or(String::new(), |(_, mv)| mv.clone()),
            // The number of rows, columns and diagonals through a cell.
            "through" => {
                let size = grid(game).len();
                let place = Place::read(&rest.to_ascii_uppercase()).unwrap();
                let (row, col) = (place.row as usize, place.col as usize);
                (2 + usize::from(row == col) + usize::from(row + col + 1 == size)).to_string()
            }
            "cells" => rest.split(' ').map(|place| cell(game, place)).collect(),
            // The number of rows, columns and diagonals with this many marks of one symbol and no other marks.
            "open" => {
                let (symbol, number) = rest.split_once(' ').unwrap();
                let (symbol, number) =
                    (symbol.chars().next().unwrap(), number.parse::<usize>().unwrap());
                let has = |line: &&Vec<char>| {
                    let marks = line.iter().filter(|die| **die == symbol).count();
                    let blanks = line.iter().filter(|die| **die == '-').count();
                    marks == number && marks + blanks == line.len()
                };
                lines(&grid(game)).iter().filter(has).count().to_string()
            }
            _ => in_game(game, whose, word, rest),
        }
    }
}

fn in_game(
    game: &Match,
    whose: impl Fn(Option<Seat>) -> &'static str,
    word: &str,
    rest: &str,
) -> String {
    if let Some(boxes) = game.now().typed::<DotsAndBoxes>() {
        return of_boxes(boxes, whose, word, rest);
    }
    if let Some(lines) = game.now().typed::<JoinTheDots>() {
        return of_lines(lines, word, rest);
    }
    let round = segments(game);
    match word {
        "offense" => whose(Some(round.offense())).to_owned(),
        "left" => (round.segments() as usize - round.drawn().len()).to_string(),
        "ends" => round.degree(dot(rest)).to_string(),
        "passed" => yes(round.is_passed(dot(rest))),
        "counting" => round.scoring_dots().count().to_string(),
        "offers" => round_value(&round, round.round()).to_string(),
        _ => panic!("{word} is no quantity here"),
    }
}

fn of_boxes(
    position: &DotsAndBoxes,
    whose: impl Fn(Option<Seat>) -> &'static str,
    word: &str,
    rest: &str,
) -> String {
    let sides = |at: (u8, u8)| {
        DotsAndBoxes::sides(at).iter().filter(|line| position.is_drawn(**line)).count()
    };
    let count = ChainCount::of(position);
    let runs = |kind: BoxRunKind| {
        let runs = count.runs.iter().filter(|run| run.kind == kind);
        numbers(runs.map(|run| run.boxes.len()))
    };
    match word {
        "dots" => (u32::from(position.rows()) * u32::from(position.cols())).to_string(),
        // The number of boxes with this many sides drawn; without a number, of all boxes.
        "boxes" => {
            let number: Option<usize> = rest.parse().ok();
            let boxes =
                position.boxes().filter(|at| number.is_none_or(|sides_| sides(*at) == sides_));
            boxes.count().to_string()
        }
        "sides" => {
            let (row, col) = rest.split_once(',').unwrap();
            sides((row.parse().unwrap(), col.parse().unwrap())).to_string()
        }
        "owner" => {
            let (row, col) = rest.split_once(',').unwrap();
            whose(position.owner(row.parse().unwrap(), col.parse().unwrap())).to_owned()
        }
        // Whether the drawn lines are symmetric under a half turn of the board.
        "half-turn" => yes(position.lines().filter(|line| position.is_drawn(*line)).all(|line| {
            let (rows, cols) = (position.rows(), position.cols());
            let text = line.to_string();
            let (row, col) = text[1..].split_once(',').unwrap();
            let (row, col): (u8, u8) = (row.parse().unwrap(), col.parse().unwrap());
            let partner = match &text[..1] {
                "H" => format!("H{},{}", rows - 1 - row, cols - 2 - col),
                _ => format!("V{},{}", rows - 2 - row, cols - 1 - col),
            };
            position.is_drawn(partner.parse().unwrap())
        })),
        "chains" => runs(BoxRunKind::Chain),
        "loops" => runs(BoxRunKind::Loop),
        "runs" => runs(BoxRunKind::Open),
        "long" => count.long().to_string(),
        _ => panic!("{word} is no quantity here"),
    }
}

fn of_lines(position: &JoinTheDots, word: &str, rest: &str) -> String {
    let joined = |dot: u8| position.lines().iter().any(|line| line.ends().contains(&dot));
    match word {
        "left" => position.points_left().count().to_string(),
        "lines" => position.lines().len().to_string(),
        "free" => {
            let free = position.points_left().filter(|dot| !joined(*dot));
            numbers(free.map(usize::from))
        }
        // The line that the given line would cross.
        "crosses" => {
            let line: Edge = rest.parse().unwrap();
            position.crossed_by(line).map_or("none".to_owned(), |crossed| crossed.to_string())
        }
        // The number of dots in each connected tree of lines, largest first.
        "paths" => {
            let mut left: Vec<u8> = position.points_left().filter(|dot| joined(*dot)).collect();
            let mut sizes = Vec::new();
            while let Some(dot) = left.pop() {
                let mut tree = vec![dot];
                while let Some(line) = position
                    .lines()
                    .iter()
                    .find(|line| line.ends().iter().filter(|end| tree.contains(end)).count() == 1)
                {
                    tree.extend(line.ends().iter().filter(|end| left.contains(end)));
                    left.retain(|dot| !tree.contains(dot));
                }
                sizes.push(tree.len());
            }
            sizes.sort_unstable_by(|a, b| b.cmp(a));
            numbers(sizes)
        }
        _ => panic!("{word} is no quantity here"),
    }
}

fn numbers(numbers: impl IntoIterator<Item = usize>) -> String {
    let texts: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(" ") }
}

/// Returns the match after the mover has taken everything possible.
fn take_all(game: &Match) -> Match {
    let Some(mover) = game.to_move() else { return game.copy_line() };
    let next = game.legal_moves().into_iter().map(|mv| after(game, &mv));
    match next.into_iter().find(|next| gain(game, next, mover) > 0) {
        Some(next) if next.to_move() == Some(mover) => take_all(&next),
        Some(next) => next,
        None => game.copy_line(),
    }
}

fn yes(is: bool) -> String {
    if is { "yes" } else { "no" }.to_owned()
}

fn matches(pattern: &str, mv: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == mv,
        Some((begins, ends)) => mv.starts_with(begins) && mv.ends_with(ends),
    }
}

fn gain(game: &Match, next: &Match, seat: Seat) -> i32 {
    let score = |game: &Match| game.scores().unwrap()[seat.index()] as i32;
    score(next) - score(game)
}

/// Returns the number of moves that win immediately.
fn mates(game: &Match) -> usize {
    let Some(mover) = game.to_move() else { return 0 };
    let outcomes = game.legal_moves().into_iter().filter_map(|mv| after(game, &mv).outcome());
    outcomes.filter(|outcome| outcome.is_winner(mover) && !outcome.is_winner(mover.next(2))).count()
}

/// Returns the same position with the other player to move.
fn passed(game: &Match) -> Match {
    let mover = Symbol::from(game.to_move().unwrap()).opponent().letter();
    let cells: String = grid(game).concat().iter().collect();
    let size = match game.id() {
        "quixo" => format!("size={} ", grid(game).len()),
        _ => String::new(),
    };
    let setup = format!("{size}grid={cells} first={mover}").parse().unwrap();
    (quadrille_table::catalogue::find(game.id()).unwrap().start)(&setup).unwrap()
}

/// Returns the marks of a board, row by row.
fn grid(game: &Match) -> Vec<Vec<char>> {
    let letter = |symbol: Option<Symbol>| symbol.map_or('-', Symbol::letter);
    if let Some(quixo) = game.now().typed::<Quixo>() {
        let size = quixo.size();
        let row = |row| (0..size).map(|col| letter(quixo.die(Place { row, col }))).collect();
        return (0..size).map(row).collect();
    }
    let cells = game.now().typed::<TicTacToe>().unwrap().cells();
    cells.chunks(3).map(|row| row.iter().map(|cell| letter(*cell)).collect()).collect()
}

fn cell(game: &Match, place: &str) -> char {
    let place = Place::read(&place.to_ascii_uppercase()).unwrap();
    grid(game)[place.row as usize][place.col as usize]
}

fn lines(grid: &[Vec<char>]) -> Vec<Vec<char>> {
    let n = grid.len();
    let mut lines = grid.to_vec();
    lines.extend((0..n).map(|col| grid.iter().map(|row| row[col]).collect()));
    lines.push((0..n).map(|i| grid[i][i]).collect());
    lines.push((0..n).map(|i| grid[i][n - 1 - i]).collect());
    lines
}

fn segments(game: &Match) -> Intersections {
    game.now().typed::<Intersections>().unwrap().clone()
}

fn dot(text: &str) -> Dot {
    let (row, col) = text.split_once(',').unwrap();
    Dot { row: row.parse().unwrap(), col: col.parse().unwrap() }
}

fn play(position: &Intersections, mv: &str) -> Intersections {
    let mut next = position.clone();
    next.play(mv.parse().unwrap()).unwrap();
    next
}

/// Returns the number of dots that count, optionally after an additional segment.
fn counting(position: &Intersections, mv: Option<&str>) -> i32 {
    match mv {
        None => position.scoring_dots().count() as i32,
        Some(mv) => position.with_segment(mv.parse().unwrap()).scoring_dots().count() as i32,
    }
}

/// Returns the offense's dots in this round with best play. If the next round has begun, returns the dots that the
/// offense scored.
fn round_value(position: &Intersections, round: u32) -> i32 {
    let offense = position.offense_in(round);
    let score = |position: &Intersections| position.scores().unwrap()[offense.index()] as i32;
    if position.round() != round {
        return score(position);
    }
    let is_offense = position.to_move() == Some(offense);
    let values = position.legal_moves().into_iter().map(|mv| {
        let mut next = position.clone();
        next.play(mv).unwrap();
        round_value(&next, round)
    });
    if is_offense { values.max() } else { values.min() }.unwrap()
}
