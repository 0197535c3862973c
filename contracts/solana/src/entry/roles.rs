//! Initializing the program, its roles, the pause, and the shards of buckets.

use core::mem::size_of;

use super::config;
use crate::errors::*;
use crate::rules::{keys, roles};
use crate::runtime::accounts::{Account, New};
use crate::runtime::addresses::{LOADER, TOKEN, WRAPPED_SOL};
use crate::runtime::calls::{find_address, Seed};
use crate::runtime::events::emit;
use crate::runtime::tokens::token;
use crate::runtime::Context;
use crate::state::{Config, Key, ZERO};

const ROLE_OWNER: u8 = 1;
const ROLE_PROPOSED: u8 = 2;
const ROLE_GUARDIAN: u8 = 3;
const ROLE_EXECUTOR: u8 = 4;
const ROLE_EXECUTOR_REMOVED: u8 = 5;
const ROLE_AUTHORITY_ANNOUNCED: u8 = 6;
const ROLE_AUTHORITY: u8 = 7;
const ROLE_TREASURY_ANNOUNCED: u8 = 8;
const ROLE_TREASURY: u8 = 9;

pub fn run(context: &Context) -> Result<()> {
    if context.tag == 0 {
        return initialize(context);
    }
    let [signer, account] = context.exactly::<2>()?;
    signer.require_signer()?;
    let config = config(context, account)?;
    let now = context.now;
    match context.tag {
        2 => {
            context.args().end()?;
            roles::accept_owner(config, signer.key)?;
            role_set(context, account, ROLE_OWNER, signer.key, now)
        }
        7 => {
            context.args().end()?;
            roles::apply_authority(config, now)?;
            role_set(context, account, ROLE_AUTHORITY, &config.authority, now)
        }
        9 => {
            context.args().end()?;
            roles::apply_treasury(config, now)?;
            role_set(context, account, ROLE_TREASURY, &config.treasury, now)
        }
        10 => {
            let mut args = context.args();
            let seconds = args.u64()?;
            args.end()?;
            let until = roles::pause(config, signer.key, seconds, now)?;
            pause_set(context, account, signer.key, until)
        }
        11 => {
            context.args().end()?;
            roles::require_owner(config, signer.key)?;
            roles::unpause(config, now);
            pause_set(context, account, signer.key, now)
        }
        12 => {
            let mut args = context.args();
            let (bits, from_hour) = (args.u8()?, args.u64()?);
            args.end()?;
            roles::require_owner(config, signer.key)?;
            keys::set_shards(config, bits, from_hour, now)
        }
        _ => change(context, config, signer, account),
    }
}

/// What the owner does with one key.
fn change(context: &Context, config: &mut Config, signer: &Account, account: &Account) -> Result<()> {
    let mut args = context.args();
    let key = args.key()?;
    args.end()?;
    roles::require_owner(config, signer.key)?;
    let now = context.now;
    let (role, at) = match context.tag {
        1 => (ROLE_PROPOSED, roles::propose_owner(config, key).map(|()| now)?),
        3 => (ROLE_GUARDIAN, roles::set_guardian(config, key).map(|()| now)?),
        4 => (ROLE_EXECUTOR, roles::add_executor(config, key, now)?),
        5 => (ROLE_EXECUTOR_REMOVED, roles::remove_executor(config, key).map(|()| now)?),
        6 => (ROLE_AUTHORITY_ANNOUNCED, roles::announce_authority(config, key, now)?),
        8 => (ROLE_TREASURY_ANNOUNCED, roles::announce_treasury(config, key, now)?),
        _ => return Err(INVALID_INSTRUCTION),
    };
    role_set(context, account, role, key, at)
}

fn role_set(context: &Context, config: &Account, role: u8, key: &Key, at: u64) -> Result<()> {
    emit(context, config, 20, &[&[role], key, &at.to_le_bytes()])
}

fn pause_set(context: &Context, config: &Account, by: &Key, until: u64) -> Result<()> {
    emit(context, config, 21, &[by, &until.to_le_bytes()])
}

fn initialize(context: &Context) -> Result<()> {
    let [payer, authority, account, program_data, usdc, vault_usdc, vault_wrapped, _system] = context.exactly::<8>()?;
    let mut args = context.args();
    let four = [args.key()?, args.key()?, args.key()?, args.key()?];
    let count = args.u8()? as usize;
    let executors = args.rest();
    if executors.len() != count * 32 {
        return Err(INVALID_INSTRUCTION);
    }
    payer.require_signer()?;
    authority.require_signer()?;
    require_upgrade_authority(context, program_data, authority.key)?;
    // A mint of the token program: 82 bytes, with 6 decimals.
    if usdc.owner() != &TOKEN || usdc.data().len() != 82 || usdc.data().get(44..46) != Some(&[6, 1]) {
        return Err(WRONG_MINT);
    }
    let (_, spender_bump) = find_address(&[Seed::new(b"spender")], context.program)?;
    let (vault, vault_bump) = find_address(&[Seed::new(b"vault")], context.program)?;
    require_vault_account(vault_usdc, &vault, usdc.key)?;
    require_vault_account(vault_wrapped, &vault, &WRAPPED_SOL)?;
    let new = New { payer, size: size_of::<Config>(), seeds: [b"config", &[], &[]] };
    let config = account.create::<Config>(context, &new)?;
    config.spender_bump = spender_bump;
    config.vault_bump = vault_bump;
    config.usdc = *usdc.key;
    config.vault_usdc = *vault_usdc.key;
    config.vault_wrapped = *vault_wrapped.key;
    roles::begin(config, &four, executors, context.now)?;
    let now = context.now;
    role_set(context, account, ROLE_OWNER, four[0], now)?;
    role_set(context, account, ROLE_GUARDIAN, four[1], now)?;
    role_set(context, account, ROLE_AUTHORITY, four[2], now)?;
    role_set(context, account, ROLE_TREASURY, four[3], now)?;
    for one in &config.executors {
        if one.key != ZERO {
            role_set(context, account, ROLE_EXECUTOR, &one.key, now)?;
        }
    }
    Ok(())
}

/// The loader keeps the program's data at an address of its own, with the slot of the deployment and the upgrade authority in front.
fn require_upgrade_authority(context: &Context, program_data: &Account, authority: &Key) -> Result<()> {
    let (address, _) = find_address(&[Seed::new(context.program)], &LOADER)?;
    program_data.require_key(&address)?;
    let data = program_data.data();
    let is_program_data = program_data.owner() == &LOADER && data.get(..4) == Some(&[3, 0, 0, 0]);
    if is_program_data && data.get(12) == Some(&1) && data.get(13..45) == Some(&authority[..]) {
        return Ok(());
    }
    Err(NOT_UPGRADE_AUTHORITY)
}

fn require_vault_account(account: &Account, vault: &Key, mint: &Key) -> Result<()> {
    let held = token(account)?;
    held.require_owner(vault)?;
    held.require_mint(mint)?;
    // Only an account whose owner changed hands can have one.
    if held.has_close_authority() { Err(WRONG_TOKEN_OWNER) } else { Ok(()) }
}
