// Answers about smart payments. Amounts are canonical decimal strings of their asset, fees and costs in USD as well; times ISO 8601 in UTC.
import { z } from 'zod';
import { BRIDGES } from '../../domain/smartLeg.ts';
import { typedData } from './signingAnswers.ts';

const time = z.iso.datetime();
const via = z.enum(['direct', ...BRIDGES]);

const candidate = z.strictObject({
  id: z.string(),
  kind: z.enum(['direct', 'single', 'multi']),
  cost_usd: z.string(),
  eta_seconds: z.number().int(),
  confirmations: z.number().int(),
  gasless: z.boolean(),
  legs: z.array(
    z.strictObject({
      chain: z.string(),
      chain_label: z.string(),
      asset: z.string(),
      payer: z.string(),
      /** What the wallet has there. */
      balance: z.string(),
      amount: z.string(),
      arrives: z.string(),
      via,
      fees: z.array(
        z.strictObject({ kind: z.enum(['bridge', 'executor', 'network']), amount: z.string(), usd: z.string() }),
      ),
      gasless: z.boolean(),
    }),
  ),
  expires_at: time,
  balance_ok: z.boolean(),
});
export type CandidateAnswer = z.infer<typeof candidate>;

export const candidateList = z.strictObject({
  object: z.literal('list'),
  due: z.strictObject({ amount: z.string(), currency: z.string(), chain: z.string() }),
  data: z.array(candidate),
  unavailable: z.array(z.string()),
  expires_at: time,
});
export type CandidateListAnswer = z.infer<typeof candidateList>;

const hashes = z.strictObject({
  origin: z.string().nullable(),
  destination: z.string().nullable(),
  refund: z.string().nullable(),
});
const legFields = {
  n: z.number().int(),
  status: z.enum(['prepared', 'sent', 'bridging', 'arrived', 'refunded', 'failed']),
  requestId: z.string(),
  via,
  chain: z.string(),
  chain_label: z.string(),
  asset: z.string(),
  payer: z.string(),
  amount: z.string(),
  arrives: z.string(),
  txHashes: hashes,
  explorerUrls: hashes,
  /** When its payer gave the money; null before. */
  sent_at: time.nullable(),
  reason: z.string().optional(),
};
const paymentFields = {
  id: z.string(),
  orderId: z.string().nullable(),
  chain: z.string(),
  currency: z.string(),
  amount: z.string(),
  step: z.enum(['preparing', 'waiting_for_confirmation', 'bridge_processing', 'bridge_complete']),
  status: z.enum(['pending', 'succeeded', 'partly', 'refunded', 'failed']),
  allOk: z.boolean(),
  expires_at: time,
};
export const smartPayment = z.strictObject({ ...paymentFields, legs: z.array(z.strictObject(legFields)) });
export type SmartPaymentAnswer = z.infer<typeof smartPayment>;

const step = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('signature'), typed_data: typedData, until: time }),
  z.strictObject({
    kind: z.literal('transaction'),
    purpose: z.enum(['approve', 'pay']),
    chain_id: z.number().int(),
    to: z.string(),
    data: z.string(),
    value: z.string(),
  }),
  /** The whole transaction in base64, which the wallet signs and does not send. */
  z.strictObject({
    kind: z.literal('solana_transaction'),
    signed_by: z.string(),
    solana_transaction: z.string(),
    until: time,
  }),
]);
/** For `wallet_addEthereumChain`. */
const network = z.strictObject({
  chainId: z.string(),
  chainName: z.string(),
  nativeCurrency: z.strictObject({ name: z.string(), symbol: z.string(), decimals: z.number() }),
  rpcUrls: z.array(z.string()),
  blockExplorerUrls: z.array(z.string()),
});
/** With what the payer signs or sends for each leg that waits for it, and the network on which it does. */
export const preparedPayment = z.strictObject({
  ...paymentFields,
  legs: z.array(z.strictObject({ ...legFields, network: network.nullable(), steps: z.array(step) })),
});
export type PreparedPaymentAnswer = z.infer<typeof preparedPayment>;
