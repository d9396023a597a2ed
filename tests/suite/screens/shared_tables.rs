//! The screen of a guest at a shared table. The table's lines are given, so there is no process and no connection.

use crate::common::player::Player;
use quadrille::app::OpenMatch;
use quadrille_net::protocol::{Hello, LogChecksum};
use quadrille_net::{Follower, JoinRequest};
use quadrille_table::catalogue;
use quadrille_table::play::TableNews;

/// Bob's terminal.
struct Guest {
    player: Player,
    follower: Follower,
}

/// Returns the head of a match that has not begun. `players` are lines such as `person Ann`.
fn head(game: &str, setup: &str, players: &[&str]) -> Vec<String> {
    let entry = catalogue::find(game).unwrap();
    let complete = (entry.start)(&setup.parse().unwrap()).unwrap().setup().to_string();
    let have = LogChecksum::nothing(game, &complete, "");
    let known = [format!("game {game}"), format!("setup {complete}"), format!("words {setup}")];
    let words = ["table t".to_owned()].into_iter().chain(known);
    let words = words.chain(players.iter().map(|player| (*player).to_owned()));
    let words = words.map(|words| format!("match {words}"));
    words.chain(["match you Bob".to_owned(), have.to_string()]).collect()
}

impl Guest {
    /// Joins as Bob with these seats, such as `2` or `watch`.
    fn join(seats: &str, head: Vec<String>) -> Guest {
        let hello = Hello { name: "Bob".to_owned(), ..Hello::default() };
        let mut follower = Follower::new(JoinRequest { hello, ..JoinRequest::default() });
        let mut table = None;
        let greeting = ["quadrille-table 2 0".to_owned(), format!("welcome {seats} token")];
        for line in greeting.into_iter().chain(head) {
            let response = follower.on_line(&line, table.as_mut()).unwrap();
            table = table.or(response.table);
        }
        let mut player = Player::new();
        player.app = player.app.with_table(OpenMatch::resumed(table.unwrap()), false);
        let mut guest = Guest { player, follower };
        guest.receive("presence Ann here 1\npresence Bob here 2");
        guest.player.press("x");
        guest
    }

    fn receive(&mut self, lines: &str) {
        let Guest { player, follower } = self;
        player.app.follow_table(|table| {
            let news = lines.lines().map(|line| follower.on_line(line, Some(table)).unwrap().news);
            news.flatten().collect()
        });
    }

    fn lose_line(&mut self) {
        let Guest { player, follower } = self;
        player.app.follow_table(|table| {
            follower.line_down("the line was cut", table);
            vec![TableNews::Line]
        });
    }

    /// Reconnects to a match that begins like this one.
    fn reconnect(&mut self, seats: &str, mut head: Vec<String>) {
        self.follower.connected();
        let log = self.player.app.open_match().unwrap().session().log().len();
        let session = self.player.app.open_match().unwrap().session();
        *head.last_mut().unwrap() = LogChecksum::of(session, log).to_string();
        self.receive(&format!("quadrille-table 2 0\nwelcome {seats} token\n{}", head.join("\n")));
    }

    /// Returns the lines that go to the table.
    fn take_lines(&mut self) -> Vec<String> {
        let Guest { player, follower } = self;
        let table = player.app.tables_mut().last().unwrap();
        let requests = table.peers_mut().unwrap().take_requests();
        requests.into_iter().filter_map(|request| follower.request_line(request, table)).collect()
    }

    fn sees(&self, text: &str) -> bool {
        self.player.sees(text)
    }

    #[track_caller]
    fn must_see(&self, text: &str) {
        assert!(self.sees(text), "{text}:\n{}", self.player.screen(80, 24));
    }
}

fn tic_tac_toe() -> Vec<String> {
    head("tic-tac-toe", "", &["person Ann", "person Bob"])
}

fn three() -> Vec<String> {
    head("intersections", "players=3", &["person Ann", "person Bob", "person Eve"])
}

#[test]
fn asker_sees_its_rematch_request() {
    let mut guest = Guest::join("2", tic_tac_toe());
    let moves = ["1 play a1", "2 play b1", "1 play a2", "2 play b2", "1 play a3"];
    for (number, mv) in (1..).zip(moves) {
        guest.receive(&format!("log {number} {number}000 {mv}"));
    }
    guest.must_see("Ann wins");
    guest.player.press("<wait>R");
    assert_eq!(guest.take_lines(), ["ask rematch swap"]);
    guest.must_see("waiting for the others' answer");
    guest.receive("question 4 Bob rematch swap");
    guest.must_see("You ask for a rematch with swapped seats");
    guest.receive("settled 4 no Ann");
    guest.must_see("Ann declines your rematch request");
    guest.player.press("x");
    guest.must_see("Ann wins");
}

/// An earlier message would otherwise stay until the next key.
#[test]
fn result_replaces_earlier_messages_in_the_status_line() {
    let status = |guest: &Guest| {
        let screen = guest.player.screen(80, 24);
        screen.lines().nth(22).unwrap().trim().to_owned()
    };
    let moves = ["1 play a1", "2 play b1", "1 play a2", "2 play b2"];
    let opened = || {
        let mut guest = Guest::join("2", tic_tac_toe());
        for (number, mv) in (1..).zip(moves) {
            guest.receive(&format!("log {number} {number}000 {mv}"));
        }
        guest
    };
    let mut guest = opened();
    guest.receive("presence Fay watch");
    assert_eq!(status(&guest), "Fay watches");
    guest.receive("log 5 5000 1 play a3");
    assert!(status(&guest).contains("Ann wins"), "{}", status(&guest));
    // News from after the end are shown for a while.
    guest.receive("said Ann thanks");
    assert_eq!(status(&guest), "Ann: thanks");
    let mut guest = opened();
    guest.receive(
        "question 1 Bob draw\nsettled 1 yes Ann\nlog 5 5000 2 offer-draw\nlog 6 5000 1 accept-draw",
    );
    assert!(status(&guest).contains("by agreement"), "{}", status(&guest));
}

#[test]
fn unsent_requests_are_reported_after_the_line_returns() {
    let mut guest = Guest::join("2", tic_tac_toe());
    guest.receive("log 1 1000 1 play b2");
    guest.lose_line();
    guest.must_see("reconnecting; Enter to retry: the line was cut");
    for (keys, refused) in [
        (":a1<enter>", "a1 was not played"),
        ("sgood move<enter>", "your message was not sent: good move"),
    ] {
        guest.player.press("<wait>").press(keys);
        guest.must_see("disconnected from the table; reconnecting");
        assert_eq!(guest.take_lines(), [""; 0]);
        guest.reconnect("2", tic_tac_toe());
        guest.must_see(refused);
        assert!(!guest.sees("reconnecting"), "{}", guest.player.screen(80, 24));
        // The report does not return with the next connection.
        guest.player.press("<wait>x");
        guest.lose_line();
        guest.reconnect("2", tic_tac_toe());
        assert!(!guest.sees(refused));
        guest.lose_line();
    }
    // The reason why a table has closed replaces the refusal.
    guest.player.press("<wait>:a1<enter>");
    guest.must_see("disconnected from the table");
    guest.receive("closed the host closed the table");
    guest.must_see("the host closed the table");
    // A key says the same, whatever ended the connection.
    guest.player.press("<wait>:a1<enter>");
    guest.must_see("the host closed the table");
    let mut guest = Guest::join("2", tic_tac_toe());
    guest.receive("log 1 1000 1 play b2\nmoved You joined from another terminal");
    guest.player.press("<wait>:a1<enter>");
    guest.must_see("You joined from another terminal");
    assert!(!guest.sees("closed"), "{}", guest.player.screen(80, 24));
    // With the line up, the same keys play.
    let mut guest = Guest::join("2", tic_tac_toe());
    guest.receive("log 1 1000 1 play b2");
    guest.player.press(":a1<enter>");
    assert_eq!(guest.take_lines(), ["propose 2 seat 2 play a1"]);
}

#[test]
fn a_program_is_not_a_guest() {
    let players = ["person Ann", "person Bob", "program bot.py"];
    let mut guest = Guest::join("2", head("intersections", "players=3", &players));
    guest.receive("presence Ann here 1\npresence Bob here 2");
    let mut log = 0;
    while guest.player.app.open_match().unwrap().current_match().ply() < 2 {
        let game = guest.player.app.open_match().unwrap().current_match();
        let (seat, mv) = (game.to_move().unwrap(), game.legal_moves().remove(0));
        log += 1;
        guest.receive(&format!("log {log} {log}000 {seat} play {mv}"));
    }
    guest.must_see("bot.py is thinking");
    assert!(!guest.sees("waiting for a guest"), "{}", guest.player.screen(80, 24));
    // An engine of a later version is not a guest either.
    let players = ["person Ann", "person Bob", "engine engine:genius,time=9"];
    let guest = Guest::join("2", head("intersections", "players=3", &players));
    assert!(!guest.sees("waiting for a guest"), "{}", guest.player.screen(80, 24));
}

#[test]
fn spectators_are_not_offered_chat() {
    let mut guest = Guest::join("watch", tic_tac_toe());
    assert!(!guest.sees("s say"), "{}", guest.player.screen(80, 24));
    guest.player.press("shello<enter>");
    assert_eq!(guest.take_lines(), [""; 0]);
    let guest = Guest::join("2", tic_tac_toe());
    guest.must_see("s say");
}

/// Bob's status line when two players with long names have asked.
#[test]
fn a_small_screen_shows_how_many_questions_are_open() {
    let long = "Bartholomew%20the%20Magnificent";
    for kind in
        ["takeback 12 moves", "redo 1 moves", "draw", "rematch", "rematch swap", "seat 3", "sits 3"]
    {
        let mut guest = Guest::join("2", three());
        guest.receive(&format!("presence {long} here 1\npresence Eve here 3"));
        guest.receive(&format!("question 1 {long} {kind}\nquestion 2 Eve draw"));
        let screen = guest.player.screen(40, 12);
        let mut lines = screen.lines().map(str::trim);
        let line = lines.find(|line| line.contains("1 of 2: Ba") || line.contains("1/2: Ba"));
        let is_whole = |line: &str| line.contains("▸ ") && !line.ends_with('▸');
        assert!(line.is_some_and(is_whole), "{kind}:\n{screen}");
        let wide = guest.player.screen(120, 30);
        assert!(wide.contains("1 of 2: Bartholomew the Magnificent "), "{kind}:\n{wide}");
        guest.receive("settled 1 gone withdrawn");
        guest.player.press("x");
        guest.must_see("Eve offers a draw");
        assert!(!guest.sees("of 2"));
    }
}

/// Gwen asks for the seat of Ann, who is away. The letters of the answers alone give no seat away.
#[test]
fn a_seat_with_an_owner_is_given_away_by_two_answers() {
    let asked = |lines: &str| {
        let mut guest = Guest::join("2", tic_tac_toe());
        guest.receive(&format!("{lines}\npresence Ann away 1\nquestion 7 Gwen seat 1"));
        guest.player.press("<wait>");
        guest
    };
    let mut guest = asked("log 1 1000 1 play a1");
    let screen = guest.player.screen(40, 12);
    assert!(screen.contains("Gwen asks for Ann's seat at move 2"), "{screen}");
    guest.must_see("Gwen asks for Ann's seat at move 2; Ann is away");
    guest.player.press("y").draw();
    for (width, height) in [(40, 12), (80, 24)] {
        let screen = guest.player.screen(width, height);
        for words in ["Give Ann's seat to Gwen?", "Cancel", "Give the seat away"] {
            assert!(screen.contains(words), "{words}\n{screen}");
        }
    }
    guest.must_see("Ann is away and loses the");
    guest.player.press("<enter>");
    assert_eq!(guest.take_lines(), [""; 0]);
    guest.player.press("<wait>y<down><enter>");
    assert_eq!(guest.take_lines(), ["answer 7 yes"]);
    // The other answer takes nothing from anybody.
    let mut guest = asked("log 1 1000 1 play a1");
    guest.player.press("n");
    assert_eq!(guest.take_lines(), ["answer 7 no"]);
    // Ann returns while the menu is open.
    let mut guest = asked("log 1 1000 1 play a1");
    guest.player.press("y");
    guest.receive("settled 7 gone withdrawn");
    guest.player.press("<wait><down><enter>");
    assert_eq!(guest.take_lines(), [""; 0]);
    guest.must_see("too late: that request has expired");
    // A free seat has no owner.
    let mut guest = Guest::join("2", three());
    guest.receive("question 8 Gwen seat 3");
    guest.must_see("Gwen asks for seat 3");
    guest.player.press("<wait>y");
    assert_eq!(guest.take_lines(), ["answer 8 yes"]);
}

/// The line completes no box, but gives one away.
#[test]
fn status_gives_advice_only_where_hints_are_allowed() {
    let advice = "gives away 1 box";
    for hints in [false, true] {
        let mut head = head("dots-and-boxes", "size=3", &["person Ann", "person Bob"]);
        if hints {
            head.insert(0, "match hints on".to_owned());
        }
        let mut guest = Guest::join("1", head);
        guest.receive("log 1 1000 1 play H0,1\nlog 2 2000 2 play V0,1");
        // Bob's terminal has the first seat, and the cursor is on H0,0.
        guest.player.press("<home>");
        let shown = (0..20).any(|_| {
            guest.player.press("<tab>");
            guest.sees("gives away")
        });
        assert_eq!(shown, hints, "{advice}:\n{}", guest.player.screen(80, 24));
    }
}
