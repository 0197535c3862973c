// Repeated errors: one line at once, one with the count; a different error is never swallowed.
import { beforeEach, expect, test } from 'vitest';
import { createLog, type Log } from './log.ts';
import { foldRepeats, type Repeats } from './repeats.ts';

let now: number;
let lines: { msg: string; level: string; repeated?: number; [field: string]: unknown }[];
let repeats: Repeats;
let log: Log;
beforeEach(() => {
  now = 1_000;
  lines = [];
  repeats = foldRepeats(() => now);
  log = createLog('test', 'info', [], { write: (line) => void lines.push(JSON.parse(line)) }, repeats);
});
const told = () => lines.map(({ msg, repeated }) => (repeated === undefined ? msg : `${msg} #${repeated}`));

test('the first at once, the others as one line after a minute, with the fields of the last', () => {
  for (let attempts = 1; attempts <= 30; attempts++) {
    log.error({ err: new Error('refused'), tip: 'tip_1', attempts }, 'a leg waits');
    now += 1_000;
  }
  repeats.round();
  expect(told()).toEqual(['a leg waits']);
  now += 31_000;
  repeats.round();
  expect(told()).toEqual(['a leg waits', 'a leg waits (repeated 29 times within a minute) #29']);
  expect(lines[1]).toMatchObject({ level: 'error', tip: 'tip_1', attempts: 30, err: { message: 'refused' } });
});

test('what goes on is one line a minute, and what begins again later is a line at once', () => {
  for (let second = 0; second < 180; second++) {
    log.warn({ chain: 'base' }, 'waits');
    now += 1_000;
  }
  expect(lines).toHaveLength(3);
  now += 60_000;
  repeats.round();
  expect(lines.reduce((sum, { repeated }) => sum + (repeated ?? 1), 0)).toBe(180);
  now += 60_000;
  repeats.round();
  log.warn({ chain: 'base' }, 'waits');
  expect(told().at(-1)).toBe('waits');
});

test('a different error, row, level, logger or sentence is a line of its own', () => {
  log.error({ err: new Error('a'), tip: 'tip_1' }, 'failed');
  log.error({ err: new Error('b'), tip: 'tip_1' }, 'failed');
  log.error({ err: new TypeError('a'), tip: 'tip_1' }, 'failed');
  log.error({ err: new Error('a'), tip: 'tip_2' }, 'failed');
  log.warn({ err: new Error('a'), tip: 'tip_1' }, 'failed');
  log.error({ err: new Error('a'), tip: 'tip_1' }, 'failed otherwise');
  log.child({ part: 'x' }).error({ err: new Error('a'), tip: 'tip_1' }, 'failed');
  log.error(new Error('a'));
  log.error('a');
  expect(lines).toHaveLength(9);
  repeats.flush();
  expect(lines).toHaveLength(9);
});

test('an outage that names how long it took is the same outage', () => {
  log.warn({ err: new Error('no answer after 10003 ms') }, 'away');
  log.warn({ err: new Error('no answer after 9998 ms') }, 'away');
  expect(lines).toHaveLength(1);
});

test('information is never counted, and shutdown tells the rest', () => {
  log.info({ intent: 'int_1' }, 'route');
  log.info({ intent: 'int_1' }, 'route');
  log.error('gone');
  log.error('gone');
  log.error(new Error('lost'));
  log.error(new Error('lost'));
  expect(told()).toEqual(['route', 'route', 'gone', 'lost']);
  repeats.flush();
  expect(told().slice(4)).toEqual(['gone (repeated once within a minute) #1', '(repeated once within a minute) #1']);
  expect(lines.at(-1)).toMatchObject({ err: { message: 'lost' } });
  repeats.flush();
  expect(lines).toHaveLength(6);
});

test('many different errors are not held for ever: the oldest is closed with its count', () => {
  for (let i = 0; i < 2; i++) log.error({ tip: 'tip_0' }, 'failed');
  for (let i = 1; i <= 500; i++) log.error({ tip: `tip_${i}` }, 'failed');
  expect(lines).toHaveLength(502);
  expect(lines.filter(({ repeated }) => repeated === 1)).toMatchObject([{ tip: 'tip_0' }]);
});
