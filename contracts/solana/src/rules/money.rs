//! Fees and sums.

use crate::errors::{Result, OVERFLOW};

pub fn add(a: u64, b: u64) -> Result<u64> {
    a.checked_add(b).ok_or(OVERFLOW)
}

/// One percent, rounded half up: nothing overflows.
pub fn one_percent(amount: u64) -> u64 {
    amount / 100 + amount % 100 / 50
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn one_percent_is_exact() {
        let mut random = Random::new(1);
        for amount in [0, 49, 50, 149, 150, u64::MAX].into_iter().chain((0..10_000).map(|_| random.amount())) {
            assert_eq!(u128::from(one_percent(amount)), (u128::from(amount) + 50) / 100);
        }
    }

    #[test]
    fn sums_do_not_wrap() {
        assert_eq!(add(u64::MAX, 1), Err(OVERFLOW));
        assert_eq!(add(1, 2), Ok(3));
    }
}
