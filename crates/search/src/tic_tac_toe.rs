//! The engine of Tic-tac-toe, which searches every reachable position: 5478 from the empty grid.

use super::census::{self, Cells, Symmetry};
use super::lookahead::{ByRules, Lapses, Sight, Sighted, lookahead};
use super::minimax::{after, final_margin};
use super::{Control, Engine, Horizon, Level, RatedMove, Reason, Report, Scope, StopReason, Value};
use quadrille_rules::tic_tac_toe::{Cell, LINES, TicTacToe};
use quadrille_rules::{Position, Seat, Symbol};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

/// The engine of Tic-tac-toe.
#[derive(Default)]
pub struct TicTacToeEngine {
    known: HashMap<TicTacToe, GridValue>,
    /// The number of positions known before the current question.
    before: usize,
}

/// The value of a position for the first seat.
#[derive(Clone, Copy, Debug)]
struct GridValue {
    /// The result with best play: 1, 0 or -1.
    result: i32,
    /// The number of plies to the result if the winner hurries and the loser delays.
    plies: u32,
    /// The mean result when a strong player is to move against a weak player, who looks two plies ahead and otherwise
    /// plays at random. The strong player uses this mean to choose among equally good moves.
    strong_to_move: f32,
    /// The mean result when the weak player is to move.
    weak_to_move: f32,
}

impl GridValue {
    /// Returns the rank of the value for a seat against best play; greater is better.
    fn rank(self, seat: Seat) -> i32 {
        // A game has at most nine plies.
        sign(seat) * self.result * (10 - self.plies as i32)
    }

    fn value(self, seat: Seat) -> Value {
        Value::exact(sign(seat) * self.result).with_plies(self.plies)
    }
}

/// Returns 1 for the first seat, -1 for the second.
fn sign(seat: Seat) -> i32 {
    if seat == Seat::FIRST { 1 } else { -1 }
}

/// The symbol in each cell.
type Grid = [Option<Symbol>; 9];

/// Returns the indices of the cells in which a symbol would complete three in a row.
fn completing(grid: &Grid, symbol: Symbol) -> Vec<usize> {
    let completes = |&cell: &usize| {
        let mut lines = LINES.iter().filter(|line| line.contains(&cell));
        grid[cell].is_none()
            && lines.any(|line| line.iter().all(|&at| at == cell || grid[at] == Some(symbol)))
    };
    (0..9).filter(completes).collect()
}

/// Returns the grid with a symbol in one more cell.
fn with(grid: &Grid, cell: usize, symbol: Symbol) -> Grid {
    let mut next = *grid;
    next[cell] = Some(symbol);
    next
}

/// Returns whether a symbol in this cell makes two threats and stops those of the opponent.
fn forks(grid: &Grid, cell: usize, symbol: Symbol) -> bool {
    let next = with(grid, cell, symbol);
    grid[cell].is_none()
        && completing(&next, symbol).len() > 1
        && completing(&next, symbol.opponent()).is_empty()
}

/// Returns the cells in which a seat would complete three in a row.
fn threats(position: &TicTacToe, seat: Seat) -> Vec<Cell> {
    let grid = Cell::ALL.map(|cell| position.at(cell));
    completing(&grid, Symbol::from(seat)).into_iter().map(|at| Cell::ALL[at]).collect()
}

impl TicTacToeEngine {
    fn halt(&self, control: &Control<'_, Cell>) -> Option<StopReason> {
        control.halt_at((self.known.len() - self.before) as u64)
    }

    /// Returns the value of a position; `None` if the control stops the search.
    fn evaluate(&mut self, position: &TicTacToe, control: &Control<'_, Cell>) -> Option<GridValue> {
        let Some(seat) = position.to_move() else {
            let result = final_margin(position);
            let mean = result as f32;
            return Some(GridValue { result, plies: 0, strong_to_move: mean, weak_to_move: mean });
        };
        if let Some(&worth) = self.known.get(position) {
            return Some(worth);
        }
        if self.known.len().is_multiple_of(64) && self.halt(control).is_some() {
            return None;
        }
        let moves = self.rated(position, seat, control)?;
        let best = moves.first().map(|&(_, worth)| worth)?;
        // A player who looks two plies ahead wins at once if possible, and otherwise stops an immediate win of the
        // opponent.
        let [own, other] = [seat, seat.next(2)].map(|seat| threats(position, seat));
        let sees = |mv: &Cell| if own.is_empty() { other == [*mv] } else { own.contains(mv) };
        let mean = |(_, worth): &(Cell, GridValue)| worth.strong_to_move;
        let mut played: Vec<f32> = moves.iter().filter(|(mv, _)| sees(mv)).map(mean).collect();
        if played.is_empty() {
            played.extend(moves.iter().map(mean));
        }
        let worth = GridValue {
            result: best.result,
            plies: best.plies,
            strong_to_move: best.weak_to_move,
            weak_to_move: played.iter().sum::<f32>() / played.len() as f32,
        };
        self.known.insert(position.clone(), worth);
        Some(worth)
    }

    /// Returns all moves with their values, best first. Of equally good moves, the one that a weak opponent is most
    /// likely to answer wrongly comes first.
    fn rated(
        &mut self,
        position: &TicTacToe,
        seat: Seat,
        control: &Control<'_, Cell>,
    ) -> Option<Vec<(Cell, GridValue)>> {
        let mut rated = Vec::new();
        for mv in position.legal_moves() {
            let worth = self.evaluate(&after(position, mv), control)?;
            rated.push((mv, GridValue { plies: worth.plies + 1, ..worth }));
        }
        // Both sorts are stable, so equal moves stay in the order of the cells.
        let mean = |worth: &GridValue| worth.weak_to_move * sign(seat) as f32;
        rated.sort_by(|(_, a), (_, b)| mean(b).total_cmp(&mean(a)));
        rated.sort_by_key(|(_, worth)| Reverse(worth.rank(seat)));
        Some(rated)
    }

    /// Returns the principal variation, to the end of the game.
    fn variation(&mut self, position: &TicTacToe, control: &Control<'_, Cell>) -> Vec<Cell> {
        let mut line = Vec::new();
        let mut position = position.clone();
        while let Some(seat) = position.to_move() {
            let moves = self.rated(&position, seat, control).unwrap_or_default();
            let Some(&(mv, _)) = moves.first() else { break };
            line.push(mv);
            position = after(&position, mv);
        }
        line
    }
}

/// Returns the lookahead limits of a level.
const fn sight(level: Level) -> Sight {
    let (plies, overlooks) = match level {
        Level::Beginner => (2, 15),
        Level::Casual => (6, 3),
        _ => (6, 1),
    };
    Sight { plies, width: 9, lapses: Lapses::Features(overlooks) }
}

impl Sighted for ByRules<TicTacToe> {
    /// The feature is the line that the move completes.
    fn feature(&self, mv: Cell) -> Option<(u64, u32)> {
        let own = self.0.to_move().map(Symbol::from);
        let completes = |line: &[usize; 3]| {
            line.iter().all(|&at| Cell::ALL[at] == mv || self.0.at(Cell::ALL[at]) == own)
                && line.iter().any(|&at| Cell::ALL[at] == mv)
        };
        LINES.iter().position(completes).map(|line| (line as u64, 1))
    }
}

/// The effect of a move in Tic-tac-toe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TicTacToeReason {
    /// Completes three in a row.
    Completes,
    /// Does not stop the opponent from completing three in a row.
    Allows,
    /// Makes a fork: several threats, of which the opponent can stop only one. There was no fork before.
    Forks,
    /// Stops the opponent from completing three in a row.
    Stops,
    /// Keeps the opponent from making two threats.
    StopsFork,
    /// Threatens to complete three in a row.
    Threatens,
    /// Takes a cell on `lines` lines that contain no opposing symbol.
    Takes {
        /// The cell taken.
        cell: Cell,
        /// The number of lines that can still be completed through the cell.
        lines: u32,
    },
    /// Leaves neither player a threat.
    Safe,
}

/// Returns the effect of a move. `None` if the move is illegal.
fn why(position: &TicTacToe, mv: Cell) -> Option<TicTacToeReason> {
    let own = Symbol::from(position.to_move()?);
    let other = own.opponent();
    position.check(mv).ok()?;
    let grid = Cell::ALL.map(|cell| position.at(cell));
    let at = Cell::ALL.iter().position(|&cell| cell == mv)?;
    let next = with(&grid, at, own);
    let [won, stopped] = [own, other].map(|symbol| completing(&grid, symbol).contains(&at));
    let [made, left] = [own, other].map(|symbol| completing(&next, symbol));
    let had_fork = completing(&grid, own).len() > 1;
    // A player who is threatened must stop the threat.
    let may_answer = |cell: &usize| made.is_empty() || made.contains(cell);
    let can_fork = (0..9).any(|cell| forks(&grid, cell, other));
    let can_still_fork = (0..9).filter(may_answer).any(|cell| forks(&next, cell, other));
    let open = LINES
        .iter()
        .filter(|line| line.contains(&at) && line.iter().all(|&cell| grid[cell] != Some(other)));
    Some(if won {
        TicTacToeReason::Completes
    } else if !left.is_empty() {
        TicTacToeReason::Allows
    } else if made.len() > 1 && !had_fork {
        TicTacToeReason::Forks
    } else if stopped {
        TicTacToeReason::Stops
    } else if can_fork && !can_still_fork {
        TicTacToeReason::StopsFork
    } else if !made.is_empty() {
        TicTacToeReason::Threatens
    } else {
        match open.count() {
            0 => TicTacToeReason::Safe,
            lines => TicTacToeReason::Takes { cell: mv, lines: lines as u32 },
        }
    })
}

impl Engine for TicTacToeEngine {
    type Game = TicTacToe;

    fn horizon(_: &TicTacToe, _: Duration) -> Horizon {
        Horizon::Solved
    }

    fn analyse(
        &mut self,
        position: &TicTacToe,
        scope: Scope,
        control: &Control<'_, Cell>,
    ) -> Report<Cell> {
        let seat = position.to_move().unwrap_or(Seat::FIRST);
        let control = &control.without_depth();
        self.before = self.known.len();
        let Some(moves) = self.rated(position, seat, control) else {
            let lapses = Lapses::Features(0);
            let sight = Sight { plies: 1, width: usize::MAX, lapses };
            let report = lookahead(&ByRules(position.clone()), &sight, control, |mv| mv);
            let mut moves = position.legal_moves();
            moves.sort_by_key(|mv| report.best.first() != Some(mv));
            // Without a search, no move is known to be better than the others.
            let value = Value::estimate(report.value.estimate.unwrap_or_default());
            let rated = |mv| RatedMove { mv, value, round_value: None };
            let moves = if scope == Scope::Moves { moves } else { Vec::new() };
            let moves = moves.into_iter().map(rated).collect();
            return Report { halt: self.halt(control), moves, ..report };
        };
        let rank = moves.first().map(|(_, worth)| worth.rank(seat));
        let rated = moves.iter().map(|&(mv, worth)| RatedMove {
            mv,
            value: worth.value(seat),
            round_value: None,
        });
        let report = Report {
            value: moves.first().map(|(_, worth)| worth.value(seat)).unwrap_or_default(),
            best: moves
                .iter()
                .filter(|(_, worth)| Some(worth.rank(seat)) == rank)
                .map(|&(mv, _)| mv)
                .collect(),
            pv: self.variation(position, control),
            moves: if scope == Scope::Moves { rated.collect() } else { Vec::new() },
            depth: moves.first().map(|(_, worth)| worth.plies).unwrap_or_default(),
            nodes: self.known.len() as u64,
            table_bytes: self.known.capacity() * size_of::<(TicTacToe, GridValue)>(),
            ..Report::default()
        };
        control.send_report(&report);
        report
    }

    fn play_as(
        &mut self,
        position: &TicTacToe,
        level: Level,
        control: &Control<'_, Cell>,
    ) -> Report<Cell> {
        lookahead(&ByRules(position.clone()), &sight(level), control, |mv| mv)
    }

    fn symmetry(_: &TicTacToe) -> Box<dyn Symmetry<TicTacToe>> {
        let squares = Cell::ALL.map(Cell::square);
        let cells = squares.map(|square| census::Cell::at(square.row, square.col));
        let read = |position: &TicTacToe, out: &mut Vec<u8>| {
            out.extend(position.cells().map(|cell| cell.map_or(0, |symbol| symbol as u8 + 1)));
        };
        Box::new(Cells::new([3, 3], &cells, 3, read))
    }

    fn why(position: &TicTacToe, mv: Cell) -> Option<Reason> {
        why(position, mv).map(Reason::TicTacToe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{agrees_with_plain_search, answers_within_limits, control};
    use crate::{Limits, NoTableCache, StopReason};
    use quadrille_rules::Outcome;
    use std::collections::HashSet;
    use std::mem::{Discriminant, discriminant};
    use std::sync::atomic::AtomicBool;

    fn position(setup: &str) -> TicTacToe {
        TicTacToe::from_setup(&setup.parse().unwrap()).unwrap()
    }

    fn analyse(position: &TicTacToe) -> Report<Cell> {
        TicTacToeEngine::default().analyse(position, Scope::Moves, &control(Limits::default()))
    }

    /// Returns the value and the number of plies to the end, by plain minimax.
    fn plain(position: &TicTacToe) -> (i32, u32) {
        let Some(seat) = position.to_move() else { return (final_margin(position), 0) };
        let ends = position.legal_moves().into_iter().map(|mv| plain(&after(position, mv)));
        let best = ends.max_by_key(|&(value, plies)| {
            let plies = plies as i32;
            let value = sign(seat) * value;
            (value, if value > 0 { -plies } else { plies })
        });
        best.map_or((0, 0), |(value, plies)| (value, plies + 1))
    }

    #[test]
    fn search_stops_at_node_and_depth_limits() {
        let start = position("first=X");
        answers_within_limits::<TicTacToeEngine>(&start, 500);
        let ask = |engine: &mut TicTacToeEngine, limits| {
            engine.analyse(&start, Scope::Moves, &control(limits))
        };
        let depth = |plies| Limits { depth: Some(plies), ..Limits::default() };
        let mut engine = TicTacToeEngine::default();
        assert_eq!(ask(&mut engine, depth(2)).halt, Some(StopReason::Stopped));
        // The next question has positions of its own.
        let report = ask(&mut engine, depth(4));
        assert_eq!((report.halt, report.value), (None, Value::exact(0).with_plies(9)));
    }

    #[test]
    fn empty_grid_is_a_draw_with_5478_positions() {
        let mut engine = TicTacToeEngine::default();
        let report = agrees_with_plain_search(&mut engine, &position(""), &mut HashMap::new());
        assert_eq!(report.value, Value::exact(0).with_plies(9));
        assert_eq!((report.best.len(), report.pv.len()), (9, 9));
        // The table contains neither the 958 finished positions nor the analyzed position.
        assert_eq!(engine.known.len(), 5478 - 958 - 1);
    }

    /// Tests random grids with at most six empty cells, including unreachable ones.
    #[test]
    fn values_and_plies_match_plain_search() {
        let mut rng = fastrand::Rng::with_seed(1);
        let mut known = HashMap::new();
        for _ in 0..300 {
            let grid: String = (0..9).map(|_| rng.choice(['-', '-', 'X', 'O']).unwrap()).collect();
            let first = if rng.bool() { "X" } else { "O" };
            let position = position(&format!("grid={grid} first={first}"));
            let Some(seat) = position.to_move() else { continue };
            let empty = grid.bytes().filter(|&byte| byte == b'-').count();
            if empty > 6 {
                continue;
            }
            let mut engine = TicTacToeEngine::default();
            let report = agrees_with_plain_search(&mut engine, &position, &mut known);
            let (value, plies) = plain(&position);
            let expected = Value::exact(sign(seat) * value).with_plies(plies);
            assert_eq!(report.value, expected, "{grid} {first}");
            for rated in &report.moves {
                let (value, plies) = plain(&after(&position, rated.mv));
                let expected = Value::exact(sign(seat) * value).with_plies(plies + 1);
                assert_eq!(rated.value, expected, "{grid} {first} {}", rated.mv);
            }
            assert_eq!(report.pv.len(), plies as usize);
        }
    }

    #[test]
    fn engine_opens_in_a_corner() {
        assert_eq!(analyse(&position("")).best[0].to_string(), "a1");
    }

    #[test]
    fn why_names_the_reason() {
        let why = |grid: &str, mv: &str| {
            super::why(&position(&format!("grid={grid} first=X")), mv.parse().unwrap())
        };
        assert_eq!(why("XX-OO----", "c1"), Some(TicTacToeReason::Completes));
        assert_eq!(why("XX-OO----", "c2"), Some(TicTacToeReason::Stops));
        assert_eq!(why("X---O---X", "c1"), Some(TicTacToeReason::Forks));
        assert_eq!(why("X-O-O---X", "a3"), Some(TicTacToeReason::Forks));
        let centre = TicTacToeReason::Takes { cell: "b2".parse().unwrap(), lines: 4 };
        assert_eq!(why("---------", "b2"), Some(centre));
        assert_eq!(why("O---X---O", "b1"), Some(TicTacToeReason::StopsFork));
        assert_eq!(why("X--------", "a1"), None);
    }

    /// In every reachable position, every move has a reason, and the rules confirm it.
    #[test]
    fn reasons_are_true() {
        fn with_first(position: &TicTacToe, seat: Seat) -> TicTacToe {
            let first = Symbol::from(seat);
            TicTacToe::from_setup(&position.setup().with("first", first)).unwrap()
        }
        /// Returns the number of cells in which a seat would win if it were to move.
        fn wins(position: &TicTacToe, seat: Seat) -> usize {
            if position.to_move().is_none() {
                return 0;
            }
            let turned = with_first(position, seat);
            let wins = |&mv: &Cell| {
                after(&turned, mv).outcome().is_some_and(|end| end == Outcome::win(seat))
            };
            turned.legal_moves().iter().filter(|mv| wins(mv)).count()
        }
        /// Returns whether a seat, if it were to move, could make two threats and leave the opponent none.
        fn can_fork(position: &TicTacToe, seat: Seat) -> bool {
            let turned = with_first(position, seat);
            turned.legal_moves().into_iter().any(|mv| {
                let next = after(&turned, mv);
                let other = Seat::new(1 - seat.index() as u8);
                wins(&next, seat) > 1 && wins(&next, other) == 0
            })
        }
        fn look(
            position: &TicTacToe,
            seen: &mut HashSet<TicTacToe>,
            seen_reasons: &mut HashSet<Discriminant<TicTacToeReason>>,
        ) {
            let Some(seat) = position.to_move() else { return };
            if !seen.insert(position.clone()) {
                return;
            }
            let other = seat.next(2);
            for mv in position.legal_moves() {
                let reason = why(position, mv).unwrap();
                let next = after(position, mv);
                let [own, others] = [seat, other].map(|seat| wins(&next, seat));
                let wins_now = next.outcome() == Some(Outcome::win(seat));
                assert_eq!(reason == TicTacToeReason::Completes, wins_now);
                assert_eq!(reason == TicTacToeReason::Allows, others > 0);
                match reason {
                    TicTacToeReason::Forks => {
                        assert!(own > 1 && others == 0 && wins(position, seat) < 2);
                    }
                    TicTacToeReason::Stops => assert!(wins(position, other) > 0 && others == 0),
                    TicTacToeReason::Threatens => assert!(own > 0 && others == 0),
                    TicTacToeReason::StopsFork => {
                        assert!(can_fork(position, other));
                        for answer in next.legal_moves() {
                            let then = after(&next, answer);
                            let loses = then.to_move().is_some() && wins(&then, seat) > 0;
                            assert!(loses || wins(&then, other) < 2, "{position} {mv} {answer}");
                        }
                    }
                    TicTacToeReason::Takes { cell, lines } => {
                        let is_open = |line: &[usize; 3]| {
                            let mut cells = line.iter().map(|&at| Cell::ALL[at]);
                            cells.clone().any(|at| at == mv)
                                && cells.all(|at| position.at(at) != Some(Symbol::from(other)))
                        };
                        let open = LINES.iter().filter(|line| is_open(line)).count();
                        assert_eq!((cell, lines as usize, own + others), (mv, open, 0));
                    }
                    TicTacToeReason::Safe => assert_eq!(own + others, 0, "{position} {mv}"),
                    TicTacToeReason::Completes | TicTacToeReason::Allows => {}
                }
                seen_reasons.insert(discriminant(&reason));
                look(&next, seen, seen_reasons);
            }
        }
        let mut seen_reasons = HashSet::new();
        look(&position(""), &mut HashSet::new(), &mut seen_reasons);
        assert_eq!(seen_reasons.len(), 8);
    }

    #[test]
    fn stopped_engine_still_answers() {
        let position = position("grid=XX-OO---- first=X");
        let stop = AtomicBool::new(true);
        let control = Control::new(&stop, Limits::default(), &NoTableCache, &|_| ());
        let report = TicTacToeEngine::default().analyse(&position, Scope::Best, &control);
        assert_eq!(report.halt, Some(StopReason::Stopped));
        assert_eq!(report.best[0].to_string(), "c1");
    }
}
