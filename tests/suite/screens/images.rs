//! Boards as images: what the terminal shows after every event is what was drawn.

use crate::common::image_terminal::{ImageTerminal, over};
use crate::common::match_board;
use crate::common::player::Player;
use crate::common::program::alone;
use crate::common::terminal::Terminal;
use Protocol::{ITerm2, Kitty, KittyInTmux, Sixel};
use crossterm::event::{Event, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use portable_pty::CommandBuilder;
use quadrille::app::runtime::images::Images;
use quadrille::app::runtime::{self, GraphicsEnvironment, Protocol};
use quadrille::app::{App, DiskTask, Host, RESERVED};
use quadrille::board::Skin;
use quadrille::picture;
use quadrille_scene::colour::Rgb;
use quadrille_scene::pixels::{CellSize, Fonts, Placement};
use quadrille_scene::{Depth, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::mem;
use std::rc::Rc;

const PROTOCOLS: [Protocol; 4] = [Kitty, KittyInTmux, Sixel, ITerm2];
const CELL: CellSize = CellSize { width: 8, height: 16 };
const SIZE: (u16, u16) = (80, 24);

fn paper() -> &'static Theme {
    quadrille_scene::built_in("paper").unwrap()
}

/// The app with a terminal, as the loop connects them.
struct Screen {
    player: Player,
    images: Images,
    terminal: ImageTerminal,
    how: Option<(Protocol, CellSize)>,
    shown: Buffer,
    next: Buffer,
    fonts: Fonts,
}

impl Screen {
    fn new(player: Player, protocol: Protocol) -> Screen {
        let terminal = ImageTerminal::new(SIZE, CELL);
        let terminal = if protocol == KittyInTmux { terminal.in_tmux() } else { terminal };
        let area = Rect::new(0, 0, SIZE.0, SIZE.1);
        let [regular, bold] = picture::fonts();
        Screen {
            player,
            images: Images::new(1234),
            terminal,
            how: Some((protocol, CELL)),
            shown: Buffer::empty(area),
            next: Buffer::empty(area),
            fonts: Fonts::new(regular, bold).unwrap(),
        }
    }

    fn at(game: &str, setup: &str, protocol: Protocol) -> Screen {
        Screen::in_theme(game, setup, protocol, Theme::night())
    }

    fn in_theme(game: &str, setup: &str, protocol: Protocol, theme: &'static Theme) -> Screen {
        let player = Player::with(Skin::default().with_theme(theme));
        let app = player.app.with_match(match_board(game, setup, ""));
        Screen::new(Player { app, ..player }, protocol)
    }

    /// Draws a frame, checks what the terminal shows, and returns the number of bytes.
    fn draw(&mut self) -> usize {
        let bytes = self.frame();
        self.terminal.feed(&bytes);
        self.check();
        bytes.len()
    }

    fn frame(&mut self) -> Vec<u8> {
        let app = &mut self.player.app;
        app.show_images(self.how.map(|(_, cell)| cell));
        app.draw(self.next.area, &mut self.next);
        let mut bytes = Vec::new();
        let Screen { images, shown, next, .. } = self;
        images.write_frame(self.how, &app.images(), shown, next, &mut bytes).unwrap();
        mem::swap(shown, next);
        next.reset();
        bytes
    }

    fn press(&mut self, keys: &str) -> usize {
        self.player.press(keys);
        self.draw()
    }

    fn resize(&mut self, (width, height): (u16, u16), cell: CellSize) {
        self.how = self.how.map(|(protocol, _)| (protocol, cell));
        self.terminal.resize((width, height), cell);
        self.forget();
        self.shown = Buffer::empty(Rect::new(0, 0, width, height));
        self.next = self.shown.clone();
    }

    fn forget(&mut self) {
        self.images.forget();
        self.shown = Buffer::empty(self.shown.area);
        self.terminal.feed(b"\x1b[2J");
    }

    /// Asserts that each board shows its pixels, except under text, and that text is readable.
    fn check(&self) {
        let app = &self.player.app;
        let Some((protocol, cell)) = self.how else { return };
        for board in app.images().iter() {
            let placement =
                Placement::new(&board.scene, board.lettering, board.area.as_size(), cell).unwrap();
            let drawn = placement.draw(board.skin, &self.fonts, true);
            let Rgb(red, green, blue) = board.skin.paper().bg.and_then(Rgb::of).expect("paper");
            let paper = [red, green, blue];
            let seen = self.terminal.pixels(board.area);
            assert_eq!(seen.len() * 4, drawn.rgba.len());
            let width = drawn.width as usize;
            // Sixels have a hundred steps of brightness.
            let tolerance = if protocol == Sixel { 2 } else { 1 };
            for (at, (seen, drawn)) in seen.iter().zip(drawn.rgba.as_chunks::<4>().0).enumerate() {
                let (x, y) = ((at % width) as u16, (at / width) as u16);
                let at = (board.area.x + x / cell.width, board.area.y + y / cell.height);
                let is_image = self.shown[at].symbol().starts_with(RESERVED);
                if !is_image {
                    let symbol = self.terminal.symbol(at.into());
                    assert_eq!(symbol.trim(), self.shown[at].symbol().trim(), "text at {at:?}");
                    continue;
                }
                let expected = over(*drawn, Some(paper)).unwrap();
                if !board.is_on_paper && expected == paper {
                    // The background of the card.
                    continue;
                }
                let seen = seen.unwrap_or_else(|| panic!("{protocol}: nothing at {at:?}"));
                let far = (0..3).map(|part| seen[part].abs_diff(expected[part])).max().unwrap();
                assert!(far <= tolerance, "{protocol} {at:?} {x} {y}: {seen:?}, not {expected:?}");
            }
        }
    }

    fn has_image(&self) -> bool {
        !self.player.app.images().is_empty()
    }
}

/// Runs a story in each protocol.
fn in_each_protocol(story: impl Fn(Protocol)) {
    for protocol in PROTOCOLS {
        println!("{protocol}");
        story(protocol);
    }
}

#[test]
fn images_follow_every_event() {
    in_each_protocol(|protocol| {
        let mut screen = Screen::at("dots-and-boxes", "size=3", protocol);
        screen.draw();
        assert!(screen.has_image());
        // A key, moves, and a taken box.
        screen.press("<right>");
        for mv in ["H0,0", "V0,0", "V0,1", "H1,0"] {
            screen.press(&format!(":{mv}<enter>"));
        }
        // The menu covers a part of the image, and the image changes below it.
        screen.press("<esc>");
        screen.press("<down><down>");
        screen.press("<esc>");
        // A page covers all of it.
        screen.press("?");
        assert!(!screen.has_image());
        screen.press("q");
        assert!(screen.has_image());
        // A size without space for a panel, where messages and menus cover the board.
        for size in [(50, 20), (120, 40), (30, 10), SIZE] {
            screen.resize(size, CELL);
            screen.draw();
            screen.press("<esc>");
            screen.press("<esc>");
            screen.press("H");
        }
        for cell in [CellSize { width: 11, height: 23 }, CellSize { width: 5, height: 9 }, CELL] {
            // Another size of the font, with as many cells.
            screen.resize(SIZE, cell);
            screen.draw();
        }
        // A theme with another background, one without any, and the first one again.
        let themes = || vec![Theme::night(), paper(), Theme::terminal()];
        let player = Player::with(Skin::default().with_theme(Theme::night()));
        screen.player.app = player.app.with_themes(themes).with_match(match_board("quixo", "", ""));
        screen.draw();
        screen.press("T");
        let how = screen.how.take();
        screen.press("T");
        assert!(!screen.has_image());
        screen.how = how;
        screen.press("T");
        // Focus, suspension, and a screen that was lost.
        screen.images.forget();
        screen.draw();
        let farewell = screen.images.farewell();
        screen.terminal.feed(&farewell);
        assert_eq!(screen.terminal.images.len(), 0);
        screen.forget();
        screen.draw();
        screen.press("u");
        screen.press("q");
    });
}

#[test]
fn images_are_on_the_cards_of_the_home_screen_and_in_the_setup() {
    in_each_protocol(|protocol| {
        let player = Player::with(Skin::default().with_theme(Theme::night()));
        let mut screen = Screen::new(player, protocol);
        for size in [(120, 40), SIZE] {
            screen.resize(size, CELL);
            screen.draw();
            let cards = screen.player.app.images().len();
            assert!(cards > 2, "{cards} cards at {size:?}");
            screen.press("<right>");
            screen.press("<enter>");
            assert_eq!(screen.player.app.images().len(), 1, "the preview");
            screen.press("<down>");
            screen.press("<right>");
            screen.press("<esc>");
        }
    });
}

#[test]
fn images_show_each_game_in_each_theme() {
    for game in ["dots-and-boxes", "join-the-dots", "quixo", "tic-tac-toe", "intersections"] {
        for (protocol, theme) in
            [(Kitty, Theme::night()), (Sixel, paper()), (ITerm2, Theme::night())]
        {
            let mut screen = Screen::in_theme(game, "", protocol, theme);
            screen.draw();
            assert!(screen.has_image(), "{game}");
            screen.press("<enter>");
            screen.press("<right><enter>");
        }
    }
}

#[test]
fn unchanged_frame_costs_no_bytes() {
    in_each_protocol(|protocol| {
        let mut screen = Screen::at("dots-and-boxes", "size=3", protocol);
        let first = screen.draw();
        let sent = screen.terminal.sent;
        assert!(sent > 0 && first > 0);
        assert_eq!(screen.draw(), 0);
        assert_eq!(screen.draw(), 0);
        // A change beside the board sends no image.
        screen.press("?");
        screen.press("q");
        let is_kitty = matches!(protocol, Kitty | KittyInTmux);
        if is_kitty {
            assert_eq!(screen.terminal.sent, sent, "the terminal still has the images");
        }
        // The same place again.
        screen.press("<right>");
        assert_eq!(screen.draw(), 0);
    });
}

#[test]
fn only_changed_tiles_are_sent() {
    in_each_protocol(|protocol| {
        let mut screen = Screen::at("dots-and-boxes", "size=3", protocol);
        screen.resize((160, 56), CELL);
        screen.draw();
        let all = mem::take(&mut screen.terminal.sent);
        assert!(all > 6, "{all}");
        screen.press("<right>");
        let changed = mem::take(&mut screen.terminal.sent);
        assert!((1..=all / 2).contains(&changed), "{changed} of {all}");
    });
}

#[test]
fn terminal_holds_a_bounded_number_of_images() {
    for protocol in [Kitty, KittyInTmux] {
        let mut screen = Screen::at("dots-and-boxes", "size=3", protocol);
        screen.draw();
        let held = screen.terminal.images.len();
        for _ in 0..20 {
            screen.press("<right>");
            screen.press("<enter>");
            screen.press("?");
            screen.press("q");
        }
        assert_eq!(screen.terminal.images.len(), held);
        // Without images, none stays.
        screen.how = None;
        screen.draw();
        assert_eq!(screen.terminal.images.len(), 0);
        assert!(!screen.has_image());
        assert_eq!(screen.images.farewell(), b"");
    }
}

#[test]
fn two_games_share_a_terminal() {
    let mut one = Screen::at("dots-and-boxes", "size=3", Kitty);
    one.draw();
    let ids: Vec<u32> = one.terminal.images.keys().copied().collect();
    let mut other = Screen::at("tic-tac-toe", "", Kitty);
    other.images = Images::new(1235);
    // The other game starts without the first one having left.
    mem::swap(&mut one.terminal, &mut other.terminal);
    other.forget();
    other.draw();
    assert!(ids.iter().all(|id| other.terminal.images.contains_key(id)));
    let farewell = other.images.farewell();
    other.terminal.feed(&farewell);
    mem::swap(&mut one.terminal, &mut other.terminal);
    assert_eq!(one.terminal.images.keys().copied().collect::<Vec<_>>(), ids);
    // The text is drawn again, but the images are still there.
    one.shown = Buffer::empty(one.shown.area);
    one.terminal.feed(b"\x1b[2J");
    one.draw();
}

/// Text that covers a part of a tile stays readable when the tile is sent again below it.
#[test]
fn text_over_images_stays_readable() {
    in_each_protocol(|protocol| {
        let player = Player::with(Skin::default().with_theme(Theme::night()));
        let mut screen = Screen::new(player, protocol);
        screen.resize((120, 40), CELL);
        screen.draw();
        // A menu over the cards of the home screen.
        screen.player.app.warn("Title", "A text that covers parts of the cards below it.");
        screen.draw();
        let covered = |screen: &Screen| {
            let boards = screen.player.app.images();
            let is_text = |at| !screen.shown[at].symbol().starts_with(RESERVED);
            boards.iter().flat_map(|board| board.area.positions()).filter(|at| is_text(*at)).count()
        };
        assert!(covered(&screen) > 50, "{}", covered(&screen));
        screen.images.forget();
        let bytes = screen.draw();
        assert!(bytes > 0);
        screen.press("<enter>");
        assert_eq!(covered(&screen), 0);
    });
}

const ASK_NAME: &str = "\x1b[>q";
const ASK_KITTY: &str = "\x1b_Gi=5117,a=q,s=1,v=1,f=24;AAAA\x1b\\";
const ASK_CELL: &str = "\x1b[16t";
const ASK_PIXEL_MOUSE: &str = "\x1b[?1016$p";
const ASK_ATTRIBUTES: &str = "\x1b[c";
const KITTY: [(&str, &str); 4] = [
    (ASK_NAME, "\x1bP>|kitty(0.36.4)\x1b\\"),
    (ASK_KITTY, "\x1b_Gi=5117;OK\x1b\\"),
    (ASK_CELL, "\x1b[6;16;8t"),
    (ASK_ATTRIBUTES, "\x1b[?62;c"),
];
/// The beginning of an image in kitty's protocol, a sixel, and an inline image.
const IMAGES: [&str; 3] = ["\x1b_Ga=t", "\x1bP0;1q", "\x1b]1337;File="];

fn start(arguments: &[&str], replies: &[(&'static str, &'static str)]) -> Terminal {
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_quadrille"));
    command.args(["play", "tic-tac-toe", "--names", "Ann,Bob", "--motion", "never"]);
    command.args(arguments);
    command.env("COLORTERM", "truecolor");
    for name in ["NO_COLOR", "TMUX", "STY", "ZELLIJ", "TERM_PROGRAM", "KITTY_WINDOW_ID"] {
        command.env_remove(name);
    }
    let state = Rc::new(tempfile::tempdir().unwrap());
    Terminal::start_replying(SIZE, command, state, replies.to_vec())
}

fn images_in(terminal: &Terminal) -> usize {
    IMAGES.iter().map(|image| terminal.times_written(image)).sum()
}

/// Returns the terminal's screen according to everything written so far.
fn model_of(terminal: &Terminal) -> ImageTerminal {
    let mut model = ImageTerminal::new(SIZE, CELL);
    model.feed(&terminal.raw_bytes());
    model
}

/// Makes a move by typing, which shows that the game still works and that no answer was typed.
fn plays(terminal: &mut Terminal, mv: &str, left: &str) {
    terminal.keys(&format!(":{mv}")).wait_for(&format!(":{mv}")).keys("\r").wait_for(left);
}

#[test]
fn terminal_gets_images_if_its_answers_allow_them() {
    let kitty = |changed: &'static str, to: &'static str| {
        let reply = move |(query, reply)| (query, if query == changed { to } else { reply });
        KITTY.map(reply).to_vec()
    };
    let attributes = "\x1b[?62;c";
    for (name, replies, expected) in [
        ("kitty", KITTY.to_vec(), true),
        ("kitty, split", kitty(ASK_KITTY, "\x1b_Gi=5117;OK\x1b\\\x1b[6;16;8t"), true),
        ("no answer", Vec::new(), false),
        ("only attributes", vec![(ASK_ATTRIBUTES, attributes)], false),
        ("no cell size", kitty(ASK_CELL, ""), false),
        ("nonsense size", kitty(ASK_CELL, "\x1b[6;0;65535t\x1b[6;;t"), false),
        ("refused", kitty(ASK_KITTY, "\x1b_Gi=5117;ENOTSUPPORTED:no\x1b\\"), false),
        ("another's answer", kitty(ASK_KITTY, "\x1b_Gi=31;OK\x1b\\"), false),
        ("unfinished name", kitty(ASK_NAME, "\x1bP>|kitty\x18"), false),
        ("konsole", kitty(ASK_NAME, "\x1bP>|Konsole 24.02\x1b\\"), false),
        ("too late", kitty(ASK_ATTRIBUTES, "\x1b[?62;c\x1b_Gi=5117;OK\x1b\\\x1b[?62;4c"), true),
        (
            "after the last answer",
            vec![(
                ASK_ATTRIBUTES,
                "\x1b[?62;c\x1bP>|kitty(0.36.4)\x1b\\\x1b_Gi=5117;OK\x1b\\\x1b[6;16;8t",
            )],
            false,
        ),
        (
            "sixel",
            vec![
                (ASK_NAME, "\x1bP>|XTerm(390)\x1b\\"),
                (ASK_CELL, "\x1b[6;16;8t"),
                (ASK_ATTRIBUTES, "\x1b[?63;1;2;4;6c"),
            ],
            true,
        ),
    ] {
        let mut terminal = start(&[], &replies);
        terminal.wait_for("q leave");
        plays(&mut terminal, "b2", "8 cells left");
        if expected {
            terminal.wait_until(name, |terminal| images_in(terminal) > 0);
        }
        plays(&mut terminal, "a1", "7 cells left");
        assert_eq!(images_in(&terminal) > 0, expected, "{name}");
        let first = terminal.bytes();
        let (before, _) = first.split_at(first.find("\x1b[c").unwrap());
        assert!(!before.contains("Ann"), "the queries come first");
        terminal.leave();
    }
}

#[test]
fn setting_decides_about_images() {
    let cell = [(ASK_CELL, "\x1b[6;16;8t"), (ASK_ATTRIBUTES, "\x1b[?62;c")];
    for (word, image) in [("kitty", IMAGES[0]), ("sixel", IMAGES[1]), ("iterm2", IMAGES[2])] {
        let mut terminal = start(&["--graphics", word], &cell);
        terminal.wait_for("q leave");
        terminal.wait_until(word, |terminal| terminal.times_written(image) > 0);
        // Even if the terminal shows none of it, the text works.
        terminal.keys("?").wait_for("q close").keys("q").wait_for("9 cells left");
        terminal.keys("T").keys("q").wait_for("five games");
        terminal.leave();
    }
    for arguments in
        [&["--graphics", "off"][..], &["--theme", "terminal"], &["--color", "never"], &["--ascii"]]
    {
        let mut terminal = start(arguments, &KITTY);
        terminal.wait_for("q leave");
        plays(&mut terminal, "b2", "8 cells left");
        assert_eq!(images_in(&terminal), 0, "{arguments:?}");
        let asks = terminal.times_written(ASK_KITTY);
        assert_eq!(
            asks,
            usize::from(matches!(arguments[0], "--theme" | "--ascii")),
            "{arguments:?}"
        );
        terminal.leave();
    }
}

/// In the real loop: what the terminal shows is what this test draws for the same position.
#[test]
fn images_in_a_terminal_are_those_drawn() {
    let mut expected = Screen::at("tic-tac-toe", "", Kitty);
    let mut terminal = start(&[], &KITTY);
    terminal.wait_for("q leave");
    for keys in ["", "\x1b[C", "\r", "\x1b[C"] {
        terminal.keys(keys);
        expected.press(match keys {
            "\x1b[C" => "<right>",
            "\r" => "<enter>",
            _ => "",
        });
        terminal.wait_until("the image", |terminal| {
            let model = model_of(terminal);
            let boards = expected.player.app.images();
            boards
                .iter()
                .all(|board| model.pixels(board.area) == expected.terminal.pixels(board.area))
        });
    }
    terminal.leave();
}

#[test]
fn images_are_deleted_when_the_terminal_is_restored() {
    let mut command = CommandBuilder::new("sh");
    command.args(["-c", "set -m; \"$0\" play tic-tac-toe; echo [left]; read line; fg >/dev/null; echo [gone]; read line"]);
    command.arg(env!("CARGO_BIN_EXE_quadrille"));
    command.env("COLORTERM", "truecolor");
    let state = Rc::new(tempfile::tempdir().unwrap());
    let mut terminal = Terminal::start_replying(SIZE, command, state, KITTY.to_vec());
    let has_images = |terminal: &Terminal| !model_of(terminal).images.is_empty();
    terminal.wait_for("q leave").wait_until("images", has_images);
    terminal.keys("\x1a").wait_for("[left]");
    assert!(!has_images(&terminal));
    terminal.keys("\n").wait_for("q leave").wait_until("images again", has_images);
    terminal.keys("\x03").wait_for("[gone]");
    assert!(!has_images(&terminal));
    terminal.keys("\n");
    terminal.wait_for_the_end();
}

const PANICS: &str = "QUADRILLE_TEST_PANICS_WITH_IMAGES";

/// The child that panics: the same loop, in this test binary. Without the variable it does nothing.
#[test]
fn child_process_with_images_panics() {
    if std::env::var_os(PANICS).is_none() {
        return;
    }
    let skin = Skin::default().with_theme(Theme::night());
    let mut app = App::new(skin, 1).with_match(match_board("tic-tac-toe", "", ""));
    runtime::run(&mut app, &mut Panics).unwrap();
}

struct Panics;

impl Host for Panics {
    fn perform(&mut self, _: DiskTask, _: &mut App) {
        panic!("on purpose");
    }

    fn graphics(&self) -> Option<GraphicsEnvironment> {
        let term = "xterm-256color".to_owned();
        let depth = Depth::TrueColour;
        Some(GraphicsEnvironment { term, program: String::new(), is_multiplexed: false, depth })
    }
}

#[test]
fn images_are_deleted_after_a_panic() {
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args(alone(module_path!(), "child_process_with_images_panics"));
    command.env(PANICS, "1");
    command.env("RUST_BACKTRACE", "0");
    let state = Rc::new(tempfile::tempdir().unwrap());
    let mut terminal = Terminal::start_replying(SIZE, command, state, KITTY.to_vec());
    let has_images = |terminal: &Terminal| !model_of(terminal).images.is_empty();
    terminal.wait_for("q leave").wait_until("images", has_images);
    terminal.keys(":b2\r").wait_for("on purpose");
    assert!(!has_images(&terminal));
    assert_eq!(terminal.wait_for_the_end(), 101);
}

/// iTerm2 and tmux may lose images while their window is hidden.
#[test]
fn lossy_terminals_get_the_images_again_on_focus() {
    let cell = [(ASK_CELL, "\x1b[6;16;8t"), (ASK_ATTRIBUTES, "\x1b[?62;c")];
    for (word, image, is_lossy) in [("kitty", IMAGES[0], false), ("iterm2", IMAGES[2], true)] {
        let mut terminal = start(&["--graphics", word], &cell);
        terminal.wait_for("q leave");
        terminal.wait_until(word, |terminal| terminal.times_written(image) > 0);
        terminal.keys("?").wait_for("q close").keys("q").wait_for("9 cells left");
        let before = terminal.times_written(image);
        terminal.keys("\x1b[O\x1b[I");
        if is_lossy {
            terminal.wait_until("all again", |terminal| terminal.times_written(image) > before);
        } else {
            terminal.keys("?").wait_for("q close").keys("q").wait_for("9 cells left");
            assert_eq!(terminal.times_written(image), before);
        }
        terminal.leave();
    }
}

/// Without pixels in mouse reports, a click takes what the image shows at the middle of the cell.
#[test]
fn click_on_a_cell_takes_the_place_that_the_image_shows_there() {
    let mut moves = Vec::new();
    let places = {
        let mut screen = Screen::at("tic-tac-toe", "", Kitty);
        screen.draw();
        let boards = screen.player.app.images();
        let board = &boards[0];
        let size = board.area.as_size();
        let placement = Placement::new(&board.scene, board.lettering, size, CELL).unwrap();
        let cell = |[x, y]: [f32; 2]| {
            (board.area.x + x as u16 / CELL.width, board.area.y + y as u16 / CELL.height)
        };
        placement.places().into_values().map(cell).collect::<Vec<_>>()
    };
    assert_eq!(places.len(), 9);
    for place in places {
        let mut screen = Screen::at("tic-tac-toe", "", Kitty);
        screen.draw();
        for kind in [MouseEventKind::Down(MouseButton::Left), MouseEventKind::Up(MouseButton::Left)]
        {
            let (column, row) = place;
            let mouse = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
            screen.player.app.update(&Event::Mouse(mouse));
        }
        screen.draw();
        let app = &screen.player.app;
        let played = app.open_match().unwrap().current_match().legal_moves();
        assert_eq!(played.len(), 8);
        moves.push(played);
    }
    moves.sort();
    moves.dedup();
    assert_eq!(moves.len(), 9, "each place is another move");
}

/// In the mode 1016, a click takes the place nearest to the pixel. Reports before the terminal has confirmed the mode
/// are in cells.
#[test]
fn click_takes_the_place_at_a_pixel() {
    let mut replies = KITTY.to_vec();
    replies.insert(0, (ASK_PIXEL_MOUSE, "\x1b[?1016;2$y"));
    let mut terminal = start(&[], &replies);
    terminal.wait_for("q leave");
    terminal.wait_until("a second query", |terminal| terminal.times_written(ASK_PIXEL_MOUSE) == 2);
    assert_eq!(terminal.times_written("\x1b[?1016h\x1b[?1016$p"), 1);
    let mut expected = Screen::at("tic-tac-toe", "", Kitty);
    expected.draw();
    let (scene, lettering, area) = {
        let boards = expected.player.app.images();
        (boards[0].scene.clone(), boards[0].lettering, boards[0].area)
    };
    let placement = Placement::new(&scene, lettering, area.as_size(), CELL).unwrap();
    let places = placement.places();
    let corner = places
        .iter()
        .max_by(|(_, one), (_, other)| (one[0] + one[1]).total_cmp(&(other[0] + other[1])));
    let (_, [x, y]) = corner.unwrap();
    let pixel = [*x + f32::from(area.x * CELL.width), *y + f32::from(area.y * CELL.height)];
    let at = format!("{};{}", pixel[0] as u32 + 1, pixel[1] as u32 + 1);
    // The terminal confirms the mode.
    terminal.keys("\x1b[?1016;1$y");
    terminal.keys(&format!("\x1b[<35;{at}M\x1b[<0;{at}M\x1b[<0;{at}m")).wait_for("8 cells left");
    assert!(terminal.sees("c3") || terminal.sees("c1"), "{}", terminal.contents());
    terminal.leave();
}
