//! An owner's limits. Time is cut into slices of 6 hours; the current one and the four before it count. The oldest of them began at least 24 hours
//! before now, so every window of 24 hours that ends with a draw lies within the slices that the draw was checked against.

use crate::errors::*;
use crate::rules::money::add;
use crate::state::{AssetLimits, SLICES};

pub const SLICE_SECONDS: u64 = 21_600;

/// Moves the slices to the present.
pub fn roll(limits: &mut AssetLimits, now: u64) {
    let newest = now / SLICE_SECONDS;
    // The chain's clock does not go back.
    let by = newest.saturating_sub(limits.newest);
    if by == 0 {
        return;
    }
    let by = if by > SLICES as u64 { SLICES } else { by as usize };
    let mut at = SLICES;
    while at > 0 {
        at -= 1;
        limits.slices[at] = if at >= by { limits.slices[at - by] } else { 0 };
    }
    limits.newest = newest;
}

/// What counts against the limit of 24 hours after `roll`.
pub fn spent(limits: &AssetLimits) -> Result<u64> {
    let mut sum = 0;
    for slice in &limits.slices {
        sum = add(sum, *slice)?;
    }
    Ok(sum)
}

/// Counts a draw of `amount` and `fee`.
pub fn charge(limits: &mut AssetLimits, amount: u64, fee: u64, now: u64) -> Result<()> {
    if amount == 0 {
        return Err(ZERO_AMOUNT);
    }
    let total = add(amount, fee)?;
    if total > limits.per_tip {
        return Err(LIMIT_PER_TIP);
    }
    if fee > limits.max_fee {
        return Err(LIMIT_FEE);
    }
    roll(limits, now);
    if add(spent(limits)?, total)? > limits.per_day {
        return Err(LIMIT_PER_DAY);
    }
    // Not above `per_day`, as the sum of all slices is.
    limits.slices[0] += total;
    Ok(())
}

/// Sets the limits; what was spent stays counted.
pub fn set(limits: &mut AssetLimits, to: &[u64; 3], now: u64) {
    roll(limits, now);
    limits.per_tip = to[0];
    limits.per_day = to[1];
    limits.max_fee = to[2];
}

/// An executor's part: nothing rises.
pub fn lower(limits: &mut AssetLimits, to: &[u64; 3], now: u64) -> Result<()> {
    if to[0] > limits.per_tip || to[1] > limits.per_day || to[2] > limits.max_fee {
        return Err(LIMIT_RAISED);
    }
    set(limits, to, now);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{cases, Random};

    const DAY: u64 = 86_400;

    #[test]
    fn no_window_of_24_hours_exceeds_the_limit() {
        let mut random = Random::new(2);
        for _ in 0..cases(200) {
            let mut limits = AssetLimits::default();
            let mut now = 1_800_000_000 + random.below(DAY);
            let per_day = 1 + random.below(1_000);
            set(&mut limits, &[per_day, per_day, per_day], now);
            let mut draws: Vec<(u64, u64)> = Vec::new();
            for _ in 0..300 {
                now += [0, 1, 600, 21_599, 21_600, 21_601, DAY - 1, DAY, DAY + 1][random.below(9) as usize] / (1 + random.below(4));
                let (amount, fee) = (1 + random.below(per_day), random.below(3));
                let before = limits;
                match charge(&mut limits, amount, fee, now) {
                    Ok(()) => draws.push((now, amount + fee)),
                    Err(_) => {
                        // Refused draws change nothing that counts, and are not refused for what is older than 30 hours.
                        let recent: u64 = draws.iter().filter(|(at, _)| *at + DAY + SLICE_SECONDS >= now).map(|(_, n)| n).sum();
                        assert!(recent + amount + fee > per_day || amount + fee > before.per_tip);
                    }
                }
                let window: u64 = draws.iter().filter(|(at, _)| *at + DAY >= now).map(|(_, sum)| sum).sum();
                assert!(window <= per_day, "{window} within 24 hours, allowed {per_day}");
            }
        }
    }

    #[test]
    fn nothing_is_allowed_at_first() {
        let mut limits = AssetLimits::default();
        assert_eq!(charge(&mut limits, 1, 0, 1_800_000_000), Err(LIMIT_PER_TIP));
    }

    #[test]
    fn each_limit_has_its_error() {
        let mut limits = AssetLimits::default();
        set(&mut limits, &[100, 150, 5], 1_800_000_000);
        assert_eq!(charge(&mut limits, 0, 0, 1_800_000_000), Err(ZERO_AMOUNT));
        assert_eq!(charge(&mut limits, 100, 1, 1_800_000_000), Err(LIMIT_PER_TIP));
        assert_eq!(charge(&mut limits, 10, 6, 1_800_000_000), Err(LIMIT_FEE));
        assert_eq!(charge(&mut limits, u64::MAX, 1, 1_800_000_000), Err(OVERFLOW));
        assert_eq!(charge(&mut limits, 95, 5, 1_800_000_000), Ok(()));
        assert_eq!(charge(&mut limits, 51, 0, 1_800_000_000), Err(LIMIT_PER_DAY));
        assert_eq!(charge(&mut limits, 50, 0, 1_800_000_000), Ok(()));
        assert_eq!(lower(&mut limits, &[101, 150, 5], 1_800_000_000), Err(LIMIT_RAISED));
        assert_eq!(lower(&mut limits, &[1, 150, 5], 1_800_000_000), Ok(()));
        assert_eq!(spent(&limits), Ok(150));
    }

    #[test]
    fn a_far_jump_forgets_everything() {
        let mut limits = AssetLimits::default();
        set(&mut limits, &[10, 10, 0], 0);
        charge(&mut limits, 10, 0, 0).unwrap();
        roll(&mut limits, u64::MAX);
        assert_eq!(spent(&limits), Ok(0));
    }
}
