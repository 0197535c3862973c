/**
 * The local Telegram as a process of its own: takes its options as JSON, prints its URL when it is ready, and ends with
 * its parent.
 */
import { startTelegramServer } from './server.ts';

const server = await startTelegramServer(JSON.parse(process.argv[2] ?? '{}'));
const end = () => {
  void server.close().then(() => process.exit(0));
};
for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.once(signal, end);
console.log(JSON.stringify({ url: server.url, port: server.port }));
