/** `ampersat parse`: lines in, lines out, at any size and any pace. */
import { PassThrough, Readable, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { message } from '../domain/command/corpus/people.ts';
import { runParse } from './parse.ts';

const INVALID = '{"kind":"error","code":"input_invalid"}';
const TIP = JSON.stringify(message('telegram', 'dm', '/tip @bob 5 for café 🎉'));
const TIP_ANSWER =
  '{"kind":"tip","recipients":[{"by":"handle","value":"bob"}],"amount":"5","unit":"USDC","mode":"each","memo":"café 🎉"}';

async function run(chunks: Iterable<string | Buffer>): Promise<string> {
  let written = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      written += chunk;
      done();
    },
  });
  await runParse(Readable.from(chunks), stdout);
  return written;
}

it('answers every non-empty line in order, and goes on after one that is not JSON', async () => {
  const lines = [TIP, 'nope', '', '   ', 'null', '{"a":1}', `${TIP}\r`, '[1,2', TIP];
  const answers = [TIP_ANSWER, INVALID, INVALID, INVALID, TIP_ANSWER, INVALID, TIP_ANSWER];
  expect(await run([lines.join('\n')])).toBe(`${answers.join('\n')}\n`);
});

it('writes nothing for an empty input', async () => {
  expect(await run([])).toBe('');
  expect(await run(['\n\n'])).toBe('');
});

it('reads past a byte order mark at the beginning', async () => {
  expect(await run([`\ufeff${TIP}\n`])).toBe(`${TIP_ANSWER}\n`);
});

it('puts characters together that were cut between two chunks', async () => {
  const bytes = Buffer.from(`${TIP}\n${TIP}`);
  const single = Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
  expect(await run(single)).toBe(`${TIP_ANSWER}\n${TIP_ANSWER}\n`);
});

it('answers a line without end as invalid without keeping it, and reads on behind it', async () => {
  function* chunks() {
    for (let megabyte = 0; megabyte < 512; megabyte += 1) yield 'x'.repeat(1_048_576);
    yield `\n${TIP}\n${'['.repeat(1_000_000)}\n`;
  }
  const before = process.memoryUsage().heapUsed;
  expect(await run(chunks())).toBe(`${INVALID}\n${TIP_ANSWER}\n${INVALID}\n`);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(256 * 1_048_576);
});

it('waits for a slow reader instead of piling up answers', async () => {
  let read = 0;
  let made = 0;
  const chunk = `${TIP}\n`.repeat(1000);
  function* chunks() {
    for (; made < 20_000; made += 1000) yield chunk;
  }
  const stdout = new Writable({
    highWaterMark: 1024,
    write(piece, _encoding, done) {
      read += String(piece).split('\n').length - 1;
      expect(made - read).toBeLessThan(5000);
      setImmediate(done);
    },
  });
  await runParse(Readable.from(chunks()), stdout);
  expect(read).toBe(20_000);
});

it('ends quietly when the reader goes away', async () => {
  const stdin = new PassThrough();
  const stdout = new Writable({
    highWaterMark: 1,
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    },
  });
  const finished = runParse(stdin, stdout);
  stdin.write(`${TIP}\n`.repeat(5000));
  await expect(finished).resolves.toBeUndefined();
});

it('throws what else goes wrong with the output', async () => {
  const stdout = new Writable({
    write(_chunk, _encoding, done) {
      done(new Error('disk full'));
    },
  });
  await expect(runParse(Readable.from([`${TIP}\n`.repeat(5000)]), stdout)).rejects.toThrow('disk full');
});

it('answers each of many lines, in their order', async () => {
  const lines = 20_000;
  const written = await run([`${TIP}\n`.repeat(lines)]);
  expect(written.split('\n')).toHaveLength(lines + 1);
});
