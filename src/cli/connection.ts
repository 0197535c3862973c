// Which service a command calls, and with which key: those of flags, else of the environment, else the local stack.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { StartError } from '../domain/errors.ts';
import { parsedUrl } from '../domain/parsedUrl.ts';
import type { CliEnv } from '../env.ts';
import { ROOT } from '../root.ts';
import { UsageError } from './failure.ts';
import { plainLine } from './shell.ts';

const DATA_DIR = '.ampersat';
const ACCOUNT = 'shop';
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/** What every command of merchants understands. */
export type ConnectionFlags = { apiKey?: string; baseUrl?: string; account?: string; dataDir?: string };

/** @property local set when the local stack is meant: its file, and the account by its name there */
export type ServiceConnection = { baseUrl: string; apiKey: string; local: LocalSide | null };
export type LocalSide = { path: string; account: string; file: LocalFile };

const accountOfFile = z.object({
  handle: z.string().nullable(),
  session: z.string().nullable(),
  api_key: z.string().nullable(),
  evm_address: z.string(),
  evm_private_key: z.string(),
  solana_address: z.string().optional(),
});
/** What the command line reads of `local.json`. */
const localFile = z.object({
  base_url: z.url(),
  checkout_base: z.url(),
  accounts: z.record(z.string(), accountOfFile),
  chains: z.record(z.string(), z.object({ chain_id: z.number(), rpc_url: z.string(), usdc: z.string() })),
});
export type LocalFile = z.infer<typeof localFile>;

/**
 * A key goes only to the address that it came with: one of flags or the environment never to the address that a file names.
 * @throws UsageError without a service or a key; StartError for an unusable `local.json`
 */
export function findServiceConnection(flags: ConnectionFlags, env: CliEnv): ServiceConnection {
  if (namesLocal(flags)) return localConnection(readLocal(flags));
  const apiKey = flags.apiKey ?? env.apiKey;
  const baseUrl = flags.baseUrl ?? env.baseUrl;
  if (apiKey !== undefined && baseUrl !== undefined) return { baseUrl: checkedUrl(baseUrl), apiKey, local: null };
  if (apiKey !== undefined)
    throw new UsageError(
      'No base URL. Pass --base-url https://…, or set AMPERSAT_BASE_URL. For the local stack, omit the API key.',
    );
  if (baseUrl !== undefined)
    throw new UsageError(
      `No API key. Pass --api-key, or set AMPERSAT_API_KEY. Create one at ${pageUrlOf(baseUrl, '/keys')}.`,
    );
  return localConnection(readLocal(flags));
}

/** The service that flags or the environment name, where they name one beside the local stack. @throws UsageError */
export function elsewhere(flags: ConnectionFlags, env: CliEnv): { baseUrl: string | undefined } | null {
  if (namesLocal(flags)) return null;
  const baseUrl = flags.baseUrl ?? env.baseUrl;
  return baseUrl === undefined && (flags.apiKey ?? env.apiKey) === undefined ? null : { baseUrl };
}

/** Whether the local stack is named by a flag, which has to be the only thing that is named. @throws UsageError */
function namesLocal(flags: ConnectionFlags): boolean {
  const isLocal = flags.account !== undefined || flags.dataDir !== undefined;
  if (isLocal && (flags.apiKey !== undefined || flags.baseUrl !== undefined))
    throw new UsageError(
      '--account and --data-dir select the local stack and can’t be combined with --api-key or --base-url.',
    );
  return isLocal;
}

function localConnection(local: LocalSide): ServiceConnection {
  const key = local.file.accounts[local.account]?.api_key;
  if (!key) throw new StartError(`${local.account} in ${local.path} has no API key.`);
  return { baseUrl: local.file.base_url, apiKey: key, local };
}

/** Whether the file names a service of this machine: only there anything is signed. */
export function isOnThisMachine({ file }: LocalSide): boolean {
  return LOOPBACK.includes(new URL(file.base_url).hostname);
}

/** A command that plays with money or time is for no other service. @throws StartError for anything but the local stack of this machine */
export function onlyLocal(command: string, local: LocalSide | null): LocalSide {
  if (local && isOnThisMachine(local)) return local;
  throw new StartError(
    `\`${command}\` works on the local stack only. Start one (npm start) and select it: --account shop`,
  );
}

/** The local stack and one of its people. @throws UsageError, StartError */
export function readLocal({ dataDir, account = ACCOUNT }: Pick<ConnectionFlags, 'dataDir' | 'account'>): LocalSide {
  const path = join(dataDir ?? usualDir(), 'local.json');
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new StartError(`${resolve(path)} can’t be read. Restart the local stack: npm start`, { cause });
    throw new UsageError(
      dataDir === undefined
        ? 'Not connected. Run `npm start`, or set AMPERSAT_BASE_URL and AMPERSAT_API_KEY.'
        : `No local stack in ${resolve(dataDir)}. Start it: npm start -- --data-dir ${dataDir}`,
    );
  }
  const parsed = localFile.safeParse(content);
  if (!parsed.success)
    throw new StartError(`${resolve(path)} is from another version. Restart the local stack: npm start`);
  if (!parsed.data.accounts[account])
    throw new UsageError(
      `${path} has no account ${account}. Accounts: ${Object.keys(parsed.data.accounts).join(', ')}.`,
    );
  return { path, account, file: parsed.data };
}

/** The folder of the stack that runs here; beside it, of the clone to which the command belongs. */
function usualDir(): string {
  const ofClone = join(ROOT, DATA_DIR);
  return !existsSync(DATA_DIR) && existsSync(ofClone) ? ofClone : DATA_DIR;
}

/** A page of a service, for people to open. */
export function pageUrlOf(baseUrl: string, path: string): string {
  return `${checkedUrl(baseUrl)}${path}`;
}

function checkedUrl(text: string): string {
  const url = parsedUrl(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`“${plainLine(text)}” is not a valid base URL. It starts with https://`);
  return url.origin + url.pathname.replace(/\/+$/, '');
}
