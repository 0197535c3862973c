// What a dispatch run finds about each queued grant: payable, waiting for an account, or refused with a reason.
import { type CampaignState, readGranted } from '../../../chain/campaigns.ts';
import type { Chain } from '../../../chain/chain.ts';
import { type RecipientState, recipientStates } from '../../../chain/recipients.ts';
import type { Ctx } from '../../../context.ts';
import { sqlRows, type Tx } from '../../../db.ts';
import type { CampaignProblem, GrantFailure } from '../../../domain/campaign.ts';
import { accountsLeft } from '../../spending/newAccounts.ts';
import { type Transition, transition } from '../../transitions.ts';
import { unitsOf } from '../views.ts';
import { notifyGrantees } from './notices.ts';
import { type Grantee, resolveGrantees } from './recipients.ts';
import { type DispatchRun, noteFailure } from './run.ts';
import type { Campaign, Grant } from './views.ts';

/** Who has no account is looked for again after this, beside the moment at which one is connected. */
const LOOK_AGAIN_MS = 3_600_000;
/** A number that the router has paid is in the feed by then. */
const FEED_WITHIN_MS = 60_000;

export function poorBy({ balance, allowance }: CampaignState): CampaignProblem {
  return allowance < balance ? 'insufficient_allowance' : 'insufficient_balance';
}

/** In smallest units: what the budget and the sponsor's wallet still cover beside what is under way. */
export type Money = { budget: bigint; funds: bigint };

export async function moneyOf(ctx: Ctx, campaign: Campaign, { balance, allowance }: CampaignState): Promise<Money> {
  const { id, chain, sponsor } = campaign;
  const sumOf = async (where: Parameters<typeof ctx.db.grant.aggregate>[0]['where']) => {
    const { _sum } = await ctx.db.grant.aggregate({ where, _sum: { units: true } });
    return _sum.units ? unitsOf(_sum.units) : 0n;
  };
  const [held, underWay] = await Promise.all([
    sumOf({ campaignId: id, status: { in: ['sent', 'paid'] } }),
    // One allowance is for all campaigns of a sponsor.
    sumOf({ campaign: { chain, sponsor }, status: 'sent' }),
  ]);
  // What a block has by now is counted twice until it is final: nothing is sent that might not be covered.
  return {
    budget: unitsOf(campaign.totalUnits) - held,
    funds: (balance < allowance ? balance : allowance) - underWay,
  };
}

/** `opensAccount`: the recipient's account of the token is opened with it, at our cost. */
export type Payable = { row: Grant; address: string; handleId: string | null; opensAccount: boolean };

/** Writes what is decided about the rest. `poor`: the sponsor's wallet covers no more. */
export async function judge(
  ctx: Ctx,
  chain: Chain,
  campaign: Campaign,
  page: readonly Grant[],
  money: Money,
  run: DispatchRun,
): Promise<{ payable: Payable[]; poor: boolean }> {
  const recipients = page.map(({ recipient }) => recipient);
  const [grantees, granted] = await Promise.all([
    resolveGrantees(ctx, chain, recipients),
    readGranted(
      chain,
      campaign.campaignKey,
      page.map(({ recipientKey }) => recipientKey),
    ),
  ]);
  const stateOf = await accountStates(chain, campaign.token, grantees);
  let accounts: number | null = null;
  const payable: Payable[] = [];
  const waiting: { row: Grant; grantee: Extract<Grantee, { kind: 'waiting' }> }[] = [];
  /** Their wallets have no account of the token, and we open no more of them now. */
  const unopened: Grant[] = [];
  const refused: { row: Grant; code: GrantFailure }[] = [];
  const paidAlready: Grant[] = [];
  let poor = false;
  for (const [index, row] of page.entries()) {
    const grantee = grantees[index];
    const units = unitsOf(row.units);
    if (granted[index]) paidAlready.push(row);
    else if (grantee?.kind === 'waiting') waiting.push({ row, grantee });
    else if (grantee?.kind === 'refused') refused.push({ row, code: grantee.code });
    else if (campaign.recipients !== null && row.recipientKey >= campaign.recipients)
      refused.push({ row, code: 'places_used' });
    else if (units > unitsOf(campaign.mostUnits)) refused.push({ row, code: 'grant_too_large' });
    else if (units > money.budget) refused.push({ row, code: 'budget_exhausted' });
    else if (units > money.funds) poor = true;
    else if (grantee?.kind === 'payable') {
      const state = stateOf.get(grantee.address) ?? 'ready';
      if (state === 'not_a_wallet' || state === 'frozen') {
        refused.push({ row, code: state === 'frozen' ? 'token_refused' : 'recipient_refused' });
        continue;
      }
      const opensAccount = state === 'new';
      if (opensAccount) {
        accounts ??= await accountsLeft(ctx, campaign.handleId, chain.name);
        if (accounts <= 0) {
          unopened.push(row);
          continue;
        }
        accounts -= 1;
        // A second grant to the wallet finds the account that this one opens.
        stateOf.set(grantee.address, 'ready');
      }
      money.budget -= units;
      money.funds -= units;
      payable.push({ row, address: grantee.address, handleId: grantee.handleId, opensAccount });
    }
  }
  await ctx.db.$transaction(async (tx) => {
    const until = Math.min(ctx.clock.now() + LOOK_AGAIN_MS, campaign.expiresAt.getTime());
    const named = waiting.map(({ row, grantee }) => ({ id: row.id, recipient: grantee.recipient }));
    await tx.$executeRaw`
      update campaign_grant g set waiting = true, recipient = w.recipient, next_try_at = ${new Date(until)}
      from jsonb_to_recordset(${sqlRows(named)}) as w(id text, recipient text) where g.id = w.id and g.status = 'queued'`;
    const told = waiting.map(({ row, grantee }) => ({ ...row, recipient: grantee.recipient }));
    await notifyGrantees(
      ctx,
      tx,
      campaign,
      told.filter(({ nextTryAt }) => nextTryAt === null),
    );
    await tx.grant.updateMany({
      where: { id: { in: unopened.map(({ id }) => id) }, status: 'queued' },
      data: { waiting: true, nextTryAt: new Date(until) },
    });
    await tx.grant.updateMany({
      where: { id: { in: paidAlready.map(({ id }) => id) }, status: 'queued' },
      data: { nextTryAt: new Date(ctx.clock.now() + FEED_WITHIN_MS) },
    });
    await failQueued(ctx, tx, campaign, refused, run);
  });
  run.waiting += waiting.length + unopened.length;
  return { payable, poor };
}

/** How the wallets that can be paid stand, by address. */
async function accountStates(
  chain: Chain,
  token: string,
  grantees: readonly Grantee[],
): Promise<Map<string, RecipientState>> {
  const addresses = new Set(grantees.flatMap((one) => (one.kind === 'payable' ? [one.address] : [])));
  const wallets = [...addresses];
  const states = await recipientStates(
    chain,
    wallets.map((owner) => ({ owner, token })),
  );
  return new Map(wallets.map((owner, index) => [owner, states[index] ?? 'ready']));
}

export async function failQueued(
  ctx: Ctx,
  tx: Tx,
  campaign: Campaign,
  refused: readonly { row: Pick<Grant, 'id'>; code: GrantFailure }[],
  run: DispatchRun,
): Promise<void> {
  const moves = refused.map(
    ({ row, code }): Transition<'grant'> => ({
      id: row.id,
      action: 'fail',
      from: 'queued',
      patch: { failure: code, waiting: false },
    }),
  );
  const failed = await transition(ctx, tx, 'grant', moves);
  for (const { row, code } of refused) if (failed.has(row.id)) noteFailure(run, campaign.id, row.id, code);
}
