//! Questions to the local players: from other players at a shared table, or from a draw offer at this terminal. A
//! question appears in the status line and has keys of its own, so the keys for playing keep their meaning.

use super::MatchScreen;
use super::menus::MatchCommand;
use crate::action::Action;
use crate::app::board_input::Message;
use crate::app::command::Command;
use crate::app::menu::Menu;
use crate::app::screen::{Effect, QuestionId};
use crate::app::tasks::TerminalTask;
use crate::app::{Context, text};
use quadrille_table::play::{
    ClientRequest, OpenQuestion, Participant, Peers, QuestionKind, seat_request,
};
use std::ops::RangeInclusive;

/// The maximum width of a name in the labels of answers.
const MAX_NAME_WIDTH: usize = 12;
/// The widths of names in the short forms of a question.
const NAME_WIDTHS: RangeInclusive<usize> = 3..=2 * MAX_NAME_WIDTH;

/// A question to the local players, with the commands for its answers.
pub(super) struct LocalQuestion {
    pub id: QuestionId,
    is_about_new_match: bool,
    answers: [String; 2],
    pub words: String,
    /// Shorter forms, longest first.
    pub shorter: Vec<String>,
    pub agree: MatchCommand,
    pub refuse: MatchCommand,
}

impl LocalQuestion {
    /// Returns the number that the table has given the question.
    pub fn number(&self) -> Option<u64> {
        match self.id {
            QuestionId::AtTable(number) => Some(number).filter(|_| !self.is_about_new_match),
            QuestionId::Draw(..) => None,
        }
    }
}

impl MatchScreen {
    /// Returns the open questions to the local players, oldest first.
    pub(super) fn local_questions(&self) -> Vec<LocalQuestion> {
        let remote = self.peers().into_iter().flat_map(Peers::to_answer);
        // The other questions of a table that has a new match can no longer be answered.
        let is_new_match = |open: &&OpenQuestion| open.kind == QuestionKind::NewMatch;
        let has_new_match = self.peers().is_some_and(|peers| peers.new_match().is_some());
        let remote = remote.filter(|open| !has_new_match || is_new_match(open));
        let remote = remote.map(|question| self.table_question(question));
        remote.chain(self.draw_offered_here()).collect()
    }

    fn table_question(&self, question: &OpenQuestion) -> LocalQuestion {
        let is_for_seat = matches!(question.kind, QuestionKind::Seat(_));
        let room = if is_for_seat { 2 * MAX_NAME_WIDTH } else { MAX_NAME_WIDTH };
        let by = text::shorten(&question.by, room);
        let answers = if question.kind == QuestionKind::NewMatch {
            ["Join the new match".to_owned(), "Stay here".to_owned()]
        } else if is_for_seat {
            // An absent player whose seat is requested may have an open question too.
            [format!("Seat {by}"), format!("Decline {by}")]
        } else if matches!(question.kind, QuestionKind::Sits(_)) {
            [format!("Play with {by}"), format!("Remove {by}")]
        } else {
            agree_or_refuse(&by)
        };
        LocalQuestion {
            id: QuestionId::AtTable(question.number),
            is_about_new_match: question.kind == QuestionKind::NewMatch,
            answers,
            words: self.open_match.describe_question(question),
            shorter: self.shorter_forms(question),
            agree: MatchCommand::Answer(question.number, true),
            refuse: MatchCommand::Answer(question.number, false),
        }
    }

    /// Shortens the names in a question, and last leaves out the number of the move.
    fn shorter_forms(&self, question: &OpenQuestion) -> Vec<String> {
        let in_brief = |moves: usize, width: usize| {
            let by = text::shorten(&question.by, width);
            let QuestionKind::Seat(seats) = question.kind else {
                return question.kind.in_brief(&by);
            };
            let owner = self.open_match.seat_owner(seats);
            let owner = owner.map(|owner| text::shorten(&owner.name, width));
            seat_request(&by, seats, owner.as_deref(), moves)
        };
        let moves = [self.open_match.current_match().ply(), 0].into_iter();
        let forms = moves.flat_map(|moves| NAME_WIDTHS.rev().map(move |width| (moves, width)));
        let mut forms: Vec<String> = forms.map(|(moves, width)| in_brief(moves, width)).collect();
        forms.dedup();
        forms
    }

    /// Returns the draw offer of a different player at this terminal.
    fn draw_offered_here(&self) -> Option<LocalQuestion> {
        let seat = self.open_match.asked_about_draw()?;
        let offer = self.draw_offer()?;
        (self.draw_refused != Some(offer)).then(|| {
            let by = self.open_match.draw_offered_by();
            let name = self.open_match.players().name(seat);
            LocalQuestion {
                id: QuestionId::Draw(offer, seat),
                is_about_new_match: false,
                answers: agree_or_refuse(by),
                words: format!("{by} offers {name} a draw"),
                shorter: vec![QuestionKind::Draw.in_brief(by)],
                agree: MatchCommand::AcceptDraw(seat),
                refuse: MatchCommand::RefuseDraw(seat),
            }
        })
    }

    /// Returns the index of the last draw offer, or of the last agreement to it, in the log.
    pub(super) fn draw_offer(&self) -> Option<usize> {
        self.open_match.session().log().iter().rposition(|logged| logged.step.is_about_draw())
    }

    /// Returns the status line for the first question, and shorter forms, longest first. If the user has rebound the
    /// answer keys, the line says where to find the answers.
    pub(super) fn question_status(&self, context: &Context) -> Option<(String, Vec<String>)> {
        let questions = self.local_questions();
        let LocalQuestion { words, shorter, .. } = questions.first()?;
        let (which, brief_which) = match questions.len() {
            1 => (String::new(), String::new()),
            many => (format!("1 of {many}: "), format!("1/{many}: ")),
        };
        let has_keys = !context.settings.keys.keys(Action::Agree).is_empty();
        let place = if has_keys { "" } else { "; answer in the menu" };
        // The name is shortened, never the count.
        let forms = [which.as_str(), &brief_which].into_iter();
        let forms =
            forms.flat_map(|which| shorter.iter().map(move |form| format!("{which}{form}")));
        let forms = std::iter::once(format!("{which}{words}")).chain(forms).collect();
        Some((format!("{which}{words}{place}"), forms))
    }

    pub(super) fn shows_question(&self, context: &Context) -> bool {
        let is_covered = self.input.asks_to_confirm()
            || context.notice.is_some()
            || matches!(self.input.message(), Some(Message::Note(_) | Message::Refusal(_)))
            || self.peers().is_some_and(|peers| !peers.is_up() && peers.new_match().is_none());
        !is_covered && !self.local_questions().is_empty()
    }

    /// Returns news that the question in the status line hides, such as the answer to this terminal's own request.
    pub(super) fn news_behind_question(&self, context: &Context) -> Option<String> {
        let news = self.input.news().filter(|_| self.shows_question(context))?;
        Some(news.words.clone())
    }

    /// Answers the question in the status line. If there is no question, `yes` = false withdraws the request made at
    /// this terminal.
    pub(super) fn answer(&mut self, yes: bool, context: &Context) -> Vec<Effect> {
        let Some(question) = self.local_questions().into_iter().next() else {
            return if yes { Vec::new() } else { self.withdraw() };
        };
        self.run_command(if yes { &question.agree } else { &question.refuse }, context)
    }

    /// Returns the lines of a menu for the open questions.
    pub(super) fn question_lines(&self) -> Vec<String> {
        let questions = self.local_questions();
        let lines = questions.into_iter().map(|LocalQuestion { words, shorter, .. }| {
            let mut forms = std::iter::once(words).chain(shorter);
            let last = forms.next_back().unwrap_or_default();
            forms.find(|form| text::fits(form, 26, 3)).unwrap_or(last)
        });
        lines.collect()
    }

    /// Returns the answers to the open questions, and the withdrawal of this terminal's own.
    pub(super) fn question_entries(&self) -> impl Iterator<Item = Command> {
        let questions = self.local_questions();
        let entries =
            questions.into_iter().flat_map(|LocalQuestion { answers, agree, refuse, .. }| {
                answers.into_iter().zip([agree, refuse])
            });
        let own = self.peers().and_then(Peers::own_question);
        let withdraw = own.map(|_| ("Withdraw your request".to_owned(), MatchCommand::Withdraw));
        let entries = entries.chain(withdraw);
        entries.map(|(label, command)| {
            Command::entry(label, [Effect::command(command)]).final_if(true)
        })
    }

    pub(super) fn withdraw(&mut self) -> Vec<Effect> {
        if let Some(peers) = self.open_match.owner_mut().peers_mut() {
            peers.withdraw();
        }
        Vec::new()
    }

    /// Asks the host which player or spectator to remove.
    pub(super) fn ask_whom_to_remove(peers: &Peers) -> Effect {
        let others = peers.people.iter().filter(|other| other.name != peers.me);
        let remove = |Participant { name, .. }: &Participant| {
            let remove = MatchCommand::Request(ClientRequest::Remove(name.clone()));
            (format!("Remove {name}"), vec![Effect::command(remove)])
        };
        let lines = "This frees the seat for another guest.";
        let menu = Menu::new("Remove player")
            .with_lines(vec![lines.to_owned()])
            .no("Cancel")
            .entries(others.map(remove))
            .with_about("This closes the player's connection.");
        Effect::open(menu)
    }

    /// Answers a question of the table. Giving a player's seat away needs a second answer.
    pub(super) fn answer_elsewhere(&mut self, number: u64, yes: bool) -> Vec<Effect> {
        match self.ask_to_give_seat(number).filter(|_| yes) {
            Some(ask) => vec![ask],
            None => self.send_answer(number, yes),
        }
    }

    pub(super) fn send_answer(&mut self, number: u64, yes: bool) -> Vec<Effect> {
        let new_match = self.peers().and_then(Peers::new_match);
        if yes && new_match.is_some_and(|question| question.number == number) {
            return vec![Effect::run(TerminalTask::LogIn)];
        }
        let is_open = |peers: &Peers| peers.to_answer().any(|open| open.number == number);
        if !self.peers().is_some_and(is_open) {
            self.input.announce_news("too late: that request has expired".to_owned());
            return Vec::new();
        }
        self.input.announce_news(if yes { "you agree" } else { "you decline" }.to_owned());
        self.send_request(ClientRequest::Answer { number, yes })
    }

    /// Asks before a player's seat is given away; `None` if the question with this number is about something else.
    fn ask_to_give_seat(&self, number: u64) -> Option<Effect> {
        let mut questions = self.peers()?.to_answer();
        let OpenQuestion { by, kind, .. } = questions.find(|open| open.number == number)?;
        let QuestionKind::Seat(seats) = kind else { return None };
        let owner = text::shorten(&self.open_match.seat_owner(*seats)?.name, MAX_NAME_WIDTH);
        let by = text::shorten(by, MAX_NAME_WIDTH);
        let moves = self.open_match.current_match().ply();
        let stage = if moves > 0 { format!(" at move {}", moves + 1) } else { String::new() };
        let give = [Effect::command(MatchCommand::GiveSeat(number))];
        let menu = Menu::new(format!("Give {owner}'s seat to {by}?"))
            .with_lines(vec![format!("{owner} is away and loses the seat{stage}.")])
            .no("Cancel")
            .yes("Give the seat away", give)
            .with_about("The seat belongs to an absent player, who could return.");
        Some(Effect::open(menu))
    }
}

fn agree_or_refuse(by: &str) -> [String; 2] {
    [format!("Agree with {by}"), format!("Refuse {by}")]
}
