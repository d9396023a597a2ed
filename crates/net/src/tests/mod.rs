//! The hub and followers, connected within this process.

mod days;
mod questions;

use super::protocol::{Hello, LogChecksum, SeatRequest};
use super::*;
use quadrille_match::session::{Actor, Conditions, Player, Session, Step};
use quadrille_rules::{Seat, Setup};
use quadrille_table::catalogue::{self, GAMES};
use quadrille_table::play::{
    Attendance, ClientRequest, LineState, OpenQuestion, QuestionKind, Request, Table, TableNews,
};
use std::time::Duration;

const NOW: Duration = Duration::ZERO;
const PEER: PeerUser = PeerUser { uid: 1000, other_user: None };
const HOST: &str = "host-token";
const ID: &str = "table-id";
const GREETING: &str = "quadrille-table 2 test";

fn at(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn people(words: &str, is_missed: bool) -> TableNews {
    TableNews::People { words: words.to_owned(), is_missed }
}

/// A hub with its connected terminals.
struct Room {
    hub: Hub,
    terminals: Vec<Terminal>,
    clock: Duration,
}

struct Terminal {
    person: Option<PersonId>,
    follower: Follower,
    table: Option<Table>,
    news: Vec<TableNews>,
    left: Option<String>,
}

impl Room {
    fn open(game: &str, setup: &str, players: &[&str]) -> Room {
        let entry = catalogue::find(game).unwrap();
        let players: Vec<Player> = players.iter().map(|text| text.parse().unwrap()).collect();
        let setup: Setup = setup.parse().unwrap();
        Room::with(&Table::new(entry, &setup, Conditions::from(players)).unwrap())
    }

    fn with(table: &Table) -> Room {
        let opening = opening();
        let (opening, table) = Opening::read(&opening.write(table)).unwrap();
        let mut number = 0;
        let tokens = move || {
            number += 1;
            format!("token{number}")
        };
        let hub = Hub::new(table, &opening, Box::new(tokens)).unwrap();
        Room { hub, terminals: Vec::new(), clock: Duration::ZERO }
    }

    /// Adds a terminal, which takes a seat if it may.
    fn join(&mut self, join_request: JoinRequest) -> usize {
        self.come_verified(&[], join_request)
    }

    /// Adds a terminal for which a process of the host's account sends these lines first.
    fn come_verified(&mut self, identity: &[&str], join_request: JoinRequest) -> usize {
        let follower = Follower::new(join_request);
        let (person, table, news, left) = (None, None, Vec::new(), None);
        self.terminals.push(Terminal { person, follower, table, news, left });
        self.connect_verified(self.terminals.len() - 1, identity);
        self.terminals.len() - 1
    }

    fn host(&mut self) -> usize {
        let token = Some(HOST.to_owned());
        let hello = Hello { name: "Ann".to_owned(), token, ..Hello::default() };
        let invitation = Some(Vec::new());
        self.join(JoinRequest { hello, invitation, ..JoinRequest::default() })
    }

    fn guest(&mut self, name: &str) -> usize {
        self.join(join_request(name, SeatRequest::Any))
    }

    fn connect(&mut self, index: usize) {
        self.connect_verified(index, &[]);
    }

    fn connect_verified(&mut self, index: usize, identity: &[&str]) {
        let person = self.hub.arrive(PEER, NOW).unwrap();
        for line in identity {
            self.hub.on_line(person, line, NOW, NOW);
        }
        let terminal = &mut self.terminals[index];
        terminal.person = Some(person);
        terminal.follower.connected();
        self.hub.on_line(person, GREETING, self.clock, NOW);
        self.pump();
    }

    /// Drops a terminal's connection. Messages in transit are lost.
    fn drop_line(&mut self, index: usize) {
        let terminal = &mut self.terminals[index];
        if let Some(person) = terminal.person.take() {
            self.hub.leave(person, self.clock, NOW);
        }
        if let Some(table) = &mut terminal.table {
            terminal.follower.line_down("the line was cut", table);
        }
        self.pump();
    }

    /// Delivers lines until none are left.
    fn pump(&mut self) {
        loop {
            let mut said_something = false;
            for index in 0..self.terminals.len() {
                while self.take_line(index) {
                    said_something = true;
                }
                said_something |= self.send_requests(index);
            }
            if !said_something {
                break;
            }
        }
        for who in self.hub.dropped() {
            self.hub.leave(who, self.clock, NOW);
        }
    }

    fn take_line(&mut self, index: usize) -> bool {
        let terminal = &mut self.terminals[index];
        let Some(person) = terminal.person else { return false };
        let Some(line) = self.hub.next_line(person) else { return false };
        match terminal.follower.on_line(&line, terminal.table.as_mut()) {
            Ok(progress) => {
                terminal.news.extend(progress.news);
                if progress.table.is_some() {
                    terminal.table = progress.table;
                }
                for line in progress.replies {
                    self.hub.on_line(person, &line, self.clock, NOW);
                }
            }
            Err(why) => {
                terminal.left = Some(why);
                terminal.person = None;
                self.hub.leave(person, self.clock, NOW);
            }
        }
        true
    }

    fn send_requests(&mut self, index: usize) -> bool {
        let terminal = &mut self.terminals[index];
        let Some(table) = &mut terminal.table else { return false };
        let requests = table.peers_mut().unwrap().take_requests();
        let lines: Vec<String> = requests
            .into_iter()
            .filter_map(|request| terminal.follower.request_line(request, table))
            .collect();
        let Some(person) = terminal.person else { return false };
        for line in &lines {
            self.hub.on_line(person, line, self.clock, NOW);
        }
        !lines.is_empty()
    }

    fn table(&mut self, index: usize) -> &mut Table {
        self.terminals[index].table.as_mut().unwrap()
    }

    fn request(&mut self, index: usize, request: ClientRequest) {
        self.table(index).peers_mut().unwrap().request(request).unwrap();
        self.clock += Duration::from_millis(700);
        self.pump();
    }

    /// Sends a raw line from a terminal.
    fn say(&mut self, index: usize, line: &str) {
        let person = self.terminals[index].person.unwrap();
        self.hub.on_line(person, line, self.clock, NOW);
        self.pump();
    }

    /// Returns the only question that a terminal has to answer.
    fn asked(&mut self, index: usize) -> OpenQuestion {
        let open: Vec<OpenQuestion> =
            self.table(index).peers().unwrap().to_answer().cloned().collect();
        assert_eq!(open.len(), 1, "{open:?}");
        open[0].clone()
    }

    fn answer(&mut self, index: usize, yes: bool) {
        let number = self.asked(index).number;
        self.request(index, ClientRequest::Answer { number, yes });
    }

    fn take_news(&mut self, index: usize) -> Vec<TableNews> {
        std::mem::take(&mut self.terminals[index].news)
    }

    fn last_refusal(&mut self, index: usize) -> Option<String> {
        self.take_news(index).into_iter().rev().find_map(|news| match news {
            TableNews::Refused(why) => Some(why),
            _ => None,
        })
    }

    /// Asserts that all ends have the same log and position.
    fn assert_same(&self) {
        let session = self.hub.table().session();
        for terminal in &self.terminals {
            let Some(table) = &terminal.table else { continue };
            assert_eq!(table.session().log(), session.log());
            assert_eq!(table.current_match().node(), session.current_match().node());
            assert_eq!(table.players().names().len(), session.players().names().len());
        }
    }
}

fn join_request(name: &str, wanted: SeatRequest) -> JoinRequest {
    let hello = Hello { name: name.to_owned(), wanted, ..Hello::default() };
    JoinRequest { hello, ..JoinRequest::default() }
}

fn opening() -> Opening {
    Opening {
        seating: Seating {
            id: ID.to_owned(),
            table: "quixo".to_owned(),
            host_token: HOST.to_owned(),
            ..Seating::default()
        },
        idle: at(600),
        pace: Duration::from_millis(400),
        journal: Some("some-journal".to_owned()),
        host_name: "Ann".to_owned(),
    }
}

#[test]
fn opening_round_trips() {
    let entry = catalogue::find("dots-and-boxes").unwrap();
    let players = ["Ann", "guest,hints:Bob"].map(|text| text.parse().unwrap()).to_vec();
    let conditions = Conditions::from(players).with_clock(Some("300+5".parse().unwrap()));
    let mut table = Table::new(entry, &"size=3".parse().unwrap(), conditions).unwrap();
    for mv in ["H0,0", "V0,0"] {
        let by = Actor::Seat(table.current_match().to_move().unwrap());
        table.apply(by, &Step::Play(mv.to_owned()), at(3)).unwrap();
    }
    let text = opening().write(&table);
    let (read, again) = Opening::read(&text).unwrap();
    assert_eq!((read.write(&again), &read), (text, &opening()));
    assert_eq!(again.session().log(), table.session().log());
    assert_eq!(again.session().conditions(), table.session().conditions());
    assert!(Opening::read("table x\n").err().unwrap().contains("idle"));
}

/// A program named in a foreign journal is seated as a person, and must not become a program in the table's process.
#[test]
fn opening_starts_no_program_named_like_a_person() {
    let entry = catalogue::find("intersections").unwrap();
    let mine = "cmd:./mine".parse().unwrap();
    let players = vec![Player::named("cmd:touch F"), Player::named("Bob"), mine];
    let table = Table::new(entry, &"players=3".parse().unwrap(), players.into()).unwrap();
    let (_, again) = Opening::read(&opening().write(&table)).unwrap();
    assert_eq!(again.players().as_slice(), table.players().as_slice());
    assert_eq!(again.players().programs().count(), 1);
}

/// All ends have the same match in every game, even if connections drop at random.
#[test]
fn all_ends_agree_on_the_match_after_dropped_lines() {
    fastrand::seed(36);
    let mut drops = 0;
    for entry in &GAMES {
        for _ in 0..12 {
            let seats = (entry.start)(&Setup::new()).unwrap().seats();
            let players = vec!["guest"; usize::from(seats)];
            let mut players = players;
            players[0] = "Ann";
            let (setup, _) = entry.sample;
            let mut room = Room::open(entry.id, setup, &players[..2.min(players.len())]);
            let host = room.host();
            while room.hub.table().players().guests().count() > room.terminals.len() - 1 {
                room.guest("Bob");
            }
            while let Some(turn) = room.hub.table().current_match().to_move() {
                let moves = room.hub.table().current_match().legal_moves();
                let mv = moves[fastrand::usize(..moves.len())].clone();
                let index = (0..room.terminals.len())
                    .find(|&index| room.table(index).local().contains(turn))
                    .unwrap();
                if fastrand::u8(..4) == 0 {
                    let dropped = fastrand::usize(..room.terminals.len());
                    if fastrand::bool() {
                        // The proposal arrives, but the answer is lost.
                        let played = room.table(index).play_move(&mv, Duration::ZERO);
                        assert!(played.is_ok());
                        room.clock += at(1);
                        room.send_requests(index);
                        room.drop_line(index);
                        room.connect(index);
                    }
                    room.drop_line(dropped);
                    room.connect(dropped);
                    drops += 2;
                    continue;
                }
                room.clock += Duration::from_millis(fastrand::u64(1..5000));
                room.table(index).play_move(&mv, Duration::ZERO).unwrap();
                room.pump();
                room.assert_same();
                if room.hub.table().session().log().len() > 400 {
                    let seat = room.table(host).local().iter().next().unwrap();
                    room.request(host, ClientRequest::Take(seat, Step::Resign));
                }
            }
            room.assert_same();
            assert!(room.terminals.iter().all(|terminal| terminal.left.is_none()));
        }
    }
    assert!(drops > 200, "{drops} drops");
}

#[test]
fn guest_plays_only_its_own_seat() {
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    let (host, bob) = (room.host(), room.guest("Bob"));
    assert_eq!(room.hub.table().players().name(Seat::SECOND), "Bob");
    assert_eq!(room.table(host).players().name(Seat::SECOND), "Bob");
    for (line, why) in [
        ("propose 1 play a1", "seat 1 is to move"),
        ("propose 1 seat 1 play a1", "seat 1 is not yours"),
        ("propose 1 seat 1 resign", "seat 1 is not yours"),
        ("propose 1 go 0", "request a take-back"),
        ("propose 1 line 1", "you are not allowed to do that"),
        ("propose 1 pause", "you are not allowed to do that"),
        ("propose 1 end time: 1", "you are not allowed to do that"),
        ("propose 1 end agreed", "you are not allowed to do that"),
        ("propose 1 offer-draw", "request a draw"),
        ("propose 1 accept-draw", "request a draw"),
        ("propose 7 play a1", "the match has moved on"),
        ("ask takeback 9", "there is no position 9"),
        ("ask takeback 0", "already there"),
        ("ask rematch", "the match has not ended"),
        ("close", "only the host can close the table"),
        ("hello Eve", "duplicate greeting"),
    ] {
        room.say(bob, line);
        assert_eq!(room.last_refusal(bob).as_deref(), Some(why), "{line}");
    }
    assert!(room.hub.table().session().log().is_empty());
    room.say(host, "propose 1 play b2");
    room.say(host, "propose 1 play b2");
    assert_eq!(room.last_refusal(host), None, "the same proposal again does no harm");
    room.say(bob, "propose 2 play b2");
    assert_eq!(room.last_refusal(bob).as_deref(), Some("b2 already has an X"));
    room.say(bob, "ask draw");
    room.say(bob, "ask draw");
    assert_eq!(
        room.last_refusal(bob).as_deref(),
        Some("you have already offered a draw in this position")
    );
    let eve = room.join(join_request("Eve", SeatRequest::Watch));
    for line in ["propose 3 play a1", "ask takeback 0", "answer 1 yes", "say hi"] {
        room.say(eve, line);
        assert!(room.last_refusal(eve).unwrap().starts_with("spectators cannot "), "{line}");
    }
    room.assert_same();
}

#[test]
fn take_back_and_rematch_need_consent_of_all() {
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    let (host, bob) = (room.host(), room.guest("Bob"));
    for (who, mv) in [(host, "b2"), (bob, "a1"), (host, "c3")] {
        room.table(who).play_move(mv, Duration::ZERO).unwrap();
        room.clock += at(1);
        room.pump();
    }
    // Bob's last turn is two plies back.
    room.table(bob).undo(Duration::ZERO).unwrap();
    room.pump();
    let asked = room.asked(host);
    assert_eq!((&*asked.by, asked.kind), ("Bob", QuestionKind::TakeBack { moves: 2 }));
    room.answer(host, false);
    assert!(!room.table(bob).peers().unwrap().has_asked());
    assert_eq!(room.table(bob).current_match().ply(), 3);
    room.table(bob).undo(Duration::ZERO).unwrap();
    room.pump();
    room.answer(host, true);
    assert_eq!(room.table(bob).current_match().ply(), 1);
    room.assert_same();
    // A move made in the meantime settles a question.
    room.table(host).undo(Duration::ZERO).unwrap();
    room.pump();
    room.table(bob).play_move("c1", Duration::ZERO).unwrap();
    room.pump();
    for who in [host, bob] {
        let peers = room.table(who).peers().unwrap();
        assert!(peers.questions.is_empty() && !peers.has_asked());
    }
    room.request(bob, ClientRequest::Take(Seat::SECOND, Step::Resign));
    room.request(bob, ClientRequest::Ask(Request::Rematch { swap: true }));
    room.answer(host, true);
    assert!(room.hub.take_finished().unwrap().current_match().outcome().is_some());
    assert!(room.table(bob).local().contains(Seat::FIRST));
    assert_eq!(room.table(bob).players().name(Seat::FIRST), "Bob");
    assert!(room.take_news(bob).contains(&TableNews::Restarted));
    room.table(bob).play_move("a3", Duration::ZERO).unwrap();
    room.pump();
    room.assert_same();
    assert_eq!(room.hub.table().session().log().len(), 1);
    // Making the same request counts as agreement.
    room.request(host, ClientRequest::Take(Seat::SECOND, Step::Resign));
    room.request(host, ClientRequest::Ask(Request::Rematch { swap: false }));
    room.request(bob, ClientRequest::Ask(Request::Rematch { swap: false }));
    assert!(room.take_news(host).contains(&TableNews::Restarted));
    assert_eq!(room.hub.table().session().log().len(), 0);
}

#[test]
fn seats_stay_reserved_for_their_players() {
    let mut room = Room::open("intersections", "players=4", &["Ann", "guest", "guest", "guest"]);
    let host = room.host();
    let both = SeatRequest::Seats([1, 2].map(Seat::new).into_iter().collect());
    let bob = room.join(join_request("Bob", both));
    assert!(room.table(bob).local().iter().eq([1, 2].map(Seat::new)));
    let again = room.join(join_request("Ann", SeatRequest::Any));
    let names: Vec<String> =
        room.table(host).peers().unwrap().people.iter().map(|person| person.name.clone()).collect();
    assert_eq!(names, ["Ann", "Bob", "Ann 2"], "names are told apart");
    // The first letter is Cyrillic.
    let eve = room.join(join_request("\u{410}nn", SeatRequest::Watch));
    assert_eq!(room.table(eve).peers().unwrap().me, "\u{410}nn 3");
    room.request(eve, ClientRequest::Leave);
    let late = room.guest("Eve");
    assert_eq!(
        room.terminals[late].left.as_deref(),
        Some("every seat is taken; use --watch to watch")
    );
    let taken = SeatRequest::Seats([Seat::SECOND].into_iter().collect());
    let other = room.join(join_request("Eve", taken));
    assert_eq!(room.terminals[other].left.as_deref(), Some("seat 2 is taken by Bob"));
    // While Bob is disconnected, his seats stay reserved: another player needs the host's consent.
    room.drop_line(bob);
    assert!(room.take_news(host).contains(&people("Bob is reconnecting", true)));
    let thief = room.guest("Eve");
    assert!(room.terminals[thief].table.is_none());
    let question = room.table(host).peers().unwrap().questions[0].clone();
    let asked = room.table(host).describe_question(&question);
    assert_eq!(asked, "Eve asks for Bob's seat; Bob is away");
    room.connect(bob);
    assert!(room.take_news(host).contains(&TableNews::Returned("Bob".to_owned())));
    assert!(room.table(host).peers().unwrap().questions.is_empty());
    assert_eq!(room.terminals[thief].left.as_deref(), Some("the seat is not free"));
    assert!(room.table(bob).local().iter().eq([1, 2].map(Seat::new)));
    // A `bye` frees the seats.
    room.request(bob, ClientRequest::Leave);
    assert!(room.take_news(again).contains(&people("Bob has left", true)));
    assert_eq!(room.table(again).peers().unwrap().at(Seat::new(1)), None);
    let eve = room.guest("Eve");
    assert!(room.table(eve).local().iter().eq([Seat::new(1)]));
    assert_eq!(room.hub.table().players().name(Seat::new(1)), "Eve");
    // The host's seat stays reserved.
    room.request(host, ClientRequest::Leave);
    assert!(room.take_news(again).contains(&people("Ann has left and keeps the seat", true)));
    let late = room.join(join_request("Fay", SeatRequest::Watch));
    for who in [again, late] {
        let ann = room.table(who).peers().unwrap().at(Seat::FIRST);
        assert_eq!(ann.map(|ann| ann.attendance), Some(Attendance::Left));
    }
    room.connect(host);
    assert!(room.take_news(again).contains(&TableNews::Returned("Ann".to_owned())));
}

/// The clock starts when all guests have joined, and then runs even while a guest is absent.
#[test]
fn clock_starts_after_all_guests_arrive() {
    let entry = catalogue::find("tic-tac-toe").unwrap();
    let players = ["Ann", "guest"].map(|text| text.parse().unwrap()).to_vec();
    let conditions = Conditions::from(players).with_clock(Some("60+0".parse().unwrap()));
    let table = Table::new(entry, &Setup::new(), conditions).unwrap();
    let mut room = Room::with(&table);
    let host = room.host();
    assert!(!room.hub.time_runs() && !room.table(host).peers().unwrap().time_runs);
    room.say(host, "propose 1 play b2");
    assert!(!room.hub.time_runs());
    let bob = room.guest("Bob");
    assert!(room.hub.time_runs());
    for who in [host, bob] {
        assert!(room.table(who).peers().unwrap().time_runs);
    }
    room.drop_line(bob);
    assert!(room.hub.time_runs());
    room.connect(bob);
    room.request(bob, ClientRequest::Leave);
    assert!(room.hub.time_runs(), "leaving does not stop the clock");
    assert!(!room.hub.flag(at(30)) && room.hub.flag(at(90)));
    room.pump();
    assert_eq!(
        room.table(host).current_match().termination().map(ToString::to_string).as_deref(),
        Some("time: 2")
    );
    assert!(!room.table(host).peers().unwrap().time_runs);
}

/// The clock starts at once although a program has a seat.
#[test]
fn nobody_waits_for_a_program() {
    let entry = catalogue::find("intersections").unwrap();
    let players = ["Ann", "guest", "cmd:true"].map(|text| text.parse().unwrap()).to_vec();
    let conditions = Conditions::from(players).with_clock(Some("60+0".parse().unwrap()));
    let table = Table::new(entry, &"players=3".parse().unwrap(), conditions).unwrap();
    let mut room = Room::with(&table);
    let (host, bob) = (room.host(), room.guest("Bob"));
    assert!(room.hub.time_runs());
    for who in [host, bob] {
        let table = room.table(who);
        assert!(table.peers().unwrap().time_runs);
        let program = table.players().engine(Seat::new(2)).unwrap();
        // Its command stays on the host's machine, so nothing can start it here.
        assert_eq!((program.name().unwrap(), program.to_string().as_str()), ("true", "true"));
        assert!(program.program().unwrap().words().is_empty() && table.engines_refuse_a_draw());
    }
}

#[test]
fn ninth_watcher_learns_that_eight_are_watching() {
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    room.host();
    let all: Vec<usize> =
        (0..9).map(|_| room.join(join_request("Eve", SeatRequest::Watch))).collect();
    let left = |room: &Room, who: usize| room.terminals[who].left.clone();
    assert_eq!(left(&room, all[7]), None);
    assert_eq!(left(&room, all[8]).as_deref(), Some("8 people are watching already"));
}

/// A guest files the match that a rematch replaces. A table cannot make it file matches without end.
#[test]
fn replaced_match_is_kept_for_its_record() {
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    let (ann, bob) = (room.host(), room.guest("Bob"));
    let eve = room.join(join_request("Eve", SeatRequest::Watch));
    room.table(ann).play_move("b2", Duration::ZERO).unwrap();
    room.pump();
    let name = "2026-11-20-tic-tac-toe-Ann-Bob-k3v9mw";
    room.hub.table_mut().saved.journal = Some(name.to_owned());
    room.hub.note_saved();
    room.pump();
    let id = name.rsplit_once('-').unwrap().1.parse().ok();
    let finished = |room: &mut Room, who: usize| {
        let finished = room.table(who).peers_mut().unwrap().take_finished();
        finished.map(|(session, id)| (session.current_match().outcome().is_some(), id))
    };
    room.request(bob, ClientRequest::Take(Seat::SECOND, Step::Resign));
    room.request(bob, ClientRequest::Ask(Request::Rematch { swap: false }));
    assert_eq!(finished(&mut room, bob), None, "nothing has replaced it yet");
    room.answer(ann, true);
    assert_eq!(finished(&mut room, bob), Some((true, id)));
    assert_eq!(finished(&mut room, bob), None);
    assert_eq!(finished(&mut room, eve), None, "she only watches");
    assert_eq!(room.table(bob).peers().unwrap().match_id, None, "it belongs to the old match");
    // Bob has done nothing in the second match.
    room.request(ann, ClientRequest::Take(Seat::FIRST, Step::Resign));
    let begun = room.hub.table().rematch(false).unwrap();
    let session = begun.session().current_match().copy_line();
    let anew = || Session::new(session.clone(), Setup::new(), begun.session().conditions());
    room.table(bob).begin_anew(anew());
    assert_eq!(finished(&mut room, bob), None);
}

/// A terminal that does not confirm delays the clock by ten seconds.
#[test]
fn clock_waits_ten_seconds_for_every_terminal() {
    let entry = catalogue::find("tic-tac-toe").unwrap();
    let players = ["Ann", "guest"].map(|text| text.parse().unwrap()).to_vec();
    let conditions = Conditions::from(players).with_clock(Some("60+0".parse().unwrap()));
    let table = Table::new(entry, &Setup::new(), conditions).unwrap();
    let mut room = Room::with(&table);
    room.host();
    let bob = room.hub.arrive(PEER, NOW).unwrap();
    for line in [GREETING, "hello Bob", "have 0 0"] {
        room.hub.on_line(bob, line, NOW, NOW);
    }
    room.pump();
    let start = NOW + at(10);
    assert_eq!((room.hub.time_runs(), room.hub.deadline()), (false, Some(start)));
    room.hub.tick(NOW, start);
    assert!(room.hub.time_runs());
}

#[test]
fn a_move_in_flight_is_played_once_or_reported_lost() {
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    let (ann, bob) = (room.host(), room.guest("Bob"));
    let take = |seat: u8, step: Step| ClientRequest::Take(Seat::new(seat), step);
    let play = |seat: u8, mv: &str| take(seat, Step::Play(mv.to_owned()));
    room.request(ann, play(0, "b2"));
    // Bob's move is lost in transit and proposed again.
    room.terminals[bob].person = None;
    room.request(bob, play(1, "a1"));
    room.drop_line(bob);
    room.connect(bob);
    assert_eq!(room.hub.table().current_match().ply(), 2);
    // Ann's move arrived, but the answer was lost.
    let person = room.terminals[ann].person.take();
    room.request(ann, play(0, "c3"));
    room.hub.on_line(person.unwrap(), "propose 3 seat 1 play c3", room.clock, NOW);
    room.hub.leave(person.unwrap(), room.clock, NOW);
    room.drop_line(ann);
    room.connect(ann);
    assert_eq!((room.hub.table().current_match().ply(), room.last_refusal(ann)), (3, None));
    // Ann resigns while Bob's next move is in transit.
    let person = room.terminals[bob].person.take();
    room.request(bob, play(1, "a3"));
    room.request(ann, take(0, Step::Resign));
    room.hub.leave(person.unwrap(), room.clock, NOW);
    room.drop_line(bob);
    room.connect(bob);
    let lost = "a3 was not played: the match has moved on";
    assert_eq!(room.last_refusal(bob).as_deref(), Some(lost));
    room.assert_same();
}

#[test]
fn bridge_name_cannot_be_changed() {
    let mut room = Room::open("quixo", "", &["Ann", "guest"]);
    let person = room.hub.arrive(PEER, NOW).unwrap();
    for line in ["as Bob", "as Carl", GREETING, "hello Carl"] {
        room.hub.on_line(person, line, NOW, NOW);
    }
    let said: Vec<String> = std::iter::from_fn(|| room.hub.next_line(person)).collect();
    assert_eq!(said, ["no duplicate identity"]);
}

#[test]
fn vouched_name_is_the_same_by_line_and_on_screen() {
    let mut room = Room::open("quixo", "", &["Ann", "guest"]);
    let host = room.host();
    let verified = |room: &mut Room, name: &str, wanted: SeatRequest| {
        room.come_verified(&["as Bob"], join_request(name, wanted))
    };
    // Bob's own terminal, behind a bridge, calls him Eve.
    let bob = verified(&mut room, "Eve", SeatRequest::Any);
    assert_eq!(room.table(bob).peers().unwrap().me, "Bob");
    assert_eq!(room.table(host).players().name(Seat::SECOND), "Bob");
    // Through a screen with the same ssh key, which reclaims the same seat.
    room.drop_line(bob);
    let screen = verified(&mut room, "Bob", SeatRequest::Any);
    assert!(room.table(screen).local().contains(Seat::SECOND), "{:?}", room.terminals[screen].left);
    // An unverified Bob has no right to the seat.
    room.drop_line(screen);
    let thief = room.guest("Bob");
    assert!(room.terminals[thief].table.is_none());
    // A watcher is told their own name.
    let watcher = verified(&mut room, "Eve", SeatRequest::Watch);
    assert_eq!(room.table(watcher).peers().unwrap().me, "Bob 2");
    assert!(!room.take_news(watcher).contains(&people("Bob 2 watches", false)));
}

#[test]
fn version_mismatch_is_explained() {
    let mut room = Room::open("quixo", "", &["Ann", "guest"]);
    let mut greet = |line: &str| {
        let person = room.hub.arrive(PEER, NOW).unwrap();
        room.hub.on_line(person, line, NOW, NOW);
        let said = room.hub.next_line(person).unwrap();
        room.hub.leave(person, NOW, NOW);
        said
    };
    assert!(greet("quadrille-table 3 9.9.9").starts_with("quadrille-table 2 "));
    assert_eq!(
        greet("quadrille-table 1 0.1.0"),
        "no this table needs protocol version 2 or later; update Quadrille"
    );
    assert!(greet("GET / HTTP/1.1").starts_with("no this is a Quadrille table"));
    for version in ["1", "3"] {
        let mut follower = Follower::new(join_request("Bob", SeatRequest::Any));
        follower.connected();
        let why = follower.on_line(&format!("quadrille-table {version} 9"), None).err().unwrap();
        assert!(why.contains(&format!("version {version}")), "{why}");
    }
}

/// Returns random protocol messages in any order.
fn random_line() -> String {
    let words = [
        "quadrille-table 2 0.1.0",
        "as Eve",
        "key AAAA",
        "hello Eve",
        "hello Eve seat 2",
        "hello Eve watch",
        "hello Eve token x",
        "look",
        "have 0 0",
        "have 99999 12345678",
        "propose 1 play a1",
        "propose 2 seat 2 play b2",
        "propose 3 offer-draw",
        "propose 1 resign",
        "ask takeback 0",
        "ask rematch swap",
        "ask draw",
        "answer yes",
        "answer no",
        "answer 1 yes",
        "withdraw 1",
        "remove Ann",
        "quadrille-table 2 0.2.0",
        "say hello",
        "ping x",
        "close",
        "",
        "x",
        "welcome 2 t",
        "welcome watch t",
        "full",
        "no reason",
        "match game tic-tac-toe",
        "match table t",
        "match setup ",
        "match words ",
        "match person Ann",
        "match clock 5+1",
        "match game quixo",
        "match setup size=99999999",
        "log 1 5 1 play a1",
        "log 1 0 table go 0",
        "log 2 5 2 play b2",
        "log 99 0 1 resign",
        "log 1 5 arbiter end time: 1",
        "refused 1 why",
        "asked Eve takeback 0",
        "answered Eve no",
        "question 1 Eve takeback 1 moves",
        "question 2 Bob draw",
        "question 3 Eve seat 2",
        "settled 1 yes",
        "settled 2 gone expired",
        "settled 1 gone moved Eve",
        "removed Eve Ann",
        "said Eve hi",
        "presence Eve here 2",
        "presence Eve away 1,2",
        "presence Eve gone",
        "clock 5 runs",
        "trouble x",
        "closed x",
        "pong",
    ];
    match fastrand::u8(..10) {
        0 => (0..fastrand::usize(..80)).map(|_| fastrand::char(..)).collect(),
        1 => format!("presence P{} watch", fastrand::u32(..)),
        2 => {
            let line = fastrand::choice(words).unwrap();
            line[..fastrand::usize(..=line.len())].to_owned()
        }
        3 => {
            format!("{} {}", fastrand::choice(words).unwrap(), "x".repeat(fastrand::usize(..4000)))
        }
        _ => fastrand::choice(words).unwrap().to_owned(),
    }
}

/// Whatever a guest sends in any state, the hub neither panics nor grows without bound.
#[test]
fn hub_survives_a_hostile_guest() {
    fastrand::seed(7);
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    let host = room.host();
    let mut people: Vec<PersonId> = Vec::new();
    for number in 0..1_000_000_u32 {
        if people.len() < 20 && fastrand::bool() {
            people.extend(room.hub.arrive(PEER, NOW));
        }
        if people.is_empty() {
            continue;
        }
        let index = fastrand::usize(..people.len());
        let line = random_line();
        assert!(line != "close" || room.terminals[host].person.is_some());
        room.hub.on_line(people[index], &line, at(u64::from(number)), NOW);
        if fastrand::u8(..8) == 0 {
            // The guest reads only a little of its input.
            room.hub.next_line(people[index]);
        }
        if fastrand::u8(..50) == 0 {
            room.hub.leave(people.swap_remove(index), at(1), NOW);
        }
        for who in room.hub.dropped() {
            people.retain(|person| *person != who);
            room.hub.leave(who, at(1), NOW);
        }
        if number % 1000 == 0 {
            room.pump();
        }
    }
    let steps = room.hub.table().session().log().len();
    assert!(steps < 40, "{steps} steps");
    assert!(room.hub.take_finished().is_none() && !room.hub.is_over(at(1)));
    room.pump();
    room.assert_same();
    assert!(room.table(host).peers().unwrap().people.len() <= 32);
}

fn setup_of_tic_tac_toe() -> String {
    let entry = catalogue::find("tic-tac-toe").unwrap();
    (entry.start)(&Setup::new()).unwrap().setup().to_string()
}

/// Whatever a table sends, the terminal leaves or its memory stays bounded.
#[test]
fn follower_survives_a_hostile_table() {
    fastrand::seed(8);
    let mut left = 0;
    for _ in 0..10_000 {
        let mut follower = Follower::new(join_request("Bob", SeatRequest::Any));
        follower.connected();
        let mut table = None;
        if fastrand::bool() {
            let setup = setup_of_tic_tac_toe();
            let sum = LogChecksum::nothing("tic-tac-toe", &setup, "");
            for line in [
                GREETING,
                "welcome 2 t",
                "match table t",
                "match game tic-tac-toe",
                &format!("match setup {setup}"),
                "match words ",
                "match person Ann",
                "match person Bob",
                &sum.to_string(),
            ] {
                let heard = follower.on_line(line, None).unwrap();
                table = table.or(heard.table);
            }
            assert!(table.is_some());
        }
        for _ in 0..100 {
            match follower.on_line(&random_line(), table.as_mut()) {
                Ok(progress) => table = table.or(progress.table),
                Err(why) => {
                    assert!(!why.is_empty() && why.chars().count() < 400, "{why}");
                    left += 1;
                    break;
                }
            }
        }
        if let Some(peers) = table.as_ref().and_then(Table::peers) {
            assert!(peers.people.len() <= 32 && peers.said.len() <= 100);
        }
    }
    assert!(left > 5000, "{left}");
}

#[test]
fn a_slow_watcher_is_dropped_and_a_slow_player_catches_up() {
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    let (host, bob) = (room.host(), room.guest("Bob"));
    let eve = room.join(join_request("Eve", SeatRequest::Watch));
    let ann = room.terminals[host].person.unwrap();
    let text = "x".repeat(200);
    for _ in 0..2000 {
        room.hub.on_line(ann, &format!("say {text}"), NOW, NOW);
    }
    assert_eq!(room.hub.dropped(), [room.terminals[eve].person.unwrap()]);
    room.hub.on_line(ann, "propose 1 play b2", at(1), NOW);
    room.pump();
    assert_eq!(
        room.last_refusal(bob).as_deref(),
        Some("slow connection: some messages were skipped")
    );
    assert_eq!(room.terminals[eve].left.as_deref(), Some("your connection is too slow to watch"));
    let told = people("Eve was disconnected: the connection is too slow", false);
    assert!(room.take_news(host).contains(&told));
    room.assert_same();
    assert_eq!(room.table(bob).peers().unwrap().line, LineState::Up);
}

#[test]
fn slow_player_and_others_are_informed() {
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    let (host, bob) = (room.host(), room.guest("Bob"));
    let eve = room.join(join_request("Eve", SeatRequest::Watch));
    for (who, name, is_missed) in [(bob, "Bob", true), (eve, "Eve", false)] {
        let person = room.terminals[who].person.unwrap();
        room.hub.cut(person, NOW, NOW);
        room.drop_line(who);
        let told =
            people(&format!("{name} was disconnected: the connection is too slow"), is_missed);
        assert!(room.take_news(host).contains(&told));
    }
    let peers = room.table(host).peers().unwrap();
    let names: Vec<_> = peers.people.iter().map(|one| (&*one.name, one.attendance)).collect();
    assert_eq!(names, [("Ann", Attendance::Here), ("Bob", Attendance::Slow)]);
    for expected in [Some("disconnected: your connection stalled for ten seconds"), None] {
        room.connect(bob);
        assert_eq!(room.last_refusal(bob).as_deref(), expected, "once");
        room.drop_line(bob);
    }
    assert!(room.take_news(host).contains(&people("Bob is reconnecting", true)));
}

#[test]
fn finished_match_closes_its_table_after_all_leave() {
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    let (host, bob) = (room.host(), room.guest("Bob"));
    room.request(bob, ClientRequest::Leave);
    room.request(host, ClientRequest::Leave);
    assert!(!room.hub.is_over(NOW), "it goes on");
    room.connect(host);
    let bob = room.guest("Bob");
    room.request(bob, ClientRequest::Take(Seat::new(1), Step::Resign));
    room.request(host, ClientRequest::Leave);
    room.drop_line(bob);
    assert!(!room.hub.is_over(NOW), "Bob may come back");
    room.connect(bob);
    room.request(bob, ClientRequest::Leave);
    assert!(room.hub.is_over(NOW));
}

#[test]
fn silent_guest_is_dropped_and_empty_table_closes() {
    let mut room = Room::open("quixo", "", &["Ann", "guest"]);
    assert_eq!(room.hub.deadline(), Some(at(600)));
    let silent = room.hub.arrive(PEER, at(5)).unwrap();
    assert_eq!(room.hub.deadline(), Some(at(35)));
    room.hub.tick(NOW, at(35));
    assert_eq!(room.hub.dropped(), [silent]);
    room.hub.leave(silent, NOW, at(35));
    let host = room.host();
    assert_eq!(room.hub.deadline(), None);
    assert!(!room.hub.is_over(at(9999)));
    let eve = room.join(join_request("Eve", SeatRequest::Watch));
    room.request(eve, ClientRequest::Leave);
    let left = people("Eve has left", false);
    assert!(room.terminals[host].news.contains(&left), "{:?}", room.terminals[host].news);
    room.drop_line(host);
    assert!(room.hub.is_over(at(600)));
    room.connect(host);
    room.request(host, ClientRequest::Close);
    assert!(room.hub.is_over(NOW));
    let peers = room.table(host).peers().unwrap();
    assert_eq!(
        peers.line,
        LineState::Closed(
            "the host closed the table; match saved; the host can resume it".to_owned()
        )
    );
    assert!(room.hub.arrive(PEER, NOW).is_none());
}

/// `quadrille table close` closes the table without taking the host's seat first.
#[test]
fn host_token_closes_the_table() {
    let mut room = Room::open("quixo", "", &["Ann", "guest"]);
    let host = room.host();
    for (token, closes) in [("wrong", false), (HOST, true)] {
        let person = room.hub.arrive(PEER, NOW).unwrap();
        for line in ["quadrille-table 2 test", &format!("close {token}")] {
            room.hub.on_line(person, line, NOW, NOW);
        }
        assert_eq!(room.hub.is_over(NOW), closes, "{token}");
    }
    room.pump();
    assert_eq!(
        room.table(host).peers().unwrap().line,
        LineState::Closed(
            "the table was closed with quadrille table close; match saved; the host can resume it"
                .to_owned()
        )
    );
}

/// A greeting of a table with this id.
fn greeting(id: &str) -> String {
    format!("{GREETING} id {id} host Ann")
}

#[test]
fn another_match_is_joined_only_with_consent() {
    for wanted in [SeatRequest::Any, SeatRequest::Watch] {
        let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
        let (host, bob) = (room.host(), room.join(join_request("Bob", wanted)));
        room.table(host).play_move("b2", Duration::ZERO).unwrap();
        room.pump();
        let terminal = &mut room.terminals[bob];
        let table = terminal.table.as_mut().unwrap();
        // Twice, because Enter reconnects although the question is open.
        for number in 0..2 {
            terminal.follower.connected();
            let heard = terminal.follower.on_line(&greeting("new-id"), Some(table)).unwrap();
            assert!(heard.hangs_up && heard.replies.is_empty());
            assert_eq!(heard.news.contains(&TableNews::Asked(0)), number == 0);
        }
        let peers = table.peers().unwrap();
        let question = peers.new_match().unwrap().clone();
        assert_eq!(peers.to_answer().count(), 1);
        assert_eq!(table.describe_question(&question), "Ann opened a new match. Join it?");
        let joins = terminal.follower.another_table().unwrap();
        assert_eq!((joins.hello.token, joins.hello.wanted), (None, wanted));
        // After a failed reconnect there is no question that could be answered.
        terminal.follower.line_down("cut", table);
        assert!(terminal.follower.another_table().is_none());
        assert!(table.peers().unwrap().new_match().is_none());
        // The old match may be resumed meanwhile, or after a no.
        let again = terminal.follower.on_line(&greeting(ID), Some(table)).unwrap();
        assert!(
            !again.hangs_up && again.replies[0].starts_with("hello Bob "),
            "{:?}",
            again.replies
        );
        assert!(terminal.follower.another_table().is_none());
        terminal.follower.decline_new_match(table);
        assert!(table.peers().unwrap().is_closed() && table.peers().unwrap().new_match().is_none());
        assert_eq!(table.current_match().ply(), 1);
    }
}

#[test]
fn host_terminal_joins_no_other_match() {
    let mut room = Room::open("tic-tac-toe", "", &["Ann", "guest"]);
    let host = room.host();
    let terminal = &mut room.terminals[host];
    let table = terminal.table.as_mut().unwrap();
    let heard = terminal.follower.on_line(&greeting("new-id"), Some(table)).unwrap();
    assert!(heard.hangs_up && heard.replies.is_empty());
    let closed = "You opened another match in another terminal".to_owned();
    assert_eq!(table.peers().unwrap().line, LineState::Closed(closed));
}

#[test]
fn seating_round_trips_and_is_part_of_the_opening() {
    let mut room = Room::open("intersections", "players=3", &["Ann", "guest", "guest"]);
    let host = room.host();
    room.come_verified(&["as Ann%20Lee", "key AAAA+/="], join_request("Lee", SeatRequest::Any));
    let zoe = room.guest("100%");
    room.request(host, ClientRequest::Remove("100%".to_owned()));
    room.terminals[zoe].person = None;
    let seating = room.hub.seating();
    assert_eq!((seating.guests.len(), seating.void.len()), (1, 1));
    let secret = Some("secret".to_owned());
    let opening = Opening { seating: Seating { secret, ..seating }, ..opening() };
    let text = opening.write(room.hub.table());
    assert_eq!(Opening::read(&text).unwrap().0, opening);
    assert!(text.contains("void token2 removed\n"), "{text}");
    assert!(
        text.contains("guest 2 token1 Ann%20Lee uid 1000 vouched Ann%20Lee key AAAA+/=\n"),
        "{text}"
    );
    let why = Opening::read(&text.replace("guest 2 ", "guest 9 ")).err().unwrap();
    assert_eq!(why, "invalid guest");
}
