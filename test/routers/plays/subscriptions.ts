// Plans, subscriptions and their charges.
import fc from 'fast-check';
import { decodeRevert } from '../../../src/chain/routers/reverts.ts';
import {
  encodeCancel,
  encodeCancelBySig,
  encodeCharges,
  encodeCreatePlan,
  encodeHalt,
  encodeSetPlan,
  encodeSetPlanBySig,
  encodeSubscribe,
  planIdHash,
  planKeyOf,
  readPlan,
  readSubscription,
  type SubscribeMeans,
  subscriptionEvents,
} from '../../../src/chain/routers/subscription.ts';
import { permitOf } from '../../../src/chain/signing/authorizations.ts';
import { cancelData, setPlanData, subscribeData } from '../../../src/domain/typedData/subscriptions.ts';
import { permit2AllowanceData } from '../../../src/domain/typedData/tokens.ts';
import { permitData } from '../../../src/domain/typedData.ts';
import { agrees, attempt, nonceOf } from '../model/ledger.ts';
import * as rules from '../model/subscriptions.ts';
import { mostly, type Play, perform, rarely, type Stage, signAs, who } from './stage.ts';

const HOUR = 3_600n;
const FAR = 2n ** 40n;
const PLANS: rules.ModelPlan[] = [
  { id: 0, creator: 'carol', token: 'usdc', amount: 1_000_000n, period: HOUR },
  { id: 1, creator: 'carol', token: 'usdc', amount: 2_500_050n, period: 30n * 24n * HOUR },
  { id: 2, creator: 'bob', token: 'usdc', amount: 149n, period: 5n * HOUR + 1n },
  { id: 3, creator: 'bob', token: 'wrapped', amount: 149n, period: 5n * HOUR },
  { id: 4, creator: 'carol', token: 'usdc', amount: 149n, period: HOUR - 1n },
];
const SUBSCRIBERS = ['alice', 'bob', 'dave'] as const;

const plan = fc.oneof({ weight: 9, arbitrary: fc.nat({ max: 2 }) }, { weight: 1, arbitrary: fc.nat({ max: 4 }) });
const subscriber = fc.constantFrom(...SUBSCRIBERS);
/** A plan and a subscriber: mostly such as have to do with each other. */
const pair = fc.record({ plan, subscriber, known: mostly(true, false) });
type Pair = { plan: number; subscriber: string };
function pickPair(stage: Stage, { plan: at, subscriber: name, known }: Pair & { known: boolean }): Pair {
  const kept = [...stage.m.subscriptions.subscriptions.keys()].map((text) => text.split(' '));
  const [id, whose] = kept[(at + name.length) % (kept.length || 1)] ?? [];
  return known && id !== undefined && whose !== undefined
    ? { plan: Number(id), subscriber: whose }
    : { plan: at, subscriber: name };
}
const planOf = (at: number) => PLANS[at] as rules.ModelPlan;
const verifierOf = ({ local, at }: Stage) => ({
  chainId: local.chain.facts.chainId,
  contract: at('router:subscription'),
});
const TO = 'router:subscription';

function termsOf({ at }: Stage, { id, creator, token, amount, period }: rules.ModelPlan) {
  return {
    creator: at(creator),
    planIdHash: planIdHash(`plan ${id}`),
    token: at(token),
    amount,
    period: Number(period),
  };
}
const keyOf = (stage: Stage, one: rules.ModelPlan) => planKeyOf(stage.local.chain, termsOf(stage, one));

export function createPlay(at: number): Omit<Play, 'wait'> {
  const label = `createPlan ${at}`;
  return {
    label,
    run: async (stage: Stage) => {
      const data = encodeCreatePlan(termsOf(stage, planOf(at)));
      await perform(stage, label, { from: planOf(at).creator, to: TO, data }, (m) => rules.createPlan(m, planOf(at)));
    },
  };
}

const creations = plan.map(createPlay);

/** Mostly in order, sometimes with an old number, late, or by somebody else's key. */
const signing = fc.record({
  by: fc.constantFrom('call' as const, 'signature' as const),
  other: rarely(who),
  nonce: mostly(0n, 1n),
  late: mostly(false, true),
});

const settings = fc
  .record({ plan, state: fc.constantFrom('active' as const, 'inactive' as const), signing })
  .map((p) => {
    const label = `setPlan.${p.signing.by} ${p.plan} ${p.state}`;
    return {
      label,
      run: async (stage: Stage) => {
        const one = planOf(p.plan);
        const party = p.signing.other ?? one.creator;
        const planKey = keyOf(stage, one);
        if (p.signing.by === 'call') {
          const call = { from: party, to: TO, data: encodeSetPlan(planKey, p.state) };
          await perform(stage, label, call, (m) => rules.setPlan(m, one, p.state, { way: 'call', caller: party }));
          return;
        }
        const use = numbersOf(stage, one.creator, p.signing);
        const terms = { planKey, state: p.state, ...use };
        const signature = await signAs(party, setPlanData(verifierOf(stage), terms));
        const call = { from: 'executor', to: TO, data: encodeSetPlanBySig(terms, signature) };
        await perform(stage, label, call, (m) =>
          rules.setPlan(m, one, p.state, { way: 'signature', signer: party, ...use }),
        );
      },
    };
  });

function numbersOf({ m }: Stage, signer: string, { nonce, late }: { nonce: bigint; late: boolean }) {
  return { nonce: nonceOf(m, 'subscription', signer) + nonce, deadline: late ? m.now - 1n : FAR };
}

const subscribings = fc
  .record({
    plan,
    subscriber,
    way: fc.constantFrom('direct' as const, 'eip2612' as const, 'permit2' as const, 'signature' as const),
    knows: mostly(true, false),
    signing,
  })
  .map((p) => {
    const label = `subscribe.${p.way} ${p.subscriber} to ${p.plan}${p.knows ? '' : ' on other terms'}`;
    return {
      label,
      run: async (stage: Stage) => {
        const one = planOf(p.plan);
        const signer = p.signing.other ?? p.subscriber;
        const use = numbersOf(stage, p.subscriber, p.signing);
        const amount = p.knows ? one.amount : one.amount + 1n;
        const terms = {
          planKey: keyOf(stage, one),
          subscriber: stage.at(p.subscriber),
          amount,
          period: Number(one.period),
        };
        const means = await meansOf(stage, one, p, signer, async () => ({
          way: 'signature',
          ...use,
          signature: await signAs(signer, subscribeData(verifierOf(stage), { ...terms, ...use })),
        }));
        const from = p.way === 'signature' ? 'executor' : p.subscriber;
        await perform(stage, label, { from, to: TO, data: encodeSubscribe(terms, means) }, (m) =>
          rules.subscribe(m, { ...p, ...use, plan: one, signer }),
        );
      },
    };
  });

async function meansOf(
  { m, local, at }: Stage,
  one: rules.ModelPlan,
  { way, subscriber: name }: { way: rules.Subscribe['way']; subscriber: string },
  signer: string,
  signed: () => Promise<SubscribeMeans>,
): Promise<SubscribeMeans> {
  const { chainId, usdcDomain } = local.chain.facts;
  const [owner, spender] = [at(name), at(TO)];
  switch (way) {
    case 'direct':
      return { way };
    case 'signature':
      return signed();
    case 'eip2612': {
      const permit = { value: 3n * one.amount, deadline: FAR };
      const tokenDomain = usdcDomain ?? { name: '', version: '' };
      const nonce = nonceOf(m, 'usdc', name);
      const use = { chainId, token: at('usdc'), tokenDomain, owner, spender, value: permit.value, nonce };
      return { way, permit: permitOf(permit, await signAs(signer, permitData({ ...use, deadline: Number(FAR) }))) };
    }
    case 'permit2': {
      const expiration = Number(m.now + 40n * 24n * HOUR);
      const permit = { amount: 3n * one.amount, expiration, nonce: Number(nonceOf(m, 'permit2', name)), deadline: FAR };
      const data = permit2AllowanceData(
        { chainId, contract: at('permit2') },
        { ...permit, token: at('usdc'), spender },
      );
      return { way, permit: { ...permit, signature: await signAs(signer, data) } };
    }
  }
}

const charges = fc.array(pair, { minLength: 1, maxLength: 4 }).map((pairs) => {
  const label = `charge.${pairs.length > 1 ? 'batch' : 'one'}`;
  return {
    label,
    run: async (stage: Stage) => {
      const list = pairs.map((one) => pickPair(stage, one));
      const names = list.map((one) => `${one.subscriber}/${one.plan}`).join(' ');
      const data = encodeCharges(
        list.map((one) => ({ planKey: keyOf(stage, planOf(one.plan)), subscriber: stage.at(one.subscriber) })),
      );
      await perform(stage, `${label} ${names}`, { from: 'dave', to: TO, data }, (m, receipt) => {
        const [first] = list;
        if (list.length === 1 && first) return rules.charge(m, planOf(first.plan), first.subscriber);
        // Every item has an event, in their order: what it says is held against the model's word for that item.
        const events = subscriptionEvents(stage.local.chain, receipt.logs);
        return list.flatMap((one, index) => {
          const event = events[index];
          const failed = event?.eventName === 'ChargeFailed';
          const actual = failed ? decodeRevert(event.args.reason).name : null;
          const said = attempt(m, actual, (draft) => rules.charge(draft, planOf(one.plan), one.subscriber));
          return event && agrees(said, actual) ? [] : [`item ${index}: ${actual} and not ${said}`];
        });
      });
    },
  };
});

const endings = fc.record({ pair, signing, asCreator: fc.boolean() }).map(({ pair: picked, ...rest }) => {
  const label = `cancel.${rest.signing.by}`;
  return {
    label,
    run: async (stage: Stage) => {
      const p = { ...rest, ...pickPair(stage, picked) };
      const what = `${label} ${p.subscriber}/${p.plan}`;
      const one = planOf(p.plan);
      const party = p.asCreator ? one.creator : p.subscriber;
      const key = p.signing.other ?? party;
      const charge = { planKey: keyOf(stage, one), subscriber: stage.at(p.subscriber) };
      if (p.signing.by === 'call') {
        await perform(stage, what, { from: key, to: TO, data: encodeCancel(charge) }, (m) =>
          rules.cancel(m, one, p.subscriber, key, { way: 'call', caller: key }),
        );
        return;
      }
      const use = numbersOf(stage, party, p.signing);
      const signature = await signAs(key, cancelData(verifierOf(stage), { ...charge, ...use }));
      const data = encodeCancelBySig({ ...charge, ...use }, stage.at(party), signature);
      await perform(stage, what, { from: 'executor', to: TO, data }, (m) =>
        rules.cancel(m, one, p.subscriber, party, { way: 'signature', signer: key, ...use }),
      );
    },
  };
});

const halts = fc.record({ pair, caller: mostly('executor', 'owner', 'carol') }).map(({ pair: picked, ...rest }) => {
  const label = `halt`;
  return {
    label,
    run: async (stage: Stage) => {
      const p = { ...rest, ...pickPair(stage, picked) };
      const what = `${label} ${p.subscriber}/${p.plan}`;
      const one = planOf(p.plan);
      const data = encodeHalt({ planKey: keyOf(stage, one), subscriber: stage.at(p.subscriber) });
      await perform(stage, what, { from: p.caller, to: TO, data }, (m) => rules.halt(m, one, p.subscriber, p.caller));
    },
  };
});

export const subscriptionPlays: fc.Arbitrary<Omit<Play, 'wait'>> = fc.oneof(
  { weight: 2, arbitrary: creations },
  { weight: 2, arbitrary: settings },
  { weight: 4, arbitrary: subscribings },
  { weight: 5, arbitrary: charges },
  { weight: 2, arbitrary: endings },
  { weight: 2, arbitrary: halts },
);

/** Plans and subscriptions as the router reads them; `all` also those that are none. */
export async function checkSubscriptions(stage: Stage, all: boolean): Promise<void> {
  const { local, m } = stage;
  await Promise.all(
    PLANS.filter(({ id }) => all || m.subscriptions.plans.has(id)).map(async (one) => {
      const { state } = await readPlan(local.chain, keyOf(stage, one));
      const expected = m.subscriptions.plans.get(one.id) ?? 'unknown';
      if (state !== expected) throw new Error(`plan ${one.id} is ${state}, not ${expected}`);
    }),
  );
  const known = PLANS.slice(0, 3).flatMap((one) => SUBSCRIBERS.map((name) => ({ one, name })));
  const pairs = known.filter(
    ({ one, name }) => all || m.subscriptions.subscriptions.has(rules.subscriptionName(one, name)),
  );
  await Promise.all(
    pairs.map(async ({ one, name }) => {
      const charge = { planKey: keyOf(stage, one), subscriber: stage.at(name) };
      const { due, ...found } = await readSubscription(local.chain, charge);
      const kept = m.subscriptions.subscriptions.get(rules.subscriptionName(one, name));
      const none = { startedAt: 0n, lastChargedAt: 0n, nextChargeAt: 0n, chargesPaid: 0, viaPermit2: false };
      const expected = { ...(kept ?? none), state: rules.stateOf(m, one, kept), due: rules.isDue(m, one, name) };
      const text = (record: object) =>
        Object.entries(record)
          .map(([name, value]) => `${name} ${value}`)
          .sort()
          .join(', ');
      if (text({ ...found, due }) !== text(expected))
        throw new Error(`${name}'s subscription of ${one.id} is ${text({ ...found, due })}, not ${text(expected)}`);
    }),
  );
}
