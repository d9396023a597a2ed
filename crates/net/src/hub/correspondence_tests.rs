//! Tests of matches with days per move. Times are values.

use super::tests::{HOST, PACE, at, has, open, seating};
use super::*;
use jiff::Timestamp;
use quadrille_match::session::{Conditions, Player};
use quadrille_rules::{Seat, Setup};
use quadrille_table::catalogue;

const GREETING: &str = "quadrille-table 2 test";

pub(super) fn with_days(players: &[&str], seating: Seating) -> Hub {
    let players: Vec<Player> = players.iter().map(|player| player.parse().unwrap()).collect();
    let (game, setup) =
        if players.len() == 2 { ("quixo", "") } else { ("intersections", "players=3") };
    let conditions = Conditions::from(players).with_clock(Some("3d".parse().unwrap()));
    let setup: Setup = setup.parse().unwrap();
    let table = Table::new(catalogue::find(game).unwrap(), &setup, conditions).unwrap();
    open(table, "Ann", seating)
}

/// Opens the table again from its seats file and its journal.
pub(super) fn woken(hub: &Hub) -> Hub {
    let seating = hub.seating();
    let read = Seating::read(&seating.write()).unwrap();
    assert_eq!(read, seating);
    let opening = Opening {
        seating: read.clone(),
        idle: at(600),
        pace: PACE,
        journal: Some("journal".to_owned()),
        host_name: "Ann".to_owned(),
    };
    let (_, table) = Opening::read(&opening.write(hub.table())).unwrap();
    open(table, "Ann", read)
}

pub(super) fn moment() -> Timestamp {
    Timestamp::from_second(1_795_823_432).unwrap()
}

impl Hub {
    pub(super) fn host_comes(&mut self, now: Duration) -> (PersonId, Vec<String>) {
        self.comes(&[GREETING, &format!("hello Ann token {HOST}"), "have 0 0"], now)
    }

    pub(super) fn bob_comes(&mut self, now: Duration) -> PersonId {
        let (bob, heard) = self.comes(&[GREETING, "hello Bob", "have 0 0"], now);
        assert!(has(&heard, "welcome 2 "), "{heard:?}");
        bob
    }

    pub(super) fn token_of(&self, name: &str) -> String {
        self.seating().guests.into_iter().find(|guest| guest.name == name).unwrap().token
    }
}

#[test]
fn table_sleeps_ten_seconds_after_the_last_player_and_not_before() {
    let mut hub = with_days(&["Ann", "guest"], seating());
    let (ann, _) = hub.host_comes(at(1));
    let bob = hub.bob_comes(at(2));
    let (eve, _) = hub.comes(&[GREETING, "hello Eve watch", "have 0 0"], at(2));
    hub.says(ann, "bye", at(100));
    hub.leave(ann, Duration::ZERO, at(100));
    assert!(!hub.is_over(at(200)), "Bob is there");
    hub.leave(bob, Duration::ZERO, at(200));
    assert!(!hub.is_over(at(209)) && hub.is_over(at(210)), "a spectator does not keep it awake");
    // A connection that has not said hello does.
    let new = hub.arrive(tests::PEER, at(205)).unwrap();
    assert!(!hub.is_over(at(300)));
    hub.leave(new, Duration::ZERO, at(300));
    assert!(!hub.is_over(at(309)) && hub.is_over(at(310)));
    hub.close(hub.why_it_closes());
    let told =
        "closed the table sleeps because the players have left; match saved; join again to return";
    assert_eq!(hub.lines(eve).pop().as_deref(), Some(told));
}

#[test]
fn neither_leaving_nor_absence_gives_up_a_seat() {
    let mut hub = with_days(&["Ann", "guest"], seating());
    let bob = hub.bob_comes(at(0));
    let token = hub.token_of("Bob");
    hub.says(bob, "bye", at(1));
    hub.leave(bob, Duration::ZERO, at(1));
    hub.tick(Duration::ZERO, at(100));
    let mut hub = woken(&hub);
    hub.tick(Duration::ZERO, at(100));
    let (_, heard) = hub.comes(&[GREETING, &format!("hello Guest token {token}")], at(101));
    assert!(has(&heard, "welcome 2 "), "{heard:?}");
    // The host gives the seat away.
    let (ann, _) = hub.host_comes(at(102));
    hub.says(ann, "remove Bob", at(103));
    let (_, heard) = hub.comes(&[GREETING, &format!("hello Bob token {token}")], at(104));
    assert!(has(&heard, "no the host removed you"), "{heard:?}");
}

#[test]
fn hosts_answer_begins_the_match() {
    let mut hub = with_days(&["Ann", "guest"], seating());
    let bob = hub.bob_comes(at(0));
    assert!(!hub.may_begin() && !hub.time_runs());
    hub.says(bob, "propose 1 play A1-A2", at(1));
    assert!(has(&hub.lines(bob), "refused 1 "));
    // Bob cannot answer for the host, nor withdraw the question, nor close the table.
    for line in ["answer 1 yes", "withdraw 1", "close"] {
        hub.says(bob, line, at(1));
    }
    let mut hub = woken(&hub);
    let (ann, heard) = hub.host_comes(at(2));
    let question = heard.iter().find(|line| line.contains("sits 2")).unwrap();
    let number = question.split(' ').nth(1).unwrap();
    assert!(question.contains(" Bob "), "{question}");
    hub.says(ann, &format!("answer {number} yes"), at(3));
    assert!(hub.may_begin());
    hub.begin(moment());
    assert_eq!(hub.table().session().began(), Some(moment()));
    assert!(hub.time_runs() && !hub.may_begin());
    // Another wake does not ask again.
    let mut hub = woken(&hub);
    assert!(!hub.may_begin());
    let (ann, heard) = hub.host_comes(at(4));
    assert!(!heard.iter().any(|line| line.contains("sits")), "{heard:?}");
    hub.says(ann, "close", at(5));
    assert!(has(&hub.lines(ann), "refused 0 a match with days per move stays open"));
    hub.comes(&[GREETING, &format!("close {HOST}")], at(6));
    assert!(hub.is_over(at(6)) && hub.seating().can_wake);
}

#[test]
fn host_who_declines_a_player_frees_the_seat() {
    let mut hub = with_days(&["Ann", "guest"], seating());
    hub.bob_comes(at(0));
    let token = hub.token_of("Bob");
    let (ann, heard) = hub.host_comes(at(1));
    assert!(heard.iter().any(|line| line == "question 1 Bob sits 2"), "{heard:?}");
    hub.says(ann, "answer 1 no", at(2));
    assert!(hub.seating().guests.is_empty() && !hub.may_begin());
    let (_, heard) = hub.comes(&[GREETING, &format!("hello Bob token {token}")], at(3));
    assert!(has(&heard, "no the host removed you"), "{heard:?}");
}

#[test]
fn player_whose_key_is_named_begins_the_match_without_the_host() {
    let mut hub = with_days(&["Ann", "guest"], seating());
    hub.comes(&["as Bob", GREETING, "hello x", "have 0 0"], at(0));
    assert!(hub.may_begin());
}

#[test]
fn several_players_ask_for_a_seat_and_the_host_chooses() {
    let mut hub = with_days(&["Ann", "guest"], seating());
    let bob = hub.bob_comes(at(0));
    let bobs = hub.token_of("Bob");
    hub.leave(bob, Duration::ZERO, at(1));
    let ask = |hub: &mut Hub, name: &str| {
        let (_, heard) = hub.comes(&[GREETING, &format!("hello {name}")], at(1));
        let token = heard.iter().find_map(|line| line.strip_prefix("ticket ")).unwrap().to_owned();
        let told = "no Ann will read that you ask for a seat; join again later";
        assert_eq!(heard.last().unwrap(), told);
        token
    };
    let [eve, zoe] = ["Eve", "Zoe"].map(|name| ask(&mut hub, name));
    let mut hub = woken(&hub);
    // The answer is still open.
    let (_, heard) = hub.comes(&[GREETING, &format!("hello Eve token {eve}")], at(2));
    assert!(has(&heard, "no Ann will read"), "{heard:?}");
    let mut hub = woken(&hub);
    let (ann, heard) = hub.host_comes(at(3));
    let number = |name: &str| {
        let asks = heard.iter().find(|line| line.ends_with(&format!("{name} seat 2")));
        asks.unwrap().split(' ').nth(1).unwrap().to_owned()
    };
    let (eves, zoes) = (number("Eve"), number("Zoe"));
    assert_ne!(eves, zoes);
    hub.says(ann, &format!("answer {zoes} yes"), at(4));
    assert!(hub.may_begin());
    let mut hub = woken(&hub);
    for (token, expected) in [
        (&bobs, "no the host removed you from the table"),
        (&eve, "no the host declined your request for a seat"),
        (&zoe, "welcome 2 "),
    ] {
        let (_, heard) = hub.comes(&[GREETING, &format!("hello Guest token {token} move")], at(5));
        assert!(has(&heard, expected), "{expected}: {heard:?}");
    }
    assert_eq!(hub.table().players().name(Seat::SECOND), "Zoe");
    // Eve knows, and asks again with the same token. She waits this time, and needs no second word.
    let mut hub = woken(&hub);
    let (ann, _) = hub.host_comes(at(6));
    let (again, heard) = hub.comes(&[GREETING, &format!("hello Eve token {eve}")], at(6));
    assert!(has(&heard, "wait ") && has(&heard, "ticket "), "{heard:?}");
    let void = hub.seating().void;
    let asked = hub.lines(ann).into_iter().find(|line| line.ends_with("Eve seat 2")).unwrap();
    hub.take_changed();
    hub.says(ann, &format!("answer {} no", asked.split(' ').nth(1).unwrap()), at(7));
    assert!(hub.take_changed() && hub.seating().asks.is_empty(), "the file forgets her request");
    assert_eq!(hub.lines(again), ["no Ann declined"]);
    assert_eq!(hub.seating().void, void);
}

#[test]
fn askers_are_bounded() {
    let mut hub = with_days(&["Ann", "guest"], seating());
    let bob = hub.bob_comes(at(0));
    hub.leave(bob, Duration::ZERO, at(1));
    for number in 0..9 {
        let (_, heard) = hub.comes(&[GREETING, &format!("hello Guest{number}")], at(1));
        let expected = if number < 8 {
            "no Ann will read"
        } else {
            "no 8 players are asking for a seat already"
        };
        assert!(has(&heard, expected), "{heard:?}");
    }
}

/// Eve's key proves only that she is Eve.
#[test]
fn stranger_with_a_key_of_another_seat_does_not_get_this_one() {
    let mut hub = with_days(&["Ann", "guest", "guest"], seating());
    for (name, seat) in [("Bob", 2), ("Eve", 3)] {
        let vouched = format!("as {name}");
        let (_, heard) = hub.comes(&[&*vouched, GREETING, "hello x", "have 0 0"], at(0));
        assert!(has(&heard, &format!("welcome {seat} ")), "{heard:?}");
    }
    let mut hub = woken(&hub);
    for hello in ["hello Bob", "hello Bob seat 2", "hello Bob seat 2 move"] {
        let (who, heard) = hub.comes(&["as Eve", GREETING, hello], at(1));
        assert!(!has(&heard, "welcome 2 "), "{hello}: {heard:?}");
        hub.leave(who, Duration::ZERO, at(1));
    }
    assert_eq!(hub.seating().guests[0].name, "Bob");
    assert!(hub.seating().asks.is_empty(), "Eve has a seat");
}

/// Bob plays at one terminal; an older screen of his still shows the board before.
#[test]
fn stale_terminal_does_not_play_on_a_board_that_it_does_not_show() {
    let mut hub = with_days(&["guest", "Ann"], seating());
    let bob = ["as Bob", GREETING, "hello Bob", "have 0 0"];
    hub.comes(&bob, at(0));
    hub.begin(moment());
    let (old, _) = hub.comes(&["as Bob", GREETING, "hello Bob move", "have 0 0"], at(1));
    let legal = |hub: &Hub| hub.table().current_match().legal_moves();
    let later = Duration::from_secs(60);
    let (ann, _) = hub.host_comes(at(2));
    let (new, _) = hub.comes(&["as Bob", GREETING, "hello Bob move", "have 0 0"], at(3));
    for (who, number) in [(new, 2), (ann, 3)] {
        let mv = legal(&hub).remove(0);
        hub.on_line(who, &format!("propose {number} play {mv}"), later, at(4));
    }
    assert_eq!(hub.table().current_match().ply(), 2);
    // The older terminal has lost the seat, and its number is not that of this position.
    let mv = legal(&hub).pop().unwrap();
    for who in [old, new] {
        hub.on_line(who, &format!("propose 2 play {mv}"), later, at(5));
    }
    assert_eq!(hub.table().current_match().ply(), 2);
    assert!(has(&hub.lines(new), "refused 2 the match has moved on"));
}
