// Plans, subscriptions and charges as they cross at /v1 and in events.
import { z } from 'zod';
import { CHAINS } from '../../domain/chains.ts';
import { address, amount, hash, livemode, time, txHash } from './schemas.ts';

const PLAN_CHAINS = Object.values(CHAINS).map(({ name }) => name);
const chain = z.string().meta({ description: 'Network of the plan.', enum: PLAN_CHAINS, example: 'base' });
const currency = z.string().meta({ description: 'Always USDC.', enum: ['USDC'] });
const planKey = hash('Key of the plan at the subscription router, or the program on Solana.');
const period = z.number().int().meta({ description: 'Seconds between two charges.', example: 2_592_000 });
const creator = address('Wallet that is paid.');
const creatorHandle = z.string().nullable().meta({ description: 'Handle of the creator.', example: 'shop' });
const millis = (description: string) =>
  z
    .number()
    .int()
    .meta({ description: `${description} Unix milliseconds.`, example: 1_795_341_600_000 });

export const PLAN_STATUSES = ['pending_create', 'active', 'inactive'] as const;
export const SUBSCRIPTION_STATUSES = ['active', 'cancelled', 'halted'] as const;

export const plan = z
  .strictObject({
    id: z.string().meta({ description: 'The plan’s ID.', pattern: '^plan_[0-9a-z]{26}$' }),
    object: z.literal('plan'),
    planKey,
    name: z.string().meta({ description: 'Shown to subscribers.', example: 'Coffee club' }),
    description: z.string().meta({ description: 'Shown to subscribers.' }),
    amount: amount('Charged each period.'),
    currency,
    chain,
    period,
    status: z.enum(PLAN_STATUSES).meta({
      description:
        '`pending_create`: waits for the creator’s transaction. `inactive`: takes no subscribers and charges none.',
    }),
    fee: amount('Part of the amount that is Ampersat’s fee.'),
    you_get: amount('What the creator gets of each charge.'),
    trial_days: z.number().int().meta({ description: 'Days before the first charge; 0 for none.' }),
    image_url: z.string().nullable().meta({ description: 'Image on the plan’s page.' }),
    return_url: z.string().nullable().meta({ description: 'Where the plan’s page leads a new subscriber.' }),
    metadata: z.record(z.string(), z.string()).meta({ description: 'Key-value pairs attached by you.' }),
    url: z.url().meta({ description: 'Page to share with subscribers.' }),
    creatorHandle,
    creator,
    replaced_by: z.string().nullable().meta({ description: 'ID of the plan that replaced it at another price.' }),
    livemode,
    created_at: time('When it was created here.'),
    confirmed_at: time('When it was created on-chain.').nullable(),
  })
  .meta({ id: 'Plan', description: 'A fixed amount that subscribers pay once a period.' });

const failing = z
  .strictObject({
    code: z
      .enum(['insufficient_balance', 'insufficient_allowance', 'plan_inactive', 'token_refused', 'not_mined'])
      .meta({ description: 'Why the due charge was not made.' }),
    since: time('Since when the subscriber has not paid.').nullable(),
  })
  .nullable()
  .meta({ description: 'Set while a due charge cannot be made.' });

export const charge = z
  .strictObject({
    object: z.literal('charge'),
    subscription: z.string().meta({ description: 'ID of the subscription.', pattern: '^sub_[0-9a-z]{26}$' }),
    number: z.number().int().meta({ description: 'Number of the charge, from 1.' }),
    amount: amount('Amount charged.'),
    fee: amount('Part of it that is Ampersat’s fee.'),
    currency,
    txHash: txHash('Hash of the transaction that charged it.'),
    explorer_url: z.string().nullable().meta({ description: 'The transaction in the network’s explorer.' }),
    charged_at: time('When it was charged: the time of its block.'),
    period_start: time('Start of the period that it pays.'),
    period_end: time('End of the period that it pays.'),
  })
  .meta({ id: 'Charge', description: 'One charge of a subscription, in a final block.' });

export const subscription = z
  .strictObject({
    id: z.string().meta({ description: 'The subscription’s ID.', pattern: '^sub_[0-9a-z]{26}$' }),
    object: z.literal('subscription'),
    plan: z.string().meta({ description: 'ID of the plan.', pattern: '^plan_[0-9a-z]{26}$' }),
    planKey,
    plan_name: z.string().meta({ description: 'Name of the plan.' }),
    subscriberHandle: z
      .string()
      .nullable()
      .meta({ description: 'Handle of the subscriber, if any.', example: 'alice' }),
    subscriber: address('Wallet that pays.'),
    creatorHandle,
    creator,
    status: z.enum(SUBSCRIPTION_STATUSES).meta({
      description: '`halted`: stayed unpaid. `cancelled` and `halted` are final; a new start is a new subscription.',
    }),
    amount: amount('Charged each period.'),
    currency,
    chain,
    period,
    startedAt: millis('When it started: the time of the first charge.'),
    lastChargedAt: millis('When it was charged last.'),
    chargesPaid: z.number().int().meta({ description: 'Charges so far, the first one included.' }),
    next_charge_at: time('When the next charge is due; null once it has ended.').nullable(),
    total_paid: amount('Sum of all charges.'),
    failing,
    ended_at: time('When it ended.').nullable(),
    cancelled_by: z.enum(['subscriber', 'creator']).nullable().meta({ description: 'Who cancelled it.' }),
    reason: z.enum(['unpaid', 'lapsed']).nullable().meta({
      description: 'Why it was halted. `lapsed`: no charge was possible for three periods.',
    }),
    replaced_by: z.string().nullable().meta({ description: 'ID of the plan that replaced its own at another price.' }),
    txHash: txHash('Hash of the transaction that started it.'),
    livemode,
  })
  .meta({ id: 'Subscription', description: 'A wallet’s subscription to a plan, from its first charge to its end.' });

/** As `subscription.charged` carries it. */
export const chargedSubscription = subscription
  .extend({ charge: charge.meta({ description: 'The charge that the event is about.' }) })
  .meta({ id: 'ChargedSubscription', description: 'A subscription with the charge that was made.' });
