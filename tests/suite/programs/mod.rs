#[cfg(target_os = "linux")]
mod at_a_table;
#[cfg(unix)]
mod bots;
#[cfg(target_os = "linux")]
mod compliance;
#[cfg(unix)]
mod trust;
mod ugi;
