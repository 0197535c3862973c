// What is sent at our cost, how much of it and for whom: budgets of a handle and of a chain, counted from the rows of the calls.

import type { Chain } from '../../chain/chain.ts';
import { senderState } from '../../chain/senders.ts';
import { walletsSend } from '../../chain/spending.ts';
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import {
  OPENED_ACCOUNTS,
  SPEND_WINDOW_MS,
  SPONSORED_CALLS_PER_HANDLE,
  SPONSORED_FAILURES,
} from '../../domain/limits.ts';
import type { OutgoingTxStatus } from '../../domain/outgoing.ts';
import {
  type CallProgress,
  progressOf,
  rivalsOf,
  type SponsoredKind,
  type SponsoredStatus,
} from '../../domain/sponsoredCall.ts';
import { WRAPPINGS } from '../../domain/wrapping.ts';
import { lockKey } from '../locks.ts';

/** The part of a chain's daily budget that only resuming may use. */
const RESUME_SHARE = 0.2;
/** The part of it that wrapping may use: it serves nothing else here. */
const WRAPPING_SHARE = 0.3;
/** The part of it that may create token accounts: each costs as much as hundreds of calls. */
const ACCOUNT_SHARE = 0.1;
/** Stands in the `use` of a call that creates one. */
const OPENS = ':account:';

/** What a call's row has to include so that its progress can be derived. */
export const WITH_TX = { outgoingTx: { include: { attempts: { orderBy: { number: 'desc' }, take: 1 } } } } as const;
export type CallRow = Row<'SponsoredCall'> & {
  outgoingTx: (Row<'OutgoingTx'> & { attempts: { hash: string }[] }) | null;
};

export function progress(row: CallRow): CallProgress {
  const tx = row.outgoingTx && {
    status: row.outgoingTx.status as OutgoingTxStatus,
    succeeded: row.outgoingTx.succeeded,
  };
  return progressOf(row.status as SponsoredStatus, tx);
}

/** We pay for people who use this: handles cost nothing, and strangers must not use up what is paid for everybody. @throws AppError `call_refused` */
export async function requireStake(ctx: Ctx, handleId: string, chain: Chain, wallet: string): Promise<void> {
  if ((await ctx.db.connection.count({ where: { handleId, disconnectedAt: null } })) > 0) return;
  const { balance, allowance } = await senderState(chain, wallet, chain.usdc, ctx.clock.now());
  if (balance > 0n || allowance > 0n) return;
  const way = walletsSend(chain) ? 'Connect a chat first, or send this from your wallet.' : 'Connect a chat first.';
  const words = `No chat is connected and your wallet has no USDC on ${chain.facts.label}. ${way}`;
  throw new AppError('call_refused', words);
}

/** What a signature uses up, as rows name it. */
export function callUse(
  kind: SponsoredKind,
  chain: Chain,
  wallet: string,
  { number, opensAccount }: { number: string; opensAccount: boolean },
): string {
  return `${kind}:${chain.name}:${wallet}${opensAccount ? OPENS : ':'}${number}`;
}

/** Budgets, failures and what is under way, under locks that make the count exact. */
export async function requireRoom(
  ctx: Ctx,
  tx: Tx,
  handleId: string,
  chain: Chain,
  kind: SponsoredKind,
): Promise<void> {
  await lockKey(tx, `sponsored:${chain.name}`);
  const createdAt = { gt: new Date(ctx.clock.now() - SPEND_WINDOW_MS) };
  const [byHandle, onChain, wrapped] = await Promise.all([
    tx.sponsoredCall.findMany({ where: { handleId, createdAt }, include: WITH_TX, orderBy: { createdAt: 'asc' } }),
    tx.sponsoredCall.count({ where: { chain: chain.name, createdAt } }),
    tx.sponsoredCall.count({ where: { chain: chain.name, createdAt, kind: { in: [...WRAPPINGS] } } }),
  ]);
  const here = byHandle.filter((row) => row.chain === chain.name);
  const rivals = here.filter((row) => (rivalsOf(kind) as string[]).includes(row.kind));
  if (rivals.some((row) => ['queued', 'sent'].includes(progress(row))))
    throw new AppError('state_conflict', 'A request you signed earlier is still in progress. Wait until it is done.');
  // What never reached a block did not fail by itself.
  const failed = here.filter(
    (row) => row.kind === kind && progress(row) === 'failed' && row.outgoingTx?.status !== 'lost',
  );
  if (failed.length >= SPONSORED_FAILURES)
    throw new AppError('call_refused', `This failed three times today. ${otherWay(chain)}.`);
  // Wrapping is counted when it is built, by the day: it takes nothing of what other calls have.
  const oldest = isWrapping(kind)
    ? undefined
    : byHandle.filter((row) => !isWrapping(row.kind)).at(-SPONSORED_CALLS_PER_HANDLE);
  if (oldest) {
    const retryAfterMs = oldest.createdAt.getTime() + SPEND_WINDOW_MS - ctx.clock.now();
    const words = `You’ve reached today’s limit of sponsored transactions. ${laterOr(chain)}.`;
    throw new AppError('rate_limited', words, { retryAfterMs });
  }
  // Lifting a pause keeps room that nothing else can use up.
  const share = kind === 'resume' ? 1 : 1 - RESUME_SHARE;
  const most = ctx.env.SPONSORED_CALLS_PER_CHAIN;
  const isWrappingOver = isWrapping(kind) && wrapped >= Math.ceil(most * WRAPPING_SHARE);
  if (isWrappingOver || onChain >= Math.ceil(most * share)) {
    const words = `Today’s limit of sponsored transactions on ${chain.facts.label} is reached. ${laterOr(chain)}.`;
    throw new AppError('rate_limited', words, { retryAfterMs: 3_600_000 });
  }
}

function isWrapping(kind: string): boolean {
  return (WRAPPINGS as readonly string[]).includes(kind);
}

function otherWay(chain: Chain): string {
  return walletsSend(chain) ? 'Send it from your wallet instead' : 'Try again tomorrow';
}

function laterOr(chain: Chain): string {
  return walletsSend(chain) ? 'Send it from your wallet, or try again tomorrow' : 'Try again tomorrow';
}

/**
 * The same for a call that creates a token account: few for a handle, and a small part of the chain's day.
 * @throws AppError `rate_limited`
 */
export async function requireAccountRoom(ctx: Ctx, tx: Tx, handleId: string, chain: Chain): Promise<void> {
  const { points, windowMs } = OPENED_ACCOUNTS;
  const since = (ms: number) => ({ gt: new Date(ctx.clock.now() - ms) });
  const opened = { chain: chain.name, use: { contains: OPENS } };
  const [ofHandle, onChain] = await Promise.all([
    tx.sponsoredCall.findMany({
      where: { ...opened, handleId, createdAt: since(windowMs) },
      orderBy: { createdAt: 'asc' },
      select: { createdAt: true },
    }),
    tx.sponsoredCall.count({ where: { ...opened, createdAt: since(SPEND_WINDOW_MS) } }),
  ]);
  const oldest = ofHandle.at(-points);
  const isChainFull = onChain >= Math.ceil(ctx.env.SPONSORED_CALLS_PER_CHAIN * ACCOUNT_SHARE);
  if (!oldest && !isChainFull) return;
  const retryAfterMs = oldest ? oldest.createdAt.getTime() + windowMs - ctx.clock.now() : 3_600_000;
  const words = `Ampersat can’t pay for another USDC account on ${chain.facts.label} now. Receive USDC in your wallet once, which creates it, then try again.`;
  throw new AppError('rate_limited', words, { retryAfterMs });
}
