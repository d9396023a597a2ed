//! The themes: contrast and colour blindness, theme files and their errors, and the key for the next theme.

use crate::common::colour_vision::ciede2000;
use crate::common::player::Player;
use crate::common::program::{BINARY, run};
use crate::common::promises::{Promise, promises, rgb};
use crate::common::samples;
#[cfg(unix)]
use crate::common::terminal::{Terminal, with_config};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use quadrille::app::App;
use quadrille::board::Skin;
use quadrille::settings::{BackgroundChoice, Settings};
use quadrille_rules::Seat;
use quadrille_scene::colour::Rgb;
use quadrille_scene::{
    Background, Depth, Role, SeatRole, TerminalColour, TerminalColours, Theme, built_in,
    built_in_names, read,
};
use quadrille_table::catalogue;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const DEPTHS: [Depth; 5] =
    [Depth::TrueColour, Depth::Indexed256, Depth::Ansi16, Depth::Ansi8, Depth::None];

/// The colors of a terminal with eight.
const EIGHT: [Color; 8] = [
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
];

const PAINTING: [&str; 6] = ["night", "paper", "blueprint", "blackboard", "okabe-ito", "contrast"];

fn all() -> impl Iterator<Item = &'static Theme> {
    built_in_names().map(theme)
}

fn theme(name: &str) -> &'static Theme {
    built_in(name).expect("a theme of the game")
}

#[test]
fn built_in_theme_names_are_stable() {
    let names: Vec<&str> = built_in_names().collect();
    assert_eq!(names[..6], PAINTING);
    assert_eq!(names[6..], ["mono", "terminal"]);
    for theme in all() {
        assert_eq!(theme.paints(), PAINTING.contains(&theme.name()), "{}", theme.name());
    }
    assert_eq!((Theme::mono().name(), Theme::terminal().name()), ("mono", "terminal"));
}

/// With `--nocapture` it prints all measured values.
#[test]
fn themes_keep_their_contrast_with_colour_blindness() {
    for name in PAINTING {
        for depth in [Depth::TrueColour, Depth::Indexed256] {
            let all = promises(&theme(name).at(depth));
            let broken: Vec<_> =
                all.iter().filter(|promise| promise.measured < promise.least).collect();
            assert!(broken.is_empty(), "{name}, {depth:?}: {broken:#?}");
            let mut least: BTreeMap<&str, f64> = BTreeMap::new();
            for Promise { kind, measured, .. } in all {
                let least = least.entry(kind).or_insert(measured);
                *least = least.min(measured);
            }
            let least: Vec<String> =
                least.iter().map(|(kind, least)| format!("{kind} {least:.1}")).collect();
            println!("{name}, {depth:?}: {}", least.join(", "));
        }
    }
}

/// The sixteen colors of xterm, VGA, GNOME, VS Code (light) and macOS, in index order.
const PALETTES: [&str; 5] = [
    "000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff",
    "000000 aa0000 00aa00 aa5500 0000aa aa00aa 00aaaa aaaaaa 555555 ff5555 55ff55 ffff55 5555ff ff55ff 55ffff ffffff",
    "171421 c01c28 26a269 a2734c 12488b a347ba 2aa1b3 d0cfcc 5e5c64 f66151 33da7a e9ad0c 2a7bde c061cb 33c7de ffffff",
    "000000 cd3131 107c10 949800 0451a5 bc05bc 0598bc 555555 666666 cd3131 14ce14 b5ba00 0451a5 bc05bc 0598bc a5a5a5",
    "000000 990000 00a600 999900 0000b2 b200b2 00a6b2 bfbfbf 666666 e50000 00d900 e5e500 0000ff e500e5 00e5e5 e5e5e5",
];

const SIXTEEN: [Color; 16] = [
    Color::Black,
    Color::Red,
    Color::Green,
    Color::Yellow,
    Color::Blue,
    Color::Magenta,
    Color::Cyan,
    Color::Gray,
    Color::DarkGray,
    Color::LightRed,
    Color::LightGreen,
    Color::LightYellow,
    Color::LightBlue,
    Color::LightMagenta,
    Color::LightCyan,
    Color::White,
];

/// On a light background the theme `terminal` uses the dark ones of the sixteen colors.
#[test]
fn terminal_theme_is_readable_on_a_light_background() {
    let white = Rgb::parse("#ffffff").unwrap();
    for depth in [Depth::TrueColour, Depth::Indexed256, Depth::Ansi16, Depth::Ansi8] {
        let theme = Theme::terminal().at(depth);
        for palette in PALETTES {
            let palette: Vec<Rgb> =
                palette.split(' ').map(|hex| Rgb::parse(&format!("#{hex}")).unwrap()).collect();
            for role in Role::all() {
                let Some(ink) = theme.style_on(Background::Light, role).fg else { continue };
                let at =
                    SIXTEEN.iter().position(|colour| *colour == ink).expect("one of the sixteen");
                // Seven of the sixteen are dark in every palette. The eighth seat has the next best.
                let is_last = matches!(role, Role::Of(_, seat) if seat.index() == 7);
                let least = if is_last { 2.6 } else { 3.0 };
                let contrast = palette[at].contrast(white);
                assert!(contrast >= least, "{role:?} in {ink:?}: {contrast:.1}");
            }
        }
    }
    for theme in all().filter(|theme| theme.name() != "terminal") {
        for role in Role::all() {
            assert_eq!(theme.style_on(Background::Light, role), theme.style(role));
        }
    }
}

/// The user's setting takes precedence over the terminal's reply, whenever it arrives.
#[test]
fn background_comes_from_settings_or_terminal() {
    let ink = |app: &App| {
        let buffer = drawn(app, 80, 24);
        let is_ink = |at: &Position| buffer[*at].symbol() == "A" && buffer[*at].fg != Color::Reset;
        let letter = buffer.area.positions().find(is_ink);
        buffer[letter.expect("the letter of seat A")].fg
    };
    let app = |settings: Settings| {
        let player = Player::at("dots-and-boxes", "size=3");
        player.app.with_settings(settings, String::new())
    };
    let mut auto = app(Settings::default());
    assert_eq!(ink(&auto), Color::Cyan);
    assert!(
        auto.set_terminal_colour(TerminalColour::Background, Rgb(255, 255, 255)),
        "it is drawn anew"
    );
    assert_eq!(ink(&auto), Color::Blue);
    assert!(
        !auto.set_terminal_colour(TerminalColour::Background, Rgb(255, 255, 255)),
        "nothing has changed"
    );
    let mut dark = app(Settings { background: BackgroundChoice::Dark, ..Settings::default() });
    assert!(!dark.set_terminal_colour(TerminalColour::Background, Rgb(255, 255, 255)));
    assert_eq!(ink(&dark), Color::Cyan);
    let light = app(Settings { background: BackgroundChoice::Light, ..Settings::default() });
    assert_eq!(ink(&light), Color::Blue);
}

/// Returns colors as xterm reports them, on this text and background.
fn reported(text: Rgb, background: Rgb) -> Vec<(TerminalColour, Rgb)> {
    let xterm = PALETTES[0].split(' ').map(|hex| Rgb::parse(&format!("#{hex}")).unwrap());
    let ansi = (0..).zip(xterm).map(|(index, colour)| (TerminalColour::Ansi(index), colour));
    let own = [(TerminalColour::Text, text), (TerminalColour::Background, background)];
    ansi.chain(own).collect()
}

/// Areas are filled only if the terminal has reported all of its colors and text on the fill is readable.
#[test]
fn reported_colours_fill_areas() {
    let (black, white) = (Rgb(0, 0, 0), Rgb(255, 255, 255));
    for (text, background) in [(Rgb(0xe5, 0xe5, 0xe5), black), (black, white)] {
        let all = reported(text, background);
        for seat in (0..4).map(Seat::new) {
            for depth in [Depth::Ansi16, Depth::Ansi8] {
                let mut colours = TerminalColours::NONE;
                let theme = Box::leak(Box::new(Theme::terminal().at(depth)));
                let skin = |colours: &TerminalColours| {
                    let background = colours.background().unwrap_or_default();
                    let skin = Skin::default().with_theme(theme).with_background(background);
                    skin.with_fill_inks(colours.fill_inks())
                };
                for (which, colour) in &all {
                    let fill = skin(&colours).area(Role::Of(SeatRole::Fill, seat));
                    assert_eq!(fill.bg, None, "{which:?} is not reported yet");
                    colours.report(*which, *colour);
                }
                let skin = skin(&colours);
                let rgb = |colour| match colour {
                    Color::Reset => text,
                    colour => {
                        let is_shown = |index: &usize| SIXTEEN[*index] == colour;
                        let index = (0..16).find(is_shown).expect("one of the sixteen colours");
                        all[index].1
                    }
                };
                // One of four seats has no color of its own among the first eight.
                let has_colour = skin.seat(seat).fg.is_some();
                assert!(has_colour || (depth == Depth::Ansi8 && seat.index() > 1));
                for role in [SeatRole::Fill, SeatRole::WonFill, SeatRole::Area, SeatRole::WonArea] {
                    let style = skin.area(Role::Of(role, seat));
                    if !has_colour {
                        assert_eq!(style.bg, None);
                        continue;
                    }
                    let (Some(ink), Some(fill)) = (style.fg, style.bg) else {
                        panic!("{seat:?} {role:?} {depth:?} {background} {style:?}");
                    };
                    let (ink, fill) = (rgb(ink), rgb(fill));
                    assert!(ink.contrast(fill) >= 4.5, "{seat:?} {role:?} {ink} {fill}");
                    assert!(fill.contrast(background) >= 1.6, "{seat:?} {role:?} {fill}");
                }
                let lost = skin.area(Role::Of(SeatRole::LostFill, seat));
                assert_eq!(lost.bg, None, "hatched");
                assert!(!skin.without_colour().uses_terminal_colours());
            }
        }
    }
    // The text of no color is readable on gray.
    let mut colours = TerminalColours::NONE;
    for (which, _) in reported(black, white) {
        colours.report(which, Rgb(128, 128, 128));
    }
    assert_eq!(colours.fill_inks(), TerminalColours::NONE.fill_inks());
}

#[test]
fn contrast_theme_has_a_contrast_of_at_least_7() {
    for depth in [Depth::TrueColour, Depth::Indexed256] {
        for promise in promises(&theme("contrast").at(depth)) {
            let is_on_a_fill = ["Card", "Chosen"].iter().any(|fill| promise.what.starts_with(fill));
            let read = ["text", "dim", "ink"].contains(&promise.kind) && !is_on_a_fill;
            assert!(!read || promise.measured >= 7.0, "{depth:?}: {promise:?}");
        }
    }
}

/// Checks the formula with pairs from the test data of Sharma, Wu and Dalal.
#[test]
fn ciede2000_matches_published_data() {
    for (one, two, difference) in [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, -1.3802, -84.2814], [50.0, 0.0, -82.7485], 1.0000),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([50.0, 2.5, 0.0], [56.0, -27.0, -3.0], 31.9030),
        ([60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644),
        ([22.7233, 20.0904, -46.6940], [23.0331, 14.9730, -42.5619], 2.0373),
        ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ] {
        assert!((ciede2000(one, two) - difference).abs() < 1e-4, "{one:?} {two:?}");
        assert!((ciede2000(two, one) - difference).abs() < 1e-4, "{two:?} {one:?}");
    }
}

#[test]
fn every_role_has_a_style_in_every_theme() {
    for theme in all() {
        for depth in DEPTHS {
            let theme = theme.at(depth);
            for role in Role::all() {
                let style = theme.style(role);
                if theme.paints() {
                    // A colour, or a modifier, which works with any color.
                    let told = style.fg.is_some() || !style.add_modifier.is_empty();
                    assert!(told, "{} {role:?}", theme.name());
                }
                for colour in [style.fg, style.bg].into_iter().flatten() {
                    let fits = match depth {
                        Depth::None => false,
                        Depth::Ansi8 => EIGHT.contains(&colour),
                        Depth::Ansi16 => !matches!(colour, Color::Rgb(..) | Color::Indexed(_)),
                        Depth::Indexed256 => !matches!(colour, Color::Rgb(..)),
                        Depth::TrueColour => true,
                    };
                    assert!(fits, "{} {depth:?} {role:?}: {colour}", theme.name());
                }
            }
        }
    }
}

#[test]
fn colourless_themes_use_the_terminal_theme_modifiers() {
    let bare = |style: Style| Style { fg: None, bg: None, ..style };
    for theme in all() {
        let none = theme.at(Depth::None);
        assert!(none.looks_like(Theme::mono()), "{}", theme.name());
        assert_eq!(none.paper(), Style::new());
        for role in Role::all() {
            assert_eq!(none.style(role), bare(Theme::terminal().style(role)), "{role:?}");
        }
    }
    // Roles that must be distinguishable even without colors.
    let style = |role| Theme::mono().style(role);
    let told =
        [Role::Text, Role::Dim, Role::Strong, Role::Cursor, Role::Pick, Role::Moved, Role::Won];
    for (index, one) in told.iter().enumerate() {
        for other in &told[..index] {
            assert_ne!(style(*one), style(*other), "{one:?} {other:?}");
        }
    }
    assert!(style(Role::Cursor).add_modifier.contains(Modifier::REVERSED));
}

#[test]
fn few_colours_fall_back_to_the_terminal_theme() {
    for depth in [Depth::Ansi16, Depth::Ansi8] {
        for theme in all() {
            let few = theme.at(depth);
            let expected = if theme.name() == "mono" { "mono" } else { "terminal" };
            assert_eq!(few.name(), expected, "{}", theme.name());
            assert_eq!(few.paper(), Style::new());
        }
    }
}

/// With eight colors, a bright color becomes the normal one, and nothing is black on black.
#[test]
fn eight_colours_keep_modifiers_and_stay_visible() {
    let sixteen = Theme::terminal();
    let eight = sixteen.at(Depth::Ansi8);
    for background in [Background::Dark, Background::Light] {
        for role in Role::all() {
            let [many, few] = [sixteen, &eight].map(|theme| theme.style_on(background, role));
            assert_eq!(Style { fg: None, ..many }, Style { fg: None, ..few }, "{role:?}");
            assert!(background == Background::Light || few.fg != Some(Color::Black), "{role:?}");
        }
    }
    // Six colors for eight seats: the letters of the seats differ too.
    let seats = (0..6).map(|seat| Role::Of(SeatRole::Ink, Seat::new(seat)));
    let mut inks: Vec<_> =
        seats.map(|role| eight.style(role).fg.map(|ink| ink.to_string())).collect();
    inks.sort_unstable();
    inks.dedup();
    assert_eq!(inks.len(), 6, "{inks:?}");
}

/// Only the cursor, its marks, and the keys in the footer have this color.
#[test]
fn cursor_has_a_unique_colour() {
    for name in PAINTING {
        for depth in [Depth::TrueColour, Depth::Indexed256] {
            let theme = theme(name).at(depth);
            let cursor = rgb(theme.style(Role::Cursor).bg);
            for role in
                Role::all().filter(|role| !matches!(role, Role::Cursor | Role::Marker | Role::Key))
            {
                let style = theme.style(role);
                for colour in [style.fg, style.bg].into_iter().flatten() {
                    assert_ne!(rgb(Some(colour)), cursor, "{name} {depth:?} {role:?}");
                }
            }
        }
    }
}

#[test]
fn theme_inherits_missing_keys() {
    let own = read("own", "own.toml", "cursor = '#ff9d00'\ninherit = \"paper\"\n").unwrap();
    let paper = theme("paper");
    assert_eq!(own.palette().colour("cursor"), Some(Color::Rgb(0xff, 0x9d, 0)));
    for key in ["paper", "panel", "grid", "text", "dim", "faint", "good", "wrong"] {
        assert_eq!(own.palette().colour(key), paper.palette().colour(key));
    }
    assert_eq!(
        own.style(Role::Of(SeatRole::Ink, Seat::FIRST)),
        paper.style(Role::Of(SeatRole::Ink, Seat::FIRST))
    );
    let own = read("own", "own.toml", "inherit = \"terminal\"\nwrong = \"bright-red\"").unwrap();
    assert!(!own.paints());
    assert_eq!(own.style(Role::Wrong).fg, Some(Color::LightRed));
    let seat = Role::Of(SeatRole::Ink, Seat::FIRST);
    assert_eq!(own.style(seat), theme("terminal").style(seat));
    // A custom theme without a paper: with 256 colors the nearest ones, with sixteen none.
    let own = read("own", "own.toml", "good = \"#5fd787\"").unwrap();
    assert_eq!(own.style(Role::Good).fg, Some(Color::Rgb(0x5f, 0xd7, 0x87)));
    assert_eq!(own.at(Depth::Indexed256).style(Role::Good).fg, Some(Color::Indexed(78)));
    assert_eq!(own.at(Depth::Ansi16).name(), "terminal");
    assert!(read("own", "own.toml", "inherit = 'mono'").unwrap().looks_like(Theme::mono()));
}

#[test]
fn theme_error_names_file_line_and_key() {
    let keys = "inherit, paper, panel, grid, text, dim, faint, cursor, good, wrong and seats";
    for (text, error) in [
        ("\ncolour = 1", format!("line 2: colour: unknown key; the keys are {keys}")),
        ("text = 'blueish'", "line 1: text: \"blueish\" is not a color; write #5ab6f2, cyan or bright-cyan".to_owned()),
        ("inherit = 'night'\n\ntext = 7", "line 3: text: must be text in quotes, not 7".to_owned()),
        ("seats = 'cyan'", "line 1: seats: must be a list of 8 colors, not \"cyan\"".to_owned()),
        ("seats = [\n'cyan',\n'red']", "line 1: seats: needs 8 colors, not 2".to_owned()),
        ("inherit = 'night'\nseats = ['#000000',\n'#00000', '', '', '', '', '', '']", "line 3: seats: \"#00000\" is not a color; write #5ab6f2, cyan or bright-cyan".to_owned()),
        ("# mine\npaper = '#000000'", "line 2: seats: missing; required in a theme that sets paper".to_owned()),
        ("inherit = 'night'\ndim = 'cyan'", "line 2: dim: a theme that sets paper needs a color such as #5ab6f2 \
            here".to_owned()),
        ("inherit = 'terminal'\ncursor = 'cyan'", "line 2: cursor: only allowed in a theme that sets \
            paper".to_owned()),
        ("inherit = night", "line 1: inherit: must be in quotes: \"night\"".to_owned()),
        ("inherit = 'night'\ncursor = #ff9d00\ndim = 7", "line 2: cursor: must be in quotes: \"#ff9d00\"".to_owned()),
        ("inherit = 'nigth'", "line 1: inherit: cannot inherit from unknown theme \"nigth\"; known themes: night, paper, blueprint, blackboard, okabe-ito, contrast, mono, terminal".to_owned()),
        ("inherit = []", "line 1: inherit: must be text in quotes, not an array".to_owned()),
        ("# mine", "line 1: is empty; a theme sets colors or inherits them".to_owned()),
        ("dim = '#000000'\ndim = '#000000'", "line 2: duplicate key".to_owned()),
    ] {
        assert_eq!(read("own", "own.toml", text).unwrap_err().to_string(), format!("own.toml: {error}"), "{text}");
    }
    let broken = read("own", "own.toml", "a = 1\n= 2").unwrap_err();
    assert_eq!((broken.line, &broken.fault.key), (2, &None), "{broken}");
    assert_eq!(broken.to_string().lines().count(), 1);
}

#[test]
fn any_theme_text_is_read_or_refused() {
    let whole = include_str!("../../../assets/themes/night.toml");
    for end in (0..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
        if let Err(error) = read("own", "own.toml", &whole[..end]) {
            assert!(error.line <= whole.lines().count(), "{error}");
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
        }
    }
    for text in [
        "[seats]",
        "seats = [[]]",
        "paper = {}",
        "\u{feff}",
        "\0",
        "'' = ''",
        "[[text]]",
        "a.b = 1",
    ] {
        if let Err(error) = read("own", "own.toml", text) {
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
        }
    }
}

#[test]
fn unknown_theme_error_lists_known_themes() {
    let error = run(&["--theme", "nihgt"]).fails(2);
    let names = "night, paper, blueprint, blackboard, okabe-ito, contrast, mono, terminal";
    assert_eq!(error, format!("--theme: unknown theme nihgt; known themes: {names}"));
    run(&["play", "quixo", "--theme", "../night"]).fails(2);
}

#[test]
fn custom_themes_are_read_from_the_config_folder() {
    let config = tempfile::tempdir().unwrap();
    let folder = config.path().join("quadrille").join("themes");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("own.toml"), "inherit = \"paper\"\n").unwrap();
    fs::write(folder.join("broken.toml"), "inherit = \"paper\"\ndim = 7\n").unwrap();
    fs::write(folder.join("bytes.toml"), [0xff]).unwrap();
    let error = |name: &str| error(config.path(), &["--theme", name]);
    let path = |name: &str| folder.join(name).display().to_string();
    let why = "dim: must be text in quotes, not 7";
    let broken = format!("{}: line 2: {why}\n", path("broken.toml"));
    assert_eq!(error("broken"), (Some(1), broken));
    let bytes = format!("{}: not UTF-8\n", path("bytes.toml"));
    assert_eq!(error("bytes"), (Some(1), bytes));
    // This theme is valid, so the error is the next one.
    assert_eq!(error("own").1.split_once(';').unwrap().0, "stdin is not a terminal");
    assert!(error("other").1.ends_with("mono, terminal, broken, bytes, own\n"));
}

/// Runs the program without a terminal, with this config directory. Returns its exit status and error.
fn error(config: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let run = Command::new(BINARY)
        .args(arguments)
        .env("XDG_CONFIG_HOME", config)
        .env("APPDATA", config)
        // A dumb terminal starts plain mode, which has no themes.
        .env("TERM", "xterm")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    (run.status.code(), String::from_utf8(run.stderr).unwrap())
}

#[cfg(unix)]
#[test]
fn theme_option_overrides_the_theme_setting() {
    let (state, _) = with_config("theme = \"paper\"\n");
    for (arguments, shown) in [(&[][..], "paper"), (&["--theme", "blueprint"], "blueprint")] {
        let mut terminal = Terminal::run_with(arguments, &state);
        terminal.wait_for("q quit");
        let paints = |name: &str, depth| {
            let written = match theme(name).at(depth).paper().bg {
                Some(Color::Rgb(red, green, blue)) => format!("48;2;{red};{green};{blue}"),
                Some(Color::Indexed(index)) => format!("48;5;{index}"),
                other => panic!("{other:?}"),
            };
            terminal.times_written(&written) > 0
        };
        let depths = [Depth::TrueColour, Depth::Indexed256];
        assert!(depths.iter().any(|&depth| paints(shown, depth)), "{shown}");
        assert!(!depths.iter().any(|&depth| paints("night", depth)), "{shown}");
        terminal.leave_by("q");
    }
}

fn press(app: &mut App, keys: &str) {
    for key in keys.chars() {
        let code = match key {
            '\r' => KeyCode::Enter,
            '\t' => KeyCode::Tab,
            '\x1b' => KeyCode::Esc,
            letter => KeyCode::Char(letter),
        };
        app.update(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    }
}

fn drawn(app: &App, width: u16, height: u16) -> Buffer {
    let mut buffer = Buffer::empty(Rect::new(0, 0, width, height));
    app.draw(buffer.area, &mut buffer);
    buffer
}

fn text(buffer: &Buffer) -> String {
    buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect()
}

/// The key selects the next theme, except during text input or without another theme.
#[test]
fn key_switches_to_the_next_theme() {
    let paper = |app: &App| drawn(app, 80, 24)[(79, 0)].bg;
    let skin = Skin::default().with_theme(theme("paper"));
    let mut app = App::new(skin, 1).with_themes(|| all().collect());
    assert!(text(&drawn(&app, 80, 24)).contains("T theme"));
    let first = paper(&app);
    let mut papers = vec![first];
    for _ in 1..built_in_names().len() {
        press(&mut app, "T");
        papers.push(paper(&app));
    }
    press(&mut app, "T");
    assert_eq!(paper(&app), first);
    let own = papers.iter().filter(|paper| **paper == Color::Reset).count();
    assert_eq!(own, 2, "mono and terminal: {papers:?}");
    papers.sort_unstable_by_key(Color::to_string);
    papers.dedup();
    assert_eq!(papers.len(), PAINTING.len() + 1);
    // In a menu and in the help too.
    press(&mut app, "?T");
    assert_ne!(paper(&app), first);
    assert!(text(&drawn(&app, 80, 24)).contains("theme"));
    // In a typed move it is a letter.
    let entry = catalogue::find("quixo").unwrap();
    app.begin(samples::open(entry, ""));
    let before = paper(&app);
    press(&mut app, ":T");
    assert_eq!(paper(&app), before);
    assert!(text(&drawn(&app, 80, 24)).contains(":T"));
    // Without other themes the key has no effect.
    let mut app = App::new(skin, 1);
    press(&mut app, "T");
    let screen = drawn(&app, 80, 24);
    assert_eq!((screen[(79, 0)].bg, text(&screen).contains("theme")), (first, false));
}
