// A connection that breaks in the very moment in which it is handed over.
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startCutProxy } from '../test/setup/cutProxy.ts';
import { databaseForTest, freshDatabase } from '../test/setup/database.ts';
import { until } from '../test/setup/processes.ts';
import { connectDb, disconnectDb, openClient, openPool, runPrepared, sqlState } from './db.ts';

/** A message of PostgreSQL's protocol (version 3): its kind, its length, its content. */
function message(kind: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(kind), length, content]);
}

const WELCOME = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))];
const FAREWELL = message(
  'E',
  Buffer.from('SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0'),
);

test('a server that dies right after its welcome ends nobody’s process, and the next statement hears of it', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end(Buffer.concat([...WELCOME, FAREWELL])));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const pool = openPool({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, user: 'a', database: 'a' });
  const client = await pool.connect();
  await expect(client.query('select 1')).rejects.toThrow(/connection/i);
  client.release(true);
  await pool.end();
});

test('a connection that is cut while nobody uses it ends nobody’s process, also where Prisma has not used the pool', async () => {
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  const db = connectDb(url);
  onTestFinished(() => disconnectDb(db));
  const whoAmI = { name: 'who am i', text: 'select pg_backend_pid() as pid' };
  const pidNow = async () => (await runPrepared<{ pid: number }>(db, whoAmI, [])).rows[0]?.pid;
  const pid = await pidNow();
  const other = await openClient(url);
  onTestFinished(() => other.end());
  await other.query('select pg_terminate_backend($1)', [pid]);
  // Nobody asks anything while the news comes.
  await until(async () => {
    const { rowCount } = await other.query('select from pg_stat_activity where pid = $1', [pid]);
    return rowCount === 0;
  }, 'the connection is cut');
  await until(async () => (await pidNow().catch(() => pid)) !== pid, 'another connection');
});

describe('a database that keeps a process waiting', () => {
  const SHORT = { connect: 2_500, statement: 30_000, answer: 3_000, idleInTransaction: 30_000 };
  const QUERY_CANCELED = '57014';

  /** The database behind a line that can fall silent, and a client with short limits of it. */
  async function behindLine(limits = SHORT) {
    const direct = await databaseForTest();
    const line = await startCutProxy(direct);
    const url = new URL(direct);
    url.host = new URL(line.url).host;
    const db = connectDb(url.href, { max: 2, limits });
    onTestFinished(() => disconnectDb(db));
    return { line, db, url: url.href, direct };
  }

  test('a server that accepts a connection and never answers fails what needs it, and serves the next one when it is back', async () => {
    const { line, db, url } = await behindLine();
    line.silence();
    await expect(db.handle.count()).rejects.toThrow(/timeout|terminated/i);
    await expect(db.$transaction((tx) => tx.handle.count())).rejects.toThrow(/timeout|terminated|transaction/i);
    await expect(openClient(url, SHORT)).rejects.toThrow('cannot be reached');
    line.mend();
    expect(await db.handle.count()).toBe(0);
  });

  test('a server that falls silent behind open connections fails each way to ask it, and no silent connection is used again', async () => {
    const { line, db } = await behindLine();
    const one = { name: 'one', text: 'select 1 as one' };
    await Promise.all([db.handle.count(), runPrepared(db, one, [])]);
    line.silence();
    await expect(runPrepared(db, one, [])).rejects.toThrow('Query read timeout');
    await expect(db.handle.count()).rejects.toThrow(/timeout|terminated/i);
    line.mend();
    expect(await db.handle.count()).toBe(0);

    const inTransaction = db.$transaction(async (tx) => {
      await tx.handle.count();
      line.silence();
      return tx.handle.count();
    });
    // It would be sent "rollback" behind the statement that is never answered, and wait for the limit once more.
    await expect(inTransaction).rejects.toThrow(/timeout|terminated/i);
    line.mend();
    expect(await Promise.all([1, 2, 3, 4].map(() => db.$transaction((tx) => tx.handle.count())))).toEqual([0, 0, 0, 0]);
  });

  test('a statement that waits for a lock ends within its limit by PostgreSQL’s own hand, and the lock’s end is the end of it', async () => {
    const { db, direct } = await behindLine({ ...SHORT, statement: 300, answer: 20_000 });
    const holder = await openClient(direct);
    onTestFinished(() => holder.end());
    await holder.query('begin; lock table handle');
    const refused = await db.handle.count().catch((error: unknown) => error);
    expect(sqlState(refused)).toBe(QUERY_CANCELED);
    await holder.query('rollback');
    expect(await db.handle.count()).toBe(0);
  });

  test('a transaction that its process forgets is ended by PostgreSQL, and its locks with it', async () => {
    const { direct } = await behindLine();
    const pool = openPool({ connectionString: direct, max: 1 }, { ...SHORT, idleInTransaction: 300 });
    onTestFinished(() => pool.end());
    const forgotten = await pool.connect();
    await forgotten.query('begin; lock table handle');
    const other = await openClient(direct);
    onTestFinished(() => other.end());
    expect((await other.query('select count(*)::int as n from handle')).rows).toEqual([{ n: 0 }]);
    await expect(forgotten.query('select 1')).rejects.toThrow(/connection|terminat|idle-in-transaction|not queryable/i);
    forgotten.release(true);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
