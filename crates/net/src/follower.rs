//! The client's logic. A follower replays every step by its own rules, and leaves a table that sends an illegal one.

use super::hub::MAX_WATCHERS;
use super::protocol::{
    ClientMessage, Hello, LogChecksum, MAX_STEPS, Presence, SeatClaimant, SeatRequest,
    ServerMessage, TableGreeting, check_version,
};
use jiff::Timestamp;
use quadrille_match::session::{
    Conditions, LoggedStep, Player, ProgramSeat, SeatSet, Session, Step,
};
use quadrille_rules::Seat;
use quadrille_table::catalogue;
use quadrille_table::play::{
    Attendance, ChatMessage, ClientRequest, LineState, OpenQuestion, Participant, Peers, Table,
    TableNews,
};
use quadrille_text::printable::printable;
use quadrille_text::wording::cut_to;

/// The maximum number of lines in a head.
const MAX_HEAD_LINES: usize = 32;
/// The maximum length of a reason, in characters.
const MAX_REASON_CHARS: usize = 200;

/// How a terminal joins a table.
#[derive(Clone, Debug, Default)]
pub struct JoinRequest {
    pub hello: Hello,
    /// Whether the terminal runs on the server's account, which restricts the visitor to playing.
    pub is_kiosk: bool,
    /// How a guest can join, in paragraphs; `None` except at the host's terminal.
    pub invitation: Option<Vec<String>>,
    /// Whether to take over the seat of this player's other terminal.
    pub is_moving: bool,
}

/// The client of a shared table. A follower has no clock and no connection: lines go in, lines and events come out.
#[derive(Debug)]
pub struct Follower {
    join_request: JoinRequest,
    /// The id of the table that this terminal joined.
    table_id: Option<String>,
    /// Whether a different table has answered since.
    has_met_another_table: bool,
    seats: SeatSet,
    /// The last proposed step and its number, until the table answers. The step is sent again after a reconnect.
    proposal: Option<(u64, Seat, Step)>,
    /// Whether the match was requested over the current connection.
    has_asked: bool,
    /// The lines of a head received so far.
    head: Vec<(String, String)>,
    /// When the next message was sent.
    sent: Option<Timestamp>,
}

/// The result of processing a line from the table.
#[derive(Default)]
pub struct Response {
    /// Lines to send.
    pub replies: Vec<String>,
    pub news: Vec<TableNews>,
    /// The match when it first arrives. `steps` is the number of steps still to follow.
    pub table: Option<Table>,
    /// The players whose consent is needed to take a seat.
    pub waits: Option<String>,
    pub steps: usize,
    /// Whether to close the connection until the user decides.
    pub hangs_up: bool,
}

impl Follower {
    pub fn new(join_request: JoinRequest) -> Follower {
        Follower {
            join_request,
            table_id: None,
            has_met_another_table: false,
            seats: SeatSet::default(),
            proposal: None,
            has_asked: false,
            head: Vec::new(),
            sent: None,
        }
    }

    pub fn is_host(&self) -> bool {
        self.join_request.invitation.is_some()
    }

    /// Returns the token that reclaims this terminal's seats, if the table has issued one.
    pub fn token(&self) -> Option<&str> {
        self.join_request.hello.token.as_deref().filter(|_| !self.seats.is_empty())
    }

    pub fn name(&self) -> &str {
        &self.join_request.hello.name
    }

    /// Sets the token that this terminal's player has at the table, before the `hello`.
    pub fn bring_token(&mut self, token: &str, claimant: SeatClaimant) {
        (self.join_request.hello.token, self.join_request.hello.claimant) =
            (Some(token.to_owned()), claimant);
    }

    /// Sets the player's name, before the `hello`.
    pub fn set_name(&mut self, name: &str) {
        name.clone_into(&mut self.join_request.hello.name);
    }

    pub fn is_moving(&self) -> bool {
        self.join_request.is_moving
    }

    /// Returns how to join the new match that the table has now, if there is one.
    pub fn another_table(&self) -> Option<JoinRequest> {
        self.has_met_another_table.then(|| {
            let mut join_request = self.join_request.clone();
            (join_request.hello.token, join_request.is_moving) = (None, false);
            // The seats of the old match may not exist in the new one.
            if join_request.hello.wanted != SeatRequest::Watch {
                join_request.hello.wanted = SeatRequest::Any;
            }
            join_request
        })
    }

    /// Resets the handshake after a reconnect. The next line is the table's greeting.
    pub fn connected(&mut self) {
        (self.has_asked, self.sent) = (false, None);
        self.head.clear();
    }

    pub fn line_down(&mut self, why: &str, table: &mut Table) {
        // The next greeting leads to the same question.
        self.has_met_another_table = false;
        if let Some(peers) = table.peers_mut().filter(|peers| !peers.is_closed()) {
            peers.line = LineState::Down(fit(why));
            peers.answered();
            peers.forget_questions();
            peers.time_runs = false;
        }
    }

    /// Returns the line that sends a request to the table.
    pub fn request_line(&mut self, request: ClientRequest, table: &Table) -> Option<String> {
        let word = match request {
            ClientRequest::Take(seat, step) => {
                let number = table.session().log().len() as u64 + 1;
                self.proposal = Some((number, seat, step.clone()));
                ClientMessage::Propose { number, seat: Some(seat), step }
            }
            ClientRequest::Ask(request) => ClientMessage::Ask(request),
            ClientRequest::Answer { number, yes } => ClientMessage::Answer { number, yes },
            ClientRequest::Withdraw(number) => ClientMessage::Withdraw(number),
            ClientRequest::Remove(name) => ClientMessage::Remove(name),
            ClientRequest::Say(text) => ClientMessage::Say(text),
            ClientRequest::Close => ClientMessage::Close(None),
            ClientRequest::Leave => ClientMessage::Bye,
            ClientRequest::TryNow => return None,
        };
        Some(word.to_string())
    }

    /// Processes a line from the table. `table` is this terminal's copy of the match. After an error the terminal
    /// leaves; the error is a sentence that says why.
    pub fn on_line(&mut self, line: &str, table: Option<&mut Table>) -> Result<Response, String> {
        let mut progress = Response::default();
        let Some(word) = ServerMessage::parse(line) else { return Ok(progress) };
        match word {
            ServerMessage::Greeting(TableGreeting { version, id, host }) => {
                check_version(version)?;
                let is_another = id.is_some() && self.table_id.is_some() && id != self.table_id;
                self.has_met_another_table = is_another;
                if let Some(table) = table.filter(|_| is_another) {
                    self.meet_another_table(host, table, &mut progress);
                    return Ok(progress);
                }
                self.table_id = id;
                progress
                    .replies
                    .push(ClientMessage::Hello(self.join_request.hello.clone()).to_string());
            }
            ServerMessage::Full if self.join_request.hello.wanted == SeatRequest::Watch => {
                return Err(format!("{MAX_WATCHERS} people are watching already"));
            }
            ServerMessage::Full => {
                return Err("every seat is taken; use --watch to watch".to_owned());
            }
            ServerMessage::Elsewhere => {
                return Err("you are at this table in another terminal".to_owned());
            }
            ServerMessage::Moved(reason) if table.is_none() => return Err(why_ended(&reason)),
            ServerMessage::No(reason) => return Err(why_ended(&reason)),
            ServerMessage::Wait(text) => progress.waits = Some(fit(&text)),
            ServerMessage::Match(key, value) if self.head.len() < MAX_HEAD_LINES => {
                self.head.push((key, value));
            }
            ServerMessage::Match(..) => {
                return Err("the table sent an incomplete match header".to_owned());
            }
            ServerMessage::Welcome { seats, token } => {
                (self.seats, self.join_request.hello.token) = (seats, Some(token));
                self.join_request.hello.claimant = SeatClaimant::SameTerminal;
                if let Some(table) = table {
                    self.sit(table, &mut progress);
                } else if !self.has_asked {
                    progress.replies.push(ClientMessage::Have(LogChecksum::default()).to_string());
                    self.has_asked = true;
                }
            }
            ServerMessage::Have(have) => {
                if let Some(table) = table {
                    self.go_on(have, table, &mut progress)?;
                } else {
                    let (table, steps) = self.begin(have)?;
                    (progress.table, progress.steps) = (Some(table), steps);
                }
            }
            ServerMessage::Log(step) => {
                if let Some(table) = table {
                    self.follow_step(&step, table, &mut progress)?;
                }
            }
            word => {
                if let Some(table) = table {
                    let is_presence = matches!(word, ServerMessage::Presence { .. });
                    progress.news.extend(self.follow(word, table)?);
                    if is_presence && is_everybody_here(table) {
                        progress.replies.push(ClientMessage::Ready.to_string());
                    }
                }
            }
        }
        Ok(progress)
    }

    /// Handles the greeting of another table, which has the name of this terminal's table now.
    fn meet_another_table(&self, host: Option<String>, table: &mut Table, progress: &mut Response) {
        progress.hangs_up = true;
        let Some(peers) = table.peers_mut() else { return };
        progress.news.push(TableNews::Line);
        if self.is_host() {
            peers.line =
                LineState::Closed("You opened another match in another terminal".to_owned());
            return;
        }
        let host = host.map(|host| fit(&host)).unwrap_or_default();
        peers.line = LineState::Down("the table has a new match".to_owned());
        let question = OpenQuestion::about_new_match(host);
        let number = question.number;
        if peers.open_question(question) {
            progress.news.push(TableNews::Asked(number));
        }
    }

    /// Declines to join the new match.
    pub fn decline_new_match(&self, table: &mut Table) {
        let Some(peers) = table.peers_mut() else { return };
        peers.forget_questions();
        peers.line = LineState::Closed("You did not join the new match".to_owned());
    }

    /// Takes seats in a known match and requests the missing steps.
    fn sit(&mut self, table: &mut Table, progress: &mut Response) {
        table.seat_here(self.seats);
        // Such a table sends the kept messages again.
        let keeps_messages = table.session().days().is_some();
        table.peers_mut().filter(|_| keeps_messages).into_iter().for_each(Peers::forget_messages);
        if !std::mem::replace(&mut self.has_asked, true) {
            let have = LogChecksum::of(table.session(), table.session().log().len());
            progress.replies.push(ClientMessage::Have(have).to_string());
        }
    }

    fn take_head(&mut self) -> Result<MatchHead, String> {
        MatchHead::read(&std::mem::take(&mut self.head))
    }

    /// Starts the match whose head has just arrived.
    fn begin(&mut self, have: LogChecksum) -> Result<(Table, usize), String> {
        let head = self.take_head()?;
        let entry = catalogue::find(&head.game)
            .ok_or_else(|| format!("unknown game {}", fit(&head.game)))?;
        let session = head.session()?;
        if LogChecksum::of(&session, 0) != have {
            return Err("the table's match contradicts its header".to_owned());
        }
        let me = head.you.unwrap_or_else(|| self.name().to_owned());
        let mut peers = Peers::new(head.table, me);
        peers.has_hints = head.has_hints;
        peers.is_kiosk = self.join_request.is_kiosk;
        if let Some(invitation) = &self.join_request.invitation {
            (peers.is_host, peers.invitation) = (true, invitation.clone());
        }
        Ok((Table::elsewhere(entry, session, self.seats, peers), head.steps))
    }

    /// Continues with a new head: the same match, possibly with other names, or a new match.
    fn go_on(
        &mut self,
        have: LogChecksum,
        table: &mut Table,
        progress: &mut Response,
    ) -> Result<(), String> {
        let head = self.take_head()?;
        if head.game != table.entry.id {
            return Err("the table switched to another game".to_owned());
        }
        let log = table.session().log();
        let is_known =
            have.count <= log.len() && LogChecksum::of(table.session(), have.count) == have;
        if is_known && have.count == log.len() {
            for (seat, player) in (0..).map(Seat::new).zip(&head.players) {
                table.session_mut().name_person(seat, player.name().unwrap_or_default());
            }
        } else {
            let mut session = head.session()?;
            if !is_known && LogChecksum::of(&session, 0) != have {
                return Err("the table refers to a position unknown here".to_owned());
            }
            for step in &log[..have.count.min(log.len())] {
                let taken = session.apply(step.by, step.step.clone(), step.at);
                taken.map_err(|why| {
                    format!("the table sent a match that cannot be replayed: {why}")
                })?;
            }
            table.begin_anew(session);
            // A rematch may move everyone to a seat of another person, who has not left.
            let people = table.peers_mut().into_iter().flat_map(|peers| &mut peers.people);
            people.for_each(|person| person.seats = SeatSet::default());
            progress.news.push(TableNews::Restarted);
            if let Some((_, _, step)) = self.proposal.take() {
                let why = "the match has restarted";
                progress.news.push(TableNews::Refused(not_taken(&step, why)));
            }
        }
        if let Some(peers) = table.peers_mut() {
            if !peers.is_closed() {
                peers.line = LineState::Up;
            }
            let unsent = peers.take_unsent();
            progress.news.extend(unsent.map(|unsent| TableNews::Refused(unsent.not_sent())));
            peers.answered();
            peers.forget_questions();
            peers.has_hints = head.has_hints;
            peers.me = head.you.unwrap_or_else(|| std::mem::take(&mut peers.me));
            // Presence messages for all people follow the head.
            peers.trouble = None;
        }
        progress.news.push(TableNews::Line);
        if let Some((number, seat, step)) = self.proposal.clone() {
            if let Some(peers) = table.peers_mut() {
                peers.proposed = true;
            }
            // The table ignores duplicates.
            let again = ClientMessage::Propose { number, seat: Some(seat), step };
            progress.replies.push(again.to_string());
        }
        Ok(())
    }

    fn follow_step(
        &mut self,
        step: &LoggedStep,
        table: &mut Table,
        progress: &mut Response,
    ) -> Result<(), String> {
        if table.session().log().len() >= MAX_STEPS {
            return Err(format!("the match exceeds {MAX_STEPS} steps"));
        }
        table.follow(step).map_err(|why| format!("the table sent an illegal step: {why}"))?;
        self.proposal.take_if(|(number, ..)| *number <= step.number);
        if let Some(peers) = table.peers_mut() {
            peers.answered();
        }
        let goes_on = table.current_match().outcome().is_none();
        let is_draw = step.step.is_about_draw() && goes_on;
        progress.news.push(if is_draw { TableNews::Draw } else { TableNews::Stepped });
        Ok(())
    }

    /// Processes a message about a known match.
    fn follow(&mut self, word: ServerMessage, table: &mut Table) -> Result<Vec<TableNews>, String> {
        let Some(peers) = table.peers_mut() else { return Ok(Vec::new()) };
        Ok(vec![match word {
            ServerMessage::Refused { number, reason } => {
                peers.answered();
                let proposal = self.proposal.take_if(|(proposed, ..)| *proposed == number);
                let reason = fit(&reason);
                TableNews::Refused(match proposal {
                    Some((_, _, step)) => not_taken(&step, &reason),
                    None => reason,
                })
            }
            ServerMessage::Question { number, name, kind } => {
                let by = fit(&name);
                let is_own = by == peers.me;
                let is_answered = false;
                let question = OpenQuestion { number, by, kind, is_own, is_answered };
                let is_new = peers.open_question(question);
                if is_new && !is_own { TableNews::Asked(number) } else { TableNews::Other }
            }
            ServerMessage::Settled { number, settlement } => {
                let told = peers.settle_question(number, &settlement);
                told.map_or(TableNews::Other, |words| TableNews::Settled(fit(&words)))
            }
            ServerMessage::Sent(at) => {
                self.sent = Some(at);
                return Ok(Vec::new());
            }
            ServerMessage::Said { name, text } => {
                let message = self.message(&name, &text);
                peers.add_message(message.clone());
                TableNews::Said(message)
            }
            ServerMessage::Past { name, text } => {
                peers.add_past_message(self.message(&name, &text));
                TableNews::Other
            }
            ServerMessage::Presence { name, presence, seats } => {
                self.meet(&fit(&name), presence, seats, peers)
            }
            ServerMessage::Removed { name, by } => {
                let (name, by) = (fit(&name), fit(&by));
                let by = if by == peers.me { "you" } else { &by };
                let is_missed =
                    peers.people.iter().any(|it| it.name == name && !it.seats.is_empty());
                // The presence that follows is no news.
                peers.remove(&name);
                TableNews::People { words: format!("{by} removed {name}"), is_missed }
            }
            ServerMessage::Clock { at, runs } => {
                peers.time_runs = runs;
                TableNews::Clock(at)
            }
            ServerMessage::Id(id) => {
                peers.match_id = Some(id);
                return Ok(Vec::new());
            }
            ServerMessage::Trouble(text) => {
                peers.trouble = (!text.is_empty()).then(|| fit(&text));
                TableNews::Other
            }
            ServerMessage::Closed(reason) | ServerMessage::Moved(reason) => {
                peers.line = LineState::Closed(why_ended(&reason));
                peers.time_runs = false;
                TableNews::Line
            }
            _ => return Ok(Vec::new()),
        }])
    }

    fn message(&mut self, name: &str, text: &str) -> ChatMessage {
        ChatMessage { name: fit(name), text: fit(text), sent: self.sent.take() }
    }

    /// Records that a person has joined or left. Known facts and this terminal's own presence produce no event.
    fn meet(&self, name: &str, presence: Presence, seats: SeatSet, peers: &mut Peers) -> TableNews {
        let known = peers.people.iter().find(|person| person.name == name).cloned();
        let is_me = if seats.is_empty() { name == peers.me } else { seats == self.seats };
        if is_me {
            name.clone_into(&mut peers.me);
        }
        // A person replaces the previous person at the same seats.
        if !seats.is_empty() {
            peers.people.retain(|person| person.name == name || person.seats != seats);
        }
        let attendance = match presence {
            Presence::Here | Presence::Watch => Attendance::Here,
            Presence::Away => Attendance::Away,
            Presence::Slow => Attendance::Slow,
            Presence::Gone => Attendance::Left,
        };
        if matches!(presence, Presence::Gone | Presence::Slow) && seats.is_empty() {
            peers.remove(name);
        } else {
            peers.set(Participant { name: name.to_owned(), seats, attendance });
        }
        let was = known.as_ref().map(|known| known.attendance);
        let said = match (presence, was) {
            _ if is_me || was == Some(attendance) => return TableNews::Other,
            (Presence::Here, None) => return TableNews::Joined(name.to_owned()),
            (Presence::Here, Some(_)) => return TableNews::Returned(name.to_owned()),
            (Presence::Watch, _) => "watches",
            (Presence::Away, Some(_)) => "is reconnecting",
            (Presence::Slow, Some(_)) => "was disconnected: the connection is too slow",
            (Presence::Gone, Some(_)) if !seats.is_empty() => "has left and keeps the seat",
            (Presence::Gone, Some(_)) => "has left",
            (Presence::Away | Presence::Slow | Presence::Gone, None) => return TableNews::Other,
        };
        let has_played = known.is_some_and(|known| !known.seats.is_empty());
        let is_missed = has_played && attendance != Attendance::Here;
        TableNews::People { words: format!("{name} {said}"), is_missed }
    }
}

struct MatchHead {
    table: String,
    /// The player name that the table assigned to this terminal, if sent.
    you: Option<String>,
    game: String,
    setup: String,
    words: String,
    clock: Option<String>,
    has_hints: bool,
    /// The length of the log; 0 if the table does not send the length.
    steps: usize,
    players: Vec<Player>,
}

impl MatchHead {
    fn read(lines: &[(String, String)]) -> Result<MatchHead, String> {
        let find =
            |key: &str| lines.iter().find(|(name, _)| name == key).map(|(_, value)| value.clone());
        let one = |key: &str| find(key).ok_or_else(|| format!("the table did not send its {key}"));
        let player = |(key, name): &(String, String)| {
            let name = cut_to(name, MAX_REASON_CHARS);
            Some(match &**key {
                // A person's name may look like an engine or a program.
                "person" => Player::person(&name),
                "program" => Player::Program(ProgramSeat::elsewhere(&name)),
                "engine" => match name.parse() {
                    Ok(Player::Engine(engine)) => Player::Engine(engine),
                    _ => Player::Program(ProgramSeat::elsewhere(&name)),
                },
                _ => return None,
            })
        };
        Ok(MatchHead {
            table: fit(&one("table")?),
            you: find("you").map(|name| fit(&name)),
            game: one("game")?,
            setup: one("setup")?,
            words: one("words")?,
            clock: find("clock"),
            has_hints: find("hints").is_some(),
            steps: find("steps").and_then(|steps| steps.parse().ok()).unwrap_or_default(),
            players: lines.iter().filter_map(player).take(8).collect(),
        })
    }

    /// Creates a session without steps.
    fn session(&self) -> Result<Session, String> {
        let wrong = |why: String| format!("the table's setup is invalid here: {}", fit(&why));
        let entry = catalogue::find(&self.game)
            .ok_or_else(|| format!("unknown game {}", fit(&self.game)))?;
        let read = |text: &str| text.parse().map_err(|why| wrong(format!("{why}")));
        let start = (entry.start)(&read(&self.setup)?).map_err(|why| wrong(why.to_string()))?;
        let clock = self.clock.as_ref().map(|clock| clock.parse()).transpose();
        let clock = clock.map_err(|why| wrong(format!("{why}")))?;
        let conditions = Conditions::from(self.players.clone()).with_clock(clock);
        Ok(Session::new(start, read(&self.words)?, conditions))
    }
}

/// Returns whether every seat for a person is occupied.
fn is_everybody_here(table: &Table) -> bool {
    let is_here = |seat| {
        let player = table.peers().and_then(|peers| peers.at(seat));
        player.is_some_and(|player| player.attendance == Attendance::Here)
    };
    table.players().people().all(is_here)
}

/// Formats the reason why a step of this terminal was refused.
fn not_taken(step: &Step, why: &str) -> String {
    match step {
        Step::Play(mv) => format!("{mv} was not played: {why}"),
        _ => why.to_owned(),
    }
}

/// Formats the table's reason for the end of the connection.
fn why_ended(reason: &str) -> String {
    if reason.is_empty() { "the table ended the connection".to_owned() } else { fit(reason) }
}

/// Makes a remote text fit for display.
fn fit(text: &str) -> String {
    printable(&cut_to(text, MAX_REASON_CHARS)).into_owned()
}
