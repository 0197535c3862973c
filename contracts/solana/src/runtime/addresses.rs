//! Fixed addresses, and the seeds and ids of the program's own.

use crate::runtime::calls::{keccak, Seed};
use crate::state::{Key, ZERO};

pub const SYSTEM: Key = ZERO;
/// TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA
pub const TOKEN: Key = Key([
    6, 221, 246, 225, 215, 101, 161, 147, 217, 203, 225, 70, 206, 235, 121, 172, 28, 180, 133, 237, 95, 91, 55, 145, 58, 140,
    245, 133, 126, 255, 0, 169,
]);
/// ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL
pub const ASSOCIATED_TOKEN: Key = Key([
    140, 151, 37, 143, 78, 36, 137, 241, 187, 61, 16, 41, 20, 142, 13, 131, 11, 90, 19, 153, 218, 255, 16, 132, 4, 142, 123,
    216, 219, 233, 248, 89,
]);
/// So11111111111111111111111111111111111111112
pub const WRAPPED_SOL: Key = Key([
    6, 155, 136, 87, 254, 171, 129, 132, 251, 104, 127, 99, 70, 24, 192, 53, 218, 196, 57, 220, 26, 235, 59, 85, 152, 160, 240,
    0, 0, 0, 0, 1,
]);
/// BPFLoaderUpgradeab1e11111111111111111111111
pub const LOADER: Key = Key([
    2, 168, 246, 145, 78, 136, 161, 176, 226, 16, 21, 62, 247, 99, 174, 43, 0, 194, 185, 61, 22, 193, 36, 210, 192, 83, 122, 16,
    4, 128, 0, 0,
]);

/// A number as `abi.encode` writes it.
#[inline(never)]
pub fn number(value: u64) -> Key {
    let mut word = ZERO;
    word[24..].copy_from_slice(&value.to_be_bytes());
    word
}

pub fn tab_id(program: &Key, sender: &Key, nonce: &Key) -> Key {
    keccak(&[Seed::new(&ZERO), Seed::new(program), Seed::new(sender), Seed::new(nonce)])
}

/// @param keys The creator, the hash of the plan's id, USDC.
pub fn plan_key(program: &Key, keys: &[&Key; 3], amount: u64, period: u32) -> Key {
    let (amount, period) = (number(amount), number(u64::from(period)));
    keccak(&[
        Seed::new(&ZERO),
        Seed::new(program),
        Seed::new(keys[0]),
        Seed::new(keys[1]),
        Seed::new(keys[2]),
        Seed::new(&amount),
        Seed::new(&period),
    ])
}

pub fn campaign_id(program: &Key, sponsor: &Key, salt: &Key, expiry: u64) -> Key {
    let expiry = number(expiry);
    keccak(&[Seed::new(&ZERO), Seed::new(program), Seed::new(sponsor), Seed::new(salt), Seed::new(&expiry)])
}
