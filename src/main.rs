//! temporary
fn main() {
    let mut app = quadrille::app::App::new(quadrille::board::Skin::default(), 7);
    quadrille::app::runtime::run(&mut app, &mut |_| Ok(())).unwrap();
}
