//! Example bot: plays all five games as a player without a plan ([`Naive`]), who takes what one move gains. With the
//! argument `0` it overlooks the opponent's replies; otherwise it avoids those that gain.
//!
//! It speaks UGI (see `docs/ugi.md`) and needs only the rules crate:
//!
//! ```sh
//! cargo build -p quadrille-rules --example bot
//! quadrille compliance -- target/debug/examples/bot
//! quadrille play quixo --seat 2=cmd:target/debug/examples/bot
//! ```
// The rules crate forbids stdin; a bot needs it.
#![allow(clippy::disallowed_methods)]

mod naive;

use fastrand::Rng;
use naive::{Gains, Naive};
use quadrille_rules::Position;
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_rules::intersections::Intersections;
use quadrille_rules::join_the_dots::JoinTheDots;
use quadrille_rules::quixo::Quixo;
use quadrille_rules::tic_tac_toe::TicTacToe;
use std::error::Error;
use std::io::{self, Write};

/// Chooses a move in the position after `moves`, played from the start of `setup`.
type Choose = fn(Naive, &mut Rng, setup: &str, moves: &str) -> Result<String, Box<dyn Error>>;

const GAMES: [(&str, Choose); 5] = [
    (DotsAndBoxes::ID, choose::<DotsAndBoxes>),
    (JoinTheDots::ID, choose::<JoinTheDots>),
    (Quixo::ID, choose::<Quixo>),
    (TicTacToe::ID, choose::<TicTacToe>),
    (Intersections::ID, choose::<Intersections>),
];

fn choose<G: Gains>(
    naive: Naive,
    rng: &mut Rng,
    setup: &str,
    moves: &str,
) -> Result<String, Box<dyn Error>> {
    let mut position = G::from_setup(&setup.parse()?)?;
    for mv in moves.split_whitespace() {
        position.play(mv.parse()?)?;
    }
    let best = naive.choose(&position, rng);
    Ok(best.map_or("none".to_owned(), |mv| mv.to_string()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let naive = if std::env::args().nth(1).is_some_and(|arg| arg == "0") {
        Naive::Zero
    } else {
        Naive::One
    };
    let mut rng = Rng::with_seed(0);
    let (mut game, mut setup, mut moves) = (GAMES[0], String::new(), String::new());
    let mut waits_for_stop = false;
    let mut out = io::stdout();
    for line in io::stdin().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["ugi"] => {
                let games = GAMES.map(|(id, _)| id).join(" var ");
                writeln!(out, "id name Naive {}", naive as u8)?;
                writeln!(out, "option name Game type combo default {} var {games}", game.0)?;
                writeln!(out, "option name Seed type spin default 0 min 0 max 4294967295")?;
                writeln!(out, "ugiok")?;
            }
            ["isready"] => writeln!(out, "readyok")?,
            ["setoption", "name", name, "value", id] if name.eq_ignore_ascii_case("game") => {
                game = GAMES.into_iter().find(|(other, _)| *other == id).unwrap_or(game);
            }
            ["setoption", "name", name, "value", seed] if name.eq_ignore_ascii_case("seed") => {
                rng = Rng::with_seed(seed.parse()?);
            }
            ["position", "fen" | "startpos", ref rest @ ..] => {
                let end = rest.iter().position(|word| *word == "moves").unwrap_or(rest.len());
                setup = rest[..end].join(" ");
                moves = rest[end..].iter().skip(1).copied().collect::<Vec<_>>().join(" ");
            }
            ["go", ref limits @ ..] if limits.contains(&"infinite") => waits_for_stop = true,
            ["go", ..] | ["stop"] if words[0] == "go" || waits_for_stop => {
                waits_for_stop = false;
                writeln!(out, "bestmove {}", (game.1)(naive, &mut rng, &setup, &moves)?)?;
            }
            ["quit"] => break,
            // UGI: unknown commands are ignored.
            _ => {}
        }
        out.flush()?;
    }
    Ok(())
}
