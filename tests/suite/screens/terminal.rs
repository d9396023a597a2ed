//! The real program in a real pseudo-terminal, from the first key to the end of a match.

use crate::common::player::Player;
use crate::common::samples::samples;
use crate::common::terminal::{Terminal, past_the_guard, with_config};
use crate::common::untimed::Untimed;
use portable_pty::CommandBuilder;
use quadrille::app::OpenMatch;
use quadrille::picture::HAS_PIXELS;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// Chooses the last entry of a menu, which goes home.
const LAST_ENTRY: &str = "\x1b[F\r";

/// Returns the moves of a match to its end: always the middle one of the list, or the last.
fn some_moves(game: &str, setup: &str) -> Vec<String> {
    let mut match_board: OpenMatch = crate::common::match_board(game, setup, "");
    let mut moves = Vec::new();
    while match_board.current_match().to_move().is_some() {
        let legal = match_board.current_match().legal_moves();
        let mv = legal[(moves.len() * 7 + legal.len() / 2) % legal.len()].clone();
        match_board.play(&mv).unwrap();
        moves.push(mv);
        assert!(moves.len() < 200, "{game} does not end");
    }
    moves
}

fn play_to_the_end(game: &str, setup: &str) {
    let mut arguments = vec!["play", game, "--names", "Ann,Bob"];
    arguments.extend(setup.split_whitespace());
    let mut terminal = Terminal::run(&arguments);
    terminal.wait_for("Ann").wait_for("q leave");
    let moves = some_moves(game, setup);
    for mv in &moves {
        terminal.keys(&format!(":{mv}\r"));
    }
    // The end of a round is shown until a key is pressed.
    terminal.wait_until("the end", |terminal| {
        ["Enter continue", "Rematch"].iter().any(|end| terminal.sees(end))
    });
    if !terminal.sees("Rematch") {
        terminal.keys(" ");
    }
    terminal.wait_for("Rematch");
    past_the_guard();
    terminal.keys(LAST_ENTRY);
    terminal.wait_for("q quit");
    terminal.leave_by("q");
}

#[test]
fn every_game_is_played_to_its_end() {
    for (entry, sample) in samples() {
        play_to_the_end(entry.id, sample.small);
    }
}

#[test]
fn match_is_played_with_arrows_and_enter_only() {
    let mut terminal = Terminal::run(&[]);
    terminal.wait_for("games on squared paper").keys("\r");
    terminal.wait_for("[Computer]").keys("\x1b[C").wait_for("Player 2");
    terminal.keys("\x1b[B\x1b[B\x1b[B\x1b[B").keys("\x1b[D\x1b[D\x1b[D");
    terminal.keys("\x1b[B\x1b[B\x1b[B\r").wait_for("4 lines");
    terminal.keys("\r").wait_for("3 lines").keys("\x1b[B\r").wait_for("2 lines");
    terminal.keys("\x1b[C\r").wait_for("1 line").keys("\x1b[B\r").wait_for("Rematch");
    past_the_guard();
    terminal.keys(LAST_ENTRY).wait_for("q quit");
    terminal.leave_by("q");
}

#[test]
fn ctrl_c_quits_from_every_screen() {
    for keys in ["", "\r", "\r\r", "\r\r:H0", "?"] {
        let mut terminal = Terminal::run(&[]);
        terminal.wait_for("games on squared paper").keys(keys).keys("\x03");
        assert_eq!(terminal.wait_for_the_end(), 0, "{keys:?}");
    }
}

#[test]
fn engine_replies_in_a_real_terminal() {
    let mut terminal = Terminal::run(&[
        "play",
        "tic-tac-toe",
        "--names",
        "Ann",
        "--seat",
        "2=engine:strong,time=0.3",
    ]);
    terminal.wait_for("You").wait_for("Strong").keys("\r").wait_for("7 cells");
    terminal.keys("H").wait_for("hint: ").keys("a").wait_for("a draw with best play");
    terminal.keys("\x1b[Z\r").wait_for("5 cells").keys("q").wait_for("Resume");
    terminal.leave_by("q");
}

/// A second engine is asked as soon as the first has stopped, so that each stop is visible.
#[test]
fn keys_work_while_an_engine_thinks() {
    let engine = "2=engine:strong,time=3600";
    let mut terminal = Terminal::run(&["play", "dots-and-boxes", "size=12", "--seat", engine]);
    terminal.wait_for("264 lines").keys("\r").wait_for("Strong is thinking");
    terminal.keys("u").wait_for("264 lines").keys("\r").wait_for("Strong is thinking");
    terminal.keys("?").wait_for("help").keys("q").wait_for("Strong is thinking");
    terminal.keys("q").wait_for("Resume").keys("\r").wait_for("Strong is thinking");
    terminal.leave();
}

/// A terminal that cannot show the screens gets a message without escape sequences, or plain mode.
#[test]
fn dumb_terminal_gets_plain_mode() {
    let start = |term: &str, args: &[&str]| {
        let mut command = CommandBuilder::new("env");
        command.args([&format!("TERM={term}"), env!("CARGO_BIN_EXE_quadrille")]);
        command.args(args);
        Terminal::start(command)
    };
    for term in ["dumb", ""] {
        let mut terminal = start(term, &[]);
        terminal.wait_for("> ").keys("quit\n");
        assert_eq!(terminal.wait_for_the_end(), 0);
        let mut terminal = start(term, &["play", "tic-tac-toe", "--names", "Ann,Bob"]);
        terminal.wait_for("> ").keys("b2\n").wait_for("Ann puts X on b2. Bob to move.");
        terminal.keys("hint\n").wait_for("Hint: ").keys("quit\n").wait_for("Match saved");
        assert_eq!(terminal.times_written("\x1b"), 0);
        assert_eq!(terminal.wait_for_the_end(), 0);
    }
}

/// In a non-UTF-8 locale, and with `--ascii`, every byte is ASCII.
#[test]
fn ascii_is_used_by_locale_or_option() {
    for (locale, option) in [("C", "--color=auto"), ("C.UTF-8", "--ascii")] {
        let mut command = CommandBuilder::new("env");
        command.arg(format!("LC_ALL={locale}"));
        command.args([env!("CARGO_BIN_EXE_quadrille"), "play", "join-the-dots", option]);
        let mut terminal = Terminal::start(command);
        terminal.wait_for("10 dots").keys("\t\r\t\r").wait_for("last");
        assert!(terminal.contents().is_ascii(), "{}", terminal.contents());
        terminal.leave();
    }
}

#[test]
fn no_color_and_color_option_control_colour() {
    for (setting, option, coloured) in [
        ("NO_COLOR=", "--color=auto", true),
        ("NO_COLOR=1", "--color=auto", false),
        ("NO_COLOR=1", "--color=always", true),
        ("NO_COLOR=", "--color=never", false),
    ] {
        let mut command = CommandBuilder::new("env");
        command.arg(setting);
        command.args([env!("CARGO_BIN_EXE_quadrille"), "play", "tic-tac-toe", option]);
        let mut terminal = Terminal::start(command);
        terminal.wait_for("q leave").keys("\r").wait_for("8 cells left");
        assert_eq!(terminal.is_coloured(), coloured, "{setting} {option}");
        terminal.leave();
    }
}

#[test]
fn terminal_cursor_shows_only_while_typing() {
    let mut terminal = Terminal::run(&["play", "tic-tac-toe"]);
    terminal.wait_for("q leave").wait_until("hidden cursor", |terminal| !terminal.shows_a_cursor());
    terminal.keys(":b").wait_until("cursor", Terminal::shows_a_cursor);
    terminal
        .keys("2\r")
        .wait_for("8 cells left")
        .wait_until("hidden cursor", |terminal| !terminal.shows_a_cursor());
    terminal.leave();
}

#[test]
fn mouse_operates_the_screens() {
    let mut terminal = Terminal::run(&[]);
    terminal.wait_for("q quit").click("Rules").wait_for("q close");
    // This target exists only on the new screen, not on the list before.
    terminal.click("Quixo").wait_for("Space next page Esc close T theme ? help q close");
    terminal.click("q close").wait_for("q quit");
    assert!(terminal.reports_the_mouse());
    terminal.click("q quit");
    assert_eq!(terminal.wait_for_the_end(), 0);
}

/// The background is queried once, and nothing waits for the reply, which is not treated as a key.
#[test]
fn terminal_background_is_queried_once() {
    let (state, _) = with_config("");
    let mut terminal = Terminal::run_with(&["play", "tic-tac-toe", "--theme", "terminal"], &state);
    terminal.wait_for("q leave");
    assert_eq!(terminal.times_written("\x1b]11;?\x07"), 1);
    terminal.keys(":b");
    let before = terminal.times_written(";34m");
    // Split as badly as possible, among the keys of a typed move.
    for part in ["\x1b]", "11;rgb:ffff/ff", "ff/ffff\x1b", "\\2\r"] {
        terminal.keys(part);
    }
    terminal
        .wait_for("8 cells left")
        .wait_until("blue", |terminal| terminal.times_written(";34m") > before);
    assert!(!terminal.sees("rgb") && !terminal.sees("11;"), "{}", terminal.contents());
    assert_eq!(terminal.times_written("\x1b]11;?\x07"), 1);
    terminal.leave();
}

/// The answers are split, and no part of them becomes a key.
#[test]
fn terminal_colours_are_queried_once_where_the_theme_uses_them() {
    let asked = "\x1b]4;0;?;";
    let (state, _) = with_config("");
    let mut terminal = Terminal::run_with(&["play", "tic-tac-toe", "--theme", "night"], &state);
    terminal.wait_for("q leave");
    assert_eq!(terminal.times_written(asked), 0);
    terminal.leave();
    let args = ["play", "dots-and-boxes", "size=3", "--theme", "terminal"];
    let mut terminal = Terminal::run_with(&args, &state);
    terminal.wait_for("q leave").keys(":H0,0\r:V0,0\r:V0,1\r:H1,0\r").wait_for("8 lines left");
    assert_eq!(terminal.times_written(asked), 1);
    assert_eq!(terminal.times_written("\x1b[42m"), 0);
    let colours = (0..16).map(|index| match index {
        0 => "\x1b]4;0;rgb:0000/0000/0000\x07".to_owned(),
        _ => format!("\x1b]4;{index};rgb:ffff/e5e5/ffff\x1b\\"),
    });
    let own = ["\x1b]10;rgb:eeee/eeee/eeee\x07", "\x1b]11;rgb:0000/0000/0000\x07"];
    for answer in colours.chain(own.map(str::to_owned)) {
        let (first, second) = answer.split_at(answer.len() / 2);
        terminal.keys(first).keys(second);
    }
    // Bright cyan or green as a background: the owner of the box.
    let filled = |terminal: &Terminal| {
        ["46", "45", "106", "105", "48;5;14", "48;5;13"].iter().any(|code| {
            terminal.times_written(&format!("{code}m"))
                + terminal.times_written(&format!("{code};"))
                > 0
        })
    };
    terminal.keys("\x1b[?62c").wait_until("a filled box", filled);
    assert!(!terminal.sees("rgb") && !terminal.sees("4;"), "{}", terminal.contents());
    assert_eq!(terminal.times_written(asked), 1);
    terminal.leave();
}

/// Kitty's keyboard protocol and xterm's `modifyOtherKeys`, possibly left on by another program.
#[test]
fn keys_are_read_in_every_keyboard_protocol() {
    let mut terminal = Terminal::run(&["play", "tic-tac-toe"]);
    terminal.wait_for("q leave");
    for asked in ["\x1b[>5u", "\x1b[>4;0m", "\x1b[?u", "\x1b[?1004h"] {
        assert_eq!(terminal.times_written(asked), 1, "{asked:?}");
    }
    terminal.keys("\x1b[?5u:b\x1b[98;1:3u2\x1b[13;1:3u\r").wait_for("8 cells left");
    terminal.keys("\x1b[27;2;58~a1\x1b[27;1;13~").wait_for("7 cells left");
    terminal.leave_by("\x1b[1089::99;5u");
}

/// The keypad, whether or not an earlier program left it in application mode.
#[test]
fn keypad_plays_in_every_mode() {
    let mut terminal = Terminal::run(&["play", "join-the-dots", "--names", "Ann,Bob"]);
    terminal.wait_for("q leave").keys("3\n7\n").wait_for("3-7");
    terminal.leave();
    let mut terminal = Terminal::run(&["play", "join-the-dots", "--names", "Ann,Bob"]);
    terminal.wait_for("q leave").keys("\x1bOs\x1bOM\x1bOw\x1bOM").wait_for("3-7");
    terminal.leave();
}

/// A late answer to an earlier program's query is not typed.
#[test]
fn control_strings_type_nothing() {
    let mut terminal = Terminal::run(&["play", "join-the-dots", "--names", "Ann,Bob"]);
    terminal.wait_for("q leave");
    for string in
        ["\x1bP>|XTerm(390)\x1b\\", "\x1b_Gi=3;9\x1b\\", "\x1b^3-9\x1b\\", "\x1bX39\x1b\\"]
    {
        terminal.keys(string);
    }
    terminal.keys(":").wait_until("a cursor", Terminal::shows_a_cursor);
    terminal.keys("\x1bP>|XTerm(390)\x1b\\1-2").wait_for(":1-2").keys("\r").wait_for("1-2");
    assert!(!terminal.sees("3-9") && !terminal.sees("XTerm"), "{}", terminal.contents());
    terminal.leave();
}

/// The character set, the style, insert mode, newline mode, origin mode, the margins and `modifyOtherKeys`.
const USUAL_MODES: &str = "\x1b(B\x0f\x1b[m\x1b[4l\x1b[20l\x1b[?6l\x1b[r\x1b[?69l\x1b[>4;0m";

#[test]
fn modes_of_an_earlier_program_are_reset() {
    let mut terminal = Terminal::run(&["play", "tic-tac-toe"]);
    terminal.wait_for("q leave");
    assert_eq!(terminal.times_written(USUAL_MODES), 1);
    assert_eq!(terminal.times_written(&format!("{USUAL_MODES}\x1b[2J")), 1, "before drawing");
    terminal.keys("\x0c").wait_until("Ctrl-L", |terminal| terminal.times_written(USUAL_MODES) == 2);
    // No reset of the terminal, the scrollback or the tab stops.
    for lost in ["\x1bc", "\x1b[!p", "\x1b[3J", "\x1b[3g", "\x1b[0g", "\x1b[g"] {
        assert_eq!(terminal.times_written(lost), 0, "{lost:?}");
    }
    terminal.leave();
}

/// Terminals know different versions of Unicode.
#[test]
fn names_of_uncertain_width_keep_their_place() {
    let family = "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}";
    let names = format!("\u{3299}\u{1fae9},{family}");
    let mut terminal = Terminal::run(&["play", "tic-tac-toe", "--names", &names]);
    terminal.wait_for("q leave");
    for wide in ["\u{3299}", "\u{1fae9}", "\u{1f468}"] {
        let bytes = terminal.bytes();
        let at = bytes.find(wide).unwrap_or_else(|| panic!("no {wide}"));
        let before = &bytes[..at];
        let moved = before.rfind('\x1b').unwrap();
        assert!(before.ends_with('H') && before[..moved].ends_with("  "), "{before:?}");
    }
    assert!(!terminal.contents().contains("200d") && !terminal.bytes().contains('\u{200d}'));
    terminal.leave();
}

/// A terminfo entry with this number of colors, in term(5)'s format.
fn terminfo(name: &str, colors: i16) -> Vec<u8> {
    const MAX_COLORS: usize = 13;
    let name = format!("{name}|for a test\0");
    let mut numbers = [-1; MAX_COLORS + 1];
    numbers[MAX_COLORS] = colors;
    let header = [0o432, name.len() as i16, 0, numbers.len() as i16, 0, 0];
    let [header, numbers] = [&header[..], &numbers]
        .map(|all| all.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>());
    let padding = vec![0; name.len() % 2];
    [header, name.into_bytes(), padding, numbers].concat()
}

#[test]
fn colors_are_those_in_terminfo() {
    let (state, _) = with_config("");
    let folder = state.path().join("terminfo");
    for (name, colors, indexed, ansi, bright) in [
        ("x-many", 256, true, false, false),
        ("x-sixteen", 16, false, true, true),
        ("x-eight", 8, false, true, false),
        ("x-none", -1, false, false, false),
    ] {
        fs::create_dir_all(folder.join("x")).unwrap();
        fs::write(folder.join("x").join(name), terminfo(name, colors)).unwrap();
        let mut command = CommandBuilder::new("env");
        command.args([&format!("TERM={name}"), "COLORTERM=", "NO_COLOR="]);
        command.arg(format!("TERMINFO={}", folder.display()));
        command.args([env!("CARGO_BIN_EXE_quadrille"), "play", "intersections", "players=8"]);
        let mut terminal = Terminal::start_with(command, Rc::clone(&state));
        terminal.wait_for("q leave");
        let bytes = terminal.bytes();
        let styles =
            bytes.split('\x1b').filter_map(|part| part.strip_prefix("[0;")?.split_once('m'));
        let parameters: Vec<&str> = styles.flat_map(|(style, _)| style.split(';')).collect();
        let has = |all: &[u32]| {
            let number = |parameter: &&str| parameter.parse().is_ok_and(|n| all.contains(&n));
            parameters.iter().any(number)
        };
        assert_eq!(has(&[38, 48]), indexed, "{name}: {parameters:?}");
        // Indices may be any numbers.
        if !indexed {
            assert_eq!(has(&[31, 32, 33, 34, 35, 36]), ansi, "{name}: {parameters:?}");
            assert_eq!(has(&[91, 92, 93, 94, 95, 96]), bright, "{name}: {parameters:?}");
            assert_eq!(terminal.is_coloured(), ansi, "{name}");
        }
        terminal.leave();
    }
}

/// kitty reports these sequences as errors on its stderr.
#[test]
fn kitty_is_not_sent_sequences_of_xterm() {
    for (name, value) in [("TERM", "xterm-kitty"), ("KITTY_WINDOW_ID", "1")] {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_quadrille"));
        command.env(name, value);
        let mut terminal = Terminal::start(command);
        terminal.wait_for("q quit");
        terminal
            .keys("\x0c")
            .wait_until("Ctrl-L", |terminal| terminal.times_written("\x1b[r") == 2);
        for unknown in ["\x1b[>4", "\x1b[?69"] {
            assert_eq!(terminal.times_written(unknown), 0, "{name} {unknown:?}");
        }
        terminal.leave_by("q");
    }
}

/// Input sent before the terminal was asked to stop does not reach the shell.
#[test]
fn pending_input_does_not_reach_the_shell() {
    let mut command = CommandBuilder::new("sh");
    let program = env!("CARGO_BIN_EXE_quadrille");
    command.args(["-c", "\"$0\" play tic-tac-toe; echo [ended]; read line", program]);
    let mut terminal = Terminal::start(command);
    terminal.wait_for("q leave").keys("\x03").wait_for("[ended]");
    // At the start, about images, and at the end.
    assert_eq!(terminal.times_written("\x1b[c"), 1 + usize::from(HAS_PIXELS));
    // The shell echoes its input.
    terminal.keys("next").wait_for("next");
    assert_eq!(terminal.contents().trim(), "[ended]\nnext");
    assert_eq!(terminal.keys("\n").times_written("35;73"), 0);
}

#[test]
fn ctrl_l_redraws_the_screen() {
    let mut terminal = Terminal::run(&["play", "tic-tac-toe"]);
    terminal.wait_for("q leave").keys(":b");
    terminal.wait_until("a cursor", Terminal::shows_a_cursor);
    let (clears, footers) = (terminal.times_written("\x1b[2J"), terminal.times_written("Enter"));
    terminal.keys("\x0c").wait_until("drawn again", |terminal| {
        terminal.times_written("\x1b[2J") > clears && terminal.times_written("Enter") > footers
    });
    terminal.keys("2\r").wait_for("8 cells left");
    terminal.leave();
}

#[test]
fn program_starts_without_a_home_folder_and_says_so() {
    let mut command = CommandBuilder::new("env");
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.arg(format!("{name}=/dev/null"));
    }
    command.args([env!("CARGO_BIN_EXE_quadrille"), "play", "tic-tac-toe", "--theme", "paper"]);
    let mut terminal = Terminal::start(command);
    terminal.wait_for("cannot read the settings").keys("\r").wait_for("q leave");
    terminal.keys(":b2\r").wait_for("8 cells left");
    terminal.leave();
}

/// Neither a folder out of reach nor a broken theme file keeps the program from starting, unless `--theme` names it.
#[test]
fn program_starts_with_the_built_in_theme_if_the_own_one_is_broken() {
    type Break = fn(&Path);
    let breaks: [(&str, Break); 5] = [
        ("line 1", |path| fs::write(path, "inherit = nigth").unwrap()),
        ("not UTF-8", |path| fs::write(path, [0xff]).unwrap()),
        ("theme", |path| fs::create_dir(path).unwrap()),
        ("theme", |path| assert!(Command::new("mkfifo").arg(path).status().unwrap().success())),
        ("theme", |path| symlink(path, path).unwrap()),
    ];
    for config in ["", "theme = \"night\"\n"] {
        for (told, break_it) in breaks {
            let (state, path) = with_config(config);
            let themes = path.with_file_name("themes");
            fs::create_dir(&themes).unwrap();
            break_it(&themes.join("night.toml"));
            let mut terminal = Terminal::run_with(&["play", "tic-tac-toe"], &state);
            terminal.wait_for("q leave").wait_for(told).wait_for("cannot read the theme");
            terminal.keys(":b2\r").wait_for("8 cells left");
            terminal.leave();
            let mut refused =
                Terminal::run_with(&["play", "tic-tac-toe", "--theme", "night"], &state);
            refused.wait_for("night.toml");
            assert_eq!(refused.wait_for_the_end(), 1);
        }
    }
    let (state, path) = with_config("");
    let folder = path.parent().unwrap().parent().unwrap();
    fs::remove_dir_all(folder).unwrap();
    symlink(folder, folder).unwrap();
    let mut terminal = Terminal::run_with(&["play", "tic-tac-toe"], &state);
    terminal.wait_for("cannot read the settings").keys("\r").wait_for("q leave");
    terminal.leave();
}

#[test]
fn unsupported_theme_is_named() {
    let start = |term: &str| {
        let mut command = CommandBuilder::new("env");
        command.args([&format!("TERM={term}"), "COLORTERM="]);
        command.args([env!("CARGO_BIN_EXE_quadrille"), "play", "tic-tac-toe", "--theme", "paper"]);
        Terminal::start(command)
    };
    let mut terminal = start("xterm");
    terminal.wait_for("The theme paper needs more than 16 colors.");
    terminal.leave();
    let mut terminal = start("xterm-kitty");
    terminal.wait_for("q leave");
    assert!(terminal.times_written("\x1b[48;2;") > 0 || terminal.times_written(";48;2;") > 0);
    assert!(!terminal.sees("colors"));
    terminal.leave();
}

/// Returns whether the program enables mouse reports with these arguments.
fn reports_the_mouse(arguments: &[&str], state: &Rc<TempDir>) -> bool {
    let mut terminal = Terminal::run_with(arguments, state);
    terminal.wait_for("q quit");
    let reports = terminal.reports_the_mouse();
    terminal.leave_by("q");
    reports
}

#[test]
fn mouse_setting_and_option_control_mouse_reporting() {
    let (state, _) = with_config("");
    assert!(reports_the_mouse(&[], &state));
    assert!(!reports_the_mouse(&["--mouse", "never"], &state));
    let (state, _) = with_config("mouse = false\n");
    assert!(!reports_the_mouse(&[], &state));
    assert!(reports_the_mouse(&["--mouse", "auto"], &state), "the command line wins");
}

#[test]
fn match_is_played_with_the_mouse_only() {
    let mut player = Player::at("dots-and-boxes", "size=2");
    let mut places = (0..24).flat_map(|y| (0..80).map(move |x| (x, y)));
    let mut terminal = Terminal::run(&["play", "dots-and-boxes", "size=2", "--names", "Ann,Bob"]);
    terminal.wait_for("q leave");
    for move_number in 1..=4 {
        let draws_a_line = |place: &(u16, u16)| {
            player.click_at(*place);
            player.moves().split_whitespace().count() == move_number
        };
        let (column, row) = places.find(draws_a_line).unwrap();
        terminal.click_at(column, row);
    }
    terminal.wait_for("Rematch");
    past_the_guard();
    terminal.click("Home").wait_for("q quit").click("q quit");
    assert_eq!(terminal.wait_for_the_end(), 0);
}

/// Mouse reports on the same target redraw nothing.
#[test]
fn still_mouse_writes_nothing() {
    let mut terminal = Terminal::run(&["play", "quixo"]);
    let on_a_die = "\x1b[<35;12;7M";
    terminal.wait_for("q leave").keys(on_a_die);
    terminal.wait_until("still screen", |terminal| {
        let before = terminal.bytes_written();
        thread::sleep(Duration::from_millis(200));
        terminal.bytes_written() == before
    });
    let written = terminal.bytes_written();
    terminal.keys(&on_a_die.repeat(500));
    thread::sleep(Duration::from_millis(200));
    assert_eq!(terminal.bytes_written(), written);
    terminal.leave();
}
