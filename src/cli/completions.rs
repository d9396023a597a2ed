//! `quadrille completions`: prints a shell completion script.

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use clap_complete::Shell;
use std::io::{self, Write};

/// Print a shell completion script
#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(super) fn run(
    args: &CompletionsArgs,
    mut command: Command,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    // The generator panics on a write error, so let it write to a buffer.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "quadrille", &mut script);
    out.write_all(&script)?;
    if args.shell == Shell::Fish {
        for subcommand in command.get_subcommands() {
            let at = format!("__fish_quadrille_using_subcommand {}", subcommand.get_name());
            write_fish_values(subcommand, &at, out)?;
            for inner in subcommand.get_subcommands() {
                let at = format!("{at}; and __fish_seen_subcommand_from {}", inner.get_name());
                write_fish_values(inner, &at, out)?;
            }
        }
    }
    Ok(())
}

/// Writes the values of positional arguments, such as the games, for fish. The generator omits these values, and fish
/// would complete file names instead.
fn write_fish_values(command: &Command, at: &str, out: &mut impl Write) -> io::Result<()> {
    let values: Vec<_> = command.get_positionals().flat_map(Arg::get_possible_values).collect();
    if values.is_empty() {
        return Ok(());
    }
    writeln!(out, "complete -c quadrille -n \"{at}\" -f")?;
    let names: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
    let at = format!("{at}; and not __fish_seen_subcommand_from {}", names.join(" "));
    for value in values {
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        let (name, help) = (value.get_name(), help.replace('\'', "\\'"));
        writeln!(out, "complete -c quadrille -n \"{at}\" -a {name} -d '{help}'")?;
    }
    Ok(())
}
