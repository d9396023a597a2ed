//! The settings: their file, their screen, and their effects.

use crate::common::player::Player;
use crate::common::program::{BINARY, command, file, finish, run};
use crate::common::terminal::{Terminal, with_config};
use quadrille::app::{DiskTask, EngineEvent, EngineTask, Task, TerminalTask};
use quadrille::settings::{MotionChoice, Seconds, Setting, Settings};
use quadrille_search::{RatedMove, Report, Value};
use rustix::fs::{CWD, Mode, mkfifoat};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::time::Duration;
use tempfile::TempDir;

/// From the home screen to the settings.
const TO_SETTINGS: &str = "GG\r";

fn settings_screen(state: &Rc<TempDir>) -> Terminal {
    let mut terminal = Terminal::run_with(&[], state);
    terminal.wait_for("q quit").keys(TO_SETTINGS).wait_for("engine delay");
    terminal
}

#[test]
fn config_command_prints_path_and_settings() {
    let (_folder, path) = file("mine.toml", "bell = true\n[keys]\nundo = [\"z\"]\n");
    let listed = run(&["config", "--config", path.to_str().unwrap()]).ok();
    assert_eq!(listed.lines().next(), Some(&*format!("# {}", path.display())));
    for line in
        ["theme = \"night\"", "bell = true", "pace = 0.4", "undo = [\"z\"]", "# redo = [\"r\"]"]
    {
        assert!(listed.lines().any(|text| text == line), "no {line} in\n{listed}");
    }
    let names = Setting::ALL.iter().map(|setting| setting.key());
    let listed_names: Vec<&str> = listed
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split(" = ").next())
        .collect();
    assert!(names.into_iter().all(|name| listed_names.contains(&&*name)), "{listed_names:?}");
    // The output is a settings file with the same settings.
    let (_folder, copy) = file("copy.toml", &listed);
    let again = run(&["config", "--config", copy.to_str().unwrap()]).ok();
    assert_eq!(
        again.lines().skip(1).collect::<Vec<_>>(),
        listed.lines().skip(1).collect::<Vec<_>>()
    );
    let none = run(&["config"]).ok();
    assert!(
        none.lines().next().unwrap().ends_with("quadrille/config.toml (not created yet)"),
        "{none}"
    );
}

#[test]
fn the_manual_has_a_row_for_each_setting() {
    let manual = fs::read_to_string("docs/settings.md").unwrap();
    let defaults = Settings::default();
    let rows = Setting::ALL.iter().map(|setting| {
        let (key, value, help) = (setting.key(), defaults.get(*setting), setting.help);
        let value = if value.is_empty() { "(empty)".to_owned() } else { format!("`{value}`") };
        format!("| `{key}` | {} | {value} | {help} |\n", setting.domain().in_file())
    });
    let table = rows.collect::<String>();
    assert!(manual.contains(&format!("|---|---|---|---|\n{table}\n")), "{table}");
}

#[test]
fn config_command_prints_problems_and_used_values() {
    let (_folder, path) = file("mine.toml", "bell = 3\nmouse = false\nspeed = 9\n");
    let name = path.display();
    let run = run(&["config", "--config", path.to_str().unwrap()]);
    let wrong = format!("{name}: line 1: bell: must be true or false, not 3");
    assert_eq!((run.status, run.err), (1, format!("{wrong} (and 1 more)\n")));
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[1], format!("# ! {wrong}"));
    assert!(lines[2].starts_with(&format!("# ! {name}: line 3: speed: unknown setting")));
    assert!(lines.contains(&"bell = false") && lines.contains(&"mouse = false"), "{lines:?}");
    let missing = crate::common::program::run(&["config", "--config", "/nowhere/x.toml"]).fails(2);
    assert_eq!(missing, "--config /nowhere/x.toml: file not found");
}

#[test]
fn changed_setting_keeps_the_rest_of_the_file() {
    let (state, path) = with_config("# mine\nmouse = true # yes\nold = 1\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let mut terminal = settings_screen(&state);
    terminal.wait_until("the mouse", Terminal::reports_the_mouse);
    terminal.keys("jjjl").wait_for("mouse ◂ off ▸");
    terminal.wait_until("no mouse", |terminal| !terminal.reports_the_mouse());
    terminal.keys("jjjjl").wait_for("bell ◂ on my turn ▸");
    let written = "# mine\nmouse = false # yes\nold = 1\nbell = true\n";
    terminal.wait_until("the file", |_| fs::read_to_string(&path).unwrap() == written);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
    terminal.leave();
    let mut terminal = settings_screen(&state);
    terminal.wait_for("mouse off").wait_for("bell on my turn");
    assert!(!terminal.reports_the_mouse());
    terminal.leave();
}

#[test]
fn first_change_creates_the_file_and_keeps_a_link() {
    let state = Rc::new(tempfile::tempdir().unwrap());
    let folder = state.path().join("config/quadrille");
    let mut terminal = settings_screen(&state);
    terminal.keys("T").wait_for("theme ◂ paper ▸");
    let is = |text: &'static str| {
        let path = folder.join("config.toml");
        move |_: &Terminal| fs::read_to_string(&path).is_ok_and(|is| is == text)
    };
    terminal.wait_until("the file", is("theme = \"paper\"\n"));
    let elsewhere = state.path().join("dotfiles.toml");
    fs::rename(folder.join("config.toml"), &elsewhere).unwrap();
    symlink(&elsewhere, folder.join("config.toml")).unwrap();
    terminal.keys("jjl").wait_for("motion ◂ always ▸");
    terminal.wait_until("the file", is("theme = \"paper\"\nmotion = \"always\"\n"));
    assert!(fs::symlink_metadata(folder.join("config.toml")).unwrap().is_symlink());
    terminal.leave();
}

/// Earlier builds wrote `motion` as a flag. It is read as a word, and written as one once it changes.
#[test]
fn flag_for_motion_becomes_a_word() {
    let old = include_str!("../../fixtures/0.1/config.toml");
    let never = old.replace("motion = true", "motion = false");
    for (text, word, next) in [(old, "auto", "always"), (&*never, "never", "auto")] {
        let (state, path) = with_config(text);
        let mut terminal = settings_screen(&state);
        terminal.wait_for(&format!("motion {word}")).wait_for("mouse off");
        terminal.keys("jjl").wait_for(&format!("motion ◂ {next} ▸"));
        let line = text.lines().find(|line| line.starts_with("motion")).unwrap();
        let flag = line.split(" #").next().unwrap();
        let written = text.replace(flag, &format!("motion = \"{next}\""));
        terminal.wait_until("the file", |_| fs::read_to_string(&path).unwrap() == written);
        terminal.leave();
    }
}

#[test]
fn invalid_config_is_reported_and_not_overwritten() {
    for (text, told) in [
        ("bell = true\nconfirm = 1\n", "line 2: confirm: must be"),
        ("bell = true\nconfirm = tr", "line 2: "),
        ("theme = \"nihgt\"\n", "unknown theme nihgt"),
    ] {
        let (state, path) = with_config(text);
        let mut terminal = Terminal::run_with(&[], &state);
        terminal.wait_for("Settings").wait_for("Continue");
        let shown = terminal.contents().split_whitespace().collect::<Vec<_>>().join(" ");
        let words = |text: &str| shown.replace(['\u{2502}', '▐', '▌'], "").contains(text);
        assert!(told.split(' ').all(words), "{shown}");
        terminal.keys("\r").wait_for("q quit").keys(TO_SETTINGS).wait_for("engine delay");
        terminal.keys("jjl").wait_for("motion ◂ always ▸").wait_for("until you quit");
        terminal.leave();
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    // An unknown key is harmless.
    let (state, path) = with_config("motions = true\n");
    let mut terminal = Terminal::run_with(&[], &state);
    terminal.wait_for("! ").wait_for("q quit").keys(TO_SETTINGS).wait_for("engine delay");
    terminal.keys("jjl").wait_for("motion ◂ always ▸");
    terminal.wait_until("the file", |_| {
        fs::read_to_string(&path).unwrap() == "motions = true\nmotion = \"always\"\n"
    });
    terminal.leave();
}

/// The warning disappears with its cause, and interim changes are saved too.
#[test]
fn next_change_writes_unsaved_settings() {
    let (state, path) = with_config("");
    let folder = path.parent().unwrap();
    let aside = state.path().join("aside");
    let mut terminal = Terminal::run_with(&[], &state);
    // The first time, the program also looks for themes beside the file.
    terminal.wait_for("q quit").keys("T");
    terminal.wait_until("the theme", |_| !fs::read_to_string(&path).unwrap().is_empty());
    let before = fs::read_to_string(&path).unwrap();
    fs::rename(folder, &aside).unwrap();
    fs::write(folder, "").unwrap();
    terminal.keys("T").wait_for("until you quit");
    fs::remove_file(folder).unwrap();
    fs::rename(&aside, folder).unwrap();
    terminal.keys("T").wait_for("Settings saved.");
    assert!(!terminal.sees("until you quit"));
    assert_ne!(fs::read_to_string(&path).unwrap(), before);
    terminal.leave();
}

#[test]
fn failed_config_write_is_reported_and_leaves_no_draft() {
    let (state, path) = with_config("bell = false\n");
    let mut terminal = settings_screen(&state);
    // Meanwhile the user has broken the file in another way.
    fs::write(&path, "bell = \n").unwrap();
    terminal.keys("jjl").wait_for("until you quit").wait_for("line 1");
    assert_eq!(fs::read_to_string(&path).unwrap(), "bell = \n");
    fs::write(&path, "bell = true\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    // Back to the saved value, which needs no writing, and away from it again.
    terminal.keys("hl").wait_for("read-only");
    assert_eq!(fs::read_to_string(&path).unwrap(), "bell = true\n");
    let names: Vec<_> = fs::read_dir(path.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["config.toml"]);
    terminal.leave();
}

/// Each process writes only the settings that it changed.
#[test]
fn two_programs_write_only_their_changed_settings() {
    let (state, path) = with_config("");
    let [mut one, mut other] = [settings_screen(&state), settings_screen(&state)];
    one.keys("jjl").wait_for("motion ◂ always ▸");
    one.wait_until("the file", |_| fs::read_to_string(&path).unwrap() == "motion = \"always\"\n");
    other.keys("jjjjjjjl").wait_for("bell ◂ on my turn ▸");
    let both = "motion = \"always\"\nbell = true\n";
    other.wait_until("the file", |_| fs::read_to_string(&path).unwrap() == both);
    one.keys("jl").wait_for("mouse ◂ off ▸");
    let all = "motion = \"always\"\nbell = true\nmouse = false\n";
    one.wait_until("the file", |_| fs::read_to_string(&path).unwrap() == all);
    one.leave();
    other.leave();
}

#[test]
fn changed_key_is_shown_on_every_screen() {
    let (state, path) = with_config("");
    let mut terminal = settings_screen(&state);
    terminal.keys("G\r").wait_for("left, h");
    // Down to undo.
    for _ in 0..35 {
        terminal.keys("j");
    }
    terminal.wait_for("Take back the last move").keys("\r").wait_for("press the new key for undo");
    terminal.keys("r").wait_for("! r is already used for \"redo\"");
    terminal.keys("\x1b[D").wait_for("! left cannot be reassigned");
    terminal.keys("z").wait_for("undo: z");
    terminal.wait_until("the file", |_| {
        fs::read_to_string(&path).unwrap() == "[keys]\nundo = [\"z\"]\n"
    });
    terminal.leave();
    let mut terminal = Terminal::run_with(&["play", "tic-tac-toe"], &state);
    terminal.wait_for("pat").keys("\r").wait_for("z undo").keys("u");
    terminal.keys("z").wait_for("taken back").keys("?").wait_for("take back the last move");
    assert!(terminal.sees("z take back the last move"), "{}", terminal.contents());
    terminal.leave();
}

#[test]
fn command_line_overrides_config_for_one_run() {
    let (state, path) = with_config("theme = \"paper\"\nmouse = false\n");
    let mut terminal = Terminal::run_with(&["--theme", "blueprint", "--mouse", "auto"], &state);
    terminal
        .wait_for("q quit")
        .keys(TO_SETTINGS)
        .wait_for("theme ◂ blueprint ▸")
        .wait_for("mouse on");
    terminal.keys("jjl").wait_for("motion ◂ always ▸");
    let written = "theme = \"paper\"\nmouse = false\nmotion = \"always\"\n";
    terminal.wait_until("the file", |_| fs::read_to_string(&path).unwrap() == written);
    terminal.leave();
}

#[test]
fn plain_mode_reports_config_errors() {
    let (_folder, path) = file("mine.toml", "mous = true\nhints = 3\n");
    let args = ["play", "tic-tac-toe", "--plain", "--config", path.to_str().unwrap()];
    let home = tempfile::tempdir().unwrap();
    let output = Command::new(BINARY)
        .args(args)
        .env("XDG_STATE_HOME", home.path())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let told = "mine.toml: line 2: hints: must be true or false, not 3 (and 1 more: quadrille config). Changes last until you quit";
    assert!(said.lines().any(|line| line.starts_with(told)), "{said}");
}

#[test]
fn svg_output_reports_config_theme_errors() {
    let (folder, path) = file("mine.toml", "theme = 3\n");
    let record = folder.path().join("a.game");
    fs::write(&record, "[Game \"tic-tac-toe\"]\n[Setup \"\"]\n\nb2\n").unwrap();
    let config = path.to_str().unwrap();
    let show = run(&["show", record.to_str().unwrap(), "--format", "svg", "--config", config]);
    assert!(show.status == 0 && show.out.starts_with("<svg "), "{show:?}");
    assert!(
        show.err.contains("line 1: theme: must be the name of a theme")
            && show.err.lines().count() == 1
    );
    run(&[
        "show",
        record.to_str().unwrap(),
        "--format",
        "svg",
        "--config",
        config,
        "--theme",
        "paper",
    ])
    .ok();
}

/// Makes the custom theme of this name unreadable in each way.
const UNREADABLE: [fn(&Path); 4] = [
    |path| fs::write(path, "cursr = 1\n").unwrap(),
    |path| fs::create_dir(path).unwrap(),
    |path| mkfifoat(CWD, path, Mode::RWXU).unwrap(),
    |path| symlink(path, path).unwrap(),
];

#[test]
fn unreadable_theme_of_the_settings_is_reported_and_replaced_by_the_built_in_one() {
    for (config, name) in [(None, "night"), (Some("theme = \"paper\"\n"), "paper")] {
        for break_at in UNREADABLE {
            let home = tempfile::tempdir().unwrap();
            let folder = home.path().join("quadrille");
            let path = folder.join(format!("themes/{name}.toml"));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            break_at(&path);
            if let Some(text) = config {
                fs::write(folder.join("config.toml"), text).unwrap();
            }
            let run = |args: &[&str]| finish(&mut command(home.path(), args), b"quit\n");
            let (path, end) = (path.display().to_string(), format!(". Using the built-in {name}"));
            let is_notice = |text: &str, path: &str| {
                text.lines().any(|line| line.contains(path) && line.contains(&end))
            };
            for args in [&["--plain"][..], &["play", "tic-tac-toe", "--plain"]] {
                let said = run(args).ok();
                let brief = format!("themes/{name}.toml: ");
                assert!(is_notice(&said, &brief) && !said.contains("until you quit"), "{said}");
            }
            let listed = run(&["config"]);
            assert!(listed.status == 1 && is_notice(&listed.out, &path), "{listed:?}");
            assert!(listed.out.contains(&format!("\ntheme = \"{name}\"\n")), "{listed:?}");
            let svg = ["show", "tests/fixtures/example.game", "--format", "svg"];
            let drawn = run(&svg);
            let other = if name == "night" { "paper" } else { "night" };
            let own = run(&[&svg[..], &["--theme", name]].concat());
            assert!(own.status == 1 && own.err.starts_with(&path), "{own:?}");
            let other = run(&[&svg[..], &["--theme", other]].concat()).ok();
            assert!(drawn.status == 0 && is_notice(&drawn.err, &path), "{drawn:?}");
            fs::rename(folder.join("themes"), folder.join("aside")).unwrap();
            assert_eq!(drawn.out, run(&svg).ok(), "the built-in theme");
            assert_ne!(drawn.out, other);
        }
    }
}

#[test]
fn config_folder_may_be_a_link_to_itself() {
    let home = tempfile::tempdir().unwrap();
    let link = home.path().join("config");
    symlink(&link, &link).unwrap();
    let run =
        |args: &[&str]| finish(command(home.path(), args).env("XDG_CONFIG_HOME", &link), b"quit\n");
    let why = "config.toml: Too many levels of symbolic links";
    assert!(run(&["--plain"]).ok().contains(why));
    assert!(run(&["play", "tic-tac-toe", "--plain"]).ok().contains(why));
    let shown = run(&["show", "tests/fixtures/example.game", "--format", "svg"]);
    assert!(shown.status == 0 && shown.err.contains(why), "{shown:?}");
    assert!(run(&["--plain", "--theme", "night"]).fails(1).contains("themes/night.toml: Too many"));
    let file = link.join("config.toml").display().to_string();
    let named = run(&["--plain", "--config", &file]).fails(2);
    assert!(named.contains("Too many levels of symbolic links"), "{named}");
}

#[test]
fn unreadable_theme_is_noted_on_the_screen_and_can_be_left() {
    let (state, config) = with_config("theme = \"paper\"\n");
    let themes = config.with_file_name("themes");
    fs::create_dir(&themes).unwrap();
    fs::write(themes.join("paper.toml"), "cursr = 1\n").unwrap();
    let mut terminal = Terminal::run_with(&[], &state);
    terminal.wait_for("themes/paper.toml: line 1: cursr").wait_for("q quit");
    terminal.keys(TO_SETTINGS).wait_for("theme ◂ paper ▸").wait_for("Saved in");
    // The cycle includes the built-in theme.
    terminal.keys("T").wait_for("theme ◂ blueprint ▸").keys("h").wait_for("theme ◂ paper ▸");
    terminal.leave();
}

#[test]
fn unusable_state_folder_is_reported() {
    for (index, break_at) in UNREADABLE.into_iter().enumerate() {
        let home = tempfile::tempdir().unwrap();
        // A folder in the place of a file is a fault only for a file.
        let at = ["state", "state/quadrille/progress", "state", "state"][index];
        let path = home.path().join(at);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        break_at(&path);
        let shown = if at == "state" { "quadrille/matches" } else { "quadrille/progress" };
        for args in [&["--plain"][..], &["play", "tic-tac-toe", "--plain"]] {
            let mut command = command(home.path(), args);
            command.env("XDG_STATE_HOME", home.path().join("state"));
            let said = finish(&mut command, b"quit\n").ok();
            assert!(said.contains(shown), "{at}: {said}");
        }
    }
}

fn with(settings: Settings, mut player: Player) -> Player {
    player.app = player.app.with_settings(settings, String::new());
    player
}

/// While a move awaits confirmation, "yes" does not accept the draw offer that the question covers.
#[test]
fn confirming_a_move_does_not_accept_a_draw() {
    let settings = Settings { confirm: true, ..Settings::default() };
    let mut player = with(settings, Player::at("dots-and-boxes", "size=3"));
    player.press("<esc><down><down><enter>");
    assert!(player.sees("Ann offers Bob a draw"));
    player.press("<enter>");
    assert!(player.sees("Play H0,0?"), "{}", player.screen(80, 24));
    player.press("<wait>y");
    assert!(!player.sees("Draw"), "{}", player.screen(80, 24));
    player.press("<enter>");
    assert_eq!(player.moves(), "H0,0");
}

#[test]
fn choosing_a_move_again_confirms_it() {
    let settings = Settings { confirm: true, ..Settings::default() };
    let mut player = with(settings, Player::at("dots-and-boxes", "size=3"));
    player.press("<enter>");
    assert_eq!(player.moves(), "");
    assert!(player.sees("Play H0,0?"), "{}", player.screen(80, 24));
    player.press("<esc>");
    assert!(player.sees("Esc pause") && !player.sees("H0,0?"), "{}", player.screen(80, 24));
    player.press("<enter><right><enter>");
    assert_eq!(player.moves(), "", "another one is another question");
    player.press("<enter>");
    assert_eq!(player.moves(), "H0,1");
    // Both halves of a move are chosen as usual.
    let settings = Settings { confirm: true, ..Settings::default() };
    let mut player = with(settings, Player::at("quixo", ""));
    player.press("<enter><right><enter>");
    assert!(player.sees("Play "), "{}", player.screen(80, 24));
    player.press("<enter>");
    assert_eq!(player.moves().split(' ').count(), 1);
}

#[test]
fn bell_setting_rings_after_an_engine_move() {
    for bell in [true, false] {
        let settings = Settings { bell, pace: Seconds(Duration::ZERO), ..Settings::default() };
        let mut player =
            with(settings, Player::against("tic-tac-toe", "", ["Ann", "engine:beginner,seed=1"]));
        player.press("<enter>");
        assert!(!player.tasks.contains(&Task::Terminal(TerminalTask::Bell)), "for one's own move");
        assert!(player.think());
        assert_eq!(player.tasks.contains(&Task::Terminal(TerminalTask::Bell)), bell);
    }
}

/// Whether people play or watch. On a clock, engines move at once.
#[test]
fn pace_setting_delays_engine_moves() {
    let pace = Duration::from_millis(500);
    let settings = Settings { pace: Seconds(pace), ..Settings::default() };
    let mut player =
        with(settings, Player::against("tic-tac-toe", "", ["engine:beginner,seed=1", "Bob"]));
    assert_eq!(player.waits(), Some(pace));
    assert!(player.think());
    assert_eq!(player.moves(), "", "it has found its move");
    assert_eq!(player.waits(), Some(pace));
    player.wait();
    assert_eq!(player.moves().split(' ').count(), 1);
    // The move is animated.
    let steps = (0..100).take_while(|_| player.wait()).count();
    assert!((1..20).contains(&steps), "and then nothing wakes: {steps}");

    let engines = ["engine:beginner,seed=1", "engine:beginner,seed=2"];
    let settings = || Settings { motion: MotionChoice::Never, ..Settings::default() };
    let mut player = with(settings(), Player::against("tic-tac-toe", "", engines));
    for moves in 1..4 {
        assert!(player.think());
        assert_eq!(player.waits(), Some(Duration::from_millis(400)), "by default");
        player.wait();
        assert_eq!(player.moves().split(' ').count(), moves);
    }
    let mut player = with(settings(), Player::with_clock(("tic-tac-toe", ""), engines, "300"));
    assert!(player.think());
    assert_eq!(player.moves().split(' ').count(), 1);
}

#[test]
fn hints_setting_disables_hints_and_values() {
    let settings = Settings { hints: false, ..Settings::default() };
    let mut player = with(settings, Player::at("tic-tac-toe", ""));
    assert!(!player.sees("H hint") && !player.sees("a values"));
    player.press("Ha");
    assert!(player.app.engine_task().is_none());
    assert!(player.sees("hints are off in the settings"), "{}", player.screen(80, 24));
    let mut player = Player::at("tic-tac-toe", "");
    assert!(player.press("H").app.engine_task().is_some());
}

#[test]
fn coordinates_setting_hides_labels() {
    for game in ["quixo", "tic-tac-toe", "intersections", "dots-and-boxes"] {
        let shown = Player::at(game, "").screen(80, 24);
        let settings = Settings { coordinates: false, ..Settings::default() };
        let bare = with(settings, Player::at(game, "")).screen(80, 24);
        let labels = |screen: &str| {
            let rows = screen.lines().skip(1).take(20);
            let board = rows.map(|row| row.chars().take(45).collect::<String>());
            board.filter(|row| row.contains('2') || row.contains("b  ")).count()
        };
        assert!(labels(&shown) > labels(&bare), "{game}:\n{shown}\n{bare}");
    }
}

#[test]
fn estimates_setting_shows_unproven_values_as_numbers() {
    let rated = |mv: &str, value| RatedMove { mv: mv.to_owned(), value, round_value: None };
    let moves = vec![
        rated("b2", Value::exact(0)),
        rated("a1", Value::estimate(-0.6)),
        rated("c3", Value::exact(-1)),
    ];
    let screen = |estimates| {
        let settings = Settings { estimates, ..Settings::default() };
        let mut player = with(settings, Player::at("tic-tac-toe", ""));
        player.press("a");
        let Some(EngineTask::Think(ticket, _)) = player.app.engine_task() else {
            panic!("it thinks")
        };
        let report = Report { moves: moves.clone(), ..Report::default() };
        player.app.engine_event(ticket, EngineEvent::Done(report)).unwrap();
        player.screen(80, 24)
    };
    let (marks, numbers) = (screen(false), screen(true));
    assert!(numbers.contains("~-0.6") && numbers.contains("     L"), "{numbers}");
    assert!(
        !marks.contains("~-0.6") && marks.contains(" x ") && marks.contains("     L"),
        "{marks}"
    );
}

#[test]
fn setup_form_starts_with_the_configured_level() {
    let settings = Settings {
        level: quadrille_search::Level::Strong,
        time: Seconds(Duration::from_secs(7)),
        ..Settings::default()
    };
    let mut player = with(settings, Player::new());
    player.press("<enter>");
    assert!(player.sees("Strong") && player.sees("7 s"), "{}", player.screen(80, 24));
    let Some(Task::Disk(DiskTask::Remember(setup))) = player.press("<end><enter>").tasks.first()
    else {
        panic!("{:?}", player.tasks)
    };
    assert!(setup.names.contains(&"engine:strong,time=7".to_owned()), "{:?}", setup.names);
}
