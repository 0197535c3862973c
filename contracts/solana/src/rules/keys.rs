//! Message keys: which bucket a message belongs to, when that may be used and closed, and the slots within it.
//!
//! A level of n slots is n / 8 groups of 8; a key has one group in each level. It is stored in the first free slot of the first level whose group has
//! one. Slots are never freed, so a free slot in a key's group proves that no later level has the key.

use crate::errors::*;
use crate::state::{Config, Key};

pub const HOUR: u64 = 3_600;
const MOST_AGE: u64 = 24 * HOUR;
const MOST_AHEAD: u64 = 600;
const CLOSES_AFTER_HOURS: u64 = 25;
pub const MOST_SHARD_BITS: u8 = 8;
/// Hours for which a message of the hours before a change of shards may still come, and its bucket be closed.
const SHARDS_REST_HOURS: u64 = 26;
/// Hours ahead: no later change is possible before this one has been in force.
const MOST_SHARDS_AHEAD: u64 = 7 * 24;

const FIRST_LEVEL: usize = 16;
const LARGEST_LEVEL: usize = 512;
pub const MOST_LEVELS: u32 = 128;
const GROUP: usize = 8;
const STORED: usize = 16;
/// Of a level: who paid its rent, and how much.
pub const LEVEL_HEAD: usize = 40;

/// A key ends with the time of its message, in Unix seconds, big-endian: so it has one time and one bucket, whoever brings it.
pub fn time_of(key: &Key) -> u64 {
    word(key, 24).swap_bytes()
}

/// Refuses a message by its time.
pub fn check_time(message_time: u64, now: u64) -> Result<()> {
    if now.saturating_sub(message_time) > MOST_AGE {
        return Err(MESSAGE_TOO_OLD);
    }
    if message_time.saturating_sub(now) > MOST_AHEAD {
        return Err(MESSAGE_AHEAD);
    }
    Ok(())
}

/// Whether no message of the hour can be accepted ever again, with an hour to spare.
pub fn is_closable(hour: u64, now: u64) -> bool {
    now / HOUR > hour && now / HOUR - hour > CLOSES_AFTER_HOURS
}

/// The shard of a key in an hour.
pub fn shard_of(config: &Config, key: &Key, hour: u64) -> u8 {
    let bits = if hour >= config.shards_from { config.next_shard_bits } else { config.shard_bits };
    if bits == 0 { 0 } else { key[0] >> (8 - bits) }
}

/// Splits the buckets from an hour on, which no message of today can belong to.
pub fn set_shards(config: &mut Config, bits: u8, from_hour: u64, now: u64) -> Result<()> {
    let hour = now / HOUR;
    let is_soon = from_hour >= hour + 2 && from_hour <= hour + MOST_SHARDS_AHEAD;
    if bits > MOST_SHARD_BITS || !is_soon || hour < config.shards_from.saturating_add(SHARDS_REST_HOURS) {
        return Err(INVALID_SHARDS);
    }
    config.shard_bits = config.next_shard_bits;
    config.next_shard_bits = bits;
    config.shards_from = from_hour;
    Ok(())
}

pub fn slots_of(level: u32) -> usize {
    if level >= 5 { LARGEST_LEVEL } else { FIRST_LEVEL << level }
}

/// Bytes of a level.
pub fn level_size(level: u32) -> usize {
    LEVEL_HEAD + slots_of(level) * STORED
}

/// Bytes of the first `levels` levels.
pub fn levels_size(levels: u32) -> usize {
    let mut size = 0;
    let mut level = 0;
    while level < levels && level < 5 {
        size += level_size(level);
        level += 1;
    }
    size + (levels - level) as usize * level_size(5)
}

fn word(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..at + 8).and_then(|eight| eight.try_into().ok()) {
        Some(eight) => u64::from_le_bytes(eight),
        None => 0,
    }
}

/// Where a key is to be stored.
#[derive(PartialEq, Debug)]
pub enum Place {
    /// At this offset of the levels.
    Free(usize),
    /// Every group of the key is full: it needs another level.
    Full,
}

/// Looks a key up in the levels. Zeros mark a free slot, so a key that begins with 16 of them is refused: a nonce of 64 bits, as the tabs have that a
/// wallet opens itself, is no message key.
pub fn place_of(levels: &[u8], count: u32, key: &Key) -> Result<Place> {
    let (low, high) = (word(key, 0), word(key, 8));
    if low == 0 && high == 0 {
        return Err(INVALID_KEY);
    }
    let hash = word(key, 16) as usize;
    let mut start = 0;
    let mut level = 0;
    while level < count {
        let groups = slots_of(level) / GROUP;
        let mut at = start + LEVEL_HEAD + (hash & (groups - 1)) * GROUP * STORED;
        let end = at + GROUP * STORED;
        while at < end {
            let (a, b) = (word(levels, at), word(levels, at + 8));
            if a == low && b == high {
                return Err(ALREADY_PROCESSED);
            }
            if a == 0 && b == 0 {
                return Ok(Place::Free(at));
            }
            at += STORED;
        }
        start += level_size(level);
        level += 1;
    }
    Ok(Place::Full)
}

/// The place of a key in the newest level, which is empty.
pub fn place_in_new(count: u32, key: &Key) -> usize {
    let level = count - 1;
    let groups = slots_of(level) / GROUP;
    levels_size(level) + LEVEL_HEAD + (word(key, 16) as usize & (groups - 1)) * GROUP * STORED
}

/// Whether an account paid for one of the levels.
pub fn has_payer(levels: &[u8], count: u32, payer: &Key) -> bool {
    let mut level = 0;
    while level < count {
        let start = levels_size(level);
        if levels.get(start..start + 32) == Some(&payer[..]) {
            return true;
        }
        level += 1;
    }
    false
}

/// What is stored of a key.
pub fn stored(key: &Key) -> &[u8] {
    &key[..STORED]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{cases, config, Random};
    use std::collections::HashSet;

    /// A bucket as the program keeps it.
    #[derive(Default)]
    struct Levels {
        bytes: Vec<u8>,
        count: u32,
    }

    impl Levels {
        fn insert(&mut self, key: &Key) -> Result<()> {
            let at = match place_of(&self.bytes, self.count, key)? {
                Place::Free(at) => at,
                Place::Full => {
                    self.count += 1;
                    self.bytes.resize(levels_size(self.count), 0);
                    place_in_new(self.count, key)
                }
            };
            assert!(self.bytes[at..at + STORED].iter().all(|byte| *byte == 0));
            self.bytes[at..at + STORED].copy_from_slice(stored(key));
            Ok(())
        }
    }

    #[test]
    fn a_key_is_taken_once() {
        let mut random = Random::new(3);
        for _ in 0..cases(20) {
            let mut levels = Levels::default();
            let mut seen = HashSet::new();
            for _ in 0..3_000 {
                // Few different groups, so that levels fill up and spill.
                let mut key = random.key();
                key[0] = random.below(200) as u8;
                key[1..16].fill(7);
                key[16] = random.below(4) as u8;
                let id = (key[0], key[16]);
                let first = !seen.iter().any(|(other, _)| *other == id.0);
                let outcome = levels.insert(&key);
                if first {
                    assert_eq!(outcome, Ok(()));
                    seen.insert(id);
                } else if seen.contains(&id) {
                    assert_eq!(outcome, Err(ALREADY_PROCESSED));
                }
            }
        }
    }

    #[test]
    fn random_keys_fill_the_levels() {
        let mut random = Random::new(4);
        let mut levels = Levels::default();
        let mut keys = Vec::new();
        while levels.count < 12 {
            let key = random.key();
            levels.insert(&key).unwrap();
            keys.push(key);
        }
        for key in &keys {
            assert_eq!(place_of(&levels.bytes, levels.count, key), Err(ALREADY_PROCESSED));
        }
        let slots: usize = (0..11).map(slots_of).sum();
        assert!(keys.len() * 4 > slots * 3, "{} keys in {slots} slots", keys.len());
        while levels.count <= MOST_LEVELS {
            let key = random.key();
            levels.insert(&key).unwrap();
            keys.push(key);
        }
        assert!(keys.len() > 50_000, "{} keys fill a bucket", keys.len());
    }

    #[test]
    fn a_key_ends_with_its_time() {
        let mut random = Random::new(13);
        for _ in 0..cases(1_000) {
            let (mut key, time) = (random.key(), random.amount());
            key[24..].copy_from_slice(&time.to_be_bytes());
            assert_eq!(time_of(&key), time);
        }
    }

    #[test]
    fn keys_that_mean_nothing_are_refused() {
        assert_eq!(place_of(&[], 0, &Key([0; 32])), Err(INVALID_KEY));
        let mut nonce = Key([0; 32]);
        nonce[24..].fill(9);
        assert_eq!(place_of(&[], 0, &nonce), Err(INVALID_KEY));
        assert_eq!(place_of(&[], 0, &Key([1; 32])), Ok(Place::Full));
    }

    #[test]
    fn a_message_that_is_accepted_has_a_bucket_that_is_not_closable() {
        let mut random = Random::new(5);
        for _ in 0..cases(100_000) {
            let now = 1_800_000_000 + random.below(1_000_000);
            let at = now + 700 - random.below(100_000);
            let hour = at / HOUR;
            if check_time(at, now).is_ok() {
                assert!(!is_closable(hour, now));
                // Nor will it be while a transaction with it may still land.
                assert!(!is_closable(hour, now + HOUR));
            }
        }
        assert_eq!(check_time(1_800_000_000, 1_800_000_000 + MOST_AGE), Ok(()));
        assert_eq!(check_time(1_800_000_000, 1_800_000_001 + MOST_AGE), Err(MESSAGE_TOO_OLD));
        assert_eq!(check_time(1_800_000_600, 1_800_000_000), Ok(()));
        assert_eq!(check_time(1_800_000_601, 1_800_000_000), Err(MESSAGE_AHEAD));
    }

    #[test]
    fn an_hour_has_the_same_shards_for_as_long_as_its_messages_may_come() {
        let mut random = Random::new(6);
        for _ in 0..cases(200) {
            let mut config = config();
            let mut now = 1_800_000_000;
            let mut shards: Vec<(u64, Key, u8)> = Vec::new();
            for _ in 0..200 {
                now += random.below(6 * HOUR);
                let _ = set_shards(&mut config, random.below(10) as u8, now / HOUR + random.below(5), now);
                let key = random.key();
                let at = now + MOST_AHEAD - random.below(MOST_AGE);
                shards.push((at, key, shard_of(&config, &key, at / HOUR)));
                for (at, key, shard) in &shards {
                    if check_time(*at, now).is_ok() {
                        assert_eq!(shard_of(&config, key, *at / HOUR), *shard);
                    }
                }
            }
        }
    }
}
