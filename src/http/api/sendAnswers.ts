// Answers about sends. Amounts are canonical decimal strings of USDC, times ISO 8601 in UTC.
import { z } from 'zod';
import { SEND_WAYS } from '../../domain/send.ts';
import { typedData } from './signingAnswers.ts';

export const sendView = z.strictObject({
  id: z.string(),
  object: z.literal('send'),
  status: z.enum(['draft', 'processing', 'completed', 'failed', 'cancelled']),
  step: z.enum(['signing', 'sending', 'confirming', 'stopped', 'completed', 'failed', 'cancelled']),
  chain: z.string(),
  chain_label: z.string(),
  livemode: z.boolean(),
  to: z.string(),
  to_address: z.string(),
  from_address: z.string(),
  amount: z.string(),
  fee: z.string(),
  total: z.string(),
  currency: z.literal('USDC'),
  way: z.enum(SEND_WAYS),
  gasless: z.boolean(),
  expires_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  tx_hash: z.string().nullable(),
  explorer_url: z.string().nullable(),
  failure: z.string().nullable(),
  can_cancel: z.boolean(),
  can_pay: z.boolean(),
});
export type SendView = z.infer<typeof sendView>;

export const preparedSend = z.strictObject({
  send: sendView,
  /** `contract`: the address is a contract, which may be unable to send money on. */
  warning: z.enum(['contract']).nullable(),
});
export type PreparedSend = z.infer<typeof preparedSend>;

export const oneSend = z.strictObject({ send: sendView });
export type OneSend = z.infer<typeof oneSend>;

const walletCall = z.strictObject({
  kind: z.enum(['approve', 'pay']),
  to: z.string(),
  data: z.string(),
  value: z.string(),
  chainId: z.number(),
});
/** Either what the wallet signs (a text, or on Solana the whole `transaction` in base64), or what it sends by itself, one after the other. */
export const sendOffer = z.strictObject({
  send: sendView,
  sign: typedData.nullable(),
  transaction: z.string().nullable(),
  calls: z.array(walletCall).nullable(),
  lacks_gas: z.boolean(),
});
export type SendOffer = z.infer<typeof sendOffer>;

export const sendList = z.strictObject({ object: z.literal('list'), data: z.array(sendView) });
export type SendList = z.infer<typeof sendList>;
