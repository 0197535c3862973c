// Answers about the payout wallets of a handle, one of each family, and their changes. Times are ISO 8601 in UTC.
import { z } from 'zod';
import { WALLET_FAMILIES } from '../../domain/walletFamily.ts';
import { typedData } from './signingAnswers.ts';

const pendingChange = z.strictObject({
  id: z.string(),
  new_address: z.string(),
  requested_at: z.iso.datetime(),
  effective_at: z.iso.datetime(),
});
export type PendingWalletChange = z.infer<typeof pendingChange>;

/** `address` and `kind` are null where the handle has no wallet of the family. */
const payoutWallet = z.strictObject({
  address: z.string().nullable(),
  kind: z.enum(['account', 'contract']).nullable(),
  /** For a contract wallet: the only chains on which it is paid. */
  proven_chains: z.array(z.string()),
  explorer_url: z.string().nullable(),
  change: pendingChange.nullable(),
});
export type PayoutWallet = z.infer<typeof payoutWallet>;

export const wallets = z.strictObject({ evm: payoutWallet, solana: payoutWallet });
export type PayoutWallets = z.infer<typeof wallets>;

const signer = z.strictObject({ family: z.enum(WALLET_FAMILIES), address: z.string() });

/** `nonce`, `deadline` and `chain` go back as they came, with the signatures. */
export const preparedChange = z.strictObject({
  /** For `eth_signTypedData_v4`, and the text that a wallet of Solana signs; null where neither signer is of that family. */
  typed_data: typedData.nullable(),
  text: z.string().nullable(),
  new_wallet: signer,
  /** The wallet whose signature makes it a change at once. */
  current_wallet: signer,
  nonce: z.number().int(),
  /** Unix seconds. */
  deadline: z.number().int(),
  /** Null where no EVM wallet signs. */
  chain: z.string().nullable(),
  delay_hours: z.number().int(),
});
export type PreparedWalletChange = z.infer<typeof preparedChange>;

export const changedWallets = z.strictObject({ wallets });
export type ChangedWallets = z.infer<typeof changedWallets>;
