// A campaign of hundreds of grants (in a long run five thousand) from a file with forty bad rows, while the workers that send them are killed three times:
// each is paid at most once, the budget and the end hold, and five people who connect later are paid, too.
import { getAddress, pad, parseAbi, toHex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crowd } from '../../local/platforms/loadGenerator.ts';
import type { Address } from '../../src/chain/rpc/client.ts';
import { newId } from '../../src/context.ts';
import { grantCalls, readGrantsFile } from '../../src/domain/grantsFile.ts';
import { handleSkeleton } from '../../src/domain/handles.ts';
import { getCampaign } from '../../src/services/plans/campaigns/campaigns.ts';
import { wake } from '../../src/services/wake.ts';
import { keyOf } from '../setup/api.ts';
import { type Campaigns, campaignsOf } from '../setup/campaigns.ts';
import { isLong } from '../setup/long.ts';
import { processOf, queueEmptier, type Runner, until } from '../setup/processes.ts';
import { serveWorld } from '../setup/visitor.ts';
import { startWorld, type World } from '../setup/world.ts';

const WALLETS = isLong ? 4_955 : 455;
const LATE = 5;
const BAD = 40;
const GOOD = WALLETS + LATE;
const ALL = GOOD + BAD;
const UNITS = 10_000n;
const WITHIN_MS = isLong ? 600_000 : 180_000;
const ADMIN = 'kW3vR8xT1bN6mZ4cQ9yL2hJ7fD5gP0sa';

let world: World;
let campaigns: Campaigns;
let workers: Runner[];
beforeAll(async () => {
  world = await startWorld({ anvil: { blockTimeSeconds: 1 } });
  world.ctx.env.ADMIN_SECRET = ADMIN;
  campaigns = campaignsOf(world);
  workers = [0, 1].map(() => processOf(world, 'workers', {}, { followsClock: true }));
  await campaigns.fund('shop', 10_000_000_000n);
});
afterAll(async () => {
  await Promise.all(workers.map((one) => one.stop()));
  await world.stop();
});

const wallet = (number: number) => getAddress(pad(toHex(0xc0ffee_000000 + number), { size: 20 }));
const late = crowd('late', 3_000, LATE);

/** Forty rows of ten kinds that are wrong, scattered among those that are right. */
function file(): string {
  const bad = [
    'alice,0.01',
    '@no_such_handle_here,0.01',
    '0x123,0.01',
    'telegram:id:abc,0.01',
    `${wallet(1).slice(0, -1)},0.01`,
    ',0.01',
    `${wallet(900_000)},`,
    `${wallet(900_001)},-1`,
    `${wallet(900_002)},"0,01"`,
    `${wallet(900_003)},5.00`,
  ];
  const rows = [
    ...[...Array(WALLETS).keys()].map((number) => `${wallet(number)},0.01`),
    ...late.map(({ telegram }) => `telegram:id:${telegram.id},0.01`),
  ];
  for (let number = 0; number < BAD; number++) rows.splice(number * 11, 0, bad[number % bad.length] ?? '');
  return ['recipient,amount', ...rows].join('\n');
}

/** An account of a person, and its connection, as the pages make them. */
async function connectLate(): Promise<void> {
  const { db, clock } = world.ctx;
  const createdAt = new Date(clock.now());
  for (const { handle, address, telegram } of late) {
    const slug = handle ?? '';
    const caps = { commandCapMicros: 0n, dayCapMicros: 0n };
    const row = { id: newId(world.ctx, 'hdl'), slug, skeleton: handleSkeleton(slug), ...caps, createdAt };
    await db.handle.create({ data: { ...row, wallets: { create: { family: 'evm', address, createdAt } } } });
    const account = { platform: 'telegram', platformUserId: String(telegram.id), handleId: row.id, createdAt };
    await db.connection.create({ data: { id: newId(world.ctx, 'con'), ...account } });
  }
  await db.$transaction((tx) => wake(tx, 'grants'));
}

const balanceOf = (address: Address) =>
  world.reader().readContract({
    address: world.evmChain().usdc,
    abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
    functionName: 'balanceOf',
    args: [address],
  });
const paid = () => world.ctx.db.grant.count({ where: { status: 'paid' } });

test(`${GOOD} grants of a file with ${BAD} bad rows, workers killed three times: each paid once, to the unit`, {
  timeout: 3 * WITHIN_MS,
}, async () => {
  const base = await serveWorld(world);
  const key = await keyOf(world, 'shop', { scopes: ['campaigns', 'read'] });
  // Two grants less than the file has.
  const budget = `${Number(UNITS * BigInt(GOOD - 2)) / 1e6}`;
  const campaign = await campaigns.open('shop', { budget, most_per_grant: '1' });
  const { rows, problems } = readGrantsFile(file());
  expect([rows.length + problems.length, problems.length]).toEqual([ALL, 8]);
  const add = async (call: typeof rows) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ grants: call.map(({ line: _, ...grant }) => grant) });
    const answer = await fetch(`${base}/v1/campaigns/${campaign.id}/grants`, { method: 'POST', headers, body });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { grants: object[]; rejected: { code: string }[] };
  };
  const [first, second] = workers as [Runner, Runner];
  await Promise.all([first.start(), second.start()]);
  const rejected: string[] = [];
  for (const call of grantCalls(rows, 1_000, 900_000))
    for (const { code } of (await add(call)).rejected) rejected.push(code);
  const counts = new Map<string, number>();
  for (const code of rejected) counts.set(code, (counts.get(code) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual({
    recipient_invalid: 4,
    handle_not_found: 1,
    key_repeated: 24,
    amount_invalid: 2,
    grant_too_large: 1,
    budget_exceeded: 2,
  });

  const queues = await queueEmptier(world.databaseUrl);
  const now = GOOD - 2 - LATE + 2;
  for (const [runner, part] of [
    [first, 0.1],
    [second, 0.4],
    [first, 0.7],
  ] as const) {
    await until(async () => (await paid()) >= (now - 2) * part, `${part} are paid`, WITHIN_MS);
    await runner.kill();
    await queues.empty();
    await runner.start();
  }
  await until(
    async () => (await world.ctx.db.grant.count({ where: { status: 'queued', waiting: false } })) === 0,
    'all are sent',
    WITHIN_MS,
  );
  await connectLate();
  const held = await world.ctx.db.grant.count({ where: { status: { notIn: ['failed', 'cancelled'] } } });
  expect(held).toBe(GOOD - 2);
  await until(async () => (await paid()) === held, 'all are paid', WITHIN_MS);
  await queues.close();

  const view = await getCampaign(world.ctx, await campaigns.readerOf('shop'), campaign.id);
  expect(view).toMatchObject({ spent: view.budget, left: '0.00', grants: { paid: held, failed: 0, queued: 0 } });
  const grants = await campaigns.grants(campaign.id);
  for (const { address, units } of grants) expect(await balanceOf(address as Address)).toBe(BigInt(units.toFixed(0)));
  const logs = await world.ctx.db.campaignLog.count({ where: { kind: 'paid' } });
  const events = await world.ctx.db.event.count({ where: { type: 'campaign.grant_paid' } });
  expect([logs, events]).toEqual([held, held]);
});
