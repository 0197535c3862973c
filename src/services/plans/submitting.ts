// Submitting a signed subscription: it is built again from what was signed, proven, and sent by an executor.
import { signsWhole } from '../../chain/plans.ts';
import type { RevertReason } from '../../chain/routers/reverts.ts';
import { encodeSubscribe, subscriptionNonce } from '../../chain/routers/subscription.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import { permitOf } from '../../chain/signing/authorizations.ts';
import { checkSigned, codeOf } from '../../chain/signing/gasless.ts';
import { normalSignature, permitNonce, tokenDomain } from '../../chain/signing/permits.ts';
import { proveSignature, typedDataHash } from '../../chain/signing/signatures.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { CALL_SIGNATURE_MS } from '../../domain/limits.ts';
import type { TypedData } from '../../domain/typedData.ts';
import { checkDeadline } from '../accounts/signing.ts';
import { type CallView, sponsorCall, usedUp } from '../spending/sponsoredCalls.ts';
import {
  onEvm,
  openPlan,
  periodsOf,
  permitTyped,
  requireNoTrial,
  type SubmitTerms,
  type SubscribeInput,
  subscribeMove,
  subscribeTyped,
  termsOf,
} from './subscribing.ts';
import { ownersOf, type Plan, unitsOf } from './views.ts';
import { requireRaise, sendWhole, type WholeUse } from './whole.ts';

/** Measured at 190,000 with a permit; contract wallets check by themselves. */
const SUBSCRIBE_GAS = 600_000n;

export type SignedSubscription = SubscribeInput & SubmitTerms & { signature: Hex; permit_signature?: Hex | undefined };

/** A signed subscription, checked: the call that an executor sends. */
export type BuiltSubscription = {
  plan: Plan;
  chain: EvmChain;
  subscriber: Address;
  data: Hex;
  permit: { data: TypedData; signature: Hex } | null;
};

/**
 * Checks both signatures and builds the call.
 * @throws AppError `resource_missing`, `state_conflict`, `parameter_invalid`, `signature_invalid`, `delegation_legacy`, `provider_unavailable`
 */
export async function buildSubscription(ctx: Ctx, given: SignedSubscription): Promise<BuiltSubscription> {
  const { plan, chain, subscriber } = onEvm(ctx, await openPlan(ctx, given));
  const signature = normalSignature(given.signature);
  const typed = subscribeTyped(chain, plan, subscriber, given);
  const proof = await proveSignature(chain, { address: subscriber, hash: typedDataHash(typed), signature });
  if (!proof) throw await signatureProblem(chain, subscriber);
  const permit = given.permit && (await builtPermit(chain, subscriber, given.permit, given.permit_signature));
  const data = encodeSubscribe(termsOf(plan, subscriber), {
    way: 'signature',
    nonce: BigInt(given.nonce),
    deadline: BigInt(given.deadline),
    signature,
    ...(permit ? { permit: permit.terms } : {}),
  });
  return { plan, chain, subscriber, data, permit: permit && { data: permit.data, signature: permit.signature } };
}

async function builtPermit(
  chain: EvmChain,
  owner: Address,
  { value, deadline }: { value: string; deadline: number },
  given: Hex | undefined,
) {
  const param = 'permit_signature';
  if (given === undefined) throw new AppError('parameter_missing', undefined, { param });
  const signature = normalSignature(given);
  const [domain, nonce] = await Promise.all([tokenDomain(chain), permitNonce(chain, owner)]);
  try {
    const terms = permitOf({ value: BigInt(value), deadline: BigInt(deadline) }, signature);
    return { terms, signature, data: permitTyped(chain, domain, owner, { value, deadline }, nonce) };
  } catch (cause) {
    throw new AppError('signature_invalid', 'The signature of the allowance is not one of a key.', { param, cause });
  }
}

/** A wallet with code that knows neither its key nor ERC-1271 has to send the call itself. */
export async function signatureProblem(chain: EvmChain, account: Address): Promise<AppError> {
  return new AppError((await codeOf(chain, account)) === '0x' ? 'signature_invalid' : 'delegation_legacy');
}

/**
 * Sends a signed subscription at our cost: the first charge is in it, and pays for nothing when it fails.
 * @throws as {@link buildSubscription}; `call_refused` when the chain would refuse it, `rate_limited` above a budget
 */
export async function submitSubscription(ctx: Ctx, given: SignedSubscription): Promise<CallView> {
  checkDeadline(ctx, given.deadline, CALL_SIGNATURE_MS);
  const built = await buildSubscription(ctx, given);
  const { plan, chain, subscriber, data, permit } = built;
  await requireNoTrial(ctx, plan, subscriber);
  const to = chain.routers.subscription;
  if (permit) await requireNotLegacy(chain, subscriber, permit, { to, data });
  return sponsorCall(
    ctx,
    {
      handleId: await payerOf(ctx, plan.chain, subscriber),
      kind: 'subscribe',
      chain,
      use: `subscribe:${chain.name}:${subscriber}:${given.nonce}`,
      to,
      data,
      gas: SUBSCRIBE_GAS,
      deadline: given.deadline,
    },
    {
      async before() {
        if ((await subscriptionNonce(chain, subscriber)) !== BigInt(given.nonce)) throw usedUp();
      },
      refusal: refused,
    },
  );
}

export type WholeSubscription = SubscribeInput & WholeUse & { solana_transaction: string };

/**
 * The same of the transaction that `prepareSubscription` gave, signed whole by the subscriber. The same transaction twice is one call.
 * @throws AppError `resource_missing`, `state_conflict`, `parameter_invalid`, `signature_invalid`, `call_refused`, `rate_limited`, `provider_unavailable`
 */
export async function submitWholeSubscription(ctx: Ctx, given: WholeSubscription): Promise<CallView> {
  const { plan, chain, subscriber } = await openPlan(ctx, given);
  if (!signsWhole(chain))
    throw new AppError('parameter_unknown', 'Unknown parameter: solana_transaction.', { param: 'solana_transaction' });
  const more = unitsOf(plan.units) * BigInt(periodsOf(given.periods));
  const value = given.value === undefined ? null : BigInt(given.value);
  return sendWhole(ctx, {
    handleId: await payerOf(ctx, plan.chain, subscriber),
    kind: 'subscribe',
    chain,
    move: subscribeMove(plan, subscriber, value),
    transaction: given.solana_transaction,
    async before() {
      if (value !== null) await requireRaise(chain, subscriber, value, more);
    },
    refusal: refused,
  });
}

/** Whose budget a call of a wallet counts in: its handle's, or its own. */
export async function payerOf(ctx: Ctx, chain: string, subscriber: string): Promise<string> {
  return (await ownersOf(ctx.db, [{ chain, subscriber }])).get(`${chain} ${subscriber}`)?.id ?? subscriber;
}

/** @throws AppError `delegation_legacy` where the token would not know the wallet's key */
export async function requireNotLegacy(
  chain: EvmChain,
  account: Address,
  permit: { data: TypedData; signature: Hex },
  call: { to: Address; data: Hex },
): Promise<void> {
  const refusal = await checkSigned(chain, { account, ...permit }, call);
  if (refusal?.code === 'delegation_legacy') throw new AppError('delegation_legacy');
}

const NOT_COVERED = 'The first charge would fail: check the wallet’s balance and allowance.';

export function refused({ name, text }: RevertReason): AppError {
  const words: Record<string, string> = {
    TransferFailed: NOT_COVERED,
    AlreadySubscribed: 'This wallet is already subscribed.',
    PlanInactive: 'This plan doesn’t accept new subscribers.',
    TooSoon: 'This wallet was charged for this plan less than half a period ago.',
    InvalidNonce: 'This signature, or a newer one, was already used. Please start again.',
    Expired: 'The signature has expired. Sign it again.',
    Paused: 'Subscriptions are paused on this network. Try again later.',
    BalanceTooLow: NOT_COVERED,
    AllowanceTooLow: NOT_COVERED,
    NotApproved: NOT_COVERED,
    BlockhashNotFound: 'The signature has expired. Sign it again.',
  };
  return new AppError('call_refused', words[name] ?? `The network rejected this (${text ?? name}).`);
}
