// Planning intents: finds sender and recipients, picks the chain, prices the fee, and checks everything that would make the router refuse.
// It reads and changes nothing.
import type { Ctx } from '../../context.ts';
import { isDatabaseError, type Row } from '../../db.ts';
import { isAway } from '../../domain/errors.ts';
import {
  type Doubt,
  type PlannedLeg,
  planDoubts,
  planFingerprint,
  type Refusal,
  type RefusedLeg,
} from '../../domain/plan.ts';
import { type Connection, findConnections } from '../accounts/connections.ts';
import { type Ledger, readChainStates, readLedger, type Sender } from '../spending/balances.ts';
import { payerOf, pickChain } from './chainChoice.ts';
import {
  capRefusal,
  commandOf,
  type Draft,
  draftPlan,
  memoPrices,
  type People,
  type Prices,
  serverCapRefusal,
} from './drafts.ts';
import { readRecipients } from './newAccounts.ts';
import { type Check, payDraftSomewhere } from './paying.ts';
import { type Resolution, resolveRecipients } from './recipients.ts';

export type Plan = { sender: Sender; legs: PlannedLeg[]; refused: RefusedLeg[]; doubts: Doubt[] };
export type PlanAnswer = { plan: Plan } | { refusal: Refusal };
/** `failed` is an AppError `provider_unavailable` when a chain does not answer, or an error of the database: try again, nothing was done. */
export type PlanOutcome = PlanAnswer | { failed: unknown };

/**
 * Plans a batch: what the rows say is read once for all of them. Those that need the same chains are planned together, an earlier one first, and
 * its money is counted as spent for the later ones of the same sender; a chain that is slow holds up only those that need it.
 * @returns the outcomes by id, one promise for each set of chains
 */
export async function planIntents(ctx: Ctx, intents: Row<'Intent'>[]): Promise<Promise<Map<string, PlanOutcome>>[]> {
  const people = await readPeople(ctx, intents);
  const handleIds = intents.flatMap((intent) => people.senders(intent)?.handleId ?? []);
  const ledger = await readLedger(ctx, [...new Set(handleIds)]);
  const groups = new Map<string, Row<'Intent'>[]>();
  for (const intent of intents) {
    const chains = chainsOf(ctx, intent, people);
    groups.set(chains, [...(groups.get(chains) ?? []), intent]);
  }
  const prices = memoPrices(ctx);
  return [...groups.values()].map((group) => planGroup(ctx, group, people, prices, ledger));
}

async function planGroup(
  ctx: Ctx,
  intents: Row<'Intent'>[],
  people: People,
  prices: Prices,
  ledger: Ledger,
): Promise<Map<string, PlanOutcome>> {
  const drafts = new Map<string, Draft | PlanOutcome>();
  for (const intent of intents)
    drafts.set(intent.id, await orRefused(ctx, intent, draftPlan(ctx, intent, people, prices)));
  const planned = [...drafts.values()].flatMap((draft) => ('legs' in draft ? [draft] : []));
  const [states, recipients] = await Promise.all([readChainStates(ctx, planned), readRecipients(ctx, planned)]);
  const outcomes = new Map<string, PlanOutcome>();
  for (const intent of intents) {
    const draft = drafts.get(intent.id);
    if (!draft) continue;
    const again = (not: string[]) => draftPlan(ctx, intent, people, prices, not);
    const checked =
      'legs' in draft
        ? orRefused(ctx, intent, checkDraft(ctx, intent, draft, { ledger, states, recipients, again }))
        : draft;
    outcomes.set(intent.id, await checked);
  }
  return outcomes;
}

/** The chains that an intent needs, as one text. */
function chainsOf(ctx: Ctx, intent: Row<'Intent'>, people: People): string {
  const payer = payerOf(people.senders(intent));
  if (!payer) return '';
  const command = commandOf(intent);
  const chains = (people.resolutions.get(intent.id) ?? []).flatMap((one) =>
    'payee' in one ? [pickChain(ctx, command, payer, one.payee)] : [],
  );
  return [...new Set(chains)].sort().join(' ');
}

/** Only what is away may succeed later. Any other failure would come again at every attempt, so it refuses the intent. */
async function orRefused<T>(
  ctx: Ctx,
  intent: Row<'Intent'>,
  work: Promise<T>,
): Promise<T | { failed: unknown } | { refusal: Refusal }> {
  return work.catch((failed: unknown) => {
    if (isAway(failed) || isDatabaseError(failed)) return { failed };
    ctx.log.error({ err: failed, intent: intent.id }, 'an intent cannot be planned; it is refused');
    return { refusal: { code: 'plan_failed' } };
  });
}

async function readPeople(ctx: Ctx, intents: Row<'Intent'>[]): Promise<People> {
  const connections = new Map<string, Map<string, Connection>>();
  const resolutions = new Map<string, Resolution[]>();
  for (const platform of new Set(intents.map((intent) => intent.platform))) {
    const group = intents.filter((intent) => intent.platform === platform);
    const recipients = group.map((intent) => commandOf(intent).recipients);
    const [senders, resolved] = await Promise.all([
      findConnections(ctx, platform, [...new Set(group.map((intent) => intent.senderId))]),
      resolveRecipients(ctx, platform, recipients.flat()),
    ]);
    connections.set(platform, senders);
    let next = 0;
    for (const [index, intent] of group.entries()) {
      const count = recipients[index]?.length ?? 0;
      resolutions.set(intent.id, resolved.slice(next, next + count));
      next += count;
    }
  }
  return { senders: (intent) => connections.get(intent.platform)?.get(intent.senderId), resolutions };
}

async function checkDraft(ctx: Ctx, intent: Row<'Intent'>, draft: Draft, check: Check): Promise<PlanAnswer> {
  const { sender, connection } = draft;
  const paid = await payDraftSomewhere(ctx, intent, draft, check);
  if ('refusal' in paid) return paid;
  const { legs, refused } = paid;
  // What other chains cost counts as well.
  const tooMuch = capRefusal(connection, legs) ?? serverCapRefusal(intent, legs);
  if (tooMuch) return { refusal: tooMuch };
  const plan: Plan = { sender, legs, refused, doubts: planDoubts(legs, paid.doubts) };
  if (!mustAsk(intent, plan)) for (const leg of legs) check.ledger.reserve(sender, leg);
  return { plan };
}

/** Whether the sender has to confirm: there is a doubt; or a plan was shown and confirmed before, and it is not this very plan. */
export function mustAsk(intent: Row<'Intent'>, plan: Plan): boolean {
  const shown = (intent.detail as { fingerprint?: string } | null)?.fingerprint;
  const isInDoubt = intent.doubt !== null || plan.doubts.length > 0;
  return intent.confirmedAt === null ? isInDoubt : shown !== planFingerprint(plan.legs);
}
