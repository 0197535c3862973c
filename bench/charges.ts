// How fast due subscriptions are charged, from due to final, against a bare loop that sends the same batches; and what a charge costs in gas.
import pg from 'pg';
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  parseEther,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { mintUsdc } from '../local/chains/deploy/usdc.ts';
import { crowd } from '../local/platforms/loadGenerator.ts';
import { localKey, type Person } from '../local/stack/people.ts';
import { ROLES } from '../local/stack/roles.ts';
import type { Stack } from '../local/stack/stack.ts';
import { subscriptionRouterAbi } from '../src/chain/routers/abis/SubscriptionRouter.ts';
import { encodeCharges, encodeCreatePlan, encodeSubscribe, planIdHash } from '../src/chain/routers/subscription.ts';
import type { Address } from '../src/chain/rpc/client.ts';
import { waitForReceipt } from '../src/chain/rpc/receipts.ts';
import type { Row } from './main.ts';

const WALLETS = 60;
/** Plans of either half: ours, and those of the bare loop. */
const PLANS = 50;
const EACH = WALLETS * PLANS;
const BATCH = 50;
const AMOUNT = 1_000_000n;
const PERIOD_S = 3_600;
const WITHIN_MS = 500_000;

const ratio = (value: number, baseline: number) => Math.round((value / baseline) * 100) / 100;
const perSecond = (ms: number) => Math.round(EACH / (ms / 1_000));

export async function measureCharges(stack: Stack): Promise<Row[]> {
  const base = stack.chains.find(({ name }) => name === 'base');
  const rpcUrl = base?.config.rpcUrls[0];
  if (!base || !rpcUrl) throw new Error('the bench runs on base');
  const router = base.config.routers.subscription as Address;
  const usdc = base.config.usdc as Address;
  const transport = http(rpcUrl, { timeout: 60_000 });
  const reader = createPublicClient({ transport, pollingInterval: 20 });
  const admin = createTestClient({ mode: 'anvil', transport });
  const db = new pg.Client({ connectionString: stack.processEnv['DATABASE_URL'] ?? '' });
  await db.connect();
  try {
    const creator = createWalletClient({ account: privateKeyToAccount(localKey('bench creator').key), transport });
    const payers = crowd('charged', 9_000, WALLETS);
    for (const address of [creator.account.address, ...payers.map((one) => one.address as Address)])
      await admin.setBalance({ address, value: parseEther('10') });
    await mintUsdc({ rpcUrl, usdc, to: payers.map((one) => one.address as Address), amount: AMOUNT * 1_000n });
    const [own, bare] = [await makePlans('own'), await makePlans('bare')];
    await Promise.all(payers.map((payer) => subscribeAll(payer, [...own, ...bare])));
    const where = 'plan_key = any($1)';
    const count = async (sql: string, keys: readonly Hex[]) =>
      ((await db.query(`select count(*)::int as count from subscription where ${where} and ${sql}`, [keys])).rows[0]
        ?.count ?? 0) as number;
    await until(async () => (await count('charges_paid = 1', [...own, ...bare])) === 2 * EACH);
    // The chain is an hour ahead from here on: everything is due at the router.
    await admin.increaseTime({ seconds: PERIOD_S + 60 });
    await admin.mine({ blocks: 1 });
    const loop = await bareLoop(bare, payers);
    await until(async () => (await count('charges_paid = 2', bare)) === EACH);

    const began = performance.now();
    const since = new Date(Date.now() - 1);
    await db.query(`update subscription set next_charge_at = now() - interval '1 second' where ${where}`, [own]);
    await db.query("select pg_notify('ampersat_wake', 'charges')");
    await until(async () => (await mined(since)) === EACH);
    const inBlocks = performance.now() - began;
    await until(async () => (await count('charges_paid = 2', own)) === EACH);
    const final = performance.now() - began;
    return [
      {
        name: 'subscriptions that are charged, due to final',
        value: perSecond(final),
        unit: '/s',
        note: `${EACH} of them; goal 150`,
      },
      {
        name: 'subscriptions that are charged, due to in a block',
        value: perSecond(inBlocks),
        unit: '/s',
        baseline: perSecond(loop.ms),
        ratio: ratio(perSecond(inBlocks), perSecond(loop.ms)),
        note: `goal: ratio 0.6; baseline: a bare loop that sends batches of ${BATCH} and waits for their blocks`,
      },
      {
        name: `gas a charge in a batch of ${BATCH}`,
        value: loop.gas,
        unit: 'gas',
        baseline: loop.plain,
        ratio: ratio(loop.gas, loop.plain),
        note: 'baseline: a plain transferFrom of the same token',
      },
    ];

    async function mined(after: Date): Promise<number> {
      const sql =
        'select coalesce(sum(size), 0)::int as count from charge_batch where created_at >= $1 and outcomes is not null';
      return ((await db.query(sql, [after])).rows[0]?.count ?? 0) as number;
    }

    async function makePlans(name: string): Promise<Hex[]> {
      const keys: Hex[] = [];
      for (let number = 0; number < PLANS; number++) {
        const id = planIdHash(`${name} ${number} ${Date.now()}`);
        const data = encodeCreatePlan({ planIdHash: id, token: usdc, amount: AMOUNT, period: PERIOD_S });
        const hash = await creator.sendTransaction({ to: router, data, chain: null, gas: 300_000n });
        await waitForReceipt(reader, hash);
        const args = [creator.account.address, id, usdc, AMOUNT, PERIOD_S] as const;
        keys.push(
          await reader.readContract({ address: router, abi: subscriptionRouterAbi, functionName: 'planKeyOf', args }),
        );
      }
      return keys;
    }

    async function subscribeAll({ address, key }: Person, keys: readonly Hex[]): Promise<void> {
      const wallet = createWalletClient({ account: privateKeyToAccount(key), transport });
      const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [router, AMOUNT * 1_000n] });
      const fees = { chain: null, gas: 400_000n, maxFeePerGas: 10n ** 11n, type: 'eip1559' } as const;
      await wallet.sendTransaction({ to: usdc, data: approve, nonce: 0, ...fees });
      for (const [index, planKey] of keys.entries()) {
        const terms = { planKey, subscriber: address as Address, amount: AMOUNT, period: PERIOD_S };
        const data = encodeSubscribe(terms, { way: 'direct' });
        await wallet.sendTransaction({ to: router, data, nonce: index + 1, ...fees });
      }
    }

    async function bareLoop(keys: readonly Hex[], from: Person[]): Promise<{ ms: number; gas: number; plain: number }> {
      const charges = keys.flatMap((planKey) =>
        from.map(({ address }) => ({ planKey, subscriber: address as Address })),
      );
      const start = performance.now();
      const nonce = await reader.getTransactionCount({ address: creator.account.address });
      const hashes: Hex[] = [];
      for (let at = 0; at < charges.length; at += BATCH) {
        const data = encodeCharges(charges.slice(at, at + BATCH));
        hashes.push(
          await creator.sendTransaction({ to: router, data, chain: null, gas: 6_000_000n, nonce: nonce + at / BATCH }),
        );
      }
      let gas = 0n;
      for (const hash of hashes) gas += (await waitForReceipt(reader, hash)).gasUsed;
      const ms = performance.now() - start;
      return { ms, gas: Math.round(Number(gas) / charges.length), plain: await plainTransfer(from[0]) };
    }

    /** A transferFrom between two wallets that have held the token before. */
    async function plainTransfer(payer: Person | undefined): Promise<number> {
      const owner = createWalletClient({ account: privateKeyToAccount(payer?.key ?? '0x'), transport });
      const token = { address: usdc, abi: erc20Abi, chain: null } as const;
      const { address: spender } = creator.account;
      const to = ROLES.treasury.address as Address;
      await waitForReceipt(
        reader,
        await owner.writeContract({ ...token, functionName: 'approve', args: [spender, 10n ** 12n] }),
      );
      const args = [owner.account.address, to, 1n] as const;
      const hash = await creator.writeContract({ ...token, functionName: 'transferFrom', args });
      return Number((await waitForReceipt(reader, hash)).gasUsed);
    }
  } finally {
    await db.end();
  }
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('the bench waited in vain for its subscriptions');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
