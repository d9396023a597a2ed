//! A player with the program's own connection and copy of the match, without a screen.

use crate::common::chance::Chance;
use quadrille_match::session::Step;
use quadrille_net::client::Client;
use quadrille_net::protocol::{Hello, SeatRequest};
use quadrille_net::route::Route;
use quadrille_net::{Follower, JoinRequest};
use quadrille_rules::Seat;
use quadrille_table::play::{ClientRequest, LineState, Table, TableNews};

pub(super) struct TestPlayer {
    pub client: Client,
    pub table: Table,
    pub seat: Option<Seat>,
}

impl TestPlayer {
    /// Joins at this seat with this token, or watches.
    pub fn join(
        route: Route,
        name: &str,
        token: Option<&str>,
        seat: Option<u8>,
    ) -> anyhow::Result<TestPlayer> {
        let wanted = if seat.is_some() { SeatRequest::Any } else { SeatRequest::Watch };
        let token = token.map(str::to_owned);
        let hello = Hello { name: name.to_owned(), wanted, token, ..Hello::default() };
        let follower = Follower::new(JoinRequest { hello, ..JoinRequest::default() });
        let (client, table) = Client::connect(route, follower)?;
        Ok(TestPlayer { client, table, seat: seat.map(Seat::new) })
    }

    pub fn line(&self) -> &LineState {
        &self.table.peers().unwrap().line
    }

    pub fn request(&mut self, request: ClientRequest) {
        self.table.peers_mut().unwrap().request(request).unwrap();
        self.client.send(&mut self.table);
    }

    /// Processes incoming lines. Reconnects at once, like Enter.
    pub fn receive(&mut self) {
        let news = self.client.receive(&mut self.table);
        match self.line() {
            LineState::Closed(why) => panic!("{why}"),
            LineState::Down(_) if news.contains(&TableNews::Line) => {
                self.request(ClientRequest::TryNow);
            }
            _ => {}
        }
    }

    /// Plays if possible: the move already decided for this ply, or a new decision.
    pub fn play(&mut self, decided: &mut Vec<String>, chance: &mut Chance) {
        let game = self.table.current_match();
        let Some(seat) = self.seat.filter(|_| game.to_move() == self.seat) else { return };
        if !self.table.peers().unwrap().is_ready() {
            return;
        }
        let ply = game.ply();
        if decided.len() == ply {
            decided.push(chance.pick(&game.legal_moves()).unwrap().clone());
        }
        self.request(ClientRequest::Take(seat, Step::Play(decided[ply].clone())));
    }

    pub fn log(&self) -> Vec<String> {
        log(&self.table)
    }
}

pub(super) fn log(table: &Table) -> Vec<String> {
    table.session().log().iter().map(ToString::to_string).collect()
}
