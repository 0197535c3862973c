// The bots process: it owns each platform's token, ingests messages and shows replies.
import { runProcess } from '../src/process.ts';
import { runBots } from './run.ts';

await runProcess('bots', runBots);
