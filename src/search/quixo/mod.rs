//! Quixo: boards of up to 4 × 4 dice are solved, larger ones searched.

pub mod board;
pub mod playout;
pub mod retrograde;
pub mod table;

mod index;
mod iterative;
mod transposition;
mod why;

use super::census::{Cell, Cells, Forms};
use super::kept::Kept;
use super::{
    Choice, Control, Engine, Halt, Horizon, Level, Rated, Report, Scope, Value, WON, any_move,
    lookahead,
};
use crate::rules::quixo::{Place, Push, Quixo as Position};
use crate::rules::{Game, Seat, Symbol};
use board::{Board, Geometry, Mask, Wide};
use iterative::Search;
use retrograde::Solver;
use std::convert::Infallible;
use std::time::Duration;
use table::{Table, Worth};
use transposition::Memo;

/// Plays quixo.
#[derive(Default)]
pub struct Quixo {
    /// The size of the boards that all below is about.
    size: u8,
    solver: Option<Solver>,
    narrow: Kept<Memo<u64>>,
    wide: Kept<Memo<Wide>>,
}

/// The largest board whose dice fit in one word each.
const NARROW: u8 = 8;

/// A Casual player overlooks the answer to one move in so many.
const CARE: u32 = 8;

/// The part of its time that a move spends on a table that is not whole yet. In the tenth that is left a search sees
/// a ply or two less; the table sees everything, for this move or a later one.
const BUILDING: f32 = 0.9;

/// How deep a search goes that is only to say something at once.
const AT_ONCE: u8 = 2;

impl Engine for Quixo {
    type Game = Position;

    fn glance(position: &Position, seat: Seat) -> i32 {
        if let Some(outcome) = position.outcome() {
            return WON * (i32::from(outcome.has(seat)) - i32::from(outcome.has(seat.next(2))));
        }
        let size = position.size();
        let dice = Place::all(size, size).filter_map(|place| position.die(place));
        dice.map(|symbol| if symbol.seat() == seat { 1 } else { -1 }).sum()
    }

    fn horizon(position: &Position, time: Duration) -> Horizon {
        if position.size() <= Table::LARGEST {
            return Horizon::Solved;
        }
        // As measured from empty boards in a second; in ten times the time it sees one further.
        let pushes = match position.size() {
            0..=6 => 8,
            7..=8 => 7,
            9..=12 => 6,
            13..=20 => 5,
            _ => 4,
        };
        let further = time.as_secs_f32().max(0.001).log10().round() as i32;
        Horizon::Sees(format!("about {} pushes ahead", pushes + further))
    }

    fn analyse(
        &mut self,
        position: &Position,
        scope: Scope,
        control: &Control<'_, Push>,
    ) -> Report<Push> {
        let size = position.size();
        if size != self.size {
            *self = Quixo { size, ..Quixo::default() };
        }
        let mover = position.to_move().map_or(Symbol::X, Symbol::of);
        let memory = control.limits.memory;
        let deepest = control.limits.depth.map_or(u8::MAX, |plies| plies.min(255) as u8);
        if size > NARROW {
            let board = Board::of(position, mover);
            let geometry = Geometry::new(position);
            let transposition = memo_of(&mut self.wide, memory);
            return Search::new(&geometry, transposition, control).run(board, scope, deepest);
        }
        let board = Board::of(position, mover);
        let geometry = Geometry::new(position);
        let search = |kept: &mut Kept<Memo<u64>>, memory, deepest| {
            Search::new(&geometry, memo_of(kept, memory), control).run(board, scope, deepest)
        };
        if size > Table::LARGEST {
            return search(&mut self.narrow, memory, deepest);
        }
        if self.table().is_none() {
            // What the table leaves is for the search.
            let left = memory.checked_sub(Table::needs(size)).unwrap_or(memory);
            let first = search(&mut self.narrow, left, AT_ONCE);
            match self.solve(position, &first, control) {
                Ok(()) => self.narrow = Kept::default(),
                Err(halt @ (Halt::Memory | Halt::Refused)) if control.limits.deadline.is_none() => {
                    return Report { halt: Some(halt), ..first };
                }
                Err(Halt::Stopped) => return Report { halt: Some(Halt::Stopped), ..first },
                Err(Halt::Time | Halt::Memory | Halt::Refused) => {
                    return search(&mut self.narrow, left, deepest);
                }
            }
        }
        self.table().map_or_else(Report::default, |table| from_table(table, board))
    }

    // A Casual player that overlooks nothing hardly ever loses on 5 × 5 and more.
    fn choose(
        &mut self,
        position: &Position,
        level: Level,
        control: &Control<'_, Push>,
    ) -> Choice<Push> {
        let careless = || fastrand::Rng::with_seed(!control.limits.seed).u32(..CARE) == 0;
        let report = match level {
            Level::Beginner => lookahead(position, 1, Self::glance, control),
            Level::Casual if careless() => lookahead(position, 1, Self::glance, control),
            Level::Casual => lookahead(position, 2, Self::glance, control),
            Level::Strong => self.analyse(position, Scope::Best, control),
            Level::Perfect => self.analyse(position, Scope::Best, &control.without_deadline()),
        };
        let mv = report.best.first().copied().unwrap_or_else(|| any_move(position));
        Choice { mv, report }
    }

    /// A table is made, and what a search finds out stays in the transposition table.
    fn ponder(&mut self, position: &Position, control: &Control<'_, Push>) {
        self.analyse(position, Scope::Best, control);
    }

    fn forms(start: &Position) -> Box<dyn Forms<Position>> {
        let size = start.size();
        let places: Vec<Place> = Place::all(size, size).collect();
        let cells = places.iter().map(|at| Cell::still(at.row, at.col)).collect::<Vec<_>>();
        let read = move |position: &Position, out: &mut Vec<u8>| {
            let value = |&place| position.die(place).map_or(0, |symbol| symbol as u8 + 1);
            out.extend(places.iter().map(value));
        };
        Box::new(Cells::new([size, size], &cells, 3, read))
    }

    fn why(position: &Position, push: Push) -> Option<String> {
        if position.size() > NARROW {
            why::why::<Wide>(position, push)
        } else {
            why::why::<u64>(position, push)
        }
    }
}

impl Quixo {
    /// Makes the table, or goes on making it; meanwhile tells `first` with how far it is. Of the time there is it takes
    /// its [part](BUILDING), and all when the table is whole by then.
    fn solve(
        &mut self,
        position: &Position,
        first: &Report<Push>,
        control: &Control<'_, Push>,
    ) -> Result<(), Halt> {
        if control.limits.memory < Table::needs(self.size) {
            return Err(Halt::Memory);
        }
        // Smaller ones are made faster than they are loaded.
        let name = (self.size == Table::LARGEST).then(|| format!("quixo-{}", self.size));
        let solver = if let Some(solver) = &mut self.solver {
            solver
        } else {
            if let Some(halt) = control.halt() {
                return Err(halt);
            }
            self.solver.insert(Solver::new(position)?)
        };
        // Another engine may have made it since.
        if let Some(kept) = name.as_ref().and_then(|name| control.table_cache.load(name)) {
            solver.load(&kept);
        }
        if solver.table().is_some() {
            return Ok(());
        }
        let part = control.share(BUILDING, Duration::MAX);
        let (time, before) = (control.time_left(), solver.progress());
        let mut told = 0;
        loop {
            solver.step();
            if let Some(table) = solver.table() {
                if let Some(name) = name {
                    control.table_cache.store(&name, &table.to_bytes());
                }
                return Ok(());
            }
            if let Some(halt) = part.halt()
                && (halt != Halt::Time || !ends_in_time(control, time, solver, before))
            {
                return Err(halt);
            }
            let percent = (solver.progress() * 100.0) as u32;
            if percent > told {
                told = percent;
                control.tell(&Report {
                    table: solver.bytes(),
                    progress: Some(solver.progress()),
                    halt: None,
                    ..first.clone()
                });
            }
        }
    }

    fn table(&self) -> Option<&Table> {
        self.solver.as_ref()?.table()
    }
}

/// Whether a table is whole before the deadline, if it goes on as it did since it was so far `before`, when there was
/// so much `time`.
fn ends_in_time(
    control: &Control<'_, Push>,
    time: Option<Duration>,
    solver: &Solver,
    before: f32,
) -> bool {
    let (Some(time), Some(left)) = (time, control.time_left()) else { return true };
    let done = solver.progress() - before;
    let to_do = 1.0 - solver.progress();
    to_do * time.saturating_sub(left).as_secs_f32() <= done * left.as_secs_f32()
}

/// What is kept of boards of the engine's size.
fn memo_of<M: Mask>(kept: &mut Kept<Memo<M>>, budget: usize) -> &mut Memo<M> {
    let Ok(transposition) =
        kept.fit(budget, |_| true, |budget| Ok::<_, Infallible>(Memo::new(budget)));
    transposition
}

/// A push and where it leads, in a solved table.
struct Known {
    push: Push,
    worth: Worth,
    after: Board<u64>,
    /// Of the opponent's pushes then, the share that gives nothing away.
    easy: f32,
}

/// All pushes, the best first; among equal ones those come first after which the opponent can go
/// wrong most easily.
fn known(table: &Table, board: Board<u64>) -> Vec<Known> {
    let mut pushes: Vec<Known> = table
        .geometry
        .legal(board)
        .map(|slide| {
            let after = slide.play(board);
            let worth = table.worth(after);
            let replies =
                || table.geometry.legal(after).map(|reply| table.worth(reply.play(after)));
            let kept = replies().filter(|reply| reply.before().value() == worth.value()).count();
            let easy = kept as f32 / replies().count().max(1) as f32;
            Known { push: slide.push, worth: worth.before(), after, easy }
        })
        .collect();
    pushes.sort_by(|a, b| {
        b.worth.rank().cmp(&a.worth.rank()).then_with(|| a.easy.total_cmp(&b.easy))
    });
    pushes
}

/// The longest line of best pushes that is told where neither wins and it need not end.
const LINE: usize = 12;

fn from_table(table: &Table, board: Board<u64>) -> Report<Push> {
    let value = |worth: Worth| Value { plies: worth.plies(), ..Value::exact(worth.value()) };
    let pushes = known(table, board);
    let worth = table.worth(board);
    let best = pushes.iter().filter(|push| push.worth == worth).map(|push| push.push);
    let mut pv = Vec::new();
    let mut at = board;
    let most = worth.plies().map_or(LINE, |plies| plies as usize);
    while pv.len() < most
        && table.geometry.end(at).is_none()
        && let Some(first) = known(table, at).first()
    {
        pv.push(first.push);
        at = first.after;
    }
    Report {
        value: value(worth),
        best: best.collect(),
        pv,
        moves: pushes
            .iter()
            .map(|known| Rated { mv: known.push, value: value(known.worth), round_value: None })
            .collect(),
        nodes: pushes.len() as u64,
        table: table.bytes(),
        ..Report::default()
    }
}

#[cfg(test)]
mod tests;
