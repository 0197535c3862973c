//! Events: instructions that the program sends to itself, signed by config. They stand in the transaction's inner instructions.

use crate::errors::*;
use crate::runtime::accounts::Account;
use crate::runtime::calls::{copy, invoke, Call, Meta, Seed};
use crate::runtime::Context;
use crate::state::Config;

pub const EMIT: u8 = 255;
const LONGEST: usize = 256;

/// Emits an event: its number and its fields.
#[inline(never)]
pub fn emit(context: &Context, config: &Account, number: u8, fields: &[&[u8]]) -> Result<()> {
    let bump = [config.state::<Config>(context)?.bump];
    let mut data = [0; LONGEST];
    data[0] = EMIT;
    data[1] = number;
    let mut length = 2;
    for field in fields {
        let end = length + field.len();
        match data.get_mut(length..end) {
            Some(place) => copy(place, field),
            None => return Err(OVERFLOW),
        }
        length = end;
    }
    let metas = [Meta { key: config.key, writable: false, signer: true }];
    let seeds = [Seed::new(b"config"), Seed::new(&bump)];
    let data = data.get(..length).ok_or(OVERFLOW)?;
    invoke(context, &Call { program: context.program, metas: &metas, data, seeds: &seeds })
}

/// The instruction of an event itself: only this program can sign as config.
pub fn receive(context: &Context) -> Result<()> {
    let config = match context.all() {
        [config] => config,
        _ => return Err(WRONG_ACCOUNTS),
    };
    config.require_signer()?;
    config.state::<Config>(context).map(|_| ())
}
