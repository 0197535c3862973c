// The API process.
import { serve } from './http/serve.ts';
import { runProcess } from './process.ts';

await runProcess('api', async (ctx) => {
  const port = await serve(ctx);
  ctx.log.info({ port }, 'listening');
});
