//! Tips, and the buckets of message keys that make each message pay once.

use core::mem::size_of;

use super::{config, tabs};
use crate::errors::*;
use crate::rules::money::add;
use crate::rules::{keys, roles, spending};
use crate::runtime::accounts::{Account, New};
use crate::runtime::events::emit;
use crate::runtime::tokens::{draw, token};
use crate::runtime::Context;
use crate::state::{Bucket, Config, Key, Limits};

const MOST_LEGS: usize = 8;
const LEG_ACCOUNTS: usize = 3;

pub fn run(context: &Context) -> Result<()> {
    match context.tag {
        24 => tip(context),
        25 => tip_to_tab(context),
        _ => close_bucket(context),
    }
}

/// The accounts that all tips of an instruction share.
struct Shared<'a> {
    executor: &'a Account,
    config: &'static Config,
    spender: &'a Account,
    bucket: &'a Account,
}

struct Message {
    key: &'static Key,
    amount: u64,
    fee: u64,
}

/// What both kinds of tips begin with.
fn enter(context: &Context, shared: &Shared, valid_until: u64) -> Result<()> {
    shared.executor.require_signer()?;
    roles::require_executor(shared.config, shared.executor.key, context.now)?;
    roles::require_running(shared.config, context.now)?;
    if context.now > valid_until { Err(EXPIRED) } else { Ok(()) }
}

fn tip(context: &Context) -> Result<()> {
    let ([executor, config_account, spender, treasury, bucket, _token, _system], rest) = context.at_least::<7>()?;
    let mut args = context.args();
    let valid_until = args.u64()?;
    let config = config(context, config_account)?;
    let shared = Shared { executor, config, spender, bucket };
    enter(context, &shared, valid_until)?;
    let fee_to = token(treasury)?;
    fee_to.require_owner(&config.treasury)?;
    let mut legs = rest.chunks_exact(LEG_ACCOUNTS);
    if rest.is_empty() || rest.len() > MOST_LEGS * LEG_ACCOUNTS || !legs.remainder().is_empty() {
        return Err(WRONG_ACCOUNTS);
    }
    while let Some([from, limits, to]) = legs.next() {
        let message = Message { key: args.key()?, amount: args.u64()?, fee: args.u64()? };
        let bump = args.u8()?;
        let (asset, sender) = count(context, &shared, &message, &[from, limits])?;
        let recipient = token(to)?;
        recipient.require_mint(token(from)?.mint())?;
        fee_to.require_mint(recipient.mint())?;
        recipient.require_associated(bump)?;
        recipient.require_no_vault(config)?;
        if to.key == from.key {
            return Err(INVALID_RECIPIENT);
        }
        draw(context, config, spender, &[from, to], message.amount)?;
        if message.fee > 0 {
            draw(context, config, spender, &[from, treasury], message.fee)?;
        }
        emit(context, config_account, 1, &[message.key, &sender, recipient.owner(), &[asset], &message.amount.to_le_bytes(), &message.fee.to_le_bytes()])?;
    }
    args.end()
}

fn tip_to_tab(context: &Context) -> Result<()> {
    let [executor, config_account, spender, bucket, from, limits, tab, vault, _token, _system] = context.exactly::<10>()?;
    let mut args = context.args();
    let valid_until = args.u64()?;
    let message = Message { key: args.key()?, amount: args.u64()?, fee: 0 };
    let (deadline, handle_key) = (args.u64()?, args.key()?);
    args.end()?;
    let config = config(context, config_account)?;
    let shared = Shared { executor, config, spender, bucket };
    enter(context, &shared, valid_until)?;
    let (asset, sender) = count(context, &shared, &message, &[from, limits])?;
    tabs::require_vault(config, asset, vault)?;
    let terms = tabs::Terms {
        sender: &sender,
        nonce: message.key,
        handle_key,
        asset,
        amount: message.amount,
        deadline,
        revocable: true,
    };
    let id = tabs::record(context, &[executor, tab, config_account], &terms)?;
    tabs::fill(vault, message.amount, || draw(context, config, spender, &[from, vault], message.amount))?;
    emit(context, config_account, 2, &[message.key, &sender, handle_key, &id, &[asset], &message.amount.to_le_bytes(), &deadline.to_le_bytes()])
}

/// Uses the message up, and counts its sum against the sender's limits.
/// @returns the asset and the sender's wallet.
fn count(context: &Context, shared: &Shared, message: &Message, accounts: &[&Account; 2]) -> Result<(u8, Key)> {
    let [from, limits_account] = accounts;
    let source = token(from)?;
    let asset = source.asset(shared.config)?;
    let sender = *source.owner();
    let limits = limits_account.state::<Limits>(context)?;
    if limits.owner != sender {
        return Err(WRONG_ADDRESS);
    }
    if limits.paused != 0 {
        return Err(SENDER_PAUSED);
    }
    let time = keys::time_of(message.key);
    keys::check_time(time, context.now)?;
    use_key(context, shared, message.key, time / keys::HOUR)?;
    if let Some(of_asset) = limits.assets.get_mut(asset as usize) {
        spending::charge(of_asset, message.amount, message.fee, context.now)?;
    }
    source.require_drawable(shared.spender.key, add(message.amount, message.fee)?)?;
    Ok((asset, sender))
}

/// Stores a message key in its bucket, which is created or grown when it has to be.
fn use_key(context: &Context, shared: &Shared, key: &Key, hour: u64) -> Result<()> {
    let shard = keys::shard_of(shared.config, key, hour);
    let account = shared.bucket;
    if !account.is::<Bucket>(context) {
        let seeds = (hour.to_le_bytes(), [shard]);
        let new = New { payer: shared.executor, size: size_of::<Bucket>(), seeds: [b"bucket", &seeds.0, &seeds.1] };
        let bucket = account.create::<Bucket>(context, &new)?;
        bucket.hour = hour;
        bucket.shard = shard;
    }
    let bucket = account.state::<Bucket>(context)?;
    if bucket.hour != hour || bucket.shard != shard {
        return Err(WRONG_BUCKET);
    }
    let at = match keys::place_of(account.after::<Bucket>(), bucket.levels, key)? {
        keys::Place::Free(at) => at,
        keys::Place::Full => add_level(context, shared, bucket, key)?,
    };
    match account.after::<Bucket>().get_mut(at..at + 16) {
        Some(place) => place.copy_from_slice(keys::stored(key)),
        None => return Err(BUCKET_FULL),
    }
    bucket.keys += 1;
    Ok(())
}

/// Adds a level, and notes who paid for it.
fn add_level(context: &Context, shared: &Shared, bucket: &mut Bucket, key: &Key) -> Result<usize> {
    if bucket.levels >= keys::MOST_LEVELS {
        return Err(BUCKET_FULL);
    }
    let start = keys::levels_size(bucket.levels);
    let size = size_of::<Bucket>() + keys::levels_size(bucket.levels + 1);
    // The first level stands for the rent of the head too.
    let before = if bucket.levels == 0 { shared.bucket.lamports() } else { 0 };
    let paid = before + shared.bucket.grow(context, shared.executor, size)?;
    bucket.levels += 1;
    match shared.bucket.after::<Bucket>().get_mut(start..start + keys::LEVEL_HEAD) {
        Some(head) => {
            head[..32].copy_from_slice(shared.executor.key);
            head[32..].copy_from_slice(&paid.to_le_bytes());
        }
        None => return Err(BUCKET_FULL),
    }
    Ok(keys::place_in_new(bucket.levels, key))
}

fn close_bucket(context: &Context) -> Result<()> {
    let ([caller, config_account, account], payers) = context.at_least::<3>()?;
    context.args().end()?;
    caller.require_signer()?;
    config(context, config_account)?;
    let bucket = account.state::<Bucket>(context)?;
    if !keys::is_closable(bucket.hour, context.now) {
        return Err(BUCKET_IN_USE);
    }
    let levels = account.after::<Bucket>();
    let mut last = None;
    let mut level = 0;
    while level < bucket.levels {
        let start = keys::levels_size(level);
        let head = levels.get(start..start + keys::LEVEL_HEAD).ok_or(WRONG_KIND)?;
        let payer = payers.iter().find(|one| head.get(..32) == Some(&one.key[..])).ok_or(WRONG_RENT_ADDRESS)?;
        let paid = u64::from_le_bytes(head.get(32..).and_then(|eight| eight.try_into().ok()).ok_or(WRONG_KIND)?);
        account.pay_out(payer, paid)?;
        last = Some(payer);
        level += 1;
    }
    if payers.iter().any(|one| !keys::has_payer(levels, bucket.levels, one.key)) {
        return Err(WRONG_ACCOUNTS);
    }
    let (hour, shard) = (bucket.hour, bucket.shard);
    // What others sent to the address goes to the last payer. A bucket has a level from its first key on.
    account.close(last.ok_or(WRONG_RENT_ADDRESS)?)?;
    emit(context, config_account, 22, &[&hour.to_le_bytes(), &[shard]])
}
