//! Subscriptions: at most one charge per elapsed period, half a period apart, never for a period that was missed.

use crate::errors::*;
use crate::state::{Key, Subscription, SUBSCRIPTION_ACTIVE, SUBSCRIPTION_CANCELLED, SUBSCRIPTION_HALTED};

const LEAST_PERIOD: u32 = 3_600;
const MOST_PERIOD: u32 = 366 * 86_400;
const LAPSES_AFTER_PERIODS: u64 = 3;

pub fn check_period(period: u32) -> Result<()> {
    if period < LEAST_PERIOD || period > MOST_PERIOD { Err(INVALID_PERIOD) } else { Ok(()) }
}

/// Rounded up.
pub fn half(period: u32) -> u64 {
    (u64::from(period) + 1) / 2
}

/// What is unpaid for three periods counts as halted.
pub fn state_of(subscription: &Subscription, now: u64) -> u8 {
    let lapses_at = subscription.next_charge_at + LAPSES_AFTER_PERIODS * u64::from(subscription.period);
    if subscription.state == SUBSCRIPTION_ACTIVE && now >= lapses_at { SUBSCRIPTION_HALTED } else { subscription.state }
}

/// Starts a subscription, which is charged at once. A `last_charged_at` of 0 is a new one.
pub fn start(subscription: &mut Subscription, period: u32, now: u64) -> Result<()> {
    if state_of(subscription, now) == SUBSCRIPTION_ACTIVE {
        return Err(ALREADY_SUBSCRIBED);
    }
    if subscription.last_charged_at != 0 && now < subscription.last_charged_at + half(period) {
        return Err(TOO_SOON);
    }
    subscription.state = SUBSCRIPTION_ACTIVE;
    subscription.period = period;
    subscription.charges = 1;
    subscription.started_at = now;
    subscription.last_charged_at = now;
    subscription.next_charge_at = now + u64::from(period);
    Ok(())
}

pub fn charge(subscription: &mut Subscription, now: u64) -> Result<()> {
    if state_of(subscription, now) != SUBSCRIPTION_ACTIVE {
        return Err(NOT_ACTIVE);
    }
    if now < subscription.next_charge_at {
        return Err(TOO_SOON);
    }
    let period = u64::from(subscription.period);
    // The start has passed, and neither time is later than a period from now.
    let multiple = subscription.started_at + ((now - subscription.started_at) / period + 1) * period;
    let earliest = now + half(subscription.period);
    subscription.next_charge_at = if multiple > earliest { multiple } else { earliest };
    subscription.last_charged_at = now;
    subscription.charges += 1;
    Ok(())
}

/// What was halted can be cancelled too.
pub fn cancel(subscription: &mut Subscription, by: &Key) -> Result<()> {
    if *by != subscription.subscriber && *by != subscription.creator {
        return Err(NOT_SUBSCRIBER_OR_CREATOR);
    }
    if subscription.state != SUBSCRIPTION_ACTIVE && subscription.state != SUBSCRIPTION_HALTED {
        return Err(NOT_ACTIVE);
    }
    subscription.state = SUBSCRIPTION_CANCELLED;
    Ok(())
}

pub fn halt(subscription: &mut Subscription, now: u64) -> Result<()> {
    if state_of(subscription, now) != SUBSCRIPTION_ACTIVE {
        return Err(NOT_ACTIVE);
    }
    subscription.state = SUBSCRIPTION_HALTED;
    Ok(())
}

/// Whether closing the account forgets nothing that still counts.
pub fn is_closable(subscription: &Subscription, now: u64) -> bool {
    state_of(subscription, now) != SUBSCRIPTION_ACTIVE
        && now >= subscription.last_charged_at + half(subscription.period)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{cases, Random};
    use crate::state::ZERO;

    fn empty() -> Subscription {
        Subscription {
            kind: 7,
            bump: 255,
            state: 0,
            reserved: 0,
            period: 0,
            charges: 0,
            started_at: 0,
            last_charged_at: 0,
            next_charge_at: 0,
            plan: ZERO,
            subscriber: Key([1; 32]),
            creator: Key([2; 32]),
            rent_to: ZERO,
            reserved_end: [0; 8],
        }
    }

    #[test]
    fn charges_are_half_a_period_apart_and_at_most_one_for_each_period() {
        let mut random = Random::new(11);
        for _ in 0..cases(300) {
            let period = LEAST_PERIOD + random.below(90_000) as u32;
            let mut subscription = empty();
            let mut now = 1_800_000_000;
            let mut charged: Vec<u64> = Vec::new();
            let mut started_at = 0;
            for _ in 0..200 {
                now += random.below(u64::from(period) * 3 / 2);
                if random.below(80) == 0 {
                    now += 4 * u64::from(period);
                }
                let before = subscription.clone();
                let (done, began) = match random.below(10) {
                    0 => (start(&mut subscription, period, now).is_ok(), true),
                    1 => (cancel(&mut subscription, &Key([1 + random.below(3) as u8; 32])).is_err() && false, false),
                    2 => (halt(&mut subscription, now).is_err() && false, false),
                    3 if is_closable(&subscription, now) => {
                        subscription = empty();
                        (false, false)
                    }
                    _ => (charge(&mut subscription, now).is_ok(), false),
                };
                if !done {
                    continue;
                }
                if began {
                    assert_ne!(state_of(&before, now), SUBSCRIPTION_ACTIVE);
                    started_at = now;
                } else {
                    assert_eq!(state_of(&before, now), SUBSCRIPTION_ACTIVE);
                    let periods = (now - started_at) / u64::from(period) + 1;
                    assert!(subscription.charges <= periods, "{} charges in {periods} periods", subscription.charges);
                }
                if let Some(last) = charged.last() {
                    assert!(now - last >= half(period), "two charges {} s apart, period {period}", now - last);
                }
                assert!(subscription.next_charge_at > now && subscription.next_charge_at <= now + u64::from(period));
                charged.push(now);
            }
        }
    }

    #[test]
    fn what_is_unpaid_for_three_periods_is_halted() {
        let mut subscription = empty();
        start(&mut subscription, 3_600, 1_000_000).unwrap();
        let lapses = 1_000_000 + 4 * 3_600;
        assert_eq!(state_of(&subscription, lapses - 1), SUBSCRIPTION_ACTIVE);
        assert_eq!(charge(&mut subscription, lapses), Err(NOT_ACTIVE));
        assert_eq!(halt(&mut subscription, lapses), Err(NOT_ACTIVE));
        assert_eq!(cancel(&mut subscription, &Key([3; 32])), Err(NOT_SUBSCRIBER_OR_CREATOR));
        assert_eq!(cancel(&mut subscription, &Key([2; 32])), Ok(()));
        assert_eq!(cancel(&mut subscription, &Key([1; 32])), Err(NOT_ACTIVE));
        assert_eq!(start(&mut subscription, 3_600, lapses), Ok(()));
        assert_eq!(start(&mut subscription, 3_600, lapses), Err(ALREADY_SUBSCRIBED));
        assert_eq!(charge(&mut subscription, lapses + 3_599), Err(TOO_SOON));
        assert_eq!(charge(&mut subscription, lapses + 3_600), Ok(()));
    }

    #[test]
    fn periods() {
        assert_eq!(check_period(3_599), Err(INVALID_PERIOD));
        assert_eq!(check_period(3_600), Ok(()));
        assert_eq!(check_period(MOST_PERIOD), Ok(()));
        assert_eq!(check_period(MOST_PERIOD + 1), Err(INVALID_PERIOD));
    }
}
