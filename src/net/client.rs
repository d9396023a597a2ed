//! A terminal's end of a shared table: its connection, and the copy of the match that follows the log.

use super::folder::HostedTable;
use super::link::{Link, LinkEvent};
use super::open;
use super::route::{Route, SharedTable};
use super::seat_file::SeatFile;
use crate::net::protocol::{GuestWord, Hello, TableWord, fit_name};
use crate::net::{Arrival, Follower};
use crate::platform::folders;
use crate::platform::keeper::Keeper;
use crate::platform::say;
use crate::play::{ClientRequest, LineState, LineWait, Peers, Table, TableNews};
use crate::session::Player;
use crate::store::MatchStore;
use crate::wording::list;
use anyhow::{anyhow, bail};
use rustix::process::geteuid;
use rustix::system::uname;
use std::env;
use std::path::Path;
use std::time::{Duration, Instant};

/// The text of the ping whose pong arrives after the whole match.
const ALL: &str = "all";
/// How long to wait for the match after the table's greeting.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long to wait for the players' consent. The table allows them one minute.
const CONSENT: Duration = Duration::from_secs(75);

/// How long to wait for the table to close the connection after a `bye`.
const FAREWELL: Duration = Duration::from_millis(500);

/// How long to process the table's messages before checking for key presses.
const AT_ONCE: Duration = Duration::from_millis(50);

/// A terminal's connection to a table.
pub struct Client {
    follower: Follower,
    /// `None` after this terminal has left or the table has closed.
    link: Option<Link>,
    /// The file that stores the seat's token, if there is one.
    seat: Option<SeatFile>,
    /// Events that arrived together with the match and were not returned yet.
    early: Option<Vec<TableNews>>,
    /// Whether joining needed the consent of others.
    has_waited: bool,
}

impl Client {
    /// Joins a table and waits for the current state of the match. The error is a sentence.
    pub fn come(route: Route, mut follower: Follower) -> anyhow::Result<(Client, Table)> {
        let mut link = Link::first(route).map_err(|why| anyhow!(why))?;
        let (mut end, mut is_asked) = (Instant::now() + PATIENCE, false);
        let pong = TableWord::Pong(ALL.to_owned()).to_string();
        let (mut come, mut steps, mut is_all_said) = (None, 0, false);
        let mut early = Vec::new();
        loop {
            while Instant::now() < end
                && let Some(event) = link.next_event()
            {
                match event {
                    LinkEvent::Up => follower.connected(),
                    LinkEvent::Down(why) => bail!(why),
                    LinkEvent::Line(line) => {
                        is_all_said |= line == pong;
                        let heard = follower.hear(&line, come.as_mut());
                        let heard = heard.map_err(|why| anyhow!(why))?;
                        heard.say.into_iter().for_each(|line| link.send(line));
                        if let Some(words) = heard.waits.filter(|_| !is_asked) {
                            is_asked = true;
                            say(&format!("{words}. Ctrl-C gives up."));
                            end = Instant::now() + CONSENT;
                        }
                        early.extend(heard.news.into_iter().filter(is_still_news));
                        if heard.table.is_some() {
                            (come, steps) = (heard.table, heard.steps);
                            // The pong arrives after the names and the clock.
                            link.send(GuestWord::Ping(ALL.to_owned()));
                        }
                    }
                }
            }
            let is_late = Instant::now() >= end;
            match come {
                Some(table) if is_late || is_all_said && table.session().log().len() >= steps => {
                    let (link, early, seat) = (Some(link), Some(early), None);
                    let far = Client { follower, link, seat, early, has_waited: is_asked };
                    return Ok((far, table));
                }
                None if is_late => bail!("the table stopped responding after its greeting"),
                _ => {}
            }
            link.wait(end)?;
        }
    }

    pub const fn has_waited(&self) -> bool {
        self.has_waited
    }

    /// Stores the seat's token in this file from now on.
    #[must_use]
    pub fn with_seat_file(mut self, seat: SeatFile, table: &Table) -> Client {
        self.seat = Some(seat);
        self.keep_token(table);
        self
    }

    /// Errors are ignored: without the token, returning after a crash only requires the host's consent.
    fn keep_token(&mut self, table: &Table) {
        if let (Some(seat), Some(token), Some(peers)) =
            (&mut self.seat, self.follower.token(), table.peers())
        {
            let _ = seat.keep(&peers.table, self.follower.name(), token);
        }
    }

    /// Returns the sources to poll before [`Client::keep_up`].
    pub fn line(&self) -> LineWait<'_> {
        let sources = self.link.iter().flat_map(Link::sources).collect();
        let now = self.early.is_some().then(Instant::now);
        LineWait { sources, deadline: now.or(self.link.as_ref().and_then(Link::deadline)) }
    }

    /// Sends and reads without blocking. Messages from the table are queued.
    pub fn keep_up(&mut self) {
        self.link.iter_mut().for_each(Link::turn);
    }

    /// Processes the queued messages.
    pub fn hear(&mut self, table: &mut Table) -> Vec<TableNews> {
        let mut news = self.early.take().unwrap_or_default();
        let end = Instant::now() + AT_ONCE;
        loop {
            self.keep_up();
            if !self.link.as_ref().is_some_and(Link::has_events) {
                break;
            }
            while let Some(event) = self.link.as_mut().and_then(Link::next_event) {
                self.hear_event(event, table, &mut news);
            }
            if Instant::now() >= end {
                break;
            }
        }
        self.keep_token(table);
        news
    }

    fn hear_event(&mut self, event: LinkEvent, table: &mut Table, news: &mut Vec<TableNews>) {
        match event {
            LinkEvent::Up => self.follower.connected(),
            LinkEvent::Down(why) => {
                self.follower.line_down(&why, table);
                if let (Some(peers), Some(link)) = (table.peers_mut(), &self.link) {
                    peers.needs_login = link.needs_login();
                }
                news.push(TableNews::Line);
            }
            LinkEvent::Line(line) => match self.follower.hear(&line, Some(table)) {
                Ok(progress) => {
                    self.say(progress.say);
                    news.extend(progress.news);
                    news.extend(progress.waits.map(TableNews::Refused));
                }
                Err(why) => {
                    let said = TableWord::parse(&line);
                    if !matches!(said, Some(TableWord::No(_) | TableWord::Full)) {
                        // The connection or a version mismatch is the cause, so the table still reserves the seat.
                        self.seat = None;
                    }
                    if let Some(peers) = table.peers_mut() {
                        peers.line = LineState::Closed(why);
                        peers.time_runs = false;
                    }
                    news.push(TableNews::Line);
                }
            },
        }
        if table.peers().is_some_and(Peers::is_closed) {
            self.link = None;
            self.seat.take().into_iter().for_each(SeatFile::forget);
        }
    }

    /// Reconnects. ssh may ask for a password on the terminal. The error is a sentence.
    pub fn log_in(&mut self) -> Result<(), String> {
        // Collect the table's first messages without waiting for later ones.
        self.early.get_or_insert_default();
        self.link.as_mut().map_or(Ok(()), Link::log_in)
    }

    /// Sends the requests queued in `table`.
    pub fn send(&mut self, table: &mut Table) {
        let requests = table.peers_mut().map(Peers::take_requests).unwrap_or_default();
        for request in requests {
            if request == ClientRequest::TryNow {
                self.link.iter_mut().for_each(Link::try_now);
            }
            let line = self.follower.say(request, table);
            self.say(line);
        }
    }

    pub fn leave(mut self) {
        let Some(mut link) = self.link.take() else { return };
        // If the connection is down, the table never receives the `bye` and keeps the seat reserved.
        let is_heard = link.is_up();
        link.send(GuestWord::Bye);
        if self.follower.is_host() {
            // If this was the last terminal, the table may close. Waiting prevents it from being listed as open.
            let end = Instant::now() + FAREWELL;
            while link.is_up() && Instant::now() < end && link.wait(end).is_ok() {}
        }
        link.close();
        self.seat.take().filter(|_| is_heard).into_iter().for_each(SeatFile::forget);
    }

    fn say(&mut self, lines: impl IntoIterator<Item = String>) {
        if let Some(link) = &mut self.link {
            lines.into_iter().for_each(|line| link.send(line));
        }
    }
}

/// Returns whether an event still matters to a terminal that has just received the match.
fn is_still_news(news: &TableNews) -> bool {
    matches!(
        news,
        TableNews::Said(..)
            | TableNews::Refused(_)
            | TableNews::Asked(_)
            | TableNews::Settled(_)
            | TableNews::Clock(_)
    )
}

/// Moves a match to its own table and joins it as the host. The table closes after `idle` without people. On error the
/// match stays here unchanged.
pub fn host(
    table: &mut Table,
    keeper: &mut Keeper,
    is_shared: bool,
    idle: Duration,
) -> anyhow::Result<(Client, Table)> {
    if table.saved.record.is_some() {
        bail!("a match with --record cannot be shared; start one without it");
    }
    let players = table.players().clone();
    name_host(table);
    let host_name = host_name(table);
    let opened = open::open(table, keeper, is_shared, host_name, idle);
    return_as_host(opened.inspect_err(|_| table.session_mut().seat_again(players))?)
}

/// Names the only person at this terminal, if unnamed.
fn name_host(table: &mut Table) {
    let mut here = table.local().iter();
    if let (Some(seat), None) = (here.next(), here.next())
        && table.players().given_names().is_empty()
        && let Some(name) = usual_name()
    {
        table.session_mut().name_person(seat, &name);
    }
}

/// Returns the last name used on this account, or the account's name if there is none.
pub fn usual_name() -> Option<String> {
    let store = folders::state().ok().and_then(|folder| MatchStore::open(&folder).ok());
    let last = store.and_then(|store| store.names().into_iter().next());
    last.and_then(|name| fit_name(&name)).or_else(login_name)
}

/// Returns the account's name if it is a valid player name.
pub fn login_name() -> Option<String> {
    let name = env::var("USER").or_else(|_| env::var("LOGNAME")).ok();
    name.and_then(|name| fit_name(&name))
}

/// Returns to a table as its host. Replaces the host's other terminal, if connected.
pub fn return_as_host(hosted: HostedTable) -> anyhow::Result<(Client, Table)> {
    let HostedTable { table, host, .. } = hosted;
    let invitation = Some(invitation(&table.name, &table.path, host.secret));
    let name = "Host".to_owned();
    let hello = Hello { name, token: Some(host.token), ..Hello::default() };
    let arrival = Arrival { hello, invitation, ..Arrival::default() };
    Client::come(Route::Socket(table.path), Follower::new(arrival))
}

/// Joins the names of the people at this terminal.
fn host_name(table: &Table) -> String {
    let is_here = |player: &&Player| player.is_person() && !player.is_guest();
    let names = table.players().as_slice().iter().filter(is_here).map(Player::name);
    fit_name(&list(names)).unwrap_or_else(|| "Host".to_owned())
}

/// Returns the commands that a guest can type to join.
fn invitation(name: &str, path: &Path, secret: Option<String>) -> Vec<String> {
    let user =
        env::var("USER").or_else(|_| env::var("LOGNAME")).unwrap_or_else(|_| "USER".to_owned());
    let machine = uname().nodename().to_string_lossy().into_owned();
    let owner = geteuid().as_raw();
    let shared = secret.map(|secret| SharedTable { path: path.to_owned(), owner, secret });
    // The command gets its own line so that a user can copy the whole line.
    let for_others = shared.map(|shared| {
        ["from another account on this machine:".to_owned(), format!("quadrille join {shared}")]
    });
    let mut lines = vec![format!("on this machine: quadrille join {name}")];
    lines.extend(for_others.into_iter().flatten());
    lines.extend([
        format!("from another: quadrille join {user}@{machine}:{name}"),
        format!("without Quadrille: ssh -t {user}@{machine} quadrille join {name}"),
    ]);
    lines
}
