// The steps of a time line: what every kind of case is made of, and the steps that a transaction of ours adds to it.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { scrub } from '../../domain/scrub.ts';
import { transactionUrl } from '../chains.ts';
import { refusalWords } from './words.ts';

/** `step` is a code; `detail` figures and codes in words, never what a person typed. */
export type CaseStep = {
  key: string;
  /** ISO 8601. */
  at: string;
  step: string;
  detail: string | null;
  tx_hash: string | null;
  explorer_url: string | null;
  tone: 'quiet' | 'good' | 'busy' | 'bad';
};

/** More steps of one sort than any case has. */
export const MOST_STEPS = 300;

export function step(key: string, at: Date, name: string, more: Partial<CaseStep> = {}): CaseStep {
  const nothing = { detail: null, tx_hash: null, explorer_url: null, tone: 'quiet' as const };
  return { key, at: at.toISOString(), step: name, ...nothing, ...more };
}

const TONES: Record<string, CaseStep['tone']> = {
  'intent.refuse': 'bad',
  'intent.ask': 'busy',
  'intent.lapse': 'busy',
  'tip.fail': 'bad',
  'tip.settle': 'good',
  'tip.adopt': 'good',
  'tip.unmine': 'busy',
  'tip.requeue': 'busy',
  'outgoing_tx.unmine': 'busy',
  'outgoing_tx.lose': 'bad',
  'outgoing_tx.finalise': 'good',
  'claim.fail': 'bad',
  'order_submission.fail': 'bad',
  'smart_leg.arrive': 'good',
  'smart_leg.refund': 'busy',
  'smart_leg.unbridge': 'busy',
  'smart_leg.fail': 'bad',
};

/** The moves that rows of a kind made, as steps `tip.mine`. @param about what a row is called in the time line */
export async function moveSteps(
  ctx: Ctx,
  resource: string,
  ids: string[],
  about: (id: string) => string | null = () => null,
): Promise<CaseStep[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.db.transition.findMany({
    where: { resource, resourceId: { in: ids } },
    orderBy: { id: 'asc' },
    take: MOST_STEPS,
  });
  return rows.map(({ id, action, resourceId, at, detail }) => {
    const name = `${resource}.${action}`;
    const facts = detail as { refusal?: unknown; doubts?: unknown; refused?: { refusal: unknown }[] } | string | null;
    const words =
      typeof facts === 'string'
        ? scrub(facts)
        : (refusalWords(facts?.refusal ?? facts) ??
          (facts?.refused ?? []).map(({ refusal }) => refusalWords(refusal)).join('; '));
    const doubts = typeof facts === 'object' && Array.isArray(facts?.doubts) ? facts.doubts.join(', ') : '';
    return step(`move ${id}`, at, name, {
      detail: [about(resourceId), words, doubts].filter(Boolean).join(' · ') || null,
      tone: TONES[name] ?? 'quiet',
    });
  });
}

/** How our own transactions went: each attempt, what a provider said of it, and the block. */
export async function transactionSteps(ctx: Ctx, ids: string[]): Promise<CaseStep[]> {
  if (ids.length === 0) return [];
  const [txs, moves] = await Promise.all([
    ctx.db.outgoingTx.findMany({
      where: { id: { in: ids } },
      select: {
        id: true,
        chain: true,
        executor: true,
        nonce: true,
        minedHash: true,
        minedBlock: true,
        attempts: {
          select: { hash: true, number: true, signedAt: true, broadcastAt: true, lastError: true },
          orderBy: { number: 'asc' },
          take: MOST_STEPS,
        },
      },
    }),
    moveSteps(ctx, 'outgoing_tx', ids),
  ]);
  const attempts = txs.flatMap((tx) => tx.attempts.flatMap((attempt) => attemptSteps(ctx, tx, attempt)));
  const [first] = txs;
  if (!first || txs.length > 1) return [...attempts, ...moves];
  const mined = { tx_hash: first.minedHash, explorer_url: transactionUrl(ctx, first.chain, first.minedHash) };
  const block = first.minedBlock === null ? null : `block ${first.minedBlock} of ${first.chain}`;
  const inBlock = (one: CaseStep) => /\.(mine|finalise)$/.test(one.step);
  return [...attempts, ...moves.map((one) => (inBlock(one) ? { ...one, ...mined, detail: one.detail ?? block } : one))];
}

type Tx = Pick<Row<'OutgoingTx'>, 'chain' | 'executor' | 'nonce'>;
type Attempt = Pick<Row<'TxAttempt'>, 'hash' | 'number' | 'signedAt' | 'broadcastAt' | 'lastError'>;

function attemptSteps(ctx: Ctx, { chain, executor, nonce }: Tx, attempt: Attempt): CaseStep[] {
  const { hash, number, signedAt, broadcastAt, lastError } = attempt;
  const link = { tx_hash: hash, explorer_url: transactionUrl(ctx, chain, hash) };
  const which = number > 1 ? `attempt ${number}, replaces the one before` : 'attempt 1';
  const signed = step(`${hash} signed`, signedAt, 'tx_signed', {
    ...link,
    detail: `${which}, on ${chain} by ${executor}${nonce === null ? '' : ` with nonce ${nonce}`}`,
    tone: number > 1 ? 'busy' : 'quiet',
  });
  if (!broadcastAt && lastError === null) return [signed];
  const sent = step(`${hash} sent`, broadcastAt ?? signedAt, broadcastAt ? 'tx_sent' : 'tx_refused', {
    detail: lastError === null ? null : scrub(lastError).slice(0, 300),
    tone: lastError === null ? 'quiet' : 'busy',
  });
  return [signed, sent];
}

/** Oldest first; what happened in one moment stays in the order in which it is given. */
export function inOrder(steps: CaseStep[]): CaseStep[] {
  return steps.toSorted((one, other) => one.at.localeCompare(other.at));
}
