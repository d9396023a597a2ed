mod census;
#[cfg(unix)]
#[cfg(target_os = "linux")]
mod join_the_dots;
mod play;
#[cfg(unix)]
mod pondering;
mod solve;
#[cfg(target_os = "linux")]
mod values;
