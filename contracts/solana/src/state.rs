//! The layouts of the program's accounts. Byte 0 is the kind, byte 1 the bump; integers are little-endian and aligned to their size.

use core::ops::{Deref, DerefMut};

/// An address, an id or a hash.
#[repr(transparent)]
#[derive(Clone, Copy, Default, Debug, Eq)]
pub struct Key(pub [u8; 32]);

pub const ZERO: Key = Key([0; 32]);

impl PartialEq for Key {
    /// One function for all comparisons: inlined they were a quarter of the program.
    #[inline(never)]
    fn eq(&self, other: &Key) -> bool {
        self.0 == other.0
    }
}

impl Deref for Key {
    type Target = [u8];

    #[inline(always)]
    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl DerefMut for Key {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

/// A layout of an account: plain data of a fixed size, for which every bit pattern is valid.
/// # Safety
/// `repr(C)`, no padding, no pointers, alignment of at most 8.
pub unsafe trait Layout {
    const KIND: u8;
}

macro_rules! layouts {
    ($($name:ident = $kind:literal, $size:literal;)*) => {
        $(unsafe impl Layout for $name { const KIND: u8 = $kind; }
        const _: () = assert!(core::mem::size_of::<$name>() == $size && core::mem::align_of::<$name>() <= 8);)*
    };
}

layouts! {
    Config = 1, 736;
    Limits = 2, 224;
    Bucket = 3, 24;
    Tab = 4, 160;
    Order = 5, 104;
    Plan = 6, 128;
    Subscription = 7, 176;
    Campaign = 8, 216;
}

pub const MOST_EXECUTORS: usize = 8;

#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Executor {
    pub key: Key,
    /// Unix second from which it may act.
    pub active_from: u64,
}

#[repr(C)]
#[derive(Clone)]
pub struct Config {
    pub kind: u8,
    pub bump: u8,
    pub spender_bump: u8,
    pub vault_bump: u8,
    /// Buckets of one hour, as a power of two, before `shards_from` and from then on.
    pub shard_bits: u8,
    pub next_shard_bits: u8,
    pub reserved: [u8; 2],
    pub owner: Key,
    pub proposed_owner: Key,
    pub guardian: Key,
    pub authority: Key,
    pub next_authority: Key,
    pub treasury: Key,
    pub next_treasury: Key,
    pub usdc: Key,
    /// The vault's token accounts.
    pub vault_usdc: Key,
    pub vault_wrapped: Key,
    pub next_authority_at: u64,
    /// Tabs that were opened up to this second are refundable by their senders.
    pub authority_changed_at: u64,
    pub next_treasury_at: u64,
    pub paused_from: u64,
    pub paused_until: u64,
    /// Number of the hour from which `next_shard_bits` holds.
    pub shards_from: u64,
    pub executors: [Executor; MOST_EXECUTORS],
    pub reserved_end: [u8; 40],
}

/// Slices of 6 hours that count against a limit of 24 hours.
pub const SLICES: usize = 5;

#[repr(C)]
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct AssetLimits {
    pub per_tip: u64,
    pub per_day: u64,
    pub max_fee: u64,
    /// What was drawn, newest slice first.
    pub slices: [u64; SLICES],
    /// Number of the newest slice: Unix seconds / 21,600.
    pub newest: u64,
}

#[repr(C)]
#[derive(Clone, PartialEq, Debug)]
pub struct Limits {
    pub kind: u8,
    pub bump: u8,
    pub paused: u8,
    pub reserved: [u8; 5],
    pub owner: Key,
    pub rent_to: Key,
    /// Of the last tab that the owner opened itself.
    pub nonce: u64,
    /// USDC, wrapped SOL.
    pub assets: [AssetLimits; 2],
}

/// The head of a bucket; its levels follow.
#[repr(C)]
#[derive(Clone)]
pub struct Bucket {
    pub kind: u8,
    pub bump: u8,
    pub shard: u8,
    pub reserved: u8,
    pub levels: u32,
    pub hour: u64,
    pub keys: u64,
}

#[repr(C)]
#[derive(Clone)]
pub struct Tab {
    pub kind: u8,
    pub bump: u8,
    pub asset: u8,
    pub revocable: u8,
    pub reserved: [u8; 4],
    pub id: Key,
    pub sender: Key,
    pub handle_key: Key,
    pub rent_to: Key,
    pub amount: u64,
    /// Unix second from which anyone may refund it.
    pub deadline: u64,
    pub opened_at: u64,
}

#[repr(C)]
#[derive(Clone)]
pub struct Order {
    pub kind: u8,
    pub bump: u8,
    pub settled: u8,
    pub reserved: [u8; 5],
    pub rent_to: Key,
    /// Who paid the rent of the deposit's token account; zeros if `open_deposit` did not create it.
    pub deposit_rent_to: Key,
    pub refunded: u64,
    pub settled_at: u64,
    pub reserved_end: [u8; 16],
}

pub const PLAN_ACTIVE: u8 = 1;
pub const PLAN_INACTIVE_STATE: u8 = 2;

#[repr(C)]
#[derive(Clone)]
pub struct Plan {
    pub kind: u8,
    pub bump: u8,
    pub state: u8,
    pub reserved: u8,
    /// Seconds.
    pub period: u32,
    pub amount: u64,
    pub key: Key,
    pub creator: Key,
    pub rent_to: Key,
    pub reserved_end: [u8; 16],
}

pub const SUBSCRIPTION_ACTIVE: u8 = 1;
pub const SUBSCRIPTION_CANCELLED: u8 = 2;
pub const SUBSCRIPTION_HALTED: u8 = 3;

#[repr(C)]
#[derive(Clone, PartialEq, Debug)]
pub struct Subscription {
    pub kind: u8,
    pub bump: u8,
    pub state: u8,
    pub reserved: u8,
    /// Seconds, as the plan's.
    pub period: u32,
    pub charges: u64,
    pub started_at: u64,
    pub last_charged_at: u64,
    pub next_charge_at: u64,
    pub plan: Key,
    pub subscriber: Key,
    pub creator: Key,
    pub rent_to: Key,
    pub reserved_end: [u8; 8],
}

/// The head of a campaign; its bitmap of `recipients` bits follows.
#[repr(C)]
#[derive(Clone)]
pub struct Campaign {
    pub kind: u8,
    pub bump: u8,
    pub asset: u8,
    pub closed: u8,
    pub recipients: u32,
    pub id: Key,
    pub sponsor: Key,
    /// The address of the sponsor's limits.
    pub limits: Key,
    pub rent_to: Key,
    pub total: u64,
    pub spent: u64,
    pub most_per_grant: u64,
    pub max_fee: u64,
    pub expiry: u64,
    pub reserved_end: [u8; 40],
}
