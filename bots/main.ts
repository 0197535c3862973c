// The bots process: it owns each platform's token, takes in what people type and shows what became of it.
import { StartError } from '../src/domain/errors.ts';
import { runProcess } from '../src/process.ts';
import type { Adapter } from './adapter.ts';
import { startIngest } from './ingest.ts';
import { consumeReplies } from './replies.ts';
import { createTelegram } from './telegram.ts';

await runProcess('bots', async (ctx) => {
  const token = ctx.env.TELEGRAM_BOT_TOKEN;
  if (!token)
    throw new StartError('TELEGRAM_BOT_TOKEN is missing: the bots process needs the token of at least one platform.');
  if (!ctx.env.LINK_KEY)
    throw new StartError(
      'LINK_KEY is missing: the bots derive the secrets of one-time links from it. See .env.example.',
    );
  let wake = () => {};
  const telegram = await createTelegram(ctx, token, () => wake());
  wake = startIngest(ctx, telegram).wake;
  consumeReplies(ctx, new Map<string, Adapter>([[telegram.platform, telegram]]));
  await telegram.start();
});
