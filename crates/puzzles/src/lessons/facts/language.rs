//! The checks in the tables, which have the form `STAGE | STAGE | QUANTITY = RESULT`.
//!
//! Each stage maps a position to one or more positions; a stage that leads nowhere is an error. The quantity is computed
//! for each final position, either from the rules alone or from the solver's proofs, and must equal the result, or one of
//! its alternatives separated by `/`, for all final positions.
//!
//! Stages: `start` of the step; `before`, `tried` and `answered` (the position before the try, after it, and after the
//! answer that the lesson shows); `game`, the game's first position; a sequence of moves; `best`, a best turn; `end`,
//! best turns of both players to the end; `settled`, best turns until no line is safe; `greedy`, taking everything
//! possible without the extra move; `any CLASS`, each move of a class; `pass`, the same board with the other player to
//! move, in Quixo and Tic-tac-toe.
//!
//! Classes: terms joined by `&`, each optionally negated by `!`. A term is a pattern such as `C2-*`, with alternatives
//! separated by `/`, or one of the words in [`Solver::is`]. Values are from the mover's perspective.
//!
//! Quantities: the words in [`Solver::quantity`]. `value`, `score` and `turn` are from the learner's perspective,
//! regardless of whose turn it is.

use super::board::{
    after, cell, cells_between, counting, cross, dots_of, gain, grid, in_game, lines, list,
    matches, mates, passed, play, round_value, segments, sides, take_all, yes,
};
use crate::judge::Judge;
use quadrille_match::session::Match;
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_rules::join_the_dots::JoinTheDots;
use quadrille_rules::quixo::Place;
use quadrille_rules::{Seat, Symbol};
use quadrille_search::Value;
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

    /// Formats the moves since the start of the step, and the board.
    fn line(&self) -> String {
        let moves = self.now.moves().iter().skip(self.start.ply());
        let moves: Vec<&str> = moves.map(|(_, mv)| &**mv).collect();
        format!("{moves:?}\n{}", self.now.board())
    }
}

/// A parsed check.
#[derive(Debug)]
pub(super) struct Check<'a> {
    pub(super) stages: Vec<&'a str>,
    /// The quantity's first word.
    pub(super) quantity: &'a str,
    /// The rest of the quantity.
    pub(super) operand: &'a str,
    pub(super) result: &'a str,
}

impl<'a> Check<'a> {
    pub(super) fn read(text: &'a str) -> Option<Check<'a>> {
        let (asked, result) = text.rsplit_once(" = ")?;
        let mut stages: Vec<&str> = asked.split(" | ").collect();
        let quantity = stages.pop()?;
        let (quantity, operand) = quantity.split_once(' ').unwrap_or((quantity, ""));
        Some(Check { stages, quantity, operand, result })
    }
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
        let Check { stages, quantity, operand, result } =
            Check::read(check).ok_or("this is no check")?;
        for moment in moments {
            for moment in self.reach(moment, &stages)? {
                let computed = self.quantity(&moment, quantity, operand);
                if result.split('/').all(|result| computed != result) {
                    return Err(format!("is {computed} after {}", moment.line()));
                }
            }
        }
        Ok(())
    }

    fn reach(&mut self, moment: &Moment, stages: &[&str]) -> Result<Vec<Moment>, String> {
        let mut reached = vec![moment.clone()];
        for stage in stages {
            reached = reached.iter().flat_map(|moment| self.stage(moment, stage)).collect();
            if reached.is_empty() {
                return Err(format!("{stage} leads to no position after {}", moment.line()));
            }
        }
        Ok(reached)
    }

    fn stage(&mut self, moment: &Moment, stage: &str) -> Vec<Moment> {
        let game = match stage {
            "start" => moment.start.copy_line(),
            "before" => moment.before.copy_line(),
            "tried" => moment.tried.copy_line(),
            "answered" => moment.answered.copy_line(),
            "game" => {
                let mut game = moment.now.copy_line();
                game.go_to_ply(0);
                game.copy_line()
            }
            "pass" => passed(&moment.now),
            "greedy" => take_all(&moment.now),
            "best" => self.best_turn(&moment.now),
            "end" => {
                let mut game = moment.now.copy_line();
                while game.to_move().is_some() {
                    game = self.best_turn(&game);
                }
                game
            }
            "settled" => {
                let mut game = moment.now.copy_line();
                while !self.class(&moment.at(game.copy_line()), "safe").is_empty() {
                    game = self.best_turn(&game);
                }
                game
            }
            _ => return self.moves(moment, stage),
        };
        vec![moment.at(game)]
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

    /// Returns whether a legal move is worth at least `least` to its mover.
    fn move_reaches(&mut self, game: &Match, mv: &str, next: &Match, least: i32) -> bool {
        let value = self.live.judge(game).unwrap().value_of(mv);
        match (value.lower, value.upper) {
            (Some(lower), _) if lower >= least => true,
            (_, Some(upper)) if upper < least => false,
            _ => self.reaches(next, game.to_move().unwrap(), least),
        }
    }

    /// Returns whether a term applies to a legal move of the current position.
    fn is(&mut self, moment: &Moment, mv: &str, term: &str) -> bool {
        let game = &moment.now;
        let mover = game.to_move().unwrap();
        let next = after(game, mv);
        let (word, operand) =
            term.split_once('=').map_or((term, None), |(word, operand)| (word, Some(operand)));
        let number = || operand.map(|operand| operand.parse::<i32>().unwrap());
        let is = |value: i32| number().map_or(value > 0, |number| number == value);
        match word {
            "move" => true,
            "wins" => self.move_reaches(game, mv, &next, 1),
            "draws" => {
                self.move_reaches(game, mv, &next, 0) && !self.move_reaches(game, mv, &next, 1)
            }
            "loses" => !self.move_reaches(game, mv, &next, 0),
            "keeps" => {
                let value = self.exact(game, mover);
                self.move_reaches(game, mv, &next, value)
            }
            "worth" => Some(self.exact(&next, mover)) == number(),
            // The move scores, in Dots and Boxes and Join the Dots.
            "takes" => is(gain(game, &next, mover)),
            // No other move scores more.
            "most" => {
                let gain = gain(game, &next, mover);
                let moves = game.legal_moves();
                moves.iter().all(|other| gain >= self::gain(game, &after(game, other), mover))
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
            // The opponent has not won and cannot win with the answer; with an operand, cannot complete this line.
            "stops" => {
                let has_lost = next.outcome().is_some_and(|outcome| !outcome.is_winner(mover));
                !has_lost
                    && match operand {
                        None => mates(&next) == 0,
                        Some(line) => next.legal_moves().iter().all(|answer| {
                            let mark = Symbol::from(mover.next(2)).letter();
                            !cells_between(&after(&next, answer), line)
                                .iter()
                                .all(|cell| *cell == mark)
                        }),
                    }
            }
            // The number of ways in which the mover could win next if the opponent passed.
            "threats" => {
                is(if next.to_move().is_some() { mates(&passed(&next)) } else { 0 } as i32)
            }
            // The number of boxes whose third side the move is.
            "opens" => {
                let next: &DotsAndBoxes = next.now().typed().unwrap();
                let beside = next.boxes_beside(mv.parse().unwrap()).into_iter().flatten();
                is(beside.filter(|at| sides(next, *at) == 3).count() as i32)
            }
            // The move makes this move illegal; without an operand, any longer segment, or any line that it crosses.
            "blocks" => {
                let is_other = |other: &str| match (operand, game.now().typed::<JoinTheDots>()) {
                    (Some(named), _) => named == other && other != mv,
                    (None, Some(lines)) => cross(lines, mv, other),
                    (None, None) => dots_of(other) > dots_of(mv),
                };
                let is_blocked = |other: &String| is_other(other) && next.check(other).is_err();
                next.to_move().is_some() && game.legal_moves().iter().any(is_blocked)
            }
            // The number of dots that newly count.
            "adds" => is(counting(&segments(game), Some(mv)) - counting(&segments(game), None)),
            // The offense's dots in this round if both sides play for the round.
            "round" => is(round_value(&play(&segments(game), mv), segments(game).round().number)),
            // The length of the segment in dots.
            "long" => is(dots_of(mv)),
            _ => word.split('/').any(|pattern| matches(pattern, mv)),
        }
    }

    fn quantity(&mut self, moment: &Moment, word: &str, rest: &str) -> String {
        let (game, you) = (&moment.now, moment.you);
        let whose = |seat: Option<Seat>| match seat {
            None => "nobody",
            Some(seat) if seat == you => "you",
            Some(_) => "opponent",
        };
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
            "list" => list(self.class(moment, rest)),
            "some" => yes(game.legal_moves().iter().any(|mv| self.is_in(moment, mv, rest))),
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
