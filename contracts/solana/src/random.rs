//! Random values for the property tests.

use crate::state::{Config, Executor, Key, MOST_EXECUTORS, ZERO};

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// Of any order of magnitude.
    pub fn amount(&mut self) -> u64 {
        let bits = self.below(64);
        self.next() >> bits
    }

    pub fn key(&mut self) -> Key {
        let mut key = ZERO;
        for eight in key.chunks_mut(8) {
            eight.copy_from_slice(&self.next().to_le_bytes());
        }
        key
    }
}

/// How often a property is tried: a hundred times as often in a long run.
pub fn cases(count: u64) -> u64 {
    if std::env::var_os("TEST_LONG").is_some() { count * 100 } else { count }
}

/// A config with distinct roles and two executors.
pub fn config() -> Config {
    let mut executors = [Executor::default(); MOST_EXECUTORS];
    executors[0] = Executor { key: Key([10; 32]), active_from: 1 };
    executors[1] = Executor { key: Key([11; 32]), active_from: 1 };
    Config {
        kind: 1,
        bump: 255,
        spender_bump: 255,
        vault_bump: 255,
        shard_bits: 0,
        next_shard_bits: 0,
        reserved: [0; 2],
        owner: Key([1; 32]),
        proposed_owner: ZERO,
        guardian: Key([2; 32]),
        authority: Key([3; 32]),
        next_authority: ZERO,
        treasury: Key([4; 32]),
        next_treasury: ZERO,
        usdc: Key([5; 32]),
        vault_usdc: Key([6; 32]),
        vault_wrapped: Key([7; 32]),
        next_authority_at: 0,
        authority_changed_at: 0,
        next_treasury_at: 0,
        paused_from: 0,
        paused_until: 0,
        shards_from: 0,
        executors,
        reserved_end: [0; 40],
    }
}
