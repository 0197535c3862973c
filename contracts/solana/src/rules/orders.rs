//! Orders: their fee, their refunds, when a deposit covers them, and when their account may be closed.

use crate::errors::*;
use crate::rules::money::{add, one_percent};

const REFUNDABLE_FOR: u64 = 90 * 86_400;
const MOST_AHEAD: u64 = 366 * 86_400;

/// Terms that never end would keep their rent for ever.
pub fn check_end(end: u64, now: u64) -> Result<()> {
    if end.saturating_sub(now) > MOST_AHEAD { Err(INVALID_DEADLINE) } else { Ok(()) }
}

pub fn fee_of(business: bool, amount: u64) -> u64 {
    if business { one_percent(amount) } else { 0 }
}

/// @returns what was refunded in all.
pub fn refund(refunded: u64, amount: u64, paid: u64) -> Result<u64> {
    if amount == 0 {
        return Err(ZERO_AMOUNT);
    }
    let total = add(refunded, amount)?;
    if total > paid { Err(REFUND_TOO_LARGE) } else { Ok(total) }
}

/// Whether a deposit would settle its order now.
pub fn is_covered(settled: bool, balance: u64, amount: u64, in_time: bool) -> bool {
    !settled && in_time && balance >= amount
}

pub fn is_closable(deadline: u64, now: u64) -> bool {
    now.saturating_sub(deadline) > REFUNDABLE_FOR
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{cases, Random};

    #[test]
    fn refunds_never_exceed_what_was_paid() {
        let mut random = Random::new(10);
        for _ in 0..cases(1_000) {
            let paid = random.amount();
            let mut refunded = 0;
            let mut sum: u128 = 0;
            for _ in 0..20 {
                let amount = random.amount();
                if let Ok(total) = refund(refunded, amount, paid) {
                    refunded = total;
                    sum += u128::from(amount);
                }
            }
            assert!(sum == u128::from(refunded) && sum <= u128::from(paid));
        }
        assert_eq!(refund(0, 0, 5), Err(ZERO_AMOUNT));
        assert_eq!(refund(3, 3, 5), Err(REFUND_TOO_LARGE));
    }

    #[test]
    fn only_business_orders_have_a_fee_and_it_stays_below_the_amount() {
        for amount in [1, 49, 50, 99, 100, u64::MAX] {
            assert_eq!(fee_of(false, amount), 0);
            assert!(fee_of(true, amount) < amount);
        }
    }

    #[test]
    fn an_order_that_can_be_closed_cannot_be_paid() {
        assert!(!is_closable(1_000, 1_000 + 90 * 86_400));
        assert!(is_closable(1_000, 1_001 + 90 * 86_400));
        assert!(!is_closable(u64::MAX, u64::MAX));
    }
}
