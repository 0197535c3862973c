// One intent as people may see it: the one allowlisted projection for chats.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { chainLabel } from '../../domain/chains.ts';
import type { EscrowStatus } from '../../domain/escrow.ts';
import { formatUnits } from '../../domain/money.ts';
import { daysBetween, type PaymentCommand } from '../../domain/payment.ts';
import { isPrivateRefusal, type Refusal, type RefusedLeg } from '../../domain/plan.ts';
import type { SmartStatus } from '../../domain/smartLeg.ts';
import type { IntentStatus, TipStatus } from '../../domain/tip.ts';
import type { IntentDetail } from './preparation.ts';

export type LegView = {
  id: string;
  recipient: string;
  amount: string;
  fee: string;
  asset: string;
  chain: string;
  chainLabel: string;
  status: TipStatus;
  failure: Refusal | null;
  txHash: string | null;
  /** The escrow that keeps the money for a recipient without an account, and for how many days in all. */
  escrow: { id: string; status: EscrowStatus; days: number; closeTxHash: string | null } | null;
  /** Its way to another chain, and what the bridge takes on top of the fee. */
  crossing: CrossingView | null;
};

export type CrossingView = {
  chain: string;
  chainLabel: string;
  bridgeFee: string;
  status: SmartStatus;
  arriveTxHash: string | null;
  refundTxHash: string | null;
};

export type IntentView = {
  status: IntentStatus;
  platform: string;
  /** The platform's id of the sender. */
  senderId: string;
  sender: string;
  kind: PaymentCommand['kind'];
  /** The sender named the chain, so the receipt does too. */
  chainTyped: boolean;
  /** The shown plan while the sender has to confirm. */
  asked: NonNullable<IntentDetail['plan']>;
  doubts: string[];
  /** What the sender wrote to go with it. */
  note: string | null;
  legs: LegView[];
  refused: RefusedLeg[];
  refusal: Refusal | null;
  /** The figures of the refusal go to the sender's direct chat. */
  tellsInPrivate: boolean;
  /** That private place is beside this very message, for the sender’s eyes alone. */
  tellsBeside: boolean;
  /** Set once a chain did not answer, or made no blocks. */
  waitingFor: string | null;
};

/** The views of these intents, by id. */
export async function intentViews(ctx: Ctx, intentIds: string[]): Promise<Map<string, IntentView>> {
  const intents = await ctx.db.intent.findMany({
    where: { id: { in: intentIds } },
    include: { tips: { orderBy: { leg: 'asc' }, include: WITH_WAYS } },
  });
  // Only who has no username is called by the handle.
  const nameless = intents.flatMap((intent) => (intent.senderUsername ? [] : (intent.senderHandleId ?? [])));
  const handles =
    nameless.length === 0
      ? []
      : await ctx.db.handle.findMany({ where: { id: { in: nameless } }, select: { id: true, slug: true } });
  const slugs = new Map(handles.map((handle) => [handle.id, handle.slug]));
  return new Map(intents.map((intent) => [intent.id, viewOf(ctx, intent, slugs.get(intent.senderHandleId ?? ''))]));
}

const WITH_WAYS = { escrow: true, crossing: { include: { legs: true } } } as const;
type TipWithWays = Row<'Tip'> & {
  escrow: Row<'Escrow'> | null;
  crossing: (Row<'SmartPayment'> & { legs: Row<'SmartLeg'>[] }) | null;
};
type WithTips = Row<'Intent'> & { tips: TipWithWays[] };

function crossingOf({ crossing, bridgeUnits, decimals }: TipWithWays): CrossingView | null {
  if (!crossing) return null;
  const [leg] = crossing.legs;
  return {
    chain: crossing.chain,
    chainLabel: chainLabel(crossing.chain),
    bridgeFee: formatUnits(BigInt(bridgeUnits.toFixed(0)), decimals),
    status: crossing.status as SmartStatus,
    arriveTxHash: leg?.destinationHash ?? null,
    refundTxHash: leg?.refundHash ?? null,
  };
}

function viewOf(ctx: Ctx, intent: WithTips, slug: string | undefined): IntentView {
  const detail = (intent.detail ?? {}) as IntentDetail;
  const command = intent.command as unknown as PaymentCommand;
  const refusal = detail.refusal ?? null;
  return {
    status: intent.status as IntentStatus,
    platform: intent.platform,
    senderId: intent.senderId,
    sender: intent.senderUsername ? `@${intent.senderUsername}` : `${slug ?? intent.senderId}@ampersat`,
    kind: command.kind,
    chainTyped: command.chain !== undefined,
    asked: detail.plan ?? [],
    doubts: detail.doubts ?? [],
    note: command.memo ?? null,
    legs: intent.tips.map((tip) => ({
      id: tip.id,
      recipient: tip.recipientLabel,
      amount: formatUnits(BigInt(tip.units.toFixed(0)), tip.decimals),
      fee: formatUnits(BigInt(tip.feeUnits.toFixed(0)), tip.decimals),
      asset: tip.asset,
      chain: tip.chain,
      chainLabel: ctx.chains[tip.chain as keyof typeof ctx.chains]?.facts.label ?? tip.chain,
      status: tip.status as TipStatus,
      failure: tip.failure as Refusal | null,
      txHash: tip.txHash,
      escrow: tip.escrow && {
        id: tip.escrow.id,
        status: tip.escrow.status as EscrowStatus,
        days: daysBetween(tip.createdAt.getTime(), Number(tip.escrow.deadline) * 1_000),
        closeTxHash: tip.escrow.closeTxHash,
      },
      crossing: crossingOf(tip),
    })),
    refused: detail.refused ?? [],
    refusal,
    tellsInPrivate: refusal !== null && intent.chatKind !== 'dm' && isPrivateRefusal(refusal),
    tellsBeside: intent.privateChatId !== null,
    waitingFor: detail.waitingFor ?? null,
  };
}
