//! The review of a match: what every move was worth, told while it is found out.

use super::assistance::labels;
use super::open_match::{OpenRecord, Shown};
use super::pending::{Ask, Question};
use super::text;
use crate::board::{MoveLabel, Skin};
use crate::engine::{Evaluation, Reviewed, ValueFormat, review, review_move};
use crate::rules::Seat;
use crate::search::{Report, Value};
use crate::session::PositionSpec;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Color;
use ratatui::symbols::Marker;
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Line, Points};
use std::sync::Arc;
use std::time::Duration;

/// The rows of the graph, with one that says what it shows.
pub(super) const GRAPH: u16 = 5;

/// The longest match that is reviewed, in plies.
pub(super) const LONGEST: usize = 2000;

/// What is known of each position of a line.
pub(super) struct Review {
    question: Question,
    line: Vec<(Seat, String)>,
    evaluations: Vec<Evaluation>,
    moves: Vec<Reviewed>,
    is_done: bool,
}

impl Review {
    /// Begins the review of a line that leads through where the match stands; `None` where it is too
    /// long, or there is nothing in it. The match ends up at the end of the line.
    pub fn of(record: &mut OpenRecord, line: &[(Seat, String)]) -> Option<Review> {
        if line.is_empty() || line.len() > LONGEST {
            return None;
        }
        let mut evaluations = Vec::new();
        record.viewer.walk(&mut |game| {
            // An end that is not by the rules says nothing of the position. It is where the line ends.
            game.go_to_ply(usize::MAX);
            let end = game.termination().cloned();
            game.reopen();
            for ply in 0..=line.len() {
                game.go_to_ply(ply);
                evaluations.push(Evaluation::of(game, Report::default(), Duration::ZERO));
            }
            if let Some(how) = end {
                game.end(how);
            }
        });
        let moves = line.iter().map(|(_, mv)| mv.clone()).collect();
        let position = PositionSpec { setup: record.game().setup(), moves };
        Some(Review {
            question: Question {
                entry: record.entry,
                position: Arc::new(position),
                ask: Ask::Review,
            },
            line: line.to_vec(),
            moves: review(&evaluations, line),
            evaluations,
            is_done: false,
        })
    }

    /// What is to be thought about, until all is.
    pub fn wants(&self) -> Option<Question> {
        (!self.is_done).then(|| self.question.clone())
    }

    /// What was found out about the position after so many plies.
    pub fn learn(&mut self, ply: usize, report: Report<String>) {
        if let Some(evaluation) = self.evaluations.get_mut(ply).filter(|it| it.state.turn.is_some())
        {
            evaluation.report = report;
            // It tells of the move that led there and of the one played there.
            for at in ply.saturating_sub(1)..self.moves.len().min(ply + 1) {
                let (seat, mv) = &self.line[at];
                let [before, after] = [&self.evaluations[at], &self.evaluations[at + 1]];
                self.moves[at] = review_move(before, after, *seat, mv);
            }
        }
    }

    /// Nothing more will be found out.
    pub fn end(&mut self) {
        self.is_done = true;
    }

    /// What the moves of the position after so many plies are worth, to be written on the board.
    pub fn on_board(&self, ply: usize) -> Vec<MoveLabel> {
        let evaluation = self.evaluations.get(ply);
        evaluation.map(|it| labels(&it.report, it.value_format())).unwrap_or_default()
    }

    /// The marks behind the moves, `?` a mistake, `?!` a doubtful move.
    pub fn marks(&self) -> Vec<&'static str> {
        self.moves.iter().map(|reviewed| reviewed.verdict.mark()).collect()
    }

    /// Lines for the panel: what the position after so many plies is worth, and what is to be said of
    /// the move that led there.
    pub fn facts(&self, ply: usize, shown: Shown<'_>) -> Vec<(&'static str, String)> {
        let mut facts = Vec::new();
        if !self.is_done {
            // At an end there is nothing to look at.
            let open = self.evaluations.iter().filter(|it| it.state.turn.is_some());
            let seen = open.clone().filter(|it| it.report != Report::default());
            facts.push(("review", format!("{} of {}", seen.count(), open.count())));
        }
        let Some(reviewed) = self.moves.get(ply.wrapping_sub(1)) else { return facts };
        let Reviewed { seat, value_format, before, after, .. } = reviewed;
        if *before != Value::default() || *after != Value::default() {
            let (before, after) = (value_format.write(*before), value_format.write(*after));
            let whom = match value_format {
                ValueFormat::Round => "the offense",
                _ => shown.name(*seat),
            };
            facts.push(("value", format!("{before} > {after} for {whom}")));
        }
        let loss = reviewed.loss();
        if !loss.is_empty() {
            facts.push((reviewed.verdict.mark(), loss));
            facts.push(("better", reviewed.better.join(" ")));
        }
        facts
    }

    /// The same in a few words: `-2 > -6? better V1,2`.
    pub fn words(&self, ply: usize) -> String {
        let Some(reviewed) = self.moves.get(ply.wrapping_sub(1)) else { return String::new() };
        let Reviewed { value_format, before, after, verdict, better, .. } = reviewed;
        let (before, after) = (value_format.write(*before), value_format.write(*after));
        match better.first() {
            Some(better) => format!("{before} > {after}{} better {better}", verdict.mark()),
            None => format!("{before} > {after}"),
        }
    }

    /// Draws what the positions were worth to whoever has the first of two seats, from the start at
    /// the left to the end at the right, the present ply marked.
    pub fn draw(&self, ply: usize, name: &str, skin: Skin, area: Rect, buffer: &mut Buffer) {
        let worth = |evaluation: &Evaluation| evaluation.value_for(Seat::FIRST).likely();
        let values: Vec<Option<f64>> =
            self.evaluations.iter().map(|it| worth(it).map(f64::from)).collect();
        let most = values.iter().flatten().fold(1.0_f64, |most, value| most.max(value.abs()));
        let label = format!("worth to {name}, {most:+.0} at the top");
        text::put((area.x, area.y), &label, area.width.into(), skin.dim(), skin, buffer);
        let area = Rect { y: area.y + 1, height: area.height - 1, ..area };
        let points: Vec<(f64, f64)> = (0..)
            .zip(&values)
            .filter_map(|(ply, value)| Some((f64::from(ply), (*value)?)))
            .collect();
        let end = (values.len() - 1) as f64;
        let paper = skin.paper();
        let ink = paper.fg.unwrap_or(Color::Reset);
        let canvas = Canvas::default()
            .background_color(paper.bg.unwrap_or(Color::Reset))
            .marker(Marker::Braille)
            .x_bounds([0.0, end])
            .y_bounds([-most, most])
            .paint(|context| {
                // Every fourth dot of the middle line: each column has two.
                let columns = u32::from(area.width) * 2;
                let zero: Vec<(f64, f64)> = (0..columns)
                    .step_by(4)
                    .map(|column| (end * f64::from(column) / f64::from(columns), 0.0))
                    .collect();
                context.draw(&Points { coords: &zero, color: ink });
                for pair in points.windows(2) {
                    let [(x1, y1), (x2, y2)] = [pair[0], pair[1]];
                    context.draw(&Line { x1, y1, x2, y2, color: ink });
                }
            });
        canvas.render(area, buffer);
        let x = area.x + (f64::from(area.width - 1) * ply as f64 / end).round() as u16;
        for y in area.y..area.bottom() {
            buffer[(x, y)].set_style(skin.cursor());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;
    use std::time::Instant;

    /// A review of a game by chance on a board of so many rows and columns of dots.
    fn begin(size: u8, plies: usize) -> Review {
        let entry = catalogue::find("dots-and-boxes").unwrap();
        let setup = format!("size={size}").parse().unwrap();
        let mut rng = fastrand::Rng::with_seed(1);
        let mut record = OpenRecord::new(entry, (entry.open)(&setup).unwrap(), &[]);
        let mut legal = record.game().legal();
        rng.shuffle(&mut legal);
        record.viewer.walk(&mut |game| legal[..plies].iter().for_each(|mv| game.play(mv).unwrap()));
        let line = record.game().moves().to_vec();
        Review::of(&mut record, &line).unwrap()
    }

    fn report(rng: &mut fastrand::Rng) -> Report<String> {
        let value = Value::exact(rng.i32(-4..=4));
        Report { value, best: vec!["H0,0".to_owned()], ..Report::default() }
    }

    /// In whatever order the reports come, and also when they come again.
    #[test]
    fn what_is_learnt_bit_by_bit_is_the_whole_review() {
        let mut review = begin(4, 24);
        let mut rng = fastrand::Rng::with_seed(2);
        for _ in 0..200 {
            review.learn(rng.usize(0..27), report(&mut rng));
            assert_eq!(review.moves, super::review(&review.evaluations, &review.line));
        }
        assert!(review.moves.iter().any(|it| !it.better.is_empty()));
    }

    /// The longest review on the largest board, in ten times what it takes. When each report had all
    /// moves looked at again, and each position its legal moves written down, it was thirty times.
    #[test]
    fn a_review_takes_time_for_what_comes_only() {
        let begun = Instant::now();
        let mut review = begin(64, LONGEST);
        let mut rng = fastrand::Rng::with_seed(3);
        (0..=LONGEST).rev().for_each(|ply| review.learn(ply, report(&mut rng)));
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    }
}
