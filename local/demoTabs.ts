// The tour's second half: money for somebody who cannot be paid directly goes into a tab on the chain, and comes out in each of the three ways.
import { createPublicClient, createTestClient, createWalletClient, erc20Abi, http, parseUnits } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { escrowRouterAbi } from '../src/chain/abis/EscrowRouter.ts';
import { handleKey, tabIdOf } from '../src/chain/escrowRouter.ts';
import type { Address, Hash, Hex } from '../src/chain/evm.ts';
import { receiptOf } from '../src/chain/receipt.ts';
import { type Ctx, chainOf, createContext } from '../src/context.ts';
import type { Tab } from '../src/domain/typedData/tabs.ts';
import { readEnv } from '../src/env.ts';
import { askClaim, claimOf } from '../src/services/claims.ts';
import { openTabByTip, refundOverdue } from '../src/services/tabs.ts';
import type { LocalFile } from './localFile.ts';
import { ROLES } from './roles.ts';

type Tour = {
  local: LocalFile;
  chainsFile: string;
  /** Whether the chain's clock may be moved: nobody else is on it. */
  ownStack: boolean;
  tell(story: string, facts?: Record<string, unknown>): void;
};

/** Every line of the tour rests on these. @throws Error that names what does not hold */
export function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`this does not hold: ${what}`);
}

const WITHIN_MS = 30_000;
const AMOUNT = parseUnits('3', 6);

export async function tourTabs(tour: Tour): Promise<void> {
  const { local, chainsFile } = tour;
  const ctx = await createContext(
    readEnv({
      AMPERSAT_MODE: 'development',
      DATABASE_URL: local.database_url,
      CHAINS_FILE: chainsFile,
      EXECUTOR_KEYS: ROLES.executors.map((role) => role.key).join(','),
      LOG_LEVEL: 'silent',
    }),
    'demo',
    { queueNames: [] },
  );
  try {
    await claimed(ctx, tour);
    await takenBack(ctx, tour);
    if (tour.ownStack) await overdue(ctx, tour);
    else
      tour.tell('The refund after the deadline is left out here: it would move the clock of a chain that others use.');
  } finally {
    await ctx.shutdown.close();
  }
}

async function claimed(ctx: Ctx, tour: Tour): Promise<void> {
  const { tell } = tour;
  const carol = accountOf(tour, 'carol');
  const before = await usdc(ctx, carol.evm_address);
  const { tab, hash } = await openTab(ctx, tour, 'carol');
  tell(
    'A tip of 3 USDC for the handle carol goes into a tab: locked on the chain in the tip’s own transaction, no fee.',
    {
      tab: idOf(ctx, tab),
      transaction: hash,
    },
  );
  const { id: handleId } = await ctx.db.handle.findUniqueOrThrow({ where: { slug: 'carol' } });
  const { id } = await askClaim(ctx, chainOf(ctx, 'base'), tab, handleId);
  const done = await until('the claim is final', async () => {
    const claim = await claimOf(ctx, id);
    check(claim.status !== 'failed', `the claim is not refused: ${claim.failure}`);
    return claim.status === 'final' ? claim : null;
  });
  check((await usdc(ctx, carol.evm_address)) - before === AMOUNT, 'Carol has exactly 3 USDC more');
  check((await statusOf(ctx, tab)) === 2, 'the tab is claimed');
  tell(
    'Carol claims it. The signer reads tab and wallet itself and attests; an executor sends. Each key alone is worth nothing.',
    {
      transaction: done.tx_hash,
    },
  );
}

async function takenBack(ctx: Ctx, tour: Tour): Promise<void> {
  const { tell } = tour;
  const alice = accountOf(tour, 'alice');
  const before = await usdc(ctx, alice.evm_address);
  const { tab } = await openTab(ctx, tour, 'telegram:id:4242');
  check(before - (await usdc(ctx, alice.evm_address)) === AMOUNT, 'Alice has 3 USDC less');
  const chain = chainOf(ctx, 'base');
  const wallet = createWalletClient({
    account: privateKeyToAccount(alice.evm_private_key as Hex),
    transport: http(rpcOf(tour)),
  });
  const hash = await wallet.writeContract({
    address: chain.routers.escrow,
    abi: escrowRouterAbi,
    functionName: 'refund',
    args: [tab],
    chain: null,
  });
  await mined(tour, hash);
  check((await usdc(ctx, alice.evm_address)) === before, 'Alice has her 3 USDC back');
  check((await statusOf(ctx, tab)) === 3, 'the tab is refunded');
  tell('Another one is for somebody without an account. Nobody has claimed it, so Alice’s wallet takes it back.', {
    tab: idOf(ctx, tab),
    transaction: hash,
  });
}

async function overdue(ctx: Ctx, tour: Tour): Promise<void> {
  const { tell } = tour;
  const alice = accountOf(tour, 'alice');
  const chain = chainOf(ctx, 'base');
  const before = await usdc(ctx, alice.evm_address);
  const { tab } = await openTab(ctx, tour, 'telegram:id:4243');
  const early = await refundOverdue(ctx, chain, tab).catch((error: { code?: string }) => error.code);
  check(early === 'refund_before_deadline', 'nobody else can refund before the deadline');
  const admin = createTestClient({ mode: 'anvil', transport: http(rpcOf(tour)) });
  await admin.increaseTime({ seconds: 7_200 });
  await admin.mine({ blocks: 1 });
  const hash = await sentAs(ctx, await refundOverdue(ctx, chain, tab));
  await mined(tour, hash);
  check((await usdc(ctx, alice.evm_address)) === before, 'Alice has her 3 USDC back again');
  check((await statusOf(ctx, tab)) === 3, 'the tab is refunded');
  tell(
    'A third one is forgotten. After its deadline (the chain’s clock is moved by two hours) anybody may send it back; it goes to Alice.',
    {
      tab: idOf(ctx, tab),
      transaction: hash,
    },
  );
}

/** Alice’s tip into a tab for whoever the slug names. */
async function openTab(ctx: Ctx, tour: Tour, slug: string): Promise<{ tab: Tab; hash: Hash }> {
  const chain = chainOf(ctx, 'base');
  const { timestamp } = await chain.client.getBlock();
  const { tab, tx } = await openTabByTip(ctx, chain, {
    messageKey: generatePrivateKey(),
    sender: accountOf(tour, 'alice').evm_address as Address,
    token: chain.usdc,
    handleKey: handleKey(slug),
    amount: AMOUNT,
    deadline: timestamp + 5_400n,
    validUntil: timestamp + 900n,
  });
  const hash = await sentAs(ctx, tx);
  await mined(tour, hash);
  return { tab, hash };
}

/** The hash of an outgoing transaction's newest attempt. */
async function sentAs(ctx: Ctx, outgoingTxId: string): Promise<Hash> {
  const { hash } = await ctx.db.txAttempt.findFirstOrThrow({ where: { outgoingTxId }, orderBy: { number: 'desc' } });
  return hash as Hash;
}

async function mined(tour: Tour, hash: Hash): Promise<void> {
  const client = createPublicClient({ transport: http(rpcOf(tour)), pollingInterval: 100 });
  const receipt = await receiptOf(client, hash, { withinMs: WITHIN_MS });
  check(receipt.status === 'success', `the transaction ${hash} succeeded`);
}

function statusOf(ctx: Ctx, tab: Tab): Promise<number> {
  const chain = chainOf(ctx, 'base');
  const args = [tabIdOf(chain, tab.sender, tab.senderNonce)] as const;
  return chain.client.readContract({
    address: chain.routers.escrow,
    abi: escrowRouterAbi,
    functionName: 'statusOf',
    args,
  });
}

function idOf(ctx: Ctx, tab: Tab): Hex {
  return tabIdOf(chainOf(ctx, 'base'), tab.sender, tab.senderNonce);
}

function usdc(ctx: Ctx, owner: string): Promise<bigint> {
  const { client, usdc: address } = chainOf(ctx, 'base');
  return client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [owner as Address] });
}

function accountOf({ local }: Tour, name: string) {
  const found = local.accounts[name];
  check(found !== undefined, `${name} is there`);
  return found;
}

function rpcOf({ local }: Tour): string {
  return local.chains['base']?.rpc_url ?? '';
}

async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  const end = Date.now() + WITHIN_MS;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (Date.now() > end) throw new Error(`this did not happen in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
