mod cli;
#[cfg(unix)]
mod plain;
