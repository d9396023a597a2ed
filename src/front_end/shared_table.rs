//! Shows a shared table in this terminal, on screens or in text.

use super::appearance::Appearance;
use super::disk_host::{self, DiskHost};
use crate::app::OpenMatch;
use crate::net::Arrival;
use crate::net::client::{self, Client};
use crate::net::open::NewTable;
use crate::net::route::Route;
use crate::net::seat_file::SeatFolder;
use crate::platform::keeper::Keeper;
use crate::play::Table;

/// Joins a table and shows it until the player leaves. `seats` stores the seats' tokens; a lobby, where several people
/// share one account, passes `None`.
pub fn follow_table(
    route: Route,
    mut arrival: Arrival,
    seats: Option<SeatFolder>,
    appearance: &Appearance,
) -> anyhow::Result<()> {
    if let Route::Shared(shared) = &route {
        arrival.hello.secret = Some(shared.secret.clone());
    }
    let is_kiosk = arrival.is_kiosk;
    let (far, table) = Client::join(route, arrival, seats)?;
    show(far, table, appearance, is_kiosk)
}

/// Opens a table for a match with guests and shows it to the host.
pub fn host_table(
    mut table: Table,
    mut keeper: Keeper,
    is_shared: bool,
    appearance: &Appearance,
) -> anyhow::Result<()> {
    let new = NewTable { is_shared, idle: appearance.settings.table_idle(), ..NewTable::default() };
    let (far, table) = client::host(&mut table, &mut keeper, new)?;
    show(far, table, appearance, false)
}

/// Shows a table that this terminal has joined.
pub fn show(
    far: Client,
    table: Table,
    appearance: &Appearance,
    is_kiosk: bool,
) -> anyhow::Result<()> {
    let mut disk_host = DiskHost::new(Keeper::new(None), appearance).with_client(far);
    let is_host = table.peers().is_some_and(|peers| peers.is_host);
    let mut app = appearance.app();
    if is_host {
        app = appearance.stay_or_leave_home(app);
        app.move_to_table(table);
    } else {
        app = app.with_table(OpenMatch::resumed(table), is_kiosk);
    }
    disk_host::run(app, &mut disk_host)
}
