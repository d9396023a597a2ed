mod cli;
mod menu;
#[cfg(unix)]
mod plain;
mod poison;
mod short_names;
mod typed_moves;
