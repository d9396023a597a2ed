mod actions;
mod boards;
mod chains;
mod clocks;
mod confirm;
mod days;
mod guard;
#[cfg(all(unix, feature = "pictures"))]
mod images;
mod key_sets;
mod lessons;
mod library;
mod looks;
mod marks;
mod match_screens;
mod motion;
mod mouse;
mod pictures;
#[cfg(feature = "pictures")]
mod pixels;
mod puzzles;
mod seats;
mod setup_form;
mod shared_tables;
mod strength;
#[cfg(unix)]
mod terminal;
mod themes;
mod you;
