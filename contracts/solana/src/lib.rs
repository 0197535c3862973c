//! The Ampersat program: see `interface.md` for what each instruction promises.
#![cfg_attr(not(test), no_std)]
#![cfg_attr(test, allow(dead_code))]

mod errors;
#[cfg(test)]
mod random;
mod rules;
mod state;

#[cfg(not(test))]
mod entry;
#[cfg(not(test))]
mod runtime;
