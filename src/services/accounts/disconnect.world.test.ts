// A disconnect holds from the moment it is said: nothing that was not signed by then is signed, and nothing arrives any more.

import { parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TELEGRAM_GROUP } from '../../../local/stack/people.ts';
import { waitForLock } from '../../../test/setup/locks.ts';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import { lockSender } from '../locks.ts';
import { prepareIntents } from '../tips/preparation.ts';
import { connectAccount, disconnectAccount, makeReceiveOnly } from './connections.ts';
import { lockAccount } from './connectLinks.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  world.later(3_700_000);
  await connectAgain('alice', true);
  await world.freshPrices();
});

const idOf = (name: string) => String(localPerson(name).telegram.id);
const rowOf = (name: string) =>
  world.ctx.db.connection.findFirstOrThrow({ where: { platform: 'telegram', platformUserId: idOf(name) } });
const lastInGroup = async () => (await world.botSaid(TELEGRAM_GROUP)).at(-1)?.text ?? '';
const bobHas = () => world.usdc('bob');
async function handleId(slug: string): Promise<string> {
  return (await world.ctx.db.handle.findUniqueOrThrow({ where: { slug } })).id;
}
async function connectAgain(name: string, canSpend: boolean, slug = name): Promise<boolean> {
  const account = { platform: 'telegram', platformUserId: idOf(name), username: name };
  return world.ctx.db.$transaction(async (tx) =>
    connectAccount(world.ctx, tx, { ...account, handleId: await handleId(slug), canSpend }),
  );
}
async function disconnect(name: string): Promise<boolean> {
  const row = await rowOf(name);
  return world.ctx.db.$transaction((tx) => disconnectAccount(world.ctx, tx, row.id, row.handleId));
}
async function typed(text: string): Promise<void> {
  await world.type('alice', text);
  await world.fetchUpdates();
  await world.ingest();
}

describe('disconnect', () => {
  test('said in a chat stops the next tip, and tips to that person', async () => {
    await world.say('alice', '/disconnect');
    expect(await lastInGroup()).toContain('Disconnected.');
    expect(await lastInGroup()).not.toContain('alice@ampersat');
    const before = await bobHas();
    await world.say('alice', '/tip @bob 1');
    expect(await bobHas()).toBe(before);
    expect(await lastInGroup()).toContain('@alice, saved for 24 hours. Connect');
    await world.say('bob', '/tip @alice 1');
    // It is bound to the account, not to the handle that it left.
    expect(await bobHas()).toBe(before - parseUnits('1', 6));
    expect(await lastInGroup()).toContain('1.00 USDC for @alice');
  });

  test('stops a tip that was accepted and not planned', async () => {
    await typed('/tip @bob 1');
    await disconnect('alice');
    const before = await bobHas();
    await world.run();
    expect(await bobHas()).toBe(before);
  });

  test('stops a tip whose plan was being made meanwhile', async () => {
    await typed('/tip @bob 1');
    const intent = await world.ctx.db.intent.findFirstOrThrow({ where: { status: 'accepted' } });
    const before = await bobHas();
    let planned: Promise<void> = Promise.resolve();
    await world.ctx.db.$transaction(async (tx) => {
      const row = await rowOf('alice');
      await lockSender(tx, row.handleId);
      planned = prepareIntents(world.ctx, [intent.id]);
      // The plan stands and waits for our lock.
      await waitForLock(world.ctx.db);
      await disconnectAccount(world.ctx, tx, row.id, row.handleId);
    });
    await planned;
    await world.run();
    expect(await bobHas()).toBe(before);
    const refused = await world.ctx.db.intent.findUniqueOrThrow({ where: { id: intent.id } });
    expect(refused.status).toBe('refused');
    expect(refused.detail).toMatchObject({ refusal: { code: 'sender_disconnected' } });
  });

  test('stops legs that were ready and not signed, and the chat is told', async () => {
    await typed('/tip @bob 1');
    await world.prepare();
    expect(await world.ctx.db.tip.count({ where: { status: 'ready' } })).toBe(1);
    await disconnect('alice');
    const before = await bobHas();
    await world.run();
    expect(await bobHas()).toBe(before);
    const tip = await world.ctx.db.tip.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(tip).toMatchObject({ status: 'failed', failure: { code: 'sender_disconnected' }, outgoingTxId: null });
    expect(await lastInGroup()).toContain('The account was disconnected first');
  });

  test('stops legs that were proven and about to be signed', async () => {
    await typed('/tip @bob 1');
    await world.prepare();
    const before = await bobHas();
    let settled: Promise<number> = Promise.resolve(0);
    await world.ctx.db.$transaction(async (tx) => {
      const row = await rowOf('alice');
      await lockSender(tx, row.handleId);
      settled = world.settle();
      await waitForLock(world.ctx.db);
      await disconnectAccount(world.ctx, tx, row.id, row.handleId);
    });
    await settled;
    await world.run();
    expect(await bobHas()).toBe(before);
    const tip = await world.ctx.db.tip.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(tip).toMatchObject({ status: 'failed', failure: { code: 'sender_disconnected' } });
  });

  test('leaves what was signed before to its end', async () => {
    const before = await bobHas();
    await typed('/tip @bob 1');
    await world.prepare();
    await world.settle();
    await disconnect('alice');
    await world.run();
    expect((await bobHas()) - before).toBe(1_000_000n);
  });

  test('said while the account is being connected anew ends that connection, and never only says so', async () => {
    await world.type('alice', '/disconnect');
    await world.fetchUpdates();
    const account = { platform: 'telegram', platformUserId: idOf('alice') };
    let said: Promise<void> = Promise.resolve();
    await world.ctx.db.$transaction(async (tx) => {
      const row = await rowOf('alice');
      await lockAccount(tx, account);
      await lockSender(tx, row.handleId);
      said = world.ingest();
      await waitForLock(world.ctx.db);
      await disconnectAccount(world.ctx, tx, row.id, row.handleId);
      const anew = { ...account, username: 'alice', handleId: await handleId('carol'), canSpend: false };
      expect(await connectAccount(world.ctx, tx, anew)).toBe(true);
    });
    await said;
    await world.run();
    expect(await lastInGroup()).toContain('Disconnected.');
    expect((await rowOf('alice')).disconnectedAt).not.toBeNull();
  });

  test('by another handle, or of one that is over, does nothing', async () => {
    const row = await rowOf('alice');
    const bob = await handleId('bob');
    expect(await world.ctx.db.$transaction((tx) => disconnectAccount(world.ctx, tx, row.id, bob))).toBe(false);
    expect(await disconnect('alice')).toBe(true);
    expect(await disconnect('alice')).toBe(false);
  });

  test('by somebody who is not connected leads to connect', async () => {
    await world.say('carol', '/disconnect');
    expect(await lastInGroup()).toContain('Connect your wallet first');
  });
});

describe('connecting again', () => {
  test('starts receive-only under another id, and voids older signatures; caps stay with the handle', async () => {
    await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { commandCapMicros: 7_000_000n } });
    const old = await rowOf('alice');
    await disconnect('alice');
    expect(await connectAgain('alice', false)).toBe(true);
    const now = await rowOf('alice');
    expect(now).toMatchObject({ canSpend: false, disconnectedAt: null, handleId: old.handleId });
    expect(now.id).not.toBe(old.id);
    expect(now.spendNonce).toBeGreaterThan(old.spendNonce);
    const handle = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
    expect(handle.commandCapMicros).toBe(7_000_000n);
    const before = await bobHas();
    await world.say('alice', '/tip @bob 1');
    expect(await bobHas()).toBe(before);
    await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { commandCapMicros: 100_000_000n } });
    await disconnect('alice');
  });

  test('to another handle is possible after a disconnect, and never without', async () => {
    expect(await connectAgain('alice', false, 'carol')).toBe(false);
    await disconnect('alice');
    expect(await connectAgain('alice', false, 'carol')).toBe(true);
    expect((await rowOf('alice')).handleId).toBe(await handleId('carol'));
    await disconnect('alice');
  });

  test('to another handle does not free legs of the first one', async () => {
    await typed('/tip @bob 1');
    await world.prepare();
    await disconnect('alice');
    await connectAgain('alice', true, 'carol');
    const before = await bobHas();
    await world.run();
    expect(await bobHas()).toBe(before);
    await disconnect('alice');
  });
});

describe('spending through a receive-only connection', () => {
  test('is refused, and the person is led to the page in private', async () => {
    const alice = localPerson('alice').telegram.id;
    await world.say('alice', '/start', { chat: alice });
    await world.ctx.db.$transaction(async (tx) => makeReceiveOnly(tx, await handleId('alice')));
    const before = await bobHas();
    await world.say('alice', '/tip @bob 1');
    expect(await bobHas()).toBe(before);
    expect(await lastInGroup()).toContain('I’ve messaged you why');
    const told = (await world.botSaid(alice)).at(-1);
    expect(told?.text).toContain('can receive, but not send yet');
    expect(told?.reply_markup?.inline_keyboard.flat()[0]?.url).toBe('http://127.0.0.1:8080/spending');
    await disconnect('alice');
  });

  test('is refused for legs that were ready when the right was taken', async () => {
    await typed('/tip @bob 1');
    await world.prepare();
    await world.ctx.db.$transaction(async (tx) => makeReceiveOnly(tx, await handleId('alice')));
    const before = await bobHas();
    await world.run();
    expect(await bobHas()).toBe(before);
    await disconnect('alice');
  });
});
