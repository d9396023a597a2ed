//! Arbitrary text as a move or a setup is either accepted, or rejected with a reason.

use crate::common::samples::open;
use crate::common::untimed::Untimed;
use proptest::prelude::*;
use quadrille::app::OpenMatch;
use quadrille_match::session::Conditions;
use quadrille_rules::{OptionSpec, Setup};
use quadrille_table::catalogue::{GAMES, GameEntry};

fn anything() -> impl Strategy<Value = String> {
    prop::collection::vec(any::<char>(), 0..12).prop_map(String::from_iter)
}

/// Any text, and text that resembles a move.
fn move_text() -> impl Strategy<Value = String> {
    prop_oneof![
        anything(),
        "[HV]?[0-9]{1,4},[0-9]{1,4}(-[0-9]{1,4},[0-9]{1,4})?",
        "[A-Za-z]?[0-9]{1,3}(-[A-Za-z]?[0-9]{1,3})?",
        "[-0-9A-Za-z,;:.=@٣é]{0,12}",
    ]
}

/// Any text, and text that resembles the value of an option.
fn value_text() -> impl Strategy<Value = String> {
    prop_oneof![
        anything(),
        "[0-9]{0,11}",
        "(spread|random|clustered|grid|circle|double-circle|spiral|onion|zigzag|eight|offense|next|seat1):?[0-9]{0,4}",
        "([01](\\.[0-9]{0,7})?,[01](\\.[0-9]{0,7})?;?){0,6}",
        "[-XO]{0,27}",
    ]
}

/// A game, and values for some of its options, their shorthands, and an unknown name.
fn words() -> impl Strategy<Value = (&'static GameEntry, Vec<String>)> {
    let entry = any::<prop::sample::Index>().prop_map(|index| index.get(&GAMES));
    let picks = prop::collection::vec((any::<prop::sample::Index>(), value_text()), 0..4);
    (entry, picks).prop_map(|(entry, picks)| {
        let options = (entry.options)(&Setup::new());
        let mut names: Vec<&str> = options.iter().map(OptionSpec::name).collect();
        names.extend(options.iter().filter_map(OptionSpec::shorthand));
        names.push("colour");
        let word =
            |(pick, value): (prop::sample::Index, String)| format!("{}={value}", pick.get(&names));
        (entry, picks.into_iter().map(word).collect())
    })
}

fn assert_reason(reason: &str) -> Result<(), TestCaseError> {
    prop_assert!(!reason.is_empty() && !reason.contains(char::is_control), "{reason:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn arbitrary_move_text_is_handled(texts in prop::collection::vec(move_text(), 1..20)) {
        for entry in &GAMES {
            let mut match_board = open(entry, "");
            for text in &texts {
                let before = (match_board.current_match().ply(), match_board.current_match().board());
                if let Err(refusal) = match_board.play(text) {
                    assert_reason(&refusal.to_string())?;
                    prop_assert_eq!((match_board.current_match().ply(), match_board.current_match().board()), before);
                }
                prop_assert_eq!(match_board.current_match().now().validate(), Ok(()));
            }
        }
    }

    #[test]
    fn arbitrary_setup_words_are_handled((entry, words) in words(), mv in move_text()) {
        let open = |setup: Setup| OpenMatch::opened(entry, &setup, Conditions::default());
        match Setup::from_words(&words).and_then(open) {
            Ok(mut match_board) => {
                prop_assert_eq!(match_board.current_match().now().validate(), Ok(()));
                let again = (entry.start)(&match_board.current_match().setup()).unwrap();
                prop_assert_eq!(again.board(), match_board.current_match().board());
                let _ = match_board.play(&mv);
                prop_assert_eq!(match_board.current_match().now().validate(), Ok(()));
            }
            Err(error) => assert_reason(&error.to_string())?,
        }
    }

    #[test]
    fn arbitrary_setup_text_is_handled(text in anything(), name in "[a-z=]{0,6}", value in value_text()) {
        for text in [text, format!("{name}={value}"), format!("{name} {value}")] {
            match text.parse::<Setup>() {
                Ok(setup) => {
                    prop_assert_eq!(setup.to_string().parse::<Setup>(), Ok(setup.clone()));
                    for entry in &GAMES {
                        for option in (entry.options)(&setup) {
                            if let OptionSpec::Number(number) = option {
                                let has_default = (number.min..=number.max).contains(&number.default);
                                prop_assert!(has_default || number.min > number.max, "{}", number.name);
                            }
                            prop_assert!(!option.values().is_empty());
                        }
                        if let Err(error) = (entry.start)(&setup) {
                            assert_reason(&error.to_string())?;
                        }
                    }
                }
                Err(error) => assert_reason(&error.to_string())?,
            }
        }
    }
}
