// Payments, deposits and refunds at the payment and the business router.
import fc from 'fast-check';
import { encodeFunctionData, erc20Abi, zeroAddress } from 'viem';
import { expect } from 'vitest';
import {
  encodeAcceptDeposit,
  encodePayment,
  encodeRefund,
  encodeRefundBySig,
  encodeRefundDeposit,
  encodeSweep,
  type OrderMeans,
  orderHash,
  orderIdHash,
  orderKey,
  paymentEvents,
  readPayment,
} from '../../../src/chain/routers/payment.ts';
import { permitOf } from '../../../src/chain/signing/authorizations.ts';
import { orderData, orderStruct, type RouterOrderTerms, refundToData } from '../../../src/domain/typedData/orders.ts';
import { authorizationData, permit2WitnessData } from '../../../src/domain/typedData/tokens.ts';
import { permitData } from '../../../src/domain/typedData.ts';
import { balanceOf, move, nonceOf, REFUSER } from '../model/ledger.ts';
import * as rules from '../model/payments.ts';
import { mostly, type Play, perform, rarely, type Stage, signAs, who } from './stage.ts';

/** Relative to the beginning of a run. */
export function orders(start: bigint): rules.Order[] {
  const soon = start + 86_400n;
  const later = start + 60n * 86_400n;
  return [
    { id: 0, payee: 'carol', token: 'usdc', amount: 10_000_000n, fee: 100_000n, deadline: later },
    { id: 1, payee: 'bob', token: 'usdc', amount: 333_333n, fee: 3_333n, deadline: later },
    { id: 2, payee: 'carol', token: 'native', amount: 10n ** 15n, fee: 10n ** 13n, deadline: later },
    { id: 3, payee: REFUSER, token: 'native', amount: 10n ** 15n, fee: 10n ** 13n, deadline: later },
    { id: 4, payee: 'carol', token: 'usdc', amount: 1_000_000n, fee: 0n, deadline: later },
    { id: 5, payee: 'carol', token: 'usdc', amount: 100n, fee: 100n, deadline: later },
    { id: 6, payee: 'bob', token: 'usdc', amount: 2_000_050n, fee: 20_001n, deadline: soon },
    { id: 7, payee: 'dave', token: 'usdc', amount: 49n, fee: 0n, deadline: later },
  ];
}

export function termsOf(stage: Stage, { id, payee, token, amount, fee, deadline }: rules.Order): RouterOrderTerms {
  const address = token === 'usdc' ? stage.at('usdc') : zeroAddress;
  return { orderId: orderIdHash(`order ${id}`), payee: stage.at(payee), token: address, amount, fee, deadline };
}

const router = fc.constantFrom('payment' as const, 'business' as const);
const order = fc.nat({ max: 7 });
type Picked = { router: rules.OrderRouterName; order: number };
const orderOf = (stage: Stage, { order: at }: Picked) => orders(stage.start)[at] as rules.Order;

const FAR = 2n ** 40n;

async function meansOf(stage: Stage, pay: rules.Pay, terms: RouterOrderTerms): Promise<OrderMeans> {
  const { m, local, at } = stage;
  const { chainId, usdcDomain } = local.chain.facts;
  const domain = usdcDomain ?? { name: '', version: '' };
  const { way, payer, signer } = pay;
  const spender = at(`router:${pay.router}`);
  const orderSignature = () => signAs(signer, orderData(pay.router, { chainId, contract: spender }, terms, at(payer)));
  switch (way) {
    case 'direct':
      return { way };
    case 'allowance':
      return { way, orderSignature: await orderSignature() };
    case 'eip2612': {
      const permit = { value: terms.amount, deadline: FAR };
      const nonce = nonceOf(m, 'usdc', payer);
      const use = { chainId, token: at('usdc'), tokenDomain: domain, owner: at(payer), spender, nonce };
      const signature = await signAs(signer, permitData({ ...use, value: permit.value, deadline: Number(FAR) }));
      return { way, permit: permitOf(permit, signature), orderSignature: await orderSignature() };
    }
    case 'eip3009': {
      const window = { validAfter: 0n, validBefore: FAR };
      const use = { from: at(payer), to: spender, value: terms.amount, nonce: orderHash(terms, at(payer)) };
      const data = authorizationData({ chainId, contract: at('usdc') }, domain, { ...window, ...use });
      return { way, authorization: { ...window, signature: await signAs(signer, data) } };
    }
    case 'permit2': {
      const permit = { nonce: BigInt(stage.count++), deadline: FAR };
      const use = { ...permit, token: terms.token, amount: terms.amount, spender };
      const data = permit2WitnessData({ chainId, contract: at('permit2') }, use, orderStruct(terms, at(payer)));
      return { way, permit: { ...permit, signature: await signAs(signer, data) } };
    }
  }
}

const pays = fc
  .record({
    router,
    order,
    payer: who,
    way: fc.constantFrom(
      'direct' as const,
      'allowance' as const,
      'eip2612' as const,
      'eip3009' as const,
      'permit2' as const,
    ),
    relayed: fc.boolean(),
    signer: rarely(who),
  })
  .map((p) => {
    const caller = p.relayed && p.way !== 'direct' ? 'executor' : p.payer;
    const label = `pay.${p.way} order ${p.order} at ${p.router} of ${p.payer} by ${caller} signed by ${p.signer ?? p.payer}`;
    return {
      label,
      run: async (stage: Stage) => {
        const signer = p.signer ?? p.payer;
        const pay = { router: p.router, order: orderOf(stage, p), way: p.way, payer: p.payer, caller, signer };
        const terms = termsOf(stage, pay.order);
        const data = encodePayment(terms, stage.at(p.payer), await meansOf(stage, pay, terms));
        const value = p.way === 'direct' && pay.order.token === 'native' ? terms.amount : 0n;
        const call = { from: caller, to: `router:${p.router}`, data, value };
        const receipt = await perform(stage, label, call, (m) => rules.pay(m, pay));
        // The event names what we would have it name, and it is the only one.
        const key = orderKey(stage.local.chain, p.router, terms);
        const events = paymentEvents(stage.local.chain, p.router, receipt.logs).map(({ eventName, args }) =>
          eventName === 'PaymentSettled' ? [args.key, args.orderId, args.payer, args.amount, args.fee] : [eventName],
        );
        const settled = [key, terms.orderId, stage.at(p.payer), terms.amount, terms.fee];
        expect(events).toEqual(receipt.status === 'success' ? [settled] : []);
        // An event of another contract is none of this router's.
        expect(paymentEvents(stage.local.chain, p.router === 'payment' ? 'business' : 'payment', receipt.logs)).toEqual(
          [],
        );
      },
    };
  });

const sends = fc
  .record({
    router,
    order,
    from: who,
    token: fc.constantFrom('own' as const, 'usdc' as const),
    share: fc.constantFrom(1n, 2n, 2n, 3n, 5n),
  })
  .map((p) => {
    const label = `send to deposit ${p.order} at ${p.router} from ${p.from}, ${p.share} halves (${p.token})`;
    return {
      label,
      run: async (stage: Stage) => {
        const one = orderOf(stage, p);
        const to = rules.depositOf(p.router, one);
        const token = p.token === 'own' ? one.token : p.token;
        const amount =
          token === 'usdc' ? ((one.token === 'usdc' ? one.amount : 100n) * p.share) / 2n : (one.amount * p.share) / 2n;
        const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [stage.at(to), amount] });
        const call = token === 'usdc' ? { to: 'usdc', data } : { to, data: '0x' as const, value: amount };
        await perform(stage, label, { from: p.from, ...call }, (m) =>
          move(m, token, p.from, to, amount) ? [] : ['TokenRefused'],
        );
      },
    };
  });

const sweeps = fc.record({ router, order, caller: who, held: mostly(true, false) }).map((p) => {
  const label = `sweep by ${p.caller}`;
  return {
    label,
    run: async (stage: Stage) => {
      const { router: name, order: one } = p.held
        ? heldDeposit(stage, { ...p, token: 'usdc' })
        : { ...p, order: orderOf(stage, p) };
      const data = encodeSweep(termsOf(stage, one));
      await perform(stage, `${label}, ${name} ${one.id}`, { from: p.caller, to: `router:${name}`, data }, (m) =>
        rules.sweep(m, name, one),
      );
    },
  };
});

/** One where something lies, where there is one. */
function heldDeposit(stage: Stage, p: Picked & { token: 'usdc' | 'native' }) {
  const all = (['payment', 'business'] as const).flatMap((name) =>
    orders(stage.start).flatMap((one) =>
      (['usdc', 'native'] as const).map((token) => ({ router: name, order: one, token })),
    ),
  );
  const held = all.filter((one) => balanceOf(stage.m, one.token, rules.depositOf(one.router, one.order)) > 0n);
  return held[p.order % (held.length || 1)] ?? { ...p, order: orderOf(stage, p) };
}

const deposits = fc
  .record({
    router,
    order,
    token: fc.constantFrom('usdc' as const, 'native' as const),
    caller: rarely(who),
    back: fc.option(fc.record({ to: who, amount: fc.constantFrom(0n, 50n, 200_000n, 10n ** 12n) }), { freq: 2 }),
    held: mostly(true, false),
  })
  .map((p) => {
    const label = p.back ? `refundDeposit of ${p.back.amount} to ${p.back.to}` : 'acceptDeposit of';
    return {
      label,
      run: async (stage: Stage) => {
        const {
          router: name,
          order: one,
          token: held,
        } = p.held ? heldDeposit(stage, p) : { ...p, order: orderOf(stage, p) };
        const terms = termsOf(stage, one);
        const caller = p.caller ?? one.payee;
        const token = held === 'usdc' ? stage.at('usdc') : zeroAddress;
        const { back } = p;
        const data = back
          ? encodeRefundDeposit(terms, token, stage.at(back.to), back.amount)
          : encodeAcceptDeposit(terms, token);
        await perform(
          stage,
          `${label}, ${name} ${one.id} ${held}`,
          { from: caller, to: `router:${name}`, data },
          (m) =>
            back
              ? rules.refundDeposit(m, name, one, { ...back, token: held, caller })
              : rules.acceptDeposit(m, name, one, held, caller),
        );
      },
    };
  });

/** One that is settled, where there is one. */
function settledOrder(stage: Stage, p: Picked): { router: rules.OrderRouterName; order: rules.Order } {
  const all = (['payment', 'business'] as const).flatMap((name) =>
    orders(stage.start).map((one) => ({ router: name, order: one })),
  );
  const settled = all.filter((one) => stage.m.payments.has(rules.keyName(one.router, one.order)));
  return settled[p.order % (settled.length || 1)] ?? { router: p.router, order: orderOf(stage, p) };
}

const refunds = fc
  .record({
    router,
    order,
    to: who,
    amount: fc.constantFrom(0n, 20n, 49n, 49n, 1_000n, 200_000n, 6_000_000n, 6n * 10n ** 14n),
    signed: fc.boolean(),
    other: rarely(who),
    oldNonce: fc.boolean(),
    late: fc.nat({ max: 9 }),
    settled: mostly(true, false),
  })
  .map((p) => {
    const label = `refund${p.signed ? 'BySig' : ''} to ${p.to}: ${p.amount}`;
    return {
      label,
      run: async (stage: Stage) => {
        const { m, at, local } = stage;
        const { router: name, order: one } = p.settled
          ? settledOrder(stage, p)
          : { router: p.router, order: orderOf(stage, p) };
        const terms = termsOf(stage, one);
        const { to, amount } = p;
        const by = p.other ?? (one.payee === REFUSER ? 'dave' : one.payee);
        if (!p.signed) {
          const data = encodeRefund(terms, at(to), amount);
          const value = one.token === 'native' ? amount : 0n;
          await perform(
            stage,
            `${label}, ${name} ${one.id}`,
            { from: by, to: `router:${name}`, data, value },
            (draft) => rules.refund(draft, name, one, { to, amount, caller: by }),
          );
          return;
        }
        const nonce = nonceOf(m, name, one.payee) + (p.oldNonce && p.late === 0 ? 1n : 0n);
        const use = { to: at(to), amount, nonce, deadline: p.late === 1 ? m.now - 1n : FAR };
        const verifier = { chainId: local.chain.facts.chainId, contract: at(`router:${name}`) };
        const key = orderKey(local.chain, name, terms);
        const signature = await signAs(by, refundToData(name, verifier, { ...use, key }));
        const data = encodeRefundBySig(terms, use, signature);
        await perform(stage, `${label}, ${name} ${one.id}`, { from: 'executor', to: `router:${name}`, data }, (draft) =>
          rules.refundBySig(draft, name, one, { ...use, to, signer: by }),
        );
      },
    };
  });

export const paymentPlays: fc.Arbitrary<Omit<Play, 'wait'>> = fc.oneof(
  { weight: 5, arbitrary: pays },
  { weight: 2, arbitrary: sends },
  { weight: 1, arbitrary: sweeps },
  { weight: 3, arbitrary: deposits },
  { weight: 4, arbitrary: refunds },
);

/** Settled keys and refunded sums; `all` also of those that nobody has paid. */
export async function checkPayments(stage: Stage, all: boolean): Promise<void> {
  const { local, m } = stage;
  const known = (['payment', 'business'] as const).flatMap((name) => orders(stage.start).map((one) => ({ name, one })));
  const asked = known.filter(({ name, one }) => all || m.payments.has(rules.keyName(name, one)));
  await Promise.all(
    asked.map(async ({ name, one }) => {
      const found = await readPayment(local.chain, name, orderKey(local.chain, name, termsOf(stage, one)));
      const refunded = m.payments.get(rules.keyName(name, one));
      if (found.settled !== (refunded !== undefined) || found.refunded !== (refunded ?? 0n))
        throw new Error(`order ${one.id} at ${name} is ${JSON.stringify(found, (_, v) => String(v))}, not ${refunded}`);
    }),
  );
}
