// The Solana chain of a data directory over several starts: what was there is there again, what does not fit is said in one line.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tokenAccount } from '../../src/chain/solana/addresses.ts';
import { StartError } from '../../src/domain/errors.ts';
import { depositoryAddress } from '../bridge/solanaPlace.ts';
import { readAccount } from '../solana/accounts.ts';
import { airdrop } from '../solana/genesis.ts';
import { localSolanaKey } from '../solana/keys.ts';
import { openBlockOf } from '../solana/ledger.ts';
import { moveClockTo } from '../solana/slots.ts';
import { tokenAccountOf } from '../solana/tokens.ts';
import { seedSolana } from '../stack/seedSolana.ts';
import {
  type EmbeddedSolana,
  type SolanaStartOptions,
  solanaChainConfig,
  solanaEnvironment,
  solanaSignerEnvironment,
  startEmbeddedSolana,
} from './embeddedSolana.ts';

let dataDir: string;
let closers: SolanaStartOptions['closers'];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'ampersat-solana-'));
  closers = [];
});
afterEach(async () => {
  await stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function stop(): Promise<void> {
  for (const close of closers.splice(0)) await close();
}
function start(options: Partial<SolanaStartOptions> = {}): Promise<EmbeddedSolana> {
  return startEmbeddedSolana({ dataDir, origins: [], clock: Date.now, closers, log: () => {}, ...options });
}
const refused = async (options: Partial<SolanaStartOptions>, message: string | RegExp) => {
  const starting = start(options);
  await expect(starting).rejects.toThrow(StartError);
  await expect(starting).rejects.toThrow(message);
};
const people = ['alice', 'bob', 'carol', 'shop'].map((name) => localSolanaKey(name).address);
function belongings({ ledger, usdc }: EmbeddedSolana) {
  return people.map((owner) => [
    readAccount(ledger, owner)?.lamports,
    tokenAccountOf(readAccount(ledger, tokenAccount(owner, usdc).address))?.amount,
  ]);
}

test('the next start has the same chain: its genesis, its program and what people have, and seeding again gives nothing', async () => {
  const first = await start();
  seedSolana(first);
  expect(belongings(first)).toEqual(people.map(() => [10_000_000_000n, 1_000_000_000n]));
  expect(readAccount(first.ledger, localSolanaKey('dave').address)).toBeNull();
  const allowed = (name: string, { ledger, usdc, fixed }: EmbeddedSolana) =>
    tokenAccountOf(readAccount(ledger, tokenAccount(localSolanaKey(name).address, usdc).address))?.delegate ===
    fixed.spender;
  expect(['alice', 'bob', 'shop', 'carol'].map((name) => allowed(name, first))).toEqual([true, true, true, false]);
  airdrop(first.ledger, people[0] ?? '', 1_000_000_000);
  await stop();
  const second = await start();
  const { transactionCount } = second.ledger;
  seedSolana(second);
  expect(second.ledger.transactionCount).toBe(transactionCount);
  expect(belongings(second)[0]).toEqual([11_000_000_000n, 1_000_000_000n]);
  expect([second.genesisHash, second.program]).toEqual([first.genesisHash, first.program]);
});

test('another program in the data directory is refused with what to do', async () => {
  await start();
  await stop();
  const image = Buffer.from(readFileSync(join(import.meta.dirname, '../../contracts/solana/program.so')));
  image[image.length - 9] = (image[image.length - 9] ?? 0) ^ 1;
  await refused(
    { image },
    'The chain solana in the data directory has another program than this checkout. Start over: npm start -- --fresh',
  );
});

test('a port in use and a state that is none are said in one line', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  await refused(
    { port },
    `The local Solana chain cannot start: port ${port} is taken by another program. Free it or choose another.`,
  );
  other.close();
  mkdirSync(join(dataDir, 'chains'), { recursive: true });
  writeFileSync(join(dataDir, 'chains/solana.state'), 'no state');
  await refused(
    {},
    /^The state of the local Solana chain cannot be read: .*solana\.state\. Delete it to start over\.$/,
  );
});

test('a chain that was moved just before a kill goes on from its own time, until the clock is there as well', async () => {
  const { ledger } = await start();
  const ahead = Date.now() + 3 * 86_400_000;
  moveClockTo(ledger, ahead);
  await stop();
  let offsetMs = 0;
  const again = await start({ clock: () => Date.now() + offsetMs });
  const { slot, timeMs } = openBlockOf(again.ledger);
  expect(timeMs).toBeGreaterThanOrEqual(ahead);
  await expect.poll(() => openBlockOf(again.ledger).slot).toBeGreaterThan(slot + 1);
  offsetMs = 4 * 86_400_000;
  moveClockTo(again.ledger, Date.now() + offsetMs);
  expect(Math.abs(openBlockOf(again.ledger).timeMs - Date.now() - offsetMs)).toBeLessThan(5_000);
});

test('the authority’s key is the signer’s alone, and executors’ keys are not the signer’s', async () => {
  const solana = await start();
  const { roles, program, usdc, rpcUrl } = solana;
  expect(solanaChainConfig(solana)).toEqual({
    rpcUrls: [rpcUrl],
    program,
    usdc,
    pollMs: 200,
    relay: [depositoryAddress()],
    local: true,
  });
  expect(solanaEnvironment(solana)).toEqual({
    SOLANA_EXECUTOR_KEYS: roles.executors.map(({ secret }) => secret).join(','),
    SOLANA_AUTHORITY_KEY: '',
  });
  // What a shell has for the deploy script is no chain of this stack.
  expect(new Set(Object.values(solanaEnvironment(null)))).toEqual(new Set(['']));
  expect(solanaSignerEnvironment(solana)).toEqual({
    SOLANA_AUTHORITY_KEY: roles.authority.secret,
    SOLANA_EXECUTOR_KEYS: '',
  });
});
