// A command of Discord's menu shows that the bot thinks, until there is an answer: whatever happens, there is one.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answersOf, createRandom, giveRandomCommand, orderRandomFault } from '../../test/setup/discordAnswers.ts';
import { localPerson, startWorld, type World } from '../../test/setup/world.ts';

const COMMANDS = 100;
const TOGETHER = 5;
const MINUTE = 60_000;

let world: World;
beforeAll(async () => {
  world = await startWorld({ discord: true });
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.discord.user('faults', undefined, 'DELETE');
  world.later(61 * MINUTE);
});

const bob = () => localPerson('bob').discord.id;
const carol = () => localPerson('carol').discord.id;

async function during(work: () => Promise<unknown>) {
  const before = new Set((await world.discord.botSaid()).map(({ id }) => id));
  await work();
  await world.run();
  return (await world.discord.botSaid()).filter(({ id, content }) => !before.has(id) && content !== '');
}
const isOpen = async () =>
  (await world.ctx.db.reply.count({ where: { open: true, platform: 'discord' } })) +
    (await world.ctx.db.inbox.count({ where: { status: { not: 'done' } } })) >
  0;

describe('every error of a menu command is answered', () => {
  test('the second and the third within ten minutes too, to their user alone', async () => {
    const said = await during(async () => {
      for (const amount of ['five', '0', '1,000']) await world.discord.interact('alice', 'tip', { to: bob(), amount });
    });
    expect(said.map(({ visible_to }) => visible_to)).toEqual(Array(3).fill(localPerson('alice').discord.id));
  });

  test('and so are the sixth and the seventh tip of an hour', async () => {
    const said = await during(async () => {
      for (let i = 0; i < 7; i++) await world.discord.interact('shop', 'tip', { to: bob(), amount: '0.5' });
    });
    expect(said.filter(({ content }) => content.startsWith('✅'))).toHaveLength(5);
    expect(said.filter(({ content }) => /fifth tip|five tip/.test(content))).toHaveLength(2);
  });

  test('in words alone when Discord refuses the message with its buttons', async () => {
    await world.discord.fail({ method: 'update_original_webhook_message', status: 400, code: 50_035, times: 1 });
    const said = await during(() => world.discord.interact('alice', 'tip', { to: carol(), amount: '1' }));
    expect(said).toEqual([expect.objectContaining({ content: expect.stringContaining('@carol') })]);
    await world.discord.fail({ method: 'update_original_webhook_message', status: 400, code: 50_035, times: 2 });
    const unshown = await during(() => world.discord.interact('alice', 'help'));
    expect(unshown).toEqual([expect.objectContaining({ content: expect.stringContaining('I can’t show the answer') })]);
  });
});

describe('an answer whose token is over', () => {
  test('goes to the direct chat where the channel is closed to the bot', async () => {
    await world.discord.interact('alice', 'tip', { to: bob(), amount: '0.5' });
    await world.fetchUpdates();
    await world.ingest();
    world.later(16 * MINUTE);
    await world.discord.fail({ method: 'create_message', status: 403, code: 50_001, times: 1 });
    await world.run();
    expect((await world.discord.botSaid('@me', 'alice')).at(-1)?.content).toContain('That took too long');
  });

  test('is said in plainer words where its message is refused as well', async () => {
    await world.discord.interact('alice', 'tip', { to: bob(), amount: '0' });
    await world.fetchUpdates();
    await world.ingest();
    world.later(16 * MINUTE);
    await world.discord.fail({ method: 'create_message', status: 400, code: 50_035, times: 2 });
    await world.run();
    expect((await world.discord.botSaid('@me', 'alice')).at(-1)?.content).toContain('I can’t show the answer');
  });

  test('because the process was away for so long says that it is too late, and pays nothing', async () => {
    const before = await world.usdc('bob');
    await world.discord.fail({ method: 'create_interaction_response', status: 0, accept: true, times: 1 });
    const asked = await world.discord.interact('alice', 'tip', { to: bob(), amount: '0.5' });
    await world.discord.settled();
    const { interaction_id: id } = asked;
    const row = { where: { id } };
    await expect
      .poll(async () => (await world.ctx.db.discordInteraction.findUnique(row))?.acknowledgedAt ?? null)
      .not.toBeNull();
    // What a process that was killed between Discord's answer and our note of it leaves behind. It has to be gone by then: it looks after what is
    // held every minute, and whatever of it is still under way asks Discord with a token that is over once the clock has moved.
    await world.discord.stop();
    world.later(16 * MINUTE);
    await world.ctx.db.discordInteraction.update({ where: { id }, data: { acknowledgedAt: null, token: null } });
    await world.ctx.db.inbox.updateMany({ where: { key: { endsWith: id } }, data: { status: 'held' } });
    await world.discord.start();
    await world.discord.settled();
    await world.run();
    expect(await world.usdc('bob')).toBe(before);
    expect(await world.ctx.db.inbox.findFirst({ where: { key: { endsWith: id } } })).toMatchObject({
      outcome: 'error:too_old',
    });
    expect((await world.discord.botSaid('@me', 'alice')).at(-1)?.content).toContain('more than 10 minutes late');
  });
});

test(`${COMMANDS} random commands, with faults, stops and tokens that run out, leave nobody without an answer`, async () => {
  const random = createRandom(16);
  const ids: string[] = [];
  for (let at = 0; at < COMMANDS; at += TOGETHER) {
    if (random.below(3) > 0) await orderRandomFault(world, random);
    for (let i = 0; i < TOGETHER; i++) ids.push(await giveRandomCommand(world, random));
    if (random.below(2) === 0) await world.fetchUpdates();
    if (random.below(3) === 0) await world.ingest();
    if (random.below(4) === 0) {
      await world.discord.stop();
      await world.discord.start();
    }
    if (random.below(10) === 0) world.later(16 * MINUTE);
    await world.run();
    world.later(random.below(20_000));
  }
  await world.discord.user('faults', undefined, 'DELETE');
  await world.discord.stop();
  await world.discord.start();
  for (let round = 0; round < 20 && (round === 0 || (await isOpen())); round++) {
    world.later(5 * MINUTE);
    await world.run();
  }
  const { deferred, unanswered } = await answersOf(world, ids);
  expect(unanswered).toEqual([]);
  expect(deferred).toBeGreaterThan(COMMANDS * 0.8);
});
