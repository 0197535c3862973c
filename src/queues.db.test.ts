// The queues, on either backend: what waits, for how long, whose it is, and what happens while the backend is away.
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { forgetInRedis } from '../local/stack/redis.ts';
import { startCutProxy } from '../test/setup/cutProxy.ts';
import { databaseForTest } from '../test/setup/database.ts';
import { until } from '../test/setup/processes.ts';
import { backendEnv, HOW_TO_INSTALL_REDIS, hasRedis, redisForTest } from '../test/setup/redis.ts';
import { connectDb, type Db, identifyDb } from './db.ts';
import { createLog } from './log.ts';
import { createQueues, enqueue, type Queues } from './queues.ts';
import { openRedis, type RedisSpace } from './redis.ts';

const log = createLog('test', 'silent');

type Opened = { db: Db; queues: Queues; redis: RedisSpace | null };

async function open(databaseUrl: string, redisUrl = backendEnv()['REDIS_URL']): Promise<Opened> {
  const db = connectDb(databaseUrl);
  const redis = redisUrl ? await openRedis(redisUrl, await identifyDb(databaseUrl), log) : null;
  const queues = await createQueues(databaseUrl, redis, log);
  onTestFinished(async () => {
    await queues.close();
    await redis?.close();
    await db.$disconnect();
  });
  return { db, queues, redis };
}

const ask = (db: Db, replyId: string, at = Date.now()) =>
  db.$transaction((tx) => enqueue(tx, 'replies', `reply-${replyId}`, { replyIds: [replyId] }, at));

test('what waits is counted and has an age; what is asked for twice is one job', async () => {
  const { db, queues } = await open(await databaseForTest());
  const now = Date.now();
  expect(await queues.ages(now)).toEqual({
    intents: null,
    settle: null,
    replies: null,
    webhooks: null,
    cron: null,
  });
  await ask(db, 'one', now - 5_000);
  await ask(db, 'two', now - 3_000);
  await ask(db, 'one', now - 1_000);
  expect(await queues.flush(db)).toBe(3);
  expect(await db.outbox.count()).toBe(0);
  expect((await queues.ages(now)).replies).toBe(5_000);
  expect((await queues.counts()).replies).toMatchObject({ waiting: 2, active: 0 });
  expect(
    queues
      .all()
      .map((queue) => queue.name)
      .sort(),
  ).toEqual(['cron', 'intents', 'replies', 'settle', 'webhooks']);

  const seen: string[] = [];
  queues.consume('replies', async ({ replyIds }) => void seen.push(...replyIds));
  await until(() => seen.length === 2, 'both jobs ran');
  expect(seen).toEqual(['one', 'two']);
  await until(async () => (await queues.ages(now)).replies === null, 'nothing waits');
});

test('opening them all takes one connection to the database', async () => {
  const databaseUrl = await databaseForTest();
  const db = connectDb(databaseUrl);
  const queues = await createQueues(databaseUrl, null, log);
  onTestFinished(async () => {
    await queues.close();
    await db.$disconnect();
  });
  expect(queues.all().length).toBeGreaterThan(4);
  const others = await db.$queryRaw<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  expect(others).toHaveLength(1);
});

test('two deployments on one backend never see each other’s jobs', async () => {
  const [mine, theirs] = [await open(await databaseForTest()), await open(await databaseForTest())];
  const seen: string[] = [];
  theirs.queues.consume('replies', async ({ replyIds }) => void seen.push(`theirs ${replyIds}`));
  await ask(mine.db, 'a');
  await mine.queues.flush(mine.db);
  await ask(theirs.db, 'b');
  await theirs.queues.flush(theirs.db);
  await until(() => seen.length > 0, 'their own job ran');
  expect((await mine.queues.counts()).replies).toMatchObject({ waiting: 1 });
  mine.queues.consume('replies', async ({ replyIds }) => void seen.push(`mine ${replyIds}`));
  await until(() => seen.length === 2, 'my job ran');
  expect(seen).toEqual(['theirs b', 'mine a']);
});

describe('what comes again by itself', () => {
  const everyMs = 300;
  const webhooks = { id: 'process-webhooks', everyMs, payload: { task: 'process-webhooks' } } as const;
  const indexer = { id: 'indexer base', everyMs, payload: { task: 'indexer', chain: 'base' } } as const;
  const jobs = async ({ queues }: Opened) => {
    const { waiting = 0, delayed = 0 } = (await queues.counts()).cron;
    return waiting + delayed;
  };

  test('is one job a task while nobody takes it, however often and by whomever it is said, and then comes on', async () => {
    const databaseUrl = await databaseForTest();
    const [one, other] = [await open(databaseUrl), await open(databaseUrl)];
    const began = Date.now();
    for (const { queues } of [one, other, one, other, one]) {
      await queues.schedule([webhooks, indexer]);
      expect(await jobs(one)).toBe(2);
    }
    await until(() => Date.now() - began > 3 * everyMs, 'three turns have passed');
    expect(await jobs(one)).toBe(2);

    const seen: string[] = [];
    for (const { queues } of [one, other]) queues.consume('cron', async ({ task }) => void seen.push(task));
    const turns = (task: string) => seen.filter((one) => one === task).length;
    await until(() => turns('process-webhooks') >= 3 && turns('indexer') >= 3, 'each came three times');
    // Two processes took turns; they did not double them. Said by both in the same moment, there may be one more turn, once.
    await Promise.all([one, other].map(({ queues }) => queues.schedule([webhooks, indexer])));
    await until(() => turns('process-webhooks') >= 6, 'it goes on');
    expect(seen.length).toBeLessThanOrEqual(2 * (Math.ceil((Date.now() - began) / everyMs) + 2));
  });

  test('stops when it is not wanted any more, and begins again after the queues were emptied', async () => {
    const opened = await open(await databaseForTest());
    const { queues } = opened;
    const seen: string[] = [];
    const turns = (task: string) => seen.filter((one) => one === task).length;
    await queues.schedule([webhooks, indexer]);
    await queues.schedule([webhooks]);
    queues.consume('cron', async ({ task }) => void seen.push(task));
    await until(() => turns('process-webhooks') >= 3, 'what is wanted comes');
    // What waited already has its turn, and is the last.
    expect(turns('indexer')).toBeLessThanOrEqual(1);
    for (const queue of queues.all()) await queue.obliterate({ force: true });
    expect(await jobs(opened)).toBe(0);
    const before = turns('process-webhooks');
    await queues.schedule([webhooks]);
    await until(() => turns('process-webhooks') >= before + 3, 'it comes again');
  });

  test('comes again after a turn that failed', async () => {
    const { queues } = await open(await databaseForTest());
    let turns = 0;
    queues.consume('cron', async () => {
      turns += 1;
      throw new Error('no');
    });
    await queues.schedule([webhooks]);
    await until(() => turns >= 3, 'it came three times');
  });
});

describe.skipIf(!hasRedis)(`in a Redis of its own (${HOW_TO_INSTALL_REDIS})`, () => {
  test('while it is away the outbox keeps the jobs and the caller goes on; when it is back, workers take them', async () => {
    const redis = await redisForTest();
    const { db, queues } = await open(await databaseForTest(), redis.url);
    const seen: string[] = [];
    queues.consume('replies', async ({ replyIds }) => void seen.push(...replyIds));
    await ask(db, 'before');
    await queues.flush(db);
    await until(() => seen.length === 1, 'a job before');
    await redis.kill();
    await ask(db, 'during');
    expect(await queues.flush(db)).toBeNull();
    expect(await db.outbox.count()).toBe(1);
    await expect(queues.counts()).rejects.toThrow('Redis does not answer');
    await redis.restart();
    await until(async () => (await queues.flush(db)) === 1, 'the outbox is emptied');
    await until(() => seen.length === 2, 'the job of the outage ran');
    expect(seen).toEqual(['before', 'during']);
  });

  test('a fresh start forgets what its own database has in Redis, and nothing else', async () => {
    const redis = await redisForTest();
    const [mine, theirs] = [await databaseForTest(), await databaseForTest()];
    const [one, other] = [await open(mine, redis.url), await open(theirs, redis.url)];
    for (const { db, queues } of [one, other]) {
      await ask(db, 'a');
      await queues.flush(db);
    }
    await forgetInRedis(redis.url, mine);
    expect((await one.queues.counts()).replies).toMatchObject({ waiting: 0 });
    expect((await other.queues.counts()).replies).toMatchObject({ waiting: 1 });
  });

  test('while it is away the queues close within ten seconds', async () => {
    const redis = await redisForTest();
    const space = await openRedis(redis.url, 'a database', log);
    const queues = await createQueues(await databaseForTest(), space, log);
    for (const name of ['intents', 'settle', 'replies'] as const) queues.consume(name, async () => {});
    await redis.kill();
    const started = Date.now();
    await queues.close();
    await space.close();
    expect(Date.now() - started).toBeLessThan(10_000);
  });
});

test('what a job failed with is kept between its tries without addresses, tokens and keys', async () => {
  const secrets = ['postgres://ampersat:hidden@db.example/x', `12345678:${'A'.repeat(35)}`, `0x${'ab'.repeat(32)}`];
  const opened = await open(await databaseForTest());
  const { db, queues } = opened;
  queues.consume('replies', async () => {
    throw Object.assign(new TypeError(`no answer: ${secrets.join(' ')}`), { cause: new Error(secrets[0]) });
  });
  await ask(db, 'one');
  await queues.flush(db);
  let kept = '';
  await until(async () => {
    kept = await allThatIsKept(opened);
    return kept.includes('no answer: ');
  }, 'it failed once, and waits for its next try');
  expect(kept).toContain('no answer: [url] [token] [hex]');
  expect(kept).toMatch(/TypeError: no answer: \[url\] \[token\] \[hex\].*queues\.db\.test\.ts/s);
  for (const secret of secrets) expect(kept).not.toContain(secret);
});

/** Everything that the backend of this run has, as one text: BullMQ’s rows, or the job’s hash and the events about it. */
async function allThatIsKept({ db, redis }: Opened): Promise<string> {
  if (redis) {
    const { commands, prefix } = redis;
    const job = await commands.hgetall(`${prefix}:replies:reply-one`);
    return JSON.stringify([job, await commands.xrange(`${prefix}:replies:events`, '-', '+')]);
  }
  const tables = await db.$queryRaw<{ name: string }[]>`
    select quote_ident(table_name) as name from information_schema.tables where table_schema = 'bullmq'`;
  const rows = tables.map(({ name }) => db.$queryRawUnsafe<unknown[]>(`select t::text from bullmq.${name} t`));
  return JSON.stringify(await Promise.all(rows));
}

test('a consumer whose first connections are cut takes jobs when there is a line again, and lets the process do other things meanwhile', async () => {
  const databaseUrl = await databaseForTest();
  const line = await startCutProxy(databaseUrl);
  const [db, queues] = [connectDb(databaseUrl), await createQueues(throughLine(databaseUrl, line.url), null, log)];
  onTestFinished(async () => {
    await queues.close();
    await db.$disconnect();
  });
  line.cut(true);
  const seen: string[] = [];
  queues.consume('replies', async ({ replyIds }) => void seen.push(...replyIds));
  await until(() => line.refused() > 2, 'it tries again');
  line.mend();
  await ask(db, 'one');
  await until(async () => (await queues.flush(db).catch(() => 0)) !== 0, 'the job is queued');
  await until(() => seen.length === 1, 'the job ran');
});

test('what was replaced while the database was away leaves nothing behind, however long that lasts', async () => {
  const databaseUrl = await databaseForTest();
  const line = await startCutProxy(databaseUrl);
  const pools: pg.Pool[] = [];
  const { prototype } = pg.Pool;
  const connect = prototype.connect;
  // The pool of the queues is the one that its consumers connect with.
  prototype.connect = function (this: pg.Pool, ...given: unknown[]) {
    if (!pools.includes(this)) pools.push(this);
    return Reflect.apply(connect, this, given);
  } as never;
  onTestFinished(() => {
    prototype.connect = connect;
  });
  const queues = await createQueues(throughLine(databaseUrl, line.url), null, log);
  onTestFinished(() => queues.close());
  queues.consume('replies', async () => {});
  const listeners = () => Math.max(...pools.map((pool) => pool.listenerCount('error')));
  await until(() => pools.length > 0, 'it connects');
  const before = listeners();
  line.cut(true);
  await until(() => line.refused() > 8, 'several consumers were replaced');
  // One may be about to be replaced.
  expect(listeners()).toBeLessThanOrEqual(before + 1);
});

function throughLine(databaseUrl: string, lineUrl: string): string {
  const through = new URL(databaseUrl);
  through.host = new URL(lineUrl).host;
  return through.href;
}

test('a connection that is lost in the moment in which a consumer listens on it costs no job its minute', async () => {
  const { db, queues } = await open(await databaseForTest(), '');
  const { prototype } = pg.Client;
  const query = prototype.query as (...given: unknown[]) => Promise<unknown>;
  let lost = 0;
  // The answer to LISTEN and the end of the connection in one packet, as a server that is killed under load sends them.
  prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const answer = query.apply(this, given);
    if (lost > 0 || !/^\s*listen/im.test(String((given[0] as { text?: string })?.text ?? given[0]))) return answer;
    lost += 1;
    return answer.then((result) => {
      this.emit('error', new Error('Connection terminated unexpectedly'));
      return result;
    });
  } as never;
  onTestFinished(() => {
    prototype.query = query as never;
  });
  const seen: string[] = [];
  queues.consume('replies', async ({ replyIds }) => void seen.push(...replyIds));
  await until(() => lost === 1, 'it listened, and lost its connection');
  await ask(db, 'after');
  await queues.flush(db);
  await until(() => seen.includes('after'), 'the job ran', 10_000);
  await ask(db, 'later');
  await queues.flush(db);
  await until(() => seen.includes('later'), 'the next one ran', 10_000);
});
