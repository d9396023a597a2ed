//! Remote terminals.

#[cfg(target_os = "linux")]
mod drops;
#[cfg(target_os = "linux")]
mod floods;
#[cfg(target_os = "linux")]
mod link;
#[cfg(target_os = "linux")]
mod lobby;
#[cfg(target_os = "linux")]
mod matches;
#[cfg(target_os = "linux")]
mod process;
#[cfg(target_os = "linux")]
mod public_house;
#[cfg(target_os = "linux")]
mod resumes;
#[cfg(target_os = "linux")]
mod returning;
#[cfg(target_os = "linux")]
mod seats;
#[cfg(target_os = "linux")]
mod sshd;
#[cfg(target_os = "linux")]
mod test_player;
#[cfg(target_os = "linux")]
mod through_ssh;
#[cfg(target_os = "linux")]
mod turns;
#[cfg(target_os = "linux")]
mod two_terminals;
#[cfg(target_os = "linux")]
mod versions;
#[cfg(target_os = "linux")]
mod waiting;
#[cfg(target_os = "linux")]
mod waking;
