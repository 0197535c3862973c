// What the bundles of the processes contain: those that hold no executor's key hold no code that signs or sends transactions of ours either.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../src/root.ts';

/** Functions of src/chain/rpc and services/outgoing that sign, broadcast or replace; bundles keep names. */
const SENDING = [
  'signCall',
  'broadcast',
  'signAndStore',
  'submitQueued',
  'broadcastOpen',
  'replaceAttempt',
  'sendQueued',
];
const bundle = (name: string) => readFileSync(join(ROOT, `dist/${name}.mjs`), 'utf8');
const has = (text: string, name: string) => new RegExp(`function ${name}\\(`).test(text);

test.each(['api', 'bots', 'signer'])('the bundle of %s contains nothing that signs or sends a transaction', (name) => {
  const text = bundle(name);
  expect(SENDING.filter((one) => has(text, one))).toEqual([]);
});

test('the bundle of the workers contains all of it', () => {
  const text = bundle('workers');
  expect(SENDING.filter((one) => !has(text, one))).toEqual([]);
});

test('what pauses with the guardian’s key is in the bundle of the watchdog alone, which has nothing of the executors', () => {
  for (const one of ['sendPause', 'sendSolanaPause']) {
    const pausing = (name: string) => has(bundle(name), one);
    expect(['api', 'bots', 'signer', 'workers', 'watchdog'].filter(pausing), one).toEqual(['watchdog']);
  }
  const own = ['signAndStore', 'submitQueued', 'broadcastOpen', 'replaceAttempt', 'sendQueued'];
  expect(own.filter((one) => has(bundle('watchdog'), one))).toEqual([]);
});
