// What is sent at our cost, how much of it and for whom: budgets of a handle and of a chain, counted from the rows of the calls.

import { senderState } from '../../chain/routers/bot.ts';
import type { Address, EvmChain } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { SPEND_WINDOW_MS, SPONSORED_CALLS_PER_HANDLE, SPONSORED_FAILURES } from '../../domain/limits.ts';
import type { OutgoingTxStatus } from '../../domain/outgoing.ts';
import {
  type CallProgress,
  progressOf,
  rivalsOf,
  type SponsoredKind,
  type SponsoredStatus,
} from '../../domain/sponsoredCall.ts';
import { lockKey } from '../locks.ts';

/** The part of a chain's daily budget that only resuming may use. */
const RESUME_SHARE = 0.2;

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
export async function requireStake(ctx: Ctx, handleId: string, chain: EvmChain, wallet: Address): Promise<void> {
  if ((await ctx.db.connection.count({ where: { handleId, disconnectedAt: null } })) > 0) return;
  const { balance, allowance } = await senderState(chain, wallet, chain.usdc);
  if (balance > 0n || allowance > 0n) return;
  const { label } = chain.facts;
  const words = `No chat is connected and your wallet has no USDC on ${label}. Connect a chat first, or send this from your wallet.`;
  throw new AppError('call_refused', words);
}

/** Budgets, failures and what is under way, under locks that make the count exact. */
export async function requireRoom(
  ctx: Ctx,
  tx: Tx,
  handleId: string,
  chain: EvmChain,
  kind: SponsoredKind,
): Promise<void> {
  await lockKey(tx, `sponsored:${chain.name}`);
  const createdAt = { gt: new Date(ctx.clock.now() - SPEND_WINDOW_MS) };
  const [byHandle, onChain] = await Promise.all([
    tx.sponsoredCall.findMany({ where: { handleId, createdAt }, include: WITH_TX, orderBy: { createdAt: 'asc' } }),
    tx.sponsoredCall.count({ where: { chain: chain.name, createdAt } }),
  ]);
  const here = byHandle.filter((row) => row.chain === chain.name);
  const rivals = here.filter((row) => (rivalsOf(kind) as string[]).includes(row.kind));
  if (rivals.some((row) => ['queued', 'sent'].includes(progress(row))))
    throw new AppError('state_conflict', 'A request you signed earlier is still in progress. Wait until it is done.');
  if (here.filter((row) => row.kind === kind && progress(row) === 'failed').length >= SPONSORED_FAILURES)
    throw new AppError('call_refused', 'This failed three times today. Send it from your wallet instead.');
  const oldest = byHandle.at(-SPONSORED_CALLS_PER_HANDLE);
  if (oldest) {
    const retryAfterMs = oldest.createdAt.getTime() + SPEND_WINDOW_MS - ctx.clock.now();
    const words =
      'You’ve reached today’s limit of sponsored transactions. Send it from your wallet, or try again tomorrow.';
    throw new AppError('rate_limited', words, { retryAfterMs });
  }
  // Lifting a pause keeps room that nothing else can use up.
  const share = kind === 'resume' ? 1 : 1 - RESUME_SHARE;
  if (onChain >= Math.ceil(ctx.env.SPONSORED_CALLS_PER_CHAIN * share)) {
    const words = `Today’s limit of sponsored transactions on ${chain.facts.label} is reached. Send it from your wallet, or try again tomorrow.`;
    throw new AppError('rate_limited', words, { retryAfterMs: 3_600_000 });
  }
}
