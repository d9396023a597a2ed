//! The layers, checked in the sources: a module depends only on lower layers, and the app has no side effects. The
//! crates of the rules and the search enforce their own restrictions.
//!
//! This test reads the paths in the code, with `use` trees expanded and `super` resolved; comments, strings and test
//! items are ignored.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::fs;
use std::path::Path;

/// From the bottom up. `main.rs` is above all. The first two are crates.
const LAYERS: [&str; 26] = [
    "rules",
    "search",
    "printable",
    "action",
    "wording",
    "toml_file",
    "session",
    "store",
    "engine",
    "words",
    "catalogue",
    "play",
    "puzzles",
    "arena",
    "scene",
    "board",
    "picture",
    "settings",
    "view",
    "tui",
    "app",
    "text_ui",
    "platform",
    "net",
    "front_end",
    "cli",
];

/// Paths that `session`, `view` and `tui` leave to the store, and `app`, `net`, `text_ui` and `play` to some of their
/// modules: the app's runtime, the sockets, the loop of the text front end, and the engine threads. Other layers may
/// use these paths. Durations are allowed, the current time is not.
const LEFT_TO_THE_RUNTIME: [&str; 11] = [
    "std::fs",
    "std::io",
    "std::thread",
    "std::time",
    "ratatui::Terminal",
    "ratatui::DefaultTerminal",
    "ratatui::backend",
    "ratatui::init",
    "ratatui::restore",
    "ratatui::run",
    "signal_hook",
];

/// The commands without a screen and their shared modules. None of these may use a screen.
const WITHOUT_A_SCREEN: [&str; 21] = [
    "cli/census",
    "cli/engine",
    "cli/judge",
    "cli/perft",
    "cli/rules",
    "cli/show",
    "cli/solve",
    "platform/calendar",
    "platform/config_file",
    "platform/file",
    "platform/folders",
    "platform/keeper",
    "platform/listing",
    "platform/old_records",
    "platform/progress",
    "platform/seats",
    "platform/seed",
    "platform/stop_signal",
    "platform/terminal",
    "platform/themes",
    "net",
];

const SCREENS: [&str; 6] = ["app", "board", "front_end", "text_ui", "tui", "view"];

const PURE_HALF_OF_NET: [&str; 7] =
    ["follower", "hub", "identity", "names", "opening", "protocol", "seating"];

/// Paths forbidden in the pure half of `net` besides [`LEFT_TO_THE_RUNTIME`].
const SOCKETS_AND_PROCESSES: [&str; 6] =
    ["std::net", "std::os", "std::process", "rustix", "anyhow", "crate::platform"];

/// The only file that reads files.
const READER: &str = "store/read.rs";

/// Functions that open a file for reading, or read a source of unbounded length.
const READING: [&str; 8] = [
    "File::open",
    "File::options",
    "OpenOptions",
    "OpenOptions::new",
    "fs::read",
    "fs::read_to_string",
    "read_to_end",
    "read_to_string",
];

/// The files that write to stderr: `platform::say`, which filters escape sequences, the progress line, and the
/// supervisor of external engines, whose stderr is a channel to its parent.
const SPEAKERS: [&str; 3] =
    ["platform/mod.rs", "platform/progress.rs", "play/program/supervisor.rs"];

/// The only module that names keys, except those that decode terminal input.
const KEYS: &str = "action";

/// The only file that removes files. It also syncs the directory, so that removals are durable.
const REMOVER: &str = "store/disk.rs";

const REMOVING: [&str; 3] = ["fs::remove_file", "fs::remove_dir", "fs::remove_dir_all"];

/// Returns the faults of one source file, such as forbidden paths. `file` is its path below `src`.
fn wrong(file: &str, source: &str) -> Vec<String> {
    let module = module(file);
    let tokens = without_tests(&tokens(source));
    let top = module.first().map_or("", String::as_str);
    let inner = module.get(1).map_or("", String::as_str);
    let place = |name: &str| LAYERS.iter().position(|layer| *layer == name);

    let is_above = |path: &[String]| match path {
        [root, name, ..] if root == "crate" && !top.is_empty() => {
            place(name).is_none_or(|other| place(top).is_some_and(|own| own < other))
        }
        _ => false,
    };
    let has_effects = |path: &[String]| {
        let pure = match top {
            "app" => !inner.starts_with("runtime"),
            "text_ui" => inner != "console" && inner != "input",
            "play" => {
                let impure = ["catch", "engines", "exit_reason", "handle", "job_control", "output"];
                !impure.contains(&inner) && !["program", "wakers", "worker"].contains(&inner)
            }
            "net" => PURE_HALF_OF_NET.contains(&inner),
            "session" | "tui" | "view" => true,
            _ => false,
        };
        let is_length = path == ["std", "time", "Duration"];
        pure && !is_length && (is_among(path, &LEFT_TO_THE_RUNTIME) || drives_a_terminal(path))
    };
    let leaves_the_pure_half = |path: &[String]| {
        let is_impure_sibling = match path {
            [root, net, name, ..] if root == "crate" && net == "net" => {
                name.starts_with(char::is_lowercase) && !PURE_HALF_OF_NET.contains(&&**name)
            }
            _ => false,
        };
        top == "net"
            && PURE_HALF_OF_NET.contains(&inner)
            && (is_impure_sibling || is_among(path, &SOCKETS_AND_PROCESSES))
    };
    let reads_or_removes = |path: &[String]| {
        let does =
            |name: &str| path.ends_with(&name.split("::").map(str::to_owned).collect::<Vec<_>>());
        (file != READER && READING.iter().any(|name| does(name)))
            || (file != REMOVER && REMOVING.iter().any(|name| does(name)))
    };
    let speaks = |path: &[String]| {
        let stderr = path.ends_with(&["io", "stderr"].map(str::to_owned));
        stderr && !SPEAKERS.contains(&file)
    };
    let uses_a_screen = |path: &[String]| {
        let screen =
            matches!(path, [root, name, ..] if root == "crate" && SCREENS.contains(&&**name));
        let is_in = |room: &&str| {
            let rest = file.strip_prefix(*room);
            rest.is_some_and(|rest| rest.starts_with('/') || rest == ".rs")
        };
        screen && WITHOUT_A_SCREEN.iter().any(is_in)
    };
    let knows_another_screen = |path: &[String]| match path {
        [root, app, other, .., name] if root == "crate" && app == "app" => {
            top == "app"
                && ![other, "navigation"].contains(&inner)
                && name.ends_with("Screen")
                && name != "Screen"
        }
        _ => false,
    };
    let is_key = |path: &[String]| {
        let keys = ["crossterm", "event", "KeyCode"];
        path.starts_with(&keys.map(str::to_owned)) && top != KEYS && inner != "runtime"
    };
    let is_untyped = |path: &[String]| {
        path[0] == "anyhow" && !["", "platform", "net", "front_end", "cli"].contains(&top)
    };

    let mut wrong: Vec<String> = paths(&tokens, &module)
        .iter()
        .filter(|path| {
            is_above(path)
                || has_effects(path)
                || leaves_the_pure_half(path)
                || is_untyped(path)
                || reads_or_removes(path)
                || speaks(path)
                || uses_a_screen(path)
                || knows_another_screen(path)
                || is_key(path)
        })
        .map(|path| path.join("::"))
        .collect();
    if !top.is_empty() && place(top).is_none() {
        wrong.push(format!("{file} is in no layer"));
    }
    wrong
}

/// Returns whether a path starts with one of those named, or imports one with a glob.
fn is_among(path: &[String], named: &[&str]) -> bool {
    named.iter().any(|name| {
        let mut segments = path.iter();
        name.split("::")
            .all(|part| segments.next().is_some_and(|segment| segment == part || segment == "*"))
    })
}

/// The app may use the keys of crossterm, but none of its input or output.
fn drives_a_terminal(path: &[String]) -> bool {
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let (["crossterm", path @ ..] | ["ratatui", "crossterm", path @ ..]) = &path[..] else {
        return false;
    };
    match path {
        ["event", name, ..] => matches!(*name, "read" | "poll" | "*"),
        ["event"] => false,
        _ => true,
    }
}

/// Returns the module path of a file, from the crate root: empty for `lib.rs` and `main.rs`.
fn module(file: &str) -> Vec<String> {
    let name = file.strip_suffix(".rs").expect("a source file");
    let mut module: Vec<String> = name.split('/').map(str::to_owned).collect();
    if module.last().is_some_and(|last| last == "mod") || matches!(name, "lib" | "main") {
        module.pop();
    }
    module
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Tokenizes the source into words, `::`, and other characters, without comments and literals.
fn tokens(source: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    flatten(source.parse().unwrap(), &mut tokens);
    tokens
}

fn flatten(stream: TokenStream, tokens: &mut Vec<String>) {
    let mut stream = stream.into_iter();
    while let Some(token) = stream.next() {
        match token {
            TokenTree::Ident(word) => tokens.push(word.to_string()),
            TokenTree::Punct(colon)
                if colon.as_char() == ':' && colon.spacing() == Spacing::Joint =>
            {
                stream.next();
                tokens.push("::".to_owned());
            }
            TokenTree::Punct(other) => tokens.push(other.to_string()),
            TokenTree::Group(group) => {
                let [open, close] = match group.delimiter() {
                    Delimiter::Parenthesis => ["(", ")"],
                    Delimiter::Brace => ["{", "}"],
                    Delimiter::Bracket => ["[", "]"],
                    Delimiter::None => ["", ""],
                };
                tokens.push(open.to_owned());
                flatten(group.stream(), tokens);
                tokens.push(close.to_owned());
            }
            TokenTree::Literal(_) => {}
        }
    }
}

/// Removes items marked `#[cfg(test)]`.
fn without_tests(tokens: &[String]) -> Vec<String> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at..].iter().take(MARK.len()).eq(&MARK) {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        }
        let mut depth = 0;
        for token in &tokens[at + MARK.len()..] {
            at += 1;
            match &**token {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 && matches!(&**token, "}" | ";") {
                break;
            }
        }
        at += MARK.len();
    }
    kept
}

/// Returns all paths in the tokens, with trees expanded; those within the crate start at its root. The tokens
/// `super::{a, super::b::*}` in module `x::y` name `crate::x::a` and `crate::b::*`.
fn paths(tokens: &[String], module: &[String]) -> Vec<Vec<String>> {
    let mut module = module.to_vec();
    // The depth of braces, and the depth at which each inline module ends.
    let (mut depth, mut inline) = (0, Vec::new());
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at..] {
            [mark, name, brace, ..] if mark == "mod" && brace == "{" => {
                inline.push(depth);
                module.push(name.clone());
                at += 2;
            }
            [brace, ..] if brace == "{" => {
                depth += 1;
                at += 1;
            }
            [brace, ..] if brace == "}" => {
                depth -= 1;
                if inline.last() == Some(&depth) {
                    inline.pop();
                    module.pop();
                }
                at += 1;
            }
            [other, ..] if !other.starts_with(is_word) => at += 1,
            _ => {
                let mut tree = Vec::new();
                at = expand(tokens, at, &[], &mut tree);
                paths.extend(tree.into_iter().map(|path| absolute(path, &module)));
            }
        }
    }
    paths
}

/// Parses one path or tree of paths from `at`, and returns its end.
fn expand(tokens: &[String], mut at: usize, stem: &[String], out: &mut Vec<Vec<String>>) -> usize {
    let token = |at: usize| tokens.get(at).map_or("", String::as_str);
    let mut path = stem.to_vec();
    loop {
        match token(at) {
            "{" if !path.is_empty() => {
                at += 1;
                while !matches!(token(at), "}" | "") {
                    at = expand(tokens, at, &path, out);
                    // Past a comma, or `as` and a name.
                    while !matches!(token(at), "}" | "") && token(at - 1) != "," {
                        at += 1;
                    }
                }
                return at + 1;
            }
            word => path.push(word.to_owned()),
        }
        at += 1;
        let goes_on = token(at + 1).starts_with(|c| is_word(c) || c == '{' || c == '*');
        if token(at) != "::" || !goes_on {
            out.push(path);
            return at;
        }
        at += 1;
    }
}

/// Resolves a path that starts with `self` or `super` from the crate root.
fn absolute(path: Vec<String>, module: &[String]) -> Vec<String> {
    let ups = path.iter().take_while(|segment| *segment == "super" || *segment == "self").count();
    if ups == 0 {
        return path;
    }
    let supers = path[..ups].iter().filter(|segment| *segment == "super").count();
    let above = &module[..module.len().saturating_sub(supers)];
    let root = std::iter::once("crate".to_owned());
    root.chain(above.iter().cloned()).chain(path[ups..].iter().cloned()).collect()
}

/// Collects every source file below a directory: its path below `src` and its text.
fn sources(directory: &Path, out: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix("src").unwrap().to_str().unwrap().replace('\\', "/");
            out.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn modules_import_only_lower_layers() {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    assert!(files.iter().any(|(name, _)| name == "session/mod.rs"));
    for (file, source) in &files {
        assert_eq!(wrong(file, source), [""; 0], "src/{file}");
    }
}

/// Tests the test above.
#[test]
fn layer_check_finds_violations() {
    let cases = [
        // A higher layer, in every spelling.
        ("toml_file/quixo.rs", "use crate::session::Match;", "crate::session::Match"),
        ("action/mod.rs", "use crate::wording::cut;", "crate::wording::cut"),
        ("toml_file/quixo.rs", "use crate::{rules::Game, board as b};", "crate::board"),
        ("toml_file/quixo.rs", "fn f() -> crate::app::App { todo!() }", "crate::app::App"),
        ("toml_file/quixo.rs", "type T = <u8 as crate::app::App>::T;", "crate::app::App"),
        ("toml_file/a/b.rs", "use super::super::super::app::App;", "crate::app::App"),
        ("toml_file/mod.rs", "mod a { use super::super::cli; }", "crate::cli"),
        ("toml_file/mod.rs", "use super::{rules::Game, app};", "crate::app"),
        ("toml_file/mod.rs", "use super::*;", "crate::*"),
        ("session/game/mod.rs", "use crate::catalogue;", "crate::catalogue"),
        ("catalogue.rs", "use crate::cli::run;", "crate::cli::run"),
        ("app/mod.rs", "use crate::cli::run;", "crate::cli::run"),
        ("text_ui/console.rs", "use crate::platform::say;", "crate::platform::say"),
        ("platform/play.rs", "use crate::cli::usage;", "crate::cli::usage"),
        ("board/mod.rs", "use crate::helpers::help;", "crate::helpers::help"),
        ("helpers.rs", "", "helpers.rs is in no layer"),
        // After tests, which may name anything.
        ("session/a.rs", "#[cfg(test)] mod tests { fn f() {} } use crate::app;", "crate::app"),
        ("session/a.rs", "#[cfg(test)] use a::b; use crate::app;", "crate::app"),
        // Left to the app's runtime.
        ("app/a.rs", "use std::time::{Duration, Instant};", "std::time::Instant"),
        ("app/a.rs", "use std::time;", "std::time"),
        ("text_ui/commands.rs", "use std::io::stdout;", "std::io::stdout"),
        ("play/conduct.rs", "use std::time::Instant;", "std::time::Instant"),
        ("app/a.rs", "use ratatui::{Frame, DefaultTerminal};", "ratatui::DefaultTerminal"),
        ("app/a.rs", "use crossterm::execute;", "crossterm::execute"),
        (
            "app/a.rs",
            "use ratatui::crossterm::event::{Event, read};",
            "ratatui::crossterm::event::read",
        ),
        // Another screen.
        ("app/home.rs", "use super::setup::SetupScreen;", "crate::app::setup::SetupScreen"),
        (
            "app/replay/status.rs",
            "use crate::app::match_screen::MatchScreen;",
            "crate::app::match_screen::MatchScreen",
        ),
        // Left to the store, and to the caller that passes the time.
        ("session/mod.rs", "use std::fs::File;", "std::fs::File"),
        (
            "session/record/mod.rs",
            "fn f() { std::time::Instant::now(); }",
            "std::time::Instant::now",
        ),
        // Screens in commands without a screen.
        ("cli/show.rs", "use crate::board::Table;", "crate::board::Table"),
        ("cli/solve/text.rs", "use crate::app::App;", "crate::app::App"),
        (
            "cli/rules.rs",
            "use crate::front_end::disk_host::run;",
            "crate::front_end::disk_host::run",
        ),
        ("platform/file.rs", "use crate::board::Viewer;", "crate::board::Viewer"),
        // Side effects in the pure half of `net`.
        ("net/hub/mod.rs", "use crate::net::peer::Peer;", "crate::net::peer::Peer"),
        (
            "net/follower.rs",
            "use std::os::unix::net::UnixStream;",
            "std::os::unix::net::UnixStream",
        ),
        ("net/protocol.rs", "use std::time::Instant;", "std::time::Instant"),
        ("net/opening.rs", "use crate::platform::say;", "crate::platform::say"),
        // Screens below the front ends.
        ("net/server.rs", "use crate::app::App;", "crate::app::App"),
        ("platform/keeper.rs", "use crate::text_ui::run;", "crate::text_ui::run"),
        ("app/home.rs", "use crate::net::Hub;", "crate::net::Hub"),
        ("net/lobby.rs", "use crate::front_end::replay;", "crate::front_end::replay"),
        // Reading outside the only allowed place.
        ("cli/a.rs", "fn f() { std::fs::read(\"a\"); }", "std::fs::read"),
        ("cli/a.rs", "use std::fs::read_to_string as r;", "std::fs::read_to_string"),
        ("store/a.rs", "fn f() { File::open(\"a\"); }", "File::open"),
        ("session/a.rs", "fn f() { OpenOptions::new(); }", "OpenOptions::new"),
        ("session/a.rs", "fn f(mut x: File) { x.read_to_end(&mut y); }", "read_to_end"),
        // Unfiltered output to the user.
        ("cli/a.rs", "fn f() { writeln!(std::io::stderr(), \"a\"); }", "std::io::stderr"),
        // Removing outside the only allowed place.
        ("store/a.rs", "fn f() { fs::remove_file(\"a\"); }", "fs::remove_file"),
        // Keys outside the list.
        ("app/a.rs", "use crossterm::event::KeyCode::*;", "crossterm::event::KeyCode::*"),
        ("board/a.rs", "use crossterm::event::{KeyCode, KeyEvent};", "crossterm::event::KeyCode"),
        // Untyped errors.
        ("board/a.rs", "fn f() -> anyhow::Result<()> { Ok(()) }", "anyhow::Result"),
        ("app/runtime/a.rs", "use anyhow::anyhow;", "anyhow::anyhow"),
    ];
    for (file, source, path) in cases {
        assert_eq!(wrong(file, source), [path], "{file}: {source}");
    }
}

#[test]
fn layer_check_accepts_valid_imports() {
    let cases = [
        ("main.rs", "use anyhow::Result; use quadrille::cli;"),
        ("lib.rs", "pub mod app;"),
        (
            "cli/show.rs",
            "use crate::{engine as e, catalogue::{self, find}}; use anyhow::{Context, bail};",
        ),
        (
            "toml_file/a/b.rs",
            "use super::{c, super::Game}; use crate::rules::*; pub(super) fn f() {}",
        ),
        ("toml_file/mod.rs", "pub(crate) use self::a::A; mod b { use super::a::B; }"),
        ("toml_file/a.rs", "use std::fmt::{self, Write}; use std::collections::HashMap;"),
        ("toml_file/a.rs", "// use crate::app;\n/* std::io */ /// [`crate::app`]\nfn f() {}"),
        ("toml_file/a.rs", "const A: &str = \"crate::app\"; const B: &str = r\"std::io\";"),
        ("toml_file/a.rs", "#[cfg(test)] mod tests { use crate::app; fn f() {} }"),
        ("toml_file/a.rs", "#[cfg(test)]\n#[allow(x)]\nfn f() {}\nuse crate::wording;"),
        ("app/runtime.rs", "use std::{io, thread, time::Instant}; use crossterm::execute;"),
        ("app/runtime/jobs.rs", "use std::thread; use ratatui::DefaultTerminal;"),
        ("app/a.rs", "use crossterm::event::{Event, KeyEvent}; use ratatui::Frame;"),
        ("app/runtime/a.rs", "use crossterm::event::KeyCode;"),
        ("action/mod.rs", "use crossterm::event::KeyCode;"),
        ("app/a.rs", "use std::time::Duration; fn f(x: std::time::Duration) {}"),
        ("store/read.rs", "fn f() { File::open(\"a\").read_to_end(&mut b); }"),
        ("store/a.rs", "fn f() { File::create(\"a\"); fs::read_dir(\"b\"); }"),
        ("store/disk.rs", "fn f() { std::fs::remove_file(\"a\"); }"),
        ("store/a.rs", "use std::{fs, io, time}; use jiff::Zoned; use crate::rules::Game;"),
        ("cli/replay.rs", "use crate::app::OpenRecord;"),
        ("front_end/disk_host.rs", "use crate::app::App; use anyhow::Context; use std::fs;"),
        ("session/step.rs", "use std::time::Duration;"),
        ("net/link.rs", "use std::os::unix::net::UnixStream; use super::peer::Peer;"),
        ("net/hub/mod.rs", "use super::protocol::Hello; use crate::net::SILENCE;"),
    ];
    for (file, source) in cases {
        assert_eq!(wrong(file, source), [""; 0], "{file}: {source}");
    }
}
