//! `quadrille man`: prints the manual pages.

use super::usage;
use clap::Command;
use clap::builder::Resettable;
use clap_mangen::Man;
use std::io::Write;

/// Print the manual page in roff format
#[derive(Debug, clap::Args)]
pub(super) struct ManArgs {
    /// The command; without it, one page covers all commands
    command: Option<String>,
}

pub(super) fn run(args: &ManArgs, command: Command, out: &mut impl Write) -> anyhow::Result<()> {
    // Reset the long version, since a manual should not say how this program was built.
    let mut command = command.long_version(Resettable::Reset);
    command.build();
    let Some(name) = &args.command else { return page(command, out) };
    let known = command.find_subcommand(name).filter(|sub| is_shown(sub)).cloned();
    let known = known.ok_or_else(|| usage(format!("man {name}: unknown command")))?;
    page(known.version(env!("CARGO_PKG_VERSION")), out)
}

fn is_shown(command: &Command) -> bool {
    command.get_name() != "help"
}

/// Prints a command's manual page, with a section for each subcommand.
fn page(command: Command, out: &mut impl Write) -> anyhow::Result<()> {
    let subcommands: Vec<Command> =
        command.get_subcommands().filter(|sub| is_shown(sub)).cloned().collect();
    let name = command.get_bin_name().unwrap_or("quadrille").to_uppercase();
    let more = command.get_after_help().is_some();
    let page = Man::new(command).source(concat!("quadrille ", env!("CARGO_PKG_VERSION")));
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    for subcommand in subcommands {
        writeln!(out, ".SH {name} {}", subcommand.get_name().to_uppercase())?;
        let more = subcommand.get_after_help().is_some();
        let (mut text, man) = (Vec::new(), Man::new(subcommand));
        man.render_synopsis_section(&mut text)?;
        man.render_description_section(&mut text)?;
        man.render_options_section(&mut text)?;
        if more {
            man.render_extra_section(&mut text)?;
        }
        write!(out, "{}", String::from_utf8_lossy(&text).replace(".SH ", ".SS "))?;
    }
    if more {
        page.render_extra_section(out)?;
    }
    page.render_version_section(out)?;
    Ok(())
}
