//! How a match ended, on a card in the winner's colour.

use super::{cut, digits, score_cards};
use crate::app::open_match::MatchView;
use crate::app::series::Series;
use crate::app::text;
use crate::board::Skin;
use crate::rules::Seat;
use crate::scene::{Role, SeatRole};
use crate::session;
use crate::wording::counted;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

/// The least rows for a menu below the card.
const MENU: u16 = 8;
/// The most rows that say how the match ended.
const HOW: u16 = 3;
/// From this height on, the score is in large digits.
const LARGE_FROM: u16 = 18;

/// The result of a match, to be drawn.
pub(super) struct ResultCard<'a> {
    pub shown: MatchView<'a>,
    pub series: &'a Series,
}

impl ResultCard<'_> {
    /// Draws the result from the top of an area, and returns what is left of it for a menu.
    pub fn draw(&self, skin: Skin, area: Rect, buffer: &mut Buffer) -> Rect {
        let mut rest = area;
        self.draw_headline(skin, &mut rest, buffer);
        let scores = self.shown.game.scores().unwrap_or_default();
        let sum: u32 = scores.iter().sum();
        if sum > 0 && rest.height > MENU {
            super::draw_scores(self.shown, sum, skin, cut(&mut rest, 1), buffer);
        }
        if scores.len() > 2 {
            let caption = self.shown.board.caption();
            let rows = score_cards::draw(self.shown, &caption, area.height, skin, rest, buffer);
            cut(&mut rest, rows);
        }
        let air = u16::from(rest.height > MENU);
        cut(&mut rest, air);
        if self.series.is_long() {
            self.series.draw(self.shown, skin, cut(&mut rest, 1), buffer);
            cut(&mut rest, air);
        }
        rest
    }

    /// Draws who has won, how the match ended, and the score of two seats.
    fn draw_headline(&self, skin: Skin, rest: &mut Rect, buffer: &mut Buffer) {
        let game = self.shown.game;
        let scores = self.pair(*rest, skin);
        let how = session::how(game, self.shown.players);
        // A game without scores has the number of moves in that line.
        let how = how.or_else(|| match game.scores() {
            Some(_) => None,
            None => Some(format!("in {}", counted(game.ply(), "move", "moves"))),
        });
        let score_rows = match &scores {
            Some(pair) => 1 + pair.height(),
            None => 0,
        };
        // It is cut only where the menu needs the room.
        let room = rest.height.saturating_sub(3 + score_rows + MENU).clamp(1, HOW);
        let width = usize::from(rest.width.saturating_sub(3));
        let how = how.map_or(Vec::new(), |how| text::wrap(&how, width, room.into(), skin));
        let height = 3 + score_rows + how.len() as u16;
        let mut card = cut(rest, height);
        let styles = ResultStyles::of(self.winner(), skin);
        buffer.set_style(card, styles.background);
        if !skin.theme().paints() {
            for y in card.top()..card.bottom() {
                buffer[(card.x, y)].set_char(skin.glyphs().edge).set_style(styles.ink);
            }
        }
        cut(&mut card, 1);
        card = Rect { x: card.x + 2, width: card.width.saturating_sub(3), ..card };
        let line = cut(&mut card, 1);
        let who = session::who_won(game, self.shown.players);
        let ink = styles.ink.add_modifier(Modifier::BOLD);
        text::put((line.x, line.y), &who, line.width.into(), ink, skin, buffer);
        for how in &how {
            let line = cut(&mut card, 1);
            text::put((line.x, line.y), how, line.width.into(), styles.dim, skin, buffer);
        }
        if let Some(pair) = scores {
            cut(&mut card, 1);
            pair.draw(&styles, skin, cut(&mut card, pair.height()), buffer);
        }
    }

    /// The winner, if there is just one.
    fn winner(&self) -> Option<Seat> {
        let mut winners = self.shown.game.outcome()?.winners();
        winners.next().filter(|_| winners.next().is_none())
    }

    /// The scores of two seats, the winner's first.
    fn pair(&self, area: Rect, skin: Skin) -> Option<ScorePair> {
        let [mut first, mut second] = <[u32; 2]>::try_from(self.shown.game.scores()?).ok()?;
        if self.winner().is_some_and(|seat| seat != Seat::FIRST) {
            (first, second) = (second, first);
        }
        let is_large = area.height >= LARGE_FROM && skin.glyphs().halves.is_some();
        Some(ScorePair { first, second, is_large })
    }
}

/// The score of two seats: `9 to 7`.
struct ScorePair {
    first: u32,
    second: u32,
    is_large: bool,
}

impl ScorePair {
    const fn height(&self) -> u16 {
        if self.is_large { digits::height(1) } else { 1 }
    }

    fn draw(&self, styles: &ResultStyles, skin: Skin, area: Rect, buffer: &mut Buffer) {
        if area.height < self.height() {
            return;
        }
        let bold = styles.ink.add_modifier(Modifier::BOLD);
        let room = |x: u16| usize::from(area.right().saturating_sub(x));
        let (y, last) = (area.y, area.bottom() - 1);
        let number = |x: u16, number: u32, style: Style, buffer: &mut Buffer| -> u16 {
            let number = number.to_string();
            match skin.glyphs().halves.filter(|_| self.is_large) {
                Some([upper, lower, _]) => {
                    let glyphs = [upper, lower, skin.glyphs().bar];
                    let place = Rect { x, width: area.right().saturating_sub(x), ..area };
                    digits::draw(&number, 1, glyphs, style, place, buffer);
                    x + digits::width(&number, 1)
                }
                None => buffer.set_stringn(x, y, number, room(x), style).0,
            }
        };
        let x = number(area.x, self.first, bold, buffer);
        let (x, _) = buffer.set_stringn(x + 2, last, "to", room(x + 2), styles.dim);
        let level = self.first == self.second;
        number(x + 2, self.second, if level { bold } else { styles.dim }, buffer);
    }
}

/// The styles of the card.
struct ResultStyles {
    background: Style,
    ink: Style,
    dim: Style,
}

impl ResultStyles {
    fn of(winner: Option<Seat>, skin: Skin) -> ResultStyles {
        let roles = match winner {
            Some(seat) => [SeatRole::Card, SeatRole::CardInk, SeatRole::CardDim]
                .map(|role| Role::Of(role, seat)),
            None => [Role::Panel, Role::Strong, Role::Dim],
        };
        let [background, ink, dim] = roles.map(|role| skin.style(role));
        ResultStyles { background: Style { bg: background.bg, ..Style::new() }, ink, dim }
    }
}
