// A local Solana node as a process of its own: tests kill it. Its argument is the state file.
import { startSolana } from './server.ts';

const node = await startSolana({ stateFile: process.argv[2] as string, slotMs: 20, finalizedAfter: 4 });
console.log(JSON.stringify({ url: node.url, wsUrl: node.wsUrl, created: node.created }));
