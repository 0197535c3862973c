// The workers process: it routes, signs, sends and follows payments.
import { StartError } from '../src/domain/errors.ts';
import { runProcess } from '../src/process.ts';
import { runWorkers } from './run.ts';

await runProcess('workers', async (ctx) => {
  if (ctx.executors.length === 0)
    throw new StartError('EXECUTOR_KEYS is missing: the workers need at least one key to send with.');
  runWorkers(ctx);
});
