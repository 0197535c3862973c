//! Token accounts of the token program, and what moves tokens and SOL.

use crate::errors::*;
use crate::runtime::accounts::Account;
use crate::runtime::addresses::{ASSOCIATED_TOKEN, TOKEN, WRAPPED_SOL};
use crate::runtime::calls::{address, find_address, invoke, Call, Meta, Seed};
use crate::runtime::Context;
use crate::state::{Config, Key};

pub const USDC: u8 = 0;
pub const WRAPPED: u8 = 1;
pub const SOL: u8 = 2;

const TOKEN_ACCOUNT: usize = 165;
const FROZEN: u8 = 2;

/// A token account: 165 bytes of the token program. Accounts of Token-2022 belong to another program.
#[derive(Clone, Copy)]
pub struct Token<'a> {
    pub account: &'a Account,
    data: &'a [u8; TOKEN_ACCOUNT],
}

/// @throws WRONG_KIND, ACCOUNT_FROZEN
#[inline(never)]
pub fn token(account: &Account) -> Result<Token<'_>> {
    if account.owner() != &TOKEN {
        return Err(WRONG_KIND);
    }
    let data: &[u8; TOKEN_ACCOUNT] = account.data().try_into().map_err(|_| WRONG_KIND)?;
    match data[108] {
        0 => Err(WRONG_KIND),
        FROZEN => Err(ACCOUNT_FROZEN),
        _ => Ok(Token { account, data }),
    }
}

impl<'a> Token<'a> {
    fn key_at(&self, at: usize) -> &'a Key {
        // All fields stand within the 165 bytes.
        unsafe { &*(self.data.as_ptr().add(at) as *const Key) }
    }

    fn u64_at(&self, at: usize) -> u64 {
        unsafe { (self.data.as_ptr().add(at) as *const u64).read_unaligned() }
    }

    pub fn mint(&self) -> &'a Key {
        self.key_at(0)
    }

    pub fn owner(&self) -> &'a Key {
        self.key_at(32)
    }

    pub fn amount(&self) -> u64 {
        self.u64_at(64)
    }

    fn has_delegate(&self) -> bool {
        self.data[72] != 0
    }

    fn delegate(&self) -> &'a Key {
        self.key_at(76)
    }

    fn delegated(&self) -> u64 {
        self.u64_at(121)
    }

    pub fn has_close_authority(&self) -> bool {
        self.data[129] != 0
    }

    /// USDC or wrapped SOL.
    pub fn asset(&self, config: &Config) -> Result<u8> {
        if *self.mint() == config.usdc {
            Ok(USDC)
        } else if *self.mint() == WRAPPED_SOL {
            Ok(WRAPPED)
        } else {
            Err(WRONG_MINT)
        }
    }

    pub fn require_owner(&self, owner: &Key) -> Result<()> {
        if self.owner() == owner { Ok(()) } else { Err(WRONG_TOKEN_OWNER) }
    }

    pub fn require_mint(&self, mint: &Key) -> Result<()> {
        if self.mint() == mint { Ok(()) } else { Err(WRONG_MINT) }
    }

    /// Proves that the account is its owner's associated one: so its owner is the wallet that its address was derived from.
    #[inline(never)]
    pub fn require_associated(&self, bump: u8) -> Result<()> {
        let bump = [bump];
        let seeds = [Seed::new(self.owner()), Seed::new(&TOKEN), Seed::new(self.mint()), Seed::new(&bump)];
        match address(&seeds, &ASSOCIATED_TOKEN) {
            Some(address) if address == *self.account.key => Ok(()),
            _ => Err(WRONG_ADDRESS),
        }
    }

    /// The same where the bump is not given.
    pub fn require_canonical(&self) -> Result<()> {
        let seeds = [Seed::new(self.owner()), Seed::new(&TOKEN), Seed::new(self.mint())];
        let (address, _) = find_address(&seeds, &ASSOCIATED_TOKEN)?;
        self.account.require_key(&address)
    }

    /// What the vault is sent outside of a tab could never leave it again.
    pub fn require_no_vault(&self, config: &Config) -> Result<()> {
        if *self.account.key == config.vault_usdc || *self.account.key == config.vault_wrapped {
            return Err(INVALID_RECIPIENT);
        }
        Ok(())
    }

    /// Nobody but an owner that signs chooses among its token accounts: for another it is the associated one.
    pub fn require_chosen_by(&self, signer: &Account) -> Result<()> {
        if self.owner() == signer.key { Ok(()) } else { self.require_canonical() }
    }

    /// Whether the spender may draw a sum: each lack has its error.
    #[inline(never)]
    pub fn require_drawable(&self, spender: &Key, sum: u64) -> Result<()> {
        if !self.has_delegate() || self.delegate() != spender {
            return Err(NOT_APPROVED);
        }
        if self.delegated() < sum {
            return Err(ALLOWANCE_TOO_LOW);
        }
        self.require_balance(sum)
    }

    pub fn require_balance(&self, sum: u64) -> Result<()> {
        if self.amount() < sum { Err(BALANCE_TOO_LOW) } else { Ok(()) }
    }
}

/// Moves tokens; the authority has signed the transaction, or is the address of the seeds.
#[inline(never)]
pub fn transfer(context: &Context, pair: &[&Account; 2], amount: u64, by: &Authority) -> Result<()> {
    let mut data = [0; 9];
    data[0] = 3;
    data[1..9].copy_from_slice(&amount.to_le_bytes());
    let metas = [
        Meta { key: pair[0].key, writable: true, signer: false },
        Meta { key: pair[1].key, writable: true, signer: false },
        Meta { key: by.key, writable: false, signer: true },
    ];
    invoke(context, &Call { program: &TOKEN, metas: &metas, data: &data, seeds: by.seeds })
}

/// Who moves tokens.
pub struct Authority<'a> {
    pub key: &'a Key,
    pub seeds: &'a [Seed<'a>],
}

/// Moves tokens as their owners' delegate.
#[inline(never)]
pub fn draw(context: &Context, config: &Config, spender: &Account, pair: &[&Account; 2], amount: u64) -> Result<()> {
    let bump = [config.spender_bump];
    let seeds = [Seed::new(b"spender"), Seed::new(&bump)];
    transfer(context, pair, amount, &Authority { key: spender.key, seeds: &seeds })
}

/// Moves tokens out of the vault.
#[inline(never)]
pub fn release(context: &Context, config: &Config, vault: &Account, pair: &[&Account; 2], amount: u64) -> Result<()> {
    let bump = [config.vault_bump];
    let seeds = [Seed::new(b"vault"), Seed::new(&bump)];
    transfer(context, pair, amount, &Authority { key: vault.key, seeds: &seeds })
}

/// Moves what its owner itself signed for.
#[inline(never)]
pub fn take(context: &Context, pair: &[&Account; 2], owner: &Key, amount: u64) -> Result<()> {
    let source = token(pair[0])?;
    source.require_owner(owner)?;
    source.require_balance(amount)?;
    transfer(context, pair, amount, &Authority { key: owner, seeds: &[] })
}

/// Closes an empty token account.
#[inline(never)]
pub fn close(context: &Context, account: &Account, rent_to: &Account, by: &Authority) -> Result<()> {
    let metas = [
        Meta { key: account.key, writable: true, signer: false },
        Meta { key: rent_to.key, writable: true, signer: false },
        Meta { key: by.key, writable: false, signer: true },
    ];
    invoke(context, &Call { program: &TOKEN, metas: &metas, data: &[9], seeds: by.seeds })
}
