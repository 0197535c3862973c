// On each family of chains a campaign of hundreds of grants (in a long run five thousand) from a file with forty bad rows, while the workers that send them are killed three times:
// each is paid at most once, the budget and the end hold, and five people who connect later are paid, too.
import { getAddress, pad, parseAbi, toHex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { crowd } from '../../local/platforms/loadGenerator.ts';
import { localSolanaKey } from '../../local/solana/keys.ts';
import type { Address } from '../../src/chain/rpc/client.ts';
import { newId } from '../../src/context.ts';
import { grantCalls, readGrantsFile } from '../../src/domain/grantsFile.ts';
import { handleSkeleton } from '../../src/domain/handles.ts';
import { familyOf } from '../../src/domain/walletFamily.ts';
import { getCampaign, openingCalls, openSigned } from '../../src/services/plans/campaigns/campaigns.ts';
import { callOf } from '../../src/services/spending/sponsoredCalls.ts';
import { wake } from '../../src/services/wake.ts';
import { keyOf } from '../setup/api.ts';
import { type Campaigns, campaignsOf } from '../setup/campaigns.ts';
import { isLong } from '../setup/long.ts';
import { processOf, queueEmptier, type Runner, until } from '../setup/processes.ts';
import { signTransaction } from '../setup/signer.ts';
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

type Input = { budget: string; most_per_grant: string };
/** A chain on which a campaign is paid. */
type Ground = {
  wallet(number: number): string;
  /** What is no address, made of one. */
  wrong(address: string): string;
  balanceOf(address: string): Promise<bigint>;
  /** Of someone who connects later: the address of their wallet here. */
  lateWallet(person: (typeof late)[number]): string;
  /** @param start the workers, which may be needed for it */
  open(input: Input, start: () => Promise<void>): Promise<{ id: string }>;
};
const late = crowd('late', 3_000, LATE);

function base(world: World, campaigns: Campaigns): Ground {
  const abi = parseAbi(['function balanceOf(address) view returns (uint256)']);
  return {
    wallet: (number) => getAddress(pad(toHex(0xc0ffee_000000 + number), { size: 20 })),
    wrong: (address) => address.slice(0, -1),
    balanceOf: (address) => {
      const args = [address as Address] as const;
      return world.reader().readContract({ address: world.evmChain().usdc, abi, functionName: 'balanceOf', args });
    },
    lateWallet: ({ address }) => address,
    async open(input, start) {
      await campaigns.fund('shop', 10_000_000_000n);
      const campaign = await campaigns.open('shop', input);
      await start();
      return campaign;
    },
  };
}

/** Everyone has a USDC account: we open few of them. */
function solana(world: World, campaigns: Campaigns): Ground {
  const side = world.solana;
  const known = new Set<string>();
  const ready = (name: string) => {
    if (!known.has(name)) side.person(name, { lamports: 0n, usdc: 0n });
    known.add(name);
    return side.addressOf(name);
  };
  return {
    wallet: (number) => (number < WALLETS ? ready(`grantee ${number}`) : side.addressOf(`grantee ${number}`)),
    wrong: (address) => address.slice(0, -2),
    balanceOf: async (address) => side.usdcOf(address),
    lateWallet: ({ handle }) => ready(`late ${handle}`),
    async open(input, start) {
      const reader = await campaigns.readerOf('shop');
      const campaign = await campaigns.stage('shop', { chain: 'solana', recipients: ALL, ...input });
      await start();
      const keys = () => world.ctx.db.executorKey.count({ where: { chain: 'solana' } });
      await until(async () => (await keys()) > 0, 'a key of Solana is in use');
      const isOpen = async () => (await campaigns.campaign(campaign.id)).status === 'active';
      // A block hash may be over before a busy machine has sent what was signed with it: then its wallet signs again.
      while (!(await isOpen())) {
        const prepared = await openingCalls(world.ctx, reader, campaign.id);
        if (!('solana_transaction' in prepared)) throw new Error('its wallet sends');
        const signed = signTransaction(localSolanaKey('shop'), prepared.solana_transaction);
        const { request } = await openSigned(world.ctx, reader, campaign.id, signed);
        const isOver = async () => (await callOf(world.ctx, reader.workspaceId, request.id)).status === 'failed';
        await until(async () => (await isOpen()) || (await isOver()), 'the campaign is open', WITHIN_MS);
      }
      return campaign;
    },
  };
}

describe.each([
  ['Base', base],
  ['Solana', solana],
] as const)('on %s', (_name, groundOf) => {
  let world: World;
  let campaigns: Campaigns;
  let workers: Runner[];
  let ground: Ground;
  beforeAll(async () => {
    // Slots of a fifth of a second; final two seconds after they are confirmed.
    const chains =
      groundOf === solana ? { solana: { slotMs: 200, finalizedAfter: 10 } } : { anvil: { blockTimeSeconds: 1 } };
    world = await startWorld(chains);
    world.ctx.env.ADMIN_SECRET = ADMIN;
    campaigns = campaignsOf(world);
    ground = groundOf(world, campaigns);
    workers = [0, 1].map(() => processOf(world, 'workers', {}, { followsClock: true }));
  });
  afterAll(async () => {
    await Promise.all(workers.map((one) => one.stop()));
    await world.stop();
  });

  const wallet = (number: number) => ground.wallet(number);

  /** Forty rows of ten kinds that are wrong, scattered among those that are right. */
  function file(): string {
    const bad = [
      'alice,0.01',
      '@no_such_handle_here,0.01',
      '0x123,0.01',
      'telegram:id:abc,0.01',
      `${ground.wrong(wallet(1))},0.01`,
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
    for (const person of late) {
      const { handle, telegram } = person;
      const slug = handle ?? '';
      const address = ground.lateWallet(person);
      const caps = { commandCapMicros: 0n, dayCapMicros: 0n };
      const row = { id: newId(world.ctx, 'hdl'), slug, skeleton: handleSkeleton(slug), ...caps, createdAt };
      await db.handle.create({
        data: { ...row, wallets: { create: { family: familyOf(address), address, createdAt } } },
      });
      const account = { platform: 'telegram', platformUserId: String(telegram.id), handleId: row.id, createdAt };
      await db.connection.create({ data: { id: newId(world.ctx, 'con'), ...account } });
    }
    await db.$transaction((tx) => wake(tx, 'grants'));
  }

  const paid = () => world.ctx.db.grant.count({ where: { status: 'paid' } });

  test(`${GOOD} grants of a file with ${BAD} bad rows, workers killed three times: each paid once, to the unit`, {
    timeout: 3 * WITHIN_MS,
  }, async () => {
    const url = await serveWorld(world);
    const key = await keyOf(world, 'shop', { scopes: ['campaigns', 'read'] });
    // Two grants less than the file has.
    const budget = `${Number(UNITS * BigInt(GOOD - 2)) / 1e6}`;
    const [first, second] = workers as [Runner, Runner];
    const start = async () => void (await Promise.all([first.start(), second.start()]));
    // Accounts of a cluster in this process are made before its slots count.
    const text = file();
    for (const person of late) ground.lateWallet(person);
    const campaign = await ground.open({ budget, most_per_grant: '1' }, start);
    const { rows, problems } = readGrantsFile(text);
    expect([rows.length + problems.length, problems.length]).toEqual([ALL, 8]);
    const add = async (call: typeof rows) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ grants: call.map(({ line: _, ...grant }) => grant) });
      const answer = await fetch(`${url}/v1/campaigns/${campaign.id}/grants`, { method: 'POST', headers, body });
      expect(answer.status).toBe(200);
      return (await answer.json()) as { grants: object[]; rejected: { code: string }[] };
    };
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
    for (const { address, units } of grants)
      expect(await ground.balanceOf(address ?? '')).toBe(BigInt(units.toFixed(0)));
    const logs = await world.ctx.db.campaignLog.count({ where: { kind: 'paid' } });
    const events = await world.ctx.db.event.count({ where: { type: 'campaign.grant_paid' } });
    expect([logs, events]).toEqual([held, held]);
  });
});
