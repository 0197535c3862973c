// Where transactions stand by several endpoints: one that lags, or is away, takes none of them back.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { forkWithout } from '../../../local/solana/fork.ts';
import { transferOf } from '../../../test/setup/solana.ts';
import { type SolanaWorld, startSolanaWorld } from '../../../test/setup/solanaWorld.ts';
import { createSolanaChain, type SolanaChain } from './client.ts';
import { receiptOfSolana, standingsOf } from './transactions.ts';

let solana: SolanaWorld;
let chain: SolanaChain;
beforeEach(async () => {
  solana = await startSolanaWorld({ slotMs: 0, finalizedAfter: 6 });
  const { url } = solana.node;
  // A fault meets the first question: the endpoints differ by it.
  chain = createSolanaChain('solana', { rpcUrls: [url, url], program: solana.program, usdc: solana.usdc, local: true });
});
afterEach(() => solana.stop());

/** A transfer that is confirmed. @returns its signature */
async function transfer(): Promise<string> {
  const transaction = transferOf(solana.ledger, {
    from: solana.person('alice'),
    to: solana.person('bob').address,
    lamports: 1_000,
  });
  const raw = Buffer.from(transaction.raw).toString('base64');
  const signature = await solana.node.rpc('sendTransaction', raw, { encoding: 'base64', skipPreflight: true });
  solana.step(3);
  return signature;
}
const stale = (method: string, times: number) => solana.node.faults.add({ kind: 'stale', method, times, slots: 5 });

test('what another endpoint has is believed where the first lags', async () => {
  const signature = await transfer();
  stale('getSignatureStatuses', 1);
  expect(await standingsOf(chain, [signature])).toMatchObject([{ isFinal: false, succeeded: true }]);
  solana.settle();
  stale('getTransaction', 1);
  expect(await receiptOfSolana(chain, signature)).toMatchObject({ hash: signature, succeeded: true });
});

test('what no endpoint has stands nowhere', async () => {
  const signature = await transfer();
  stale('getSignatureStatuses', 3);
  expect(await standingsOf(chain, [signature])).toEqual([null]);
  expect(forkWithout(solana.ledger, signature)).toBe(true);
  expect(await standingsOf(chain, [signature])).toEqual([null]);
});

test('an endpoint that is away is not waited for', async () => {
  const signature = await transfer();
  solana.node.faults.add({ kind: 'away', method: 'getSignatureStatuses', times: 1 });
  stale('getSignatureStatuses', 1);
  expect(await standingsOf(chain, [signature])).toMatchObject([{ succeeded: true }]);
});
