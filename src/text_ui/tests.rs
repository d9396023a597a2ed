//! Tests of dialogues without a loop, engines or a disk.

use super::TextUi;
use crate::app::App;
use crate::board::Skin;
use quadrille_arena::tournament::{LiveTournament, Results, UnderWay};
use quadrille_table::catalogue::GAMES;

/// Returns the output for these lines, after the greeting.
fn said(lines: &[&str]) -> Vec<String> {
    let (mut app, mut ui) = (App::new(Skin::default(), 1), TextUi::default());
    ui.announce(&app);
    let mut said = Vec::new();
    for line in lines {
        let mut next = Some((*line).to_owned());
        while let Some(line) = next {
            ui.hear(&line, &mut app);
            said.extend(ui.announce(&app));
            while app.skip_pause().is_some() || ui.close_what_was_read(&mut app).is_some() {
                said.extend(ui.announce(&app));
            }
            next = ui.next_line(&app);
        }
    }
    said
}

fn has(said: &[String], line: &str) {
    assert!(said.iter().any(|text| text == line), "no {line:?} in {said:#?}");
}

#[test]
fn a_match_is_set_up_and_played_in_lines() {
    let said = said(&["ttt 1=Ann 2=Bob", "start", "b2", "b2", "a1", "undo", "moves", "nonsense"]);
    has(&said, "Tic-tac-toe, 3 x 3 cells. Ann against Bob.");
    has(&said, "Ann puts X on b2. Bob to move.");
    has(&said, "Bob puts O on a1. Ann to move.");
    has(&said, "Bob's a1 is taken back. Bob to move.");
    has(&said, "8 moves: a1, a2, a3, b1, b3, c1, c2, c3.");
    assert!(
        said.iter()
            .any(|line| line.starts_with("\"nonsense\" is neither a command nor a legal move: "))
    );
}

#[test]
fn board_commands_work_after_the_match_ends() {
    let lines = ["ttt 1=Ann 2=Bob", "start", "a1", "b1", "a2", "b2", "a3", "undo", "score"];
    let said = said(&lines);
    has(&said, "Ann puts X on a3 and has three in a row: a1, a2 and a3. Ann wins.");
    has(&said, "Ann's a3 is taken back. Ann to move.");
}

#[test]
fn learn_command_opens_a_lesson_step_by_step() {
    let said = said(&["learn ttt 1"]);
    assert!(said.iter().any(|line| line.contains(", step 1 of ")), "{said:#?}");
}

#[test]
fn rules_command_shows_each_game() {
    let said = said(&["rules quixo", "rules dots"]);
    has(&said, "Quixo, the rules.");
    has(&said, "Dots and Boxes, the rules.");
}

#[test]
fn tournament_lists_standings_and_running_games() {
    let names = vec!["Ann".to_owned(), "Bob".to_owned()];
    let Some(entry) = GAMES.iter().find(|entry| entry.id == "dots-and-boxes") else { return };
    let live = LiveTournament::new(entry, Results::new(names.clone(), &[]), 40);
    live.begins(UnderWay {
        game: 1,
        setup: "size=3".to_owned(),
        players: names,
        opening: 0,
        moves: Vec::new(),
        left: Vec::new(),
        clock: None,
    });
    let app = App::new(Skin::default(), 1).with_tournament(live);
    let said = TextUi::default().announce(&app);
    has(&said, "Dots and Boxes, tournament.");
    has(&said, "0 of 40 games.");
    has(&said, "Game 1: Ann - Bob, 0-0, move 0.");
    has(&said, "1 Ann: 0 points from 0 games.");
}
