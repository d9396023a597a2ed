//! A table on the screens or in the lines of this terminal.

use super::far_table::{self, FarTable};
use super::route::Route;
use super::seat_file::SeatFile;
use crate::app::OpenMatch;
use crate::host::disk_host::{self, DiskHost};
use crate::host::keeper::Keeper;
use crate::host::looks::Looks;
use crate::host::plain_mode;
use crate::plain::Options;
use crate::play::Table;
use crate::remote::Follower;
use crate::remote::protocol::Wanted;

/// Somebody who comes to a table from this terminal.
#[derive(Debug)]
pub struct Guest {
    pub name: String,
    pub wanted: Wanted,
    /// Whether the name is not their own choice, but that of the key by which they have come.
    pub is_vouched: bool,
    /// Whether the table is at somebody else's, who lets nothing be done here but play.
    pub is_kiosk: bool,
    /// Where the token of the seat is kept; `None` where several people share this account.
    pub seat: Option<SeatFile>,
}

/// How this terminal shows a table.
pub enum Display {
    Screens(Looks),
    /// In lines, which begin with these.
    Lines(Options, Vec<String>),
}

/// Comes to a table, and shows it until somebody leaves it.
pub fn follow_table(route: Route, guest: Guest, display: Display) -> anyhow::Result<()> {
    let Guest { name, wanted, is_vouched, is_kiosk, seat } = guest;
    let token = seat.as_ref().and_then(SeatFile::token).map(str::to_owned);
    let follower = Follower::new(name, wanted, token);
    let follower = match &route {
        Route::Shared(shared) => follower.with_secret(shared.secret.clone()),
        _ => follower,
    };
    let follower = if is_vouched { follower.as_vouched() } else { follower };
    let follower = if is_kiosk { follower.as_kiosk() } else { follower };
    let (mut far, table) = FarTable::come(route, follower)?;
    if let Some(seat) = seat {
        far = far.with_seat_file(seat, &table);
    }
    show(far, table, display, is_kiosk)
}

/// Opens a table for a match with guests, and shows it as its host.
pub fn host_table(
    mut table: Table,
    mut keeper: Keeper,
    is_shared: bool,
    display: Display,
) -> anyhow::Result<()> {
    let idle = match &display {
        Display::Screens(looks) => looks.settings.table_idle(),
        Display::Lines(options, _) => options.table_idle,
    };
    let (far, table) = far_table::host(&mut table, &mut keeper, is_shared, idle)?;
    show(far, table, display, false)
}

/// Shows a table that this terminal has come to.
pub fn show(far: FarTable, table: Table, display: Display, is_kiosk: bool) -> anyhow::Result<()> {
    match display {
        Display::Screens(looks) => {
            let mut disk_host = DiskHost::new(Keeper::new(None), &looks).with_far_table(far);
            let is_host = table.company().is_some_and(|company| company.is_host);
            let mut app = looks.app();
            if is_host {
                app.move_to_table(table);
            } else {
                app = app.with_table(OpenMatch::resumed(table), is_kiosk);
            }
            disk_host::run(app, &mut disk_host)
        }
        Display::Lines(options, warnings) => {
            plain_mode::run_at_table(far, table, warnings, options)
        }
    }
}
