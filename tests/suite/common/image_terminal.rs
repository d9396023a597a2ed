//! A model of a terminal with images: decodes cells, kitty's placeholders, sixels and iTerm2's inline images into
//! pixels. Panics at what real terminals get wrong or do not allow.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use quadrille::app::RESERVED;
use quadrille_scene::colour;
use quadrille_scene::pixels::{CellSize, Pixels};
use ratatui::layout::{Position, Rect};
use ratatui::style::Color;
use resvg::tiny_skia::Pixmap;
use std::collections::BTreeMap;

type Rgb = [u8; 3];
type Rgba = [u8; 4];

pub struct ImageTerminal {
    columns: u16,
    rows: u16,
    cell: CellSize,
    cells: Vec<ModelCell>,
    cursor: (u16, u16),
    style: ModelStyle,
    /// The images that the terminal holds, by their ids.
    pub images: BTreeMap<u32, KittyImage>,
    /// The parts of an image so far, with its id.
    sending: Option<(u32, String)>,
    is_in_update: bool,
    /// The bytes of an unfinished sequence.
    unfinished: Vec<u8>,
    /// How many images were sent.
    pub sent: usize,
    is_tmux: bool,
}

#[derive(Clone, Copy, Default, PartialEq)]
struct ModelStyle {
    text: Option<Rgb>,
    paper: Option<Rgb>,
}

#[derive(Clone, Default)]
struct ModelCell {
    symbol: String,
    style: ModelStyle,
    /// The pixels of an image that lies on this cell, with alpha 0 for those that are unset.
    overlay: Option<Vec<Rgba>>,
}

pub struct KittyImage {
    pixels: Pixels,
    /// Columns and rows, once the image has a placement.
    cells: Option<(u16, u16)>,
}

/// The numbers of rows and columns: kitty's first combining marks.
const MARKS: &str = "\u{305}\u{30d}\u{30e}\u{310}\u{312}\u{33d}\u{33e}\u{33f}\u{346}\u{34a}\u{34b}\u{34c}\u{350}\
    \u{351}\u{352}\u{357}\u{35b}\u{363}\u{364}\u{365}\u{366}\u{367}\u{368}\u{369}";

impl ImageTerminal {
    pub fn new((columns, rows): (u16, u16), cell: CellSize) -> ImageTerminal {
        ImageTerminal {
            columns,
            rows,
            cell,
            cells: vec![ModelCell::default(); usize::from(columns) * usize::from(rows)],
            cursor: (0, 0),
            style: ModelStyle::default(),
            images: BTreeMap::new(),
            sending: None,
            is_in_update: false,
            unfinished: Vec::new(),
            sent: 0,
            is_tmux: false,
        }
    }

    /// Makes it a tmux that passes sequences on to a kitty, and nothing else of kitty's protocol.
    pub fn in_tmux(self) -> ImageTerminal {
        ImageTerminal { is_tmux: true, ..self }
    }

    /// Changes the size. Text and inline images go, images with ids stay.
    pub fn resize(&mut self, (columns, rows): (u16, u16), cell: CellSize) {
        let images = std::mem::take(&mut self.images);
        *self = ImageTerminal {
            images,
            sent: self.sent,
            is_tmux: self.is_tmux,
            ..ImageTerminal::new((columns, rows), cell)
        };
    }

    pub fn feed(&mut self, bytes: &[u8]) {
        let mut all = std::mem::take(&mut self.unfinished);
        all.extend(bytes);
        let mut rest = &all[..];
        while !rest.is_empty() {
            let Some(length) = self.step(rest) else {
                self.unfinished = rest.to_vec();
                break;
            };
            rest = &rest[length..];
        }
    }

    /// Interprets one sequence or character, and returns its length; `None` if it is unfinished.
    fn step(&mut self, bytes: &[u8]) -> Option<usize> {
        match bytes {
            [0x1b] => None,
            [0x1b, b'[', rest @ ..] => {
                let end = rest.iter().position(|byte| (0x40..=0x7e).contains(byte))?;
                let text = std::str::from_utf8(&rest[..end]).unwrap();
                self.control(text, rest[end]);
                Some(end + 3)
            }
            [0x1b, b'(', ..] => Some(3),
            [0x1b, kind @ (b'_' | b'P' | b']'), rest @ ..] => {
                let end = (0..rest.len()).find(|&at| {
                    let is_doubled = at > 0 && rest[at - 1] == 0x1b;
                    rest[at..].starts_with(b"\x1b\\") && !is_doubled
                        || *kind == b']' && rest[at] == 7
                })?;
                self.string(*kind, &rest[..end]);
                Some(2 + end + if rest[end] == 7 { 1 } else { 2 })
            }
            [0x1b, _, ..] => Some(2),
            [0..=0x1f, ..] => Some(1),
            _ => {
                let text = bytes.utf8_chunks().next().unwrap().valid();
                let letter = text.chars().next()?;
                self.put(letter);
                Some(letter.len_utf8())
            }
        }
    }

    fn control(&mut self, text: &str, last: u8) {
        let numbers: Vec<u16> = text.split(';').map(|number| number.parse().unwrap_or(0)).collect();
        match (text, last) {
            ("?2026", b'h' | b'l') => {
                self.is_in_update = last == b'h';
                if last == b'l' {
                    assert!(self.sending.is_none(), "half an image at the end of an update");
                }
            }
            ("?1049", b'h' | b'l') | ("2", b'J') => self.cells.fill(ModelCell::default()),
            (_, b'H') => {
                let at = |n: usize| numbers.get(n).copied().unwrap_or(1).max(1) - 1;
                self.cursor = (at(1), at(0));
            }
            (_, b'C') => self.cursor.0 += numbers[0].max(1),
            (_, b'X') => {
                let (x, y) = self.cursor;
                for x in x..x + numbers[0] {
                    let style = ModelStyle { paper: self.style.paper, text: None };
                    *self.cell_mut(x, y) = ModelCell { style, ..ModelCell::default() };
                }
            }
            (text, b'm') if !text.starts_with(['?', '>']) => self.set_style(&numbers),
            _ => {}
        }
    }

    fn set_style(&mut self, numbers: &[u16]) {
        let mut rest = numbers;
        while let [first, later @ ..] = rest {
            rest = later;
            let of = |rest: &[u16]| match rest {
                [2, r, g, b, ..] => (Some([r, g, b].map(|part| *part as u8)), 4),
                [5, index, ..] => {
                    let colour = colour::Rgb::of(Color::Indexed(*index as u8));
                    (colour.map(|colour::Rgb(r, g, b)| [r, g, b]), 2)
                }
                _ => (None, 0),
            };
            match first {
                0 => self.style = ModelStyle::default(),
                38 | 48 => {
                    let (colour, used) = of(rest);
                    if *first == 38 {
                        self.style.text = colour;
                    } else {
                        self.style.paper = colour;
                    }
                    rest = &rest[used..];
                }
                _ => {}
            }
        }
    }

    fn cell_mut(&mut self, x: u16, y: u16) -> &mut ModelCell {
        assert!(x < self.columns && y < self.rows, "{x}, {y} is outside");
        &mut self.cells[usize::from(y) * usize::from(self.columns) + usize::from(x)]
    }

    fn cell_at(&self, x: u16, y: u16) -> &ModelCell {
        &self.cells[usize::from(y) * usize::from(self.columns) + usize::from(x)]
    }

    fn put(&mut self, letter: char) {
        let ((x, y), style) = (self.cursor, self.style);
        if MARKS.contains(letter) {
            self.cell_mut(x - 1, y).symbol.push(letter);
            return;
        }
        if x < self.columns && y < self.rows {
            *self.cell_mut(x, y) = ModelCell { symbol: letter.into(), style, overlay: None };
        }
        self.cursor.0 += 1;
    }

    fn string(&mut self, kind: u8, text: &[u8]) {
        match kind {
            b'P' if text.starts_with(b"tmux;") => {
                assert!(self.is_tmux);
                let mut inner = Vec::new();
                let mut rest = &text[5..];
                while let [first, later @ ..] = rest {
                    inner.push(*first);
                    rest = if *first == 0x1b {
                        later.strip_prefix(b"\x1b").expect("doubled")
                    } else {
                        later
                    };
                }
                let end = inner.len() - 2;
                assert!(inner.starts_with(b"\x1b_G") && inner.ends_with(b"\x1b\\"));
                self.kitty(std::str::from_utf8(&inner[3..end]).unwrap());
            }
            b'_' if text.starts_with(b"G") && !text.windows(3).any(|part| part == b"a=q") => {
                assert!(!self.is_tmux, "tmux drops this");
                self.kitty(std::str::from_utf8(&text[1..]).unwrap());
            }
            b'P' if text.starts_with(b"0;1q") => self.sixel(&text[4..]),
            b']' if text.starts_with(b"1337;File=") => {
                self.inline(std::str::from_utf8(&text[10..]).unwrap());
            }
            _ => {}
        }
    }

    fn kitty(&mut self, command: &str) {
        let (keys, data) = command.split_once(';').unwrap_or((command, ""));
        let keys: BTreeMap<&str, &str> =
            keys.split(',').filter_map(|key| key.split_once('=')).collect();
        let number = |key: &str| keys.get(key).map(|value| value.parse::<u32>().unwrap());
        assert_eq!(keys.get("q"), Some(&"2"), "kitty would answer {command:.60}");
        assert!(data.len() <= 4096, "{} bytes in a part", data.len());
        let is_deletion = keys.get("a") == Some(&"d");
        assert!(is_deletion || self.is_in_update, "outside an update: {command:.60}");
        match keys.get("a").copied() {
            Some("t") => {
                assert!(self.sending.is_none());
                assert_eq!(keys["f"], "100");
                self.sending = Some((number("i").unwrap(), String::new()));
                self.receive(data, number("m") == Some(1));
            }
            None => self.receive(data, number("m") == Some(1)),
            Some("p") => {
                assert_eq!(keys["U"], "1");
                let image = self.images.get_mut(&number("i").unwrap()).expect("an image");
                image.cells = Some((number("c").unwrap() as u16, number("r").unwrap() as u16));
            }
            Some("d") => {
                assert_eq!(keys["d"], "I", "the data would stay");
                self.images.remove(&number("i").unwrap());
            }
            other => panic!("{other:?}"),
        }
    }

    fn receive(&mut self, data: &str, has_more: bool) {
        let (id, mut all) = self.sending.take().expect("the first part");
        all.push_str(data);
        if has_more {
            self.sending = Some((id, all));
            return;
        }
        self.sent += 1;
        // A new image with a known id has no placement yet.
        self.images.insert(id, KittyImage { pixels: png(&all), cells: None });
    }

    fn inline(&mut self, text: &str) {
        let (keys, data) = text.split_once(':').unwrap();
        let number = |key: &str| -> usize {
            let key = format!("{key}=");
            let value = keys.split(';').find_map(|part| part.strip_prefix(&*key));
            value.unwrap_or_else(|| panic!("no {key}")).parse().unwrap()
        };
        assert!(self.is_in_update && number("inline") == 1 && number("doNotMoveCursor") == 1);
        let pixels = png(data);
        let [width, height] = [self.cell.width, self.cell.height].map(usize::from);
        let size = (number("width") * width, number("height") * height);
        assert_eq!((pixels.width as usize, pixels.height as usize), size, "it is scaled");
        assert_eq!(BASE64_STANDARD.decode(data).unwrap().len(), number("size"));
        for y in 0..pixels.height as usize {
            for x in 0..pixels.width as usize {
                let at = (y * pixels.width as usize + x) * 4;
                self.set_pixel(x, y, pixels.rgba[at..at + 4].try_into().unwrap());
            }
        }
        self.sent += 1;
    }

    /// Sets a pixel of the overlay, counted from the cursor.
    fn set_pixel(&mut self, x: usize, y: usize, colour: Rgba) {
        let [width, height] = [self.cell.width, self.cell.height].map(usize::from);
        let (column, row) = self.cursor;
        let cell = self.cell_mut(column + (x / width) as u16, row + (y / height) as u16);
        let overlay = cell.overlay.get_or_insert_with(|| vec![[0; 4]; width * height]);
        if colour[3] > 0 {
            overlay[(y % height) * width + x % width] = colour;
        }
    }

    fn sixel(&mut self, data: &[u8]) {
        assert!(self.is_in_update);
        let data = std::str::from_utf8(data).unwrap();
        let (head, mut rest) =
            data.split_at(data[1..].find(['#', '-', '?']).map_or(data.len(), |at| at + 1));
        let size: Vec<usize> = head
            .strip_prefix("\"1;1;")
            .unwrap()
            .split(';')
            .map(|part| part.parse().unwrap())
            .collect();
        let take_number = |rest: &mut &str| -> usize {
            let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
            let (number, later) = rest.split_at(end);
            *rest = later;
            number.parse().unwrap()
        };
        let mut palette: BTreeMap<usize, Rgba> = BTreeMap::new();
        let (mut x, mut y, mut colour) = (0, 0, [0; 4]);
        while let Some(letter) = rest.chars().next() {
            rest = &rest[1..];
            let mut count = 1;
            let mut sixel = letter;
            match letter {
                '#' => {
                    let index = take_number(&mut rest);
                    assert!(index < 256);
                    if rest.starts_with(";2;") {
                        rest = &rest[2..];
                        let mut part = || {
                            rest = &rest[1..];
                            let percent = take_number(&mut rest);
                            assert!(percent <= 100);
                            ((percent * 255 + 50) / 100) as u8
                        };
                        palette.insert(index, [part(), part(), part(), 255]);
                    } else {
                        colour = *palette.get(&index).expect("a defined colour");
                    }
                    continue;
                }
                '$' => {
                    x = 0;
                    continue;
                }
                '-' => {
                    (x, y) = (0, y + 6);
                    continue;
                }
                '!' => {
                    count = take_number(&mut rest);
                    sixel = rest.chars().next().unwrap();
                    rest = &rest[1..];
                }
                _ => {}
            }
            let bits = sixel as u32 - 0x3f;
            assert!(bits < 64);
            for _ in 0..count {
                for bit in (0..6).filter(|bit| bits & 1 << bit != 0) {
                    assert!(x < size[0] && y + bit < size[1], "outside the sixel's size");
                    self.set_pixel(x, y + bit, colour);
                }
                x += 1;
            }
        }
        self.sent += 1;
    }

    /// Returns the symbol in a cell.
    pub fn symbol(&self, at: Position) -> &str {
        &self.cell_at(at.x, at.y).symbol
    }

    /// Returns the pixels on these cells, row by row; `None` where text other than a space is, or where nothing tells
    /// the colour.
    pub fn pixels(&self, area: Rect) -> Vec<Option<Rgb>> {
        let [width, height] = [self.cell.width, self.cell.height];
        let mut pixels = Vec::new();
        for row in area.top()..area.bottom() {
            let cells: Vec<_> =
                (area.left()..area.right()).map(|x| self.cell_pixels(x, row)).collect();
            for y in 0..usize::from(height) {
                for cell in &cells {
                    let start = y * usize::from(width);
                    pixels.extend(&cell[start..start + usize::from(width)]);
                }
            }
        }
        pixels
    }

    fn cell_pixels(&self, x: u16, y: u16) -> Vec<Option<Rgb>> {
        let cell = self.cell_at(x, y);
        let count = usize::from(self.cell.width) * usize::from(self.cell.height);
        let paper = cell.style.paper;
        if let Some((image, column, row)) = self.placeholder(x, y) {
            let cells = image.cells.expect("a placement");
            assert!(column < cells.0 && row < cells.1, "{column}, {row} of {cells:?}");
            let [width, height] = [self.cell.width, self.cell.height].map(u32::from);
            let size = (u32::from(cells.0) * width, u32::from(cells.1) * height);
            assert_eq!((image.pixels.width, image.pixels.height), size, "it is scaled");
            let pixel = |index: u32| {
                let (x, y) = (
                    u32::from(column) * width + index % width,
                    u32::from(row) * height + index / width,
                );
                let at = ((y * image.pixels.width + x) * 4) as usize;
                over(image.pixels.rgba[at..at + 4].try_into().unwrap(), paper)
            };
            return (0..count as u32).map(pixel).collect();
        }
        match &cell.overlay {
            Some(overlay) => overlay.iter().map(|pixel| over(*pixel, paper)).collect(),
            None if cell.symbol.trim().is_empty() => vec![paper; count],
            None => vec![None; count],
        }
    }

    /// Returns the image of a placeholder, and its column and row in the image. A placeholder without marks continues
    /// the one to its left.
    fn placeholder(&self, x: u16, y: u16) -> Option<(&KittyImage, u16, u16)> {
        let cell = self.cell_at(x, y);
        let marks = cell.symbol.strip_prefix(RESERVED)?;
        let number = |mark: char| MARKS.chars().position(|other| other == mark).unwrap() as u16;
        let [red, green, blue] = cell.style.text?;
        let image = self.images.get(&u32::from_be_bytes([0, red, green, blue]))?;
        let mut marks = marks.chars().map(number);
        if let Some((row, column)) = marks.next().zip(marks.next()) {
            return Some((image, column, row));
        }
        let left = self.cell_at(x.checked_sub(1)?, y);
        if left.style.text != cell.style.text {
            return Some((image, 0, 0));
        }
        let (_, column, row) = self.placeholder(x - 1, y)?;
        Some((image, column + 1, row))
    }
}

fn png(data: &str) -> Pixels {
    let file = BASE64_STANDARD.decode(data).unwrap();
    let pixmap = Pixmap::decode_png(&file).unwrap();
    Pixels { width: pixmap.width(), height: pixmap.height(), rgba: pixmap.take_demultiplied() }
}

/// Returns a pixel over a background.
pub fn over([r, g, b, alpha]: Rgba, paper: Option<Rgb>) -> Option<Rgb> {
    let mix = |(ink, paper): (u8, u8)| {
        let alpha = u32::from(alpha);
        ((u32::from(ink) * alpha + u32::from(paper) * (255 - alpha) + 127) / 255) as u8
    };
    match (alpha, paper) {
        (255, _) => Some([r, g, b]),
        (0, paper) => paper,
        (_, paper) => paper.map(|[pr, pg, pb]| [mix((r, pr)), mix((g, pg)), mix((b, pb))]),
    }
}
