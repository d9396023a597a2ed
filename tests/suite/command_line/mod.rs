mod cli;
mod menu;
#[cfg(unix)]
mod plain;
mod short_names;
mod typed_moves;
