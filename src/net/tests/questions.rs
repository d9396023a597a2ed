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
    let mv = room.table(who).current_match().legal().remove(0);
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
    assert_eq!(settled(&mut room, bob), ["Eve declines"]);
    assert_eq!(settled(&mut room, ann), ["Eve declines"]);
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
    assert_eq!(settled(&mut room, ann), ["the move cancelled your request"]);
    assert_eq!(settled(&mut room, bob), ["the move cancelled Ann's request"]);
    ask(&mut room, ann);
    room.table(ann).play_move("c3", Duration::ZERO).unwrap();
    room.pump();
    assert_eq!(settled(&mut room, bob), ["the move cancelled Ann's request"]);
    // Repeating the request withdraws it.
    ask(&mut room, ann);
    ask_again_withdraws(&mut room, ann);
    assert_eq!(settled(&mut room, ann), ["your request is withdrawn"]);
    assert_eq!(settled(&mut room, bob), ["Ann withdraws the request"]);
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
        assert_eq!(settled(&mut room, ann), ["no answer: your request has expired"]);
        if !drops {
            assert_eq!(settled(&mut room, bob), ["Ann's request has expired"]);
        }
    }
    room.assert_same();
}

fn ask_again_withdraws(room: &mut Room, who: usize) {
    let done = room.table(who).undo(Duration::ZERO);
    assert_eq!(done, Ok(Some(crate::play::Proposal::Withdrawn)));
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
    room.hub.hear(person, &format!("withdraw {number}"), room.clock, NOW);
    room.pump();
    assert_eq!(settled(&mut room, bob), ["too late: Ann's request has expired"]);
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
    assert_eq!(settled(&mut room, bob), ["the move cancelled your request"]);
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
    let eve = room.come(arrival("Eve", SeatRequest::Watch));
    room.say(bob, "remove Ann");
    assert_eq!(room.last_refusal(bob).as_deref(), Some("only the host can remove players"));
    room.say(ann, "remove Ann");
    assert_eq!(room.last_refusal(ann).as_deref(), Some("Ann is not at the table"));
    room.table(ann).play_move("b2", Duration::ZERO).unwrap();
    room.pump();
    room.table(bob).undo(Duration::ZERO).unwrap();
    room.pump();
    room.take_news(ann);
    for (who, name) in [(bob, "Bob"), (eve, "Eve")] {
        room.request(ann, ClientRequest::Remove(name.to_owned()));
        let why = room.terminals[who].left.clone().unwrap();
        assert_eq!(why, "table error: the host removed you from the table");
        assert!(room.take_news(ann).contains(&people(&format!("{name} has left"), who == bob)));
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

/// A version 1 peer that sends raw lines.
struct OldPeer(PersonId);

impl OldPeer {
    fn come(room: &mut Room, name: &str) -> OldPeer {
        let person = room.hub.arrive(PEER, NOW).unwrap();
        let peer = OldPeer(person);
        for line in ["quadrille-table 1 0.1.0", &format!("hello {name}"), "have 0 0"] {
            peer.say(room, line);
        }
        peer.hear(room);
        peer
    }

    fn say(&self, room: &mut Room, line: &str) {
        room.hub.hear(self.0, line, room.clock, NOW);
        room.pump();
    }

    /// Returns the lines received, except presences and the log.
    fn hear(&self, room: &mut Room) -> Vec<String> {
        let said = std::iter::from_fn(|| room.hub.next_line(self.0));
        let is_about_questions = |line: &String| {
            ["asked", "answered", "refused", "question", "settled"]
                .iter()
                .any(|word| line.starts_with(&format!("{word} ")))
        };
        said.filter(is_about_questions).collect()
    }
}

#[test]
fn version_1_peer_gets_one_question_at_a_time() {
    let mut room = Room::open("intersections", "players=3", &["Ann", "guest", "guest"]);
    let (ann, eve) = (room.host(), room.guest("Eve"));
    let bob = OldPeer::come(&mut room, "Bob");
    play_any(&mut room, ann);
    play_any(&mut room, eve);
    room.table(ann).undo(Duration::ZERO).unwrap();
    room.pump();
    room.table(eve).undo(Duration::ZERO).unwrap();
    room.pump();
    assert_eq!(bob.hear(&mut room), ["asked Ann takeback 0"]);
    // Ann withdraws. Bob has not received the withdrawal, so his yes is not for Eve.
    ask_again_withdraws(&mut room, ann);
    bob.say(&mut room, "answer yes");
    assert_eq!(room.hub.table().current_match().ply(), 2);
    assert!(bob.hear(&mut room).contains(&"asked Eve takeback 1".to_owned()));
    bob.say(&mut room, "answer yes");
    bob.say(&mut room, "answer yes");
    assert_eq!(bob.hear(&mut room).last().unwrap(), "refused 0 no open request");
    room.answer(ann, true);
    assert_eq!(room.hub.table().current_match().ply(), 1);
    // Version 1 peers offer and accept draws by steps.
    bob.say(&mut room, "propose 4 offer-draw");
    room.answer(ann, false);
    assert_eq!(bob.hear(&mut room), ["answered Ann yes", "answered Ann no"]);
    room.request(eve, ClientRequest::Ask(Request::Draw));
    room.answer(ann, true);
    let number = room.hub.table().session().log().len() + 1;
    bob.say(&mut room, &format!("propose {number} accept-draw"));
    assert!(room.hub.table().current_match().outcome().is_some());
}

#[test]
fn version_1_peer_gets_the_next_question_after_a_lapse() {
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    let ann = room.host();
    let bob = OldPeer::come(&mut room, "Bob");
    let play = |room: &mut Room, mv: &str| {
        room.table(ann).play_move(mv, Duration::ZERO).unwrap();
        room.pump();
    };
    play(&mut room, "b2");
    room.table(ann).undo(Duration::ZERO).unwrap();
    room.pump();
    assert_eq!(bob.hear(&mut room), ["asked Ann takeback 0"]);
    // A step makes the peer drop the question, so its later proposals do not answer it.
    bob.say(&mut room, "propose 2 play a1");
    play(&mut room, "c3");
    bob.say(&mut room, "propose 4 play c1");
    room.table(ann).undo(Duration::ZERO).unwrap();
    room.pump();
    assert_eq!(bob.hear(&mut room), ["asked Ann takeback 2"]);
    bob.say(&mut room, "answer yes");
    assert_eq!(room.hub.table().current_match().ply(), 2);
}

/// Three terminals, one of them with version 1, ask, answer, play and disconnect in any order, and all agree on the
/// open questions.
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
        let all = [room.host(), room.guest("Bob")];
        let eve = OldPeer::come(&mut room, "Eve");
        for _ in 0..60 {
            let who = all[fastrand::usize(..2)];
            let log = room.hub.table().session().log().len();
            let first = room.table(who).peers().unwrap().to_answer().next().cloned();
            match (fastrand::u8(..12), first) {
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
                (8, _) => eve.say(&mut room, "answer yes"),
                (9, _) => {
                    let words = ["ask takeback 1", &format!("propose {} offer-draw", log + 1)];
                    eve.say(&mut room, words[fastrand::usize(..2)]);
                }
                _ => {
                    for who in all {
                        if let Some(mv) = room.table(who).current_match().legal().pop() {
                            let _ = room.table(who).play_move(&mv, Duration::ZERO);
                        }
                        room.pump();
                    }
                    if let Some(mv) = room.hub.table().current_match().legal().pop() {
                        let log = room.hub.table().session().log().len();
                        eve.say(&mut room, &format!("propose {} play {mv}", log + 1));
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
    assert!(asked > 500 && ended == 60, "{asked}");
}

#[test]
fn version_1_table_gets_lines_without_numbers() {
    let mut follower = Follower::new(arrival("Bob", SeatRequest::Any));
    follower.connected();
    let setup = setup_of_tic_tac_toe();
    let sum = LogChecksum::nothing("tic-tac-toe", &setup, "");
    let mut table = None;
    for line in [
        "quadrille-table 1 0.1.0",
        "welcome 2 t",
        "match table t",
        "match game tic-tac-toe",
        &format!("match setup {setup}"),
        "match words ",
        "match person Ann",
        "match person Bob",
        "match you Bob",
        &sum.to_string(),
        "log 1 5 1 play b2",
        "asked Ann takeback 0",
    ] {
        let heard = follower.hear(line, table.as_mut()).unwrap();
        table = table.or(heard.table);
    }
    let mut table = table.unwrap();
    let mut ends: Vec<Option<String>> = Vec::new();
    let answer = |table: &mut Table, follower: &mut Follower, yes: bool| {
        let open = table.peers().unwrap().to_answer().next().unwrap();
        let request = ClientRequest::Answer { number: open.number, yes };
        table.peers_mut().unwrap().request(request.clone()).unwrap();
        follower.say(request, table)
    };
    assert_eq!(
        table.peers().unwrap().to_answer().next().unwrap().kind,
        QuestionKind::TakeBack { moves: 1 }
    );
    ends.push(answer(&mut table, &mut follower, true));
    for line in ["answered Bob yes", "log 2 6 table go 0", "log 3 7 1 offer-draw"] {
        follower.hear(line, Some(&mut table)).unwrap();
    }
    ends.push(answer(&mut table, &mut follower, true));
    follower.hear("log 4 8 1 offer-draw", Some(&mut table)).unwrap();
    ends.push(answer(&mut table, &mut follower, false));
    ends.push(follower.say(ClientRequest::Ask(Request::Draw), &table));
    ends.push(follower.say(ClientRequest::Ask(Request::TakeBack(0)), &table));
    // At such a table the newest question counts: it stays open, and the older question is reported as ended.
    follower.hear("log 5 9 1 play b2", Some(&mut table)).unwrap();
    follower.hear("asked Ann takeback 0", Some(&mut table)).unwrap();
    let news = follower.hear("asked Eve takeback 0", Some(&mut table)).unwrap().news;
    let lapsed = TableNews::Settled("Ann's request was cancelled".to_owned());
    assert_eq!(news, [lapsed, TableNews::Asked(0)]);
    assert_eq!(table.peers().unwrap().to_answer().next().unwrap().by, "Eve");
    let said: Vec<String> = ends.into_iter().flatten().collect();
    assert_eq!(
        said,
        [
            "answer yes",
            "propose 4 seat 2 accept-draw",
            "answer no",
            "propose 5 offer-draw",
            "ask takeback 0"
        ]
    );
}
