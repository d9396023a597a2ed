//! An attempt at a puzzle.

use super::judge::{Judge, Judged};
use super::{Puzzle, PuzzleError, TryMark};
use jiff::Timestamp;
use quadrille_match::session::{Match, Refusal};
use quadrille_match::store::progress::Event;
use quadrille_rules::Seat;
use quadrille_rules::quixo::Quixo;
use quadrille_rules::tic_tac_toe::{LINES, TicTacToe};
use quadrille_search::Value;
use quadrille_table::engine::ValueFormat;
use quadrille_table::words::{self, Explanation};
use quadrille_text::wording;
use std::rc::Rc;

/// The maximum number of moves that are shown after a wrong move or after the solution.
const SHOWN: usize = 12;

/// A solver's attempt at one puzzle: the match and the tries so far.
#[derive(Debug)]
pub struct Attempt {
    puzzle: Puzzle,
    game: Match,
    seat: Seat,
    judge: Judge,
    /// The matches along the solution, beginning with the puzzle's position.
    line: Vec<Match>,
    /// The index of the current position in `line`; `None` after a different move that is equally good.
    on_line: Option<usize>,
    /// The number of turns that the solver has completed.
    turns: u32,
    wrong: u32,
    hints: u32,
    /// The marks of all tries, including those before a restart. The first solution is the last mark.
    marks: Vec<TryMark>,
    /// Whether the current try already has the mark for its hints.
    is_hint_marked: bool,
    state: State,
    /// Whether the solver had tried this puzzle before.
    is_again: bool,
    /// Whether the last recorded result was a success; `None` before the first result.
    noted: Option<bool>,
    /// The match with moves that are only being viewed, shown instead of the real match.
    shown: Option<Match>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    Solved,
    GivenUp,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A wrong move, which the match does not contain. `refutation` continues with best play, and `says` is a sentence
    /// about the move.
    Wrong { refutation: Vec<String>, says: String },
    /// A right move; `replies` are the moves played after it.
    Right { replies: Vec<String> },
    /// The last right move. `says` is a sentence for the solver.
    Solved { says: String },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// The idea behind the solution, in words.
    Theme(String),
    Move(String),
}

impl Attempt {
    /// Begins an attempt. Fails if a move in the puzzle's line is illegal.
    pub fn new(puzzle: Puzzle) -> Result<Attempt, PuzzleError> {
        let entry = puzzle.entry().ok_or_else(|| PuzzleError::Id(puzzle.id.clone()))?;
        let game = puzzle.position()?;
        let seat = game.to_move().ok_or(PuzzleError::Shape)?;
        let mut line = vec![game.copy_line()];
        for mv in &puzzle.solution {
            let mut next = line[line.len() - 1].copy_line();
            next.play(mv).map_err(PuzzleError::Move)?;
            line.push(next);
        }
        let judge = Judge::live(entry);
        let (on_line, state) = (Some(0), State::Open);
        Ok(Attempt {
            puzzle,
            game,
            seat,
            judge,
            line,
            on_line,
            turns: 0,
            wrong: 0,
            hints: 0,
            marks: Vec::new(),
            is_hint_marked: false,
            state,
            is_again: false,
            noted: None,
            shown: None,
        })
    }

    pub(super) const fn set_again(&mut self, is_again: bool) {
        self.is_again = is_again;
    }

    /// Shows a puzzle that the solver has solved before: the position after the solution.
    pub(super) fn set_solved(&mut self) {
        self.game = self.line[self.line.len() - 1].copy_line();
        (self.on_line, self.state) = (Some(self.puzzle.solution.len()), State::Solved);
        self.is_again = true;
        self.mark(TryMark::Right);
    }

    /// Sets the marks of earlier tries at the puzzle.
    pub(super) fn set_marks(&mut self, marks: Vec<TryMark>) {
        self.marks = marks;
    }

    /// Returns the marks of all tries.
    pub fn marks(&self) -> &[TryMark] {
        &self.marks
    }

    fn mark(&mut self, mark: TryMark) {
        self.is_hint_marked = mark == TryMark::Hint;
        if self.marks.last() != Some(&TryMark::Right) {
            self.marks.push(mark);
        }
    }

    /// Restarts the attempt. Recorded results are kept.
    pub fn restart(&mut self) {
        self.is_again |= self.is_touched();
        self.game = self.line[0].copy_line();
        (self.on_line, self.state) = (Some(0), State::Open);
        (self.turns, self.wrong, self.hints) = (0, 0, 0);
        (self.shown, self.is_hint_marked) = (None, false);
    }

    /// Shows the match continued by these moves. Without moves, shows the match itself.
    pub fn show(&mut self, moves: &[String]) {
        let mut shown = self.game.copy_line();
        let legal = moves.iter().all(|mv| shown.play(mv).is_ok());
        self.shown = (legal && !moves.is_empty()).then_some(shown);
    }

    /// Returns the number of shown moves that are not in the match.
    pub fn shown_moves(&self) -> usize {
        self.shown.as_ref().map_or(0, |shown| shown.ply() - self.game.ply())
    }

    /// Returns whether the solver has tried anything.
    pub fn is_touched(&self) -> bool {
        self.turns + self.wrong + self.hints > 0 || self.is_over()
    }

    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }

    pub fn current_match(&self) -> &Match {
        &self.game
    }

    /// Returns the solver's seat.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    pub fn is_over(&self) -> bool {
        self.state != State::Open
    }

    pub fn is_solved(&self) -> bool {
        self.state == State::Solved
    }

    /// Describes the result in a few words.
    pub fn how(&self) -> &'static str {
        match (self.is_solved(), self.at_first_try(), self.hints) {
            (false, ..) => "not solved",
            (true, true, _) => "solved on the first try",
            (true, false, 1..) => "solved with a hint",
            (true, false, 0) => "solved",
        }
    }

    /// Returns whether this is the first attempt ever at this puzzle, with no mistake and no hint so far.
    pub fn at_first_try(&self) -> bool {
        !self.is_again && self.wrong + self.hints == 0 && self.state != State::GivenUp
    }

    /// Returns the event to record now, if any: a hint, a mistake, or the end. Each attempt records its first event,
    /// which is its result, and a later solution. `None` for a puzzle that is not built in.
    pub fn note(&mut self, at: Timestamp) -> Option<Event> {
        let solved = self.is_solved();
        let is_news = match self.noted {
            None => self.wrong + self.hints > 0 || self.is_over(),
            Some(was_solved) => solved && !was_solved,
        };
        if !is_news || self.puzzle.id.is_empty() {
            return None;
        }
        let rated = self.is_rated() && self.noted.is_none();
        self.noted = Some(solved);
        Some(Event::Puzzle {
            at,
            game: self.puzzle.game.to_owned(),
            id: self.puzzle.id.clone(),
            rating: self.puzzle.rating,
            solved,
            rated,
        })
    }

    /// Returns whether the attempt counts toward the rating, because no hint was used.
    pub fn is_rated(&self) -> bool {
        self.hints == 0
    }

    /// Describes the goal in a sentence without a full stop.
    pub fn goal(&self) -> String {
        let line = winning_line(&self.game)
            .map_or(String::new(), |length| format!(": {} in a row", wording::number(length)));
        match (self.puzzle.plies, self.puzzle.value) {
            (Some(plies), _) => format!("Win in {}{line}", words::own_moves(plies)),
            (None, 0) => "Hold the draw".to_owned(),
            (None, value @ 1..) => format!("Win by {value}"),
            (None, value) => format!("Lose by {} at most", -value),
        }
    }

    /// Tries a move. If the move is illegal or it is not the solver's turn, refuses the move and changes nothing.
    pub fn answer(&mut self, mv: &str) -> Result<Answer, Refusal> {
        self.shown = None;
        let mv = self.game.check(mv)?;
        if !self.is_right(&mv)? {
            let judged = self.judge.judge(&self.game)?;
            self.wrong += 1;
            self.mark(TryMark::Wrong);
            let mut next = self.game.copy_line();
            next.play(&mv)?;
            let refutation = self.judge.best_line(&next, SHOWN)?;
            let here = self.game.copy_line();
            let says = format!("That {}.", self.about_other(&here, &mv, &judged));
            return Ok(Answer::Wrong { says, refutation });
        }
        self.play(&mv)?;
        if !self.is_end() {
            let mut replies = Vec::new();
            while let Some(seat) = self.game.to_move()
                && seat != self.seat
            {
                let reply =
                    if let Some(reply) = self.on_line.and_then(|at| self.puzzle.solution.get(at)) {
                        reply.clone()
                    } else {
                        let line = self.judge.best_line(&self.game, 1)?;
                        line.into_iter().next().ok_or_else(|| Refusal::new("no reply is known"))?
                    };
                self.play(&reply)?;
                replies.push(reply);
            }
            if !self.is_end() {
                return Ok(Answer::Right { replies });
            }
        }
        self.state = State::Solved;
        self.mark(TryMark::Right);
        Ok(Answer::Solved { says: self.about_solved() })
    }

    /// Returns whether a move leads to the next position of the solution or is proven to be as good as the best move.
    pub(super) fn is_right(&mut self, mv: &str) -> Result<bool, Refusal> {
        let mut after = self.game.now().copy();
        after.play(mv)?;
        let named = self.on_line.and_then(|at| self.line.get(at + 1));
        Ok(named.is_some_and(|named| named.now().is(&*after))
            || self.judge.judge(&self.game)?.reaches(mv, self.puzzle.value))
    }

    /// Plays a move, and looks up the new position in the solution, because the moves of a turn may be played in a
    /// different order.
    fn play(&mut self, mv: &str) -> Result<(), Refusal> {
        self.game.play(mv)?;
        if self.game.to_move() != Some(self.seat)
            && self.game.moves().last().map(|(by, _)| *by) == Some(self.seat)
        {
            self.turns += 1;
        }
        let is_here =
            |at: &usize| self.line.get(*at).is_some_and(|game| game.now().is(self.game.now()));
        let next = self.on_line.map(|at| at + 1).filter(is_here);
        self.on_line = next.or_else(|| (0..self.line.len()).find(is_here));
        Ok(())
    }

    fn is_end(&self) -> bool {
        let is_mine = self.game.to_move() == Some(self.seat);
        match self.on_line {
            Some(at) if at == self.puzzle.solution.len() => true,
            // A solver who goes round in circles ends the attempt.
            Some(_) => self.turns > self.puzzle.decisions,
            None => {
                self.game.to_move().is_none() || !is_mine && self.turns >= self.puzzle.decisions
            }
        }
    }

    /// Describes the value of a wrong move in a clause without its subject.
    fn about_other(&mut self, here: &Match, mv: &str, judged: &Judged) -> String {
        let value = judged.value_of(mv);
        // If both bounds are known, only the upper bound shows what is wrong with the move.
        let value =
            value.proven().map_or(Value { upper: value.upper, ..Value::default() }, |exact| {
                Value { plies: value.plies, ..Value::exact(exact) }
            });
        match (judged.value_format.too_little_in_words(value), self.reply(here, mv)) {
            (worth, _) if worth.is_empty() => "is not enough".to_owned(),
            (worth, Some(reply)) => format!("{worth} after {reply}"),
            (worth, None) => worth,
        }
    }

    fn about_solved(&self) -> String {
        let worth = Value { plies: None, ..Value::exact(self.puzzle.value) };
        let how = if self.at_first_try() { "Solved on the first try" } else { "Solved" };
        format!("{how}: it {}.", self.format().in_words(worth))
    }

    fn format(&self) -> ValueFormat {
        ValueFormat::of(&self.game)
    }

    /// Returns the next hint: first the idea, then the move. After a hint, the puzzle no longer counts.
    pub fn hint(&mut self) -> Result<Hint, Refusal> {
        self.hints += 1;
        if !self.is_hint_marked {
            self.mark(TryMark::Hint);
        }
        if self.hints > 1 {
            return Ok(Hint::Move(self.right_move()?));
        }
        // The goal already says in how many moves the solver wins.
        let mv = self.puzzle.plies.and_then(|_| self.right_move().ok());
        let reason = mv.and_then(|mv| self.reason(&self.game.copy_line(), &mv));
        Ok(Hint::Theme(match reason {
            Some(reason) => format!("The right move {reason}."),
            None => super::themes::hint(&self.puzzle.themes),
        }))
    }

    fn reason(&mut self, here: &Match, mv: &str) -> Option<Explanation> {
        Some(words::explain(self.judge.engine().why(here.now(), mv)?, "the opponent"))
    }

    /// Describes the solution in a sentence, with the reason for its last move if it has only one turn.
    pub(super) fn about_solution(&mut self) -> String {
        let moves = self.puzzle.solution.join(" ");
        let last = self.puzzle.solution.last().filter(|_| self.puzzle.decisions == 1).cloned();
        let here = self.line[self.line.len().saturating_sub(2)].copy_line();
        match last.and_then(|mv| self.reason(&here, &mv)) {
            Some(reason) => format!("The solution is {moves}, which {}.", reason.does()),
            None => format!("The solution is {moves}."),
        }
    }

    /// Returns the moves with best play from the end of the solution to the end of the match. Empty if they are too
    /// many or do not prove the puzzle's value.
    pub(super) fn rest(&mut self) -> Vec<String> {
        let end = if self.is_solved() { &self.game } else { &self.line[self.line.len() - 1] };
        let mut game = end.copy_line();
        let rest = self.judge.best_line(&game, SHOWN).unwrap_or_default();
        let is_legal = rest.iter().all(|mv| game.play(mv).is_ok());
        let is_proof = is_legal && self.margin(&game) == Some(self.puzzle.value);
        if is_proof { rest } else { Vec::new() }
    }

    /// Returns the result of a finished match for the solver, in the unit of the puzzle's value.
    fn margin(&self, game: &Match) -> Option<i32> {
        let outcome = game.outcome()?;
        let (own, other) = (self.seat.index(), self.seat.next(game.seats()).index());
        if let Some(scores) = game.scores() {
            return Some(*scores.get(own)? as i32 - *scores.get(other)? as i32);
        }
        let wins = |seat| i32::from(outcome.is_winner(seat));
        Some(wins(self.seat) - wins(self.seat.next(game.seats())))
    }

    fn right_move(&mut self) -> Result<String, Refusal> {
        if let Some(named) = self.on_line.and_then(|at| self.puzzle.solution.get(at)) {
            return Ok(named.clone());
        }
        let line = self.judge.best_line(&self.game, 1)?;
        line.into_iter().next().ok_or_else(|| Refusal::new("no move is known"))
    }

    /// Gives up: returns the match to the puzzle's position, and returns the solution.
    pub fn give_up(&mut self) -> Vec<String> {
        self.mark(TryMark::Wrong);
        self.game = self.line[0].copy_line();
        (self.on_line, self.shown, self.state) = (Some(0), None, State::GivenUp);
        self.puzzle.solution.clone()
    }

    /// After the end, returns the themes, followed by the values of moves and the reasons, one sentence per line.
    pub fn explain(&mut self) -> Vec<String> {
        let mut lines = vec![format!("Theme: {}.", self.puzzle.themes_in_words())];
        let mut turn: Vec<String> = Vec::new();
        for at in 0..self.puzzle.solution.len() {
            let here = self.line[at].copy_line();
            let mv = self.puzzle.solution[at].clone();
            if here.to_move() != Some(self.seat) {
                continue;
            }
            turn.push(mv.clone());
            let goes_on = self.line[at + 1].to_move() == Some(self.seat)
                && at + 1 < self.puzzle.solution.len();
            if !goes_on {
                lines.extend(self.about_turn(&here, &turn));
                turn.clear();
            }
        }
        lines
    }

    /// Explains why the last move of a turn is best, and gives the value of the second best move.
    fn about_turn(&mut self, here: &Match, turn: &[String]) -> Option<String> {
        let mv = turn.last()?;
        let reason = self.reason(here, mv);
        let judged: Rc<Judged> = self.judge.judge(here).ok()?;
        let named = match turn {
            [mv] => mv.clone(),
            [before @ .., mv] => format!("{}, then {mv}", before.join(" ")),
            [] => return None,
        };
        let worth = Value { plies: None, ..Value::exact(self.puzzle.value) };
        let worth = judged.value_format.in_words(worth);
        let mut says = match reason {
            Some(reason) => format!("{named} {reason}. It {worth}"),
            None => format!("{named} {worth}"),
        };
        let keeps = |other: &str| other == mv || judged.reaches(other, self.puzzle.value);
        let next =
            judged.moves.iter().find(|(other, value)| !keeps(other) && value.upper.is_some());
        if let Some((other, _)) = next {
            says = format!("{says}; {other} {}", self.about_other(here, other, &judged));
        }
        Some(says + ".")
    }

    /// Returns the opponent's best reply to a move that ends the turn.
    fn reply(&mut self, here: &Match, mv: &str) -> Option<String> {
        let mut after = here.copy_line();
        after.play(mv).ok()?;
        let is_theirs = after.to_move().is_some_and(|seat| seat != self.seat);
        let line = is_theirs.then(|| self.judge.best_line(&after, 1))?.ok()?;
        line.into_iter().next()
    }
}

/// Returns the length of a line that wins, in a game with such lines.
fn winning_line(game: &Match) -> Option<usize> {
    let quixo = game.now().typed().map(|position: &Quixo| position.size().into());
    quixo.or_else(|| game.now().typed().map(|_: &TicTacToe| LINES[0].len()))
}

impl AsRef<Match> for Attempt {
    fn as_ref(&self) -> &Match {
        self.shown.as_ref().unwrap_or(&self.game)
    }
}
