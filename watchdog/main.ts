// The watchdog process: it has the guardian's key, has no open port, and pauses the bot router when an executor's power is used by a transaction that is not ours.
import { runProcess } from '../src/process.ts';
import { runWatchdog } from './run.ts';

// Chains are not compared first: an endpoint that lies about one must not keep the watchdog from the others.
await runProcess('watchdog', runWatchdog, { queueNames: [], verify: false });
