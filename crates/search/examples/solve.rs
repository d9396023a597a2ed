//! Solves a position of Dots and Boxes, with a value for every move: `cargo run --example solve`.

use quadrille_rules::Position;
use quadrille_rules::dots_and_boxes::DotsAndBoxes;
use quadrille_search::{Control, DotsAndBoxesEngine, Engine, Scope};
use std::error::Error;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut position = DotsAndBoxes::from_setup(&"rows=4 cols=4".parse()?)?;
    for mv in ["H0,0", "V0,0", "H3,2", "V2,3"] {
        position.play(mv.parse()?)?;
    }
    println!("{position}\n");

    // What is proven by then is in the report.
    let mut control = Control::default();
    control.limits.deadline = Some(Instant::now() + Duration::from_secs(10));
    let report = DotsAndBoxesEngine::default().analyse(&position, Scope::Moves, &control);

    for rated in &report.moves {
        match rated.value.proven() {
            Some(margin) => println!("{}  {margin:+}", rated.mv),
            None => println!("{}  not proven", rated.mv),
        }
    }
    let best: Vec<String> = report.best.iter().map(ToString::to_string).collect();
    println!("\nbest: {}; {} positions were searched", best.join(" "), report.nodes);
    Ok(())
}
