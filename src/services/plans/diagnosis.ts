// Whether plans can be made on Solana now, for pages and monitors: what the program's accounts say, a moment old at most.
import { createSolanaChain, type SolanaChain } from '../../chain/solana/client.ts';
import { diagnoseProgram } from '../../chain/solana/diagnosis.ts';
import type { Ctx } from '../../context.ts';
import { isAway } from '../../domain/errors.ts';

/** `program` is null where Solana is not configured; `slot` and `lag_seconds` are null too while it does not answer. */
export type SolanaSubs = {
  /** Whether this deployment serves Solana, and all below says that a plan can be made and charged now. */
  ok: boolean;
  program: string | null;
  executable: boolean;
  final: boolean;
  config: { initialized: boolean; mint_ok: boolean; paused: boolean };
  slot: number | null;
  lag_seconds: number | null;
  checked_at: string;
};

/** A cluster whose newest confirmed slot is older than this stands still. */
const MOST_LAG_S = 60;
/** Anyone may read it; the cluster is read once in this time. */
const KEPT_MS = 3_000;

const kept = new WeakMap<Ctx['chains'], { at: number; answer: Promise<SolanaSubs> }>();

export function diagnoseSubscriptions(ctx: Ctx): Promise<SolanaSubs> {
  const now = ctx.clock.now();
  const known = kept.get(ctx.chains);
  if (known && now - known.at >= 0 && now - known.at < KEPT_MS) return known.answer;
  const answer = look(ctx);
  kept.set(ctx.chains, { at: now, answer });
  answer.catch(() => kept.delete(ctx.chains));
  return answer;
}

async function look(ctx: Ctx): Promise<SolanaSubs> {
  const now = ctx.clock.now();
  const chain = configured(ctx);
  const unknown: SolanaSubs = {
    ok: false,
    program: chain?.program.id ?? null,
    executable: false,
    final: false,
    config: { initialized: false, mint_ok: false, paused: false },
    slot: null,
    lag_seconds: null,
    checked_at: new Date(now).toISOString(),
  };
  if (!chain) return unknown;
  try {
    const { executable, final, config, slot, time } = await diagnoseProgram(chain);
    const { initialized, mintOk, paused } = config;
    const lag = Math.max(0, Math.floor(now / 1_000) - Number(time));
    const ok = ctx.chains.solana !== undefined && executable && initialized && mintOk && !paused && lag <= MOST_LAG_S;
    const found = { executable, final, config: { initialized, mint_ok: mintOk, paused } };
    return { ...unknown, ok, ...found, slot: Number(slot), lag_seconds: lag };
  } catch (error) {
    if (isAway(error)) return unknown;
    throw error;
  }
}

/** Also where it was refused at start: then the answer says why. */
function configured(ctx: Ctx): SolanaChain | null {
  const served = ctx.chains.solana;
  if (served?.family === 'solana') return served;
  return ctx.env.solana ? createSolanaChain('solana', ctx.env.solana) : null;
}
