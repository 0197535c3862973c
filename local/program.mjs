// Builds, checks, tests and deploys the Solana program: `node local/program.mjs install|build|check|test|verify [--long]`, and
// `plan|deploy|status` for a cluster. What it runs is TypeScript, in local/program.
import process from 'node:process';
import { register } from 'tsx/esm/api';

register();
const { runProgramTool } = await import('./program/main.ts');
process.exitCode = await runProgramTool(process.argv.slice(2));
