mod earlier_builds;
#[cfg(unix)]
mod faults;
#[cfg(unix)]
mod keeping;
#[cfg(unix)]
mod kills;
#[cfg(unix)]
mod progress;
#[cfg(unix)]
mod settings;
mod store;
