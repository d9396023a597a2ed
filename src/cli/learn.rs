//! `quadrille learn`: opens and checks lessons.

use super::display_args::{self, DisplayArgs};
use super::progress::ProgressLine;
use super::usage;
use anyhow::bail;
use quadrille_puzzles::lessons::{self, Lesson};
use quadrille_system::read::{self, Limit};
use quadrille_table::catalogue;
use quadrille_text::toml_file::FileError;
use quadrille_text::wording::{counted, either};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Take lessons
///
/// To take a lesson of your own, run `quadrille learn FILE.toml`. Every step is proven first; a step that accepts a
/// wrong move is an error with its line number. docs/lessons.md explains how to write lessons.
#[derive(Debug, clap::Args)]
pub(super) struct LearnArgs {
    /// A game, or a lesson file; without it, you can choose a lesson
    #[arg(value_name = "GAME|FILE")]
    what: Option<String>,
    /// Only prove the lesson and print its errors
    #[arg(long, requires = "what")]
    check: bool,
}

/// The time limit for proving a lesson.
const PROOF_TIME: Duration = Duration::from_secs(60);

pub(super) fn run(
    args: &LearnArgs,
    display_args: &DisplayArgs,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if args.check {
        return check(args.what.as_deref().unwrap_or_default(), out);
    }
    let display = || display_args.display("learn --plain");
    let lessons = |entry| display_args::open(&display()?, |app| app.with_lessons(entry));
    let Some(what) = &args.what else { return lessons(None) };
    match catalogue::named(what) {
        Ok(entry) => lessons(Some(entry)),
        Err(_) if is_path(what) => {
            let lesson = proven(what)?;
            display_args::open(&display()?, |app| app.with_lesson(lesson))
        }
        Err(meant) if !meant.is_empty() => {
            let ids: Vec<&str> = meant.iter().map(|entry| entry.id).collect();
            Err(usage(format!("{what} is ambiguous: {}", either(&ids))))
        }
        Err(_) => Err(usage(format!(
            "{what} is neither a game nor a TOML file; quadrille learn lists the games"
        ))),
    }
}

fn is_path(what: &str) -> bool {
    what.contains('/') || Path::new(what).extension().is_some()
}

fn open(path: &str) -> anyhow::Result<Arc<Lesson>> {
    let text = read::text(Path::new(path), Limit::LESSON)?;
    let name = Path::new(path).file_stem().unwrap_or_default().to_string_lossy();
    Ok(Arc::new(lessons::read(&name, &read::name(Path::new(path)).to_string(), &text)?))
}

fn proven(path: &str) -> anyhow::Result<Arc<Lesson>> {
    let lesson = open(path)?;
    match faults(&lesson, path).into_iter().next() {
        None => Ok(lesson),
        Some(fault) => Err(fault.into()),
    }
}

fn faults(lesson: &Arc<Lesson>, path: &str) -> Vec<FileError> {
    let mut progress = ProgressLine::new("(Ctrl-C ends it)");
    let steps = lesson.steps.len();
    let file = read::name(Path::new(path)).to_string();
    let faults = lessons::prove(lesson, &file, PROOF_TIME, |step| {
        progress.set_place(format!("proving step {} of {steps}", step + 1));
    });
    progress.clear();
    faults
}

/// Proves a lesson and prints its errors.
fn check(path: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let lesson = open(path)?;
    let faults = faults(&lesson, path);
    for fault in &faults {
        writeln!(out, "{fault}")?;
    }
    let steps = counted(lesson.steps.len(), "step", "steps");
    match faults.len() {
        0 => writeln!(out, "{}, {}: {steps}, all proven", lesson.entry.name, lesson.title)?,
        wrong => bail!("{}: {wrong} of {steps} not proven", read::name(Path::new(path))),
    }
    Ok(())
}
