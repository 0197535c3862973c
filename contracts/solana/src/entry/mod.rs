//! The entry point and the instructions, one module a topic; `interface.md` lists their accounts.

mod campaigns;
mod limits;
mod orders;
mod plans;
mod roles;
mod tabs;
mod tips;

use crate::errors::*;
use crate::runtime::accounts::Account;
use crate::runtime::{events, read, Context};
use crate::state::Config;

/// # Safety
/// Called by the loader alone.
#[no_mangle]
pub unsafe extern "C" fn entrypoint(input: *mut u8) -> u64 {
    match read(input).and_then(run) {
        Ok(()) => 0,
        Err(error) => error.0.get(),
    }
}

fn run(context: &'static Context) -> Result<()> {
    match context.tag {
        0..=12 => roles::run(context),
        16..=19 => limits::run(context),
        24..=26 => tips::run(context),
        32..=34 => tabs::run(context),
        40..=46 => orders::run(context),
        48..=55 => plans::run(context),
        56..=59 => campaigns::run(context),
        events::EMIT => events::receive(context),
        _ => Err(INVALID_INSTRUCTION),
    }
}

/// The one config of the program.
fn config(context: &Context, account: &Account) -> Result<&'static mut Config> {
    account.state::<Config>(context)
}
