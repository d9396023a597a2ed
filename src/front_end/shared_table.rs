//! Shows a shared table in this terminal, on screens or in text.

use super::appearance::Appearance;
use super::disk_host::{self, DiskHost};
use crate::app::OpenMatch;
use crate::net::client::{self, Client, EarlyInput};
use crate::net::route::Route;
use crate::net::seat_file::SeatFile;
use crate::net::{Arrival, Follower};
use crate::platform::keeper::Keeper;
use crate::play::Table;
use crate::text_ui::LineReader;

/// Joins a table and shows it until the player leaves. `seat` stores the seat's token, and a player with such a file
/// keeps records; a lobby, where several people share one account, passes `None`. `opens` is called before the screens
/// open, which handle signals from then on.
pub fn follow_table(
    route: Route,
    mut arrival: Arrival,
    seat: Option<SeatFile>,
    appearance: &Appearance,
    opens: &dyn Fn(),
) -> anyhow::Result<()> {
    if let Route::Shared(shared) = &route {
        arrival.hello.secret = Some(shared.secret.clone());
    }
    arrival.hello.token = seat.as_ref().and_then(SeatFile::token).map(str::to_owned);
    let (is_kiosk, keeps_records) = (arrival.is_kiosk, seat.is_some());
    let mut typed = LineReader::default();
    let mut read = || match typed.read() {
        Ok(()) if typed.has_quit() => EarlyInput::Quit,
        Ok(()) if !typed.has_ended => EarlyInput::Nothing,
        _ => EarlyInput::End,
    };
    let come = Client::come(route, Follower::new(arrival), Some(&mut read))?;
    let Some((mut far, table)) = come else { return Ok(()) };
    opens();
    if let Some(seat) = seat {
        far = far.with_seat_file(seat, &table);
    }
    let mut disk_host = host_of(far, appearance).with_typed(typed);
    if keeps_records {
        disk_host = disk_host.with_records();
    }
    let app = appearance.app().with_table(OpenMatch::resumed(table), is_kiosk);
    disk_host::run(app, &mut disk_host)
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
    show_to_host(far, table, appearance)
}

/// Shows a table to its host, whose match the table's process saves.
pub fn show_to_host(far: Client, table: Table, appearance: &Appearance) -> anyhow::Result<()> {
    let mut app = appearance.stay_or_leave_home(appearance.app());
    app.move_to_table(table);
    disk_host::run(app, &mut host_of(far, appearance))
}

fn host_of(far: Client, appearance: &Appearance) -> DiskHost {
    DiskHost::new(Keeper::new(None), appearance).with_client(far)
}
