//! Orders: paid once, by a payer or from the order's deposit; refunds, and what a deposit holds beyond.

use core::mem::size_of;

use super::config;
use crate::errors::*;
use crate::rules::{orders, roles};
use crate::runtime::accounts::{Account, New};
use crate::runtime::addresses::{number, ASSOCIATED_TOKEN, SYSTEM, TOKEN};
use crate::runtime::calls::{address, find_address, invoke, keccak, Call, Meta, Seed};
use crate::runtime::events::emit;
use crate::runtime::tokens::{close, take, token, transfer, Authority, Token, SOL, USDC};
use crate::runtime::{Args, Context};
use crate::state::{Config, Key, Order, ZERO};

pub fn run(context: &Context) -> Result<()> {
    match context.tag {
        40 => pay(context),
        41 => open_deposit(context),
        42 => sweep(context),
        43 => accept_deposit(context),
        44 => return_deposit(context),
        45 => refund(context),
        _ => close_order(context),
    }
}

struct Terms {
    order_id: &'static Key,
    payee: &'static Key,
    asset: u8,
    business: bool,
    amount: u64,
    deadline: u64,
}

impl Terms {
    fn read(args: &mut Args) -> Result<Terms> {
        let terms = Terms {
            order_id: args.key()?,
            payee: args.key()?,
            asset: args.u8()?,
            business: args.flag()?,
            amount: args.u64()?,
            deadline: args.u64()?,
        };
        if terms.asset != USDC && terms.asset != SOL {
            return Err(UNSUPPORTED_ASSET);
        }
        if terms.amount == 0 { Err(ZERO_AMOUNT) } else { Ok(terms) }
    }

    fn fee(&self) -> u64 {
        orders::fee_of(self.business, self.amount)
    }

    fn key(&self, context: &Context, config: &Config) -> Key {
        let mint = if self.asset == USDC { &config.usdc } else { &ZERO };
        let words = [number(self.amount), number(self.business as u64), number(self.deadline)];
        keccak(&[
            Seed::new(&ZERO),
            Seed::new(context.program),
            Seed::new(self.order_id),
            Seed::new(self.payee),
            Seed::new(mint),
            Seed::new(&words[0]),
            Seed::new(&words[1]),
            Seed::new(&words[2]),
        ])
    }

    fn require_payee(&self, signer: &Account) -> Result<()> {
        signer.require_signer()?;
        if signer.key == self.payee { Ok(()) } else { Err(NOT_PAYEE) }
    }
}

/// The order's account, checked against its terms; created when it is missing.
fn order_of(
    context: &Context,
    [funder, account]: &[&Account; 2],
    key: &Key,
    deadline: u64,
) -> Result<&'static mut Order> {
    if account.is::<Order>(context) {
        require_order(context, account, key)?;
        return account.state::<Order>(context);
    }
    funder.require_signer()?;
    orders::check_end(deadline, context.now)?;
    let new = New { payer: funder, size: size_of::<Order>(), seeds: [b"order", key, &[]] };
    let order = account.create::<Order>(context, &new)?;
    order.rent_to = *funder.key;
    Ok(order)
}

fn existing<'a>(context: &Context, account: &'a Account, key: &Key) -> Result<&'a mut Order> {
    let order = account.state::<Order>(context)?;
    require_order(context, account, key)?;
    Ok(order)
}

/// An order's account is at the address of its key; its bump is its own.
fn require_order(context: &Context, account: &Account, key: &Key) -> Result<()> {
    let bump = [account.state::<Order>(context)?.bump];
    let seeds = [Seed::new(b"order"), Seed::new(key), Seed::new(&bump)];
    match address(&seeds, context.program) {
        Some(address) if address == *account.key => Ok(()),
        _ => Err(WRONG_ADDRESS),
    }
}

/// Uses the terms up.
fn settle(context: &Context, config: &Config, order: &mut Order, terms: &Terms) -> Result<()> {
    roles::require_running(config, context.now)?;
    if order.settled != 0 {
        return Err(ALREADY_SETTLED);
    }
    if context.now > terms.deadline {
        return Err(EXPIRED);
    }
    order.settled = 1;
    order.settled_at = context.now;
    Ok(())
}

fn settled(context: &Context, config: &Account, key: &Key, terms: &Terms, payer: &Key) -> Result<()> {
    emit(context, config, 8, &[key, terms.order_id, payer, terms.payee, &[terms.asset], &terms.amount.to_le_bytes(), &terms.fee().to_le_bytes()])
}

/// A token account of a wallet, in USDC.
fn require_usdc<'a>(config: &Config, account: &'a Account, owner: &Key) -> Result<Token<'a>> {
    let held = token(account)?;
    held.require_mint(&config.usdc)?;
    held.require_owner(owner)?;
    Ok(held)
}

fn pay(context: &Context) -> Result<()> {
    let [payer, funder, config_account, account, source, payee, treasury, _token, _system] = context.exactly::<9>()?;
    let mut args = context.args();
    let terms = Terms::read(&mut args)?;
    args.end()?;
    payer.require_signer()?;
    let config = config(context, config_account)?;
    let key = terms.key(context, config);
    let order = order_of(context, &[funder, account], &key, terms.deadline)?;
    settle(context, config, order, &terms)?;
    let fee = terms.fee();
    let rest = terms.amount - fee;
    if terms.asset == SOL {
        source.require_key(payer.key)?;
        payee.require_key(terms.payee)?;
        treasury.require_key(&config.treasury)?;
        if payee.key == payer.key {
            return Err(INVALID_RECIPIENT);
        }
        payee.fund(context, payer, rest)?;
        if fee > 0 {
            treasury.fund(context, payer, fee)?;
        }
    } else {
        require_usdc(config, source, payer.key)?.require_balance(terms.amount)?;
        let receiver = require_usdc(config, payee, terms.payee)?;
        receiver.require_chosen_by(payer)?;
        receiver.require_no_vault(config)?;
        require_usdc(config, treasury, &config.treasury)?;
        if payee.key == source.key {
            return Err(INVALID_RECIPIENT);
        }
        take(context, &[source, payee], payer.key, rest)?;
        if fee > 0 {
            take(context, &[source, treasury], payer.key, fee)?;
        }
    }
    settled(context, config_account, &key, &terms, payer.key)
}

/// The deposit is the associated token account of the order's address.
fn require_deposit(config: &Config, account: &Account, order: &Key) -> Result<()> {
    let (address, _) = find_address(&[Seed::new(order), Seed::new(&TOKEN), Seed::new(&config.usdc)], &ASSOCIATED_TOKEN)?;
    account.require_key(&address)
}

fn open_deposit(context: &Context) -> Result<()> {
    let [funder, config_account, account, deposit, mint, _token, _associated, _system] = context.exactly::<8>()?;
    let mut args = context.args();
    let terms = Terms::read(&mut args)?;
    args.end()?;
    funder.require_signer()?;
    let config = config(context, config_account)?;
    if terms.asset != USDC {
        return Err(UNSUPPORTED_ASSET);
    }
    let key = terms.key(context, config);
    let order = order_of(context, &[funder, account], &key, terms.deadline)?;
    require_deposit(config, deposit, account.key)?;
    mint.require_key(&config.usdc)?;
    // Who has created it is noted already, or was not this program's funder.
    if deposit.owner() == &TOKEN {
        return Ok(());
    }
    order.deposit_rent_to = *funder.key;
    let metas = [
        Meta { key: funder.key, writable: true, signer: true },
        Meta { key: deposit.key, writable: true, signer: false },
        Meta { key: account.key, writable: false, signer: false },
        Meta { key: mint.key, writable: false, signer: false },
        Meta { key: &SYSTEM, writable: false, signer: false },
        Meta { key: &TOKEN, writable: false, signer: false },
    ];
    invoke(context, &Call { program: &ASSOCIATED_TOKEN, metas: &metas, data: &[1], seeds: &[] })
}

/// Moves tokens out of the deposit.
fn move_deposit(context: &Context, order: &Account, pair: &[&Account; 2], key: &Key, amount: u64) -> Result<()> {
    let bump = [order.state::<Order>(context)?.bump];
    let seeds = [Seed::new(b"order"), Seed::new(key), Seed::new(&bump)];
    transfer(context, pair, amount, &Authority { key: order.key, seeds: &seeds })
}

fn sweep(context: &Context) -> Result<()> {
    let [caller, config_account, account, deposit, payee, treasury, _token] = context.exactly::<7>()?;
    let mut args = context.args();
    let terms = Terms::read(&mut args)?;
    args.end()?;
    caller.require_signer()?;
    let config = config(context, config_account)?;
    let key = terms.key(context, config);
    let order = existing(context, account, &key)?;
    settle(context, config, order, &terms)?;
    require_deposit(config, deposit, account.key)?;
    if require_usdc(config, deposit, account.key)?.amount() < terms.amount {
        return Err(DEPOSIT_INCOMPLETE);
    }
    token(payee)?.require_chosen_by(caller)?;
    pay_from_deposit(context, config, &[account, deposit, payee, treasury], &terms, &[terms.amount, terms.fee()])?;
    settled(context, config_account, &key, &terms, account.key)
}

/// Pays a sum of the deposit to the payee and a part of it to the treasury.
fn pay_from_deposit(
    context: &Context,
    config: &Config,
    accounts: &[&Account; 4],
    terms: &Terms,
    [amount, fee]: &[u64; 2],
) -> Result<()> {
    let [order, deposit, payee, treasury] = accounts;
    require_usdc(config, payee, terms.payee)?.require_no_vault(config)?;
    require_usdc(config, treasury, &config.treasury)?;
    let key = terms.key(context, config);
    move_deposit(context, order, &[deposit, payee], &key, amount - fee)?;
    if *fee > 0 {
        move_deposit(context, order, &[deposit, treasury], &key, *fee)?;
    }
    Ok(())
}

/// A payer who sent the whole amount in time has paid: while `sweep` would settle, the payee moves nothing in another way.
fn require_not_covered(context: &Context, config: &Config, order: &Order, terms: &Terms, balance: u64) -> Result<()> {
    let in_time = context.now <= terms.deadline && roles::require_running(config, context.now).is_ok();
    if orders::is_covered(order.settled != 0, balance, terms.amount, in_time) {
        return Err(DEPOSIT_COVERED);
    }
    Ok(())
}

fn accept_deposit(context: &Context) -> Result<()> {
    let [signer, config_account, account, deposit, payee, treasury, _token] = context.exactly::<7>()?;
    let mut args = context.args();
    let terms = Terms::read(&mut args)?;
    args.end()?;
    signer.require_signer()?;
    // Once the order may be closed, anyone empties its deposit to the payee: dust must not keep the rent for ever.
    if !orders::is_closable(terms.deadline, context.now) {
        terms.require_payee(signer)?;
    }
    let config = config(context, config_account)?;
    let key = terms.key(context, config);
    let order = existing(context, account, &key)?;
    require_deposit(config, deposit, account.key)?;
    token(payee)?.require_chosen_by(signer)?;
    let balance = require_usdc(config, deposit, account.key)?.amount();
    if balance == 0 {
        return Err(ZERO_AMOUNT);
    }
    require_not_covered(context, config, order, &terms, balance)?;
    let fee = orders::fee_of(terms.business, balance);
    pay_from_deposit(context, config, &[account, deposit, payee, treasury], &terms, &[balance, fee])?;
    moved(context, config_account, &key, &terms, &Moved { to: terms.payee, amount: balance, fee, accepted: true })
}

struct Moved<'a> {
    to: &'a Key,
    amount: u64,
    fee: u64,
    accepted: bool,
}

fn moved(context: &Context, config: &Account, key: &Key, terms: &Terms, of: &Moved) -> Result<()> {
    emit(context, config, 9, &[key, terms.order_id, of.to, &[USDC], &of.amount.to_le_bytes(), &of.fee.to_le_bytes(), &[of.accepted as u8]])
}

fn return_deposit(context: &Context) -> Result<()> {
    let [signer, config_account, account, deposit, to, _token] = context.exactly::<6>()?;
    let mut args = context.args();
    let terms = Terms::read(&mut args)?;
    let amount = args.u64()?;
    args.end()?;
    terms.require_payee(signer)?;
    let config = config(context, config_account)?;
    let key = terms.key(context, config);
    let order = existing(context, account, &key)?;
    require_deposit(config, deposit, account.key)?;
    let balance = require_usdc(config, deposit, account.key)?.amount();
    if amount == 0 {
        return Err(ZERO_AMOUNT);
    }
    if balance < amount {
        return Err(DEPOSIT_INCOMPLETE);
    }
    require_not_covered(context, config, order, &terms, balance)?;
    let target = token(to)?;
    target.require_mint(&config.usdc)?;
    target.require_no_vault(config)?;
    // What goes to where it lies already has not gone back.
    if to.key == deposit.key {
        return Err(INVALID_RECIPIENT);
    }
    let owner = *target.owner();
    move_deposit(context, account, &[deposit, to], &key, amount)?;
    moved(context, config_account, &key, &terms, &Moved { to: &owner, amount, fee: 0, accepted: false })
}

fn refund(context: &Context) -> Result<()> {
    let [signer, config_account, account, source, to, _token, _system] = context.exactly::<7>()?;
    let mut args = context.args();
    let terms = Terms::read(&mut args)?;
    let amount = args.u64()?;
    args.end()?;
    terms.require_payee(signer)?;
    let config = config(context, config_account)?;
    let key = terms.key(context, config);
    let order = existing(context, account, &key)?;
    if order.settled == 0 {
        return Err(NOT_SETTLED);
    }
    order.refunded = orders::refund(order.refunded, amount, terms.amount)?;
    let total = order.refunded;
    if to.key == source.key {
        return Err(INVALID_RECIPIENT);
    }
    let receiver;
    if terms.asset == SOL {
        source.require_key(signer.key)?;
        to.fund(context, signer, amount)?;
        receiver = *to.key;
    } else {
        require_usdc(config, source, signer.key)?;
        let target = token(to)?;
        target.require_no_vault(config)?;
        receiver = *target.owner();
        take(context, &[source, to], signer.key, amount)?;
    }
    emit(context, config_account, 10, &[&key, terms.order_id, &receiver, &[terms.asset], &amount.to_le_bytes(), &total.to_le_bytes()])
}

fn close_order(context: &Context) -> Result<()> {
    let [caller, config_account, account, deposit, rent_to, deposit_rent_to, _token] = context.exactly::<7>()?;
    let mut args = context.args();
    let terms = Terms::read(&mut args)?;
    args.end()?;
    caller.require_signer()?;
    let config = config(context, config_account)?;
    let key = terms.key(context, config);
    let order = existing(context, account, &key)?;
    if !orders::is_closable(terms.deadline, context.now) {
        return Err(ORDER_OPEN);
    }
    require_deposit(config, deposit, account.key)?;
    let rent_key = order.rent_to;
    if deposit.owner() == &TOKEN {
        if token(deposit)?.amount() > 0 {
            return Err(ORDER_OPEN);
        }
        // What a payer created and paid for is the payee's in the end.
        let deposit_rent_key = if order.deposit_rent_to == ZERO { terms.payee } else { &order.deposit_rent_to };
        if deposit_rent_to.key != deposit_rent_key {
            return Err(WRONG_RENT_ADDRESS);
        }
        let bump = [order.bump];
        let seeds = [Seed::new(b"order"), Seed::new(&key), Seed::new(&bump)];
        close(context, deposit, deposit_rent_to, &Authority { key: account.key, seeds: &seeds })?;
    }
    account.close_to(rent_to, &rent_key)
}
