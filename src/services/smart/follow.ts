// Follows what payers gave to bridges until it arrived or came back: see looks for what each bridge tells.

import { finalBlock } from '../../chain/heads.ts';
import type { FinalBlock } from '../../chain/rpc/finality.ts';
import { type Ctx, chainOf } from '../../context.ts';
import type { ChainName } from '../../domain/chains.ts';
import { BRIDGE_FAILURE, BRIDGE_FAILURE_OPEN_MS } from '../../domain/smartLeg.ts';
import { type LegTerms, legTerms } from '../bridges/legTerms.ts';
import { moveLeg } from './ending.ts';
import { lookAtAcross } from './looks/across.ts';
import { lookAtDirect } from './looks/direct.ts';
import { type Finals, type Found, type Leg, type Look, lookAtWhole } from './looks/look.ts';
import { lookAtRelay } from './looks/relay.ts';

/** Legs of one round. */
const PAGE = 200;
/** Between two looks at a leg, by how long ago it was written: at a young one as often as at its chain, at least twice a second. */
const YOUNG = { untilMs: 180_000, pauseMs: 500 };
const GROWN = { untilMs: 2_400_000, pauseMs: 5_000 };
const LONG_PAUSE_MS = 60_000;
/** Relay takes 200 calls a minute from all of us; its webhook makes a look come sooner. */
const RELAY_PAUSE_MS = 5_000;
/** Of a chain that does not answer. */
const AWAY_PAUSE_MS = 5_000;

/**
 * One look at every leg whose turn it is.
 * @returns how many are under way, also those whose turn it is not
 */
export async function followLegs(ctx: Ctx): Promise<number> {
  const now = ctx.clock.now();
  const served = { chain: { in: Object.keys(ctx.chains) } };
  const under = { ...served, status: { in: ['prepared', 'sent', 'bridging'] } };
  // What a bridge gave up it may still give back.
  const endedAt = { gt: new Date(now - BRIDGE_FAILURE_OPEN_MS) };
  const givenUp = { ...served, status: 'failed', reason: BRIDGE_FAILURE, endedAt };
  const legs = await ctx.db.smartLeg.findMany({
    where: { OR: [under, givenUp], nextLookAt: { lte: new Date(now) } },
    include: { payment: true },
    orderBy: [{ nextLookAt: 'asc' }, { id: 'asc' }],
    take: PAGE,
  });
  const known = new Map<string, Promise<FinalBlock>>();
  const finals: Finals = (chain) => {
    const found = known.get(chain.name) ?? finalBlock(chain);
    known.set(chain.name, found);
    return found;
  };
  await Promise.all(legs.map((leg) => lookAtLeg(ctx, leg, finals)));
  if (legs.length > 0) return legs.length;
  const soon = new Date(now + AWAY_PAUSE_MS);
  return ctx.db.smartLeg.count({ where: { ...under, nextLookAt: { lte: soon } }, take: 1 });
}

async function lookAtLeg(ctx: Ctx, leg: Leg, finals: Finals): Promise<void> {
  let pauseMs = pauseOf(ctx, leg);
  try {
    const look: Look = {
      ctx,
      leg,
      origin: chainOf(ctx, leg.chain),
      destination: chainOf(ctx, leg.payment.chain),
      finals,
    };
    const terms = legTerms.parse(leg.terms);
    const found = await lookVia(look, terms);
    if (found)
      await ctx.db.$transaction(async (tx) => {
        if (found.within && !(await found.within(tx))) return;
        await moveLeg(ctx, tx, leg, found.action, found.patch);
      });
  } catch (err) {
    ctx.log.warn({ err, leg: leg.id, chain: leg.chain }, 'a leg could not be looked at; it is tried again');
    pauseMs = Math.max(pauseMs, AWAY_PAUSE_MS);
  }
  const nextLookAt = new Date(ctx.clock.now() + pauseMs);
  await ctx.db.smartLeg.updateMany({ where: { id: leg.id }, data: { nextLookAt } });
}

function pauseOf(ctx: Ctx, { status, via, createdAt, payment }: Leg): number {
  const ageMs = ctx.clock.now() - createdAt.getTime();
  if (status === 'failed' || ageMs >= GROWN.untilMs) return LONG_PAUSE_MS;
  if (ageMs >= YOUNG.untilMs) return GROWN.pauseMs;
  if (via === 'relay') return RELAY_PAUSE_MS;
  return Math.min(YOUNG.pauseMs, ctx.chains[payment.chain as ChainName]?.pollMs ?? YOUNG.pauseMs);
}

function lookVia(look: Look, terms: LegTerms): Promise<Found> {
  if (terms.via === 'relay') return lookAtRelay(look, terms);
  if (terms.via === 'across') return lookAtAcross(look, terms);
  return terms.by === 'transaction' ? lookAtWhole(look, terms) : lookAtDirect(look, terms);
}
