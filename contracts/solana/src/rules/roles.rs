//! Who may do what, when a change of a role is in force, and the pause.

use crate::errors::*;
use crate::state::{Config, Executor, Key, MOST_EXECUTORS, ZERO};

const DAY: u64 = 86_400;
pub const EXECUTOR_DELAY: u64 = DAY;
pub const TREASURY_DELAY: u64 = 2 * DAY;
pub const AUTHORITY_DELAY: u64 = 7 * DAY;
const MOST_PAUSE: u64 = 3 * DAY;

pub fn require_owner(config: &Config, signer: &Key) -> Result<()> {
    if config.owner == *signer { Ok(()) } else { Err(NOT_OWNER) }
}

pub fn is_executor(config: &Config, key: &Key, now: u64) -> bool {
    config.executors.iter().any(|one| one.active_from != 0 && one.active_from <= now && one.key == *key)
}

pub fn require_executor(config: &Config, key: &Key, now: u64) -> Result<()> {
    if is_executor(config, key, now) { Ok(()) } else { Err(NOT_EXECUTOR) }
}

pub fn require_running(config: &Config, now: u64) -> Result<()> {
    if now < config.paused_until { Err(PAUSED) } else { Ok(()) }
}

/// Whether a key has a role, is to have one, or is the zero key. No such key gets another role.
fn is_taken(config: &Config, key: &Key) -> bool {
    let single = [
        &ZERO,
        &config.owner,
        &config.proposed_owner,
        &config.guardian,
        &config.authority,
        &config.next_authority,
        &config.treasury,
        &config.next_treasury,
    ];
    single.contains(&key) || config.executors.iter().any(|one| one.active_from != 0 && one.key == *key)
}

fn require_free(config: &Config, key: &Key) -> Result<()> {
    if is_taken(config, key) { Err(ROLES_NOT_DISTINCT) } else { Ok(()) }
}

/// The roles of the beginning; the executors are in force at once.
pub fn begin(config: &mut Config, roles: &[&Key; 4], executors: &[u8], now: u64) -> Result<()> {
    if executors.len() % 32 != 0 || executors.len() / 32 > MOST_EXECUTORS {
        return Err(TOO_MANY_EXECUTORS);
    }
    require_free(config, roles[0])?;
    config.owner = *roles[0];
    require_free(config, roles[1])?;
    config.guardian = *roles[1];
    require_free(config, roles[2])?;
    config.authority = *roles[2];
    require_free(config, roles[3])?;
    config.treasury = *roles[3];
    for bytes in executors.chunks_exact(32) {
        let mut key = ZERO;
        key.copy_from_slice(bytes);
        put_executor(config, &key, now)?;
    }
    Ok(())
}

/// Zeros withdraw the proposal.
pub fn propose_owner(config: &mut Config, next: &Key) -> Result<()> {
    if *next != ZERO {
        require_free(config, next)?;
    }
    config.proposed_owner = *next;
    Ok(())
}

pub fn accept_owner(config: &mut Config, signer: &Key) -> Result<()> {
    if config.proposed_owner == ZERO || config.proposed_owner != *signer {
        return Err(NOT_PROPOSED);
    }
    config.owner = *signer;
    config.proposed_owner = ZERO;
    Ok(())
}

pub fn set_guardian(config: &mut Config, next: &Key) -> Result<()> {
    require_free(config, next)?;
    config.guardian = *next;
    Ok(())
}

/// @returns the second from which it may act.
pub fn add_executor(config: &mut Config, key: &Key, now: u64) -> Result<u64> {
    put_executor(config, key, now + EXECUTOR_DELAY)?;
    Ok(now + EXECUTOR_DELAY)
}

fn put_executor(config: &mut Config, key: &Key, active_from: u64) -> Result<()> {
    require_free(config, key)?;
    for one in &mut config.executors {
        if one.active_from == 0 {
            *one = Executor { key: *key, active_from: active_from.max(1) };
            return Ok(());
        }
    }
    Err(TOO_MANY_EXECUTORS)
}

pub fn remove_executor(config: &mut Config, key: &Key) -> Result<()> {
    for one in &mut config.executors {
        if one.active_from != 0 && one.key == *key {
            *one = Executor { key: ZERO, active_from: 0 };
            return Ok(());
        }
    }
    Err(UNKNOWN_EXECUTOR)
}

/// @returns the second from which it may be applied; 0 for a withdrawal.
pub fn announce_authority(config: &mut Config, next: &Key, now: u64) -> Result<u64> {
    config.next_authority_at = announce(config, next, now + AUTHORITY_DELAY)?;
    config.next_authority = *next;
    Ok(config.next_authority_at)
}

pub fn apply_authority(config: &mut Config, now: u64) -> Result<()> {
    require_due(&config.next_authority, config.next_authority_at, now)?;
    config.authority = config.next_authority;
    config.authority_changed_at = now;
    config.next_authority = ZERO;
    config.next_authority_at = 0;
    Ok(())
}

/// As `announce_authority`.
pub fn announce_treasury(config: &mut Config, next: &Key, now: u64) -> Result<u64> {
    config.next_treasury_at = announce(config, next, now + TREASURY_DELAY)?;
    config.next_treasury = *next;
    Ok(config.next_treasury_at)
}

pub fn apply_treasury(config: &mut Config, now: u64) -> Result<()> {
    require_due(&config.next_treasury, config.next_treasury_at, now)?;
    config.treasury = config.next_treasury;
    config.next_treasury = ZERO;
    config.next_treasury_at = 0;
    Ok(())
}

fn announce(config: &Config, next: &Key, at: u64) -> Result<u64> {
    if *next == ZERO {
        return Ok(0);
    }
    require_free(config, next)?;
    Ok(at)
}

fn require_due(next: &Key, at: u64, now: u64) -> Result<()> {
    if *next == ZERO {
        return Err(NOTHING_ANNOUNCED);
    }
    if now < at { Err(TOO_EARLY) } else { Ok(()) }
}

/// @returns the second at which it ends.
pub fn pause(config: &mut Config, signer: &Key, seconds: u64, now: u64) -> Result<u64> {
    if *signer != config.guardian && *signer != config.owner {
        return Err(NOT_GUARDIAN);
    }
    if seconds == 0 || seconds > MOST_PAUSE {
        return Err(INVALID_PAUSE);
    }
    if now < config.paused_until + (config.paused_until - config.paused_from) {
        return Err(PAUSE_TOO_SOON);
    }
    config.paused_from = now;
    config.paused_until = now + seconds;
    Ok(config.paused_until)
}

/// A pause that is over keeps the length that it had.
pub fn unpause(config: &mut Config, now: u64) {
    if now < config.paused_until {
        config.paused_until = now;
    }
}

/// Whether the sender of a tab that was opened then may refund it because the authority changes, or has changed.
pub fn is_under_another_authority(config: &Config, opened_at: u64) -> bool {
    config.next_authority != ZERO || opened_at <= config.authority_changed_at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{cases, config, Random};

    fn roles(config: &Config) -> Vec<Key> {
        let mut all = vec![
            config.owner,
            config.proposed_owner,
            config.guardian,
            config.authority,
            config.next_authority,
            config.treasury,
            config.next_treasury,
        ];
        all.extend(config.executors.iter().filter(|one| one.active_from != 0).map(|one| one.key));
        all.retain(|key| *key != ZERO);
        all
    }

    #[test]
    fn roles_stay_distinct_and_delays_hold() {
        let mut random = Random::new(7);
        for _ in 0..cases(300) {
            let mut config = config();
            let mut now = 1_800_000_000;
            let mut announced: (u64, u64) = (0, 0);
            for _ in 0..60 {
                now += random.below(2 * DAY);
                let key = Key([random.below(24) as u8; 32]);
                let before = config.clone();
                match random.below(9) {
                    0 => drop(propose_owner(&mut config, &key)),
                    1 => drop(accept_owner(&mut config, &key)),
                    2 => drop(set_guardian(&mut config, &key)),
                    3 => {
                        if let Ok(from) = add_executor(&mut config, &key, now) {
                            assert!(!is_executor(&config, &key, now) && !is_executor(&config, &key, from - 1));
                            assert!(is_executor(&config, &key, from) && from == now + DAY);
                        }
                    }
                    4 => {
                        let removed = remove_executor(&mut config, &key);
                        assert!(!is_executor(&config, &key, u64::MAX));
                        assert_eq!(removed.is_ok(), roles(&config).len() < roles(&before).len());
                    }
                    5 => {
                        if announce_authority(&mut config, &key, now).is_ok() {
                            announced.0 = now;
                        }
                    }
                    6 => match apply_authority(&mut config, now) {
                        Ok(()) => assert!(now >= announced.0 + 7 * DAY && config.authority == before.next_authority),
                        Err(_) => assert!(config.authority == before.authority),
                    },
                    7 => {
                        if announce_treasury(&mut config, &key, now).is_ok() {
                            announced.1 = now;
                        }
                    }
                    _ => match apply_treasury(&mut config, now) {
                        Ok(()) => assert!(now >= announced.1 + 2 * DAY && config.treasury == before.next_treasury),
                        Err(_) => assert!(config.treasury == before.treasury),
                    },
                }
                let all = roles(&config);
                for (at, key) in all.iter().enumerate() {
                    assert!(!all[at + 1..].contains(key), "two roles of one key");
                }
            }
        }
    }

    #[test]
    fn at_most_half_of_the_time_is_paused() {
        let mut random = Random::new(8);
        for _ in 0..cases(200) {
            let mut config = config();
            let (mut now, mut paused_until, mut earliest) = (1_800_000_000, 0, 0);
            for _ in 0..50 {
                now += random.below(2 * DAY);
                let seconds = random.below(4 * DAY);
                match pause(&mut config, &Key([2; 32]), seconds, now) {
                    Ok(until) => {
                        assert!(now >= earliest && until - now <= 3 * DAY && seconds > 0);
                        (paused_until, earliest) = (until, until + seconds);
                    }
                    Err(error) => assert!(error == INVALID_PAUSE || now < earliest),
                }
                assert_eq!(require_running(&config, now).is_err(), now < paused_until);
                assert_eq!(require_running(&config, paused_until), Ok(()));
            }
        }
    }

    #[test]
    fn the_owner_ends_a_pause() {
        let mut config = config();
        assert_eq!(pause(&mut config, &Key([9; 32]), 60, 100), Err(NOT_GUARDIAN));
        assert_eq!(pause(&mut config, &Key([1; 32]), 60, 100), Ok(160));
        unpause(&mut config, 130);
        assert_eq!(require_running(&config, 130), Ok(()));
        assert_eq!(pause(&mut config, &Key([2; 32]), 60, 159), Err(PAUSE_TOO_SOON));
        assert_eq!(pause(&mut config, &Key([2; 32]), 60, 160), Ok(220));
    }

    #[test]
    fn the_beginning_needs_distinct_roles() {
        let mut empty = config();
        for key in [&mut empty.owner, &mut empty.guardian, &mut empty.authority, &mut empty.treasury] {
            *key = ZERO;
        }
        empty.executors = Default::default();
        let keys: Vec<Key> = (1..=4).map(|byte| Key([byte; 32])).collect();
        let four = [&keys[0], &keys[1], &keys[2], &keys[3]];
        let mut same = empty.clone();
        assert_eq!(begin(&mut same, &[&keys[0], &keys[1], &keys[0], &keys[3]], &[], 1), Err(ROLES_NOT_DISTINCT));
        assert_eq!(begin(&mut empty.clone(), &four, &Key([1; 32]), 1), Err(ROLES_NOT_DISTINCT));
        assert_eq!(begin(&mut empty.clone(), &[&ZERO, &keys[1], &keys[2], &keys[3]], &[], 1), Err(ROLES_NOT_DISTINCT));
        assert_eq!(begin(&mut empty.clone(), &four, &[9; 9 * 32], 1), Err(TOO_MANY_EXECUTORS));
        let mut fine = empty;
        assert_eq!(begin(&mut fine, &four, &Key([9; 32]), 1_800_000_000), Ok(()));
        assert!(is_executor(&fine, &Key([9; 32]), 1_800_000_000));
    }
}
