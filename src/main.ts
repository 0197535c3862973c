// The API process.
import { startApi } from './api.ts';
import { StartError } from './domain/errors.ts';
import { runProcess } from './process.ts';

await runProcess('api', async (ctx) => {
  if (ctx.env.AMPERSAT_MODE === 'production' && !ctx.env.ADMIN_SECRET) {
    throw new StartError('ADMIN_SECRET is missing: it guards the operations page. Draw one: openssl rand -hex 32');
  }
  const port = await startApi(ctx);
  ctx.log.info({ port }, 'listening');
});
