//! Tests of questions: each question is answered by number, and lapses when it can no longer be answered.

use super::*;

/// Returns a three-player table with Ann, Bob and Eve, after four moves.
fn three() -> (Room, [usize; 3]) {
    let mut room = Room::open("intersections", "players=3", &["Ann", "guest", "guest"]);
    let all = [room.host(), room.guest("Bob"), room.guest("Eve")];
    for who in [0, 1, 2, 0] {
        play_any(&mut room, all[who]);
    }
    for who in all {
        room.take_news(who);
    }
    (room, all)
}

fn play_any(room: &mut Room, who: usize) {
    let mv = room.table(who).current_match().legal_moves().remove(0);
    room.table(who).play_move(&mv, Duration::ZERO).unwrap();
    room.clock += at(1);
    room.pump();
}

/// Returns the settlements that a terminal has received.
fn settled(room: &mut Room, who: usize) -> Vec<String> {
    let news = room.take_news(who).into_iter();
    let words = news.filter_map(|news| match news {
        TableNews::Settled(words) => Some(words),
        _ => None,
    });
    words.collect()
}

/// Returns the news about people that a terminal has received.
fn people_news(room: &mut Room, who: usize) -> Vec<TableNews> {
    let is_about_people =
        |news: &TableNews| matches!(news, TableNews::People { .. } | TableNews::Joined(_));
    room.take_news(who).into_iter().filter(is_about_people).collect()
}

fn kinds(room: &mut Room, who: usize) -> Vec<(String, QuestionKind)> {
    let open = room.table(who).peers().unwrap().to_answer();
    open.map(|question| (question.by.clone(), question.kind)).collect()
}

#[test]
fn answer_applies_to_its_numbered_question() {
    let (mut room, [ann, bob, eve]) = three();
    room.table(bob).undo(Duration::ZERO).unwrap();
    room.pump();
    room.request(eve, ClientRequest::Ask(Request::Draw));
    let take_back = ("Bob".to_owned(), QuestionKind::TakeBack { moves: 3 });
    let draw = ("Eve".to_owned(), QuestionKind::Draw);
    assert_eq!(kinds(&mut room, ann), [take_back.clone(), draw.clone()]);
    assert_eq!((kinds(&mut room, bob), kinds(&mut room, eve)), (vec![draw], vec![take_back]));
    let numbers: Vec<u64> =
        room.table(ann).peers().unwrap().to_answer().map(|open| open.number).collect();
    let described = |room: &mut Room, at: usize| {
        let table = room.table(ann);
        let question = table.peers().unwrap().questions[at].clone();
        table.describe_question(&question)
    };
    let first = room.table(ann).current_match().moves()[1].1.clone();
    assert_eq!(
        described(&mut room, 0),
        format!("Bob asks to take back the last 3 moves, from Bob's {first} on")
    );
    assert_eq!(described(&mut room, 1), "Eve offers a draw");
    // An answer of yes to Bob does not count for Eve.
    let before = room.hub.table().current_match().node();
    room.request(ann, ClientRequest::Answer { number: numbers[0], yes: true });
    assert_eq!(room.hub.table().current_match().node(), before, "Eve has not answered");
    assert_eq!(kinds(&mut room, ann).len(), 1);
    assert!(!room.hub.table().session().offer().unwrap().has(Seat::FIRST));
    room.request(ann, ClientRequest::Answer { number: numbers[1], yes: true });
    assert!(room.hub.table().session().offer().unwrap().has(Seat::FIRST));
    assert_eq!(room.hub.table().current_match().outcome(), None);
    // A yes to a closed question has no effect, and the sender is told.
    room.answer(eve, false);
    assert_eq!(settled(&mut room, bob), ["Eve declines your take-back request"]);
    assert_eq!(settled(&mut room, ann), ["Eve declines Bob's take-back request"]);
    room.say(ann, &format!("answer {} yes", numbers[0]));
    assert_eq!(room.hub.table().current_match().node(), before);
    room.say(ann, "answer 99 yes");
    room.assert_same();
}

#[test]
fn player_has_one_open_question_and_takes_back_one_turn() {
    let (mut room, [ann, bob, _]) = three();
    room.table(bob).undo(Duration::ZERO).unwrap();
    room.pump();
    assert!(room.table(bob).offer_draw(Duration::ZERO).is_err(), "its own question is open");
    for line in ["ask draw", "ask takeback 1"] {
        room.say(bob, line);
        let why = room.last_refusal(bob).unwrap();
        assert_eq!(why, "waiting for an answer to your last request", "{line}");
    }
    assert_eq!(kinds(&mut room, ann).len(), 1);
    assert_eq!(room.hub.table().session().offer(), None);
    // Position 0 lies two of Ann's turns back.
    room.say(ann, "ask takeback 0");
    let why = room.last_refusal(ann).unwrap();
    assert_eq!(why, "you can take back only to your last turn");
}

#[test]
fn question_ends_on_move_withdrawal_or_timeout() {
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    let (ann, bob) = (room.host(), room.guest("Bob"));
    room.table(ann).play_move("b2", Duration::ZERO).unwrap();
    room.pump();
    let ask = |room: &mut Room, who: usize| {
        assert!(room.table(who).undo(Duration::ZERO).is_ok());
        room.pump();
        assert!(room.table(who).peers().unwrap().own_question().is_some());
        room.take_news(ann);
        room.take_news(bob);
    };
    // Bob is not blocked: he moves instead of answering.
    ask(&mut room, ann);
    room.table(bob).play_move("a1", Duration::ZERO).unwrap();
    room.pump();
    assert_eq!(settled(&mut room, ann), ["Bob's move canceled your take-back request"]);
    assert_eq!(settled(&mut room, bob), ["your move canceled Ann's take-back request"]);
    ask(&mut room, ann);
    room.table(ann).play_move("c3", Duration::ZERO).unwrap();
    room.pump();
    assert_eq!(settled(&mut room, bob), ["Ann's move canceled the take-back request"]);
    // Repeating the request withdraws it.
    ask(&mut room, ann);
    ask_again_withdraws(&mut room, ann);
    assert_eq!(settled(&mut room, ann), ["your take-back request is withdrawn"]);
    assert_eq!(settled(&mut room, bob), ["Ann withdraws the take-back request"]);
    // The question expires, even while the other player is disconnected.
    for drops in [false, true] {
        ask(&mut room, ann);
        if drops {
            room.drop_line(bob);
        }
        assert_eq!(room.hub.deadline(), Some(at(60)));
        room.hub.tick(room.clock, at(59));
        room.pump();
        assert!(settled(&mut room, ann).is_empty());
        room.hub.tick(room.clock, at(60));
        room.pump();
        assert_eq!(
            settled(&mut room, ann),
            ["no answer in time: your take-back request has expired"]
        );
        if !drops {
            assert_eq!(
                settled(&mut room, bob),
                ["no answer in time: Ann's take-back request has expired"]
            );
        }
    }
    room.assert_same();
}

fn ask_again_withdraws(room: &mut Room, who: usize) {
    let done = room.table(who).undo(Duration::ZERO);
    assert_eq!(done, Ok(Some(quadrille_table::play::Proposal::Withdrawn)));
    room.pump();
}

#[test]
fn late_answer_gets_a_reply() {
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    let (ann, bob) = (room.host(), room.guest("Bob"));
    room.table(ann).play_move("b2", Duration::ZERO).unwrap();
    room.pump();
    room.table(ann).undo(Duration::ZERO).unwrap();
    room.pump();
    let number = room.asked(bob).number;
    // Ann withdraws while Bob's yes is in transit.
    room.table(bob)
        .peers_mut()
        .unwrap()
        .request(ClientRequest::Answer { number, yes: true })
        .unwrap();
    let person = room.terminals[ann].person.unwrap();
    room.hub.on_line(person, &format!("withdraw {number}"), room.clock, NOW);
    room.pump();
    assert_eq!(settled(&mut room, bob), ["Ann withdraws the take-back request"]);
    assert_eq!(room.hub.table().current_match().ply(), 1);
}

#[test]
fn move_crossing_a_draw_offer_is_played() {
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    let (ann, bob) = (room.host(), room.guest("Bob"));
    // Ann's move is in transit when Bob's offer is logged.
    room.table(ann).play_move("b2", Duration::ZERO).unwrap();
    room.say(bob, "ask draw");
    room.pump();
    assert_eq!(room.last_refusal(ann), None);
    assert_eq!(room.hub.table().current_match().ply(), 1);
    assert_eq!(settled(&mut room, bob), ["Ann's move canceled your draw offer"]);
    room.say(ann, "propose 1 play b2");
    assert_eq!(room.last_refusal(ann), None, "the same proposal again does no harm");
    room.say(ann, "propose 1 play c3");
    assert_eq!(room.last_refusal(ann).as_deref(), Some("the match has moved on"));
    room.assert_same();
}

#[test]
fn the_host_removes_players_and_watchers() {
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    let (ann, bob) = (room.host(), room.guest("Bob"));
    let eve = room.join(join_request("Eve", SeatRequest::Watch));
    room.say(bob, "remove Ann");
    assert_eq!(room.last_refusal(bob).as_deref(), Some("only the host can remove players"));
    room.say(ann, "remove Ann");
    assert_eq!(room.last_refusal(ann).as_deref(), Some("Ann is not at the table"));
    room.table(ann).play_move("b2", Duration::ZERO).unwrap();
    room.pump();
    room.table(bob).undo(Duration::ZERO).unwrap();
    room.pump();
    room.take_news(ann);
    room.take_news(eve);
    for (who, name) in [(bob, "Bob"), (eve, "Eve")] {
        room.request(ann, ClientRequest::Remove(name.to_owned()));
        let why = room.terminals[who].left.clone().unwrap();
        assert_eq!(why, "the host removed you from the table");
        let removal = |by: &str| people(&format!("{by} removed {name}"), who == bob);
        assert_eq!(people_news(&mut room, ann), [removal("you")]);
        if who == bob {
            assert_eq!(people_news(&mut room, eve), [removal("Ann")]);
        }
    }
    assert!(room.table(ann).peers().unwrap().questions.is_empty(), "Bob's is withdrawn");
    assert_eq!(room.table(ann).peers().unwrap().at(Seat::SECOND), None);
    // Bob could immediately return under a different name, so Ann must approve the next player.
    let dora = room.guest("Dora");
    assert!(room.terminals[dora].table.is_none());
    assert_eq!(room.asked(ann).by, "Dora");
    room.answer(ann, true);
    assert!(room.table(dora).local().contains(Seat::SECOND));
}

#[test]
fn player_who_agreed_learns_who_ended_the_request() {
    type End = fn(&mut Room, [usize; 3]);
    let take_back: End = |room, [ann, ..]| {
        room.table(ann).undo(Duration::ZERO).unwrap();
        room.pump();
    };
    let ends: [(End, &str); 6] = [
        (|room, [_, bob, _]| play_any(room, bob), "Bob's move canceled"),
        (|room, [_, bob, _]| room.say(bob, "propose 5 resign"), "Bob's resignation canceled"),
        (|room, [_, bob, _]| room.say(bob, "bye"), "Bob's departure canceled"),
        (|room, [ann, ..]| room.say(ann, "remove Bob"), "Bob's departure canceled"),
        (|room, [ann, ..]| ask_again_withdraws(room, ann), "Ann withdraws the take-back request"),
        (
            |room, _| {
                room.hub.tick(room.clock, at(60));
                room.pump();
            },
            "no answer in time:",
        ),
    ];
    for (end, words) in ends {
        let (mut room, all) = three();
        let [ann, _, eve] = all;
        take_back(&mut room, all);
        room.answer(eve, true);
        room.take_news(eve);
        end(&mut room, all);
        let [mine, his] = [ann, eve].map(|who| settled(&mut room, who).concat());
        assert!(his.starts_with(words), "{words}: {his}");
        if words.ends_with("canceled") {
            let requests =
                ["your", "Ann's"].map(|whose| format!("{words} {whose} take-back request"));
            assert_eq!([mine, his], requests);
        }
    }
    // Consent to a different request ends this one.
    let (mut room, [ann, bob, eve]) = three();
    room.request(eve, ClientRequest::Ask(Request::Draw));
    room.answer(ann, true);
    room.table(bob).undo(Duration::ZERO).unwrap();
    room.pump();
    room.answer(eve, true);
    room.take_news(ann);
    room.answer(ann, true);
    assert_eq!(settled(&mut room, ann), ["the take-back canceled Eve's draw offer"]);
    room.say(bob, "propose 8 resign");
    assert!(room.hub.table().current_match().outcome().is_some());
    for (who, swap) in [(bob, false), (eve, true)] {
        room.request(who, ClientRequest::Ask(Request::Rematch { swap }));
    }
    let numbers: Vec<u64> =
        room.table(ann).peers().unwrap().to_answer().map(|open| open.number).collect();
    room.request(ann, ClientRequest::Answer { number: numbers[1], yes: true });
    room.request(ann, ClientRequest::Answer { number: numbers[0], yes: true });
    room.take_news(ann);
    room.answer(eve, true);
    assert_eq!(settled(&mut room, ann), ["the rematch canceled Eve's rematch request"]);
}

#[test]
fn rematch_with_swapped_seats_is_no_news_about_people() {
    for seats in [2, 3] {
        let mut room = match seats {
            2 => Room::open("tic-tac-toe", "", &["Ann", "guest"]),
            _ => Room::open("intersections", "players=3", &["Ann", "guest", "guest"]),
        };
        let mut all = vec![room.host()];
        all.extend(["Bob", "Eve"][..seats - 1].iter().map(|name| room.guest(name)));
        let watcher = room.join(join_request("Dora", SeatRequest::Watch));
        for round in 1..4 {
            room.say(all[0], "propose 1 resign");
            for &who in all.iter().chain([&watcher]) {
                room.take_news(who);
            }
            room.request(all[1], ClientRequest::Ask(Request::Rematch { swap: true }));
            for &who in all.iter().filter(|who| **who != all[1]) {
                room.answer(who, true);
            }
            assert_eq!(room.hub.table().current_match().outcome(), None);
            for &who in all.iter().chain([&watcher]) {
                let news = room.take_news(who);
                assert!(news.contains(&TableNews::Restarted), "{news:?}");
                let is_about_people =
                    |it: &&TableNews| matches!(it, TableNews::People { .. } | TableNews::Joined(_));
                assert_eq!(news.iter().find(is_about_people), None);
                let peers = room.table(who).peers().unwrap();
                let seat = Seat::new(u8::try_from(round % seats).unwrap());
                assert_eq!(peers.at(seat).unwrap().name, "Ann");
                assert_eq!(peers.people.len(), seats + 1);
            }
        }
    }
}

#[test]
fn immediate_consent_leaves_no_open_question() {
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    let ann = room.host();
    for _ in 0..2 {
        room.table(ann).play_move("b2", Duration::ZERO).unwrap();
        room.pump();
        room.table(ann).undo(Duration::ZERO).unwrap();
        room.pump();
        assert_eq!(room.table(ann).current_match().ply(), 0);
        assert!(!room.table(ann).peers().unwrap().has_asked());
    }
    room.table(ann).offer_draw(Duration::ZERO).unwrap();
    room.pump();
    assert!(!room.table(ann).peers().unwrap().has_asked());
}

#[test]
fn questions_survive_a_new_guest_and_a_rematch() {
    let mut room = Room::open("intersections", "players=3", &["Ann", "guest", "guest"]);
    let (ann, bob) = (room.host(), room.guest("Bob"));
    play_any(&mut room, ann);
    play_any(&mut room, bob);
    room.table(bob).undo(Duration::ZERO).unwrap();
    room.pump();
    let number = room.asked(ann).number;
    room.guest("Eve");
    assert_eq!(room.asked(ann).number, number);
    let own = room.table(bob).peers().unwrap().own_question().map(|own| own.number);
    assert_eq!(own, Some(number));
    room.request(ann, ClientRequest::Remove("Eve".to_owned()));
    // A request for a seat does not depend on the current match.
    room.say(bob, "propose 3 resign");
    assert!(room.hub.table().current_match().outcome().is_some());
    room.guest("Dora");
    let number = room.asked(ann).number;
    room.request(ann, ClientRequest::Ask(Request::Rematch { swap: false }));
    room.answer(bob, true);
    assert_eq!(room.hub.table().current_match().outcome(), None);
    assert_eq!(room.asked(ann).number, number);
}

#[test]
fn redo_request_refuses_another_variation() {
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    let (ann, bob) = (room.host(), room.guest("Bob"));
    for mv in ["b2", "a1"] {
        room.table(ann).play_move(mv, Duration::ZERO).unwrap();
        room.pump();
        room.table(ann).undo(Duration::ZERO).unwrap();
        room.pump();
        room.answer(bob, true);
    }
    room.say(bob, "ask takeback 1");
    assert_eq!(room.last_refusal(bob).as_deref(), Some("position 1 is in another variation"));
    room.say(bob, "ask takeback 2");
    assert_eq!(room.asked(ann).kind, QuestionKind::Redo { moves: 1 });
    room.answer(ann, true);
    assert_eq!(room.hub.table().current_match().moves()[0].1, "a1");
}

/// Three terminals ask, answer, play and disconnect in any order, and all agree on the open questions.
#[test]
fn all_ends_agree_on_open_questions() {
    fastrand::seed(44);
    let open = |room: &mut Room, who: usize| {
        let peers = room.table(who).peers().unwrap();
        let own = peers.own_question().into_iter();
        let open = own.chain(peers.to_answer()).map(|open| (open.number, open.is_own, open.kind));
        let mut open: Vec<_> = open.collect();
        open.sort_by_key(|(number, ..)| *number);
        (open, peers.asking)
    };
    let (mut asked, mut ended) = (0, 0);
    for _ in 0..30 {
        let mut room = Room::open("intersections", "players=3", &["Ann", "guest", "guest"]);
        let all = [room.host(), room.guest("Bob"), room.guest("Eve")];
        for _ in 0..60 {
            let who = all[fastrand::usize(..3)];
            let first = room.table(who).peers().unwrap().to_answer().next().cloned();
            match (fastrand::u8(..10), first) {
                (0..4, Some(first)) => {
                    let yes = fastrand::u8(..4) > 0;
                    room.request(who, ClientRequest::Answer { number: first.number, yes });
                }
                (0, None) | (4, _) => room.request(who, ClientRequest::Ask(Request::Draw)),
                (1, None) | (5, _) => {
                    let _ = room.table(who).undo(Duration::ZERO);
                }
                (2, None) => {
                    let _ = room.table(who).redo(Duration::ZERO);
                }
                (3, None) => room.request(who, ClientRequest::Ask(Request::Rematch { swap: true })),
                (6, _) => {
                    room.table(who).peers_mut().unwrap().withdraw();
                }
                (7, _) => {
                    room.drop_line(who);
                    room.connect(who);
                }
                _ => {
                    for who in all {
                        if let Some(mv) = room.table(who).current_match().legal_moves().pop() {
                            let _ = room.table(who).play_move(&mv, Duration::ZERO);
                        }
                        room.pump();
                    }
                }
            }
            room.pump();
            room.assert_same();
            for who in all {
                let (before, asking) = open(&mut room, who);
                assert_eq!(asking, None);
                asked += before.len();
                room.drop_line(who);
                room.connect(who);
                assert_eq!(open(&mut room, who), (before, None));
            }
        }
        room.hub.tick(room.clock, at(60));
        room.pump();
        for who in all {
            assert_eq!(open(&mut room, who), (Vec::new(), None));
            ended += 1;
        }
    }
    assert!(asked > 500 && ended == 90, "{asked}");
}
