mod examples;
#[cfg(unix)]
mod runs;
mod screen;
