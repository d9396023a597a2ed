//! Shows a shared table in this terminal, on screens or in text.

use super::appearance::{Appearance, new_table};
use super::disk_host::{self, DiskHost};
use crate::app::OpenMatch;
use crate::text_ui::LineReader;
use quadrille_net::JoinRequest;
use quadrille_net::client::{self, Client, EarlyInput};
use quadrille_net::open::NewTable;
use quadrille_net::route::Route;
use quadrille_net::seat_file::SeatFolder;
use quadrille_table::match_saver::MatchSaver;
use quadrille_table::play::Table;
use std::io::{IsTerminal, stdin};

/// Joins a table and shows it until the player leaves. `seats` stores the seats' tokens, and a player with such a
/// folder keeps records; a lobby, where several people share one account, passes `None`. `opens` is called before the
/// screens open, which handle signals from then on.
pub fn follow_table(
    route: Route,
    mut join_request: JoinRequest,
    seats: Option<SeatFolder>,
    appearance: &Appearance,
    opens: &dyn Fn(),
) -> anyhow::Result<()> {
    if let Route::Shared(shared) = &route {
        join_request.hello.secret = Some(shared.secret.clone());
    }
    let (is_kiosk, keeps_records) = (join_request.is_kiosk, seats.is_some());
    let mut typed = LineReader::new(stdin().is_terminal());
    let mut read = || match typed.read() {
        Ok(()) if typed.has_quit() => EarlyInput::Quit,
        Ok(()) if !typed.has_ended => EarlyInput::Nothing,
        _ => EarlyInput::End,
    };
    let joined = Client::join(route, join_request, seats, Some(&mut read))?;
    let Some((client, table)) = joined else { return Ok(()) };
    opens();
    let is_let_in = client.has_waited() && appearance.text.is_none();
    let mut disk_host = host_of(client, appearance).with_typed(typed);
    if keeps_records {
        disk_host = disk_host.with_records();
    }
    let mut app = appearance.app().with_table(OpenMatch::resumed(table), is_kiosk);
    if is_let_in {
        app = app.let_in_by_others();
    }
    disk_host::run(app, &mut disk_host)
}

/// Opens a table for a match with guests and shows it to the host.
pub fn host_table(
    mut table: Table,
    mut saver: MatchSaver,
    is_shared: bool,
    appearance: &Appearance,
) -> anyhow::Result<()> {
    let new = NewTable { is_shared, ..new_table(&appearance.settings) };
    let name = client::usual_name(&appearance.settings.name).unwrap_or_default();
    let (client, table) = client::host(&mut table, &mut saver, new, &name)?;
    show_to_host(client, table, Vec::new(), appearance)
}

/// Shows a table to its host, whose match the table's process saves, and these messages, each a title and a text.
pub fn show_to_host(
    client: Client,
    table: Table,
    messages: Vec<[String; 2]>,
    appearance: &Appearance,
) -> anyhow::Result<()> {
    let mut app = appearance.stay_or_leave_home(appearance.app());
    app.move_to_table(table);
    for [title, text] in messages {
        app.warn(&title, &text);
    }
    disk_host::run(app, &mut host_of(client, appearance))
}

fn host_of(client: Client, appearance: &Appearance) -> DiskHost {
    DiskHost::new(MatchSaver::new(None), appearance).with_client(client)
}
