//! Tests of what waits in a match with days per move. Times are values.

use super::correspondence_tests::{moment, with_days, woken};
use super::tests::{at, has, seating};
use super::*;
use crate::waiting::MAX_KEPT_BYTES;
use jiff::{SignedDuration, Timestamp};
use quadrille_match::session::Termination;
use quadrille_rules::Seat;

const GREETING: &str = "quadrille-table 2 test";
const HOUR: Duration = Duration::from_secs(3600);

/// Opens a match that has begun. Bob's key names him, and he has left again.
fn begun() -> Hub {
    let mut hub = with_days(&["Ann", "guest"], seating());
    let (bob, _) = hub.comes_back("Bob");
    hub.begin(moment());
    hub.leaves(bob);
    hub
}

impl Hub {
    fn comes_back(&mut self, name: &str) -> (PersonId, Vec<String>) {
        match name {
            "Ann" => self.host_comes(at(1)),
            _ => self.comes(&[&format!("as {name}"), GREETING, "hello x", "have 0 0"], at(1)),
        }
    }

    fn leaves(&mut self, who: PersonId) {
        self.says(who, "bye", at(2));
        self.leave(who, Duration::ZERO, at(2));
    }

    fn plays(&mut self, who: PersonId) {
        let number = self.table().session().log().len() + 1;
        let mv = self.table().current_match().legal_moves().remove(0);
        let ply = self.table().current_match().ply();
        self.says(who, &format!("propose {number} play {mv}"), at(1));
        assert_eq!(self.table().current_match().ply(), ply + 1);
    }

    /// Returns the lines that a player who comes hears about chat and questions.
    fn news_for(&mut self, name: &str) -> (PersonId, Vec<String>) {
        let (who, mut heard) = self.comes_back(name);
        let words = ["said ", "past ", "question ", "settled "];
        heard.retain(|line| words.iter().any(|word| line.starts_with(word)));
        (who, heard)
    }
}

/// Bob, who is there, needs no time.
#[test]
fn message_that_waited_is_told_with_its_time() {
    let mut hub = begun();
    hub.set_moment(moment());
    let (bob, _) = hub.comes_back("Bob");
    hub.says(bob, "say see you on Sunday", at(1));
    let heard = hub.lines(bob);
    assert!(has(&heard, "said Bob see you") && !has(&heard, "sent "), "{heard:?}");
    let mut hub = woken(&hub);
    hub.set_moment(moment() + SignedDuration::from_hours(30));
    for word in ["said", "past"] {
        let (ann, heard) = hub.comes_back("Ann");
        let at = heard.iter().position(|line| line.starts_with(&format!("{word} Bob "))).unwrap();
        assert_eq!(heard[at - 1], "sent 1795823432", "{heard:?}");
        hub.leaves(ann);
    }
}

#[test]
fn message_is_told_once_as_new_to_each_player() {
    let mut hub = begun();
    let (bob, _) = hub.comes_back("Bob");
    hub.says(bob, "say see you on Sunday", at(1));
    assert!(hub.take_changed(), "saved before it is sent");
    assert!(has(&hub.lines(bob), "said Bob see you"));
    let mut hub = woken(&hub);
    // Opening a list is not seeing it.
    hub.comes(&[GREETING, "look"], at(1));
    // The lines to this terminal are never sent.
    let ann = hub.arrive(tests::PEER, at(1)).unwrap();
    for line in [GREETING, &format!("hello Ann token {}", tests::HOST), "have 0 0"] {
        hub.says(ann, line, at(1));
    }
    let mut hub = woken(&hub);
    assert!(!hub.take_told());
    assert_eq!(hub.news_for("Ann").1, ["said Bob see you on Sunday"]);
    assert!(hub.take_told(), "the seating is saved");
    for name in ["Ann", "Bob"] {
        let mut hub = woken(&hub);
        assert_eq!(hub.news_for(name).1, ["past Bob see you on Sunday"], "{name}");
    }
    // A spectator is told too.
    let (_, heard) = woken(&hub).comes(&[GREETING, "hello Eve watch", "have 0 0"], at(1));
    assert!(has(&heard, "past Bob see you"), "{heard:?}");
    // While both are there, each is told at once.
    let mut hub = woken(&hub);
    let [(ann, _), (bob, _)] = ["Ann", "Bob"].map(|name| hub.comes_back(name));
    hub.says(ann, "say hello", at(1));
    assert_eq!(hub.lines(bob), ["said Ann hello"]);
    assert_eq!(woken(&hub).news_for("Bob").1.last().unwrap(), "past Ann hello");
}

#[test]
fn last_fifty_messages_are_kept_within_64_kib() {
    let mut hub = begun();
    let (bob, _) = hub.comes_back("Bob");
    for number in 0..60 {
        hub.says(bob, &format!("say {number:02}{}", "\u{10348}".repeat(300)), at(1));
        hub.lines(bob);
    }
    let text = hub.seating().write();
    let said: Vec<&str> = text.lines().filter(|line| line.starts_with("said ")).collect();
    assert_eq!(said.len(), 50);
    let bytes: usize = said.iter().map(|line| line.len() + 1).sum();
    assert!((39_000..=MAX_KEPT_BYTES).contains(&bytes), "{bytes}");
    let (_, heard) = woken(&hub).news_for("Ann");
    assert!(heard.len() == 50 && heard[0].starts_with("said Bob 10"), "{}", heard[0]);
}

#[test]
fn draw_offer_stands_until_the_opponents_move() {
    let mut hub = begun();
    let (ann, _) = hub.comes_back("Ann");
    hub.says(ann, "ask draw", at(1));
    assert!(hub.take_changed(), "saved before it is confirmed");
    assert!(has(&hub.lines(ann), "question 1 Ann draw"));
    hub.plays(ann);
    hub.tick(Duration::ZERO, at(1000));
    assert!(!hub.lines(ann).iter().any(|line| line.starts_with("settled")));
    let mut hub = woken(&hub);
    let (ann, heard) = hub.news_for("Ann");
    assert_eq!(heard, ["question 1 Ann draw"]);
    hub.says(ann, "ask draw", at(1));
    assert!(hub.lines(ann).iter().any(|line| line.starts_with("refused 0 ")));

    let mut agreed = woken(&hub);
    let (bob, heard) = agreed.news_for("Bob");
    assert_eq!(heard, ["question 1 Ann draw"]);
    agreed.says(bob, "answer 1 yes", at(1));
    assert_eq!(agreed.table().current_match().termination(), Some(&Termination::Agreed));
    let mut agreed = woken(&agreed);
    assert_eq!(agreed.news_for("Ann").1, ["question 1 Ann draw", "settled 1 yes Bob"]);
    assert!(woken(&agreed).news_for("Ann").1.is_empty(), "told once");

    for (line, ending) in [("answer 1 no", "settled 1 no Bob"), ("", "settled 1 gone moved Bob")] {
        let mut hub = woken(&hub);
        let (bob, _) = hub.comes_back("Bob");
        hub.says(bob, line, at(1));
        if line.is_empty() {
            hub.plays(bob);
        }
        assert!(hub.lines(bob).iter().any(|line| line == ending), "{ending}");
        assert_eq!(woken(&hub).news_for("Ann").1, ["question 1 Ann draw", ending]);
    }
}

#[test]
fn take_back_request_waits_until_the_position_changes() {
    let mut hub = begun();
    let (ann, _) = hub.comes_back("Ann");
    hub.plays(ann);
    hub.says(ann, "ask takeback 0", at(1));
    assert!(has(&hub.lines(ann), "question 1 Ann takeback 1 moves"));
    let hub = woken(&hub);

    let mut granted = woken(&hub);
    let (bob, heard) = granted.news_for("Bob");
    assert_eq!(heard, ["question 1 Ann takeback 1 moves"]);
    granted.says(bob, "answer 1 yes", at(1));
    assert_eq!(granted.table().current_match().ply(), 0);
    let told = ["question 1 Ann takeback 1 moves", "settled 1 yes Bob"];
    assert_eq!(woken(&granted).news_for("Ann").1, told);

    // The process was killed after it had written the journal, and before it wrote the seating.
    let mut killed = woken(&granted);
    killed.reopen_requests(&hub.seating().waiting);
    assert!(killed.pending.is_empty());

    let mut moved = woken(&hub);
    let (bob, _) = moved.comes_back("Bob");
    moved.plays(bob);
    let mut moved = woken(&moved);
    let (ann, heard) = moved.news_for("Ann");
    assert_eq!(heard[1..], ["settled 1 gone moved Bob"]);

    // An answer to a question of an earlier process does not answer a later one.
    moved.says(ann, "ask draw", at(1));
    let mut stale = woken(&moved);
    let (bob, heard) = stale.news_for("Bob");
    assert_eq!(heard, ["question 2 Ann draw"]);
    stale.says(bob, "answer 1 yes", at(1));
    let heard = stale.lines(bob);
    assert_eq!(heard, ["settled 1 gone expired", "question 2 Ann draw"]);
    assert!(stale.table().current_match().outcome().is_none());
}

#[test]
fn later_ending_of_a_players_request_replaces_the_earlier() {
    let mut hub = begun();
    let (ann, _) = hub.comes_back("Ann");
    hub.plays(ann);
    for number in 1..=100 {
        hub.says(ann, "ask takeback 0", at(1));
        hub.says(ann, &format!("withdraw {number}"), at(1));
        hub.lines(ann);
    }
    assert_eq!(hub.seating().waiting.settled.len(), 1);
    let told = ["question 100 Ann takeback 1 moves", "settled 100 gone withdrawn"];
    assert_eq!(woken(&hub).news_for("Bob").1, told);
}

#[test]
fn finished_match_stays_until_each_player_has_left_its_board() {
    let day = SignedDuration::from_hours(24);
    let then = |days: i32| -> Timestamp { moment().checked_add(day * days).unwrap() };
    let mut hub = begun();
    assert!(!hub.keeps_end(then(100)), "the match goes on");
    let (ann, _) = hub.comes_back("Ann");
    hub.on_line(ann, "propose 2 resign", HOUR * 48, at(1));
    hub.lines(ann);
    assert_eq!(hub.seating().waiting.ended, Some(then(2)));
    hub.leaves(ann);
    let mut hub = woken(&hub);
    // It can be woken to look at, by both.
    for name in ["Ann", "Bob"] {
        let (who, heard) = hub.comes_back(name);
        assert!(heard.iter().any(|line| line.ends_with("1 resign")), "{heard:?}");
        // A lost connection is not leaving.
        hub.leave(who, Duration::ZERO, at(2));
        assert!(!hub.is_over(at(3)));
        hub = woken(&hub);
    }
    let ends = [then(2), then(31)].map(|moment| hub.keeps_end(moment));
    assert_eq!((ends, hub.keeps_end(then(32))), ([true, true], false));
    // The machine's time has jumped back.
    assert!(hub.keeps_end(then(-7)));
    let [bobs, anns] = [2, 1].map(|seat| [Seat::new(seat - 1)].into_iter().collect());
    let waiting = hub.seating().waiting;
    assert!(waiting.has_end_for(bobs) && !waiting.has_end_for(anns));
    let (bob, _) = hub.comes_back("Bob");
    hub.leaves(bob);
    assert!(!hub.keeps_end(then(2)) && hub.is_over(at(2)), "it is filed at once");
    assert!(
        !woken(&hub).keeps_end(then(2)),
        "a process that was killed before leaves it to the next"
    );
}

#[test]
fn claim_for_an_earlier_position_is_refused() {
    let mut hub = begun();
    let [(ann, _), (bob, _)] = ["Ann", "Bob"].map(|name| hub.comes_back(name));
    let mv = hub.table().current_match().legal_moves().remove(0);
    let late = HOUR * 73;
    hub.on_line(ann, &format!("propose 2 play {mv}"), late, at(1));
    hub.on_line(bob, "propose 2 claim", late, at(1));
    assert!(has(&hub.lines(bob), "refused 2 the match has moved on"));
    assert!(hub.table().current_match().outcome().is_none());
}
