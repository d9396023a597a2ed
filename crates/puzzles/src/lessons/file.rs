//! Parses lesson files. `docs/lessons.md` documents the keys.

use super::{Lesson, LessonStep, LessonTask, Line, MatchResult, Wrong};
use quadrille_match::session::{Match, PositionSpec};
use quadrille_rules::{Setup, SetupError};
use quadrille_table::catalogue::{self, GAMES, GameEntry};
use quadrille_text::printable::printable;
use quadrille_text::toml_file::{Fault, FileError, Source, TomlTable, TomlValue};
use quadrille_text::wording::{cut, either};
use toml::de::{DeTable, DeValue};
use unicode_width::UnicodeWidthStr;

/// The maximum number of rows for each text of a step, on a screen of 80 x 24.
pub const LINES: usize = 3;
pub const COLUMNS: usize = 76;
const TITLE: usize = 30;

const TOP: [&str; 5] = ["title", "game", "setup", "source", "steps"];
const STEP: [&str; 16] = [
    "text",
    "value",
    "setup",
    "moves",
    "mark",
    "notes",
    "play",
    "only",
    "reply",
    "keep",
    "reach",
    "win",
    "margin",
    "right",
    "wrong",
    "otherwise",
];
const WRONG: [&str; 4] = ["moves", "result", "text", "reply"];
/// The task keys. A step can have only one.
const TASKS: [&str; 4] = ["play", "keep", "reach", "win"];
/// Keys that require a task in the same step.
const WITH_A_TASK: [&str; 6] = ["right", "otherwise", "wrong", "only", "reply", "margin"];

const STEPS: usize = 100;

/// The maximum margin that a lesson can state.
const MAX_MARGIN: i64 = 1000;

/// Parses a lesson. `file` is the file's name in errors.
pub fn read(name: &str, file: &str, text: &str) -> Result<Lesson, FileError> {
    let source = Source { file, text };
    let table = source.parse()?;
    let mut lesson = lesson(name, &table).map_err(|fault| source.error(fault))?;
    for step in &mut lesson.steps {
        step.line = source.error(Fault::without_key(step.line, "")).line;
    }
    Ok(lesson)
}

/// Parses a lesson. The `line` of each step is still a byte offset.
fn lesson(name: &str, table: &DeTable<'_>) -> Result<Lesson, Fault> {
    let top = TomlTable::new(table, 0, "", &TOP)?;
    let missing = || top.missing("title", &format!("a name of at most {TITLE} columns"));
    let title = one_line(&top, "title")?.ok_or_else(missing)?;
    if title.width() > TITLE {
        let why = format!("must be at most {TITLE} columns wide, and has {}", title.width());
        return Err(top.wrong("title", why));
    }
    let ids = GAMES.map(|entry| entry.id).join(", ");
    let game = top.text("game")?.ok_or_else(|| top.missing("game", &format!("one of {ids}")))?;
    let entry = catalogue::named_in_file(game).map_err(|why| top.wrong("game", why))?;
    let setup = setup(&top, entry)?.unwrap_or_default();
    let source = said(&top, "source")?;
    let form = "must be [[steps]], one for each step";
    let list = top.read_or("steps", form, DeValue::as_array)?.filter(|list| !list.is_empty());
    let list = list.ok_or_else(|| top.missing("steps", "the first [[steps]]"))?;
    if let Some(extra) = list.get(STEPS) {
        let why = format!("are too many: a lesson has at most {STEPS}");
        return Err(Fault::new(extra.span().start, "steps", &why));
    }
    let mut before = None;
    let mut steps = Vec::new();
    for item in list {
        let at = item.span().start;
        let table = item.get_ref().as_table().ok_or_else(|| Fault::new(at, "steps", form))?;
        let keys = TomlTable::new(table, at, "", &STEP)?;
        let (step, after) = step(&keys, entry, &setup, before, steps.is_empty())?;
        steps.push(step);
        before = after;
    }
    Ok(Lesson { name: name.to_owned(), title, entry, source, steps })
}

/// Parses a step that continues from `before`, and returns the board after the step. `before` and the returned board
/// are `None` if different tries lead to different boards.
fn step(
    keys: &TomlTable<'_>,
    entry: &'static GameEntry,
    of_lesson: &Setup,
    before: Option<Match>,
    is_first: bool,
) -> Result<(LessonStep, Option<Match>), Fault> {
    let own = setup(keys, entry)?;
    let moves = keys.text("moves")?.map(line_of);
    let board = (is_first || own.is_some() || moves.is_some()).then(|| PositionSpec {
        setup: own.unwrap_or_else(|| of_lesson.clone()),
        moves: moves.unwrap_or_default(),
    });
    let begins = match &board {
        Some(board) => {
            let game = start(keys, entry, &board.setup)?;
            Some(after(&game, &board.moves).map_err(|why| keys.wrong("moves", why))?)
        }
        None => before,
    };
    let tasks: Vec<&str> = TASKS.into_iter().filter(|key| keys.has(key)).collect();
    if let [first, second, ..] = tasks[..] {
        return Err(keys.wrong(second, format!("is not allowed: the step already has {first}")));
    }
    let needs_board = tasks.first().copied().or_else(|| keys.has("mark").then_some("mark"));
    if let (Some(key), None) = (needs_board, &begins) {
        let why = "needs moves in its step, since the step before can end in more than one way";
        return Err(keys.wrong(key, why));
    }
    let mut step = LessonStep {
        line: keys.at,
        text: said(keys, "text")?.ok_or_else(|| keys.missing("text", "what the step says"))?,
        board,
        value: keys.whole("value", -MAX_MARGIN..=MAX_MARGIN)?.map(|value| value as i32),
        mark: list(keys, "mark")?,
        notes: keys.flag("notes")?.unwrap_or(false),
        task: LessonTask::Read,
        right: said(keys, "right")?.unwrap_or_default(),
        wrong: Vec::new(),
        otherwise: said(keys, "otherwise")?.unwrap_or_default(),
    };
    let Some(game) = begins else { return Ok((step, None)) };
    for mv in &step.mark {
        game.check(mv).map_err(|why| keys.wrong("mark", format!("{mv}: {why}")))?;
    }
    let Some(&key) = tasks.first() else {
        return match WITH_A_TASK.into_iter().find(|key| keys.has(key)) {
            Some(key) => {
                let why = format!("needs a task: {}", either(&TASKS));
                Err(keys.wrong(key, why))
            }
            None => Ok((step, Some(game))),
        };
    };
    step.task = task(keys, key, &game)?;
    for key in ["right", "otherwise"] {
        if !keys.has(key) {
            return Err(keys.missing(key, "the reply to such an attempt"));
        }
    }
    step.wrong = wrong(keys, &game, &step.task)?;
    let ends = match &step.task {
        LessonTask::Play { lines, reply, .. } if lines.len() == 1 => {
            after(&game, &[&lines[0][..], reply].concat()).ok()
        }
        _ => None,
    };
    Ok((step, ends))
}

/// Parses the task for this position.
fn task(keys: &TomlTable<'_>, key: &str, game: &Match) -> Result<LessonTask, Fault> {
    if game.to_move().is_none() {
        return Err(keys.wrong(key, "asks for a move, but the match is over"));
    }
    if key != "play" && game.seats() != 2 {
        return Err(
            keys.wrong(key, "needs a match with two seats: values cannot be proven for more")
        );
    }
    for (other, of) in [("reply", "play"), ("only", "play"), ("margin", "win")] {
        if keys.has(other) && key != of {
            return Err(keys.wrong(other, format!("is only allowed in a step with {of}")));
        }
    }
    Ok(match key {
        "play" => {
            let (lines, reply) = (lines(keys, "play")?, words(keys, "reply")?);
            for line in &lines {
                let ends = one_turn(game, line).map_err(|why| keys.wrong("play", why))?;
                let replied = after(&ends, &reply);
                replied.map_err(|why| {
                    keys.wrong("reply", format!("after {}, {why}", line.join(" ")))
                })?;
            }
            LessonTask::Play { lines, reply, only: keys.flag("only")?.unwrap_or(false) }
        }
        "keep" => match keys.flag("keep")? {
            Some(true) => LessonTask::Keep,
            _ => return Err(keys.wrong("keep", "must be true, or be left out")),
        },
        "reach" => LessonTask::Reach(
            keys.whole("reach", -MAX_MARGIN..=MAX_MARGIN)?.unwrap_or_default() as i32,
        ),
        _ => match keys.text("win")? {
            Some("perfect") => {
                LessonTask::Win(keys.whole("margin", 1..=MAX_MARGIN)?.unwrap_or(1) as i32)
            }
            _ => {
                return Err(keys.wrong("win", "must be \"perfect\", the only opponent"));
            }
        },
    })
}

fn wrong(keys: &TomlTable<'_>, game: &Match, task: &LessonTask) -> Result<Vec<Wrong>, Fault> {
    let form = "must be [[steps.wrong]], one for each answer";
    let Some(list) = keys.read_or("wrong", form, DeValue::as_array)? else { return Ok(Vec::new()) };
    let read = |item: &TomlValue| {
        let at = item.span().start;
        let table = item.get_ref().as_table().ok_or_else(|| Fault::new(at, "wrong", form))?;
        let keys = TomlTable::new(table, at, "wrong.", &WRONG)?;
        let result = result(&keys, task)?;
        let lines = if result.is_some() { Vec::new() } else { lines(&keys, "moves")? };
        let reply = words(&keys, "reply")?;
        for line in &lines {
            if let LessonTask::Play { lines: right, .. } = task
                && right.iter().any(|right| right.starts_with(line))
            {
                return Err(keys.wrong(
                    "moves",
                    format!("{} is already listed as right under play", line.join(" ")),
                ));
            }
            let ends = one_turn(game, line).map_err(|why| keys.wrong("moves", why))?;
            let replied = after(&ends, &reply);
            replied
                .map_err(|why| keys.wrong("reply", format!("after {}, {why}", line.join(" "))))?;
        }
        let text = said(&keys, "text")?;
        let text = text.ok_or_else(|| keys.missing("text", "the reply to these moves"))?;
        Ok(Wrong { lines, result, text, reply })
    };
    list.iter().map(read).collect()
}

/// Parses the result to which a text applies, as an alternative to moves.
fn result(keys: &TomlTable<'_>, task: &LessonTask) -> Result<Option<MatchResult>, Fault> {
    let Some(text) = keys.text("result")? else { return Ok(None) };
    if let Some(key) = ["moves", "reply"].into_iter().find(|key| keys.has(key)) {
        return Err(keys.wrong(key, "cannot be combined with result"));
    }
    if !task.is_about_values() {
        return Err(keys.wrong(
            "result",
            "needs a step whose moves are proven; in a step with play, add `only = true`",
        ));
    }
    let found = MatchResult::ALL.into_iter().find(|(name, _)| *name == text);
    let unknown =
        || keys.wrong("result", format!("must be win, draw or loss, not {:?}", cut(text)));
    Ok(Some(found.ok_or_else(unknown)?.1))
}

fn setup(keys: &TomlTable<'_>, entry: &'static GameEntry) -> Result<Option<Setup>, Fault> {
    let Some(text) = keys.text("setup")? else { return Ok(None) };
    let setup = text.parse().map_err(|why: SetupError| keys.wrong("setup", format!("{why:#}")))?;
    start(keys, entry, &setup)?;
    Ok(Some(setup))
}

fn start(keys: &TomlTable<'_>, entry: &GameEntry, setup: &Setup) -> Result<Match, Fault> {
    (entry.start)(setup).map_err(|why| keys.wrong("setup", format!("{why:#}")))
}

/// Returns the match after these moves. The error names the first invalid move.
fn after(game: &Match, moves: &[String]) -> Result<Match, String> {
    let mut game = game.clone();
    for mv in moves {
        game.play(mv).map_err(|why| format!("{mv} cannot be played: {why}"))?;
    }
    Ok(game)
}

/// Checks that the moves belong to one turn, and returns the match after them.
fn one_turn(game: &Match, moves: &[String]) -> Result<Match, String> {
    let ends = after(game, moves)?;
    let made = &ends.moves()[game.ply()..];
    match made.iter().find(|(seat, _)| Some(*seat) != game.to_move()) {
        Some((_, mv)) => Err(format!("{mv} is the opponent's move; put it in reply")),
        None => Ok(ends),
    }
}

/// Parses a list of lines, each with at least one move.
fn lines(keys: &TomlTable<'_>, key: &str) -> Result<Vec<Line>, Fault> {
    let lines: Vec<Line> = list(keys, key)?.iter().map(|text| line_of(text)).collect();
    if lines.is_empty() || lines.iter().any(Vec::is_empty) {
        return Err(keys.wrong(key, LIST));
    }
    Ok(lines)
}

const LIST: &str = "must be a list of texts with moves, such as [\"H0,0\", \"V1,1 V1,2\"]";

fn list(keys: &TomlTable<'_>, key: &str) -> Result<Vec<String>, Fault> {
    let texts = |value: &DeValue| {
        let texts = value.as_array()?.iter().map(|item| item.get_ref().as_str());
        texts.map(|text| text.map(str::to_owned)).collect()
    };
    Ok(keys.read_or(key, LIST, texts)?.unwrap_or_default())
}

fn words(keys: &TomlTable<'_>, key: &str) -> Result<Line, Fault> {
    Ok(keys.text(key)?.map(line_of).unwrap_or_default())
}

fn line_of(text: &str) -> Line {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Parses a text of a step and joins its lines.
fn said(keys: &TomlTable<'_>, key: &str) -> Result<Option<String>, Fault> {
    let room = format!("{LINES} lines of {COLUMNS} columns");
    let Some(text) = one_line(keys, key)? else { return Ok(None) };
    if rows(&text) > LINES {
        return Err(
            keys.wrong(key, format!("does not fit into {room}; shorten it or split the step"))
        );
    }
    Ok(Some(text))
}

/// Parses a nonempty, printable text with a single line.
fn one_line(keys: &TomlTable<'_>, key: &str) -> Result<Option<String>, Fault> {
    let Some(text) = keys.text(key)? else { return Ok(None) };
    let text = printable(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned();
    if text.is_empty() { Err(keys.wrong(key, "must not be empty")) } else { Ok(Some(text)) }
}

/// Returns the number of rows that a text takes when it is wrapped between words.
fn rows(text: &str) -> usize {
    let (mut rows, mut used) = (1, 0);
    for word in text.split(' ') {
        let width = word.width();
        used = if used == 0 { width } else { used + 1 + width };
        if used > COLUMNS {
            (rows, used) = (rows + width.div_ceil(COLUMNS), width);
        }
    }
    rows
}
