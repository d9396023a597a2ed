mod cli;
#[cfg(unix)]
mod plain;
mod poison;
