// Recipients who have no account of a token yet, where a chain needs one: we pay for a few of each sender's a month, then their money waits in a tab.
import { type RecipientState, recipientStates } from '../../chain/recipients.ts';
import { tabHolder } from '../../chain/tips.ts';
import { type Ctx, chainOf } from '../../context.ts';
import { MIN_ESCROW_TIP } from '../../domain/limits.ts';
import { formatUsd } from '../../domain/money.ts';
import type { PlannedLeg, Refusal, RefusedLeg } from '../../domain/plan.ts';
import type { Sender } from '../spending/balances.ts';
import { accountsLeft } from '../spending/newAccounts.ts';

type Legs = { legs: PlannedLeg[]; refused: RefusedLeg[] };
/** How the recipient of a leg stands. @throws AppError `provider_unavailable` when its chain did not answer */
export type Recipients = (leg: PlannedLeg) => Promise<RecipientState>;

/** Asks every chain of these legs once. */
export async function readRecipients(
  ctx: Ctx,
  drafts: readonly { legs: readonly PlannedLeg[] }[],
): Promise<Recipients> {
  const wanted = new Map<string, Map<string, PlannedLeg>>();
  for (const leg of drafts.flatMap(({ legs }) => legs).filter(isDirect)) {
    const ofChain = wanted.get(leg.chain) ?? new Map<string, PlannedLeg>();
    wanted.set(leg.chain, ofChain.set(keyOf(leg), leg));
  }
  const answers = new Map<string, Promise<Map<string, RecipientState>>>();
  for (const [name, legs] of wanted) answers.set(name, ask(ctx, name, legs));
  await Promise.allSettled(answers.values());
  return async (leg) => (await answers.get(leg.chain))?.get(keyOf(leg)) ?? 'ready';
}

async function ask(ctx: Ctx, name: string, legs: Map<string, PlannedLeg>): Promise<Map<string, RecipientState>> {
  const asked = [...legs.values()].map(({ recipientAddress: owner, token }) => ({ owner, token }));
  const states = await recipientStates(chainOf(ctx, name), asked);
  return new Map([...legs.keys()].map((key, index) => [key, states[index] ?? 'ready']));
}

const isDirect = ({ tabSlug, crossing }: PlannedLeg) => tabSlug === null && crossing === null;
const keyOf = ({ token, recipientAddress }: PlannedLeg) => `${token} ${recipientAddress}`;

/** The legs as they can be paid: to an account that is there, to one that we open, or to a tab. */
export async function settleAccounts(
  ctx: Ctx,
  sender: Sender,
  { legs, refused }: Legs,
  recipients: Recipients,
): Promise<Legs> {
  const paid: PlannedLeg[] = [];
  const left = [...refused];
  const budgets = new Map<string, number>();
  for (const leg of legs) {
    const state = isDirect(leg) ? await recipients(leg) : 'ready';
    if (state === 'ready') {
      paid.push(leg);
      continue;
    }
    const { recipientLabel: label, chainLabel: chain } = leg;
    if (state !== 'new') {
      const refusal: Refusal =
        state === 'frozen'
          ? { code: 'token_refused', text: 'the account is frozen', chain }
          : { code: 'recipient_contract', label };
      left.push({ label, refusal });
      continue;
    }
    const budget = budgets.get(leg.chain) ?? (await accountsLeft(ctx, sender.handleId, leg.chain));
    budgets.set(leg.chain, budget - 1);
    if (budget > 0) {
      paid.push({ ...leg, opensAccount: true });
      continue;
    }
    const tab = asTab(ctx, leg);
    if ('code' in tab) left.push({ label, refusal: tab });
    else paid.push(tab);
  }
  return { legs: paid, refused: left };
}

function asTab(ctx: Ctx, leg: PlannedLeg): PlannedLeg | Refusal {
  const { recipientLabel: label, chainLabel: chain, keptFor } = leg;
  if (keptFor === null) return { code: 'recipient_unopened', label, chain };
  if (leg.usd < MIN_ESCROW_TIP)
    return { code: 'recipient_unopened_small', label, chain, least: formatUsd(MIN_ESCROW_TIP) };
  const holder = tabHolder(chainOf(ctx, leg.chain));
  return { ...leg, tabSlug: keptFor, recipientHandleId: null, recipientAddress: holder, feeUnits: 0n, feeUsd: 0n };
}
