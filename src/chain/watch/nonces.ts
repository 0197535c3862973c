// Which transaction used a nonce of a key, by one endpoint. Counts are its word; the transaction that it shows proves itself.
import type { Address, Hex, PublicClient, RpcTransaction } from 'viem';
import { readBlockNumber } from '../../domain/watchdog.ts';
import type { EvmChain } from '../rpc/client.ts';
import { type Signed, signedBy } from './evidence.ts';
import { hexOf } from './reading.ts';

/** A nonce is looked for in the newest blocks first, then twice as far back each time: 32,000 blocks and as many steps again between the last two. */
const MOST_STEPS = 16;
/** Rows count nonces in 32 bits. */
const HIGHEST_NONCE = 0x7fffffff;
const SET_CODE = '0x4';

/** How many nonces of an address are used in blocks. @throws Error where it does not answer, or not with a number */
export async function noncesUsed(client: PublicClient, address: string, block: number | 'latest'): Promise<number> {
  const at = block === 'latest' ? block : hexOf(block);
  const count = readBlockNumber(
    await client.request({ method: 'eth_getTransactionCount', params: [address as Address, at] }),
  );
  if (count === null) throw new Error('it answers with no number of transactions');
  return Math.min(count, HIGHEST_NONCE);
}

/**
 * The transaction that used a nonce up to a block, proven by its own bytes. `later`: none up to that block did.
 * @returns null where the endpoint shows none @throws Error where it does not answer, such as for the state of a block that it no longer has
 */
export async function userOfNonce(
  client: PublicClient,
  chain: EvmChain,
  { address, nonce, head }: { address: string; nonce: number; head: number },
): Promise<{ signed: Signed; block: number } | 'later' | null> {
  const isUsedAt = async (block: number) => block >= 0 && (await noncesUsed(client, address, block)) > nonce;
  if (!(await isUsedAt(head))) return 'later';
  let [above, below] = [head, head - 1];
  for (let step = 1; await isUsedAt(below); step++) {
    if (step === MOST_STEPS) return null;
    [above, below] = [below, head - 2 ** step];
  }
  while (above - below > 1) {
    const between = Math.floor((above + below) / 2);
    if (await isUsedAt(between)) above = between;
    else below = between;
  }
  const shown = await client.request({ method: 'eth_getBlockByNumber', params: [hexOf(above), true] });
  for (const one of (shown?.transactions ?? []) as RpcTransaction[]) {
    if (!mayUse(one, address, nonce)) continue;
    const signed = await signedBy(one, chain.facts.chainId);
    if (signed?.signers.some((signer, index) => signer === address && signed.nonces[index] === nonce))
      return { signed, block: above };
  }
  return null;
}

/** Saves most recoveries of a full block. An authorization names no signer. */
function mayUse(shown: RpcTransaction, address: string, nonce: number): boolean {
  const uses = (value: unknown) => Number(value as Hex) === nonce;
  if (String(shown?.from).toLowerCase() === address && uses(shown.nonce)) return true;
  return shown?.type === SET_CODE && (shown.authorizationList ?? []).some((one) => uses(one.nonce));
}
