//! Plans and subscriptions.

use core::mem::size_of;

use super::config;
use crate::errors::*;
use crate::rules::money::one_percent;
use crate::rules::{roles, subscriptions};
use crate::runtime::accounts::{Account, New};
use crate::runtime::addresses::plan_key;
use crate::runtime::events::emit;
use crate::runtime::tokens::{draw, token, Token};
use crate::runtime::Context;
use crate::state::{Config, Key, Plan, Subscription, PLAN_ACTIVE, PLAN_INACTIVE_STATE};

pub fn run(context: &Context) -> Result<()> {
    match context.tag {
        48 => create_plan(context),
        49 => set_plan(context),
        50 => close_plan(context),
        51 => subscribe(context),
        52 => charge(context),
        53 => cancel(context),
        54 => halt(context),
        _ => close_subscription(context),
    }
}

fn create_plan(context: &Context) -> Result<()> {
    let [payer, creator, config_account, account, _system] = context.exactly::<5>()?;
    let mut args = context.args();
    let (id_hash, amount, period) = (args.key()?, args.u64()?, args.u32()?);
    args.end()?;
    payer.require_signer()?;
    creator.require_signer()?;
    let config = config(context, config_account)?;
    roles::require_running(config, context.now)?;
    if amount == 0 {
        return Err(ZERO_AMOUNT);
    }
    subscriptions::check_period(period)?;
    let key = plan_key(context.program, &[creator.key, id_hash, &config.usdc], amount, period);
    let new = New { payer, size: size_of::<Plan>(), seeds: [b"plan", &key, &[]] };
    let plan = account.create::<Plan>(context, &new)?;
    plan.state = PLAN_ACTIVE;
    plan.period = period;
    plan.amount = amount;
    plan.key = key;
    plan.creator = *creator.key;
    plan.rent_to = *payer.key;
    emit(context, config_account, 11, &[&key, creator.key, id_hash, &amount.to_le_bytes(), &period.to_le_bytes()])
}

/// A plan that the signer created.
fn own_plan(context: &Context, creator: &Account, account: &Account) -> Result<&'static mut Plan> {
    creator.require_signer()?;
    let plan = account.state::<Plan>(context)?;
    if plan.creator == *creator.key { Ok(plan) } else { Err(NOT_CREATOR) }
}

fn set_plan(context: &Context) -> Result<()> {
    let [creator, config_account, account] = context.exactly::<3>()?;
    let mut args = context.args();
    let state = args.u8()?;
    args.end()?;
    let config = config(context, config_account)?;
    let plan = own_plan(context, creator, account)?;
    if (state != PLAN_ACTIVE && state != PLAN_INACTIVE_STATE) || state == plan.state {
        return Err(INVALID_STATE);
    }
    if state == PLAN_ACTIVE {
        roles::require_running(config, context.now)?;
    }
    plan.state = state;
    emit(context, config_account, 12, &[&plan.key, &[state]])
}

fn close_plan(context: &Context) -> Result<()> {
    let [creator, config_account, account, rent_to] = context.exactly::<4>()?;
    context.args().end()?;
    config(context, config_account)?;
    let plan = own_plan(context, creator, account)?;
    if plan.state != PLAN_INACTIVE_STATE {
        return Err(INVALID_STATE);
    }
    account.close_to(rent_to, &plan.rent_to)
}

/// The accounts of a charge.
struct Parties<'a> {
    signer: &'a Account,
    config_account: &'a Account,
    config: &'static Config,
    spender: &'a Account,
    from: &'a Account,
    to: &'a Account,
    treasury: &'a Account,
}

fn subscribe(context: &Context) -> Result<()> {
    let [payer, subscriber, config_account, spender, plan, account, from, to, treasury, _token, _system] =
        context.exactly::<11>()?;
    let mut args = context.args();
    let (amount, period) = (args.u64()?, args.u32()?);
    args.end()?;
    payer.require_signer()?;
    subscriber.require_signer()?;
    let config = config(context, config_account)?;
    let plan = plan.state::<Plan>(context)?;
    require_active(plan)?;
    if plan.amount != amount || plan.period != period {
        return Err(TERMS_MISMATCH);
    }
    if !account.is::<Subscription>(context) {
        let new = New { payer, size: size_of::<Subscription>(), seeds: [b"subscription", &plan.key, subscriber.key] };
        let created = account.create::<Subscription>(context, &new)?;
        created.plan = plan.key;
        created.subscriber = *subscriber.key;
        created.creator = plan.creator;
        created.rent_to = *payer.key;
    }
    let subscription = account.state::<Subscription>(context)?;
    if subscription.plan != plan.key || subscription.subscriber != *subscriber.key {
        return Err(WRONG_ADDRESS);
    }
    subscriptions::start(subscription, period, context.now)?;
    emit(context, config_account, 13, &[&plan.key, subscriber.key, &subscription.next_charge_at.to_le_bytes()])?;
    pay(context, &Parties { signer: subscriber, config_account, config, spender, from, to, treasury }, plan, subscription)
}

fn charge(context: &Context) -> Result<()> {
    let [caller, config_account, spender, plan, account, from, to, treasury, _token] = context.exactly::<9>()?;
    context.args().end()?;
    caller.require_signer()?;
    let config = config(context, config_account)?;
    let plan = plan.state::<Plan>(context)?;
    require_active(plan)?;
    let subscription = account.state::<Subscription>(context)?;
    if subscription.plan != plan.key {
        return Err(WRONG_ADDRESS);
    }
    subscriptions::charge(subscription, context.now)?;
    pay(context, &Parties { signer: caller, config_account, config, spender, from, to, treasury }, plan, subscription)
}

fn require_active(plan: &Plan) -> Result<()> {
    if plan.state == PLAN_ACTIVE { Ok(()) } else { Err(PLAN_INACTIVE) }
}

/// Draws one period.
fn pay(context: &Context, parties: &Parties, plan: &Plan, subscription: &Subscription) -> Result<()> {
    let config = parties.config;
    roles::require_running(config, context.now)?;
    let source = token(parties.from)?;
    source.require_owner(&subscription.subscriber)?;
    source.require_mint(&config.usdc)?;
    source.require_drawable(parties.spender.key, plan.amount)?;
    require_receiver(parties.to, &plan.creator, config)?.require_chosen_by(parties.signer)?;
    require_receiver(parties.treasury, &config.treasury, config)?;
    if parties.to.key == parties.from.key {
        return Err(INVALID_RECIPIENT);
    }
    let fee = one_percent(plan.amount);
    draw(context, config, parties.spender, &[parties.from, parties.to], plan.amount - fee)?;
    if fee > 0 {
        draw(context, config, parties.spender, &[parties.from, parties.treasury], fee)?;
    }
    emit(context, parties.config_account, 14, &[&plan.key, &subscription.subscriber, &plan.creator, &plan.amount.to_le_bytes(), &fee.to_le_bytes(), &subscription.next_charge_at.to_le_bytes()])
}

fn require_receiver<'a>(account: &'a Account, owner: &Key, config: &Config) -> Result<Token<'a>> {
    let held = token(account)?;
    held.require_owner(owner)?;
    held.require_mint(&config.usdc)?;
    Ok(held)
}

fn cancel(context: &Context) -> Result<()> {
    let [signer, config_account, account] = context.exactly::<3>()?;
    context.args().end()?;
    signer.require_signer()?;
    config(context, config_account)?;
    let subscription = account.state::<Subscription>(context)?;
    subscriptions::cancel(subscription, signer.key)?;
    ended(context, config_account, 15, subscription, signer)
}

fn halt(context: &Context) -> Result<()> {
    let [executor, config_account, account] = context.exactly::<3>()?;
    context.args().end()?;
    executor.require_signer()?;
    roles::require_executor(config(context, config_account)?, executor.key, context.now)?;
    let subscription = account.state::<Subscription>(context)?;
    subscriptions::halt(subscription, context.now)?;
    ended(context, config_account, 16, subscription, executor)
}

fn ended(context: &Context, config: &Account, event: u8, subscription: &Subscription, by: &Account) -> Result<()> {
    emit(context, config, event, &[&subscription.plan, &subscription.subscriber, by.key])
}

fn close_subscription(context: &Context) -> Result<()> {
    let [caller, config_account, account, rent_to] = context.exactly::<4>()?;
    context.args().end()?;
    caller.require_signer()?;
    config(context, config_account)?;
    let subscription = account.state::<Subscription>(context)?;
    if !subscriptions::is_closable(subscription, context.now) {
        return Err(INVALID_STATE);
    }
    account.close_to(rent_to, &subscription.rent_to)
}
