//! What waits while the table of a match with days per move sleeps. Its process is always killed, as soon as the other
//! terminal was told.

use super::test_player::TestPlayer;
use super::waking::{House, play_until};
use crate::common::program::{command, finish};
use crate::common::wait::wait_until;
use quadrille_match::session::Termination;
use quadrille_table::play::{ClientRequest, OpenQuestion, QuestionKind, Request, TableNews};
use std::fs;

/// Opens a match in which Ann has the turn, and returns her terminal.
fn begun() -> (House, TestPlayer) {
    let mut house = House::with_days("quixo", "");
    let ann = house.begin();
    (house, ann)
}

fn questions(player: &TestPlayer) -> Vec<OpenQuestion> {
    player.table.peers().unwrap().questions.clone()
}

fn said(player: &TestPlayer) -> Vec<(String, String)> {
    let said = player.table.peers().unwrap().said.iter();
    said.map(|message| (message.name.clone(), message.text.clone())).collect()
}

fn ask(player: &mut TestPlayer, request: Request) {
    player.request(ClientRequest::Ask(request));
    wait_until("question", String::new, || {
        player.receive();
        !questions(player).is_empty()
    });
}

/// Comes to the table and waits for its one question.
fn asked(house: &House, name: &str) -> (TestPlayer, OpenQuestion) {
    let mut player = house.join(name).unwrap();
    wait_until("question", String::new, || {
        player.receive();
        !questions(&player).is_empty()
    });
    let question = questions(&player).remove(0);
    (player, question)
}

/// Comes to the table and waits for this news.
fn told(house: &House, name: &str, expected: &TableNews) -> TestPlayer {
    let mut player = house.join(name).unwrap();
    let mut heard = Vec::new();
    wait_until(
        "news",
        || String::from("none"),
        || {
            heard.extend(player.client.receive(&mut player.table));
            heard.contains(expected)
        },
    );
    player
}

fn count(house: &House, folder: &str) -> usize {
    fs::read_dir(house.home().join("quadrille").join(folder)).map_or(0, Iterator::count)
}

#[test]
fn draw_offer_outlasts_a_kill_and_its_result_waits_for_both() {
    let (house, mut ann) = begun();
    ask(&mut ann, Request::Draw);
    house.crash();
    drop(ann);
    let (mut bob, question) = asked(&house, "Bob");
    assert_eq!((&*question.by, question.kind, question.is_own), ("Ann", QuestionKind::Draw, false));
    bob.request(ClientRequest::Answer { number: question.number, yes: true });
    wait_until("end", String::new, || {
        bob.receive();
        bob.table.current_match().termination() == Some(&Termination::Agreed)
    });
    house.crash();
    drop(bob);
    // Lists do not write.
    for words in [["tables", "--json"], ["library", "--plain"]] {
        finish(&mut command(house.home(), &words), b"");
    }
    let settled = TableNews::Settled("Bob agrees to your draw offer".to_owned());
    told(&house, "Ann", &settled).client.leave();
    wait_until("sleep", String::new, || house.tables().is_empty());
    assert_eq!((count(&house, "matches"), count(&house, "records")), (1, 0));
    house.join("Bob").unwrap().client.leave();
    wait_until("sleep", String::new, || house.tables().is_empty());
    let counts = ["matches", "records", "seatings"].map(|folder| count(&house, folder));
    assert_eq!(counts, [0, 1, 0]);
}

#[test]
fn take_back_request_and_message_outlast_a_kill() {
    let (house, mut ann) = begun();
    play_until(&mut ann, 1);
    ann.request(ClientRequest::Say("wrong die".to_owned()));
    ask(&mut ann, Request::TakeBack(0));
    let message = ("Ann".to_owned(), "wrong die".to_owned());
    assert_eq!(said(&ann), std::slice::from_ref(&message));
    house.crash();
    drop(ann);
    let (mut bob, question) = asked(&house, "Bob");
    assert_eq!(question.kind, QuestionKind::TakeBack { moves: 1 });
    assert_eq!((said(&bob), bob.table.peers().unwrap().heard), (vec![message.clone()], 1));
    bob.request(ClientRequest::Answer { number: question.number, yes: true });
    wait_until("take-back", String::new, || {
        bob.receive();
        bob.table.current_match().ply() == 0
    });
    house.crash();
    drop(bob);
    let agrees = TableNews::Settled("Bob agrees to your take-back request".to_owned());
    let ann = told(&house, "Ann", &agrees);
    assert_eq!(ann.table.current_match().ply(), 0);
    assert_eq!((said(&ann), ann.table.peers().unwrap().heard), (vec![message], 0));
}
