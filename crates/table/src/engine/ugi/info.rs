//! A program's reports during a search.

use super::words::{OneLine, WordReader, write_words};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// A program's report about its search. Every field is optional.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The completed depth in plies.
    pub depth: Option<u32>,
    /// The maximum depth in plies.
    pub seldepth: Option<u32>,
    /// The rank of this line among several lines, counted from 1.
    pub multipv: Option<u32>,
    /// The search time in whole milliseconds.
    pub time: Option<Duration>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    /// Hits in the transposition table.
    pub tthits: Option<u64>,
    /// Hits in an endgame table.
    pub tbhits: Option<u64>,
    /// The fill of the transposition table, in thousandths.
    pub hashfull: Option<u32>,
    /// The CPU load in thousandths.
    pub cpuload: Option<u32>,
    /// The value for the side to move.
    pub score: Option<UgiScore>,
    /// The move being searched.
    pub currmove: Option<String>,
    /// The number of the current move among all moves, counted from 1.
    pub currmovenumber: Option<u32>,
    pub refutation: Vec<String>,
    pub currline: Vec<String>,
    /// The principal variation.
    pub pv: Vec<String>,
    /// A text for people, up to the end of the line.
    pub string: Option<String>,
}

/// The value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UgiScore {
    /// An exact value in hundredths of a point.
    Cp(i32),
    /// A lower bound in hundredths of a point.
    CpLower(i32),
    /// An upper bound in hundredths of a point.
    CpUpper(i32),
    /// The number of moves until the side to move wins, or if negative, until it loses.
    Mate(i32),
}

const FIELDS: [&str; 17] = [
    "depth",
    "seldepth",
    "multipv",
    "time",
    "nodes",
    "nps",
    "tthits",
    "tbhits",
    "hashfull",
    "cpuload",
    "score",
    "currmove",
    "currmovenumber",
    "refutation",
    "currline",
    "pv",
    "string",
];

impl Info {
    /// Creates an info that contains only a text for people.
    pub fn string(text: impl fmt::Display) -> Info {
        Info { string: Some(text.to_string()), ..Info::default() }
    }

    /// Parses the fields. Never fails: an invalid field counts as missing.
    pub(super) fn read(mut words: WordReader<'_>) -> Info {
        let mut info = Info::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(&mut words),
                "seldepth" => info.seldepth = number(&mut words),
                "multipv" => info.multipv = number(&mut words),
                "time" => info.time = number(&mut words).map(Duration::from_millis),
                "nodes" => info.nodes = number(&mut words),
                "nps" => info.nps = number(&mut words),
                "tthits" => info.tthits = number(&mut words),
                "tbhits" => info.tbhits = number(&mut words),
                "hashfull" => info.hashfull = number(&mut words),
                "cpuload" => info.cpuload = number(&mut words),
                "score" => info.score = UgiScore::read(&mut words),
                "currmove" => info.currmove = words.until(&FIELDS).first().map(|&mv| mv.to_owned()),
                "currmovenumber" => info.currmovenumber = number(&mut words),
                "refutation" => info.refutation = moves(&mut words),
                "currline" => info.currline = moves(&mut words),
                "pv" => info.pv = moves(&mut words),
                "string" => info.string = Some(words.rest().to_owned()),
                _ => {}
            }
        }
        info
    }
}

fn number<T: FromStr>(words: &mut WordReader<'_>) -> Option<T> {
    let number = words.peek()?.parse().ok()?;
    words.next();
    Some(number)
}

fn moves(words: &mut WordReader<'_>) -> Vec<String> {
    words.until(&FIELDS).into_iter().map(str::to_owned).collect()
}

impl UgiScore {
    fn read(words: &mut WordReader<'_>) -> Option<UgiScore> {
        let mut score = None;
        while let Some(word) = words.peek().filter(|word| !FIELDS.contains(word)) {
            words.next();
            score = match (word, score) {
                ("cp", _) => number(words).map(UgiScore::Cp),
                ("mate", _) => number(words).map(UgiScore::Mate),
                ("lowerbound", Some(UgiScore::Cp(cp))) => Some(UgiScore::CpLower(cp)),
                ("upperbound", Some(UgiScore::Cp(cp))) => Some(UgiScore::CpUpper(cp)),
                _ => score,
            };
        }
        score
    }
}

impl fmt::Display for UgiScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UgiScore::Cp(cp) => write!(f, "cp {cp}"),
            UgiScore::CpLower(cp) => write!(f, "cp {cp} lowerbound"),
            UgiScore::CpUpper(cp) => write!(f, "cp {cp} upperbound"),
            UgiScore::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

fn any<T: fmt::Display>(value: Option<&T>) -> Option<&dyn fmt::Display> {
    value.map(|value| value as &dyn fmt::Display)
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        let mut field = |name: &str, value: Option<&dyn fmt::Display>| {
            value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
        };
        let time = self.time.map(|time| time.as_millis());
        let currmove = self.currmove.as_deref().map(OneLine);
        field("depth", any(self.depth.as_ref()))?;
        field("seldepth", any(self.seldepth.as_ref()))?;
        field("multipv", any(self.multipv.as_ref()))?;
        field("nodes", any(self.nodes.as_ref()))?;
        field("time", any(time.as_ref()))?;
        field("nps", any(self.nps.as_ref()))?;
        field("tthits", any(self.tthits.as_ref()))?;
        field("tbhits", any(self.tbhits.as_ref()))?;
        field("hashfull", any(self.hashfull.as_ref()))?;
        field("cpuload", any(self.cpuload.as_ref()))?;
        field("score", any(self.score.as_ref()))?;
        field("currmove", any(currmove.as_ref()))?;
        field("currmovenumber", any(self.currmovenumber.as_ref()))?;
        let lines =
            [("refutation", &self.refutation), ("currline", &self.currline), ("pv", &self.pv)];
        for (name, moves) in lines.into_iter().filter(|(_, moves)| !moves.is_empty()) {
            write!(f, " {name}")?;
            write_words(f, moves)?;
        }
        self.string.as_deref().map_or(Ok(()), |text| write!(f, " string {}", OneLine(text)))
    }
}
