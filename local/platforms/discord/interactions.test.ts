// Interactions at the local Discord: three seconds, fifteen minutes, who sees what, forms, buttons.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ALICE, BOB, BOT, CHANNEL, COMMANDS, ELSEWHERE, startWorld, type World } from './world.ts';

let world: World;
let told: (type: string) => { d: Record<string, never> }[];
beforeEach(async () => {
  world = await startWorld();
  await world.bot('PUT', `/applications/${BOT.id}/commands`, COMMANDS);
  told = (await world.connect()).told;
});
afterEach(() => world.stop());

type Told = { id: string; token: string; data: Record<string, unknown>; [field: string]: unknown };

/** Alice uses /tip, and the bot is told. */
async function tip(more: object = {}): Promise<Told> {
  const options = [
    { name: 'to', value: BOB.id },
    { name: 'amount', value: '5' },
  ];
  await world.interact('tip', { options, ...more });
  return last();
}
async function last(): Promise<Told> {
  await world.gateway({ sync: true });
  return told('INTERACTION_CREATE').at(-1)?.d as unknown as Told;
}
const answer = ({ id, token }: Told, body: object) =>
  world.call('POST', `/api/v10/interactions/${id}/${token}/callback`, body);
const hook = ({ token }: Told, method: string, path = '', body?: object) =>
  world.call(method, `/api/v10/webhooks/${BOT.id}/${token}${path}`, body);
const DEFER = { type: 5 };
const DEFER_PRIVATELY = { type: 5, data: { flags: 64 } };

describe('a command', () => {
  test('comes with its options, and with the people that they name', async () => {
    const { data, member, context, guild_id } = await tip();
    expect(data).toMatchObject({
      name: 'tip',
      type: 1,
      options: [
        { name: 'to', type: 6, value: BOB.id },
        { name: 'amount', type: 3, value: '5' },
      ],
      resolved: { users: { [BOB.id]: BOB } },
    });
    expect([member, context, guild_id]).toEqual([
      expect.objectContaining({ permissions: expect.any(String) }),
      0,
      expect.any(String),
    ]);
  });

  test('without a field that it needs, or with one that it has not, cannot be sent', async () => {
    await expect(world.interact('tip', { options: [{ name: 'to', value: BOB.id }] })).rejects.toThrow('required');
    await expect(tip({ options: [{ name: 'mood', value: 'good' }] })).rejects.toThrow('no option mood');
    await expect(world.interact('dance')).rejects.toThrow('404');
  });

  test('can be used where the bot is no member', async () => {
    const told = await tip({ channel_id: ELSEWHERE, installed: 'user' });
    expect(told).toMatchObject({ context: 2, user: ALICE, authorizing_integration_owners: { 1: ALICE.id } });
    await answer(told, DEFER);
    expect((await hook(told, 'PATCH', '/messages/@original', { content: 'done' })).status).toBe(200);
  });
});

describe('the first answer', () => {
  test('is taken within three seconds, once', async () => {
    const told = await tip();
    expect((await answer(told, DEFER)).status).toBe(204);
    expect(await answer(told, DEFER)).toMatchObject({ status: 400, body: { code: 40_060 } });
    const late = await tip();
    world.later(3_001);
    expect(await answer(late, DEFER)).toMatchObject({ status: 404, body: { code: 10_062 } });
    expect(await world.user(`interactions?id=${late.id}`)).toMatchObject({ answer: 'failed' });
  });

  test('that is deferred becomes what follows first, with its own visibility', async () => {
    const open = await tip();
    await answer(open, DEFER);
    await hook(open, 'POST', '', { content: 'meant for one', flags: 64 });
    expect((await world.shown()).at(-1)).toMatchObject({ content: 'meant for one', visible_to: null });
    await hook(open, 'POST', '', { content: 'for one', flags: 64 });
    expect((await world.shown()).at(-1)).toMatchObject({ content: 'for one', visible_to: ALICE.id });
  });

  test('for one person is seen by nobody else, the bot’s own list included', async () => {
    const told = await tip();
    await answer(told, DEFER_PRIVATELY);
    const { body } = await hook(told, 'PATCH', '/messages/@original', { content: 'yours' });
    expect((await world.shown()).at(-1)).toMatchObject({ content: 'yours', visible_to: ALICE.id, flags: 64 });
    expect((await world.bot('GET', `/channels/${CHANNEL}/messages`)).body).toEqual([]);
    expect((await world.bot('GET', `/channels/${CHANNEL}/messages/${body.id}`)).status).toBe(404);
  });

  test('can be taken away, and what follows then stands for itself', async () => {
    const told = await tip();
    await answer(told, DEFER);
    expect((await hook(told, 'DELETE', '/messages/@original')).status).toBe(204);
    await hook(told, 'POST', '', { content: 'for one', flags: 64 });
    expect(await world.shown()).toMatchObject([{ content: 'for one', visible_to: ALICE.id }]);
  });

  test('cannot be changed before it was given, or fifteen minutes after the command', async () => {
    const told = await tip();
    expect(await hook(told, 'PATCH', '/messages/@original', { content: 'x' })).toMatchObject({
      body: { code: 10_015 },
    });
    await answer(told, DEFER);
    expect((await hook(told, 'GET', '/messages/@original')).body).toMatchObject({ flags: 128 });
    world.later(15 * 60_000 + 1);
    expect(await hook(told, 'PATCH', '/messages/@original', { content: 'x' })).toMatchObject({
      body: { code: 50_027 },
    });
  });
});

describe('a form', () => {
  test('opens from the menu of a message and comes back with what was typed', async () => {
    const { message_id } = await world.type('good work', { author: BOB });
    const { interaction_id } = await world.interact('Tip author', { target_id: message_id });
    const opened = await last();
    expect(opened.data).toMatchObject({
      target_id: message_id,
      resolved: { messages: { [message_id]: { author: BOB } } },
    });
    const field = { type: 4, custom_id: 'amount', style: 1 };
    await answer(opened, {
      type: 9,
      data: { custom_id: 'f', title: 'How much?', components: [{ type: 18, label: 'Amount', component: field }] },
    });
    await expect(world.user('components', { interaction_id, user: BOB, values: {} })).rejects.toThrow('404');
    await world.user('components', { interaction_id, user: ALICE, values: { amount: '5' } });
    expect(await last()).toMatchObject({
      type: 5,
      data: { custom_id: 'f', components: [{ type: 18, component: { custom_id: 'amount', value: '5' } }] },
    });
  });
});

describe('a button', () => {
  test('is pressed by whoever sees it, and its message can be changed through the press', async () => {
    const told = await tip();
    await answer(told, DEFER_PRIVATELY);
    const components = [{ type: 1, components: [{ type: 2, style: 1, label: 'Send', custom_id: 'abc' }] }];
    const { body } = await hook(told, 'PATCH', '/messages/@original', { content: 'Sure?', components });
    const press = { message_id: body.id, channel_id: CHANNEL, custom_id: 'abc' };
    await expect(world.user('components', { ...press, user: BOB })).rejects.toThrow('10008');
    await world.user('components', { ...press, user: ALICE });
    const pressed = await last();
    expect(pressed).toMatchObject({
      type: 3,
      data: { custom_id: 'abc' },
      message: { interaction_metadata: { id: told.id } },
    });
    await answer(pressed, { type: 6 });
    await hook(pressed, 'PATCH', '/messages/@original', { content: 'Done', components: [] });
    expect((await world.shown()).at(-1)).toMatchObject({ content: 'Done', components: [], visible_to: ALICE.id });
  });
});
