//! The commands of a match: its keys, and the entries of its menus.

use super::menus::MatchCommand;
use super::{MatchPhase, MatchScreen};
use crate::action::{Action, KeyHint};
use crate::app::command::{Command, Commands};
use crate::app::context::Context;
use crate::app::destination::Destination;
use crate::app::screen::Effect;
use crate::app::unfinished::{Unfinished, UnfinishedId};
use crate::picture::HAS_PIXELS;
use quadrille_match::session::Step;
use quadrille_system::CAN_HOST_TABLES;
use quadrille_table::play::{ClientRequest, EngineTurn, Peers};

fn command(action: Action, is_shown: bool) -> Command {
    Command::from(action.hint()).shown_if(is_shown)
}

fn entry(label: &str, words: &'static str, command: MatchCommand) -> Command {
    Command::entry(label, [Effect::command(command)]).typed_as(words)
}

impl MatchScreen {
    pub(super) fn commands_in(&self, context: &Context) -> Commands {
        let commands = self.all_commands();
        let is_offered = self.input.text_commands().is_none() && self.next_match(context).is_some();
        commands.show_if(is_offered, Action::NextMatch.to("next match"))
    }

    pub(super) fn all_commands(&self) -> Commands {
        if let Some(commands) = self.input.text_commands() {
            return commands;
        }
        let (phase, has_question) = (self.phase(), !self.local_questions().is_empty());
        let is_over = phase == MatchPhase::Over;
        let commands = Commands::default().add(self.question_entries()).add(self.keys(phase));
        let commands = commands
            .with_menu("pause", !is_over)
            .add(self.overdue_decisions())
            .add(self.entries())
            .add(self.answers(has_question, false));
        let commands = match phase {
            MatchPhase::Interlude => commands.with_footer([Action::Choose.to("continue").into()]),
            _ if has_question => {
                let board = self.open_match.board.key_hints();
                let answers = Commands::default().add(self.answers(true, true)).show_all(board);
                let pause = Command::from(Action::Back.to("pause")).typed_as("menu pause");
                commands.with_footer(answers.show(pause))
            }
            _ => commands,
        };
        let mut commands = self.input.commands(&*self.open_match.board, commands);
        commands.retain(|command| !command.is(Action::Picture) || !self.is_kiosk());
        commands
    }

    /// Returns the commands that have keys, most important first.
    fn keys(&self, phase: MatchPhase) -> Commands {
        let game = self.open_match.current_match();
        let (is_live, is_remote) = (game.to_move().is_some(), self.is_remote());
        let board = match phase {
            MatchPhase::Here | MatchPhase::NoTable => self.open_match.board.key_hints(),
            MatchPhase::Engine if self.assistance.at_table == EngineTurn::Waits => {
                vec![Action::Choose.to("continue")]
            }
            MatchPhase::Over => vec![Action::Choose.to("menu")],
            _ => Vec::new(),
        };
        let over = phase == MatchPhase::Over;
        let is_paused = game.outcome().is_none();
        let withdraws = self.peers().is_some_and(Peers::has_asked_to_take_back);
        let undo = if withdraws { Action::Undo.to("withdraw") } else { Action::Undo.hint() };
        let watches = is_remote && self.open_match.local().is_empty();
        let redoes = !over && game.next_node(game.node()).is_some() && !watches;
        let has_choice = game.children(game.node()).len() > 1;
        let redo = KeyHint::new(&[Action::Redo, Action::NextVariation], "redo");
        let is_turn = self.person_is_to_move();
        let may_help = is_turn && self.settings.hints && self.may_help();
        let has_no_values_key = self.settings.two_key_sets && self.open_match.shares_keyboard();
        let values = if self.assistance.analyses { "Hide values" } else { "Show values" };
        let has_notes = self.open_match.entry.words.about_notes.is_some();
        Commands::default()
            .show_all(board)
            .show_if(
                self.open_match.claimant(self.played).is_some(),
                KeyHint::new(&[Action::Overdue], "overdue"),
            )
            .show(
                Command::from(Action::Rematch.hint())
                    .typed_as("swap")
                    .labelled("Rematch, swap sides")
                    .only_if(
                        !is_paused && phase != MatchPhase::Interlude && self.can_play_rematch(),
                    )
                    .final_if(true),
            )
            .show(Command::from(undo).shown_if(withdraws || self.can_undo()).labelled_if(
                is_paused && self.can_undo() && (!is_remote || self.may_ask()),
                if is_remote { "Request take-back" } else { "Undo" },
            ))
            .show_if(redoes && has_choice, redo)
            .add([command(Action::Redo, redoes && !has_choice)])
            .hide(&[Action::NextVariation])
            .add([command(Action::Hint, may_help).only_if(is_live)])
            .add([command(Action::Values, may_help)
                .only_if(is_live)
                .labelled_if(has_no_values_key && !is_remote, values)])
            .add([command(Action::Chains, may_help && has_notes).only_if(is_live && has_notes)])
            .add([command(Action::Type, is_turn).only_if(is_live)])
    }

    /// Returns the next match that waits, once the user has moved in a match with days per move.
    pub(super) fn next_match(&self, context: &Context) -> Option<UnfinishedId> {
        let has_days = self.open_match.session().days().is_some();
        let is_host = self.peers().is_some_and(|peers| peers.is_host);
        if !has_days || !is_host || self.person_is_to_move() {
            return None;
        }
        let own = self.peers().and_then(|peers| peers.match_id.as_ref());
        let mut others =
            context.unfinished.iter().filter(|other| other.waits()).map(Unfinished::id);
        others.find(|other| own.is_none_or(|own| !other.is_match(own)))
    }

    /// Returns the answers to a question, or to withdraw one.
    fn answers(&self, has_question: bool, is_shown: bool) -> [Command; 2] {
        let has_asked = self.peers().is_some_and(Peers::has_asked);
        [Action::Agree.to("yes"), Action::Refuse.to("no")].map(|hint| {
            let answer = Command::from(hint).shown_if(is_shown);
            answer.only_if(has_question || has_asked).final_if(true)
        })
    }

    /// Returns the decisions about an overdue opponent.
    pub(super) fn overdue_decisions(&self) -> [Command; 2] {
        let may_decide = self.open_match.claimant(self.played).is_some();
        [
            entry("Claim the win", "claim", MatchCommand::AskToClaim).only_if(may_decide),
            entry("Give more time", "more_time", MatchCommand::Decide(Step::MoreTime))
                .only_if(may_decide)
                .final_if(true),
        ]
    }

    /// Returns the entries of the menus: of the pause, of the table, or of the result.
    fn entries(&self) -> Vec<Command> {
        let table = &self.open_match;
        let game = table.current_match();
        let (is_remote, over) = (self.is_remote(), game.outcome().is_some());
        let plays = !table.local().is_empty();
        let has_people = table.players().people().next().is_some();
        let may_resign = !over && if is_remote { plays } else { has_people };
        let may_ask = !is_remote || self.may_ask();
        let may_draw = !over && may_ask && !table.engines_refuse_a_draw();
        let has_moves = self.can_undo() || game.undone() > 0;
        let (is_kiosk, peers) = (self.is_kiosk(), self.peers());
        let is_host = peers.is_some_and(|peers| peers.is_host);
        let has_others =
            peers.is_some_and(|peers| peers.people.iter().any(|other| other.name != peers.me));
        let leave = match (over, is_remote) {
            (true, false) => "Home",
            (false, false) if table.is_worth_keeping() => "Save and leave",
            (false, false) => "Leave",
            (false, true) if is_host => "Leave (table stays open)",
            (_, true) => "Leave the table",
        };
        let close = MatchCommand::Request(ClientRequest::Close);
        let has_days = table.session().days().is_some();
        let rules = Effect::Open(Destination::Rules(table.entry));
        let picture = command(Action::Picture, false).labelled_if(over, "Save a picture");
        vec![
            Command::entry("View the board", []).typed_as("board").only_if(over),
            entry("Rematch", "rematch", MatchCommand::Rematch { swap: false })
                .only_if(over && self.can_play_rematch())
                .final_if(true),
            entry("Review the match", "review", MatchCommand::Review)
                .only_if(over && table.match_view().game.ply() > 0 && !is_kiosk),
            Command::entry("Rules", [rules]).typed_as("rules").only_if(!over),
            entry("Offer a draw", "draw", MatchCommand::OfferDraw).only_if(may_draw).final_if(true),
            entry("Resign", "resign", MatchCommand::AskWhoResigns)
                .only_if(may_resign)
                .final_if(true),
            command(Action::Say, !over).only_if(self.may_say()).labelled_if(!over, "Send message"),
            entry("Chat", "chat", MatchCommand::ShowChat).only_if(is_remote && (!over || has_days)),
            entry("Start over", "restart", MatchCommand::AskToRestart)
                .only_if(!is_remote && !over && has_moves),
            entry("Invite a guest", "invite", MatchCommand::AskWhichSeat)
                .only_if(CAN_HOST_TABLES && !is_remote && !over && has_people),
            entry("Invite", "invite", MatchCommand::ShowInvitation).only_if(is_host && !over),
            entry("Remove player", "remove", MatchCommand::AskWhomToRemove)
                .only_if(is_host && has_others && !over),
            entry("Save and close table", "close", close)
                .only_if(is_host && !over && !has_days)
                .final_if(true),
            entry("New match", "new", MatchCommand::SetUpAnother).only_if(!is_remote),
            picture.only_if(!is_kiosk),
            entry("Save a GIF", "gif", MatchCommand::SaveGif)
                .only_if(HAS_PIXELS && over && game.ply() > 0 && !is_kiosk),
            entry("Copy the record", "copy", MatchCommand::CopyRecord).only_if(over),
            Command::entry("Settings", [Effect::Open(Destination::Settings)])
                .typed_as("settings")
                .only_if(!is_kiosk && !over),
            Command::entry(leave, [Effect::Pop]),
        ]
    }

    /// Returns whether a player at this terminal can ask the other players for their consent.
    fn may_ask(&self) -> bool {
        let is_free = |peers: &Peers| peers.is_ready() && !peers.has_asked();
        !self.open_match.local().is_empty() && self.peers().is_some_and(is_free)
    }
}
