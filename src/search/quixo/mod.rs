//! Quixo: boards of up to 4 × 4 dice are solved, larger ones searched.

pub mod board;
pub mod mask;
pub mod playout;
pub mod retrograde;
pub mod table;

mod alpha_beta;
mod evaluation;
mod index;
mod iterative;
mod levels;
mod order;
mod transposition;
mod why;

use super::census::{Cell, Cells, Forms};
use super::kept::Kept;
use super::{Choice, Control, Engine, Halt, Horizon, Level, Rated, Report, Scope, Value};
use crate::rules::quixo::{Place, Push, Quixo as Position};
use crate::rules::{Game, Symbol};
use board::{Board, Geometry};
use iterative::Search;
use mask::{Mask, Wide};
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
    /// The positions that the match has been through, while a move is chosen in one.
    earlier: Vec<Position>,
    small: Kept<Memo<u32>>,
    narrow: Kept<Memo<u64>>,
    wide: Kept<Memo<Wide>>,
}

/// The largest board whose dice fit in one short word each.
const SMALL: u8 = 5;

/// The largest board whose dice fit in one word each.
const NARROW: u8 = 8;

/// The part of its time that a move spends on a table that is not whole yet. In the tenth that is left a search sees
/// a ply or two less; the table sees everything, for this move or a later one.
const BUILDING: f32 = 0.9;

/// How deep a search goes that is only to say something at once.
const AT_ONCE: u8 = 2;

impl Engine for Quixo {
    type Game = Position;

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
            let earlier = std::mem::take(&mut self.earlier);
            *self = Quixo { size, earlier, ..Quixo::default() };
        }
        let memory = control.limits.memory;
        let deepest = control.limits.depth.map_or(u8::MAX, |plies| plies.min(255) as u8);
        let question = Question { position, earlier: &self.earlier, scope, control, deepest };
        if size > NARROW {
            return question.search(memo_of(&mut self.wide, memory));
        } else if size > SMALL {
            return question.search(memo_of(&mut self.narrow, memory));
        } else if size > Table::LARGEST {
            return question.search(memo_of(&mut self.small, memory));
        }
        if self.table().is_none() {
            // What the table leaves is for the search.
            let left = memory.checked_sub(Table::needs(size)).unwrap_or(memory);
            let at_once = Question { deepest: AT_ONCE, ..question };
            let first = at_once.search(memo_of(&mut self.narrow, left));
            match self.solve(position, &first, control) {
                Ok(()) => self.narrow = Kept::default(),
                Err(halt @ (Halt::Memory | Halt::Refused)) if control.limits.deadline.is_none() => {
                    return Report { halt: Some(halt), ..first };
                }
                Err(Halt::Stopped) => return Report { halt: Some(Halt::Stopped), ..first },
                Err(Halt::Time | Halt::Memory | Halt::Refused) => {
                    let question =
                        Question { position, earlier: &self.earlier, scope, control, deepest };
                    return question.search(memo_of(&mut self.narrow, left));
                }
            }
        }
        let board = board_of(position);
        self.table().map_or_else(Report::default, |table| from_table(table, board))
    }

    fn choose_in_match(
        &mut self,
        earlier: impl Iterator<Item = Position>,
        position: &Position,
        level: Level,
        control: &Control<'_, Push>,
    ) -> Choice<Push> {
        self.earlier = earlier.collect();
        self.earlier.push(position.clone());
        let choice = self.choose(position, level, control);
        self.earlier.clear();
        choice
    }

    fn play_as(
        &mut self,
        position: &Position,
        level: Level,
        control: &Control<'_, Push>,
    ) -> Report<Push> {
        if position.size() > NARROW {
            levels::play_as::<Wide, _>(position, level, control)
        } else {
            levels::play_as::<u64, _>(position, level, control)
        }
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

/// What a search is asked.
#[derive(Clone, Copy)]
struct Question<'a> {
    position: &'a Position,
    /// The positions of the match up to this one, if a move is to be chosen in one.
    earlier: &'a [Position],
    scope: Scope,
    control: &'a Control<'a, Push>,
    deepest: u8,
}

impl Question<'_> {
    fn search<M: Mask>(self, transposition: &mut Memo<M>) -> Report<Push> {
        let geometry = Geometry::new(self.position);
        Search::new(&geometry, transposition, self.control)
            .in_match(self.earlier.iter().map(board_of).collect())
            .run(board_of(self.position), self.scope, self.deepest)
    }
}

/// The board as whoever is to move sees it.
fn board_of<M: Mask>(position: &Position) -> Board<M> {
    Board::of(position, position.to_move().map_or(Symbol::X, Symbol::of))
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
