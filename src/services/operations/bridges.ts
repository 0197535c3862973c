// The bridges as an operator sees them: whether their APIs answer, what is left of their quotas, and what is on its way over them.
import { acrossPrice } from '../../chain/bridge/acrossPrices.ts';
import { BridgeRefusal } from '../../chain/bridge/http.ts';
import { relayState } from '../../chain/bridge/relay.ts';
import { type BridgeProbe, type Ctx, evmChains, type ReadCtx } from '../../context.ts';
import { BRIDGES, type BridgeName } from '../../domain/smartLeg.ts';
import { quotesLeft, relayApi } from '../bridges/prices.ts';
import { isLive } from '../chains.ts';
import { listSlowRoutes, type SlowRoute } from '../smart/trouble.ts';

/** Between two looks of a process at a bridge. */
export const BRIDGE_LOOK_MS = 60_000;
/** A look that is older than this says nothing about now. */
export const BRIDGE_FRESH_MS = 3 * BRIDGE_LOOK_MS;
/** One look may fail by chance; two in a row do not. */
const FAILURES = 2;
const DAY_MS = 86_400_000;
/** No request has it: the bridge answers that it knows none. */
const NO_REQUEST = `0x${'0'.repeat(64)}`;

/** Looks at every bridge that the configuration uses. */
export async function lookAtBridges(ctx: Ctx): Promise<void> {
  await Promise.all(usedBridges(ctx).map((name) => lookAtBridge(ctx, name)));
}

/** Those that lead from one served chain to another. */
export function usedBridges(ctx: Pick<Ctx, 'chains'>): BridgeName[] {
  const ofEvm = Object.values(evmChains(ctx));
  return BRIDGES.filter((name) =>
    name === 'across'
      ? ofEvm.filter(({ across }) => across).length > 1
      : Object.values(ctx.chains).some(({ relay }) => relay.length > 0),
  );
}

async function lookAtBridge(ctx: Ctx, name: BridgeName): Promise<void> {
  const before = ctx.bridgeProbes.get(name);
  const begin = performance.now();
  const problem = await problemOf(ctx, name);
  const failures = problem === null ? 0 : (before?.failures ?? 0) + 1;
  const latencyMs = problem === null ? performance.now() - begin : null;
  if (problem !== null && failures === 1) ctx.log.warn({ bridge: name, problem }, 'a bridge does not answer');
  if (problem === null && before?.problem) ctx.log.info({ bridge: name }, 'a bridge is back');
  ctx.bridgeProbes.set(name, { at: ctx.clock.now(), problem, failures, latencyMs });
}

/** A refusal is an answer. */
async function problemOf(ctx: Ctx, name: BridgeName): Promise<string | null> {
  try {
    await (name === 'across' ? askAcross(ctx) : relayState(relayApi(ctx), NO_REQUEST));
    return null;
  } catch (error) {
    if (error instanceof BridgeRefusal) return error.isBusy ? 'limits our calls' : null;
    return 'does not answer';
  }
}

async function askAcross(ctx: Ctx): Promise<void> {
  const served = Object.values(evmChains(ctx)).filter(({ across }) => across);
  const [origin] = served;
  const destination = served.find((one) => origin && one !== origin && isLive(one) === isLive(origin));
  if (!origin || !destination) return;
  const [inputDecimals, outputDecimals] = [origin.facts.usdcDecimals, destination.facts.usdcDecimals];
  await acrossPrice(
    { root: ctx.env.ACROSS_API_ROOT, integratorId: ctx.env.ACROSS_INTEGRATOR_ID },
    {
      ...{ origin: origin.facts.chainId, destination: destination.facts.chainId, inputDecimals, outputDecimals },
      ...{ inputToken: origin.usdc, outputToken: destination.usdc, amount: 25n * 10n ** BigInt(inputDecimals) },
    },
    ctx.clock.now(),
  );
}

/** Bridges that do not answer, by the last looks of this process. */
export function silentBridges(ctx: Pick<ReadCtx, 'bridgeProbes' | 'clock'>): { name: BridgeName; problem: string }[] {
  return [...ctx.bridgeProbes].flatMap(([name, { at, problem, failures }]) =>
    problem !== null && failures >= FAILURES && ctx.clock.now() - at <= BRIDGE_FRESH_MS ? [{ name, problem }] : [],
  );
}

export type BridgeView = {
  bridge: BridgeName;
  /** Null while it answers; `unknown` before this process has looked. */
  problem: string | null;
  latency_ms: number | null;
  /** What is left of this minute's quotes, and of how many: for prices and for payments. Null where there is no quota. */
  quotes: { prices: number; prices_of: number; payments: number; payments_of: number } | null;
  /** Money that left its payers, and the oldest of it. */
  under_way: number;
  oldest_seconds: number | null;
  /** What ended in the last 24 hours. */
  day: { arrived: number; refunded: number; failed: number };
  slow: { origin: string; destination: string; count: number; oldest_seconds: number }[];
};

type Row = { via: string; under_way: number; oldest: Date | null; arrived: number; refunded: number; failed: number };

export async function listBridges(ctx: Ctx): Promise<BridgeView[]> {
  const used = usedBridges(ctx);
  if (used.length === 0) return [];
  const since = new Date(ctx.clock.now() - DAY_MS);
  const [rows, slow, left] = await Promise.all([
    ctx.db.$queryRaw<Row[]>`
      select via, count(*) filter (where status in ('sent', 'bridging'))::int as under_way,
        min(coalesce(sent_at, created_at)) filter (where status in ('sent', 'bridging')) as oldest,
        count(*) filter (where status = 'arrived' and ended_at > ${since})::int as arrived,
        count(*) filter (where status = 'refunded' and ended_at > ${since})::int as refunded,
        count(*) filter (where status = 'failed' and origin_hash is not null and ended_at > ${since})::int as failed
      from smart_leg where via <> 'direct' and (status in ('sent', 'bridging') or ended_at > ${since}) group by via`,
    listSlowRoutes(ctx),
    used.includes('relay') ? quotesLeft(ctx) : null,
  ]);
  const seconds = (ms: number) => Math.round(ms / 1_000);
  return used.map((bridge) => {
    const row = rows.find(({ via }) => via === bridge);
    const probe = freshProbe(ctx, bridge);
    const slowSeconds = ({ origin, destination, count, oldestMs }: SlowRoute) => ({
      ...{ origin, destination, count },
      oldest_seconds: seconds(oldestMs),
    });
    return {
      bridge,
      problem: probe ? probe.problem : 'unknown',
      latency_ms: probe?.latencyMs == null ? null : Math.round(probe.latencyMs),
      quotes: bridge === 'relay' ? left : null,
      under_way: row?.under_way ?? 0,
      oldest_seconds: row?.oldest ? seconds(ctx.clock.now() - row.oldest.getTime()) : null,
      day: { arrived: row?.arrived ?? 0, refunded: row?.refunded ?? 0, failed: row?.failed ?? 0 },
      slow: slow.filter(({ via }) => via === bridge).map(slowSeconds),
    };
  });
}

function freshProbe(ctx: Ctx, name: BridgeName): BridgeProbe | null {
  const probe = ctx.bridgeProbes.get(name);
  return probe && ctx.clock.now() - probe.at <= BRIDGE_FRESH_MS ? probe : null;
}
