// Who asks about their own account in a chat, and their limits as the chat shows them. It reads and changes nothing.
import type { Ctx } from '../../context.ts';
import { type Places, placesOf } from '../../domain/walletReach.ts';
import { findConnection } from '../accounts/connections.ts';
import { commandsLeft } from './commandQuota.ts';
import { type Spending, spendingOf } from './limits.ts';

export type LimitsView = Spending;

type Person = { handleId: string; slug: string; places: Places };

export async function personOf(ctx: Ctx, platform: string, userId: string): Promise<Person | null> {
  const connection = await findConnection(ctx, platform, userId);
  if (!connection || connection.handle.wallets.length === 0) return null;
  const { slug, wallets } = connection.handle;
  return { handleId: connection.handleId, slug, places: placesOf(wallets) };
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
