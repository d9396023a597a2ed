//! The engine of Making Intersections.

mod packed;
mod round;
