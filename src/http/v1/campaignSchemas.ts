// Campaigns and grants as they cross at /v1 and in events.
import { z } from 'zod';
import { CAMPAIGN_PROBLEMS, GRANT_FAILURES, GRANT_STATUSES } from '../../domain/campaign.ts';
import { CHAIN_NAMES } from '../../domain/chains.ts';
import { keysOf } from '../keysOf.ts';
import { address, amount, hash, livemode, time } from './schemas.ts';

const chain = z.string().meta({ description: 'Network of the campaign.', enum: CHAIN_NAMES, example: 'base' });
const currency = z.string().meta({ description: 'Always USDC.', enum: ['USDC'] });
const count = (description: string) => z.number().int().meta({ description });
const campaignId = (description: string) => z.string().meta({ description, pattern: '^cgr_[0-9a-z]{26}$' });

export const campaign = z
  .strictObject({
    id: campaignId('The campaign’s ID.'),
    object: z.literal('campaign'),
    name: z.string().meta({ description: 'Shown to recipients.', example: 'Spring rewards' }),
    chain,
    currency,
    budget: amount('The most that all grants draw.'),
    spent: amount('Paid in final blocks.'),
    left: amount('Budget that no grant holds.'),
    most_per_grant: amount('The most of one grant.'),
    status: z.enum(['pending_create', 'active', 'expired', 'closed']).meta({
      description: '`pending_create`: waits for the sponsor’s transaction. `expired` and `closed` pay nothing more.',
    }),
    expires_at: time('Until when grants are paid.'),
    sponsor: address('Wallet that pays.'),
    recipients: z.number().int().nullable().meta({
      description: 'Places for grants that the campaign’s account has on Solana. Null on other networks.',
      example: null,
    }),
    grants: z
      .strictObject({
        total: count('All grants.'),
        queued: count('Not sent yet.'),
        waiting: count('Of `queued`: the recipient has no account yet.'),
        sent: count('In a transaction that is not final.'),
        paid: count('Paid in a final block.'),
        failed: count('Not paid; each says why.'),
        cancelled: count('Cancelled before they were sent.'),
      })
      .meta({ description: 'Number of grants by status.' }),
    problem: z
      .strictObject({ code: z.enum(keysOf(CAMPAIGN_PROBLEMS)), message: z.string() })
      .nullable()
      .meta({ description: 'Why no queued grant is sent now. Cure it, and they are.' }),
    closing: z.boolean().meta({ description: 'Whether it is being closed.' }),
    url: z.url().meta({ description: 'Page where the sponsor opens and closes the campaign.' }),
    txHash: hash('Hash of the transaction that opened it.').nullable(),
    livemode,
    created_at: time('When it was created here.'),
    opened_at: time('When it was opened on-chain.').nullable(),
    closed_at: time('When it was closed on-chain.').nullable(),
  })
  .meta({ id: 'Campaign', description: 'A budget from which many people are paid.' });

export const grant = z
  .strictObject({
    id: z.string().meta({ description: 'The grant’s ID.', pattern: '^grt_[0-9a-z]{26}$' }),
    object: z.literal('grant'),
    campaign: campaignId('ID of the campaign.'),
    key: z.string().meta({ description: 'Your key, unique within the campaign.', example: 'order-1042' }),
    recipient: z.string().meta({ description: 'Recipient as you wrote it.', example: '@alice' }),
    recipientHandle: z.string().nullable().meta({ description: 'Handle that is paid, if any.' }),
    address: address('Wallet that is paid; null until it is sent.').nullable(),
    amount: amount('Amount to pay.'),
    currency,
    chain,
    status: z.enum(GRANT_STATUSES).meta({ description: '`paid` once the payment is final.' }),
    waiting_for_account: z.boolean().meta({
      description:
        'Queued until the recipient connects an account or, on Solana, has a USDC account that Ampersat doesn’t pay for.',
    }),
    failure: z
      .strictObject({ code: z.enum(keysOf(GRANT_FAILURES)), message: z.string() })
      .nullable()
      .meta({ description: 'Why it was not paid, once it has failed.' }),
    note: z.string().nullable().meta({ description: 'Shown to the recipient.' }),
    txHash: hash('Hash of the transaction that paid it.').nullable(),
    explorer_url: z.string().nullable().meta({ description: 'The transaction in the network’s explorer.' }),
    livemode,
    created_at: time('When it was created.'),
    paid_at: time('When it was paid: the time of its block.').nullable(),
  })
  .meta({ id: 'Grant', description: 'One payment of a campaign.' });

export const addedGrants = z
  .strictObject({
    object: z.literal('grants'),
    campaign: campaignId('ID of the campaign.'),
    grants: z
      .array(grant)
      .meta({ description: 'The grants of the request that are in the campaign now, in the order of the request.' }),
    existing: z
      .array(z.string())
      .meta({ description: 'Keys of those grants that were there before; they are not queued again.' }),
    rejected: z
      .array(
        z.strictObject({
          index: z.number().int().meta({ description: 'Position in the request, from 0.' }),
          key: z.string().meta({ description: 'Its key.' }),
          code: z.string().meta({ description: 'Why it was rejected.', example: 'grant_too_large' }),
          message: z.string().meta({ description: 'The same in a sentence.' }),
        }),
      )
      .meta({ description: 'Grants that were not queued.' }),
  })
  .meta({ id: 'AddedGrants', description: 'The outcome of each grant of a request.' });
