// The signer process: it has the handle authority's key, has no open port, and attests only what it has read itself.
import { runProcess } from '../src/process.ts';
import { runSigner } from './run.ts';

// Rows are all that it works on.
await runProcess('signer', runSigner, { queueNames: [] });
