//! Boards as images: what the terminal shows after every event is what was drawn.

use crate::common::image_terminal::{ImageTerminal, over};
use crate::common::match_board;
use crate::common::player::Player;
use Protocol::{ITerm2, Kitty, KittyInTmux, Sixel};
use quadrille::app::RESERVED;
use quadrille::app::runtime::Protocol;
use quadrille::app::runtime::images::Images;
use quadrille::board::Skin;
use quadrille::picture;
use quadrille_scene::Theme;
use quadrille_scene::colour::Rgb;
use quadrille_scene::pixels::{CellSize, Fonts, Placement};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::mem;

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
            let is_kitty = matches!(protocol, Kitty | KittyInTmux);
            let drawn = placement.draw(board.skin, &self.fonts, is_kitty);
            let Rgb(r, g, b) = board.skin.paper().bg.and_then(Rgb::of).expect("paper");
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
                let expected = over(*drawn, Some([r, g, b])).unwrap();
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
        screen.press("<Right>");
        for mv in ["H0,0", "V0,0", "V0,1", "H1,0"] {
            screen.press(&format!(":{mv}<Enter>"));
        }
        // The menu covers a part of the image, and the image changes below it.
        screen.press("<Esc>");
        screen.press("<Down><Down>");
        screen.press("<Esc>");
        // A page covers all of it.
        screen.press("?");
        assert!(!screen.has_image());
        screen.press("q");
        assert!(screen.has_image());
        // A size without space for a panel, where messages and menus cover the board.
        for size in [(50, 20), (120, 40), (30, 10), SIZE] {
            screen.resize(size, CELL);
            screen.draw();
            screen.press("<Esc>");
            screen.press("<Esc>");
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
fn images_show_each_game_in_each_theme() {
    for game in ["dots-and-boxes", "join-the-dots", "quixo", "tic-tac-toe", "intersections"] {
        for theme in [Theme::night(), paper()] {
            in_each_protocol(|protocol| {
                let mut screen = Screen::in_theme(game, "", protocol, theme);
                screen.draw();
                assert!(screen.has_image(), "{game}");
                screen.press("<Enter>");
                screen.press("<Right><Enter>");
            });
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
        screen.press("<Right>");
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
        screen.press("<Right>");
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
            screen.press("<Right>");
            screen.press("<Enter>");
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
        let mut screen = Screen::at("tic-tac-toe", "", protocol);
        screen.resize((50, 20), CELL);
        screen.draw();
        screen.press("<Esc>");
        let covered = |screen: &Screen| {
            let boards = screen.player.app.images();
            let is_text = |at| !screen.shown[at].symbol().starts_with(RESERVED);
            boards.iter().flat_map(|board| board.area.positions()).filter(|at| is_text(*at)).count()
        };
        assert!(covered(&screen) > 50, "{}", covered(&screen));
        screen.images.forget();
        let bytes = screen.draw();
        assert!(bytes > 0);
        screen.press("<Esc>");
        assert_eq!(covered(&screen), 0);
    });
}
