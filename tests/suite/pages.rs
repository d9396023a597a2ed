//! The pages for users: the front page is short, and every page is reachable from it.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn docs() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> =
        fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

/// Returns the file targets of links and pictures on a page.
pub fn targets(text: &str) -> Vec<&str> {
    let links = text.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    let pictures = ["src=\"", "srcset=\""]
        .into_iter()
        .flat_map(|before| text.split(before).skip(1))
        .filter_map(|rest| rest.split_once('"'));
    let targets = links.chain(pictures).map(|(target, _)| target);
    let files = targets.map(|target| target.split('#').next().unwrap());
    files.filter(|file| !file.is_empty() && !file.contains("://")).collect()
}

#[test]
fn every_doc_link_leads_to_a_file() {
    let pages = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
        .map(|name| root().join(name));
    for page in pages.into_iter().chain(docs()) {
        for target in targets(&fs::read_to_string(&page).unwrap()) {
            let path = page.parent().unwrap().join(target);
            assert!(path.exists(), "{} links to {target}", page.display());
        }
    }
}

#[test]
fn readme_is_short_and_links_every_page() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 90, "{} lines", readme.lines().count());
    assert!(readme.split_whitespace().count() <= 700);
    for page in docs() {
        let link = format!("](docs/{})", page.file_name().unwrap().to_str().unwrap());
        assert!(readme.contains(&link), "README.md has no link to {link}");
    }
    let recording = fs::metadata(root().join("assets/pictures/terminal.gif")).unwrap().len();
    assert!(recording < 1_000_000, "the recording has {recording} bytes");
}
