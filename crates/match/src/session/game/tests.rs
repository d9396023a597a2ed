use super::*;
use crate::session::tree::tests::PLAYED;
use quadrille_rules::Outcome;
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_rules::quixo::Quixo;

fn small() -> Match {
    Match::new(DotsAndBoxes::square(2).unwrap())
}

#[test]
fn undo_and_redo_walk_the_whole_match() {
    let mut game = small();
    let start = game.board();
    for mv in ["H0,0", "V0,0", "V0,1", "H1,0"] {
        game.play(mv).unwrap();
    }
    let end = game.board();
    assert_eq!(game.moves()[3], (Seat::SECOND, "H1,0".to_owned()));
    while game.undo() {}
    assert_eq!((game.ply(), game.undone(), game.board()), (0, 4, start));
    while game.redo() {}
    assert_eq!((game.ply(), game.undone(), game.board()), (4, 0, end));
}

#[test]
fn earlier_yields_the_position_before_each_move() {
    let mut game = small();
    for mv in ["H0,0", "V0,0", "V0,1"] {
        game.play(mv).unwrap();
    }
    let earlier: Vec<_> = game.earlier().collect();
    assert_eq!(earlier.len(), 3);
    for position in earlier.iter().rev() {
        game.undo();
        assert!(position.is(game.now()), "{position}");
    }
    assert_eq!(game.earlier().count(), 0);
}

#[test]
fn move_after_undo_starts_a_variation() {
    let mut game = small();
    for mv in ["H0,0", "V0,0", "V0,1"] {
        game.play(mv).unwrap();
    }
    game.go_to_ply(1);
    game.play("H1,0").unwrap();
    assert_eq!((game.ply(), game.undone(), game.node()), (2, 0, 4));
    game.undo();
    assert_eq!(game.branches(), (vec!["V0,0".to_owned(), "H1,0".to_owned()], Some(1)));
    game.select_variation(game.children(1)[0]);
    game.select_variation(9);
    game.redo();
    game.redo();
    assert_eq!((game.ply(), game.node()), (3, 3), "the old line is reached again");
    game.go_to_ply(1);
    game.play("H1,0").unwrap();
    assert_eq!(game.node(), 4, "a move played again takes its line up");
    game.go_to_node(3);
    assert_eq!(game.moves()[2].1, "V0,1");
    game.go_to_ply(0);
    assert_eq!(game.undone(), 3, "redo follows the way to where one was");
    let tree = game.tree();
    assert_eq!(tree[3], (1, "H1,0".to_owned()));
    let mut copy = small();
    for (before, mv) in tree {
        copy.go_to_node(before);
        copy.play(&mv).unwrap();
    }
    assert_eq!(copy.tree(), game.tree(), "a tree is built again from its list");
}

#[test]
fn refused_move_keeps_the_redo_line() {
    let mut game = small();
    game.play("H0,0").unwrap();
    game.play("V0,0").unwrap();
    game.undo();
    assert_eq!(game.play("H0,0").unwrap_err().to_string(), "already drawn");
    assert_eq!(game.play("x").unwrap_err().to_string(), "a line is H or V with its row and column");
    assert_eq!((game.ply(), game.undone()), (1, 1));
}

#[test]
fn termination_belongs_to_its_position() {
    let mut game = small();
    game.play("H0,0").unwrap();
    game.end(Termination::Resigned(Seat::SECOND));
    assert_eq!((game.to_move(), game.outcome()), (None, Some(Outcome::win(Seat::FIRST))));
    assert_eq!(game.play("V0,0").unwrap_err().to_string(), "the game is over, seat 2 resigned");
    assert!(game.legal_moves().is_empty() && game.undo());
    assert_eq!((game.to_move(), game.termination()), (Some(Seat::FIRST), None));
    game.redo();
    assert_eq!(game.termination(), Some(&Termination::Resigned(Seat::SECOND)));
    game.reopen();
    assert_eq!((game.ply(), game.to_move()), (1, Some(Seat::SECOND)));
    while game.outcome().is_none() {
        game.play(&game.legal_moves()[0]).unwrap();
    }
    game.end(Termination::Agreed);
    assert_eq!(game.termination(), None, "its rules have ended it");
}

/// Returns a long match in which a second move was tried at each ply.
fn long(plies: usize) -> Match {
    let mut game = Match::new(Quixo::new(5).unwrap());
    while game.ply() < plies {
        let at = game.node();
        let legal = game.legal_moves();
        for choice in 0.. {
            game.play(&legal[(5 * game.ply() + choice) % legal.len()]).unwrap();
            if game.outcome().is_none() && game.children(at).len() > 1 {
                break;
            }
            game.go_to_node(at);
        }
    }
    game
}

#[test]
fn tree_walk_replays_few_moves_per_step() {
    const PLIES: usize = 3000;
    /// The maximum number of moves replayed per step: on average, half the distance between two stored positions.
    const EACH: usize = 16;
    let mut game = long(PLIES);
    let mut cost = |most: usize, walk: &mut dyn FnMut(&mut Match)| {
        PLAYED.set(0);
        walk(&mut game);
        assert!(PLAYED.get() <= most, "{} moves were played", PLAYED.get());
    };
    cost(EACH, &mut |game| game.go_to_ply(0));
    cost(PLIES, &mut |game| (0..=PLIES).for_each(|ply| game.go_to_ply(ply)));
    cost(2 * EACH * PLIES, &mut |game| {
        while game.undo() {
            assert!(game.before().is_some() || game.ply() == 0);
        }
    });
    cost(PLIES, &mut |game| while game.redo() {});
    cost(EACH, &mut |game| game.go_to_ply(PLIES / 2));
    cost(EACH, &mut |game| game.go_to_ply(usize::MAX));
    // Replays moves only to positions with the same hash.
    cost(PLIES, &mut |game| assert!(game.repeats() < PLIES));
    cost(EACH * 10, &mut |game| {
        let legal = game.legal_moves();
        game.play(&legal[0]).unwrap();
        game.repeats();
    });
    // Plays each variation in turn, as when a record is replayed.
    cost(3 * EACH * PLIES, &mut |game| {
        for node in 1..game.nodes() {
            game.go_to_node(node);
        }
    });
}

#[test]
fn repetition_counts_only_the_current_line() {
    let mut game = Match::new(Quixo::new(3).unwrap());
    // From the fifth move on, the same four positions recur.
    let round = ["A1-C1", "A2-C2", "C1-A1", "C2-A2"];
    for mv in round.into_iter().cycle().take(14) {
        game.play(mv).unwrap();
    }
    assert_eq!(game.repeats(), 3, "after 2, 6 and 10 moves");
    game.go_to_ply(5);
    assert_eq!(game.repeats(), 0);
    game.go_to_ply(9);
    assert_eq!(game.repeats(), 1);
    game.go_to_ply(8);
    game.play("A3-C3").unwrap();
    assert_eq!((game.node(), game.repeats()), (15, 0));
    game.go_to_node(13);
    assert_eq!(game.repeats(), 2);
}

#[test]
fn redo_follows_the_selected_variation() {
    let mut game = small();
    for (at, mv) in [(0, "H0,0"), (1, "V0,0"), (1, "V0,1"), (0, "H1,0")] {
        game.go_to_node(at);
        game.play(mv).unwrap();
    }
    assert_eq!((game.nodes(), game.children(0), game.children(1)), (5, vec![1, 4], vec![2, 3]));
    assert_eq!((game.child(1, "V0,1"), game.child(1, "H1,0")), (Some(3), None));
    assert_eq!((game.edge(3), game.edge(0)), (Some((1, "V0,1".to_owned())), None));
    game.select_variation(1);
    assert_eq!(game.next_node(0), Some(4), "the present position is there");
    game.select_variation(2);
    assert_eq!(game.next_node(1), Some(2));
    game.go_to_node(0);
    game.select_variation(1);
    game.select_variation(0);
    game.select_variation(99);
    game.go_to_ply(usize::MAX);
    assert_eq!(game.line(), [0, 1, 2]);
}
