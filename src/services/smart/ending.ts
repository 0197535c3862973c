// Where the legs of a payment, and with them the payment, change their status: compare-and-set, so that what two find out counts once.
import type { Ctx } from '../../context.ts';
import type { Row, Tx } from '../../db.ts';
import { nextStatus } from '../../domain/lifecycle.ts';
import { LEG_OVER, type LegAction, type LegStatus, outcomeOf, SMART_LEG } from '../../domain/smartLeg.ts';
import { lockKey } from '../locks.ts';
import { crossingEnded } from '../tips/crossings.ts';
import { transitionOne } from '../transitions.ts';
import { wake } from '../wake.ts';

type LegPatch = Partial<
  Pick<Row<'SmartLeg'>, 'originHash' | 'originNonce' | 'destinationHash' | 'refundHash' | 'reason' | 'nextLookAt'>
>;

/** Moves a leg, and ends its payment with the last one. @returns whether it moved */
export async function moveLeg(
  ctx: Ctx,
  tx: Tx,
  { id, paymentId }: Pick<Row<'SmartLeg'>, 'id' | 'paymentId'>,
  action: LegAction,
  patch: LegPatch = {},
): Promise<boolean> {
  // Two legs that end at once: one of them sees both.
  await lockKey(tx, `smart:${paymentId}`);
  const { status: from, payment } = await tx.smartLeg.findUniqueOrThrow({
    where: { id },
    select: { status: true, payment: { select: { tipId: true } } },
  });
  const { tipId } = payment;
  const to = nextStatus(SMART_LEG, from as LegStatus, action);
  if (to === null) return false;
  const now = new Date(ctx.clock.now());
  const isOver = LEG_OVER.includes(to);
  const isSent = from === 'prepared' && (action === 'send' || action === 'bridge');
  const times = { ...(isSent ? { sentAt: now } : {}), ...(isOver ? { endedAt: now } : {}) };
  if (!(await transitionOne(ctx, tx, 'smart_leg', id, action, { ...patch, ...times }))) return false;
  if (isOver) await endPayment(ctx, tx, paymentId);
  if (isOver && tipId !== null) await crossingEnded(ctx, tx, tipId);
  await wake(tx, action === 'arrive' ? 'deposits' : 'legs');
  return true;
}

async function endPayment(ctx: Ctx, tx: Tx, paymentId: string): Promise<void> {
  const legs = await tx.smartLeg.findMany({ where: { paymentId }, select: { status: true } });
  const outcome = outcomeOf(legs.map(({ status }) => status as LegStatus));
  if (outcome)
    await transitionOne(ctx, tx, 'smart_payment', paymentId, outcome, { endedAt: new Date(ctx.clock.now()) });
}
