// One local chain with everything of ours on it and nothing else: for tests of contracts and bindings, without services.
import {
  type Account,
  type Address,
  createTestClient,
  encodeFunctionData,
  erc20Abi,
  formatTransactionReceipt,
  type Hex,
  type RpcTransactionReceipt,
  type TransactionReceipt,
} from 'viem';
import { deployLocalChain } from '../../local/chains/deploy/chain.ts';
import { mintUsdc } from '../../local/chains/deploy/usdc.ts';
import { ROLES } from '../../local/stack/roles.ts';
import { decodeRevert, type RevertReason } from '../../src/chain/routers/reverts.ts';
import { createEvmChain, type EvmChain } from '../../src/chain/rpc/client.ts';
import { rpcTransport } from '../../src/chain/rpc/transport.ts';
import { CHAINS, type ChainName } from '../../src/domain/chains.ts';
import { hostedAnvil } from './hosted.ts';

export type ChainCall = { from: Address; to: Address; data: Hex; value?: bigint };
export type Sent = { reason: RevertReason | null; receipt: TransactionReceipt };
export type LocalChainWorld = Awaited<ReturnType<typeof startLocalChain>>;

/** Gas is free, and the sender of a transaction need not sign it. */
export async function startLocalChain(name: ChainName) {
  const facts = CHAINS[name];
  const anvil = await hostedAnvil({ chainId: facts.chainId, blockTimeSeconds: 0, extraArgs: ['--base-fee', '0'] });
  const deployed = await deployLocalChain({
    rpcUrl: anvil.rpcUrl,
    chainId: facts.chainId,
    usdc: { name: facts.usdcDomain?.name ?? 'USD Coin', version: '2', decimals: facts.usdcDecimals },
    roles: ROLES,
    nativeUsdPrice: 3_000,
  });
  const chain: EvmChain = createEvmChain(name, {
    rpcUrls: [anvil.rpcUrl],
    usdc: deployed.usdc,
    wrappedNative: deployed.wrappedNative,
    routers: deployed.routers,
    across: deployed.across,
    priceFeeds: deployed.priceFeeds.native,
    local: true,
  });
  const admin = createTestClient({ mode: 'anvil', transport: rpcTransport(anvil.rpcUrl) });
  const rpc = <T>(method: string, ...params: unknown[]) =>
    admin.request({ method: method as never, params: params as never }) as Promise<T>;
  await rpc('anvil_autoImpersonateAccount', true);

  const local = {
    chain,
    admin,
    rpc,
    rpcUrl: anvil.rpcUrl,
    /** A real transaction; a revert is returned and not thrown. */
    async send({ from, to, data, value = 0n }: ChainCall): Promise<Sent> {
      const call = { from, to, data, value: `0x${value.toString(16)}`, gas: '0x2dc6c0', gasPrice: '0x0' };
      // It answers when the transaction is mined.
      const receipt = formatTransactionReceipt(await rpc<RpcTransactionReceipt>('eth_sendTransactionSync', call));
      if (receipt.status === 'success') return { reason: null, receipt };
      return { reason: decodeRevert(await rpc<Hex>('ots_getTransactionError', receipt.transactionHash)), receipt };
    },
    /** A real transaction that a test needs to go through. */
    async must(call: ChainCall): Promise<Sent> {
      const sent = await local.send(call);
      if (sent.reason)
        throw new Error(`a transaction to ${call.to} reverted: ${sent.reason.name} ${sent.reason.text ?? ''}`);
      return sent;
    },
    /** USDC smallest units. */
    mint: (amount: bigint, ...to: Address[]) => mintUsdc({ rpcUrl: anvil.rpcUrl, usdc: chain.usdc, to, amount }),
    approve: (owner: Account | { address: Address }, spender: Address, amount: bigint, token = chain.usdc) =>
      local.must({
        from: owner.address,
        to: token,
        data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
      }),
    now: async () => (await chain.client.getBlock()).timestamp,
    stop: () => anvil.stop(),
  };
  return local;
}
