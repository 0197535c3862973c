// The chains that this process serves: found by name, their mode, and their explorer's pages.
import type { Chain } from '../chain/chain.ts';
import type { EvmChain } from '../chain/rpc/client.ts';
import type { Ctx } from '../context.ts';
import { CHAINS, type ChainName, canonicalChain, findChain } from '../domain/chains.ts';
import { AppError } from '../domain/errors.ts';
import { type ExplorerPage, explorerLink } from '../domain/explorer.ts';

/** @throws AppError `parameter_invalid` for a chain that is not served here */
export function servedChain(ctx: Ctx, name: string): Chain {
  const key = canonicalChain(name);
  const chain = Object.hasOwn(ctx.chains, key) ? ctx.chains[key as ChainName] : undefined;
  if (!chain) throw unsupported();
  return chain;
}

/** The same for what is made of contracts of EVM. @throws AppError `parameter_invalid` */
export function servedEvmChain(ctx: Ctx, name: string): EvmChain {
  const chain = servedChain(ctx, name);
  if (chain.family !== 'evm') throw unsupported();
  return chain;
}

function unsupported(): AppError {
  return new AppError('parameter_invalid', 'This chain isn’t supported.', { param: 'chain' });
}

/** Local chains and testnets are of test mode. */
export function isLive(chain: Pick<Chain, 'local' | 'facts'>): boolean {
  return !(chain.local || chain.facts.testnet);
}

export type Mode = 'test' | 'live';

/** What lists show without a mode: live wherever a live network is served. No list has both. */
export function usualMode(ctx: Pick<Ctx, 'chains'>): Mode {
  return Object.values(ctx.chains).some(isLive) ? 'live' : 'test';
}

/** The same by name; the registry decides for a chain that is not served. */
export function isLiveChain(ctx: Ctx, name: ChainName): boolean {
  const chain = ctx.chains[name];
  return chain ? isLive(chain) : !CHAINS[name].testnet;
}

/** A transaction's page in the explorer; null without a hash, and for a local chain that the registry's explorer does not index. */
export function transactionUrl(ctx: Ctx, chain: string, hash: string | null): string | null {
  return hash === null ? null : explorerUrl(ctx, chain, { transaction: hash });
}

/** The same of an address. */
export function addressUrl(ctx: Ctx, chain: string, address: string): string | null {
  return explorerUrl(ctx, chain, { address });
}

function explorerUrl(ctx: Ctx, chain: string, page: ExplorerPage): string | null {
  const served = ctx.chains[chain as ChainName];
  const registered = findChain(chain)?.explorerUrl;
  const explorer = served?.explorerUrl ?? registered;
  if (explorer === undefined || (served?.local && explorer === registered)) return null;
  return explorerLink(explorer, page);
}
