// Transactions that carry a payer's signature for a leg: its deposit at a bridge, or its transfer on the due chain.

import { findAuthorization } from '../../chain/bridge/direct.ts';
import { isCallOver, simulateQueued } from '../../chain/calls.ts';
import type { Chain } from '../../chain/chain.ts';
import { agreedHead } from '../../chain/rpc/finality.ts';
import { type Ctx, evmChainOf } from '../../context.ts';
import type { Row } from '../../db.ts';
import { AppError } from '../../domain/errors.ts';
import { authorizationOf, type LegTerms, legTerms } from '../bridges/legTerms.ts';
import { isSettledAtHead } from '../orders/payments/payable.ts';
import { NOTHING, type OutgoingKind, type Write } from '../outgoing/kinds.ts';
import { moveLeg } from './ending.ts';
import { NOT_SENT, REFUSED } from './looks/look.ts';
import { refusalWords } from './refusals.ts';

/** With less time than this a signature is no longer sent. */
const LEAST_LEFT_MS = 15_000;
const OVER = 'The order ended, or was paid, before this was sent. Nothing left your wallet.';

type Leg = { row: Row<'SmartLeg'>; terms: LegTerms };

async function readLeg(ctx: Ctx, id: string): Promise<Leg> {
  const row = await ctx.db.smartLeg.findUniqueOrThrow({ where: { id } });
  return { row, terms: legTerms.parse(row.terms) };
}

function isLate(ctx: Ctx, { signedUntil }: LegTerms): boolean {
  return signedUntil * 1_000 - ctx.clock.now() < LEAST_LEFT_MS;
}

/**
 * Ends a leg that we can no longer send, unless its authorization was used by a transaction of another sender: what was signed is then on its way, and
 * is followed as any (see follow).
 */
async function giveUp(ctx: Ctx, { name }: Chain, leg: Leg, reason: string): Promise<Write> {
  const { row, terms } = leg;
  // A whole transaction lands by our executor alone.
  if (terms.by === 'transaction' || terms.via === 'relay') return fail(ctx, leg, reason);
  const chain = evmChainOf(ctx, name);
  const originHash = await findAuthorization(
    chain,
    authorizationOf(chain, terms),
    row.originFrom,
    await agreedHead(chain),
  );
  if (originHash === null) return fail(ctx, leg, reason);
  return async (tx) => void (await moveLeg(ctx, tx, row, 'bridge', { originHash }));
}

function fail(ctx: Ctx, { row }: Leg, reason: string): Write {
  return async (tx) => void (await moveLeg(ctx, tx, row, 'fail', { reason }));
}

export const bridgeDepositKind: OutgoingKind = {
  async expire(ctx, { subjectId }) {
    const leg = await readLeg(ctx, subjectId);
    if (!isLate(ctx, leg.terms)) return null;
    // A whole transaction lands by our executor alone. A signature over a text is good for a moment more, and may be used by another sender: that leg
    // ends by what the chain says (see looks).
    return leg.terms.by === 'transaction' ? fail(ctx, leg, NOT_SENT) : NOTHING;
  },
  async check(ctx, chain, { subjectId, toAddress, data, gas }) {
    const leg = await readLeg(ctx, subjectId);
    const payment = await ctx.db.smartPayment.findUniqueOrThrow({ where: { id: leg.row.paymentId } });
    const order = payment.orderId && (await ctx.db.order.findUnique({ where: { id: payment.orderId } }));
    if (order && (order.status !== 'awaiting_payment' || (await isSettledAtHead(ctx, order))))
      return giveUp(ctx, chain, leg, OVER);
    if (await isCallOver(chain, data)) return giveUp(ctx, chain, leg, NOT_SENT);
    const refusal = await simulateQueued(chain, { to: toAddress, data, gas }, undefined);
    return refusal ? giveUp(ctx, chain, leg, refusalWords(chain, refusal)) : null;
  },
  async onSigned(_ctx, tx, { subjectId: id }) {
    // Locked, so that a leg that ends in this moment is not sent.
    const [row] = await tx.$queryRaw<{ status: string }[]>`select status from smart_leg where id = ${id} for update`;
    if (row?.status !== 'sent') throw new AppError('state_conflict', 'the leg is over');
  },
  async onMined(ctx, _chain, { subjectId, succeeded, minedHash }) {
    if (!succeeded) return NOTHING;
    const { row } = await readLeg(ctx, subjectId);
    return async (tx) => {
      if (await moveLeg(ctx, tx, row, 'bridge', { originHash: minedHash })) return;
      // It arrived before its deposit was seen.
      await tx.smartLeg.updateMany({ where: { id: row.id, originHash: null }, data: { originHash: minedHash } });
    };
  },
  async onUnmined(ctx, { subjectId }) {
    const { row } = await readLeg(ctx, subjectId);
    return async (tx) => void (await moveLeg(ctx, tx, row, 'unbridge', { originHash: null }));
  },
  async onFinal(ctx, _chain, { subjectId, succeeded, minedHash }) {
    const leg = await readLeg(ctx, subjectId);
    // A signature over a text is public now, and good until it expires: follow ends the leg.
    if (!succeeded) return leg.terms.by === 'transaction' ? fail(ctx, leg, REFUSED) : NOTHING;
    if (leg.terms.via !== 'direct')
      return async (tx) => void (await moveLeg(ctx, tx, leg.row, 'bridge', { originHash: minedHash }));
    return async (tx) =>
      void (await moveLeg(ctx, tx, leg.row, 'arrive', { originHash: minedHash, destinationHash: minedHash }));
  },
  async onLost(ctx, _chain, { subjectId }) {
    const leg = await readLeg(ctx, subjectId);
    return leg.terms.by === 'transaction' ? fail(ctx, leg, NOT_SENT) : NOTHING;
  },
};
