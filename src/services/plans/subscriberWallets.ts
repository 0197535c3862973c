// The wallets of a handle as subscribers, on the chains of their families where they are its owner's.
import type { Ctx } from '../../context.ts';
import type { Tx } from '../../db.ts';
import type { ChainName } from '../../domain/chains.ts';
import { comparable, familyOf } from '../../domain/walletFamily.ts';
import { type Places, placeOn, placesOf, reachesOn } from '../../domain/walletReach.ts';

export async function placesOfHandle(tx: Tx, handleId: string): Promise<Places> {
  return placesOf(await tx.wallet.findMany({ where: { handleId } }));
}

/** For a query of subscriptions: those of any wallet of a handle. Empty without a wallet. */
export async function ofHandle(ctx: Ctx, handleId: string): Promise<{ subscriber: string; chain: { in: string[] } }[]> {
  const places = await placesOfHandle(ctx.db, handleId);
  const served = Object.keys(ctx.chains) as ChainName[];
  return Object.values(places).flatMap(({ address }) => {
    const on = served.filter((name) => placeOn(places, name)?.address === address && reachesOn(places, name));
    return on.length === 0 ? [] : [{ subscriber: address, chain: { in: on } }];
  });
}

/** Whether an address is a wallet of the handle on a chain. */
export function isOwnOn(places: Places, chain: string, address: string): boolean {
  return placeOn(places, chain as ChainName)?.address === address && reachesOn(places, chain as ChainName);
}

/** Subscribers whose address begins with a text; null for a text that no address begins with. */
export function addressStart(text: string): { startsWith: string; mode?: 'insensitive' } | null {
  if (/^0x[0-9a-f]{2,40}$/i.test(text)) return { startsWith: text, mode: 'insensitive' };
  return /^[1-9A-HJ-NP-Za-km-z]{3,44}$/.test(text) ? { startsWith: text } : null;
}

/** A subscriber by its whole address; null for other text. */
export function addressEqual(text: string): { equals: string; mode?: 'insensitive' } | null {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return { equals: comparable(text), mode: 'insensitive' };
  return familyOf(text) === 'solana' && /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) ? { equals: text } : null;
}
