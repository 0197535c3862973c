// Transactions that make a trial a subscription: tried again while the wallet cannot pay, until the signature expires.
import { type RevertReason, simulateCall } from '../../chain/routers/reverts.ts';
import type { Address, EvmChain, Hex } from '../../chain/rpc/client.ts';
import type { Ctx } from '../../context.ts';
import { type OutgoingKind, ofEvm, type Write } from '../outgoing/kinds.ts';
import { transitionOne } from '../transitions.ts';
import { wake } from '../wake.ts';
import { finalLogs } from './finalLogs.ts';
import { applyPlanLogs } from './indexing.ts';

const RETRY_MS = 3_600_000;
/** What no later try cures. */
const FINAL_WORDS: Record<string, string> = {
  Expired: 'The signature expired before the first charge succeeded.',
  InvalidNonce: 'The wallet has used another signature since, so this one no longer counts.',
  InvalidSignature: 'The network doesn’t accept the wallet’s signature.',
  AlreadySubscribed: 'The wallet had subscribed by itself.',
  PlanInactive: 'The plan was deactivated before the trial ended.',
};

export const trialKind: OutgoingKind = ofEvm({
  async check(ctx, chain, { subjectId: id, toAddress, data, gas }) {
    const refusal = await simulateCall(chain, { to: toAddress as Address, data: data as Hex, gas });
    if (!refusal) return null;
    return refusal.name === 'Paused' ? 'wait' : again(ctx, id, refusal);
  },
  async onFinal(ctx, chain, outgoing) {
    const { subjectId: id, succeeded } = outgoing;
    if (!succeeded) return again(ctx, id, await whyNot(ctx, chain, id));
    const { logs } = await finalLogs(chain, outgoing);
    return async (tx) => {
      await applyPlanLogs(ctx, tx, chain, logs);
      await transitionOne(ctx, tx, 'trial', id, 'start');
    };
  },
  onLost: async (ctx, chain, { subjectId: id }) => again(ctx, id, await whyNot(ctx, chain, id)),
});

async function whyNot(ctx: Ctx, chain: EvmChain, id: string): Promise<RevertReason> {
  const { data } = await ctx.db.trial.findUniqueOrThrow({ where: { id }, select: { data: true } });
  const refusal = await simulateCall(chain, { to: chain.routers.subscription, data: data as Hex });
  return refusal ?? { name: 'NoReason' };
}

/** Waits for the next try, or ends where none can succeed. */
async function again(ctx: Ctx, id: string, { name }: RevertReason): Promise<Write> {
  const { expiresAt } = await ctx.db.trial.findUniqueOrThrow({ where: { id }, select: { expiresAt: true } });
  const tryAt = new Date(ctx.clock.now() + RETRY_MS);
  const failure = FINAL_WORDS[name] ?? (tryAt >= expiresAt ? FINAL_WORDS['Expired'] : undefined);
  return async (tx) => {
    if (failure !== undefined) return void (await transitionOne(ctx, tx, 'trial', id, 'fail', { failure }));
    await transitionOne(ctx, tx, 'trial', id, 'retry', { tryAt });
    await wake(tx, 'trials');
  };
}
