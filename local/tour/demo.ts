// `npm run demo`: the tour, told as a story, against a stack of its own (or a running one). Every line is checked; one that does not hold ends it with 1.
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ChainConfig } from '../../src/env.ts';
import type { LocalFile } from '../stack/localFile.ts';
import { type Stack, startStack } from '../stack/stack.ts';
import { overdue, takenBack } from './backs.ts';
import { gatherCast, openClient } from './cast.ts';
import { crossings } from './crossings.ts';
import { discordChat } from './discordChat.ts';
import { doubts } from './doubts.ts';
import { frontDoor } from './frontDoor.ts';
import { newcomer } from './newcomer.ts';
import { once } from './once.ts';
import { orders } from './orders.ts';
import { meet, payments } from './payments.ts';
import { solana } from './solana.ts';
import { stolenKey } from './stolenKey.ts';
import { telegramChat } from './telegramChat.ts';
import { check, type Tour } from './tour.ts';
import { webhooks } from './webhooks.ts';
import { xChat } from './xChat.ts';
import { year } from './year.ts';

const HELP = `npm run demo -- [options]
  --data-dir DIR   use the stack that runs there instead of one of its own
  --json           one JSON line a step
`;

const { values } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}

const started = performance.now();
let number = 0;
function tell(story: string, facts: Record<string, unknown> = {}): void {
  number += 1;
  if (values.json) process.stdout.write(`${JSON.stringify({ step: number, story, ...facts })}\n`);
  else {
    process.stdout.write(`${String(number).padStart(2)}. ${story}\n`);
    for (const [name, value] of Object.entries(facts)) process.stdout.write(`      ${name}: ${String(value)}\n`);
  }
}

async function prepare(local: LocalFile, folder: string, stack: Stack | null): Promise<Tour> {
  const { base } = local.chains;
  check(base !== undefined, 'the chain base runs');
  for (const [name, { url }] of Object.entries(local.platforms))
    check(url !== '', `${name} is the local one: the tour speaks to no one real`);
  const chainsFile = join(folder, 'chains.json');
  const chains = JSON.parse(readFileSync(chainsFile, 'utf8')) as { base: ChainConfig };
  const suffix = stack ? '' : String(1_000 + Math.floor(Math.random() * 9_000));
  const cast = await gatherCast(local, chainsFile, chains.base, suffix);
  return {
    local,
    cast,
    chats: { telegram: telegramChat(local, cast.rosa.telegram.id), discord: discordChat(local), x: xChat(local) },
    client: openClient(base.rpc_url),
    killWorkers: stack ? () => stack.children.workers.kill('SIGKILL') : null,
    tell,
  };
}

async function play(tour: Tour): Promise<void> {
  const { telegram, discord, x } = tour.chats;
  const jokes = [await meet(tour, telegram), await meet(tour, discord), await meet(tour, x)] as const;
  tell(
    'Eight people meet on Telegram, Discord and X. Six of them have an Ampersat handle; Theo and Uwe have no account.',
  );
  await payments(tour, telegram, 'nina', jokes[0]);
  await payments(tour, discord, 'otto', jokes[1]);
  await payments(tour, x, 'pia', jokes[2]);
  await newcomer(tour, 3 + 3 + 3);
  await orders(tour);
  await frontDoor(tour);
  await crossings(tour);
  await solana(tour);
  await webhooks(tour);
  await once(tour);
  await doubts(tour);
  await takenBack(tour);
  if (tour.killWorkers) {
    await year(tour);
    await overdue(tour);
    await stolenKey(tour);
  } else tell('Killing processes and moving the chain’s clock are left out here: others use this stack.');
}

let stack: Stack | null = null;
let folder: string | null = null;
let code = 0;
try {
  const given = values['data-dir'];
  if (given === undefined) {
    folder = mkdtempSync(join(tmpdir(), 'ampersat-demo-'));
    chmodSync(folder, 0o711);
    if (!values.json) process.stdout.write('Starting a stack for the tour…\n\n');
    stack = await startStack({ dataDir: folder, port: 0, chains: ['base', 'celo', 'solana'], fresh: false });
  }
  const home = given ?? folder ?? '';
  const local = stack?.local ?? (JSON.parse(readFileSync(join(home, 'local.json'), 'utf8')) as LocalFile);
  await play(await prepare(local, home, stack));
  if (!values.json)
    process.stdout.write(
      `\nEvery line above was checked, on-chain where money moved. ${((performance.now() - started) / 1_000).toFixed(1)} s in all.\n`,
    );
} catch (error) {
  code = 1;
  process.stderr.write(`The tour stopped: ${(error as Error).message}\n`);
} finally {
  await stack?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
}
process.exit(code);
