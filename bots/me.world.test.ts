// `/me`: the link of one's own page, in private and to its owner alone, or how it is switched on.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TELEGRAM_BOT } from '../local/stack/people.ts';
import { changeOwnPage } from '../src/services/orders/handlePages/settings.ts';
import { localPerson, startWorld, type World } from '../test/setup/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const direct = (name: string) => localPerson(name).telegram.id;

async function answerTo(name: string, text: string, chat = direct(name)) {
  // Answers are counted by the minute.
  world.later(120_000);
  await world.say(name, text, { chat });
  return (await world.botSaid(direct(name))).at(-1);
}

test('says how the page is switched on, then where it is, in the reader’s language', async () => {
  const { id } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
  await world.say('alice', '/start', { chat: direct('alice') });
  const off = await answerTo('alice', '/me');
  expect(off?.text).toContain('You don’t have a page yet.');
  expect(JSON.stringify(off)).toContain('/settings/page');
  await changeOwnPage(world.ctx, id, { enabled: true });
  const url = `${world.ctx.env.BASE_URL}/@alice`;
  expect((await answerTo('alice', 'me'))?.text).toContain(`Your page: ${url}`);
  await world.ctx.db.handle.update({ where: { id }, data: { language: 'de' } });
  expect((await answerTo('alice', '/me'))?.text).toContain(`Deine Seite: ${url}`);
  await changeOwnPage(world.ctx, id, { enabled: false });
  expect((await answerTo('alice', '/me'))?.text).toContain('Du hast noch keine Seite.');
});

test('answers a group in private', async () => {
  const { id } = await world.ctx.db.handle.findUniqueOrThrow({ where: { slug: 'alice' } });
  await changeOwnPage(world.ctx, id, { enabled: true });
  const before = (await world.botSaid(world.group)).length;
  const said = await answerTo('alice', `/me@${TELEGRAM_BOT.username}`, world.group);
  expect(said?.text).toContain(`${world.ctx.env.BASE_URL}/@alice`);
  expect(
    (await world.botSaid(world.group))
      .slice(before)
      .map(({ text }) => text)
      .join(),
  ).not.toContain('/@alice');
});
