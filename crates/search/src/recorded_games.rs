//! Games that must be the same on every machine, whatever its words and byte order. The moves were recorded on 64 bits;
//! `INSTA_UPDATE=always cargo test -p quadrille-search recorded_games` records them again after an engine has changed.

use crate::testing::control;
use crate::{
    DotsAndBoxesEngine, Engine, IntersectionsEngine, JoinTheDotsEngine, Level, Limits, QuixoEngine,
    TicTacToeEngine,
};
use quadrille_rules::Position;
use std::fmt::Write;

/// The limit of Strong, which otherwise depends on the time.
const NODES: u64 = 2_000;
const MEMORY: usize = 4 << 20;
/// Games of Quixo may never end.
const MAX_PLIES: u64 = 40;

/// Returns a line for each level and setup: a game of the level against itself, with a seed for each move.
fn games<E: Engine>(setups: &[&str]) -> String {
    let mut text = String::new();
    for setup in setups {
        for level in Level::ALL.into_iter().filter(|level| *level < Level::Perfect) {
            let mut position = E::Game::from_setup(&setup.parse().unwrap()).unwrap();
            let mut engine = E::default();
            write!(text, "{} {setup} {level}:", E::Game::ID).unwrap();
            for seed in 1..=MAX_PLIES {
                if position.to_move().is_none() {
                    break;
                }
                let nodes = (level == Level::Strong).then_some(NODES);
                let limits = Limits { nodes, seed, memory: MEMORY, ..Limits::default() };
                let choice = engine.choose(&position, level, &control(limits));
                write!(text, " {}", choice.mv).unwrap();
                position.play(choice.mv).unwrap();
            }
            text.push('\n');
        }
    }
    text
}

#[test]
fn moves_are_the_same_on_every_machine() {
    let games = [
        games::<DotsAndBoxesEngine>(&["size=4", "rows=5 cols=6"]),
        games::<JoinTheDotsEngine>(&["layout=random:9 seed=1", "layout=circle:12"]),
        games::<QuixoEngine>(&["size=4", "size=6"]),
        games::<TicTacToeEngine>(&[""]),
        games::<IntersectionsEngine>(&["size=3 rounds=4", "size=4 players=3 rounds=3"]),
    ];
    insta::assert_snapshot!(games.concat());
}
