//! What neither cargo nor clippy can enforce, checked in the sources: the order of the modules of the game, which
//! screens and commands know each other, who reads, removes and syncs files, and who knows the system. Cargo enforces
//! the order of the crates, and their clippy.toml files keep values free of side effects.
//!
//! This test reads the paths in the code, with `use` trees expanded and `super` resolved; comments, strings and test
//! items are ignored.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use std::fs;
use std::path::Path;

/// The modules of the game, from the bottom up. `main.rs` is above all.
const LAYERS: [&str; 11] = [
    "action",
    "board",
    "picture",
    "field",
    "settings",
    "view",
    "tui",
    "app",
    "text_ui",
    "front_end",
    "cli",
];

/// The commands without a screen. None of these may use a screen.
const WITHOUT_A_SCREEN: [&str; 8] = [
    "cli/census",
    "cli/engine",
    "cli/judge",
    "cli/perft",
    "cli/progress",
    "cli/rules",
    "cli/show",
    "cli/solve",
];

const SCREENS: [&str; 6] = ["app", "board", "front_end", "text_ui", "tui", "view"];

/// The modules of `quadrille-net` without sockets, which know none with sockets.
const PURE_HALF_OF_NET: [&str; 9] =
    ["agenda", "follower", "hub", "identity", "names", "opening", "protocol", "seating", "waiting"];

/// The only file that reads files, and those that have the systems' flags for that and open lock files.
const READER: &str = "crates/system/src/read.rs";
const FLAGS: [&str; 3] = [
    "crates/system/src/unix/files.rs",
    "crates/system/src/windows/files.rs",
    "crates/system/src/windows/lock.rs",
];

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

/// The files that write to stderr: `printable::say`, which filters escape sequences, the progress line, and the
/// supervisor of external engines (on Windows also its part in `system`), whose stderr is a channel to its parent.
const SPEAKERS: [&str; 4] = [
    "crates/system/src/windows/processes.rs",
    "crates/table/src/play/program/supervisor.rs",
    "crates/text/src/printable.rs",
    "src/cli/progress.rs",
];

/// The only crates that know on which system they run. The folders `unix` and `windows` of the first have the libraries
/// for that, and the second has what no library offers.
const SYSTEM: [&str; 2] = ["crates/system/", "crates/windows/"];

/// The other file that may ask: it wants huge pages, in a crate that depends on no other crate but the rules.
const HUGE_PAGES: &str = "crates/search/src/shared_table.rs";

/// Libraries for one system, and what a condition for one system names.
const OF_ONE_SYSTEM: [&str; 7] =
    ["libc", "nix", "quadrille_windows", "rustix", "signal_hook", "winapi_util", "windows_sys"];
const CONDITIONS: [&str; 6] =
    ["unix", "windows", "target_os", "target_family", "target_vendor", "target_env"];

/// The only module that names keys, except those that decode terminal input.
const KEYS: &str = "action";

/// The only file that removes and syncs files. Its tests observe all syncs.
const KEEPER: &str = "crates/system/src/disk.rs";

const KEEPING: [&str; 5] =
    ["fs::remove_file", "fs::remove_dir", "fs::remove_dir_all", "sync_all", "sync_data"];

/// Returns the forbidden paths of one source file.
fn wrong(file: &str, source: &str) -> Vec<String> {
    let (package, path) = file.split_once("src/").expect("a source file");
    let module = module(path);
    let (is_game, is_net) = (package.is_empty(), package == "crates/net/");
    let top = module.first().map_or("", String::as_str);
    let inner = module.get(1).map_or("", String::as_str);
    let place = |name: &str| LAYERS.iter().position(|layer| *layer == name);

    let is_above = |path: &[String]| match path {
        [root, name, ..] if is_game && root == "crate" && !top.is_empty() => {
            place(name).is_none_or(|other| place(top).is_some_and(|own| own < other))
        }
        _ => false,
    };
    let leaves_the_pure_half = |path: &[String]| match path {
        [root, name, ..] if is_net && root == "crate" && PURE_HALF_OF_NET.contains(&top) => {
            name.starts_with(char::is_lowercase) && !PURE_HALF_OF_NET.contains(&&**name)
        }
        _ => false,
    };
    let reads_or_keeps = |path: &[String]| {
        let does =
            |name: &str| path.ends_with(&name.split("::").map(str::to_owned).collect::<Vec<_>>());
        (file != READER && !FLAGS.contains(&file) && READING.iter().any(|name| does(name)))
            || (file != KEEPER && KEEPING.iter().any(|name| does(name)))
    };
    let speaks = |path: &[String]| {
        let stderr = path.ends_with(&["io", "stderr"].map(str::to_owned));
        stderr && !SPEAKERS.contains(&file)
    };
    let uses_a_screen = |used: &[String]| {
        let screen =
            matches!(used, [root, name, ..] if root == "crate" && SCREENS.contains(&&**name));
        let is_in = |room: &&str| {
            let rest = path.strip_prefix(*room);
            rest.is_some_and(|rest| rest.starts_with('/') || rest == ".rs")
        };
        is_game && screen && WITHOUT_A_SCREEN.iter().any(is_in)
    };
    let knows_another_screen = |path: &[String]| match path {
        [root, app, other, .., name] if root == "crate" && app == "app" => {
            is_game
                && top == "app"
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
    let may_know_the_system = SYSTEM.iter().any(|it| file.starts_with(it)) || file == HUGE_PAGES;
    let knows_the_system = |path: &[String]| {
        let is_of_one = OF_ONE_SYSTEM.contains(&&*path[0]);
        let is_std = path.starts_with(&["std", "os"].map(str::to_owned));
        !may_know_the_system && (is_of_one || is_std)
    };
    let is_untyped = |path: &[String]| {
        is_game && path[0] == "anyhow" && !["", "front_end", "cli"].contains(&top)
    };

    let tokens = without_tests(&tokens(source));
    let mut wrong: Vec<String> = paths(&tokens, &module)
        .iter()
        .filter(|path| {
            is_above(path)
                || leaves_the_pure_half(path)
                || is_untyped(path)
                || reads_or_keeps(path)
                || speaks(path)
                || uses_a_screen(path)
                || knows_another_screen(path)
                || is_key(path)
                || knows_the_system(path)
        })
        .map(|path| path.join("::"))
        .collect();
    if !may_know_the_system {
        wrong.extend(conditions(&tokens).filter(|word| CONDITIONS.contains(&&**word)));
    }
    if is_game && !top.is_empty() && place(top).is_none() {
        wrong.push(format!("{file} is in no layer"));
    }
    wrong
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

/// Removes items marked `#[cfg(test)]` or `#[cfg(all(test, …))]`.
fn without_tests(tokens: &[String]) -> Vec<String> {
    const MARKS: [&[&str]; 2] =
        [&["#", "[", "cfg", "(", "test", ")"], &["#", "[", "cfg", "(", "all", "(", "test", ","]];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let rest = &tokens[at..];
        let is_test = MARKS.iter().any(|mark| rest.iter().take(mark.len()).eq(*mark));
        let Some(end) = rest.iter().position(|token| token == "]").filter(|_| is_test) else {
            kept.push(tokens[at].clone());
            at += 1;
            continue;
        };
        at += end + 1;
        let mut depth = 0;
        while at < tokens.len() {
            let token = &*tokens[at];
            at += 1;
            match token {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ => {}
            }
            if depth == 0 && matches!(token, "}" | ";") {
                break;
            }
        }
    }
    kept
}

/// Returns the words in the parentheses of each `cfg`, `cfg_attr` and `cfg!`.
fn conditions(tokens: &[String]) -> impl Iterator<Item = String> {
    let starts = (0..tokens.len()).filter(|at| matches!(&*tokens[*at], "cfg" | "cfg_attr"));
    starts.flat_map(|start| {
        let mut depth = 0;
        let is_inside = move |word: &&String| {
            match &***word {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            depth > 0 || &***word == "!"
        };
        tokens[start + 1..].iter().take_while(is_inside).cloned().collect::<Vec<_>>()
    })
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

/// Collects every source file below a directory: its path and its text.
pub fn sources(directory: &Path, out: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.to_str().unwrap().replace('\\', "/");
            out.push((name, fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn modules_import_only_lower_layers() {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    for package in fs::read_dir("crates").unwrap() {
        sources(&package.unwrap().path().join("src"), &mut files);
    }
    assert!(files.iter().any(|(name, _)| name == READER));
    for (file, source) in &files {
        assert_eq!(wrong(file, source), [""; 0], "{file}");
    }
}

/// Tests the test above.
#[test]
fn layer_check_finds_violations() {
    let cases = [
        // A higher layer, in every spelling.
        ("src/board/quixo.rs", "use crate::view::View;", "crate::view::View"),
        ("src/board/quixo.rs", "use crate::{action::Key, app as b};", "crate::app"),
        ("src/board/quixo.rs", "fn f() -> crate::app::App { todo!() }", "crate::app::App"),
        ("src/board/quixo.rs", "type T = <u8 as crate::app::App>::T;", "crate::app::App"),
        ("src/board/a/b.rs", "use super::super::super::app::App;", "crate::app::App"),
        ("src/board/mod.rs", "mod a { use super::super::cli; }", "crate::cli"),
        ("src/board/mod.rs", "use super::{action::Key, app};", "crate::app"),
        ("src/board/mod.rs", "use super::*;", "crate::*"),
        ("src/app/mod.rs", "use crate::cli::run;", "crate::cli::run"),
        ("src/board/mod.rs", "use crate::helpers::help;", "crate::helpers::help"),
        ("src/helpers.rs", "", "src/helpers.rs is in no layer"),
        // After tests, which may name anything.
        ("src/board/a.rs", "#[cfg(test)] mod tests { fn f() {} } use crate::app;", "crate::app"),
        ("src/board/a.rs", "#[cfg(test)] use a::b; use crate::app;", "crate::app"),
        // Another screen.
        ("src/app/home.rs", "use super::setup::SetupScreen;", "crate::app::setup::SetupScreen"),
        (
            "src/app/replay/status.rs",
            "use crate::app::match_screen::MatchScreen;",
            "crate::app::match_screen::MatchScreen",
        ),
        // Screens in commands without a screen.
        ("src/cli/show.rs", "use crate::board::Table;", "crate::board::Table"),
        ("src/cli/solve/text.rs", "use crate::app::App;", "crate::app::App"),
        ("src/cli/rules.rs", "use crate::front_end::run;", "crate::front_end::run"),
        // Sockets in the pure half of `net`.
        ("crates/net/src/hub/mod.rs", "use crate::peer::Peer;", "crate::peer::Peer"),
        ("crates/net/src/protocol.rs", "use super::link::Link;", "crate::link::Link"),
        // Reading outside the only allowed place.
        ("src/cli/a.rs", "fn f() { std::fs::read(\"a\"); }", "std::fs::read"),
        ("src/cli/a.rs", "use std::fs::read_to_string as r;", "std::fs::read_to_string"),
        ("crates/match/src/store/a.rs", "fn f() { File::open(\"a\"); }", "File::open"),
        ("crates/match/src/a.rs", "fn f() { OpenOptions::new(); }", "OpenOptions::new"),
        ("crates/match/src/a.rs", "fn f(mut x: File) { x.read_to_end(&mut y); }", "read_to_end"),
        // Unfiltered output to the user.
        ("src/cli/a.rs", "fn f() { writeln!(std::io::stderr(), \"a\"); }", "std::io::stderr"),
        // Removing and syncing outside the only allowed place.
        ("crates/match/src/a.rs", "fn f() { fs::remove_file(\"a\"); }", "fs::remove_file"),
        ("crates/match/src/a.rs", "fn f(x: File) { x.sync_data(); }", "sync_data"),
        // Keys outside the list.
        ("src/app/a.rs", "use crossterm::event::KeyCode::*;", "crossterm::event::KeyCode::*"),
        (
            "src/board/a.rs",
            "use crossterm::event::{KeyCode, KeyEvent};",
            "crossterm::event::KeyCode",
        ),
        // The system outside the only crate that knows it.
        ("src/cli/a.rs", "#[cfg(unix)] fn f() {}", "unix"),
        (
            "crates/net/src/link.rs",
            "fn f() { if cfg!(not(target_os = \"linux\")) {} }",
            "target_os",
        ),
        ("crates/match/src/a.rs", "#![cfg_attr(windows, allow(x))]", "windows"),
        ("crates/search/src/memory.rs", "#[cfg(all(a, unix))] mod a;", "unix"),
        (
            "crates/table/src/a.rs",
            "use std::os::unix::net::UnixStream;",
            "std::os::unix::net::UnixStream",
        ),
        ("crates/table/src/a.rs", "use rustix::process::Pid;", "rustix::process::Pid"),
        ("crates/net/src/link.rs", "fn f() { libc::getuid(); }", "libc::getuid"),
        ("src/cli/a.rs", "use signal_hook::flag;", "signal_hook::flag"),
        ("src/cli/a.rs", "use nix::unistd;", "nix::unistd"),
        ("src/cli/a.rs", "use windows_sys::core::BOOL;", "windows_sys::core::BOOL"),
        // Untyped errors.
        ("src/board/a.rs", "fn f() -> anyhow::Result<()> { Ok(()) }", "anyhow::Result"),
        ("src/app/runtime/a.rs", "use anyhow::anyhow;", "anyhow::anyhow"),
    ];
    for (file, source, path) in cases {
        assert_eq!(wrong(file, source), [path], "{file}: {source}");
    }
}

#[test]
fn layer_check_accepts_valid_imports() {
    let cases = [
        ("src/main.rs", "use anyhow::Result; use quadrille::cli;"),
        ("src/lib.rs", "pub mod app;"),
        (
            "src/cli/show.rs",
            "use crate::{settings as e, picture::{self, file}}; use anyhow::{Context, bail};",
        ),
        ("src/board/a/b.rs", "use super::{c, super::Game}; pub(super) fn f() {}"),
        ("src/board/mod.rs", "pub(crate) use self::a::A; mod b { use super::a::B; }"),
        ("src/board/a.rs", "// use crate::app;\n/* std::io */ /// [`crate::app`]\nfn f() {}"),
        ("src/board/a.rs", "const A: &str = \"crate::app\"; const B: &str = r\"std::io\";"),
        ("src/board/a.rs", "#[cfg(test)] mod tests { use crate::app; fn f() {} }"),
        ("src/board/a.rs", "#[cfg(all(test, unix))] mod tests { use crate::app; } fn f() {}"),
        ("src/board/a.rs", "#[cfg(test)]\n#[allow(x)]\nfn f() {}\nuse crate::action;"),
        ("src/app/a.rs", "use crossterm::event::{Event, KeyEvent}; use ratatui::Frame;"),
        ("src/app/runtime/a.rs", "use crossterm::event::KeyCode;"),
        ("src/action/mod.rs", "use crossterm::event::KeyCode;"),
        ("crates/system/src/read.rs", "fn f() { File::open(\"a\").read_to_end(&mut b); }"),
        ("crates/match/src/a.rs", "fn f() { File::create(\"a\"); fs::read_dir(\"b\"); }"),
        ("crates/system/src/disk.rs", "fn f() { std::fs::remove_file(\"a\"); }"),
        ("src/cli/replay.rs", "use crate::app::OpenRecord;"),
        (
            "crates/system/src/lib.rs",
            "#[cfg(unix)] mod unix; use rustix::io; use std::os::fd::AsFd;",
        ),
        ("crates/windows/src/lib.rs", "#![cfg(windows)] use windows_sys::core::BOOL;"),
        ("crates/search/src/shared_table.rs", "#[cfg(target_os = \"linux\")] const A: u8 = 1;"),
        ("src/cli/a.rs", "#[cfg(feature = \"pictures\")] fn f() { unix(windows); }"),
        ("src/cli/a.rs", "#[cfg(test)] mod tests { use rustix::io; #[cfg(unix)] fn f() {} }"),
        ("crates/net/src/link.rs", "use super::peer::Peer;"),
        ("crates/net/src/hub/mod.rs", "use super::protocol::Hello; use crate::SILENCE;"),
    ];
    for (file, source) in cases {
        assert_eq!(wrong(file, source), [""; 0], "{file}: {source}");
    }
}
