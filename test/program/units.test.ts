// Compute units of each case, in a committed table (`npx vitest run test/program/units.test.ts -u` writes it), and the goals that they keep.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bucketOf, WRAPPED_SOL } from '../../src/chain/solana/addresses.ts';
import { ROOT } from '../../src/root.ts';
import { putToken } from './machine.ts';
import * as scene from './setting.ts';
import { atOf, deployed, initialization, MILLION, messageKeyOf, must, person, ROLES, tabAt, USDC } from './setting.ts';

/** By the start of a case's name. */
const GOALS = { 'tip, ': 40_000, 'claim a tab': 30_000, 'charge a subscription': 30_000 };

test('each case takes what the table says, and no more than its goal', async () => {
  const setting = deployed();
  const table: [name: string, units: number][] = [];
  const measure = (name: string, ...instructions: Parameters<typeof must>[1][]) =>
    table.push([name, must(setting, ...instructions).units]);
  measure('initialize with two executors', initialization(setting));
  const [alice, bob] = [person(setting, 'alice'), person(setting, 'bob')];
  const key = (number: number) => `message ${number}`;
  measure('tip, the first of its hour', scene.tips(setting, [{ from: alice, to: bob, key: key(0) }]));
  measure('tip, with a fee', scene.tips(setting, [{ from: alice, to: bob, key: key(1) }]));
  measure('tip, without a fee', scene.tips(setting, [{ from: alice, to: bob, key: key(2), fee: 0n }]));
  measure('tip, of wrapped SOL', scene.tips(setting, [{ from: alice, to: bob, key: key(3), mint: WRAPPED_SOL }]));
  const four = [4, 5, 6, 7].map((number) => ({ from: alice, to: bob, key: key(number) }));
  measure('four tips in one instruction', scene.tips(setting, four));
  measure('tip to a tab', scene.tabTip(setting, { from: alice, key: 'tab' }));
  measure('claim a tab', scene.claim(setting, tabAt(setting, alice, messageKeyOf('tab', setting.now())), bob));
  const nonce = BigInt(setting.now()) << 20n;
  measure('open a tab', scene.openTab(setting, alice, nonce));
  measure('refund a tab, by its sender', scene.refundTab(setting, tabAt(setting, alice, nonce), alice));
  measure('set limits', scene.limitsInstruction(setting, alice, 0, 9n * MILLION, 99n * MILLION, MILLION));
  const order = scene.order(setting, { payee: bob });
  measure('pay an order', order.pay(alice));
  measure('refund an order in part', order.refund(atOf(alice), MILLION));
  measure('pay an order in SOL', scene.order(setting, { payee: bob, id: 'in SOL', asset: 2 }).pay(alice));
  const sent = scene.order(setting, { payee: bob, id: 'sent' });
  measure('open a deposit', sent.openDeposit());
  putToken(setting, { owner: sent.account, mint: USDC, amount: 11n * MILLION });
  measure('sweep a deposit', sent.sweep());
  measure('accept the rest of a deposit', sent.accept());
  const plan = scene.plan(setting, bob);
  measure('create a plan', plan.create());
  measure('subscribe', plan.subscribe(alice));
  setting.later(86_400);
  measure('charge a subscription', plan.charge(alice));
  measure('cancel a subscription', plan.cancel(alice));
  const campaign = scene.campaign(setting, bob);
  measure('open a campaign of 100 recipients', campaign.open());
  measure('grant', campaign.grant([{ index: 0, to: alice }]));
  measure('five grants in one instruction', campaign.grant([1, 2, 3, 4, 5].map((index) => ({ index, to: alice }))));
  setting.later(30 * 3_600);
  const hour = BigInt(Math.floor(setting.now() / scene.HOUR) - 54);
  measure(
    'close a bucket',
    setting.build('closeBucket', {
      args: {},
      accounts: { caller: ROLES.executor, bucket: bucketOf(setting.program, hour, 0).address },
      each: [{ payer: ROLES.executor }],
    }),
  );
  for (const [start, most] of Object.entries(GOALS))
    for (const [name, units] of table) if (name.startsWith(start)) expect(units, name).toBeLessThanOrEqual(most);
  const text = `${JSON.stringify(Object.fromEntries(table), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot(join(ROOT, 'docs/computeUnits.json'));
});
