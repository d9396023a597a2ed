//! `quadrille completions`: prints a shell completion script.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Command, ValueHint};
use clap_complete::Shell;
use quadrille_table::catalogue::GAMES;
use std::io::{self, Write};

/// Print a shell completion script
#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// The zsh function for a game or a file. The generator offers either values or files.
const ZSH_GAME_OR_FILE: &str = "_quadrille_game_or_file";
/// The hint of a game or a file, and the zsh function that the generator has for it.
const GAME_OR_FILE: (ValueHint, &str) = (ValueHint::Url, "_urls");

pub(super) fn run(
    args: &CompletionsArgs,
    command: Command,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut command = with_values(command, args.shell);
    // The generator panics on a write error, so let it write to a buffer.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "quadrille", &mut script);
    let script = String::from_utf8_lossy(&script);
    match args.shell {
        Shell::Fish => write_fish_script(&script, &command, out)?,
        Shell::Zsh => write_zsh_script(&script, out)?,
        _ => out.write_all(script.as_bytes())?,
    }
    Ok(())
}

/// Adds the values of arguments that are parsed as texts. Other texts are not completed as file names.
fn with_values(command: Command, shell: Shell) -> Command {
    let commands: Vec<String> =
        command.get_subcommands().map(|sub| sub.get_name().to_owned()).collect();
    let games = PossibleValuesParser::new(GAMES.iter().map(|entry| entry.id));
    command.mut_subcommands(|sub| {
        let name = sub.get_name().to_owned();
        hinted(sub).mut_args(|arg| match (&*name, arg.get_id().as_str()) {
            ("learn" | "solve", "what") => {
                let arg = arg.value_hint(GAME_OR_FILE.0);
                if shell == Shell::Zsh { arg } else { arg.value_parser(games.clone()) }
            }
            ("man", "command") => arg.value_parser(PossibleValuesParser::new(&commands)),
            ("puzzle", "which") => {
                arg.value_parser(PossibleValuesParser::new(quadrille_puzzles::games()))
            }
            _ => arg,
        })
    })
}

/// Hints that arguments of unknown form are not files. Arguments that are paths have a hint already.
fn hinted(command: Command) -> Command {
    let hint = |arg: Arg| match arg.get_value_hint() {
        ValueHint::Unknown if arg.get_action().takes_values() && !arg.is_hide_set() => {
            arg.value_hint(ValueHint::Other)
        }
        _ => arg,
    };
    command.mut_args(hint).mut_subcommands(hinted)
}

fn write_zsh_script(script: &str, out: &mut impl Write) -> io::Result<()> {
    let (head, rest) = script.split_once('\n').unwrap_or((script, ""));
    let games = GAMES.map(|entry| format!("{}\\:\"{}\"", entry.id, entry.tagline)).join(" ");
    writeln!(out, "{head}\n\n{ZSH_GAME_OR_FILE}() {{")?;
    writeln!(out, "    _alternative 'games:game:(({games}))' 'files:file:_files'\n}}")?;
    write!(out, "{}", rest.replace(GAME_OR_FILE.1, ZSH_GAME_OR_FILE))
}

/// The line of the fish script that parses the options before a subcommand. It fails on an option whose value is being
/// completed.
const FISH_PARSER: &str =
    "    argparse -s (__fish_quadrille_global_optspecs) -- $cmd 2>/dev/null\n";

fn write_fish_script(script: &str, command: &Command, out: &mut impl Write) -> io::Result<()> {
    let without_last = FISH_PARSER.replacen("    ", "    or ", 1).replace("$cmd", "$cmd[1..-2]");
    let parser = format!("{FISH_PARSER}{without_last}");
    for line in script.replacen(FISH_PARSER, &parser, 1).lines() {
        // The generator never offers a command after `help`, because it takes `help` for one.
        let is_help = line.contains("_using_subcommand help; and not ");
        let line = if is_help { line.replacen(" help\"", "\"", 1) } else { line.to_owned() };
        writeln!(out, "{line}")?;
    }
    for subcommand in command.get_subcommands() {
        let at = format!("__fish_quadrille_using_subcommand {}", subcommand.get_name());
        write_fish_values(subcommand, &at, out)?;
        for inner in subcommand.get_subcommands() {
            let at = format!("{at}; and __fish_seen_subcommand_from {}", inner.get_name());
            write_fish_values(inner, &at, out)?;
        }
    }
    Ok(())
}

/// Writes the values of positional arguments, such as the games, for fish. The generator omits these values, and fish
/// completes file names even where no file belongs.
fn write_fish_values(command: &Command, at: &str, out: &mut impl Write) -> io::Result<()> {
    let is_text = |arg: &Arg| arg.get_value_hint() == ValueHint::Other;
    if command.get_positionals().all(is_text) {
        writeln!(out, "complete -c quadrille -n \"{at}\" -f")?;
    }
    let values: Vec<_> = command.get_positionals().flat_map(Arg::get_possible_values).collect();
    let mut names: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
    names.extend(command.get_subcommands().map(Command::get_name));
    names.retain(|name| *name != command.get_name());
    let at = format!("{at}; and not __fish_seen_subcommand_from {}", names.join(" "));
    for value in &values {
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        let (name, help) = (value.get_name(), help.replace('\'', "\\'"));
        writeln!(out, "complete -c quadrille -n \"{at}\" -a {name} -d '{help}'")?;
    }
    Ok(())
}
