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
use quadrille_table::play::{ClientRequest, OpenQuestion, Participant, Peers, QuestionKind};

/// The maximum width of the asker's name in the short form, so that name and question fit into 40 columns.
const MAX_NAME_WIDTH: usize = 12;
const MIN_NAME_WIDTH: usize = 3;
/// The width of the status line on a screen of 40 columns.
const MIN_WIDTH: usize = 36;

/// A question to the local players, with the commands for its answers.
pub(super) struct LocalQuestion {
    pub id: QuestionId,
    is_about_new_match: bool,
    answers: [String; 2],
    by: String,
    pub words: String,
    pub brief: String,
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
            brief: OpenQuestion { by: by.clone(), ..question.clone() }.in_brief(),
            by,
            agree: MatchCommand::Answer(question.number, true),
            refuse: MatchCommand::Answer(question.number, false),
        }
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
                by: by.to_owned(),
                words: format!("{by} offers {name} a draw"),
                brief: format!("{by} offers a draw"),
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
        let LocalQuestion { words, brief, by, .. } = questions.first()?;
        let (which, brief_which) = match questions.len() {
            1 => (String::new(), String::new()),
            many => (format!("1 of {many}: "), format!("1/{many}: ")),
        };
        let has_keys = !context.settings.keys.keys(Action::Agree).is_empty();
        let place = if has_keys { "" } else { "; answer in the menu" };
        let mut shorter = vec![format!("{which}{words}"), format!("{which}{brief}")];
        // The name is shortened, never the count.
        let rest = brief.strip_prefix(by).unwrap_or_default();
        for which in [which.as_str(), &brief_which] {
            let room = MIN_WIDTH.saturating_sub(text::width(which) + text::width(rest));
            if room >= MIN_NAME_WIDTH || which == brief_which {
                let by = text::shorten(by, room.max(MIN_NAME_WIDTH));
                shorter.push(format!("{which}{by}{rest}"));
            }
        }
        Some((format!("{which}{words}{place}"), shorter))
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
        let lines = questions.iter().flat_map(|LocalQuestion { words, brief, .. }| {
            let words = if text::fits(words, 26, 3) { words } else { brief };
            [words.clone()]
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

    pub(super) fn answer_elsewhere(&mut self, number: u64, yes: bool) -> Vec<Effect> {
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
}

fn agree_or_refuse(by: &str) -> [String; 2] {
    [format!("Agree with {by}"), format!("Refuse {by}")]
}
