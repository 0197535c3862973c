// Answers about what a handle may spend, and the calls that change it. Amounts are canonical decimal strings, times ISO 8601 in UTC.
import { z } from 'zod';
import { SPONSORED_KINDS } from '../../domain/sponsoredCall.ts';
import { WALLET_FAMILIES } from '../../domain/walletFamily.ts';
import { connectionView } from './connectionAnswers.ts';
import { typedData, walletCall } from './signingAnswers.ts';

const tokenSpending = z.strictObject({
  asset: z.string(),
  token: z.string(),
  decimals: z.number().int(),
  balance: z.string(),
  /** null when the wallet set no limit that could ever be reached. */
  allowance: z.string().nullable(),
  per_tip: z.string(),
  per_day: z.string(),
  max_fee: z.string(),
  spent_24h: z.string(),
  left_24h: z.string(),
});
export type TokenSpending = z.infer<typeof tokenSpending>;

const head = { chain: z.string(), family: z.enum(WALLET_FAMILIES), label: z.string(), livemode: z.boolean() };

const chainSpending = z.strictObject({
  ...head,
  unreachable: z.literal(false),
  /** Of EIP-155; null for other chains. */
  chain_id: z.number().int().nullable(),
  /** The contract or program that is allowed to spend. */
  router: z.string(),
  /** The wallet that spends there, and signs. */
  wallet: z.string(),
  confirmations: z.number().int(),
  /** The allowance can be signed, and Ampersat sends it. Otherwise the wallet sends it itself. */
  permit: z.boolean(),
  /** One signature can give the allowance and the limits (`allow`). */
  one_signature: z.boolean(),
  paused: z.boolean(),
  explorer_url: z.string(),
  tokens: z.array(tokenSpending),
});
export type ChainSpending = z.infer<typeof chainSpending>;

const silentChain = z.strictObject({ ...head, unreachable: z.literal(true) });
export type SilentChain = z.infer<typeof silentChain>;

export const spendingOverview = z.strictObject({
  handle: z.string(),
  command_cap: z.string(),
  day_cap: z.string(),
  max_command_cap: z.string(),
  max_day_cap: z.string(),
  spent_24h_usd: z.string(),
  tips_left_this_hour: z.number().int(),
  tips_per_hour: z.number().int(),
  paused_at: z.iso.datetime().nullable(),
  chains: z.array(z.discriminatedUnion('unreachable', [chainSpending, silentChain])),
  /** Served chains for whose family the handle has no wallet yet. */
  without_wallet: z.array(z.strictObject(head)),
  connections: z.array(connectionView),
});
export type SpendingOverview = z.infer<typeof spendingOverview>;

/** What the signature uses up where that is a number of the chain, and the Unix second until which it is good. */
const use = { nonce: z.string().optional(), deadline: z.number().int() };
const limits = { per_tip: z.string(), per_day: z.string() };
const terms = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('permit'), chain: z.string(), amount: z.string(), ...use }),
  z.strictObject({ kind: z.literal('limits'), chain: z.string(), ...limits, ...use }),
  z.strictObject({ kind: z.literal('allow'), chain: z.string(), amount: z.string(), ...limits, ...use }),
  z.strictObject({ kind: z.literal('resume'), chain: z.string(), ...use }),
  z.strictObject({
    kind: z.literal('right'),
    connection_id: z.string(),
    command_cap: z.string(),
    day_cap: z.string(),
    chain: z.string(),
    nonce: z.string(),
    deadline: z.number().int(),
  }),
]);

/**
 * For the wallet of the chain's family: data (EIP-712); a transaction of Solana without signatures, in base64; or a text. `submit` goes back as it came,
 * with the signature, or with the signed transaction.
 */
export const preparedCall = z.union([
  z.strictObject({ typed_data: typedData, submit: terms }),
  z.strictObject({ solana_transaction: z.string(), submit: terms }),
  z.strictObject({ text: z.string(), submit: terms }),
]);
export type PreparedCall = z.infer<typeof preparedCall>;

/** How far a call is that was signed by the wallet and is sent by Ampersat. */
export const callView = z.strictObject({
  id: z.string(),
  kind: z.enum(SPONSORED_KINDS),
  chain: z.string(),
  status: z.enum(['queued', 'sent', 'mined', 'final', 'failed']),
  tx_hash: z.string().nullable(),
  explorer_url: z.string().nullable(),
  /** In one sentence. */
  failure: z.string().nullable(),
});
export type CallView = z.infer<typeof callView>;

export const oneCall = z.strictObject({ request: callView });
export type OneCall = z.infer<typeof oneCall>;

/** A right is in force at once; nothing is sent for it. */
const rightView = z.strictObject({
  right: z.strictObject({ connection: connectionView }),
  caps: z.strictObject({ command_cap: z.string(), day_cap: z.string() }),
});
export const submittedCall = z.union([oneCall, rightView]);
export type SubmittedCall = z.infer<typeof submittedCall>;

export const approval = z.strictObject({ transaction: walletCall });
export type Approval = z.infer<typeof approval>;

export const pausedSpending = z.strictObject({ paused_at: z.iso.datetime() });
export type PausedSpending = z.infer<typeof pausedSpending>;
