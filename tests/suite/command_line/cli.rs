//! Runs the real binary with valid and invalid arguments, and checks stdout, stderr and the exit status.

use crate::common::program::{
    BINARY, FOLDERS, Run, command, file, finish, is_not_found, run, run_in, run_unread,
};
#[cfg(unix)]
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use quadrille_match::session::{Match, MatchState, Record, Termination};
use quadrille_rules::{OptionSpec, Setup, WordChoice};
use quadrille_scene::built_in_names;
use quadrille_table::catalogue::{self, GAMES, GameEntry};
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const GOOD: &str = include_str!("../../fixtures/example.game");

/// Runs in a terminal; returns the exit status and the output.
#[cfg(unix)]
fn run_in_terminal(folder: &Path, args: &[&str]) -> (u32, String) {
    let pty = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new(BINARY);
    command.args(args);
    command.cwd(folder);
    let home = tempfile::tempdir().unwrap();
    for name in FOLDERS {
        command.env(name, home.path());
    }
    let mut child = pty.slave.spawn_command(command).unwrap();
    drop(pty.slave);
    let mut reader = pty.master.try_clone_reader().unwrap();
    let screen = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // On some systems, end of file on a terminal is an error.
        let _ = reader.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    });
    let status = child.wait().unwrap().exit_code();
    drop(pty.master);
    (status, screen.join().unwrap())
}

fn some_match(entry: &'static GameEntry, plies: usize) -> Match {
    let mut game = (entry.start)(&Setup::new()).unwrap();
    for ply in 0..plies {
        let legal = game.legal_moves();
        match legal.get((ply * ply * 31 + 7) % legal.len().max(1)) {
            Some(mv) => game.play(mv).unwrap(),
            None => break,
        }
    }
    game
}

#[test]
fn help_and_version_list_commands_options_and_build() {
    let help = run(&["--help"]).ok();
    for command in
        ["play", "show", "solve", "replay", "rules", "judge", "perft", "completions", "man"]
    {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
        assert!(run(&[command, "--help"]).ok().contains(&format!("Usage: quadrille {command}")));
    }
    let play = run(&["play", "--help"]).ok();
    for entry in GAMES {
        assert!(help.contains(&format!("{:<15}  {}", entry.id, entry.tagline)), "{help}");
        for option in (entry.options)(&Setup::new()) {
            let values = match option {
                OptionSpec::Choice(option) => option.choices.iter().map(WordChoice::form).collect(),
                _ => vec![option.values()],
            };
            let parts = [option.name().to_owned(), option.help().to_owned(), option.default()];
            for part in parts.iter().chain(&values) {
                assert!(play.contains(part), "{part}\n{play}");
            }
        }
    }
    let short = run(&["-V"]).ok();
    assert_eq!(short, format!("quadrille {}\n", env!("CARGO_PKG_VERSION")));
    let long = run(&["--version"]).ok();
    let how = long.strip_prefix(&short).unwrap_or_else(|| panic!("{long}"));
    let features = if quadrille::picture::HAS_PIXELS { "pictures" } else { "none" };
    let profile = how.strip_prefix("profile: ").and_then(|how| how.split_once('\n'));
    let profile = profile.unwrap_or_else(|| panic!("{long}"));
    // The binary is in a directory named after its profile.
    let folder = Path::new(BINARY).parent().unwrap().file_name().unwrap().to_str().unwrap();
    assert_eq!(profile.0, folder.replace("debug", "dev"));
    assert_eq!(profile.1, format!("features: {features}\n"));
}

#[test]
fn completions_and_manual_cover_all_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&["completions", shell]).ok();
        assert!(script.contains("quadrille") && script.contains("perft"), "{shell}");
        assert!(built_in_names().all(|theme| script.contains(theme)), "{shell}");
        // The generators for other shells omit the values of positional arguments.
        if ["bash", "fish", "zsh"].contains(&shell) {
            assert!(GAMES.iter().all(|entry| script.contains(entry.id)), "{shell}");
        }
    }
    let manual = run(&["man"]).ok();
    assert!(manual.contains(".TH quadrille 1"));
    for command in
        ["PLAY", "SHOW", "SOLVE", "REPLAY", "RULES", "JUDGE", "PERFT", "COMPLETIONS", "MAN"]
    {
        assert!(manual.contains(&format!("\n.SH QUADRILLE {command}\n")), "{command}");
    }
    let page = run(&["man", "tournament"]).ok();
    assert!(
        page.contains(".TH quadrille-tournament 1") && page.contains("tournament merge"),
        "{page}"
    );
    assert_eq!(run(&["man", "supervise"]).fails(2), "man supervise: unknown command");
}

#[test]
fn help_of_help_is_help() {
    let help = run(&["--help"]).ok();
    for args in [&["help", "--help"][..], &["help", "-h"], &["help"]] {
        assert_eq!(run(args).ok(), help, "{args:?}");
    }
    for group in ["puzzle", "table", "tournament"] {
        let help = run(&[group, "--help"]).ok();
        assert_eq!(run(&[group, "help", "--help"]).ok(), help);
        assert_eq!(run(&["help", group, "--help"]).ok(), help);
    }
    assert_eq!(run(&["help", "nonsense"]).fails(2), "unrecognized subcommand 'nonsense'");
}

#[test]
fn help_fits_its_width() {
    let home = tempfile::tempdir().unwrap();
    let shown = |args: &[&str], columns: &str| {
        finish(command(home.path(), args).env("COLUMNS", columns), b"").ok()
    };
    let commands = run(&["man"]).ok();
    let commands: Vec<String> = commands
        .lines()
        .filter_map(|line| line.strip_prefix(".SH QUADRILLE "))
        .map(str::to_lowercase)
        .collect();
    assert!(commands.len() > 15, "{commands:?}");
    let inner = ["daily", "rush", "list", "make"].map(|inner| ["puzzle", inner]);
    let inner = inner.into_iter().chain([["table", "connect"], ["table", "close"]]);
    let inner = inner.chain([["tournament", "merge"]]).map(|words| words.to_vec());
    let all = commands.iter().map(|command| vec![&**command]).chain(inner).chain([Vec::new()]);
    for words in all {
        for form in ["--help", "-h"] {
            let args = [&words[..], &[form]].concat();
            for (columns, most) in [("300", 100), ("100", 100), ("80", 80)] {
                let help = shown(&args, columns);
                let wide = help.lines().find(|line| line.chars().count() > most);
                assert_eq!(wide, None, "{args:?} in {columns} columns");
            }
        }
    }
}

/// A folder with completion scripts and one other file.
struct Shells(TempDir);

impl Shells {
    fn new() -> Shells {
        let shells = Shells(tempfile::tempdir().unwrap());
        for (shell, name) in [("bash", "s.bash"), ("fish", "s.fish"), ("zsh", "_quadrille")] {
            fs::write(shells.0.path().join(name), run(&["completions", shell]).ok()).unwrap();
        }
        fs::create_dir(shells.0.path().join("here")).unwrap();
        fs::write(shells.0.path().join("here/a.game"), GOOD).unwrap();
        shells
    }

    /// Returns what a shell offers after these words; `None` without this shell.
    fn offer(&self, shell: &str, words: &[&str]) -> Option<Vec<String>> {
        let line = [words, &[""]].concat().join(" ");
        let script = match shell {
            "bash" => format!(
                "source ../s.bash; COMP_WORDS=(quadrille {line} ''); COMP_CWORD={}; \
                 _quadrille quadrille '' '{}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
                words.len() + 1,
                words.last().unwrap_or(&"quadrille")
            ),
            "fish" => format!("source ../s.fish; complete -C 'quadrille {line}'"),
            _ => ZSH.replace("LINE", &line),
        };
        let mut command = Command::new(shell);
        let no_settings = match shell {
            "bash" => "--norc",
            "fish" => "--no-config",
            _ => "-f",
        };
        command.arg(no_settings);
        command.args(["-c", &script]).current_dir(self.0.path().join("here"));
        let output = command.env("HOME", self.0.path()).env("TERM", "dumb").output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        // zsh also echoes the lines of the script.
        let text = match text.rsplit_once("<<<") {
            Some((_, rest)) => rest.split(">>>").next().unwrap(),
            None => &text,
        };
        let words = text.lines().map(|line| line.split('\t').next().unwrap().trim().to_owned());
        Some(words.filter(|word| !word.is_empty()).collect())
    }
}

/// Completes a line in an interactive zsh and prints the matches instead of inserting them.
const ZSH: &str = r#"
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1= PS2= RPS1=; fpath=(.. $fpath); autoload -Uz compinit; compinit -C -d ../dump; bindkey "^I" complete-word'
zpty -w z 'compadd() {
    if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
    local -a matches; builtin compadd -A matches "$@"; print -l -- "" $matches
}'
zpty -w z 'finish() { print ">>>" }; compprefuncs=(begin); begin() { print "<<<"; comppostfuncs=(finish) }'
zpty -w -n z $'quadrille LINE	'
while zpty -r z line; do print -rn -- $line; if [[ $line == '>>>'* ]]; then break; fi; done
"#;

#[test]
fn completions_offer_values_and_no_internal_command() {
    let shells = Shells::new();
    let games = GAMES.map(|entry| entry.id);
    for shell in ["bash", "fish", "zsh"] {
        let offer = |words: &[&str]| shells.offer(shell, words).unwrap();
        // Skipped without this shell.
        let Some(commands) = shells.offer(shell, &[]) else { continue };
        let has = |words: &[&str], all: &[&str]| {
            let offered = offer(words);
            let has_all = all.iter().all(|word| offered.iter().any(|other| other == word));
            assert!(has_all, "{shell}: {words:?} {offered:?}");
            assert!(!offered.contains(&"supervise".to_owned()), "{shell}: {words:?} {offered:?}");
            offered
        };
        let has_no_file = |words: &[&str], all: &[&str]| {
            let offered = has(words, all);
            assert!(!offered.contains(&"a.game".to_owned()), "{shell}: {words:?} {offered:?}");
        };
        assert!(commands.contains(&"tournament".to_owned()), "{shell}: {commands:?}");
        has_no_file(&[], &["play", "puzzle"]);
        has_no_file(&["help"], &["play", "puzzle"]);
        has_no_file(&["man"], &["play", "puzzle", "tournament"]);
        has_no_file(&["puzzle"], &["quixo", "daily", "list"]);
        for group in [&["play"][..], &["rules"], &["compliance", "--game"]] {
            has_no_file(group, &games);
        }
        // The generator for zsh takes the subcommand of a command with arguments for an argument.
        if shell != "zsh" {
            has_no_file(&["puzzle", "daily"], &games);
        }
        has(&["learn"], &games);
        has(&["solve"], &games);
        let commands = [&[][..], &["play"], &["show"], &["puzzle", "list"], &["tournament"]];
        for command in commands {
            has_no_file(&[command, &["--theme"]].concat(), &["night", "okabe-ito"]);
            has_no_file(&[command, &["--color"]].concat(), &["never"]);
        }
        has_no_file(&["play", "quixo", "--names"], &[]);
        has_no_file(&["solve", "quixo", "--time"], &[]);
        // bash falls back to file names by itself.
        if shell != "bash" {
            has_no_file(&["play", "quixo"], &[]);
            has_no_file(&["judge"], &[]);
            for command in ["replay", "show", "learn", "solve", "tournament"] {
                has(&[command], &["a.game"]);
            }
            has(&["compliance", "--"], &["a.game"]);
        }
    }
}

#[cfg(unix)]
#[test]
fn non_utf8_argument_is_named() {
    use std::os::unix::ffi::OsStrExt;

    let bad = std::ffi::OsStr::from_bytes(b"qui\xff");
    let output = Command::new(BINARY).arg("play").arg(bad).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "not UTF-8: \"qui\\xff\"\n");
}

#[test]
fn wrong_arguments_give_one_line_and_status_2() {
    let games = GAMES.map(|entry| entry.id).join(", ");
    let no_game = format!("invalid value 'chess' for '<GAME>' [possible values: {games}]");
    let cases: [(&[&str], &str); 28] = [
        (&["chess"], "unrecognized subcommand 'chess'"),
        (&["--plane"], "unexpected argument '--plane' found"),
        (&["play"], "the following required arguments were not provided: <GAME>"),
        (&["play", "chess"], &no_game),
        (&["rules", "chess"], &no_game),
        (&["perft", "chess", "1"], &no_game),
        (&["play", "dots-and-boxes", "rows"], "rows: must be written key=value"),
        (&["play", "dots-and-boxes", "rows=1"], "rows=1: must be a whole number from 2 to 64"),
        (
            &["play", "quixo", "size=99"],
            "size=99: must be a whole number from 1 to 26 (ongeldig rooster)",
        ),
        (
            &["perft", "quixo", "size=2", "grid=XX", "1"],
            "grid=XX: must be 4 characters of - X O (ongeldig rooster)",
        ),
        (
            &["play", "dots-and-boxes", "points=@x"],
            "points=@x: unknown option; the options are rows, size, cols",
        ),
        (
            &["play", "quixo", "--seat", "3=engine:strong"],
            "--seat 3=engine:strong: the seats are 1 to 2, as in 2=engine:strong",
        ),
        (
            &["play", "quixo", "--seat", "2=cmd:no-such-program 7"],
            "cmd:no-such-program 7: program not found: no-such-program",
        ),
        (
            &["play", "quixo", "--seat", "2=cmd:/no/such/bot"],
            "cmd:/no/such/bot: program not found: /no/such/bot",
        ),
        (
            &["play", "quixo", "--seat", "2=cmd:/no/such/bot,time=5"],
            "cmd:/no/such/bot,time=5: program not found: /no/such/bot,time=5; write cmd,time=5:/no/such/bot",
        ),
        (
            &["play", "quixo", "--seat", "2=engine:god"],
            "--seat 2=engine:god: \"god\": the levels are beginner, casual, skilled, strong and perfect",
        ),
        (&["play", "dots-and-boxes", "--names", "Ann"], "--names: 1 given for 2 seats"),
        (
            &["play", "quixo", "--hints", "--seat", "2=Bob"],
            "--hints: needs a guest, as in --seat 2=guest",
        ),
        (&["play", "dots-and-boxes", "--names", "Ann,"], "--names: \"\" is not a name"),
        (&["show"], "the following required arguments were not provided: <FILE>"),
        (&["replay"], "the following required arguments were not provided: <FILE>"),
        (
            &["show", "a", "--ply", "1", "--every"],
            "the argument '--ply <N>' cannot be used with '--every'",
        ),
        (
            &["show", "a", "--format", "xml"],
            "invalid value 'xml' for '--format <FORMAT>' [possible values: text, json, trmph, svg, png, gif]",
        ),
        (
            &["perft", "dots-and-boxes", "256"],
            "DEPTH must be a whole number from 0 to 255, not \"256\"",
        ),
        (
            &["perft", "dots-and-boxes", "-1"],
            "DEPTH must be a whole number from 0 to 255, not \"-1\"",
        ),
        (
            &["perft", "dots-and-boxes", "size=2"],
            "DEPTH must be a whole number from 0 to 255, not \"size=2\"",
        ),
        (&["perft", "dots-and-boxes", "size=2", "size=3", "1"], "size=3: size is given twice"),
        (
            &["completions", "cmd"],
            "invalid value 'cmd' for '<SHELL>' \
             [possible values: bash, elvish, fish, powershell, zsh]",
        ),
    ];
    for (args, message) in cases {
        assert_eq!(run(args).fails(2), message, "{args:?}");
    }
    let why = run(&["play", "quixo", "--seat", "2=engine:perfect"]).fails(2);
    assert!(why.starts_with("perfect cannot solve this game in its time; choose strong"), "{why}");
    run(&["play", "dots-and-boxes", "rows=\u{1b}[2J\n3"]).fails(2);
    run(&["pl\nay\n\nx"]).fails(2);
}

/// In the source of the rules one number makes a square board, but not here.
#[test]
fn left_out_option_is_named() {
    let told = "only rows is given, so cols is 5; size=2 sets both";
    for args in [
        &["perft", "dots-and-boxes", "rows=2", "1"][..],
        &["solve", "dots-and-boxes", "rows=2"],
        &["census", "dots-and-boxes", "rows=2"],
    ] {
        assert_eq!(run(args).err, format!("dots-and-boxes: {told}\n"), "{args:?}");
    }
    let played = run(&["play", "dots-and-boxes", "rows=2", "--plain"]).ok();
    assert!(played.contains(&format!("\nOnly {}.\n", &told[5..])), "{played}");
    assert_eq!(run(&["solve", "dots-and-boxes", "rows=2", "cols=5"]).err, "");
}

/// The first moves come from the opening book; the others take a few seconds.
#[test]
fn perfect_plays_4_by_4_but_not_5_by_5_boxes() {
    let played =
        run(&["play", "dots-and-boxes", "size=5", "--seat", "2=engine:perfect", "--plain"]);
    assert!(played.ok().contains("4 x 4 boxes (5 x 5 dots)"));
    run(&["play", "dots-and-boxes", "size=6", "--seat", "2=engine:perfect", "--plain"]).fails(2);
}

#[test]
fn rules_are_printed_unchanged() {
    for entry in GAMES {
        assert_eq!(run(&["rules", entry.id]).ok(), format!("{}\n", entry.rules.trim_end()));
    }
}

#[test]
fn perft_counts_positions() {
    let count = |args: &[&str]| run(&[&["perft"], args].concat()).ok();
    assert_eq!(count(&["dots-and-boxes", "0"]), "1\n");
    assert_eq!(count(&["dots-and-boxes", "size=2", "4"]), "24\n");
    assert_eq!(count(&["dots-and-boxes", "size=2", "255"]), "0\n");
    assert_eq!(count(&["dots-and-boxes", "rows=2", "cols=3", "3"]), "210\n");
    for entry in GAMES {
        let legal = (entry.start)(&Setup::new()).unwrap().legal_moves().len();
        assert_eq!(count(&[entry.id, "1"]), format!("{legal}\n"), "the same start each time");
    }
}

#[test]
fn judge_accepts_one_or_nine_arguments() {
    let grids = [
        (["0", "0", "0", "1", "1", "-1", "-1", "-1", "-1"], "0\n"),
        (["-1", "-1", "-1", "1", "1", "1", "0", "0", "-1"], "1\n"),
        (["0", "1", "0", "0", "1", "1", "1", "0", "0"], "2\n"),
        (["-1", "-1", "-1", "-1", "-1", "-1", "-1", "-1", "-1"], "3\n"),
    ];
    for (grid, verdict) in grids {
        assert_eq!(run(&[&["judge"], &grid[..]].concat()).ok(), verdict);
        for text in [
            grid.join(" "),
            grid.join(","),
            format!("{{{{{}}},\n{{{}}}}}", grid[..3].join(", "), grid[3..].join("; ")),
            format!("[{}]", grid.join("][")),
        ] {
            assert_eq!(run(&["judge", &text]).ok(), verdict, "{text}");
        }
    }
    assert_eq!(run(&["judge", ""]).fails(2), "a grid is 9 numbers, not 0");
    assert_eq!(run(&["judge", "-1", "-1"]).fails(2), "a grid is 9 numbers, not 2");
    assert_eq!(run(&["judge", "0,-2"]).fails(2), "number 2 is \"-2\", not -1, 0 or 1");
}

#[test]
fn judge_reads_one_grid_per_line() {
    let judge = |input: &[u8]| run_in(Path::new("."), &["judge"], input);
    assert_eq!(judge(b"").ok(), "");
    assert_eq!(judge(b"0 0 0 1 1 -1 -1 -1 -1\r\n \n{1,1,1},{0,0,-1},{-1,-1,-1}").ok(), "0\n1\n");
    for (bad, reason) in [
        (&b"0 0\n"[..], "a grid is 9 numbers, not 2"),
        (b"0 x", "number 2 is \"x\", not -1, 0 or 1"),
        (b"\xff\n", "stream did not contain valid UTF-8"),
    ] {
        let run = judge(&[b"0 0 0 1 1 -1 -1 -1 -1\n\n", bad].concat());
        let expected = (1, "0\n", format!("stdin: line 3: {reason}\n"));
        assert_eq!((run.status, &*run.out, run.err), expected);
    }
}

/// A message quotes the invalid part of a file, but truncated.
#[test]
fn file_errors_are_short() {
    let long = "x".repeat(1 << 20);
    let record = |game: &str, setup: &str, rest: &str| {
        format!("[Game \"{game}\"]\n[Setup \"{setup}\"]\n{rest}\n")
    };
    let dots = "dots-and-boxes";
    for text in [
        record(&long, "", ""),
        record(dots, &long, ""),
        record(dots, &format!("{long}=1"), ""),
        record(dots, &format!("rows={long}"), ""),
        record(dots, &format!("{long}=1 {long}=2"), ""),
        record("join-the-dots", &format!("points={long}"), ""),
        record("join-the-dots", &format!("layout={long}"), ""),
        record("quixo", &format!("grid={long}"), ""),
        record("tic-tac-toe", &format!("grid={long}"), ""),
        record("intersections", &format!("first={long}"), ""),
        record(dots, "", &long),
        record(dots, "", &format!("[{long} \"\"][{long} \"\"]")),
        record(dots, "", &format!("[{long}")),
        format!("{},b1", "9".repeat(1 << 20)),
        format!("5,{}", "9".repeat(1 << 20)),
    ] {
        let error = run_in(Path::new("."), &["show", "-"], text.as_bytes()).fails(1);
        assert!(error.len() < 300, "{} bytes: {}", error.len(), &error[..300]);
    }
    let error = run_in(Path::new("."), &["judge"], "x".repeat(1000).as_bytes()).fails(1);
    assert!(error.len() < 100, "{error}");
}

/// In quadratic time this would take 15 minutes.
#[test]
fn many_tags_and_setup_words_are_read_in_linear_time() {
    let many = |each: fn(u32) -> String| (0..500_000).map(each).collect::<String>();
    let tags = many(|n| format!("[T{n} \"\"]\n"));
    let tags = format!("[Game \"tic-tac-toe\"]\n[Setup \"\"]\n{tags}a1\n");
    assert!(run_in(Path::new("."), &["show", "-"], tags.as_bytes()).ok().starts_with("X -"));
    let words = many(|n| format!("k{n}= "));
    let words = format!("[Game \"tic-tac-toe\"]\n[Setup \"{words}\"]\n");
    let error = run_in(Path::new("."), &["show", "-"], words.as_bytes()).fails(1);
    assert!(error.contains("unknown option"), "{error}");
}

/// A file given by the user may be of any type, but is not read without a limit.
#[cfg(unix)]
#[test]
fn named_files_are_read_up_to_a_limit() {
    let points = ["solve", "join-the-dots", "points=@/dev/zero"];
    let too_large = "/dev/zero: larger than 16 MiB, too large for a list of points";
    assert_eq!(run(&points).fails(1), too_large);
    let too_large = "/dev/zero: larger than 64 MiB, too large for a record";
    assert_eq!(run(&["show", "/dev/zero"]).fails(1), too_large);
}

#[test]
fn show_prints_positions() {
    let (folder, _) = file("a.game", GOOD);
    let show = |args: &[&str]| run_in(folder.path(), &[&["show", "a.game"], args].concat(), b"");
    let (start, end) =
        ("+.+.+\n.?.?.\n+.+.+\n.?.?.\n+.+.+\n", "+-+-+\n|B|A|\n+-+-+\n|A|A|\n+-+-+\n");
    assert_eq!(show(&[]).ok(), end);
    assert_eq!(show(&["--ply", "12"]).ok(), end);
    assert_eq!(show(&["--ply", "0"]).ok(), start);
    assert_eq!(show(&["--ply", "13"]).fails(2), "a.game: no ply 13; the last is 12");
    let every = show(&["--every"]).ok();
    let boards: Vec<&str> = every.split("\n\n").collect();
    assert_eq!(boards.len(), 13);
    assert!(every.starts_with(start) && every.ends_with(&format!("\n\n{end}")), "{every}");
    assert_eq!(
        show(&["--format", "json"]).ok(),
        "{\"game\":\"dots-and-boxes\",\"setup\":\"rows=3 cols=3\",\"ply\":12,\"turn\":null,\
         \"scores\":[3,1],\"over\":true,\"winners\":[0],\"legal\":[],\
         \"board\":\"+-+-+\\n|B|A|\\n+-+-+\\n|A|A|\\n+-+-+\"}\n"
    );
    assert_eq!(run_in(folder.path(), &["show", "-"], GOOD.as_bytes()).ok(), end);
}

/// A match that does not fit in memory is a one-line error; one that fits is shown.
#[cfg(target_os = "linux")]
#[test]
fn out_of_memory_record_gives_one_line() {
    let moves = "A1-E1 A5-E5 E1-A1 E5-A5 ";
    let head = "[Game \"quixo\"]\n[Setup \"\"]\n\n";
    let (folder, path) = file("long.game", head.to_owned() + &moves.repeat(100_000));
    let limited = |kibibytes: u32| {
        let script = format!("ulimit -v {kibibytes}; exec {BINARY} show long.game");
        let run = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output();
        let run = run.unwrap();
        (run.status.code(), String::from_utf8(run.stdout).unwrap(), run.stderr)
    };
    let told = "long.game: 2 MiB of moves need 109 MiB of memory, more than is available\n";
    assert_eq!(limited(60_000), (Some(1), String::new(), told.as_bytes().to_owned()));
    let shown = run(&["show", path.to_str().unwrap()]).ok();
    assert_eq!(limited(400_000), (Some(0), shown, Vec::new()));
}

/// The state after every ply of a record equals that of the match itself.
#[test]
fn show_prints_every_state_of_every_game() {
    for entry in &GAMES {
        let mut game = some_match(entry, 40);
        let last = game.ply();
        game.end(Termination::Agreed);
        let agreed = game.termination() == Some(&Termination::Agreed);
        let record = Record::of(&game, &[], "2026-11-20");
        let (folder, _) = file("a.game", record.to_string());
        let args = ["show", "a.game", "--every", "--format", "json"];
        let printed = run_in(folder.path(), &args, b"").ok();
        let lines: Vec<&str> = printed.lines().collect();
        assert_eq!(lines.len(), last + 1);
        for (ply, line) in lines.into_iter().enumerate() {
            game.go_to_ply(ply);
            if agreed && ply == last {
                game.end(Termination::Agreed);
            }
            assert_eq!(line, MatchState::of(&game).to_string());
            let state: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(state["ply"], ply);
            assert_eq!(state["over"], state["turn"].is_null());
            assert_eq!(state["over"], game.outcome().is_some());
            assert_eq!(state["setup"], game.setup().to_string());
            assert_eq!(state.get("verdict").is_some(), entry.id == "tic-tac-toe");
            assert_eq!(state.get("offense").is_some(), entry.id == "intersections");
        }
    }
}

#[test]
fn bad_record_gives_one_line_and_status_1() {
    let show = |text: &[u8]| {
        let (folder, _) = file("bad.game", text);
        run_in(folder.path(), &["show", "bad.game", "--every"], b"").fails(1)
    };
    let change = |from: &str, to: &str| show(GOOD.replace(from, to).as_bytes());
    assert_eq!(change("H1,0", "H0,0"), "bad.game: move 7 \"H0,0\": already drawn");
    assert_eq!(change("H1,0", "H9,0"), "bad.game: move 7 \"H9,0\": this board has no such line");
    assert_eq!(
        change("H1,0", "\u{1b}[2J"),
        "bad.game: line 8: tag after the moves; a record holds one game"
    );
    assert_eq!(change("V1,0\n", "V1,0 V1,0"), "bad.game: move 13 \"V1,0\": already drawn");
    assert_eq!(
        change("rows=3", "rows=1"),
        "bad.game: setup: rows=1: must be a whole number from 2 to 64"
    );
    assert_eq!(change("rows=3", "rows3"), "bad.game: setup: rows3: must be written key=value");
    assert_eq!(change("[Setup", "[Start"), "bad.game: missing tag [Setup \"...\"]");
    assert_eq!(change("[Seat1", "[Seat2"), "bad.game: line 5: duplicate tag Seat2");
    let games = GAMES.map(|entry| entry.id).join(", ");
    assert_eq!(
        change("dots-and-boxes", "chess"),
        format!("bad.game: unknown game \"chess\"; known games: {games}")
    );
    assert_eq!(show(b""), "bad.game: not a Quadrille record");
    assert_eq!(show(b"[Game \"\n"), "bad.game: line 1: a tag must look like [Name \"value\"]");
    assert_eq!(show(b"\n\n{"), "bad.game: line 3: unclosed comment");
    assert_eq!(show(b"\n\xff"), "bad.game: line 2: not UTF-8 text");
    assert!(is_not_found(&run(&["show", "no/such.game"]).fails(1), "no/such.game"));
    assert!(run(&["show", "."]).fails(1).starts_with(".: "));
    #[cfg(unix)]
    assert!(is_not_found(&run(&["show", "a\n\u{1b}b"]).fails(1), "a\\n\\u{1b}b"));
    assert_eq!(run(&["show", "-"]).fails(1), "stdin: not a Quadrille record");
}

/// The moves remain viewable.
#[test]
fn show_warns_of_a_contradicting_result() {
    let (folder, _) = file("a.game", GOOD.replace("[Result \"3-1\"]", "[Result \"1-3\"]"));
    let line = "a.game: the Result tag says \"1-3\", but the moves lead to 3-1; using the moves\n";
    for format in ["json", "svg"] {
        let shown = run_in(folder.path(), &["show", "a.game", "--format", format], b"");
        assert_eq!((shown.status, &*shown.err), (0, line));
        assert!(!shown.out.is_empty());
    }
}

#[test]
fn show_prints_only_the_main_line() {
    let moves = "H0,0 ( V0,0 {a corner} V0,1 ( V0,2 ) ) H0,1 (H0,1 V1,1)\n";
    let text = format!("[Game \"dots-and-boxes\"]\n[Setup \"size=3\"]\n{moves}");
    let show = |text: &str, args: &[&str]| {
        run_in(Path::new("."), &[&["show", "-"], args].concat(), text.as_bytes())
    };
    assert_eq!(show(&text, &[]).ok(), "+-+-+\n.?.?.\n+.+.+\n.?.?.\n+.+.+\n");
    assert_eq!(show(&text, &["--every"]).ok().split("\n\n").count(), 3);
    assert_eq!(show(&text, &["--ply", "3"]).fails(2), "stdin: no ply 3; the last is 2");

    let change = |from: &str, to: &str| show(&text.replace(from, to), &[]).fails(1);
    assert_eq!(change("V0,2", "V0,0"), "stdin: move 2 \"V0,0\" in variation 2: already drawn");
    assert_eq!(
        change("V1,1", "V1"),
        "stdin: move 3 \"V1\" in variation 3: a line is H or V with its row and column"
    );
    assert_eq!(change("H0,1 (", "H0,0 ("), "stdin: move 2 \"H0,0\": already drawn");
    assert_eq!(change("V1,1)", "V1,1))"), "stdin: line 3: unmatched )");
    assert_eq!(change("V1,1)", ""), "stdin: line 3: unclosed variation");
    assert_eq!(change("( V0,2 )", "\n\n(\n)"), "stdin: line 5: a variation must begin with a move");
}

#[test]
fn show_writes_and_reads_trmph_text() {
    let (folder, _) = file("a.game", GOOD);
    let run = |args: &[&str]| run_in(folder.path(), args, b"");
    let trmph = run(&["show", "a.game", "--format", "trmph"]).ok();
    assert_eq!(trmph, "2,b1d5d1b5a2e4b3c2d3e2c4a4\n");
    assert_eq!(run(&["show", "a.game", "--format", "trmph", "--ply", "2"]).ok(), "2,b1d5\n");
    assert!(
        run(&["show", "a.game", "--format", "trmph", "--every"]).ok().starts_with("2,\n2,b1\n")
    );
    let end = run(&["show", "a.game", "--format", "json"]).ok();
    for text in
        [trmph.clone(), format!("\n #{trmph}\n"), format!("https://trmph.com/x/board#{trmph}")]
    {
        fs::write(folder.path().join("x.trmph"), text).unwrap();
        assert_eq!(run(&["show", "x.trmph", "--format", "json"]).ok(), end);
    }

    let fails = |text: &str, args: &[&str]| {
        let (folder, _) = file("x.trmph", text);
        run_in(folder.path(), args, b"").fails(1)
    };
    for command in ["show", "replay"] {
        let fails = |text: &str| fails(text, &[command, "x.trmph"]);
        assert_eq!(fails("7,i14k12z9"), "x.trmph: move 3 \"z9\": this board has no such line");
        assert_eq!(fails("7,i14k12i14"), "x.trmph: move 3 \"i14\": already drawn");
        assert_eq!(
            fails("7,i14k"),
            "x.trmph: move 2 \"k\": a move is the letter of a column and the number of a row, such as i14"
        );
        assert_eq!(
            fails("64,a2"),
            "x.trmph: the number of boxes per side must be from 1 to 63, not \"64\""
        );
    }
    let fails = |text: &str| fails(text, &["show", "x.trmph", "--format", "trmph"]);
    assert_eq!(
        fails("[Game \"dots-and-boxes\"][Setup \"rows=3 cols=4\"]"),
        "x.trmph: trmph text exists only for square boards, not for 2 by 3 boxes"
    );
    for entry in GAMES.iter().filter(|entry| entry.id != "dots-and-boxes") {
        assert_eq!(
            fails(&format!("[Game \"{}\"][Setup \"\"]", entry.id)),
            format!("x.trmph: trmph text exists only for dots-and-boxes, not for {}", entry.id)
        );
    }
}

#[test]
fn replay_reads_the_file_before_requiring_a_terminal() {
    let (folder, path) = file("a.game", GOOD);
    let replay = |file: &str| run_in(folder.path(), &["replay", file], b"").fails(1);
    assert_eq!(replay("a.game"), "stdin is not a terminal; use quadrille show FILE");
    assert_eq!(fs::read_to_string(&path).unwrap(), GOOD);
    assert!(is_not_found(&replay("b.game"), "b.game"));
    fs::write(&path, GOOD.replace("H1,0", "H0,0")).unwrap();
    assert_eq!(replay("a.game"), "a.game: move 7 \"H0,0\": already drawn");
    assert_eq!(replay("-"), "stdin: not a Quadrille record");
}

#[test]
fn closed_stdout_ends_the_command_quietly() {
    let mut child = Command::new(BINARY)
        .arg("judge")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"0 0 0 1 1 -1 -1 -1 -1\n").unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), &*output.stderr), (Some(0), &b""[..]));
}

/// Commands whose exit status is more than a write error.
#[test]
fn closed_pipe_keeps_the_exit_status() {
    let (folder, _) = file("config.toml", "colour = 1\n");
    let config = folder.path().join("config.toml").display().to_string();
    let cases: [(&[&str], &str); 5] = [
        (&["solve", "dots-and-boxes", "size=30", "--time", "0.1"], "not proven: time is up"),
        (&["solve", "tic-tac-toe"], ""),
        (&["census", "quixo", "size=4", "--memory", "1"], "exceeds 1 MiB at ply"),
        (&["compliance", "--game", "quixo", "--", BINARY, "tables", "--no"], "checks failed"),
        (&["config", "--config", &config], "config.toml: line 1: colour: "),
    ];
    for (args, why) in cases {
        let Run { status, err, .. } = run_unread(args);
        assert_eq!(status, i32::from(!why.is_empty()), "{args:?}: {err}");
        assert!(err.contains(why) && err.lines().count() <= 1, "{args:?}: {err}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn full_stdout_is_an_error() {
    let solve = ["solve", "tic-tac-toe", "grid=XXX------"];
    for args in [&["rules", "dots-and-boxes"][..], &["--help"], &solve] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(BINARY).args(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stderr.starts_with(b"stdout: No space left on device"));
    }
}

#[cfg(windows)]
#[test]
fn commands_for_tables_are_refused() {
    for (args, what) in [
        (&["lobby"][..], "lobby"),
        (&["tables", "--json"], "tables"),
        (&["table", "close", "quixo"], "table"),
        (&["play", "quixo", "--seat", "2=guest"], "guests"),
        (&["join"], "tables on this machine"),
        (&["join", "quixo"], "tables on this machine"),
        (&["join", "/tmp/quadrille-shared-1000/shared:secret"], "tables on this machine"),
    ] {
        let line = run(args).fails(2);
        assert!(line.starts_with(&format!("{what}: not on Windows; use WSL, ")), "{line}");
    }
}

#[test]
fn screens_require_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let needs = "stdin is not a terminal; use quadrille play GAME --plain";
    let menu = "stdin is not a terminal; use quadrille --plain";
    assert_eq!(run(&[]).fails(1), menu);
    for entry in GAMES {
        let args = ["play", entry.id, "--record", "a.game"];
        assert_eq!(run_in(folder.path(), &args, b"").fails(1), needs);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "no record is begun");
    }
}

#[cfg(unix)]
#[test]
fn play_refuses_a_foreign_record_file() {
    let (folder, path) = file("a.game", GOOD);
    let refused = |args: &[&str]| {
        let args = [&["play"], args, &["--record", "a.game"]].concat();
        let (status, screen) = run_in_terminal(folder.path(), &args);
        assert_eq!((status, fs::read_to_string(&path).unwrap()), (1, GOOD.to_owned()), "{screen}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        screen.trim().to_owned()
    };
    assert_eq!(refused(&["dots-and-boxes"]), "a.game: its setup is rows=3, not rows=5");
    for entry in GAMES.iter().filter(|entry| entry.id != "dots-and-boxes") {
        let expected = format!("a.game: it is a record of dots-and-boxes, not of {}", entry.id);
        assert_eq!(refused(&[entry.id]), expected);
    }
}

#[test]
fn points_option_reads_a_file() {
    if catalogue::find("join-the-dots").is_none() {
        return;
    }
    let perft = |text: &str| {
        let (folder, _) = file("my points", text);
        run_in(folder.path(), &["perft", "join-the-dots", "points=@my points", "1"], b"")
    };
    assert_eq!(perft("# a square\n0,0 1,0; # two\r\n0,1\n\n1,1").ok(), "6\n");
    assert_eq!(perft("").ok(), "0\n");
    let point = "a point must be x,y such as 0.25,0.5, not";
    assert_eq!(perft("0,0\n1 1").fails(1), format!("my points: line 2: {point} \"1\""));
    assert_eq!(perft("0,0\n0.5,0.5 1,1").fails(1), "my points: points 1, 2 and 3 are on one line");
    assert!(perft("0,0 2,0").fails(1).starts_with("my points: point 2 (2,0) is outside"));
    let missing = run(&["perft", "join-the-dots", "points=@no/such", "1"]).fails(1);
    assert!(is_not_found(&missing, "no/such"), "{missing}");
    run(&["perft", "join-the-dots", "points=0,0;1", "1"]).fails(2);
}

#[test]
fn show_refuses_an_invalid_ply() {
    let why = "invalid value 'x' for '--ply <N>': must be a whole number, 0 for the start";
    assert_eq!(run(&["show", "a.game", "--ply", "x"]).fails(2), why);
}

#[test]
fn tic_tac_toe_shows_letters_in_text_and_numbers_in_json() {
    let show = |format: &str| {
        let record = b"[Game \"tic-tac-toe\"]\n[Setup \"\"]\n\nb2 a1 c1\n";
        run_in(Path::new("."), &["show", "-", "--format", format], record).ok()
    };
    assert_eq!(show("text"), "O - X\n- X -\n- - -\n");
    assert!(show("json").contains("\"board\":\"1 -1 0\\n-1 0 -1\\n-1 -1 -1\""));
}

#[test]
fn show_and_replay_refuse_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.journal"), "quadrille-journal 1\n9ecba44b game quixo\n")
        .unwrap();
    for command in ["show", "replay"] {
        let refused = run_in(folder.path(), &[command, "a.journal"], b"").fails(1);
        let why = "this is the journal of an unfinished match, not a record; run quadrille resume";
        assert_eq!(refused, format!("a.journal: {why}"));
    }
}
