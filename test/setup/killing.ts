// A world with real processes that are killed, and what has to hold whenever that was: one payment, one receipt.
import { parseUnits } from 'viem';
import { afterEach, beforeEach, expect } from 'vitest';
import { TELEGRAM_BOT } from '../../local/stack/people.ts';
import { companionOf } from './inWorker.ts';
import { processOf, type Runner, until } from './processes.ts';
import { type RpcProxy, startRpcProxy } from './rpcProxy.ts';
import { startWorld, type World } from './world.ts';

export type Killing = {
  world: World;
  proxy: RpcProxy;
  workers: Runner;
  bots: Runner;
  bobHad: bigint;
  treasuryHad: bigint;
};

const startBase = (held: Killing) =>
  startWorld({
    anvil: { blockTimeSeconds: 1 },
    rpcUrls: {
      base: async (direct) => {
        held.proxy = await startRpcProxy(direct);
        return held.proxy.url;
      },
    },
  });

/**
 * A new world for every test of a file, or of the block that asks for it. @returns what holds it, filled before each test
 * @param companion what none of these tests kills
 */
export function killedWorlds(companion?: 'workers' | 'bots', start = startBase): Killing {
  const held = {} as Killing;
  beforeEach(async () => {
    held.world = await start(held);
    const runnerOf = (name: 'workers' | 'bots') => (name === companion ? companionOf : processOf)(held.world, name);
    [held.workers, held.bots] = [runnerOf('workers'), runnerOf('bots')];
    [held.bobHad, held.treasuryHad] = await Promise.all([held.world.usdc('bob'), held.world.usdc('treasury')]);
  });
  afterEach(async () => {
    await Promise.all([held.workers.stop(), held.bots.stop()]);
    await held.world.stop();
    await held.proxy.close();
  });
  return held;
}

/** The same with a Solana chain, and `proxy` in front of it. @param slotMs 0 where slots pass only by the test, so that no block hash is over meanwhile */
export function killedSolanaWorlds(companion?: 'workers' | 'bots', slotMs = SLOT_MS): Killing {
  return killedWorlds(companion, async (held) =>
    startWorld({
      solana: {
        slotMs,
        finalizedAfter: FINALIZED_AFTER,
        through: async (direct) => {
          held.proxy = await startRpcProxy(direct);
          return held.proxy.url;
        },
      },
    }),
  );
}

/** Final two seconds after it is confirmed. */
const [SLOT_MS, FINALIZED_AFTER] = [100, 20];

export async function receiptsIn(world: World) {
  return (await world.botSaid()).filter((message) => message.from.id === TELEGRAM_BOT.id);
}

/** One payment, one receipt, and nothing more comes. */
export async function exactlyOnce(held: Killing, { identicalRepeatAllowed = false } = {}): Promise<void> {
  const { world, bobHad, treasuryHad } = held;
  await finalReceipt(world, '✅');
  expect((await world.usdc('bob')) - bobHad).toBe(parseUnits('5', 6));
  expect((await world.usdc('treasury')) - treasuryHad).toBe(parseUnits('0.1', 6));
  const events = await world.reader().getLogs({ address: world.evmChain().routers.bot, fromBlock: 0n });
  const settled = await world.ctx.db.tip.findMany({ where: { status: 'settled' } });
  expect(settled).toHaveLength(1);
  expect(events.filter((event) => event.topics[1] === settled[0]?.messageKey)).toHaveLength(1);
  await saidOnce(world, identicalRepeatAllowed);
}

/** @param sign with which it begins */
async function finalReceipt(world: World, sign: string): Promise<void> {
  await until(
    async () => {
      const last = (await receiptsIn(world)).at(-1)?.text ?? '';
      return last.startsWith(sign) && !last.includes('confirming');
    },
    'a final receipt',
    45_000,
  );
  await until(async () => (await world.ctx.db.reply.count({ where: { open: true } })) === 0, 'no reply is open');
}

async function saidOnce(world: World, identicalRepeatAllowed: boolean): Promise<void> {
  const said = await receiptsIn(world);
  if (identicalRepeatAllowed) expect(said.length).toBeLessThanOrEqual(2);
  else expect(said).toHaveLength(1);
}

/** The same of a tip of 5 USDC on Solana, to a wallet or to a tab: one payment, by one event of the program, and one receipt. */
export async function exactlyOnceOnSolana(
  { world }: Killing,
  to: 'wallet' | 'tab',
  { identicalRepeatAllowed = false } = {},
): Promise<void> {
  const { solana } = world;
  await finalReceipt(world, to === 'wallet' ? '✅' : '🎁');
  const [bob, alice] = [solana.gained('bob'), solana.gained('alice')];
  expect([bob, alice]).toEqual(to === 'wallet' ? [5_000_000n, -5_100_000n] : [0n, -5_000_000n]);
  const tips = await world.ctx.db.tip.findMany({ include: { escrow: true } });
  expect(tips.map(({ status, escrow }) => [status, escrow?.status])).toEqual([
    ['settled', to === 'tab' ? 'open' : undefined],
  ]);
  const events = await solana.eventsOf(solana.limitsOf(solana.addressOf('alice')));
  const name = to === 'wallet' ? 'tipSettled' : 'tabTipSettled';
  expect(events.filter((event) => event.name === name && event.messageKey === tips[0]?.messageKey)).toHaveLength(1);
  await saidOnce(world, identicalRepeatAllowed);
}
