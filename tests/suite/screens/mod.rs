mod actions;
mod boards;
mod chains;
mod clocks;
mod lessons;
mod library;
mod looks;
mod marks;
mod match_screens;
mod motion;
mod mouse;
mod pictures;
mod seats;
mod setup_form;
mod strength;
#[cfg(unix)]
mod terminal;
mod themes;
