//! The engine of Tic-tac-toe. It searches every position that can follow: 5478 from the empty grid.

use super::census::{self, Cells, Forms};
use super::lookahead::{ByRules, Sight, lookahead};
use super::plain::{after, final_margin};
use super::{Control, Engine, Horizon, Level, Rated, Report, Scope, Value};
use crate::rules::tic_tac_toe::{Cell, LINES, TicTacToe as Position};
use crate::rules::{Game, Seat, Symbol};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

/// The engine of tic-tac-toe.
#[derive(Default)]
pub struct TicTacToe {
    known: HashMap<Position, GridValue>,
}

/// The value of a position to the first seat.
#[derive(Clone, Copy, Debug)]
struct GridValue {
    /// The result when both play best: 1, 0 or -1.
    result: i32,
    /// After how many plies it comes, when the winner hurries and the loser delays.
    plies: u32,
    /// The mean result when a strong player is to move, whose opponent is weak: that one looks two plies ahead and
    /// otherwise plays at random. The strong player chooses among equally good moves by this mean.
    strong_to_move: f32,
    /// The mean result when the weak player is to move.
    weak_to_move: f32,
}

impl GridValue {
    /// How good it is for a seat against best play; the greater the better.
    fn rank(self, seat: Seat) -> i32 {
        // A game has at most nine plies.
        sign(seat) * self.result * (10 - self.plies as i32)
    }

    fn value(self, seat: Seat) -> Value {
        Value::exact(sign(seat) * self.result).in_plies(self.plies)
    }
}

/// 1 for the first seat, -1 for the second.
fn sign(seat: Seat) -> i32 {
    if seat == Seat::FIRST { 1 } else { -1 }
}

/// The cells in which a seat would make three in a row.
fn threats(position: &Position, seat: Seat) -> Vec<Cell> {
    let completes = |&cell: &Cell| {
        position.at(cell).is_none()
            && LINES.iter().filter(|line| line.iter().any(|&at| Cell::ALL[at] == cell)).any(
                |line| {
                    let others =
                        line.iter().map(|&at| Cell::ALL[at]).filter(|&other| other != cell);
                    others.into_iter().all(|other| position.at(other) == Some(Symbol::of(seat)))
                },
            )
    };
    Cell::ALL.into_iter().filter(completes).collect()
}

impl TicTacToe {
    /// The value of a position; `None` when the control stops the search.
    fn worth(&mut self, position: &Position, control: &Control<'_, Cell>) -> Option<GridValue> {
        let Some(seat) = position.to_move() else {
            let result = final_margin(position);
            let mean = result as f32;
            return Some(GridValue { result, plies: 0, strong_to_move: mean, weak_to_move: mean });
        };
        if let Some(&worth) = self.known.get(position) {
            return Some(worth);
        }
        if self.known.len().is_multiple_of(64) && control.halt().is_some() {
            return None;
        }
        let moves = self.rated(position, seat, control)?;
        let best = moves.first().map(|&(_, worth)| worth)?;
        // A player who looks two plies ahead wins at once if possible, and otherwise keeps the other from doing so.
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

    /// All moves with their values, the best first. Of equally good moves the one that a weak opponent is
    /// most likely to answer wrongly comes first.
    fn rated(
        &mut self,
        position: &Position,
        seat: Seat,
        control: &Control<'_, Cell>,
    ) -> Option<Vec<(Cell, GridValue)>> {
        let mut rated = Vec::new();
        for mv in position.legal() {
            let worth = self.worth(&after(position, mv), control)?;
            rated.push((mv, GridValue { plies: worth.plies + 1, ..worth }));
        }
        // Both sorts are stable, so equal moves stay in the order of the cells.
        let mean = |worth: &GridValue| worth.weak_to_move * sign(seat) as f32;
        rated.sort_by(|(_, a), (_, b)| mean(b).total_cmp(&mean(a)));
        rated.sort_by_key(|(_, worth)| Reverse(worth.rank(seat)));
        Some(rated)
    }

    /// The principal variation, to the end of the game.
    fn variation(&mut self, position: &Position, control: &Control<'_, Cell>) -> Vec<Cell> {
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

/// The move of a player of this sight.
fn look(position: &Position, sight: &Sight, control: &Control<'_, Cell>) -> Report<Cell> {
    let chosen = lookahead(&ByRules(position.clone()), sight, control);
    chosen.map(|chosen| chosen.report(|mv| mv)).unwrap_or_default()
}

/// How a level looks at the grid.
const fn sight(level: Level) -> Sight {
    match level {
        Level::Beginner => Sight { plies: 2, width: 9, overlooks: 30 },
        Level::Casual => Sight { plies: 2, width: 9, overlooks: 8 },
        _ => Sight { plies: 6, width: 9, overlooks: 3 },
    }
}

impl Engine for TicTacToe {
    type Game = Position;

    fn horizon(_: &Position, _: Duration) -> Horizon {
        Horizon::Solved
    }

    fn analyse(
        &mut self,
        position: &Position,
        scope: Scope,
        control: &Control<'_, Cell>,
    ) -> Report<Cell> {
        let seat = position.to_move().unwrap_or(Seat::FIRST);
        let Some(moves) = self.rated(position, seat, control) else {
            let sight = Sight { plies: 1, width: usize::MAX, overlooks: 0 };
            return Report { halt: control.halt(), ..look(position, &sight, control) };
        };
        let rank = moves.first().map(|(_, worth)| worth.rank(seat));
        let rated = moves.iter().map(|&(mv, worth)| Rated {
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
            table_bytes: self.known.capacity() * size_of::<(Position, GridValue)>(),
            ..Report::default()
        };
        control.send_report(&report);
        report
    }

    fn play_as(
        &mut self,
        position: &Position,
        level: Level,
        control: &Control<'_, Cell>,
    ) -> Report<Cell> {
        look(position, &sight(level), control)
    }

    fn forms(_: &Position) -> Box<dyn Forms<Position>> {
        let squares = Cell::ALL.map(Cell::square);
        let cells = squares.map(|square| census::Cell::at(square.row, square.col));
        let read = |position: &Position, out: &mut Vec<u8>| {
            out.extend(position.cells().map(|cell| cell.map_or(0, |symbol| symbol as u8 + 1)));
        };
        Box::new(Cells::new([3, 3], &cells, 3, read))
    }

    fn why(position: &Position, mv: Cell) -> Option<String> {
        let seat = position.to_move()?;
        let other = seat.next(2);
        let next = after(position, mv);
        let words = if threats(position, seat).contains(&mv) {
            "wins at once"
        } else if threats(&next, seat).len() > 1 && threats(&next, other).is_empty() {
            "makes two threats"
        } else if threats(position, other).contains(&mv) {
            "stops three in a row"
        } else {
            return None;
        };
        Some(words.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::plain::margin;
    use crate::search::{Halt, Level, Limits, NoTableCache};
    use std::sync::atomic::AtomicBool;

    fn position(setup: &str) -> Position {
        Position::from_setup(&setup.parse().unwrap()).unwrap()
    }

    fn with_control<T>(stop: bool, ask: impl FnOnce(&Control<'_, Cell>) -> T) -> T {
        let stop = AtomicBool::new(stop);
        ask(&Control::new(&stop, Limits::default(), &NoTableCache, &|_| ()))
    }

    fn analyse(position: &Position) -> Report<Cell> {
        with_control(false, |control| TicTacToe::default().analyse(position, Scope::Moves, control))
    }

    /// The value and the plies to the end, by plain minimax.
    fn plain(position: &Position) -> (i32, u32) {
        let Some(seat) = position.to_move() else { return (final_margin(position), 0) };
        let ends = position.legal().into_iter().map(|mv| plain(&after(position, mv)));
        let best = ends.max_by_key(|&(value, plies)| {
            let plies = plies as i32;
            let value = sign(seat) * value;
            (value, if value > 0 { -plies } else { plies })
        });
        best.map_or((0, 0), |(value, plies)| (value, plies + 1))
    }

    #[test]
    fn the_empty_grid_is_a_draw_and_5478_positions() {
        with_control(false, |control| {
            let mut engine = TicTacToe::default();
            let report = engine.analyse(&position(""), Scope::Moves, control);
            assert_eq!(report.value, Value::exact(0).in_plies(9));
            assert_eq!((report.best.len(), report.pv.len()), (9, 9));
            // The 958 finished positions are not kept, nor is the one that was asked about.
            assert_eq!(engine.known.len(), 5478 - 958 - 1);
        });
    }

    /// On random grids with at most six empty cells, some of which no game reaches.
    #[test]
    fn values_and_plies_are_those_of_plain_search() {
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
            let report = analyse(&position);
            let (value, plies) = plain(&position);
            assert_eq!(value, margin(&position, &mut known));
            let expected = Value::exact(sign(seat) * value).in_plies(plies);
            assert_eq!(report.value, expected, "{grid} {first}");
            assert_eq!(report.moves.len(), empty);
            for rated in &report.moves {
                let (value, plies) = plain(&after(&position, rated.mv));
                let expected = Value::exact(sign(seat) * value).in_plies(plies + 1);
                assert_eq!(rated.value, expected, "{grid} {first} {}", rated.mv);
                assert_eq!(report.best.contains(&rated.mv), rated.value == report.value);
            }
            let end = report.pv.iter().fold(position.clone(), |position, &mv| after(&position, mv));
            assert_eq!((end.to_move(), report.pv.len()), (None, plies as usize));
        }
    }

    /// Against every possible play of the other, from either seat.
    #[test]
    fn perfect_never_loses_and_never_lets_a_win_go() {
        fn hold(engine: &mut TicTacToe, position: &Position, perfect: Seat, value: i32) {
            let Some(seat) = position.to_move() else {
                assert!(sign(perfect) * final_margin(position) >= value, "{position}");
                return;
            };
            if seat == perfect {
                let choice =
                    with_control(false, |control| engine.choose(position, Level::Perfect, control));
                let value = value.max(choice.report.value.proven().unwrap());
                hold(engine, &after(position, choice.mv), perfect, value);
            } else {
                for mv in position.legal() {
                    hold(engine, &after(position, mv), perfect, value);
                }
            }
        }
        let mut engine = TicTacToe::default();
        for seat in [Seat::FIRST, Seat::SECOND] {
            hold(&mut engine, &position(""), seat, 0);
        }
    }

    #[test]
    fn a_corner_is_hardest_to_answer() {
        assert_eq!(analyse(&position("")).best[0].to_string(), "a1");
    }

    #[test]
    fn it_says_why() {
        let why = |grid: &str, mv: &str| {
            TicTacToe::why(&position(&format!("grid={grid} first=X")), mv.parse().unwrap())
        };
        assert_eq!(why("XX-OO----", "c1").as_deref(), Some("wins at once"));
        assert_eq!(why("XX-OO----", "c2").as_deref(), Some("stops three in a row"));
        assert_eq!(why("X---O---X", "c1").as_deref(), Some("makes two threats"));
        assert_eq!(why("X-O-O---X", "a3").as_deref(), Some("makes two threats"));
        assert_eq!(why("---------", "b2"), None);
    }

    #[test]
    fn it_answers_even_when_stopped_at_once() {
        let position = position("grid=XX-OO---- first=X");
        let report = with_control(true, |control| {
            TicTacToe::default().analyse(&position, Scope::Best, control)
        });
        assert_eq!(report.halt, Some(Halt::Stopped));
        assert_eq!(report.best[0].to_string(), "c1");
    }
}
