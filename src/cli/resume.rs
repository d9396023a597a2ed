//! `quadrille resume`: straight into the match that was left last.

use super::looks::Looks;
use super::play;
use super::secretary::{self, LOST, Secretary};

/// Go on with the match that was left last
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

pub(super) fn run(looks: &Looks) -> anyhow::Result<()> {
    let skin = looks.on_the_terminal()?;
    let mut secretary = Secretary::new();
    let (sitting, lost) = secretary.latest()?;
    let mut app = play::app(skin).with_match(sitting);
    if let Some(lost) = lost {
        app.warn(LOST, &lost);
    }
    secretary::run(app, &mut secretary)
}
