// What operators see of money at a bridge: the names by which the bridge knows it, each move of it, and its transactions.
import type { Ctx } from '../../context.ts';
import type { Row } from '../../db.ts';
import { formatUnits } from '../../domain/money.ts';
import { BRIDGE_LABELS, type BridgeName } from '../../domain/smartLeg.ts';
import { transactionUrl } from '../chains.ts';
import { type CaseStep, moveSteps, step } from './steps.ts';

/** More parts than any payment has that was given to a bridge. */
const MOST_LEGS = 50;

/** Of an order's payments, or of tips to another chain. */
export async function bridgeSteps(ctx: Ctx, of: { orderId: string } | { tipIds: string[] }): Promise<CaseStep[]> {
  const payment = 'orderId' in of ? { orderId: of.orderId } : { tipId: { in: of.tipIds } };
  const legs = await ctx.db.smartLeg.findMany({
    where: { payment, via: { not: 'direct' }, sentAt: { not: null } },
    include: { payment: true },
    orderBy: { id: 'asc' },
    take: MOST_LEGS,
  });
  return (await Promise.all(legs.map((leg) => stepsOf(ctx, leg)))).flat();
}

type Leg = Row<'SmartLeg'> & { payment: Row<'SmartPayment'> };

async function stepsOf(ctx: Ctx, leg: Leg): Promise<CaseStep[]> {
  const { payment, reason } = leg;
  const amount = `${formatUnits(BigInt(leg.arriveUnits.toFixed(0)), payment.decimals)} ${payment.currency}`;
  const way = `${amount} from ${leg.chain} to ${payment.chain} over ${BRIDGE_LABELS[leg.via as BridgeName]}`;
  const names = `payment ${payment.id}, leg ${leg.id}, request ${leg.requestId}`;
  const begun = step(leg.id, leg.createdAt, 'leg_begun', {
    detail: `${way}: ${names}. It is delivered by ${leg.deadline.toISOString()} or sent back.`,
  });
  const moves = await moveSteps(ctx, 'smart_leg', [leg.id]);
  return [
    begun,
    ...moves.map((move) => {
      const [chain, hash] = transactionOf(leg, move.step);
      const ended = /\.(refund|fail)$/.test(move.step) ? reason : null;
      return { ...move, detail: ended ?? amount, tx_hash: hash, explorer_url: transactionUrl(ctx, chain, hash) };
    }),
  ];
}

/** The transaction of a move, and its chain. */
function transactionOf(leg: Leg, move: string): [chain: string, hash: string | null] {
  if (move.endsWith('.arrive')) return [leg.payment.chain, leg.destinationHash];
  return [leg.chain, move.endsWith('.refund') ? leg.refundHash : leg.originHash];
}
