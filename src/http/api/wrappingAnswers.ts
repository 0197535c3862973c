// Answers about wrapping of SOL. Amounts are canonical decimal strings, times ISO 8601 in UTC.
import { z } from 'zod';
import { WRAPPINGS } from '../../domain/wrapping.ts';

const wrap = z.strictObject({
  id: z.string(),
  object: z.literal('wrap'),
  kind: z.enum(WRAPPINGS),
  chain: z.string(),
  /** Of SOL; `max` unwraps everything and closes the account. */
  amount: z.string(),
  wallet: z.string(),
  /** sha256 of the message, in hexadecimal: the executor adds its signature to this one only. */
  message_hash: z.string(),
  /** The last block height at which it can land. */
  last_valid_height: z.number().int(),
  status: z.enum(['prepared', 'queued', 'sent', 'mined', 'final', 'failed']),
  tx_hash: z.string().nullable(),
  explorer_url: z.string().nullable(),
  /** In one sentence. */
  failure: z.string().nullable(),
  created_at: z.iso.datetime(),
});

/** A transaction in base64 that none has signed yet, for the wallet; signed, it goes to `submit`. */
export const builtWrap = z.strictObject({
  wrap,
  signed_by: z.string(),
  /** Ampersat’s executor, which signs last and pays the network fee, and nothing else. */
  fee_payer: z.string(),
  solana_transaction: z.string(),
  submit: z.string(),
});
export type BuiltWrap = z.infer<typeof builtWrap>;

export const oneWrap = z.strictObject({ wrap });
export type OneWrap = z.infer<typeof oneWrap>;

export const wrapBalances = z.strictObject({
  chain: z.string(),
  wallet: z.string(),
  sol: z.string(),
  /** null where the wallet has no account of wrapped SOL. */
  wrapped: z.string().nullable(),
  /** What the wallet pays for that account, and gets back when it is closed. */
  account_rent: z.string(),
  left_today: z.number().int(),
});
export type WrapBalances = z.infer<typeof wrapBalances>;
