// Which service a command speaks to, and with which key: what flags say, else the environment, else the local stack.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { StartError } from '../domain/errors.ts';
import type { CliEnv } from '../env.ts';
import { UsageError } from './failure.ts';
import { plain } from './shell.ts';

const DATA_DIR = '.ampersat';
const ACCOUNT = 'shop';

/** What every command of merchants understands. */
export type ConnectionFlags = { apiKey?: string; baseUrl?: string; account?: string; dataDir?: string };

/** @property local there when the stack of this machine is meant: its file, and the account by its name there */
export type Connection = { baseUrl: string; apiKey: string; local: LocalSide | null };
export type LocalSide = { path: string; account: string; file: LocalFile };

const accountOfFile = z.object({
  handle: z.string().nullable(),
  session: z.string().nullable(),
  api_key: z.string().nullable(),
  evm_address: z.string(),
  evm_private_key: z.string(),
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
 * @throws UsageError when it is not said where or with which key; StartError when `local.json` is of no use
 */
export function findConnection(flags: ConnectionFlags, env: CliEnv): Connection {
  if (namesLocal(flags)) return localConnection(readLocal(flags));
  const apiKey = flags.apiKey ?? env.apiKey;
  const baseUrl = flags.baseUrl ?? env.baseUrl;
  if (apiKey !== undefined && baseUrl !== undefined) return { baseUrl: checkedUrl(baseUrl), apiKey, local: null };
  if (apiKey !== undefined)
    throw new UsageError('Where is the service? Give --base-url https://…, or set AMPERSAT_BASE_URL.');
  if (baseUrl !== undefined)
    throw new UsageError(
      `Which key? Give --api-key, or set AMPERSAT_API_KEY. Keys are made at ${pageOf(baseUrl, '/keys')}.`,
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
      '--account and --data-dir name the local stack: --api-key and --base-url do not go with them.',
    );
  return isLocal;
}

function localConnection(local: LocalSide): Connection {
  const key = local.file.accounts[local.account]?.api_key;
  if (!key) throw new StartError(`${local.account} of ${local.path} has no API key.`);
  return { baseUrl: local.file.base_url, apiKey: key, local };
}

/** The local stack and one of its people. @throws UsageError, StartError */
export function readLocal({ dataDir, account = ACCOUNT }: Pick<ConnectionFlags, 'dataDir' | 'account'>): LocalSide {
  const path = join(dataDir ?? DATA_DIR, 'local.json');
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new StartError(`${resolve(path)} cannot be read. Start the local stack again: npm start`, { cause });
    throw new UsageError(
      dataDir === undefined
        ? 'No service is named. Set AMPERSAT_API_KEY and AMPERSAT_BASE_URL (or give --api-key and --base-url), or start a local stack: npm start'
        : `There is no local stack in ${resolve(dataDir)}. Start it: npm start -- --data-dir ${dataDir}`,
    );
  }
  const parsed = localFile.safeParse(content);
  if (!parsed.success)
    throw new StartError(`${resolve(path)} is not of this version. Start the local stack again: npm start`);
  if (!parsed.data.accounts[account])
    throw new UsageError(`${path} has no ${account}. It has ${Object.keys(parsed.data.accounts).join(', ')}.`);
  return { path, account, file: parsed.data };
}

/** A page of a service, for people to open. */
export function pageOf(baseUrl: string, path: string): string {
  return `${checkedUrl(baseUrl)}${path}`;
}

function checkedUrl(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`“${plain(text)}” is no address of a service: it begins with https://`);
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/+$/, '');
}
