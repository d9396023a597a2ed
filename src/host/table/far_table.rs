//! A terminal's end of a table: its line, and the copy of the match that follows the log.

use super::folder::{self, HostFile};
use super::link::{Link, LinkEvent};
use super::open::{self, OpenedTable};
use super::route::{Route, SharedTable};
use super::seat_file::SeatFile;
use crate::host::keeper::Keeper;
use crate::host::say;
use crate::play::{Company, LineState, Table, TableNews, Wish};
use crate::remote::Follower;
use crate::remote::protocol::{Wanted, fit_name};
use crate::session::Player;
use crate::wording::list;
use anyhow::{anyhow, bail};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::geteuid;
use rustix::system::uname;
use std::env;
use std::io::Read;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long the match may take to come, once the table has greeted.
const PATIENCE: Duration = Duration::from_secs(20);
/// How long the players at the table may take to agree. The table gives them a minute.
const CONSENT: Duration = Duration::from_secs(75);

/// How long a table is listened to before keys are looked at again.
const AT_ONCE: Duration = Duration::from_millis(50);

/// The line of this terminal to a table.
pub struct FarTable {
    follower: Follower,
    /// `None` once this terminal has left, or the table is closed.
    link: Option<Link>,
    is_up: bool,
    /// Where the token of its seat is kept, if it is.
    seat: Option<SeatFile>,
}

impl FarTable {
    /// Comes to a table, and waits until the match is there. The error is a sentence.
    pub fn come(route: Route, mut follower: Follower) -> anyhow::Result<(FarTable, Table)> {
        let link = Link::first(route)?;
        let (mut bell, listener) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        listener.set_nonblocking(true)?;
        link.wake(listener);
        let mut end = Instant::now() + PATIENCE;
        loop {
            while Instant::now() < end
                && let Some(event) = link.next_event()
            {
                match event {
                    LinkEvent::Up => {
                        follower.connected().into_iter().for_each(|line| link.send(line));
                    }
                    LinkEvent::Down(why) => bail!(why),
                    LinkEvent::Line(line) => {
                        let heard = follower.hear(&line, None).map_err(|why| anyhow!(why))?;
                        heard.say.into_iter().for_each(|line| link.send(line));
                        if let Some(words) = heard.waits {
                            say(&format!("{words}. Ctrl-C gives up."));
                            end = Instant::now() + CONSENT;
                        }
                        if let Some(table) = heard.table {
                            let (link, is_up, seat) = (Some(link), true, None);
                            return Ok((FarTable { follower, link, is_up, seat }, table));
                        }
                    }
                }
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                bail!("the table has greeted, and says nothing more");
            }
            let time =
                Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
            let _ = poll(&mut [PollFd::new(&bell, PollFlags::IN)], Some(&time));
            let _ = bell.read(&mut [0; 64]);
        }
    }

    /// From now on the token of its seat is kept in this file.
    #[must_use]
    pub fn with_seat_file(mut self, seat: SeatFile, table: &Table) -> FarTable {
        self.seat = Some(seat);
        self.keep_token(table);
        self
    }

    /// Without the token a crash costs no more than the host's consent to return.
    fn keep_token(&mut self, table: &Table) {
        if let (Some(seat), Some(token), Some(company)) =
            (&mut self.seat, self.follower.token(), table.company())
        {
            let _ = seat.keep(&company.table, self.follower.name(), token);
        }
    }

    /// From now on a byte is written to `bell` whenever the table has said something.
    pub fn wake(&self, bell: UnixStream) {
        if let Some(link) = &self.link {
            link.wake(bell);
        }
    }

    /// Takes what the table has said meanwhile.
    pub fn hear(&mut self, table: &mut Table) -> Vec<TableNews> {
        let mut news = Vec::new();
        let end = Instant::now() + AT_ONCE;
        while let Some(event) = self.link.as_ref().and_then(Link::next_event) {
            match event {
                LinkEvent::Up => {
                    self.is_up = true;
                    let said = self.follower.connected();
                    self.say(said);
                }
                LinkEvent::Down(why) => {
                    self.is_up = false;
                    self.follower.line_down(&why, table);
                    news.push(TableNews::Line);
                }
                LinkEvent::Line(line) => match self.follower.hear(&line, Some(table)) {
                    Ok(progress) => {
                        self.say(progress.say);
                        news.extend(progress.news);
                        news.extend(progress.waits.map(TableNews::Refused));
                    }
                    Err(why) => {
                        if let Some(company) = table.company_mut() {
                            company.line = LineState::Closed(why);
                            company.time_runs = false;
                        }
                        news.push(TableNews::Line);
                    }
                },
            }
            if table.company().is_some_and(Company::is_closed) {
                self.link = None;
                self.seat.take().into_iter().for_each(SeatFile::forget);
            }
            if Instant::now() >= end {
                self.link.iter().for_each(Link::remind);
                break;
            }
        }
        self.keep_token(table);
        news
    }

    /// Sends the table what is wanted of it.
    pub fn send(&mut self, table: &mut Table) {
        let wishes = table.company_mut().map(Company::take_wishes).unwrap_or_default();
        for wish in wishes {
            if wish == Wish::TryNow {
                self.link.iter().for_each(Link::try_now);
            }
            let line = self.follower.say(wish, table);
            self.say(line);
        }
    }

    /// Leaves the table. Its seats are free for others.
    pub fn leave(mut self) {
        if let Some(link) = self.link.take() {
            link.send("bye".to_owned());
            link.close();
            // The table has not heard the bye of a line that is down, and reserves the seat.
            self.seat.take().filter(|_| self.is_up).into_iter().for_each(SeatFile::forget);
        }
    }

    fn say(&self, lines: impl IntoIterator<Item = String>) {
        if let Some(link) = &self.link {
            lines.into_iter().for_each(|line| link.send(line));
        }
    }
}

/// Moves a match to a table of its own, and follows it there as its host. The table waits for `idle` while nobody is
/// there. After an error the match goes on here as it was.
pub fn host(
    table: &mut Table,
    keeper: &mut Keeper,
    is_shared: bool,
    idle: Duration,
) -> anyhow::Result<(FarTable, Table)> {
    if table.saved.record.is_some() {
        bail!(
            "a match with a record of your own stays at this terminal; begin one without --record"
        );
    }
    let host_name = host_name(table);
    let wanted = open::Wanted { is_shared, host_name: host_name.clone(), idle };
    let OpenedTable { name, path, token, secret } = open::open(table, keeper, wanted)?;
    let follower = Follower::new(host_name, Wanted::Any, Some(token));
    let invitation = invitation(&name, &path, secret);
    FarTable::come(Route::Socket(path), follower.as_host(invitation))
}

/// Comes back to a table of this user that plays the match of this journal; `None` if there is none.
pub fn return_as_host(journal: &str) -> Option<anyhow::Result<(FarTable, Table)>> {
    let (table, HostFile { token, secret, .. }) = folder::hosted(journal)?;
    let follower = Follower::new("Host".to_owned(), Wanted::Any, Some(token));
    let follower = follower.as_host(invitation(&table.name, &table.path, secret));
    Some(FarTable::come(Route::Socket(table.path), follower))
}

/// What the people at this terminal are called together.
fn host_name(table: &Table) -> String {
    let is_here = |player: &&Player| player.is_person() && !player.is_guest();
    let names = table.players().as_slice().iter().filter(is_here).map(Player::name);
    fit_name(&list(names)).unwrap_or_else(|| "Host".to_owned())
}

/// What a guest types to come.
fn invitation(name: &str, path: &Path, secret: Option<String>) -> Vec<String> {
    let user =
        env::var("USER").or_else(|_| env::var("LOGNAME")).unwrap_or_else(|_| "USER".to_owned());
    let machine = uname().nodename().to_string_lossy().into_owned();
    let owner = geteuid().as_raw();
    let shared = secret.map(|secret| SharedTable { path: path.to_owned(), owner, secret });
    // The command has a line of its own, so that it can be copied whole.
    let for_others = shared.map(|shared| {
        ["on this machine, as another user:".to_owned(), format!("quadrille join {shared}")]
    });
    let mut lines = vec![format!("on this machine: quadrille join {name}")];
    lines.extend(for_others.into_iter().flatten());
    lines.extend([
        format!("from another: quadrille join {user}@{machine}:{name}"),
        format!("without Quadrille: ssh -t {user}@{machine} quadrille join {name}"),
    ]);
    lines
}
