//! Finds puzzles in matches, and measures their difficulty.
//!
//! A puzzle begins with a turn of its solver. All move orders within the turn that keep the value lead to the same
//! position, and every deviating move is clearly worse; a beginner plays such a move. The opponent then replies with
//! moves that keep its own value and make the solver's task as hard as possible, and so on, as long as the next turn
//! also has exactly one best way. Final turns that a beginner finds are cut off.

use super::difficulty::{self, Tries};
use super::greedy::greedy;
use super::judge::{Judge, Judged};
use super::strength::level_rating;
use super::{Answer, Attempt, Puzzle, themes};
use quadrille_match::session::{Match, Refusal};
use quadrille_rules::Seat;
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_rules::intersections::Intersections;
use quadrille_rules::join_the_dots::JoinTheDots;
use quadrille_rules::quixo::Quixo;
use quadrille_rules::tic_tac_toe::TicTacToe;
use quadrille_search::version_1::FirstLevels;
use quadrille_search::{Control, Level};
use quadrille_table::catalogue::GameEntry;
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

/// The maximum number of the solver's turns in a puzzle.
const MAX_TURNS: usize = 5;

/// The maximum number of puzzles per match.
const MAX_PER_MATCH: usize = 4;

/// The number of tries per level at each puzzle.
pub const SEEDS: u32 = 64;

/// The maximum number of ways to play a turn. If there are more, the search for the best way is abandoned.
const MAX_WAYS: usize = 64;

/// Why a position is not a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rejection {
    /// The value of the position is unproven, or it is unproven that the other moves are worse.
    NotProven,
    /// The solver can neither win nor save anything.
    Lost,
    AllAlike,
    /// There are several best ways to play the turn.
    Several,
    /// A different move is only slightly worse.
    NearlyAsGood,
    FoundByABeginner,
    /// The puzzle cannot be proven within the limits of a live search.
    NotProvenLive,
    /// The position belongs to a different puzzle already, or the match already has enough puzzles.
    TakenAlready,
}

impl Rejection {
    /// All reasons, in the order in which they are checked.
    pub const ALL: [Rejection; 8] = [
        Rejection::NotProven,
        Rejection::Lost,
        Rejection::AllAlike,
        Rejection::Several,
        Rejection::NearlyAsGood,
        Rejection::FoundByABeginner,
        Rejection::NotProvenLive,
        Rejection::TakenAlready,
    ];
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rejection::NotProven => "the value is not proven",
            Rejection::Lost => "lost with any move",
            Rejection::AllAlike => "all moves are equally good",
            Rejection::Several => "several best moves",
            Rejection::NearlyAsGood => "another move is nearly as good",
            Rejection::FoundByABeginner => "Beginner finds it",
            Rejection::NotProvenLive => "takes too long to prove",
            Rejection::TakenAlready => "duplicate, or too many from one match",
        })
    }
}

/// A turn that has exactly one best way to play it.
struct Turn {
    /// The moves of the turn, each with the match before the move.
    steps: Vec<(Match, String)>,
    end: Match,
    /// Whether a beginner plays a wrong move.
    misleads: bool,
}

/// Finds the puzzles of one game.
pub struct Miner {
    entry: &'static GameEntry,
    judge: Judge,
    /// The minimum amount by which every other move must be worse.
    clearly: i32,
}

impl Miner {
    /// Creates a miner. `nodes` limits the proof of a position in a game that cannot be proven live.
    pub fn new(entry: &'static GameEntry, nodes: u64) -> Miner {
        let clearly = match entry.id {
            "dots-and-boxes" => 4,
            "join-the-dots" => 3,
            _ => 1,
        };
        // In a game without scores, only the table of all boards can prove that a move does not win.
        let judge =
            if entry.id == "quixo" { Judge::patient(entry, nodes) } else { Judge::live(entry) };
        Miner { entry, judge, clearly }
    }

    /// Returns the puzzles in a match, from its end backwards, without ids and ratings. Also counts the reasons against
    /// the match's other positions.
    pub fn mine(&mut self, game: &Match) -> (Vec<Puzzle>, HashMap<Rejection, u32>) {
        self.judge.forget();
        let (mut found, mut rejections) = (Vec::new(), HashMap::new());
        let mut game = game.copy_line();
        let moves = game.moves().to_vec();
        for ply in (0..moves.len()).rev() {
            // A turn begins after a move of a different seat.
            if ply > 0 && moves[ply - 1].0 == moves[ply].0 {
                continue;
            }
            game.go_to_ply(ply);
            let rejection = match self.puzzle(&game) {
                Ok(_) if found.len() == MAX_PER_MATCH => Rejection::TakenAlready,
                Ok(puzzle) if !self.is_proven_alone(&puzzle) => Rejection::NotProvenLive,
                Ok(puzzle) => {
                    found.push(puzzle);
                    continue;
                }
                Err(rejection) => rejection,
            };
            *rejections.entry(rejection).or_insert(0) += 1;
            // If this position is too hard to prove, earlier positions are too.
            if rejection == Rejection::NotProven
                && self.entry.id != "quixo"
                && ply + 8 < moves.len()
            {
                break;
            }
        }
        (found, rejections)
    }

    /// Returns whether a new miner, which has seen no other positions, finds the same puzzle. The table of all boards
    /// is always the same.
    fn is_proven_alone(&self, puzzle: &Puzzle) -> bool {
        let afresh = || Miner::new(self.entry, 0).puzzle(&puzzle.position().ok()?).ok();
        self.entry.id == "quixo" || afresh().as_ref() == Some(puzzle)
    }

    fn judged(&mut self, game: &Match) -> Result<Rc<Judged>, Rejection> {
        self.judge.judge(game).map_err(|_| Rejection::NotProven)
    }

    /// Builds the puzzle that begins at this position.
    pub(super) fn puzzle(&mut self, game: &Match) -> Result<Puzzle, Rejection> {
        let game = game.copy_line();
        let seat = game.to_move().ok_or(Rejection::NotProven)?;
        let judged = self.judged(&game)?;
        let value = judged.value.proven().ok_or(Rejection::NotProven)?;
        let has_scores = game.scores().is_some();
        // In a game with rounds, the remaining rounds may be worth playing well although the match is already lost.
        if value < 0 && self.entry.id != "intersections" {
            return Err(Rejection::Lost);
        }
        let first = self.turn(&game, value)?;
        if !first.misleads {
            return Err(Rejection::FoundByABeginner);
        }
        let mut turns = vec![(Vec::new(), first)];
        while turns.len() < MAX_TURNS
            && let Some((_, last)) = turns.last()
            && let Some(next) = self.next(&last.end.copy_line(), seat, value)
        {
            let is_same = |end: &Match| end.now().is(next.1.end.now());
            // A repeated position adds nothing new.
            if turns.iter().any(|(_, turn)| is_same(&turn.end)) {
                break;
            }
            turns.push(next);
        }
        while turns.len() > 1 && turns.last().is_some_and(|(_, turn)| !turn.misleads) {
            turns.pop();
        }
        let mut solution = Vec::new();
        for (replies, turn) in &turns {
            solution.extend(replies.iter().cloned());
            solution.extend(turn.steps.iter().map(|(_, mv)| mv.clone()));
        }
        let steps: Vec<(Match, String)> = turns
            .iter()
            .flat_map(|(_, turn)| &turn.steps)
            .map(|(game, mv)| (game.copy_line(), mv.clone()))
            .collect();
        for (game, mv) in &steps {
            // A solver's judge has not seen any other positions.
            let live = Judge::live(self.entry).judge(game).map_err(|_| Rejection::NotProvenLive)?;
            let others = || live.moves.iter().filter(|(other, _)| other != mv);
            // For a move that draws, it is enough to prove that all other moves lose.
            let is_proven = live.reaches(mv, value)
                || !has_scores && value == 0 && others().all(|(_, worth)| worth.upper == Some(-1));
            if !is_proven {
                return Err(Rejection::NotProvenLive);
            }
        }
        let plies = judged.value.plies.filter(|_| !has_scores);
        Ok(Puzzle {
            id: String::new(),
            game: self.entry.id,
            setup: game.setup(),
            moves: game.moves().iter().map(|(_, mv)| mv.clone()).collect(),
            solution,
            value,
            plies,
            rating: 0,
            themes: themes::of(&steps, plies, value, self.judge.engine()),
            decisions: turns.len() as u32,
        })
    }

    /// Returns the turn that begins at this position, if there is only one way to play it that reaches this value.
    fn turn(&mut self, game: &Match, value: i32) -> Result<Turn, Rejection> {
        let seat = game.to_move();
        let mut ends: Vec<Turn> = Vec::new();
        let mut seen: Vec<Match> = Vec::new();
        let mut open: Vec<(Match, Vec<(Match, String)>)> = vec![(game.copy_line(), Vec::new())];
        while let Some((here, steps)) = open.pop() {
            if seen.iter().any(|known| known.now().is(here.now())) {
                continue;
            }
            if seen.len() == MAX_WAYS {
                return Err(Rejection::Several);
            }
            seen.push(here.copy_line());
            let is_mine = here.to_move().is_some() && here.to_move() == seat;
            let keeping = if is_mine { self.keeping(&here, value)? } else { None };
            let Some(mut keeping) = keeping else {
                ends.push(Turn { steps, end: here, misleads: false });
                if ends.len() > 1 {
                    return Err(Rejection::Several);
                }
                continue;
            };
            // Put the moves with the highest immediate gain last, so that they are followed first.
            let greedy = greedy(&here);
            keeping.sort_by_key(|mv| greedy.contains(mv));
            for mv in keeping {
                let mut next = here.copy_line();
                next.play(&mv).map_err(|_| Rejection::NotProven)?;
                let mut steps: Vec<(Match, String)> =
                    steps.iter().map(|(game, mv)| (game.copy_line(), mv.clone())).collect();
                steps.push((here.copy_line(), mv));
                open.push((next, steps));
            }
        }
        let mut turn = ends.pop().ok_or(Rejection::AllAlike)?;
        if turn.steps.is_empty() {
            return Err(Rejection::AllAlike);
        }
        for (here, _) in &turn.steps {
            let keeping = self.keeping(here, value)?.unwrap_or_default();
            let natural = beginner(here)?;
            turn.misleads |= !natural.iter().any(|mv| keeping.contains(mv));
        }
        Ok(turn)
    }

    /// Returns the moves that keep this value; `None` if all moves keep it. All other moves must be clearly worse.
    fn keeping(&mut self, game: &Match, value: i32) -> Result<Option<Vec<String>>, Rejection> {
        let judged = self.judged(game)?;
        if judged.value.proven() != Some(value) {
            return Err(Rejection::NotProven);
        }
        let mut keeping = Vec::new();
        for (mv, worth) in &judged.moves {
            if judged.reaches(mv, value) {
                keeping.push(mv.clone());
            } else if worth.upper.is_none_or(|most| most >= value) {
                return Err(Rejection::NotProven);
            } else if !judged.is_clearly_worse(mv, value, self.clearly) {
                return Err(Rejection::NearlyAsGood);
            }
        }
        Ok((keeping.len() < judged.moves.len()).then_some(keeping))
    }

    /// Returns the solver's next turn with exactly one best way, after replies of the opponent. Prefers a turn at which
    /// a beginner fails.
    fn next(&mut self, game: &Match, seat: Seat, value: i32) -> Option<(Vec<String>, Turn)> {
        let mut open = vec![(game.copy_line(), Vec::new())];
        let mut seen: Vec<Match> = Vec::new();
        let mut best: Option<(Vec<String>, Turn)> = None;
        while let Some((here, replies)) = open.pop() {
            let mover = here.to_move()?;
            if seen.len() == MAX_WAYS || seen.iter().any(|known| known.now().is(here.now())) {
                continue;
            }
            seen.push(here.copy_line());
            if mover == seat {
                let turn = self.turn(&here, value).ok().filter(|_| !replies.is_empty());
                let Some(turn) = turn else { continue };
                if turn.misleads {
                    return Some((replies, turn));
                }
                best = best.or(Some((replies, turn)));
                continue;
            }
            let judged = self.judged(&here).ok()?;
            judged.value.proven()?;
            let keeps = |worth: &quadrille_search::Value| {
                // The loser delays the end as long as possible.
                worth.lower.is_some()
                    && worth.lower == judged.value.lower
                    && worth.plies == judged.value.plies
            };
            for (mv, _) in judged.moves.iter().rev().filter(|(_, worth)| keeps(worth)) {
                let mut next = here.copy_line();
                next.play(mv).ok()?;
                if next.to_move().is_some() {
                    let replies = [&replies[..], std::slice::from_ref(mv)].concat();
                    open.push((next, replies));
                }
            }
        }
        best
    }
}

/// Returns a beginner's moves: the moves with the highest immediate gain, or if no move gains anything, the level's
/// most frequent choice.
fn beginner(game: &Match) -> Result<Vec<String>, Rejection> {
    let greedy = greedy(game);
    if !greedy.is_empty() {
        return Ok(greedy);
    }
    let mut counts: HashMap<String, u32> = HashMap::new();
    for seed in 0..u64::from(SEEDS) {
        let mv = choose(game, Level::Beginner, seed).ok_or(Rejection::NotProven)?;
        *counts.entry(mv).or_default() += 1;
    }
    let most = counts.values().max().copied();
    Ok(counts.into_iter().filter(|(_, count)| Some(*count) == most).map(|(mv, _)| mv).collect())
}

/// Returns the move that a level chooses in this position. These are the levels of [version
/// 1](quadrille_search::version_1), so that all puzzles are rated on one scale.
fn choose(game: &Match, level: Level, seed: u64) -> Option<String> {
    fn of<G: FirstLevels>(game: &Match, level: Level, seed: u64) -> Option<String> {
        let mut control = Control::default();
        control.limits.seed = seed;
        let report = game.now().typed::<G>()?.play_as_first(level, &control);
        report.best.first().map(ToString::to_string)
    }
    of::<DotsAndBoxes>(game, level, seed)
        .or_else(|| of::<JoinTheDots>(game, level, seed))
        .or_else(|| of::<Quixo>(game, level, seed))
        .or_else(|| of::<TicTacToe>(game, level, seed))
        .or_else(|| of::<Intersections>(game, level, seed))
}

/// Counts how often this level, with this rating, solves a puzzle at the first try.
pub fn tries(attempt: &mut Attempt, level: Level, rating: f64) -> Result<Tries, Refusal> {
    let mut solved = 0;
    for seed in 0..u64::from(SEEDS) {
        attempt.restart();
        while !attempt.is_over() {
            let mv = choose(attempt.current_match(), level, seed)
                .ok_or_else(|| Refusal::new("no such game"))?;
            if !attempt.is_right(&mv)? {
                break;
            }
            if let Answer::Solved { .. } = attempt.answer(&mv)? {
                solved += 1;
            }
        }
    }
    attempt.restart();
    Ok(Tries { rating, tries: SEEDS, solved })
}

/// Rates a puzzle by the tries of the levels below Strong, of version 1.
pub fn rate(puzzle: &Puzzle) -> Result<u32, Refusal> {
    let mut attempt = Attempt::new(puzzle.clone()).map_err(Refusal::new)?;
    let mut all = Vec::new();
    for level in [Level::Beginner, Level::Casual, Level::Skilled] {
        let rating = level_rating(puzzle.game, &puzzle.setup, level, 1).unwrap_or_default();
        all.push(tries(&mut attempt, level, rating)?);
    }
    Ok(difficulty::rating(&all).round() as u32)
}

/// Selects `count` puzzles, spread over all ratings and themes: the same number for each rating band of 100 and each
/// first theme, as far as possible. Of consecutive puzzles in one match, only one is selected.
pub fn spread(puzzles: Vec<Puzzle>, count: usize) -> Vec<Puzzle> {
    let mut of_kind: HashMap<(u32, Option<String>), u32> = HashMap::new();
    let mut kind = |puzzle: &Puzzle| {
        let number =
            of_kind.entry((puzzle.rating / 100, puzzle.themes.first().cloned())).or_default();
        *number += 1;
        *number
    };
    let mut ranked: Vec<(u32, usize, Puzzle)> = puzzles
        .into_iter()
        .enumerate()
        .map(|(found, puzzle)| (kind(&puzzle), found, puzzle))
        .collect();
    ranked.sort_by_key(|(rank, found, _)| (*rank, *found));
    let mut taken: Vec<(usize, Puzzle)> = Vec::new();
    for (_, found, puzzle) in ranked {
        let follows = |other: &Puzzle| {
            let shorter = puzzle.moves.len().min(other.moves.len());
            puzzle.setup == other.setup && puzzle.moves[..shorter] == other.moves[..shorter]
        };
        if taken.len() < count && !taken.iter().any(|(_, other)| follows(other)) {
            taken.push((found, puzzle));
        }
    }
    // Keep the order in which puzzles were found, so that daily puzzles do not get harder and harder.
    taken.sort_by_key(|(found, _)| *found);
    taken.into_iter().map(|(_, puzzle)| puzzle).collect()
}
