// Switching to the plan that replaced one at another price: the old subscription is cancelled now and stays paid until its end, where the new one begins.
// Two signatures, and a third one where the allowance does not cover a charge of the new price.
import { keepsSignatures } from '../../chain/plans.ts';
import { readSubscriberFunds } from '../../chain/routers/charges.ts';
import { encodeCancelBySig, readSubscription, subscriptionNonce } from '../../chain/routers/subscription.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import { normalSignature, permitNonce, tokenDomain } from '../../chain/signing/permits.ts';
import { proveSignature, typedDataHash } from '../../chain/signing/signatures.ts';
import { type Ctx, chainOf, evmChainOf, newId } from '../../context.ts';
import { decimalOf } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { CALL_SIGNATURE_MS } from '../../domain/limits.ts';
import { ALLOWANCE_PERIODS, TRIAL_GRACE_MS } from '../../domain/subscription.ts';
import { cancelData } from '../../domain/typedData/subscriptions.ts';
import type { TypedData } from '../../domain/typedData.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { checkDeadline } from '../accounts/signing.ts';
import { type CallView, sponsorCall, usedUp } from '../spending/sponsoredCalls.ts';
import { planRow } from './plans.ts';
import { buildSubscription, signatureProblem } from './submitting.ts';
import { permitTyped, subscribeTyped } from './subscribing.ts';
import { partyRow } from './subscriptions.ts';
import { dropTrial, type TrialView, viewTrialOf } from './trials.ts';
import { type Plan, type PublicPlan, publicPlan, type Subscription, unitsOf, viewPlan } from './views.ts';

const CANCEL_GAS = 400_000n;
/** The cancellation is sent in this time or not at all, so no charge comes before it. */
const BEFORE_CHARGE_MS = CALL_SIGNATURE_MS;

/** Goes back as it came, with the signatures. Both calls use up a number of the wallet: the cancellation `nonce`, the new subscription the next one. */
export type SwitchTerms = {
  nonce: string;
  cancel_deadline: number;
  deadline: number;
  permit: { value: string; deadline: number } | null;
};
export type PreparedSwitch = {
  plan: PublicPlan;
  /** When the new price is charged first. */
  starts_at: string;
  cancel: TypedData;
  subscribe: TypedData;
  permit: TypedData | null;
  submit: SwitchTerms;
};
type Signatures = { cancel_signature: Hex; signature: Hex; permit_signature?: Hex | undefined };

/**
 * What the wallet is to sign. Changes nothing.
 * @throws AppError `resource_missing`; `state_conflict` where there is no other price, or it makes no sense now; `provider_unavailable`
 */
export async function prepareSwitch(ctx: Ctx, handle: SessionHandle, id: string): Promise<PreparedSwitch> {
  const { row, chain, next } = await switchOf(ctx, handle, id);
  const subscriber = row.subscriber as Address;
  const [funds, nonce, domain, tokenNonce] = await Promise.all([
    readSubscriberFunds(chain, subscriber),
    subscriptionNonce(chain, subscriber),
    tokenDomain(chain),
    chain.facts.permits.includes('eip2612') ? permitNonce(chain, subscriber) : 0n,
  ]);
  const units = unitsOf(next.units);
  const deadline = deadlineOf(row);
  const missing = funds.allowance < units;
  const value = funds.allowance + units * BigInt(ALLOWANCE_PERIODS.usual);
  const permit = missing ? { value: String(value), deadline } : null;
  const cancelDeadline = Math.floor((ctx.clock.now() + CALL_SIGNATURE_MS) / 1_000);
  const submit: SwitchTerms = { nonce: String(nonce), cancel_deadline: cancelDeadline, deadline, permit };
  return {
    plan: publicPlan(await viewPlan(ctx, ctx.db, next)),
    starts_at: row.nextChargeAt.toISOString(),
    cancel: cancelTyped(chain, row, submit),
    subscribe: subscribeTyped(chain, next, subscriber, laterTerms(submit)),
    permit: permit && permitTyped(chain, domain, subscriber, permit, tokenNonce),
    submit,
  };
}

/** The new one is sent at the end of what is paid. */
function deadlineOf({ nextChargeAt }: Subscription): number {
  return Math.floor((nextChargeAt.getTime() + TRIAL_GRACE_MS) / 1_000);
}

function laterTerms({ nonce, deadline, permit }: SwitchTerms) {
  return { nonce: String(BigInt(nonce) + 1n), deadline, permit, trial: true };
}

function cancelTerms(row: Subscription, { nonce, cancel_deadline: deadline }: SwitchTerms) {
  const pair = { planKey: row.planKey as Hex, subscriber: row.subscriber as Address };
  return { ...pair, nonce: BigInt(nonce), deadline: BigInt(deadline) };
}

function cancelTyped(chain: EvmChain, row: Subscription, terms: SwitchTerms): TypedData {
  const verifier = { chainId: chain.facts.chainId, contract: chain.routers.subscription };
  return cancelData(verifier, cancelTerms(row, terms));
}

async function switchOf(ctx: Ctx, handle: SessionHandle, id: string) {
  const { row, plan, party } = await partyRow(ctx, handle, id);
  if (party !== 'subscriber') throw new AppError('resource_missing', 'No such subscription. Check the ID.');
  if (row.status !== 'active') throw new AppError('state_conflict', 'This subscription has ended.');
  if (plan.replacedById === null) throw new AppError('state_conflict', 'This plan has no other price.');
  const next = await planRow(ctx, plan.replacedById);
  if (next.status !== 'active') throw new AppError('state_conflict', 'The new plan doesn’t accept subscribers.');
  if (!keepsSignatures(chainOf(ctx, row.chain))) throw noSwitch(ctx, row);
  const chain = evmChainOf(ctx, row.chain);
  if (row.failure !== null || row.nextChargeAt.getTime() - ctx.clock.now() < BEFORE_CHARGE_MS)
    throw new AppError('state_conflict', 'A charge is due now. Switch once it is made.');
  const at = { planKey: next.planKey as Hex, subscriber: row.subscriber as Address };
  if ((await readSubscription(chain, at)).state === 'active')
    throw new AppError('state_conflict', 'This wallet subscribes to the new plan already. Cancel this one.');
  return { row, chain, next };
}

/** @returns what the subscriber does instead */
function noSwitch(ctx: Ctx, { chain, nextChargeAt }: Subscription): AppError {
  const { label } = chainOf(ctx, chain).facts;
  const day = nextChargeAt.toISOString().slice(0, 10);
  const words = `${label} can’t keep a signature until ${day}, so switching ahead isn’t possible there. Cancel this subscription, and subscribe to the new plan on ${day}.`;
  return new AppError('unsupported_chain', words);
}

/**
 * Keeps the new subscription until what is paid is over, and cancels the old one. What is kept first is worth nothing while the old one stands: its
 * number comes after the cancellation's.
 * @throws as {@link prepareSwitch}; AppError `parameter_invalid`, `signature_invalid`, `delegation_legacy`, `call_refused`, `rate_limited`
 */
export async function submitSwitch(
  ctx: Ctx,
  handle: SessionHandle,
  id: string,
  terms: SwitchTerms,
  given: Signatures,
): Promise<{ trial: TrialView; request: CallView }> {
  const { row, chain, next } = await switchOf(ctx, handle, id);
  const subscriber = row.subscriber as Address;
  checkDeadline(ctx, terms.cancel_deadline, CALL_SIGNATURE_MS);
  if (terms.deadline !== deadlineOf(row))
    throw new AppError('parameter_invalid', 'This request is out of date. Please start again.', { param: 'deadline' });
  const signature = normalSignature(given.cancel_signature);
  const hash = typedDataHash(cancelTyped(chain, row, terms));
  if (!(await proveSignature(chain, { address: subscriber, hash, signature })))
    throw await signatureProblem(chain, subscriber);
  const later = laterTerms(terms);
  const { data } = await buildSubscription(ctx, {
    plan: next.id,
    subscriber,
    ...later,
    signature: given.signature,
    permit_signature: given.permit_signature,
  });
  if ((await subscriptionNonce(chain, subscriber)) !== BigInt(terms.nonce)) throw usedUp();
  const trial = await keep(ctx, row, next, { handleId: handle.id, data, ...later });
  try {
    const request = await sponsorCall(ctx, {
      handleId: handle.id,
      kind: 'cancel_subscription',
      chain,
      use: `cancel_subscription:${chain.name}:${subscriber}:${terms.nonce}`,
      to: chain.routers.subscription,
      data: encodeCancelBySig(cancelTerms(row, terms), subscriber, signature),
      gas: CANCEL_GAS,
      deadline: terms.cancel_deadline,
    });
    return { trial: await viewTrialOf(ctx, trial), request };
  } catch (error) {
    await dropTrial(ctx, trial);
    throw error;
  }
}

/** @returns the id of the trial that begins when what is paid is over */
async function keep(
  ctx: Ctx,
  row: Subscription,
  next: Plan,
  { handleId, data, nonce, deadline }: { handleId: string; data: Hex; nonce: string; deadline: number },
): Promise<string> {
  return ctx.db.$transaction(async (tx) => {
    const where = { planId: next.id, subscriber: row.subscriber };
    const before = await tx.trial.findFirst({ where });
    if (before && before.status !== 'left' && before.status !== 'failed')
      throw new AppError('state_conflict', 'This subscription is being switched already.');
    if (before) await tx.trial.delete({ where: { id: before.id } });
    const id = newId(ctx, 'trl');
    await tx.trial.create({
      data: {
        id,
        chain: row.chain,
        ...where,
        handleId,
        status: 'waiting',
        data,
        nonce: decimalOf(BigInt(nonce)),
        switchesFromId: row.id,
        endsAt: row.nextChargeAt,
        expiresAt: new Date(deadline * 1_000),
        tryAt: row.nextChargeAt,
        createdAt: new Date(ctx.clock.now()),
      },
    });
    return id;
  });
}
