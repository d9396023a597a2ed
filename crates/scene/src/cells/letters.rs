//! Large letters and digits made of square dots.

/// The ten digits, three dots wide and five dots high, row by row.
const DIGITS: [[u8; 5]; 10] = [
    [0b111, 0b101, 0b101, 0b101, 0b111],
    [0b010, 0b110, 0b010, 0b010, 0b111],
    [0b111, 0b001, 0b111, 0b100, 0b111],
    [0b111, 0b001, 0b111, 0b001, 0b111],
    [0b101, 0b101, 0b111, 0b001, 0b001],
    [0b111, 0b100, 0b111, 0b001, 0b111],
    [0b111, 0b100, 0b111, 0b101, 0b111],
    [0b111, 0b001, 0b001, 0b010, 0b010],
    [0b111, 0b101, 0b111, 0b101, 0b111],
    [0b111, 0b101, 0b111, 0b001, 0b111],
];

/// The letters of the seats, five dots wide and five dots high.
const SEATS: [[u8; 5]; 8] = [
    [0b01110, 0b11011, 0b11111, 0b10001, 0b10001],
    [0b11110, 0b10001, 0b11110, 0b10001, 0b11110],
    [0b01111, 0b11000, 0b10000, 0b11000, 0b01111],
    [0b11110, 0b10001, 0b10001, 0b10001, 0b11110],
    [0b11111, 0b10000, 0b11110, 0b10000, 0b11111],
    [0b11111, 0b10000, 0b11110, 0b10000, 0b10000],
    [0b01111, 0b11000, 0b10011, 0b11001, 0b01111],
    [0b10001, 0b10001, 0b11111, 0b10001, 0b10001],
];

/// Returns the width of a character in dots, and its five rows of dots. Supports digits, the letters of the seats, the
/// cross for impossible moves, and the punctuation of times.
pub const fn dots(letter: char) -> (u16, [u8; 5]) {
    match letter {
        ':' => (1, [0, 1, 0, 1, 0]),
        '.' => (1, [0, 0, 0, 0, 1]),
        '!' => (1, [1, 1, 1, 0, 1]),
        '×' => (5, [0b10001, 0b01010, 0b00100, 0b01010, 0b10001]),
        'A'..='H' => (5, SEATS[letter as usize - 'A' as usize]),
        '0'..='9' => (3, DIGITS[letter as usize - '0' as usize]),
        _ => (3, [0; 5]),
    }
}
