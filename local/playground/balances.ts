// What the local people hold on each chain, now and around transactions of ours.
import { parseAbi } from 'viem';
import type { Chain } from '../../src/chain/chain.ts';
import { probeChain } from '../../src/chain/probe.ts';
import type { Address, EvmChain } from '../../src/chain/rpc/client.ts';
import { nativeBalance, tokenBalance } from '../../src/chain/senders.ts';
import type { SolanaChain } from '../../src/chain/solana/client.ts';
import type { Ctx } from '../../src/context.ts';
import { formatUnits } from '../../src/domain/money.ts';
import type { LocalFile } from '../stack/localFile.ts';

type Holder = { name: string; address: string };
type Change = { name: string; chain: string; asset: string; before: string; after: string };

/** Who has a wallet on a chain, and its treasury. */
export function holdersOn(local: LocalFile, { family }: Pick<Chain, 'family'>): Holder[] {
  const people = Object.entries(local.accounts).filter(([, account]) => account.handle !== null);
  const treasury = family === 'solana' ? local.solana?.treasury : local.treasury;
  return [
    ...people.map(([name, { evm_address, solana_address }]) => ({
      name,
      address: family === 'solana' ? solana_address : evm_address,
    })),
    ...(treasury ? [{ name: 'treasury', address: treasury }] : []),
  ];
}

/** Of each holder on each chain, USDC and the native asset. */
export async function allBalances(ctx: Ctx, local: LocalFile) {
  const rows = Object.values(ctx.chains).flatMap((chain) =>
    holdersOn(local, chain).map(async ({ name, address }) => {
      const { native, nativeDecimals, usdcDecimals } = chain.facts;
      const [usdc, held] = await Promise.all([tokenBalance(chain, chain.usdc, address), nativeBalance(chain, address)]);
      const of = { name, address, chain: chain.name };
      return [
        { ...of, asset: 'USDC', amount: formatUnits(usdc, usdcDecimals) },
        { ...of, asset: native, amount: formatUnits(held, nativeDecimals) },
      ];
    }),
  );
  return (await Promise.all(rows)).flat();
}

/** The newest block of each chain and its time, by the clock of the stack. */
export async function newestBlocks(ctx: Ctx) {
  const now = ctx.clock.now();
  return Promise.all(
    Object.values(ctx.chains).map(async (chain) => {
      const { endpoints } = await probeChain(chain, [], now);
      const { head = null, headAgeMs = null } = endpoints[0] ?? {};
      return {
        chain: chain.name,
        block: head === null ? null : Number(head),
        at: headAgeMs === null ? null : new Date(now - headAgeMs).toISOString(),
      };
    }),
  );
}

type MinedTx = { chain: string; minedBlock: bigint | null; minedHash: string | null };

/** Changed balances of USDC, one row per holder and chain: before the block of the first transaction, and in the block of the last. */
export async function balancesAround(ctx: Ctx, local: LocalFile, transactions: MinedTx[]): Promise<Change[]> {
  const changes = new Map<string, Change>();
  const inOrder = [...transactions].sort((a, b) => Number((a.minedBlock ?? 0n) - (b.minedBlock ?? 0n)));
  for (const transaction of inOrder) {
    const chain = ctx.chains[transaction.chain as keyof typeof ctx.chains];
    if (!chain || transaction.minedBlock === null) continue;
    const holders = holdersOn(local, chain);
    const moved =
      chain.family === 'solana'
        ? await movedOnSolana(chain, transaction.minedHash ?? '')
        : await movedOnEvm(chain, holders, transaction.minedBlock);
    for (const { name, address } of holders) {
      const change = moved.get(address);
      if (!change || change.before === change.after) continue;
      const row = `${chain.name}:${name}`;
      const { usdcDecimals } = chain.facts;
      changes.set(row, {
        name,
        chain: chain.name,
        asset: 'USDC',
        before: changes.get(row)?.before ?? formatUnits(change.before, usdcDecimals),
        after: formatUnits(change.after, usdcDecimals),
      });
    }
  }
  return [...changes.values()];
}

type Moved = Map<string, { before: bigint; after: bigint }>;

async function movedOnEvm(chain: EvmChain, holders: Holder[], block: bigint): Promise<Moved> {
  const rows = holders.map(async ({ address }) => {
    const [before, after] = await Promise.all([
      usdcAt(chain, address as Address, block - 1n),
      usdcAt(chain, address as Address, block),
    ]);
    return [address, { before, after }] as const;
  });
  return new Map(await Promise.all(rows));
}

const usdcAbi = parseAbi(['function balanceOf(address) view returns (uint256)']);

async function usdcAt(chain: EvmChain, owner: Address, blockNumber: bigint): Promise<bigint> {
  try {
    return await chain.client.readContract({
      address: chain.usdc,
      abi: usdcAbi,
      functionName: 'balanceOf',
      args: [owner],
      blockNumber,
    });
  } catch {
    // The local chain has pruned the state of this block: the balance reads as unchanged.
    return 0n;
  }
}

/** A transaction of Solana says what its token accounts held before and after it. */
async function movedOnSolana({ endpoints: [endpoint], usdc }: SolanaChain, signature: string): Promise<Moved> {
  const found = await endpoint?.getTransaction(signature, {
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 0,
  });
  const moved: Moved = new Map();
  const note = (when: 'before' | 'after', balances: Held[]) => {
    for (const { mint, owner, uiTokenAmount } of balances) {
      if (mint !== usdc || owner === undefined) continue;
      moved.set(owner, { before: 0n, after: 0n, ...moved.get(owner), [when]: BigInt(uiTokenAmount.amount) });
    }
  };
  note('before', found?.meta?.preTokenBalances ?? []);
  note('after', found?.meta?.postTokenBalances ?? []);
  return moved;
}

type Held = { mint: string; owner?: string; uiTokenAmount: { amount: string } };
