// Managing plans and subscriptions without gas: what the wallet signs, and the call that an executor sends with it.
import type { TransactionToSign } from '../../chain/calls.ts';
import type { Chain } from '../../chain/chain.ts';
import { signsWhole } from '../../chain/plans.ts';
import { readAllowances } from '../../chain/routers/charges.ts';
import {
  encodeCancel,
  encodeCancelBySig,
  encodeSetPlan,
  encodeSetPlanBySig,
  subscriptionNonce,
} from '../../chain/routers/subscription.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import { codeOf, delegateIn, gaslessWays } from '../../chain/signing/gasless.ts';
import { encodeApprove, encodePermit, normalSignature, permitNonce, tokenDomain } from '../../chain/signing/permits.ts';
import { askCode, proveSignature, typedDataHash } from '../../chain/signing/signatures.ts';
import { type Ctx, chainOf, evmChainOf } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { CALL_SIGNATURE_MS } from '../../domain/limits.ts';
import type { SponsoredKind } from '../../domain/sponsoredCall.ts';
import { cancelData, setPlanData } from '../../domain/typedData/subscriptions.ts';
import type { TypedData } from '../../domain/typedData.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { checkDeadline } from '../accounts/signing.ts';
import { ANSWER_WITHIN_MS, pollWithin } from '../polling.ts';
import { walletOnChain } from '../spending/callTerms.ts';
import { type CallView, callOf, sponsorCall, usedUp } from '../spending/sponsoredCalls.ts';
import { ownPlanRow } from './plans.ts';
import type { WalletCall } from './staging.ts';
import { requireNotLegacy, signatureProblem } from './submitting.ts';
import { periodsOf, permitTyped } from './subscribing.ts';
import { partyRow } from './subscriptions.ts';
import { type Plan, type Subscription, unitsOf } from './views.ts';
import { prepareWhole, submitWhole, type WholeUse } from './whole.ts';

const CALL_GAS = 400_000n;

/**
 * `create` makes a staged plan, where its wallet does not send that by itself; `renew` allows so many periods of a subscription more; `revoke` takes the
 * whole allowance on a chain back.
 */
export type ManageInput =
  | { action: 'create'; planId: string }
  | { action: 'deactivate' | 'reactivate'; planId: string }
  | { action: 'cancel'; subscriptionId: string }
  | { action: 'renew'; subscriptionId: string; periods?: number | undefined }
  | { action: 'revoke'; chain: string };
/** What the signature uses up; of an allowance also its value, in smallest units. */
export type ManageUse = { nonce: string; deadline: number; value?: string | undefined };

export type PreparedManage = {
  typed_data: TypedData;
  submit: ManageUse;
  /** The same as the wallet’s own call. */
  transaction: WalletCall;
};
export type Managed = { request: CallView; txHash: string | null; tx_hash: string | null };

type Subject = {
  kind: SponsoredKind;
  chain: EvmChain;
  /** Whose signature counts. */
  signer: Address;
  to: Address;
  own: Hex;
  /** Of `renew` and `revoke`: the whole allowance that is signed. */
  value?: bigint;
  nonce(): Promise<bigint>;
  typed(use: ManageUse): Promise<TypedData>;
  encode(use: ManageUse, signature: Hex): Promise<Hex>;
};

/** A whole transaction to sign, and what goes back with it. */
export type PreparedTransaction = TransactionToSign & { submit: WholeUse };

/**
 * What the wallet is to sign. Changes nothing.
 * @throws AppError `resource_missing`, `parameter_invalid`; `state_conflict` where it makes no sense now, and for an allowance where the token takes no
 * signature; `delegation_legacy` for a wallet whose code can verify none; `provider_unavailable`
 */
export async function prepareManage(
  ctx: Ctx,
  handle: SessionHandle,
  input: ManageInput,
): Promise<PreparedManage | PreparedTransaction> {
  const target = await targetOf(ctx, handle, input);
  if (signsWhole(target.chain)) return prepareWhole(ctx, target);
  const subject = await subjectOf(ctx, target);
  await requireSigning(subject);
  const deadline = Math.floor((ctx.clock.now() + CALL_SIGNATURE_MS) / 1_000);
  const value = subject.value === undefined ? {} : { value: String(subject.value) };
  const submit = { nonce: String(await subject.nonce()), deadline, ...value };
  return { typed_data: await subject.typed(submit), submit, transaction: ownCall(subject) };
}

/** The same as the wallet's own transaction, for a wallet that cannot sign. @throws AppError `resource_missing`, `parameter_invalid`, `state_conflict` */
export async function prepareOwnCall(
  ctx: Ctx,
  handle: SessionHandle,
  input: ManageInput,
): Promise<{ transaction: WalletCall }> {
  const target = await targetOf(ctx, handle, input);
  if (!signsWhole(target.chain)) return { transaction: ownCall(await subjectOf(ctx, target)) };
  const words = `On ${target.chain.facts.label} your wallet signs it, and Ampersat sends it.`;
  throw new AppError('state_conflict', words);
}

function ownCall({ to, own: data, chain }: Subject): WalletCall {
  return { to, data, value: '0x0', chainId: chain.facts.chainId };
}

/**
 * Sends what the wallet signed. The same signature twice is one call.
 * @returns with the transaction's hash, where it was sent in time
 * @throws as {@link prepareManage}; AppError `signature_invalid`, `call_refused`, `rate_limited`
 */
export async function submitManage(
  ctx: Ctx,
  handle: SessionHandle,
  input: ManageInput,
  use: ManageUse,
  given: Hex,
  { waitMs = ANSWER_WITHIN_MS }: { waitMs?: number } = {},
): Promise<Managed> {
  const target = await targetOf(ctx, handle, input);
  if (signsWhole(target.chain)) throw new AppError('parameter_missing', undefined, { param: 'solana_transaction' });
  const subject = await subjectOf(ctx, target, use);
  const { chain, signer, to, kind } = subject;
  checkDeadline(ctx, use.deadline, CALL_SIGNATURE_MS);
  const signature = normalSignature(given);
  const typed = await subject.typed(use);
  const data = await subject.encode(use, signature);
  if (subject.value !== undefined) await requireNotLegacy(chain, signer, { data: typed, signature }, { to, data });
  const proof = await proveSignature(chain, { address: signer, hash: typedDataHash(typed), signature });
  if (!proof) throw await signatureProblem(chain, signer);
  const call = await sponsorCall(
    ctx,
    {
      handleId: handle.id,
      kind,
      chain,
      use: `${kind}:${chain.name}:${signer}:${use.nonce}`,
      to,
      data,
      gas: CALL_GAS,
      deadline: use.deadline,
    },
    {
      async before() {
        if ((await subject.nonce()) !== BigInt(use.nonce)) throw usedUp();
      },
    },
  );
  return sentCall(ctx, handle, call, waitMs);
}

/**
 * The same of the transaction that {@link prepareManage} gave, signed whole.
 * @param transaction in base64
 * @throws as {@link prepareManage}; AppError `signature_invalid` for any other transaction, `call_refused`, `rate_limited`
 */
export async function submitManagedWhole(
  ctx: Ctx,
  handle: SessionHandle,
  input: ManageInput,
  use: WholeUse,
  transaction: string,
  { waitMs = ANSWER_WITHIN_MS }: { waitMs?: number } = {},
): Promise<Managed> {
  const target = await targetOf(ctx, handle, input, { isSubmitted: true });
  if (!signsWhole(target.chain))
    throw new AppError('parameter_unknown', 'Unknown parameter: solana_transaction.', { param: 'solana_transaction' });
  return sentCall(ctx, handle, await submitWhole(ctx, handle.id, target, use, transaction), waitMs);
}

async function sentCall(ctx: Ctx, handle: SessionHandle, call: CallView, waitMs: number): Promise<Managed> {
  const sent = await pollWithin(ctx, waitMs, async () => {
    const now = await callOf(ctx, handle.id, call.id);
    return now.tx_hash !== null || now.status === 'failed' ? now : null;
  });
  const request = sent ?? call;
  return { request, txHash: request.tx_hash, tx_hash: request.tx_hash };
}

/** What a call is about, whatever its wallet signs. `more` is what is added to the allowance; null takes all of it back. */
export type ManageTarget = { chain: Chain } & (
  | { name: 'create'; plan: Plan }
  | { name: 'set_plan'; plan: Plan; state: 'active' | 'inactive' }
  | { name: 'cancel'; row: Subscription; by: string }
  | { name: 'allow'; owner: string; more: bigint | null }
);

/** @param isSubmitted what was signed may have been sent before: that it is done already is no reason to refuse its twin */
async function targetOf(
  ctx: Ctx,
  handle: SessionHandle,
  input: ManageInput,
  { isSubmitted = false } = {},
): Promise<ManageTarget> {
  switch (input.action) {
    case 'create': {
      const plan = await ownPlanRow(ctx, handle.id, input.planId);
      if (plan.status !== 'pending_create' && !isSubmitted)
        throw new AppError('state_conflict', 'This plan is created already.');
      return { name: 'create', chain: chainOf(ctx, plan.chain), plan };
    }
    case 'deactivate':
    case 'reactivate': {
      const plan = await ownPlanRow(ctx, handle.id, input.planId);
      const state = input.action === 'deactivate' ? ('inactive' as const) : ('active' as const);
      if (plan.status === 'pending_create') throw new AppError('state_conflict', 'This plan isn’t created yet.');
      if (plan.status === state && !isSubmitted) throw new AppError('state_conflict', `This plan is ${state} already.`);
      return { name: 'set_plan', chain: chainOf(ctx, plan.chain), plan, state };
    }
    case 'cancel': {
      const { row, plan, party } = await partyRow(ctx, handle, input.subscriptionId);
      if (row.status === 'cancelled' && !isSubmitted)
        throw new AppError('state_conflict', 'This subscription is cancelled already.');
      const by = party === 'subscriber' ? row.subscriber : plan.creator;
      return { name: 'cancel', chain: chainOf(ctx, row.chain), row, by };
    }
    case 'renew': {
      const { row, plan, party } = await partyRow(ctx, handle, input.subscriptionId);
      if (party !== 'subscriber') throw new AppError('resource_missing', 'No such subscription. Check the ID.');
      if (row.status !== 'active') throw new AppError('state_conflict', 'This subscription has ended.');
      const more = unitsOf(plan.units) * BigInt(periodsOf(input.periods));
      return { name: 'allow', chain: chainOf(ctx, row.chain), owner: row.subscriber, more };
    }
    case 'revoke': {
      const { chain, wallet } = await walletOnChain(ctx, handle.id, input.chain);
      return { name: 'allow', chain, owner: wallet, more: null };
    }
  }
}

async function subjectOf(ctx: Ctx, target: ManageTarget, use?: ManageUse): Promise<Subject> {
  const chain = evmChainOf(ctx, target.chain.name);
  switch (target.name) {
    case 'create': {
      const words = `On ${chain.facts.label} your wallet creates the plan by itself, with the plan’s transaction.`;
      throw new AppError('state_conflict', words);
    }
    case 'set_plan':
      return planSubject(chain, target.plan, target.state);
    case 'cancel':
      return cancelSubject(chain, target.row, target.by as Address);
    case 'allow':
      return allowanceSubject(chain, target.owner as Address, target.more, use);
  }
}

function planSubject(chain: EvmChain, { creator, planKey: key }: Plan, state: 'active' | 'inactive'): Subject {
  const [signer, planKey] = [creator as Address, key as Hex];
  const termsOf = ({ nonce, deadline }: ManageUse) => ({
    planKey,
    state,
    nonce: BigInt(nonce),
    deadline: BigInt(deadline),
  });
  return {
    kind: 'set_plan',
    chain,
    signer,
    to: chain.routers.subscription,
    own: encodeSetPlan(planKey, state),
    nonce: () => subscriptionNonce(chain, signer),
    typed: async (use) => setPlanData(verifierOf(chain), termsOf(use)),
    encode: async (use, signature) => encodeSetPlanBySig(termsOf(use), signature),
  };
}

function cancelSubject(chain: EvmChain, row: Subscription, signer: Address): Subject {
  const pair = { planKey: row.planKey as Hex, subscriber: row.subscriber as Address };
  const termsOf = ({ nonce, deadline }: ManageUse) => ({ ...pair, nonce: BigInt(nonce), deadline: BigInt(deadline) });
  return {
    kind: 'cancel_subscription',
    chain,
    signer,
    to: chain.routers.subscription,
    own: encodeCancel(pair),
    nonce: () => subscriptionNonce(chain, signer),
    typed: async (use) => cancelData(verifierOf(chain), termsOf(use)),
    encode: async (use, signature) => encodeCancelBySig(termsOf(use), signer, signature),
  };
}

/** @param more what is added to the allowance; null to take all of it back */
async function allowanceSubject(
  chain: EvmChain,
  owner: Address,
  more: bigint | null,
  use: ManageUse | undefined,
): Promise<Subject> {
  const domainOf = async () => {
    const domain = chain.facts.permits.includes('eip2612') ? await tokenDomain(chain) : null;
    if (domain) return domain;
    const words = `USDC on ${chain.facts.label} doesn’t support signed approvals. Approve it from your wallet instead.`;
    throw new AppError('state_conflict', words);
  };
  const current = (await readAllowances(chain, [owner])).get(owner) ?? 0n;
  const value = use?.value === undefined ? (more === null ? 0n : current + more) : BigInt(use.value);
  if (more === null ? value !== 0n : value > current + more)
    throw new AppError('parameter_invalid', 'The allowance has changed. Please start again.', { param: 'value' });
  const spender = chain.routers.subscription;
  return {
    kind: 'subscription_allowance',
    chain,
    signer: owner,
    to: chain.usdc,
    own: encodeApprove(spender, value),
    value,
    nonce: () => permitNonce(chain, owner),
    typed: async ({ nonce, deadline }) =>
      permitTyped(chain, await domainOf(), owner, { value: String(value), deadline }, BigInt(nonce)),
    encode: async ({ nonce, deadline }, signature) =>
      encodePermit(
        {
          chainId: chain.facts.chainId,
          token: chain.usdc,
          tokenDomain: await domainOf(),
          owner,
          spender,
          value,
          nonce: BigInt(nonce),
          deadline,
        },
        signature,
      ),
  };
}

function verifierOf(chain: EvmChain) {
  return { chainId: chain.facts.chainId, contract: chain.routers.subscription };
}

const NO_SIGNATURE: Hex = `0x${'00'.repeat(65)}`;

/** A wallet whose code can verify nothing could sign whatever it likes. The router itself knows a key under a delegation; a token does not. */
async function requireSigning({ chain, signer, value }: Subject): Promise<void> {
  if (value !== undefined) {
    const why = (await gaslessWays(chain, signer, { router: 'subscription', amount: 0n })).closed.eip2612?.why;
    if (why === 'delegation_legacy' || why === 'no_erc1271') throw new AppError('delegation_legacy');
    return;
  }
  const code = await codeOf(chain, signer);
  if (code === '0x' || delegateIn(code)) return;
  const hash = typedDataHash(setPlanData(verifierOf(chain), PROBE));
  const answer = await askCode(chain.client, { address: signer, hash, signature: NO_SIGNATURE });
  if (answer === 'mute') throw new AppError('delegation_legacy');
}

const PROBE = { planKey: `0x${'00'.repeat(32)}` as Hex, state: 'active' as const, nonce: 0n, deadline: 0n };
