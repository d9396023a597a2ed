//! Color arithmetic: mixing, contrast, and conversion to the xterm 256-color palette.

use ratatui::style::Color;
use std::array;
use std::fmt;
use std::sync::LazyLock;

/// A color in sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// The six levels of the 6 × 6 × 6 color cube.
const CUBE: [u8; 6] = [0x00, 0x5f, 0x87, 0xaf, 0xd7, 0xff];

/// The first palette index that has the same color in every terminal. The sixteen colors before it are user-defined.
const FIRST: u8 = 16;

/// The weight of hue and saturation relative to lightness when searching for the nearest color. With a weight of 1,
/// all dark tints would become gray, and the owners of boxes would be indistinguishable.
const TINT: f64 = 8.0;

impl Rgb {
    /// Parses a color such as `#5ab6f2`.
    pub fn parse(text: &str) -> Option<Rgb> {
        let digits = text.strip_prefix('#')?;
        let is_hex = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex)?;
        let [_, red, green, blue] = number.to_be_bytes();
        Some(Rgb(red, green, blue))
    }

    /// Returns the RGB value of a color; `None` if the terminal defines the color.
    pub fn of(colour: Color) -> Option<Rgb> {
        match colour {
            Color::Rgb(red, green, blue) => Some(Rgb(red, green, blue)),
            Color::Indexed(index) => Rgb::indexed(index),
            _ => None,
        }
    }

    /// Mixes `percent` of this color into `background`.
    pub fn over(self, background: Rgb, percent: u8) -> Rgb {
        let part = u32::from(percent.min(100));
        let mix = |ink: u8, background: u8| {
            ((u32::from(ink) * part + u32::from(background) * (100 - part) + 50) / 100) as u8
        };
        Rgb(mix(self.0, background.0), mix(self.1, background.1), mix(self.2, background.2))
    }

    /// Returns red, green and blue in linear light, 0 to 1.
    pub fn light(self) -> [f64; 3] {
        static LIGHT: LazyLock<[f64; 256]> = LazyLock::new(|| {
            array::from_fn(|part| {
                let part = part as f64 / 255.0;
                if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
            })
        });
        [self.0, self.1, self.2].map(|part| LIGHT[usize::from(part)])
    }

    /// Returns the relative luminance as defined by WCAG 2, 0 to 1.
    pub fn luminance(self) -> f64 {
        let [red, green, blue] = self.light();
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    /// Returns the contrast ratio of two colors as defined by WCAG 2, 1 to 21.
    pub fn contrast(self, other: Rgb) -> f64 {
        let [one, two] = [self, other].map(|colour| colour.luminance() + 0.05);
        one.max(two) / one.min(two)
    }

    /// Returns the palette color with this index; `None` for the sixteen user-defined colors.
    pub fn indexed(index: u8) -> Option<Rgb> {
        let step = index.checked_sub(FIRST)?;
        Some(if let Some(grey) = step.checked_sub(216) {
            let grey = 8 + 10 * grey;
            Rgb(grey, grey, grey)
        } else {
            let part = |size: u8| CUBE[usize::from(step / size % 6)];
            Rgb(part(36), part(6), part(1))
        })
    }

    /// Returns the index of the nearest of the 240 fixed palette colors.
    pub fn nearest(self) -> u8 {
        static ALL: LazyLock<Vec<(u8, [f64; 3])>> = LazyLock::new(|| {
            let all =
                (FIRST..=u8::MAX).filter_map(|index| Some((index, Rgb::indexed(index)?.lab())));
            all.collect()
        });
        let own = self.lab();
        let distance = |other: &[f64; 3]| {
            let [light, a, b] = [0, 1, 2].map(|n: usize| (own[n] - other[n]).powi(2));
            light + TINT * (a + b)
        };
        let nearest = ALL.iter().min_by(|(_, a), (_, b)| distance(a).total_cmp(&distance(b)));
        nearest.map_or(FIRST, |(index, _)| *index)
    }

    /// Converts to Oklab: lightness and two perceptually uniform chroma axes (B. Ottosson, A perceptual color space for
    /// image processing, 2020).
    fn lab(self) -> [f64; 3] {
        let [red, green, blue] = self.light();
        let cones = [
            [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
            [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
            [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
        ];
        let [l, m, s] = cones.map(|[r, g, b]| (r * red + g * green + b * blue).cbrt());
        [
            0.210_454_255_3 * l + 0.793_617_785_0 * m - 0.004_072_046_8 * s,
            1.977_998_495_1 * l - 2.428_592_205_0 * m + 0.450_593_709_9 * s,
            0.025_904_037_1 * l + 0.782_771_766_2 * m - 0.808_675_766_0 * s,
        ]
    }
}

impl From<Rgb> for Color {
    fn from(Rgb(red, green, blue): Rgb) -> Color {
        Color::Rgb(red, green, blue)
    }
}

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_text_round_trips() {
        assert_eq!(Rgb::parse("#5aB6f2"), Some(Rgb(0x5a, 0xb6, 0xf2)));
        assert_eq!(Rgb(0x5a, 0xb6, 0x02).to_string(), "#5ab602");
        for wrong in ["", "#", "5ab6f2", "#5ab6f", "#5ab6f22", "#+ab6f2", "#5ab6fé", "red"] {
            assert_eq!(Rgb::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn contrast_matches_wcag() {
        let (black, white) = (Rgb(0, 0, 0), Rgb(255, 255, 255));
        assert!((black.contrast(white) - 21.0).abs() < 1e-9);
        assert!((white.contrast(white) - 1.0).abs() < 1e-9);
        // The lightest gray with a contrast of at least 4.5 on white.
        assert!((Rgb(0x76, 0x76, 0x76).contrast(white) - 4.54).abs() < 0.01);
    }

    #[test]
    fn over_mixes_colours_by_percentage() {
        let (ink, paper) = (Rgb(200, 0, 100), Rgb(0, 100, 101));
        assert_eq!(ink.over(paper, 0), paper);
        assert_eq!(ink.over(paper, 100), ink);
        assert_eq!(ink.over(paper, 30), Rgb(60, 70, 101));
    }

    #[test]
    fn indexed_colour_is_nearest_to_itself() {
        assert_eq!(Rgb::indexed(15), None);
        assert_eq!(Rgb::indexed(16), Some(Rgb(0, 0, 0)));
        assert_eq!(Rgb::indexed(67), Some(Rgb(0x5f, 0x87, 0xaf)));
        assert_eq!(Rgb::indexed(255), Some(Rgb(238, 238, 238)));
        for index in FIRST..=u8::MAX {
            let colour = Rgb::indexed(index).unwrap();
            assert_eq!(Rgb::indexed(colour.nearest()), Some(colour), "{index}");
        }
    }

    #[test]
    fn nearest_to_a_dark_tint_keeps_its_hue() {
        let fill = Rgb(0x3d, 0xa8, 0xe6).over(Rgb(0x14, 0x16, 0x1d), 30);
        let Rgb(red, _, blue) = Rgb::indexed(fill.nearest()).unwrap();
        assert!(red < blue, "{fill}");
    }
}
