use super::*;
use proptest::prelude::*;
use quadrille_rules::Setup;
use std::num::NonZeroU32;
use std::time::Duration;

fn command(line: &str) -> Command {
    line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn reply(line: &str) -> Reply {
    line.parse().unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn refused(line: &str) -> String {
    line.parse::<Command>().unwrap_err().to_string()
}

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

#[test]
fn commands_are_parsed() {
    assert_eq!(command("ugi"), Command::Ugi);
    assert_eq!(command("\t isready \r"), Command::IsReady);
    assert_eq!(
        command("setoption  name Move  Overhead value  a  b "),
        Command::SetOption { name: "Move Overhead".to_owned(), value: Some("a  b".to_owned()) }
    );
    assert_eq!(
        command("setoption name Clear Hash"),
        Command::SetOption { name: "Clear Hash".to_owned(), value: None }
    );
    assert_eq!(
        command("setoption name Setup value"),
        Command::SetOption { name: "Setup".to_owned(), value: Some(String::new()) }
    );
    assert_eq!(
        command("position fen rows=3  cols=4 moves H0,0 V0,0"),
        Command::Position {
            start: Start::Setup(Setup::new().with("rows", 3).with("cols", 4)),
            moves: texts(&["H0,0", "V0,0"])
        }
    );
    for line in ["position startpos", "position  now startpos now moves"] {
        assert_eq!(
            command(line),
            Command::Position { start: Start::Options, moves: Vec::new() },
            "{line}"
        );
    }
    for query in Query::ALL {
        assert_eq!(command(&format!("query {} please", query.word())), Command::Query(query));
    }
    assert_eq!(command("legal a1 b2"), Command::Legal(texts(&["a1", "b2"])));
}

#[test]
fn go_parses_its_limits() {
    let go = |line: &str| match command(line) {
        Command::Go(go) => *go,
        other => panic!("{other}"),
    };
    let millis = Duration::from_millis;
    let clock = |left, increment| Some(Clock { left: millis(left), increment: millis(increment) });
    let read = go("go p1time 100 ponder p2time -20 p1inc 5 p8inc 7 p9time 1 p01time 1");
    let mut clocks = [None; SEATS];
    (clocks[0], clocks[1], clocks[7]) = (clock(100, 5), clock(0, 0), clock(0, 7));
    assert_eq!(read, Go { clocks, ..Go::default() });
    assert!(!read.is_endless());
    let read = go("go movetime 250 searchmoves a1 b2 depth 3 multipv 2 nodes 9000000000");
    let (depth, nodes) = (Some(3), Some(9_000_000_000));
    let (move_time, multipv) = (Some(millis(250)), NonZeroU32::new(2));
    let search_moves = texts(&["a1", "b2"]);
    assert_eq!(read, Go { move_time, depth, nodes, multipv, search_moves, ..Go::default() });
    assert!(go("go").is_endless() && go("go infinite").is_endless());
    assert!(go("go depth 3 infinite").is_endless());
}

#[test]
fn invalid_command_error_names_the_fault() {
    assert_eq!(refused("uci"), "unknown command \"uci\"");
    assert_eq!(refused(" "), "the line is empty");
    assert_eq!(refused("go depth"), "depth: a number is missing");
    assert_eq!(refused("go depth x"), "depth: \"x\" is not a number it takes");
    assert_eq!(refused("go nodes -1"), "nodes: \"-1\" is not a number it takes");
    assert_eq!(refused("go multipv 0"), "multipv: \"0\" is not a number it takes");
    assert_eq!(refused("go searchmoves depth 3"), "searchmoves: a move is missing");
    assert_eq!(refused("position fen rows"), "position: rows: must be written key=value");
    assert!(refused("position").contains("position startpos"));
    assert!(refused("setoption Game value quixo").contains("setoption name"));
    assert_eq!(
        refused("query score"),
        "query: unknown keyword \"score\"; choose gameover, p1turn, result, turn, legal, state, values"
    );
    assert!(!refused("\u{1b}[2J\u{202e}").contains(|c: char| c.is_control()));
    assert!(refused(&"x".repeat(70_000)).len() < 100);
}

#[test]
fn unknown_words_are_skipped_and_reported() {
    let passed_over = |line: &str| Command::read(line).unwrap().1;
    for line in [
        "isready",
        "position fen rows=3 moves a b",
        "go depth 3 p1time 5 multipv 2 searchmoves ponder",
        "setoption name A b value c d",
        "legal a b c",
        "query legal",
    ] {
        assert_eq!(passed_over(line), [""; 0], "{line}");
    }
    assert_eq!(passed_over("go ponder depth 3 movestogo 40"), ["ponder", "movestogo", "40"]);
    assert_eq!(passed_over("position now startpos then moves a"), ["now", "then"]);
    assert_eq!(passed_over("setoption the name A"), ["the"]);
    assert_eq!(passed_over("query legal moves please"), ["moves", "please"]);
    assert_eq!(passed_over("stop now"), ["now"]);
}

#[test]
fn replies_are_parsed() {
    assert_eq!(reply("id name A b"), Reply::Name("A b".to_owned()));
    assert_eq!(reply("bestmove a1 ponder b2"), Reply::BestMove(Some("a1".to_owned())));
    assert_eq!(reply(" bestmove none\r"), Reply::BestMove(None));
    assert_eq!(reply("response"), Reply::Response(String::new()));
    let Reply::Info(info) = reply(
        "info depth 4 hm seldepth x score cp -57 lowerbound time 12 nodes 197 tthits 12 \
         hashfull 0 pv f1 b1 string all  is well",
    ) else {
        panic!()
    };
    let expected = Info {
        depth: Some(4),
        score: Some(UgiScore::CpLower(-57)),
        time: Some(Duration::from_millis(12)),
        nodes: Some(197),
        tthits: Some(12),
        hashfull: Some(0),
        pv: texts(&["f1", "b1"]),
        string: Some("all  is well".to_owned()),
        ..Info::default()
    };
    assert_eq!(*info, expected);
    for line in ["", "hello", "bestmove", "id", "option name", "option name A type b"] {
        assert!(line.parse::<Reply>().is_err(), "{line}");
    }
    let option = |line: &str| match reply(line) {
        Reply::Option(option) => option.kind,
        other => panic!("{other}"),
    };
    assert_eq!(
        option("option name Legal type check default true"),
        OptionKind::Check { default: true }
    );
    assert_eq!(
        option("option name A type spin default 5"),
        OptionKind::Spin { default: 5, min: i64::MIN, max: i64::MAX }
    );
    assert_eq!(
        option("option name A B type combo default c d var c d var e"),
        OptionKind::Combo { default: "c d".to_owned(), vars: texts(&["c d", "e"]) }
    );
    assert_eq!(
        option("option name A type string default <empty>"),
        OptionKind::Text { default: String::new() }
    );
}

#[test]
fn option_accepts_only_declared_values() {
    let accept = |line: &str, value: &str| match reply(line) {
        Reply::Option(option) => option.accept(Some(value)).map_err(|error| error.to_string()),
        other => panic!("{other}"),
    };
    let spin = "option name Hash type spin default 5 min 1 max 9";
    assert_eq!(accept(spin, "09"), Ok("9".to_owned()));
    let reason = "Hash: must be a whole number from 1 to 9, not \"10\"";
    assert_eq!(accept(spin, "10"), Err(reason.to_owned()));
    let combo = "option name Level type combo default low var low var high";
    assert_eq!(accept(combo, "HIGH"), Ok("high".to_owned()));
    assert_eq!(accept(combo, ""), Err("Level: must be low or high, not \"\"".to_owned()));
    assert_eq!(accept("option name A type check default true", "False"), Ok("false".to_owned()));
    assert_eq!(accept("option name A type string default b", "<empty>"), Ok(String::new()));
}

/// Returns a word that is not a keyword. No keyword begins with its first letter.
fn word() -> impl Strategy<Value = String> {
    "[xzK][a-zA-Z0-9,:-]{0,8}"
}

fn words() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(word(), 0..5)
}

/// Returns a text without blanks at its ends.
fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(word(), 1..4).prop_map(|words| words.join(" "))
}

fn millis() -> impl Strategy<Value = Duration> {
    (0..=i64::MAX as u64).prop_map(Duration::from_millis)
}

fn go() -> impl Strategy<Value = Go> {
    let clock = (millis(), millis()).prop_map(|(left, increment)| Clock { left, increment });
    let clocks = prop::array::uniform8(prop::option::of(clock));
    let end = (prop::option::of(millis()), any::<Option<u32>>(), any::<Option<u64>>());
    let what = (any::<Option<NonZeroU32>>(), words());
    (clocks, end, any::<bool>(), what).prop_map(
        |(clocks, (move_time, depth, nodes), infinite, (multipv, search_moves))| Go {
            move_time,
            clocks,
            depth,
            nodes,
            infinite,
            multipv,
            search_moves,
        },
    )
}

fn setup() -> impl Strategy<Value = Setup> {
    let values = prop::collection::btree_map("[a-z]{1,5}", "[a-z0-9,;.@=]{0,9}", 0..4);
    values.prop_map(|values| {
        values.into_iter().fold(Setup::new(), |setup, (key, value)| setup.with(&key, value))
    })
}

fn any_command() -> impl Strategy<Value = Command> {
    let start = prop_oneof![Just(Start::Options), setup().prop_map(Start::Setup)];
    prop_oneof![
        prop::sample::select(vec![
            Command::Ugi,
            Command::IsReady,
            Command::NewGame,
            Command::Stop,
            Command::Quit
        ]),
        (text(), prop::option::of(text()))
            .prop_map(|(name, value)| Command::SetOption { name, value }),
        (start, words()).prop_map(|(start, moves)| Command::Position { start, moves }),
        go().prop_map(|go| Command::Go(Box::new(go))),
        prop::sample::select(Query::ALL.to_vec()).prop_map(Command::Query),
        words().prop_map(Command::Legal),
    ]
}

fn any_option() -> impl Strategy<Value = UgiOption> {
    let text_or_none = || prop_oneof![Just(String::new()), text()];
    let spin = prop::array::uniform3(any::<i64>()).prop_map(|mut numbers| {
        numbers.sort_unstable();
        let [min, default, max] = numbers;
        OptionKind::Spin { default, min, max }
    });
    let kind = prop_oneof![
        any::<bool>().prop_map(|default| OptionKind::Check { default }),
        spin,
        (text_or_none(), prop::collection::vec(text(), 0..4))
            .prop_map(|(default, vars)| OptionKind::Combo { default, vars }),
        Just(OptionKind::Button),
        text_or_none().prop_map(|default| OptionKind::Text { default }),
    ];
    (text(), kind).prop_map(|(name, kind)| UgiOption { name, kind })
}

fn any_info() -> impl Strategy<Value = Info> {
    let score = prop_oneof![
        any::<i32>().prop_map(UgiScore::Cp),
        any::<i32>().prop_map(UgiScore::CpLower),
        any::<i32>().prop_map(UgiScore::CpUpper),
        any::<i32>().prop_map(UgiScore::Mate),
    ];
    let small = any::<[Option<u32>; 6]>();
    let large = any::<[Option<u64>; 4]>();
    let lines = prop::array::uniform3(words());
    let texts = (prop::option::of(word()), prop::option::of(text()));
    let time = prop::option::of(millis());
    (small, large, lines, texts, time, prop::option::of(score)).prop_map(
        |(small, large, [refutation, currline, pv], (currmove, string), time, score)| Info {
            depth: small[0],
            seldepth: small[1],
            multipv: small[2],
            hashfull: small[3],
            cpuload: small[4],
            currmovenumber: small[5],
            nodes: large[0],
            nps: large[1],
            tthits: large[2],
            tbhits: large[3],
            time,
            score,
            currmove,
            refutation,
            currline,
            pv,
            string,
        },
    )
}

fn any_reply() -> impl Strategy<Value = Reply> {
    prop_oneof![
        text().prop_map(Reply::Name),
        text().prop_map(Reply::Author),
        any_option().prop_map(Reply::Option),
        Just(Reply::UgiOk),
        Just(Reply::ReadyOk),
        any_info().prop_map(|info| Reply::Info(Box::new(info))),
        prop::option::of(word()).prop_map(Reply::BestMove),
        prop_oneof![Just(String::new()), text()].prop_map(Reply::Response),
    ]
}

/// Returns a line of keywords, numbers and random text.
fn babble() -> impl Strategy<Value = String> {
    let known = [
        "ugi",
        "setoption",
        "name",
        "value",
        "position",
        "startpos",
        "fen",
        "moves",
        "go",
        "depth",
        "movetime",
        "p1time",
        "p2inc",
        "query",
        "info",
        "score",
        "cp",
        "mate",
        "pv",
        "string",
        "option",
        "type",
        "spin",
        "combo",
        "default",
        "min",
        "max",
        "var",
        "bestmove",
        "id",
        "-1",
        "7",
        "99999999999999999999",
        "a=b",
        "none",
        "<empty>",
    ];
    let word = prop_oneof![3 => prop::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => any::<String>()];
    prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn command_text_round_trips(command in any_command()) {
        let line = command.to_string();
        prop_assert_eq!(line.parse(), Ok(command), "{}", line);
    }

    #[test]
    fn reply_text_round_trips(reply in any_reply()) {
        let line = reply.to_string();
        prop_assert_eq!(line.parse(), Ok(reply), "{}", line);
    }

    #[test]
    fn parser_ignores_repeated_blanks(command in any_command()) {
        let line = format!(" {} \r", command.to_string().replace(' ', " \t "));
        let same = !matches!(command, Command::SetOption { .. });
        prop_assert!(line.parse() == Ok(command) || !same, "{}", line);
    }

    #[test]
    fn any_line_parses_without_panic_to_one_line(line in babble()) {
        for text in [
            line.parse::<Command>()
                .map_or_else(|error| error.to_string(), |command| command.to_string()),
            line.parse::<Reply>()
                .map_or_else(|error| error.to_string(), |reply| reply.to_string()),
        ] {
            prop_assert!(!text.contains(['\n', '\r']), "{:?}", text);
        }
    }

    #[test]
    fn line_buffer_output_ignores_chunk_sizes(
        bytes in prop::collection::vec(prop::sample::select(b"\r\nab\xc3\xa4".to_vec()), 0..60),
        pieces in prop::collection::vec(1_usize..7, 1..9),
    ) {
        let read = |sizes: &[usize]| {
            let (mut lines, mut rest, mut all) = (LineBuffer::new(6), &bytes[..], Vec::new());
            for size in sizes.iter().cycle() {
                let (piece, after) = rest.split_at(*size.min(&rest.len()));
                all.extend(lines.feed(piece));
                rest = after;
                if rest.is_empty() {
                    break;
                }
            }
            all.extend(lines.finish().map(Ok));
            all
        };
        prop_assert_eq!(read(&pieces), read(&[usize::MAX]));
    }
}
