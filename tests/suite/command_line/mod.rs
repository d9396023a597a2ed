mod cli;
mod health;
mod learn;
mod menu;
mod plain;
mod poison;
mod short_names;
mod typed_moves;
