//! Parses an SVG, and compares it with its scene.

use quadrille_rules::Symbol;
use quadrille_scene::{At, BoardGeometry, Item, LineStyle, Role, Scene, SeatRole, Shape};
use roxmltree::{Document, Node};

type PicturePoint = [f64; 2];

pub struct PictureElement {
    pub kind: String,
    role: String,
    shape: Form,
}

#[derive(Debug)]
pub enum Form {
    /// A circle or a rectangle, by its centre.
    Round(PicturePoint),
    Rect(PicturePoint, PicturePoint),
    Line(PicturePoint, PicturePoint),
    Polygon(Vec<PicturePoint>),
    Text(String),
}

/// Returns the elements of a board in order; each line of a path separately.
pub fn elements(picture: &Document) -> Vec<PictureElement> {
    let board = picture.descendants().find(|node| node.attribute("id") == Some("board")).unwrap();
    let mut drawn = Vec::new();
    for group in board.children().filter(Node::is_element) {
        let (kind, role) = group.attribute("class").unwrap().split_once(' ').unwrap();
        let mut push = |shape| {
            drawn.push(PictureElement { kind: kind.to_owned(), role: role.to_owned(), shape });
        };
        if group.has_tag_name("path") {
            let path = group.attribute("d").unwrap();
            assert!(path.starts_with('M'), "{path}");
            path.split('M').skip(1).for_each(|part| push(line(part)));
        }
        for element in group.children().filter(Node::is_element) {
            let number = |name| element.attribute(name).unwrap().parse::<f64>().unwrap();
            push(match element.tag_name().name() {
                "circle" => Form::Round([number("cx"), number("cy")]),
                "rect" => {
                    let size = [number("width"), number("height")];
                    let middle = [number("x") + size[0] / 2.0, number("y") + size[1] / 2.0];
                    Form::Rect(middle, size)
                }
                "polygon" => Form::Polygon(
                    element.attribute("points").unwrap().split(' ').map(point).collect(),
                ),
                "text" => Form::Text(element.text().unwrap().to_owned()),
                other => panic!("{other}"),
            });
        }
    }
    drawn
}

fn point(text: &str) -> PicturePoint {
    let (x, y) = text.split_once([' ', ',']).unwrap();
    [x.parse().unwrap(), y.parse().unwrap()]
}

/// Parses a line from the path text after its `M`; only the start of a ring.
fn line(text: &str) -> Form {
    let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap();
    let from = point(&text[..end]);
    let to = &text[end + 1..];
    match &text[end..=end] {
        "H" => Form::Line(from, [to.parse().unwrap(), from[1]]),
        "V" => Form::Line(from, [from[0], to.parse().unwrap()]),
        "L" => Form::Line(from, point(to)),
        "a" => Form::Round(from),
        "h" => Form::Line(from, [from[0] + to.parse::<f64>().unwrap(), from[1]]),
        "v" => Form::Line(from, [from[0], from[1] + to.parse::<f64>().unwrap()]),
        other => panic!("{other}"),
    }
}

pub fn role_class(role: Role) -> String {
    let name = match role {
        Role::Of(of, seat) => format!("{}-{of:?}", seat.letter()),
        role => format!("{role:?}"),
    };
    name.to_lowercase()
}

/// The positions of ground points, computed from two elements.
struct Places {
    from: PicturePoint,
    scale: f64,
}

impl Places {
    fn of(known: &[(At, PicturePoint)]) -> Places {
        let Some((at, stands)) = known.first().copied() else {
            return Places { from: [0.0; 2], scale: 1.0 };
        };
        let far = |(other, _): &&(At, PicturePoint)| {
            (other.col - at.col).abs() + (other.row - at.row).abs()
        };
        let (other, there) = known.iter().max_by_key(far).unwrap();
        let way = [f64::from(other.col - at.col), f64::from(other.row - at.row)];
        let drawn = [there[0] - stands[0], there[1] - stands[1]];
        let scale = if known.len() > 1 {
            (drawn[0] * way[0] + drawn[1] * way[1]) / (way[0] * way[0] + way[1] * way[1])
        } else {
            1.0
        };
        let from = [stands[0] - scale * f64::from(at.col), stands[1] - scale * f64::from(at.row)];
        let places = Places { from, scale };
        for (at, stands) in known {
            assert!(places.is(*at, *stands), "{at:?} stands at {stands:?}");
        }
        places
    }

    fn point(&self, at: At) -> PicturePoint {
        [
            self.from[0] + self.scale * f64::from(at.col),
            self.from[1] + self.scale * f64::from(at.row),
        ]
    }

    fn is(&self, at: At, drawn: PicturePoint) -> bool {
        near(self.point(at), drawn)
    }
}

fn middle(one: PicturePoint, other: PicturePoint) -> PicturePoint {
    [f64::midpoint(one[0], other[0]), f64::midpoint(one[1], other[1])]
}

fn near(one: PicturePoint, other: PicturePoint) -> bool {
    (one[0] - other[0]).abs() < 0.21 && (one[1] - other[1]).abs() < 0.21
}

/// Returns the elements of some kind, paired with their items in order.
fn pairs<'a, T>(
    scene: &'a Scene,
    drawn: &'a [PictureElement],
    kind: &str,
    of: impl Fn(&'a Item) -> Option<T>,
) -> Vec<(T, &'a PictureElement, Role)> {
    let items: Vec<(T, Role)> =
        scene.items.iter().filter_map(|item| Some((of(item)?, item.role))).collect();
    let things: Vec<&PictureElement> = drawn.iter().filter(|thing| thing.kind == kind).collect();
    assert_eq!(items.len(), things.len(), "{kind}");
    items.into_iter().zip(things).map(|((item, role), thing)| (item, thing, role)).collect()
}

/// Asserts that a picture has as many elements of each kind and role as its scene, at the right positions.
pub fn assert_shows_scene(picture: &Document, scene: &Scene) {
    let all = elements(picture);
    let dots = pairs(scene, &all, "dot", |item| match item.shape {
        Shape::Dot(at) => Some(at),
        _ => None,
    });
    let is_ruled = matches!(scene.ground, BoardGeometry::Grid { ruled: true, .. });
    // A tile of a ruled board without a background is drawn as its content only.
    let has_ground = |role: Role| {
        let ground = [SeatRole::WonFill, SeatRole::LostFill, SeatRole::Fill, SeatRole::LastLine];
        !is_ruled || matches!(role, Role::Of(of, _) if ground.contains(&of))
    };
    let squares = pairs(scene, &all, "square", |item| match item.shape {
        Shape::Tile(at, _) if has_ground(item.role) => Some(at),
        _ => None,
    });
    let mut known = Vec::new();
    for (at, thing, role) in &dots {
        assert_eq!(thing.role, role_class(*role));
        let Form::Round(middle) = thing.shape else { panic!("{:?}", thing.shape) };
        known.push((*at, middle));
    }
    for (at, thing, _) in &squares {
        let Form::Rect(middle, [width, height]) = thing.shape else { panic!("{:?}", thing.shape) };
        assert!((width - height).abs() < 0.01);
        known.push((*at, middle));
    }
    let places = Places::of(&known);

    for (kind, wanted) in [
        ("line", LineStyle::Solid),
        ("heavy", LineStyle::Heavy),
        ("free", LineStyle::Faint),
        ("ghost", LineStyle::Ghost),
        ("blocked", LineStyle::Blocked),
    ] {
        let lines = pairs(scene, &all, kind, |item| match item.shape {
            Shape::Line(ends, line_style) if line_style == wanted => Some(ends),
            _ => None,
        });
        for (ends, thing, role) in lines {
            assert_eq!(thing.role, role_class(role));
            let Form::Line(from, to) = thing.shape else { panic!("{:?}", thing.shape) };
            if matches!(scene.ground, BoardGeometry::Grid { .. }) {
                // The line extends a little beyond the centres of the tiles.
                let [one, other] = ends.map(|at| places.point(at));
                assert!(near(middle(from, to), middle(one, other)), "{ends:?}");
            } else {
                assert!(places.is(ends[0], from) && places.is(ends[1], to), "{ends:?}");
            }
        }
    }
    hold_surfaces(scene, &all, &places);
    hold_texts(scene, &all);
}

fn hold_surfaces(scene: &Scene, all: &[PictureElement], places: &Places) {
    let areas = pairs(scene, all, "area", |item| match item.shape {
        Shape::Area(corners, _) => Some(corners),
        _ => None,
    });
    for (corners, thing, role) in areas {
        assert_eq!(thing.role, role_class(role));
        let Form::Rect(centre, size) = thing.shape else { panic!("{:?}", thing.shape) };
        let [one, other] = corners.map(|at| places.point(at));
        assert!(near(centre, middle(one, other)));
        assert!(size[0] < (one[0] - other[0]).abs() && size[1] < (one[1] - other[1]).abs());
    }
    let polygons = pairs(scene, all, "polygon", |item| match &item.shape {
        Shape::Polygon(corners, _) => Some(corners),
        _ => None,
    });
    for (corners, thing, role) in polygons {
        assert_eq!(thing.role, role_class(role));
        let Form::Polygon(drawn) = &thing.shape else { panic!("{:?}", thing.shape) };
        assert_eq!(corners.len(), drawn.len());
        assert!(corners.iter().zip(drawn).all(|(at, drawn)| places.is(*at, *drawn)));
    }
    let badges = pairs(scene, all, "badge", |item| match item.shape {
        Shape::Badge(at, _) => Some(at),
        _ => None,
    });
    for (at, thing, role) in badges {
        assert_eq!(thing.role, role_class(role));
        let Form::Round(middle) = thing.shape else { panic!("{:?}", thing.shape) };
        assert!(places.is(at, middle));
    }
}

/// Checks texts, and the marks on and beside tiles.
fn hold_texts(scene: &Scene, all: &[PictureElement]) {
    let texts = |kind: &str, of: &dyn Fn(&Shape) -> Option<String>| {
        for (text, thing, _) in pairs(scene, all, kind, |item| of(&item.shape)) {
            let Form::Text(drawn) = &thing.shape else { panic!("{:?}", thing.shape) };
            assert_eq!(text, *drawn);
        }
    };
    texts("number", &|shape| match shape {
        Shape::Label(_, text) => Some(text.clone()),
        _ => None,
    });
    texts("digits", &|shape| match shape {
        Shape::Badge(_, text) => Some(text.clone()),
        _ => None,
    });
    if !matches!(scene.ground, BoardGeometry::Points(_)) {
        texts("letter", &|shape| match shape {
            Shape::Area(_, letter) => letter.map(String::from),
            Shape::Polygon(_, letter) => Some(letter.to_string()),
            _ => None,
        });
    }
    // A cross is two strokes, a ring one.
    let strokes = all.iter().filter(|thing| thing.kind == "mark").count();
    let symbols = scene.items.iter().filter_map(|item| match item.shape {
        Shape::Tile(_, symbol) => symbol,
        _ => None,
    });
    let wanted: usize = symbols.map(|symbol| if symbol == Symbol::X { 2 } else { 1 }).sum();
    assert_eq!(strokes, wanted);
    pairs(scene, all, "arrow", |item| matches!(item.shape, Shape::Arrow(..)).then_some(()));
}
