// A message that Discord took and whose answer was cut off stands there once, and reaches its end.
import { parseUnits } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { OWN_CHAT } from '../../test/setup/discord.ts';
import { type RpcProxy, startRpcProxy } from '../../test/setup/rpcProxy.ts';
import { localPerson, startWorld, type World } from '../../test/setup/world.ts';
import { deliverReplies } from '../delivery.ts';

let world: World;
let proxy: RpcProxy;
beforeEach(async () => {
  world = await startWorld({
    discord: true,
    rpcUrls: {
      base: async (direct) => {
        proxy = await startRpcProxy(direct);
        return proxy.url;
      },
    },
  });
});
afterEach(async () => {
  await world.stop();
  await proxy.close();
});

const CUT = { status: 0, accept: true, times: 1 };
const texts = async (channel?: string, name?: string) =>
  (await world.discord.botSaid(channel, name)).map(({ content }) => content);
const RECEIPT = expect.stringMatching(/^✅ @alice tipped @bob 5\.00 USDC/);

/** The chat reads that it is on its way, and we do not hear that it does. */
async function cutOnItsWay(ask: () => Promise<unknown>): Promise<void> {
  await ask();
  await world.fetchUpdates();
  await world.ingest();
  await world.prepare();
  proxy.setDead(true);
  await world.settle();
  await world.reply();
  proxy.setDead(false);
  world.later(2_000);
}
async function paid(): Promise<void> {
  await world.settle();
  await world.watch();
  await world.mine(3);
  await world.watch();
}

const inGroup = () => world.discord.type('alice', `${world.discord.at('bot')} tip ${world.discord.at('bob')} 5`);
const inDirectChat = () => world.discord.type('alice', 'tip @bob 5', { channel: OWN_CHAT });

describe.each([
  ['in a channel', inGroup, [undefined, undefined]],
  ['in a direct chat', inDirectChat, [OWN_CHAT, 'alice']],
] as const)('%s', (_where, ask, [channel, name]) => {
  test.each([
    ['a moment', 0],
    ['ten minutes, when Discord knows its key no more', 600_000],
  ])('a first sign becomes the receipt after %s', async (_after, laterMs) => {
    const before = await world.usdc('bob');
    await world.discord.fail({ method: 'create_message', ...CUT });
    await cutOnItsWay(ask);
    expect(await texts(channel, name)).toEqual([expect.stringMatching(/^⏳/)]);
    await paid();
    world.later(laterMs);
    await world.reply();
    await world.run();
    expect(await texts(channel, name)).toEqual([RECEIPT]);
    expect((await world.usdc('bob')) - before).toBe(parseUnits('5', 6));
  });
});

test('a slash command’s first sign becomes the receipt', async () => {
  await world.discord.fail({ method: 'update_original_webhook_message', ...CUT });
  await cutOnItsWay(() => world.discord.interact('alice', 'tip', { to: localPerson('bob').discord.id, amount: '5' }));
  await paid();
  world.later(120_000);
  await world.reply();
  await world.run();
  expect(await texts()).toEqual([RECEIPT]);
});

test('what somebody else was answered in the meantime is left as it is', async () => {
  await world.discord.fail({ method: 'create_message', ...CUT });
  await cutOnItsWay(inGroup);
  await world.discord.type('bob', `${world.discord.at('bot')} help`);
  await world.fetchUpdates();
  await world.ingest();
  const help = await world.ctx.db.reply.findFirstOrThrow({ where: { kind: 'help' } });
  await deliverReplies(world.ctx, world.adapters, [help.id]);
  const [, helpText] = await texts();
  await paid();
  world.later(600_000);
  await world.reply();
  await world.run();
  expect(await texts()).toEqual([RECEIPT, helpText]);
});
