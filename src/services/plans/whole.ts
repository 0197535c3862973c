// What wallets sign about plans and subscriptions as whole transactions, which our executors pay for and send.
import type { TransactionToSign } from '../../chain/calls.ts';
import type { Chain } from '../../chain/chain.ts';
import { type PlanMove, preparePlanMove, readPlanMove, subscriberFunds } from '../../chain/plans.ts';
import type { RevertReason } from '../../chain/routers/reverts.ts';
import { isUnlimited, mostAllowance } from '../../chain/spending.ts';
import type { Ctx } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { CALL_SIGNATURE_MS } from '../../domain/limits.ts';
import type { SponsoredKind } from '../../domain/sponsoredCall.ts';
import { isKeyInUse } from '../outgoing/keys.ts';
import { choosePayer } from '../outgoing/payers.ts';
import { callUse, requireAccountRoom, requireStake } from '../spending/sponsorBudget.ts';
import { type CallView, noKey, sponsorCall, usedUp } from '../spending/sponsoredCalls.ts';
import type { ManageTarget } from './managing.ts';
import { termsOf } from './staging.ts';

/** The whole allowance that is signed, in smallest units; none where it stays as it is. */
export type WholeUse = { value?: string | undefined };

/**
 * What may be drawn of a wallet once it allows more: never less than before, as tips and other subscriptions draw on the same.
 * @returns null where it allows everything already
 */
export async function raisedAllowance(chain: Chain, wallet: string, more: bigint): Promise<bigint | null> {
  const { allowance } = await subscriberFunds(chain, wallet);
  if (isUnlimited(chain, allowance)) return null;
  const most = mostAllowance(chain);
  return allowance + more > most ? most : allowance + more;
}

/** Refuses an allowance that would lower what others need by now, or that is more than was chosen. @throws AppError `parameter_invalid` */
export async function requireRaise(chain: Chain, wallet: string, value: bigint, more: bigint): Promise<void> {
  const { allowance } = await subscriberFunds(chain, wallet);
  if (value >= allowance && value <= allowance + more) return;
  throw new AppError('parameter_invalid', 'The allowance has changed. Please start again.', { param: 'value' });
}

/** The transaction of a target, for its wallet to sign. @throws AppError `state_conflict`, `provider_unavailable` */
export async function prepareWhole(ctx: Ctx, target: ManageTarget): Promise<TransactionToSign & { submit: WholeUse }> {
  const { chain } = target;
  const value = target.name === 'allow' ? await allowanceValue(chain, target.owner, target.more) : null;
  const prepared = await preparePlanMove(chain, moveOf(target, value ?? 0n), await choosePayer(ctx, chain, 0));
  if (!prepared) throw new Error('wallets of this chain sign something else');
  return { ...prepared, submit: value === null ? {} : { value: String(value) } };
}

async function allowanceValue(chain: Chain, owner: string, more: bigint | null): Promise<bigint> {
  if (more === null) return 0n;
  const raised = await raisedAllowance(chain, owner, more);
  if (raised === null) throw new AppError('state_conflict', 'This wallet allows everything already.');
  return raised;
}

function moveOf(target: ManageTarget, value: bigint): PlanMove {
  switch (target.name) {
    case 'create':
      return { name: 'create', plan: termsOf(target.plan) };
    case 'set_plan': {
      const { creator, planKey } = target.plan;
      return { name: 'set_plan', creator, planKey, state: target.state };
    }
    case 'cancel': {
      const { planKey, subscriber } = target.row;
      return { name: 'cancel', by: target.by, planKey, subscriber };
    }
    case 'allow':
      return { name: 'allow', owner: target.owner, allowance: value };
  }
}

const KINDS = {
  create: 'create_plan',
  set_plan: 'set_plan',
  cancel: 'cancel_subscription',
  allow: 'subscription_allowance',
} as const satisfies Record<ManageTarget['name'], SponsoredKind>;

/**
 * Takes the transaction of a target, signed by its wallet, and has it sent. The same transaction twice is one call.
 * @throws AppError `parameter_missing`, `parameter_invalid`, `signature_invalid`, `call_refused`, `state_conflict`, `rate_limited`,
 * `provider_unavailable`
 */
export function submitWhole(
  ctx: Ctx,
  handleId: string,
  target: ManageTarget,
  { value: given }: WholeUse,
  transaction: string,
): Promise<CallView> {
  if (target.name === 'allow' && given === undefined)
    throw new AppError('parameter_missing', undefined, { param: 'value' });
  const value = BigInt(given ?? 0);
  const { chain } = target;
  return sendWhole(ctx, {
    handleId,
    kind: KINDS[target.name],
    chain,
    move: moveOf(target, value),
    transaction,
    async before() {
      if (target.name === 'create') await requireStake(ctx, handleId, chain, target.plan.creator);
      if (target.name !== 'allow') return;
      if (target.more !== null) await requireRaise(chain, target.owner, value, target.more);
      else if (value !== 0n)
        throw new AppError('parameter_invalid', 'Taking an allowance back leaves none.', { param: 'value' });
    },
  });
}

type Whole = {
  /** Or the address of a wallet that belongs to no handle. */
  handleId: string;
  kind: SponsoredKind;
  chain: Chain;
  move: PlanMove;
  /** In base64. */
  transaction: string;
  /** What is checked of one that is not under way already. */
  before(): Promise<void>;
  refusal?(reason: RevertReason): AppError | null;
};

/** @throws AppError `signature_invalid` for any other transaction than was prepared; as `sponsorCall` */
export async function sendWhole(ctx: Ctx, whole: Whole): Promise<CallView> {
  const { handleId, kind, chain, move, transaction } = whole;
  const signed = await readPlanMove(chain, move, transaction);
  if (!signed) throw new AppError('signature_invalid');
  const { call, payer, opensAccount } = signed;
  const use = callUse(kind, chain, handleId, signed);
  const deadline = Math.floor((ctx.clock.now() + CALL_SIGNATURE_MS) / 1_000);
  return sponsorCall(
    ctx,
    { handleId, kind, chain, use, isWhole: true, ...call, deadline },
    {
      async before() {
        if (!(await isKeyInUse(ctx, chain, payer))) throw noKey(chain);
        await whole.before();
      },
      async within(tx) {
        // What was signed as a whole is sent once, also when it has failed.
        if ((await tx.sponsoredCall.count({ where: { use } })) > 0) throw usedUp();
        if (opensAccount) await requireAccountRoom(ctx, tx, handleId, chain);
      },
      ...(whole.refusal && { refusal: whole.refusal }),
    },
  );
}
