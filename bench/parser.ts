// How many chat lines a second become intents, against reading and writing the same lines as JSON without parsing a command.
import { parseCommand } from '../src/domain/command.ts';
import type { Row } from './main.ts';

const TEXTS = [
  '/tip @bob 5 usdc',
  '/tip @bob @carol 2.50 for lunch',
  'good morning everybody',
  '/split 10 @a @b @c',
  '/send @bob 1,000',
  'thanks @bob!',
];
const LINES = 60_000;

export async function measureParser(): Promise<Row> {
  const lines = Array.from({ length: LINES }, (_, index) =>
    JSON.stringify({
      platform: 'telegram',
      text: TEXTS[index % TEXTS.length],
      entities: [],
      ctx: {
        chat: 'group',
        bot: { id: '1', username: 'ampersat_bot' },
        sender: { id: String(index), username: `user${index}` },
      },
    }),
  );
  const perSecond = (work: (line: string) => string) => {
    const started = performance.now();
    let length = 0;
    for (const line of lines) length += work(line).length;
    if (length === 0) throw new Error('nothing was measured');
    return Math.round(LINES / ((performance.now() - started) / 1_000));
  };
  const baseline = perSecond((line) => JSON.stringify(JSON.parse(line)));
  const value = perSecond((line) => JSON.stringify(parseCommand(JSON.parse(line))));
  return {
    name: 'parser',
    value,
    unit: 'lines/s',
    baseline,
    ratio: Math.round((value / baseline) * 1_000) / 1_000,
    note: 'goal above 1,667 (100,000 a minute)',
  };
}
