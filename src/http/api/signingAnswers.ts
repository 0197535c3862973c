// What a wallet is given in answers: data to sign (EIP-712), and a transaction to send.
import { z } from 'zod';

const value = z.union([z.string(), z.boolean()]);

/** As `eth_signTypedData_v4` takes it. */
export const typedData = z.strictObject({
  domain: z.record(z.string(), z.union([z.string(), z.number()])),
  types: z.record(z.string(), z.array(z.strictObject({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: z.record(z.string(), z.union([value, z.record(z.string(), value)])),
});

/** As `eth_sendTransaction` takes it, beside who sends it. */
export const walletCall = z.strictObject({ to: z.string(), data: z.string(), value: z.string(), chainId: z.number() });

export const transactionToSign = z.strictObject({
  /** The address of the wallet that signs it. */
  signed_by: z.string(),
  /** The whole transaction in base64, which an executor pays for and sends; it can be signed for about a minute. */
  solana_transaction: z.string(),
});
export type TransactionToSign = z.infer<typeof transactionToSign>;
