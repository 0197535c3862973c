// What a merchant hears when we stop sending to an endpoint of theirs: once for each time, in every connected chat, and nothing that is secret.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localPerson, startWorld, type World } from '../../../test/setup/world.ts';
import type { Row } from '../../db.ts';
import { tellEndpointDisabled } from './endpointNotices.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  for (const name of ['alice', 'bob']) await world.say(name, '/help', { chat: localPerson(name).telegram.id });
});
afterAll(() => world.stop());

async function disabled(reason: string, { livemode = true, path = '/hook?token=hush' } = {}) {
  const { id: handleId } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
  const now = new Date(world.ctx.clock.now());
  return world.ctx.db.webhookEndpoint.create({
    data: {
      id: `we_${reason}_${livemode}`,
      handleId,
      livemode,
      url: `https://shop.example${path}`,
      host: 'shop.example:443',
      apiVersion: '2026-11-20',
      status: 'disabled',
      disabledReason: reason,
      disabledAt: now,
      secret: 'sealed',
      createdAt: now,
    },
  });
}
const tell = async (endpoint: Row<'WebhookEndpoint'>) => {
  await world.ctx.db.$transaction((tx) => tellEndpointDisabled(world.ctx, tx, endpoint));
  await world.run();
};
const heard = (name: string) => world.botSaid(localPerson(name).telegram.id);
async function during(work: () => Promise<unknown>, name = 'alice') {
  const before = (await heard(name)).length;
  await work();
  return (await heard(name)).slice(before);
}

test('every connected chat is told once each time, of the host and no more, with the way to the page', async () => {
  const endpoint = await disabled('failing');
  const [bobBefore, told] = [(await heard('bob')).length, await during(() => tell(endpoint))];
  expect(told.map(({ text }) => text)).toEqual([
    '⚠️ Your webhook at shop.example has failed for five days, so I’ve stopped sending it events. Once it works again, turn it on on your webhooks page and resend what it missed.',
  ]);
  expect(told[0]?.reply_markup?.inline_keyboard.flat()).toMatchObject([{ text: 'See your webhooks' }]);
  expect(JSON.stringify(told)).not.toContain('hush');
  expect((await heard('bob')).length).toBe(bobBefore);
  // The same once more, as a repeated transaction would.
  expect(await during(() => tell(endpoint))).toEqual([]);
  const again = { ...endpoint, disabledAt: new Date(world.ctx.clock.now() + 86_400_000) };
  expect(await during(() => tell(again))).toHaveLength(1);
});

test('an endpoint of the test mode says so, in the language of whoever reads', async () => {
  await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { language: 'de' } });
  const [told] = await during(async () => tell(await disabled('gone', { livemode: false })));
  expect(told?.text).toContain('Dein Webhook bei shop.example');
  expect(told?.text).toContain('410');
  expect(told?.text).toContain('Testmodus');
});

test('what its owner disabled is no news', async () => {
  expect(await during(async () => tell(await disabled('by_owner')))).toEqual([]);
});
