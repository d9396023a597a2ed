//! `quadrille man`: the manual page.

use clap::Command;
use clap_mangen::Man;
use std::io::Write;

/// Print the manual page, in roff
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

/// Prints one page. Each subcommand is a section of it.
pub(super) fn run(mut command: Command, out: &mut impl Write) -> anyhow::Result<()> {
    command.build();
    let subcommands: Vec<Command> =
        command.get_subcommands().filter(|sub| sub.get_name() != "help").cloned().collect();
    let page = Man::new(command);
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    for subcommand in subcommands {
        writeln!(out, ".SH QUADRILLE {}", subcommand.get_name().to_uppercase())?;
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
    page.render_extra_section(out)?;
    page.render_version_section(out)?;
    Ok(())
}
