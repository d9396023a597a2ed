//! Installed files, by the archive's script and by the .deb, which package the tested binary according to Cargo.toml.
//! `dpkg-deb` builds the package here, since compiling `cargo deb` takes a minute.

use crate::common::program::{self, BINARY};
use quadrille::board::Viewer;
use quadrille_scene::{Theme, svg};
use quadrille_table::catalogue::find;
use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};
use tempfile::TempDir;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Relative paths.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path.strip_prefix(folder).unwrap().to_owned());
            }
        }
    }
    files.sort();
    files
}

fn succeeds(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Lays the files out according to Cargo.toml, with their permissions.
fn lay_out(stage: &Path, tree: &Path) {
    let manifest: toml_edit::DocumentMut =
        fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    for asset in manifest["package"]["metadata"]["deb"]["assets"].as_array().unwrap() {
        let [from, to, mode] = [0, 1, 2]
            .map(|part| asset.as_array().and_then(|asset| asset.get(part)?.as_str()).unwrap());
        let from = match from.strip_prefix("target/packages/stage/") {
            Some(staged) => stage.join(staged),
            None if from == "target/release/quadrille" => PathBuf::from(BINARY),
            None => root().join(from),
        };
        let from = from.to_str().unwrap();
        let (folder, suffix) = match from.split_once("/**/*") {
            Some(whole) => whole,
            None => from.split_once("/*").unwrap_or((from, "")),
        };
        let found = if Path::new(folder).is_dir() {
            files(Path::new(folder))
        } else {
            vec![PathBuf::new()]
        };
        let found: Vec<_> =
            found.iter().filter(|file| file.to_str().unwrap().ends_with(suffix)).collect();
        assert!(!found.is_empty(), "{from}: nothing is there");
        for file in found {
            let source = if file.as_os_str().is_empty() {
                PathBuf::from(folder)
            } else {
                Path::new(folder).join(file)
            };
            let name = if file.as_os_str().is_empty() {
                Path::new(source.file_name().unwrap())
            } else {
                file
            };
            // A destination that ends in / is a directory, as in cargo-deb.
            let place = if to.ends_with('/') { tree.join(to).join(name) } else { tree.join(to) };
            fs::create_dir_all(place.parent().unwrap()).unwrap();
            succeeds(Command::new("install").arg("-m").arg(mode).arg(&source).arg(&place));
        }
    }
}

#[test]
fn package_contains_all_expected_files() {
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        assert!(env::var_os("CI").is_none(), "there is no dpkg-deb");
        eprintln!("there is no dpkg-deb, so no package is made");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [stage, tree, deb] =
        ["stage", "tree", "quadrille.deb"].map(|name| folder.path().join(name));
    succeeds(
        Command::new("sh")
            .arg(root().join("assets/package/make"))
            .arg("stage")
            .arg(BINARY)
            .arg(&stage),
    );
    lay_out(&stage, &tree);
    fs::create_dir_all(tree.join("DEBIAN")).unwrap();
    let control = "Package: quadrille\nVersion: 0\nArchitecture: all\nMaintainer: nobody\nDescription: a test\n";
    fs::write(tree.join("DEBIAN/control"), control).unwrap();
    let make = root().join("assets/package/make");
    // Compressing the program would take most of the time.
    let quick = [("DPKG_DEB_COMPRESSOR_TYPE", "none")];
    succeeds(Command::new("sh").arg(make).arg("pack").arg(&tree).arg(&deb).envs(quick));
    let checked =
        succeeds(Command::new("md5sum").args(["--check", "DEBIAN/md5sums"]).current_dir(&tree));
    assert_eq!(checked.lines().count(), files(&tree.join("usr")).len(), "{checked}");

    // A line is `-rwxr-xr-x root/root 123 2026-01-01 00:00 ./usr/bin/quadrille`.
    let listed = succeeds(Command::new("dpkg-deb").arg("--contents").arg(&deb));
    let listed: BTreeMap<&str, &str> = listed
        .lines()
        .filter(|line| !line.starts_with('d'))
        .map(|line| (line.split_once("./").unwrap().1, line.split_once(' ').unwrap().0))
        .collect();
    let (programs, rest): (Vec<_>, Vec<_>) =
        listed.iter().partition(|(_, mode)| **mode == "-rwxr-xr-x");
    assert_eq!(programs, [(&"usr/bin/quadrille", &"-rwxr-xr-x")]);
    for (path, mode) in rest {
        assert!(*mode == "-rw-r--r--" && path.starts_with("usr/share/"), "{mode} {path}");
    }

    let mut expected: Vec<String> = [
        "man/man1/quadrille.1",
        "bash-completion/completions/quadrille",
        "zsh/vendor-completions/_quadrille",
        "fish/vendor_completions.d/quadrille.fish",
        "applications/quadrille.desktop",
        "lintian/overrides/quadrille",
        "metainfo/quadrille.metainfo.xml",
        "icons/hicolor/scalable/apps/quadrille.svg",
        "doc/quadrille/LICENSE-OFL",
        "doc/quadrille/changelog.gz",
        "doc/quadrille/examples/serve/sshd_config",
    ]
    .map(str::to_owned)
    .to_vec();
    let help = program::run(&["--help"]).ok();
    let commands =
        help.split_once("Commands:\n").unwrap().1.lines().take_while(|line| !line.is_empty());
    // A continued line is indented more.
    let commands =
        commands.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    for command in commands.filter_map(|line| line.split(' ').next()).filter(|word| *word != "help")
    {
        expected.push(format!("man/man1/quadrille-{command}.1"));
    }
    assert!(expected.len() > 20, "{expected:?}");
    for file in ["docs", "assets/serve", "assets/bots", "assets/rules"] {
        for page in files(&root().join(file)) {
            expected.push(format!("doc/quadrille/{file}/{}", page.display()));
        }
    }
    for file in &expected {
        assert!(
            listed.contains_key(&*format!("usr/share/{file}")),
            "{file} is missing: {listed:#?}"
        );
    }
    // Nothing else is installed for shells and the desktop.
    let known = |path: &&str| {
        path.starts_with("usr/share/doc/quadrille/")
            || expected.iter().any(|file| path.ends_with(file))
    };
    let unknown: Vec<_> =
        listed.keys().filter(|path| **path != "usr/bin/quadrille" && !known(path)).collect();
    assert_eq!(unknown, Vec::<&&str>::new());

    // Pages link only to installed pages.
    let doc = tree.join("usr/share/doc/quadrille");
    let mut pages = files(&doc);
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    assert!(pages.contains(&PathBuf::from("README.md")), "{pages:?}");
    for page in pages {
        let place = doc.join(&page);
        for target in crate::pages::targets(&fs::read_to_string(&place).unwrap()) {
            assert!(
                place.parent().unwrap().join(target).exists(),
                "{} leads to {target}",
                page.display()
            );
        }
    }
}

/// An archive with this program and one page, and directories to install into.
struct Archive(TempDir);

impl Archive {
    fn with(program: &str) -> Archive {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive(folder);
        for (file, text) in
            [("archive/bin/quadrille", program), ("archive/share/doc/page", &"page\n".repeat(1000))]
        {
            fs::create_dir_all(archive.path(file).parent().unwrap()).unwrap();
            fs::write(archive.path(file), text).unwrap();
        }
        succeeds(Command::new("chmod").arg("755").arg(archive.path("archive/bin/quadrille")));
        fs::copy(root().join("assets/package/install.sh"), archive.path("archive/install.sh"))
            .unwrap();
        archive
    }

    fn path(&self, file: &str) -> PathBuf {
        self.0.path().join(file)
    }

    /// Runs a shell command beside the archive. Returns its status and its last line on stderr.
    fn shell(&self, line: &str) -> (Option<i32>, String) {
        let mut shell = Command::new("sh");
        shell.args(["-c", line]).current_dir(self.0.path()).env_remove("HOME");
        let output = shell.output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), said.lines().last().unwrap_or_default().to_owned())
    }

    fn installed(&self) -> Vec<PathBuf> {
        let folder = self.path("to");
        if folder.exists() { files(&folder) } else { Vec::new() }
    }
}

const RUNS: &str = "#!/bin/sh\necho quadrille 0\n";
const INSTALL: &str = "sh archive/install.sh --prefix to";

#[test]
fn install_script_installs_and_uninstalls() {
    let archive = Archive::with(RUNS);
    let own = archive.path("to/share/doc/own");
    // A link in the place of a new file, and a directory that `cd` would prefer.
    let precious = archive.path("precious");
    fs::write(&precious, "precious").unwrap();
    fs::create_dir_all(archive.path("to/bin")).unwrap();
    symlink(&precious, archive.path("to/bin/quadrille.new")).unwrap();
    for folder in ["decoy/archive/bin", "decoy/archive/share"] {
        fs::create_dir_all(archive.path(folder)).unwrap();
    }
    fs::write(archive.path("decoy/archive/bin/quadrille"), "decoy").unwrap();
    for _ in 0..2 {
        let line = format!("CDPATH=$PWD/decoy; export CDPATH; {INSTALL}");
        assert_eq!(archive.shell(&line), (Some(0), String::new()));
        assert_eq!(archive.installed(), ["bin/quadrille", "share/doc/page"].map(PathBuf::from));
        assert_eq!(fs::read_to_string(archive.path("to/bin/quadrille")).unwrap(), RUNS);
        assert_eq!(fs::read_to_string(&precious).unwrap(), "precious");
    }
    fs::write(&own, "own").unwrap();
    assert_eq!(archive.shell(&format!("{INSTALL} --uninstall")).0, Some(0));
    assert_eq!(archive.installed(), [PathBuf::from("share/doc/own")]);
}

#[test]
fn install_script_refuses_before_copying() {
    let no_home = "there is no HOME to install into; name a folder with --prefix FOLDER";
    let old = "#!/bin/sh\necho 'version GLIBC_2.35 not found' >&2\nexit 1\n";
    let does_not_run = "this program does not run on this machine, so nothing was installed; \
                        docs/install.md in share/doc/quadrille says how to build it";
    for (program, line, why) in [
        (RUNS, "sh archive/install.sh", no_home),
        (RUNS, "sh archive/install.sh --uninstall", no_home),
        (old, INSTALL, does_not_run),
    ] {
        let archive = Archive::with(program);
        let (status, said) = archive.shell(line);
        assert!(status != Some(0) && said == format!("install.sh: {why}"), "{line}: {said}");
        assert!(archive.installed().is_empty());
    }
    let archive = Archive::with(RUNS);
    fs::create_dir_all(archive.path("to/bin/quadrille")).unwrap();
    let (status, said) = archive.shell(INSTALL);
    assert!(status == Some(1) && said.contains("to/bin/quadrille is a folder;"), "{said}");
    assert!(archive.installed().is_empty());
}

/// The shell limits file sizes, which acts like a full disk.
#[test]
fn install_script_keeps_old_files_on_a_full_disk() {
    let archive = Archive::with(RUNS);
    fs::create_dir_all(archive.path("to/bin")).unwrap();
    fs::write(archive.path("to/bin/quadrille"), "old").unwrap();
    let (status, said) = archive.shell(&format!("trap '' XFSZ; ulimit -f 1; {INSTALL}"));
    assert_eq!(status, Some(1));
    assert!(said.starts_with("install.sh: nothing was installed in "), "{said}");
    assert_eq!(archive.installed(), [PathBuf::from("bin/quadrille")]);
    assert_eq!(fs::read_to_string(archive.path("to/bin/quadrille")).unwrap(), "old");
}

/// `INSTA_UPDATE=always cargo test` regenerates the icon.
#[test]
fn icon_matches_the_drawn_board() {
    let entry = find("dots-and-boxes").unwrap();
    let mut viewer = Viewer::open(entry, &"size=3".parse().unwrap()).unwrap();
    for mv in ["H0,0", "H2,1", "V0,0", "V1,2", "H1,0", "H0,1", "V0,1", "H1,1", "V0,2"] {
        viewer.change().play(mv).unwrap_or_else(|error| panic!("{mv}: {error:?}"));
    }
    let frame = svg::Frame {
        name: "Quadrille".to_owned(),
        description: "Four boxes.".to_owned(),
        ..svg::Frame::default()
    };
    let whole = svg::write(&viewer.board.still(), &frame, Theme::night(), None).text;
    // An icon is square: the board without the text around it.
    let drawn = whole
        .replace(
            r#"width="424" height="344" viewBox="0 0 424 344""#,
            r#"width="232" height="232" viewBox="96 86 232 232""#,
        )
        .replace(r#"<rect class="paper""#, r#"<rect class="paper" x="96" y="86" rx="24""#)
        .replace(r#"width="100%" height="100%"/>"#, r#"width="232" height="232"/>"#);
    assert!(drawn.contains("96 86 232 232") && drawn.contains("translate(106 96)"), "{whole}");
    let place = root().join("assets/package/quadrille.svg");
    if env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::write(&place, &drawn).unwrap();
    }
    assert_eq!(fs::read_to_string(&place).unwrap_or_default(), drawn);
}
