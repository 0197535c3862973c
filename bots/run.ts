// What the bots process does: an adapter for each platform whose token it has, the inbox, the replies.
import type { Ctx } from '../src/context.ts';
import { StartError } from '../src/domain/errors.ts';
import { bindTokens } from '../src/services/chat/xLogin.ts';
import type { Adapter } from './adapter.ts';
import { consumeReplies } from './delivery.ts';
import { createDiscord } from './discord/adapter.ts';
import { startIngest } from './ingest.ts';
import { createTelegram } from './telegram/adapter.ts';
import { type NameReader, startNameChecks } from './usernames.ts';
import { createX } from './x/adapter.ts';

type Platform = {
  token: string | undefined;
  create(ctx: Ctx, token: string, onStored: () => void): Promise<Adapter & { start(): Promise<void> }>;
};

/** @throws StartError */
export async function runBots(ctx: Ctx): Promise<void> {
  const platforms: Platform[] = [
    { token: ctx.env.TELEGRAM_BOT_TOKEN, create: createTelegram },
    { token: ctx.env.DISCORD_BOT_TOKEN, create: createDiscord },
    { token: ctx.env.X_BOT_REFRESH_TOKEN, create: createX },
  ];
  if (platforms.every(({ token }) => !token))
    throw new StartError(
      'TELEGRAM_BOT_TOKEN, DISCORD_BOT_TOKEN or X_BOT_REFRESH_TOKEN is missing: the bots process needs the token of at least one platform.',
    );
  if (!ctx.env.LINK_KEY)
    throw new StartError(
      'LINK_KEY is missing: the bots derive the secrets of one-time links from it. See .env.example.',
    );
  await bindTokens(ctx);
  const adapters = await Promise.all(
    platforms.map(async ({ token, create }) => {
      if (!token) return [];
      let wake = () => {};
      const adapter = await create(ctx, token, () => wake());
      wake = startIngest(ctx, adapter).wake;
      return [adapter];
    }),
  );
  const running = adapters.flat();
  const byPlatform = new Map<string, Adapter>(running.map((adapter) => [adapter.platform, adapter]));
  consumeReplies(ctx, byPlatform);
  startNameChecks(ctx, nameReaders(byPlatform));
  await Promise.all(running.map((adapter) => adapter.start()));
}

/** The platforms that can read an account's current username. */
function nameReaders(adapters: Map<string, Adapter>): Map<string, NameReader> {
  return new Map(
    [...adapters].flatMap(([platform, { currentUsername }]) =>
      currentUsername ? [[platform, { currentUsername }] as const] : [],
    ),
  );
}
