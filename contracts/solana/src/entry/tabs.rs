//! OpenTab: opening, claiming and refunding a tab.

use core::mem::size_of;

use super::limits::own_limits;
use super::config;
use crate::errors::*;
use crate::rules::{roles, tabs};
use crate::runtime::accounts::{Account, New};
use crate::runtime::addresses::{number, tab_id};
use crate::runtime::events::emit;
use crate::runtime::tokens::{release, take, token, USDC};
use crate::runtime::Context;
use crate::state::{Config, Key, Tab};

pub fn run(context: &Context) -> Result<()> {
    match context.tag {
        32 => open_tab(context),
        33 => claim_tab(context),
        _ => refund_tab(context),
    }
}

pub struct Terms<'a> {
    pub sender: &'a Key,
    pub nonce: &'a Key,
    pub handle_key: &'a Key,
    pub asset: u8,
    pub amount: u64,
    pub deadline: u64,
    pub revocable: bool,
}

/// Creates the account of a tab; its money follows.
/// @param accounts The payer of its rent, the tab, config.
/// @returns the tab's id.
pub fn record(context: &Context, accounts: &[&Account; 3], terms: &Terms) -> Result<Key> {
    let [payer, account, config] = accounts;
    if terms.amount == 0 {
        return Err(ZERO_AMOUNT);
    }
    tabs::check_deadline(terms.deadline, context.now)?;
    let id = tab_id(context.program, terms.sender, terms.nonce);
    let new = New { payer, size: size_of::<Tab>(), seeds: [b"tab", &id, &[]] };
    let tab = account.create::<Tab>(context, &new)?;
    tab.asset = terms.asset;
    tab.revocable = terms.revocable as u8;
    tab.id = id;
    tab.sender = *terms.sender;
    tab.handle_key = *terms.handle_key;
    tab.rent_to = *payer.key;
    tab.amount = terms.amount;
    tab.deadline = terms.deadline;
    tab.opened_at = context.now;
    emit(context, config, 5, &[&id, terms.sender, terms.handle_key, &[terms.asset], &terms.amount.to_le_bytes(), &terms.deadline.to_le_bytes(), terms.nonce, &[tab.revocable]])?;
    Ok(id)
}

/// The account that holds the open tabs in an asset.
pub fn require_vault(config: &Config, asset: u8, vault: &Account) -> Result<()> {
    vault.require_key(if asset == USDC { &config.vault_usdc } else { &config.vault_wrapped })
}

/// Brings money into the vault, exactly as much as the tab says.
pub fn fill(vault: &Account, amount: u64, bring: impl FnOnce() -> Result<()>) -> Result<()> {
    let before = token(vault)?.amount();
    bring()?;
    if token(vault)?.amount().checked_sub(before) == Some(amount) { Ok(()) } else { Err(BALANCE_TOO_LOW) }
}

fn open_tab(context: &Context) -> Result<()> {
    let [payer, sender, config_account, limits, from, tab, vault, _token, _system] = context.exactly::<9>()?;
    let mut args = context.args();
    let nonce = args.u64()?;
    let handle_key = args.key()?;
    let (amount, deadline, revocable) = (args.u64()?, args.u64()?, args.flag()?);
    args.end()?;
    payer.require_signer()?;
    let config = config(context, config_account)?;
    roles::require_running(config, context.now)?;
    let limits = own_limits(context, payer, sender, limits)?;
    tabs::check_nonce(nonce, limits.nonce, context.now)?;
    limits.nonce = nonce;
    let asset = token(from)?.asset(config)?;
    require_vault(config, asset, vault)?;
    let word = number(nonce);
    let terms = Terms { sender: sender.key, nonce: &word, handle_key, asset, amount, deadline, revocable };
    record(context, &[payer, tab, config_account], &terms)?;
    fill(vault, amount, || take(context, &[from, vault], sender.key, amount))
}

fn claim_tab(context: &Context) -> Result<()> {
    let [executor, authority, config_account, account, vault, held, to, rent_to, _token] = context.exactly::<9>()?;
    let mut args = context.args();
    let recipient = args.key()?;
    let not_after = args.u64()?;
    args.end()?;
    executor.require_signer()?;
    authority.require_signer()?;
    let config = config(context, config_account)?;
    roles::require_executor(config, executor.key, context.now)?;
    if config.authority != *authority.key {
        return Err(NOT_AUTHORITY);
    }
    roles::require_running(config, context.now)?;
    tabs::check_attestation(not_after, context.now)?;
    let tab = open(context, account)?;
    let (id, handle_key, asset, amount) = (tab.id, tab.handle_key, tab.asset, tab.amount);
    pay_out(context, config, &[account, vault, held, to, rent_to], recipient)?;
    emit(context, config_account, 6, &[&id, &handle_key, recipient, &[asset], &amount.to_le_bytes()])
}

fn refund_tab(context: &Context) -> Result<()> {
    let [caller, config_account, account, vault, held, to, rent_to, _token] = context.exactly::<8>()?;
    context.args().end()?;
    caller.require_signer()?;
    let config = config(context, config_account)?;
    let tab = open(context, account)?;
    tabs::check_refundable(config, tab, caller.key, context.now)?;
    let (id, sender, asset, amount) = (tab.id, tab.sender, tab.asset, tab.amount);
    token(to)?.require_chosen_by(caller)?;
    pay_out(context, config, &[account, vault, held, to, rent_to], &sender)?;
    emit(context, config_account, 7, &[&id, &sender, &[asset], &amount.to_le_bytes()])
}

fn open(context: &Context, account: &Account) -> Result<&'static mut Tab> {
    if account.is_unused() { Err(TAB_NOT_OPEN) } else { account.state::<Tab>(context) }
}

/// Ends a tab: pays it out of the vault and closes its account.
/// @param accounts The tab, the vault, the vault's token account, a token account of the wallet that is paid, and who gets the rent.
fn pay_out(context: &Context, config: &Config, accounts: &[&Account; 5], wallet: &Key) -> Result<()> {
    let [account, vault, held, to, rent_to] = accounts;
    let tab = open(context, account)?;
    let amount = tab.amount;
    require_vault(config, tab.asset, held)?;
    let target = token(to)?;
    target.require_owner(wallet)?;
    target.require_mint(token(held)?.mint())?;
    // The vault would pay itself.
    if to.key == held.key || wallet == vault.key {
        return Err(INVALID_RECIPIENT);
    }
    let rent_key = tab.rent_to;
    release(context, config, vault, &[held, to], amount)?;
    account.close_to(rent_to, &rent_key)
}
