//! Users' programs as real processes: correct ones, and one for each known fault. The tests search `/proc` for leftover
//! processes.
//!
//! `bot(top, go)` returns a shell script that plays the first legal move, `$move`. It runs `top` at its start and `go`
//! before each move. Its command `child` never ends, and ignores TERM, HUP and INT.

use crate::common::bots::{
    Bot, LONG, PATIENT, SHORT, bot, files, forfeit, is_gone, processes, until,
};
use crate::common::program::{alone, command};
use quadrille_rules::Seat;
use quadrille_table::catalogue;
use quadrille_table::engine::ugi::Clock;
use quadrille_table::play::program::{Patience, ProgramLimits};
use quadrille_table::play::{EngineEvent, MoveTime};
use std::fs;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Waits until all processes of the bot except the supervisor are stopped. A shell whose child was stopped between
/// `vfork` and `exec` is in state `D`: its own stop is pending until the child continues.
fn is_stopped(bot: &Bot) {
    until("its being stopped", || {
        let mut others = bot.processes().into_iter().filter(|process| !process.is_supervisor);
        others.all(|process| matches!(process.state, 'T' | 'D'))
    });
}

/// Returns whether the bot is ready and has been asked for a move.
fn is_ready(bot: &Bot) -> bool {
    bot.handle().next_event().is_some_and(|(_, event)| event == EngineEvent::Ready)
}

#[test]
fn program_plays_and_is_stopped_between_turns() {
    let mut one = Bot::new(&bot("", ""));
    let mut two = Bot::new(&bot("", ""));
    let ticket = one.ask("", LONG);
    let mut heard = one.events(ticket);
    let EngineEvent::Chosen { mv, .. } = heard.pop().unwrap() else { panic!("{heard:?}") };
    assert_eq!(heard, [EngineEvent::Starting, EngineEvent::Ready]);
    assert_eq!(mv, "a1");
    is_stopped(&one);
    let mut moves = mv;
    for turn in 1..7 {
        let bot = if turn % 2 == 0 { &mut one } else { &mut two };
        let mv = bot.plays(&moves);
        moves = format!("{moves} {mv}");
        is_stopped(bot);
    }
    assert_eq!(moves, "a1 a2 a3 b1 b2 b3 c1");
    assert_eq!((one.processes().len(), two.processes().len()), (2, 2));
    one.leave();
    one.is_gone();
    assert_eq!(two.processes().len(), 2, "the other still runs");
    two.leave();
    two.is_gone();
}

/// The forfeit reason of a program that stops its supervisor.
const STOPPED: &str = "its supervisor was stopped";

#[test]
fn faulty_program_loses_and_leaves_no_process() {
    let long_move = "printf 'bestmove %01001d\\n' 0; sleep 100";
    let cases = [
        ("exit 3", "", "exited with 3"),
        ("", "exit 0", "exited with 0"),
        ("", "kill -9 $$", "killed by signal 9"),
        ("", "kill -SEGV $$", "killed by signal 11"),
        ("", "sleep 100", "no answer"),
        ("trap '' TERM HUP INT QUIT", "sleep 100", "no answer"),
        ("", "echo info depth 1; kill -STOP $$", "no answer"),
        ("", "yes 'info depth 1 nodes 2 score cp 3 pv a1'", "no answer"),
        ("", "yes ''", "no answer"),
        ("", "head -c 1000000000 /dev/zero", "a line longer than 64 KiB"),
        ("", "head -c 100000000 /dev/zero >&2; exit 4", "exited with 4"),
        ("", "exec >&-; sleep 100", "closed its output"),
        ("", "exec </dev/null; kill -9 $PPID; sleep 100", "its supervisor was killed"),
        ("", "kill -STOP $PPID; sleep 100", STOPPED),
        ("child & setsid sleep 1000 & :", "kill -STOP $PPID; sleep 100", STOPPED),
        ("", "echo bestmove; sleep 100", "illegal move \"\""),
        ("", "echo bestmove none; sleep 100", "illegal move \"none\""),
        ("", long_move, "illegal move \"0000000000000000000000000000000000000...\""),
        ("", "child & child & exit 5", "exited with 5"),
        ("", "setsid sh -c 'trap \"\" TERM HUP; sleep 1000; sleep 1000' & sleep 100", "no answer"),
        ("", "(setsid sh -c 'sleep 1000; sleep 1000' &) ; (child &); exit 6", "exited with 6"),
        (
            "echo 'option name Game type combo default quixo var quixo'",
            "",
            "does not play tic-tac-toe",
        ),
    ];
    std::thread::scope(|scope| {
        for (top, go, reason) in cases {
            scope.spawn(move || {
                // A program that closes its output but never exits uses up this timeout. All others that close a pipe
                // exit, and on a busy machine that may be noticed late.
                let to_end = if reason == "closed its output" { SHORT } else { LONG };
                let patience = Patience { to_end, ..PATIENT };
                let mut bot = Bot::with(&bot(top, go), ProgramLimits::default(), patience);
                // Only a program that never answers uses up its time. A stopped supervisor must be noticed before that.
                let time = match reason {
                    "no answer" => 5 * SHORT,
                    STOPPED => 25 * SHORT,
                    _ => LONG,
                };
                let (lost, messages) = bot.loses(time);
                if reason == "no answer" {
                    // The time is measured, and the limit is the one given.
                    let took = lost.strip_prefix("no answer after ").unwrap();
                    let took = took.strip_suffix(" s of 1.00").unwrap();
                    assert!(took.parse::<f64>().unwrap() >= 1.0, "{lost}");
                } else {
                    assert_eq!(lost, reason, "{top} {go}");
                }
                // The stderr log begins with the command. It exists only if the program writes to stderr.
                let writes = [top, go].concat().contains(">&2");
                assert!(
                    messages.starts_with("sh /") || messages.is_empty() && !writes,
                    "{messages:?}"
                );
                assert!(messages.len() < 2 << 20, "{}", messages.len());
                bot.is_gone();
            });
        }
    });
}

/// Only the supervisor can contain a program.
#[test]
fn program_that_stops_its_supervisor_forfeits() {
    let mut bot = Bot::new(&bot("child &", "kill -STOP $PPID"));
    // The stop is detected during this request or at the next one.
    let ticket = bot.ask("", LONG);
    let lost = match bot.answer(ticket) {
        EngineEvent::Chosen { mv, .. } => {
            assert_eq!(mv, "a1");
            until("a supervisor that is stopped", || {
                bot.processes().iter().any(|process| process.is_supervisor && process.state == 'T')
            });
            bot.loses(LONG).0
        }
        other => forfeit(other).0,
    };
    assert_eq!(lost, STOPPED);
    bot.is_gone();
}

#[test]
fn unstartable_program_error_states_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("plain"), "no program").unwrap();
    let name = folder.path().join("plain").display().to_string();
    for (command, why) in [
        ("/no/such/bot --depth 4".to_owned(), "/no/such/bot: no such file or directory".to_owned()),
        (name.clone(), format!("{name}: permission denied")),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut bot = Bot::command(&command, folder, ProgramLimits::default(), PATIENT);
        let (lost, messages) = bot.loses(LONG);
        assert_eq!(lost, format!("cannot be started: {why}"));
        assert_eq!(messages, "", "there is nothing to be read");
        bot.is_gone();
    }
}

/// The program never writes `ugiok`.
#[test]
fn program_without_ugiok_loses() {
    let script = "cd \"${0%/*}\"\nwhile read -r line; do echo bestmove a1; done";
    let patience = Patience { to_start: SHORT, ..PATIENT };
    let mut bot = Bot::with(script, ProgramLimits::default(), patience);
    assert_eq!(bot.loses(LONG).0, "no answer");
    bot.is_gone();
}

#[test]
fn a_silent_program_without_a_time_limit_loses() {
    std::thread::scope(|scope| {
        for go in ["sleep 100", "printf 'info depth 1'; sleep 100", "kill -STOP $$", "kill -STOP 0"]
        {
            scope.spawn(move || {
                let patience = Patience { silence: SHORT, ..PATIENT };
                let mut bot = Bot::with(&bot("", go), ProgramLimits::default(), patience);
                let ticket = bot.ask_at("tic-tac-toe", "", "", MoveTime::Unlimited);
                let reason = forfeit(bot.answer(ticket)).0;
                assert_eq!(reason, "no answer after 0.2 s of silence", "{go}");
                bot.is_gone();
            });
        }
    });
}

/// Each output line restarts the timeout: the move takes longer than the program may be silent.
#[test]
fn reporting_program_may_think_without_limit() {
    let reports = "for depth in 1 2 3 4 5 6; do sleep 0.5; echo info depth $depth; done";
    let patience = Patience { silence: 10 * SHORT, ..PATIENT };
    let mut bot = Bot::with(&bot("", reports), ProgramLimits::default(), patience);
    let ticket = bot.ask_at("tic-tac-toe", "", "", MoveTime::Unlimited);
    assert!(matches!(bot.answer(ticket), EngineEvent::Chosen { mv, .. } if mv == "a1"));
}

#[test]
fn program_exiting_between_turns_loses_on_its_next_turn() {
    let mut bot = Bot::new(&bot("", ""));
    assert_eq!(bot.plays(""), "a1");
    let program = bot.processes().into_iter().find(|process| !process.is_supervisor).unwrap();
    let killed = Command::new("kill").arg("-9").arg(program.id.to_string()).status().unwrap();
    assert!(killed.success());
    bot.is_gone();
    let ticket = bot.ask("a1 a2", LONG);
    assert_eq!(forfeit(bot.answer(ticket)).0, "killed by signal 9");
    // The next request restarts the program.
    assert_eq!(bot.plays(""), "a1");
}

#[test]
fn program_with_closed_stdin_loses_when_asked() {
    let script = bot("", "exec </dev/null; echo bestmove $move; sleep 100");
    let patience = Patience { to_end: SHORT, ..PATIENT };
    let mut bot = Bot::with(&script, ProgramLimits::default(), patience);
    assert_eq!(bot.plays(""), "a1");
    let ticket = bot.ask("a1 a2", LONG);
    assert_eq!(forfeit(bot.answer(ticket)).0, "closed its input");
    bot.is_gone();
}

#[test]
fn unrequested_program_lines_are_ignored() {
    let twice = bot("echo bestmove c3", "echo bestmove $move; echo bestmove c2; echo x; move=c3");
    let mut bot = Bot::new(&twice);
    assert_eq!(bot.plays(""), "a1");
    is_stopped(&bot);
    assert_eq!(bot.plays("a1 a2"), "a3");
    is_stopped(&bot);
    assert_eq!(bot.plays("a1 a2 a3 b1"), "b2");
}

#[test]
fn program_reports_are_never_proven() {
    let told = "info depth 3 nodes 77 score cp 30000 pv a1 b2 string \\033[2J\\ninfo depth 4\\n";
    let mut bot = Bot::new(&bot("", &format!("printf '{told}'; sleep 1")));
    let ticket = bot.ask("", LONG);
    let heard = bot.events(ticket);
    let EngineEvent::Chosen { report, .. } = heard.last().unwrap() else { panic!("{heard:?}") };
    assert_eq!((report.depth, report.nodes), (4, 77));
    assert_eq!((report.value.proven(), report.value.estimate), (None, Some(1.0)));
    assert_eq!(report.pv, ["a1", "b2"]);
    let news = heard.iter().filter(|event| matches!(event, EngineEvent::News(_))).count();
    assert!((1..=2).contains(&news), "{heard:?}");
}

#[test]
fn flood_of_info_lines_is_throttled() {
    const REPORTS: u32 = 20;
    let mut bot = Bot::new(&bot("", "yes 'info depth 1 nodes 2'"));
    let begun = Instant::now();
    bot.ask("", LONG);
    for _ in 0..REPORTS {
        until("a report", || {
            bot.handle()
                .next_event()
                .is_some_and(|(_, event)| matches!(event, EngineEvent::News(_)))
        });
    }
    // Reports are at least 100 ms apart.
    let took = begun.elapsed();
    assert!(took >= (REPORTS - 1) * Duration::from_millis(100), "{took:?}");
    bot.leave();
    bot.is_gone();
}

#[test]
fn stopped_program_answers_or_is_killed() {
    let answers = "while read -r word; do [ $word = stop ] && break; done";
    let mut bot_that_answers = Bot::new(&bot("", answers));
    let ticket = bot_that_answers.ask("", LONG);
    until("its start", || is_ready(&bot_that_answers));
    bot_that_answers.handle().stop();
    let EngineEvent::Chosen { mv, .. } = bot_that_answers.answer(ticket) else { panic!() };
    assert_eq!(mv, "a1");

    let patience = Patience { to_stop: SHORT, ..PATIENT };
    let script = bot("", "[ $move = a1 ] && sleep 1000");
    let mut deaf = Bot::with(&script, ProgramLimits::default(), patience);
    let ticket = deaf.ask("", 100 * LONG);
    until("its start", || is_ready(&deaf));
    deaf.handle().stop();
    assert!(matches!(deaf.answer(ticket), EngineEvent::Failed(_)));
    let ticket = deaf.ask("a2", LONG);
    deaf.handle().stop();
    assert!(deaf.answer(ticket).is_answer());
    // A new request cancels the previous one and gets its own answer.
    let first = deaf.ask("", LONG);
    let second = deaf.ask("a1", LONG);
    assert!(matches!(deaf.answer(first), EngineEvent::Failed(_)));
    assert!(matches!(deaf.answer(second), EngineEvent::Chosen { mv, .. } if mv == "a2"));
    deaf.leave();
    deaf.is_gone();
}

#[test]
fn program_receives_options_position_and_clocks() {
    let top =
        "exec 3>heard; echo 'option name Game type combo default quixo var quixo var intersections'
        echo 'option name Setup type string default <empty>'
        say() { echo \"$word $rest\" >&3; }";
    let script = bot(top, "").replace("case $word in", "say; case $word in");
    let mut bot = Bot::new(&script);
    let left = |left| Some(Clock { left, increment: Duration::from_secs(5) });
    let clock = MoveTime::Clock {
        seat: Seat::FIRST,
        clocks: [300_000, 2500].map(Duration::from_millis).map(left).to_vec(),
    };
    let ticket = bot.ask_at("intersections", "size=2", "", clock);
    assert!(matches!(bot.answer(ticket), EngineEvent::Chosen { .. }));
    let heard = fs::read_to_string(bot.folder.path().join("heard")).unwrap();
    let setup = catalogue::find("intersections").unwrap().start;
    let setup = setup(&"size=2".parse().unwrap()).unwrap().setup();
    let moves = heard.lines().find_map(|line| line.strip_prefix("legal ")).unwrap().to_owned();
    let expected = [
        "ugi ".to_owned(),
        "setoption name Game value intersections".to_owned(),
        format!("setoption name Setup value {setup}"),
        "uginewgame ".to_owned(),
        format!("legal {moves}"),
        format!("position fen {setup}"),
        "isready ".to_owned(),
        "go p1time 300000 p2time 2500 p1inc 5000 p2inc 5000".to_owned(),
    ];
    assert_eq!(heard.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn program_memory_is_limited() {
    let greedy = bot("", "dd if=/dev/zero of=/dev/null bs=256M count=1 || exit 7");
    let mut bot = Bot::with(&greedy, ProgramLimits { memory: 64 << 20 }, PATIENT);
    let (reason, messages) = bot.loses(LONG);
    assert_eq!(reason, "exited with 7");
    assert!(messages.contains("memory"), "{messages}");
}

#[test]
fn program_has_its_own_session_without_a_terminal() {
    let top = "(: >/dev/tty) 2>/dev/null && exit 8; [ $(ps -o sid= -p $$) = $$ ] && exit 9; ulimit -c >core";
    let mut bot = Bot::new(&bot(top, ""));
    assert_eq!(bot.plays(""), "a1");
    assert_eq!(fs::read_to_string(bot.folder.path().join("core")).unwrap(), "0\n");
}

#[test]
fn program_stderr_is_kept_in_a_file() {
    let mut one = Bot::new(&bot("echo one >&2", "echo '\\033[2J' >&2; echo two >&2; exit 1"));
    let (_, messages) = one.loses(LONG);
    let command = one.seat.command().to_owned();
    assert_eq!(messages, format!("{command}\none\n\u{1b}[2J\ntwo\n"));
    let messages = one.launcher.messages.clone().unwrap();
    assert_eq!(files(&messages), [messages.join("bot.sh.log")]);
}

#[test]
fn suspend_stops_the_program_and_its_move_time() {
    let mut bot = Bot::new(&bot("", "sleep 1"));
    let ticket = bot.ask("", 40 * SHORT);
    until("its start", || is_ready(&bot));
    bot.handle().suspend();
    is_stopped(&bot);
    // Longer than the program's time for a move.
    std::thread::sleep(45 * SHORT);
    assert_eq!(bot.handle().next_event(), None);
    bot.handle().resume();
    assert!(matches!(bot.answer(ticket), EngineEvent::Chosen { mv, .. } if mv == "a1"));
    is_stopped(&bot);
    // Off its turn, a program stays stopped.
    bot.handle().suspend();
    bot.handle().resume();
    is_stopped(&bot);
}

#[test]
fn killed_plain_mode_leaves_no_program_process() {
    let script = bot("trap '' TERM HUP; (setsid sh -c 'sleep 1000; sleep 1000' &)", "sleep 100");
    let folder = tempfile::tempdir().unwrap();
    let home = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bot.sh"), script).unwrap();
    let seat = format!("2=cmd,time=3600:sh {}", folder.path().join("bot.sh").display());
    let mut quadrille = command(home.path(), &["play", "tic-tac-toe", "--plain", "--seat", &seat]);
    let mut quadrille = quadrille.spawn().unwrap();
    quadrille.stdin.as_mut().unwrap().write_all(b"a1\n").unwrap();
    until("all processes", || processes(folder.path()).len() >= 5);
    quadrille.kill().unwrap();
    quadrille.wait().unwrap();
    is_gone(folder.path());
}

/// The child process of the test below. Does nothing if run alone.
#[test]
fn child_process_plays_a_bot() {
    let Ok(script) = std::env::var("QUADRILLE_TEST_BOT") else { return };
    let mut bot = Bot::new(&script);
    println!("\nfolder {}", bot.folder.path().display());
    if std::env::var_os("QUADRILLE_TEST_THINKS").is_some() {
        bot.ask("", LONG);
        until("its children", || processes(bot.folder.path()).len() >= 5);
    } else {
        bot.plays("");
    }
    println!("plays");
    let _ = std::io::stdin().read(&mut [0]);
    std::process::exit(0);
}

#[test]
fn any_exit_leaves_no_program_process() {
    let all = "(: >a; child) & setsid sh -c ': >b; trap \"\" TERM HUP; sleep 1000; sleep 1000' &
        (setsid sh -c ': >c; sleep 1000; sleep 1000' &)
        until [ -e a ] && [ -e b ] && [ -e c ]; do sleep 0.01; done";
    for thinks in [false, true] {
        for signal in ["KILL", "TERM", "HUP", "end"] {
            let mut child = Command::new(std::env::current_exe().unwrap());
            child.args(alone(module_path!(), "child_process_plays_a_bot"));
            let script = bot("", &format!("{all}; {}", if thinks { "sleep 100" } else { "" }));
            child.env("QUADRILLE_TEST_BOT", script);
            if thinks {
                child.env("QUADRILLE_TEST_THINKS", "");
            }
            let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
            let mut heard = String::new();
            let mut out = child.stdout.take().unwrap();
            while !heard.contains("\nplays") {
                let mut bytes = [0; 1000];
                let length = out.read(&mut bytes).unwrap();
                assert!(length > 0, "{heard}");
                heard.push_str(std::str::from_utf8(&bytes[..length]).unwrap());
            }
            let folder = heard.lines().find_map(|line| line.strip_prefix("folder ")).unwrap();
            // The program, its supervisor and its three children.
            until("all processes", || processes(folder.as_ref()).len() >= 5);
            if signal == "end" {
                drop(child.stdin.take());
            } else {
                let process = child.id().to_string();
                Command::new("kill").args(["-s", signal, &process]).status().unwrap();
            }
            child.wait().unwrap();
            is_gone(folder.as_ref());
            let _ = fs::remove_dir_all(folder);
        }
    }
}
