// Answers about what wallets hold. Amounts and values in USD are canonical decimal strings.
import { z } from 'zod';

const holding = z.strictObject({
  asset: z.string(),
  /** `wrapped`: the network's own coin as a token. */
  kind: z.enum(['usdc', 'native', 'wrapped']),
  amount: z.string(),
  /** null where it has no price at the moment. */
  usd: z.string().nullable(),
});
const chain = z.strictObject({
  chain: z.string(),
  label: z.string(),
  family: z.enum(['evm', 'solana']),
  livemode: z.boolean(),
  address: z.string(),
  /** It does not answer: its holdings are unknown, and count in no total. */
  unreachable: z.boolean(),
  holdings: z.array(holding),
});
const total = z.strictObject({
  total_usd: z.string(),
  /** Labels of networks that are not in it. */
  unreachable: z.array(z.string()),
  /** Assets that are not in it. */
  unpriced: z.array(z.string()),
});
export const balances = z.strictObject({
  live: total.nullable(),
  test: total.nullable(),
  chains: z.array(chain),
});
export type Balances = z.infer<typeof balances>;
