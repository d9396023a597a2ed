//! Move choice of the players below Strong: they look a few plies ahead and overlook some replies.
//!
//! Before each turn, a player overlooks a random set of moves, and it overlooks them in all of its thoughts of that turn.
//! This models lapses of attention as in Bas van Opheusden and others, *Expertise increases planning depth in human
//! gameplay*, 2023, whose players drop features before they search. A player who drew again for each thought would rather
//! find one of its many moves after which it misses a threat than overlook the threat.

use super::max_n::SearchState;
use super::{Control, Report, WIN_SCORE};
use crate::random::{index, mixed, shuffle};
use fastrand::Rng;
use quadrille_rules::{Position, Seat};
use std::cmp::Reverse;

/// The limits of a player's lookahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The number of plies to look ahead, at least 1, which is the player's own move alone.
    pub plies: u32,
    /// The number of moves considered in each position, at least 1. These are the moves with the best static
    /// evaluation.
    pub width: usize,
    pub lapses: Lapses,
}

/// What a player overlooks, as percentages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lapses {
    /// Features of the position, for a whole turn: this share of plain replies. A move one ply later, or harder to see,
    /// is overlooked as many times as often. A player sees the effect of its own next move.
    Features(u32),
    /// Random moves, drawn again in each thought: this share of the player's own next moves, twice as many replies, and
    /// so on. Only [version 1](crate::version_1) of the levels does so.
    Moves(u32),
}

impl Sight {
    /// Returns whether the player overlooks a feature in the turn of this seed. `id` identifies the feature, and
    /// `difficulty` is 1 for a plain reply.
    pub fn overlooks(&self, seed: u64, id: u64, difficulty: u32) -> bool {
        let Lapses::Features(rate) = self.lapses else { return false };
        mixed(seed ^ mixed(id)) % 100 < u64::from(rate * difficulty)
    }
}

/// A position with the features that a player may overlook.
pub trait Sighted: SearchState {
    /// Returns what a move takes advantage of, such as a line that it completes, and how hard that is to see: 1 for a
    /// plain feature, 2 for one overlooked twice as often. `None` for a quiet move, which every player notices.
    fn feature(&self, mv: Self::Move) -> Option<(u64, u32)>;
}

/// Looks ahead as a player with this sight does. Every seat plays for itself. The control's seed determines what the
/// player overlooks, and breaks ties between moves that seem equally good. If the control stops the search, the result is
/// the best move so far. The report has no value; `named` converts a move of the search to a move of the game.
pub fn lookahead<C: Sighted, N: Clone>(
    root: &C,
    sight: &Sight,
    control: &Control<'_, N>,
    named: impl Fn(C::Move) -> N,
) -> Report<N> {
    let Some(seat) = root.to_move().map(Seat::index) else { return Report::default() };
    let rng = Rng::with_seed(control.limits.seed);
    let mut look = Lookahead { sight, control, rng, nodes: 0, seats: root.seats() };
    let mut moves = look.noticed(root, 0);
    // Without time, the move with the best static evaluation.
    let mut best = moves.first().map(|&mv| (mv, f32::NEG_INFINITY));
    shuffle(&mut look.rng, &mut moves);
    if let Lapses::Features(_) = sight.lapses {
        // A win now comes before a win later.
        moves.sort_by_cached_key(|&mv| {
            let mut next = root.clone();
            next.play(mv);
            next.to_move().is_some()
        });
    }
    let mut bounds = [f32::NEG_INFINITY; 2];
    for mv in moves {
        if control.halt().is_some() {
            break;
        }
        let worth = look.after(root, mv, 1, bounds)[seat];
        if best.is_none_or(|(_, most)| worth > most) {
            best = Some((mv, worth));
            if look.seats == 2 {
                bounds[seat] = worth;
            }
        }
    }
    let best: Vec<N> = best.into_iter().map(|(mv, _)| named(mv)).collect();
    Report { pv: best.clone(), best, nodes: look.nodes, ..Report::default() }
}

/// The likely result of every seat, as in [`SearchState::evaluate`]; with two seats, minus the result of the other
/// seat.
type SeatValues = [f32; MAX_SEATS];

/// The maximum number of seats.
const MAX_SEATS: usize = 8;

struct Lookahead<'a, N> {
    sight: &'a Sight,
    control: &'a Control<'a, N>,
    rng: Rng,
    nodes: u64,
    seats: usize,
}

impl<N> Lookahead<'_, N> {
    /// Returns the moves that the player notices in a position `ply` plies ahead. A player who overlooks features
    /// notices all of its own next moves, and maybe none later; a player who overlooks moves always notices one.
    fn noticed<C: Sighted>(&mut self, position: &C, ply: u32) -> Vec<C::Move> {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        moves.truncate(self.sight.width.max(1));
        match self.sight.lapses {
            Lapses::Features(rate) if ply > 0 && rate > 0 => {
                let (sight, seed) = (self.sight, self.control.limits.seed);
                moves.retain(|&mv| {
                    position
                        .feature(mv)
                        .is_none_or(|(id, difficulty)| !sight.overlooks(seed, id, ply * difficulty))
                });
            }
            Lapses::Features(_) => {}
            Lapses::Moves(rate) => {
                let spared = index(&mut self.rng, moves.len().max(1));
                let mut places = 0..;
                moves.retain(|_| {
                    let is_spared = places.next() == Some(spared);
                    self.rng.u32(..100) >= rate * (ply + 1) || is_spared
                });
            }
        }
        moves
    }

    fn after<C: Sighted>(
        &mut self,
        position: &C,
        mv: C::Move,
        ply: u32,
        bounds: [f32; 2],
    ) -> SeatValues {
        let mut next = position.clone();
        next.play(mv);
        self.ahead(&next, ply, bounds)
    }

    /// Returns the values of a position `ply` plies ahead. With two seats, `bounds` is what each seat can reach by
    /// another line: the search of a position stops once the position is worth no more than that to one of the seats
    /// (alpha-beta). A player who notices no move judges the position as it stands.
    fn ahead<C: Sighted>(&mut self, position: &C, ply: u32, mut bounds: [f32; 2]) -> SeatValues {
        self.nodes += 1;
        let is_over = self.nodes.is_multiple_of(64) && self.control.halt().is_some();
        let Some(seat) = position.to_move().filter(|_| ply < self.sight.plies && !is_over) else {
            return self.static_eval(position);
        };
        let seat = seat.index();
        let mut best: Option<SeatValues> = None;
        for mv in self.noticed(position, ply) {
            let worth = self.after(position, mv, ply + 1, bounds);
            if best.is_none_or(|best| worth[seat] > best[seat]) {
                best = Some(worth);
            }
            if self.seats == 2 {
                bounds[seat] = bounds[seat].max(worth[seat]);
                if bounds[seat] >= -bounds[1 - seat] {
                    break;
                }
            }
        }
        best.unwrap_or_else(|| self.static_eval(position))
    }

    fn static_eval<C: SearchState>(&self, position: &C) -> SeatValues {
        let mut worth = [0.0; MAX_SEATS];
        position.evaluate(&mut worth[..self.seats]);
        if self.seats == 2 {
            let lead = worth[0] - worth[1];
            (worth[0], worth[1]) = (lead, -lead);
        }
        worth
    }
}

/// A position evaluated by the rules alone: by a seat's lead in points, with a won game above any lead.
#[derive(Clone)]
pub struct ByRules<G>(pub G);

impl<G: Position> SearchState for ByRules<G> {
    type Move = G::Move;

    fn seats(&self) -> usize {
        self.0.seats().into()
    }

    fn to_move(&self) -> Option<Seat> {
        self.0.to_move()
    }

    fn moves(&self, out: &mut Vec<G::Move>) {
        let Some(seat) = self.to_move() else { return };
        let from = out.len();
        self.0.append_legal_moves(out);
        out[from..].sort_by_cached_key(|&mv| {
            let mut next = self.clone();
            next.play(mv);
            Reverse(next.lead(seat))
        });
    }

    fn play(&mut self, mv: G::Move) {
        let played = self.0.play(mv);
        debug_assert_eq!(played, Ok(()), "a legal move");
    }

    fn evaluate(&self, worth: &mut [f32]) {
        for (seat, worth) in (0..).zip(worth) {
            *worth = self.lead(Seat::new(seat)) as f32;
        }
    }
}

impl<G: Position> ByRules<G> {
    /// Returns a seat's lead in points over the best other seat, plus [`WIN_SCORE`] for a won game or minus
    /// [`WIN_SCORE`] for a lost game.
    fn lead(&self, seat: Seat) -> i32 {
        let scores = self.0.scores().unwrap_or_default();
        let score = |seat: Seat| scores.get(seat.index()).map_or(0, |&score| score as i32);
        let others = || (0..self.0.seats()).map(Seat::new).filter(move |&other| other != seat);
        let points = score(seat) - others().map(score).max().unwrap_or_default();
        let Some(outcome) = self.0.outcome() else { return points };
        let won = i32::from(outcome.is_winner(seat))
            - i32::from(others().any(|other| outcome.is_winner(other)));
        points + won * WIN_SCORE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::max_n::max_n;
    use crate::{Limits, NoTableCache};
    use quadrille_rules::dots_and_boxes::{DotsAndBoxes, Line};
    use quadrille_rules::intersections::{Intersections, Segment};
    use quadrille_rules::tic_tac_toe::TicTacToe;
    use std::collections::BTreeSet;
    use std::sync::atomic::AtomicBool;

    const ALL: usize = usize::MAX;

    impl Sighted for ByRules<DotsAndBoxes> {
        /// The feature is the line that takes a box.
        fn feature(&self, mv: Line) -> Option<(u64, u32)> {
            let boxes = self.0.score().iter().sum::<u32>();
            let mut next = self.clone();
            next.play(mv);
            let takes = next.0.score().iter().sum::<u32>() > boxes;
            takes.then(|| (self.0.lines().position(|line| line == mv).unwrap() as u64, 1))
        }
    }

    impl Sighted for ByRules<Intersections> {
        fn feature(&self, _: Segment) -> Option<(u64, u32)> {
            None
        }
    }

    fn look<G: Position>(position: &G, sight: Sight, seed: u64, stop: bool) -> Report<G::Move>
    where
        ByRules<G>: Sighted<Move = G::Move>,
    {
        let stop = AtomicBool::new(stop);
        let limits = Limits { seed, ..Limits::default() };
        let control = Control::<G::Move>::new(&stop, limits, &NoTableCache, &|_| ());
        lookahead(&ByRules(position.clone()), &sight, &control, |mv| mv)
    }

    fn boxes(claims: &[&str]) -> DotsAndBoxes {
        let mut position = DotsAndBoxes::new(3, 3).unwrap();
        for claim in claims {
            position.claim(claim).unwrap();
        }
        position
    }

    /// Returns all moves that the player chooses with 200 seeds.
    fn choices(claims: &[&str], plies: u32, overlooks: u32) -> BTreeSet<String> {
        let sight = Sight { plies, width: ALL, lapses: Lapses::Features(overlooks) };
        (0..200).map(|seed| look(&boxes(claims), sight, seed, false).best[0].to_string()).collect()
    }

    #[test]
    fn one_ply_takes_an_offered_box() {
        assert_eq!(choices(&["H0,0", "V0,0", "V0,1"], 1, 0), ["H1,0".to_owned()].into());
    }

    #[test]
    fn two_plies_choose_among_moves_that_offer_no_box() {
        let chosen = choices(&["H0,0", "V0,0"], 2, 0);
        // Two of the ten lines draw the third side of the first box.
        assert_eq!(chosen.len(), 8);
        assert!(!chosen.contains("H1,0") && !chosen.contains("V0,1"));
    }

    #[test]
    fn players_overlook_replies_and_never_their_own_boxes() {
        assert!(choices(&["H0,0", "V0,0"], 2, 20).contains("H1,0"));
        assert_eq!(choices(&["H0,0", "V0,0", "V0,1"], 2, 90), ["H1,0".to_owned()].into());
    }

    /// A player that drew again after each of its moves would find a move after which it misses the threat.
    #[test]
    fn a_threat_is_overlooked_after_all_moves_or_none() {
        let threat = TicTacToe::from_setup(&"grid=OO-X-X--- first=X".parse().unwrap());
        let threat = threat.unwrap();
        // X could win, so it plays without that line.
        let open = TicTacToe::from_setup(&"grid=OO--X---- first=X".parse().unwrap()).unwrap();
        let sight = Sight { plies: 2, width: ALL, lapses: Lapses::Features(30) };
        let plays = |position: &TicTacToe, mv: &str| {
            let is = |&seed: &u64| look(position, sight, seed, false).best[0].to_string() == mv;
            (0..1000).filter(is).count()
        };
        assert_eq!(plays(&threat, "b2"), 1000);
        let stopped = plays(&open, "c1");
        assert!((680..800).contains(&stopped), "{stopped} of 1000");
    }

    #[test]
    fn stopped_lookahead_returns_a_legal_move() {
        let sight = Sight { plies: 5, width: ALL, lapses: Lapses::Features(0) };
        let position = boxes(&["H0,0", "V0,0", "V0,1"]);
        let chosen = look(&position, sight, 1, true);
        assert_eq!(position.check(chosen.best[0]), Ok(()));
        assert!(chosen.nodes < 200, "{}", chosen.nodes);
    }

    /// Tests two seats with extra turns, and three seats, without overlooking anything.
    #[test]
    fn lookahead_matches_full_search() {
        let mut rng = fastrand::Rng::with_seed(3);
        for _ in 0..40 {
            let mut position = DotsAndBoxes::new(3, 3).unwrap();
            for _ in 0..rng.u32(2..10) {
                position.play(rng.choice(position.legal_moves()).unwrap()).unwrap();
            }
            is_among_the_best(&position, 4, rng.u64(..));
        }
        for setup in ["size=2 players=3 rounds=3", "size=3 players=3 segments=3 rounds=3"] {
            is_among_the_best(&Intersections::from_setup(&setup.parse().unwrap()).unwrap(), 3, 1);
        }
    }

    fn is_among_the_best<G: Position>(position: &G, plies: u32, seed: u64)
    where
        ByRules<G>: Sighted<Move = G::Move>,
    {
        let sight = Sight { plies, width: ALL, lapses: Lapses::Features(0) };
        let chosen = look(position, sight, seed, false);
        let plain = max_n(&ByRules(position.clone()), plies, &|| None, |_| ());
        let seat = position.to_move().unwrap().index();
        let worth = |mv| plain.moves.iter().find(|rated| rated.0 == mv).unwrap().1[seat];
        assert!(worth(chosen.best[0]).total_cmp(&plain.moves[0].1[seat]).is_eq());
        assert!(chosen.nodes <= plain.nodes);
    }
}
