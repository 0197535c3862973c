//! Campaigns: what a grant may be, and the bitmap of recipients that have theirs.

use crate::errors::*;
use crate::rules::money::add;
use crate::state::Campaign;

pub const MOST_RECIPIENTS: u32 = 65_536;

pub fn bitmap_size(recipients: u32) -> usize {
    (recipients as usize + 7) / 8
}

/// Counts a grant against its campaign.
pub fn book(campaign: &mut Campaign, amount: u64, fee: u64) -> Result<()> {
    if amount == 0 {
        return Err(ZERO_AMOUNT);
    }
    if amount > campaign.most_per_grant {
        return Err(GRANT_TOO_LARGE);
    }
    if fee > campaign.max_fee {
        return Err(LIMIT_FEE);
    }
    let spent = add(campaign.spent, add(amount, fee)?)?;
    if spent > campaign.total {
        return Err(CAMPAIGN_EXHAUSTED);
    }
    campaign.spent = spent;
    Ok(())
}

/// Uses a recipient up.
pub fn mark(bitmap: &mut [u8], recipients: u32, index: u32) -> Result<()> {
    if index >= recipients {
        return Err(UNKNOWN_RECIPIENT);
    }
    let bit = 1 << (index % 8);
    match bitmap.get_mut((index / 8) as usize) {
        None => Err(UNKNOWN_RECIPIENT),
        Some(byte) if *byte & bit != 0 => Err(ALREADY_GRANTED),
        Some(byte) => {
            *byte |= bit;
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{cases, Random};
    use crate::state::ZERO;
    use std::collections::HashSet;

    #[test]
    fn each_recipient_once_and_never_more_than_the_total() {
        let mut random = Random::new(12);
        for _ in 0..cases(200) {
            let recipients = 1 + random.below(100) as u32;
            let mut campaign = Campaign {
                kind: 8,
                bump: 255,
                asset: 0,
                closed: 0,
                recipients,
                id: ZERO,
                sponsor: ZERO,
                limits: ZERO,
                rent_to: ZERO,
                total: random.amount(),
                spent: 0,
                most_per_grant: random.amount(),
                max_fee: random.amount(),
                expiry: 0,
                reserved_end: [0; 40],
            };
            let mut bitmap = vec![0; bitmap_size(recipients)];
            let (mut granted, mut sum) = (HashSet::new(), 0u128);
            for _ in 0..300 {
                let index = random.below(u64::from(recipients) + 3) as u32;
                match mark(&mut bitmap, recipients, index) {
                    Ok(()) => assert!(index < recipients && granted.insert(index)),
                    Err(ALREADY_GRANTED) => assert!(granted.contains(&index)),
                    Err(_) => assert!(index >= recipients),
                }
                let (amount, fee) = (random.amount(), random.amount());
                if book(&mut campaign, amount, fee).is_ok() {
                    sum += u128::from(amount) + u128::from(fee);
                    assert!(amount <= campaign.most_per_grant && fee <= campaign.max_fee);
                }
                assert!(sum == u128::from(campaign.spent) && campaign.spent <= campaign.total);
            }
        }
        assert_eq!(bitmap_size(MOST_RECIPIENTS), 8_192);
    }
}
