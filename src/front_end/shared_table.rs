//! Shows a shared table in this terminal, on screens or in plain mode.

use super::appearance::Appearance;
use super::disk_host::{self, DiskHost};
use super::plain_mode;
use crate::app::OpenMatch;
use crate::net::client::{self, Client};
use crate::net::route::Route;
use crate::net::seat_file::SeatFile;
use crate::net::{Arrival, Follower};
use crate::plain::Options;
use crate::platform::keeper::Keeper;
use crate::play::Table;

/// How this terminal shows a table.
pub enum Display {
    Screens(Appearance),
    /// In plain mode; holds the lines to print first.
    Lines(Options, Vec<String>),
}

/// Joins a table and shows it until the player leaves. `seat` stores the token of the seat; a lobby, where several people
/// share one account, passes `None`.
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

/// Opens a table for a match with guests and shows it to the host.
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

/// Shows a table that this terminal has joined.
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
