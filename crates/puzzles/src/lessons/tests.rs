use super::*;
use quadrille_table::catalogue::GAMES;
use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

#[test]
fn every_lesson_file_is_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/lessons");
    let mut there = Vec::new();
    for game in fs::read_dir(folder).unwrap() {
        for file in fs::read_dir(game.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let names =
                [path.parent().unwrap(), &path].map(|path| path.file_stem().unwrap().display());
            there.push(format!("{}/{}", names[0], names[1]));
        }
    }
    there.sort();
    let mut named: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
    named.sort_unstable();
    assert_eq!(there, named);
    let of_each = GAMES.map(|entry| of_game(&entry).len());
    assert!(of_each.iter().all(|lessons| (5..=6).contains(lessons)), "{of_each:?}");
    for (name, text) in FILES {
        let lesson = read(name, name, text).map_err(|why| why.to_string()).unwrap();
        assert!(name.starts_with(&format!("{}/", lesson.entry.id)), "{name}");
        assert!((5..=8).contains(&lesson.steps.len()), "{name} has {} steps", lesson.steps.len());
    }
}

#[test]
fn lesson_texts_are_unique() {
    let mut said = HashSet::new();
    for lesson in all() {
        for step in &lesson.steps {
            let wrong = step.wrong.iter().map(|wrong| &wrong.text);
            let texts = [&step.text, &step.right, &step.otherwise].into_iter().chain(wrong);
            for text in texts.filter(|text| !text.is_empty()) {
                assert!(said.insert(text), "{}: {text}", lesson.name);
            }
        }
    }
}

/// The first lesson that mentions Perfect must explain the word.
#[test]
fn first_mention_of_perfect_explains_the_level() {
    for entry in &GAMES {
        let lessons = of_game(entry);
        let texts = lessons.iter().flat_map(|lesson| &lesson.steps).map(|step| &step.text);
        let first = texts.into_iter().find(|text| text.contains("Perfect")).unwrap();
        assert!(first.contains("Perfect, the level that makes no mistakes"), "{first}");
    }
}

fn proof(lesson: &Arc<Lesson>, file: &str) -> Vec<String> {
    let faults = prove(lesson, file, Duration::MAX, |_| ());
    faults.iter().map(ToString::to_string).collect()
}

#[test]
fn every_lesson_passes_its_proof() {
    let mut wrong = Vec::new();
    for lesson in all() {
        wrong.extend(proof(lesson, &lesson.name));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every wrong try that a lesson names is answered and taken back.
#[test]
fn a_wrong_try_is_answered_and_taken_back() {
    let mut tried = 0;
    for lesson in all() {
        let mut run = LessonRun::new(lesson.clone());
        while *run.phase() != LessonPhase::Over {
            let lines: Vec<Line> =
                run.step().wrong.iter().flat_map(|wrong| wrong.lines.clone()).collect();
            for line in lines {
                let before = run.as_ref().board();
                for mv in &line {
                    run.try_move(mv).unwrap();
                }
                assert!(
                    matches!(run.phase(), LessonPhase::Wrong { .. }),
                    "{} {line:?}",
                    lesson.name
                );
                assert!(run.as_ref().ply() > line.len(), "it is answered");
                assert!(run.go_on() && run.asks());
                while run.undo() {}
                assert_eq!(run.as_ref().board(), before);
                tried += 1;
            }
            run.skip();
        }
        assert!(!run.is_done(), "{} was only skipped through", lesson.name);
    }
    assert!(tried > 0);
}

const SMALL: &str = r#"
title = "Small"
game = "dots-and-boxes"
[[steps]]
text = "Take it."
setup = "rows=2 cols=3"
moves = "H0,0 H1,0 V0,0 H0,1 H1,1"
keep = true
right = "Yes."
otherwise = "No."
"#;

fn faults(text: &str) -> Vec<String> {
    let lesson =
        Arc::new(read("small", "small.toml", text).map_err(|why| why.to_string()).unwrap());
    proof(&lesson, "small.toml")
}

#[test]
fn proof_finds_false_claims() {
    assert_eq!(faults(SMALL), [] as [&str; 0]);
    assert_eq!(faults(&SMALL.replace("dots-and-boxes", "dots")), [] as [&str; 0]);
    let only =
        |moves: &str| SMALL.replace("keep = true", &format!("play = [{moves}]\nonly = true"));
    assert_eq!(faults(&only("\"V0,1\"")), [] as [&str; 0]);
    assert_eq!(
        faults(&only("\"V0,2\"")),
        ["small.toml: line 4: V0,2 is called correct, but it is wrong"]
    );
    let valued = SMALL.replace("keep = true", "keep = true\nvalue = 5");
    assert_eq!(faults(&valued), ["small.toml: line 4: the position is worth 2, not 5"]);
    let reached = SMALL.replace("keep = true", "reach = 3");
    assert_eq!(faults(&reached), ["small.toml: line 4: no move reaches 3"]);
    let wrong = format!("{SMALL}[[steps.wrong]]\nmoves = [\"V0,1\"]\ntext = \"No.\"\n");
    assert_eq!(faults(&wrong), ["small.toml: line 4: V0,1 is called wrong, but it is correct"]);
}

/// A try that wins by less, a try that draws and a try that loses.
const RESULTS: &str = r#"
title = "Results"
game = "tic-tac-toe"
[[steps]]
text = "Fork."
moves = "a1 c3 a3 a2"
keep = true
right = "Yes."
otherwise = "No."
[[steps.wrong]]
result = "draw"
text = "That draws."
[[steps.wrong]]
moves = ["b2"]
text = "The middle."
"#;

#[test]
fn wrong_try_shows_the_text_for_its_result() {
    assert_eq!(faults(RESULTS), [] as [&str; 0]);
    let lesson = read("results", "results.toml", RESULTS).map_err(|why| why.to_string()).unwrap();
    let mut run = LessonRun::new(Arc::new(lesson));
    for (mv, text) in [("c2", "That draws."), ("b2", "The middle."), ("b3", "No.")] {
        run.try_move(mv).unwrap();
        assert_eq!(run.text(), text, "{mv}");
        run.go_on();
    }
    let wins = RESULTS.replace("\"draw\"", "\"win\"");
    assert_eq!(faults(&wins), ["small.toml: line 4: no other wrong move wins"]);
    let exercise = RESULTS.replace("keep = true", "play = [\"c1\"]");
    let why = read("results", "results.toml", &exercise).unwrap_err().to_string();
    assert!(why.contains("result") && why.contains("only = true"), "{why}");
}

/// The player who draws the last segment of a round may also draw the first segment of the next round.
#[test]
fn lesson_turn_ends_with_its_round() {
    let lesson = all().iter().find(|lesson| lesson.name == "intersections/5-the-last-segment");
    let mut run = LessonRun::new(lesson.unwrap().clone());
    run.skip();
    let mover = run.as_ref().to_move();
    run.try_move("0,0-0,2").unwrap();
    assert_eq!((run.as_ref().to_move(), run.phase()), (mover, &LessonPhase::Right));
}

#[test]
fn lesson_size_is_limited_for_the_proof() {
    let many = |steps| format!("{SMALL}{}", "[[steps]]\ntext = \"Read.\"\n".repeat(steps));
    assert_eq!(faults(&many(99)), [] as [&str; 0]);
    let why = read("small", "small.toml", &many(100)).unwrap_err().to_string();
    assert!(why.contains("at most 100"), "{why}");
    // Running out of time gives one error, not one per step.
    let step = SMALL.split_once("[[steps]]").unwrap().1;
    let twice = format!("{SMALL}[[steps]]{}", step.replace("Take it.", "Again."));
    let lesson = read("small", "small.toml", &twice).map_err(|why| why.to_string()).unwrap();
    let mut steps = Vec::new();
    let late = prove(&Arc::new(lesson), "small.toml", Duration::ZERO, |step| steps.push(step));
    let late: Vec<String> = late.iter().map(ToString::to_string).collect();
    assert!(matches!(&late[..], [why] if why.contains("not proven after 0 s")), "{late:?}");
    assert_eq!(steps, [0]);
    // The search stops if the position itself is unproven.
    let large = SMALL.replace("rows=2 cols=3", "size=7").replace("keep = true", "reach = 3");
    let large = large.replace("moves = \"H0,0 H1,0 V0,0 H0,1 H1,1\"\n", "");
    assert_eq!(
        faults(&large),
        ["small.toml: line 4: what the position is worth cannot be proven at once"]
    );
}

#[test]
fn lesson_error_names_the_line_and_the_fix() {
    let error = |from: &str, to: &str| {
        read("small", "small.toml", &SMALL.replace(from, to)).unwrap_err().to_string()
    };
    let cases = [
        ("\"Small\"", "\"A title that is one column too wide.\""),
        ("title = \"Small\"\n", ""),
        ("\"dots-and-boxes\"", "\"chess\""),
        ("H1,1\"", "H9,9\""),
        ("right = \"Yes.\"\n", ""),
        ("keep = true", "keep = true\nplay = [\"V0,1\"]"),
        ("keep = true", "win = \"ann\""),
        ("Take it.", &"word ".repeat(60)),
        ("otherwise", "others"),
    ];
    let errors: Vec<String> = cases.iter().map(|(from, to)| error(from, to)).collect();
    insta::assert_snapshot!(errors.join("\n"));
}

/// The learner leaves before and after each Enter, and skips some steps.
#[test]
fn leaving_a_lesson_keeps_its_solved_steps() {
    let step = SMALL.split_once("[[steps]]").unwrap().1;
    let text = format!("{SMALL}[[steps]]{step}[[steps]]{step}");
    let lesson = Arc::new(read("small", "small.toml", &text).unwrap());
    for skipped in [&[][..], &[0], &[1], &[2], &[0, 2]] {
        for leaves in 0..4 {
            let leave = |run: LessonRun, way| {
                if leaves & way == 0 {
                    run
                } else {
                    LessonRun::from_place(lesson.clone(), run.place())
                }
            };
            let mut run = LessonRun::new(lesson.clone());
            for number in 0..3 {
                assert_eq!(run.at(), number);
                if !skipped.contains(&number) {
                    run.try_move("V0,1").unwrap();
                    run.try_move("V0,2").unwrap();
                    run = leave(run, 1);
                }
                // A lesson resumes at the step after a solved one.
                if run.at() == number {
                    run.skip();
                }
                if run.phase() != &LessonPhase::Over {
                    run = leave(run, 2);
                }
            }
            assert_eq!((run.phase(), run.is_done()), (&LessonPhase::Over, skipped.is_empty()));
            if let [first, ..] = skipped {
                // After the last step, the lesson resumes at the first skipped one.
                let mut again = LessonRun::from_place(lesson.clone(), run.place());
                assert_eq!(again.at(), *first);
                while again.skip() {}
                assert_eq!(again.skipped(), run.skipped());
            }
            let steps: Vec<String> = skipped.iter().map(|at| (at + 1).to_string()).collect();
            match &*steps {
                [] => assert_eq!(run.skipped(), None),
                steps => assert!(run.skipped().unwrap().contains(&steps.join(" and "))),
            }
        }
    }
}

/// A whole turn of two moves, preceded by a wrong move, and then a win against Perfect.
#[test]
fn lesson_can_be_completed() {
    let lesson = |text: &str| {
        Arc::new(read("small", "small.toml", text).map_err(|why| why.to_string()).unwrap())
    };
    let mut run = LessonRun::new(lesson(SMALL));
    assert!(run.asks() && !run.go_on());
    run.try_move("V0,2").unwrap();
    let LessonPhase::Wrong { verdict, says, ply } = run.phase().clone() else {
        panic!("{:?}", run.phase())
    };
    assert_eq!((verdict.as_deref(), &*says, ply), (Some("V0,2 loses by 2"), "No.", 5));
    assert_eq!(run.as_ref().ply(), 7, "it is answered");
    assert!(run.try_move("V0,1").is_err() && run.go_on());
    assert_eq!(run.hint().as_deref(), Some("V0,1"));
    run.try_move("V0,1").unwrap();
    assert!(run.asks(), "the turn goes on");
    run.try_move("V0,2").unwrap();
    assert_eq!((run.phase(), run.text()), (&LessonPhase::Right, "Yes."));
    assert!(run.go_on() && run.is_done());
    let mut run = LessonRun::new(lesson(&SMALL.replace("keep = true", "win = \"perfect\"")));
    run.try_move("V0,1").unwrap();
    run.try_move("V0,2").unwrap();
    assert_eq!(run.phase(), &LessonPhase::Right);
}
