// Redis killed, frozen and emptied under load, with real processes: nothing is lost, nothing doubled, and each outage is told once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseUnits } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Person, person } from '../../local/stack/people.ts';
import { REDIS_PASSWORD, type RunningRedis, startRedis } from '../../local/stack/redis.ts';
import { seedMore } from '../../local/stack/seed.ts';
import { processOf, type Runner, until } from '../setup/processes.ts';
import { HOW_TO_INSTALL_REDIS, hasRedis } from '../setup/redis.ts';
import { startWorld, type World } from '../setup/world.ts';

const SENDERS = Array.from({ length: 8 }, (_, index) =>
  person(`load${index}x`, 500 + index, { handle: `load${index}x`, kind: 'personal', connected: true }),
);
const AWAY = 'Redis does not answer; work waits until it does';
const BACK = 'Redis answers again';

describe.skipIf(!hasRedis)(`with Redis (${HOW_TO_INSTALL_REDIS})`, () => {
  let redis: RunningRedis;
  let world: World;
  let workers: Runner;
  let bots: Runner;
  beforeEach(async () => {
    redis = await startRedis({ durable: true });
    world = await startWorld({ anvil: { blockTimeSeconds: 1 }, env: { REDIS_URL: redis.url } });
    await seedMore(world.processEnv, world.embedded, SENDERS, { platforms: ['telegram'], isSignedIn: false });
    workers = processOf(world, 'workers');
    bots = processOf(world, 'bots');
    await Promise.all([bots.start(), workers.start()]);
  });
  afterEach(async () => {
    await Promise.all([workers.stop(), bots.stop()]);
    await world.stop();
    await redis.stop();
  });

  const typed = (from: Person, text = '/tip @bob 1') =>
    world.user<{ message_id: number }>('messages', {
      chat_id: world.group,
      from: { ...from.telegram, first_name: from.name },
      text,
    });
  const everybody = () => Promise.all(SENDERS.map((from) => typed(from)));
  const underWay = () =>
    until(
      async () => (await world.ctx.db.tip.count({ where: { status: { in: ['ready', 'submitted'] } } })) > 0,
      'some tips are under way',
    );
  const told = (name: string, what = AWAY) =>
    readFileSync(join(world.folder, 'logs', `${name}.log`), 'utf8')
      .split('\n')
      .filter((line) => line.includes(what)).length;
  const outage = async (count: number, names: string[]) =>
    until(() => names.every((name) => told(name) === count), `outage ${count} is told by ${names.join(' and ')}`);
  /** Before that, another kill would be the same outage to whoever has not noticed the end of the first. */
  const back = async (count: number, names: string[]) =>
    until(() => names.every((name) => told(name, BACK) === count), `the end of outage ${count} is noticed`);

  async function exactlyOnce(tips: number, had: { bob: bigint; treasury: bigint }): Promise<void> {
    await until(
      async () => (await world.ctx.db.tip.count({ where: { status: 'settled' } })) === tips,
      `${tips} settled tips`,
      120_000,
    );
    await until(
      async () => (await world.ctx.db.reply.count({ where: { open: true } })) === 0,
      'every receipt shown',
      60_000,
    );
    expect((await world.usdc('bob')) - had.bob).toBe(parseUnits(`${tips}`, 6));
    expect((await world.usdc('treasury')) - had.treasury).toBe(parseUnits('0.05', 6) * BigInt(tips));
    const receipts = (await world.botSaid()).filter((message) => message.text.startsWith('✅'));
    expect(receipts).toHaveLength(tips);
    expect(receipts.filter((message) => message.text.includes('confirming'))).toEqual([]);
    const sent = await world.ctx.db.outgoingTx.findMany();
    expect(new Set(sent.map((row) => `${row.executor} ${row.nonce}`)).size).toBe(sent.length);
  }

  test('killed with -9 twice under load: every tip is paid once, and the log says so once', {
    timeout: 240_000,
  }, async () => {
    const had = { bob: await world.usdc('bob'), treasury: await world.usdc('treasury') };
    await everybody();
    await underWay();
    await redis.kill();
    await everybody();
    await outage(1, ['bots', 'workers']);
    await redis.restart();
    await everybody();
    await until(
      async () => (await world.ctx.db.intent.count()) > SENDERS.length,
      'what was typed meanwhile is accepted',
    );
    await back(1, ['bots', 'workers']);
    await redis.kill();
    await everybody();
    await outage(2, ['bots', 'workers']);
    await redis.restart();
    await everybody();
    await exactlyOnce(5 * SENDERS.length, had);

    // What was counted before an outage counts after it: the sixth of the hour is refused.
    const [sender] = SENDERS;
    if (sender) await typed(sender);
    await until(
      async () => (await world.ctx.db.inbox.count({ where: { outcome: 'limited' } })) === 1,
      'the sixth tip is refused',
    );
    expect(await world.ctx.db.tip.count()).toBe(5 * SENDERS.length);

    for (const name of ['bots', 'workers']) {
      const log = readFileSync(join(world.folder, 'logs', `${name}.log`), 'utf8');
      expect(told(name)).toBe(2);
      expect(log).not.toContain(REDIS_PASSWORD);
      const complaints = log.split('\n').filter((line) => /"level":"(error|warn|fatal)"/.test(line));
      expect(complaints.length).toBeLessThan(20);
    }
  });

  test('frozen and then emptied under load: every tip is paid once', { timeout: 240_000 }, async () => {
    const had = { bob: await world.usdc('bob'), treasury: await world.usdc('treasury') };
    await everybody();
    await underWay();
    redis.freeze();
    await everybody();
    await outage(1, ['bots']);
    redis.thaw();
    await everybody();
    for (let i = 0; i < 20; i++) {
      await redis.client.flushall();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await exactlyOnce(3 * SENDERS.length, had);
  });

  test('both processes end in time while Redis is away', async () => {
    await redis.kill();
    await outage(1, ['bots', 'workers']);
    const started = Date.now();
    await Promise.all([workers.stop(), bots.stop()]);
    expect(Date.now() - started).toBeLessThan(9_000);
  });
});
