// `ampersat campaigns`, `plans` and `subscriptions` against the real API of a world.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { keyOf } from '../../test/setup/api.ts';
import { type Campaigns, campaignsOf } from '../../test/setup/campaigns.ts';
import { type CommandLine, commandLine } from '../../test/setup/cli.ts';
import { MONTH_S } from '../../test/setup/subscriptions.ts';
import { serveWorld } from '../../test/setup/visitor.ts';
import { startWorld, type World } from '../../test/setup/world.ts';
import { SCOPES } from '../domain/apiKey.ts';
import { shortId } from './tables.ts';

let world: World;
let campaigns: Campaigns;
let run: CommandLine;
beforeAll(async () => {
  world = await startWorld();
  campaigns = campaignsOf(world);
  const base = await serveWorld(world);
  run = commandLine({ AMPERSAT_BASE_URL: base, AMPERSAT_API_KEY: await keyOf(world, 'shop', { scopes: [...SCOPES] }) });
});
afterAll(() => world.stop());

test('a campaign is created, filled from a file, paid, listed and cancelled', async () => {
  expect(await run(['campaigns', 'list'])).toMatchObject({ code: 0, out: '', err: 'No campaigns yet.\n' });
  const expires = new Date(world.ctx.clock.now() + 7 * 86_400_000).toISOString();
  const flags = [
    '--name',
    'Rewards',
    '--chain',
    'base',
    '--budget',
    '10',
    '--most-per-grant',
    '2',
    '--expires',
    expires,
  ];
  const created = await run(['campaigns', 'create', ...flags, '--json']);
  expect(created, created.err).toMatchObject({ code: 0, err: '' });
  const [campaign] = created.json;
  expect(campaign).toMatchObject({ status: 'pending_create', budget: '10.00', most_per_grant: '2.00' });
  const shown = await run(['campaigns', 'get', shortId(campaign.id)]);
  for (const part of [campaign.id, 'Rewards', '10.00 USDC on base, at most 2.00 each', 'none', campaign.url])
    expect(shown.out).toContain(part);

  const file = join(world.folder, 'grants.csv');
  writeFileSync(file, 'recipient,amount,key\n@alice,1.50,a\n@bob,9,b\n@nobody_here,1,c\ntelegram:id:4242,1,d\n');
  const imported = await run(['campaigns', 'import', campaign.id, file]);
  expect(imported.code).toBe(1);
  expect(imported.out).toBe(
    'line 3: The amount is above the campaign’s limit for one grant.\nline 4: No such handle. Check the spelling.\n2 grants queued, 2 rows rejected\n',
  );
  const again = await run(['campaigns', 'import', campaign.id, file, '--json']);
  expect(again.json).toMatchObject([
    { campaign: campaign.id, queued: 0, existing: 2, rejected: [{ line: 3 }, { line: 4 }] },
  ]);
  expect((await run(['campaigns', 'import', campaign.id, file])).out).toContain(
    '0 grants queued, 2 in the campaign already, 2 rows rejected\n',
  );
  expect(await run(['campaigns', 'import', campaign.id, `${file}x`])).toMatchObject({ code: 2 });

  await campaigns.openOnChain('shop', campaign);
  await campaigns.dispatch();
  const list = await run(['campaigns', 'list']);
  expect(list.out).toMatch(/^cgr_\w+ +active +10.00 USDC +1.50 +1\/2 +base +20[\d-]+ [\d:]+ +Rewards$/m);
  const grants = await run(['campaigns', 'grants', campaign.id]);
  expect(grants.out).toMatch(/^a +paid +@alice +1.50 USDC$/m);
  expect(grants.out).toMatch(/^d +waiting for an account +telegram:id:4242 +1.00 USDC$/m);
  const cancelled = await run(['campaigns', 'cancel', campaign.id, '--key', 'd']);
  expect(cancelled.out).toMatch(/^grants +1 paid, 1 cancelled$/m);
  expect((await run(['campaigns', 'grants', campaign.id, '--status', 'failed'])).err).toBe(
    'No grants match this filter.\n',
  );
});

test('plans and subscriptions are listed and shown, with their charges', async () => {
  expect((await run(['plans', 'list'])).err).toBe('No plans yet. Create one under /plans.\n');
  expect((await run(['subscriptions', 'list'])).err).toBe('No subscriptions yet.\n');
  const plan = await campaigns.create('shop');
  await campaigns.approve('alice', 100_000_000n);
  await campaigns.subscribe('alice', plan);
  await campaigns.settle();
  await campaigns.later(MONTH_S + 60);
  await campaigns.charge();
  const [row] = (await run(['plans', 'list', '--json'])).json;
  const shown = await run(['plans', 'get', shortId(row.id)]);
  for (const part of [row.id, 'active', '2.00 USDC every 30 days on base', '0.02 USDC; you get 1.98', row.url])
    expect(shown.out).toContain(part);
  const list = await run(['subscriptions', 'list', '--plan', row.id, '--subscriber', '@alice']);
  expect(list.out).toMatch(/^sub_\w+ +active +@alice +2 +4.00 USDC +20/m);
  const [sub] = (await run(['subscriptions', 'list', '--json'])).json;
  expect((await run(['subscriptions', 'get', shortId(sub.id)])).out).toContain('2, 4.00 USDC in all');
  const charges = await run(['subscriptions', 'charges', sub.id]);
  expect(charges.out).toMatch(/^charge +amount +charged +until +transaction\n2 +2.00 USDC /);
  expect((await run(['subscriptions', 'list', '--status', 'halted'])).err).toBe(
    'No subscriptions match these filters.\n',
  );
});
