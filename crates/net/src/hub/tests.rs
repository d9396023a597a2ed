//! Tests of seats and connections, without clients.

use super::*;
use proptest::prelude::*;
use quadrille_match::session::{Actor, Conditions, Step};
use quadrille_rules::{Seat, Setup};
use quadrille_search::Report;
use quadrille_table::catalogue;
use quadrille_table::play::Ask;

pub(super) const PEER: PeerUser = PeerUser { uid: 1000, other_user: None };
pub(super) const HOST: &str = "host-token";
const ID: &str = "table-id";
/// The minimum time per engine move.
pub(super) const PACE: Duration = Duration::from_secs(2);

pub(super) fn at(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Opens a Quixo table with these players.
fn table(players: [&str; 2]) -> Hub {
    table_of("quixo", "", &players)
}

pub(super) fn table_of(game: &str, setup: &str, players: &[&str]) -> Hub {
    let host_name = if players[0] == "guest" { "Lobby" } else { players[0] };
    let players: Vec<Player> = players.iter().map(|player| player.parse().unwrap()).collect();
    let (entry, setup) = (catalogue::find(game).unwrap(), setup.parse::<Setup>().unwrap());
    let table = Table::new(entry, &setup, Conditions::from(players)).unwrap();
    open(table, host_name, Seating { table: game.to_owned(), ..seating() })
}

pub(super) fn seating() -> Seating {
    Seating {
        id: ID.to_owned(),
        table: "quixo".to_owned(),
        host_token: HOST.to_owned(),
        ..Seating::default()
    }
}

pub(super) fn open(table: Table, host_name: &str, seating: Seating) -> Hub {
    let host_name = host_name.to_owned();
    let opening = Opening { seating, idle: at(600), pace: PACE, journal: None, host_name };
    let mut number = 0;
    let tokens = move || {
        number += 1;
        format!("token{number}")
    };
    Hub::new(table, &opening, Box::new(tokens)).unwrap()
}

impl Hub {
    pub(super) fn says(&mut self, who: PersonId, line: &str, now: Duration) {
        self.on_line(who, line, Duration::ZERO, now);
    }

    /// Opens a connection that sends these lines, and returns the replies.
    pub(super) fn comes(&mut self, lines: &[&str], now: Duration) -> (PersonId, Vec<String>) {
        let who = self.arrive(PEER, now).unwrap();
        for line in lines {
            self.says(who, line, now);
        }
        (who, self.lines(who))
    }

    pub(super) fn lines(&mut self, who: PersonId) -> Vec<String> {
        std::iter::from_fn(|| self.next_line(who)).collect()
    }

    /// Returns the connections to close after their lines are sent.
    pub(crate) fn dropped(&self) -> Vec<PersonId> {
        let dropped = self.people.iter().filter(|person| person.is_dropped());
        dropped.map(|person| person.id).collect()
    }

    /// Closes the connections that the hub has dropped.
    fn close_dropped(&mut self) -> Vec<PersonId> {
        let dropped = self.dropped();
        for who in &dropped {
            self.leave(*who, Duration::ZERO, Duration::ZERO);
        }
        dropped
    }
}

const GREETING: &str = "quadrille-table 2 test";

pub(super) fn has(lines: &[String], start: &str) -> bool {
    lines.iter().any(|line| line.starts_with(start))
}

#[test]
fn silent_connections_have_a_limit_per_name() {
    let mut hub = table(["Ann", "guest"]);
    let (guest, heard) = hub.comes(&["as Eve", GREETING, "hello Eve"], at(0));
    assert!(has(&heard, "welcome 2 "), "{heard:?}");
    for number in 1..100 {
        hub.comes(&["as Eve"], at(1));
        hub.close_dropped();
        let new = hub.people.iter().filter(|person| !person.is_settled()).count();
        // The limit includes her seated connection.
        assert_eq!(new, number.min(limits::MAX_PER_ORIGIN - 1));
    }
    // A different name has its own limit, and Eve's seat is unaffected.
    let (carl, heard) = hub.comes(&["as Carl", GREETING, "hello Carl watch"], at(2));
    assert!(has(&heard, "welcome watch "), "{heard:?}");
    assert!(hub.close_dropped().is_empty());
    assert!([guest, carl].iter().all(|who| hub.person(*who).is_some()));
}

proptest! {
    /// Idle connections, in any number and order, do not keep out a host and a guest who have tokens.
    #[test]
    fn token_holders_get_in_during_a_flood(flood in prop::collection::vec(0..5_u8, 0..300), at_step in 0..300_usize) {
        let mut hub = table(["Ann", "guest"]);
        let (bob, heard) = hub.comes(&[GREETING, "hello Bob"], at(0));
        prop_assert!(has(&heard, "welcome 2 token1"));
        hub.leave(bob, Duration::ZERO, at(0));
        let mut silent = Vec::new();
        for (step, kind) in flood.iter().enumerate() {
            let name = format!("as Eve{step}");
            let lines: &[&str] = match kind {
                0 => &[],
                1 => &["as Eve"],
                2 => &[GREETING],
                3 => &[&name],
                _ => &["as Eve", GREETING],
            };
            silent.push(hub.comes(lines, at(0)).0);
            hub.close_dropped();
            prop_assert!(hub.people.len() <= limits::MAX_NEW);
            if step == at_step {
                for hello in ["hello Ann token host-token", "hello Bob token token1"] {
                    let (who, heard) = hub.comes(&[GREETING, hello], at(0));
                    prop_assert!(has(&heard, "welcome "), "{heard:?}");
                    hub.leave(who, Duration::ZERO, at(0));
                }
            }
        }
    }
}

#[test]
fn seat_abandoned_before_first_move_frees_after_a_minute() {
    let mut hub = table(["Ann", "guest"]);
    let (host, _) = hub.comes(&[GREETING, "hello Ann token host-token"], at(0));
    let (bob, _) = hub.comes(&[GREETING, "hello Bob"], at(0));
    hub.leave(bob, Duration::ZERO, at(10));
    assert_eq!(hub.deadline(), Some(at(70)));
    hub.tick(Duration::ZERO, at(69));
    assert_eq!(hub.holders.len(), 2);
    hub.tick(Duration::ZERO, at(70));
    assert!(has(&hub.lines(host), "presence Bob gone"));
    let (eve, heard) = hub.comes(&[GREETING, "hello Eve"], at(70));
    assert!(has(&heard, "welcome 2 "), "{heard:?}");
    // After the first move a guest keeps the seat, even in a rematch. The host always does.
    hub.says(host, "propose 1 play A1-E1", at(71));
    let (ann, log) = (hub.lines(host), hub.table.session().log().len());
    assert_eq!(log, 1, "{ann:?}");
    hub.leave(eve, Duration::ZERO, at(80));
    hub.leave(host, Duration::ZERO, at(80));
    hub.tick(Duration::ZERO, at(600));
    assert_eq!(hub.holders.len(), 2);
}

#[test]
fn unused_lobby_table_closes_after_a_minute() {
    let mut hub = table(["guest", "guest"]);
    for number in 0..60 {
        let (who, _) = hub.comes(&[GREETING, &format!("hello Eve{number}")], at(0));
        hub.leave(who, Duration::ZERO, at(1));
    }
    assert_eq!(hub.deadline(), Some(at(61)));
    assert!(!hub.is_over(at(60)) && hub.is_over(at(61)));
    // A move keeps the table open.
    let mut hub = table(["guest", "guest"]);
    let (eve, _) = hub.comes(&[GREETING, "hello Eve"], at(0));
    hub.says(eve, "propose 1 play A1-E1", at(0));
    assert_eq!(hub.table.session().log().len(), 1);
    hub.leave(eve, Duration::ZERO, at(1));
    assert!(!hub.is_over(at(600)) && hub.is_over(at(601)));
    // A host keeps the table open.
    let hub = table(["Ann", "guest"]);
    assert!(!hub.is_over(at(599)) && hub.is_over(at(600)));
}

/// Returns a table where Ann and Bob are seated and Bob's connection is down.
fn table_without_bob() -> (Hub, PersonId) {
    let mut hub = table(["Ann", "guest"]);
    let (ann, _) = hub.comes(&[GREETING, "hello Ann token host-token", "have 0 0"], at(0));
    let (bob, _) = hub.comes(&[GREETING, "hello Bob"], at(0));
    hub.says(ann, "propose 1 play A1-E1", at(0));
    hub.leave(bob, Duration::ZERO, at(0));
    hub.lines(ann);
    (hub, ann)
}

#[test]
fn the_host_decides_about_a_reserved_seat() {
    for (name, asker) in [("Bob", "Bob"), ("Eve", "Eve"), ("Ann", "Ann%202")] {
        let (mut hub, ann) = table_without_bob();
        let (who, heard) = hub.comes(&[GREETING, &format!("hello {name}")], at(1));
        let wait = "wait seat 2 is reserved for Bob, who is away; waiting for Ann to agree";
        assert_eq!(heard.last().unwrap(), wait);
        let question = format!("question 1 {asker} seat 2");
        assert!(has(&hub.lines(ann), &question), "{question}");
        // A player who waits for an answer does not count as silent.
        hub.tick(Duration::ZERO, at(40));
        hub.says(ann, "answer 1 no", at(41));
        assert_eq!(hub.lines(who).last().unwrap(), "no Ann declined");
        hub.close_dropped();
        let (_, heard) = hub.comes(&[GREETING, "hello Bob token token1"], at(42));
        assert!(has(&heard, "welcome 2 token1"), "the seat is still Bob's");
    }
    let (mut hub, ann) = table_without_bob();
    let (who, _) = hub.comes(&[GREETING, "hello Eve"], at(1));
    hub.says(ann, "answer 1 yes", at(2));
    assert!(has(&hub.lines(who), "welcome 2 token2"));
    assert_eq!(hub.table.players().name(quadrille_rules::Seat::SECOND), "Eve");
    let (_, heard) = hub.comes(&[GREETING, "hello Bob token token1"], at(3));
    assert_eq!(heard.last().unwrap(), "full", "the old token is void");
}

#[test]
fn seat_request_ends_with_a_reason() {
    // The absent player returns.
    let (mut hub, ann) = table_without_bob();
    let (eve, _) = hub.comes(&[GREETING, "hello Eve"], at(1));
    hub.comes(&[GREETING, "hello Bob token token1"], at(2));
    assert!(has(&hub.lines(eve), "no "));
    assert!(has(&hub.lines(ann), "settled 1 gone withdrawn"));
    // The asking player leaves.
    let (mut hub, ann) = table_without_bob();
    let (eve, _) = hub.comes(&[GREETING, "hello Eve"], at(1));
    hub.leave(eve, Duration::ZERO, at(2));
    assert!(has(&hub.lines(ann), "settled 1 gone withdrawn"));
    hub.says(ann, "answer 1 yes", at(3));
    assert_eq!(hub.holders.len(), 2);
    let (mut hub, ann) = table_without_bob();
    let (eve, _) = hub.comes(&[GREETING, "hello Eve", "bye"], at(1));
    hub.says(ann, "answer 1 yes", at(3));
    hub.leave(eve, Duration::ZERO, at(3));
    assert!(hub.holders[1].name == "Bob" && hub.holders.len() == 2);
    // The question expires.
    let (mut hub, ann) = table_without_bob();
    let (eve, _) = hub.comes(&[GREETING, "hello Eve"], at(1));
    hub.tick(Duration::ZERO, at(61));
    assert_eq!(hub.lines(eve).last().unwrap(), "no no answer within a minute");
    assert!(has(&hub.lines(ann), "settled 1 gone expired"));
    // The host is absent.
    let (mut hub, ann) = table_without_bob();
    hub.leave(ann, Duration::ZERO, at(1));
    let (_, heard) = hub.comes(&[GREETING, "hello Bob"], at(2));
    let why = "no seat 2 is reserved for Bob, who is away; the host must agree but is away; try again later";
    assert_eq!(heard.last().unwrap(), why);
}

#[test]
fn requests_for_seats_do_not_flood_the_host() {
    let (mut hub, ann) = table_without_bob();
    for number in 0..100 {
        let (who, _) = hub.comes(&[GREETING, &format!("hello Eve{number}")], at(1));
        hub.leave(who, Duration::ZERO, at(1));
        hub.close_dropped();
    }
    let asked = hub.lines(ann).into_iter().filter(|line| line.starts_with("question ")).count();
    assert_eq!(asked, 1);
}

#[test]
fn each_seat_has_one_open_request_and_each_asker_a_pause() {
    let (mut hub, ann) = table_without_bob();
    let reserved = "no seat 2 is reserved for Bob, who is away; ";
    let asks = |hub: &mut Hub, key: &str, name: &str, now: u64| {
        let hello = format!("hello {name}");
        let (who, mut heard) = hub.comes(&[key, GREETING, &hello], at(now));
        hub.close_dropped();
        (who, heard.pop().unwrap())
    };
    let (eve, _) = asks(&mut hub, "key EEEE", "Eve", 1);
    let (_, heard) = asks(&mut hub, "key FFFF", "Finn", 2);
    assert_eq!(heard, format!("{reserved}Eve is asking for this seat; try again later"));
    // The pause begins with the refusal, and applies only to the refused asker.
    hub.says(ann, "answer 1 no", at(30));
    assert_eq!(hub.lines(eve), ["no Ann declined"]);
    hub.close_dropped();
    let (_, heard) = asks(&mut hub, "key EEEE", "Dora", 33);
    assert_eq!(heard, format!("{reserved}requests must be 10 s apart; try again in 7 s"));
    let (bob, heard) = asks(&mut hub, "key BBBB", "Bob", 33);
    assert!(heard.starts_with("wait "), "{heard}");
    // An asker who leaves cannot ask again at once either.
    hub.leave(bob, Duration::ZERO, at(34));
    let (_, heard) = asks(&mut hub, "key BBBB", "Bob", 34);
    assert!(heard.ends_with("try again in 10 s"), "{heard}");
    // The owner of the seat never waits.
    let (eve, heard) = asks(&mut hub, "key EEEE", "Eve", 40);
    assert!(heard.starts_with("wait "), "{heard}");
    let (_, heard) = hub.comes(&[GREETING, "hello Bob token token1"], at(41));
    assert!(has(&heard, "welcome 2 token1"), "{heard:?}");
    assert_eq!(hub.lines(eve), ["no the seat is not free"]);
}

#[test]
fn unverified_connections_and_keys_of_a_name_share_a_pause() {
    let asks = |hub: &mut Hub, identity: &[&str], hello: &str, now: u64| {
        let heard = hub.comes(&[identity, &[GREETING, hello]].concat(), at(now)).1;
        hub.close_dropped();
        heard.last().unwrap().clone()
    };
    for [first, second] in [[&[][..], &[]], [&["as Eve", "key EEEE"], &["as Eve", "key FFFF"]]] {
        let (mut hub, ann) = table_without_bob();
        let heard = asks(&mut hub, first, "hello Eve", 1);
        assert!(heard.starts_with("wait "), "{heard}");
        hub.says(ann, "answer 1 no", at(2));
        hub.close_dropped();
        let heard = asks(&mut hub, second, "hello Dora", 3);
        assert!(heard.ends_with("try again in 9 s"), "{heard}");
        let heard = asks(&mut hub, &["key BBBB"], "hello Dora", 3);
        assert!(heard.starts_with("wait "), "{heard}");
    }
}

#[test]
fn only_a_vouched_name_returns_without_a_question() {
    let mut hub = table(["Ann", "guest"]);
    hub.comes(&[GREETING, "hello Ann token host-token"], at(0));
    let (bob, _) = hub.comes(&["as Bob", GREETING, "hello x"], at(0));
    hub.leave(bob, Duration::ZERO, at(1));
    let (eve, heard) = hub.comes(&["as Eve", GREETING, "hello Bob"], at(2));
    assert!(has(&heard, "wait "), "{heard:?}");
    hub.leave(eve, Duration::ZERO, at(3));
    let (_, heard) = hub.comes(&["as Bob", GREETING, "hello x"], at(4));
    assert!(has(&heard, "welcome 2 token1"), "{heard:?}");
}

#[test]
fn other_user_needs_secret_and_host_consent() {
    let mut hub = table(["Ann", "guest"]);
    hub.secret = Some("sesame".to_owned());
    let (ann, _) = hub.comes(&[GREETING, "hello Ann token host-token", "have 0 0"], at(0));
    hub.lines(ann);
    let mallory = PeerUser { uid: 1001, other_user: Some("mallory".to_owned()) };
    let comes = |hub: &mut Hub, lines: &[&str], now: u64| {
        let who = hub.arrive(mallory.clone(), at(now)).unwrap();
        for line in lines {
            hub.says(who, line, at(now));
        }
        let heard = hub.lines(who);
        (who, heard.last().unwrap().clone())
    };
    let wrong = "no wrong secret; ask the host for the complete command";
    for hello in [
        "hello Bob",
        "hello Bob secret",
        "hello Bob secret sesam",
        "hello Bob watch",
        "hello Bob secret sesame2",
    ] {
        let (_, heard) = comes(&mut hub, &[GREETING, hello], 1);
        assert!(
            heard == wrong || heard == "no say hello first" || heard.starts_with("quadrille-table"),
            "{hello}: {heard}"
        );
        assert_eq!(hub.holders.len(), 1);
        hub.close_dropped();
    }
    let (_, heard) = comes(&mut hub, &[GREETING, "look"], 1);
    assert_eq!(heard, "no this table belongs to another user");
    let (_, heard) = comes(&mut hub, &["quadrille-table 1 old"], 1);
    assert!(heard.starts_with("no this table needs protocol version 2"), "{heard}");
    hub.close_dropped();
    let (who, heard) = comes(&mut hub, &[GREETING, "hello Bob secret sesame"], 2);
    assert_eq!(heard, "wait waiting for Ann to agree");
    let question = hub.lines(ann).into_iter().find(|line| line.starts_with("question ")).unwrap();
    assert_eq!(question, "question 1 Bob%20(user%20mallory) seat 2");
    hub.says(ann, "answer 1 yes", at(3));
    assert!(has(&hub.lines(who), "welcome 2 "));
}

#[test]
fn lobby_players_decide_about_a_reserved_seat() {
    let mut hub = table(["guest", "guest"]);
    let (ann, _) = hub.comes(&[GREETING, "hello Ann", "have 0 0"], at(0));
    let (bob, _) = hub.comes(&[GREETING, "hello Bob"], at(0));
    hub.says(ann, "propose 1 play A1-E1", at(0));
    hub.leave(bob, Duration::ZERO, at(1));
    let (who, heard) = hub.comes(&[GREETING, "hello Bob"], at(2));
    assert!(heard.last().unwrap().ends_with("waiting for Ann to agree"), "{heard:?}");
    hub.says(ann, "answer 1 yes", at(3));
    assert!(has(&hub.lines(who), "welcome 2 "));
}

#[test]
fn name_is_enough_after_a_minute_without_players() {
    for seats in [2, 3] {
        let mut hub = match seats {
            2 => table(["guest", "guest"]),
            _ => table_of("intersections", "players=3", &["guest"; 3]),
        };
        let names = &["Ann", "Bob", "Eve"][..seats];
        let comes = |hub: &mut Hub, name: &str, now: u64| {
            let (who, heard) = hub.comes(&[GREETING, &format!("hello {name}")], at(now));
            (who, heard[1].clone())
        };
        let people: Vec<PersonId> = names.iter().map(|name| comes(&mut hub, name, 0).0).collect();
        let first = hub.table.current_match().legal_moves().remove(0);
        hub.says(people[0], &format!("propose 1 play {first}"), at(0));
        assert!(hub.has_played);
        for (who, now) in people.into_iter().zip(10..) {
            hub.leave(who, Duration::ZERO, at(now));
        }
        let (_, heard) = comes(&mut hub, "Ann", 20);
        let wait = "no seat 1 is reserved for Ann, who is away; without the player's ssh key, try again in 50 s";
        assert_eq!(heard, wait);
        let (_, heard) = comes(&mut hub, "Dan", 100);
        let why = "no seat 1 is reserved for Ann, who is away; no player is here to agree; try again later";
        assert_eq!(heard, why);
        // All players who have lost their lines can go on: the first by name, the others with consent.
        let (ann, heard) = comes(&mut hub, "Ann", 70);
        assert!(heard.starts_with("welcome 1 "), "{heard}");
        for (number, name) in (1..).zip(&names[1..]) {
            let (who, heard) = comes(&mut hub, name, 71);
            assert!(heard.ends_with("waiting for Ann to agree"), "{heard}");
            hub.says(ann, &format!("answer {number} yes"), at(72));
            assert!(has(&hub.lines(who), "welcome "));
            hub.leave(who, Duration::ZERO, at(72));
        }
    }
}

#[test]
fn token_key_or_vouched_name_returns_at_once() {
    let bob = ["key AAAA", GREETING, "hello Bob"];
    let returns = |hub: &mut Hub, lines: &[&str]| {
        let (who, heard) = hub.comes(lines, at(2));
        hub.leave(who, Duration::ZERO, at(2));
        heard[1].starts_with("welcome 2 ")
    };
    for players in [["guest", "guest"], ["Ann", "guest"]] {
        let mut hub = table(players);
        let ann = if players[0] == "Ann" { "hello Ann token host-token" } else { "hello Ann" };
        let (ann, _) = hub.comes(&["key CCCC", GREETING, ann], at(0));
        let (who, _) = hub.comes(&bob, at(0));
        hub.says(ann, "propose 1 play A1-E1", at(0));
        hub.leave(who, Duration::ZERO, at(1));
        hub.leave(ann, Duration::ZERO, at(1));
        // The last of these is a different key with a different vouched name.
        for wrong in [
            &[GREETING, "hello Bob"][..],
            &["key BBBB", GREETING, "hello Bob"],
            &["as Eve", "key AAAAx", GREETING, "hello Bob"],
        ] {
            assert!(!returns(&mut hub, wrong), "{wrong:?}");
        }
        let token = hub.holders.iter().find(|holder| holder.name == "Bob").unwrap().token.clone();
        assert!(returns(&mut hub, &bob));
        assert!(returns(&mut hub, &["key AAAA", GREETING, "hello Dora"]), "the key decides");
        assert!(returns(&mut hub, &[GREETING, &format!("hello x token {token}")]));
    }
}

#[test]
fn vouched_name_may_have_several_keys_and_a_key_several_names() {
    let mut hub = table_of("intersections", "players=3", &["guest"; 3]);
    let (bob, _) = hub.comes(&["as Bob", "key AAAA", GREETING, "hello x"], at(0));
    let (eve, heard) = hub.comes(&["as Eve", "key AAAA", GREETING, "hello x"], at(0));
    assert!(has(&heard, "welcome 2 "), "{heard:?}");
    let (dan, heard) = hub.comes(&["key BBBB", GREETING, "hello Dan"], at(0));
    assert!(has(&heard, "welcome 3 "), "{heard:?}");
    for who in [bob, eve, dan] {
        hub.leave(who, Duration::ZERO, at(1));
    }
    let (_, heard) = hub.comes(&["as Eve", "key CCCC", GREETING, "hello x"], at(2));
    assert!(has(&heard, "welcome 2 "), "{heard:?}");
    let (_, heard) = hub.comes(&["as Bob", "key BBBB", GREETING, "hello x"], at(2));
    assert!(has(&heard, "welcome 1 "), "{heard:?}");
}

#[test]
fn identity_counts_only_before_the_greeting_and_from_the_own_account() {
    let mut hub = table(["guest", "guest"]);
    for lines in [
        &["key AAAA", "key BBBB"][..],
        &["key AAAA", "as Bob", "as Eve"],
        &[GREETING, "key AAAA", "hello Bob"],
        &[GREETING, "as Bob", "hello Bob"],
    ] {
        let (_, heard) = hub.comes(lines, at(0));
        assert!(has(&heard, "no "), "{lines:?}: {heard:?}");
    }
    let mallory = PeerUser { uid: 1001, other_user: Some("mallory".to_owned()) };
    for line in ["key AAAA", "as Bob"] {
        let who = hub.arrive(mallory.clone(), at(0)).unwrap();
        hub.says(who, line, at(0));
        assert_eq!(hub.lines(who), ["no only the host's account can verify names"]);
    }
}

#[test]
fn removed_token_takes_no_free_seat() {
    let mut hub = table(["Ann", "guest"]);
    let (ann, _) = hub.comes(&[GREETING, &format!("hello Ann token {HOST}")], at(0));
    let (bob, heard) = hub.comes(&[GREETING, "hello Bob"], at(0));
    assert!(has(&heard, "welcome 2 token1"), "{heard:?}");
    hub.leave(bob, Duration::ZERO, at(1));
    hub.says(ann, "remove Bob", at(2));
    let (_, heard) = hub.comes(&[GREETING, "hello Bob token token1"], at(3));
    assert!(has(&heard, "no the host removed you from the table"), "{heard:?}");
    // A new player needs the host's consent.
    let (_, heard) = hub.comes(&[GREETING, "hello Bob"], at(4));
    assert!(has(&heard, "wait "), "{heard:?}");
}

/// Opens a table of Making Intersections for Ann, Bob and Eve, who have made three moves. Returns the players.
fn three() -> (Hub, [PersonId; 3]) {
    let players = ["Ann", "guest", "guest"].map(|player| player.parse().unwrap()).to_vec();
    let entry = catalogue::find("intersections").unwrap();
    let setup = "players=3".parse().unwrap();
    let table = Table::new(entry, &setup, Conditions::from(players)).unwrap();
    let mut hub = open(table, "Ann", seating());
    let ann = hub.comes(&[GREETING, "hello Ann token host-token", "have 0 0"], at(0)).0;
    let bob = hub.comes(&[GREETING, "hello Bob", "have 0 0"], at(0)).0;
    let eve = hub.comes(&[GREETING, "hello Eve", "have 0 0"], at(0)).0;
    for (number, who) in (1..).zip([ann, bob, eve]) {
        let mv = hub.table.current_match().legal_moves().remove(0);
        hub.says(who, &format!("propose {number} play {mv}"), at(1));
    }
    assert_eq!(hub.table.session().log().len(), 3);
    (hub, [ann, bob, eve])
}

/// Opens a new table for the match of this one, whose process has ended.
fn resumed(hub: &Hub, seating: Seating) -> Hub {
    let opening = Opening {
        seating,
        idle: at(600),
        pace: PACE,
        journal: Some("journal".to_owned()),
        host_name: "Ann".to_owned(),
    };
    let (read, table) = Opening::read(&opening.write(hub.table())).unwrap();
    assert_eq!(read, opening);
    open(table, "Ann", read.seating)
}

#[test]
fn seats_stay_with_their_tokens_after_a_resume() {
    let (hub, _) = three();
    let names = hub.table.players().names();
    let mut hub = resumed(&hub, hub.seating());
    // In the wrong order, and after a stranger.
    let (_, heard) = hub.comes(&[GREETING, "hello Zoe"], at(0));
    assert!(has(&heard, "no seat 2 is reserved for Bob, who is away; the host must agree"));
    for (hello, seat) in [("hello Eve token token2", 3), ("hello Bob token token1", 2)] {
        let (_, heard) = hub.comes(&[GREETING, hello], at(0));
        assert!(has(&heard, &format!("welcome {seat} ")), "{heard:?}");
    }
    // The host's first terminal has the old token. It takes no seat and does not displace the newer terminal.
    let (ann, _) = hub.comes(&[GREETING, "hello Host token host-token move", "have 0 0"], at(0));
    let (_, heard) = hub.comes(&[GREETING, "hello Host token host-token"], at(0));
    assert_eq!(heard.last().unwrap(), "moved You resumed this match in another terminal");
    assert!(!hub.has_dropped(ann));
    assert_eq!(hub.table.players().names(), names);
    // The same after another resume.
    let second = hub.host_token().to_owned();
    let mut hub = resumed(&hub, hub.seating());
    hub.comes(&[GREETING, &format!("hello Host token {second} move"), "have 0 0"], at(0));
    for token in [HOST, &second] {
        let (_, heard) = hub.comes(&[GREETING, &format!("hello Host token {token}")], at(0));
        assert!(has(&heard, "moved "), "{heard:?}");
    }
}

#[test]
fn names_in_the_journal_reserve_the_seats_of_an_old_match() {
    let (hub, _) = three();
    let mut number = 0;
    let mut tokens = || {
        number += 1;
        Ok::<String, ()>(format!("unknown{number}"))
    };
    let players = hub.table.players();
    let guests = Seating::guests_by_name(players, None, &mut tokens).unwrap();
    let freed = Seating::guests_by_name(players, Some(Seat::SECOND), &mut tokens).unwrap();
    assert_eq!(freed.iter().map(|guest| &*guest.name).collect::<Vec<_>>(), ["Eve"]);
    let mut hub = resumed(&hub, Seating { guests, ..seating() });
    let (ann, _) = hub.comes(&[GREETING, "hello Ann token host-token", "have 0 0"], at(0));
    for (number, name) in [(1, "Eve"), (2, "Bob")] {
        let (who, heard) = hub.comes(&[GREETING, &format!("hello {name}")], at(0));
        assert!(has(&heard, &format!("wait seat {} is reserved for {name}", 4 - number)));
        hub.says(ann, &format!("answer {number} yes"), at(1));
        assert!(has(&hub.lines(who), &format!("welcome {} ", 4 - number)));
    }
}

#[test]
fn moved_seat_has_a_new_token() {
    let (mut hub, [ann, bob, _]) = three();
    let (lost, heard) = hub.comes(&[GREETING, "hello Bob token token1 move"], at(2));
    assert!(has(&heard, "welcome 2 token3"), "{heard:?}");
    assert_eq!(hub.lines(bob).last().unwrap(), "moved You joined from another terminal");
    // The welcome is lost in transit, so the old token must still be valid.
    hub.leave(lost, Duration::ZERO, at(2));
    let (_, heard) = hub.comes(&[GREETING, "hello Bob token token1 move", "have 0 0"], at(3));
    assert!(has(&heard, "welcome 2 token4"), "{heard:?}");
    for token in ["token1", "token3"] {
        let (_, heard) = hub.comes(&[GREETING, &format!("hello Bob token {token}")], at(4));
        assert_eq!(heard.last().unwrap(), "moved You joined from another terminal");
    }
    // A reconnect of the same terminal changes nothing.
    let (_, heard) = hub.comes(&[GREETING, "hello Bob token token4", "have 0 0"], at(5));
    assert!(has(&heard, "welcome 2 token4"), "{heard:?}");
    // The host who returns to an open table also displaces the first terminal for good.
    hub.comes(&[GREETING, "hello Host token host-token move", "have 0 0"], at(6));
    let moved = "moved You resumed this match in another terminal";
    assert_eq!(hub.lines(ann).last().unwrap(), moved);
    let (_, heard) = hub.comes(&[GREETING, "hello Host token host-token"], at(7));
    assert_eq!(heard.last().unwrap(), moved);
    assert_eq!(hub.host_token(), "token5");
}

#[test]
fn second_terminal_takes_another_seat_or_is_asked() {
    let (mut hub, [_, _, eve]) = three();
    hub.says(eve, "bye", at(1));
    let beside = "hello Bob token token1 beside";
    let (second, heard) = hub.comes(&[GREETING, beside], at(2));
    assert!(has(&heard, "welcome 3 "), "{heard:?}");
    assert!(has(&heard, "presence Bob%202 here 3"), "{heard:?}");
    let (_, heard) = hub.comes(&[GREETING, beside], at(3));
    assert_eq!(heard.last().unwrap(), "elsewhere");
    // The seat of a different absent player is not free.
    hub.leave(second, Duration::ZERO, at(4));
    let (_, heard) = hub.comes(&[GREETING, beside], at(5));
    assert_eq!(heard.last().unwrap(), "elsewhere");
}

#[test]
fn vouched_player_can_move_without_a_token() {
    let mut hub = table(["Ann", "guest"]);
    let bob = ["as Bob", GREETING, "hello Bob", "have 0 0"];
    let (first, heard) = hub.comes(&bob, at(0));
    assert!(has(&heard, "welcome 2 token1"), "{heard:?}");
    assert_eq!(hub.comes(&bob, at(1)).1.last().unwrap(), "elsewhere");
    let (_, heard) = hub.comes(&["as Bob", GREETING, "hello Bob move", "have 0 0"], at(2));
    assert!(has(&heard, "welcome 2 token2"), "{heard:?}");
    assert!(hub.has_dropped(first));
    let (_, heard) = hub.comes(&["as Bob", GREETING, "hello Bob token token1"], at(3));
    assert_eq!(heard.last().unwrap(), "moved You joined from another terminal");
    // The vouched name is valid after a resume too; the name alone is not.
    let mut hub = resumed(&hub, hub.seating());
    assert!(has(&hub.comes(&[GREETING, "hello Bob"], at(4)).1, "no seat 2 is reserved for Bob"));
    assert!(has(&hub.comes(&bob, at(5)).1, "welcome 2 "));
}

#[test]
fn clock_of_a_resumed_match_waits_for_the_guests() {
    let players = ["Ann", "guest"].map(|player| player.parse().unwrap()).to_vec();
    let conditions = Conditions::from(players).with_clock(Some("60+0".parse().unwrap()));
    let entry = catalogue::find("quixo").unwrap();
    let mut hub = open(Table::new(entry, &Setup::new(), conditions).unwrap(), "Ann", seating());
    hub.comes(&[GREETING, "hello Bob"], at(0));
    let mut hub = resumed(&hub, hub.seating());
    hub.comes(&[GREETING, "hello Ann token host-token", "have 0 0"], at(0));
    hub.tick(Duration::ZERO, at(30));
    assert!(!hub.time_runs());
    hub.comes(&[GREETING, "hello Bob token token1", "have 0 0"], at(31));
    hub.tick(Duration::ZERO, at(41));
    assert!(hub.time_runs());
}

#[test]
fn greeting_names_the_table_and_its_host() {
    let mut hub = table(["Ann", "guest"]);
    let version = env!("CARGO_PKG_VERSION");
    let (_, heard) = hub.comes(&[GREETING], at(0));
    assert_eq!(heard, [format!("quadrille-table 2 {version} id table-id host Ann")]);
    let mallory = PeerUser { uid: 1001, other_user: Some("mallory".to_owned()) };
    let who = hub.arrive(mallory, at(0)).unwrap();
    hub.says(who, GREETING, at(0));
    assert_eq!(hub.lines(who), [format!("quadrille-table 2 {version} id table-id")]);
    let (_, heard) = table(["guest", "guest"]).comes(&[GREETING], at(0));
    assert!(!heard[0].contains("host"), "{heard:?}");
}

/// Opens a table at which an engine is to move, and asks it at 10 s.
fn thinking(clock: Option<&str>) -> Hub {
    let players = ["engine:casual", "Ann"].map(|player| player.parse().unwrap()).to_vec();
    let clock = clock.map(|clock| clock.parse().unwrap());
    let entry = catalogue::find("tic-tac-toe").unwrap();
    let table = Table::new(entry, &Setup::new(), Conditions::from(players).with_clock(clock));
    let mut hub = open(table.unwrap(), "Ann", seating());
    let question = hub.question(7, Duration::ZERO, at(10)).unwrap();
    assert!(matches!(question.ask, Ask::Move { .. }));
    hub
}

impl Hub {
    fn engine_plays(&mut self, mv: &str) {
        let (mv, why, report) = (mv.to_owned(), None, Report::default());
        self.engine_event(EngineEvent::Chosen { mv, why, report }, at(1));
    }

    fn moves(&self) -> usize {
        self.table.current_match().moves().len()
    }
}

#[test]
fn engine_moves_when_its_minimum_time_is_over() {
    let mut hub = thinking(None);
    hub.engine_plays("b2");
    assert_eq!((hub.moves(), hub.deadline()), (0, Some(at(10) + PACE)));
    hub.tick(at(1), at(11));
    assert_eq!(hub.moves(), 0);
    hub.tick(at(2), at(12));
    assert_eq!(hub.moves(), 1);
    assert!(hub.deadline() > Some(at(12)), "nothing is due");
    // A late move is played at once.
    let mut hub = thinking(None);
    hub.tick(at(2), at(12));
    assert_eq!(hub.moves(), 0);
    hub.engine_plays("b2");
    assert_eq!(hub.moves(), 1);
}

#[test]
fn engine_on_a_clock_moves_at_once() {
    let mut hub = thinking(Some("300"));
    assert!(hub.deadline() > Some(at(10) + PACE));
    hub.engine_plays("b2");
    assert_eq!(hub.moves(), 1);
}

/// The opponent resigns while the engine's move is held.
#[test]
fn held_move_is_dropped_when_the_match_changes() {
    let mut hub = thinking(None);
    hub.engine_plays("b2");
    hub.table.apply(Actor::Seat(Seat::SECOND), &Step::Resign, at(1)).unwrap();
    hub.settle(at(1));
    hub.tick(at(2), at(12));
    assert_eq!(hub.moves(), 0);
    assert!(hub.table.current_match().termination().is_some());
}

#[test]
fn guests_wake_only_a_table_that_its_host_has_not_closed() {
    let can_wake = |hub: &Hub| hub.seating().can_wake;
    let mut hub = table(["Ann", "guest"]);
    assert!(can_wake(&hub));
    hub.close("the table was told to stop");
    assert!(can_wake(&hub));
    for close in ["close", "close token host-token"] {
        let mut hub = table(["Ann", "guest"]);
        match close {
            "close" => {
                let hello = format!("hello Ann token {HOST}");
                let (ann, _) = hub.comes(&[GREETING, &hello, "have 0 0"], at(0));
                hub.says(ann, close, at(1));
            }
            _ => drop(hub.comes(&[GREETING, "close host-token"], at(0))),
        }
        assert!(hub.is_over(at(1)) && !can_wake(&hub), "{close}");
    }
    // A table of a lobby has no host, and a shared one asks each guest for its secret.
    assert!(!can_wake(&table(["guest", "guest"])));
    let shared = Seating { secret: Some("secret".to_owned()), ..seating() };
    let entry = catalogue::find("quixo").unwrap();
    let seats = |player: &str| [player, "guest"].map(|player| player.parse().unwrap()).to_vec();
    let match_of =
        |player: &str| Table::new(entry, &Setup::new(), Conditions::from(seats(player))).unwrap();
    assert!(!can_wake(&open(match_of("Ann"), "Ann", shared)));
    assert!(!can_wake(&open(match_of("cmd:./program"), "Ann", seating())));
}

#[test]
fn clock_of_a_woken_match_waits_for_the_host() {
    let players = ["Ann", "guest"].map(|player| player.parse().unwrap()).to_vec();
    let conditions = Conditions::from(players).with_clock(Some("60+0".parse().unwrap()));
    let entry = catalogue::find("quixo").unwrap();
    let mut hub = open(Table::new(entry, &Setup::new(), conditions).unwrap(), "Ann", seating());
    hub.comes(&[GREETING, "hello Bob"], at(0));
    let mut hub = resumed(&hub, hub.seating());
    hub.comes(&[GREETING, "hello Bob token token1", "have 0 0"], at(0));
    hub.tick(Duration::ZERO, at(60));
    assert!(!hub.time_runs());
    hub.comes(&[GREETING, "hello Ann token host-token", "have 0 0"], at(61));
    hub.tick(Duration::ZERO, at(71));
    assert!(hub.time_runs());
}
