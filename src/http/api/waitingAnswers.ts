// Answers about tips that wait for the confirmation of their sender. Amounts are canonical decimal strings, times ISO 8601 in UTC.
import { z } from 'zod';
import type { IntentDoubt, Refusal } from '../../domain/plan.ts';

/** A code whose list the domain owns. */
const codeOf = <Code extends string>() => z.custom<Code>((value) => typeof value === 'string');

const pendingLeg = z.strictObject({
  label: z.string(),
  amount: z.string(),
  /** On top of `amount`. */
  fee: z.string(),
  asset: z.string(),
  chain: z.string(),
  /** For how many days it is kept for a recipient without an account; null when it goes to a wallet. */
  tab_days: z.number().nullable(),
  /** The network on which it arrives, when that is another one, and what the bridge takes beside the fee. */
  to_chain: z.string().nullable(),
  bridge_fee: z.string().nullable(),
});
export type PendingLeg = z.infer<typeof pendingLeg>;

const pendingTipView = z.strictObject({
  id: z.string(),
  platform: z.string(),
  kind: z.string(),
  doubt: codeOf<IntentDoubt>().nullable(),
  note: z.string().nullable(),
  expires_at: z.iso.datetime(),
  /** What would be sent now. */
  legs: z.array(pendingLeg),
  refused: z.array(z.strictObject({ label: z.string(), code: codeOf<Refusal['code']>() })),
  /** Why nothing can be sent at the moment. */
  refusal: codeOf<Refusal['code']>().nullable(),
  /** What a confirmation confirms. */
  fingerprint: z.string().nullable(),
});
export type PendingTipView = z.infer<typeof pendingTipView>;

export const pendingTipList = z.strictObject({ tips: z.array(pendingTipView) });
export type PendingTipList = z.infer<typeof pendingTipList>;
