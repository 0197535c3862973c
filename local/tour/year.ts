// A year of a subscription, on a clock that is moved: twelve charges, one of which fails and is cured; one subscriber cancels, one ends unpaid.
import { type Address, encodeFunctionData, erc20Abi, formatUnits } from 'viem';
import { createAmpersat } from '../../sdk/index.ts';
import { localPersonOf } from '../../src/cli/localPeople.ts';
import { advance, createPlan, manage, type Plan, subscribe } from '../../src/cli/planActs.ts';
import { sendAs } from '../../src/cli/playWallet.ts';
import type { TriggerContext } from '../../src/cli/scene.ts';
import { moved, readLedger } from './ledger.ts';
import { check, type Tour, until } from './tour.ts';

const DAY_S = 86_400;
const MONTH_S = 30 * DAY_S;
/** A charge is made a few seconds after it is due, and the next one counts from there. */
const HOUR_S = 3_600;
const WITHIN_MS = 180_000;
const POCKET = 30_000_000n;

type Year = {
  tour: Tour;
  plan: Plan;
  ids: Record<'alice' | 'bob' | 'carol', string>;
  scene(name: string): TriggerContext;
};

/** The clock of the whole stack is moved: not where others use it. */
export async function year(tour: Tour): Promise<void> {
  const shop = tour.local.accounts['shop'];
  check(typeof shop?.api_key === 'string', 'the shop has a test key');
  const api = createAmpersat({ apiKey: shop.api_key, baseUrl: tour.local.base_url });
  const signal = AbortSignal.timeout(WITHIN_MS);
  const scene = (name: string): TriggerContext => ({
    people: tour.local,
    account: localPersonOf(tour.local, 'shop'),
    other: localPersonOf(tour.local, name),
    api,
    fields: {},
    tell: () => {},
    signal,
  });
  for (const name of ['bob', 'carol']) await pocketMoney(tour, scene('alice'), name);
  const before = await readLedger(tour);
  const plan = await createPlan(scene('alice'));
  const ids = { alice: '', bob: '', carol: '' };
  for (const name of ['alice', 'bob', 'carol'] as const) ids[name] = (await subscribe(scene(name), plan)).id;
  const year: Year = { tour, plan, ids, scene };
  const transaction = await moved(tour, before, { alice: '-5', shop: '14.85', treasury: '0.15' });
  tour.tell(
    'Shop offers the “Coffee club”, 5 USDC a month. Alice, Bob and Carol subscribe with two signatures each and no gas; the first month is charged at once.',
    { plan: plan.id, transaction },
  );
  await twoMonths(year);
  await oneLeaves(year);
  await oneStopsPaying(year);
  await failsAndIsCured(year);
  await toTheEnd(year);
}

/** Who has less than the months that they stay gets that from Alice. */
async function pocketMoney(tour: Tour, scene: TriggerContext, name: string): Promise<void> {
  const usdc = tour.local.chains['base']?.usdc as Address;
  const to = localPersonOf(tour.local, name).address as Address;
  const has = await tour.client.readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [to] });
  if (has >= POCKET) return;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, POCKET] });
  const chainId = await tour.client.getChainId();
  await sendAs(scene, localPersonOf(tour.local, 'alice'), { to: usdc, data, value: '0', chainId });
}

async function read({ scene, ids }: Year, name: keyof Year['ids']) {
  return scene(name).api.subscriptions.get(ids[name]);
}

/** A busy machine is a moment behind its clock. */
function charged(year: Year, name: keyof Year['ids'], times: number) {
  let last = 0;
  return until(
    `${name} was charged ${times} times`,
    async () => {
      last = (await read(year, name)).chargesPaid;
      return last === times;
    },
    () => `but ${last} times`,
  );
}

/** Two months at once: each is charged in its time, by the workers. */
async function twoMonths(year: Year): Promise<void> {
  const { tour, scene } = year;
  const before = await readLedger(tour);
  await advance(scene('alice'), 2 * MONTH_S + HOUR_S);
  for (const name of ['alice', 'bob', 'carol'] as const) await charged(year, name, 3);
  const transaction = await moved(tour, before, { alice: '-10', shop: '29.70', treasury: '0.30' });
  tour.tell('The clock moves two months. Each of them is charged once a month, by itself.', {
    transaction,
  });
}

async function oneLeaves(year: Year): Promise<void> {
  const { tour, scene, ids } = year;
  await manage(scene('bob'), { action: 'cancel', subscriptionId: ids.bob });
  await until('Bob’s subscription ends', async () => (await read(year, 'bob')).status === 'cancelled');
  const before = await readLedger(tour);
  await advance(scene('alice'), MONTH_S);
  for (const name of ['alice', 'carol'] as const) await charged(year, name, 4);
  const transaction = await moved(tour, before, { alice: '-5', shop: '9.90', treasury: '0.10' });
  const { status, cancelled_by: by, chargesPaid } = await read(year, 'bob');
  check(status === 'cancelled' && by === 'subscriber' && chargesPaid === 3, 'Bob cancelled after three charges');
  tour.tell('Bob cancels with one signature and no gas. A month later only Alice and Carol are charged.', {
    transaction,
  });
}

async function oneStopsPaying(year: Year): Promise<void> {
  const { tour, scene, plan } = year;
  await manage(scene('carol'), { action: 'revoke', chain: plan.chain });
  const before = await readLedger(tour);
  await advance(scene('alice'), MONTH_S);
  const failing = await until('Carol’s charge fails', async () => (await read(year, 'carol')).failing);
  check(failing.code === 'insufficient_allowance', `Carol’s allowance is gone: ${failing.code}`);
  await advance(scene('alice'), 8 * DAY_S);
  const ended = await until('Carol’s subscription ends', async () => {
    const now = await read(year, 'carol');
    return now.status === 'halted' ? now : null;
  });
  check(ended.reason === 'unpaid' && ended.chargesPaid === 4, 'Carol’s ended unpaid after four charges');
  await charged(year, 'alice', 5);
  const transaction = await moved(tour, before, { alice: '-5', shop: '4.95', treasury: '0.05' });
  tour.tell(
    'Carol takes her allowance back. Her next charge fails, costs no gas, and is tried again for a week; then her subscription is halted.',
    { code: failing.code, transaction },
  );
}

async function failsAndIsCured(year: Year): Promise<void> {
  const { tour, scene } = year;
  const usdc = tour.local.chains['base']?.usdc as Address;
  const alice = localPersonOf(tour.local, 'alice');
  const paid = (await read(year, 'alice')).chargesPaid;
  const all = await tour.client.readContract({
    address: usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [alice.address as Address],
  });
  const bob = localPersonOf(tour.local, 'bob');
  const chainId = await tour.client.getChainId();
  const hand = (from: typeof bob, to: typeof bob) => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to.address as Address, all] });
    return sendAs(scene('alice'), from, { to: usdc, data, value: '0', chainId });
  };
  await hand(alice, bob);
  const before = await readLedger(tour);
  await advance(scene('alice'), 24 * DAY_S);
  const failing = await until('Alice’s charge fails', async () => (await read(year, 'alice')).failing);
  check(failing.code === 'insufficient_balance', `Alice’s wallet is empty: ${failing.code}`);
  await moved(tour, before, {});
  await hand(bob, alice);
  await advance(scene('alice'), DAY_S);
  const now = await until('Alice’s charge is made', async () => {
    const row = await read(year, 'alice');
    return row.failing === null && row.chargesPaid === paid + 1 ? row : null;
  });
  check(now.status === 'active', 'Alice’s subscription goes on');
  const transaction = await moved(tour, before, {
    alice: formatUnits(all - 5_000_000n, 6),
    shop: '4.95',
    treasury: '0.05',
  });
  tour.tell(
    'Alice’s wallet is empty when her charge is due: it fails. Once the money is there the next try charges her, once.',
    { code: failing.code, charges: now.chargesPaid, transaction },
  );
}

const ALL = 12;

async function toTheEnd(year: Year): Promise<void> {
  const { tour, scene, ids } = year;
  const { chargesPaid } = await read(year, 'alice');
  const before = await readLedger(tour);
  await advance(scene('alice'), (ALL - chargesPaid) * MONTH_S + HOUR_S);
  await charged(year, 'alice', ALL);
  const left = ALL - chargesPaid;
  const money = { alice: `-${left * 5}`, shop: `${(left * 4.95).toFixed(2)}`, treasury: `${(left * 0.05).toFixed(2)}` };
  const transaction = await moved(tour, before, money);
  const alice = await read(year, 'alice');
  check(alice.chargesPaid === ALL && alice.total_paid === '60.00', `twelve charges, 60 USDC: ${alice.total_paid}`);
  const { data } = await scene('alice').api.subscriptions.charges(ids.alice).list({ limit: 100 });
  const times = data.map(({ charged_at: at }) => Date.parse(at)).sort((one, other) => one - other);
  check(times.length === ALL, `twelve receipts: ${times.length}`);
  check(
    times.every((at, index) => index === 0 || at - (times[index - 1] ?? 0) >= (MONTH_S / 2) * 1_000),
    'no two charges stand closer than half a month',
  );
  tour.tell('The year goes by: Alice has paid twelve times 5 USDC, and there is a receipt of each.', {
    first: new Date(times[0] ?? 0).toISOString(),
    last: new Date(times.at(-1) ?? 0).toISOString(),
    transaction,
  });
}
