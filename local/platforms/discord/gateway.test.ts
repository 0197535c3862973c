// The gateway of the local Discord, with the real client: what it is told, and how it finds back after every kind of loss.
import { GatewayIntentBits } from 'discord.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../../test/setup/processes.ts';
import { ALICE, BOT, startWorld, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.stop());

const texts = (packets: { d: { content: string } }[]) => packets.map(({ d }) => d.content);
const connected = () =>
  until(async () => (await world.user('gateway')).some((one: { connected: boolean }) => one.connected), 'it is back');

describe('a client', () => {
  test('identifies itself, and is told of its server and of what is written', async () => {
    const { told } = await world.connect();
    await world.type(`<@${BOT.id}> hello`);
    await world.gateway({ sync: true });
    expect(told('READY')[0]?.d).toMatchObject({ user: { id: BOT.id }, application: { id: BOT.id } });
    expect(told('GUILD_CREATE')[0]?.d.channels).toHaveLength(1);
    expect(told('MESSAGE_CREATE')[0]?.d).toMatchObject({
      author: ALICE,
      mentions: [{ id: BOT.id }],
      guild_id: expect.any(String),
    });
  });

  test('reads only what concerns it, unless it asked for all', async () => {
    const { told } = await world.connect();
    await world.type('among ourselves');
    await world.type('for you', { channel_id: '@me' });
    await world.gateway({ sync: true });
    expect(texts(told('MESSAGE_CREATE'))).toEqual(['', 'for you']);
    const nosy = await world.connect([GatewayIntentBits.GuildMessages, GatewayIntentBits.MessageContent]);
    await world.type('among ourselves');
    await world.gateway({ sync: true });
    expect(texts(nosy.told('MESSAGE_CREATE'))).toEqual(['among ourselves']);
  });

  test('with another token is turned away', async () => {
    const { client } = await world.connect();
    await expect(client.login('bm9ib2R5.token.of-nobody-at-all')).rejects.toThrow(/token/i);
  });
});

describe('after a loss', () => {
  test('a client resumes, and is given what it missed, once and in order', async () => {
    const { told } = await world.connect();
    await world.type(`<@${BOT.id}> 1`);
    await world.gateway({ sync: true });
    await world.gateway({ drop: true, for_ms: 60_000 });
    await world.type(`<@${BOT.id}> 2`);
    await world.type(`<@${BOT.id}> 3`);
    world.later(61_000);
    await connected();
    await world.gateway({ sync: true });
    expect(texts(told('MESSAGE_CREATE'))).toEqual(['1', '2', '3'].map((text) => `<@${BOT.id}> ${text}`));
    expect([told('READY').length, told('RESUMED').length]).toEqual([1, 1]);
  });

  test('a session that is too old is over: the client begins a new one, and is given nothing of what it missed', async () => {
    const { told } = await world.connect();
    await world.gateway({ drop: true, for_ms: 6 * 60_000 });
    await world.type(`<@${BOT.id}> lost`);
    world.later(6 * 60_000 + 1);
    await until(() => told('READY').length === 2, 'a second session');
    expect(told('MESSAGE_CREATE')).toEqual([]);
  });

  test('a client that is asked to reconnect resumes', async () => {
    const { told } = await world.connect();
    await world.gateway({ reconnect: true });
    await until(() => told('RESUMED').length === 1, 'resumed');
    await world.type(`<@${BOT.id}> still here`);
    await world.gateway({ sync: true });
    expect(told('MESSAGE_CREATE')).toHaveLength(1);
  });

  test('a line that is dead without a word is noticed by the client and given up', async () => {
    await world.stop();
    world = await startWorld({ heartbeatMs: 150 });
    const { told } = await world.connect();
    await world.gateway({ silent: true });
    await until(
      async () => (await world.user('gateway')).every((one: { connected: boolean }) => !one.connected),
      'given up',
    );
    await world.gateway({ silent: false });
    await until(() => told('RESUMED').length > 0, 'resumed');
  });

  test('an event can be given a second time, as the platform may do', async () => {
    const { told } = await world.connect();
    await world.type(`<@${BOT.id}> again`);
    await world.gateway({ repeat: 1, sync: true });
    expect(told('MESSAGE_CREATE').map(({ d }) => d.id)).toHaveLength(2);
    expect(new Set(told('MESSAGE_CREATE').map(({ d }) => d.id)).size).toBe(1);
  });
});
