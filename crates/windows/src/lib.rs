//! The calls of Windows that Quadrille needs and no safe crate offers. This is the only crate with `unsafe`, each with
//! its reason; on other systems it is empty.
//!
//! - `console::heed` is told when the user interrupts the program or closes its window.
//! - `job::end_children_with_this_process` leaves no process behind.
#![cfg(windows)]

pub mod console;
pub mod job;
