// Staging a plan: what a creator wants is checked and written down, with the exact call that its payout wallet is to make.

import type { Chain } from '../../chain/chain.ts';
import {
  keepsSignatures,
  ownCreate,
  type PlanTerms,
  planContract,
  planKeyOf,
  type WalletCall,
} from '../../chain/plans.ts';
import { planIdHash } from '../../chain/routers/subscription.ts';
import { type Ctx, newId } from '../../context.ts';
import { decimalOf } from '../../db.ts';
import { canonicalChain } from '../../domain/chains.ts';
import { AppError } from '../../domain/errors.ts';
import { isId } from '../../domain/ids.ts';
import { readMetadata } from '../../domain/metadata.ts';
import { parsedUrl } from '../../domain/parsedUrl.ts';
import { PERIOD_S, planFee, TRIAL_DAYS } from '../../domain/subscription.ts';
import type { SessionHandle } from '../accounts/sessions.ts';
import { record } from '../audit.ts';
import { isLive, servedChain } from '../chains.ts';
import { readPlainText } from '../plainText.ts';
import { readUsdcAmount } from '../usdcAmounts.ts';
import { findPayout, payeeOn } from '../workspaces/payouts.ts';
import { type Plan, type PlanView, unitsOf, viewPlan } from './views.ts';

/** USDC is written with six decimals everywhere, whatever the chain's token has. */
const NAME_MOST = 80;
const DESCRIPTION_MOST = 500;
const URL_MOST = 2_000;

export type PlanWording = {
  name?: string | undefined;
  description?: string | undefined;
  image_url?: string | null | undefined;
  return_url?: string | null | undefined;
  metadata?: Record<string, string> | undefined;
};
export type PlanInput = PlanWording & {
  name: string;
  amount: string;
  chain: string;
  /** Seconds. */
  period: number;
  trial_days?: number | undefined;
  /** The ID of a plan of the same workspace and chain: its subscribers are offered this one once it is confirmed. */
  replaces?: string | undefined;
};

/** What the wallet sends or signs: `createPlan(planIdHash, token, amount, period)`. Smallest units, seconds; `chainId` is null outside EVM chains. */
export type PlanCall = {
  router: string;
  planId: string;
  planIdHash: string;
  token: string;
  amount: string;
  period: number;
  chainId: number | null;
};
export type { WalletCall };
/** `transaction` is null where an executor sends what the wallet signs. */
export type StagedPlan = { plan: PlanView; onChainArgs: PlanCall; transaction: WalletCall | null };

/**
 * Promises nothing yet: the plan exists once the creator’s wallet has created it on-chain.
 * @throws AppError `unsupported_chain`, also for a trial where signatures cannot be kept, `amount_out_of_range`, `parameter_invalid`, `state_conflict`
 * for a workspace that is not paid there
 */
export async function stagePlan(ctx: Ctx, handle: SessionHandle, input: PlanInput): Promise<StagedPlan> {
  if (!Object.hasOwn(ctx.chains, canonicalChain(input.chain)))
    throw new AppError('unsupported_chain', undefined, { param: 'chain' });
  const chain = servedChain(ctx, input.chain);
  const creator = payeeOn(await findPayout(ctx.db, { id: handle.id }), chain).payee;
  const units = readUsdcAmount(chain, input.amount);
  const period = wholeIn('period', input.period, PERIOD_S, 'seconds');
  const replaced = input.replaces === undefined ? null : await replacedPlan(ctx, handle.id, input.replaces, chain.name);
  const trialDays = wholeIn('trial_days', input.trial_days ?? 0, TRIAL_DAYS, 'days');
  if (trialDays > 0 && !keepsSignatures(chain)) throw noTrials(chain);
  const id = newId(ctx, 'plan');
  const terms = { creator, planIdHash: planIdHash(id), amount: units, period };
  const { name, description, imageUrl, returnUrl, metadata } = readWording(input);
  const row = await ctx.db.$transaction(async (tx) => {
    const made = await tx.plan.create({
      data: {
        id,
        chain: chain.name,
        planKey: planKeyOf(chain, terms),
        planIdHash: terms.planIdHash,
        handleId: handle.id,
        creator,
        livemode: isLive(chain),
        status: 'pending_create',
        name: name ?? '',
        description: description ?? '',
        imageUrl: imageUrl ?? null,
        returnUrl: returnUrl ?? null,
        metadata: metadata ?? {},
        trialDays,
        replacesId: replaced,
        token: chain.usdc,
        decimals: chain.facts.usdcDecimals,
        units: decimalOf(units),
        feeUnits: decimalOf(planFee(units)),
        periodS: period,
        createdAt: new Date(ctx.clock.now()),
      },
    });
    await record(ctx, tx, {
      ...{ workspaceId: handle.id, livemode: made.livemode, action: 'plan.created' },
      object: { kind: 'plan', id },
      after: { name: made.name, amount: input.amount, period, trial_days: trialDays },
    });
    return made;
  });
  return { plan: await viewPlan(ctx, ctx.db, row), ...callOf(chain, row) };
}

function noTrials({ facts }: Chain): AppError {
  const words = `${facts.label} has no trials: a signature there is good for about a minute, so it can’t be kept until a trial ends.`;
  return new AppError('unsupported_chain', words, { param: 'trial_days' });
}

async function replacedPlan(ctx: Ctx, handleId: string, id: string, chain: string): Promise<string> {
  const row = isId('plan', id) ? await ctx.db.plan.findFirst({ where: { id, handleId } }) : null;
  const isStanding = row?.status === 'active' || row?.status === 'inactive';
  if (!row || !isStanding)
    throw new AppError('parameter_invalid', 'No such plan to be replaced. Check its ID.', { param: 'replaces' });
  if (row.chain !== chain)
    throw new AppError('parameter_invalid', 'A plan is replaced on its own chain.', { param: 'replaces' });
  if (row.replacedById === null) return id;
  throw new AppError('state_conflict', `This plan is replaced by ${row.replacedById} already.`, { param: 'replaces' });
}

/** The terms of a plan as its row has them. */
export function termsOf({ creator, planIdHash: hash, units, periodS: period }: Plan): PlanTerms {
  return { creator, planIdHash: hash, amount: unitsOf(units), period };
}

/** The creator's call for a staged plan, again. */
export function callOf(chain: Chain, row: Plan): Omit<StagedPlan, 'plan'> {
  const terms = termsOf(row);
  const { planIdHash: hash, amount, period } = terms;
  const args = { planId: row.id, planIdHash: hash, token: row.token, amount: String(amount), period };
  return {
    onChainArgs: { router: planContract(chain), ...args, chainId: chain.facts.chainId || null },
    transaction: ownCreate(chain, terms),
  };
}

/** The texts of a plan, those that are given. @throws AppError `parameter_invalid` that names which */
export function readWording(input: PlanWording) {
  const { name, description, image_url: image, return_url: back, metadata } = input;
  return {
    ...(name === undefined ? {} : { name: nameOf(name) }),
    ...(description === undefined
      ? {}
      : { description: readPlainText(description, 'description', DESCRIPTION_MOST) ?? '' }),
    ...(image === undefined ? {} : { imageUrl: webAddress('image_url', image) }),
    ...(back === undefined ? {} : { returnUrl: webAddress('return_url', back) }),
    ...(metadata === undefined ? {} : { metadata: metadataOf(metadata) }),
  };
}

function nameOf(text: string): string {
  const name = readPlainText(text, 'name', NAME_MOST);
  if (name !== null && !name.includes('\n')) return name;
  throw new AppError('parameter_invalid', `name must be one line of 1 to ${NAME_MOST} characters.`, { param: 'name' });
}

function webAddress(param: string, text: string | null): string | null {
  if (text === null || text === '') return null;
  const url = text.length <= URL_MOST ? parsedUrl(text) : undefined;
  if (url?.protocol === 'https:' && url.username === '' && url.password === '') return url.href;
  throw new AppError('parameter_invalid', `${param} must be an address that begins with https://.`, { param });
}

function metadataOf(value: Record<string, string>): Record<string, string> {
  const read = readMetadata(value);
  if ('metadata' in read) return read.metadata;
  throw new AppError('parameter_invalid', read.problem, { param: 'metadata' });
}

function wholeIn(param: string, value: number, { least, most }: { least: number; most: number }, unit: string): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new AppError('parameter_invalid', `${param} must be a whole number of ${unit} from ${least} to ${most}.`, {
    param,
  });
}
