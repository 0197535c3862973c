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

/**
 * A new world for every test of a file, or of the block that asks for it. @returns what holds it, filled before each test
 * @param companion what none of these tests kills
 */
export function killedWorlds(companion?: 'workers' | 'bots'): Killing {
  const held = {} as Killing;
  beforeEach(async () => {
    held.world = await startWorld({
      anvil: { blockTimeSeconds: 1 },
      rpcUrls: {
        base: async (direct) => {
          held.proxy = await startRpcProxy(direct);
          return held.proxy.url;
        },
      },
    });
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

export async function receiptsIn(world: World) {
  return (await world.botSaid()).filter((message) => message.from.id === TELEGRAM_BOT.id);
}

/** One payment, one receipt, and nothing more comes. */
export async function exactlyOnce(
  { world, bobHad, treasuryHad }: Killing,
  { identicalRepeatAllowed = false } = {},
): Promise<void> {
  await until(
    async () => {
      const last = (await receiptsIn(world)).at(-1)?.text ?? '';
      return last.startsWith('✅') && !last.includes('confirming');
    },
    'a final receipt',
    45_000,
  );
  await until(async () => (await world.ctx.db.reply.count({ where: { open: true } })) === 0, 'no reply is open');
  expect((await world.usdc('bob')) - bobHad).toBe(parseUnits('5', 6));
  expect((await world.usdc('treasury')) - treasuryHad).toBe(parseUnits('0.1', 6));
  const events = await world.reader().getLogs({ address: world.evmChain().routers.bot, fromBlock: 0n });
  const settled = await world.ctx.db.tip.findMany({ where: { status: 'settled' } });
  expect(settled).toHaveLength(1);
  expect(events.filter((event) => event.topics[1] === settled[0]?.messageKey)).toHaveLength(1);
  const said = await receiptsIn(world);
  if (identicalRepeatAllowed) expect(said.length).toBeLessThanOrEqual(2);
  else expect(said).toHaveLength(1);
}
