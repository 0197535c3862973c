// A wallet with a private mempool: what it sends is shown to other nodes once that is published.
import { createTestClient, type Hex, http, keccak256, parseEther, walletActions } from 'viem';
import { startRpcProxy } from '../setup/rpcProxy.ts';
import type { TestStack } from '../setup/stack.ts';
import { newcomer } from './newcomer.ts';
import { testWallet } from './wallet.ts';

/** Someone with 100 CELO on Celo, and nothing else. */
export async function withMempool(stack: TestStack) {
  const { account } = newcomer(stack);
  const { rpc_url: url = '', chain_id: chainId = 0 } = stack.local.chains['celo'] ?? {};
  const admin = createTestClient({ mode: 'anvil', transport: http(url) }).extend(walletActions);
  await admin.setBalance({ address: account.address, value: parseEther('100') });
  const mempool = await startRpcProxy(url);
  const kept: Hex[] = [];
  mempool.answer('eth_sendRawTransaction', ([raw]) => {
    kept.push(raw as Hex);
    return keccak256(raw as Hex);
  });
  return {
    wallet: testWallet({ account, chains: [{ chainId, rpcUrl: mempool.url }] }),
    async publish() {
      for (const serializedTransaction of kept.splice(0)) await admin.sendRawTransaction({ serializedTransaction });
    },
    /** From then on it sends to all nodes at once. */
    drop() {
      kept.length = 0;
      mempool.answer('eth_sendRawTransaction', null);
    },
    close: () => mempool.close(),
  };
}
