//! Matches with a guest through a real ssh, in every way supported.

use crate::common::samples::samples;
use crate::common::sshd::Sshd;
use crate::common::terminal::Terminal;
use crate::common::two_terminals::{Desk, TypedMatch, all_see, past_the_guard};
use crate::common::wait::wait_until;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// `quadrille join` with the guest's own screens.
    Join,
    /// `quadrille join` with a key restricted to the table.
    JoinByKey,
    /// Screens at the host's.
    Screens,
    /// Screens at the host's with a restricted key.
    Kiosk,
}

fn join_table(desk: &Desk, sshd: &Sshd, game: &str, way: Way) -> Terminal {
    let config = sshd.client_config();
    let ssh = |words: &[&str]| {
        let options = ["-t", "-F", config.to_str().unwrap()];
        desk.start("ssh", &[&options, words].concat())
    };
    match way {
        Way::Join => {
            let address = format!("{}@table:{game}", sshd.user());
            desk.run(&["join", &address, "--name", "Bob"])
        }
        // The key determines the name.
        Way::JoinByKey => desk.run(&["join", "friend:", "--name", "Eve"]),
        Way::Screens => ssh(&["table", &format!("quadrille join {game} --name Bob")]),
        Way::Kiosk => ssh(&["friend"]),
    }
}

struct Room {
    sshd: Sshd,
    ann_desk: Desk,
    bob_desk: Desk,
    ann: Terminal,
    bob: Terminal,
}

impl Room {
    /// `None` without OpenSSH.
    fn open(game: &str, setup: &str, way: Way) -> Option<Room> {
        let mut sshd = Sshd::start()?;
        let ann_desk = Desk::new();
        sshd.home(ann_desk.home());
        sshd.authorize(&format!(
            "restrict,pty,command=\"quadrille table connect {game} --as Bob\""
        ));
        let bob_desk = Desk::new().with_env("QUADRILLE_SSH", sshd.ssh_words());
        let ann = ann_desk.host(game, setup, &["2"]);
        let mut bob = join_table(&bob_desk, &sshd, game, way);
        all_see(&[&ann, &bob], "Bob");
        bob.wait_for("s say");
        Some(Room { sshd, ann_desk, bob_desk, ann, bob })
    }

    fn play(&mut self, typed: &mut TypedMatch) {
        typed.play(&mut [&mut self.ann, &mut self.bob], &[0, 1]);
    }

    fn play_to_the_end(&mut self, typed: &mut TypedMatch) {
        typed.play_to_the_end(&mut [&mut self.ann, &mut self.bob], &[0, 1]);
    }

    /// Bob leaves, and none of his processes remain here. The match is recorded.
    fn bob_leaves(mut self, typed: &TypedMatch) {
        past_the_guard();
        self.bob.click("Leave the table");
        assert_eq!(self.bob.wait_for_the_end(), 0);
        self.ann.wait_for("Bob has left");
        let sshd = &self.sshd;
        wait_until("end", || format!("{:?}", sshd.started()), || sshd.started().is_empty());
        self.ann.click("Leave the table");
        let record = self.ann_desk.records(1).pop().unwrap();
        assert_eq!(
            (&*record.names, record.length),
            (&["Ann", "Bob"].map(str::to_owned)[..], typed.length())
        );
    }
}

fn small(game: &str) -> &'static str {
    let small = samples().find(|(entry, _)| entry.id == game).unwrap().1.small;
    // Tic-tac-toe's setup is a position in mid-game.
    if small.contains("grid=") { "" } else { small }
}

fn is_played(game: &str, way: Way) {
    let Some(mut room) = Room::open(game, small(game), way) else { return };
    let mut typed = TypedMatch::new(game, small(game), &["Ann", "Bob"]);
    room.play_to_the_end(&mut typed);
    room.bob_leaves(&typed);
}

#[test]
fn dots_and_boxes_is_played_by_join() {
    is_played("dots-and-boxes", Way::Join);
}

#[test]
fn join_the_dots_is_played_with_screens_at_the_host() {
    let setup = small("join-the-dots");
    let Some(mut room) = Room::open("join-the-dots", setup, Way::Screens) else { return };
    let mut typed = TypedMatch::new("join-the-dots", setup, &["Ann", "Bob"]);
    room.play(&mut typed);
    // A guest who returns with the same name gets the same seat.
    room.sshd.kill_connections();
    room.bob.ends_after();
    room.ann.wait_for("Bob is away");
    room.bob = join_table(&room.bob_desk, &room.sshd, "join-the-dots", Way::Screens);
    room.bob.wait_for("s say");
    room.ann.wait_until("Bob", |ann| !ann.sees("Bob is away"));
    room.play_to_the_end(&mut typed);
    room.bob_leaves(&typed);
}

#[test]
fn quixo_is_played_with_a_key_for_one_table() {
    is_played("quixo", Way::JoinByKey);
}

#[test]
fn cut_ssh_line_reconnects_during_a_match() {
    let setup = small("intersections");
    let Some(mut room) = Room::open("intersections", setup, Way::Join) else { return };
    let mut typed = TypedMatch::new("intersections", setup, &["Ann", "Bob"]);
    while !typed.is_over() {
        room.sshd.kill_connections();
        all_see(&[&room.ann, &room.bob], "reconnecting");
        room.ann.wait_for("Bob is back");
        room.bob.wait_until("line", |bob| !bob.sees("reconnecting"));
        past_the_guard();
        room.play(&mut typed);
    }
    room.bob_leaves(&typed);
}

#[test]
fn kiosk_offers_only_the_match() {
    let Some(mut room) = Room::open("tic-tac-toe", "", Way::Kiosk) else { return };
    let before = room.bob.keys("T").wait_for("Ann is to move").contents();
    // Ctrl-Z, the picture, the theme.
    room.bob.keys("\x1apT");
    room.bob.keys("\x1b").wait_for("At the table");
    for way_out in ["Settings", "Invite", "Close the table"] {
        assert!(!room.bob.sees(way_out), "{}", room.bob.contents());
    }
    room.bob.keys("\x1b").wait_until("board", |bob| !bob.sees("At the table"));
    assert_eq!(room.bob.contents(), before);
    // Hidden is the pointer that the table leaves for its own wakes.
    let kept = |room: &Room| {
        let entries = std::fs::read_dir(room.ann_desk.home()).unwrap().flatten();
        entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')).count()
    };
    let files = kept(&room);
    let mut typed = TypedMatch::new("tic-tac-toe", "", &["Ann", "Bob"]);
    room.play_to_the_end(&mut typed);
    room.bob.wait_for("Leave the table");
    for way_out in ["Review", "picture", "another match", "Home"] {
        assert!(!room.bob.sees(way_out), "{}", room.bob.contents());
    }
    assert_eq!(kept(&room), files);
    room.bob.keys("q").wait_until("board", |bob| !bob.sees("Leave the table"));
    room.bob.keys("q");
    assert_eq!(room.bob.ends_after().as_secs() / 60, 0);
    room.ann.wait_for("Bob has left");
}
