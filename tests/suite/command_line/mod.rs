mod cli;
#[cfg(unix)]
mod health;
mod learn;
mod menu;
#[cfg(unix)]
mod plain;
mod poison;
mod short_names;
mod typed_moves;
