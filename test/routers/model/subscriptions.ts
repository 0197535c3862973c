// What ISubscriptionRouter promises: a fixed amount, at most once per elapsed period.
import {
  EXECUTOR,
  FEE_TO,
  holding,
  type Model,
  nonceOf,
  type Party,
  pull,
  type Reasons,
  takeNonce,
  unless,
} from './ledger.ts';

/** `token` wrapped is one that the router does not take. */
export type ModelPlan = { id: number; creator: Party; token: 'usdc' | 'wrapped'; amount: bigint; period: bigint };
type Kept = {
  state: 'active' | 'cancelled' | 'halted';
  startedAt: bigint;
  lastChargedAt: bigint;
  nextChargeAt: bigint;
  chargesPaid: number;
  viaPermit2: boolean;
};
export type SubscriptionBooks = { plans: Map<number, 'active' | 'inactive'>; subscriptions: Map<string, Kept> };

const HERE = 'router:subscription';
export const subscriptionName = ({ id }: ModelPlan, subscriber: Party) => `${id} ${subscriber}`;
const feeOf = (amount: bigint) => (amount * 100n + 5_000n) / 10_000n;
const half = (period: bigint) => (period + 1n) / 2n;

export function createPlan(m: Model, plan: ModelPlan): Reasons {
  const reasons = holding({
    Paused: m.paused.has('subscription'),
    UnsupportedToken: plan.token !== 'usdc',
    InvalidPeriod: plan.period < 3_600n || plan.period > 366n * 86_400n,
    PlanExists: m.subscriptions.plans.has(plan.id),
  });
  m.subscriptions.plans.set(plan.id, 'active');
  return reasons;
}

/** By the creator's call, or by its signature. */
export type By = { way: 'call'; caller: Party } | { way: 'signature'; signer: Party; nonce: bigint; deadline: bigint };

export function setPlan(m: Model, plan: ModelPlan, state: 'active' | 'inactive', by: By): Reasons {
  const reasons = [
    ...holding({
      UnknownPlan: !m.subscriptions.plans.has(plan.id),
      InvalidState: m.subscriptions.plans.get(plan.id) === state,
      Paused: state === 'active' && m.paused.has('subscription'),
    }),
    ...authorized(m, plan.creator, by, 'NotCreator'),
  ];
  m.subscriptions.plans.set(plan.id, state);
  return reasons;
}

/** The party itself calls, or signed with its next number; either way that number is used up. */
function authorized(m: Model, party: Party, by: By, stranger: string): Reasons {
  const nonce = nonceOf(m, 'subscription', party);
  takeNonce(m, 'subscription', party);
  if (by.way === 'call') return holding({ [stranger]: by.caller !== party });
  return holding({
    Expired: m.now > by.deadline,
    InvalidNonce: by.nonce !== nonce,
    InvalidSignature: by.signer !== party,
  });
}

export type Subscribe = {
  plan: ModelPlan;
  subscriber: Party;
  /** Whether the subscriber knows the plan's terms. */
  knows: boolean;
  way: 'direct' | 'eip2612' | 'permit2' | 'signature';
  signer: Party;
  nonce: bigint;
  deadline: bigint;
};

export function subscribe(m: Model, { plan, subscriber, knows, way, signer, nonce, deadline }: Subscribe): Reasons {
  const by: By = way === 'signature' ? { way, signer, nonce, deadline } : { way: 'call', caller: subscriber };
  const reasons = [
    ...authorized(m, subscriber, by, 'never'),
    ...planReasons(m, plan),
    ...holding({ TermsMismatch: !knows }),
  ];
  const before = m.subscriptions.subscriptions.get(subscriptionName(plan, subscriber));
  reasons.push(
    ...holding({
      AlreadySubscribed: stateOf(m, plan, before) === 'active',
      TooSoon: before !== undefined && m.now < before.lastChargedAt + half(plan.period),
    }),
  );
  if (way === 'eip2612' && signer === subscriber) {
    m.allowances.set(`usdc ${subscriber} ${HERE}`, 3n * plan.amount);
    takeNonce(m, 'usdc', subscriber);
  }
  if (way === 'permit2' && signer === subscriber) {
    m.permit2.set(subscriber, { amount: 3n * plan.amount, expiration: m.now + 40n * 86_400n });
    takeNonce(m, 'permit2', subscriber);
  }
  m.subscriptions.subscriptions.set(subscriptionName(plan, subscriber), {
    state: 'active',
    startedAt: m.now,
    lastChargedAt: m.now,
    nextChargeAt: m.now + plan.period,
    chargesPaid: 1,
    viaPermit2: way === 'permit2',
  });
  return draw(m, plan, subscriber, way === 'permit2', reasons);
}

export function charge(m: Model, plan: ModelPlan, subscriber: Party): Reasons {
  const kept = m.subscriptions.subscriptions.get(subscriptionName(plan, subscriber));
  const reasons = [
    ...planReasons(m, plan),
    ...holding({
      NotActive: stateOf(m, plan, kept) !== 'active',
      TooSoon: kept !== undefined && m.now < kept.nextChargeAt,
    }),
  ];
  if (!kept) return reasons;
  const elapsed = (m.now - kept.startedAt) / plan.period;
  const multiple = kept.startedAt + (elapsed + 1n) * plan.period;
  const earliest = m.now + half(plan.period);
  m.subscriptions.subscriptions.set(subscriptionName(plan, subscriber), {
    ...kept,
    lastChargedAt: m.now,
    nextChargeAt: multiple > earliest ? multiple : earliest,
    chargesPaid: kept.chargesPaid + 1,
  });
  return draw(m, plan, subscriber, kept.viaPermit2, reasons);
}

export function cancel(m: Model, plan: ModelPlan, subscriber: Party, party: Party, by: By): Reasons {
  const kept = m.subscriptions.subscriptions.get(subscriptionName(plan, subscriber));
  const known = m.subscriptions.plans.has(plan.id);
  const reasons = [
    ...holding({
      NotSubscriberOrCreator: party !== subscriber && (!known || party !== plan.creator),
      UnknownPlan: !known,
      NotActive: kept === undefined || kept.state === 'cancelled',
    }),
    ...authorized(m, party, by, 'never'),
  ];
  if (kept) kept.state = 'cancelled';
  return reasons;
}

export function halt(m: Model, plan: ModelPlan, subscriber: Party, caller: Party): Reasons {
  const kept = m.subscriptions.subscriptions.get(subscriptionName(plan, subscriber));
  const reasons = holding({
    NotExecutor: caller !== EXECUTOR,
    UnknownPlan: !m.subscriptions.plans.has(plan.id),
    NotActive: stateOf(m, plan, kept) !== 'active',
  });
  if (kept) kept.state = 'halted';
  return reasons;
}

/** As it reads: what stayed unpaid for three periods counts as halted. */
export function stateOf(m: Model, plan: ModelPlan, kept: Kept | undefined): Kept['state'] | 'none' {
  if (!kept) return 'none';
  const lapsed = m.now >= kept.nextChargeAt + 3n * plan.period;
  return kept.state === 'active' && lapsed ? 'halted' : kept.state;
}

export function isDue(m: Model, plan: ModelPlan, subscriber: Party): boolean {
  const kept = m.subscriptions.subscriptions.get(subscriptionName(plan, subscriber));
  const open = planReasons(m, plan).length === 0 && stateOf(m, plan, kept) === 'active';
  return open && kept !== undefined && m.now >= kept.nextChargeAt;
}

function planReasons(m: Model, { id }: ModelPlan): Reasons {
  return holding({
    Paused: m.paused.has('subscription'),
    UnknownPlan: !m.subscriptions.plans.has(id),
    PlanInactive: m.subscriptions.plans.get(id) === 'inactive',
  });
}

function draw(m: Model, plan: ModelPlan, subscriber: Party, viaPermit2: boolean, reasons: Reasons): Reasons {
  const fee = feeOf(plan.amount);
  const parts: [Party, bigint][] = [
    [plan.creator, plan.amount - fee],
    [FEE_TO, fee],
  ];
  if (!viaPermit2)
    return unless(
      reasons,
      () => parts.every(([to, part]) => pull(m, 'usdc', HERE, subscriber, to, part)),
      'TransferFailed',
    );
  const given = m.permit2.get(subscriber) ?? { amount: 0n, expiration: 0n };
  reasons.push(
    ...holding({ AllowanceExpired: m.now > given.expiration, InsufficientAllowance: given.amount < plan.amount }),
  );
  m.permit2.set(subscriber, { ...given, amount: given.amount - plan.amount });
  return unless(
    reasons,
    () => parts.every(([to, part]) => pull(m, 'usdc', 'permit2', subscriber, to, part)),
    'TokenRefused',
  );
}
