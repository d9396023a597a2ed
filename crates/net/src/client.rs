//! A terminal's end of a shared table: its connection, and the copy of the match that follows the log.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, reason = "waits for the table")]

use super::folder::HostedTable;
use super::invitation::Invitation;
use super::link::{Link, LinkEvent};
use super::open::{self, NewTable};
use super::route::{Route, SocketRoute};
use super::seat_file::{SeatFile, SeatFolder};
use super::transport::Choice;
use super::wake::{self, Woken};
use crate::protocol::{ClientMessage, Hello, SeatClaimant, ServerMessage, TableGreeting, fit_name};
use crate::{Follower, Identity, JoinRequest};
use anyhow::{anyhow, bail};
use quadrille_match::store::MatchStore;
use quadrille_system::terminal::is_stdin;
use quadrille_system::wait::{self, Source};
use quadrille_system::wakers::PollSources;
use quadrille_system::{folders, users};
use quadrille_table::match_saver::MatchSaver;
use quadrille_table::play::{ClientRequest, LineState, Peers, Table, TableNews};
use quadrille_text::printable::{print_stderr, printable};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// The text of the ping whose pong arrives after the whole match.
const ALL: &str = "all";
/// How long to wait for the match after the table's greeting.
const MATCH_TIMEOUT: Duration = Duration::from_secs(20);
/// How long to wait for the players' consent. The table allows them one minute.
const CONSENT: Duration = Duration::from_secs(75);

/// How long to wait for the table to close the connection after a `bye`.
const FAREWELL_TIMEOUT: Duration = Duration::from_millis(500);

/// How long to process the table's messages before checking for key presses.
const MAX_RECEIVE_TIME: Duration = Duration::from_millis(50);
/// The maximum number of events returned at once. The link stops reading while more are queued.
const MAX_NEWS: usize = 256;
/// The maximum number of events kept until the match is shown; newer ones replace older ones.
const MAX_EARLY_NEWS: usize = 64;
/// How long to wait for the match before reading stdin. A match usually arrives sooner, so that its screens get all
/// that was typed.
const BEFORE_INPUT: Duration = Duration::from_secs(1);

/// The effect of the input that arrives before the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlyInput {
    Nothing,
    Quit,
    End,
}

/// Reads the available input. Called when stdin is readable before the match arrives.
type ReadEarly<'a> = dyn FnMut() -> EarlyInput + 'a;

/// Whether a terminal has joined a table.
enum Joined {
    Table(Box<(Client, Table)>),
    /// Another terminal of this user has its seat, and no other seat is free.
    SeatElsewhere,
    /// The table has the id of one whose token came from elsewhere.
    OtherDestination(String),
    Quit,
}

const SEAT_ELSEWHERE: &str = "you are at this table in another terminal";

/// A terminal's connection to a table.
pub struct Client {
    follower: Follower,
    /// `None` after this terminal has left or the table has closed.
    link: Option<Link>,
    /// Where the tokens of this user's seats are stored; `None` if this terminal does not store any.
    seats: Option<SeatFolder>,
    /// The file that stores the seat's token, if there is one.
    seat: Option<SeatFile>,
    /// Events that arrived together with the match and were not returned yet.
    early: Option<VecDeque<TableNews>>,
    /// Whether joining needed the consent of others.
    has_waited: bool,
    /// Whether the player keeps the seat on leaving: the match has days per move.
    keeps_seat: bool,
}

impl Client {
    /// Joins a table and waits for the current state of the match; `None` if the user quits first. If another terminal
    /// of this user has its seat there and no other seat is free, asks on the terminal whether to move the seat here.
    /// The error is a sentence. Without `input`, stdin belongs to the screens.
    pub fn join(
        route: Route,
        mut join_request: JoinRequest,
        mut seats: Option<SeatFolder>,
        mut input: Option<&mut ReadEarly<'_>>,
    ) -> anyhow::Result<Option<(Client, Table)>> {
        let follower = Follower::new(join_request.clone());
        let joined = Client::arrive(route.clone(), follower, seats.clone(), input.as_deref_mut())?;
        let joined = if let Joined::OtherDestination(from) = joined {
            ask_about_destination(&from)?;
            if let Some(seats) = &mut seats {
                seats.trusts_destination = true;
            }
            let follower = Follower::new(join_request.clone());
            Client::arrive(route.clone(), follower, seats.clone(), input.as_deref_mut())?
        } else {
            joined
        };
        let joined = if let Joined::SeatElsewhere = joined {
            ask_to_move()?;
            join_request.is_moving = true;
            Client::arrive(route, Follower::new(join_request), seats, input)?
        } else {
            joined
        };
        match joined {
            Joined::Table(joined) => Ok(Some(*joined)),
            Joined::Quit => Ok(None),
            Joined::SeatElsewhere | Joined::OtherDestination(_) => {
                bail!("every seat is taken; use --watch to watch")
            }
        }
    }

    /// Like [`join`](Client::join), but stores no token, does not ask, and reads no input.
    pub fn connect(route: Route, follower: Follower) -> anyhow::Result<(Client, Table)> {
        match Client::arrive(route, follower, None, None)? {
            Joined::Table(joined) => Ok(*joined),
            Joined::SeatElsewhere | Joined::OtherDestination(_) | Joined::Quit => {
                bail!("{SEAT_ELSEWHERE}")
            }
        }
    }

    fn arrive(
        route: Route,
        mut follower: Follower,
        seats: Option<SeatFolder>,
        mut input: Option<&mut ReadEarly<'_>>,
    ) -> anyhow::Result<Joined> {
        let mut seat: Option<SeatFile> = None;
        let destination = route.destination();
        let choice = seats
            .as_ref()
            .filter(|_| route.leaves_choice())
            .map(|seats| Choice { tokens: seats.tokens(&destination), name: None });
        let mut link = Link::choosing(route, choice).map_err(|why| anyhow!(why))?;
        let input_from = Instant::now() + BEFORE_INPUT;
        let (mut end, mut is_asked) = (Instant::now() + MATCH_TIMEOUT, false);
        let pong = ServerMessage::Pong(ALL.to_owned()).to_string();
        let (mut come, mut steps, mut is_all_said) = (None, 0, false);
        let mut early = VecDeque::new();
        loop {
            while Instant::now() < end
                && let Some(event) = link.next_event()
            {
                match event {
                    LinkEvent::Up => follower.connected(),
                    LinkEvent::Down(why) => bail!(why),
                    LinkEvent::Line(line) => {
                        is_all_said |= line == pong;
                        match ServerMessage::parse(&line) {
                            Some(ServerMessage::Greeting(greeting)) => {
                                seat = find_file(&greeting, seats.as_ref(), &destination);
                                if let Some(from) =
                                    unexpected_origin(seat.as_ref(), seats.as_ref(), &follower)
                                {
                                    return Ok(Joined::OtherDestination(from));
                                }
                                seat = seat.and_then(|seat| take_seat(seat, &mut follower));
                            }
                            Some(ServerMessage::Ticket(token)) => {
                                // Without the token, the player asks the host again.
                                let name = follower.name();
                                let stored =
                                    seat.iter_mut().map(|seat| seat.store_request(name, &token));
                                stored.for_each(drop);
                            }
                            Some(ServerMessage::Elsewhere) => return Ok(Joined::SeatElsewhere),
                            _ => {}
                        }
                        let heard = follower.on_line(&line, come.as_mut());
                        let heard = heard.map_err(|why| anyhow!(why))?;
                        heard.replies.into_iter().for_each(|line| link.send(line));
                        if let Some(words) = heard.waits.filter(|_| !is_asked) {
                            is_asked = true;
                            print_stderr(&format!(
                                "{words}. Type quit or press Ctrl-C to give up."
                            ));
                            end = Instant::now() + CONSENT;
                        }
                        early.extend(heard.news.into_iter().filter(is_still_news));
                        early.drain(..early.len().saturating_sub(MAX_EARLY_NEWS));
                        if heard.table.is_some() {
                            (come, steps) = (heard.table, heard.steps);
                            // The pong arrives after the names and the clock.
                            link.send(ClientMessage::Ping(ALL.to_owned()));
                        }
                    }
                }
            }
            let is_late = Instant::now() >= end;
            match come {
                Some(table) if is_late || is_all_said && table.session().log().len() >= steps => {
                    if let Some(peers) = table.peers() {
                        link.name_table(&peers.table);
                    }
                    let (link, early, has_waited) = (Some(link), Some(early), is_asked);
                    let keeps_seat = has_days(&table);
                    let mut far =
                        Client { follower, link, seats, seat, early, has_waited, keeps_seat };
                    far.keep_token();
                    return Ok(Joined::Table(Box::new((far, table))));
                }
                None if is_late => bail!("the table stopped responding after its greeting"),
                _ => {}
            }
            match wait(&mut link, end, input_from, input.as_deref_mut())? {
                EarlyInput::Nothing => {}
                EarlyInput::End => input = None,
                EarlyInput::Quit => {
                    link.send(ClientMessage::Bye);
                    link.close();
                    return Ok(Joined::Quit);
                }
            }
        }
    }

    pub const fn has_waited(&self) -> bool {
        self.has_waited
    }
    /// Errors are ignored: without the token, returning after a crash only requires the host's consent.
    fn keep_token(&mut self) {
        if let (Some(seat), Some(token)) = (&mut self.seat, self.follower.token()) {
            let _ = seat.store(self.follower.name(), token);
        }
    }

    /// Returns the sources to poll before [`Client::keep_up`].
    pub fn line(&self) -> PollSources<'_> {
        let sources = self.link.iter().flat_map(Link::sources).collect();
        let has_news = self.early.is_some() || self.link.as_ref().is_some_and(Link::has_events);
        let now = has_news.then(Instant::now);
        PollSources { sources, deadline: now.or(self.link.as_ref().and_then(Link::deadline)) }
    }

    /// Sends and reads without blocking. Messages from the table are queued.
    pub fn keep_up(&mut self) {
        self.link.iter_mut().for_each(Link::run_once);
    }

    /// Processes the queued messages.
    pub fn receive(&mut self, table: &mut Table) -> Vec<TableNews> {
        let mut news = Vec::from(self.early.take().unwrap_or_default());
        let end = Instant::now() + MAX_RECEIVE_TIME;
        loop {
            self.keep_up();
            if !self.link.as_ref().is_some_and(Link::has_events) {
                break;
            }
            while news.len() < MAX_NEWS
                && let Some(event) = self.link.as_mut().and_then(Link::next_event)
            {
                self.hear_event(event, table, &mut news);
            }
            if news.len() >= MAX_NEWS || Instant::now() >= end {
                break;
            }
        }
        self.keep_token();
        self.keeps_seat = has_days(table);
        news
    }

    fn hear_event(&mut self, event: LinkEvent, table: &mut Table, news: &mut Vec<TableNews>) {
        let mut is_void = false;
        match event {
            LinkEvent::Up => self.follower.connected(),
            LinkEvent::Down(why) => {
                self.follower.line_down(&why, table);
                if let (Some(peers), Some(link)) = (table.peers_mut(), &self.link) {
                    peers.needs_login = link.needs_login();
                }
                news.push(TableNews::Line);
            }
            LinkEvent::Line(line) => {
                match self.follower.on_line(&line, Some(table)) {
                    Ok(progress) => {
                        if progress.hangs_up {
                            self.link.iter_mut().for_each(Link::hang_up);
                        }
                        self.send_lines(progress.replies);
                        news.extend(progress.news);
                        news.extend(progress.waits.map(TableNews::Refused));
                    }
                    Err(why) => {
                        if let Some(peers) = table.peers_mut() {
                            peers.line = LineState::Closed(why);
                            peers.time_runs = false;
                        }
                        news.push(TableNews::Line);
                    }
                }
                is_void = table.peers().is_some_and(Peers::is_closed) && takes_seat(&line);
            }
        }
        if table.peers().is_some_and(Peers::is_closed) {
            self.link = None;
            // Otherwise the table, or the one of the resumed match, still knows the token.
            let is_over = table.current_match().outcome().is_some() && !has_days(table);
            self.seat.take().filter(|_| is_over || is_void).into_iter().for_each(SeatFile::forget);
        }
    }

    /// Reconnects, or joins the table's new match, which is returned. ssh may ask for a password on the terminal. The
    /// error is a sentence.
    pub fn log_in(&mut self) -> Result<Option<(Client, Table)>, String> {
        if let Some(join_request) = self.follower.another_table()
            && let Some(link) = &self.link
        {
            let joined = Client::join(link.route().clone(), join_request, self.seats.clone(), None);
            return joined.map_err(|why| format!("{why:#}"));
        }
        // Collect the table's first messages without waiting for later ones.
        self.early.get_or_insert_default();
        self.link.as_mut().map_or(Ok(()), Link::log_in).map(|()| None)
    }

    /// Sends the requests queued in `table`.
    pub fn send(&mut self, table: &mut Table) {
        let requests = table.peers_mut().map(Peers::take_requests).unwrap_or_default();
        for request in requests {
            match request {
                ClientRequest::TryNow => self.link.iter_mut().for_each(Link::try_now),
                ClientRequest::Answer { yes: false, .. }
                    if table.peers().is_some_and(|peers| peers.new_match().is_some()) =>
                {
                    self.follower.decline_new_match(table);
                    (self.link, self.seat) = (None, None);
                }
                _ => {}
            }
            let line = self.follower.request_line(request, table);
            self.send_lines(line);
        }
    }

    pub fn leave(mut self) {
        let Some(mut link) = self.link.take() else { return };
        // If the connection is down, the table never receives the `bye` and keeps the seat reserved.
        let is_heard = link.is_up();
        link.send(ClientMessage::Bye);
        if self.follower.is_host() {
            // If this was the last terminal, the table may close. Waiting prevents it from being listed as open.
            let end = Instant::now() + FAREWELL_TIMEOUT;
            while link.is_up() && Instant::now() < end && link.wait(end).is_ok() {}
        }
        link.close();
        let gives_up = is_heard && !self.keeps_seat;
        self.seat.take().filter(|_| gives_up).into_iter().for_each(SeatFile::forget);
    }

    fn send_lines(&mut self, lines: impl IntoIterator<Item = String>) {
        if let Some(link) = &mut self.link {
            lines.into_iter().for_each(|line| link.send(line));
        }
    }
}

/// Waits for the table until `end`, and from `input_from` on also for input.
fn wait(
    link: &mut Link,
    end: Instant,
    input_from: Instant,
    input: Option<&mut ReadEarly<'_>>,
) -> io::Result<EarlyInput> {
    let reads = input.is_some() && Instant::now() >= input_from;
    let deadlines = link.deadline().into_iter().chain(input.is_some().then_some(input_from));
    let deadline = deadlines.filter(|at| !reads || *at != input_from).fold(end, Instant::min);
    let mut sources: Vec<Source> = link.sources().collect();
    sources.extend(reads.then(Source::stdin));
    wait::wait(&mut sources, Some(deadline))?;
    let is_typed = reads && sources.last().is_some_and(Source::is_ready);
    drop(sources);
    link.run_once();
    Ok(input.filter(|_| is_typed).map_or(EarlyInput::Nothing, |read| read()))
}

/// Returns whether the match has days per move, so that its players come back, also to look at its end.
fn has_days(table: &Table) -> bool {
    table.session().days().is_some()
}

/// Finds the file of the seat that this user has at the table of this greeting, if tokens are stored.
fn find_file(
    greeting: &TableGreeting,
    seats: Option<&SeatFolder>,
    destination: &str,
) -> Option<SeatFile> {
    seats?.find(greeting.id.as_ref()?, destination).ok()
}

/// Returns where the token came from, if the user must agree to send it to another destination.
fn unexpected_origin(
    seat: Option<&SeatFile>,
    seats: Option<&SeatFolder>,
    follower: &Follower,
) -> Option<String> {
    let has_agreed = follower.is_moving() || seats.is_some_and(|seats| seats.trusts_destination);
    let from = seat.and_then(SeatFile::other_origin).filter(|_| !has_agreed);
    from.map(str::to_owned)
}

/// Lets the follower ask for the seat of this file. Returns the file for the token that the table will issue.
fn take_seat(found: SeatFile, follower: &mut Follower) -> Option<SeatFile> {
    let Some(token) = found.token().map(str::to_owned) else { return Some(found) };
    if found.is_in_use() && !follower.is_moving() {
        follower.bring_token(&token, SeatClaimant::SecondTerminal);
        return found.beside().ok();
    }
    follower.bring_token(&token, SeatClaimant::NewTerminal);
    found.name().into_iter().for_each(|name| follower.set_name(name));
    Some(found)
}

/// Returns whether this message takes the terminal's seat away, so that the token is useless.
fn takes_seat(line: &str) -> bool {
    let word = ServerMessage::parse(line);
    matches!(
        word,
        Some(
            ServerMessage::No(_)
                | ServerMessage::Full
                | ServerMessage::Elsewhere
                | ServerMessage::Moved(_)
        )
    )
}

/// Asks on the terminal whether to move the seat here. The error is a sentence.
fn ask_to_move() -> anyhow::Result<()> {
    ask(
        "You are at this table in another terminal. Move here?",
        SEAT_ELSEWHERE,
        "add --move to move your seat here",
    )
}

/// Asks on the terminal whether to send a token to another destination than the one that it came from.
fn ask_about_destination(from: &str) -> anyhow::Result<()> {
    let from = printable(from);
    ask(
        &format!("This table says that it is your match from {from}. Send your seat's token?"),
        &format!("this table says that it is your match from {from}"),
        "add --move to send it your seat's token",
    )
}

/// Asks a question on the terminal. Without a terminal, the error is the `fact` and what to `add` to the command.
fn ask(question: &str, fact: &str, add: &str) -> anyhow::Result<()> {
    if !is_stdin() {
        bail!("{fact}; {add}");
    }
    if confirm(question)? { Ok(()) } else { bail!("{fact}") }
}

/// Asks on the terminal whether the user is the absent host of a table. Without a terminal, the user is a guest.
pub fn ask_whether_host(host: &str) -> io::Result<bool> {
    let question = format!("Are you {}, the host of this table?", printable(host));
    Ok(is_stdin() && confirm(&question)?)
}

fn confirm(question: &str) -> io::Result<bool> {
    let mut out = io::stdout().lock();
    write!(out, "{question} [y/N] ")?;
    out.flush()?;
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
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

/// Moves a match to its own table and joins it as the host, who gets the usual name unless named. On error the match
/// stays here unchanged.
pub fn host(
    table: &mut Table,
    saver: &mut MatchSaver,
    new: NewTable,
    usual_name: &str,
) -> anyhow::Result<(Client, Table)> {
    if table.saved.record.is_some() {
        bail!("a match with --record cannot be shared; start one without it");
    }
    let players = table.players().clone();
    table.session_mut().replace_players(players.clone().with_usual_name(usual_name));
    let host_name = open::host_name(table);
    let opened = open::open(table, saver, host_name, new);
    return_as_host(opened.inspect_err(|_| table.session_mut().replace_players(players))?)
}

/// A saved match that goes on in this terminal.
pub struct Resumed {
    /// `None` if the match goes on in this process.
    pub client: Option<Client>,
    pub table: Table,
    /// Which part of the match is lost, if any.
    pub lost: Option<String>,
}

/// Resumes a saved match: at its table if it has guests, except that its programs need permission first. On error the
/// match stays saved.
pub fn resume(
    id: &str,
    saver: &mut MatchSaver,
    new: NewTable,
    usual_name: &str,
) -> anyhow::Result<Resumed> {
    if let Some(Woken { hosted, lost }) = wake::match_of_host(id, new)? {
        let (client, table) = return_as_host(hosted)?;
        return Ok(Resumed { client: Some(client), table, lost });
    }
    let (mut table, lost) = saver.resume(id)?;
    if !table.needs_table() || !table.may_start_programs {
        return Ok(Resumed { client: None, table, lost });
    }
    match host(&mut table, saver, new, usual_name) {
        Ok((client, table)) => Ok(Resumed { client: Some(client), table, lost }),
        Err(why) => {
            let _ = saver.release(&table);
            Err(why)
        }
    }
}

/// Returns the name of the person on this account: the one in the settings, else the one in the last setup, else the
/// login name.
pub fn usual_name(in_settings: &str) -> Option<String> {
    let store = || folders::state().ok().and_then(|folder| MatchStore::open(&folder).ok());
    let last = || store().and_then(|store| store.names().into_iter().next());
    let name = Some(in_settings.to_owned()).filter(|name| !name.is_empty()).or_else(last);
    name.and_then(|name| fit_name(&name)).or_else(login_name)
}

/// Returns the login name if it is a valid player name.
pub fn login_name() -> Option<String> {
    fit_name(&users::login_name()?)
}

/// Returns to a table as its host. Replaces the host's other terminal, if connected.
pub fn return_as_host(hosted: HostedTable) -> anyhow::Result<(Client, Table)> {
    let HostedTable { table, host, .. } = hosted;
    let invitation = Some(Invitation::here(&table, host.secret).paragraphs());
    let name = "Host".to_owned();
    let (token, claimant) = (Some(host.token), SeatClaimant::NewTerminal);
    let hello = Hello { name, token, claimant, ..Hello::default() };
    let join_request = JoinRequest { hello, invitation, ..JoinRequest::default() };
    let route = SocketRoute::with_door(table.path, Identity::default());
    Client::connect(Route::Socket(route), Follower::new(join_request))
}
