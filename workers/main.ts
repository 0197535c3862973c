// The workers process: it routes, signs, sends and follows payments.
import { runProcess } from '../src/process.ts';
import { runWorkers } from './run.ts';

await runProcess('workers', runWorkers);
