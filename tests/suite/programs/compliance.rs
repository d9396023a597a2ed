//! `quadrille compliance`, on programs that speak UGI well and on some that do not.

use crate::common::bots::{bot, is_gone};
use crate::common::program::{BINARY, Run, command, finish};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// How often a check is tried: on a busy machine any program can be late.
const ATTEMPTS: usize = 10;

/// Whether a program has failed only by being late, for which a busy machine is reason enough.
fn is_only_late(run: &Run) -> bool {
    let words = [" took ", "still runs", " in 10 s", "closed its "];
    let mut failed = run.out.lines().filter(|line| line.starts_with("FAIL"));
    run.status == 1 && failed.all(|line| words.iter().any(|word| line.contains(word)))
}

/// Checks a shell script, and that none of its processes is left.
fn check(script: &str, game: &str) -> Run {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bot.sh");
    fs::write(&file, script).unwrap();
    let home = tempfile::tempdir().unwrap();
    let file = file.to_str().unwrap();
    let run =
        finish(&mut command(home.path(), &["compliance", "--game", game, "--", "sh", file]), b"");
    is_gone(folder.path());
    run
}

/// The lines of checks that have failed, and those below them.
fn failures(run: &Run) -> Vec<&str> {
    assert_eq!(run.status, 1, "{run:?}");
    let failed = run.out.lines().filter(|line| line.starts_with("FAIL")).count();
    let checks = run.out.lines().filter(|line| !line.starts_with(' ')).count();
    assert_eq!(run.err, format!("{failed} of {checks} checks failed\n"));
    run.out.lines().filter(|line| !line.starts_with("pass")).collect()
}

/// A program that plays the first legal move and knows `go infinite`, `stop` and the end of a game.
fn good() -> String {
    let go = "case $rest in
        *infinite*) thinks=1; continue;;
        esac
        [ \"$legal\" ] || move=none";
    let stop = "stop) [ \"$thinks\" ] && echo \"bestmove $move\"; thinks=;;
        legal) legal=$rest";
    bot("", go).replace("legal) ", &format!("{stop}; "))
}

#[test]
fn a_good_program_passes_all_checks() {
    for game in ["tic-tac-toe", "intersections"] {
        let mut runs = (0..ATTEMPTS).map(|_| check(&good(), game));
        let lines = runs.find(|run| !is_only_late(run)).expect("it is late each time").ok();
        let names: Vec<&str> = lines
            .lines()
            .map(|line| line.strip_prefix("pass  ").unwrap_or(line).split(':').next().unwrap())
            .collect();
        let expected = format!(
            "hand-shake, options, ready in time, legal moves in {game}, a whole game of {game}, time kept, clock kept, \
             infinite and stop, nothing after bestmove, bestmove none, stop between moves, unknown lines, ends with quit, \
             ends with its input, All 14 checks passed."
        );
        assert_eq!(names.join(", "), expected);
    }
}

#[test]
fn quadrille_engine_passes_all_checks() {
    let home = tempfile::tempdir().unwrap();
    let args = ["compliance", "--game", "tic-tac-toe", "--", BINARY, "engine"];
    let mut runs = (0..ATTEMPTS).map(|_| finish(&mut command(home.path(), &args), b""));
    let run = runs.find(|run| !is_only_late(run)).expect("it is late each time");
    assert!(run.ok().ends_with(" checks passed.\n"));
}

/// What of a good program is replaced, by what, and the failures that are told then. `\n` ends a line.
const FAULTS: &str = r#"
exit 0 -> exit 3 | ends with quit: exited with 3 after quit, not with 0
exit 0 -> sleep 1; exit 0 | ends with quit: it still runs 500 ms after quit
infinite*) thinks=1; continue -> infinite*) thinks= | infinite and stop: it sent "bestmove a1" before stop
[ "$thinks" ] && echo -> echo | stop between moves: it answered stop with "bestmove none" while it was idle
isready) -> xyzzy) exit 5;; isready) | unknown lines: exited with 5 instead of readyok, after the line "xyzzy"
echo ugiok -> echo 'option name Depth type spin default 9 min 1 max 4'; echo ugiok | options: its default is not one of its values: Depth
echo ugiok -> echo 'option name Game type combo default quixo var quixo'; echo ugiok | options: Game does not name tic-tac-toe, only quixo
echo ugiok -> echo 'option name X type knob'; echo ugiok | options: "option name X type knob": option "X": its type must be
[ "$legal" ] || move=none -> move=z9 | bestmove "z9" in position fen first=X
[ "$legal" ] || move=none -> sleep 0.8 | time kept: go movetime
echo "bestmove $move";;\n        quit -> echo "bestmove $move"; echo bye;;\n        quit | nothing after bestmove: it sent "bye" after bestmove without a question
"#;

/// Each fault is found by its check, with a message that says what to change. The other checks
/// pass.
#[test]
fn compliance_finds_and_explains_each_fault() {
    let faults = FAULTS.trim().lines().map(|row| {
        let row = row.replace("\\n", "\n");
        let (change, told) = row.split_once(" | ").unwrap();
        let (from, to) = change.split_once(" -> ").unwrap();
        assert!(good().contains(from), "{from}");
        (good().replace(from, to), vec![told.to_owned()])
    });
    let late = "ends with its input: exited with 4 after the end of its input, not with 0";
    let at_the_end = format!("{}\necho late >&2; exit 4", good());
    let ends = [
        (at_the_end, vec![late.to_owned(), "stderr: late".to_owned()]),
        ("exit 6".to_owned(), vec!["hand-shake: exited with 6 instead of ugiok".to_owned()]),
    ];
    let cases = faults.chain(ends);
    std::thread::scope(|scope| {
        for (script, expected) in cases {
            scope.spawn(move || {
                let is_found = |run: &Run| {
                    let failures = failures(run);
                    let is_told = |text: &str| failures.iter().any(|line| line.contains(text));
                    expected.iter().all(|text| is_told(text))
                };
                let mut runs = (0..ATTEMPTS).map(|_| check(&script, "tic-tac-toe"));
                let run = runs.find(|run| is_found(run) || !is_only_late(run));
                let run = run.expect("it is late each time");
                assert!(is_found(&run), "{expected:?}: {}", run.out);
            });
        }
    });
}

#[test]
fn compliance_refuses_wrong_arguments() {
    let home = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| finish(&mut command(home.path(), args), b"");
    run(&["compliance"]).fails(2);
    run(&["compliance", "--game", "chess", "--", "sh"]).fails(2);
    run(&["compliance", "--gane", "quixo", "--", "sh"]).fails(2);
    let forgotten = run(&["compliance", "--game", "quixo", "./bot", "--depth", "4"]);
    assert_eq!(forgotten.status, 2);
    let why =
        "put the program and its arguments after --: quadrille compliance -- ./bot --depth 4\n";
    assert_eq!(forgotten.err, why);
    let none = run(&["compliance", "--", "/no/such/bot"]);
    let why = "FAIL  hand-shake: cannot be started: /no/such/bot: no such file or directory";
    assert_eq!(failures(&none), [why]);
}

#[test]
fn missing_interpreter_is_named() {
    let home = tempfile::tempdir().unwrap();
    let bot = home.path().join("bot");
    fs::write(&bot, "#!/no/such/python3\n").unwrap();
    fs::set_permissions(&bot, fs::Permissions::from_mode(0o755)).unwrap();
    let bot = bot.to_str().unwrap();
    let lacks = format!("/no/such/python3, the interpreter of {bot}");
    let run = |args: &[&str]| finish(&mut command(home.path(), args), b"");
    let why = format!("FAIL  hand-shake: cannot be started: {lacks}: no such file or directory");
    assert_eq!(failures(&run(&["compliance", "--", bot])), [why]);
    let seat = format!("2=cmd:{bot}");
    let said = run(&["play", "quixo", "--seat", &seat]).fails(2);
    assert!(said.ends_with(&format!("program not found: {lacks}")), "{said}");
}
