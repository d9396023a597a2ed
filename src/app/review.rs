//! The review of a match: the value of each move, shown while the engine is still analyzing.

use super::assistance::labels;
use super::open_match::{MatchView, OpenRecord};
use super::statistics::Accuracy;
use crate::board::{MoveLabel, MoveQuality};
use crate::view::ValueGraph;
use quadrille_rules::Seat;
use quadrille_scene::Role;
use quadrille_search::{Report, Value};
use quadrille_table::engine::{
    Evaluation, MoveVerdict, Reviewed, counts_for_accuracy, review, review_move,
};
use quadrille_table::play::{Ask, Question, Respondent};
use std::sync::Arc;
use std::time::Duration;

/// The maximum length of a match to review, in plies.
pub(super) const MAX_PLIES: usize = 2000;

/// The known values of all positions and moves in a line.
pub(super) struct Review {
    question: Question,
    line: Vec<(Seat, String)>,
    evaluations: Vec<Evaluation>,
    moves: Vec<Reviewed>,
    is_done: bool,
}

impl Review {
    /// Begins a review of this line of the match, which the match follows; `None` if the line is empty or too long.
    pub fn of(record: &OpenRecord, line: &[(Seat, String)]) -> Option<Review> {
        if line.is_empty() || line.len() > MAX_PLIES {
            return None;
        }
        let mut evaluations = Vec::new();
        let mut game = record.current_match().clone();
        game.go_to_ply(line.len());
        // Endings such as resignations do not affect a position's value.
        game.reopen();
        let shared = Arc::new(game.clone());
        for ply in 0..=line.len() {
            game.go_to_ply(ply);
            evaluations.push(Evaluation::of(&game, Report::default(), Duration::ZERO));
        }
        Some(Review {
            question: Question {
                entry: record.entry,
                game: shared,
                ask: Ask::Review,
                to: Respondent::Helper,
            },
            line: line.to_vec(),
            moves: review(&evaluations, line),
            evaluations,
            is_done: false,
        })
    }

    /// Returns the question for the engine; `None` when the review is done.
    pub fn question(&self) -> Option<Question> {
        (!self.is_done).then(|| self.question.clone())
    }

    /// Adds the report on the position after `ply` plies.
    pub fn add_report(&mut self, ply: usize, report: Report<String>) {
        if let Some(evaluation) =
            self.evaluations.get_mut(ply).filter(|evaluation| evaluation.state.turn.is_some())
        {
            evaluation.report = report;
            // The report affects two moves: the move that led to the position, and the move played from it.
            for at in ply.saturating_sub(1)..self.moves.len().min(ply + 1) {
                let (seat, mv) = &self.line[at];
                let [before, after] = [&self.evaluations[at], &self.evaluations[at + 1]];
                self.moves[at] = review_move(before, after, *seat, mv);
            }
        }
    }

    pub fn end(&mut self) {
        self.is_done = true;
    }

    /// Returns how often this seat has played a best move, as far as proven.
    pub fn accuracy(&self, seat: Seat) -> Accuracy {
        let mut accuracy = Accuracy::default();
        for (before, reviewed) in self.evaluations.iter().zip(&self.moves) {
            if reviewed.seat != seat || !counts_for_accuracy(before, reviewed) {
                continue;
            }
            let lost = match reviewed.verdict {
                MoveVerdict::Mistake(loss) => loss.unsigned_abs(),
                _ => 0,
            };
            accuracy.add(1, u32::from(lost == 0), lost);
        }
        accuracy
    }

    /// Labels the moves from the position after `ply` plies with their values.
    pub fn on_board(&self, ply: usize) -> Vec<MoveLabel> {
        let evaluation = self.evaluations.get(ply);
        evaluation
            .map(|evaluation| labels(&evaluation.report, evaluation.value_format()))
            .unwrap_or_default()
    }

    /// Returns the mark for each move: `?` for a mistake, `?!` for a doubtful move.
    pub fn marks(&self) -> Vec<&'static str> {
        self.moves.iter().map(|reviewed| reviewed.verdict.mark()).collect()
    }

    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Returns the move that led to the position after `ply` plies, if this move was a mistake or doubtful.
    pub fn mistake(&self, ply: usize) -> Option<&Reviewed> {
        let reviewed = self.moves.get(ply.checked_sub(1)?)?;
        matches!(reviewed.verdict, MoveVerdict::Mistake(_) | MoveVerdict::Doubtful(_))
            .then_some(reviewed)
    }

    /// Returns the plies that directly follow a mistake or a doubtful move, in order.
    pub fn mistakes(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (1..=self.moves.len()).filter(|&ply| self.mistake(ply).is_some())
    }

    /// Labels the position before the mistake at this ply: the value of the mistake, and the better moves.
    pub fn on_board_before(&self, ply: usize) -> Vec<MoveLabel> {
        let Some(reviewed) = self.mistake(ply) else { return Vec::new() };
        let Reviewed { mv, value_format, before, after, better, .. } = reviewed;
        let label = |mv: &String, value: Value, draws_move, rank| MoveLabel {
            mv: mv.clone(),
            text: value_format.write_short(value),
            is_proven: value.proven().is_some(),
            draws_move,
            rank,
        };
        let better = better.iter().enumerate();
        let better =
            better.map(|(index, better)| label(better, *before, index == 0, MoveQuality::Best));
        better.chain([label(mv, *after, true, MoveQuality::Losing)]).collect()
    }

    /// Describes the move that led to the position after `ply` plies: its effect, its value, and the better moves.
    pub fn sentences(&self, ply: usize, shown: MatchView<'_>) -> Vec<(String, Role)> {
        let Some(reviewed) = self.moves.get(ply.wrapping_sub(1)) else {
            return vec![("the start of the match".to_owned(), Role::Strong)];
        };
        let Reviewed { seat, mv, value_format, before, after, verdict, better } = reviewed;
        let name = shown.name(*seat);
        let in_words = |value| value_format.in_words(value);
        let played = match in_words(*after) {
            value if value.is_empty() => mv.clone(),
            value => format!("{mv} {value}"),
        };
        let (said, role) = match verdict {
            MoveVerdict::Sound => (format!("Good move by {name}"), Role::Good),
            MoveVerdict::Unknown => (format!("{name} plays {mv}"), Role::Strong),
            MoveVerdict::Mistake(_) | MoveVerdict::Doubtful(_) => {
                let loss = reviewed.loss(shown.board.caption().unit);
                (format!("{name}'s {mv} {loss}"), Role::Wrong)
            }
        };
        let mut sentences = vec![(said, role), (played, Role::Text)];
        if let Some(better) = better.first() {
            let how = if before.proven().is_some() { "Better" } else { "Probably better" };
            let value = value_format.better_in_words(*before);
            sentences.push((format!("{how}: {better} {value}").trim_end().to_owned(), Role::Good));
        }
        sentences
    }

    /// Says how many positions have been checked; `None` when the review is done.
    fn progress(&self) -> Option<String> {
        // A final position needs no report.
        let open = self.evaluations.iter().filter(|evaluation| evaluation.state.turn.is_some());
        let seen = open.clone().filter(|evaluation| evaluation.report != Report::default());
        (!self.is_done).then(|| format!("checked {} of {} positions", seen.count(), open.count()))
    }

    /// Returns the sentences for a layout without the card, most important first.
    pub fn words(&self, ply: usize, shown: MatchView<'_>) -> Vec<String> {
        let mut sentences = self.sentences(ply, shown);
        // The better move is more informative than the value of the move played.
        if sentences.len() > 2 {
            sentences.remove(1);
        }
        sentences.into_iter().map(|(said, _)| said).collect()
    }

    pub fn place(&self, ply: usize) -> String {
        let all = self.mistakes().count();
        let passed = self.mistakes().filter(|&mistake| mistake <= ply).count();
        match (all, self.progress()) {
            (_, Some(progress)) => progress,
            (0, None) => "no mistakes".to_owned(),
            (1, None) => "1 mistake".to_owned(),
            (_, None) if self.mistake(ply).is_some() => format!("mistake {passed} of {all}"),
            (_, None) => format!("{all} mistakes"),
        }
    }

    /// Returns a graph of the first player's advantage in each position.
    pub fn course(&self, ply: usize) -> ValueGraph {
        let estimate = |evaluation: &Evaluation| evaluation.value_for(Seat::FIRST).point_estimate();
        let values = self.evaluations.iter().map(estimate).collect();
        let mistakes = self.mistakes().collect();
        ValueGraph { values, mistakes, ply, is_done: self.is_done }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Viewer;
    use quadrille_table::catalogue;

    /// Begins a review of a random game on a board with `size` dots per side.
    fn begin(size: u8, plies: usize) -> Review {
        let entry = catalogue::find("dots-and-boxes").unwrap();
        let setup = format!("size={size}").parse().unwrap();
        let mut rng = fastrand::Rng::with_seed(1);
        let mut record = OpenRecord::new(entry, Viewer::open(entry, &setup).unwrap(), &[]);
        let mut legal = record.current_match().legal_moves();
        rng.shuffle(&mut legal);
        let mut game = record.viewer.change();
        legal[..plies].iter().for_each(|mv| game.play(mv).unwrap());
        drop(game);
        let line = record.current_match().moves().to_vec();
        Review::of(&record, &line).unwrap()
    }

    fn report(rng: &mut fastrand::Rng) -> Report<String> {
        let value = Value::exact(rng.i32(-4..=4));
        Report { value, best: vec!["H0,0".to_owned()], ..Report::default() }
    }

    /// A position may also be reported more than once.
    #[test]
    fn review_accepts_reports_in_any_order() {
        let mut review = begin(4, 24);
        let mut rng = fastrand::Rng::with_seed(2);
        for _ in 0..200 {
            review.add_report(rng.usize(0..27), report(&mut rng));
            assert_eq!(review.moves, super::review(&review.evaluations, &review.line));
        }
        assert!(review.moves.iter().any(|mv| !mv.better.is_empty()));
    }

    /// A match may have thousands of moves, each with a report.
    #[test]
    fn report_reviews_only_the_moves_beside_its_position() {
        let mut rng = fastrand::Rng::with_seed(3);
        for ply in 0..=25 {
            let mut review = begin(5, 24);
            review.moves.iter_mut().for_each(|reviewed| reviewed.mv.clear());
            review.add_report(ply, report(&mut rng));
            let is_new = |at: &usize| !review.moves[*at].mv.is_empty();
            let beside = (0..24).filter(|at| ply < 25 && (*at == ply || *at + 1 == ply));
            assert!((0..24).filter(is_new).eq(beside), "{ply}");
        }
    }
}
