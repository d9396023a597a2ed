//! stub
use super::display_args::Looks;
use crate::app::runtime::Ending;
use crate::arena::tournament::Watch;
use std::path::PathBuf;
pub(super) fn show(
    _: Watch,
    _: PathBuf,
    _: impl Fn(bool) + 'static,
    _: &Looks,
) -> anyhow::Result<Ending> {
    Ok(Ending::Quit)
}
