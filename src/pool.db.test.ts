// A connection that breaks in the very moment in which it is handed over.
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../test/setup/database.ts';
import { until } from '../test/setup/processes.ts';
import { connectDb, disconnectDb, openClient, openPool, runPrepared } from './db.ts';

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
