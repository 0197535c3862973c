// One intent as people may see it: the one allowlisted projection for chats.
import type { Ctx } from '../context.ts';
import type { TransferCommand } from '../domain/command.ts';
import { formatUnits } from '../domain/money.ts';
import type { Refusal, RefusedLeg } from '../domain/plan.ts';
import type { IntentStatus, TipStatus } from '../domain/tip.ts';
import { isPrivateRefusal } from './replies.ts';
import type { IntentDetail } from './tips.ts';

export type LegView = {
  recipient: string;
  amount: string;
  fee: string;
  asset: string;
  chain: string;
  chainLabel: string;
  status: TipStatus;
  failure: Refusal | null;
  txHash: string | null;
};

export type IntentView = {
  status: IntentStatus;
  sender: string;
  kind: 'tip' | 'send';
  /** The sender named the chain, so the receipt does too. */
  chainTyped: boolean;
  /** The shown plan while the sender is asked. */
  asked: NonNullable<IntentDetail['plan']>;
  doubts: string[];
  legs: LegView[];
  refused: RefusedLeg[];
  refusal: Refusal | null;
  /** The figures of the refusal go to the sender's direct chat. */
  tellsInPrivate: boolean;
  /** Set while a chain does not answer. */
  waitingFor: string | null;
};

export async function intentView(ctx: Ctx, intentId: string): Promise<IntentView> {
  const intent = await ctx.db.intent.findUniqueOrThrow({
    where: { id: intentId },
    include: { tips: { orderBy: { leg: 'asc' } } },
  });
  const handle = intent.senderHandleId
    ? await ctx.db.handle.findUnique({ where: { id: intent.senderHandleId } })
    : null;
  const detail = (intent.detail ?? {}) as IntentDetail;
  const command = intent.command as unknown as TransferCommand;
  const refusal = detail.refusal ?? null;
  return {
    status: intent.status as IntentStatus,
    sender: intent.senderUsername ? `@${intent.senderUsername}` : `${handle?.slug ?? intent.senderId}@ampersat`,
    kind: command.kind,
    chainTyped: command.chain !== undefined,
    asked: detail.plan ?? [],
    doubts: detail.doubts ?? [],
    legs: intent.tips.map((tip) => ({
      recipient: tip.recipientLabel,
      amount: formatUnits(BigInt(tip.units.toFixed(0)), tip.decimals),
      fee: formatUnits(BigInt(tip.feeUnits.toFixed(0)), tip.decimals),
      asset: tip.asset,
      chain: tip.chain,
      chainLabel: ctx.chains[tip.chain as keyof typeof ctx.chains]?.facts.label ?? tip.chain,
      status: tip.status as TipStatus,
      failure: tip.failure as Refusal | null,
      txHash: tip.txHash,
    })),
    refused: detail.refused ?? [],
    refusal,
    tellsInPrivate: refusal !== null && intent.chatKind !== 'dm' && isPrivateRefusal(refusal),
    waitingFor: detail.waitingFor ?? null,
  };
}
