// From where a draft is paid: from its own chains, from another one over a bridge, or on chains that sender and recipient have beside them.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import type { PlannedLeg, Refusal } from '../../domain/plan.ts';
import { chainRefusal, type Ledger, readChainStates, type States } from '../spending/balances.ts';
import { payerOf } from './chainChoice.ts';
import { payElsewhere } from './crossings.ts';
import { commandOf, type Draft } from './drafts.ts';
import { type Recipients, readRecipients, settleAccounts } from './newAccounts.ts';

/** Balances of one command that are paid from another chain. */
const MOST_MOVES = 4;

/** What a draft is checked against; `again` drafts it without some chains. */
export type Check = {
  ledger: Ledger;
  states: States;
  recipients: Recipients;
  again(not: string[]): Promise<Draft | { refusal: Refusal }>;
};

type Paid = Pick<Draft, 'legs' | 'refused' | 'doubts'>;

/** On the chains of the draft; where the sender has too little there, and did not name them, on others that both sides have. */
export async function payDraftSomewhere(
  ctx: Ctx,
  intent: Row<'Intent'>,
  draft: Draft,
  { ledger, states, recipients, again }: Check,
): Promise<Paid | { refusal: Refusal }> {
  const first = await payDraft(ctx, intent, draft, ledger, states, recipients);
  if ('legs' in first) return first;
  if (!first.isOfMoney || commandOf(intent).chain !== undefined) return first;
  const tried = [...new Set(draft.legs.map(({ chain }) => chain))];
  const other = await again(tried);
  if ('refusal' in other || other.legs.some(({ chain }) => tried.includes(chain))) return first;
  const [otherStates, others] = await Promise.all([readChainStates(ctx, [other]), readRecipients(ctx, [other])]);
  const second = await payDraft(ctx, intent, other, ledger, otherStates, others);
  // The first chain is the one that was meant: its figures are shown.
  return 'legs' in second ? second : first;
}

/** From where the legs are paid: from their own chains, or where one has too little from another one. */
async function payDraft(
  ctx: Ctx,
  intent: Row<'Intent'>,
  draft: Draft,
  ledger: Ledger,
  states: States,
  recipients: Recipients,
): Promise<Paid | Unpaid> {
  const { sender, connection, doubts } = draft;
  const { legs, refused } = await settleAccounts(ctx, sender, draft, recipients);
  const [onlyRefused] = refused;
  if (legs.length === 0 && onlyRefused) return { refusal: onlyRefused.refusal, isOfMoney: false };
  const places = payerOf(connection)?.places ?? {};
  const isTyped = commandOf(intent).chain !== undefined;
  const readMore = new Map<string, States>();
  let paid: PlannedLeg[] = legs;
  for (let tries = 0; ; tries++) {
    const problem = await chainRefusal(ctx, { sender, legs: paid }, ledger, (whose, leg) =>
      (readMore.get(leg.chain) ?? states)(whose, leg),
    );
    if (!problem) return { legs: paid, refused, doubts };
    const found =
      problem.isShort && tries < MOST_MOVES
        ? await payElsewhere(ctx, { sender, places, isTyped, legs: paid, short: problem.legs }, ledger)
        : null;
    if (!found) return { refusal: problem.refusal, isOfMoney: OF_MONEY.has(problem.refusal.code) };
    if ('refusal' in found) return { ...found, isOfMoney: OF_MONEY.has(found.refusal.code) };
    readMore.set(found.from, found.states);
    paid = found.legs;
  }
}

/** `isOfMoney`: what the sender has or allows on a chain is too little. */
type Unpaid = { refusal: Refusal; isOfMoney: boolean };
const OF_MONEY: ReadonlySet<Refusal['code']> = new Set([
  'balance_low',
  'allowance_low',
  'limit_per_tip',
  'limit_per_day',
  'limit_fee',
  // On a chain that both sides have it needs no bridge.
  'not_bridged',
]);
