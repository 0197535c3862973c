//! Tabs: their deadlines, when they are refundable, how long an attestation may be, and the nonces of those that a wallet opens itself.

use crate::errors::*;
use crate::rules::roles::is_under_another_authority;
use crate::state::{Config, Key, Tab};

const LEAST_TIME: u64 = 3_600;
const MOST_TIME: u64 = 90 * 86_400;
const MOST_ATTESTATION: u64 = 600;
const NONCE_BITS: u32 = 20;
const NONCE_AHEAD: u64 = 3_600;
/// A wallet signs its nonce before its transaction lands.
const NONCE_BEHIND: u64 = 3_600;

pub fn check_deadline(deadline: u64, now: u64) -> Result<()> {
    if deadline < now + LEAST_TIME || deadline > now + MOST_TIME { Err(INVALID_DEADLINE) } else { Ok(()) }
}

pub fn check_attestation(not_after: u64, now: u64) -> Result<()> {
    if now > not_after {
        return Err(EXPIRED);
    }
    if not_after - now > MOST_ATTESTATION { Err(ATTESTATION_TOO_LONG) } else { Ok(()) }
}

pub fn check_refundable(config: &Config, tab: &Tab, caller: &Key, now: u64) -> Result<()> {
    if now >= tab.deadline {
        return Ok(());
    }
    let early = tab.revocable != 0 || is_under_another_authority(config, tab.opened_at);
    if early && tab.sender == *caller { Ok(()) } else { Err(NOT_REFUNDABLE) }
}

/// The nonce of a new limits account, below that of its first tab: no account before it was closed with a higher one.
pub fn first_nonce(now: u64) -> u64 {
    now.saturating_sub(NONCE_BEHIND) << NONCE_BITS
}

pub fn check_nonce(nonce: u64, last: u64, now: u64) -> Result<()> {
    if nonce <= last || nonce >= (now + NONCE_AHEAD) << NONCE_BITS { Err(INVALID_NONCE) } else { Ok(()) }
}

/// Whether every nonce used so far lies below `first_nonce`.
pub fn is_nonce_over(last: u64, now: u64) -> bool {
    last <= first_nonce(now)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{cases, config, Random};
    use crate::state::ZERO;
    use std::collections::HashSet;

    #[test]
    fn a_nonce_is_used_once_also_by_an_account_that_was_closed_and_opened() {
        let mut random = Random::new(9);
        for _ in 0..cases(300) {
            let mut now = 1_800_000_000;
            let mut last = first_nonce(now);
            let mut used = HashSet::new();
            for _ in 0..200 {
                now += if random.below(10) == 0 { random.below(2 * NONCE_BEHIND) } else { random.below(3) };
                if random.below(5) == 0 && is_nonce_over(last, now) {
                    last = first_nonce(now);
                }
                let nonce = (now << 20).wrapping_add(random.below(8 << 20)).wrapping_sub(2 << 20);
                if check_nonce(nonce, last, now).is_ok() {
                    assert!(used.insert(nonce));
                    last = nonce;
                }
            }
            assert!(used.len() > 10);
        }
    }

    #[test]
    fn the_first_nonce_of_a_wallet_may_be_as_old_as_its_signature() {
        let now = 1_800_000_000;
        assert_eq!(check_nonce(((now - 90) << 20) + 7, first_nonce(now), now), Ok(()));
        assert_eq!(check_nonce((now - 3_600) << 20, first_nonce(now), now), Err(INVALID_NONCE));
        assert!(!is_nonce_over((now << 20) + 7, now + 3_600) && is_nonce_over((now << 20) + 7, now + 3_601));
    }

    #[test]
    fn edges() {
        let now = 1_800_000_000;
        assert_eq!(check_deadline(now + 3_599, now), Err(INVALID_DEADLINE));
        assert_eq!(check_deadline(now + 3_600, now), Ok(()));
        assert_eq!(check_deadline(now + 90 * 86_400, now), Ok(()));
        assert_eq!(check_deadline(now + 90 * 86_400 + 1, now), Err(INVALID_DEADLINE));
        assert_eq!(check_attestation(now - 1, now), Err(EXPIRED));
        assert_eq!(check_attestation(now, now), Ok(()));
        assert_eq!(check_attestation(now + 600, now), Ok(()));
        assert_eq!(check_attestation(now + 601, now), Err(ATTESTATION_TOO_LONG));
        assert_eq!(check_nonce(5, 5, now), Err(INVALID_NONCE));
        assert_eq!(check_nonce((now + 3_600) << 20, 5, now), Err(INVALID_NONCE));
        assert_eq!(check_nonce(((now + 3_600) << 20) - 1, 5, now), Ok(()));
    }

    #[test]
    fn who_may_refund() {
        let mut config = config();
        let mut tab = Tab {
            kind: 4,
            bump: 255,
            asset: 0,
            revocable: 1,
            reserved: [0; 4],
            id: ZERO,
            sender: Key([50; 32]),
            handle_key: ZERO,
            rent_to: ZERO,
            amount: 1,
            deadline: 2_000,
            opened_at: 1_000,
        };
        let (sender, other) = (Key([50; 32]), Key([51; 32]));
        assert_eq!(check_refundable(&config, &tab, &other, 2_000), Ok(()));
        assert_eq!(check_refundable(&config, &tab, &other, 1_999), Err(NOT_REFUNDABLE));
        assert_eq!(check_refundable(&config, &tab, &sender, 1_001), Ok(()));
        tab.revocable = 0;
        assert_eq!(check_refundable(&config, &tab, &sender, 1_999), Err(NOT_REFUNDABLE));
        config.next_authority = Key([60; 32]);
        assert_eq!(check_refundable(&config, &tab, &sender, 1_999), Ok(()));
        assert_eq!(check_refundable(&config, &tab, &other, 1_999), Err(NOT_REFUNDABLE));
        config.next_authority = ZERO;
        config.authority_changed_at = 1_000;
        assert_eq!(check_refundable(&config, &tab, &sender, 1_999), Ok(()));
        config.authority_changed_at = 999;
        assert_eq!(check_refundable(&config, &tab, &sender, 1_999), Err(NOT_REFUNDABLE));
    }
}
