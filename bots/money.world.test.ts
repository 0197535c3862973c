// `/deposit` and `/withdraw`: the pages where money comes in and goes out, in private, with their forms filled; `/balance` begins with the total.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TELEGRAM_BOT } from '../local/stack/people.ts';
import { localPerson, startWorld, type World } from '../test/setup/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await world.say('alice', '/start', { chat: direct('alice') });
});
afterAll(() => world.stop());

const direct = (name: string) => localPerson(name).telegram.id;

async function answerTo(name: string, text: string, chat = direct(name)) {
  // Answers are counted by the minute.
  world.later(120_000);
  await world.say(name, text, { chat });
  return JSON.stringify((await world.botSaid(direct(name))).at(-1));
}

test('lead to the pages, with what was typed', async () => {
  const { BASE_URL: base } = world.ctx.env;
  expect(await answerTo('alice', '/deposit')).toContain(`${base}/receive"`);
  expect(await answerTo('alice', '/deposit 25')).toContain(`${base}/receive?amount=25"`);
  expect(await answerTo('alice', 'withdraw')).toContain(`${base}/send"`);
  expect(await answerTo('alice', '/withdraw 5 @bob')).toContain(`${base}/send?to=telegram%3Abob&amount=5"`);
  expect(await answerTo('alice', '/withdraw bob@ampersat 2,50')).toContain(`${base}/send?to=bob&amount=2.50"`);
  const { address } = localPerson('bob');
  expect(await answerTo('alice', `/withdraw ${address}`)).toContain(`${base}/send?to=${address}"`);
});

test('answer a group in private, in the reader’s language', async () => {
  await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { language: 'de' } });
  const before = (await world.botSaid(world.group)).length;
  expect(await answerTo('alice', `/withdraw@${TELEGRAM_BOT.username} 5`, world.group)).toContain('Geld senden');
  expect(JSON.stringify((await world.botSaid(world.group)).slice(before))).not.toContain('/send');
});

test('send those who are not connected to connect', async () => {
  await world.say('dave', '/start', { chat: direct('dave') });
  expect(await answerTo('dave', '/withdraw 5')).not.toContain('/send');
});

test('the balance names the total first, and a chain that does not answer instead of counting it as nothing', async () => {
  await world.ctx.db.handle.update({ where: { slug: 'alice' }, data: { language: 'en' } });
  const lines = JSON.parse(await answerTo('alice', '/balance')).text.split('\n');
  expect(lines[0]).toBe('Your balance, alice@ampersat');
  expect(lines[1]).toMatch(/^In total: \$[\d,.]+$/);
  expect(lines[2]).toMatch(/^Base: [\d,.]+ USDC$/);
});
