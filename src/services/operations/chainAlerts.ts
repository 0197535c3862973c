// What is wrong with a chain or a key on it, by the rows and the last look at it.

import type { ChainProbe } from '../../chain/probe.ts';
import type { ReadCtx } from '../../context.ts';
import { CHAINS, type ChainName } from '../../domain/chains.ts';
import { formatUnits, parseUnits, scaleUnits } from '../../domain/money.ts';
import type { Check, Finding } from '../alerts.ts';
import { executorsOf } from '../outgoing/keys.ts';
import { listExecutors } from './metrics.ts';

/** A look at a chain that is older than this says nothing about now. */
const PROBE_FRESH_MS = 60_000;
/** One look may fail by chance; two in a row do not. */
const RPC_FAILURES = 2;

function freshProbes(ctx: ReadCtx): ChainProbe[] {
  return [...ctx.probes.values()].filter((probe) => ctx.clock.now() - probe.at <= PROBE_FRESH_MS);
}

/** Keys that are out of use, hold too little, or may not act. */
export async function executorChecks(ctx: ReadCtx): Promise<Check[]> {
  const keys = await listExecutors(ctx);
  const paused: Finding[] = keys
    .filter((key) => key.pausedReason !== null)
    .map((key) => ({ subject: `${key.chain} ${key.address}`, message: key.pausedReason ?? '' }));
  const low = freshProbes(ctx)
    .filter((probe) => probe.keys.size > 0)
    .flatMap(({ chain, batchCost }): Check[] => {
      const enough = enoughGas(ctx, chain, batchCost);
      if (enough === null) return [];
      const found = keys
        .filter((key) => key.chain === chain && key.balance !== null)
        .flatMap((key) => {
          if ((key.balance ?? 0n) >= enough) return [];
          const { native, nativeDecimals, label } = CHAINS[chain];
          const inWords = (units: bigint) => formatUnits(scaleUnits(units, nativeDecimals, 6), 6);
          const message = `${key.address} has ${inWords(key.balance ?? 0n)} ${native} on ${label}; the alarm is set at ${inWords(enough)}.`;
          return [{ subject: `${chain} ${key.address}`, message }];
        });
      return [{ kind: 'executor_low', scope: chain, found }];
    });
  return [{ kind: 'executor_paused', found: paused }, ...low, ...powerChecks(ctx)];
}

/** Of the keys of this process: those that were replaced stay in the rows. */
function powerChecks(ctx: ReadCtx): Check[] {
  return freshProbes(ctx).flatMap(({ chain: name, contracts }): Check[] => {
    const chain = ctx.chains[name];
    if (!chain || !contracts) return [];
    const found = executorsOf(ctx, chain).flatMap((address) => {
      const problem = contracts.powerless[address];
      return problem
        ? [{ subject: `${name} ${address}`, message: `${address} on ${CHAINS[name].label}: ${problem}.` }]
        : [];
    });
    return [{ kind: 'executor_powerless', scope: name, found }];
  });
}

/** The balance below which a key is low: what is configured for the chain, else a number of full batches at the present price. */
function enoughGas(ctx: ReadCtx, name: ChainName, batchCost: bigint | null): bigint | null {
  const chain = ctx.chains[name];
  if (chain?.executorMinimum) return parseUnits(chain.executorMinimum, chain.facts.nativeDecimals);
  return batchCost === null ? null : batchCost * BigInt(ctx.env.ALERT_EXECUTOR_TRANSACTIONS);
}

/** Endpoints, prices, and what the contracts say. */
export function chainChecks(ctx: ReadCtx): Check[] {
  return freshProbes(ctx).flatMap(({ chain, endpoints, price, contracts }): Check[] => {
    const { label } = CHAINS[chain];
    const down = endpoints.flatMap(({ problem, failures }, index) =>
      problem === null || failures < RPC_FAILURES
        ? []
        : [{ subject: `${chain} ${index}`, message: `Endpoint ${index} of ${label}: ${problem}.` }],
    );
    const checks: Check[] = [{ kind: 'rpc_down', scope: chain, found: down }];
    if (price) {
      const found = price.stale === null ? [] : [{ subject: chain, message: `${label}: ${price.stale}.` }];
      checks.push({ kind: 'price_stale', scope: chain, found });
    }
    if (contracts) {
      const findingsOf = (words: Readonly<Record<string, string>>) =>
        Object.entries(words).map(([what, text]) => ({ subject: `${chain} ${what}`, message: `${label}: ${text}.` }));
      checks.push({ kind: 'chain_blocked', scope: chain, found: findingsOf(contracts.blocked) });
      checks.push({ kind: 'role_announced', scope: chain, found: findingsOf(contracts.changes) });
    }
    return checks;
  });
}

/** Problems found when this process started; the next start checks them again. */
export function refusedCheck(ctx: ReadCtx): Check[] {
  const found = [...ctx.refused].map(([subject, problem]) => ({ subject, message: `${capital(problem)}.` }));
  return [{ kind: 'chain_refused', found }];
}

function capital(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}
