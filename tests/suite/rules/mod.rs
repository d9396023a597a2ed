mod conformance;
mod counts;
mod fuzz;
