//! Example bot: plays all five games greedily, looking one move ahead.
//!
//! It speaks UGI (see `docs/ugi.md`) and needs only the rules crate:
//!
//! ```sh
//! cargo build --example bot
//! quadrille compliance -- target/debug/examples/bot
//! quadrille play quixo --seat 2=cmd:target/debug/examples/bot
//! ```
// The rules crate forbids stdin; a bot needs it.
#![allow(clippy::disallowed_methods)]

use quadrille_rules::Position;
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_rules::intersections::Intersections;
use quadrille_rules::join_the_dots::JoinTheDots;
use quadrille_rules::quixo::Quixo;
use quadrille_rules::tic_tac_toe::TicTacToe;
use std::error::Error;
use std::io::{self, Write};

/// Chooses a move in the position after `moves`, played from the start of `setup`.
type Choose = fn(setup: &str, moves: &str) -> Result<String, Box<dyn Error>>;

const GAMES: [(&str, Choose); 5] = [
    (DotsAndBoxes::ID, choose::<DotsAndBoxes>),
    (JoinTheDots::ID, choose::<JoinTheDots>),
    (Quixo::ID, choose::<Quixo>),
    (TicTacToe::ID, choose::<TicTacToe>),
    (Intersections::ID, choose::<Intersections>),
];

fn choose<P: Position>(setup: &str, moves: &str) -> Result<String, Box<dyn Error>> {
    let mut position = P::from_setup(&setup.parse()?)?;
    for mv in moves.split_whitespace() {
        position.play(mv.parse()?)?;
    }
    let Some(seat) = position.to_move() else { return Ok("none".to_owned()) };
    // In this order: avoids losing, ends the game, maximizes points.
    let worth = |&mv: &P::Move| {
        let mut next = position.clone();
        let is_legal = next.play(mv).is_ok();
        let is_lost = next.outcome().is_some_and(|outcome| !outcome.is_winner(seat));
        let points = next.scores().map_or(0, |scores| scores[seat.index()]);
        (is_legal, !is_lost, next.to_move().is_none(), points)
    };
    let best = position.legal_moves().into_iter().max_by_key(worth);
    Ok(best.map_or("none".to_owned(), |mv| mv.to_string()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut game, mut setup, mut moves) = (GAMES[0], String::new(), String::new());
    let mut waits_for_stop = false;
    let mut out = io::stdout();
    for line in io::stdin().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ugi"] => {
                let games = GAMES.map(|(id, _)| id).join(" var ");
                writeln!(out, "id name Greedy")?;
                writeln!(out, "option name Game type combo default {} var {games}", game.0)?;
                writeln!(out, "ugiok")?;
            }
            ["isready"] => writeln!(out, "readyok")?,
            ["setoption", "name", name, "value", id] if name.eq_ignore_ascii_case("game") => {
                game = GAMES.into_iter().find(|(other, _)| *other == id).unwrap_or(game);
            }
            ["position", "fen" | "startpos", ref rest @ ..] => {
                let end = rest.iter().position(|word| *word == "moves").unwrap_or(rest.len());
                setup = rest[..end].join(" ");
                moves = rest[end..].iter().skip(1).copied().collect::<Vec<_>>().join(" ");
            }
            ["go", ref limits @ ..] if limits.contains(&"infinite") => waits_for_stop = true,
            ["go", ..] | ["stop"] if words[0] == "go" || waits_for_stop => {
                waits_for_stop = false;
                writeln!(out, "bestmove {}", (game.1)(&setup, &moves)?)?;
            }
            ["quit"] => break,
            // UGI: unknown commands are ignored.
            _ => {}
        }
        out.flush()?;
    }
    Ok(())
}
