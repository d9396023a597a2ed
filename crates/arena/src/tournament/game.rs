//! Plays a single game of a tournament.

use super::player_pool::{ActivePlayer, PlayerPool, Resources};
use super::schedule::Schedule;
use super::seat_times::SeatTimes;
use super::stop::{Stop, Stopwatch};
use super::{Ending, Fixture, GameLine, LiveTournament, Points, UnderWay};
use quadrille_match::session::{
    Conditions, Match, MoveComment, Record, Session, Termination, TimeControl, seconds_of,
};
use quadrille_rules::Seat;
use quadrille_table::play::program::messages_in;
use quadrille_table::play::{Ask, EngineEvent, Table};
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// The maximum length of a line of standard error in a detail, in characters.
const MAX_LINE_CHARS: usize = 300;

/// A finished game.
pub(super) struct Finished {
    pub line: GameLine,
    pub record: Record,
    /// The log of the losing program's standard error.
    pub messages: Option<PathBuf>,
}

/// Information about a game other than its moves.
#[derive(Default)]
struct GameNotes {
    /// See [`GameLine::detail`].
    detail: Option<String>,
    /// The log of the losing program's standard error.
    messages: Option<PathBuf>,
    /// The players' comments on their moves, each with the index of the move.
    comments: Vec<(usize, MoveComment)>,
}

/// Plays games. Shared by all threads.
pub(super) struct GameRunner<'a> {
    pub schedule: &'a Schedule,
    pub pool: &'a PlayerPool,
    pub resources: &'a Resources,
    pub stop: &'a Stop,
    pub live: &'a LiveTournament,
}

impl GameRunner<'_> {
    /// Plays a game to its end. Returns `None` if the tournament was stopped, and an error if Quadrille itself failed
    /// rather than a player.
    pub fn play(&self, fixture: &Fixture) -> Result<Option<Finished>, String> {
        self.play_from(fixture).map_err(|why| format!("game {}: {why}", fixture.game))
    }

    fn play_from(&self, fixture: &Fixture) -> Result<Option<Finished>, String> {
        let mut table = self.open(fixture)?;
        let plan = self.schedule.plan();
        let mut seated = Vec::new();
        for &player in &fixture.players {
            let contestant = &plan.players[player];
            let active =
                self.pool.take((fixture.game, player), contestant, self.resources, self.stop);
            let why = |why| format!("cannot start {}: {why}", contestant.name);
            seated.push((player, active.map_err(why)?));
        }
        self.live.begins(self.under_way(fixture, &table));
        let opening = table.current_match().ply();
        let played = self.play_on(fixture, &mut table, &mut seated);
        // A player that still owes a reply cannot be returned to the pool.
        let Some(GameNotes { detail, messages, comments }) = played? else { return Ok(None) };
        for (player, active) in seated {
            if !plan.players[player].begins_afresh() {
                self.pool.give_back(player, active);
            }
        }
        let (line, mut record) = self.finished(fixture, &table, opening);
        record.comment(&comments);
        Ok(Some(Finished { line: GameLine { detail, ..line }, record, messages }))
    }

    /// Returns the match after its opening, with the players seated.
    fn open(&self, fixture: &Fixture) -> Result<Table, String> {
        let plan = self.schedule.plan();
        let opened = self.schedule.opened(fixture.round, fixture.setup)?;
        let words = plan.setups[fixture.setup].setup.clone();
        let mut game = (plan.entry.start)(&opened.setup()).map_err(|why| why.to_string())?;
        let played = opened.moves().iter().try_for_each(|(_, mv)| game.play(mv));
        played.map_err(|why| why.to_string())?;
        let players: Vec<_> =
            fixture.players.iter().map(|&player| plan.players[player].player.clone()).collect();
        let conditions = Conditions { players, clock: None };
        Ok(Table::at(plan.entry, Session::new(game, words, conditions)))
    }

    fn under_way(&self, fixture: &Fixture, table: &Table) -> UnderWay {
        let plan = self.schedule.plan();
        let moves: Vec<_> =
            table.current_match().moves().iter().map(|(_, mv)| mv.clone()).collect();
        UnderWay {
            game: fixture.game,
            setup: plan.setups[fixture.setup].setup.to_string(),
            players: self.names(fixture),
            opening: moves.len(),
            moves,
            left: SeatTimes::new(plan, fixture).left(),
            clock: plan.clock_of(&fixture.players),
        }
    }

    fn names(&self, fixture: &Fixture) -> Vec<String> {
        let players = &self.schedule.plan().players;
        fixture.players.iter().map(|&player| players[player].name.clone()).collect()
    }

    /// Plays the game to its end. Returns `None` if the tournament was stopped.
    fn play_on(
        &self,
        fixture: &Fixture,
        table: &mut Table,
        seated: &mut [(usize, ActivePlayer)],
    ) -> Result<Option<GameNotes>, String> {
        let plan = self.schedule.plan();
        let mut notes = GameNotes::default();
        let mut times = SeatTimes::new(plan, fixture);
        let stopwatch = RefCell::new(Stopwatch::new(self.stop));
        let time = || stopwatch.borrow().time();
        let run = |runs| stopwatch.borrow_mut().run(runs);
        // The game clock is paused while a program starts.
        let say = |event| match event {
            EngineEvent::Starting => run(false),
            EngineEvent::Ready => run(true),
            _ => {}
        };
        while let Some(seat) = table.current_match().to_move() {
            let at = time();
            if table.current_match().ply() >= plan.max_plies {
                table.end(Termination::Limit, at).map_err(|why| why.to_string())?;
                return Ok(Some(notes));
            }
            let mut ask = table.engine_ask(plan.seed_of(fixture.game, seat), at);
            if let Some(Ask::Move { time, .. }) = &mut ask {
                *time = times.move_time(seat);
            }
            let ask = ask.ok_or("nobody is to move")?;
            let question = table.question(ask);
            let (before, rest) = seated.split_at_mut(seat.index());
            let [(player, active), after @ ..] = rest else {
                return Err("nobody is at the seat to move".to_owned());
            };
            let name = &plan.players[*player].name;
            let failed = |why: String| format!("{name}: {why}");
            let others = RefCell::new([before, after]);
            let tick = || {
                let mut others = others.borrow_mut();
                let others = others.iter_mut().flat_map(|others| others.iter_mut());
                others
                    .filter_map(|(_, active)| active.pause_if_idle())
                    .chain(self.pool.pause_if_idle())
                    .min()
            };
            run(true);
            let answer = active.answer(question, self.stop, &tick, &say);
            run(false);
            active.end_if_spent();
            let answer = answer.map_err(|why| failed(why.to_string()))?;
            let Some(answer) = answer else { return Ok(None) };
            let (begun, at) = (at, time());
            let took = at.saturating_sub(begun);
            let allowed = times.allowed(seat);
            if let EngineEvent::Forfeit { messages, .. } = &answer {
                notes.messages.clone_from(messages);
            }
            match answer {
                // A seat whose clock has run out loses on time rather than by forfeit.
                EngineEvent::Chosen { .. } | EngineEvent::Forfeit { .. }
                    if times.has_run_out(seat, took) =>
                {
                    notes.detail = allowed.map(|allowed| seconds_of(took, allowed));
                    let ended = table.end(Termination::Time(seat), at);
                    ended.map_err(|why| failed(why.to_string()))?;
                }
                EngineEvent::Chosen { mv, report, .. } => {
                    times.moved(seat, took);
                    let ply = table.current_match().ply();
                    if plan.comments {
                        let has_scores = table.current_match().scores().is_some();
                        let took = plan.goes_by_time(&plan.players[*player]).then_some(took);
                        let comment =
                            MoveComment::new(report.value, report.depth, has_scores, took);
                        notes.comments.push((ply, comment));
                    }
                    table.play_for_engine(&mv, at).map_err(failed)?;
                }
                EngineEvent::Forfeit { reason, .. } => table.forfeit(&reason, at),
                EngineEvent::Failed(why) => return Err(failed(why)),
                _ => return Err(failed("it was asked for a move but sent none".to_owned())),
            }
            if let Some((_, mv)) = table.current_match().moves().last()
                && table.current_match().termination().is_none_or(|how| how.loser().is_none())
            {
                self.live.moved(fixture.game, mv, times.left());
            }
        }
        if let Some(Termination::Forfeit(_, reason)) = table.current_match().termination() {
            notes.detail.get_or_insert_with(|| reason.to_string());
        }
        let last = |messages: &Path| messages_in(messages, MAX_LINE_CHARS).pop();
        // Only for crashes: the last line of a program that is still running may be caused by its termination.
        if Ending::of(table.current_match().termination()).0 == Ending::Crash
            && let (Some(detail), Some(last)) =
                (&mut notes.detail, notes.messages.as_deref().and_then(last))
        {
            *detail = format!("{detail}: {last}");
        }
        Ok(Some(notes))
    }

    fn finished(&self, fixture: &Fixture, table: &Table, opening: usize) -> (GameLine, Record) {
        let plan = self.schedule.plan();
        let game = table.current_match();
        let names = self.names(fixture);
        let mut record = Record::of(game, &names, &self.resources.date);
        let clock = plan.clock_of(&fixture.players);
        record.set_clock(clock.map(TimeControl::Fischer));
        let levels = plan.levels_of(&fixture.players);
        if let Some(levels) = levels {
            record.set_levels(levels);
        }
        let (termination, by) = Ending::of(game.termination());
        let moves = game.moves();
        let line = GameLine {
            game: fixture.game,
            setup: plan.setups[fixture.setup].setup.to_string(),
            opening: moves[..opening].iter().map(|(_, mv)| mv.clone()).collect(),
            players: names,
            points: points(game),
            scores: game.scores().map(|scores| scores.to_vec()),
            termination,
            by,
            detail: None,
            plies: moves.len(),
            levels,
            record: record_name(fixture.game),
        };
        (line, record)
    }
}

/// Returns the path of a game's record, relative to the tournament's folder.
pub(super) fn record_name(game: u64) -> String {
    format!("games/{game:04}.game")
}

/// Returns the number of the game whose record has this file name.
pub(super) fn game_of(file: &str) -> Option<u64> {
    let game = file.strip_suffix(".game")?.parse().ok()?;
    record_name(game).ends_with(&format!("/{file}")).then_some(game)
}

/// Returns the points of each seat. Winners rank first, followed by the other seats, by score if the game has scores; a
/// seat that forfeited or lost on time ranks last.
fn points(game: &Match) -> Vec<Points> {
    let Some(outcome) = game.outcome() else { return vec![Points::default(); game.seats().into()] };
    let (scores, loser) = (game.scores(), game.termination().and_then(Termination::loser));
    let rank = |seat: Seat| {
        let score = scores.as_ref().and_then(|scores| scores.get(seat.index()).copied());
        let score = if outcome.is_winner(seat) { None } else { score };
        (loser != Some(seat), outcome.is_winner(seat), score)
    };
    let seats = || (0..game.seats()).map(Seat::new);
    let against = |seat: Seat, other: Seat| match rank(seat).cmp(&rank(other)) {
        std::cmp::Ordering::Greater => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Less => 0,
    };
    let halves =
        |seat: Seat| seats().filter(|&other| other != seat).map(|other| against(seat, other)).sum();
    seats().map(|seat| Points { halves: halves(seat) }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_match::session::Forfeit;
    use quadrille_table::catalogue::find;

    fn points_of(setup: &str, moves: &str, how: Option<Termination>) -> Vec<f64> {
        let (id, setup) = setup.split_once(' ').unwrap_or((setup, ""));
        let mut game = (find(id).unwrap().start)(&setup.parse().unwrap()).unwrap();
        moves.split_whitespace().for_each(|mv| game.play(mv).unwrap());
        if let Some(how) = how {
            game.end(how);
        }
        points(&game).into_iter().map(Points::as_f64).collect()
    }

    #[test]
    fn seat_scores_a_point_per_seat_below_it() {
        let won = "a1 a2 b1 b2 c1";
        assert_eq!(points_of("tic-tac-toe", won, None), [1.0, 0.0]);
        let drawn = "a1 b1 c1 b2 a2 c2 b3 a3 c3";
        assert_eq!(points_of("tic-tac-toe", drawn, None), [0.5, 0.5]);
        let by = |seat| Some(Termination::Time(Seat::new(seat)));
        assert_eq!(points_of("tic-tac-toe", "a1", by(0)), [0.0, 1.0]);
        assert_eq!(points_of("quixo", "", Some(Termination::Limit)), [0.5, 0.5]);
    }

    #[test]
    fn forfeiting_seat_ranks_last_with_more_seats() {
        let three = "intersections players=3 rounds=3 size=3 segments=6";
        let by = |seat| Some(Termination::Forfeit(Seat::new(seat), Forfeit::NoAnswer));
        assert_eq!(points_of(three, "", by(1)), [1.5, 0.0, 1.5]);
        assert_eq!(points_of(three, "", Some(Termination::Repetition)), [1.0, 1.0, 1.0]);
        // Seats 0 and 1 score a dot each, as the offense of the first two rounds.
        let three = "intersections players=3 rounds=3 size=3 segments=3";
        let moves = "0,1-1,1 1,0-1,1 1,1-1,2 0,1-1,1 1,0-1,1 1,1-1,2";
        assert_eq!(points_of(three, moves, by(0)), [0.0, 2.0, 1.0]);
        assert_eq!(points_of(three, moves, by(2)), [1.5, 1.5, 0.0]);
    }
}
