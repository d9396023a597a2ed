mod examples;
#[cfg(unix)]
mod growth;
#[cfg(unix)]
mod own_files;
#[cfg(unix)]
mod players;
#[cfg(unix)]
mod runs;
mod screen;
#[cfg(unix)]
mod seating;
