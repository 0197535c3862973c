//! Campaigns, and their grants.

use core::mem::size_of;

use super::config;
use crate::errors::*;
use crate::rules::campaigns::{bitmap_size, book, mark, MOST_RECIPIENTS};
use crate::rules::money::add;
use crate::rules::orders::check_end;
use crate::rules::roles;
use crate::runtime::accounts::{Account, New};
use crate::runtime::addresses::{campaign_id, WRAPPED_SOL};
use crate::runtime::calls::{find_address, Seed};
use crate::runtime::events::emit;
use crate::runtime::tokens::{draw, token, USDC, WRAPPED};
use crate::runtime::Context;
use crate::state::{Campaign, Limits};

const MOST_GRANTS: usize = 12;

pub fn run(context: &Context) -> Result<()> {
    match context.tag {
        56 => open_campaign(context),
        57 => grant(context),
        58 => close_campaign(context),
        _ => delete_campaign(context),
    }
}

fn open_campaign(context: &Context) -> Result<()> {
    let [payer, sponsor, config_account, account, _system] = context.exactly::<5>()?;
    let mut args = context.args();
    let (salt, asset) = (args.key()?, args.u8()?);
    let (total, most_per_grant, max_fee, expiry) = (args.u64()?, args.u64()?, args.u64()?, args.u64()?);
    let recipients = args.u32()?;
    args.end()?;
    payer.require_signer()?;
    sponsor.require_signer()?;
    roles::require_running(config(context, config_account)?, context.now)?;
    if asset != USDC && asset != WRAPPED {
        return Err(UNSUPPORTED_ASSET);
    }
    if total == 0 || most_per_grant == 0 {
        return Err(ZERO_AMOUNT);
    }
    if expiry <= context.now {
        return Err(EXPIRED);
    }
    check_end(expiry, context.now)?;
    if recipients == 0 || recipients > MOST_RECIPIENTS {
        return Err(UNKNOWN_RECIPIENT);
    }
    let id = campaign_id(context.program, sponsor.key, salt, expiry);
    let (limits, _) = find_address(&[Seed::new(b"limits"), Seed::new(sponsor.key)], context.program)?;
    let size = size_of::<Campaign>() + bitmap_size(recipients);
    let campaign = account.create::<Campaign>(context, &New { payer, size, seeds: [b"campaign", &id, &[]] })?;
    campaign.asset = asset;
    campaign.recipients = recipients;
    campaign.id = id;
    campaign.sponsor = *sponsor.key;
    campaign.limits = limits;
    campaign.rent_to = *payer.key;
    campaign.total = total;
    campaign.most_per_grant = most_per_grant;
    campaign.max_fee = max_fee;
    campaign.expiry = expiry;
    emit(context, config_account, 17, &[&id, sponsor.key, &[asset], &total.to_le_bytes(), &most_per_grant.to_le_bytes(), &max_fee.to_le_bytes(), &expiry.to_le_bytes(), &recipients.to_le_bytes()])
}

fn grant(context: &Context) -> Result<()> {
    let ([executor, config_account, spender, account, limits, from, treasury, _token], recipients) =
        context.at_least::<8>()?;
    let mut args = context.args();
    let valid_until = args.u64()?;
    executor.require_signer()?;
    let config = config(context, config_account)?;
    roles::require_executor(config, executor.key, context.now)?;
    roles::require_running(config, context.now)?;
    let campaign = account.state::<Campaign>(context)?;
    if campaign.closed != 0 {
        return Err(CAMPAIGN_CLOSED);
    }
    if context.now > valid_until || context.now > campaign.expiry {
        return Err(EXPIRED);
    }
    require_sponsor_runs(context, campaign, limits)?;
    let source = token(from)?;
    let mint = if campaign.asset == USDC { &config.usdc } else { &WRAPPED_SOL };
    source.require_owner(&campaign.sponsor)?;
    source.require_mint(mint)?;
    let fee_to = token(treasury)?;
    fee_to.require_owner(&config.treasury)?;
    fee_to.require_mint(mint)?;
    if recipients.is_empty() || recipients.len() > MOST_GRANTS {
        return Err(WRONG_ACCOUNTS);
    }
    for to in recipients {
        let index = args.u32()?;
        let (amount, fee) = (args.u64()?, args.u64()?);
        let bump = args.u8()?;
        book(campaign, amount, fee)?;
        mark(account.after::<Campaign>(), campaign.recipients, index)?;
        source.require_drawable(spender.key, add(amount, fee)?)?;
        let recipient = token(to)?;
        recipient.require_mint(mint)?;
        recipient.require_associated(bump)?;
        recipient.require_no_vault(config)?;
        if to.key == from.key {
            return Err(INVALID_RECIPIENT);
        }
        draw(context, config, spender, &[from, to], amount)?;
        if fee > 0 {
            draw(context, config, spender, &[from, treasury], fee)?;
        }
        emit(context, config_account, 19, &[&campaign.id, &index.to_le_bytes(), recipient.owner(), &[campaign.asset], &amount.to_le_bytes(), &fee.to_le_bytes()])?;
    }
    args.end()
}

/// A sponsor without limits has no pause.
fn require_sponsor_runs(context: &Context, campaign: &Campaign, limits: &Account) -> Result<()> {
    limits.require_key(&campaign.limits)?;
    if limits.is::<Limits>(context) && limits.state::<Limits>(context)?.paused != 0 {
        return Err(SENDER_PAUSED);
    }
    Ok(())
}

fn close_campaign(context: &Context) -> Result<()> {
    let [signer, config_account, account] = context.exactly::<3>()?;
    context.args().end()?;
    signer.require_signer()?;
    let config = config(context, config_account)?;
    let campaign = account.state::<Campaign>(context)?;
    if campaign.sponsor != *signer.key && !roles::is_executor(config, signer.key, context.now) {
        return Err(NOT_SPONSOR_NOR_EXECUTOR);
    }
    if campaign.closed != 0 {
        return Err(CAMPAIGN_CLOSED);
    }
    campaign.closed = 1;
    emit(context, config_account, 18, &[&campaign.id, signer.key])
}

fn delete_campaign(context: &Context) -> Result<()> {
    let [caller, config_account, account, rent_to] = context.exactly::<4>()?;
    context.args().end()?;
    caller.require_signer()?;
    config(context, config_account)?;
    let campaign = account.state::<Campaign>(context)?;
    if context.now <= campaign.expiry {
        return Err(CAMPAIGN_OPEN);
    }
    account.close_to(rent_to, &campaign.rent_to)
}
