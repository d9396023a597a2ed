//! A terminal at a table: the screens or the lines of plain mode over its line.

use super::route::Route;
use crate::remote::protocol::Wanted;
use anyhow::bail;

/// Somebody who comes to a table from this terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guest {
    pub name: String,
    pub wanted: Wanted,
    /// Whether the table is at somebody else's, who lets nothing be done here but play.
    pub is_kiosk: bool,
}

/// Shows a table until somebody leaves it.
pub fn follow_table(route: Route, guest: Guest) -> anyhow::Result<()> {
    let _ = (route, guest);
    bail!("this terminal cannot show a table yet")
}
