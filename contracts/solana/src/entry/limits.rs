//! Spending limits of an owner, and its pause.

use core::mem::size_of;

use super::config;
use crate::errors::*;
use crate::rules::{roles, spending, tabs};
use crate::runtime::accounts::{Account, New};
use crate::runtime::events::emit;
use crate::runtime::Context;
use crate::state::{Key, Limits};

pub fn run(context: &Context) -> Result<()> {
    match context.tag {
        16 => set_limits(context),
        17 => lower_limits(context),
        18 => set_paused(context),
        _ => close_limits(context),
    }
}

struct Wanted {
    asset: u8,
    limits: [u64; 3],
}

fn wanted(context: &Context) -> Result<Wanted> {
    let mut args = context.args();
    let wanted = Wanted { asset: args.u8()?, limits: [args.u64()?, args.u64()?, args.u64()?] };
    args.end()?;
    if wanted.asset > 1 { Err(UNSUPPORTED_ASSET) } else { Ok(wanted) }
}

fn limits_set(context: &Context, config: &Account, owner: &Key, wanted: &Wanted) -> Result<()> {
    let [per_tip, per_day, max_fee] = wanted.limits;
    emit(context, config, 3, &[owner, &[wanted.asset], &per_tip.to_le_bytes(), &per_day.to_le_bytes(), &max_fee.to_le_bytes()])
}

/// The limits of an owner that signs, created when they are missing.
pub fn own_limits(context: &Context, payer: &Account, owner: &Account, account: &Account) -> Result<&'static mut Limits> {
    owner.require_signer()?;
    if account.is::<Limits>(context) {
        let limits = account.state::<Limits>(context)?;
        return if limits.owner == *owner.key { Ok(limits) } else { Err(WRONG_ADDRESS) };
    }
    payer.require_signer()?;
    let new = New { payer, size: size_of::<Limits>(), seeds: [b"limits", owner.key, &[]] };
    let limits = account.create::<Limits>(context, &new)?;
    limits.owner = *owner.key;
    limits.rent_to = *payer.key;
    limits.nonce = tabs::first_nonce(context.now);
    Ok(limits)
}

fn set_limits(context: &Context) -> Result<()> {
    let [payer, owner, config_account, account, _system] = context.exactly::<5>()?;
    let wanted = wanted(context)?;
    config(context, config_account)?;
    let limits = own_limits(context, payer, owner, account)?;
    if let Some(asset) = limits.assets.get_mut(wanted.asset as usize) {
        spending::set(asset, &wanted.limits, context.now);
    }
    limits_set(context, config_account, owner.key, &wanted)
}

fn lower_limits(context: &Context) -> Result<()> {
    let [executor, config_account, account] = context.exactly::<3>()?;
    let wanted = wanted(context)?;
    executor.require_signer()?;
    roles::require_executor(config(context, config_account)?, executor.key, context.now)?;
    let limits = account.state::<Limits>(context)?;
    if let Some(asset) = limits.assets.get_mut(wanted.asset as usize) {
        spending::lower(asset, &wanted.limits, context.now)?;
    }
    limits_set(context, config_account, &limits.owner, &wanted)
}

fn set_paused(context: &Context) -> Result<()> {
    let [signer, config_account, account] = context.exactly::<3>()?;
    let mut args = context.args();
    let paused = args.flag()?;
    args.end()?;
    signer.require_signer()?;
    let limits = account.state::<Limits>(context)?;
    let config = config(context, config_account)?;
    if limits.owner != *signer.key {
        roles::require_executor(config, signer.key, context.now)?;
        if !paused {
            return Err(NOT_OWNER);
        }
    }
    limits.paused = paused as u8;
    emit(context, config_account, 4, &[&limits.owner, signer.key, &[limits.paused]])
}

fn close_limits(context: &Context) -> Result<()> {
    let [owner, config_account, account, rent_to] = context.exactly::<4>()?;
    context.args().end()?;
    owner.require_signer()?;
    config(context, config_account)?;
    let limits = account.state::<Limits>(context)?;
    if limits.owner != *owner.key {
        return Err(NOT_OWNER);
    }
    for asset in &mut limits.assets {
        spending::roll(asset, context.now);
        if spending::spent(asset)? != 0 {
            return Err(LIMITS_IN_USE);
        }
    }
    if !tabs::is_nonce_over(limits.nonce, context.now) {
        return Err(LIMITS_IN_USE);
    }
    for (asset, of_asset) in limits.assets.iter().enumerate() {
        if of_asset.per_tip != 0 || of_asset.per_day != 0 || of_asset.max_fee != 0 {
            limits_set(context, config_account, owner.key, &Wanted { asset: asset as u8, limits: [0; 3] })?;
        }
    }
    if limits.paused != 0 {
        emit(context, config_account, 4, &[owner.key, owner.key, &[0]])?;
    }
    account.close_to(rent_to, &limits.rent_to)
}
