//! `quadrille learn`: a lesson in plain mode, and a custom lesson file.

use crate::common::program::{Run, command, finish};
use std::fs;
use tempfile::TempDir;

fn learn(home: &TempDir, args: &[&str], lines: &[&str]) -> Run {
    let input = [lines.join("\n").as_bytes(), b"\n"].concat();
    finish(&mut command(home.path(), &[&["learn"], args].concat()), &input)
}

#[test]
fn lesson_is_completed_in_plain_mode() {
    let home = tempfile::tempdir().unwrap();
    let lines = ["4", "", "V0,1", "V0,2", "", "v03", "skip", "menu", "quit"];
    let said = learn(&home, &["dots", "--plain"], &lines).ok();
    let mut after = said.lines();
    for line in [
        "Learn Dots and Boxes.",
        "The double-cross, Dots and Boxes, step 2 of 6.",
        "You can do better. Take one box. Then leave the last two: close the far end of the chain behind them. That ends your turn.",
        "You draw V0,1 and take a box. 1 to 0. Your turn.",
        "Enter: take back.",
        "6 moves are taken back. 1 to 0. Your turn.",
        "Opponent draws V1,1. Your turn.",
        "The double-cross, Dots and Boxes, step 3 of 6.",
        "4 The double-cross, at step 3 of 6.",
    ] {
        assert!(after.any(|other| other == line), "no {line:?} in {said}");
    }
}

#[test]
fn plain_lesson_resumes_at_its_last_step() {
    let home = tempfile::tempdir().unwrap();
    let lines = ["4", "skip", "skip", "quit", "learn dots 4", "skip", "skip", "skip", "skip"];
    let said = learn(&home, &["dots", "--plain"], &lines).ok();
    let end = "Steps 2, 3, 4, 5 and 6 were skipped, so this lesson is not done yet";
    assert_eq!(said.matches(", step 3 of 6.").count(), 2, "{said}");
    assert!(said.contains(end), "{said}");
}

#[test]
fn own_lesson_file_is_proven_first() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("mine.toml");
    let path = file.to_str().unwrap();
    let lesson = "title = \"Mine\"\ngame = \"tic-tac-toe\"\n[[steps]]\ntext = \"Fork.\"\nmoves = \"a1 c3 a3 a2\"\n\
                  play = [\"c1\"]\nonly = true\nright = \"Yes.\"\notherwise = \"No.\"\n";
    fs::write(&file, lesson).unwrap();
    let checked = learn(&home, &["--check", path], &[]).ok();
    assert_eq!(checked, "Tic-tac-toe, Mine: 1 step, all proven\n");
    let said = learn(&home, &[path, "--plain"], &["c1", "", "quit"]).ok();
    assert!(said.contains("Right.\nYes.\n") && said.contains("Lesson done."), "{said}");
    fs::write(&file, lesson.replace("\"c1\"", "\"b2\"")).unwrap();
    let wrong = learn(&home, &[path, "--plain"], &[]).fails(1);
    assert!(wrong.contains("line 3: b2 is called correct, but it is wrong"), "{wrong}");
    let unknown = learn(&home, &["chess"], &[]).fails(2);
    assert!(unknown.contains("chess is neither a game nor a TOML file"), "{unknown}");
}
