//! Pictures as files: the output of the command line, and its errors.

use crate::common::program::{file, run, run_in};
use roxmltree::Document;
use std::fs;

pub const RECORD: &str = "[Game \"dots-and-boxes\"]\n[Setup \"size=3\"]\n[Seat1 \"Ann\"]\n\nH0,0 H2,1 H0,1 H2,0 V0,0 V1,2 H1,0\n";

#[test]
fn picture_goes_to_stdout_or_a_file() {
    let (folder, path) = file("a.game", RECORD);
    let path = path.to_str().unwrap();
    let printed = run(&["show", path, "--format", "svg", "--width", "300", "--ply", "2"]).ok();
    let root = Document::parse(&printed).unwrap();
    assert_eq!(root.root_element().attribute("width"), Some("300"));
    assert!(printed.contains("2 moves played. Player 2 draws H2,1."), "{printed}");
    let out = folder.path().join("a.svg");
    fs::write(&out, "what was there before and is longer than nothing").unwrap();
    let name = out.to_str().unwrap();
    run(&["show", path, "--format", "svg", "--width", "300", "--ply", "2", "--out", name]).ok();
    assert_eq!(fs::read_to_string(&out).unwrap(), printed);
    // The extension determines the format.
    run(&["show", path, "--width", "300", "--ply", "2", "--out", name]).ok();
    assert_eq!(fs::read_to_string(&out).unwrap(), printed);
    let name = folder.path().join("a.txt");
    let text = run(&["show", path, "--ply", "2"]).ok();
    run(&["show", path, "--ply", "2", "--out", name.to_str().unwrap()]).ok();
    assert_eq!(fs::read_to_string(&name).unwrap(), text);
    assert_eq!(run(&["show", path, "--ply", "2", "--out", "-"]).ok(), text);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing else is left");
}

#[test]
fn picture_never_overwrites_its_record() {
    let (_folder, path) = file("a.game", RECORD);
    let names = [
        &*path,
        #[cfg(unix)]
        &path.with_file_name("link.svg"),
    ];
    #[cfg(unix)]
    std::os::unix::fs::symlink(&path, names[1]).unwrap();
    for out in names {
        let args =
            ["show", path.to_str().unwrap(), "--format", "svg", "--out", out.to_str().unwrap()];
        let line = run(&args).fails(2);
        assert!(line.ends_with("this is the record itself; choose another file"), "{line}");
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), RECORD);
}

#[test]
fn picture_theme_follows_option_or_settings() {
    let (_folder, path) = file("a.game", RECORD);
    let show =
        |more: &[&str]| run(&[&["show", path.to_str().unwrap(), "--format", "svg"], more].concat());
    assert!(show(&[]).ok().contains(".paper{fill:#14161d}"));
    assert!(show(&["--theme", "paper"]).ok().contains(".paper{fill:#fdfaf2}"));
    assert!(show(&["--theme", "mono"]).ok().contains(".paper{fill:#ffffff}"));
    let line = show(&["--theme", "no"]).fails(2);
    assert!(line.contains("--theme: unknown theme no; known themes: night"), "{line}");
}

#[test]
fn invalid_picture_options_are_refused_in_one_line() {
    let (folder, path) = file("a.game", RECORD);
    let show = |more: &[&str]| run(&[&["show", path.to_str().unwrap()], more].concat());
    let jpg = folder.path().join("a.jpg");
    for (arguments, status, says) in [
        (
            &["--format", "svg", "--width", "15"][..],
            2,
            "must be a number of pixels from 16 to 8192",
        ),
        (&["--format", "svg", "--width", "wide"], 2, "must be a number of pixels from 16 to 8192"),
        (&["--width", "100"], 2, "needs a picture format; add --format svg, png or gif"),
        (&["--format", "svg", "--every"], 2, "use --format gif to show all"),
        (&["--format", "svg", "--ply", "8"], 2, "no ply 8; the last is 7"),
        (&["--format", "svg", "--out", folder.path().to_str().unwrap()], 1, "is a directory"),
        (
            &["--format", "svg", "--out", "/nonexistent/a.svg"],
            1,
            "/nonexistent/a.svg: No such file or directory (os error 2)",
        ),
        (
            &["--out", jpg.to_str().unwrap()],
            2,
            "unknown extension jpg; use text, json, trmph, svg, png, gif, or add --format",
        ),
        (&["--format", "svg", "--out", "a.png"], 2, "the extension does not match --format svg"),
    ] {
        let line = show(arguments).fails(status);
        assert!(line.contains(says), "{line}");
    }
    assert!(!jpg.exists());
    let (_folder, bad) = file("bad.game", RECORD.replace("H2,1", "H0,0"));
    let out = folder.path().join("bad.svg");
    let arguments =
        ["show", bad.to_str().unwrap(), "--format", "svg", "--out", out.to_str().unwrap()];
    let line = run(&arguments).fails(1);
    assert!(line.contains("move 2 \"H0,0\""), "{line}");
    assert!(!out.exists());
}

/// Regenerates the pictures on the pages with their script, and compares.
#[test]
#[cfg(feature = "pictures")]
fn documented_pictures_match_their_script() {
    use crate::common::program::BINARY;

    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let (there, made) = (root.join("assets/pictures"), tempfile::tempdir().unwrap());
    let status = std::process::Command::new("sh")
        .arg(there.join("make"))
        .arg(made.path())
        .env("QUADRILLE", BINARY)
        .status();
    assert!(status.unwrap().success());
    let page = fs::read_to_string(root.join("docs/records.md")).unwrap();
    let mut count = 0;
    for entry in fs::read_dir(made.path()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_same = fs::read(there.join(&name)).ok() == fs::read(made.path().join(&name)).ok();
        // The antialiasing of letters may differ between processors.
        let is_exact = !name.ends_with("gif") || cfg!(target_arch = "x86_64");
        assert!(is_same || !is_exact, "sh assets/pictures/make makes another {name}");
        assert!(page.contains(&format!("assets/pictures/{name}")), "{name}");
        count += 1;
    }
    assert_eq!(count, 3);
}

#[cfg(feature = "pictures")]
mod pixels {
    use super::*;
    use resvg::tiny_skia::Pixmap;

    fn show(path: &std::path::Path, more: &[&str]) -> Vec<u8> {
        let out = path.with_extension("out");
        let arguments = ["show", path.to_str().unwrap(), "--out", out.to_str().unwrap()];
        run(&[&arguments, more].concat()).ok();
        fs::read(&out).unwrap()
    }

    #[test]
    fn png_has_the_requested_width() {
        let (_folder, path) = file("a.game", RECORD);
        let png = Pixmap::decode_png(&show(&path, &["--format", "png", "--width", "333"])).unwrap();
        let svg = String::from_utf8(show(&path, &["--format", "svg", "--width", "333"])).unwrap();
        let svg = Document::parse(&svg).unwrap();
        let height: u32 = svg.root_element().attribute("height").unwrap().parse().unwrap();
        assert_eq!((png.width(), png.height()), (333, height));
        // Twice the natural size, and without transparency.
        let png = Pixmap::decode_png(&show(&path, &["--format", "png"])).unwrap();
        assert_eq!(png.width(), 2 * 424);
        assert!(png.pixels().iter().all(|pixel| pixel.alpha() == 255));
        // The top left corner is paper, and the title has visible letters.
        let pixel = png.pixel(3, 3).unwrap();
        assert_eq!([pixel.red(), pixel.green(), pixel.blue()], [0x14, 0x16, 0x1d]);
        let title = (60..110).flat_map(|y| (64..400).map(move |x| (x, y)));
        let bright = title.filter(|&(x, y)| png.pixel(x, y).unwrap().red() > 0xc0).count();
        assert!(bright > 500, "{bright}");
    }

    /// Returns the composed picture after each frame of a GIF, and its duration.
    fn frames(bytes: &[u8]) -> Vec<(Vec<[u8; 3]>, u16)> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).unwrap();
        let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
        let mut seen = vec![[0; 3]; width * height];
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (at, pixel) in frame.buffer.chunks(4).enumerate() {
                let (row, col) = (at / usize::from(frame.width), at % usize::from(frame.width));
                let place = (row + usize::from(frame.top)) * width + col + usize::from(frame.left);
                if pixel[3] == 255 {
                    seen[place] = [pixel[0], pixel[1], pixel[2]];
                }
            }
            frames.push((seen.clone(), frame.delay));
        }
        frames
    }

    #[test]
    fn gif_has_a_frame_per_position() {
        let (_folder, path) = file("a.game", RECORD);
        let gif = frames(&show(&path, &["--format", "gif", "--width", "300"]));
        assert_eq!(gif.len(), 8);
        assert!(gif.iter().all(|(_, delay)| *delay > 0) && gif[7].1 > gif[6].1);
        for (ply, (seen, _)) in gif.iter().enumerate() {
            let ply = ply.to_string();
            let png = show(&path, &["--format", "png", "--width", "300", "--ply", &ply]);
            let png = Pixmap::decode_png(&png).unwrap();
            let far = seen.iter().zip(png.pixels()).filter(|(a, b)| {
                let b = [b.red(), b.green(), b.blue()];
                a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > 24)
            });
            assert!(far.count() < 40, "position {ply}");
        }
        assert_eq!(frames(&show(&path, &["--format", "gif", "--ply", "3"])).len(), 4);
        assert_eq!(frames(&show(&path, &["--format", "gif", "--ply", "0"])).len(), 1);
    }

    #[test]
    fn oversized_picture_is_refused() {
        let (_folder, path) =
            file("a.game", "[Game \"dots-and-boxes\"]\n[Setup \"rows=64 cols=2\"]\n");
        let arguments = ["show", path.to_str().unwrap(), "--format", "png", "--width", "8192"];
        let line = run(&arguments).fails(1);
        assert!(line.contains("is too large; use a smaller width"), "{line}");
    }
}

#[test]
#[cfg(not(feature = "pictures"))]
fn pixel_formats_without_the_feature_are_refused_with_a_fix() {
    let (_folder, path) = file("a.game", RECORD);
    for format in ["png", "gif"] {
        let line = run(&["show", path.to_str().unwrap(), "--format", format]).fails(1);
        assert!(
            line.contains("this build supports only SVG; rebuild with the feature \"pictures\""),
            "{line}"
        );
    }
}

#[test]
fn picture_reads_a_record_from_stdin() {
    let folder = tempfile::tempdir().unwrap();
    let svg = run_in(folder.path(), &["show", "-", "--format", "svg"], RECORD.as_bytes()).ok();
    assert!(Document::parse(&svg).is_ok());
}
