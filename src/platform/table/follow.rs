//! A table on the screens or in the lines of this terminal.

use super::client::{self, Client};
use super::route::Route;
use super::seat_file::SeatFile;
use crate::app::OpenMatch;
use crate::plain::Options;
use crate::platform::appearance::Appearance;
use crate::platform::disk_host::{self, DiskHost};
use crate::platform::keeper::Keeper;
use crate::platform::plain_mode;
use crate::play::Table;
use crate::remote::{Arrival, Follower};

/// How this terminal shows a table.
pub enum Display {
    Screens(Appearance),
    /// In lines, which begin with these.
    Lines(Options, Vec<String>),
}

/// Comes to a table, and shows it until the player leaves it. The token of the seat is kept in `seat`, except where several
/// people share this account.
pub fn follow_table(
    route: Route,
    mut arrival: Arrival,
    seat: Option<SeatFile>,
    display: Display,
) -> anyhow::Result<()> {
    if let Route::Shared(shared) = &route {
        arrival.hello.secret = Some(shared.secret.clone());
    }
    arrival.hello.token = seat.as_ref().and_then(SeatFile::token).map(str::to_owned);
    let is_kiosk = arrival.is_kiosk;
    let (mut far, table) = Client::come(route, Follower::new(arrival))?;
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
        Display::Screens(appearance) => appearance.settings.table_idle(),
        Display::Lines(options, _) => options.table_idle,
    };
    let (far, table) = client::host(&mut table, &mut keeper, is_shared, idle)?;
    show(far, table, display, false)
}

/// Shows a table that this terminal has come to.
pub fn show(far: Client, table: Table, display: Display, is_kiosk: bool) -> anyhow::Result<()> {
    match display {
        Display::Screens(appearance) => {
            let mut disk_host = DiskHost::new(Keeper::new(None), &appearance).with_client(far);
            let is_host = table.peers().is_some_and(|peers| peers.is_host);
            let mut app = appearance.app();
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
