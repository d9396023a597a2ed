//! Shows a shared table in this terminal, on screens or in text.

use super::appearance::Appearance;
use super::disk_host::{self, DiskHost};
use crate::app::OpenMatch;
use crate::net::client::{self, Client};
use crate::net::route::Route;
use crate::net::seat_file::SeatFile;
use crate::net::{Arrival, Follower};
use crate::platform::keeper::Keeper;
use crate::play::Table;

/// Joins a table and shows it until the player leaves. `seat` stores the seat's token; a lobby, where several people
/// share one account, passes `None`.
pub fn follow_table(
    route: Route,
    mut arrival: Arrival,
    seat: Option<SeatFile>,
    appearance: &Appearance,
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
    show(far, table, appearance, is_kiosk)
}

/// Opens a table for a match with guests and shows it to the host.
pub fn host_table(
    mut table: Table,
    mut keeper: Keeper,
    is_shared: bool,
    appearance: &Appearance,
) -> anyhow::Result<()> {
    let idle = appearance.settings.table_idle();
    let (far, table) = client::host(&mut table, &mut keeper, is_shared, idle)?;
    show(far, table, appearance, false)
}

/// Shows a table that this terminal has joined.
pub fn show(
    far: Client,
    table: Table,
    appearance: &Appearance,
    is_kiosk: bool,
) -> anyhow::Result<()> {
    let is_let_in = far.has_waited() && appearance.text.is_none();
    let mut disk_host = DiskHost::new(Keeper::new(None), appearance).with_client(far);
    let is_host = table.peers().is_some_and(|peers| peers.is_host);
    let mut app = appearance.app();
    if is_host {
        app = appearance.stay_or_leave_home(app);
        app.move_to_table(table);
    } else {
        app = app.with_table(OpenMatch::resumed(table), is_kiosk);
    }
    if is_let_in {
        app = app.let_in_by_others();
    }
    disk_host::run(app, &mut disk_host)
}
