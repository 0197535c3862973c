// What a person may see of their own account from a chat: balances and limits. It reads and changes nothing.
import type { Chain } from '../../chain/chain.ts';
import { tokenBalance } from '../../chain/senders.ts';
import type { Ctx } from '../../context.ts';
import { formatUnits } from '../../domain/money.ts';
import { type Places, placeOn, placesOf, reachesOn } from '../../domain/walletReach.ts';
import { findConnection } from '../accounts/connections.ts';
import { commandsLeft } from './commandQuota.ts';
import { type Spending, spendingOf } from './limits.ts';

/** `wrapped` when it is the chain's own coin as a token. */
export type BalanceLine = { chain: string; asset: string; amount: string; wrapped: boolean };
export type Unreachable = { chain: string; unreachable: true };
export type LimitsView = Spending;

type Person = { handleId: string; slug: string; places: Places };

export async function personOf(ctx: Ctx, platform: string, userId: string): Promise<Person | null> {
  const connection = await findConnection(ctx, platform, userId);
  if (!connection || connection.handle.wallets.length === 0) return null;
  const { slug, wallets } = connection.handle;
  return { handleId: connection.handleId, slug, places: placesOf(wallets) };
}

/** USDC and the wrapped native asset on every served chain on which the person has a wallet; a chain that does not answer says so instead of showing nothing. */
export async function balancesOf(ctx: Ctx, person: Person): Promise<(BalanceLine | Unreachable)[]> {
  const theirs = Object.values(ctx.chains).filter(({ name }) => reachesOn(person.places, name));
  const perChain = theirs.map((chain) =>
    orUnreachable(chain, async (): Promise<BalanceLine[]> => {
      const address = placeOn(person.places, chain.name)?.address ?? '';
      const [usdc, wrapped] = await Promise.all([
        tokenBalance(chain, chain.usdc, address),
        tokenBalance(chain, chain.wrappedNative, address),
      ]);
      const { label: name, native, nativeDecimals, usdcDecimals } = chain.facts;
      const line = { chain: name, asset: 'USDC', amount: formatUnits(usdc, usdcDecimals), wrapped: false };
      return wrapped === 0n
        ? [line]
        : [line, { chain: name, asset: native, amount: formatUnits(wrapped, nativeDecimals), wrapped: true }];
    }),
  );
  return (await Promise.all(perChain)).flat();
}

/** The same figures as on the page; commands count for the account in this chat as well as for the handle. */
export async function limitsOf(ctx: Ctx, person: Person, platform: string, userId: string): Promise<LimitsView> {
  const now = ctx.clock.now();
  const [spending, left] = await Promise.all([
    spendingOf(ctx, person.handleId),
    commandsLeft(ctx, { platform, userId }, now),
  ]);
  return { ...spending, tips_left_this_hour: Math.min(spending.tips_left_this_hour, left) };
}

async function orUnreachable<T>(chain: Chain, read: () => Promise<T[]>): Promise<(T | Unreachable)[]> {
  try {
    return await read();
  } catch {
    return [{ chain: chain.facts.label, unreachable: true }];
  }
}
