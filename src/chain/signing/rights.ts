// The right of a chat to spend, as wallets of each family sign it: typed data, or a text.
import type { SpendingRightText } from '../../domain/spendingChange.ts';
import { spendingRightText } from '../../domain/spendingChange.ts';
import { spendingRightData, type TypedData } from '../../domain/typedData.ts';
import type { Chain } from '../chain.ts';
import type { Address } from '../rpc/client.ts';
import { isSolanaSignature } from './ed25519.ts';
import { type Proof, proveSignature, typedDataHash } from './signatures.ts';
import { isHex } from './spendingChanges.ts';

export type RightToSign = { typed_data: TypedData } | { text: string };

export function rightToSign(chain: Chain, right: SpendingRightText): RightToSign {
  return chain.family === 'solana'
    ? { text: spendingRightText(right) }
    : { typed_data: spendingRightData({ ...right, chainId: chain.facts.chainId }) };
}

/** How the wallet proves itself, or null when it does not. @throws AppError `provider_unavailable` */
export async function proveRight(
  chain: Chain,
  wallet: string,
  toSign: RightToSign,
  signature: string,
): Promise<Proof | null> {
  if ('text' in toSign) return isSolanaSignature({ address: wallet, text: toSign.text, signature }) ? 'account' : null;
  if (chain.family !== 'evm' || !isHex(signature)) return null;
  return proveSignature(chain, { address: wallet as Address, hash: typedDataHash(toSign.typed_data), signature });
}
