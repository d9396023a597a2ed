//! American spelling in everything that is read: pages, screens, help, rules, lessons and documentation of the code.
//!
//! Code spans, code blocks, quotations (`"…"`) and titles of sources (`*…*`) may have other spellings, and so may
//! identifiers. Ids in files keep theirs: see [`IDS`].

use super::layers::sources;
use proc_macro2::{TokenStream, TokenTree};
use std::fs;
use std::path::Path;

/// British forms: a word is refused that contains one.
const PARTS: &[&str] = &[
    "armour",
    "artefact",
    "behaviour",
    "calibre",
    "catalogue",
    "centimetre",
    "centre",
    "centring",
    "colour",
    "defence",
    "endeavour",
    "favour",
    "fibre",
    "flavour",
    "grey",
    "harbour",
    "honour",
    "humour",
    "kilometre",
    "labour",
    "manoeuv",
    "millimetre",
    "misspelt",
    "mould",
    "neighbour",
    "offence",
    "plough",
    "pretence",
    "rumour",
    "sceptic",
    "theatre",
    "vapour",
];

/// British forms as whole words.
const WORDS: &[&str] = &[
    "acknowledgement",
    "acknowledgements",
    "ageing",
    "aluminium",
    "amongst",
    "burnt",
    "cheque",
    "cheques",
    "cosy",
    "dreamt",
    "enrol",
    "enrols",
    "fulfil",
    "fulfilment",
    "fulfils",
    "instalment",
    "instalments",
    "jewellery",
    "judgement",
    "judgements",
    "kerb",
    "learnt",
    "licence",
    "licences",
    "maths",
    "metre",
    "metres",
    "practise",
    "practised",
    "practises",
    "practising",
    "programme",
    "programmes",
    "skilful",
    "skilfully",
    "spelt",
    "storey",
    "storeys",
    "towards",
    "tyre",
    "tyres",
    "whilst",
    "wilful",
    "wilfully",
];

/// Verbs that double their last letter only in British English.
const DOUBLED: &[&str] = &[
    "cancel", "channel", "counsel", "dial", "equal", "fuel", "label", "level", "marshal", "model",
    "quarrel", "rival", "signal", "total", "travel", "tunnel", "unravel",
];

/// The parts before `-ise` of words that have no `-ize` in American English.
const WITH_S: &[&str] = &[
    "adv", "advert", "ar", "br", "bru", "chast", "circumc", "compr", "comprom", "conc", "cru",
    "dem", "desp", "dev", "disgu", "enterpr", "exc", "exerc", "expert", "franch", "improv", "inc",
    "lia", "likew", "m", "merchand", "no", "otherw", "parad", "po", "pra", "prec", "prem", "prom",
    "ra", "rev", "r", "superv", "surpr", "telev", "rera", "tort", "treat", "turquo", "upr", "v",
    "w",
];

/// Ids in files, JSON and commands, which never change. Screens show the American form of a theme.
const IDS: &[&str] = &["only defence", "quixo/3-only-defence", "3-only-defence", "4-defence"];

/// Returns the British words of a text, in lower case.
fn british(text: &str) -> Vec<String> {
    let mut text = text.to_owned();
    for id in IDS {
        text = text.replace(id, "");
    }
    let words = text.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase);
    words.filter(|word| is_british(word)).collect()
}

fn is_british(word: &str) -> bool {
    let doubles = |verb: &&str| {
        let stem = format!("{verb}{}", &verb[verb.len() - 1..]);
        ["ed", "er", "ers", "ing", "ings"].iter().any(|end| word.ends_with(&format!("{stem}{end}")))
    };
    PARTS.iter().any(|part| word.contains(part))
        || WORDS.contains(&word)
        || DOUBLED.iter().any(doubles)
        || ends_in_ise(word)
        // `analyses` may be the plural of `analysis`.
        || ["lyse", "lysed", "lyser", "lysing"].iter().any(|end| word.ends_with(end))
}

fn ends_in_ise(word: &str) -> bool {
    // Other letters are those of names.
    if !word.is_ascii() {
        return false;
    }
    let ends = ["ise", "ised", "ises", "iser", "isers", "ising", "isation", "isations"];
    let stem = ends.iter().find_map(|end| word.strip_suffix(end));
    stem.is_some_and(|stem| {
        let is_clockwise = stem.ends_with('w');
        !stem.is_empty() && !is_clockwise && !WITH_S.contains(&stem.trim_start_matches("un"))
    })
}

/// Returns a page without code, quotations, titles and targets of links.
fn prose(page: &str) -> String {
    let mut prose = String::new();
    for block in page.split("```").step_by(2) {
        for paragraph in block.split("\n\n") {
            let words = without(&without(&without(paragraph, "`"), "\""), "*");
            prose += &without_each(&words, "](", ")");
            prose.push('\n');
        }
    }
    prose
}

/// Removes each part that begins and ends with these.
fn without_each(text: &str, begin: &str, end: &str) -> String {
    let mut parts = text.split(begin);
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |words, part| words + part.split_once(end).map_or(part, |(_, rest)| rest))
}

/// Removes what stands between two of these marks. A paragraph with an odd number of them stays whole.
fn without(paragraph: &str, mark: &str) -> String {
    let paragraph = if mark == "*" { paragraph.replace("**", "") } else { paragraph.to_owned() };
    let parts: Vec<&str> = paragraph.split(mark).collect();
    if parts.len().is_multiple_of(2) { paragraph } else { parts.into_iter().step_by(2).collect() }
}

/// Returns the documentation of a source file, and its other string literals.
fn texts(stream: TokenStream) -> (String, Vec<String>) {
    let (mut documentation, mut literals) = (String::new(), Vec::new());
    collect(stream, &mut documentation, &mut literals);
    (documentation, literals)
}

fn collect(stream: TokenStream, documentation: &mut String, literals: &mut Vec<String>) {
    let mut is_doc = false;
    for token in stream {
        match token {
            TokenTree::Group(group) => collect(group.stream(), documentation, literals),
            TokenTree::Ident(word) => is_doc = word == "doc",
            TokenTree::Literal(literal) if is_doc => {
                let line = literal.to_string();
                let line = line.trim_start_matches('r').trim_matches(['#', '"']);
                documentation.push_str(&line.replace("\\\"", "\"").replace("\\n", "\n"));
                documentation.push('\n');
            }
            TokenTree::Literal(literal) => literals.push(literal.to_string()),
            TokenTree::Punct(_) => {}
        }
    }
}

/// Returns every text file below a directory: its path and its text.
fn files(directory: &Path, extensions: &[&str]) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut directories = vec![directory.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|end| extensions.iter().any(|one| end == *one)) {
                files.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files
}

/// Asserts that none of these texts has a British form.
fn assert_american(texts: impl IntoIterator<Item = (String, String)>) {
    let mut found = Vec::new();
    for (file, text) in texts {
        found.extend(british(&text).into_iter().map(|word| format!("{file}: {word}")));
    }
    assert_eq!(
        found, [""; 0],
        "British spelling; if a word is an id or American, add it to the lists here"
    );
}

#[test]
fn pages_have_american_spelling() {
    let mut pages: Vec<(String, String)> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "benches/README.md"]
            .map(|name| (name.to_owned(), fs::read_to_string(name).unwrap()))
            .into();
    for directory in ["docs", "assets", "crates"] {
        pages.extend(files(Path::new(directory), &["md"]));
    }
    assert!(pages.len() > 20);
    assert_american(pages.into_iter().map(|(file, page)| (file, prose(&page))));
}

/// Rules, lessons, puzzles, themes, layouts, and what is installed beside them.
#[test]
fn texts_in_files_have_american_spelling() {
    let extensions = ["txt", "toml", "desktop", "xml", "sh", "rb", "py"];
    assert_american(files(Path::new("assets"), &extensions));
    assert_american(files(Path::new("crates/puzzles/src/lessons/facts"), &extensions));
}

/// The texts of all screens, errors and help, which is the manual too, and the documentation of the crates.
#[test]
fn source_has_american_spelling() {
    let mut files = Vec::new();
    sources(Path::new("src"), &mut files);
    for package in fs::read_dir("crates").unwrap() {
        sources(&package.unwrap().path().join("src"), &mut files);
    }
    assert!(files.len() > 100);
    assert_american(files.into_iter().flat_map(|(file, source)| {
        let (documentation, literals) = texts(source.parse().unwrap());
        // Without the names of values in format strings.
        let literals = literals.iter().map(|literal| without_each(literal, "{", "}"));
        let texts = literals.chain([prose(&documentation)]);
        texts.map(|text| (file.clone(), text)).collect::<Vec<_>>()
    }));
}

/// The screens as they are drawn: these also contain what is put together from single words.
#[test]
fn drawn_screens_have_american_spelling() {
    for directory in ["tests", "src", "crates"] {
        let snapshots = files(Path::new(directory), &["snap"]);
        let drawn = snapshots.into_iter().map(|(file, snapshot)| {
            // Without the name of the source and the expression.
            let drawn = snapshot.splitn(3, "---\n").nth(2).unwrap().to_owned();
            (file, drawn)
        });
        assert_american(drawn);
    }
}

/// Tests the tests above.
#[test]
fn british_forms_are_found() {
    let refused = "Colour greys defences centred catalogue cancelled travelling relabelling judgement \
                   organise maximises factorisation unrecognised analysed towards truecolour";
    assert_eq!(british(refused).len(), refused.split_whitespace().count());
    let accepted = "color grays defenses centered catalog canceled cancellation traveler labeling judgment \
                    organize otherwise counterclockwise promised exercises supervising analysis analyses \
                    precise noise unpromising programmer totally level";
    assert_eq!(british(accepted), [""; 0]);
    assert_eq!(british("A puzzle with the theme only defence"), [""; 0]);
    let page = "The colour `colour`, *Colour in Games*, \"what colour\", **grey**.\n\n```\ncolour\n```\nA \" centre.";
    assert_eq!(british(&prose(page)), ["colour", "grey", "centre"]);
    let source = "//! Colour of\n//! `colour`.\nfn colour() { let grey = \"the grey\"; } // colour";
    let (documentation, literals) = texts(source.parse().unwrap());
    assert_eq!(british(&prose(&documentation)), ["colour"]);
    assert_eq!(literals, ["\"the grey\""]);
}
