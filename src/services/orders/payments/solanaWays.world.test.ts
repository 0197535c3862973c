// All ways to pay orders on Solana at once, in any order and with any step of the workers between them: each order is paid at most once, and all money
// is accounted for.
import { Keypair, PublicKey, VersionedTransaction } from '@solana/web3.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localSolanaKey } from '../../../../local/solana/keys.ts';
import { isLong } from '../../../../test/setup/long.ts';
import { signTransaction, walletOfPerson } from '../../../../test/setup/signer.ts';
import { FINALIZED_AFTER, type SolanaTabs, startSolanaTabs } from '../../../../test/setup/solanaTabs.ts';
import { transferUsdc } from '../../../../test/setup/solanaTransfers.ts';
import { serveWorld, type Visitor, visitor } from '../../../../test/setup/visitor.ts';
import { startWorld, type World } from '../../../../test/setup/world.ts';
import { receiptOfSolana } from '../../../chain/solana/transactions.ts';
import { reconcileChain } from '../../outgoing/reconcile.ts';
import { noteDeposits } from '../indexing/deposits.ts';
import { forwardTransfers } from '../treasury/moves.ts';
import { watchDeposits } from './sweeps.ts';

const ORDERS = 3;
const PRICE = 5_000_000n;
const FEE = 50_000n;
const PAYERS = ['alice', 'bob', 'carol'] as const;
const WAYS = ['wallet', 'scan', 'address', 'reference', 'memo', 'nameless'] as const;
const STEPS = ['land', 'send', 'settle', 'index', 'forward', 'watch'] as const;

let world: World;
let tabs: SolanaTabs;
let shop: Visitor;
let buyer: Visitor;
beforeAll(async () => {
  world = await startWorld();
  tabs = await startSolanaTabs(world);
  for (const name of ['alice', 'shop']) await tabs.walletOf(name);
  for (const name of ['bob', 'carol']) tabs.solana.person(name);
  tabs.solana.allow(tabs.solana.roles.treasury, 1_000_000_000_000n);
  await reconcileChain(world.ctx, tabs.chain);
  const base = await serveWorld(world);
  [shop, buyer] = [visitor(base), visitor(base)];
  await shop.signIn(walletOfPerson('shop'));
});
afterAll(async () => {
  await tabs.stop();
  await world.stop();
});

type Made = { id: string; address: string; key: string };
const usdc = (address: string) => tabs.solana.usdcOf(address);

async function make(): Promise<Made> {
  const { body } = await shop.post('/api/orders', { amount: '5', chain: 'solana', expires_in: 86_400 });
  const { body: offered } = await buyer.post('/api/checkout', { order_id: body.order.id, way: 'deposit' });
  const { onChainId } = await world.ctx.db.order.findUniqueOrThrow({ where: { id: body.order.id } });
  return { id: body.order.id, address: offered.deposit.address, key: onChainId };
}

/** What the treasury got beside fees is added to `named` or `nameless`. Refusals are answers as any. */
type Sent = { toAddresses: bigint; named: bigint; nameless: bigint };

async function pay(order: Made, name: string, way: (typeof WAYS)[number], units: bigint, sent: Sent): Promise<void> {
  const key = localSolanaKey(name);
  const treasury = tabs.solana.roles.treasury.address;
  switch (way) {
    case 'wallet': {
      const { body } = await buyer.post('/api/checkout', { order_id: order.id, payer: key.address });
      if (!body.payment) return;
      const { submit, transaction } = body.payment;
      const solana_transaction = signTransaction(key, transaction.solana_transaction);
      await buyer.post(`/api/checkout/${order.id}/submit`, { ...submit, solana_transaction });
      return;
    }
    case 'scan': {
      const { body } = await buyer.post(`/api/checkout/${order.id}/solana_pay`, { account: key.address });
      if (!body.transaction) return;
      const whole = VersionedTransaction.deserialize(Buffer.from(body.transaction, 'base64'));
      whole.sign([Keypair.fromSecretKey(key.secretBytes)]);
      // The node refuses what would fail.
      await tabs.chain.endpoints[0]?.sendRawTransaction(whole.serialize()).catch(() => {});
      return;
    }
    case 'address':
      sent.toAddresses += units;
      return void transferUsdc(tabs.solana, name, order.address, units);
    case 'reference':
      sent.named += units;
      return void transferUsdc(tabs.solana, name, treasury, units, { references: [order.address] });
    case 'memo':
      sent.named += units;
      return void transferUsdc(tabs.solana, name, treasury, units, { memo: order.id });
    case 'nameless':
      sent.nameless += units;
      return void transferUsdc(tabs.solana, name, treasury, units);
  }
}

async function work(step: (typeof STEPS)[number]): Promise<void> {
  const { ctx } = world;
  switch (step) {
    case 'land':
      return tabs.solana.step(1);
    case 'send':
      return tabs.send();
    case 'settle':
      return tabs.settle();
    case 'index':
      return void (await tabs.index());
    case 'forward':
      return void (await forwardTransfers(ctx, tabs.chain));
    case 'watch':
      await watchDeposits(ctx, tabs.chain, new Map());
      return noteDeposits(ctx, tabs.chain, { ended: true });
  }
}

/** Until nothing is left to do. */
async function finish(): Promise<void> {
  for (let round = 0; round < 4; round++) {
    tabs.later(61_000);
    tabs.solana.step(FINALIZED_AFTER + 4);
    for (const step of ['index', 'forward', 'send', 'settle', 'watch', 'send', 'settle', 'watch'] as const)
      await work(step);
  }
}

/** Settlements of an order on the chain, by the transactions that name its account. */
async function settlementsOf({ address, key }: Made): Promise<number> {
  const listed =
    (await tabs.chain.endpoints[0]?.getSignaturesForAddress(new PublicKey(address), {}, 'finalized')) ?? [];
  const receipts = await Promise.all(listed.map(({ signature }) => receiptOfSolana(tabs.chain, signature)));
  const events = receipts.flatMap((receipt) => (receipt?.succeeded ? receipt.events : []));
  return events.filter((event) => event.name === 'paymentSettled' && event.orderId === key).length;
}

const act = fc.oneof(
  fc.record({
    order: fc.nat({ max: ORDERS - 1 }),
    payer: fc.constantFrom(...PAYERS),
    way: fc.constantFrom(...WAYS),
    units: fc.constantFrom(2_000_000n, 3_000_000n, PRICE, 7_000_000n),
  }),
  fc.constantFrom(...STEPS),
);

/** Of all runs, so that none of this is tested by nothing. */
const all = { settled: 0n, swept: 0n, forwarded: 0n };

test('each order is paid at most once, however it is paid and whatever the workers do meanwhile; no money is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 12, maxLength: 30 }), async (acts) => {
      tabs.later(25 * 3_600_000);
      tabs.solana.step(3);
      await shop.signIn(walletOfPerson('shop'));
      await world.ctx.db.treasuryTransfer.deleteMany();
      const orders: Made[] = [];
      for (let count = 0; count < ORDERS; count++) orders.push(await make());
      const [shopWallet, treasury] = [localSolanaKey('shop').address, tabs.solana.roles.treasury.address];
      const wallets = [...PAYERS.map((name) => localSolanaKey(name).address), shopWallet, treasury];
      const sumOf = () =>
        [...wallets, ...orders.map(({ address }) => address)].reduce((sum, one) => sum + usdc(one), 0n);
      const had = { shop: usdc(shopWallet), treasury: usdc(treasury), all: sumOf() };
      const sent: Sent = { toAddresses: 0n, named: 0n, nameless: 0n };
      for (const one of acts) {
        if (typeof one === 'string') await work(one);
        else await pay(orders[one.order] as Made, one.payer, one.way, one.units, sent);
      }
      await finish();

      let [settled, swept] = [0n, 0n];
      for (const order of orders) {
        const times = await settlementsOf(order);
        const row = await world.ctx.db.order.findUniqueOrThrow({
          where: { id: order.id },
          include: { submissions: true },
        });
        expect([times, row.status]).toEqual(times === 0 ? [0, 'awaiting_payment'] : [1, 'completed']);
        expect(row.submissions.filter(({ status }) => status === 'queued' || status === 'submitted')).toEqual([]);
        settled += BigInt(times);
        const log = await world.ctx.db.orderLog.findFirst({ where: { orderId: order.id, kind: 'settled' } });
        if (log?.fromAddress === order.address) swept += 1n;
      }
      all.settled += settled;
      all.swept += swept;
      all.forwarded += sent.named;
      expect(usdc(shopWallet) - had.shop).toBe(settled * (PRICE - FEE));
      expect(usdc(treasury) - had.treasury).toBe(settled * FEE + sent.nameless);
      const left = orders.reduce((sum, { address }) => sum + usdc(address), 0n);
      expect(left).toBe(sent.toAddresses + sent.named - swept * PRICE);
      expect(sumOf()).toBe(had.all);
      const moved = await world.ctx.db.treasuryTransfer.groupBy({ by: ['status'], _sum: { units: true } });
      const byStatus = Object.fromEntries(
        moved.map(({ status, _sum }) => [status, BigInt(_sum.units?.toFixed(0) ?? 0)]),
      );
      expect(byStatus).toEqual({
        ...(sent.named > 0n && { forwarded: sent.named }),
        ...(sent.nameless > 0n && { unmatched: sent.nameless }),
      });
    }),
    { numRuns: isLong ? 60 : 8, endOnFailure: true },
  );
  expect([all.settled > all.swept, all.swept > 0n, all.forwarded > 0n]).toEqual([true, true, true]);
});
