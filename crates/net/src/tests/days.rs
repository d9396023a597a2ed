//! Tests of a match with days per move at a table. The time is a value: nothing waits.

use super::*;
use jiff::Timestamp;
use quadrille_match::session::Termination;

const HOUR: u64 = 3600;
const DAYS: u64 = 3 * 24 * HOUR;

/// Opens a table with three days per move, whose match has begun and in which Ann has moved. Returns the room with Ann's
/// and Bob's terminals.
fn under_way() -> (Room, usize, usize) {
    let entry = catalogue::find("tic-tac-toe").unwrap();
    let players = ["Ann", "guest"].map(|text| text.parse().unwrap()).to_vec();
    let conditions = Conditions::from(players).with_clock(Some("3d".parse().unwrap()));
    let mut room = Room::with(&Table::new(entry, &Setup::new(), conditions).unwrap());
    let (host, bob) = (room.host(), room.guest("Bob"));
    room.say(host, "propose 1 seat 1 play b2");
    assert_eq!(refusals(&mut room, host), ["the match begins when all seats are taken"]);
    assert!(room.hub.table().session().log().is_empty() && !room.hub.time_runs());
    room.hub.begin(Timestamp::from_second(1_795_823_432).unwrap());
    room.pump();
    for who in [host, bob] {
        let table = room.table(who);
        assert!(table.session().began().is_some() && table.peers().unwrap().time_runs);
    }
    room.clock = at(HOUR);
    room.say(host, "propose 2 seat 1 play b2");
    assert_eq!(room.hub.table().current_match().ply(), 1);
    (room, host, bob)
}

fn ended(room: &mut Room, who: usize) -> Option<Termination> {
    room.table(who).current_match().termination().cloned()
}

fn refusals(room: &mut Room, who: usize) -> Vec<String> {
    let news = room.take_news(who).into_iter();
    let refused = news.filter_map(|news| match news {
        TableNews::Refused(why) => Some(why),
        _ => None,
    });
    refused.collect()
}

/// The proposals cross: what the table gets first counts.
#[test]
fn move_and_claim_count_in_the_order_of_arrival() {
    for claim_first in [true, false] {
        let (mut room, host, bob) = under_way();
        room.clock = at(HOUR + DAYS);
        let lines = [(host, "propose 3 seat 1 claim"), (bob, "propose 3 seat 2 play a1")];
        let [first, second] = if claim_first { lines } else { [lines[1], lines[0]] };
        room.take_news(second.0);
        room.say(first.0, first.1);
        room.say(second.0, second.1);
        assert_eq!(refusals(&mut room, second.0), ["the match has moved on"]);
        let expected = claim_first.then_some(Termination::Time(Seat::SECOND));
        for who in [host, bob] {
            assert_eq!(ended(&mut room, who), expected);
            assert_eq!(room.table(who).session().log().len(), 3);
        }
    }
}

#[test]
fn only_an_opponent_of_the_overdue_player_decides() {
    let (mut room, host, bob) = under_way();
    for step in ["claim", "more-time"] {
        room.clock = at(HOUR + DAYS - 1);
        room.say(host, &format!("propose 3 seat 1 {step}"));
        assert_eq!(refusals(&mut room, host), ["your opponent is not overdue"]);
        room.clock = at(HOUR + DAYS);
        room.say(bob, &format!("propose 3 seat 2 {step}"));
        room.say(bob, &format!("propose 3 seat 1 {step}"));
        let why = ["only an opponent can do that", "seat 1 is not yours"];
        assert_eq!(refusals(&mut room, bob), why);
        let watcher = room.join(join_request("Eve", SeatRequest::Watch));
        room.say(watcher, &format!("propose 3 seat 1 {step}"));
        assert_eq!(refusals(&mut room, watcher), ["spectators cannot play"]);
    }
    room.say(host, "propose 3 seat 1 more-time");
    let due = Some(at(HOUR + 2 * DAYS));
    for who in [host, bob] {
        assert_eq!(room.table(who).session().due(), due);
    }
    // A begin, a pause and an end come only from the table itself.
    for step in ["begin 1", "pause", "end time: 2"] {
        room.say(host, &format!("propose 4 seat 1 {step}"));
        assert_eq!(refusals(&mut room, host), ["you are not allowed to do that"]);
    }
}

/// The table looks only long after the time has run out: the loss has the moment at which it ran out.
#[test]
fn loss_is_entered_with_its_moment() {
    let (mut room, host, bob) = under_way();
    assert!(!room.hub.flag(at(HOUR + 2 * DAYS - 1)));
    assert!(room.hub.flag(at(HOUR + 5 * DAYS)));
    room.pump();
    for who in [host, bob] {
        let last = room.table(who).session().log().last().unwrap().to_string();
        assert_eq!(last, "3 522000000 arbiter end time: 2");
    }
    room.request(host, ClientRequest::Ask(Request::Rematch { swap: false }));
    let why = "with days per move, open a new match instead of a rematch";
    assert_eq!(refusals(&mut room, host), [why]);
}

#[test]
fn visits_leave_no_trace_in_the_log() {
    let (mut room, host, bob) = under_way();
    for hours in [2, 3] {
        room.clock = at(hours * HOUR);
        for who in [host, bob] {
            room.drop_line(who);
            room.connect(who);
        }
        let now = room.clock;
        room.hub.pause(now);
        assert_eq!(room.hub.table().session().log().len(), 2);
    }
}
