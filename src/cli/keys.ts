// `ampersat keys`: keys of the API. Who is signed in makes them: at a service that is the dashboard, on the local stack it is one of its people.
import { type Command, Option } from 'commander';
import { AmpersatConnectionError } from '../../sdk/index.ts';
import { type KeyMode, SCOPES, USUAL_SCOPES } from '../domain/apiKey.ts';
import { callError } from './api.ts';
import { type ConnectionFlags, elsewhere, type LocalSide, pageOf, readLocal } from './connection.ts';
import { CallError, UsageError } from './failure.ts';
import { readId, readList } from './flags.ts';
import { type Column, facts, type Paint, type Shell, writeResult, writeResults } from './shell.ts';

type Key = {
  id: string;
  label: string;
  mode: KeyMode;
  scopes: string[];
  last4: string;
  status: string;
  created_at: string;
  last_used_at: string | null;
};

const COLUMNS: Column<Key>[] = [
  { title: 'key', cell: ({ id }) => id },
  { title: 'state', cell: ({ status }) => status, tone: ({ status }) => (status === 'active' ? 'green' : 'dim') },
  { title: 'ends in', cell: ({ last4 }) => last4 },
  { title: 'mode', cell: ({ mode }) => mode },
  { title: 'scopes', cell: ({ scopes }) => scopes.join(' ') },
  { title: 'last used', cell: ({ last_used_at }) => last_used_at ?? 'never' },
  { title: 'label', cell: ({ label }) => label },
];

const ANSWER_WITHIN_MS = 30_000;

export function addKeys(program: Command, shell: Shell): void {
  const keys = program
    .command('keys')
    .description('keys of the API; of the local stack, elsewhere they are made in the dashboard');

  keys
    .command('create')
    .description('makes a key and shows it, this once')
    .option('--label <text>', 'by which you know it again', 'Made at the command line')
    .option('--scopes <names>', `what it may do, by commas: ${SCOPES.join(', ')}`, readList, [...USUAL_SCOPES])
    .addOption(new Option('--mode <mode>', 'test chains or live ones').choices(['test', 'live']).default('test'))
    .action(async (given: { label: string; scopes: string[]; mode: KeyMode }, command: Command) => {
      const made = await ask<{ key: Key; secret: string }>(shell, command, 'POST', '/api/keys', given);
      writeResult(shell, made, words);
    });

  keys
    .command('list')
    .description('all keys, newest first')
    .action(async (_given: object, command: Command) => {
      const { data } = await ask<{ data: Key[] }>(shell, command, 'GET', '/api/keys');
      writeResults(shell, data, COLUMNS, 'There are no keys.');
    });

  keys
    .command('revoke')
    .description('ends a key at once')
    .argument('<key>', 'its id, key_…', readId)
    .action(async (id: string, _given: object, command: Command) => {
      const { key } = await ask<{ key: Key }>(shell, command, 'POST', `/api/keys/${id}/revoke`, {});
      writeResult(shell, key, () => `${id} is revoked.`);
    });
}

function words({ key, secret }: { key: Key; secret: string }, paint: Paint): string {
  return facts(
    [
      ['id', key.id],
      ['mode', key.mode],
      ['scopes', key.scopes.join(' ')],
      ['key', secret],
    ],
    paint,
  );
}

/** Calls what the dashboard calls, as somebody of the local stack who is signed in. @throws UsageError, StartError, CallError */
async function ask<T>(shell: Shell, command: Command, method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const flags = command.optsWithGlobals<ConnectionFlags>();
  const other = elsewhere(flags, shell.env);
  if (other) {
    const page = other.baseUrl === undefined ? 'its page /keys' : pageOf(other.baseUrl, '/keys');
    throw new UsageError(`The keys of a service are in its dashboard: ${page}. This command is for the local stack.`);
  }
  const local = readLocal(flags);
  const { text, isGood } = await send(shell, local, method, path, body);
  const answer = readAnswer(text);
  if (isGood && Object.keys(answer).length > 0) return answer as T;
  const { error } = answer as { error?: { message: string; code: string } };
  throw error
    ? new CallError(error.message, error)
    : new CallError(`${local.file.base_url} is not the service of ${local.path}.`, { code: 'connection_unreadable' });
}

function readAnswer(text: string): object {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

async function send(shell: Shell, local: LocalSide, method: string, path: string, body?: object) {
  const { base_url: baseUrl, accounts } = local.file;
  const session = accounts[local.account]?.session;
  if (!session) throw new UsageError(`${local.account} of ${local.path} is not signed in.`);
  const headers = {
    cookie: `service-session=${session}`,
    origin: new URL(baseUrl).origin,
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  const signal = AbortSignal.any([shell.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
  try {
    const sent = await fetch(baseUrl + path, {
      method,
      headers,
      signal,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { isGood: sent.ok, text: await sent.text() };
  } catch (cause) {
    throw callError(new AmpersatConnectionError('network', 'It does not answer.', { cause }), { baseUrl, local });
  }
}
