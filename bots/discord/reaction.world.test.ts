// Tips by reaction on Discord: only for who set it, only to who wrote the message, once a message, and under the rules of the server.
import { parseUnits } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OWN_CHAT } from '../../test/setup/discord.ts';
import { localPerson, startWorld, type World } from '../../test/setup/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ discord: true });
  await set({ emoji: '👍', amount: '1' });
});
afterAll(() => world.stop());
// An hour of its own for each test; alice is seen in the channel, so that who writes there is known.
beforeEach(async () => {
  world.later(3_700_000);
  await world.discord.type('alice', 'here I am');
});

const usdc = (amount: string) => parseUnits(amount, 6);
const userOf = (name: string) => localPerson(name).discord;

/** `/react`, and what alice alone is told. */
async function set(options: Record<string, string>, more: { channel?: string; locale?: string } = {}) {
  const { channel = world.discord.channel } = more;
  const before = (await world.discord.botSaid(channel, 'alice')).map(({ id }) => id);
  await world.discord.interact('alice', 'react', options, more);
  await takeIn();
  await world.reply();
  const said = (await world.discord.botSaid(channel, 'alice')).filter(({ id }) => !before.includes(id));
  expect(said).toHaveLength(1);
  return said[0];
}
async function takeIn() {
  await world.discord.settled();
  await world.ingest();
}
const write = async (name = 'bob', extra = {}) =>
  (await world.discord.type(name, 'a good thought', { extra })).message_id;
const react = (name: string, message_id: string, emoji = '👍', more: { remove?: boolean; channel_id?: string } = {}) =>
  world.discord.user('reactions', {
    channel_id: world.discord.channel,
    ...more,
    message_id,
    user: userOf(name),
    emoji,
  });
async function accepted(work: () => Promise<unknown>): Promise<number> {
  const before = await world.ctx.db.intent.count();
  await work();
  await takeIn();
  return (await world.ctx.db.intent.count()) - before;
}

describe('/react', () => {
  test('is set and shown to its user alone, in their language, wherever they use it', async () => {
    const shown = await set({ emoji: '👍', amount: '1' }, { locale: 'es-ES' });
    expect(shown?.visible_to).toBe(userOf('alice').id);
    expect(shown?.content).toContain('Funciona en los canales que veo');
    expect((await set({ emoji: '👍' }))?.content).toContain('Sorry, I didn’t get that');
    expect((await set({}, { channel: OWN_CHAT }))?.content).toContain('I tip its author 1.00 USDC');
  });

  test('typed among others changes nothing', async () => {
    await world.discord.type('alice', `${world.discord.at('bot')} /react 🔥 50`);
    await takeIn();
    expect(await world.ctx.db.reactionTip.findMany()).toMatchObject([{ platform: 'discord', emoji: '👍' }]);
    await world.reply();
  });
});

describe('a reaction with the chosen emoji', () => {
  test('tips the author of the message once, however often it comes, with a receipt under it', async () => {
    const message = await write();
    const before = await world.usdc('bob');
    await react('alice', message);
    await world.discord.gateway({ repeat: 1 });
    await world.run();
    await react('alice', message, '👍', { remove: true });
    await react('alice', message);
    await world.run();
    expect((await world.usdc('bob')) - before).toBe(usdc('1'));
    const receipts = (await world.discord.botSaid()).filter((one) => one.message_reference?.message_id === message);
    expect(receipts.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^✅ @alice tipped @bob 1\.00 USDC \(fee \$0\.05\)/),
    ]);
    const { inboxKey } = await world.ctx.db.intent.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(inboxKey).toBe(`dc:e:${world.discord.bot}:${world.discord.channel}:${userOf('alice').id}:r${message}`);
  });

  test('is nothing when it is another one, of somebody else, on one’s own message, on a bot’s or in the direct chat', async () => {
    const message = await write();
    const own = await write('alice');
    const hook = await write('bob', { webhook_id: '119500000000000001' });
    const [bots] = await world.discord.botSaid();
    const { message_id: direct } = await world.discord.type('alice', 'help', { channel: OWN_CHAT });
    const count = await accepted(async () => {
      await react('alice', message, '🔥');
      await react('carol', message);
      await react('alice', own);
      await react('alice', hook);
      await react('alice', bots?.id ?? '');
      await react('alice', direct, '👍', { channel_id: OWN_CHAT });
    });
    expect(count).toBe(0);
    // The same message with the right emoji is one, so that the above is not for want of something else.
    expect(await accepted(() => react('alice', message))).toBe(1);
  });

  test('keeps to the rules of the server', async () => {
    const rules = (tipping: boolean) => world.discord.interact('alice', 'settings', { tipping });
    const message = await write();
    await rules(false);
    const before = await world.usdc('bob');
    await react('alice', message);
    await world.run();
    await rules(true);
    expect(await world.usdc('bob')).toBe(before);
    const told = (await world.discord.botSaid(OWN_CHAT, 'alice')).at(-1);
    expect(told?.content).toContain('Tips are switched off');
  });

  test('after it was switched off is nothing', async () => {
    expect((await set({ emoji: 'off' }))?.content).toContain('Tips by reaction are off');
    const message = await write();
    expect(await accepted(() => react('alice', message))).toBe(0);
  });
});
